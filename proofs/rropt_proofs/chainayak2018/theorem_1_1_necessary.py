"""After Theorem 1.2: the condition (1.6) is also necessary for rho1-to-rho2 privacy."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Point, Proof
from rropt.mechanisms import Mechanism
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt.privacy.criteria import rho_to_rho
from rropt.privacy.parity_bounds import judge
from rropt_proofs.chainayak2018._paper import (
    PAPER,
    PROCEDURES,
    RHO1,
    RHO2,
    RHOS,
    P,
    ordered_rhos,
    parity,
    posterior,
    rho_breach,
)
from rropt_proofs.chainayak2018.theorem_1_1 import bound


def theory(point: Point) -> dict[str, bool]:
    """A procedure without a breach meets (1.6), so one that does not meet it has a breach: found in two ways."""
    breached = parity(point["P"]) > bound(point)
    return {"a breach by enumeration": breached, "a breach by the library": breached}


def computed(point: Point) -> dict[str, bool]:
    """Breaches, each an explicit prior, tested by Definition 1.1."""
    low, high = Fraction(point["rho1"]), Fraction(point["rho2"])
    own = rho_breach(point["P"], low, high)
    several = len(point["P"][0]) > 1  # with one category there is nothing that the library would judge
    found = judge(Mechanism(point["P"]), rho_to_rho(low, high)).breach if several else None
    confirmed = False
    if found is not None:
        alpha = tuple(Fraction(x.rational or 0) for x in found.distribution)
        before = sum((alpha[j] for j in found.property), Fraction(0))
        after = posterior(point["P"], alpha, found.property, found.response)
        confirmed = sum(alpha) == 1 and ((before < low and after > high) or (before > high and after < low))
    return {"a breach by enumeration": own is not None, "a breach by the library": confirmed}


def mutant(point: Point) -> dict[str, bool]:
    """(1.6) with < in the place of <=."""
    breached = parity(point["P"]) >= bound(point)
    return {"a breach by enumeration": breached, "a breach by the library": breached}


def proof() -> Proof:
    a, b = sp.symbols("a b")
    mean = RHO2 * b + (1 - RHO2) * a
    excess = RHO2 * b / mean  # the prior at which the posterior is rho2
    slack = RHO1 * (1 - RHO2) * a - RHO2 * (1 - RHO1) * b  # > 0: (1.6) fails for this row
    return Proof(
        scope="all m, k, all procedures, 0 < rho1 < rho2 < 1, infinite parity included",
        argument="If (1.6) fails, a row has entries a = p_ij > 0 and b = p_il >= 0 with rho1 (1 - rho2) a "
        "> rho2 (1 - rho1) b. The prior with p on c_j and 1 - p on c_l has the posterior p a/(p a + (1 - p) b) of "
        "{c_j}, above rho2 exactly when p > q = rho2 b/(rho2 b + (1 - rho2) a). As q < rho1, any p between q "
        "and rho1 is an upward breach.",
        certificates=(
            (
                "the posterior exceeds rho2 when p exceeds q",
                prove_identity(P * a - RHO2 * (P * a + (1 - P) * b), (P - excess) * mean),
            ),
            ("rho1 - q has the sign of the slack", prove_identity((RHO1 - excess) * mean, slack)),
            (
                "the divisor is positive",
                prove_positive(
                    mean,
                    [Hypothesis(a, strict=True), Hypothesis(b), Hypothesis(RHO2), Hypothesis(1 - RHO2, strict=True)],
                    strict=True,
                    degree=2,
                ),
            ),
        ),
        unchecked_steps=("between two different reals there is a third",),
    )


def mutant_proof() -> object:
    a, b = sp.symbols("a b")
    mean = RHO2 * b + (1 - RHO2) * a
    return prove_identity((RHO1 - RHO2 * b / mean) * mean, RHO1 * a - RHO2 * b)


CLAIM = Claim(
    id="chainayak2018.theorem-1.1-necessary",
    source=f"{PAPER}, the sentence after Theorem 1.2",
    printed=r"(1.6), $\eta(P)\le\frac{\rho_2(1-\rho_1)}{\rho_1(1-\rho_2)}$, is also a necessary condition for $P$ to "
    r"provide $\rho_1$-to-$\rho_2$ privacy.",
    precise="For 0 < rho1 < rho2 < 1: a procedure has a breach by Definition 1.1 if its parity exceeds the right side "
    "of (1.6). (Only if, too, by Theorem 1.1: so both are compared.)",
    variables={"P": PROCEDURES, **RHOS},
    assumptions=(ordered_rhos,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    mutant_proof=mutant_proof,
)
