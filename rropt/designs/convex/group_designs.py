"""A-optimal designs for many categories in groups of equal proportions, by orbits of staircase rows.

*Symmetry.* Some optimal mechanism is invariant under permutations inside the groups. The objective is convex, and all
permutations of a mechanism have the same value, so their average with equal probabilities is at least as good
(Pukelsheim, Optimal design of experiments (1993), chapter 13). An orbit consists of all staircase rows with the same
counts (c_1, ..., c_r) of entries gamma in the groups. So there is one weight per vector of counts: prod (n_g + 1)
weights, not 2^k. The information is a block matrix (``mechanisms.orbits``).

*The program.* Let S be a staircase row with these counts, ``s = S . pi``, and w the probability of its orbit. All
contrasts inside group g have the information ``delta_g = sum w v_g``. Contrasts between groups have the information of
the group means:

    v_g = ((gamma - 1)/s)^2 c_g (n_g - c_g) / (n_g (n_g - 1)),        u_g = sqrt(n_g) (1 + (gamma - 1) c_g/n_g) / s
    minimize   sum_g (n_g - 1)/delta_g + tr (sum w c c^T)^-1,     c = L^T u, L orthonormal, orthogonal to sqrt(n)
    subject to   w >= 0,   sum w = 1,   sum w c = 0.

Equal proportions of all categories are the case of one group: see ``equal_shares``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, product
from math import prod
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rropt.checker import is_large_budget
from rropt.core.certificates import Certificate
from rropt.core.exact.numbers import dot
from rropt.designs.certificates.orbit_dual import (
    certify_orbits,
    exact_orbit_dual,
    orbit_mechanism,
    rounded_orbit_dual,
    written_out,
)
from rropt.designs.certificates.rays import RayDual
from rropt.designs.convex import is_solved, load_cvxpy
from rropt.designs.engine.designs import RayDesign, certify_design, solved_by_rays
from rropt.designs.engine.interior_point import interior_point, program
from rropt.designs.engine.rays import MOST_INPUTS as MOST_LISTED
from rropt.designs.engine.rays import fan_of
from rropt.designs.engine.rounding import exact_mechanism, meets, support_of
from rropt.designs.equal_shares import SubsetDesign, equal_shares_design
from rropt.designs.problem import Problem
from rropt.designs.solution import ProvedDesign, RouteResult, StaircaseDesign, recorded_design
from rropt.designs.solving import DesignClass, Route, is_of_one_population, no_staircases
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.named.categorical import best_subset_size
from rropt.objectives.criteria import MixedSquares, orthogonal_to
from rropt.privacy.region import RationalLevels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rropt.objectives.criteria import Array

MOST_INPUTS = 10  # up to this number of categories, the engine lists all staircase rows instead
_LEAST_WEIGHT = 1e-13  # smaller weights are rounded zeros
MOST_COUNTS = 4096  # vectors of counts: their program takes seconds, and the checker tests every one
_SAMPLE, _SEED, _MOMENTS_ERR = 3000, 34, 1e-11  # sample of rows of the orbits and its seed; tolerance of moments
MOST_GROUPS = 8  # the program then has 36 unknowns between groups, and takes some seconds
_CONVEX_COUNTS = 300  # vectors of counts in the semidefinite program of the route `convex`


def groups_of(population: Sequence[Fraction]) -> tuple[int, ...]:
    """Return the lengths of the runs of equal neighbouring proportions.

    >>> groups_of([Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)])
    (1, 2)
    """
    return tuple(len(list(run)) for _, run in groupby(population))


@dataclass(frozen=True)
class _Counts:
    """All orbits of non-constant rows, in floats, with the exact group sizes and the exact proportion of each group."""

    groups: tuple[int, ...]
    shares: tuple[Fraction, ...]
    staircases: _Staircases
    inside: Array  # sqrt v_g / unit for the groups of at least two categories, shape (n, q)
    several: tuple[int, ...]  # the indices of these groups


class _Staircases(NamedTuple):
    """Orbits of staircase rows in floats."""

    counts: list[tuple[int, ...]]
    s: Array  # S . pi, shape (n,)
    c: Array  # c of the contrasts between groups, divided by unit, shape (n, r)
    basis: Array  # L, shape (r + 1, r)
    unit: float  # the scale: the largest entry of c and of ``inside`` is 1


class _Point(NamedTuple):
    """An approximate solution of primal and dual."""

    w: Array
    between: Array  # W of the contrasts between groups, shape (r, r)
    alone: Array  # W inside the groups of at least two categories
    a: Array  # (a_0, a), shape (r + 1,)


def _counted(gamma: Fraction, population: Sequence[Fraction]) -> _Counts:
    import numpy as np

    groups = groups_of(population)
    shares = tuple(share for share, _ in groupby(population))
    counts = [c for c in product(*(range(n + 1) for n in groups)) if any(c) and c != groups]
    c, n, step = np.array(counts, dtype=float), np.array(groups, dtype=float), float(gamma - 1)
    s = 1 + step * (c @ np.array([float(p) for p in shares]))
    root = np.sqrt(n)
    basis = orthogonal_to(root)
    between = (root * (1 + step * c / n) / s[:, None]) @ basis
    several = tuple(g for g, size in enumerate(groups) if size > 1)
    wide = n[list(several)]
    inside = step / s[:, None] * np.sqrt(c[:, several] * (wide - c[:, several]) / (wide * (wide - 1)))
    unit = float(max(np.abs(between).max(initial=0), np.abs(inside).max(initial=0)))
    return _Counts(groups, shares, _Staircases(counts, s, between / unit, basis, unit), inside / unit, several)


def _point(counts: _Counts) -> _Point:
    """Solve by the interior-point method of the engine, with one block for each group of at least two categories."""
    import numpy as np

    c, r = counts.staircases.c, counts.staircases.c.shape[1]
    sizes = [(counts.groups[g] - 1) ** 0.5 for g in counts.several]
    blocks = [(counts.inside[:, [i]], np.array([[size]])) for i, size in enumerate(sizes)]
    criterion = MixedSquares([(c, np.eye(r)), *blocks] if r else blocks)
    given = program(c, np.zeros((len(c), 0)), np.zeros(0))
    found = interior_point(given, criterion, counts.staircases.s / counts.staircases.s.sum())
    along = sum(float((b * x).sum()) for (_, b), x in zip(criterion.parts, criterion.blocks(found.y), strict=True))
    least = float((criterion.values(given.c, found.y) - given.affine[:, 1:] @ found.v[1:]).max())
    times = along / least  # the scale of the method's dual that gives the best bound in the rule of orbits
    matrices = [times * x for x in criterion.blocks(found.y)]
    between = matrices[0] if r else np.zeros((0, 0))
    alone = np.array([x[0, 0] for x in matrices[r > 0 :]])
    return _Point(found.w, (between + between.T) / 2, alone, times**2 * found.v)


def _convex_point(counts: _Counts) -> _Point | None:
    """Return the solution by CVXPY, or None if its solver fails."""
    import numpy as np

    cp = load_cvxpy()
    c, inside = counts.staircases.c, counts.inside
    w = cp.Variable(len(c), nonneg=True)
    conditions, parts = [cp.sum(w) == 1], []
    if c.shape[1]:
        conditions.append(c.T @ w == 0)
        information = c.T @ cp.diag(w) @ c
        parts.append(cp.tr_inv((information + information.T) / 2))
    sizes = np.array([counts.groups[g] - 1.0 for g in counts.several])
    if len(sizes):
        parts.append(cp.sum(cp.multiply(sizes, cp.inv_pos((inside**2).T @ w))))
    if not is_solved(cp.Problem(cp.Minimize(sum(parts)), conditions)):
        return None
    weights = np.maximum(w.value, 0)
    told, r = (inside**2).T @ weights, c.shape[1]
    if (told <= 0).any() or (r and np.linalg.eigvalsh((c * weights[:, None]).T @ c).min() <= 0):
        return None
    between = np.linalg.inv((c * weights[:, None]).T @ c) if r else np.zeros((0, 0))
    duals = np.concatenate([np.ravel(condition.dual_value) for condition in conditions])
    return _Point(weights, between, np.sqrt(sizes) / told, duals)


def _design(problem: Problem, levels: RationalLevels, counts: _Counts, point: _Point) -> StaircaseDesign:
    """Return the exact mechanism at the lower level and the exact dual at the upper level."""
    import numpy as np

    ends, rows = levels.one_level(), counts.staircases
    chosen, weights, rank = _support(counts, point.w)
    mechanism = orbit_mechanism(counts.groups, [rows.counts[j] for j in chosen], weights, rank, ends.below.gamma)
    if mechanism is None:
        mechanism = _direct(len(problem.population), counts.groups, ends.below.gamma)
    root = np.sqrt(np.array(counts.groups, dtype=float))
    between = point.between / rows.unit**2
    alone = np.zeros(len(root))
    for i, g in enumerate(counts.several):
        alone[g] = point.alone[i] / (counts.groups[g] - 1) ** 0.5 / rows.unit**2
    blocks = (rows.basis @ between @ rows.basis.T) / np.outer(root, root)
    slopes = 2 * point.between @ (rows.basis.T @ (root * np.array([float(p) for p in counts.shares])))
    beta = rows.basis @ (slopes * rows.unit + point.a[1:]) / rows.unit**3 / root
    dual = rounded_orbit_dual(
        counts.groups, counts.shares, alone.tolist(), blocks.tolist(), beta.tolist(), ends.above.gamma
    )
    upper = problem.objective.value(mechanism, problem.population)
    return StaircaseDesign(dual.bound(), upper, mechanism, dual)


def _support(counts: _Counts, w: Array) -> tuple[list[int], list[float], int]:
    """Return fewer orbits with the same information, their weights, and their rank.

    The orbits are sorted so that the first ones, as many as the rank, are linearly independent.
    """
    import numpy as np
    from scipy.linalg import qr

    c = counts.staircases.c
    lines = np.column_stack([np.ones(len(c)), c])

    def moments(kept: NDArray[np.intp]) -> Array:
        products = (lines[kept][:, :, None] * lines[kept][:, None, :]).reshape(len(kept), -1)
        return np.column_stack([products, counts.inside[kept] ** 2])

    places, weights = support_of(np.arange(len(c)), w, moments, _LEAST_WEIGHT)
    triangle, order = qr((lines[places] * np.array(weights)[:, None]).T, mode="r", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    rank = int((diagonal > _LEAST_WEIGHT * diagonal[0]).sum())
    theta = [float(weights[i] / counts.staircases.s[places[i]]) for i in order]
    return [places[i] for i in order], theta, rank


def _direct(k: int, groups: tuple[int, ...], gamma: Fraction) -> OrbitMechanism:
    """Return k-ary randomized response as an orbit mechanism; it is always feasible."""
    ones = [tuple(int(g == h) for h in range(len(groups))) for g in range(len(groups))]
    found = orbit_mechanism(groups, ones, [0.0] * len(groups), len(groups), gamma)
    assert found is not None  # theta = 1/(gamma + k - 1) in every row
    return found


def _by_newton(problem: Problem, levels: RationalLevels) -> StaircaseDesign:
    counts = _counted(levels.one_level().above.gamma, problem.population)
    return _design(problem, levels, counts, _point(counts))


def _sorted(problem: Problem) -> tuple[list[int], Problem]:
    """Return the order of the categories by increasing proportion, and the problem in this order."""
    order = sorted(range(len(problem.population)), key=lambda j: problem.population[j])
    return order, Problem(problem.region, problem.objective, [problem.population[j] for j in order])


def _in_any_order(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the design for categories in any order.

    If too few equal proportions are neighbours, the categories are sorted first. The result is then a design in the
    original order, with few rows and the same value.
    """
    if _is_countable(problem):
        return _by_newton(problem, levels)
    order, ordered = _sorted(problem)
    counts = _counted(levels.one_level().above.gamma, ordered.population)
    point = _point(counts)
    found = _design(ordered, levels, counts, point)
    k, pi, shares = len(order), problem.population, ordered.population
    form = problem.objective.on_rays(pi, levels.one_level().above.gamma)
    place = {j: i for i, j in enumerate(order)}
    made = _of_few_rows(problem, levels, order, counts, point)
    proved = form.proved(made) if made else None
    if made is None or proved is None:
        return solved_by_rays(problem, levels)
    # W = pi pi^T + Z in the rule of orbits, but Z is W in rule 25: subtract the contribution of pi pi^T from alpha
    own, alpha = written_out(found.dual)
    z = [[x - p * q for x, q in zip(row, shares, strict=True)] for row, p in zip(own, shares, strict=True)]
    square = dot(shares, shares)
    left = [a - square * p - 2 * dot(row, shares) for a, p, row in zip(alpha, shares, z, strict=True)]
    matrix = tuple(tuple(z[place[i]][place[j]] for j in range(k)) for i in range(k))
    dual = RayDual(tuple(left[place[j]] for j in range(k)), (), matrix)
    value, primal = proved
    bound = form.bound(matrix, dual.bound())
    return RayDesign(min(value, bound), max(value, bound), made, dual, primal)


