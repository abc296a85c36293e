"""Comparison of the value in a statement with the true value, which may be known only between two rational bounds."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from math import inf
from numbers import Number, Rational, Real
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import ExactReal, as_text, decimal_text

_DIGITS = 9  # printed significant digits; the endpoints of a narrow enclosure agree in far more
_LONGEST = 40  # characters of the longest fraction that is printed in full


@dataclass(frozen=True, slots=True)
class Enclosure:
    """Rational bounds of an irrational true value: ``low <= value <= high``.

    It is a separate type, so a design with equal coordinates is never mistaken for a number.

    Attributes:
        low: the lower bound.
        high: the upper bound, at least ``low``.

    Raises:
        InvalidParameterError: the endpoints are in the wrong order.
    Example:
        >>> print(Enclosure(Fraction(3, 4), Fraction(3, 4)))
        3/4
        >>> print(Enclosure(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**20)))
        ~0.333333333
        >>> print(Enclosure(Fraction(1, 4), Fraction(1, 3)))
        between 1/4 and 1/3
    """

    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise InvalidParameterError(
                f"an enclosure has low <= high: received {as_text(self.low)} and {as_text(self.high)}; exchange them"
            )

    @property
    def is_exact(self) -> bool:
        """Whether the two bounds are equal; the value is then exact."""
        return self.low == self.high

    def __str__(self) -> str:
        ends = [as_text(end) for end in (self.low, self.high)]
        decimals = [decimal_text(end, _DIGITS) for end in (self.low, self.high)]
        if self.is_exact:
            return ends[0] if len(ends[0]) <= _LONGEST else f"~{decimal_text(self.low, 15)}"
        if decimals[0] == decimals[1]:
            return f"~{decimals[0]}"
        low, high = ends if max(map(len, ends)) <= _LONGEST else [f"~{decimal}" for decimal in decimals]
        return f"between {low} and {high}"


_KINDS: dict[str, tuple[type, ...]] = {  # bool comes first, since it is a subclass of int
    "a truth value": (bool,),
    "a number": (int, Fraction, float, ExactReal, Real),
    "a set": (set, frozenset),
    "a list": (tuple, list),
    "text": (str,),
    "a mapping": (Mapping,),
}


# the signs of the true minus the stated value that each strength of a bound allows
SIGNS = {"at-most": {-1, 0}, "at-least": {0, 1}, "less": {-1}, "greater": {1}}
_COMPARISONS = {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}
_PLAIN = (bool, int, Fraction, float, set, frozenset, tuple, list, str, dict)


@dataclass(frozen=True, slots=True)
class StatedBound:
    """The stated value of a row that is an inequality, or a printed decimal; other rows are equalities.

    Attributes:
        strength: how the true value compares with the bound: ``at-most``, ``at-least``, ``less``, ``greater`` or
            ``rounds-to``.
        value: the value of the bound, for ``rounds-to`` the decimal as text.

    Raises:
        InvalidParameterError: the strength is unknown.
    """

    strength: str
    value: Any

    def __post_init__(self) -> None:
        allowed = (*SIGNS, "rounds-to")
        if self.strength not in allowed:
            raise InvalidParameterError(
                f"strength is unknown: received {self.strength}; allowed are {', '.join(allowed)}"
            )

    def __str__(self) -> str:
        return f"{self.strength} {self.value}"


def require_value(value: Any, side: str, point: str) -> None:
    """Raise ``InvalidParameterError`` unless a side of a claim returned a value that can be compared.

    Args:
        value: the returned value.
        side: the name of the side, for the message.
        point: the point in words, for the message.
    """
    if defect := _defect(value):
        raise InvalidParameterError(
            f"{side} returns no value that can be compared at {point}: received {defect}; return an exact number, a "
            "truth value, text, or a set, list or mapping of these, and put a point at which it is undefined into "
            "`assumptions` or `defined`"
        )


def _defect(value: Any) -> str:
    """Describe the part of a value that is no exact value: None, NaN, a float, an unknown type; else empty."""
    if isinstance(value, (str, bool, int, Fraction, ExactReal)):
        return ""
    if isinstance(value, Mapping):
        value = value.values()
    if isinstance(value, (set, frozenset, tuple, list, type({}.values()))):
        return next(filter(None, map(_defect, value)), "")
    if isinstance(value, StatedBound):
        return _defect(value.value)
    if isinstance(value, Enclosure):
        return _defect((value.low, value.high))
    if _is_expression(value):
        import sympy as sp

        if value.has(sp.nan, sp.zoo, sp.I) or value.is_extended_real is False:
            return f"{value}, which is no real number"
        return f"{value}, which has a floating-point number" if value.has(sp.Float) else ""
    if not isinstance(value, Number) or isinstance(value, complex):
        return "None" if value is None else f"a value of the type {type(value).__name__}"
    if value != value:
        return "nan"
    if isinstance(value, Real) and value in (inf, -inf):
        return ""
    return "" if isinstance(value, Rational) else "a floating-point number"


def agrees(theory: Any, computed: Any) -> bool:
    """Return whether the true value is as the statement says: equal, or within a ``StatedBound``; the test is exact.

    Raises:
        InvalidParameterError: the values cannot be compared.
    """
    if isinstance(theory, StatedBound):
        for value in (computed,) if theory.strength == "rounds-to" else (theory.value, computed):
            kind = "a number" if isinstance(value, Enclosure) else _kind(value)
            kind = "infinity" if theory.strength == "rounds-to" and value in (inf, -inf) else kind
            if kind != "a number":
                raise InvalidParameterError(f"a bound is of numbers: received {kind}; let both sides return numbers")
        if theory.strength == "rounds-to":
            return _rounds_to(theory.value, computed)
        return _compares(theory.value, computed, SIGNS[theory.strength])
    for value in (theory, computed):
        _kind(value)
    if isinstance(theory, Mapping) and isinstance(computed, Mapping):
        same = [agrees(theory[key], computed[key]) for key in theory if key in computed]
        return theory.keys() == computed.keys() and all(same)
    if isinstance(theory, (tuple, list)) and isinstance(computed, (tuple, list)):
        return len(theory) == len(computed) and all(map(agrees, theory, computed))
    if any(isinstance(value, Enclosure) for value in (theory, computed)):
        return _compares(theory, computed, {0})
    _require_one_kind(theory, computed)
    return bool(theory == computed)


def _require_one_kind(theory: Any, computed: Any) -> None:
    """Reject two values of different kinds, since their inequality would decide nothing about the statement."""
    kinds = {_kind(theory), _kind(computed)}
    if isinstance(theory, (set, frozenset)) and isinstance(computed, (set, frozenset)):
        said, true = ({_kind(part) for part in side} for side in (theory, computed))
        kinds = said | true if said and true and not said & true else kinds
    if len(kinds) > 1:
        raise InvalidParameterError(
            f"the two sides are of different kinds: received {' and '.join(sorted(kinds))}; let both return the same"
        )


def _kind(value: Any) -> str:
    """Return the kind of a value in words.

    Raises:
        InvalidParameterError: the type of the value defines its own comparisons.
    """
    own = takewhile(lambda kind: kind not in _PLAIN, type(value).__mro__ if isinstance(value, _PLAIN) else ())
    if any(_COMPARISONS & set(vars(kind)) for kind in own):
        raise InvalidParameterError(
            f"a value compares itself in its own way: received {type(value).__name__}; let both sides return a number, "
            "a set, a list or text as they are"
        )
    for kind, types in _KINDS.items():
        if isinstance(value, types):
            return kind
    return "a number" if _is_expression(value) else type(value).__name__


def _is_expression(value: Any) -> bool:
    """Return whether a value is an expression of SymPy, which is loaded if there is one."""
    sympy = sys.modules.get("sympy")
    return sympy is not None and isinstance(value, sympy.Expr)


def _compares(theory: Any, computed: Any, allowed: set[int]) -> bool:
    """Return whether the sign of the true minus the stated value is allowed.

    Raises:
        InvalidParameterError: the enclosure of an irrational number is too wide to decide.
    """
    (least, most), (low, high) = (
        (value.low, value.high) if isinstance(value, Enclosure) else (value, value) for value in (theory, computed)
    )
    possible = {-1: low < most, 0: low <= most and least <= high, 1: least < high}
    signs = {sign for sign, is_possible in possible.items() if is_possible}
    if not signs or (signs & allowed and not signs <= allowed):
        raise InvalidParameterError(f"{computed} against {theory} is not decided: let the enclosure be narrower")
    return signs <= allowed


def _rounds_to(theory: Any, computed: Any) -> bool:
    """Return whether the value, or every point of an enclosure, rounds to the printed decimal (half away from zero)."""
    text = str(theory)
    if not re.fullmatch(r"-?\d+(\.\d+)?", text, re.ASCII):
        raise InvalidParameterError(f'no printed decimal: received {shown(text)}; write a text such as "2.37"')
    unit = Fraction(1, 10 ** len(text.partition(".")[2]))
    printed = Fraction(text)
    low, high = (computed.low, computed.high) if isinstance(computed, Enclosure) else (computed, computed)
    if printed < 0 or text.startswith("-"):
        printed, low, high = -printed, -high, -low
    above = low >= printed - unit / 2 if printed else low > -unit / 2
    return bool(above and high < printed + unit / 2)


def relation_of(says: Mapping[str, Any]) -> str:
    """Describe how the true values should compare with those that the statement gives: values, bounds, or both."""
    bounds = [isinstance(value, StatedBound) for value in says.values()]
    if not any(bounds):
        return "equal to what the statement says"
    if all(bounds):
        return "within the bounds that the statement gives"
    return "equal to what the statement says, and within its bounds"
