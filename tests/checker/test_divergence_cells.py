"""Rule 42: an inequality that is tight on a whole line of rows is proved by few cells.

The total variation of (1/2, 1/3, 1/6) from (1/3, 1/2, 1/6) is ``abs(p_1 - p_2)/12`` of a row. The third category has
no part in it. At the order 2 and gamma = 7/3 the best design is Warner's with 3/4 for the first two categories. The
dual by tangency at the odds 3 is exact: alpha = 11 e/128, lambda = 9 e/128, e = 1/6, and its bound is the value e/2.
With this g the inequality is tight on all rows (3, 1, x).
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from second.verdict import judge

from rropt.checker import check_text

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
    """Return the verdicts of the checker and of the second one, which shares no code with it."""
    return bool(check_text(text)), judge(text) is None


def test_a_line_of_tight_rows_needs_few_cells() -> None:
    """With cells of equal sides and this room there would be tens of thousands, too many for the default budget."""
    assert bool(check_text(file(ROOM)))
    assert accepts(file(1000 * ROOM)) == (True, True)


def test_beyond_the_optimum_nothing_is_proved() -> None:
    """Alpha below the optimum, and an upper end below the bound."""
    assert accepts(file(-ROOM)) == (False, False)
    assert accepts(file(ROOM, E / 2)) == (False, False)
