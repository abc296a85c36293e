"""Equation (3.3) for beta-factor privacy: B(h), and whether the infimum is attained."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Condition, Min, Point
from rropt.privacy.criteria import beta_factor
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._boundaries import beta_demand, canonical
from rropt_proofs.chainayak2018._infimum import EXCESS, PRIOR, found, infimum_proof, odds_text, said, share_text
from rropt_proofs.chainayak2018._paper import beta_domain


def theory(point: Point) -> dict[str, Any]:
    """B(h) is beta, below every F(p) and the greatest number that is."""
    return said(Fraction(point["beta"]), Fraction(point["excess"]))


def _near(point: Point) -> Fraction:
    """The prior at which F is beta + excess/2 for h = 1 - (1 - p)/beta."""
    above = 2 * (Fraction(point["beta"]) - 1)
    return above / (above + point["excess"])


def computed(point: Point) -> dict[str, Any]:
    """By h = [h_l * h_u], piece by piece, and by the library."""
    beta = Fraction(point["beta"])
    return found(beta_factor(beta), canonical(*beta_demand(beta)), Fraction(point["p"]), _near(point))


def mutant(point: Point) -> dict[str, Any]:
    """A thousandth more."""
    return said(Fraction(point["beta"]) * Fraction(1001, 1000), Fraction(point["excess"]))


def proof() -> Anchored:
    """h is the smaller of beta p, where that is below 1, and 1 - (1 - p)/beta."""
    near = "(2*(beta - 1)/(2*(beta - 1) + excess))"
    up, down = share_text("beta*p"), share_text("1 - (1 - p)/beta")
    first, second = odds_text(f"beta*{near}", near), odds_text(f"1 - (1 - {near})/beta", near)
    return infimum_proof(
        "beta",
        near,
        at=(("beta*p < 1", Min(up, down)), ("beta*p >= 1", down)),
        made=((f"beta*{near} < 1", Min(first, second)), (f"beta*{near} >= 1", second)),
    )


CLAIM = Claim(
    id="chainayak2018.eq-3.3-beta",
    source=f"{PAPER}, equation (3.3) for Definition 1.2, and the remark after Theorem 3.1",
    place=(3, 8),
    printed=r"For any given $h$, define $B(h)=\inf_{0<p<1}\left(\frac{1-p}p\right)\left(\frac{h(p)}{1-h(p)}\right)$, "
    r"[...] where we take $h(p)/[1-h(p)]=\infty$ when $h(p)=1$. [...] Theorems 1.1 and 1.2 can be obtained "
    r"from Theorem 3.1 by calculating $B(h)$ for relevant $h$ functions. [Theorem 1.2 has the bound] $\beta$.",
    precise="For h = [h_l * h_u] of beta-factor privacy (h_u = min(1, beta p), h_l = p/beta), beta > 1: B(h) = beta: "
    "F(p) is greater at every 0 < p < 1 (so that no prior attains B), and for every number above B there is a prior, "
    "close to 1, at which F is less.",
    variables={"beta": beta_domain, "p": PRIOR, "excess": EXCESS},
    assumptions=(Condition("beta > 1", "beta > 1"), Condition("0 < p < 1", "0 < p < 1")),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=100,
)
