"""The functions g_i of a design bracket and their bound B on all mechanisms of the region (design_bracket.md).

    g_i(p) = alpha.p + L_i.p + sum beta max(0, p_j - gamma_t p_l)
    B = sum alpha + sum beta delta_t + sum_ij (L_ij most_ij if L_ij > 0 else L_ij least_ij)

With inequalities ``sum_n max_a f_cna(P) <= b_c`` and multipliers ``y_cna >= 0`` whose sum over a is y_c for each n, the
functions ``y_cna f_cna`` are added to L, and the numbers ``y_c b_c`` to B.

gamma_t and delta_t are those above. If ``phi_i(p) <= g_i(p)`` on all possible rows p, for each output i, then ``sum_i
phi_i(p_i) <= B`` for the rows p_i of every mechanism.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from .design_region import DesignRegion
from .documents import Rejected, WorkBudget, bits_of, items, whole
from .limits import MAX_ENTRIES
from .matrices import over_one_denominator, read_matrix, read_numbers, widest
from .rays import Ray, Tie

Place = tuple[int, int, int]  # (t, j, l): a level and one of its pairs


class Slopes(NamedTuple):
    """The slopes of a pair (j, l), with ascending gammas n/d and partial sums of ``beta d`` and ``beta n``."""

    j: int
    other: int
    gammas: list[tuple[int, int]]
    sums: list[tuple[int, int]]  # partial sums over none, the first, the first two, ... of the gammas

    def at(self, ray: Ray) -> int:
        """Return the sum of ``beta max(0, d r_j - n r_l)``: a slope contributes if its gamma is below r_j/r_l."""
        x, y = ray[self.j], ray[self.other]
        low, high = 0, len(self.gammas)
        while low < high:
            middle = (low + high) // 2
            n, d = self.gammas[middle]
            if d * x > n * y:
                low = middle + 1
            else:
                high = middle
        over, under = self.sums[low]
        return over * x - under * y


def by_pair(slopes: Sequence[tuple[int, int, Fraction]], values: Sequence[int]) -> list[Slopes]:
    """Return the slopes of each pair, from (j, l, gamma) and ``unit beta/d``, d the denominator of gamma."""
    found: dict[tuple[int, int], list[tuple[Fraction, int]]] = {}
    for (j, i, gamma), x in zip(slopes, values, strict=True):
        found.setdefault((j, i), []).append((gamma, x))
    pairs = []
    for (j, i), own in found.items():
        own.sort()
        sums = [(0, 0)]
        for gamma, x in own:
            sums.append((sums[-1][0] + x * gamma.denominator, sums[-1][1] + x * gamma.numerator))
        pairs.append(Slopes(j, i, [(gamma.numerator, gamma.denominator) for gamma, _ in own], sums))
    return pairs


class DesignBound(NamedTuple):
    """The functions ``unit g_i`` in integers, and B."""

    alphas: list[list[int]]  # unit (alpha + L_i): one row for each output, or a single row for all of them
    slopes: list[Slopes]
    unit: int
    value: Fraction  # B
    bends: list[Tie]  # (j, l, gamma) of the slopes
    beta: dict[Place, Fraction]

    def row_of(self, output: int) -> int:
        """Return the index in ``alphas`` of the row of an output."""
        return output if len(self.alphas) > 1 else 0

    def excess(self, ray: Ray) -> int:
        """Return the part of ``unit g_i(ray)`` that the slopes add; it is the same for all outputs."""
        return sum(pair.at(ray) for pair in self.slopes)

    def cost(self) -> tuple[int, int]:
        """Return the number of products in the values of all g_i on a ray, and the bits of the longest number."""
        longest = widest((self.unit,), *self.alphas)
        count = len(self.alphas) * len(self.alphas[0])
        for pair in self.slopes:
            count += 2 * len(pair.gammas).bit_length() + 2
            longest = max(longest, widest(pair.sums[-1]))
        return count, longest


def read_bound(
    region: DesignRegion, alpha: Any, slopes: Any, limits: Any, budget: WorkBudget, inequalities: Any = None
) -> DesignBound:
    """Read alpha, the slopes, the limits (None without bounds) and the multipliers of inequalities; return g and B."""
    k = region.inputs
    line = read_numbers(alpha, "alpha", budget, k)
    beta = _read_slopes(region, slopes, budget)
    value = sum(line, Fraction(0))
    for (t, _, _), x in beta.items():
        delta = region.levels[t].delta.above
        budget.spend(4, bits_of(x) + bits_of(delta), bits_of(value))
        value += x * delta
    rows = [line]
    if region.bounds is not None:
        given = read_matrix(limits, "the limits", budget, (region.outputs, k))
        rows = []
        for own, least, most in zip(given, *region.bounds, strict=True):
            for x, low, high in zip(own, least, most, strict=True):
                end = high if x > 0 else low
                budget.spend(4, bits_of(x) + bits_of(end), bits_of(value))
                value += x * end
            rows.append([a + x for a, x in zip(line, own, strict=True)])
    if region.inequalities:
        value += _add_inequalities(region, inequalities, rows, budget)
    bends = [(j, i, region.levels[t].gamma.above) for t, j, i in beta]
    scaled = (x / gamma.denominator for x, (_, _, gamma) in zip(beta.values(), bends, strict=True))
    vector = over_one_denominator([*(x for row in rows for x in row), *scaled], budget)
    count = k * len(rows)
    alphas = [vector.numerators[at : at + k] for at in range(0, count, k)]
    return DesignBound(alphas, by_pair(bends, vector.numerators[count:]), vector.denominator, value, bends, beta)


def _add_inequalities(region: DesignRegion, data: Any, rows: list[list[Fraction]], budget: WorkBudget) -> Fraction:
    """Add the functions of the inequalities, times their multipliers, to the rows; return the sum of ``y_c b_c``."""
    value = Fraction(0)
    listed = items(data, "the multipliers of inequalities", count=len(region.inequalities))
    for own, given in zip(region.inequalities, listed, strict=True):
        totals = []
        for part, texts in zip(own.parts, items(given, "the multipliers of parts", count=len(own.parts)), strict=True):
            weights = read_numbers(texts, "the multipliers of a part", budget, len(part))
            if min(weights) < 0:
                raise Rejected("a multiplier of an inequality is negative")
            totals.append(sum(weights, Fraction(0)))
            for terms, y in zip(part, weights, strict=True):
                for i, j, x in terms if y else ():
                    budget.spend(4, bits_of(x) + bits_of(y), bits_of(rows[i][j]))
                    rows[i][j] += x * y
        if any(total != totals[0] for total in totals):
            raise Rejected("the multipliers of the parts of an inequality do not have equal sums")
        budget.spend(4, bits_of(totals[0]) + bits_of(own.bound), bits_of(value))
        value += totals[0] * own.bound
    return value


def _read_slopes(region: DesignRegion, data: Any, budget: WorkBudget) -> dict[Place, Fraction]:
    """Return the slopes beta > 0 by (t, j, l), which ascend strictly."""
    beta: dict[Place, Fraction] = {}
    last = (-1, 0, 0)
    for entry in items(data, "slopes", most=MAX_ENTRIES):
        *texts, number = items(entry, "a slope", count=4)
        place, x = read_place(region, texts, budget), budget.number(number, "a slope")
        if place <= last:
            raise Rejected("the slopes do not ascend strictly by level and pair")
        if not region.levels[place[0]].has_delta:
            raise Rejected("a slope belongs to a level whose delta is 0")
        if x <= 0:
            raise Rejected("a slope is not positive")
        beta[place] = x
        last = place
    return beta


def read_place(region: DesignRegion, texts: Sequence[Any], budget: WorkBudget) -> Place:
    """Return a level and one of its pairs; reject a pair that the level does not have."""
    budget.spend(3)
    t, j, i = (
        whole(text, what, most - 1, 0)
        for text, what, most in zip(
            texts,
            ("a level", "an input", "an input"),
            (len(region.levels), region.inputs, region.inputs),
            strict=True,
        )
    )
    if not region.levels[t].has_pair(j, i):
        raise Rejected(f"level {t} does not have the pair ({j}, {i})")
    return t, j, i
