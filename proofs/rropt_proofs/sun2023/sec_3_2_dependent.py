"""Section 3.2: the answers of modified Simmons are dependent."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt.claims.outcomes import value_text
from rropt_proofs._laws import FiniteLaw, covariance_of, independent, law_of
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._mechanisms import in_random_order
from rropt_proofs.sun2023._range import HALF
from rropt_proofs.sun2023._surveys import PROBABILITY, simmons
from rropt_proofs.sun2023.eq_2 import UNRELATED


def _all_answers(point: Point) -> FiniteLaw:
    """The distribution of (X_1, ..., X_N): the order by chance, then each one's coins."""
    size, members = point["persons"]
    each = simmons(Fraction(point["p"]), Fraction(point["b"]))
    pairs: list[tuple[Any, Fraction]] = []
    for bits, chance in in_random_order(members, size).items():
        given = independent(*(each[x] for x in bits))
        pairs += [(seen, chance * share) for seen, share in given.items()]
    return law_of(pairs)


def theory(_: Point) -> Bound:
    """P(X_1 = X_2 = 1) - P(X_1 = 1) P(X_2 = 1) is below 0: the law is not the product of those of the answers."""
    return Bound("less", Fraction(0))


def computed(point: Point) -> Any:
    """The covariance of X_1 and X_2 in the joint distribution of all answers."""
    return covariance_of(_all_answers(point), lambda seen: seen[0], lambda seen: seen[1])


def mutant(_: Point) -> Bound:
    """Below -1/4, which no covariance of answers 0 and 1 is."""
    return Bound("less", Fraction(-1, 4))


def working(point: Point) -> str:
    """The covariance of the first two answers, and why the distribution is a product."""
    size, members = point["persons"]
    covariance = covariance_of(_all_answers(point), lambda seen: seen[0], lambda seen: seen[1])
    reason = "all x_i are the same" if members in (0, size) else "every answer is a coin v, whatever x_i is"
    return f"N = {size}, {members} in group A: {reason}\nthe covariance of X_1 and X_2 is {value_text(covariance)}"


CLAIM = Claim(
    id="sun2023.sec-3.2-dependent",
    source=f"{PAPER}, section 3.2, the sentence after Algorithm 2",
    place=(3, 7),
    printed=r"Random variables $X_1,X_2,\ldots,X_N$ are dependent.",
    precise="For N >= 2 persons asked in a random order, N pi_A of them in group A, each of whom answers "
    "the truth with probability p, 0 < p < 1/2, and otherwise 1 with probability pi_B: the law of (X_1, "
    "..., X_N) is not the product of the laws of X_1, ..., X_N, since the covariance of X_1 and X_2 is below 0.",
    variables={
        "persons": Domain.values(
            "(N, how many are in group A)", *((size, k) for size in (2, 3) for k in range(size + 1))
        ),
        "p": PROBABILITY,
        "b": UNRELATED,
    },
    assumptions=(Condition("0 < p < 1/2: p < 1/2 in this paper, and the estimator divides by p", "0 < p < 1/2"),),
    missing=(Condition("0 < pi_A < 1: not all are of one group", lambda p: 0 < p["persons"][1] < p["persons"][0]),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    working=working,
    stated=(HALF,),
    count=60,
    notes="The covariance of two answers is -p^2 pi_A(1 - pi_A)/(N - 1): they depend on each other through the order "
    "alone. Of persons who are known by name the x_i are fixed and the answers independent, as equation (2) has them.",
)
