"""The composition of many answers of one respondent: delta of all of them together (rule 26).

The worst composition of mechanisms with levels (epsilon_i, delta_i) is the product of binary randomized responses,
each of which reveals its input with probability delta_i: ``delta = 1 - prod (1 - delta_i)^(n_i) (1 - d)``, d the sum of
``(P - gamma Q)^+`` over all answers. The answers are split into two halves; the cells of each are listed by their
odds, and one pointer moves down the second list while another moves up the first. All numbers are integers over one
denominator.
"""

from fractions import Fraction
from itertools import accumulate
from math import comb
from typing import Any, NamedTuple

from .brackets import Bracket, gamma_bracket
from .documents import Budget, Rejected, bits_of, fields, items, of_kind
from .limits import MAX_COMPOSED_CELLS, MAX_COMPOSED_EXPONENT, MAX_COMPOSED_ITEMS, MAX_PARAMETER_DIGITS, MAX_POWER_BITS

EXPLAINED = {
    "composition": "The worst composition is a product of binary randomized responses; its delta was summed over all "
    "answers at rational levels below and above the true ones.",
}

_Cell = tuple[int, int]


class Composed(NamedTuple):
    """A composition as it is read.

    ``parts`` are the proved brackets of different parities with their counts, ``kept`` is the probability that nothing
    is revealed, ``gamma`` the bracket of the target, and the last two are the endpoints of the claim.
    """

    parts: list[tuple[Bracket, int]]
    kept: Fraction
    gamma: Bracket
    lower: Fraction
    upper: Fraction


def check_composition(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind composed-delta."""
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
    """Read problem and claim, and prove the brackets of the levels."""
    listed, epsilon = of_kind(problem, "composition", ["items", "epsilon"], "problem")
    lower, upper = of_kind(claim, "composed-delta", ["lower", "upper"], "claim")
    rows = items(listed, "the items", most=MAX_COMPOSED_ITEMS)
    brackets = items(levels, "the levels", count=len(rows))
    target = gamma_bracket(epsilon, gamma, budget, MAX_COMPOSED_EXPONENT)
    kept, found = Fraction(1), dict[str, tuple[Bracket, int]]()  # by text: numbers can be made to collide as keys
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
    """Compare the claim with bounds of d, the delta of the answers that reveal nothing."""
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
    for p, q in first:  # the odds rise, and so does the number of cells of the other half that are beyond gamma
        while at < len(second) and p * second[-1 - at][0] * h > q * second[-1 - at][1] * g:
            at += 1
        above, below = above + p * sums[at][0], below + q * sums[at][1]
    budget.spend(4, bits + longest, bits + longest)
    return Fraction(above * h - below * g, unit * other * h)


def _cells(parts: list[tuple[Fraction, int]], budget: Budget) -> tuple[list[_Cell], int]:
    """Return the cells (P, Q) of independent answers by their odds, as integers over one denominator."""
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
    # different odds differ by at least 2^-(2 bits): so many digits of the quotients are in their order
    bits = 2 * unit.bit_length() + 1
    budget.spend(4 * len(cells), bits, unit.bit_length())
    return sorted(cells, key=lambda cell: (cell[0] << bits) // cell[1]), unit


def _ways(count: int) -> list[tuple[int, int]]:
    return [(j, comb(count, j)) for j in range(count + 1)]
