"""Messages about formulas name what is in the data, and what to write instead."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rropt.core.errors import InvalidParameterError
from rropt.survey import regress


def table() -> dict[str, Any]:
    random = np.random.default_rng(7)
    year, z = random.choice(["w12", "w16", "w20"], 300), random.choice(["a", "b", "c"], 300)
    z = np.where((year == "w12") & (z == "c"), "a", z)
    x = random.uniform(0, 1, 300)
    return {
        "y": random.integers(0, 2, 300),
        "year": year.astype(object),
        "z": z.astype(object),
        "x": x,
        "x2": 2 * x + 1,
    }


def refused(formula: str) -> str:
    with pytest.raises(InvalidParameterError) as refusal:
        regress(table(), formula, "warner:17/20")
    return str(refusal.value)


@pytest.mark.parametrize("formula", ["y ~ C(year) * z", "y ~ year + z + year:z", "y ~ z * year + x", "y ~ z:year"])
def test_an_empty_cell_is_named(formula: str) -> None:
    told = refused(formula)
    assert "1 empty cell: no row of the fit has" in told
    assert "year = w12" in told
    assert "z = c" in told
    assert "join levels (recode)" in told


def test_a_combination_is_named_with_its_parts() -> None:
    told = refused("y ~ x + x2")
    assert "received 'x2', of 'x'" in told  # up to a constant, which the intercept has


@pytest.mark.parametrize(
    ("factor", "advice"),
    [
        ('Q("x 2")', "backticks, `x 2`"),
        ("I(z == 'a')", "a comparison is no column"),
        ("C(z, levels=['b', 'a', 'c'])", "declared where the column is made"),
    ],
)
def test_what_other_programs_write(factor: str, advice: str) -> None:
    assert advice in refused(f"y ~ {factor}")


def test_factor_is_another_word_for_c() -> None:
    found = regress(table(), "y ~ factor(z)", "warner:17/20", starts=1)
    same = regress(table(), "y ~ C(z)", "warner:17/20", starts=1)
    assert list(found.coefficients.values()) == list(same.coefficients.values())
    assert list(found.coefficients)[1] == "factor(z)[T.b]"
