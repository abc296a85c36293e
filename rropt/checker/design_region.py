"""The region of a design bracket: its levels with proved brackets, bounds on entries, and membership of a mechanism.

See design_bracket.md, *Problem* and *Proof*. A mechanism is tested at the gammas and deltas below.
"""

from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

from .brackets import LevelBracket, criterion_bracket, delta_bracket, gamma_bracket
from .documents import Rejected, WorkBudget, bits_of, fields, items, whole
from .limits import MAX_ENTRIES
from .matrices import Rows, Vector, columns, read_matrix, read_mechanism


class LevelCondition(NamedTuple):
    """The condition ``sum_i max(0, p_ij - gamma p_il) <= delta`` for each of its pairs (j, l)."""

    gamma: LevelBracket
    delta: LevelBracket
    has_delta: bool  # delta is not written as "0"
    pairs: list[tuple[int, int]] | None  # in lexicographic order; None: all pairs, which may be very many
    members: frozenset[tuple[int, int]]  # the pairs as a set; empty if pairs is None

    def has_pair(self, j: int, other: int) -> bool:
        """Return whether (j, l) is one of the pairs."""
        return j != other if self.pairs is None else (j, other) in self.members


def only_level(levels: list[LevelCondition]) -> LevelCondition | None:
    """Return the level of a region that has one, for all pairs; None for other regions."""
    return levels[0] if len(levels) == 1 and levels[0].pairs is None else None


Terms = list[tuple[int, int, Fraction]]


class StatedInequality(NamedTuple):
    """The condition ``sum_n max_a f_na(P) <= bound``; a function is a list of (output, input, coefficient)."""

    parts: list[list[Terms]]
    bound: Fraction


class DesignRegion(NamedTuple):
    """The mechanisms that satisfy every level of a list, the bounds, and the inequalities."""

    inputs: int
    outputs: int | None  # None: any number
    levels: list[LevelCondition]
    bounds: tuple[Rows, Rows] | None  # least, most
    tier: str  # tier of the proof of B of a criterion, for the verdict
    inequalities: list[StatedInequality]

    def pairs_of(self, level: LevelCondition) -> list[tuple[int, int]]:
        """Return the pairs of a level as a list."""
        return list(permutations(range(self.inputs), 2)) if level.pairs is None else level.pairs


def read_region(inputs: Any, outputs: Any, levels: Any, bounds: Any, brackets: Any, budget: WorkBudget) -> DesignRegion:
    """Read the region of a problem, and prove the brackets of its levels."""
    k = whole(inputs, "inputs", MAX_ENTRIES, 2)
    m = None if outputs == "any" else whole(outputs, "outputs", MAX_ENTRIES, 2)
    found, tier = read_levels(levels, brackets, k, budget)
    if bounds is None:
        return DesignRegion(k, m, found, None, tier, [])
    if m is None:
        raise Rejected("bounds on entries need a number of outputs")
    least, most, *rows = fields(bounds, ["least", "most", *INEQUALITIES[: has_inequalities(bounds)]], "bounds")
    ends = read_matrix(least, "least", budget, (m, k)), read_matrix(most, "most", budget, (m, k))
    own = (
        [_read_inequality(row, m, k, budget) for row in items(rows[0], "inequalities", most=MAX_ENTRIES)]
        if rows
        else []
    )
    if rows and not own:
        raise Rejected("the list of inequalities is empty: it is left out")
    return DesignRegion(k, m, found, ends, tier, own)


INEQUALITIES = ["inequalities"]


def has_inequalities(bounds: Any) -> bool:
    """Return whether the bounds of a problem have inequalities in several entries."""
    return isinstance(bounds, dict) and INEQUALITIES[0] in bounds


def _read_inequality(data: Any, m: int, k: int, budget: WorkBudget) -> StatedInequality:
    listed, bound = fields(data, ["parts", "bound"], "an inequality")
    parts = []
    for part in items(listed, "the parts of an inequality", most=MAX_ENTRIES):
        functions = [
            _read_terms(terms, m, k, budget) for terms in items(part, "the functions of a part", most=MAX_ENTRIES)
        ]
        if not functions:
            raise Rejected("a part of an inequality has no function")
        parts.append(functions)
    if not parts:
        raise Rejected("an inequality has no parts")
    return StatedInequality(parts, budget.number(bound, "the bound of an inequality"))


def _read_terms(data: Any, m: int, k: int, budget: WorkBudget) -> Terms:
    """Read a linear function: [output, input, coefficient], strictly ascending by (output, input), none 0."""
    found: Terms = []
    for entry in items(data, "a function", most=MAX_ENTRIES):
        budget.spend(2)
        i, j, x = items(entry, "a term of a function", count=3)
        place = whole(i, "an output", m - 1, 0), whole(j, "an input", k - 1, 0)
        if found and place <= found[-1][:2]:
            raise Rejected("the terms of a function do not ascend strictly by output and input")
        number = budget.number(x, "a coefficient")
        if not number:
            raise Rejected("a coefficient of a function is 0")
        found.append((*place, number))
    return found


