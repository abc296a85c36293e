"""Parts of (0, 1): open intervals between algebraic numbers, points, and where a rational function has which sign."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rropt.privacy.parity_bounds.algebraic_numbers import (
    Algebraic,
    polynomial_roots,
    polynomial_sign,
    simplest_between,
)
from rropt.privacy.parity_bounds.leaves import Rational

__all__ = ["Cell", "sign_cells", "zeros"]


@dataclass(frozen=True, slots=True)
class Cell:
    """The open interval (low, high), or the point ``low == high``; ends that belong to it are flagged."""

    low: Algebraic
    high: Algebraic
    has_low: bool = False
    has_high: bool = False

    @property
    def is_point(self) -> bool:
        """Whether it is one point."""
        return self.low == self.high

    def sample(self) -> Algebraic:
        """Return a point of the cell, the simplest rational when it is an interval."""
        return self.low if self.is_point else Algebraic.of(simplest_between(self.low, self.high))


def zeros(function: Rational, cell: Cell) -> list[Algebraic]:
    """Return the zeros of a function in a cell; of the zero function a sample."""
    if cell.is_point:
        return [cell.low] if function.above == 0 or polynomial_sign(function.above, cell.low) == 0 else []
    return [cell.sample()] if function.above == 0 else polynomial_roots(function.above, cell.low, cell.high)


def sign_cells(function: Rational, cell: Cell) -> Iterator[tuple[Cell, int]]:
    """Cut a cell at the zeros of a function without poles in it, and give the sign on each part."""
    if cell.is_point or function.above == 0:
        yield cell, 0 if function.above == 0 else function.sign(cell.low)
        return
    low = cell.low
    for root in polynomial_roots(function.above, cell.low, cell.high):
        between = Cell(low, root)
        yield between, function.sign(between.sample())
        yield Cell(root, root), 0
        low = root
    last = Cell(low, cell.high)
    yield last, function.sign(last.sample())
