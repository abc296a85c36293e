"""Functions that take records: callers give the fields by name, and see a signature that lists them."""

from __future__ import annotations

import inspect
from dataclasses import fields

import pytest

import rropt
from rropt.core.errors import InvalidParameterError
from rropt.core.record_arguments import as_record, given_fields
from rropt.plans import requests
from rropt.plans.sample_conditions import SampleConditions
from rropt.survey import plan_answers


def test_the_signature_lists_the_fields_of_the_records() -> None:
    own = inspect.signature(inspect.unwrap(plan_answers)).parameters
    shown = inspect.signature(plan_answers).parameters
    listed = [requests.PlanGoal, requests.PlanAssumptions, requests.InferenceRules, SampleConditions]
    assert [one.name for record in listed for one in fields(record)] == list(shown)[1:]
    assert all(one.default in (None, False) for one in list(shown.values())[1:])
    assert len(own) < 8 < len(shown)


def test_no_two_records_of_a_plan_share_a_field() -> None:
    names = list(inspect.signature(rropt.plan).parameters)
    assert len(names) == len(set(names)) > 20


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="did you mean margin"):
        plan_answers("warner:3/4", marginn="0.1")
    with pytest.raises(InvalidParameterError, match="`mechanism` is given twice"):
        plan_answers("warner:3/4", mechanism="warner:3/4", n=1)


def test_a_part_of_a_request_is_a_record_of_its_own() -> None:
    asked = requests.AnswersPlanRequest("warner:3/4", n=7, regions=3, simultaneous=True)
    assert as_record(asked, requests.PlanGoal) == requests.PlanGoal(n=7)
    assert as_record(asked, SampleConditions) == SampleConditions(regions=3, simultaneous=True)


def test_given_fields_are_those_that_are_no_defaults() -> None:
    assert given_fields(requests.PlanGoal(n=0), requests.PlannedParts(fast=True, strata=())) == {"n": 0, "fast": True}
