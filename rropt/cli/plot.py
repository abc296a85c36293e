"""``rropt plot``: pictures of designs and surveys, as files, in a window, or as data."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from rropt.cli import options
from rropt.cli.arguments import (
    call_library,
    items,
    mechanism,
    pair,
    read_level,
    whole_number,
    whole_range,
)
from rropt.cli.command import Command, Option
from rropt.cli.installed import installed_commands
from rropt.cli.output import print_json, print_rounding
from rropt.cli.parser import Parser
from rropt.cli.pending import InputFile, put_picture
from rropt.cli.plot_breaches import BREACHES, breaches
from rropt.core.errors import InvalidParameterError, refuse_given
from rropt.core.results import plain_dict

COMMAND = Command(
    """\
Draw pictures of designs, breach regions and surveys from exact values. The command writes a
SVG, PNG or PDF file, opens a window if there is a screen, or prints the data with --json.
PNG, PDF and windows need the extra "plot": pip install "rropt[plot]"; SVG needs none.""",
    epilog="""\
example: Figure 1 of Holohan, Leith and Mason (2016), for print
  rropt plot g --output figure1.svg""",
)

# what several kinds of pictures take
_EPSILONS = Option("--epsilon", "LOW..HIGH", help="range of epsilon", type=pair, dest="epsilon_range")
_UNRELATED = Option(
    "--other",
    "B,...",
    help="probabilities of yes to the unrelated questions",
    type=items,
    default="1/10,1/4,3/4",
    dest="unrelated",
)
_RESPONDENTS = Option(
    "--n",
    "LOW..HIGH",
    help="range of the number of respondents",
    type=whole_range,
    default="100..10000",
    dest="n_range",
)


class PictureKind(NamedTuple):
    """A kind of picture.

    Attributes:
        purpose: its line in the help of ``rropt plot``.
        command: its help and its arguments.
        make: a function that computes it from the arguments and the module ``rropt.plots.data``.
    """

    purpose: str
    command: Command
    make: Callable[[argparse.Namespace, Any], Any]


def add(parser: Parser) -> None:
    """Add the command and its kinds of picture."""
    parser.declare(COMMAND, run)
    kinds = parser.add_subparsers(metavar="PICTURE", required=True)
    if not parser.words or parser.words[0] not in _KINDS:  # one of another package may be asked for
        for others in installed_commands("plot").values():
            for name, (purpose, module) in others.items():
                kinds.add_parser(name, help=purpose, module=module)
    for name, picture in _KINDS.items():
        kinds.add_parser(name, help=picture.purpose).declare(picture.command, run, kind=name)


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
    picture = _KINDS[args.kind].make(args, data)
    print_rounding(level)
    if args.output is not None:
        put_picture(args, args.output, lambda: picture, dpi=args.dpi, size=size)
    if args.json:
        criterion = {} if level is None else {"criterion": level.to_dict()}
        record = picture.to_dict() if hasattr(picture, "to_dict") else plain_dict(picture)
        print_json({"picture": args.kind, **record, **criterion, "output": args.output})
    elif args.output is None:
        plots.draw(picture, size=size).show()
    return 0


REGION = Command(
    """\
The region of feasibility R of (epsilon, delta) among the designs (p00, p11), its
vertices, and the certified optimum at a prevalence.""",
    epilog="""\
example: the designs that meet 1/5-to-1/2 privacy, and the best one at prevalence 1/10
  rropt plot region --level posterior:1/5,1/2 --prevalence 1/10 --output region.svg""",
    arguments=(
        *options.REQUIRED_ONE_LEVEL,
        options.DELTA,
        options.MECHANISM,
        options.TRANSPOSED_MECHANISM,
        Option("--prevalence", "PI", help="mark the optimum at this prevalence, in [0, 1]"),
        *options.PICTURE,
    ),
)


def region(args: argparse.Namespace, data: Any) -> Any:
    """The feasible region and its vertices."""
    return call_library(data.region_picture, args)


VARIANCE = Command(
    """\
The landscape of n Var over the region at a prevalence: level curves on a logarithmic
scale, the certified optimum and its ties.""",
    epilog="""\
example: n Var over the designs that meet 1/5-to-1/2 privacy, at prevalence 1/10
  rropt plot variance --level posterior:1/5,1/2 --prevalence 1/10 --output variance.svg""",
    arguments=(
        *options.REQUIRED_ONE_LEVEL,
        options.DELTA,
        replace(options.PREVALENCE, required=True),
        options.MECHANISM,
        options.TRANSPOSED_MECHANISM,
        Option(
            "--axes",
            help="design: (p00, p11); stretched: (p11-p00, p00+p11-1), for thin regions",
            choices=("auto", "design", "stretched"),
            default="auto",
        ),
        *options.PICTURE,
    ),
)


def variance(args: argparse.Namespace, data: Any) -> Any:
    """The landscape of n Var over the region."""
    return call_library(data.variance_picture, args)


G = Command(
    """\
