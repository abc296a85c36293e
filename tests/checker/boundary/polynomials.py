"""Rules 9 and 10: identities and inequalities of polynomials."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from .book import COUNT, EQUATION, INEQUALITY, SPECIAL, UNIT, Suite, with_

IDENTITY, POSITIVE = "polynomials.md", "positivity_rules.md"
Document = tuple[Any, Any, Any]


def identity(
    left: Any, right: Any, variables: list[str], relations: Any = (), cofactors: Any = (), point: Any = None
) -> Document:
    """Return the certificate of an identity."""
    problem = {"kind": "identity", "variables": variables, "relations": list(relations), "left": left, "right": right}
    witness = {"rule": "identity", "cofactors": list(cofactors)} | ({"point": point} if point is not None else {})
    return with_((problem, {"kind": "identity"}, witness))


def square(a: Any, b: Any) -> Any:
    """Return (a t - b)^2 + rest, written out: a number for each degree."""
    return {
        "sum": [
            {"product": [str(F(a) ** 2), {"power": ["t", "2"]}]},
            {"product": [str(-2 * F(a) * F(b)), "t"]},
            str(F(b) ** 2),
        ]
    }


def inequality(polynomial: Any, low: Any, high: Any, cells: Any, kind: str = "nonnegative") -> Document:
    """Return the certificate of a polynomial in t on an interval."""
    problem = {
        "kind": "inequality", "parameters": [], "hypotheses": [], "variables": ["t"], "domain": [[["1", low], ["1", high]]],
        "polynomial": polynomial,
    }  # fmt: skip
    return with_((problem, {"kind": kind}, {"rule": "bernstein", "cells": cells}))


def handelman(polynomial: Any, hypotheses: Any, terms: Any, kind: str = "nonnegative", names: Any = ("x",)) -> Document:
    """Return the certificate of a polynomial of parameters."""
    listed = [{"polynomial": h, "relation": relation} for h, relation in hypotheses]
    problem = {
        "kind": "inequality", "parameters": list(names), "hypotheses": listed, "variables": [], "domain": [], "polynomial": polynomial
    }  # fmt: skip
    made = [{"coefficient": c, "powers": powers} for c, powers in terms]
    return with_((problem, {"kind": kind}, {"rule": "handelman", "terms": made}))


LEAF = {"leaf": None}


def halves(a: Any = 1, b: Any = 1) -> Any:
    """Return a split with two leaves."""
    return [{"edge": ["0", "1"], "mix": [a, b]}, LEAF, LEAF]


def add_to(s: Suite) -> None:
    """Add the files of both pages."""
    _identities(s)
    _bernstein(s)
    _handelman(s)


def _identities(s: Suite) -> None:
    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(IDENTITY, sentence, needs)

    equal = condition(
        "`n_left d_right - n_right d_left = sum_i c_i r_i`, compared coefficient by coefficient after expansion.",
        (*EQUATION, *COUNT[:2]),
    )
    product = {"product": ["x", "y"]}
    whole = {"product": [{"sum": ["x", "y"]}, {"sum": ["x", {"negative": "y"}]}]}
    squares = {"sum": [{"power": ["x", "2"]}, {"negative": {"power": ["y", "2"]}}]}
    s.add(equal, "equality", identity(whole, squares, ["x", "y"]), True)
    for sign, side in ((-1, "below"), (1, "above")):
        s.add(equal, side, identity(whole, {"sum": [squares, str(sign * UNIT)]}, ["x", "y"]), False)
        s.add(
            equal,
            side,
            identity(whole, {"sum": [squares, {"product": [str(sign * UNIT), product]}]}, ["x", "y"]),
            False,
        )
    s.add(equal, "zero", identity("0", "0", []), True)
    s.add(equal, "zero", identity("0", UNIT, []), False)
    s.add(equal, "one", identity("1", {"power": ["x", "0"]}, ["x"]), True)  # x^0 is 1, at 0 too
    s.add(equal, "one", identity({"power": ["0", "0"]}, "1", []), True)
    inverse = {"sum": [product, "-1"]}
    related = identity({"product": ["x", "x", "y"]}, "x", ["x", "y"], [inverse], ["x"], ["1", "1"])
    s.add(equal, "equality", related, True)
    s.add(equal, "below", with_(related, ("2.cofactors.0", "y")), False)
    s.add(equal, "above", with_(related, ("2.cofactors", [])), False, "form")
    nonzero = condition("every divisor must be a nonzero polynomial.", SPECIAL)
    quotient = {"quotient": [whole, {"sum": ["x", "y"]}]}
    s.add(nonzero, "special value", identity(quotient, {"sum": ["x", {"negative": "y"}]}, ["x", "y"]), True)
    for zero in ("0", {"sum": ["x", {"negative": "x"}]}, {"product": ["0", "x"]}):
        s.add(nonzero, "special value", identity({"quotient": ["0", zero]}, "0", ["x", "y"]), False, "form")
        s.add(nonzero, "special value", identity({"quotient": ["1", zero]}, "1", ["x", "y"]), False, "form")
    s.add(nonzero, "special value", identity({"quotient": [{"sum": ["x", {"negative": "x"}]}, "x"]}, "0", ["x"]), True)
    s.add(nonzero, "special value", identity({"quotient": ["1", {"quotient": ["0", "x"]}]}, "1", ["x"]), False, "form")
    point = condition(
        "The witness may have a key `point` (never `null`), a number for each variable, at which all r_i = 0 and no divisor of either side is 0.",
        SPECIAL,
    )
    s.add(point, "special value", related, True)
    s.add(point, "special value", with_(related, ("2.point", ["2", "1/2"])), True)
    for wrong in (["1", 1 + UNIT], ["0", "0"], ["1"], []):
        s.add(point, "special value", with_(related, ("2.point", wrong)), False)
    fraction = identity({"quotient": ["x", "x"]}, "1", ["x"], point=["1"])
    s.add(point, "special value", fraction, True)
    s.add(point, "special value", with_(fraction, ("2.point", ["0"])), False)
    vacuous = condition("(a relation 1 proves 0 = 1)", SPECIAL)
    s.add(vacuous, "special value", identity("0", "1", [], ["1"], ["-1"]), True, known=True)  # vacuous, and true
    s.add(vacuous, "special value", identity("0", "1", [], ["1"], ["-1"], []), False, known=True)


def _bernstein(s: Suite) -> None:
    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(POSITIVE, sentence, needs)

    leaves = condition(
        "in descending lexicographic order, are >= 0 (with parameters: each equals its Handelman sum).", INEQUALITY
    )
    strict = condition("Claim `positive`: moreover the coefficients of all c_i^g are > 0", INEQUALITY)
    base = inequality(square(1, F(1, 2)), "0", "1", [halves()])

    def plus(document: Document, c: F) -> Document:
        return with_(document, ("0.polynomial", {"sum": [document[0]["polynomial"], str(c)]}))

    s.add(leaves, "equality", base, True)
    s.add(leaves, "within", plus(base, UNIT), True)
    s.add(leaves, "beyond", plus(base, -UNIT), False)
    s.add(leaves, "beyond", with_(base, ("2.cells", [[LEAF]])), False)  # true, and the coefficients need a split
    linear = {"sum": ["t", "0"]}
    for low, boundary in ((F(0), "equality"), (UNIT, "within"), (-UNIT, "beyond")):
        s.add(leaves, boundary, inequality(linear, low, "1", [[LEAF]]), boundary != "beyond")
        s.add(strict, boundary, inequality(linear, low, "1", [[LEAF]], "positive"), boundary == "within")
        s.add(leaves, boundary, inequality(linear, "1", low, [[LEAF]]), boundary != "beyond")
    s.add(strict, "within", with_(plus(base, UNIT), ("1.kind", "positive")), True)
    s.add(strict, "equality", with_(base, ("1.kind", "positive")), False)
    s.add(strict, "beyond", with_(plus(base, -UNIT), ("1.kind", "positive")), False)
    for value, fine in (("0", True), (UNIT, True), (-UNIT, False)):
        s.add(
            leaves,
            "equality" if value == "0" else "within" if fine else "beyond",
            inequality(value, "0", "1", [[LEAF]]),
            fine,
        )
        s.add(
            strict,
            "equality" if value == "0" else "within" if fine else "beyond",
            inequality(value, "0", "1", [[LEAF]], "positive"),
            fine and value != "0",
        )
    mix = condition(
        '`{"edge": [i, j], "mix": [a, b]}`, i < j, a, b > 0, splits the current simplex at N = a V_i + b V_j',
        INEQUALITY,
    )
    s.add(mix, "within", base, True)
    # the zero of (4t - 1)^2 is at N = 3 V_0 + V_1
    third = inequality(square(4, 1), "0", "1", [halves(3, 1)])
    s.add(mix, "within", third, True)
    for a, b in ((0, 1), (1, 0), (-1, 1), (1, -1), (0, 0), (-1, -1), (UNIT, -UNIT)):
        s.add(mix, "equality" if 0 in (a, b) else "beyond", with_(base, ("2.cells", [halves(a, b)])), False)
    for edge in (["0", "0"], ["1", "0"], ["0", "2"], ["-1", "1"]):
        s.add(mix, "beyond", with_(base, ("2.cells.0.0.edge", edge)), False)
    for change in (UNIT, -UNIT):
        s.add(mix, "within", with_(third, ("2.cells", [halves(3 + change, 1)])), False)  # the zero is inside a cell
    tree = condition(
        "`cells` holds for each simplex of `domain`, in order, one list: the nodes of a binary tree in preorder.", COUNT
    )
    s.add(tree, "one", base, True)
    s.add(tree, "zero", with_(base, ("2.cells", [])), False)
    s.add(tree, "zero", with_(base, ("2.cells", [[]])), False)
    s.add(tree, "limit", with_(base, ("2.cells", [halves()[:2]])), False)
    s.add(tree, "beyond", with_(base, ("2.cells", [[*halves(), LEAF]])), False, "form")
    s.add(tree, "beyond", with_(base, ("2.cells", [halves(), halves()])), False, "form")
    none = with_(base, ("0.domain", []), ("2.cells", []))
    s.add(condition("With variables `domain` has at least one simplex.", COUNT[:2]), "zero", none, False, "form")
    s.add(condition("With variables `domain` has at least one simplex.", COUNT[:2]), "one", base, True)
    empty = with_(base, ("0.domain", [[["0", "1"], ["0", "2"]]]), ("2.cells", [[LEAF]]))
    weights = condition("with c >= 0, all w_i >= 0 and `sum_i c_i w_i > 0`, the polynomial is >= 0 (> 0).", INEQUALITY)
    flat = with_(empty, ("0.polynomial", {"power": ["t", "2"]}))
    s.add(weights, "equality", flat, True, known=True)  # weights all 0: no point
    ray = with_(base, ("0.domain", [[["1", "0"], ["0", "1"]]]), ("0.polynomial", "t"), ("2.cells", [[LEAF]]))
    s.add(weights, "equality", ray, True, known=True)
    s.add(weights, "within", with_(ray, ("0.domain", [[["1", UNIT], ["0", "1"]]])), True, known=True)
    s.add(weights, "beyond", with_(ray, ("0.domain", [[["1", -UNIT], ["0", "1"]]])), False, known=False)
    s.add(weights, "beyond", with_(ray, ("0.domain", [[["1", "0"], ["0", "-1"]]])), False, known=False)
    two = with_(ray, ("0.domain", [[["2", "0"], ["4", "1"]]]))  # the same points with other weights
    s.add(weights, "within", two, True)


def _handelman(s: Suite) -> None:
    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(POSITIVE, sentence, needs)

    coefficients = condition(
        "All coefficients > 0; `polynomial = sum_t coefficient_t prod_i h_i^(e_ti)` as polynomials.",
        (*INEQUALITY, "below", "above", *COUNT[:2]),
    )
    strict = condition("Claim `positive`: some term has only hypotheses with `>` (a constant term counts).", SPECIAL)
    inside = [("x", ">="), ({"sum": ["1", {"negative": "x"}]}, ">=")]
    base = handelman({"product": ["x", {"sum": ["1", {"negative": "x"}]}]}, inside, [("1", [["0", "1"], ["1", "1"]])])
    s.add(coefficients, "within", base, True, known=True)
    s.add(coefficients, "one", base, True, known=True)
    for sign, side in ((-1, "below"), (1, "above")):
        s.add(coefficients, side, with_(base, ("2.terms.0.coefficient", 1 + sign * UNIT)), False, known=True)
    s.add(coefficients, "beyond", handelman({"negative": "x"}, inside, [("-1", [["0", "1"]])]), False)
    s.add(coefficients, "beyond", handelman(str(-UNIT), inside, [(-UNIT, [])]), False)
    s.add(coefficients, "equality", handelman("0", inside, [("0", [["0", "1"]])]), False, "form", known=True)
    s.add(coefficients, "zero", handelman("0", inside, []), True, known=True)
    s.add(coefficients, "zero", handelman("x", inside, []), False, known=True)
    s.add(coefficients, "zero", handelman(UNIT, [], [(UNIT, [])], names=()), True, known=True)
    s.add(coefficients, "zero", handelman("0", [], [], names=()), True, known=True)
    open_ = [("x", ">"), ({"sum": ["1", {"negative": "x"}]}, ">=")]
    for hypotheses, terms, polynomial, fine in (
        (open_, [("1", [["0", "1"]])], "x", True), (inside, [("1", [["0", "1"]])], "x", False), (open_, [("1", [["0", "1"], ["1", "1"]])], {"product": ["x", {"sum": ["1", {"negative": "x"}]}]}, False),
        (inside, [(UNIT, []), ("1", [["1", "1"]])], {"sum": [1 + UNIT, {"negative": "x"}]}, True), (inside, [], "0", False), ([], [("1", [])], "1", True),
    ):  # fmt: skip
        made = handelman(polynomial, hypotheses, terms, "positive", names=("x",) if hypotheses else ())
        s.add(strict, "special value", made, fine, known=fine)
    order = condition("`powers` are pairs [hypothesis index, exponent >= 1], ascending:", COUNT)
    s.add(order, "one", base, True, known=True)
    for powers in (
        [["0", "0"], ["1", "1"]],
        [["1", "1"], ["0", "1"]],
        [["0", "1"], ["0", "1"]],
        [["2", "1"]],
        [["-1", "1"]],
    ):
        s.add(
            order,
            "zero" if powers[0][1] == "0" else "beyond",
            with_(base, ("2.terms.0.powers", powers)),
            False,
            "form",
            known=True,
        )
    for degree, boundary in ((1024, "limit"), (1025, "beyond")):
        high = handelman({"power": ["x", str(degree)]}, inside, [("1", [["0", str(degree)]])])
        s.add(order, boundary, high, boundary == "limit", "" if boundary == "limit" else "limit", known=True)
    point = condition("a number for each parameter, `[]` without parameters: all hypotheses hold there", INEQUALITY)
    for x, boundary in (("0", "equality"), (UNIT, "within"), (-UNIT, "beyond")):
        made = with_(base)
        made[2]["point"] = [str(x)]
        s.add(point, boundary, made, boundary != "beyond", known=True)
        sharp = with_(handelman("x", open_, [("1", [["0", "1"]])], "positive"))
        sharp[2]["point"] = [str(x)]
        s.add(point, boundary, sharp, boundary == "within", known=True)
    some = condition(
        "and, if there are variables, some simplex has weights w_i >= 0 there, not all 0, so that the statement is not vacuous.",
        INEQUALITY,
    )
    term = {"coefficient": "1", "powers": []}
    for a, boundary in ((F(0), "equality"), (UNIT, "within"), (-UNIT, "beyond")):
        problem = {
            "kind": "inequality", "parameters": ["a"], "hypotheses": [], "variables": ["t"], "domain": [[["1", "0"], ["a", "1"]]], "polynomial": "t"
        }  # fmt: skip
        witness = {"rule": "bernstein", "cells": [[{"leaf": [[], [term]]}]], "point": [a]}
        s.add(some, boundary, with_((problem, {"kind": "nonnegative"}, witness)), boundary != "beyond", known=True)
    distinct = condition(
        "`terms` in strictly ascending lexicographic order of the exponent vector (without hypotheses at most one term);",
        SPECIAL,
    )
    two = handelman("2", [], [("1", []), ("1", [])], names=())
    s.add(distinct, "special value", two, False, "form", known=True)
    turned = handelman({"sum": ["1", "x"]}, inside, [("1", [["0", "1"]]), ("1", [])])
    s.add(distinct, "special value", turned, False, "form", known=True)
    s.add(distinct, "special value", with_(turned, ("2.terms", turned[2]["terms"][::-1])), True, known=True)