def _of_few_rows(
    problem: Problem, levels: RationalLevels, order: Sequence[int], counts: _Counts, point: _Point
) -> Mechanism | None:
    """Return a mechanism of about k^2/2 rows with the information of the orbits; None if the search fails.

    The rows are rays of the engine, chosen from a random sample of the rows of the orbits. Their weights preserve the
    column sums and the information. The rounding of the engine makes the mechanism exact.
    """
    import numpy as np
    from scipy.optimize import nnls

    parts = levels.parts(len(order))
    fan = fan_of(len(order), parts, problem.population)
    member = np.repeat(np.eye(len(counts.groups), dtype=np.int64), counts.groups, axis=0)[np.argsort(order)]
    number = np.full([n + 1 for n in counts.groups], -1)
    for place, each in enumerate(counts.staircases.counts):
        number[each] = place
    orbit = number[tuple((fan.places @ member).T)]  # the orbit of each ray
    w = np.where(point.w > _LEAST_WEIGHT * point.w.max(), point.w, 0.0)
    listed = np.flatnonzero(w[orbit] > 0)
    weights = (w / np.maximum(np.bincount(orbit, minlength=len(w)), 1))[orbit[listed]]

    def moments(kept: NDArray[np.intp]) -> Array:
        steps = fan.floats(kept).steps
        return np.column_stack([np.ones(len(kept)), steps / counts.staircases.unit])

    lines = moments(listed)
    i, j = np.triu_indices(lines.shape[1])
    target = ((lines * weights[:, None]).T @ lines)[i, j]
    scale = np.sqrt(np.diag((lines * weights[:, None]).T @ lines))
    scale = (scale[:, None] * scale)[i, j]
    for sample in (_SAMPLE, 4 * _SAMPLE):
        chosen = np.sort(np.random.default_rng(_SEED).permutation(len(listed))[:sample])
        fewer, left = nnls(((lines[chosen][:, i] * lines[chosen][:, j]) / scale).T, target / scale)
        if left < _MOMENTS_ERR:
            kept = np.flatnonzero(fewer)
            support, own = listed[chosen[kept]].tolist(), fewer[kept].tolist()
            return exact_mechanism(fan, support, own, lambda made: meets(made, parts))
    return None


