"""``rropt plan`` of several questions at once: respondents for a marginal, and marginals that respondents afford."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import whole_number
from rropt.cli.joint_answers import level_rows, question_levels
from rropt.cli.output import print_json, print_table
from rropt.errors import InvalidParameterError
from rropt.exact import as_text, both_texts, decimal_text, rational
from rropt.exact.written import listed

if TYPE_CHECKING:
    from fractions import Fraction

    from rropt.mechanisms import Mechanism, ProductMechanism

Answer = tuple[dict[str, Any], list[tuple[str, str]]]  # JSON, and rows of the table
Which = int | tuple[int, ...] | None  # a number of questions, or the questions of one marginal
Population = str | list[str] | None


def add_questions(plan: argparse.ArgumentParser) -> None:
    """Add the options of plans that say which marginal is planned, and at which population."""
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


def asked_questions(args: argparse.Namespace, mechanism: Mechanism) -> tuple[Mechanism, ProductMechanism | None]:
    """Return the device of the one yes-or-no question that a plan is for and ``None``, or all devices as well."""
    from rropt.estimation.answers import chosen_questions, product_of

    product = product_of(mechanism)
    device = product.factors[0] if len(product.factors) == 1 else None
    if args.questions is not None:
        if args.marginals is not None:
            raise InvalidParameterError(
                "which marginals are planned is said twice: received --questions and --marginals; give one of them"
            )
        numbers = [whole_number(text, "--questions", 0) for text in args.questions.split(",")]
        args.questions = chosen_questions(len(product.factors), numbers)
        device = product.factors[numbers[0]] if len(numbers) == 1 else None
    if device is None or device.shape != (2, 2):
        return mechanism, product
    if args.marginals is not None or args.population is not None:
        raise InvalidParameterError(
            "one yes-or-no question has a prevalence: received --marginals or --population; use --prevalence, or name "
            "more --questions"
        )
    return device, None


# options of plans by the goal that uses them, and their defaults
_PLANNED: dict[str, dict[str, str]] = {
    "margin": {"confidence": "0.95", "interval": "hoeffding"},
    "variance": {},
    "standard_error": {},
    "n": {"confidence": "0.95"},
}


def plan_questions(args: argparse.Namespace, product: ProductMechanism, goal: str) -> int:
    """Plan for several questions, or for one with more answers than two, and print."""
    if goal not in _PLANNED:
        raise InvalidParameterError(
            f"--{goal} belongs to one yes-or-no question: received several questions, or one with more answers; name "
            "it: --questions Q"
        )
    for option in ("prevalence", "null", "significance", "sided", "test", "interval", "confidence"):
        if getattr(args, option) is not None and option not in _PLANNED[goal]:
            raise InvalidParameterError(
                f"--{option} does not belong to this plan: received it for several questions and the goal "
                f"--{goal.replace('_', '-')}; leave it out; plans take --questions, --marginals and --population"
            )
    for option, default in _PLANNED[goal].items():
        if getattr(args, option) is None:
            setattr(args, option, default)
    which = args.questions if args.marginals is None else whole_number(args.marginals, "--marginals", 1)
    population = args.population
    if population is not None and population.strip().lower() != "uniform":
        population = listed(population)
    if goal == "n":
        record, rows = _achieved(args, product, which, population)
    elif args.n is None:
        record, rows = _needed(args, product, which, population)
    else:
        record, rows = _afforded(args, product, which, population)
    questions = None if which is None or isinstance(which, int) else list(which)
    record |= {"questions": questions, "marginals": which if isinstance(which, int) else None}
    record["population"] = population or "worst"
    record["mechanism"] = {"name": product.name, "epsilon": question_levels(product)}
    if args.json:
        print_json(record)
        return 0
    head = [
        ("mechanism", product.name or "product"),
        ("whole answer", f"epsilon = {both_texts(product.epsilon(), 6)}"),
        *level_rows(product),
    ]
    print_table([*head, *rows], title="Plan")
    return 0


def _needed(args: argparse.Namespace, product: ProductMechanism, which: Which, population: Population) -> Answer:
    """Return how many respondents the goal needs."""
    from rropt.estimation import plan_marginal_margin, plan_marginal_variance

    if args.margin is not None:
        plan = plan_marginal_margin(
            product, args.margin, which, kind=args.interval, confidence=args.confidence, population=population
        )
        name, asked, achieved = "margin", rational(args.margin, name="margin"), plan.achieved
    else:
        name, asked, variance = _variance(args)
        plan = plan_marginal_variance(product, variance, which, population=population)
        achieved = plan.achieved if name == "variance" else plan.achieved**0.5
    record: dict[str, Any] = {
        "n": plan.n,
        "goal": name,
        "asked": as_text(asked),
        "achieved": achieved,
        "least": plan.least,
        "definition": plan.definition,
    }
    if args.margin is not None:
        record |= {"interval": args.interval, "confidence": as_text(rational(args.confidence, name="confidence"))}
    rows = [
        ("least n", str(plan.n)),
        (name, f"{achieved:.6g} (asked: {as_text(asked)})"),
        ("that is", plan.definition),
    ]
    return record, rows


def _afforded(args: argparse.Namespace, product: ProductMechanism, which: Which, population: Population) -> Answer:
    """Return the largest k whose marginals n respondents afford."""
    from rropt.estimation import affordable_order

    if which is not None:
        raise InvalidParameterError(
            "--n beside a goal asks for the largest k whose marginals N respondents afford: received --questions or "
            "--marginals too; leave one of them out"
        )
    name, asked, variance = _variance(args)
    found = affordable_order(product, whole_number(args.n, "n", 1), variance, population=population)
    errors = found.standard_errors()
    listed = [
        {
            "order": k,
            "n_variance": as_text(v),
            "standard_error": error,
            "questions": list(chosen),
            "afforded": k <= found.order,
        }
        for k, (v, error, chosen) in enumerate(zip(found.variances, errors, found.questions, strict=True), 1)
    ]
    definition = (
        f"the largest k such that {found.n} respondents estimate every cell of every marginal of at most k questions "
        f"with a {name.replace('-', ' ')} of at most {as_text(asked)}, {found.population}"
    )
    record = {
        "order": found.order,
        "n": found.n,
        "goal": name,
        "asked": as_text(asked),
        "marginals_by_order": listed,
        "definition": definition,
    }
    rows = [("largest k", str(found.order)), ("that is", definition)]
    rows += [
        (
            f"k = {k}",
            f"standard error {decimal_text(error, 6)} of the worst cell, of the questions "
            f"{', '.join(map(str, sorted(chosen)[:12]))}{', ...' if len(chosen) > 12 else ''}",
        )
        for k, (error, chosen) in enumerate(zip(errors, found.questions, strict=True), 1)
    ]
    return record, rows


def _achieved(args: argparse.Namespace, product: ProductMechanism, which: Which, population: Population) -> Answer:
    """Return what n respondents achieve."""
    from rropt.estimation import marginal_margin, marginal_variance
    from rropt.exact.numbers import square_root

    n = whole_number(args.n, "n", 1)
    variance = marginal_variance(product, which, population=population) / n
    margins = {
        kind: marginal_margin(product, n, which, kind=kind, confidence=args.confidence, population=at)
        for kind, at in (("hoeffding", None), ("normal", population))
    }
    record = {
        "n": n,
        "goal": None,
        "variance": as_text(variance),
        "standard_error": square_root(variance),
        "margins": margins,
        "confidence": as_text(rational(args.confidence, name="confidence")),
    }
    rows = [("n", str(n)), ("standard error of the worst cell", f"{square_root(variance):.6g}")]
    rows += [
        (f"{kind} margin of all cells at once", f"{value:.6g} at confidence {record['confidence']}")
        for kind, value in margins.items()
    ]
    return record, rows


def _variance(args: argparse.Namespace) -> tuple[str, Fraction, Fraction]:
    """Return the goal's name, what was asked, and the variance that it means."""
    if args.variance is not None:
        variance = rational(args.variance, name="variance")
        return "variance", variance, variance
    error = rational(args.standard_error, name="standard error")
    if error <= 0:
        raise InvalidParameterError(f"standard error is out of range: received {error}; allowed is a number > 0")
    return "standard-error", error, error**2
