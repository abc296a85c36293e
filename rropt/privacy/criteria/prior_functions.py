"""A function of the prior p that is Python code, with what its author states of the two ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

__all__ = ["EndBehaviour", "PriorFunction"]


@dataclass(frozen=True, slots=True)
class EndBehaviour:
    """What is stated of the odds ratio F near p = 0 or p = 1: taken on trust.

    Attributes:
        lower: F(p) is at least this wherever p is closer to the end than ``within``.
        within: a distance in (0, 1/2).
        limit: what F tends to at the end, ``None``: not stated.
    """

    lower: Fraction
    within: Fraction
    limit: Fraction | None = None


@dataclass(frozen=True, slots=True)
class PriorFunction:
    """h as a function of a python-flint ``arb``.

    Attributes:
        function: ball in, ball out.
        at_zero, at_one: what is stated of the ends, or ``None``.
    """

    function: Callable[[Any], Any]
    at_zero: EndBehaviour | None = None
    at_one: EndBehaviour | None = None
