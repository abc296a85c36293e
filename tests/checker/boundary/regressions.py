"""Rules 35 and 39: boxes around the maximum of a likelihood of a regression, and covers of all coefficients."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from adversary.likelihoods import Model
from fuzz.regression_models import file as model_file
from fuzz.regressions import DEVICES, Sample, rational
from mpmath import mp, mpf

from .book import COUNT, INEQUALITY, OPEN, UNIT, Suite, with_

PAGE = "regression_rules.md"
Document = tuple[Any, Any, Any]
DIRECT, WARNER = DEVICES[0], DEVICES[1]


def box(rows: list[Any], point: list[Any], directions: list[Any], radius: Any, errors: list[Any]) -> Document:
    """Return a file; rows are (matrix, covariates, counts)."""
    claim = {"kind": "local-maximum", "point": point, "directions": directions, "radius": radius, "errors": errors}
    made: Document = with_((Sample(tuple(rows)).problem(), claim, {"rule": "regression-box", "digits": 40}))
    return made


def curved(q: Any) -> Any:
    """Return g(q)."""
    return 1 / (2 + q + 1 / q)


def parts(matrix: Any, counts: list[int], c: F, w: F, r: F) -> tuple[Any, Any, Any]:
    """Return slope y, (L + U)/2 y^2 and (U - L)/2 y^2 of one row with the covariate 1, with 60 digits."""
    with mp.workdps(60):
        t, s, y = mpf(c.numerator) / c.denominator, r * w, mpf(w.numerator) / w.denominator
        s = mpf(s.numerator) / s.denominator
        slope = low = high = mpf(0)
        for (a, b), n in (*zip(matrix, counts, strict=True), ((F(1), F(1)), -sum(counts))):
            if not b or not n:
                continue
            ratio = mpf((a / b).numerator) / (a / b).denominator
            slope += n / (1 + ratio * mp.exp(-t))
            if a:
                ends = [ratio * mp.exp(-t - s), ratio * mp.exp(-t + s)]
                least = min(map(curved, ends))
                most = mpf(1) / 4 if ends[0] <= 1 <= ends[1] else max(map(curved, ends))
                low, high = low + n * (least if n > 0 else most), high + n * (most if n > 0 else least)
        return slope * y, (low + high) / 2 * y * y, (high - low) / 2 * y * y


def parts_cut(matrix: Any, counts: list[int], c: F, w: F, r: F) -> tuple[Any, Any, Any]:
    """Return the same where the range of the linear predictor is cut at the odd multiples of 1/32 below 16."""
    cuts = [v for v in (F(k, 32) for k in range(-511, 512, 2)) if c - r * w < v < c + r * w]
    ends = pairwise([c - r * w, *cuts, c + r * w])
    pieces = [_piece(tuple(map(tuple, matrix)), tuple(counts), a, b, w) for a, b in ends]
    low, high = min(m - width for _, m, width in pieces), max(m + width for _, m, width in pieces)
    return parts(matrix, counts, c, w, r)[0], (low + high) / 2, (high - low) / 2


@cache
def _piece(matrix: Any, counts: tuple[int, ...], a: F, b: F, w: F) -> tuple[Any, Any, Any]:
    """Return ``parts`` between two cuts, which are the same in almost every step of a search."""
    return parts(matrix, list(counts), (a + b) / 2, w, (b - a) / 2 / w)


def bounds(matrix: Any, counts: list[int], c: F, w: F, r: F) -> tuple[Any, Any]:
    """Return G and rho of one row."""
    slope, middle, width = parts(matrix, counts, c, w, r)
    return abs(slope), abs(1 + middle) + width


def crossing(of: Callable[[F], Any], low: F, high: F) -> F:
    """Return where a function changes its sign, to 30 digits."""
    for _ in range(110):
        middle = (low + high) / 2
        low, high = (middle, high) if of(middle) < 0 else (low, middle)
    return rational_of(low)


def rational_of(x: F) -> F:
    """Return a decimal near a number."""
    return F(int(x * 10**30), 10**30)


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    one = (F(1),)
    base = box([(DIRECT, one, (F(4), F(4)))], [0], [["1/2"]], "1/2", ["1/1000"])
    warner = box([(WARNER, one, (F(8), F(8)))], [0], [[1]], "1/10", ["1/1000"])
    _shapes(s, base, warner)
    _predictors(s)
    concave = s.condition(PAGE, "`rho < 1`.", OPEN)
    for n, w in ((8, F(1)), (32, F(1, 2)), (2, F(1))):
        r = crossing(lambda r, n=n, w=w: bounds(WARNER, [n, n], F(0), w, r)[1] - 1, F(1, 1000), F(3))
        made = box([(WARNER, one, (F(n), F(n)))], [0], [[w]], r, ["1/1000"])
        s.add(concave, "within", with_(made, ("1.radius", r - UNIT)), True)
        s.add(concave, "beyond", with_(made, ("1.radius", r + UNIT)), False)
        for times in (4, 20):
            s.add(concave, "beyond", with_(made, ("1.radius", times * r)), False)
    for w in (2, F(1415, 1000), 0):
        s.add(concave, "beyond", with_(base, ("1.directions", [[w]])), False)
    s.add(concave, "within", with_(base, ("1.directions", [[F(1414, 1000) / 2]])), True)
    inside = s.condition(PAGE, "`G <= (1 - rho) r`.", OPEN)
    error = s.condition(PAGE, "`e_j >= G/(1 - rho) sum_k abs(W_jk)` for every coefficient j.", OPEN)
    for matrix, n, w, r in (
        (WARNER, 8, F(1), F(1, 10)),
        (DIRECT, 4, F(1, 2), F(1, 2)),
        (WARNER, 18, F(2, 3), F(1, 20)),
    ):

        def excess(c: F, matrix: Any = matrix, n: int = n, w: F = w, r: F = r) -> Any:
            """Return G - (1 - rho) r."""
            gap, rho = bounds(matrix, [n, n], c, w, r)
            return gap - (1 - rho) * (mpf(r.numerator) / r.denominator)

        c = crossing(excess, F(0), r * w)
        made = box([(matrix, one, (F(n), F(n)))], [c], [[w]], r, [1])
        for sign in (1, -1):
            s.add(inside, "within", with_(made, ("1.point.0", sign * (c - UNIT))), True)
            s.add(inside, "beyond", with_(made, ("1.point.0", sign * (c + UNIT))), False)
            s.add(inside, "beyond", with_(made, ("1.point.0", sign * 2 * r * w)), False)
            near = sign * c / 3
            gap, rho = bounds(matrix, [n, n], near, w, r)
            least = rational_of(F(int(gap / (1 - rho) * 10**30), 10**30) * w)
            moved = with_(made, ("1.point.0", near))
            s.add(error, "within", with_(moved, ("1.errors.0", least + UNIT)), True)
            for wrong in (least - UNIT, least / 2, abs(near) - UNIT, F(0), -least):
                s.add(error, "beyond", with_(moved, ("1.errors.0", wrong)), False)
    _pairs(s, inside, error)
    _models(s, inside, error)
    _covers(s)


def model_box(model: Model, radius: F, errors: F, W: Any = None, point: Any = None) -> Document:
    """Return the file of a box of a model, around its maximum."""
    best = model.maximum(np.zeros(len(W)) if point is None else np.array(point, float))
    if W is None:
        W = [[rational(v, 4) for v in row] for row in np.linalg.cholesky(np.linalg.inv(-model.second(best)))]
    made = model_file(model, [rational(v, 9) for v in best], W, radius, [errors] * len(best))
    found: Document = with_((made["problem"], made["claim"], made["witness"]))
    return found


def _models(s: Suite, inside: Any, error: Any) -> None:
    """Add files of the other models: their form, thresholds that meet, and responses that may be impossible."""
    size = s.condition(
        PAGE,
        "Every row has as many covariates as the table says, and in covariate models all rows have equally many effects.",
        OPEN,
    )
    k3 = tuple(tuple(F(int(i == j)) for j in range(3)) for i in range(3))
    noisy = tuple(tuple(F(7 if i == j else 1, 9) for j in range(3)) for i in range(3))
    pair = tuple(tuple(r[x] * q[y] for x in (0, 1) for y in (0, 1)) for r in WARNER for q in DIRECT)
    one, half = (F(1),), (F(1, 2),)
    probit = Model("probit", ((WARNER, one, (), (F(90), F(110))), (WARNER, (F(2),), (), (F(80), F(120)))))
    linear = Model("linear", ((WARNER, one, (), (F(90), F(110))), (DIRECT, half, (), (F(80), F(30)))))
    several = Model("multinomial", ((k3, one, (), (F(50), F(60), F(70))), (noisy, half, (), (F(90), F(80), F(70)))))
    ordered = Model(
        "ordinal-logit", ((k3, (F(0),), (), (F(50), F(60), F(70))), (noisy, one, (), (F(90), F(80), F(70))))
    )
    joint = Model("covariate-probit", ((pair, one, one, (F(300), F(200), F(250), F(350))),))
    starts = {"probit": [0.2], "linear": [0.6], "multinomial": [0.1, 0.2], "ordinal-logit": [0, -0.6, 0.6]}
    for model in (probit, linear, several, ordered, joint):
        made = model_box(model, F(1, 100), F(1, 10**6), point=starts.get(model.name, [0.0, 0.2, 0.1]))
        s.add(size, "within", made, True)
        s.add(error, "within", made, True)
        s.add(error, "beyond", with_(made, ("1.point.0", F(made[1]["point"][0]) + F(1, 10**5))), False)
        near = with_(made, ("1.point.0", F(made[1]["point"][0]) + F(1, 2)), ("1.errors", [1] * len(made[1]["point"])))
        s.add(inside, "beyond", near, False)
        row = "0.groups.0.rows.0"
        for wrong in ([], [1, 1, 1]):
            s.add(size, "beyond", with_(made, (f"{row}.covariates", wrong)), False, "form")
        whole = s.condition(PAGE, "Rule 35 proves this claim too, in the model `linear` alone.", OPEN)
        is_linear = model.name == "linear"
        if is_linear or model is probit:
            s.add(whole, "within" if is_linear else "beyond", with_(made, ("1.kind", "global-maximum")), is_linear)
    two = Model("covariate-probit", (*joint.rows, joint.rows[0]))
    made = model_box(two, F(1, 100), F(1, 10**6), point=[0.0, 0.2, 0.1])
    s.add(size, "within", made, True)
    s.add(size, "beyond", with_(made, ("0.groups.1.rows.0.effects", [1, 1])), False, "form")
    s.add(size, "beyond", with_(made, ("0.groups.1.rows.0.effects", [])), False, "form")
    order = s.condition(
        PAGE, "`kappa_(j+1) - kappa_j > r sum_k abs(W_(j+1)k - W_jk)` at c, for the rows of W of neighbouring thresholds.",
        INEQUALITY,
    )  # fmt: skip
    W = [[F(211, 5000), F(0)], [F(337, 10000), F(253, 10000)]]
    gap = F(1, 20) * (F(211 * 2 - 337, 10000) + F(253, 10000))
    for wide, boundary in ((gap + UNIT, "within"), (gap, "equality"), (gap - UNIT, "beyond"), (-gap, "beyond")):
        chance = Model("ordinal-logit", ()).truth(
            np.array([-float(abs(wide)) / 2, float(abs(wide)) / 2]), np.array([]), ()
        )
        counts = tuple(rational(5000 * v, 9) for v in np.array(noisy, float) @ chance)
        made = model_file(
            Model("ordinal-logit", ((noisy, (), (), counts),)), [-wide / 2, wide / 2], W, F(1, 20), [F(1, 100)] * 2
        )
        s.add(order, boundary, with_((made["problem"], made["claim"], made["witness"])), boundary == "within")
    possible = s.condition(
        PAGE, "In probit, ordinal and covariate models the lower end of P is positive, `P > 0`, for every output with a positive count.",
        OPEN,
    )  # fmt: skip
    triple = Model("ordinal-logit", ((k3, (), (), (F(10), F(10), F(10))),))
    W = [[F(387, 1000), F(0)], [F(97, 500), F(67, 200)]]
    made = model_box(triple, F(1, 50), F(1, 1000), W, [-0.7, 0.7])
    s.add(possible, "within", made, True)
    s.add(possible, "beyond", with_(made, ("1.radius", F(17, 10)), ("1.errors", [10, 10])), False)
    model = s.condition(PAGE, "The model is `logit` or `probit`.", OPEN)
    tree = ["00vb0bv", "v", "v"]
    made = model_file(Model("probit", ((WARNER, one, (), (F(72), F(72))),)), [0], [[F(1, 5)]], F(1, 4), [1])
    base = cover((made["problem"], made["claim"], made["witness"]), F(2, 5), tree)
    s.add(model, "within", base, True)
    for name in ("linear", "covariate-logit", "multinomial", "ordinal-probit", "logistic", ""):
        because = "" if name in ("linear", "multinomial") else "form"
        s.add(model, "beyond", with_(base, ("0.model", name)), False, because)


def cover(made: Document, reach: Any, cells: list[Any]) -> Document:
    """Return the file of a cover."""
    problem, claim, witness = made
    whole = {**witness, "rule": "regression-cover", "reach": reach, "cells": cells}
    found: Document = with_((problem, {**claim, "kind": "global-maximum"}, whole))
    return found


def _covers(s: Suite) -> None:
    """Add the files of rule 39: all values but one cell are as at the centre, or the gradient has a zero at its end."""
    one, tree = (F(1),), ["00vb0bv", "v", "v"]
    box_ = box([(WARNER, one, (F(72), F(72)))], [0], [[F(1, 3)]], F(1, 4), [1])
    base = cover(box_, F(2, 5), tree)
    form = s.condition(PAGE, "p is at most 10, and every mechanism with a row that counts has two outputs.", OPEN)
    s.add(form, "within", base, True)
    three = [["1/2", "1/4"], ["1/4", "1/4"], ["1/4", "1/2"]]
    place = "0.groups.0"
    wide = with_(base, (f"{place}.mechanism.matrix", three), (f"{place}.rows.0.counts", [72, 9, 72]))
    s.add(form, "beyond", wide, False)
    s.add(form, "beyond", with_(base, (f"{place}.rows.0.counts", [72])), False, "form")
    for p in (10, 11):  # a row for each coefficient, whose values fall on both sides
        rows = [(DIRECT, tuple(F(int(j == k)) for k in range(p)), (F(4), F(4))) for j in range(p)]
        unit = [[F(int(j == k), 2) for k in range(p)] for j in range(p)]
        many = cover(box(rows, [0] * p, unit, F(1, 20), [1] * p), F(1, 20), ["b", *["v"] * (2 * p)])
        s.add(form, "within" if p == 10 else "beyond", many, p == 10, known=True)
    reach = s.condition(PAGE, "`R > 0`.", INEQUALITY)
    s.add(reach, "within", with_(base, ("2.reach", F(1, 5)), ("2.cells.0", "b")), True)
    for wrong in (F(0), -UNIT, F(-2, 5)):
        s.add(reach, "beyond" if wrong else "equality", with_(base, ("2.reach", wrong)), False)
    s.add(reach, "beyond", with_(base, ("2.reach", F(-1, 5)), ("2.cells.0", "b")), False)
    halved = s.condition(
        PAGE,
        "Every text is exactly one tree; no coordinate in it is p or more, and no cell is halved more than `MAX_SPLITS` times.",
        ("within", "beyond", "limit"),
    )
    s.add(halved, "within", with_(base, ("2.cells", ["000vv0bb0bv", "0v0vv", "v"])), True)
    for wrong in ("", "00vb0b", "00vb0bvv", "10vb0bv", "0 0vb0bv", "00vb0bV", "vv", "90vb0bv"):
        s.add(halved, "beyond", with_(base, ("2.cells.0", wrong)), False)
    for wrong in (tree[:2], [*tree, "v"], []):
        s.add(halved, "beyond", with_(base, ("2.cells", wrong)), False, "form")
    for depth in (64, 65):
        deep = with_(base, ("2.reach", F(1, 5)), ("2.cells.0", "0" * depth + "b" * (depth + 1)))
        s.add(halved, "limit" if depth == 64 else "beyond", deep, depth == 64)
    alone = s.condition(PAGE, "8. A leaf `b` is in the cube alone.", OPEN)
    s.add(alone, "within", base, True)
    for leaf in "bg":
        for k in (1, 2):
            s.add(alone, "beyond", with_(base, (f"2.cells.{k}", leaf)), False)
    inside = s.condition(
        PAGE, "Its cell lies in the box: all its endpoints are at most r in absolute value.", (*INEQUALITY, "beyond")
    )
    for r, boundary in (
        (F(1, 4), "equality"),
        (F(1, 4) - UNIT, "within"),
        (F(1, 4) + UNIT, "beyond"),
        (F(1), "beyond"),
    ):
        s.add(inside, boundary, with_(base, ("2.reach", r), ("2.cells.0", "b")), boundary != "beyond")
    slope = s.condition(
        PAGE, "`abs(sum slope y_k) > sum_j abs(sum (L + U)/2 y_k y_j) h_j + sum (U - L)/2 abs(y_k) s`.", OPEN
    )
    for n, w in ((72, F(1, 3)), (8, F(1))):
        made = cover(box([(WARNER, one, (F(n), F(n)))], [0], [[w]], F(1, 4), [1]), F(2, 5), ["00gb0bg", "v", "v"])
        s.add(slope, "within", made, True)

        def spare(R: F, n: int = n, w: F = w) -> Any:
            """Return by how much the change of the gradient exceeds it, on [R/2, R]."""
            at, middle, width = parts_cut(WARNER, [n, n], w * R * 3 / 4, w, R / 4)
            return (abs(middle) + width) * (mpf(R.numerator) / R.denominator / 4) - abs(at)

        most = crossing(spare, F(1), F(30))
        outer = with_(made, ("1.radius", 1 / (3 * w)), ("2.cells.0", "00g0g0g0gb0000bgggg"))
        for R, boundary in ((most - UNIT, "within"), (most + UNIT, "beyond"), (3 * most, "beyond")):
            s.add(slope, boundary, with_(outer, ("2.reach", R)), boundary == "within")
    value = s.condition(PAGE, "Then `sum M < l(c)`, over all rows.", INEQUALITY)
    for sign in (1, -1):
        moved = with_(base, ("1.point.0", sign * F(1, 30)))
        for R, boundary in ((F(2, 5), "equality"), (F(2, 5) + UNIT, "within"), (F(2, 5) - UNIT, "beyond")):
            s.add(value, boundary, with_(moved, ("2.reach", R)), boundary == "within")
        s.add(value, "beyond", with_(moved, ("2.cells.0", "v")), False)
        s.add(value, "beyond", with_(base, ("2.reach", F(1, 1000)), ("2.cells.0", "v")), False)
    _lower_maxima(s, value)


def _lower_maxima(s: Suite, value: Any) -> None:
    """Add claims about a maximum that is not the largest: the second of two, and one below the values at infinity."""
    devices = {"5/6": DEVICES[2], "3/4": WARNER, "1/3": DEVICES[3]}
    for start, listed, other in (
        (-2.9, (("5/6", -3, 127, 66), ("5/6", F(1, 2), 125, 54), ("3/4", F(-1, 2), 15, 39)), 0.24),
        (0.56, (("3/4", 1, 37, 124), ("1/3", 2, 78, 107)), None),
    ):
        sample = Sample(tuple((devices[name], (F(x),), (F(no), F(yes))) for name, x, no, yes in listed))
        for at in (start, other):
            if at is None:
                continue
            best = sample.maximum([at])
            W = rational(float(-sample.derivatives(best)[1][0, 0]) ** -0.5, 3)
            made = box(list(sample.rows), [rational(best[0], 9)], [[W]], F(1, 16), [1])
            for cells in (["v", "v", "v"], ["b", "v", "v"], ["g", "v", "v"]):
                s.add(value, "beyond", cover(made, F(1, 16), cells), False)


def _shapes(s: Suite, base: Document, warner: Document) -> None:
    stochastic = s.condition(PAGE, "Every matrix has nonnegative entries and columns that sum to 1,", INEQUALITY)
    s.add(stochastic, "equality", base, True)
    s.add(stochastic, "within", warner, True)
    place = "0.groups.0.mechanism.matrix"
    for matrix in ([[1 + UNIT, 0], [-UNIT, 1]], [[1, -UNIT], [0, 1 + UNIT]], [[1 - UNIT, 0], [0, 1]], [[1, 1], [0, 1]]):
        s.add(stochastic, "beyond", with_(base, (place, matrix)), False)
    for matrix in ([[1, 0, 0], [0, 1, 1]], [[1], [0]], []):
        s.add(stochastic, "beyond", with_(base, (place, matrix)), False, "form")
    number = s.condition(PAGE, "`p >= 1`", ("zero", "one"))
    s.add(number, "one", base, True)
    empty = with_(base, ("1.point", []), ("1.directions", []), ("1.errors", []), ("0.groups.0.rows.0.covariates", []))
    s.add(number, "zero", empty, False, "form")
    lengths = s.condition(PAGE, "and c and e have p entries, at most `MAX_LIST`; W has p rows and columns.", OPEN)
    s.add(lengths, "within", warner, True)
    for path, value in (
        ("1.point", [0, 0]), ("1.errors", [1, 1]), ("1.errors", []), ("0.groups.0.rows.0.covariates", [1, 1]),
        ("1.directions", [["1/2", 0]]), ("1.directions", [["1/2"], [0]]), ("0.groups.0.rows.0.counts", [4, 4, 4]),
    ):  # fmt: skip
        s.add(lengths, "beyond", with_(base, (path, value)), False, "form")
    counts = s.condition(PAGE, "Every count is a number `>= 0`", INEQUALITY)
    rows = base[0]["groups"][0]["rows"]
    s.add(
        counts, "equality", with_(base, ("0.groups.0.rows", [*rows, {"covariates": [10**9], "counts": [0, 0]}])), True
    )
    s.add(counts, "within", with_(base, ("0.groups.0.rows.0.counts", [F(9, 2), F(9, 2)])), True)
    for wrong in ([-UNIT, 4], [4, -4]):
        s.add(counts, "beyond", with_(base, ("0.groups.0.rows.0.counts", wrong)), False)
    none = with_(base, ("0.groups.0.rows.0.counts", [0, 0]))
    s.add(counts, "equality", none, False)
    s.add(counts, "equality", with_(base, ("0.groups", [])), False)
    s.add(counts, "equality", with_(base, ("0.groups.0.rows", [])), False)
    possible = s.condition(PAGE, "An output with a positive count has an entry other than 0.", ("equality", "within"))
    s.add(possible, "within", base, True)
    never = with_(base, (place, [[1, 0], [0, 1], [0, 0]]), ("0.groups.0.rows.0.counts", [4, 4, 0]))
    s.add(possible, "within", never, True)
    for n in (UNIT, F(1), F(100)):
        s.add(possible, "equality", with_(never, ("0.groups.0.rows.0.counts.2", n)), False)
    radius = s.condition(PAGE, "The radius is positive: `r > 0`.", INEQUALITY)
    s.add(radius, "within", with_(base, ("1.radius", UNIT)), True)
    s.add(radius, "equality", with_(base, ("1.radius", 0)), False)
    for wrong in (-UNIT, -1):
        s.add(radius, "beyond", with_(base, ("1.radius", wrong)), False)
    digits = s.condition(PAGE, "`digits` is a whole number with `1 <= d <= MAX_COVER_DIGITS`.", COUNT)
    coarse = with_(base, ("1.errors", [1]), ("1.directions", [[F(7, 10)]]))
    s.add(digits, "one", with_(coarse, ("2.digits", 1)), True)
    s.add(digits, "limit", with_(base, ("2.digits", 300)), True)
    for number_ in (0, -1, F(1, 2), F(81, 2)):
        s.add(digits, "zero" if number_ == 0 else "beyond", with_(base, ("2.digits", number_)), False)
    s.add(digits, "beyond", with_(base, ("2.digits", 301)), False, "limit")


def _predictors(s: Suite) -> None:
    predictor = s.condition(
        PAGE, "`abs(t_j) + s_j <= MAX_PREDICTOR` for every linear predictor of every row.", INEQUALITY
    )
    c, w, r = rational(float(mp.log(3)), 15), F(1, 2), F(1, 4)
    for x, counts in ((1000 / (c + r * w), (F(0), F(5))), (-1000 / (c + r * w), (F(5), F(0)))):
        made = box([(DIRECT, (F(1),), (F(2), F(6))), (DIRECT, (x,), counts)], [c], [[w]], r, ["1/1000"])
        place = "0.groups.0.rows.1.covariates.0"
        s.add(predictor, "equality", made, True)
        s.add(predictor, "within", with_(made, (place, x * (1 - UNIT))), True)
        s.add(predictor, "beyond", with_(made, (place, x * (1 + UNIT))), False)
        s.add(predictor, "beyond", with_(made, (place, 2 * x)), False)


def _pairs(s: Suite, inside: Any, error: Any) -> None:
    """Add files with two coefficients, two devices and directions that are not orthogonal."""
    forced = ((F(5, 6), F(1, 6)), (F(1, 6), F(5, 6)))
    rows = [
        (forced, (F(1), F(0)), (F(130), F(70))),
        (forced, (F(1), F(1)), (F(110), F(90))),
        (DIRECT, (F(1), F(1, 2)), (F(60), F(40))),
    ]
    best = Sample(tuple(rows)).maximum()
    W = [[F(21, 100), F(0)], [F(-13, 50), F(19, 100)]]
    made = box(rows, [rational(v, 9) for v in best], W, F(1, 4), [UNIT, UNIT])
    s.add(inside, "within", made, True)
    s.add(error, "within", made, True)
    s.add(error, "beyond", with_(made, ("1.errors.1", -UNIT)), False)
    s.add(error, "beyond", with_(made, ("1.point.0", rational(best[0] + 1e-5, 9))), False)
    s.add(inside, "beyond", with_(made, ("1.point.1", rational(best[1] + 0.2, 9)), ("1.errors", [1, 1])), False)
    for place, value in (("0.groups.0.rows.0.counts", [70, 130]), ("0.groups.1.rows.0.covariates.1", F(-1, 2))):
        s.add(error, "beyond", with_(made, (place, value)), False)
