"""Random mechanisms."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from rropt.mechanisms import Mechanism


@pytest.fixture
def random_mechanism(rng: random.Random) -> Callable[[int, int], Mechanism]:
    """A random m x k mechanism of full column rank (one output is favoured by each input)."""

    def make(m: int, k: int) -> Mechanism:
        columns = []
        for j in range(k):
            weights = [rng.randint(0, 9) + (30 if i % k == j else 1) for i in range(m)]
            columns.append([Fraction(w, sum(weights)) for w in weights])
        return Mechanism(list(zip(*columns, strict=True)))

    return make
