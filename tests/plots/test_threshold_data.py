"""Level sets of g: on each the value is the level, and each divides the plane as Theorem 3 says."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rropt import plots
from rropt.core.errors import InfeasibleError
from rropt.designs import closed_forms
from rropt.plots.data import threshold_picture
from rropt.plots.data.threshold_pictures import level_set

F = Fraction


def exact_g(epsilon: float, delta: float) -> Fraction:
    """g at the drawn floats, without cancellation: gamma - 1 is kept."""
    odds, slack = F(math.expm1(epsilon)), F(delta)
    numerator, denominator = closed_forms.threshold(1 + odds, slack)
    return F(numerator, denominator)


@given(
    level=st.fractions(F(1, 10**6), 1, max_denominator=10**6),
    low=st.fractions(0, F(9, 10), max_denominator=50),
    width=st.fractions(F(1, 1000), 1, max_denominator=1000),
)
def test_g_equals_its_level_along_the_curve(level: Fraction, low: Fraction, width: Fraction) -> None:
    epsilon, delta = level_set(level, float(low), float(min(low + width, 1)), points=23)
    checked = 0
    for e, d in zip(epsilon, delta, strict=True):
        if d:  # at delta = 0 the curve ends in (0, 0), where g is 0/0
            assert math.isclose(exact_g(e, d), level, rel_tol=1e-12)
            checked += 1
        else:
            assert e == 0
    assert checked >= 22 or low >= 1 / (4 * level - 1)


def test_the_curves_that_are_drawn() -> None:
    checked = 0
    for picture in (
        threshold_picture(),
        threshold_picture(["1/4", "1"], epsilon_range=("0", "1"), delta_range=("0", "exp(-10)")),
    ):
        for level, (epsilon, delta) in zip(picture.levels, picture.curves, strict=True):
            assert len(epsilon) == 401
            for e, d in list(zip(epsilon, delta, strict=True))[1::25]:
                assert math.isclose(exact_g(e, d), level, rel_tol=1e-12)
                checked += 1
    assert checked >= 11 * 16


def test_level_sets_end_where_the_formula_says() -> None:
    for level in (F(1, 100), F(1, 4), F(1, 2)):  # g(epsilon, 1) = 1 / (gamma + 1)
        epsilon, delta = level_set(level)
        assert delta[-1] == 1
        assert math.isclose(math.exp(epsilon[-1]), 1 / level - 1, rel_tol=1e-14)
    epsilon, delta = level_set(F(1))  # g(0, delta) = (1 + delta) / (4 delta) = 1 at delta = 1/3
    assert math.isclose(delta[-1], 1 / 3)
    assert epsilon[-1] < 1e-15
    assert level_set(F(1), 0.5, 1.0)[0].size == 0


@pytest.mark.slow
def test_theorem_3_on_both_sides_of_a_level_set() -> None:
    """Beside the curve g = pi the optimum is the corner on one side and the diagonal point on the other."""
    from rropt.plots.data import region_picture

    tried = 0
    for prevalence in ("1/100", "1/4", "2/5", "1/2"):
        epsilon, delta = level_set(F(prevalence), points=7)
        for e, d in list(zip(epsilon, delta, strict=True))[2:-1]:
            below = region_picture(F(e) + F(1, 100), F(d), prevalence=prevalence).optimum
            above = region_picture(F(e) - F(1, 100), F(d), prevalence=prevalence).optimum
            assert below is not None
            assert above is not None
            assert below.names == ("C",)
            assert above.names[0] == "B"
            tried += 1
    assert tried == 16


def test_marks_carry_exact_values_of_example_1() -> None:
    marks = [("1/2", "1/10"), ("1", "2/5"), ("1/2", "1/3"), ("log(2)", "1/4"), ("1", "0")]
    values = [mark.value for mark in threshold_picture(marks=marks).marks]
    assert [round(float(value), 3) for value in values] == [0.243, 0.197, 0.382, 0.25, 0.0]
    assert values[3].rational == F(1, 4)
    assert values[4].rational == 0


def test_g_is_not_defined_where_nothing_can_be_estimated() -> None:
    with pytest.raises(InfeasibleError, match="0/0"):
        plots.g(marks=[("0", "0")])
