"""Example 1: at p = 1/2 the posterior is the prior; at p = 0 the report is the bit."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import prove_identity
from rropt_proofs.ziani._paper import PAPER, P, randomized_response

HALF = Fraction(1, 2)


def theory(point: Point) -> tuple[Fraction, str]:
    """Pr[b = 1 | M(b) = report] and the least gamma = exp(epsilon)."""
    return (point["prior"], "1") if point["p"] == HALF else (Fraction(point["report"]), "infinite")


def computed(point: Point) -> tuple[Fraction, str]:
    mechanism, prior, report = randomized_response(point["p"]), point["prior"], point["report"]
    joint = mechanism[report, 1] * prior
    parity = mechanism.parity()
    return joint / (joint + mechanism[report, 0] * (1 - prior)), "infinite" if parity is None else str(parity)


def mutant(point: Point) -> tuple[Fraction, str]:
    """The posterior 1/2 in the place of the prior."""
    posterior, gamma = theory(point)
    return (HALF, gamma) if point["p"] == HALF else (posterior, gamma)


def _seen(point: Point) -> bool:
    mechanism, prior, report = randomized_response(point["p"]), point["prior"], point["report"]
    return mechanism[report, 1] * prior + mechanism[report, 0] * (1 - prior) > 0


def proof() -> Proof:
    a, half = sp.Symbol("a"), sp.Rational(1, 2)
    one = (1 - P) * a / (P * (1 - a) + (1 - P) * a)  # posterior of b = 1 after the report 1
    zero = P * a / ((1 - P) * (1 - a) + P * a)  # after the report 0
    return Proof(
        scope="all priors a in [0, 1]; reports of positive probability",
        argument="Bayes' rule gives the posterior (1-p) a / (p (1-a) + (1-p) a) after the report 1 and "
        "p a / ((1-p)(1-a) + p a) after the report 0. At p = 1/2 both are a, so b and M(b) are independent. At p = 0 "
        "they are 1 and 0 wherever the report can occur.",
        certificates=(
            ("p = 1/2, report 1: posterior = prior", prove_identity(one.subs(P, half), a)),
            ("p = 1/2, report 0: posterior = prior", prove_identity(zero.subs(P, half), a)),
            ("p = 0, report 1: posterior 1", prove_identity(one.subs(P, 0), sp.Integer(1))),
            ("p = 0, report 0: posterior 0", prove_identity(zero.subs(P, 0), sp.Integer(0))),
        ),
    )


def mutant_proof() -> object:
    """Posterior = prior at p = 1/4."""
    a, quarter = sp.Symbol("a"), sp.Rational(1, 4)
    return prove_identity((1 - quarter) * a / (quarter * (1 - a) + (1 - quarter) * a), a)


CLAIM = Claim(
    id="ziani.example-1",
    source=f"{PAPER}, Example 1",
    printed=r"1. Report $\mathcal{M}(b)=b$ or $1-b$ with probability $\frac12$ each: then "
    r"$\Pr[b=1\mid\mathcal{M}(b)=1]=\Pr[b=1]$; $b$ is independent of $\mathcal{M}(b)$: perfect privacy. "
    r"2. Flip with probability $0$: the analyst perfectly knows $b$, no privacy at all.",
    precise="For every prior a = Pr[b = 1] in [0, 1] and every report of positive probability: at p = 1/2 the "
    "posterior of b = 1 is a and the mechanism has epsilon = 0; at p = 0 the posterior is 1 after the report 1 and 0 "
    "after the report 0, and epsilon is infinite.",
    variables={
        "p": Domain.values("probability of flipping in cases 1 and 2", HALF, Fraction(0)),
        "prior": Domain.interval("prior a = Pr[b = 1], 0 <= a <= 1", 0, 1, also=("1/100", "1/2", "9/10")),
        "report": Domain.values("the report seen", 0, 1),
    },
    defined=(Condition("the report has positive probability", _seen),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
)
