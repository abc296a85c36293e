"""Places of the parts of a picture: the frame, numbers on the axes, names of points and curves, and the key.

Both writers draw with these places, so that what is apart in one of them is apart in the other. All lengths are points;
places count from the upper left corner. Nothing is random: equal charts have equal layouts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.plots.charts import (
    INCH,
    PAD,
    Area,
    Axis,
    Chart,
    Curve,
    CurveName,
    Point,
    PointName,
    Rule,
    Writing,
    along,
    segments,
)
from rropt.plots.text_widths import LINE, text_width, wrapped

SAMPLE = 4.2  # of the font size: what a sample takes before its text in the key
HANDLE = 3.4  # of it: the sample itself
GAP = 0.45  # between two entries of the key
TICK, SMALL_TICK, TICK_PAD, LABEL_PAD = 3.5, 2.0, 3.5, 4.0
BOX_PAD = {"": 0.0, "square": 0.12, "round": 0.35}  # of the font size, around a text
_ROUNDS = 6  # of finding margins: names of points move them
_AWAYS = (0.7, 1.3, 2.1, 3.2)  # of the font size: from a point to its name; beyond the second a line leads there
_LED = 2.0
_TURNS = (0, 45, -45, 90, -90, 135, -135, 180)
_CLOSE = 1.0  # of the font size: points that are closer share one text
_SMALL_LEAST = 3  # points: between two small ticks
_ON_TEXT, _ON_MARK, _ON_LINE, _AWAY, _TURN, _OUT = 1000.0, 40.0, 1.5, 6.0, 1.0, 2.0
_LINE_STEP = 2.0  # between the points of a line that a text may cover
_MOST_COVERED = 12
_FREE = 0.2  # of the font size: around a text, where another one should not begin
_APART = 0.3  # of the font size: between the names of two curves, on either side


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Return whether the two have more in common than an edge."""
        return (
            min(self.right, other.right) > max(self.left, other.left)
            and min(self.bottom, other.bottom) > max(self.top, other.top)
        )  # fmt: skip


class Tick(NamedTuple):
    """A number on an axis; ``at`` is a value of the axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A name and its place beside a point: an offset, and which part of the text stands there.

    ``across`` is -1 if the text ends there, 0 if it is centred, 1 if it begins there; ``down`` likewise.
    """

    point: Point
    offset: Point
    across: int
    down: int
    text: str
    is_led: bool = False


class AxisName(NamedTuple):
    """The name of an axis in lines, and its box."""

    text: str
    box: Box
    is_turned: bool


@dataclass(frozen=True, slots=True)
class Inside:
    """What depends on the size of the frame alone; the places of names are values of the axes, and offsets."""

    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    x_small: tuple[float, ...]
    y_small: tuple[float, ...]
    labels: tuple[AxisName, ...]
    names: tuple[Placed, ...]
    curve_names: tuple[tuple[Point, str], ...]
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of all parts of a picture of its own.

    Attributes:
        width, height: of the picture.
        frame: of the axes.
        inside: numbers, names of axes, points and curves.
        key: the entries of the key with their texts in lines, and the place of its upper left corner.
    """

    width: float
    height: float
    frame: Box
    inside: Inside
    key: tuple[tuple[Curve | Rule | Area, str], ...]
    key_place: Point


class Frame:
    """The frame of the axes: from values to points."""

    def __init__(self, chart: Chart, width: float, height: float) -> None:
        self.chart, self.width, self.height = chart, width, height
        self.font = chart.size.font
        self.x_limits, self.y_limits = chart.limits()

    def at(self, x: float, y: float) -> Point:
        """Return the place of a point."""
        across = self.width * part(self.chart.x, self.x_limits, x)
        return across, self.height * (1 - part(self.chart.y, self.y_limits, y))

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point lies in the frame."""
        across, down = self.at(x, y)
        return -1e-6 <= across <= self.width + 1e-6 and -1e-6 <= down <= self.height + 1e-6


