"""Rule 26: delta of all answers of one respondent."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from math import prod
from typing import Any

from .book import COUNT, INEQUALITY, UNIT, Suite, with_
from .designs import bracket

PAGE = "composition_rule.md"
Document = tuple[Any, Any, Any]
Item = tuple[F, F, int]  # parity, delta, count


def slack(items: list[Item], g: F) -> F:
    """Return delta by the sum over all answers of all mechanisms."""
    answers = [
        [(d, F(0)), ((1 - d) * a / (1 + a), (1 - d) / (1 + a)), ((1 - d) / (1 + a), (1 - d) * a / (1 + a)), (F(0), d)]
        for a, d, n in items
        for _ in range(n)
    ]
    cells = ([prod((cell[i] for cell in each), start=F(1)) for i in (0, 1)] for each in product(*answers))
    return sum((max(F(0), p - g * q) for p, q in cells), F(0))


def level(a: F) -> dict[str, str]:
    """Return a level with a rational gamma."""
    return {"log": str(a)} if a > 1 else {"rational": "0"}


def composed(items: list[Item], g: F) -> Document:
    """Return the certificate of a composition of rational levels."""
    listed = [{"epsilon": level(a), "delta": d, "count": n} for a, d, n in items]
    found = slack(items, g)
    problem = {"kind": "composition", "items": listed, "epsilon": level(g)}
    claim = {"kind": "composed-delta", "lower": found, "upper": found}
    return with_(
        (problem, claim, {"rule": "composition", "levels": [bracket(a) for a, *_ in items], "gamma": bracket(g)})
    )


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    count = s.condition(PAGE, "Each count is a whole number with `1 <= n < MAX_COMPOSED_CELLS`.", COUNT)
    share = s.condition(PAGE, "Each delta is in [0, 1]: `0 <= D <= 1`.", INEQUALITY)
    lower = s.condition(
        PAGE, "`lower <= 1 - kept (1 - d)` with d at the endpoints `below` of the levels and the end `above` of gamma.", INEQUALITY
    )  # fmt: skip
    upper = s.condition(
        PAGE, "`upper >= 1 - kept (1 - d)` with d at the endpoints `above` of the levels and the end `below` of gamma.", INEQUALITY
    )  # fmt: skip
    two, three = (F(2), F(0), 1), (F(3), F(0), 2)
    cases: list[tuple[list[Item], F]] = [
        ([three, (F(2), F(1, 10), 1)], F(4)),
        ([two], F(1)),
        ([two], F(2)),
        ([two], F(3)),
        ([three], F(9)),
        ([], F(1)),
        ([], F(5)),
        ([(F(1), F(0), 3)], F(1)),
        ([(F(2), F(1), 1), two], F(2)),
        ([(F(5), F(1, 4), 3)], F(3)),
        ([two, two], F(3, 2)),
    ]
    for items, g in cases:
        made = composed(items, g)
        found = F(made[1]["lower"])
        for key, entered, sign in (("lower", lower, -1), ("upper", upper, 1)):
            s.add(entered, "equality", made, True)
            s.add(entered, "within", with_(made, (f"1.{key}", found + sign * UNIT)), True)
            s.add(entered, "beyond", with_(made, (f"1.{key}", found - sign * UNIT)), False)
        s.add(upper, "beyond", with_(made, ("1.upper", -UNIT), ("1.lower", -1)), False)
        s.add(lower, "beyond", with_(made, ("1.lower", 1 + UNIT), ("1.upper", 2)), False)
    base = composed([three, (F(2), F(1, 10), 1)], F(4))
    wide = with_(base, ("1.lower", 0), ("1.upper", 1))
    s.add(share, "equality", composed([(F(2), F(1), 1)], F(2)), True)
    s.add(share, "equality", composed([(F(2), F(0), 1)], F(2)), True)
    s.add(share, "within", composed([(F(2), 1 - UNIT, 1)], F(2)), True)
    for delta in (-UNIT, 1 + UNIT, F(-1)):
        s.add(share, "beyond", with_(wide, ("0.items.1.delta", delta)), False, known=False)
    s.add(count, "one", composed([two], F(3, 2)), True)
    s.add(count, "zero", with_(wide, ("0.items.0.count", 0)), False, known=False)
    s.add(count, "beyond", with_(wide, ("0.items.0.count", -1)), False, known=False)
    s.add(count, "beyond", with_(wide, ("0.items.0.count", 2**14)), False, "limit", known=True)
    s.add(count, "beyond", with_(wide, ("0.items.0.count", F(3, 2))), False, known=False)
    many = with_(composed([two], F(1)), ("0.items.0.count", 2**14 - 1), ("1.lower", 0), ("1.upper", 1))
    s.add(
        count,
        "limit",
        with_(many, ("0.items.0.epsilon", {"rational": "0"}), ("2.levels.0", bracket(F(1)))),
        True,
        known=True,
    )
    root = composed([(F(7, 5), F(0), 2)], F(3, 2))
    above = slack([(F(17, 12), F(0), 2)], F(3, 2))
    root = with_(
        root,
        ("0.items.0.epsilon", {"log": "2", "times": "1/2"}),
        ("2.levels.0", bracket(F(7, 5), F(17, 12))),
        ("1.upper", above),
    )
    for key, entered, sign in (("lower", lower, -1), ("upper", upper, 1)):
        s.add(entered, "equality", root, True)
        s.add(entered, "beyond", with_(root, (f"1.{key}", F(root[1][key]) - sign * UNIT)), False)
    target = with_(
        composed([three], F(7, 5)),
        ("0.epsilon", {"log": "2", "times": "1/2"}),
        ("2.gamma", bracket(F(7, 5), F(17, 12))),
    )
    target = with_(target, ("1.lower", slack([three], F(17, 12))))
    for key, entered, sign in (("lower", lower, -1), ("upper", upper, 1)):
        s.add(entered, "equality", target, True)
        s.add(entered, "beyond", with_(target, (f"1.{key}", F(target[1][key]) - sign * UNIT)), False)
    other = with_(wide, ("2.levels", [bracket(F(3))]))
    s.add(count, "beyond", other, False, "form")
