"""``rropt plan`` of groups: respondents for a difference, and their allocation to strata."""

from __future__ import annotations

import argparse

from rropt.cli.arguments import read_mechanism, whole_number
from rropt.cli.output import print_json, print_table
from rropt.errors import InvalidParameterError, shown
from rropt.exact.written import listed


def add_plan_groups(plan: argparse.ArgumentParser) -> None:
    """Add the options of groups."""
    plan.add_argument(
        "--groups", metavar="P1,P2", help="two groups with these prevalences: respondents of each for --power"
    )
    plan.add_argument(
        "--strata",
        metavar="W:P,..",
        help="strata with shares W of the population and guessed prevalences P: the best whole numbers of respondents "
        "of each, of --n together, or for --variance or --standard-error",
    )


def is_groups_plan(args: argparse.Namespace) -> bool:
    """Return whether groups are asked about."""
    return args.groups is not None or args.strata is not None


def plan_groups(args: argparse.Namespace) -> int:
    """Plan and print."""
    from rropt.estimation.plans.groups import plan_difference, plan_strata
    from rropt.exact import rational

    others = [args.margin, args.prevalence, args.population, args.questions, args.marginals, args.interval, args.null]
    if args.mechanism is None or (args.groups is not None) == (args.strata is not None) or others != [None] * 7:
        raise InvalidParameterError(
            "a plan of groups has a --mechanism and either --groups P1,P2 with --power, or --strata W:P,.. with --n, "
            "--variance or --standard-error: received something else beside it, or less"
        )
    mechanism = read_mechanism(args.mechanism)
    if args.groups is not None:
        if (args.variance, args.standard_error, args.n) != (None, None, None):
            raise InvalidParameterError("the goal of --groups is a power: received another one; give --power B")
        found = plan_difference(mechanism, listed(args.groups), args.power or "0.8", args.significance or "0.05")
        return _print(args, found)
    if args.power is not None:
        raise InvalidParameterError("the goal of --strata is --n, --variance or --standard-error: received --power")
    pairs = [stratum.split(":") for stratum in listed(args.strata)]
    if any(len(pair) != 2 for pair in pairs):
        raise InvalidParameterError(
            f"--strata are no shares and prevalences: received {shown(args.strata)}; allowed is W:P,W:P,.., such as "
            "0.9:0.1,0.1:0.5"
        )
    variance = args.variance
    if args.standard_error is not None:
        variance = rational(args.standard_error, name="standard error") ** 2
    n = None if args.n is None else whole_number(args.n, "n", len(pairs))
    shares, prevalences = zip(*pairs, strict=True)
    return _print(args, plan_strata(mechanism, shares, prevalences, n=n, variance=variance))


def _print(args: argparse.Namespace, found: object) -> int:
    from rropt.results import Result

    assert isinstance(found, Result)
    if args.json:
        print_json(found.to_dict())
    else:
        print_table(found.lines(), title="Plan of groups")
    return 0
