"""Vectors made by hand: places where pages are easily misread; and those of rule 12, of criteria with a known B."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from .orbits_by_hand import orbits
from .patterns_by_hand import patterns
from .rays_by_hand import rays
from .regions_by_hand import cones, criteria, programmes, within_bounds

Vector = dict[str, Any]
_HAND = "by hand"
_RANDOMIZATION = "with two categories all private mechanisms are randomizations of one, whose value is the optimum"


def _file(problem: Any, claim: Any, witness: Any) -> Any:
    return {"format": "rropt-certificate/1", "problem": problem, "claim": claim, "witness": witness}


def _made(accepted: bool, reason: str, certificate: Any, truth: str = _HAND) -> Vector:
    verdict = "accepted" if accepted else "rejected"
    return {"verdict": verdict, "reason": reason, "truth": truth, "certificate": certificate}


def by_hand(rule: str) -> Iterator[Vector]:
    """Iterate over the vectors of a rule."""
    yield from {
        "cover": covers,
        "identity": identities,
        "handelman": handelmans,
        "bernstein": bernsteins,
        "farkas": contradictions,
        "parity": parities,
        "likelihood": estimates,
        "linear-programme": levels,
        "pattern": lambda: (_made(*each) for each in patterns()),
        "orbits": lambda: (_made(*each) for each in orbits()),
        "cones": lambda: (_made(*each) for each in cones()),
        "rays": lambda: (_made(*each, truth=_RANDOMIZATION) for each in rays()),
    }.get(rule, lambda: iter(()))()
    yield from (_made(*each) for of, each in programmes() if of == rule)
    if rule in ("pattern", "orbits", "cones", "linear-programme", "farkas"):
        yield from (_made(*each) for each in criteria(rule))
    if rule in ("vertex", "interval", "pattern", "farkas"):
        yield from (_made(*each) for each in within_bounds(rule))


def _quotient(above: Any, below: Any) -> Any:
    return {"quotient": [above, below]}


def _difference(left: Any, right: Any) -> Any:
    return {"sum": [left, {"negative": right}]}


def identities() -> Iterator[Vector]:
    """With relations the pair n/d decides which cofactors fit."""
    sums = {"same": ["z", "z"], "other": ["z", {"product": ["2", "z"]}]}
    for kind, (d, e) in sums.items():
        left = {"sum": [_quotient("x", d), _quotient({"negative": "y"}, e)]}
        if kind == "other":
            left = {"sum": [_quotient("x", d), _quotient({"product": ["-2", "y"]}, e)]}
        problem = {
            "kind": "identity",
            "variables": ["x", "y", "z"],
            "relations": [_difference("x", "y")],
            "left": left,
            "right": "0",
        }
        for cofactor, fits in (("1", kind == "same"), ("z", False), ({"product": ["2", "z"]}, kind == "other")):
            reason = f"fractions of {'the same' if kind == 'same' else 'other'} denominators: the cofactor "
            reason += "fits the pair n/d" if fits else "is not that of the pair n/d"
            witness = {"rule": "identity", "cofactors": [cofactor], "point": ["1", "1", "1"]}
            yield _made(fits, reason, _file(problem, {"kind": "identity"}, witness))
            if fits:
                poles = {**witness, "point": ["1", "1", "0"]}
                yield _made(False, "a divisor is 0 at the point", _file(problem, {"kind": "identity"}, poles))
                apart = {**witness, "point": ["1", "2", "1"]}
                yield _made(False, "the relation fails at the point", _file(problem, {"kind": "identity"}, apart))
                nothing = {**witness, "point": None}
                yield _made(
                    False, "the point is null; it may be left out", _file(problem, {"kind": "identity"}, nothing)
                )
    zero = {
        "kind": "identity",
        "variables": ["x"],
        "relations": [],
        "left": _quotient("1", _difference("x", "x")),
        "right": "1",
    }
    yield _made(
        False,
        "a divisor is the zero polynomial",
        _file(zero, {"kind": "identity"}, {"rule": "identity", "cofactors": []}),
    )
    one = {
        "kind": "identity",
        "variables": ["x"],
        "relations": [],
        "left": {"power": [_difference("x", "x"), "0"]},
        "right": "1",
    }
    yield _made(True, "0^0 is 1", _file(one, {"kind": "identity"}, {"rule": "identity", "cofactors": []}))


def _inequality(polynomial: Any, **parts: Any) -> Any:
    empty = {"parameters": [], "hypotheses": [], "variables": [], "domain": []}
    return {"kind": "inequality", **empty, "polynomial": polynomial, **parts}


def handelmans() -> Iterator[Vector]:
    """A constant term is positive; a point has to be one of the hypotheses."""
    problem = _inequality("x", parameters=["x"], hypotheses=[{"polynomial": _difference("x", "1"), "relation": ">="}])
    terms = [{"coefficient": "1", "powers": []}, {"coefficient": "1", "powers": [["0", "1"]]}]
    for point, accepted, reason in (
        (["1"], True, "x = 1 + (x - 1) > 0: the constant term is positive"),
        (["0"], False, "the hypothesis fails at the point"),
        (None, False, "the point is null; it may be left out"),
        ([], False, "the point has no number for the parameter"),
    ):
        witness = {"rule": "handelman", "terms": terms, "point": point}
        yield _made(accepted, reason, _file(problem, {"kind": "positive"}, witness))
    witness = {"rule": "handelman", "terms": terms[::-1]}
    yield _made(False, "the terms are not in ascending order", _file(problem, {"kind": "positive"}, witness))


def bernsteins() -> Iterator[Vector]:
    """The degree is that of the expanded polynomial; a ray; weights that leave no point."""
    zero = _difference({"power": ["t", "5"]}, {"power": ["t", "5"]})
    problem = _inequality(zero, variables=["t"], domain=[[["1", "0"], ["1", "1"]]])
    leaf = {"rule": "bernstein", "cells": [[{"leaf": None}]]}
    yield _made(True, "the zero polynomial is >= 0", _file(problem, {"kind": "nonnegative"}, leaf))
    yield _made(False, "the zero polynomial is not > 0", _file(problem, {"kind": "positive"}, leaf))
    ray = _inequality({"sum": ["t", "-1"]}, variables=["t"], domain=[[["1", "1"], ["0", "1"]]])
    yield _made(True, "t - 1 >= 0 on [1, infinity)", _file(ray, {"kind": "nonnegative"}, leaf))
    yield _made(False, "t - 1 is 0 at 1: not > 0", _file(ray, {"kind": "positive"}, leaf))
    listed = {"rule": "bernstein", "cells": [[{"leaf": []}]]}
    yield _made(False, "a leaf without parameters is null", _file(ray, {"kind": "nonnegative"}, listed))
    nowhere = {**leaf, "point": ["1"]}
    yield _made(
        False, "the point has a number too many: there is no parameter", _file(ray, {"kind": "nonnegative"}, nowhere)
    )
    weights = _inequality("-1", variables=["t"], domain=[[["0", "1"], ["0", "1"]]])
    claimed = _file(weights, {"kind": "nonnegative"}, {**leaf, "point": []})
    yield _made(False, "-1 is negative: the coefficient is", claimed)
    empty = _inequality("1", variables=["t"], domain=[[["0", "1"], ["0", "1"]]])
    claimed = _file(empty, {"kind": "nonnegative"}, {**leaf, "point": []})
    yield _made(False, "the domain has no point, though one is given: all weights are 0", claimed)


def _region(delta: str = "0", epsilon: Any = None) -> Any:
    sizes = {"inputs": "2", "outputs": "2"}
    return {
        "kind": "differential-privacy",
        **sizes,
        "epsilon": epsilon or {"log": "2"},
        "delta": delta,
        "family": "all",
    }


def contradictions() -> Iterator[Vector]:
    """The objective distance has rows of its own, which have no part in a contradiction."""
    bounded = {
        "kind": "bounded",
        "region": _region(),
        "least": [["1", "0"], ["1", "0"]],
        "most": [["1", "1"], ["1", "1"]],
    }
    brackets = {"gamma": {"below": "2", "above": "2"}, "delta": {"below": "0", "above": "0"}}
    half = [["1/2", "1/2"], ["1/2", "1/2"]]
    for objective, accepted, reason in (
        ({"kind": "trace", "weights": ["1", "1"]}, True, "two entries of a column are 1 at least"),
        ({"kind": "loss", "matrix": half}, True, "two entries of a column are 1 at least; the loss does not matter"),
        ({"kind": "distance", "norm": "total", "matrix": half}, False, "the objective distance has no part here"),
        ({"kind": "trace", "weights": ["1"]}, False, "the weights do not matter, but are not as many as inputs"),
    ):
        problem = {"region": bounded, "objective": objective, "population": ["1/2", "1/2"]}
        witness = {"rule": "farkas", **brackets, "multipliers": [["0", "-1"], ["10", "1"], ["12", "1"]]}
        yield _made(accepted, reason, _file(problem, {"kind": "infeasible"}, witness))
        if accepted:
            for wrong, words in (
                ([["10", "1"], ["0", "-1"], ["12", "1"]], "rows do not ascend"),
                ([["0", "-1"], ["1", "0"], ["10", "1"], ["12", "1"]], "a multiplier is 0"),
                ([["0", "-1"], ["10", "1"], ["12", "1"], ["99", "1"]], "there is no such row"),
            ):
                yield _made(False, words, _file(problem, {"kind": "infeasible"}, {**witness, "multipliers": wrong}))


def parities() -> Iterator[Vector]:
    """One input has no pairs; a zero row has parity 1; a zero beside a positive entry is infinite."""
    one = {"kind": "mechanism", "mechanism": {"matrix": [["1/2"], ["1/2"]]}, "level": {"log": "2"}}
    bracket = {"rule": "parity", "gamma": {"below": "2", "above": "2"}}
    for end, accepted in (("0", True), ("1/2", False)):
        claim = {"kind": "profile", "lower": end, "upper": end}
        yield _made(accepted, f"with one input delta is 0, claimed is {end}", _file(one, claim, bracket))
    for rows, parity, accepted, reason in (
        ([["1/2", "1/2"], ["1/2", "1/2"], ["0", "0"]], "1", True, "a row of zeros has parity 1"),
        ([["1", "1/2"], ["0", "1/2"]], "infinite", True, "a zero beside 1/2 is infinite parity"),
        ([["1", "1/2"], ["0", "1/2"]], "2", False, "the parity is infinite"),
        ([["1/2"], ["1/2"]], "1", True, "with one input the parity is 1"),
        ([["1/2", "1/2"], ["1/2", "1/2"]], "infinite", False, "the parity is 1"),
        ([["1", "1"], ["0", "0"]], "1", True, "every row is constant"),
        ([["3/2", "1"], ["-1/2", "0"]], "infinite", False, "an entry is negative"),
        ([], "1", False, "a matrix has at least one row"),
        ([[], []], "1", False, "a matrix has at least one column"),
    ):
        problem = {"kind": "mechanism", "mechanism": {"matrix": rows}, "level": None}
        yield _made(accepted, reason, _file(problem, {"kind": "parity", "parity": parity}, {"rule": "parity"}))


def estimates() -> Iterator[Vector]:
    """Counts with one answer that was never given; bits from 0; the first factor varies fastest."""
    rows = [["3/4", "1/4"], ["1/4", "3/4"]]
    problem = {"kind": "likelihood", "groups": [{"mechanism": {"matrix": rows}, "counts": ["60", "40"]}]}
    for share, gap, bits, accepted, reason in (
        ("7/10", "0", None, True, "the unbiased estimate is most likely"),
        ("7/10", "0", "0", True, "the quotients are whole numbers: 100 and 100"),
        ("2/5", "2/11", None, True, "with 400/3 and 800/11 the first input gains 100 + 200/11 of 100"),
        ("2/5", "2/11", "0", False, "rounded up to 134 and 73 the first input gains 118.75 of 100"),
        ("2/5", "3/16", "0", True, "rounded up to 134 and 73 the first input gains 118.75 of 100"),
        ("2/5", "2/12", None, False, "the gap is not in lowest terms"),
        ("7/10", "-1/100", None, False, "no gap is negative"),
        ("7/10", "0", "-1", False, "bits are not negative"),
    ):
        claim = {"kind": "estimate", "point": [share, str(1 - Fraction(share))], "gap": gap}
        yield _made(accepted, reason, _file(problem, claim, {"rule": "likelihood", "bits": bits}))
    one = {"kind": "estimate", "point": ["1"], "gap": "0"}
    for product, accepted, reason in (
        ([], False, "a product has no factors"),
        ([[["1"]]], True, "a product of one factor, of one input and one output"),
    ):
        nothing = {"kind": "likelihood", "groups": [{"mechanism": {"product": product}, "counts": ["5"]}]}
        yield _made(accepted, reason, _file(nothing, one, {"rule": "likelihood", "bits": None}))


def levels() -> Iterator[Vector]:
    """Levels and their brackets: a trace of 2 gamma/(gamma + 1) at the level, by its theorem."""
    for epsilon, below, above, accepted, reason in (
        (
            {"log": "4", "times": "1/2"},
            "2",
            "2",
            True,
            "the root of 4 is 2: that 4 is a perfect square no checker need see",
        ),
        ({"log": "3", "times": "1/2"}, "5/3", "7/4", True, "the root of 3 is between 5/3 and 7/4"),
        ({"log": "3", "times": "1/2"}, "7/4", "7/4", False, "the root of 3 is not 7/4"),
        ({"log": "3", "times": "1/2"}, "7/4", "2", False, "the root of 3 is below 7/4"),
        ({"log": "3", "times": "1/2"}, "3/2", "5/3", False, "the root of 3 is above 5/3"),
        ({"log": "3", "times": "-1/2"}, "1", "7/4", False, "times is not positive"),
        ({"log": "3", "times": "2"}, "9", "9", False, "a whole times is carried out: log 9"),
        ({"log": "3", "times": "1"}, "3", "3", False, "times is left out when it is 1"),
        ({"log": "1/2"}, "1/2", "1/2", False, "the argument of log is above 1"),
        ({"log": "2"}, "3/2", "2", False, "a rational gamma has a bracket of one number"),
        ({"rational": "1/2"}, "8/5", "5/3", True, "exp(1/2) = 1.6487... is between 8/5 and 5/3"),
        ({"rational": "1/2"}, "5/3", "17/10", False, "exp(1/2) is below 5/3"),
        ({"rational": "-1/2"}, "1", "2", False, "epsilon is not negative"),
    ):
        g, h = Fraction(below), Fraction(above)
        p, upper = g / (g + 1), 2 * h / (h + 1)
        y, z = h / (h + 1), 1 / (h + 1)
        problem = {"region": _region(epsilon=epsilon), "objective": {"kind": "trace", "weights": ["1", "1"]}}
        problem["population"] = ["1/2", "1/2"]
        matrix = [[str(p), str(1 - p)], [str(1 - p), str(p)]]
        claim = {"kind": "design-bracket", "lower": str(2 * p), "upper": str(upper), "mechanism": {"matrix": matrix}}
        dual = [["0", str(y)], ["1", str(y)], ["3", str(-y)], ["4", str(-y)], ["6", str(-z)], ["9", str(-z)]]
        brackets = {"gamma": {"below": below, "above": above}, "delta": {"below": "0", "above": "0"}}
        witness = {"rule": "linear-programme", **brackets, "dual": dual}
        yield _made(accepted, reason, _file(problem, claim, witness))


def _is_seen(document: Any, accepted: bool) -> bool:
    """Return whether many digits say of the claim itself what the verdict says of the file."""
    from adversary.covers import is_true

    try:
        return bool(is_true(document)) is accepted
    except (ArithmeticError, LookupError, TypeError, ValueError):  # no form of the page, or not defined everywhere
        return False


def covers() -> Iterator[Vector]:
    """Criteria whose B is computed with many digits, claims beside it, and files that break one condition each."""
    from adversary.covers import is_true
    from test_cover_mutants import CRITERIA, certified
    from test_weakened_covers import CASES

    from .covers_by_hand import made

    digits = "B and where it is attained, with 120 digits, by golden section and limits"
    for accepted, reason, text in made():
        document = json.loads(text)
        yield _made(accepted, reason, document, f"{_HAND}; {digits}" if _is_seen(document, accepted) else _HAND)
    for name in CRITERIA:
        document = certified(name)
        if len(json.dumps(document)) > 12_000:
            continue
        yield _made(True, f"{name}: the cells and the point prove the claim", document, digits)
        claim = document["claim"]
        if claim["lower"] == "infinite":
            continue
        low, high = Fraction(claim["lower"]), Fraction(claim["upper"])
        step = Fraction(1, 10**6)
        lies = {
            "lower and upper are above B by a millionth": {"lower": str(high + step), "upper": str(high + step)},
            "lower and upper are below B by a millionth": {"lower": str(low - 2 * step), "upper": str(low - step)},
        }
        if claim["attained"] is not None:
            lies["attained is the reverse of the truth"] = {"attained": not claim["attained"]}
        for reason, lie in lies.items():
            made = {**document, "claim": {**claim, **lie}}
            assert not is_true(made)
            if len(json.dumps(made)) < 3_000:
                yield _made(False, f"{name}: {reason}", made, digits)
    for case in CASES:
        if len(case.text) < 2_500:
            yield _made(False, f"the condition of the page fails: {case.weakening.drops}", json.loads(case.text))
