"""Zero-concentrated privacy of k-ary randomized response: rho, the supremum of D_a/a (rule 29, zcdp_rule.md).

With ``u = a - 1/2``, ``s = u^2`` and ``r = (k - 2)/(2 e^(eps/2))`` the quotient D_a/a is the slope of a secant of
``G(s) = log(cosh(eps sqrt s) + r)`` from s = 1/4. G is convex and then concave: its derivative at a point of the
concave part where the tangent is steeper than the secant bounds all slopes. All numbers are intervals.
"""

from fractions import Fraction
from typing import Any

from .brackets import gamma_bracket
from .documents import Budget, Rejected, fields, of_kind
from .intervals import Arithmetic, Interval
from .limits import MAX_COVER_DIGITS, MAX_PARAMETER_DIGITS, MAX_ZCDP_CATEGORIES

EXPLAINED = {
    "kary-zcdp": "The quotient of the Renyi divergence and its order is the slope of a secant of a function that is "
    "convex and then concave; a tangent bounds all of them.",
}

_HALF, _QUARTER = Fraction(1, 2), Fraction(1, 4)


def check_zcdp(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind rho."""
    budget = Budget()
    categories, epsilon = of_kind(problem, "zcdp", ["categories", "epsilon"], "problem")
    lower, upper = of_kind(claim, "rho", ["lower", "upper"], "claim")
    _, gamma, order, precision = fields(witness, ["rule", "gamma", "order", "digits"], "witness")
    k = budget.number(categories, "categories", MAX_PARAMETER_DIGITS)
    if not 2 <= k <= MAX_ZCDP_CATEGORIES:
        raise Rejected(f"categories is not a number from 2 to {MAX_ZCDP_CATEGORIES}")
    bracket = gamma_bracket(epsilon, gamma, budget)
    a = budget.number(order, "the order", MAX_PARAMETER_DIGITS)
    if a < 1:
        raise Rejected("the order is below 1")
    digits = budget.number(precision, "digits", MAX_PARAMETER_DIGITS)
    if digits.denominator != 1 or not 1 <= digits <= MAX_COVER_DIGITS:
        raise Rejected(f"digits is not a whole number from 1 to {MAX_COVER_DIGITS}")
    ends = budget.number(lower, "lower"), budget.number(upper, "upper")
    arithmetic = Arithmetic(int(digits), budget)
    below, above = (_Response(k, g, arithmetic) for g in bracket)
    if arithmetic.of(ends[0])[1] > below.slope(a)[0] and ends[0] > 0:
        raise Rejected("lower is above the divergence at the order")
    if arithmetic.of(ends[1])[0] < above.most(a)[1]:
        raise Rejected("upper is below the slope of the tangent")


class _Response:
    """The laws (g, 1, k - 2)/(g + k - 1) and (1, g, k - 2)/(g + k - 1): k-ary randomized response for whole k."""

    def __init__(self, k: Fraction, g: Fraction, arithmetic: Arithmetic) -> None:
        self.k, self.g, self.at = k, g, arithmetic
        self.level = arithmetic.log(arithmetic.of(g))

    def _minus(self, a: Interval, b: Interval) -> Interval:
        return self.at.add(a, self.at.negative(b))

    def _over(self, a: Interval, b: Interval) -> Interval:
        return self.at.multiply(a, self.at.inverse(b))

    def slope(self, a: Fraction) -> Interval:
        """Return D_a/a."""
        if a == 1:
            return self.at.multiply(self.level, self.at.of((self.g - 1) / (self.g + self.k - 1)))
        power = self.at.exp(self.at.multiply(self.at.of(a), self.level))
        ends = self.at.add(power, self.at.multiply(self.at.of(self.g), self.at.inverse(power)))
        inside = self._over(self.at.add(ends, self.at.of(self.k - 2)), self.at.of(self.g + self.k - 1))
        return self.at.multiply(self.at.log(inside), self.at.of(1 / (a * (a - 1))))

    def most(self, a: Fraction) -> Interval:
        """Return a bound on D_a/a for all orders."""
        if self.g == 1:
            return self.at.zero
        if a == 1:
            self._require_concave(self.level, self.at.of(self.g), self.at.of(self.k - 2))
            return self.slope(a)
        u = a - _HALF
        t = self.at.multiply(self.at.of(u), self.level)
        power = self.at.exp(t)
        root = self.at.power(self.at.of(self.g), _HALF)
        rest = self._over(self.at.of((self.k - 2) / 2), root)
        # twice t, exp(2 t), and (k - 2) exp(t - eps/2), as at the order 1
        self._require_concave(
            self.at.add(t, t),
            self.at.multiply(power, power),
            self._over(self.at.multiply(self.at.of(self.k - 2), power), root),
        )
        inverse, half = self.at.inverse(power), self.at.of(_HALF)
        sinh, cosh = (self.at.multiply(half, x) for x in (self._minus(power, inverse), self.at.add(power, inverse)))
        # G' = (eps^2/2) sinh t/(t (cosh t + r)) = eps sinh t/(2 u (cosh t + r))
        tangent = self._over(
            self.at.multiply(self.level, sinh), self.at.multiply(self.at.of(2 * u), self.at.add(cosh, rest))
        )
        if self._minus(tangent, self.slope(a))[0] < 0:
            raise Rejected("the tangent at the order is not proved to be as steep as the secant")
        return tangent

    def _require_concave(self, twice: Interval, square: Interval, factor: Interval) -> None:
        """Require ``r (t cosh t - sinh t) <= sinh t cosh t - t``, times 4: by 2 t, e^(2 t) and ``2 r e^t``."""
        inverse, half = self.at.inverse(square), self.at.of(_HALF)
        left = self._minus(
            self.at.multiply(self.at.multiply(half, twice), self.at.add(self.at.unit, inverse)),
            self._minus(self.at.unit, inverse),
        )
        right = self._minus(self._minus(square, inverse), self.at.add(twice, twice))
        if self._minus(right, self.at.multiply(factor, left))[0] < 0:
            raise Rejected("the function is not proved to be concave from the order on")
