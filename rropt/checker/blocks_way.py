"""The way of blocks: a divergence of two distributions is tested on intervals of likelihood ratios (blocks_way.md).

The multipliers alpha of the file are convex functions of ``(pi_j, q_j)`` by their form. So the inequality of the way of
rays holds on all rows {1, gamma}^k if it holds on the rows whose entries gamma stand on an interval of the ratios
``pi_j/q_j``. There are k (k + 1)/2 of these. A rectangle of them is tested at once where its corners suffice.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

from .design_region import read_member, read_region, staircase_ratio
from .documents import Rejected, WorkBudget, bits_of, fields, items
from .intervals import read_arithmetic
from .matrices import (
    over_one_denominator,
    read_numbers,
    read_population,
    sparse,
)
from .rays_sums import DIVERGENCES, Term, is_enclosed, read_pair_term

_FEW = 4  # intervals of a rectangle that are tested one by one

Rectangle = tuple[int, int, int, int]  # starts from, to; ends from, to; all inclusive


class Multipliers(NamedTuple):
    """The linear part ``c pi_j + d q_j`` of alpha, and its bent part, which is at least 0, for each input."""

    c: Fraction
    d: Fraction
    bent: list[Fraction]


class RatioRows(NamedTuple):
    """The rows ``1 + u 1_I`` of the intervals I of inputs in the order of their ratios, by partial sums in integers."""

    first: list[int]  # sums of unit_a u pi_j over the first inputs
    second: list[int]  # sums of unit_b u q_j
    bent: list[int]  # sums of unit u times the bent part of alpha_j
    units: tuple[int, int, int]
    total: int  # unit times the sum of the bent parts
    alpha: Multipliers
    term: Term
    widths: tuple[int, int, int]  # bits of the longest number: of the sums of pi and q, of those of alpha, of c and d

    def excess(self, a: int, b: int, budget: WorkBudget) -> Fraction:
        """Return the high end of ``t(x, y) - c x - d y`` at ``x = 1 + u P`` and ``y = 1 + u Q``, at least 1."""
        budget.spend(6, self.widths[0], self.widths[0])
        unit, other, _ = self.units
        x, y = Fraction(unit + a, unit), Fraction(other + b, other)
        high = self.term(x, y)[1]
        budget.spend(4, bits_of(high) + self.widths[2], self.widths[0])
        return high - self.alpha.c * x - self.alpha.d * y

    def holds(self, excess: Fraction, least: int, budget: WorkBudget) -> bool:
        """Return whether an excess is at most the bent part of ``alpha.r``, given a lower bound of its part on I."""
        budget.spend(2, bits_of(excess), self.widths[1])
        return excess.numerator * self.units[2] <= (self.total + least) * excess.denominator


def check_blocks(problem: Any, claim: Any, proof: Any, budget: WorkBudget) -> str:
    """Check a bracket in the way of blocks; return the tier of the proof of B of a criterion, if there is one."""
    inputs, outputs, levels, bounds, objective, population = fields(
        problem, ["inputs", "outputs", "levels", "bounds", "objective", "population"], "problem"
    )
    lower, upper, mechanism = fields(claim, ["lower", "upper", "mechanism"], "claim")
    names = ["way", "brackets", "line", "bends"] + ["digits"] * is_enclosed(objective)
    given = dict(zip(names, fields(proof, names, "proof"), strict=True))
    region = read_region(inputs, outputs, levels, bounds, given["brackets"], budget)
    if region.bounds is not None or staircase_ratio(region, budget) is None:
        raise Rejected(
            "the way of blocks needs one level of all pairs, delta 0, gamma above 1 and no bounds on entries"
        )
    rows = read_member(region, mechanism, budget)
    ends = budget.number(lower, "lower"), budget.number(upper, "upper")
    pi = read_population(population, region.inputs, budget)
    arithmetic = read_arithmetic(given["digits"], budget) if "digits" in given else None
    q, term = read_pair_term(objective, pi, budget, arithmetic)
    if ends[0] > max(Fraction(0), _value(rows, pi, q, term, budget)):
        raise Rejected("lower is above the value of the mechanism")
    alpha = _read_alpha(given["line"], given["bends"], pi, q, budget)
    intervals = _rows(pi, q, alpha, region.levels[0].gamma.above, term, budget)
    bound = alpha.c + alpha.d + Fraction(intervals.total, intervals.units[2])  # pi and q sum to 1
    budget.spend(4, bits_of(bound), intervals.widths[1])
    if ends[1] < bound:
        raise Rejected("upper is below the bound of the proof")
    _require_on_intervals(intervals, budget)
    return region.tier


def _value(
    rows: Sequence[Sequence[Fraction]], pi: Sequence[Fraction], q: Sequence[Fraction], term: Term, budget: WorkBudget
) -> Fraction:
    """Return the sum of the low ends of the terms of the rows that are not 0."""
    vectors = [over_one_denominator(line, budget) for line in (pi, q)]
    own, low = max(vector.bits for vector in vectors), Fraction(0)
    for row in rows:
        if not any(row):
            continue
        together = over_one_denominator(row, budget)
        budget.spend_in_bulk(2 * len(row), together.bits, own)
        budget.spend(6, together.bits + own, together.bits + own)
        a, b = (
            Fraction(
                sum(x * y for x, y in zip(together.numerators, vector.numerators, strict=True)),
                together.denominator * vector.denominator,
            )
            for vector in vectors
        )
        value = term(a, b)[0]
        budget.spend(2, bits_of(low), bits_of(value))
        low += value
    return low


def _read_alpha(
    line: Any, bends: Any, pi: Sequence[Fraction], q: Sequence[Fraction], budget: WorkBudget
) -> Multipliers:
    """Return ``alpha_j = c pi_j + d q_j + sum_i kappa_i max(0, pi_j q_i - pi_i q_j)`` in its two parts."""
    c, d = read_numbers(items(line, "line", count=2), "line", budget)
    k = len(pi)
    along = over_one_denominator([*pi, *q], budget)
    p, o = along.numerators[:k], along.numerators[k:]
    kappa = list(sparse(bends, k, "bends", budget))
    if any(weight < 0 for _, weight in kappa):
        raise Rejected("a bend is negative")
    factors = over_one_denominator([weight for _, weight in kappa], budget)
    steps = [(step, p[i], o[i]) for step, (i, _) in zip(factors.numerators, kappa, strict=True)]
    budget.spend_in_bulk(3 * k * len(steps), along.bits, along.bits + factors.bits)
    unit = factors.denominator * along.denominator**2
    bent = [Fraction(sum(w * max(0, x * h - g * y) for w, g, h in steps), unit) for x, y in zip(p, o, strict=True)]
    return Multipliers(c, d, bent)


def _rows(
    pi: Sequence[Fraction],
    q: Sequence[Fraction],
    alpha: Multipliers,
    gamma: Fraction,
    term: Term,
    budget: WorkBudget,
) -> RatioRows:
    """Return the partial sums in the order of the ratios; inputs with both proportions 0 come first."""
    u, k = gamma - 1, len(pi)
    longest = max(map(bits_of, (*pi, *q)))
    budget.spend(8 * k * k.bit_length(), longest, longest)
    ratios = [p / (p + x) if p + x else Fraction(-1) for p, x in zip(pi, q, strict=True)]
    order = sorted(range(k), key=ratios.__getitem__)
    sums, units, bits = [], [], []
    for numbers in (pi, q, alpha.bent):
        budget.spend(2 * k, max(map(bits_of, numbers)), bits_of(u))
        vector = over_one_denominator([u * numbers[j] for j in order], budget)
        sums.append(list(accumulate(vector.numerators, initial=0)))
        units.append(vector.denominator)
        bits.append(vector.bits + k.bit_length())
    over = over_one_denominator(alpha.bent, budget)
    budget.spend(k, bits[2], over.bits)
    first, second, bent = sums
    unit = units[2] * over.denominator  # a common unit of the bent parts, with u and without
    bent = [x * over.denominator for x in bent]
    widths = max(bits[:2]), bits[2] + over.bits + k.bit_length(), max(bits_of(alpha.c), bits_of(alpha.d))
    return RatioRows(
        first, second, bent, (units[0], units[1], unit), sum(over.numerators) * units[2], alpha, term, widths
    )


def _require_on_intervals(rows: RatioRows, budget: WorkBudget) -> None:
    """Reject unless the inequality holds on every interval; rectangles of intervals are divided as far as needed."""
    left = list(_rectangles(0, len(rows.first) - 1))
    while left:
        s, most_s, t, most_t = left.pop()
        count = (most_s - s + 1) * (most_t - t + 1)
        budget.spend(2)
        if count <= _FEW:
            for start in range(s, most_s + 1):
                for end in range(t, most_t + 1):
                    a, b = (x[end] - x[start] for x in (rows.first, rows.second))
                    if not rows.holds(rows.excess(a, b, budget), rows.bent[end] - rows.bent[start], budget):
                        raise Rejected(f"the inequality of the divergence fails on the interval from {start} to {end}")
            continue
        if _holds_on((s, most_s, t, most_t), rows, budget):
            continue
        if most_s - s > most_t - t:
            middle = (s + most_s) // 2
            left += [(s, middle, t, most_t), (middle + 1, most_s, t, most_t)]
        else:
            middle = (t + most_t) // 2
            left += [(s, most_s, t, middle), (s, most_s, middle + 1, most_t)]


def _rectangles(low: int, high: int) -> Iterator[Rectangle]:
    """Yield rectangles that contain each pair ``low <= s < t <= high`` once."""
    if low < high:
        middle = (low + high) // 2
        yield low, middle, middle + 1, high
        yield from _rectangles(low, middle)
        yield from _rectangles(middle + 1, high)


def _holds_on(rectangle: Rectangle, rows: RatioRows, budget: WorkBudget) -> bool:
    """Return whether the inequality is proved on a rectangle: a convex function is largest at one of its corners."""
    s, most_s, t, most_t = rectangle
    least = rows.bent[t] - rows.bent[most_s]  # the bent part is at least 0: the shortest interval has least of it
    (a, most_a), (b, most_b) = ((x[t] - x[most_s], x[most_t] - x[s]) for x in (rows.first, rows.second))
    corners = ((most_a, b), (a, most_b), (most_a, most_b), (a, b))  # where the term is largest mostly comes first
    return all(rows.holds(rows.excess(*corner, budget), least, budget) for corner in corners)


def serves(kind: str) -> bool:
    """Return whether the way serves a kind of objective."""
    return kind in DIVERGENCES
