"""The appearance of pictures: sizes for paper and screen, and two palettes that remain legible in grey.

Colour is never the only distinction: lines differ in their dashes, points in their markers, and both have labels.
The colours are those of Okabe and Ito, which colour-blind readers can distinguish; yellow is left out.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any

from rropt.core.errors import InvalidParameterError, MissingExtraError, shown

# An irrational coordinate is bracketed at these many digits, doubling, until it is known to more than a float holds.
FIRST_FLOAT_DIGITS = 40
FLOAT_DIGITS = 17

SHORT_TEXT = 9  # characters: an exact coordinate up to here stands in a picture, a longer one as a decimal
SHOWN_DIGITS = 4  # of such a decimal

CURVE_POINTS = 401  # of one curve: a point every half millimetre across the widest picture
MARKED_POINTS = 3  # exact points that a picture of efficiencies marks unless told which: labels fit between them
MAX_CURVES = 40  # levels, designs or marked points in one picture: beyond it nothing can be distinguished

PIECE_POINTS = 25  # of a piece of a limit between two breaks, however short: a bend still shows
MAX_BREACH_REGIONS = 4  # in one square: more fills on top of each other cannot be distinguished
ONE_LINE = 1e-4  # of the unit square: limits nearer than that on a whole cell are one line, to the eye

# Below this height of R' over the line p00 + p11 = 1 (it is at most 1) contours cannot be read in the unit square:
# the landscape is then drawn over p00 + p11 - 1, stretched.
THIN_REGION = Fraction(3, 10)

# The lowest contour has this share of the region's height (contours crowd towards p00 + p11 = 1, where n Var is
# infinite), and the contours begin at most this many powers of ten below the highest: lower ones lie close to a vertex.
LOWEST_CONTOUR = Fraction(1, 7)
CONTOUR_DECADES = 2
MAX_CONTOURS = 7  # more could not all be labelled at paper size

LARGEST_RATIO = 30  # relative variances above it lie beyond the frame, so that those that matter can be distinguished

MIN_DPI, MAX_DPI = 30, 1200  # dots per inch: below, nothing is legible; above, an image has 10^8 dots


Dashes = str | tuple[float, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Size:
    """The lengths for one medium, in inches and points.

    Attributes:
        width: the width of the whole picture, in inches.
        plot: width of the axes with their labels, in.
        beside: whether key and caption are next to the axes rather than below them.
        font: the size of text in points; axis labels are one point larger.
        line: the width of a curve in points, to which the size of markers is proportional.
        dpi: the default resolution of a PNG.
    """

    width: float
    plot: float
    beside: bool
    font: float
    line: float
    dpi: int


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by role.

    Attributes:
        lines: the colours of curves, in order.
        region, informative: the fill colours of R and of R'.
        ramp: the lightest and the darkest fill of a picture of n Var; black text is legible on both.
        accent: the colour of the optimum.
    """

    lines: tuple[str, ...]
    region: str
    informative: str
    ramp: tuple[str, str]
    accent: str


# one and two columns of a journal, and a window of 1100 by about 700 dots
SIZES: dict[str, Size] = {
    "paper": Size(width=3.4, plot=3.4, beside=False, font=8, line=1.1, dpi=300),
    "wide": Size(width=7.0, plot=4.1, beside=True, font=8, line=1.2, dpi=300),
    "screen": Size(width=11.0, plot=6.9, beside=True, font=12, line=1.8, dpi=100),
}

PALETTES: dict[str, Palette] = {
    "color": Palette(
        lines=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"),
        region="#e9eff5",
        informative="#b5d3ea",
        ramp=("#ffffff", "#7fb2d8"),
        accent="#d55e00",
    ),
    "grey": Palette(
        lines=("#000000", "#555555", "#000000", "#777777", "#333333", "#555555", "#000000"),
        region="#ededed",
        informative="#cccccc",
        ramp=("#ffffff", "#a8a8a8"),
        accent="#000000",
    ),
}

# In one order: neighbours differ in dashes and in marker.
DASHES: tuple[Dashes, ...] = (
    "solid",
    (0, (5, 1.6)),
    (0, (1.2, 1.4)),
    (0, (6, 1.5, 1.2, 1.5)),
    (0, (8, 2.5)),
    (0, (3, 1.2, 1.2, 1.2, 1.2, 1.2)),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "h")


@dataclass(frozen=True, slots=True)
class Style:
    """A size, a palette, whether the caption is part of the picture, and the axes to draw on, if they are given."""

    size: Size
    palette: Palette
    caption: bool
    axes: Any = None

    def line(self, i: int) -> dict[str, Any]:
        """Return colour and dashes of the i-th curve."""
        lines = self.palette.lines
        return {
            "color": lines[i % len(lines)],
            "linestyle": DASHES[i % len(DASHES)],
            "linewidth": self.size.line,
        }

    def marker(self, i: int) -> dict[str, Any]:
        """Return the marker of the i-th curve, filled with white to be visible on every background."""
        return {
            "marker": MARKERS[i % len(MARKERS)],
            "markersize": 4.2 * self.size.line,
            "markerfacecolor": "white",
            "markeredgewidth": 0.8 * self.size.line,
        }


def style_of(size: str, style: str, caption: bool, axes: Any = None) -> Style:
    """Return the style with a given size and palette.

    Raises:
        InvalidParameterError: an unknown name, or invalid axes.
    """
    if axes is not None and not hasattr(axes, "get_window_extent"):
        raise InvalidParameterError(
            f"ax is not a matplotlib axes: received {shown(axes)}; allowed is that of plt.subplots()"
        )
    if size not in SIZES:
        raise InvalidParameterError(f"size is unknown: received {shown(size)}; allowed are {', '.join(SIZES)}")
    if style not in PALETTES:
        raise InvalidParameterError(f"style is unknown: received {shown(style)}; allowed are {', '.join(PALETTES)}")
    return Style(SIZES[size], PALETTES[style], caption, axes)


def require_matplotlib() -> None:
    """Raise an error with one clear line if matplotlib, an optional library, is missing."""
    try:
        if "matplotlib" not in sys.modules and os.environ.get("MPLBACKEND"):
            _import_whatever_the_backend()
        import_module("matplotlib")
    except ImportError:
        raise MissingExtraError(
            'pictures need matplotlib, which is not installed: install the extra with pip install "rropt[plot]"; '
            "the data of a picture (`json`) need none"
        ) from None


def _import_whatever_the_backend() -> None:
    """Import matplotlib even if MPLBACKEND, which notebooks set, names a backend that is not installed.

    Otherwise the import would fail and leave a partly loaded library. Files need no backend; an installed one is set as
    usual.
    """
    backend = os.environ.pop("MPLBACKEND")
    try:
        matplotlib = import_module("matplotlib")
    finally:
        os.environ["MPLBACKEND"] = backend
    with suppress(ValueError):
        matplotlib.rcParams["backend"] = backend


@contextmanager
def plain_settings() -> Iterator[None]:
    """Draw with matplotlib's own defaults, and restore the user's settings afterwards."""
    require_matplotlib()
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams["text.parse_math"] = False  # names from files may hold dollar signs
        yield
