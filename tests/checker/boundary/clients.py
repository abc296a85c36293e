"""Rule 32: the integers of exported clients."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from .book import COUNT, INEQUALITY, SPECIAL, Suite, with_

PAGE = "client_rule.md"
Document = tuple[Any, Any, Any]
END = 2**63


def made(mechanism: Any, table: Any) -> Document:
    """Return a certificate."""
    problem = {"kind": "client", "mechanism": mechanism}
    return with_((problem, {"kind": "client-law", "table": table}, {"rule": "client"}))


def blocks(family: str, k: int, p: F, rho: F, own: dict[str, Any], numbers: dict[str, Any]) -> Document:
    """Return the table of a family whose reports hold the truth with chance p."""
    g = p * (1 - rho) / (rho * (1 - p))
    form = {"family": family, "categories": k, "gamma": g, **own}
    return made({"blocks": form}, {"heads": p.numerator, "coin": p.denominator, **numbers})


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    weight = s.condition(PAGE, "Matrix: for each list `1 <= D < 2^63`.", COUNT)
    one = made({"matrix": [["1", "0"], ["0", "1"]]}, {"columns": [["1", "1"], ["0", "1"]]})
    s.add(weight, "one", one, True, known=True)
    s.add(weight, "zero", with_(one, ("1.table.columns", [["0", "0"], ["0", "1"]])), False, known=False)
    for end, known in ((END - 1, True), (END, False)):
        columns = [[end, end], ["0", end]]
        s.add(weight, "limit" if known else "beyond", with_(one, ("1.table.columns", columns)), known, known=known)
    each = s.condition(PAGE, "Each integer less the one before it, of the first one less 0, is D times the entry of its row.", SPECIAL)  # fmt: skip
    base = made({"matrix": [["2/3", "1/4"], ["1/3", "3/4"]]}, {"columns": [["2", "3"], ["1", "4"]]})
    for columns, true in (
        ([["2", "3"], ["1", "4"]], True), ([["4", "6"], ["2", "8"]], True), ([["1", "3"], ["1", "4"]], False),
        ([["3", "3"], ["1", "4"]], False), ([["2", "4"], ["1", "4"]], False), ([["1", "4"], ["2", "3"]], False),
        ([["3", "2"], ["1", "4"]], False),
    ):  # fmt: skip
        s.add(each, "special value", with_(base, ("1.table.columns", columns)), true, known=true)
    form = s.condition(PAGE, "with nonnegative columns of sum 1 and at most 4096 entries; or", SPECIAL)
    for rows in ([["2/3", "1/4"], ["1/3", "1/4"]], [["4/3", "1/4"], ["-1/3", "3/4"]]):
        s.add(form, "special value", with_(base, ("0.mechanism.matrix", rows)), False, "form")
    for columns in ([["2", "3"]], [["2", "3", "3"], ["1", "4", "4"]], [["2", "3"], ["1/2", "2"]]):
        s.add(form, "special value", with_(base, ("1.table.columns", columns)), False, "form")
    for m, known in ((4096, True), (4097, False)):
        rows = [["1"], *[["0"]] * (m - 1)]
        file = made({"matrix": rows}, {"columns": [["1"] * m]})
        if known:
            continue  # a long file for nothing
        s.add(form, "special value", file, known, "limit")
    coin = s.condition(PAGE, "Blocks: `0 < heads < coin < 2^63`, and heads/coin is the p of rule 30.", INEQUALITY)
    own = {"q": 7, "index": 2, "cosets": 1, "zero": 0}
    classes = blocks("affine-classes", 7, F(9, 17), F(3, 7), own, {**own, "root": 3})
    s.add(coin, "equality", classes, True, known=True)
    s.add(coin, "within", with_(classes, ("1.table.heads", 18), ("1.table.coin", 34)), True, known=True)
    seventh = blocks("direct", 2, F(4, 7), F(1, 2), {}, {"k": 2})
    for coins, known in ((END - 1, True), (7 * 2**61, False)):
        changes = (("1.table.heads", coins // 7 * 4), ("1.table.coin", coins))
        s.add(coin, "within" if known else "beyond", with_(seventh, *changes), known, known=known)
    for name, value in (("heads", 0), ("heads", 7), ("heads", 3), ("heads", 5), ("coin", 8), ("coin", 0)):
        s.add(coin, "beyond", with_(seventh, (f"1.table.{name}", value)), False, known=False)
    negative = with_(seventh, ("0.mechanism.blocks.gamma", "-4"), ("1.table.heads", 4), ("1.table.coin", 3))
    s.add(coin, "beyond", negative, False, "form")
    never = with_(seventh, ("0.mechanism.blocks.gamma", "0"), ("1.table.heads", 0), ("1.table.coin", 1))
    s.add(coin, "beyond", never, False, "form")
    q = s.condition(PAGE, "`q < 2^31`.", INEQUALITY)
    for prime, boundary in ((2**31 - 1, "equality"), (2**31 - 19, "within"), (2**31 + 11, "beyond")):
        size = {"q": prime, "size": 1}
        file = blocks("affine", 5, F(1, 2), F(1, prime), {**size, "dimension": 1}, size)
        s.add(
            q, boundary, file, boundary != "beyond", "" if boundary != "beyond" else "limit", known=boundary != "beyond"
        )
    names = s.condition(PAGE, "`root` is the least primitive root modulo q.", SPECIAL)
    s.add(names, "special value", classes, True, known=True)
    for name, value in (("root", 5), ("root", 2), ("q", 11), ("index", 3), ("cosets", 2), ("zero", 1)):
        s.add(names, "special value", with_(classes, (f"1.table.{name}", value)), False, known=False)
    large = {"q": 2**31 - 1, "index": 1, "cosets": 0, "zero": 1}
    file = blocks("affine-classes", 5, F(1, 2), F(1, 2**31 - 1), large, {**large, "root": 7})
    s.add(names, "special value", file, True, known=True)
    two = {"q": 2, "index": 1, "cosets": 1, "zero": 0}
    s.add(
        names, "special value", blocks("affine-classes", 2, F(2, 3), F(1, 2), two, {**two, "root": 1}), True, known=True
    )
    s.add(names, "special value", with_(seventh, ("1.table.k", 3)), False, known=False)
    plane = {"q": 7, "size": 2, "dimension": 1}
    line = blocks("affine", 7, F(1, 2), F(2, 7), plane, {"q": 7, "size": 2})
    s.add(names, "special value", line, True, known=True)
    s.add(names, "special value", with_(line, ("1.table.size", 3)), False, known=False)
    s.add(names, "special value", with_(line, ("0.mechanism.blocks.dimension", 2)), False, "form")
    space = s.condition(PAGE, "`q space < 2^63` where there is `space`.", INEQUALITY)
    vectors = s.condition(PAGE, "dimension `space` is q^t for `affine`, q^(t-1) for `projective`.", SPECIAL)
    for t, boundary in ((61, "equality"), (60, "within"), (62, "beyond")):
        good = boundary != "beyond"
        own = {"q": 2, "size": 1, "dimension": t}
        file = blocks("affine", 5, F(2, 3), F(1, 2), own, {"q": 2, "size": 1, "space": 2**t})
        s.add(space, boundary, file, good, "" if good else "limit", known=good)
        density = F(2**t - 1, 2 ** (t + 1) - 1)
        own = {"q": 2, "dimension": t + 1, "complement": 0}
        file = blocks("projective", 5, F(2, 3), density, own, {"q": 2, "space": 2**t, "complement": 0})
        s.add(space, boundary, file, good, "" if good else "limit", known=good)
    for t, size in ((2, 9), (2, 3), (3, 27)):
        own = {"q": 3, "size": 1, "dimension": t}
        hashed = blocks("affine", 8, F(3, 5), F(1, 3), own, {"q": 3, "size": 1, "space": size})
        good = size == 3**t
        s.add(vectors, "special value", hashed, good, known=good)
        s.add(names, "special value", with_(hashed, ("1.table.size", 2)), False, known=False)
        for outside in (0, 1):
            density = F(3 ** (t - 1) - 1, 3**t - 1)
            own = {"q": 3, "dimension": t, "complement": outside}
            numbers = {"q": 3, "space": size // 3, "complement": outside}
            made_of = blocks("projective", 4, F(3, 4), 1 - density if outside else density, own, numbers)
            s.add(vectors, "special value", made_of, good, known=good)
            s.add(names, "special value", with_(made_of, ("1.table.complement", 1 - outside)), False, known=False)
    s.add(names, "special value", with_(seventh, ("0.mechanism.blocks.family", "fano")), False, "form")
    add_sets(s)


def add_sets(s: Suite) -> None:
    """Add the files of clients of sets, of bits and of restricted responses."""
    names = s.condition(
        PAGE, "`k`, `q`, `size`, `index`, `cosets`, `zero`, `complement`, `modulus` are those of P", SPECIAL
    )
    sets = blocks("subsets", 5, F(1, 2), F(2, 5), {"size": 2}, {"k": 5, "size": 2})
    s.add(names, "special value", sets, True, known=True)
    for name, value in (("k", 4), ("k", 6), ("size", 1), ("size", 3)):
        s.add(names, "special value", with_(sets, (f"1.table.{name}", value)), False, known=False)
    difference = s.condition(
        PAGE, "For `cyclic` `size` is the number of elements of D, and `runs` those of D.", SPECIAL
    )
    own = {"modulus": 7, "base": "0b"}
    cyclic = blocks("cyclic", 7, F(3, 5), F(3, 7), own, {"modulus": 7, "size": 3, "runs": ["2", "1", "1"]})
    s.add(difference, "special value", cyclic, True, known=True)
    for runs in (["2", "1"], ["2", "1", "2"], ["2", "1", "1", "3"], ["0", "2", "1", "1"], ["2", "1", "0"], []):
        s.add(difference, "special value", with_(cyclic, ("1.table.runs", runs)), False, known=False)
    for name, value in (("size", 4), ("modulus", 8)):
        s.add(difference, "special value", with_(cyclic, (f"1.table.{name}", value)), False, known=False)
    shifted = {"modulus": 7, "base": "16"}  # 0 is not in D
    ahead = blocks("cyclic", 7, F(3, 5), F(3, 7), shifted, {"modulus": 7, "size": 3, "runs": ["0", "1", "2", "1", "1"]})
    s.add(difference, "special value", ahead, True, known=True)
    s.add(difference, "special value", with_(ahead, ("1.table.runs", ["1", "2", "1", "1"])), False, known=False)
    bits = s.condition(
        PAGE, "`coin` and `miss_coin` are below 2^63; heads/coin is p and miss_heads/miss_coin is m.", SPECIAL
    )
    form = {"bit-vectors": {"categories": 3, "p": "1/2", "m": "1/4"}}
    unary = made(form, {"heads": 1, "coin": 2, "miss_heads": 1, "miss_coin": 4, "k": 3})
    s.add(bits, "special value", unary, True, known=True)
    s.add(bits, "special value", with_(unary, ("1.table.miss_heads", 2), ("1.table.miss_coin", 8)), True, known=True)
    for name, value in (("heads", 2), ("coin", 3), ("miss_heads", 2), ("miss_coin", 5), ("miss_coin", 0), ("k", 4)):
        s.add(bits, "special value", with_(unary, (f"1.table.{name}", value)), False, known=False)
    long = with_(unary, ("1.table.miss_heads", 2**61), ("1.table.miss_coin", END))
    s.add(bits, "special value", long, False, known=False)
    s.add(bits, "special value", with_(unary, ("0.mechanism.bit-vectors.m", "1/2")), False, "form")
    add_restricted(s)


def add_restricted(s: Suite) -> None:
    """Add the files of clients of restricted responses."""
    level = s.condition(PAGE, "P has gamma g >= 1, delta d in [0, 1] and the set C of m >= 1 categories.", SPECIAL)
    own = {"runs": [[2, "1"], [3, "0"]], "gamma": 3, "delta": "1/10"}
    numbers = {"heads": 3, "coin": 4, "reveal_heads": 1, "reveal_coin": 10, "chosen": 2, "runs": ["2"]}
    response = made({"restricted-response": own}, numbers)

    def at(name: str, value: Any) -> tuple[str, Any]:
        return f"0.mechanism.restricted-response.{name}", value

    s.add(level, "special value", response, True, known=True)
    one = with_(response, at("gamma", 1), ("1.table.heads", 1), ("1.table.coin", 2))
    s.add(level, "special value", one, True, known=True)
    below = with_(response, at("gamma", "1/2"), ("1.table.heads", 1), ("1.table.coin", 3))
    s.add(level, "special value", below, False, known=False)
    for d, heads, coin, known in (
        (0, 0, 1, True),
        (0, 0, 5, True),
        (1, 1, 1, True),
        (0, 0, 0, False),
        ("11/10", 11, 10, False),
    ):
        changes = at("delta", d), ("1.table.reveal_heads", heads), ("1.table.reveal_coin", coin)
        s.add(level, "special value", with_(response, *changes), known, known=known)
    none = with_(response, at("runs", [[5, "0"]]), ("1.table.chosen", 0), ("1.table.runs", ["0"]))
    s.add(level, "special value", none, False, known=False)
    s.add(level, "special value", with_(none, ("1.table.coin", 2)), False, "form")  # g/(g + m - 1) is 3/2
    alone = (("1.table.heads", 1), ("1.table.coin", 1), ("1.table.chosen", 1), ("1.table.runs", []))
    s.add(level, "special value", with_(response, at("runs", [[1, "1"]]), *alone), False, "form")
    runs = s.condition(PAGE, "`chosen` is m, and `runs` those of C.", SPECIAL)
    for name, value in (
        ("heads", 2),
        ("coin", 5),
        ("reveal_heads", 2),
        ("reveal_coin", 11),
        ("chosen", 1),
        ("chosen", 3),
    ):
        s.add(runs, "special value", with_(response, (f"1.table.{name}", value)), False, known=False)
    for listed in ([], ["1"], ["3"], ["2", "3"], ["0", "2"]):
        s.add(runs, "special value", with_(response, ("1.table.runs", listed)), False, known=False)
    split = with_(response, at("runs", [[1, "1"], [1, "1"], [1, "0"], [2, "0"]]))
    s.add(runs, "special value", split, True, known=True)
    last = with_(response, at("runs", [[3, "0"], [2, "1"]]), ("1.table.runs", ["0", "3"]))
    s.add(runs, "special value", last, True, known=True)
    s.add(runs, "special value", with_(last, ("1.table.runs", ["3"])), False, known=False)
    whole = with_(response, at("runs", [[2, "1"]]), ("1.table.runs", []))
    s.add(runs, "special value", whole, True, known=True)
    long = s.condition(PAGE, "`coin` and `reveal_coin` are below 2^63,", SPECIAL)
    for times, known in (((END - 1) // 10, True), ((END - 1) // 10 + 1, False)):
        changes = ("1.table.reveal_heads", times), ("1.table.reveal_coin", 10 * times)
        s.add(long, "special value", with_(response, *changes), known, known=known)
