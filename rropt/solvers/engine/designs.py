"""Designs over rays: problems with delta > 0, up to six categories, any number of outputs (FORMAT.md, rule 25).

The objective says how floats are made (``_Plan``): a criterion of the interior-point method, the matrix W of its dual,
and what its mechanism proves. The rest is the same for all: rays of the region, weights by one method, one rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import frexp
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.certificates import Certificate
from rropt.certificates.rays import RayDual, Rows, certify_rays
from rropt.errors import UnsupportedProblemError
from rropt.exact import Bracket
from rropt.exact.brackets import ball, bracket
from rropt.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.objectives.information import information_digits
from rropt.privacy.region import RationalLevel, RationalLevels
from rropt.problem import Problem
from rropt.solvers.convex.free_outputs import MOST_INPUTS as MOST_CONVEX_INPUTS
from rropt.solvers.convex.free_outputs import by_cvxpy
from rropt.solvers.convex.pattern_newton import orthogonal_to
from rropt.solvers.design_class import DesignClass, Route, is_of_one_population
from rropt.solvers.engine.criteria import Criterion, Determinant, Eigenvalue, Squares, Sum
from rropt.solvers.engine.interior_point import Point, interior_point, programme
from rropt.solvers.engine.rays import (
    MOST_INPUTS_WITH_DELTA,
    Exponents,
    excess_pairs,
    float_rows,
    ray_exponents,
    ray_row,
)
from rropt.solvers.engine.rounding import (
    covariance_of,
    exact_mechanism,
    lifted,
    rounded,
    rounded_matrix,
    unbiased_estimator,
    with_zero_columns,
)
from rropt.solvers.equal_shares import randomized_response
from rropt.solvers.solution import ProvedDesign

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rropt.solvers.engine.criteria import Array

_DIGITS = 40  # of logarithms of determinants, and significant digits of an end of a bracket
_ROOM = 1e-15  # of a covariance: what its factor in floats may err
_TRACE = Fraction(1, 2**44)  # of randomized response, where a mechanism alone identifies too little
_FIRST, _ROUNDS = 8, 40  # of exact programs: rays for each category that enter at first and in each round; rounds
_NEGLIGIBLE = (1e-8, 1e-14)  # weights that are left out, relative: outputs so rare that they matter to no one, first
_ENOUGH = Fraction(1, 10**11)  # the relative gap up to which they may be
_SCALE = 0.5  # of delta: how much of it the first weights use


@dataclass(frozen=True, slots=True)
class RayDesign(ProvedDesign):
    """A design whose rows are rays of the region, with the witness of its value.

    Attributes:
        primal: the matrices that the certificate holds beside the mechanism.
    """

    proof: ClassVar[tuple[str, ...]] = ("dual",)
    primal: dict[str, Rows] = field(default_factory=dict)


@dataclass(frozen=True)
class _Rays:
    """The rays of a level in floats, at which the first weights are feasible.

    Attributes:
        rays: their exponents.
        rows: r/s, shape (n, k).
        excesses: shape (n, k (k - 1)).
        weights: the first ones, of the rays and of the slacks of delta.
        root: coordinates in which the information of these weights is the identity, shape (k, k - 1).
    """

    rays: tuple[Exponents, ...]
    rows: Array
    excesses: Array
    weights: Array
    root: Array


def _rays_of(level: RationalLevel, population: Sequence[Fraction], *, has_delta: bool) -> _Rays:
    """Return the rays of a level, and weights with equal sums, alike for all categories."""
    import numpy as np

    k, gamma, delta = len(population), float(level.gamma), float(level.delta)
    rays, pi = ray_exponents(k, has_delta=has_delta), np.array([float(p) for p in population])
    rows, excesses = float_rows(rays, gamma, [float(p) for p in population])
    by_largest = rows / rows.max(1)[:, None]  # alike under exchanges of categories
    s, mass = by_largest @ pi, by_largest[:, 0]
    is_plain = excesses.max(1) <= 0
    beyond, steep = float((excesses[:, 0] * s)[~is_plain].sum()), 0.0
    if has_delta:
        steep = min(_SCALE * delta / beyond, _SCALE / float(mass[~is_plain].sum()))
    plain = (1 - steep * float(mass[~is_plain].sum())) / float(mass[is_plain].sum())
    w = np.where(is_plain, plain, steep) * s
    basis = orthogonal_to(np.ones(k))
    c = rows @ basis
    values, vectors = np.linalg.eigh((c * w[:, None]).T @ c)
    root = basis @ (vectors / np.sqrt(values)) @ vectors.T
    excesses = excesses if has_delta else excesses[:, :0]
    return _Rays(rays, rows, excesses, np.concatenate([w, delta - excesses.T @ w]), root)


class _Plan:
    """What an objective asks of the engine.

    Attributes:
        digits: of the logarithms in its certificates, None where there are none.
    """

    digits: int | None = None

    def __init__(self, problem: Problem, levels: RationalLevels) -> None:
        self.problem, self.objective, self.pi = problem, problem.objective, problem.population
        self.ends = levels.one_level()
        self.k = len(self.pi)
        self.has_delta = problem.region.form == "excess"
        self.given = _rays_of(self.ends.above, self.pi, has_delta=self.has_delta)

    def criterion(self) -> Criterion:
        """Return phi and psi in the coordinates of the rays."""
        raise NotImplementedError

    def matrix(self, criterion: Any, point: Point) -> tuple[tuple[Fraction, ...], ...] | None:
        """Return W of the dual; None for sums."""
        return None

    def phi(self, matrix: Rows | None, row: Sequence[Fraction]) -> Fraction:
        """Return the left side of the inequality at a row, exact or from above."""
        assert matrix is not None
        mean = dot(row, self.pi)
        return sum((dot(row, column) ** 2 for column in zip(*matrix, strict=True)), Fraction(0)) / mean

    def float_phi(self, matrix: Rows | None) -> Array:
        """Return phi of all rays with ``r.pi = 1``, in floats."""
        import numpy as np

        assert matrix is not None
        w = np.array([[float(x) for x in row] for row in matrix])
        return np.asarray(((self.given.rows @ w) ** 2).sum(1))

    def exact(self, point: Point) -> tuple[Mechanism, RayDual] | None:
        """Return an exact optimum where the objective allows one."""
        return None

    def completed(self, mechanism: Mechanism) -> Mechanism:
        """Return the mechanism, or one close to it that identifies what the objective needs."""
        return mechanism

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, dict[str, Rows]]:
        """Return what a mechanism proves of its side of the bracket, and the witness."""
        raise NotImplementedError

    def bound(self, dual: RayDual) -> Fraction:
        """Return the other side of the bracket."""
        raise NotImplementedError

    def dual(self, criterion: Any, point: Point) -> RayDual:
        """Return the dual of a point, exact, that holds on every ray."""
        import numpy as np

        given, d = self.given, self.k - 1
        slopes = given.root @ point.v[1 : 1 + d]
        alpha = point.v[0] * np.array([float(p) for p in self.pi]) + slopes
        square = np.zeros((self.k, self.k))
        for (j, i), x in zip(excess_pairs(self.k) if self.has_delta else (), point.v[1 + d :], strict=True):
            square[j, i] = max(float(x), 0.0)
        largest = float(max(np.abs(alpha).max(), square.max()))
        matrix = self.matrix(criterion, point)
        dual = RayDual(
            tuple(rounded(float(x), largest) for x in alpha),
            tuple(tuple(rounded(float(x), largest) for x in row) for row in square) if self.has_delta else None,
            matrix,
        )
        gamma = self.ends.above.gamma
        return lifted(dual, given.rays, gamma, self.pi, lambda row: self.phi(matrix, row), self.float_phi(matrix))


class _VariancePlan(_Plan):
    """The sum of variances of the estimates of C pi (A- and c-optimality)."""

    @property
    def targets(self) -> list[list[Fraction]]:
        """C."""
        if self.objective.kind == "c-optimal":
            return [list(self.objective.contrast)]  # type: ignore[attr-defined]
        return [[Fraction(int(i == j)) for j in range(self.k)] for i in range(self.k)]

    def criterion(self) -> Criterion:
        """Return the squares of the contrasts of C in the coordinates of the rays."""
        import numpy as np

        target = np.array([[float(x) for x in row] for row in self.targets])
        along = self.given.root.T @ target.T  # of A-optimality k columns that span k - 1 dimensions
        if self.objective.kind != "c-optimal":
            along = along @ orthogonal_to(np.ones(self.k))
        return Squares(along / np.abs(along).max())

    def matrix(self, criterion: Any, point: Point) -> tuple[tuple[Fraction, ...], ...] | None:
        """Return W, k rows: of A-optimality with k columns."""
        import numpy as np

        w = self.given.root @ criterion.matrix(point.y)
        if self.objective.kind != "c-optimal":
            w = w @ orthogonal_to(np.ones(self.k)).T
        return with_zero_columns(w / np.abs(w).max())

    def dual(self, criterion: Any, point: Point) -> RayDual:
        """Return the dual with W of about the size of 1."""
        import numpy as np

        largest = float(np.abs(self.given.root @ criterion.matrix(point.y)).max())
        if self.objective.kind != "c-optimal":
            w = self.given.root @ criterion.matrix(point.y) @ orthogonal_to(np.ones(self.k)).T
            largest = float(np.abs(w).max())
        return super().dual(criterion, point._replace(v=point.v / largest**2))

    def completed(self, mechanism: Mechanism) -> Mechanism:
        """Return the mechanism, with a trace of k-ary randomized response where its information is singular.

        The best design for a contrast may not tell categories apart that the contrast does not tell apart. The
        trace costs at most its own probability, relative.
        """
        if unbiased_estimator(mechanism, self.pi, self.targets) is not None:
            return mechanism
        direct = randomized_response(self.k, self.ends.below.gamma)
        parts = ((1 - _TRACE, mechanism), (_TRACE, direct))
        return Mechanism([[part * x for x in row] for part, each in parts for row in each.matrix])

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, dict[str, Rows]]:
        """Return the variance of an unbiased estimator."""
        found = unbiased_estimator(mechanism, self.pi, self.targets)
        if found is None:
            raise _lost(self.problem)
        covariance = covariance_of(found, mechanism, self.pi, self.targets)
        return rounded_up(sum((covariance[i][i] for i in range(len(found))), Fraction(0))), {"estimator": found}

    def bound(self, dual: RayDual) -> Fraction:
        """Return ``tr(C W)^2 / B``."""
        matrix = dual.matrix or ()
        trace = sum((dot(c, [row[i] for row in matrix]) for i, c in enumerate(self.targets)), Fraction(0))
        return -rounded_up(-(trace**2) / dual.bound(self.ends.above.delta))


class _EigenvaluePlan(_Plan):
    """The largest eigenvalue of the covariance (E-optimality)."""

    def criterion(self) -> Criterion:
        """Return the eigenvalue of the information, with its unit in the coordinates of the rays."""
        return Eigenvalue(self.k - 1, self.given.root.T @ self.given.root)

    def matrix(self, criterion: Any, point: Point) -> tuple[tuple[Fraction, ...], ...] | None:
        """Return a root of X."""
        import numpy as np

        values, vectors = np.linalg.eigh(criterion.matrix(point.y))
        is_kept = values > 1e-18 * values[-1]
        return with_zero_columns(self.given.root @ (vectors[:, is_kept] * np.sqrt(values[is_kept])))

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, dict[str, Rows]]:
        """Return a number above the largest eigenvalue, with a factor of what is left."""
        import numpy as np

        covariance, found = _full_covariance(self, mechanism)
        v = np.array([[float(x) for x in row] for row in covariance])
        largest = float(np.linalg.eigvalsh(v)[-1])
        room = _ROOM * self.k * largest
        for times in (4, 64, 1024):
            upper = rounded_up(Fraction(largest + 2 * times * room))
            values, vectors = np.linalg.eigh((float(upper) - times * room) * np.eye(self.k) - v)
            factor = rounded_matrix(np.asarray(vectors * np.sqrt(np.maximum(values, 0)), dtype=float))
            left = [
                [upper * (i == j) - covariance[i][j] - dot(factor[i], factor[j]) for j in range(self.k)]
                for i in range(self.k)
            ]
            if is_dominant(left):
                return upper, {"estimator": found, "factor": factor}
        raise _lost(self.problem)

    def bound(self, dual: RayDual) -> Fraction:
        """Return ``abs(W)^2 / B``."""
        square = sum((x * x for row in dual.matrix or () for x in row), Fraction(0))
        return -rounded_up(-square / dual.bound(self.ends.above.delta))


class _DeterminantPlan(_Plan):
    """ln det M (D-optimality)."""

    digits = _DIGITS

    def criterion(self) -> Criterion:
        """Return the determinant."""
        return Determinant(self.k - 1)

    def matrix(self, criterion: Any, point: Point) -> tuple[tuple[Fraction, ...], ...] | None:
        """Return W: a lower triangular root of X, and the row that makes its columns sum to 0."""
        import numpy as np

        moved = self.given.root @ criterion.matrix(point.y) @ self.given.root.T
        lower = np.linalg.cholesky(moved[:-1, :-1])
        return with_zero_columns(np.vstack([lower, -lower.sum(0)]))

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, dict[str, Rows]]:
        """Return a number below ln det M, with a factor above the covariance of the first k - 1 shares."""
        import numpy as np

        covariance, found = _full_covariance(self, mechanism)
        d = self.k - 1
        v = np.array([[float(x) for x in row[:d]] for row in covariance[:d]])
        for times in (4, 64, 1024):
            room = times * _ROOM * d * float(np.abs(v).max())
            factor = rounded_matrix(np.asarray(np.linalg.cholesky(v + room * np.eye(d)), dtype=float))
            left = [[dot(factor[i], factor[j]) - covariance[i][j] for j in range(d)] for i in range(d)]
            if is_dominant(left):
                logarithm = _log_of([factor[i][i] for i in range(d)])
                return -rounded_up(2 * logarithm.upper) - _spare(logarithm.upper), {
                    "estimator": found,
                    "factor": factor,
                }
        raise _lost(self.problem)

    def bound(self, dual: RayDual) -> Fraction:
        """Return ``d ln(B/d) - 2 sum ln abs(W_jj)``."""
        d, matrix = self.k - 1, dual.matrix or ()
        mean = _log_of([dual.bound(self.ends.above.delta) / d]).upper
        pivots = _log_of([abs(matrix[j][j]) for j in range(d)]).lower
        high = d * mean - 2 * pivots
        return rounded_up(high) + _spare(high)


class _SumPlan(_Plan):
    """A sum over outputs: mutual information, total variation, chi-square."""

    def criterion(self) -> Criterion:
        """Return phi of the rays."""
        import numpy as np

        return Sum(np.concatenate([self.float_phi(None), np.zeros(self.given.excesses.shape[1])]))

    @property
    def apart(self) -> list[Fraction]:
        """``pi - q``."""
        return [x - y for x, y in zip(self.pi, self.objective.against, strict=True)]  # type: ignore[attr-defined]

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, dict[str, Rows]]:
        """Return the value of the mechanism."""
        value = self.objective.value(mechanism, self.pi)
        return -rounded_up(-value), {}

    def bound(self, dual: RayDual) -> Fraction:
        """Return B."""
        return dual.bound(self.ends.above.delta)


class _RationalSumPlan(_SumPlan):
    """A sum whose phi is rational: the linear program is solved exactly over the rays that may matter."""

    def exact(self, point: Point) -> tuple[Mechanism, RayDual] | None:
        """Return an optimal mechanism at the level below and an optimal dual at the one above; None if none is found.

        The program is that of the rays whose inequality is nearly tight in floats. Its dual need not hold on the
        others: then those that violate it enter.
        """
        import numpy as np

        given, k, gamma = self.given, self.k, self.ends.above.gamma
        likely = np.argsort(-point.w[: len(given.rays)])[: _FIRST * k]
        direct = [given.rays.index(tuple(int(i == j) for i in range(k))) for j in range(k)]  # feasible by themselves
        chosen = {*map(int, likely), *direct}
        values = self.float_phi(None)
        for _ in range(_ROUNDS):
            listed = sorted(chosen)
            above, below = (self._solved(listed, level) for level in (self.ends.above, self.ends.below))
            if above is None or below is None:
                break
            dual = above[1]
            held = lifted(dual, given.rays, gamma, self.pi, lambda row: self.phi(None, row), values)
            if held.bound(self.ends.above.delta) <= dual.bound(self.ends.above.delta):
                return below[0], dual
            violation = values - _float_dual(dual, given, k)
            chosen |= {int(i) for i in np.argsort(-violation)[: _FIRST * k]}
        return None

    def _solved(self, listed: Sequence[int], level: RationalLevel) -> tuple[Mechanism, RayDual] | None:
        """Return the exact solution of the program over these rays at a level."""
        from rropt.linear import Optimal, ProgrammeBuilder, solve

        k, builder = self.k, ProgrammeBuilder("maximise")
        rows = [ray_row(self.given.rays[i], level.gamma) for i in listed]
        weights = [builder.variable(f"x{i}", cost=self.phi(None, row)) for i, row in zip(listed, rows, strict=True)]
        for j in range(k):
            builder.row(f"column {j}", {x: row[j] for x, row in zip(weights, rows, strict=True) if row[j]}, "=", 1)
        pairs = excess_pairs(k) if self.has_delta else []
        for j, i in pairs:
            beyond = {x: row[j] - level.gamma * row[i] for x, row in zip(weights, rows, strict=True)}
            builder.row(f"excess {j} {i}", {x: h for x, h in beyond.items() if h > 0}, "<=", level.delta)
        outcome = solve(builder.build())
        if not isinstance(outcome, Optimal):
            return None
        made = [[x * p for p in row] for x, row in zip(outcome.primal, rows, strict=True) if x]
        alpha, slopes = outcome.dual[:k], dict(zip(pairs, outcome.dual[k:], strict=True))
        square = tuple(tuple(slopes.get((j, i), Fraction(0)) for i in range(k)) for j in range(k))
        return Mechanism(made), RayDual(tuple(alpha), square if self.has_delta else None, None)


def _float_dual(dual: RayDual, given: _Rays, k: int) -> Array:
    """Return g of all rays with ``r.pi = 1``, in floats."""
    import numpy as np

    g = given.rows @ np.array([float(x) for x in dual.alpha])
    if dual.beta is not None:
        g = g + given.excesses @ np.array([float(dual.beta[j][i]) for j, i in excess_pairs(k)])
    return np.asarray(g)


class _ChiSquarePlan(_RationalSumPlan):
    def phi(self, matrix: Rows | None, row: Sequence[Fraction]) -> Fraction:
        """Return ``(r.(pi - q))^2 / (r.q)``."""
        return dot(row, self.apart) ** 2 / dot(row, self.objective.against)  # type: ignore[attr-defined]

    def float_phi(self, matrix: Rows | None) -> Array:
        """Return the same of all rays."""
        import numpy as np

        rows = self.given.rows
        q = np.array([float(x) for x in self.objective.against])  # type: ignore[attr-defined]
        return np.asarray((rows @ np.array([float(x) for x in self.apart])) ** 2 / (rows @ q))


class _TotalVariationPlan(_RationalSumPlan):
    def phi(self, matrix: Rows | None, row: Sequence[Fraction]) -> Fraction:
        """Return ``abs(r.(pi - q))/2``."""
        return abs(dot(row, self.apart)) / 2

    def float_phi(self, matrix: Rows | None) -> Array:
        """Return the same of all rays."""
        import numpy as np

        return np.asarray(np.abs(self.given.rows @ np.array([float(x) for x in self.apart])) / 2)


class _InformationPlan(_SumPlan):
    def __init__(self, problem: Problem, levels: RationalLevels) -> None:
        super().__init__(problem, levels)
        gamma = self.ends.above.gamma
        self.digits = _DIGITS if gamma <= 1 else max(_DIGITS, information_digits(gamma))

    def phi(self, matrix: Rows | None, row: Sequence[Fraction]) -> Fraction:
        """Return a number above ``sum_j pi_j r_j ln(r_j/s)``."""
        s = dot(row, self.pi)
        return (
            sum((p * x * ball_log(x / s) for p, x in zip(self.pi, row, strict=True) if p * x), Fraction(0)) + _TINY * s
        )

    def float_phi(self, matrix: Rows | None) -> Array:
        """Return the same of rays with s = 1."""
        import numpy as np

        rows, pi = self.given.rows, np.array([float(x) for x in self.pi])
        with np.errstate(all="ignore"):
            return np.asarray(np.where(rows > 0, rows * np.log(rows), 0.0) @ pi)

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, dict[str, Rows]]:
        """Return a number below the information."""
        value, _ = super().proved(mechanism)
        return value - _TINY, {}


_TINY = Fraction(1, 10**32)  # room for the logarithms of another checker, absolute: of rows with r.pi = 1

PLANS: dict[str, Callable[[Problem, RationalLevels], _Plan]] = {
    "a-optimal": _VariancePlan,
    "c-optimal": _VariancePlan,
    "d-optimal": _DeterminantPlan,
    "e-optimal": _EigenvaluePlan,
    "chi-square": _ChiSquarePlan,
    "total-variation": _TotalVariationPlan,
    "mutual-information": _InformationPlan,
}
"""The objectives that the engine knows, by kind."""


def _by_rays(problem: Problem, levels: RationalLevels) -> RayDesign:
    """Return the design: its mechanism private at the level below, its dual valid on all rays at the level above."""
    import numpy as np

    plan = PLANS[problem.objective.kind](problem, levels)
    given, criterion = plan.given, plan.criterion()
    c = given.rows @ given.root
    point = interior_point(programme(c, given.excesses, float(plan.ends.above.delta)), criterion, given.weights)
    exact = plan.exact(point)
    if exact is not None:
        best, dual = exact
        return RayDesign(problem.objective.value(best, plan.pi), plan.bound(dual), best, dual)
    dual = plan.dual(criterion, point)
    bound = plan.bound(dual)
    found: list[RayDesign] = []
    for negligible in _NEGLIGIBLE:
        mechanism = exact_mechanism(
            given.rays,
            np.maximum(point.w[: len(c)], 0),
            plan.ends.below.gamma,
            plan.pi,
            problem.region.contains,
            lambda kept: _moments(plan, kept),
            negligible,
        )
        if mechanism is None:
            continue
        mechanism = plan.completed(mechanism)
        value, primal = plan.proved(mechanism)
        found.append(RayDesign(min(value, bound), max(value, bound), mechanism, dual, primal))
        if found[-1].gap <= _ENOUGH * max(abs(value), abs(bound)):
            break
    if not found:
        raise _lost(problem)
    return min(found, key=lambda design: design.gap)


def _moments(plan: _Plan, kept: NDArray[np.intp]) -> Array:
    """Return what the weights of the kept rays must keep: sums of 1, contrasts, excesses, and the information."""
    import numpy as np

    given = plan.given
    c = given.rows[kept] @ given.root
    own = [plan.float_phi(None)[kept][:, None]] if isinstance(plan, _SumPlan) else []
    i, j = np.triu_indices(c.shape[1])
    squares = [c[:, i] * c[:, j]] if not own else []
    return np.column_stack([np.ones(len(c)), c, given.excesses[kept], *squares, *own])


def _full_covariance(plan: _Plan, mechanism: Mechanism) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    identity = [[Fraction(int(i == j)) for j in range(plan.k)] for i in range(plan.k)]
    found = unbiased_estimator(mechanism, plan.pi, identity)
    if found is None:
        raise _lost(plan.problem)
    return covariance_of(found, mechanism, plan.pi, identity), found


def _lost(problem: Problem) -> UnsupportedProblemError:
    return UnsupportedProblemError(
        f"the interior-point method found no design that can be made exact: received {problem}; its parameters are "
        "extreme: round them, or please report the problem"
    )


def is_dominant(matrix: Rows) -> bool:
    """Return whether each diagonal entry is at least the sum of the absolute values beside it."""
    return all(
        row[i] >= sum((abs(x) for j, x in enumerate(row) if j != i), Fraction(0)) for i, row in enumerate(matrix)
    )


def rounded_up(x: Fraction, digits: int = _DIGITS) -> Fraction:
    """Return a number rounded up to so many significant digits; as it is where it is no longer than that."""
    if len(str(x.denominator)) <= digits:
        return x
    unit = Fraction(2) ** (4 * digits - frexp(float(x))[1])
    return -((-x * unit).__floor__()) / unit


def _log_of(numbers: Sequence[Fraction]) -> Bracket:
    """Return an enclosure of ``sum ln x``."""
    from flint import arb, ctx

    with ctx.workprec(4 * _DIGITS + 64):
        total = arb(0)
        for x in numbers:
            total += ball(abs(x)).log()
        return bracket(total)


def ball_log(x: Fraction) -> Fraction:
    """Return a rational within about 1e-50 of ln x, relative."""
    return _log_of([x]).upper


def _spare(x: Fraction) -> Fraction:
    """Return the room that a logarithm of ``_DIGITS`` digits needs."""
    return (1 + abs(x)) / Fraction(10) ** (_DIGITS - 4)


def _is_of_its_kind(problem: Problem) -> bool:
    """Return whether the objective is one of ``PLANS``, over all mechanisms under one (epsilon, delta), delta > 0."""
    region, kind = problem.region, problem.objective.kind
    is_free = region.form == "excess" and region.bounds is None and not region.outputs
    two_inputs = kind == "a-optimal" and region.inputs == 2  # four outputs, by theorem
    return is_of_one_population(problem) and kind in PLANS and is_free and not two_inputs


def _few_inputs(problem: Problem) -> bool:
    return problem.region.inputs <= MOST_CONVEX_INPUTS


@dataclass(frozen=True)
class RayDesigns(DesignClass[RayDesign]):
    """Optimal designs under (epsilon, delta) with delta > 0, of three to six categories and any number of outputs."""

    name = "rays"
    routes = (Route("convex", by_cvxpy, _few_inputs), Route("exact", _by_rays))
    found = RayDesign

    def accepts(self, problem: Problem) -> bool:
        """Return whether the objective is one of ``PLANS`` and the region is one (epsilon, delta) level, delta > 0."""
        return _is_of_its_kind(problem) and self.refusal(problem) is None

    def refusal(self, problem: Problem) -> str | None:
        """Return which limit a problem of its kind exceeds: the categories, or a share of 0."""
        if not _is_of_its_kind(problem):
            return None
        region, what = problem.region, f"the objective {problem.objective.kind} with delta > 0 is solved over rays"
        if region.inputs > MOST_INPUTS_WITH_DELTA:
            limit = f"allowed are at most {MOST_INPUTS_WITH_DELTA} categories"
            return f"{what}: received {region}; {limit}; merge categories"
        if not all(problem.population):
            return f"{what}: received a share of 0; allowed are positive shares; leave out the category"
        return None

    def certificate(self, problem: Problem, levels: RationalLevels, best: RayDesign) -> Certificate:
        """Return the certificate of the rays."""
        digits = PLANS[problem.objective.kind](problem, levels).digits
        return certify_rays(
            problem, levels, Bracket(best.lower, best.upper), best.mechanism, best.dual, best.primal, digits
        )
