"""What the commands ``rropt plan ...`` share: who is asked, with which device, and what is known of the sample."""

from __future__ import annotations

import argparse
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from rropt.cli import options
from rropt.cli.arguments import call_library, items, read_level, respondents, whole, wholes
from rropt.cli.command import Flag, OneOf, Option
from rropt.cli.installed_readers import table_reader
from rropt.cli.output import print_note, print_result, record
from rropt.cli.pending import InputFile
from rropt.core.errors import InvalidParameterError, refuse_given, shown
from rropt.core.exact.numbers import split_list

if TYPE_CHECKING:
    from rropt.mechanisms import Mechanism
    from rropt.plans.sample_conditions import Conditions

QUESTION = (
    Option(
        "--question",
        "NAME",
        help="a question that survey.toml declares (rropt survey), with its device or its promised level",
    ),
    Option(
        "--survey", "FILE", help="declaration of the survey (default: survey.toml, with --question)", type=InputFile
    ),
    Option("--device", "NAME", help="of several devices, the name of one"),
)

DEVICE = (options.MECHANISM, options.TRANSPOSED_MECHANISM, *QUESTION)

DEVICE_OR_LEVEL = (
    OneOf((options.MECHANISM, *options.ONE_LEVEL)),
    options.TRANSPOSED_MECHANISM,
    options.DELTA,
    *QUESTION,
)

CONTRAST = Option(
    "--contrast",
    "C1,..,CK",
    help=(
        "plan for this linear combination of the proportions of one question, at --proportions P1,..,PK or in the "
        "worst case"
    ),
    type=items,
)

PROPORTIONS = Option(
    "--proportions",
    "P",
    help=(
        "for several questions: uniform, or the proportion of each combination of responses, P0,P1,.., where the first "
        "question varies fastest (default: the worst case)"
    ),
)

ONLY = Option(
    "--questions",
    "Q1,Q2,..",
    help="for several questions (bits:..., counted from 0): plan for the joint marginal of these (default: all)",
    type=wholes(0),
    dest="only",
)

MARGINALS = Option(
    "--marginals", "K", help="for several questions: plan for every marginal of K questions", type=whole(1)
)

N = Option("--n", "N", help="print what N respondents achieve", type=respondents)

CONFIDENCE = Option("--confidence", "C", help="confidence level of the interval (default: 0.95)")

DIRECT = Flag("--direct", help="also print the respondents that a direct question needs for the same goal")

SAMPLE = (
    Option(
        "--design-effect",
        "D",
        help="design effect of the estimate (as rropt estimate prints it): D times the respondents are needed",
    ),
    Option("--cluster-size", "M", help="mean number of respondents in a cluster: the clusters are counted"),
    Option(
        "--icc",
        "RHO",
        help=(
            "intraclass correlation of the true answers within clusters: the design effect of the estimate follows; "
            "without a randomizing device it is 1 + (M - 1) RHO"
        ),
        goes_with="--cluster-size",
    ),
    Option("--response-rate", "R", help="proportion of selected people who respond: the people to select are counted"),
)

REGIONS = (
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
)

TAIL = (options.EXACT, options.JSON)


def _no_device(*, has_level: bool) -> InvalidParameterError:
    """Return the error that nothing randomizes the responses; beside survey.toml a question may be named."""
    asked = f"{', --epsilon E' * has_level}{table_reader().beside(' or --question NAME')}"
    wanted = " or a privacy level" * has_level
    return InvalidParameterError(f"a plan needs a mechanism{wanted}: received none; give --mechanism M{asked}")


def sample_of(args: argparse.Namespace) -> Conditions:
    """Return the conditions of the sample that options and the declaration state."""
    from rropt.plans.sample_conditions import Conditions

    given = {one.name: getattr(args, one.name, None) for one in fields(Conditions)}
    return Conditions(**{name: value for name, value in given.items() if value is not None})


def declare(args: argparse.Namespace, *, has_sample: bool = True) -> None:
    """Fill in the device or the level of the question that is named; reject a delta beside a device.

    Raises:
        InvalidParameterError: there is neither a device nor a level, or the arguments do not belong together.
    """
    _fill(args, has_sample)
    if args.mechanism is not None:
        refuse_given(args.typed, "`delta` belongs to the optimal design of a level", "delta")


