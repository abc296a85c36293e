"""Rule 42: designs under Renyi differential privacy or zCDP."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import mpmath as mp
from fuzz.concentrated import rational
from fuzz.divergence_pieces import Level, file, honest, solved

from .book import COUNT, INEQUALITY, OPEN, UNIT, Suite, with_
from .compositions import Document

PAGE = "divergence_rule.md"
LEVELS = (
    Level(F(2), F(7, 3), None),
    Level(F(1), F(3, 2), None),
    Level(F(5, 2), F(2), None),
    Level(None, None, F(1, 8)),
)


def parts(made: dict[str, Any]) -> Document:
    """Return problem, claim and witness."""
    return made["problem"], made["claim"], made["witness"]


def flat(k: int, zcdp: bool = False) -> Document:
    """Return a file about a mechanism of one output: chi-square from the uniform distribution, and the truth as bound."""
    pi = [F(2 * (j + 1), k * (k + 1)) for j in range(k)]
    alpha = [(x - F(1, k)) ** 2 * k + UNIT / 10 for x in pi]  # room for the rounding of intervals
    region = {"kind": "zcdp-privacy", "inputs": k, "outputs": "any", "rho": "1/2"}
    if not zcdp:
        region = {"kind": "renyi-privacy", "inputs": k, "outputs": "any", "order": "2", "epsilon": {"log": "2"}}
    witness = {
        "rule": "divergence-design",
        "gamma": None if zcdp else {"below": "2", "above": "2"},
        "dual": {"alpha": alpha, "orders": ["2"], "multipliers": [[["0"] * k] * k], "matrix": None},
        "primal": {},
        "orders": [],
        "logarithms": [],
        "digits": "20",
    }
    problem = {"region": region, "objective": {"kind": "chi-square", "against": [F(1, k)] * k}, "population": pi}
    claim = {"kind": "design-bracket", "lower": 0, "upper": sum(alpha) + UNIT, "mechanism": {"matrix": [["1"] * k]}}
    return with_((problem, claim, witness))


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    inputs = s.condition(PAGE, "The number of inputs is a number with `2 <= k <= MAX_DIVERGENCE_INPUTS`.", COUNT)
    rho = s.condition(PAGE, "`rho` is at least 0: `0 <= r`.", INEQUALITY)
    shares = s.condition(PAGE, "Every proportion is positive: `0 < pi_j`.", INEQUALITY)
    order = s.condition(PAGE, "Every order is at least 1: `1 <= a`.", INEQUALITY)
    alone = s.condition(PAGE, "The orders of the dual of `renyi-privacy` are that of the region alone.", OPEN)
    multipliers = s.condition(PAGE, "`lambda_a,jl >= 0`, and `lambda_a,jj = 0`.", INEQUALITY)
    digits = s.condition(PAGE, "`digits` is a whole number with `1 <= d <= MAX_COVER_DIGITS`.", COUNT)
    finite = s.condition(PAGE, "No divergence of two columns is infinite.", OPEN)
    private = s.condition(PAGE, "`renyi-privacy`: `D_a <= ln gamma.below` for every pair of columns.", OPEN)
    concentrated = s.condition(PAGE, "the conditions of `zcdp` in rule 29, with `upper = r`.", OPEN)
    bound = s.condition(PAGE, "`lower` or `upper` follows from B and W as in rule 25.", OPEN)
    everywhere = s.condition(PAGE, "`phi(p) <= g(p)` for all p >= 0", OPEN)
    for level in LEVELS:
        for kind in ("a-optimal", "mutual-information"):
            made, _, alpha, weight = honest(kind, level, 3, F(1, 200))
            document = parts(made)
            s.add(everywhere, "within", document, True)
            less = with_(document, ("2.dual.alpha", [alpha * (F(101, 100) if alpha < 0 else F(99, 100))] * 2))
            s.add(everywhere, "beyond", with_(less, ("2.dual.alpha", [alpha - weight / 50] * 2)), False)
            side, step = ("lower", UNIT) if kind == "a-optimal" else ("upper", -UNIT)
            end = F(made["claim"][side])
            s.add(bound, "within", with_(document, (f"1.{side}", end - step)), True)
            s.add(bound, "beyond", with_(document, (f"1.{side}", end + step)), False)
            with mp.workdps(40):
                best = rational(solved(kind, level)[0], 12)
            where = concentrated if level.order is None else private
            for move, accepted in ((-UNIT, True), (UNIT, False)):
                p = best + move
                q = 1 - p
                other = parts(file(kind, level, p, alpha, weight, (F(0), F(0))))
                ends = document[1]["lower"], document[1]["upper"]
                wide = (ends[0], (p * p + q * q) / (2 * p - 1) ** 2) if kind == "a-optimal" else (F(0), ends[1])
                s.add(
                    where,
                    "within" if accepted else "beyond",
                    with_(other, ("1.lower", wide[0]), ("1.upper", wide[1])),
                    accepted,
                )
            zero = with_(document, ("1.mechanism.matrix", [["1", "0"], ["0", "1"]]))
            s.add(finite, "within", document, True)
            s.add(finite, "beyond", zero, False)
            s.add(alone, "within", document, True)
            if level.order is not None:
                s.add(alone, "beyond", with_(document, ("2.dual.orders.0", level.own + UNIT)), False)
            for lengthy, accepted, limit in ((1, None, ""), (300, True, "limit"), (301, False, "beyond")):
                if accepted is not None:
                    moved = with_(document, ("2.digits", lengthy))
                    s.add(digits, limit, moved, accepted, "" if accepted else "limit")
    base = flat(2)
    s.add(digits, "one", with_(base, ("2.digits", 1), ("2.dual.alpha", [1, 1]), ("1.upper", 3)), True)
    for number in (0, -1, F(1, 2)):
        s.add(digits, "zero" if number == 0 else "beyond", with_(base, ("2.digits", number)), False)
    for k in (2, 3, 8):
        s.add(inputs, "limit" if k == 8 else "within", flat(k), True)
    s.add(inputs, "beyond", flat(9), False, "limit")
    for k in (0, 1):
        s.add(inputs, "zero" if k == 0 else "one", with_(base, ("0.region.inputs", k)), False, known=False)
    free = flat(2, zcdp=True)
    s.add(rho, "equality", with_(free, ("0.region.rho", 0)), True)
    s.add(rho, "within", with_(free, ("0.region.rho", UNIT)), True)
    s.add(rho, "beyond", with_(free, ("0.region.rho", -UNIT)), False, known=False)
    wide = with_(base, ("2.dual.alpha", [1, 1]), ("1.upper", 3))
    s.add(shares, "equality", with_(wide, ("0.population", [0, 1])), False)
    s.add(shares, "within", with_(wide, ("0.population", [UNIT, 1 - UNIT])), True)
    s.add(shares, "beyond", with_(wide, ("0.population", [-UNIT, 1 + UNIT])), False, known=False)
    for number, where, accepted in ((F(1), "equality", True), (1 + UNIT, "within", True), (1 - UNIT, "beyond", False)):
        moved = with_(base, ("0.region.order", number), ("2.dual.orders.0", number))
        s.add(order, where, moved, accepted, known=None if accepted else False)
        s.add(order, where, with_(free, ("2.dual.orders.0", number)), accepted)
    for number, where, accepted in ((F(0), "equality", True), (UNIT, "within", True), (-UNIT, "beyond", False)):
        moved = with_(wide, ("2.dual.multipliers.0.0.1", number))
        s.add(multipliers, where, moved, accepted)
    s.add(multipliers, "beyond", with_(wide, ("2.dual.multipliers.0.1.1", UNIT)), False)
