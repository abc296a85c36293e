"""Garbling and decision problem: whether one mechanism is another one randomized again (FORMAT.md, rules 7 and 8).

    garbling      target = C source with C nonnegative, columns summing to 1
    no garbling   sum_o max_i Y_i . source_o  <  sum_i Y_i . target_i     for some matrix Y

since target = C source would give sum_i Y_i . target_i = sum_o sum_i C_io (Y_i . source_o), at most the left side.
A matrix is held as integers over one common denominator, so that products need no greatest common divisors.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from .documents import Rejected, fields, fraction, items
from .limits import (
    MAX_COEFFICIENT_BITS,
    MAX_MATRIX_BITS,
    MAX_MATRIX_DIGITS,
    MAX_MATRIX_ENTRIES,
    MAX_MATRIX_WORK,
)

_WORD = 1024  # bits below which a product counts once


@dataclass(frozen=True)
class Matrix:
    """The rational matrix ``rows / scale``, ``scale`` > 0."""

    rows: tuple[tuple[int, ...], ...]
    scale: int

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows, number of columns; both at least 1."""
        return len(self.rows), len(self.rows[0])

    @property
    def bits(self) -> int:
        """Length of its longest integer."""
        return max(self.scale.bit_length(), *(entry.bit_length() for row in self.rows for entry in row))


def check_garbling(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind garbling."""
    source, target = _pair(problem, claim, "garbling")
    _, kernel = fields(witness, ["rule", "kernel"], "witness")
    require_garbling(source, target, kernel)


def check_decision(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind no-garbling."""
    source, target = _pair(problem, claim, "no-garbling")
    _, payoff = fields(witness, ["rule", "payoff"], "witness")
    require_no_garbling(source, target, payoff)


def _pair(problem: Any, claim: Any, claimed: str) -> tuple[Matrix, Matrix]:
    kind, source, target = fields(problem, ["kind", "source", "target"], "problem")
    if kind != "garbling":
        raise Rejected("the problem is not of kind garbling")
    if fields(claim, ["kind"], "claim") != [claimed]:
        raise Rejected(f"the claim is not of kind {claimed}")
    pair = mechanism(source, "source"), mechanism(target, "target")
    if pair[0].shape[1] != pair[1].shape[1]:
        raise Rejected("source and target have different numbers of inputs")
    return pair


def mechanism(data: Any, where: str) -> Matrix:
    """Return the column-stochastic matrix of ``{"matrix": rows}``."""
    (rows,) = fields(data, ["matrix"], where)
    return stochastic(rows, where)


def stochastic(data: Any, where: str) -> Matrix:
    """Return a matrix whose entries are nonnegative and whose columns sum to 1."""
    result = matrix(data, where)
    if any(entry < 0 for row in result.rows for entry in row):
        raise Rejected(f"{where} has a negative entry")
    if any(sum(column) != result.scale for column in zip(*result.rows, strict=True)):
        raise Rejected(f"{where} has a column that does not sum to 1")
    return result


def matrix(data: Any, where: str) -> Matrix:
    """Return a list of equally long rows of number strings as integers over one denominator."""
    rows = [
        items(row, f"a row of {where}", most=MAX_MATRIX_ENTRIES) for row in items(data, where, most=MAX_MATRIX_ENTRIES)
    ]
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise Rejected(f"{where} is not a matrix")
    size = len(rows) * len(rows[0])
    texts = [text for row in rows for text in row if isinstance(text, str)]
    if size > MAX_MATRIX_ENTRIES or sum(map(len, texts)) > MAX_MATRIX_DIGITS:
        raise Rejected(f"{where} is too large")
    entries = [[fraction(text, f"an entry of {where}") for text in row] for row in rows]
    scale = _common_denominator(entries, where)
    cleared = tuple(tuple(x.numerator * (scale // x.denominator) for x in row) for row in entries)
    result = Matrix(cleared, scale)
    if size * result.bits > MAX_MATRIX_BITS:
        raise Rejected(f"{where} is too large over a common denominator")
    return result


def _common_denominator(entries: list[list[Fraction]], where: str) -> int:
    """Return the least common denominator; a size that no honest matrix has is refused before it grows further."""
    size = len(entries) * len(entries[0])
    scale = 1
    for denominator in {x.denominator for row in entries for x in row}:
        scale = lcm(scale, denominator)
        if scale.bit_length() > MAX_COEFFICIENT_BITS or size * scale.bit_length() > MAX_MATRIX_BITS:
            raise Rejected(f"the common denominator of {where} is too long")
    return scale


def require_garbling(source: Matrix, target: Matrix, witness: Any) -> None:
    """Reject unless the witness is a kernel C with ``C source = target``."""
    kernel = stochastic(witness, "kernel")
    (m, k), r = source.shape, target.shape[0]
    if kernel.shape != (r, m):
        raise Rejected("the kernel does not have one row for each target row and one column for each source row")
    require_work(r * m * k, source, target, kernel)
    columns = tuple(zip(*source.rows, strict=True))
    unit = kernel.scale * source.scale
    for weights, wanted in zip(kernel.rows, target.rows, strict=True):
        for column, entry in zip(columns, wanted, strict=True):
            if _dot(weights, column) * target.scale != entry * unit:
                raise Rejected("kernel times source is not the target")


def require_no_garbling(source: Matrix, target: Matrix, witness: Any) -> None:
    """Reject unless the witness Y has ``sum_o max_i Y_i . source_o < sum_i Y_i . target_i``."""
    payoff = matrix(witness, "payoff")
    (m, k), r = source.shape, target.shape[0]
    if payoff.shape != (r, k):
        raise Rejected("the payoff does not have the shape of the target")
    require_work((m + 1) * r * k, source, target, payoff)
    best = sum(max(_dot(pay, row) for pay in payoff.rows) for row in source.rows)
    earned = sum(_dot(pay, row) for pay, row in zip(payoff.rows, target.rows, strict=True))
    if best * target.scale >= earned * source.scale:
        raise Rejected("acting on the source earns as much as acting on the target")


def require_work(products: int, *matrices: Matrix) -> None:
    """Reject what would take too long: products of long integers cost about the square of their length."""
    bits = max(each.bits for each in matrices)
    if products * (1 + (bits // _WORD) ** 2) > MAX_MATRIX_WORK:
        raise Rejected("the matrices are too large to be checked")


def _dot(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True))
