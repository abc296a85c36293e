"""Lemma 4.3: the constant row can be removed."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.chainayak2018._sufficiency import (
    PAPER,
    Rows,
    garbles,
    in_class,
    is_tpm,
    product,
    refined,
    row_parity,
    satisfies_c1,
)
from rropt_proofs.chainayak2018._sufficiency_cores import GAMMA
from rropt_proofs.chainayak2018._sufficiency_members import IN_CLASS, members, unpack


def _removed(rows: Rows) -> tuple[Rows, Rows, Rows]:
    """Return A with the constant row first, P without it, and the C of the printed proof."""
    first = next(i for i, row in enumerate(rows) if len(set(row)) == 1)
    ordered = (rows[first], *(row for i, row in enumerate(rows) if i != first))
    delta = ordered[0][0]
    rest = tuple(tuple(x / (1 - delta) for x in row) for row in ordered[1:])
    size = len(rest)
    kernel = [[delta] * size] + [[(1 - delta) * int(i == u) for u in range(size)] for i in range(size)]
    return ordered, rest, tuple(tuple(Fraction(x) for x in row) for row in kernel)


def theory(_: Point) -> dict[str, bool]:
    return {"such a P exists": True, "P without the row, and C, as constructed": True, "exactly one constant row": True}


def computed(point: Point) -> dict[str, bool]:
    """Existence by splitting A along the extreme rows, which does not use the construction; then the construction."""
    rows, gamma = unpack(point)
    found = refined(rows, gamma)
    ordered, rest, kernel = _removed(rows)
    return {
        "such a P exists": in_class(found, gamma) and garbles(found, rows) and satisfies_c1(found, gamma),
        "P without the row, and C, as constructed": in_class(rest, gamma)
        and satisfies_c1(rest, gamma)
        and is_tpm(kernel)
        and product(kernel, rest) == ordered,
        "exactly one constant row": sum(len(set(row)) == 1 for row in rows) == 1,
    }


def mutant(point: Point) -> dict[str, bool]:
    """The construction leaves at least three rows."""
    return {**theory(point), "P without the row, and C, as constructed": len(point["case"]["P"]) > 3}


def proof() -> Proof:
    d, a, b, total, p = sp.symbols("delta a b sigma p")
    low, high = sp.symbols("low high")
    minor = a * b - low * high
    return Proof(
        scope="all gamma > 1, all k and m, all such A",
        argument="Two constant rows are proportional, so there is one, of value delta. A second row exists (m >= 2) "
        "and is positive, so delta < 1. If m were 2 the other row would be 1 - delta, constant and proportional; so m "
        ">= 3, and P, the other rows divided by 1 - delta, has at least two rows. Its columns sum to (1 - delta)/(1 - "
        "delta) = 1, its ratios are those of A, so every row has parity gamma and no two are proportional. The first "
        "row of C P is delta times the column sums 1 of P, the others are (1 - delta) times those of P; the columns of "
        "C sum to delta + (1 - delta) = 1.",
        certificates=(
            ("columns of P sum to 1", prove_identity((total - d) / (1 - d), sp.Integer(1), [total - 1])),
            (
                "a minor of two rows of P is one of A over (1 - delta)^2",
                prove_identity(a / (1 - d) * (b / (1 - d)) - low / (1 - d) * (high / (1 - d)), minor / (1 - d) ** 2),
            ),
            (
                "the first row of C P is delta, for three other rows",
                prove_identity(d * a + d * b + d * p, d, [a + b + p - 1]),
            ),
            (
                "P keeps parity at most gamma",
                prove_positive(
                    sp.expand((1 - d) * (GAMMA * low - high)),
                    [Hypothesis(1 - d, strict=True), Hypothesis(GAMMA * low - high)],
                    degree=2,
                ),
            ),
        ),
        unchecked_steps=("the sums over the rows", "two constant rows are proportional"),
    )


def mutant_proof() -> object:
    """Division by 1 - delta without delta < 1."""
    d, low, high = sp.symbols("delta low high")
    return prove_positive(sp.expand((1 - d) * (GAMMA * low - high)), [Hypothesis(GAMMA * low - high)], degree=2)


CLAIM = Claim(
    id="chainayak2018.lemma-4.3",
    source=f"{PAPER}, Lemma 4.3",
    printed=r"Suppose $A\in\mathcal{C}_\gamma$, $\eta_i(A)$ equals $1$ or $\gamma$ for all $i$, and $\eta_i(A)=1$ for "
    r"some $i$. Then, there exists $P\in\mathcal{C}_\gamma$ such that $P\succeq A$ and $P$ satisfies the condition C1.",
    precise="Let gamma > 1 and A in C_gamma, each row of parity 1 or gamma, one of parity 1. Then some P in C_gamma "
    "with all row parities equal to gamma has A = C P for a TPM C. The P and C of the printed proof (the constant row "
    "deleted, the rest divided by 1 - delta) are such a pair.",
    variables={"case": members("constant", "constant, three values")},
    assumptions=(
        IN_CLASS,
        Condition(
            "every row parity is 1 or gamma",
            lambda p: all(row_parity(row) in (1, p["case"]["gamma"]) for row in p["case"]["P"]),
        ),
        Condition("some row parity is 1", lambda p: any(row_parity(row) == 1 for row in p["case"]["P"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    count=45,
    notes="The matrix A of the statement is called P in the points. That at least two rows are left, which membership "
    "in C_gamma needs, is not said in the printed proof; it follows, since a constant row beside one other row would "
    "be proportional to it.",
)
