"""Brackets of gamma with a negative upper end: an even power hides the sign, and bounds proved with it are false."""

from __future__ import annotations

import json

from every_case import every_case

from rropt.checker import check_text


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
