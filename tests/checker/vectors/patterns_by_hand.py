"""Vectors of rule 5 made by hand: gamma = 1, no contrast, one answer, a share of 0, bounds that nearly hold, forms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

HALF = ["1/2", "1/2"]
ONE, TWO = [["1", "1"]], [["3/4", "1/4"], ["1/4", "3/4"]]
APART = {"kind": "total-variation", "against": ["1", "0"]}
INFORMATION = {"kind": "mutual-information"}
DIGITS = {"logarithms": {"digits": "40"}}
LITTLE = f"-1/{10**42}"


def _file(gamma: str, objective: Any, rows: Any, shares: Any, ends: tuple[str, str], **parts: Any) -> Any:
    delta = parts.pop("delta", "0")
    region = {"kind": "differential-privacy", "inputs": "2", "outputs": "any", "delta": delta, "family": "all"}
    region["epsilon"] = {"rational": "0"} if gamma == "1" else {"log": gamma}
    brackets = {name: {"below": end, "above": end} for name, end in (("gamma", gamma), ("delta", delta))}
    patterns = None if objective["kind"] == "total-variation" else {"kind": "enumeration"}
    witness = {"rule": "pattern", **brackets, "patterns": patterns, "primal": {}, "logarithms": [], **parts}
    return {
        "format": "rropt-certificate/1",
        "problem": {"region": region, "objective": objective, "population": shares},
        "claim": {"kind": "design-bracket", "lower": ends[0], "upper": ends[1], "mechanism": {"matrix": rows}},
        "witness": witness,
    }


def _contrast(c: str, bound: str, z: tuple[str, str]) -> Any:
    """Return the file of the contrast (c, 0) with the dual y = 0."""
    dual = {"dual": {"alpha": HALF, "vector": ["0", "0"]}, "primal": {"solution": list(z)}}
    return _file("3", {"kind": "c-optimal", "contrast": [c, "0"]}, TWO, HALF, (bound, "0" if c == "0" else "1"), **dual)


def _rare(alpha: list[str], bound: str, excess: tuple[str, str] = ("0", "0"), rows: Any = None) -> Any:
    """Return the file of two shares, the first 0, with W of a single 1; what is reported of it costs nothing."""
    dual = {"alpha": alpha, "matrix": [["0", "0"], ["0", "1"]], "excess": list(excess)}
    primal = {"inverse": [["3/4", "-3/4"], ["-3/4", "7/4"]]}
    objective, ends = {"kind": "a-optimal"}, (bound, "3/2")
    return _file("2", objective, rows or TWO, ["0", "1"], ends, delta="1/4", dual=dual, primal=primal)


def _volume(ends: tuple[str, str], **parts: Any) -> Any:
    """Return the file of D-optimality at gamma = 3 and two equal shares, where det M = 1."""
    rows = parts.pop("rows", TWO)
    dual = {"alpha": ["1", "1"], "matrix": [["5/4", "-3/4"], ["-3/4", "5/4"]]}
    rest = {"dual": dual, "primal": {"rounded": "30"}, "logarithms": {"digits": "30"}}
    return _file("3", {"kind": "d-optimal"}, rows, HALF, ends, **(rest | parts))


def _axis(ends: tuple[str, str], **parts: Any) -> Any:
    """Return a file of E-optimality, by default at gamma = 3 and two equal shares, where the optimum is 2."""
    gamma, rows, shares = parts.pop("gamma", "3"), parts.pop("rows", TWO), parts.pop("shares", HALF)
    dual = {"alpha": ["1/4", "1/4"], "matrix": [["1/2", "-1/2"], ["-1/2", "1/2"]]}
    rest = {"dual": dual, "primal": {"rounded": None}}
    made = _file(gamma, {"kind": "e-optimal"}, rows, shares, ends, **(rest | parts))
    made["problem"]["region"]["inputs"] = str(len(shares))
    return made


def _ellipsoids() -> Iterator[tuple[bool, str, Any]]:
    """Iterate over D- and E-optimality: verdict, reason, certificate."""
    near = f"1/{10**28}"
    nothing = [["0", "0"], ["0", "0"]]
    yield True, "det M = 1, enclosed with 30 digits", _volume((f"-{near}", near))
    yield False, "lower is 10^-28 above ln 1", _volume((near, near))
    yield False, "upper is 10^-28 below ln 1", _volume((f"-{near}", f"-{near}"))
    yield False, "a single answer has the information 0", _volume(("-9", near), rows=ONE)
    yield (
        False,
        "the dual's matrix is singular",
        _volume((f"-{near}", "9"), dual={"alpha": ["1", "1"], "matrix": nothing}),
    )
    minus = [["-5/4", "3/4"], ["3/4", "-5/4"]]  # its determinant is that of the right one
    yield (
        False,
        "the dual's matrix is negative",
        _volume((f"-{near}", near), dual={"alpha": ["1", "1"], "matrix": minus}),
    )
    yield False, "alpha sums to 0", _volume((f"-{near}", near), dual={"alpha": ["1", "-1"], "matrix": minus})
    yield False, "no digits of the logarithm", _volume((f"-{near}", near), logarithms=[])
    yield False, "rounded to no digits", _volume((f"-{near}", near), primal={"rounded": "0"})
    yield (
        False,
        "an inverse where none is asked",
        _volume((f"-{near}", near), primal={"rounded": "30", "inverse": minus}),
    )
    yield False, "patterns of another method", _volume((f"-{near}", near), patterns={"kind": "groups"})
    yield True, "2 (M - 1 1^T) - I has the eigenvalue 0 on contrasts", _axis(("2", "2"))
    yield True, "the same, rounded", _axis(("2", f"{2 * 10**28 + 1}/{10**28}"), primal={"rounded": "40"})
    yield True, "a weaker bound", _axis(("1", "2"))
    yield False, "upper is below the eigenvalue 2", _axis(("1", "199/100"))
    yield False, "lower is above the optimum", _axis(("201/100", "3"))
    yield False, "upper is 0", _axis(("-1", "0"))
    yield False, "upper is negative: less than nothing is below every information", _axis(("-2", "-1"))
    yield False, "a single answer has no variance", _axis(("2", "99"), rows=ONE)
    yield from _singular()
    yield (
        False,
        "a matrix of rows that do not sum to 0",
        _axis(("2", "2"), dual={"alpha": ["9", "9"], "matrix": [["40", "0"], ["0", "40"]]}),
    )
    turned = [["-1/2", "1/2"], ["1/2", "-1/2"]]
    yield (
        False,
        "a matrix with a negative eigenvalue",
        _axis(("-3", "2"), dual={"alpha": ["1/4", "1/4"], "matrix": turned}),
    )
    yield True, "a matrix of zeros proves the bound 0", _axis(("0", "2"), dual={"alpha": ["1", "1"], "matrix": nothing})
    yield False, "alpha is 0", _axis(("3", "2"), dual={"alpha": ["0", "0"], "matrix": nothing})
    truth = [["100/101", "1/101"], ["1/101", "100/101"]]
    share = {"alpha": ["111/100", "1/100"], "matrix": [["1", "0"], ["0", "0"]]}
    yield (
        False,
        "a matrix of rows that do not sum to 0: the share 9/10 itself has a larger second moment",
        _axis(("1/2", "1"), gamma="100", rows=truth, shares=["9/10", "1/10"], dual=share),
    )
    three = [["3/5" if i == j else "1/5" for j in range(3)] for i in range(3)]
    bent = {"alpha": ["1/2", "1/2", "3/2"], "matrix": [["0", "1", "-1"], ["1", "0", "-1"], ["-1", "-1", "2"]]}
    yield (
        False,
        "a matrix with a 0 on its diagonal beside numbers that are not 0",
        _axis(("1/2", "25/12"), rows=three, shares=["1/3"] * 3, dual=bent),
    )
    yield (
        False,
        "a pattern fails by 10^-28",
        _axis(
            ("2", "2"),
            dual={"alpha": ["1/4", f"{10**28 // 4 - 1}/{10**28}"], "matrix": [["1/2", "-1/2"], ["-1/2", "1/2"]]},
        ),
    )
    yield False, "logarithms where none is needed", _axis(("2", "2"), logarithms={"digits": "9"})
    yield False, "no word about rounding", _axis(("2", "2"), primal={})


def _singular() -> Iterator[tuple[bool, str, Any]]:
    """Iterate over mechanisms of E-optimality that are singular, where M rounded down is negative on a contrast."""
    equal = [["1/3", "1/3"], ["2/3", "2/3"]]
    three = [["2/5", "2/5", "1/5"], ["2/5", "2/5", "1/5"], ["1/5", "1/5", "3/5"]]
    third = {"alpha": ["1"] * 3, "matrix": [["0"] * 3] * 3}
    mechanisms = {
        "a single output": {"rows": ONE},
        "constant rows": {"rows": equal},
        "an output of probability 0": {"rows": [["1", "1"], ["0", "0"]]},
        "two equal columns": {"rows": three, "shares": ["1/3"] * 3, "dual": third},
    }
    for name, parts in mechanisms.items():
        for digits in (1, 30, 300):
            low, rounded = -(10**digits), {"primal": {"rounded": str(digits)}, **parts}
            reason = f"upper is negative, M singular and rounded down, {digits} digits: {name}"
            yield False, reason, _axis((str(low - 1), str(low)), **rounded)
            yield (
                False,
                f"the same, and the bounds are crossed: {name}, {digits} digits",
                _axis(("0", str(low)), **rounded),
            )
        yield False, f"the value is infinite: {name}", _axis(("0", str(10**31)), **parts)
    minus = _axis(("-3", "-2"), primal={"rounded": "9"})
    yield False, "upper is the negative of the value, M regular", minus


def patterns() -> Iterator[tuple[bool, str, Any]]:
    """Iterate over verdict, reason, certificate."""
    dual = {"dual": {"alpha": HALF}}
    yield False, "gamma is 1", _file("1", APART, ONE, HALF, ("0", "1"), **dual)
    yield True, "a single answer is at distance 0", _file("3", APART, ONE, HALF, ("0", "1"), **dual)
    yield True, "nothing is to be told", _file("3", INFORMATION, ONE, ["1", "0"], ("0", "1"), **dual, **DIGITS)
    below = {"dual": {"alpha": [LITTLE, "0"]}, **DIGITS}
    claimed = _file("3", INFORMATION, ONE, ["1", "0"], ("0", LITTLE), **below)
    yield False, "the inequality fails by 10^-42 with 40 digits", claimed
    above = _file("3", INFORMATION, ONE, ["1", "0"], (LITTLE[1:], "1"), **dual, **DIGITS)
    yield False, "lower is 10^-42 above the value 0", above
    yield True, "c = (1, 0): 5/4 - 1/4", _contrast("1", "-1/4", ("5/4", "-3/4"))
    yield False, "the contrast is 0", _contrast("0", "0", ("0", "0"))
    yield True, "alpha of the input of share 0 is negative: the bound is below 0", _rare(["-1", "3"], "-1/2")
    yield False, "alpha of the input of share 0 is negative: a pattern fails", _rare(["-1", "2"], "0")
    yield False, "the price of an excess is negative", _rare(["-1", "3"], "-39/79", ("0", "-1/10"))
    never = [["1/4", "0"], ["3/4", "1"]]
    yield False, "an output that the first input alone gives has probability 0", _rare(["-1", "3"], "-1/2", rows=never)
    third = ["1/3", "1/3"]
    loose = {"dual": {"alpha": ["1/12", "1/12"]}}
    apart = _file("3", {**APART, "against": third}, ONE, HALF, ("1/6", "1/6"), **loose)
    yield False, "the distance is to what is no population: it sums to 2/3", apart
    apart = _file("3", {**APART, "against": ["-1/2", "3/2"]}, ONE, HALF, ("0", "2"), dual={"alpha": ["1", "1"]})
    yield False, "the distance is to what is no population: a share is negative", apart
    twice = _file("3", {"kind": "chi-square", "against": ["1", "1"]}, ONE, HALF, ("1/2", "1/2"), dual={"alpha": third})
    twice["claim"]["upper"] = "2/3"
    yield False, "the distance is to what is no population: it sums to 2", twice
    sharp = {"alpha": ["1/4", "1/4"], "matrix": [["5/4", "-3/4"], ["-3/4", "5/4"]], "excess": ["4", "4"]}
    whole = [["1/4", "0"], ["0", "1/4"], ["3/4", "3/4"]]
    for excess, lower, accepted, reason in (
        (["4", "4"], "2", True, "gamma is 1: with chance delta an answer tells all, else nothing"),
        (["4", "3"], "19/9", False, "gamma is 1, and the inequality fails at the ray (0, 1)"),
    ):
        made = {"delta": "1/4", "dual": {**sharp, "excess": excess}, "primal": {"inverse": sharp["matrix"]}}
        yield accepted, reason, _file("1", {"kind": "a-optimal"}, whole, HALF, (lower, "2"), **made)
    yield from _ellipsoids()