def _by_cvxpy(problem: Problem, levels: RationalLevels) -> RouteResult:
    counts = _counted(levels.one_level().above.gamma, problem.population)
    point = _convex_point(counts)
    if point is None:  # the trivial lower bound 0
        direct = _direct(len(problem.population), counts.groups, levels.one_level().below.gamma)
        return RouteResult(Fraction(0), problem.objective.value(direct, problem.population))
    return _design(problem, levels, counts, point)


def _by_theorem(problem: Problem, levels: RationalLevels) -> SubsetDesign:
    """Return subset selection at the lower level, and the exact dual from subset selection at the upper level."""
    k, ends = len(problem.population), levels.one_level()
    mechanism = OrbitMechanism.subset_selection(k, best_subset_size(k, ends.below.gamma), ends.below.gamma)
    dual = exact_orbit_dual(OrbitMechanism.subset_selection(k, best_subset_size(k, ends.above.gamma), ends.above.gamma))
    return SubsetDesign(dual.bound(), problem.objective.value(mechanism, problem.population), mechanism, dual)


def _has_theorem(problem: Problem) -> bool:
    return len(groups_of(problem.population)) == 1


def _is_countable(problem: Problem) -> bool:
    groups = groups_of(problem.population)
    return len(groups) <= MOST_GROUPS and prod(n + 1 for n in groups) <= MOST_COUNTS


