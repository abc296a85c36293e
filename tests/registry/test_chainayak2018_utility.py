"""The registry of Chai and Nayak (2018), sections 4 to 6: garbling, admissibility, the trace."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from shared_outcomes import Claims

from rropt.claims import run_claim
from rropt.claims.claim import sides
from rropt.claims.domains import points
from rropt.designs.orders import admissible, dominate
from rropt.mechanisms import Mechanism
from rropt_proofs import _matrices
from rropt_proofs.chainayak2018 import _step_rows as steps
from rropt_proofs.chainayak2018 import _sufficiency as sufficiency
from rropt_proofs.chainayak2018 import _sufficiency_members as members

CLAIMS = Claims(["chainayak2018"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entry", "dropped"),
    [
        ("theorem-4.4b", 1),  # p_ii <= gamma p_ij
        ("theorem-4.2", 1),  # C1
        ("theorem-4.2", 2),  # C2
        ("lemma-4.4", 2),  # not C2
        ("corollary-4.1", 2),  # P outside C_gamma^0
        ("sec-4-condition-number", 2),  # parity at most gamma
    ],
)
def test_the_assumptions_are_needed(entry: str, dropped: int) -> None:
    claim, _ = CLAIMS[f"chainayak2018.{entry}"]
    kept = tuple(condition for i, condition in enumerate(claim.assumptions) if i != dropped)
    variables = claim.variables
    if entry in ("theorem-4.2", "lemma-4.4"):
        variables = {**variables, "case": members.MEMBERS}
    outcome = run_claim(replace(claim, assumptions=kept, variables=variables, proof=None, correction=None))
    assert outcome.verdict == "fails"


def test_every_reading_of_the_printed_merging_matrix() -> None:
    """However the blocks are read, C* A is not P*, or C* is no TPM, or the shapes do not fit."""
    rows = _matrices.matrix("1/2 1/4; 1/4 1/8; 1/8 1/8; 1/8 1/2")
    m = len(rows)
    merged = _matrices.matrix("3/4 3/8; 1/8 1/8; 1/8 1/2")
    readings = []
    for n in (m - 3, m - 2, m - 1, m):
        unit = _matrices.identity(n)
        zero, one = Fraction(0), Fraction(1)
        for first in ((one,) * n, (one, *(zero,) * (n - 1))):  # the upper right 1: a row of ones, or one 1
            readings.append(((one, *first), (zero,) * (n + 1), *((zero, *row) for row in unit)))
        below = tuple((zero, zero, *row) for row in unit)
        readings.append(((one, one, *(zero,) * n), (zero,) * (n + 2), *below))  # the upper left block has order 2
    fitting = [c for c in readings if len(c[0]) == m]
    assert len(readings) == 12
    assert len(fitting) >= 3
    for c in fitting:
        assert _matrices.product(c, rows) != merged
    assert [len(c) for c in fitting if _matrices.is_tpm(c)] == [m]
    assert steps.blocks(rows, steps.PRINTED) in fitting
    right = steps.blocks(rows, steps.SHORTER)
    assert (len(right), len(right[0])) == (m - 1, m)
    assert _matrices.product(right, rows) == merged


@pytest.mark.slow
def test_both_gaps_in_the_proof_of_lemma_4_2_are_seen() -> None:
    """D is not unique, and P may have proportional rows; never is some D a TPM."""
    claim, _ = CLAIMS["chainayak2018.lemma-4.2-proof"]
    wrong: dict[str, int] = {}
    for point in points(claim.variables, 400):
        if all(condition.holds(point) for condition in claim.assumptions):
            step = point["step"]
            says, is_ = sides(claim.rows(point))
            wrong[step] = wrong.get(step, 0) + (says != is_)
    assert wrong[steps.UNIQUE] >= 10
    assert wrong[steps.PROPORTIONAL] >= 1
    assert wrong[steps.NONE] == wrong[steps.BUILT] == wrong[steps.INVERSE] == 0


def test_the_printed_a_j_is_right_for_two_categories_only() -> None:
    card = CLAIMS["chainayak2018.theorem-4.4-proof"][0].card
    assert card is not None
    tried = 0
    for point in card.printed.points():
        assert all(row.is_true(point) for row in card.printed.rows) == (point["k"] == 2)
        tried += 1
    assert tried >= 50


@pytest.mark.slow
def test_admissibility_by_programs_agrees_with_the_conditions(
    rng: random.Random, size: Callable[[int, int], int]
) -> None:
    """The route of the registry against the library's, and both dominating procedures against each other's order."""
    yes = no = 0
    for _ in range(size(30, 1500)):
        member = members.draw_member(rng)
        rows, gamma = member["P"], member["gamma"]
        if not sufficiency.in_class(rows, gamma):
            continue
        mechanism = Mechanism(rows)
        answer = admissible(mechanism, f"log({gamma})", fast=True)
        assert bool(answer) == sufficiency.is_admissible(rows, gamma)
        if answer:
            yes += 1
            continue
        no += 1
        written = dominate(mechanism, gamma).mechanism.matrix
        assert sufficiency.strictly_better(written, rows)
        assert sufficiency.strictly_better(sufficiency.refined(rows, gamma), rows)
    assert min(yes, no) >= size(4, 10)


def test_the_extreme_rows_are_the_patterns() -> None:
    """Vertex enumeration against the 2^k - 2 patterns {1, gamma}."""
    for k in (2, 3, 4):
        for gamma in (Fraction(101, 100), Fraction(3)):
            found = sufficiency.extreme_rows(k, gamma)
            assert len(found) == 2**k - 2
            assert all(max(row) == gamma * min(row) and len(set(row)) == 2 for row in found)


def test_a_row_of_responses_that_say_nothing_is_not_optimal() -> None:
    """Two rows, one constant, would be proportional: Lemma 4.3 never leaves a single response."""
    assert not sufficiency.in_class(_matrices.matrix("1/3 1/3; 2/3 2/3"), Fraction(2))
    claim, _ = CLAIMS["chainayak2018.lemma-4.3"]
    least = min(
        len(point["case"]["P"])
        for point in points(claim.variables, claim.count)
        if all(condition.holds(point) for condition in claim.assumptions)
    )
    assert least == 3
