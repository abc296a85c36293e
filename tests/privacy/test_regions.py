"""The region of feasibility: inequalities, vertices and membership against the definition."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import rropt
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Delta, Epsilon
from rropt.core.linear.vertices import vertices
from rropt.mechanisms import Mechanism
from rropt.privacy import LABELS, LevelsRegion, PrivacyRegion, RationalLevel, RenyiRegion, ZcdpRegion

F = Fraction


def test_membership_is_the_definition_and_the_inequalities(rng: random.Random) -> None:
    points = inside = 0
    for _ in range(400):
        gamma, delta = F(rng.randint(10, 60), 10), F(rng.randint(0, 10), 10)
        region = PrivacyRegion(Epsilon.of_gamma(gamma), delta)
        a, b = F(rng.randint(0, 12), 12), F(rng.randint(0, 12), 12)
        mechanism = rropt.Mechanism.binary(a, b)
        member = mechanism.delta(Epsilon.of_gamma(gamma)) <= delta
        assert region.contains(mechanism) == member
        level = RationalLevel(gamma, delta)
        assert all(x * a + y * b + z >= 0 for x, y, z in region.inequalities(level).values()) == member
        points += 1
        inside += member
    assert points == 400
    assert 50 < inside < 350


def test_vertices_of_the_whole_region() -> None:
    """At gamma = 2, delta = 1/4 the region R of (12) is an octagon."""
    region = PrivacyRegion("log(2)", "1/4")
    found = region.vertices(region.bracket(10).below)
    assert [(v.p00, v.p11) for v in found] == [
        (0, F(3, 4)),
        (0, 1),
        (F(1, 4), F(1, 4)),
        (F(1, 4), 1),
        (F(3, 4), 0),
        (F(3, 4), F(3, 4)),
        (1, 0),
        (1, F(1, 4)),
    ]
    assert all(set(v.tight) <= set(LABELS) for v in found)


@pytest.mark.parametrize("family", ["all", "warner"])
@pytest.mark.parametrize("epsilon", ["0", "log(3)"])
@pytest.mark.parametrize("delta", ["0", "1/10", "1"])
def test_the_inequalities_of_a_vertex_give_it_back(family: str, epsilon: str, delta: str) -> None:
    region = PrivacyRegion(epsilon, delta, family=family)
    found = region.vertices(region.bracket(10).below)
    assert found
    for vertex in found:
        p00, p11, w = region.exact_vertex(vertex.tight)
        assert (p00, p11) == (vertex.p00 * w, vertex.p11 * w)


@pytest.mark.parametrize("tight", [(), ("p00<=1",), ("p00<=1", "p00>=0"), ("p00<=1", "yes-rate")])
def test_inequalities_of_no_single_design_are_refused(tight: tuple[str, ...]) -> None:
    with pytest.raises(InvalidParameterError, match=r"determine no design|tight is unknown"):
        PrivacyRegion("log(3)", "1/10").exact_vertex(tight)


def test_levels_can_be_copied_to_another_process() -> None:
    for region in (PrivacyRegion(1, "1/10"), LevelsRegion([(1, "1/10"), (2, "1/100")], inputs=3)):
        levels = region.bracket(10)
        assert pickle.loads(pickle.dumps(levels)) == levels


def test_several_levels_have_no_bounds_of_a_single_one() -> None:
    levels = LevelsRegion([(1, "1/10"), (2, "1/100")], inputs=3).bracket(10)
    for bound in ("below", "above", "width"):
        with pytest.raises(UnsupportedProblemError, match="there is no single level: received 2"):
            getattr(levels, bound)


def test_vertices_against_brute_force(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Every vertex is in the region, has two independent tight rows, and no point of a grid lies outside their hull."""
    points = 0
    for _ in range(size(12, 60)):
        level = RationalLevel(F(rng.randint(10, 50), 10), F(rng.choice([0, 1, 2, 5, 10]), 10))
        region = PrivacyRegion(Epsilon.of_gamma(level.gamma), level.delta)
        corners = [(v.p00, v.p11) for v in region.vertices(level)]
        grid = [(F(i, 12), F(j, 12)) for i in range(13) for j in range(13)]
        inside = [(a, b) for a, b in grid if region.contains(rropt.Mechanism.binary(a, b))]
        for direction in ((1, 0), (0, 1), (1, 1), (-1, 2), (3, -1), (-2, -3)):
            best = max(direction[0] * a + direction[1] * b for a, b in corners)
            for a, b in inside:
                assert direction[0] * a + direction[1] * b <= best
                points += 1
    assert points > size(200, 1000)


@pytest.mark.parametrize("gamma", [F(1), 1 + F(1, 10**30), F(3, 2), F(10**40)])
@pytest.mark.parametrize("delta", [F(0), F(1, 10**30), F(1, 4), F(1)])
def test_the_vertices_of_lemma_5_are_those_of_the_inequalities(gamma: F, delta: F) -> None:
    """Against the search over bases of inequalities; at gamma = 1 or delta in {0, 1} several named designs coincide."""
    level = RationalLevel(gamma, delta)
    for family, diagonal in (("all", []), ("warner", [(1, -1, 0), (-1, 1, 0)])):
        region = PrivacyRegion(Epsilon.of_gamma(gamma), delta, family=family)
        rows: list[Any] = list(region.inequalities(level).values())
        found = region.vertices(level)
        assert [(v.p00, v.p11) for v in found] == sorted(vertices([*rows, *diagonal]))
        for v in found:
            zeros = [a * v.p00 + b * v.p11 + c == 0 for a, b, c in rows]
            assert v.tight == tuple(label for label, is_zero in zip(LABELS, zeros, strict=True) if is_zero)


