"""``rropt plot``: pictures of designs and surveys, as files, in a window, or as data.

Draw pictures of designs, breach regions and surveys from exact values. The command writes a
PNG, SVG or PDF file, opens a window if there is a screen, or prints the data with --json.
Pictures need the extra "plot": pip install "rropt[plot]".

example: Figure 1 of Holohan, Leith and Mason (2016), for print
  rropt plot g --output figure1.svg
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from rropt.cli import plot_breaches, plot_explorer
from rropt.cli.arguments import (
    call_library,
    items,
    mechanism,
    pair,
    read_level,
    whole,
    whole_range,
)
from rropt.cli.options import Parser, counted, declare, described, level
from rropt.cli.output import print_json, print_rounding
from rropt.cli.pending import InputFile, put_picture
from rropt.core.errors import InvalidParameterError, refuse_given
from rropt.core.results import plain_dict


def add(parser: Parser) -> None:
    """Add the command and its kinds of picture; the docstring of the function that adds the arguments of a kind is its
    help.
    """
    declare(parser, __doc__, lambda _: None, run)
    kinds = parser.add_subparsers(metavar="PICTURE", required=True)
    kinds.add_parser(
        "explorer", help="one page with sliders: the designs within a level", module=plot_explorer.__name__
    )
    for name, (arguments, _) in _KINDS.items():
        about = (inspect.getdoc(arguments) or "").partition("\n\narguments:\n")[0]
        purpose = about.partition(".\n")[0]
        kind = kinds.add_parser(name, help=purpose[0].lower() + purpose[1:])
        declare(kind, about, partial(_add, described(arguments)), run, kind=name)


def _add(arguments: Callable[[Parser], None], parser: Parser) -> None:
    arguments(parser)
    _picture(parser)


@described
def _picture(parser: Parser) -> None:
    """Add how the picture is written.

    --output FILE: write the picture to FILE.png, FILE.svg or FILE.pdf (default: show a window)
    --size SIZE: width of the picture. paper: 3.4 in, one column; wide: 7 in, two columns; screen: 11 in (default:
        screen for windows)
    --dpi: dots per inch of a PNG, 30 to 1200 (default: paper 300, screen 100)
    """
    parser.add_argument("--dpi", metavar="N", type=whole(30, 1200))
    parser.add_argument("--json", action="store_true")
    parser.beside("--output", "--dpi")


def run(args: argparse.Namespace) -> int:
    """Compute the picture; then print its data, write it, or show it."""
    from rropt import plots
    from rropt.plots import data
    from rropt.plots.drawing import require_drawable

    if "gamma" in args:
        read_level(args)
    if args.json and args.output is None:
        refuse_given(args.typed, "the data have no size", "size")
    size = ("screen" if args.output is None else "paper") if args.size is None else args.size
    require_drawable(args.output, data_only=args.json, size=size)
    if args.output is None and not args.json:
        plots.require_screen()
    make, level = _KINDS[args.kind][1], vars(args).get("criterion")
    picture = call_library(getattr(data, make), args) if isinstance(make, str) else make(args, data)
    print_rounding(level)
    if args.output is not None:
        put_picture(args, args.output, lambda: picture, dpi=args.dpi, size=size)
    if args.json:
        criterion = {} if level is None else {"criterion": level.to_dict()}
        record = picture.to_dict() if hasattr(picture, "to_dict") else plain_dict(picture)
        print_json({"picture": args.kind, **record, **criterion, "output": args.output})
    elif args.output is None:
        plots.show(plots.draw(picture, size=size))
    return 0


@described
def _classical(parser: Parser) -> None:
    """Add the parameter of the classical designs.

    --other: probabilities of yes to the unrelated questions
    """
    parser.add_argument("--other", dest="unrelated", metavar="B,...", type=items, default="1/10,1/4,3/4")


@described
def _precision(parser: Parser) -> None:
    """Add the designs, and the range of respondents.

    --n: range of the number of respondents
    """
    parser.add_argument("mechanisms", metavar="MECHANISM", nargs="+", type=mechanism)
    parser.add_argument("--prevalence", metavar="PI", required=True)
    parser.add_argument("--n", dest="n_range", metavar="LOW..HIGH", type=whole_range(1), default="100..10000")


def region(parser: Parser) -> None:
    """The feasible region and its vertices.

    The region of feasibility R of (epsilon, delta) among the designs (p00, p11), its
    vertices, and the certified optimum at a prevalence.

    example: the designs that meet 1/5-to-1/2 privacy, and the best one at prevalence 1/10
      rropt plot region --rho 1/5 1/2 --prevalence 1/10 --output region.svg

    arguments:
    --prevalence PI: mark the optimum at this prevalence, in [0, 1]
    """
    level(parser, required=True)
    parser.add_argument("--delta", metavar="D", default="0")
    parser.add_argument("--mechanism", metavar="MECHANISM", type=mechanism)


def variance(parser: Parser) -> None:
    """The landscape of n Var over the region.

    The landscape of n Var over the region at a prevalence: level curves on a logarithmic
    scale, the certified optimum and its ties.

    example: n Var over the designs that meet 1/5-to-1/2 privacy, at prevalence 1/10
      rropt plot variance --rho 1/5 1/2 --prevalence 1/10 --output variance.svg

    arguments:
    --axes: design: (p00, p11); stretched: (p11-p00, p00+p11-1), for thin regions
    """
    level(parser, required=True)
    parser.add_argument("--delta", metavar="D", default="0")
    parser.add_argument("--prevalence", metavar="PI", required=True)
    parser.add_argument("--mechanism", metavar="MECHANISM", type=mechanism)
    parser.add_argument("--axes", choices=["auto", "design", "stretched"], default="auto")


def g(parser: Parser) -> None:
    """Level sets of the threshold g (Figure 1).

    Level sets of g(epsilon, delta) = delta (gamma + delta)/(gamma + 2 delta - 1)^2, gamma =
    exp(epsilon). For a prevalence pi <= 1/2 the corner (1, delta) is optimal where g > pi,
    the point p00 = p11 where g < pi, both where g = pi; for pi > 1/2 read 1 - pi.

    example:
      rropt plot g --values 1/10,1/4 --mark "log(2),1/4" --output g.svg

    arguments:
    --values L,...: values of g, in (0, 1] (default: nine from 1/100 to 1/2)
    --epsilon: range of epsilon
    --delta: range of delta
    --mark: mark a level (epsilon, delta) with its exact g
    """
    parser.add_argument("--epsilon", dest="epsilon_range", metavar="LOW..HIGH", type=pair, default="0..3")
    parser.add_argument("--delta", dest="delta_range", metavar="LOW..HIGH", type=pair, default="0..1")
    parser.add_argument("--mark", metavar="E,D", type=pair, action="append", default=[])


def efficiency(parser: Parser) -> None:
    """Classical designs against the optimum.

    n Var of the classical designs over the least n Var, against epsilon: each design takes
    its most informative private parameter, at delta = 0 the one of parity exp(epsilon).

    example:
      rropt plot efficiency --prevalence 1/4 --output efficiency.svg

    arguments:
    --delta: slack in [0, 1]
    --epsilon: range of epsilon
    --mark E,...: levels marked with certified values (default: three)
    """
    parser.add_argument("--prevalence", metavar="PI", required=True)
    parser.add_argument("--delta", metavar="D", default="0")
    parser.add_argument("--epsilon", dest="epsilon_range", metavar="LOW..HIGH", type=pair, default="1/10..5")
    _classical(parser)


def heat_map(parser: Parser) -> None:
    """A mechanism, its entries as shades.

    The entries of a mechanism as shades.

    example:
      rropt plot heat-map "grr:5,3/7" --output map.svg
    """
    parser.add_argument("mechanism", metavar="MECHANISM", type=mechanism)


def estimated(parser: Parser) -> None:
    """An estimate with its intervals.

    Estimated shares with all their intervals: of a file, or of counts.

    examples:
      rropt plot estimate estimate.json --output estimate.svg
      rropt plot estimate --mechanism forced:2/3,1/6,1/6 --yes 831 --n 2435 --output estimate.svg

    arguments:
    files: what `rropt estimate --json` printed of one question, instead of counts
    """
    parser.add_argument("files", metavar="FILE", nargs="?", type=InputFile)
    parser.add_argument("--mechanism", metavar="MECHANISM", type=mechanism)
    counted(parser)
    parser.add_argument("--confidence", metavar="C", default="0.95")


def groups(parser: Parser) -> None:
    """A proportion in each group.

    One share in each group, with its intervals: of rropt estimate --by, or of rropt regress
    --prevalence-by.

    example:
      rropt plot groups groups.json --output groups.svg

    arguments:
    files: what `rropt estimate DATA --by ... --json` printed, with weights or without
    share: which share (default: the first)
    """
    parser.add_argument("files", metavar="FILE", type=InputFile)
    parser.add_argument("share", metavar="SHARE", nargs="?")


def margin(parser: Parser) -> None:
    """Margin of error against the number of respondents.

    The margin against the number of respondents, a curve for each design: with the
    normal interval, at 0.95.

    example:
      rropt plot margin warner:3/4 forced:2/3,1/6,1/6 --prevalence 10% --margin 0.05 --output margin.svg

    arguments:
    --margin H: the goal, drawn as a line
    """
    _precision(parser)


def power(parser: Parser) -> None:
    """Power of a test against the number of respondents.

    The power against the number of respondents, a curve for each design: with the
    normal one-sided test, at 0.95.

    example:
      rropt plot power warner:3/4 forced:2/3,1/6,1/6 --prevalence 10% --power 0.8 --output power.svg

    arguments:
    --power B: the goal, drawn as a line
    --null: the prevalence that is tested
    """
    _precision(parser)
    parser.add_argument("--null", metavar="P0", default="0")


def respondents(parser: Parser) -> None:
    """Number of respondents needed, against epsilon.

    Respondents needed for a margin (the half-width of the normal interval, at 0.95) against
    epsilon: the certified optimum, the classical designs, each with its most informative
    private parameter, and a question that is asked openly.

    example:
      rropt plot respondents --margin 0.05 --prevalence 10% --output respondents.svg

    arguments:
    --margin: on the scale of the prevalence, in (0, 1)
    --prevalence: guess of the prevalence, in (0, 1)
    --delta: slack in [0, 1]
    --epsilon: range of epsilon
    """
    parser.add_argument("--margin", metavar="M", required=True)
    parser.add_argument("--prevalence", metavar="PI", required=True)
    parser.add_argument("--delta", metavar="D", default="0")
    parser.add_argument("--epsilon", dest="epsilon_range", metavar="LOW..HIGH", type=pair, default="1/2..4")
    _classical(parser)


def _threshold(args: argparse.Namespace, data: Any) -> Any:
    return call_library(data.threshold_picture, args, marks=args.mark)


def _precisions(args: argparse.Namespace, data: Any) -> Any:
    return call_library(data.precision_picture, args, quantity=args.kind, goal=getattr(args, args.kind))


def _estimate(args: argparse.Namespace, data: Any) -> Any:
    """Return the estimate of a file, or of counts."""
    from rropt.reports.records import load
    from rropt.survey import estimate

    if args.files is not None:
        refuse_given(args.typed, "the file has the estimate", "confidence", "counts", "mechanism", "n", "yes")
        return data.estimate_picture(load(args.files))
    if args.mechanism is None:
        raise InvalidParameterError(
            "there is nothing to draw: give the file of an estimate, or --mechanism M with --yes Y --n N or --counts"
        )
    found = call_library(estimate, args)
    return call_library(data.estimate_picture, args, estimate=found)


def _groups(args: argparse.Namespace, data: Any) -> Any:
    """Return the estimates by group, or the predicted prevalence, of a file."""
    from rropt.core.files import parse_json, read_text
    from rropt.reports.records import load
    from rropt.survey.tables.regressions import PredictedPrevalence, Regression

    found = load(args.files)
    if isinstance(found, Regression):
        record = parse_json(read_text(args.files, what="the regression"), what="the regression")
        found = PredictedPrevalence.from_dict(record["prevalence"]) if "prevalence" in record else found
    return data.groups_picture(found, args.share)


# The arguments of each kind of picture, and the function that computes it: its name in rropt.plots.data, or another.
_KINDS: dict[str, tuple[Callable[[Parser], None], Any]] = {
    "region": (region, "region_picture"),
    "variance": (variance, "variance_picture"),
    "g": (g, _threshold),
    "efficiency": (efficiency, "efficiency_picture"),
    "breaches": (plot_breaches.arguments, plot_breaches.breaches),
    "heat-map": (heat_map, "heat_picture"),
    "estimate": (estimated, _estimate),
    "groups": (groups, _groups),
    "margin": (margin, _precisions),
    "power": (power, _precisions),
    "respondents": (respondents, "respondents_picture"),
}
