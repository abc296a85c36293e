"""The largest violation of a dual inequality over all rows, bounded in floats by cells of the simplex.

phi is convex and homogeneous, and ``g(p) = alpha.p + sum beta_c h_c(p)`` is convex. On a simplex of rows with
``r.pi = 1``, phi is at most the linear interpolation of its values at the vertices, and g is at least its tangent at
the centre. Hence ``phi - g`` is at most the largest difference of the two at a vertex. Cells with a larger difference
than the goal are halved along the edge on which g bends most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from rropt.core.errors import InvalidParameterError
from rropt.designs.convex.divergence_conditions import Condition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_ROOM = 1e-14  # error of a float sum, relative to the sum of the absolute values
_LEVELS = 200  # halvings of a cell at most
_KEPT = 400  # violating rows that are returned


class Violation(NamedTuple):
    """Bounds of ``max (phi - g)`` over rows with ``r.pi = 1``.

    Attributes:
        above: an upper bound, at least 0; infinite if phi is not defined at the vertices of the simplex.
        at_least: the largest value that was met.
        rows: rows where ``phi - g`` is positive, the largest values first.
    """

    above: float
    at_least: float
    rows: Array


def largest_violation(
    phi: Callable[[Array], Array],
    alpha: Array,
    beta: Array,
    conditions: Sequence[Condition],
    shares: Array,
    goal: float,
    most: int,
) -> Violation:
    """Bound the violation; cells end where it is at most the goal, or at most a quarter above the largest value met.

    Args:
        phi: a function of rows with ``r.pi = 1``.
        alpha, beta: the coefficients of g.
        conditions: those of beta.
        shares: pi, positive.
        goal: the violation that need not be halved further.
        most: the number of cells that may be visited.
    """
    import numpy as np

    k = len(shares)
    used = [(each, float(x)) for each, x in zip(conditions, beta, strict=True) if x > 0]
    cells = np.diag(1 / shares)[None]
    try:
        values = phi(cells[0])[None]
    except InvalidParameterError:  # a user's function need not be defined at zeros, which no private row has
        return Violation(float("inf"), 0.0, np.zeros((0, k)))
    above, met, rows, gains, visited = 0.0, 0.0, [np.zeros((0, k))], [np.zeros(0)], 0
    for _ in range(_LEVELS):
        visited += len(cells)
        centre = cells.mean(1)
        line, bend = _line(cells, centre, alpha, used)
        right = np.einsum("nj,nij->ni", line, cells)
        sizes = np.einsum("nj,nij->ni", np.abs(line), cells)
        missing = (values - right + _ROOM * (sizes + np.abs(values))).max(1)
        own = phi(centre) - _g(centre, alpha, used)
        met = max(met, float(own.max()))
        positive = own > 0
        rows.append(centre[positive])
        gains.append(own[positive])
        is_open = missing > max(goal, 1.25 * met)
        above = max(above, float(np.where(is_open, 0.0, missing).max()))
        if not is_open.any() or visited + 2 * is_open.sum() > most:
            above = max(above, float(missing.max()))
            break
        cells, values = _halved(cells[is_open], values[is_open], missing[is_open], bend[is_open], phi)
    else:
        above = float("inf")
    found, order = np.vstack(rows), np.argsort(-np.concatenate(gains))[:_KEPT]
    return Violation(above, met, found[order])


def _g(rows: Array, alpha: Array, used: Sequence[tuple[Condition, float]]) -> Array:
    total = rows @ alpha
    for each, x in used:
        total = total + x * each.use(rows[:, each.j], rows[:, each.other])
    return total


def _line(cells: Array, centre: Array, alpha: Array, used: Sequence[tuple[Condition, float]]) -> tuple[Array, Array]:
    """Return a linear function below g for each cell, shape (n, k), and the second derivative of g, shape (n, k, k)."""
    import numpy as np

    n, k = centre.shape
    line, bend = np.tile(alpha, (n, 1)), np.zeros((n, k, k))
    for each, weight in used:
        j, i = each.j, each.other
        t = _ratios(cells[:, :, j], cells[:, :, i], centre[:, j] / centre[:, i])
        m, b, c = each.tangent(t)
        line[:, j] += weight * m
        line[:, i] -= weight * b
        c = weight * c / centre[:, i]
        bend[:, j, j] += c
        bend[:, j, i] -= c * t
        bend[:, i, j] -= c * t
        bend[:, i, i] += c * t * t
    return line, bend


def _ratios(x: Array, y: Array, middle: Array) -> Array:
    """Return the ratio of each cell at which the tangent is taken.

    It is the ratio at the centre. If the ratio is infinite at a vertex and no ratio is 0, it is the smallest one.
    """
    import numpy as np

    with np.errstate(all="ignore"):
        each = np.where(y > 0, x / np.where(y > 0, y, 1.0), np.inf)
    is_infinite = ((y <= 0) & (x > 0)).any(1)
    least = np.where((y > 0), each, np.inf).min(1)
    return np.asarray(np.where(is_infinite & (least > 0) & np.isfinite(least), least, middle))


def _halved(
    cells: Array, values: Array, missing: Array, bend: Array, phi: Callable[[Array], Array]
) -> tuple[Array, Array]:
    """Return the halves of the cells, and phi at their vertices."""
    import numpy as np

    n, k = values.shape
    edges = np.array(list(combinations(range(k), 2)))
    steps = cells[:, edges[:, 0]] - cells[:, edges[:, 1]]
    bent = np.einsum("nej,nji,nei->ne", steps, bend, steps)
    sums = cells[:, edges[:, 0]] + cells[:, edges[:, 1]]
    plain = (steps**2 / np.where(sums > 0, sums, 1.0)).sum(2)
    chosen = edges[np.where(bent.max(1) >= missing, bent.argmax(1), plain.argmax(1))]
    places = np.arange(n)
    middle = (cells[places, chosen[:, 0]] + cells[places, chosen[:, 1]]) / 2
    own = phi(middle)
    halves, known = np.concatenate([cells, cells]), np.concatenate([values, values])
    for part, end in enumerate(chosen.T):
        halves[places + part * n, end] = middle
        known[places + part * n, end] = own
    return halves, known
