"""Certificates of designs that formulas define (FORMAT.md, rule 30): the witness contains only the level."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rropt.core.certificates.record import Certificate
from rropt.core.exact import Bracket

if TYPE_CHECKING:
    from rropt.designs.problem import Problem
    from rropt.mechanisms import Mechanism
    from rropt.privacy.region import RationalLevels


def certify_blocks(
    problem: Problem, levels: RationalLevels, lower: Fraction, upper: Fraction, mechanism: Mechanism
) -> Certificate:
    """Return the certificate that the mechanism is private and that ``lower <= optimum <= upper``.

    Args:
        problem: a problem over equally frequent categories.
        levels: rational levels around the problem's level.
        lower, upper: the bracket; one bound is the value of the mechanism, possibly rounded outwards.
        mechanism: a block design, or independent bits.
    """
    claim = {"kind": "design-bracket", **Bracket(lower, upper).written(), "mechanism": mechanism.to_dict()}
    return Certificate.write(problem.certified_dict(), claim, {"rule": "blocks", **levels.to_dict()})
