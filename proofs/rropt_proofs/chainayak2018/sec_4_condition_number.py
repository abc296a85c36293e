"""Section 4: the gamma-diagonal matrix has the lowest condition number among the symmetric positive definite ones."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Condition, Domain, Point, Value
from rropt.linear import LDLT, ldlt, rank
from rropt_proofs.chainayak2018._sufficiency import PAPER, Rows, gamma_diagonal, is_tpm, matrix, parity, trace

LARGEST, BELOW, OWN, ONLY = (
    "the largest eigenvalue of P is 1",
    "the condition number of P is below that of P_0",
    "that of P_0 is (gamma + k - 1)/(gamma - 1)",
    "equal condition numbers",
)
SECOND, FIRST, MEAN = (
    "the eigenvalue of P_0 at e_1 - e_2",
    "the eigenvalue of P_0 at the vector of ones",
    "the mean of the k - 1 other eigenvalues at the largest trace, over (gamma - 1)/(gamma + k - 1)",
)


def draw(rng: random.Random) -> dict[str, Any]:
    """A symmetric mixture of the constant matrix, the identity and permutations, at its own parity or above."""
    k = rng.randint(2, 4)
    weights = {tuple(range(k)): Fraction(rng.randint(1, 20))}
    for _ in range(rng.randint(0, 2)):
        order = tuple(rng.sample(range(k), k))
        weights[order] = weights.get(order, Fraction(0)) + rng.randint(1, 4)
    constant = Fraction(rng.randint(1, 9))
    total = constant + sum(weights.values())
    rows = [[constant / k / total for _ in range(k)] for _ in range(k)]
    for order, weight in weights.items():
        for i, j in enumerate(order):
            rows[i][j] += weight / total / 2
            rows[j][i] += weight / total / 2
    found = tuple(map(tuple, rows))
    return {"gamma": Fraction(parity(found)) + rng.choice((0, 0, Fraction(1, 100), 3)), "P": found}


def _shifted(rows: Rows, by: Fraction) -> Rows:
    """P - by I."""
    return tuple(tuple(x - by * int(i == j) for j, x in enumerate(row)) for i, row in enumerate(rows))


def _semidefinite(rows: Rows) -> bool:
    return isinstance(ldlt(rows), LDLT)


def _definite(rows: Rows) -> bool:
    found = ldlt(rows)
    return isinstance(found, LDLT) and min(found.diagonal) > 0


def theory(point: Point) -> dict[str, Any]:
    rows, gamma = point["case"]["P"], point["case"]["gamma"]
    return {
        LARGEST: True,
        BELOW: False,
        OWN: True,
        ONLY: rows == gamma_diagonal(len(rows), gamma),
        SECOND: (gamma - 1) / (gamma + len(rows) - 1),
        FIRST: Fraction(1),
        MEAN: Fraction(1),
    }


def computed(point: Point) -> dict[str, Any]:
    """By exact LDL^T: I - P is semidefinite and singular; P - I/kappa is not definite, kappa that of P_0."""
    rows, gamma = point["case"]["P"], point["case"]["gamma"]
    k = len(rows)
    best = gamma_diagonal(k, gamma)
    least = (gamma - 1) / (gamma + k - 1)
    opposite = tuple(tuple(-x for x in row) for row in _shifted(rows, Fraction(1)))
    return {
        LARGEST: _semidefinite(opposite) and rank(opposite) < k,
        BELOW: _definite(_shifted(rows, least)),
        OWN: rank(_shifted(best, least)) == 1 and rank(_shifted(best, Fraction(1))) == k - 1,
        ONLY: _semidefinite(_shifted(rows, least)),  # and not definite, by BELOW
        SECOND: best[0][0] - best[0][1],  # P_0 (e_1 - e_2)
        FIRST: sum(best[0], Fraction(0)),  # P_0 times the vector of ones
        MEAN: (trace(best) - 1) / (k - 1) / least,
    }


def mutant(point: Point) -> dict[str, Any]:
    """Every matrix of parity exactly gamma shares the lowest condition number."""
    return {**theory(point), ONLY: parity(point["case"]["P"]) == point["case"]["gamma"]}


def proof() -> Anchored:
    n = "(gamma + k - 1)"
    return Anchored(
        Value(of=SECOND, theory=f"(gamma - 1)/{n}", computed=f"gamma/{n} - 1/{n}"),
        Value(of=FIRST, theory=1, computed=f"gamma/{n} + (k - 1)/{n}"),
        Value(of=MEAN, theory=1, computed=f"(k*gamma/{n} - 1)/(k - 1)/((gamma - 1)/{n})"),
        at=lambda point: {"gamma": point["case"]["gamma"], "k": len(point["case"]["P"])},
        unanchored=(
            "the largest eigenvalue of P is 1, as x'(I - P) x is a sum of squares with weights p_ij: a double sum over "
            "a symmetric matrix, whose exchange has no shape",
            "the trace is the sum of the eigenvalues, and the least of k - 1 numbers is at most their mean: "
            "eigenvalues are no rational expressions of the entries",
            "the trace is at most k gamma/(gamma + k - 1), and only that of P_0 is as large: Theorem 4.4, its own "
            "entries",
        ),
        argument="A symmetric TPM has rows that sum to 1: P 1 = 1, and x'(I - P) x = (1/2) sum_{i,j} p_ij (x_i - "
        "x_j)^2 >= 0, so the largest eigenvalue is 1. The k - 1 others sum to trace(P) - 1, so the least is at most "
        "(trace(P) - 1)/(k - 1), at most (gamma - 1)/(gamma + k - 1) by Theorem 4.4 (a), and the condition number, "
        "largest over least, at least (gamma + k - 1)/(gamma - 1). P_0 = ((gamma - 1) I + J)/(gamma + k - 1), J the "
        "matrix of ones with eigenvalues k and 0, has exactly that, is symmetric and, for gamma > 1, positive "
        "definite. Equality needs the largest trace, hence P = P_0 (Theorem 4.4 (b)).",
    )


def _case(gamma: str, rows: Rows) -> dict[str, Any]:
    return {"gamma": Fraction(gamma), "P": rows}


CLAIM = Claim(
    id="chainayak2018.sec-4-condition-number",
    source=f"{PAPER}, section 4, after Theorem 4.4 (on Agrawal, Haritsa and Prakash 2009)",
    printed=r"They also proved an optimality property of $P_0$, in terms of lowest condition number, among all "
    r"symmetric positive definite $P$ with $\eta(P)\le\gamma$.",
    precise="For gamma > 1, k >= 2 and every symmetric positive definite k x k TPM P of parity at most gamma, the "
    "condition number (largest over least eigenvalue) is at least that of the gamma-diagonal matrix P_0, "
    "(gamma + k - 1)/(gamma - 1); P_0 is the only one with the lowest.",
    variables={
        "case": Domain(
            "gamma and a symmetric positive definite TPM P of parity at most gamma",
            (
                *(
                    _case(gamma, gamma_diagonal(k, Fraction(gamma)))
                    for gamma in ("101/100", "2", "9")
                    for k in (2, 3, 4)
                ),
                _case("3", matrix("2/3 1/3; 1/3 2/3")),
                _case("3", matrix("3/5 1/5 1/5; 1/5 1/2 3/10; 1/5 3/10 1/2")),
                _case("3", matrix("1/2 1/4 1/4; 1/4 1/2 1/4; 1/4 1/4 1/2")),
                _case("2", matrix("1/3 2/3; 2/3 1/3")),  # indefinite
                _case("2", matrix("1/2 1/2; 1/2 1/2")),  # singular
            ),
            draw,
        )
    },
    bound={
        "k": Domain("the number of categories", (), relation="x >= 2"),
        "gamma": Domain("the level of the case", (), relation="x > 1"),
    },
    assumptions=(
        Condition("gamma > 1", lambda p: p["case"]["gamma"] > 1),
        Condition(
            "P is a TPM of parity at most gamma",
            lambda p: is_tpm(p["case"]["P"]) and parity(p["case"]["P"]) <= p["case"]["gamma"],
        ),
        Condition("P is symmetric", lambda p: p["case"]["P"] == tuple(zip(*p["case"]["P"], strict=True))),
        Condition("P is positive definite", lambda p: _definite(p["case"]["P"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=80,
    notes="A result of another paper, quoted; it follows from Theorem 4.4 (a) in a line. That P_0 is the only such "
    "matrix is not said in the paper; it follows from Theorem 4.4 (b).",
)
