"""``rropt compare-designs``: the designs of the literature at one budget, in one table and one picture.

Warner, the unrelated question (Simmons), forced response, crosswise, Kuk, Mangat,
Christofides, his deck dealt without replacement (improved Christofides), the certified
optimum, and Laplace's noise on the count by a curator: each tuned to one privacy budget,
with rational parameters that keep it exactly. Who sees what decides what a budget is
worth: epsilon of one answer alone, of all answers with names, of their sum, and of all
answers to one who believes that each of the others has the trait with chance Q.
n Var is exact; the efficiency is n Var of the optimum over it. The last line is below
every unbiased estimator from independent answers that keep epsilon.
To ask which of some given mechanisms is better for every purpose: `rropt compare`.

examples: per respondent; the health insurance of a whole country; respondents for a
standard error; a picture for epsilon from 1/10 to 3
  rropt compare-designs --gamma 9 --prevalence 1/10
  rropt compare-designs --epsilon 1/20 --prevalence 0.0778 --respondents 3252599 --surveyed
  rropt compare-designs --epsilon 1 --prevalence 1/10 --respondents 500 --population 9000 --standard-error 0.02
  rropt compare-designs --epsilon 1 --prevalence 1/10 --respondents 100 --surveyed --plot designs.svg --range 1/10..3
"""

from __future__ import annotations

import argparse
from typing import Any

from rropt.cli.arguments import range_of, read_criterion_level, read_level, whole_number
from rropt.cli.options import declare
from rropt.cli.output import print_result, print_table, say_remarks
from rropt.cli.pending import put_picture
from rropt.errors import InvalidParameterError

_OPTIONS = """
LEVEL required
--delta
--prevalence required
--respondents N           how many are asked: a dealt deck has a card for each
--population N            of whom they are a sample without replacement
| --surveyed              all of the population are asked
--belief Q                what a collector believes of the others (default: PI)
--other B = 1/2           yes-share of the other question
--middle M = 1/100        share of Christofides' cards 2
--draws R = 1             cards that Kuk's respondents draw
--variance V              count the respondents that this variance needs
| --standard-error S      its square root
| --margin H              half the width of the normal interval
--confidence C            of that interval (default: 0.95)
--certificate >FILE       write the optimum's certificate
--plot >FILE              n Var against epsilon: FILE.png, FILE.svg or FILE.pdf
--range LOW..HIGH         of epsilon in the picture (default: 1/10..3)
--style STYLE = color     of the picture: color or grey
--json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    declare(parser, __doc__, _OPTIONS, run=run)


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
    goal = {name: getattr(args, name) for name in ("variance", "standard_error", "margin", "confidence")}
    found = compare_designs(epsilon, belief=args.belief, **goal, **options)
    if args.certificate is not None and found.certificate is not None:
        args.pending.put(args.certificate, found.certificate.file_text)
    if args.json:
        print_result(found, json=True, criterion=read_criterion_level(args))
        return 0
    header, *rows = found.rows()
    title = f"Designs at epsilon = {found.epsilon}, delta = {found.delta}: {found.survey}"
    print_table(rows, title=title, header=header)
    say_remarks(found)
    return 0


def _draw(args: argparse.Namespace, options: dict[str, Any]) -> None:
    """Compute the picture, after a look at everything that could be wrong about the file; it is drawn at the end."""
    from rropt.plots.data.comparisons import comparison_picture
    from rropt.plots.sheets import format_of
    from rropt.plots.styles import require_matplotlib, style_of

    format_of(args.plot), style_of("wide", args.style, True)
    require_matplotlib()
    picture = comparison_picture(epsilon=range_of(args.range or "1/10..3", "--range"), **options)
    put_picture(args, args.plot, picture, size="wide", style=args.style)
