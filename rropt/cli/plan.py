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

from rropt.cli.arguments import call
from rropt.cli.output import print_result, print_table
from rropt.cli.plan_populations import POPULATIONS, is_finite, plan_finite, plan_groups
from rropt.errors import InvalidParameterError
from rropt.exact.written import listed

OPTIONS = f"""
--mechanism required
| LEVEL
--delta
--prevalence PI           guess of the prevalence, in [0, 1]; for a power the true
--margin H                goal: a margin of the prevalence, such as 0.03
| --power B               goal: the power of a test of --null against --prevalence
| --variance V            goal: the variance of the unbiased estimate
| --standard-error S      goal: its square root
--n N:1..                 no goal: what N answers achieve; of several questions, beside --standard-error or --variance:
    the largest k such that N respondents give it to every marginal of k questions
--questions Q1,Q2,..:0..  of several questions (bits:..., counted from 0): plan for the joint marginal of these
    (default: all)
--marginals K:1..         or for every marginal of K questions
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


def run(args: argparse.Namespace) -> int:
    """Plan and print."""
    from rropt.estimation import plan_answers
    from rropt.exact import Delta

    if args.groups is not None or args.strata is not None:
        return plan_groups(args)
    if is_finite(args):
        return plan_finite(args)
    if args.population is not None and args.population.strip().lower() != "uniform":
        args.population = listed(args.population)
    if args.mechanism is None:
        return _plan_optimal(args)
    if args.delta != Delta.of(0):
        raise InvalidParameterError("--delta belongs to a privacy level: a mechanism has its own privacy")
    print_result(args, call(plan_answers, args), title="Plan")
    return 0


def _plan_optimal(args: argparse.Namespace) -> int:
    """Plan for the certified optimal design at the level."""
    from rropt.estimation import plan_answers
    from rropt.problem import binary_problem
    from rropt.solvers import solve

    if args.prevalence is None:
        raise InvalidParameterError(
            "the optimal design of a level depends on the prevalence: give --prevalence PI, or a --mechanism"
        )
    solution = solve(binary_problem(epsilon=args.epsilon, delta=args.delta, prevalence=args.prevalence))
    found = call(plan_answers, args, mechanism=solution.mechanism.named("optimal design"))
    proof = str(solution.certificate.check())
    if not args.json:
        print_table([*solution.lines(), ("proof", f"certificate {proof}")], title="Optimal design")
    level = f"epsilon = {args.epsilon}, delta = {args.delta}"
    design = {"level": level, **solution.written(), "certificate": proof}
    print_result(args, found, title="Plan", design=design)
    return 0
