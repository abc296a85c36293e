"""The divergences: total variation, chi-square, Hellinger, Kullback-Leibler, Jensen-Shannon, and those of an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.exact import rational_where
from rropt.core.exact.numbers import split_list
from rropt.core.exact.rational_bounds import ball
from rropt.core.lazy import numpy as np
from rropt.objectives.objective import register_objective
from rropt.objectives.two_populations import Divergence

if TYPE_CHECKING:
    from rropt.objectives.ray_criteria import Array

_NEARLY_EQUAL = 0.01  # relative differences of a and b below which floats take the Taylor series of f
_NEAR = 0.5  # relative difference of a and b below which a term of some order is computed from the difference
MOST = 10  # largest absolute value of the order, and largest denominator


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class TotalVariation(Divergence):
    """Maximize half the sum of ``abs(Pr(output i) - Pr'(output i))`` for two distributions of the categories.

    This is the advantage of the best test, over guessing, in distinguishing the two distributions from one response.

    Attributes:
        against: the other distribution of the categories, shape (k,).

    >>> from rropt.mechanisms import Mechanism
    >>> print(TotalVariation(["1/4", "3/4"]).value(Mechanism.binary("3/4", "3/4"), ["3/4", "1/4"]))
    1/4
    """

    kind = "total-variation"
    title = "total variation"
    form = '{"kind": "total-variation", "against": [...]}'
    is_rational = True
    is_piecewise_linear = True

    def ratios(self, population: Sequence[Fraction]) -> list[Fraction]:
        """Return 1 where pi exceeds q, and 0 elsewhere: two outputs are optimal, and tell these groups apart."""
        return [Fraction(p > q) for p, q in zip(population, self.against, strict=True)]

    def absolute_line(self, population: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """Return ``(pi - q)/2``."""
        return tuple((p - q) / 2 for p, q in zip(population, self.against, strict=True))

    def labelled_costs(self, population: Sequence[Fraction]) -> tuple[tuple[Fraction, ...], ...]:
        """Return ``-(pi - q)/2`` and ``(pi - q)/2``: one output for each of the two distributions."""
        line = self.absolute_line(population)
        return tuple(-x for x in line), line

    def term(self, a: Any, b: Any) -> Any:
        """Return ``abs(a - b)/2``."""
        return abs(a - b) / 2

    def float_terms(self, a: Array, b: Array, apart: Array) -> Array:
        """Return ``term`` in floats."""
        return np.asarray(abs(apart) / 2)


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class ChiSquare(Divergence):
    """Maximize ``sum_i (Pr(output i) - Pr'(output i))^2 / Pr'(output i)`` for two distributions of the categories.

    n times this value is the noncentrality parameter of Pearson's test of the second distribution with n responses.

    Attributes:
        against: the other distribution of the categories, shape (k,).

    >>> from rropt.mechanisms import Mechanism
    >>> print(ChiSquare(["1/2", "1/2"]).value(Mechanism.binary("3/4", "3/4"), ["3/4", "1/4"]))
    1/16
    """

    kind = "chi-square"
    title = "chi-square"
    form = '{"kind": "chi-square", "against": [...]}'
    is_rational = True
    needs_other = True

    def term(self, a: Any, b: Any) -> Any:
        """Return ``(a - b)^2/b``."""
        return (a - b) ** 2 / b

    def float_terms(self, a: Array, b: Array, apart: Array) -> Array:
        """Return ``term`` in floats."""
        return np.asarray(apart**2 / b)


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class Hellinger(Divergence):
    """Maximize ``sum_i (sqrt(a_i) - sqrt(b_i))^2 / 2 = 1 - sum_i sqrt(a_i b_i)``: 1 minus Bhattacharyya's coefficient.

    Attributes:
        against: the other distribution of the categories, shape (k,).

    >>> from rropt.mechanisms import Mechanism
    >>> round(float(Hellinger(["1", "0"]).value(Mechanism.binary("4/5", "4/5"), ["0", "1"])), 12)
    0.2
    """

    kind = "hellinger"
    title = "squared Hellinger distance"
    form = '{"kind": "hellinger", "against": [...]}'

    def term(self, a: Any, b: Any) -> Any:
        """Return ``(a + b)/2 - sqrt(a b)``."""
        return (a + b) / 2 - (a * b).sqrt()

    def float_terms(self, a: Array, b: Array, apart: Array) -> Array:
        """Return ``term`` in floats, in the form ``(sqrt(a) - sqrt(b))^2 / 2``."""
        return np.asarray(apart**2 / (np.sqrt(a) + np.sqrt(b)) ** 2 / 2)


_RELATIVE_ENTROPY = [(-1) ** n / (n * (n - 1)) for n in range(2, 10)]  # of (1 + h) ln(1 + h) - h, from h^2 on


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class KullbackLeibler(Divergence):
    """Maximize ``sum_i a_i ln(a_i/b_i)``, the relative entropy of two output distributions.

    n times this value is the error exponent of a test that distinguishes the two distributions from n responses
    (Stein's lemma). For the divergence in the other direction, exchange the two distributions.

    Attributes:
        against: the other distribution of the categories, shape (k,).

    >>> from rropt.mechanisms import Mechanism
    >>> round(float(KullbackLeibler(["1/4", "3/4"]).value(Mechanism.binary("3/4", "3/4"), ["3/4", "1/4"])), 12)
    0.127706405941
    """

    kind = "kullback-leibler"
    title = "Kullback-Leibler divergence, nats"
    form = '{"kind": "kullback-leibler", "against": [...]}'
    needs_other = True
    slope = 1

    def term(self, a: Any, b: Any) -> Any:
        """Return ``a ln(a/b)``; 0 ln 0 = 0."""
        return a * (a / b).log() if a != 0 else a

    def float_terms(self, a: Array, b: Array, apart: Array) -> Array:
        """Return ``a ln(a/b) - a + b`` in floats."""
        step = apart / b
        far = np.where(a > 0, a * np.log(a / b), 0.0) - apart
        return np.asarray(np.where(abs(step) < _NEARLY_EQUAL, b * _series(_RELATIVE_ENTROPY, step), far))


_JENSEN_SHANNON = [
    (n + 1) % 2 / (n * (n - 1)) for n in range(2, 10)
]  # of ((1+z) ln(1+z) + (1-z) ln(1-z))/2, from z^2 on


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class JensenShannon(Divergence):
    """Maximize ``(D(a | m) + D(b | m))/2`` with m = (a + b)/2.

    This is the mutual information of the output and of the choice between the two distributions. It is at most ln 2.

    Attributes:
        against: the other distribution of the categories, shape (k,).

    >>> from rropt.mechanisms import Mechanism
    >>> round(float(JensenShannon(["1", "0"]).value(Mechanism.binary("1", "1"), ["0", "1"])), 12)  # ln 2
    0.69314718056
    """

    kind = "jensen-shannon"
    title = "Jensen-Shannon divergence, nats"
    form = '{"kind": "jensen-shannon", "against": [...]}'

    def term(self, a: Any, b: Any) -> Any:
        """Return ``(a ln(2a/(a + b)) + b ln(2b/(a + b)))/2``; 0 ln 0 = 0."""
        total = a * 0
        for x in (a, b):
            if x != 0:
                total += x * (2 * x / (a + b)).log() / 2
        return total

    def float_terms(self, a: Array, b: Array, apart: Array) -> Array:
        """Return ``term`` in floats."""
        part = apart / (a + b)  # its rounding error is large relative to 1 - abs(part) if that is small
        logs = [np.where(abs(part) < 0.5, np.log1p(s * part), np.log(2 * (x / (a + b)))) for x, s in ((a, 1), (b, -1))]
        far = [np.where(x > 0, x * log / 2, 0.0) for x, log in zip((a, b), logs, strict=True)]
        near = (a + b) / 2 * _series(_JENSEN_SHANNON, part)
        return np.asarray(np.where(abs(part) < _NEARLY_EQUAL, near, far[0] + far[1]))


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class AlphaDivergence(Divergence):
    """Maximize ``(sum_i a_i^r b_i^(1 - r) - 1)/(r (r - 1))`` for a rational order r other than 0 and 1.

    At r = 2 this is half of the chi-square distance, and at r = 1/2 four times the squared Hellinger distance. As r
    tends to 1, it tends to the Kullback-Leibler divergence. Cressie and Read, Multinomial goodness-of-fit tests, JRSS B
    46 (1984).

    Args:
        against: q, shape (k,): the other distribution of the categories.
        order: r, an exact number with ``abs(r) <= 10`` and a denominator of at most 10.

    >>> from rropt.mechanisms import Mechanism
    >>> half = AlphaDivergence(["1/2", "1/2"], 2).value(Mechanism.binary("3/4", "3/4"), ["3/4", "1/4"])
    >>> round(float(half), 12)  # 1/32
    0.03125
    """

    kind = "alpha-divergence"
    title = "alpha-divergence"
    form = '{"kind": "alpha-divergence", "against": [...], "order": "1/2"}'
    parameters: ClassVar[tuple[str, ...]] = ("against", "order")
    rational_digits: ClassVar[int | None] = 1  # the checker asks for digits at every order
    needs: ClassVar[str] = "an order and another distribution, as in alpha-divergence:1/2:1/3,1/3,1/3"
    order: Fraction

    def __init__(self, against: Sequence[object], order: object) -> None:
        Divergence.__init__(self, against)
        allowed = f"0 < abs(order) <= {MOST}, order not 1, a denominator of at most {MOST}"
        exact = rational_where(
            order, lambda r: r not in (0, 1) and abs(r) <= MOST and r.denominator <= MOST, allowed, name="order"
        )
        object.__setattr__(self, "order", exact)

    @property
    def is_rational(self) -> bool:  # type: ignore[override]
        """Whether the order is a whole number."""
        return self.order.denominator == 1

    @classmethod
    def of_text(cls, text: str) -> AlphaDivergence:
        """Read the order and the other distribution, such as ``1/2:1/3,1/3,1/3``."""
        order, mark, against = text.partition(":")
        if not mark:
            raise cls.without_parameter(text)
        return cls(split_list(against), order)

    def infinite(self, a: Fraction, b: Fraction) -> bool:
        """Return whether a term of the sum is infinite."""
        return bool((self.order > 1 and a and not b) or (self.order < 0 and b and not a))

    def term(self, a: Any, b: Any) -> Any:
        """Return ``(a^r b^(1 - r) - r a - (1 - r) b)/(r (r - 1))``, at least 0; 0^0 does not occur."""
        if self.is_rational:
            r: Any = int(self.order)
            product = a * 0 if a == 0 or b == 0 else b * (a / b) ** r
        else:
            r = ball(self.order)
            product = a * 0 if a == 0 or b == 0 else (r * a.log() + (1 - r) * b.log()).exp()
        return (product - r * a - (1 - r) * b) / (r * (r - 1))

    def float_terms(self, a: Array, b: Array, apart: Array) -> Array:
        """Return ``term`` in floats; where a is close to b, their difference keeps the digits of a small term."""
        r, step = float(self.order), apart / b
        terms = b * (np.expm1(r * np.log1p(step)) - r * step)
        far = a**r * b ** (1 - r) - r * a - (1 - r) * b
        terms = np.where(abs(step) < _NEAR, terms, far) / (r * (r - 1))
        return np.asarray(np.where(abs(step) < _NEARLY_EQUAL, b * _series(self._coefficients, step), terms))

    @property
    def _coefficients(self) -> list[float]:
        """The series of ``((1 + h)^r - 1 - r h)/(r (r - 1))``, from h^2 on."""
        r, found = float(self.order), [0.5]
        for n in range(3, 12):
            found.append(found[-1] * (r - n + 1) / n)
        return found


def _series(coefficients: Sequence[float], step: Array) -> Array:
    """Return ``step^2 (c_0 + c_1 step + c_2 step^2 + ...)``."""
    total = step * 0.0
    for c in reversed(coefficients):
        total = total * step + c
    return total * step**2
