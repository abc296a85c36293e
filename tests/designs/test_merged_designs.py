"""Designs for many categories that the objective does not distinguish, and for many equal proportions."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from few_rows import few_rows

from rropt import Problem, check, solve
from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError
from rropt.designs.engine import ray_designs
from rropt.designs.problem import uniform
from rropt.designs.reduced_designs import is_merged, solved_by_merging
from rropt.designs.solution import Solution
from rropt.designs.way_table import facts_of
from rropt.designs.ways import WAYS
from rropt.objectives import (
    AlphaDivergence,
    ChiSquare,
    Contrast,
    Contrasts,
    Hellinger,
    JensenShannon,
    KullbackLeibler,
    TotalVariation,
)
from rropt.objectives.trace import WeightRuns
from rropt.privacy import CriterionRegion, PrivacyRegion, RenyiRegion, canonical_information_privacy, rho_to_rho

F = Fraction
DIVERGENCES = [ChiSquare, KullbackLeibler, Hellinger, JensenShannon, lambda q: AlphaDivergence(q, "1/2")]


def harmonic(k: int) -> list[Fraction]:
    total = sum(F(1, j) for j in range(1, k + 1))
    return [F(1, j) / total for j in range(1, k + 1)]


def region(k: int, epsilon: object = 1) -> PrivacyRegion:
    return PrivacyRegion(epsilon, inputs=k, outputs="any")


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize(
    "objective",
    [
        Contrast([1, -1] + [0] * 98),
        Contrast([1] + [0] * 99),
        Contrasts([[1, -1, *[0] * 98], [0, 1, -1, *[0] * 97]]),
    ],
)
def test_contrasts_of_few_among_hundred(objective: Contrast | Contrasts) -> None:
    pi = harmonic(100)
    found = solve(Problem(region(100), objective, pi), fast=True)
    assert check(found.certificate)
    assert found.mechanism.inputs == 100
    assert region(100).contains(found.mechanism)
    assert found.lower <= objective.value(found.mechanism, pi) <= found.upper
    assert found.gap < found.upper / 10**9
    assert Solution.from_json(found.to_json()) == found


@pytest.mark.slow
@pytest.mark.parametrize("objective", [Contrast([1] + [0] * 11), TotalVariation([F(1, 3)] * 3 + [F(0)] * 9)])
def test_groups_under_renyi_levels(objective: Contrast | TotalVariation) -> None:
    """The total variation of two outputs with ``p = p00 = p11`` at ``p^3 + (1-p)^3 = exp(3) p (1-p)``, times 3/4."""
    curved, pi = RenyiRegion(2, 3, inputs=12), [F(1, 12)] * 12
    found = solve(Problem(curved, objective, pi))
    assert found.status == "optimal"
    assert check(found.certificate)
    assert curved.contains(found.mechanism)
    assert found.lower <= objective.value(found.mechanism, pi) <= found.upper
    if isinstance(objective, TotalVariation):
        assert found.lower <= F(3, 4) * F(math.sqrt(1 - 4 / (math.exp(3) + 3))) <= found.upper


def test_the_summary_names_what_the_certificate_states() -> None:
    """A record that is read says the same; a problem that is certified itself says nothing."""
    found = solve(Problem(region(30), Contrast([1, -1] + [0] * 28), harmonic(30)))
    for each in (found, Solution.from_json(found.to_json())):
        assert dict(each.lines())["certificate states"].startswith("the problem of 3 groups of categories")
    assert "certificate states" not in dict(solve(Problem(region(3), Contrast([1, -1, 0]), harmonic(3))).lines())


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize("make", DIVERGENCES)
@few_rows(1)
@pytest.mark.parametrize("sizes", [(150, 150), (12,) * 4])
def test_distances_with_few_ratios(make: type[ChiSquare], sizes: tuple[int, ...]) -> None:
    total = sum(n * (g + 1) for g, n in enumerate(sizes))
    pi = [F(g + 1, total) for g, n in enumerate(sizes) for _ in range(n)]
    random.Random(34).shuffle(pi)
    problem = Problem(region(len(pi), "log(3)"), make([F(1, len(pi))] * len(pi)), pi)
    found = solve(problem)
    value = problem.objective.value(found.mechanism, pi)
    assert check(found.certificate)
    assert found.gap < F(1, 10**9)
    assert abs(value - found.value) < F(1, 10**20)
    assert Solution.from_json(found.to_json()) == found


@few_rows(1)
@pytest.mark.parametrize("inside", [region(40), RenyiRegion(2, 1, inputs=40)], ids=["epsilon", "renyi"])
def test_two_equal_distributions(inside: PrivacyRegion | RenyiRegion) -> None:
    found = solve(Problem(inside, ChiSquare(harmonic(40)), harmonic(40)), fast=True)
    assert found.lower == 0 <= found.upper < F(1, 10**20)
    assert check(found.certificate)


@pytest.mark.parametrize("inside", [RenyiRegion(2, 1, inputs=40), PrivacyRegion(1, "1/10", inputs=40, outputs="any")])
def test_two_equal_distributions_without_digits(inside: PrivacyRegion | RenyiRegion) -> None:
    with pytest.raises(UnsupportedProblemError, match="is 0 for every mechanism"):
        solve(Problem(inside, Hellinger(harmonic(40)), harmonic(40)))


@pytest.mark.parametrize("inside", [region(30, "1e-20"), RenyiRegion(100, 20, inputs=30)], ids=["epsilon", "renyi"])
def test_a_refusal_names_the_problem_of_all_categories(inside: PrivacyRegion | RenyiRegion) -> None:
    problem = Problem(inside, Contrasts([[1, -1, *[0] * 28], [1, 0, -1, *[0] * 27]]), harmonic(30))
    with pytest.raises(UnsupportedProblemError) as refused:
        solve(problem)
    assert refused.type is UnsupportedProblemError
    assert str(problem) in str(refused.value)


@pytest.mark.parametrize("seed", range(8))
def test_merging_agrees_with_all_rays(seed: int) -> None:
    """Six categories, all rays listed without merging; proportions of 0 under pi, under q, and under both."""
    rng = random.Random(seed)
    ratios = [F(rng.randint(1, 3), rng.randint(1, 3)) for _ in range(3)]
    q = [F(rng.randint(1, 5)) for _ in range(6)]
    p = [x * rng.choice(ratios) for x in q]
    if seed % 4 == 1:
        p[0] = F(0)
    if seed % 4 == 2:
        p[0] = q[0] = F(0)
    pi, against = ([x / sum(given) for x in given] for given in (p, q))
    for make in (ChiSquare, Hellinger):
        problem = Problem(region(6, "log(2)"), make(against), pi)
        merged = solved_by_merging(problem, problem.region.bracket(20)) if len(set(ratios)) > 1 else None
        listed = ray_designs.solved_by_rays(problem, problem.region.bracket(20))
        if merged is not None:
            assert max(merged.lower, listed.lower) <= min(merged.upper, listed.upper)
            assert problem.region.contains(merged.mechanism)


@pytest.mark.slow
@pytest.mark.parametrize(
    "criterion", [rho_to_rho("1/5", "1/2"), canonical_information_privacy("min(1, 2*p + 1/10)")], ids=["rho", "upper"]
)
@pytest.mark.parametrize("kind", ["contrast", "distance"])
def test_groups_under_a_criterion(kind: str, criterion: object) -> None:
    """The certificate states the criterion, with bounds of B(h) on both sides: of groups, or of two blocks."""
    inside = CriterionRegion(criterion, inputs=30, outputs="any")  # type: ignore[arg-type]
    objective = Contrast([1, -1, *[0] * 28]) if kind == "contrast" else Hellinger([F(1, 20)] * 10 + [F(1, 40)] * 20)
    pi = harmonic(30) if kind == "contrast" else [F(1, 30)] * 30
    found = solve(Problem(inside, objective, pi))
    assert check(found.certificate)
    assert set(found.certificate.problem["levels"][0]["epsilon"]) == {"up", "down"}
    assert Solution.from_json(found.to_json()) == found
    ends = inside.bracket(30)
    low, high = (solve(Problem(region(30, f"log({end.gamma})"), objective, pi)) for end in (ends.below, ends.above))
    least, most = sorted((low.value, high.value))
    assert found.lower <= most
    assert least <= found.upper
    blocks = f"{' '.join(map(str, range(10)))} | {' '.join(map(str, range(10, 30)))}"  # one ratio in each of them
    assert ("3 groups" if kind == "contrast" else blocks) in str(found)
    assert found.certificate.proof["way"] == ("rays" if kind == "contrast" else "blocks")


def test_the_certificate_of_other_groups_is_refused() -> None:
    pi = harmonic(30)
    one, other = (solve(Problem(region(30), Contrast([*contrast, *[0] * 28]), pi)) for contrast in ([1, -1], [2, -1]))
    forged = one.to_dict()
    forged["certificate"] = other.to_dict()["certificate"]
    with pytest.raises(FileFormatError):
        Solution.from_dict(forged)


def test_problems_that_do_not_merge() -> None:
    assert not is_merged(Problem(region(6), Contrast([1, -1, 0, 0, 0, 0]), harmonic(6)))  # its rays are listed
    assert not is_merged(Problem(region(40), Contrast(list(range(40))), harmonic(40)))
    region_with_delta = PrivacyRegion(1, "1/10", inputs=40, outputs="any")
    problem = Problem(region_with_delta, TotalVariation([F(1, 40)] * 40), harmonic(40))
    assert [way.name for way in WAYS if way.takes(problem, facts_of(problem))] == ["rays"]
    with pytest.raises(UnsupportedProblemError, match="merge categories"):
        solve(Problem(region(102), Contrast(list(range(102))), harmonic(102)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["d-optimal", "e-optimal", "mutual-information"])
def test_equal_proportions_between_ten_and_three_hundred(name: str) -> None:
    for k in (11, 19, 100, 300):
        problem = Problem.kary(epsilon=1, objective=name, population=[F(1, k)] * k)
        assert problem.is_uniform
        found = solve(problem)
        assert check(found.certificate)
        assert found.gap < abs(found.upper) / 10**9
    ten = solve(Problem.kary(10, epsilon=1, objective=name))
    formula = solve(Problem(region(10), ten.problem.objective, uniform(10)))
    assert max(ten.lower, formula.lower) <= min(ten.upper, formula.upper)
    listed = solve(Problem(region(30), ten.problem.objective, [F(1, 30)] * 30))  # one group, not a formula
    formula = solve(Problem(region(30), ten.problem.objective, uniform(30)))
    assert max(listed.lower, formula.lower) <= min(listed.upper, formula.upper)
    assert listed.gap < abs(listed.upper) / 10**9


@pytest.mark.parametrize("share", ["1/2", "1", "0", "-1/3"])
def test_one_run_that_is_no_distribution(share: str) -> None:
    with pytest.raises(InvalidParameterError):
        Problem(region(3), Contrast([0, 1, 2]), WeightRuns([(3, share)]))


def test_equal_proportions_written_in_several_ways() -> None:
    assert Problem.kary(epsilon=1, objective="e-optimal", population=["1/12", "2/24", *["1/12"] * 10]).is_uniform
