"""D- and E-optimal designs: theorems, definitions, bounds that none beats, another solver, the command line."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import exp, log
from pathlib import Path

import numpy as np
import pytest

import rropt
from rropt.core.errors import InfeasibleError, UnsupportedProblemError
from rropt.mechanisms import Mechanism
from rropt.objectives import AOptimality, DOptimality, EOptimality, EstimatorVariance, Objective
from rropt.privacy import PrivacyRegion
from rropt.privacy.criteria import rho_to_rho
from rropt.privacy.criterion_region import CriterionRegion

F = Fraction
LEVELS = ("1/20", "1/10", "log(3/2)", "1/2", "log(2)", "1", "log(5)", "2", "7/2", "5", "log(1000)", "8")
OBJECTIVES = {"d-optimal": DOptimality(), "e-optimal": EOptimality()}


def problem(epsilon: object, objective: Objective, population: list[Fraction]) -> rropt.Problem:
    return rropt.Problem(PrivacyRegion(epsilon, inputs=len(population), outputs="any"), objective, population)


def population(rng: random.Random, k: int) -> list[Fraction]:
    """Return random shares, at times of 1e-4."""
    shares = [rng.choice((1, 10, rng.randint(1, 10**4), rng.randint(1, 10**4))) for _ in range(k)]
    shares[rng.randrange(k)] += 10**4
    return [F(x, sum(shares)) for x in shares]


def subsets(k: int, d: int, gamma: Fraction) -> Mechanism:
    """Return subset selection."""
    chosen = list(combinations(range(k), d))
    theta = F(k, len(chosen)) / (d * gamma + k - d)
    return Mechanism([[theta * (gamma if j in c else 1) for j in range(k)] for c in chosen])


def covariance(mechanism: Mechanism, pi: list[Fraction]) -> np.ndarray:
    """Return that of the efficient estimate of pi from one answer, by its definition, in floats."""
    p, shares = np.array(mechanism.matrix, dtype=float), np.array([float(x) for x in pi])
    means = p @ shares
    inverse = np.linalg.inv((p / means[:, None]).T @ p)
    estimates = (p / means[:, None]) @ inverse  # one row for each answer: unbiased
    assert np.allclose(estimates.T @ p, np.eye(len(pi)), atol=1e-6)
    return (estimates * means[:, None]).T @ estimates - np.outer(shares, shares)


def narrow(solution: rropt.designs.Solution) -> bool:
    """Return whether the gap is what is promised: relative, of D that of the root of the determinant."""
    size = len(solution.problem.population) - 1 if solution.problem.objective.kind == "d-optimal" else solution.upper
    return solution.gap <= size / F(10**7)


@pytest.mark.parametrize("kind", sorted(OBJECTIVES))
def test_the_mechanism_is_private_and_the_gap_is_narrow(
    kind: str, rng: random.Random, size: Callable[[int, int], int]
) -> None:
    """Random problems at twelve levels: epsilon of the exact matrix is compared exactly."""
    for i in range(size(12, 500)):
        k = 2 + i % size(4, 7)
        posed = problem(LEVELS[i % len(LEVELS)], OBJECTIVES[kind], population(rng, k))
        solution = rropt.solve(posed, routes="exact")
        assert posed.region.contains(solution.mechanism)
        assert solution.mechanism.parity() <= posed.region.bracket(40).below.gamma
        assert solution.lower <= solution.upper
        assert narrow(solution), (i, posed)
        own = posed.objective.value(solution.mechanism, posed.population)
        assert abs(own - solution.value) <= max(abs(own), 1) / F(10**22)
        assert rropt.Problem.from_json(posed.to_json()) == posed


def test_more_categories(rng: random.Random, size: Callable[[int, int], int]) -> None:
    for i, kind in enumerate(sorted(OBJECTIVES) * size(1, 20)):
        posed = problem(LEVELS[-1 - i % len(LEVELS)], OBJECTIVES[kind], population(rng, size(7, 10)))
        assert narrow(rropt.solve(posed, routes="exact"))


def test_the_values_are_those_of_the_covariance(rng: random.Random) -> None:
    """The determinant of k - 1 shares, whichever is left out; the largest eigenvalue; both by NumPy."""
    for k in (2, 3, 4):
        pi = population(rng, k)
        mechanism = subsets(k, 1, F(rng.randint(11, 90), 10))
        v = covariance(mechanism, pi)
        for j in range(k):
            kept = [i for i in range(k) if i != j]
            expected = -np.linalg.slogdet(v[np.ix_(kept, kept)])[1]
            assert float(DOptimality().value(mechanism, pi)) == pytest.approx(expected, rel=1e-6, abs=1e-6)
        top = np.linalg.eigvalsh(v)[-1]
        assert float(EOptimality().value(mechanism, pi)) == pytest.approx(top, rel=1e-8)


@pytest.mark.parametrize("kind", sorted(OBJECTIVES))
def test_what_floats_lose_at_the_largest_level_is_not_called_optimal(kind: str) -> None:
    """A category that nobody is in, at epsilon = 100: no weight is distinguished from 0, and the bracket shows it."""
    pi = [F(8, 23), F(0), F(6, 23), F(9, 23)]
    solution = rropt.solve(problem("100", OBJECTIVES[kind], pi))
    assert solution.problem.region.contains(solution.mechanism)
    assert solution.is_closed == (solution.gap <= abs(solution.value) / 10**6)


@pytest.mark.parametrize("kind", sorted(OBJECTIVES))
def test_no_mechanism_beats_the_bound(kind: str, rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Random mixtures of patterns, and of subset selection with them, exactly private."""
    near = 0
    for k in (2, 3, 4):
        gamma, pi = rng.choice((F(6, 5), F(2), F(5), F(30))), population(rng, k)
        solution = rropt.solve(problem(f"log({gamma})", OBJECTIVES[kind], pi), routes="exact")
        for _ in range(size(20, 3000)):
            first, second = subsets(k, rng.randint(1, k - 1), gamma), subsets(k, rng.randint(1, k - 1), gamma)
            t = F(rng.randint(0, 8), 8)
            rows = [[t * x for x in row] for row in first.matrix] + [
                [(1 - t) * x for x in row] for row in second.matrix
            ]
            merged = rng.sample(range(len(rows)), 2) if len(rows) > k + 1 and rng.random() < 0.5 else []
            if merged:
                rows.append([rows[merged[0]][j] + rows[merged[1]][j] for j in range(k)])
                rows = [row for i, row in enumerate(rows) if i not in merged]
            mechanism = Mechanism(rows)
            assert solution.problem.region.contains(mechanism)
            try:
                value = OBJECTIVES[kind].value(mechanism, pi)
            except InfeasibleError:
                continue
            better = value > solution.upper if kind == "d-optimal" else value < solution.lower
            assert not better, (mechanism, pi)
            near += abs(value - solution.value) <= max(abs(solution.value), 1)
    assert near >= 4


