"""Closed forms of designs of the Fisher information: the KKT system of an active set, solved in gamma and delta.

From a solver comes only which rows S have weight and which pairs (j, l) are tight (``Guess``). The weights solve

    sum_S w_S S = 1,   sum_S w_S (S_j - gamma S_l)+ = delta for the tight pairs.

If these equations determine them (or with the further one that numerically equal weights are equal), so do
``M = sum_S w_S S S^T/(S.pi)``, the prices G of the information, and prices y and z from equality in (1) of
``enclosures`` on the rows with weight. Weak duality, the inequality of that module, then proves that the design is
optimal where every *condition* is nonnegative: weights, z, slacks of the other pairs, and (1) for the other rows.

* A, c, contrasts: ``M G = C^T``; D: ``G G^T = M^-1``.
* E, all eigenvalues equal, with T the differences to the last category: ``T M T^T = mu T T^T`` is linear in (w, mu),
  and the prices X of the information are a positive semidefinite matrix: the coefficients of its characteristic
  polynomial alternate in sign, which is a condition too.
* E, a simple eigenvalue that is a rational function: ``G`` is its eigenvector. That it is the largest one is the
  condition that the coefficients of the characteristic polynomial of ``lambda I - Cov`` alternate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from typing import Any, Literal

import sympy as sp
from flint import arb, ctx, fmpq

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Delta, Epsilon, rational
from rropt.core.results import twin_work
from rropt.core.results.guesses import Exponents, Guess
from rropt.core.visible import with_noun
from rropt.symbolic import symbols
from rropt.symbolic.fields import Field, NoVertexError, interval
from rropt.symbolic.posing import Form
from rropt.symbolic.rows import edges, is_edge, staircase_rows

Kind = Literal["covariance", "determinant", "eigenvalue"]
Pair = tuple[int, int]

_KINDS: dict[str, Kind] = {
    "a-optimal": "covariance",
    "c-optimal": "covariance",
    "contrasts": "covariance",
    "d-optimal": "determinant",
    "e-optimal": "eigenvalue",
}
_SUPPORTS = (1e-5, 1e-4, 1e-6, 1e-3, 1e-7)  # least weight of an active row, relative to the largest
_EQUAL = 1e-5  # relative distance of weights that are numerically equal
_DIFFERENT = 1e-3  # of weights, relative to the largest: solvers of floats leave at most 1e-6 after Newton's method
_BITS = 256  # of the intervals in which slacks have a sign; where one contains 0, the slack in symbols has it
_NEAR = 1e-5  # relative distance of the eigenvalue from the one of the floats
MOST_CATEGORIES = {"one level": 5, "delta": 3}
"""Beyond them the solution in symbols takes longer than two seconds: k = 4 with delta takes ten."""
AT_LEVEL = {"one level": 8, "delta": 5}
"""The same for a solution in fractions, at a rational level alone."""


class NoFormError(Exception):
    """An active set has no form; the text says why. It is never an answer about the design itself.

    Attributes:
        is_alarm: whether the equations determine everything, and yet the proof fails: then the floats or the symbols
            are wrong.
    """

    is_alarm = False


@dataclass(frozen=True)
class Asked:
    """A problem with one distribution in exact numbers.

    Attributes:
        kind: the criterion.
        targets: C; the identity for D and E.
        population: pi.
        field: the rational functions, with the level; QQ for a solution at the level alone.
        values: gamma, and delta if it is positive, at the level.
    """

    kind: Kind
    targets: tuple[tuple[Fraction, ...], ...]
    population: tuple[Fraction, ...]
    field: Field
    values: Mapping[sp.Symbol, sp.Expr]

    @property
    def k(self) -> int:
        """The number of categories."""
        return len(self.population)

    @property
    def has_delta(self) -> bool:
        """Whether delta is positive."""
        return len(self.values) > 1

    @property
    def gamma(self) -> Any:
        """Gamma as an element of the field."""
        return self.field.gamma

    @property
    def delta(self) -> Any:
        """Delta as an element of the field: a symbol, a number at the level alone, or 0."""
        if not self.has_delta:
            return self.field.zero
        return self.field(symbols.delta if symbols.delta in self.field.symbols else self.values[symbols.delta])

    @property
    def is_at_level(self) -> bool:
        """Whether the solution is for the level alone."""
        return not self.field.symbols

    @classmethod
    def read(cls, data: dict[str, Any]) -> Asked:
        """Read a problem from its JSON.

        Raises:
            UnsupportedProblemError: it is of another kind, or too large.
        """
        region, objective, given = data["region"], data["objective"], data["population"]
        if region["kind"] == "privacy-levels":
            raise UnsupportedProblemError("no closed form is derived under several levels, or for a metric")
        if objective["kind"] not in _KINDS or region["kind"] != "differential-privacy" or region["outputs"] != "any":
            raise UnsupportedProblemError("no closed form: it is no criterion of the information at one level")
        k = int(region["inputs"])
        epsilon, slack = Epsilon.from_dict(region["epsilon"]), Delta.from_dict(region["delta"])
        size = "one level" if slack.rational == 0 else "delta"
        is_rational = None not in (epsilon.gamma, slack.rational)
        if k > (AT_LEVEL if is_rational else MOST_CATEGORIES)[size]:
            raise UnsupportedProblemError(f"no closed form is derived for k = {k} categories, which takes too long")
        if isinstance(given, dict) and "uniform" not in given:
            raise UnsupportedProblemError("the worst case over a polytope has no closed form")
        population = (Fraction(1, k),) * k if isinstance(given, dict) else tuple(rational(p) for p in given)
        if slack.rational != 0 and not all(population):  # a row may have the probability 0, and (1) says nothing of it
            raise UnsupportedProblemError("no closed form is derived for a category of proportion 0 with delta > 0")
        lines = objective.get("contrasts") or ([objective["contrast"]] if "contrast" in objective else None)
        if lines is None:
            lines = [[int(i == j) for j in range(k)] for i in range(k)]
        targets = tuple(tuple(rational(x) for x in line) for line in lines)
        values = {symbols.gamma: symbols.gamma_of(epsilon)}
        if slack.rational != 0:
            values[symbols.delta] = symbols.delta_of(slack)
        field = Field(values) if k <= MOST_CATEGORIES[size] else Field({}, values[symbols.gamma])
        return cls(_KINDS[objective["kind"]], targets, population, field, values)


@dataclass
class Solved:
    """The KKT solution of an active set, as elements of the field.

    Attributes:
        asked: the problem.
        rows, tight: the active set.
        weights: w by row.
        directions: the columns of G of sums of variances; for D and E empty.
        square: the matrix of the quadratic form ``|G^T r|^2``, shape (k, k).
        prices: y.
        pair_prices: z by tight pair.
        value: the value; of D the determinant.
        extra: the coefficients that must not be negative for E.
        free: the number of unknowns, of weights and of prices, that the equations leave free.
        is_equal: whether all eigenvalues of n Cov are equal, for E.
    """

    asked: Asked
    rows: list[Exponents]
    tight: list[Pair]
    weights: list[Any]
    directions: list[list[Any]]
    square: list[list[Any]]
    prices: list[Any]
    pair_prices: list[Any]
    value: Any
    extra: list[Any]
    free: tuple[int, int] = (0, 0)
    is_equal: bool = False

    @cached_property
    def at_delta(self) -> Solved:
        """The same solution as functions of gamma alone, at a rational delta; else itself."""
        own = self.asked
        slack = own.values.get(symbols.delta)
        if slack is None or symbols.delta not in own.field.symbols or not slack.is_Rational:
            return self

        def lists(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
            return [[own.field.at_last(x, slack) for x in row] for row in rows]

        weights, prices, pair_prices, extra = lists([self.weights, self.prices, self.pair_prices, self.extra])
        return Solved(
            replace(own, field=Field({symbols.gamma: own.values[symbols.gamma]})),
            self.rows,
            self.tight,
            weights,
            lists(self.directions),
            lists(self.square),
            prices,
            pair_prices,
            own.field.at_last(self.value, slack),
            extra,
            self.free,
            self.is_equal,
        )

    @cached_property
    def conditions(self) -> list[Any]:
        """What must not be negative, without what is so everywhere: weights, z, slacks, ``extra``, other rows."""
        known = set(self.rows)
        others = [self.slack_of(row) for row in self.all_rows() if row not in known]
        return [one for one in (*self.weights, *self.pair_prices, *self.extra, *self._slacks(), *others) if one]

    def slack_of(self, row: Exponents) -> Any:
        """Return ``(y.r + sum z (r_j - gamma r_l)+)(r.pi) - |G^T r|^2``."""
        field = self.asked.field
        r = entries(field, row)
        mean = _dot(field, r, [field(p) for p in self.asked.population])
        paid = _dot(field, self.prices, r)
        for pair, z in zip(self.tight, self.pair_prices, strict=True):
            paid += z * excess(field, row, pair)
        return paid * mean - _form(field, self.square, r)

    def refused(self) -> str:
        """Return why the active set is not optimal at the level; empty if it is proved to be.

        Equations are proved in the field, so that they hold at every level; inequalities at the level.
        """
        field = self.asked.field
        if any(self.slack_of(row) for row in self.rows):
            return "the prices are no equality on the active rows"
        paid = sum(self.prices, field.zero) + self.asked.delta * sum(self.pair_prices, field.zero)
        if paid - self._due() or not self._is_dual_value(paid):
            return "the primal value is not the dual one"
        given = [*self.weights, *self.pair_prices, *self.extra, *self._slacks()]
        bad = sum(field.sign(one) < 0 for one in given)
        others = [row for row in self.all_rows() if row not in set(self.rows)]
        at = self._at_level()
        if at is None:
            bad += sum(self._sign_of_slack(row) < 0 for row in others)
        else:
            bad += sum(at.slack(row) < 0 for row in others)
        return f"{bad} of {with_noun(len(given) + len(others), 'condition')} fail" if bad else ""

    def _sign_of_slack(self, row: Exponents) -> int:
        """Return the sign of the slack of a row at an irrational level: by an interval, else in symbols."""
        near = self._near
        if near is not None:
            value = near.slack(row)
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
        return self.asked.field.sign(self.slack_of(row))

    @cached_property
    def _near(self) -> _Near | None:
        """The prices at the level in intervals; None if one is not bounded."""
        field = self.asked.field
        square, prices = [[field.ball(x, _BITS) for x in line] for line in self.square], self._balls(self.prices)
        z = self._balls(self.pair_prices)
        gamma = field.ball(self.asked.gamma, _BITS)
        if None in (gamma, *prices, *z, *(x for line in square for x in line)):
            return None
        return _Near(gamma, self.asked.population, square, prices, dict(zip(self.tight, z, strict=True)))

    def _balls(self, elements: Sequence[Any]) -> list[Any]:
        return [self.asked.field.ball(each, _BITS) for each in elements]

    def _is_dual_value(self, paid: Any) -> bool:
        """Return whether the bound that the prices prove (``enclosures``) is the value of the weights."""
        own, field = self.asked, self.asked.field
        if own.kind == "determinant":
            return bool(paid == own.k and field.determinant(self.square) * self.value == field.one)
        if own.kind == "eigenvalue":
            has_sums = any(sum(line, field.zero) for line in self.square)
            return not has_sums and self.value * paid == sum((self.square[i][i] for i in range(own.k)), field.zero)
        squares = sum(sum(x * p for x, p in zip(line, own.population, strict=True)) ** 2 for line in own.targets)
        whole = sum(
            (_dot(field, [field(x) for x in line], g) for line, g in zip(own.targets, self.directions, strict=True)),
            field.zero,
        )
        return bool(2 * whole - paid - field(squares) == self.value)

    def all_rows(self) -> Sequence[Exponents]:
        """Return the rows that suffice."""
        return edges(self.asked.k) if self.asked.has_delta else staircase_rows(self.asked.k)

    def _slacks(self) -> list[Any]:
        """Return what the pairs that are not tight leave of delta."""
        own, field, found = self.asked, self.asked.field, []
        for pair in permutations(range(own.k), 2) if own.has_delta else ():
            if pair not in self.tight:
                use = (w * excess(field, row, pair) for w, row in zip(self.weights, self.rows, strict=True))
                found.append(own.delta - sum(use, field.zero))
        return found

    def _at_level(self) -> _AtLevel | None:
        """Return the prices at the level in fractions; None if it is irrational."""
        field = self.asked.field
        gamma = field.fraction(self.asked.gamma)
        if gamma is None:
            return None

        def values(elements: Sequence[Any]) -> list[Any]:
            return [field.fraction(one) for one in elements]

        z = dict(zip(self.tight, values(self.pair_prices), strict=True))
        return _AtLevel(gamma, self.asked.population, [values(line) for line in self.square], values(self.prices), z)

    def _due(self) -> Any:
        """Return what the information is worth at the prices: ``tr G^T M G``, which must be paid exactly."""
        field, own = self.asked.field, self.asked
        total = field.zero
        for w, row in zip(self.weights, self.rows, strict=True):
            r = entries(field, row)
            mean = _dot(field, r, [field(p) for p in own.population])
            total += w * _form(field, self.square, r) / mean
        return total

    def differs_from(self, guessed: Sequence[float]) -> bool:
        """Return whether weights that the equations determine are other ones than the solver found."""
        if self.free[0]:
            return False
        field = self.asked.field
        own = [float(field.at(w)) for w in self.weights]
        return any(abs(a - b) > _DIFFERENT * max(guessed) for a, b in zip(own, guessed, strict=True))

    def mechanism(self) -> sp.ImmutableMatrix:
        """Return the optimal mechanism: the rows with weight."""
        field = self.asked.field
        return sp.ImmutableMatrix(
            [
                [field.expression(w * x) for x in entries(field, row)]
                for w, row in zip(self.weights, self.rows, strict=True)
                if w
            ]
        )

    def value_expression(self) -> sp.Expr:
        """Return the value as an expression; of D the logarithm of the determinant."""
        found = self.asked.field.expression(self.value)
        if self.asked.kind != "determinant":
            return found
        # SymPy takes milliseconds to find out that it cannot evaluate a logarithm of a long quotient
        return sp.log(found, evaluate=found.is_number)

    def domain(self) -> Any:
        """Return the interval of gamma on which every condition stays nonnegative, at this delta, as a relation."""
        return self._domain

    @cached_property
    def _domain(self) -> Any:
        field = self.asked.field
        if self.asked.is_at_level:
            return sp.And(*(sp.Eq(symbol, value) for symbol, value in self.asked.values.items()))
        at_delta = self.at_delta
        domain = interval(at_delta.asked.field, at_delta.conditions)
        whole = sp.Ge(symbols.gamma, 1)
        if field.values[symbols.gamma] != 1:  # without delta no design exists there
            domain = sp.And(*(sp.Gt(*one.args) if one == whole else one for one in sp.And.make_args(domain)))
        if self.asked.has_delta:
            domain = sp.And(domain, sp.Eq(symbols.delta, field.values[symbols.delta]))
        return domain

    def form(self) -> Form:
        """Return the form; its domain, where every condition keeps its sign, is computed when it is first read."""
        how = f"KKT conditions of {with_noun(len(self.rows), 'row')}"
        if self.tight:
            how += f" and {with_noun(len(self.tight), 'tight pair')}"
        how += f", proved by weak duality {'at this level' if self.asked.is_at_level else 'at least on the domain'}"
        own = self.asked
        domain = self.domain() if own.is_at_level else self.domain
        is_long = own.k == MOST_CATEGORIES["one level"]
        return Form(self.value_expression(), how, domain, self.mechanism(), own.values, has_many_conditions=is_long)


@dataclass(frozen=True)
class _Near:
    """Prices at an irrational level, in intervals."""

    gamma: arb
    population: Sequence[Fraction]
    square: list[list[arb]]
    prices: list[arb]
    pair_prices: dict[Pair, arb]

    def slack(self, row: Exponents) -> arb:
        """Return an interval that contains ``(y.r + sum z (r_j - gamma r_l)+)(r.pi) - |G^T r|^2``."""
        with ctx.workprec(_BITS):
            zero = arb(0)
            r = [zero if power is None else self.gamma**power for power in row]
            paid = sum((y * x for y, x in zip(self.prices, r, strict=True)), zero)
            for pair, z in self.pair_prices.items():
                own, other = (row[place] for place in pair)
                if own is not None and (other is None or own > other + 1):  # else there is no excess
                    paid += z * (r[pair[0]] - (zero if other is None else self.gamma * r[pair[1]]))
            shares = (arb(fmpq(p.numerator, p.denominator)) for p in self.population)
            mean = sum((p * x for p, x in zip(shares, r, strict=True)), zero)
            lines = zip(self.square, r, strict=True)
            return paid * mean - sum((a * x * y for line, y in lines for a, x in zip(line, r, strict=True)), zero)


@dataclass(frozen=True)
class _AtLevel:
    """Prices at a rational level."""

    gamma: Fraction
    population: Sequence[Fraction]
    square: list[list[Fraction]]
    prices: list[Fraction]
    pair_prices: dict[Pair, Fraction]

    def slack(self, row: Exponents) -> Fraction:
        """Return ``(y.r + sum z (r_j - gamma r_l)+)(r.pi) - |G^T r|^2``."""
        zero = Fraction(0)
        r = [zero if power is None else self.gamma**power for power in row]
        paid = sum((y * x for y, x in zip(self.prices, r, strict=True)), zero)
        paid += sum((z * max(zero, r[j] - self.gamma * r[other]) for (j, other), z in self.pair_prices.items()), zero)
        along = [sum((a * x for a, x in zip(line, r, strict=True)), zero) for line in self.square]
        mean = sum((p * x for p, x in zip(self.population, r, strict=True)), zero)
        return paid * mean - sum((a * x for a, x in zip(along, r, strict=True)), zero)


def solved(data: dict[str, Any], guess: Guess) -> Solved:
    """Return the KKT solution that is proved optimal at the level of a problem.

    Args:
        data: the problem as JSON.
        guess: the floats that give the active set.

    Raises:
        UnsupportedProblemError: the problem has no form of this kind.
        NoFormError: no active set was proved; the message says why for the first one.
    """
    asked = Asked.read(data)
    first, seen, is_alarm, unknowns = "", set(), False, 0
    for least in _SUPPORTS:
        rows, weights, tight = active(guess, asked, least)
        key = (tuple(rows), tuple(tight))
        if key in seen:
            continue
        seen.add(key)
        if not all(is_edge(row, has_delta=asked.has_delta) for row in rows):
            first, is_alarm = "the solver has weight on a row that is no edge of the cells", True
            break
        unknowns += (len(rows) + len(tight)) * len(asked.field.symbols)
        if first and twin_work.is_too_much("unknowns", unknowns):
            first += f"; more active sets are left out by default: {twin_work.ON_REQUEST}"
            break
        try:
            found = of_active(asked, rows, weights, tight, guess)
        except NoFormError as error:
            first = first or str(error)
            is_alarm |= least == _SUPPORTS[0] and error.is_alarm
            continue
        why = found.refused()
        if not why:
            return found
        is_alarm |= least == _SUPPORTS[0] and (found.free == (0, 0) or found.differs_from(weights))
        first = first or why
    refused = NoFormError(first)
    refused.is_alarm = is_alarm
    raise refused


def active(guess: Guess, asked: Asked, least: float) -> tuple[list[Exponents], list[float], list[Pair]]:
    """Return the rows with weight, their weights, and the tight pairs."""
    top = max(guess.weights)
    kept = [(row, w) for row, w in zip(guess.rows, guess.weights, strict=True) if w > least * top]
    tight = []
    if asked.has_delta:
        gamma, slack = (float(value) for value in asked.values.values())
        for pair, price in guess.pair_prices:
            j, other = pair
            used = sum(w * max(0.0, _float(row[j], gamma) - gamma * _float(row[other], gamma)) for row, w in kept)
            left = (slack - used) / slack
            if left < 10 * least and price > left * max(1e-300, max(x for _, x in guess.pair_prices)):
                tight.append((j, other))
    return [row for row, _ in kept], [w for _, w in kept], tight


def _float(power: int | None, gamma: float) -> float:
    return 0.0 if power is None else gamma**power


def of_active(asked: Asked, rows: list[Exponents], guessed: list[float], tight: list[Pair], guess: Guess) -> Solved:
    """Return the KKT solution of an active set, not yet proved.

    Raises:
        NoFormError: the equations do not determine it.
    """
    field, k = asked.field, asked.k
    S = [entries(field, row) for row in rows]
    X = [[*r, *(excess(field, row, pair) for pair in tight)] for r, row in zip(S, rows, strict=True)]
    sides = [field.one] * k + [asked.delta] * len(tight)
    means = [_dot(field, r, [field(p) for p in asked.population]) for r in S]
    weights, free = _weights(field, X, sides, guessed)
    if asked.kind == "eigenvalue" and (free or k > 2):
        try:
            return _equal_eigenvalues(asked, rows, tight, S, X, sides, means, guessed, guess)
        except NoFormError:
            if free:
                raise
    if free:
        raise NoFormError(f"{free} of {len(rows)} weights are free: the form is no rational function")
    parts = [w / mean for w, mean in zip(weights, means, strict=True)]
    M = [[field.summed((w, r[i] * r[j]) for w, r in zip(parts, S, strict=True)) for j in range(k)] for i in range(k)]
    extra: list[Any] = []
    columns: list[list[Any]] = []
    if asked.kind == "determinant":
        square = _inverse(field, M)
        value = field.determinant(M)
    elif asked.kind == "covariance":
        value, more = field.zero, 0
        for i, line in enumerate(asked.targets):
            target = [field(x) for x in line]
            found = field.solve(M, target, [row[i] for row in guess.directions])
            if found is None:
                raise NoFormError("the active rows do not identify what is estimated")
            columns.append(found[0])
            more = max(more, found[1])
            mean = field(sum(x * p for x, p in zip(line, asked.population, strict=True)))
            value += _dot(field, target, found[0]) - mean * mean
        free = more
        square = [[sum((g[i] * g[j] for g in columns), field.zero) for j in range(k)] for i in range(k)]
    else:
        square, value, extra = _simple_eigenvalue(asked, M, guess)
    due = [_form(field, square, r) / mean for r, mean in zip(S, means, strict=True)]
    prices = field.solve(X, due, _price_guess(guess, tight, asked, square))
    if prices is None:  # KKT's theorem has them, unless free unknowns of G were rounded to other ones
        refused = NoFormError("no prices are an equality on the active rows")
        refused.is_alarm = not free
        raise refused
    y = prices[0]
    return Solved(asked, rows, tight, weights, columns, square, y[:k], y[k:], value, extra, (free, prices[1]))


def _weights(field: Field, X: Any, sides: Any, guessed: Sequence[float]) -> tuple[list[Any], int]:
    """Return the weights and the number of free ones; weights that are numerically equal are set equal if it helps."""
    found = field.solve([list(line) for line in zip(*X, strict=True)], sides, guessed)
    if found is None:
        raise NoFormError("no weights of the active rows satisfy the conditions")
    if not found[1]:
        return found
    groups: list[list[int]] = []
    for i in sorted(range(len(guessed)), key=lambda i: -guessed[i]):
        if groups and abs(guessed[groups[-1][0]] - guessed[i]) < _EQUAL * max(guessed):
            groups[-1].append(i)
        else:
            groups.append([i])
    if len(groups) == len(guessed):
        return found
    merged = [[sum((X[i][c] for i in group), field.zero) for group in groups] for c in range(len(sides))]
    tied = field.solve(merged, sides, [guessed[group[0]] for group in groups])
    if tied is None or tied[1]:
        return found
    weights = [field.zero] * len(guessed)
    for w, group in zip(tied[0], groups, strict=True):
        for i in group:
            weights[i] = w
    return weights, 0


def _price_guess(guess: Guess, tight: Sequence[Pair], asked: Asked, square: Any) -> list[float]:
    """Return the prices of the floats, in the scale of the prices of the information in symbols."""
    z, field = dict(guess.pair_prices), asked.field
    scale = 1.0
    if asked.kind == "eigenvalue":
        trace = sum((square[i][i] for i in range(asked.k)), field.zero)
        scale = float(field.expression(trace).xreplace(field.values)) / sum(
            x * x for line in guess.directions for x in line
        )
    return [scale * x for x in (*guess.prices, *(z[pair] for pair in tight))]


def _inverse(field: Field, M: list[list[Any]]) -> list[list[Any]]:
    try:
        return field.inverse(M)
    except NoVertexError:
        raise NoFormError("the information of the active rows is singular") from None


def _equal_eigenvalues(
    asked: Asked, rows: Any, tight: Any, S: Any, X: Any, sides: Any, means: Any, guessed: Any, guess: Guess
) -> Solved:
    """Return the solution of E-optimality if all eigenvalues of n Cov are equal: ``T M T^T = mu T T^T``."""
    field, k = asked.field, asked.k
    T = [[r[i] - r[k - 1] for i in range(k - 1)] for r in S]
    places = [(i, j) for i in range(k - 1) for j in range(i, k - 1)]
    equations = [[*line, field.zero] for line in zip(*X, strict=True)]
    right = list(sides)
    for i, j in places:
        equations.append([t[i] * t[j] / mean for t, mean in zip(T, means, strict=True)])
        equations[-1].append(field(-2 if i == j else -1))
        right.append(field.zero)
    norm = sum(x * x for line in guess.directions for x in line)
    slack = float(asked.values.get(symbols.delta, 0))
    paid = sum(guess.prices) + slack * sum(x for _, x in guess.pair_prices)
    found = field.solve(equations, right, [*guessed, paid / norm])
    if found is None:
        raise NoFormError("the eigenvalues of n Cov are not all equal, and the largest one is no rational function")
    *weights, mu = found[0]
    if not mu:
        raise NoFormError("the information of the active rows is singular")
    # prices: sum_ij X_ij t_i t_j/(S.pi) = y.S + ... on the active rows, tr X T T^T = 1
    lines = [
        [*(t[i] * t[j] * field(1 if i == j else 2) / mean for i, j in places), *(-x for x in one)]
        for t, mean, one in zip(T, means, X, strict=True)
    ]
    lines.append([field(2)] * len(places) + [field.zero] * len(X[0]))
    near = [sum(a * b for a, b in zip(guess.directions[i], guess.directions[j], strict=True)) / norm for i, j in places]
    z = dict(guess.pair_prices)
    near += [x / norm for x in (*guess.prices, *(z[pair] for pair in tight))]
    prices = field.solve(lines, [field.zero] * len(S) + [field.one], near)
    if prices is None:
        raise NoFormError("no prices are an equality on the active rows")
    known = dict(zip(places, prices[0], strict=False))
    inner = [[known[min(i, j), max(i, j)] for j in range(k - 1)] for i in range(k - 1)]
    # |G^T r|^2 = t^T X t with t = r - r_k 1: bordered by the negative sums
    border = [-sum(line, field.zero) for line in inner]
    square = [[*line, b] for line, b in zip(inner, border, strict=True)]
    square.append([*border, -sum(border, field.zero)])
    extra = _alternating(field, inner)
    y = prices[0][len(places) :]
    return Solved(
        asked,
        rows,
        tight,
        weights,
        [],
        square,
        y[:k],
        y[k:],
        field.one / mu,
        extra,
        (found[1], prices[1]),
        is_equal=True,
    )


def _simple_eigenvalue(asked: Asked, M: list[list[Any]], guess: Guess) -> tuple[Any, Any, list[Any]]:
    """Return ``g g^T`` for the eigenvector g of the largest eigenvalue of n Cov, the eigenvalue, and its conditions."""
    field, k = asked.field, asked.k
    inverse, pi = _inverse(field, M), [field(p) for p in asked.population]
    V = [[inverse[i][j] - pi[i] * pi[j] for j in range(k)] for i in range(k)]
    if any(sum(line, field.zero) for line in V):  # M pi = 1 and Cov 1 = 0 hold for every mechanism
        refused = NoFormError("n Cov is not the covariance of proportions, which sum to 1")
        refused.is_alarm = True
        raise refused
    x = sp.Symbol("x")
    coefficients = field.matrix(V).charpoly()
    whole = sp.numer(sp.together(sum(field.domain.to_sympy(c) * x ** (k - i) for i, c in enumerate(coefficients))))
    slack = float(asked.values.get(symbols.delta, 0))
    norm = sum(a * a for line in guess.directions for a in line)
    top = norm / (sum(guess.prices) + slack * sum(z for _, z in guess.pair_prices))
    for factor, power in sp.Poly(whole, x, *field.symbols).factor_list()[1]:
        if factor.degree(x) != 1 or power != 1:
            continue
        line = sp.Poly(factor.as_expr(), x)
        root = -line.coeff_monomial(1) / line.coeff_monomial(x)
        if abs(float(root.xreplace(field.values)) - top) > _NEAR * (1 + abs(top)):
            continue
        value = field(root)
        shifted = [[(value if i == j else field.zero) - V[i][j] for j in range(k)] for i in range(k)]
        kernel = field.matrix(shifted).nullspace().to_list()
        if len(kernel) != 1:
            break
        g = kernel[0]
        return [[a * b for b in g] for a in g], value, _alternating(field, shifted)
    raise NoFormError("the largest eigenvalue of n Cov is no rational function")


def _alternating(field: Field, matrix: list[list[Any]]) -> list[Any]:
    """Return what is nonnegative iff a symmetric matrix is positive semidefinite."""
    return [c * (-1) ** i for i, c in enumerate(field.matrix(matrix).charpoly()) if i and c]


def entries(field: Field, row: Exponents) -> list[Any]:
    """Return the entries of a row as elements of the field."""
    gamma = field.gamma
    return [field.zero if power is None else gamma**power for power in row]


def excess(field: Field, row: Exponents, pair: Pair) -> Any:
    """Return ``max(0, r_j - gamma r_l)``, whose sign the exponents give."""
    own, other = row[pair[0]], row[pair[1]]
    if own is None:
        return field.zero
    if other is None:
        return field.gamma**own
    gamma = field.gamma
    return gamma**own - gamma ** (other + 1) if own > other + 1 else field.zero


def _dot(field: Field, one: Sequence[Any], other: Sequence[Any]) -> Any:
    return field.summed(zip(one, other, strict=True))


def _form(field: Field, square: Sequence[Sequence[Any]], r: Sequence[Any]) -> Any:
    """Return ``r^T square r`` of a symmetric matrix."""
    k = len(r)
    return field.summed((square[i][j], r[i] * r[j] * (1 + (i < j))) for i in range(k) for j in range(i, k))
