"""The maximum of the likelihood of a regression: global, or in a box (rules 35 and 39, regression_rules.md).

The linear predictors of the rows are rational at the centre of the box. Over a box of coefficients, each predictor lies
in an interval, and the model encloses the derivatives of the log-likelihood of the row there (``regression_models``).
Exponentials are intervals, rounded outwards. Sums over the rows are sums of integers.

The checker proves that a Newton step is a contraction of the box into itself. Then the box contains exactly one
stationary point, and it is a maximum. For a global maximum, cells must cover the rest of the space. In each cell either
the log-likelihood is below its value at the centre of the box, or the gradient has no zero.
"""

from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import pairwise
from operator import mul
from typing import Any, NamedTuple

from .documents import Budget, Rejected, bits_of, fields, items, of_kind
from .intervals import Arithmetic, Interval
from .limits import MAX_COVER_DIGITS, MAX_ENTRIES, MAX_PARAMETER_DIGITS, MAX_PREDICTOR, MAX_SPLITS
from .matrices import columns, matrix_over_one_denominator, over_one_denominator, read_matrix, read_mechanism
from .regression_models import COVERED, MODELS, Bends, Family, covariates_of, inputs_of, predictors
from .regression_tables import CUTS, Tables

EXPLAINED = {
    "regression-box": "The checker enclosed the second derivatives on the box. There a Newton step is a "
    "contraction of the box into itself, and the log-likelihood is strictly concave.",
    "regression-cover": "In one box, a Newton step is a contraction. All other coefficients lie in cells where "
    "either no value reaches the value at the centre of the box, or the gradient has no zero.",
}

_PER_ENTRY = 4  # cost of the update of one entry of a sum, in products
_SPARE = 40  # additional digits of a sum of counts, compared with one count
_AXES = "0123456789"
_MOST, _ONE = Fraction(MAX_PREDICTOR), Fraction(1)

Cell = list[tuple[Fraction, Fraction]]


class _Row(NamedTuple):
    """A row: the constants of the model and the count for each observed output, the mechanism, and all counts."""

    given: list[tuple[Any, Fraction]]
    matrix: list[list[Fraction]]
    counts: list[Fraction]
    t: list[Fraction]  # the linear predictors at the point
    y: list[list[int]]  # the coefficients of the predictors along the directions, times the denominator of the box


class _Box(NamedTuple):
    """The common input of both rules: the rows, the denominator of their y, and the numbers of the claim."""

    rows: list[_Row]
    under: int
    bits: int
    p: int
    radius: Fraction
    family: Family

    @property
    def arithmetic(self) -> Arithmetic:
        """The interval arithmetic of the family."""
        return self.family.at


def check_regression_box(problem: Any, claim: Any, witness: Any) -> str:
    """Check a claim of kind local-maximum; reject it unless the box is proved to contain exactly one maximum.

    In the linear model the claim may be of kind global-maximum, since the second derivative is constant.
    """
    _, digits = fields(witness, ["rule", "digits"], "witness")
    is_global = isinstance(claim, dict) and claim.get("kind") == "global-maximum"
    box = _proved_box(problem, claim, "global-maximum" if is_global else "local-maximum", digits)
    if is_global and box.family.model != "linear":
        raise Rejected("a box proves a global maximum in the linear model alone")
    return f"{len(box.rows)} rows" if is_global else f"{len(box.rows)} rows; maxima outside the box are not excluded"


