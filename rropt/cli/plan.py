"""``rropt plan``: how many answers a margin, a power or a variance needs, and what a number of answers achieves."""

from __future__ import annotations

import argparse
from fractions import Fraction
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
from rropt.cli.output import print_json, print_table
from rropt.cli.plan_questions import add_questions
from rropt.errors import InvalidParameterError
from rropt.exact import both_texts

if TYPE_CHECKING:
    from rropt.estimation import Plan
    from rropt.mechanisms import Mechanism

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
  rropt plan --mechanism bits:3/4*10 --questions 0,3 --standard-error 0.01
  rropt plan --mechanism warner:3/4 --population 10000 --prevalence 1/10 --standard-error 0.02
  rropt plan --epsilon 1/20 --middle 1/100 --surveyed --prevalence 1/10 --variance 1/10
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
    add_questions(plan)
    add_population(plan)
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
    from rropt.cli.plan_questions import asked_questions, plan_questions

    if is_finite_plan(args):
        return plan_finite(args)
    goal = _goal(args)
    mechanism, design = (None, None) if args.mechanism is None else _mechanism(args)
    if mechanism is not None:
        mechanism, several = asked_questions(args, mechanism)
        if several is not None:
            return plan_questions(args, several, goal)
    elif (args.questions, args.marginals, args.population) != (None, None, None):
        raise InvalidParameterError(
            "the optimal design of a level asks one question: received --questions, --marginals or --population; give "
            "a --mechanism such as bits:3/4*10"
        )
    _settle(args, goal)
    if mechanism is None:
        mechanism, design = _mechanism(args)
    record = _achieved(args, mechanism) if args.n is not None else _record(args, _plan(args, mechanism))
    epsilon = mechanism.epsilon()
    record["prevalence"] = _exact(args.prevalence, "prevalence")
    record["mechanism"] = {**mechanism.to_dict(), "name": mechanism.name, "epsilon": str(epsilon)}
    if design is not None:
        record["design"] = design
        record |= criterion_record(args)
    if args.json:
        print_json(record)
        return 0
    from rropt.mechanisms.decimals import probability_texts

    p00, p11 = probability_texts(mechanism)
    rows = [("mechanism", f"{mechanism.name or 'matrix'}: p00 = {p00}, p11 = {p11}, epsilon = {both_texts(epsilon)}")]
    if design is not None:
        rows = [("optimal design at", design["level"]), *criterion_rows(args), ("p00, p11", f"{p00}, {p11}")]
        ends = " to ".join(dict.fromkeys(both_texts(Fraction(design[end])) for end in ("lower", "upper")))
        rows.append(("certified n Var", f"{ends}, certificate {design['certificate']}"))
    print_table([*rows, *_rows(record)], title="Plan")
    return 0


# options by the goal that uses them; --n reports on everything
_DEFAULTS = {
    "confidence": "0.95",
    "interval": "exact",
    "null": None,
    "significance": "0.05",
    "sided": "one",
    "test": "exact",
}
_USED = {
    "margin": ("confidence", "interval"),
    "power": ("null", "significance", "sided", "test"),
    "variance": (),
    "standard_error": (),
    "n": tuple(_DEFAULTS),
}


def _goal(args: argparse.Namespace) -> str:
    """Return the goal; ``n`` where there is none."""
    given = [name for name in _USED if getattr(args, name) is not None]
    if not given:
        raise InvalidParameterError(
            "a goal is required: give --margin, --power, --variance or --standard-error, or --n for what N answers "
            "achieve"
        )
    return given[0]


def _settle(args: argparse.Namespace, goal: str) -> None:
    """Refuse options that the goal does not use, and fill in the defaults of the others."""
    if goal != "n" and args.n is not None:
        raise InvalidParameterError(
            f"--n says what a number of answers achieves: received it beside the goal --{goal.replace('_', '-')}; give "
            "one of them; both ask for the largest k of several questions, and this mechanism asks one"
        )
    for option, default in _DEFAULTS.items():
        if getattr(args, option) is None:
            setattr(args, option, default)
        elif option not in _USED[goal]:
            used = ", ".join(f"--{name}" for name in _USED[goal]) or "none"
            raise InvalidParameterError(
                f"--{option} does not belong to the goal --{goal.replace('_', '-')}: leave it out; it uses {used}"
            )


