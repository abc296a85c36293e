"""Section 3: which breach regions are precise."""

from __future__ import annotations

import random
from fractions import Fraction
from math import isinf
from typing import Any

from rropt.claims import Claim, Condition, Correction, Domain, Point
from rropt.claims.outcomes import value_text
from rropt_proofs._matrices import gamma_diagonal, matrix, parity
from rropt_proofs.chainayak2018 import PAPER, _witness
from rropt_proofs.chainayak2018._paper import (
    FACTOR,
    Matrix,
    bayes_factors,
    draw_matrix,
    factors_text,
    in_finite_range,
    share,
    two_categories,
)
from rropt_proofs.chainayak2018._regions import attains_all, draw_of_parity

WITHIN = "how far a factor r between 1/gamma and gamma is from the attained ones"
DIAGONAL, COLUMN = "the parity of the gamma-diagonal matrix", "its column sums"

TRIED = tuple(
    matrix(text)
    for text in (
        "1 1 1",
        "1/3 1/3 1/3; 2/3 2/3 2/3",
        "2/3 1/3; 1/3 2/3",
        "1/2 1/4; 1/2 3/4",
        "1/2 1/4; 1/4 1/2; 1/4 1/4",
        "1 0 0; 0 1 0; 0 0 1",
        "2/3 1/3 0; 0 2/3 1/3; 1/3 0 2/3",
        "2/3 1/2 1/3; 1/3 1/2 2/3",
        "3/5 1/5 1/5; 1/5 3/5 1/5; 1/5 1/5 3/5",
    )
)


def _draw(rng: random.Random) -> Matrix:
    if rng.random() < 0.5:
        return draw_of_parity(rng, 1 + Fraction(rng.randint(1, 30), rng.randint(1, 10)), rng.randint(2, 5))
    while True:  # ends: most draws have three categories or more
        drawn = draw_matrix(rng)
        if len(drawn) >= 2 and len(drawn[0]) >= 3:
            return drawn


def theory(_: Point) -> dict[str, bool]:
    """W_P, which is precise, has boundaries h_gamma, gamma > 1; and the region with these boundaries is precise."""
    return {"W_P lies beyond h_gamma and its mirror image, gamma > 1": True, "that region is precise": True}


def computed(point: Point) -> dict[str, bool]:
    """Definition 2.3 by the attained Bayes factors: all of [1/gamma, gamma]; and a procedure with that region.

    With two categories finitely many Bayes factors are attained, so no procedure has the region; else the
    gamma-diagonal matrix with as many categories is tried.
    """
    procedure, k = point["P"], len(point["P"][0])
    gamma = Fraction(parity(procedure)) if in_finite_range(point) else Fraction(2)
    candidate = gamma_diagonal(gamma, k, k)
    return {
        "W_P lies beyond h_gamma and its mirror image, gamma > 1": attains_all(procedure),
        "that region is precise": k > 2 and attains_all(candidate),
    }


def corrected(point: Point) -> dict[str, Any]:
    """The same with gamma = 1, for three categories or more and positive procedures; factors, and priors for them."""
    return {
        FACTOR: share(parity(point["P"])),
        **_witness.claimed(point["P"], Fraction(point["part"])),
        WITHIN: Fraction(0),
        DIAGONAL: Fraction(parity(point["P"])),
        COLUMN: Fraction(1),
    }


def computed_again(point: Point) -> dict[str, Any]:
    """The two sides of the corrected statement; at gamma = 1 the one Bayes factor of a constant matrix is 1."""
    procedure, k = point["P"], len(point["P"][0])
    gamma = Fraction(parity(procedure))
    candidate = gamma_diagonal(gamma, k, k)
    if gamma > 1 and not (attains_all(procedure) and attains_all(candidate)):
        raise ArithmeticError("with three categories a factor between 1/gamma and gamma is not attained")
    r = _witness.claimed(procedure, Fraction(point["part"]))[_witness.ATTAINED]
    return {
        FACTOR: share(bayes_factors(procedure)[-1][1]),
        **_witness.attained(procedure, Fraction(point["part"])),
        WITHIN: _witness.distance(procedure, r),
        DIAGONAL: Fraction(parity(candidate)),
        COLUMN: sum((row[0] for row in candidate), Fraction(0)),
    }


