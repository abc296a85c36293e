"""Pictures as SVG, written without a library: text stays text, equal pictures give equal bytes."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from xml.sax.saxutils import escape

from rropt.core.visible import visible
from rropt.plots.charts import (
    Area,
    Cells,
    Chart,
    Curve,
    Dashes,
    Look,
    Mark,
    Point,
    Rule,
    Writing,
    segments,
)
from rropt.plots.layouts import (
    BOX_PAD,
    GAP,
    HANDLE,
    SAMPLE,
    SMALL_TICK,
    TICK,
    TICK_PAD,
    Frame,
    Layout,
    layout_of,
    part,
    text_box,
)
from rropt.plots.text_widths import FONTS, LINE

PAPER, INK, GRID = "#ffffff", "#000000", "#dddddd"
ROUND_BOX = "#b5d3ea"
_RISE = 0.36  # of the font size: from the middle of a line of text to its base line
_NAMES = {"black": INK, "white": PAPER}
_GREYS = re.compile(r"0\.\d+")
_DASHES = {"dotted": (1, 1.65), ":": (1, 1.65), "dashed": (3.7, 1.6), "--": (3.7, 1.6)}
_FRAME_Z = 2.5
_TEXT_Z = 20
_HATCHES = {
    "////": '<path d="M-1 1L1 -1M0 6L6 0M5 7L7 5" style="stroke:{};stroke-width:.7"/>',
    "....": '<circle cx="1.5" cy="1.5" r=".7" style="fill:{0}"/><circle cx="4.5" cy="4.5" r=".7" style="fill:{0}"/>',
}

Paint = Callable[[str], str]


def svg_picture(chart: Chart, text: str, *, paint: Paint = str, style: str = "") -> str:
    """Return a picture as SVG.

    Args:
        chart: what is drawn.
        text: the alternative text.
        paint: from a colour ``#rrggbb`` to what is written for it; the dark pages have variables in their place.
        style: rules of a style sheet.
    """
    return _Writer(chart, layout_of(chart), paint).document(text, style)


def hex_of(color: str) -> str:
    """Return a colour as ``#rrggbb`` or ``none``; matplotlib's greys are texts such as ``"0.85"``."""
    if _GREYS.fullmatch(color):
        return f"#{round(255 * float(color)):02x}" + f"{round(255 * float(color)):02x}" * 2
    return _NAMES.get(color, color)


def dashes_of(linestyle: Dashes) -> tuple[float, ...]:
    """Return the lengths of dashes and gaps in widths of the line; none for a solid line."""
    if isinstance(linestyle, str):
        return _DASHES.get(linestyle, ())
    return linestyle[1]


