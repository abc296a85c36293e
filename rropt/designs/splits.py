"""Optimal allocation of a privacy budget to independent yes/no questions: two routes.

*The routes* are the equal split and the split at a multiplier. Each returns the rational
odds bound x of Warner's design for every question, and 1 for a question of weight 0. The product of the odds bounds is
at most gamma, exactly. Only the distance from the optimum depends on floats, and the slopes at the split prove how
small it is.

*The split at a multiplier* lambda satisfies ``w x (x+1) = lambda (x-1)^3`` for a question of weight w. With u = log x
and ``v = sinh(u/2)^2 = (x-1)^2/(4x)`` this is ``v^3 = k (v + 1)``, where ``k = (w/4 lambda)^2``. Cardano's formula
gives the only positive root. The sum of the u decreases in lambda. Bisection finds lambda in floats, and Newton's
method refines lambda and the odds bounds in decimals.

*The objectives* are convex in ``u_l = log x_l`` for the odds bounds x_l of the questions, ``sum u_l <= log gamma``:

* ``marginals``: ``sum_l w_l n Var_l`` with ``n Var = pi(1-pi) + h`` and ``h = x/(x-1)^2 = 1/(4 sinh(u/2)^2)``, because
  ``h'' = (2 cosh(u/2)^2 + 1)/(8 sinh(u/2)^4) > 0``.
* ``joint``: ``prod_l c_l - |pi|^2``, the trace of n times the covariance of the joint distribution (Vinterbo 2018,
  Lemma 4.5). Its logarithm without the constant is convex: ``c = (x^2+1)/(x-1)^2 = cosh u/(cosh u - 1)`` has
  ``(log c)'' = 1/cosh(u)^2 + 1/(2 sinh(u/2)^2) > 0``. The distribution pi enters only through the constant ``|pi|^2``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction
from math import acos, asinh, cos, exp, expm1, log, log10, prod, sqrt
from typing import Any, ClassVar

from rropt.core.errors import InvalidParameterError, one_of, shown
from rropt.core.exact import as_text, rational_where
from rropt.core.exact.numbers import natural_log
from rropt.core.visible import with_noun
from rropt.mechanisms.columns import listed

MAX_QUESTIONS = 256  # the checker's budget allows about 300 questions with different weights


@dataclass(frozen=True, slots=True)
class Marginals:
    """The weighted sum ``sum_l w_l n Var_l`` over the estimated prevalences.

    Attributes:
        is_product: whether the objective is a product over the questions instead of a sum.
        weights: w_l >= 0, not all 0.
        prevalences: assumed values of Pr(bit l = 1); they change the value, but not the optimal split.
    """

    kind: ClassVar[str] = "marginals"
    is_product: ClassVar[bool] = False
    title: ClassVar[str] = "sum of w n Var"
    weights: tuple[Fraction, ...]
    prevalences: tuple[Fraction, ...]

    def __str__(self) -> str:
        return self.title

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The weights; questions with equal weights receive equal budgets."""
        return self.weights

    def value(self, parities: Sequence[Fraction]) -> Fraction:
        """Return the objective for the odds bounds x_l of the questions."""
        terms = zip(self.weights, self.prevalences, parities, strict=True)
        return sum((w * (pi * (1 - pi) + x / (x - 1) ** 2) for w, pi, x in terms if w), Fraction(0))

    def scale(self, parities: Sequence[Fraction]) -> Fraction:
        """Return 1: the objective itself is a sum of convex functions."""
        return Fraction(1)

    def slope(self, excess: Any) -> tuple[Any, Any]:
        """Return ``g = -h' = x (x+1)/(x-1)^3`` and ``-g' = x (x^2 + 4x + 1)/(x-1)^4`` at x = 1 + excess."""
        x = 1 + excess
        return x * (x + 1) / excess**3, x * (x * x + 4 * x + 1) / excess**4

    def certified(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        texts = {name: [as_text(x) for x in getattr(self, name)] for name in ("weights", "prevalences")}
        return {"kind": self.kind, **texts}


@dataclass(frozen=True, slots=True)
class JointTrace:
    """The objective ``prod_l c_l - |pi|^2``: n times the trace of the covariance of the estimated joint distribution.

    Attributes:
        is_product: whether the objective is a product over the questions instead of a sum.
        prevalences: the prevalences of the independent questions. Prevalences of 1/2 give the uniform distribution,
            which is the worst case.
    """

    kind: ClassVar[str] = "joint"
    is_product: ClassVar[bool] = True
    title: ClassVar[str] = "n tr Cov"
    prevalences: tuple[Fraction, ...]

    def __str__(self) -> str:
        return self.title

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The weights of the questions in the split: all 1."""
        return (Fraction(1),) * len(self.prevalences)

    @property
    def squares(self) -> Fraction:
        """The squared norm ``|pi|^2`` of the joint distribution."""
        return prod((p * p + (1 - p) ** 2 for p in self.prevalences), start=Fraction(1))

    def value(self, parities: Sequence[Fraction]) -> Fraction:
        """Return the objective for the odds bounds x_l of the questions."""
        return self.scale(parities) - self.squares

    def scale(self, parities: Sequence[Fraction]) -> Fraction:
        """Return ``prod c_l``, whose logarithm is a sum of convex functions."""
        return prod(((x * x + 1) / (x - 1) ** 2 for x in parities), start=Fraction(1))

    def slope(self, excess: Any) -> tuple[Any, Any]:
        """Return ``g = -(log c)' = 2x (x+1)/((x^2+1)(x-1))`` and ``-g' = 4x^2/(x^2+1)^2 + 2x/(x-1)^2``."""
        x = 1 + excess
        square = x * x + 1
        return 2 * x * (x + 1) / (square * excess), 4 * x * x / square**2 + 2 * x / excess**2

    def certified(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        return {"kind": self.kind, "questions": str(len(self.prevalences)), "squares": as_text(self.squares)}


Objective = Marginals | JointTrace


def split_objective(
    name: str, questions: int | None, weights: Sequence[object] | None, prevalences: Sequence[object] | None
) -> Objective:
    """Check the arguments of ``design_bits`` and return the objective.

    Raises:
        InvalidParameterError: lists have different lengths, a number is out of range, or a name is unknown.
    """
    one_of(name, ("marginals", "joint"), "objective")
    given: dict[str, list[Any]] = {}
    for what, x in (("weights", weights), ("prevalences", prevalences)):
        numbers = None if x is None else listed(x, flat=True)
        if numbers is not None:
            given[what] = numbers
        elif x is not None:
            raise InvalidParameterError(
                f"{what} are not a list: received {shown(x)}; allowed is a number for each question"
            )
    if questions is None and not given:
        raise InvalidParameterError(
            "the number of questions is missing: give `questions`, or a list of weights or prevalences"
        )
    n = questions if questions is not None else len(next(iter(given.values()), []))
    if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= MAX_QUESTIONS:
        raise InvalidParameterError(
            f"the number of questions is out of range: received {shown(n)}; allowed is an integer from 1 to "
            f"{MAX_QUESTIONS}, or a list of weights or prevalences"
        )
    for what, numbers in given.items():
        if len(numbers) != n:
            raise InvalidParameterError(
                f"{what} do not fit the questions: received {with_noun(len(numbers), 'number')}; give {n}"
            )
    pi = tuple(
        rational_where(x, lambda p: 0 <= p <= 1, "0 <= prevalence <= 1", name=f"prevalence {q}")
        for q, x in enumerate(given.get("prevalences", ["1/2"] * n))
    )
    if name == "joint":
        if weights is not None:
            raise InvalidParameterError(
                "weights belong to the objective marginals: received them with joint; leave them out"
            )
        return JointTrace(pi)
    w = tuple(
        rational_where(x, lambda w: w >= 0, "weight >= 0", name=f"weight {q}")
        for q, x in enumerate(given.get("weights", [1] * n))
    )
    if not any(w):
        raise InvalidParameterError("the weights are all 0: received nothing to estimate; give one that is positive")
    return Marginals(w, pi)


_SIMPLE = 10**6  # largest denominator of the simple odds bounds that are tried for an optimum without a gap
_HALVINGS = 200  # of the interval that contains the logarithm of the multiplier
_STEPS = 60  # of Newton's method: three or four are usual
_SPARE = 30  # additional digits of the decimals in computations
_LARGE, _SMALL = 200.0, -600.0  # logarithms of k beyond which the root is a power of k to float precision

Parities = tuple[Fraction, ...]


def equal_split(objective: Objective, gamma: Fraction, digits: int) -> Parities:
    """Return the odds bound ``gamma^(1/m)`` for each of the m questions of positive weight, and 1 for the others."""
    count = sum(map(bool, objective.shares))
    size = natural_log(gamma) / count
    with localcontext(_context(digits, [expm1(min(size, 1.0))])):
        root = (_logarithm(gamma) / count).exp() - 1
    return _rounded([root if share else Decimal(0) for share in objective.shares], gamma, digits)


def multiplier_split(objective: Objective, gamma: Fraction, digits: int) -> Parities:
    """Return the split at which the weighted slopes of all questions equal one multiplier (the optimum)."""
    positive = [share for share in objective.shares if share]
    if objective.is_product:
        start = [natural_log(gamma) / len(positive)] * len(positive)
    else:
        start = _bisected([float(share / max(positive)) for share in positive], natural_log(gamma))
    found = iter(_refined(objective, positive, [expm1(u) for u in start], gamma, digits))
    return _rounded([next(found) if share else Decimal(0) for share in objective.shares], gamma, digits)


def _rounded(excesses: Sequence[Decimal], gamma: Fraction, digits: int) -> Parities:
    """Round the excesses y down to the given number of significant digits, and return the odds bounds 1 + y.

    Their product is at most gamma. If fractions with small denominators are equally close and their product is exactly
    gamma, the function returns these fractions.
    """
    simple = [Fraction(y).limit_denominator(_SIMPLE) for y in excesses]
    near = Fraction(1, 10 ** (digits - 2))
    if all(abs(s - Fraction(y)) <= near * Fraction(y) for s, y in zip(simple, excesses, strict=True)):
        parities = tuple(1 + s for s in simple)
        if prod(parities, start=Fraction(1)) == gamma:
            return parities
    context = Context(prec=digits, rounding=ROUND_FLOOR)
    shrunk = Decimal(10) ** -digits
    while True:
        parities = tuple(1 + Fraction(context.plus(y)) for y in excesses)
        if prod(parities, start=Fraction(1)) <= gamma:
            return parities
        excesses = [context.fma(y, -shrunk, y) for y in excesses]
        shrunk *= 4  # an excess from a float has an error far above these digits


def _context(digits: int, excesses: Sequence[float]) -> Context:
    """Return a decimal context in which 1 + y keeps the digits of the smallest y."""
    zeros = max(0, -int(log10(min(excesses))))
    return Context(prec=digits + _SPARE + 3 * zeros)


def _logarithm(gamma: Fraction) -> Decimal:
    return (Decimal(gamma.numerator) / Decimal(gamma.denominator)).ln()


def _bisected(weights: Sequence[float], budget: float) -> list[float]:
    """Return the u = log x at the multiplier for which they sum to the budget; the largest weight is 1."""

    def sizes(logarithm: float) -> list[float]:
        return [_at_multiplier(2 * (log(w / 4) - logarithm)) for w in weights]

    low, high = -1.0, 1.0
    while sum(sizes(low)) < budget:
        low *= 2
    while sum(sizes(high)) > budget:
        high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(sizes(middle)) > budget else (low, middle)
    return sizes(low)


def _at_multiplier(power: float) -> float:
    """Return u = 2 asinh(sqrt(v)) for the positive root of ``v^3 = k (v + 1)``, k = exp(power)."""
    if power > _LARGE:
        return 2 * log(2) + power / 2  # v = sqrt(k), exp(u) = 4 v
    if power < _SMALL:
        return 2 * exp(power / 6)  # v = k^(1/3)
    k = exp(power)
    if k < 27 / 4:
        root = (k / 2 + sqrt(k * k / 4 - k**3 / 27)) ** (1 / 3)
        v = root + k / 3 / root
    else:
        v = 2 * sqrt(k / 3) * cos(acos(1.5 * sqrt(3 / k)) / 3)
    return 2 * asinh(sqrt(v))


def _refined(
    objective: Objective, weights: Sequence[Fraction], excesses: Sequence[float], gamma: Fraction, digits: int
) -> list[Decimal]:
    """Return the excesses y = x - 1 by Newton's method for ``w g(u) = lambda``, ``sum u = log gamma``, in decimals."""
    with localcontext(_context(digits, excesses)) as context:
        y = [Decimal(each) for each in excesses]
        w = [Decimal((x := weight / max(weights)).numerator) / Decimal(x.denominator) for weight in weights]
        for _ in range(_STEPS):
            values, falls = zip(*map(objective.slope, y), strict=True)  # g, -dg/du
            rest = _logarithm(gamma) - sum((1 + each).ln() for each in y)
            above = sum(g / f for g, f in zip(values, falls, strict=True)) - rest
            multiplier = above / sum(1 / (each * f) for each, f in zip(w, falls, strict=True))
            steps = [(each * g - multiplier) / (each * f) for each, g, f in zip(w, values, falls, strict=True)]
            y = [(1 + each) * step.exp() - 1 for each, step in zip(y, steps, strict=True)]
            if max(abs(step / each) for step, each in zip(steps, y, strict=True)) < Decimal(10) ** -(digits // 2 + 8):
                break
        return [context.plus(each) for each in y]


ROUTES = {"closed-form": equal_split, "multiplier": multiplier_split}
