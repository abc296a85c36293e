"""D- and E-optimal designs: theorems, definitions, another solver, and what `check` states."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from few_rows import few_rows
from support.unrestricted_outputs import population, problem, subsets

import rropt
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


@few_rows(1)
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
