"""Rule 28: many respondents, and certificates of shuffled reports against the enumeration of all data sets."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from adversary.fuzz.shuffles import blocks_delta, event, file, worst

from rropt.checker import check_text

F = Fraction
LOG2, TARGET = {"log": "2"}, {"log": "5/4"}
ENDS = ((F(2), F(2)), (F(5, 4), F(5, 4)))


def judged(n: int, claim: tuple[F, F], witness: Any) -> Any:
    return check_text(json.dumps(file(n, LOG2, TARGET, ENDS, claim, witness)))


def test_single_data_sets_prove_the_worst_case(size: Callable[[int, int], int]) -> None:
    for n in range(1, size(8, 14)):
        exact = worst(n, F(2), F(5, 4))
        at, j, cut = max((event(n, j, s, F(2), F(5, 4)), j, s) for j in range(n) for s in range(n + 1))
        assert at == exact
        step = F(1, 10**12)
        assert judged(n, (exact - step, exact + step), (j, cut, [1] * n, 96))
        assert "data set" in judged(n, (exact + step, F(1)), (j, cut, [1] * n, 96)).reason
        assert "block" in judged(n, (F(0), exact - step), (j, cut, [1] * n, 96)).reason


def test_blocks_bound_their_data_sets() -> None:
    for sizes in ([7], [3, 4], [1, 5, 1], [2, 2, 2, 1]):
        bound = blocks_delta(sizes, F(2), F(5, 4))
        assert bound >= worst(7, F(2), F(5, 4))
        assert judged(7, (F(0), bound + F(1, 10**12)), (0, 7, sizes, 96))
        assert not judged(7, (F(0), bound - F(1, 10**12)), (0, 7, sizes, 96))


@pytest.mark.parametrize(("bits", "words"), [("1", "too few bits|below the delta of a block"), ("64", "")])
def test_the_precision_of_many_reports(bits: str, words: str) -> None:
    verdict = judged(3000, (F(0), F(1, 10)), (0, 1500, [300] * 10, bits))
    if words:
        assert any(each in verdict.reason for each in words.split("|")), verdict
    else:
        assert verdict, verdict.reason


def test_a_file_that_costs_too_much_is_refused() -> None:
    assert "more work" in judged(10**7, (F(0), F(1)), (5 * 10**6, 1, [2500] * 4000, 96)).reason
