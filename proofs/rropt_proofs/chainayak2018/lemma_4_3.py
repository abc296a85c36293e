"""Lemma 4.3: the constant row can be removed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Entry, Fold, Least, Point, Value
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


def _at(point: Point) -> Iterator[dict[str, Any]]:
    """Each column j, with a pair of entries in two rows that are not constant; the sum of column j is taken."""
    rows, gamma = unpack(point)
    constant = next(i for i, row in enumerate(rows) if len(set(row)) == 1)
    rest = [row for i, row in enumerate(rows) if i != constant]
    least = min(map(min, rows))
    minor = min((max(_minors(pair), key=abs) for pair in combinations(rest, 2)), key=abs)
    for j, other in permutations(range(len(rows[0])), 2):
        for left, right in combinations(rest, 2):
            for row in (left, right):
                ends = [row.index(end(row)) for end in (max, min)]
                yield {
                    "j": j,
                    "ends": ends,
                    "unit_row": tuple(int(each is row) for each in rows),
                    "apart": max(row) - min(row),
                    "minor": minor,
                    "gamma": gamma,
                    "m": len(rows),
                    "least": least,
                    "unit": tuple(int(i == constant) for i in range(len(rows))),
                    "low": min(row),
                    "high": max(row),
                    "a": left[j],
                    "b": left[other],
                    "c": right[j],
                    "d": right[other],
                }


def proof() -> Anchored:
    """Column j sums to 1; f is 1 at the constant row, whose value delta is below 1 as the other rows are positive."""
    column = Fold(
        over=lambda point, at: [
            {"x": Entry("case", "P", i, at["j"]), "f": Entry("unit", i)} for i in range(len(point["case"]["P"]))
        ],
        start={"whole": 0, "one": 0, "delta": 0},
        update={"whole": "whole + x", "one": "one + f", "delta": "delta + f*x"},
        invariants=("whole - delta >= (count - one)*least",),
        count="m",
    )
    rest = Fold(
        over=lambda point, at: [
            {
                "x_high": Entry("case", "P", i, at["ends"][0]),
                "x_low": Entry("case", "P", i, at["ends"][1]),
                "f": Entry("unit", i),
                "e": Entry("unit_row", i),
            }
            for i in range(len(point["case"]["P"]))
        ],
        start=dict.fromkeys(("whole_high", "whole_low", "one_f", "one_e", "delta_high", "delta_low"), 0),
        update={
            "whole_high": "whole_high + x_high",
            "whole_low": "whole_low + x_low",
            "one_f": "one_f + f",
            "one_e": "one_e + e",
            "delta_high": "delta_high + f*x_high",
            "delta_low": "delta_low + f*x_low",
        },
        invariants=(
            "whole_high - delta_high >= one_e*high",
            "whole_low - delta_low - one_e*low <= count - one_f - one_e",
            "delta_high == delta_low",
        ),
        count="m",
    )
    p = {name: f"({name} / (1 - delta))" for name in ("a", "b", "c", "d")}
    minor = f"({p['a']}*{p['d']} - {p['b']}*{p['c']})*(1 - delta)**2 - (a*d - b*c)"
    first, other = "delta*(whole - delta) / (1 - delta) - delta", "(1 - delta)*(a / (1 - delta)) - a"
    parity = "(high / (1 - delta)) / (low / (1 - delta))"
    return Anchored(
        Value(of=COLUMNS, theory=1, computed="(whole - delta) / (1 - delta)"),
        Value(of=KERNEL, theory=1, computed="delta + (1 - delta)"),
        Value(
            of=ERROR,
            theory=0,
            computed=Least(f"{first} <= g and -({first}) <= g and {other} <= g and -({other}) <= g", floor=0),
        ),
        Value(of=LARGEST, theory="gamma", computed=parity),
        Value(of=LEAST, theory="gamma", computed=parity),
        Value(of=MINORS, theory=0, computed=Least(f"{minor} <= g and -({minor}) <= g", floor=0)),
        Value(of=APART, theory=0, computed="(minor/(1 - delta)**2)**2"),
        Value(of=ROWS, theory=1, computed="m - 1"),
        at=lambda point: list(_at(point)),
        folds=[column, rest],
        steps=["delta < 1", "high > low", "high == gamma*low", "high - low <= m - 2"],
        argument="P is the witness: the other rows divided by 1 - delta. The first row of C P is delta times the "
        "column sums of P, the others are (1 - delta) times those of P. A row of A beside the constant one is not "
        "proportional to it, so it is not constant and has parity gamma; and the other rows make up for the difference "
        "of its largest and its least entry, so m > 2. With that, P is in C_gamma, satisfies C1, and A = C P.",
    )


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
    bound={
        "gamma": Domain("the level of the case", (), relation="x > 1"),
        "m": Domain("the number of rows of A", (), relation="x >= 2"),
        "least": Domain("the least entry of A", (), relation="x > 0"),
        "low": Domain("the least entry of a row that is not constant", (), relation="x > 0"),
        "high": Domain(
            "the largest entry of that row, whose parity is 1 or gamma", (), relation="(x - low)*(x - gamma*low) == 0"
        ),
        "apart": Domain(
            "a difference of two entries of that row: it is not proportional to the constant one",
            (),
            relation="0 < x <= high - low",
        ),
        "minor": Domain("a minor of two rows of A that is not 0, as they are not proportional", (), None, "x != 0"),
        "unit_row": Domain(
            "the unit vector of that row, whose entries in the two columns are high and low",
            (),
            entries={(): "x >= 0 and x + f <= 1 and x*(x_high - high) == 0 and x*(x_low - low) == 0"},
            whole_groups=lambda unit: [[(i,) for i in range(len(unit))]],
        ),
        "unit": Domain(
            "the unit vector of the constant row",
            (),
            entries={(): "x >= 0 and x <= 1 and x*(x_high - x_low) == 0"},
            whole_groups=lambda unit: [[(i,) for i in range(len(unit))]],
        ),
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
    proof=proof,
    count=45,
    notes="The matrix A of the statement is called P in the points. That at least two rows are left, which membership "
    "in C_gamma needs, is not said in the printed proof; it follows, since a constant row beside one other row would "
    "be proportional to it.",
)
