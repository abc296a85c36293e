"""Remark 4.1: proportional rows may be merged."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from typing import Any

from rropt.claims import Bound, Claim, Condition, Correction, Domain, Point
from rropt.designs.orders import merge_proportional_rows
from rropt.mechanisms import Mechanism
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import (
    Row,
    Rows,
    equivalent,
    identity,
    is_tpm,
    matrix,
    product,
    proportional,
    text,
)
from rropt_proofs.chainayak2018._sufficiency_members import random_tpm

FIRST, SECOND, OTHER = "first row of A = C P*", "second row of A = C P*", "another row of A = C P*"
MERGE, CARRIED = "first row of P* = C* A", "another row of P* = C* A"
COLUMN, LEAST = "the first column of C sums to 1", "the least entry of that column"
BACK, SUM = "all merged: an entry of A = C P", "all merged: a column sum of that C"
ROWS = "the number of rows of C* A"
APART = "all merged: the largest squared minor of two rows of P, of those with the least; 1 for one row"


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


def _printed_merging(rows: Rows) -> Rows:
    """C* as printed, with its three rows of blocks: 1 1 | 0, then 0 0 | 0, then 0 0 | I with the order that A asks."""
    return _blocks(rows, "1 1; 0 0")


def _merging(rows: Rows) -> Rows:
    """C* without its second row of blocks, of order (m - 1) x m."""
    return _blocks(rows, "1 1")


def _place(point: Point) -> tuple[int, int]:
    """The number of another row of P*, and of a column."""
    i, j = point["place"]
    return 1 + i % (len(point["P*"]) - 1), j % len(point["P*"][0])


def _classes(rows: Rows) -> list[list[int]]:
    """The rows that are proportional to each other, together."""
    found: list[list[int]] = []
    for i, row in enumerate(rows):
        own = next((each for each in found if proportional(rows[each[0]], row)), None)
        if own is None:
            found.append([i])
        else:
            own.append(i)
    return found


def _all_merged(rows: Rows) -> tuple[Rows, Rows]:
    """P, whose rows are the sums of those that are proportional, and C with the proportions of each row in its sum."""
    classes, sizes = _classes(rows), [sum(row, Fraction(0)) for row in rows]
    indicator = tuple(tuple(Fraction(i in each) for i in range(len(rows))) for each in classes)
    totals = [sum((sizes[i] for i in each), Fraction(0)) for each in classes]
    shares = tuple(
        tuple(sizes[i] / total if i in each else Fraction(0) for each, total in zip(classes, totals, strict=True))
        for i in range(len(rows))
    )
    return product(indicator, rows), shares


def _minor(left: Row, right: Row) -> Fraction:
    """The minor of order 2 that is furthest from 0."""
    pairs = combinations(range(len(left)), 2)
    return max((left[i] * right[j] - left[j] * right[i] for i, j in pairs), key=abs)


def _closest(rows: Rows) -> tuple[int, int] | None:
    """The two rows whose largest minor is the least; None for one row."""
    pairs = list(combinations(range(len(rows)), 2))
    return min(pairs, key=lambda pair: abs(_minor(rows[pair[0]], rows[pair[1]]))) if pairs else None


def theory(point: Point) -> dict[str, Any]:
    """The products C P* and C* A with the printed matrices; with all proportional rows merged, A, and minors."""
    return _said(point, _printed_merging(_split(point)))


def corrected(point: Point) -> dict[str, Any]:
    """The same with the C* that has m - 1 rows."""
    return _said(point, _merging(_split(point)))


def _said(point: Point, merging: Rows) -> dict[str, Any]:
    rows, (i, j) = _split(point), _place(point)
    back, merged = product(_splitting(rows), _merged(rows)), product(merging, rows)
    return {
        FIRST: back[0][j],
        SECOND: back[1][j],
        OTHER: back[i + 1][j],
        MERGE: merged[0][j],
        CARRIED: merged[i][j],
        ROWS: len(merged),
        COLUMN: 1,
        LEAST: Bound("greater", 0),
        BACK: rows[_row(point)][j],
        SUM: Fraction(1),
        APART: Bound("greater", 0),
    }


def computed(point: Point) -> dict[str, Any]:
    """A and P* themselves; equivalence by linear programs."""
    rows, (i, j) = _split(point), _place(point)
    column = [row[0] for row in _splitting(rows)]
    last, shares = _all_merged(rows)
    pair = _closest(last)
    merged = merge_proportional_rows(Mechanism(rows)).mechanism.matrix
    if not equivalent(rows, _merged(rows)) or not equivalent(rows, last) or sorted(merged) != sorted(last):
        raise ArithmeticError("what is merged is equivalent by one route and not by another")
    return {
        FIRST: rows[0][j],
        SECOND: rows[1][j],
        OTHER: rows[i + 1][j],
        MERGE: point["P*"][0][j],
        CARRIED: point["P*"][i][j],
        ROWS: len(point["P*"]),
        COLUMN: sum(column, Fraction(0)),
        LEAST: min(column[:2]),
        BACK: product(shares, last)[_row(point)][j],
        SUM: sum((row[_class_of(point)] for row in shares), Fraction(0)),
        APART: _minor(last[pair[0]], last[pair[1]]) ** 2 if pair else Fraction(1),
    }


def mutant(point: Point) -> dict[str, Any]:
    """delta and 1 - delta exchanged in C."""
    said = corrected(point)
    return {**said, FIRST: said[SECOND], SECOND: said[FIRST]}


def _row(point: Point) -> int:
    """The number of a row of A."""
    return int(point["place"][0]) % (len(point["P*"]) + 1)


def _class_of(point: Point) -> int:
    """The number of its class."""
    return next(n for n, each in enumerate(_classes(_split(point))) if _row(point) in each)


def _numbers(rng: random.Random) -> tuple[int, int]:
    return rng.randint(0, 5), rng.randint(0, 5)


def working(point: Point) -> str:
    """A, the printed C* in the order that A asks for, and their product, with P*."""
    rows = _split(point)
    merging = _printed_merging(rows)
    return (
        f"A = {text(rows)} has {len(rows)} rows and P* = {text(point['P*'])} has {len(point['P*'])}\n"
        f"C* as printed is {text(merging)}, with a row of zeros, and C* A = {text(product(merging, rows))}"
    )


CLAIM = Claim(
    id="chainayak2018.remark-4.1",
    source=f"{PAPER}, Remark 4.1",
    place=(4, 1),
    printed=r"Consider a procedure $A_{m\times k}$ and suppose its first two rows, denoted $\vec a_1$ and $\vec a_2$ "
    r"are proportional and $\vec a_1=\delta(\vec a_1+\vec a_2)$, $0<\delta<1$. Construct $P_{(m-1)\times k}^*$ "
    "by merging the first two rows of $A$. Then, $A$ and $P^*$ are equivalent, as $A=CP^*$ and $P^*=C^*A$ "
    r"with $C$ and $C^*$ defined as: $C=\left(\begin{array}{c|c}\delta&0\\1-\delta&0\\\hline "
    r"0&I\end{array}\right)$ and $C^*=\left(\begin{array}{c|c}1&1\\0&0\\\hline 0&I\end{array}\right)$. We can "
    "repeat this process to eliminate all proportional rows and thus obtain a $P$ such that $P$ has no "
    r"proportional rows and $P\sim A$.",
    precise="For every TPM A without zero rows whose first two rows are proportional, a_1 = delta (a_1 + a_2), and P* "
    "= (a_1 + a_2; a_3; ...; a_m), that is for every P* without zero rows, 0 < delta < 1 and the A that they make: "
    "C P* = A and C* A = P* with the printed matrices, at every place, and C is a TPM, so A and P* are equivalent; so "
    "is the matrix P that is left when all proportional rows are merged: A = C P for a TPM C, P = C* A is how P is "
    "made, and every two rows of P have a minor that is not 0. C* is read with its three rows of blocks and m columns, "
    "as the product C* A demands; no other reading of the blocks gives P* either.",
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
    correction=Correction(
        r"$A=CP^*$ with the printed $C$, and $P^*=C^*A$ with $C^*=\left(\begin{array}{cc|c}1&1&0\\\hline "
        r"0&0&I\end{array}\right)$, of order $(m-1)\times m$: the row of zeros goes. $A$ and $P^*$ are equivalent, and "
        r"repeating the step leaves a $P\sim A$ without proportional rows.",
        corrected,
    ),
    working=working,
    count=80,
    notes="The verdict is on the *extraction*, and rests on one row of a matrix in it: the file gives "
    r"$C^*$ a row $(0\mid0)$, which is one more than the orders allow. The row may come from the "
    "extraction alone; compare with the published page before anything is said of the paper. Nothing else "
    "changes: $A$ and $P^*$ are equivalent."
    " Repeating the merging ends in the P whose rows are the sums of the proportional rows of A, C* A for the C* "
    "with the entries 1 and 0. A is C P for the C with the share of each row in the sum of its class. Two rows of "
    "P that are not of one class have a minor that is not 0, as their directions have.",
)
