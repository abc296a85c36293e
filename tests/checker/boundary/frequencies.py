"""Rule 38: delta of all answers of one respondent, through the characteristic function of the loss."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import mpmath as mp
from fuzz.frequencies import Plan, fourier_delta

from .book import COUNT, INEQUALITY, OPEN, UNIT, Suite, with_
from .compositions import PAGE as OF_RULE_26
from .compositions import Document, Item, composed
from .designs import bracket

PAGE = "fourier_rule.md"
LIMIT = 2**20


def in_frequencies(made: Document, plan: Plan) -> Document:
    """Return the file of a composition with the witness of this rule, and no bounds."""
    problem, _, witness = made
    more = {"rule": "composition-fourier", **plan.witness()}
    return problem, {"kind": "composed-delta", "lower": "0", "upper": "1"}, {**witness, **more}


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    variance = s.condition(PAGE, "The variance is positive and at most 1: `0 < h <= 1`.", INEQUALITY)
    spacing = s.condition(PAGE, "The spacing is positive and at most 1: `0 < s <= 1`.", INEQUALITY)
    nodes = s.condition(PAGE, "`nodes` is a whole number with `1 <= K <= MAX_FREQUENCIES`.", ("zero", "one", "beyond"))
    stride = s.condition(PAGE, "`stride` is a whole number with `1 <= m <= MAX_FREQUENCIES`.", COUNT)
    intervals = s.condition(
        PAGE, "`intervals` is a whole number with `0 <= J <= MAX_FREQUENCIES`.", ("zero", "one", "beyond")
    )
    half = s.condition(PAGE, "The mean is within half a period: `|M| < pi/s`.", OPEN)
    lower = s.condition(
        PAGE,
        "`lower <= 1 - kept (1 - v)` with the parities at their endpoints `below` and gamma at its end `above`.",
        OPEN,
    )
    upper = s.condition(
        PAGE,
        "`upper >= 1 - kept (1 - u)` with the parities at their endpoints `above` and gamma at its end `below`.",
        OPEN,
    )
    two, three = (F(2), F(0), 1), (F(3), F(0), 2)
    cases: list[tuple[list[Item], F, Plan]] = [
        ([three, two], F(4), Plan(F(1, 100), F(1, 5), 200)),
        ([two], F(3, 2), Plan(F(1, 10), F(1, 4), 50)),
        ([(F(5), F(1, 4), 3)], F(3), Plan(F(1, 50), F(1, 4), 120)),
        ([(F(7, 5), F(0), 4)], F(1), Plan(F(1), F(1, 3), 20)),
        ([], F(5), Plan(F(1, 10), F(1, 4), 60)),
    ]
    for items, g, plan in cases:
        made = in_frequencies(composed(items, g), plan)
        for side, (key, entered) in enumerate((("lower", lower), ("upper", upper))):
            bound, outwards = fourier_delta(items, g, plan, side), (2 * side - 1) * UNIT
            s.add(entered, "within", with_(made, (f"1.{key}", bound + outwards)), True)
            s.add(entered, "beyond", with_(made, (f"1.{key}", bound - outwards)), False)
    base = in_frequencies(composed([three], F(4)), Plan(F(1, 10), F(1, 4), 30, 1, 1))
    for path, entered in (("2.variance", variance), ("2.frequencies.spacing", spacing)):
        s.add(entered, "equality", with_(base, (path, 1)), True)
        s.add(entered, "within", with_(base, (path, 1 - UNIT)), True)
        for wrong in (F(0), -UNIT, F(-1, 2), 1 + UNIT):
            s.add(entered, "beyond", with_(base, (path, wrong)), False)
    for name, entered in (("nodes", nodes), ("stride", stride), ("intervals", intervals)):
        path = f"2.frequencies.{name}"
        s.add(entered, "one", with_(base, (path, 1)), True)
        s.add(entered, "zero", with_(base, (path, 0)), name == "intervals")
        for wrong in (-1, F(1, 2)):
            s.add(entered, "beyond", with_(base, (path, wrong)), False)
        s.add(entered, "beyond", with_(base, (path, LIMIT + 1)), False, "limit")
    s.add(stride, "limit", with_(base, ("2.frequencies.stride", LIMIT)), True)
    for g, within in ((F(23), True), (F(24), False)):  # exp(pi) = 23.14
        made = in_frequencies(composed([], g), Plan(F(1, 1000), F(1), 10))
        s.add(half, "within" if within else "beyond", made, within)
    level: tuple[Any, ...] = (
        ("0.items.0.epsilon", {"log": "2", "times": "1/2"}),
        ("2.levels.0", bracket(F(7, 5), F(17, 12))),
    )
    plan = Plan(F(1, 10), F(1, 4), 60)
    for side, (key, entered) in enumerate((("lower", lower), ("upper", upper))):
        parity, outwards = (F(7, 5), F(17, 12))[side], (2 * side - 1) * UNIT
        made = with_(in_frequencies(composed([(F(7, 5), F(0), 2)], F(3, 2)), plan), *level)
        bound = fourier_delta([(parity, F(0), 2)], F(3, 2), plan, side)
        s.add(entered, "within", with_(made, (f"1.{key}", bound + outwards)), True)
        s.add(entered, "beyond", with_(made, (f"1.{key}", bound - outwards)), False)
    for wrong in (("2.levels", []), ("2.variance", None), ("2.frequencies", None)):
        s.add(variance, "beyond", with_(base, wrong), False, "form")
    most = s.condition(OF_RULE_26, "The level `epsilon` may go up to `MAX_COMPOSED_EXPONENT`.", ("limit", "beyond"))
    for nats, accepted in ((1000, True), (1001, False)):
        with mp.workdps(520):
            step = F(10**420)
            below = F(int(mp.exp(nats)) // 10**420) * step
        made = with_(
            composed([two], F(3)),
            ("0.epsilon", {"rational": str(nats)}),
            ("2.gamma", bracket(below, below + step)),
            ("1", {"kind": "composed-delta", "lower": "0", "upper": "1"}),
        )
        s.add(most, "limit" if accepted else "beyond", made, accepted, "" if accepted else "limit", known=True)
