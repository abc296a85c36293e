"""From counts to estimates: published figures, exact expectations, and restatements that must not move a number."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.inference import estimate
from rropt.inference.hypothesis_tests import value_test
from rropt.mechanisms import Mechanism, named_mechanism

from .outcomes import answer_shares, compositions, multinomial

# (mechanism, answers 1, answers, prevalence, standard error or None): published figures to the digits printed.
# Nigeria: Blair, Imai and Zhou 2015, R package rr. Plagiarism: Jann, Jerke and Krumpal, package GLMMRR (crosswise).
SURVEYS = [
    ("forced:2/3,1/6,1/6", 831, 2435, "0.261910", "0.014413"),
    ("crosswise:1/4", 198, 310, "0.222581", None),
    ("crosswise:1/4", 230, 310, "0.016129", None),
]

# ETHBE (Hoeglinger, Jann and Diekmann 2016, GLMMRR), "CM pick-a-number", item "copied": p, answers 1, answers.
COPIED = [("1/6", 114, 172), ("1/4", 104, 172), ("3/4", 72, 170), ("5/6", 71, 192)]


@pytest.mark.parametrize(("name", "yes", "n", "prevalence", "error"), SURVEYS)
def test_published_surveys(name: str, yes: int, n: int, prevalence: str, error: str | None) -> None:
    result = estimate(named_mechanism(name), yes=yes, n=n)
    assert f"{float(result.prevalence):.6f}" == prevalence
    assert error is None or f"{result.standard_error:.6f}" == error
    assert result.constrained_estimate[1] == result.prevalence
    assert result.likelihood_gap == 0
    assert result.remarks() == ()


def test_published_standard_errors_are_plug_in() -> None:
    """Nigeria's 0.014413 divides by n; the unbiased variance, over n - 1, rounds to another number."""
    nigeria = estimate(named_mechanism("forced:2/3,1/6,1/6"), yes=831, n=2435)
    assert f"{nigeria.standard_error:.6f}" == "0.014413"
    assert nigeria.unbiased_standard_errors is not None
    share, n = Fraction(831, 2435), 2435
    warner = math.sqrt(share * (1 - share) / (n - 1)) / (2 / 3)
    assert nigeria.unbiased_standard_errors[1] == pytest.approx(warner, rel=1e-14)
    assert f"{warner:.6f}" == "0.014416"
    assert estimate(named_mechanism("warner:3/4"), yes=1, n=1).unbiased_standard_errors is None


