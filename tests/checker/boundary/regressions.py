"""Rule 35: boxes around the maximum of a likelihood of a regression."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

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


def bounds(matrix: Any, counts: list[int], c: F, w: F, r: F) -> tuple[Any, Any]:
    """Return G and rho of one row with the covariate 1, with 60 digits."""
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
        return abs(slope * y), abs(1 + (low + high) / 2 * y * y) + (high - low) / 2 * y * y


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


def _shapes(s: Suite, base: Document, warner: Document) -> None:
    stochastic = s.condition(PAGE, "Every matrix has nonnegative entries and two columns, which sum to 1.", INEQUALITY)
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
    lengths = s.condition(
        PAGE, "and c, e and every `covariates` have p entries, at most `MAX_LIST`; W has p rows and columns.", OPEN
    )
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
    possible = s.condition(PAGE, "An output with a positive count has `a_z + b_z > 0`.", ("equality", "within"))
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
    predictor = s.condition(PAGE, "`abs(t) + s <= MAX_PREDICTOR` for every row.", INEQUALITY)
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
