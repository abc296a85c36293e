"""The rank of a rational matrix."""

from __future__ import annotations

from rropt.linear.systems.elimination import Elimination
from rropt.linear.systems.rational_matrix import RationalMatrix, integer_rows

__all__ = ["rank"]


def rank(matrix: RationalMatrix) -> int:
    """Return the exact rank of a rational matrix.

    Args:
        matrix: m rows, each a mapping from column to entry or a sequence of entries, `int` or `Fraction`.

    Returns:
        The order of its largest nonsingular block, by sparse exact elimination: O(fill), then cubic in a dense rest.

    Raises:
        InvalidParameterError: an entry is not exact, or rows differ in length.

    Example:
        >>> rank([[1, 2], [2, 4]])
        1
    """
    work = Elimination(integer_rows(matrix)[0])
    return len(work.pivots) + int(work.rest()[2].rank())
