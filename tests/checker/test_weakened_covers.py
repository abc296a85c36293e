"""Each condition of parity-bound is needed: a checker without it accepts a false file that the checker rejects."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from adversary.fuzz import cells
from adversary.fuzz.criteria import ONE_LESS
from adversary.fuzz.version_2 import judge_of
from adversary.fuzz.weakened import Weakening, survivors, weakened

BERNSTEIN = {"method": "bernstein", "order": "0"}
ROOT = {"root": ["-1", "0", "2"], "between": ["7/10", "71/100"]}  # 1/sqrt 2


def odds(ratio: Any) -> Any:
    """Return h with this odds ratio F."""
    return {"quotient": [{"product": [ratio, "p"]}, {"sum": [ONE_LESS, {"product": [ratio, "p"]}]}]}


def plus(*parts: Any) -> Any:
    return {"sum": list(parts)}


def piece(value: Any, to: Any = "1", *, closed: bool = True) -> dict[str, Any]:
    return {"to": to, "closed": closed, "value": value}


def cell(to: str, method: str = "bernstein", order: str = "0", *, near: bool = False) -> dict[str, Any]:
    return {"to": to, "near": near, "method": method, "order": order}


def point(low: str, high: str = "", method: str = "bernstein", order: str = "0", *, index: str = "0") -> dict[str, Any]:
    return {"side": "up", "piece": index, "from": low, "to": high or low, "method": method, "order": order}


def at_of(place: dict[str, Any]) -> Any:
    low, high = place["from"], place["to"]
    if low == high:
        return low
    return "0+" if low == "0" else "1-" if high == "1" else {"from": low, "to": high}


def cover(
    pieces: list[Any],
    bounds: tuple[str, str],
    listed: list[Any],
    place: Any,
    *,
    attained: bool | None = None,
    exact: Any = None,
    digits: str = "40",
    **changes: Any,
) -> str:
    """Return the text of a file on the side up."""
    claim = {"lower": bounds[0], "upper": bounds[1], "attained": attained}
    claim["at"] = None if place is None else at_of(place)
    proof = {"digits": digits, "exact": exact, "up": listed, "down": None, "point": place}
    problem = {"up": {"pieces": pieces}, "down": None}
    whole: dict[str, Any] = {
        "format": "2",
        "statement": "parity-bound",
        "problem": problem,
        "claim": claim,
        "proof": proof,
    }
    for path, value in changes.items():
        first, second = path.split("__")
        whole[first][second] = value
    return json.dumps(whole)


TWO = odds("2")  # F = 2 everywhere
POLE = {"quotient": ["1", plus("p", "-1/5")]}
HIDDEN = plus(POLE, {"negative": POLE}, "3/2")  # nothing at 1/5, 3/2 elsewhere
ONE = [piece("1")]


class Case(NamedTuple):
    """A weakening and a file that it accepts."""

    weakening: Weakening
    text: str


def _case(file: str, old: str, new: str, drops: str, text: str) -> Case:
    return Case(Weakening(f"parity_bound/{file}.py", old, new, drops), text)


INFINITE = ("infinite", "infinite")
WHOLE = [[cell("1")]]
HALF = point("1/2")


def cases() -> Iterator[Case]:
    """Iterate over the conditions of the page, in its order."""
    # the problem
    yield _case(
        "judgement",
        "if functions == [None, None]:",
        "if False:",
        "a function",
        cover([], ("infinite", "infinite"), [], None, problem__up=None, proof__up=None),
    )
    yield _case(
        "pieces",
        "if to == written and not (start.owned and closed):",
        "if False:",
        "no piece is empty",
        cover(
            [piece("1", "1/2", closed=False), piece("1/2", "1/2", closed=False), piece("1")],
            ("1", "1"),
            [[cell("1/2")], [cell("1/2")], [cell("1")]],
            point("1/2", index="1"),
        ),
    )
    yield _case(
        "pieces",
        "if not found or start != End(Fraction(1), Fraction(1), owned=False):",
        "if not found:",
        "the pieces end at 1",
        cover([piece("1", "1/2")], ("infinite", "infinite"), [[cell("1/2")]], None),
    )
    yield _case(
        "pieces",
        "changes != 1",
        "changes > 9",
        "exactly one root",
        cover(
            [piece("1", {"root": ["-9/100", "89/100", "-9/5", "1"], "between": ["1/20", "99/100"]}), piece("1")],
            ("infinite", "infinite"),
            [[cell("99/100")], [cell("1")]],
            None,
        ),
    )
    # the claim
    yield _case(
        "statement",
        "constants.sign(lower) < 0 or constants.compare(lower, top) > 0",
        "constants.sign(lower) < 0",
        "lower <= top",
        cover([piece(TWO)], ("3", "4"), WHOLE, HALF, exact="2"),
    )
    yield _case(
        "statement",
        "or constants.compare(top, upper) > 0",
        "",
        "top <= upper",
        cover([piece(TWO)], ("1", "3/2"), WHOLE, HALF, exact="2"),
    )
    yield _case(
        "statement", "constants.sign(lower) < 0 or ", "", "0 <= lower", cover([piece(TWO)], ("-1", "2"), WHOLE, HALF)
    )
    # the cells
    yield _case(
        "statement",
        "if not listed or at != to:",
        "if not listed:",
        "cells cover their piece",
        cover([piece(odds(plus("4", {"product": ["-3", "p"]})))], ("3", "3"), [[cell("1/3")]], point("1/3")),
    )
    low_only = piece(odds(plus("3", {"negative": "p"})))  # F = 3 - p
    yield _case(
        "constants",
        "if min(above) < 0:",
        "if False:",
        "Bernstein coefficients are not negative",
        cover([low_only], ("5/2", "5/2"), WHOLE, HALF),
    )
    yield _case(
        "judgement",
        "        if least < 0:",
        "        if False:",
        "the range of an expansion, the value at a point",
        cover([low_only], ("5/2", "5/2"), [[cell("1/2", "low", "2"), cell("1", "high", "2")]], HALF),
    )
    crossing = {"minimum": [plus("4/5", {"product": ["-2", "p"]}), "1/2"]}  # 2/5 at 1/5: F = 8/3
    yield _case(
        "judgement",
        "(operation == every) != piece.mirrored:",
        "(operation == every) == piece.mirrored:",
        "all operands of a minimum",
        cover(
            [piece(crossing, "1/5", closed=False), piece("1")], ("4", "4"), [[cell("1/5")], [cell("1")]], point("1/5")
        ),
    )
    # the upper bound
    yield _case(
        "judgement",
        "return on.require(on.algebra.negative(on.excess(bound)))",
        "return Strictness(True, True, True)",
        "g <= 0 at the point",
        cover([piece(TWO)], ("1", "3/2"), [[cell("1", near=True)]], HALF),
    )
    half_way = plus("1/2", {"product": ["1/2", "p"]})  # (1+p)/2: B = 2, approached at 1
    yield _case(
        "judgement",
        "high - low in (0, 1) or",
        "",
        "a limit has one end",
        cover([piece(half_way)], ("2", "2"), WHOLE, point("0", "1")),
    )
    from_fifth = [piece("1", "1/5", closed=False), piece(odds(plus("1", {"product": ["10", "p"]})))]
    yield _case(
        "judgement",
        " or end not in piece.outer",
        "",
        "a limit is one of the piece",
        cover(from_fifth, ("1", "1"), [[cell("1/5")], [cell("1", near=True)]], point("0", "1/5", index="1")),
    )
    yield _case(
        "judgement",
        "if self.constants.compare(self._limit(on), bound) > 0:",
        "if False and self._limit(on):",
        "the limit is at most top",
        cover([piece(half_way)], ("1", "3/2"), [[cell("1", near=True)]], point("1/2", "1")),
    )
    yield _case(
        "judgement",
        "if constants.sign(slope) <= 0:",
        "if False:",
        "a positive slope",
        cover([piece(plus("2", {"negative": "p"}))], ("3", "3"), WHOLE, point("1/2", "1")),
    )
    yield _case(
        "judgement",
        "if constants.at_end(f[0], end, 0)[0]:",
        "if False:",
        "h vanishes at 0",
        cover([piece(half_way)], ("1/4", "1/2"), [[cell("1", near=True)]], point("0", "1/2")),
    )
    yield _case(
        "judgement",
        "constants.is_equal(f.a, constants.of(_ONE))",
        "True",
        "an exponent of exactly 1",
        cover([piece(half_way)], ("1/4", "1/2"), [[cell("1", near=True)]], point("0", "1/2", "low", "2")),
    )
    entropy = {"product": ["p", plus("1", {"negative": {"log": "p"}})]}
    yield _case(
        "judgement",
        "f.v.z and not f.log[0] and",
        "f.v.z and",
        "no logarithm in a limit",
        cover(
            [piece({"minimum": ["1", entropy]})],
            ("1/2", "1"),
            [[cell("1/2", "low", "2", near=True), cell("1", "high", "2", near=True)]],
            point("0", "1/8", "low", "2"),
        ),
    )
    wild = {"product": ["p", plus("2", {"product": [{"sqrt": "p"}, {"exp": {"quotient": ["1", "p"]}}]})]}
    yield _case(
        "judgement",
        "known and low.is_finite() and high.is_finite()",
        "known",
        "a bounded rest in a limit",
        cover(
            [piece({"minimum": ["1", wild]})],
            ("1", "2"),
            [
                [
                    cell("1/100", "low", "1", near=True),
                    *(
                        cell(x, "middle", "2", near=True)
                        for x in ("1/64", "1/32", "1/16", "1/8", "3/16", "1/4", "3/8", "1/2", "3/4")
                    ),
                    cell("1", "high", "2", near=True),
                ]
            ],
            point("0", "1/100", "low", "2"),
        ),
    )
    # the place
    yield _case(
        "statement",
        "if place != at:",
        "if False:",
        "the place of the claim",
        cover([piece(half_way)], ("2", "2"), WHOLE, point("1/2", "1"), claim__at="1/2"),
    )
    island = [piece("1", ROOT, closed=False), piece(odds(plus("1", "p")), ROOT), piece("1")]
    three = [[cell("71/100")], [cell("71/100", near=True)], [cell("1")]]
    yield _case(
        "pieces",
        "self.start.high <= low <= self.end.low",
        "self.start.low <= low <= self.end.high",
        "a point in the inner interval",
        cover(island, ("3/2", "17/10"), three, point("7/10", index="1")),
    )
    yield _case(
        "pieces",
        "low <= end.low < end.high <= high",
        "end.low < end.high",
        "an interval around the irrational end",
        cover(
            [piece(odds(plus("3", {"negative": "p"})), ROOT, closed=False), piece("1")],
            ("1", "9/4"),
            [[cell("71/100", near=True)], [cell("1")]],
            point("3/4", "4/5"),
        ),
    )
    # attained
    triple = [piece({"product": ["3", "p"]}, "1/3", closed=False), piece("1")]  # B = 3, approached at 0
    near_zero = [[cell("1/10", near=True), cell("1/3")], [cell("1")]]
    attained = {"attained": True}
    yield _case(
        "pieces",
        "return low > 0 and high < 1 and",
        "return",
        "near cells keep from 0 and 1",
        cover(triple, ("2", "33/10"), near_zero, point("1/50"), **attained),
    )
    falling = [piece(odds(plus("3", {"negative": "p"})), "1/2", closed=False), piece("1")]  # B = 5/2, approached at 1/2
    open_end = [[cell("1/4"), cell("1/2", near=True)], [cell("1")]]
    yield _case(
        "pieces",
        "(self.end.owned or not to_end)",
        "True",
        "near cells at an end that is owned",
        cover(falling, ("2", "11/4"), open_end, point("2/5"), **attained),
    )
    rising = [piece("1", "1/2"), piece(odds(plus("2", "p")))]  # B = 5/2, approached at 1/2
    open_start = [[cell("1/2")], [cell("3/4", near=True), cell("1")]]
    yield _case(
        "pieces",
        "(self.start.owned or not from_start)",
        "True",
        "near cells at a start that is owned",
        cover(rising, ("2", "11/4"), open_start, point("3/5", index="1"), **attained),
    )
    rising_root = [piece("1", ROOT), piece(odds(plus("2", "p")))]  # B = 2.707..., approached at 1/sqrt 2
    inside = [
        [cell("71/100")],
        [cell("7071/10000", near=True), cell("177/250", near=True), cell("3/4", near=True), cell("1")],
    ]
    yield _case(
        "pieces",
        "low < self.start.high or low == self.start.low",
        "low == self.start.low and low < 0",
        "a bracket is no closed start",
        cover(rising_root, ("5/2", "11/4"), inside, point("18/25", index="1"), **attained),
    )
    falling_root = [
        piece(odds(plus("4", {"negative": "p"})), ROOT, closed=False),
        piece("1"),
    ]  # B = 3.29..., approached
    inside = [[cell("1/2"), cell("71/100", near=True)], [cell("1")]]
    yield _case(
        "pieces",
        "high > self.end.low or high == self.end.high",
        "False",
        "a bracket is no closed end",
        cover(falling_root, ("3", "67/20"), inside, point("69/100"), **attained),
    )
    yield _case(
        "statement",
        "if attained and not is_owned:",
        "if False:",
        "the point is owned",
        cover(falling, ("5/2", "5/2"), [[cell("1/2")], [cell("1")]], point("1/2"), **attained),
    )
    yield _case(
        "statement",
        "(attained and not piece.is_closed_on(at, high))",
        "False",
        "near cells are closed",
        cover(triple, ("2", "33/10"), near_zero, point("1/50"), **attained),
    )
    begins = plus(odds("5"), {"product": ["0", {"sqrt": plus("p", "-1/2")}]})  # from 1/2 on
    jump = {"maximum": [odds(plus("3", {"product": ["-2", "p"]})), begins]}  # 2 is approached at 1/2, not attained
    yield _case(
        "statement",
        "if near and attained:",
        "if False:",
        "all operands are defined on near cells",
        cover(
            [piece(odds("11/5"), "1/5"), piece(jump, "9/16"), piece("1")],
            ("2", "11/5"),
            [[cell("1/5")], [cell("2/5"), cell("1/2", near=True), cell("9/16", "low", "2")], [cell("1")]],
            point("1/5"),
            **attained,
        ),
    )
    not_attained = {"attained": False}
    dip = [piece(odds(plus("2", {"power": [plus("p", "-1/3"), "2"]})))]  # B = 2, attained at 1/3
    yield _case(
        "statement",
        "(near or not is_strict)",
        "not is_strict",
        "no near cells",
        cover(dip, ("1", "2"), [[cell("1", near=True)]], point("1/3"), **not_attained),
    )
    yield _case(
        "constants",
        "Strictness(max(above) > 0, above[0]",
        "Strictness(True, above[0]",
        "strict inside",
        cover([piece(TWO)], ("2", "2"), WHOLE, HALF, **not_attained),
    )
    owned_step = [piece(odds(plus("3", {"negative": "p"})), "1/2"), piece("1")]  # B = 5/2, attained at 1/2
    both = [[cell("1/2")], [cell("1")]]
    yield _case(
        "constants",
        "above[-1] > 0)",
        "True)",
        "strict at the upper end",
        cover(owned_step, ("5/2", "5/2"), both, point("1/2"), **not_attained),
    )
    owned_start = [piece("1", "1/2", closed=False), piece(odds(plus("2", "p")))]  # B = 5/2, attained at 1/2
    yield _case(
        "constants",
        "above[0] > 0,",
        "True,",
        "strict at the lower end",
        cover(owned_start, ("5/2", "5/2"), both, point("1/2", index="1"), **not_attained),
    )
    yield _case(
        "judgement",
        'strict = self._judge(piece, Cell(end, end), "minimum", judged).inside',
        "strict = True",
        "strict at the end that a cell is seen from",
        cover(
            owned_step,
            ("5/2", "5/2"),
            [[cell("7/16"), cell("1/2", "high", "3")], [cell("1")]],
            point("1/2"),
            **not_attained,
        ),
    )
    yield _case(
        "judgement",
        "return Strictness(least > 0, least > 0, least > 0)",
        "return Strictness(True, True, True)",
        "strict ranges and points",
        cover(
            [piece("1", "1/2", closed=False), piece("1/2", "1/2"), piece("1")],
            ("1", "1"),
            [[cell("1/2")], [cell("1/2")], [cell("1")]],
            point("1/2", index="1"),
            **not_attained,
        ),
    )
    yield _case(
        "pieces",
        "return 0 < p < 1 and (p > a or (a == b and owns_start)) and (p < d or (c == d and owns_end))",
        "return False",
        "what a piece may hold",
        cover(owned_step, ("5/2", "5/2"), both, point("1/2"), **not_attained),
    )
    # infinite
    yield _case(
        "judgement",
        "on.less(on.h, on.one) if bound is None",
        "on.one if bound is None",
        "h >= 1 where B is infinite",
        cover([piece(TWO)], ("infinite", "infinite"), WHOLE, None),
    )
    yield _case(
        "statement",
        "elif (attained, at, point) != (None, None, None):",
        "elif False:",
        "no place of an infinite infimum",
        cover(ONE, ("infinite", "infinite"), WHOLE, None, claim__at="1/2"),
    )
    yield _case(
        "statement",
        "if near and (top is None or",
        "if near and (",
        "no near cells of an infinite infimum",
        cover(ONE, ("infinite", "infinite"), [[cell("1", near=True)]], None),
    )
    # constants and form
    doubtful = plus({"sqrt": "8"}, {"product": ["-2", {"sqrt": "2"}]})  # 0, unknown to the ring
    doubt = odds(plus("2", {"product": [doubtful, "p", ONE_LESS]}))
    yield _case(
        "statement",
        'if method not in _METHODS or (method == "bernstein") != (cell.order == 0):',
        "if method not in _METHODS:",
        "an order for every expansion",
        cover(ONE, ("infinite", "infinite"), [[cell("1", "bernstein", "2")]], None),
    )
    yield _case(
        "pieces",
        "if value < 0 or max",
        "if max",
        "no negative exponents",
        cover([piece(odds({"power": ["1/2", "-1"]}))], ("2", "2"), WHOLE, HALF),
    )
    yield _case(
        "pieces",
        "if to != written and (low < start.high or (low == start.low and high == start.high)):",
        "if False:",
        "the pieces ascend",
        cover(
            [piece("1", ROOT), piece("1", "7/10"), piece("1")],
            INFINITE,
            [[cell("71/100")], [cell("7/10")], [cell("1")]],
            None,
        ),
    )
    yield _case(
        "statement",
        "if not (at < high or (i == 0 and at == high == to)):",
        "if False:",
        "cells ascend",
        cover([piece(TWO)], ("2", "2"), [[cell("1/2"), cell("1/4"), cell("1")]], HALF),
    )
    beyond = plus("1", {"quotient": ["1", plus("1", {"product": ["-5", "p"]})]})  # less than 1 above 1/5
    yield _case(
        "constants",
        "if sign == 0 or min(sign * s for s in below) < 0:",
        "if sign == 0:",
        "one sign of the denominator",
        cover([piece(beyond)], INFINITE, WHOLE, None),
    )
    hole = [piece(HIDDEN, "1/5"), piece("1")]
    yield _case(
        "constants",
        "if (below[0] == 0 and low > 0) or (below[-1] == 0 and high < 1):",
        "if False:",
        "no pole at an end",
        cover(hole, INFINITE, [[cell("1/5")], [cell("1")]], None),
    )
    yield _case(
        "judgement",
        "end == cell.seen_from and cell.low < cell.high and piece.may_hold(end)",
        "False",
        "the end that a cell is seen from",
        cover(hole, INFINITE, [[cell("1/10"), cell("1/5", "high", "2")], [cell("1")]], None),
    )
    yield _case(
        "expansions",
        "or (not self.is_end and (low == 0 or high == 1))",
        "",
        "no cell at 0 or 1 is seen from its middle",
        cover(ONE, INFINITE, [[cell("1/2", "middle", "1"), cell("1")]], None),
    )
    fall = [piece(plus("1/5", {"negative": "p"}), "1/5", closed=False), piece("1")]
    yield _case(
        "judgement",
        "cell.seen_from not in (None, end) or",
        "",
        "a limit is at the end that the cell is seen from",
        cover(fall, ("0", "1"), [[cell("1/5", near=True)], [cell("1")]], point("0", "1/5", "high", "2")),
    )
    dip = [piece(odds(plus("2", {"power": [plus("p", "-1/3"), "2"]})))]  # B = 2, attained at 1/3
    halves = [[cell("1/3"), cell("1")]]
    yield _case(
        "statement",
        "(near or not is_strict)",
        "near",
        "strict cells",
        cover(dip, ("2", "2"), halves, point("1/3"), attained=False),
    )
    doubtful = plus({"sqrt": "8"}, {"product": ["-2", {"sqrt": "2"}]})  # 0, unknown to the ring
    doubt = odds(plus("2", {"product": [doubtful, "p", ONE_LESS]}))
    yield _case(
        "constants",
        "        if low <= 0 <= high:",
        "        if low <= 0 <= high:\n            return 1\n        if False:",
        "a certain sign of a constant",
        cover([piece(doubt)], ("2", "2"), WHOLE, HALF, attained=False),
    )
    least = plus("1/2", {"minimum": ["p", "1/2"]})
    yield _case(
        "constants",
        "if self.has_prior(f) or self.has_prior(g):",
        "if False:",
        "no minimum of functions of p among constants",
        cover([piece(least)], INFINITE, WHOLE, None),
    )


CASES = list(cases())


@pytest.mark.drawn(8)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.weakening.drops)
def test_a_dropped_condition_is_seen_by_its_file(case: Case, tmp_path: Path) -> None:
    assert survivors([case.weakening], [case.text], tmp_path) == []


def test_there_are_many() -> None:
    assert len(CASES) >= 50


# Rules of arithmetic are no conditions that a file meets: the fuzzer of cells must accept something false without them.
ARITHMETIC = [
    ("expansions", "(low, INFINITY) if sign < 0", "(ZERO, low) if sign < 0", "w^d for d < 0"),
    ("expansions", "if steep != a.zero:", "if False:", "the rest of a product with a logarithm"),
    ("expansions", "and not f.v.z[0][0]:", ":", "an exponent is raised where z_0 is 0 only"),
    ("expansions", "if f.v.value[1] <= v.value[0]:", "if True:", "the lesser of two"),
    (
        "expansions",
        "low, high = map(min, f.v.value, v.value)",
        "low, high = map(max, f.v.value, v.value)",
        "the least of two ranges",
    ),
    (
        "expansions",
        "f = Expansion(self.zero, self.zero, self._lowered(f, f.a))",
        "f = f._replace(a=self.zero)",
        "exp of what vanishes",
    ),
    ("expansions", 'Fraction(-1 if seen == "high" else 1)', "Fraction(1)", "w falls with p seen from above"),
    ("expansions", "cross = a.add(a.multiply(f.rest, g.value), ", "cross = a.add(a.zero, ", "a rest times a series"),
    ("expansions", "a.multiply(self.bounds(f.z, a.zero), g.rest)", "a.zero", "a polynomial times a rest"),
    (
        "expansions",
        "Series(f.z[:k], self.bounds(f.z[k:], f.rest), f.value)",
        "Series(f.z[:k], f.rest, f.value)",
        "coefficients cut off",
    ),
    ("expansions", "factor *= (exponent - i) / (i + 1)", "factor *= exponent / (i + 1)", "derivatives of a power"),
    ("expansions", "Fraction((-1) ** (j - 1), j)", "Fraction(1, j)", "derivatives of a logarithm"),
    (
        "expansions",
        "steep = _derivative(a, kind, exponent, k, between)",
        "steep = _derivative(a, kind, exponent, k, a.of(Fraction(1)))",
        "Lagrange's rest",
    ),
    (
        "constants",
        "term = a.multiply(term, a.power(self.values[name], Fraction(e)))",
        "pass",
        "the value of a constant",
    ),
    ("constants", "return self.power(argument, factor)", "return argument", "exp(r log x) = x^r"),
    ("constants", "t + coefficients[i] * s", "t + abs(coefficients[i]) * s", "Bernstein coefficients"),
    ("judgement", "self.algebra.add(f, self.algebra.negative(g))", "f", "a difference"),
]


@pytest.mark.parametrize(
    ("file", "old", "new", "drops"),
    [
        pytest.param(*row, marks=[] if i in (6, 7, 8, 9, 11) else pytest.mark.full_size)
        for i, row in enumerate(ARITHMETIC)
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_wrong_arithmetic_is_seen_by_the_fuzzer(
    file: str, old: str, new: str, drops: str, tmp_path: Path, rng: random.Random
) -> None:
    with weakened(Weakening(f"parity_bound/{file}.py", old, new, drops), tmp_path) as check:
        wrong = cells.run(judge_of(check.__module__.partition(".")[0]), rng, 20_000, failures=1)[1]
    assert wrong
