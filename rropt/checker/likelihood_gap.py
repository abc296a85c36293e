"""The statement ``likelihood-gap``: how far a distribution is below the most likely one (likelihood_gap.md).

No logarithm is computed.

The log-likelihood ``l(pi) = sum N_i log (C pi)_i`` is concave. Hence its gradient G bounds what any other distribution
pi' can gain:

    l(pi') - l(pi) <= G . pi' - G . pi <= max_x G_x - n,     G_x = sum_i C_ix N_i/(C pi)_i,  G . pi = n

A mechanism is a matrix, or the Kronecker product of several matrices (the first varies fastest), which is never formed.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm, prod
from operator import mul
from typing import Any, NamedTuple

from .documents import Rejected, WorkBudget, digits_of, fields, items, whole
from .limits import MAX_ENTRIES, MAX_QUOTIENT_BITS
from .matrices import (
    Integers,
    columns,
    matrix_over_one_denominator,
    over_one_denominator,
    read_matrix,
    read_numbers,
    require_distribution,
)
from .sentences import power_of_ten

_MOST_POWER = 30  # exponent of the largest power of ten that the sentence states
_PER_SUM = 8  # cost of one short sum, in products


class Group(NamedTuple):
    """The respondents of one mechanism: the product of ``factors`` over ``denominator``, and the counts of the
    responses.
    """

    factors: list[Integers]
    denominator: int
    counts: list[int]


def check_likelihood_gap(problem: Any, claim: Any, proof: Any) -> str:
    """Check that no distribution has a log-likelihood per response more than the gap above that of the point."""
    budget = WorkBudget()
    (data,) = fields(problem, ["groups"], "problem")
    texts, gap_text = fields(claim, ["point", "gap"], "claim")
    (bits_text,) = fields(proof, ["bits"], "proof")
    bits = None if bits_text is None else whole(bits_text, "bits", MAX_QUOTIENT_BITS)
    gap = budget.number(gap_text, "gap")
    entries = read_numbers(texts, "point", budget)
    if not entries:
        raise Rejected("point is empty")
    point = over_one_denominator(entries, budget)
    require_distribution(point.numerators, point.denominator, "point")
    groups = [_group(each, len(entries), budget) for each in items(data, "groups", most=MAX_ENTRIES)]
    n = sum(sum(group.counts) for group in groups)
    if not n:
        raise Rejected("there are no answers")
    parts = [_gains(group, point.numerators, point.denominator, bits, budget) for group in groups]
    common = 1
    for _, denominator in parts:
        budget.spend(1, common.bit_length(), denominator.bit_length())
        common = lcm(common, denominator)
    totals = [0] * len(entries)
    for numerators, denominator in parts:
        budget.spend_in_bulk(_PER_SUM * len(totals), common.bit_length(), 0)
        totals = [total + x * (common // denominator) for total, x in zip(totals, numerators, strict=True)]
    budget.spend(1, common.bit_length(), gap.denominator.bit_length())
    if max(totals) * gap.denominator > n * (gap.numerator + gap.denominator) * common:
        raise Rejected("the gain of a cell exceeds 1 + gap")
    return f"{_within(gap)}, by {digits_of(n)} answers under {len(groups)} mechanism{'' if len(groups) == 1 else 's'}"


def _group(data: Any, k: int, budget: WorkBudget) -> Group:
    """Read the respondents of one mechanism, whose inputs are the k entries of the point."""
    mechanism, counts = fields(data, ["mechanism", "counts"], "a group")
    if isinstance(mechanism, dict) and "product" in mechanism:
        (listed,) = fields(mechanism, ["product"], "the mechanism of a group")
        matrices = items(listed, "product")
        if not matrices:
            raise Rejected("a product has no factors")
    else:
        matrices = fields(mechanism, ["matrix"], "the mechanism of a group")
    factors: list[Integers] = []
    scales = []
    for rows in matrices:
        matrix = read_matrix(rows, "a mechanism", budget)
        columns(matrix, "a mechanism", budget)
        factor, scale = matrix_over_one_denominator(matrix, budget)
        factors.append(factor)
        scales.append(scale)
    if prod(len(factor[0]) for factor in factors) != k:
        raise Rejected("a mechanism has another number of inputs than point")
    outputs = prod(map(len, factors))
    if outputs > MAX_ENTRIES:
        raise Rejected(f"a mechanism has more than {MAX_ENTRIES} outputs")
    numbers = [_count(text, budget) for text in items(counts, "counts", count=outputs)]
    return Group(factors, prod(scales), numbers)


def _gains(group: Group, point: list[int], below: int, bits: int | None, budget: WorkBudget) -> tuple[list[int], int]:
    """Return ``sum_i C_ix N_i/lambda_i`` for every x, over a common denominator; ``bits`` rounds each quotient up."""
    chances = _carried(group.factors, point, budget)  # over below * group.denominator
    scale = below * group.denominator
    quotients = []
    for count, chance in zip(group.counts, chances, strict=True):
        if count and not chance:
            raise Rejected("the point makes an answer that was given impossible")
        longest = count.bit_length() + scale.bit_length() + (bits or 0)
        budget.spend(1, longest, chance.bit_length())
        if bits is None:
            quotients.append(Fraction(count * scale, chance) if count else Fraction(0))
        else:
            quotients.append(Fraction(-(-(count * scale << bits) // chance)) if count else Fraction(0))
    weights = over_one_denominator(quotients, budget)
    turned = [list(zip(*factor, strict=True)) for factor in group.factors]
    gains = _carried(turned, weights.numerators, budget)
    return gains, weights.denominator * group.denominator << (bits or 0)


def _carried(factors: Sequence[Integers], vector: list[int], budget: WorkBudget) -> list[int]:
    """Return the Kronecker product times a vector; each factor acts on the fastest axis, which then becomes the
    slowest.
    """
    for rows in factors:
        k = len(rows[0])
        size = len(vector) // k * len(rows)
        if size > MAX_ENTRIES:
            raise Rejected(f"a product has more than {MAX_ENTRIES} entries on the way")
        longest = max(map(int.bit_length, vector))
        widest = max(max(map(int.bit_length, row)) for row in rows)
        budget.spend_in_bulk((k + _PER_SUM) * size, longest, widest)
        slices = [vector[j::k] for j in range(k)]
        vector = [sum(map(mul, row, column)) for row in rows for column in zip(*slices, strict=True)]
    return vector


def _count(text: Any, budget: WorkBudget) -> int:
    """Return a number of responses, which may be as long as any number."""
    number = budget.number(text, "a count")
    if number.denominator != 1 or number < 0:
        raise Rejected("a count is not a whole number >= 0")
    return number.numerator


def _within(gap: Fraction) -> str:
    """Return the verified gap in words, rounded up."""
    if not gap:
        return "no population is more likely than the point"
    is_short = 1 < gap < 10**_MOST_POWER
    most = str(-(-gap.numerator // gap.denominator)) if is_short else power_of_ten(gap, _MOST_POWER)
    return f"no population has a log-likelihood per answer more than {most} above that of the point"
