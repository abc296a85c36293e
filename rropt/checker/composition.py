"""The statement ``composition``: delta of many responses of one respondent together (composition.md).

The worst composition of mechanisms with levels (epsilon_i, delta_i) is a product of binary randomized responses, each
of which reveals its input with probability delta_i. Hence ``delta = 1 - prod (1 - delta_i)^(n_i) (1 - d)``, where d is
the sum of ``(P - gamma Q)^+`` over all outputs of the product. Two distributions on a lattice of odds bound d. For a
ratio r > 1 the lattice consists of the odds G r^-l, where G is the product of all parities.

* Upper bound: the response no of each mechanism is split between the two neighbouring lattice points, with unchanged
  total probability under both inputs. The resulting mechanism is at least as revealing.
* Lower bound: each response no takes a whole number of steps. The event that their sum is small bounds delta from
  below, as every event does.
* If every g_i^2 is close to a power of r, the lattice *fits*: one law of the number of steps bounds d on both sides,
  because the odds of each outcome are known. The checker tries this first.

Probabilities are integers that are rounded down (``tail_sums``). Powers of r lie between integers over ``2^(bits +
64)``. Every rounding widens the bracket.
"""

from bisect import bisect_left, bisect_right
from fractions import Fraction
from operator import mul
from typing import Any, NamedTuple

from .brackets import LevelBracket, gamma_bracket
from .documents import Rejected, WorkBudget, bits_of, fields, items, key_of, whole
from .limits import (
    MAX_COMPOSED_COUNT,
    MAX_COMPOSED_EXPONENT,
    MAX_COMPOSED_ITEMS,
    MAX_LATTICE_BITS,
    MAX_LATTICE_POINTS,
    MAX_PARAMETER_DIGITS,
    MAX_POWER_BITS,
)
from .tail_sums import Law, constant, convolved, law_of_short_laws, law_of_sum, repeated_choice

_GUARD = 64  # bits of the powers in addition to those of the probabilities
_FITS = 40  # a lattice fits if all squared parities of a composition are together within 2^-40 of powers of its ratio
_CHUNK = 64  # powers that are computed together
_SHORT = 4096  # bits up to which a power is compared exactly, if its integer bounds do not decide
_NOT_APART = "the points of the lattice are not apart: it needs more bits"


class Composed(NamedTuple):
    """The composition of a problem, after its brackets have been proved.

    ``parts`` contains the brackets of the different parities with their counts. ``kept`` is the probability that no
    response reveals its input. ``gamma`` is the bracket of the target level.
    """

    parts: list[tuple[LevelBracket, int]]
    kept: Fraction
    gamma: LevelBracket


def check_composition(problem: Any, claim: Any, proof: Any) -> str:
    """Check a bracket of the least slack of every adaptive composition."""
    budget = WorkBudget()
    listed, epsilon = fields(problem, ["items", "epsilon"], "problem")
    ends = fields(claim, ["lower", "upper"], "claim")
    brackets, ratio, precision = fields(proof, ["brackets", "ratio", "bits"], "proof")
    composed = _read(listed, epsilon, brackets, budget)
    lower, upper = (budget.number(end, "a bound") for end in ends)
    r = budget.number(ratio, "the ratio", MAX_PARAMETER_DIGITS)
    if r <= 1:
        raise Rejected("the ratio of the lattice is not above 1")
    bits = whole(precision, "bits", MAX_LATTICE_BITS, 1)
    longest = max(map(bits_of, (lower, upper, composed.kept)))
    fitted = FittedLattice.of(composed, r, bits, budget)
    if fitted is not None:
        below, above = fitted.lower(composed.gamma.above, budget), fitted.upper(composed.gamma.below, budget)
        budget.spend(6, longest + max(bits_of(below), bits_of(above)), longest)
        if lower <= 1 - composed.kept * (1 - below) and upper >= 1 - composed.kept * (1 - above):
            return ""
    below, above = lattice_bounds(composed, r, bits, budget)
    longest = max(longest, bits_of(below), bits_of(above))
    budget.spend(6, longest, longest)
    if lower > 1 - composed.kept * (1 - below):
        raise Rejected("lower is above the delta of the levels below")
    if upper < 1 - composed.kept * (1 - above):
        raise Rejected("upper is below the delta of the levels above")
    return ""


