"""Whether a printed table can be optimal: the objective over every matrix that rounds to it.

A table with d digits stands for the matrices of a box (``privacy.printed_tables``). No table proves that its design is
optimal: nearly all matrices that round to it are not. The answer is one of these:

* *no*: no private matrix of the box is optimal. Either none is private at the level, or the objective of each is
  beyond the certified bound of the optimum. The bound over the box says what each of them loses at the least. A design
  that is found in the box decides before the bound, which rests on floats with a margin.
* *an optimal design rounds to it*: a design that is private and has the certified optimum lies in the box, exactly. So
  the table is what an optimal design looks like in print. If the optimum is enclosed, as at an irrational level, the
  design is optimal up to the gap of the bounds, and the answer says so.
* *undecided*: neither was found.

*The designs in the box.* Those of the solution, with their outputs in any order. Then, at a level without delta, a
design whose rows have the two values t and gamma t at the places where the table has small and large entries, with
gamma of the certified design: numbers t that sum to 1 in each column and stay in the box are a linear program, solved
exactly. Such a design is private, and its value is compared with the optimum. Optimal designs that split or merge
outputs, or choose other subsets, are found so.

*The bound.* An objective is bounded by ``sum_i phi(p_i)`` with a convex and homogeneous phi (``objectives.ray_form``):
for variances phi has a matrix W, and every W gives a bound; W of a matrix in the middle makes it exact there.
For any numbers nu, since the columns of P sum to 1,

    ``sum_i phi(p_i) <= sum_j nu_j + sum_i max_(p in row i of the box) (phi(p) - nu . p)``

and a convex function has its maximum at one of the 2^k corners of a row. With nu_j the median over i of the derivatives
of phi the bound is exact up to second order in the half unit. Corners are compared in floats; the value of the best
one, and the bound, are larger than the exact ones by 1e-10 of the size of their terms, which is more than doubles lose.
A linear objective is summed exactly: in each column the other entries fill what is left in the order of their costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

from rropt.core.argument_checks import clear_calls, require_flags
from rropt.core.errors import InfeasibleError, UnsupportedProblemError
from rropt.core.exact import as_text, both_texts
from rropt.core.exact.display import decimal_outwards, decimal_text
from rropt.core.lazy import numpy as np
from rropt.core.results import Result, labelled
from rropt.designs.optimality_judgements import NO, posed_for
from rropt.designs.problem import Problem
from rropt.designs.solution import Solution
from rropt.designs.solving import solve
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import Matrix
from rropt.objectives.objective import Objective
from rropt.objectives.ray_form import RayForm, SquaresForm, SumForm
from rropt.privacy.level_arguments import given_level
from rropt.privacy.printed_tables import NO as NONE_MEETS
from rropt.privacy.printed_tables import RoundedMatrices, printed_privacy, printed_table

ROUNDS, NEARLY, UNDECIDED = (
    "an optimal design rounds to it",
    "a design that is optimal up to the gap of the bounds rounds to it",
    "undecided",
)
_MOST_CORNERS = 1 << 19  # corners of all rows of a box
_SAME = Fraction(1, 10**9)
_SLACK = 1e-10  # relative to the terms of sums in doubles: a thousand times what they lose


@dataclass(frozen=True, slots=True)
class PrintedOptimality(Result):
    """Whether one of the matrices that round to a printed table is optimal at a level.

    Attributes:
        table: the entries as printed, shape (m, k); rows are outputs.
        digits: the number of digits after the point.
        solution: the certified optimum at the level.
        meets: whether these matrices meet the level: ``"yes"``, ``"no"`` or ``"the rounding decides"``.
        bound: a bound of the objective of these matrices: from below for a minimum, from above for a maximum; ``None``
            if the objective has no value in the middle of the box.
        answer: ``"no"``, ``"an optimal design rounds to it"``, ``"a design that is optimal up to the gap of the bounds
            rounds to it"`` or ``"undecided"``.
        reason: why, in words.
        design: the optimal design that rounds to the table, with its outputs in this order, if one was found.
    """

    table: Matrix
    digits: int
    solution: Solution
    meets: str
    bound: Fraction | None
    answer: str
    reason: str
    design: Mechanism | None

    LABELS: ClassVar[Mapping[str, str]] = labelled(
        answer="optimal",
        reason="because",
        bound="bound of the objective over the matrices that round to it",
        design="an optimal design that rounds to the table",
    )
    ANSWER: ClassVar[tuple[str, ...]] = ("answer", "reason", "loss")

    @property
    def loss(self) -> Fraction | None:
        """A lower bound of the relative loss of each of these matrices; of a logarithm, of the difference.

        It is ``None`` without a bound, and at an optimum of 0.
        """
        if self.bound is None:
            return None
        lower, upper, objective = self.solution.lower, self.solution.upper, self.solution.problem.objective
        is_least = objective.sense == "minimise"
        worst = self.bound - upper if is_least else lower - self.bound
        if not objective.is_logarithm:
            end = upper if is_least else lower
            if end <= 0:
                return None
            worst /= end
        return max(worst, Fraction(0))

    @classmethod
    def recompute(cls, table: Matrix, digits: int, solution: Solution) -> PrintedOptimality:
        """Judge the table again, from the question of a record and its certified optimum."""
        return _judged(table, digits, solution)

    def lines(self) -> list[tuple[str, str]]:
        """Return the answer, the certified optimum, and the bound over the matrices that round to the table."""
        problem = self.solution.problem
        is_least = problem.objective.sense == "minimise"
        optimum = both_texts(self.solution.value) if self.solution.is_exact else str(self.solution.bracket)
        told = [("problem", str(problem)), ("optimal", f"{self.answer}: {self.reason}"), ("optimum", optimum)]
        if self.bound is not None:
            end = decimal_outwards(self.bound, up=not is_least, digits=9)
            told.append((f"{problem.objective.title} of these matrices, at {'least' if is_least else 'most'}", end))
        if self.loss:
            unit = "" if problem.objective.is_logarithm else " %"
            each = self.loss if problem.objective.is_logarithm else 100 * self.loss
            told.append(("loss of each of these matrices, at least", decimal_outwards(each, up=False, digits=4) + unit))
        if self.design is not None:
            rows = "\n".join("  ".join(_short(x, self.digits) for x in row) for row in self.design.matrix)
            told.append(("the design that rounds to it", rows))
        return [*told, ("private at the level", self.meets)]


def _short(x: Fraction, digits: int) -> str:
    """Return a fraction if it is short, else its decimals with three digits more than the table."""
    return text if len(text := as_text(x)) <= digits + 5 else decimal_text(x, digits + 3)


@clear_calls
def printed_optimality(
    matrix: Any,
    printed: int,
    objective: str | Objective | None = None,
    *,
    epsilon: object,
    prevalence: object = None,
    population: Sequence[object] | None = None,
    transposed: bool = False,
) -> PrintedOptimality:
    """Judge whether a printed table can be optimal, as ``rropt compare --objective --printed D`` does.

    Args:
        matrix: the table: m rows of k decimals; rows are outputs. Its columns need not sum to 1.
        printed: the digits after the point, from 1 to 12.
        objective: as for ``optimality``: a variance, the criteria a, c, d and e, a loss, a trace, or a sum.
        epsilon: the level that is claimed.
        prevalence, population: as for ``optimality``.
        transposed: whether the rows of the table are inputs.

    Raises:
        InvalidMechanismError: no matrix with columns that sum to 1 rounds to the table.
        UnsupportedProblemError: the objective is of another kind, or the table is too large.

    >>> found = printed_optimality([[.75, .25], [.25, .75]], 2, epsilon="log(3)")
    >>> found.answer, printed_optimality([[.7, .3], [.3, .7]], 1, epsilon=3).answer
    ('an optimal design rounds to it', 'no')
    """
    require_flags(transposed=transposed)
    digits, table = printed_table(matrix, printed, transposed=transposed)
    middle = RoundedMatrices(table, digits).middle()
    problem = posed_for(middle, objective, given_level(epsilon, 0, None), prevalence=prevalence, population=population)
    return _judged(table, digits, _solved(problem))


def _solved(problem: Problem) -> Solution:
    """Return the certified optimum: by a formula, if there is one, whose designs have no superfluous outputs."""
    try:
        return solve(problem, routes="closed-form", fast=True)
    except UnsupportedProblemError:
        return solve(problem, fast=True)


def _judged(table: Matrix, digits: int, solution: Solution) -> PrintedOptimality:
    problem = solution.problem
    box = RoundedMatrices(table, digits)
    level = problem.region.one_level()
    meets = str(printed_privacy(table, digits, epsilon=level.epsilon, delta=level.delta).meets)

    def told(answer: str, reason: str, bound: Fraction | None, design: Mechanism | None = None) -> PrintedOptimality:
        return PrintedOptimality(table, digits, solution, meets, bound, answer, reason, design)

    if meets == NONE_MEETS:
        return told(NO, "no matrix that rounds to it is private there", None)
    bound = _bound(box, box.middle(), problem.objective, problem.population)
    is_least = problem.objective.sense == "minimise"
    if (design := _design_in(box, solution)) is not None:
        if solution.is_exact:
            return told(ROUNDS, "it is private at the level and has exactly the certified optimum", bound, design)
        why = f"the bounds of the optimum differ by {decimal_outwards(solution.bracket.gap, up=True, digits=2)}"
        return told(NEARLY, why, bound, design)
    if bound is not None and (bound > solution.upper if is_least else bound < solution.lower):
        return told(NO, f"each matrix that rounds to it has a {'larger' if is_least else 'smaller'} value", bound)
    return told(UNDECIDED, "the bounds do not exclude an optimal design among them, and none was found", bound)


def _design_in(box: RoundedMatrices, solution: Solution) -> Mechanism | None:
    """Return a certified design that rounds to the table, or another one that is private and has its value."""
    problem = solution.problem
    if not (solution.is_closed and solution.is_certified):
        return None
    exact = problem.region.one_level().epsilon.gamma
    for gamma in dict.fromkeys((exact, solution.mechanism.parity())):
        design = _staircase_in(box, gamma)
        if design is None or not problem.region.contains(design):
            continue
        try:
            value = problem.objective.value(design, problem.population)
        except InfeasibleError:  # the design does not identify the proportions
            continue
        if value <= solution.upper if problem.objective.sense == "minimise" else value >= solution.lower:
            return design
    return _rounding_to(box, solution)


def _staircase_in(box: RoundedMatrices, gamma: Fraction | None) -> Mechanism | None:
    """Return a matrix of the box whose rows are multiples of 1 and gamma at the places that the table shows.

    It is ``None`` if there is none.
    """
    from rropt.core.linear import Infeasible, ProgramBuilder
    from rropt.core.linear import solve as solve_program

    if gamma is None or gamma <= 1:
        return None
    forms = []
    for ends in box.ends:
        middle = [a + b for a, b in ends]
        least, most = min(middle), max(middle)
        is_flat = most * most < gamma * least * least  # constant, up to the rounding
        forms.append([gamma if x * x > least * most and not is_flat else Fraction(1) for x in middle])
    builder = ProgramBuilder("minimise")
    scales = [builder.variable(f"t{i}") for i in range(box.m)]
    for j in range(box.k):
        builder.row("sum", [(t, form[j]) for t, form in zip(scales, forms, strict=True)], "=", 1)
        for t, form, ends in zip(scales, forms, box.ends, strict=True):
            builder.row("high", {t: form[j]}, "<=", ends[j][1])
            builder.row("low", {t: -form[j]}, "<=", -ends[j][0])
    found = solve_program(builder.build())
    if isinstance(found, Infeasible):
        return None
    return Mechanism([[found.primal[t] * x for x in form] for t, form in zip(scales, forms, strict=True)])


class _BoxDual:
    """What ``RayForm.bound`` needs: the sum of phi over the rows of every matrix of the box, W, and tr(C W)."""

    groups: tuple[int, ...] = ()
    inside: tuple[Fraction, ...] = ()
    weights: tuple[Fraction, ...] = ()

    def __init__(self, total: Fraction, weights: Any) -> None:
        self.total, self.matrix = total, weights

    def bound(self) -> Fraction:
        return self.total

    def along(self, targets: Sequence[Sequence[Fraction]]) -> Fraction:
        columns = zip(*self.matrix, strict=True)
        return sum(
            (x * w for row, column in zip(targets, columns, strict=True) for x, w in zip(row, column, strict=True)),
            Fraction(0),
        )


def _bound(
    box: RoundedMatrices, middle: Mechanism, objective: Objective, population: Sequence[Fraction]
) -> Fraction | None:
    """Return a bound of an objective over the matrices of a box, or ``None``.

    There is none if the objective has no value in the middle, or if an output of the box may be impossible but for
    categories with proportion 0, where phi is not finite.
    """
    if objective.is_linear:
        return _linear_bound(box, objective, population)
    if any(_may_be_impossible(ends, population) for ends in box.ends):
        return None
    form = objective.on_rays(population, Fraction(1))
    is_known = isinstance(form, (SquaresForm, SumForm))
    try:
        weights = form.weights_at(middle) if is_known else []
        objective.value(middle, population)
    except (ZeroDivisionError, InfeasibleError, np.linalg.LinAlgError):
        return None
    if not (is_known and _is_exact_at(middle, form, weights[0], objective)):
        raise UnsupportedProblemError(
            f"{objective.title} is not bounded over the matrices that round to a table: allowed are variances, the "
            "optimality criteria a, c, d and e, losses, traces and sums over outputs such as mutual-information"
        )
    if box.m << box.k > _MOST_CORNERS:
        raise UnsupportedProblemError(
            f"the table is too large: received {box.m} outputs and {box.k} inputs; allowed are at most "
            f"{_MOST_CORNERS} corners of its rows, m 2^k"
        )
    bounds = [form.bound(_BoxDual(_largest_sum(box, middle, form, each), each)) for each in weights]
    return max(bounds) if objective.sense == "minimise" else min(bounds)


def _may_be_impossible(ends: Sequence[tuple[Fraction, Fraction]], population: Sequence[Fraction]) -> bool:
    """Return whether a row may be 0 in all categories that occur, and positive in one that does not."""
    pairs = list(zip(ends, population, strict=True))
    return all(low == 0 for (low, _), share in pairs if share) and any(
        high > 0 for (_, high), share in pairs if not share
    )


def _is_exact_at(middle: Mechanism, form: RayForm, weights: Any, objective: Objective) -> bool:
    """Return whether the form is that of the objective: its bound at a single matrix is the value there."""
    phi = form.exact_phi(weights)
    total = sum((phi(row) for row in middle.matrix if any(row)), Fraction(0))
    value = objective.value(middle, form.pi)
    return total > 0 and abs(form.bound(_BoxDual(total, weights)) - value) <= _SAME * (1 + abs(value))


def _largest_sum(box: RoundedMatrices, middle: Mechanism, form: RayForm, weights: Any) -> Fraction:
    """Return an upper bound of ``sum_i phi(p_i)`` over the matrices of the box."""
    pi = np.array([float(x) for x in form.pi])

    def phi(rows: Any) -> tuple[Any, Any]:
        chance = rows @ pi
        kept = chance > 0
        scaled = rows[kept] / chance[kept, None]
        found, terms = np.zeros(len(rows)), np.zeros(len(rows))
        found[kept] = form.float_phi(weights, scaled, scaled - 1) * chance[kept]
        terms[kept] = np.abs(form.cancelled(weights, scaled, scaled - 1)) * chance[kept]
        return found, terms

    centre = np.array([[float(x) for x in row] for row in middle.matrix])
    step = max(float(box.half) * 1e-3, 1e-9)
    slopes = np.stack(
        [(phi(centre + step * unit)[0] - phi(np.maximum(centre - step * unit, 0))[0]) for unit in np.eye(box.k)]
    )
    nu = np.median(slopes / (2 * step), axis=1)
    sides = np.array([*product((0, 1), repeat=box.k)])
    total, size = float(nu.sum()), float(np.abs(nu).sum())
    for low, high in zip(box.low, box.high, strict=True):
        ends = np.array([[float(x) for x in low], [float(x) for x in high]])
        corners = np.where(sides, ends[1], ends[0])
        values, terms = phi(corners)
        total += float((values - corners @ nu).max())
        size += float((terms + np.abs(values) + corners @ np.abs(nu)).max())
    return Fraction(total) + Fraction(_SLACK) * Fraction(size)


def _linear_bound(box: RoundedMatrices, objective: Any, population: Sequence[Fraction]) -> Fraction:
    """Return the least cost, or the largest gain, of the matrices of the box: each column is filled by its costs."""
    costs: Matrix = objective.costs(population)
    sign = 1 if objective.sense == "minimise" else -1
    total = Fraction(0)
    for j in range(box.k):
        left = 1 - sum((row[j][0] for row in box.ends), Fraction(0))
        total += sum((costs[i][j] * row[j][0] for i, row in enumerate(box.ends)), Fraction(0))
        for i in sorted(range(box.m), key=lambda i: sign * costs[i][j]):
            step = min(left, box.ends[i][j][1] - box.ends[i][j][0])
            total, left = total + step * costs[i][j], left - step
    return total


def _rounding_to(box: RoundedMatrices, solution: Solution) -> Mechanism | None:
    """Return a certified design with its outputs in the order of a table that it rounds to, or ``None``."""
    for design in (solution.mechanism, *solution.optima):
        if design.shape != (box.m, box.k):
            continue
        rows = design.matrix
        near = [
            [h for h, row in enumerate(rows) if all(a <= x <= b for x, (a, b) in zip(row, ends, strict=True))]
            for ends in box.ends
        ]
        if (order := _assigned(near)) is not None:
            return Mechanism([rows[h] for h in order])
    return None


def _assigned(near: Sequence[Sequence[int]]) -> list[int] | None:
    """Return a different member of each list, in the order of the lists, or ``None``: a perfect matching."""
    taken: dict[int, int] = {}

    def placed(i: int, seen: set[int]) -> bool:
        for h in near[i]:
            if h not in seen:
                seen.add(h)
                if h not in taken or placed(taken[h], seen):
                    taken[h] = i
                    return True
        return False

    if not all(placed(i, set()) for i in range(len(near))):
        return None
    return [h for h, _ in sorted(taken.items(), key=lambda pair: pair[1])]
