"""Example 1, case 4: epsilon = ln 2, delta = 1/4, pi = 1/4: two optimal designs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Domain, Point
from rropt.claims.comparisons import Enclosure
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._examples import CORNER, DIAGONAL, corner_variance, diagonal_variance, g, optimal_designs

EPSILON, DELTA, PI = "log(2)", Fraction(1, 4), Fraction(1, 4)

PRINTED: dict[str, Any] = {
    "g": Fraction(1, 4),
    "g = pi": True,
    "optimal designs": frozenset({DIAGONAL, CORNER}),
    "n Var at (r(1), s(1))": Fraction(15, 16),
    "n Var at (r(t0), s(t0))": Fraction(15, 16),
}


def _exact(enclosure: Enclosure) -> Fraction | Enclosure:
    """Return the value itself: gamma = 2 is rational, so the enclosure is a point."""
    return enclosure.low if enclosure.is_exact else enclosure


def theory(point: Point) -> Any:
    return PRINTED[point["figure"]]


def computed(point: Point) -> Any:
    """Formulas (6) and (23) at the endpoints of a rational bracket of gamma; the designs by the certified solver."""
    level = _exact(g(EPSILON, DELTA))
    values = {
        "g": level,
        "g = pi": level == PI,
        "optimal designs": optimal_designs(EPSILON, DELTA, PI),
        "n Var at (r(1), s(1))": _exact(diagonal_variance(EPSILON, DELTA, PI)),
        "n Var at (r(t0), s(t0))": corner_variance(DELTA, PI),
    }
    return values[point["figure"]]


def mutant(point: Point) -> Any:
    """One optimal design only."""
    return frozenset({CORNER}) if point["figure"] == "optimal designs" else theory(point)


CLAIM = Claim(
    id="holohan2016.example-1.4",
    source=f"{PAPER}, Example 1, case 4",
    place=(6, 14),
    printed=r"$\epsilon=\ln(2),\delta=\frac14,\pi=\frac14$: In this case, we have $g(\epsilon,\delta)=\frac14=\pi$, "
    "hence there are two optimal mechanisms, "
    r"$\left(\begin{array}{cc}\frac{e^\epsilon+\delta}{e^\epsilon+1}&\frac{1-\delta}{e^\epsilon+1}"
    r"\\\frac{1-\delta}{e^\epsilon+1}&\frac{e^\epsilon+\delta}{e^\epsilon+1}\end{array}\right)"
    r",\left(\begin{array}{cc}1&0\\1-\delta&\delta\end{array}\right)$. This can be verified by noting that "
    r"$\operatorname{Var}(\hat\Pi(r_\delta(1),s_\delta(1))|\pi)=\operatorname{Var}(\hat\Pi(r_\delta(t_0)"
    r",s_\delta(t_0))|\pi)=\frac{15}{16}$.",
    precise="With gamma = 2 everything is rational: g = pi = 1/4, the optimal designs are exactly (3/4, 3/4) and "
    "(1, 1/4), and n Var is 15/16 at both.",
    variables={"figure": Domain.values("what is printed", *PRINTED)},
    theory=theory,
    computed=computed,
    strength="as-printed",
    mutant=mutant,
)
