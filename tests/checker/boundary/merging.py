"""Rule 24: three outputs by merging two of four."""

from __future__ import annotations

from fractions import Fraction as F

from .book import INEQUALITY, MATRIX, UNIT, Suite, with_
from .designs import bracket, region

PAGE = "merging_rule.md"


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    problem = {
        "region": region({"log": "2"}, "1/4", outputs="3"),
        "objective": {"kind": "variance"},
        "population": ["1/2", "1/2"],
    }
    best = [["3/4", "1/4"], ["1/4", "1/2"], ["0", "1/4"]]
    claim = {"kind": "design-bracket", "lower": "6/7", "upper": "6/7", "mechanism": {"matrix": best}}
    base = with_((problem, claim, {"rule": "merged-outputs", "gamma": bracket(F(2)), "delta": bracket(F(1, 4))}))
    private = s.condition(
        PAGE,
        "The mechanism has three rows and is private at `below`: `sum_i max(0, p_ij - gamma p_il) <= delta` for both ordered pairs.",
        (*INEQUALITY, *MATRIX),
    )
    s.add(private, "equality", base, True)
    exchanged = [row[::-1] for row in best]  # the inputs exchanged: pi is 1/2, and nothing changes
    s.add(private, "equality", with_(base, ("1.mechanism.matrix", exchanged)), True)
    even = [["1/3", "1/3"], ["1/3", "1/3"], ["1/3", "1/3"]]
    for boundary in ("singular", "equal columns", "singular on the contrasts"):
        for upper in ("6/7", "0", "-1", "1000000"):
            s.add(private, boundary, with_(base, ("1.mechanism.matrix", even), ("1.upper", upper)), False)
    s.add(
        private,
        "within",
        with_(base, ("1.mechanism.matrix", [["2/3", "1/3"], ["1/3", "2/3"], ["0", "0"]]), ("1.upper", "100")),
        True,
    )
    for e in (UNIT, F(1, 4)):
        beyond = [[F(3, 4) + e, F(1, 4)], [F(1, 4) - e, F(1, 2)], ["0", "1/4"]]
        s.add(private, "beyond", with_(base, ("1.mechanism.matrix", beyond)), False)
    s.add(private, "beyond", with_(base, ("1.mechanism.matrix", best[:2])), False)
    s.add(private, "empty category", with_(base, ("0.population", ["1", "0"])), False, known=False)
    for key, sentence, sign in (
        ("upper", "`upper I(mechanism) >= 1`.", 1),
        ("lower", "`lower max I(F_ij) <= 1`, the maximum over the six pairs at `above`.", -1),
    ):
        entered = s.condition(PAGE, sentence, INEQUALITY)
        s.add(entered, "equality", base, True)
        s.add(entered, "within", with_(base, (f"1.{key}", F(6, 7) + sign * UNIT)), True)
        s.add(entered, "beyond", with_(base, (f"1.{key}", F(6, 7) - sign * UNIT)), False)
        s.add(entered, "beyond", with_(base, (f"1.{key}", -F(6, 7) if key == "upper" else F(2))), False)