def part(axis: Axis, limits: Point, value: float) -> float:
    """Return where a value lies between the limits of an axis: 0 at the first, 1 at the second."""
    low, high = limits
    if axis.is_log:
        low, high, value = math.log(low), math.log(high), math.log(value) if value > 0 else -1e3
    return (value - low) / (high - low)


def layout_of(chart: Chart) -> Layout:
    """Return the places of all parts of a picture of its own."""
    size, pad = chart.size, PAD * INCH
    font, plot = size.font, size.plot * INCH
    is_beside = size.plot < size.width
    left, right, top, bottom = 6 * font, font, font, 4 * font
    for _ in range(_ROUNDS):
        width = max(plot - 2 * pad - left - right, 5 * font)
        height = max(chart.aspect * width, chart.least_height * font)
        inside = inside_of(chart, width, height)
        needed = (
            max(0.0, *(-box.left for box in inside.boxes)),
            max(0.0, *(box.right - width for box in inside.boxes)),
            max(0.0, *(-box.top for box in inside.boxes)),
            max(0.0, *(box.bottom - height for box in inside.boxes)),
        )
        is_found = all(abs(one - other) < 0.1 for one, other in zip(needed, (left, right, top, bottom), strict=True))
        left, right, top, bottom = needed
        if is_found:
            break
    else:  # the margins alternate between two places of a name: what both need is enough
        width = max(plot - 2 * pad - left - right, 5 * font)
        height = max(chart.aspect * width, chart.least_height * font)
        inside = inside_of(chart, width, height)
    frame = Box(pad + left, pad + top, pad + left + width, pad + top + height)
    room = (size.width - size.plot * is_beside - 2 * PAD) * INCH / font - SAMPLE
    marks = chart.key()
    key = tuple(zip(marks, wrapped((mark.label for mark in marks), room), strict=True))
    long = key_height(key, font)
    below = frame.bottom + bottom + (pad if key else 0)
    place = (plot, pad) if is_beside else (pad, below)
    total = max(frame.bottom + bottom, pad + long) if is_beside else below + long
    return Layout(size.width * INCH, total + pad, frame, inside, key, place)


def key_height(key: Sequence[tuple[object, str]], font: float) -> float:
    """Return the height of the key."""
    return sum((text.count("\n") + 1) * LINE * font for _, text in key) + GAP * font * max(0, len(key) - 1)


def inside_of(chart: Chart, width: float, height: float) -> Inside:
    """Return the numbers on axes of a size, and the places of names."""
    frame, font = Frame(chart, width, height), chart.size.font
    x_ticks, x_small = _ticks(chart.x, frame.x_limits, width, font, is_across=True)
    y_ticks, y_small = _ticks(chart.y, frame.y_limits, height, font, is_across=False)
    boxes = [*_tick_boxes(frame, x_ticks, y_ticks)]
    labels = tuple(_labels(frame, boxes))
    boxes += [label.box for label in labels]
    fixed = [Box(0, 0, width, height), *boxes, *_writing_boxes(frame)]
    lines, marks = _covered(frame)
    names = _named_points(frame, fixed[1:], lines, marks)
    placed = [placed_box(frame, name) for name in names]
    curve_names = [*_named_curves(frame, [*fixed[1:], *placed, *marks])]
    return Inside(x_ticks, y_ticks, x_small, y_small, labels, tuple(names), tuple(curve_names), (*fixed, *placed))


# numbers on the axes


