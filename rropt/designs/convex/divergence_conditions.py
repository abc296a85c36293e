"""Conditions on Renyi divergences in floats, for the convex route.

Let ``u = log(x/y)``. The condition on D_a of the columns j and l reads ``sum_i h(p_ij, p_il) <= 1`` with

    h(x, y) = y (exp(a u) - 1 - a (exp(u) - 1))/(exp((a - 1) D) - 1)   for a > 1,
    h(x, y) = (x u - x + y)/D   for a = 1,

where D is the upper bound on D_a. h is convex, homogeneous, and 0 for x = y. Since columns sum to 1, the terms that are
subtracted add up to a constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import expm1, log
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.core.exact import rational
from rropt.privacy.divergence_regions import DivergenceRegion

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_LARGEST = 600.0  # largest exponent of exp
_FIRST_ORDERS = (1.0, 2.0)  # of zCDP; others are added if a design violates them
_ORDERS = 80  # orders of zCDP at which a design is tested first, from 1 + _LEAST to 1 + _MOST
_LEAST, _MOST = 1e-2, 1e3


class Condition(NamedTuple):
    """The bound on D_a(column j, column other); ``room`` is the denominator of h."""

    order: float
    j: int
    other: int
    room: float

    def use(self, x: Array, y: Array) -> Array:
        """Return h(x, y) for positive x and y."""
        import numpy as np

        u, a = np.log(x / y), self.order
        if a == 1:
            return np.asarray(np.maximum(x * u - x + y, 0.0) / self.room)
        bent = np.expm1(np.minimum(a * u, _LARGEST)) - a * np.expm1(np.minimum(u, _LARGEST / a))
        return np.asarray(np.maximum(y * bent, 0.0) / self.room)

    def tangent(self, t: Array) -> tuple[Array, Array, Array]:
        """Return m, b and c of the tangent ``h(x, y) >= m x - b y`` at x = t y.

        The second derivative of h there along (x', y') is ``c (x' - t y')^2/y``.
        """
        import numpy as np

        u, a = np.log(t), self.order
        if a == 1:
            return u / self.room, (t - 1) / self.room, 1 / (t * self.room)
        u = np.minimum(u, _LARGEST / a)
        m, b = a * np.expm1((a - 1) * u), (a - 1) * np.expm1(a * u)
        return m / self.room, b / self.room, a * (a - 1) * np.exp((a - 2) * u) / self.room


class Conditions:
    """The conditions of a region at finitely many orders; under zCDP, orders are added.

    Args:
        region: the region.
    """

    def __init__(self, region: DivergenceRegion) -> None:
        self.region, self.k = region, region.inputs
        orders = _FIRST_ORDERS if region.order is None else (float(region.order),)
        self.listed = [self._at(a, j, i) for j, i in permutations(range(self.k), 2) for a in orders]

    def _at(self, order: float, j: int, i: int) -> Condition:
        level = self.region.allowed(rational(order))
        return Condition(order, j, i, level if order == 1 else expm1(min((order - 1) * level, _LARGEST)))

    def uses(self, rows: Array, listed: Sequence[Condition] | None = None) -> Array:
        """Return h by condition and row, shape (q, n), for positive rows."""
        import numpy as np

        chosen = self.listed if listed is None else listed
        return np.array([each.use(rows[:, each.j], rows[:, each.other]) for each in chosen]).reshape(-1, len(rows))

    def largest_use(self, rows: Array) -> float:
        """Return the largest sum of h over all conditions, and over all orders of zCDP, for a mechanism with rows."""
        found = [float(self.uses(rows).sum(1).max())]
        if self.region.order is None:
            found += [self._worst(rows, j, i)[1] for j, i in permutations(range(self.k), 2)]
        return max(found)

    def extended(self, rows: Array, above: float, apart: float) -> bool:
        """Add the order of zCDP that a mechanism with these rows violates most, for each pair.

        Args:
            rows: the rows of the mechanism.
            above: the relative violation from which an order is added.
            apart: the least distance ``abs(log(a/b))`` of the new order a from the orders b of the pair.

        Returns:
            Whether an order was added.
        """
        if self.region.order is not None:
            return False
        new = []
        for j, i in permutations(range(self.k), 2):
            order, use = self._worst(rows, j, i)
            known = [each.order for each in self.listed if (each.j, each.other) == (j, i)]
            if use > 1 + above and all(abs(log(order / other)) > apart for other in known):
                new.append(self._at(order, j, i))
        self.listed += new
        return bool(new)

    def without(self, is_unused: Sequence[bool]) -> None:
        """Remove conditions of zCDP; the first order of each pair stays."""
        if self.region.order is None:
            pairs = zip(self.listed, is_unused, strict=True)
            self.listed = [each for each, drop in pairs if not drop or each.order == _FIRST_ORDERS[0]]

    def _worst(self, rows: Array, j: int, i: int) -> tuple[float, float]:
        """Return the order at which the sum of h is largest for a pair of columns, and this sum."""
        import numpy as np

        def used(orders: Array) -> Array:
            return np.array([float(self.uses(rows, [self._at(float(a), j, i)]).sum()) for a in orders])

        grid = np.array([1.0, *(1 + np.geomspace(_LEAST, _MOST, _ORDERS))])
        rate = self.region.allowed(rational(2)) / 2
        grid = grid[rate * grid * (grid - 1) < _LARGEST / 2]
        for _ in range(5):
            values = used(grid)
            best = int(values.argmax())
            found: tuple[float, float] = float(grid[best]), float(values[best])
            grid = np.linspace(grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)], 11)
        return found


def any_mechanism_ratio(region: DivergenceRegion) -> Any:
    """Return a rational gamma such that every gamma-private mechanism is in the region.

    ``D_a <= epsilon`` for every order, and an epsilon-private mechanism is (epsilon^2/2)-zCDP (Bun and Steinke 2016,
    Proposition 1.4).
    """
    from math import sqrt

    level = region.allowed(rational(1))
    nats = level if region.order is not None else sqrt(2 * level)
    return 1 + rational(min(nats, 1.0) * 0.999)  # 1 + x <= exp(x)
