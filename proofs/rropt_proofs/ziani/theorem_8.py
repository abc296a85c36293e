"""Theorem 8: the Laplace mechanism is epsilon-differentially private."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_positive
from rropt_proofs.ziani._paper import PAPER, largest_log_ratio, private_scale, triangle_certificates

# gain = |s - f(y)| - |s - f(x)|, t = |f(y) - f(x)|
EPSILON, SENSITIVITY, GAIN, T = sp.symbols("epsilon delta_f l t")
CHAIN = [Hypothesis(EPSILON), Hypothesis(T - GAIN), Hypothesis(SENSITIVITY - T)]
VALUE = Domain.interval("value of the query", -3, 3, also=(0, 1))


def theory(point: Point) -> Fraction:
    return Fraction(point["epsilon"])


def computed(point: Point) -> Fraction:
    """The largest log ratio of the two densities, in both directions."""
    rate = Fraction(point["epsilon"]) / point["sensitivity"]
    return max(largest_log_ratio(point["fx"], point["fy"], rate), largest_log_ratio(point["fy"], point["fx"], rate))


def mutant(point: Point) -> Fraction:
    return Fraction(point["epsilon"]) * Fraction(9, 10)


def proof() -> Proof:
    return Proof(
        scope="all f with 0 < sensitivity < infinity, all epsilon > 0, all neighbours, all events",
        argument="The densities of the outputs at s have the ratio exp((epsilon/sensitivity) l) with "
        "l = |s - f(y)| - |s - f(x)| <= t = |f(y) - f(x)| <= sensitivity. So epsilon (sensitivity - l) = "
        "epsilon (t - l) + epsilon (sensitivity - t) >= 0: the exponent is at most epsilon. Integrating over an event "
        "gives the inequality of probabilities.",
        certificates=(
            *triangle_certificates(),
            ("epsilon (sensitivity - l) >= 0", prove_positive(EPSILON * (SENSITIVITY - GAIN), CHAIN, degree=2)),
        ),
        unchecked_steps=(
            "division by the sensitivity, and exp increases",
            "an inequality of densities integrates to one of probabilities",
        ),
    )


def mutant_proof() -> object:
    return prove_positive(EPSILON * (SENSITIVITY - 2 * GAIN), CHAIN, degree=2)


CLAIM = Claim(
    id="ziani.theorem-8",
    source=f"{PAPER}, Theorem 8",
    printed=r"The Laplace Mechanism $\mathcal{M}_L(x,f,\varepsilon)$ is $\varepsilon$-differentially private.",
    precise="Let 0 < sensitivity of f < infinity and epsilon > 0. For neighbours x, y (so that |f(x) - f(y)| is at "
    "most the sensitivity) the log ratio of the densities of f(x) + Z and f(y) + Z, Z ~ Lap(sensitivity/epsilon), is "
    "at most epsilon at every outcome.",
    variables={
        "fx": VALUE,
        "fy": VALUE,
        "sensitivity": Domain.interval("sensitivity of f", 0, 6, also=("1/2", 1, 3)),
        "epsilon": Domain.interval("epsilon", 0, 4, also=("1/10", 1)),
    },
    assumptions=(
        Condition("Definition 6: |f(x) - f(y)| <= sensitivity", lambda p: abs(p["fx"] - p["fy"]) <= p["sensitivity"]),
    ),
    defined=(private_scale,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-most",
    proof=proof,
    mutant_proof=mutant_proof,
)