def read_levels(levels: Any, brackets: Any, k: int, budget: WorkBudget) -> tuple[list[LevelCondition], str]:
    """Read the levels of a problem of k inputs and prove their brackets; also return the tier of a criterion's B."""
    listed = items(levels, "levels", most=MAX_ENTRIES)
    found, tier = [], ""
    for entry, proof in zip(listed, items(brackets, "brackets", count=len(listed)), strict=True):
        epsilon, slack, pairs = fields(entry, ["epsilon", "delta", "pairs"], "a level")
        gamma, delta = fields(proof, ["gamma", "delta"], "the brackets of a level")
        if isinstance(epsilon, dict) and "up" in epsilon:
            up, down = fields(epsilon, ["up", "down"], "a criterion")
            if slack != "0" or pairs != "all":
                raise Rejected("the level of a criterion has a delta, or not all pairs")
            one, tier = criterion_bracket({"up": up, "down": down}, gamma, budget)
        else:
            one = gamma_bracket(epsilon, gamma, budget)
        own = None if pairs == "all" else _read_pairs(pairs, k, budget)
        found.append(LevelCondition(one, delta_bracket(slack, delta, budget), slack != "0", own, frozenset(own or ())))
    return found, tier


def _read_pairs(data: Any, k: int, budget: WorkBudget) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for entry in items(data, "pairs", most=MAX_ENTRIES):
        budget.spend(2)
        j, i = (whole(x, "an input of a pair", k - 1, 0) for x in items(entry, "a pair", count=2))
        if j == i or (found and (j, i) <= found[-1]):
            raise Rejected("the pairs of a level are not pairs of two inputs in strictly ascending order")
        found.append((j, i))
    if not found:
        raise Rejected("a level has no pairs")
    return found


def staircase_ratio(region: DesignRegion, budget: WorkBudget) -> Fraction | None:
    """Return the largest ratio g > 1 of two entries of a possible row; None if no such g describes the rows.

    The region has one level, with delta 0 and all pairs. g is gamma, or what the bounds allow if that is less.
    """
    level = only_level(region.levels)
    if level is None or level.has_delta:
        return None
    gamma = level.gamma.above
    ratio = gamma if region.bounds is None else min(gamma, _reach(*region.bounds, gamma, budget))
    return ratio if ratio > 1 else None


def _reach(least: Rows, most: Rows, gamma: Fraction, budget: WorkBudget) -> Fraction:
    """Return the largest ``u_ij/least_il`` for two inputs, or gamma if an entry may be 0.

    The entry p_ij is at most ``u_ij = min(most_ij, 1 - sum of least_hj over the other outputs h)``.
    """
    m, k = len(least), len(least[0])
    longest = max(bits_of(entry) for rows in (least, most) for row in rows for entry in row)
    budget.spend(4 * m * k * k, m * longest, m * longest)
    if min(map(min, least)) <= 0:
        return gamma
    lows = [sum(column) for column in zip(*least, strict=True)]
    found = Fraction(0)
    for low, high in zip(least, most, strict=True):
        ends = [min(b, 1 - total + a) for a, b, total in zip(low, high, lows, strict=True)]
        found = max(found, *(ends[j] / low[i] for j, i in permutations(range(k), 2)))
    return found


def read_member(region: DesignRegion, data: Any, budget: WorkBudget) -> Rows:
    """Read a mechanism; reject unless it lies in the region at the brackets below."""
    rows = read_mechanism(data, "the mechanism", budget, (region.outputs, region.inputs))
    mechanism = columns(rows, "the mechanism", budget)
    for level in region.levels:
        if level.pairs is None and not level.has_delta:
            require_parity(level.gamma.below, mechanism, "the mechanism", budget)
            continue
        delta = level.delta.below
        budget.spend(region.inputs**2 if level.pairs is None else 0)
        for j, i in region.pairs_of(level):
            above, scale = excess(mechanism[j], mechanism[i], level.gamma.below, budget)
            budget.spend(2, bits_of(delta), max(above.bit_length(), scale.bit_length()))
            if above * delta.denominator > delta.numerator * scale:
                raise Rejected(f"the mechanism exceeds gamma by more than delta for inputs {j} and {i}")
    if region.bounds is not None:
        longest = max(bits_of(entry) for matrix in (rows, *region.bounds) for row in matrix for entry in row)
        budget.spend(2 * region.inputs * len(rows), longest, longest)
        for i, (row, least, most) in enumerate(zip(rows, *region.bounds, strict=True)):
            if any(not low <= entry <= high for entry, low, high in zip(row, least, most, strict=True)):
                raise Rejected(f"row {i} of the mechanism is not within its bounds")
    for c, own in enumerate(region.inequalities):
        if _left_side(own, rows, budget) > own.bound:
            raise Rejected(f"the mechanism does not satisfy inequality {c}")
    return rows


def _left_side(own: StatedInequality, rows: Rows, budget: WorkBudget) -> Fraction:
    longest = max(bits_of(entry) for row in rows for entry in row)
    total = Fraction(0)
    for part in own.parts:
        values = []
        for terms in part:
            value = Fraction(0)
            for i, j, x in terms:
                budget.spend(4, bits_of(x) + longest, bits_of(value))
                value += x * rows[i][j]
            values.append(value)
        best = max(values)
        budget.spend(4 * len(values), max(map(bits_of, values)), bits_of(total))
        total += best
    return total


def require_parity(gamma: Fraction, mechanism: list[Vector], where: str, budget: WorkBudget) -> None:
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
            raise Rejected(f"row {i} of {where} has a ratio above gamma: inputs {high} and {low}")


def excess(column: Vector, other: Vector, gamma: Fraction, budget: WorkBudget) -> tuple[int, int]:
    """Return numerator and denominator of ``sum_i max(0, p_ij - gamma p_il)`` for the columns j and l."""
    left, right = gamma.denominator * other.denominator, gamma.numerator * column.denominator
    longest = max(column.bits, other.bits)
    budget.spend(2)
    budget.spend_in_bulk(2 * len(column.numerators), longest, longest + bits_of(gamma))
    differences = (left * p - right * q for p, q in zip(column.numerators, other.numerators, strict=True))
    return sum(each for each in differences if each > 0), left * column.denominator
