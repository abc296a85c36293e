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
from typing import Any

from rropt.cli import plot_explorer
from rropt.cli.arguments import (
    call_library,
    mechanism,
    read_level,
    whole,
    whole_range,
)
from rropt.cli.options import Parser, declare
from rropt.cli.output import print_json, print_rounding
from rropt.cli.pending import put_picture
from rropt.cli.plot_breaches import breaches
from rropt.core.errors import InvalidParameterError, refuse_given
from rropt.core.results import plain_dict

TYPES = {
    "mechanism": mechanism,
    "mechanisms": mechanism,
    "n_range": whole_range,
    "--figure": whole(1, 4),
}


def add(parser: Parser) -> None:
    """Add the command and its kinds of picture; the docstring of the function of a kind is its help."""
    declare(parser, __doc__, run)
    kinds = parser.add_subparsers(metavar="PICTURE", required=True)
    kinds.add_parser(
        "explorer", help="one page with sliders: the designs within a level", module=plot_explorer.__name__
    )
    for name, make in _KINDS.items():
        purpose = (inspect.getdoc(make) or "").partition(".\n")[0]
        kind = kinds.add_parser(name, help=purpose[0].lower() + purpose[1:])
        declare(kind, make.__doc__, run, TYPES, kind=name)


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
    level = vars(args).get("criterion")
    picture = _KINDS[args.kind](args, data)
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


def region(args: argparse.Namespace, data: Any) -> Any:
    """The feasible region and its vertices.

    The region of feasibility R of (epsilon, delta) among the designs (p00, p11), its
    vertices, and the certified optimum at a prevalence.

    example: the designs that meet 1/5-to-1/2 privacy, and the best one at prevalence 1/10
      rropt plot region --rho 1/5 1/2 --prevalence 1/10 --output region.svg

    arguments:
    level options (required)
    --delta
    --mechanism
    --prevalence PI: mark the optimum at this prevalence, in [0, 1]
    picture options
    """
    return call_library(data.region_picture, args)


def variance(args: argparse.Namespace, data: Any) -> Any:
    """The landscape of n Var over the region.

    The landscape of n Var over the region at a prevalence: level curves on a logarithmic
    scale, the certified optimum and its ties.

    example: n Var over the designs that meet 1/5-to-1/2 privacy, at prevalence 1/10
      rropt plot variance --rho 1/5 1/2 --prevalence 1/10 --output variance.svg

    arguments:
    level options (required)
    --delta
    --prevalence (required)
    --mechanism
    --axes {auto,design,stretched} (default: auto): design: (p00, p11); stretched: (p11-p00, p00+p11-1), for thin
        regions
    picture options
    """
    return call_library(data.variance_picture, args)


def g(args: argparse.Namespace, data: Any) -> Any:
    """Level sets of the threshold g (Figure 1).

    Level sets of g(epsilon, delta) = delta (gamma + delta)/(gamma + 2 delta - 1)^2, gamma =
    exp(epsilon). For a prevalence pi <= 1/2 the corner (1, delta) is optimal where g > pi,
    the point p00 = p11 where g < pi, both where g = pi; for pi > 1/2 read 1 - pi.

    example:
      rropt plot g --values 1/10,1/4 --mark "log(2),1/4" --output g.svg

    arguments:
    --values L,...: values of g, in (0, 1] (default: nine from 1/100 to 1/2)
    --epsilon LOW..HIGH (default: 0..3; as epsilon_range): range of epsilon
    --delta LOW..HIGH (default: 0..1; as delta_range): range of delta
    --mark E,D (repeated): mark a level (epsilon, delta) with its exact g
    picture options
    """
    return call_library(data.threshold_picture, args, marks=args.mark)


def efficiency(args: argparse.Namespace, data: Any) -> Any:
    """Classical designs against the optimum.

    n Var of the classical designs over the least n Var, against epsilon: each design takes
    its most informative private parameter, at delta = 0 the one of parity exp(epsilon).

    example:
      rropt plot efficiency --prevalence 1/4 --output efficiency.svg

    arguments:
    --prevalence (required)
    --delta D (default: 0): slack in [0, 1]
    --epsilon LOW..HIGH (default: 1/10..5; as epsilon_range): range of epsilon
    --other B,... (default: 1/10,1/4,3/4; as unrelated): probabilities of yes to the unrelated questions
    --mark E,...: levels marked with certified values (default: three)
    picture options
    """
    return call_library(data.efficiency_picture, args)


def heat_map(args: argparse.Namespace, data: Any) -> Any:
    """A mechanism, its entries as shades.

    The entries of a mechanism as shades.

    example:
      rropt plot heat-map "grr:5,3/7" --output map.svg

    arguments:
    mechanism MECHANISM
    picture options
    """
    return call_library(data.heat_picture, args)


