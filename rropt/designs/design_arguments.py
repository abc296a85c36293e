"""The arguments of ``rropt.design`` that belong to one kind of design, for mypy and editors.

The functions of the kinds describe them, and check them when they are called.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from rropt.objectives import Objective
from rropt.objectives.possible_populations import Populations


class DesignArguments(TypedDict, total=False):
    """The arguments of the functions of all kinds, without those of the level and of the solution."""

    against: Sequence[object] | str | None
    ask: int | None
    at_least: object
    at_most: object
    birthday: bool
    bounds: object
    cards: int | None
    categories: object
    coins: int | None
    confidence: object
    contrast: Sequence[object] | str | None
    counts: Sequence[int] | None
    deck: int | None
    dice: int | None
    distance: str | None
    family: str
    gdp: object
    level: Sequence[tuple[object, object]] | None
    levels: Sequence[object] | None
    loss: Any
    margin: object
    model: str
    n: object
    objective: str | Objective
    order: object
    other: object | None
    output_bits: object
    outputs: int | Literal["any"] | str | None
    payoffs: Any
    points: object
    population: Sequence[object] | str | Populations | None
    prevalences: Sequence[object] | None
    proportions: Sequence[object] | str | None
    questions: int | None
    range: object
    renyi: object
    strata: Sequence[object] | None
    theta: object
    values: Sequence[object] | str | None
    weights: Sequence[object] | str | None
    zcdp: object
