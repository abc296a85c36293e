"""A true claim that tests of labels change."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Domain

UNIT = Domain.interval("0 <= x <= 1", 0, 1, also=("1/2",))


def square_claim(**changes: Any) -> Claim:
    """Return ``x^2 <= x`` on [0, 1], with changes."""
    return replace(
        Claim(
            id="test.square",
            source="a test",
            printed="$x^2\\le x$",
            precise="for x in [0, 1]",
            variables={"x": UNIT},
            theory=lambda p: Fraction(p["x"]),
            computed=lambda p: Fraction(p["x"]) ** 2,
            strength="at-most",
            mutant=lambda p: Fraction(p["x"]) - Fraction(1, 10),
        ),
        **changes,
    )
