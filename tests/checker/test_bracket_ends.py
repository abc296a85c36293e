"""Brackets of gamma = q^(a/b): a negative upper end, which an even power hides, and the ends of roots and powers.

The ends of pieces of a function are numbers in [0, 1], or roots between two numbers in (0, 1).
"""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from every_case import every_case

from rropt.checker import check_text
from rropt.checker.documents import Rejected, WorkBudget
from rropt.checker.intervals import Arithmetic
from rropt.checker.parity_bound import pieces
from rropt.checker.parity_bound.constants import Constants


@every_case("times", ["1/2", "1/4", "3/2"])
@every_case("above", ["-2", "-6"])
def test_a_negative_end_of_gamma_is_rejected(times: str, above: str) -> None:
    """The region has a mechanism, so the claim is false; ``(-6)^b >= 3^a`` though."""
    pairs = [[str(i), "0", str(j), str(1 - j), "1"] for i in range(2) for j in range(2)]
    bracket = {"gamma": {"below": "1", "above": above}, "delta": {"below": "0", "above": "0"}}
    document = {
        "format": "2",
        "statement": "infeasible",
        "problem": {
            "inputs": "2",
            "outputs": "2",
            "levels": [{"epsilon": {"log": "3", "times": times}, "delta": "0", "pairs": "all"}],
            "bounds": {"least": [["0", "0"]] * 2, "most": [["1", "1"]] * 2},
        },
        "claim": {},
        "proof": {
            "brackets": [bracket],
            "alpha": ["-1", "-1"],
            "slopes": [],
            "limits": [["0", "0"]] * 2,
            "multipliers": pairs,
        },
    }
    assert check_text(json.dumps(document)).reason == "gamma's bracket begins below 1, or ends before it begins"


@every_case(
    ("log", "times", "gamma"), [("9", "1/2", "3"), ("27", "1/3", "3"), ("9/4", "3/2", "27/8"), ("81", "3/4", "27")]
)
def test_roots_and_powers_are_levels_as_their_values(log: str, times: str, gamma: str) -> None:
    """One response of epsilon is within epsilon: delta = 0. An end beyond gamma is rejected, on either side."""

    def verdict(below: str, above: str) -> str:
        level = {"log": log, "times": times}
        document = {
            "format": "2",
            "statement": "composition",
            "problem": {"items": [{"epsilon": {"log": gamma}, "delta": "0", "count": "1"}], "epsilon": level},
            "claim": {"lower": "0", "upper": "0"},
            "proof": {
                "brackets": [{"below": gamma, "above": gamma}, {"below": below, "above": above}],
                "ratio": str(Fraction(gamma) ** 2),
                "bits": "64",
            },
        }
        return check_text(json.dumps(document)).reason

    tiny = Fraction(1, 10**30)
    assert verdict(gamma, gamma) == ""
    assert verdict(str(Fraction(gamma) + tiny), str(Fraction(gamma) + 1)) == "gamma's bracket begins above exp(epsilon)"
    assert verdict("1", str(Fraction(gamma) - tiny)) == "gamma's bracket ends below exp(epsilon)"


@pytest.mark.parametrize(
    ("between", "accepted"),
    [
        (["1/4", "3/4"], True),
        (["-1/4", "3/4"], False),
        (["0", "3/4"], False),
        (["1/4", "1"], False),
        (["1/4", "5/4"], False),
        (["3/4", "1/4"], False),
        (["1/2", "1/2"], False),
    ],
)
def test_a_root_that_ends_a_piece_is_between_two_numbers_inside_the_unit_interval(
    between: list, accepted: bool
) -> None:
    data = {"root": ["-1", "2"], "between": between}  # 2 p - 1 has the root 1/2
    constants = Constants(Arithmetic(30, WorkBudget()))
    if accepted:
        assert pieces._end(data, constants) == tuple(map(Fraction, between))
    else:
        with pytest.raises(Rejected, match=r"the end of a piece is not in \(0, 1\)"):
            pieces._end(data, constants)
    for text, is_end in (("0", True), ("1", True), ("-1/4", False), ("5/4", False)):
        if is_end:
            assert pieces._end(text, constants) == (Fraction(text),) * 2
        else:
            with pytest.raises(Rejected, match=r"not in \[0, 1\]"):
                pieces._end(text, constants)
