"""Example 1: at p = 1/2 the posterior is the prior; at p = 0 the report is the bit."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Anchored, Claim, Condition, Domain, Greatest, Point, Value
from rropt_proofs.ziani import PAPER
from rropt_proofs.ziani._paper import randomized_response

HALF = Fraction(1, 2)


def theory(point: Point) -> dict[str, Fraction]:
    """Pr[b = 1 | M(b) = report]; Pr[b = 1, M(b) = report]; exp(-epsilon), 0 where epsilon is infinite; accuracy."""
    prior, report, half = Fraction(point["prior"]), Fraction(point["report"]), Fraction(1, 2)
    if point["p"] == HALF:  # independent: the product of both probabilities
        return {"posterior": prior, "both": prior * half, "exp(-epsilon)": Fraction(1), "Pr[M(b) = b]": half}
    return {"posterior": report, "both": prior * report, "exp(-epsilon)": Fraction(0), "Pr[M(b) = b]": Fraction(1)}


def computed(point: Point) -> dict[str, Fraction]:
    """Bayes' rule on the matrix, and its least ratio of two entries of a row."""
    mechanism, prior, report = randomized_response(point["p"]), point["prior"], point["report"]
    joint = mechanism[report][1] * prior
    posterior = joint / (joint + mechanism[report][0] * (1 - prior))
    return {
        "posterior": posterior,
        "both": joint,
        "exp(-epsilon)": min(min(row) / max(row) for row in mechanism),
        "Pr[M(b) = b]": mechanism[0][0] * (1 - prior) + mechanism[1][1] * prior,
    }


def mutant(point: Point) -> dict[str, Fraction]:
    """The posterior 1/2 in the place of the prior."""
    return {**theory(point), "posterior": HALF} if point["p"] == HALF else theory(point)


JOINT = "(report*(1 - p) + (1 - report)*p)*prior"  # Pr[b = 1 and M(b) = report]
KEPT = "(1 - p)*(1 - prior) + (1 - p)*prior"
SEEN = f"({JOINT} + (report*p + (1 - report)*(1 - p))*(1 - prior))"  # Pr[M(b) = report]


def proof() -> Anchored:
    level = Greatest("p >= g*(1 - p) and 1 - p >= g*p", tight={"p": "p"})
    posterior = f"{JOINT}/{SEEN}"
    return Anchored(
        Value(of="posterior", theory="prior", computed=posterior, where="p == 1/2"),
        Value(of="posterior", theory="report", computed=posterior, where="p == 0"),
        Value(of="both", theory="prior*1/2", computed=JOINT, where="p == 1/2"),
        Value(of="both", theory="prior*report", computed=JOINT, where="p == 0"),
        Value(of="Pr[M(b) = b]", theory="1/2", computed=KEPT, where="p == 1/2"),
        Value(of="Pr[M(b) = b]", theory=1, computed=KEPT, where="p == 0"),
        Value(of="exp(-epsilon)", theory=1, computed=level, where="p == 1/2"),
        Value(of="exp(-epsilon)", theory=0, computed=level, where="p == 0"),
        argument="Bayes' rule. At p = 1/2 the posterior is the prior, so b and M(b) are independent. At p = 0 it is "
        "the report, wherever that can occur.",
    )


CLAIM = Claim(
    id="ziani.example-1",
    source=f"{PAPER}, Example 1",
    place=(1, 1),
    printed=r"with probability $1/2$, I report $\mathcal M(b)=b$, and with probability $1/2$, I report $\mathcal "
    "M(b)=1-b$. [...] In probabilistic term, $b$ is probabilistic-ally independent of the outcome of the "
    r"mechanism. [...] So, here, we have perfect privacy (but $\mathcal M$ is useless to the professor). [...] "
    r"Now, suppose that I flip my private bit with probability 0, i.e. $\mathcal M(b)=b$ always. Then the "
    "analyst knows that the bit he sees is exactly the private bit, and perfectly knows $b$. Then, no privacy "
    "at all is guaranteed, but we have perfect accuracy on the agent's private bit.",
    precise="For every prior a = Pr[b = 1] in [0, 1] and every report of positive probability: at p = 1/2 the "
    "posterior of b = 1 is a, b = 1 and the report are independent, the mechanism has epsilon = 0, and the report is "
    "the bit with probability 1/2, as a coin is; at p = 0 the posterior is 1 after the report 1 and 0 after the report "
    "0, epsilon is infinite, and the report is the bit with probability 1.",
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
