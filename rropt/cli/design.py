"""``rropt design``: optimal mechanisms with certificates, also of a problem file."""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from rropt.cli.arguments import (
    CRITERION_HELP,
    add_level,
    criterion_record,
    criterion_rows,
    read_criterion_level,
    read_level,
    whole_number,
)
from rropt.cli.design_answers import (
    OPTIMA_HELP,
    add_answers,
    expect_bound,
    give_design,
    give_infeasible,
    optimum_under,
    put_certificates,
    put_mechanism,
    put_report,
    route_names,
    with_bound,
)
from rropt.cli.output import print_json, print_table, print_text
from rropt.errors import InvalidParameterError
from rropt.exact.display import bracket_text

if TYPE_CHECKING:
    from rropt.certificates import Certificate
    from rropt.exact import Epsilon
    from rropt.problem import Problem
    from rropt.solvers.prevalence_intervals import IntervalSolution


_OUTPUTS: dict[str, tuple[int | Literal["any"], str]] = {
    "binary": (2, "Optimal binary design"),
    "3": (3, "Optimal design of three answers"),
    "any": ("any", "Optimal design of any number of answers"),
}

_BINARY = f"""\
The binary design (p00, p11) of least variance at a privacy level and a guessed
prevalence: by theorem, by convex optimisation and by enumeration, cross-checked,
with a certificate. With --prevalence LOW..HIGH: the worst case over the interval
and the regret of each candidate, and the design of least regret: the candidates are
the vertices of the region (diagonal: p00 = p11; corner_p00: p00 = 1; corner_p11:
p11 = 1), and the hedge, whose regret is the same at both ends of the interval.

{CRITERION_HELP}
{OPTIMA_HELP}"""


def add(design: argparse.ArgumentParser) -> None:
    """Add the command and its kinds of design."""
    kinds = design.add_subparsers(metavar="KIND", required=True)
    kinds.add_parser("binary", help="two categories, two answers", fill=_add_binary)
    kinds.add_parser(
        "kary", help="k categories: trace, expected loss, or total variance of an estimate", fill=_add_kary
    )
    kinds.add_parser("bits", help="several yes-or-no questions under one privacy budget", fill=_add_bits)
    kinds.add_parser("device", help="dice, a deck, coins: the best use of a randomizer at hand", fill=_add_device)
    kinds.add_parser("others", help="least width when some respondents do not follow it", fill=_add_others)
    kinds.add_parser("problem", help="a problem file", fill=_add_problem)


def _add_kary(kary: argparse.ArgumentParser) -> None:
    from rropt.cli.design_kary import add_kary

    add_kary(kary)


def _add_bits(bits: argparse.ArgumentParser) -> None:
    from rropt.cli.design_bits import add_bits

    add_bits(bits)


def _add_device(device: argparse.ArgumentParser) -> None:
    from rropt.cli.design_device import add_device

    add_device(device)


def _add_others(others: argparse.ArgumentParser) -> None:
    from rropt.cli.design_others import add_others

    add_others(others)


def _add_binary(binary: argparse.ArgumentParser) -> None:
    binary.description = _BINARY
    add_level(binary)
    binary.add_argument(
        "--prevalence", metavar="PI", required=True, help="guess of the prevalence in [0, 1], or an interval LOW..HIGH"
    )
    binary.add_argument("--family", choices=("all", "warner"), default="all", help="warner: only p00 = p11")
    binary.add_argument("--n", metavar="N", help="number of respondents: adds the standard error and the margin")
    binary.add_argument(
        "--confidence", metavar="C", help="with --n: of the margin, normal approximation (default: 0.95)"
    )
    binary.add_argument(
        "--outputs",
        choices=tuple(_OUTPUTS),
        default="binary",
        help="answers per respondent: two, three, or the best of any number (four do; with delta = 0 two)",
    )
    add_answers(binary)
    binary.set_defaults(run=run_binary)


def run_binary(args: argparse.Namespace) -> int:
    """Solve, print, and write the certificate."""
    if ".." in args.prevalence:
        return _run_interval(args)
    from rropt.problem import binary_problem

    _precision(args, Fraction(1))  # a bad --n or --confidence is refused before the work
    level = read_criterion_level(args)
    expect_bound(args, level)
    epsilon, delta = read_level(args)
    outputs, title = _OUTPUTS[args.outputs]

    def problem_at(other: Epsilon | None) -> Problem:
        return binary_problem(
            epsilon=epsilon if other is None else other,
            delta=delta,
            prevalence=args.prevalence,
            family=args.family,
            outputs=outputs,
        )

    optimum = optimum_under(level, problem_at, route_names(args))
    precision = _precision(args, optimum.below.value)
    return give_design(args, optimum, title, precision, _precision_rows(precision))


def _precision(args: argparse.Namespace, variance: Fraction) -> dict[str, Any]:
    """Return standard error and margin of n answers, where n Var is ``variance``; empty without --n."""
    if args.n is None:
        if args.confidence is not None:
            raise InvalidParameterError("--confidence belongs to a margin: received no --n; give the number of answers")
        return {}
    from rropt.estimation.distributions import exact_confidence, two_sided_quantile

    n, confidence = whole_number(args.n, "--n", 1), args.confidence or "0.95"
    error = float(variance / n) ** 0.5
    quantile = two_sided_quantile(exact_confidence(confidence))[1]
    return {"n": n, "standard_error": error, "margin": float(quantile) * error, "confidence": confidence}