def check_regression_cover(problem: Any, claim: Any, witness: Any) -> str:
    """Check a claim of kind global-maximum; reject it unless the maximum in the box is proved to be global."""
    _, digits, reach_text, texts = fields(witness, ["rule", "digits", "reach", "cells"], "witness")
    box = _proved_box(problem, claim, "global-maximum", digits)
    budget, p = box.arithmetic.budget, box.p
    reach = budget.number(reach_text, "reach")
    if reach <= 0:
        raise Rejected("reach is not positive")
    if box.family.model not in COVERED:
        raise Rejected(f"a cover has another model than {' and '.join(COVERED)}")
    if p > len(_AXES):
        raise Rejected(f"a cover has more than {len(_AXES)} coefficients")
    if any(len(row.matrix) != 2 for row in box.rows):
        raise Rejected("a mechanism of a cover has another number of outputs than 2")
    values = _Values(box)
    trees = items(texts, "cells", count=1 + 2 * p)
    count = 0
    for cell, kind in _leaves(trees[0], [(-reach, reach)] * p, budget):
        count += 1
        if kind == "b":
            if any(low < -box.radius or high > box.radius for low, high in cell):
                raise Rejected("a cell is not in the box")
        elif kind == "v":
            if not values.tables.excludes_values(cell, _ONE, _ONE):
                values.require_below(_ranges_of_cell(box, cell))
        else:
            _require_slope(box, cell, values.tables)
    for place, text in enumerate(trees[1:]):
        axis, sign = place // 2, -1 if place % 2 else 1
        start = [(Fraction(0 if j == axis else -1), Fraction(1)) for j in range(p)]
        for cell, kind in _leaves(text, start, budget):
            count += 1
            if kind != "v":
                raise Rejected("a cell of a cone is excluded by its values alone")
            nearest, farthest = cell[axis][1], cell[axis][0]  # k is 1 at the face of the cube and 0 at infinity
            face = [*cell[:axis], (Fraction(sign), Fraction(sign)), *cell[axis + 1 :]]
            near, far = reach / nearest, reach / farthest if farthest else None
            if not values.tables.excludes_values(face, near, far):
                values.require_below(_ranges_of_cone(box, face, near, far))
    return f"{len(box.rows)} rows, {count} cells"


def _proved_box(problem: Any, claim: Any, kind: str, precision: Any) -> _Box:
    """Read a claim and return its box, or reject the claim.

    The checker proves that a Newton step is a contraction of the box, and that the box contains a stationary point. For
    each coefficient, the error of the claim must be at least the proved distance from the point to the maximum.
    """
    budget = Budget()
    if isinstance(problem, dict) and problem.get("kind") == "logistic-regression":
        (groups,) = of_kind(problem, "logistic-regression", ["groups"], "problem")
        model = "logit"
    else:
        model, groups = of_kind(problem, "regression", ["model", "groups"], "problem")
    if model not in MODELS:
        raise Rejected("there is no such model of a regression")
    told = of_kind(claim, kind, ["point", "directions", "radius", "errors"], "claim")
    number = budget.number(precision, "digits", MAX_PARAMETER_DIGITS)
    if number.denominator != 1 or not 1 <= number <= MAX_COVER_DIGITS:
        raise Rejected(f"digits is not a whole number from 1 to {MAX_COVER_DIGITS}")
    point = [budget.number(text, "an entry of point") for text in items(told[0], "point")]
    p = len(point)
    directions, scale = matrix_over_one_denominator(read_matrix(told[1], "directions", budget, (p, p)), budget)
    radius = budget.number(told[2], "radius")
    if radius <= 0:
        raise Rejected("radius is not positive")
    errors = [budget.number(text, "an entry of errors") for text in items(told[3], "errors", count=p)]
    family = Family(model, Arithmetic(int(number), budget))
    rows = _read(groups, p, family)
    box = _placed(rows, point, directions, scale, radius, family)
    if model.startswith("ordinal") and rows:
        _require_order(point, directions, scale, radius, len(rows[0][0].matrix[0]))
    sums = _summed(box, [0] * p, [1] * p, radius)
    gradient, rho = sums.bounds(box.under)
    if rho >= 1:
        raise Rejected("the log-likelihood is not proved to be concave on the box")
    reached = gradient / (1 - rho)
    if reached > radius:
        raise Rejected("the box is not proved to contain a stationary point")
    for error, row in zip(errors, directions, strict=True):
        if error < reached * Fraction(sum(map(abs, row)), scale):
            raise Rejected("an error is below the distance that is proved")
    return box


