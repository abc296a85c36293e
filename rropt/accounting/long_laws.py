"""Bounds of delta for many levels that are multiples of one number, from a truncated law.

If all odds are powers of one number g, the exponent of the product of all odds is a sum of independent counts. With w_e
its law under P, ``delta(epsilon) = sum_e w_e (1 - exp(epsilon) g^-e)^+``. For the least exponent k with a positive
term, ``delta = A_k - f S_k``, where ``A_k = sum_(e >= k) w_e``, ``S_k = sum_(e >= k) w_e g^(k-e)`` and
``f = exp(epsilon) g^-k``. The truncated law lacks a known mass (``truncated_laws``), which adds at most itself to
delta. The bracket is narrower than 1e-40, and a million responses take less than a second. The code never computes a
long power of g.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from rropt.accounting.exact_laws import Items
from rropt.accounting.truncated_laws import CutPowers, EnclosedLaw
from rropt.core.exact import Bracket
from rropt.core.exact.numbers import perfect_power
from rropt.core.exact.rational_bounds import ball, bracket

_BITS = 200  # precision of the distribution
_NEGLIGIBLE = Fraction(1, 1 << _BITS)
_MOST_DEGREE = 1 << 24  # difference of the largest and the least exponent


def _common_base(items: Items) -> tuple[Fraction, list[list[int]]] | None:
    """Return g and the exponents of all atoms if every ratio P/Q is a power of one rational g; else None."""
    base: Fraction | None = None
    exponents: list[list[int]] = []
    for pair, _ in items:
        found = []
        for p, q in pair.atoms:
            odds = p / q
            if odds == 1:
                found.append(0)
                continue
            degree, root = perfect_power(odds if odds > 1 else 1 / odds)
            if base is None:
                base = root
            if root != base:
                return None
            found.append(int(degree) if odds > 1 else -int(degree))
        exponents.append(found)
    return base or Fraction(2), exponents


@dataclass(frozen=True)
class PowerLaw:
    """The law under P of the exponent of the odds, which are powers of ``base``.

    Attributes:
        base: g > 1.
        law: the law of the exponent.
        most: the largest exponent.
    """

    base: Fraction
    law: EnclosedLaw
    most: int

    @classmethod
    def of(cls, items: Items) -> PowerLaw | None:
        """Return the law of a composition; None if its odds have no common base, or too many exponents."""
        found = _common_base(items)
        if found is None:
            return None
        base, exponents = found
        counts = [count for _, count in items]
        if sum(count * (max(own) - min(own)) for own, count in zip(exponents, counts, strict=True)) > _MOST_DEGREE:
            return None
        columns = []
        for own, (pair, _) in zip(exponents, items, strict=True):
            column = [0] * (max(own) - min(own) + 1)
            for exponent, (p, _) in zip(own, pair.atoms, strict=True):
                column[exponent - min(own)] = int(p * (1 << _BITS))
            columns.append(column)
        law = CutPowers(_BITS, *columns).law(*counts)
        least, most = (
            sum(count * end(own) for own, count in zip(exponents, counts, strict=True)) for end in (min, max)
        )
        return cls(base, EnclosedLaw(law.least + least, law.weights, law.below), most)

    def delta(self, epsilon: Fraction) -> Bracket:
        """Return a bracket of delta."""
        from flint import ctx

        with ctx.workprec(_BITS + 64):
            log = ball(self.base - 1).log1p()  # also precise for a base close to 1
            k = max(int((ball(epsilon) / log).lower().floor().unique_fmpz()) + 1, self.law.least)
            found = (ball(epsilon) - k * log).exp()
            # the fraction of a negligible ratio may have millions of digits
            ratio = Bracket(Fraction(0), _NEGLIGIBLE) if found < ball(_NEGLIGIBLE) else bracket(found)
        at = min(k - self.law.least, len(self.law.weights))
        held, below, above = (Fraction(sums[at], self.law.below) for sums in self._tails)
        missing = 1 - Fraction(self._tails[0][0], self.law.below)
        lower, upper = held - ratio.upper * above, held - min(ratio.lower, Fraction(1)) * below + missing
        return Bracket(max(lower, Fraction(0)), min(upper, Fraction(1)))

    @cached_property
    def _tails(self) -> tuple[list[int], list[int], list[int]]:
        """Return lower bounds of A_k, and lower and upper bounds of S_k without the missing mass; 0 at the end."""
        a, b = self.base.as_integer_ratio()
        weights = (0, *self.law.weights[::-1])
        sums = (
            accumulate(weights),
            accumulate(weights, lambda s, w: w + s * b // a),
            accumulate(weights, lambda s, w: w - (-s * b // a)),
        )
        held, below, above = ([*each][::-1] for each in sums)
        return held, below, above
