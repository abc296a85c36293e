"""``level=``: one object for every form of a level, and everything that takes one."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import pairwise

import pytest
from every_case import every_case

import rropt
from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Epsilon
from rropt.privacy import BoundedRegion, CriterionRegion, PrivacyRegion, curve, factor, levels, posterior
from rropt.privacy.exact_audits import audit_privacy
from rropt.privacy.gaussian_levels import _lowest
from rropt.privacy.level_arguments import Level
from rropt.privacy.level_regions import common_brackets
from rropt.privacy.region_files import load_bounds

FORMS: list[tuple[Level, str]] = [
    (posterior("1/5", "1/2"), "log(4)"),
    (factor(4), "log(4)"),
    (curve("4*p/(1+3*p)"), "log(4)"),
    (curve("1", "p/4"), "log(4)"),
    (levels(("log(4)", 0)), "log(4)"),
]


@pytest.mark.slow
@every_case(("level", "epsilon"), FORMS, ids=str)
def test_every_form_is_a_problem(level: Level, epsilon: str) -> None:
    assert level.one("a test")[0] == rropt.exact.Epsilon.of(epsilon)
    problem = rropt.Problem.binary("1/4", level=level)
    plain = rropt.Problem.binary("1/4", epsilon=epsilon)
    assert rropt.solve(problem).value == rropt.solve(plain).value
    assert isinstance(problem.region, CriterionRegion) is (level.criterion is not None)
    assert rropt.Problem.binary("1/4", level=level, symmetric=True) == rropt.Problem.binary(
        "1/4", epsilon=epsilon, symmetric=True
    )
    assert rropt.Problem.from_json(problem.to_json()) == problem


def test_a_rounded_criterion_is_a_region_of_its_own() -> None:
    level = curve("min(1, 2*p + 1/10)")
    region = level.region(inputs=2, outputs=2)
    assert isinstance(region, CriterionRegion)
    assert region.bracket(9).below.gamma == level.one("a test")[0].gamma
    assert PrivacyRegion(level.one("a test")[0]).epsilon == rropt.Problem.kary(3, level=level).region.epsilon  # type: ignore[attr-defined]
    assert "posterior" in str(level)


def test_an_audit_takes_one_level_and_meets_it_up_to_equality() -> None:
    for given in ({"epsilon": "log(3)"}, {"level": factor(3)}, {"level": "log(3),0"}):
        assert audit_privacy("warner:3/4", **given).meets  # type: ignore[arg-type]
    for given in ({"epsilon": "log(2.99)"}, {"level": "factor:5/2"}):
        assert audit_privacy("warner:3/4", **given).meets is False  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match="given twice"):
        audit_privacy("warner:3/4", epsilon=1, level=posterior("1/5", "1/2"))


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
