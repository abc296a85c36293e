"""The models of a regression: enclosures of the derivatives of a row's log-likelihood (rules 35 and 39).

A row has q linear predictors t_j, each a scalar product of the coefficients with numbers of the row. A response has the
probability ``P = sum_x M_x pi_x``. Here M is the row of the mechanism that belongs to the response, and pi_x is the
probability of the truth x in the model. In a logistic or multinomial model ``P = (sum_x M_x e^t_x)/(sum_x e^t_x)`` with
t_0 = 0, and the same code encloses the derivatives of the logarithms of both sums. The linear model is a
sum of squares, whose second derivative is constant. In all other models P is linear in each distribution function, and
P, its gradient and its second derivative are intervals.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from .documents import Rejected
from .intervals import ONE, Arithmetic, Interval

_TWO, _HALF, _QUARTER = Fraction(2), Fraction(1, 2), Fraction(1, 4)
_NEAR = 5  # the normal distribution function is computed by a series up to here, and by a continued fraction beyond
_TERMS = 60  # of the continued fraction
_GUARD = 10  # additional digits of integer computations

COVERED = ("logit", "probit")  # models with one predictor, in which Pr(X = 1) increases
MODELS = (*COVERED, "linear", "ordinal-logit", "ordinal-probit", "multinomial", "covariate-logit", "covariate-probit")

Bends = list[list[Interval]]


class Range(NamedTuple):
    """Enclosures of a distribution function F, its density f and the derivative of f over an interval."""

    F: Interval
    f: Interval
    slope: Interval


def inputs_of(model: str) -> int | None:
    """Return the number of inputs of a mechanism of the model; None if any number is allowed."""
    if model.startswith("covariate"):
        return 4
    return None if model.startswith("ordinal") or model == "multinomial" else 2


def covariates_of(model: str, p: int, k: int, effects: int) -> int:
    """Return the number of covariates of a row, for p coefficients and k inputs; -1 (or below 0) if p is impossible."""
    if model == "multinomial":
        return p // (k - 1) if k > 1 and p % (k - 1) == 0 else -1
    if model.startswith("ordinal"):
        return p - k + 1 if k > 1 else -1
    if model.startswith("covariate"):
        return (p - effects) // 2 if (p - effects) % 2 == 0 else -1
    return p


def predictors(model: str, k: int, x: list[Fraction], effects: list[Fraction]) -> list[list[Fraction]]:
    """Return, for each linear predictor, the factors by which it multiplies the coefficients."""
    zero = Fraction(0)
    nothing = [zero] * len(x)
    if model == "multinomial":
        return [[*nothing * j, *x, *nothing * (k - 2 - j)] for j in range(k - 1)]
    if model.startswith("ordinal"):
        return [[*(-v for v in x), *(Fraction(int(i == j)) for i in range(k - 1))] for j in range(k - 1)]
    if model.startswith("covariate"):
        none = [zero] * len(effects)
        return [[*nothing, *none, *x], [*x, *none, *nothing], [*x, *effects, *nothing]]
    return [x]


class Family:
    """A model: enclosures of the derivatives of the log-likelihoods of its rows, in an interval arithmetic."""

    def __init__(self, model: str, at: Arithmetic) -> None:
        self.model, self.at = model, at
        self.is_ratio = model in ("logit", "multinomial")
        self.link = "probit" if model.endswith("probit") else "logit"
        self.half = at.of(_HALF)
        self._root: Interval | None = None

    # --- responses

    def constants(self, matrix: Sequence[Sequence[Fraction]]) -> list[Any]:
        """Return, for each output of a mechanism, the constants from which the derivatives are computed."""
        if self.is_ratio:
            return [self._ratios(row) for row in matrix]
        if self.model == "linear":
            (_, (a, b)) = matrix if len(matrix) == 2 else ((), (0, 0))
            if a == b:
                raise Rejected("a mechanism of a linear model has not two outputs that depend on the truth")
            return [(z - a) / (b - a) for z in (0, 1)]
        if self.model.startswith("covariate"):
            return [[self.at.of(v) for v in (a, b - a, c, d - c)] for a, b, c, d in matrix]
        sign = 1 if self.model == "probit" else -1  # Pr(X = 1) = F(t), but Pr(X <= j) = F(t_j)
        found = []
        for row in matrix:
            steps = [self.at.of(sign * (after - before)) for before, after in pairwise(row)]
            found.append((self.at.of(row[0] if sign == 1 else row[-1]), steps))
        return found

    def _ratios(self, row: Sequence[Fraction]) -> list[list[tuple[int, Interval]] | None]:
        """Return the ratios M_x/M_j of the row of an output for each input j >= 1, as pairs (x, ratio).

        Only x != j with M_x > 0 are listed. The entry of an input j with M_j = 0 is None.
        """
        return [
            [(other, self.at.of(row[other] / own)) for other in range(len(row)) if other != j and row[other]]
            if own
            else None
            for j, own in enumerate(row)
            if j
        ]

    def derivatives(
        self, t: list[Fraction], reach: list[Fraction], given: list[tuple[Any, Fraction]]
    ) -> tuple[list[Interval], Bends]:
        """Return enclosures of the gradient in the predictors at t and of the second derivative in their ranges.

        Args:
            t, reach: length q; predictor j differs from t_j by at most reach_j.
            given: the constants and the count of each output.
        """
        q = len(t)
        slope, bend = [self.at.zero] * q, [[self.at.zero] * q for _ in range(q)]
        if self.model == "linear":
            total = sum((count for _, count in given), Fraction(0))
            pull = sum((count * value for value, count in given), Fraction(0))
            return [self.at.of(pull - total * t[0])], [[self.at.of(-total)]]
        if self.is_ratio:
            self._add_ratios(t, reach, given, slope, bend)
        else:
            self._add_intervals(t, reach, given, slope, bend)
        return slope, bend

    def _add_ratios(self, t: Any, reach: Any, given: Any, slope: list[Interval], bend: Bends) -> None:
        """Add the derivatives of a logistic or multinomial model: logarithms of two sums of exponentials."""
        at, q = self.at, len(t)
        falling = [[at.exp(at.of(-end)) for end in (v, v + s, v - s)] for v, s in zip(t, reach, strict=True)]
        rising = [
            [at.exp(at.of(end)) for end in (v, v - s, v + s)] if q > 1 else [] for v, s in zip(t, reach, strict=True)
        ]
        total = sum((count for _, count in given), Fraction(0))
        for ratios, count in [*given, (self._ratios([Fraction(1)] * (q + 1)), -total)]:
            weight = at.of(count)
            shares: list[Interval | None] = []
            for j, own in enumerate(ratios):
                shares.append(None)
                if own is None:
                    continue
                near, low, high = ([at.multiply(r, falling[j][end]) for _, r in own] for end in range(3))
                for i, (other, _) in enumerate(own):
                    if other:
                        near[i], low[i], high[i] = (
                            at.multiply(part[i], rising[other - 1][end]) for end, part in enumerate((near, low, high))
                        )
                odds, least, most = (self._sum(part) for part in (near, low, high))
                slope[j] = at.add(slope[j], at.multiply(weight, at.inverse(at.add(at.unit, odds))))
                if own:
                    bend[j][j] = at.add(bend[j][j], at.multiply(weight, _curved(least, most, at)))
                if q > 1:
                    ends = [at.inverse(at.add(at.unit, end)) for end in (most, least)]
                    shares[j] = ends[0][0], ends[1][1]
            for j, first in enumerate(shares):
                for i, second in enumerate(shares[:j]):
                    if first is not None and second is not None:
                        product = at.negative(at.multiply(weight, at.multiply(first, second)))
                        bend[j][i] = bend[i][j] = at.add(bend[j][i], product)

    def _sum(self, parts: list[Interval]) -> Interval:
        found = self.at.zero
        for part in parts:
            found = self.at.add(found, part) if found is not self.at.zero else part
        return found

    def _add_intervals(self, t: Any, reach: Any, given: Any, slope: list[Interval], bend: Bends) -> None:
        """Add the derivatives of a model whose probabilities are linear in each distribution function."""
        at, q = self.at, len(t)
        links = ["logit", self.link, self.link] if self.model.startswith("covariate") else [self.link] * q
        here = [self.range(name, v, Fraction(0)) for name, v in zip(links, t, strict=True)]
        wide = [self.range(name, v, s) for name, v, s in zip(links, t, reach, strict=True)]
        for constants, count in given:
            weight = at.of(count)
            chance, first, _ = self._chance(constants, here)
            for j in range(q):
                slope[j] = at.add(slope[j], at.multiply(weight, at.multiply(first[j], chance)))
            chance, first, second = self._chance(constants, wide)
            relative = [at.multiply(v, chance) for v in first]
            for j in range(q):
                for i in range(j + 1):
                    curve = at.multiply(second[j][i], chance)
                    curve = at.add(curve, at.negative(at.multiply(relative[j], relative[i])))
                    bend[j][i] = at.add(bend[j][i], at.multiply(weight, curve))
                    bend[i][j] = bend[j][i]

    def _chance(self, constants: Any, ranges: list[Range]) -> tuple[Interval, list[Interval], Bends]:
        """Return enclosures of 1/P and of the gradient and second derivative of P; reject unless P > 0 is proved."""
        at, q = self.at, len(ranges)
        second = [[at.zero] * q for _ in range(q)]
        if self.model.startswith("covariate"):
            x, low, high = ranges
            base = [
                at.add(constants[2 * i], at.multiply(constants[2 * i + 1], part.F))
                for i, part in enumerate((low, high))
            ]
            step = at.add(base[1], at.negative(base[0]))
            no = at.add(at.unit, at.negative(x.F))
            first = [
                at.multiply(x.f, step),
                at.multiply(no, at.multiply(constants[1], low.f)),
                at.multiply(x.F, at.multiply(constants[3], high.f)),
            ]
            second[0][0] = at.multiply(x.slope, step)
            second[1][0] = at.negative(at.multiply(x.f, at.multiply(constants[1], low.f)))
            second[2][0] = at.multiply(x.f, at.multiply(constants[3], high.f))
            second[1][1] = at.multiply(no, at.multiply(constants[1], low.slope))
            second[2][2] = at.multiply(x.F, at.multiply(constants[3], high.slope))
            ends = [self._mixed(end, base) for end in x.F]
            chance = min(end[0] for end in ends), max(end[1] for end in ends)
        else:
            chance, steps = constants
            for step, part in zip(steps, ranges, strict=True):
                chance = at.add(chance, at.multiply(step, part.F))
            first = [at.multiply(step, part.f) for step, part in zip(steps, ranges, strict=True)]
            for j, (step, part) in enumerate(zip(steps, ranges, strict=True)):
                second[j][j] = at.multiply(step, part.slope)
        if chance[0] <= 0:
            raise Rejected("a response is not proved to be possible on the whole box")
        return at.inverse(chance), first, second

    def _mixed(self, truth: Any, base: list[Interval]) -> Interval:
        """Return an interval around ``(1 - truth) base[0] + truth base[1]``, for a number ``truth`` from 0 to 1."""
        at, point = self.at, (truth, truth)
        no = at.add(at.unit, at.negative(point))
        return at.add(at.multiply(no, base[0]), at.multiply(point, base[1]))

    # --- distribution functions

    def truth(self, t: Fraction) -> Interval:
        """Return an interval around F(t)."""
        if self.link == "probit":
            return self.normal(t)[0]
        return self.at.inverse(self.at.add(self.at.unit, self.at.exp(self.at.of(-t))))

    def range(self, link: str, t: Fraction, reach: Fraction) -> Range:
        """Return enclosures of F, f and f' for all numbers that differ from t by at most reach."""
        at, ends = self.at, [t - reach, t + reach]
        if link == "probit":
            values = [self.normal(end) for end in ends]
            top = self.normal(Fraction(0))[1] if ends[0] < 0 < ends[1] else None
            factor = at.of(-ends[1])[0], at.of(-ends[0])[1]
        else:
            odds = [at.exp(at.of(-end)) for end in ends]
            values = [(at.inverse(at.add(at.unit, q)), _curved(q, q, at)) for q in odds]
            top = at.of(_QUARTER) if ends[0] < 0 < ends[1] else None
            factor = at.add(at.unit, at.negative(at.multiply(at.of(_TWO), (values[0][0][0], values[1][0][1]))))
        F = values[0][0][0], values[1][0][1]
        densities = [value for _, value in values] + ([top] if top else [])
        f = min(value[0] for value in densities), max(value[1] for value in densities)
        return Range(F, f, at.multiply(factor, f))

    def normal(self, x: Fraction) -> tuple[Interval, Interval]:
        """Return intervals around the standard normal distribution function and its density at x."""
        at, size = self.at, self.at.of(abs(x))
        square = at.multiply(at.multiply(size, size), self.half)
        density = at.multiply(at.exp(at.negative(square)), self._constant())
        if abs(x) <= _NEAR:
            middle = at.multiply(density, self._series(size))
            body, tail = at.add(self.half, middle), at.add(self.half, at.negative(middle))
        else:
            lower = upper = size  # convergents of x + 1/(x + 2/(x + ...)), alternately below and above its value
            for n in range(_TERMS, 0, -1):
                weight = at.of(Fraction(n))
                lower = at.add(size, at.multiply(weight, at.inverse(lower)))
                if n > 1:
                    upper = at.add(size, at.multiply(at.of(Fraction(n - 1)), at.inverse(upper)))
            mills = min(lower[0], upper[0]), max(lower[1], upper[1])
            tail = at.multiply(density, at.inverse(mills))
            body = at.add(at.unit, at.negative(tail))
        return (body if x >= 0 else tail), density

    def _series(self, x: Interval) -> Interval:
        """Return an interval around ``sum_n x^(2n+1)/(1 3 5 ... (2n+1))`` for x >= 0, by integers rounded outwards."""
        unit = 10 ** (self.at.digits + _GUARD)
        low, high = int(Fraction(x[0]) * unit), -int(-Fraction(x[1]) * unit // 1)
        least, most = low * low // unit, -(-high * high // unit)
        total_low, total_high, n = low, high, 1
        while high > 1 or 2 * most > unit * (n + 2):
            n += 2
            low, high = low * least // (unit * n), -(-high * most // (unit * n))
            total_low, total_high = total_low + low, total_high + high
        self.at.budget.spend(4 + n // 8 * (1 + self.at.digits // 60))
        return self.at.of(Fraction(total_low, unit))[0], self.at.of(Fraction(total_high + high, unit))[1]

    def _constant(self) -> Interval:
        """Return an interval around 1/sqrt(2 pi)."""
        if self._root is None:
            at, unit = self.at, 10 ** (self.at.digits + _GUARD)
            parts = [16 * _arctangent(5, unit), -4 * _arctangent(239, unit)]  # Machin's formula for pi
            error = 40 * self.at.digits + 1000
            at.budget.spend(100 + at.digits)
            twice = [Fraction(2 * (sum(parts) + sign * error), unit) for sign in (-1, 1)]
            root = at.power((at.of(twice[0])[0], at.of(twice[1])[1]), _HALF)
            self._root = at.inverse(root)
        return self._root


def _arctangent(n: int, unit: int) -> int:
    """Return the arctangent of 1/n in units of 1/unit, by a series; each term has an error of at most 2 units."""
    power, total, k = unit // n, unit // n, 1
    while power:
        power //= -n * n
        k += 2
        total += power // k
        power = power if abs(power) > 1 else 0
    return total


def _curved(low: Interval, high: Interval, at: Arithmetic) -> Interval:
    """Return the range of 1/(2 + q + 1/q) for q from low to high; it increases up to q = 1 and then decreases."""
    two = at.add(at.unit, at.unit)
    ends = [at.inverse(at.add(two, at.add(q, at.inverse(q)))) for q in (low, high)]
    if low[0] <= ONE <= high[1]:
        ends.append(at.of(_QUARTER))
    return min(end[0] for end in ends), max(end[1] for end in ends)
