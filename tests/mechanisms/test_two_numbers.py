"""A large matrix of two numbers is told in words; ``--exact`` prints it."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations

import pytest

from rropt import Mechanism
from rropt.core.exact.display import in_full
from rropt.mechanisms.displays import mechanism_text


@pytest.mark.parametrize("size", [1, 2, 4])
def test_sets_of_categories(size: int) -> None:
    """Each set of a size out of nine: the two probabilities are those of the matrix, the quotient is no larger."""
    k, gamma = 9, Fraction(5)
    sets = list(combinations(range(k), size))
    inside = sum(0 in each for each in sets)
    low = 1 / (gamma * inside + len(sets) - inside)
    mechanism = Mechanism([[gamma * low if j in each else low for j in range(k)] for each in sets])
    text = mechanism_text(mechanism, "head")
    assert text.startswith("head\n  each output is " + ("one of 9" if size == 1 else f"a set of {size} of 9"))
    told = [Fraction(number) for number in re.findall(r"[:,] ~?([\d./]+) if", text)]
    assert [float(x) for x in told] == pytest.approx([float(gamma * low), float(low)], rel=1e-8)
    assert told[0] <= gamma * told[1]
    assert f"({len(sets)} outputs;" in text
    with in_full():
        assert mechanism_text(mechanism).count("\n") >= len(sets)


def test_other_matrices_are_printed() -> None:
    """Three numbers, or sets of different sizes, are a matrix; so are small ones."""
    k = 9
    three = [[Fraction(3 if i == j else 2 if j == (i + 1) % k else 1, k + 3) for j in range(k)] for i in range(k)]
    assert "each output" not in mechanism_text(Mechanism(three))
    uneven = [
        [Fraction(1, 2)] * k,
        [Fraction(1, 4)] + [Fraction(1, 2)] * (k - 1),
        [Fraction(1, 4)] + [Fraction(0)] * (k - 1),
    ]
    assert "each output" not in mechanism_text(Mechanism(uneven))
    assert "each output" not in mechanism_text(Mechanism("grr:8,1/2"))