def test_another_solver_in_another_form(rng: random.Random) -> None:
    """All patterns by CVXPY: M itself, k x k, on the rows of the mechanism."""
    cp = pytest.importorskip("cvxpy")
    for kind, k in (("d-optimal", 3), ("e-optimal", 3), ("d-optimal", 4), ("e-optimal", 4)):
        epsilon, pi = rng.choice((0.5, 1.0, 3.0)), [F(x, 10) for x in ((5, 3, 2) if k == 3 else (4, 3, 2, 1))]
        solution = rropt.solve(problem(epsilon, OBJECTIVES[kind], pi), routes="exact")
        rows, shares = np.array(list(product((1.0, exp(epsilon)), repeat=k))), np.array([float(p) for p in pi])
        theta = cp.Variable(len(rows), nonneg=True)
        information = sum(t * np.outer(r, r) / (r @ shares) for t, r in zip(theta, rows, strict=True))
        if kind == "d-optimal":
            goal = cp.Maximize(cp.log_det(information))
        else:
            basis = np.linalg.qr(np.column_stack([np.ones(k), np.eye(k)[:, 1:]]))[0][:, 1:]
            goal = cp.Maximize(cp.lambda_min(basis.T @ information @ basis))
        value = cp.Problem(goal, [rows.T @ theta == 1]).solve(solver=cp.CLARABEL)
        expected = value if kind == "d-optimal" else 1 / value
        assert float(solution.value) == pytest.approx(expected, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("gamma", [F(11, 10), F(2), F(3000)])
def test_equal_shares_are_subset_selection(gamma: Fraction) -> None:
    """By the theorem, and by the route that does not know it: E exactly, D to 30 digits; the size is that of A."""
    for k in (2, 3, 5):
        pi = [F(1, k)] * k
        variances = {d: EOptimality().value(subsets(k, d, gamma), pi) for d in range(1, k)}
        least = min(variances.values())
        assert AOptimality().value(subsets(k, min(variances, key=lambda d: variances[d]), gamma), pi) == (k - 1) * least
        e = rropt.solve(problem(f"log({gamma})", EOptimality(), pi), routes=["closed-form", "exact"])
        assert (e.lower, e.upper) == (least, least)
        d = rropt.solve(problem(f"log({gamma})", DOptimality(), pi), routes=["closed-form", "exact"])
        assert float(d.value) == pytest.approx(log(k) - (k - 1) * log(least), rel=1e-12)
        for solution in (d, e):
            assert solution.gap < F(1, 10**28)
            assert solution.routes["exact"].gap < F(1, 10**9)
            mechanism, value = solution.closed_form().evaluated()
            assert [[F(int(x.p), int(x.q)) for x in mechanism.row(i)] for i in range(mechanism.rows)] == [
                list(row) for row in solution.mechanism.matrix
            ]
            assert float(value.evalf(30)) == pytest.approx(float(solution.value), rel=1e-12)


def test_two_categories_are_the_binary_design() -> None:
    """With two shares E is twice n Var, and D minus its logarithm."""
    pi = [F(3, 10), F(7, 10)]
    variance = EstimatorVariance().value(subsets(2, 1, F(4)), pi)
    e, d = (rropt.solve(problem("log(4)", OBJECTIVES[kind], pi), routes="exact") for kind in ("e-optimal", "d-optimal"))
    assert abs(e.value - 2 * variance) < F(1, 10**12)
    assert float(d.value) == pytest.approx(-log(variance), rel=1e-12)


def test_all_routes_agree_and_the_level_may_be_tiny() -> None:
    pi = [F(1, 2), F(1, 3), F(1, 6)]
    for kind in sorted(OBJECTIVES):
        solution = rropt.solve(problem("1", OBJECTIVES[kind], pi))
        assert list(solution.routes) == ["exact", "convex"]
        assert solution.routes["convex"].compared
        for level in ("1/1000000000", "log(100000000000000000000)"):
            assert narrow(rropt.solve(problem(level, OBJECTIVES[kind], pi), routes="exact"))


def test_under_a_criterion_and_at_the_command_line(cli_json: Callable[..., dict], tmp_path: Path) -> None:
    pi = [F(1, 2), F(1, 3), F(1, 6)]
    region = CriterionRegion(rho_to_rho("1/5", "1/2"), inputs=3, outputs="any")
    for kind in sorted(OBJECTIVES):
        solution = rropt.solve(rropt.Problem(region, OBJECTIVES[kind], pi), routes="exact")
        assert solution.value == rropt.solve(problem("log(4)", OBJECTIVES[kind], pi), routes="exact").value
        proof = tmp_path / f"{kind}.json"
        line = ("design", "kary", "--proportions", "1/2,1/3,1/6", "--gamma", "4", "--objective", kind)
        data = cli_json(*line, "--routes", "exact", "--certificate", str(proof))
        assert F(data["value"]) == solution.value
        assert rropt.check(proof)


def test_check_states_the_objective(cli: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    for kind, words in (("d-optimal", "ln det M"), ("e-optimal", "worst contrast")):
        proof = tmp_path / "proof.json"
        proof.write_text(
            rropt.solve(problem("log(3)", OBJECTIVES[kind], [F(1, 2)] * 2), routes="exact").certificate.text
        )
        status, out, _ = cli("check", str(proof))
        assert status == 0
        assert words in " ".join(out.split())


def test_what_is_refused() -> None:
    pi = [F(1, 3)] * 3
    for objective in OBJECTIVES.values():
        with pytest.raises(UnsupportedProblemError, match="set `outputs` to any"):
            rropt.Problem(PrivacyRegion("1", inputs=3, outputs=3), objective, pi)
        with pytest.raises(InfeasibleError, match="nothing to estimate"):
            problem(0, objective, pi)
        with pytest.raises(UnsupportedProblemError, match="at most 6 categories"):
            rropt.solve(rropt.Problem(PrivacyRegion("1", "1/10", inputs=7, outputs="any"), objective, [F(1, 7)] * 7))
        with pytest.raises(UnsupportedProblemError, match=r"solved over the rays of the levels.*categories; merge"):
            rropt.solve(problem("1", objective, [F(2 * i + 1, 21**2) for i in range(21)]))
        with pytest.raises(InfeasibleError, match="linearly independent"):
            objective.value(Mechanism([["1/2"] * 3] * 2), pi)
