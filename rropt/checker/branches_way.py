"""The way of branches: a dual for each of several cells, which cover all mechanisms with m outputs (branches_way.md).

A cell gives each output a cone of rows with k generators. A dual *serves* a cell if ``phi(r) <= g_i(r)`` for the
generators r of output i, for each output. Its bound then holds for all mechanisms of the cell.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, count, permutations, product
from typing import Any, NamedTuple

from .design_bound import DesignBound, read_bound
from .design_region import DesignRegion, staircase_ratio
from .documents import Rejected, WorkBudget, fields, items, whole
from .limits import MAX_ENTRIES, MAX_ORDERED_INPUTS
from .matrices import dot, widest
from .rays_way import SumOfSquares


class _Generator(NamedTuple):
    """The vector ``entries/2^power``, up to a factor that all generators share, and a number that no other one has."""

    number: int
    entries: list[int]
    power: int


_Cell = list[list[_Generator]]  # of each output its generators


class Branches(NamedTuple):
    """The duals of a proof, and what divides the mechanisms into cells."""

    bounds: list[DesignBound]
    ratio: Fraction  # the largest ratio of two entries of a row
    tokens: list[Any]


def read_branches(region: DesignRegion, duals: Any, cells: Any, budget: WorkBudget) -> Branches:
    """Read the duals and the tokens of the cells."""
    ratio = staircase_ratio(region, budget)
    if ratio is None or region.outputs is None:
        raise Rejected(
            "the way of branches needs one level of all pairs, delta 0, gamma above 1 and a number of outputs"
        )
    if region.inputs > MAX_ORDERED_INPUTS:
        raise Rejected(f"the way of branches needs at most {MAX_ORDERED_INPUTS} inputs")
    names = ["alpha", "vectors", *["limits"] * (region.bounds is not None)]
    bounds = []
    for entry in items(duals, "duals", most=MAX_ENTRIES):
        alpha, _, *limits = fields(entry, names, "a dual")
        bounds.append(read_bound(region, alpha, [], limits[0] if limits else None, budget))
    return Branches(bounds, ratio, items(cells, "cells", most=MAX_ENTRIES))


def require_on_branches(
    region: DesignRegion, branches: Branches, squares: Sequence[SumOfSquares] | None, budget: WorkBudget
) -> None:
    """Reject unless the tokens are those of the cells, and a dual serves each cell.

    Args:
        region: the region.
        branches: the duals and the tokens.
        squares: phi of each dual; None where no dual need serve its cells: a variance is at least 0.
        budget: the work budget of the certificate.
    """
    duals, tokens = squares and _Duals(branches.bounds, squares, budget), iter(branches.tokens)
    numbers = count()
    for first in _first_cells(region, branches.ratio, numbers, budget):
        waiting = [first]
        while waiting:
            cell, token = waiting.pop(), next(tokens, None)
            budget.spend(1 + len(cell))
            if token is None:
                raise Rejected("cells end before the last of them")
            if isinstance(token, str):
                place = whole(token, "a dual's place", len(branches.bounds) - 1, 0)
                if duals:
                    duals.require(place, cell)
                continue
            listed = items(token, "a halving", count=3)
            ends = len(cell), region.inputs, region.inputs
            i, a, b = (whole(text, "a place in a halving", end - 1, 0) for text, end in zip(listed, ends, strict=True))
            if a == b:
                raise Rejected("a cone is halved between a generator and itself")
            middle = _middle(cell[i][a], cell[i][b], next(numbers), budget)
            for replaced in (a, b):  # a stack: the second half is processed first
                half = [middle if place == replaced else each for place, each in enumerate(cell[i])]
                waiting.append([*cell[:i], half, *cell[i + 1 :]])
    if next(tokens, None) is not None:
        raise Rejected("cells go on after the last of them")


class _Duals:
    """The duals with what was tested: the same generator is not tested twice for a dual and an output."""

    def __init__(self, bounds: Sequence[DesignBound], squares: Sequence[SumOfSquares], budget: WorkBudget) -> None:
        self.bounds, self.squares, self.budget = bounds, squares, budget
        self.tested: set[tuple[int, int, int]] = set()

    def require(self, place: int, cell: _Cell) -> None:
        """Reject unless a dual serves a cell."""
        bound, phi = self.bounds[place], self.squares[place]
        for i, cone in enumerate(cell):
            line = bound.row_of(i)
            alpha = bound.alphas[line]
            for number, row, _ in cone:
                if (place, line, number) in self.tested:
                    continue
                longest = widest((bound.unit,), alpha)
                self.budget.spend(2 * len(row), longest, max(row).bit_length())
                if phi.at(row) * bound.unit > dot(row, alpha):
                    raise Rejected(f"a dual fails at a generator of a cell, for output {i}")
                self.tested.add((place, line, number))


def _first_cells(region: DesignRegion, ratio: Fraction, numbers: Iterator[int], budget: WorkBudget) -> Iterator[_Cell]:
    """Yield the cells in which each output has an order of its entries, lexicographically.

    If the outputs are interchangeable, the orders do not descend.
    """
    k, m = region.inputs, region.outputs or 0
    g, h = ratio.numerator, ratio.denominator
    cones = []
    for order in permutations(range(k)):
        budget.spend(k * k)
        places = sorted(range(k), key=order.__getitem__)  # position of each input in the order
        cones.append(
            [_Generator(next(numbers), [g if place < size else h for place in places], 0) for size in range(k)]
        )
    alike = region.bounds is None or all(row == rows[0] for rows in region.bounds for row in rows)
    chosen = combinations_with_replacement(cones, m) if alike else product(cones, repeat=m)
    for cell in chosen:
        yield list(cell)


def _middle(one: _Generator, other: _Generator, number: int, budget: WorkBudget) -> _Generator:
    """Return the mean of two generators."""
    power = max(one.power, other.power)
    budget.spend(len(one.entries), max(one.entries).bit_length() + power, max(other.entries).bit_length() + power)
    pairs = zip(one.entries, other.entries, strict=True)
    entries = [(x << (power - one.power)) + (y << (power - other.power)) for x, y in pairs]
    return _Generator(number, entries, power + 1)
