"""Frame of all pictures: one function of a picture draws its result on axes and returns its alternative text.

``picture`` makes it a public function, which computes the result if it is not given, and draws it on a new figure or
on the caller's axes, with a key below or beside them. Curves differ in colour (those of Okabe and Ito, which
colour-blind readers can distinguish, without yellow) and in dashes, so a picture can be read without colour.
"""

from __future__ import annotations

import inspect
import io
import math
import os
import re
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import wraps
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from rropt.core.errors import InvalidParameterError, MissingExtraError, one_of, required, shown
from rropt.core.exact import Delta, Epsilon, as_text, both_texts, decimal_text
from rropt.core.exact.numbers import whole_where
from rropt.core.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# the alternative texts of the pictures
TEXTS: Mapping[str, str] = tomllib.loads(Path(__file__).with_name("texts.toml").read_text("utf-8"))
SHORT_TEXT = 9  # characters: an exact value up to here stands in a picture, a longer one as a decimal
SHOWN_DIGITS = 4  # of such a decimal
MAX_CURVES = 40  # levels, designs or marked points in one picture: beyond it nothing can be distinguished
MIN_DPI, MAX_DPI = 30, 1200  # dots per inch: below, nothing is legible; above, an image has 10^8 dots


class Size(NamedTuple):
    """Width of a figure and of its axes in inches (the key stands beside narrower axes), font and lines in points."""

    width: float
    plot: float
    font: float
    line: float
    dpi: int


SIZES = {
    "paper": Size(3.4, 3.4, 8, 1.1, 300),
    "wide": Size(7.0, 4.1, 8, 1.2, 300),
    "screen": Size(11.0, 6.9, 12, 1.8, 100),
}
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
DASHES: tuple[Any, ...] = (
    "solid",
    (0, (5, 1.6)),
    (0, (1.2, 1.4)),
    (0, (6, 1.5, 1.2, 1.5)),
    (0, (8, 2.5)),
    (0, (3, 1.2, 1.2, 1.2, 1.2, 1.2)),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "h")
LIGHT, FILL, DARK = "#e9eff5", "#b5d3ea", "#7fb2d8"  # black text is legible on each
GOAL: dict[str, Any] = {"color": "#666666", "linestyle": (0, (1, 2)), "linewidth": 1.0, "zorder": 2}
DOT: dict[str, Any] = {"color": "black", "marker": "o", "linestyle": "none", "clip_on": False, "zorder": 7}

_CYCLE = len(COLORS) * len(DASHES)
_INCH = 72  # points
EM = 0.54  # of the font size: the mean width of a character, rounded up, so that lines end within the picture
_SAMPLE = 4.2  # of the font size: what a sample takes before its text in the key
_PAD = 0.06  # inches around the parts
_GLUED = re.compile(r" [=≈<≤>+\N{MINUS SIGN}] |\bn Var\b|\([^() ]+, [^() ]+\)")  # stays on one line


_DRAWN: dict[type, Callable[..., Figure]] = {}  # the classes of results and their pictures
_MODULES = (  # draw_*.py define them
    "accounting",
    "breach_regions",
    "comparisons",
    "designs",
    "every_level",
    "precisions",
    "surveys",
)


def picture(
    compute: Callable[..., Any], *results: type, of: Sequence[type] = ()
) -> Callable[[Callable[..., str]], Callable[..., Figure]]:
    """Make a public function of a drawing ``draw(axes, result)`` that returns its alternative text.

    Args:
        compute: the function from the public function's arguments to the result.
        results: the classes of what is drawn as it is given.
        of: the classes of what the result is computed from.
    """

    def decorate(draw: Callable[..., str]) -> Callable[..., Figure]:
        @wraps(draw)
        def figure(*arguments: Any, size: str = "paper", ax: Any = None, **options: Any) -> Figure:
            is_result = len(arguments) == 1 and not options and isinstance(arguments[0], results)
            found = arguments[0] if is_result else compute(*arguments, **options)
            return _drawn(draw, found, size, ax)

        asked = inspect.signature(compute)
        own = inspect.signature(figure, follow_wrapped=False).parameters
        named = [one for one in asked.parameters.values() if one.kind != one.VAR_KEYWORD]
        rest = [one for one in asked.parameters.values() if one.kind == one.VAR_KEYWORD]
        figure.__signature__ = asked.replace(  # type: ignore[attr-defined]
            parameters=[*named, own["size"], own["ax"], *rest], return_annotation="Figure"
        )
        _DRAWN.update(dict.fromkeys((*results, *of), figure))
        return figure

    return decorate


