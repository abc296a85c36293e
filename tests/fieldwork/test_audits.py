"""Audits of black boxes: published figures, false alarms by enumeration, defects that samples show, and files."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from few_rows import few_rows

import rropt
from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Epsilon
from rropt_fieldwork import audit_counts
from rropt_fieldwork.audits import events, samples_needed
from rropt_fieldwork.audits.refutations import (
    NullHypothesis,
    best_bet,
    is_refuted_by_pairs,
    log_e_value,
    lower_probability,
    refuted_by_pairs,
    refuted_by_tails,
    shares,
    upper_probability,
)


@pytest.mark.parametrize(("n", "least"), [(10**6, 1.093), (10_700_000, 1.0965)])
@pytest.mark.parametrize("event", [None, ["0"]])
def test_randomized_response_at_log_3(n: int, least: float, event: list[str] | None) -> None:
    """Expected counts of Warner's device with 3/4; n samples of each input."""
    counts = [[3 * n // 4, n // 4], [n // 4, 3 * n // 4]]
    found = audit_counts(counts, claim="log(3)", event=event)
    assert least <= found.epsilon_at_least < math.log(3)
    assert found.refuted is False
    assert audit_counts(counts, claim=1, event=event).refuted


@pytest.mark.parametrize("seed", range(3))
def test_many_categories(seed: int) -> None:
    """k-ary randomized response, k = 2925, epsilon = 14: the set is one response out of 2925."""
    k, n = 2925, 10**6
    p = math.exp(14) / (math.exp(14) + k - 1)
    kept = round(n * p)
    counts = np.zeros((2, k), int)
    counts[0, 0] = counts[1, 1] = kept
    counts[0, 1] = counts[1, 0] = 1  # expected: 0.83
    counts[:, 2 : n - kept + 1] = 1
    found = audit_counts(counts.tolist(), claim="13", rng=seed)
    assert 12.0 <= found.epsilon_at_least < 14
    assert len(found.event) == 1
    assert found.refuted is False


@pytest.mark.parametrize("method", ["clopper-pearson", "e-value"])
@pytest.mark.parametrize("row", [[5, 5], [10**6, 10**6], [1, 0, 99], [3000, 50, 7, 0, 12]])
def test_equal_counts_give_exactly_0(method: str, row: list[int]) -> None:
    for seed in range(20):
        found = audit_counts([row, row, row], claim="1/100", method=method, rng=seed)
        assert (found.epsilon_at_least, found.refuted, found.gamma) == (0, False, 1)


@pytest.mark.parametrize(("n", "gamma", "delta"), [(6, 1.0, 0.0), (25, 2.0, 0.0), (60, 1.5, 0.1), (200, 3.0, 0.0)])
def test_false_alarms_of_tails_by_enumeration(n: int, gamma: float, delta: float) -> None:
    """The chance that the level gamma is refuted where it is the true one, summed over all counts."""
    from scipy import stats

    alpha, hits, worst = 0.05, np.arange(n + 1), 0.0
    low, high = lower_probability(n, hits, alpha / 2), upper_probability(n, hits, alpha / 2)
    rejects = low[:, None] - delta >= gamma * high[None, :]
    for q in np.linspace(0, (1 - delta) / gamma, 101):
        p = min(gamma * q + delta, 1.0)
        weights = np.outer(stats.binom.pmf(hits, n, p), stats.binom.pmf(hits, n, q))
        worst = max(worst, float(weights[rejects].sum()))
    assert worst <= alpha
    assert rejects.any() or n < 10
    assert upper_probability(n, 0, 1e-30) == pytest.approx(-math.expm1(-30 * math.log(10) / n))


@pytest.mark.parametrize("n", [8, 20])
def test_proved_levels_are_those_of_the_enumeration(n: int) -> None:
    """What ``audit`` reports never exceeds the bounds of Clopper and Pearson, for every pair of counts."""
    tried = 0
    for a, b in product(range(0, n + 1, 1 if n < 10 else 4), repeat=2):
        test = NullHypothesis(Fraction(0), Fraction(1, 20))
        found = refuted_by_tails((n, n), (a, b), test)
        exact = float(lower_probability(n, a, 0.025) / upper_probability(n, b, 0.025))
        assert (found is None) == (exact <= 1 + 1e-9)
        if found is not None:
            assert found <= exact * (1 + 1e-12)
            assert found > exact * (1 - 1e-4)
            tried += 1
    assert tried >= 3


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize(("p", "q"), [(0.5, 0.25), (0.9, 0.45), (0.02, 0.01)])
def test_false_alarms_of_e_values_by_enumeration(p: float, q: float) -> None:
    """The expectation of E over all counts of 30 independent pairs is at most 1, and so is 20 Pr(E >= 20)."""
    from scipy import stats

    n, test = 30, NullHypothesis(Fraction(0), Fraction(1, 20))
    bet = float(best_bet(n, 0.9, 0.05, test))
    cells = [p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)]
    mean, alarms, listed = 0.0, 0.0, 0
    for counts in product(range(n + 1), repeat=3):
        if sum(counts) <= n:
            whole = (*counts, n - sum(counts))
            chance = float(stats.multinomial.pmf(whole, n, cells))
            value = math.exp(log_e_value(whole, min(bet, 0.5), 2.0, 0.0))
            mean, alarms, listed = mean + chance * value, alarms + chance * (value >= 20), listed + 1
    assert mean <= 1 + 1e-9
    assert alarms <= 0.05
    assert listed == math.comb(n + 3, 3)


def test_e_values_are_proved() -> None:
    test = NullHypothesis(Fraction(1, 100), Fraction(1, 20), 3)
    bet = best_bet(1000, 0.7, 0.2, test)
    found = refuted_by_pairs((150, 550, 60, 240), bet, test)
    assert found is not None
    assert 2 < found < 3.5
    assert log_e_value((150, 550, 60, 240), float(bet), float(found), 0.01) >= math.log(60) - 1e-6
    test = NullHypothesis(Fraction(0), Fraction(1, 20))  # at gamma = 1/lambda one pair with only the second loses all
    assert [is_refuted_by_pairs((0, 20, n, 2), Fraction(1, 4), test, Fraction(4)) for n in (0, 1)] == [True, False]


def _drawn(matrix: list[list[float]], n: int, rng: np.random.Generator) -> list[list[int]]:
    """Return counts of n samples of each input of a box: a row of chances for each input."""
    return [rng.multinomial(n, row).tolist() for row in matrix]


DEFECTS = {
    "p + (1 - p) p in the place of p": [[0.75 + 0.25 * 0.75, 0.0625], [0.0625, 0.9375]],
    "a biased sampler": [[0.80, 0.20], [0.25, 0.75]],
    "a forbidden zero": [[0.74, 0.01, 0.25], [0.25, 0.0, 0.75]],
    "a sampler in floats with 4 bits": [[13 / 16, 3 / 16], [3 / 16, 13 / 16]],
}


@pytest.mark.parametrize("method", ["clopper-pearson", "e-value"])
@few_rows(1)
@pytest.mark.parametrize("defect", sorted(DEFECTS))
def test_defects_are_found(defect: str, method: str) -> None:
    found = [
        audit_counts(_drawn(DEFECTS[defect], 100_000, np.random.default_rng(seed)), claim="log(3)", method=method)
        for seed in range(3)
    ]
    assert all(each.refuted for each in found)
    correct = _drawn([[0.75, 0.25], [0.25, 0.75]], 100_000, np.random.default_rng(0))
    assert not audit_counts(correct, claim="log(3)", method=method).refuted


def test_several_inputs_and_tests() -> None:
    """The pair with the defect is found among twelve; several tests share alpha."""
    rng = np.random.default_rng(5)
    matrix = [[0.4, 0.2, 0.2, 0.2], [0.2, 0.4, 0.2, 0.2], [0.2, 0.2, 0.4, 0.2], [0.28, 0.28, 0.02, 0.42]]
    counts = _drawn(matrix, 50_000, rng)
    found = audit_counts(counts, claim="log(2)")
    assert (found.inputs, found.event, found.refuted) == (("2", "3"), ("2",), True)
    several = audit_counts(counts, claim="log(2)", tests=5)
    assert several.refuted
    assert several.epsilon_at_least < found.epsilon_at_least
    assert several.tests == 5


def test_delta_of_the_claim() -> None:
    """A response that reveals the input with chance 1/20 is allowed by delta = 1/20, and not by less."""
    counts = [[5_000, 71_250, 23_750], [0, 23_750, 71_250]]
    assert audit_counts(counts, claim="log(3)").refuted
    assert not audit_counts(counts, claim="log(3)", delta="1/20").refuted
    assert audit_counts(counts, claim=1, delta="1/25").refuted


@pytest.mark.slow
def test_samples_needed() -> None:
    """Simulated audits of the number of samples refute the claim about as often as is promised."""
    needed = samples_needed("warner:3/4", 1, power="0.9")
    assert "(`pair`, `event`)" in needed.remarks()[0]
    rng, alarms = np.random.default_rng(1), 0
    for _ in range(40):
        counts = _drawn([[0.75, 0.25], [0.25, 0.75]], needed.n, rng)
        alarms += bool(audit_counts(counts, claim=1, event=["0"]).refuted)
    assert alarms >= 32


def test_the_power_is_reached_at_the_number_of_samples() -> None:
    """By all counts of two binomials; the numbers of further questions were computed once."""
    from scipy import stats

    found = samples_needed("warner:9/10", 1, delta="1/50", power="0.8")
    hits = np.arange(found.n + 1)
    low, high = lower_probability(found.n, hits, 0.025), upper_probability(found.n, hits, 0.025)
    weights = np.outer(stats.binom.pmf(hits, found.n, 0.9), stats.binom.pmf(hits, found.n, 0.1))
    assert weights[low[:, None] - 0.02 >= math.e * high[None, :]].sum() >= 0.8
    more = [samples_needed("warner:3/4", 1, **each) for each in ({}, {"power": "1/2"}, {"confidence": "0.99"})]
    asked = [found, *more, samples_needed("grr:3,4/5", 1, delta="1/50", power="0.7")]
    assert [each.n for each in asked] == [66, 7040, 3840, 9632, 77]
    assert [each.inputs for each in asked] == [(0, 1), (0, 1), (0, 1), (1, 0), (0, 2)]
    assert {each.event for each in asked} == {(0,), (1,)}
    with pytest.raises(InvalidParameterError, match="no number of samples"):
        samples_needed("warner:3/4", "log(3)")


def test_the_part_that_chooses_the_set() -> None:
    """A fifth, at most 50 000 of each input, a proportion or a number; the rest is tested."""
    small, large = [[400, 600], [100, 900]], [[400_000, 600_000], [100_000, 900_000]]
    for counts, explore, size in ((small, None, 200), (large, None, 50_000), (small, "0.1", 100), (small, 70, 70)):
        found = audit_counts(counts, claim=1, explore=explore)
        n = sum(counts[0])
        assert (found.explored, found.samples, found.event) == ((size, size), (n - size, n - size), ("0",))
    assert audit_counts(small, explore=1).explored == (1, 1)
    part, test = np.array([[45, 45, 10], [10, 10, 80]]), NullHypothesis(Fraction(0), Fraction(1, 20))
    (best,) = events.best_candidates(part, part, test, [(0, 1)], None)
    assert best.event == (0, 1)  # half a response is added for the second
    assert best.chances[0] == pytest.approx(float(lower_probability(100, 90, 0.16)))
    assert best.chances[1] == pytest.approx(float(upper_probability(100, 20.5, 0.16)))
    assert [15 * share for share in shares(Fraction(1, 3), Fraction(1, 5))] == [1, 4, 2, 8]


def test_files_and_the_command(cli, tmp_path: Path) -> None:
    data = tmp_path / "samples.csv"
    data.write_text("x,y\n" + "a,yes\n" * 900 + "b,yes\n" * 200 + "a,no\n" * 100 + "b,no\n" * 800)
    words = ["audit", str(data), "--input", "x", "--column", "y", "--claim", "1/2"]
    status, out, _ = cli(*words, "--json")
    found = json.loads(out)
    assert (status, found["refuted"], found["confidence"]) == (1, True, "19/20")
    assert float(found["decimals"]["epsilon_at_least"]) > 0.5
    assert "certificate" not in found
    assert cli(*words[:-1], "3")[0] == 0
    assert cli(*words[:-2], "--interval", "e-value")[0] == 0
    assert cli("audit", "--counts", "9,1", "--counts", "1,9", "--event", "0", "--claim", "1/10")[0] == 1
    assert cli("audit", "--mechanism", "warner:3/4", "--claim", "1")[0] == 0


def test_records_are_judged() -> None:
    found = audit_counts([[900, 100], [200, 800]], claim=1, event=["0"])
    record = found.to_dict()
    assert type(found).from_dict(record).gamma == found.gamma
    for key, value in [("gamma", "5"), ("confidence", "99/100"), ("hits", [800, 200]), ("tests", 2)]:
        with pytest.raises(FileFormatError):
            type(found).from_dict({**record, key: value})
    with pytest.raises(UnsupportedProblemError, match="too large"):
        audit_counts([[10**10, 1], [1, 10**10]])
    with pytest.raises(InvalidParameterError, match="infinite"):
        audit_counts([[5, 5], [5, 5]], claim=rropt.exact.Epsilon("infinite"))


def test_the_limit_of_pairs_is_that_of_ordered_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    test, counts = NullHypothesis(Fraction(0), Fraction(1, 20)), np.full((5, 2), 50)
    monkeypatch.setattr(events, "_MOST_PAIRS", 12)
    assert len(events.best_candidates(counts[:4], counts[:4], test, None, (0,))) == 1
    monkeypatch.setattr(events, "_MOST_PAIRS", 19)
    with pytest.raises(UnsupportedProblemError, match="received 5 inputs"):
        events.best_candidates(counts, counts, test, None, (0,))


def test_a_claim_at_the_bound_is_refuted_and_the_bound_is_rounded_down() -> None:
    found = audit_counts([[900, 100], [200, 800]], claim=1, event=["0"])
    assert replace(found, claim=Epsilon.of(f"log({found.gamma})")).refuted is True
    assert replace(found, claim=Epsilon.of(0), gamma=Fraction(1)).refuted is False  # nothing is refuted
    assert Epsilon.of(found.epsilon_at_least).gamma_bracket(30).upper <= found.gamma
    assert (found.explored, audit_counts([[900, 100], [200, 800]]).explored) == ((0, 0), (200, 200))
