"""Lemma 3.2: the single categories suffice."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._bayes import MATRIX
from rropt_proofs.chainayak2018._paper import Matrix, extreme_posteriors, posterior, two_categories


def of_categories(procedure: Matrix, p: Fraction) -> Fraction:
    """The largest posterior of one category with prior p, all else on one other category."""
    found = []
    for i, row in enumerate(procedure):
        for j, x in enumerate(row):
            for other, y in enumerate(row):
                if j != other and x + y:
                    alpha = tuple(p if u == j else 1 - p if u == other else Fraction(0) for u in range(len(row)))
                    found.append(posterior(procedure, alpha, (j,), i))
    return max(found)


def theory(point: Point) -> Fraction:
    """(3.4): for the single categories."""
    return of_categories(point["P"], Fraction(point["p"]))


def computed(point: Point) -> Fraction:
    """(3.2): for all 2^k properties, from joint distributions."""
    return extreme_posteriors(point["P"], Fraction(point["p"]))[1]


def mutant(point: Point) -> Fraction:
    """(3.4) for the first response alone."""
    return of_categories(point["P"][:1], Fraction(point["p"]))


CLAIM = Claim(
    id="chainayak2018.lemma-3.2",
    source=f"{PAPER}, Lemma 3.2",
    place=(3, 4),
    printed=r"An RR procedure $P$ provides $h$-CSIP, with a specified $h$, if and only if $P_\alpha(X=c_j|Z=d_i)\le "
    r"h(P_\alpha(X=c_j))$ [...] for all $i,j$ and $\alpha$ such that $P_\alpha(X=c_j)>0$ and "
    r"$P_\alpha(Z=d_i)>0$.",
    precise="At every prior 0 < p < 1 the largest posterior of a property with prior p, over responses, properties and "
    "prior distributions, is that of a single category. So for every h with a <= h(a) <= 1 no posterior of a property "
    "exceeds h of its prior if and only if none of a single category does. (At p = 0 and 1 the posterior is p.)",
    variables={"P": MATRIX, "p": Domain.interval("a prior, 0 < p < 1", 0, 1, also=("1/100", "1/2"))},
    assumptions=(Condition("0 < p < 1", "0 < p < 1"),),
    defined=(two_categories,),
    theory=theory,
    computed=computed,
    mutant=mutant,
)