def _require_order(point: Any, directions: Any, scale: int, radius: Fraction, k: int) -> None:
    """Reject unless the thresholds of an ordinal model, its last k - 1 coefficients, increase in the whole box."""
    last = list(zip(point, directions, strict=True))[len(point) - k + 1 :]
    for (low, moving), (high, other) in pairwise(last):
        if high - low <= radius * Fraction(sum(abs(v - w) for v, w in zip(moving, other, strict=True)), scale):
            raise Rejected("the thresholds are not in order in the whole box")


def _read(groups: Any, p: int, family: Family) -> list[tuple[_Row, list[list[Fraction]]]]:
    """Return the rows that have responses, each with the coefficients of its linear predictors."""
    budget, model = family.at.budget, family.model
    found = []
    inputs, extra = inputs_of(model), None
    for group in items(groups, "groups", most=MAX_ENTRIES):
        mechanism, listed = fields(group, ["mechanism", "rows"], "a group")
        matrix = read_mechanism(mechanism, "a mechanism", budget, (None, inputs))
        inputs = len(matrix[0])
        columns(matrix, "a mechanism", budget)
        for row in matrix:
            budget.spend(2 * len(row), max(map(bits_of, row)), max(map(bits_of, row)))
        constants = family.constants(matrix)
        for each in items(listed, "rows", most=MAX_ENTRIES):
            effects: list[Fraction] = []
            if model.startswith("covariate"):
                covariates, moving, texts = fields(each, ["covariates", "effects", "counts"], "a row")
                effects = [budget.number(text, "an effect") for text in items(moving, "effects", count=extra)]
                extra = len(effects)
            else:
                covariates, texts = fields(each, ["covariates", "counts"], "a row")
            number = covariates_of(model, p, inputs, len(effects))
            own = [budget.number(text, "a covariate") for text in items(covariates, "covariates", count=number)]
            counts = [
                budget.number(text, "a count", MAX_PARAMETER_DIGITS)
                for text in items(texts, "counts", count=len(matrix))
            ]
            if min(counts) < 0:
                raise Rejected("a count is negative")
            if any(count and not any(row) for count, row in zip(counts, matrix, strict=True)):
                raise Rejected("a response was given that the mechanism never gives")
            given = [(constant, count) for constant, count in zip(constants, counts, strict=True) if count]
            if given:
                found.append((_Row(given, matrix, counts, [], []), predictors(model, inputs, own, effects)))
    return found


def _placed(
    read: list[tuple[_Row, list[list[Fraction]]]],
    point: list[Fraction],
    directions: list[list[int]],
    scale: int,
    radius: Fraction,
    family: Family,
) -> _Box:
    """Return the box: compute the linear predictors of the rows at the point, and their coefficients y."""
    budget, p = family.at.budget, len(point)
    entries = [entry for _, factors in read for own in factors for entry in own]
    together, centre = over_one_denominator(entries, budget), over_one_denominator(point, budget)
    turned = list(zip(*directions, strict=True))
    longest = together.bits + max(abs(w).bit_length() for row in directions for w in row) + p
    rows, first = [], 0
    for row, factors in read:
        budget.spend_in_bulk(len(factors) * p * (p + 2), together.bits, longest + centre.bits)
        for _ in factors:
            x = together.numerators[first : first + p]
            first += p
            t = Fraction(sum(map(mul, x, centre.numerators)), together.denominator * centre.denominator)
            budget.spend(2, bits_of(t), bits_of(t))
            row.t.append(t)
            row.y.append([sum(map(mul, x, column)) for column in turned])
        rows.append(row)
    return _Box(rows, together.denominator * scale, longest, p, radius, family)


