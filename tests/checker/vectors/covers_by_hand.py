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
    half = {"quotient": ["p", _times("2", "p")]}
    for accepted, value, reason in (
        (
            True,
            {"sqrt": {"quotient": [_times("2", "p"), "p"]}},
            "the root of 2, of single monomials, is a constant above 1",
        ),
        (True, {"exp": {"quotient": ["p", "p"]}}, "exp of 1, of single monomials, is a constant above 1"),
        (True, {"log": {"quotient": [_times("3", "p"), "p"]}}, "log of 3, of single monomials, is a constant above 1"),
        (False, {"sqrt": half}, "the root of 1/2, of single monomials, is below 1"),
        (False, {"log": {"quotient": [_times("2", "p"), "p"]}}, "log of 2, of single monomials, is below 1"),
    ):
        yield accepted, reason, cover([piece(value)], INFINITE, [[cell("1")]], None)
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
    """Irrational ends, pieces of one point, points that are not in the piece, closed cells."""
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


def forms() -> Iterator[Made]:
    """What the page fixes of the file: each accepted file has one place changed."""
    half, ends = point("1/2"), ("2", "2")
    honest = [piece(TWO)], ends, [[cell("1")]], half
    yield True, "one digit suffices where all is rational: F = 2 everywhere", cover(*honest, digits="1")
    for value in ("true", "null", "0"):
        yield False, f"attained is the text {value}", cover(*honest, claim__attained=value)
    yield False, "the problem is of an unknown kind", cover(*honest, problem__kind="criteria")
    yield False, "a cover is listed for a side that has no function", cover(*honest, witness__down=[])
    yield False, "a side has a function and no cover", cover(*honest, witness__up=None)
    yield False, "a side has a function and a cover without pieces", cover(*honest, witness__up=[])
    text = cover(ONE, INFINITE, [[cell("1")]], None, exact="1")
    yield False, "a constant between the bounds is given, and they are infinite", text
    yield False, "exact is p, which is no constant", cover(*honest, exact="p")
    yield False, "a value has the name of another variable than p", cover([piece("q")], *honest[1:])
    for near in ("true", None, "false"):
        listed = [[{**cell("1"), "near": near}]]
        yield False, f"near is {json.dumps(near)}, neither true nor false", cover([piece(TWO)], ends, listed, half)
    for closed in ("true", None):
        yield False, f"closed is {json.dumps(closed)}", cover([{**piece(TWO), "closed": closed}], *honest[1:])
    for method, order in (("taylor", "1"), ("taylor", "0"), ("bernstein", "1"), ("middle", "0")):
        place = point("1/2", method=method, order=order)
        yield False, f"there is no method {method} of order {order}", cover([piece(TWO)], ends, [[cell("1")]], place)
    for side in ("down", "left"):
        place = {**half, "side": side}
        yield False, f"the point is on the side {side}, which has no function", cover(*honest[:3], place)
    yield False, "there is no such piece", cover(*honest[:3], point("1/2", index="1"))
    for low, high in (("3/4", "1/4"), ("1", "3/2"), ("0", "1"), ("0", "0"), ("1", "1")):
        reason = f"the point's cell from {low} to {high} is no prior, no part of (0, 1) and no neighbourhood of an end"
        yield False, reason, cover(*honest[:3], point(low, high))
    for value in ({"sum": ["1"]}, {"maximum": ["1"]}, {"product": []}, {"sum": ["1", "1"], "product": ["1", "1"]}, {}):
        reason = f"{json.dumps(value)} is no expression: one operation, of two parts or more"
        yield False, reason, cover([piece(value)], INFINITE, [[cell("1")]], None)
    for end in ("3/2", "-1/2"):
        pieces = [piece("1", end), *ONE]
        yield False, f"a piece ends at {end}", cover(pieces, INFINITE, [[cell(end)], [cell("1")]], None)


