"""Rule 12: infima of criteria that are constant on pieces, where B is known; and expansions at equality."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from .book import COUNT, EQUATION, INEQUALITY, OPEN, SPECIAL, UNIT, Suite, with_

PAGE = "cover/cover.md"
Document = tuple[Any, Any, Any]
BERNSTEIN = {"near": False, "method": "bernstein", "order": "0"}


def steps(
    pieces: list[tuple[str, bool, Any]], b: F | None, attained: Any, at: str | None, side: str = "up", piece: int = 0
) -> Document:
    """Return the certificate of a function that is constant on pieces; one cell for each."""
    function = {"pieces": [{"to": to, "closed": closed, "value": value} for to, closed, value in pieces]}
    cells = [[{"to": to, **BERNSTEIN}] for to, _, _ in pieces]
    if side == "down":  # turned over: from right to left
        ends = ["0", *[to for to, _, _ in pieces]]
        cells = [[{"to": str(1 - F(end)), **BERNSTEIN}] for end in reversed(ends[:-1])]
    point = (
        None
        if at is None
        else {"side": side, "piece": str(piece), "from": at, "to": at, "method": "bernstein", "order": "0"}
    )
    problem = {"kind": "criterion", "up": None, "down": None, side: function}
    bound = "infinite" if b is None else str(b)
    claim = {"kind": "infimum", "lower": bound, "upper": bound, "attained": attained, "at": at}
    witness = {
        "rule": "cover", "version": "2", "digits": "60", "exact": None, "up": None, "down": None, side: cells, "point": point,
    }  # fmt: skip
    return with_((problem, claim, witness))


def add_to(s: Suite) -> None:
    """Add the files of the page."""

    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(PAGE, sentence, needs)

    base = steps([("1/5", False, "1/2"), ("1", True, "1")], F(4), False, "1/5")
    order = condition("0 <= lower <= top <= upper.", INEQUALITY)
    s.add(order, "equality", base, True)
    for key, change, boundary in (
        ("lower", -UNIT, "within"),
        ("upper", UNIT, "within"),
        ("lower", UNIT, "beyond"),
        ("upper", -UNIT, "beyond"),
    ):
        made = with_(
            base, (f"1.{key}", 4 + change), ("1.attained", None), ("2.exact", "4" if boundary == "within" else None)
        )
        s.add(order, boundary, made, boundary == "within")
    s.add(order, "within", with_(base, ("1.lower", "0"), ("1.attained", None)), True)
    for lower, upper in (
        ("-1", "4"),
        ("4", "-4"),
        ("-4", "-4"),
        ("5", "4"),
        ("infinite", "4"),
        ("4", "infinite"),
        ("infinite", "infinite"),
    ):
        s.add(order, "beyond", with_(base, ("1.lower", lower), ("1.upper", upper)), False)
    cell = condition(
        "The Bernstein coefficients of d, of its own degree, on [low, high] are >= 0 (after a change of both signs, if need be), not all 0, the first (last) not 0 unless low = 0 (high = 1); those of n (of its own degree) are >= 0.",
        INEQUALITY,
    )
    for h in (F(1, 2), UNIT, 1 - UNIT, F(1, 5)):
        b = h * 4 / (1 - h)
        made = steps([("1/5", False, str(h)), ("1", True, "1")], b, False, "1/5")
        s.add(cell, "equality", made, True)  # g is 0 at 1/5
        s.add(cell, "within", with_(made, ("1.lower", b - min(UNIT, b)), ("1.attained", None)), True)
        s.add(cell, "beyond", with_(made, ("1.lower", b + UNIT), ("1.upper", b + UNIT), ("1.attained", None)), False)
        s.add(cell, "beyond", with_(made, ("1.upper", b + UNIT), ("1.lower", b + UNIT)), False)
    zero = steps([("1/5", False, "0"), ("1", True, "1")], F(0), True, "1/10")  # h = 0: B = 0, at every prior
    s.add(cell, "equality", zero, True)
    power = condition(
        'In this rule the exponent of a `power` may be a fraction `"a/b"` >= 0 of what is >= 0 (a, b <= `MAX_DEGREE`).',
        INEQUALITY,
    )
    for exponent, boundary in (("0", "equality"), ("1/1024", "within"), ("-1/2", "beyond"), ("1/1025", "beyond")):
        one = with_(steps([("1", True, "1")], None, None, None), ("0.up.pieces.0.value", {"power": ["1", exponent]}))
        fine = boundary != "beyond"
        s.add(power, boundary, one, fine, "" if fine else "limit" if exponent == "1/1025" else "form", known=fine)
    infinite = condition(
        "(Infinite B: every cell proves h >= 1, with g = h - 1 in what follows; none is `near`.)", INEQUALITY
    )
    full = steps([("1", True, "1")], None, None, None)
    s.add(infinite, "equality", full, True)
    s.add(infinite, "within", steps([("1", True, 1 + UNIT)], None, None, None), True)
    s.add(infinite, "beyond", steps([("1", True, 1 - UNIT)], None, None, None), False)
    s.add(infinite, "beyond", with_(full, ("1.attained", False)), False)
    closed = condition(
        "*true*: the point is a number in (0, 1) that the piece owns, or around an irrational endpoint that it owns; and the part of the piece in each `near` cell is closed: 0 < low, high < 1, and the piece owns its start",
        (*INEQUALITY,),
    )
    owned = steps([("1/5", True, "1/2"), ("1", True, "1")], F(4), True, "1/5")
    s.add(closed, "within", owned, True)
    near = with_(
        owned,
        ("1.lower", 4 - UNIT),
        ("2.up.0", [{"to": "1/10", **BERNSTEIN}, {"to": "1/5", **BERNSTEIN, "near": True}]),
    )
    s.add(closed, "within", near, True)  # the cell from 1/10 is closed
    s.add(closed, "within", with_(near, ("2.up.0.0.to", UNIT)), True)
    s.add(closed, "equality", with_(near, ("2.up.0.0.near", True)), False)  # low = 0
    s.add(closed, "beyond", with_(near, ("0.up.pieces.0.closed", False)), False)
    s.add(closed, "beyond", with_(owned, ("1.attained", False)), False)
    s.add(closed, "beyond", with_(base, ("1.attained", True)), False)
    for made in (owned, base):
        s.add(closed, "within", with_(made, ("1.attained", None)), True)
    false = condition(
        "*false*: no cell is `near`, and on each F > top at all points that the piece may hold: (3) some coefficient of n is not 0, and the first (last) is not 0 if the piece may hold low (high); (4) the lower end of the range is > 0, and g(c) > 0 if the piece may hold c; (2) g(p) > 0;",
        INEQUALITY,
    )
    s.add(false, "within", base, True)
    s.add(false, "equality", with_(owned, ("1.attained", False)), False)
    s.add(false, "within", _root(), True, known=True)
    s.add(false, "beyond", with_(base, ("2.up.0.0.near", True)), False)
    # a piece that is one point: owned on both sides
    alone = steps([("1/4", False, "1"), ("1/4", True, "1/2"), ("1", True, "1")], F(3), True, "1/4", piece=1)
    point = condition(
        "p = low = high (whatever the method and order): g(p) >= 0, computed with constants (below).", INEQUALITY
    )
    s.add(point, "equality", alone, True)
    s.add(point, "within", with_(alone, ("1.lower", 3 - UNIT)), True)
    s.add(point, "beyond", with_(alone, ("1.lower", 3 + UNIT), ("1.upper", 3 + UNIT)), False)
    upper = condition(
        "* from = to, in (0, 1) and in the inner interval: g <= 0 with b = top there (condition 2);", INEQUALITY
    )
    s.add(upper, "equality", owned, True)
    s.add(
        upper, "within", with_(owned, ("1.upper", 4 + UNIT), ("1.lower", 4 - UNIT), ("1.attained", None)), False
    )  # top is upper: the cells prove it
    s.add(
        upper,
        "within",
        with_(owned, ("1.upper", 4 + UNIT), ("1.lower", "4"), ("1.attained", None), ("2.exact", "4")),
        True,
    )
    for place in ("1/10", "0", "1"):
        moved = with_(owned, ("2.point.from", place), ("2.point.to", place), ("1.at", place))
        s.add(upper, "beyond", moved, False, known=None)
    outside = with_(owned, ("2.point.from", F(1, 5) + UNIT), ("2.point.to", F(1, 5) + UNIT), ("1.at", F(1, 5) + UNIT))
    s.add(upper, "beyond", outside, False)
    down = steps([("4/5", False, "0"), ("1", True, "1/2")], F(4), True, "1/5", "down")
    turned = condition("The side `down` is the same as a side `up` with `h(p) = 1 - h_l(1-p)`", INEQUALITY)
    s.add(turned, "equality", down, True)
    s.add(turned, "within", with_(down, ("1.lower", 4 - UNIT), ("1.attained", None)), True)
    s.add(turned, "beyond", with_(down, ("1.lower", 4 + UNIT), ("1.upper", 4 + UNIT), ("1.attained", None)), False)
    s.add(turned, "beyond", with_(down, ("1.attained", False)), False)
    ends = condition(
        "For each piece, cells whose `to` ascend strictly from the lower to the upper end of its outer interval;",
        INEQUALITY,
    )
    two = with_(base, ("2.up.0", [{"to": "1/10", **BERNSTEIN}, {"to": "1/5", **BERNSTEIN}]))
    s.add(ends, "within", two, True)
    s.add(ends, "within", with_(two, ("2.up.0.0.to", F(1, 5) - UNIT)), True)
    s.add(ends, "equality", with_(two, ("2.up.0.0.to", "1/5")), False)
    s.add(ends, "beyond", with_(two, ("2.up.0.0.to", F(1, 5) + UNIT)), False)
    s.add(ends, "equality", with_(two, ("2.up.0.0.to", "0")), False)
    for last in (F(1, 5) - UNIT, F(1, 5) + UNIT):
        s.add(ends, "beyond", with_(base, ("2.up.0.0.to", last)), False)
    s.add(ends, "beyond", with_(base, ("2.up.0", [])), False)
    pieces = condition(
        "Equal ends are allowed (a piece that is one point, owned on both sides), an empty piece is not.", OPEN
    )
    s.add(pieces, "within", alone, True)
    s.add(pieces, "beyond", with_(alone, ("0.up.pieces.0.closed", True)), False, "form")
    s.add(pieces, "beyond", with_(alone, ("0.up.pieces.1.closed", False)), False, "form")
    last = condition('the last ends at `"1"`, closed.', EQUATION)
    s.add(last, "equality", base, True)
    s.add(last, "below", with_(base, ("0.up.pieces.1.to", 1 - UNIT), ("2.up.1.0.to", 1 - UNIT)), False, "form")
    s.add(last, "above", with_(base, ("0.up.pieces.1.to", 1 + UNIT), ("2.up.1.0.to", 1 + UNIT)), False, "form")
    s.add(last, "below", with_(base, ("0.up.pieces.1.closed", False)), False, "form")
    counts = (
        ("`digits` is from 1 to `MAX_COVER_DIGITS`.", "2.digits", "300"),
    )  # fmt: skip
    for sentence, path, most in counts:
        entered = condition(sentence, COUNT)
        for value, boundary in (("0", "zero"), ("1", "one"), (most, "limit"), (int(most) + 1, "beyond")):
            fine = boundary in ("one", "limit")
            s.add(
                entered,
                boundary,
                with_(base, (path, value)),
                fine,
                "" if fine else "limit" if boundary == "beyond" else "form",
            )
    root = _root()
    order_ = condition("`order` is 0 for `bernstein`, else 1 to `MAX_COVER_ORDER`.", COUNT)
    s.add(order_, "zero", base, True)
    s.add(order_, "one", with_(base, ("2.up.0.0.order", "1")), False, "form")
    s.add(order_, "limit", with_(root, ("2.up.0.0.order", "4")), True, known=True)
    s.add(order_, "beyond", with_(root, ("2.up.0.0.order", "5")), False, "limit", known=True)
    s.add(order_, "zero", with_(root, ("2.up.0.0.order", "0")), False, "form", known=True)
    for key, change, boundary in (
        ("lower", F(0), "equality"),
        ("lower", -UNIT, "within"),
        ("lower", UNIT, "beyond"),
        ("upper", -UNIT, "beyond"),
    ):
        made = with_(
            root,
            (f"1.{key}", 2 + change),
            ("1.attained", None),
            *([("1.upper", 2 + change)] if key == "lower" and change > 0 else []),
        )
        fine = boundary != "beyond"
        s.add(
            condition("the expansion of g on the cell has a range whose lower end is >= 0.", INEQUALITY),
            boundary,
            made,
            fine,
            known=fine,
        )
        s.add(
            condition(
                "* 0 < from < to = 1, the piece reaching 1, `high` or `bernstein`: the same for 1-h in w = 1-p, and 1/z_0 <= top.",
                INEQUALITY,
            ),
            boundary,
            made,
            fine,
            known=fine,
        )
    square = _square()
    near_zero = condition(
        "* 0 = from < to < 1, the piece reaching 0, `low` or `bernstein`: h = w (z_0 + w s) near p = w = 0 with z_0 > 0 and s bounded, z_0 <= top.",
        INEQUALITY,
    )
    for key, change, boundary in (
        ("lower", F(0), "equality"),
        ("lower", -UNIT, "within"),
        ("upper", -UNIT, "beyond"),
        ("lower", UNIT, "beyond"),
    ):
        made = with_(
            square,
            (f"1.{key}", F(1, 2) + change),
            ("1.attained", None),
            *([("1.upper", F(1, 2) + change)] if key == "lower" and change > 0 else []),
        )
        fine = boundary != "beyond"
        s.add(near_zero, boundary, made, fine, known=fine)
    irrational = condition(
        "Of a root: the signs of the Bernstein coefficients of the polynomial (of its own degree: leading zeros are dropped) on [a, b], zeros left out, change exactly once.",
        SPECIAL,
    )
    end = {"root": ["-1", "0", "2"], "between": ["7/10", "71/100"]}
    form = condition(
        '`{"root": [c0, c1, ...], "between": [a, b]}`, 0 < a < b < 1: the root of `c0 + c1 p + ...` in (a, b).',
        INEQUALITY,
    )
    around = condition(
        "* 0 < from < to < 1, around [a, b] of an irrational endpoint of the piece: g <= 0 on all of the cell (conditions 3 and 4, for -g >= 0;",
        INEQUALITY,
    )
    # h = 1/2 up to 1/sqrt 2: B = sqrt 2 - 1, between the values at 71/100 and at 699/1000
    made = with_(
        steps([("1/5", False, "1/2"), ("1", True, "1")], F(4), False, "1/5"), ("0.up.pieces.0.to", end), ("1.lower", F(29, 71)), ("1.upper", F(301, 699)),
        ("1.attained", None), ("1.at", {"from": "699/1000", "to": "711/1000"}), ("2.up.0.0", {"to": "71/100", **BERNSTEIN, "near": True}),
        ("2.point.from", "699/1000"), ("2.point.to", "711/1000"),
    )  # fmt: skip
    s.add(around, "equality", made, True, known=True)
    s.add(form, "within", made, True, known=True)
    s.add(
        around, "within", with_(made, ("1.upper", F(301, 699) + UNIT), ("1.lower", F(29, 71) - UNIT)), True, known=True
    )
    s.add(around, "beyond", with_(made, ("1.upper", F(301, 699) - UNIT)), False, known=True)
    s.add(around, "beyond", with_(made, ("1.lower", F(29, 71) + UNIT)), False, known=True)
    for key, value in (("from", F(7, 10) + UNIT), ("to", F(71, 100) - UNIT)):
        s.add(around, "beyond", with_(made, (f"2.point.{key}", value), (f"1.at.{key}", value)), False, known=True)
    for between, boundary in (
        (["7/10", "7/10"], "equality"),
        (["0", "71/100"], "equality"),
        (["7/10", "1"], "equality"),
        (["71/100", "7/10"], "beyond"),
        (["-1", "71/100"], "beyond"),
        (["7/10", 1 + UNIT], "beyond"),
    ):
        s.add(form, boundary, with_(made, ("0.up.pieces.0.to.between", between)), False, "form")
    half = with_(steps([("1/5", False, "1/2"), ("1", True, "1")], F(4), False, "1/5"), ("0.up.pieces.0.to", end))
    for wrong in (
        {**end, "between": ["7/10", "7/10"]},
        {**end, "between": ["71/100", "72/100"]},
        {**end, "between": ["0", "1"]},
        {**end, "root": ["0"]},
        {**end, "root": []},
        {**end, "root": ["1"]},
        {**end, "between": ["71/100", "7/10"]},
    ):
        s.add(irrational, "special value", with_(half, ("0.up.pieces.0.to", wrong)), False, "form")


def _root() -> Document:
    """Return the page's example: the largest posterior is sqrt(p), B = 2, approached at 1."""
    cells = [("1/16", "low"), *[(x, "middle") for x in ("1/4", "1/2", "3/4", "7/8", "15/16")], ("1", "high")]
    problem = {
        "kind": "criterion",
        "up": {"pieces": [{"to": "1", "closed": True, "value": {"sqrt": "p"}}]},
        "down": None,
    }
    claim = {"kind": "infimum", "lower": "2", "upper": "2", "attained": False, "at": "1-"}
    listed = [{"to": to, "near": False, "method": method, "order": "2"} for to, method in cells]
    point = {"side": "up", "piece": "0", "from": "1023/1024", "to": "1", "method": "high", "order": "2"}
    witness = {
        "rule": "cover",
        "version": "2",
        "digits": "60",
        "exact": None,
        "up": [listed],
        "down": None,
        "point": point,
    }
    return with_((problem, claim, witness))


def _square() -> Document:
    """h = p/2 (1 + p): F = (1+p)(1-p)/(2 - p - p^2) = (1+p)/(2+p), rising from 1/2, approached at 0."""
    value = {"product": ["1/2", "p", {"sum": ["1", "p"]}]}
    problem = {"kind": "criterion", "up": {"pieces": [{"to": "1", "closed": True, "value": value}]}, "down": None}
    claim = {"kind": "infimum", "lower": "1/2", "upper": "1/2", "attained": False, "at": "0+"}
    point = {"side": "up", "piece": "0", "from": "0", "to": "1/1024", "method": "bernstein", "order": "0"}
    witness = {
        "rule": "cover",
        "version": "2",
        "digits": "60",
        "exact": None,
        "up": [[{"to": "1", **BERNSTEIN}]],
        "down": None,
        "point": point,
    }
    return with_((problem, claim, witness))
