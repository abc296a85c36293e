"""``rropt plan``: how many answers a margin, a power or a variance needs, and what a number of answers achieves."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import (
    CRITERION_HELP,
    add_json,
    add_level,
    add_mechanism,
    criterion_record,
    criterion_rows,
    read_level,
    read_mechanism,
    whole_number,
)
from rropt.cli.finite_populations import add_population, is_finite_plan, plan_finite
from rropt.cli.joint_answers import level_record, level_rows
from rropt.cli.output import print_json, print_table
from rropt.cli.plan_groups import add_plan_groups, is_groups_plan, plan_groups
from rropt.errors import InvalidParameterError
from rropt.exact import both_texts
from rropt.exact.written import listed

if TYPE_CHECKING:
    from rropt.mechanisms import Mechanism, ProductMechanism
    from rropt.results import Result

_DESCRIPTION = """\
The least number of answers for a margin at a confidence, for the power of a test,
or for a variance; with --n instead, what that number achieves. For a mechanism, or
for the certified optimal design of a privacy level (--epsilon, --gamma, or a criterion:
--rho, --beta, --upper) at the guessed prevalence."""

_EPILOG = f"""\
{CRITERION_HELP}
examples:
  rropt plan --mechanism forced:2/3,1/6,1/6 --margin 0.05 --prevalence 1/4
  rropt plan --epsilon "log(3)" --prevalence 1/10 --power 0.9 --null 0 --significance 0.01
  rropt plan --rho 1/5 1/2 --prevalence 1/10 --margin 0.05
  rropt plan --mechanism kuk:4/5,1/5,2 --prevalence 1/10 --standard-error 0.02
  rropt plan --mechanism grr:3,1/2 --contrast 1,-1,0 --population 1/2,1/4,1/4 --margin 0.05
  rropt plan --mechanism bits:3/4*10 --questions 0,3 --standard-error 0.01
  rropt plan --mechanism warner:3/4 --population 10000 --prevalence 1/10 --standard-error 0.02
  rropt plan --epsilon 1/20 --middle 1/100 --surveyed --prevalence 1/10 --variance 1/10
  rropt plan --mechanism warner:3/4 --groups 0.1,0.5 --power 0.8
  rropt plan --mechanism warner:3/4 --strata 0.9:0.1,0.1:0.5 --n 1000
