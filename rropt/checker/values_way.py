"""The way of values: ``(b.r)^2 <= (a.r)(y.r)`` on {1, gamma}^k is tested on some 2k + 1 rows (values_way.md).

For a real z let ``q_j(z) = y_j z^2 - 2 b_j z + a_j``. The row that makes ``sum_j r_j q_j(z)`` smallest has the entry
gamma where q_j(z) is negative, and 1 elsewhere. The *cuts* of the file divide the line into intervals on which the sign
of most q_j is decided without roots; the other signs are tried both ways.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from .design_bound import DesignBound
from .design_region import DesignRegion, staircase_ratio
from .documents import Rejected, WorkBudget
from .limits import MAX_UNDECIDED
from .matrices import over_one_denominator, read_numbers, widest
from .rays_way import SumOfSquares

End = tuple[int, int] | None  # numerator and denominator of an end of an interval; None: infinite
Form = tuple[int, int, int]  # (y, b, a): the function y z^2 - 2 b z + a, up to a positive factor


def read_cuts(region: DesignRegion, data: Any, budget: WorkBudget) -> list[Fraction]:
    """Return the cuts, which ascend strictly; reject a region that the way does not serve."""
    if region.bounds is not None or staircase_ratio(region, budget) is None:
        raise Rejected(
            "the way of values needs one level of all pairs, delta 0, gamma above 1 and no bounds on entries"
        )
    cuts = read_numbers(data, "the cuts", budget)
    together = over_one_denominator(cuts, budget)
    if any(x >= y for x, y in pairwise(together.numerators)):
        raise Rejected("the cuts do not ascend strictly")
    return cuts


def require_on_values(
    region: DesignRegion, bound: DesignBound, cuts: Sequence[Fraction], phi: SumOfSquares, budget: WorkBudget
) -> None:
    """Reject unless ``(b.r)^2 <= (a.r)(y.r)`` on the row of every z; then ``phi <= g`` on all rows.

    Args:
        region: the region, which ``read_cuts`` accepted.
        bound: a, with no slopes.
        cuts: the ends of the intervals.
        phi: one square, with the vector b over the distribution y.
        budget: the work budget of the certificate.
    """
    (part,), k = phi.parts, region.inputs
    ((b,), (a,)), gamma = (part.vectors, bound.alphas), region.levels[0].gamma.above
    above = [Fraction(x, bound.unit) for x in a]
    vector = over_one_denominator([*part.shares, *b, *above], budget)  # a common factor changes no sign
    lines = [vector.numerators[at : at + k] for at in range(0, 3 * k, k)]
    high, low = gamma.numerator, gamma.denominator
    size = vector.bits + max(high.bit_length(), low.bit_length()) + k.bit_length()
    for row in rows_of_values(list(zip(*lines, strict=True)), cuts, budget):
        budget.spend(3 * k // 2 + 4, size, size)
        total, along, most = (
            sum(x * (high if own else low) for x, own in zip(line, row, strict=True)) for line in lines
        )
        if along * along > total * most:
            shown = "".join("g" if own else "1" for own in row[:40])
            raise Rejected(f"the inequality of the squares fails on the row {shown}{'...' * (k > 40)}")


def rows_of_values(forms: Sequence[Form], cuts: Sequence[Fraction], budget: WorkBudget) -> Iterator[bytes]:
    """Yield the rows of all intervals, each once: 1 where the entry is gamma, and 0 where it is 1."""
    longest = max((max(cut.numerator.bit_length(), cut.denominator.bit_length()) for cut in cuts), default=0)
    size = widest(*forms)
    ends: list[End] = [None, *(cut.as_integer_ratio() for cut in cuts), None]
    seen: set[bytes] = set()  # as bytes: their hashes cannot be made to collide
    for left, right in pairwise(ends):
        budget.spend(16 * len(forms), size + longest, longest)
        for row in _rows([sign_between(form, left, right) for form in forms], budget):
            budget.spend(1 + len(row) // 8)
            if row not in seen:
                seen.add(row)
                yield row


def _rows(signs: Sequence[int], budget: WorkBudget) -> Iterator[bytes]:
    """Yield the rows of an interval; each undecided sign stands for both."""
    undecided = [j for j, sign in enumerate(signs) if not sign]
    if len(undecided) > MAX_UNDECIDED:
        raise Rejected(f"an interval leaves {len(undecided)} signs undecided; at most {MAX_UNDECIDED} are tried")
    row = bytearray(sign < 0 for sign in signs)
    budget.spend(len(signs))
    for chosen in product((0, 1), repeat=len(undecided)):
        for j, own in zip(undecided, chosen, strict=True):
            row[j] = own
        yield bytes(row)


def sign_between(form: Form, left: End, right: End) -> int:
    """Return 1 if a function is proved to be at least 0 on an interval, -1 if at most 0, and 0 if undecided.

    The function ``q(z) = y z^2 - 2 b z + a`` is convex, as y >= 0. On an interval with two ends it is at most 0 if it
    is at both; it is at least 0 if it has no sign change at all (``b^2 <= y a``), or if it is at both ends and its
    slope does not change inside.
    """
    y, b, a = form
    if a >= 0 and b * b <= y * a:
        return 1
    at_ends = [_value(form, end) for end in (left, right) if end is not None]
    if left is not None and right is not None and max(at_ends) <= 0:
        return -1
    if y == 0 and len(at_ends) == 1 and at_ends[0] <= 0 and (b >= 0 if right is None else b <= 0):
        return -1
    if not at_ends or min(at_ends) < 0:
        return 0
    rises = left is not None and y * left[0] >= b * left[1]  # from the left end on
    falls = right is not None and y * right[0] <= b * right[1]  # up to the right end
    return int(rises or falls)


def _value(form: Form, end: tuple[int, int]) -> int:
    """Return the function at an end, up to a positive factor."""
    (y, b, a), (n, d) = form, end
    return (y * n - 2 * b * d) * n + a * d * d
