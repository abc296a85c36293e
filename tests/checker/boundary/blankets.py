"""Rule 33: delta of shuffled reports of a mechanism, by its privacy blanket."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from fuzz.blankets import bound, laws_of

from .book import COUNT, INEQUALITY, OPEN, UNIT, Suite, with_
from .compositions import Document, level
from .designs import bracket

PAGE = "blanket_rule.md"


def any_of(g: F) -> Any:
    """Return every mechanism at a level."""
    return {"kind": "any", "local": level(g)}


def shuffled(n: int, mechanism: Any, g: F | None, gamma: F, cuts: list[int]) -> Document:
    """Return a file without bounds."""
    problem = {"kind": "shuffled-mechanism", "respondents": n, "mechanism": mechanism, "epsilon": level(gamma)}
    witness: dict[str, Any] = {"rule": "shuffled-blanket"} | ({} if g is None else {"local": bracket(g)})
    witness |= {"gamma": bracket(gamma), "cuts": cuts, "bits": 64}
    return with_((problem, {"kind": "shuffled-delta", "lower": 0, "upper": 1}, witness))


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    people = s.condition(PAGE, "The respondents are a whole number with `1 <= n <= MAX_SHUFFLED`.", COUNT)
    categories = s.condition(PAGE, "The categories are a whole number with `2 <= k <= MAX_ZCDP_CATEGORIES`.", COUNT)
    chances = s.condition(PAGE, "The probabilities are `0 < z < 1` and `0 < o < 1`.", INEQUALITY)
    cut = s.condition(PAGE, "The cuts are whole numbers with `0 <= c <= n - 1`.", COUNT)
    order = s.condition(PAGE, "They increase: `c_1 < c_2 < ...`.", INEQUALITY)
    most = s.condition(PAGE, "There are at most `MAX_BLOCKS` cuts.", ("limit", "beyond"))
    bits = s.condition(PAGE, "`bits` is a whole number with `1 <= b <= MAX_LATTICE_BITS`.", COUNT)
    lower = s.condition(PAGE, "The rule proves no lower bound: `lower <= 0`.", INEQUALITY)
    upper = s.condition(
        PAGE, "`upper >= Pr(B < c_1) + sum_j Pr(c_j <= B < c_(j+1)) H(c_j)`, and `upper >= 1` without cuts.", OPEN
    )
    cases: list[tuple[int, str, F, int, tuple[F, F], F, list[int]]] = [
        (3, "any", F(2), 2, (F(0), F(0)), F(5, 4), [0, 1, 2]),
        (6, "any", F(9), 2, (F(0), F(0)), F(2), [0, 3]),
        (6, "any", F(9), 2, (F(0), F(0)), F(1), [2, 3, 5]),
        (1, "any", F(3), 2, (F(0), F(0)), F(2), [0]),
        (4, "any", F(3), 2, (F(0), F(0)), F(3, 2), []),
        (2, "any", F(1), 2, (F(0), F(0)), F(1), [1]),
        (4, "kary", F(3), 3, (F(0), F(0)), F(5, 4), [0, 1, 2, 3]),
        (3, "kary", F(2), 5, (F(0), F(0)), F(1), [1, 2]),
        (3, "kary", F(5), 2, (F(0), F(0)), F(2), [0, 2]),
        (4, "binary", F(1), 2, (F(1, 24), F(13, 24)), F(2), [0, 1, 2, 3]),
        (4, "binary", F(1), 2, (F(3, 4), F(1, 5)), F(2), [0, 2]),
        (3, "binary", F(1), 2, (F(9, 10), F(1, 2)), F(1), [0, 1, 2]),
    ]
    for n, kind, g, k, ends, gamma, cuts in cases:
        mechanism: dict[str, Any] = any_of(g)
        if kind == "kary":
            mechanism = {"kind": kind, "local": level(g), "categories": k}
        if kind == "binary":
            mechanism = {"kind": kind, "zero": ends[0], "one": ends[1]}
        made = shuffled(n, mechanism, None if kind == "binary" else g, gamma, cuts)
        u = max(bound(n, laws, gamma, cuts) for laws in laws_of(kind, g, k, ends))
        s.add(upper, "within", with_(made, ("1.upper", u + UNIT)), True)
        s.add(upper, "beyond", with_(made, ("1.upper", u - UNIT), ("1.lower", -1)), False)
        s.add(lower, "within", with_(made, ("1.lower", -UNIT)), True)
    base = shuffled(4, any_of(F(2)), F(2), F(3, 2), [0, 1, 3])
    s.add(lower, "equality", base, True)
    s.add(lower, "beyond", with_(base, ("1.lower", UNIT)), False)
    for path, entered, least, largest in (("2.cuts.2", cut, 0, 3), ("2.bits", bits, 1, 4096)):
        at = with_(base, ("2.cuts", [0, 0, 1])) if entered is cut else base
        if entered is cut:
            at = with_(base, ("2.cuts", [1]))
            path = "2.cuts.0"
        s.add(entered, "one", with_(at, (path, 1)), True)
        s.add(entered, "limit", with_(at, (path, largest)), True)
        s.add(entered, "zero", with_(at, (path, 0)), not least)
        for wrong in (-1, F(1, 2)):
            s.add(entered, "beyond", with_(at, (path, wrong)), False)
        s.add(entered, "beyond", with_(at, (path, largest + 1)), False, "limit" if entered is bits else "")
    s.add(people, "one", shuffled(1, any_of(F(2)), F(2), F(3, 2), [0]), True)
    for wrong in (0, -4, F(7, 2)):
        s.add(people, "zero" if wrong == 0 else "beyond", with_(base, ("0.respondents", wrong)), False, known=False)
    flat = shuffled(1, any_of(F(1)), F(1), F(1), [0])
    large = with_(flat, ("0.respondents", 10**7))
    s.add(people, "limit", large, True, known=True)
    s.add(people, "beyond", with_(flat, ("0.respondents", 10**7 + 1)), False, "limit")
    kary = shuffled(3, {"kind": "kary", "local": level(F(2)), "categories": 3}, F(2), F(5, 4), [0, 1, 2])
    for size, boundary, accepted in (
        (2, "one", True),
        (10**12, "limit", True),
        (1, "beyond", False),
        (0, "zero", False),
    ):
        s.add(
            categories,
            boundary,
            with_(kary, ("0.mechanism.categories", size)),
            accepted,
            known=True if size == 10**12 else None if accepted else False,
        )
    for wrong in (-3, F(5, 2)):
        s.add(categories, "beyond", with_(kary, ("0.mechanism.categories", wrong)), False, known=False)
    beyond = with_(kary, ("0.mechanism.categories", 10**12 + 1))
    s.add(categories, "beyond", beyond, False, "limit")
    binary = shuffled(3, {"kind": "binary", "zero": F(1, 4), "one": F(2, 3)}, None, F(5, 4), [0, 1, 2])
    for name in ("zero", "one"):
        path = f"0.mechanism.{name}"
        for chance in (UNIT, 1 - UNIT):
            s.add(chances, "within", with_(binary, (path, chance)), True)
        for chance in (0, 1):
            s.add(chances, "equality", with_(binary, (path, chance)), False)
        for chance in (-UNIT, 1 + UNIT):
            s.add(chances, "beyond", with_(binary, (path, chance)), False, known=False)
    s.add(order, "within", base, True)
    s.add(order, "equality", with_(base, ("2.cuts", [0, 1, 1])), False)
    s.add(order, "beyond", with_(base, ("2.cuts", [0, 3, 1])), False)
    few = with_(flat, ("0.respondents", 64), ("2.cuts", list(range(64))), ("2.bits", 1), ("1.upper", 9))
    s.add(most, "limit", few, True, known=True)
    # equal cuts, so that the suite stays short: test_blanket_rule.py has as many that increase
    s.add(most, "beyond", with_(flat, ("0.respondents", 4097), ("2.cuts", [0] * 4097)), False, "limit", known=True)
    root = {"kind": "any", "local": {"log": "2", "times": "1/2"}}
    made = with_(shuffled(3, root, F(7, 5), F(5, 4), [0, 1, 2]), ("2.local", bracket(F(7, 5), F(17, 12))))
    u = bound(3, laws_of("any", F(17, 12), 2, (F(0), F(0)))[0], F(5, 4), [0, 1, 2])
    s.add(upper, "within", with_(made, ("1.upper", u + UNIT)), True)
    s.add(upper, "beyond", with_(made, ("1.upper", u - UNIT)), False)
