"""Pictures of HTML pages, which follow the colours of the page: light or dark.

A page contains each picture as a file of its own (SVG). The file cannot read the style sheet of the page, so it names
its colours as variables and has a dark value for each; ``styles/page.css`` has the same paper, and in the dark the same
ink.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rropt.plots import Figure

DARK_COLOURS = {
    "#ffffff": "#15181c",  # paper
    "#000000": "#e6e9ec",  # ink
    "#555555": "#b4bbc3",
    "#666666": "#a3abb5",
    "#dddddd": "#3a4048",
    "#d9d9d9": "#33393f",
    "#999999": "#5a626b",
    "#e9eff5": "#20252b",  # areas, on which the ink is legible
    "#b5d3ea": "#2b4a63",
    "#7fb2d8": "#37658a",
    "#0072b2": "#56b4e9",  # curves
    "#d55e00": "#e69f00",
    "#009e73": "#35c79b",
    "#cc79a7": "#dd96c5",
    "#56b4e9": "#b9e0f7",
    "#e69f00": "#f5e07a",
}
_LIGHT, _DARK = (
    "".join(f"--{name[1:]}:{value};" for name, value in pairs)
    for pairs in (((name, name) for name in DARK_COLOURS), DARK_COLOURS.items())
)
_STYLE = f":root{{{_LIGHT}}}@media(prefers-color-scheme:dark){{:root{{{_DARK}}}}}"


def page_picture(figure: Figure) -> bytes:
    """Return a figure as SVG that a page shows in its own colours, light or dark."""
    return figure.to_svg(paint=lambda color: f"var(--{color[1:]})", style=_STYLE).encode()
