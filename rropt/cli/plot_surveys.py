"""``rropt plot`` of surveys: a mechanism, an estimate, margin or power against n, respondents against epsilon."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import add_mechanism, read_mechanism, whole_number
from rropt.errors import InvalidParameterError, shown
from rropt.exact.written import listed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rropt.plots.data.groups import GroupsPicture
    from rropt.plots.data.surveys import EstimatePicture, HeatPicture, PrecisionPicture, RespondentsPicture
    from rropt.plots.styles import Style

    SurveyPicture = EstimatePicture | GroupsPicture | HeatPicture | PrecisionPicture | RespondentsPicture
    Draw = Callable[[Any, Style], Figure]

_PRECISION = """\
{what} against the number of answers, a curve for each design: with the
normal {test}, at 0.95."""

_RESPONDENTS = """\
Respondents needed for a margin (half the width of the normal interval, at 0.95) against
epsilon: the certified optimum, the classical designs, each with its most informative
private parameter, and a question that is asked openly."""

_EXAMPLES = {
    "heat-map": 'rropt plot heat-map "grr:5,3/7" --output map.svg',
    "estimate": "rropt plot estimate --mechanism forced:2/3,1/6,1/6 --yes 831 --n 2435 --output estimate.svg",
    "groups": "rropt plot groups groups.json --output groups.svg",
    "margin": "rropt plot margin warner:3/4 forced:2/3,1/6,1/6 --prevalence 10% --goal 0.05 --output margin.svg",
    "power": "rropt plot power warner:3/4 forced:2/3,1/6,1/6 --prevalence 10% --goal 0.8 --output power.svg",
    "respondents": "rropt plot respondents --margin 0.05 --prevalence 10% --output respondents.svg",
}


def add_surveys(kinds: Any) -> list[tuple[argparse.ArgumentParser, Callable[[argparse.Namespace], Any]]]:
    """Add the kinds of picture to those of ``rropt plot``; return their parsers, each with what reads its arguments."""

    def kind(name: str, purpose: str, description: str) -> argparse.ArgumentParser:
        epilog = f"example:\n  {_EXAMPLES[name]}"
        parser: argparse.ArgumentParser = kinds.add_parser(name, help=purpose, description=description, epilog=epilog)
        return parser

    heat = kind("heat-map", "a mechanism, its entries as shades", "The entries of a mechanism as shades.")
    add_mechanism(heat, "mechanism")
    estimate = kind("estimate", "an estimate with its intervals", "Estimated shares with all their intervals.")
    add_mechanism(estimate, "--mechanism", required=True)
    estimate.add_argument("--yes", metavar="Y", help="number of answers yes, of --n")
    estimate.add_argument("--n", metavar="N", help="number of answers")
    estimate.add_argument("--counts", metavar="C0,...", help="how often each answer was given")
    estimate.add_argument("--confidence", metavar="C", default="0.95", help="of each interval (default: 0.95)")
    groups = kind("groups", "a share in each group", "One share in each group, with its intervals.")
    groups.add_argument("files", metavar="FILE", help="what `rropt estimate FILE --by ... --json` printed")
    groups.add_argument("--share", metavar="NAME", help="which share (default: the first)")
    margin = kind("margin", "margin against answers", _PRECISION.format(what="The margin", test="interval"))
    power = kind("power", "power against answers", _PRECISION.format(what="The power", test="one-sided test"))
    for parser, word in ((margin, "margin"), (power, "power")):
        add_mechanism(parser, "mechanisms", nargs="+")
        parser.add_argument("--prevalence", metavar="PI", required=True, help="guess of the prevalence, in [0, 1]")
        parser.add_argument("--n-range", metavar="LOW..HIGH", default="100..10000", help="(default: 100..10000)")
        parser.add_argument("--goal", metavar="X", help=f"a {word} that is wanted, drawn as a line")
    power.add_argument("--null", metavar="P0", default="0", help="the prevalence that is tested (default: 0)")
    respondents = kind("respondents", "respondents needed against epsilon", _RESPONDENTS)
    respondents.add_argument("--margin", metavar="M", required=True, help="on the scale of the prevalence, in (0, 1)")
    respondents.add_argument("--prevalence", metavar="PI", required=True, help="guess of the prevalence, in (0, 1)")
    respondents.add_argument("--delta", metavar="D", default="0", help="slack in [0, 1] (default: 0)")
    respondents.add_argument("--epsilon-range", metavar="LOW..HIGH", default="1/2..4", help="(default: 1/2..4)")
    add_classical(respondents)
    return [
        (heat, _heat_map),
        (estimate, _estimate),
        (groups, _groups),
        (margin, lambda args: _precision(args, "margin")),
        (power, lambda args: _precision(args, "power")),
        (respondents, _respondents),
    ]


def add_classical(parser: argparse.ArgumentParser) -> None:
    """Add the parameters of classical designs."""
    parser.add_argument(
        "--unrelated", metavar="PIB,...", default="1/10,1/4,3/4", help="prevalences of unrelated questions"
    )
    parser.add_argument("--forced", metavar="Y:N,...", default="1:2", help="ratios of forced yes to forced no")


def items_of(text: str) -> list[str]:
    """Return the items of a list; an empty text is an empty list."""
    return listed(text) if text.strip() else []


def range_of(text: str, option: str) -> tuple[str, str]:
    """Return the ends of ``LOW..HIGH``."""
    low, dots, high = text.partition("..")
    if not dots or not low.strip() or not high.strip():
        raise InvalidParameterError(
            f"{option} is not a range: received {shown(text)}; allowed is LOW..HIGH, for example 0..1"
        )
    return low.strip(), high.strip()


def _heat_map(args: argparse.Namespace) -> tuple[SurveyPicture, Draw]:
    from rropt.plots.data.surveys import heat_picture
    from rropt.plots.figures.surveys import draw_heat_map

    return heat_picture(read_mechanism(args.mechanism)), draw_heat_map


def _estimate(args: argparse.Namespace) -> tuple[SurveyPicture, Draw]:
    from rropt.estimation import estimate, estimate_prevalence
    from rropt.plots.data.surveys import estimate_picture
    from rropt.plots.figures.surveys import draw_estimate

    mechanism = read_mechanism(args.mechanism)
    if (args.counts is None) == (args.yes is None) or (args.yes is None) != (args.n is None):
        raise InvalidParameterError("the answers are missing, or given twice: give --yes Y --n N, or --counts C0,...")
    if args.counts is not None:
        counts = [whole_number(text, f"counts[{i}]", 0) for i, text in enumerate(listed(args.counts))]
        found = estimate(mechanism, counts)
    else:
        found = estimate_prevalence(mechanism, whole_number(args.yes, "--yes", 0), whole_number(args.n, "--n", 1))
    return estimate_picture(found, confidence=args.confidence), draw_estimate


def _groups(args: argparse.Namespace) -> tuple[SurveyPicture, Draw]:
    from rropt.files import read_text
    from rropt.plots.data.groups import groups_picture
    from rropt.plots.figures.groups import draw_groups
    from rropt.responses import GroupEstimates

    found = GroupEstimates.from_json(read_text(args.files, what="the estimates"))
    return groups_picture(found, args.share), draw_groups


def _precision(args: argparse.Namespace, quantity: Any) -> tuple[SurveyPicture, Draw]:
    from rropt.plots.data.surveys import precision_picture
    from rropt.plots.figures.surveys import draw_precision

    low, high = (whole_number(end, "--n-range", 1) for end in range_of(args.n_range, "--n-range"))
    options = {"null": args.null} if quantity == "power" else {}
    mechanisms = [read_mechanism(text) for text in args.mechanisms]
    picture = precision_picture(
        mechanisms, quantity, prevalence=args.prevalence, numbers=(low, high), goal=args.goal, **options
    )
    return picture, draw_precision


def _respondents(args: argparse.Namespace) -> tuple[SurveyPicture, Draw]:
    from rropt.plots.data.surveys import respondents_picture
    from rropt.plots.figures.surveys import draw_respondents

    picture = respondents_picture(
        margin=args.margin,
        prevalence=args.prevalence,
        delta=args.delta,
        epsilon=range_of(args.epsilon_range, "--epsilon-range"),
        unrelated=items_of(args.unrelated),
        forced=items_of(args.forced),
    )
    return picture, draw_respondents
