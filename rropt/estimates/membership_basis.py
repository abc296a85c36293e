"""The basis of estimates from counts of memberships: the number of responses that contain each category.

If c_x of n responses, which are sets of categories, contain category x, then c_x is Binomial(n, M_x) with
``M_x = m + (p - m) pi_x``. Here p is the probability that a response contains the true category, and m that it contains
any given other one. The statement holds for every distribution pi, so Clopper-Pearson intervals for M_x give intervals
for pi_x. Those at level alpha/k hold together with confidence at least 1 - alpha, under any dependence (Bonferroni).
Tails and quantiles are computed only for the distinct values of c_x, so a million categories take milliseconds.

Memberships do not determine the likelihood of set responses: two data sets with the same memberships can have different
likelihoods. They do not determine the covariance of two categories either.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rropt.answers.data_columns import Floats, Ints
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.lazy import numpy as np
from rropt.core.limits import MAX_ANSWERS
from rropt.estimates.estimate_bases import Ends, GroupsBasis
from rropt.inference.distributions import lower_probability, upper_probability
from rropt.inference.exact_tests import BinomialSample
from rropt.inference.simple_means import SimpleMeans
from rropt.mechanisms import Mechanism
from rropt.mechanisms.families import MembershipMechanism, as_memberships

_ROOM = 1e-9  # endpoints are moved outwards by this fraction of their distance to 0 or 1, to cover rounding errors


class MembershipBasis(GroupsBasis):
    """Counts of memberships of all categories, or of some of them."""

    has_covariance = False

    @property
    def memberships(self) -> tuple[int, ...]:
        """The number of responses that contain each category."""
        return tuple(one.hits for one in self.means.samples[0].tolist())

    def kinds(self, place: int) -> tuple[str, ...]:
        """Return the kinds of intervals of an estimate, the recommended one first."""
        return ("exact", "normal")

    def ends(self, place: int, kind: str, confidence: Fraction) -> Ends | None:
        """Return the endpoints of an interval, which those of all categories at this confidence are computed with."""
        if kind != "exact":
            return super().ends(place, kind, confidence)
        if confidence not in self._cache:
            self._cache[confidence] = self._exact_ends(float(1 - confidence))
        found: Ends = self._cache[confidence][self.means.samples[self._at(place)].hits]
        return found

    def _exact_ends(self, alpha: float) -> dict[int, Ends]:
        """Return the interval of each number of responses, by that number."""
        sample: BinomialSample = self.means.samples[0, 0]
        counts = np.unique(np.array(self.memberships))
        rates = clopper_pearson(counts, sample.n, alpha)
        low, high = (np.clip((r - float(sample.low)) / float(sample.high - sample.low), 0, 1).tolist() for r in rates)
        return dict(zip(counts.tolist(), zip(low, high, strict=True), strict=True))

    def covariance(self, places: Sequence[int]) -> Any:
        """Return the variance of one estimate.

        Raises:
            InvalidParameterError: there are several, whose covariance memberships do not determine.
        """
        if len({self._at(place) for place in places}) > 1:
            raise InvalidParameterError(
                "the covariance of several categories is not determined: received counts of memberships, which sets of "
                "responses with different covariances may share; estimate from the responses"
            )
        return np.array([[self.means.variance[self._at(place)] for _ in places] for place in places], object)


def clopper_pearson(counts: Ints, n: int, alpha: float) -> tuple[Floats, Floats]:
    """Return the endpoints of two-sided Clopper-Pearson intervals at level alpha, moved outwards by 1e-9.

    >>> import numpy as np
    >>> low, high = clopper_pearson(np.array([0, 3]), 10, 0.05)
    >>> [round(float(x), 4) for x in (*low, *high)]
    [0.0, 0.0667, 0.3085, 0.6525]
    """
    low, high = lower_probability(n, counts, alpha / 2), upper_probability(n, counts, alpha / 2)
    return low * (1 - _ROOM), 1 - (1 - high) * (1 - _ROOM)


def required_memberships(mechanism: Mechanism, memberships: Sequence[int], n: int) -> MembershipMechanism:
    """Return a mechanism as one whose responses are sets, of which counts of memberships can be.

    Raises:
        InvalidParameterError: the responses of the mechanism are no sets, there are none, or their counts do not fit.
    """
    sets, k = as_memberships(mechanism), mechanism.inputs
    fits = sets is not None and 0 < n <= MAX_ANSWERS and len(memberships) == k
    if sets is None or not fits or not all(0 <= c <= n for c in memberships):
        raise InvalidParameterError(
            f"the memberships do not fit: received n = {shown(n)}, {shown(list(memberships))}; allowed are {k} whole "
            "numbers from 0 to n of a mechanism that outputs sets of categories"
        )
    return sets


def membership_basis(sets: MembershipMechanism, memberships: Sequence[int], n: int) -> MembershipBasis:
    """Return the basis of the unbiased estimates ``(c_x/n - m)/(p - m)``; categories of equal counts share theirs.

    Args:
        sets: the mechanism, whose responses are sets of categories.
        memberships: c, the number of responses that contain each category.
        n: the number of responses.
    """
    scale = 1 / (sets.hit - sets.miss)
    known: dict[int, tuple[Any, ...]] = {}
    for c in set(memberships):
        rate = Fraction(c, n)
        value, variance = (rate - sets.miss) * scale, rate * (1 - rate) / n * scale**2
        device = float(variance + (value**2 - value) / n)  # mean of z^2 - z
        known[c] = value, variance, device, BinomialSample(n, c, sets.miss, sets.hit)
    columns = [np.empty((1, len(memberships)), kind) for kind in (object, object, np.float64, object)]
    for x, c in enumerate(memberships):
        for column, number in zip(columns, known[c], strict=True):
            column[0, x] = number
    square = np.full(columns[0].shape, float(scale) ** 2 / n)
    means = SimpleMeans(np.array([n]), columns[0], columns[1], columns[2], square, columns[3])
    return MembershipBasis(means, _none, ("all",), tuple(range(len(memberships))), "proportion")


def _none(group: int) -> Any:
    raise AssertionError("memberships have no covariance")
