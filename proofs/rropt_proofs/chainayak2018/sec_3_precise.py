"""Section 3: which breach regions are precise."""

from __future__ import annotations

import random
from fractions import Fraction
from math import isinf

import sympy as sp

from rropt.claims import Claim, Condition, Correction, Domain, Point, Proof
from rropt.claims.outcomes import value_text
from rropt.positivity import prove_identity
from rropt_proofs.chainayak2018._paper import (
    FACTOR_STEPS,
    PAPER,
    Matrix,
    bayes_factors,
    draw_matrix,
    factor_certificates,
    factors_text,
    gamma_diagonal,
    in_finite_range,
    matrix,
    parity,
    two_categories,
)
from rropt_proofs.chainayak2018._regions import ARGUMENT, attains_all, draw_of_parity, middle_certificates

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


def corrected(_: Point) -> dict[str, bool]:
    """The same with gamma = 1, for three categories or more and positive procedures."""
    return {"W_P lies beyond h_gamma and its mirror image, gamma >= 1": True, "that region is precise": True}


def computed_again(point: Point) -> dict[str, bool]:
    """The two sides of the corrected statement; at gamma = 1 the one Bayes factor of a constant matrix is 1."""
    procedure, k = point["P"], len(point["P"][0])
    gamma = Fraction(parity(procedure))
    candidate = gamma_diagonal(gamma, k, k)
    one = ((Fraction(1), Fraction(1)),)
    return {
        "W_P lies beyond h_gamma and its mirror image, gamma >= 1": attains_all(procedure)
        if gamma > 1
        else bayes_factors(procedure) == one,
        "that region is precise": attains_all(candidate) if gamma > 1 else bayes_factors(candidate) == one,
    }


def mutant(point: Point) -> dict[str, bool]:
    """The same for square matrices alone."""
    square = len(point["P"]) == len(point["P"][0])
    return {"W_P lies beyond h_gamma and its mirror image, gamma > 1": square, "that region is precise": True}


def proof() -> Proof:
    gamma, k = sp.symbols("gamma k")
    below = gamma + k - 1
    return Proof(
        scope="the corrected statement: all m, all k >= 3, all positive procedures, 1 <= gamma < infinity",
        argument=f"{ARGUMENT} So W_P is what lies beyond h_gamma and 1 - h_gamma(1 - p) for gamma the parity; if it is "
        "1, all rows are constant, the one factor is 1, and h_1(p) = p. "
        "Conversely for gamma >= 1 and k >= 3 the gamma-diagonal matrix has parity gamma, and that region.",
        certificates=(
            *factor_certificates(),
            *middle_certificates(),
            ("a column of the gamma-diagonal matrix", prove_identity(gamma / below + (k - 1) / below, 1)),
            ("its parity", prove_identity((gamma / below) / (1 / below), gamma)),
        ),
        unchecked_steps=(*FACTOR_STEPS, "the union of three intervals with common ends"),
    )


def mutant_proof() -> object:
    """Two categories: the one Bayes factor a/c for every r."""
    a, c, r = sp.symbols("a c r")
    return prove_identity(a / c, r)


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
    printed=r"It also follows that $W$ is a precise PBR if and only if its up and down breach boundaries are "
    r"$h_{(\gamma)}$ and $\tilde h_{(\gamma)}$, respectively, for some $\gamma>1$.",
    precise="For every procedure P with k >= 2 categories: W_P (the pairs that are not attained, Definition 2.3) is "
    "what lies beyond h_gamma and 1 - h_gamma(1 - p) for some gamma > 1; and for every such gamma some procedure with "
    "k categories has that region. (Of pairs with prior 0 < p < 1; at p = 0 and 1 every procedure attains p alone.)",
    variables={"P": Domain("a transition probability matrix, m x k", TRIED, _draw)},
    assumptions=(two_categories,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"For $k\ge3$ and positive $P$: $W$ is a precise PBR if and only if its boundaries are $h_{(\gamma)}$ and "
        r"$\tilde h_{(\gamma)}$ for some $1\le\gamma<\infty$.",
        corrected,
        conditions=(
            Condition("k >= 3: at least three categories", lambda p: len(p["P"][0]) >= 3),
            Condition("P is positive: its parity is finite", lambda p: not isinf(parity(p["P"]))),
        ),
        computed=computed_again,
    ),
    proof=proof,
    mutant_proof=mutant_proof,
    working=working,
    notes="The range of gamma must change, whatever k is: a constant matrix is a procedure, and its region, all but "
    "the diagonal, is precise with gamma = 1; with an entry 0 further regions are precise, which are not determined by "
    "the parity: direct questioning attains the posteriors 0 and 1 alone, the row (2/3, 1/3, 0) attains everything "
    "(the boundaries 1 and 0 of gamma infinite). With k = 2 no region is of this form, for each procedure attains "
    "finitely many curves. (Read with the opening of the paragraph, a procedure of parity gamma > 1, only k >= 3 is "
    "missing.)",
)
