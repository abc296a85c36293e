"""Records of arguments, and the functions of plans, which have written signatures."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

import pytest

import rropt
from rropt.core.errors import InvalidParameterError
from rropt.core.record_arguments import as_record, given_fields
from rropt.plans import requests
from rropt.plans.sample_conditions import Conditions


@dataclass(frozen=True)
class Both(Conditions, requests.PlanGoal):
    """A goal and the conditions of a sample."""


def test_no_function_of_a_plan_has_more_than_twelve_arguments() -> None:
    doors = [getattr(rropt.plan, name) for name in rropt.plan.__all__ if name != "Conditions"]
    assert max(len(inspect.signature(door).parameters) for door in doors) == 12


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="did you mean margin"):
        rropt.plan.margin("warner:3/4", marginn="0.1")
    with pytest.raises(InvalidParameterError, match="`mechanism` is given twice"):
        rropt.plan.margin("warner:3/4", mechanism="warner:3/4", n=1)


def test_a_part_of_a_request_is_a_record_of_its_own() -> None:
    asked = Both(n=7, regions=3, simultaneous=True)
    assert as_record(asked, requests.PlanGoal) == requests.PlanGoal(n=7)
    assert as_record(asked, Conditions) == Conditions(regions=3, simultaneous=True)


def test_given_fields_are_those_that_are_no_defaults() -> None:
    assert given_fields(requests.PlanGoal(n=0), Conditions(regions=2)) == {"n": 0, "regions": 2}
