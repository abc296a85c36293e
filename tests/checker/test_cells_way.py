"""The way of cells: an inequality that is tight on a whole line of rows is proved by few cells.

The total variation of (1/2, 1/3, 1/6) from (1/3, 1/2, 1/6) is ``abs(p_1 - p_2)/12`` of a row. The third category has
no part in it. At the order 2 and gamma = 7/3 the best design is Warner's with 3/4 for the first two categories. The
dual by tangency at the odds 3 is exact: alpha = 11 e/128, lambda = 9 e/128, e = 1/6, and its bound is the value e/2.
With this g the inequality is tight on all rows (3, 1, x).
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from javascript import judge

from rropt import Problem, solve
from rropt.checker import cells_way, check_text
from rropt.checker.limits import MAX_DIVERGENCE_INPUTS
from rropt.objectives import EOptimality
from rropt.privacy import RenyiRegion

F = Fraction
E = F(1, 6)
P = F(3, 4) - F(1, 10**9)  # Warner's p just inside the region
ROOM = F(1, 10**9)


def file(room: Fraction, bound: Fraction | None = None) -> str:
    """Return a certificate whose alpha has room, and with it its bound."""
    alpha = [str(11 * E / 128 + room), str(11 * E / 128 + room), str(room)]
    weight, zero = str(9 * E / 128), "0"
    lower, upper = E * (2 * P - 1), E / 2 + 3 * room + F(1, 10**20) if bound is None else bound
    made: dict[str, Any] = {
        "format": "2",
        "statement": "design-bracket",
        "problem": {
            "inputs": "3",
            "outputs": "any",
            "levels": [{"order": "2", "epsilon": {"log": "7/3"}}],
            "bounds": None,
            "objective": {"kind": "total-variation", "against": ["1/3", "1/2", "1/6"]},
            "population": ["1/2", "1/3", "1/6"],
        },
        "claim": {
            "lower": str(lower),
            "upper": str(upper),
            "mechanism": {"matrix": [[str(P), str(1 - P), "1/2"], [str(1 - P), str(P), "1/2"]]},
        },
        "proof": {
            "way": "cells",
            "brackets": [{"gamma": {"below": "7/3", "above": "7/3"}}],
            "alpha": alpha,
            "curves": [{"order": "2", "multipliers": [[zero, weight, zero], [weight, zero, zero], [zero, zero, zero]]}],
            "digits": "25",
        },
    }
    return json.dumps(made)


def accepts(text: str) -> tuple[bool, bool]:
    """Return the verdicts of the checker and of the one in JavaScript, which shares no code with it."""
    return bool(check_text(text)), judge(text) is None


def test_a_line_of_tight_rows_needs_few_cells() -> None:
    """With cells of equal sides and this room there would be tens of thousands, too many for the default budget."""
    assert bool(check_text(file(ROOM)))
    assert accepts(file(1000 * ROOM)) == (True, True)


def test_beyond_the_optimum_nothing_is_proved() -> None:
    """Alpha below the optimum, and an upper end below the bound."""
    assert accepts(file(-ROOM)) == (False, False)
    assert accepts(file(ROOM, E / 2)) == (False, False)


@cache
def _solved() -> str:
    region = RenyiRegion(2, "1/2", inputs=3)
    return solve(Problem(region, EOptimality(), ["1/3"] * 3), fast=True).certificate.to_json()


def symmetric() -> dict[str, Any]:
    """Return a certificate of E-optimality for three equal proportions, with exact room of 1e-3 of the bound.

    By symmetry the dual is ``alpha (1, 1, 1)``, one multiplier for all pairs, and the vectors are the rows of
    ``I - J/3``.
    """
    made: dict[str, Any] = json.loads(_solved())
    proof, claim = made["proof"], made["claim"]
    more = abs(F(proof["alpha"][0])) / 1000
    proof["alpha"] = [str(F(x) + more) for x in proof["alpha"]]
    claim["lower"] = str(F(claim["lower"]) * F(99, 100))
    claim["upper"] = str(F(claim["upper"]) * 2)
    return made


def moved(place: str, part: Fraction) -> dict[str, Any]:
    """Return the symmetric certificate with a part moved, so that g gains on rows that do not increase.

    The bound stays the same. On rows in another order, phi is above g.
    """
    made = symmetric()
    proof = made["proof"]
    if place == "alpha":
        a, b, c = map(F, proof["alpha"])
        proof["alpha"] = [str(a + part), str(b), str(c - part)]
    elif place == "multipliers":
        square = [[F(x) for x in row] for row in proof["curves"][0]["multipliers"]]
        for j, i in ((0, 1), (0, 2), (1, 2)):
            square[j][i] += part
            square[i][j] -= part
        proof["curves"][0]["multipliers"] = [[str(x) for x in row] for row in square]
    elif place == "vectors":
        size = (
            F(proof["vectors"][0][0][0]) * 3 / 2
        )  # x of (1, 0, -1) and y of (1, -2, 1) with 2 x^2 + 6 y^2 <= 2 size^2
        x, y = size * F(7, 10) * (1 - part), size * F(4, 10) * (1 + part)
        proof["vectors"] = [[[str(x), "0", str(-x)], [str(y), str(-2 * y), str(y)]]]
        proof["weights"] = ["1", "1"]
        made["claim"]["lower"] = str(F(made["claim"]["lower"]) * F(9, 10))
    else:
        made["problem"]["population"] = [str(F(1, 3) + part), "1/3", str(F(1, 3) - part)]
    return made


@pytest.mark.slow
@pytest.mark.parametrize("place", ["multipliers", "alpha", "population", "vectors"])
def test_cells_of_ordered_rows_need_full_symmetry(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dual that is valid only on ordered rows is rejected; without the test of symmetry it would be accepted."""
    assert accepts(json.dumps(symmetric())) == (True, True)
    forged = json.dumps(moved(place, F(1, 10)))
    assert accepts(forged) == (False, False)
    given = cells_way._Cells.require
    monkeypatch.setattr(cells_way._Cells, "require", lambda cells, _: given(cells, True))
    assert bool(check_text(forged))