A margin is half the width of the interval, before [0, 1] cuts it, when the answers come in
as the prevalence makes expected; without --prevalence, at the worst prevalence. Of several
questions the least precise cell counts, at the worst population unless --population is given."""


def add(plan: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    plan.description, plan.epilog = _DESCRIPTION, _EPILOG
    device = plan.add_mutually_exclusive_group(required=True)
    add_mechanism(device, "--mechanism")
    add_level(plan, among=device)
    plan.add_argument("--prevalence", metavar="PI", help="guess of the prevalence, in [0, 1]; for a power the true")
    goal = plan.add_mutually_exclusive_group()
    goal.add_argument("--margin", metavar="H", help="goal: a margin of the prevalence, such as 0.03")
    goal.add_argument("--power", metavar="B", help="goal: the power of a test of --null against --prevalence")
    goal.add_argument("--variance", metavar="V", help="goal: the variance of the unbiased estimate")
    goal.add_argument("--standard-error", metavar="S", help="goal: its square root")
    plan.add_argument(
        "--n",
        metavar="N",
        help="no goal: what N answers achieve; of several questions, beside --standard-error or --variance: the "
        "largest k such that N respondents give it to every marginal of k questions",
    )
    plan.add_argument(
        "--questions",
        metavar="A,B,..",
        help="of several questions (bits:..., counted from 0): plan for the joint marginal of these (default: all)",
    )
    plan.add_argument("--marginals", metavar="K", help="or for every marginal of K questions")
    plan.add_argument(
        "--population",
        metavar="P",
        help="of several questions: uniform, or the share of each combination of answers to those named, P0,P1,.. with "
        "the first question varying fastest (default: the worst population); of one question: N, the size of a finite "
        "population of which a sample without replacement is asked",
    )
    plan.add_argument(
        "--contrast",
        metavar="C1,..,CK",
        help="plan for this linear functional of the shares of one question, at --population P1,..,PK or the worst",
    )
    add_population(plan)
    add_plan_groups(plan)
    plan.add_argument("--confidence", metavar="C", help="of the interval (default: 0.95)")
    plan.add_argument(
        "--interval",
        metavar="KIND",
        help="normal, wilson, chebyshev or exact (default: exact; the last two have a guarantee); of several questions "
        "normal or hoeffding (default: hoeffding, which has one), for all cells at once",
    )
    plan.add_argument("--null", metavar="PI0", help="the prevalence that is tested (default for --power: 0)")
    plan.add_argument("--significance", metavar="A", help="of the test (default: 0.05)")
    plan.add_argument("--sided", metavar="one|two", help="sides of the test (default: one)")
    plan.add_argument("--test", metavar="exact|normal", help="kind of test (default: exact)")
    add_json(plan)
    plan.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Plan and print."""
    if is_groups_plan(args):
        return plan_groups(args)
    if is_finite_plan(args):
        return plan_finite(args)
    goal, design = _goal(args), None
    if args.mechanism is None:
        mechanism, design = _optimal(args)
        product = None
    else:
        mechanism, product = _asked(args)
    if product is None:
        _settle(args, goal, _ONE, "one question")
        result = _of_one(args, goal, mechanism)
    else:
        _settle(args, goal, _SEVERAL, "several questions, a contrast, or more answers than two")
        result = _of_contrast(args, mechanism) if _is_contrast(args, mechanism) else _of_several(args, goal, product)
    levels = None if product is None or len(product.factors) == 1 else level_record(product)
    if args.json:
        own = {**mechanism.to_dict(), "name": mechanism.name, "epsilon": levels or str(mechanism.epsilon())}
        record = {**_canonical(args), **result.to_dict(), "mechanism": own}
        print_json(record | ({} if design is None else {"design": design, **criterion_record(args)}))
        return 0
    rows = [("mechanism", mechanism.name or "matrix"), ("whole answer", f"epsilon = {both_texts(mechanism.epsilon())}")]
    if levels and product is not None:
        rows += level_rows(product)
    if design is not None:
        from rropt.mechanisms.decimals import probability_texts

        ends = " to ".join(dict.fromkeys(both_texts(Fraction(design[end])) for end in ("lower", "upper")))
        rows = [("optimal design at", design["level"]), *criterion_rows(args)]
        rows += [("p00, p11", ", ".join(probability_texts(mechanism))), ("certified n Var", ends)]
        rows.append(("proof", f"certificate {design['certificate']}"))
    print_table([*rows, *result.lines()], title="Plan")
    return 0


# options by the goal that uses them, and their defaults; --n reports on everything
_ONE: dict[str, dict[str, str | None]] = {
    "margin": {"confidence": "0.95", "interval": "exact"},
    "power": {"null": "0", "significance": "0.05", "sided": "one", "test": "exact"},
    "variance": {},
    "standard_error": {},
}
_ONE["n"] = {**_ONE["margin"], **_ONE["power"], "null": None}
_SEVERAL: dict[str, dict[str, str | None]] = {
    "margin": {"confidence": "0.95", "interval": None},
    "variance": {},
    "standard_error": {},
    "n": {"confidence": "0.95"},
}


def _goal(args: argparse.Namespace) -> str:
    """Return the goal; ``n`` where there is none."""
    given = [name for name in _ONE if getattr(args, name) is not None]
    if not given:
        raise InvalidParameterError(
            "a goal is required: give --margin, --power, --variance or --standard-error, or --n for what N answers "
            "achieve"
        )
    return given[0]


