"""A box in which the log-likelihood of a logistic regression has one maximum (rule 35, regression_rules.md).

With ``q = (a/b) exp(-t)`` a response has the probability ``(b/(1 + e^-t)) (1 + q)`` at the linear predictor t. So the
second derivative of its logarithm is ``g(q) - g(e^-t)``, ``g(q) = 1/(2 + q + 1/q)``: over an interval of t, g lies
between its values at the ends, or reaches 1/4. The linear predictors are rational; exponentials are intervals, rounded
outwards; sums over the rows are sums of integers.
"""

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from operator import mul
from typing import Any, NamedTuple

from .documents import Budget, Rejected, bits_of, fields, items, of_kind
from .intervals import ONE, Arithmetic, Interval
from .limits import MAX_COVER_DIGITS, MAX_ENTRIES, MAX_PARAMETER_DIGITS, MAX_PREDICTOR
from .matrices import columns, matrix_over_one_denominator, over_one_denominator, read_matrix, read_mechanism

EXPLAINED = {
    "regression-box": "On the box the second derivatives were enclosed: there a Newton step is a contraction of the "
    "box into itself, and the log-likelihood is strictly concave.",
}

_PER_ENTRY = 4  # products that the update of one entry of a sum costs as much as
_SPARE = 40  # digits: of a sum of counts beyond those of one


class _Row(NamedTuple):
    """Numerators of the covariates; of each response that was given the ratio a/b (None: b is 0) and the count."""

    covariates: list[int]
    responses: list[tuple[Interval | None, Fraction]]


class _Rows(NamedTuple):
    """All rows, whose covariates have one denominator, and the length of the longest integer of these."""

    rows: list[_Row]
    denominator: int
    bits: int


def check_regression_box(problem: Any, claim: Any, witness: Any) -> str:
    """Decide a claim of kind local-maximum."""
    budget = Budget()
    (groups,) = of_kind(problem, "logistic-regression", ["groups"], "problem")
    told = of_kind(claim, "local-maximum", ["point", "directions", "radius", "errors"], "claim")
    _, precision = fields(witness, ["rule", "digits"], "witness")
    number = budget.number(precision, "digits", MAX_PARAMETER_DIGITS)
    if number.denominator != 1 or not 1 <= number <= MAX_COVER_DIGITS:
        raise Rejected(f"digits is not a whole number from 1 to {MAX_COVER_DIGITS}")
    arithmetic = Arithmetic(int(number), budget)
    point = [budget.number(text, "an entry of point") for text in items(told[0], "point")]
    p = len(point)
    directions, scale = matrix_over_one_denominator(read_matrix(told[1], "directions", budget, (p, p)), budget)
    radius = budget.number(told[2], "radius")
    if radius <= 0:
        raise Rejected("radius is not positive")
    errors = [budget.number(text, "an entry of errors") for text in items(told[3], "errors", count=p)]
    data = _read(groups, p, arithmetic)
    gradient, rho = _bounds(data, point, directions, scale, radius, arithmetic)
    if rho >= 1:
        raise Rejected("the log-likelihood is not proved to be concave on the box")
    reached = gradient / (1 - rho)
    if reached > radius:
        raise Rejected("the box is not proved to contain a stationary point")
    for error, row in zip(errors, directions, strict=True):
        if error < reached * Fraction(sum(map(abs, row)), scale):
            raise Rejected("an error is below the distance that is proved")
    return f"{len(data.rows)} rows; maxima outside the box are not excluded"


def _read(groups: Any, p: int, arithmetic: Arithmetic) -> _Rows:
    """Return the rows that have responses, of p covariates each."""
    budget = arithmetic.budget
    found: list[list[tuple[Interval | None, Fraction]]] = []
    entries: list[Fraction] = []
    for group in items(groups, "groups", most=MAX_ENTRIES):
        mechanism, listed = fields(group, ["mechanism", "rows"], "a group")
        matrix = read_mechanism(mechanism, "a mechanism", budget, (None, 2))
        columns(matrix, "a mechanism", budget)
        for a, b in matrix:
            budget.spend(2, bits_of(a), bits_of(b))
        ratios = [arithmetic.of(a / b) if b else None for a, b in matrix]
        for each in items(listed, "rows", most=MAX_ENTRIES):
            covariates, counts = fields(each, ["covariates", "counts"], "a row")
            own = [budget.number(text, "a covariate") for text in items(covariates, "covariates", count=p)]
            responses = []
            for z, text in enumerate(items(counts, "counts", count=len(matrix))):
                count = budget.number(text, "a count", MAX_PARAMETER_DIGITS)
                if count < 0:
                    raise Rejected("a count is negative")
                if count and not any(matrix[z]):
                    raise Rejected("a response was given that the mechanism never gives")
                if count:
                    responses.append((ratios[z], count))
            if responses:
                found.append(responses)
                entries += own
    together = over_one_denominator(entries, budget)
    x = together.numerators
    rows = [_Row(x[i * p : i * p + p], responses) for i, responses in enumerate(found)]
    return _Rows(rows, together.denominator, together.bits)