def ascending_cells() -> Iterator[Made]:
    """Cells ascend strictly; one cell for a piece of one point; neighbours may touch."""
    half = point("1/2")
    for ends, reason in (
        (("1/2", "1/2", "1"), "a cell is one point inside of the piece"),
        (("1", "1"), "a cell is one point at the end of the piece"),
        (("0", "1"), "the first cell is the point 0"),
        (("1/2", "1/4", "1"), "a cell goes back"),
    ):
        yield False, reason, cover([piece(TWO)], ("2", "2"), [list(map(cell, ends))], half)
    single = [piece("1", "1/5", closed=False), piece("1/2", "1/5"), *ONE]
    at = point("1/5", index="1")
    yield False, "a piece of one point has no cell", cover(single, ("4", "4"), [[cell("1/5")], [], [cell("1")]], at)
    listed = [[cell("1/5")], [cell("1/5"), cell("1/5")], [cell("1")]]
    yield False, "a piece of one point has two cells", cover(single, ("4", "4"), listed, at)
    for method in ("low", "high", "middle"):
        listed = [[cell("1/5")], [cell("1/5", method, "2")], [cell("1")]]
        text = cover(single, ("4", "4"), listed, point("1/5", "", method, "1", index="1"), attained=True)
        yield True, f"at a point all is exact, whatever the method ({method}): F = 4", text
    empty = [piece("1", "1/5"), piece("1/2", "1/5"), *ONE]
    text = cover(empty, ("4", "4"), [[cell("1/5")], [cell("1/5")], [cell("1")]], at)
    yield False, "a piece is empty: 1/5 belongs to the piece before", text
    other = {**R, "root": ["-2", "0", "4"]}
    text = cover([piece("1", R), piece("1", other), *ONE], INFINITE, [[cell("71/100")]] * 2 + [[cell("1")]], None)
    yield False, "1/sqrt 2 is written as the root of two polynomials: two ends that are not told apart", text
    for first, second in ((R, "71/100"), ("7/10", R)):
        pieces = [piece("1", first), piece("1", second), *ONE]
        listed = [[cell("71/100" if first is R else "7/10")], [cell("71/100")], [cell("1")]]
        yield (
            True,
            "an end begins where the interval of the one before ends: they ascend",
            cover(pieces, INFINITE, listed, None),
        )


def _twice(at: str) -> Any:
    """p - at as 1/(1/(p - at)): a number at every p as a pair, none in an expansion where p - at may be 0."""
    return {"quotient": ["1", {"quotient": ["1", plus("p", f"-{at}")]}]}


