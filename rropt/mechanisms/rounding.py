"""The exact matrix that a matrix of decimals stands for: it is what rropt judges, randomizes with and estimates from.

Floats can rarely write a mechanism: in ``[[2/3, 1/3], [1/3, 2/3]]`` of NumPy the columns miss the sum 1. Four rules
choose the matrix that is meant, in this order:

1. decimals of at most 12 digits whose columns sum to 1, as they stand: 0.1 is 1/10;
2. fractions of which all decimals are roundings: 0.3333333333333333 is 1/3, if the fractions sum to exactly 1;
3. other decimals whose columns sum to 1, as they stand;
4. decimals that miss the sum 1 by rounding errors, divided by the sums of their columns.

A matrix that contains a fraction is exact: rules 2 and 4 do not apply to it. Any other matrix is refused. ``Rounding``
records what rules 2 and 4 moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from rropt.core.errors import FileFormatError, InvalidMechanismError, one_of, required, shown
from rropt.core.exact import as_text, both_texts, decimal_text, distinguishing_decimal, rational
from rropt.core.exact.numbers import fraction_hint, rational_where
from rropt.core.exact.rational_bounds import simplest_between
from rropt.core.visible import with_noun
from rropt.mechanisms.columns import Matrix, Rows, exact_sum, listed_rows, rows_of_numbers

# The column sums of a matrix of floats may differ from 1 by this much: the rounding errors of a float32 sum over a
# thousand entries. A column of printed decimals (0.333 three times) is farther away.
SLACK = Fraction(1, 10**6)
PRINTED = Fraction(1, 100)  # the same for a matrix that is printed with two digits or more, divided on request
_TYPED = 12  # digits: a float that was computed has 15 or more, except one in a thousand
_ROUNDINGS = 8  # units in the last place: an entry may be the result of several operations
_COINCIDENCE = Fraction(1, 10**5)  # the chance that a number lies so close to a fraction without being its rounding
_DOUBLE, _SINGLE, _HALF = Fraction(1, 2**53), Fraction(1, 2**24), Fraction(1, 2**11)  # largest relative rounding error
_UNITS = {"float32": _SINGLE, "float16": _HALF}
_RULES = {"fractions": "fractions whose roundings the decimals are", "divided": "columns divided by their sums"}


@dataclass(frozen=True, slots=True)
class Rounding:
    """How an exact matrix was chosen for a matrix of decimals.

    Attributes:
        rule: ``"fractions"``: each decimal is the rounding of a fraction; ``"divided"``: columns are divided by their
            sums.
        miss: the largest difference between a column sum of the decimals and 1.
        move: the largest difference between an entry and its decimal.
        zeros: the number of entries that became 0: negative ones, and those that ``Mechanism.rounded`` was asked to
            drop.
    """

    rule: str
    miss: Fraction
    move: Fraction
    zeros: int = 0

    @classmethod
    def from_dict(cls, data: Any) -> Rounding:
        """Read the output of ``to_dict``."""
        keys = {"rule", "miss", "move", "zeros"}
        given = required(data, dict, "the rounding of a mechanism", "an object")
        if given.keys() != keys or not str(given["zeros"]).isdigit():
            raise FileFormatError(
                f"the rounding of a mechanism is incomplete: received {shown(data)}; allowed are its keys rule, miss, "
                "move and zeros"
            )
        one_of(given["rule"], _RULES, "rule")
        return cls(given["rule"], rational(given["miss"]), rational(given["move"]), int(given["zeros"]))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields; numbers are exact texts, rounded up to three digits."""
        return {"rule": self.rule, "miss": as_text(self.miss), "move": as_text(self.move), "zeros": self.zeros}

    def remark(self) -> str:
        """Return one sentence on what was read.

        >>> print(exact_matrix([[2 / 3, 1 / 3], [1 / 3, 2 / 3]])[1].remark())
        decimals are read as the fractions that they round, such as 1/3 for 0.3333333333333333; largest change 7e-17
        """
        told = f"largest change {decimal_text(self.move, 1)}"
        if self.zeros:
            told += f"; {with_noun(self.zeros, 'entry', 'entries')} set to 0"
        if self.rule == "fractions":
            return f"decimals are read as the fractions that they round, such as 1/3 for 0.3333333333333333; {told}"
        return (
            f"columns of decimals miss the sum 1 by up to {decimal_text(self.miss, 1)} and are divided by their sums; "
            f"{told}"
        )


