"""Vertices of polytopes: both twins compute them from the JSON, each in its own way, and the problems have the same."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from few_rows import few_rows

from rropt.convex import polytopes as numbers
from rropt.core.errors import InfeasibleError
from rropt.objectives.possible_populations import Populations
from rropt.symbolic import polytopes as symbols
from rropt.symbolic.designs import prevalence_intervals


@few_rows(2)
@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_three_ways_find_the_same_vertices(k: int) -> None:
    rng, tried = random.Random(k), 0
    while tried < 20:
        rows = [
            (
                [rng.randint(-2, 3) for _ in range(k)],
                rng.choice(["<=", ">=", "<=", ">=", "="]),
                Fraction(rng.randint(0, 4), 3),
            )
            for _ in range(rng.randint(1, 4))
        ]
        try:
            polytope = Populations.where(rows)
        except InfeasibleError:
            continue
        given = polytope.to_dict()
        exact, floats = symbols.vertices_of(given, k), numbers.vertices_of(given, k)
        assert set(exact) == set(polytope.vertices)
        assert np.array(exact, dtype=float) == pytest.approx(floats, abs=1e-9)  # in the same order
        tried += 1


def test_ranges_of_seven_categories() -> None:
    polytope = Populations.written(["0..1/3"] * 6 + ["1/10..1/2"])
    exact = symbols.vertices_of(polytope.to_dict(), 7)
    assert set(exact) == set(polytope.vertices)
    assert len(numbers.vertices_of(polytope.to_dict(), 7)) == len(exact)


@pytest.mark.parametrize(
    ("level", "slack", "names"),
    [
        (3, 0, ["diagonal"]),
        (3, 1, ["diagonal"]),
        (3, Fraction(1, 5), ["diagonal", "corner_p00", "corner_p11"]),
        (1, Fraction(1, 5), ["corner_p00", "corner_p11"]),
    ],
)
def test_vertices_of_two_outputs_are_computed(level: int, slack: Fraction, names: list[str]) -> None:
    found = prevalence_intervals.vertices(level, slack, is_warner=False)
    assert list(found) == names
    assert list(prevalence_intervals.vertices(level, slack, is_warner=True)) == ["diagonal"]
