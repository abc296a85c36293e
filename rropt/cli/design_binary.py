"""``rropt design binary``: the best device for a yes-or-no question, at a prevalence or over an interval of them.

The binary design (p00, p11) of least variance at a privacy level and a guessed
prevalence: by theorem, by convex optimisation and by enumeration, cross-checked,
with a certificate. With --prevalence LOW..HIGH: the worst case over the interval
and the regret of each candidate, and the design of least regret: the candidates are
the vertices of the region (diagonal: p00 = p11; corner_p00: p00 = 1; corner_p11:
p11 = 1), and the hedge, whose regret is the same at both ends of the interval.

"lower" and "upper" bracket the optimum at B(h) of a criterion itself, by a second solution at a
rational gamma above it; --certificate FILE.json writes its proof to FILE-bound.json.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING

from rropt.cli.arguments import criterion_record, criterion_rows, read_criterion_level, read_level, whole_number
from rropt.cli.design_answers import (
    ANSWERS,
    expect_bound,
    give_design,
    put_certificates,
    put_mechanism,
    put_report,
    route_names,
)
from rropt.cli.options import declare
from rropt.cli.output import print_json, print_table, print_text
from rropt.errors import InvalidParameterError
from rropt.exact.display import bracket_text

if TYPE_CHECKING:
    from rropt.certificates import Certificate
    from rropt.estimation import ExpectedPrecision
    from rropt.exact import Epsilon
    from rropt.problem import Problem

_OPTIONS = f"""
LEVEL required
--delta
--prevalence PI required  guess of the prevalence in [0, 1], or an interval LOW..HIGH
--family all|warner = all  warner: only p00 = p11
--n N                     number of respondents: adds the standard error and the margin
--confidence C            with --n: of the margin, normal approximation (default: 0.95)
--outputs binary|3|any = binary  answers per respondent: two, three, or the best of any number (four do)
{ANSWERS}
"""

_OUTPUTS: dict[str, tuple[int | str, str]] = {
    "binary": (2, "Optimal binary design"),
    "3": (3, "Optimal design of three answers"),
    "any": ("any", "Optimal design of any number of answers"),
}


def add(binary: argparse.ArgumentParser) -> None:
    """Add the options of the kind."""
    declare(binary, __doc__, _OPTIONS, run=run)


def run(args: argparse.Namespace) -> int:
    """Solve, print, and write the certificate."""
    if ".." in args.prevalence:
        return _run_interval(args)
    from rropt.problem import binary_problem
    from rropt.solvers.criterion_designs import solve_under

    _precision(args, Fraction(1))  # a bad --n or --confidence is refused before the work
    level = read_criterion_level(args)
    expect_bound(args, level)
    epsilon, delta = read_level(args)
    options = {"prevalence": args.prevalence, "family": args.family}
    options["outputs"], title = _OUTPUTS[args.outputs]

    def problem_at(other: Epsilon | None) -> Problem:
        return binary_problem(epsilon=epsilon if other is None else other, delta=delta, **options)

    optimum = solve_under(level, problem_at, route_names(args))
    return give_design(args, optimum, title, _precision(args, optimum.below.value))


def _precision(args: argparse.Namespace, n_variance: Fraction) -> list[ExpectedPrecision]:
    """Return standard error and margin of --n answers; nothing without it."""
    if args.n is None:
        if args.confidence is not None:
            raise InvalidParameterError("--confidence belongs to a margin: received no --n; give the number of answers")
        return []
    from rropt.estimation import expected_precision

    return [expected_precision(n_variance, whole_number(args.n, "--n", 1), args.confidence or "0.95")]


def _run_interval(args: argparse.Namespace) -> int:
    """The prevalence lies in an interval: hand out the design of least regret."""
    from rropt.mechanisms.decimals import plain_text
    from rropt.privacy import PrivacyRegion
    from rropt.results import joined, record_of
    from rropt.solvers.prevalence_intervals import solve_over_interval

    if args.outputs != "binary" or args.routes is not None:
        option = "--routes" if args.outputs == "binary" else f"--outputs {args.outputs}"
        raise InvalidParameterError(
            f"{option} belongs to a single prevalence: received an interval {args.prevalence}; leave it out, or give "
            "one prevalence"
        )
    _precision(args, Fraction(1))
    expect_bound(args, read_criterion_level(args))
    epsilon, delta = read_level(args)
    solution = solve_over_interval(PrivacyRegion(epsilon, delta, family=args.family), args.prevalence)
    chosen, certificate = solution.least_regret.design, solution.least_regret.certificate
    precision, bounded = _precision(args, chosen.worst_case), _bound_worst_case(args)
    lower, bound = (solution.minimax.lower, None) if bounded is None else bounded
    rows = [line for one in precision for line in one.lines()]
    if certificate:
        put_certificates(args, certificate, bound)
        put_mechanism(args, chosen.mechanism, "Binary design of least regret", certificate)
    if args.report is not None:
        put_report(args, solution, [*criterion_rows(args), *rows], bound)
    if args.json:
        records = (solution.to_dict(), record_of({"lower": lower}), *(one.to_dict() for one in precision))
        print_json(joined(*records, criterion_record(args, bound)))
        return 0
    header, *table = solution.rows()
    print_table(table, title=f"Binary designs for a prevalence in {args.prevalence}", header=header)
    for what, value in criterion_rows(args):
        print_text(f"{what}: {value}")
    if bounded is not None:
        ends = bracket_text(lower, solution.minimax.upper, minimising=True)
        print_text(f"least worst case under the criterion: {ends}")
        print_text("regrets are against the optima at the gamma that was used, below B(h)")
    print_text(plain_text(f"least regret: {chosen.name} (rows are answers, columns truths)", chosen.mechanism.matrix))
    for what, value in rows:
        print_text(f"{what}, at the worst case: {value}")
    if certificate:
        print_text(f"certificate of the least regret {certificate.check()}")
    return 0


def _bound_worst_case(args: argparse.Namespace) -> tuple[Fraction | None, Certificate | None] | None:
    """Return a lower bound of the worst case under a rounded criterion with its proof; ``None`` at other levels."""
    from rropt.privacy import PrivacyRegion
    from rropt.solvers.prevalence_intervals import solve_over_interval

    level = read_criterion_level(args)
    if level is None or not level.is_rounded:
        return None
    if level.epsilon_above is None:
        return None, None
    above = solve_over_interval(PrivacyRegion(level.epsilon_above, family=args.family), args.prevalence)
    return above.minimax.lower, above.minimax.certificate
