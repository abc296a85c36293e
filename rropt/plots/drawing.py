"""Frame of all pictures: one function of a picture describes its result by a chart and returns its alternative text.

``picture`` makes it a public function, which computes the result if it is not given, and returns a ``Figure``. Curves
differ in colour (those of Okabe and Ito, which colour-blind readers can distinguish, without yellow) and in dashes, so
a picture can be read without colour.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from rropt.core.argument_checks import require_fitting
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Delta, Epsilon, as_text, both_texts, decimal_text
from rropt.plots.charts import MARKERS, Chart, size_of
from rropt.plots.figures import Figure, format_of

# the alternative texts of the pictures
TEXTS: Mapping[str, str] = tomllib.loads(Path(__file__).with_name("texts.toml").read_text("utf-8"))
SHORT_TEXT = 9  # characters: an exact value up to here stands in a picture, a longer one as a decimal
SHOWN_DIGITS = 4  # of such a decimal
MAX_CURVES = 40  # levels, designs or marked points in one picture: beyond it nothing can be distinguished

LIGHT, FILL, DARK = "#e9eff5", "#b5d3ea", "#7fb2d8"  # black text is legible on each
GOAL: dict[str, Any] = {"color": "#666666", "linestyle": (0, (1, 2)), "linewidth": 1.0, "zorder": 2}
DOT: dict[str, Any] = {"color": "black", "marker": "o", "linestyle": "none", "clip_on": False, "zorder": 7}

_DRAWN: dict[type, Callable[..., Figure]] = {}  # the classes of results and their pictures
_MODULES = (  # draw_*.py define them
    "accounting",
    "breach_regions",
    "comparisons",
    "designs",
    "every_level",
    "families",
    "papers",
    "precisions",
    "surveys",
)


def picture(
    compute: Callable[..., Any], *results: type, of: Sequence[type] = ()
) -> Callable[[Callable[[Chart, Any], str]], Callable[..., Figure]]:
    """Make a public function of one that describes a result by a chart and returns its alternative text.

    Args:
        compute: the function from the public function's arguments to the result.
        results: the classes of what is drawn as it is given.
        of: the classes of what the result is computed from.
    """

    def decorate(describe: Callable[[Chart, Any], str]) -> Callable[..., Figure]:
        @wraps(describe)
        def figure(*arguments: Any, size: str = "paper", ax: Any = None, **options: Any) -> Figure:
            is_result = len(arguments) == 1 and not options and isinstance(arguments[0], results)
            if not is_result:
                _require_fitting(describe.__name__, shown_parameters, arguments, options)
            found = arguments[0] if is_result else compute(*arguments, **options)
            return drawn(describe, found, size, ax)

        asked = inspect.signature(compute)
        own = inspect.signature(figure, follow_wrapped=False).parameters
        named = [one for one in asked.parameters.values() if one.kind != one.VAR_KEYWORD]
        rest = [one for one in asked.parameters.values() if one.kind == one.VAR_KEYWORD]
        shown_parameters = [*named, own["size"], own["ax"], *rest]
        figure.__signature__ = asked.replace(  # type: ignore[attr-defined]
            parameters=shown_parameters, return_annotation="Figure"
        )
        _DRAWN.update(dict.fromkeys((*results, *of), figure))
        return figure

    return decorate


def _require_fitting(
    name: str, parameters: Sequence[inspect.Parameter], arguments: Sequence[Any], options: Mapping[str, Any]
) -> None:
    """Raise one clear error for arguments that a picture does not have, or that it needs."""
    require_fitting(name, parameters, arguments, options)
    places = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
    given = {*places[: len(arguments)], *options}
    named = [one for one in parameters if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    missing = [one.name for one in named if one.default is one.empty and one.name not in given]
    if missing:
        example = ", ".join(f"{each}=..." for each in [*given, *missing])
        raise InvalidParameterError(
            f"the picture {name} needs {' and '.join(f'`{each}`' for each in missing)}: received "
            f"{', '.join(f'`{each}`' for each in given) or 'no argument'}; write rropt.plot({name!r}, {example})"
        )


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
        ax: axes of matplotlib that the picture is also drawn on.

    Raises:
        InvalidParameterError: there is no picture of this, or an unknown size.
        MissingExtraError: axes are given, and matplotlib is missing.
    """
    for module in _MODULES:
        import_module(f"rropt.plots.draw_{module}")
    kind = next((cls for cls in type(result).__mro__ if cls in _DRAWN), None)
    if kind is None:
        as_given(result)
    return _DRAWN[kind](result, size=size, ax=ax)


def drawn(describe: Callable[[Chart, Any], str], found: Any, size: str, ax: Any = None) -> Figure:
    """Return the picture of a result, also drawn on the axes of matplotlib ``ax`` if they are given."""
    chart = Chart(size_of(size))
    text = describe(chart, found)
    figure = Figure(chart, text)
    if ax is not None:
        from rropt.plots.matplotlib_pictures import draw_on

        draw_on(ax, chart, figure.text)
    return figure


def marked(i: int) -> dict[str, Any]:
    """Return the marker of the i-th curve, filled with white to be visible on every background."""
    return {"marker": MARKERS[i % len(MARKERS)], "markerfacecolor": "white"}


def unit_square(chart: Chart, x: str, y: str) -> None:
    """Let both axes run from 0 to 1, with a tick at every quarter and a number at every half."""
    chart.set(xlim=(0, 1), ylim=(0, 1), xlabel=x, ylabel=y, aspect=1)
    chart.x.ticks = chart.y.ticks = ((0, "0"), (0.25, ""), (0.5, "0.5"), (0.75, ""), (1, "1"))


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


def require_drawable(path: str | None, *, size: str, data_only: bool = False) -> None:
    """Raise an error before a picture is computed if its format or size is unknown or matplotlib is missing.

    Raises:
        InvalidParameterError: a file name of another format, or an unknown size.
        MissingExtraError: matplotlib is missing, which PNG, PDF and windows need; SVG and the data alone
            (``data_only``) do not.
    """
    size_of(size)
    kind = None if path is None else format_of(path)
    if kind in ("png", "pdf") or (kind is None and not data_only):
        from rropt.plots.matplotlib_pictures import require_matplotlib

        require_matplotlib()