def _settle(args: argparse.Namespace, goal: str, used: dict[str, dict[str, str | None]], whose: str) -> None:
    """Refuse options that the goal does not use, and fill in the defaults of the others."""
    if goal not in used:
        raise InvalidParameterError(
            f"--{goal} belongs to one yes-or-no question with two answers: received {whose}; name it: --questions Q"
        )
    if used is _ONE and goal != "n" and args.n is not None:
        raise InvalidParameterError(
            f"--n says what a number of answers achieves: received it beside the goal --{goal.replace('_', '-')}; give "
            "one of them; both ask for the largest k of several questions, and this mechanism asks one"
        )
    for option in _ONE["n"]:
        if getattr(args, option) is None:
            setattr(args, option, used[goal].get(option))
        elif option not in used[goal]:
            names = ", ".join(f"--{name}" for name in used[goal]) or "none"
            raise InvalidParameterError(
                f"--{option} does not belong to the goal --{goal.replace('_', '-')} of {whose}: leave it out; it uses "
                f"{names}"
            )


def _asked(args: argparse.Namespace) -> tuple[Mechanism, ProductMechanism | None]:
    """Return the mechanism, and all devices unless it is the one of a yes-or-no question with two answers."""
    from rropt.estimation.answers import chosen_questions, product_of

    if args.delta != "0" or args.lower is not None:
        option = "--lower" if args.delta == "0" else "--delta"
        raise InvalidParameterError(f"{option} belongs to a privacy level: a mechanism has its own privacy")
    mechanism = read_mechanism(args.mechanism)
    product = product_of(mechanism)
    if args.questions is not None:
        if args.marginals is not None:
            raise InvalidParameterError(
                "which marginals are planned is said twice: received --questions and --marginals; give one of them"
            )
        numbers = [whole_number(text, "--questions", 0) for text in listed(args.questions)]
        args.questions = list(chosen_questions(len(product.factors), numbers))
        mechanism = product.factors[numbers[0]] if len(numbers) == 1 else mechanism
    elif len(product.factors) == 1:
        mechanism = product.factors[0].named(mechanism.name)
    if mechanism.shape != (2, 2) or args.contrast is not None:
        if args.prevalence is not None and not _is_contrast(args, mechanism):
            raise InvalidParameterError(
                "--prevalence is of one yes-or-no question: received several questions, or more categories; give "
                "--population, or name the question: --questions Q"
            )
        return mechanism, product
    if args.marginals is not None or args.population is not None:
        raise InvalidParameterError(
            "one yes-or-no question has a prevalence: received --marginals or --population; use --prevalence, or name "
            "more --questions"
        )
    return mechanism, None


def _is_contrast(args: argparse.Namespace, mechanism: Mechanism) -> bool:
    """Return whether a contrast of shares is planned: one that is given, or a prevalence of more answers than two."""
    return args.contrast is not None or (mechanism.inputs == 2 and args.prevalence is not None)


def _optimal(args: argparse.Namespace) -> tuple[Mechanism, dict[str, str]]:
    """Return the certified optimal mechanism at the level, with its bracket."""
    from rropt.problem import binary_problem
    from rropt.solvers import solve

    if (args.questions, args.marginals, args.population, args.contrast) != (None,) * 4:
        raise InvalidParameterError(
            "the optimal design of a level asks one question: received --questions, --marginals, --contrast or "
            "--population; give a --mechanism such as bits:3/4*10"
        )
    if args.prevalence is None:
        raise InvalidParameterError(
            "the optimal design of a level depends on the prevalence: give --prevalence PI, or a --mechanism"
        )
    epsilon, delta = read_level(args)
    solution = solve(binary_problem(epsilon=epsilon, delta=delta, prevalence=args.prevalence))
    level = f"epsilon = {epsilon}, delta = {delta}"
    return solution.mechanism, {"level": level, **solution.written(), "certificate": str(solution.certificate.check())}


