"""``rropt.privacy.level``: one function for every form of a level, and everything that takes one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from every_case import every_case
from support.regions import by_distance

import rropt
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.designs.orders import admissible
from rropt.designs.repairs import repair
from rropt.privacy import CriterionRegion, PrivacyRegion

FORMS: list[tuple[dict[str, Any], str]] = [
    ({"epsilon": "log(4)"}, "log(4)"),
    ({"gamma": 4}, "log(4)"),
    ({"rho": ("1/5", "1/2")}, "log(4)"),
    ({"beta": 4}, "log(4)"),
    ({"upper": "4*p/(1+3*p)"}, "log(4)"),
    ({"upper": "1", "lower": "p/4"}, "log(4)"),
    ({"epsilon": 1, "delta": "1/10"}, "1"),
]


@every_case(("given", "epsilon"), FORMS, ids=str)
def test_every_form_serves_everywhere(given: dict[str, Any], epsilon: str) -> None:
    level = rropt.privacy.level(**given)
    assert level.epsilon == rropt.exact.Epsilon.of(epsilon)
    delta = given.get("delta", 0)
    assert PrivacyRegion(level) == PrivacyRegion(epsilon, delta)
    problem = rropt.designs.binary_problem(epsilon=level, prevalence="1/4")
    plain = rropt.designs.binary_problem(epsilon=epsilon, delta=delta, prevalence="1/4")
    assert rropt.solve(problem).value == rropt.solve(plain).value
    assert isinstance(problem.region, CriterionRegion) is (level.criterion is not None)
    warner = rropt.designs.binary_problem(epsilon=level, prevalence="1/4", family="warner")
    assert warner == rropt.designs.binary_problem(epsilon=epsilon, delta=delta, prevalence="1/4", family="warner")
    assert repair([[0.9, 0.1], [0.1, 0.9]], level).loss == repair([[0.9, 0.1], [0.1, 0.9]], epsilon, delta).loss
    assert rropt.Problem.from_json(problem.to_json()) == problem
    if not delta:
        spinner = rropt.Mechanism.binary("3/4", "3/4")
        assert spinner.delta(level) == spinner.delta(epsilon)
        assert admissible(spinner, level).admissible == admissible(spinner, epsilon).admissible
        assert by_distance(3, level) == by_distance(3, epsilon)


def test_a_rounded_criterion_is_a_region_of_its_own() -> None:
    level = rropt.privacy.level(upper="min(1, 2*p + 1/10)")
    region = level.region(inputs=3, outputs=3)
    assert isinstance(region, CriterionRegion)
    assert region.bracket(9).below.gamma == level.epsilon.gamma
    assert PrivacyRegion(level).epsilon == level.epsilon
    assert "posterior" in str(level)


@every_case(
    ("given", "words"),
    [
        ({}, "none of them"),
        ({"epsilon": 1, "gamma": 3}, "epsilon and gamma"),
        ({"gamma": 3, "beta": 2}, "gamma and a criterion"),
        ({"rho": ("1/5", "1/2"), "beta": 2}, "rho, beta"),
        ({"beta": 2, "delta": "1/10"}, "`delta` belongs to"),
        ({"lower": "p/2"}, "goes with"),
        ({"rho": "1/5"}, "not a pair"),
        ({"gamma": "1/2"}, "out of range"),
        ({"upper": "1"}, "infinite"),
    ],
)
def test_conflicts_are_one_clear_error(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        rropt.privacy.level(**given)


def test_a_delta_is_never_lost() -> None:
    level = rropt.privacy.level(epsilon=1, delta="1/10")
    with pytest.raises(InvalidParameterError, match="given twice"):
        PrivacyRegion(level, "1/5")
    with pytest.raises(InvalidParameterError, match="delta = 0 is needed"):
        by_distance(3, level)
    with pytest.raises(InvalidParameterError, match="delta = 0 is needed"):
        rropt.Mechanism.binary("3/4", "3/4").delta(level)
    assert level.region().delta == rropt.exact.Delta.of(Fraction(1, 10))
    with pytest.raises(UnsupportedProblemError):
        rropt.privacy.PrivacyRegion(1).at(level.epsilon)
