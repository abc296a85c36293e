"""Theorem 4.4 (b): the trace bound is attained by the gamma-diagonal matrix alone."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_positive
from rropt_proofs.chainayak2018._sufficiency import PAPER, Rows, gamma_diagonal, is_tpm, matrix, parity, trace
from rropt_proofs.chainayak2018._sufficiency_cores import DIAGONAL, GAMMA, TRACE, TRACE_STEPS, diagonal_core, trace_core
from rropt_proofs.chainayak2018._sufficiency_members import GAMMAS, random_tpm
from rropt_proofs.chainayak2018._sufficiency_programmes import largest_trace, trace_optimum


def draw(rng: random.Random) -> dict[str, Any]:
    """The optimum, a reordering of it, a mixture with another matrix, or any matrix at its own parity."""
    k = rng.randint(2, 3)
    gamma = rng.choice(GAMMAS)
    best = gamma_diagonal(k, gamma)
    kind = rng.choice(("optimum", "reordered", "mixed", "any"))
    if kind == "optimum":
        return {"gamma": gamma, "P": best}
    if kind == "reordered":
        return {"gamma": gamma, "P": tuple(rng.sample(best, k))}
    other = random_tpm(k, k, rng, least=1)
    if kind == "any":
        return {"gamma": Fraction(parity(other)) + rng.choice((0, 0, Fraction(1, 100))), "P": other}
    share = Fraction(1, rng.choice((2, 100)))
    mixed = tuple(
        tuple((1 - share) * x + share * y for x, y in zip(*rows, strict=True)) for rows in zip(best, other, strict=True)
    )
    return {"gamma": max(gamma, Fraction(parity(mixed))), "P": mixed}


def theory(point: Point) -> dict[str, Any]:
    rows, gamma = point["case"]["P"], point["case"]["gamma"]
    best = gamma_diagonal(len(rows), gamma)
    return {"P attains the bound": rows == best, "the only matrix that does": best}


def computed(point: Point) -> dict[str, Any]:
    """The largest trace, and every entry maximised and minimised at it, by exact linear programmes."""
    rows, gamma = point["case"]["P"], point["case"]["gamma"]
    k = len(rows)
    return {
        "P attains the bound": trace(rows) == largest_trace(k, gamma),
        "the only matrix that does": trace_optimum(k, gamma),
    }


def mutant(point: Point) -> dict[str, Any]:
    """Attained by the reorderings of the matrix as well."""
    rows, gamma = point["case"]["P"], point["case"]["gamma"]
    best = gamma_diagonal(len(rows), gamma)
    return {"P attains the bound": sorted(rows) == sorted(best), "the only matrix that does": best}


def proof() -> Proof:
    return Proof(
        scope="all gamma > 1, all k",
        argument=TRACE + " " + DIAGONAL,
        certificates=(*trace_core(), *diagonal_core()),
        unchecked_steps=(*TRACE_STEPS, "a sum of nonnegative terms that is 0 has only zero terms"),
    )


def mutant_proof() -> object:
    """All diagonal entries equal without gamma > 1."""
    x, y = sp.symbols("x y")
    return prove_positive((GAMMA - 1) * (x - y), [Hypothesis(x - y), Hypothesis(GAMMA)], strict=True, degree=2)


def _case(gamma: str, rows: Rows) -> dict[str, Any]:
    return {"gamma": Fraction(gamma), "P": rows}


CLAIM = Claim(
    id="chainayak2018.theorem-4.4b",
    source=f"{PAPER}, Theorem 4.4 (b)",
    printed=r"$P$ attains the upper bound in (a) if and only if $p_{ii}=\frac{\gamma}{\gamma+k-1}$ for all $i$ and "
    r"$p_{ij}=\frac{1}{\gamma+k-1}$ for all $i\ne j$.",
    precise="For gamma > 1 a k x k TPM of parity at most gamma has the trace k gamma / (gamma + k - 1) if and only if "
    "it is the gamma-diagonal matrix P_0.",
    variables={
        "case": Domain(
            "gamma and a k x k TPM P meant to be of parity at most gamma",
            (
                *(_case(str(gamma), gamma_diagonal(k, gamma)) for gamma in GAMMAS[:3] for k in (1, 2, 3)),
                _case("2", gamma_diagonal(4, Fraction(2))),
                _case("2", matrix("1/3 2/3; 2/3 1/3")),
                _case("2", matrix("2/5 2/5 1/5; 2/5 1/5 2/5; 1/5 2/5 2/5")),
                _case("1", matrix("1/3 1/3; 2/3 2/3")),  # gamma = 1: every constant matrix has trace 1
            ),
            draw,
        )
    },
    assumptions=(
        Condition("gamma > 1 (stated at the beginning of section 4)", lambda p: p["case"]["gamma"] > 1),
        Condition(
            "P is a square TPM of parity at most gamma",
            lambda p: is_tpm(p["case"]["P"]) and parity(p["case"]["P"]) <= p["case"]["gamma"],
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    mutant_proof=mutant_proof,
    count=40,
    notes="gamma > 1 is stated once for section 4; at gamma = 1 every matrix with constant rows attains the bound 1.",
)
