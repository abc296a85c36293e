"""Shuffled reports of a mechanism: certified upper bounds from its privacy blanket (checker/shuffled.md).

With probability beta, the report of another respondent is drawn from a distribution that does not depend on the true
value. These reports form the privacy blanket. For every mechanism at a pure level epsilon, beta can be exp(-epsilon)
(the clones of Feldman, McMillan and Talwar 2021). For k-ary randomized response, beta is k times the probability of
each wrong category (Balle, Bell, Gascon and Nissim 2019).

The search for the level and for the blocks of the number of blanket reports is in floating point. The returned bound is
the one that the checker accepts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.accounting.composition_proofs import certify_shuffled
from rropt.accounting.curves import crossing
from rropt.checker.documents import Rejected, WorkBudget
from rropt.checker.limits import MAX_BLOCKS, MAX_WORK
from rropt.checker.shuffled import Blanket, any_blanket, blanket_bound, kary_blanket
from rropt.core.certificates import Certificate
from rropt.core.exact import Bracket, Epsilon
from rropt.core.exact.display import rounded_decimal
from rropt.core.lazy import numpy as np
from rropt.core.limits import MAX_EXPONENT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_DIGITS = 20  # decimal digits of the brackets of irrational levels; far more than the blocks need
_BITS = 48  # bits of the distributions, in addition to the bits of delta
_LEFT_OUT = 1e-4  # probability of fewer reports than in the first block, relative to delta
_PARTS = 16  # blocks per standard deviation of the number of reports
_ABOVE = 4  # standard deviations above the mean that are divided into blocks
_WINDOW = 9  # half width of the distributions in floats, in standard deviations
_SPENT = 0.6  # fraction of the checker's budget that all blocks may use
_STEP = 30  # approximate budget units for one term in the sum of a block
_CLOSER = 1e-7  # relative increase of a floating-point level before it is proved
_TRIES = 8
_SEARCHED = 1e-7  # relative width at which the search in floating point stops
_TINY = 1e-60  # deltas below this are treated as 0
_RELATIVE = 1e-7  # a lower bound in floating point is moved down by this
ROUNDING = 1e-14  # of gamma, relative: moves differences p - gamma q further than their rounding errors


@dataclass(frozen=True)
class BlanketReports:
    """Shuffled reports of a device, as the statement ``shuffled`` has them.

    Attributes:
        respondents: the number of respondents.
        device: the device in the certificate format.
        local: the level of the mechanism.
        blankets: the blankets for the relevant orders of the two inputs, at a rational level just above ``local``.
    """

    respondents: int
    device: dict[str, Any]
    local: Epsilon
    blankets: tuple[Blanket, ...]

    @classmethod
    def of_any(cls, n: int, local: Epsilon) -> BlanketReports:
        """Build the reports of an arbitrary mechanism at a level."""
        gamma = local.gamma_bracket(_DIGITS).upper
        return cls(n, {"kind": "any", "local": local.to_dict()}, local, (any_blanket(gamma),))

    @classmethod
    def of_kary(cls, n: int, local: Epsilon, k: int) -> BlanketReports:
        """Build the reports of k-ary randomized response at a level."""
        gamma = local.gamma_bracket(_DIGITS).upper
        device = {"kind": "kary", "local": local.to_dict(), "categories": str(k)}
        return cls(n, device, local, (kary_blanket(gamma, k),))

    def least_epsilon(self, delta: Fraction, most: Fraction) -> tuple[Fraction, Certificate] | None:
        """Return a level with a proof that delta is at most the target there, and the proof; None if there is none.

        Args:
            delta: the target.
            most: an upper bound of the search; the level of the mechanism always suffices.
        """
        cuts = self.cuts(float(delta))
        _, near = level_near(lambda x: self.bound(math.exp(x), cuts) > float(delta), most)
        for i in range(_TRIES):
            epsilon = min(_up(near * (1 + _CLOSER * 10**i)), most)
            made = self.certificate(Epsilon("rational", epsilon), delta, cuts)
            if made is not None:
                return epsilon, made
            if epsilon == most:
                return None
        return None

    def proved_delta(self, epsilon: Epsilon) -> tuple[Fraction, Certificate] | None:
        """Return an upper bound of delta at a level, with its accepted certificate; None if there is none."""
        nats = float(epsilon)
        # delta is not known yet: the cuts of a tiny one serve for a rough bound
        rough = self.bound(math.exp(nats), self.cuts(1e-12))
        cuts = self.cuts(max(rough, _TINY))
        gamma = epsilon.gamma_bracket(_DIGITS).lower
        bits = self._bits(rough)
        try:
            spent = WorkBudget(MAX_WORK)
            exact = max(blanket_bound(self.respondents, each, gamma, cuts, bits, spent) for each in self.blankets)
        except Rejected:
            return None
        delta = min(Fraction(rounded_decimal(exact, 13, ROUND_CEILING)), Fraction(1))
        made = self.certificate(epsilon, delta, cuts)
        return None if made is None else (delta, made)

    def certificate(self, epsilon: Epsilon, delta: Fraction, cuts: list[int]) -> Certificate | None:
        """Return an accepted certificate that delta at a level is at most the given one; None if there is none."""
        if any(level.nats(_DIGITS).upper > MAX_EXPONENT for level in (epsilon, self.local)):
            return None
        own = [self.local] if "local" in self.device else []
        levels = [level.gamma_bracket(_DIGITS) for level in (*own, epsilon)]
        parts = {"cuts": [str(cut) for cut in cuts], "bits": str(self._bits(float(delta)))}
        return certify_shuffled(self.respondents, self.device, levels, epsilon, Bracket(Fraction(0), delta), parts)

    def _bits(self, delta: float) -> int:
        return _BITS + max(math.ceil(-math.log2(max(delta, _TINY))), 16)

    def cuts(self, delta: float, parts: int | None = None) -> list[int]:
        """Return the numbers of blanket reports at which blocks begin.

        Args:
            delta: the approximate value of delta.
            parts: blocks per standard deviation (default: as many as the checker's budget allows, at most 16).
        """
        from scipy.stats import binom

        beta, n = float(self.blankets[0].chance), self.respondents - 1
        mean, spread = n * beta, math.sqrt(n * beta * (1 - beta))
        # the quantile of 0 would be -1
        first = max(int(binom.ppf(max(delta * _LEFT_OUT, 1e-300), n, beta)) - 1, 0)
        last = min(math.ceil(mean + _ABOVE * spread) + 2, n)
        pairs = float(sum(self.blankets[0].law[:2]))
        each = 2 * (_WINDOW + 3) * math.sqrt(mean * pairs * (1 - pairs)) + 40 if self.blankets[0].law[2] else 4.0
        allowed = min(max(int(_SPENT * MAX_WORK / (_STEP * each * len(self.blankets))), 2), MAX_BLOCKS)
        step = max(1, spread / parts if parts else max(spread / _PARTS, (last - first) / allowed))
        count = math.ceil((last - first + 1) / step)
        return sorted({min(first + int(i * step), last) for i in range(count)})

    def bound(self, gamma: float, cuts: list[int]) -> float:
        """Return the bound of the checker in floating point."""
        from scipy.stats import binom

        beta, n = float(self.blankets[0].chance), self.respondents - 1
        ends = np.array([*cuts, n + 1], dtype=float)
        below = binom.cdf(ends - 1, n, beta)
        masses = np.diff(below)
        return max(float(below[0] + (masses * _slacks(each, gamma, cuts)).sum()) for each in self.blankets)


def level_near(holds: Callable[[float], bool], most: Fraction) -> tuple[float, float]:
    """Locate the level at which a decreasing condition becomes false, to six digits; it must be false at ``most``."""
    return crossing(holds, (0.0, float(most)), float(most), _SEARCHED)


def agreeing_delta(respondents: int, categories: int, wrong: Fraction, gamma: float) -> float:
    """Return a lower bound of delta of k-ary randomized response: all others hold the same third value.

    Then the reports of the others are as those of a blanket. The relative error of a term is far below ``_RELATIVE``,
    by which the bound is moved down; a gamma slightly larger covers the rounding of differences.

    Args:
        respondents: n.
        categories: k >= 3.
        wrong: the probability of each wrong category.
        gamma: exp(epsilon).
    """
    if not wrong:
        return 1.0  # the report shows the value, and no other respondent reports it
    true = 1 - (categories - 1) * wrong
    rest = 1 - true - wrong
    others = Blanket(Fraction(1), (true, wrong, rest), (wrong, true, rest), (wrong, wrong, 1 - 2 * wrong))
    return float(_slacks(others, gamma * (1 + ROUNDING), [respondents - 1])[0]) * (1 - _RELATIVE)


def _slacks(blanket: Blanket, gamma: float, cuts: list[int]) -> Floats:
    """Return delta given each number of blanket reports, in floating point."""
    from scipy.stats import binom

    if not blanket.law[2]:
        counts = np.array(cuts, dtype=np.float64)
        return _given_pairs(blanket, gamma, counts, counts)
    pairs, found = float(sum(blanket.law[:2])), []
    for m in cuts:
        spread = _WINDOW * math.sqrt(m * pairs * (1 - pairs)) + 20
        low, high = max(int(m * pairs - spread), 0), min(int(m * pairs + spread), m)
        c = np.arange(low, high + 1).astype(np.float64)
        found.append(float((binom.pmf(c, m, pairs) * _given_pairs(blanket, gamma, c, np.full_like(c, m))).sum()))
    return np.array(found)


def _given_pairs(blanket: Blanket, gamma: float, c: Floats, m: Floats) -> Floats:
    """Return delta conditional on c of m blanket reports having types 0 or 1."""
    from scipy.stats import binom

    a, b, w = (tuple(float(x) for x in law) for law in (blanket.first, blanket.second, blanket.law))
    r = w[0] / (w[0] + w[1])
    rest = (gamma - 1) * a[2] / w[2] * (m - c) / (c + 1) if w[2] else np.zeros_like(c)
    u, v = a[0] - gamma * b[0] - rest * w[0], a[1] - gamma * b[1] - rest * w[1]
    sure = u > 0
    j = np.floor(np.where(sure, (c + 1) * -v * r / np.where(sure, u * (1 - r) - v * r, 1.0), 0.0))
    found = u * binom.pmf(j, c, r) + (u + v) * binom.sf(j, c, r)
    return np.where(sure, np.maximum(found, 0.0), 0.0)


def _up(level: float) -> Fraction:
    """Round a level up to nine decimal places."""
    return Fraction(math.ceil(level * 10**9), 10**9)
