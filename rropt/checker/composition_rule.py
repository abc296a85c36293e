"""The composition of many responses of one respondent: delta of the composition (rule 26).

The worst composition of mechanisms with levels (epsilon_i, delta_i) is a product of binary randomized responses, each
of which reveals its input with probability delta_i. Hence ``delta = 1 - prod (1 - delta_i)^(n_i) (1 - d)``, where d is
the sum of ``(P - gamma Q)^+`` over all outputs of the product. The responses are split into two halves. The outputs of
each half are sorted by their odds P/Q, and two pointers move through the lists in opposite directions. All numbers are
integers over a common denominator.
"""

from fractions import Fraction
from itertools import accumulate
from math import comb
from typing import Any, NamedTuple

from .brackets import Bracket, gamma_bracket
from .documents import Budget, Rejected, bits_of, fields, items, of_kind
from .limits import MAX_COMPOSED_CELLS, MAX_COMPOSED_EXPONENT, MAX_COMPOSED_ITEMS, MAX_PARAMETER_DIGITS, MAX_POWER_BITS

EXPLAINED = {
    "composition": "The worst composition is a product of binary randomized responses. The checker summed its "
    "delta over all outputs, at rational levels below and above the exact ones.",
}

_Cell = tuple[int, int]


class Composed(NamedTuple):
    """The composition in a certificate, after its brackets have been proved.

    ``parts`` contains the brackets of the different parities with their counts. ``kept`` is the probability that no
    response reveals its input. ``gamma`` is the bracket of the target level. ``lower`` and ``upper`` are the bounds of
    the claim.
    """

    parts: list[tuple[Bracket, int]]
    kept: Fraction
    gamma: Bracket
    lower: Fraction
    upper: Fraction


def check_composition(problem: Any, claim: Any, witness: Any) -> None:
    """Check a claim of kind composed-delta."""
    budget = Budget()
    _, levels, gamma = fields(witness, ["rule", "levels", "gamma"], "witness")
    composed = read_composition(problem, claim, levels, gamma, budget)
    parts, target = composed.parts, composed.gamma
    below = _delta([(bracket.below, count) for bracket, count in parts], target.above, budget)
    above = below
    if target.below < target.above or any(bracket.below < bracket.above for bracket, _ in parts):
        above = _delta([(bracket.above, count) for bracket, count in parts], target.below, budget)
    require_delta(composed, below, above, budget)


