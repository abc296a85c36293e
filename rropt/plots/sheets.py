"""The sheet a picture is drawn on: axes, key and caption, laid out in inches so that nothing overlaps; and its file.

Axis labels, key and caption are measured and the sheet is made as high as they need; long texts wrap. Files are PNG,
SVG or PDF, the same bytes for the same picture, written whole or not at all.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.files import write_bytes
from rropt.plots.styles import MAX_DPI, MIN_DPI, Style, plain_settings

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure


_DRAFT_HEIGHT = 10.0  # inches, while the parts are measured: the highest axes have 7
_GAP = 0.8  # between the parts and around them, in lines of text
_POINTS = 72  # to the inch
_GLUED = re.compile(r" [=≈<≤>+−] |\bn Var\b|A and E|\([^() ]+, [^() ]+\)|ε, (?=δ)")  # noqa: RUF001  # pieces of formulas that stay on one line
_GLUE = "\0"


class Sheet:
    """One picture in the making.

    Args:
        style: sizes and colours.
        aspect: height of the axes over their width.

    Attributes:
        figure: the figure.
        axes: its axes (untyped: matplotlib's annotations do not take keyword arguments from a dictionary).
    """

    def __init__(self, style: Style, *, aspect: float) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.style = style
        self.aspect = aspect
        self._margins = [0.0, 0.0, 0.0, 0.0]  # what stands left, right, above and below of the axes, in
        if style.axes is not None:  # somebody else's figure: its size and its other axes are left as they are
            self.axes: Any = style.axes
            self.figure: Figure = style.axes.figure.figure
            self._canvas = None
            return
        self.figure = Figure(figsize=(style.size.width, _DRAFT_HEIGHT), dpi=style.size.dpi, facecolor="white")
        self._canvas = FigureCanvasAgg(self.figure)
        self.axes = self.figure.add_axes((0.2, 0.4, 0.6, 0.2))
        self.axes.tick_params(labelsize=style.size.font, width=0.6, length=3)
        for axis in (self.axes.xaxis, self.axes.yaxis):
            axis.get_offset_text().set_fontsize(style.size.font)
        for spine in self.axes.spines.values():
            spine.set_linewidth(0.6)

    @property
    def renderer(self) -> Any:
        """What measures text."""
        if self._canvas is None:
            from matplotlib.backends.backend_agg import RendererAgg

            width, height = self.figure.get_size_inches() * self.figure.dpi
            return RendererAgg(width, height, self.figure.dpi)  # type: ignore[no-untyped-call]
        return self._canvas.get_renderer()  # type: ignore[no-untyped-call]

    @property
    def gap(self) -> float:
        """The space between parts, in."""
        return _GAP * self.style.size.font / _POINTS

    def label(self, x: str, y: str) -> None:
        """Write the axis labels."""
        size = self.style.size.font + 1
        self.axes.set_xlabel(x, fontsize=size, labelpad=3)
        self.axes.set_ylabel(y, fontsize=size, labelpad=3)

    def unit_square(self) -> None:
        """Let both axes run from 0 to 1, with a tick at every quarter and a number at every half."""
        ticks, texts = (0, 0.25, 0.5, 0.75, 1), ["0", "", "0.5", "", "1"]
        self.axes.set(xlim=(0, 1), ylim=(0, 1))
        self.axes.set_xticks(ticks, texts)
        self.axes.set_yticks(ticks, texts)

    def fit(self) -> None:
        """Give the axes the size that their labels leave of the width; called again, they never grow."""
        for _ in range(3 * (self.style.axes is None)):  # ticks depend on the size, and the size on the ticks' labels
            inner = self.axes.get_window_extent(self.renderer)
            outer = self.axes.get_tightbbox(self.renderer)
            dpi = self.figure.dpi
            overhang = (inner.x0 - outer.x0, outer.x1 - inner.x1, outer.y1 - inner.y1, inner.y0 - outer.y0)
            before = self._margins
            self._margins = [max(old, new / dpi) for old, new in zip(before, overhang, strict=True)]
            self._place(_DRAFT_HEIGHT)
            if self._margins == before:
                return

    def finish(self, key: Sequence[tuple[Artist | None, str]], caption: str) -> Figure:
        """Add key and caption, and cut the sheet to its height.

        Args:
            key: samples with their meanings; ``None`` for a line of text alone.
            caption: what the picture shows and how it is read.
        """
        if self.style.axes is not None:
            return self._finish_given(key, caption)
        self.fit()
        size = self.style.size
        top = self._margins[2] + self.gap
        axes_end = top + self._axes_size()[1] + self._margins[3] + self.gap
        x = size.plot + self.gap if size.beside else self.gap
        y = top if size.beside else axes_end
        width = size.width - x - self.gap
        legend = self._key(key, width)
        texts = self._caption(caption, width) if self.style.caption else None
        key_height = legend.get_window_extent(self.renderer).height / self.figure.dpi if legend else 0.0
        caption_y = y + key_height + (self.gap if legend else 0)
        caption_height = texts.get_window_extent(self.renderer).height / self.figure.dpi if texts else 0.0
        total = max(axes_end, caption_y + caption_height + self.gap)
        self._place(total)
        if legend:
            legend.set_bbox_to_anchor((x / size.width, 1 - y / total), transform=self.figure.transFigure)
        if texts:
            texts.set_position((x / size.width, 1 - caption_y / total))
        # the alternative text of the files that are written
        self.figure.set_label(" ".join([caption, *(f"{text}." for _, text in key)]))
        return self.figure

    def _finish_given(self, key: Sequence[tuple[Artist | None, str]], caption: str) -> Figure:
        """Add the legend below the caller's axes, and a description as their label."""
        width = self.axes.get_window_extent(self.renderer).width / self.figure.dpi
        if key:
            font = self.style.size.font
            handles, labels = self._samples(key, width - 4.2 * font / _POINTS)
            below = (0, -4.5 * font / _POINTS / (self.axes.get_window_extent(self.renderer).height / self.figure.dpi))
            self.axes.legend(handles, labels, fontsize=font, loc="upper left", bbox_to_anchor=below, frameon=False)
        self.axes.set_label(caption)
        return self.figure

    def wrapped(self, text: str, width: float) -> str:
        """Return text with line breaks: no line wider than ``width`` inches, if its words allow it."""
        from matplotlib.font_manager import FontProperties

        font, renderer = FontProperties(size=self.style.size.font), self.renderer

        def fits(line: str) -> bool:
            return bool(renderer.get_text_width_height_descent(line, font, ismath=False)[0] <= width * self.figure.dpi)

        words: list[str] = []
        for glued in _GLUED.sub(lambda match: match[0].replace(" ", _GLUE), text).split(" "):
            whole = glued.replace(_GLUE, " ")
            words += [whole] if fits(whole) else glued.split(_GLUE)
        lines = [""]
        for word in words:
            longer = f"{lines[-1]} {word}".lstrip()
            if fits(longer) or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(word)
        return "\n".join(lines)

    def _place(self, total: float) -> None:
        left, top = self._margins[0] + self.gap, self._margins[2] + self.gap
        width, height = self._axes_size()
        w = self.style.size.width
        self.figure.set_size_inches(w, total)
        self.axes.set_position((left / w, 1 - (top + height) / total, width / w, height / total))

    def _axes_size(self) -> tuple[float, float]:
        width = self.style.size.plot - self._margins[0] - self._margins[1] - 2 * self.gap
        return width, width * self.aspect

    def _key(self, key: Sequence[tuple[Artist | None, str]], width: float) -> Any:
        if not key:
            return None
        handles, labels = self._samples(key, width - 4.2 * self.style.size.font / _POINTS)
        return self.figure.legend(
            handles,
            labels,
            loc="upper left",
            fontsize=self.style.size.font,
            frameon=False,
            borderpad=0,
            borderaxespad=0,
            handlelength=3.4,
            handletextpad=0.6,
            labelspacing=0.45,
        )

    def _samples(self, key: Sequence[tuple[Artist | None, str]], width: float) -> tuple[list[Any], list[str]]:
        from matplotlib.lines import Line2D

        handles = [Line2D([], [], linestyle="none") if sample is None else sample for sample, _ in key]
        return handles, [self.wrapped(text, width) for _, text in key]

    def _caption(self, caption: str, width: float) -> Any:
        return self.figure.text(
            0, 1, self.wrapped(caption, width), fontsize=self.style.size.font, va="top", ha="left", linespacing=1.25
        )


FORMATS = ("png", "svg", "pdf")

# text stays text (searchable, and set in the reader's font where it is missing); no date and no random name inside
_SETTINGS: Any = {"svg.fonttype": "none", "svg.hashsalt": "rropt", "pdf.fonttype": 42}
_NO_DATE: dict[str, dict[str, Any]] = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
_DESCRIPTION = {"png": "Description", "svg": "Description", "pdf": "Subject"}


def save(figure: Figure, path: str | os.PathLike[str], *, dpi: int | None = None) -> None:
    """Write a picture to a file; the file extension selects the format (``.png``, ``.svg`` or ``.pdf``).

    Args:
        figure: as ``rropt.plots`` returns it.
        path: where to; a file of that name is replaced when the new one is complete.
        dpi: dots per inch of a PNG, 30 to 1200; the figure's own when left out.

    Raises:
        InvalidParameterError: another ending, or a dpi out of range.
        FileFormatError: the file cannot be written.
    """
    kind = format_of(path)
    write_bytes(path, picture_bytes(figure, kind, dpi=dpi))


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the format that a file name asks for."""
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise InvalidParameterError(
            f"the picture's format is unknown: received {shown(str(path))}; "
            f"allowed are names that end in {', '.join('.' + name for name in FORMATS)}"
        )
    return kind


def picture_bytes(figure: Figure, kind: str, *, dpi: int | None = None) -> bytes:
    """Return the picture as bytes in one of ``FORMATS``; equal pictures give equal bytes.

    Args:
        figure: as ``rropt.plots`` returns it.
        kind: ``"png"``, ``"svg"`` or ``"pdf"``.
        dpi: dots per inch of a PNG, 30 to 1200; that of the figure when left out.
    """
    import matplotlib

    if dpi is not None and not (isinstance(dpi, int) and MIN_DPI <= dpi <= MAX_DPI):
        raise InvalidParameterError(
            f"dpi is out of range: received {shown(dpi)}; allowed is an integer from {MIN_DPI} to {MAX_DPI}"
        )
    buffer = io.BytesIO()
    metadata = {"Title": "rropt", _DESCRIPTION[kind]: str(figure.get_label()), **_NO_DATE[kind]}
    with plain_settings(), matplotlib.rc_context(_SETTINGS):
        figure.savefig(buffer, format=kind, dpi=figure.dpi if dpi is None else dpi, metadata=metadata)
    return buffer.getvalue()


_SPACING = 3.0  # dots at 100 dpi between two points of a curve when overlaps are counted


def dot_spacing(sheet: Sheet) -> float:
    """Return the distance between two points of a curve, in dots."""
    return _SPACING * sheet.figure.dpi / 100


def dots(sheet: Sheet, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a curve in dots of the sheet, at even distances along it."""
    finite = np.isfinite(x) & np.isfinite(y)
    if not finite.any():
        return np.empty((0, 2))
    points: NDArray[np.float64] = sheet.axes.transData.transform(np.column_stack([x[finite], y[finite]]))
    if len(points) == 1:
        return points
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    even = np.arange(0.0, length[-1], dot_spacing(sheet))
    return np.column_stack([np.interp(even, length, points[:, k]) for k in range(2)])


def text_size(sheet: Sheet, text: str) -> tuple[float, float]:
    """Return width and height of a label, of one line or several, in dots."""
    from matplotlib.font_manager import FontProperties

    font = FontProperties(size=sheet.style.size.font)
    lines = [sheet.renderer.get_text_width_height_descent(line, font, ismath=False)[:2] for line in text.split("\n")]
    height = max(height for _, height in lines)
    return max(width for width, _ in lines), height * (1 + 1.2 * (len(lines) - 1))


def path(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Return the coordinates of points, as a curve through them."""
    return [x for x, _ in points], [y for _, y in points]