def exact_matrix(matrix: Any) -> tuple[Matrix, Rounding | None]:
    """Return the exact column-stochastic matrix that is meant, and what was rounded; ``None``: it is as written.

    Args:
        matrix: m rows of k numbers: nested sequences, a NumPy array, a sparse matrix of SciPy, an expression of CVXPY
            with a value, a data frame or a SymPy matrix.

    Raises:
        InvalidMechanismError: the shape is wrong, or the numbers are no distributions up to rounding errors.
        InvalidParameterError: an entry is not a number.

    >>> exact_matrix([[0.1, 0.75], [0.9, 0.25]])[1] is None
    True
    >>> print(*exact_matrix([[1 / 3, 0.5], [2 / 3, 0.5]])[0][0])
    1/3 1/2
    """
    given = listed_rows(matrix)
    entries = rows_of_numbers(given)
    sums = [exact_sum(column) for column in zip(*entries, strict=True)]
    least = min(min(row) for row in entries)
    is_stochastic = least >= 0 and all(total == 1 for total in sums)
    if _is_exact(given):
        if not is_stochastic:
            raise _refusal(entries, Fraction(0), is_exact=True)
        return entries, None
    if is_stochastic and all(map(_is_typed, {x for row in entries for x in row})):
        return entries, None
    if least < -SLACK or any(abs(total - 1) > SLACK for total in sums):
        raise _refusal(entries, SLACK)
    meant = _fractions(entries, _unit(given))
    if meant is not None:
        return meant, _record("fractions", entries, meant, sums)
    if is_stochastic:
        return entries, None
    divided = _divided(entries, Fraction(0))
    return divided, _record("divided", entries, divided, sums)


def rounded_matrix(matrix: Any, tolerance: object, zeros: object) -> tuple[Matrix, Rounding]:
    """Return a matrix whose columns are divided by their sums, for ``Mechanism.rounded``.

    Args:
        matrix: as for ``exact_matrix``; fractions are allowed.
        tolerance: the largest difference between a column sum and 1, and the largest negative entry without its sign.
        zeros: entries up to this number become 0.

    Raises:
        InvalidMechanismError: a sum or an entry is farther away.
    """
    slack = rational_where(tolerance, lambda x: 0 <= x < 1, "0 <= tolerance < 1", name="tolerance")
    floor = rational_where(zeros, lambda x: 0 <= x < 1, "0 <= zeros < 1", name="zeros")
    entries = rows_of_numbers(listed_rows(matrix))
    sums = [exact_sum(column) for column in zip(*entries, strict=True)]
    if min(min(row) for row in entries) < -slack or any(abs(total - 1) > slack for total in sums):
        raise _refusal(entries, slack)
    divided = _divided(entries, floor)
    return divided, _record("divided", entries, divided, sums)


def _is_exact(given: Sequence[Sequence[object]]) -> bool:
    """Return whether an entry is written as a fraction, or all are integers."""
    return all(map(_is_whole, _flat(given))) or any(map(_is_fraction, _flat(given)))


def _flat(rows: Iterable[Iterable[object]]) -> Iterable[object]:
    return (x for row in rows for x in row)


def _is_whole(x: object) -> bool:
    return isinstance(x, int) or (isinstance(x, str) and x.strip().isdigit())


def _is_fraction(x: object) -> bool:
    """Return whether an entry is a fraction, of Python, SymPy or python-flint, or a text with a stroke."""
    if isinstance(x, float):  # first, for speed: a matrix may have a million floats
        return False
    if isinstance(x, str):
        return "/" in x
    below = getattr(x, "denominator", None) or getattr(x, "q", None)  # a method of a decimal number has another type
    return type(x).__module__ != "numpy" and not callable(below) and below not in (None, 1)