def _mechanism(args: argparse.Namespace) -> tuple[Mechanism, dict[str, str] | None]:
    """Return the mechanism named, or the certified optimal one at the level, with its bracket."""
    if args.mechanism is not None:
        if args.delta != "0" or args.lower is not None:
            option = "--lower" if args.delta == "0" else "--delta"
            raise InvalidParameterError(f"{option} belongs to a privacy level: a mechanism has its own privacy")
        return read_mechanism(args.mechanism), None
    if args.prevalence is None:
        raise InvalidParameterError(
            "the optimal design of a level depends on the prevalence: give --prevalence PI, or a --mechanism"
        )
    from rropt.exact import as_text
    from rropt.problem import binary_problem
    from rropt.solvers import solve

    epsilon, delta = read_level(args)
    solution = solve(binary_problem(epsilon=epsilon, delta=delta, prevalence=args.prevalence))
    return solution.mechanism, {
        "level": f"epsilon = {epsilon}, delta = {delta}",
        "lower": as_text(solution.lower),
        "upper": as_text(solution.upper),
        "certificate": str(solution.certificate.check()),
    }


def _plan(args: argparse.Namespace, mechanism: Mechanism) -> Plan:
    from rropt.estimation import plan_margin, plan_power, plan_variance
    from rropt.exact import rational

    if args.margin is not None:
        return plan_margin(
            mechanism, args.margin, kind=args.interval, confidence=args.confidence, prevalence=args.prevalence
        )
    if args.power is not None:
        return plan_power(mechanism, goal=args.power, **_test(args))
    if args.variance is not None:
        return plan_variance(mechanism, args.variance, prevalence=args.prevalence)
    error = rational(args.standard_error, name="standard error")
    if error <= 0:
        raise InvalidParameterError(f"standard error is out of range: received {error}; allowed is a number > 0")
    return plan_variance(mechanism, error**2, prevalence=args.prevalence)


def _test(args: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of the test."""
    if args.prevalence is None:
        raise InvalidParameterError("a power needs the true prevalence: give --prevalence PI beside --null PI0")
    return {
        "prevalence": args.prevalence,
        "null": args.null or "0",
        "significance": args.significance,
        "sided": args.sided,
        "test": args.test,
    }


def _record(args: argparse.Namespace, plan: Plan) -> dict[str, Any]:
    asked = next(goal for goal in (args.margin, args.power, args.variance, args.standard_error) if goal is not None)
    record: dict[str, Any] = {
        "n": plan.n,
        "goal": "standard-error" if args.standard_error is not None else plan.goal,
        "asked": _exact(asked, "goal"),
        "achieved": plan.achieved if args.standard_error is None else plan.achieved**0.5,
        "least": plan.least,
        "definition": plan.definition,
    }
    if args.margin is not None:
        record |= {"interval": args.interval, "confidence": _exact(args.confidence, "confidence")}
    if args.power is not None:
        record |= _test_record(args)
    return record


def _test_record(args: argparse.Namespace) -> dict[str, Any]:
    return {
        "null": _exact(args.null or "0", "null"),
        "significance": _exact(args.significance, "significance"),
        "sided": args.sided,
        "test": args.test,
    }


def _achieved(args: argparse.Namespace, mechanism: Mechanism) -> dict[str, Any]:
    """Return what --n answers achieve: the margin of every kind of interval, the variance, and the power if asked."""
    from rropt.estimation import INTERVAL_KINDS, margin, power, variance
    from rropt.exact import as_text
    from rropt.exact.numbers import square_root

    n = whole_number(args.n, "n", 1)
    exact = variance(mechanism, n, prevalence=args.prevalence)
    record: dict[str, Any] = {
        "n": n,
        "goal": None,
        "margins": {
            kind: margin(mechanism, n, kind=kind, confidence=args.confidence, prevalence=args.prevalence)
            for kind in INTERVAL_KINDS
        },
        "confidence": _exact(args.confidence, "confidence"),
        "variance": as_text(exact),
        "standard_error": square_root(exact),
    }
    if args.null is not None:
        record |= {"power": power(mechanism, n, **_test(args)), **_test_record(args)}
    return record


def _rows(record: dict[str, Any]) -> list[tuple[str, str]]:
    if record["goal"] is not None:
        return [
            ("least n" if record["least"] else "sufficient n", str(record["n"])),
            (record["goal"], f"{record['achieved']:.6g} (asked: {record['asked']})"),
            ("that is", record["definition"]),
        ]
    rows = [("n", str(record["n"])), ("standard error", f"{record['standard_error']:.6g}")]
    rows += [
        (f"{kind} margin", f"{value:.6g} at confidence {record['confidence']}")
        for kind, value in record["margins"].items()
    ]
    if "power" in record:
        rows.append(("power", f"{record['power']:.7g} ({record['sided']}-sided {record['test']} test)"))
    return rows


def _exact(text: str | None, name: str) -> str | None:
    """Return the canonical form of a number of the command line."""
    from rropt.exact import as_text, rational

    return None if text is None else as_text(rational(text, name=name))
