"""``rropt plan``: how many answers a margin, a power or a variance needs, and what a number of answers achieves.

The least number of answers for a margin at a confidence, for the power of a test,
or for a variance; with --n instead, what that number achieves. For a mechanism, or
for the certified optimal design of a privacy level (--epsilon, --gamma, or a criterion:
--rho, --beta, --upper) at the guessed prevalence.

examples:
  rropt plan --mechanism forced:2/3,1/6,1/6 --margin 0.05 --prevalence 1/4
  rropt plan --epsilon "log(3)" --prevalence 1/10 --power 0.9 --null 0 --significance 0.01
  rropt plan --rho 1/5 1/2 --prevalence 1/10 --margin 0.05
  rropt plan --mechanism kuk:4/5,1/5,2 --prevalence 1/10 --power 0.9
  rropt plan --mechanism grr:3,1/2 --contrast 1,-1,0 --population 1/2,1/4,1/4 --margin 0.05
  rropt plan --mechanism bits:3/4*10 --questions 0,3 --standard-error 0.01
  rropt plan --mechanism warner:3/4 --population 10000 --prevalence 1/10 --standard-error 0.02
  rropt plan --epsilon 1/20 --middle 1/100 --surveyed --prevalence 1/10 --variance 1/10
  rropt plan --mechanism warner:3/4 --groups 0.1,0.5 --power 0.8
  rropt plan --mechanism warner:3/4 --strata 0.9:0.1,0.1:0.5 --n 1000
A margin is half the width of the interval, before [0, 1] cuts it, when the answers come in
as the prevalence makes expected; without --prevalence, at the worst prevalence. Of several
questions the least precise cell counts, at the worst population unless --population is given.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import read_criterion_level, read_level, read_mechanism, whole_number
from rropt.cli.options import declare
from rropt.cli.output import print_result, print_table
from rropt.cli.plan_populations import POPULATIONS, is_finite, plan_finite, plan_groups
from rropt.errors import InvalidParameterError
from rropt.exact.written import listed

if TYPE_CHECKING:
    from rropt.solvers import Solution

_OPTIONS = f"""
--mechanism required
| --epsilon
| --gamma
| --rho
| --beta
| --upper
--lower
--delta
--prevalence PI           guess of the prevalence, in [0, 1]; for a power the true
--margin H                goal: a margin of the prevalence, such as 0.03
| --power B               goal: the power of a test of --null against --prevalence
| --variance V            goal: the variance of the unbiased estimate
| --standard-error S      goal: its square root
--n N                     no goal: what N answers achieve; of several questions, beside --standard-error or --variance:
    the largest k such that N respondents give it to every marginal of k questions
--questions A,B,..        of several questions (bits:..., counted from 0): plan for the joint marginal of these
    (default: all)
--marginals K             or for every marginal of K questions
--population P            of several questions: uniform, or the share of each combination of answers to those named,
    P0,P1,.. with the first question varying fastest (default: the worst population); of one question: N, the size of a
    finite population of which a sample without replacement is asked
--contrast C1,..,CK       plan for this linear functional of the shares of one question, at --population P1,..,PK or the
    worst
{POPULATIONS.strip()}
--confidence C            of the interval (default: 0.95)
--interval KIND           normal, wilson, chebyshev or exact (default: exact; the last two have a guarantee); of several
    questions normal or hoeffding (default: hoeffding, which has one), for all cells at once
--null PI0                the prevalence, or the value of the contrast, that is tested (default for --power: 0)
--significance A          of the test (default: 0.05)
--sided one|two           sides of the test (default: one)
--test exact|normal       kind of test (default: exact; of more answers than two, or a contrast, normal)
--json
"""


def add(plan: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    declare(plan, __doc__, _OPTIONS, run=run)


# What a plan for any mechanism takes, and how the text of an option is read; all else is read by the library.
_TAKEN: tuple[str, ...] = ("margin", "power", "variance", "standard_error", "n", "prevalence", "population", "contrast")
_TAKEN += ("questions", "marginals", "confidence", "interval", "null", "significance", "sided", "test")
_READ: dict[str, Callable[[str], Any]] = {
    "n": lambda text: whole_number(text, "n", 1),
    "marginals": lambda text: whole_number(text, "--marginals", 1),
    "questions": lambda text: [whole_number(each, "--questions", 0) for each in listed(text)],
    "population": lambda text: text if text.strip().lower() == "uniform" else listed(text),
    "contrast": listed,
}


def run(args: argparse.Namespace) -> int:
    """Plan and print."""
    if args.groups is not None or args.strata is not None:
        return plan_groups(args)
    if is_finite(args):
        return plan_finite(args)
    from rropt.estimation import plan_answers

    solution, level = (None, "") if args.mechanism is not None else _optimal(args)
    if solution is None and (args.delta != "0" or args.lower is not None):
        option = "--lower" if args.delta == "0" else "--delta"
        raise InvalidParameterError(f"{option} belongs to a privacy level: a mechanism has its own privacy")
    given = {name: getattr(args, name) for name in _TAKEN if getattr(args, name) is not None}
    given = {name: _READ[name](text) if name in _READ else text for name, text in given.items()}
    if solution is None:
        print_result(plan_answers(read_mechanism(args.mechanism), **given), title="Plan", json=args.json)
        return 0
    found = plan_answers(solution.mechanism.named("optimal design"), **given)
    proof = str(solution.certificate.check())
    if not args.json:
        print_table([*solution.lines(), ("proof", f"certificate {proof}")], title="Optimal design")
    design = {"level": level, **solution.written(), "certificate": proof}
    print_result(found, title="Plan", json=args.json, criterion=read_criterion_level(args), design=design)
    return 0


def _optimal(args: argparse.Namespace) -> tuple[Solution, str]:
    """Return the certified optimal design at the level, and the level in words."""
    from rropt.problem import binary_problem
    from rropt.solvers import solve

    if args.prevalence is None:
        raise InvalidParameterError(
            "the optimal design of a level depends on the prevalence: give --prevalence PI, or a --mechanism"
        )
    epsilon, delta = read_level(args)
    solution = solve(binary_problem(epsilon=epsilon, delta=delta, prevalence=args.prevalence))
    return solution, f"epsilon = {epsilon}, delta = {delta}"
