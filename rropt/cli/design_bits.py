"""``rropt design bits``: the best devices for several questions at once, under one privacy budget.

The best devices for several yes-or-no questions that are answered independently of each
other, at a privacy level of the whole answer (epsilon is what inputs that differ in all
questions may tell; the levels of the questions add up to it). Minimised is

  marginals  the sum over questions of weight times n Var of the estimated prevalence
  joint      n times the trace of the covariance of the estimated joint distribution

Each device is Warner's, p00 = p11 = x/(x+1), with x the parity: no device of that parity
is better, at any prevalence. Of equal weights, and of the joint distribution, the equal
split is best; of other weights the one at a multiplier, with the gap to the optimum
proved. Parities are rounded so that their product is at most exp(epsilon), exactly.
"lower" and "upper" bracket the optimum at B(h) of a criterion itself; --certificate FILE.json
writes the proof of "lower" to FILE-bound.json.

examples:
  rropt design bits --questions 5 --epsilon 3
  rropt design bits --weights 1,2,1,1,1 --prevalences 0.1,0.1,0.3,0.05,1/2 --epsilon 3 --certificate bits.json
  rropt design bits --questions 5 --epsilon 3 --objective joint --json
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import (
    criterion_record,
    criterion_rows,
    items_of,
    read_criterion_level,
    read_level,
    whole_number,
)
from rropt.cli.design_answers import (
    FILES,
    REPORT,
    expect_bound,
    put_certificates,
    put_mechanism,
    put_report,
    route_names,
)
from rropt.cli.options import declare
from rropt.cli.output import print_json, print_table, print_text
from rropt.exact.display import bracket_text

if TYPE_CHECKING:
    from rropt.certificates import Certificate

_OPTIONS = f"""
LEVEL required
--questions N             how many (not needed beside a list of weights or prevalences)
--weights W1,..,WN        of the marginals, numbers >= 0 (default: 1 each)
--prevalences P1,..,PN    guesses of Pr(yes), for n Var, and for the joint distribution of independent questions
    (default: 1/2 each, the worst case)
--objective marginals|joint = marginals  what is minimised
--routes NAME,...         solve by these only: closed-form, multiplier, convex (default: all)
{FILES}
{REPORT}
"""


def add(bits: argparse.ArgumentParser) -> None:
    """Add the options of the kind."""
    declare(bits, __doc__, _OPTIONS, run=run)


def run(args: argparse.Namespace) -> int:
    """Solve, print, and write the certificate."""
    from rropt.results import joined, record_of
    from rropt.solvers.bits import design_bits

    level = read_criterion_level(args)
    expect_bound(args, level)
    options: dict[str, Any] = {
        "questions": None if args.questions is None else whole_number(args.questions, "--questions", 1, 256),
        "weights": items_of(args.weights),
        "prevalences": items_of(args.prevalences),
        "objective": args.objective,
    }
    epsilon, _ = read_level(args)
    design = design_bits(epsilon, **options, routes=route_names(args))
    bound: Certificate | None = None
    lower: Fraction | None = design.lower
    if level is not None and level.is_rounded:
        above = None if level.epsilon_above is None else design_bits(level.epsilon_above, **options)
        bound = None if above is None else above.certificate
        lower = None if above is None else above.lower
    put_certificates(args, design.certificate, bound)
    put_mechanism(args, design.mechanism, "Optimal devices of several questions", design.certificate)
    if args.report is not None:
        put_report(args, design, criterion_rows(args), bound)
    if args.json:
        print_json(joined(design.to_dict(), record_of({"lower": lower}), criterion_record(args, bound)))
        return 0
    header, *rows = design.rows()
    print_table(rows, title="Devices", header=header)
    end = "exact" if lower == design.upper else bracket_text(lower, design.upper, minimising=True)
    print_table([*criterion_rows(args), *design.lines(), ("optimum", end)], title="Several questions")
    print_text(f"certificate {design.certificate.check()}")
    return 0
