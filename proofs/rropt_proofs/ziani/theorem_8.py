"""Theorem 8: the Laplace mechanism is epsilon-differentially private."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Anchored, Claim, Condition, Domain, Point, Value
from rropt_proofs.ziani import PAPER
from rropt_proofs.ziani._paper import log_ratio, private_scale

VALUE = Domain.interval("value of the query", -3, 3, also=(0, 1))


def theory(point: Point) -> Fraction:
    return Fraction(point["epsilon"])


def mutant(point: Point) -> Fraction:
    return Fraction(point["epsilon"]) * Fraction(9, 10)


def computed(point: Point) -> Fraction:
    """The log ratio of the densities of f(x) + Z and f(y) + Z at the outcome s."""
    rate = Fraction(point["epsilon"]) / point["sensitivity"]
    return log_ratio(point["s"], point["fx"], point["fy"], rate)


def proof() -> Anchored:
    return Anchored(
        Value(),
        argument="|s - f(y)| - |s - f(x)| <= |f(y) - f(x)| <= sensitivity, so that epsilon/sensitivity times the first "
        "is at most epsilon. Both sides are traced, sign by sign.",
    )


CLAIM = Claim(
    id="ziani.theorem-8",
    source=f"{PAPER}, Theorem 8",
    place=(2, 3),
    printed=r"The Laplace Mechanism $\mathcal{M}_L(x,f,\varepsilon)$ is $\varepsilon$-differentially private.",
    precise="Let 0 < sensitivity of f < infinity and epsilon > 0. For neighbours x, y (so that |f(x) - f(y)| is at "
    "most the sensitivity) the log ratio of the densities of f(x) + Z and f(y) + Z, Z ~ Lap(sensitivity/epsilon), is "
    "at most epsilon at every outcome.",
    variables={
        "fx": VALUE,
        "fy": VALUE,
        "s": Domain.interval("outcome s", -5, 5, also=(0, 1)),
        "sensitivity": Domain.interval("sensitivity of f", 0, 6, also=("1/2", 1, 3)),
        "epsilon": Domain.interval("epsilon", 0, 4, also=("1/10", 1)),
    },
    assumptions=(
        Condition("Definition 6: |f(x) - f(y)| <= sensitivity", "fx - fy <= sensitivity and fy - fx <= sensitivity"),
    ),
    defined=(private_scale,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-most",
    proof=proof,
    notes="The bound on the densities at every outcome integrates to the same bound on the probabilities of events.",
)
