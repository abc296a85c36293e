"""What passes from CVXPY to SymPy: which rows have weight at an optimum, and which conditions of privacy are tight.

``rropt.convex`` finds it in floats, and ``rropt.symbolic`` derives the optimum from it and proves it. No number passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

Exponents = tuple[int | None, ...]
"""A row whose entries are ``gamma^n``, by the exponents n; ``None`` is the entry 0. The least exponent is 0."""

LevelExponents = tuple[tuple[int, ...] | None, ...]
"""A row under several levels: each entry is a product of powers of their gammas, or ``None`` for 0."""


class ActiveRow(NamedTuple):
    """A row with weight.

    Attributes:
        label: the output or the decision of a linear objective; -1 of a sum over the outputs.
        exponents: the row; under several levels ``LevelExponents``.
    """

    label: int
    exponents: Any


class Active(NamedTuple):
    """The active set of a problem over weights of rows.

    Attributes:
        rows: the rows with weight.
        tight: the ordered pairs (j, l) with ``sum_i max(0, p_ij - gamma p_il) = delta``; under several levels (n, j, l)
            with the number of the level.
    """

    rows: Sequence[ActiveRow]
    tight: Sequence[tuple[int, ...]] = ()
