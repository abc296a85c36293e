"""``rropt plan``: how many respondents a margin, a power or a variance needs, and what a number of them achieves."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rropt.cli import options
from rropt.cli.arguments import call_library, items, pair, people, read_level, require_taken, respondents, whole, wholes
from rropt.cli.command import Command, Flag, OneOf, Option
from rropt.cli.output import print_note, print_result, record
from rropt.cli.pending import InputFile, put_derivation
from rropt.cli.readers import table_reader
from rropt.core.errors import InvalidParameterError, refuse_given, shown
from rropt.core.exact.numbers import split_list

if TYPE_CHECKING:
    from rropt.mechanisms import Mechanism

COMMAND = Command(
    """\
Find the smallest number of respondents for a margin, for the power of a test, or for a
variance. With --n instead, print what that number achieves. Give a mechanism, or a privacy
level (--epsilon, --gamma, --rho, --beta, --upper): then the certified optimal design at
the guessed prevalence is used.

--minimax prints the minimax risk: the smallest worst-case mean squared error of a prevalence
from N responses, over all mechanisms at a level (including adaptive ones) and all estimators
(including biased ones); the worst case is over all prevalences. The command prints a bracket
that is computed exactly, an estimator that attains it from randomized response (with --delta
from the four-output mechanism: certainly no, no, yes, certainly yes), and the ratio for the
best unbiased estimator. --json has the estimator. Without --delta the estimate from y
responses "yes" is the exact number estimator[0][y]. With --delta it is
estimator[a (a + 1)/2 + c][y], where a counts the certain responses, c those of them that are
"yes", and y the uncertain "yes". Without randomization the value is 1/(4 (1 + sqrt n)^2)
(Hodges and Lehmann 1950).""",
    epilog="""\
examples:
  rropt plan --minimax --epsilon "log(5)" --n 20
  rropt plan --minimax --epsilon 1 --delta 1/100 --n 15
  rropt plan --mechanism forced:2/3,1/6,1/6 --margin 0.05 --prevalence 1/4
  rropt plan --epsilon "log(3)" --prevalence 1/10 --power 0.9 --null 0 --significance 0.01
  rropt plan --rho 1/5 1/2 --prevalence 1/10 --margin 0.05
  rropt plan --mechanism kuk:4/5,1/5,2 --prevalence 1/10 --power 0.9
  rropt plan --mechanism grr:3,1/2 --contrast 1,-1,0 --proportions 1/2,1/4,1/4 --margin 0.05
  rropt plan --mechanism bits:3/4*10 --only 0,3 --standard-error 0.01
  rropt plan --mechanism warner:3/4 --population 10000 --prevalence 1/10 --margin 0.05
  rropt plan --epsilon 1/20 --middle 1/100 --surveyed --prevalence 1/10 --variance 1/10
  rropt plan --mechanism warner:3/4 --groups 0.1,0.5 --power 0.8
  rropt plan --mechanism warner:3/4 --groups 0.1,0.2 --margin 0.05 --regions 16 --response-rate 60%
  rropt plan --mechanism warner:3/4 --margin 0.05 --cluster-size 20 --intraclass-correlation 0.05
  rropt plan --mechanism warner:3/4 --strata-shares 0.9:0.1,0.1:0.5 --n 1000
