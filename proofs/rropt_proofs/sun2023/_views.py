"""Threat models of a survey with independent answers: the distributions of what is seen of one person, by the person's
x.

The others' x_i are fixed, and their answers are independent of the person's. Neighbours differ in the person's x.
"""

from __future__ import annotations

from collections.abc import Sequence

from rropt_proofs._laws import FiniteLaw, independent, total
from rropt_proofs.sun2023._surveys import Pair

ONE, NAMED, SUM = "one answer alone", "all answers, with names", "the sum of the answers alone"


def seen(each: Pair, others: Sequence[int]) -> dict[str, list[FiniteLaw]]:
    """Return by view the two distributions of what is seen, for the person's x = 0 and x = 1."""
    rest = [each[x] for x in others]
    return {
        ONE: list(each),
        NAMED: [independent(own, *rest) for own in each],
        SUM: [total([own, *rest]) for own in each],
    }
