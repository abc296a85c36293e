"""The least largest variance of reports of a range of numbers in symbols: both closed forms, derived from integrals.

Each integral is an antiderivative that is differentiated again. The first form is the variance of a random threshold
with two reports; the second is the largest of the lower bounds that the densities on [-s, s] give, over s. The page
docs/explanation/numbers.md has the proofs that no report is better, and that one attains the second form.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import sympy as sp

from rropt.core.errors import RouteDisagreementError
from rropt.core.exact.display import decimal_text
from rropt.core.results.twins import INSIDE, Twin
from rropt.symbolic.posing import Form, Posing
from rropt.symbolic.symbols import exact, gamma, gamma_of

_OF_BOUNDS = 10**12  # 1/relative distance of a rounded bound from the value of its mechanism
_A = (gamma + 1) / (gamma - 1)
_t, _n, _s = sp.symbols("t n s", positive=True)
_root = sp.sqrt(_t**2 + _n)
FIRST = sp.Le((gamma + 1) * sp.tanh(1 / _A), 1)
"""The condition of the first form: the pattern of all inner numbers is nowhere negative."""
SECOND = sp.Ge((gamma + 1) * sp.log(1 + 2 / gamma), gamma - 2)
"""The condition of the second form beyond the first: its mechanism has no larger variance between s and 1."""


def _integral(antiderivative: Any, integrand: Any, low: Any, high: Any) -> Any:
    """Return the integral over t of the derivative of a function, which must be the integrand."""
    if sp.simplify(sp.diff(antiderivative, _t) - integrand) != 0:
        raise AssertionError(f"{antiderivative} is no antiderivative of {integrand}")
    return antiderivative.subs(_t, high) - antiderivative.subs(_t, low)


@cache
def first_form() -> Any:
    """Return ``A coth(1/A) - 1``: thresholds on [-1, 1] of density ``A/(2 D)``, ``D = sqrt(t^2 + n)``, reports t +- D.

    The mass of the thresholds is 1, which determines n. The variance is the same for each number: that of 0.
    """
    mass = 2 * _integral(sp.asinh(_t / sp.sqrt(_n)), 1 / _root, 0, 1) * _A / 2
    n = 1 / sp.sinh(1 / _A) ** 2
    if sp.simplify(mass.subs(_n, n).subs(gamma, 2) - 1) != 0 or sp.simplify(mass - _A * sp.asinh(1 / sp.sqrt(_n))) != 0:
        raise AssertionError("the mass of the thresholds is not 1")
    second = 2 * _integral(_t * _root, (_t**2 + _root**2) / _root, 0, 1) * _A / 2
    u = sp.Symbol("u", positive=True)
    if sp.simplify((1 + 1 / sp.sinh(u) ** 2 - sp.coth(u) ** 2).rewrite(sp.exp)) != 0:
        raise AssertionError("1 + 1/sinh^2 is not coth^2")
    return second.subs(sp.sqrt(_n + 1), sp.coth(1 / _A)) - 1


@cache
def second_form() -> Any:
    """Return the largest lower bound of the densities ``w = (A/2) n (t^2 + n)^(-3/2)`` on [-s, s], over s.

    Here ``n = s^2 gamma (gamma + 2)``. The weights are w and two equal atoms at -1 and 1, and the quadratics are
    ``w (z^2 - 2 t z - n)`` and ``Y z^2 -+ (n W/s) z + n (1 + W)/2``. The bound is ``2 b.x - sum a - sum y x^2``.
    """
    n, cube = _s**2 * gamma * (gamma + 2), _root**-3
    end = _s * (gamma + 1)  # sqrt(s^2 + n)
    if sp.expand(end**2 - _s**2 - n) != 0:
        raise AssertionError("the end of the thresholds is not s (gamma + 1)")
    half = sp.Symbol("L", positive=True) / 2  # asinh(s/sqrt(n)) with L = log(1 + 2/gamma): the sinh of it is this
    if sp.simplify(((gamma + 2) / gamma - 2 + gamma / (gamma + 2)) / 4 - _s**2 / n) != 0:
        raise AssertionError("the logarithm is not asinh(s/sqrt(n))")
    mass = 2 * _integral(_t / (_n * _root), cube, 0, _s).subs(sp.sqrt(_n + _s**2), end) * _A * _n / 2
    square = 2 * _integral(sp.asinh(_t / sp.sqrt(_n)) - _t / _root, _t**2 * cube, 0, _s) * _A * _n / 2
    square = square.subs(sp.sqrt(_n + _s**2), end).subs(sp.asinh(_s / sp.sqrt(_n)), half)
    atoms = 1 - mass
    along, above = square + _n * mass / _s, -_n * mass + _n * (1 + mass)
    bound = sp.expand((2 * along - above - square - atoms).subs(_n, n))
    (best,) = sp.solve(sp.diff(bound, _s), _s)
    log = sp.log(1 + 2 / gamma)
    if not sp.N(sp.diff(bound, _s, 2).subs(2 * half, log).subs(gamma, 3)) < 0:
        raise AssertionError("the bound is not concave in s")
    return sp.factor(sp.cancel(bound.subs(_s, best))).subs(2 * half, log)


def range_form(design: Any) -> Form | None:
    """Return the closed form of the least largest variance over the range of a design; None if there is none.

    >>> from rropt.designs.mean_designs import design_mean
    >>> found = design_mean(1, range=(-1, 1), points=9, fast=True)
    >>> sp.N(range_form(found).at(), 10)
    3.990665661
    """
    if not design.is_range:
        return None
    at = gamma_of(design.problem.region.one_level().epsilon)
    scale = exact(design.reach / 2) ** 2
    choices = (
        (FIRST, first_form, "a random threshold with two reports; a density of numbers shows that none is better"),
        (SECOND, second_form, "the best of densities of numbers on [-s, s], attained by thresholds and five reports"),
    )
    for domain, form, told in choices:
        if sp.N(domain.lhs.subs(gamma, at) - domain.rhs.subs(gamma, at)) * (1 if domain.rel_op == ">=" else -1) >= 0:
            return Form(scale * form(), told, domain, parameters={gamma: at})
    return None


def to_sympy(design: Any) -> Posing:
    """Return the problem of the listed numbers: of a range, those of its grid."""
    return design.solution.to_sympy()  # type: ignore[no-any-return]


def attained(design: Any) -> Any:
    """Return V of the mechanism by the definition: of a range, of all of its numbers, which are rounded to the grid.

    A number between two numbers of the grid is rounded to one of them at random, without bias: with the part t its
    second moment is a mean of two, and V is ``(1-t) V_a + t V_b + t (1-t) d^2``.

    Raises:
        RouteDisagreementError: a report is biased, or a column does not sum to 1.
    """
    mechanism, x = design.mechanism, design.inputs
    z, columns = mechanism.output_values, list(zip(*mechanism.matrix, strict=True))
    variances = []
    for number, column in zip(x, columns, strict=True):
        mean = sum((a * p for a, p in zip(z, column, strict=True)), Fraction(0))
        if mean != number or sum(column) != 1 or min(column) < 0:
            raise RouteDisagreementError(f"SymPy finds that the reports of {number} are biased: their mean is {mean}")
        variances.append(sum((a * a * p for a, p in zip(z, column, strict=True)), Fraction(0)) - number * number)
    if design.proportions is not None:
        return sum((p * v for p, v in zip(design.proportions, variances, strict=True)), Fraction(0))
    if not design.is_range:
        return max(variances)
    found = []
    for (one, a), (other, b) in pairwise(sorted(zip(x, variances, strict=True))):
        squared = (other - one) ** 2
        t = min(max(Fraction(1, 2) + (b - a) / (2 * squared), Fraction(0)), Fraction(1))
        found.append((1 - t) * a + t * b + t * (1 - t) * squared)
    return max(found)


def sympy_twin(design: Any) -> Twin:
    """Return the twin of the problem of the listed numbers, after the definition of V and the form of the range.

    Raises:
        RouteDisagreementError: the mechanism does not have the V that is claimed, or the form is outside the bounds.
    """
    own, claimed = attained(design), design.upper
    if abs(own - claimed) > abs(claimed) / _OF_BOUNDS or own > claimed:
        raise RouteDisagreementError(
            f"SymPy evaluates V = {decimal_text(own, 17)} of the mechanism, and {decimal_text(claimed, 17)} is claimed"
        )
    form = range_form(design)
    if form is not None:
        value = form.at()
        if sp.N(value - exact(design.lower), 30) < 0 or sp.N(value - exact(design.upper), 30) > 0:
            raise RouteDisagreementError(f"SymPy derives V = {sp.N(value, 17)} of the range, outside its bounds")
    twins = design.solution.kept_twins
    found: Twin = design.solution.sympy_twin() if twins is None else twins.sympy
    return found if form is None else Twin("SymPy", True, float(form.at()), INSIDE, form=str(form), domain=form.where)
