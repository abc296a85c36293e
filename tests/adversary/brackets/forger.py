"""Forges files of the statement design-bracket: the claim is false by construction, the proof changes by its fields.

The problem of an accepted file stays. Its optimum lies in the proved bracket, so a bracket beyond one of the proved
ends is false, whatever the proof. Every field of the proof is a tree of lists and numbers; the changes know no rule.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any

F = Fraction
STEPS = [F(1, 10**25), F(1, 10**9), F(1, 1000), F(1, 10), F(1), F(100)]
FACTORS = [F(-1), F(0), F(1, 2), F(2), F(10), F(1, 10), F(1000), F(1000001, 1000000), F(-2)]


def beyond(document: Any, rng: random.Random) -> tuple[str, str]:
    """Return ends that do not hold the optimum."""
    lower, upper = F(document["claim"]["lower"]), F(document["claim"]["upper"])
    step, width = rng.choice(STEPS), rng.choice([F(0), F(0), *STEPS])
    if rng.random() < 0.5:
        return str(upper + step), str(upper + step + width)
    return str(lower - step - width), str(lower - step)


def forged(document: Any, others: list[Any], rng: random.Random) -> Any:
    """Return a forged copy; ``others`` are accepted files that lend parts of their proofs."""
    made = deepcopy(document)
    made["claim"]["lower"], made["claim"]["upper"] = beyond(document, rng)
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        rng.choice(CHANGES)(made, rng, others)
    return made


def forgeries(documents: list[Any], count: int, seed: int) -> Iterator[Any]:
    """Iterate over forged files of each document in turn."""
    rng = random.Random(seed)
    for number in range(count):
        document = documents[number % len(documents)]
        near = [each for each in documents if each["problem"]["inputs"] == document["problem"]["inputs"]]
        yield forged(document, near, rng)


def altered(document: Any, others: list[Any], rng: random.Random) -> Any:
    """Return a copy with changes anywhere, in the problem and the claim too: an oracle must decide it."""
    made = deepcopy(document)
    for _ in range(rng.choice((1, 2, 3))):
        if rng.random() < 0.5:
            rng.choice(CHANGES)(made, rng, others)
            continue
        holder = made[rng.choice(("problem", "problem", "claim"))]
        path = rng.choice(list(_places(holder)))
        x = F(_at(holder, path))
        _set(holder, path, str(rng.choice([x * rng.choice(FACTORS), x + rng.choice(STEPS), 1 - x, F(0), F(1, 2)])))
        for level, bracket in zip(made["problem"]["levels"], made["proof"]["brackets"], strict=False):
            if isinstance(bracket, dict) and set(level["epsilon"]) == {"log"}:
                bracket["gamma"] = dict.fromkeys(("below", "above"), level["epsilon"]["log"])
                bracket["delta"] = dict.fromkeys(("below", "above"), level["delta"])
    return made


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and value.lstrip("-").replace("/", "", 1).isdigit()


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Iterate over the paths of all numbers."""
    if _is_number(value):
        yield path
    elif isinstance(value, (list, dict)):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _places(each, (*path, key))


def _lists(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, list):
        yield path
    if isinstance(value, (list, dict)):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _lists(each, (*path, key))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def _set(value: Any, path: tuple[Any, ...], new: Any) -> None:
    _at(value, path[:-1])[path[-1]] = new


def _some_field(made: Any, rng: random.Random) -> tuple[Any, str]:
    """Return a field of the proof, or the mechanism, as its holder and its key."""
    names = [name for name in made["proof"] if name not in ("way", "digits")]
    name = rng.choice([*names, "mechanism"])
    mechanism = made["claim"]["mechanism"]
    return (mechanism, next(iter(mechanism))) if name == "mechanism" else (made["proof"], name)


def _one_number(made: Any, rng: random.Random, _: Any) -> None:
    """Change a number."""
    holder, name = _some_field(made, rng)
    places = list(_places(holder[name], (name,)))
    if places:
        path = rng.choice(places)
        x = F(_at(holder, path))
        new = rng.choice([x * rng.choice(FACTORS), x + rng.choice(STEPS), x - rng.choice(STEPS), -x, F(0), F(1), 1 - x])
        _set(holder, path, str(new))


