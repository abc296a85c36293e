"""Shuffled reports of a mechanism: an upper bound of delta by its privacy blanket (rule 33, blanket_rule.md).

With probability ``chance`` the report of another respondent comes from a distribution that does not depend on the
value: the blanket. Two neighbouring data sets differ in one respondent, whose report is hidden among the blanket
reports. The number of blanket reports is binomial. The witness divides its range into blocks, and each block is bounded
at its least number. For a given number, delta is a sum of binomial tails, which are updated step by step. All numbers
are integers, rounded towards a larger delta (``tail_sums``).
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any, NamedTuple

from .brackets import gamma_bracket
from .documents import Budget, Rejected, bits_of, fields, items, of_kind, whole_between
from .limits import MAX_BLOCKS, MAX_LATTICE_BITS, MAX_PARAMETER_DIGITS, MAX_SHUFFLED, MAX_ZCDP_CATEGORIES
from .tail_sums import Law, binomial_law, constant


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


def check_blanket(problem: Any, claim: Any, witness: Any) -> None:
    """Check a claim of kind shuffled-delta about a mechanism."""
    budget = Budget()
    count, mechanism, epsilon = of_kind(
        problem, "shuffled-mechanism", ["respondents", "mechanism", "epsilon"], "problem"
    )
    lower, upper = of_kind(claim, "shuffled-delta", ["lower", "upper"], "claim")
    is_binary = isinstance(mechanism, dict) and mechanism.get("kind") == "binary"
    names = ["rule", *(() if is_binary else ("local",)), "gamma", "cuts", "bits"]
    _, *own, gamma, listed, precision = fields(witness, names, "witness")
    n = whole_between(count, "respondents", 1, MAX_SHUFFLED, budget)
    blankets = _blankets(mechanism, own, budget)
    level = gamma_bracket(epsilon, gamma, budget).below
    cuts = [whole_between(cut, "a cut", 0, n - 1, budget) for cut in items(listed, "the cuts", most=MAX_BLOCKS)]
    if any(one >= other for one, other in pairwise(cuts)):
        raise Rejected("the cuts do not increase")
    bits = whole_between(precision, "bits", 1, MAX_LATTICE_BITS, budget)
    if budget.number(lower, "lower") > 0:
        raise Rejected("lower is above 0: this rule proves no lower bound")
    most = budget.number(upper, "upper")
    for blanket in blankets:
        if most < blanket_bound(n, blanket, level, cuts, bits, budget):
            raise Rejected("upper is below the bound of the blanket")


def _blankets(mechanism: Any, own: list[Any], budget: Budget) -> list[Blanket]:
    """Return the blankets of a mechanism; a binary mechanism has two, one for each order of its inputs."""
    kind = mechanism.get("kind") if isinstance(mechanism, dict) else None
    if kind == "binary":
        ends = of_kind(mechanism, "binary", ["zero", "one"], "the mechanism")
        zero, one = (budget.number(end, "a chance of the report 1", MAX_PARAMETER_DIGITS) for end in ends)
        if not (0 < zero < 1 and 0 < one < 1):
            raise Rejected("a chance of the report 1 is not between 0 and 1")
        return binary_blankets(zero, one)
    if kind == "kary":
        local, categories = of_kind(mechanism, "kary", ["local", "categories"], "the mechanism")
        k = whole_between(categories, "categories", 2, MAX_ZCDP_CATEGORIES, budget)
        return [kary_blanket(gamma_bracket(local, own[0], budget).above, k)]
    (local,) = of_kind(mechanism, "any", ["local"], "the mechanism")
    return [any_blanket(gamma_bracket(local, own[0], budget).above)]


def any_blanket(parity: Fraction) -> Blanket:
    """Return a blanket that is valid for every mechanism of a parity: the clones of Feldman, McMillan and Talwar."""
    yes, no, half = parity / (parity + 1), 1 / (parity + 1), Fraction(1, 2)
    zero = Fraction(0)
    return Blanket(1 / parity, (yes, no, zero), (no, yes, zero), (half, half, zero))


def kary_blanket(parity: Fraction, k: int) -> Blanket:
    """Return the blanket of k-ary randomized response: the uniform distribution."""
    size = parity + k - 1
    yes, no, rest = parity / size, 1 / size, (k - 2) / size
    each = Fraction(1, k)
    return Blanket(k / size, (yes, no, rest), (no, yes, rest), (each, each, 1 - 2 * each))


def binary_blankets(zero: Fraction, one: Fraction) -> list[Blanket]:
    """Return the blankets of a binary mechanism in both orders; type 0 is likelier under the first input."""
    least, most = min(zero, one), max(zero, one)
    chance, none = 1 - most + least, Fraction(0)
    yes, no = least / chance, (1 - most) / chance
    return [
        Blanket(chance, (most, 1 - most, none), (least, 1 - least, none), (yes, no, none)),
        Blanket(chance, (1 - least, least, none), (1 - most, most, none), (no, yes, none)),
    ]


def blanket_bound(n: int, blanket: Blanket, gamma: Fraction, cuts: list[int], bits: int, budget: Budget) -> Fraction:
    """Return an upper bound of delta: the mean of the blocks' bounds over the number of blanket reports."""
    a, b = blanket.chance.as_integer_ratio()
    law = binomial_law(n - 1, a, b - a, bits, budget)
    budget.spend(2 * len(cuts) + len(law.weights) // 8)
    tails = law.tails()
    above = [tails[min(max(cut - law.start, 0), len(tails) - 1)] for cut in cuts]
    # counts below the first cut, and the missing probability, count with delta = 1
    total = (1 << bits) - (above[0] if above else 0)
    total <<= bits
    for mass, slack in zip(
        (one - other for one, other in pairwise([*above, 0])), _slacks(blanket, gamma, cuts, bits, budget), strict=True
    ):
        total += mass * slack
    return Fraction(total, 1 << (2 * bits))


def _slacks(blanket: Blanket, gamma: Fraction, cuts: list[int], bits: int, budget: Budget) -> Iterator[int]:
    """Yield for each cut an upper bound, in units of ``2^-bits``, of delta given that number of blanket reports."""
    (a0, a1, a2), (b0, b1, _), (w0, w1, w2) = blanket.first, blanket.second, blanket.law
    rest = (gamma - 1) * a2 / w2 if w2 else Fraction(0)
    rationals = (a0 - gamma * b0, a1 - gamma * b1, rest * w0, rest * w1)
    scale = lcm(*(x.denominator for x in rationals))
    u0, v0, e0, e1 = (int(x * scale) for x in rationals)
    size = sum(bits_of(x) for x in (gamma, *rationals)) // 4 + bits_of(gamma)
    pair = (w0 / (w0 + w1)).as_integer_ratio()
    two, others = (w0 + w1).as_integer_ratio()
    walk: Tail | None = None
    for m in cuts:
        pairs = binomial_law(m, two, others - two, bits, budget) if w2 else constant(m, bits)
        inside = [
            (c, (c + 1) * u0 - (m - c) * e0, (c + 1) * v0 - (m - c) * e1, weight)
            for c, weight in enumerate(pairs.weights, pairs.start)
        ]
        budget.spend(1 + 12 * len(inside), bits + size)
        inside = [each for each in inside if each[1] > 0]
        total = pairs.missing * scale << bits
        middle = min(max(pairs.start + len(pairs.weights) // 2 - inside[0][0], 0), len(inside) - 1) if inside else 0
        start: Tail | None = None
        for steps in (inside[middle:], inside[:middle][::-1]):
            walk = start or walk  # the second pass goes left from the middle again
            for c, u, v, weight in steps:
                j = (c + 1) * -v * pair[0] // (u * (pair[1] - pair[0]) - v * pair[0])
                if walk is None or (w2 and start is None):
                    walk = Tail.at(c, j, pair, bits, budget)
                else:
                    walk = walk.to(c, j, pair, budget)
                start = start or walk
                slack = u * walk.high + (u + v) * walk.beyond
                total += weight * max(-(-slack // (c + 1)), 0)
        yield min(-(-total // (scale << bits)), 1 << bits)


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
    def at(cls, c: int, j: int, pair: tuple[int, int], bits: int, budget: Budget) -> "Tail":
        """Return the bounds, computed from the whole binomial distribution."""
        law: Law = binomial_law(c, pair[0], pair[1] - pair[0], bits, budget)
        budget.spend(1 + len(law.weights) // 8)
        place = j - law.start
        low = law.weights[place] if 0 <= place < len(law.weights) else 0
        return cls(c, j, low, low + law.missing, sum(law.weights[max(place + 1, 0) :]), 1 << bits)

    def to(self, c: int, j: int, pair: tuple[int, int], budget: Budget) -> "Tail":
        """Return the bounds at other c and j, reached by unit steps; ``0 <= j <= c`` at every step."""
        at, place, low, high, beyond, unit = self
        yes, all_ = pair
        no = all_ - yes
        steps = abs(c - at) + abs(j - place)
        budget.spend(4 * steps, high.bit_length() + 2 * all_.bit_length(), 2 * all_.bit_length())
        while at < c:
            beyond += low * yes // all_
            above, below = (at + 1) * no, (at + 1 - place) * all_
            low, high = low * above // below, min(-(-high * above // below), unit)
            at += 1
        while place > j:
            beyond += low
            above, below = place * no, (at - place + 1) * yes
            low, high = low * above // below, min(-(-high * above // below), unit)
            place -= 1
        while at > c:
            above, below = (at - place) * all_, at * no
            low, high = low * above // below, min(-(-high * above // below), unit)
            beyond = max(beyond - -(-high * yes // all_), 0)
            at -= 1
        while place < j:
            above, below = (at - place) * yes, (place + 1) * no
            low, high = low * above // below, min(-(-high * above // below), unit)
            beyond = max(beyond - high, 0)
            place += 1
        return Tail(c, j, low, high, beyond, unit)
