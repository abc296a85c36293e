"""Rules 36 and 37: levels refuted by samples."""

from __future__ import annotations

from fractions import Fraction as F
from math import comb
from typing import Any

from .book import COUNT, INEQUALITY, SPECIAL, UNIT, Suite, with_

PAGE = "audit_rules.md"
Document = tuple[Any, Any, Any]


def tails(n: int, a: int, m: int, b: int, g: F, p: F, q: F, d: F = F(0), alpha: F = F(1, 20), tests: int = 1) -> Document:  # fmt: skip
    """Return a test by two tails."""
    problem = {"kind": "audit-counts", "n1": n, "hits1": a, "n2": m, "hits2": b, "delta": d}
    claim = {"kind": "refuted", "gamma": g, "alpha": alpha, "tests": tests}
    return with_((problem, claim, {"rule": "binomial-tails", "p": p, "q": q, "bits": 64}))


def pairs(counts: tuple[int, ...], g: F, bet: F, d: F = F(0), alpha: F = F(1, 20), tests: int = 1) -> Document:
    """Return a test by an e-value."""
    problem = {"kind": "audit-pairs", **dict(zip(("both", "first", "second", "neither"), counts, strict=True)), "delta": d}  # fmt: skip
    claim = {"kind": "refuted", "gamma": g, "alpha": alpha, "tests": tests}
    return with_((problem, claim, {"rule": "e-value", "lambda": bet}))


def upper(n: int, p: F, a: int) -> F:
    """Return Pr(Bin(n, p) >= a)."""
    return sum((comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(a, n + 1)), F(0))


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    _tails(s)
    _pairs(s)


def _tails(s: Suite) -> None:
    hits = s.condition(PAGE, "`A <= N` and `B <= M`.", INEQUALITY)
    base = tails(10, 10, 10, 0, F(2), F(5, 8), F(5, 16))
    s.add(hits, "equality", base, True, known=True)
    within = tails(10, 9, 10, 0, F(1), F(5, 9), F(5, 9) - F(1, 9))
    proved = 2 * upper(10, F(5, 9), 9) <= F(1, 20) and 2 * F(5, 9) ** 10 <= F(1, 20)
    s.add(hits, "within", within, proved, known=proved)
    s.add(hits, "beyond", with_(base, ("0.hits1", "11")), False, known=False)
    s.add(hits, "beyond", with_(base, ("0.hits2", "11")), False, known=False)
    order = s.condition(PAGE, "`p >= g q + d`.", (*INEQUALITY, *SPECIAL))
    s.add(order, "equality", base, True, known=True)
    s.add(order, "within", with_(base, ("1.gamma", F(2) - UNIT)), True, known=True)
    s.add(order, "beyond", with_(base, ("1.gamma", F(2) + UNIT)), False, "witness", known=True)
    s.add(order, "beyond", with_(base, ("0.delta", UNIT)), False, "witness", known=True)
    s.add(order, "special value", with_(base, ("1.gamma", "1")), True, known=True)
    s.add(order, "special value", with_(base, ("0.delta", "1")), False, known=False)
    first = s.condition(PAGE, "`Pr(Bin(N, p) >= A) <= a/(2t)`.", (*INEQUALITY, *SPECIAL))
    half = tails(1, 1, 40, 0, F(1), F(1, 4), F(1, 8), alpha=F(1, 2))
    s.add(first, "equality", half, True, known=True)
    s.add(first, "within", with_(half, ("2.p", F(1, 4) - UNIT)), True, known=True)
    s.add(first, "beyond", with_(half, ("2.p", F(1, 4) + UNIT)), False, "witness", known=True)
    s.add(first, "special value", with_(half, ("0.n1", "0"), ("0.hits1", "0")), False, known=False)
    s.add(first, "special value", with_(half, ("2.p", "1")), False, "witness", known=True)
    s.add(first, "special value", with_(half, ("2.p", "0"), ("2.q", "0")), False, "witness", known=True)
    second = s.condition(PAGE, "`Pr(Bin(M, q) <= B) <= a/(2t)`.", (*INEQUALITY, *SPECIAL))
    other = tails(40, 40, 1, 0, F(1), F(7, 8), F(3, 4), alpha=F(1, 2))
    s.add(second, "equality", other, True, known=True)
    s.add(second, "within", with_(other, ("2.q", F(3, 4) + UNIT)), True, known=True)
    s.add(second, "beyond", with_(other, ("2.q", F(3, 4) - UNIT)), False, "witness", known=True)
    s.add(second, "special value", with_(other, ("0.n2", "0"), ("0.hits2", "0")), False, known=False)
    s.add(second, "special value", with_(other, ("0.hits2", "1")), False, known=False)
    tests = s.condition(PAGE, "an integer t from 1 to `MAX_TESTS` = 10^6.", COUNT)
    many = tails(60, 60, 60, 0, F(2), F(5, 8), F(5, 16))
    s.add(tests, "zero", with_(base, ("1.tests", "0")), False, "form")
    s.add(tests, "one", base, True, known=True)
    s.add(tests, "limit", with_(many, ("1.tests", 10**6)), True, known=True)
    s.add(tests, "beyond", with_(many, ("1.tests", 10**6 + 1)), False, "limit")
    bits = s.condition(PAGE, "b an integer from 1 to `MAX_BITS` = 4096.", COUNT)
    s.add(bits, "zero", with_(base, ("2.bits", "0")), False, "form")
    s.add(bits, "one", with_(base, ("2.bits", "1")), True, known=True)
    s.add(bits, "limit", with_(base, ("2.bits", "4096")), True, known=True)
    s.add(bits, "beyond", with_(base, ("2.bits", "4097")), False, "limit")
    level = s.condition(PAGE, '`{"kind": "refuted", "gamma": g, "alpha": a, "tests": t}` with `g >= 1`, `0 < a < 1`', INEQUALITY)  # fmt: skip
    for alpha, verdict in (("0", False), ("1", False), ("-1/2", False)):
        s.add(level, "beyond", with_(base, ("1.alpha", alpha)), verdict, "form")
    s.add(level, "beyond", with_(base, ("1.gamma", 1 - UNIT)), False, "form")
    s.add(level, "equality", with_(base, ("1.gamma", "1")), True, known=True)
    s.add(level, "within", with_(base, ("1.alpha", 1 - UNIT)), True, known=True)


