"""The sheet of a picture (axes with caption and legend), and its file.

Matplotlib's constrained layout places axis labels, caption and legend, and the sheet takes the height that they need.
Files are PNG, SVG or PDF. Equal pictures give equal bytes, and a file is written completely or not at all.
"""

from __future__ import annotations

import io
import os
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.files import write_bytes
from rropt.plots.styles import MAX_DPI, MIN_DPI, Style, plain_settings

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure


INCH = 72  # points
EM = 0.54  # of the font size: the mean width of a character, rounded up, so that lines end within the picture
_HANDLE = 4.2  # of the font size: what a sample takes before its text in the key
_PAD = 0.06  # inches around the parts
# pieces of formulas that stay on one line
_GLUED = re.compile(r" [=≈<≤>+−] |\bn Var\b|A and E|\([^() ]+, [^() ]+\)|ε, (?=δ)")  # noqa: RUF001


class PictureLayout:
    """A picture under construction: axes with caption and legend below or next to them.

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
        if style.axes is not None:  # a figure of the caller: its size and its other axes are left as they are
            self.axes: Any = style.axes
            self.figure: Figure = style.axes.figure.figure
            return
        size = style.size
        draft = (size.width, 4 * size.width)  # `finish` cuts the height
        self.figure = Figure(figsize=draft, dpi=size.dpi, facecolor="white", layout="constrained")
        FigureCanvasAgg(self.figure)
        layout: Any = self.figure.get_layout_engine()
        layout.set(w_pad=_PAD, h_pad=_PAD, rect=(0, 0, size.plot / size.width, 1))
        self.axes = self.figure.add_subplot(anchor="N", box_aspect=aspect)
        self.axes.tick_params(labelsize=size.font, width=0.6, length=3)
        for axis in (self.axes.xaxis, self.axes.yaxis):
            axis.get_offset_text().set_fontsize(size.font)
        for spine in self.axes.spines.values():
            spine.set_linewidth(0.6)

    def label(self, x: str, y: str) -> None:
        """Write the axis labels."""
        self.axes.set_xlabel(x, fontsize=self.style.size.font + 1)
        self.axes.set_ylabel(y, fontsize=self.style.size.font + 1)

    def unit_square(self) -> None:
        """Let both axes run from 0 to 1, with a tick at every quarter and a number at every half."""
        ticks, texts = (0, 0.25, 0.5, 0.75, 1), ["0", "", "0.5", "", "1"]
        self.axes.set(xlim=(0, 1), ylim=(0, 1))
        self.axes.set_xticks(ticks, texts)
        self.axes.set_yticks(ticks, texts)

    def fit(self) -> None:
        """Set the size of the axes to the width that their labels leave, unless the caller gave the axes."""
        if self.style.axes is None:
            self.figure.draw_without_rendering()

    def finish(self, key: Sequence[tuple[Artist | None, str]], caption: str) -> Figure:
        """Add the caption and the key as one legend, and fit the height of the sheet.

        Args:
            key: samples with their meanings; ``None`` for a line of text alone.
            caption: what the picture shows and how it is read.
        """
        from matplotlib.lines import Line2D

        size = self.style.size
        sample = _HANDLE * size.font / INCH
        look: dict[str, Any] = {"fontsize": size.font, "frameon": False, "handlelength": 3.4, "handletextpad": 0.6}
        handles = [artist or Line2D([], [], linestyle="none") for artist, _ in key]
        if self.style.axes is not None:
            width = self.axes.get_window_extent().width / self.figure.dpi
            labels = [self.wrapped(text, width - sample) for _, text in key]
            below = (0, -4.5 * size.font / INCH / (self.axes.get_window_extent().height / self.figure.dpi))
            self.axes.legend(handles, labels, loc="upper left", bbox_to_anchor=below, **look)
            self.axes.set_label(caption)
            return self.figure
        self.fit()
        plot = self.axes.get_tightbbox().height / self.figure.dpi
        width = (size.width - size.plot if size.beside else size.width) - 2 * _PAD
        labels = [self.wrapped(text, width - sample) for _, text in key]
        title = self.wrapped(caption, width) if self.style.caption else None
        place: dict[str, Any] = {"loc": "outside lower left"}
        if size.beside:
            place = {"loc": "upper left", "bbox_to_anchor": (size.plot / size.width, 1)}
        look |= place | {"borderpad": 0, "borderaxespad": _PAD * INCH / size.font, "labelspacing": 0.45}
        legend = self.figure.legend(handles, labels, title=title, title_fontsize=size.font, alignment="left", **look)
        texts = legend.get_window_extent().height / self.figure.dpi if key or title else 0.0
        height = max(plot, texts) if size.beside else plot + texts + 2 * _PAD
        self.figure.set_size_inches(size.width, height + 2 * _PAD)
        self.fit()
        # the alternative text of the files that are written
        self.figure.set_label(" ".join([caption, *(f"{text}." for _, text in key)]))
        return self.figure

    def columns(self, width: float) -> int:
        """Return the number of characters in a line of ``width`` inches."""
        return int(width * INCH / self.style.size.font / EM)

    def wrapped(self, text: str, width: float) -> str:
        """Return text in lines of ``width`` inches at most."""
        glued = _GLUED.sub(lambda match: match[0].replace(" ", "\N{NO-BREAK SPACE}"), text)
        return textwrap.fill(glued, self.columns(width)).replace("\N{NO-BREAK SPACE}", " ")


FORMATS = ("png", "svg", "pdf")

# text stays text (searchable, and set in the reader's font where it is missing); no date and no random name inside
_SETTINGS: Any = {"svg.fonttype": "none", "svg.hashsalt": "rropt", "pdf.fonttype": 42}
_NO_DATE: dict[str, dict[str, Any]] = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
_DESCRIPTION = {"png": "Description", "svg": "Description", "pdf": "Subject"}


def save(figure: Figure, path: str | os.PathLike[str], *, dpi: int | None = None) -> None:
    """Write a picture to a file; the file extension selects the format (``.png``, ``.svg`` or ``.pdf``).

    Args:
        figure: as ``rropt.plots`` returns it.
        path: the file; an existing file is replaced when the new one is complete.
        dpi: dots per inch of a PNG, 30 to 1200; the figure's own when left out.

    Raises:
        InvalidParameterError: another extension, or a dpi outside its range.
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


def path(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Return the coordinates of points, as a curve through them."""
    return [x for x, _ in points], [y for _, y in points]