def as_given(found: Any) -> NoReturn:
    """Reject what is not drawn as it is given; the ``compute`` of pictures that draw results alone.

    Raises:
        InvalidParameterError: always.
    """
    raise InvalidParameterError(f"there is no picture of this: received {shown(found)}; allowed are results")


def draw(result: Any, *, size: str = "paper", ax: Any = None) -> Figure:
    """Draw a result, or the data of a picture; the same data serve for paper and screen.

    Args:
        result: what ``compose``, ``estimate`` and others return, or a record of ``rropt.plots.data``.
        size: ``"paper"``, ``"wide"`` or ``"screen"``.
        ax: matplotlib axes to draw on; without them a figure of its own.

    Raises:
        InvalidParameterError: there is no picture of this, or an unknown size.
        MissingExtraError: matplotlib is missing.
    """
    for module in _MODULES:
        import_module(f"rropt.plots.draw_{module}")
    kind = next((cls for cls in type(result).__mro__ if cls in _DRAWN), None)
    if kind is None:
        as_given(result)
    return _DRAWN[kind](result, size=size, ax=ax)


def _drawn(draw: Callable[..., str], found: Any, size: str, ax: Any) -> Figure:
    look = size_of(size)
    if ax is not None and not hasattr(ax, "get_window_extent"):
        raise InvalidParameterError(
            f"ax is not a matplotlib axes: received {shown(ax)}; allowed is that of plt.subplots()"
        )
    with plain_settings(look):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        if ax is None:
            figure = Figure((look.width, 4 * look.width), look.dpi, facecolor="white", layout="constrained")
            FigureCanvasAgg(figure)
            layout: Any = figure.get_layout_engine()
            layout.set(w_pad=_PAD, h_pad=_PAD, rect=(0, 0, look.plot / look.width, 1))
        axes = figure.add_subplot(anchor="N") if ax is None else ax
        axes.set_prop_cycle(color=[*islice(cycle(COLORS), _CYCLE)], linestyle=[*islice(cycle(DASHES), _CYCLE)])
        shape = axes.get_box_aspect()
        text = draw(axes, found)
        samples, labels = axes.get_legend_handles_labels()
        if ax is None:
            _finish(figure, axes, look, samples, labels)
            figure.set_label(" ".join([text, *(f"{label}." for label in labels)]))  # the alternative text of files
            return figure
        axes.set_box_aspect(shape)
        axes.set_label(text)
        below = (0, -4.5 * look.font / _INCH / (axes.get_window_extent().height / axes.figure.dpi))
        axes.legend(samples, wrapped(labels, columns(axes) - _SAMPLE / EM), loc="upper left", bbox_to_anchor=below)
        drawn: Figure = axes.figure.figure
        return drawn


def _finish(figure: Figure, axes: Any, look: Size, samples: Any, labels: Sequence[str]) -> None:
    """Add the key, and give the figure the height that it and the axes need."""
    figure.draw_without_rendering()
    beside = look.plot < look.width
    room = (look.width - look.plot * beside - 2 * _PAD) * _INCH / look.font - _SAMPLE
    place: dict[str, Any] = {"loc": "outside lower left"}
    if beside:
        place = {"loc": "upper left", "bbox_to_anchor": (look.plot / look.width, 1)}
    legend = figure.legend(samples, wrapped(labels, room / EM), borderaxespad=_PAD * _INCH / look.font, **place)
    parts = axes.get_tightbbox().height, legend.get_window_extent().height * bool(labels)
    height = (max(parts) if beside else sum(parts) + 2 * _PAD * figure.dpi) / figure.dpi
    figure.set_size_inches(look.width, height + 2 * _PAD)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # another drawing gives the same bytes