def _scale(made: Any, rng: random.Random, _: Any) -> None:
    """Scale some fields, as a whole, by one factor; slopes and multipliers keep their places."""
    factor = rng.choice(FACTORS)
    for name in rng.sample(sorted(made["proof"]), rng.randint(1, min(3, len(made["proof"])))):
        if name in ("way", "digits", "brackets", "point"):
            continue
        own = F(factor) ** rng.choice((1, 1, 2))
        for path in list(_places(made["proof"][name], (name,))):
            if name in ("slopes", "multipliers") and path[-1] != len(_at(made["proof"], path[:-1])) - 1:
                continue
            _set(made["proof"], path, str(F(_at(made["proof"], path)) * own))


def _empty(made: Any, rng: random.Random, _: Any) -> None:
    """Set a field to zeros, or empty a list of it."""
    holder, name = _some_field(made, rng)
    if rng.random() < 0.5:
        for path in list(_places(holder[name], (name,))):
            _set(holder, path, "0")
    elif lists := list(_lists(holder[name], (name,))):
        _set(holder, rng.choice(lists), [])


def _reorder(made: Any, rng: random.Random, _: Any) -> None:
    """Reverse, shuffle, repeat, shorten, transpose a list, or let an entry be twice there in halves."""
    holder, name = _some_field(made, rng)
    lists = [path for path in _lists(holder[name], (name,)) if _at(holder, path)]
    if not lists:
        return
    path = rng.choice(lists)
    own = _at(holder, path)
    kind = rng.randrange(6)
    if kind == 0:
        new = own[::-1]
    elif kind == 1:
        new = rng.sample(own, len(own))
    elif kind == 2:
        new = [*own, own[rng.randrange(len(own))]]
    elif kind == 3:
        new = own[:-1]
    elif kind == 4 and all(isinstance(row, list) for row in own) and len({len(row) for row in own}) == 1:
        new = [list(column) for column in zip(*own, strict=True)]
    else:
        new = [each for each in own for _ in range(2)]
    _set(holder, path, deepcopy(new))


def _halves(made: Any, rng: random.Random, _: Any) -> None:
    """Halve the slopes and list every multiplier twice, whole or halved."""
    for name in ("slopes", "multipliers"):
        listed = made["proof"].get(name, [])
        factor = rng.choice((F(1), F(1, 2)))
        scaled = [[*entry[:-1], str(F(entry[-1]) * factor)] for entry in listed if entry and _is_number(entry[-1])]
        made["proof"][name] = [entry for entry in scaled for _ in range(rng.choice((1, 2)))]
        if name == "multipliers" and not listed:
            del made["proof"][name]


def _join(made: Any, rng: random.Random, others: list[Any]) -> None:
    """Take a field, or the mechanism, from another file."""
    other = deepcopy(rng.choice(others))
    common = [name for name in made["proof"] if name in other["proof"]]
    name = rng.choice([*common, "mechanism"])
    if name == "mechanism":
        made["claim"]["mechanism"] = other["claim"]["mechanism"]
    else:
        made["proof"][name] = other["proof"][name]


def _shift(made: Any, rng: random.Random, _: Any) -> None:
    """Add one number to every entry of a field: vectors lose their sum of 0, alpha grows."""
    holder, name = _some_field(made, rng)
    step = rng.choice(STEPS) * rng.choice((1, -1))
    for path in list(_places(holder[name], (name,))):
        if name in ("slopes", "multipliers") and path[-1] != len(_at(holder, path[:-1])) - 1:
            continue
        _set(holder, path, str(F(_at(holder, path)) + step))


def _bracket(made: Any, rng: random.Random, _: Any) -> None:
    """Move an end of a bracket."""
    listed = made["proof"]["brackets"]
    if isinstance(listed, list) and listed and isinstance(listed[0], dict):
        found = [ends for ends in rng.choice(listed).values() if isinstance(ends, dict)]
        if not found:
            return
        ends, end = rng.choice(found), rng.choice(("below", "above"))
        ends[end] = str(F(ends[end]) * rng.choice([F(1, 2), F(2), F(999, 1000), F(1001, 1000)]))


def _way(made: Any, rng: random.Random, _: Any) -> None:
    """Take the other way, or other digits."""
    if "digits" in made["proof"] and rng.random() < 0.5:
        made["proof"]["digits"] = rng.choice(("1", "2", "3", "300"))
    elif made["proof"]["way"] == "linear":
        made["proof"]["way"] = "rays"
        made["proof"].pop("multipliers", None)
    else:
        made["proof"]["way"] = "linear"
        made["proof"]["multipliers"] = []


CHANGES = [_one_number, _one_number, _scale, _scale, _empty, _reorder, _halves, _join, _shift, _bracket, _way]


def text(document: Any) -> str:
    """Return the text of a file."""
    return json.dumps(document)
