"""Rule 29: zCDP of k-ary randomized response."""

from __future__ import annotations

from fractions import Fraction as F

import mpmath as mp
from fuzz.concentrated import quotient, rational, supremum

from .book import COUNT, INEQUALITY, OPEN, UNIT, Suite, with_
from .compositions import Document, level
from .designs import bracket

PAGE = "zcdp_rule.md"


def response(k: int | F, g: F, order: F = F(1)) -> Document:
    """Return a file without bounds."""
    problem = {"kind": "zcdp", "categories": k, "epsilon": level(g)}
    witness = {"rule": "kary-zcdp", "gamma": bracket(g), "order": order, "digits": 40}
    return with_((problem, {"kind": "rho", "lower": 0, "upper": 5}, witness))


def tangent(k: int | F, g: F, a: F) -> F:
    """Return the slope of the tangent at an order."""
    with mp.workdps(60):
        parity = mp.mpf(g.numerator) / g.denominator
        eps, u = mp.log(parity), mp.mpf(a.numerator) / a.denominator - mp.mpf(1) / 2
        r = mp.mpf(F(k - 2).numerator) / F(k - 2).denominator / (2 * mp.sqrt(parity))
        return rational(eps * mp.sinh(eps * u) / (2 * u * (mp.cosh(eps * u) + r)))


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    categories = s.condition(
        PAGE, "The categories are a number with `2 <= k <= MAX_ZCDP_CATEGORIES`.", (*INEQUALITY, *COUNT)
    )
    order = s.condition(PAGE, "The order is at least 1: `1 <= a`.", INEQUALITY)
    digits = s.condition(PAGE, "`digits` is a whole number with `1 <= d <= MAX_COVER_DIGITS`.", COUNT)
    lower = s.condition(PAGE, "`lower <= slope(a)`, or lower is at most 0.", OPEN)
    concave = s.condition(PAGE, "`r (t cosh t - sinh t) <= sinh t cosh t - t`;", OPEN)
    steep = s.condition(PAGE, "for an order above 1, `slope(a) <= tangent(a)`;", OPEN)
    upper = s.condition(PAGE, "`upper >= tangent(a)`.", OPEN)
    nothing = s.condition(PAGE, "At g = 1 it is enough that `upper >= 0`.", INEQUALITY)
    for k, g in (
        (2, F(3)),
        (6, F(3)),
        (3, F(11, 10)),
        (10, F(4)),
        (10, F(3)),
        (1000, F(2)),
        (7, F(5, 4)),
        (F(224, 45), F(77, 45)),
    ):
        best = supremum(k, g)[0]
        a = F(1) if best == 1 else rational(best, 12) - F(1, 10**9)
        with mp.workdps(60):
            at = mp.mpf(a.numerator) / a.denominator
            v = rational(quotient(k, mp.mpf(g.numerator) / g.denominator, mp.mpf(1) if a == 1 else at))
        u = v if a == 1 else tangent(k, g, a)
        made = response(k, g, a)
        s.add(lower, "within", with_(made, ("1.lower", v - UNIT)), True)
        s.add(lower, "beyond", with_(made, ("1.lower", v + UNIT)), False)
        s.add(upper, "within", with_(made, ("1.upper", u + UNIT)), True)
        s.add(upper, "beyond", with_(made, ("1.upper", u - UNIT)), False)
        s.add(lower, "within", with_(made, ("1.lower", -UNIT)), True)
        s.add(concave, "within", made, True)
        if a > 1:
            s.add(steep, "within", made, True)
            s.add(steep, "beyond", with_(made, ("2.order", rational(best, 12) + F(1, 100))), False)
            s.add(concave, "beyond", with_(made, ("2.order", 1)), False)
            s.add(concave, "beyond", with_(made, ("2.order", 1 + UNIT)), False)
    s.add(concave, "within", response(10, F(368, 100)), True)  # the threshold is exp(1.30145) = 3.6746
    s.add(concave, "beyond", response(10, F(367, 100)), False)
    flat = response(5, F(1))
    s.add(nothing, "equality", with_(flat, ("1.upper", 0)), True)
    s.add(nothing, "within", with_(flat, ("1.upper", UNIT)), True)
    s.add(nothing, "beyond", with_(flat, ("1.upper", -UNIT), ("1.lower", -1)), False)
    base = response(6, F(3))
    s.add(order, "equality", base, True)
    s.add(order, "within", with_(flat, ("2.order", 1 + UNIT)), True)
    for wrong in (1 - UNIT, F(0), F(-2)):
        s.add(order, "beyond", with_(base, ("2.order", wrong)), False)
    s.add(digits, "one", with_(flat, ("2.digits", 1)), True)
    s.add(digits, "limit", with_(base, ("2.digits", 300)), True)
    for number in (0, -1, F(1, 2), F(81, 2)):
        s.add(digits, "zero" if number == 0 else "beyond", with_(base, ("2.digits", number)), False)
    s.add(digits, "beyond", with_(base, ("2.digits", 301)), False, "limit")
    s.add(categories, "equality", with_(flat, ("0.categories", 2)), True)
    s.add(categories, "within", with_(flat, ("0.categories", 2 + UNIT)), True)
    for number in (0, 1, -2, 2 - UNIT):
        where = {0: "zero", 1: "one"}.get(number, "beyond")
        s.add(categories, where, with_(base, ("0.categories", number)), False, known=False)
    s.add(categories, "limit", with_(flat, ("0.categories", 10**12)), True)
    s.add(categories, "beyond", with_(flat, ("0.categories", 10**12 + 1)), False, "limit", known=True)
