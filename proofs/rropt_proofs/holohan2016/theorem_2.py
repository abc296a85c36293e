"""Theorem 2: the optimal epsilon-differentially private binary design."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Anchored, ArgMin, Claim, Condition, Point
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import (
    DELTA,
    PRIVATE,
    A,
    B,
    Design,
    determinant,
    in_reduced_region,
    n_variance,
    no_slack,
    optima,
    variance_at,
    yes_slack,
)


def theory(point: Point) -> frozenset[Design]:
    p = Fraction(point["gamma"]) / (point["gamma"] + 1)
    return frozenset({(p, p)})


def computed(point: Point) -> frozenset[Design]:
    """The certified enumeration of the vertices of the region, at delta = 0."""
    return optima({**point, "delta": 0})


def mutant(point: Point) -> frozenset[Design]:
    """gamma / (gamma + 2) in the place of gamma / (gamma + 1)."""
    p = Fraction(point["gamma"]) / (point["gamma"] + 2)
    return frozenset({(p, p)})


def _member(point: Point, a: Fraction, b: Fraction) -> bool:
    return in_reduced_region((a, b), Fraction(point["gamma"]), Fraction(0))


def proof() -> Anchored:
    tight = [(slack >= 0).subs(DELTA, 0) for slack in (yes_slack, no_slack)]
    return Anchored(
        ArgMin(
            objective=n_variance,
            within=(*tight, A <= 1, B <= 1, A >= 0, B >= 0, determinant > 0),
            tight=tight,
            best={"a": "gamma / (gamma + 1)", "b": "gamma / (gamma + 1)"},
            member=_member,
            value=lambda point, a, b: variance_at((a, b), Fraction(point["pi"])),
        )
    )


CLAIM = Claim(
    id="holohan2016.theorem-2",
    source=f"{PAPER}, Theorem 2",
    place=(5, 1),
    printed=r"Let $\pi\in(0,1)$, $p_{00}+p_{11}>1$ and $\epsilon>0$. The $\epsilon$-differentially private RR "
    "mechanism which minimises estimator error is given by the design matrix "
    r"$P_\epsilon=\left(\begin{array}{cc}\frac{e^\epsilon}{e^\epsilon+1}&\frac{1}{e^\epsilon+1}\\\frac{1}"
    r"{e^\epsilon+1}&\frac{e^\epsilon}{e^\epsilon+1}\end{array}\right)$.",
    precise="For gamma = exp(epsilon) > 1 and 0 < pi < 1 the set of designs of least n Var among those with "
    "p00 + p11 > 1 that satisfy (11) with delta = 0 is exactly {(gamma/(gamma+1), gamma/(gamma+1))}.",
    variables={name: PRIVATE[name] for name in ("gamma", "pi")},
    assumptions=(
        Condition("epsilon > 0", "gamma > 1"),
        Condition("0 < pi < 1", "0 < pi < 1"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="unique",
    proof=proof,
)