def _precision_rows(precision: dict[str, Any]) -> list[tuple[str, str]]:
    if not precision:
        return []
    return [
        (f"standard error, n = {precision['n']}", f"{precision['standard_error']:.6g}"),
        (f"margin at {precision['confidence']} (normal)", f"{precision['margin']:.6g}"),
    ]


def _run_interval(args: argparse.Namespace) -> int:
    """The prevalence lies in an interval: hand out the design of least regret."""
    from rropt.mechanisms.decimals import plain_text
    from rropt.privacy import PrivacyRegion
    from rropt.results import joined, record_of
    from rropt.solvers.prevalence_intervals import solve_over_interval

    if args.outputs != "binary":
        raise InvalidParameterError(
            f"--outputs {args.outputs} belongs to a single prevalence: received an interval {args.prevalence}; "
            "give one prevalence of it (the best of any number of answers is best at every one)"
        )
    if args.routes is not None:
        raise InvalidParameterError(
            f"--routes belongs to a single prevalence: received an interval {args.prevalence}; leave it out"
        )
    _precision(args, Fraction(1))
    expect_bound(args, read_criterion_level(args))
    epsilon, delta = read_level(args)
    solution = solve_over_interval(PrivacyRegion(epsilon, delta, family=args.family), args.prevalence)
    chosen = solution.least_regret.design
    precision = _precision(args, chosen.worst_case)
    certificate = solution.least_regret.certificate
    bounded = _bound_worst_case(args)
    lower, bound = (solution.minimax.lower, None) if bounded is None else bounded
    if certificate:
        put_certificates(args, certificate, bound)
        put_mechanism(args, chosen.mechanism, "Binary design of least regret", certificate)
    if args.report is not None:
        put_report(args, solution, [*criterion_rows(args), *_precision_rows(precision)], bound)
    if args.json:
        record = joined(solution.to_dict(), record_of({"lower": lower}))
        print_json({**record, **precision, **with_bound(criterion_record(args), bound)})
        return 0
    print_table(
        _interval_rows(solution),
        title=f"Binary designs for a prevalence in {args.prevalence}",
        header=("design", "p00, p11", "worst n Var, at", "regret, at"),
    )
    for what, value in criterion_rows(args):
        print_text(f"{what}: {value}")
    if bounded is not None:
        ends = bracket_text(lower, solution.minimax.upper, minimising=True)
        print_text(f"least worst case under the criterion: {ends}")
        print_text("regrets are against the optima at the gamma that was used, below B(h)")
    print_text(plain_text(f"least regret: {chosen.name} (rows are answers, columns truths)", chosen.mechanism.matrix))
    for what, value in _precision_rows(precision):
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


def _interval_rows(solution: IntervalSolution) -> list[tuple[str, ...]]:
    from rropt.exact import both_texts
    from rropt.mechanisms.decimals import probability_texts

    rows: list[tuple[str, ...]] = []
    for design in (*solution.candidates, *([solution.hedge] if solution.hedge else [])):
        marks = [
            word
            for word, optimum in (("least worst case", solution.minimax), ("least regret", solution.least_regret))
            if design in optimum.designs
        ]
        rows.append(
            (
                "\n".join([design.name, *marks]),
                "\n".join(probability_texts(design.mechanism)),
                f"{both_texts(design.worst_case)}\n{both_texts(design.worst_at)}",
                f"{both_texts(design.regret.upper)}\n{both_texts(design.regret_at)}",
            )
        )
    return rows


_PROBLEM = """\
The best mechanism of a problem that stands in a file: the JSON object of
rropt.Problem.to_json and of certificates, with region, objective and population,
of any kind that is registered: by every route that accepts it, cross-checked, with
a certificate."""

_EPILOG = """\
example of a file:
  {"region": {"kind": "differential-privacy", "inputs": "2", "outputs": "2",
              "epsilon": {"log": "2"}, "delta": "1/4", "family": "all"},
   "objective": {"kind": "variance"}, "population": ["3/4", "1/4"]}"""


def _add_problem(problem: argparse.ArgumentParser) -> None:
    problem.description, problem.epilog = _PROBLEM, _EPILOG
    problem.add_argument("problem", metavar="FILE", help="JSON with region, objective and population")
    add_answers(problem)
    problem.set_defaults(run=run_problem)


def run_problem(args: argparse.Namespace) -> int:
    """Solve, print, and write the certificate."""
    from rropt.cli.design_answers import optimum_under
    from rropt.files import read_text
    from rropt.problem import Problem
    from rropt.solvers.infeasible_designs import InfeasibleDesignError

    problem = Problem.from_json(read_text(args.problem, what="problem"))
    try:
        return give_design(args, optimum_under(None, lambda _: problem, route_names(args)), "Optimal design")
    except InfeasibleDesignError as error:
        return give_infeasible(args, error)