def _is_typed(x: Fraction) -> bool:
    """Return whether a decimal has at most 12 significant digits."""
    twos = fives = 0
    below = x.denominator
    while below % 2 == 0:
        below, twos = below // 2, twos + 1
    while below % 5 == 0:
        below, fives = below // 5, fives + 1
    return len(str(abs(x.numerator) * 10 ** max(twos, fives) // x.denominator).rstrip("0")) <= _TYPED


def _unit(given: Sequence[Sequence[object]]) -> Fraction:
    """Return the largest relative rounding error of a number of the coarsest type among the entries."""
    return max(_UNITS.get(kind, _DOUBLE) for kind in {type(x).__name__ for x in _flat(given)})


def _fractions(entries: Matrix, unit: Fraction) -> Matrix | None:
    """Return the fractions whose roundings the entries are, if they sum to exactly 1 in each column; else ``None``.

    A number x within ``r = 8 unit max(x, 1/16)`` of a fraction p/q could be so by chance: there are fewer than
    ``q^2`` fractions with denominators up to q in [0, 1], and each has an interval of length 2 r. So the chance is at
    most ``2 r q^2``, and q is bounded such that this is 1e-5 for x = 1.
    """
    largest = max(isqrt(int(_COINCIDENCE / (2 * _ROUNDINGS * unit))), 2)
    meant: dict[Fraction, Fraction] = {}
    for x in {x for row in entries for x in row}:
        radius = _ROUNDINGS * unit * max(abs(x), Fraction(1, 16))
        near = Fraction(0) if x <= radius else simplest_between(x - radius, x + radius)
        if near.denominator > largest:
            return None
        meant[x] = near
    chosen = tuple(tuple(meant[x] for x in row) for row in entries)
    return chosen if all(exact_sum(column) == 1 for column in zip(*chosen, strict=True)) else None


def _divided(entries: Matrix, floor: Fraction) -> Matrix:
    columns = []
    for j, column in enumerate(zip(*entries, strict=True)):
        kept = [x if x > floor else Fraction(0) for x in column]
        total = exact_sum(kept)
        if not total:
            raise InvalidMechanismError(
                f"column {j} has no entry above {as_text(floor)}: a column is a distribution; reduce `zeros`"
            )
        columns.append([x / total for x in kept])
    return tuple(zip(*columns, strict=True))


def _record(rule: str, entries: Rows, chosen: Rows, sums: Sequence[Fraction]) -> Rounding:
    pairs = [pair for row in zip(entries, chosen, strict=True) for pair in zip(*row, strict=True)]
    move = max(abs(x - y) for x, y in pairs)
    miss = max(abs(total - 1) for total in sums)
    return Rounding(rule, _rounded_up(miss), _rounded_up(move), sum(bool(x) and not y for x, y in pairs))


def _rounded_up(x: Fraction) -> Fraction:
    """Return a number with three digits that is at least x: enough for people, and short in a file."""
    if not x:
        return x
    scale = Fraction(10) ** (2 - _exponent(x))
    return Fraction(-(-(x * scale).numerator // (x * scale).denominator)) / scale


def _exponent(x: Fraction) -> int:
    """Return the integer e with ``10^e <= x < 10^(e + 1)``."""
    e = len(str(x.numerator)) - len(str(x.denominator))
    return e if Fraction(10) ** e <= x else e - 1


def _refusal(entries: Matrix, slack: Fraction, *, is_exact: bool = False) -> InvalidMechanismError:
    """Return the error for a matrix that is no mechanism, with what to do."""
    for i, row in enumerate(entries):  # first, since a sum may differ from 1 by rounding alone
        for j, x in enumerate(row):
            if x < -slack:
                text = as_text(x) if is_exact else decimal_text(x)
                return InvalidMechanismError(f"entry ({i}, {j}) is negative: received {text}; probabilities are >= 0")
    columns = list(zip(*entries, strict=True))
    j, total = next((j, total) for j, total in enumerate(map(exact_sum, columns)) if abs(total - 1) > slack)
    if all(abs(exact_sum(row) - 1) <= slack for row in entries):
        advice = "its rows sum to 1: exchange rows and columns with `transposed`, so that each column is a category"
    elif is_exact:
        advice = fraction_hint(columns[j])
    else:
        advice = fraction_hint(columns[j])
        if slack < abs(total - 1) <= PRINTED:
            advice += (
                ", or let `rropt repair` (in Python Mechanism.rounded(P, tolerance=...), or repair for a "
                "level) divide columns that miss the sum 1"
            )
    told = both_texts(total, 12) if is_exact else distinguishing_decimal(total, 12)
    allowed = f"rounding errors up to {float(slack):g} are allowed; " if slack else ""
    return InvalidMechanismError(
        f"column {j} does not sum to 1: received the sum {told}; "
        f"every column is a distribution over the outputs; {allowed}{advice}"
    )
