"""``rropt design kary``: the best mechanism for k categories, with the constraints people need."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from rropt.cli import options
from rropt.cli.arguments import items, level_of, level_of_specs, read_level, span_of, whole_or_all
from rropt.cli.command import Command, OneOf, Option
from rropt.cli.design_family import give_family
from rropt.cli.design_results import give_solution
from rropt.cli.level_curves import give_every_level, refuse_beside_span
from rropt.cli.output import print_note
from rropt.cli.pending import check_bound_file
from rropt.core.errors import InvalidParameterError, refuse_given, shown

if TYPE_CHECKING:
    from rropt.designs.problem import Problem
    from rropt.objectives import Objective
    from rropt.privacy.level_arguments import Level

COMMAND = Command(
    """\
Find the best mechanism for k categories at a privacy level, with a certificate. The
objective (--objective) defines what is best:

  trace                 the largest probability of a true response, weighted by category
  loss                  the smallest expected loss
  a-, d-, e-optimal     the most precise estimate of all proportions: total variance,
                        volume or longest axis of the confidence ellipsoid
  c-optimal             the most precise estimate of one contrast
  mutual-information    the most information about the true category
  total-variation, chi-square, other divergences: distinguish two distributions best
  payoff                the largest value for a decision that follows the response

Trace and loss also take a level for each pair of categories, (epsilon, delta), and bounds
on single entries. If no private mechanism meets the bounds, a certificate proves this and
the command prints the level that they need (exit status 1). The other objectives allow
any number of outputs (--outputs any). With at most M outputs, a- and c-optimal designs
are proved optimal for up to three categories and outputs; otherwise the bracket says how
far from optimal the design may be.

If the proportions are given as ranges (--proportions 1/2..3/4,...), the design is minimax
over all such distributions, with one unbiased estimator for all of them. The command prints
the least favourable distribution. For any other polytope use "design problem".

For every level at once (--epsilon all, --epsilon 1/2..3 or --gamma 2..10), a loss, trace,
payoff or total variation is printed as an exact function of gamma = exp(epsilon): pieces,
their designs and the breakpoints between them, with one certificate. Weighted traces with
--delta, and A-, D- and E-optimality at equal proportions, are closed forms with a certificate.

With a criterion whose B(h) is irrational, "lower" and "upper" enclose the optimum at B(h);
--certificate FILE.json writes the certificate of "lower" to FILE-bound.json.""",
    epilog="""\
examples:
  rropt design kary -k 5 --epsilon 1 --objective trace
  rropt design kary --proportions 1/2,1/3,1/6 --gamma 3 --objective loss:zero-one
  rropt design kary --proportions 1/2,1/5,1/10,1/10,1/10 --gamma 3 --objective loss:squared --outputs any
  rropt design kary --proportions 1/2,1/4,1/4 --epsilon all --objective loss:absolute
  rropt design kary -k all --epsilon all --objective loss:zero-one
  rropt design kary --proportions 1/2,1/4,1/4 --gamma 2..10 --objective loss:absolute --at-most 2/5
  rropt design kary --proportions 1/2,1/3,1/6 --epsilon 1 --objective a-optimal --outputs any
  rropt design kary --proportions 1/2,1/3,1/6 --epsilon 1 --objective c-optimal:1,-1,0
  rropt design kary --proportions 1/2..3/4,0..1/2,1/10 --epsilon 1 --objective a-optimal
  rropt design kary --proportions 1/2,1/3,1/6 --epsilon 1 --objective c-optimal:0,1,2 --outputs 2
  rropt design kary --proportions 1/2,1/2 --epsilon 3 --objective a-optimal --outputs 2 --bounds 1/10..1
  rropt design kary --proportions 1/2,1/3,1/6 --epsilon 1 --objective d-optimal
  rropt design kary -k 128 --epsilon 1 --objective a-optimal
  rropt design kary -k 1000000 --epsilon 1 --objective a-optimal --outputs 2^26
  rropt design kary -k 1000000 --epsilon 1 --objective trace:10x1/20,999990x1/1999980
  rropt design kary --proportions 1/2,1/3,1/6 --epsilon 1 --objective mutual-information
  rropt design kary --proportions 1/2,1/3,1/6 --epsilon 1 --objective chi-square:1/3,1/3,1/3
  rropt design kary --proportions 1/2,1/3,1/6 --epsilon 1 --objective hellinger:1/3,1/3,1/3
  rropt design kary -k 60 --level line:1 --objective loss:absolute
  rropt design kary --proportions 1/2,1/3,1/6 --level 1,1/10 --level 2,1/100 --objective a-optimal
  rropt design kary --proportions 1/2,1/3,1/6 --level renyi:2,1/2 --objective a-optimal
  rropt design kary --proportions 3/4,1/4 --level zcdp:1/2 --objective mutual-information
  rropt design kary --proportions 1/2,1/3,1/6 --level gdp:1 --objective total-variation:1/3,1/3,1/3
  rropt design kary -k 6 --level grid:2x3:1 --objective mutual-information
  rropt design kary --proportions 1/2,1/3,1/6 --level levels.json --objective e-optimal
  rropt design kary -k 3 --epsilon 1 --objective trace --bounds bounds.json
