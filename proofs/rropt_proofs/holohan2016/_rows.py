"""The claims in rows of Holohan, Leith and Mason (2016): each returns (name, true value, sign, stated value)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt_proofs._laws import mean_of, variance_of
from rropt_proofs.holohan2016._paper import answer_counts

Row = tuple[str, Any, str, Any]


def corollary_1(
    p00: Fraction, p11: Fraction, pi: Fraction, n: int, *, half: Any = Fraction(1, 2), more: Any = 0
) -> list[Row]:
    """Mean and variance of (4) over the exact distribution of N, respondent by respondent."""
    gap = p00 + p11 - 1
    law = answer_counts((1 - pi) * (1 - p00) + pi * p11, n)

    def estimate(count: int) -> Fraction:
        return (p00 - 1) / gap + count / (gap * n)

    stated = (Fraction(1, 4) - (p00 - half - pi * gap) ** 2) / (gap**2 * n)
    return [("mean", mean_of(law, estimate), "=", pi + more), ("(6)", variance_of(law, estimate), "=", stated)]


def eq_8(p: Fraction, pi: Fraction, n: int, *, half: Any = Fraction(1, 2), more: Any = 0) -> list[Row]:
    """Total probability, and the variance of (4) over the exact distribution of the number of answers 1."""
    yes = (1 - p) * (1 - pi) + p * pi
    variance = variance_of(answer_counts(yes, n), lambda count: (p - 1 + count / Fraction(n)) / (2 * p - 1))
    stated = (Fraction(1, 4) - (p - half - pi * (2 * p - 1)) ** 2) / ((2 * p - 1) ** 2 * n)
    return [("Pr(X = 1)", yes, "=", 1 - p + pi * (2 * p - 1) + more), ("(8)", variance, "=", stated)]
