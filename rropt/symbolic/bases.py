"""Closed forms from the basis of rows that is optimal at one level, with the domain on which it stays optimal.

One level, delta = 0. A mechanism is a sum of rows ``w_S S`` with S in {1, gamma}^k (Kairouz, Oh and Viswanath, JMLR 17
(2016), theorem 4), and an objective that is a sum over the outputs is linear in the weights:

    maximize sum_S w_S phi(S),   sum_S w_S S = 1,   w >= 0.

At the level of the problem a basis B of k rows is optimal (the simplex method in 50 digits finds it). In symbols,
``w = B^-1 1``, the value is ``phi_B w``, and the dual solution is ``y = B^-T phi_B``. By duality the basis is optimal
at each gamma where ``w >= 0`` and ``y.S >= phi(S)`` for every row S. These are functions of gamma; their sign changes
bound the domain. The roots of rational functions are exact. Other sign changes are sought on a grid, up to ``FARTHEST``
and down to ``NEAREST``, and refined to 40 digits.

A weight of a degenerate basis is 0 at all levels, and its dual solution is one of several. Then the basis that is
optimal just beyond an end of the domain may have the same value: both domains are joined.

A design that maximizes a concave function of the Fisher information M is treated in the same way if it has exactly k
rows, because w is then determined by the rows: phi is the derivative of the objective in the direction of a row
(``of_randomized_response``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import mpmath
import sympy as sp
from sympy.polys.matrices import DomainMatrix
from sympy.polys.matrices.exceptions import DMNonInvertibleMatrixError

from rropt.designs.problem import Problem
from rropt.symbolic import symbols
from rropt.symbolic.posing import Form, factored
from rropt.symbolic.symbols import exacts, gamma

MOST_CATEGORIES = 5
"""Largest k whose 2^k rows are treated in symbols."""

NEAREST, FARTHEST = sp.Rational(101, 100), sp.Integer(10_000)
"""The ends of the grid of gamma on which sign changes of logarithms and roots are sought."""

_FIELD = sp.QQ.frac_field(gamma)
_GAMMA = _FIELD.from_sympy(gamma)
_STEP, _WIDER = 0.02, 1.2  # of the grid, in log gamma, next to the level, and the factor of the next step
_DIGITS = 40
_ROUNDING = mpmath.mpf(10) ** -25  # of conditions of size 1, that are equalities at all levels
_PERTURBED = mpmath.mpf("1e-5")
_MOST_STEPS = 200  # of the simplex method: five categories take at most some 20
_MOST_JOINED = 6

Term = Callable[[Sequence[sp.Expr], Sequence[sp.Expr]], sp.Expr]
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


@dataclass(frozen=True)
class _Sum:
    """A sum over outputs at one distribution of the categories.

    Attributes:
        functions: phi of each row, in symbols.
        sign: 1 if the sum is maximized, else -1.
    """

    functions: dict[Bits, sp.Expr]
    sign: int

    @cached_property
    def is_rational(self) -> bool:
        """Whether phi is a rational function of gamma for each row."""
        return all(each.is_rational_function(gamma) for each in self.functions.values())

    @cached_property
    def _rational(self) -> dict[Bits, Any]:
        return {bits: in_field(each) for bits, each in self.functions.items()}

    @cached_property
    def _numeric(self) -> Any:
        return sp.lambdify(gamma, list(self.functions.values()), "mpmath", cse=True)

    def optimal(self, at: sp.Expr) -> RowBasis | None:
        """Return a basis that is optimal at a level, by the simplex method in 50 digits.

        It starts from k-ary randomized response. The right side is moved by about 1e-5 times different numbers, so
        that no basic solution is degenerate; near gamma = 1, where the rows are nearly equal, by less.
        """
        listed, k = list(self.functions), len(next(iter(self.functions)))
        places = [listed.index(tuple(int(i == j) for j in range(k))) for i in range(k)]
        with mpmath.workdps(_DIGITS + 10):
            g = _number(at)
            phi = [self.sign * mpmath.re(x) for x in self._numeric(g)]
            rows = [[g if bit else mpmath.mpf(1) for bit in bits] for bits in listed]
            size = max(map(abs, phi)) or mpmath.mpf(1)
            moved = _PERTURBED * min(1, g - 1)
            right = mpmath.matrix([1 + moved / (j + mpmath.sqrt(2)) for j in range(k)])
            for _ in range(_MOST_STEPS):
                own = mpmath.matrix([rows[i] for i in places])
                dual = mpmath.lu_solve(own, mpmath.matrix([phi[i] for i in places]))
                gain, new = max(
                    (phi[i] - mpmath.fsum(y * x for y, x in zip(dual, rows[i], strict=True)), i)
                    for i in range(len(rows))
                )
                if gain <= size * _ROUNDING:
                    basis = RowBasis([listed[i] for i in places])
                    return basis if basis.is_feasible(at) else None
                weights = mpmath.lu_solve(own.T, right)
                change = mpmath.lu_solve(own.T, mpmath.matrix(rows[new]))
                ratios = [(weights[i] / change[i], i) for i in range(k) if change[i] > _ROUNDING]
                places[min(ratios)[1]] = new
        return None

    def value(self, basis: RowBasis) -> sp.Expr:
        """Return the value of a basis, in symbols."""
        pairs = [(w, bits) for w, bits in zip(basis.weights, basis.rows, strict=True) if w]
        if self.is_rational:
            return sum((w * self._rational[bits] for w, bits in pairs), _FIELD.zero).as_expr()
        return collected((w.as_expr(), self.functions[bits]) for w, bits in pairs)

    def domain(self, basis: RowBasis, at: sp.Expr, more: Sequence[Any] = ()) -> Ends:
        """Return the ends of the interval around a level on which a basis is optimal, and more is nonnegative."""
        if self.is_rational:
            return ends_of([*excesses(basis, self._rational, self.sign), *more], at)
        return self._searched(basis, at, ends_of([*basis.weights, *more], at))

    def _searched(self, basis: RowBasis, at: sp.Expr, known: Ends) -> Ends:
        """Return the ends at which ``y.S - phi(S)`` becomes negative for some S, within known ends, to 40 digits."""
        listed = list(self.functions)
        places = [listed.index(bits) for bits in basis.rows]
        others = [i for i in range(len(listed)) if i not in places]

        def least(t: Any) -> tuple[Any, int]:
            g = mpmath.exp(t)
            phi = [mpmath.re(x) for x in self._numeric(g)]
            columns = mpmath.matrix([[g if bit else mpmath.mpf(1) for bit in bits] for bits in basis.rows])
            dual = mpmath.lu_solve(columns, mpmath.matrix([phi[i] for i in places]))
            size = max(map(abs, phi)) or mpmath.mpf(1)

            def excess(i: int) -> Any:
                paid = mpmath.fsum(y * g if bit else y for y, bit in zip(dual, listed[i], strict=True))
                return self.sign * (paid - phi[i]) / size + _ROUNDING

            return min((excess(i), i) for i in others)

        ends: list[Any] = []
        with mpmath.workdps(_DIGITS + 10):
            start = mpmath.log(_number(at))
            for sign, bound, farthest in ((-1, known[0], NEAREST), (1, known[1], FARTHEST)):
                limit = farthest if bound is None else bound
                stop = mpmath.log(_number(limit))
                t, step, end = start, mpmath.mpf(_STEP), bound
                if (stop - start) * sign > 0:
                    end = limit
                while (stop - t) * sign > 0:
                    new = t + sign * step
                    new = new if (stop - new) * sign > 0 else stop
                    if least(new)[0] < 0:
                        end = _crossing(least, t, new)
                        break
                    t, step = new, step * mpmath.mpf(_WIDER)
                ends.append(end)
        return ends[0], ends[1]


def collected(pairs: Iterable[tuple[sp.Expr, sp.Expr]]) -> sp.Expr:
    """Return ``sum w phi`` with one factored coefficient for each logarithm or root, whose arguments are factored."""
    coefficients: dict[sp.Expr, sp.Expr] = {}
    names: dict[sp.Expr, sp.Symbol] = {}

    def named(irrational: sp.Expr) -> sp.Expr:
        return names.setdefault(irrational, sp.Dummy()) if irrational.has(gamma) else irrational

    def is_root(part: sp.Expr) -> bool:
        return bool(part.is_Pow and not part.exp.is_Integer)

    for weight, function in pairs:
        plain = function.replace(sp.log, lambda x: named(sp.log(sp.factor(x))))
        plain = plain.replace(is_root, lambda x: named(sp.Pow(sp.factor(x.base), x.exp)))
        for part in sp.Add.make_args(sp.expand(plain)):
            rest, hidden = part.as_independent(*names.values(), as_Add=False)
            irrational = hidden.xreplace({symbol: each for each, symbol in names.items()})
            if irrational.is_rational_function(gamma):  # the square of a root
                rest, irrational = rest * irrational, sp.Integer(1)
            coefficients[irrational] = coefficients.get(irrational, sp.Integer(0)) + weight * rest
    return sp.Add(*(sp.factor(each) * irrational for irrational, each in coefficients.items()))


def _crossing(least: Callable[[Any], tuple[Any, int]], good: Any, bad: Any) -> sp.Expr:
    """Return gamma between two points at which the least condition crosses 0, by regula falsi with bisection."""
    low, high = least(good)[0], least(bad)[0]
    for step in range(200):  # at most: each third step halves the interval, and two others may cut it to a thousandth
        if abs(bad - good) < mpmath.mpf(10) ** -_DIGITS:
            break
        middle = (good + bad) / 2 if step % 3 == 2 else good + (bad - good) * low / (low - high)
        edge = (bad - good) * mpmath.mpf("1e-3") if step % 3 else 0
        middle = min(max(middle, min(good, bad) + abs(edge)), max(good, bad) - abs(edge))
        value = least(middle)[0]
        if value < 0:
            bad, high = middle, value
        else:
            good, low = middle, value
    return sp.Float(str(mpmath.exp(good)), _DIGITS)


def _number(expression: sp.Expr) -> Any:
    """Return an exact number as a number of mpmath in its present precision."""
    return mpmath.mpf(str(sp.N(expression, mpmath.mp.dps + 5)))


def form_of_sum(problem: Problem, term: Term) -> Form | str:
    """Return the form of an objective that is a sum over the outputs, with its domain; or why there is none.

    Args:
        problem: the problem.
        term: phi of a row at the distribution of the categories, in symbols.
    """
    k, region = problem.region.inputs, problem.region
    if region.form != "parity" or region.outputs:
        return "no closed form for delta > 0, several levels, or a given number of outputs"
    if k > MOST_CATEGORIES:
        return f"no closed form for more than {MOST_CATEGORIES} categories"
    at = symbols.gamma_of(region.one_level().epsilon)
    if at == 1:
        return "no closed form: every mechanism of this level has the value 0"
    population = exacts(problem.population)
    functions = {bits: sp.sympify(term(row_of(bits), population)) for bits in all_rows(k)}
    whole = _Sum(functions, 1 if problem.objective.sense == "maximise" else -1)
    found = whole.optimal(at)
    if found is None:
        return "no closed form: no basis of k rows was found"
    value, (low, high) = whole.value(found), whole.domain(found, at)
    for side in (0, 1):  # join the domains of neighbouring bases with the same value
        for _ in range(_MOST_JOINED):
            end = (low, high)[side]
            if end is None or end in (NEAREST, FARTHEST):
                break
            beyond = sp.Rational(round(float(end) * (1.01 if side else 0.99), 6)).limit_denominator(10**6)
            more = whole.optimal(beyond) if beyond > NEAREST else None
            if more is None or not _is_same(value, whole.value(more), beyond):
                break
            ends = whole.domain(more, beyond, found.weights)
            if ends[side] == end:
                break
            low, high = (low, ends[1]) if side else (ends[0], high)
    return Form(
        value,
        "Kairouz, Oh and Viswanath (2016), theorem 4: k staircase rows are optimal; these by duality on the domain",
        interval(low, high),
        found.mechanism(),
        {gamma: at},
    )


def _is_same(one: sp.Expr, other: sp.Expr, at: sp.Rational) -> bool:
    """Return whether two values agree at a level and near it, to 30 digits."""
    # two more points, off any simple ratio: this is no proof, but no two different values are known that agree at all
    # three
    near = (at, at * sp.Rational(1001, 1000), at * sp.Rational(10007, 10000))
    return all(abs(sp.N((one - other).xreplace({gamma: g}), 15, maxn=60)) < sp.Float(10) ** -30 for g in near)


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
