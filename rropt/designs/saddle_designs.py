"""Minimax designs over a polytope of distributions of the categories: a saddle point with its least favourable pi.

*The variance.* Let T be an unbiased linear estimator of all proportions: T P = I, with columns T_i for the outputs. For
a contrast c, t is a row vector with t P = c. At *every* distribution pi, n times the variance is

    f(P, T, pi) = sum_i abs(T_i)^2 (p_i . pi) - pi . pi        f(P, t, pi) = sum_i t_i^2 (p_i . pi) - (c . pi)^2.

*The saddle point.*

1. f is concave in pi.
2. Let theta_j be weights of staircase rows S_j, and m_j = theta_j T_j. Then f is
   ``sum_j (S_j . pi) abs(m_j)^2/theta_j`` minus a number that depends only on pi. It is convex in (theta, m) under the
   linear conditions ``sum_j theta_j S_j = 1`` and ``sum_j m_j S_j^T = I``.
3. For every P and T there is a pair (theta, m) that is at least as good (checker/design_bracket.md, *Polytopes*).
4. Hence, by the minimax theorem of von Neumann and Sion, with V(pi) the optimum at one distribution (``engine``),

    min over P, T of max over pi of f  =  max over pi of min over P, T of f  =  max over pi of V(pi).

*One fixed estimator suffices.* For a given P, the minimum over T at each pi is the variance of the efficient estimator
at pi. Its ``min over P of max over pi`` lies between the two sides, which are equal. So *one fixed estimator, unbiased
at every n, has the same worst case as the efficient estimator that knows pi*.

``saddle_point`` finds the saddle point in floats, but the bracket is exact. ``lower`` is the bound at one distribution
of the polytope. ``upper`` is the largest value, over the vertices, of the tangent of f at this
distribution.

*The program.* For one distribution pi, a convex program gives the variance of the optimal design: maximize
``2 tr C W - sum alpha`` subject to ``abs(r W)^2/(r.pi) <= alpha.r`` for every ray r. The variables are alpha and a
matrix W whose columns sum to 0. The left side of the constraint is jointly convex in W and pi. Hence one convex program
finds W, alpha and the least favorable distribution ``pi = sum_l x_l v_l`` of the polytope with vertices v_l. The
multipliers of the rays are the weights of the mechanism. No certificate depends on the accuracy of this solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from rropt.core.certificates import Certificate
from rropt.core.certificates.record_proofs import part_of
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import both_texts
from rropt.core.exact.numbers import dot
from rropt.core.exact.texts import fraction_of
from rropt.core.lazy import numpy as np
from rropt.designs.drawable_designs import NEAR, drawable, is_drawable
from rropt.designs.engine.interior_point import Program, interior_point, program
from rropt.designs.engine.merged_categories import Merged, merged
from rropt.designs.engine.ray_designs import RayProblem, solved_by_rays
from rropt.designs.engine.ray_enumeration import Fan
from rropt.designs.engine.ray_rounding import exact_mechanism, meets, support_of, weighted
from rropt.designs.engine.theorems import randomized_response
from rropt.designs.problem import Problem
from rropt.designs.recorded_designs import recorded_design
from rropt.designs.routes import ProvedDesign
from rropt.designs.writers.bracket_writer import certify_design
from rropt.mechanisms import Mechanism
from rropt.objectives.estimators import unbiased_estimator
from rropt.objectives.ray_criteria import WorstSquares
from rropt.objectives.ray_form import ScaledRays
from rropt.privacy.region import RationalLevels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rropt.objectives.possible_populations import Populations
    from rropt.objectives.ray_criteria import Array
    from rropt.objectives.ray_form import VarianceForm

Numbers = Sequence[Fraction]

MOST_INPUTS = 8  # 254 staircase rows: a second or two
_UNIT = 2**44  # weights of vertices are multiples of 1/_UNIT
_NEGLIGIBLE = 1e-11  # smaller weights of vertices are rounded zeros
_SUPPORTS = (1e-8, 0.0)  # smaller weights of staircase rows may be; tried in turn until the gap is at most FINE
_LEAST_WEIGHT = 1e-13  # smaller weights of rays are rounded zeros
FINE = Fraction(1, 10**13)  # at a larger relative gap, other candidates are tried
_SIMPLE, _NEAR = 400, Fraction(1, 10**5)  # largest denominator of simple numbers, and their largest distance
_TRACE = Fraction(1, 2**40)  # proportion of randomized response that is mixed in if the rank is too low
_NEVER = 1e-300  # lower bound on the weight of a vertex


@dataclass(frozen=True, slots=True)
class SaddleDesign(ProvedDesign):
    """A mechanism with one unbiased estimator for all distributions of a polytope.

    Attributes:
        population: a nearly least favourable distribution; there, n Var of every mechanism is at least ``lower``.
        weights: ``population`` as a mixture of the vertices; empty if it satisfies the inequalities of the polytope.
        estimator: T, shape (k, m), for all proportions; t, shape (1, m), for a contrast. The estimate from n responses
            is the mean of the columns of the observed outputs. It is unbiased, and its variance is at most ``upper/n``
            at every distribution of the polytope.
        tangent: a vector for which ``tangent . q`` is at least n times the variance at every distribution q, with
            equality at ``population``.
    """

    population: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]
    estimator: tuple[tuple[Fraction, ...], ...]
    tangent: tuple[Fraction, ...]

    def guaranteed(self, respondents: int) -> Fraction:
        """Return an upper bound on the variance of the estimate from n responses (the sum of variances for T)."""
        if type(respondents) is not int or respondents < 1:
            raise InvalidParameterError(
                f"the number of respondents is out of range: received {shown(respondents)}; allowed is an integer >= 1"
            )
        return self.upper / respondents

    def guess(self, problem: Problem) -> tuple[Fraction, ...]:
        """Return the least favourable distribution."""
        return self.population

    def extra_fields(self) -> dict[str, Any]:
        """Return the fields of the JSON output besides the mechanism."""
        return {"least_favourable": self.population, "estimator": self.estimator}

    def lines(self) -> list[tuple[str, str]]:
        """Return the summary lines: the least favourable distribution and the guaranteed variance."""
        return [
            ("least favourable distribution", ", ".join(map(both_texts, self.population))),
            ("guaranteed at every distribution", f"variance of n respondents at most {both_texts(self.upper)}/n"),
        ]


def _merged(problem: Problem, population: Numbers) -> Merged:
    """Merge the categories with the same coefficient in the contrast; merge none if there is no contrast."""
    return Merged.of(problem.objective.marks(len(population)) or range(len(population)), population)


def _weights(shares: Array) -> list[list[Fraction]]:
    """Return candidates for exact weights near approximate ones: simple fractions if close enough, and fine ones."""
    kept = [float(x) if x > _NEGLIGIBLE else 0.0 for x in shares]
    fine = [Fraction(round(x / sum(kept) * _UNIT), _UNIT) for x in kept]
    fine[kept.index(max(kept))] += 1 - sum(fine)
    simple = _simple(fine)
    return [simple, fine] if simple else [fine]


def _simple(numbers: Numbers) -> list[Fraction] | None:
    """Return nearby fractions with small denominators and sum 1; None if they are not close enough."""
    simple = [x.limit_denominator(_SIMPLE) for x in numbers]
    near = all(abs(x - y) < _NEAR for x, y in zip(numbers, simple, strict=True))
    return simple if near and sum(simple) == 1 else None


def _design(problem: Problem, levels: RationalLevels, point: SaddlePoint) -> SaddleDesign:
    """Return the best exact design near an approximate saddle point, over candidate distributions and supports."""
    assert problem.populations is not None
    populations, mixed = problem.populations, _weights(point.shares)
    candidates = [(_mean(each, populations.vertices), tuple(each)) for each in mixed]
    simple = _simple(candidates[-1][0]) if populations.rows else None
    if simple and all(row.holds(simple) for row in populations.rows):
        candidates.insert(0, (tuple(simple), ()))
    found: list[SaddleDesign] = []
    for pi, weights in candidates:
        for least in _SUPPORTS:
            theta = point.theta * (point.theta > least * point.theta.max())
            found.append(_design_at(problem, levels, point._replace(theta=theta), pi, weights))
            if found[-1].gap <= found[-1].upper * FINE:
                return found[-1]
    return min(found, key=lambda one: one.gap)


def _mean(weights: Numbers, vertices: Sequence[Numbers]) -> tuple[Fraction, ...]:
    return tuple(dot(weights, column) for column in zip(*vertices, strict=True))


def _design_at(
    problem: Problem,
    levels: RationalLevels,
    point: SaddlePoint,
    pi: tuple[Fraction, ...],
    weights: tuple[Fraction, ...],
) -> SaddleDesign:
    """Return the exact design with the bound and the tangent at one distribution of the polytope."""
    assert problem.populations is not None
    inner, targets = Problem(problem.region, problem.objective, pi), problem.objective.targets(len(pi))
    bound = solved_by_rays(inner, levels)
    groups = _merged(problem, pi)
    firsts = [groups.groups.index(g) for g in range(len(groups.population))]
    wanted = [[row[j] for j in firsts] for row in targets] if len(targets) == 1 else targets
    found = []
    for mechanism, rows in _estimated(_mechanism(levels, point, groups), levels, point, groups.population, wanted):
        made = groups.mechanism(mechanism)
        tangent = tangent_of(made, rows, targets, pi)
        found.append((max(dot(tangent, vertex) for vertex in problem.populations.vertices), made, rows, tangent))
    upper, made, rows, tangent = min(found, key=lambda each: each[0])
    lower = bound.dual.along(targets) ** 2 / bound.dual.bound()
    return SaddleDesign(lower, upper, made, bound.dual, pi, weights, rows, tangent)


def tangent_of(
    mechanism: Mechanism, estimator: Sequence[Numbers], targets: Sequence[Numbers], pi: Numbers
) -> tuple[Fraction, ...]:
    """Return t with ``t . q >= f(P, T, q)`` for all distributions q, with equality at pi."""
    squares, means = [dot(column, column) for column in zip(*estimator, strict=True)], [dot(b, pi) for b in targets]
    values = [dot(squares, column) for column in zip(*mechanism.matrix, strict=True)]
    falls = (dot(means, column) for column in zip(*targets, strict=True))
    return tuple(x - 2 * fall + dot(means, means) for x, fall in zip(values, falls, strict=True))


def _mechanism(levels: RationalLevels, point: SaddlePoint, groups: Merged) -> Mechanism:
    """Return a mechanism of few rays at the lower level, with the information and tangent of the saddle point."""
    pi = groups.population
    parts = levels.parts(len(pi))
    fan = Fan(len(pi), parts, pi)
    rays = fan.floats()

    def moments(kept: NDArray[np.intp]) -> Array:
        lines = np.column_stack([np.ones(len(kept)), rays.steps[kept] / np.abs(rays.steps).max()])
        estimates = rays.rows[kept] @ point.matrix
        estimates = estimates / np.abs(estimates).max()
        others = np.hstack([estimates, (estimates**2).sum(1, keepdims=True)])
        return np.column_stack([lines, (lines[:, :, None] * others[:, None, :]).reshape(len(kept), -1)])

    means = rays.rows.min(1)  # 1/s for rows whose smallest entry is 1
    support, weights = support_of(np.arange(len(fan)), point.theta / means, moments, _LEAST_WEIGHT)
    made = None
    if len(support) == fan.k:
        rows = [fan.row(i, "below") for i in support]
        with suppress(ZeroDivisionError):  # the rays are dependent
            made = weighted(fan, rows, range(fan.k), "below")
    made = made or exact_mechanism(fan, support, weights, lambda each: meets(each, parts))
    if made and not is_drawable(made) and levels.width <= NEAR < levels.below.gamma - 1:
        made = drawable(made.matrix, lambda each: meets(each, parts)) or made
    return made or randomized_response(len(pi), levels.below.gamma)


def _estimated(
    mechanism: Mechanism, levels: RationalLevels, point: SaddlePoint, pi: Numbers, targets: Sequence[Numbers]
) -> list[tuple[Mechanism, tuple[tuple[Fraction, ...], ...]]]:
    """Return pairs of a mechanism and an unbiased estimator.

    If no estimator of the targets is unbiased, the mechanism is mixed with a little randomized response. There are two
    candidates for the estimator. The estimator of the saddle point does not need all digits of the distribution. The
    efficient estimator at the distribution is better if the distribution was rounded to simple fractions.
    """
    for trace in (Fraction(0), _TRACE):
        if trace:
            rest = randomized_response(mechanism.inputs, levels.below.gamma).matrix
            parts = ((1 - trace, mechanism.matrix), (trace, rest))
            mechanism = Mechanism([[share * x for x in row] for share, part in parts for row in part])
        rows = (_unbiased(mechanism, point, pi, targets), unbiased_estimator(mechanism, pi, targets))
        found = [(mechanism, tuple(map(tuple, each))) for each in rows if each is not None]
        if found:
            break
    return found  # nonempty: randomized response identifies every target


def _unbiased(
    mechanism: Mechanism, point: SaddlePoint, pi: Numbers, targets: Sequence[Numbers]
) -> list[list[Fraction]] | None:
    """Return a T with ``T P = C`` near the estimator ``C pi + scale r Z/(r.pi)`` of the saddle point.

    r is the row of the output, and Z is W minus its component along pi. The scale minimizes the bias. None if no T is
    unbiased.
    """
    p, shares, c = mechanism.to_numpy(), np.array(pi, dtype=float), np.array(targets, dtype=float)
    own = ((p @ (point.matrix - np.outer(shares, point.matrix.sum(0)))) / (p @ shares)[:, None]).T
    told, means = own @ p, (c @ shares)[:, None]
    scale = float((told * (c - means)).sum() / (told * told).sum())
    return unbiased_estimator(mechanism, pi, targets, means + scale * own)


def solve_saddle(problem: Problem, levels: RationalLevels) -> SaddleDesign:
    """Return the minimax design over the polytope, with the bound at its least favourable distribution."""
    assert problem.populations is not None
    inner = Problem(problem.region, problem.objective, problem.population)  # at the mean of the vertices
    smaller = merged(inner)
    corners = [_merged(problem, vertex).population for vertex in problem.populations.vertices]
    return _design(problem, levels, saddle_point(smaller[1] if smaller else inner, levels, corners))


def limit_over_polytope(problem: Problem) -> str | None:
    """Return which limit a problem over a polytope exceeds: objective, level, number of outputs or categories."""
    region, objective = problem.region, problem.objective
    what, advice = (
        "the worst case over distributions is solved over staircase rows: received",
        "give one population",
    )
    if not objective.with_ranges:
        return f"{what} the objective {objective.kind}; allowed are a-optimal and c-optimal; {advice}"
    if region.criterion is not None:
        return f"{what} {region}; allowed is a privacy level; give epsilon, or {advice}"
    if region.outputs:
        return f"{what} {region.outputs} outputs; allowed is any number; leave out `outputs`, or {advice}"
    if region.form != "parity" or region.bounds is not None or region.family != "all":
        less = "set delta to 0" if region.form == "excess" else "give one epsilon"
        return f"{what} {region}; allowed is one level with delta = 0; {less}, or {advice}"
    values = len(_merged(problem, problem.population).population)
    counted = "categories" if objective.is_total else "different numbers in the contrast"
    if values > MOST_INPUTS:
        return f"{what} {values} {counted}; allowed are at most {MOST_INPUTS} {counted}; merge categories, or {advice}"
    return None


def read_saddle(problem: Problem, certificate: Certificate) -> SaddleDesign:
    """Return the design of a certificate, with its least favourable distribution and its estimator."""
    found = recorded_design(problem, certificate)
    point, (estimator,) = (part_of(certificate, "proof", key, "solution") for key in ("point", "estimators"))
    pi, rows = tuple(map(fraction_of, point["shares"])), tuple(tuple(map(fraction_of, row)) for row in estimator)
    tangent = tangent_of(found.mechanism, rows, problem.objective.targets(problem.region.inputs), pi)
    own = tuple(map(fraction_of, point.get("weights", ())))
    return SaddleDesign(found.lower, found.upper, found.mechanism, None, pi, own, rows, tangent)


def certify_saddle(problem: Problem, levels: RationalLevels, best: SaddleDesign) -> Certificate:
    """Return the certificate of the worst case."""
    assert problem.populations is not None
    populations, point = problem.populations, {"shares": best.population}
    if populations.rows:
        point["multipliers"] = tuple(_multipliers(populations, best.tangent, best.upper))
    else:
        point["weights"] = best.weights
    return certify_design(problem, levels, replace(best, primal={"estimators": [best.estimator], "point": point}))


def _multipliers(populations: Populations, tangent: Numbers, largest: Fraction) -> list[Fraction]:
    """Return row multipliers y and y_0 with ``t_j <= sum_i y_i a_ij + y_0`` and value ``y_0 + sum_i y_i b_i``."""
    from rropt.core.linear import Optimal, ProgramBuilder, solve

    builder = ProgramBuilder("maximise")
    shares = [builder.variable(f"proportion {j}", cost=t) for j, t in enumerate(tangent)]
    for i, row in enumerate(populations.rows):
        terms = {share: a for share, a in zip(shares, row.coefficients, strict=True) if a}
        builder.row(f"row {i}", terms, row.relation, row.bound)
    builder.row("sum", dict.fromkeys(shares, 1), "=", 1)
    outcome = solve(builder.build())
    if not isinstance(outcome, Optimal) or outcome.value != largest:
        raise UnsupportedProblemError(
            f"the vertices are not those of the rows: {populations}; this is an internal error"
        )
    return list(outcome.dual)


class SaddlePoint(NamedTuple):
    """An approximate saddle point of the variance over mechanisms and distributions.

    Attributes:
        shares: x, the weights of the vertices.
        theta: the weights of the staircase rows in the mechanism, where each row is scaled to minimum entry 1.
        matrix: W up to a factor; ``r W/(r.pi)`` is the estimate minus its mean.
    """

    shares: Array
    theta: Array
    matrix: Array


def saddle_point(problem: Problem, levels: RationalLevels, vertices: Sequence[Sequence[Fraction]]) -> SaddlePoint:
    """Return an approximate saddle point over the convex hull of the given distributions.

    Args:
        problem: a sum of variances under one level with delta = 0, at the average of the vertices.
        levels: rational levels below and above the level of the problem.
        vertices: distributions of the categories, shape (l, k).
    """
    plan = RayProblem(problem, levels)
    plan.begin()
    rays = plan.fan.floats(plan.listed)
    form = cast("VarianceForm", plan.form)
    corners = np.array([[float(p) for p in vertex] for vertex in vertices])
    given = program(rays.apart @ plan.root, rays.excesses, plan.fan.deltas)
    target = form.criterion(ScaledRays(rays.rows, rays.steps, plan.root, given.c)).parts[0][1]
    criterion = WorstSquares(given.c, target, 1 + rays.steps @ corners.T)
    count = len(corners)
    c, affine = (np.vstack([x, np.zeros((count, x.shape[1]))]) for x in given[:2])
    given = Program(c, affine, given.right)
    n = len(rays.rows)
    start = criterion.start(plan.weights)
    size = float(criterion.values(start).max())
    point = interior_point(given, criterion, np.concatenate([plan.weights, np.full(count, size * count / n)]))
    shares = np.maximum(criterion.shares(point.y), _NEVER)
    matrix = form.float_matrix(criterion, point.y, plan.root)
    return SaddlePoint(shares / shares.sum(), np.maximum(point.w[:n], 0) * rays.rows.min(1), matrix)
