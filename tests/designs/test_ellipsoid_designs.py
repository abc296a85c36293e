"""D- and E-optimal designs: theorems, definitions, another solver, and what `check` states."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from support.unrestricted_outputs import population, problem, subsets

import rropt
from rropt.designs.engine.equal_variances import _squares, equal_variances
from rropt.designs.engine.ray_designs import RayProblem
from rropt.mechanisms import Mechanism
from rropt.objectives import DOptimality, EOptimality

F = Fraction
OBJECTIVES = {"d-optimal": DOptimality(), "e-optimal": EOptimality()}


def covariance(mechanism: Mechanism, pi: list[Fraction]) -> np.ndarray:
    """Return that of the efficient estimate of pi from one answer, by its definition, in floats."""
    p, shares = np.array(mechanism.matrix, dtype=float), np.array([float(x) for x in pi])
    means = p @ shares
    inverse = np.linalg.inv((p / means[:, None]).T @ p)
    estimates = (p / means[:, None]) @ inverse  # one row for each answer: unbiased
    assert np.allclose(estimates.T @ p, np.eye(len(pi)), atol=1e-6)
    return (estimates * means[:, None]).T @ estimates - np.outer(shares, shares)


def test_the_values_are_those_of_the_covariance(rng: random.Random) -> None:
    """The determinant of k - 1 shares, whichever is left out; the largest eigenvalue; both by NumPy."""
    for k in (2, 3, 4):
        pi = population(rng, k, zeros=False)
        mechanism = subsets(k, 1, F(rng.randint(11, 90), 10))
        v = covariance(mechanism, pi)
        for j in range(k):
            kept = [i for i in range(k) if i != j]
            expected = -np.linalg.slogdet(v[np.ix_(kept, kept)])[1]
            assert float(DOptimality().value(mechanism, pi)) == pytest.approx(expected, rel=1e-6, abs=1e-6)
        top = np.linalg.eigvalsh(v)[-1]
        assert float(EOptimality().value(mechanism, pi)) == pytest.approx(top, rel=1e-8)


@pytest.mark.parametrize(
    ("level", "shares", "value"),
    [
        ("log(3)", "1/2,1/3,1/6", "79/36"),
        ("log(3)", "2/5,3/10,1/5,1/10", "47/20"),
        ("log(2)", "1/4,1/6,1/6,1/6,1/12,1/12,1/24,1/24", "225/32"),
    ],
)
def test_equal_variances_of_all_contrasts_are_exact(level: str, shares: str, value: str) -> None:
    """The optimum is rational, and its certificate proves both bounds; the eigenvalues are compared by NumPy."""
    pi = [F(x) for x in shares.split(",")]
    solution = rropt.solve(problem(level, EOptimality(), pi), fast=True)
    assert solution.lower == solution.upper == F(value)
    assert rropt.check(solution.certificate)
    eigenvalues = np.linalg.eigvalsh(covariance(solution.mechanism, pi))
    assert eigenvalues[1:] == pytest.approx(float(F(value)), rel=1e-9)
    document = json.loads(solution.certificate.text)
    document["claim"].update(lower=str(F(value) + F(1, 10**30)), upper=str(F(value) + F(1, 10**29)))
    assert not rropt.check(json.dumps(document))


def test_unequal_variances_are_not_called_equal() -> None:
    """At a large level the program still has a vertex, whose Q has a negative eigenvalue: it proves no bound."""
    pi = [F(1, 2), F(1, 3), F(1, 6)]
    asked = problem("log(8)", EOptimality(), pi)
    plan = RayProblem(asked, asked.region.bracket(20))
    assert equal_variances(plan.fan, pi) is None
    assert _squares([[F(1), F(2)], [F(2), F(1)]]) is None
    assert _squares([[F(0), F(1)], [F(1), F(0)]]) is None
    solution = rropt.solve(asked, fast=True)
    eigenvalues = np.linalg.eigvalsh(covariance(solution.mechanism, pi))
    assert float(solution.value) == pytest.approx(eigenvalues[-1], rel=1e-9)
    assert eigenvalues[1] < 0.999 * eigenvalues[2]


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(OBJECTIVES, reverse=True))
def test_what_floats_lose_at_the_largest_level_is_not_called_optimal(kind: str) -> None:
    """A category that nobody is in, at epsilon = 100: no weight is distinguished from 0, and the bracket shows it."""
    pi = [F(8, 23), F(0), F(6, 23), F(9, 23)]
    solution = rropt.solve(problem("100", OBJECTIVES[kind], pi))
    assert solution.problem.region.contains(solution.mechanism)
    assert solution.is_closed == (solution.gap <= abs(solution.value) / 10**6)


def test_check_states_the_objective(cli: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    for kind, words in (("d-optimal", "ln det M"), ("e-optimal", "worst contrast")):
        proof = tmp_path / "proof.json"
        proof.write_text(rropt.solve(problem("log(3)", OBJECTIVES[kind], [F(1, 2)] * 2), fast=True).certificate.text)
        status, out, _ = cli("check", str(proof))
        assert status == 0
        assert words in " ".join(out.split())
