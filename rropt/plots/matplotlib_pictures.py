"""Pictures on matplotlib, for PNG, PDF and further styling; the optional extra ``plot``."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rropt.core.errors import InvalidParameterError, MissingExtraError, shown
from rropt.core.visible import visible
from rropt.plots.charts import INCH, Area, Cells, Chart, Curve, Look, Mark, Rule, Size, Writing
from rropt.plots.layouts import BOX_PAD, GAP, HANDLE, SAMPLE, Inside, Placed, inside_of, layout_of
from rropt.plots.svg_pictures import GRID, ROUND_BOX
from rropt.plots.text_widths import LINE, wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ACROSS, _DOWN = {-1: "right", 0: "center", 1: "left"}, {-1: "bottom", 0: "center", 1: "top"}


@contextmanager
def plain_settings(look: Size | None = None) -> Iterator[None]:
    """Draw with matplotlib's own defaults and the lengths of a size, and restore the user's settings afterwards."""
    require_matplotlib()
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams["text.parse_math"] = False  # names from files may hold dollar signs
        for name in ("axes.linewidth", "xtick.major.width", "ytick.major.width"):
            matplotlib.rcParams[name] = 0.6
        if look is not None:
            settings: Any = {"font.size": look.font, "axes.labelsize": look.font + 1, "lines.linewidth": look.line}
            settings |= {"lines.markersize": 4.2 * look.line, "lines.markeredgewidth": 0.8 * look.line}
            settings |= {"legend.frameon": False, "legend.handlelength": HANDLE, "legend.labelspacing": GAP}
            settings |= {"legend.borderpad": 0, "legend.handletextpad": SAMPLE - HANDLE}
            matplotlib.rcParams.update(settings)
        yield


def has_matplotlib() -> bool:
    """Return whether matplotlib, an optional library, is installed."""
    with suppress(MissingExtraError):
        require_matplotlib()
        return True
    return False


def require_matplotlib() -> None:
    """Raise an error with one clear line if matplotlib, an optional library, is missing."""
    backend = os.environ.pop("MPLBACKEND", None) if "matplotlib" not in sys.modules else None
    try:  # files need no backend: one that notebooks name need not be installed
        matplotlib = import_module("matplotlib")
    except ImportError:
        raise MissingExtraError(
            "a picture as PNG or PDF, in a window or on axes of matplotlib needs matplotlib, which is not installed: "
            'install the extra with pip install "rropt[plot]"; a picture as SVG (FILE.svg) needs none'
        ) from None
    finally:
        if backend is not None:
            os.environ["MPLBACKEND"] = backend
    if backend:
        with suppress(ValueError):
            matplotlib.rcParams["backend"] = backend


def matplotlib_figure(chart: Chart, text: str) -> Figure:
    """Return a picture as a figure of matplotlib, without pyplot or a screen; its label is the alternative text."""
    layout, size = layout_of(chart), chart.size
    with plain_settings(size):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        width, height, box = layout.width, layout.height, layout.frame
        figure = Figure((width / INCH, height / INCH), size.dpi, facecolor="white")
        FigureCanvasAgg(figure)
        axes = figure.add_axes(
            (
                box.left / width,
                1 - box.bottom / height,
                (box.right - box.left) / width,
                (box.bottom - box.top) / height,
            )
        )
        _draw(axes, chart, layout.inside)
        samples = axes.get_legend_handles_labels()[0]
        if samples:
            x, y = layout.key_place
            # the line spacing of matplotlib is 1.2 times the size, ours is wider: the key is shorter than its room
            place: dict[str, Any] = {
                "loc": "upper left",
                "bbox_to_anchor": (x / width, 1 - y / height),
                "borderaxespad": 0,
            }
            figure.legend(samples, [visible(label, keep="\n") for _, label in layout.key], **place)
        figure.set_label(text)
        figure.draw_without_rendering()
    return figure


def draw_on(axes: Any, chart: Chart, text: str) -> None:
    """Draw a picture on the axes of a figure of the user, with the key below them.

    Raises:
        InvalidParameterError: these are no axes of matplotlib.
        MissingExtraError: matplotlib is missing.
    """
    require_matplotlib()
    if not hasattr(axes, "get_window_extent"):
        raise InvalidParameterError(
            f"ax is not a matplotlib axes: received {shown(axes)}; allowed is that of plt.subplots()"
        )
    size = chart.size
    with plain_settings(size):
        axes.figure.figure.draw_without_rendering()
        box = axes.get_window_extent()
        width, height = (length * INCH / axes.figure.dpi for length in (box.width, box.height))
        _draw(axes, chart, inside_of(chart, width, height))
        axes.set_label(text)
        samples, labels = axes.get_legend_handles_labels()  # also what the user has drawn there
        if samples:
            lines = wrapped(labels, max(width / size.font - SAMPLE, 6))
            place = {"loc": "upper left", "bbox_to_anchor": (0, -4.5 * size.font / height)}
            axes.legend(samples, [visible(line, keep="\n") for line in lines], **place)


def _draw(axes: Any, chart: Chart, inside: Inside) -> None:
    """Draw everything but the key."""
    x_limits, y_limits = chart.limits()
    for letter, axis, limits, ticks, small in (
        ("x", chart.x, x_limits, inside.x_ticks, inside.x_small),
        ("y", chart.y, y_limits, inside.y_ticks, inside.y_small),
    ):
        if axis.is_log:
            getattr(axes, f"set_{letter}scale")("log")
        getattr(axes, f"set_{letter}lim")(*limits)
        each = getattr(axes, f"{letter}axis")
        each.set_ticks([tick.at for tick in ticks], [visible(tick.text, keep="\n") for tick in ticks])
        each.set_ticks(small, [""] * len(small), minor=True)
        if axis.is_turned:
            axes.tick_params(axis=letter, rotation=90)
        if not axis.has_marks:
            axes.tick_params(axis=letter, length=0)
        if axis.has_grid:
            axes.grid(axis=letter, color=GRID, linewidth=0.5, zorder=0)
    for side in ("left", "right", "top", "bottom"):
        axes.spines[side].set_visible(side in chart.sides)
    for name_of_axis in inside.labels:
        (axes.set_ylabel if name_of_axis.is_turned else axes.set_xlabel)(visible(name_of_axis.text, keep="\n"))
    for mark in chart.marks:
        _put(axes, mark)
    for name in inside.names:
        _name(axes, name)
    for (x, y), text in inside.curve_names:
        axes.text(x, y, text, ha="center", va="center", zorder=6, bbox=_box("square"))


def _put(axes: Any, mark: Mark) -> None:
    match mark:
        case Curve(x, y, look, label):
            if x or label:
                axes.plot(x, y, label=_label(label), **_look(look))
        case Rule(at, is_upright, look, label):
            (axes.axvline if is_upright else axes.axhline)(at, label=_label(label), **_look(look))
        case Area():
            _area(axes, mark)
        case Cells():
            _cells(axes, mark)
        case Writing(at_x, at_y, text, kind):
            axes.text(at_x, at_y, visible(text, keep="\n"), ha="center", va="center", zorder=6, bbox=_box(kind))


def _name(axes: Any, name: Placed) -> None:
    look: dict[str, Any] = {"ha": _ACROSS[name.across], "va": _DOWN[name.down], "annotation_clip": False}
    if name.is_led:
        look["arrowprops"] = {"arrowstyle": "-", "linewidth": 0.5, "shrinkA": 0, "shrinkB": 0}
    offset = name.offset[0], -name.offset[1]
    text = visible(name.text, keep="\n")
    axes.annotate(text, name.point, offset, textcoords="offset points", zorder=8, linespacing=LINE, **look)


def _label(label: str) -> str:
    """Return a label of the key; matplotlib leaves out those that begin with an underscore."""
    return label or "_"


def _look(look: Look) -> dict[str, Any]:
    """Return the arguments of a line of matplotlib; those that are not set are its own."""
    found: dict[str, Any] = {"color": look.color, "linestyle": look.linestyle, "zorder": look.zorder}
    found |= {"clip_on": look.clip_on, "solid_capstyle": look.solid_capstyle, "marker": look.marker or "None"}
    for name in ("linewidth", "markersize", "markerfacecolor", "markeredgecolor"):
        if (value := getattr(look, name)) is not None:
            found[name] = value
    return found


def _area(axes: Any, area: Area) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Polygon

    color: Any = area.facecolor
    if color != "none":
        color = [1 - area.tint * (1 - part) for part in to_rgb(color)]
    look: dict[str, Any] = {"facecolor": color, "edgecolor": area.edgecolor, "hatch": area.hatch or None}
    look |= {"linewidth": area.linewidth} if area.linewidth is not None else {}
    look |= {"zorder": area.zorder, "clip_on": area.clip_on, "label": _label(area.label)}
    corners = area.corners or [(math.nan, math.nan)]  # a line of the key alone
    patch = axes.add_patch(Polygon(corners, closed=True, **look))
    if area.inside:
        patch.set_clip_path(Polygon(area.inside, closed=True, transform=axes.transData))


def _cells(axes: Any, cells: Cells) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    ramp = LinearSegmentedColormap.from_list("ramp", ("white", cells.color))
    limits = axes.get_xlim(), axes.get_ylim()
    axes.imshow(cells.matrix, cmap=ramp, vmin=0, vmax=cells.top, aspect="auto", interpolation="nearest")
    axes.set(xlim=limits[0], ylim=limits[1])


def _box(kind: str) -> dict[str, Any] | None:
    """Return the box around a text."""
    if not kind:
        return None
    style = f"{'round' if kind == 'round' else 'square'},pad={BOX_PAD[kind]}"
    if kind == "round":
        return {"boxstyle": style, "facecolor": ROUND_BOX, "edgecolor": "black", "linewidth": 0.7}
    return {"boxstyle": style, "facecolor": "white", "edgecolor": "none"}