def closed_and_defined() -> Iterator[Made]:
    """Attained: where cells must be closed and operands defined, and where not."""
    rest, low, high = [cell("1")], [cell("71/100")], {"near": True}
    after = odds(plus("2", _times("20", {"power": [plus("p", "-4/5"), "2"]})))
    listed = [low, [cell("71/100"), cell("9/10", **high), cell("1")]]
    text = cover([piece("1", R), piece(after)], ("1", "2"), listed, point("4/5", index="1"), attained=True)
    yield True, "F = 2 at 4/5; the cell near it begins at 71/100, above the end 1/sqrt 2 that is not owned", text
    before = odds(plus("2", _times("20", {"power": [plus("p", "-3/5"), "2"]})))
    listed = [[cell("1/2"), cell("7/10", **high), cell("71/100")], rest]
    text = cover([piece(before, R, closed=False), *ONE], ("1", "2"), listed, point("3/5"), attained=True)
    yield True, "F = 2 at 3/5; the cell near it ends at 7/10, below the end 1/sqrt 2 that is not owned", text
    either = {"maximum": ["1", {"sqrt": plus("p", "-4/5")}]}
    pieces = [piece(TWO, "1/2"), piece(either)]
    cells = [cell("1/4"), cell("1/2", **high)]
    text = cover(pieces, ("1", "2"), [cells, rest], point("1/2"), attained=True)
    yield True, "an operand of a maximum is not defined below 4/5, and the cell there is not near", text
    text = cover(pieces, ("1", "2"), [[cell("1/2")], [cell("1", **high)]], point("1/2"))
    yield True, "an operand of a maximum is not defined below 4/5, and nothing is said of attainment", text
    pieces = [piece(TWO, "1/2"), piece(either, "3/4"), *ONE]
    text = cover(pieces, ("1", "2"), [cells, [cell("3/4", **high)], rest], point("1/2"), attained=True)
    yield False, "an operand is not defined on a cell near the infimum, which is said to be attained", text
    smooth = odds(plus("2", {"power": [plus(_twice("2/5"), "-1/10"), "2"]}))
    listed = [[cell("1/4"), cell("3/4", **high), cell("1")]]
    text = cover([piece(smooth)], ("1", "2"), listed, point("1/2"), attained=True)
    yield True, "F = 2 + (p - 1/2)^2; what is no extremum is shown to be continuous by its pair alone", text
    rising, falling = odds(plus("9/5", "p")), odds(plus("14/5", {"negative": "p"}))
    pieces = [piece("1", "1/5", closed=False), piece(rising, "1/4", closed=False), *ONE]
    listed = [[cell("1/5")], [cell("1/4", "low", "1")], rest]
    text = cover(pieces, ("2", "2"), listed, point("1/5", index="1"), attained=False)
    yield False, "F = 2 at 1/5, which the piece owns; 1/4, which it does not own, is beside the point", text
    pieces = [piece("1", "3/4"), piece(falling, "4/5"), *ONE]
    listed = [[cell("3/4")], [cell("4/5", "high", "1")], rest]
    text = cover(pieces, ("2", "2"), listed, point("4/5", index="1"), attained=False)
    yield False, "F = 2 at 4/5, which the piece owns; 3/4, which it does not own, is beside the point", text
    undefined = plus({"quotient": [{"sqrt": plus("p", "-7/10")}] * 2}, "1/2")
    text = cover([piece("1", R, closed=False), piece(undefined)], INFINITE, [low, [cell("1", "low", "1")]], None)
    yield True, "h is not defined at 7/10, which is below 1/sqrt 2 and so not in the piece", text
    undefined = plus({"quotient": [{"sqrt": plus("71/100", {"negative": "p"})}] * 2}, "1/2")
    text = cover([piece(undefined, R), *ONE], INFINITE, [[cell("71/100", "high", "1")], rest], None)
    yield True, "h is not defined at 71/100, which is above 1/sqrt 2 and so not in the piece", text
    hidden = plus({"quotient": [SHIFTED, SHIFTED]}, "1/2")
    for first, accepted in (("6/5", True), ("11/10", False)):
        largest = {"maximum": [hidden, plus(first, {"negative": "p"})]}
        pieces = [piece("1", "1/5", closed=False), piece(largest)]
        text = cover(pieces, INFINITE, [[cell("1/5")], [cell("1", "low", "1")]], None)
        words = "1 by the other operand" if accepted else "9/10 by the other operand"
        yield accepted, f"the operand of a maximum that is 3/2 above 1/5 is not defined there; h is {words}", text
    smaller = {"minimum": ["1", plus("1", "p")]}
    strict = [piece("1/2", "1/5", closed=False), piece(smaller)]
    for method, accepted in ((cell("1"), True), (cell("1", "low", "2"), False)):
        text = cover(strict, ("4", "4"), [[cell("1/5")], [method]], point("1/5"), attained=False)
        words = "coefficients of the operands" if accepted else "an expansion of the minimum, which is not > 0"
        yield accepted, f"g = 1 - p and more, by {words}: whether F > 4 is asked of what is taken", text
    twice = plus("2", {"power": [plus(_twice("2/5"), "-1/10"), "2"]})
    listed = [cell("1/8", "low", "3"), cell("1/4"), cell("3/4", **high), *rest]
    text = cover([piece(odds(twice))], ("1", "2"), [listed], point("1/2"), attained=True)
    yield True, "F = 2 + (p - 1/2)^2, with quotients whose derivatives are summed by Horner's rule in low", text
    steep = odds(plus("33/10", "p"))
    below = [piece("1/2", "1/5", closed=False)]
    for end, accepted, reason in (
        (R, True, "F = 4 at 7/10, which is below 1/sqrt 2 and so not in the piece: the infimum is not attained"),
        ("7/10", False, "F = 4 at 7/10, which the piece owns: the infimum is attained"),
    ):
        pieces = [*below, piece("1", end, closed=False), piece(steep)]
        listed = [[cell("1/5")], low if accepted else [cell("7/10")], rest]
        yield accepted, reason, cover(pieces, ("4", "4"), listed, point("1/5"), attained=False)
    more = plus("1", "p")
    for beside in (
        [cell("1/2", "middle", "1"), *rest],
        [cell("1", "low", "1")],
        [cell("1/4"), cell("1", "middle", "2")],
    ):
        words = "cells that no expansion is for: of a minimum"
        text = cover([piece({"minimum": [more, "1"]})], INFINITE, [beside], None)
        yield True, f"{words} the coefficients of both operands are >= 0", text
        yield False, f"{words} none", cover([piece(more)], INFINITE, [beside], None)


