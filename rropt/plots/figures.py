"""``Figure``: a picture that shows itself in notebooks, and writes itself to a file."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rropt.core.errors import InvalidParameterError, one_of, shown
from rropt.core.exact.numbers import whole_where
from rropt.core.files import write_bytes
from rropt.plots.charts import Chart
from rropt.plots.svg_pictures import Paint, svg_picture

if TYPE_CHECKING:
    from matplotlib import figure as matplotlib_figures

FORMATS = ("png", "svg", "pdf")
MIN_DPI, MAX_DPI = 30, 1200  # dots per inch: below, nothing is legible; above, an image has 10^8 dots

# text stays text (searchable, and set in the reader's font where it is missing); no date and no random name inside
_SETTINGS: Any = {"svg.hashsalt": "rropt", "pdf.fonttype": 42}
_NO_DATE: dict[str, dict[str, Any]] = {"png": {}, "pdf": {"CreationDate": None}}
_DESCRIPTION = {"png": "Description", "pdf": "Subject"}


class Figure:
    """A picture of rropt: the functions of ``rropt.plots`` and the methods ``plot`` return it.

    A notebook shows it, without pyplot: as SVG always, and as PNG if matplotlib is installed. ``save`` writes it:
    SVG needs no library; PNG and PDF need matplotlib, the extra ``plot``. ``to_matplotlib`` returns a figure of
    matplotlib to be changed further.

    Attributes:
        chart: the description of what is drawn.
        text: the alternative text, a sentence or more, with the entries of the key.

    >>> from rropt import plots
    >>> figure = plots.region("log(2)", "1/4", prevalence="1/4")
    >>> figure.to_svg()[:4]
    '<svg'
    >>> figure.to_bytes("svg")[:5]
    b'<?xml'
    """

    def __init__(self, chart: Chart, text: str) -> None:
        self.chart = chart
        self.text = " ".join([text, *(f"{mark.label}." for mark in chart.key())])

    def to_svg(self, *, paint: Paint = str, style: str = "") -> str:
        """Return the picture as SVG, with ``<title>`` and ``<desc>`` for those who do not see it.

        Args:
            paint: a function from each colour (``#rrggbb``) to what is written in its place, such as a variable of CSS.
            style: rules of a style sheet inside the picture.
        """
        return svg_picture(self.chart, self.text, paint=paint, style=style)

    def to_matplotlib(self) -> matplotlib_figures.Figure:
        """Return a new figure of matplotlib with the picture, to be changed further; its label is the text.

        Raises:
            MissingExtraError: matplotlib is missing.

        >>> from rropt import plots
        >>> figure = plots.heat_map("grr:4,1/2").to_matplotlib()
        >>> text = figure.axes[0].set_title("Four categories")
        """
        from rropt.plots.matplotlib_pictures import matplotlib_figure

        return matplotlib_figure(self.chart, self.text)

    def to_bytes(self, kind: str, *, dpi: int | None = None) -> bytes:
        """Return the picture as a file; equal pictures give equal bytes.

        Args:
            kind: ``"png"``, ``"svg"`` or ``"pdf"``.
            dpi: dots per inch of a PNG, 30 to 1200; by default those of the size.

        Raises:
            InvalidParameterError: another format, or a dpi outside its range.
            MissingExtraError: PNG or PDF without matplotlib.
        """
        one_of(kind, FORMATS, "the picture's format")
        dots = self.chart.size.dpi if dpi is None else whole_where(dpi, MIN_DPI, MAX_DPI, name="dpi")
        if kind == "svg":
            return ('<?xml version="1.0" encoding="utf-8"?>\n' + self.to_svg()).encode()
        from rropt.plots.matplotlib_pictures import plain_settings

        figure = self.to_matplotlib()
        import matplotlib

        buffer = io.BytesIO()
        metadata = {"Title": "rropt", _DESCRIPTION[kind]: self.text, **_NO_DATE[kind]}
        with plain_settings(), matplotlib.rc_context(_SETTINGS):
            figure.savefig(buffer, format=kind, dpi=dots, metadata=metadata)
        return buffer.getvalue()

    def save(self, path: str | os.PathLike[str], *, dpi: int | None = None) -> None:
        """Write the picture to a file; the file extension selects the format (``.svg``, ``.png`` or ``.pdf``).

        Args:
            path: the file; an existing file is replaced when the new one is complete.
            dpi: dots per inch of a PNG, 30 to 1200; by default those of the size.

        Raises:
            InvalidParameterError: another extension, or a dpi outside its range.
            MissingExtraError: PNG or PDF without matplotlib.
            FileFormatError: the file cannot be written.
        """
        write_bytes(path, self.to_bytes(format_of(path), dpi=dpi))

    def show(self) -> None:
        """Show the picture in a window and wait until it is closed. Only this method uses pyplot.

        Raises:
            InvalidParameterError: no window can be opened.
            MissingExtraError: matplotlib is missing.
        """
        figure = self.to_matplotlib()
        try:
            import matplotlib.pyplot as plt

            window = plt.figure(figsize=tuple(figure.get_size_inches()), dpi=figure.dpi)
        except (ImportError, ValueError, RuntimeError) as error:  # a broken setting, or a screen that does not answer
            raise InvalidParameterError(
                f"no window can be opened ({shown(str(error))}): write the picture to a file (`output=FILE.svg`, "
                ".png or .pdf)"
            ) from None
        if window.canvas.required_interactive_framework is None:
            plt.close(window)
            raise InvalidParameterError(
                "matplotlib has no toolkit for windows here: write the picture to a file (`output=FILE.svg`, .png or "
                ".pdf), or install one, such as PySide6"
            )
        figure.set_canvas(window.canvas)  # the window takes the finished figure instead of its own
        window.canvas.figure = figure
        plt.show()

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the alternative text of both formats: a page that is made of a notebook writes it beside them."""
        return {}, {kind: {"alt": self.text} for kind in ("image/svg+xml", "image/png")}

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_png_(self) -> bytes | None:
        from rropt.plots.matplotlib_pictures import has_matplotlib

        return self.to_bytes("png") if has_matplotlib() else None

    def __repr__(self) -> str:
        return f"<Figure: {self.text}>"


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the format that a file name asks for.

    Raises:
        InvalidParameterError: it asks for no format of pictures.
    """
    kind = Path(path).suffix.lower().removeprefix(".") if isinstance(path, str | os.PathLike) else ""
    if kind not in FORMATS:
        raise InvalidParameterError(
            f"the picture's format is unknown: received {shown(path)}; "
            f"allowed are names that end in {', '.join('.' + name for name in FORMATS)}"
        )
    return kind


def require_screen() -> None:
    """Raise an error early if no window can be opened.

    Raises:
        InvalidParameterError: there is no screen.
    """
    elsewhere = sys.platform in ("win32", "darwin")
    if not elsewhere and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise InvalidParameterError(
            "there is no screen to show the picture on: write it to a file (`output=FILE.svg`, .png or "
            ".pdf), or take its data (`json`)"
        )


Drawing = Callable[[Chart, Any], str]