def _pairs(s: Suite) -> None:
    bet = s.condition(PAGE, "`0 <= l` and `l (g + d) <= 1`.", INEQUALITY)
    base = pairs((0, 10, 0, 2), F(2), F(1, 2))
    s.add(bet, "equality", base, True, known=True)
    s.add(bet, "within", with_(base, ("2.lambda", F(1, 2) - UNIT)), True, known=True)
    s.add(bet, "beyond", with_(base, ("2.lambda", F(1, 2) + UNIT)), False, "witness", known=True)
    s.add(bet, "beyond", with_(base, ("2.lambda", -UNIT)), False, "witness", known=True)
    value = s.condition(PAGE, "`E >= t/a` with `E = (1 + l(1 - g - d))^n11 (1 + l(1 - d))^n10 (1 - l(g + d))^n01 (1 - l d)^n00`, and `0^0 = 1`.", (*INEQUALITY, *SPECIAL))  # fmt: skip
    two = pairs((0, 1, 0, 0), F(1), F(1), alpha=F(1, 2))
    s.add(value, "equality", two, True, known=True)
    s.add(value, "within", with_(two, ("1.alpha", F(1, 2) + UNIT)), True, known=True)
    s.add(value, "beyond", with_(two, ("1.alpha", F(1, 2) - UNIT)), False, known=False)
    s.add(value, "beyond", with_(two, ("1.tests", "2")), False, known=False)
    for counts, verdict in (((0, 0, 0, 0), False), ((5, 0, 0, 0), False), ((0, 10, 1, 0), False)):
        s.add(value, "special value", pairs(counts, F(2), F(1, 2)), verdict, known=False)
    s.add(value, "special value", pairs((0, 10, 0, 10**15), F(2), F(1, 3), d=F(1)), False, known=False)
    s.add(
        value, "special value", with_(base, ("1.gamma", "1"), ("2.lambda", "1"), ("0.second", "1")), False, known=False
    )
    s.add(value, "special value", with_(base, ("2.lambda", "0")), False, "witness", known=True)
    s.add(value, "special value", pairs((0, 10**15, 0, 0), F(1), F(1)), True, known=True)
    s.add(value, "special value", pairs((0, 10, 0, 0), F(1), F(1, 2), d=F(1)), False, known=False)