@pytest.mark.parametrize("name", ["warner:3/4", "forced:2/3,1/6,1/6", "grr:3,1/2"])
def test_variance_over_n_less_one_is_unbiased(name: str) -> None:
    """Summed exactly over all counts: the plug-in variance is (n - 1)/n of the true one."""
    mechanism, n = named_mechanism(name), 4
    k = mechanism.inputs
    population = [Fraction(j + 1, k * (k + 1) // 2) for j in range(k)]
    shares = answer_shares(mechanism, population)
    c = tuple(Fraction(j == 0) for j in range(k))
    chances = [(multinomial(counts, shares), estimate(mechanism, counts)) for counts in compositions(n, k)]
    assert sum(chance for chance, _ in chances) == 1
    mean = sum(chance * found.value(c) for chance, found in chances)
    true = sum(chance * (found.value(c) - mean) ** 2 for chance, found in chances)
    assert sum(chance * (found.unbiased_variance(c) or 0) for chance, found in chances) == true
    assert sum(chance * found.variance(c) for chance, found in chances) == true * (n - 1) / n


@pytest.mark.parametrize(("p", "yes", "n"), COPIED)
def test_crosswise_on_both_sides_of_one_half(p: str, yes: int, n: int) -> None:
    # lambda = pi p + (1 - pi)(1 - p): below p = 1/2 the answer "same" speaks against the item
    exact, share = Fraction(p), Fraction(yes, n)
    result = estimate(named_mechanism(f"crosswise:{p}"), yes=yes, n=n)
    assert result.prevalence == (share - (1 - exact)) / (2 * exact - 1)
    assert result.standard_error == pytest.approx(math.sqrt(share * (1 - share) / n) / abs(2 * exact - 1), rel=1e-14)


def test_outside_the_unit_interval() -> None:
    # ETHBE, forced response by pick-a-number, "handed in someone else's work": 44 of 350, fewer than the die forces
    result = estimate(named_mechanism("forced:2/3,1/6,1/6"), yes=44, n=350)
    assert result.prevalence == (Fraction(44, 350) - Fraction(1, 6)) / Fraction(2, 3) < 0
    assert result.constrained_estimate == (1, 0)
    assert result.likelihood_gap == 0
    (remark,) = result.remarks()
    assert "outside [0, 1]" in remark
    assert "more extreme than a prevalence that is 0 makes expected" in remark
    above = estimate(named_mechanism("forced:2/3,1/6,1/6"), yes=349, n=350)
    assert above.constrained_estimate == (0, 1)
    assert "outside [0, 1]" in above.remarks()[0]
    assert "more extreme than a prevalence that is 1 makes expected" in above.remarks()[0]
    (remark,) = estimate("grr:3,1/2", [60, 25, 15]).remarks()  # 7/5, 0 and -2/5
    assert remark.startswith("the unbiased estimate is negative for category 2: it lies outside the simplex")


def test_one_category_has_no_prevalence() -> None:
    result = estimate(Mechanism([["1/2"], ["1/2"]]), [3, 7])
    assert result.estimate == (1,)
    assert not any("outside" in remark for remark in result.remarks())


def test_equal_answers_are_remarked() -> None:
    result = estimate(named_mechanism("warner:1"), yes=0, n=20)
    assert result.standard_error == 0
    assert any("all 20 responses are equal" in remark for remark in result.remarks())


@pytest.mark.slow
def test_unbiased_and_covariance_by_enumeration(random_mechanism: Callable[[int, int], Mechanism]) -> None:
    """E[estimate] = pi and E[plug-in covariance] = (n - 1)/n times the covariance, over all outcomes, exactly."""
    points = 0
    for m, k, n in ((2, 2, 5), (3, 2, 4), (3, 3, 4), (4, 3, 3), (5, 2, 3)):
        mechanism = random_mechanism(m, k)
        population = [Fraction(j + 1, k * (k + 1) // 2) for j in range(k)]
        shares = answer_shares(mechanism, population)
        mean = [Fraction(0)] * k
        second = [[Fraction(0)] * k for _ in range(k)]
        plugged = [[Fraction(0)] * k for _ in range(k)]
        for counts in compositions(n, m):
            weight = multinomial(counts, shares)
            result = estimate(mechanism, counts)
            covariance = result.covariance()
            assert sum(result.estimate) == 1
            for i in range(k):
                mean[i] += weight * result.estimate[i]
                for j in range(k):
                    second[i][j] += weight * result.estimate[i] * result.estimate[j]
                    plugged[i][j] += weight * covariance[i][j]
            points += 1
        assert mean == population
        for i in range(k):
            for j in range(k):
                assert plugged[i][j] == Fraction(n - 1, n) * (second[i][j] - mean[i] * mean[j])
    assert points == 6 + 15 + 15 + 20 + 35


def test_reference_population_is_where_the_variance_is_least(random_mechanism: Callable[[int, int], Mechanism]) -> None:
    """At its own reference distribution no other reference gives less variance, and M^-1 - r r^T is attained."""
    mechanism = random_mechanism(5, 3)
    here, there = ("1/10", "2/10", "7/10"), ("4/10", "3/10", "3/10")
    shares = answer_shares(mechanism, [Fraction(r) for r in here])
    denominator = math.lcm(*(share.denominator for share in shares))
    counts = [int(share * denominator) for share in shares]  # as if the answers came in exactly as expected
    best, other = estimate(mechanism, counts, reference=here), estimate(mechanism, counts, reference=there)
    assert best.estimate == other.estimate == tuple(Fraction(r) for r in here)
    compared = 0
    for contrast in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, -1, 0), (1, 2, 3)):
        c = tuple(map(Fraction, contrast))
        assert best.variance(c) < other.variance(c)
        compared += 1
    assert compared == 5
    P = np.array([[float(p) for p in row] for row in mechanism.matrix])
    r = np.array([float(Fraction(x)) for x in here])
    bound = np.linalg.inv(P.T @ np.diag(1 / (P @ r)) @ P) - np.outer(r, r)
    assert np.allclose(np.array(best.covariance(), dtype=float) * sum(counts), bound, rtol=1e-9)


def test_variance_is_the_quadratic_form_of_the_covariance(random_mechanism: Callable[[int, int], Mechanism]) -> None:
    result = estimate(random_mechanism(4, 3), [5, 17, 2, 9])
    covariance, c = result.covariance(), (Fraction(1), Fraction(-2), Fraction(1, 3))
    assert result.variance(c) == sum(c[i] * c[j] * covariance[i][j] for i in range(3) for j in range(3))
    assert result.standard_errors == pytest.approx([math.sqrt(covariance[j][j]) for j in range(3)], rel=1e-15)


@given(
    st.fractions(0, 1, max_denominator=30),
    st.fractions(0, 1, max_denominator=30),
    st.integers(1, 200),
    st.integers(0, 200),
)
def test_binary_formula_and_relabelling(p00: Fraction, p11: Fraction, n: int, yes: int) -> None:
    yes = min(yes, n)
    mechanism = Mechanism.binary(p00, p11)
    if p00 + p11 == 1:  # at (1, 0) and (0, 1) one of the answers may be impossible as well
        with pytest.raises((InfeasibleError, InvalidParameterError), match=r"p00 \+ p11 = 1|impossible"):
            estimate(mechanism, yes=yes, n=n)
        return
    result = estimate(mechanism, yes=yes, n=n)
    assert result.prevalence == (Fraction(yes, n) - (1 - p00)) / (p00 + p11 - 1)
    assert result.constrained_estimate[1] == min(max(result.prevalence, Fraction(0)), Fraction(1))
    assert result.likelihood_gap == 0
    swapped = estimate(Mechanism.binary(1 - p00, 1 - p11), yes=n - yes, n=n)  # answers 0 and 1 change names
    assert swapped.estimate == result.estimate
    assert swapped.covariance() == result.covariance()
    assert swapped.constrained_estimate == result.constrained_estimate


def test_restatements_do_not_move_the_estimate(
    random_mechanism: Callable[[int, int], Mechanism], rng: random.Random, size: Callable[[int, int], int]
) -> None:
    """Relabel categories, permute answers, split an answer by a coin: the same estimate and covariance."""
    trials = 0
    for _ in range(size(20, 300)):
        m, k = rng.choice([(2, 2), (3, 2), (3, 3), (5, 3), (4, 4)])
        mechanism = random_mechanism(m, k)
        counts = [rng.randint(0, 40) + 1 for _ in range(m)]
        result = estimate(mechanism, counts)
        columns, rows = rng.sample(range(k), k), rng.sample(range(m), m)
        relabelled = Mechanism([[row[j] for j in columns] for row in mechanism.matrix])
        again = estimate(relabelled, counts)
        assert again.estimate == tuple(result.estimate[j] for j in columns)
        permuted = Mechanism([mechanism.matrix[i] for i in rows])
        assert estimate(permuted, [counts[i] for i in rows]).estimate == result.estimate
        share, part = Fraction(rng.randint(1, 9), 10), rng.randint(0, counts[0])
        split = [[share * p for p in mechanism.matrix[0]], [(1 - share) * p for p in mechanism.matrix[0]]]
        divided = estimate(Mechanism([*split, *mechanism.matrix[1:]]), [part, counts[0] - part, *counts[1:]])
        assert divided.estimate == result.estimate
        assert divided.covariance() == result.covariance()
        trials += 1
    assert trials == size(20, 300)


def test_impossible_answers_and_zero_rows() -> None:
    matrix = [["1/2", "1/4"], ["1/2", "3/4"], [0, 0]]
    result = estimate(Mechanism(matrix), [60, 40, 0])
    assert result.estimate == estimate(Mechanism(matrix[:2]), [60, 40]).estimate
    with pytest.raises(InvalidParameterError, match="output 2 is impossible"):
        estimate(Mechanism(matrix), [60, 40, 1])
    for counts in ([60, 40], [60, 40, 0, 1], [0, 1, 2, 1]):
        with pytest.raises(InvalidParameterError, match="counts do not fit") as caught:
            estimate(Mechanism(matrix), counts)
        assert ("look like the responses" in str(caught.value)) == (counts == [0, 1, 2, 1])


def test_numpy_counts_and_one_category() -> None:
    assert estimate(named_mechanism("warner:3/4"), np.array([60, 40])).prevalence == Fraction(3, 10)
    assert estimate(named_mechanism("warner:3/4"), yes=np.int64(40), n=np.int32(100)).prevalence == Fraction(3, 10)
    assert estimate(Mechanism([["1/4"], ["3/4"]]), [9, 1]).estimate == (1,)


def test_hardly_any_information_is_refused_not_inf() -> None:
    result = estimate(Mechanism.binary("0.5", Fraction(1, 2) + Fraction(1, 10**350)), yes=3, n=4)
    with pytest.raises(InvalidParameterError, match="beyond 1e308"):
        _ = result.standard_error


def test_one_response_is_not_all_responses() -> None:
    assert "there is one response: the plug-in standard error is 0" in " ".join(
        estimate("warner:3/4", yes=1, n=1).remarks()
    )
    assert "both responses are equal: " in " ".join(estimate("warner:3/4", yes=2, n=2).remarks())
    assert not estimate("warner:3/4", yes=1, n=2).remarks()
    errors = [estimate("warner:3/4", yes=1, n=n).unbiased_standard_errors for n in (1, 2)]
    assert errors == [None, (1.0, 1.0)]


def test_the_exact_test_has_the_digits_of_a_float() -> None:
    """The regularized incomplete beta function with 200 bits; floats had nine digits here."""
    found = value_test(estimate("warner:3/4", yes=300_000_000_100_000, n=10**15), "1/10", alternative="greater")
    assert found == pytest.approx(0.497247070499364460755, rel=1e-14)
    assert value_test(estimate("warner:1", yes=5, n=50), 0) == 0
    for n, yes, tail in ((1000, 10, 6.570264e-201), (1000, 0, 1.416610e-222), (10**6, 333_333, 0)):
        rare = estimate("warner:3/4", yes=yes, n=n)
        assert value_test(rare, "0.3", alternative="less") == pytest.approx(tail, rel=1e-6, abs=0)
        assert value_test(rare, "0.3", alternative="greater") == 1  # a ball had the middle 1.68


@pytest.mark.parametrize("call", [lambda m: estimate(m, [1, 2]), lambda m: estimate(m, [1] * 5000)])
def test_a_number_of_outputs_in_a_message_is_short(call: Callable[[Mechanism], object]) -> None:
    with pytest.raises(InvalidParameterError, match=r"about 10\^1505 outputs") as refused:
        call(named_mechanism("bits:3/4*5000"))
    assert len(str(refused.value)) < 200
