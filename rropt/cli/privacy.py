"""``rropt privacy``: the exact privacy of a mechanism, also of somebody else's.

The exact privacy of a mechanism: parity (the largest ratio of two entries of a row),
epsilon = log(parity), and the least delta at a level. A level is a question: whether
the mechanism meets it, and the answer and the two inputs that tell most. Without one,
delta is that at the mechanism's own epsilon: 0, or the mass that no finite epsilon
covers. With a criterion (--rho, --beta, --upper): whether the mechanism meets it, and
if not an explicit breach: an intruder's prior, a property Q, an answer, and what Q
then is. --profile: delta at every epsilon at once, exactly, or where too many inputs tie
within rounding errors as lines and a width: delta is at most that much more.
A matrix of floats whose columns miss the sum 1 by rounding errors is audited as it is:
parity and epsilon are of its entries (shortest decimals), the rest of its columns divided
by their sums; a zero beside a positive entry of the same answer has infinite epsilon.
A product of mechanisms {"product": [...]} whose matrix is too large is judged by its factors.
--respondents N: what all the answers of a survey tell about one respondent, by what is seen
of them; neighbouring populations differ in the trait of one. Independent answers (cards put
back, a spinner, a die) tell with all names what one answer tells. Of a dealt deck, whose
answers depend on each other, they may tell everything.

examples:
  rropt privacy warner:3/4 --epsilon "log(3)"
  rropt privacy generalised:1,1/4 --gamma 2 --delta 1/4 --profile
  rropt privacy warner:5/6 --rho 1/5 1/2
  rropt privacy grr:3,1/2 --beta 2 --properties "0;1,2"
  rropt privacy channel.npy --transposed
  rropt privacy christofides:1/10,3/10,6/10 --respondents 30 --epsilon "log(6)"
  rropt privacy christofides:1/10,3/10,6/10 --respondents 30 --dealt --view all --belief 1/10,1/2
exit status: 0, or 1 when the mechanism is not shown to meet the level or the criterion; 2 bad input
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import (
    read_audit,
    read_criterion,
    read_mechanism,
    read_product,
    say_rounding,
)
from rropt.cli.bound import judgement_record
from rropt.cli.options import declare
from rropt.cli.output import note, print_json, print_table, print_text
from rropt.cli.properties import properties_data, properties_rows, read_request
from rropt.cli.respondents import RESPONDENTS, print_views
from rropt.errors import InvalidParameterError, UnsupportedProblemError, shown

if TYPE_CHECKING:
    from rropt.exact import Epsilon
    from rropt.mechanisms.findings import Finding
    from rropt.mechanisms.raw_matrices import Audit
    from rropt.privacy.parity_bounds import Judgement

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rropt.exact import Delta, Epsilon
    from rropt.mechanisms import Mechanism, ProductMechanism, QuestionLevels

_OPTIONS = f"""
mechanism
LEVEL
--delta
--properties SETS   protect these properties only: sets of inputs, counted from 0, such as "0;1,2", or a file of
    such lines or a JSON file {{"properties": [[0], [1, 2]]}}
