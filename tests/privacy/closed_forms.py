"""Closed forms of B(h) for the criteria of the literature, and their derivation by SymPy.

``F(p) = ((1-p)/p) (h(p)/(1-h(p)))``:

* rho1-to-rho2: ``F = ((1-p)/p) rho2/(1-rho2)`` below rho1, falling: the limit at rho1 from below, not attained (the
  lower function gives ``((1-p)/p) (1-rho1)/rho1`` below 1-rho2, with the same limit).
* beta-factor: ``F = beta (1-p)/(1-beta p)`` below 1/beta, rising: the limit at 0, not attained (the lower function:
  ``(beta-1+p)/p``, falling, the limit at 1).
* Bayes factors: F is constant on each side, so attained everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.privacy.criteria import Criterion

__all__ = ["CLOSED_FORMS", "ClosedForm", "closed_form", "derive"]


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """B(h) of a named kind of criterion as a formula in its parameters.

    Attributes:
        formula: text that SymPy reads.
        attained: whether the infimum is attained.
        at: where it is, or is approached: a formula, ``"0+"``, or ``"everywhere"``.
    """

    formula: str
    attained: bool
    at: str


CLOSED_FORMS = {
    "rho": ClosedForm("rho2*(1 - rho1)/(rho1*(1 - rho2))", False, "rho1"),
    "beta": ClosedForm("beta", False, "0+"),
    "bayes": ClosedForm("Min(most, 1/least)", True, "everywhere"),
}


def closed_form(criterion: Criterion) -> Fraction | None:
    """Return B(h) by its formula, or ``None`` when the criterion is not a named one with rational parameters.

    >>> from rropt.privacy.criteria import rho_to_rho
    >>> print(closed_form(rho_to_rho("1/10", "1/2")), float(closed_form(rho_to_rho("1/10", "1/2"))))
    9 9.0
    """
    values = dict(criterion.parameters)
    if criterion.kind == "rho":
        low, high = values["rho1"], values["rho2"]
        return high * (1 - low) / (low * (1 - high))
    if criterion.kind == "beta":
        return values["beta"]
    if criterion.kind == "bayes":
        return min(values["most"], 1 / values["least"]) if "least" in values else values["most"]
    return criterion.level.gamma if criterion.level is not None else None


def derive(kind: str) -> Any:
    """Return the closed form of a kind, derived by SymPy from the functions of the criterion.

    On each piece where h < 1 the sign of F' is read off its factors; the infimum is the limit at the end that F falls
    towards, or the constant.
    """
    import sympy as sp

    p = sp.Symbol("p", positive=True)
    s, t = sp.symbols("s t", positive=True)  # positive slacks: they turn the order of the parameters into signs

    def ratio(h: Any) -> Any:
        return sp.factor((1 - p) / p * h / (1 - h))

    def infimum(h: Any, low: Any, high: Any, inside: Any) -> Any:
        f = ratio(h)
        slope = sp.factor(sp.diff(f, p).subs(inside))
        if slope == 0:
            return f
        return sp.limit(f, p, high, "-") if sp.simplify(slope).is_negative else sp.limit(f, p, low, "+")

    rho1, rho2, beta, most, least = sp.symbols("rho1 rho2 beta most least", positive=True)
    if kind == "rho":
        up = infimum(rho2, 0, rho1, {rho2: s / (1 + s)})
        down = infimum(1 - rho1, 0, 1 - rho2, {rho1: s / (1 + s)})
        return _agreed(up, down)
    if kind == "beta":
        # 0 < p < 1/beta < 1: beta = 1 + t
        up = infimum(beta * p, 0, 1 / beta, {beta: 1 + t})
        down = infimum(1 - (1 - p) / beta, 0, 1, {beta: 1 + t})
        return _agreed(up, down)

    def odds(g: Any, x: Any) -> Any:
        return g * x / (1 + (g - 1) * x)

    up = infimum(odds(most, p), 0, 1, {})
    return sp.Min(up, infimum(1 - odds(least, 1 - p), 0, 1, {}))


def _agreed(up: Any, down: Any) -> Any:
    import sympy as sp

    if sp.simplify(up - down) != 0:
        raise ArithmeticError(f"the upper and the lower function lead to different bounds: {up} and {down}")
    return sp.factor(up)
