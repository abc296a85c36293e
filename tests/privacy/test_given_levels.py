"""``level=``: one object for every form of a level, and everything that takes one."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from itertools import pairwise

import pytest
from every_case import every_case

import rropt
from rropt.core.errors import InvalidMechanismError, InvalidParameterError
from rropt.core.exact import Epsilon
from rropt.privacy import BoundedRegion, CriterionRegion, PrivacyRegion, curve, factor, gdp, levels, posterior
from rropt.privacy.bound import Judgement, judge
from rropt.privacy.exact_audits import audit_privacy
from rropt.privacy.gaussian_levels import _lowest
from rropt.privacy.level_arguments import Level
from rropt.privacy.level_audits import level_privacy
from rropt.privacy.level_regions import common_brackets
from rropt.privacy.metric_audits import LevelsPrivacy
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


def test_a_criterion_has_the_finding_at_its_level() -> None:
    """Posterior 1/5 to 1/2 allows odds of 4; delta at log(4) is that of a Warner design with 5/6."""
    found = audit_privacy("warner:5/6", level="posterior:1/5,1/2", fast=True)
    assert isinstance(found, Judgement)
    assert found.meets is False
    assert found.finding is not None
    assert (found.finding.epsilon, found.finding.judged) == (Epsilon.of("log(4)"), True)
    assert found.finding.delta == Fraction(5, 6) - 4 * Fraction(1, 6)
    assert found == judge(found.mechanism, found.bound.criterion, fast=True)
    assert "finding" not in found.to_dict()
    assert Judgement.from_dict(found.to_dict()) == found


def test_an_audit_takes_levels_of_every_kind() -> None:
    for level, meets in (("renyi:2,1", True), ("renyi:2,1/2", False), (gdp(1), False), ("line:log(3)", True)):
        found = audit_privacy("warner:3/4", level=level)
        assert found == level_privacy("warner:3/4", level)
        assert found.meets is meets
    table = rropt.privacy.pairs([["0", "1"], ["log(3)", "0"]])
    judged = audit_privacy("warner:3/4", level=table)
    assert isinstance(judged, LevelsPrivacy)
    assert judged.meets is False
    channel = [["9/10", "1/10"], ["1/2", "1/2"]]
    assert audit_privacy(channel, level="renyi:2,1", transposed=True).meets is False
    with pytest.raises(InvalidMechanismError, match="column"):
        audit_privacy(channel, level="renyi:2,1")


@pytest.mark.parametrize("level", ["posterior:1/5,1/2", "renyi:2,1", "line:1", "log(2),1/10"])
def test_the_command_prints_what_the_function_finds(cli, monkeypatch: pytest.MonkeyPatch, level: str) -> None:
    found: list[object] = []

    def audited(*arguments: object, **named: object) -> object:
        found.append(audit_privacy(*arguments, **named))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr("rropt.privacy.exact_audits.audit_privacy", audited)
    status, out, _ = cli("privacy", "warner:3/4", "--level", level, "--json")
    record = json.loads(out)
    (own,) = found
    assert status == (0 if record["meets"] else 1)
    assert record["meets"] is own.meets  # type: ignore[attr-defined]
    assert record["result"] == type(getattr(own, "finding", own)).__name__
