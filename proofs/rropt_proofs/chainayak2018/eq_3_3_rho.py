"""Equation (3.3) for rho1-to-rho2 privacy: B(h), and whether the infimum is attained."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Condition, Domain, Min, Point
from rropt.privacy.criteria import rho_to_rho
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._boundaries import canonical, rho_demand
from rropt_proofs.chainayak2018._infimum import EXCESS, PRIOR, found, infimum_proof, odds_text, said, share_text
from rropt_proofs.chainayak2018._paper import RHOS, ordered_rhos
from rropt_proofs.chainayak2018.theorem_1_1 import bound


def theory(point: Point) -> dict[str, Any]:
    """B(h) is the right side of (1.6), below every F(p) and the greatest number that is."""
    return said(bound(point), Fraction(point["excess"]))


def _near(point: Point) -> Fraction:
    """The prior below rho1 at which F is B + excess/2 for h = rho2."""
    low, high = Fraction(point["rho1"]), Fraction(point["rho2"])
    return low * high / (high + point["excess"] / 2 * low * (1 - high))


def computed(point: Point) -> dict[str, Any]:
    """By h = [h_l * h_u], piece by piece, and by the library."""
    low, high = Fraction(point["rho1"]), Fraction(point["rho2"])
    h = canonical(*rho_demand(low, high))
    return found(rho_to_rho(low, high), h, Fraction(point["p"]), _near(point))


def mutant(point: Point) -> dict[str, Any]:
    """A thousandth more."""
    return said(bound(point) * Fraction(1001, 1000), Fraction(point["excess"]))


def proof() -> Anchored:
    """h is rho2 for p < rho1 and at most 1 - rho1 for p < 1 - rho2; elsewhere it is 1."""
    up, down, below = share_text("rho2"), share_text("1 - rho1"), "(rho2 + excess/2*rho1*(1 - rho2))"
    near, end = f"(rho1*rho2/{below})", f"(1 - rho2)*{below}"
    first, second = odds_text("rho2", near), odds_text("1 - rho1", near)
    return infimum_proof(
        "rho2*(1 - rho1)/(rho1*(1 - rho2))",
        near,
        at=(
            ("p < rho1 and p < 1 - rho2", Min(up, down)),
            ("p < rho1 and p >= 1 - rho2", up),
            ("p >= rho1 and p < 1 - rho2", down),
            ("p >= rho1 and p >= 1 - rho2", "1"),
        ),
        made=((f"rho1*rho2 < {end}", Min(first, second)), (f"rho1*rho2 >= {end}", first)),
    )


CLAIM = Claim(
    id="chainayak2018.eq-3.3-rho",
    source=f"{PAPER}, equation (3.3) for Definition 1.1, and the remark after Theorem 3.1",
    place=(3, 7),
    printed=r"For any given $h$, define $B(h)=\inf_{0<p<1}\left(\frac{1-p}p\right)\left(\frac{h(p)}{1-h(p)}\right)$, "
    r"[...] where we take $h(p)/[1-h(p)]=\infty$ when $h(p)=1$. [...] Theorems 1.1 and 1.2 can be obtained "
    "from Theorem 3.1 by calculating $B(h)$ for relevant $h$ functions. [Theorem 1.1 has the bound] "
    r"$\frac{\rho_2(1-\rho_1)}{\rho_1(1-\rho_2)}$.",
    precise="For h = [h_l * h_u] of rho1-to-rho2 privacy (h_u = rho2 for p < rho1, else 1; h_l = rho1 for p > rho2, "
    "else 0), 0 < rho1 < rho2 < 1: B(h) is the right side of (1.6): F(p) is greater at every 0 < p < 1 (so that no "
    "prior attains B), and for every number above B there is a prior, close to rho1, at which F is less.",
    variables={
        **{name: Domain(rho.meaning, rho.boundary[2:], rho.draw) for name, rho in RHOS.items()},
        "p": PRIOR,
        "excess": EXCESS,
    },
    assumptions=(ordered_rhos, Condition("0 < p < 1", "0 < p < 1")),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=150,
)
