"""The constraints of a solved design by name: which are active, and their multipliers; and what its mechanism lacks.

*Linear programmes* (trace, loss): the rows of FORMAT.md, rule 3, with the multipliers of the certificate; ``t[i]`` is
the least entry of row i, ``e[i,j,l]`` the excess of ``p[i,j]`` over ``gamma p[i,l]``.

*Binary variance*: the inequalities of the region. The optimum is a vertex, where the gradient of n Var is a combination
of the rows of the tight inequalities, ``grad = sum_i y_i (a_i, b_i)`` with ``y >= 0``: if one is relaxed by h, the
optimum falls by ``y_i h``, to first order. It is no proof of optimality (n Var is not convex): that is in the
certificate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.errors import UnsupportedProblemError
from rropt.exact import both_texts
from rropt.exact.brackets import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import flint_matrix
from rropt.results import Result, says

if TYPE_CHECKING:
    from rropt.linear import Row
    from rropt.problem import Problem
    from rropt.solvers.design_programmes import DesignProgramme
    from rropt.solvers.solution import Solution


@dataclass(frozen=True, slots=True)
class Constraint(Result):
    """One condition on a design, at the mechanism that is handed out.

    Attributes:
        name: the condition, with entries as ``p[answer,truth]``, both counted from 0.
        multiplier: by how much the objective changes per unit of its right-hand side, exactly at a rational level.
        slack: what is left, >= 0; at an irrational level at the rational one below it.
    """

    name: str
    multiplier: Fraction
    slack: Fraction

    SAYS: ClassVar[Mapping[str, str]] = says(name="constraint", active="active", multiplier="multiplier", slack="slack")

    @property
    def active(self) -> bool:
        """Whether it holds with equality, or has a multiplier: then it does at the exact level."""
        return not self.slack or bool(self.multiplier)

    def __str__(self) -> str:
        return f"{self.name}: {'active' if self.active else 'not active'}, multiplier {both_texts(self.multiplier)}"


def constraints_of(solution: Solution) -> tuple[Constraint, ...]:
    """Return the constraints of a solution, all of them, in the order of the certificate's rows or the region's.

    Raises:
        UnsupportedProblemError: the design is found in another way than by a linear programme or at a vertex.
    """
    problem = solution.problem
    if problem.objective.kind == "variance":
        return tuple(_binary(problem, solution.mechanism))
    dual = getattr(solution.found, "dual", None)
    if not problem.objective.is_linear or problem.region.form is None or dual is None:
        raise UnsupportedProblemError(
            f"the constraints have no multipliers by name: received {problem}; allowed are designs of least variance "
            "of a prevalence, trace and loss; the certificate has the whole proof"
        )
    return tuple(_linear(problem, solution.mechanism, dict(dual)))


def _linear(problem: Problem, mechanism: Mechanism, dual: dict[int, Fraction]) -> Iterator[Constraint]:
    from rropt.solvers.design_programmes import DesignProgramme, first_pairs, write_programme

    levels = problem.region.bracket(FIRST_BRACKET_DIGITS)
    design = DesignProgramme.of(problem, levels, "below", ())
    pairs = design.rows.pairs or first_pairs(problem)
    design = DesignProgramme.of(problem, levels, "below", pairs)
    written = write_programme(design)
    point = _point(design, mechanism)
    for place, row in zip(written.places, written.programme.rows, strict=True):
        value = sum((a * point[x] for a, x in zip(row.values, row.columns, strict=True)), Fraction(0)) - row.rhs
        slack = abs(value) if row.relation == "=" else value if row.relation == ">=" else -value
        yield Constraint(_name(design, row), dual.get(place, Fraction(0)), slack)


def _point(design: DesignProgramme, mechanism: Mechanism) -> list[Fraction]:
    """Return the variables of the programme at a mechanism: entries, then t or e."""
    matrix = mechanism.matrix
    point = [p for row in matrix for p in row]
    if design.rows.form == "parity":
        return point + [min(row) for row in matrix]
    if design.rows.form == "excess":
        point += [max(Fraction(0), row[j] - design.gamma * row[x]) for row in matrix for j, x in design.pairs]
    return point


def _name(design: DesignProgramme, row: Row) -> str:
    """Return what a row says, in entries."""
    m, k = design.shape
    entries = [divmod(x, k) for x in row.columns if x < m * k]
    if row.label == "sum":
        return f"column {entries[0][1]} sums to 1"
    if row.label == "total":
        j, other = design.pairs[(row.columns[0] - m * k) % len(design.pairs)]
        return f"sum of e[.,{j},{other}] <= delta"
    i, j = entries[0]
    if row.label in ("lower", "upper"):
        return f"p[{i},{j}] >= t[{i}]" if row.label == "lower" else f"p[{i},{j}] <= gamma t[{i}]"
    if row.label in ("least", "most"):
        return f"p[{i},{j}] {'>=' if row.label == 'least' else '<='} {row.rhs}"
    signs = dict(zip(row.columns, row.values, strict=True))
    (_, j), (_, other) = sorted(entries, key=lambda entry: signs[entry[0] * k + entry[1]] > 0)
    if row.label == "pair":
        return f"p[{i},{j}] <= gamma[{j},{other}] p[{i},{other}]"
    return f"p[{i},{j}] <= gamma p[{i},{other}] + e[{i},{j},{other}]"


def _binary(problem: Problem, mechanism: Mechanism) -> Iterator[Constraint]:
    region, p00, p11 = problem.region.one_level(), mechanism.p00, mechanism.p11
    digits = FIRST_BRACKET_DIGITS
    while True:  # the level below at which the mechanism was made
        level = region.bracket(digits).one_level().below
        found = [vertex for vertex in region.vertices(level) if (vertex.p00, vertex.p11) == (p00, p11)]
        if found or digits > MAX_BRACKET_DIGITS:
            break
        digits *= 2
    inequalities = region.inequalities(level)
    tight = [one for one in inequalities if found and one.label in found[0].tight]
    slopes = [_exact(one.row)[:2] for one in tight]
    if region.family == "warner":  # along p00 = p11
        slopes = [(a + b, Fraction(0)) for a, b in slopes]
    values = _combination(_gradient(problem, p00, p11), slopes)
    multipliers = dict(zip((one.label for one in tight), values, strict=True))
    for one in inequalities:
        a, b, c = _exact(one.row)
        yield Constraint(one.label, multipliers.get(one.label, Fraction(0)), a * p00 + b * p11 + c)


def _exact(row: tuple[Any, Any, Any]) -> tuple[Fraction, Fraction, Fraction]:
    return Fraction(row[0]), Fraction(row[1]), Fraction(row[2])  # at a rational level


def _gradient(problem: Problem, p00: Fraction, p11: Fraction) -> tuple[Fraction, Fraction]:
    """Return the slopes of ``n Var = l (1 - l)/d^2`` in p00 and p11; of Warner's family, of both together."""
    pi, d = problem.prevalence, p00 + p11 - 1
    share = (1 - pi) * (1 - p00) + pi * p11
    own, common = (1 - 2 * share) / d**2, -2 * share * (1 - share) / d**3
    one, other = common - (1 - pi) * own, common + pi * own
    return (one + other, Fraction(0)) if problem.region.family == "warner" else (one, other)


