"""What a floating-point solver found for a design: a guess, from which exact bounds are computed.

Nothing is assumed about these numbers. They pass from ``rropt.convex`` to ``rropt.symbolic``, where rational numbers
near them become a private design and a proof of a bound (``rropt.symbolic.enclosures``). Forms
(``rropt.symbolic.information``) take the active set from them, and values of unknowns only that the KKT system leaves
free: any value of these that passes the proof is as good, so that a rounded one is no approximation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Exponents = tuple[int | None, ...]
"""A row whose entries are ``gamma^n``, by the exponents n; ``None`` is the entry 0. The least exponent is 0."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A design and its prices, in floats.

    Attributes:
        rows: the rows of the design, by exponents of gamma; under several levels by those of each level.
        weights: the weight of each row.
        mixture: the least favourable distribution: weights of the vertices of a polytope, or of the categories; of a
            problem with one distribution [1].
        directions: G, shape (k, q): the prices of unbiasedness, or a root of those of the information.
        prices: y, shape (k,): the prices of the sums of columns.
        estimates: for the worst case, the estimates T of the targets at each row; else empty.
        centre: the point at which ``-|C pi|^2`` is replaced by its tangent, for the worst case over a polytope.
        pair_prices: z by pair (j, l): the prices of ``sum_i (p_ij - gamma p_il)+ <= delta``; under several levels by
            level and pair (n, j, l).
    """

    rows: Sequence[Any]
    weights: Sequence[float]
    mixture: Sequence[float]
    directions: Sequence[Sequence[float]]
    prices: Sequence[float]
    estimates: Sequence[Sequence[float]] = ()
    centre: Sequence[float] = ()
    pair_prices: Sequence[tuple[tuple[int, ...], float]] = ()


@dataclass(frozen=True, slots=True)
class BlockGuess:
    """Blocks of likelihood ratios and the multipliers of their bound, in floats.

    Attributes:
        blocks: the categories of each block, in the order of the ratios.
        line: c and d of ``alpha = c pi + d q + sum_i kappa_i max(0, pi_j q_i - pi_i q_j)``.
        bends: kappa by the category i of its bend.
        tight: the categories of other intervals whose inequality has no slack.
        is_clear: whether all other slacks are larger than the tolerances of a solver.
    """

    blocks: Sequence[Sequence[int]]
    line: tuple[float, float]
    bends: Sequence[tuple[int, float]]
    tight: Sequence[Sequence[int]] = ()
    is_clear: bool = False
