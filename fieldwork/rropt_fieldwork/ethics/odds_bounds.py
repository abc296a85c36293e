"""By how much the responses of a person change the odds of what somebody believes: one question, and several together.

The report of a survey and its ethics page state the same numbers, since both take them from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import prod

from rropt.core.exact import Delta, Epsilon
from rropt.mechanisms import Mechanism

_DIGITS = 12  # of the bracket of exp(epsilon)

Bound = tuple[Fraction, Fraction]
"""A factor of the odds, and what is added to probabilities after it: 0 without a delta."""


def bound_of_question(
    mechanisms: Sequence[Mechanism], epsilon: Epsilon | None = None, delta: Delta | None = None
) -> Bound | None:
    """Return the bound of one response: that of the devices, which a promise can only exceed.

    Args:
        mechanisms: the devices of the question; each respondent uses one of them.
        epsilon, delta: the promised level. It is the bound if a response of a device is certain evidence.

    Returns:
        The largest factor of the devices, else that of the promise; ``None`` if neither is finite.
    """
    factors = [one.parity() for one in mechanisms]
    finite = [factor for factor in factors if factor is not None]
    if finite and len(finite) == len(factors):
        return max(finite), Fraction(0)
    if epsilon is None:
        return None
    return epsilon.gamma_bracket(_DIGITS).upper, (delta or Delta.of(0)).bracket(_DIGITS).upper


def bound_together(bounds: Iterable[Bound | None]) -> Bound | None:
    """Return the bound of all responses of a person: factors multiply, since each response is drawn by itself.

    ``None`` if a question has no bound, or there is no question.
    """
    given = list(bounds)
    known = [bound for bound in given if bound is not None]
    if not known or len(known) < len(given):
        return None
    return prod((factor for factor, _ in known), start=Fraction(1)), sum((delta for _, delta in known), Fraction(0))
