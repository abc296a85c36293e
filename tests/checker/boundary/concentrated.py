"""Rule 29: Renyi divergence at an order, and zCDP."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import mpmath as mp
from fuzz.concentrated import Law, divergence, kary, matrix, mpf, orders_of, pairs_of, rational, response, supremum

from .book import COUNT, INEQUALITY, OPEN, UNIT, Suite, with_
from .compositions import Document, level
from .designs import bracket

PAGE = "renyi_rule.md"
DEVICE = [(F(1, 2), F(1, 4), F(1, 4)), (F(1, 10), F(3, 5), F(3, 10))]
THREE = [(F(1, 2), F(1, 2)), (F(1, 4), F(3, 4)), (F(1, 5), F(4, 5))]
FLAT = [(F(1, 3), F(2, 3))] * 2
ONE_ZERO = [(F(1, 2), F(1, 2)), (F(0), F(1))]
ZERO_ROW = [(F(1, 2), F(1, 2), F(0)), (F(1, 4), F(3, 4), F(0))]


def one_order(columns: list[Law], a: F) -> Document:
    """Return a file about one order, with wide bounds."""
    problem = {"kind": "renyi", "mechanism": matrix(columns), "order": a}
    return with_((problem, {"kind": "divergence", "lower": 0, "upper": 50}, {"rule": "renyi", "digits": 40}))


def response_order(k: int | F, g: F, a: F) -> Document:
    """Return the same of k-ary response."""
    problem = {"kind": "renyi", "mechanism": kary(k, level(g)), "order": a}
    witness = {"rule": "renyi", "local": bracket(g), "digits": 40}
    return with_((problem, {"kind": "divergence", "lower": 0, "upper": 50}, witness))


def all_orders(columns: list[Law]) -> tuple[Document, F]:
    """Return a file about zCDP of a matrix, whose upper bound is one unit above rho; and rho."""
    pairs = pairs_of(columns)
    rho = max((rational(supremum(pair)[1]) for pair in pairs), default=F(0))
    witness = {"rule": "zcdp", "orders": orders_of(pairs), "digits": 40}
    claim = {"kind": "rho", "lower": 0, "upper": rho + UNIT}
    return with_(({"kind": "zcdp", "mechanism": matrix(columns)}, claim, witness)), rho


def response_orders(k: int | F, g: F) -> tuple[Document, F]:
    """Return the same of k-ary response."""
    pairs = pairs_of(response(k, g))
    rho = max((rational(supremum(pair)[1]) for pair in pairs), default=F(0))
    witness = {"rule": "zcdp", "local": bracket(g), "orders": orders_of(pairs), "digits": 40}
    claim = {"kind": "rho", "lower": 0, "upper": rho + UNIT}
    return with_(({"kind": "zcdp", "mechanism": kary(k, level(g))}, claim, witness)), rho


def greatest(pairs: Any, a: F) -> F:
    """Return the largest divergence of an order."""
    with mp.workdps(60):
        return max((rational(divergence(pair, mpf(a))) for pair in pairs), default=F(0))


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    categories = s.condition(
        PAGE, "The categories are a number with `2 <= k <= MAX_ZCDP_CATEGORIES`.", (*INEQUALITY, *COUNT)
    )
    order = s.condition(PAGE, "The order is at least 1: `1 <= a`.", INEQUALITY)
    digits = s.condition(PAGE, "`digits` is a whole number with `1 <= d <= MAX_COVER_DIGITS`.", COUNT)
    infinite = s.condition(PAGE, 'If `p_i > 0 = q_i` at a report of a pair, the bounds are `"infinite"`', OPEN)
    nothing = s.condition(PAGE, "Else they are numbers, and `upper >= 0`.", INEQUALITY)
    least = s.condition(PAGE, "`lower <= D_a` of some pair, or lower is at most 0.", OPEN)
    most = s.condition(PAGE, "`upper >= D_a` of every pair.", OPEN)
    rising = s.condition(PAGE, "the orders increase: `a_0 < a_1 < ... < a_n`.", INEQUALITY)
    lower = s.condition(PAGE, "`lower <= D_a/a` at some order of the list of some pair, or lower is at most 0.", OPEN)
    tail = s.condition(PAGE, "Of every pair: `upper a_n >= L_i` for all i.", OPEN)
    cells = s.condition(
        PAGE,
        "Then `c_0 >= 0`, `c_0 + c_1 w/3 >= 0`, `c_0 + 2 c_1 w/3 + c_2 w^2/3 >= 0` and "
        "`c_0 + c_1 w + c_2 w^2 + c_3 w^3 >= 0`.",
        OPEN,
    )
    for made, pairs, a in (
        (one_order(DEVICE, F(2)), pairs_of(DEVICE), F(2)),
        (one_order(DEVICE, F(1)), pairs_of(DEVICE), F(1)),
        (one_order(THREE, F(7, 2)), pairs_of(THREE), F(7, 2)),
        (one_order(ZERO_ROW, F(3, 2)), pairs_of(ZERO_ROW), F(3, 2)),
        (response_order(5, F(3), F(2)), pairs_of(response(5, F(3))), F(2)),
        (response_order(F(224, 45), F(77, 45), F(1)), pairs_of(response(F(224, 45), F(77, 45))), F(1)),
    ):
        v = greatest(pairs, a)
        s.add(least, "within", with_(made, ("1.lower", v - UNIT)), True)
        s.add(least, "within", with_(made, ("1.lower", -UNIT)), True)
        s.add(least, "beyond", with_(made, ("1.lower", v + UNIT)), False)
        s.add(most, "within", with_(made, ("1.upper", v + UNIT)), True)
        s.add(most, "beyond", with_(made, ("1.upper", v - UNIT)), False)
    for k, g in (
        (2, F(3)),
        (6, F(3)),
        (3, F(11, 10)),
        (10, F(4)),
        (10, F(3)),
        (10, F(367, 100)),  # the maximum leaves the order 1 at exp(1.30145) = 3.6746
        (10, F(368, 100)),
        (1000, F(2)),
        (7, F(5, 4)),
        (F(224, 45), F(77, 45)),
    ):
        _add_bounds(s, lower, cells, *response_orders(k, g))
    for columns in (DEVICE, THREE, ZERO_ROW):
        _add_bounds(s, lower, cells, *all_orders(columns))
    made, _ = all_orders(DEVICE)
    short = with_(made, ("2.orders.0", []), ("2.orders.1", []))
    # the largest losses are log 5 = 1.6094 and log(12/5)
    s.add(tail, "within", with_(short, ("1.upper", F(161, 100))), True)
    s.add(tail, "beyond", with_(short, ("1.upper", F(16, 10))), False)
    s.add(tail, "beyond", short, False)
    s.add(rising, "within", with_(made, ("1.upper", 5), ("2.orders", [["2"], ["1000001/1000000"]])), True)
    s.add(rising, "equality", with_(made, ("1.upper", 5), ("2.orders", [["2", "2"], ["2"]])), False)
    s.add(rising, "equality", with_(made, ("1.upper", 5), ("2.orders", [["2"], ["1"]])), False)
    s.add(rising, "beyond", with_(made, ("1.upper", 5), ("2.orders", [["2", "1999999/1000000"], ["2"]])), False)
    s.add(rising, "beyond", with_(made, ("1.upper", 5), ("2.orders", [["999999/1000000"], ["2"]])), False)
    _add_infinite(s, infinite, nothing, made)
    _add_numbers(s, categories, order, digits)


def _add_bounds(s: Suite, lower: Any, cells: Any, made: Document, rho: F) -> None:
    s.add(lower, "within", with_(made, ("1.lower", rho - UNIT)), True)
    s.add(lower, "within", with_(made, ("1.lower", -UNIT)), True)
    s.add(lower, "beyond", with_(made, ("1.lower", rho + UNIT)), False)
    s.add(cells, "within", made, True)
    s.add(cells, "beyond", with_(made, ("1.upper", rho - UNIT)), False)


def _add_infinite(s: Suite, infinite: Any, nothing: Any, finite: Document) -> None:
    both = ("1.lower", "infinite"), ("1.upper", "infinite")
    for made in (
        one_order(ONE_ZERO, F(2)),
        with_(all_orders(DEVICE)[0], ("0.mechanism", matrix(ONE_ZERO)), ("2.orders", [])),
    ):
        s.add(infinite, "within", with_(made, *both), True)
        s.add(infinite, "beyond", made, False)
        s.add(infinite, "beyond", with_(made, ("1.upper", "infinite")), False)
    s.add(infinite, "beyond", with_(finite, *both), False)
    s.add(infinite, "beyond", with_(one_order(DEVICE, F(2)), *both), False)
    for made in (all_orders(FLAT)[0], all_orders(FLAT[:1])[0], one_order(FLAT, F(2)), response_order(5, F(1), F(2))):
        s.add(nothing, "equality", with_(made, ("1.upper", 0)), True)
        s.add(nothing, "within", with_(made, ("1.upper", UNIT)), True)
        s.add(nothing, "beyond", with_(made, ("1.upper", -UNIT), ("1.lower", -1)), False)
    flat = response_orders(5, F(1))[0]
    s.add(nothing, "equality", with_(flat, ("1.upper", 0)), True)
    s.add(nothing, "beyond", with_(flat, ("1.upper", -UNIT), ("1.lower", -1)), False)


def _add_numbers(s: Suite, categories: Any, order: Any, digits: Any) -> None:
    flat, base = response_orders(5, F(1))[0], response_orders(6, F(3))[0]
    one = one_order(DEVICE, F(1))
    s.add(order, "equality", one, True)
    s.add(order, "within", with_(one, ("0.order", 1 + UNIT)), True)
    for wrong in (1 - UNIT, F(0), F(-2)):
        s.add(order, "beyond", with_(one, ("0.order", wrong)), False, known=False)
    s.add(digits, "one", with_(flat, ("2.digits", 1)), True)
    s.add(digits, "limit", with_(base, ("2.digits", 300)), True)
    for number in (0, -1, F(1, 2), F(81, 2)):
        s.add(digits, "zero" if number == 0 else "beyond", with_(base, ("2.digits", number)), False)
    s.add(digits, "beyond", with_(base, ("2.digits", 301)), False, "limit")
    s.add(categories, "equality", with_(flat, ("0.mechanism.categories", 2)), True)
    s.add(categories, "within", with_(flat, ("0.mechanism.categories", 2 + UNIT)), True)
    for number in (0, 1, -2, 2 - UNIT):
        where = {0: "zero", 1: "one"}.get(number, "beyond")
        s.add(categories, where, with_(base, ("0.mechanism.categories", number)), False, known=False)
    s.add(categories, "limit", with_(flat, ("0.mechanism.categories", 10**12)), True)
    s.add(categories, "beyond", with_(flat, ("0.mechanism.categories", 10**12 + 1)), False, "limit", known=True)
