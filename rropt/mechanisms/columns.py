"""Matrices of exact numbers: validation as mechanisms, the parity of rows, and the distinct columns as integers.

For large matrices, floating-point arithmetic selects candidates and exact arithmetic decides among them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from rropt.core.errors import InfeasibleError, InvalidMechanismError, InvalidParameterError, shown, shown_with_type
from rropt.core.exact import as_text, rational
from rropt.core.exact.numbers import fraction_hint, plain_integer, whole_numbers
from rropt.core.lazy import numpy as np
from rropt.core.limits import MAX_ENTRY_DIGITS, MAX_MATRIX_ENTRIES

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SMALL = 20_000  # largest k^2 m for which exact arithmetic takes milliseconds, so that floats save nothing
_FEW_ENTRIES = 10_000  # largest number of entries for which exact fractions take milliseconds
_NEAR = 2.0**-48  # relative error: an entry, a column sum and their quotient are each correctly rounded, 2^-53
_TINY = 1e-300  # absolute error: smaller floats have fewer digits

Rows = Sequence[Sequence[Fraction]]


class Entries(Protocol):
    """The part of ``Mechanism`` that the functions of this layer use."""

    @property
    def inputs(self) -> int:
        """k, the number of categories."""

    @property
    def matrix(self) -> Matrix:
        """The m rows of k exact probabilities."""

    @property
    def sets(self) -> Any:
        """The form ``SetForm`` of a mechanism whose responses are sets of categories; ``None`` for others."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the matrix as integers: ``numerators / denominator``.

    Attributes:
        index: the index of the first column of the matrix with these entries.
        numerators: integers >= 0.
        denominator: their common denominator.
    """

    index: int
    numerators: tuple[int, ...]
    denominator: int


def exact_sum(entries: Sequence[Fraction]) -> Fraction:
    """Return the sum of fractions, computed over a common denominator, which is faster than repeated addition."""
    numerators, denominator = whole_numbers(entries)
    return Fraction(sum(numerators), denominator)


def distinct_columns(matrix: Rows) -> list[Column]:
    """Return the distinct columns of a matrix of exact entries >= 0, shape (m, k)."""
    distinct: dict[tuple[Fraction, ...], int] = {}
    for j, column in enumerate(zip(*matrix, strict=True)):
        distinct.setdefault(column, j)
    return [Column(j, *whole_numbers(column)) for column, j in distinct.items()]


def floats_of(columns: Sequence[Column]) -> NDArray[np.float64] | None:
    """Return columns as floats, shape (m, number of columns), each correctly rounded.

    ``None`` for small matrices, where exact arithmetic is as fast.
    """
    if len(columns[0].numerators) * len(columns) ** 2 <= _SMALL:
        return None
    return np.array([[x / column.denominator for x in column.numerators] for column in columns]).T.copy()


Matrix = tuple[tuple[Fraction, ...], ...]


def exact_population(population: Sequence[object], inputs: int) -> tuple[Fraction, ...]:
    """Return a distribution over the inputs as exact numbers; a float is read as its shortest decimal.

    Raises:
        InvalidParameterError: the argument is not a list of k probabilities that sum to exactly 1.

    >>> exact_population([0.9, 0.1], 2)
    (Fraction(9, 10), Fraction(1, 10))
    """
    given = listed(population, flat=True)
    if given is None:
        raise InvalidParameterError(
            f"population is not a list of {inputs} probabilities: received {shown(population)}; "
            "for a binary problem give (1 - prevalence, prevalence)"
        )
    if len(given) != inputs:
        raise InvalidParameterError(
            f"population has {len(given)} entries: the region has {inputs} inputs; give one proportion for each"
        )
    # a Fraction may be the result of a solver, with more digits than are allowed in input
    exact = tuple(p if type(p) is Fraction else rational(p, name=f"population[{j}]") for j, p in enumerate(given))
    if exact and min(exact) < 0:
        raise InvalidParameterError(f"population has a negative entry: received {min(exact)}; probabilities are >= 0")
    if sum(exact) != 1:
        raise InvalidParameterError(
            f"population does not sum to 1: received the sum {sum(exact)}; allowed is the sum 1; {fraction_hint(exact)}"
        )
    return exact


def listed(values: Any, *, flat: bool = False) -> list[Any] | None:
    """Return the items of a list, a tuple, a NumPy array, a data frame, a series or a SymPy matrix.

    The numbers keep their type: those of a float32 array are not converted to float64. The rows of a data frame keep
    their order. A pandas series whose labels are 0, ..., n - 1 in another order is sorted by label (``value_counts``
    sorts by frequency).

    Args:
        values: any object.
        flat: whether an array with a single row or column is returned as a flat list of its numbers.

    Returns:
        The items, with the rows of a matrix as lists; ``None`` for anything else (a number, text, a set, a mapping).

    Raises:
        InvalidParameterError: a series has other labels, so its order is unknown.
    """
    values = values.toarray() if hasattr(values, "toarray") else values  # a sparse matrix of SciPy
    is_array = hasattr(values, "to_numpy") or hasattr(values, "tolist")  # NumPy and SymPy
    if hasattr(values, "to_numpy"):
        values = _by_label(values).to_numpy()
    if type(values).__module__ == "numpy" and str(getattr(values, "dtype", "float64")) not in ("float64", "object"):
        values = [listed(x) or x for x in values] if getattr(values, "shape", ()) else values
    values = values.tolist() if hasattr(values, "tolist") else values
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Collection) or isinstance(values, Set):
        return None
    items = list(values)
    if flat and is_array and items and all(isinstance(x, list) for x in items):
        return list(items[0]) if len(items) == 1 else [x[0] for x in items] if max(map(len, items)) == 1 else items
    return items


def required_list(values: Any, name: str, allowed: str) -> list[Any]:
    """Return the items of an argument that is a list, as ``listed`` does.

    Raises:
        InvalidParameterError: the argument is no list.
    """
    items = listed(values)
    if items is None:
        raise InvalidParameterError(
            f"{name} is not a list: received {shown(values)}, of type {type(values).__name__}; allowed is {allowed}"
        )
    return items


def required_pair(values: Any, name: str, allowed: str) -> list[Any]:
    """Return the two items of an argument that is a pair, as ``required_list`` does.

    Raises:
        InvalidParameterError: the argument is no list, or has another length.
    """
    items = required_list(values, name, allowed)
    if len(items) != 2:
        raise InvalidParameterError(f"{name} is not a pair: received {shown(values)}; allowed is {allowed}")
    return items


def whole_parameter(value: object, name: str, least: int, most: int) -> int:
    """Return an integer in a range, given as an integer or as a string of digits.

    Raises:
        InvalidMechanismError: the value is not an integer, or is outside the range.
    """
    is_text = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20
    number = int(str(value)) if is_text else plain_integer(value)
    if type(number) is not int or not least <= number <= most:
        raise InvalidMechanismError(
            f"{name} is out of range: received {shown(value)}; allowed is an integer from {least} to {most}"
        )
    return number


def _by_label(values: Any) -> Any:
    """Return a pandas series sorted by its labels 0, 1, ...; return other series and data frames unchanged."""
    labels: Any = getattr(values, "index", None)
    if getattr(values, "ndim", None) != 1 or not hasattr(labels, "tolist"):
        return values
    order = labels.tolist()
    if order == list(range(len(order))):
        return values
    if set(order) == set(range(len(order))) and not any(isinstance(label, bool) for label in order):
        return values.loc[list(range(len(order)))]
    raise InvalidParameterError(
        f"the labels of a series do not determine its order: received {shown(order)}; allowed are 0 to "
        f"{len(order) - 1}; write series.reindex(labels, fill_value=0).to_numpy() with the labels in the "
        "order of the mechanism"
    )


def exact_entries(matrix: Any) -> Matrix:
    """Return the exact rows of a matrix after checking that they are nonempty, of equal length and not too many.

    Args:
        matrix: as for ``listed_rows``.

    Raises:
        InvalidMechanismError: one of these conditions fails.
        InvalidParameterError: an entry is not a number.
    """
    return rows_of_numbers(listed_rows(matrix))


def listed_rows(matrix: Any) -> list[list[Any]]:
    """Return the rows of a matrix with its numbers as they are, nonempty, of equal length and not too many.

    Args:
        matrix: nested sequences, a NumPy array, a sparse matrix of SciPy, an expression of CVXPY with a value, a data
            frame or a SymPy matrix.

    Raises:
        InvalidMechanismError: one of these conditions fails.
    """
    given = listed(_written_out(matrix))
    if not given:
        raise InvalidMechanismError(
            f"a mechanism is not of the form of a matrix: received {shown_with_type(matrix)}; "
            'give a list of rows such as [["2/3", "1/3"], ["1/3", "2/3"]]'
        )
    rows = []
    for i, row in enumerate(given):
        numbers = listed(row)
        if not numbers:
            raise InvalidMechanismError(f"row {i} of the matrix is not a list of numbers: received {shown(row)}")
        rows.append(numbers)
    if len({len(row) for row in rows}) > 1:
        lengths = [len(row) for row in rows]
        raise InvalidMechanismError(
            f"the rows of the matrix differ in length: received {shown(lengths)}; make them equal"
        )
    if len(rows) * len(rows[0]) > MAX_MATRIX_ENTRIES:
        raise _too_large((len(rows), len(rows[0])))
    return rows


def _too_large(shape: Any) -> InvalidMechanismError:
    return InvalidMechanismError(
        f"the matrix is too large: received shape {shape}; at most {MAX_MATRIX_ENTRIES} entries are held explicitly"
    )


def _written_out(matrix: Any) -> Any:
    """Return the array of a sparse matrix of SciPy, or of the value of an expression of CVXPY."""
    maker = type(matrix).__module__.partition(".")[0]
    if maker == "cvxpy" and hasattr(matrix, "value"):
        if matrix.value is None:
            raise InvalidMechanismError(f"the variable has no value: received {shown(matrix)}; solve its problem first")
        matrix = matrix.value
    if hasattr(matrix, "toarray"):
        if len(matrix.shape) != 2 or matrix.shape[0] * matrix.shape[1] > MAX_MATRIX_ENTRIES:
            raise _too_large(matrix.shape)  # before the zeros are written out
        matrix = matrix.toarray()
    return matrix


def rows_of_numbers(rows: Sequence[Sequence[object]]) -> Matrix:
    """Return the exact numbers of rows; a float is read as its shortest decimal.

    Raises:
        InvalidParameterError: an entry is not a number.
    """
    return tuple(tuple(_exact_entry(x, i, j) for j, x in enumerate(row)) for i, row in enumerate(rows))


def _exact_entry(x: object, i: int, j: int) -> Fraction:
    # the name of the entry is formatted only for the error message: matrices may have a million entries
    if type(x) is Fraction:
        return x
    try:
        return rational(x, digits=MAX_ENTRY_DIGITS)
    except InvalidParameterError:
        return rational(x, name=f"entry ({i}, {j})", digits=MAX_ENTRY_DIGITS)


def text_rows(matrix: Rows) -> list[list[str]]:
    """Return the entries as strings, row by row."""
    return [[as_text(x) for x in row] for row in matrix]


def nonzero_determinant(p00: Fraction, p11: Fraction) -> Fraction:
    """Return ``p00 + p11 - 1``; raise ``InfeasibleError`` if it is 0."""
    value = p00 + p11 - 1
    if not value:
        raise InfeasibleError(
            f"p00 + p11 = 1 leaves nothing to estimate: received p00 = {p00}, p11 = {p11}; "
            "the response must depend on the truth"
        )
    return value


def row_parity(row: Sequence[Fraction]) -> Fraction | None:
    """Return the largest entry of a row divided by its smallest, with 0/0 = 1 and a/0 infinite (``None``)."""
    least, largest = min(row), max(row)
    if not least:
        return None if largest else Fraction(1)
    return largest / least


def row_extremes(rows: Rows, sums: Sequence[Fraction] | None = None) -> list[tuple[int, int, Fraction | None]]:
    """Return for each row the indices of its largest and of its smallest entry, the first ones, and its parity.

    Args:
        rows: entries >= 0.
        sums: positive divisors, one for each column, applied first; ``None``: no division.
    """
    is_exact = len(rows) * len(rows[0]) <= _FEW_ENTRIES
    below = None if sums is None or is_exact else np.array([float(s) for s in sums])
    found = []
    for row in rows:
        high = low = list(range(len(row)))
        if not is_exact:
            floats = np.array([x.numerator / x.denominator for x in row])
            if below is not None:
                floats /= below
            high = np.flatnonzero(floats >= floats.max() * (1 - _NEAR) - _TINY).tolist()
            low = np.flatnonzero(floats <= floats.min() * (1 + _NEAR) + _TINY).tolist()
        entries = {j: row[j] if sums is None else row[j] / sums[j] for j in {*high, *low}}
        first, last = max(high, key=entries.__getitem__), min(low, key=entries.__getitem__)
        found.append((first, last, row_parity((entries[first], entries[last]))))
    return found


def parity_of(parities: Sequence[Fraction | None]) -> Fraction | None:
    """Return the parity of a matrix, the maximum of the parities of its rows; ``None`` if it is infinite."""
    finite = [parity for parity in parities if parity is not None]
    return max(finite) if len(finite) == len(parities) else None