def estimate(args: argparse.Namespace, data: Any) -> Any:
    """An estimate with its intervals.

    Estimated shares with all their intervals: of a file, or of counts.

    examples:
      rropt plot estimate estimate.json --output estimate.svg
      rropt plot estimate --mechanism forced:2/3,1/6,1/6 --yes 831 --n 2435 --output estimate.svg

    arguments:
    files [FILE]: what `rropt estimate --json` printed of one question, instead of counts
    --mechanism
    count options
    --confidence
    picture options
    """
    from rropt.reports.records import load
    from rropt.survey import estimate as estimate_of_counts

    if args.files is not None:
        refuse_given(args.typed, "the file has the estimate", "confidence", "counts", "mechanism", "n", "yes")
        return data.estimate_picture(load(args.files))
    if args.mechanism is None:
        raise InvalidParameterError(
            "there is nothing to draw: give the file of an estimate, or --mechanism M with --yes Y --n N or --counts"
        )
    found = call_library(estimate_of_counts, args)
    return call_library(data.estimate_picture, args, estimate=found)


def groups(args: argparse.Namespace, data: Any) -> Any:
    """A proportion in each group.

    One share in each group, with its intervals: of rropt estimate --by, or of rropt regress
    --prevalence-by.

    example:
      rropt plot groups groups.json --output groups.svg

    arguments:
    files FILE: what `rropt estimate DATA --by ... --json` printed, with weights or without
    share [SHARE]: which share (default: the first)
    picture options
    """
    from rropt.core.files import parse_json, read_text
    from rropt.reports.records import load
    from rropt.survey.tables.regressions import PredictedPrevalence, Regression

    found = load(args.files)
    if isinstance(found, Regression):
        record = parse_json(read_text(args.files, what="the regression"), what="the regression")
        found = PredictedPrevalence.from_dict(record["prevalence"]) if "prevalence" in record else found
    return data.groups_picture(found, args.share)


def margin(args: argparse.Namespace, data: Any) -> Any:
    """Margin of error against the number of respondents.

    The margin against the number of respondents, a curve for each design: with the
    normal interval, at 0.95.

    example:
      rropt plot margin warner:3/4 forced:2/3,1/6,1/6 --prevalence 10% --margin 0.05 --output margin.svg

    arguments:
    mechanisms MECHANISM [MECHANISM ...]
    --prevalence (required)
    --n LOW..HIGH (default: 100..10000; as n_range): range of the number of respondents
    --margin H: the goal, drawn as a line
    picture options
    """
    return call_library(data.precision_picture, args, quantity="margin", goal=args.margin)


def power(args: argparse.Namespace, data: Any) -> Any:
    """Power of a test against the number of respondents.

    The power against the number of respondents, a curve for each design: with the
    normal one-sided test, at 0.95.

    example:
      rropt plot power warner:3/4 forced:2/3,1/6,1/6 --prevalence 10% --power 0.8 --output power.svg

    arguments:
    mechanisms MECHANISM [MECHANISM ...]
    --prevalence (required)
    --n LOW..HIGH (default: 100..10000; as n_range): range of the number of respondents
    --power B: the goal, drawn as a line
    --null P0 (default: 0): the prevalence that is tested
    picture options
    """
    return call_library(data.precision_picture, args, quantity="power", goal=args.power)


def respondents(args: argparse.Namespace, data: Any) -> Any:
    """Number of respondents needed, against epsilon.

    Respondents needed for a margin (the half-width of the normal interval, at 0.95) against
    epsilon: the certified optimum, the classical designs, each with its most informative
    private parameter, and a question that is asked openly.

    example:
      rropt plot respondents --margin 0.05 --prevalence 10% --output respondents.svg

    arguments:
    --margin M (required): on the scale of the prevalence, in (0, 1)
    --prevalence PI (required): guess of the prevalence, in (0, 1)
    --delta D (default: 0): slack in [0, 1]
    --epsilon LOW..HIGH (default: 1/2..4; as epsilon_range): range of epsilon
    --other B,... (default: 1/10,1/4,3/4; as unrelated): probabilities of yes to the unrelated questions
    picture options
    """
    return call_library(data.respondents_picture, args)


# The kinds of pictures by name, and the functions that compute them.
_MAKERS = (region, variance, g, efficiency, breaches, heat_map, estimate, groups, margin, power, respondents)
_KINDS: dict[str, Callable[[argparse.Namespace, Any], Any]] = {one.__name__.replace("_", "-"): one for one in _MAKERS}
