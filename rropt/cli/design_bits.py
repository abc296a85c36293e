"""``rropt design bits``: the best devices for several questions at once, under one privacy budget."""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import (
    CRITERION_HELP,
    add_json,
    add_level,
    criterion_record,
    criterion_rows,
    read_criterion_level,
    read_level,
    whole_number,
)
from rropt.cli.design_answers import add_files, expect_bound, put_certificates, put_mechanism, route_names, with_bound
from rropt.cli.output import print_json, print_table, print_text
from rropt.errors import InvalidParameterError, shown
from rropt.exact.display import both_texts, bracket_text
from rropt.exact.written import listed

if TYPE_CHECKING:
    from rropt.certificates import Certificate
    from rropt.solvers.bits import BitsDesign

_BITS = f"""\
The best devices for several yes-or-no questions that are answered independently of each
other, at a privacy level of the whole answer (epsilon is what inputs that differ in all
questions may tell; the levels of the questions add up to it). Minimised is

  marginals  the sum over questions of weight times n Var of the estimated prevalence
  joint      n times the trace of the covariance of the estimated joint distribution

Each device is Warner's, p00 = p11 = x/(x+1), with x the parity: no device of that parity
is better, at any prevalence. Of equal weights, and of the joint distribution, the equal
split is best; of other weights the one at a multiplier, with the gap to the optimum
proved. Parities are rounded so that their product is at most exp(epsilon), exactly.

{CRITERION_HELP}
"lower" and "upper" then bracket the optimum at B(h) itself; --certificate FILE.json
writes the proof of "lower" to FILE-bound.json."""

_EPILOG = """\
examples:
  rropt design bits --questions 5 --epsilon 3
  rropt design bits --weights 1,2,1,1,1 --prevalences 0.1,0.1,0.3,0.05,1/2 --epsilon 3 --certificate bits.json
  rropt design bits --questions 5 --epsilon 3 --objective joint --json"""


def add_bits(bits: argparse.ArgumentParser) -> None:
    """Add the options of the kind."""
    bits.description, bits.epilog = _BITS, _EPILOG
    add_level(bits, delta=False)
    bits.add_argument("--questions", metavar="N", help="how many (not needed beside a list of weights or prevalences)")
    bits.add_argument("--weights", metavar="W1,..,WN", help="of the marginals, numbers >= 0 (default: 1 each)")
    bits.add_argument(
        "--prevalences",
        metavar="P1,..,PN",
        help="guesses of Pr(yes), for n Var, and for the joint distribution of independent questions (default: 1/2 "
        "each, the worst case)",
    )
    bits.add_argument(
        "--objective",
        choices=("marginals", "joint"),
        default="marginals",
        help="what is minimised (default: marginals)",
    )
    bits.add_argument(
        "--routes", metavar="NAME,...", help="solve by these only: closed-form, multiplier, convex (default: all)"
    )
    add_files(bits)
    add_json(bits)
    bits.set_defaults(run=run_bits)


def run_bits(args: argparse.Namespace) -> int:
    """Solve, print, and write the certificate."""
    from rropt.solvers.bits import design_bits

    level = read_criterion_level(args)
    expect_bound(args, level)
    options: dict[str, Any] = {
        "questions": None if args.questions is None else whole_number(args.questions, "--questions", 1, 256),
        "weights": _numbers(args.weights, "--weights"),
        "prevalences": _numbers(args.prevalences, "--prevalences"),
        "objective": args.objective,
    }
    if options["questions"] is None and args.weights is None and args.prevalences is None:
        raise InvalidParameterError(
            "the number of questions is missing: received none of --questions N, --weights and --prevalences; give one"
        )
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
    if args.json:
        from rropt.results import joined, record_of

        more = with_bound(criterion_record(args), bound)
        print_json(joined(design.to_dict(), record_of({"lower": lower}), more))
        return 0
    print_table(_question_rows(design), title="Devices", header=_HEADER)
    end = "exact" if lower == design.upper else bracket_text(lower, design.upper, minimising=True)
    print_table([*criterion_rows(args), *design.lines(), ("optimum", end)], title="Several questions")
    print_text(f"certificate {design.certificate.check()}")
    return 0


def _numbers(text: str | None, option: str) -> list[str] | None:
    """Return the numbers of a list as texts."""
    if text is None:
        return None
    parts = listed(text)
    if len(parts) > 256:
        raise InvalidParameterError(
            f"{option} is too long: received {len(parts)} numbers, {shown(text)}; allowed are 256, one for each "
            "question"
        )
    return parts


_HEADER = ("question", "weight", "prevalence", "p00 = p11", "parity", "epsilon", "n Var")


def _question_rows(design: BitsDesign) -> list[tuple[str, ...]]:
    from rropt.mechanisms.decimals import probability_texts

    coin = "1/2: a coin, tells nothing"
    bits = zip(design.mechanism.factors, design.parities, strict=True)
    columns = (
        design.objective.shares,
        design.prevalences,
        [probability_texts(bit)[0] if x > 1 else coin for bit, x in bits],
        design.parities,
        [bit.epsilon() for bit in design.mechanism.factors],
        design.n_variances,
    )
    rows = enumerate(zip(*columns, strict=True))
    return [(str(i), *(x if isinstance(x, str) else both_texts(x, 6) for x in row)) for i, row in rows]