def read_composition(problem: Any, claim: Any, levels: Any, gamma: Any, budget: Budget) -> Composed:
    """Read the problem and the claim, and prove the brackets of the levels."""
    listed, epsilon = of_kind(problem, "composition", ["items", "epsilon"], "problem")
    lower, upper = of_kind(claim, "composed-delta", ["lower", "upper"], "claim")
    rows = items(listed, "the items", most=MAX_COMPOSED_ITEMS)
    brackets = items(levels, "the levels", count=len(rows))
    target = gamma_bracket(epsilon, gamma, budget, MAX_COMPOSED_EXPONENT)
    # texts as keys: numbers with colliding hashes are easy to construct
    kept, found = Fraction(1), dict[str, tuple[Bracket, int]]()
    for row, written in zip(rows, brackets, strict=True):
        level, delta, number = fields(row, ["epsilon", "delta", "count"], "an item")
        bracket, count = gamma_bracket(level, written, budget), _count(number, budget)
        key = ",".join(f"{n:x}" for end in (bracket.below, bracket.above) for n in end.as_integer_ratio())
        found[key] = bracket, found.get(key, (bracket, 0))[1] + count
        share = budget.number(delta, "a delta", MAX_PARAMETER_DIGITS)
        if not 0 <= share <= 1:
            raise Rejected("a delta is not in [0, 1]")
        if count * bits_of(share) + bits_of(kept) > MAX_POWER_BITS:
            raise Rejected(f"the chance that nothing is revealed has more than {MAX_POWER_BITS} bits")
        budget.spend(8 + int((count * bits_of(share) // 512) ** 1.6), bits_of(kept), count * bits_of(share))
        kept *= (1 - share) ** count
    ends = budget.number(lower, "lower"), budget.number(upper, "upper")
    return Composed(list(found.values()), kept, target, *ends)


def require_delta(composed: Composed, below: Fraction, above: Fraction, budget: Budget) -> None:
    """Reject unless the claim follows from the bounds of d, the delta given that no response reveals its input."""
    _, kept, _, lower, upper = composed
    longest = max(map(bits_of, (lower, upper, kept, below, above)))
    budget.spend(6, longest, longest)
    if lower > 1 - kept * (1 - below):
        raise Rejected("lower is above the delta of the levels below")
    if upper < 1 - kept * (1 - above):
        raise Rejected("upper is below the delta of the levels above")


def _count(text: Any, budget: Budget) -> int:
    number = budget.number(text, "a count", MAX_PARAMETER_DIGITS)
    if number.denominator != 1 or not 1 <= number < MAX_COMPOSED_CELLS:
        raise Rejected(f"a count is not a whole number from 1 to {MAX_COMPOSED_CELLS - 1}")
    return int(number)


def _delta(parts: list[tuple[Fraction, int]], gamma: Fraction, budget: Budget) -> Fraction:
    """Return d of randomized responses with these parities and counts, exactly."""
    halves: list[list[tuple[Fraction, int]]] = [[], []]
    sizes = [1, 1]
    for parity, count in sorted((part for part in parts if part[0] > 1), key=lambda part: -part[1]):
        side = 0 if sizes[0] <= sizes[1] else 1
        halves[side].append((parity, count))
        sizes[side] *= count + 1
        if sizes[side] > MAX_COMPOSED_CELLS:
            raise Rejected(f"a half of the answers has more than {MAX_COMPOSED_CELLS} cells")
    (first, unit), (second, other) = (_cells(half, budget) for half in halves)
    sums = [*accumulate(second[::-1], lambda s, cell: (s[0] + cell[0], s[1] + cell[1]), initial=(0, 0))]
    g, h = gamma.as_integer_ratio()
    bits, longest = unit.bit_length(), other.bit_length() + bits_of(gamma)
    budget.spend(2 * (len(first) + len(second)), bits, longest)
    at = above = below = 0
    # the odds rise, so the number of outputs of the other half whose product exceeds gamma rises too
    for p, q in first:
        while at < len(second) and p * second[-1 - at][0] * h > q * second[-1 - at][1] * g:
            at += 1
        above, below = above + p * sums[at][0], below + q * sums[at][1]
    budget.spend(4, bits + longest, bits + longest)
    return Fraction(above * h - below * g, unit * other * h)


def _cells(parts: list[tuple[Fraction, int]], budget: Budget) -> tuple[list[_Cell], int]:
    """Return the outputs (P, Q) of independent responses, sorted by P/Q, as integers over a common denominator."""
    cells: list[_Cell] = [(1, 1)]
    unit = 1
    for parity, count in parts:
        a, b = parity.as_integer_ratio()
        bits = count * (a + b).bit_length()
        budget.spend(6 * (count + 1) + int((bits // 512) ** 1.6), bits)
        own = [(ways * a**j * b ** (count - j), ways * a ** (count - j) * b**j) for j, ways in _ways(count)]
        budget.spend(2 * len(cells) * len(own), unit.bit_length(), bits)
        cells = [(p * x, q * y) for p, q in cells for x, y in own]
        unit *= (a + b) ** count
    # different odds differ by at least 2^-(2 bits), so quotients of this precision sort correctly
    bits = 2 * unit.bit_length() + 1
    budget.spend(4 * len(cells), bits, unit.bit_length())
    return sorted(cells, key=lambda cell: (cell[0] << bits) // cell[1]), unit


def _ways(count: int) -> list[tuple[int, int]]:
    return [(j, comb(count, j)) for j in range(count + 1)]