def _summed(
    box: _Box, middle: Sequence[int], halves: Sequence[int], size: Fraction, *, in_parts: bool = False
) -> "_Sums":
    """Return the sums over the rows on the cell ``size (middle_j - halves_j) <= u_j <= size (middle_j + halves_j)``.

    With ``in_parts``, second derivatives are enclosed on the parts of the range of the predictor, which must be one.
    """
    at, p = box.arithmetic, box.p
    digits, wide = at.digits, max(map(int.bit_length, (*middle, *halves)))
    sums = _Sums(p, digits)
    for row in box.rows:
        q = len(row.y)
        at.budget.spend_in_bulk(2 * p * q, box.bits, wide)
        lengths = [sum(abs(v) * h for v, h in zip(y, halves, strict=True)) for y in row.y]
        places, reaches = [], []
        for t, y, length in zip(row.t, row.y, lengths, strict=True):
            reach = size * Fraction(length, box.under)
            if any(middle):
                t += size * Fraction(sum(map(mul, y, middle)), box.under)
            for each in (t, reach):
                at.budget.spend(3, bits_of(each), bits_of(each))
            if abs(t) + reach > MAX_PREDICTOR:
                raise Rejected(f"a linear predictor is beyond {MAX_PREDICTOR} on the box")
            places.append(t)
            reaches.append(reach)
        slopes, bends = box.family.derivatives(places, reaches, row.given)
        if in_parts:
            bends = [[_bends_of_parts(box.family, places[0], reaches[0], row.given)]]
        at.budget.spend_in_bulk(_PER_ENTRY * q * p * (p + 2 + q), 2 * box.bits, box.bits + wide + 4 * digits)
        sums.add(row.y, slopes, bends, lengths)
    at.budget.spend(4 * p * p, 4 * box.bits + 4 * digits, 4 * box.bits)
    return sums


def _bends_of_parts(family: Family, t: Fraction, reach: Fraction, given: list[tuple[Any, Fraction]]) -> Interval:
    """Return an interval around the second derivatives of a row on [t - reach, t + reach], which is cut at CUTS."""
    found, last = [], t - reach
    for cut in [*(cut for cut in CUTS if t - reach < cut < t + reach), t + reach]:
        (((low, high),),) = family.derivatives([(last + cut) / 2], [(cut - last) / 2], given)[1]
        found.append((low, high))
        last = cut
    return min(low for low, _ in found), max(high for _, high in found)


class _Sums:
    """Integer sums over the rows: slopes times y, and midpoints and widths of the curvatures times y y^T."""

    def __init__(self, p: int, digits: int) -> None:
        self.p, self.unit, self._digits = p, 10**digits, digits
        self._step = Decimal((0, (1,), -digits))
        self._longest = MAX_PARAMETER_DIGITS + _SPARE  # digits before the point
        self._wide = Context(digits + self._longest)
        self._low, self._high = [0] * p, [0] * p
        self._middle = [[0] * p for _ in range(p)]
        self._width = [0] * p

    def _whole(self, x: Decimal, rounding: str) -> int:
        """Return x times the unit, rounded to an integer in the given direction."""
        if not x.is_finite() or x.adjusted() >= self._longest:
            raise Rejected("a derivative of a row is too large on the box")
        return int(self._wide.scaleb(x.quantize(self._step, rounding, self._wide), self._digits))

    def add(self, y: list[list[int]], slopes: list[Interval], bends: Bends, lengths: list[int]) -> None:
        """Add a row; ``lengths`` are the sums ``sum_j abs(y_j) halves_j`` of its predictors over the cell."""
        self.add_whole(y, list(map(self._ends, slopes)), [list(map(self._ends, row)) for row in bends], lengths)

    def _ends(self, x: Interval) -> tuple[int, int]:
        return self._whole(x[0], ROUND_FLOOR), self._whole(x[1], ROUND_CEILING)

    def add_whole(
        self,
        y: Sequence[Sequence[int]],
        slopes: list[tuple[int, int]],
        bends: list[list[tuple[int, int]]],
        lengths: Sequence[int],
    ) -> None:
        """Add a row whose bounds are integers in one unit."""
        for own, (low, high), ends in zip(y, slopes, bends, strict=True):
            spread = sum((most - least) * length for (least, most), length in zip(ends, lengths, strict=True))
            twice = [least + most for least, most in ends]
            turned = y[0] if len(y) == 1 else [sum(map(mul, twice, column)) for column in zip(*y, strict=True)]
            scale = twice[0] if len(y) == 1 else 1
            for j, v in enumerate(own):
                if not v:
                    continue
                self._low[j] += (low if v >= 0 else high) * v
                self._high[j] += (high if v >= 0 else low) * v
                self._width[j] += spread * abs(v)
                scaled, sums = scale * v, self._middle[j]
                for k in range(j, self.p):
                    sums[k] += scaled * turned[k]

    def bounds(self, under: int) -> tuple[Fraction, Fraction]:
        """Return bounds on the gradient and on the contraction factor; y is in units of 1/under.

        The first is an upper bound on the absolute entries of the gradient. The second, rho, is an upper bound on the
        maximal row sum of abs(I + H), with H the second derivative on the cell.
        """
        one = 2 * self.unit * under * under
        rho = 0
        for j in range(self.p):
            entries = (self._middle[min(j, k)][max(j, k)] + (one if j == k else 0) for k in range(self.p))
            rho = max(rho, sum(map(abs, entries)) + self._width[j])
        largest = max(map(abs, (*self._low, *self._high)))
        return Fraction(largest, self.unit * under), Fraction(rho, one)

    def is_nowhere_zero(self, halves: Sequence[int], size: Fraction, under: int) -> bool:
        """Return whether some entry of the gradient is proved to have no zero in the cell."""
        for k in range(self.p):
            change = sum(abs(self._middle[min(j, k)][max(j, k)]) * halves[j] for j in range(self.p)) + self._width[k]
            if 2 * under * max(self._low[k], -self._high[k]) > size * change:
                return True
        return False


