"""Damaged problems: invalid distributions, and JSON with a missing, an added or a wrong part.

Each must be refused by one clear line, or else be read as a problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rropt.designs.problem import Problem
from rropt.objectives import objective_from_dict
from rropt.privacy import region_from_dict

Call = Callable[[], object]

_WRONG: tuple[object, ...] = (None, "", "x\ny", "-1", "1/0", "nan", 3, [], ["1"], [[]], {}, {"kind": "x"})


def damaged_problems(problem: Problem) -> Iterator[tuple[str, Call]]:
    """Yield labelled calls that build a problem from damaged parts."""
    region, objective, k = problem.region, problem.objective, problem.region.inputs
    if not problem.is_uniform:
        populations: Mapping[str, Any] = {
            "a population that is too short": ["1"],
            "a population with a sum above 1": ["1"] * k,
            "a population with a negative proportion": ["2", "-1", *["0"] * (k - 2)],
            "a population that is no list": object(),
            "a population with a text": ["x\n"] * k,
        }
        for label, wrong in populations.items():
            yield label, lambda wrong=wrong: Problem(region, objective, wrong)  # type: ignore[misc]
    document = problem.to_dict()
    yield from _damaged("problem", document, Problem.from_dict)
    yield from _damaged("region", document["region"], region_from_dict)
    if problem.objective.to_dict() == document["objective"]:
        yield from _damaged("objective", document["objective"], objective_from_dict)


def _damaged(what: str, document: Mapping[str, Any], read: Callable[[Any], object]) -> Iterator[tuple[str, Call]]:
    """Yield readers of the document without a key, with one more key, and with a wrong value of a key."""
    for key in document:
        rest = {name: value for name, value in document.items() if name != key}
        yield f"{what} without {key}", lambda rest=rest: read(rest)  # type: ignore[misc]
        for wrong in _WRONG:
            changed = {**document, key: wrong}
            yield f"{what} with {key} = {wrong!r}", lambda changed=changed: read(changed)  # type: ignore[misc]
    yield f"{what} with another key", lambda: read({**document, "another": "1"})
    for wrong in _WRONG:
        yield f"{what} = {wrong!r}", lambda wrong=wrong: read(wrong)  # type: ignore[misc]
