"""Section 1: linearly dependent columns leave pi unidentifiable."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import fmpq, fmpq_mat

from rropt.claims import Claim, Domain, Point, Proof
from rropt.claims.positivity import prove_identity
from rropt_proofs._matrices import matrix
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._paper import MATRICES, Matrix, draw_matrix


def _flint(procedure: Matrix) -> fmpq_mat:
    return fmpq_mat([[fmpq(x.numerator, x.denominator) for x in row] for row in procedure])


def _dependent(procedure: Matrix) -> bool:
    """The Gram determinant det(P'P), which is the sum of the squares of all k x k minors, is 0."""
    p = _flint(procedure)
    return (p.transpose() * p).det() == 0


def theory(point: Point) -> dict[str, bool]:
    dependent = _dependent(point["P"])
    return {"two pi with one lambda": dependent, "lambda determines pi": not dependent, "m < k is a case of it": True}


def _kernel(procedure: Matrix) -> list[Fraction] | None:
    """Return a vector v with P v = 0, v != 0, read off the reduced row echelon form; None when there is none."""
    k = len(procedure[0])
    echelon, rank = _flint(procedure).rref()
    if rank == k:
        return None
    leads = [next(j for j in range(k) if echelon[u, j] != 0) for u in range(rank)]
    free = next(j for j in range(k) if j not in leads)
    v = [Fraction(0)] * k
    v[free] = Fraction(1)
    for u, j in enumerate(leads):
        v[j] = -Fraction(str(echelon[u, free]))
    return v


def _answers(procedure: Matrix, pi: list[Fraction]) -> list[Fraction]:
    return [sum((x * y for x, y in zip(row, pi, strict=True)), Fraction(0)) for row in procedure]


def computed(point: Point) -> dict[str, bool]:
    """Two population distributions with the same lambda, constructed; or a matrix that recovers pi from lambda."""
    procedure = point["P"]
    k, v = len(procedure[0]), _kernel(procedure)
    pair = False
    if v is not None:
        size = 1 / (k * max(abs(x) for x in v))
        first = [Fraction(1, k)] * k
        second = [a + size * x for a, x in zip(first, v, strict=True)]
        are_distributions = min(second) >= 0 and sum(second) == 1
        pair = are_distributions and first != second and _answers(procedure, first) == _answers(procedure, second)
    return {
        "two pi with one lambda": pair,
        "lambda determines pi": _has_left_inverse(procedure),
        "m < k is a case of it": len(procedure) >= k or pair,
    }


def _has_left_inverse(procedure: Matrix) -> bool:
    p = _flint(procedure)
    gram = p.transpose() * p
    if gram.det() == 0:
        return False
    inverse = gram.inv() * p.transpose()
    k = p.ncols()
    return bool(inverse * p == fmpq_mat([[int(i == j) for j in range(k)] for i in range(k)]))


def mutant(point: Point) -> dict[str, bool]:
    """m < k alone in the place of dependent columns."""
    fewer = len(point["P"]) < len(point["P"][0])
    return {"two pi with one lambda": fewer, "lambda determines pi": not fewer, "m < k is a case of it": True}


def proof() -> Proof:
    x1, x2, y1, y2, u, v, t, a, b = sp.symbols("x1 x2 y1 y2 u v t a b")
    first, second = [x1, y1, 1 - x1 - y1], [x2, y2, 1 - x2 - y2]
    return Proof(
        scope="all m, k, all procedures",
        argument="Let P v = 0 with v != 0. The columns of P sum to 1, so the entries of P v sum to the sum of v, which "
        "is 0 therefore. The distributions pi = (1/k, ..., 1/k) and pi + t v, t > 0 small, both sum to 1 and are "
        "nonnegative; they differ, and P (pi + t v) = P pi. The sample has the same law under both, so no "
        "function of it has expectation pi under both: pi is not estimable. If m < k, k vectors in m dimensions are "
        "dependent. Conversely, if the columns are independent and P v = 0 only for v = 0, then P'P v = 0 gives |P "
        "v|^2 = v'P'P v = 0, so v = 0: P'P has an inverse, and (P'P)^-1 P' lambda = (P'P)^-1 P'P pi = pi for every pi. "
        "No two pi have the same lambda, and the shares of the answers, put for lambda, have mean lambda: this linear "
        "function of them is unbiased for pi.",
        certificates=(
            (
                "the entries of P v sum to the sum of v (two columns of three entries)",
                prove_identity(sum(u * p + v * q for p, q in zip(first, second, strict=True)), u + v),
            ),
            (
                "one entry of P (pi + t v)",
                prove_identity(x1 * (a + t * u) + x2 * (b + t * v) - t * (x1 * u + x2 * v), x1 * a + x2 * b),
            ),
        ),
        unchecked_steps=(
            "sums over m rows and k columns: the certificates are of few entries, and no fold goes through all",
            "more vectors than dimensions are dependent: that a vector exists is no expression",
            "a sum of squares is 0 only where every square is; a square matrix with the kernel 0 has an inverse: that "
            "a matrix exists is no expression",
        ),
    )


MORE = (
    matrix("1/2 1/2 1/2; 1/2 1/2 1/2"),
    matrix("2/3 2/3 1/3; 1/3 1/3 2/3; 0 0 0"),
    matrix("1/2 1/3 5/12; 1/4 1/3 7/24; 1/4 1/3 7/24"),
)

CLAIM = Claim(
    id="chainayak2018.sec-1-identifiability",
    source=f"{PAPER}, section 1, after (1.1)",
    place=(1, 1),
    printed=r"If $m<k$, or more generally if the columns of $P$ are not linearly independent, the model for $Z$ is not "
    r"identifiable with respect to $\pi$ and hence $\pi$ is not estimable.",
    precise="The columns of P are dependent (det(P'P) = 0; always so when m < k) if and only if two distributions pi "
    "have the same lambda = P pi. (The converse, which the next sentence of the paper uses, is checked too: otherwise "
    "a matrix recovers pi from lambda.)",
    variables={"P": Domain("a transition probability matrix, m x k", MATRICES + MORE, draw_matrix)},
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    notes="The statement is about the model: a single pi at the edge of the simplex, such as pi = (0, 0, 1) under two "
    "equal first columns, may still be the only one with its lambda.",
)
