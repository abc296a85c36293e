"""mypy and editors know the arguments of the public functions (`misspelt_calls` has what `make lint` refuses)."""

from __future__ import annotations

import inspect
from types import ModuleType

import pytest

import rropt

OPEN = {"every_level", "plot", "sweep"}  # they pass any arguments on to the function that they are given


@pytest.mark.parametrize(
    ("room", "of_any"),
    [(rropt, OPEN), (rropt.design, {"every_level"}), (rropt.plan, set())],
    ids=["rropt", "rropt.design", "rropt.plan"],
)
def test_no_public_function_takes_any_keyword(room: ModuleType, of_any: set[str]) -> None:
    """Only a few functions pass arguments on."""
    functions = {name: found for name in room.__all__ if inspect.isfunction(found := getattr(room, name))}
    assert len(functions) >= 8
    found = {
        name
        for name, function in functions.items()
        if any(one.kind is one.VAR_KEYWORD for one in inspect.signature(function).parameters.values())
    }
    assert found == of_any
