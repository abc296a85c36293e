"""The largest posterior probability of a property in symbols: ``gamma p/(1 - p + gamma p)``.

Let a and b be the mean likelihoods of an output on Q and off Q, divided by its probability. The posterior is ``p a``,
with ``p a + (1-p) b = 1`` and ``a <= gamma b``. The identity of ``certificate`` proves that no larger one exists. At
``gamma = h (1-p)/((1-h) p)`` the posterior is h; the infimum of that level over p is B(h).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact.algebraic_numbers import Algebraic
from rropt.core.results.twins import EQUAL, INSIDE, Twin
from rropt.mechanisms.columns import row_extremes
from rropt.privacy.bound import Judgement
from rropt.symbolic.posing import Form, Posing
from rropt.symbolic.privacy.expressions import p
from rropt.symbolic.symbols import exact, gamma

a, b = sp.symbols("a b", nonnegative=True)
posterior = gamma * p / (1 - p + gamma * p)
certificate = posterior * (1 - p * a - (1 - p) * b) + p * (1 - p) * (gamma * b - a) / (1 - p + gamma * p)
"""``posterior - p a`` is this sum: a multiple of the equation, and a multiple >= 0 of ``gamma b - a >= 0``."""

_DIGITS = 30
_MOST_ENTRIES = 10**6


def to_sympy(judgement: Judgement) -> Posing:
    """Return the largest posterior of a property with the prior p at an output, with its closed form."""
    values = {gamma: _parity(judgement), p: exact(_prior(judgement).bracket(_DIGITS).lower)}
    limits = (sp.Eq(p * a + (1 - p) * b, 1, evaluate=False), sp.Le(a, gamma * b))
    if judgement.parity is None:
        form = Form(sp.Integer(1), "an output with likelihood 0 off Q", parameters={p: values[p]})
    else:
        form = Form(posterior, "both constraints are active (linear programming duality)", parameters=values)
    return Posing((a, b), p * a, limits, "maximise", values, form=form)


def _parity(judgement: Judgement) -> Any:
    return sp.oo if judgement.parity is None else exact(judgement.parity)


def _prior(judgement: Judgement) -> Algebraic:
    """Return the prior of the property whose posterior is too large; 1/2 if there is no breach."""
    breach = judgement.breach
    if breach is None:
        return Algebraic.of(Fraction(1, 2))
    return breach.prior if breach.direction == "up" else breach.prior.complement


def sympy_twin(judgement: Judgement) -> Twin:
    """Return the posterior of the breach by the formula, with the proof that none is larger.

    Raises:
        RouteDisagreementError: the breach has another posterior, or a prior at which its likelihoods give another one.
    """
    if sp.simplify(posterior - p * a - certificate) != 0:
        raise RouteDisagreementError("SymPy finds that the dual certificate of the posterior is no identity")
    breach, parity = judgement.breach, judgement.parity
    if judgement.mechanism.outputs * judgement.mechanism.inputs > _MOST_ENTRIES:
        raise UnsupportedProblemError("too many entries")
    rows = judgement.mechanism.matrix if breach is None else (judgement.mechanism.matrix[breach.response],)
    if parity not in {ratio for _, _, ratio in row_extremes(rows)}:
        raise RouteDisagreementError(f"SymPy finds no output with the parity {parity}")
    facts = {"form": "1" if parity is None else str(posterior)}
    prior = _prior(judgement)
    if parity is None:
        value = (sp.Integer(1), sp.Integer(1))
    else:
        ends = prior.bracket(_DIGITS)
        value = tuple(posterior.xreplace({gamma: exact(parity), p: exact(end)}) for end in ends)
    text = str(value[0]) if value[0] == value[1] and len(str(value[0])) <= 24 else str(sp.N(value[0], 12))
    if breach is None:
        return Twin("SymPy", True, text, EQUAL, **facts)
    found = breach.posterior if breach.direction == "up" else breach.posterior.complement
    known = tuple(map(exact, found.bracket(_DIGITS)))
    if known[0] == known[1] == value[0] == value[1]:
        return Twin("SymPy", True, text, EQUAL, **facts)
    if known[1] < value[0] or value[1] < known[0]:
        raise RouteDisagreementError(f"SymPy finds another posterior of the breach: {text}, {sp.N(known[0], 12)}")
    return Twin("SymPy", True, text, INSIDE, **facts)