def _ticks(
    axis: Axis, limits: Point, length: float, font: float, *, is_across: bool
) -> tuple[tuple[Tick, ...], tuple[float, ...]]:
    """Return as many round numbers as fit, and the values of small ticks of a logarithmic axis."""
    if axis.ticks is not None:
        return tuple(Tick(*tick) for tick in axis.ticks), ()
    low, high = sorted(limits)
    small: tuple[float, ...] = ()
    if axis.is_log:
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        if length / max(1, len(decades) - 1) > 10 * _SMALL_LEAST:
            small = tuple(x for k in decades for x in (m * 10.0**k for m in range(1, 10)) if low <= x <= high)
    for values in _candidates(low, high, is_log=axis.is_log):
        texts = number_texts(values, is_log=axis.is_log)
        places = [length * part(axis, limits, value) for value in values]
        rooms = [text_width(text) * font + 0.9 * font if is_across else 1.5 * font for text in texts]
        pairs = pairwise(sorted(zip(places, rooms, strict=True)))
        if len(values) <= max(2, length / (3.2 * font)) and all(
            b - a >= (one + other) / 2 for (a, one), (b, other) in pairs
        ):
            return tuple(map(Tick, values, texts)), tuple(x for x in small if x not in values)
    return (), small


def _candidates(low: float, high: float, *, is_log: bool) -> Iterator[list[float]]:
    """Yield round numbers between two limits, first the most."""
    if is_log:
        decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
        for factors, step in (((1, 2, 5), 1), ((1,), 1), ((1,), 2), ((1,), 3), ((1,), 5), ((1,), 10), ((1,), 50)):
            if len(factors) == 3 and high >= 200 * low:
                continue
            found = [float(f"{m}e{k}") for k in decades if k % step == 0 for m in factors]
            found = [x for x in found if low * (1 - 1e-9) <= x <= high * (1 + 1e-9)]
            if len(found) >= 2:
                yield found
    for count in range(9, 0, -1):
        rough = (high - low) / count
        if not rough > 0:
            return
        power = 10.0 ** math.floor(math.log10(rough))
        apart = power * next((x for x in (1, 2, 5) if x * power >= rough * (1 - 1e-9)), 10)
        first, last = math.ceil(low / apart - 1e-9), math.floor(high / apart + 1e-9)
        yield [float(f"{i * apart:.12g}") for i in range(first, last + 1)]


def number_texts(values: Sequence[float], *, is_log: bool = False) -> list[str]:
    """Return the texts of numbers on an axis: decimals, or with an exponent if they are very large or small."""
    if is_log:
        return [f"{value:g}" if 1e-4 <= value < 1e6 else _exponent(f"{value:.4g}") for value in values]
    step = min((abs(b - a) for a, b in pairwise(values)), default=0) or abs(values[0] if values else 0) or 1
    largest = max(map(abs, values), default=0)
    if (step < 1e-3 and largest < 1e-2) or largest >= 1e6:
        return ["0" if value == 0 else _exponent(f"{value:.12e}") for value in values]
    digits = next((d for d in range(15) if abs(round(step, d) - step) < 1e-6 * step), 15)
    return [f"{value:.{digits}f}".replace("-", "\N{MINUS SIGN}") for value in values]


def _exponent(text: str) -> str:
    """Return ``2.5e-13`` of ``2.500000e-13``."""
    mantissa, _, exponent = text.partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def _tick_boxes(frame: Frame, x_ticks: Iterable[Tick], y_ticks: Iterable[Tick]) -> Iterator[Box]:
    font, chart = frame.font, frame.chart
    away = TICK * chart.x.has_marks + TICK_PAD
    for at, text in x_ticks:
        across = frame.width * part(chart.x, frame.x_limits, at)
        wide, high = text_width(text) * font, LINE * font
        if chart.x.is_turned:
            wide, high = high, wide
        yield Box(across - wide / 2, frame.height + away, across + wide / 2, frame.height + away + high)
    away = TICK * chart.y.has_marks + TICK_PAD
    for at, text in y_ticks:
        down = frame.height * (1 - part(chart.y, frame.y_limits, at))
        half = (text.count("\n") + 1) * LINE * font / 2
        yield Box(-away - text_width(text) * font, down - half, -away, down + half)