def _combination(target: tuple[Fraction, Fraction], rows: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction]:
    """Return y >= 0 with ``sum y_i (a_i, b_i) = target``, of at most two rows; 0 where there is none."""
    u, v = target
    found: dict[int, Fraction] = {}
    for i, (a, b) in enumerate(rows):
        if a * v == b * u and a * u + b * v > 0:
            found = {i: (a * u + b * v) / (a * a + b * b)}
    for (i, (a, b)), (j, (c, d)) in combinations(enumerate(rows), 2):
        determinant = a * d - b * c
        if not found and determinant:
            y = {i: (u * d - v * c) / determinant, j: (a * v - b * u) / determinant}
            found = y if min(y.values()) >= 0 else {}
    return [found.get(i, Fraction(0)) for i in range(len(rows))]


MOST_RANKED = 20_000  # entries of a mechanism whose rank is computed: a second or two


def lacks_of(mechanism: Mechanism) -> tuple[str, ...]:
    """Return what a user of a mechanism must be told before it goes out: answers never given, truths that it confuses.

    >>> lacks_of(Mechanism([[1, 1, 0], [0, 0, 1], [0, 0, 0]]))[0]
    'answer 2 is never given: whoever offers it to respondents gives them a choice that the design leaves out'
    """
    never = [i for i in range(mechanism.outputs) if not any(mechanism.row(i))]
    found = []
    if never:
        which = f"answer {never[0]} is" if len(never) == 1 else f"answers {', '.join(map(str, never[:12]))} are"
        found.append(
            f"{which} never given: whoever offers it to respondents gives them a choice that the design leaves out"
        )
    m, k = mechanism.shape
    if m - len(never) < k or (m * k <= MOST_RANKED and flint_matrix(mechanism.matrix).rank() < k):
        found.append(
            "the mechanism does not identify the population: the columns of its matrix are linearly dependent, so that "
            "different populations give the same answers and no estimate of all shares is unbiased; for estimates "
            "use the objective a-optimal"
        )
    return tuple(found)