levels.json: {"levels": [{"epsilon": "1", "delta": "1/10"}, {"epsilon": "log(2)", "pairs": [[0, 1], [1, 0]]}]}
bounds.json: {"diagonal": "1/2", "forbidden": [[0, 2]], "entries": [{"output": 0, "input": 1, "most": "1/5"}]}
  (outputs and inputs count from 0; CSV: output,input,least,most)""",
    arguments=(
        OneOf(
            (
                Option(
                    "-k",
                    "K",
                    help=(
                        "number of categories with equal proportions; all: the theorem for every k, with --epsilon all "
                        "and the objective loss:zero-one (other families: rropt design family)"
                    ),
                    type=whole_or_all(2, 10000000),
                ),
                Option(
                    "--proportions",
                    "P1,..,PK",
                    help=(
                        "proportions of the categories, for a loss or an estimate: exact numbers that sum to 1. "
                        "For a-optimal and c-optimal also ranges LOW..HIGH, for the worst case over all such "
                        "distributions; 10x1/20 means ten times 1/20, for the loss zero-one also above 300 "
                        "categories"
                    ),
                    type=items,
                ),
            ),
            required=True,
        ),
        *options.REQUIRED_LEVEL,
        options.DELTA,
        Option(
            "--objective",
            "NAME[:..]",
            help=(
                "what is best: trace, or trace:W1,..,WK (a weight of each category; 10x1/20 means ten times 1/20), "
                "a-optimal, c-optimal:C1,..,CK (a linear combination of the proportions), contrasts:C1,..,CK;.. "
                "(several), d-optimal, e-optimal, mutual-information; total-variation:Q1,..,QK, chi-square, "
                "kullback-leibler, hellinger or jensen-shannon so (the proportions of the other distribution), "
                "alpha-divergence:R:Q1,..,QK (the order R, 1/2 or 2); loss:NAME (zero-one, absolute, squared) or "
                "loss:FILE (a matrix; rows: outputs, columns: true categories); payoff, or payoff:FILE (rows: "
                "decisions, columns: true categories; default: guess the truth). loss:squared with --outputs any: the "
                "loss of posterior means"
            ),
            required=True,
        ),
        Option(
            "--outputs",
            "M",
            help=(
                "any: unrestricted output alphabet (the default of all objectives but trace and loss); for "
                "a-optimal and c-optimal also the largest number of outputs. 2^B, with -k: responses of at most B "
                "bits, by the best family of designs that are given by formulas (always used above 300 categories; "
                "for d-optimal, e-optimal and mutual-information above 10)"
            ),
        ),
        options.BOUNDS,
        *options.LEVEL_CURVE,
        options.EFFORT,
        options.FOR,
        options.ROUTES,
        options.FAST,
        options.CERTIFICATE,
        options.DERIVATION,
        *options.DESIGN_FILES,
        *options.REPORTS,
    ),
)


_LONG_WORK = 900  # entries from which a remark reports the progress; smaller problems take at most a second or two


def run(args: argparse.Namespace) -> int:
    """Find the optimal design, print it, and write the certificate."""
    args.spelled |= dict.fromkeys(("against", "contrast", "weights"), "--objective")
    from rropt.core.certificates.record import budget_allowed
    from rropt.designs.decoded_designs import DecodedLoss
    from rropt.objectives import Loss
    from rropt.privacy import span as every

    if args.k == "all":
        return _give_every_size(args)
    span = span_of(args)
    if span is not None:
        refuse_beside_span(args, "bounds")
        args.criterion = None
        level = every(span, args.delta)
        return give_every_level(args, lambda: _problem(args, level), args.at_most)
    args.criterion = None
    if (stated := level_of_specs(args)) is None or stated.criterion is not None:
        read_level(args)
    with budget_allowed(args.effort):
        check_bound_file(args)
        problem = _problem(args, level_of(args, args.epsilon))
        entries = problem.region.inputs * problem.region.outputs
        if entries >= _LONG_WORK and not problem.is_uniform:
            print_note(f"solving {problem}: {entries} entries, by every route that accepts it")
        wanted = _objective(args)
        is_decoded = isinstance(wanted, Loss) and wanted.name == "squared" and args.outputs == "any"
        decoded = DecodedLoss.of if is_decoded else None
        return give_solution(args, lambda above: _problem(args, level_of(args, above)) if above else problem, decoded)


# the objectives of ``design kary -k all``, with the names of their families
_OBJECTIVES = {"loss:zero-one": "zero-one"}
_ALLOWED = {"k", "epsilon", "gamma", "objective", "fast", "certificate", "plot", "json"}


def _give_every_size(args: argparse.Namespace) -> int:
    """Answer ``design kary -k all``: the theorem for every number of categories of equal proportions."""
    from rropt.designs.problem_families.family import family

    if args.objective not in _OBJECTIVES:
        raise InvalidParameterError(
            f"-k all has no such --objective: received {shown(args.objective)}; allowed is {', '.join(_OBJECTIVES)}; "
            "for another family write a file for rropt design family"
        )
    if "all" not in (args.epsilon, args.gamma):
        raise InvalidParameterError("-k all is about every level: write --epsilon all, or give one k")
    refuse_given(args.typed - _ALLOWED, "-k all takes no such argument", *sorted(args.spelled))
    give_family(args, family(_OBJECTIVES[args.objective], fast=args.fast))
    return 0


def _problem(args: argparse.Namespace, level: Level) -> Problem:
    """Return the problem of the arguments at a level."""
    from rropt.designs.problem import Problem

    own: dict[str, Any] = {"objective": _objective(args), "outputs": args.outputs, "bounds": args.bounds}
    return Problem.kary(args.k, level=level, population=args.proportions, **own)


def _objective(args: argparse.Namespace) -> Objective:
    """Return the objective of --objective with its parameters, of which a matrix is in a file."""
    from rropt.objectives import Loss, Payoff, objective_of_text
    from rropt.objectives.expected_loss import LOSSES
    from rropt.privacy.region_files import load_matrix

    name, mark, rest = args.objective.partition(":")
    kinds = {"loss": (Loss, "loss file"), "payoff": (Payoff, "file of payoffs")}
    if mark and name in kinds and (rest not in LOSSES or os.path.exists(rest)):  # noqa: PTH110  # see region_files
        args.pending.reads("--objective", rest)
        kind, what = kinds[name]
        made: Objective = kind(load_matrix(rest, what=what))
        return made
    return objective_of_text(args.objective)
