"""Example 1, case 2: epsilon = 1, delta = 2/5, pi = 1/10."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Domain, Point
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._examples import CORNER, DIAGONAL, corner_variance, diagonal_variance, g, optimal_designs

EPSILON, DELTA, PI = "1", Fraction(2, 5), Fraction(1, 10)

PRINTED: dict[str, Any] = {
    "g": "0.197",
    "g > pi": True,
    "optimal designs": frozenset({CORNER}),
    "n Var at (r(1), s(1))": "0.385",
    "n Var at (r(t0), s(t0))": "0.24",
}


def theory(point: Point) -> Any:
    return PRINTED[point["figure"]]


def computed(point: Point) -> Any:
    """Formulas (6) and (23) at the endpoints of a rational bracket of gamma; the designs by the certified solver."""
    level = g(EPSILON, DELTA)
    values = {
        "g": level,
        "g > pi": level.low > PI,
        "optimal designs": optimal_designs(EPSILON, DELTA, PI),
        "n Var at (r(1), s(1))": diagonal_variance(EPSILON, DELTA, PI),
        "n Var at (r(t0), s(t0))": corner_variance(DELTA, PI),
    }
    return values[point["figure"]]


def mutant(point: Point) -> Any:
    """The two designs exchanged."""
    exchange = {
        "optimal designs": frozenset({DIAGONAL}),
        "n Var at (r(1), s(1))": PRINTED["n Var at (r(t0), s(t0))"],
        "n Var at (r(t0), s(t0))": PRINTED["n Var at (r(1), s(1))"],
    }
    return exchange.get(point["figure"], theory(point))


CLAIM = Claim(
    id="holohan2016.example-1.2",
    source=f"{PAPER}, Example 1, case 2",
    place=(6, 12),
    printed=r"$\epsilon=1$, $\delta=\frac25$, $\pi=\frac1{10}$: In this case, $g(\epsilon,\delta)=0.197>\pi$. Hence, "
    "the design matrix of the optimal mechanism is denoted by "
    r"$\left(\begin{array}{cc}1&0\\1-\delta&\delta\end{array}\right)$. Again, this can be verified by noting "
    r"that $\operatorname{Var}(\hat\Pi(r_\delta(1),s_\delta(1))|\pi)=0.385$ and "
    r"$\operatorname{Var}(\hat\Pi(r_\delta(t_0),s_\delta(t_0))|\pi)=0.24$.",
    precise="Each printed decimal is the exact value rounded to its places (the last is 6/25 = 0.24 exactly); g > pi; "
    "the one optimal design is (1, delta).",
    variables={"figure": Domain.values("what is printed", *PRINTED)},
    theory=theory,
    computed=computed,
    strength="as-printed",
    mutant=mutant,
)
