"""The mutual information of a row and the truth, enclosed, and a fast proof of its inequality on {1, gamma}^k.

``Information.of`` encloses ``sum_j pi_j r_j ln r_j - s ln s``, s = r.pi. ``doubtful`` yields the few rows of {1,
gamma}^k on which the inequality must be tested in this way (rays_way.md).
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from .documents import bits_of, key_of
from .intervals import Arithmetic, Interval
from .matrices import dot, over_one_denominator
from .rays import Ray, Staircase


class Information:
    """Intervals that contain ``sum_j pi_j r_j ln r_j - s ln s``, s = r.pi.

    Rows are divided by their smallest positive entry, because logarithms of numbers near 1 are fast. Each logarithm is
    computed once.
    """

    def __init__(self, pi: Sequence[Fraction], arithmetic: Arithmetic) -> None:
        self.arithmetic, self.pi = arithmetic, over_one_denominator(pi, arithmetic.budget)
        self.listed, self._shares = pi, [arithmetic.of(p) for p in pi]
        self._found: dict[str, Interval] = {}

    def times_log(self, x: Fraction) -> Interval:
        """Return an interval that contains ``x ln x``."""
        key = key_of(x)
        if key not in self._found:
            number = self.arithmetic.of(x)
            self._found[key] = self.arithmetic.multiply(number, self.arithmetic.log(number))
        return self._found[key]

    def of(self, row: Sequence[int]) -> Interval:
        """Return the interval of a row, with 0 ln 0 = 0; [0, 0] where all r_j with pi_j > 0 are equal."""
        arithmetic, longest = self.arithmetic, max(r.bit_length() for r in row)
        arithmetic.budget.spend(4 * len(row), longest, max(longest, self.pi.bits))
        counted = [r for r, share in zip(row, self.pi.numerators, strict=True) if share]
        if min(counted) == max(counted):
            return arithmetic.zero  # the logarithms cancel
        total, least = arithmetic.zero, min((r for r in row if r), default=1)
        for r, share in zip(row, self._shares, strict=True):
            if r > least and share[1]:
                total = arithmetic.add(total, arithmetic.multiply(share, self.times_log(Fraction(r, least))))
        s = dot(row, self.pi.numerators)
        if s:
            mean = self.times_log(Fraction(s, self.pi.denominator * least))
            total = arithmetic.add(total, arithmetic.negative(mean))
        return arithmetic.multiply(total, arithmetic.of(Fraction(least)))

    def ends(self, row: Sequence[int]) -> tuple[Fraction, Fraction]:
        """Return the ends of the interval of a row."""
        low, high = self.of(row)
        return Fraction(low), Fraction(high)


def doubtful(alpha: Sequence[int], unit_of_g: int, rays: Staircase, phi: Information) -> Iterator[Ray]:
    """Yield the staircase rows for which tangents of s ln s do not prove the inequality of the information.

    Here ``g(r) = alpha.r / unit_of_g``. By ``s ln s >= s (1 + ln t) - t``, with t close to s, it suffices to bound a
    sum over the entries of the row. The entries are 1 and gamma. Numbers are rounded down to multiples of ``1/unit``.
    """
    budget, arithmetic, k = phi.arithmetic.budget, phi.arithmetic, rays.k
    unit, shares = 2 ** (4 * arithmetic.digits), phi.pi
    entries, low = [], rays.low
    ends = [(x, Fraction(phi.times_log(Fraction(x, low))[1])) for x in (low, rays.high)]
    for a, share in zip(alpha, phi.listed, strict=True):
        own = []
        for x, log in ends:
            budget.spend(6, bits_of(log) + unit_of_g.bit_length(), unit.bit_length())
            own.append(((Fraction(a * x, unit_of_g * low) - share * log) * unit).__floor__())
        entries.append(own)
    below, width = low * shares.denominator, (rays.high - low) * shares.denominator
    count = 2 ** (k // 2)  # with more tangents, computing them takes longer than the rows that they spare
    tangents = []
    for b in range(count):
        t = Fraction(below * count + width * b, count * below)
        slope = 1 + Fraction(arithmetic.log(arithmetic.of(t))[0])
        budget.spend(6, unit.bit_length(), unit.bit_length())
        tangents.append(((slope * unit / below).__floor__(), -((-t * unit).__floor__())))

    def halves(inputs: range) -> list[tuple[int, int, Ray]]:
        found: list[tuple[int, int, Ray]] = [(0, 0, [])]
        for j in inputs:
            pairs = zip((rays.low, rays.high), entries[j], strict=True)
            found = [(v + own, s + shares.numerators[j] * x, [*r, x]) for x, own in pairs for v, s, r in found]
        return found

    size = unit.bit_length() + rays.longest + shares.bits
    budget.spend_in_bulk(8 * 2**k, size, 0)
    right = halves(range(k // 2, k))
    for v, s, r in halves(range(k // 2)):
        for added, more, rest in right:
            chance = s + more
            slope, away = tangents[min((chance - below) * count // width, count - 1)]
            if v + added + chance * slope < away:
                yield [*r, *rest]