--transposed
{RESPONDENTS.strip()}
--profile                 the least delta at every epsilon: a piecewise linear function of gamma
--json
"""


def add(privacy: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    declare(privacy, __doc__, _OPTIONS, run=run)


def run(args: argparse.Namespace) -> int:
    """Print parity, epsilon and delta, and whether the mechanism meets a level or a criterion."""
    from rropt.mechanisms.findings import Finding

    if args.respondents is not None:
        return print_views(args)
    if args.dealt or (args.view, args.others, args.belief) != (None, None, None):
        raise InvalidParameterError(
            "--dealt, --view, --others and --belief belong to many answers: received one of them without "
            "--respondents; give the number of respondents"
        )
    question = read_question(args)
    try:
        audit = read_audit(args.mechanism, transposed=args.transposed)
    except UnsupportedProblemError:  # a form whose matrix is too large to be written out
        if args.transposed or args.properties is not None or read_criterion(args) is not None:
            raise
        return print_large(args, read_mechanism(args.mechanism), question)
    judgement = _judgement(args, audit)
    asked = None if args.properties is None else read_request(args, audit.normalised)
    level = (_level(judgement), None) if question is None else question
    found = Finding.at(audit, *level, judged=judgement is not None)
    profile = audit.normalised.profile() if args.profile else None
    properties = None if asked is None else properties_data(audit.normalised, *asked)
    if not audit.is_mechanism:
        note("rropt: the columns do not sum to exactly 1: audited as they are, then divided by their sums")
    product = None if args.transposed or not audit.is_mechanism else read_product(args.mechanism)
    if args.json:
        record = {**_record(found, judgement), **(profile.to_dict() if profile else {}), "audit": found.audited}
        record |= {} if product is None else {"questions": _levels(product).to_dict()}
        print_json(record if properties is None else {**record, "properties": properties})
    else:
        print_text(str(audit.normalised))
        own = [] if product is None else _levels(product).lines()
        print_table([*_rows(found, judgement), *own, *(profile.lines() if profile else ())], title="Privacy")
        if asked is not None:
            print_table(properties_rows(audit.normalised, *asked), title="Privacy of these properties")
    if asked is not None and asked[1] is not None:  # a criterion is then meant for these properties alone
        return 0 if properties is not None and properties["meets"] is True else 1
    if judgement is not None:
        return 0 if judgement.meets is True else 1
    return 1 if found.meets is False else 0


def read_question(args: argparse.Namespace) -> tuple[Epsilon, Delta | None] | None:
    """Return the level (epsilon, delta) that is asked about; ``None`` without one, or with a criterion.

    Beside ``--properties`` the question is about these alone, and delta (``None``) is only told.

    Raises:
        InvalidParameterError: --delta without --epsilon or --gamma, or beside --properties.
    """
    from rropt.exact import Delta, Epsilon

    allowed = Delta.of(args.delta)
    given = args.epsilon is not None or args.gamma is not None
    if allowed != Delta.of(0) and (not given or args.properties is not None):
        raise InvalidParameterError(
            "--delta stands beside --epsilon or --gamma, and not beside --properties: received "
            f"{shown(args.delta)}; leave it out"
        )
    if not given:
        return None
    epsilon = Epsilon.of_gamma(args.gamma) if args.epsilon is None else Epsilon.of(args.epsilon)
    return epsilon, allowed if args.properties is None else None


def _record(found: Finding, judgement: Judgement | None) -> dict[str, Any]:
    if judgement is None:
        return found.to_dict()
    gamma = "inf" if found.epsilon is None else str(found.epsilon.exact_gamma())
    criterion = {**judgement.bound.asked(), "gamma": gamma}
    return {**found.to_dict(), "criterion": criterion, **judgement_record(judgement)}


def _rows(found: Finding, judgement: Judgement | None) -> list[tuple[str, str]]:
    rows = [*found.lines(), *found.audit.defects()]
    if judgement is None:
        return rows
    bound = judgement.bound
    return [*rows, ("criterion", str(bound.criterion)), bound.line(), *judgement.lines()]


def _judgement(args: argparse.Namespace, audit: Audit) -> Judgement | None:
    criterion = read_criterion(args)
    if criterion is None:
        return None
    from rropt.privacy.parity_bounds import judge

    return judge(audit.normalised, criterion)


def _level(judgement: Judgement | None) -> Epsilon | None:
    """Return the level of a criterion, at which delta is wanted; ``None``: every finite one."""
    if judgement is None or judgement.bound.lower is None:
        return None
    from rropt.privacy.criterion_region import criterion_level

    level = criterion_level(judgement.bound.criterion, judgement.bound)
    say_rounding(level)
    return level.epsilon


_Level = tuple["Epsilon", "Delta | None"]


def print_large(args: argparse.Namespace, mechanism: Mechanism, question: _Level | None) -> int:
    """Print parity, epsilon and delta (or its enclosure), and whether a level is met; return the exit status."""
    from rropt.exact import Epsilon, both_texts
    from rropt.exact.display import extended_text
    from rropt.mechanisms import ProductMechanism

    parity, epsilon = mechanism.parity(), mechanism.epsilon()
    level, asked = question or (Epsilon("infinite"), None)
    lower, upper = ends = mechanism.delta_bracket(level)
    exact = _exact_delta(mechanism, level)
    meets = _meets(mechanism, level, asked, lower, upper)
    profile = mechanism.profile() if args.profile else None
    if args.json:
        delta: Any = ends.written() if exact is None else exact
        record = {"parity": extended_text(parity), "epsilon": str(epsilon), "delta": delta}
        if asked is not None:
            record |= {"meets": meets, "level": {"epsilon": str(level), "delta": str(asked)}}
        if isinstance(mechanism, ProductMechanism):
            record["questions"] = _levels(mechanism).to_dict()
        pieces = {} if profile is None else profile.to_dict()
        print_json({**record, "shape": [str(size) for size in mechanism.shape], **pieces})
        return 0 if asked is None or meets else 1
    where = "at every larger epsilon too" if question is None else f"at epsilon = {level}"
    told = f"{both_texts(lower)} {where}"
    if lower != upper:
        told = f"between {both_texts(lower)} and {both_texts(upper)} {where}"
    rows = [
        ("parity (gamma)", both_texts(parity)),
        ("epsilon", "infinite" if epsilon.is_infinite else both_texts(epsilon)),
        ("delta", told),
    ]
    if asked is not None:
        answer = "not decided by the enclosure" if meets is None else "yes" if meets else "no"
        rows.append((f"meets epsilon = {level}, delta = {asked}", answer))
    if isinstance(mechanism, ProductMechanism):
        rows += _levels(mechanism).lines()
    print_text(str(mechanism))
    print_table([*rows, *(profile.lines() if profile else ())], title="Privacy")
    return 0 if asked is None or meets else 1


def _exact_delta(mechanism: Mechanism, level: Epsilon) -> str | None:
    """Return delta as an exact number, ``None`` where it is only enclosed."""
    from rropt.errors import UnsupportedProblemError

    try:
        return str(mechanism.delta(level))
    except UnsupportedProblemError:
        return None


def _meets(mechanism: Mechanism, level: Epsilon, asked: Delta | None, lower: Fraction, upper: Fraction) -> bool | None:
    """Return whether the level is met; ``None``: no question, or not decided by the enclosure."""
    if asked is None:
        return None
    parity = mechanism.parity()
    if asked.rational == 0:
        return parity is not None and not level.exact_gamma() < parity
    if not asked.exact() < upper:
        return True
    return False if asked.exact() < lower else None


def _levels(mechanism: ProductMechanism) -> QuestionLevels:
    from rropt.mechanisms import question_levels

    return question_levels(mechanism)
