"""Information of equal proportions with delta > 0: the computed bound against all chains, and what a result says."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from math import log

import pytest
from every_case import every_case

import rropt
from rropt.cli.main import main
from rropt.core.errors import FileFormatError, UnsupportedProblemError
from rropt.designs import equal_information
from rropt.designs.equal_information import ComputedDesign, InformationBound
from rropt.designs.problem import Problem, uniform
from rropt.designs.solution import Solution
from rropt.objectives import AOptimality, MutualInformation
from rropt.privacy import PrivacyRegion

F = Fraction
_KARY = "design kary --objective mutual-information"


def _uniform(k: int, epsilon: object, delta: object) -> Problem:
    return Problem(PrivacyRegion(epsilon, delta, inputs=k, outputs="any"), MutualInformation(), uniform(k))


def _multiplicities(n: int) -> Iterator[tuple[int, ...]]:
    """Yield all multiplicities of a chain with at most n positive values."""
    yield ()
    for count in range(1, n + 1):
        for rest in _multiplicities(n - count):
            yield (count, *rest)


def _point(k: int, g: float, counts: tuple[int, ...]) -> tuple[float, float]:
    """Return (t, psi) of a chain by the definitions."""
    row = [g**power for power, count in enumerate(counts) for _ in range(count)]
    row += [0.0] * (k - len(row))
    total = sum(row)
    row = [x / total for x in row]
    excess = sum(max(0.0, x - g * y) for x in row for y in row) / (k - 1)
    return excess, log(k) + sum(x * log(x) for x in row if x)


def _oracle(k: int, g: float, delta: float) -> float:
    """Return the envelope of all chains at delta by brute force, over pairs."""
    points = [_point(k, g, counts) for counts in _multiplicities(k) if counts]
    low = [(t, y) for t, y in points if t <= delta + 1e-15]
    high = [(t, y) for t, y in points if t > delta + 1e-15]
    best = max(y for _, y in low)
    for t, y in low:
        for s, z in high:
            best = max(best, y + (z - y) * (delta - t) / (s - t))
    return best


@pytest.mark.parametrize(
    ("k", "epsilon", "delta", "value"),
    [(11, "log(50)", "1/100", 1.571913823), (12, "log(50)", "1/50", 1.598731)],
)
def test_rows_of_three_values_beat_the_mixture(k: int, epsilon: str, delta: str, value: float) -> None:
    problem = Problem.kary(k, epsilon=epsilon, delta=delta, objective="mutual-information")
    solution = rropt.solve(problem, fast=True)
    assert float(solution.value) == pytest.approx(value, abs=1e-6)
    assert solution.gap < F(1, 10**11)
    assert isinstance(solution.found, ComputedDesign)
    assert solution.found.kinds[1][3] == 1  # one entry g^2


@every_case("k", [2, 3, 4, 6, 8])
@every_case("gamma", ["11/10", "3", "20"])
@every_case("delta", ["1/50", "2/5"])
def test_the_bracket_contains_the_envelope_of_all_chains(k: int, gamma: str, delta: str) -> None:
    solution = rropt.solve(_uniform(k, f"log({gamma})", delta), fast=True)
    best = _oracle(k, float(F(gamma)), float(F(delta)))
    assert float(solution.lower) == pytest.approx(best, abs=1e-12)
    assert float(solution.upper) == pytest.approx(best, abs=1e-11)


def test_any_line_is_raised_by_the_violation_of_all_chains() -> None:
    """Lines that lie too low are as tight: the oracle is the largest violation of the definitions."""
    drawn = random.Random(5)
    for k in (3, 5, 8):
        for gamma in (F(6, 5), F(3), F(25)):
            points = [_point(k, float(gamma), counts) for counts in _multiplicities(k) if counts]
            for lowered in (0.0, 1e-6, 1e-3):
                lam = drawn.uniform(0.2, 1.2) * log(k)
                mu = max(max(y - lam * t for t, y in points) - lowered, log(k) - lam, 0.0)
                violation = max(0.0, *(y - mu - lam * t for t, y in points))
                bound = float(InformationBound(k, gamma, mu, lam).at(F(1, 20)))
                exact = min(mu + lam / 20 + violation, log(k))
                assert exact - 1e-14 <= bound <= exact + 1e-11


@pytest.mark.parametrize("epsilon", ["1", "log(3)"])
def test_rays_agree_and_the_mechanism_is_private(epsilon: str) -> None:
    certified = rropt.solve(Problem.kary(3, epsilon=epsilon, delta="1/10", objective="mutual-information"), fast=True)
    computed = rropt.solve(_uniform(3, epsilon, "1/10"), fast=True)
    assert certified.status == "optimal"
    assert max(certified.lower, computed.lower) <= min(certified.upper, computed.upper)
    assert computed.problem.region.contains(computed.mechanism)
    assert computed.cvxpy_twin().agrees


def test_large_mechanisms_are_private() -> None:
    solution = rropt.solve(_uniform(400, "log(900)", "1/5"), fast=True)
    assert solution.mechanism.delta("log(900)") <= F(1, 5)
    assert len(solution.found.designs) == 1
    assert solution.is_closed


def test_a_result_does_not_claim_more_than_it_proves(capsys: pytest.CaptureFixture[str], tmp_path: object) -> None:
    assert main([*_KARY.split(), "--epsilon", "1", "--delta", "1/10", "-k", "9"]) == 0
    printed = capsys.readouterr().out
    assert "bound computed, no certificate" in printed
    assert "optimal" not in printed.lower()
    file = f"{tmp_path}/c.json"
    assert main([*_KARY.split(), "--epsilon", "1", "--delta", "1/10", "-k", "9", "--certificate", file]) == 2
    assert "this result has no certificate" in capsys.readouterr().err
    assert main([*_KARY.split(), "--epsilon", "1", "--delta", "1/10", "-k", "9", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["certificate"] is None
    assert record["status"] == "bound computed, no certificate"


def test_a_search_that_ends_early_keeps_a_valid_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    best = rropt.solve(_uniform(100, "log(6/5)", "1/10"), fast=True)
    monkeypatch.setattr(equal_information, "_MOST_PIECES", 0)
    found = rropt.solve(_uniform(100, "log(6/5)", "1/10"), fast=True)
    assert found.status == "upper bound not proved"
    assert found.upper >= best.upper
    assert found.lower == best.lower


@pytest.mark.parametrize(("epsilon", "delta"), [("100", "1/100"), ("1/1000000", "1/10"), ("2", "exp(-20)"), ("1", "1")])
def test_extreme_levels(epsilon: str, delta: str) -> None:
    solution = rropt.solve(_uniform(9, epsilon, delta), fast=True)
    assert 0 <= solution.gap < F(1, 10**12)
    assert solution.problem.region.contains(solution.mechanism)
    assert Solution.from_json(solution.to_json()) == solution


def test_records_are_computed_again() -> None:
    solution = rropt.solve(_uniform(9, "1", "1/10"))
    data = solution.to_dict()
    assert Solution.from_dict(data) == solution
    with pytest.raises(FileFormatError):
        Solution.from_dict({**data, "upper": data["lower"], "decimals": {}})
    region = PrivacyRegion("1", "1/10", inputs=9, outputs="any")
    other = rropt.solve(Problem(region, AOptimality(), uniform(9))).to_dict()
    with pytest.raises(FileFormatError, match="no certificate"):
        Solution.from_dict({**other, "certificate": None})


def test_epsilon_zero_is_refused() -> None:
    with pytest.raises(UnsupportedProblemError, match="for example to 1/1000"):
        rropt.solve(_uniform(9, "0", "1/10"))
    assert rropt.solve(_uniform(9, "1/1000", "1/10")).is_closed
