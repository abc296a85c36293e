"""The largest posterior probability of a property in symbols: ``gamma p/(1 - p + gamma p)``.

Let a and b be the mean likelihoods of an output on Q and off Q, divided by its probability. The posterior is ``p a``,
with ``p a + (1-p) b = 1`` and ``a <= gamma b``. The identity of ``certificate`` proves that no larger one exists. At
``gamma = h (1-p)/((1-h) p)`` the posterior is h; the infimum of that level over p is B(h).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact.algebraic_numbers import Algebraic
from rropt.core.results.twins import EQUAL, INSIDE, Twin
from rropt.symbolic.posing import Form, Posing
from rropt.symbolic.privacy.expressions import p
from rropt.symbolic.privacy.parity_bound import limits_at
from rropt.symbolic.symbols import exact, gamma

a, b = sp.symbols("a b", nonnegative=True)
posterior = gamma * p / (1 - p + gamma * p)
certificate = posterior * (1 - p * a - (1 - p) * b) + p * (1 - p) * (gamma * b - a) / (1 - p + gamma * p)
"""``posterior - p a`` is this sum: a multiple of the equation, and a multiple >= 0 of ``gamma b - a >= 0``."""

_DIGITS = 30
_MOST_ENTRIES = 10**6


def to_sympy(judgement: Any) -> Posing:
    """Return the largest posterior of a property with the prior p at an output, with its closed form."""
    values = {gamma: _parity(judgement), p: exact(_prior(judgement).bracket(_DIGITS).lower)}
    limits = (sp.Eq(p * a + (1 - p) * b, 1, evaluate=False), sp.Le(a, gamma * b))
    if judgement.parity is None:
        form = Form(sp.Integer(1), "an output with likelihood 0 off Q", parameters={p: values[p]})
    else:
        form = Form(posterior, "both constraints are active (linear programming duality)", parameters=values)
    return Posing((a, b), p * a, limits, "maximise", values, form=form)


def _parity(judgement: Any) -> Any:
    return sp.oo if judgement.parity is None else exact(judgement.parity)


def _prior(judgement: Any) -> Any:
    """Return the prior of the property whose posterior is too large; 1/2 if there is no breach."""
    breach = judgement.breach
    if breach is None:
        return Algebraic.of(Fraction(1, 2))
    return breach.prior if breach.direction == "up" else breach.prior.complement


def sympy_twin(judgement: Any) -> Twin:
    """Return the posterior of the breach by the formula, with the proof that none is larger.

    Raises:
        RouteDisagreementError: the breach has another posterior, or a prior at which its likelihoods give another one.
    """
    if sp.simplify(posterior - p * a - certificate) != 0:
        raise RouteDisagreementError("SymPy finds that the dual certificate of the posterior is no identity")
    breach, parity = judgement.breach, judgement.parity
    if judgement.mechanism.outputs * judgement.mechanism.inputs > _MOST_ENTRIES:
        raise UnsupportedProblemError("too many entries")
    rows = judgement.mechanism.matrix
    ratios = {i: max(row) / min(row) if min(row) else None for i, row in enumerate(rows) if any(row)}
    finite = [ratio for ratio in ratios.values() if ratio is not None]
    largest = max(finite) if len(finite) == len(ratios) else None
    if parity != largest or (breach is not None and ratios.get(breach.response, -1) != parity):
        raise RouteDisagreementError(f"SymPy finds the largest ratio {largest} of an output, and not {parity}")
    _require_verdict(judgement)
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
    if known[1] < value[0] or value[1] < known[0]:
        raise RouteDisagreementError(f"SymPy finds another posterior of the breach: {text}, {sp.N(known[0], 12)}")
    _require_bayes(judgement)
    if known[0] == known[1] == value[0] == value[1]:
        return Twin("SymPy", True, text, EQUAL, **facts)
    return Twin("SymPy", True, text, INSIDE, **facts)


def _require_verdict(judgement: Any) -> None:
    """Require that the verdict compares the largest ratio with the bounds of B(h).

    Raises:
        RouteDisagreementError: it does not.
    """
    parity, bound, meets = judgement.parity, judgement.bound, judgement.meets
    is_below = bound.lower is None or (parity is not None and parity <= bound.lower)
    is_above = bound.lower is not None and (parity is None or (bound.upper is not None and parity > bound.upper))
    if (meets is True and is_above) or (meets is False and is_below) or (meets is not False and judgement.breach):
        raise RouteDisagreementError(f"SymPy finds that the verdict contradicts B(h): parity {parity}, {bound.value}")


def _require_bayes(judgement: Any) -> None:
    """Require the prior and the posterior of a breach by Bayes' theorem, and its limit by the criterion.

    Raises:
        RouteDisagreementError: one of them is another one, or the posterior does not exceed the limit.
    """
    breach, row = judgement.breach, judgement.mechanism.matrix[judgement.breach.response]
    alpha = [each.bracket(_DIGITS) for each in breach.distribution]
    inside = [j in breach.property for j in range(len(row))]

    def summed(end: str, members: Sequence[bool], weights: Sequence[Fraction]) -> Fraction:
        picked = zip(alpha, members, weights, strict=True)
        return sum((getattr(a, end) * weight for a, is_in, weight in picked if is_in), Fraction(0))

    ones, everyone = [Fraction(1)] * len(row), [True] * len(row)
    outside = [not is_in for is_in in inside]
    total = summed("lower", everyone, ones), summed("upper", everyone, ones)
    prior = summed("lower", inside, ones), summed("upper", inside, ones)
    low, high = summed("lower", inside, row), summed("upper", inside, row)
    rest = summed("lower", outside, row), summed("upper", outside, row)
    posterior = (
        low / (low + rest[1]) if low + rest[1] else Fraction(0),
        high / (high + rest[0]) if high else Fraction(0),
    )
    known = [tuple(each.bracket(_DIGITS)) for each in (breach.prior, breach.posterior)]
    pairs = [(total, (Fraction(1), Fraction(1))), (prior, known[0]), (posterior, known[1])]
    if any(one[0] > other[1] or other[0] > one[1] for one, other in pairs):
        raise RouteDisagreementError("SymPy finds another prior or posterior of the breach by Bayes' theorem")
    is_up = breach.direction == "up"
    at = (breach.prior if is_up else breach.prior.complement).near(_DIGITS)[0]
    limits = limits_at(judgement.bound.criterion, at)
    ends = breach.limit if is_up else breach.limit.complement
    room = Fraction(1, 10**20)  # the prior has 30 digits, and a function of it some of them
    if not any(ends.lower - room <= limit <= ends.upper + room for limit in limits):
        raise RouteDisagreementError("SymPy finds another limit of the posterior by the criterion")
    own = breach.posterior if is_up else breach.posterior.complement
    if not own.bracket(_DIGITS).upper > min(limits) - room:
        raise RouteDisagreementError("SymPy finds that the posterior of the breach does not exceed its limit")
