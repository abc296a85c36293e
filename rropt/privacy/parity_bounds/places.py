"""Where a bound B(h) is reached: candidates for the infimum, exact or enclosed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rropt.exact import decimal_text
from rropt.exact.algebraic_numbers import Algebraic
from rropt.privacy.parity_bounds.leaves import Cell, Leaf

__all__ = ["Place"]

_EDGE = 1e-30  # nearer to 0 a place stands for the end: no prior that matters is there


@dataclass(frozen=True, slots=True)
class Place:
    """A local infimum of ``(1-p) h(p) / (p (1-h(p)))`` on one cell.

    Attributes:
        side: ``"up"`` for h_u(p), ``"down"`` for 1 - h_l(1 - p).
        approach: ``"at"`` a point, ``"from-below"``, ``"from-above"``, ``"everywhere"`` on the cell, or ``"near"``:
            enclosed, somewhere close to the point.
        at: the prior p, in terms of the argument of [h_l * h_u].
        attained: whether the value is taken there; ``None``: not decided.
        lower, upper: rational bounds of the value.
        value: the value when it is known exactly.
        cell, leaf: where h is this function.
    """

    side: str
    approach: str
    at: Algebraic
    attained: bool | None
    lower: Fraction
    upper: Fraction
    value: Algebraic | None
    cell: Cell
    leaf: Leaf

    @property
    def text(self) -> str:
        """The place as ``at`` is printed: an exact number, ``"0+"`` or ``"1-"``; a decimal when it is only near."""
        exact = self.at.rational
        if exact in (0, 1):
            return "1-" if exact else "0+"
        if self.approach != "near":
            return str(self.at)
        near = decimal_text(float(self.at), 9)
        return "1-" if near == "1" else near if float(self.at) > _EDGE else "0+"
