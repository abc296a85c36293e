"""Example 1, case 3: epsilon = 1/2, delta = 1/3, pi = 9/10."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Correction, Domain, Point
from rropt.claims.comparisons import Enclosure
from rropt.core.exact import Epsilon
from rropt.objectives import binary_variance
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._examples import (
    CORNER,
    MIRRORED,
    corner_variance,
    diagonal_variance,
    g,
    optimal_designs,
)
from rropt_proofs.holohan2016._paper import variance_working

EPSILON, DELTA, PI = "1/2", Fraction(1, 3), Fraction(9, 10)
LEMMA_4 = "Lemma 4: n Var at (r(t0), s(t0)) is the greater"

PRINTED: dict[str, Any] = {
    "g": "0.382",
    "g > 1 - pi": True,
    "optimal designs": frozenset({MIRRORED}),
    "n Var at (s(1), r(1))": "0.854",
    "n Var at (s(t0), r(t0))": "0.143",
    "formula (6) at (r(0), s(0))": "1.911",
    "n Var at (r(t0), s(t0)), meant by (r(0), s(0))": "1.911",
    LEMMA_4: True,
}
CORRECT = {
    **PRINTED,
    "n Var at (s(t0), r(t0))": "0.290",
    "formula (6) at (r(0), s(0))": "-0.505",
    "n Var at (r(t0), s(t0)), meant by (r(0), s(0))": "1.890",
}


def _at_zero() -> Enclosure:
    """Return formula (6) at (1 + delta/gamma, 0): ``-(1 - pi) gamma/delta - (1 - pi)^2``, falling with gamma."""
    low, high = Epsilon.of(EPSILON).gamma_bracket(30)
    ends = [binary_variance(1 + DELTA / gamma, Fraction(0), PI) for gamma in (high, low)]
    return Enclosure(ends[0], ends[1])


def theory(point: Point) -> Any:
    return PRINTED[point["figure"]]


def computed(point: Point) -> Any:
    """Formulas (6) and (23) at the endpoints of a rational bracket of gamma; the designs by the certified solver."""
    level = g(EPSILON, DELTA)
    best, other = corner_variance(DELTA, PI, mirrored=True), corner_variance(DELTA, PI)
    values = (
        level,
        level.low > 1 - PI,
        optimal_designs(EPSILON, DELTA, PI),
        diagonal_variance(EPSILON, DELTA, PI),
        best,
        _at_zero(),
        other,
        other > best,
    )
    return dict(zip(PRINTED, values, strict=True))[point["figure"]]


def corrected(point: Point) -> Any:
    return CORRECT[point["figure"]]


def mutant(point: Point) -> Any:
    """The corrected figures, with the optimum of pi < 1/2."""
    return frozenset({CORNER}) if point["figure"] == "optimal designs" else corrected(point)


def working(_: Point) -> str:
    """n Var at the two corners, and why t = 0 is no design."""
    best, other = ((DELTA, Fraction(1)), (Fraction(1), DELTA))
    return (
        f"with pi = 9/10, (s(t0), r(t0)) = (delta, 1): {variance_working(best, PI)}\n(r(t0), s(t0)) = (1, delta): "
        f"{variance_working(other, PI)}\n(r(0), s(0)) = (1 + delta/gamma, 0) has a coordinate above 1"
    )


CLAIM = Claim(
    id="holohan2016.example-1.3",
    source=f"{PAPER}, Example 1, case 3",
    place=(6, 13),
    printed=r"$\epsilon=\frac12$, $\delta=\frac13$, $\pi=\frac9{10}$: Since $\pi\ge\frac12$, we use Corollary 2 for "
    r"this example. We note that $g(\epsilon,\delta)=0.382>1-\pi$. Hence, the design matrix of the optimal "
    r"mechanism is denoted by $\left(\begin{array}{cc}\delta&1-\delta\\0&1\end{array}\right)$. We see that "
    r"$\operatorname{Var}(\hat\Pi(s_\delta(1),r_\delta(1))|\pi)=0.854$ and "
    r"$\operatorname{Var}(\hat\Pi(s_\delta(t_0),r_\delta(t_0))|\pi)=0.143$. Note also that "
    r"$\operatorname{Var}(\hat\Pi(r_\delta(0),s_\delta(0))|\pi)=1.911$, corresponding with the conclusion of "
    "Lemma 4",
    precise="Each printed decimal is the exact value rounded to three places; g > 1 - pi; the one optimal design is "
    "(delta, 1). The last figure is tried in both readings: at t = 0 as printed, where the first coordinate "
    "1 + delta/gamma > 1 is no probability, and at t = t0, where the design is (1, delta).",
    variables={"figure": Domain.values("what is printed", *PRINTED)},
    theory=theory,
    computed=computed,
    strength="as-printed",
    mutant=mutant,
    correction=Correction(
        r"$\operatorname{Var}(\hat\Pi(s_\delta(t_0),r_\delta(t_0)))=\frac{29}{100}=0.290$ and "
        r"$\operatorname{Var}(\hat\Pi(r_\delta(t_0),s_\delta(t_0)))=\frac{189}{100}=1.890$; "
        r"$(r_\delta(0),s_\delta(0))$ is no design (formula (6) gives $-0.505$ there). "
        r"The optimal design is the one stated.",
        corrected,
    ),
    working=working,
    notes="Both wrong figures are the values on the segments of delta = 1/3 at t = t0(1/2, 3/10) = 0.4078 in the place "
    "of t0(1/2, 1/3) = 0.4454: t0 was computed with 3/10 for 1/3. One "
    "coordinate of that point is 1.017, no probability: p11 for 0.143, p00 for 1.911.",
)
