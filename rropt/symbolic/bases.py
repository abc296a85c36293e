"""Closed forms from the basis of rows that is optimal at one level, with the domain on which it stays optimal.

One level, delta = 0. A mechanism is a sum of rows ``w_S S`` with S in {1, gamma}^k (Kairouz, Oh and Viswanath, JMLR 17
(2016), theorem 4), and an objective that is a sum over the outputs is linear in the weights:

    maximize sum_S w_S phi(S),   sum_S w_S S = 1,   w >= 0.

At the level of the problem a basis B of k rows is optimal (a linear program in floats proposes it). In symbols,
``w = B^-1 1``, the value is ``phi_B w``, and the dual solution is ``y = B^-T phi_B``. By duality the basis is optimal
at each gamma where ``w >= 0`` and ``y.S >= phi(S)`` for every row S. These are functions of gamma; their sign changes
bound the domain. The roots of rational functions are exact. Other sign changes are sought on a grid, up to ``FARTHEST``
and down to ``NEAREST``, and refined to 40 digits.

A weight of a degenerate basis is 0 at all levels, and its dual solution is one of several. Then the basis that is
optimal just beyond an end of the domain may have the same value: both domains are joined.

A design that maximizes a concave function of the Fisher information M is treated in the same way if it has exactly k
rows, because w is then determined by the rows: phi is the derivative of the objective in the direction of a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import mpmath
import sympy as sp

from rropt.core.lazy import numpy as np
from rropt.designs.problem import Problem
from rropt.symbolic import symbols
from rropt.symbolic.posing import Form
from rropt.symbolic.symbols import exacts, gamma

MOST_CATEGORIES = 5
"""Largest k whose 2^k rows are treated in symbols: a second or two."""

NEAREST, FARTHEST = 1.001, 10_000.0
"""The ends of the grid of gamma on which sign changes of logarithms and roots are sought."""

_STEP = 0.02  # of the grid, in log gamma near the level; wider farther away
_DIGITS = 40
_ROUNDING = mpmath.mpf(10) ** -25  # conditions that are equalities at all levels are 0 up to this
_PERTURBED = 1e-5  # of the right side of the linear program, or a slack variable stays in the basis
_MOST_JOINED = 6

Term = Callable[[Sequence[sp.Expr], Sequence[sp.Expr]], sp.Expr]
Bits = tuple[int, ...]


@dataclass(frozen=True)
class Basis:
    """A basis in symbols.

    Attributes:
        rows: the categories with entry gamma of each row, as bits.
        weights: w.
        value: the value of the objective.
        conditions: the functions of gamma that are nonnegative where the basis is optimal.
    """

    rows: tuple[Bits, ...]
    weights: tuple[sp.Expr, ...]
    value: sp.Expr
    conditions: tuple[sp.Expr, ...]

    @property
    def mechanism(self) -> sp.ImmutableMatrix:
        """P: the rows that have weight, multiplied by it."""
        pairs = [(w, bits) for w, bits in zip(self.weights, self.rows, strict=True) if w != 0]
        return sp.ImmutableMatrix([[sp.factor(w * x) for x in row_of(bits)] for w, bits in pairs])


def row_of(bits: Bits) -> list[sp.Expr]:
    """Return the row S in symbols."""
    return [gamma if bit else sp.Integer(1) for bit in bits]


def all_rows(k: int) -> list[Bits]:
    """Return all rows up to scale: the constant row is written with zeros only."""
    return [bits for bits in product((0, 1), repeat=k) if not all(bits)]


def solved(rows: Sequence[Bits]) -> tuple[sp.Matrix, tuple[sp.Expr, ...]] | None:
    """Return ``B^-1`` and the weights ``w = B^-1 1`` of k rows, B with the rows as columns; None if B is singular."""
    from sympy.polys.matrices import DomainMatrix
    from sympy.polys.matrices.exceptions import DMNonInvertibleMatrixError

    columns = sp.Matrix([row_of(bits) for bits in rows]).T
    try:
        inverse = DomainMatrix.from_Matrix(columns).to_field().inv().to_Matrix()
    except DMNonInvertibleMatrixError:
        return None
    return inverse, tuple(sp.factor(sum(inverse[i, :])) for i in range(len(rows)))


def form_of_sum(problem: Problem, term: Term) -> Form | str:
    """Return the form of an objective that is a sum over the outputs, with its domain; or why there is none.

    Args:
        problem: the problem.
        term: phi of a row at the distribution of the categories, in symbols.
    """
    k, region = problem.region.inputs, problem.region
    if region.form != "parity" or region.outputs:
        return "the form of a basis needs one level with delta = 0 and any number of outputs"
    if k > MOST_CATEGORIES:
        return f"the form of a basis would have 2^{k} conditions: at most {MOST_CATEGORIES} categories are tried"
    population = exacts(problem.population)
    functions = {bits: term(row_of(bits), population) for bits in all_rows(k)}
    at = symbols.gamma_of(region.one_level().epsilon)
    if at == 1:
        return "every mechanism of this level has the value 0"
    sign = 1 if problem.objective.sense == "maximise" else -1
    found = _optimal(functions, at, sign)
    if found is None:
        return "no basis of k rows was found at this level"
    low, high = domain_of(found.conditions, at)
    for side in (0, 1):  # join the domains of neighbouring bases with the same value
        for _ in range(_MOST_JOINED):
            end = (low, high)[side]
            if end is None:
                break
            beyond = sp.Rational(float(end) * (1.01 if side else 0.99)).limit_denominator(10**4)
            more = _optimal(functions, beyond, sign) if beyond > 1 else None
            if more is None or not _is_same(found, more, beyond):
                break
            ends = domain_of([*more.conditions, *found.weights], beyond)
            if ends[side] == end:
                break
            low, high = (low, ends[1]) if side else (ends[0], high)
    return Form(
        found.value,
        "Kairouz, Oh and Viswanath (2016), theorem 4: k staircase rows are optimal; these by duality on the domain",
        interval(low, high),
        found.mechanism,
        {gamma: at},
    )


def _is_same(one: Basis, other: Basis, at: sp.Rational) -> bool:
    """Return whether two bases have the same value at and around a level, to 30 digits."""
    near = (at, at * sp.Rational(1001, 1000), at * sp.Rational(10007, 10000))
    return all(abs(sp.N((one.value - other.value).subs(gamma, g), 40)) < sp.Float(10) ** -30 for g in near)


def _optimal(functions: dict[Bits, sp.Expr], at: sp.Expr, sign: int) -> Basis | None:
    """Return the basis that is optimal at a level, in symbols."""
    from scipy.optimize import linprog

    listed, k = list(functions), len(next(iter(functions)))
    level = float(at)
    rows = np.array([[level if bit else 1.0 for bit in bits] for bits in listed])
    costs = np.array([float(sp.N(each.xreplace({gamma: at}), 30)) for each in functions.values()])
    size = float(abs(costs).max()) or 1.0
    right = 1 + _PERTURBED * np.random.default_rng(4).random(k)
    found = linprog(-sign * costs / size, A_eq=rows.T, b_eq=right, method="highs-ds")
    if found.x is None:
        return None
    support = tuple(bits for bits, w in zip(listed, found.x, strict=True) if w > 1e-12)
    pair = solved(support) if len(support) == k else None
    if pair is None:
        return None
    inverse, weights = pair
    own = sp.Matrix([functions[bits] for bits in support])
    dual = inverse.T * own
    value = sum(w * each for w, each in zip(weights, own, strict=True))
    slacks = [
        sign * (sum(y * x for y, x in zip(dual, row_of(bits), strict=True)) - each)
        for bits, each in functions.items()
        if bits not in support
    ]
    return Basis(support, weights, value, (*weights, *slacks))


def interval(low: sp.Expr | None, high: sp.Expr | None) -> Any:
    """Return the relation ``low <= gamma <= high``; without a lower end gamma is above 1."""
    lower = sp.Gt(gamma, 1) if low is None else sp.Ge(gamma, low)
    return lower if high is None else sp.And(lower, sp.Le(gamma, high))


def domain_of(conditions: Iterable[sp.Expr], at: sp.Expr) -> tuple[sp.Expr | None, sp.Expr | None]:
    """Return the ends of the largest interval around a level on which no condition is negative.

    None stands for an end at 1, or for no upper end.
    """
    low, high = None, None
    others = []
    for condition in conditions:
        if not condition.has(gamma):
            continue
        if condition.is_rational_function(gamma):
            ends = _ends_of_rational(condition, at)
            low = ends[0] if low is None or (ends[0] is not None and float(ends[0]) > float(low)) else low
            high = ends[1] if high is None or (ends[1] is not None and float(ends[1]) < float(high)) else high
        else:
            others.append(condition)
    if others:
        low, high = _ends_of_others(others, at, low, high)
    return low, high


def _ends_of_rational(condition: sp.Expr, at: sp.Expr) -> tuple[sp.Expr | None, sp.Expr | None]:
    """Return the nearest exact roots below and above a level at which a rational function changes its sign."""
    numerator, _ = sp.fraction(sp.cancel(condition))
    if not numerator.has(gamma):
        return None, None
    roots: dict[sp.Expr, int] = {}
    for root in sp.Poly(numerator, gamma).real_roots(radicals=True):
        roots[root] = roots.get(root, 0) + 1
    low, high = None, None
    for root, times in roots.items():
        if times % 2 and symbols.sign_of(root - 1) > 0:
            side = symbols.sign_of(root - at)
            if side < 0 and (low is None or float(root) > float(low)):
                low = root
            elif side > 0 and (high is None or float(root) < float(high)):
                high = root
    return low, high


def _ends_of_others(
    conditions: list[sp.Expr], at: sp.Expr, low: sp.Expr | None, high: sp.Expr | None
) -> tuple[sp.Expr | None, sp.Expr | None]:
    """Return the ends within (low, high) at which one of the conditions becomes negative, to 40 digits."""
    functions = [sp.lambdify(gamma, each, "mpmath") for each in conditions]
    with mpmath.workdps(_DIGITS):

        def is_good(t: Any) -> bool:
            return all(mpmath.re(each(mpmath.exp(t))) >= -_ROUNDING for each in functions)

        start = mpmath.mpf(str(sp.N(sp.log(at), _DIGITS)))
        ends = []
        for sign, known, farthest in ((-1, low, NEAREST), (1, high, FARTHEST)):
            stop = mpmath.log(mpmath.mpf(farthest if known is None else str(sp.N(known, _DIGITS))))
            t, step, found = start, mpmath.mpf(_STEP), known
            while (stop - t) * sign > 0:
                new = t + sign * step
                new = new if (stop - new) * sign > 0 else stop
                if not is_good(new):
                    good, bad = t, new
                    for _ in range(130):  # 2^-130: 39 digits
                        middle = (good + bad) / 2
                        good, bad = (middle, bad) if is_good(middle) else (good, middle)
                    found = sp.Float(str(mpmath.exp(good)), _DIGITS)
                    break
                t, step = new, step * mpmath.mpf("1.2")
            ends.append(found)
    if ends[1] is None:
        ends[1] = sp.Integer(int(FARTHEST)) if float(at) < FARTHEST else None
    if ends[0] is None and float(at) > NEAREST:
        ends[0] = sp.Rational(str(NEAREST))
    return ends[0], ends[1]
