"""Claim 3, first part: the mean of a report."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Anchored, Claim, Correction, Domain, Point, Value
from rropt.claims.outcomes import value_text
from rropt_proofs.ziani import PAPER
from rropt_proofs.ziani._paper import FLIP, randomized_response


def theory(point: Point) -> Fraction:
    p, b = Fraction(point["p"]), point["b"]
    return 1 - p + (2 * p - 1) * b


def computed(point: Point) -> Fraction:
    """The sum of both reports, each times its entry of the matrix."""
    mechanism = randomized_response(Fraction(point["p"]))
    return sum((report * mechanism[report][point["b"]] for report in (0, 1)), Fraction(0))


def right(point: Point) -> Fraction:
    p, b = Fraction(point["p"]), point["b"]
    return p + (1 - 2 * p) * b


def mutant(point: Point) -> Fraction:
    """1 - p in the place of 1 - 2p."""
    p, b = Fraction(point["p"]), point["b"]
    return p + (1 - p) * b


def proof() -> Anchored:
    return Anchored(
        Value(theory="p + (1 - 2*p)*b", computed="(1 - p)*b + p*(1 - b)"),
        argument="M(b) = b with probability 1 - p and 1 - b with probability p, so E[M(b)] = (1-p) b + p (1-b). It "
        "differs from the printed value by (1 - 2p)(2b - 1), which is 0 only at p = 1/2.",
    )


def working(point: Point) -> str:
    """The two reports with their probabilities."""
    p, b = Fraction(point["p"]), point["b"]
    return (
        f"M(b) is b = {b} with probability 1 - p = {value_text(1 - p)} and 1 - b = {1 - b} with probability "
        f"p = {value_text(p)}, so that E[M(b)] = {b} * {value_text(1 - p)} + {1 - b} * {value_text(p)} = "
        f"{value_text(computed(point))}\nprinted is 1 - p + (2p - 1) b = {value_text(theory(point))}"
    )


CLAIM = Claim(
    id="ziani.claim-3-mean",
    source=f"{PAPER}, Claim 3",
    place=(1, 4),
    printed=r"Fix $b\in\{0,1\}$. Then $\mathbb{E}[\mathcal{M}(b)]=1-p+(2p-1)b$.",
    precise="For RR_p as defined (the bit is flipped with probability p, 0 <= p <= 1/2) and b in {0, 1}: "
    "E[M(b)] = 1 - p + (2p - 1) b.",
    variables={"p": FLIP, "b": Domain.values("private bit", 0, 1)},
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(r"$\mathbb{E}[\mathcal{M}(b)]=p+(1-2p)b$.", right),
    proof=proof,
    working=working,
    notes=r"The proof takes $\Pr[\mathcal{M}(b)=b]=p$, but $RR_p$ keeps the bit with probability $1-p$: the printed "
    r"value is the mean for $RR_{1-p}$. Without any noise ($p=0$) it makes a respondent with $b=0$ report $1$.",
)
