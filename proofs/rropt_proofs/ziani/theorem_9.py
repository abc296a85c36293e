"""Theorem 9: the accuracy of the Laplace mechanism."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Domain, Point
from rropt.core.exact import ExactReal
from rropt_proofs.ziani import PAPER
from rropt_proofs.ziani._paper import exact_tail, private_scale


def theory(point: Point) -> ExactReal:
    """delta = exp(-t)."""
    return ExactReal.exponential(-Fraction(point["t"]))


def computed(point: Point) -> ExactReal | None:
    """Pr[|Z| >= t b] for Z ~ Lap(b), b = sensitivity / epsilon."""
    b = Fraction(point["sensitivity"]) / point["epsilon"]
    return exact_tail(point["t"] * b, b) if b else None  # of scale 0 there is no Laplace distribution


def mutant(point: Point) -> ExactReal:
    """A tenth less."""
    return theory(point) * Fraction(9, 10)


CLAIM = Claim(
    id="ziani.theorem-9",
    source=f"{PAPER}, Theorem 9",
    place=(2, 5),
    printed=r"For any function $f:\mathbb{N}^{\mathcal{X}}\to\mathbb{R}$, "
    r"$\Pr\left[|f(x)-\mathcal{M}_L(x,f,\varepsilon)|\ge\ln\left(\frac1\delta\right)\cdot"
    r"\left(\frac{\Delta f}\varepsilon\right)\right]\le\delta$.",
    precise="For 0 < sensitivity < infinity, epsilon > 0 and delta > 0: Pr[|Z| >= ln(1/delta) b] <= delta for "
    "Z ~ Lap(b), b = sensitivity/epsilon. With t = ln(1/delta), so delta = exp(-t), any real t.",
    variables={
        "t": Domain.interval("t = ln(1/delta), that is delta = exp(-t)", -2, 12, also=("-1/10", 0, "1/2", 1)),
        "sensitivity": Domain.interval("sensitivity of f", 0, 3, also=("1/2", 1)),
        "epsilon": Domain.interval("epsilon", 0, 4, also=("1/10", 1)),
    },
    defined=(private_scale,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-most",
    count=60,
    notes=r"For $0<\delta\le1$ the probability is exactly $\delta$. For a constant $f$ the scale $\Delta "
    r"f/\varepsilon$ is $0$ and the mechanism is not defined."
    " The error is |Z| with Z ~ Lap(b), and Pr[|Z| >= z] = exp(-z/b) for z >= 0 (laplace-moments). At z = t b this "
    "is exp(-t) = delta exactly. For delta > 1 the threshold is negative, and the probability 1 is below delta.",
)