def columns(axes: Any) -> float:
    """Return the number of characters that fit into the width of the axes."""
    import matplotlib

    axes.figure.figure.draw_without_rendering()
    inches = axes.get_window_extent().width / axes.figure.dpi
    return float(inches * _INCH / matplotlib.rcParams["font.size"] / EM)


def wrapped(labels: Iterable[str], room: float) -> list[str]:
    """Return texts in lines of at most so many characters."""
    glued = (_GLUED.sub(lambda match: match[0].replace(" ", "\N{NO-BREAK SPACE}"), label) for label in labels)
    return [textwrap.fill(label, max(int(room), 10)).replace("\N{NO-BREAK SPACE}", " ") for label in glued]


def size_of(name: str) -> Size:
    """Return the lengths of a size.

    Raises:
        InvalidParameterError: an unknown name.
    """
    return SIZES[one_of(name, SIZES, "size")]


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
            settings |= {"legend.frameon": False, "legend.handlelength": 3.4, "legend.handletextpad": 0.6}
            matplotlib.rcParams.update(settings | {"legend.borderpad": 0, "legend.labelspacing": 0.45})
        yield


def require_matplotlib() -> None:
    """Raise an error with one clear line if matplotlib, an optional library, is missing."""
    backend = os.environ.pop("MPLBACKEND", None) if "matplotlib" not in sys.modules else None
    try:  # files need no backend: one that notebooks name need not be installed
        matplotlib = import_module("matplotlib")
    except ImportError:
        raise MissingExtraError(
            'pictures need matplotlib, which is not installed: install the extra with pip install "rropt[plot]"; '
            "the data of a picture (`json`) need none"
        ) from None
    finally:
        if backend is not None:
            os.environ["MPLBACKEND"] = backend
    if backend:
        with suppress(ValueError):
            matplotlib.rcParams["backend"] = backend


def say(axes: Any, text: str) -> None:
    """Add a line without a sample to the key."""
    axes.plot([], [], color="none", linestyle="none", label=text)


def marked(i: int) -> dict[str, Any]:
    """Return the marker of the i-th curve, filled with white to be visible on every background."""
    return {"marker": MARKERS[i % len(MARKERS)], "markerfacecolor": "white"}


def shaded(axes: Any, corners: Any, label: str = "", **look: Any) -> Any:
    """Draw a polygon, with a line of the key if it has a label."""
    from matplotlib.patches import Polygon

    return axes.add_patch(Polygon(corners, closed=True, label=label or "_", **look))


def unit_square(axes: Any, x: str, y: str) -> None:
    """Let both axes run from 0 to 1, with a tick at every quarter and a number at every half."""
    ticks, texts = (0, 0.25, 0.5, 0.75, 1), ["0", "", "0.5", "", "1"]
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel=x, ylabel=y, box_aspect=1)
    axes.set_xticks(ticks, texts)
    axes.set_yticks(ticks, texts)


