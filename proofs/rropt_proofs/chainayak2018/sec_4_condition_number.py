"""Section 4: the gamma-diagonal matrix has the lowest condition number among the symmetric positive definite ones."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.linear import LDLT, ldlt, rank
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.chainayak2018._sufficiency import PAPER, Rows, gamma_diagonal, is_tpm, matrix, parity
from rropt_proofs.chainayak2018._sufficiency_cores import GAMMA, TRACE, TRACE_STEPS, trace_core

LARGEST, BELOW, OWN, ONLY = (
    "the largest eigenvalue of P is 1",
    "the condition number of P is below that of P_0",
    "that of P_0 is (gamma + k - 1)/(gamma - 1)",
    "equal condition numbers",
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


def theory(point: Point) -> dict[str, bool]:
    rows, gamma = point["case"]["P"], point["case"]["gamma"]
    return {LARGEST: True, BELOW: False, OWN: True, ONLY: rows == gamma_diagonal(len(rows), gamma)}


def computed(point: Point) -> dict[str, bool]:
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
    }


def mutant(point: Point) -> dict[str, bool]:
    """Every matrix of parity exactly gamma shares the lowest condition number."""
    return {**theory(point), ONLY: parity(point["case"]["P"]) == point["case"]["gamma"]}


def proof() -> Proof:
    k, trace = sp.symbols("k tau")
    least = (GAMMA - 1) / (GAMMA + k - 1)
    found = [
        (
            "((trace bound) - 1)/(k - 1) = (gamma - 1)/(gamma + k - 1)",
            prove_identity((k * GAMMA / (GAMMA + k - 1) - 1) / (k - 1), least),
        ),
        ("the second eigenvalue of P_0", prove_identity(GAMMA / (GAMMA + k - 1) - 1 / (GAMMA + k - 1), least)),
        ("the first eigenvalue of P_0", prove_identity(least + k / (GAMMA + k - 1), sp.Integer(1))),
        (
            "trace - 1 against k - 1 times the bound: the slack of Theorem 4.4 (a)",
            prove_identity((GAMMA - 1) * (k - 1) - (GAMMA + k - 1) * (trace - 1), k * GAMMA - (GAMMA + k - 1) * trace),
        ),
    ]
    for size in (2, 3, 4):
        found.append((f"x'(I - P) x as a sum of squares, k = {size}", _energy(size)))
    return Proof(
        scope="all gamma > 1, all k >= 2",
        argument="A symmetric TPM has rows that sum to 1: P 1 = 1, and x'(I - P) x = (1/2) sum_{i,j} p_ij (x_i - "
        "x_j)^2 >= 0, so the largest eigenvalue is 1. The k - 1 others sum to trace(P) - 1, so the least is at most "
        "(trace(P) - 1)/(k - 1). " + TRACE + " So the least eigenvalue is at most (gamma - 1)/(gamma + k - 1), and the "
        "condition number, largest over least, at least (gamma + k - 1)/(gamma - 1). P_0 = ((gamma - 1) I + J)/(gamma "
        "+ k - 1), J the matrix of ones with eigenvalues k and 0, has exactly that, is symmetric and, for gamma > 1, "
        "positive definite. Equality needs the largest trace, hence P = P_0 (Theorem 4.4 (b)).",
        certificates=(*trace_core(), *found),
        unchecked_steps=(
            *TRACE_STEPS,
            "the trace is the sum of the eigenvalues; the least of k - 1 numbers is at most their mean",
            "x'(I - P) x for k > 4",
            "the eigenvalues of J",
        ),
    )


def _energy(size: int) -> Any:
    """The identity x'(I - P) x = sum_{i<j} p_ij (x_i - x_j)^2 for a symmetric P with rows that sum to 1."""
    x = sp.symbols(f"x1:{size + 1}")
    off = {(i, j): sp.Symbol(f"p{i + 1}{j + 1}") for i in range(size) for j in range(size) if i < j}
    entry = [[off[min(i, j), max(i, j)] if i != j else 0 for j in range(size)] for i in range(size)]
    for i in range(size):
        entry[i][i] = 1 - sum(entry[i][j] for j in range(size) if j != i)
    form = sum(x[i] ** 2 for i in range(size)) - sum(
        x[i] * entry[i][j] * x[j] for i in range(size) for j in range(size)
    )
    return prove_identity(sp.expand(form), sum(p * (x[i] - x[j]) ** 2 for (i, j), p in off.items()))


def mutant_proof() -> object:
    """The trace bound with gamma + k, for k = 2."""
    p = [[sp.Symbol(f"p{i}{j}") for j in range(2)] for i in range(2)]
    hypotheses = [Hypothesis(GAMMA * p[i][1 - i] - p[i][i]) for i in range(2)]
    bound = sum(GAMMA * p[i][j] for i in range(2) for j in range(2))
    return prove_positive(sp.expand(bound - (GAMMA + 2) * (p[0][0] + p[1][1])), hypotheses, degree=1)


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
    mutant_proof=mutant_proof,
    count=80,
    notes="A result of another paper, quoted; it follows from Theorem 4.4 (a) in a line. That P_0 is the only such "
    "matrix is not said in the paper; it follows from Theorem 4.4 (b).",
)
