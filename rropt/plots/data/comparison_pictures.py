"""Data of comparisons: Blackwell's order as a graph.

The classes of an order are placed in levels with better classes above. The level of a class is the length of the
longest chain of better classes. A cover relation that spans several levels has a position in each of them, so its line
does not cross unrelated classes. Within a level, positions are ordered by the mean position of their neighbours,
sweeping down and up, which gives few crossings (Sugiyama, Tagawa and Toda 1981, Methods for visual understanding of
hierarchical system structures).
"""

from __future__ import annotations

from itertools import pairwise

from rropt.core.errors import InvalidParameterError
from rropt.designs.orders import PartialOrder
from rropt.plots.drawing import MAX_CURVES

_SWEEPS = 12  # the order has settled by then in all but contrived graphs

Point = tuple[float, float]


def order_places(order: PartialOrder) -> tuple[list[Point], list[list[Point]], int]:
    """Return the positions at which the classes and cover relations of an order are drawn.

    They are the position (x, level) of each class, with 0 < x < 1 and level 0 at the top; for each cover relation the
    points of its line from the better class to the worse one; and the largest number of positions in a level.

    Raises:
        InvalidParameterError: there are more classes than the picture can distinguish.
    """
    if len(order.classes) > MAX_CURVES:
        raise InvalidParameterError(
            f"the order is too large for a picture: received {len(order.classes)} classes; allowed are {MAX_CURVES}; "
            "leave mechanisms out"
        )
    levels = list(order.levels)
    chains, neighbours = _chains(order, levels)
    rows = [[place for place, level in enumerate(levels) if level == y] for y in range(max(levels) + 1)]
    _sort_levels(rows, neighbours)
    points: dict[int, Point] = {}
    for y, row in enumerate(rows):
        points |= {place: ((x + 0.5) / len(row), float(y)) for x, place in enumerate(row)}
    places = [points[c] for c in range(len(order.classes))]
    return places, [[points[place] for place in chain] for chain in chains], max(map(len, rows))


def _chains(order: PartialOrder, levels: list[int]) -> tuple[list[list[int]], dict[int, list[int]]]:
    """Return the positions on the line of each cover relation and their neighbours; insert intermediate positions."""
    chains = []
    neighbours: dict[int, list[int]] = {c: [] for c in range(len(levels))}
    for better, worse in order.covers:
        chain = [better]
        for level in range(levels[better] + 1, levels[worse]):
            levels.append(level)
            chain.append(len(levels) - 1)
            neighbours[chain[-1]] = []
        chain.append(worse)
        for upper, lower in pairwise(chain):
            neighbours[upper].append(lower)
            neighbours[lower].append(upper)
        chains.append(chain)
    return chains, neighbours


def _sort_levels(rows: list[list[int]], neighbours: dict[int, list[int]]) -> None:
    """Sort each level by the mean relative position of the neighbours in the previous level, alternately down and up.

    Keep the arrangement with the fewest crossings.
    """
    best, kept = _crossings(rows, neighbours), [row[:] for row in rows]
    for sweep in range(_SWEEPS):
        ordered = rows if sweep % 2 == 0 else rows[::-1]
        for before, row in pairwise(ordered):
            at = {place: (x + 0.5) / len(before) for x, place in enumerate(before)}
            own = {place: (x + 0.5) / len(row) for x, place in enumerate(row)}
            means = {}
            for place in row:
                near = [at[other] for other in neighbours[place] if other in at]
                means[place] = sum(near) / len(near) if near else own[place]
            row.sort(key=means.__getitem__)
        crossings = _crossings(rows, neighbours)
        if crossings < best:
            best, kept = crossings, [row[:] for row in rows]
    rows[:] = kept


def _crossings(rows: list[list[int]], neighbours: dict[int, list[int]]) -> int:
    """Return the number of crossing pairs of lines between neighbouring levels."""
    total = 0
    for upper, lower in pairwise(rows):
        at = {place: x for x, place in enumerate(lower)}
        lines = [(x, at[other]) for x, place in enumerate(upper) for other in neighbours[place] if other in at]
        total += sum((a - c) * (b - d) < 0 for i, (a, b) in enumerate(lines) for c, d in lines[:i])
    return total