Level sets of g(epsilon, delta) = delta (gamma + delta)/(gamma + 2 delta - 1)^2, gamma =
exp(epsilon). For a prevalence pi <= 1/2 the corner (1, delta) is optimal where g > pi,
the point p00 = p11 where g < pi, both where g = pi; for pi > 1/2 read 1 - pi.""",
    epilog="""\
example:
  rropt plot g --values 1/10,1/4 --mark "log(2),1/4" --output g.svg""",
    arguments=(
        Option("--values", "L,...", help="values of g, in (0, 1] (default: nine from 1/100 to 1/2)", type=items),
        replace(_EPSILONS, default="0..3"),
        Option("--delta", "LOW..HIGH", help="range of delta", type=pair, default="0..1", dest="delta_range"),
        Option("--mark", "E,D", help="mark a level (epsilon, delta) with its exact g", type=pair, repeated=True),
        *options.PICTURE,
    ),
)


def g(args: argparse.Namespace, data: Any) -> Any:
    """Level sets of the threshold g (Figure 1)."""
    return call_library(data.threshold_picture, args, marks=args.mark)


EFFICIENCY = Command(
    """\
n Var of the classical designs over the least n Var, against epsilon: each design takes
its most informative private parameter, at delta = 0 the one of parity exp(epsilon).""",
    epilog="""\
example:
  rropt plot efficiency --prevalence 1/4 --output efficiency.svg""",
    arguments=(
        replace(options.PREVALENCE, required=True),
        replace(options.DELTA, help="slack in [0, 1]"),
        replace(_EPSILONS, default="1/10..5"),
        _UNRELATED,
        Option("--mark", "E,...", help="levels marked with certified values (default: three)", type=items),
        *options.PICTURE,
    ),
)


def efficiency(args: argparse.Namespace, data: Any) -> Any:
    """Classical designs against the optimum."""
    return call_library(data.efficiency_picture, args)


HEAT_MAP = Command(
    "The entries of a mechanism as shades.",
    epilog="""\
example:
  rropt plot heat-map "grr:5,3/7" --output map.svg""",
    arguments=(
        replace(options.POSITIONAL_MECHANISM, type=mechanism),
        options.TRANSPOSED,
        *options.PICTURE,
    ),
)


def heat_map(args: argparse.Namespace, data: Any) -> Any:
    """A mechanism, its entries as shades."""
    return call_library(data.heat_picture, args)


ESTIMATE = Command(
    "Estimated shares with all their intervals: of a file, or of counts.",
    epilog="""\
examples:
  rropt plot estimate estimate.json --output estimate.svg
  rropt plot estimate --mechanism forced:2/3,1/6,1/6 --yes 831 --n 2435 --output estimate.svg""",
    arguments=(
        Option(
            "files",
            "FILE",
            help="what `rropt estimate --json` printed of one question, instead of counts",
            nargs="?",
            type=InputFile,
        ),
        options.MECHANISM,
        options.TRANSPOSED_MECHANISM,
        *options.COUNTED,
        options.CONFIDENCE,
        *options.PICTURE,
    ),
)


def estimate(args: argparse.Namespace, data: Any) -> Any:
    """An estimate with its intervals."""
    from rropt.inference.count_estimates import estimate as estimate_of_counts
    from rropt.reports.records import load

    if args.files is not None:
        refuse_given(args.typed, "the file has the estimate", "confidence", "counts", "mechanism", "n", "yes")
        return data.estimate_picture(load(args.files))
    if args.mechanism is None:
        raise InvalidParameterError(
            "there is nothing to draw: give the file of an estimate, or --mechanism M with --yes Y --n N or --counts"
        )
    found = call_library(estimate_of_counts, args)
    return call_library(data.estimate_picture, args, estimate=found)


GROUPS = Command(
    """\
One share, or the mean of a number, in each group, with its intervals: of rropt estimate,
or of rropt regress --by.""",
    epilog="""\
example:
  rropt plot groups groups.json --output groups.svg""",
    arguments=(
        Option(
            "files",
            "FILE",
            help="what `rropt estimate DATA --by ... --json` printed, with weights or without (a mean: also "
            "without --by)",
            type=InputFile,
        ),
        Option("share", "SHARE", help="which share (default: the first)", nargs="?"),
        *options.PICTURE,
    ),
)


def groups(args: argparse.Namespace, data: Any) -> Any:
    """A proportion, or a mean, in each group."""
    from rropt.core.files import parse_json, read_text
    from rropt.estimates.estimated import Estimates
    from rropt.regression.regressions import Regression
    from rropt.reports.records import load

    found = load(args.files)
    if isinstance(found, Regression):
        record = parse_json(read_text(args.files, what="the regression"), what="the regression")
        found = Estimates.from_dict(record["prevalence"]) if "prevalence" in record else found
    return data.groups_picture(found, args.share)


MARGIN = Command(
    """\
