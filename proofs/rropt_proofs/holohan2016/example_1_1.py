"""Example 1, case 1: epsilon = 1/2, delta = 1/10, pi = 1/4."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Domain, Point
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._examples import CORNER, DIAGONAL, corner_variance, diagonal_variance, g, optimal_designs

EPSILON, DELTA, PI = "1/2", Fraction(1, 10), Fraction(1, 4)

PRINTED: dict[str, Any] = {
    "g": "0.243",
    "g < pi": True,
    "optimal designs": frozenset({DIAGONAL}),
    "n Var at (r(1), s(1))": "2.372",
    "n Var at (r(t0), s(t0))": "2.438",
}


def theory(point: Point) -> Any:
    return PRINTED[point["figure"]]


def computed(point: Point) -> Any:
    """Formulas (6) and (23) at the endpoints of a rational bracket of gamma; the designs by the certified solver."""
    level = g(EPSILON, DELTA)
    values = {
        "g": level,
        "g < pi": level.high < PI,
        "optimal designs": optimal_designs(EPSILON, DELTA, PI),
        "n Var at (r(1), s(1))": diagonal_variance(EPSILON, DELTA, PI),
        "n Var at (r(t0), s(t0))": corner_variance(DELTA, PI),
    }
    return values[point["figure"]]


def mutant(point: Point) -> Any:
    """The two designs exchanged."""
    exchange = {
        "optimal designs": frozenset({CORNER}),
        "n Var at (r(1), s(1))": PRINTED["n Var at (r(t0), s(t0))"],
        "n Var at (r(t0), s(t0))": PRINTED["n Var at (r(1), s(1))"],
    }
    return exchange.get(point["figure"], theory(point))


CLAIM = Claim(
    id="holohan2016.example-1.1",
    source=f"{PAPER}, Example 1, case 1",
    place=(6, 11),
    printed=r"$\epsilon=\frac12$, $\delta=\frac1{10}$, $\pi=\frac14$: In this case, we have "
    r"$g(\epsilon,\delta)=0.243<\pi$. Hence, the design matrix of the optimal mechanism is denoted by "
    r"$\left(\begin{array}{cc}\frac{e^\epsilon+\delta}{e^\epsilon+1}&\frac{1-\delta}{e^\epsilon+1}"
    r"\\\frac{1-\delta}{e^\epsilon+1}&\frac{e^\epsilon+\delta}{e^\epsilon+1}\end{array}\right)$. This can be "
    r"verified by noting that $\operatorname{Var}(\hat\Pi(r_\delta(1),s_\delta(1))|\pi)=2.372$ and "
    r"$\operatorname{Var}(\hat\Pi(r_\delta(t_0),s_\delta(t_0))|\pi)=2.438$.",
    precise="Each printed decimal is the exact value rounded to three places (the last is 39/16 = 2.4375, rounded up); "
    "g < pi; the one optimal design is (m, m).",
    variables={"figure": Domain.values("what is printed", *PRINTED)},
    theory=theory,
    computed=computed,
    strength="as-printed",
    mutant=mutant,
)
