"""The kernel when P has full row rank: C is unique if it exists, and no linear programme is needed.

Choose m columns S with P_S nonsingular. C = A_S P_S^-1; it is the answer iff ``C P = A`` at the other columns too and
no entry is negative. Otherwise one act proves that there is none, with stakes y and nothing for passing:

* A_i is no combination of rows of P: some y has ``P y = 0`` and ``A_i . y > 0``;
* C_io < 0: y with ``P y = -e_o`` has ``A_i . y = -C_io > 0``.

Both are strict, so y may be rounded to short numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.orders.garblings.answers import Answer
from rropt.orders.garblings.lifting import independent_columns, remainder, solve_left
from rropt.orders.garblings.pairs import Pair
from rropt.orders.garblings.refutations import rounded_payoff

__all__ = ["unique_kernel"]

_ROUTE = "unique kernel"


def unique_kernel(pair: Pair) -> Answer | None:
    """Return the kernel, or a payoff that refutes it; None when P has not full row rank."""
    source, target = pair.source.rows, pair.target.rows
    chosen = independent_columns(source)
    if chosen is None:
        return None
    kernel = solve_left(_block(source, chosen), _block(target, chosen))
    others = sorted(set(range(len(pair.scales))) - set(chosen))
    if others:
        excess = remainder(kernel, _block(source, others), _block(target, others)).entries()
        if any(excess):
            found = next(n for n, x in enumerate(excess) if x)
            i, j = divmod(found, len(others))
            stakes = _null_vector(pair, chosen, others[j])
            return _bet(pair, i, stakes if excess[found] > 0 else [-y for y in stakes])
    least, i, o = min((c, i, o) for i, row in enumerate(kernel) for o, c in enumerate(row))
    if least >= 0:
        return Answer(_ROUTE, kernel)
    unit = [[-int(o == other) for other in range(len(source))]]
    solved = solve_left(_transposed(_block(source, chosen)), unit)[0]
    return _bet(pair, i, _spread(pair, dict(zip(chosen, solved, strict=True))))


def _null_vector(pair: Pair, chosen: list[int], j: int) -> list[Fraction]:
    """Return y with ``P y = 0`` and y_j > 0."""
    source = pair.source.rows
    solved = solve_left(_transposed(_block(source, chosen)), [[row[j] for row in source]])[0]
    return _spread(pair, {j: Fraction(1), **{s: -x for s, x in zip(chosen, solved, strict=True)}})


def _spread(pair: Pair, entries: dict[int, Fraction]) -> list[Fraction]:
    """Return the vector with these entries for the integer columns, as stakes for the probabilities."""
    zero = Fraction(0)
    return [entries.get(j, zero) * scale for j, scale in enumerate(pair.scales)]


def _bet(pair: Pair, act: int, stakes: list[Fraction]) -> Answer:
    return Answer(_ROUTE, task="bet", payoff=rounded_payoff(pair, {act: stakes}))


def _block(rows: Sequence[Sequence[int]], columns: Sequence[int]) -> list[list[int]]:
    return [[row[j] for j in columns] for row in rows]


def _transposed(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(column) for column in zip(*rows, strict=True)]
