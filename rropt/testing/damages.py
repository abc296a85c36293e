"""Damaged problems: invalid distributions, other sizes, and JSON with a missing, an added or a wrong part.

Each must be refused by one clear line, or else be read as a problem, whose objective has a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from rropt.designs import way_table
from rropt.designs.problem import Problem
from rropt.designs.solving import solve
from rropt.mechanisms import Mechanism
from rropt.objectives import Objective, objective_from_dict
from rropt.privacy import PrivacyRegion, region_from_dict

Call = Callable[[], object]

_MOST_INPUTS = 6  # of an objective that is evaluated at other sizes
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
        if k <= _MOST_INPUTS:
            yield from _other_sizes(objective, k)
    document = problem.to_dict()
    yield from _damaged("problem", document, Problem.from_dict)
    yield from _damaged("region", document["region"], region_from_dict)
    if problem.objective.to_dict() == document["objective"]:
        yield from _damaged("objective", document["objective"], objective_from_dict)


def shortened_problems(problem: Problem) -> Iterator[tuple[str, Call]]:
    """Yield readers of the JSON of a problem, its region and its objective without one key, all to be refused.

    A reader that puts a default in the place of a missing key makes another problem of a damaged file.
    """
    document = problem.to_dict()
    parts: Mapping[str, tuple[Any, Callable[[Any], object]]] = {
        "problem": (document, Problem.from_dict),
        "region": (problem.region.to_dict(), region_from_dict),
        "objective": (problem.objective.to_dict(), objective_from_dict),
    }
    for what, (record, read) in parts.items():
        for key in record:
            rest = {name: value for name, value in record.items() if name != key}
            yield f"the JSON of the {what} without {key!r}", lambda read=read, rest=rest: read(rest)  # type: ignore[misc]


def _other_sizes(objective: Objective, k: int) -> Iterator[tuple[str, Call]]:
    """Yield the objective with other numbers of categories and outputs: refused, or else it has a value."""
    for inputs, outputs in ((k, k), (k, k - 1), (k, k + 1), (k + 1, k), (k + 1, k + 1), (k - 1, k)):
        if min(inputs, outputs) > 1:

            def call(inputs: int = inputs, outputs: int = outputs) -> object:
                region = PrivacyRegion("log(2)", inputs=inputs, outputs=outputs)
                problem = Problem(region, objective, [Fraction(1, inputs)] * inputs)
                objective.value(_some_mechanism(inputs, outputs), problem.population)
                way = way_table.way_of(problem)
                return solve(problem, fast=True) if way in way_table.REGISTERED else way

            yield f"the objective for {inputs} categories and {outputs} outputs", call


def _some_mechanism(inputs: int, outputs: int) -> Mechanism:
    rows = [[Fraction(1 + (i == j % outputs), outputs + 1) for j in range(inputs)] for i in range(outputs)]
    return Mechanism(rows)


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
