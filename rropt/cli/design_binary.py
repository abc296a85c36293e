"""``rropt design binary``: the best device for a yes-or-no question, at a prevalence or over an interval of them."""

from __future__ import annotations

import argparse
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from rropt.cli import options
from rropt.cli.arguments import call_library, read_level, span_of, whole
from rropt.cli.command import Command, Flag, Option
from rropt.cli.design_results import below, give_design
from rropt.cli.level_curves import give_every_level, refuse_beside_span
from rropt.cli.pending import check_bound_file
from rropt.core.errors import InvalidParameterError, shown

if TYPE_CHECKING:
    from rropt.core.exact import Epsilon
    from rropt.core.results import Result

COMMAND = Command(
    """\
Find the binary design (p00, p11) with the smallest variance at a privacy level, for a
guess of the prevalence. Two routes (a theorem, enumeration) must agree, a certificate proves
the result, and the problem is posed twice more, in SymPy and in CVXPY.

With --prevalence LOW..HIGH the command compares the candidates over the interval: the
minimax design (smallest worst-case variance) and the minimax-regret design. Candidates
are the vertices of the region (diagonal: p00 = p11; corner_p00: p00 = 1; corner_p11:
p11 = 1) and the hedge, which has the same regret at both endpoints.

For every level at once (--epsilon all, --epsilon 1/2..3 or --gamma 2..10) the smallest variance
is printed as an exact function of gamma = exp(epsilon), with its breakpoint if delta > 0.

With a criterion whose B(h) is irrational, "lower" and "upper" enclose the optimum at B(h).
A second solution at a rational gamma above B(h) proves "lower"; --certificate FILE.json
writes its certificate to FILE-bound.json.""",
    arguments=(
        *options.REQUIRED_ONE_LEVEL,
        options.DELTA,
        Option("--prevalence", "PI", help="assumed prevalence in [0, 1], or an interval LOW..HIGH", required=True),
        Flag("--symmetric", help="only designs with p00 = p11, as Warner's"),
        Option(
            "--n",
            "N",
            help="number of respondents: also print the standard error and the margin of error",
            type=whole(1),
        ),
        Option(
            "--confidence",
            "C",
            help="confidence level of the margin (normal approximation; default: 0.95)",
            goes_with="--n",
        ),
        Option(
            "--outputs",
            help="number of outputs of the mechanism: two, three, or the best of any number (four suffice)",
            choices=("2", "3", "any"),
            default="2",
        ),
        *options.LEVEL_CURVE,
        options.FOR,
        options.ROUTES,
        options.FAST,
        options.CERTIFICATE,
        options.DERIVATION,
        *options.DESIGN_FILES,
        *options.REPORTS,
    ),
)


_TITLES = {
    "2": "Optimal binary design",
    "3": "Optimal design with three outputs",
    "any": "Optimal design with any number of outputs",
}


def run(args: argparse.Namespace) -> int:
    """Find the optimal binary design, print it, and write the certificate."""
    from rropt.designs.criterion_designs import solve_under_criterion
    from rropt.designs.problem import Problem
    from rropt.privacy import span as every

    span = span_of(args)
    if span is not None:
        refuse_beside_span(args, "n", "confidence")
        if ".." in args.prevalence:
            raise InvalidParameterError(
                "an interval of prevalences does not belong to every level at once: received "
                f"{shown(args.prevalence)}; give one prevalence, or one level"
            )
        args.criterion = None
        level = every(span, args.delta)
        return give_every_level(
            args, lambda: Problem.binary(args.prevalence, level=level, **_shape(args)), args.at_most
        )
    read_level(args)
    _precision(args, Fraction(1))  # a wrong --n or --confidence is rejected before the work
    check_bound_file(args)
    if ".." in args.prevalence:
        return _run_interval(args)
    asked = partial(Problem.binary, args.prevalence, delta=args.delta, **_shape(args))
    found = solve_under_criterion(
        args.criterion,
        lambda level: asked(epsilon=args.epsilon if level is None else level),
        args.routes,
        fast=args.fast,
    )
    return give_design(args, found, _TITLES[args.outputs], _precision(args, below(found).value))


def _shape(args: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments on the form of the mechanism."""
    return {"outputs": args.outputs, "symmetric": args.symmetric}


def _run_interval(args: argparse.Namespace) -> int:
    """Find the minimax-regret design over an interval of prevalences, and print it."""
    from rropt.design import binary
    from rropt.designs.criterion_designs import design_under_criterion

    if args.outputs != "2" or args.routes is not None:
        option = "--routes" if args.outputs == "2" else f"--outputs {args.outputs}"
        raise InvalidParameterError(
            f"{option} belongs to a single prevalence: received an interval {shown(args.prevalence)}; leave it out, "
            "or give one prevalence"
        )

    def design_at(level: Epsilon | None) -> Any:
        own = args.epsilon if level is None else level
        return binary(args.prevalence, epsilon=own, delta=args.delta, symmetric=args.symmetric, fast=args.fast)

    found = design_under_criterion(args.criterion, design_at)
    beside = _precision(args, below(found).minimax_regret.design.worst_case, "at the worst case")
    return give_design(args, found, "Minimax-regret binary design", beside)


def _precision(args: argparse.Namespace, n_variance: Fraction, where: str = "") -> list[Result]:
    """Return standard error and margin for --n respondents; an empty list without --n."""
    if args.n is None:
        return []
    from rropt.plans.plan import expected_precision  # imports NumPy, so only when needed

    return [call_library(expected_precision, args, n_variance=n_variance, where=where)]
