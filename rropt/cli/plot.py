"""``rropt plot``: pictures of designs and surveys, as files, in a window, or as data.

Pictures of designs, breach regions and surveys, computed exactly: written to a PNG, SVG
or PDF file, shown in a window when there is a screen, or printed as data with --json.
They need the extra "plot": pip install "rropt[plot]".

example: Figure 1 of Holohan, Leith and Mason (2016), for print
  rropt plot g --output figure1.svg --style grey
"""

from __future__ import annotations

import argparse
import inspect
from typing import TYPE_CHECKING, Any

from rropt.cli import plot_breaches, plot_surveys
from rropt.cli.arguments import (
    items_of,
    range_of,
    read_criterion_level,
    read_level,
    read_mechanism,
    whole_number,
)
from rropt.cli.options import declare
from rropt.cli.output import print_json
from rropt.cli.pending import put_picture
from rropt.errors import InvalidParameterError, shown
from rropt.exact.written import listed

if TYPE_CHECKING:
    from rropt.plots.data import EfficiencyPicture, RegionPicture, ThresholdPicture, VariancePicture

_REGION = """
LEVEL required
--delta
--prevalence PI           mark the optimum at this prevalence, in [0, 1]
--mechanism
"""

_VARIANCE = """
LEVEL required
--delta
--prevalence required
--mechanism
--axes auto|design|stretched = auto  design: (p00, p11); stretched: (p11-p00, p00+p11-1), for thin regions
"""

_G = """
--levels L,...            values of g, in (0, 1] (default: nine from 1/100 to 1/2)
--epsilon-range LOW..HIGH = 0..3    of epsilon
--delta-range LOW..HIGH = 0..1      of delta
--mark E,D repeated       mark a level (epsilon, delta) with its exact g
"""

_EFFICIENCY = f"""
--prevalence required
--delta D = 0             slack in [0, 1]
--epsilon-range LOW..HIGH = 1/10..5  of epsilon
--points E,...            levels marked with certified values (default: three)
{plot_surveys.CLASSICAL.strip()}
"""

_PICTURE = """
--output >FILE            write FILE.png, FILE.svg or FILE.pdf (default: a window)
--size SIZE               paper: 3.4 in, one column; wide: 7 in, two columns; screen: 11 in (default: screen for
    windows)
--style STYLE = color     color or grey
--dpi N                   dots per inch of a PNG, 30 to 1200 (default: paper 300, screen 100)
--no-caption              leave the caption out
--json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command and its kinds of picture: what makes one says in its docstring what it shows."""
    declare(parser, __doc__, "")
    kinds = parser.add_subparsers(metavar="PICTURE", required=True)
    for name, (make, options) in _KINDS.items():
        about = inspect.getdoc(make) or ""
        purpose = about.partition(".\n")[0]
        kind = kinds.add_parser(name, help=purpose[0].lower() + purpose[1:])
        declare(kind, about, options.strip() + _PICTURE, run=run, make=make)


def run(args: argparse.Namespace) -> int:
    """Compute the picture; then print its data, write it, or show it."""
    from rropt import plots
    from rropt.plots.styles import MAX_DPI, MIN_DPI
    from rropt.plots.windows import require_drawable

    size = args.size or ("screen" if args.output is None else "paper")
    look: dict[str, Any] = {"size": size, "style": args.style, "caption": not args.no_caption}
    dpi = None if args.dpi is None else whole_number(args.dpi, "--dpi", MIN_DPI, MAX_DPI)
    require_drawable(args.output, data_only=args.json, **look)
    if args.output is None and not args.json:
        plots.require_screen()
    picture = args.make(args)
    if args.output is not None:
        put_picture(args, args.output, picture, dpi=dpi, **look)
    if args.json:
        level = read_criterion_level(args) if args.make in (region, variance) else None
        criterion = {} if level is None else {"criterion": level.to_dict()}
        print_json({**picture.to_dict(), **criterion, "output": args.output})
    elif args.output is None:
        plots.show(plots.draw(picture, **look))
    return 0


def region(args: argparse.Namespace) -> RegionPicture:
    """The feasible region and its vertices.

    The region of feasibility R of (epsilon, delta) among the designs (p00, p11), its
    vertices, and the certified optimum at a prevalence.

    example: the designs that meet 1/5-to-1/2 privacy, and the best one at prevalence 1/10
      rropt plot region --rho 1/5 1/2 --prevalence 1/10 --output region.svg
    """
    from rropt.plots.data import region_picture

    return region_picture(*read_level(args), prevalence=args.prevalence, mechanism=read_mechanism(args.mechanism))


def variance(args: argparse.Namespace) -> VariancePicture:
    """The landscape of n Var over the region.

    The landscape of n Var over the region at a prevalence: level curves on a logarithmic
    scale, the certified optimum and its ties.

    example: n Var over the designs that meet 1/5-to-1/2 privacy, at prevalence 1/10
      rropt plot variance --rho 1/5 1/2 --prevalence 1/10 --output variance.svg
    """
    from rropt.plots.data import variance_picture

    given: dict[str, Any] = {"prevalence": args.prevalence, "mechanism": read_mechanism(args.mechanism)}
    return variance_picture(*read_level(args), axes=args.axes, **given)


def g(args: argparse.Namespace) -> ThresholdPicture:
    """Level sets of the threshold g (Figure 1).

    Level sets of g(epsilon, delta) = delta (gamma + delta)/(gamma + 2 delta - 1)^2, gamma =
    exp(epsilon). For a prevalence pi <= 1/2 the corner (1, delta) is optimal where g > pi,
    the point p00 = p11 where g < pi, both where g = pi; for pi > 1/2 read 1 - pi.
    """
    from rropt.plots.data import threshold_picture

    return threshold_picture(
        items_of(args.levels),
        epsilon=range_of(args.epsilon_range, "--epsilon-range"),
        delta=range_of(args.delta_range, "--delta-range"),
        marks=[_pair(text) for text in args.mark],
    )


def efficiency(args: argparse.Namespace) -> EfficiencyPicture:
    """Classical designs against the optimum.

    n Var of the classical designs over the least n Var, against epsilon: each design takes
    its most informative private parameter, at delta = 0 the one of parity exp(epsilon).
    """
    from rropt.plots.data import efficiency_picture

    return efficiency_picture(
        prevalence=args.prevalence,
        delta=args.delta,
        epsilon=range_of(args.epsilon_range, "--epsilon-range"),
        points=items_of(args.points),
        unrelated=items_of(args.unrelated),
        forced=items_of(args.forced),
    )


def _pair(text: str) -> tuple[str, str]:
    parts = listed(text)
    if len(parts) != 2:
        raise InvalidParameterError(
            f'--mark is not a level: received {shown(text)}; allowed is EPSILON,DELTA, for example "log(2),1/4"'
        )
    return parts[0], parts[1]


_KINDS = {
    "region": (region, _REGION),
    "variance": (variance, _VARIANCE),
    "g": (g, _G),
    "efficiency": (efficiency, _EFFICIENCY),
    "breaches": (plot_breaches.breaches, plot_breaches.OPTIONS),
    "heat-map": (plot_surveys.heat_map, "mechanism"),
    "estimate": (plot_surveys.estimated, plot_surveys.ESTIMATE),
    "groups": (plot_surveys.groups, plot_surveys.GROUPS),
    "margin": (plot_surveys.margin, plot_surveys.MARGIN),
    "power": (plot_surveys.power, plot_surveys.POWER),
    "respondents": (plot_surveys.respondents, plot_surveys.RESPONDENTS),
}
