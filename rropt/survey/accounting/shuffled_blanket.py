"""Shuffled reports of a mechanism: certified upper bounds by its privacy blanket (rule 33 of the checker).

With probability beta a report of another respondent comes from a distribution that does not depend on the value. Of
every mechanism at a pure level epsilon beta is exp(-epsilon) (the clones of Feldman, McMillan and Talwar 2021); of
k-ary response it is k times the probability of a wrong report (Balle, Bell, Gascon and Nissim 2019). Floats choose the
level, and the blocks in which the number of such reports is counted. The bound that is returned is the one that the
checker accepts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.checker.blanket_rule import Blanket, any_blanket, binary_blankets, blanket_bound, kary_blanket
from rropt.checker.documents import Budget, Rejected
from rropt.checker.limits import MAX_BLOCKS, MAX_WORK
from rropt.core.certificates import Certificate
from rropt.core.exact import Epsilon, as_text
from rropt.core.limits import MAX_EXPONENT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_DIGITS = 20  # of brackets of irrational levels: far more than the blocks need
_BITS = 48  # of laws, beside those of delta
_LEFT_OUT = 1e-4  # of delta: what is below the first block
_PARTS = 16  # blocks for each standard deviation of the number of reports
_ABOVE = 4  # standard deviations above the mean that have blocks of their own
_WINDOW = 9  # standard deviations of a law in floats
_SPENT = 0.6  # of the checker's budget that all blocks may need, at most
_STEP = 30  # units of the budget for a term of the sum of a block, about
_CLOSER = 1e-7  # by which a level in floats is moved up before it is proved
_TRIES = 8
_TINY = 1e-60  # a delta that counts as 0


@dataclass(frozen=True)
class BlanketReports:
    """Shuffled reports of a mechanism, as rule 33 writes it.

    Attributes:
        respondents: their number.
        problem: the mechanism in the certificate.
        local: its level; ``None`` of a binary device, whose probabilities are exact.
        blankets: one for each order of the inputs that matters, at a rational level just above.
    """

    respondents: int
    problem: dict[str, Any]
    local: Epsilon | None
    blankets: tuple[Blanket, ...]

    @classmethod
    def of_any(cls, n: int, local: Epsilon) -> BlanketReports:
        """Return the reports of any mechanism at a level."""
        gamma = local.gamma_bracket(_DIGITS).upper
        return cls(n, {"kind": "any", "local": local.to_dict()}, local, (any_blanket(gamma),))

    @classmethod
    def of_kary(cls, n: int, local: Epsilon, k: int) -> BlanketReports:
        """Return the reports of k-ary randomized response at a level."""
        gamma = local.gamma_bracket(_DIGITS).upper
        problem = {"kind": "kary", "local": local.to_dict(), "categories": str(k)}
        return cls(n, problem, local, (kary_blanket(gamma, k),))

    @classmethod
    def of_binary(cls, n: int, zero: Fraction, one: Fraction) -> BlanketReports:
        """Return the reports of a binary device: the probabilities of a report 1 at both inputs, in (0, 1)."""
        problem = {"kind": "binary", "zero": as_text(zero), "one": as_text(one)}
        return cls(n, problem, None, tuple(binary_blankets(zero, one)))

    def least_epsilon(self, delta: Fraction, most: Fraction) -> tuple[Fraction, Certificate] | None:
        """Return a level at which delta is proved to be at most so much, with the certificate; None if none was found.

        Args:
            delta: the target.
            most: a level that is large enough: that of the mechanism.
        """
        cuts = self.cuts(float(delta), float(most))
        near = _root(lambda x: self.bound(math.exp(x), cuts) > float(delta), float(most))
        for i in range(_TRIES):
            epsilon = min(_up(near * (1 + _CLOSER * 10**i)), most)
            made = self.certificate(Epsilon("rational", epsilon), delta, cuts)
            if made is not None:
                return epsilon, made
            if epsilon == most:
                return None
        return None

    def proved_delta(self, epsilon: Epsilon) -> tuple[Fraction, Certificate] | None:
        """Return a bound of delta at a level that the checker accepts, with the certificate; None if none was found."""
        nats = float(epsilon)
        rough = self.bound(math.exp(nats), self.cuts(1e-12, nats))
        cuts = self.cuts(max(rough, _TINY), nats)
        gamma = epsilon.gamma_bracket(_DIGITS).lower
        bits = self._bits(rough)
        try:
            spent = Budget(MAX_WORK)
            exact = max(blanket_bound(self.respondents, each, gamma, cuts, bits, spent) for each in self.blankets)
        except Rejected:
            return None
        delta = min(_up_to_digits(exact), Fraction(1))
        made = self.certificate(epsilon, delta, cuts)
        return None if made is None else (delta, made)

    def certificate(self, epsilon: Epsilon, delta: Fraction, cuts: list[int]) -> Certificate | None:
        """Return the accepted certificate that delta at a level is at most so much; None where none is accepted."""
        if any(level is not None and level.nats(_DIGITS).upper > MAX_EXPONENT for level in (epsilon, self.local)):
            return None
        problem = {
            "kind": "shuffled-mechanism",
            "respondents": str(self.respondents),
            "mechanism": self.problem,
            "epsilon": epsilon.to_dict(),
        }
        own = {} if self.local is None else {"local": self.local.gamma_bracket(_DIGITS).written("below", "above")}
        witness = {
            "rule": "shuffled-blanket",
            **own,
            "gamma": epsilon.gamma_bracket(_DIGITS).written("below", "above"),
            "cuts": [str(cut) for cut in cuts],
            "bits": str(self._bits(float(delta))),
        }
        claim = {"kind": "shuffled-delta", "lower": "0", "upper": as_text(delta)}
        made = Certificate.write(problem, claim, witness)
        return made if made.check() else None

    def _bits(self, delta: float) -> int:
        return _BITS + max(math.ceil(-math.log2(max(delta, _TINY))), 16)

    def cuts(self, delta: float, nats: float) -> list[int]:
        """Return the numbers of blanket reports at which blocks begin, as fine as the budget of the checker allows."""
        from scipy.stats import binom

        beta, n = float(self.blankets[0].chance), self.respondents - 1
        mean, spread = n * beta, math.sqrt(n * beta * (1 - beta))
        first = max(int(binom.ppf(max(delta * _LEFT_OUT, 1e-300), n, beta)) - 1, 0)
        last = min(math.ceil(mean + _ABOVE * spread) + 2, n)
        pairs = float(sum(self.blankets[0].law[:2]))
        each = 2 * (_WINDOW + 3) * math.sqrt(mean * pairs * (1 - pairs)) + 40 if self.blankets[0].law[2] else 4.0
        allowed = min(max(int(_SPENT * MAX_WORK / (_STEP * each * len(self.blankets))), 2), MAX_BLOCKS)
        step = max(1, spread / _PARTS, (last - first) / allowed)
        count = math.ceil((last - first + 1) / step)
        return sorted({min(first + int(i * step), last) for i in range(count)})

    def bound(self, gamma: float, cuts: list[int]) -> float:
        """Return the bound of rule 33, in floats."""
        import numpy as np
        from scipy.stats import binom

        beta, n = float(self.blankets[0].chance), self.respondents - 1
        ends = np.array([*cuts, n + 1], dtype=float)
        below = binom.cdf(ends - 1, n, beta)
        masses = np.diff(below)
        return max(float(below[0] + (masses * self._slacks(each, gamma, cuts)).sum()) for each in self.blankets)

    def _slacks(self, blanket: Blanket, gamma: float, cuts: list[int]) -> Floats:
        import numpy as np
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
    """Return delta if c of m blanket reports have the types 0 and 1."""
    import numpy as np
    from scipy.stats import binom

    a, b, w = (tuple(float(x) for x in law) for law in (blanket.first, blanket.second, blanket.law))
    r = w[0] / (w[0] + w[1])
    rest = (gamma - 1) * a[2] / w[2] * (m - c) / (c + 1) if w[2] else np.zeros_like(c)
    u, v = a[0] - gamma * b[0] - rest * w[0], a[1] - gamma * b[1] - rest * w[1]
    sure = u > 0
    j = np.floor(np.where(sure, (c + 1) * -v * r / np.where(sure, u * (1 - r) - v * r, 1.0), 0.0))
    found = u * binom.pmf(j, c, r) + (u + v) * binom.sf(j, c, r)
    return np.where(sure, np.maximum(found, 0.0), 0.0)


def _root(holds: Callable[[float], bool], most: float) -> float:
    """Return the least level at which a bound in floats does not exceed the target, to six digits."""
    low, high = 0.0, most
    while high - low > 1e-7 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return high


def _up(level: float) -> Fraction:
    """Return a decimal of nine places that is not below a level."""
    return Fraction(math.ceil(level * 10**9), 10**9)


def _up_to_digits(value: Fraction, digits: int = 12) -> Fraction:
    """Return a decimal with the given number of significant digits that is not below a number."""
    if not value:
        return value
    unit = Fraction(10) ** (math.floor(math.log10(value)) - digits)
    return math.ceil(value / unit) * unit
