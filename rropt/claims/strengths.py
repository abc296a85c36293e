"""How what a claim says and what is true must compare."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rropt.errors import InvalidParameterError

__all__ = ["STRENGTHS", "agrees"]


def _equal(theory: Any, computed: Any) -> bool:
    return bool(theory == computed)


def _at_most(theory: Any, computed: Any) -> bool:
    return bool(computed <= theory)


def _at_least(theory: Any, computed: Any) -> bool:
    return bool(computed >= theory)


def _less(theory: Any, computed: Any) -> bool:
    return bool(computed < theory)


def _greater(theory: Any, computed: Any) -> bool:
    return bool(computed > theory)


def _member(theory: Any, computed: Any) -> bool:
    return all(x in theory for x in computed)


def _rounds_to(theory: Any, computed: Any) -> bool:
    """The exact value, or every point of an enclosure (low, high), rounds to the printed decimal."""
    text = str(theory)
    unit = Fraction(1, 10 ** len(text.partition(".")[2]))
    printed = Fraction(text)
    low, high = computed if isinstance(computed, tuple) else (computed, computed)
    return bool(printed - unit / 2 <= low and high <= printed + unit / 2)


def _as_printed(theory: Any, computed: Any) -> bool:
    """A decimal by rounding; anything else (a set of designs, a truth value, a fraction) by equality."""
    is_decimal = isinstance(theory, str) and theory.lstrip("-").replace(".", "", 1).isdecimal()
    return _rounds_to(theory, computed) if is_decimal else _equal(theory, computed)


# name -> (the relation in words, the test). `computed` stands on the left of the relation, `theory` on the right.
STRENGTHS: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "equality": ("equals", _equal),
    "iff": ("holds exactly when", _equal),
    "unique": ("is exactly the set", _equal),
    "at-most": ("is at most", _at_most),
    "at-least": ("is at least", _at_least),
    "less": ("is less than", _less),
    "greater": ("is greater than", _greater),
    "contained": ("is contained in", _member),
    "rounds-to": ("rounds to", _rounds_to),
    "as-printed": ("is, or rounds to", _as_printed),
}


def agrees(strength: str, theory: Any, computed: Any) -> bool:
    """Return whether ``computed`` stands in the relation ``strength`` to ``theory``, exactly.

    Raises:
        InvalidParameterError: an unknown strength.
    """
    if strength not in STRENGTHS:
        raise InvalidParameterError(f"strength is unknown: received {strength}; allowed are {', '.join(STRENGTHS)}")
    return STRENGTHS[strength][1](theory, computed)
