"""Allocation of respondents to strata in symbols: Neyman's sizes for real numbers, and the test of integers.

``sum_h a_h/n_h`` with ``sum n_h = N`` is least at ``n_h = N sqrt(a_h)/sum sqrt(a)``, with the value ``(sum
sqrt(a))^2/N`` (Neyman 1934). Integers are optimal iff no exchange of one respondent is better: ``a_h/(n_h (n_h + 1))
<= a_l/(n_l (n_l - 1))`` for all h and l with n_l >= 2. In a finite population n_h is at most the number M_h of people
who respond, the exchange needs n_h < M_h, and a constant c is taken off the variance.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.results.twins import EQUAL, Twin
from rropt.symbolic.posing import Form, Posing, compared
from rropt.symbolic.symbols import exact, exacts, number_text

MOST_STRATA = 200
N = sp.Symbol("N", positive=True)
CORRECTION = sp.Symbol("c", nonnegative=True)


def to_sympy(plan: Any) -> Posing:
    """Return the problem over integers n_h >= 1; its form is Neyman's value for real sizes, a lower bound.

    Raises:
        UnsupportedProblemError: there are too many strata.
    """
    count = len(plan.sizes)
    if count > MOST_STRATA:
        raise UnsupportedProblemError("too many strata to write out")
    a = [sp.Symbol(f"a_{h}", nonnegative=True) for h in range(count)]
    n = tuple(sp.Symbol(f"n_{h}", integer=True, positive=True) for h in range(count))
    values = {N: sp.Integer(plan.n), **dict(zip(a, exacts(plan.spreads), strict=True))}
    limits = [sp.Eq(sp.Add(*n), N), *(sp.Ge(each, 1, evaluate=False) for each in n)]
    limits += [sp.Le(each, most, evaluate=False) for each, most in zip(n, plan.most or (), strict=False)]
    taken_off = sp.Integer(0)
    if plan.populations is not None:
        taken_off, values[CORRECTION] = CORRECTION, exact(plan.correction)
    roots = sum(map(sp.sqrt, a))
    sizes = sp.ImmutableMatrix(1, count, [N * sp.sqrt(each) / roots for each in a])
    form = Form(
        roots**2 / N - taken_off,
        "Neyman's allocation for real sizes, a lower bound",
        mechanism=sizes,
        parameters=values,
    )
    objective = sp.Add(*(each / size for each, size in zip(a, n, strict=True))) - taken_off
    return Posing(n, objective, limits, "minimise", values, form=form)


def sympy_twin(plan: Any) -> Twin:
    """Return the variance of the integers, which no exchange of one respondent decreases.

    Raises:
        RouteDisagreementError: the variance is another one, an exchange is better, or Neyman's value is larger.
    """
    posing = to_sympy(plan)
    checked = posing.check(dict(zip(posing.variables, plan.sizes, strict=True)))
    if checked.failed or checked.value != exact(plan.variance):
        raise RouteDisagreementError(f"SymPy finds another variance of the allocation: {checked.value}")
    pairs = list(zip(exacts(plan.spreads), plan.sizes, strict=True))
    open_ones = [
        pair for pair, most in zip(pairs, plan.most or plan.sizes, strict=True) if not plan.most or pair[1] < most
    ]
    gain = max((a / (n * (n + 1)) for a, n in open_ones), default=sp.Integer(0))
    loss = min((a / (n * (n - 1)) for a, n in pairs if n > 1), default=gain)
    if gain > loss:
        raise RouteDisagreementError("SymPy finds an exchange of one respondent that decreases the variance")
    assert posing.form is not None
    compared(posing.form.at(), plan.variance * 0, plan.variance)
    return Twin("SymPy", True, number_text(checked.value), EQUAL, form=str(posing.form) if len(pairs) <= 4 else None)
