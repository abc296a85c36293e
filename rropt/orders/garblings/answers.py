"""The answer of one way to decide ``A = C P``: a kernel, or a payoff that refutes it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rropt.orders.garblings.pairs import Payoff

__all__ = ["Answer", "Kernel"]

Kernel = list[list[Fraction]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found for a reduced pair.

    Attributes:
        route: how it was found.
        kernel: C, or None.
        task: the kind of task that the payoff is, or ``""``.
        payoff: Y, or None; one of the two is there.
    """

    route: str
    kernel: Kernel | None = None
    task: str = ""
    payoff: Payoff | None = None
