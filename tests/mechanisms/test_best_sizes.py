"""The size of subsets at a level is the best of all sizes, by the information of the matrix."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
import sympy

import rropt


def _loss(k: int, d: int, gamma: Fraction) -> sympy.Rational:
    """Return the total variance of the best unbiased estimate at equal proportions, from the definition."""
    p = gamma * d / (gamma * d + k - d)
    sets = list(combinations(range(k), d))
    rows = [[p / comb(k - 1, d - 1) if j in chosen else (1 - p) / comb(k - 1, d) for j in range(k)] for chosen in sets]
    chances = [sum(row) / k for row in rows]
    information = sympy.Matrix(
        k, k, lambda a, b: sum(row[a] * row[b] / chance for row, chance in zip(rows, chances, strict=True))
    )
    return information.inv().trace()


@pytest.mark.parametrize(("k", "gamma"), [(2, 3), (4, 2), (5, Fraction(3, 2)), (6, 2), (6, 9)])
def test_no_other_size_is_better(k: int, gamma: Fraction) -> None:
    made = rropt.Mechanism.subset(k, epsilon=f"log({gamma})")
    d = int(str(made.name).split(":")[1].split(",")[1])
    losses = [_loss(k, size, Fraction(gamma)) for size in range(1, k)]
    assert losses[d - 1] == min(losses)
    assert rropt.Mechanism(f"subset:{k},epsilon=log({gamma})").name == made.name
    assert len(losses) == 1 or any(loss > min(losses) for loss in losses)


def test_a_parity_bound_takes_the_text_of_a_level() -> None:
    by_text = rropt.parity_bound("posterior:1/5,1/2", fast=True)
    assert by_text == rropt.parity_bound(rropt.privacy.posterior("1/5", "1/2"), fast=True)
    with pytest.raises(rropt.RroptError, match="the level has no criterion"):
        rropt.parity_bound("1,0")
