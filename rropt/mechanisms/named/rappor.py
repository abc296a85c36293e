"""RAPPOR over time: the privacy of many reports of a bit that is randomized twice.

A bit is randomized once and stored (permanent step), and every report randomizes the stored bit again (instantaneous
step). The parameters are f, p and q.

* The stored bit is 1 with probability ``1 - f/2`` if the true bit is 1, and ``f/2`` if it is 0.
* Each report of it is 1 with probability q if the stored bit is 1, and p if it is 0.
* A value sets h bits of its own (hashes, Bloom filter).

For N reports of one stored bit, the number of ones is sufficient. Its probabilities are
``sum_b Pr(b | x) Binomial(N, r_b)`` with r_1 = q, r_0 = p. Let
``u(x, y) = ((1 - f/2) x^N + f/2 y^N)/(f/2 x^N + (1 - f/2) y^N)`` and q > p. The odds of N ones for truth 1 are
``u(q, p)``, and the odds of no ones for truth 0 are ``u(1 - p, 1 - q)``. The odds are monotone in the number of ones,
so no other number of ones has larger odds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Epsilon, rational
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.named.builders import binomial, probability, require
from rropt.mechanisms.named.design import DESIGNS

_MAX_REPORTS = 200  # the entries are sums of N-th powers; with more reports the stored bit is practically known


@dataclass(frozen=True, slots=True)
class Rappor:
    """RAPPOR over time: the privacy of N reports of one value, and of a value that changes.

    Attributes:
        f, p, q: the probabilities of this module, with p < q.
        hashes: h, the number of bits that a value sets.

    >>> reports = Rappor("1/2", "1/2", "3/4", hashes=2)
    >>> [round(float(reports.epsilon(n)), 4) for n in (1, 10)], str(reports.limit()), round(float(reports.limit()), 4)
    ([1.0743, 4.2993], 'log(81)', 4.3944)
    """

    f: Fraction
    p: Fraction
    q: Fraction
    hashes: int

    def __init__(self, f: object, p: object = 0, q: object = 1, *, hashes: int = 1) -> None:
        for value, symbol in ((f, "f"), (p, "p"), (q, "q")):
            exact = rational(value, name=symbol)
            probability(exact, symbol)
            object.__setattr__(self, symbol, exact)
        require(self.p < self.q, f"p is not below q: received p = {self.p}, q = {self.q}; exchange the two outputs")
        if isinstance(hashes, bool) or not isinstance(hashes, int) or hashes < 1:
            raise InvalidParameterError(
                f"hashes is not a number of bits: received {shown(hashes)}; allowed is 1 or more"
            )
        object.__setattr__(self, "hashes", hashes)

    def bit(self, reports: int = 1) -> Mechanism:
        """Return the mechanism of one bit, whose output is the number of ones in N reports, shape (N + 1, 2)."""
        return DESIGNS["rappor"](self.f, self.p, self.q, _reports(reports))

    def epsilon(self, reports: int = 1) -> Epsilon:
        """Return the exact epsilon of N reports of one value among values with h bits each.

        Two values without a common bit differ in 2h bits: h change from 0 to 1, and h from 1 to 0. The worst reports
        contain all bits of the first value and no bit of the second: ``h (log u(q, p) + log u(1 - p, 1 - q))``.

        Source: Erlingsson, Pihur and Korolova (2014), Theorem 2 for N = 1.
        """
        rows = self.bit(reports).matrix
        (none_if_0, none_if_1), (all_if_0, all_if_1) = rows[0], rows[-1]
        if not (none_if_1 and all_if_0):
            return Epsilon.of_parity(None)
        return Epsilon.of_parity((all_if_1 / all_if_0 * none_if_0 / none_if_1) ** self.hashes)

    def limit(self) -> Epsilon:
        """Return the exact epsilon of unlimited reports, which is that of the stored bits: ``2h log((2 - f)/f)``."""
        return Epsilon.of_parity(((2 - self.f) / self.f) ** (2 * self.hashes) if self.f else None)

    def histories(self, before: int, after: int) -> Mechanism:
        """Return the mechanism of N reports of one bit and M more reports after the value may have changed.

        A new value is randomized and stored again. The inputs are: bit 0 unchanged, bit 1 unchanged, and after a change
        of the value the bit pairs (0, 0), (0, 1), (1, 0), (1, 1). Output ``t + (N + 1) s`` has t ones among the first
        reports and s among the later ones.
        """
        first, second = self.bit(before), self.bit(after)
        zero, one = ([[x * y for x in binomial(before, r)] for y in binomial(after, r)] for r in (self.p, self.q))
        rows = []
        for s, later in enumerate(second.matrix):
            for t, earlier in enumerate(first.matrix):
                a, b = zero[s][t], one[s][t]
                kept = ((1 - self.f / 2) * a + self.f / 2 * b, self.f / 2 * a + (1 - self.f / 2) * b)
                rows.append((*kept, *(x * y for x in earlier for y in later)))
        return Mechanism(rows, name=f"histories of {before} and {after} reports")

    def change_epsilon(self, before: int, after: int) -> Epsilon:
        """Return the exact epsilon between an unchanged and a changed value, for a bit that is equal in both values.

        The bit reveals nothing about the values, but it reveals that it was randomized again. If f < 1, epsilon grows
        without bound with the number of reports before and after, because two different stored bits exclude an
        unchanged value. Each bit of the filter adds the same amount.
        """
        columns = self.histories(before, after).design_matrix
        pairs = ((columns[0], columns[2]), (columns[1], columns[5]))  # (unchanged, randomized again) for bits 0 and 1
        parities = [Mechanism(list(zip(*pair, strict=True))).parity() for pair in pairs]
        return Epsilon.of_parity(None if None in parities else max(x for x in parities if x is not None))


def _reports(reports: object) -> int:
    if isinstance(reports, bool) or not isinstance(reports, int) or not 1 <= reports <= _MAX_REPORTS:
        raise InvalidParameterError(
            f"there is no such number of reports: received {shown(reports)}; allowed is 1 to {_MAX_REPORTS}"
        )
    return reports
