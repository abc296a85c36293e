"""Bounds of delta for many equal levels, from a binomial distribution in integers that are rounded down.

If j of n responses are the likelier one, the likelihood ratio is ``g^(2 j - n)``. Hence
``delta(epsilon) = sum_j Pr(j) (1 - exp(epsilon) g^(n - 2 j))^+``, where j is binomial with probability g/(1 + g). The
rounded distribution lacks a known mass (``checker/tail_sums``), which adds at most itself to delta. The bracket is
narrower than 1e-50, and a million responses take some hundredths of a second. The code only uses small exponents and
never computes a long power of g.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from rropt.accounting.exact_laws import Items
from rropt.checker.documents import Budget
from rropt.checker.tail_sums import Law, binomial_law
from rropt.core.exact import Bracket
from rropt.core.exact.brackets import ball, bracket

_BITS = 200  # precision of the distribution
_WORK = 1 << 40


@dataclass(frozen=True)
class LongCounts:
    """The given number of responses by binary randomized response with rational parity gamma."""

    count: int
    gamma: Fraction

    @classmethod
    def of(cls, items: Items) -> LongCounts | None:
        """Return the counts of a composition of equal levels; None for any other composition."""
        if len(items) != 1 or not items[0][0].is_binary or items[0][0].parity == 1:
            return None
        return cls(items[0][1], items[0][0].parity)

    def delta(self, epsilon: Fraction) -> Bracket:
        """Return a bracket of delta."""
        first, second = self._cut(epsilon)
        return _between_0_and_1(Bracket(first.lower - second.upper, first.upper - second.lower))

    def epsilon(self, delta: Fraction) -> Bracket:
        """Return a bracket of the least epsilon >= 0, in nats.

        Between two neighbouring likelihood ratios, ``delta`` is linear in gamma. Bisection finds these neighbours.
        """
        if self.delta(Fraction(0)).upper <= delta:
            return Bracket.of(Fraction(0))
        low, high = 0, self.count  # multiples of log g
        if not delta:
            return self._multiple(high)
        while high - low > 1:
            middle = (low + high) // 2
            first, second = self._cut_at(middle)
            low, high = (low, middle) if first.upper - second.lower <= delta else (middle, high)
        first, second = self._cut_at(low)
        start, end = self._multiple(low), self._multiple(high)
        if first.lower <= delta or not second.lower:
            return Bracket(start.lower, end.upper)
        least = _logarithm((first.lower - delta) / second.upper).lower
        most = _logarithm((first.upper - delta) / second.lower).upper
        return Bracket(max(start.lower + least, Fraction(0)), min(start.upper + most, end.upper))

    def _multiple(self, times: int) -> Bracket:
        ends = _logarithm(self.gamma)
        return Bracket(times * ends.lower, times * ends.upper)

    def _cut_at(self, exponent: int) -> tuple[Bracket, Bracket]:
        """Return A and gamma B for ``gamma = g^exponent``."""
        first = (exponent + self.count) // 2 + 1
        return self._sums(first, Bracket.of(self.gamma ** (exponent - 2 * first + self.count)))

    def _cut(self, epsilon: Fraction) -> tuple[Bracket, Bracket]:
        """Return A and gamma B at an epsilon; every cut bounds delta from below, the optimal one also from above."""
        from flint import ctx

        with ctx.workprec(_BITS + 64):
            quotient = ball(epsilon) / ball(self.gamma).log()
            low, high = (int(end.floor().unique_fmpz()) for end in (quotient.lower(), quotient.upper()))
            first = max(((low if low == high else high) + self.count) // 2 + 1, 0)
            exponent = 2 * first - self.count
            ends = bracket((ball(epsilon) - exponent * ball(self.gamma).log()).exp())
        return self._sums(first, Bracket(ends.lower, min(ends.upper, Fraction(1))))

    def _sums(self, first: int, ratio: Bracket) -> tuple[Bracket, Bracket]:
        """Return sum over j >= first of Pr(j), and the same sum with the geometric weights ``gamma/ratio_j``."""
        law = _law(self.count, *self.gamma.as_integer_ratio())
        one = 1 << law.bits
        a, b = (x * x for x in self.gamma.as_integer_ratio())
        steps = max(law.start - first, 0)
        shrunk = Bracket.of(Fraction(b, a) ** steps) if steps < 64 else _power(Fraction(b, a), steps)
        low = int(ratio.lower * shrunk.lower * one)
        high = min(-int(-ratio.upper * shrunk.upper * one // 1), one)
        below = above = held = 0
        for weight in law.weights[max(first - law.start, 0) :]:
            below, above, held = below + weight * low, above + weight * high, held + weight
            low, high = low * b // a, -(-high * b // a)
        missing = Fraction(law.missing, one)
        second = Bracket(Fraction(below, one * one), Fraction(above, one * one) + missing)
        return Bracket(Fraction(held, one), Fraction(held, one) + missing), second


def _between_0_and_1(found: Bracket) -> Bracket:
    return Bracket(max(found.lower, Fraction(0)), min(found.upper, Fraction(1)))


@lru_cache(maxsize=4)
def _law(count: int, a: int, b: int) -> Law:
    return binomial_law(count, a, b, _BITS, Budget(_WORK))


def _logarithm(x: Fraction) -> Bracket:
    from flint import ctx

    with ctx.workprec(_BITS + 64):
        return bracket(ball(x).log())


def _power(base: Fraction, exponent: int) -> Bracket:
    from flint import ctx

    with ctx.workprec(_BITS + 64):
        return bracket((exponent * ball(base).log()).exp())