def limits_and_operands() -> Iterator[Made]:
    """The limit of F at 0 and 1, and what proves the upper bound around an irrational end."""
    rest = [cell("1")]
    for above, below, value in (("3", "2", "3/2"), ("3", "4", "3/4")):
        rational = {"quotient": [_times(above, "p"), plus(below, "p")]}
        at = {"side": "up", "piece": "0", "from": "0", "to": "1/4", "method": "bernstein", "order": "0"}
        text = cover([piece(rational, "1/4"), *ONE], ("0", value), [[cell("1/4", near=True)], rest], at)
        yield True, f"h = {above} p/({below} + p): F tends to {value} at 0", text
        turned = _less({"quotient": [_times(below, _less("p")), plus(above, _less("p"))]})
        at = {"side": "up", "piece": "1", "from": "3/4", "to": "1", "method": "bernstein", "order": "0"}
        listed = [[cell("3/4")], [cell("1", near=True)]]
        text = cover([piece("1", "3/4"), piece(turned)], ("0", value), listed, at)
        yield True, f"1 - h = {below} (1-p)/({above} + (1-p)): F tends to {value} at 1", text
    for sign, reason in (({"negative": {"sqrt": "p"}}, "below"), ({"sqrt": "p"}, "above")):
        value = _times("p", plus("2", sign))
        at = {"side": "up", "piece": "0", "from": "0", "to": "1/16", "method": "low", "order": "2"}
        listed = [[cell("1/16", "low", "2", near=True)], rest]
        text = cover([piece(value, "1/16"), *ONE], ("1", "2"), listed, at)
        yield False, f"h = p (2 +- p^(1/2)): s = (h/p - 2)/p is not bounded {reason}", text
    smooth = {"minimum": [plus("1/2", _times("1/100", _twice("141/200"))), "1"]}
    listed = [[cell("71/100", near=True)], rest]
    for method, order in (("bernstein", "0"), ("middle", "1")):
        at = {"side": "up", "piece": "0", "from": "7/10", "to": "71/100", "method": method, "order": order}
        text = cover([piece(smooth, R), *ONE], ("2/5", "3/7"), listed, at)
        reason = "F < 3/7 on all of [7/10, 71/100]"
        if method == "middle":
            reason += ": the expansion of the operand has a divisor that may be 0, and the point has no other method"
        yield method == "bernstein", reason, text
    linear = plus("1", _twice("1/4"))
    for value, accepted in (({"minimum": [linear, "1"]}, True), (linear, False)):
        pieces, listed = (
            [piece("1", "1/4"), piece(value, "3/4"), *ONE],
            [[cell("1/4")], [cell("3/4", "middle", "1")], rest],
        )
        reason = (
            "h = 1 + (p - 1/4), no number in an expansion: an operand may be judged as a pair, what is none may not"
        )
        yield accepted, reason, cover(pieces, INFINITE, listed, None)
    inverse = {"quotient": ["1", plus(_times("4", "p"), "-4/5")]}
    pieces = [piece("1", "1/2"), piece(inverse, R), *ONE]
    for bound, accepted in (("21/50", False), ("9/20", True)):
        at = {"side": "up", "piece": "1", "from": "7/10", "to": "71/100", "method": "middle", "order": "1"}
        listed = [[cell("1/2")], [cell("71/100", near=True)], rest]
        text = cover(pieces, ("1/3", bound), listed, at)
        yield accepted, f"h = 1/(4p - 4/5): F = 3/7 at 7/10, claimed is at most {bound} on [7/10, 71/100]", text


