"""Branch and bound for estimation objectives with m outputs, or with bounds on entries, in floats.

A cell is the set of mechanisms whose row i lies in a cone K_i, for each output i. Let phi(p) = abs(p W)^2 / (p . pi),
which is convex and homogeneous. The objective of every mechanism of the cell is at least the value of the convex
program over *all mixtures* of the generators r of the cones K_i,

    minimize  tr B^T M^-1 B,   M = sum_ir w_ir r r^T / (r . pi),
    subject to  w >= 0,  sum_ir w_ir r = 1,  least_i <= sum_r w_ir r <= most_i,

The narrower the cones, the tighter is this bound. The search takes the cell with the lowest bound first. In it, it
halves the cone in which mixing loses most, between two of its generators. The mixtures p_i = sum_r w_ir r are
themselves a mechanism of the cell. This module only proposes cells and duals; checker/branches_way.md specifies what
the checker verifies.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement, count, permutations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from rropt.designs.branch_and_bound.cell_bounds import (
    FloatDual,
    Task,
    holds,
    objective,
    solved,
    with_room,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

# A cell is settled when its bound is within this relative distance of the best value: a fifth of the gap at which a
# bracket counts as closed.
NEAR = 2e-7

_KEPT = 200  # number of known duals that are tried on a new cell before its own program is solved
_ROUNDING = 1e-12  # relative: a smaller improvement does not replace the best mechanism
_TINY = 1e-300  # replaces a denominator 0 where the numerator is 0, too
_MIXED = 1e-14  # smaller products of probabilities are rounded zeros
_MISSED = 1e-7  # tolerance for the sums and bounds of a mixture, which is made exact before it is used
_NARROW = 1e-10  # cells with a smaller squared width are not halved: floats are too coarse for them


@dataclass(eq=False)
class BranchNode:
    """A cell: the generators of the cone of each output, shape (m, k, k), the dual of its bound, and its two halves."""

    cones: Array
    dual: FloatDual
    mixture: Array = field(default_factory=lambda: np.zeros((0, 0)))  # w, shape (m, k)
    halving: tuple[int, int, int] | None = None
    halves: tuple[BranchNode, ...] = ()

    def walk(self) -> Iterator[BranchNode]:
        """Iterate over the cell and all its descendants, each before its own halves."""
        waiting = [self]
        while waiting:
            cell = waiting.pop()
            yield cell
            waiting += reversed(cell.halves)


Orders = tuple[tuple[int, ...], ...]  # the order of the entries of each output, the largest first


def first_orders(task: Task) -> Iterator[Orders]:
    """Iterate over the initial cells, one order of the entries for each output, in the order of the checker."""
    orders = list(permutations(range(len(task.pi))))
    return combinations_with_replacement(orders, task.answers) if task.alike else product(orders, repeat=task.answers)


def _first_cones(orders: Orders, gamma: Any, one: Any) -> list[list[list[Any]]]:
    """Return the generators of the cone of each output of an initial cell."""
    places = range(len(orders[0]))
    return [[[gamma if order.index(j) < size else one for j in places] for size in places] for order in orders]


class BranchAndBound:
    """The state of branch and bound: the best known mechanism, and the duals to try on other cells."""

    def __init__(self, task: Task, best: Array, value: float) -> None:
        """Start with the best known mechanism and its value."""
        self.task, self.best, self.value = task, best, value
        self.order, self.duals = count(), list[FloatDual]()

    @property
    def goal(self) -> float:
        """The bound at which a cell is settled."""
        return self.value - NEAR * abs(self.value)

    def run(self, cells: int) -> list[BranchNode]:
        """Return the initial cells, halved until all are settled or the given number of cells exists."""
        chosen = first_orders(self.task)
        first = [self._bounded(np.array(_first_cones(orders, self.task.gamma, 1.0)), None) for orders in chosen]
        heap = [(cell.dual.bound, next(self.order), cell) for cell in first]
        heapq.heapify(heap)
        made = len(first)
        while heap and heap[0][0] < self.goal and made < cells:
            _, _, cell = heapq.heappop(heap)
            if not len(cell.mixture):
                self._again(cell)
            if cell.dual.bound < self.goal and self._halve(cell):
                made += 2
                for half in cell.halves:
                    heapq.heappush(heap, (half.dual.bound, next(self.order), half))
        return first

    def _again(self, cell: BranchNode) -> None:
        """Solve the program of a cell with an inherited dual; set the mixture, and replace the dual by a better one."""
        own = self._bounded(cell.cones, cell.dual, borrow=False)
        cell.dual, cell.mixture = own.dual, own.mixture

    def _bounded(self, cones: Array, parent: FloatDual | None, *, borrow: bool = True) -> BranchNode:
        if borrow:
            for dual in reversed(self.duals[-_KEPT:]):
                if dual.bound >= self.goal and holds(self.task, cones, dual):
                    return BranchNode(cones, dual)
        dual, w = solved(self.task, cones)
        if parent is not None and parent.bound >= dual.bound:
            dual = parent
        elif dual.bound >= self.goal:
            dual = with_room(self.task, dual, self.goal)
            self.duals.append(dual)
        if len(w):
            self._offer(np.einsum("ir,irj->ij", w, cones))
        return BranchNode(cones, dual, w if len(w) else np.full(cones.shape[:2], 1.0))

    def _offer(self, rows: Array) -> None:
        """Keep a mechanism if it is better than the best known one and nearly in the region."""
        value = objective(self.task, rows)
        if value < self.value * (1 - _ROUNDING) and _nearly_allowed(self.task, rows):
            self.best, self.value = rows, value

    def _halve(self, cell: BranchNode) -> bool:
        """Halve the cone in which mixing loses most, between two generators; return False if the cell is too narrow.

        The two generators are the pair that the mixture combines most, weighted by their distance.
        """
        w, cones, pi = cell.mixture, cell.cones, self.task.pi
        means = cones @ pi
        rows, units, weights = np.einsum("ir,irj->ij", w, cones), cones / means[:, :, None], w * means
        apart = ((units[:, :, None, :] - units[:, None, :, :]) ** 2).sum(3)
        if apart.max() < _NARROW:
            return False
        sides = ((cones @ cell.dual.w) ** 2).sum(2) / means
        one = ((rows @ cell.dual.w) ** 2).sum(1) / np.maximum(rows @ pi, _TINY)
        i = int(np.argmax((w * sides).sum(1) - one))
        both = weights[:, :, None] * weights[:, None, :] / np.maximum(weights[:, :, None] + weights[:, None, :], _TINY)
        mixed = (both * apart)[i]
        if mixed.max() > _MIXED and apart[i].max() > _NARROW:
            a, b = divmod(int(np.argmax(mixed)), mixed.shape[1])
        else:  # no two generators are mixed: halve the widest cone
            i, a, b = (int(place) for place in np.unravel_index(int(np.argmax(apart)), apart.shape))
        a, b = min(a, b), max(a, b)
        halves = []
        for replaced in (b, a):
            half = cones.copy()
            half[i, replaced] = (cones[i, a] + cones[i, b]) / 2
            halves.append(self._bounded(half, cell.dual))
        cell.halving, cell.halves = (i, a, b), tuple(halves)
        return True


def _nearly_allowed(task: Task, rows: Array) -> bool:
    if np.abs(rows.sum(0) - 1).max() > _MISSED:
        return False
    return task.bounds is None or bool(
        (rows > task.bounds[0] - _MISSED).all() and (rows < task.bounds[1] + _MISSED).all()
    )


def exact_cones(
    cells: Sequence[BranchNode], gamma: Fraction, orders: Iterator[Orders]
) -> Iterator[tuple[BranchNode, list[list[list[Fraction]]]]]:
    """Iterate over all cells with their generators as fractions, each cell before its halves."""
    for cell, chosen in zip(cells, orders, strict=True):
        waiting = [(cell, _first_cones(chosen, gamma, Fraction(1)))]
        while waiting:
            part, cones = waiting.pop()
            yield part, cones
            if part.halving:
                i, a, b = part.halving
                middle = [(x + y) / 2 for x, y in zip(cones[i][a], cones[i][b], strict=True)]
                for half, replaced in zip(reversed(part.halves), (a, b), strict=True):
                    cone = [middle if place == replaced else ray for place, ray in enumerate(cones[i])]
                    waiting.append((half, [*cones[:i], cone, *cones[i + 1 :]]))
