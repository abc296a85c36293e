"""The registry of Chai and Nayak (2018), sections 1 to 3: verdicts, and the helpers that they rest on."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from shared_outcomes import Claims

from rropt.claims import Claim, run_claim
from rropt.mechanisms import Mechanism
from rropt.privacy.bound import judge
from rropt.privacy.criteria import rho_to_rho
from rropt_proofs._matrices import gamma_diagonal, parity
from rropt_proofs.chainayak2018 import _paper, _rows

CLAIMS = Claims(["chainayak2018"])
PRECISE = "chainayak2018.sec-3-precise"


@pytest.mark.slow
def test_each_condition_of_the_corrected_sentence_is_needed() -> None:
    claim: Claim = CLAIMS[PRECISE][0]
    assert claim.correction is not None
    for condition in claim.correction.conditions:
        weaker = replace(claim.correction, conditions=(condition,))
        assert run_claim(replace(claim, correction=weaker, proof=None)).problems


def test_the_library_breaches_where_the_ratio_of_two_entries_is_too_large(
    rng: random.Random, size: Callable[[int, int], int]
) -> None:
    """Where (1.6) fails for two entries it fails for the parity, and the library finds a breach."""
    tried = 0
    for _ in range(size(120, 2000)):
        rows = _paper.draw_matrix(rng)
        low, high = sorted(rng.sample([Fraction(i, 20) for i in range(1, 20)], 2))
        i, (j, other) = rng.randrange(len(rows)), (rng.randrange(len(rows[0])) for _ in range(2))
        if _rows.exceeded(rows, low, high, i, j, other):
            tried += 1
            assert parity(rows) > high * (1 - low) / (low * (1 - high))
            assert judge(Mechanism(rows), rho_to_rho(low, high), fast=True).breach is not None
    assert tried >= 5


def test_the_printed_matrix_has_its_parity_by_the_library() -> None:
    for eta, m, k in ((Fraction(1), 2, 2), (Fraction(3, 2), 4, 3), (Fraction(7), 5, 5)):
        assert Mechanism(gamma_diagonal(eta, m, k)).parity() == eta


def test_attained_bayes_factors_against_random_priors(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Whatever the prior, the Bayes factor is one that the row leads to, by the prior of two categories at the ends."""
    tried = 0
    for _ in range(size(150, 3000)):
        row = tuple(Fraction(rng.randint(1, 9)) for _ in range(rng.randint(2, 4)))
        weights = [rng.randint(0, 9) for _ in row]
        event = [j for j in range(len(row)) if rng.random() < 0.5]
        rest = [j for j in range(len(row)) if j not in event]
        inside, outside = sum(weights[j] for j in event), sum(weights[j] for j in rest)
        if inside and outside:
            mean = sum(weights[j] * row[j] for j in event) / inside
            factor = mean * outside / sum(weights[j] * row[j] for j in rest)
            assert _rows._apart(row, factor) == 0
            tried += 1
        ratio = max(row) / min(row)
        assert _rows._apart(row, ratio) == _rows._apart(row, 1 / ratio) == 0
        assert _rows._apart(row, ratio + 1) == 1
    assert tried >= size(50, 1000)
