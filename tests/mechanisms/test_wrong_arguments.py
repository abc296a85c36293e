"""Arguments of the wrong type are refused with a message of rropt, never with an error of Python."""

from __future__ import annotations

from typing import Any

import pytest

import rropt
from rropt.audits import samples_needed
from rropt.core.errors import RroptError
from rropt.survey.aggregates import merge

DEVICE = rropt.Mechanism("warner:3/4")
CALLS: dict[str, Any] = {
    "population": lambda x: rropt.designs.kary_problem(epsilon=1, objective="a-optimal", population=x),
    "objective": lambda x: rropt.designs.kary_problem(epsilon=1, objective=x, categories=3),
    "population of a plan": lambda x: rropt.plan(DEVICE, margin="1/10", population=x),
    "contrast": lambda x: rropt.plan(DEVICE, margin="1/10", contrast=x),
    "client": lambda x: rropt.export(x, "c"),
    "counts of a mechanism": lambda x: rropt.count([0, 1], x),
    "sample size": lambda x: samples_needed(x, 1),
    "merge": merge,
    "parts": lambda x: merge([x]),
    "sum": lambda x: rropt.laplace(epsilon=1, sum=x),
    "record": rropt.load,
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("wrong", [0.5, -1, True, 1j, object(), len, [[]], {"a": 1}], ids=lambda x: type(x).__name__)
def test_arguments_of_the_wrong_type_are_refused(name: str, wrong: object) -> None:
    with pytest.raises(RroptError, match=r"received|there are no counts"):
        CALLS[name](wrong)
