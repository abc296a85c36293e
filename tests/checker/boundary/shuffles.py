"""Rule 28: delta of shuffled reports, over all neighbouring data sets."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from fuzz.shuffles import blocks_delta, event

from .book import COUNT, EQUATION, OPEN, UNIT, Suite, with_
from .compositions import Document, level
from .designs import bracket

PAGE = "shuffle_rule.md"


def shuffled(n: int, g: F, gamma: F, sizes: list[int], j: int = 0, cut: int = 0) -> Document:
    """Return a file without bounds."""
    problem = {"kind": "shuffled-reports", "respondents": n, "local": level(g), "epsilon": level(gamma)}
    witness: dict[str, Any] = {"rule": "shuffled-blocks", "local": bracket(g), "gamma": bracket(gamma)}
    witness |= {"data_set": {"zeros": j, "cut": cut}, "blocks": sizes, "bits": 64}
    return with_((problem, {"kind": "shuffled-delta", "lower": 0, "upper": 1}, witness))


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    people = s.condition(PAGE, "The respondents are a whole number with `1 <= n <= MAX_SHUFFLED`.", COUNT)
    data = s.condition(PAGE, "The data set has `0 <= j <= n - 1`.", COUNT)
    cut = s.condition(PAGE, "Its cut has `0 <= s <= n`.", COUNT)
    size = s.condition(PAGE, "its size is a whole number with `1 <= size <= n`.", COUNT)
    whole = s.condition(PAGE, "The sizes of the blocks add to n,", EQUATION)
    most = s.condition(PAGE, "there are at most `MAX_BLOCKS` of them.", ("limit", "beyond"))
    bits = s.condition(PAGE, "`bits` is a whole number with `1 <= b <= MAX_LATTICE_BITS`.", COUNT)
    lower = s.condition(PAGE, "`lower <= max(0, P(at least s) - gamma Q(at least s))`.", OPEN)
    upper = s.condition(PAGE, "`upper >= d(z, n - z - m)`.", OPEN)
    cases: list[tuple[int, F, F, list[int], int, int]] = [
        (3, F(2), F(5, 4), [2, 1], 0, 3),
        (5, F(2), F(5, 4), [1, 1, 1, 1, 1], 1, 3),
        (5, F(2), F(5, 4), [1, 1, 1, 1, 1], 0, 4),
        (1, F(3), F(2), [1], 0, 1),
        (4, F(9), F(1), [2, 2], 2, 2),
        (6, F(3, 2), F(1), [1, 2, 3], 5, 6),
        (2, F(2), F(2), [2], 1, 0),
        (2, F(1), F(1), [1, 1], 0, 1),
    ]
    for n, g, gamma, sizes, j, s_ in cases:
        made = shuffled(n, g, gamma, sizes, j, s_)
        v, u = event(n, j, s_, g, gamma), blocks_delta(sizes, g, gamma)
        s.add(lower, "within", with_(made, ("1.lower", v - UNIT)), True)
        s.add(lower, "beyond", with_(made, ("1.lower", v + UNIT)), False)
        s.add(upper, "within", with_(made, ("1.upper", u + UNIT)), True)
        s.add(upper, "beyond", with_(made, ("1.upper", u - UNIT), ("1.lower", -1)), False)
    base = shuffled(4, F(2), F(3, 2), [1, 2, 1], 1, 3)
    for path, entered, least, largest in (
        ("2.data_set.zeros", data, 0, 3),
        ("2.data_set.cut", cut, 0, 4),
        ("2.bits", bits, 1, 4096),
    ):
        s.add(entered, "one", with_(base, (path, 1)), True)
        s.add(entered, "limit", with_(base, (path, largest)), True)
        if not least:
            s.add(entered, "zero", with_(base, (path, 0)), True)
        else:
            s.add(entered, "zero", with_(base, (path, 0)), False)
        for wrong in (-1, F(1, 2)):
            s.add(entered, "beyond", with_(base, (path, wrong)), False)
        s.add(entered, "beyond", with_(base, (path, largest + 1)), False, "limit" if path == "2.bits" else "")
    s.add(people, "one", shuffled(1, F(2), F(3, 2), [1]), True)
    for wrong in (0, -4, F(7, 2)):
        s.add(people, "zero" if wrong == 0 else "beyond", with_(base, ("0.respondents", wrong)), False, known=False)
    one = shuffled(1, F(1), F(1), [1])
    large = with_(one, ("0.respondents", 10**7), ("2.blocks", [10**7]))
    s.add(people, "limit", large, True, known=True)
    more = with_(large, ("0.respondents", 10**7 + 1), ("2.blocks", [10**7 + 1]))
    s.add(people, "beyond", more, False, "limit", known=True)
    s.add(size, "one", with_(base, ("2.blocks", [1, 1, 1, 1])), True)
    s.add(size, "limit", with_(base, ("2.blocks", [4])), True)
    s.add(size, "zero", with_(base, ("2.blocks", [0, 4])), False)
    for sizes in ([5, -1], [F(1, 2), F(7, 2)]):
        s.add(size, "beyond", with_(base, ("2.blocks", sizes)), False)
    s.add(whole, "equality", base, True)
    s.add(whole, "below", with_(base, ("2.blocks", [1, 2])), False)
    s.add(whole, "above", with_(base, ("2.blocks", [1, 2, 1, 1])), False)
    s.add(whole, "below", with_(base, ("2.blocks", [])), False)
    flat = shuffled(1, F(1), F(1), [1])
    for count, accepted in ((4096, True), (4097, False)):
        made = with_(flat, ("0.respondents", count), ("2.blocks", [1] * count), ("2.bits", 1), ("1.upper", 9))
        if accepted:
            s.add(most, "limit", with_(made, ("0.respondents", 64), ("2.blocks", [1] * 64)), True, known=True)
        else:
            s.add(most, "beyond", made, False, "limit", known=True)
    root = with_(shuffled(3, F(7, 5), F(5, 4), [1, 1, 1], 0, 3), ("0.local", {"log": "2", "times": "1/2"}))
    root = with_(root, ("2.local", bracket(F(7, 5), F(17, 12))))
    v, u = event(3, 0, 3, F(7, 5), F(5, 4)), blocks_delta([1, 1, 1], F(17, 12), F(5, 4))
    s.add(lower, "within", with_(root, ("1.lower", v - UNIT)), True)
    s.add(lower, "beyond", with_(root, ("1.lower", v + UNIT)), False)
    s.add(upper, "within", with_(root, ("1.upper", u + UNIT)), True)
    s.add(upper, "beyond", with_(root, ("1.upper", u - UNIT)), False)
