"""What a test asks, in terms of the share of answers: turned so that the alternative lies above the null."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Question"]


@dataclass(frozen=True, slots=True)
class Question:
    """A test of a binomial share.

    Attributes:
        null, truth: the shares lambda_0 < lambda_1; where the alternative lies below, answers 0 are counted instead.
        tail: the most probability of rejecting at the null on one side: the significance, or half of it.
        two_sided: whether the test rejects on both sides.
    """

    null: Fraction
    truth: Fraction
    tail: Fraction
    two_sided: bool

    @classmethod
    def of(cls, null: Fraction, truth: Fraction, significance: Fraction, *, two_sided: bool) -> Question:
        """Return the question with the alternative above the null."""
        if truth < null:
            null, truth = 1 - null, 1 - truth
        return cls(null, truth, significance / 2 if two_sided else significance, two_sided)
