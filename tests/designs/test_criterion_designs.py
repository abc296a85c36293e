"""Designs over the region of a criterion: brackets of B(h), solutions, certificates, JSON, the command line."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows

import rropt
from rropt.checker import check_text
from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError
from rropt.designs import solve
from rropt.designs.criterion_designs import BothSides, solve_under_criterion
from rropt.designs.infeasible_designs import InfeasibleDesignError
from rropt.designs.problem import Problem, uniform
from rropt.designs.solution import Solution
from rropt.mechanisms import Mechanism
from rropt.objectives import AOptimality, DOptimality, EstimatorVariance, Loss, Objective, Trace
from rropt.privacy import (
    BoundedRegion,
    CriterionRegion,
    bayes_factor,
    beta_factor,
    canonical_information_privacy,
    differential_local_privacy,
    information_privacy,
    rho_to_rho,
)
from rropt.privacy.criterion_region import criterion_level
from rropt.privacy.region import region_from_dict

F = Fraction
ALGEBRAIC = canonical_information_privacy("min(1, 2*p + 1/10)")


def root_of_22() -> Fraction:
    """B of ALGEBRAIC to 60 digits."""
    with localcontext(prec=60):
        return F((211 + 20 * Decimal(22).sqrt()) / 81)


def euler() -> Fraction:
    with localcontext(prec=60):
        return F(Decimal(1).exp())


CASES: list[tuple[Any, Callable[[], Fraction]]] = [
    (rho_to_rho("1/5", "1/2"), lambda: F(4)),
    (beta_factor("5/3"), lambda: F(5, 3)),
    (bayes_factor(3, "1/2"), lambda: F(2)),
    (information_privacy(lower="p/2", upper="1"), lambda: F(2)),
    (canonical_information_privacy("sqrt(p)"), lambda: F(2)),
    (ALGEBRAIC, root_of_22),
    (differential_local_privacy(1), euler),
]


def problem(criterion: Any, objective: Objective, k: int) -> Problem:
    shares = ["3/4", "1/4"] if objective.kind == "variance" else [F(1, k)] * k
    return Problem(CriterionRegion(criterion, inputs=k, outputs=k), objective, shares)


@few_rows(1)
@pytest.mark.parametrize(("criterion", "exact"), CASES, ids=[str(criterion)[:40] for criterion, _ in CASES])
def test_solutions_and_certificates(criterion: Any, exact: Callable[[], Fraction]) -> None:
    """Oracle: n Var = pi (1 - pi) + B/(B - 1)^2, trace k B/(B + k - 1), zero-one loss (k - 1)/(B + k - 1)."""
    b, tried = exact(), 0
    for objective, k, truth in (
        (EstimatorVariance(), 2, F(3, 16) + b / (b - 1) ** 2),
        (Trace([1] * 3), 3, 3 * b / (b + 2)),
        (Loss.zero_one(4), 4, 3 / (b + 3)),
    ):
        asked = problem(criterion, objective, k)
        assert Problem.from_json(asked.to_json()) == asked
        solution = solve(asked)
        assert solution.lower - F(1, 10**55) <= truth <= solution.upper + F(1, 10**55)
        assert solution.gap <= F(1, 10**12)
        assert solution.mechanism.parity() <= b
        assert asked.region.contains(solution.mechanism)
        certificate = solution.certificate.to_dict()
        stated = certificate["problem"]
        levels = [stated["region"]] if "region" in stated else [level["epsilon"] for level in stated["levels"]]
        assert all({"up", "down"} <= set(level) for level in levels)
        assert check_text(json.dumps(certificate))
        assert F(certificate["claim"]["lower"]) == solution.lower
        assert F(certificate["claim"]["upper"]) == solution.upper
        assert len(solution.routes) >= 2
        tried += 1
    assert tried == 3


def test_what_the_certificate_says_hangs_together() -> None:
    """Each number changed makes it rejected: the bracket, the bounds of B, the functions."""
    honest = solve(problem(ALGEBRAIC, Trace([1] * 3), 3)).certificate.to_dict()
    assert check_text(json.dumps(honest))
    gamma = ("proof", "brackets", 0, "gamma")
    paths = [(*gamma, "below"), (*gamma, "above"), *((*gamma, "infimum", "claim", end) for end in ("lower", "upper"))]
    for path in paths:
        for factor in (F(9, 10), F(11, 10)):
            changed = json.loads(json.dumps(honest))
            place: Any = changed
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = str(F(place[path[-1]]) * factor)
            assert not check_text(json.dumps(changed)), (path, factor)
    text = json.dumps(honest).replace('"1/10"', '"1/9"')
    assert text != json.dumps(honest)
    assert not check_text(text)


def test_brackets_are_around_b(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Random steps: B = r2 (1 - r1)/(r1 (1 - r2)), exact; and inside the bracket of an irrational one."""
    for _ in range(size(20, 200)):
        low, high = sorted(rng.sample(range(1, 40), 2))
        r1, r2 = F(low, 40), F(high, 40)
        region, b = CriterionRegion(rho_to_rho(r1, r2), inputs=3, outputs=3), r2 * (1 - r1) / (r1 * (1 - r2))
        bracket = region.bracket(9)
        assert bracket.is_exact
        assert bracket.below.gamma == b
        told = b / (b + 2)
        for share, inside in ((told, True), (told + F(1, 10**9), False)):
            rest = (1 - share) / 2
            mechanism = Mechanism([[share if i == j else rest for j in range(3)] for i in range(3)])
            assert region.contains(mechanism) is inside
    bracket = CriterionRegion(ALGEBRAIC).bracket(24)
    assert bracket.below.gamma < root_of_22() < bracket.above.gamma