def intervals() -> Iterator[Made]:
    """Intervals of functions that rise, of what may be 0, and of constants to one digit."""
    rest, first = [cell("1")], [cell("1/4")]
    for value, reason in (
        ({"exp": plus("p", "-1/2")}, "h = exp(p - 1/2) = 0.77... at 1/4"),
        (plus("1", {"log": plus("p", "1/2")}), "h = 1 + log(p + 1/2) = 0.71... at 1/4"),
        ({"sqrt": plus("p", "1/2")}, "h = sqrt(p + 1/2) = 0.86... at 1/4"),
        ({"power": [plus("p", "1/2"), "1/3"]}, "h is the third root of p + 1/2, 0.90... at 1/4"),
        ({"quotient": ["1", plus("3/2", {"negative": "p"})]}, "h = 1/(3/2 - p) = 0.8 at 1/4"),
    ):
        for order in ("1", "2"):
            pieces, listed = (
                [piece("1", "1/4", closed=False), piece(value, "3/4"), *ONE],
                [first, [cell("3/4", "middle", order)], rest],
            )
            yield False, f"{reason}, claimed is 1 at least", cover(pieces, INFINITE, listed, None)
        low = plus(value, "1/4")
        listed = [first, [cell("1/2", "middle", "3"), cell("3/4", "middle", "3")], rest]
        pieces = [piece("1", "1/4", closed=False), piece(low, "3/4"), *ONE]
        if reason.startswith(("h = exp", "h is")):
            yield True, f"{reason}, with 1/4 added: 1 at least", cover(pieces, INFINITE, listed, None)
    shifted = plus("p", "-1/4")
    for value, reason in (
        (
            {"quotient": ["1", plus("p", "-1/2")]},
            "a divisor is 0 inside the cell: h = 1/(p - 1/2) is negative below 1/2",
        ),
        ({"quotient": ["1", shifted]}, "h = 1/(p - 1/4) is not defined at 1/4, which the piece owns"),
        (plus("1", {"negative": {"log": shifted}}), "h = 1 - log(p - 1/4) is not defined at 1/4, which the piece owns"),
        ({"quotient": ["1", {"sqrt": shifted}]}, "h = (p - 1/4)^(-1/2) is not defined at 1/4, which the piece owns"),
        (plus("2", {"sqrt": plus("p", "-1/2")}), "h = 2 + sqrt(p - 1/2) is not defined below 1/2"),
    ):
        pieces, listed = (
            [piece("1", "1/4", closed=False), piece(value, "3/4"), *ONE],
            [first, [cell("3/4", "middle", "1")], rest],
        )
        yield False, reason, cover(pieces, INFINITE, listed, None)
    for value, reason in (
        (plus("1", {"sqrt": shifted}), "h = 1 + sqrt(p - 1/4): the root of 0 is 0"),
        (plus("1", {"negative": {"log": "p"}}), "h = 1 - log p"),
        ({"power": ["p", "0"]}, "p^0 is 1"),
        (plus("1", {"power": [shifted, "1/3"]}), "h = 1 + (p - 1/4)^(1/3): the root of 0 is 0"),
    ):
        pieces, listed = (
            [piece("1", "1/4", closed=False), piece(value, "3/4"), *ONE],
            [first, [cell("3/4", "middle", "1")], rest],
        )
        yield True, f"{reason}, 1 at least", cover(pieces, INFINITE, listed, None)
    for value, reason in (
        ({"exp": "-3/4"}, "exp(-3/4) = 0.472..."),
        ({"log": "8/5"}, "log(8/5) = 0.470..."),
        ({"sqrt": "11/50"}, "sqrt(11/50) = 0.469..."),
    ):
        text = cover([piece(value, "1/2"), *ONE], ("1", "1"), [[cell("1/2")], rest], point("1/2"), digits="1")
        yield False, f"h = {reason} is 0.5 to one digit: F < 1 at 1/2, claimed is 1 at least", text
    for value, reason in (
        ({"exp": "-3/5"}, "exp(-3/5) = 0.548..."),
        ({"log": "17/10"}, "log(17/10) = 0.530..."),
        ({"sqrt": "7/25"}, "sqrt(7/25) = 0.529..."),
    ):
        listed = [[cell("1/2", near=True)], [cell("1", near=True)]]
        text = cover([piece(value, "1/2"), *ONE], ("0", "1"), listed, point("1/2"), digits="1")
        yield False, f"h = {reason} is 0.5 to one digit: F > 1 at 1/2, claimed is 1 at most", text


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
    yield from forms()
    first = (constants, expansions, ends_of_cells, pieces_and_points)
    for group in (*first, ascending_cells, closed_and_defined, limits_and_operands, intervals):
        for accepted, reason, text in group():
            yield accepted, reason, text
            weaker = "at least 1/500" in reason  # 1 - (1 - h) is known less well than h
            if not weaker and "lowest terms" not in reason and '"0", "closed": true' not in text:
                yield accepted, f"{reason}; on the side down", on_the_side_down(text)
