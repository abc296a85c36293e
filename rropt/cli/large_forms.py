"""``rropt privacy`` of a mechanism whose matrix is too large to be written out: what its form says."""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.cli.findings import profile_json, profile_rows
from rropt.cli.joint_answers import level_rows, question_levels
from rropt.cli.output import print_json, print_table, print_text

if TYPE_CHECKING:
    from rropt.exact import Delta, Epsilon
    from rropt.mechanisms import Mechanism

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
            record["questions"] = question_levels(mechanism)
        print_json({**record, "shape": [str(size) for size in mechanism.shape], **profile_json(profile)})
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
        rows += level_rows(mechanism)
    print_text(str(mechanism))
    print_table([*rows, *profile_rows(profile)], title="Privacy")
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
