"""Finite populations in ``rropt estimate`` and ``rropt plan``: samples without replacement, and all who there are."""

from __future__ import annotations

import argparse
from typing import Any

from rropt.cli.arguments import read_epsilon, read_mechanism, whole_number
from rropt.cli.output import note, print_result, print_text
from rropt.errors import InfeasibleError, InvalidParameterError


def add_population(command: argparse.ArgumentParser) -> None:
    """Add the options of finite populations of plans, whose ``--population`` stands already."""
    command.add_argument(
        "--surveyed", action="store_true", help="goal --variance or --standard-error: all of a population are asked"
    )
    command.add_argument("--dealt", action="store_true", help="christofides: a deck of as many cards is dealt")
    command.add_argument(
        "--middle",
        metavar="P2",
        help="with a level: the smallest deck of cards 1, 2, 3 with this share of cards 2 that is dealt to all",
    )


def is_finite_plan(args: argparse.Namespace) -> bool:
    """Return whether a plan is for a finite population."""
    size = args.population is not None and args.population.strip().isdigit()
    return size or args.surveyed or args.dealt or args.middle is not None


def plan_finite(args: argparse.Namespace) -> int:
    """Print the least number of respondents of a finite population that a variance needs."""
    from rropt.estimation import plan_deck, plan_survey
    from rropt.exact import as_text, rational

    unused = (
        args.margin,
        args.power,
        args.n,
        args.questions,
        args.marginals,
        args.null,
        args.interval,
        args.confidence,
    )
    if (args.variance is None) == (args.standard_error is None) or any(one is not None for one in unused):
        raise InvalidParameterError(
            "a finite population is planned for a variance: give --variance or --standard-error, and no other goal or "
            "option of one"
        )
    if args.prevalence is None:
        raise InvalidParameterError("the variance depends on the prevalence: give --prevalence PI")
    goal = rational(args.variance or args.standard_error, name="goal")
    goal = goal if args.variance is not None else goal * abs(goal)
    if (args.middle is None) == (args.mechanism is None):
        raise InvalidParameterError(
            "a finite population is planned with --mechanism M, or with a level and --middle P2: give one of the two"
        )
    if (args.population is None) == (args.middle is None and not args.surveyed):
        raise InvalidParameterError(
            "which population is asked is not said once: give --population N, of which a sample is drawn, or "
            "--surveyed; --middle is for a fully surveyed one"
        )
    if args.middle is not None:
        plan = plan_deck(read_epsilon(args), goal, args.prevalence, middle=args.middle)
    else:
        size = None if args.population is None else whole_number(args.population, "--population", 2)
        mechanism = read_mechanism(args.mechanism)
        plan = plan_survey(mechanism, goal, args.prevalence, population=size, dealt=args.dealt)
    print_result(plan, title="Plan for a finite population", json=args.json, goal="variance", asked=as_text(goal))
    return 0


def estimate_population(args: argparse.Namespace, counts: list[int]) -> int:
    """Print the estimate of the share with the trait in a finite population, with its variance in two parts."""
    from rropt.estimation import estimate_finite

    mechanism, size = read_mechanism(args.mechanism), whole_number(args.population, "--population", 1)
    found = estimate_finite(mechanism, counts, size, dealt=args.dealt)
    normal: dict[str, Any] | None = None
    try:
        normal = {"decimals": list(found.interval(args.confidence)), "confidence": args.confidence}
    except InfeasibleError as error:
        note(f"remark: no interval: {error}")
    print_result(found, title="Estimate in a finite population", json=args.json, intervals={"normal": normal})
    if normal is not None and not args.json:
        low, high = normal["decimals"]
        print_text(f"normal interval {low:.7g} to {high:.7g} (approximate)")
    return 0
