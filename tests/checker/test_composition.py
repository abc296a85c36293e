"""The statement composition: laws on a lattice against the enumeration of every answer, many items, and limits."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from fractions import Fraction
from math import prod

import pytest
from every_case import every_case

from rropt.checker import check_text
from rropt.checker.brackets import LevelBracket
from rropt.checker.composition import Composed, FittedLattice, lattice_bounds
from rropt.checker.documents import Rejected, WorkBudget
from rropt.checker.tail_sums import binomial_law

F = Fraction


def composed(parities: list[F], gamma: F) -> Composed:
    counts = {g: parities.count(g) for g in parities}
    parts = [(LevelBracket(g, g), n) for g, n in counts.items()]
    return Composed(parts, F(1), LevelBracket(gamma, gamma))


def oracle(parities: list[F], gamma: F) -> F:
    total = F(0)
    for yes in itertools.product((True, False), repeat=len(parities)):
        answers = list(zip(parities, yes, strict=True))
        p, q = (prod((g if one == side else F(1) for g, one in answers), start=F(1)) for side in (True, False))
        total += max(F(0), p - gamma * q)
    return total / prod((1 + g for g in parities), start=F(1))


def test_the_bounds_contain_the_enumeration(size: Callable[[int, int], int]) -> None:
    rng, narrow = random.Random(27), 0
    for _ in range(size(80, 2000)):
        parities = [F(rng.randint(11, 60), 10) for _ in range(rng.randint(0, 6))]
        gamma = max(F(1), F(rng.randint(5, 100), 10))
        r, bits = rng.choice([F(2), F(3, 2), F(11, 10), F(101, 100)]), rng.choice([1, 20, 64, 200])
        lower, upper = lattice_bounds(composed(parities, gamma), r, bits, WorkBudget())
        assert 0 <= lower <= oracle(parities, gamma) <= upper <= 1
        narrow += upper - lower < F(1, 1000)
    assert narrow >= size(10, 300)


def test_a_lattice_that_fits_bounds_every_parity_in_the_brackets(size: Callable[[int, int], int]) -> None:
    rng = random.Random(5)
    for _ in range(size(40, 1000)):
        root = F(rng.randint(101, 300), 100)
        exponents = [rng.randint(1, 4) for _ in range(rng.randint(0, 7))]
        error, bits = F(1, 10 ** rng.choice([20, 30, 40])), rng.choice([64, 100, 160])
        ends = {k: (root**k * (1 - error * rng.randint(0, 1)), root**k * (1 + error)) for k in set(exponents)}
        gamma = root ** rng.randint(0, 6) * rng.choice([F(1), F(101, 100)])
        parts = [(LevelBracket(*ends[k]), exponents.count(k)) for k in ends]
        made = FittedLattice.of(Composed(parts, F(1), LevelBracket(gamma, gamma)), root**2, bits, WorkBudget())
        assert made is not None
        lower, upper = made.lower(gamma, WorkBudget()), made.upper(gamma, WorkBudget())
        for choose in (lambda pair: pair[0], lambda pair: pair[1], rng.choice):
            assert lower <= oracle([choose(ends[k]) for k in exponents], gamma) <= upper
        assert upper - lower <= 50 * error + F(2000, 2**bits)


def test_a_lattice_that_does_not_fit_is_not_taken_for_one() -> None:
    for parity, ratio in ((F(3), F(8)), (F(3) + F(1, 10**9), F(9)), (F(11, 10), F(2))):
        assert FittedLattice.of(composed([parity] * 3, F(2)), ratio, 64, WorkBudget()) is None
    # the deviations add up: one response of this parity fits, and a thousand do not
    parts = [(LevelBracket(F(3) + F(1, 10**13), F(3) + F(1, 10**13)), n) for n in (1, 1000)]
    one, many = (
        FittedLattice.of(Composed([each], F(1), LevelBracket(F(2), F(2))), F(9), 64, WorkBudget()) for each in parts
    )
    assert one is not None
    assert many is None


def test_the_error_is_of_second_order() -> None:
    parities = [F(10 + i, 10) for i in range(1, 9)]
    exact = oracle(parities, F(3))
    gaps = []
    for r in (F(101, 100), F(201, 200), F(401, 400)):
        lower, upper = lattice_bounds(composed(parities, F(3)), r, 80, WorkBudget())
        assert lower <= exact <= upper
        gaps.append(upper - exact)
    assert gaps[2] < gaps[0] / 8


def test_many_equal_answers_equal_the_binomial_law() -> None:
    found = lattice_bounds(composed([F(11, 10)] * 400, F(50)), F(121, 100), 96, WorkBudget())
    law = binomial_law(400, 11, 10, 120, WorkBudget())
    exact = sum(
        max(F(0), F(law.weights[j - law.start], 2**120) * (1 - F(50) / F(11, 10) ** (2 * j - 400)))
        for j in range(law.start, law.start + len(law.weights))
    )
    assert found[0] <= exact + F(1, 10**20)
    assert exact <= found[1] + F(1, 10**20)
    assert found[1] - found[0] < F(1, 10**10)  # every level is a point of the lattice


def file(ratio: str, bits: str) -> str:
    made = {
        "format": "2",
        "statement": "composition",
        "problem": {"items": [{"epsilon": {"log": "3"}, "delta": "0", "count": "2"}], "epsilon": {"log": "4"}},
        "claim": {"lower": "0", "upper": "1"},
        "proof": {"brackets": [{"below": g, "above": g} for g in ("3", "4")], "ratio": ratio, "bits": bits},
    }
    return json.dumps(made)


@pytest.mark.slow
@every_case(
    ("ratio", "bits", "words"),
    [
        ("2", "64", ""),
        (f"{10**399 + 1}/{10**399}", "1", "more work|not apart"),
        (f"{10**20 + 1}/{10**20}", "1", "more work|not apart|more than"),
        (f"{10**7 + 1}/{10**7}", "64", "more than 1048576 points|more work"),
        (str(10**399), "4096", ""),
        ("9", "1", ""),
    ],
)
def test_extreme_lattices(ratio: str, bits: str, words: str) -> None:
    verdict = check_text(file(ratio=ratio, bits=bits))
    if words:
        import re

        assert re.search(words, verdict.reason), verdict
    else:
        assert verdict, verdict.reason


def test_points_that_are_not_apart_are_refused() -> None:
    with pytest.raises(Rejected, match="not apart"):
        lattice_bounds(composed([F(2**200 + 1, 2**200)], F(1)), F(2**300 + 1, 2**300), 1, WorkBudget())


@pytest.mark.slow
def test_too_many_points_are_refused() -> None:
    with pytest.raises(Rejected, match="more than 1048576 points"):
        lattice_bounds(composed([F(10**9)], F(1)), F(2**15 + 1, 2**15), 1, WorkBudget(1 << 40))
