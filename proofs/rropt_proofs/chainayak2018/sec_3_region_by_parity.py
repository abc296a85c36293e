"""Section 3: is the breach region of a procedure determined by its parity alone?"""

from __future__ import annotations

import random
from fractions import Fraction
from math import isinf
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point
from rropt.claims.outcomes import value_text
from rropt_proofs._matrices import gamma_diagonal, matrix, parity
from rropt_proofs.chainayak2018 import PAPER, _witness
from rropt_proofs.chainayak2018._paper import FACTOR, Matrix, bayes_factors, factors_text, share
from rropt_proofs.chainayak2018._regions import attains_all, draw_of_parity

Pair = tuple[Matrix, Matrix]

SYMMETRIC = matrix("2/3 1/3; 1/3 2/3")
LONG = matrix("2/3 1/2 1/3; 1/3 1/2 2/3")
PAIRS: tuple[Pair, ...] = (
    (SYMMETRIC, matrix("1/2 1/4; 1/2 3/4")),
    (SYMMETRIC, matrix("1/2 1/4; 1/4 1/2; 1/4 1/4")),
    (SYMMETRIC, matrix("1/3 2/3; 2/3 1/3")),
    (SYMMETRIC, LONG),
    (LONG, gamma_diagonal(Fraction(2), 3, 3)),
    (LONG, gamma_diagonal(Fraction(2), 5, 4)),
    (matrix("1/2 1/4 1/4; 1/4 1/2 1/4; 1/4 1/4 1/2"), matrix("2/3 2/3 1/3; 1/3 1/3 2/3")),
    (gamma_diagonal(Fraction(3), 3, 3), gamma_diagonal(Fraction(4), 3, 3)),
    (matrix("1 0 0; 0 1 0; 0 0 1"), matrix("2/3 1/3 0; 0 2/3 1/3; 1/3 0 2/3")),
)


def _draw(rng: random.Random) -> Pair:
    gamma = 1 + Fraction(rng.randint(1, 30), rng.randint(1, 10))
    return draw_of_parity(rng, gamma, rng.randint(2, 5)), draw_of_parity(rng, gamma, rng.randint(2, 5))


SAME = "how far a Bayes factor of the other procedure is from those of this one"


def _own(point: Point) -> Matrix | None:
    """The procedure that is looked at; none where one of the two has not three categories."""
    own: Matrix = point["pair"][point["which"]]
    return own if min(len(each[0]) for each in point["pair"]) >= 3 else None


def theory(point: Point) -> dict[str, Any]:
    """Both attain the same factors: each goes up to the common parity, and every factor is attained."""
    own = _own(point)
    if own is None:
        return {SAME: Fraction(0)}
    return {
        FACTOR: share(parity(point["pair"][0])),
        **_witness.claimed(own, Fraction(point["part"])),
        SAME: Fraction(0),
    }


def _of_the_other(point: Point) -> Fraction:
    """The Bayes factor of the other procedure at the place ``part`` among its intervals."""
    part, found = Fraction(point["part"]), bayes_factors(point["pair"][1 - point["which"]])
    low, high = found[min(int(part * len(found)), len(found) - 1)]
    return Fraction(low) + (Fraction(high) - Fraction(low)) * part


def computed(point: Point) -> dict[str, Any]:
    """The extreme factors, a prior for a factor, and how far a factor of the other is from being attained."""
    if not all(len(each[0]) < 3 or attains_all(each) for each in point["pair"]):
        raise ArithmeticError("with three categories a factor between 1/gamma and gamma is not attained")
    beside = _witness.distance(point["pair"][point["which"]], _of_the_other(point))
    own = _own(point)
    if own is None:
        return {SAME: beside}
    largest = share(bayes_factors(own)[-1][1])
    return {FACTOR: largest, **_witness.attained(own, Fraction(point["part"])), SAME: beside}


def mutant(point: Point) -> dict[str, Any]:
    """A thousandth of the largest factor's share is missing."""
    return {**theory(point), FACTOR: share(parity(point["pair"][0])) * Fraction(999, 1000)}


def working(point: Point) -> str:
    """The attained Bayes factors of both procedures, and the posteriors at the prior 1/2."""
    lines = []
    for name, procedure in zip(("first", "second"), point["pair"], strict=True):
        lines.append(
            f"the {name} procedure, {value_text(procedure)}, has parity {value_text(parity(procedure))} and leads to "
            f"the Bayes factors {factors_text(procedure)}"
        )
    first, second = (
        {ends: [value_text(r / (1 + r)) for r in ends] for ends in bayes_factors(x) if not isinf(ends[1])}
        for x in point["pair"]
    )
    for name, own, other in (("first", first, second), ("second", second, first)):
        for ends, (low, high) in own.items():
            if ends not in other:
                posteriors = low if ends[0] == ends[1] else f"[{low}, {high}]"
                lines.append(f"at the prior 1/2, with the {name} alone: posterior {posteriors}")
    return "\n".join(lines)


CLAIM = Claim(
    id="chainayak2018.sec-3-region-by-parity",
    source=f"{PAPER}, section 3, after (3.5), with Definition 2.3",
    place=(3, 10),
    printed=r"Consider an RR procedure $P$ with $\eta(P)=\gamma>1$. [...] Note that the PBR of $P$ is determined only "
    "by its parity. So, all $P$ with a common parity have the same PBR.",
    precise="Two procedures with k >= 2 categories each and the same parity gamma, 1 < gamma < infinity, attain the "
    "same pairs (prior, posterior), over all responses, priors and properties (Definition 2.3: the PBR is the "
    "complement). At every prior 0 < p < 1 the pair of a Bayes factor r is (p, r p/(1 - p + r p)), so that this is: no "
    "factor of either is above gamma or below 1/gamma, and every factor of the one, which is between, is attained by "
    "the other, by an explicit prior.",
    variables={
        "pair": Domain("two procedures", PAIRS, _draw, entries={(): "x >= 0"}),
        "which": Domain.values("which of the two is looked at", 0, 1),
        "part": _witness.PART,
    },
    assumptions=(
        Condition(
            "the same parity, a number gamma > 1",
            lambda p: 1 < parity(p["pair"][0]) == parity(p["pair"][1]) and not isinf(parity(p["pair"][0])),
        ),
    ),
    missing=(Condition("k >= 3 in both: at least three categories", lambda p: min(len(x[0]) for x in p["pair"]) >= 3),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=130,
    working=working,
    notes="With two categories each response has one Bayes factor p_i1/p_i2 (and its inverse), so the attained pairs "
    "are finitely many curves, not the whole band: the two boundaries are determined by the parity, the region of "
    "Definition 2.3 is not. With infinite parity, outside the paragraph's gamma, three categories do not suffice "
    "either: direct questioning leads to the posteriors 0 and 1 alone, the row (2/3, 1/3, 0) to all."
    " At every prior 0 < p < 1 the attained posteriors are those of the attained Bayes factors, quotients of a "
    "weighted mean of likelihoods in Q and one outside, the same set at every p; it decides W_P. No factor is "
    "outside [1/gamma, gamma]. Let a and c be the largest and the least entry of a row with a/c = gamma, and b a "
    "third one, c <= b <= a. Q = {b} against a mixture of a and c attains [b/a, b/c], {b, c} against a attains "
    "[c/a, b/a], {a, b} against c attains [b/c, a/c]: together [1/gamma, gamma], whatever the other entries and "
    "rows are.",
)
