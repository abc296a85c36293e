"""Garbling and decision problem: whether one mechanism is another one randomized again (FORMAT.md, rules 7 and 8).

    garbling      target = C source with C nonnegative, columns summing to 1
    no garbling   sum_o max_i Y_i . source_o  <  sum_i Y_i . target_i     for some matrix Y

since target = C source would give sum_i Y_i . target_i = sum_o sum_i C_io (Y_i . source_o), at most the left side.
Everything is decided in integers, so that products need no greatest common divisors: a matrix stands over one common
denominator, a pair over one for each column, S = source D and T = target D, D diagonal. Then target = C source iff
T = C S, and with Z = Y D^-1 the inequality reads sum_o max_i Z_i . S_o < sum_i Z_i . T_i.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd, lcm
from typing import Any

from . import products
from .documents import Rejected, fields, items, quotient
from .limits import MAX_COEFFICIENT_BITS, MAX_MATRIX_BITS, MAX_MATRIX_DIGITS, MAX_MATRIX_ENTRIES

Quotient = tuple[int, int]  # numerator and denominator in lowest terms: `Fraction` takes longer to make
Rows = Sequence[Sequence[Quotient]]
Integers = tuple[tuple[int, ...], ...]

_LONG = 4096  # characters: reading a longer number costs more for each of them


@dataclass(frozen=True)
class Matrix:
    """The rational matrix ``rows / scale``, ``scale`` > 0."""

    rows: Integers
    scale: int

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows, number of columns; both at least 1."""
        return len(self.rows), len(self.rows[0])

    @property
    def bits(self) -> int:
        """Length of its longest integer."""
        return max(self.scale.bit_length(), products.bits_of(self.rows))


@dataclass(frozen=True)
class Pair:
    """Two mechanisms with equal inputs as integers ``entry * scales[column]``: each column over one denominator."""

    source: Integers
    target: Integers
    scales: tuple[int, ...]


