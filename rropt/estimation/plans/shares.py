"""Shares of answers 1: all that a plan knows of a mechanism beside its slope, and what a test asks in terms of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rropt.errors import InvalidParameterError, shown
from rropt.exact import rational
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import determinant
from rropt.mechanisms.required import required_mechanism


@dataclass(frozen=True, slots=True)
class Question:
    """A test of a binomial share, turned so that the alternative lies above the null.

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


def slope(mechanism: Mechanism) -> Fraction:
    """Return ``|p00 + p11 - 1|``, by which the share of answers 1 moves when the prevalence moves by 1.

    Raises:
        InvalidMechanismError: not binary.
        InfeasibleError: it is 0.
    """
    return abs(determinant(required_mechanism(mechanism)))


def share_at(mechanism: Mechanism, prevalence: Fraction) -> Fraction:
    """Return ``lambda = Pr(answer 1) = (1 - pi)(1 - p00) + pi p11``."""
    return (1 - prevalence) * (1 - mechanism.p00) + prevalence * mechanism.p11


def planned_share(mechanism: Mechanism, prevalence: object | None) -> tuple[Fraction, str]:
    """Return the share of answers 1 that a plan reckons with, and where it comes from, in words.

    At a guessed prevalence its share; without a guess the reachable share nearest to 1/2, where ``lambda (1 - lambda)``
    is greatest: the worst case.
    """
    required_mechanism(mechanism)
    if prevalence is not None:
        guess = exact_prevalence(prevalence)
        return share_at(mechanism, guess), f"at the prevalence {guess}"
    low, high = sorted((1 - mechanism.p00, mechanism.p11))
    return min(max(Fraction(1, 2), low), high), "at the worst prevalence (share of answers 1 nearest to 1/2)"


def exact_prevalence(value: object, name: str = "prevalence") -> Fraction:
    """Return a prevalence as an exact number in [0, 1].

    Raises:
        InvalidParameterError: another form, or outside [0, 1].
    """
    exact = rational(value, name=name)
    if not 0 <= exact <= 1:
        raise InvalidParameterError(f"{name} is out of range: received {shown(value)}; allowed is 0 <= {name} <= 1")
    return exact
