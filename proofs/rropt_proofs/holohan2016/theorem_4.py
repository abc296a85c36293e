"""Theorem 4: the optimal Warner design."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Truth, Value
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import (
    PRIVATE,
    A,
    B,
    in_reduced_region,
    some_slack,
    variance_at,
    yes_slack,
)
from rropt_proofs.holohan2016._segments import DIAGONAL, n_variance_of

P, AT = sp.symbols("p at")
FEASIBLE, EXCESS = "the design of a p is feasible", "n Var of a feasible design, less that of the best"


def _best(point: Point) -> Fraction:
    return (Fraction(point["gamma"]) + point["delta"]) / (Fraction(point["gamma"]) + 1)


def _said(point: Point, best: Fraction) -> dict[str, Any]:
    here, p = Fraction(point["at"]), Fraction(point["p"])
    return {
        FEASIBLE: here <= _best(point),
        EXCESS: Bound("at-least", (best - p) * (best + p - 1)),
        "derivative": 1 / (1 - 2 * here) ** 3,
    }


def theory(point: Point) -> dict[str, Any]:
    """The region; how much worse a feasible p is than the best, positive unless p is the best; the derivative."""
    return _said(point, _best(point))


def computed(point: Point) -> dict[str, Any]:
    """Privacy by the definition; equation (6) at both designs; the derivative of n Var by the quotient rule."""
    gamma, delta, pi = (Fraction(point[name]) for name in ("gamma", "delta", "pi"))
    here, p, best = Fraction(point["at"]), Fraction(point["p"]), _best(point)
    yes, slope, gap = (1 - pi) * (1 - here) + pi * here, 2 * pi - 1, 2 * here - 1
    return {
        FEASIBLE: in_reduced_region((here, here), gamma, delta),
        EXCESS: variance_at((p, p), pi) - variance_at((best, best), pi),
        "derivative": (slope * (1 - 2 * yes) * gap**2 - yes * (1 - yes) * 4 * gap) / gap**4,
    }


def mutant(point: Point) -> dict[str, Any]:
    """The largest feasible p is not the best: p = 1 is."""
    return _said(point, Fraction(1))


def proof() -> Anchored:
    """n Var falls with p, whatever pi is, and (11a), (11b) say p <= (gamma + delta)/(gamma + 1)."""
    best = DIAGONAL[0]
    excess = n_variance_of((P, P)) - n_variance_of(DIAGONAL)
    return Anchored(
        Truth(of=FEASIBLE, theory=best >= AT, computed=yes_slack.subs({A: AT, B: AT}) >= 0),
        Value((best - P) * (best + P - 1), excess, of=EXCESS),
        Value("1/(1 - 2*at)**3", sp.diff(n_variance_of((P, P)), P).subs(P, AT), of="derivative"),
    )


CLAIM = Claim(
    id="holohan2016.theorem-4",
    source=f"{PAPER}, Theorem 4 with the derivative of its proof",
    place=(7, 1),
    printed=r"Our region of feasibility is therefore $\mathcal "
    r"R_w=\left(\frac12,\frac{e^\epsilon+\delta}{e^\epsilon+1}\right]$. Theorem 4. Consider Warner's RR "
    r"mechanism as presented in Section II-D. Then, $\operatorname{arg\,min}_{p_w\in\mathcal "
    r"R_w}\operatorname{Var}(\hat\Pi_w(p_w)|\pi)=\left\{\frac{e^\epsilon+\delta}{e^\epsilon+1}\right\}$. [...] "
    r"By (8), we note that $\frac{\partial\operatorname{Var}(\hat\Pi_w(p_w)|\pi)}{\partial "
    r"p_w}=\frac1{(1-2p_w)^3n}$,",
    precise="A design p00 = p11 = p > 1/2 satisfies (epsilon, delta)-DP exactly when p <= w = (gamma + delta)/(gamma + "
    "1). At every such p and for every pi in [0, 1], n Var is at least (w - p)(w + p - 1) larger than at w; so it is "
    "least at w and only there. The derivative of n Var is the printed one at every p > 1/2.",
    variables={
        **PRIVATE,
        "p": Domain.interval("a p of the region of feasibility", "1/2", 1, also=("51/100", "2/3")),
        "at": Domain.interval("a p of Warner's design", "1/2", 1, also=("3/4",)),
    },
    assumptions=(
        Condition("p is in R_w", "p > 1/2 and (gamma + delta)/(gamma + 1) >= p"),
        Condition("p > 1/2, where the derivative is taken", "at > 1/2"),
    ),
    defined=(some_slack,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    notes="For epsilon = delta = 0 the region (1/2, 1/2] is empty and n Var at 1/2 has the denominator 0.",
)
