"""``rropt compare-designs``: the designs of the literature at one budget, in one table and one picture."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import CRITERION_HELP, add_json, add_level, criterion_record, read_level, whole_number
from rropt.cli.output import OutputFile, note, print_json, print_table
from rropt.errors import InvalidParameterError

if TYPE_CHECKING:
    from fractions import Fraction

    from rropt.orders import DesignComparison

_DESCRIPTION = f"""\
Warner, the unrelated question (Simmons), forced response, crosswise, Kuk, Mangat,
Christofides, his deck dealt without replacement (improved Christofides), the certified
optimum, and Laplace's noise on the count by a curator: each tuned to one privacy budget,
with rational parameters that keep it exactly. Who sees what decides what a budget is
worth: epsilon of one answer alone, of all answers with names, of their sum, and of all
answers to one who believes that each of the others has the trait with chance Q.
n Var is exact; the efficiency is n Var of the optimum over it. The last line is below
every unbiased estimator from independent answers that keep epsilon.
To ask which of some given mechanisms is better for every purpose: `rropt compare`.
{CRITERION_HELP}"""

_EPILOG = """\
examples: per respondent; the health insurance of a whole country; respondents for a
standard error; a picture for epsilon from 1/10 to 3
  rropt compare-designs --gamma 9 --prevalence 1/10
  rropt compare-designs --epsilon 1/20 --prevalence 0.0778 --respondents 3252599 --surveyed
  rropt compare-designs --epsilon 1 --prevalence 1/10 --respondents 500 --population 9000 --standard-error 0.02
  rropt compare-designs --epsilon 1 --prevalence 1/10 --respondents 100 --surveyed --plot designs.svg --range 1/10..3"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    add_level(parser)
    parser.add_argument("--prevalence", metavar="PI", required=True, help="guess of the prevalence, in [0, 1]")
    parser.add_argument("--respondents", metavar="N", help="how many are asked: a dealt deck has a card for each")
    asked = parser.add_mutually_exclusive_group()
    asked.add_argument("--population", metavar="N", help="of whom they are a sample without replacement")
    asked.add_argument("--surveyed", action="store_true", help="all of the population are asked")
    parser.add_argument("--belief", metavar="Q", help="what a collector believes of the others (default: PI)")
    parser.add_argument("--other", metavar="B", default="1/2", help="yes-share of the other question (default: 1/2)")
    parser.add_argument("--middle", metavar="M", default="1/100", help="share of Christofides' cards 2 (default: .01)")
    parser.add_argument("--draws", metavar="R", default="1", help="cards that Kuk's respondents draw (default: 1)")
    goal = parser.add_mutually_exclusive_group()
    goal.add_argument("--variance", metavar="V", help="count the respondents that this variance needs")
    goal.add_argument("--standard-error", metavar="S", help="its square root")
    goal.add_argument("--margin", metavar="H", help="half the width of the normal interval")
    parser.add_argument("--confidence", metavar="C", help="of that interval (default: 0.95)")
    parser.add_argument("--certificate", metavar="FILE", type=OutputFile, help="write the optimum's certificate")
    parser.add_argument(
        "--plot", metavar="FILE", type=OutputFile, help="n Var against epsilon: FILE.png, FILE.svg or FILE.pdf"
    )
    parser.add_argument("--range", metavar="LOW..HIGH", help="of epsilon in the picture (default: 1/10..3)")
    parser.add_argument("--style", metavar="STYLE", default="color", help="of the picture: color or grey")
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compare, print, draw."""
    from rropt.orders import compare_designs

    epsilon, delta = read_level(args)
    if args.range is not None and args.plot is None:
        raise InvalidParameterError(f"--range belongs to --plot: received {args.range}; leave it out")
    options = {
        "prevalence": args.prevalence,
        "delta": delta,
        "respondents": None if args.respondents is None else whole_number(args.respondents, "--respondents", 1),
        "population": None if args.population is None else whole_number(args.population, "--population", 1),
        "surveyed": args.surveyed,
        "other": args.other,
        "middle": args.middle,
        "draws": whole_number(args.draws, "--draws", 1, 20),
    }
    if args.plot is not None:
        _draw(args, options)
    found = compare_designs(epsilon, belief=args.belief, variance=_goal(args), **options)
    if args.certificate is not None and found.certificate is not None:
        args.pending.put(args.certificate, found.certificate.file_text)
    if args.json:
        print_json({**found.to_dict(), **criterion_record(args)})
    else:
        _print(found)
    return 0


def _draw(args: argparse.Namespace, options: dict[str, Any]) -> None:
    """Compute the picture, after a look at everything that could be wrong about the file; it is drawn at the end."""
    from rropt.plots.data.comparisons import comparison_picture
    from rropt.plots.figures.comparisons import draw_comparison
    from rropt.plots.sheets import format_of, picture_bytes
    from rropt.plots.styles import require_matplotlib, style_of

    kind, style = format_of(args.plot), style_of("wide", args.style, True)
    require_matplotlib()
    low, dots, high = (args.range or "1/10..3").partition("..")
    if not dots:
        raise InvalidParameterError(f"--range is not a range: received {args.range}; allowed is LOW..HIGH, as 1/10..3")
    picture = comparison_picture(epsilon=(low, high), **options)
    args.pending.put(args.plot, lambda: picture_bytes(draw_comparison(picture, style), kind), "picture")


def _goal(args: argparse.Namespace) -> Fraction | None:
    """Return the variance that is asked for."""
    from rropt.exact import rational_where
    from rropt.orders.equal_privacy import margin_variance

    if args.confidence is not None and args.margin is None:
        raise InvalidParameterError(f"--confidence belongs to --margin: received {args.confidence}; leave it out")
    if args.margin is not None:
        return margin_variance(args.margin, args.confidence or "0.95")
    if args.standard_error is not None:
        return rational_where(args.standard_error, lambda s: s > 0, "a number > 0", name="standard error") ** 2
    return None if args.variance is None else rational_where(args.variance, lambda v: v > 0, "> 0", name="variance")


def _print(found: DesignComparison) -> None:
    header, *rows = found.rows()
    title = f"Designs at epsilon = {found.epsilon}, delta = {found.delta}: {found.survey}"
    print_table(rows, title=title, header=header)
    for remark in found.remarks():
        note(f"remark: {remark}")
