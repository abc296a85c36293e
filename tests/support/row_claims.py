"""Claims of one row that tests build from two functions of a point."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Domain, Point
from rropt.claims.claim import STRENGTHS, Rows

UNIT = Domain.interval("0 <= x <= 1", 0, 1, also=("1/2",))
Side = Callable[[Point], Any]


def rows(theory: Side, computed: Side, strength: str = "") -> Rows:
    """Return the row with a true and a stated value; with a strength the stated value is a bound."""
    sign = next((sign for sign, name in STRENGTHS.items() if name == strength), "=")

    def row(point: Point) -> list[tuple[str, Any, str, Any]]:
        return [("value", computed(point), sign, theory(point))]

    row.__module__ = theory.__module__ = computed.__module__  # the run on symbols follows the claim's package
    return row


def row_claim(theory: Side, computed: Side, strength: str = "", *, mutant: Side, **changes: Any) -> Claim:
    """Return the claim that ``computed`` compares with ``theory``, and not with the mutant."""
    given: dict[str, Any] = {"id": "test.row", "source": "a test", "printed": "a test", "precise": "a test", **changes}
    false = rows(mutant, computed, strength)
    return Claim(rows=rows(theory, computed, strength), mutants=(false,), **given)


def square_claim(**changes: Any) -> Claim:
    """Return ``x^2 <= x`` on [0, 1], with other arguments of ``row_claim``."""
    given: dict[str, Any] = {
        "theory": lambda p: Fraction(p["x"]),
        "computed": lambda p: Fraction(p["x"]) ** 2,
        "strength": "at-most",
        "mutant": lambda p: Fraction(p["x"]) - Fraction(1, 10),
        "printed": "$x^2\\le x$",
        "precise": "for x in [0, 1]",
        "variables": {"x": UNIT},
    }
    return row_claim(**{**given, **changes})
