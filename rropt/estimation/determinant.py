"""The determinant of a binary design, without which nothing can be estimated."""

from __future__ import annotations

from fractions import Fraction

from rropt.errors import InfeasibleError
from rropt.mechanisms import Mechanism
from rropt.mechanisms.required import required_mechanism

__all__ = ["determinant"]


def determinant(mechanism: Mechanism) -> Fraction:
    """Return ``p00 + p11 - 1`` of a binary design, which is not 0; negative where answer 1 speaks against X = 1.

    Raises:
        InvalidMechanismError: not binary.
        InfeasibleError: it is 0.
    """
    value = required_mechanism(mechanism).p00 + mechanism.p11 - 1
    if not value:
        raise InfeasibleError(
            f"p00 + p11 = 1 leaves nothing to estimate: received p00 = {mechanism.p00}, p11 = {mechanism.p11}; "
            "the answer must depend on the truth"
        )
    return value
