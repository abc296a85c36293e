"""Closed forms in gamma and in the proportions: A- and c-optimality and contrasts at delta = 0.

CVXPY names the rows S of {1, gamma}^k with weight. If they are k independent ones, the equations ``sum w S = 1`` have
one solution w, which does not depend on the proportions. With ``M = sum w S S^T/(S.pi)`` and ``G = M^-1 C^T``, prices y
follow from equality on these rows, and the design is optimal if and only if, for every other row S,

    |G^T S|^2 <= (y.S) (S.pi)

(weak duality, ``enclosures``; G and y are the only prices of an invertible M). Both sides are rational functions of
gamma and of the proportions ``pi_0, pi_1, ...`` of all categories but the last: the domain is complete for these rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.guesses import Exponents
from rropt.core.visible import with_noun
from rropt.symbolic.fields import Field, ProofRefusedError
from rropt.symbolic.information import Asked
from rropt.symbolic.posing import Form
from rropt.symbolic.rows import staircase_rows
from rropt.symbolic.symbols import exact, gamma

MOST_CATEGORIES = 3  # of four, a region has ten conditions of up to 38 terms, and takes ten seconds


def form_in_proportions(data: dict[str, Any], rows: Sequence[Exponents]) -> Form:
    """Return the optimum as a form in ``gamma`` and ``pi_0, pi_1, ...``, with the region where its rows are optimal.

    Args:
        data: the problem as JSON.
        rows: the rows with weight, by exponents of gamma.

    Raises:
        UnsupportedProblemError: the objective or the region is another one, or the rows do not determine the weights.
        ProofRefusedError: the rows are not optimal at the numbers of the problem.
    """
    asked = Asked.read(data)
    k = asked.k
    if asked.kind != "covariance" or asked.has_delta or k > MOST_CATEGORIES or not all(asked.population):
        raise UnsupportedProblemError(
            "no form in the proportions: it is derived for A- and c-optimality and contrasts at delta = 0, for "
            f"positive proportions of at most {MOST_CATEGORIES} categories"
        )
    if len(rows) != k:
        raise UnsupportedProblemError(
            f"no form in the proportions: {with_noun(len(rows), 'row')} with weight do not determine the design of {k} "
            "categories"
        )
    return _Basis(asked, rows).form()


def inside(form: Form, **values: Any) -> Any:
    """Return where a form in the proportions holds, in floating point.

    Args:
        form: the form.
        values: arrays of one shape: ``gamma``, and a proportion for each symbol of the form.

    Returns:
        An array of truth values.
    """
    named = {str(symbol): symbol for symbol in form.parameters}
    symbols = [named[name] for name in values]
    relations = sp.And.make_args(form.domain)
    slacks = sp.lambdify(symbols, [one.gts - one.lts for one in relations if one not in (True, sp.true)], "numpy")
    found = True
    for slack in slacks(*values.values()):
        found = (slack >= 0) & found
    return found


def sets_of_rows(form: Form) -> str:
    """Return the rows of a form in words: for each output the categories that it favours."""
    rows = form.mechanism_at().tolist()
    listed = [[j for j, x in enumerate(row) if x > min(row)] for row in rows]
    return ", ".join("{" + ", ".join(map(str, one)) + "}" for one in sorted(listed, key=lambda one: (len(one), one)))


class _Basis:
    """The solution for k independent rows, as elements of the field."""

    def __init__(self, asked: Asked, rows: Sequence[Exponents]) -> None:
        k = asked.k
        names = sp.symbols(f"pi_0:{k - 1}", positive=True)
        shares = [exact(p) for p in asked.population]
        self.asked, self.rows = asked, list(rows)
        self.field = Field({gamma: asked.field.values[gamma], **dict(zip(names, shares, strict=False))})
        own = [self.field(name) for name in names]
        self.pi = [*own, self.field.one - sum(own, self.field.zero)]
        self.targets = [[self.field(x) for x in line] for line in asked.targets]
        S = [self._entries(row) for row in rows]
        self.weights = self.field.solved([list(column) for column in zip(*S, strict=True)], [self.field.one] * k)
        M = [
            [
                self._sum(w * s[i] * s[j] / self._dot(s, self.pi) for w, s in zip(self.weights, S, strict=True))
                for j in range(k)
            ]
            for i in range(k)
        ]
        self.G = self.field.all_solved(M, [list(column) for column in zip(*self.targets, strict=True)])
        squares = [self._square(s) / self._dot(s, self.pi) for s in S]
        self.prices = self.field.solved(S, squares)

    def _sum(self, terms: Any) -> Any:
        return sum(terms, self.field.zero)

    def _dot(self, one: Sequence[Any], two: Sequence[Any]) -> Any:
        return self._sum(a * b for a, b in zip(one, two, strict=True))

    def _entries(self, row: Exponents) -> list[Any]:
        if None in row or max(n for n in row if n is not None) > 1:
            raise UnsupportedProblemError("no form in the proportions: a row has an entry 0 or a power of gamma")
        return [self.field(gamma**n) for n in row]

    def _square(self, row: Sequence[Any]) -> Any:
        """Return ``|G^T S|^2``."""
        return self._sum(self._dot(column, row) ** 2 for column in zip(*self.G, strict=True))

    def value(self) -> Any:
        """Return ``tr C G - |C pi|^2``, which the prices must prove: ``2 tr C G - sum y - |C pi|^2``."""
        whole = self._sum(self._dot(c, g) for c, g in zip(self.targets, zip(*self.G, strict=True), strict=True))
        if whole != self._sum(self.prices):
            raise ProofRefusedError("SymPy: the primal value of the rows is not the dual one")
        return whole - self._sum(self._dot(c, self.pi) ** 2 for c in self.targets)

    def conditions(self) -> list[Any]:
        """Return what is nonnegative exactly where the rows are optimal: weights, and a slack for each other row."""
        found = list(self.weights)
        for row in staircase_rows(self.asked.k):
            if row not in self.rows:
                s = self._entries(row)
                found.append(self._dot(self.prices, s) * self._dot(s, self.pi) - self._square(s))
        if any(self.field.sign(one) < 0 for one in found):
            raise ProofRefusedError("SymPy: the rows that have weight for CVXPY are not optimal at these numbers")
        return found

    def form(self) -> Form:
        """Return the form with its region."""
        relations = {relation for one in self.conditions() for relation in self._relations(one)}
        inside = [sp.Gt(gamma, 1), *(sp.Gt(p, 0) for p in self.field.symbols[1:])]
        inside.append(sp.Lt(sp.Add(*self.field.symbols[1:]), 1))
        mechanism = sp.ImmutableMatrix(
            [
                [self.field.expression(w * x) for x in self._entries(row)]
                for w, row in zip(self.weights, self.rows, strict=True)
            ]
        )
        how = f"KKT conditions of {with_noun(len(self.rows), 'row')}, proved by weak duality exactly on the domain"
        domain = sp.And(*inside, *sorted(relations, key=str))
        return Form(self.field.expression(self.value()), how, domain, mechanism, self.field.values)

    def _relations(self, element: Any) -> list[Any]:
        """Return ``element >= 0`` without the factors that are positive for gamma > 1 and positive proportions."""
        left = sp.Integer(1)
        numerator, denominator = sp.fraction(self.field.expression(element))
        for factor, power in sp.factor_list(numerator * denominator)[1]:
            if power % 2:
                left *= factor if self._sign(factor) is None else self._sign(factor)
        constant = sp.factor_list(numerator * denominator)[0]
        left = sp.expand(left * sp.sign(constant))
        return [] if left == 1 else [sp.Ge(left, 0)]

    def _sign(self, factor: sp.Expr) -> int | None:
        """Return the sign of a polynomial whose coefficients in positive variables have one sign; else None."""
        free = sp.symbols(f"t_0:{self.asked.k}", positive=True)
        ratios = [t / (1 + sum(free[1:])) for t in free[1:]]
        values = {gamma: 1 + free[0], **dict(zip(self.field.symbols[1:], ratios, strict=True))}
        signs = {sp.sign(c) for c in sp.Poly(sp.numer(sp.together(factor.xreplace(values))), *free).coeffs()}
        return int(signs.pop()) if len(signs) == 1 else None
