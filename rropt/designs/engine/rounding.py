"""Exact numbers from floats: a private mechanism below the level, and a dual that holds on all rays above it.

*The mechanism.* Weights are put back on ``sum_r theta_r r = 1`` in fractions (two corrections relative to their size),
shrunk a little, and what is left, nearly constant, is added to one output. It is private by an exact test.

*The dual.* Entries are rounded, and alpha is moved along pi until the inequality holds on every ray: only the rays that
may decide are worked out in fractions.

"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import frexp
from typing import TYPE_CHECKING

from rropt.core.exact.numbers import dot
from rropt.designs.certificates.rays import RayDual
from rropt.designs.engine.rays import Fan, Floats
from rropt.mechanisms import Mechanism
from rropt.objectives.estimators import BITS
from rropt.objectives.ray_form import RayForm
from rropt.privacy.region import LevelPart

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rropt.objectives.criteria import Array

Rows = Sequence[Sequence[Fraction]]
Equation = tuple[list[Fraction], Fraction]  # coefficients of the weights, and the right side

_WEIGHT_BITS = 120  # of weights: after two corrections their sums are right to about 1e-30
_NEGLIGIBLE = 1e-14  # weights below, relative to the largest, are roundings of 0
_SHRINKS = [Fraction(1, 10**p) for p in (18, 15, 13, 11, 9, 7, 5)]  # tried in turn
_SLACK = 1e-6  # of delta: an excess that is nearer to it is meant to be delta
_MANY, _NEARER = 1 << 15, 1e-13  # of more rays fewer are worked out exactly: floats err by less
_NEAR = 1e-11  # rays within so much of the largest violation, relative, are worked out exactly


def support_of(
    listed: NDArray[np.intp], weights: Array, moments: Callable[[NDArray[np.intp]], Array], negligible: float
) -> tuple[list[int], list[float]]:
    """Return the places of few rays that serve as well, and their weights.

    Args:
        listed: the places of the rays that have weights.
        weights: w_r, floats.
        moments: of the rays at these places, shape (n, p): their weighted sums stay what they are.
        negligible: rays with a smaller weight, relative to the largest, are left out.
    """
    import numpy as np
    from scipy.optimize import nnls

    kept = np.flatnonzero(weights > _NEGLIGIBLE * weights.max())
    columns = moments(listed[kept])
    columns = columns / np.maximum(np.abs(columns).max(0), 1e-300)
    fewer = nnls(columns.T, columns.T @ weights[kept])[0]
    chosen = np.flatnonzero(fewer > negligible * fewer.max())
    return listed[kept[chosen]].tolist(), fewer[chosen].tolist()


def exact_mechanism(
    fan: Fan, support: Sequence[int], weights: Sequence[float], is_private: Callable[[Mechanism], bool]
) -> Mechanism | None:
    """Return a private mechanism with rows along rays of these weights; None if there is none.

    Args:
        fan: the rays of the region.
        support: the places of the rays.
        weights: w_r, for rays with ``r.scale = 1``.
        is_private: the exact test.
    """
    rows = [fan.row(i, "below") for i in support]
    theta = [Fraction(x) / dot(row, fan.scale) for x, row in zip(weights, rows, strict=True)]
    sums = [(list(column), Fraction(1)) for column in zip(*rows, strict=True)]
    tight = _tight(fan, rows, theta)
    found = _made(rows, corrected_weights(theta, [*sums, *tight]), is_private) if tight else None
    return found or _made(rows, corrected_weights(theta, sums), is_private)


def _tight(fan: Fan, rows: Rows, theta: Sequence[Fraction]) -> list[Equation]:
    """Return the conditions that nearly hold with equality, as equations ``sum_r theta_r h_r/delta = 1``.

    Floating-point errors are small in the sums over categories, but not in excesses of the order of a small delta.
    """
    found = []
    for j, i, t in fan.conditions:
        level = fan.parts[t].below
        excesses = [max(Fraction(0), row[j] - level.gamma * row[i]) / level.delta for row in rows]
        if float(dot(theta, excesses)) > 1 - _SLACK:
            found.append((excesses, Fraction(1)))
    return found


def corrected_weights(theta: list[Fraction], equations: Sequence[Equation]) -> list[Fraction]:
    """Return the weights put on equations by corrections relative to their size."""
    import numpy as np

    floats = np.array([[float(x) for x in line] for line, _ in equations]).T
    for _ in range(3):
        left = np.array([float(right - dot(theta, line)) for line, right in equations])
        size = np.array([float(t) for t in theta])
        change = np.linalg.lstsq((floats * size[:, None]).T @ floats, left, rcond=None)[0]
        theta = [t + t * Fraction(float(x)) for t, x in zip(theta, floats @ change, strict=True)]
    return theta


def _made(rows: Rows, theta: Sequence[Fraction], is_private: Callable[[Mechanism], bool]) -> Mechanism | None:
    """Return the mechanism of weights that nearly sum to 1, shrunk as little as privacy requires."""
    if min(theta) < 0:
        return None
    unit = Fraction(2) ** (_WEIGHT_BITS - frexp(float(max(theta)))[1])
    for shrink in _SHRINKS:
        short = [int(t * (1 - shrink) * unit) / unit for t in theta]
        made = [[t * x for x in row] for t, row in zip(short, rows, strict=True) if t]
        rest = [1 - sum(column, Fraction(0)) for column in zip(*made, strict=True)]
        if min(rest) < 0:
            continue
        largest = max(range(len(made)), key=lambda i: max(made[i]))
        made[largest] = [x + y for x, y in zip(made[largest], rest, strict=True)]  # nearly constant: no excess grows
        mechanism = Mechanism(made)
        if is_private(mechanism):
            return mechanism
    return None


def lifted(dual: RayDual, fan: Fan, form: RayForm) -> RayDual:
    """Return the dual with alpha moved along the scale, as little as the inequality needs on every ray."""
    return lifted_vertex(dual, fan, form, ())[0]


def lifted_vertex(dual: RayDual, fan: Fan, form: RayForm, tight: Sequence[int]) -> tuple[RayDual, int | None]:
    """Return the same of a dual that is tight at some rays, and the place of the ray that it violates most.

    Args:
        dual: alpha, beta and W, exact.
        fan: the rays of the region, and the distribution ``scale``.
        form: the objective.
        tight: the places of rays at which the inequality is known to be an equality.
    """
    import numpy as np

    slacks, size = [], 0.0
    for _, rays in fan.blocks():
        values, g = form.step_phi(dual.matrix, rays.rows, rays.steps), float_dual(dual, fan, rays)
        slacks.append(values - g)
        size = max(size, float(np.abs(values).max() + np.abs(g).max()))
    violation = np.concatenate(slacks)
    near = (_NEAR if len(fan) <= _MANY else _NEARER) * size
    needed = Fraction(0) if tight else None
    least = violation.max() - near
    if tight:
        least, violation[[*tight]] = max(least, -near), -np.inf
    violated: int | None = None
    for i in map(int, np.flatnonzero(violation >= least)):
        row = fan.row(i, "above")
        over = (form.phi(dual.matrix, row) - dual.at(row)) / dot(row, fan.scale)
        if needed is None or over > needed:
            needed, violated = over, i
    assert needed is not None
    if not needed:
        return dual, None
    # rounded up to a unit far below what floats resolve, so that alpha has short fractions
    exponent = BITS + 16 - frexp(float(max(map(abs, dual.alpha))) or 1.0)[1]
    unit = Fraction(2) ** (exponent if abs(needed) * 2**exponent > 1 else exponent + BITS)
    lift = -((-needed * unit).__floor__()) / unit
    return dual._replace(alpha=tuple(a + lift * x for a, x in zip(dual.alpha, fan.scale, strict=True))), violated


def float_dual(dual: RayDual, fan: Fan, rays: Floats) -> Array:
    """Return g of rays, in floats."""
    import numpy as np

    alpha = np.array([float(x) for x in dual.alpha])
    g = rays.rows @ alpha if rays.excesses.shape[1] else float(sum(dual.alpha)) + rays.steps @ alpha
    if dual.slopes:
        place = {(*slope.pair, slope.level): float(slope.value) for slope in dual.slopes}
        g = g + rays.excesses @ np.array([place.get(condition, 0.0) for condition in fan.conditions])
    return np.asarray(g)


def meets(mechanism: Mechanism, parts: Sequence[LevelPart]) -> bool:
    """Return whether a mechanism is private at the rational levels below, as the checker tests it."""
    columns = list(mechanism.columns())
    for part in parts:
        gamma, delta = part.below.gamma, part.below.delta
        for j, i in part.pairs:
            excess = sum(
                (p - gamma * q for p, q in zip(columns[j], columns[i], strict=True) if p > gamma * q), Fraction(0)
            )
            if excess > delta:
                return False
    return True