def test_the_form_of_a_level_of_divergences() -> None:
    """One level, any outputs, no bounds, no linear objective, eight inputs at most; the way is that of the level."""
    good = json.loads(file(1000 * ROOM))
    assert check_text(json.dumps(good))
    level, curve = good["problem"]["levels"][0], good["proof"]["curves"][0]
    ordinary = {"epsilon": {"log": "7/3"}, "delta": "0", "pairs": "all"}
    changes: list[dict[str, Any]] = [
        {"problem": {"outputs": "2"}},
        {"problem": {"inputs": str(MAX_DIVERGENCE_INPUTS + 1)}},
        {"problem": {"levels": [level, level]}},
        {"problem": {"levels": [level, ordinary]}},
        {"problem": {"levels": [ordinary]}},
        {"problem": {"levels": []}},
        {"problem": {"levels": [{"rho": "1/8"}]}},
        {"problem": {"levels": [{**level, "pairs": "all"}]}},
        {"problem": {"bounds": {"least": [["0"] * 3] * 2, "most": [["1"] * 3] * 2}}},
        {"problem": {"objective": {"kind": "trace", "weights": ["1"] * 3}, "population": None}},
        {"proof": {"way": "rays"}},
        {"proof": {"curves": []}},
        {"proof": {"curves": [curve, curve]}},
        {"proof": {"brackets": []}},
        {"proof": {"slopes": []}},
        {"proof": {"digits": "0"}},
    ]
    for change in changes:
        made = {
            key: {**value, **change.get(key, {})} if isinstance(value, dict) else value for key, value in good.items()
        }
        assert accepts(json.dumps(made)) == (False, False), change
