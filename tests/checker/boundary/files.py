"""Part A of FORMAT.md: numbers, names, lists and expressions, at the limits that its tables state."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from .book import COUNT, EQUATION, INEQUALITY, SPECIAL, Suite, with_
from .polynomials import identity

PAGE = "FORMAT.md"


def add_to(s: Suite) -> None:
    """Add the files of part A."""

    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(PAGE, sentence, needs)

    form = condition(
        "The form is canonical: lowest terms, no leading zero, denominator greater than 1, no `-0`, no `+`, no blank, no underscore, no exponent.",
        SPECIAL,
    )
    base = identity("x", "x", ["x"], point=["1/2"])
    for number in ("0", "1", "-1", "1/2", "-1/2", "2/3", "1000000"):
        s.add(form, "special value", with_(base, ("2.point.0", number)), True)
    for number in (
        "-0",
        "+1",
        "01",
        "2/4",
        "1/1",
        "0/1",
        "0/2",
        "1/0",
        "1/-2",
        "--1",
        "",
        " 1",
        "1 ",
        "1_0",
        "1e3",
        "0.5",
        "1/",
        "/2",
        "1/02",
        "1/2/3",
        "NaN",
        "Infinity",
        "-",
        "٣",
        "0x1",
        "1\n",
    ):
        s.add(form, "special value", with_(base, ("2.point.0", number)), False, "form")
    digits = condition("| `MAX_DIGITS` | 20 000 | one run of digits;", ("limit", "beyond"))
    for n, boundary in ((20_000, "limit"), (20_001, "beyond")):
        long = with_(base, ("2.point.0", "1" + "0" * (n - 1)))
        s.add(digits, boundary, long, boundary == "limit", "" if boundary == "limit" else "limit")
    names = condition(
        "name = a lower-case ASCII letter, then at most 31 lower-case letters, digits or underscores; declared by the problem",
        (*COUNT, "special value"),
    )
    for name, boundary in (("", "zero"), ("x", "one"), ("x" + "y" * 31, "limit"), ("x" + "y" * 32, "beyond")):
        fine = boundary in ("one", "limit")
        s.add(names, boundary, identity(name, name, [name], point=["1"]), fine, "" if fine else "form")
    for name in ("X", "1x", "_x", "x-y", "é", "x y", "xX"):
        s.add(names, "special value", identity(name, name, [name], point=["1"]), False, "form")
    s.add(names, "special value", identity("x", "y", ["x"]), False, "form")
    s.add(names, "special value", identity("x", "x", ["x", "x"]), False, "form")
    many = condition("| `MAX_NAMES` | 40 | a list of names:", ("zero", "one", "limit", "beyond"))
    for n, boundary in ((0, "zero"), (1, "one"), (40, "limit"), (41, "beyond")):
        listed = [f"x{i}" for i in range(n)]
        s.add(
            many,
            boundary,
            identity("1", "1", listed),
            boundary != "beyond",
            "" if boundary != "beyond" else "limit",
            known=True,
        )
    powers = condition(
        '`"n"` is an integer from 0 to `MAX_DEGREE`; a sum, product, minimum or maximum has at least two parts; x^0 is 1.',
        COUNT,
    )
    for n, boundary in ((0, "zero"), (1, "one"), (1024, "limit"), (1025, "beyond")):
        tree = {"power": ["x", str(n)]}
        s.add(
            powers, boundary, identity(tree, tree, ["x"]), boundary != "beyond", "" if boundary != "beyond" else "limit"
        )
    for n in ("-1", "1/2"):
        tree = {"power": ["x", n]}
        s.add(powers, "zero", identity(tree, tree, ["x"]), False, "form")
    for kind in ("sum", "product"):
        for parts, boundary in (([], "zero"), (["x"], "one"), (["x", "x"], "limit")):
            tree = {kind: parts}
            fine = boundary == "limit"
            s.add(powers, boundary, identity(tree, tree, ["x"]), fine, "" if fine else "form")
    depth = condition(
        "| `MAX_DEPTH` | 32 | nesting of objects and lists, the file itself being the first |", ("limit", "beyond")
    )
    # the file, the problem, and two for each quotient of lists below
    for levels, boundary in ((30, "limit"), (31, "beyond")):
        tree: Any = "x"
        for _ in range(levels):
            tree = {"negative": tree}
        right = "x" if levels % 2 == 0 else {"negative": "x"}
        s.add(
            depth,
            boundary,
            identity(tree, right, ["x"]),
            boundary == "limit",
            "" if boundary == "limit" else "limit",
            known=True,
        )
    lists = condition("| `MAX_LIST` | 64 | entries of a list that has no other limit:", ("limit", "beyond"))
    for n, boundary in ((64, "limit"), (65, "beyond")):
        s.add(
            lists,
            boundary,
            identity("x", "x", ["x"], ["0"] * n, ["0"] * n),
            boundary == "limit",
            "" if boundary == "limit" else "limit",
            known=True,
        )
    keys = condition("In every object of the file, an unknown, missing or duplicate key is an error.", SPECIAL)
    for part in (0, 1, 2):
        more = with_(base)
        more[part]["note"] = "1"
        s.add(keys, "special value", more, False, "form")
    less = with_(base)
    del less[0]["relations"]
    s.add(keys, "special value", less, False, "form")
    null = condition("`true`, `false` and `null` are rejected except where this page names them.", SPECIAL)
    for value in (None, True, False):
        s.add(null, "special value", with_(base, ("2.point.0", value)), False, "form")
        s.add(null, "special value", with_(base, ("0.left", value)), False, "form")
    pairs = condition("m, the numerator of what a `quotient` divides by, is called a *divisor*.", EQUATION)
    half = {"quotient": ["x", "2"]}
    s.add(pairs, "equality", identity(half, {"product": ["1/2", "x"]}, ["x"]), True)
    for sign, side in ((-1, "below"), (1, "above")):
        off = {"product": [str(F(1, 2) + sign * F(1, 10**6)), "x"]}
        s.add(pairs, side, identity(half, off, ["x"]), False)
    _parameters(s)
    invariants(s)


def _parameters(s: Suite) -> None:
    """Long parameters, and levels."""
    from .designs import bracket
    from .patterns import EQUAL2, of

    long = s.condition(
        PAGE,
        "| `MAX_PARAMETER_DIGITS` | 400 | one run of digits in a level, in `delta`, `population`",
        ("limit", "beyond"),
    )
    for n, boundary in ((399, "limit"), (400, "limit"), (401, "beyond")):
        g = 3 + F(1, 10 ** (n - 1))  # numerator and denominator have n digits
        made = of("total-variation", g, EQUAL2)
        s.add(long, boundary, made, boundary == "limit", "" if boundary == "limit" else "limit")
    small = s.condition(
        PAGE, '* `epsilon` (a *level*) is `{"rational": r}`, r >= 0; or `{"log": q}`, q > 1;', INEQUALITY
    )
    base = of("total-variation", F(3), EQUAL2)
    s.add(small, "within", of("total-variation", 1 + F(1, 10**6), EQUAL2), True)
    for level, boundary in (
        ({"log": "1"}, "equality"),
        ({"log": "999999/1000000"}, "beyond"),
        ({"log": "0"}, "beyond"),
        ({"log": "-3"}, "beyond"),
        ({"rational": "-1/1000000"}, "beyond"),
    ):
        s.add(small, boundary, with_(base, ("0.region.epsilon", level)), False, "form")
    times = s.condition(
        PAGE, "`times` is left out when it is 1. When it is there, b > 1 and q is not a perfect power", INEQUALITY
    )
    nine = with_(base, ("0.region.epsilon", {"log": "9", "times": "1/2"}))
    s.add(times, "within", nine, True)
    for value, boundary in (("1", "equality"), ("2", "beyond"), ("0", "beyond"), ("-1/2", "beyond")):
        s.add(times, boundary, with_(base, ("0.region.epsilon", {"log": "3", "times": value})), False, "form")
    delta = s.condition(PAGE, '* `delta` is a number in [0, 1], or `{"exp": r}`, r < 0 (exp(0) is `"1"`).', INEQUALITY)
    s.add(delta, "equality", base, True)
    for value in ("-1/1000000", "1000001/1000000", {"exp": "0"}, {"exp": "1/1000000"}):
        ends = bracket(F(value)) if isinstance(value, str) else bracket(F(1))
        s.add(delta, "beyond", with_(base, ("0.region.delta", value), ("2.delta", ends)), False, "form")
    s.add(delta, "within", _some_delta(), True)
    sizes = s.condition(
        PAGE, '* `inputs` = k >= 2. `outputs` = m >= 2, or `"any"`: any number of outputs, one too.', COUNT
    )
    alone = with_(
        base,
        ("0.region.inputs", "1"),
        ("0.population", ["1"]),
        ("0.objective.against", ["1"]),
        ("1.mechanism.matrix", [["1"]]),
        ("2.dual.alpha", ["0"]),
        ("1.lower", "0"),
        ("1.upper", "0"),
    )
    s.add(sizes, "one", alone, False, "form")
    s.add(
        sizes,
        "zero",
        with_(alone, ("0.region.inputs", "0"), ("0.population", []), ("0.objective.against", []), ("2.dual.alpha", [])),
        False,
        "form",
    )
    for outputs, boundary in (("1", "one"), ("0", "zero"), ("-2", "zero"), ("5/2", "beyond"), ("many", "beyond")):
        s.add(sizes, boundary, with_(base, ("0.region.outputs", outputs)), False, "form")
    s.add(sizes, "limit", with_(base, ("0.region.outputs", "2")), True)
    one_row = with_(base, ("1.mechanism.matrix", [["1", "1"]]), ("1.lower", "0"))
    s.add(sizes, "one", one_row, True)  # "any" is one, too
    shares = s.condition(PAGE, "nonnegative, sum exactly 1.", INEQUALITY)
    s.add(shares, "equality", of("total-variation", F(3), [F(1), F(0)]), True)
    s.add(shares, "within", base, True)
    for pi in (
        ["-1/1000000", "1000001/1000000"],
        ["1/2", "500001/1000000"],
        ["1/2", "499999/1000000"],
        ["0", "0"],
        ["1"],
        ["1/2", "1/2", "0"],
    ):
        s.add(shares, "beyond", with_(base, ("0.population", pi)), False, "form")
    contrast = s.condition(PAGE, "| `c-optimal` | `contrast` (k, not 0) | min |", SPECIAL)
    s.add(
        contrast, "special value", of("c-optimal", F(3), EQUAL2, contrast=[F(1), F(1)]), True
    )  # 1.pi = 1 is known: variance 0
    s.add(
        contrast,
        "special value",
        with_(of("c-optimal", F(3), EQUAL2), ("0.objective.contrast", ["0", "0"])),
        False,
        "form",
    )


def _some_delta() -> Any:
    from .linear import trace

    d = F(1, 4)
    m, t = F(3, 4), F(1, 3)
    dual = [[0, 2 * t], [1, 2 * t], [2, -t], [5, -t], [6, t], [7, t]]
    return with_(
        trace(F(2)), ("0.region.delta", d), ("2.delta", {"below": d, "above": d}), ("1.mechanism.matrix", [[m, 1 - m], [1 - m, m]]),
        ("1.lower", 2 * m), ("1.upper", 2 * m), ("2.dual", dual),
    )  # fmt: skip


def invariants(s: Suite) -> None:
    """Part E: every verdict meets them, whatever its rule says."""
    from .designs import exact
    from .estimates import bit, likelihood
    from .patterns import EQUAL2, of

    order = s.condition(PAGE, "1. `lower <= upper`.", INEQUALITY)
    reach = s.condition(PAGE, "2. `upper` is at least *least*, and `lower` is at most *greatest*.", INEQUALITY)
    unit = F(1, 10**6)
    for kind in (
        "a-optimal",
        "variance",
        "c-optimal",
        "e-optimal",
        "d-optimal",
        "mutual-information",
        "total-variation",
        "chi-square",
    ):
        base = of(kind, F(3), EQUAL2)
        lower, upper = F(base[1]["lower"]), F(base[1]["upper"])
        s.add(order, "within" if lower < upper else "equality", base, True)
        s.add(order, "beyond", with_(base, ("1.lower", upper + unit), ("1.upper", lower - unit)), False)
        s.add(reach, "within", base, True)
        minimised = kind in ("a-optimal", "variance", "c-optimal", "e-optimal")
        for bound in (F(-1), -unit, F(-5)) if minimised else (F(2), F(1), F(7, 10), F(3)):
            s.add(reach, "beyond", with_(base, ("1.upper" if minimised else "1.lower", bound)), False)
    s.add(reach, "equality", exact(F(3), F(1), F(1, 4)), True)  # truthful answers: the variance of the sample alone
    gap = s.condition(
        PAGE, '3. The `gap` of an `estimate` is at least 0. A `parity` is at least 1, or `"infinite"`.', INEQUALITY
    )
    base = likelihood([(bit(F(3, 4)), [60, 40])], [F(7, 10), F(3, 10)], 0)
    for value, boundary in ((F(0), "equality"), (unit, "within"), (-unit, "beyond"), (F(-1), "beyond")):
        s.add(gap, boundary, with_(base, ("1.gap", value)), boundary != "beyond")
