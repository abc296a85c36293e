"""``rropt plan`` of a finite population, of two groups, and of strata."""

from __future__ import annotations

import argparse
from fractions import Fraction

from rropt.cli.arguments import call, whole_number
from rropt.cli.output import print_result
from rropt.errors import InvalidParameterError, shown

# Options of finite populations, beside ``--population``, and of groups.
POPULATIONS = """
--surveyed                goal --variance or --standard-error: all of a population are asked
--dealt                   christofides: a deck of as many cards is dealt
--middle P2               with a level: the smallest deck of cards 1, 2, 3 with this share of cards 2 that is dealt to
    all
--groups P1,P2            two groups with these prevalences: respondents of each for --power
--strata W:P,..           strata with shares W of the population and guessed prevalences P: the best whole numbers of
    respondents of each, of --n together, or for --variance or --standard-error
"""


def is_finite(args: argparse.Namespace) -> bool:
    """Return whether a plan is for a finite population."""
    size = args.population is not None and args.population.strip().isdigit()
    return size or args.surveyed or args.dealt or args.middle is not None


def plan_finite(args: argparse.Namespace) -> int:
    """Print the least number of respondents of a finite population that a variance needs."""
    from rropt.estimation import plan_deck, plan_survey
    from rropt.exact import as_text

    _require_only(args, "a finite population", "variance", "standard_error", "prevalence", "population")
    goal = _variance(args)
    if goal is None or args.prevalence is None:
        raise InvalidParameterError(
            "a finite population is planned for a variance, which depends on the prevalence: give --variance or "
            "--standard-error, and --prevalence PI"
        )
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
        plan = call(plan_deck, args, goal=goal)
    else:
        size = None if args.population is None else whole_number(args.population, "--population", 2)
        plan = call(plan_survey, args, goal=goal, population=size)
    print_result(args, plan, title="Plan for a finite population", goal="variance", asked=as_text(goal))
    return 0


def plan_groups(args: argparse.Namespace) -> int:
    """Print the respondents that a difference of two groups needs, or their best allocation to strata."""
    from rropt.estimation.plans.groups import plan_difference, plan_strata

    if args.mechanism is None:
        raise InvalidParameterError("a plan of groups has a --mechanism: received a level; give the mechanism")
    if args.groups is not None:
        _require_only(args, "two groups", "groups", "power", "significance")
        found = call(plan_difference, args, prevalences=args.groups)
    else:
        _require_only(args, "strata", "strata", "n", "variance", "standard_error")
        pairs = [stratum.split(":") for stratum in args.strata]
        if any(len(pair) != 2 for pair in pairs):
            raise InvalidParameterError(
                f"--strata are no shares and prevalences: received {shown(','.join(args.strata))}; allowed is "
                "W:P,W:P,.., such as 0.9:0.1,0.1:0.5"
            )
        found = plan_strata(args.mechanism, *zip(*pairs, strict=True), n=args.n, variance=_variance(args))
    print_result(args, found, title="Plan of groups")
    return 0


def _variance(args: argparse.Namespace) -> Fraction | None:
    """Return the variance of ``--variance``, or of ``--standard-error`` squared; ``None`` when none is given."""
    from rropt.exact import rational_where

    for name, power in (("variance", 1), ("standard_error", 2)):
        if getattr(args, name) is not None:
            known = rational_where(getattr(args, name), lambda x: x > 0, "a number > 0", name=name.replace("_", " "))
            return known**power
    return None


_GOALS = ("margin", "power", "variance", "standard_error", "n", "groups", "strata")
_OTHERS = ("prevalence", "population", "contrast", "questions", "marginals", "confidence", "interval", "null")


def _require_only(args: argparse.Namespace, whose: str, *used: str) -> None:
    """Refuse goals and options of one that others use."""
    options = (*_GOALS, *_OTHERS, "significance", "sided", "test")
    wrong = [name for name in options if getattr(args, name) is not None and name not in used]
    if wrong:
        names, allowed = (", ".join(f"--{name.replace('_', '-')}" for name in each) for each in (wrong, used))
        raise InvalidParameterError(f"{names} does not belong to a plan of {whose}: leave it out; it uses {allowed}")
