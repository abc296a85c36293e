"""Remark 4.1: proportional rows may be merged."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Entry, Min, Point, Value
from rropt.mechanisms import Mechanism
from rropt.orders import merge_proportional_rows
from rropt_proofs.chainayak2018._sufficiency import (
    PAPER,
    Rows,
    equivalent,
    has_proportional_rows,
    identity,
    is_tpm,
    matrix,
    product,
)
from rropt_proofs.chainayak2018._sufficiency_members import random_tpm

FIRST, SECOND, OTHER = "first row of A = C P*", "second row of A = C P*", "another row of A = C P*"
MERGE, CARRIED = "first row of P* = C* A", "another row of P* = C* A"
COLUMN, LEAST = "the first column of C sums to 1", "the least entry of that column"
SAME = "A and P* are equivalent"
REPEATED = "repeated, it ends in a P without proportional rows, equivalent to A"


def draw(rng: random.Random) -> Rows:
    """P*, perhaps with two proportional rows in its turn."""
    rows = random_tpm(rng.randint(2, 3), rng.randint(2, 3), rng, least=rng.randint(0, 1))
    if rng.random() < 0.5:
        share = Fraction(rng.randint(1, 5), 6)
        rows = (tuple(share * x for x in rows[0]), tuple((1 - share) * x for x in rows[0]), *rows[1:])
    return rows


def _split(point: Point) -> Rows:
    """A: its first two rows are delta and 1 - delta times their sum, the first row of P*."""
    delta, rows = Fraction(point["delta"]), point["P*"]
    return (tuple(delta * x for x in rows[0]), tuple((1 - delta) * x for x in rows[0]), *rows[1:])


def _merged(rows: Rows) -> Rows:
    """P*: the sum of the first two rows, then the others."""
    return (tuple(x + y for x, y in zip(rows[0], rows[1], strict=True)), *rows[2:])


def _blocks(rows: Rows, top: str) -> Rows:
    """The blocks ``top`` and I of order m - 2 on the diagonal, zeros elsewhere."""
    head = matrix(top)
    rest = identity(len(rows) - 2)
    width = len(head[0])
    below = tuple((Fraction(0),) * width + row for row in rest)
    return tuple(row + (Fraction(0),) * len(rest) for row in head) + below


def _splitting(rows: Rows) -> Rows:
    """C as printed, delta from the sums of the first two rows."""
    delta = sum(rows[0]) / (sum(rows[0]) + sum(rows[1]))
    return _blocks(rows, f"{delta}; {1 - delta}")


def _place(point: Point) -> tuple[int, int]:
    """The number of another row of P*, and of a column."""
    i, j = point["place"]
    return 1 + i % (len(point["P*"]) - 1), j % len(point["P*"][0])


def theory(point: Point) -> dict[str, Any]:
    """The products C P* and C* A with the printed matrices."""
    rows, (i, j) = _split(point), _place(point)
    back, merged = product(_splitting(rows), _merged(rows)), product(_blocks(rows, "1 1"), rows)
    return {
        FIRST: back[0][j],
        SECOND: back[1][j],
        OTHER: back[i + 1][j],
        MERGE: merged[0][j],
        CARRIED: merged[i][j],
        COLUMN: 1,
        LEAST: Bound("greater", 0),
        SAME: True,
        REPEATED: True,
    }


def computed(point: Point) -> dict[str, Any]:
    """A and P* themselves; equivalence by linear programmes."""
    rows, (i, j) = _split(point), _place(point)
    column = [row[0] for row in _splitting(rows)]
    last = merge_proportional_rows(Mechanism(rows)).mechanism.matrix
    return {
        FIRST: rows[0][j],
        SECOND: rows[1][j],
        OTHER: rows[i + 1][j],
        MERGE: point["P*"][0][j],
        CARRIED: point["P*"][i][j],
        COLUMN: sum(column, Fraction(0)),
        LEAST: min(column[:2]),
        SAME: equivalent(rows, _merged(rows)),
        REPEATED: equivalent(rows, last) and not has_proportional_rows(last),
    }


def mutant(point: Point) -> dict[str, Any]:
    """delta and 1 - delta exchanged in C."""
    said = theory(point)
    return {**said, FIRST: said[SECOND], SECOND: said[FIRST]}


def _names(point: Point) -> dict[str, Any]:
    i, j = _place(point)
    return {"b": Entry("P*", 0, j), "c": Entry("P*", i, j)}


def _numbers(rng: random.Random) -> tuple[int, int]:
    return rng.randint(0, 5), rng.randint(0, 5)


def proof() -> Anchored:
    """The two first rows of C P* are delta b and (1 - delta) b, the first row of C* A is their sum."""
    return Anchored(
        Value(of=FIRST, theory="delta*(delta*b + (1 - delta)*b)", computed="delta*b"),
        Value(of=SECOND, theory="(1 - delta)*(delta*b + (1 - delta)*b)", computed="(1 - delta)*b"),
        Value(of=OTHER, theory="c", computed="c"),
        Value(of=MERGE, theory="delta*b + (1 - delta)*b", computed="b"),
        Value(of=CARRIED, theory="c", computed="c"),
        Value(of=COLUMN, theory=1, computed="delta + (1 - delta)"),
        Value(of=LEAST, theory=0, computed=Min("delta", "1 - delta")),
        at=_names,
        unanchored=(
            "equivalence: 'there are TPMs C and C*' has no shape; the printed ones are the witnesses, and their "
            "products are anchored entry by entry",
            "repetition: each merging takes one row away, so that finitely many end, and equivalence is transitive, "
            "since a product of TPMs is one: a loop over mergings is no list of the point",
        ),
    )


CLAIM = Claim(
    id="chainayak2018.remark-4.1",
    source=f"{PAPER}, Remark 4.1",
    printed=r"Let the first two rows of $A_{m\times k}$ be proportional, $\vec a_1=\delta(\vec a_1+\vec a_2)$, "
    r"$0<\delta<1$, and let $P^*_{(m-1)\times k}$ be $A$ with these rows merged. Then $A$ and $P^*$ are equivalent, as "
    r"$A=CP^*$ and $P^*=C^*A$ with "
    r"$C=\left(\begin{array}{c|c}\delta&0\\1-\delta&0\\\hline 0&I\end{array}\right)$ and "
    r"$C^*=\left(\begin{array}{c|c}1&1\\0&0\\\hline 0&I\end{array}\right)$. Repeating this eliminates all proportional "
    r"rows: there is a $P\sim A$ without any.",
    precise="For every TPM A without zero rows whose first two rows are proportional, a_1 = delta (a_1 + a_2), and P* "
    "= (a_1 + a_2; a_3; ...; a_m), that is for every P* without zero rows, 0 < delta < 1 and the A that they make: "
    "C P* = A and C* A = P* with the printed matrices, at every place; A and P* are equivalent; so is the matrix that "
    "is left when all proportional rows are merged. C* is read with the blocks (1 1 | 0; 0 0 | I), of order "
    "(m - 1) x m, as the orders of A and P* demand.",
    variables={
        "P*": Domain(
            "P*, a TPM, m - 1 >= 2 rows",
            (
                matrix("3/4 3/8; 1/4 5/8"),
                matrix("1 0; 0 1"),
                matrix("1/2 1/2; 1/2 1/2"),
                matrix("2/3 1/3; 1/3 2/3"),
                matrix("1 1; 0 0"),  # a zero row
            ),
            draw,
            entries={(): "x >= 0"},
        ),
        "delta": Domain.interval("delta", 0, 1, also=("1/3", "1/2", "2/3")),
        "place": Domain("the numbers of a row and of a column", ((0, 0), (1, 1)), _numbers),
    },
    assumptions=(
        Condition("P*, and so A, is a TPM without zero rows", lambda p: is_tpm(p["P*"]) and all(map(any, p["P*"]))),
        Condition("0 < delta < 1", "0 < delta < 1"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=80,
    notes="The text as extracted shows C* with a row (0 | 0) more than the orders allow. The same text has gamma^k for "
    "gamma k in Theorem 4.4 and T for I in the proof of Lemma 4.4, where the same matrix stands in its right form; so "
    "the row is taken for a slip of the extraction. With it, C* A would be P* and a row of zeros, and nothing else "
    "changes: if it is printed so, C* must lose that row.",
)
