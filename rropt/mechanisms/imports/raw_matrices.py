"""A matrix as another tool left it: exact numbers, columns that need not sum to exactly 1."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.errors import InvalidMechanismError
from rropt.exact import decimal_text, telling_decimal
from rropt.mechanisms.columns import Matrix, exact_entry, exact_sum, matrix_rows, whole_numbers
from rropt.mechanisms.mechanism import Mechanism

# A matrix of floats may miss exact column sums by this much before it is taken for something else: the rounding errors
# of a float32 sum over a thousand entries. A column of printed decimals (0.333 three times) is refused.
_RAW_MATRIX_SLACK = Fraction(1, 10**6)


@dataclass(frozen=True, slots=True)
class RawMatrix:
    """A nearly column-stochastic matrix: what somebody's program wrote where a mechanism was meant.

    Attributes:
        entries: m rows (outputs) of k exact numbers (inputs); a float is its shortest decimal.
        name: where it is from, for people.

    Every entry lies in ``[-s, 1 + s]`` and every column sums to within s of 1, where s is 1e-6 (rounding errors of
    single precision): beyond that the matrix is refused, because it is something else.
    """

    entries: Matrix
    name: str | None = None

    def __post_init__(self) -> None:
        most = Fraction(1) + _RAW_MATRIX_SLACK
        for i, row in enumerate(self.entries):
            for j, x in enumerate(row):
                if not 0 <= x.numerator <= x.denominator and (x < -_RAW_MATRIX_SLACK or x > most):
                    raise InvalidMechanismError(
                        f"entry ({i}, {j}) is {'negative' if x < 0 else 'above 1'}: received {decimal_text(x)}; "
                        f"allowed are 0 to 1, and rounding errors up to {float(_RAW_MATRIX_SLACK):g}"
                    )
        for j, total in enumerate(self.column_sums):
            if abs(total - 1) > _RAW_MATRIX_SLACK:
                raise InvalidMechanismError(
                    f"column {j} does not sum to 1: received the sum {telling_decimal(total, 12)}; allowed are "
                    f"rounding errors up to {float(_RAW_MATRIX_SLACK):g}; {self._advice()}"
                )

    def _advice(self) -> str:
        if all(abs(sum(row, Fraction(-1))) <= _RAW_MATRIX_SLACK for row in self.entries):
            return "its rows sum to 1: rows and columns are exchanged (see transposed)"
        return "every column is a distribution over the outputs: write fractions such as 1/3"

    @property
    def shape(self) -> tuple[int, int]:
        """``(m, k)``: number of outputs, number of inputs."""
        return len(self.entries), len(self.entries[0])

    @property
    def column_sums(self) -> tuple[Fraction, ...]:
        """The k sums."""
        return tuple(exact_sum(column) for column in zip(*self.entries, strict=True))

    @property
    def is_mechanism(self) -> bool:
        """Whether it is exactly a mechanism as it stands."""
        return set(self.column_sums) == {1} and all(x.numerator >= 0 for row in self.entries for x in row)

    def clipped(self) -> Matrix:
        """Return the entries with negative ones as 0: what a sampler makes of them."""
        if all(x.numerator >= 0 for row in self.entries for x in row):
            return self.entries
        return tuple(tuple(max(x, Fraction(0)) for x in row) for row in self.entries)

    def normalised(self) -> Mechanism:
        """Return the mechanism that a sampler uses: negative entries as 0, each column divided by its sum."""
        columns = []
        for column in zip(*self.clipped(), strict=True):
            numerators, _ = whole_numbers(column)
            total = sum(numerators)
            columns.append([Fraction(x, total) for x in numerators])
        return Mechanism(tuple(zip(*columns, strict=True)), name=self.name)


def from_array(matrix: Any, *, transposed: bool = False, name: str | None = None) -> RawMatrix:
    """Return a NumPy array, a data frame or nested lists as exact numbers.

    Args:
        matrix: shape (m, k), rows are outputs: NumPy array of any float or rational type, anything with
            ``to_numpy()`` or ``tolist()``, nested sequences.
        transposed: rows are inputs and sum to 1 (a row-stochastic channel), shape (k, m).
        name: what it is called.

    Returns:
        The exact matrix with rows as outputs. A float means its shortest decimal, in its own precision: the float32
        nearest to 1/10 is 1/10.

    Raises:
        InvalidMechanismError: wrong shape, an entry far from [0, 1], a column whose sum is far from 1.
        InvalidParameterError: an entry that is not a finite number.

    >>> raw = from_array([[0.7, 0.1], [0.3, 0.8999999999]])
    >>> raw.is_mechanism, str(raw.column_sums[1]), float(raw.column_sums[1])
    (False, '9999999999/10000000000', 0.9999999999)
    """
    if hasattr(matrix, "to_numpy"):
        matrix = matrix.to_numpy()
    if type(matrix).__module__ == "numpy" and getattr(matrix, "dtype", None) not in (None, "float64"):
        matrix = [list(row) if hasattr(row, "__iter__") else row for row in matrix]  # tolist() would widen float32
    rows = matrix_rows(matrix)
    entries = [[exact_entry(x, i, j) for j, x in enumerate(row)] for i, row in enumerate(rows)]
    return RawMatrix(tuple(zip(*entries, strict=True)) if transposed else tuple(map(tuple, entries)), name)


def from_qif(channel: Any, *, name: str | None = None) -> RawMatrix:
    """Return a channel of ``qif`` (libqif): row-stochastic, ``C[x, y] = Pr(output y | input x)``, float or rational."""
    return from_array(channel, transposed=True, name=name)
