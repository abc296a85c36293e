"""Checks before a picture is computed, and the window that shows a figure."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from rropt.core.errors import InvalidParameterError, shown
from rropt.plots.picture_layout import format_of
from rropt.plots.styles import require_matplotlib, style_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def require_drawable(path: str | None, *, size: str, style: str, caption: bool = True, data_only: bool = False) -> None:
    """Raise an error before a picture is computed if its format or style is unknown or matplotlib is missing.

    Raises:
        InvalidParameterError: a file name of another format, or an unknown size or style.
        MissingExtraError: matplotlib is missing; not checked if only the data are requested (``data_only``).
    """
    if path is not None:
        format_of(path)
    style_of(size, style, caption)
    if path is not None or not data_only:
        require_matplotlib()


def require_screen() -> None:
    """Raise an error early if no window can be opened.

    Raises:
        InvalidParameterError: there is no screen.
    """
    elsewhere = sys.platform in ("win32", "darwin")
    if not elsewhere and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise InvalidParameterError(
            "there is no screen to show the picture on: write it to a file (`output=FILE.png`, .svg or "
            ".pdf), or take its data (`json`)"
        )


def show(figure: Figure) -> None:
    """Show a figure in a window and wait until it is closed. Only this function uses pyplot.

    Raises:
        InvalidParameterError: no window can be opened.
    """
    try:
        import matplotlib.pyplot as plt

        window = plt.figure(figsize=tuple(figure.get_size_inches()), dpi=figure.dpi)
    except (ImportError, ValueError, RuntimeError) as error:  # a broken setting, or a screen that does not answer
        raise InvalidParameterError(
            f"no window can be opened ({shown(str(error))}): write the picture to a file (`output=FILE.png`, "
            ".svg or .pdf)"
        ) from None
    if window.canvas.required_interactive_framework is None:
        plt.close(window)
        raise InvalidParameterError(
            "matplotlib has no toolkit for windows here: write the picture to a file (`output=FILE.png`, .svg or "
            ".pdf), or install one, such as PySide6"
        )
    figure.set_canvas(window.canvas)  # the window takes the finished figure instead of its own
    window.canvas.figure = figure
    plt.show()
