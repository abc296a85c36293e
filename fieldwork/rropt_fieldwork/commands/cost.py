"""``rropt cost``: what designs of the literature cost at one privacy level, in precision and in practice."""

from __future__ import annotations

import argparse

from rropt.cli import options
from rropt.cli.arguments import call_library, read_level, read_standard_error, require_taken, whole
from rropt.cli.command import Command, Flag, OneOf, Option
from rropt.cli.output import print_result
from rropt.cli.pending import OutputFile, put_certificates, put_plot

COMMAND = Command(
    """\
Compare what the designs of the literature cost at one privacy level, beside the certified
optimum: respondents, and for k categories also bits and clients. Each design gets rational
parameters that keep the level exactly.

-k K: k categories with equal proportions. The designs are k-ary randomized response (grr),
subset selection, symmetric and optimized unary encoding (sue, oue), optimized local hashing
(olh), Hadamard response, projective geometry response (pgr), and the best affine design. n tr
Cov is n times the sum of the variances of the k proportions: by the design's own estimator,
which is linear, and by maximum likelihood (ML), for many respondents. Both are exact.
Efficiency is the optimum divided by it. Bits are those of one report, and the client is the
program that `rropt export` writes, in bytes. The names, such as grr:12,epsilon=3/2, are
mechanisms that every command reads.

--prevalence PI: a yes-or-no question. The designs are Warner, the unrelated question (Simmons),
forced response, crosswise, Kuk, Mangat, Christofides, improved Christofides (a deck sampled
without replacement), and Laplace noise on the count by a curator. The table shows epsilon under
four threat models: one response, all responses with names, their sum, and all responses seen by
an adversary who believes that each other respondent has the trait with probability Q. n Var is
exact. The efficiency is n Var of the optimum divided by n Var of the design. The last line is a
lower bound for every unbiased estimator from independent responses that keep epsilon.""",
    epilog="""\
examples: twelve categories; with the respondents for a margin of each proportion
  rropt cost -k 12 --epsilon 1.5
  rropt cost -k 12 --epsilon 1.5 --margin 0.05
per respondent; the health insurance of a whole country; respondents for a standard error
  rropt cost --gamma 9 --prevalence 1/10
  rropt cost --epsilon 1/20 --prevalence 0.0778 --n 3252599 --population 3252599
  rropt cost --epsilon 1 --prevalence 1/10 --n 500 --population 9000 --se 0.02
a picture for epsilon from 1/10 to 3
  rropt cost --epsilon 1 --prevalence 1/10 --n 99 --population 99 --plot all.svg""",
    arguments=(
        OneOf(
            (
                Option("-k", "K", help="number of categories with equal proportions", type=whole(2, 10**5)),
                options.PREVALENCE,
            ),
            required=True,
        ),
        *options.REQUIRED_ONE_LEVEL,
        Option(
            "--delta", "D", help="delta in [0, 1], with --epsilon or --gamma (default: 0)", goes_with="--prevalence"
        ),
        OneOf(
            (
                Option(
                    "--se",
                    "S",
                    help="print the number of respondents for this standard error, or for sqrt(V) of a variance V",
                    dest="standard_error",
                ),
                Option("--margin", "H", help="the same for this half-width of the normal interval"),
            )
        ),
        Option("--confidence", "C", help="confidence level of that interval (default: 0.95)", goes_with="--margin"),
        Option(
            "--language",
            "NAME",
            help="language of the clients: c, javascript or python (default: javascript)",
            goes_with="-k",
        ),
        Option(
            "--n",
            "N",
            help="number of respondents; a dealt deck has one card for each",
            type=whole(1),
            dest="respondents",
            goes_with="--prevalence",
        ),
        Option(
            "--population",
            "N",
            help="size of the population that is sampled without replacement; that of --n for a census",
            type=whole(1),
            goes_with="--prevalence",
        ),
        Option(
            "--belief",
            "Q",
            help="probability of the trait that the adversary assumes for each other respondent (default: PI)",
            goes_with="--prevalence",
        ),
        Option(
            "--other",
            "B",
            help="probability of yes to the unrelated question (default: 1/2)",
            goes_with="--prevalence",
        ),
        Flag("--direct", help="with --prevalence: include a direct question"),
        Option(
            "--cards-drawn",
            "R",
            help="number of cards that each respondent draws in Kuk's design (default: 1)",
            type=whole(1, 20),
            goes_with="--prevalence",
        ),
        Option(
            "--plot",
            "FILE",
            help="write a picture of n Var against epsilon: FILE.svg, FILE.png or FILE.pdf",
            type=OutputFile,
            goes_with="--prevalence",
        ),
        Option("--certificate", "FILE", help="write the certificate of the optimum", type=OutputFile),
        options.EXACT,
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Compare the designs, print the comparison, and write the picture and the certificate."""
    read_standard_error(args, "standard_error")
    return _categories(args) if args.k is not None else _question(args)


def _categories(args: argparse.Namespace) -> int:
    """Compare designs for k categories."""
    from rropt_fieldwork.costs.kary_designs import compare_kary_designs

    require_taken(args, "cost -k", compare_kary_designs, beside="k certificate")
    read_level(args)
    found = call_library(compare_kary_designs, args)
    put_certificates(args, found)
    print_result(args, found)
    return 0


def _question(args: argparse.Namespace) -> int:
    """Compare designs for a yes-or-no question."""
    from rropt_fieldwork.costs.cost_pictures import comparison_picture
    from rropt_fieldwork.costs.equal_privacy import DesignComparison, compare_designs

    functions = compare_designs, DesignComparison.for_goal, comparison_picture
    require_taken(args, "cost --prevalence", *functions, beside="plot certificate")
    read_level(args)
    put_plot(args, lambda: call_library(comparison_picture, args), size="wide")
    found = call_library(compare_designs, args)
    if not args.typed.isdisjoint(("variance", "standard_error", "margin")):
        found = call_library(found.for_goal, args)
    put_certificates(args, found)
    print_result(args, found)
    return 0
