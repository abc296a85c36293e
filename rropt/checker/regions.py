"""Privacy regions of mechanisms with k inputs and m outputs, rebuilt from the problem (FORMAT.md, B, D and rule 3).

    differential-privacy   sum_i max(0, p_ij - gamma p_il) <= delta     for every ordered pair (j, l)
    criterion              the same with gamma = B, the infimum of `parity-bound`, and delta = 0
    pairwise-privacy       p_ij <= gamma_jl p_il                        for every pair (j, l) with a level
    bounded                one of these, and least <= P <= most entrywise

A mechanism is stored by columns, each over its own denominator. Hence every test is a loop over products of integers.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from .brackets import Bracket, delta_bracket, gamma_bracket, uniform_level
from .documents import Budget, Rejected, bits_of, fields, items
from .limits import MAX_ENTRIES
from .matrices import Rows, Vector, read_matrix
from .polynomials import whole


class Region(NamedTuple):
    """A region, given by the brackets of its level."""

    inputs: int
    outputs: int
    gamma: Bracket | None  # None: each pair of ``levels`` has its own level
    delta: Bracket
    has_delta: bool  # delta is not written as "0": the linear program has excesses e_i,jl
    levels: list[tuple[int, int, Bracket]]  # (j, l, gamma_jl), in lexicographic order
    bounds: tuple[Rows, Rows] | None = None  # least, most
    tier: str = ""  # tier of the proof of B, for the verdict

    def pair(self, place: int) -> tuple[int, int, Bracket]:
        """Return the condition (j, l, gamma_jl) with this index in lexicographic order."""
        if self.gamma is None:
            return self.levels[place]
        j, other = divmod(place, self.inputs - 1)
        return j, other + (other >= j), self.gamma

    def pairs(self) -> Iterator[tuple[int, int, Bracket]]:
        """Iterate over all conditions."""
        return map(self.pair, range(self.pair_count))

    @property
    def pair_count(self) -> int:
        """The number of conditions."""
        return len(self.levels) if self.gamma is None else self.inputs * (self.inputs - 1)


def read_region(data: Any, gamma: Any, delta: Any, budget: Budget) -> Region:
    """Prove the brackets of the region of a design problem, and return the region."""
    if not isinstance(data, dict) or data.get("kind") != "bounded":
        return _read_inner(data, gamma, delta, budget)
    _, inner, least, most = fields(data, ["kind", "region", "least", "most"], "region")
    region = _read_inner(inner, gamma, delta, budget)
    m, k = region.outputs, region.inputs
    bounds = read_matrix(least, "least", budget, (m, k)), read_matrix(most, "most", budget, (m, k))
    return region._replace(bounds=bounds)


def _read_inner(data: Any, gamma: Any, delta: Any, budget: Budget) -> Region:
    kind = data.get("kind") if isinstance(data, dict) else None
    if kind == "pairwise-privacy":
        _, inputs, outputs, levels = fields(data, ["kind", "inputs", "outputs", "levels"], "region")
        k, m = whole(inputs, "inputs", MAX_ENTRIES, 2), whole(outputs, "outputs", MAX_ENTRIES, 2)
        zero = delta_bracket("0", delta, budget)
        return Region(k, m, None, zero, False, read_levels(levels, gamma, k, budget))
    level = uniform_level(data, gamma, delta, budget)
    if level.family != "all":
        raise Rejected("the family is not all")
    sizes = zip(level.sizes, ("inputs", "outputs"), strict=True)
    k, m = (whole(size, where, MAX_ENTRIES, 2) for size, where in sizes)
    return Region(k, m, level.gamma, level.delta, level.has_delta, [], tier=level.tier)


def read_levels(levels: Any, brackets: Any, k: int, budget: Budget) -> list[tuple[int, int, Bracket]]:
    """Prove and return the bracket of every pair that has a level; identical entries are proved once."""
    proved: dict[str, Bracket] = {}
    found: list[tuple[int, int, Bracket]] = []
    rows = zip(items(levels, "levels", count=k), items(brackets, "gamma", count=k), strict=True)
    for j, (line, bracket_line) in enumerate(rows):
        entries = zip(
            items(line, "a row of levels", count=k), items(bracket_line, "a row of gamma", count=k), strict=True
        )
        for other, (level, bracket) in enumerate(entries):
            if (level is None) != (bracket is None) or (level is not None and j == other):
                raise Rejected("a pair has a level without a bracket, or the reverse, or an input has one with itself")
            if level is not None:
                budget.spend(1)
                key = repr((level, bracket))
                if key not in proved:
                    proved[key] = gamma_bracket(level, bracket, budget)
                found.append((j, other, proved[key]))
    return found


def require_member(region: Region, matrix: Rows, mechanism: list[Vector], budget: Budget) -> None:
    """Reject unless the mechanism lies in the region at the levels below."""
    if region.gamma is not None and not region.has_delta:
        require_parity(region.gamma.below, mechanism, budget)
    else:
        _require_excess(region, mechanism, budget)
    if region.bounds is not None:
        longest = max(bits_of(entry) for rows in (matrix, *region.bounds) for row in rows for entry in row)
        budget.spend(2 * region.inputs * region.outputs, longest, longest)
        for i, (row, least, most) in enumerate(zip(matrix, *region.bounds, strict=True)):
            if any(not low <= entry <= high for entry, low, high in zip(row, least, most, strict=True)):
                raise Rejected(f"row {i} of the mechanism is not within its bounds")


def require_parity(gamma: Fraction, mechanism: list[Vector], budget: Budget) -> None:
    """Reject unless the ratio of the largest and the smallest entry of every row is at most gamma."""
    longest = max(column.bits for column in mechanism)
    scales = [column.denominator for column in mechanism]
    outputs = len(mechanism[0].numerators)
    budget.spend_in_bulk(4 * len(mechanism) * outputs, longest, longest)
    budget.spend(2 * outputs, longest, longest + bits_of(gamma))
    for i in range(outputs):
        row = [column.numerators[i] for column in mechanism]
        high = low = 0
        for j, entry in enumerate(row):
            if entry * scales[high] > row[high] * scales[j]:
                high = j
            if entry * scales[low] < row[low] * scales[j]:
                low = j
        if row[high] * scales[low] * gamma.denominator > row[low] * scales[high] * gamma.numerator:
            raise Rejected(f"row {i} of the mechanism has a ratio above gamma: inputs {high} and {low}")


def _require_excess(region: Region, mechanism: list[Vector], budget: Budget) -> None:
    delta = region.delta.below
    for j, other, gamma in region.pairs():
        above, scale = excess(mechanism[j], mechanism[other], gamma.below, budget)
        if above * delta.denominator > delta.numerator * scale:
            raise Rejected(f"the mechanism exceeds gamma by more than delta for inputs {j} and {other}")


def excess(column: Vector, other: Vector, gamma: Fraction, budget: Budget) -> tuple[int, int]:
    """Return numerator and denominator of ``sum_i max(0, p_ij - gamma p_il)`` for the columns j and l."""
    left, right = gamma.denominator * other.denominator, gamma.numerator * column.denominator
    longest = max(column.bits, other.bits)
    budget.spend(2)
    budget.spend_in_bulk(2 * len(column.numerators), longest, longest + bits_of(gamma))
    differences = (left * p - right * q for p, q in zip(column.numerators, other.numerators, strict=True))
    return sum(each for each in differences if each > 0), left * column.denominator
