"""Pictures of binary designs: the feasible region, n Var over it, and the threshold g between two optimal designs."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.exact import as_text, decimal_text
from rropt.mechanisms.decimals import decimal_of, private_decimals
from rropt.plots.charts import COLORS, Chart, Point, look_of
from rropt.plots.data.region_pictures import Axes, NamedDesign, RegionPicture, design_point, region_picture
from rropt.plots.data.threshold_pictures import ThresholdPicture, threshold_picture
from rropt.plots.data.variance_pictures import VariancePicture, level_curve, variance_picture
from rropt.plots.drawing import (
    DARK,
    DOT,
    FILL,
    LIGHT,
    SHORT_TEXT,
    SHOWN_DIGITS,
    TEXTS,
    level_text,
    marked,
    picture,
    unit_square,
    value_text,
)

if TYPE_CHECKING:
    from rropt.mechanisms import Mechanism
    from rropt.plots.figures import Figure

# where a letter stands best, in degrees
_DIRECTIONS = {"A": 0, "B": 0, "C": 45, "D": 45, "E": 45, "B'": 0, "C'": 225, "D'": 90}
_STRETCHED = {"A": 100, "B": 135, "C": 90, "D": 45, "E": 80}
_WIDE = 1.15  # stretched axes leave this much room for the letters
_X, _Y = "p₀₀ = Pr(response 0 | truth 0)", "p₁₁ = Pr(response 1 | truth 1)"


@picture(region_picture, RegionPicture)
def region(chart: Chart, found: RegionPicture) -> str:
    """Return a picture of the region of feasibility R: Holohan, Leith and Mason (2016), equation (12).

    R' (p00 + p11 > 1) is emphasized; A = (1, 0), B = (1, delta), C where both inequalities (11) are tight,
    D = (delta, 1) and E = (0, 1) are its vertices, primed letters their mirror images under relabelled answers.

    Args:
        epsilon, delta: the level, in any exact form.
        prevalence: pi in [0, 1]; when given, the certified optimum is marked.
        mechanism: a binary mechanism to be marked; whether it lies in R is decided exactly.
        size: ``"paper"`` (one column, 3.4 in), ``"wide"`` (two columns, 7 in) or ``"screen"``.
        ax: axes of matplotlib that the picture is also drawn on, with the key below them
            (``layout="constrained"`` makes room).

    Returns:
        A ``Figure`` of rropt: notebooks show it, ``save`` writes it, and ``to_matplotlib`` returns a figure of
        matplotlib to be changed further.

    Raises:
        InvalidParameterError: a parameter of the wrong form or out of range.
        InvalidMechanismError: the mechanism is not binary.
        InfeasibleError: a prevalence is given and epsilon = delta = 0.
        MissingExtraError: axes are given, and matplotlib is not installed.

    >>> figure = region("log(2)", "1/4", prevalence="1/4")
    >>> "optimal at prevalence 1/4: B and C, n Var = 15/16 = 0.9375" in figure.text
    True
    """
    unit_square(chart, _X, _Y)
    if not found.region.is_uninformative:
        inner = found.outline(informative=True)
        chart.polygon(inner, "R′: private designs with p₀₀ + p₁₁ > 1", facecolor=FILL, zorder=3)
        chart.polygon(found.outline(), "R: all private designs", facecolor=LIGHT, zorder=2)
        chart.polygon(found.outline(), edgecolor="black", linewidth=0.7, zorder=4, clip_on=False)
    text = "p₀₀ + p₁₁ = 1: " + ("all of R; R′ is empty" if found.region.is_uninformative else "uninformative responses")
    chart.plot([0, 1], [1, 0], color="black", linestyle=(0, (1, 2)), linewidth=0.8, zorder=3.5, label=text)
    _tight_lines(chart, found)
    corners = [design for design in found.designs if design.is_vertex]
    for design in corners:
        _dot(chart, design.point(), markersize=3)
    _mark(chart, found)
    corners.sort(key=lambda design: (design.is_mirrored, design.names))
    texts = [_name(one) + ("" if one.is_mirrored else f" {coordinates_text(one, chr(10))}") for one in corners]
    turns = [_direction(design) for design in corners]
    chart.name_points(zip([design.point() for design in corners], texts, turns, strict=True))
    level = level_text(found.region.epsilon, found.region.delta)
    is_mirrored = any(design.is_mirrored for design in found.designs)
    return TEXTS["region"].format(level=level, mirrored=TEXTS["region-mirrored"] * is_mirrored)


def _dot(chart: Chart, point: Point, **look: Any) -> None:
    chart.plot([point[0]], [point[1]], **DOT | look)


def _tight_lines(chart: Chart, found: RegionPicture) -> None:
    """Draw where (11a) and (11b) are tight, through the whole square; at delta = 1 they touch it in a corner only."""
    gamma, delta = float(found.region.epsilon.exact_gamma()), float(found.region.delta)
    end = 1 - (1 - delta) / gamma
    first, second = {"color": COLORS[0], "linestyle": "solid"}, {"color": COLORS[1], "linestyle": (0, (4, 1.5))}
    look = {"linewidth": 1.7, "clip_on": False, "zorder": 5}
    if found.region.delta.rational == 1:
        chart.say("(11a), (11b): no restriction at δ = 1")
    elif found.region.epsilon.gamma == 1:
        chart.plot([1, delta], [delta, 1], label="(11a) and (11b), the same line at γ = 1", **first, **look)
    else:
        chart.plot([1, end], [delta, 1], label="(11a) p₁₁ = γ(1 − p₀₀) + δ", **first, **look)
        chart.plot([delta, 1], [1, end], label="(11b) p₀₀ = γ(1 − p₁₁) + δ", **second, **look)


def _mark(chart: Chart, found: RegionPicture, plane: Axes = "design", variance: Fraction | None = None) -> None:
    """Mark all optimal designs with the segment between them, and the given mechanism."""
    optimum, mechanism = found.optimum, found.mechanism
    edge: dict[str, Any] = {"markeredgecolor": "black", "linestyle": "none", "clip_on": False}
    if optimum is not None:
        segment = optimum.solution.optimal_set
        if segment:
            ends = [design_point(*end, plane) for end in (segment.after, segment.through)]
            x, y = zip(*ends, strict=True)
            line: dict[str, Any] = {"linewidth": 3, "solid_capstyle": "butt", "zorder": 5, "clip_on": False}
            chart.plot(x, y, color=COLORS[1], linestyle="solid", **line)
        x, y = zip(*(found.design(name).point(plane) for name in optimum.names), strict=True)
        chart.plot(x, y, marker="*", markersize=10, color=COLORS[1], zorder=9, label=_optimum_text(found), **edge)
    if mechanism is None:
        return
    where = "private at this level"
    if not found.region.contains(mechanism):
        least = mechanism.delta(found.region.epsilon)
        short = f"= {least}" if len(str(least)) <= 12 else f"≈ {float(least):.4g}"
        where = f"not private: at this ε it needs δ {short}"
    text = f"{mechanism_text(mechanism)}: {where}" + (f", n Var {value_text(variance)}" if variance is not None else "")
    at = design_point(mechanism.p00, mechanism.p11, plane)
    (left, right), (low, high) = chart.limits()
    if left <= at[0] <= right and low <= at[1] <= high:
        chart.plot([at[0]], [at[1]], marker="X", markersize=7, color="white", zorder=10, label=text, **edge)
    else:
        chart.say(f"{text}; outside the frame")


def _direction(design: NamedDesign) -> float:
    """Return where a letter stands in degrees: away from the centre of the square, C inside where it has room."""
    name, p00 = design.names[0], float(design.p00)
    if name == "C" and p00 > 0.6:
        return 225
    if design.is_mirrored and (len(design.names) > 2 or (name == "C'" and p00 < 0.2)):
        return 45
    return _DIRECTIONS[name]


@picture(variance_picture, VariancePicture)
def variance(chart: Chart, found: VariancePicture) -> str:
    """Return a picture of n Var over R' with all optimal designs marked.

    ``n Var = lambda (1 - lambda) / (p00 + p11 - 1)^2``, ``lambda = Pr(answer 1)`` (Holohan, Leith and Mason 2016,
    equation (6)); its level curves are halves of ellipses through (1, 0) and (0, 1) drawn in closed form.

    Args:
        epsilon, delta: the level, in any exact form, not (0, 0).
        prevalence: pi in [0, 1].
        mechanism: a binary mechanism to be marked, with its n Var.
        axes: ``"design"``: (p00, p11); ``"stretched"``: (p11 - p00, p00 + p11 - 1), for thin regions; ``"auto"``
            takes the second when R' is less than 3/10 high over p00 + p11 = 1.
        size, ax: as for ``region``.

    Raises:
        InvalidParameterError, InvalidMechanismError, InfeasibleError, MissingExtraError: as for ``region``.

    >>> figure = variance("log(2)", "1/4", prevalence="1/4")
    >>> "B and C, n Var = 15/16 = 0.9375" in figure.text
    True
    """
    shape, plane, pi = found.shape, found.axes, found.optimum.prevalence
    if plane == "design":
        unit_square(chart, _X, _Y)
    else:
        chart.set(xlim=(-_WIDE, _WIDE), ylim=(0, found.height * _WIDE), aspect=0.75)
        chart.x.ticks = ((-1, "−1"), (-0.5, "−0.5"), (0, "0"), (0.5, "0.5"), (1, "1"))
        chart.set(xlabel="p₁₁ − p₀₀", ylabel="p₀₀ + p₁₁ − 1")
    _landscape(chart, found)
    corners = [design for design in shape.designs if design.is_vertex and design.height.sign >= 0]
    for design in corners:
        _dot(chart, design.point(plane), markersize=3)
    _mark(chart, shape, plane, found.mechanism_variance())
    for name, value in found.candidates.items():
        design = shape.design(name)
        if name == design.names[0]:
            chart.say(f"{_name(design)} {coordinates_text(design)}: n Var {value_text(value)}")
    turns = [_STRETCHED[one.names[0]] if plane == "stretched" else _DIRECTIONS[one.names[0]] for one in corners]
    points = [design.point(plane) for design in corners]
    chart.name_points(zip(points, map(_name, corners), turns, strict=True))
    level = level_text(shape.region.epsilon, shape.region.delta)
    stretched = TEXTS["variance-stretched"] * (plane == "stretched")
    return TEXTS["variance"].format(pi=pi, level=level, stretched=stretched)


def _landscape(chart: Chart, found: VariancePicture) -> None:
    """Fill R' from dark (least variance) to light, level by level, and draw the level curves in R' with their names."""
    border = found.shape.outline(found.axes, informative=True)
    chart.polygon(border, facecolor=DARK, zorder=2)
    for i, level in enumerate(found.levels, start=1):
        x, y = found.plane(*level_curve(level, found.optimum.prevalence))
        tint = 1 - i / len(found.levels)
        chart.polygon(zip(x, y, strict=True), facecolor=DARK, tint=tint, zorder=3, inside=tuple(border))
    line: dict[str, Any] = {"color": "black", "linestyle": "solid", "linewidth": 0.7}
    for level in found.levels:
        pieces = [found.plane(*piece) for piece in found.contour(level)]
        for x, y in pieces:
            chart.plot(x, y, zorder=4, **line)
        chart.name_curve(pieces, decimal_text(level, SHOWN_DIGITS))
    chart.plot([], [], label="level curves of n Var; darker is less", **line)
    chart.polygon(border, edgecolor="black", zorder=5, clip_on=False)


@picture(threshold_picture, ThresholdPicture)
def g(chart: Chart, found: ThresholdPicture) -> str:
    """Return a picture of level sets of ``g(epsilon, delta) = delta (gamma + delta) / (gamma + 2 delta - 1)^2``.

    For a prevalence pi <= 1/2 the corner (1, delta) is optimal where g > pi, the diagonal point
    ``p00 = p11 = (gamma + delta) / (gamma + 1)`` where g < pi, and both where g = pi; for pi > 1/2 read 1 - pi and
    (delta, 1) (Holohan, Leith and Mason 2016, Theorem 3, Corollary 2, Figure 1).

    Args:
        levels: values of g, rational, 0 < level <= 1; those up to 1/2 are prevalences.
        epsilon_range, delta_range: the ranges drawn, (low, high), in any exact form.
        marks: pairs (epsilon, delta) to be marked, with their exact g.
        size, ax: as for ``region``.

    Raises:
        InvalidParameterError: a level or a range outside its domain, or too many.
        InfeasibleError: a mark at epsilon = delta = 0.

    >>> figure = g(marks=[("log(2)", "1/4")])
    >>> "g = 1/4 = 0.25" in figure.text
    True
    """
    low, high = map(float, found.epsilon)
    chart.set(xlim=(low, high), ylim=(float(found.delta[0]), float(found.delta[1])), aspect=0.85)
    chart.set(xlabel="ε (nats)", ylabel="δ")
    for i, (level, (x, y)) in enumerate(zip(found.levels, found.curves, strict=True)):
        outside = not ((x >= low) & (x <= high)).any()
        text = as_text(level) if len(as_text(level)) <= SHORT_TEXT else decimal_text(level, SHOWN_DIGITS)
        chart.plot(x, y, label=f"g = {text}{'; outside the frame' * outside}", **look_of(i))
    for i, mark in enumerate(found.marks):
        text = f"{level_text(mark.epsilon, mark.delta)}: g {value_text(mark.value)}"
        _dot(chart, (float(mark.epsilon), float(mark.delta)), label=text, zorder=8, **marked(i))
    return TEXTS["g"]


def plot_solution(solution: Any, *, size: str = "paper", ax: Any = None) -> Figure:
    """Draw a design: of a yes-or-no question the region with the optimum, otherwise the matrix of the mechanism.

    Args:
        solution: a ``Solution``.
        size: ``"paper"``, ``"wide"`` or ``"screen"``.
        ax: axes of matplotlib that the picture is also drawn on.

    Raises:
        UnsupportedProblemError: the matrix is too large to be drawn.
    """
    from rropt.plots.draw_surveys import heat_map

    problem, mechanism = solution.problem, solution.mechanism
    level = getattr(problem.region, "epsilon", None)
    if mechanism.is_binary and level is not None and problem.population is not None:
        return region(level, problem.region.delta, prevalence=problem.population[1], size=size, ax=ax)
    return heat_map(mechanism, size=size, ax=ax)


def mechanism_text(mechanism: Mechanism) -> str:
    """Return the name of a mechanism, or its coordinates if it has none."""
    if mechanism.name:
        return mechanism.name
    found = private_decimals(mechanism.matrix, SHOWN_DIGITS)
    if found is None:
        return f"({as_text(mechanism.p00)}, {as_text(mechanism.p11)})"
    matrix, digits = found
    return f"({decimal_of(matrix[0][0], digits)}, {decimal_of(matrix[1][1], digits)})"


def coordinates_text(design: NamedDesign, separator: str = " ") -> str:
    """Return the coordinates of a design: ``(1, 1/4)``, or ``p₀₀ = p₁₁ ≈ 0.6224`` if the number is long."""
    p00, p11 = (p.short(up=design.inwards_is_up) for p in (design.p00, design.p11))
    if str(design.p00) == str(design.p11) and p00.startswith("≈"):
        return f"p₀₀ = p₁₁{separator}{p00.replace('≈', '≈ ')}"
    return f"({p00}, {p11})"


def _name(design: NamedDesign) -> str:
    """Return a design's letters: ``A = B``, ``C′``."""
    return design.label.replace("'", "′")


def _optimum_text(found: RegionPicture) -> str:
    optimum = found.optimum
    assert optimum is not None
    rest, segment = "", optimum.solution.optimal_set
    if segment:
        rest = f"; all optimal designs: {segment}".replace("p00", "p₀₀").replace("p11", "p₁₁").replace("<=", "≤")
    where = (" = " if len(optimum.names) == 3 else " and ").join(optimum.names)  # all three coincide, at delta = 1
    return f"optimal at prevalence {optimum.prevalence}: {where}, n Var {value_text(optimum.solution.value)}{rest}"