def _labels(frame: Frame, ticks: Sequence[Box]) -> Iterator[AxisName]:
    """Yield the names of the axes, beyond the numbers; a long one is set in lines."""
    font = frame.font + 1
    xlabel, ylabel = (
        wrapped([axis.label], max(length / font, 8))[0]
        for axis, length in ((frame.chart.x, frame.width), (frame.chart.y, frame.height))
    )
    if xlabel:
        top = max([frame.height, *(box.bottom for box in ticks)]) + LABEL_PAD
        box = text_box(xlabel, font, (frame.width / 2, top), down=1)
        yield AxisName(xlabel, box, is_turned=False)
    if ylabel:
        right = min([0.0, *(box.left for box in ticks if box.top < frame.height)]) - LABEL_PAD
        high, wide = text_width(ylabel) * font, (ylabel.count("\n") + 1) * LINE * font
        middle = frame.height / 2
        yield AxisName(ylabel, Box(right - wide, middle - high / 2, right, middle + high / 2), is_turned=True)


# texts between the curves


def text_box(text: str, font: float, place: Point, across: int = 0, down: int = 0, pad: float = 0) -> Box:
    """Return the box of a text beside a place, as ``Placed`` describes it."""
    wide, high = text_width(text) * font + 2 * pad, (text.count("\n") + 1) * LINE * font + 2 * pad
    left = place[0] - wide * (1 - across) / 2
    top = place[1] - high * (1 - down) / 2
    return Box(left, top, left + wide, top + high)


def grown(box: Box, by: float) -> Box:
    """Return a box that is larger on each side."""
    return Box(box.left - by, box.top - by, box.right + by, box.bottom + by)


def placed_box(frame: Frame, name: Placed) -> Box:
    """Return the box of the name of a point."""
    x, y = frame.at(*name.point)
    return text_box(name.text, frame.font, (x + name.offset[0], y + name.offset[1]), name.across, name.down)


def _writing_boxes(frame: Frame) -> Iterator[Box]:
    for mark in frame.chart.marks:
        if isinstance(mark, Writing):
            yield text_box(mark.text, frame.font, frame.at(mark.x, mark.y), pad=BOX_PAD[mark.box] * frame.font)


def _covered(frame: Frame) -> tuple[NDArray[np.float64], list[Box]]:
    """Return points along all lines, and the boxes of markers."""
    points: list[Point] = []
    boxes = []
    corners = {"left": (0, 0, 0, 1), "right": (1, 0, 1, 1), "top": (0, 0, 1, 0), "bottom": (0, 1, 1, 1)}
    for name in sorted(frame.chart.sides):
        a, b, c, d = corners[name]
        ends = (a * frame.width, b * frame.height), (c * frame.width, d * frame.height)
        points += along(ends, _LINE_STEP)
    for mark in frame.chart.marks:
        if isinstance(mark, Curve) and mark.x:
            parts = [[frame.at(*point) for point in run] for run in segments(mark)]
            if mark.look.marker:
                half = (mark.look.markersize or 4.2 * frame.chart.size.line) / 2
                boxes += [Box(x - half, y - half, x + half, y + half) for run in parts for x, y in run]
            if mark.look.linestyle != "none":
                for run in parts:
                    points += along([point for point in run if max(map(abs, point)) < 1e5], _LINE_STEP)
        elif isinstance(mark, Area) and mark.corners and mark.edgecolor != "none" and not mark.hatch:
            points += along([frame.at(*corner) for corner in (*mark.corners, mark.corners[0])], _LINE_STEP)
    return np.array(points or [(-1e6, -1e6)]), boxes


