"""Divergences between the output distributions of pi and of another distribution q, in symbols.

Each is a sum over the outputs of a term in ``a = r.pi`` and ``b = r.q``. The form is that of the optimal
vertex (``active``); a theorem gives that of the total variation for many categories.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.symbolic import symbols
from rropt.symbolic.active import NO_THEOREM, is_derived
from rropt.symbolic.fields import Field
from rropt.symbolic.objectives.goal import Goal, dot, total, x_log_x
from rropt.symbolic.posing import Form
from rropt.symbolic.programs import number_of
from rropt.symbolic.sums import ZERO, Sum, absolute, is_zero, logarithm, plain, product
from rropt.symbolic.sums import total as added
from rropt.symbolic.symbols import exact, exacts, gamma

Term = Callable[[Any, sp.Expr, sp.Expr], sp.Expr]

IS_OF_INFORMATION = False


def _alpha(objective: Any, a: sp.Expr, b: sp.Expr) -> sp.Expr:
    """Return ``(a^r b^(1 - r) - r a - (1 - r) b)/(r (r - 1))``; the power is 0 where a or b is."""
    r = exact(objective.order)
    power = sp.Piecewise((a**r * b ** (1 - r), sp.Ne(a * b, 0)), (0, True))
    return (power - r * a - (1 - r) * b) / (r * (r - 1))


_TERMS: dict[str, Term] = {
    "total-variation": lambda _, a, b: sp.Abs(a - b) / 2,
    "chi-square": lambda _, a, b: (a - b) ** 2 / b,
    "hellinger": lambda _, a, b: (sp.sqrt(a) - sp.sqrt(b)) ** 2 / 2,
    "kullback-leibler": lambda _, a, b: x_log_x(a, a / b),
    "jensen-shannon": lambda _, a, b: (x_log_x(a, 2 * a / (a + b)) + x_log_x(b, 2 * b / (a + b))) / 2,
    "alpha-divergence": _alpha,
}


def term(objective: Any, row: Sequence[sp.Expr], population: Sequence[sp.Expr]) -> sp.Expr:
    """Return the contribution of a row."""
    return _TERMS[objective.kind](objective, dot(row, population), dot(row, exacts(objective.against)))


def phi(field: Field, own: Mapping[str, Any], row: Sequence[Any], pi: Sequence[Any]) -> Sum:
    """Return the contribution of a row whose entries are rational functions of the level."""
    a, b = (_mean(field, row, shares) for shares in (pi, [field(number_of(x)) for x in own["against"]]))
    return part(field, own, a, b)


def part(field: Field, own: Mapping[str, Any], a: Any, b: Any) -> Sum:
    """Return the contribution of a row with the probabilities a and b, which are rational functions of the level."""
    kind, both = own["kind"], a + b
    if kind == "total-variation":
        return plain(absolute(field, a - b) / 2)
    has_a, has_b = not is_zero(a), not is_zero(b)
    if not has_b and kind in ("chi-square", "kullback-leibler"):
        raise UnsupportedProblemError("an output has probability 0 under the other distribution")
    if kind == "chi-square":
        return plain((a - b) * (a - b) / b)  # the power of an interval that contains 0 would be none
    if kind == "hellinger":
        root = product(field, (a, Fraction(1, 2)), (b, Fraction(1, 2))) if has_a and has_b else ZERO
        return plain(both / 2) - root
    if kind == "kullback-leibler":
        return logarithm(field, a / b).times(a) if has_a else ZERO
    if kind == "jensen-shannon":
        parts = [logarithm(field, 2 * x / both).times(x / 2) for x, is_there in ((a, has_a), (b, has_b)) if is_there]
        return added(parts)
    r = Fraction(own["order"])
    if not has_b and r > 1:
        raise UnsupportedProblemError("an output has probability 0 under the other distribution")
    power = product(field, (a, r), (b, 1 - r)) if has_a and has_b else ZERO
    n = sp.Rational(r.numerator, r.denominator)
    return (power - plain(field(n) * a + field(1 - n) * b)).times(field(1 / (n * (n - 1))))


def _mean(field: Field, row: Sequence[Any], shares: Sequence[Any]) -> Any:
    return sum((x * y for x, y in zip(row, shares, strict=True)), field.zero)


def pose(objective: Any, P: sp.ImmutableMatrix, population: Sequence[sp.Expr]) -> Goal:
    """Return the divergence of the two distributions of the outputs."""
    return Goal(total(term(objective, row, population) for row in P.tolist()))


def form(problem: Any) -> Form | str:
    """Return ``(gamma - 1)/(gamma + 1)`` times the total variation of pi and q, for many categories."""
    if problem.objective.kind != "total-variation" or is_derived(problem) or problem.region.form != "parity":
        return NO_THEOREM
    shares, against = exacts(problem.population), exacts(problem.objective.against)
    line = [(p - q) / 2 for p, q in zip(shares, against, strict=True)]
    signs = [[gamma if (v > 0) == first else sp.Integer(1) for v in line] for first in (True, False)]
    return Form(
        (gamma - 1) / (gamma + 1) * total(map(abs, line)),
        "Kairouz, Oh and Viswanath (2016), theorem 6: the output is the sign of pi - q at the category",
        sp.Ge(gamma, 1),
        sp.ImmutableMatrix([[x / (gamma + 1) for x in row] for row in signs]),
        {gamma: symbols.gamma_of(problem.region.one_level().epsilon)},
    )
