"""Closed forms in gamma and in the proportions at delta = 0: A- and c-optimality, contrasts, divergences, information.

*Variances.* CVXPY names the rows S of {1, gamma}^k with weight. If they are k independent ones, the equations
``sum w S = 1`` have one solution w, which does not depend on the proportions. With ``M = sum w S S^T/(S.pi)`` and
``G = M^-1 C^T``, prices y follow from equality on these rows, and the design is optimal if and only if, for every other
row S,

    |G^T S|^2 <= (y.S) (S.pi)

(weak duality, ``enclosures``; G and y are the only prices of an invertible M). Both sides are rational functions of
gamma and of the proportions ``pi_0, pi_1, ...`` of all categories but the last: the domain is complete for these rows.
Of three categories a contrast needs two rows, a set and its complement, if its coefficients are equal on each side. M
is singular; G and y are those of two categories, and each side is shared out by the proportions. Then a row enters
the condition by its mean on each side alone, so that it is one of two categories: the form holds everywhere.

*Sums over the outputs* of a term phi (``active``). Rows with weight that are k independent ones have one vector of
prices, ``y.S = phi(S)``, and are optimal if and only if ``y.S >= phi(S)`` for every other row. Of three categories two
rows may suffice: a set and its complement, both with the weight 1/(gamma + 1). Let a, b be the two categories on one
side. The prices of these two rows are ``y + t (e_a - e_b)`` for any t. A row T that favours a alone of the two gives a
lower bound of t, and a row U that favours b alone an upper bound. Some t meets all of them if and only if

    y.T - phi(T) + y.U - phi(U) >= 0

for each T and U; the other rows favour both or none, and are the two rows themselves. The total variation is known:
the outputs are ``pi_j >= q_j`` and its complement (Kairouz, Oh and Viswanath 2016, theorem 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.active_sets import Active
from rropt.core.results.guesses import Exponents
from rropt.core.visible import with_noun
from rropt.symbolic.active import Asked as AskedRows
from rropt.symbolic.active import Basis
from rropt.symbolic.fields import Field, ProofRefusedError
from rropt.symbolic.information import Asked
from rropt.symbolic.posing import Form
from rropt.symbolic.programs import number_of
from rropt.symbolic.rows import staircase_rows
from rropt.symbolic.sums import ONE, At, Sum, expression_of, plain
from rropt.symbolic.symbols import exact, gamma

MOST_CATEGORIES = 3  # of four, a region has ten conditions of up to 38 terms, and takes ten seconds
SUMS = (
    "chi-square",
    "hellinger",
    "kullback-leibler",
    "jensen-shannon",
    "alpha-divergence",
    "total-variation",
    "mutual-information",
)
"""Kinds of sums over the outputs that have a form in the proportions."""
_ONLY = (
    "no form in the proportions: it is derived for A- and c-optimality, contrasts, divergences and the mutual "
    f"information at delta = 0, for positive proportions of at most {MOST_CATEGORIES} categories"
)


def merged_rows(data: dict[str, Any]) -> list[Exponents]:
    """Return a set of three categories and its complement if contrasts are equal on each of the two, else no rows."""
    asked = Asked.read(data)
    for j in range(asked.k if (asked.kind, asked.k) == ("covariance", 3) else 0):
        if all(line[(j + 1) % 3] == line[(j + 2) % 3] for line in asked.targets):
            return [tuple(int((i == j) == first) for i in range(3)) for first in (True, False)]
    return []


def form_in_proportions(data: dict[str, Any], rows: Sequence[Exponents]) -> Form:
    """Return the optimum as a form in ``gamma`` and ``pi_0, pi_1, ...``, with the region where its rows are optimal.

    Args:
        data: the problem as JSON.
        rows: the rows with weight, by exponents of gamma; of a contrast of two sets of categories ``merged_rows``.

    Raises:
        UnsupportedProblemError: the objective or the region is another one, or the rows do not determine the weights.
        ProofRefusedError: the rows are not optimal at the numbers of the problem.
    """
    asked = Asked.read(data)
    k = asked.k
    if asked.kind != "covariance" or asked.has_delta or k > MOST_CATEGORIES or not all(asked.population):
        raise UnsupportedProblemError(_ONLY)
    if rows == merged_rows(data):
        return _Merged(asked, rows).form()
    if len(rows) != k:
        raise UnsupportedProblemError(
            f"no form in the proportions: {with_noun(len(rows), 'row')} with weight do not determine the design of {k} "
            "categories"
        )
    return _Basis(asked, rows).form()


def sum_in_proportions(data: dict[str, Any], active: Active) -> Form:
    """Return a divergence or the mutual information in ``gamma`` and ``pi_0, pi_1, ...``, with its region.

    Args:
        data: the problem as JSON.
        active: the rows of an optimal vertex.

    Raises:
        UnsupportedProblemError: the objective or the region is another one, or its rows and prices are not determined.
        ProofRefusedError: the rows are not optimal at the numbers of the problem.
    """
    if data["objective"]["kind"] not in SUMS:
        raise UnsupportedProblemError(_ONLY)
    asked = AskedRows(data)
    if asked.pairs or asked.is_flat or asked.k > MOST_CATEGORIES or not all(asked.proportions):
        raise UnsupportedProblemError(_ONLY)
    field, shares = _field_of(asked.values[gamma], asked.proportions)
    own = AskedRows(data, None, field)
    own.pi, own.proportions = shares, [field.domain.to_sympy(x) for x in shares]
    is_total_variation = data["objective"]["kind"] == "total-variation"
    return (_of_signs if is_total_variation else _of_rows)(own, active)


def _field_of(level: sp.Expr, numbers: Sequence[Any]) -> tuple[Field, list[Any]]:
    """Return the field of gamma and the proportions of all categories but the last, and all proportions in it."""
    names = sp.symbols(f"pi_0:{len(numbers) - 1}", real=True)
    field = Field({gamma: level, **dict(zip(names, (exact(p) for p in numbers), strict=False))})
    own = [field(name) for name in names]
    return field, [*own, field.one - sum(own, field.zero)]


def _of_rows(asked: AskedRows, active: Active) -> Form:
    """Return the form of rows whose weights and prices are determined, or leave one price free."""
    vertex, at = Basis(asked, active), At(asked.field)
    used = [row.exponents for row, w in zip(active.rows, vertex.weights, strict=True) if w]
    brackets = {row: vertex.bracket(-1, row) for row in staircase_rows(asked.k) if row not in used}
    if len(used) == asked.k:
        conditions = [*map(plain, vertex.weights), *brackets.values()]
    elif (len(used), asked.k) == (2, 3):
        (a, b) = next((i, j) for i, j in ((0, 1), (0, 2), (1, 2)) if all(row[i] == row[j] for row in used))
        sides = [[one for row, one in brackets.items() if (row[i], row[j]) == (1, 0)] for i, j in ((a, b), (b, a))]
        conditions = [one + other for one in sides[0] for other in sides[1]]
    else:
        raise UnsupportedProblemError(
            f"no form in the proportions: {with_noun(len(used), 'row')} with weight leave several prices free"
        )
    if any(at.sign(one) < 0 for one in conditions):
        raise ProofRefusedError("SymPy: the rows that have weight for CVXPY are not optimal at these numbers")
    rows = [[w * x for x in asked.entries(row.exponents)] for row, w in zip(active.rows, vertex.weights, strict=True)]
    how = f"prices of {with_noun(len(used), 'row')}, proved by weak duality exactly on the domain"
    mechanism = [row for row in rows if any(row)]
    return _form(asked.field, expression_of(asked.field, vertex.value), conditions, mechanism, how)


def _of_signs(asked: AskedRows, active: Active) -> Form:
    """Return the total variation where the proportions are larger than the other ones at certain categories."""
    field, at, gaps = asked.field, At(asked.field), _signs(asked)
    larger = [at.sign(plain(gap)) > 0 for gap in gaps]
    if not any(larger):
        raise UnsupportedProblemError("no form in the proportions: both distributions are equal")
    share = (field.gamma - field.one) / (field.gamma + field.one)
    value = share * sum((gap for gap, is_larger in zip(gaps, larger, strict=True) if is_larger), field.zero)
    if at.sign(plain(value) - Basis(asked, active).value):
        raise ProofRefusedError("SymPy: the rows that have weight for CVXPY are not optimal at these numbers")
    signs = [plain(gap if is_larger else -gap) for gap, is_larger in zip(gaps, larger, strict=True)]
    low = field.one / (field.gamma + field.one)
    rows = [[field.gamma * low if is_larger == first else low for is_larger in larger] for first in (True, False)]
    how = "Kairouz, Oh and Viswanath (2016), theorem 6: the output is the sign of pi - q at the category"
    return _form(field, field.expression(value), signs, rows, how)


def _signs(asked: AskedRows) -> list[Any]:
    """Return the differences of the proportions and the other ones, whose signs are the outputs."""
    return [p - asked.field(number_of(q)) for p, q in zip(asked.pi, asked.own["against"], strict=True)]


def _form(field: Field, value: sp.Expr, conditions: Sequence[Sum], rows: Sequence[Sequence[Any]], how: str) -> Form:
    """Return a form with its region, which is computed when it is first read."""

    def domain() -> Any:
        relations = {relation for one in conditions for relation in _relations(field, one)}
        own = [sp.Gt(gamma, 1), *(sp.Gt(p, 0) for p in field.symbols[1:]), sp.Lt(sp.Add(*field.symbols[1:]), 1)]
        return sp.And(*own, *sorted(relations, key=str))

    mechanism = sp.ImmutableMatrix([[field.expression(x) for x in row] for row in rows])
    return Form(value, how, domain, mechanism, field.values, has_many_conditions=True)


def _relations(field: Field, condition: Sum) -> list[Any]:
    """Return ``condition >= 0`` without the factors that are positive for gamma > 1 and positive proportions.

    A sum with logarithms or roots stays as it is.
    """
    if not condition:
        return []
    if not condition.is_rational:
        return [sp.Ge(expression_of(field, condition), 0)]
    left = sp.Integer(1)
    numerator, denominator = sp.fraction(field.expression(condition.parts[ONE]))
    constant, factors = sp.factor_list(numerator * denominator)
    for factor, power in factors:
        if power % 2:
            sign = _sign(field, factor)
            left *= factor if sign is None else sign
    left = sp.expand(left * sp.sign(constant))
    return [] if left == 1 else [sp.Ge(left, 0)]


def _sign(field: Field, factor: sp.Expr) -> int | None:
    """Return the sign of a polynomial whose coefficients in positive variables have one sign; else None."""
    free = sp.symbols(f"t_0:{len(field.symbols)}", positive=True)
    ratios = [t / (1 + sum(free[1:])) for t in free[1:]]
    values = {gamma: 1 + free[0], **dict(zip(field.symbols[1:], ratios, strict=True))}
    signs = {sp.sign(c) for c in sp.Poly(sp.numer(sp.together(factor.xreplace(values))), *free).coeffs()}
    return int(signs.pop()) if len(signs) == 1 else None


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
        self.asked, self.rows = asked, list(rows)
        self.field, self.pi = _field_of(asked.field.values[gamma], asked.population)
        self.targets = [[self.field(x) for x in line] for line in asked.targets]
        self._solve([self._entries(row) for row in rows])

    def _solve(self, S: list[list[Any]]) -> None:
        """Solve for the weights, G and the prices of the rows with weight."""
        k = self.asked.k
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
        rows = [[w * x for x in self._entries(row)] for w, row in zip(self.weights, self.rows, strict=True)]
        how = f"KKT conditions of {with_noun(len(self.rows), 'row')}, proved by weak duality exactly on the domain"
        conditions = [plain(one) for one in self.conditions()]
        return _form(self.field, self.field.expression(self.value()), conditions, rows, how)


class _Merged(_Basis):
    """The solution for a set of categories and its complement: that of two categories, shared out by proportions."""

    def _solve(self, S: list[list[Any]]) -> None:
        sides = [[j for j, n in enumerate(row) if n] for row in self.rows]
        lines = self.targets
        zero, one = self.field.zero, self.field.one
        shares = [self._sum(self.pi[j] for j in side) for side in sides]
        reduced = [[s[side[0]] for side in sides] for s in S]
        means = [self._dot(s, shares) for s in reduced]
        self.weights = self.field.solved([list(column) for column in zip(*reduced, strict=True)], [one] * 2)
        M = [
            [
                self._sum(w * s[i] * s[j] / m for w, s, m in zip(self.weights, reduced, means, strict=True))
                for j in (0, 1)
            ]
            for i in (0, 1)
        ]
        G = self.field.all_solved(M, [[line[side[0]] for line in lines] for side in sides])
        squares = [self._sum(self._dot(column, s) ** 2 for column in zip(*G, strict=True)) for s in reduced]
        prices = self.field.solved(reduced, [x / m for x, m in zip(squares, means, strict=True)])
        self.G, self.prices = [[zero] * len(lines) for _ in self.pi], [zero] * len(self.pi)
        for side, share, g, y in zip(sides, shares, G, prices, strict=True):
            for j in side:
                self.G[j] = [x * self.pi[j] / share for x in g]
                self.prices[j] = y * self.pi[j] / share
