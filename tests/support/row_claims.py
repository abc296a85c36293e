"""Claims of one row that tests build from two functions of a point."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Domain, Point

UNIT = Domain.interval("0 <= x <= 1", 0, 1, also=("1/2",))
Side = Callable[[Point], Any]


def stated(side: Side, strength: str = "") -> Side:
    """Return the row that states the value of a side; with a strength it is a bound."""

    def theory(point: Point) -> Any:
        return {"value": Bound(strength, side(point)) if strength else side(point)}

    theory.__module__ = side.__module__  # the run on symbols follows functions of the claim's package
    return theory


def true(side: Side) -> Side:
    """Return the row with the true value of a side."""

    def computed(point: Point) -> Any:
        return {"value": side(point)}

    computed.__module__ = side.__module__
    return computed


def row_claim(theory: Side, computed: Side, strength: str = "", *, mutant: Side, **changes: Any) -> Claim:
    """Return the claim that ``computed`` compares with ``theory``, and not with the mutant."""
    given: dict[str, Any] = {"id": "test.row", "source": "a test", "printed": "a test", "precise": "a test", **changes}
    sides = {"theory": stated(theory, strength), "computed": true(computed)}
    return Claim(**sides, mutants=((stated(mutant, strength), true(computed)),), **given)


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
