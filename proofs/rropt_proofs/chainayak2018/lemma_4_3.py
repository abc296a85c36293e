"""Lemma 4.3: the constant row can be removed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from rropt.claims import Bound, Claim, Condition, Point
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import (
    Rows,
    garbles,
    in_class,
    product,
    refined,
    row_parity,
    satisfies_c1,
)
from rropt_proofs.chainayak2018._sufficiency_members import IN_CLASS, members, unpack

COLUMNS, KERNEL, ERROR, LARGEST, LEAST, MINORS, APART, ROWS = (
    "the column sum of P that is furthest from 1",
    "the column sum of C that is furthest from 1",
    "the largest difference of an entry of C P from that of A",
    "the largest row parity of P",
    "the least row parity of P",
    "the largest difference of (1 - delta)^2 times a minor of P from that of A",
    "the largest squared minor of two rows of P, of those with the least",
    "the number of rows of P",
)


def _removed(rows: Rows) -> tuple[Rows, Rows, Rows]:
    """Return A with the constant row first, P without it, and the C of the printed proof."""
    first = next(i for i, row in enumerate(rows) if len(set(row)) == 1)
    ordered = (rows[first], *(row for i, row in enumerate(rows) if i != first))
    delta = ordered[0][0]
    rest = tuple(tuple(x / (1 - delta) for x in row) for row in ordered[1:])
    size = len(rest)
    kernel = [[delta] * size] + [[(1 - delta) * int(i == u) for u in range(size)] for i in range(size)]
    return ordered, rest, tuple(tuple(Fraction(x) for x in row) for row in kernel)


def theory(point: Point) -> dict[str, Any]:
    gamma = Fraction(point["case"]["gamma"])
    return {
        COLUMNS: Fraction(1),
        KERNEL: Fraction(1),
        ERROR: Bound("at-most", Fraction(0)),
        LARGEST: gamma,
        LEAST: gamma,
        MINORS: Bound("at-most", Fraction(0)),
        APART: Bound("greater", Fraction(0)),
        ROWS: Bound("greater", Fraction(1)),
    }


def _furthest(rows: Rows) -> Fraction:
    """The column sum that is furthest from 1."""
    return max((sum(column, Fraction(0)) for column in zip(*rows, strict=True)), key=lambda x: abs(x - 1))


def computed(point: Point) -> dict[str, Any]:
    """The construction; and existence by splitting A along the extreme rows, which does not use the construction."""
    rows, gamma = unpack(point)
    found = refined(rows, gamma)
    ordered, rest, kernel = _removed(rows)
    if not (in_class(found, gamma) and garbles(found, rows) and satisfies_c1(found, gamma) and in_class(rest, gamma)):
        raise ArithmeticError("such a P exists by one route and not by another")
    built = product(kernel, rest)
    factor = (1 - ordered[0][0]) ** 2
    pairs = [pair for left, right in zip(built, ordered, strict=True) for pair in zip(left, right, strict=True)]
    minors = zip(_minors(rest), _minors(ordered[1:]), strict=True)
    return {
        COLUMNS: _furthest(rest),
        KERNEL: _furthest(kernel),
        ERROR: max(abs(x - y) for x, y in pairs),
        LARGEST: Fraction(max(map(row_parity, rest))),
        LEAST: Fraction(min(map(row_parity, rest))),
        MINORS: max(abs(x * factor - y) for x, y in minors),
        APART: min(max(x * x for x in _minors(pair)) for pair in combinations(rest, 2)),
        ROWS: Fraction(len(rest)),
    }


def _minors(rows: Rows) -> list[Fraction]:
    """The minors of order 2."""
    pairs = combinations(range(len(rows[0])), 2)
    return [r[j] * s[other] - r[other] * s[j] for j, other in pairs for r, s in combinations(rows, 2)]


def mutant(point: Point) -> dict[str, Any]:
    """The rows that are left have a parity below gamma."""
    return {**theory(point), LARGEST: (9 * Fraction(point["case"]["gamma"]) + 1) / 10}


def columns_of(case: dict[str, Any]) -> list[list[tuple[Any, ...]]]:
    """The paths of the entries of each column of P."""
    rows = case["P"]
    return [[("P", i, j) for i in range(len(rows))] for j in range(len(rows[0]))]


CLAIM = Claim(
    id="chainayak2018.lemma-4.3",
    source=f"{PAPER}, Lemma 4.3",
    place=(4, 9),
    printed=r"Suppose $A\in\mathcal{C}_\gamma$, $\eta_i(A)$ equals $1$ or $\gamma$ for all $i$, and $\eta_i(A)=1$ for "
    r"some $i$. Then, there exists $P\in\mathcal{C}_\gamma$ such that $P\succeq A$ and $P$ satisfies the condition C1.",
    precise="Let gamma > 1 and A in C_gamma, each row of parity 1 or gamma, one of parity 1. Then some P in C_gamma "
    "with all row parities equal to gamma has A = C P for a TPM C. The P and C of the printed proof (the constant row "
    "deleted, the rest divided by 1 - delta) are such a pair.",
    variables={
        "case": replace(
            members("constant", "constant, three values"),
            entries={("P",): "least <= x <= 1"},
            whole_groups=columns_of,
        )
    },
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
    count=45,
    notes="The matrix A of the statement is called P in the points. That at least two rows are left, which membership "
    "in C_gamma needs, is not said in the printed proof; it follows, since a constant row beside one other row would "
    "be proportional to it."
    " P is the witness: the other rows divided by 1 - delta. The first row of C P is delta times the column sums "
    "of P, the others are (1 - delta) times those of P. A row of A beside the constant one is not proportional to "
    "it, so it is not constant and has parity gamma; and the other rows make up for the difference of its largest "
    "and its least entry, so m > 2. With that, P is in C_gamma, satisfies C1, and A = C P.",
)
