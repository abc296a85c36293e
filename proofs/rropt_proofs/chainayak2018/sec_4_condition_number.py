"""Section 4: the gamma-diagonal matrix has the lowest condition number among the symmetric positive definite ones."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt.core.linear import rank
from rropt_proofs._semidefinite import LDLT, ldlt
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import Rows, gamma_diagonal, is_tpm, matrix, parity

KAPPA, ONES, ONLY = (
    "the quotients of x'P x and x'x at the vector of ones and at e_j - (1/k, ..., 1/k), the first over the second",
    "an entry of P times the vector of ones",
    "the largest difference of an entry of P from that of P_0",
)
SECOND, FIRST = "the eigenvalue of P_0 at e_1 - e_2", "the eigenvalue of P_0 at the vector of ones"


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


def _known(rows: Rows, gamma: Fraction) -> Fraction:
    """A number that no eigenvalue of P is below: the second eigenvalue of P_0, or that halved until it is one."""
    found = (gamma - 1) / (gamma + len(rows) - 1)
    while not _semidefinite(_shifted(rows, found)):
        found /= 2
    return found


def _quotient(rows: Rows, x: list[Fraction]) -> Fraction:
    """x'P x over x'x, by its double sum."""
    size = range(len(rows))
    return sum((x[u] * rows[u][v] * x[v] for u in size for v in size), Fraction(0)) / sum(y * y for y in x)


def _least(rows: Rows) -> int:
    """The category of the least diagonal entry."""
    return min(range(len(rows)), key=lambda j: rows[j][j])


def theory(point: Point) -> dict[str, Any]:
    rows, gamma = point["case"]["P"], point["case"]["gamma"]
    k = len(rows)
    second = (gamma - 1) / (gamma + k - 1)
    missed = second - _known(rows, gamma)
    return {
        KAPPA: Bound("at-least", 1 / second),
        ONES: Fraction(1),
        ONLY: Bound("at-most", missed * (k - 1) ** 2 / k),
        SECOND: second,
        FIRST: Fraction(1),
    }


def computed(point: Point) -> dict[str, Any]:
    """The quotients; by exact LDL^T the eigenvalues are what they say, and one is as low as the second of P_0."""
    rows, gamma = point["case"]["P"], point["case"]["gamma"]
    k, j = len(rows), _least(rows)
    best, second = gamma_diagonal(gamma, k, k), (gamma - 1) / (gamma + k - 1)
    opposite = tuple(tuple(-x for x in row) for row in _shifted(rows, Fraction(1)))
    if not (_semidefinite(opposite) and rank(opposite) < k):
        raise ArithmeticError("1 is the largest eigenvalue")
    if rank(_shifted(best, second)) != 1 or rank(_shifted(best, Fraction(1))) != k - 1:
        raise ArithmeticError("P_0 has the eigenvalue 1 once and the other k - 1 times")
    low = _quotient(rows, [int(u == j) - Fraction(1, k) for u in range(k)])
    if low <= second and _definite(_shifted(rows, second)):
        raise ArithmeticError("an eigenvalue is at most the quotient")
    return {
        KAPPA: _quotient(rows, [Fraction(1)] * k) / low,
        ONES: sum(rows[j], Fraction(0)),
        ONLY: max(abs(x - y) for row, other in zip(rows, best, strict=True) for x, y in zip(row, other, strict=True)),
        SECOND: best[0][0] - best[0][1],  # P_0 (e_1 - e_2)
        FIRST: sum(best[0], Fraction(0)),  # P_0 times the vector of ones
    }


def mutant(point: Point) -> dict[str, Any]:
    """The lowest condition number is a thousandth higher."""
    said = theory(point)
    return {**said, KAPPA: Bound("at-least", Fraction(1001, 1000) / said[SECOND])}


def _case(gamma: str, rows: Rows) -> dict[str, Any]:
    return {"gamma": Fraction(gamma), "P": rows}


CLAIM = Claim(
    id="chainayak2018.sec-4-condition-number",
    source=f"{PAPER}, section 4, after Theorem 4.4 (on Agrawal, Haritsa and Prakash 2009)",
    place=(4, 16),
    printed=r"They also proved an optimality property of $P_0$, in terms of lowest condition number, among all "
    r"symmetric positive definite $P$ with $\eta(P)\le\gamma$.",
    precise="For gamma > 1, k >= 2 and every symmetric positive definite k x k TPM P of parity at most gamma, the "
    "condition number (largest over least eigenvalue) is at least that of the gamma-diagonal matrix P_0, "
    "(gamma + k - 1)/(gamma - 1); P_0 is the only one with the lowest. In numbers: 1 is an eigenvalue, and the "
    "quotient x'P x/x'x, which the least eigenvalue does not exceed, is at some x at most (gamma - 1)/(gamma + k - 1), "
    "the second eigenvalue of P_0; if no eigenvalue of P is below a number that falls short of this one by s, no entry "
    "of P differs by more than s (k - 1)^2/k from that of P_0.",
    variables={
        "case": Domain(
            "gamma and a symmetric positive definite TPM P of parity at most gamma",
            (
                *(
                    _case(gamma, gamma_diagonal(Fraction(gamma), k, k))
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
    count=80,
    notes="A result of another paper, quoted; it follows from Theorem 4.4 (a) in a line. That P_0 is the only such "
    "matrix is not said in the paper; it follows from Theorem 4.4 (b)."
    " A symmetric TPM has rows that sum to 1, so that 1 is an eigenvalue, at the vector of ones. No eigenvalue is "
    "above the largest, and the least is at most x'P x/x'x = (k p_jj - 1)/(k - 1) at x = e_j - (1/k, ..., 1/k). "
    "In the column of the least diagonal entry gamma (1 - p_jj) is at least the sum of the other diagonal "
    "entries, (k - 1) p_jj. P_0 = ((gamma - 1) I + J)/(gamma + k - 1), J the matrix of ones, has these two "
    "eigenvalues. If no eigenvalue of P is below a number, no diagonal entry is below what that makes of the "
    "quotient; so entries, and by the columns' sums the others, are as close to those of P_0 as the number is to "
    "its second eigenvalue: P = P_0 where they are equal.",
)
