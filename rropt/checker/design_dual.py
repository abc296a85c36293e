"""The multipliers of a design's linear program, block by block (FORMAT.md, rules 3 and 4).

Let z be the multipliers of the minimization at gamma.above and delta.above. Each output i has one block of rows, and g
is gamma or gamma_jl. The reduced costs must be nonnegative, and the bound is b . z:

    p_ij     c_ij - alpha_j - (A^T z)_ij >= 0,     (A^T z)_ij = sum of z, -z and g z over the rows of the block
    t_i      sum_j low_ij - gamma sum_j high_ij >= 0
    e_i,jl   -excess_i,jl - total_jl >= 0
    b . z    sum_j alpha_j + delta sum_jl total_jl + sum_ij (least_ij z_ij + most_ij z'_ij)

The objective distance to a matrix Q adds the rows p_ij + s >= q_ij (z_ij) and p_ij - s <= q_ij (z'_ij), whose bounds
are q_ij, and the reduced cost

    s        1 - sum_ij (z_ij - z'_ij) >= 0        (norm total: s_ij, 1 - (z_ij - z'_ij) >= 0)

No constraint matrix is formed. The multipliers of a block have a common denominator, and all other numbers are compared
by cross multiplication.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from .documents import Budget, Rejected, bits_of
from .matrices import Rows, Vector, over_one_denominator, sparse, total
from .regions import Region

_FREE, _NONPOSITIVE = {"column"}, {"total", "most", "not higher"}  # all other rows are written with >=, so z >= 0
_ZERO, _ONE, _MINUS_ONE = Fraction(0), Fraction(1), Fraction(-1)


class Distance(NamedTuple):
    """The objective distance to a matrix: the largest absolute difference of two entries, or the sum of them."""

    norm: str
    target: Rows


@dataclass
class _Block:
    """The multipliers of the rows of one output i."""

    values: list[Fraction] = field(default_factory=list)
    terms: list[tuple[int, int, Fraction]] = field(default_factory=list)  # (j, index in values, coefficient of p_ij)
    low: list[int] = field(default_factory=list)  # indices of the rows p_ij - t_i >= 0
    high: list[int] = field(default_factory=list)  # indices of the rows gamma t_i - p_ij >= 0
    bounds: list[tuple[int, Fraction]] = field(default_factory=list)  # (index, and least_ij, most_ij or q_ij)


class Dual:
    """The multipliers of a region's rows; each must have the sign that its relation requires."""

    def __init__(
        self, region: Region, data: Any, sign: int, where: str, budget: Budget, distance: Distance | None = None
    ) -> None:
        """Sort the pairs [row, value] of a witness, values times ``sign``, into blocks."""
        self.region, self.budget, self.distance = region, budget, distance
        self.alphas = [_ZERO] * region.inputs
        self.totals: dict[int, Fraction] = {}
        self.excesses: list[tuple[int, int, Fraction]] = []  # (row, pair, z)
        self.shifts: dict[tuple[int, int], list[Fraction]] = {}  # multiplier times coefficient of s, or of s_ij
        self.blocks: dict[int, _Block] = defaultdict(_Block)
        sections = _sections(region, distance)
        for row, value in sparse(data, sum(section.size for section in sections), where, budget):
            budget.spend(1)
            name, i, place = _located(row, sections)
            z = value if sign > 0 else -value
            if name not in _FREE and (z.numerator > 0) == (name in _NONPOSITIVE):
                raise Rejected(f"the multiplier of row {row} has the wrong sign")
            self._put(row, name, i, place, z)

    def _put(self, row: int, name: str, i: int, place: int, z: Fraction) -> None:
        if name == "column":
            self.alphas[place] = z
            return
        if name == "total":
            self.totals[place] = z
            return
        block = self.blocks[i]
        at = len(block.values)
        block.values.append(z)
        if name in ("excess", "pair"):
            j, other, gamma = self.region.pair(place)
            block.terms += [(j, at, _MINUS_ONE), (other, at, gamma.above)]
            if name == "excess":
                self.excesses.append((row, place, z))
            return
        block.terms.append((place, at, _MINUS_ONE if name == "high" else _ONE))
        if name in ("low", "high"):
            (block.low if name == "low" else block.high).append(at)
        elif name in ("not lower", "not higher") and self.distance is not None:
            block.bounds.append((at, self.distance.target[i][place]))
            shared = (i, place) if self.distance.norm == "total" else (0, 0)
            self.shifts.setdefault(shared, []).append(z if name == "not lower" else -z)
        elif self.region.bounds is not None:
            block.bounds.append((at, self.region.bounds[name == "most"][i][place]))

    def require_reduced_costs(self, costs: list[Vector]) -> None:
        """Reject unless every reduced cost is nonnegative; the costs are given by columns."""
        region, budget = self.region, self.budget
        self._require_excesses()
        self._require_shifts()
        rest = [(a.numerator, a.denominator) for a in self.alphas]
        longest = max(max(c.bits, bits_of(a)) for c, a in zip(costs, self.alphas, strict=True))
        budget.spend(2 * region.inputs * region.outputs, longest, longest)
        for i in range(region.outputs):
            block = self.blocks.get(i)
            sums = self._block_sums(i, block) if block else {}
            budget.spend(
                len(sums), 2 * longest, max((abs(n).bit_length() for each in sums.values() for n in each), default=0)
            )
            for j, (cost, (a, b)) in enumerate(zip(costs, rest, strict=True)):
                left, scale = cost.numerators[i] * b - a * cost.denominator, b * cost.denominator
                if j in sums:
                    numerator, denominator = sums[j]
                    left = left * denominator - numerator * scale
                if left < 0:
                    raise Rejected(f"the reduced cost of p at output {i}, input {j} has the wrong sign")

    def _block_sums(self, i: int, block: _Block) -> dict[int, tuple[int, int]]:
        """Return ``(A^T z)_ij`` without the column rows, as numerator and denominator, for each j that occurs."""
        budget = self.budget
        z = over_one_denominator(block.values, budget)
        if self.region.gamma is not None and (block.low or block.high):
            gamma = self.region.gamma.above
            budget.spend(len(block.values), z.bits, bits_of(gamma))
            low, high = (sum(z.numerators[at] for at in places) for places in (block.low, block.high))
            if low * gamma.denominator < high * gamma.numerator:
                raise Rejected(f"the reduced cost of t at output {i} has the wrong sign")
        parts: dict[int, list[tuple[int, int]]] = {}  # for each input j, the terms of its sum
        for j, at, coefficient in block.terms:
            budget.spend(1, z.bits, bits_of(coefficient))
            parts.setdefault(j, []).append((z.numerators[at] * coefficient.numerator, coefficient.denominator))
        sums = {}
        for j, part in parts.items():
            numerator, scale = total(part, budget)
            sums[j] = numerator, scale * z.denominator
        return sums

    def _require_excesses(self) -> None:
        for row, pair, z in self.excesses:
            allowed = self.totals.get(pair, _ZERO)
            self.budget.spend(2, bits_of(z), bits_of(allowed))
            if z + allowed > 0:
                raise Rejected(f"the reduced cost of the excess of row {row} has the wrong sign")

    def _require_shifts(self) -> None:
        """Reject unless the reduced costs of s, or of every s_ij, are nonnegative."""
        for values in self.shifts.values():
            numerator, denominator = total([(z.numerator, z.denominator) for z in values], self.budget)
            if numerator > denominator:
                raise Rejected("the reduced cost of the distance has the wrong sign")

    def bound_terms(self) -> list[tuple[int, int]]:
        """Return fractions, as numerator and denominator, whose sum is ``b . z``."""
        budget, delta = self.budget, self.region.delta.above
        terms = [(a.numerator, a.denominator) for a in self.alphas]
        longest = max(map(bits_of, self.totals.values()), default=0)
        budget.spend(2 * len(self.totals), longest, bits_of(delta))
        terms += [(z.numerator * delta.numerator, z.denominator * delta.denominator) for z in self.totals.values()]
        for block in self.blocks.values():
            if block.bounds:
                z = over_one_denominator([block.values[at] for at, _ in block.bounds], budget)
                sides = over_one_denominator([side for _, side in block.bounds], budget)
                budget.spend(len(block.bounds), z.bits, sides.bits)
                together = sum(a * b for a, b in zip(z.numerators, sides.numerators, strict=True))
                terms.append((together, z.denominator * sides.denominator))
        return terms


class _Section(NamedTuple):
    """The rows of one kind: their name, their total number, and their number per output."""

    name: str
    size: int
    width: int


def _sections(region: Region, distance: Distance | None) -> list[_Section]:
    """Return the kinds of rows in the order of the format."""
    k, m, n = region.inputs, region.outputs, region.pair_count
    sections = [_Section("column", k, k)]
    if region.gamma is None:
        sections.append(_Section("pair", m * n, n))
    elif region.has_delta:
        sections += [_Section("excess", m * n, n), _Section("total", n, n)]
    else:
        sections += [_Section("low", m * k, k), _Section("high", m * k, k)]
    if region.bounds is not None:
        sections += [_Section("least", m * k, k), _Section("most", m * k, k)]
    if distance is not None:
        sections += [_Section("not lower", m * k, k), _Section("not higher", m * k, k)]
    return sections


def _located(row: int, sections: list[_Section]) -> tuple[str, int, int]:
    """Return the kind of a row, its output (0 if it has none) and its index among the rows of that output."""
    offset = row
    for section in sections:
        if offset < section.size:
            return section.name, *divmod(offset, section.width)
        offset -= section.size
    raise Rejected(f"there is no row {row}")