@pytest.mark.slow
def test_bounds_over_a_criterion() -> None:
    inner = CriterionRegion(ALGEBRAIC, inputs=3, outputs=3)
    asked = Problem(BoundedRegion.sparse(inner, least={(0, 0): "1/2"}), Trace([1] * 3), [F(1, 3)] * 3)
    assert Problem.from_json(asked.to_json()) == asked
    solution = solve(asked)
    assert solution.certificate.check()
    assert asked.region.contains(solution.mechanism)
    hard = Problem(BoundedRegion.sparse(inner, least={(0, 0): "9/10", (1, 1): "9/10"}), Trace([1] * 3), [F(1, 3)] * 3)
    with pytest.raises(InfeasibleDesignError):
        solve(hard)


def test_problem_files_and_bad_ones(cli, cli_json, tmp_path: Path) -> None:
    file = tmp_path / "problem.json"
    file.write_text(problem(ALGEBRAIC, EstimatorVariance(), 2).to_json())
    data = cli_json("design", "problem", str(file), "--report", str(tmp_path / "page.html"))
    by_options = cli_json("design", "binary", "--level", "curve:min(1, 2*p + 1/10)", "--prevalence", "1/4")
    assert abs(F(data["value"]) - F(by_options["value"])) < F(1, 10**15)
    assert "2*p + 1/10" in (tmp_path / "page.html").read_text()
    assert rropt.check(data["certificate"])
    good = CriterionRegion(rho_to_rho("1/5", "1/2")).to_dict()
    assert region_from_dict(good) == CriterionRegion(rho_to_rho("1/5", "1/2"))
    bad = (
        {**good, "criterion": {"kind": "rho", "rho1": "1/5"}},
        {**good, "criterion": {"kind": "magic"}},
        {**good, "criterion": None},
        {**good, "inputs": "1"},
        {**good, "more": "1"},
    )
    for data in bad:
        with pytest.raises(InvalidParameterError):
            region_from_dict(data)
    with pytest.raises(InvalidParameterError, match="infinite"):
        CriterionRegion(canonical_information_privacy("1"))
    with pytest.raises(InvalidParameterError):
        CriterionRegion("sqrt(p)")  # type: ignore[arg-type]
    with pytest.raises(UnsupportedProblemError):
        rropt.privacy.PrivacyRegion(1).at(rropt.exact.Epsilon.of(1))


def test_a_rounded_level_is_solved_on_both_sides_by_the_same_routes() -> None:
    """Also if the names come from an iterator; and a record of such a design says that its level is rounded."""
    level = criterion_level(canonical_information_privacy("min(1, 2*p + 1/10)"))

    def under(epsilon: Any) -> Problem:
        return rropt.Problem.binary(0, epsilon=level.epsilon if epsilon is None else epsilon)

    found = solve_under_criterion(level, under, iter(["exact"]))
    assert found == solve_under_criterion(level, under, ["exact"])
    assert found.lower < found.upper
    record = found.to_dict()
    assert BothSides.from_dict(record) == found
    with pytest.raises(FileFormatError, match="is_rounded"):
        BothSides.from_dict({**record, "is_rounded": False})


@few_rows(1)
@pytest.mark.parametrize(("objective", "k"), [(DOptimality(), 3), (AOptimality(), 12)])
def test_equal_proportions_as_one_number_are_certified(objective: Objective, k: int) -> None:
    """Formulas do not know criteria: the design is that of listed proportions, and so is its certificate."""
    region = CriterionRegion(ALGEBRAIC, inputs=k, outputs="any")
    solution = solve(Problem(region, objective, uniform(k)), fast=True)
    listed = solve(Problem(region, objective, [F(1, k)] * k), fast=True)
    assert (solution.lower, solution.upper) == (listed.lower, listed.upper)
    assert solution.status == "optimal"
    assert solution.proof.check().accepted
    assert Solution.from_proof(solution.problem, solution.proof).mechanism == solution.mechanism