def _leaves(text: Any, start: Cell, budget: Budget) -> Iterator[tuple[Cell, str]]:
    """Iterate over the leaves of a tree of halved cells and their kinds, in the order of the text."""
    if not isinstance(text, str):
        raise Rejected("a tree of cells is not a text")
    waiting = [(start, 0)]
    for character in text:
        if not waiting:
            raise Rejected("a tree of cells goes on after its end")
        cell, depth = waiting.pop()
        budget.spend(2 + len(cell))
        if character in ("b", "v", "g"):
            yield cell, character
            continue
        axis = _AXES.find(character)
        if not 0 <= axis < len(cell):
            raise Rejected("a character of a tree of cells is neither a coefficient nor a kind of cell")
        if depth == MAX_SPLITS:
            raise Rejected(f"a cell is halved more than {MAX_SPLITS} times")
        low, high = cell[axis]
        middle = (low + high) / 2
        for part in ((middle, high), (low, middle)):
            waiting.append(([*cell[:axis], part, *cell[axis + 1 :]], depth + 1))
    if waiting:
        raise Rejected("a tree of cells ends before all cells are there")


def _require_slope(box: _Box, cell: Cell, tables: Tables) -> None:
    """Reject unless the gradient is proved to have no zero in a cell."""
    parts = [(low + high) / 2 for low, high in cell] + [(high - low) / 2 for low, high in cell]
    whole = over_one_denominator(parts, box.arithmetic.budget)
    middle, halves = whole.numerators[: box.p], whole.numerators[box.p :]
    size = Fraction(1, whole.denominator)
    sums = _Sums(box.p, box.arithmetic.digits)
    if tables.slopes(middle, halves, size, sums.add_whole) and sums.is_nowhere_zero(halves, size, box.under):
        return
    if not _summed(box, middle, halves, size, in_parts=True).is_nowhere_zero(halves, size, box.under):
        raise Rejected("the gradient is not proved to have no zero in a cell")


def _linear(y: Sequence[int], cell: Cell) -> tuple[Fraction, Fraction]:
    """Return the minimum and the maximum of y . u for u in a cell."""
    low = sum(((v * a if v >= 0 else v * b) for v, (a, b) in zip(y, cell, strict=True)), Fraction(0))
    high = sum(((v * b if v >= 0 else v * a) for v, (a, b) in zip(y, cell, strict=True)), Fraction(0))
    return low, high


