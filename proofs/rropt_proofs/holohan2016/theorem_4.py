"""Theorem 4: the optimal Warner design."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Anchored, ArgMin, Claim, Condition, Domain, Point, Value
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import (
    PRIVATE,
    A,
    B,
    in_reduced_region,
    optima,
    some_slack,
    variance_at,
    yes_slack,
)
from rropt_proofs.holohan2016._segments import DIAGONAL, n_variance_of

P = sp.Symbol("p")
HALF = sp.Rational(1, 2)


def theory(point: Point) -> dict[str, Any]:
    """The one best p, and the derivative at a p > 1/2."""
    p, here = (Fraction(point["gamma"]) + point["delta"]) / (point["gamma"] + 1), Fraction(point["at"])
    return {"argmin": frozenset({(p,)}), "derivative": 1 / (1 - 2 * here) ** 3}


def computed(point: Point) -> dict[str, Any]:
    """The optimum by the solver; the derivative of n Var = y (1 - y)/(2p - 1)^2 by the quotient rule."""
    pi, p = Fraction(point["pi"]), Fraction(point["at"])
    yes, slope, gap = (1 - pi) * (1 - p) + pi * p, 2 * pi - 1, 2 * p - 1
    derivative = (slope * (1 - 2 * yes) * gap**2 - yes * (1 - yes) * 4 * gap) / gap**4
    return {"argmin": frozenset((a,) for a, _ in optima(point, family="warner")), "derivative": derivative}


def mutant(point: Point) -> dict[str, Any]:
    """delta/2 in the place of delta."""
    p = (Fraction(point["gamma"]) + Fraction(point["delta"]) / 2) / (point["gamma"] + 1)
    return {**theory(point), "argmin": frozenset({(p,)})}


def _member(point: Point, p: Fraction) -> bool:
    return in_reduced_region((p, p), Fraction(point["gamma"]), Fraction(point["delta"]))


def proof() -> Anchored:
    """n Var falls with p, whatever pi is, and (11a), (11b) say p <= (gamma + delta)/(gamma + 1)."""
    variance, tight = n_variance_of((P, P)), yes_slack.subs({A: P, B: P}) >= 0
    return Anchored(
        ArgMin(
            of="argmin",
            objective=variance,
            within=(tight, P <= 1, P > HALF),
            tight=(tight,),
            best={"p": DIAGONAL[0]},
            member=_member,
            value=lambda point, p: variance_at((p, p), Fraction(point["pi"])),
        ),
        Value("1/(1 - 2*at)**3", sp.diff(variance, P).subs(P, sp.Symbol("at")), of="derivative"),
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
    precise="Among the designs p00 = p11 = p > 1/2 that satisfy (epsilon, delta)-DP, n Var is least at "
    "p = (gamma + delta)/(gamma + 1) and only there, for every pi in [0, 1]. "
    "The derivative of n Var is the printed one at every p > 1/2.",
    variables={**PRIVATE, "at": Domain.interval("a p of Warner's design", "1/2", 1, also=("3/4",))},
    assumptions=(Condition("p > 1/2", "at > 1/2"),),
    defined=(some_slack,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="unique",
    proof=proof,
    count=60,
    notes="For epsilon = delta = 0 the region (1/2, 1/2] is empty and n Var at 1/2 has the denominator 0.",
)
