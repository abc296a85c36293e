"""Windows: a finished figure shown on a screen, and a clear line where there is none."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from rropt.errors import InvalidParameterError, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def require_screen() -> None:
    """Refuse early where no window can be opened.

    Raises:
        InvalidParameterError: there is no screen.
    """
    elsewhere = sys.platform in ("win32", "darwin")
    if not elsewhere and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise InvalidParameterError(
            "there is no screen to show the picture on: write it with --output FILE.png, .svg or .pdf, or take --json"
        )


def show(figure: Figure) -> None:
    """Show a figure in a window until that is closed; pyplot is used here only, for its window.

    Raises:
        InvalidParameterError: no window can be opened.
    """
    try:
        import matplotlib.pyplot as plt

        window = plt.figure(figsize=tuple(figure.get_size_inches()), dpi=figure.dpi)
    except (ImportError, ValueError, RuntimeError) as error:  # a broken setting, or a screen that does not answer
        raise InvalidParameterError(
            f"no window can be opened ({shown(str(error))}): write the picture with --output FILE.png, .svg or .pdf"
        ) from None
    if window.canvas.required_interactive_framework is None:
        plt.close(window)
        raise InvalidParameterError(
            "matplotlib has no toolkit for windows here: write the picture with --output FILE.png, .svg or .pdf, "
            "or install one, such as PySide6"
        )
    figure.set_canvas(window.canvas)  # the window takes the finished figure in the place of its own
    window.canvas.figure = figure
    plt.show()
