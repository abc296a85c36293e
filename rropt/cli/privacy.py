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
import os
from typing import TYPE_CHECKING

from rropt.cli.arguments import (
    read_audit,
    read_criterion,
    read_epsilon,
    read_mechanism,
    read_product,
    say_rounding,
)
from rropt.cli.options import declare
from rropt.cli.output import note, print_json, print_result, print_table, print_text
from rropt.cli.respondents import RESPONDENTS, print_views
from rropt.errors import InvalidParameterError, UnsupportedProblemError, shown

if TYPE_CHECKING:
    from rropt.exact import Delta, Epsilon
    from rropt.mechanisms import Mechanism
    from rropt.privacy.breach_regions import FamilyPrivacy
    from rropt.privacy.parity_bounds import Judgement

_OPTIONS = f"""
mechanism
LEVEL
--delta
--properties SETS|FILE  protect these properties only: sets of inputs, counted from 0, such as "0;1,2", or a file of
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
    from rropt.mechanisms import question_levels
    from rropt.mechanisms.findings import Finding, LargeFinding
    from rropt.privacy.parity_bounds import judge

    if args.respondents is not None:
        return print_views(args)
    if args.dealt or (args.view, args.others, args.belief) != (None, None, None):
        raise InvalidParameterError(
            "--dealt, --view, --others and --belief belong to many answers: received one of them without "
            "--respondents; give the number of respondents"
        )
    epsilon, asked = _question(args)
    criterion = read_criterion(args)
    try:
        audit = read_audit(args.mechanism, transposed=args.transposed)
    except UnsupportedProblemError:  # a form whose matrix is too large to be written out
        if args.transposed or args.properties is not None or criterion is not None:
            raise
        large = LargeFinding.at(read_mechanism(args.mechanism), epsilon, asked, profile=args.profile)
        if not args.json:
            print_text(str(large.mechanism))
        print_result(large, title="Privacy", json=args.json)
        return 0 if asked is None or large.meets else 1
    judgement = None if criterion is None else judge(audit.normalised, criterion)
    family = None if args.properties is None else _family(args, audit.normalised)
    level = epsilon if judgement is None else _level(judgement)
    found = Finding.at(audit, level, asked, judged=judgement is not None)
    profile = audit.normalised.profile() if args.profile else None
    if not audit.is_mechanism:
        note("rropt: the columns do not sum to exactly 1: audited as they are, then divided by their sums")
    product = None if args.transposed or not audit.is_mechanism else read_product(args.mechanism)
    levels = None if product is None else question_levels(product)
    if args.json:
        record = found.to_dict()
        if judgement is not None:
            gamma = "inf" if level is None else str(level.exact_gamma())
            record |= {"criterion": {**judgement.bound.asked(), "gamma": gamma}, **judgement.answer()}
        record |= {} if profile is None else profile.to_dict()
        record |= {} if levels is None else {"questions": levels.to_dict()}
        if family is not None:
            record["properties"] = {key: x for key, x in family.to_dict().items() if key != "mechanism"}
        print_json(record)
    else:
        rows = [*found.lines(), *audit.defects()]
        if judgement is not None:
            rows += [("criterion", str(criterion)), judgement.bound.line(), *judgement.lines()]
        print_text(str(audit.normalised))
        rows += [] if levels is None else levels.lines()
        print_table([*rows, *(profile.lines() if profile else ())], title="Privacy")
        if family is not None:
            print_result(family, title="Privacy of these properties")
    if family is not None and family.criterion is not None:  # which is then meant for these properties alone
        return 0 if family.meets is True else 1
    meets = found.meets is not False if judgement is None else judgement.meets is True
    return 0 if meets else 1


def _question(args: argparse.Namespace) -> tuple[Epsilon | None, Delta | None]:
    """Return the level (epsilon, delta) that is asked about; nothing without one, or with a criterion.

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
        return None, None
    epsilon = Epsilon.of_gamma(args.gamma) if args.epsilon is None else Epsilon.of(args.epsilon)
    return epsilon, allowed if args.properties is None else None


def _family(args: argparse.Namespace, mechanism: Mechanism) -> FamilyPrivacy:
    """Return the privacy for ``--properties``, under the criterion or level beside it: epsilon from both sides."""
    from rropt.exact import Epsilon
    from rropt.privacy.breach_regions import family_privacy
    from rropt.privacy.criteria import differential_local_privacy, information_privacy
    from rropt.privacy.region_files import load_properties, properties_from_text

    exists = os.path.exists(args.properties)  # noqa: PTH110  # Path.exists raises for names that no file can have
    family = (load_properties if exists else properties_from_text)(args.properties, mechanism.inputs)
    criterion = read_criterion(args)
    level = None if criterion is not None else read_epsilon(args)
    if level == Epsilon.of(0):  # no posterior may differ from its prior
        criterion = information_privacy(lower="p", upper="p")
    elif level is not None:
        criterion = differential_local_privacy(level)
    return family_privacy(mechanism, family, criterion)


def _level(judgement: Judgement) -> Epsilon | None:
    """Return the level of a criterion, at which delta is wanted; ``None``: every finite one."""
    if judgement.bound.lower is None:
        return None
    from rropt.privacy.criterion_region import criterion_level

    level = criterion_level(judgement.bound.criterion, judgement.bound)
    say_rounding(level)
    return level.epsilon