def check_garbling(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind garbling."""
    pair = _pair(problem, claim, "garbling")
    _, kernel = fields(witness, ["rule", "kernel"], "witness")
    _require_kernel(pair, kernel)


def check_decision(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind no-garbling."""
    pair = _pair(problem, claim, "no-garbling")
    _, payoff = fields(witness, ["rule", "payoff"], "witness")
    _require_payoff(pair, payoff)


def _pair(problem: Any, claim: Any, claimed: str) -> Pair:
    kind, source, target = fields(problem, ["kind", "source", "target"], "problem")
    if kind != "garbling":
        raise Rejected("the problem is not of kind garbling")
    if fields(claim, ["kind"], "claim") != [claimed]:
        raise Rejected(f"the claim is not of kind {claimed}")
    first, second = (_entries(data, where) for data, where in ((source, "source"), (target, "target")))
    if len(first[0]) != len(second[0]):
        raise Rejected("source and target have different numbers of inputs")
    columns, scales, left = [], [], MAX_MATRIX_BITS
    for column in zip(*first, *second, strict=True):
        scale = _common_denominator(column, "a column of source and target", left)
        columns.append([n * (scale // d) for n, d in column])
        scales.append(scale)
        left -= sum(map(int.bit_length, columns[-1]))
    rows = tuple(zip(*columns, strict=True))
    pair = Pair(rows[: len(first)], rows[len(first) :], tuple(scales))
    for matrix, where in ((pair.source, "source"), (pair.target, "target")):
        _require_stochastic(matrix, pair.scales, where)
    return pair


def _entries(data: Any, where: str) -> Rows:
    (rows,) = fields(data, ["matrix"], where)
    return _quotients(rows, where)


def mechanism(data: Any, where: str) -> Matrix:
    """Return the column-stochastic matrix of ``{"matrix": rows}``."""
    (rows,) = fields(data, ["matrix"], where)
    return stochastic(rows, where)


def stochastic(data: Any, where: str) -> Matrix:
    """Return a matrix whose entries are nonnegative and whose columns sum to 1."""
    result = matrix(data, where)
    _require_stochastic(result.rows, [result.scale] * result.shape[1], where)
    return result


def _require_stochastic(rows: Integers, scales: Iterable[int], where: str) -> None:
    if any(min(row) < 0 for row in rows):
        raise Rejected(f"{where} has a negative entry")
    if any(sum(column) != scale for column, scale in zip(zip(*rows, strict=True), scales, strict=True)):
        raise Rejected(f"{where} has a column that does not sum to 1")


def matrix(data: Any, where: str) -> Matrix:
    """Return a list of equally long rows of number strings as integers over one denominator."""
    return _over_one(_quotients(data, where), where)


def _over_one(entries: Rows, where: str) -> Matrix:
    scale = _common_denominator([x for row in entries for x in row], where, MAX_MATRIX_BITS)
    return Matrix(tuple(tuple(n * (scale // d) for n, d in row) for row in entries), scale)


def _quotients(data: Any, where: str) -> Rows:
    """Return the entries of a list of equally long rows of number strings."""
    rows = [
        items(row, f"a row of {where}", most=MAX_MATRIX_ENTRIES) for row in items(data, where, most=MAX_MATRIX_ENTRIES)
    ]
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise Rejected(f"{where} is not a matrix")
    texts = [text for row in rows for text in row]
    sizes = [len(text) for text in texts if isinstance(text, str)]
    if len(texts) > MAX_MATRIX_ENTRIES or sum(n * (1 + n // _LONG) for n in sizes) > MAX_MATRIX_DIGITS:
        raise Rejected(f"{where} is too large")
    name = f"an entry of {where}"
    for text in texts:
        if not isinstance(text, str):
            raise Rejected(f"{name} is not a number in a string")
    known = {text: quotient(text, name) for text in set(texts)}
    return [[known[text] for text in row] for row in rows]


def _common_denominator(entries: Sequence[Quotient], where: str, most: int) -> int:
    """Return the least common denominator, over which the entries other than 0 have at most ``most`` bits together.

    A size that no honest matrix has is refused before it grows further.
    """
    scale, size = 1, sum(1 for n, _ in entries if n)
    for denominator in {d for _, d in entries}:
        scale = lcm(scale, denominator)
        if scale.bit_length() > MAX_COEFFICIENT_BITS or size * scale.bit_length() > most:
            raise Rejected(f"the common denominator of {where} is too long")
    longest = sum(n.bit_length() - d.bit_length() for n, d in entries if n)
    if longest + size * (scale.bit_length() + 1) > most:
        raise Rejected(f"{where} is too large over a common denominator")
    return scale


def require_garbling(source: Matrix, target: Matrix, witness: Any) -> None:
    """Reject unless the witness is a kernel C with ``C source = target``."""
    _require_kernel(_over_each_column(source, target), witness)


def require_no_garbling(source: Matrix, target: Matrix, witness: Any) -> None:
    """Reject unless the witness Y has ``sum_o max_i Y_i . source_o < sum_i Y_i . target_i``."""
    _require_payoff(_over_each_column(source, target), witness)


def _over_each_column(source: Matrix, target: Matrix) -> Pair:
    scale = lcm(source.scale, target.scale)
    both = [tuple(tuple(x * (scale // each.scale) for x in row) for row in each.rows) for each in (source, target)]
    return Pair(both[0], both[1], (scale,) * source.shape[1])


def _require_kernel(pair: Pair, witness: Any) -> None:
    kernel = stochastic(witness, "kernel")
    if kernel.shape != (len(pair.target), len(pair.source)):
        raise Rejected("the kernel does not have one row for each target row and one column for each source row")
    for made, wanted in zip(products.multiply(kernel.rows, pair.source), pair.target, strict=True):
        if any(x != y * kernel.scale for x, y in zip(made, wanted, strict=True)):
            raise Rejected("kernel times source is not the target")


def _require_payoff(pair: Pair, witness: Any) -> None:
    payoff = _quotients(witness, "payoff")
    if (len(payoff), len(payoff[0])) != (len(pair.target), len(pair.scales)):
        raise Rejected("the payoff does not have the shape of the target")
    if sum(s.bit_length() for row in payoff for (n, _), s in zip(row, pair.scales, strict=True) if n) > MAX_MATRIX_BITS:
        raise Rejected("payoff is too large over the denominators of source and target")
    pay = _over_one([[_divided(y, s) for y, s in zip(row, pair.scales, strict=True)] for row in payoff], "payoff")
    earnings = products.multiply(pair.source, tuple(zip(*pay.rows, strict=True)))
    best = sum(map(max, earnings))
    products.require_work(len(payoff) * len(pair.scales), pay.bits, products.bits_of(pair.target))
    earned = sum(sum(map(int.__mul__, row, gains)) for row, gains in zip(pay.rows, pair.target, strict=True))
    if best >= earned:
        raise Rejected("acting on the source earns as much as acting on the target")


def _divided(x: Quotient, divisor: int) -> Quotient:
    n, d = x
    common = gcd(n, divisor)
    return n // common, d * (divisor // common)


def require_work(count: int, *matrices: Matrix) -> None:
    """Reject so many products of entries of these matrices if they would take too long."""
    bits = max(each.bits for each in matrices)
    products.require_work(count, bits, bits)
