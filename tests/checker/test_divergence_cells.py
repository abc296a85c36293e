"""Rule 42: an inequality that is tight on a whole line of rows is proved by few cells.

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
from rropt.checker import check_text, divergence_rule
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
    made: dict[str, Any] = {
        "format": "rropt-certificate/1",
        "problem": {
            "region": {
                "kind": "renyi-privacy",
                "inputs": "3",
                "outputs": "any",
                "order": "2",
                "epsilon": {"log": "7/3"},
            },
            "objective": {"kind": "total-variation", "against": ["1/3", "1/2", "1/6"]},
            "population": ["1/2", "1/3", "1/6"],
        },
        "claim": {
            "kind": "design-bracket",
            "lower": str(E * (2 * P - 1)),
            "upper": str(E / 2 + 3 * room + F(1, 10**20) if bound is None else bound),
            "mechanism": {"matrix": [[str(P), str(1 - P), "1/2"], [str(1 - P), str(P), "1/2"]]},
        },
        "witness": {
            "rule": "divergence-design",
            "gamma": {"below": "7/3", "above": "7/3"},
            "dual": {
                "alpha": alpha,
                "orders": ["2"],
                "multipliers": [[[zero, weight, zero], [weight, zero, zero], [zero, zero, zero]]],
                "matrix": None,
            },
            "primal": {},
            "orders": [],
            "logarithms": [],
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
    return solve(Problem(region, EOptimality(), ["1/3"] * 3), routes="exact").certificate.to_json()


def symmetric() -> dict[str, Any]:
    """Return a certificate of E-optimality for three equal proportions, with exact room of 1e-3 of the bound.

    By symmetry the dual is ``alpha (1, 1, 1)``, one multiplier for all pairs, and ``W = I - J/3``.
    """
    made: dict[str, Any] = json.loads(_solved())
    dual, claim = made["witness"]["dual"], made["claim"]
    more = abs(F(dual["alpha"][0])) / 1000
    dual["alpha"] = [str(F(x) + more) for x in dual["alpha"]]
    claim["lower"] = str(F(claim["lower"]) * F(99, 100))
    claim["upper"] = str(F(claim["upper"]) * 2)
    return made


def moved(place: str, part: Fraction) -> dict[str, Any]:
    """Return the symmetric certificate with a part moved, so that g gains on rows that do not increase.

    The bound stays the same. On rows in another order, phi is above g.
    """
    made = symmetric()
    dual = made["witness"]["dual"]
    if place == "alpha":
        a, b, c = map(F, dual["alpha"])
        dual["alpha"] = [str(a + part), str(b), str(c - part)]
    elif place == "multipliers":
        square = [[F(x) for x in row] for row in dual["multipliers"][0]]
        for j, i in ((0, 1), (0, 2), (1, 2)):
            square[j][i] += part
            square[i][j] -= part
        dual["multipliers"][0] = [[str(x) for x in row] for row in square]
    elif place == "matrix":
        size = F(dual["matrix"][0][0]) * 3 / 2  # x of (1, 0, -1) and y of (1, -2, 1) with 2 x^2 + 6 y^2 <= 2 size^2
        x, y = size * F(7, 10) * (1 - part), size * F(4, 10) * (1 + part)
        dual["matrix"] = [[str(x), str(y)], ["0", str(-2 * y)], [str(-x), str(y)]]
        made["claim"]["lower"] = str(F(made["claim"]["lower"]) * F(9, 10))
    else:
        made["problem"]["population"] = [str(F(1, 3) + part), "1/3", str(F(1, 3) - part)]
    return made


@pytest.mark.parametrize("place", ["alpha", "multipliers", "matrix", "population"])
def test_cells_of_ordered_rows_need_full_symmetry(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dual that is valid only on ordered rows is rejected; without the test of symmetry it would be accepted."""
    assert accepts(json.dumps(symmetric())) == (True, True)
    forged = json.dumps(moved(place, F(1, 10)))
    assert accepts(forged) == (False, False)
    given = divergence_rule._Cells.require
    monkeypatch.setattr(divergence_rule._Cells, "require", lambda cells, _: given(cells, True))
    assert bool(check_text(forged))
