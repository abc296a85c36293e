"""Example 1: at p = 1/2 the posterior is the prior; at p = 0 the report is the bit."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Anchored, Claim, Condition, Domain, Greatest, Point, Value
from rropt_proofs.ziani._paper import PAPER, randomized_response

HALF = Fraction(1, 2)


def theory(point: Point) -> dict[str, Fraction]:
    """Pr[b = 1 | M(b) = report], and exp(-epsilon) for the least epsilon: 0 where it is infinite."""
    if point["p"] == HALF:
        return {"posterior": point["prior"], "exp(-epsilon)": Fraction(1)}
    return {"posterior": Fraction(point["report"]), "exp(-epsilon)": Fraction(0)}


def computed(point: Point) -> dict[str, Fraction]:
    mechanism, prior, report = randomized_response(point["p"]), point["prior"], point["report"]
    joint = mechanism[report, 1] * prior
    parity = mechanism.parity()
    posterior = joint / (joint + mechanism[report, 0] * (1 - prior))
    return {"posterior": posterior, "exp(-epsilon)": Fraction(0) if parity is None else 1 / parity}


def mutant(point: Point) -> dict[str, Fraction]:
    """The posterior 1/2 in the place of the prior."""
    return {**theory(point), "posterior": HALF} if point["p"] == HALF else theory(point)


JOINT = "(report*(1 - p) + (1 - report)*p)*prior"  # Pr[b = 1 and M(b) = report]
SEEN = f"({JOINT} + (report*p + (1 - report)*(1 - p))*(1 - prior))"  # Pr[M(b) = report]


def proof() -> Anchored:
    level = Greatest("p >= g*(1 - p) and 1 - p >= g*p", tight={"p": "p"})
    posterior = f"{JOINT}/{SEEN}"
    return Anchored(
        Value(of="posterior", theory="prior", computed=posterior, where="p == 1/2"),
        Value(of="posterior", theory="report", computed=posterior, where="p == 0"),
        Value(of="exp(-epsilon)", theory=1, computed=level, where="p == 1/2"),
        Value(of="exp(-epsilon)", theory=0, computed=level, where="p == 0"),
        argument="Bayes' rule. At p = 1/2 the posterior is the prior, so b and M(b) are independent. At p = 0 it is "
        "the report, wherever that can occur.",
    )


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
        "p": Domain("probability of flipping in cases 1 and 2", (HALF, Fraction(0))),
        "prior": Domain.interval("prior a = Pr[b = 1], 0 <= a <= 1", 0, 1, also=("1/100", "1/2", "9/10")),
        "report": Domain.values("the report seen", 0, 1),
    },
    assumptions=(
        Condition("the two cases of the example: p = 1/2 and p = 0", "p*(1/2 - p) == 0"),
        Condition("a report is 0 or 1", "report*(1 - report) == 0"),
    ),
    defined=(Condition("the report has positive probability", f"{SEEN} > 0"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
