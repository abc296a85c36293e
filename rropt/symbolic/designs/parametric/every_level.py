"""Designs for every level in symbols: the optimum as a ``Piecewise`` in gamma, its designs, and its own derivation.

Each piece is compared twice. Its design is put into the definition as a rational function of gamma: columns that sum to
1, ratios of at most gamma, and the value; so the value is attained. And at a level inside, CVXPY says which k rows
``S in {1, gamma}^k`` of which decisions have weight. Their weights w and prices y solve

    sum w S = 1,   y.S = c_d.S  on these rows;   y.S <= c_d.S  for all decisions d and rows S,

so that ``sum y_j`` is the least value wherever ``w >= 0`` and these inequalities hold: an interval with exact ends. The
formula must be that of the piece, and the intervals must cover the piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import sympy as sp

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.visible import with_noun
from rropt.symbolic.fields import Field, ProofRefusedError, ends
from rropt.symbolic.programs import number_of
from rropt.symbolic.symbols import exact, gamma, gamma_of, sign_of

MOST_CATEGORIES = 6
_LONGEST = 300  # characters of a form in a line

Basis = Sequence[tuple[int, Sequence[int]]]


def to_sympy(result: Any) -> sp.Expr:
    """Return the optimum as a ``Piecewise`` in ``gamma``; a plain expression if there is one formula.

    >>> from rropt.designs import Problem, every_level_of
    >>> from rropt.privacy import span
    >>> print(to_sympy(every_level_of(Problem.kary(3, level=span(), objective="trace"), fast=True)))
    3*gamma/(gamma + 2)
    """
    return sp.Piecewise(*[(value_of(formula_of(piece)), _until(piece)) for piece in result.pieces])


def formula_of(piece: Any) -> Any:
    """Return the formula of a piece."""
    return getattr(piece, "formula", piece.value)


def value_of(formula: Any) -> sp.Expr:
    """Return a formula of a piece in the symbol ``gamma``: (a + b gamma)/(c + gamma), a quotient or a logarithm."""
    if hasattr(formula, "information"):
        k = sp.Integer(formula.categories)
        return sp.log(k) + (k - 1) * sp.log(value_of(formula.information))
    if hasattr(formula, "above"):
        parts = (formula.above, formula.below)
        above, below = (sum((exact(x) * gamma**n for n, x in enumerate(part)), sp.Integer(0)) for part in parts)
        return sp.factor(above / below)
    return sp.factor((exact(formula.a) + exact(formula.b) * gamma) / (exact(formula.c) + gamma))


def place_of(place: tuple[Fraction, Fraction, int]) -> sp.Expr:
    """Return ``p + q sqrt(D)``."""
    p, q, root = place
    return exact(p) + exact(q) * sp.sqrt(root)


def to_latex(result: Any) -> str:
    """Return the ``Piecewise`` as a displayed formula of LaTeX, and its derivation as an appendix.

    The packages are amsmath, amssymb and graphicx.
    """
    from rropt.symbolic.designs.solution_latex import appendix

    return "\n".join([f"\\[\n{sp.latex(to_sympy(result))}\n\\]", *appendix(result)])


def _until(piece: Any) -> Any:
    return sp.true if piece.place is None else sp.Le(gamma, place_of(piece.place))


def form_text(result: Any) -> str | None:
    """Return the ``Piecewise`` as text if it is short."""
    form = str(to_sympy(result))
    return form if len(form) <= _LONGEST else None


def places_of(result: Any) -> list[tuple[sp.Expr, sp.Expr]]:
    """Return the ends of the pieces as numbers of SymPy."""
    region = result.problem.region
    low, found = gamma_of(region.low), []
    for piece in result.pieces:
        last = sp.oo if region.high.is_infinite else gamma_of(region.high)
        end = last if piece.place is None else place_of(piece.place)
        found.append((low, end))
        low = end
    return found


# --- the definition --------------------------------------------------------------------------------------------------


def costs_of(problem: Any) -> tuple[list[list[sp.Expr]], int]:
    """Return the part of each entry of P in the objective, and 1 if the objective is minimized, else -1.

    Raises:
        UnsupportedProblemError: the objective is not linear in the entries.
    """
    record = problem.to_dict()
    own, listed, region = record["objective"], record["population"], record["region"]
    k = int(region.get("region", region)["inputs"])  # bounds of entries are written around a region
    pi = [number_of(x) for x in listed] if isinstance(listed, list) else [sp.Rational(1, k)] * k
    if own["kind"] == "trace":
        weights = [number_of(x) for x in own["weights"]]
        return [[weights[i] if i == j else sp.Integer(0) for j in range(k)] for i in range(k)], -1
    if own["kind"] in ("loss", "payoff") and "matrix" in own:
        rows = [[number_of(x) * p for x, p in zip(row, pi, strict=True)] for row in own["matrix"]]
        return rows, 1 if own["kind"] == "loss" else -1
    if own["kind"] == "total-variation":
        half = [(p - number_of(q)) / 2 for p, q in zip(pi, own["against"], strict=True)]
        return [half, [-x for x in half]], -1
    raise UnsupportedProblemError(f"no linear program is written for the objective {own['kind']}")


def require_definitions(result: Any) -> None:
    """Require that the design of each piece is a mechanism, private for gamma >= 1, with the value of the piece.

    Raises:
        RouteDisagreementError: one is not, or the formulas of two pieces differ at their breakpoint.
    """
    costs, _ = costs_of(result.problem)
    for piece in result.pieces:
        _require_definition(piece, costs, result.problem)
    for one, two in zip(result.pieces, result.pieces[1:], strict=False):
        at = place_of(one.place)
        if sign_of(value_of(formula_of(one)).subs(gamma, at) - value_of(formula_of(two)).subs(gamma, at)) != 0:
            raise RouteDisagreementError(f"SymPy: two formulas of {result.problem} differ at gamma = {at}")


def _require_definition(piece: Any, costs: Any, problem: Any) -> None:
    over = exact(piece.value.c) + gamma  # the denominator of all entries
    above = [[sp.expand(exact(x.a) + exact(x.b) * gamma) for x in row] for row in piece.mechanism]
    fits = all(exact(x.c) == exact(piece.value.c) for row in piece.mechanism for x in row)
    fits &= all(sp.expand(sum(column) - over) == 0 for column in zip(*above, strict=True))
    value = sum(c * x for row, line in zip(costs, above, strict=True) for c, x in zip(row, line, strict=True))
    fits &= sp.expand(value - exact(piece.value.a) - exact(piece.value.b) * gamma) == 0
    for row in piece.mechanism:
        for x in set(row):
            fits &= x.a >= 0 and x.b >= 0
            # gamma (a' + b' gamma) - (a + b gamma) has nonnegative coefficients in gamma - 1
            fits &= all(y.a + y.b >= x.a + x.b and y.a + 2 * y.b >= x.b and y.b >= 0 for y in set(row))
    if not fits:
        raise RouteDisagreementError(f"SymPy: the design of {problem} for {piece.where} is not of its definition")


# --- the derivation --------------------------------------------------------------------------------------------------


class BasisForm(NamedTuple):
    """The optimum from the rows with weight.

    Attributes:
        value: the optimum in gamma.
        low, high: the ends of the interval on which the rows are optimal.
        basis: the rows with weight: the number of the decision, and 1 for each entry gamma.
        weights, prices: w of the rows and y of the columns.
        tested: the number of conditions.
    """

    value: sp.Expr
    low: sp.Expr
    high: sp.Expr
    basis: Basis
    weights: list[sp.Expr]
    prices: list[sp.Expr]
    tested: int


def basis_form(problem: Any, basis: Basis, level: sp.Expr) -> BasisForm:
    """Return the optimum as a function of gamma from k rows, and the interval around a level on which they are optimal.

    Raises:
        ProofRefusedError: the rows are not optimal at the level.
        UnsupportedProblemError: there are too many categories.
    """
    costs, sign = costs_of(problem)
    k = len(costs[0])
    if k > MOST_CATEGORIES:
        raise UnsupportedProblemError("too many categories to list the rows")
    if len(basis) != k:
        raise ProofRefusedError(f"SymPy: {with_noun(len(basis), 'row')} with weight for {with_noun(k, 'column')}")
    field = Field({gamma: level})
    powers = [field.one, field(gamma)]
    parts = [[field(c * sign) for c in row] for row in costs]

    def phi(label: int, bits: Sequence[int]) -> Any:
        return sum((c * powers[bit] for c, bit in zip(parts[label], bits, strict=True)), field.zero)

    rows = [[powers[bit] for bit in bits] for _, bits in basis]
    weights = field.solved([list(column) for column in zip(*rows, strict=True)], [field.one] * k)
    prices = field.solved(rows, [phi(label, bits) for label, bits in basis])
    conditions = [*filter(None, weights), *_slacks(field, parts, prices)]
    if any(field.sign(condition) < 0 for condition in conditions):
        raise ProofRefusedError("SymPy: the rows that have weight for CVXPY are not optimal at the level")
    low, high = ends(field, conditions)
    value = field.expression(field.one * sign * sum(prices, field.zero))
    listed = [field.expression(w) for w in weights], [field.expression(field.one * sign * y) for y in prices]
    return BasisForm(value, low, high, basis, *listed, len(conditions))


def _slacks(field: Field, parts: Sequence[Sequence[Any]], prices: Sequence[Any]) -> list[Any]:
    """Return elements that are nonnegative where ``y.S <= c_d.S`` for all decisions d and rows S.

    With ``e_j = c_dj - y_j`` the least difference over all S is ``sum e_j + (gamma - 1) sum min(0, e_j)``. So for each
    decision one row is enough as long as no e_j changes its sign: that row, and the signs of the e_j.
    """
    more, found = field(gamma - 1), []
    for part in parts:
        rest = [c - y for c, y in zip(part, prices, strict=True)]
        signs = [field.sign(each) for each in rest]
        found += [each * (sign or 1) for each, sign in zip(rest, signs, strict=True) if sign]
        negative = sum((each for each, sign in zip(rest, signs, strict=True) if sign < 0), field.zero)
        found.append(sum(rest, field.zero) + more * negative)
    return [each for each in found if each]


def rational_between(low: sp.Expr, high: sp.Expr) -> sp.Rational:
    """Return a rational number between two numbers, with a short denominator."""
    if high is sp.oo:
        return sp.Integer(int(sp.ceiling(sp.N(2 * low + 1, 20))))
    middle = Fraction(str(sp.N((low + high) / 2, 30)))
    for most in (10, 1000, 10**6, 10**12, 10**25):
        found = exact(middle.limit_denominator(most))
        if sign_of(found - low) > 0 and sign_of(high - found) > 0:
            return found
    return exact(middle)