def _fill(args: argparse.Namespace, has_sample: bool) -> None:
    """Fill in the device of the question that is named, or the promised level if no device is declared.

    Raises:
        InvalidParameterError: there is neither a device nor a level.
    """
    from rropt.core.exact import Delta, Epsilon

    has_level = hasattr(args, "epsilon")
    if has_level:
        read_level(args)
    asked = table_reader().declared_question(args, args.question)
    if asked is None:
        refuse_given(args.typed, "--device names a device of a declared question", "device")
        if args.question is not None:
            raise InvalidParameterError(
                f"no survey declares {shown(args.question)}: there is no survey.toml; give a mechanism by --mechanism, "
                "or write a declaration with rropt survey init"
            )
        if args.mechanism is None and not (has_level and args.epsilon is not None):
            raise _no_device(has_level=has_level)
        return
    survey, name = asked
    record(column=name, survey=survey.described(name))
    if has_sample:
        sample = survey.planned_sample(name, args.typed)
        for key in sample.keys() & vars(args).keys():
            setattr(args, key, sample[key])
        if others := [key for key in sample if key not in vars(args)]:
            print_note(f"rropt: this plan does not count the declared {' and '.join(others)}")
        if left := survey.not_planned(name, args.typed):
            print_note(f"rropt: {left}")
    if args.mechanism is not None or (has_level and args.epsilon is not None):
        print_note("rropt: the mechanism or level is given, and comes before what the survey declares")
        if args.mechanism is not None:
            survey.arguments(name, mechanism=args.mechanism)  # raises an error above the promised level
        return
    level = survey.level_to_plan(name, args.device) if has_level else None
    if level is None:
        args.mechanism = survey.one_mechanism(name, args.device)
    else:
        refuse_given(args.typed, "the promised level of a question has its own delta", "delta")
        args.epsilon, args.delta = Epsilon.of(level[0]), Delta.of(level[1])


def give_plan(args: argparse.Namespace, function: Any) -> int:
    """Compute a plan of one sample, for a device or for the optimal design of a level, and print it."""
    from rropt.plans.planned import optimal_design
    from rropt.privacy import levels

    declare(args)
    tables: list[Any] = []
    beside: dict[str, Any] = {}
    mechanism = args.mechanism
    if mechanism is None:
        solution = optimal_design(levels((args.epsilon, args.delta)), args.prevalence)
        mechanism = solution.mechanism.named("optimal design")
        proof, level = str(solution.proof.check()), f"epsilon = {args.epsilon}, delta = {args.delta}"
        beside["design"] = {"level": level, **solution.bracket.written(), "certificate": proof}
        tables = [("Optimal design", None, [*solution.lines(), ("proof", f"certificate {proof}")])]
    found = _planned(args, function, mechanism)
    title = _title(found)
    if args.direct:
        if title != "Plan":
            raise InvalidParameterError("--direct is for one question that everybody is asked: leave it out")
        plain = _planned(args, function, _direct_question(mechanism))
        beside["direct"] = plain.to_dict()
        lines = [line for line in plain.lines() if line[0] != "mechanism"]
        tables = [("Direct question, if nobody lies", None, lines), *tables]
    print_result(args, found, title=title, tables=tables, **beside)
    return 0


def _title(found: Any) -> str:
    if type(found).__name__ == "MeanPlan":
        return "Plan for the mean of a number"
    return "Plan" if found.asked_each is None else "Plan for random questions"


def _planned(args: argparse.Namespace, function: Any, mechanism: Mechanism) -> Any:
    is_word = args.proportions is None or args.proportions.strip().lower() == "uniform"
    shares = args.proportions if is_word else split_list(args.proportions)
    return call_library(function, args, mechanism=mechanism, population=shares, sample=sample_of(args))


def _direct_question(mechanism: Mechanism) -> Mechanism:
    """Return the mechanism that reveals every answer of the same questions."""
    from rropt.mechanisms import Mechanism, ProductMechanism
    from rropt.mechanisms.question_selection import product_of

    sizes = [range(question.inputs) for question in product_of(mechanism).factors]
    each = [Mechanism([[int(i == j) for j in own] for i in own]) for own in sizes]
    return (each[0] if len(each) == 1 else ProductMechanism(each)).named("direct question")


def prevalence_of(what: str) -> Option:
    """Return the option of a guessed prevalence, with its help."""
    return replace(options.PREVALENCE, help=what)