def short(value: float) -> str:
    """Return a length with two decimals at most."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class _Writer:
    """Writes the elements of one picture."""

    def __init__(self, chart: Chart, layout: Layout, paint: Paint) -> None:
        self.chart, self.layout, self.paint = chart, layout, paint
        self.font, self.line = chart.size.font, chart.size.line
        box = layout.frame
        self.frame = Frame(chart, box.right - box.left, box.bottom - box.top)
        self.definitions: dict[str, str] = {}
        self.mark = ""  # of the names of definitions: several pictures stand in one page

    def at(self, x: float, y: float) -> Point:
        across, down = self.frame.at(x, y)
        limit = 1e5  # of a line that leaves the frame
        return (
            min(max(self.layout.frame.left + across, -limit), limit),
            min(max(self.layout.frame.top + down, -limit), limit),
        )

    def document(self, text: str, style: str) -> str:
        width, height = self.layout.width, self.layout.height
        drawn = self.chart.size, self.chart.x, self.chart.y, self.chart.marks  # a set has no fixed order in a text
        self.mark = hashlib.sha256(f"{text}{drawn}".encode()).hexdigest()[:8]
        box = self.layout.frame
        self.definitions["frame"] = (
            f'<clipPath id="frame-{self.mark}"><rect x="{short(box.left)}" y="{short(box.top)}" '
            f'width="{short(self.frame.width)}" height="{short(self.frame.height)}"/></clipPath>'
        )
        parts: list[tuple[float, str]] = []
        for mark in self.chart.marks:
            parts += self.drawn(mark)
        parts.append((0, self.grid()))
        parts.append((_FRAME_Z, self.axes()))
        parts += [(_TEXT_Z, piece) for piece in (*self.names(), *self.numbers(), *self.key())]
        body = "\n".join(piece for _, piece in sorted(parts, key=lambda each: each[0]) if piece)
        first, _, rest = (visible(each) for each in text.partition(". "))
        name, description = f"title-{self.mark}", f"text-{self.mark}"
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="{name} {description}" '
                f'width="{short(width)}pt" height="{short(height)}pt" viewBox="0 0 {short(width)} {short(height)}" '
                f'font-family="{FONTS}" font-size="{short(self.font)}">',
                f'<title id="{name}">{escape(first)}{"." if rest else ""}</title>',
                f'<desc id="{description}">{escape(visible(text))}</desc>',
                f"<style>{style}</style>" if style else "",
                f"<defs>{''.join(self.definitions.values())}</defs>",
                f'<rect width="100%" height="100%" style="fill:{self.color(PAPER)}"/>',
                body,
                "</svg>\n",
            ]
        ).replace("\n\n", "\n")

    # parts

    def color(self, color: str) -> str:
        found = hex_of(color)
        return found if found == "none" else self.paint(found)

    def path(self, data: str, style: str, *, is_clipped: bool = True, inside: str = "") -> str:
        clip = inside or (f"frame-{self.mark}" if is_clipped else "")
        clipped = f' clip-path="url(#{clip})"' if clip else ""
        return f'<path d="{data}" style="{style}"{clipped}/>'

    def stroke(self, look: Look) -> str:
        """Return the style of a line."""
        width = self.line if look.linewidth is None else look.linewidth
        dashes = ",".join(short(length * width) for length in dashes_of(look.linestyle))
        cap = "butt" if dashes or look.solid_capstyle == "butt" else "square"
        pattern = f";stroke-dasharray:{dashes}" if dashes else ""
        join = f";stroke-linecap:{cap};stroke-linejoin:round"
        return f"fill:none;stroke:{self.color(look.color)};stroke-width:{short(width)}{pattern}{join}"

    def drawn(self, mark: Mark) -> Iterator[tuple[float, str]]:
        match mark:
            case Curve():
                yield mark.look.zorder, "".join(self.curve(mark))
            case Rule(at, is_upright, look):
                box = self.layout.frame
                x, y = self.at(at, self.frame.y_limits[0]) if is_upright else self.at(self.frame.x_limits[0], at)
                data = f"M{short(x)} {short(box.top)}V{short(box.bottom)}"
                if not is_upright:
                    data = f"M{short(box.left)} {short(y)}H{short(box.right)}"
                yield look.zorder, self.path(data, self.stroke(look))
            case Area(corners) if corners:
                yield mark.zorder, "".join(self.area(mark))
            case Cells():
                yield 0.5, "".join(self.cells(mark))
            case Writing(x, y, text, box_kind):
                yield 6, self.boxed(text, self.at(x, y), box_kind)

    def curve(self, curve: Curve) -> Iterator[str]:
        look = curve.look
        runs = [[self.at(*point) for point in run] for run in segments(curve)]
        if look.linestyle != "none":
            data = "".join(outline(run) for run in runs if len(run) > 1)
            if data:
                yield self.path(data, self.stroke(look), is_clipped=look.clip_on)
        if look.marker:
            places = [place for run in runs for place in run]
            if look.clip_on:
                box = self.layout.frame
                places = [
                    (x, y)
                    for x, y in places
                    if box.left - 0.01 <= x <= box.right + 0.01 and box.top - 0.01 <= y <= box.bottom + 0.01
                ]
            if places:
                yield self.marker(look, places)

    def marker(self, look: Look, places: Iterable[Point]) -> str:
        size = 4.2 * self.line if look.markersize is None else look.markersize
        face = look.color if look.markerfacecolor is None else look.markerfacecolor
        edge = look.color if look.markeredgecolor is None else look.markeredgecolor
        style = f"fill:{self.color(face)};stroke:{self.color(edge)};stroke-width:{short(0.8 * self.line)}"
        return self.path("".join(marker_path(look.marker, size, place) for place in places), style, is_clipped=False)

    def area(self, area: Area) -> Iterator[str]:
        data = outline([self.at(*corner) for corner in area.corners]) + "Z"
        inside = ""
        if area.inside:
            border = outline([self.at(*corner) for corner in area.inside]) + "Z"
            number = hashlib.sha256(border.encode()).hexdigest()[:8]
            inside = f"inside-{self.mark}-{number}"
            self.definitions[inside] = f'<clipPath id="{inside}"><path d="{border}"/></clipPath>'
        put = partial(self.path, data, is_clipped=area.clip_on, inside=inside)
        if area.facecolor != "none" and area.tint < 1:  # a mixture with the paper, which may be dark
            yield put(f"fill:{self.color(PAPER)}")
        if area.facecolor != "none" and area.tint > 0:
            opacity = "" if area.tint == 1 else f";fill-opacity:{short(area.tint)}"
            yield put(f"fill:{self.color(area.facecolor)}{opacity}")
        if area.hatch:
            yield put(f"fill:url(#{self.hatch(area)})")
        width = self.line if area.linewidth is None else area.linewidth
        if area.edgecolor != "none" and width and not area.hatch:
            yield put(f"fill:none;stroke:{self.color(area.edgecolor)};stroke-width:{short(width)}")

    def hatch(self, area: Area) -> str:
        color = self.color(area.edgecolor)
        name = f"hatch-{self.mark}-{hashlib.sha256(f'{area.hatch}{color}'.encode()).hexdigest()[:6]}"
        self.definitions[name] = (
            f'<pattern id="{name}" width="6" height="6" patternUnits="userSpaceOnUse">'
            f"{_HATCHES[area.hatch].format(color)}</pattern>"
        )
        return name

    def cells(self, cells: Cells) -> Iterator[str]:
        color = self.color(cells.color)
        for i, row in enumerate(cells.matrix):
            for j, entry in enumerate(row):
                (left, top), (right, bottom) = self.at(j - 0.5, i - 0.5), self.at(j + 0.5, i + 0.5)
                if entry:
                    yield (
                        f'<rect x="{short(left)}" y="{short(top)}" width="{short(right - left)}" '
                        f'height="{short(bottom - top)}" style="fill:{color};fill-opacity:{entry / cells.top:.3g}"/>'
                    )

    def write(
        self, text: str, place: Point, *, anchor: str = "middle", size: float | None = None, is_turned: bool = False
    ) -> str:
        """Return a text whose middle line is centred at a place, its lines one below the other."""
        size = self.font if size is None else size
        lines = visible(text, keep="\n").split("\n")
        x, y = place
        first = _RISE * size - (len(lines) - 1) / 2 * LINE * size
        turn = f' transform="rotate(-90 {short(x)} {short(y)})"' if is_turned else ""
        sized = "" if size == self.font else f' font-size="{short(size)}"'
        return "".join(
            f'<text x="{short(x)}" y="{short(y + first + i * LINE * size)}" text-anchor="{anchor}"{sized}{turn} '
            f'style="fill:{self.color(INK)}">{escape(line)}</text>'
            for i, line in enumerate(lines)
        )

    def boxed(self, text: str, place: Point, kind: str) -> str:
        box = text_box(text, self.font, place, pad=BOX_PAD[kind] * self.font)
        ground = ""
        if kind:
            look = f"fill:{self.color(PAPER)}"
            corner = ""
            if kind == "round":
                look = f"fill:{self.color(ROUND_BOX)};stroke:{self.color(INK)};stroke-width:.7"
                corner = f' rx="{short(BOX_PAD[kind] * self.font)}"'
            ground = (
                f'<rect x="{short(box.left)}" y="{short(box.top)}" width="{short(box.right - box.left)}" '
                f'height="{short(box.bottom - box.top)}"{corner} style="{look}"/>'
            )
        return ground + self.write(text, place)

    def grid(self) -> str:
        box, inside = self.layout.frame, self.layout.inside
        upright = [self.x_of(tick.at) for tick in inside.x_ticks] if self.chart.x.has_grid else []
        level = [self.y_of(tick.at) for tick in inside.y_ticks] if self.chart.y.has_grid else []
        data = "".join(f"M{short(x)} {short(box.top)}V{short(box.bottom)}" for x in upright)
        data += "".join(f"M{short(box.left)} {short(y)}H{short(box.right)}" for y in level)
        return self.path(data, f"stroke:{self.color(GRID)};stroke-width:.5") if data else ""

    def x_of(self, value: float) -> float:
        return self.layout.frame.left + self.frame.width * part(self.chart.x, self.frame.x_limits, value)

    def y_of(self, value: float) -> float:
        return self.layout.frame.top + self.frame.height * (1 - part(self.chart.y, self.frame.y_limits, value))

    def axes(self) -> str:
        """Return the sides of the frame and the short lines of its numbers."""
        box, inside = self.layout.frame, self.layout.inside
        ends = {
            "left": f"M{short(box.left)} {short(box.top)}V{short(box.bottom)}",
            "right": f"M{short(box.right)} {short(box.top)}V{short(box.bottom)}",
            "top": f"M{short(box.left)} {short(box.top)}H{short(box.right)}",
            "bottom": f"M{short(box.left)} {short(box.bottom)}H{short(box.right)}",
        }
        data = "".join(line for side, line in ends.items() if side in self.chart.sides)
        for values, length in (([tick.at for tick in inside.x_ticks], TICK), (inside.x_small, SMALL_TICK)):
            if self.chart.x.has_marks:
                data += "".join(f"M{short(self.x_of(x))} {short(box.bottom)}v{short(length)}" for x in values)
        for values, length in (([tick.at for tick in inside.y_ticks], TICK), (inside.y_small, SMALL_TICK)):
            if self.chart.y.has_marks:
                data += "".join(f"M{short(box.left)} {short(self.y_of(y))}h{short(-length)}" for y in values)
        style = f"fill:none;stroke:{self.color(INK)};stroke-width:.6;stroke-linecap:square"
        return self.path(data, style, is_clipped=False) if data else ""

    def numbers(self) -> Iterator[str]:
        """Yield the numbers and names of the axes."""
        box, inside, chart = self.layout.frame, self.layout.inside, self.chart
        half = LINE * self.font / 2
        away = TICK * chart.x.has_marks + TICK_PAD
        for at, text in inside.x_ticks:
            if chart.x.is_turned:
                yield self.write(text, (self.x_of(at), box.bottom + away), anchor="end", is_turned=True)
            else:
                yield self.write(text, (self.x_of(at), box.bottom + away + half))
        away = TICK * chart.y.has_marks + TICK_PAD
        for at, text in inside.y_ticks:
            yield self.write(text, (box.left - away, self.y_of(at)), anchor="end")
        for label, place, is_turned in inside.labels:
            middle = (box.left + (place.left + place.right) / 2, box.top + (place.top + place.bottom) / 2)
            yield self.write(label, middle, size=self.font + 1, is_turned=is_turned)

    def names(self) -> Iterator[str]:
        """Yield the names of points and curves."""
        for name in self.layout.inside.names:
            x, y = self.at(*name.point)
            place = x + name.offset[0], y + name.offset[1]
            if name.is_led:
                yield self.path(
                    outline([(x, y), place]), f"fill:none;stroke:{self.color(INK)};stroke-width:.5", is_clipped=False
                )
            lines = name.text.count("\n") + 1
            middle = place[0], place[1] + name.down * lines * LINE * self.font / 2
            yield self.write(name.text, middle, anchor={-1: "end", 0: "middle", 1: "start"}[name.across])
        for point, text in self.layout.inside.curve_names:
            yield self.boxed(text, self.at(*point), "square")

    def key(self) -> Iterator[str]:
        """Yield the samples and texts of the key."""
        left, top = self.layout.key_place
        for mark, text in self.layout.key:
            lines = text.count("\n") + 1
            middle = top + LINE * self.font / 2
            yield self.sample(mark, left, middle)
            place = left + SAMPLE * self.font, top + lines * LINE * self.font / 2
            yield self.write(text, place, anchor="start")
            top += (lines * LINE + GAP) * self.font

    def sample(self, mark: Curve | Rule | Area, left: float, middle: float) -> str:
        right = left + HANDLE * self.font
        if isinstance(mark, Area):
            half = 0.35 * self.font
            data = outline(
                [(left, middle - half), (right, middle - half), (right, middle + half), (left, middle + half)]
            )
            parts = []
            if mark.facecolor != "none":
                opacity = "" if mark.tint == 1 else f";fill-opacity:{short(mark.tint)}"
                parts.append(f"fill:{self.color(mark.facecolor)}{opacity}")
            if mark.hatch:
                parts.append(f"fill:url(#{self.hatch(mark)})")
            if mark.edgecolor != "none" and mark.linewidth != 0:
                parts.append(f"fill:none;stroke:{self.color(mark.edgecolor)};stroke-width:.7")
            return "".join(self.path(f"{data}Z", style, is_clipped=False) for style in parts)
        look, found = mark.look, ""
        if look.linestyle != "none":
            found = self.path(outline([(left, middle), (right, middle)]), self.stroke(look), is_clipped=False)
        if look.marker:
            found += self.marker(look, [((left + right) / 2, middle)])
        return found


def outline(points: Sequence[Point]) -> str:
    """Return the path through points."""
    return "M" + "L".join(f"{short(x)} {short(y)}" for x, y in points)


_STAR = [
    ((1.0, 0.382)[i % 2] * math.sin(math.pi * i / 5), -(1.0, 0.382)[i % 2] * math.cos(math.pi * i / 5))
    for i in range(10)
]
_HEXAGON = [(math.sin(math.pi * i / 3), -math.cos(math.pi * i / 3)) for i in range(6)]
_CROSS = [(-1 / 3, -1), (1 / 3, -1), (1 / 3, -1 / 3), (1, -1 / 3), (1, 1 / 3), (1 / 3, 1 / 3), (1 / 3, 1), (-1 / 3, 1)]
_CROSS += [(-1 / 3, 1 / 3), (-1, 1 / 3), (-1, -1 / 3), (-1 / 3, -1 / 3)]
_SAINT_ANDREW = [
    (-0.5, -1),
    (0, -0.5),
    (0.5, -1),
    (1, -0.5),
    (0.5, 0),
    (1, 0.5),
    (0.5, 1),
    (0, 0.5),
    (-0.5, 1),
    (-1, 0.5),
]
_SAINT_ANDREW += [(-0.5, 0), (-1, -0.5)]
# markers by their letters in matplotlib: polygons of half width 1
_SHAPES: dict[str, list[Point]] = {
    "s": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
    "^": [(0, -1), (1, 1), (-1, 1)],
    "v": [(0, 1), (-1, -1), (1, -1)],
    "<": [(-1, 0), (1, -1), (1, 1)],
    ">": [(1, 0), (-1, 1), (-1, -1)],
    "D": [(0, -1.4142), (1.4142, 0), (0, 1.4142), (-1.4142, 0)],
    "P": _CROSS,
    "X": _SAINT_ANDREW,
    "*": _STAR,
    "h": _HEXAGON,
}


def marker_path(kind: str, size: float, place: Point) -> str:
    """Return the outline of a marker around a place; its name is that of matplotlib."""
    half, (x, y) = size / 2, place
    if kind in ("o", "."):
        half = half if kind == "o" else half / 2
        return f"M{short(x - half)} {short(y)}a{short(half)} {short(half)} 0 1 0 {short(2 * half)} 0" + (
            f"a{short(half)} {short(half)} 0 1 0 {short(-2 * half)} 0Z"
        )
    if kind == "|":
        return f"M{short(x)} {short(y - half)}V{short(y + half)}"
    return outline([(x + half * a, y + half * b) for a, b in _SHAPES[kind]]) + "Z"