def _named_points(frame: Frame, texts: Sequence[Box], lines: NDArray[np.float64], marks: Sequence[Box]) -> list[Placed]:
    """Return a place for the name of each point: near to it, not on another text, and on few lines and markers.

    Names take their places in turn; then each may move again, as the others stand, until none does.
    """
    shared: list[tuple[Point, list[str], Point, float]] = []
    for name in frame.chart.marks:
        if isinstance(name, PointName):
            dot = frame.at(name.x, name.y)
            near = next((each for each in shared if math.dist(dot, each[0]) < _CLOSE * frame.font), None)
            if near is None:
                shared.append((dot, [name.text], (name.x, name.y), name.towards))
            else:
                near[1].append(name.text)
    texts = [grown(box, _FREE * frame.font) for box in texts]
    options = [[*_places(frame, point, "\n".join(words), towards)] for _, words, point, towards in shared]
    own = [[_standing(frame, texts, lines, marks, box, rank) for _, box, rank in each] for each in options]
    chosen: list[int | None] = [None] * len(options)
    for _ in range(3):
        before = list(chosen)
        for i, each in enumerate(options):
            standing = [options[j][at][1] for j, at in enumerate(chosen) if at is not None and j != i]
            others = [grown(box, _FREE * frame.font) for box in standing]
            costs = [
                cost + _ON_TEXT * sum(map(box.meets, others)) for (_, box, _), cost in zip(each, own[i], strict=True)
            ]
            chosen[i] = costs.index(min(costs))
        if chosen == before:
            break
    return [each[at or 0][0] for each, at in zip(options, chosen, strict=True)]


def _places(frame: Frame, point: Point, text: str, towards: float) -> Iterator[tuple[Placed, Box, float]]:
    """Yield the places of a name, with their distance from the best one."""
    for far, away in enumerate(_AWAYS):
        for turn in _TURNS:
            angle = math.radians(towards + turn)
            x, y = math.cos(angle), math.sin(angle)
            offset = away * frame.font * x, -away * frame.font * y
            name = Placed(point, offset, side(x), -side(y), text, away > _LED)
            yield name, placed_box(frame, name), _AWAY * far + _TURN * abs(turn) / 45


def side(length: float) -> int:
    """Return the side on which a text stands: -1, 0 or 1."""
    return 0 if abs(length) < 0.3 else int(math.copysign(1, length))


def _standing(
    frame: Frame, texts: Sequence[Box], lines: NDArray[np.float64], marks: Sequence[Box], box: Box, rank: float
) -> float:
    """Return how badly a text stands in a box."""
    covered = (
        (lines[:, 0] > box.left) & (lines[:, 0] < box.right) & (lines[:, 1] > box.top) & (lines[:, 1] < box.bottom)
    )
    out = max(0.0, -box.left, box.right - frame.width, -box.top, box.bottom - frame.height) / frame.font
    return (
        rank
        + _ON_TEXT * sum(map(box.meets, texts))
        + _ON_MARK * sum(map(box.meets, marks))
        + _ON_LINE * min(int(covered.sum()), _MOST_COVERED)
        + _OUT * out / 2
    )


def _named_curves(frame: Frame, taken: list[Box]) -> Iterator[tuple[Point, str]]:
    """Yield a place for the name of each curve that has room for it: as near to the middle of a piece as it is free."""
    for mark in frame.chart.marks:
        if not isinstance(mark, CurveName):
            continue
        wide = text_width(mark.text) * frame.font
        pad = BOX_PAD["square"] * frame.font
        found = None
        for x, y in mark.pieces:
            values = [*zip(x, y, strict=True)]
            places = [frame.at(*point) for point in values]
            length = sum(math.dist(*pair) for pair in pairwise(places))
            if length < 1.6 * wide:
                continue
            middle = (len(values) - 1) / 2
            for i in sorted(range(len(values)), key=lambda i: abs(i - middle)):
                box = text_box(mark.text, frame.font, places[i], pad=pad + _APART * frame.font)
                is_inside = box.left > 0 and box.top > 0 and box.right < frame.width and box.bottom < frame.height
                if is_inside and not any(map(box.meets, taken)):
                    found = values[i], box
                    break
            if found:
                break
        if found:
            taken.append(found[1])
            yield found[0], mark.text
