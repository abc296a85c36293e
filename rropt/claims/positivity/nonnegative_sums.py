"""Nonnegative solutions of sparse linear equations, one for each monomial: what every search for an identity solves.

Polynomials are FLINT rationals by exponents, which are packed into one integer, so that the product of two monomials is
one addition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from rropt.core.exact.flint_numbers import as_fraction
from rropt.core.linear import ProgramBuilder, optimum

_STRICT = 10**6  # weight of strict products, relative to the largest cost; sums with larger coefficients are not found
_BITS = 32  # bits for the exponent of one symbol

Packed = dict[int, Any]
Exponents = tuple[int, ...]


def packed(found: Mapping[Exponents, Any]) -> Packed:
    """Encode the exponents of each monomial in one integer, so the product of two monomials is one addition."""
    return {packed_key(key): value for key, value in found.items()}


def packed_key(exponents: Exponents) -> int:
    """Return the integer of a monomial."""
    return sum(e << (_BITS * i) for i, e in enumerate(exponents))


@dataclass(slots=True)
class Sums:
    """Sums of columns with coefficients >= 0: for each monomial one equation.

    Attributes:
        rows: for each monomial its coefficients, nonzero FLINT rationals by the number of the column.
        signs: for each monomial the columns with a positive and with a negative coefficient.
        fractions: the rows that a program has needed, as fractions.
    """

    rows: dict[int, dict[int, Any]] = field(default_factory=dict)
    signs: dict[int, tuple[set[int], set[int]]] = field(default_factory=dict)
    fractions: dict[int, dict[int, Fraction]] = field(default_factory=dict)

    def copy(self) -> Sums:
        """Return a copy to which further columns can be added."""
        rows = {key: dict(row) for key, row in self.rows.items()}
        return Sums(rows, {key: (set(rises), set(falls)) for key, (rises, falls) in self.signs.items()})

    def add(self, column: int, polynomial: Packed, shift: int = 0) -> None:
        """Add a column: a polynomial times a monomial."""
        for key, x in polynomial.items():
            row = self.rows.get(key + shift)
            if row is None:
                row = self.rows[key + shift] = {}
                self.signs[key + shift] = (set(), set())
            row[column] = x
            self.signs[key + shift][x < 0].add(column)

    def row(self, key: int) -> dict[int, Fraction]:
        """Return the coefficients of a monomial as fractions."""
        if key not in self.fractions:
            self.fractions[key] = {place: as_fraction(x) for place, x in self.rows[key].items()}
        return self.fractions[key]

    def cheapest(
        self, target: Mapping[int, Any], costs: Sequence[int], strict: Sequence[bool] | None = None
    ) -> dict[int, Fraction] | None:
        """Return the coefficients that are not 0 of the cheapest sum that equals the target; None if none is found.

        Args:
            target: the polynomial.
            costs: the cost of each column.
            strict: for each column whether it is strictly positive, if one of these must occur.
        """
        zero = _forced_zeros(self.signs, target)
        if zero is None:
            return None
        live = [column for column in range(len(costs)) if column not in zero]
        if strict is not None and not any(strict[column] for column in live):
            return None
        place = {column: number for number, column in enumerate(live)}
        builder = ProgramBuilder("minimise")
        for column in live:
            builder.variable("c", cost=costs[column])
        for key in (*target, *(key for key in self.rows if key not in target)):
            kept = {place[j]: x for j, x in self.row(key).items() if j in place}
            if kept:
                builder.row("monomial", kept, "=", target.get(key, Fraction(0)))
        if strict is not None:  # maximize the total weight of strict products, up to 1; it must be positive
            weight = builder.variable("weight", cost=-_STRICT * max(costs))
            positive = {place[j]: -1 for j in live if strict[j]}
            builder.row("weight of strict products", {weight: 1, **positive}, "<=", 0)
            builder.row("bounded", {weight: 1}, "<=", 1)
        outcome = optimum(builder.build())
        if outcome is None or (strict is not None and not outcome.primal[len(live)]):
            return None
        primal = list(outcome.primal)[: len(live)]
        return {column: Fraction(value) for column, value in zip(live, primal, strict=True) if value}


def _forced_zeros(signs: Mapping[int, tuple[set[int], set[int]]], target: Mapping[int, Any]) -> set[int] | None:
    """Return columns that the signs of the rows force to 0 in every sum; None if the signs exclude every sum.

    In a row whose coefficients have one sign, all terms are nonnegative or all are nonpositive.
    """
    if any(key not in signs for key in target):
        return None  # no product contains this monomial
    zero: set[int] = set()
    waiting = [(target.get(key, 0), *each) for key, each in signs.items()]
    while True:
        before, left = len(zero), []
        for wanted, rises, falls in waiting:
            up, down = rises - zero, falls - zero
            if (wanted > 0 and not up) or (wanted < 0 and not down):
                return None
            if wanted == 0 and not (up and down):  # every coefficient of the row has one sign
                zero |= up
                zero |= down
            else:
                left.append((wanted, up, down))
        if len(zero) == before:
            return zero
        waiting = left


@dataclass(frozen=True, slots=True)
class Multiple:
    """The identity ``factor target = rest + sum_j multipliers[j] hypotheses[j]`` without negative coefficients.

    The factor has the constant term 1. So the target is >= 0 at all nonnegative values of the names at which all
    hypotheses are >= 0. All are polynomials, fractions by exponents.
    """

    factor: dict[Exponents, Fraction]
    rest: dict[Exponents, Fraction]
    multipliers: tuple[dict[Exponents, Fraction], ...]


def positive_multiple(
    target: Mapping[Exponents, Any], hypotheses: Sequence[Mapping[Exponents, Any]], degree: int = 0
) -> Multiple | None:
    """Return an identity that proves a polynomial >= 0 for names >= 0, wherever hypotheses are; None if none is found.

    Args:
        target: the polynomial, FLINT rationals by exponents.
        hypotheses: polynomials that are >= 0.
        degree: the largest power of each name in the factor.

    Reference: Polya (1928) for the factor; Handelman (1988) for the products.
    """
    count = len(next(iter(target)))
    nothing: tuple[dict[Exponents, Fraction], ...] = tuple({} for _ in hypotheses)
    origin = (0,) * count
    if all(value > 0 for value in target.values()):
        return Multiple({origin: Fraction(1)}, {key: as_fraction(x) for key, x in target.items()}, nothing)
    most = [max(key[i] for key in target) + degree for i in range(count)]
    box = list(product(*[range(d + 1) for d in most]))
    sums = Sums()
    places: list[tuple[int, Exponents]] = []
    costs: list[int] = []
    negative = {key: -x for key, x in packed(target).items()}

    def add(part: int, monomial: Exponents, polynomial: Packed) -> None:
        sums.add(len(places), polynomial, packed_key(monomial))
        places.append((part, monomial))
        costs.append(1 + sum(monomial) + 3 * (part != 0))

    for monomial in product(range(degree + 1), repeat=count):
        if any(monomial):
            add(-1, monomial, negative)
    for j, hypothesis in enumerate(hypotheses):
        room = [d - max(key[i] for key in hypothesis) for i, d in enumerate(most)]
        own = packed(hypothesis)
        for monomial in product(*[range(r + 1) for r in room]):
            add(j + 1, monomial, own)
    one = {0: next(iter(target.values())) * 0 + 1}
    for monomial in box:
        add(0, monomial, one)
    found = sums.cheapest({key: as_fraction(-x) for key, x in negative.items()}, costs)
    if found is None:
        return None
    parts: list[dict[Exponents, Fraction]] = [{} for _ in range(len(hypotheses) + 2)]
    for column, value in found.items():
        part, monomial = places[column]
        parts[part][monomial] = value
    return Multiple({origin: Fraction(1), **parts[-1]}, parts[0], tuple(parts[1:-1]))
