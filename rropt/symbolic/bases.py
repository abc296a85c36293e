"""Closed forms of randomized response: k rows determine the weights, and conditions bound the domain.

A design that maximizes a concave function of the Fisher information M and has exactly k rows S in {1, gamma}^k has the
weights ``w = B^-1 1``, with B the matrix of the rows. It is optimal where ``w >= 0`` and ``y.S >= phi(S)`` for every
row S, with ``y = B^-T phi_B`` and phi the derivative of the objective in the direction of a row
(``a_c_contrasts.of_randomized_response``). The sign changes of these functions of gamma bound the domain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import sympy as sp
from sympy.polys.matrices import DomainMatrix
from sympy.polys.matrices.exceptions import DMNonInvertibleMatrixError

from rropt.symbolic import symbols
from rropt.symbolic.posing import factored
from rropt.symbolic.symbols import gamma

MOST_CATEGORIES = 5
"""Largest k whose 2^k rows are treated in symbols."""

_FIELD = sp.QQ.frac_field(gamma)
_GAMMA = _FIELD.from_sympy(gamma)
Bits = tuple[int, ...]
Ends = tuple[sp.Expr | None, sp.Expr | None]


def row_of(bits: Bits) -> list[sp.Expr]:
    """Return the row S in symbols."""
    return [gamma if bit else sp.Integer(1) for bit in bits]


def all_rows(k: int) -> list[Bits]:
    """Return all rows up to scale: the constant row is written with zeros only."""
    return [bits for bits in product((0, 1), repeat=k) if not all(bits)]


def in_field(expression: sp.Expr) -> Any:
    """Return a rational function of gamma as an element of the field of such functions."""
    return _FIELD.from_sympy(sp.sympify(expression))


class RowBasis:
    """k rows, with B the matrix of the rows as columns.

    Args:
        rows: the categories with entry gamma of each row, as bits.

    Attributes:
        inverse: ``B^-1``, rational functions of gamma; None if B is singular.
        weights: ``B^-1 1``.
    """

    def __init__(self, rows: Sequence[Bits]) -> None:
        self.rows, k = tuple(rows), len(rows)
        one = _FIELD.one
        columns = [[_GAMMA if rows[j][i] else one for j in range(k)] for i in range(k)]
        try:
            self.inverse = DomainMatrix(columns, (k, k), _FIELD).inv().to_list()
        except DMNonInvertibleMatrixError:
            self.inverse = None
            return
        self.weights = [sum(line, _FIELD.zero) for line in self.inverse]

    def dual(self, own: Sequence[Any]) -> list[Any]:
        """Return ``y = B^-T phi_B``."""
        return [
            sum((x * y for x, y in zip(column, own, strict=True)), _FIELD.zero)
            for column in zip(*self.inverse, strict=True)
        ]

    def is_feasible(self, at: sp.Expr) -> bool:
        """Return whether B is regular and no weight is negative at a level, exactly."""
        return self.inverse is not None and all(
            symbols.sign_of(w.as_expr().xreplace({gamma: at})) >= 0 for w in self.weights
        )

    def mechanism(self) -> sp.ImmutableMatrix:
        """Return P: the rows that have weight, multiplied by it."""
        pairs = [(factored(w.as_expr()), bits) for w, bits in zip(self.weights, self.rows, strict=True) if w]
        return sp.ImmutableMatrix([[w * x for x in row_of(bits)] for w, bits in pairs])


def excesses(basis: RowBasis, phi: dict[Bits, Any], sign: int = 1) -> list[Any]:
    """Return the conditions of optimality of a basis if phi is rational: ``w >= 0`` and ``y.S - phi(S) >= 0``."""
    dual = basis.dual([phi[bits] for bits in basis.rows])
    found = []
    for bits, each in phi.items():
        if bits not in basis.rows:
            paid = sum((y * _GAMMA if bit else y for y, bit in zip(dual, bits, strict=True)), _FIELD.zero)
            found.append((paid - each) * sign)
    return [*basis.weights, *found]


def interval(low: sp.Expr | None, high: sp.Expr | None) -> Any:
    """Return the relation ``low <= gamma <= high``; without a lower end gamma is above 1."""
    lower = sp.Gt(gamma, 1) if low is None else sp.Ge(gamma, low)
    return lower if high is None else sp.And(lower, sp.Le(gamma, high))


def ends_of(conditions: Iterable[Any], at: sp.Expr) -> Ends:
    """Return the exact ends of the largest interval around a level on which no rational function changes its sign.

    None stands for an end at 1, or for no upper end.
    """
    factors = set()
    for condition in conditions:
        for part in (condition.numer, condition.denom):
            factors |= {factor for factor, times in part.factor_list()[1] if times % 2}
    low, high = None, None
    for factor in factors:
        for root in _roots_above_one(sp.Poly(factor.as_expr(), gamma)):
            side = symbols.sign_of(root - at)
            if side < 0 and (low is None or symbols.sign_of(root - low) > 0):
                low = root
            elif side > 0 and (high is None or symbols.sign_of(root - high) < 0):
                high = root
    return low, high


def _roots_above_one(factor: sp.Poly) -> list[sp.Expr]:
    """Return the real roots above 1 of an irreducible polynomial: exact numbers, with radicals up to degree 2."""
    if not factor.count_roots(1, None):
        return []
    roots = factor.real_roots(radicals=factor.degree() <= 2)
    return [root for root in roots if symbols.sign_of(root - 1) > 0]