def mutant(point: Point) -> dict[str, Any]:
    """The gamma-diagonal matrix has a thousandth more."""
    return {**corrected(point), DIAGONAL: Fraction(parity(point["P"])) * Fraction(1001, 1000)}


def working(point: Point) -> str:
    procedure = point["P"]
    k, gamma = len(procedure[0]), parity(procedure)
    lines = [
        f"P = {value_text(procedure)} has parity {value_text(gamma)} and leads to the Bayes factors "
        f"{factors_text(procedure)}"
    ]
    if in_finite_range(point) and bayes_factors(procedure) != ((1 / Fraction(gamma), gamma),):
        whole = f"{value_text(1 / Fraction(gamma))} to {value_text(gamma)}"
        lines.append(f"a region with the boundaries of gamma = {value_text(gamma)} has all from {whole}")
    if not in_finite_range(point):
        lines.append("so its region, precise by Definition 2.4, is beyond no h_gamma with 1 < gamma < infinity")
    if k == 2:
        lines.append("with k = 2 every procedure leads to finitely many Bayes factors, at most two for each response")
    return "\n".join(lines)


CLAIM = Claim(
    id="chainayak2018.sec-3-precise",
    source=f"{PAPER}, section 3, after (3.5), with Definitions 2.3 and 2.4",
    place=(3, 12),
    printed=r"It also follows that $W$ is a precise PBR if and only if its up and down breach boundaries are "
    r"$h_{(\gamma)}$ and $\tilde h_{(\gamma)}$, respectively, for some $\gamma>1$.",
    precise="For every procedure P with k >= 2 categories: W_P (the pairs that are not attained, Definition 2.3) is "
    "what lies beyond h_gamma and 1 - h_gamma(1 - p) for some gamma > 1; and for every such gamma some procedure with "
    "k categories has that region. (Of pairs with prior 0 < p < 1; at p = 0 and 1 every procedure attains p alone.)",
    variables={
        "P": Domain("a transition probability matrix, m x k", TRIED, _draw, entries={(): "x >= 0"}),
        "part": _witness.PART,
    },
    assumptions=(two_categories,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"For $k\ge3$ and positive $P$: $W$ is a precise PBR if and only if its boundaries are $h_{(\gamma)}$ and "
        r"$\tilde h_{(\gamma)}$ for some $1\le\gamma<\infty$: of a procedure of parity $\gamma$ no Bayes factor is "
        r"outside $[1/\gamma,\gamma]$ and each inside is attained; and the gamma-diagonal matrix has parity $\gamma$.",
        corrected,
        conditions=(
            Condition("k >= 3: at least three categories", lambda p: len(p["P"][0]) >= 3),
            Condition("P is positive: its parity is finite", lambda p: not isinf(parity(p["P"]))),
        ),
        computed=computed_again,
    ),
    count=240,
    working=working,
    notes="The range of gamma must change, whatever k is: a constant matrix is a procedure, and its region, all but "
    "the diagonal, is precise with gamma = 1; with an entry 0 further regions are precise, which are not determined by "
    "the parity: direct questioning attains the posteriors 0 and 1 alone, the row (2/3, 1/3, 0) attains everything "
    "(the boundaries 1 and 0 of gamma infinite). With k = 2 no region is of this form, for each procedure attains "
    "finitely many curves. (Read with the opening of the paragraph, a procedure of parity gamma > 1, only k >= 3 is "
    "missing.)"
    " At every prior 0 < p < 1 the attained posteriors are those of the attained Bayes factors, quotients of a "
    "weighted mean of likelihoods in Q and one outside, the same set at every p; it decides W_P. No factor is "
    "outside [1/gamma, gamma]. Let a and c be the largest and the least entry of a row with a/c = gamma, and b a "
    "third one, c <= b <= a. Q = {b} against a mixture of a and c attains [b/a, b/c], {b, c} against a attains "
    "[c/a, b/a], {a, b} against c attains [b/c, a/c]: together [1/gamma, gamma], whatever the other entries and "
    "rows are. So W_P is what lies beyond h_gamma and 1 - h_gamma(1 - p) for gamma the parity; if it is 1, all "
    "rows are constant, the one factor is 1, and h_1(p) = p. Conversely for gamma >= 1 and k >= 3 the gamma- "
    "diagonal matrix has parity gamma, and that region.",
)