def plain_ticks(axis: Any) -> None:
    """Label a logarithmic axis with plain numbers; a short axis is also labelled at 2 and 5 times the powers of ten."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 200 * low else (1,), numticks=12))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}" if value < 1e6 else f"{value:.0e}"))
    axis.set_minor_formatter(NullFormatter())


def look_of(i: int) -> dict[str, Any]:
    """Return colour and dashes of the i-th curve."""
    return {"color": COLORS[i % len(COLORS)], "linestyle": DASHES[i % len(DASHES)]}


def name_points(axes: Any, points: Iterable[tuple[tuple[float, float], str, float]]) -> None:
    """Write texts beside their points, each in its direction in degrees; points that are close share one."""
    import matplotlib

    axes.figure.figure.draw_without_rendering()
    font = matplotlib.rcParams["font.size"]
    shared: list[tuple[Any, list[str], tuple[float, float], float]] = []
    for point, text, towards in points:
        dot = axes.transData.transform(point)
        for other, texts, *_ in shared:
            if math.dist(dot, other) < 2 * font * axes.figure.dpi / _INCH:
                texts.append(text)
                break
        else:
            shared.append((dot, [text], point, math.radians(towards)))
    for _, texts, point, angle in shared:
        x, y = math.cos(angle), math.sin(angle)
        aligned = {"ha": _side(x, "left", "right"), "va": _side(y, "bottom", "top"), "annotation_clip": False}
        away = (0.7 * font * x, 0.7 * font * y)
        axes.annotate("\n".join(texts), point, away, textcoords="offset points", zorder=8, **aligned)


def _side(part: float, forward: str, back: str) -> str:
    return "center" if abs(part) < 0.3 else forward if part > 0 else back


def value_text(value: Any) -> str:
    """Return a value with its relation sign: ``= 15/16 = 0.9375`` if that is short, otherwise ``≈ 4.127``."""
    exact = value if isinstance(value, Fraction) else value.rational
    if exact is not None and len(as_text(exact)) <= SHORT_TEXT:
        decimal = decimal_text(exact, SHOWN_DIGITS)
        rounded = Fraction(decimal) != exact
        return f"= {as_text(exact)} ≈ {decimal}" if rounded else f"= {both_texts(exact, SHOWN_DIGITS)}"
    return f"≈ {decimal_text(float(value), SHOWN_DIGITS)}"


def level_text(epsilon: Epsilon, delta: Delta) -> str:
    """Return a level: ``ε = log(2) ≈ 0.6931, δ = 1/4``."""
    return f"ε {_with_decimal(epsilon)}, {delta_text(delta)}"


def delta_text(delta: Delta) -> str:
    """Return the slack: ``δ = 1/4``."""
    return f"δ {_with_decimal(delta)}"


def _with_decimal(number: Epsilon | Delta) -> str:
    decimal = decimal_text(float(number), SHOWN_DIGITS)
    if len(str(number)) > 12:
        return f"≈ {decimal}"
    is_rational = number.rational is not None if isinstance(number, Delta) else number.kind == "rational"
    return f"= {number}" if is_rational else f"= {number} ≈ {decimal}"


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
        dpi: dots per inch of a PNG, 30 to 1200; by default the figure's own.

    Raises:
        InvalidParameterError: another extension, or a dpi outside its range.
        FileFormatError: the file cannot be written.
    """
    kind = format_of(path)
    write_bytes(path, picture_bytes(figure, kind, dpi=dpi))


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the format that a file name asks for."""
    kind = Path(path).suffix.lower().removeprefix(".") if isinstance(path, str | os.PathLike) else ""
    if kind not in FORMATS:
        raise InvalidParameterError(
            f"the picture's format is unknown: received {shown(path)}; "
            f"allowed are names that end in {', '.join('.' + name for name in FORMATS)}"
        )
    return kind


def picture_bytes(figure: Figure, kind: str, *, dpi: int | None = None) -> bytes:
    """Return the picture as bytes in one of ``FORMATS``; equal pictures give equal bytes.

    Args:
        figure: as ``rropt.plots`` returns it.
        kind: ``"png"``, ``"svg"`` or ``"pdf"``.
        dpi: dots per inch of a PNG, 30 to 1200; by default the figure's own.
    """
    import matplotlib

    one_of(kind, FORMATS, "the picture's format")
    _require_figure(figure)
    dots = figure.dpi if dpi is None else whole_where(dpi, MIN_DPI, MAX_DPI, name="dpi")
    buffer = io.BytesIO()
    metadata = {"Title": "rropt", _DESCRIPTION[kind]: str(figure.get_label()), **_NO_DATE[kind]}
    with plain_settings(), matplotlib.rc_context(_SETTINGS):
        figure.savefig(buffer, format=kind, dpi=dots, metadata=metadata)
    return buffer.getvalue()


def _require_figure(figure: object) -> None:
    from matplotlib.figure import Figure

    required(figure, Figure, "the figure", 'rropt.plots.region("log(2)")')


def require_drawable(path: str | None, *, size: str, data_only: bool = False) -> None:
    """Raise an error before a picture is computed if its format or size is unknown or matplotlib is missing.

    Raises:
        InvalidParameterError: a file name of another format, or an unknown size.
        MissingExtraError: matplotlib is missing; not checked if only the data are requested (``data_only``).
    """
    if path is not None:
        format_of(path)
    size_of(size)
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

    Args:
        figure: a figure of matplotlib, as the functions of ``rropt.plots`` return it.

    Raises:
        InvalidParameterError: no window can be opened.
    """
    _require_figure(figure)
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
