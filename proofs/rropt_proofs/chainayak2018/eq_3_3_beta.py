"""Equation (3.3) for beta-factor privacy: B(h), and whether the infimum is attained."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt.privacy.criteria import beta_factor
from rropt.privacy.parity_bounds import parity_bound
from rropt_proofs.chainayak2018._boundaries import attained_at, beta_demand, bound_of, canonical, prior_beyond
from rropt_proofs.chainayak2018._paper import BETA, PAPER, P, beta_domain

ABOVE = Fraction(10**6 + 1, 10**6)  # a number just above B(h) must be no lower bound


def theory(point: Point) -> dict[str, Any]:
    """B(h) is beta, as a limit: by the library in two forms, and by the definition."""
    says = {"B(h)": point["beta"], "attained": False}
    return {"criterion": says, "h = [h_l * h_u]": says, "a lower bound": True, "the greatest": True, "attained": False}


def computed(point: Point) -> dict[str, Any]:
    beta = Fraction(point["beta"])
    h = canonical(*beta_demand(beta))
    found = [parity_bound(beta_factor(beta)), bound_of(h)]
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
    """Attained, as it would be if p = 0 counted."""
    return {**theory(point), "attained": True}


def proof() -> Proof:
    def f(h: Any) -> Any:
        return (1 - P) / P * h / (1 - h)

    up, down = BETA * P, 1 - (1 - P) / BETA
    strict = [Hypothesis(x, strict=True) for x in (BETA - 1, P, 1 - P)]
    return Proof(
        scope="all beta > 1",
        argument="h = min(min(1, beta p), 1 - (1 - p)/beta). Where beta p < 1, F - beta = beta p (beta - 1)/(1 - beta "
        "p) for the first, with the limit 0 at p = 0; for the second F - beta = (beta - 1)(1 - p)/p on (0, 1), with "
        "the limit 0 at p = 1. Both are positive for 0 < p < 1. F of the minimum is the minimum of both. So beta is "
        "the infimum and is not attained.",
        certificates=(
            ("F - beta for h_u", prove_identity(f(up) - BETA, BETA * P * (BETA - 1) / (1 - BETA * P))),
            ("F - beta for 1 - h_l(1 - p)", prove_identity(f(down) - BETA, (BETA - 1) * (1 - P) / P)),
            ("the first is positive", prove_positive(BETA * P * (BETA - 1), strict, strict=True, degree=3)),
            ("the second is positive", prove_positive((BETA - 1) * (1 - P), strict, strict=True, degree=2)),
        ),
        unchecked_steps=("the limits at p = 0 and p = 1, by continuity", "h/(1 - h) rises with h"),
    )


def mutant_proof() -> object:
    """F - beta positive without beta > 1."""
    return prove_positive((BETA - 1) * (1 - P), [Hypothesis(x) for x in (BETA, P, 1 - P)], degree=2)


CLAIM = Claim(
    id="chainayak2018.eq-3.3-beta",
    source=f"{PAPER}, equation (3.3) for Definition 1.2, and the remark after Theorem 3.1",
    printed=r"$B(h)=\inf_{0<p<1}(\frac{1-p}p)(\frac{h(p)}{1-h(p)})$ (3.3). Theorem 1.2 can be obtained from Theorem "
    r"3.1 by calculating $B(h)$ for the relevant $h$: $B(h)=\beta$.",
    precise="For h = [h_l * h_u] of beta-factor privacy (h_u = min(1, beta p), h_l = p/beta), beta > 1: B(h) = beta; "
    "no prior attains it, F approaches it at p = 0 and at p = 1.",
    variables={"beta": beta_domain},
    assumptions=(Condition("beta > 1", lambda p: p["beta"] > 1),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    count=100,
)
