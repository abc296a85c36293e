"""Drawings: one function for each kind of picture, and their common marks and texts.

Levels, designs and values are printed exactly if the text is short; otherwise they are marked as decimals. Pictures of
regions and of n Var mark all optimal designs and a given mechanism.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.exact import Delta, Epsilon, as_text, both_texts, decimal_text
from rropt.mechanisms import Mechanism
from rropt.mechanisms.decimals import decimal_of, private_decimals
from rropt.plots.data.designs import Coordinate
from rropt.plots.data.feasible_regions import Axes, NamedDesign, RegionPicture, design_point
from rropt.plots.styles import SHORT_TEXT, SHOWN_DIGITS

if TYPE_CHECKING:
    from matplotlib.artist import Artist

    from rropt.plots.picture_layout import PictureLayout


# ruff: noqa: RUF001  (typographic signs are meant)


_LONG = 12  # characters: an exact level up to here stands in a caption


def level_text(epsilon: Epsilon, delta: Delta) -> str:
    """Return a level: ``ε = log(2) ≈ 0.6931, δ = 1/4``."""
    return f"ε {_with_decimal(epsilon)}, {delta_text(delta)}"


def delta_text(delta: Delta) -> str:
    """Return the slack: ``δ = 1/4``."""
    return f"δ {_with_decimal(delta)}"


def value_text(value: Fraction | Coordinate) -> str:
    """Return a value with its relation sign: ``= 15/16 = 0.9375`` if that is short, otherwise ``≈ 4.127``."""
    exact = value.rational if isinstance(value, Coordinate) else value
    if exact is not None and len(as_text(exact)) <= SHORT_TEXT:
        decimal = decimal_text(exact, SHOWN_DIGITS)
        rounded = Fraction(decimal) != exact
        return f"= {as_text(exact)} ≈ {decimal}" if rounded else f"= {both_texts(exact, SHOWN_DIGITS)}"
    return f"≈ {decimal_text(float(value), SHOWN_DIGITS)}"


def mechanism_text(mechanism: Mechanism) -> str:
    """Return the name of a mechanism, or its coordinates if it has none."""
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
    """Return the coordinates of a design: ``(1, 1/4)``, or ``p₀₀ = p₁₁ ≈ 0.6224`` if the number is long."""
    p00, p11 = (p.short(up=design.inwards_is_up) for p in (design.p00, design.p11))
    if str(design.p00) == str(design.p11) and p00.startswith("≈"):
        return f"p₀₀ = p₁₁{separator}{p00.replace('≈', '≈ ')}"
    return f"({p00}, {p11})"


def numbers_text(numbers: Sequence[Epsilon | Delta]) -> str:
    """Return numbers with their relation sign: exact if all are short, otherwise as decimals."""
    if all(len(str(number)) <= _LONG for number in numbers):
        return f"= {', '.join(str(number) for number in numbers)}"
    return f"≈ {', '.join(decimal_text(float(number), SHOWN_DIGITS) for number in numbers)}"


def _with_decimal(number: Epsilon | Delta) -> str:
    text = numbers_text([number])
    is_rational = number.kind == "rational"
    return text if is_rational or text.startswith("≈") else f"{text} ≈ {decimal_text(float(number), SHOWN_DIGITS)}"


Key = list[tuple["Artist | None", str]]

_SHORT_RANGE = 200  # ends of a logarithmic axis whose quotient is less have room for three numbers in a decade

# where a letter stands best, in degrees
_DIRECTIONS = {"A": 0, "B": 0, "C": 45, "D": 45, "E": 45, "B'": 0, "C'": 225, "D'": 90}
_STRETCHED = {"A": 100, "B": 135, "C": 90, "D": 45, "E": 80}
_THIN = 0.2  # p00 + p11 - 1 of C: below it, its letter has no room inside


def mark_optimum(sheet: PictureLayout, picture: RegionPicture, axes: Axes = "design") -> Key:
    """Mark all optimal designs, and the segment between them if there are two."""
    optimum, style = picture.optimum, sheet.style
    if optimum is None:
        return []
    look = {"marker": "*", "markersize": 8.5 * style.size.line, "color": style.palette.accent, "linestyle": "none"}
    look |= {"markeredgecolor": "black", "markeredgewidth": 0.6, "clip_on": False, "zorder": 9}
    segment = optimum.solution.optimal_set
    if segment:
        ends = [design_point(*end, axes) for end in (segment.after, segment.through)]
        line = {"color": style.palette.accent, "linewidth": 3 * style.size.line, "solid_capstyle": "butt"}
        sheet.axes.plot(*zip(*ends, strict=True), clip_on=False, zorder=5, **line)
    star: Any = None
    for name in optimum.names:
        (star,) = sheet.axes.plot(*picture.design(name).point(axes), **look)
    return [(star, _optimum_text(picture))]


def mark_mechanism(
    sheet: PictureLayout, picture: RegionPicture, axes: Axes = "design", variance: Fraction | None = None
) -> Key:
    """Mark the given mechanism and state whether it is private at the level."""
    mechanism, style = picture.mechanism, sheet.style
    if mechanism is None:
        return []
    look = {"marker": "X", "markersize": 6 * style.size.line, "color": "white", "linestyle": "none"}
    look |= {"markeredgecolor": "black", "markeredgewidth": style.size.line, "clip_on": False, "zorder": 10}
    point = design_point(mechanism.p00, mechanism.p11, axes)
    cross: Any = None
    if in_frame(sheet, point):
        (cross,) = sheet.axes.plot(*point, **look)
    where = "private at this level"
    if not picture.contains_mechanism():
        least = mechanism.delta(picture.region.epsilon)
        where = f"not private: at this ε it needs δ {_least_delta(least)}"
    value = "" if variance is None else f", n Var {value_text(variance)}"
    beyond = "" if cross else "; outside the frame"
    return [(cross, f"{mechanism_text(mechanism)}: {where}{value}{beyond}")]


def in_frame(sheet: PictureLayout, point: tuple[float, float]) -> bool:
    """Return whether a point lies within the limits of the axes."""
    (left, right), (low, high) = sheet.axes.get_xlim(), sheet.axes.get_ylim()
    return bool(left <= point[0] <= right and low <= point[1] <= high)


def direction(design: NamedDesign, axes: Axes = "design", *, inside: bool = False) -> float:
    """Return the direction of a letter in degrees: away from the centre of the square, or inside if there is no room.

    Args:
        design: a vertex.
        axes: the axes of the picture.
        inside: whether the letter of C is placed inside the region if there is room.
    """
    name = design.names[0]
    if axes == "stretched":
        return _STRETCHED[name]
    if name == "C" and (float(design.p00) > 0.8 or (inside and float(design.p00) > 0.5 + _THIN / 2)):
        return 225
    if design.is_mirrored and (len(design.names) > 2 or (name == "C'" and float(design.p00) < 0.2)):
        return 45
    return _DIRECTIONS[name]


def plain_ticks(axis: Any) -> None:
    """Label a logarithmic axis with plain numbers; a short axis is also labelled at 2 and 5 times the powers of ten."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    subs = (1, 2, 5) if high < _SHORT_RANGE * low else (1,)
    axis.set_major_locator(LogLocator(subs=subs, numticks=12))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}" if value < 1e6 else f"{value:.0e}"))
    axis.set_minor_formatter(NullFormatter())


def _optimum_text(picture: RegionPicture) -> str:
    optimum = picture.optimum
    if optimum is None:
        return ""
    segment = optimum.solution.optimal_set
    rest = ""
    if segment:
        rest = f"; all optimal designs: {segment}".replace("p00", "p₀₀").replace("p11", "p₁₁").replace("<=", "≤")
    where = (" = " if len(optimum.names) == 3 else " and ").join(optimum.names)  # all three coincide, at delta = 1
    value = value_text(optimum.solution.value)
    return f"optimal at prevalence {optimum.prevalence}: {where}, n Var {value}{rest}"


def _least_delta(delta: Any) -> str:
    text = str(delta)
    return f"= {text}" if len(text) <= 12 else f"≈ {float(delta):.4g}"