The margin is the half-width of the interval, before it is cut to [0, 1], at the expected
responses for the prevalence; without --prevalence, at the worst prevalence. For several
questions the least precise cell counts, at the worst distribution unless --proportions are given.""",
    arguments=(
        Option(
            "question",
            "QUESTION",
            help="a question that survey.toml declares (rropt survey), with its device or its promised level",
            nargs="?",
        ),
        Option(
            "--survey", "FILE", help="declaration of the survey (default: survey.toml, with QUESTION)", type=InputFile
        ),
        Option("--device", "NAME", help="of several devices, the name of one"),
        OneOf(
            (
                options.MECHANISM,
                *options.LEVELS,
            )
        ),
        options.TRANSPOSED_MECHANISM,
        options.LOWER,
        options.DELTA,
        Option("--prevalence", "PI", help="assumed prevalence, in [0, 1]; for --power the true prevalence"),
        OneOf(
            (
                Option("--margin", "H", help="goal: margin of error of the prevalence, for example 0.03"),
                Option("--power", "B", help="goal: power of the test of --null against --prevalence"),
                Option("--variance", "V", help="goal: variance of the unbiased estimate"),
                Option("--standard-error", "S", help="goal: standard error of the unbiased estimate"),
            )
        ),
        Option(
            "--n",
            "N",
            help=(
                "print what N respondents achieve. For several questions, with --standard-error or --variance: "
                "the largest k for which every marginal of k questions reaches the goal"
            ),
            type=respondents,
        ),
        Option(
            "--only",
            "Q1,Q2,..",
            help=(
                "for several questions (bits:..., counted from 0): plan for the joint marginal of these (default: all)"
            ),
            type=wholes(0),
        ),
        Option("--marginals", "K", help="for several questions: plan for every marginal of K questions", type=whole(1)),
        Option(
            "--proportions",
            "P",
            help=(
                "for several questions: uniform, or the proportion of each combination of responses, P0,P1,.., "
                "where the first question varies fastest (default: the worst case)"
            ),
        ),
        Option(
            "--population",
            "N[,N]",
            help=(
                "the size N of a finite population that is sampled without replacement; with --groups, of each group, "
                "or one for each; with --regions, of each region; with --strata-shares, of all strata"
            ),
            type=people,
        ),
        Option(
            "--contrast",
            "C1,..,CK",
            help=(
                "plan for this linear combination of the proportions of one question, at --proportions P1,..,PK "
                "or in the worst case"
            ),
            type=items,
        ),
        Option(
            "--design-effect",
            "D",
            help="design effect of the estimate (as rropt estimate prints it): D times the respondents are needed",
        ),
        Option("--cluster-size", "M", help="mean number of respondents in a cluster: the clusters are counted"),
        Option(
            "--intraclass-correlation",
            "RHO",
            help=(
                "of the true answers within clusters (with --cluster-size): the design effect of the estimate "
                "follows; without a randomizing device it is 1 + (M - 1) RHO"
            ),
            goes_with="--cluster-size",
        ),
        Option(
            "--response-rate", "R", help="proportion of selected people who respond: the people to select are counted"
        ),
        Option(
            "--regions",
            "K",
            help="number of regions, each with a sample and an estimate of its own that reach the goal",
            type=whole(1),
        ),
        Flag(
            "--simultaneous",
            help="intervals and tests hold for all regions at once, of two groups for all pairs of them (Bonferroni)",
            goes_with="--regions",
        ),
        Flag("--surveyed", help="with --variance or --standard-error: the survey is a census"),
        Flag("--cards-without-replacement", help="for christofides: one deck is dealt to all respondents"),
        Option(
            "--middle",
            "P2",
            help=(
                "with a privacy level: find the smallest deck of cards 1, 2, 3 with this proportion of cards 2 "
                "that is dealt to all"
            ),
        ),
        Option(
            "--groups",
            "P1,P2",
            help=(
                "assumed prevalences of two groups, such as two regions: find the respondents of each group for "
                "--power of the test of their difference, or for --margin of the difference"
            ),
            type=pair,
        ),
        Option(
            "--strata-shares",
            "W:P,..",
            help=(
                "strata with population proportions W and assumed prevalences P: find the best allocation of --n, "
                "or the smallest sample for --margin, --variance or --standard-error"
            ),
            type=items,
        ),
        Option("--confidence", "C", help="confidence level of the interval (default: 0.95)"),
        Option(
            "--interval",
            "KIND",
            help=(
                "normal, wilson, chebyshev or exact (default: exact). Chebyshev and exact intervals have "
                "guaranteed coverage. For several questions: normal or hoeffding (default: hoeffding, which has "
                "guaranteed coverage), simultaneous for all cells"
            ),
        ),
        Option(
            "--null",
            "PI0",
            help="prevalence, or value of the contrast, under the null hypothesis (default for --power: 0)",
        ),
        Option("--significance", "A", help="significance level of the test (default: 0.05)"),
        Option("--sided", help="one-sided or two-sided test (default: one)", choices=("one", "two")),
        Option(
            "--test",
            help="kind of test (default: exact; normal for a contrast or more than two outputs)",
            choices=("exact", "normal"),
        ),
        Flag(
            "--fast",
            help="do not compare the allocation with the same problem in SymPy and CVXPY",
            goes_with="--strata-shares",
        ),
        replace(
            options.DERIVATION,
            help=(
                "write the proof of the allocation as half a page to FILE.md or FILE.tex; other plans search a number "
                "of respondents, without one"
            ),
            goes_with="--strata-shares",
        ),
        Flag("--direct", help="also print the respondents that a direct question needs for the same goal"),
        Flag(
            "--minimax",
            help="print the minimax risk of --n respondents at a level (n up to 300; with --delta up to 40)",
            goes_with="--n",
        ),
        options.EXACT,
        options.JSON,
    ),
)


# respondents from which the search of the minimax risk takes seconds and reports progress; with delta, a quarter of it
_LONG = 100


def run(args: argparse.Namespace) -> int:
    """Compute the requested plan and print it."""
    from rropt.plans.plan_choices import plan

    read_level(args)
    _declare(args)
    if args.mechanism is None and args.epsilon is None:
        raise InvalidParameterError("a plan has neither a mechanism nor a level: give --mechanism M or --epsilon E")
    if args.minimax:
        return _minimax(args)
    is_special = args.surveyed or args.cards_without_replacement or args.population is not None
    if (args.groups, args.strata_shares) != (None, None):
        refuse_given(args.typed, "two groups, and strata, have a prevalence each", "proportions")
        is_special = True
    if not is_special:  # in Python ``population`` is the size N or the proportions
        args.spelled["population"] = "--proportions"
    if args.mechanism is None and not is_special and (args.middle, args.groups, args.strata_shares) == (None,) * 3:
        return _plan_optimal(args)
    if isinstance(args.population, list) and args.groups is None:
        raise InvalidParameterError(
            f"two populations are of two groups: received {shown(args.population)} without --groups; give one N"
        )
    if args.population is not None and args.proportions is not None:
        raise InvalidParameterError("--population and --proportions are plans of their own: give one of the two")
    population = _shares(args) if args.population is None else args.population
    found = call_library(plan, args, population=population, strata=args.strata_shares)
    put_derivation(args, found)
    if type(found).__name__ == "MechanismPlan":
        _print(args, found, args.mechanism)
    else:
        refuse_given(args.typed, "--direct is for one question that everybody is asked", "direct")
        print_result(args, found, title=_TITLES.get(type(found).__name__, "Plan of groups"))
    return 0


_TITLES = {
    "SurveyPlan": "Plan for a finite population",
    "MeanPlan": "Plan for the mean of a number",
    "RandomQuestionsPlan": "Plan for random questions",
}


def _declare(args: argparse.Namespace) -> None:
    """Fill in the device of the question that is named, or the promised level if no device is declared."""
    from rropt.core.exact import Delta, Epsilon

    asked = table_reader().declared_question(args, args.question)
    if asked is None:
        refuse_given(args.typed, "--device names a device of a declared question", "device")
        if args.question is not None:
            raise InvalidParameterError(
                f"no survey declares {shown(args.question)}: there is no survey.toml; give a mechanism by --mechanism, "
                "or write a declaration with rropt survey init"
            )
        return
    survey, name = asked
    record(column=name, survey=survey.described(name))
    if not args.surveyed and not args.cards_without_replacement and args.middle is None:
        for key, value in survey.planned_sample(name, args.typed).items():
            setattr(args, key, value)
        if left := survey.not_planned(name, args.typed):
            print_note(f"rropt: {left}")
    if args.mechanism is not None or args.epsilon is not None:
        print_note("rropt: the mechanism or level is given, and comes before what the survey declares")
        if args.mechanism is not None:
            survey.arguments(name, mechanism=args.mechanism)  # raises an error above the promised level
        return
    level = survey.level_to_plan(name, args.device)
    if level is None:
        args.mechanism = survey.one_mechanism(name, args.device)
    else:
        args.epsilon, args.delta = Epsilon.of(level[0]), Delta.of(level[1])


def _minimax(args: argparse.Namespace) -> int:
    """Find the minimax risk, and print it."""
    from rropt.designs.minimax_risk import minimax_risk

    require_taken(args, "plan --minimax", minimax_risk, beside="minimax")
    is_long = args.n >= (_LONG // 4 if args.delta.rational != 0 else _LONG)
    progress = (lambda text: print_note(f"rropt: {text}")) if is_long else None
    found = call_library(minimax_risk, args, progress=progress)
    print_result(args, found, title="The best worst case")
    return 0


def _print(args: argparse.Namespace, found: Any, mechanism: Mechanism, *tables: Any, **beside: Any) -> None:
    """Print a plan with further tables, the plan of a direct question first if it is requested."""
    from rropt.mechanisms import Mechanism, ProductMechanism
    from rropt.mechanisms.question_selection import product_of
    from rropt.plans.goals import plan_answers

    if args.direct:
        sizes = [range(question.inputs) for question in product_of(mechanism).factors]
        each = [Mechanism([[int(i == j) for j in own] for i in own]) for own in sizes]
        plain = (each[0] if len(each) == 1 else ProductMechanism(each)).named("direct question")
        direct = call_library(plan_answers, args, mechanism=plain, population=_shares(args))
        beside["direct"] = direct.to_dict()
        lines = [line for line in direct.lines() if line[0] != "mechanism"]
        tables = ("Direct question, if nobody lies", None, lines), *tables
    print_result(args, found, title="Plan", tables=tables, **beside)


def _shares(args: argparse.Namespace) -> list[str] | str | None:
    """Return the proportions of ``--proportions``."""
    is_word = args.proportions is None or args.proportions.strip().lower() == "uniform"
    return args.proportions if is_word else split_list(args.proportions)


def _plan_optimal(args: argparse.Namespace) -> int:
    """Plan for the certified optimal design at the level."""
    from rropt.plans.goals import plan_answers
    from rropt.plans.plan_choices import optimal_design

    solution = call_library(optimal_design, args)
    found = call_library(
        plan_answers, args, mechanism=solution.mechanism.named("optimal design"), population=_shares(args)
    )
    proof = str(solution.proof.check())
    level = f"epsilon = {args.epsilon}, delta = {args.delta}"
    design = {"level": level, **solution.bracket.written(), "certificate": proof}
    lines = [*solution.lines(), ("proof", f"certificate {proof}")]
    _print(args, found, solution.mechanism, ("Optimal design", None, lines), design=design)
    return 0