def _of_one(args: argparse.Namespace, goal: str, mechanism: Mechanism) -> Result:
    """Plan for one yes-or-no question."""
    from rropt.estimation import achieved, plan_margin, plan_power, plan_variance

    if goal in ("power", "n") and args.null is not None and args.prevalence is None:
        raise InvalidParameterError("a power needs the true prevalence: give --prevalence PI beside --null PI0")
    test = {name: getattr(args, name) for name in ("null", "significance", "sided", "test")}
    guess = {"prevalence": args.prevalence}
    if goal == "n":
        test = {} if args.null is None else test
        return achieved(mechanism, whole_number(args.n, "n", 1), confidence=args.confidence, **guess, **test)
    if goal == "power":
        return plan_power(mechanism, goal=args.power, **guess, **test)
    if goal == "margin":
        return plan_margin(mechanism, args.margin, kind=args.interval, confidence=args.confidence, **guess)
    return _by_variance(args, partial(plan_variance, mechanism, **guess))


def _of_contrast(args: argparse.Namespace, mechanism: Mechanism) -> Result:
    """Plan for a contrast of shares, or a prevalence."""
    from rropt.estimation import achieved_contrast, plan_contrast_margin, plan_contrast_variance

    shares = None if args.population is None else listed(args.population)
    guess: dict[str, Any] = {"contrast": args.contrast and listed(args.contrast)}
    guess |= {"prevalence": args.prevalence, "population": shares}
    if args.margin is not None:
        kind = args.interval = args.interval or "normal"
        return plan_contrast_margin(mechanism, args.margin, kind=kind, confidence=args.confidence, **guess)
    if args.variance is None and args.standard_error is None:
        return achieved_contrast(mechanism, whole_number(args.n, "n", 1), confidence=args.confidence, **guess)
    return _by_variance(args, partial(plan_contrast_variance, mechanism, **guess))


def _of_several(args: argparse.Namespace, goal: str, product: ProductMechanism) -> Result:
    """Plan for marginals of several questions, or for one with more answers than two."""
    from rropt.estimation import achieved_marginals, affordable_order, plan_marginal_margin, plan_marginal_variance

    which = args.questions if args.marginals is None else whole_number(args.marginals, "--marginals", 1)
    population = args.population
    if population is not None and population.strip().lower() != "uniform":
        population = args.population = listed(population)
    guess = {"population": population}
    if goal == "margin":
        kind = args.interval = args.interval or "hoeffding"
        return plan_marginal_margin(product, args.margin, which, kind=kind, confidence=args.confidence, **guess)
    n = None if args.n is None else whole_number(args.n, "n", 1)
    if goal == "n":
        return achieved_marginals(product, n, which, confidence=args.confidence, **guess)
    if n is None:
        return _by_variance(args, lambda most: plan_marginal_variance(product, most, which, **guess))
    if which is not None:
        raise InvalidParameterError(
            "--n beside a goal asks for the largest k whose marginals N respondents afford: received --questions or "
            "--marginals too; leave one of them out"
        )
    return _by_variance(args, lambda most: affordable_order(product, n, most, **guess))


def _by_variance(args: argparse.Namespace, plan: Callable[[Fraction], Any]) -> Result:
    """Return a plan for a variance, or for a standard error, its root."""
    from rropt.estimation import Plan
    from rropt.exact import rational

    if args.variance is not None:
        made: Result = plan(rational(args.variance, name="variance"))
        return made
    error = rational(args.standard_error, name="standard error")
    if error <= 0:
        raise InvalidParameterError(f"standard error is out of range: received {error}; allowed is a number > 0")
    made = plan(error**2)
    return replace(made, goal="standard-error", achieved=made.achieved**0.5) if isinstance(made, Plan) else made


def _canonical(args: argparse.Namespace) -> dict[str, Any]:
    """Return what was asked, numbers in their canonical form."""
    from rropt.exact import as_text, rational

    names = ("confidence", "prevalence", "null", "significance")
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    asked = next((x for x in (args.margin, args.power, args.variance, args.standard_error) if x is not None), None)
    record = {name: as_text(rational(text, name=name)) for name, text in given.items()}
    others = {name: getattr(args, name) for name in ("interval", "sided", "test", "questions", "marginals")}
    return {
        "asked": None if asked is None else as_text(rational(asked, name="goal")),
        **record,
        **{name: value for name, value in others.items() if value is not None},
        "population": args.population or "worst",
    }