def _ranges_of_cell(box: _Box, cell: Cell) -> Iterator[tuple[Fraction, Fraction]]:
    """Iterate over the ranges of the linear predictors of the rows in a cell."""
    for row in box.rows:
        box.arithmetic.budget.spend(4 * box.p, box.bits)
        low, high = _linear(row.y[0], cell)
        yield row.t[0] + low / box.under, row.t[0] + high / box.under


def _ranges_of_cone(
    box: _Box, face: Cell, near: Fraction, far: Fraction | None
) -> Iterator[tuple[Fraction | None, Fraction | None]]:
    """Iterate over the ranges of the linear predictors of the rows in a cell of a cone; None is an infinite endpoint.

    The cell consists of the points ``u = f v`` with v on the face and f from near to far, which may be infinite (None).
    """
    for row in box.rows:
        box.arithmetic.budget.spend(4 * box.p + 4, box.bits)
        ends: list[Fraction | None] = []
        for value, outwards in zip(_linear(row.y[0], face), (-1, 1), strict=True):
            factor = far if value * outwards > 0 else near
            ends.append(None if factor is None else row.t[0] + value * factor / box.under)
        yield ends[0], ends[1]


class _Values:
    """Compare the sum of the maximal log-likelihoods of the rows over ranges of predictors with that at the point."""

    def __init__(self, box: _Box) -> None:
        self.box, self.at = box, box.arithmetic
        self._peaks = [self._peak(row) for row in box.rows]
        self._tops = [self._value(row, self.at.of(peak)) for row, peak in zip(box.rows, self._peaks, strict=True)]
        self._least = self.at.zero
        for row in box.rows:
            self._least = self.at.add(self._least, self._value(row, self._truth(row.t[0])))
        self.tables = Tables(box.family, box.rows, box.under, box.bits, self._peaks, self._tops, self._least[0])

    def _peak(self, row: _Row) -> Fraction:
        """Return the probability of truth 1, from 0 to 1, that maximizes the likelihood of a row."""
        (_, (a, b)), (_, yes) = row.matrix, row.counts
        total = sum(row.counts, Fraction(0))
        self.at.budget.spend(6, bits_of(total), max(bits_of(a), bits_of(b)))
        return min(max((yes / total - a) / (b - a), Fraction(0)), Fraction(1)) if a != b else Fraction(0)

    def _truth(self, t: Fraction) -> Interval:
        """Return an interval around F(t), the probability of truth 1, with t clipped to the allowed predictors."""
        return self.box.family.truth(min(max(t, -_MOST), _MOST))

    def _value(self, row: _Row, truth: Interval) -> Interval:
        """Return an interval around the log-likelihood of a row; its lower endpoint may be -infinity."""
        at, found = self.at, self.at.zero
        for (a, b), count in zip(row.matrix, row.counts, strict=True):
            if not count:
                continue
            chance = at.add(at.of(a), at.multiply(at.of(b - a), truth))
            found = at.add(found, at.multiply(at.of(count), at.log_from_zero(chance)))
        return found

    def require_below(self, ranges: Iterator[tuple[Fraction | None, Fraction | None]]) -> None:
        """Reject unless the log-likelihood is proved to be below that at the point for all predictors in the ranges."""
        at, total = self.at, self.at.negative(self._least)
        for row, peak, top, (low, high) in zip(self.box.rows, self._peaks, self._tops, ranges, strict=True):
            best = top
            if low is not None and low > -_MOST and _is_below(peak, first := self._truth(low)):
                best = self._value(row, first)
            elif high is not None and high < _MOST and _is_above(peak, last := self._truth(high)):
                best = self._value(row, last)
            total = at.add(total, best)
        if not total[1] < 0:
            raise Rejected("a value in a cell may reach that at the point")


def _is_below(x: Fraction, interval: Interval) -> bool:
    return x < Fraction(interval[0])


def _is_above(x: Fraction, interval: Interval) -> bool:
    return x > Fraction(interval[1])
