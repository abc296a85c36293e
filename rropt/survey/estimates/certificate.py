"""Write the certificate of a maximum likelihood estimate of the distribution (checker/likelihood_gap.md)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rropt.core.certificates.record import Certificate
from rropt.core.exact import as_text
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.survey.estimates.likelihood import QUOTIENT_BITS


def certify_estimate(
    groups: Sequence[tuple[Mechanism, Any]],
    population: Sequence[Fraction],
    gap: Fraction,
    bits: int | None = QUOTIENT_BITS,
) -> Certificate:
    """Certify that the log-likelihood per response of a distribution is within ``gap`` of the maximum.

    Args:
        groups: the mechanisms, explicit matrices or products, and the counts of their responses.
        population: the estimated distribution, shape (k,), with sum exactly 1.
        gap: a bound of the difference, at least ``gap_of`` with the same bits.
        bits: quotients are rounded up to multiples of ``2^-bits``; ``None`` means exact arithmetic, for small problems.
    """
    listed = [
        {"mechanism": _factors(mechanism), "counts": [str(int(x)) for x in counts]} for mechanism, counts in groups
    ]
    return Certificate.state(
        "likelihood-gap",
        {"groups": listed},
        {"point": [as_text(x) for x in population], "gap": as_text(gap)},
        {"bits": None if bits is None else str(bits)},
    )


def _factors(mechanism: Mechanism) -> dict[str, Any]:
    return mechanism.to_dict() if isinstance(mechanism, ProductMechanism) else Mechanism(mechanism).to_dict()
