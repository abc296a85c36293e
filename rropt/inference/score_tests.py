r"""The score test of a difference of two prevalences under one device, and the interval that inverts it.

Group g has n_g respondents. Y_g of them give the response that indicates the trait, with probability ``lambda_g = low +
s pi_g``, where ``s = high - low > 0`` (``BinomialSample.oriented``). At a difference delta of the prevalences the
statistic is

    z(delta) = (Y_1/n_1 - Y_2/n_2 - s delta) / sqrt(V(delta)),
    V(delta) = N/(N - 1) (l_1 (1 - l_1)/n_1 + l_2 (1 - l_2)/n_2),    N = n_1 + n_2.

Here l_1 and l_2 are the maximum likelihood estimates of lambda_1 and lambda_2 among the pairs that are possible at
delta: their difference is ``s delta``, and both lie in [low, high]. The two-sided p-value of delta is
``2 Phi(-|z(delta)|)``. The interval consists of all delta in [-1, 1] with ``|z(delta)| <= z``, where z is the normal
quantile of the confidence. It therefore contains 0 if and only if the p-value of equal prevalences is at least 1 minus
the confidence. For direct responses, low = 0 and high = 1, this is the test and interval of Miettinen and Nurminen.

*The constrained maximum.* On the line ``lambda_1 = lambda_2 + s delta`` the log-likelihood is concave in lambda_2. So
its maximum on an interval is the maximum on the whole line, moved to the nearer end if it lies outside. The maximum on
the line is a root of a cubic, which has three real roots.

z decreases in delta, except next to an end of [-1, 1] beyond which the estimate lies. There the interval may be this
end alone, although a difference next to it is accepted too; the test of 0 still agrees with it. If both frequencies are
equal to an end of [0, 1], V(0) may be 0; then z(0) is 0. If the responses are so extreme that no difference in
[-1, 1] is accepted, the interval is the end of [-1, 1] next to the estimate.

Source: Miettinen and Nurminen (1985), Comparative analysis of two rates, Statistics in Medicine 4, 213-226; Newcombe
(1998), Statistics in Medicine 17, 873-890, method 6 (numerical examples).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rropt.core.lazy import NDArray
from rropt.core.lazy import numpy as np
from rropt.inference.differences import Ends
from rropt.inference.exact_tests import BinomialSample

Floats: TypeAlias = "NDArray[np.float64]"

_HALVINGS = 60  # of an interval of length 2 at most: its ends are then known to the precision of a double


def score_p_values(pairs: Sequence[tuple[BinomialSample, BinomialSample]]) -> list[float]:
    """Return the two-sided p-values of equal prevalences.

    >>> direct = Fraction(0), Fraction(1)
    >>> round(score_p_values([(BinomialSample(70, 56, *direct), BinomialSample(80, 48, *direct))])[0], 4)
    0.0083
    """
    from scipy.special import ndtr

    found: list[float] = (2 * ndtr(-np.abs(score_statistics(pairs)))).tolist()
    return found


def score_statistics(pairs: Sequence[tuple[BinomialSample, BinomialSample]]) -> Floats:
    """Return z(0) of each pair."""
    counts = _Pairs.of(pairs)
    return counts.statistics(np.zeros(len(pairs)))


def score_intervals(pairs: Sequence[tuple[BinomialSample, BinomialSample]], confidence: Fraction) -> list[Ends]:
    """Return the intervals of the differences, first minus second prevalence.

    >>> direct = Fraction(0), Fraction(1)
    >>> pair = BinomialSample(70, 56, *direct), BinomialSample(80, 48, *direct)
    >>> ((low, high),) = score_intervals([pair], Fraction(19, 20))
    >>> round(low, 4), round(high, 4)  # Newcombe 1998, table II, method 6
    (0.0528, 0.3382)
    """
    from scipy.special import ndtri

    counts, most = _Pairs.of(pairs), -float(ndtri(float(1 - confidence) / 2))
    lower = counts.limits(most)
    upper = -counts.swapped().limits(most)
    return [(low + 0.0, high + 0.0) for low, high in zip(lower.tolist(), upper.tolist(), strict=True)]  # no -0.0


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Pairs of counts as arrays; ``low`` and ``high`` are the ends of the range of both lambda."""

    hits: Floats
    n: Floats
    other_hits: Floats
    other_n: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, pairs: Sequence[tuple[BinomialSample, BinomialSample]]) -> _Pairs:
        both = [(one.oriented(), other.oriented()) for one, other in pairs]
        numbers = [(one.hits, one.n, other.hits, other.n, float(one.low), float(one.high)) for one, other in both]
        return cls(*np.array(numbers, np.float64).reshape(-1, 6).T)

    def swapped(self) -> _Pairs:
        return _Pairs(self.other_hits, self.other_n, self.hits, self.n, self.low, self.high)

    def limits(self, most: float) -> Floats:
        """Return the least delta in [-1, 1] with ``z(delta) <= most``; 1 if there is none."""
        ones = np.ones(len(self.n))
        outside, inside = -ones, ones.copy()
        accepts_zero = self.statistics(0 * ones) <= most
        outside, inside = np.where(accepts_zero, outside, 0.0), np.where(accepts_zero, 0.0, inside)
        for _ in range(_HALVINGS):
            middle = (outside + inside) / 2
            accepted = self.statistics(middle) <= most
            outside, inside = np.where(accepted, outside, middle), np.where(accepted, middle, inside)
        return np.where(self.statistics(-ones) <= most, -1.0, inside)

    def statistics(self, delta: Floats) -> Floats:
        """Return z(delta)."""
        gap = (self.high - self.low) * delta
        second = self._constrained(gap)
        first = second + gap
        parts = first * (1 - first) / self.n + second * (1 - second) / self.other_n
        total = self.n + self.other_n
        error = np.sqrt(np.maximum(parts, 0.0) * total / (total - 1))
        distance = (self.hits * self.other_n - self.other_hits * self.n) / (self.n * self.other_n) - gap
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(distance == 0, 0.0, distance / error)

    def _constrained(self, gap: Floats) -> Floats:
        """Return the maximum likelihood estimate of the second lambda where the first one is larger by ``gap``."""
        n, m, x, y = self.n, self.other_n, self.hits, self.other_hits
        total = n + m
        # the roots of total l^3 + a l^2 + b l + c, with l = lambda_2
        a = (n + 2 * m) * gap - total - x - y
        b = (m * gap - total - 2 * y) * gap + x + y
        c = y * gap * (1 - gap)
        centre = a / (3 * total)
        q = centre**3 - a * b / (6 * total**2) + c / (2 * total)
        p = np.copysign(np.sqrt(np.maximum(centre**2 - b / (3 * total), 0.0)), q)
        with np.errstate(divide="ignore", invalid="ignore"):
            cosine = np.where(p == 0, 0.0, q / p**3)
        found = 2 * p * np.cos((np.pi + np.arccos(np.clip(cosine, -1.0, 1.0))) / 3) - centre
        found = np.where(gap == 0, (x + y) / total, found)
        least, most = np.maximum(self.low, self.low - gap), np.minimum(self.high, self.high - gap)
        return np.minimum(np.maximum(found, least), np.maximum(most, least))