def _bounds(
    data: _Rows, point: list[Fraction], directions: list[list[int]], scale: int, radius: Fraction, at: Arithmetic
) -> tuple[Fraction, Fraction]:
    """Return the largest entry of the gradient at the point and rho on the box, both along the directions."""
    p, budget, digits = len(point), at.budget, at.digits
    centre, turned = over_one_denominator(point, budget), list(zip(*directions, strict=True))
    under = data.denominator * scale
    longest = data.bits + max(abs(w).bit_length() for row in directions for w in row) + p
    sums = _Sums(p, digits)
    for row in data.rows:
        budget.spend_in_bulk(p * (p + 2), data.bits, longest + centre.bits)
        linear = sum(map(mul, row.covariates, centre.numerators))
        y = [sum(map(mul, row.covariates, column)) for column in turned]
        t = Fraction(linear, data.denominator * centre.denominator)
        reach = radius * Fraction(sum(map(abs, y)), under)
        for each in (t, reach):
            budget.spend(3, bits_of(each), bits_of(each))
        if abs(t) + reach > MAX_PREDICTOR:
            raise Rejected(f"a linear predictor is beyond {MAX_PREDICTOR} on the box")
        slope, bend = _derivatives(t, reach, row.responses, at)
        budget.spend_in_bulk(_PER_ENTRY * p * (p + 3), 2 * longest, longest + 4 * digits)
        sums.add(y, slope, bend)
    budget.spend(4 * p * p, 4 * longest + 4 * digits, 4 * longest)
    return sums.bounds(under)


def _derivatives(
    t: Fraction, reach: Fraction, responses: Sequence[tuple[Interval | None, Fraction]], at: Arithmetic
) -> tuple[Interval, Interval]:
    """Return the first derivative of the log-likelihood of a row at t, and the second one for all t within reach."""
    near, most, least = (at.exp(at.negative(at.of(x))) for x in (t, t - reach, t + reach))
    slope = bend = at.zero
    total = sum((count for _, count in responses), Fraction(0))
    for ratio, count in [*responses, (at.unit, -total)]:
        if ratio is None:
            continue
        weight = at.of(count)
        falling = at.inverse(at.add(at.unit, at.multiply(ratio, near)))
        slope = at.add(slope, at.multiply(weight, falling))
        if ratio[1]:
            bend = at.add(bend, at.multiply(weight, _curved(at.multiply(ratio, least), at.multiply(ratio, most), at)))
    return slope, bend


def _curved(low: Interval, high: Interval, at: Arithmetic) -> Interval:
    """Return what 1/(2 + q + 1/q) is for q from low to high: it rises up to q = 1 and falls from there on."""
    two = at.add(at.unit, at.unit)
    ends = [at.inverse(at.add(two, at.add(q, at.inverse(q)))) for q in (low, high)]
    if low[0] <= ONE <= high[1]:
        ends.append(at.of(Fraction(1, 4)))
    return min(end[0] for end in ends), max(end[1] for end in ends)


class _Sums:
    """Sums over the rows, in integers: of slopes times y, and of the middle and width of curvatures times y y^T."""

    def __init__(self, p: int, digits: int) -> None:
        self.p, self.unit = p, 10**digits
        self._step = Decimal((0, (1,), -digits))
        self._wide = Context(digits + MAX_PARAMETER_DIGITS + _SPARE)
        self._low, self._high = [0] * p, [0] * p
        self._middle = [[0] * p for _ in range(p)]
        self._width = [0] * p

    def _whole(self, x: Decimal, rounding: str) -> int:
        """Return x times the unit, rounded."""
        return int(self._wide.scaleb(x.quantize(self._step, rounding, self._wide), -self._step.as_tuple().exponent))

    def add(self, y: list[int], slope: Interval, bend: Interval) -> None:
        """Add a row."""
        low, high = self._whole(slope[0], ROUND_FLOOR), self._whole(slope[1], ROUND_CEILING)
        least, most = self._whole(bend[0], ROUND_FLOOR), self._whole(bend[1], ROUND_CEILING)
        twice, spread = least + most, (most - least) * sum(map(abs, y))
        for j, v in enumerate(y):
            self._low[j] += (low if v >= 0 else high) * v
            self._high[j] += (high if v >= 0 else low) * v
            self._width[j] += spread * abs(v)
            scaled, row = twice * v, self._middle[j]
            for k in range(j, self.p):
                row[k] += scaled * y[k]

    def bounds(self, under: int) -> tuple[Fraction, Fraction]:
        """Return the largest entry of the gradient, and rho; y is in units of 1/under."""
        one = 2 * self.unit * under * under
        rho = 0
        for j in range(self.p):
            entries = (self._middle[min(j, k)][max(j, k)] + (one if j == k else 0) for k in range(self.p))
            rho = max(rho, sum(map(abs, entries)) + self._width[j])
        largest = max(map(abs, (*self._low, *self._high)))
        return Fraction(largest, self.unit * under), Fraction(rho, one)
