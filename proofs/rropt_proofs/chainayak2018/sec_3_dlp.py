"""Section 3, conclusion (3): epsilon-DLP is h_gamma-CSIP with gamma = exp(epsilon)."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Point, Proof
from rropt.exact import Epsilon
from rropt.mechanisms import Mechanism
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt.privacy.criteria import differential_local_privacy
from rropt.privacy.parity_bounds import judge
from rropt_proofs.chainayak2018._paper import (
    FACTOR_ARGUMENT,
    FACTOR_STEPS,
    GAMMA,
    PAPER,
    PROCEDURES,
    P,
    epsilon_domain,
    extreme_posteriors,
    factor_certificates,
    within,
)
from rropt_proofs.chainayak2018.definition_2_1 import largest_ratio
from rropt_proofs.chainayak2018.eq_3_5 import h_gamma

PRIORS = tuple(Fraction(x) for x in ("1/100", "1/2", "9/10"))


def theory(point: Point) -> dict[str, bool]:
    """(2.1), over all sets of responses."""
    private = within(largest_ratio(point["P"]), point["epsilon"])
    return {"h_gamma-CSIP": private, "by the library": private}


def _allowed(q: Fraction, p: Fraction, epsilon: str) -> bool:
    """Whether q <= h_gamma(p), gamma = exp(epsilon), exactly: q (1 - p) <= gamma p (1 - q)."""
    gamma = Epsilon.of(epsilon).exact_gamma()
    return q < 1 and bool(gamma >= q * (1 - p) / (p * (1 - q)))


def computed(point: Point) -> dict[str, bool]:
    """The largest posterior at three priors (its Bayes factor is the same at all) against h_gamma; the library."""
    several = len(point["P"][0]) > 1
    below = not several or all(_allowed(extreme_posteriors(point["P"], p)[1], p, point["epsilon"]) for p in PRIORS)
    criterion = differential_local_privacy(point["epsilon"])
    return {
        "h_gamma-CSIP": below,
        "by the library": not several or judge(Mechanism(point["P"]), criterion).meets is True,
    }


def mutant(point: Point) -> dict[str, bool]:
    """gamma = exp(2 epsilon)."""
    private = within(largest_ratio(point["P"]), point["epsilon"], times=2)
    return {**theory(point), "h_gamma-CSIP": private}


def proof() -> Proof:
    a, b, y = sp.symbols("a b y")
    return Proof(
        scope="all m, k, all procedures, epsilon > 0",
        argument="epsilon-DLP says that all ratios p_ij/p_il are at most gamma = exp(epsilon) (Definition 2.1: adding "
        f"over S). {FACTOR_ARGUMENT}So all posteriors are at most h_gamma(p). Conversely, if a ratio a/b exceeds "
        "gamma, b = 0 included, the prior p on the one category and 1 - p on the other exceeds h_gamma(p), at every "
        "0 < p < 1.",
        certificates=(
            (
                "a response joins S",
                prove_positive(
                    GAMMA * (a + y) - (b + P), [Hypothesis(GAMMA * a - b), Hypothesis(GAMMA * y - P)], degree=1
                ),
            ),
            *factor_certificates(),
            (
                "two categories against h_gamma",
                prove_identity(
                    a * P * (1 + (GAMMA - 1) * P) - GAMMA * P * (a * P + b * (1 - P)), P * (1 - P) * (a - GAMMA * b)
                ),
            ),
            ("h_gamma as odds", prove_identity(h_gamma(GAMMA, P) / (1 - h_gamma(GAMMA, P)), GAMMA * P / (1 - P))),
        ),
        unchecked_steps=(*FACTOR_STEPS, "induction over the responses in S"),
    )


def mutant_proof() -> object:
    a, b = sp.symbols("a b")
    return prove_identity(a * P * (1 + GAMMA * P) - GAMMA * P * (a * P + b * (1 - P)), P * (1 - P) * (a - GAMMA * b))


CLAIM = Claim(
    id="chainayak2018.sec-3-dlp",
    source=f"{PAPER}, section 3, conclusion (3)",
    printed=r"$P$ provides $\epsilon$-DLP if and only if $\eta(P)\le\exp(\epsilon)$. Then $\epsilon$-DLP is "
    r"equivalent to $h_{(\gamma)}$-CSIP, with $\gamma=\exp(\epsilon)$.",
    precise="For epsilon > 0 and every procedure: the maximum in (2.1) is at most exp(epsilon) if and only if no "
    "posterior exceeds h_gamma of its prior, gamma = exp(epsilon).",
    variables={"P": PROCEDURES, "epsilon": epsilon_domain},
    assumptions=(Condition("epsilon > 0", lambda p: p["epsilon"] != "0"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    mutant_proof=mutant_proof,
)
