"""Vectors of rule 12 made by hand: ends and comparisons that a checker may exchange; each on both sides.

F is the odds ratio of h. ``odds(r)`` is the function whose F is r.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any

from test_weakened_covers import ONE, TWO, cell, cover, odds, piece, plus, point

R = {"root": ["-1", "0", "2"], "between": ["7/10", "71/100"]}  # 1/sqrt 2
INFINITE = ("infinite", "infinite")
LOG = {"log": "p"}
SHIFTED = {"sqrt": plus("p", "-1/5")}
UNDEFINED = plus({"quotient": [SHIFTED, SHIFTED]}, "1/2")  # 3/2 above 1/5, nothing at 1/5
Made = tuple[bool, str, str]  # accepted, reason, text


def _times(*parts: Any) -> Any:
    return {"product": list(parts)}


def _less(tree: Any) -> Any:
    return plus("1", {"negative": tree})


def _pole(at: str) -> Any:
    """p + 1/(1000 (p - at)): F >= 1 above the pole, h negative below it."""
    return plus("p", {"quotient": ["1/1000", plus("p", f"-{at}")]})


def constants() -> Iterator[Made]:
    """Denominators, roots and constants."""
    half = [cell("1/2"), cell("1", near=True)]
    text = cover([piece(_pole("1/5"))], ("1", "2"), [[cell("1", near=True)]], point("1/2"))
    yield False, "a denominator changes its sign inside the cell: h is negative below 1/5", text
    pieces = [piece("1", "1/5", closed=False), piece(_pole("1/5"))]
    text = cover(pieces, ("1", "2"), [[cell("1/5")], [cell("1", near=True)]], point("1/2", index="1"))
    yield False, "h is not defined at 1/5, which the piece owns: a denominator is 0 at the start of a cell", text
    pieces = [piece({"power": ["1/64", "1/3"]}, "1/2"), *ONE]
    text = cover(pieces, ("1/7", "1/7"), [[cell("1/2")], [cell("1")]], point("1/2"))
    yield False, "h = 1/4, the third root of 1/64: F = 1/3 at 1/2, claimed is 1/7", text
    pieces = [piece({"exp": {"negative": {"sqrt": "2"}}}, "1/2"), *ONE]
    text = cover(pieces, ("1", "1"), [[cell("1/2")], [cell("1")]], point("1/2"))
    yield False, "h = exp(-sqrt 2) = 0.243...: F = 0.321... at 1/2, claimed is 1", text
    text = cover(pieces, ("32/100", "33/100"), [[cell("1/2", near=True)], [cell("1")]], point("1/2"))
    yield False, "a number of the claim is not in lowest terms", text
    text = cover(pieces, ("8/25", "33/100"), [[cell("1/2", near=True)], [cell("1")]], point("1/2"))
    yield True, "h = exp(-sqrt 2): B = 0.321... is between 8/25 and 33/100", text
    pieces = [piece({"quotient": [{"sqrt": "2"}, "4"]}, "1/2"), *ONE]
    text = cover(pieces, ("0", "1/2"), [[cell("1/2", near=True)], [cell("1", near=True)]], point("1/2"), digits="1")
    yield False, "h = sqrt(2)/4: F = 0.546... at 1/2, claimed is at most 1/2", text
    one = {"sqrt": {"quotient": [plus("1", "p"), plus("1", "p")]}}
    yield False, "the root of a function of p is no pair n/d", cover([piece(one)], INFINITE, [[cell("1")]], None)
    one = {"sqrt": {"quotient": [_times("4", "p"), _times("4", "p")]}}
    yield (
        True,
        "a quotient of single monomials is a rational number: its root is 1",
        cover([piece(one)], INFINITE, [[cell("1")]], None),
    )
    for value, reason in (
        ({"power": ["p", "0"]}, "p^0 is 1"),
        (plus("1", {"sqrt": "0"}), "the root of 0 is 0"),
        ({"quotient": [{"sqrt": "4"}, "2"]}, "the root of 4 is 2"),
        ({"quotient": [{"exp": {"log": "2"}}, "2"]}, "exp(log 2) is 2"),
        ({"log": {"exp": "1"}}, "log(exp 1) is 1"),
        (
            {"quotient": [plus("2", _times("2", {"sqrt": "2"})), plus("2", _times("2", {"sqrt": "2"}))]},
            "a constant over itself is 1",
        ),
        ({"quotient": [_times("2", "p", "p"), _times("p", "p")]}, "the denominator is 0 at 0, which is no prior"),
    ):
        yield True, f"h is 1 at least everywhere: {reason}", cover([piece(value)], INFINITE, [[cell("1")]], None)
    step = [piece("1/2", "1/5", closed=False), *ONE]
    listed = [[cell("1/10"), cell("1/5")], [cell("1")]]
    text = cover(step, ("4", "4"), listed, point("1/5"), attained=False)
    yield True, "F = (1-p)/p > 4 below 1/5, in two cells: 4 is approached at 1/5", text
    unsure = plus({"sqrt": "2"}, "-13/10")
    pieces = [piece({"quotient": [_times({"sqrt": "2"}, unsure), _times("4", unsure)]}, "1/2"), *ONE]
    text = cover(pieces, ("0", "1/2"), [[cell("1/2", near=True)], [cell("1", near=True)]], point("1/2"), digits="1")
    yield (
        False,
        "h = sqrt(2)/4, written with a factor that is uncertain to one digit: F = 0.546..., claimed is at most 1/2",
        text,
    )
    square = [piece({"power": ["p", "2"]})]
    lowest = {"side": "up", "piece": "0", "from": "0", "to": "1/2", "method": "bernstein", "order": "0"}
    yield False, "h/p tends to 0 at 0: z_0 is not positive", cover(square, ("0", "0"), [half], lowest)
    text = cover(square, ("0", "1/10"), [[cell("1", near=True)]], point("1/11"))
    yield True, "F = p/(1 + p) is at least 0, and 1/12 at 1/11", text


def expansions() -> Iterator[Made]:
    """Logarithms, minima inside, the width of a cell."""
    low, rest = [cell("1/2", "low", "2")], [cell("1")]
    for value, bound, reason in (
        (_times("p", _less(_times("1/100", LOG, LOG))), "1", "h = p (1 - (log p)^2/100): F < 1, and negative near 0"),
        (
            _times("p", plus("1", _times(plus("1", "p"), LOG), {"negative": LOG})),
            "1",
            "h = p (1 + p log p): F < 1 for small p",
        ),
    ):
        text = cover([piece(value, "1/2"), *ONE], (bound, bound), [low, rest], point("1/4"))
        yield False, f"{reason}, claimed is 1", text
    value = plus("p", {"negative": _times("p", _times("p", LOG))})
    pieces = [piece(value, "1/8"), *ONE]
    text = cover(pieces, ("6/5", "2"), [[cell("1/8", "low", "2", near=True)], rest], point("1/8"))
    yield False, "h = p (1 - p log p): F tends to 1 at 0, claimed is at least 6/5", text
    text = cover(pieces, ("99/100", "2"), [[cell("1/8", "low", "2", near=True)], rest], point("1/8"))
    yield True, "h = p (1 - p log p): F is at least 1 > 99/100", text
    value = plus("p", _times("27/10", "p", "p", LOG))
    text = cover(
        [piece(value, "1/2"), *ONE], ("1/50", "1/2"), [[cell("1/2", "low", "2", near=True)], rest], point("1/2")
    )
    yield False, "h = p (1 + 2.7 p log p): F = 0.004... at 1/e, where p log p is least; claimed is at least 1/50", text
    text = cover(
        [piece(value, "1/2"), *ONE], ("1/500", "1/2"), [[cell("1/2", "low", "2", near=True)], rest], point("1/2")
    )
    yield True, "h = p (1 + 2.7 p log p): F is at least 1/500", text
    third = [piece("33/100", "1/3"), *ONE]
    text = cover(third, ("1", "1"), [[cell("1/3", "low", "1")], rest], point("1/3"), digits="2")
    yield (
        False,
        "h = 33/100: F = 0.985... at 1/3, claimed is 1; with two digits a cell is 34/100 wide, not 33/100",
        text,
    )
    lesser = {"minimum": [plus(_times("2", "p"), "-1/2"), "1/2"]}
    pieces = [piece("1", "1/4", closed=False), piece(plus(lesser, "1/8"), "3/4"), *ONE]
    listed = [[cell("1/4")], [cell("3/4", "middle", "1", near=True)], rest]
    text = cover(pieces, ("1/2", "5/9"), listed, point("3/4", index="1"))
    yield False, "F = 3/7 at 1/4, where the minimum is its first operand; claimed is at least 1/2", text
    text = cover([*ONE], INFINITE, [[cell("1", "low", "1")]], None)
    yield False, "a cell of an expansion is all of (0, 1)", text


def ends_of_cells() -> Iterator[Made]:
    """The end that a cell is seen from; strictness at ends; operands there."""
    start = piece("1", "1/5", closed=False)
    for value, reason in (
        (UNDEFINED, "h is not defined at 1/5, which the piece owns"),
        ({"minimum": [UNDEFINED, "1"]}, "an operand of the minimum is not defined at 1/5, which the piece owns"),
    ):
        text = cover([start, piece(value)], INFINITE, [[cell("1/5")], [cell("1", "low", "1")]], None)
        yield False, reason, text
        text = cover([piece("1", "1/5"), piece(value)], INFINITE, [[cell("1/5")], [cell("1", "low", "1")]], None)
        yield True, "1/5 belongs to the piece before; above it h is 1 at least", text
    rising, falling = odds(plus("9/5", "p")), odds(plus("14/5", {"negative": "p"}))
    low = [start, piece(rising)]
    high = [piece(falling, "4/5"), *ONE]
    for method, order in (("bernstein", "0"), ("low", "1")):
        cells = [cell("1/4", method, order), cell("1")]
        text = cover(low, ("2", "2"), [[cell("1/5")], cells], point("1/5", index="1"), attained=False)
        yield False, f"F = 2 at 1/5, which the piece owns: the infimum is attained ({method})", text
    for method, order in (("bernstein", "0"), ("high", "1")):
        cells = [cell("3/4"), cell("4/5", method, order)]
        text = cover(high, ("2", "2"), [cells, [cell("1")]], point("4/5"), attained=False)
        yield False, f"F = 2 at 4/5, which the piece owns: the infimum is attained ({method})", text
    twice = odds(plus("2", {"power": [plus("p", "-1/2"), "2"]}))
    pieces = [piece("1", "1/5"), piece(twice)]
    text = cover(pieces, ("2", "2"), [[cell("1/5")], [cell("1/2"), cell("1")]], point("1/2", index="1"), attained=False)
    yield False, "F = 2 at 1/2, between two cells: the infimum is attained", text
    text = cover(pieces, ("2", "2"), [[cell("1/5")], [cell("1/2"), cell("1")]], point("1/2", index="1"), attained=True)
    yield True, "F = 2 + (p - 1/2)^2 is least at 1/2, between two cells", text


def pieces_and_points() -> Iterator[Made]:
    """Irrational ends, pieces of one point, points that are none of the piece, closed cells."""
    rest = [cell("1")]
    steep = odds(plus("2", _times("4", plus("p", "-71/100"))))
    text = cover(
        [piece("1", R, closed=False), piece(steep)], ("2", "2"), [[cell("71/100")], rest], point("71/100", index="1")
    )
    yield False, "F < 2 between 1/sqrt 2 and 71/100: the cells of a piece begin at the lower end of its start", text
    text = cover(
        [piece(odds(plus("3", {"negative": "p"})), R), *ONE],
        ("229/100", "229/100"),
        [[cell("71/100")], rest],
        point("71/100"),
    )
    yield False, "71/100 is above 1/sqrt 2, where the piece ends: F is 3 - 1/sqrt 2 = 2.2928... at least", text
    text = cover(
        [piece("1", R), piece(odds(plus("1", "p")))],
        ("17/10", "17/10"),
        [[cell("71/100")], rest],
        point("7/10", index="1"),
    )
    yield False, "7/10 is below 1/sqrt 2, where the piece begins: F is 1 + 1/sqrt 2 = 1.7071... at least", text
    around = {"side": "up", "piece": "0", "from": "1/10", "to": "3/10", "method": "bernstein", "order": "0"}
    text = cover([piece(TWO, "1/5"), *ONE], ("2", "2"), [[cell("1/5")], rest], around)
    yield False, "an interval is for an irrational end, and 1/5 is rational", text
    bump = odds(plus("2", _times("20", {"power": [plus("p", "-3/5"), "2"]})))
    listed = [[cell("71/100")], [cell("141/200", near=True), cell("71/100", near=True), cell("1")]]
    text = cover([piece("1", R), piece(bump)], ("2", "89/40"), listed, point("18/25", index="1"), attained=True)
    yield False, "the infimum 2.229... is approached at 1/sqrt 2, which the piece does not own", text
    mirrored = odds(plus("2", _times("20", {"power": [plus("p", "-4/5"), "2"]})))
    listed = [[cell("69/100"), cell("141/200", near=True), cell("71/100", near=True)], rest]
    text = cover([piece(mirrored, R, closed=False), *ONE], ("2", "89/40"), listed, point("7/10"), attained=True)
    yield False, "the infimum is approached at 1/sqrt 2, which the piece does not own", text
    bump = odds(plus("2", _times("1000", {"power": [plus("p", "-707/1000"), "2"]})))
    cells = [
        cell("703/1000"),
        cell("707/1000", near=True),
        cell("3551/5000", near=True),
        *map(cell, ("18/25", "4/5", "1")),
    ]
    text = cover(
        [piece("1", R), piece(bump)],
        ("2", "201/100"),
        [[cell("71/100")], cells],
        point("71/100", index="1"),
        attained=True,
    )
    yield (
        False,
        "the infimum is approached at 1/sqrt 2, not owned; a cell near it begins inside of [7/10, 71/100]",
        text,
    )
    narrow = {**R, "between": ["707/1000", "177/250"]}
    bump = odds(plus("2", _times("1000", {"power": [plus("p", "-442/625"), "2"]})))
    cells = [
        *map(cell, ("1/2", "7/10", "353/500", "3533/5000")),
        cell("442/625", near=True),
        cell("3539/5000", near=True),
        cell("177/250"),
    ]
    pieces = [piece(bump, narrow, closed=False), *ONE]
    text = cover(pieces, ("2", "20003/10000"), [cells, rest], point("707/1000"), attained=True)
    yield (
        False,
        "the infimum is approached at 1/sqrt 2, not owned; a cell near it ends inside of [707/1000, 177/250]",
        text,
    )
    for value, place, reason in (
        (odds(plus("2", {"negative": "p"})), "1-", "F = 2 - p tends to 1 at 1, which is no prior"),
        (odds(plus("1", "p")), "0+", "F = 1 + p tends to 1 at 0, which is no prior"),
    ):
        cells = [cell("1/2", near=place == "0+"), cell("1", near=place == "1-")]
        text = cover([piece(value)], ("1", "3/2"), [cells], point("1/2"), attained=True)
        yield False, reason, text
    other = {"root": ["-1/2", "0", "1"], "between": ["141/200", "18/25"]}
    text = cover([piece("1", R), piece("1", other), *ONE], INFINITE, [[cell("71/100")], [cell("18/25")], rest], None)
    yield False, "the intervals of two ends overlap: it is not known which is first", text
    for between in (["0", "71/100"], ["7/10", "1"], ["71/100", "7/10"], ["71/100", "71/100"]):
        end = {**R, "between": between}
        text = cover([piece("1", end), *ONE], INFINITE, [[cell(between[1])], rest], None)
        yield False, f"between {between}: 0 < a < b < 1 is wanted", text
    text = cover([piece("1", "0"), *ONE], INFINITE, [rest], None)
    yield True, "a piece that is the point 0 holds no prior and has no cells", text
    text = cover([piece("1", "0"), *ONE], INFINITE, [[cell("0")], rest], None)
    yield False, "cells are listed for a piece that is the point 0, which is left out", text
    text = cover([piece("1", "1", closed=False), *ONE], INFINITE, [rest], None)
    yield True, "a piece that is the point 1 holds no prior and has no cells", text
    single = [piece("1", "1/5", closed=False), piece("1/2", "1/5"), *ONE]
    text = cover(single, ("4", "4"), [[cell("1/5")], [cell("1/5")], rest], point("1/5", index="1"), attained=True)
    yield True, "a piece of one point: F = 4 there, and h = 1 elsewhere", text
    text = cover(single, ("4", "4"), [[cell("1/5")], [cell("1/5")], rest], point("1/5", index="1"), attained=False)
    yield False, "a piece of one point: F = 4 there, so that 4 is attained", text
    text = cover(single, ("5", "5"), [[cell("1/5")], [cell("1/5")], rest], point("1/5", index="1"))
    yield False, "a piece of one point: F = 4 there, claimed is 5", text
    lone = [piece("1", R, closed=False), piece("1/2", R), *ONE]
    ends = {"side": "up", "piece": "1", "from": "7/10", "to": "71/100", "method": "bernstein", "order": "0"}
    text = cover(lone, ("2/5", "3/7"), [[cell("71/100")], [cell("71/100", near=True)], rest], ends)
    yield True, "a piece that is 1/sqrt 2 has the cell [7/10, 71/100]: F is from 29/71 to 3/7 there", text


def _reflected(end: Any) -> Any:
    """Return 1 - e of an end e."""
    if isinstance(end, str):
        return str(1 - Fraction(end))
    degree = len(end["root"])
    turned = [
        sum(Fraction(c) * comb(n, i) * (-1) ** i for n, c in enumerate(end["root"]) if n >= i) for i in range(degree)
    ]
    a, b = (str(1 - Fraction(x)) for x in end["between"])
    return {"root": list(map(str, turned)), "between": [b, a]}


def _at(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _at(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_at(value) for value in tree]
    return _less("p") if tree == "p" else tree


def _turned(tree: Any) -> Any:
    if isinstance(tree, dict) and set(tree) <= {"minimum", "maximum"}:
        ((operation, parts),) = tree.items()
        return {"minimum" if operation == "maximum" else "maximum": [_turned(part) for part in parts]}
    return _less(_at(tree))


def on_the_side_down(text: str) -> str:
    """Return the same file for the function h_l(p) = 1 - h(1-p); cells and point are those of h."""
    document = json.loads(text)
    found, start = [], ("0", True)
    for each in document["problem"]["up"]["pieces"]:
        to, closed = start
        found.append({"to": _reflected(to), "closed": closed, "value": _turned(each["value"])})
        start = each["to"], not each["closed"]
    document["problem"] |= {"up": None, "down": {"pieces": found[::-1]}}
    document["witness"] |= {"up": None, "down": document["witness"]["up"]}
    if document["witness"]["point"] is not None:
        document["witness"]["point"]["side"] = "down"
    return json.dumps(document)


def made() -> Iterator[Made]:
    """Iterate over all."""
    for group in (constants, expansions, ends_of_cells, pieces_and_points):
        for accepted, reason, text in group():
            yield accepted, reason, text
            weaker = "at least 1/500" in reason  # 1 - (1 - h) is known less well than h
            if not weaker and "lowest terms" not in reason and '"0", "closed": true' not in text:
                yield accepted, f"{reason}; on the side down", on_the_side_down(text)
