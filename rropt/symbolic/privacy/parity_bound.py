"""B(h) in SymPy: the infimum of ``F = h (1-p)/((1-h) p)`` over 0 < p < 1, from its limits and its stationary points.

1. h is cut where a minimum, a maximum or a condition changes. Between the cuts it is one formula.
2. The candidates are the limits of F at the ends of the pieces (``symbolic.series`` at 0 and 1), then its stationary
   values: the roots of ``p (1-p) h' = h (1-h)``. If p has only rational powers, ``p = u^q`` makes this a polynomial,
   and all its roots in (0, 1) are known. Otherwise it is solved if p can be isolated, else to 40 digits.
3. The least of all candidates is B(h), with its form; without a form, the value is the number of 40 digits with the
   equation that it solves.

The search does not know the enclosure of B(h) that the engine proves: the number is compared with it afterwards. If
all stationary points of all pieces are roots of polynomials, and all limits are found, the least candidate is B(h).
Otherwise the value is searched and not proved. A smaller value than the bounds allow is a contradiction all the same,
since F has it; if the search finds only larger values, F is evaluated at the prior that the engine claims.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import inf, lcm
from typing import Any

import mpmath as mp
import sympy as sp

from rropt.core.errors import RouteDisagreementError
from rropt.core.exact.display import decimal_text
from rropt.core.results.twins import EQUAL, INSIDE, Twin, short
from rropt.privacy.criteria import Criterion
from rropt.symbolic.posing import Form, Posing
from rropt.symbolic.privacy.expressions import p, upper_functions
from rropt.symbolic.series import limit_at_zero
from rropt.symbolic.symbols import exact, sign_of

DIGITS = 40
_WORKING = 70  # digits in which F is evaluated
_SPREAD, _POINTS = 60, 481  # the grid of log odds: from -60 to 60
_MOST_DEGREE = 40
_MOST_OPERATIONS = 400  # of a formula that is differentiated and turned into a polynomial
_MOST_SIMPLIFIED = 30  # operations of a form that is simplified
_MOST_CUTS = 60
_SAME = mp.mpf(10) ** -30  # above the rounding of the working digits, below any difference that is printed
_MOST_RADICALS = 2
_MOST_FORMULAS = 32  # branches of a difference whose roots are sought
_TELLING = 1e-6  # bounds that are wider say nothing about a value
_LONGEST = 60  # characters of a form in a line
_SEARCHED = "searched, not proved"
_SHORT_EQUATION = "p (1-p) h'(p) = h(p) (1 - h(p))"
_RATIONAL = (sp.ZZ, sp.QQ)  # domains of polynomials whose real roots are all isolated
_u = sp.Symbol("u", positive=True)


@dataclass(frozen=True, slots=True)
class BoundPiece:
    """One formula of h, on the interval (low, high) of priors, or at the point low = high."""

    low: Any
    high: Any
    h: Any

    @property
    def odds(self) -> Any:
        """``F = h (1-p)/((1-h) p)``."""
        return odds_of(self.h)

    @property
    def equation(self) -> Any:
        """The equation of the stationary points of F."""
        return sp.Eq(*_sides(self.h), evaluate=False)

    @property
    def slope(self) -> Any:
        """The difference of the sides of the equation, which has the sign of the slope of F."""
        left, right = _sides(self.h)
        return left - right


@dataclass(frozen=True, slots=True)
class Infimum:
    """The infimum of F: a form, or a number with its equation.

    Attributes:
        form: the expression, or ``None``.
        number: the same with 40 digits; ``None`` if every F is infinite.
        at: the prior, as an expression; the endpoints 0 and 1 stand for limits.
        how: ``"limit"``, ``"constant"``, ``"stationary"`` or ``"equation"``.
        equation: the equation of the stationary point, if ``how`` is ``"stationary"`` or ``"equation"``.
        reached: whether the number is a value or a limit of F; otherwise it is only the least value on a grid.
        is_proved: whether all limits and all stationary points are known, so that no F is smaller.
    """

    form: Any
    number: Any
    at: Any
    how: str
    equation: Any = None
    reached: bool = True
    is_proved: bool = True


@lru_cache(maxsize=256)
def _sides(h: Any) -> tuple[Any, Any]:
    return p * (1 - p) * sp.diff(h, p), h * (1 - h)


def odds_of(h: Any) -> Any:
    """Return the odds of a posterior h divided by those of the prior p."""
    return h * (1 - p) / ((1 - h) * p)


def pieces_of(criterion: Criterion) -> list[BoundPiece]:
    """Return the formulas of all functions h of a criterion, without those that are 1."""
    found = []
    for h in upper_functions(criterion):
        cuts = _cuts(h)
        for low, high in pairwise([sp.Integer(0), *cuts, sp.Integer(1)]):
            branch = _branch(h, (_float(low) + _float(high)) / 2)
            if branch != 1:
                found.append(BoundPiece(low, high, branch))
        for cut in cuts:
            branch = _branch(h, _float(cut))
            if branch != 1 and not any(branch == piece.h for piece in found):
                found.append(BoundPiece(cut, cut, branch))
    return found


def infimum(criterion: Criterion) -> Infimum:
    """Return the infimum of F: the least of all its limits, stationary values and values on a grid.

    A piece whose limits and stationary points are all known is not searched on a grid. No bound of B(h) is used.
    """
    pieces = pieces_of(criterion)
    if not pieces:
        return Infimum(sp.oo, None, None, "constant")
    with mp.workdps(_WORKING):
        candidates = [one for piece in pieces for one in _limits(piece)]
        candidates += [one for piece in pieces for at in _places(piece) if (one := _stationary(piece, at)) is not None]
        searched = {piece: _on_grid(piece) for piece in pieces if not _is_complete(piece)}
        candidates += [one for piece, (_, start) in searched.items() if (one := _refined(piece, start)) is not None]
        value, at = min(searched.values(), key=lambda one: one[0], default=(mp.inf, mp.mpf(0)))
        least = min((one.number for one in candidates), default=mp.inf)
        if value < least * (1 - mp.mpf(10) ** -20):  # approached where no limit was found
            return Infimum(None, value, at, "grid", reached=False, is_proved=False)
        if mp.isinf(least):
            return Infimum(sp.oo, None, None, "constant")
        best = _least([one for one in candidates if one.number <= least * (1 + _SAME)])
        return replace(best, form=best.form and shortened(best.form), is_proved=not searched)


def _least(nearly_equal: list[Infimum]) -> Infimum:
    """Return the least of candidates whose numbers are equal to 30 digits: exact forms are compared exactly."""
    best = nearly_equal[0]
    for other in nearly_equal[1:]:
        if other.form is not None and (best.form is None or sign_of(other.form - best.form) < 0):
            best = other
    return best


def limits_at(criterion: Criterion, prior: Fraction) -> list[Fraction]:
    """Return the largest posteriors that the functions of a criterion allow at a prior, from 40 digits."""
    with mp.workdps(_WORKING):
        at = mp.mpf(prior.numerator) / prior.denominator
        found = []
        for h in upper_functions(criterion):
            branch = sp.sympify(_branch(h, at))
            value = mp.mpf(_lambdified(branch)(at)) if branch.free_symbols else _float(branch)
            found.append(Fraction(mp.nstr(value, DIGITS)))
        return found


def value_at(criterion: Criterion, prior: Any) -> Any:
    """Return the least F of all functions of a criterion at a prior, by the definition; infinite if none limits it."""
    with mp.workdps(_WORKING):
        branches = [branch for h in upper_functions(criterion) if (branch := _branch(h, prior)) != 1]
        values = [_at(BoundPiece(prior, prior, branch)) for branch in branches]
        return min((one.number for one in values if one is not None), default=mp.inf)


def _limits(piece: BoundPiece) -> Iterator[Infimum]:
    """Iterate over the finite limits of F at both endpoints of a piece."""
    for end in dict.fromkeys((piece.low, piece.high)):
        form = _limit(piece, end)
        if form is None or form.has(sp.oo, sp.zoo, sp.nan) or form.is_zero:
            continue
        number = _number(form)
        if number is not None:
            yield Infimum(form, number, end, "limit")


@lru_cache(maxsize=256)
def _limit(piece: BoundPiece, end: Any) -> Any | None:
    """Return the limit of F at an endpoint, which may be infinite; ``None`` if it is not found."""
    t = sp.Symbol("t", positive=True)
    if end in (0, 1):
        return limit_at_zero(piece.odds.subs(p, 1 - t) if end == 1 else piece.odds.subs(p, t), t)
    if end.has(sp.Float):  # a cut that is known only as a number
        return None
    return piece.odds.subs(p, end)


def _is_complete(piece: BoundPiece) -> bool:
    """Return whether all stationary points of a piece are roots of one polynomial, and both its limits are found."""
    limits = [_limit(piece, end) for end in (piece.low, piece.high)]
    if any(form is None or form.has(sp.nan) or form.is_zero for form in limits):
        return False
    return piece.low == piece.high or _polynomial(piece.slope) is not None


def _places(piece: BoundPiece) -> list[Any]:
    """Return the exact stationary points of a piece that are found."""
    if piece.low == piece.high:
        return []
    return [root for root in _roots(piece.slope) if _between(root, piece)]


def _stationary(piece: BoundPiece, place: Any) -> Infimum | None:
    form = piece.odds.subs(p, place)
    number = _number(form)
    return None if number is None else Infimum(form, number, place, "stationary", piece.equation)


def _at(piece: BoundPiece) -> Infimum | None:
    """Return the value of F at a prior."""
    with suppress(ArithmeticError, TypeError, ValueError):
        value = _lambdified(piece.odds)(piece.low)
        if not isinstance(value, mp.mpc) and mp.isfinite(value) and value > 0:
            return Infimum(None, value, sp.Float(piece.low, DIGITS), "equation", piece.equation)
    return None


def _refined(piece: BoundPiece, start: Any) -> Infimum | None:
    """Return the least stationary value of a piece as a number of 40 digits, from the least point of a grid."""
    if piece.low == piece.high:
        return None
    slope = _lambdified(piece.slope)
    odds = _lambdified(piece.odds)
    with mp.workdps(_WORKING):
        low, high = _float(piece.low), _float(piece.high)
        with suppress(ArithmeticError, TypeError, ValueError):
            root = mp.findroot(
                slope, (start, start * (1 + mp.mpf(10) ** -6)), tol=mp.mpf(10) ** (-2 * DIGITS), maxsteps=60
            )
            value = odds(root)
            if not isinstance(root, mp.mpc) and low < root < high and mp.isfinite(value) and value > 0:
                return Infimum(None, value, sp.Float(root, DIGITS), "equation", piece.equation)
    return None


def _on_grid(piece: BoundPiece) -> tuple[Any, Any]:
    """Return the least value of F on a grid of a piece, refined by golden section, and its prior."""
    odds = _lambdified(piece.odds)
    with mp.workdps(_WORKING):
        low, high = (_logit(_float(end)) for end in (piece.low, piece.high))
        step = (high - low) / (_POINTS - 1)

        def value(z: Any) -> Any:
            with suppress(ArithmeticError, TypeError, ValueError):
                found = odds(1 / (1 + mp.exp(-z)))
                if mp.isfinite(found) and not isinstance(found, mp.mpc) and found > 0:
                    return found
            return mp.inf

        best, at = min((value(low + i * step), i) for i in range(_POINTS))
        left, right = low + max(at - 1, 0) * step, low + min(at + 1, _POINTS - 1) * step
        ratio = (mp.sqrt(5) - 1) / 2
        for _ in range(40):  # golden section: the interval shrinks by 4e-9, and the value by its square
            one, other = right - ratio * (right - left), left + ratio * (right - left)
            left, right = (left, other) if value(one) < value(other) else (one, right)
        best, z = min((value(z), z) for z in (low + at * step, left, right))
        return best, 1 / (1 + mp.exp(-z))


def _logit(prior: Any) -> Any:
    return -mp.mpf(_SPREAD) if prior <= 0 else mp.mpf(_SPREAD) if prior >= 1 else mp.log(prior / (1 - prior))


def _lambdified(expression: Any) -> Any:
    return sp.lambdify(p, expression, "mpmath")


def shortened(form: Any) -> Any:
    """Return a short equal form, without functions that the criterion does not have."""
    if form.is_Rational or form.has(sp.CRootOf):
        return form
    others = [sp.simplify(form), sp.radsimp(form)] if form.count_ops() <= _MOST_SIMPLIFIED else []
    others = [each for each in others if not each.has(sp.tanh, sp.sinh, sp.cosh)]
    return min([form, *others], key=lambda each: each.count_ops())


def _number(form: Any) -> Any | None:
    """Return a positive real number, or ``None``."""
    with suppress(ArithmeticError, TypeError, ValueError, NotImplementedError):
        value = sp.N(form, DIGITS + 20)
        if value.is_Rational or value.is_Float:
            with mp.workdps(_WORKING):
                return mp.mpf(str(value)) if value > 0 else None
    return None


def _float(number: Any) -> Any:
    with mp.workdps(_WORKING):
        return mp.mpf(str(sp.N(number, DIGITS + 20)))


def _between(root: Any, piece: BoundPiece) -> bool:
    with suppress(ArithmeticError, TypeError, ValueError):
        return bool(_float(piece.low) < _float(root) < _float(piece.high))
    return False


# --- the posing and its comparison -----------------------------------------------------------------------------------


def to_sympy(bound: Any) -> Posing:
    """Return B(h) as the infimum of the odds ratio over the prior p, with its form."""
    functions = upper_functions(bound.criterion)
    objective = sp.Min(*map(odds_of, functions), evaluate=False) if len(functions) > 1 else odds_of(functions[0])
    limits = (sp.Gt(p, 0, evaluate=False), sp.Lt(p, 1))
    return Posing((p,), objective, limits, "minimise", form=lambda: _form(bound))


def _form(bound: Any) -> Form | str:
    found = infimum(bound.criterion)
    return _unsolved(found) if found.form is None else Form(found.form, _theorem(found))


def _unsolved(found: Infimum) -> str:
    if found.equation is None:
        return "no limit and no stationary point was found where the odds ratio is least"
    return f"no closed form, the odds ratio at the root of {_SHORT_EQUATION} near p = {sp.N(found.at, 6)}"


def _theorem(found: Infimum) -> str:
    places = {"limit": f"limit of the odds ratio at p = {found.at}", "constant": "every posterior is allowed"}
    told = places.get(found.how, f"stationary value of the odds ratio, where {_SHORT_EQUATION}")
    return told if found.is_proved else f"{told}; {_SEARCHED}"


def sympy_twin(bound: Any) -> Twin:
    """Return the form of B(h), or its number of 40 digits, compared with the proved bounds.

    Raises:
        RouteDisagreementError: the least value of the odds ratio that was found is outside the bounds.
    """
    found = infimum(bound.criterion)
    if found.number is None or bound.lower is None:
        if found.number is None and bound.lower is None:
            return Twin("SymPy", True, "oo", EQUAL, form="oo")
        raise RouteDisagreementError(f"SymPy finds another B(h) of {bound.criterion}: {found.number}, {bound.value}")
    form = None if found.form is None else str(found.form)
    value = mp.nstr(found.number, 20) if form is None or len(form) > _LONGEST else form
    side = _side(found, bound)
    if side > 0 and not found.is_proved and _is_reached(bound):
        why = "searched, not proved: the odds ratio has this value near the prior of the proof, which the search missed"
        return Twin("SymPy", True, mp.nstr(value_at(bound.criterion, _priors(bound)[0]), 20), INSIDE, why)
    if side > 0 and not found.reached:
        return Twin("SymPy", True, value, None, "the infimum is approached where no limit was found", form)
    if side:
        ends = ", ".join("inf" if end is None else decimal_text(end, 17) for end in (bound.lower, bound.upper))
        raise RouteDisagreementError(f"SymPy finds B(h) = {value} of {bound.criterion}, which is not in [{ends}]")
    if found.form is not None and found.form.is_Rational and bound.lower == bound.upper:
        return Twin("SymPy", True, value, EQUAL, "" if found.is_proved else _SEARCHED, form=form)
    width = inf if bound.upper is None else float(bound.upper / bound.lower - 1)
    if width > _TELLING:
        return Twin("SymPy", True, value, None, "the proved bounds are too wide for a comparison", form)
    parts = [f"relative width {short(width)}"] * bool(width) + [_unsolved(found)] * (form is None)
    return Twin("SymPy", True, value, INSIDE, "; ".join([*parts, *[_SEARCHED] * (not found.is_proved)]), form)


def _side(found: Infimum, bound: Any) -> int:
    """Return -1 if a value is below the proved bounds, 1 if it is above, and 0 if it is inside; a form exactly."""
    if found.form is not None:
        if sign_of(found.form - exact(bound.lower)) < 0:
            return -1
        return int(bound.upper is not None and sign_of(found.form - exact(bound.upper)) > 0)
    with mp.workdps(_WORKING):
        if found.number < _float(exact(bound.lower)) * (1 - _SAME):
            return -1
        return int(bound.upper is not None and found.number > _float(exact(bound.upper)) * (1 + _SAME))


def _priors(bound: Any) -> list[Any]:
    """Return the priors in (0, 1) at which the engine claims that the infimum is, with 40 digits."""
    with mp.workdps(_WORKING):
        priors = [mp.mpf(x.numerator) / x.denominator for x in (place.at.near(DIGITS)[0] for place in bound.places)]
        return [prior for prior in priors if 0 < prior < 1]


def _is_reached(bound: Any) -> bool:
    """Return whether F is inside the proved bounds near a prior that the engine claims, by the definition."""
    with mp.workdps(_WORKING):
        step = mp.mpf(10) ** (-DIGITS)
        values = [value_at(bound.criterion, at + shift) for at in _priors(bound) for shift in (0, -step, step)]
        least = min(values, default=mp.inf)
        upper = mp.inf if bound.upper is None else _float(exact(bound.upper)) * (1 + mp.mpf(10) ** -20)
        return bool(_float(exact(bound.lower)) * (1 - _SAME) <= least <= upper) and mp.isfinite(least)


# --- cuts and branches ------------------------------------------------------------------------------------------------


def _cuts(h: Any) -> list[Any]:
    """Return the points in (0, 1) where a minimum, a maximum or a condition may change, ascending."""
    found: dict[Any, Any] = {}
    for difference in _differences(h):
        known = _polynomial(difference)
        is_complete = known is not None and known[0].domain in _RATIONAL
        for root in [*_roots(difference), *([] if is_complete else _crossings(difference))]:
            with suppress(ArithmeticError, TypeError, ValueError):
                value = _float(root)
                if 0 < value < 1:  # an exact root comes first, and its number is the same to 20 digits
                    found.setdefault(mp.nstr(value, 20), root)
    return sorted(found.values(), key=_float)[:_MOST_CUTS]


def _differences(h: Any) -> Iterator[Any]:
    for node in sp.preorder_traversal(h):
        if isinstance(node, sp.Piecewise):
            for _, condition in node.args:
                for relation in condition.atoms(sp.core.relational.Relational):
                    yield from _formulas(relation.lhs - relation.rhs)
        elif isinstance(node, (sp.Min, sp.Max)):
            flat = [leaf for part in node.args for leaf in _leaves(part)]
            for i, a in enumerate(flat):
                for b in flat[:i]:
                    yield from (each for each in _formulas(a - b) if each.has(p))


def _formulas(expression: Any) -> list[Any]:
    """Return the formulas of an expression in which an extremum or a case may be any of its branches."""
    found = [expression]
    while len(found) <= _MOST_FORMULAS:
        branching = next((each for each in found if each.has(sp.Min, sp.Max, sp.Piecewise)), None)
        if branching is None:
            return found
        found.remove(branching)
        node = next(x for x in sp.postorder_traversal(branching) if isinstance(x, (sp.Min, sp.Max, sp.Piecewise)))
        parts = [part for part, _ in node.args] if isinstance(node, sp.Piecewise) else node.args
        found += [branching.xreplace({node: part}) for part in parts]
    return [expression]


def _leaves(node: Any) -> list[Any]:
    """Return the branches of nested extrema and cases at the top of an expression."""
    if isinstance(node, (sp.Min, sp.Max)):
        return [leaf for part in node.args for leaf in _leaves(part)]
    if isinstance(node, sp.Piecewise):
        return [leaf for part, _ in node.args for leaf in _leaves(part)]
    return [node]


def _branch(h: Any, at: Any) -> Any:
    """Return the formula of h at a prior, without extrema and cases."""
    number = sp.Float(at, DIGITS + 20)

    def size(part: Any) -> Any:
        return sp.N(part.subs(p, number), DIGITS + 20)

    def holds(condition: Any) -> bool:
        if isinstance(condition, sp.And):
            return all(map(holds, condition.args))
        if not isinstance(condition, sp.core.relational.Relational):
            return bool(condition)
        gap = size(condition.lhs - condition.rhs)
        if abs(gap) < 10**-DIGITS:  # the prior is a cut, where both sides are equal
            return isinstance(condition, (sp.Le, sp.Ge))
        return bool(gap < 0) == isinstance(condition, (sp.Lt, sp.Le))

    def picked(node: Any) -> Any:
        if isinstance(node, sp.Piecewise):
            return picked(next((part for part, condition in node.args if holds(condition)), sp.nan))
        if isinstance(node, (sp.Min, sp.Max)):
            choose = min if isinstance(node, sp.Min) else max
            return choose(map(picked, node.args), key=size)
        return node.func(*map(picked, node.args)) if node.args else node

    return picked(h)


def _crossings(difference: Any) -> list[Any]:
    """Return the sign changes of a difference on a grid of log odds, as numbers of 40 digits."""
    function, found = _lambdified(difference), []
    with mp.workdps(_WORKING):

        def value(z: Any) -> Any:
            with suppress(ArithmeticError, TypeError, ValueError):
                result = mp.mpf(function(1 / (1 + mp.exp(-z))))
                return result if mp.isfinite(result) else None
            return None

        points = [mp.mpf(-_SPREAD) + mp.mpf(2 * _SPREAD * i) / (_POINTS // 2) for i in range(_POINTS // 2 + 1)]
        signs = [(z, v) for z in points if (v := value(z)) is not None and v != 0]
        for (left, a), (right, b) in pairwise(signs):
            if a * b < 0:
                with suppress(ArithmeticError, TypeError, ValueError):
                    z = mp.findroot(
                        value, (left, right), solver="anderson", tol=mp.mpf(10) ** (-DIGITS - 10), maxsteps=200
                    )
                    found.append(sp.Float(1 / (1 + mp.exp(-z)), DIGITS + 10))
    return found


# --- exact roots ------------------------------------------------------------------------------------------------------


def _roots(expression: Any) -> list[Any]:
    """Return exact roots of an expression in p: all of a polynomial in a power of p, else one if p can be isolated."""
    if expression.count_ops() > _MOST_OPERATIONS:
        return []
    found = _polynomial(expression)
    if found is not None:
        polynomial, q = found
        if polynomial.is_zero:
            return []
        with suppress(sp.PolynomialError, NotImplementedError, ValueError):
            if polynomial.domain in _RATIONAL:
                return [root**q for root in dict.fromkeys(polynomial.real_roots()) if _positive(root)]
            if polynomial.degree() == 1:
                slope, free = polynomial.all_coeffs()
                return [(-free / slope) ** q]
            if polynomial.degree() == 2:
                return [root**q for root in sp.roots(polynomial) if _positive(root)]
    root = _isolated(expression)
    return [] if root is None else [root]


@lru_cache(maxsize=256)
def _polynomial(expression: Any) -> tuple[Any, int] | None:
    """Return a polynomial in u whose roots contain all roots of an expression in p = u^q, and q; else ``None``.

    Its coefficients are rational, or its degree is at most 2, so that all its roots are known. It is 0 if the
    expression is: then F is constant.
    """
    if expression.count_ops() > _MOST_OPERATIONS:
        return None
    with suppress(sp.PolynomialError, NotImplementedError, ValueError):
        q = _denominator(expression)
        if q is None:
            q, polynomial = 1, _without_radicals(expression)
            if polynomial is not None and polynomial.is_zero:  # a resultant may be 0 where the expression is not
                return None
        else:
            polynomial = sp.Poly(sp.numer(sp.together(expression.subs(p, _u**q))), _u)
        if polynomial is not None:
            is_solved = polynomial.domain in _RATIONAL or polynomial.degree() <= 2
            return (polynomial, q) if is_solved and polynomial.degree() <= _MOST_DEGREE else None
    return None


def _positive(root: Any) -> bool:
    with suppress(TypeError):
        return bool(sp.N(root, DIGITS) > 0)
    return False


def _denominator(expression: Any) -> int | None:
    """Return the q for which p occurs only in powers p^(n/q), or ``None``."""
    q = 1
    for node in sp.preorder_traversal(expression):
        if node.has(p) and not isinstance(node, (sp.Add, sp.Mul, sp.Pow, sp.Symbol)):
            return None
        if isinstance(node, sp.Pow) and node.has(p):
            if not node.exp.is_Rational or (not node.exp.is_Integer and node.base != p):
                return None
            q = lcm(q, int(node.exp.q))
    return q if q <= _MOST_DEGREE else None


def _without_radicals(expression: Any) -> Any | None:
    """Return a polynomial in u = p with all roots of an expression with few radicals, and others; else ``None``."""
    radicals: dict[Any, int] = {}  # base -> the least common denominator of its exponents
    for node in sp.preorder_traversal(expression):
        if node.has(p) and not isinstance(node, (sp.Add, sp.Mul, sp.Pow, sp.Symbol)):
            return None
        if isinstance(node, sp.Pow) and node.has(p):
            if not node.exp.is_Rational:
                return None
            if not node.exp.is_Integer:
                radicals[node.base] = lcm(radicals.get(node.base, 1), int(node.exp.q))
    if not radicals or len(radicals) > _MOST_RADICALS or max(radicals.values()) > _MOST_RADICALS**2:
        return None
    if any(one != other and one.has(other) for one in radicals for other in radicals if other != p):
        return None  # nested
    names = {base: sp.Dummy("y", positive=True) for base in radicals}

    def renamed(node: Any) -> Any:
        if isinstance(node, sp.Pow) and node.base in names and not node.exp.is_Integer:
            return names[node.base] ** (node.exp * radicals[node.base])
        return node.func(*map(renamed, node.args)) if node.args else node

    found = sp.numer(sp.together(renamed(expression)))
    for base, q in radicals.items():
        top, bottom = sp.fraction(sp.together(base))
        found = sp.resultant(found, bottom * names[base] ** q - top, names[base])
    return sp.Poly(found.subs(p, _u), _u)


def _isolated(expression: Any) -> Any | None:
    """Solve ``expression = 0`` for p if p occurs once, by inverting one function after the other; else ``None``."""
    if expression.count(p) != 1:
        return None
    value: Any = sp.Integer(0)
    while expression != p:
        with_p = [part for part in expression.args if part.has(p)]
        if len(with_p) != 1:
            return None
        (inner,) = with_p
        if expression.is_Add:
            value -= expression - inner
        elif expression.is_Mul:
            value /= expression / inner
        elif expression.func == sp.exp:
            value = sp.log(value)
        elif expression.func == sp.log:
            value = sp.exp(value)
        elif expression.is_Pow and inner == expression.base:
            value = value ** (1 / expression.exp)
        elif expression.is_Pow:
            value = sp.log(value) / sp.log(expression.base)
        else:
            return None
        expression = inner
    number = sp.N(value, DIGITS)
    return value if number.is_Float or number.is_Rational else None
