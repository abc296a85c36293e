"""Section 3: is the breach region of a procedure determined by its parity alone?"""

from __future__ import annotations

import random
from fractions import Fraction
from math import isinf

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.claims.outcomes import value_text
from rropt.positivity import prove_identity
from rropt_proofs.chainayak2018._paper import (
    FACTOR_STEPS,
    PAPER,
    Matrix,
    bayes_factors,
    factor_certificates,
    factors_text,
    gamma_diagonal,
    matrix,
    parity,
)
from rropt_proofs.chainayak2018._regions import ARGUMENT, attains_all, draw_of_parity, middle_certificates

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


def theory(_: Point) -> bool:
    """The two regions are the same."""
    return True


def computed(point: Point) -> bool:
    """Whether the same Bayes factors, and so the same pairs (prior, posterior), are attained."""
    first, second = point["pair"]
    for procedure in (first, second):
        if len(procedure[0]) >= 3 and not attains_all(procedure):
            return False
    return bayes_factors(first) == bayes_factors(second)


def mutant(point: Point) -> bool:
    """The same exactly when the numbers of responses are."""
    first, second = point["pair"]
    return len(first) == len(second)


def proof() -> Proof:
    return Proof(
        scope="all m, all k >= 3, all procedures with parity gamma, 1 < gamma < infinity",
        argument=ARGUMENT,
        certificates=(*factor_certificates(), *middle_certificates()),
        unchecked_steps=(*FACTOR_STEPS, "the union of three intervals with common ends"),
    )


def mutant_proof() -> object:
    """Two categories: the one Bayes factor a/c for every r."""
    a, c, r = sp.symbols("a c r")
    return prove_identity(a / c, r)


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
    printed=r"Consider an RR procedure $P$ with $\eta(P)=\gamma>1$. Note that the PBR of $P$ is determined only by its "
    r"parity. So, all $P$ with a common parity have the same PBR.",
    precise="Two procedures with k >= 2 categories each and the same parity gamma, 1 < gamma < infinity, attain the "
    "same pairs (prior, posterior), over all responses, priors and properties (Definition 2.3: the PBR is the "
    "complement).",
    variables={"pair": Domain("two procedures", PAIRS, _draw)},
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
    proof=proof,
    mutant_proof=mutant_proof,
    working=working,
    notes="With two categories each response has one Bayes factor p_i1/p_i2 (and its inverse), so the attained pairs "
    "are finitely many curves, not the whole band: the two boundaries are determined by the parity, the region of "
    "Definition 2.3 is not. With infinite parity, outside the paragraph's gamma, three categories do not suffice "
    "either: direct questioning leads to the posteriors 0 and 1 alone, the row (2/3, 1/3, 0) to all.",
)
