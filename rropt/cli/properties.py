"""``--properties`` of ``rropt privacy``: privacy for a restricted family of properties of the respondent."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from rropt.errors import InvalidParameterError, shown
from rropt.exact.display import extended_text

if TYPE_CHECKING:
    from rropt.mechanisms import Mechanism
    from rropt.privacy.breach_regions import RestrictedJudgement
    from rropt.privacy.criteria import Criterion
    from rropt.privacy.criteria.restricted_families import PropertyFamily

Request = tuple["PropertyFamily", "Criterion | None"]


def read_request(args: argparse.Namespace, mechanism: Mechanism) -> Request | None:
    """Return the family of ``--properties`` and the criterion or level beside it; ``None`` without the option.

    ``args`` also has the level and the criterion of ``add_level``; epsilon means epsilon-DLP, from both sides.
    """
    if args.properties is None:
        return None
    from rropt.cli.arguments import read_criterion, read_epsilon
    from rropt.exact import Epsilon
    from rropt.privacy.criteria import differential_local_privacy, information_privacy

    family, criterion = read_properties(args.properties, mechanism.inputs), read_criterion(args)
    level = read_epsilon(args) if criterion is None else None
    if level is None:
        return family, criterion
    if level == Epsilon.of(0):  # no posterior may differ from its prior
        return family, information_privacy(lower="p", upper="p")
    return family, differential_local_privacy(level)


def read_properties(text: str, inputs: int) -> PropertyFamily:
    """Return the family that an argument names: a file if there is one of that name, else the sets it lists.

    Raises:
        InvalidParameterError: no sets of inputs, or inputs out of range.
        FileFormatError: a file that cannot be read.
    """
    from rropt.files import parse_json, read_text
    from rropt.privacy.criteria.restricted_families import PropertyFamily

    if os.path.exists(text):  # noqa: PTH110  # Path.exists raises for names that no file can have
        text = read_text(text, what="properties")
    if text.lstrip()[:1] in ("{", "["):
        data = parse_json(text, what="properties")  # numbers arrive as text
        sets = data.get("properties") if isinstance(data, dict) else data
        if not (isinstance(sets, list) and all(isinstance(q, list) for q in sets)):
            raise InvalidParameterError(
                f"properties are not sets of inputs: received {shown(text)}; allowed is JSON such as [[0], [1, 2]] or "
                '{"properties": [[0], [1, 2]]}'
            )
        return PropertyFamily(inputs, [[_input(str(item)) for item in q] for q in sets])
    listed = [part for part in text.replace("\n", ";").split(";") if part.strip()]
    return PropertyFamily(inputs, [[_input(item) for item in part.split(",")] for part in listed])


def properties_data(mechanism: Mechanism, family: PropertyFamily, criterion: Criterion | None) -> dict[str, Any]:
    """Return what ``--json`` adds: the parity over separated pairs, its bound for all pairs, and the judgement."""
    data: dict[str, Any] = {
        "family": [list(q) for q in family.properties],
        "parity": extended_text(family.parity(mechanism)),
        "two_sided_parity": extended_text(family.with_complements().parity(mechanism)),
        "steps": "inf" if family.diameter() is None else family.diameter(),
        "meets": None,
        "breach": None,
    }
    if criterion is not None:
        judgement = _judged(mechanism, family, criterion)
        data |= {
            "meets": judgement.meets,
            "breach": None if judgement.breach is None else judgement.breach.to_dict(),
        }
    return data


def properties_rows(mechanism: Mechanism, family: PropertyFamily, criterion: Criterion | None) -> list[tuple[str, str]]:
    """Return the rows of the table for people."""
    steps = family.diameter()
    limit = "a bound on it alone leaves the whole parity without bound"
    if steps is not None:
        limit = f"a bound on it makes the whole parity at most its {_th(steps)}"
    rows = [
        ("properties", str(family)),
        ("parity against rises of these", f"{extended_text(family.parity(mechanism), 'infinite')}; {limit}"),
        ("against rises and falls", extended_text(family.with_complements().parity(mechanism), "infinite")),
    ]
    if criterion is None:
        return rows
    judgement = _judged(mechanism, family, criterion)
    answer = {True: "yes", False: "no", None: "not decided: a ratio lies inside the enclosure of B(h)"}[judgement.meets]
    rows.append((f"meets {criterion} for them", answer))
    return rows if judgement.breach is None else rows + judgement.breach.lines()


def _judged(mechanism: Mechanism, family: PropertyFamily, criterion: Criterion) -> RestrictedJudgement:
    from rropt.privacy.breach_regions import judge_restricted

    return judge_restricted(mechanism, criterion, family)


def _input(item: str) -> int:
    digits = item.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
        raise InvalidParameterError(
            f"properties are not sets of inputs: received {shown(item)}; allowed are inputs counted from 0, with "
            'commas between them and semicolons between properties, such as "0;1,2"'
        )
    return int(digits)


def _th(steps: int) -> str:
    return {1: "own value", 2: "square", 3: "cube"}.get(steps, f"{steps}th power")
