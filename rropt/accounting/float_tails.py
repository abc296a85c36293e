"""Tails of sums of responses in doubles, with proved errors: the fast first search of ``neighbouring_sums``.

A stored number x stands for a true value in ``[x (1 - relative), x (1 + relative) + missing]``. All stored numbers are
nonnegative, so a sum or a product of them has a relative error of at most u = 2^-53 for each operation (Higham 2002,
lemma 3.1), in whatever order NumPy adds. ``missing`` is the mass that was cut off. The relative errors of products of
laws add up. The sum of all terms that underflow is far below ``_UNDERFLOW``, which is added to the missing mass of each
law.

A binomial law starts from its largest term, which Arb computes, and continues by the ratio of neighbouring terms: at
most six roundings a term. The terms decrease faster than a geometric series, which bounds what is cut off.

Growth: at width 10^-6, the least epsilon of n reports takes processor time that grows as n^0.4 from n = 10^4 to 10^5
and as n^0.7 from 10^5 to 10^6 (``benchmarks/shuffles.py``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from rropt.core.exact import Bracket
from rropt.core.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_UNIT = 2.0**-53
_PRECISION = 160  # bits of the largest term of a law
_FEW = 16  # roundings of a quotient and of its parts, with room to spare
_CUT_OFF = 1e-14  # mass that a law may lack, relative to delta
_LARGEST = 1e200  # a larger bound of a quotient is of no use
_FURTHER = 10  # terms beyond the range that Bernstein's inequality gives
_UNDERFLOW = 1e-300
LEAST_DELTA = Fraction(1, 10**20)  # below it, the terms of a law come close to the least double
LEAST_WIDTH = Fraction(1, 10**8)  # relative width of the bounds of gamma below which doubles are not tried


class Cuts(NamedTuple):
    """Over all cuts the largest lower bound, its first cut and the largest upper bound; the latter at the ends, too."""

    lower: int
    at: int
    upper: int
    at_ends: int


@dataclass(frozen=True, slots=True)
class FloatLaw:
    """A law of integers from ``least`` on."""

    least: int
    weights: Floats
    relative: float
    missing: float

    @classmethod
    def binomial(cls, n: int, chances: tuple[int, ...], bits: int, delta: float) -> FloatLaw:
        """Return the law of the number of responses 1 among n.

        Args:
            n: the number of responses.
            chances: positive lower bounds of the probabilities of the responses 0 and 1, in units of 2^-bits.
            bits: the logarithm of the unit.
            delta: the law may lack much less mass than this.
        """
        both = sum(chances)
        spread = math.sqrt(n * (chances[0] / both) * (chances[1] / both))
        reach = math.sqrt(-2 * math.log(_CUT_OFF * delta))
        width = math.ceil(reach * spread + reach * reach / 3) + _FURTHER
        mode = min((n + 1) * chances[1] // both, n)
        low, high = max(mode - width, 0), min(mode + width, n)
        odds = chances[1] / chances[0]
        k = np.arange(low, high, dtype=np.float64)
        ratios = (n - k) / (k + 1) * odds  # of the term k + 1 to the term k
        up, down = ratios[mode - low :], 1 / ratios[: mode - low][::-1]
        largest = _largest_term(n, mode, chances, bits)
        below, above = np.cumprod(np.r_[largest, down])[:0:-1], np.cumprod(np.r_[largest, up])
        weights = np.r_[below, above]
        beyond = 0.0
        for steps, each, edge in ((low, 1 / odds, 0), (n - high, odds, -1)):
            ratio = steps / (n - steps + 1) * each * (1 + _FEW * _UNIT)  # of the first term that is cut off to the last
            beyond += float(weights[edge]) * ratio / (1 - ratio) if ratio < 1 else 1.0
        lacks = math.ldexp(n * ((1 << bits) - both), -bits) + _UNDERFLOW
        relative = (6 * (width + 1) + _FEW) * _UNIT
        return cls(low, weights, relative, (beyond * (1 + 2 * relative) + lacks) * (1 + _FEW * _UNIT))

    def times(self, other: FloatLaw) -> FloatLaw:
        """Return the law of the sum of two independent numbers."""
        found = np.convolve(self.weights, other.weights)
        shorter = min(len(self.weights), len(other.weights))
        return FloatLaw(self.least + other.least, found, *_errors(self, other, shorter))

    def tails(self, beyond: int) -> FloatTails:
        """Return the tails of the law, and those of ``beyond`` further integers on each side."""
        sums = np.cumsum(self.weights[::-1])
        values = np.r_[np.full(beyond, sums[-1]), sums[::-1], np.zeros(beyond)]
        relative = self.relative + 2 * len(sums) * _UNIT
        return FloatTails(self.least - beyond, values, relative, self.missing)


def _largest_term(n: int, mode: int, chances: tuple[int, ...], bits: int) -> float:
    from flint import arb, ctx

    with ctx.workprec(_PRECISION):
        ways = arb(n + 1).lgamma() - arb(mode + 1).lgamma() - arb(n - mode + 1).lgamma()
        zero, one = (arb(chance).log() - bits * arb(2).log() for chance in chances)
        return float((ways + (n - mode) * zero + mode * one).exp().mid())


def _errors(one: FloatLaw | FloatTails, other: FloatLaw, terms: int) -> tuple[float, float]:
    """Return the errors of a convolution with a number of terms in each sum."""
    relative = one.relative + other.relative + 2 * one.relative * other.relative + 2 * (terms + 1) * _UNIT
    return relative, (one.missing + other.missing) * (1 + _FEW * _UNIT)


class FloatTails(NamedTuple):
    """The probabilities that a sum is at least ``start``, at least ``start`` + 1, and so on."""

    start: int
    values: Floats
    relative: float
    missing: float

    @property
    def size(self) -> int:
        """The number of tails."""
        return len(self.values)

    def near(self, low: int, size: int) -> FloatTails:
        """Return a part of the tails."""
        return self._replace(start=self.start + low, values=self.values[low : low + size])

    def convolved(self, law: FloatLaw) -> FloatTails:
        """Return the tails of the sum with an independent number, where they are known."""
        beyond = len(law.weights) - 1
        known = np.convolve(self.values, law.weights, "valid")
        return FloatTails(self.start + law.least + beyond, known, *_errors(self, law, beyond + 1))


class FloatPowers:
    """Laws of sums of two kinds of responses.

    Args:
        bits: the logarithm of the unit of the columns.
        delta: a law may lack much less mass than this.
        columns: positive lower bounds of the probabilities of the responses 0 and 1 of each kind, in units of 2^-bits.
    """

    def __init__(self, bits: int, delta: float, *columns: tuple[int, ...]) -> None:
        self._bits, self._delta, self._columns = bits, delta, columns

    def law(self, *times: int) -> FloatLaw:
        """Return the law of the sum of a number of responses of each kind."""
        one, other = (
            FloatLaw.binomial(n, column, self._bits, self._delta)
            for column, n in zip(self._columns, times, strict=True)
        )
        return one.times(other)


class FloatLevel:
    """``(P - delta)/Q`` of a tail; the bounds of ``of_tails`` are integers in units of 2^-bits."""

    def __init__(self, p: tuple[int, ...], q: tuple[int, ...], delta: Bracket, bits: int) -> None:
        self._bits = bits
        self._p, self._q = (tuple(math.ldexp(x, -bits) for x in column) for column in (p, q))
        self._below, self._above = float(delta.lower) * (1 - 2 * _UNIT), float(delta.upper) * (1 + 2 * _UNIT)
        self._lacks = math.ldexp(4, -bits)

    def of_tails(self, tails: FloatTails) -> Cuts:
        """Return bounds of the largest value over all cuts."""
        now, before = tails.values[1:], tails.values[:-1]
        first, second = (x[0] * now + x[1] * before for x in (self._p, self._q))
        relative, missing = tails.relative + _FEW * _UNIT, tails.missing + self._lacks
        spare = _FEW * _UNIT * (first + self._above)
        lower = (first * (1 - relative) - self._above - spare) / (second * (1 + relative) + missing)
        lower -= _FEW * _UNIT * abs(lower)
        most = np.maximum(first * (1 + relative) + missing - self._below + spare, 0.0)
        upper = np.divide(most, second * (1 - relative), out=np.full_like(most, _LARGEST), where=second > 0)
        upper[most == 0] = 0.0
        upper = np.minimum(upper * (1 + _FEW * _UNIT), _LARGEST)
        at = int(lower.argmax())
        ends = max(upper[0], upper[-1])
        return Cuts(self._whole(lower[at]), at, self._whole(upper.max()) + 1, self._whole(ends) + 1)

    def _whole(self, value: float) -> int:
        return math.floor(math.ldexp(float(value), self._bits))