def _read(listed: Any, epsilon: Any, brackets: Any, budget: WorkBudget) -> Composed:
    """Read the items, and prove the brackets of their levels and of the target level."""
    rows = items(listed, "the items", most=MAX_COMPOSED_ITEMS)
    *levels, gamma = items(brackets, "brackets", count=len(rows) + 1)
    target = gamma_bracket(epsilon, gamma, budget, MAX_COMPOSED_EXPONENT)
    kept, found = Fraction(1), dict[str, tuple[LevelBracket, int]]()
    for row, written in zip(rows, levels, strict=True):
        level, delta, number = fields(row, ["epsilon", "delta", "count"], "an item")
        bracket, count = gamma_bracket(level, written, budget), whole(number, "a count", MAX_COMPOSED_COUNT, 1)
        key = key_of(*bracket)
        found[key] = bracket, found.get(key, (bracket, 0))[1] + count
        share = budget.number(delta, "a delta", MAX_PARAMETER_DIGITS)
        if not 0 <= share <= 1:
            raise Rejected("a delta is not in [0, 1]")
        if count * bits_of(share) + bits_of(kept) > MAX_POWER_BITS:
            raise Rejected(f"the chance that nothing is revealed has more than {MAX_POWER_BITS} bits")
        # Karatsuba products of c words cost c^1.585 steps; 1.6 is above it
        budget.spend(8 + int((count * bits_of(share) // 512) ** 1.6), bits_of(kept), count * bits_of(share))
        kept *= (1 - share) ** count
    return Composed(list(found.values()), kept, target)


def lattice_bounds(composed: Composed, r: Fraction, bits: int, budget: WorkBudget) -> tuple[Fraction, Fraction]:
    """Return a lower and an upper bound of d, the delta given that no response reveals its input."""
    lattice, gamma = Lattice(composed, r, bits, budget), composed.gamma
    return lattice.lower(gamma.above, budget), lattice.upper(gamma.below, budget)


class _Side(NamedTuple):
    """The distribution under P of the number of steps, a bound of the odds of no step, and the largest number."""

    law: Law
    odds: int
    whole: int


class Lattice:
    """The distributions of a composition on a lattice of odds, which bound d at every level.

    The lower bound multiplies its missing probability by gamma: it has as many bits more as gamma of the composition.
    """

    def __init__(self, composed: Composed, r: Fraction, bits: int, budget: WorkBudget) -> None:
        self._powers = _Powers(r, bits + _GUARD, budget)
        below = [(bracket.below, count) for bracket, count in composed.parts if bracket.below > 1]
        above = [(bracket.above, count) for bracket, count in composed.parts if bracket.above > 1]
        gamma = composed.gamma.above
        self._nearest = _nearest(
            below, self._powers, bits + (gamma.numerator // gamma.denominator).bit_length(), budget
        )
        self._split = _split(above, self._powers, bits, budget)

    def lower(self, gamma: Fraction, budget: WorkBudget) -> Fraction:
        """Return a lower bound of ``P(T < tau) - gamma Q(T < tau)``, at least 0."""
        law, odds, whole = self._nearest
        tau = _threshold(gamma, odds, whole, self._powers, budget)
        # under Q a step is as likely as no step under P, so T is there what whole - T is under P
        held, other = law.at_most(tau - 1)[0], law.at_least(whole - tau + 1)[1]
        budget.spend(3, 2 * law.bits, bits_of(gamma))
        return max(held - gamma * other, Fraction(0))

    def upper(self, gamma: Fraction, budget: WorkBudget) -> Fraction:
        """Return an upper bound of ``sum_l U(l) (1 - gamma r^l/G)^+``, U the distribution of the split responses."""
        (law, odds, whole), powers = self._split, self._powers
        g, h = gamma.as_integer_ratio()
        unit = 1 << powers.precision
        total, first = 0, 0
        for place in range(min(whole, law.start + len(law.weights)) + 1):
            powers.upto(place)
            budget.spend(3, odds.bit_length() + powers.precision, bits_of(gamma))
            factor = unit - (g * powers.low[place] << powers.precision) // (h * odds)
            if factor <= 0:
                break
            first = first or factor
            if law.start <= place < law.start + len(law.weights):
                total += law.weights[place - law.start] * factor
        return min(Fraction(total + law.missing * first, unit << law.bits), Fraction(1))


class FittedLattice:
    """The distribution of a composition on a lattice that contains its losses, but for a relative error.

    Let T be the number of steps. Every weight is a lower bound for all parities in their brackets. An outcome with T
    steps has odds ``G/(r^T e)`` with ``least <= e <= most``. Hence d is at least
    ``sum_t w_t (1 - gamma r^t most/G)^+``. It is at most ``sum_t w_t (1 - gamma r^t least/G)^+`` plus the missing
    weight times the factor of t = 0.
    """

    def __init__(self, law: Law, odds: tuple[int, int], errors: tuple[int, int], powers: "_Powers") -> None:
        self.law, self.powers = law, powers
        self._odds, self._errors = odds, errors

    @classmethod
    def of(cls, composed: Composed, r: Fraction, bits: int, budget: WorkBudget) -> "FittedLattice | None":
        """Return the distribution on the lattice of ratio r; None if the squared parities are no powers of r."""
        powers, parts = _Powers(r, bits + _GUARD, budget), [part for part in composed.parts if part[0].above > 1]
        unit, steps, error = 1 << powers.precision, list[int](), 0
        for (below, above), count in parts:
            step, deviation = powers.nearest(below * below, above * above)
            steps.append(step)
            error += count * deviation
            if error << _FITS > unit:
                return None
        laws = []
        for ((below, above), count), step in zip(parts, steps, strict=True):
            yes, no = (
                (below.numerator, sum(below.as_integer_ratio())),
                (above.denominator, sum(above.as_integer_ratio())),
            )
            laws.append(repeated_choice(_share(*yes, bits), _share(*no, bits), step, count, bits, budget))
        law = law_of_short_laws(laws, bits, budget)
        odds = (
            _product([(part.below, count) for part, count in parts], powers.precision, budget, up=False),
            _product([(part.above, count) for part, count in parts], powers.precision, budget, up=True),
        )
        # prod (1 + d_i) <= 1 + 2 sum d_i and prod (1 - d_i) >= 1 - sum d_i for a sum of at most 1/2
        return cls(law, odds, (unit - error, unit + 2 * error), powers)

    def lower(self, gamma: Fraction, budget: WorkBudget) -> Fraction:
        """Return a lower bound of d at a level."""
        budget.spend(2, self._odds[0].bit_length() + self.powers.precision, bits_of(gamma))
        total = self._sum(*self.scale(gamma, up=False), budget, up=False)
        return max(Fraction(total, 1 << (self.powers.precision + self.law.bits)), Fraction(0))

    def upper(self, gamma: Fraction, budget: WorkBudget) -> Fraction:
        """Return an upper bound of d at a level."""
        budget.spend(2, self._odds[1].bit_length() + self.powers.precision, bits_of(gamma))
        (scale, shift), unit = self.scale(gamma, up=True), 1 << self.powers.precision
        first = max(unit - (unit * scale >> shift), 0)  # the factor of t = 0
        total = self._sum(scale, shift, budget, up=True) + self.law.missing * first
        return min(Fraction(total, unit << self.law.bits), Fraction(1))

    def scale(self, gamma: Fraction, *, up: bool) -> tuple[int, int]:
        """Return s and b: ``s <= 2^b gamma least/G`` for the upper bound, ``s >= 2^b gamma most/G`` for the lower."""
        (g, h), odds = gamma.as_integer_ratio(), self._odds[up]
        shift = odds.bit_length()
        if up:
            return (g * self._errors[0] << shift) // (h * odds), shift
        return -(-(g * self._errors[1] << shift) // (h * odds)), shift

    def _sum(self, scale: int, shift: int, budget: WorkBudget, *, up: bool) -> int:
        """Return an upper (``up``) or lower bound of ``sum_t w_t (unit - scale r^t/2^shift)^+``."""
        law, powers, unit = self.law, self.powers, 1 << self.powers.precision
        ends, most = powers.low if up else powers.high, law.start + len(law.weights)
        while len(ends) < most and ends[-1] * scale >> shift < unit:
            powers.upto(min(len(ends) + _CHUNK, most) - 1)
        above = bisect_left(ends, -(-(unit << shift) // scale) if scale else 1 << (ends[-1].bit_length() + 1))
        end = max(min(most, above), law.start)
        budget.spend(2, shift + powers.precision, scale.bit_length())
        longest = ends[min(end, len(ends)) - 1].bit_length()
        budget.spend_in_bulk(end - law.start, law.bits, longest)
        weights = law.weights[: end - law.start]
        product: int = scale * sum(map(mul, weights, ends[law.start : end]))
        product = product >> shift if up else -(-product >> shift)
        return unit * sum(weights) - product


class _Powers:
    """Integers below and above ``2^precision r^l`` for l = 0, 1, ..."""

    def __init__(self, r: Fraction, precision: int, budget: WorkBudget) -> None:
        self._ends, self._budget, self.precision = r.as_integer_ratio(), budget, precision
        self._cost = bits_of(r)
        self.low, self.high = [1 << precision], [1 << precision]

    def upto(self, place: int) -> None:
        """Compute the powers up to the given l."""
        a, b = self._ends
        while len(self.low) <= place:
            if place > MAX_LATTICE_POINTS:
                raise Rejected(f"the lattice has more than {MAX_LATTICE_POINTS} points")
            self._budget.spend(2, self.high[-1].bit_length(), self._cost)
            self.low.append(self.low[-1] * a // b)
            self.high.append(-(-self.high[-1] * a // b))

    def nearest(self, least: Fraction, most: Fraction) -> tuple[int, int]:
        """Return l and an upper bound of ``2^precision abs(x/r^l - 1)`` for all x between two close numbers above 1."""
        unit = 1 << self.precision
        floor, ceiling = ((x.numerator << self.precision) // x.denominator for x in (least, most))
        self._budget.spend(8, floor.bit_length(), bits_of(least))
        while self.high[-1] <= floor:
            self.upto(len(self.high))
        after = bisect_right(self.high, floor)
        place = after if self.high[after] - floor < floor - self.high[after - 1] else after - 1
        low, high = self.low[place], self.high[place]
        return place, max(
            -(-(ceiling + 1 << self.precision) // low) - unit, unit - (floor << self.precision) // high, 0
        )

    def around(self, number: Fraction) -> tuple[int, int]:
        """Return l and l' with ``r^l <= number <= r^l'``, number >= 1; they are neighbours unless the bounds cannot
        decide.
        """
        n, d = number.numerator << self.precision, number.denominator
        self._budget.spend(20, n.bit_length(), bits_of(number))
        most = n // d
        while self.high[-1] <= most:
            self.upto(len(self.high))
        place = bisect_right(self.high, most) - 1
        if self.low[place + 1] * d >= n:
            return place, place + 1
        cost = (place + 1) * self._cost
        self._budget.spend(8, min(cost, _SHORT), min(cost, _SHORT))
        is_on_or_beyond = cost <= _SHORT and Fraction(*self._ends) ** (place + 1) <= number
        if cost <= _SHORT and not is_on_or_beyond:
            return place, place + 1
        self.upto(place + 2)
        if self.low[place + 2] * d < n:
            raise Rejected(_NOT_APART)
        return place + is_on_or_beyond, place + 2


def _product(parts: list[tuple[Fraction, int]], precision: int, budget: WorkBudget, *, up: bool) -> int:
    """Return an upper (``up``) or lower bound of the product of all parities, times ``2^precision``."""
    total = 1 << precision
    for parity, count in parts:
        n, d = parity.as_integer_ratio()
        base, left = 1 << precision, count
        square = -(-(n << precision) // d) if up else (n << precision) // d
        while left:
            budget.spend(2, total.bit_length(), square.bit_length())
            if left & 1:
                base = _scaled(base * square, precision, up=up)
            left >>= 1
            if left:
                square = _scaled(square * square, precision, up=up)
        budget.spend(1, total.bit_length(), base.bit_length())
        total = _scaled(total * base, precision, up=up)
    return total


def _scaled(number: int, precision: int, *, up: bool) -> int:
    return -(-number >> precision) if up else number >> precision


def _nearest(parts: list[tuple[Fraction, int]], powers: _Powers, bits: int, budget: WorkBudget) -> _Side:
    """Return the responses, each response no at the lattice point that is nearest to its odds."""
    laws, whole = [], 0
    for parity, count in parts:
        place, _ = powers.around(parity * parity)
        fourth = parity**4
        budget.spend(4, 2 * powers.precision, bits_of(fourth))
        odd = powers.high[place] * powers.high[place + 1] * fourth.denominator
        step = place + 1 if odd < fourth.numerator << (2 * powers.precision) else place
        yes, no = parity.as_integer_ratio()
        masses = [(0, _share(yes, no + yes, bits)), (step, _share(no, no + yes, bits))]
        laws.append(_repeated(masses, count, bits, budget))
        whole += step * count
    return _Side(_sum(laws, bits, budget), _product(parts, powers.precision, budget, up=False), whole)


def _threshold(gamma: Fraction, odds: int, whole: int, powers: _Powers, budget: WorkBudget) -> int:
    """Return the first l with ``gamma r^l >= odds``, or the index after the lattice."""
    least = -(-odds * gamma.denominator // gamma.numerator)
    budget.spend(4, odds.bit_length(), bits_of(gamma))
    while len(powers.low) <= whole and powers.low[-1] < least:
        powers.upto(len(powers.low))
    return min(bisect_left(powers.low, least), whole + 1)


def _share(part: int, whole: int, bits: int) -> int:
    return (part << bits) // whole


def _sum(laws: list[Law], bits: int, budget: WorkBudget) -> Law:
    """Return the distribution of a sum; short distributions are added first."""
    return law_of_sum(sorted(laws, key=lambda law: len(law.weights)), bits, budget)


def _repeated(masses: list[tuple[int, int]], count: int, bits: int, budget: WorkBudget) -> Law:
    """Return the distribution of the sum of ``count`` independent copies of the one with these weights at these lattice
    points.
    """
    length = masses[-1][0] + 1
    budget.spend(2 + length // 8)
    weights = [0] * length
    for place, weight in masses:
        weights[place] += weight
    law, found = Law(0, weights, bits), constant(0, bits)
    while True:
        if count & 1:
            found = convolved(found, law, budget)
        count >>= 1
        if not count:
            return found
        law = convolved(law, law, budget)


def _split(parts: list[tuple[Fraction, int]], powers: _Powers, bits: int, budget: WorkBudget) -> _Side:
    """Return the responses, each response no split between the two lattice points around its odds."""
    laws = []
    whole = 0
    for parity, count in parts:
        square = parity * parity
        place, beyond = powers.around(square)
        a, b = parity.as_integer_ratio()
        budget.spend(8, 2 * powers.precision, bits_of(square))
        n = square.numerator << powers.precision
        # no moves to the farther point with probability (g^2 - r^l)/(r^beyond - r^l), in integers rounded both ways
        wide, most = (n - end[place] * square.denominator for end in (powers.high, powers.low))
        gap, least = powers.high[beyond] - powers.low[place], powers.low[beyond] - powers.high[place]
        if least <= 0:
            raise Rejected(_NOT_APART)
        scale = (a + b) * square.denominator
        moved = (b * max(wide, 0) << bits) // (scale * gap)
        at_most = min(-(-(b * max(most, 0) << bits) // (scale * least)), -(-(b << bits) // (a + b)))
        kept = max(_share(b, a + b, bits) - at_most, 0)
        masses = [(0, _share(a, a + b, bits)), (place, kept), (beyond, moved)]
        laws.append(_repeated(masses, count, bits, budget))
        whole += beyond * count
    return _Side(_sum(laws, bits, budget), _product(parts, powers.precision, budget, up=True), whole)
