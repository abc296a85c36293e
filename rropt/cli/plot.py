"""``rropt plot``: pictures of designs and surveys, as files, in a window, or as data."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import (
    CRITERION_HELP,
    add_json,
    add_level,
    add_mechanism,
    criterion_record,
    read_level,
    read_mechanism,
    whole_number,
)
from rropt.cli.output import OutputFile, print_json
from rropt.cli.plot_breaches import add_breaches, breaches_data
from rropt.cli.plot_surveys import add_classical, add_surveys, items_of, range_of
from rropt.errors import InvalidParameterError, shown
from rropt.exact.written import listed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rropt.plots.data import EfficiencyPicture, RegionPicture, ThresholdPicture, VariancePicture
    from rropt.plots.data.breaches import BreachPicture
    from rropt.plots.styles import Style

    Picture = BreachPicture | EfficiencyPicture | RegionPicture | ThresholdPicture | VariancePicture

_DESCRIPTION = """\
Pictures of designs, breach regions and surveys, computed exactly: written to a PNG, SVG
or PDF file, shown in a window when there is a screen, or printed as data with --json.
They need the extra "plot": pip install "rropt[plot]"."""

_EPILOG = """\
example: Figure 1 of Holohan, Leith and Mason (2016), for print
  rropt plot g --output figure1.svg --style grey"""

_REGION_EPILOG = f"""\
{CRITERION_HELP}
example: the designs that meet 1/5-to-1/2 privacy, and the best one at prevalence 1/10
  rropt plot region --rho 1/5 1/2 --prevalence 1/10 --output region.svg"""

_VARIANCE_EPILOG = f"""\
{CRITERION_HELP}
example: n Var over the designs that meet 1/5-to-1/2 privacy, at prevalence 1/10
  rropt plot variance --rho 1/5 1/2 --prevalence 1/10 --output variance.svg"""

_REGION = """\
The region of feasibility R of (epsilon, delta) among the designs (p00, p11), its
vertices, and the certified optimum at a prevalence."""

_VARIANCE = """\
The landscape of n Var over the region at a prevalence: level curves on a logarithmic
scale, the certified optimum and its ties."""

_G = """\
Level sets of g(epsilon, delta) = delta (gamma + delta)/(gamma + 2 delta - 1)^2, gamma =
exp(epsilon). For a prevalence pi <= 1/2 the corner (1, delta) is optimal where g > pi,
the point p00 = p11 where g < pi, both where g = pi; for pi > 1/2 read 1 - pi."""

_EFFICIENCY = """\
n Var of the classical designs over the least n Var, against epsilon: each design takes
its most informative private parameter, at delta = 0 the one of parity exp(epsilon)."""


def add(plot: argparse.ArgumentParser) -> None:
    """Add the command and its kinds of picture."""
    plot.description, plot.epilog = _DESCRIPTION, _EPILOG
    kinds = plot.add_subparsers(metavar="PICTURE", required=True)
    region = kinds.add_parser(
        "region", help="the feasible region and its vertices", description=_REGION, epilog=_REGION_EPILOG
    )
    add_level(region)
    region.add_argument("--prevalence", metavar="PI", help="mark the optimum at this prevalence, in [0, 1]")
    add_mechanism(region, "--mechanism")
    variance = kinds.add_parser(
        "variance", help="the landscape of n Var over the region", description=_VARIANCE, epilog=_VARIANCE_EPILOG
    )
    add_level(variance)
    variance.add_argument("--prevalence", metavar="PI", required=True, help="guess of the prevalence, in [0, 1]")
    add_mechanism(variance, "--mechanism")
    variance.add_argument(
        "--axes",
        choices=("auto", "design", "stretched"),
        default="auto",
        help="design: (p00, p11); stretched: (p11-p00, p00+p11-1), for thin regions (default: auto)",
    )
    level_sets = kinds.add_parser("g", help="level sets of the threshold g (Figure 1)", description=_G)
    level_sets.add_argument(
        "--levels", metavar="L,...", help="values of g, in (0, 1] (default: nine from 1/100 to 1/2)"
    )
    _add_range(level_sets, "epsilon", "0..3")
    _add_range(level_sets, "delta", "0..1")
    level_sets.add_argument(
        "--mark", metavar="E,D", action="append", default=[], help="mark a level (epsilon, delta) with its exact g"
    )
    efficiency = kinds.add_parser("efficiency", help="classical designs against the optimum", description=_EFFICIENCY)
    efficiency.add_argument("--prevalence", metavar="PI", required=True, help="guess of the prevalence, in [0, 1]")
    efficiency.add_argument("--delta", metavar="D", default="0", help="slack in [0, 1] (default: 0)")
    _add_range(efficiency, "epsilon", "1/10..5")
    efficiency.add_argument("--points", metavar="E,...", help="levels marked with certified values (default: three)")
    add_classical(efficiency)
    pictures = [(region, _region), (variance, _variance), (level_sets, _g), (efficiency, _efficiency)]
    for kind, data in (*pictures, (add_breaches(kinds), breaches_data), *add_surveys(kinds)):
        _add_common(kind)
        kind.set_defaults(run=run, data=data)


def run(args: argparse.Namespace) -> int:
    """Compute the picture; then print its data, write it, or show it."""
    style, dpi = _style(args), _dpi(args)
    if args.output is None and not args.json:
        _require_screen()
    picture, draw = args.data(args)
    if args.output is not None:
        from rropt.plots.sheets import format_of, picture_bytes

        kind = format_of(args.output)
        args.pending.put(args.output, lambda: picture_bytes(draw(picture, style), kind, dpi=dpi), "picture")
    if args.json:
        criterion = criterion_record(args) if "rho" in args else {}  # a picture of one privacy level
        print_json({**picture.to_dict(), **criterion, "output": args.output})
    elif args.output is None:
        _show(draw(picture, style))
    return 0


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output", metavar="FILE", type=OutputFile, help="write FILE.png, FILE.svg or FILE.pdf (default: a window)"
    )
    parser.add_argument(
        "--size",
        metavar="SIZE",
        help="paper: 3.4 in, one column; wide: 7 in, two columns; screen: 11 in (default: screen for windows)",
    )
    parser.add_argument("--style", metavar="STYLE", default="color", help="color or grey (default: color)")
    parser.add_argument(
        "--dpi", metavar="N", help="dots per inch of a PNG, 30 to 1200 (default: paper 300, screen 100)"
    )
    parser.add_argument("--no-caption", action="store_true", help="leave the caption out")
    add_json(parser)


def _add_range(parser: argparse.ArgumentParser, name: str, default: str) -> None:
    parser.add_argument(f"--{name}-range", metavar="LOW..HIGH", default=default, help=f"of {name} (default: {default})")


def _region(args: argparse.Namespace) -> tuple[Picture, Callable[[Any, Style], Figure]]:
    from rropt.plots.data import region_picture
    from rropt.plots.figures.feasible_regions import draw_region

    epsilon, delta = read_level(args)
    mechanism = None if args.mechanism is None else read_mechanism(args.mechanism)
    return region_picture(epsilon, delta, prevalence=args.prevalence, mechanism=mechanism), draw_region


def _variance(args: argparse.Namespace) -> tuple[Picture, Callable[[Any, Style], Figure]]:
    from rropt.plots.data import variance_picture
    from rropt.plots.figures.variances import draw_variance

    epsilon, delta = read_level(args)
    mechanism = None if args.mechanism is None else read_mechanism(args.mechanism)
    picture = variance_picture(epsilon, delta, prevalence=args.prevalence, mechanism=mechanism, axes=args.axes)
    return picture, draw_variance


def _g(args: argparse.Namespace) -> tuple[Picture, Callable[[Any, Style], Figure]]:
    from rropt.plots.data import threshold_picture
    from rropt.plots.figures.feasible_regions import draw_g

    picture = threshold_picture(
        None if args.levels is None else items_of(args.levels),
        epsilon=range_of(args.epsilon_range, "--epsilon-range"),
        delta=range_of(args.delta_range, "--delta-range"),
        marks=[_pair(text) for text in args.mark],
    )
    return picture, draw_g


def _efficiency(args: argparse.Namespace) -> tuple[Picture, Callable[[Any, Style], Figure]]:
    from rropt.plots.data import efficiency_picture
    from rropt.plots.figures.efficiencies import draw_efficiency

    picture = efficiency_picture(
        prevalence=args.prevalence,
        delta=args.delta,
        epsilon=range_of(args.epsilon_range, "--epsilon-range"),
        points=None if args.points is None else items_of(args.points),
        unrelated=items_of(args.unrelated),
        forced=items_of(args.forced),
    )
    return picture, draw_efficiency


def _pair(text: str) -> tuple[str, str]:
    parts = listed(text)
    if len(parts) != 2:
        raise InvalidParameterError(
            f'--mark is not a level: received {shown(text)}; allowed is EPSILON,DELTA, for example "log(2),1/4"'
        )
    return parts[0], parts[1]


def _style(args: argparse.Namespace) -> Style:
    """Return the style, after a look at everything that could be wrong about the file."""
    from rropt.plots.sheets import format_of
    from rropt.plots.styles import require_matplotlib, style_of

    if args.output is not None:
        format_of(args.output)
    size = args.size or ("screen" if args.output is None else "paper")
    style = style_of(size, args.style, not args.no_caption)
    if args.output is not None or not args.json:
        require_matplotlib()
    return style


def _dpi(args: argparse.Namespace) -> int | None:
    from rropt.plots.styles import MAX_DPI, MIN_DPI

    return None if args.dpi is None else whole_number(args.dpi, "--dpi", MIN_DPI, MAX_DPI)


def _require_screen() -> None:
    """Refuse early where no window can be opened."""
    elsewhere = sys.platform in ("win32", "darwin")
    if not elsewhere and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise InvalidParameterError(
            "there is no screen to show the picture on: write it with --output FILE.png, .svg or .pdf, or take --json"
        )


def _show(figure: Figure) -> None:
    """Show a figure in a window until that is closed; pyplot is used here only, for its window."""
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
