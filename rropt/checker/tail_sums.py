"""Distributions of counts and of their sums, as integers rounded down, with lower and upper bounds of tail
probabilities.

A *truncated law* consists of a start s and integers w_0, w_1, ... with ``w_i <= 2^bits Pr(X = s + i)``. Let ``missing =
2^bits - sum w_i``. Then for every event E

    w(E) <= 2^bits Pr(X in E) <= w(E) + missing.

So a single list of integers, rounded down at every step, bounds the probability of each event on both sides.
``missing`` contains what truncation and rounding remove. The law of a sum of independent counts is the product of their
laws (``long_products``), rounded down again.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from .documents import Rejected, WorkBudget
from .long_products import packed_product, product

_GUARD = 24  # bits of a weight in addition to those of its law
_CHUNK = 256  # number of weights that are charged together
_FEW = 16  # nonzero weights of a law that multiplies another one term by term
_TOGETHER = 256  # such laws that are multiplied one after the other
MAX_COUNT = 10**15  # largest n of a binomial law


class Law(NamedTuple):
    """A truncated law: ``weights[i] <= 2^bits Pr(X = start + i)``.

    >>> law = binomial_law(4, 1, 1, 40, WorkBudget())
    >>> below, above = law.at_least(3)
    >>> below <= Fraction(5, 16) <= above, above - below < Fraction(1, 10**9)
    (True, True)
    """

    start: int
    weights: Sequence[int]
    bits: int

    @property
    def missing(self) -> int:
        """The difference between ``2^bits`` and the sum of the weights: at least 0."""
        return (1 << self.bits) - sum(self.weights)

    def at_least(self, place: int) -> tuple[Fraction, Fraction]:
        """Return a lower and an upper bound of ``Pr(X >= place)``."""
        return self._bounds(sum(self.weights[max(place - self.start, 0) :]))

    def at_most(self, place: int) -> tuple[Fraction, Fraction]:
        """Return a lower and an upper bound of ``Pr(X <= place)``."""
        return self._bounds(sum(self.weights[: max(place - self.start + 1, 0)]))

    def tails(self) -> list[int]:
        """Return ``sum_(j >= i) w_j`` for every i, and 0 at the end."""
        return [*accumulate(reversed(self.weights), initial=0)][::-1]

    def _bounds(self, held: int) -> tuple[Fraction, Fraction]:
        unit = 1 << self.bits
        return Fraction(held, unit), Fraction(min(held + self.missing, unit), unit)


def constant(place: int, bits: int) -> Law:
    """Return the law of a constant."""
    return Law(place, [1 << bits], bits)


def binomial_law(n: int, a: int, b: int, bits: int, budget: WorkBudget) -> Law:
    """Return the law of Bin(n, a/(a + b)), truncated where weights fall below ``2^-bits`` of the largest one.

    Let w_j = C(n, j) a^j b^(n-j), divided by its largest value. The ratios ``w_(j+1)/w_j = (n-j) a / ((j+1) b)``
    decrease in j. Starting at the mode, one list of weights is rounded down and another up. When the lower weights
    reach 0, a geometric series with the current ratio bounds the remaining ones. Each lower weight over the sum of all
    upper weights is at most the probability. No factorial is needed.

    Args:
        n: number of trials, at least 0.
        a, b: nonnegative integers, not both 0; the probability of success is a/(a + b).
        bits: the unit of the weights is ``2^-bits``.
        budget: the work budget.
    """
    if not 0 <= n <= MAX_COUNT or min(a, b) < 0 or not a + b:
        raise Rejected(f"a binomial law is not of 0 to {MAX_COUNT} trials with a chance in [0, 1]")
    if not a or not b:
        return constant(n if a else 0, bits)
    mode = min((n + 1) * a // (a + b), n)
    unit = 1 << (bits + _GUARD)
    right, above = _side(unit, ((n - j) * a for j in range(mode, n)), ((j + 1) * b for j in range(mode, n)), budget)
    left, below = _side(
        unit, (j * b for j in range(mode, 0, -1)), ((n - j + 1) * a for j in range(mode, 0, -1)), budget
    )
    total = unit + above + below
    budget.spend(1 + len(left) + len(right), 2 * bits, 2 * bits)
    weights = [(w << bits) // total for w in (*reversed(left), unit, *right)]
    return trimmed(Law(mode - len(left), weights, bits))


def _side(unit: int, above: Iterable[int], below: Iterable[int], budget: WorkBudget) -> tuple[list[int], int]:
    """Return lower weights from the mode outwards, and an upper bound of the sum of all weights on this side.

    Each weight is the one before times ``above/below``. These ratios are at most 1 and decrease.
    """
    weights: list[int] = []
    low = high = unit
    total = 0
    for i, (x, y) in enumerate(zip(above, below, strict=True)):
        if i % _CHUNK == 0:
            budget.spend(_CHUNK // 2, unit.bit_length(), x.bit_length() + y.bit_length())
        if not low:  # the remaining weights sum to at most high (r + r^2 + ...), r = x/y, which is finite only if r < 1
            if x >= y:
                raise Rejected("a binomial law has too few bits")
            return weights, total - (-high * x // (y - x))
        low, high = low * x // y, -(-high * x // y)
        weights.append(low)
        total += high
    return weights, total


def trimmed(law: Law) -> Law:
    """Return the law without leading and trailing zeros."""
    weights = law.weights
    first = next((i for i, w in enumerate(weights) if w), len(weights))
    last = next((i for i in range(len(weights), first, -1) if weights[i - 1]), first)
    return Law(law.start + first, weights[first:last], law.bits) if first or last < len(weights) else law


def convolved(one: Law, other: Law, budget: WorkBudget) -> Law:
    """Return the law of the sum of two independent counts, rounded down."""
    if not one.weights or not other.weights:
        return Law(0, [], one.bits)
    terms = product(one.weights, other.weights, budget)
    budget.spend(1 + len(terms) // 8)
    return trimmed(Law(one.start + other.start, [c >> other.bits for c in terms], one.bits))


def law_of_sum(laws: Iterable[Law], bits: int, budget: WorkBudget) -> Law:
    """Return the law of the sum of independent counts, in a balanced tree; the empty sum is the constant 0."""
    level = list(laws) or [constant(0, bits)]
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        level = [convolved(one, other, budget) for one, other in pairs] + level[len(level) - len(level) % 2 :]
    return level[0]


def repeated_choice(zero: int, step_weight: int, step: int, count: int, bits: int, budget: WorkBudget) -> Law:
    """Return the law of the sum of ``count`` independent counts, each 0 or ``step``.

    Args:
        zero, step_weight: the weights of 0 and of ``step``, in units of ``2^-bits``; together at most ``2^bits``.
        step: the distance, at least 0.
        count: the number of counts, at least 1.
        bits: the unit of the weights is ``2^-bits``.
        budget: the work budget.
    """
    missing = (1 << bits) - zero - step_weight
    budget.spend(2 + (count * step) // 8)
    if count == 1:
        law = Law(0, [zero, step_weight], bits)
    else:  # (1 - x)^count >= 1 - count x: the probability that no count is missing
        own = binomial_law(count, step_weight, zero, bits, budget) if zero + step_weight else Law(0, [], bits)
        kept = max((1 << bits) - count * missing, 0)
        law = trimmed(Law(own.start, [weight * kept >> bits for weight in own.weights], bits))
    if not law.weights or step == 1:
        return law
    if not step:
        return Law(0, [sum(law.weights)], bits)
    spaced = [0] * ((len(law.weights) - 1) * step + 1)
    spaced[::step] = law.weights
    return Law(law.start * step, spaced, bits)


def law_of_short_laws(laws: Iterable[Law], bits: int, budget: WorkBudget) -> Law:
    """Return the law of the sum of independent counts, most of which have few values, rounded down.

    A law with few nonzero weights multiplies the law of a sum in one pass (``packed_product``). Groups of such laws are
    summed in this way, and the groups in a balanced tree.
    """
    level = sorted(laws, key=lambda law: len(law.weights))
    few = [law for law in level if len(law.weights) - list(law.weights).count(0) <= _FEW]
    groups = [law for law in level if len(law.weights) - list(law.weights).count(0) > _FEW]
    for i in range(0, len(few), _TOGETHER):
        group = few[i : i + _TOGETHER]
        if len(group) == 1:
            groups += group
            continue
        start, weights = packed_product([law.weights for law in group], bits, budget)
        groups.append(trimmed(Law(start + sum(law.start for law in group), weights, bits)))
    return law_of_sum(sorted(groups, key=lambda law: len(law.weights)), bits, budget)