The margin against the number of respondents, a curve for each design: with the
normal interval, at 0.95.""",
    epilog="""\
example:
  rropt plot margin warner:3/4 forced:2/3,1/6,1/6 --prevalence 10% --margin 0.05 --output margin.svg""",
    arguments=(
        replace(options.POSITIONAL_MECHANISM, name="mechanisms", nargs="+", type=mechanism),
        options.TRANSPOSED,
        replace(options.PREVALENCE, required=True),
        _RESPONDENTS,
        Option("--margin", "H", help="the goal, drawn as a line"),
        *options.PICTURE,
    ),
)


def margin(args: argparse.Namespace, data: Any) -> Any:
    """Margin of error against the number of respondents."""
    return call_library(data.precision_picture, args, quantity="margin", goal=args.margin)


POWER = Command(
    """\
The power against the number of respondents, a curve for each design: with the
normal one-sided test, at 0.95.""",
    epilog="""\
example:
  rropt plot power warner:3/4 forced:2/3,1/6,1/6 --prevalence 10% --power 0.8 --output power.svg""",
    arguments=(
        replace(options.POSITIONAL_MECHANISM, name="mechanisms", nargs="+", type=mechanism),
        options.TRANSPOSED,
        replace(options.PREVALENCE, required=True),
        _RESPONDENTS,
        Option("--power", "B", help="the goal, drawn as a line"),
        Option("--null", "P0", help="the prevalence that is tested", default="0"),
        *options.PICTURE,
    ),
)


def power(args: argparse.Namespace, data: Any) -> Any:
    """Power of a test against the number of respondents."""
    return call_library(data.precision_picture, args, quantity="power", goal=args.power)


RESPONDENTS = Command(
    """\
Respondents needed for a margin (the half-width of the normal interval, at 0.95) against
epsilon: the certified optimum, the classical designs, each with its most informative
private parameter, and a question that is asked openly.""",
    epilog="""\
example:
  rropt plot respondents --margin 0.05 --prevalence 10% --output respondents.svg""",
    arguments=(
        Option("--margin", "M", help="on the scale of the prevalence, in (0, 1)", required=True),
        Option("--prevalence", "PI", help="guess of the prevalence, in (0, 1)", required=True),
        replace(options.DELTA, help="slack in [0, 1]"),
        replace(_EPSILONS, default="1/2..4"),
        _UNRELATED,
        *options.PICTURE,
    ),
)


def respondents(args: argparse.Namespace, data: Any) -> Any:
    """Number of respondents needed, against epsilon."""
    return call_library(data.respondents_picture, args)


PAPER = Command(
    """\
A figure of a paper whose claims rropt verifies, from closed forms, exact laws of devices, or
responses that are drawn with a fixed seed. Figure 1 of Holohan, Leith and Mason (2016) is
`rropt plot g`; Chai and Nayak (2018) print no parameters of theirs: these are ours.""",
    epilog="""\
examples:
  rropt plot paper vinterbo2018 2a --output figure2a.svg
  rropt plot paper sun2023 4 --output figure4.svg
  rropt plot paper chai2018 1 --output figure1.svg""",
    arguments=(
        Option("paper", "PAPER", help="ziani, vinterbo2018, sun2023 or chai2018"),
        Option(
            "figure",
            "FIGURE",
            help=(
                "its number and part: 1 of ziani; 1a, 1b, 1c, 2a, 2b of vinterbo2018; 1 to 5 of sun2023; 1 to 4 of "
                "chai2018"
            ),
        ),
        *options.PICTURE,
    ),
)


def paper(args: argparse.Namespace, data: Any) -> Any:
    """A figure of a paper."""
    if args.paper == "chai2018":
        return data.published_figure(whole_number(args.figure, "FIGURE", 1, 4))
    return call_library(data.paper_picture, args)


_KINDS = {
    "region": PictureKind("the feasible region and its vertices", REGION, region),
    "variance": PictureKind("the landscape of n Var over the region", VARIANCE, variance),
    "g": PictureKind("level sets of the threshold g (Figure 1)", G, g),
    "efficiency": PictureKind("classical designs against the optimum", EFFICIENCY, efficiency),
    "breaches": PictureKind("breach regions of criteria and mechanisms", BREACHES, breaches),
    "heat-map": PictureKind("a mechanism, its entries as shades", HEAT_MAP, heat_map),
    "estimate": PictureKind("an estimate with its intervals", ESTIMATE, estimate),
    "groups": PictureKind("a proportion or a mean in each group", GROUPS, groups),
    "margin": PictureKind("margin of error against the number of respondents", MARGIN, margin),
    "power": PictureKind("power of a test against the number of respondents", POWER, power),
    "paper": PictureKind("a figure of a paper whose claims rropt verifies", PAPER, paper),
    "respondents": PictureKind("number of respondents needed, against epsilon", RESPONDENTS, respondents),
}
