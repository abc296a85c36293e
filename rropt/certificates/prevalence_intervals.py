"""The witness of the interval rule (FORMAT.md, rule 19): least worst case and least regret of a binary design."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from rropt.certificates.certificate import Certificate
from rropt.exact import as_text
from rropt.mechanisms import Mechanism
from rropt.privacy import LevelBracket, PrivacyRegion

__all__ = ["certify_over_interval"]


def certify_over_interval(
    region: PrivacyRegion,
    interval: tuple[Fraction, Fraction],
    levels: LevelBracket,
    goal: Literal["minimax-design", "least-regret-design"],
    *,
    lower: Fraction,
    upper: Fraction,
    mechanism: Mechanism,
) -> Certificate:
    """Return the certificate that ``lower <= least worst case (or least regret) <= upper``, achieved by the mechanism.

    Args:
        region: a binary region.
        interval: the prevalences L <= H.
        levels: rational levels around the region's.
        goal: which of the two is claimed.
        lower: the bound at the level above.
        upper: the worst case, or the regret, of the mechanism.
        mechanism: in the region at the level below.
    """
    problem = {
        "region": region.to_dict(),
        "objective": {"kind": "variance"},
        "population": {"vertices": [[as_text(1 - pi), as_text(pi)] for pi in interval]},
    }
    claim = {"kind": goal, "lower": as_text(lower), "upper": as_text(upper), "mechanism": mechanism.to_dict()}
    return Certificate.write(problem, claim, {"rule": "interval", **levels.to_dict()})
