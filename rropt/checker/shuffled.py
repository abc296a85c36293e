"""The statement ``shuffled``: delta of shuffled reports over all neighbouring data sets (shuffled.md).

The device decides how delta is bounded.

* Binary randomized response: the number of reports 1 is a sum of two binomial counts. One data set and an event bound
  delta from below. Blocks of data sets bound it from above: further reports are noise and cannot increase delta.
* Other devices: with some chance the report of another respondent comes from a distribution that does not depend on the
  value, the *blanket*. Two neighbouring data sets differ in one respondent, whose report is hidden among the blanket
  reports. Their number is binomial. Its range is divided at the cuts, and each part is bounded at its least number.

All probabilities are integers, rounded towards a wider bracket (``tail_sums``).
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any, NamedTuple

from .brackets import LevelBracket, gamma_bracket, read_kary
from .documents import Rejected, WorkBudget, bits_of, fields, items, of_kind, whole
from .limits import MAX_BLOCKS, MAX_LATTICE_BITS, MAX_PARAMETER_DIGITS, MAX_SHUFFLED
from .tail_sums import Law, binomial_law, constant, law_of_sum


class Blanket(NamedTuple):
    """Distributions of a report on three types; the third type is equally likely under both inputs.

    Attributes:
        chance: probability that a report of another respondent comes from the blanket.
        first, second: probabilities of the types 0, 1 and 2 under the two inputs.
        law: probabilities of these types in the blanket.
    """

    chance: Fraction
    first: tuple[Fraction, Fraction, Fraction]
    second: tuple[Fraction, Fraction, Fraction]
    law: tuple[Fraction, Fraction, Fraction]


def check_shuffled(problem: Any, claim: Any, proof: Any) -> str:
    """Check a bracket of the least slack of shuffled reports."""
    budget = WorkBudget()
    count, device, epsilon = fields(problem, ["respondents", "device", "epsilon"], "problem")
    ends = fields(claim, ["lower", "upper"], "claim")
    kind = device.get("kind") if isinstance(device, dict) else None
    names = ["blocks", "data_set"] if kind == "warner" else ["cuts"]
    brackets, *parts, precision = fields(proof, ["brackets", *names, "bits"], "proof")
    n = whole(count, "respondents", MAX_SHUFFLED, 1)
    *own, target = items(brackets, "brackets", count=1 if kind == "binary" else 2)
    gamma = gamma_bracket(epsilon, target, budget)
    bits = whole(precision, "bits", MAX_LATTICE_BITS, 1)
    least, most = (budget.number(end, "a bound") for end in ends)
    proved, bounds = Fraction(0), iter(list[Fraction]())
    if kind == "warner":
        (local,) = of_kind(device, "warner", ["local"], "the device")
        proved, bounds = _by_blocks(n, gamma_bracket(local, own[0], budget), gamma, parts, bits, budget)
    else:
        blankets = _blankets(device, kind, own, budget)
        cuts = [whole(cut, "a cut", n - 1) for cut in items(parts[0], "the cuts", most=MAX_BLOCKS)]
        if any(one >= other for one, other in pairwise(cuts)):
            raise Rejected("the cuts do not increase")
        bounds = (blanket_bound(n, blanket, gamma.below, cuts, bits, budget) for blanket in blankets)
    if least > max(proved, Fraction(0)):
        raise Rejected("lower is above the bound of the proof")
    if any(most < bound for bound in bounds):
        raise Rejected("upper is below the bound of the proof")
    return ""


def _by_blocks(
    n: int, device: LevelBracket, gamma: LevelBracket, parts: list[Any], bits: int, budget: WorkBudget
) -> tuple[Fraction, Iterator[Fraction]]:
    """Return the lower bound of delta that a data set proves, and an upper bound for each block of data sets."""
    sizes, data = parts
    blocks = [whole(size, "a block", n, 1) for size in items(sizes, "the blocks", most=MAX_BLOCKS)]
    if sum(blocks) != n:
        raise Rejected("the blocks have not all data sets")
    zeros, cut = fields(data, ["zeros", "cut"], "the data set")
    j, s = whole(zeros, "zeros", n - 1), whole(cut, "the cut", n)
    law = _others(n - 1 - j, j, device.below, bits, budget)
    terms, unit = _excesses(law, device.below, gamma.above, budget)
    event = sum(terms[max(s - law.start, 0) :])
    proved = Fraction(event, unit << bits) - gamma.above * Fraction(law.missing, 1 << bits)

    def bounds() -> Iterator[Fraction]:
        first = 0
        for size in blocks:
            law = _others(n - size - first, first, device.above, bits, budget)
            terms, unit = _excesses(law, device.above, gamma.below, budget)
            yield Fraction(sum(term for term in terms if term > 0) + unit * law.missing, unit << bits)
            first += size

    return proved, bounds()


def _others(ones: int, zeros: int, parity: Fraction, bits: int, budget: WorkBudget) -> Law:
    """Return the distribution of the number of reports 1 for these numbers of respondents with the value 1 and 0."""
    g, h = parity.as_integer_ratio()
    laws = [binomial_law(n, *odds, bits, budget) for n, odds in ((ones, (g, h)), (zeros, (h, g))) if n]
    return law_of_sum(laws, bits, budget)


def _excesses(law: Law, parity: Fraction, gamma: Fraction, budget: WorkBudget) -> tuple[list[int], int]:
    """Return ``P - gamma Q`` at each number of reports 1 from ``law.start`` on, and the factor of these integers.

    The law is that of the others. They are integers over ``factor 2^bits``.
    """
    (a, b), (g, h) = parity.as_integer_ratio(), gamma.as_integer_ratio()
    stays, moves = b * h - g * a, a * h - g * b  # of a report 0 and of a report 1 of the changed respondent
    budget.spend(2 + len(law.weights), law.bits, bits_of(parity) + bits_of(gamma))
    pairs = zip((*law.weights, 0), (0, *law.weights), strict=True)
    return [weight * stays + before * moves for weight, before in pairs], (a + b) * h


def _blankets(device: Any, kind: Any, own: list[Any], budget: WorkBudget) -> list[Blanket]:
    """Return the blankets of a device; a binary device has two, one for each order of its inputs."""
    if kind == "binary":
        ends = of_kind(device, "binary", ["zero", "one"], "the device")
        zero, one = (budget.number(end, "a chance of the report 1", MAX_PARAMETER_DIGITS) for end in ends)
        if not (0 < zero < 1 and 0 < one < 1):
            raise Rejected("a chance of the report 1 is not between 0 and 1")
        return binary_blankets(zero, one)
    if kind == "kary":
        parity, k = read_kary(device, own, budget)
        if k.denominator != 1:
            raise Rejected("the number of categories is not whole")
        return [kary_blanket(parity.above, int(k))]
    (local,) = of_kind(device, "any", ["local"], "the device")
    return [any_blanket(gamma_bracket(local, own[0], budget).above)]


def any_blanket(parity: Fraction) -> Blanket:
    """Return a blanket that is valid for every mechanism of a parity: the clones of Feldman, McMillan and Talwar."""
    return kary_blanket(parity, 2)._replace(chance=1 / parity)


def kary_blanket(parity: Fraction, k: int) -> Blanket:
    """Return the blanket of k-ary randomized response: the uniform distribution."""
    size = parity + k - 1
    yes, no, rest = parity / size, 1 / size, (k - 2) / size
    each = Fraction(1, k)
    return Blanket(k / size, (yes, no, rest), (no, yes, rest), (each, each, 1 - 2 * each))


def binary_blankets(zero: Fraction, one: Fraction) -> list[Blanket]:
    """Return the blankets of a binary device in both orders; type 0 is likelier under the first input."""
    chance, none = 1 - abs(zero - one), Fraction(0)
    return [
        Blanket(chance, (most, 1 - most, none), (least, 1 - least, none), (least / chance, (1 - most) / chance, none))
        for least, most in (sorted((zero, one)), sorted((1 - zero, 1 - one)))
    ]


def blanket_bound(
    n: int, blanket: Blanket, gamma: Fraction, cuts: list[int], bits: int, budget: WorkBudget
) -> Fraction:
    """Return an upper bound of delta: the mean of the bounds at the cuts over the number of blanket reports."""
    a, b = blanket.chance.as_integer_ratio()
    law = binomial_law(n - 1, a, b - a, bits, budget)
    budget.spend(2 * len(cuts) + len(law.weights) // 8)
    tails, unit = law.tails(), 1 << bits
    above = [tails[min(max(cut - law.start, 0), len(tails) - 1)] for cut in cuts]
    # counts below the first cut, and the missing probability, count with delta = 1
    masses = (one - other for one, other in pairwise([unit, *above, 0]))
    slacks = [unit, *_slacks(blanket, gamma, cuts, bits, budget)]
    return Fraction(sum(mass * slack for mass, slack in zip(masses, slacks, strict=True)), unit * unit)


def _slacks(blanket: Blanket, gamma: Fraction, cuts: list[int], bits: int, budget: WorkBudget) -> Iterator[int]:
    """Yield for each cut an upper bound, in units of ``2^-bits``, of delta given that number of blanket reports."""
    (a0, a1, a2), (b0, b1, _), (w0, w1, w2) = blanket.first, blanket.second, blanket.law
    rest = (gamma - 1) * a2 / w2 if w2 else Fraction(0)
    rationals = (a0 - gamma * b0, a1 - gamma * b1, rest * w0, rest * w1)
    scale = lcm(*(x.denominator for x in rationals))
    u0, v0, e0, e1 = (int(x * scale) for x in rationals)
    size = sum(bits_of(x) for x in (gamma, *rationals)) // 4 + bits_of(gamma)
    two = (w0 + w1).as_integer_ratio()
    yes, all_ = (w0 / (w0 + w1)).as_integer_ratio()
    start: Tail | None = None
    for m in cuts:
        pairs = binomial_law(m, two[0], two[1] - two[0], bits, budget) if w2 else constant(m, bits)
        budget.spend(1 + 12 * len(pairs.weights), bits + size)
        steps = []  # c reports of types 0 and 1, the likeliest j of type 0 without gain, and the slopes beyond it
        for c, weight in enumerate(pairs.weights, pairs.start):
            u, v = (c + 1) * u0 - (m - c) * e0, (c + 1) * v0 - (m - c) * e1
            if u > 0:
                steps.append((c, (c + 1) * -v * yes // (u * (all_ - yes) - v * yes), u, v, weight))
        total = pairs.missing * scale << bits
        middle = max(len(steps) - 1 - len(pairs.weights) // 2, 0)
        if steps:
            start = _reached(start, *steps[middle][:2], (yes, all_), bits, budget)
        for way in (steps[middle:], steps[:middle][::-1]):  # from the likeliest c outwards
            walk = start
            for c, j, u, v, weight in way:
                walk = _reached(walk, c, j, (yes, all_), bits, budget)
                slack = u * walk.high + (u + v) * walk.beyond
                total += weight * max(-(-slack // (c + 1)), 0)
        yield min(-(-total // (scale << bits)), 1 << bits)


def _reached(walk: "Tail | None", c: int, j: int, pair: tuple[int, int], bits: int, budget: WorkBudget) -> "Tail":
    """Return the bounds at c and j, reached from others by unit steps if there are any."""
    return Tail.at(c, j, pair, bits, budget) if walk is None else walk.to(c, j, pair, budget)


class Tail(NamedTuple):
    """Bounds of the probability of j successes in c trials and of its upper tail, in units of ``2^-bits``.

    Attributes:
        c, j: number of trials and of successes.
        low, high: bounds of the probability of j successes.
        beyond: lower bound of the probability of more than j successes.
        unit: ``2^bits``.
    """

    c: int
    j: int
    low: int
    high: int
    beyond: int
    unit: int

    @classmethod
    def at(cls, c: int, j: int, pair: tuple[int, int], bits: int, budget: WorkBudget) -> "Tail":
        """Return the bounds, computed from the whole binomial distribution."""
        law: Law = binomial_law(c, pair[0], pair[1] - pair[0], bits, budget)
        budget.spend(1 + len(law.weights) // 8)
        place = j - law.start
        low = law.weights[place] if 0 <= place < len(law.weights) else 0
        return cls(c, j, low, low + law.missing, sum(law.weights[max(place + 1, 0) :]), 1 << bits)

    def to(self, c: int, j: int, pair: tuple[int, int], budget: WorkBudget) -> "Tail":
        """Return the bounds at other c and j, reached by unit steps; ``0 <= j <= c`` at every step."""
        at, place, low, high, beyond, unit = self
        yes, all_ = pair
        no = all_ - yes
        steps = abs(c - at) + abs(j - place)
        budget.spend(4 * steps, high.bit_length() + 2 * all_.bit_length(), 2 * all_.bit_length())

        def times(above: int, below: int) -> tuple[int, int]:
            return low * above // below, min(-(-high * above // below), unit)

        for i in range(at, c):
            beyond += low * yes // all_
            low, high = times((i + 1) * no, (i + 1 - place) * all_)
        at = max(at, c)
        for i in range(place, j, -1):
            beyond += low
            low, high = times(i * no, (at - i + 1) * yes)
        place = min(place, j)
        for i in range(at, c, -1):
            low, high = times((i - place) * all_, i * no)
            beyond = max(beyond - -(-high * yes // all_), 0)
        for i in range(place, j):
            low, high = times((c - i) * yes, (i + 1) * no)
            beyond = max(beyond - high, 0)
        return Tail(c, j, low, high, beyond, unit)
