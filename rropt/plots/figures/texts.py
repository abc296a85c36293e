"""How keys and captions write levels, designs and values: exact where that is short, with decimals marked as such."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.exact import Delta, Epsilon, as_text, both_texts, decimal_text
from rropt.mechanisms import Mechanism
from rropt.mechanisms.decimals import decimal_of, private_decimals
from rropt.plots._limits import SHORT_TEXT, SHOWN_DIGITS
from rropt.plots.data.coordinates import Coordinate
from rropt.plots.data.regions import NamedDesign

__all__ = ["coordinates_text", "delta_text", "level_text", "mechanism_text", "name_text", "numbers_text", "value_text"]

_LONG = 12  # characters: an exact level up to here stands in a caption


def level_text(epsilon: Epsilon, delta: Delta) -> str:
    """Return a level: ``ε = log(2) ≈ 0.6931, δ = 1/4``."""
    return f"ε {_with_decimal(epsilon)}, {delta_text(delta)}"


def delta_text(delta: Delta) -> str:
    """Return the slack: ``δ = 1/4``."""
    return f"δ {_with_decimal(delta)}"


def value_text(value: Fraction | Coordinate) -> str:
    """Return a value with its sign of equality: ``= 15/16 = 0.9375`` where that is short, else ``≈ 4.127``."""
    exact = value.rational if isinstance(value, Coordinate) else value
    if exact is not None and len(as_text(exact)) <= SHORT_TEXT:
        decimal = decimal_text(exact, SHOWN_DIGITS)
        rounded = Fraction(decimal) != exact
        return f"= {as_text(exact)} ≈ {decimal}" if rounded else f"= {both_texts(exact, SHOWN_DIGITS)}"
    return f"≈ {decimal_text(float(value), SHOWN_DIGITS)}"


def mechanism_text(mechanism: Mechanism) -> str:
    """Return how a mechanism is called: by its name, or by its coordinates."""
    if mechanism.name:
        return mechanism.name
    found = private_decimals(mechanism.matrix, SHOWN_DIGITS)
    if found is None:
        return f"({as_text(mechanism.p00)}, {as_text(mechanism.p11)})"
    matrix, digits = found
    return f"({decimal_of(matrix[0][0], digits)}, {decimal_of(matrix[1][1], digits)})"


def name_text(design: NamedDesign) -> str:
    """Return a design's letters: ``A = B``, ``C′``."""
    return design.label.replace("'", "′")


def coordinates_text(design: NamedDesign, separator: str = " ") -> str:
    """Return a design's coordinates: ``(1, 1/4)``; where p00 = p11 is no short fraction ``p₀₀ = p₁₁ ≈ 0.6224``."""
    p00, p11 = (p.short(up=design.inwards_is_up) for p in (design.p00, design.p11))
    if str(design.p00) == str(design.p11) and p00.startswith("≈"):
        return f"p₀₀ = p₁₁{separator}{p00.replace('≈', '≈ ')}"
    return f"({p00}, {p11})"


def numbers_text(numbers: Sequence[Epsilon | Delta]) -> str:
    """Return numbers with their sign of equality: exact unless one is long, then decimals."""
    if all(len(str(number)) <= _LONG for number in numbers):
        return f"= {', '.join(str(number) for number in numbers)}"
    return f"≈ {', '.join(decimal_text(float(number), SHOWN_DIGITS) for number in numbers)}"


def _with_decimal(number: Epsilon | Delta) -> str:
    text = numbers_text([number])
    is_rational = number.kind == "rational"
    return text if is_rational or text.startswith("≈") else f"{text} ≈ {decimal_text(float(number), SHOWN_DIGITS)}"
