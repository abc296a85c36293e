"""Round floating-point solutions to an exact private mechanism and an exact dual.

*The mechanism* is private at the level below. Its weights are projected onto ``sum_r theta_r r = 1`` in fractions, by
repeated corrections relative to their size. Then the entries are rounded (``designs.drawable_designs``).

*The dual* is valid on all rays at the level above. Its entries are rounded, and alpha is moved along pi until the
inequality holds on every ray. Only the rays with nearly the largest violation are evaluated in fractions.

*Corners.* As many rays as active equations determine the mechanism and the dual. The weights solve ``sum theta r = 1``
and ``sum theta h_t = delta_t`` for the conditions t that hold with equality; alpha and beta solve ``alpha.r + sum
beta_t h_t = phi(r)`` for these rays. If no weight and no beta is negative, and the dual inequality holds on all other
rays too, the design is optimal. At a rational level its value is then exact.

For variances, the interior-point method proposes the rays and the conditions; for sums over outputs, the basis of a
linear program in floats (``many_levels``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import frexp, lcm
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from rropt.core.exact.flint_numbers import flint_matrix, fractions_of
from rropt.core.exact.numbers import dot, whole_numbers
from rropt.core.lazy import numpy as np
from rropt.designs.drawable_designs import LONG_BITS, drawable
from rropt.designs.engine.ray_enumeration import Fan, Floats, Side, float_excess
from rropt.designs.writers.bracket_writer import RayDual, Slope
from rropt.mechanisms import Mechanism
from rropt.objectives.estimators import BITS, rounded_to_bits
from rropt.objectives.ray_form import RayForm
from rropt.privacy.region import LevelPart, RationalLevel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rropt.objectives.ray_criteria import Array

Rows = Sequence[Sequence[Fraction]]
Equation = tuple[list[Fraction], Fraction]  # coefficients of the weights, and the right-hand side

_NEGLIGIBLE = 1e-14  # smaller weights, relative to the largest, are rounding errors
_SLACK = 1e-6  # a condition with smaller relative slack is treated as tight
_MANY, _NEARER = 1 << 15, 1e-13  # with more rays, a smaller tolerance limits the exact evaluations
_NEAR = 1e-11  # rays this close to the largest violation, relative, are evaluated exactly
_TIMES = 30  # iterations of the reduction of the rays, for each ray
_LEAST_ERROR = 1e-5  # of a ray, relative to the largest error of the rays
_LONG, _SHORT = 1024, 2 * BITS + 16  # bits of a long dual, and of a rounded one: its bound moves by about 1e-43
_TINY = 10**4  # a proportion below 1/_TINY is tiny
_SHORTEST = BITS + 32  # bits of a dual whose phi has logarithms, which take most of the checker's budget
MOST_OF_CORNER = 12  # the digits of a corner, and with them the time of the check, grow with k
ENCLOSED = Fraction(1, 10**24)  # largest relative lift of an optimal dual that enclosures of logarithms may cause


def support_of(
    listed: NDArray[np.intp],
    weights: Array,
    moments: Callable[[NDArray[np.intp]], Array],
    negligible: float,
    sizes: Array | None = None,
) -> tuple[list[int], list[float]]:
    """Return the indices and weights of a few rays with the same weighted sums of moments.

    Args:
        listed: the indices of the rays that have weights.
        weights: w_r, floats.
        moments: a function that maps indices of rays to their moments, shape (n, p).
        negligible: rays with a smaller probability, relative to the largest, are dropped.
        sizes: the largest entry of each ray; by default 1. The probability of a ray is its weight times this entry. A
            ray of a category with a tiny proportion has a tiny weight, but a large entry.
    """
    from scipy.optimize import nnls

    probabilities = weights if sizes is None else weights * sizes
    kept = np.flatnonzero(probabilities > _NEGLIGIBLE * probabilities.max())
    size = np.ones(len(kept)) if sizes is None else sizes[kept]
    columns = moments(listed[kept]) / size[:, None]
    columns = columns / np.maximum(np.abs(columns).max(0), 1e-300)
    try:
        fewer = nnls(columns.T, columns.T @ probabilities[kept], maxiter=_TIMES * len(kept))[0]
    except RuntimeError:  # it does not converge, as tiny proportions and large levels can cause: keep all these rays
        fewer = probabilities[kept]
    chosen = np.flatnonzero(fewer > negligible * fewer.max())
    return listed[kept[chosen]].tolist(), (fewer[chosen] / size[chosen]).tolist()


def exact_mechanism(
    fan: Fan, support: Sequence[int], weights: Sequence[float], is_private: Callable[[Mechanism], bool]
) -> Mechanism | None:
    """Round the weights of rays to an exact private mechanism; return None if the rounding fails.

    Args:
        fan: the rays of the region.
        support: the indices of the rays.
        weights: w_r, for rays with ``r.scale = 1``.
        is_private: the exact test of privacy.
    """
    rows = [fan.row(i, "below") for i in support]
    theta = [Fraction(x) / dot(row, fan.scale) for x, row in zip(weights, rows, strict=True)]
    sums, tight = _sums(rows), _tight(fan, rows, theta)
    gammas = [level.gamma for part in fan.parts for level in (part.below, part.above)]
    extremes = [*(1 / (g - 1) for g in gammas if g > 1), max(gammas), *(1 / x for x in fan.scale if x)]
    bits = LONG_BITS + 2 * int(max(extremes)).bit_length()
    for equations in ([*sums, *tight], sums) if tight else (sums,):
        found = corrected_weights(theta, equations)
        near = [[t * x for x in row] for t, row in zip(found, rows, strict=True)]
        made = drawable(near, is_private, bits=bits) if min(found) >= 0 else None
        if made is not None:
            return made
    return None


def _sums(rows: Rows) -> list[Equation]:
    """Return the equations that all columns sum to 1: the first column, and its scaled distances from the others.

    Near the level 0 all columns are nearly equal, so that floats do not see their distances in the sums themselves.
    """
    first, *others = zip(*rows, strict=True)
    found = [(list(first), Fraction(1))]
    for column in others:
        apart = [x - y for x, y in zip(column, first, strict=True)]
        size = max(map(abs, apart))
        if size:
            found.append(([x / size for x in apart], Fraction(0)))
    return found


def _tight(fan: Fan, rows: Rows, theta: Sequence[Fraction]) -> list[Equation]:
    """Return the conditions that are nearly tight, as equations ``sum_r theta_r h_r/delta = 1``.

    Floating-point errors are small relative to the sums over categories, but they can be large relative to a small
    delta.
    """
    found = []
    for j, i, t in fan.conditions:
        level = fan.parts[t].below
        excesses = [max(Fraction(0), row[j] - level.gamma * row[i]) / level.delta for row in rows]
        if float(dot(theta, excesses)) > 1 - _SLACK:
            found.append((excesses, Fraction(1)))
    return found


def corrected_weights(theta: list[Fraction], equations: Sequence[Equation]) -> list[Fraction]:
    """Return weights corrected to satisfy the equations, with changes relative to their size."""
    floats = np.array([[float(x) for x in line] for line, _ in equations]).T
    for _ in range(3):
        left = np.array([float(right - dot(theta, line)) for line, right in equations])
        size = np.array([float(t) for t in theta])
        change = np.linalg.lstsq((floats * size[:, None]).T @ floats, left, rcond=None)[0]
        theta = [t + t * Fraction(float(x)) for t, x in zip(theta, floats @ change, strict=True)]
    return theta


def lifted(dual: RayDual, fan: Fan, form: RayForm, tight: Sequence[int] = ()) -> RayDual:
    """Return the dual with alpha moved along the scale by the least amount that makes it valid on every ray.

    Args:
        dual: alpha, beta and W, exact.
        fan: the rays of the region, and the distribution ``scale``.
        form: the objective.
        tight: the indices of the rays at which equality is known.

    Raises:
        OverflowError: numbers exceed the largest float.
    """
    part, slacks, errors = _NEAR if len(fan) <= _MANY else _NEARER, [], []
    for rays in fan.blocks():
        values, g = form.float_phi(dual.matrix, rays.rows, rays.steps), float_dual(dual, rays)
        slacks.append(values - g)
        size = form.cancelled(dual.matrix, rays.rows, rays.steps)
        errors.append(part * (size + float_dual(dual, rays, is_absolute=True)))
    violation, error = np.concatenate(slacks), np.concatenate(errors)
    error += _LEAST_ERROR * error.max()  # the margin of enclosures is far smaller
    needed = Fraction(0) if tight else None
    least = (violation - error).max()
    if tight:
        least, violation[[*tight]] = max(least, 0.0), -np.inf
    excess = _excess(dual, fan, form)
    for i in map(int, np.flatnonzero(violation + error >= least)):
        over = excess(fan.row(i, "above"))
        needed = over if needed is None else max(needed, over)
    if needed is None:  # the violations are not numbers, as their terms exceed the largest float
        raise OverflowError
    if not needed:
        return dual
    # round up to a multiple of a unit far below float precision: alpha keeps short fractions
    exponent = BITS + 16 - frexp(float(max(map(abs, dual.alpha))) or 1.0)[1]
    unit = Fraction(2) ** (exponent if abs(needed) * 2**exponent > 1 else exponent + BITS)
    lift = -((-needed * unit).__floor__()) / unit
    return dual.raised(lift, fan.scale)


def tightened(dual: RayDual, fan: Fan, form: RayForm, support: Sequence[int]) -> RayDual:
    """Return the dual with alpha changed so that the inequality is nearly an equality at these rays, and then lifted.

    A category with a tiny proportion has rays with a huge entry, at which an error of alpha in floats costs much.
    """
    rows = [fan.row(i, "above") for i in support]
    excess, sizes = _excess(dual, fan, form), np.array([float(abs(x)) for x in dual.alpha])
    lines = np.array([[float(x / dot(row, fan.scale)) for x in row] for row in rows]) * sizes
    change = np.linalg.lstsq(lines, np.array([float(excess(row)) for row in rows]), rcond=None)[0] * sizes
    moved = [x + Fraction(float(y)) for x, y in zip(dual.alpha, change, strict=True)]
    alpha = tuple(rounded_to_bits(x, sizes.max(), _SHORT) for x in moved)
    return lifted(dual._replace(alpha=alpha), fan, form)


def _excess(dual: RayDual, fan: Fan, form: RayForm) -> Callable[[Sequence[Fraction]], Fraction]:
    """Return ``(phi(r) - g(r))/r.scale`` as an exact function of a ray; constants become integers only once."""
    phi, (alpha, unit), (scale, part) = form.exact_phi(dual.matrix), whole_numbers(dual.alpha), whole_numbers(fan.scale)

    def excess(row: Sequence[Fraction]) -> Fraction:
        p, below = whole_numbers(row)
        over = phi(row) - Fraction(sum(map(mul, p, alpha)), below * unit) - dual.bends_at(row)
        return over * Fraction(below * part, sum(map(mul, p, scale)))

    return excess


def is_long(dual: RayDual) -> bool:
    """Return whether a dual has numbers with which the inequality of thousands of rays takes the checker too long."""
    numbers = [*dual.alpha, *(slope.value for slope in dual.slopes)]
    return lcm(*(x.denominator for x in numbers)).bit_length() > _LONG


def shortened(dual: RayDual, fan: Fan, form: RayForm) -> RayDual:
    """Return a dual of an objective without W, rounded to short numbers and then lifted."""
    largest = float(max([*map(abs, dual.alpha), *(slope.value for slope in dual.slopes)]))
    least = int(1 / min(x for x in fan.scale if x))  # a lift along the scale repairs the rounding at a tiny proportion
    bits = (_SHORT if form.is_rational else _SHORTEST) + (least.bit_length() if least > _TINY else 0)
    slopes = (slope._replace(value=rounded_to_bits(slope.value, largest, bits)) for slope in dual.slopes)
    alpha = tuple(rounded_to_bits(x, largest, bits) for x in dual.alpha)
    return lifted(RayDual(alpha, tuple(slope for slope in slopes if slope.value), dual.matrix), fan, form)


def float_dual(dual: RayDual, rays: Floats, is_absolute: bool = False) -> Array:
    """Return g at the rays, in floats, or the sum of the absolute values of its terms."""
    alpha, rows, steps = np.array([float(x) for x in dual.alpha]), rays.rows, rays.steps
    total = float(sum(dual.alpha))
    if is_absolute:
        alpha, steps, total = np.abs(alpha), np.abs(steps), abs(total)
    g = rows @ alpha if rays.excesses.shape[1] else total + steps @ alpha
    for slope in dual.slopes:
        j, i = slope.pair
        g += float(slope.value) * float_excess(rows[:, j], rows[:, i], float(slope.gamma))
    return np.asarray(g)


def meets(mechanism: Mechanism, parts: Sequence[LevelPart]) -> bool:
    """Return whether a mechanism is private at the rational levels below; the checker uses the same test."""
    columns = list(zip(*mechanism.matrix, strict=True))
    for part in parts:
        gamma, delta = part.below.gamma, part.below.delta
        for j, i in part.pairs:
            excess = sum(
                (p - gamma * q for p, q in zip(columns[j], columns[i], strict=True) if p > gamma * q), Fraction(0)
            )
            if excess > delta:
                return False
    return True


class RayBasis(NamedTuple):
    """As many rays as equations of their weights.

    Attributes:
        rays: the indices of the rays.
        active: the equations: j for the sum of column j, and k + t for condition t. Without conditions, 0 stands for
            the mean of all columns by the scale, and j > 0 for the distance of column j from column 0.
    """

    rays: tuple[int, ...]
    active: tuple[int, ...]


class Corner(NamedTuple):
    """A design that its rays and its active conditions determine.

    Attributes:
        mechanism: the mechanism of the weights, at the levels below.
        dual: a dual at the levels above that is valid on every ray.
        is_tight: whether the solution of the equations of the dual is valid on every ray; then the design is optimal.
    """

    mechanism: Mechanism
    dual: RayDual
    is_tight: bool


def corner(fan: Fan, form: RayForm, basis: RayBasis) -> Corner | None:
    """Return the design that as many rays as equations determine; None if they determine none, or a sign is wrong.

    Args:
        fan: the rays of the region.
        form: the objective.
        basis: the rays and the active equations.
    """
    support, active = basis
    if len(support) != len(active) or not form.has_corners:
        return None
    if not fan.conditions and fan.k > MOST_OF_CORNER and not form.is_rational:
        return None
    is_one = all(part.below == part.above for part in fan.parts)
    rows = [fan.row(i, "above") for i in support]
    try:
        below = weighted(fan, rows if is_one else [fan.row(i, "below") for i in support], active, "below")
        if below is None:
            return None
        matrix = form.direction
        if not form.is_sum and matrix is None:
            above = below if is_one else weighted(fan, rows, active, "above")
            if above is None:
                return None
            matrix = form.corner_matrix(above)
        values = [[x] for x in map(form.exact_phi(matrix), rows)]
        solved = flint_matrix(_equations(fan, rows, active, "above")).solve(flint_matrix(values))
    except ZeroDivisionError:  # the rays are linearly dependent, or they do not identify all proportions
        return None
    numbers = dict(zip(active, (x for (x,) in fractions_of(solved)), strict=True))
    beta = [numbers.get(fan.k + t, Fraction(0)) for t in range(len(fan.conditions))]
    if min(beta, default=0) < 0:
        return None
    first, *others = (numbers.get(j, Fraction(0)) for j in range(fan.k))
    alpha = [first, *others]
    if not fan.conditions:
        alpha = [first * x + rise for x, rise in zip(fan.scale, [-sum(others, Fraction(0)), *others], strict=True)]
    return _held(below, RayDual(tuple(alpha), slopes_of(fan, beta), matrix), fan, form, support)


def slopes_of(fan: Fan, beta: Sequence[Fraction]) -> tuple[Slope, ...]:
    """Return the nonzero slopes for these values of beta, which are in the order of the conditions."""
    ends = [(t, (j, i), fan.parts[t].above) for j, i, t in fan.conditions]
    return tuple(Slope(t, pair, end.gamma, end.delta, x) for (t, pair, end), x in zip(ends, beta, strict=True) if x)


def _held(mechanism: Mechanism, dual: RayDual, fan: Fan, form: RayForm, tight: Sequence[int] = ()) -> Corner:
    """Return the corner of a mechanism and a dual, which is lifted where a ray violates its inequality."""
    held = lifted(dual, fan, form, tight)
    room = ENCLOSED * abs(dual.bound()) + 4 * form.margin if form.margin else 0  # of enclosures of logarithms
    return Corner(mechanism, held, held.bound() - dual.bound() <= room)


def _equations(fan: Fan, rows: Rows, active: Sequence[int], side: Side) -> list[list[Fraction]]:
    """Return the coefficients of the weight of each row in the active equations."""
    ends: list[tuple[int, int, Fraction]] = [(j, i, getattr(fan.parts[t], side).gamma) for j, i, t in fan.conditions]

    def coefficient(row: Sequence[Fraction], t: int) -> Fraction:
        if t < fan.k:
            return row[t] if ends else row[t] - row[0] if t else dot(row, fan.scale)
        j, i, gamma = ends[t - fan.k]
        return max(row[j] - gamma * row[i], Fraction(0))

    return [[coefficient(row, t) for t in active] for row in rows]


def weighted(fan: Fan, rows: Rows, active: Sequence[int], side: Side) -> Mechanism | None:
    """Return the mechanism whose rows lie on these rays; None if a weight is negative, or a column has another sum.

    Args:
        fan: the rays of the region.
        rows: as many rays as equations.
        active: the equations that determine the weights (``RayBasis``).
        side: the side of the level.

    Raises:
        ZeroDivisionError: the equations are dependent.
    """
    deltas = [getattr(fan.parts[t], side).delta for _, _, t in fan.conditions]
    right = [deltas[t - fan.k] if t >= fan.k else Fraction(not t or bool(deltas)) for t in active]
    lines = flint_matrix(list(zip(*_equations(fan, rows, active, side), strict=True)))
    theta = [x for (x,) in fractions_of(lines.solve(flint_matrix([[x] for x in right])))]
    made = [[x * p for p in row] for x, row in zip(theta, rows, strict=True) if x]
    if not made or min(theta) < 0 or any(sum(column) != 1 for column in zip(*made, strict=True)):
        return None
    return Mechanism(made)


def exact_corner(fan: Fan, form: RayForm, listed: Sequence[int]) -> Corner | None:
    """Return the optimum of the exact linear program over these rays; None if there is none.

    Extreme proportions and levels leave the solver in floats next to the optimum.
    """
    below, mechanism = _exact_optimum(fan, form, listed, "below")
    above, _ = (
        (below, None) if all(x.below == x.above for x in fan.parts) else _exact_optimum(fan, form, listed, "above")
    )
    if mechanism is None or above is None:
        return None
    return _held(mechanism, RayDual(tuple(above[: fan.k]), slopes_of(fan, above[fan.k :]), form.direction), fan, form)


def _exact_optimum(
    fan: Fan, form: RayForm, listed: Sequence[int], side: Side
) -> tuple[Sequence[Fraction] | None, Mechanism | None]:
    """Return the multipliers of the columns and of the conditions, and the mechanism."""
    from rropt.core.linear import Optimal, ProgramBuilder, solve

    builder, rows = ProgramBuilder("maximise"), [fan.row(i, side) for i in listed]
    weights = [builder.variable(f"w{i}", cost=form.phi(form.direction, row)) for i, row in enumerate(rows)]
    for j in range(fan.k):
        builder.row(f"column {j}", {w: row[j] for w, row in zip(weights, rows, strict=True) if row[j]}, "=", 1)
    for j, i, t in fan.conditions:
        level: RationalLevel = getattr(fan.parts[t], side)
        beyond = {w: row[j] - level.gamma * row[i] for w, row in zip(weights, rows, strict=True)}
        builder.row(f"excess {j} {i} {t}", {w: h for w, h in beyond.items() if h > 0}, "<=", level.delta)
    outcome = solve(builder.build())
    if not isinstance(outcome, Optimal):
        return None, None
    made = [[x * p for p in row] for x, row in zip(outcome.primal, rows, strict=True) if x]
    return outcome.dual, Mechanism(made)
