"""Optimal designs over orbits of staircase rows: many categories in groups of equal proportions.

An orbit consists of all staircase rows with c_g entries gamma in group g (``objectives.ray_form``). There is one weight
for each vector of counts c, so prod (n_g + 1) weights instead of 2^k. The counts enter as they are needed. A round
optimizes the weights of the counts that have entered, by the interior-point method, and then looks for counts that
violate the inequality of the dual:

1. in floats, from many starting points, by moving one entry gamma at a time into, out of, or between groups;
2. if none is found, in integers, by the boxes of the checker (``checker.counts``), which omit no counts.

In the end the dual is rounded, and alpha is raised along pi until the boxes prove the inequality.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb, frexp, prod
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from rropt.checker.counts import first_unproved
from rropt.checker.documents import Rejected, WorkBudget
from rropt.core.errors import UnsupportedProblemError
from rropt.core.lazy import numpy as np
from rropt.designs.drawable_designs import WORD_BITS, is_drawable
from rropt.designs.engine.interior_point import Iterate, interior_point, program
from rropt.designs.engine.ray_rounding import support_of
from rropt.designs.writers.bracket_writer import RayDual
from rropt.mechanisms import OrbitMechanism
from rropt.mechanisms.client_tables import MOST_ENTRIES
from rropt.mechanisms.left_inverse import consistent_solution
from rropt.objectives.estimators import raised_to_bits, rounded_matrix, rounded_to_bits, with_zero_columns
from rropt.objectives.ray_criteria import orthogonal_to
from rropt.objectives.ray_form import CountedForm, ScaledRays

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rropt.objectives.ray_criteria import Array
    from rropt.objectives.ray_form import SquaresForm

Counts = Sequence[int]

_ALL = 4096  # vectors of counts that enter at once
_SIZES, _DRAWS, _SEED = 24, 12, 34  # sizes of subsets of the first counts, draws of each, and the seed
_STARTS, _STEPS, _MOVES = 40, 60, 4  # a quarter of the starting points of a search, its steps, best moves at its ends
_ENTERING, _ROUNDS = 300, 40  # counts that enter in a round; rounds
_KEPT = 1e-3  # counts whose inequality has more slack than this leave, if there are many
_MANY = 1200
_TOLERANCE = 1e-11  # relative: smaller violations are repaired by raising alpha
_LEAST_WEIGHT = 1e-13  # smaller weights are rounded zeros
_SPARE = 1 << 19  # units of the checker's work that the rest of a certificate needs
_REPAIRS = 60
_SHORT = 64  # bits of gamma in a mechanism: the relative loss of about 1e-19 is far below the accuracy of floats
_EXTRA = Fraction(1, 2**52)  # relative: alpha is raised by this in addition, and by twice as much in each attempt
_LEAST_UNIT = 1e-150  # smaller numbers of an orbit: their squares are no floats
_BITS = 72  # of weights and of alpha, relative to the largest number of their kind: finer than floats
_FIRST_LIFT, _LIFT = Fraction(1, 10**12), 4  # relative: if a search is too long, alpha is raised by this, then more


class OrbitRows(NamedTuple):
    """Orbits of staircase rows in floats.

    Attributes:
        counts: c, shape (n, G).
        s: the probability of a row of least entry 1, shape (n,).
        floats: the rows for a criterion, with contrasts of sigma/s between and inside the groups divided by ``unit``.
        unit: the scale of the contrasts, a power of 2.
    """

    counts: NDArray[np.int64]
    s: Array
    floats: ScaledRays
    unit: float


def orbits_of(form: CountedForm, counts: NDArray[np.int64], unit: float | None = None) -> OrbitRows:
    """Return the orbits with these counts; without a unit, their contrasts are about 1.

    Raises:
        UnsupportedProblemError: the level is so small that floats do not distinguish the orbits.
    """
    c, n, step = counts.astype(float), np.array(form.groups, dtype=float), float(form.gamma - 1)
    chosen = c @ np.array([float(p) for p in form.pi])
    s = 1 + step * chosen
    root = orthogonal_to(np.sqrt(n)) / np.sqrt(n)[:, None]
    between = (step * c / s[:, None]) @ root  # the other part of sigma, n, is orthogonal to the root
    several = n > 1
    inside = step / s[:, None] * np.sqrt(c[:, several] * (n - c)[:, several] / n[several])
    if unit is None:
        largest = float(max(np.abs(between).max(initial=0), np.abs(inside).max(initial=0)))
        if largest < _LEAST_UNIT:
            raise UnsupportedProblemError(
                f"the level is too small for groups of categories: received exp(epsilon) - 1 of about {step:.0e}; "
                "raise epsilon, for example to 1e-20"
            )
        unit = 2.0 ** frexp(largest)[1]
    high, low = step * (1 - chosen) / s, -step * chosen / s
    entries = [np.column_stack(pair) for pair in ((1 + high, 1 / s), (high, low), (chosen, 1 - chosen))]
    floats = ScaledRays(entries[0], entries[1], root, between / unit, inside / unit, entries[2])
    return OrbitRows(counts, s, floats, unit)


class Weighed(NamedTuple):
    """Weights of orbits, and the dual, in floats."""

    rows: OrbitRows
    criterion: Any
    point: Iterate


def weighed(form: CountedForm) -> Weighed:
    """Optimize the weights of orbits, adding counts that violate the inequality of the dual."""
    listed = _first_counts(form.groups)
    is_whole = len(listed) == prod(n + 1 for n in form.groups) - 2
    unit, search = None, _Search(form)
    for _ in range(_ROUNDS):
        rows = orbits_of(form, listed, unit)
        unit = rows.unit
        criterion = form.criterion(rows.floats)
        given = program(rows.floats.c, np.zeros((len(listed), 0)), np.zeros(0))
        point = interior_point(given, criterion, rows.s / rows.s.sum())
        lift = criterion.values(point.y) - rows.floats.c @ point.v[1:]
        valid = np.concatenate([[lift.max()], point.v[1:]])  # for all listed counts, and tight for one
        found = Weighed(rows, criterion, point._replace(v=valid))
        if is_whole:
            break
        entering = search.violating(found, _TOLERANCE)
        if not len(entering):
            entering = _by_boxes(form, rounded_dual(form, found))
        if not len(entering):
            break
        if len(listed) > _MANY:
            slack = search.violation(found, listed)
            listed = listed[(slack > -_KEPT * abs(point.v[0])) | (point.w > _LEAST_WEIGHT * point.w.max())]
        listed = np.unique(np.vstack([listed, entering]), axis=0)
    return found


def _first_counts(groups: Sequence[int]) -> NDArray[np.int64]:
    """Return the first counts: all if they are few, else those of random subsets, and of one category each."""
    if prod(n + 1 for n in groups) <= _ALL:
        every = product(*(range(n + 1) for n in groups))
        return np.array([c for c in every if any(c) and c != tuple(groups)])
    rng, k = np.random.default_rng(_SEED), sum(groups)
    sizes = np.unique(np.geomspace(1, k // 2, _SIZES).astype(int))
    drawn = [rng.multivariate_hypergeometric(groups, int(d), _DRAWS) for d in sizes]
    found = np.vstack([np.eye(len(groups), dtype=np.int64), *drawn])
    return np.asarray(np.unique(np.vstack([found, np.array(groups) - found]), axis=0))


class _Search:
    """The search for violating counts in floats."""

    def __init__(self, form: CountedForm) -> None:
        self._form, self._groups, size = form, np.array(form.groups), len(form.groups)
        unit = np.eye(size, dtype=np.int64)
        pairs = [(g, h) for g in range(size) for h in range(size) if g != h]
        moves = [unit[g] - unit[h] for g, h in pairs] + [s * (unit[g] + unit[h]) for g, h in pairs for s in (1, -1)]
        self._moves = np.unique(np.array([*unit, *-unit, *moves]), axis=0)
        self._rng = np.random.default_rng(_SEED)

    def violation(self, found: Weighed, counts: NDArray[np.int64]) -> Array:
        """Return the violation of the inequality of the dual, for rows with s = 1."""
        rows = orbits_of(self._form, counts, found.rows.unit)
        values = self._form.criterion(rows.floats).values(found.point.y)
        violation: Array = values - found.point.v[0] - rows.floats.c @ found.point.v[1:]
        return violation

    def violating(self, found: Weighed, tolerance: float) -> NDArray[np.int64]:
        """Return counts that violate the inequality: starting points, ends of ascents, and the best moves there.

        Args:
            found: the weights and the dual.
            tolerance: smaller violations, relative to the sum of alpha, do not count.
        """
        groups, size = self._groups, len(self._groups)
        heaviest = found.rows.counts[np.argsort(-found.point.w)[:_STARTS]]
        sizes = [*self._rng.choice(heaviest.sum(1), 2 * _STARTS), *self._rng.integers(1, groups.sum(), _STARTS)]
        drawn = np.array([self._rng.multivariate_hypergeometric(groups, int(d)) for d in sizes])
        now = np.vstack([heaviest, drawn])
        best, found_first = self.violation(found, now), now.copy()
        for _ in range(_STEPS):
            around = now[:, None, :] + self._moves[None]
            total = around.sum(2)
            is_in = ((around >= 0) & (around <= groups)).all(2) & (total > 0) & (total < groups.sum())
            values = np.full(is_in.shape, -np.inf)
            values[is_in] = self.violation(found, around[is_in])
            order = np.argpartition(-values, _MOVES, axis=1)[:, :_MOVES]
            near = np.take_along_axis(around, order[:, :, None], 1)
            reached = np.take_along_axis(values, order, 1)
            chosen, rows = reached.argmax(1), np.arange(len(now))
            # a smaller gain is a rounding error, and the climb could go in circles
            up = reached[rows, chosen] > best + 1e-15
            if not up.any():
                break
            now[up], best[up] = near[rows, chosen][up], reached[rows, chosen][up]
        counts = np.vstack([found_first, now, near.reshape(-1, size)])
        counts = counts[((counts >= 0) & (counts <= groups)).all(1)]
        numbers = np.ravel_multi_index(tuple(counts.T), tuple(groups + 1))
        counts = counts[np.unique(numbers, return_index=True)[1]]
        counts = counts[(counts.sum(1) > 0) & (counts.sum(1) < groups.sum())]
        values = self.violation(found, counts)
        order = np.argsort(-values)[:_ENTERING]
        return np.asarray(counts[order[values[order] > tolerance * abs(found.point.v[0])]])


def rounded_dual(form: CountedForm, found: Weighed) -> RayDual:
    """Return the dual over groups, rounded; its inequality may fail slightly.

    alpha is that of ``g = v_0 + v.c``. Its part along pi is rounded on its own: at a small level the other part is far
    larger, but its sum over the categories is 0.
    """
    (v, y), lines, unit = (found.point.v, found.point.y), found.rows.floats, Fraction(found.rows.unit)
    slopes = with_zero_columns((lines.root @ v[1:])[:, None], form.groups)
    start, scale = rounded_to_bits(float(v[0]), float(v[0]), _BITS), 0 if form.is_sum else 2
    alpha = tuple(start * unit**scale * p + x * unit ** (scale - 1) for p, (x,) in zip(form.pi, slopes, strict=True))
    if form.is_sum:
        return RayDual(alpha, (), None, groups=form.groups)
    squares = cast("SquaresForm", form)
    matrix = with_zero_columns(squares.float_matrix(found.criterion, y, lines.root), form.groups)
    numbers = np.zeros(len(form.groups))
    numbers[np.array(form.groups) > 1] = np.maximum(found.criterion.alone(y), 0)
    (inside,) = rounded_matrix(numbers[None])
    return RayDual(alpha, (), matrix, squares.column_weights, groups=form.groups, inside=tuple(inside))


def _by_boxes(form: CountedForm, dual: RayDual) -> NDArray[np.int64]:
    """Return counts whose inequality fails by more than the tolerance; none if the boxes prove all others."""
    counts = _unproved(dual.raised(abs(dual.bound()) * Fraction(_TOLERANCE), form.pi), form)
    if counts is None or len(counts) != len(form.groups):
        return np.zeros((0, len(form.groups)), dtype=np.int64)
    return np.array([counts])


def _unproved(dual: RayDual, form: CountedForm) -> Counts | None:
    """Return counts for which the inequality is not proved; None if it is proved, and () if the search is too long."""
    budget = WorkBudget()
    budget.spend(_SPARE)
    try:
        return first_unproved(form.groups, form.slices, form.over_counts(dual, budget), budget)
    except Rejected:
        return ()


def lifted(dual: RayDual, form: CountedForm) -> RayDual:
    """Return the dual with alpha raised along pi, so that the boxes of the checker prove its inequality.

    Raises:
        UnsupportedProblemError: the search takes too long even with a much larger alpha.
    """
    size, by = abs(dual.bound()), Fraction(0)
    for attempt in range(_REPAIRS):
        higher = dual.raised(by, form.pi)
        counts = _unproved(higher, form)
        if counts is None:
            return higher
        needed = form.excess(dual, counts) if counts else Fraction(0)
        by = needed + size * _EXTRA * 2**attempt if needed > by else max(_LIFT * by, size * _FIRST_LIFT)
        by = raised_to_bits(by, size, _BITS)
    raise UnsupportedProblemError(
        "the inequality of the dual is not proved for all counts: received groups of "
        f"{', '.join(map(str, form.groups))}; use fewer groups, or merge categories"
    )


def rounded_mechanism(form: CountedForm, found: Weighed, gamma: Fraction) -> OrbitMechanism:
    """Return the exact mechanism of the heaviest orbits at a level; k-ary randomized response if the rounding fails.

    A long gamma is rounded down first: the inverse of the information has the denominators of all orbits.
    """
    from scipy.linalg import qr

    rows = found.rows
    if gamma.denominator.bit_length() > _SHORT:
        gamma = 1 - raised_to_bits(1 - gamma, gamma - 1, _SHORT)
    lines = np.column_stack([np.ones(len(rows.s)), rows.floats.c])

    def moments(kept: NDArray[np.intp]) -> Array:
        part = orbits_of(form, rows.counts[kept], rows.unit)
        return np.column_stack([lines[kept], form.criterion(part.floats).moments()])

    places, weights = support_of(np.arange(len(rows.s)), found.point.w, moments, _LEAST_WEIGHT)
    triangle, order = qr((lines[places] * np.array(weights)[:, None]).T, mode="r", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    rank = int((diagonal > _LEAST_WEIGHT * diagonal[0]).sum())
    theta = [float(weights[i] / rows.s[places[i]]) for i in order]
    chosen = [tuple(map(int, rows.counts[places[i]])) for i in order]
    return orbit_mechanism(form.groups, chosen, theta, rank, gamma) or direct(form.groups, gamma)


def orbit_mechanism(
    groups: Sequence[int], counts: Sequence[Counts], weights: Sequence[float], rank: int, gamma: Fraction
) -> OrbitMechanism | None:
    """Return the exactly stochastic mechanism of all staircase rows with these counts; ``None`` if a weight is < 0.

    Args:
        groups: n_g, the numbers of categories in the groups.
        counts: for each orbit and group, how many entries of a row are gamma. The group means of the first ``rank``
            orbits are linearly independent.
        weights: the approximate total weight of each orbit. The weights after the first ``rank`` are rounded.
        rank: the number of groups, or fewer if the group means have a smaller rank.
        gamma: the odds bound at which the mechanism is private.
    """
    means = [[1 + (gamma - 1) * Fraction(c, n) for c, n in zip(each, groups, strict=True)] for each in counts]
    theta = [raised_to_bits(weight, max(weights), _BITS) for weight in weights[rank:]]
    given = [
        sum((t * row[g] for t, row in zip(theta, means[rank:], strict=True)), Fraction(0)) for g in range(len(groups))
    ]
    first = consistent_solution(list(zip(*means[:rank], strict=True)), [1 - x for x in given])
    if first is None or min([*first, *theta]) < 0:
        return None
    rows = []
    for each, total in zip(counts, [*first, *theta], strict=True):
        if total:
            least = total / prod(comb(n, c) for n, c in zip(groups, each, strict=True))
            both = ([(least, n - c), (least * gamma, c)] for n, c in zip(groups, each, strict=True))
            rows.append([[(value, often) for value, often in pairs if often] for pairs in both])
    return OrbitMechanism(groups, rows)


def drawn(mechanism: OrbitMechanism, gamma: Fraction) -> OrbitMechanism:
    """Return a mechanism with short numbers whose rows are nearly the same, if it has a client; else the mechanism.

    The smaller entries of a row are rounded down to multiples of 1/N, and the larger ones to at most gamma times these.
    An output of its own, with nearly equal probabilities for all categories, takes the rest. The entries are scaled by
    1 - c first, so that this output is private.
    """
    if is_drawable(mechanism) or mechanism.outputs * mechanism.inputs > MOST_ENTRIES:
        return mechanism
    word = 1 << WORD_BITS
    for n in range(18, 8, -1):
        made, rest = [], [word] * len(mechanism.groups)
        for count, orbit in mechanism.counted():
            least = min(value for group in orbit for value, _ in group)
            low = int(least * (1 - Fraction(1, 10**n)) * word)
            high = int(low * gamma)
            entries = [[(low if value == least else high, often) for value, often in group] for group in orbit]
            for g, (group, size) in enumerate(zip(entries, mechanism.groups, strict=True)):
                rest[g] -= count * sum(value * often for value, often in group) // size
            if low:
                made.append(entries)
        if min(rest) > 0 and max(rest) <= gamma * min(rest):
            made.append([[(value, size)] for value, size in zip(rest, mechanism.groups, strict=True)])
            rows = [[[(Fraction(value, word), often) for value, often in group] for group in row] for row in made]
            return OrbitMechanism(mechanism.groups, rows)
    return mechanism


def direct(groups: tuple[int, ...], gamma: Fraction) -> OrbitMechanism:
    """Return k-ary randomized response as an orbit mechanism; it is always feasible."""
    ones = [tuple(int(g == h) for h in range(len(groups))) for g in range(len(groups))]
    found = orbit_mechanism(groups, ones, [0.0] * len(groups), len(groups), gamma)
    assert found is not None  # theta = 1/(gamma + k - 1) in every row
    return found
