"""Proposition 4.1: for two categories one procedure is sufficient for all others."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.linear import solve_square
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.chainayak2018._sufficiency import (
    PAPER,
    Rows,
    extreme_rows,
    gamma_diagonal,
    garbles,
    in_class,
    is_tpm,
    matrix,
    parity,
)
from rropt_proofs.chainayak2018._sufficiency_cores import GAMMA
from rropt_proofs.chainayak2018._sufficiency_members import GAMMAS, random_tpm


def draw(rng: random.Random) -> dict[str, Any]:
    """Any two columns, at their own parity or above."""
    rows = random_tpm(rng.randint(2, 5), 2, rng, least=1)
    exact = parity(rows)
    gamma = Fraction(exact) + rng.choice((Fraction(0), Fraction(1, 100), Fraction(1), Fraction(5)))
    return {"gamma": gamma, "P": rows}


def _optimum(gamma: Fraction) -> Rows:
    """Return the procedure whose rows are all extreme rows of C_gamma for k = 2, by vertices and a linear system."""
    rays = extreme_rows(2, gamma)
    weights = list(solve_square(tuple(zip(*rays, strict=True)), [1, 1]))
    return tuple(tuple(Fraction(w) * x for x in ray) for w, ray in zip(weights, rays, strict=True))


def theory(point: Point) -> dict[str, Any]:
    gamma = Fraction(point["case"]["gamma"])
    high, low = gamma / (gamma + 1), 1 / (gamma + 1)
    return {"the optimum, rows in any order": frozenset({(high, low), (low, high)}), "sufficient for P": True}


def computed(point: Point) -> dict[str, Any]:
    best = _optimum(point["case"]["gamma"])
    member = is_tpm(best) and in_class(best, point["case"]["gamma"])
    return {
        "the optimum, rows in any order": frozenset(best) if member else None,
        "sufficient for P": garbles(best, point["case"]["P"]),
    }


def mutant(point: Point) -> dict[str, Any]:
    """gamma / (gamma + 2) in the place of gamma / (gamma + 1)."""
    gamma = Fraction(point["case"]["gamma"])
    high = (gamma + 1) / (gamma + 2)
    return {**theory(point), "the optimum, rows in any order": frozenset({(high, 1 - high), (1 - high, high)})}


def proof() -> Proof:
    x, y = sp.symbols("x y")
    first, second = ((GAMMA * x - y) / (GAMMA - 1), (GAMMA * y - x) / (GAMMA - 1))
    high, low = GAMMA / (GAMMA + 1), 1 / (GAMMA + 1)
    inside = [Hypothesis(GAMMA * x - y), Hypothesis(GAMMA * y - x), Hypothesis(GAMMA - 1, strict=True)]
    return Proof(
        scope="all gamma > 1, k = 2, all m",
        argument="Let P_W be the stated matrix and (x, y) a row of P in C_gamma. With c_1 = (gamma x - y)/(gamma - 1) "
        "and c_2 = (gamma y - x)/(gamma - 1), both nonnegative, (x, y) = c_1 (row 1 of P_W) + c_2 (row 2 of P_W). The "
        "columns of P sum to 1, so the c_1 of all rows sum to (gamma - 1)/(gamma - 1) = 1, and so do the c_2: P = C "
        "P_W with a TPM C. P_W is in C_gamma: its parity is gamma, and its rows are not proportional for gamma > 1. So "
        "P_W is sufficient for every member, and optimal for every inference problem. If another member is, it is "
        "equivalent to P_W, hence P_W with its rows in some order (Theorem 4.1).",
        certificates=(
            ("the first entry", prove_identity(first * high + second * low, x)),
            ("the second entry", prove_identity(first * low + second * high, y)),
            (
                "c_1 is nonnegative, times (gamma - 1)^2",
                prove_positive((GAMMA - 1) * (GAMMA * x - y), inside, degree=2),
            ),
            (
                "c_2 is nonnegative, times (gamma - 1)^2",
                prove_positive((GAMMA - 1) * (GAMMA * y - x), inside, degree=2),
            ),
            (
                "c_1 of two rows (x, y) and (1 - x, 1 - y) sum to 1",
                prove_identity(first + first.subs({x: 1 - x, y: 1 - y}, simultaneous=True), sp.Integer(1)),
            ),
            ("columns of P_W sum to 1", prove_identity(high + low, sp.Integer(1))),
        ),
        unchecked_steps=("the sum of c_1, linear in (x, y), over the rows of P",),
    )


def mutant_proof() -> object:
    """c_1 of a smaller optimum, with parity below gamma: a multiple of (99/100) gamma x - y."""
    x, y = sp.symbols("x y")
    inside = [Hypothesis(GAMMA * x - y), Hypothesis(GAMMA * y - x), Hypothesis(GAMMA - 1, strict=True)]
    return prove_positive(sp.Rational(99, 100) * GAMMA * x - y, inside, degree=2)


_SEVERAL = ("2/3 1/3; 1/3 2/3", "3/5 2/5; 2/5 3/5", "1/2 1/4; 1/4 1/2; 1/4 1/4", "1/2 1/2; 1/3 1/6; 1/6 1/3")

CLAIM = Claim(
    id="chainayak2018.proposition-4.1",
    source=f"{PAPER}, Proposition 4.1",
    printed=r"For binary $X$ (i.e., $k=2$), an optimal procedure at privacy level $\gamma$ is given by $m=2$, "
    r"$p_{11}=p_{22}=\gamma(\gamma+1)^{-1}$ and $p_{12}=p_{21}=(\gamma+1)^{-1}$.",
    precise="Let gamma > 1 and k = 2. The stated matrix is in C_gamma and sufficient for every P in C_gamma, with any "
    "number of rows; it and its reordering are the only members of C_gamma^0.",
    variables={
        "case": Domain(
            "gamma > 1 and a matrix P with two columns, meant to be in C_gamma",
            (
                *({"gamma": Fraction(2), "P": matrix(rows)} for rows in _SEVERAL),
                *({"gamma": gamma, "P": gamma_diagonal(2, gamma)} for gamma in GAMMAS),
                {"gamma": Fraction(1), "P": matrix("1/2 1/2; 1/2 1/2")},  # gamma = 1: C_gamma is empty
            ),
            draw,
        )
    },
    assumptions=(Condition("P is in C_gamma, gamma > 1", lambda p: in_class(p["case"]["P"], p["case"]["gamma"])),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    count=100,
    notes="Optimal in the strongest sense: it garbles to every procedure at the level, so no loss function prefers "
    "another one.",
)
