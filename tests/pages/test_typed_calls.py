"""mypy and editors know the arguments of the public functions (`misspelt_calls` has what `make lint` refuses)."""

from __future__ import annotations

import inspect

import rropt
from rropt.designs.design_arguments import DesignArguments

OPEN = {"plot", "sweep"}  # they pass any arguments on to the function that they are given


def test_no_public_function_takes_any_keyword() -> None:
    """Only a few functions pass arguments on; those of `design` are declared in a record of their own."""
    of_any = {
        name
        for name in rropt.__all__
        if inspect.isfunction(found := getattr(rropt, name))
        and any(one.kind is one.VAR_KEYWORD for one in inspect.signature(found).parameters.values())
    }
    assert of_any == OPEN | {"design"}
    kinds = [rropt._function(place) for place in rropt._DESIGNS.values()]
    every = {name for function in kinds for name in inspect.signature(function).parameters}
    assert DesignArguments.__annotations__.keys() == every - inspect.signature(rropt.design).parameters.keys()