def test_irrational_membership_is_exact() -> None:
    region = PrivacyRegion("1/2", "1/10")
    levels = region.bracket(40)
    for level, inside in ((levels.below, True), (levels.above, False)):
        p = (level.gamma + level.delta) / (level.gamma + 1)
        assert region.contains(rropt.Mechanism.binary(p, p)) is inside


def test_warner_family_and_shapes() -> None:
    region = PrivacyRegion("log(3)", family="warner")
    assert region.contains(rropt.Mechanism.binary("3/4", "3/4"))
    assert not region.contains(rropt.Mechanism.binary("3/4", "1/2"))
    assert not region.contains(rropt.Mechanism([["1/2"] * 2, ["1/4"] * 2, ["1/4"] * 2]))
    ends = region.vertices(region.bracket(5).below)
    assert [(v.p00, v.p11) for v in ends] == [(F(1, 4), F(1, 4)), (F(3, 4), F(3, 4))]
    assert PrivacyRegion.from_dict(region.to_dict()) == region


def test_problem_parts_are_checked() -> None:
    region, objective = PrivacyRegion(1), rropt.objectives.EstimatorVariance()
    for population in ("1/2", ["1/2"], ["1/2", "1/3"], ["3/2", "-1/2"], 0.5):
        with pytest.raises(InvalidParameterError, match="population"):
            rropt.Problem(region, objective, population)
    with pytest.raises(InvalidParameterError):
        rropt.Problem("region", objective, ["1/2", "1/2"])  # type: ignore[arg-type]
    for data in ({}, {"region": {}, "objective": {"kind": "variance"}, "population": []}, [], "x"):
        with pytest.raises(InvalidParameterError):
            rropt.Problem.from_dict(data)
    assert Delta.of("1/4").to_dict() == "1/4"


def test_the_keys_of_a_region_are_checked_before_they_are_read() -> None:
    for data in ([], {"kind": "zcdp-privacy", "inputs": "2", "outputs": "any"}):
        with pytest.raises(InvalidParameterError, match=r"region is not of the form of a problem.*outputs, rho"):
            ZcdpRegion.from_dict(data)


def test_vertices_in_one_and_three_dimensions() -> None:
    segment = vertices([(1, 0), (-2, 3), (0, 1)])  # 0 <= z <= 3/2, and a row that never binds
    assert sorted(segment) == [(0,), (F(3, 2),)]
    cube = vertices([(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (-1, 0, 0, 1), (0, -1, 0, 1), (0, 0, -1, 1)])
    assert len(cube) == 8
    assert vertices([(1, 0), (-1, -1)]) == ()  # empty


def test_one_output_is_private_where_any_outputs_are_allowed() -> None:
    assert PrivacyRegion(1, inputs=2, outputs="any").contains(Mechanism([[1, 1]]))
    assert not PrivacyRegion(1, inputs=2).contains(Mechanism([[1, 1]]))


@pytest.mark.parametrize("index", ["9" * 5000, "\u0661", "-1", " 1", True, 1.0, None])
def test_pairs_of_a_file_name_inputs_by_digits(index: object) -> None:
    """A number of 5000 digits was a ValueError; true and the digits of other scripts were read as 1."""
    data = LevelsRegion([(1, 0, [(0, 1)])], inputs=3).to_dict()
    data["levels"][0]["pairs"] = [["0", index]]
    with pytest.raises(InvalidParameterError, match="pair that is not two different inputs"):
        LevelsRegion.from_dict(data)


def test_a_region_of_levels_for_all_pairs_is_made_without_a_list_of_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file may name a thousand million inputs."""
    monkeypatch.delattr("rropt.privacy.level_regions.permutations")
    blind, pure, two = ([(0, 0)], [(1, 0)], [(1, 0), ("1/2", 0, [(0, 1)])])
    regions = [LevelsRegion(levels, inputs=10**9) for levels in (blind, pure, two, [(0, 0, [(0, 1)])])]
    assert [region.is_uninformative for region in regions] == [True, False, False, False]
    assert [region.form for region in regions] == ["pairwise", "pairwise", None, "pairwise"]


def test_a_region_is_named_with_its_shape() -> None:
    assert str(PrivacyRegion(1)) == "epsilon = 1, delta = 0, k = 2 categories, m = 2 outputs"
    assert str(PrivacyRegion(1, family="warner")) == f"{PrivacyRegion(1)}, warner"
    of_three = "k = 3 categories, output alphabet unrestricted"
    assert (
        str(PrivacyRegion("log(2)", "1/10", inputs=3, outputs="any")) == f"epsilon = log(2), delta = 1/10, {of_three}"
    )
    assert str(RenyiRegion(2, 1, inputs=3)) == f"Renyi divergence of order 2 <= 1, {of_three}"
