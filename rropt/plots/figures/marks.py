"""What pictures of regions and of landscapes mark alike: the optimum with its ties, and a mechanism."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rropt.plots.data.regions import Axes, NamedDesign, RegionPicture, design_point
from rropt.plots.figures.texts import mechanism_text, value_text

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.artist import Artist

    from rropt.plots.sheets import Sheet

__all__ = ["Key", "direction", "in_frame", "mark_mechanism", "mark_optimum"]

Key = list[tuple["Artist | None", str]]

# where a letter stands best, in degrees
_DIRECTIONS = {"A": 0, "B": 0, "C": 45, "D": 45, "E": 45, "B'": 0, "C'": 225, "D'": 90}
_STRETCHED = {"A": 150, "B": 135, "C": 90, "D": 45, "E": 30}


def mark_optimum(sheet: Sheet, picture: RegionPicture, axes: Axes = "design") -> Key:
    """Mark the optimal designs, ties included, and the segment that they span where it is one."""
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
    sheet: Sheet, picture: RegionPicture, axes: Axes = "design", variance: Fraction | None = None
) -> Key:
    """Mark the mechanism that was given, and say whether it is private at the level."""
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


def in_frame(sheet: Sheet, point: tuple[float, float]) -> bool:
    """Return whether a point lies within the limits of the axes."""
    (left, right), (low, high) = sheet.axes.get_xlim(), sheet.axes.get_ylim()
    return bool(left <= point[0] <= right and low <= point[1] <= high)


def direction(design: NamedDesign, axes: Axes = "design") -> float:
    """Return where a letter stands best: away from the square's middle, but at C inside where there is no room."""
    name = design.names[0]
    if axes == "stretched":
        return _STRETCHED[name]
    if name == "C" and float(design.p00) > 0.8:
        return 225
    if name == "C'" and float(design.p00) < 0.2:
        return 45
    return _DIRECTIONS[name]


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