def _can_be_sorted(problem: Problem) -> bool:
    """Return whether the sorted problem has few groups and counts, and few enough categories for the checker.

    The checker lists all staircase rows of a sorted problem.
    """
    return problem.region.inputs <= MOST_LISTED[is_large_budget()] and _is_countable(_sorted(problem)[1])


def _few_counts(problem: Problem) -> bool:
    return _is_countable(problem) and prod(n + 1 for n in groups_of(problem.population)) <= _CONVEX_COUNTS


@dataclass(frozen=True)
class GroupDesigns(DesignClass[ProvedDesign]):
    """A-optimal designs (minimal total variance) for many categories in groups of equal proportions."""

    name = "A-optimal in groups"
    routes: ClassVar[tuple[Route, ...]] = (
        Route("closed-form", _by_theorem, _has_theorem),
        Route("convex", _by_cvxpy, _few_counts),
        Route("exact", _in_any_order, lambda problem: _is_countable(problem) or _can_be_sorted(problem)),
    )
    found = ProvedDesign

    def accepts(self, problem: Problem) -> bool:
        """Return whether the objective is A-optimality with delta = 0 and there are few groups of equal proportions.

        The categories of a group are neighbours, or there are so few categories that the checker can list all rows.
        """
        own = self.is_own(problem)
        return own and (_has_theorem(problem) or _is_countable(problem) or _can_be_sorted(problem))

    def refusal(self, problem: Problem) -> str | None:
        """Return which limit the groups exceed: the number of groups, or the number of vectors of counts."""
        if not self.is_own(problem) or self.accepts(problem):
            return None
        groups = groups_of(problem.population)
        counts = prod(n + 1 for n in groups)
        if len(groups) > MOST_GROUPS:
            limit = f"received {len(groups)} groups; allowed are at most {MOST_GROUPS} groups"
        else:
            limit = (
                f"received groups of {', '.join(map(str, groups))}, whose product of (size + 1) is {counts}; allowed "
                f"is a product of at most {MOST_COUNTS}"
            )
        return (
            f"the objective a-optimal with more than {MOST_INPUTS} categories is solved over groups of "
            f"equal neighbouring proportions: {limit}; merge categories, or order them by their proportions"
        )

    def is_own(self, problem: Problem) -> bool:
        """Return whether it is A-optimality with delta = 0 and too many categories to list all staircase rows."""
        region, own = problem.region, is_of_one_population(problem) and problem.objective.is_total
        return own and not region.outputs and no_staircases(problem) is None and region.inputs > MOST_INPUTS

    def recorded(self, problem: Problem, certificate: Certificate) -> RouteResult:
        """Return the design of a certificate; with equal proportions it is subset selection."""
        return equal_shares_design(problem, recorded_design(problem, certificate))

    def certificate(self, problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
        """Return the certificate of the rule of orbits, or of rule 25 if the categories had to be sorted."""
        if isinstance(best, RayDesign):
            return certify_design(problem, levels, best)
        return certify_orbits(problem, levels, best)
