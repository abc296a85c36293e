"""PRAM within strata: the design of each stratum by itself, put together; and categories without records."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rropt
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError

COUNTS = [300, 210, 160, 110, 140, 80]
STRATA = ["n", "n", "s", "n", "s", "s"]


@pytest.mark.parametrize(
    ("epsilon", "bounds"), [("log(3)", None), ("log(2)", "1/20..1"), ("log(4)", {"diagonal": "1/4"})]
)
def test_strata_are_designed_one_by_one(epsilon: str, bounds: object) -> None:
    found = rropt.design.pram(COUNTS, epsilon=epsilon, strata=STRATA, bounds=bounds, fast=True)
    total = Fraction(0)
    for label in "ns":
        own = [n for n, stratum in zip(COUNTS, STRATA, strict=True) if stratum == label]
        part = rropt.design.pram(own, epsilon=epsilon, bounds=bounds, fast=True)
        total += part.unchanged * Fraction(sum(own), sum(COUNTS))
    assert found.unchanged == found.upper == total
    matrix = found.mechanism.matrix
    assert all(matrix[i][j] == 0 for i in range(6) for j in range(6) if STRATA[i] != STRATA[j])
    assert found.mechanism.apply(found.population) == found.population
    assert found.certificate.check()
    assert type(found).from_dict(found.to_dict()) == found
    for i in range(6):  # private within strata, by the definition
        for j in range(6):
            for other in range(6):
                if STRATA[j] == STRATA[other]:
                    assert matrix[i][j] <= int(epsilon[4]) * matrix[i][other]


def test_a_category_alone_in_its_stratum_is_named() -> None:
    """It cannot be protected: no other category may take its place."""
    found = rropt.design.pram([5, 3, 2, 1], epsilon="log(2)", strata=list("aabc"), fast=True)
    assert found.mechanism.matrix[2][2] == found.mechanism.matrix[3][3] == 1
    (said,) = found.remarks()
    assert said.startswith("no record of categories 2, 3 is changed")
    assert not rropt.design.pram([5, 3], epsilon="log(2)", fast=True).remarks()


def test_strata_have_no_delta() -> None:
    with pytest.raises(UnsupportedProblemError, match="within strata delta is 0: received '1/10'"):
        rropt.design.pram([3, 2, 4, 1], epsilon="log(2)", delta="1/10", strata=[0, 0, 1, 1])


@pytest.mark.parametrize("strata", [["n"], ["a", "b", "c"], "abc"])
def test_wrong_strata_are_refused(strata: object) -> None:
    with pytest.raises(InvalidParameterError, match="strata"):
        rropt.design.pram([1, 2, 3], epsilon=1, strata=strata, fast=True)


def test_strata_have_one_level() -> None:
    with pytest.raises(InvalidParameterError, match="known at one epsilon and delta: received the level line:1"):
        rropt.design.pram([1, 2, 3], level=rropt.privacy.metric("line", 1), strata=list("aab"), fast=True)


def test_a_category_without_records_is_named(cli) -> None:
    with pytest.raises(InvalidParameterError, match="no records of category 2; leave it out, as in 510,320,170"):
        rropt.design.pram([510, 320, 0, 170], epsilon=1)
    with pytest.raises(InvalidParameterError, match="categories 0, 2; leave them out, as in 3,4"):
        rropt.design.pram([0, 3, 0, 4], epsilon=1)
    status, _, error = cli("design", "pram", "--counts", "510,320,0,170", "--epsilon", "1")
    assert status == 2
    assert "--counts contain 0: received no records of category 2; leave it out, as in 510,320,170" in error
