"""A picture as data: axes, curves, areas, texts and a key.

The functions of ``draw_*.py`` describe a picture by the methods of a ``Chart``, which have the names and arguments of
those of matplotlib's axes. ``layouts`` finds the places of its texts, and two writers draw it: ``svg_pictures``, which
needs no library, and ``matplotlib_pictures``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from rropt.core.errors import one_of

Point = tuple[float, float]
Dashes = str | tuple[float, tuple[float, ...]]
Box = Literal["", "square", "round"]


class Size(NamedTuple):
    """Width of a figure and of its axes in inches (the key stands beside narrower axes), font and lines in points."""

    width: float
    plot: float
    font: float
    line: float
    dpi: int


SIZES = {
    "paper": Size(3.4, 3.4, 8, 1.1, 300),
    "wide": Size(7.0, 4.1, 8, 1.2, 300),
    "screen": Size(11.0, 6.9, 12, 1.8, 100),
}
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
DASHES: tuple[Dashes, ...] = (
    "solid",
    (0, (5, 1.6)),
    (0, (1.2, 1.4)),
    (0, (6, 1.5, 1.2, 1.5)),
    (0, (8, 2.5)),
    (0, (3, 1.2, 1.2, 1.2, 1.2, 1.2)),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "h")
INCH = 72  # points
PAD = 0.06  # inches around the parts
_MARGIN = 0.05  # of the range of the data, on each side of an axis without limits


def size_of(name: str) -> Size:
    """Return the lengths of a size.

    Raises:
        InvalidParameterError: an unknown name.
    """
    return SIZES[one_of(name, SIZES, "size")]


@dataclass(slots=True)
class Axis:
    """An axis: its name, its limits (of the data if they are ``None``), its scale, and its ticks (chosen if ``None``).

    ``is_turned``: the numbers stand upright; ``has_marks``: there is a short line at each; ``has_grid``: a long one.
    """

    label: str = ""
    low: float | None = None
    high: float | None = None
    is_log: bool = False
    ticks: tuple[tuple[float, str], ...] | None = None
    is_turned: bool = False
    has_marks: bool = True
    has_grid: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """How a curve is drawn; the names and the units (points, dashes in widths of the line) are those of matplotlib."""

    color: str = "black"
    linestyle: Dashes = "solid"
    linewidth: float | None = None
    marker: str = ""
    markersize: float | None = None
    markerfacecolor: str | None = None
    markeredgecolor: str | None = None
    zorder: float = 2
    clip_on: bool = True
    solid_capstyle: Literal["projecting", "butt"] = "projecting"


@dataclass(frozen=True, slots=True)
class Curve:
    """A polyline or separate markers; without points a line of the key alone. ``nan`` interrupts it."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    look: Look
    label: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A line through the whole frame: upright at an x, or level at a y."""

    at: float
    is_upright: bool
    look: Look
    label: str = ""


@dataclass(frozen=True, slots=True)
class Area:
    """A polygon. ``tint`` is the part of its colour in a mixture with white; ``inside`` a polygon that cuts it off."""

    corners: tuple[Point, ...]
    label: str = ""
    facecolor: str = "none"
    tint: float = 1.0
    edgecolor: str = "none"
    linewidth: float | None = None
    hatch: Literal["", "////", "...."] = ""
    zorder: float = 1
    clip_on: bool = True
    inside: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Cells:
    """A matrix as cells, from white (0) to a colour (the largest entry); row 0 is above."""

    matrix: tuple[tuple[float, ...], ...]
    top: float
    color: str


@dataclass(frozen=True, slots=True)
class Writing:
    """A text, centred at its place, on a white box, in a coloured round box, or without a box."""

    x: float
    y: float
    text: str
    box: Box = ""


@dataclass(frozen=True, slots=True)
class PointName:
    """A text beside a point; its direction in degrees is the one that is tried first."""

    x: float
    y: float
    text: str
    towards: float


@dataclass(frozen=True, slots=True)
class CurveName:
    """A text that interrupts a curve, somewhere along it."""

    pieces: tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]
    text: str


Mark = Curve | Rule | Area | Cells | Writing | PointName | CurveName


@dataclass(slots=True)
class Chart:
    """A description of a picture.

    Attributes:
        size: its lengths.
        x, y: the axes.
        aspect: height of the frame over its width.
        least_height: of the frame, as a multiple of the font size.
        sides: the sides of the frame that are drawn.
        marks: what is drawn, in the order of the key.
    """

    size: Size = SIZES["paper"]
    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)
    aspect: float = 0.75
    least_height: float = 0.0
    sides: frozenset[str] = frozenset({"left", "right", "top", "bottom"})
    marks: list[Mark] = field(default_factory=list)
    _curves: int = 0

    @property
    def room(self) -> float:
        """The width of the axes without their numbers and names, as a multiple of the font size."""
        return (self.size.plot - 2 * PAD) * INCH / self.size.font

    def set(
        self,
        *,
        xlabel: str | None = None,
        ylabel: str | None = None,
        xlim: Point | None = None,
        ylim: Point | None = None,
        xscale: str | None = None,
        yscale: str | None = None,
        aspect: float | None = None,
        least_height: float | None = None,
    ) -> None:
        """Set names, limits and scales of the axes, and the shape of the frame."""
        for axis, label, limits, scale in ((self.x, xlabel, xlim, xscale), (self.y, ylabel, ylim, yscale)):
            axis.label = axis.label if label is None else label
            axis.low, axis.high = (axis.low, axis.high) if limits is None else map(float, limits)
            axis.is_log = axis.is_log if scale is None else scale == "log"
        self.aspect = self.aspect if aspect is None else aspect
        self.least_height = self.least_height if least_height is None else least_height

    def plot(self, x: Iterable[Any], y: Iterable[Any], *, label: str = "", **look: Any) -> None:
        """Add a curve; without a colour it has the look of the next curve."""
        if "color" not in look:
            look = look_of(self._curves) | look
            self._curves += 1
        self.marks.append(Curve(tuple(map(float, x)), tuple(map(float, y)), Look(**look), label))

    def say(self, text: str) -> None:
        """Add a line without a sample to the key."""
        self.plot((), (), label=text, color="none", linestyle="none")

    def axhline(self, y: float, *, label: str = "", **look: Any) -> None:
        """Add a level line through the whole frame."""
        self.marks.append(Rule(float(y), False, Look(**look), label))

    def axvline(self, x: float, *, label: str = "", **look: Any) -> None:
        """Add an upright line through the whole frame."""
        self.marks.append(Rule(float(x), True, Look(**look), label))

    def polygon(self, corners: Iterable[Sequence[Any]], label: str = "", **look: Any) -> None:
        """Add a filled polygon."""
        self.marks.append(Area(tuple((float(x), float(y)) for x, y in corners), label, **look))

    def fill_between(self, x: Iterable[Any], low: Iterable[Any], high: Iterable[Any], **look: Any) -> None:
        """Fill what lies between two curves; ``nan`` interrupts it."""
        triples = [tuple(map(float, each)) for each in zip(x, low, high, strict=True)]
        runs: list[list[tuple[float, ...]]] = [[]]
        for triple in triples:
            if all(map(math.isfinite, triple)):
                runs[-1].append(triple)
            elif runs[-1]:
                runs.append([])
        label = look.pop("label", "")
        for i, run in enumerate(filter(None, runs)):
            above = [(at, top) for at, _, top in run]
            below = [(at, bottom) for at, bottom, _ in reversed(run)]
            self.polygon([*above, *below], label if i == 0 else "", **look)

    def cells(self, matrix: Iterable[Iterable[Any]], color: str) -> None:
        """Add a matrix as cells; they fill the frame, row 0 above."""
        rows = tuple(tuple(map(float, row)) for row in matrix)
        self.marks.append(Cells(rows, max(map(max, rows)), color))
        self.set(xlim=(-0.5, len(rows[0]) - 0.5), ylim=(len(rows) - 0.5, -0.5))

    def text(self, x: float, y: float, text: str, box: Box = "") -> None:
        """Write a text, centred at a place."""
        self.marks.append(Writing(float(x), float(y), text, box))

    def name_points(self, points: Iterable[tuple[Sequence[Any], str, float]]) -> None:
        """Write texts beside points, each towards its direction in degrees if there is room."""
        self.marks += [PointName(float(x), float(y), text, towards) for (x, y), text, towards in points]

    def name_curve(self, pieces: Iterable[Sequence[Iterable[Any]]], text: str) -> None:
        """Write a text into a curve, where it has room."""
        found = tuple((tuple(map(float, x)), tuple(map(float, y))) for x, y in pieces)
        if found:
            self.marks.append(CurveName(found, text))

    def limits(self) -> tuple[Point, Point]:
        """Return the limits of both axes: those that are set, or the range of the data and a margin."""
        x, y = (self._limits(axis, values) for axis, values in zip((self.x, self.y), self._data(), strict=True))
        return x, y

    def key(self) -> list[Curve | Rule | Area]:
        """Return what has a line in the key."""
        return [mark for mark in self.marks if isinstance(mark, Curve | Rule | Area) and mark.label]

    def _data(self) -> tuple[list[float], list[float]]:
        x: list[float] = []
        y: list[float] = []
        for mark in self.marks:
            match mark:
                case Curve():
                    x += mark.x
                    y += mark.y
                case Area():
                    x += [corner[0] for corner in mark.corners]
                    y += [corner[1] for corner in mark.corners]
                case Rule(at, is_upright):
                    (x if is_upright else y).append(at)
        return x, y

    @staticmethod
    def _limits(axis: Axis, values: Iterable[float]) -> Point:
        shown = [value for value in values if math.isfinite(value) and not (axis.is_log and value <= 0)]
        scale, back = (math.log, math.exp) if axis.is_log else (float, float)
        least, most = (min(shown), max(shown)) if shown else (1.0, 10.0) if axis.is_log else (0.0, 1.0)
        low, high = scale(least), scale(most)
        margin = _MARGIN * (high - low) or _MARGIN * (1 if axis.is_log else abs(low) or 1)
        return (
            back(low - margin) if axis.low is None else axis.low,
            back(high + margin) if axis.high is None else axis.high,
        )


def look_of(i: int) -> dict[str, Any]:
    """Return colour and dashes of the i-th curve."""
    return {"color": COLORS[i % len(COLORS)], "linestyle": DASHES[i % len(DASHES)]}


def segments(curve: Curve) -> Iterator[list[Point]]:
    """Yield the parts of a curve between its interruptions."""
    part: list[Point] = []
    for point in zip(curve.x, curve.y, strict=True):
        if all(map(math.isfinite, point)):
            part.append(point)
        elif part:
            yield part
            part = []
    if part:
        yield part


def along(points: Sequence[Point], step: float) -> Iterator[Point]:
    """Yield points along a polyline, at most ``step`` apart."""
    yield from points[:1]
    for (a, b), (c, d) in pairwise(points):
        count = max(1, math.ceil(math.dist((a, b), (c, d)) / step))
        yield from ((a + (c - a) * i / count, b + (d - b) * i / count) for i in range(1, count + 1))


def resized(chart: Chart, size: Size) -> Chart:
    """Return the same description with other lengths."""
    return replace(chart, size=size)
