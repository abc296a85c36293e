"""Equation (3.3) for rho1-to-rho2 privacy: B(h), and whether the infimum is attained."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt.privacy.criteria import rho_to_rho
from rropt.privacy.parity_bounds import parity_bound
from rropt_proofs.chainayak2018._boundaries import attained_at, bound_of, canonical, prior_beyond, rho_demand
from rropt_proofs.chainayak2018._paper import PAPER, RHO1, RHO2, RHOS, P, ordered_rhos
from rropt_proofs.chainayak2018.theorem_1_1 import bound

ABOVE = Fraction(10**6 + 1, 10**6)  # a number just above B(h) must be no lower bound


def theory(point: Point) -> dict[str, Any]:
    """B(h) is the right side of (1.6), as a limit: by the library in two forms, and by the definition."""
    value = bound(point)
    says = {"B(h)": value, "attained": False}
    return {"criterion": says, "h = [h_l * h_u]": says, "a lower bound": True, "the greatest": True, "attained": False}


def computed(point: Point) -> dict[str, Any]:
    low, high = Fraction(point["rho1"]), Fraction(point["rho2"])
    h = canonical(*rho_demand(low, high))
    found = [parity_bound(rho_to_rho(low, high)), bound_of(h)]
    criterion, function = ({"B(h)": x.lower, "attained": x.attained} for x in found)
    value = found[0].lower or Fraction(0)
    return {
        "criterion": criterion,
        "h = [h_l * h_u]": function,
        "a lower bound": prior_beyond(h, value) is None,
        "the greatest": prior_beyond(h, value * ABOVE) is not None,
        "attained": attained_at(h, value) is not None,
    }


def mutant(point: Point) -> dict[str, Any]:
    """Attained, as it would be with p <= rho1 in the place of p < rho1."""
    return {**theory(point), "attained": True}


def proof() -> Proof:
    b = RHO2 * (1 - RHO1) / (RHO1 * (1 - RHO2))

    def f(h: Any) -> Any:
        return (1 - P) / P * h / (1 - h)

    def positive(gap: Any) -> Any:
        return [Hypothesis(x, strict=True) for x in (gap, RHO1, RHO2, 1 - RHO1, 1 - RHO2)]

    up, down = RHO1 - P, 1 - RHO2 - P
    return Proof(
        scope="all 0 < rho1 < rho2 < 1",
        argument="h = min(h_u(p), 1 - h_l(1 - p)), where h_u = rho2 for p < rho1 and 1 - h_l(1 - p) = 1 - rho1 for "
        "p < 1 - rho2; elsewhere they are 1, and F infinite. On p < rho1, F - B = rho2 (rho1 - p)/(p rho1 (1 - rho2)), "
        "on p < 1 - rho2 it is (1 - rho1)(1 - rho2 - p)/(p rho1 (1 - rho2)): positive there, with the limit 0 at rho1 "
        "and at 1 - rho2, which do not belong. F of the minimum is the minimum of both. So B is the infimum and is not "
        "attained.",
        certificates=(
            ("F - B for h_u", prove_identity(f(RHO2) - b, RHO2 * up / (P * RHO1 * (1 - RHO2)))),
            ("F - B for 1 - h_l(1 - p)", prove_identity(f(1 - RHO1) - b, (1 - RHO1) * down / (P * RHO1 * (1 - RHO2)))),
            ("the first is positive", prove_positive(RHO2 * up, positive(up), strict=True, degree=2)),
            ("the second is positive", prove_positive((1 - RHO1) * down, positive(down), strict=True, degree=2)),
        ),
        unchecked_steps=("the limits at rho1 and 1 - rho2, by continuity", "h/(1 - h) rises with h"),
    )


def mutant_proof() -> object:
    """F - B positive without p < rho1."""
    return prove_positive(RHO2 * (RHO1 - P), [Hypothesis(x) for x in (RHO1, RHO2, P, 1 - P)], degree=2)


CLAIM = Claim(
    id="chainayak2018.eq-3.3-rho",
    source=f"{PAPER}, equation (3.3) for Definition 1.1, and the remark after Theorem 3.1",
    printed=r"$B(h)=\inf_{0<p<1}(\frac{1-p}p)(\frac{h(p)}{1-h(p)})$ (3.3). Theorem 1.1 can be obtained from Theorem "
    r"3.1 by calculating $B(h)$ for the relevant $h$: $B(h)=\frac{\rho_2(1-\rho_1)}{\rho_1(1-\rho_2)}$.",
    precise="For h = [h_l * h_u] of rho1-to-rho2 privacy (h_u = rho2 for p < rho1, else 1; h_l = rho1 for p > rho2, "
    "else 0), 0 < rho1 < rho2 < 1: B(h) is the right side of (1.6); no prior attains it, F approaches it at rho1 from "
    "below and at 1 - rho2 from below.",
    variables={
        name: Domain(x.meaning, (*x.boundary, Fraction(1, 4), Fraction(4, 5)), x.draw) for name, x in RHOS.items()
    },
    assumptions=(ordered_rhos,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    count=150,
)
