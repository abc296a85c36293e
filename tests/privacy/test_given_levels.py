"""``rropt.privacy.level``: one function for every form of a level, and everything that takes one."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from every_case import every_case
from support.regions import by_distance

import rropt
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Epsilon
from rropt.designs.orders import admissible
from rropt.designs.repairs import repair
from rropt.privacy import BoundedRegion, CriterionRegion, PrivacyRegion
from rropt.privacy.exact_audits import audit_privacy
from rropt.privacy.gaussian_levels import _lowest
from rropt.privacy.level_regions import common_brackets
from rropt.privacy.region_files import load_bounds

FORMS: list[tuple[dict[str, Any], str]] = [
    ({"epsilon": "log(4)"}, "log(4)"),
    ({"gamma": 4}, "log(4)"),
    ({"rho": ("1/5", "1/2")}, "log(4)"),
    ({"beta": 4}, "log(4)"),
    ({"upper": "4*p/(1+3*p)"}, "log(4)"),
    ({"upper": "1", "lower": "p/4"}, "log(4)"),
    ({"epsilon": 1, "delta": "1/10"}, "1"),
]


@pytest.mark.slow
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
    assert (
        repair([[0.9, 0.1], [0.1, 0.9]], level, fast=True).loss
        == repair([[0.9, 0.1], [0.1, 0.9]], epsilon, delta, fast=True).loss
    )
    assert rropt.Problem.from_json(problem.to_json()) == problem
    if not delta:
        spinner = rropt.Mechanism.binary("3/4", "3/4")
        assert spinner.delta(level) == spinner.delta(epsilon)
        assert admissible(spinner, level, fast=True).admissible == admissible(spinner, epsilon, fast=True).admissible
        assert by_distance(3, level) == by_distance(3, epsilon)


def test_a_rounded_criterion_is_a_region_of_its_own() -> None:
    level = rropt.privacy.level(upper="min(1, 2*p + 1/10)")
    region = level.region(inputs=3, outputs=3)
    assert isinstance(region, CriterionRegion)
    assert region.bracket(9).below.gamma == level.epsilon.gamma
    assert PrivacyRegion(level).epsilon == level.epsilon
    assert "posterior" in str(level)


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


def test_an_audit_takes_one_level_and_meets_it_up_to_equality() -> None:
    for given in ({"epsilon": "log(3)"}, {"gamma": 3}, {"beta": 3}):
        assert audit_privacy("warner:3/4", **given).meets
    for given in ({"epsilon": "log(2.99)"}, {"gamma": 2}, {"beta": "5/2"}):
        assert audit_privacy("warner:3/4", **given).meets is False
    for given in ({"epsilon": 1, "gamma": 3}, {"gamma": 3, "beta": 3}, {"epsilon": 1, "rho": ("1/5", "1/2")}):
        with pytest.raises(InvalidParameterError, match="more than one level"):
            audit_privacy("warner:3/4", **given)


def test_levels_of_several_families_have_brackets_each() -> None:
    """Also after a family whose levels are no small multiples of one."""
    levels = [Epsilon.of(text) for text in ("1", "1/1000003", "log(2)/3", "2/3*log(2)", "log(5)")]
    found = common_brackets(levels, 20)
    assert found.keys() == set(levels)
    for level, bracket in found.items():
        assert float(bracket.lower) == pytest.approx(math.exp(float(level)), rel=1e-15)
        assert bracket.lower <= bracket.upper
    third, two_thirds = (found[Epsilon.of(text)] for text in ("log(2)/3", "2/3*log(2)"))
    assert two_thirds.upper == third.upper**2


def test_bounds_for_all_entries_lie_between_0_and_1() -> None:
    region = PrivacyRegion(1, 0)
    assert load_bounds("0..1", region) == BoundedRegion(region, [[0, 0]] * 2, [[1, 1]] * 2)
    for text in ("-1/2..1", "0..3/2"):
        with pytest.raises(InvalidParameterError, match="0 <= bound <= 1"):
            load_bounds(text, region)


def test_the_lowest_points_are_a_convex_line_below_all(rng: random.Random) -> None:
    for _ in range(20):
        points = [(Fraction(rng.randint(1, 99), 100), Fraction(rng.randint(1, 99), 100)) for _ in range(6)]
        line = _lowest(points)
        assert (line[0], line[-1]) == ((0, 1), (1, 0))
        assert sorted((b, a) for a, b in line) == line
        slopes = [(d - b) / (c - a) for (a, b), (c, d) in pairwise(line)]
        assert all(one < other for one, other in pairwise(slopes))
        for x, y in points:
            assert any(a <= x <= c and y >= b + (x - a) * (d - b) / (c - a) for (a, b), (c, d) in pairwise(line))
