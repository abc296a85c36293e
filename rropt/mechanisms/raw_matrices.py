"""Third-party matrices and their audit.

The entries are exact numbers, and the columns need not sum to exactly 1. The audit computes the actual privacy of the
matrix, which may differ from the intended one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from rropt.core.errors import InvalidMechanismError
from rropt.core.exact import Epsilon, both_texts, decimal_text, distinguishing_decimal
from rropt.core.exact.numbers import whole_numbers
from rropt.core.results import Extended, Result, display_text, labelled, plain_dict, record_of
from rropt.mechanisms.columns import Matrix, exact_entries, exact_sum, parity_of, row_extremes, text_rows
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.rounding import SLACK


@dataclass(frozen=True, slots=True)
class ZeroClash:
    """An output that is impossible under one input and possible under another; it rules out the input ``never``."""

    output: int
    never: int
    possible: int

    def __str__(self) -> str:
        never = f"output {self.output} never occurs at input {self.never} but may occur at input {self.possible}"
        return f"{never}: it rules input {self.never} out for certain"


@dataclass(frozen=True)
class MatrixAudit(Result):
    """A nearly column-stochastic matrix, such as third-party floats that are meant to be a mechanism, and its privacy.

    Every entry must be in ``[-s, 1 + s]``, and every column sum within s of 1, where s is 1e-6 (rounding errors of
    single precision). Other matrices are rejected.

    Attributes:
        entries: m rows (outputs) of k exact numbers (inputs); a float is read as its shortest decimal.
        name: the source of the matrix, for messages.
    """

    entries: Matrix
    name: str | None = field(default=None, compare=False)

    LABELS: ClassVar[Mapping[str, str]] = labelled(parity="parity (gamma)", epsilon="epsilon")

    def __post_init__(self) -> None:
        most = Fraction(1) + SLACK
        for i, row in enumerate(self.entries):
            for j, x in enumerate(row):
                if not 0 <= x.numerator <= x.denominator and (x < -SLACK or x > most):
                    fault = "negative" if x < 0 else "above 1"
                    raise InvalidMechanismError(
                        f"entry ({i}, {j}) is {fault}: received {distinguishing_decimal(x)}; "
                        f"allowed are 0 to 1, and rounding errors up to {float(SLACK):g}"
                    )
        for j, total in enumerate(self.column_sums):
            if abs(total - 1) > SLACK:
                raise InvalidMechanismError(
                    f"column {j} does not sum to 1: received the sum {distinguishing_decimal(total, 12)}; allowed are "
                    f"rounding errors up to {float(SLACK):g}; {self._advice()}"
                )

    def _advice(self) -> str:
        if all(abs(sum(row, Fraction(-1))) <= SLACK for row in self.entries):
            return "its rows sum to 1: rows and columns are exchanged (see transposed)"
        return "every column is a distribution over the outputs: write fractions such as 1/3"

    @classmethod
    def recompute(cls, matrix: tuple[tuple[Fraction, ...], ...]) -> MatrixAudit:
        """Recompute the audit of a matrix."""
        return audit(matrix)

    @property
    def shape(self) -> tuple[int, int]:
        """``(m, k)``: number of outputs, number of inputs."""
        return len(self.entries), len(self.entries[0])

    @cached_property
    def column_sums(self) -> tuple[Fraction, ...]:
        """The k column sums."""
        return tuple(exact_sum(column) for column in zip(*self.entries, strict=True))

    @cached_property
    def clipped(self) -> Matrix:
        """The entries with negative ones replaced by 0, as a sampler would treat them."""
        if not self.negatives[0]:
            return self.entries
        return tuple(tuple(max(x, Fraction(0)) for x in row) for row in self.entries)

    @cached_property
    def _extremes(self) -> list[tuple[int, int, Fraction | None]]:
        """For each row the columns of its largest and its smallest entry, and its parity."""
        return row_extremes(self.clipped)

    @cached_property
    def parity(self) -> Fraction | None:
        """The largest ratio of two entries of a row, with negative entries as 0; None = infinite."""
        return parity_of([parity for _, _, parity in self._extremes])

    @property
    def worst(self) -> tuple[int, int, int] | None:
        """The row and the columns of the two entries that attain the parity; None if every row is constant."""
        i, (high, low, _) = next(each for each in enumerate(self._extremes) if each[1][2] == self.parity)
        return None if self.parity == 1 else (i, high, low)

    @property
    def zeros(self) -> tuple[ZeroClash | None, int]:
        """The first row that contains both a zero and a positive entry, and the number of such rows."""
        clashes = [ZeroClash(i, low, high) for i, (high, low, parity) in enumerate(self._extremes) if parity is None]
        return clashes[0] if clashes else None, len(clashes)

    @property
    def misses(self) -> tuple[Fraction, ...]:
        """For each column its sum minus 1."""
        return tuple(total - 1 for total in self.column_sums)

    @cached_property
    def negatives(self) -> tuple[int, Fraction]:
        """The number of negative entries, and the smallest of them (0 if no entry is negative)."""
        negative = [x for row in self.entries for x in row if x.numerator < 0]
        return len(negative), min(negative, default=Fraction(0))

    def to_dict(self) -> dict[str, Any]:
        """Return the matrix and the findings; ``zeros`` is null if no row has both a zero and a positive entry."""
        (clash, count), normalised = self.zeros, self.normalised_parity
        infinite = {"parity": Extended}
        found = {
            **{name: getattr(self, name) for name in ("parity", "epsilon", "largest_miss")},
            "exactly_stochastic": self.is_mechanism,
            "negative_entries": self.negatives[0],
            "zeros": None if clash is None else {**plain_dict(clash), "answers": count},
            "normalised": record_of({"parity": normalised, "epsilon": Epsilon.of_parity(normalised)}, infinite),
        }
        return {"matrix": text_rows(self.entries), **record_of(found, infinite)}

    def lines(self) -> list[tuple[str, str]]:
        """Return summary lines with parity and epsilon, and with any defects of the matrix."""
        return [("parity (gamma)", both_texts(self.parity)), ("epsilon", display_text(self.epsilon)), *self.defects()]

    def defects(self) -> list[tuple[str, str]]:
        """Return summary lines on the defects of the matrix."""
        rows, (clash, count), (negative, least) = [], self.zeros, self.negatives
        if miss := self.largest_miss:
            rows.append(("columns", f"miss the sum 1 by up to {decimal_text(miss, 3)}: no exact mechanism"))
        if negative:
            rows.append(("negative entries", f"{negative}, the least {decimal_text(least, 3)}; counted as 0"))
        if clash is not None:
            rows.append(("zeros", f"{clash} ({count} such output{'s' if count > 1 else ''})"))
        if not self.is_mechanism:
            epsilon = both_texts(Epsilon.of_parity(self.normalised_parity))
            rows.append(("epsilon when columns are divided by their sums", epsilon))
            rows.append(("what to do", "rropt repair gives the nearest exact mechanism at a level"))
        return rows

    @cached_property
    def normalised(self) -> Mechanism:
        """The mechanism that a sampler realizes: negative entries become 0, columns are divided by their sum."""
        columns = []
        for column in zip(*self.clipped, strict=True):
            numerators, _ = whole_numbers(column)
            total = sum(numerators)
            columns.append([Fraction(x, total) for x in numerators])
        return Mechanism(tuple(zip(*columns, strict=True)), name=self.name)

    @cached_property
    def normalised_parity(self) -> Fraction | None:
        """The parity of ``normalised``, computed without building it."""
        if self.is_mechanism:
            return self.parity
        rows = self.clipped
        sums = [exact_sum(column) for column in zip(*rows, strict=True)]
        return parity_of([parity for *_, parity in row_extremes(rows, sums)])

    @property
    def epsilon(self) -> Epsilon:
        """The exact level of the entries as given: log of the parity, possibly infinite."""
        return Epsilon.of_parity(self.parity)

    @property
    def is_mechanism(self) -> bool:
        """Whether the entries form an exact mechanism without any correction."""
        return not self.negatives[0] and not any(self.misses)

    @property
    def largest_miss(self) -> Fraction:
        """The largest absolute difference between a column sum and 1."""
        return max(abs(miss) for miss in self.misses)

    def repeated_columns(self, certified: Matrix) -> tuple[int, ...]:
        """Return for each column the certified column that it repeats, as a design of merged categories does.

        It is the one from which the fewest entries differ, as in ``entries_other_than``.

        Args:
            certified: the exact matrix of the groups, with the same outputs and fewer inputs.

        Returns:
            The indices of certified columns; empty if the shapes do not fit or a certified column occurs nowhere.

        >>> audit([[0.25, 0.5, 0.25], [0.75, 0.5, 0.75]]).repeated_columns(
        ...     ((Fraction(1, 4), Fraction(1, 2)), (Fraction(3, 4), Fraction(1, 2)))
        ... )
        (0, 1, 0)
        """
        if len(certified) != self.shape[0] or not len(certified[0]) < self.shape[1]:
            return ()
        columns = [[_written(x) for x in column] for column in zip(*certified, strict=True)]

        def others(column: tuple[Fraction, ...], index: int) -> int:
            return sum(x not in forms for x, forms in zip(column, columns[index], strict=True))

        found = tuple(
            min(range(len(columns)), key=lambda index: others(column, index))
            for column in zip(*self.entries, strict=True)
        )
        return found if len(set(found)) == len(set(zip(*certified, strict=True))) else ()

    def entries_other_than(self, certified: Matrix) -> list[tuple[int, int, Fraction, Fraction]]:
        """Return the entries that equal neither the certified number nor the double nearest to it.

        The double is accepted as its exact rational value, as its shortest decimal, and as a decimal of 17 digits.

        Args:
            certified: the exact matrix of the same shape.

        Returns:
            For each such entry: output, input, certified number, own number.

        Raises:
            InvalidMechanismError: the shapes differ.

        >>> audit([[0.3333333333333333, 0.5], [0.666667, 0.5]]).entries_other_than(
        ...     ((Fraction(1, 3), Fraction(1, 2)), (Fraction(2, 3), Fraction(1, 2)))
        ... )
        [(1, 0, Fraction(2, 3), Fraction(666667, 1000000))]
        """
        shape = len(certified), len(certified[0])
        if self.shape != shape:
            raise InvalidMechanismError(
                f"the matrix has another shape than the certified one: received {self.shape[0]} outputs (rows) and "
                f"{self.shape[1]} inputs; certified are {shape[0]} and {shape[1]} (see transposed)"
            )
        pairs = zip(certified, self.entries, strict=True)
        listed = ((i, j, x, y) for i, rows in enumerate(pairs) for j, (x, y) in enumerate(zip(*rows, strict=True)))
        return [entry for entry in listed if entry[3] not in _written(entry[2])]


def audit(matrix: Any, *, transposed: bool = False, name: str | None = None) -> MatrixAudit:
    """Compute the exact privacy of a matrix of floats or exact numbers, whether or not it is exactly stochastic.

    ``parity = max over rows i and columns j, l of p_ij / p_il`` with 0/0 = 1 and a/0 infinite (Chai and Nayak 2018,
    Definition 1.3), for the numbers as given; a float is read as its shortest decimal in its own precision: the float32
    nearest to 1/10 is 1/10. A row with a zero and a positive entry makes the parity infinite, however small the
    positive entry is. The cost is O(m k).

    Args:
        matrix: shape (m, k), rows are outputs: a ``Mechanism``, a NumPy array of any float or rational type, anything
            with ``to_numpy()`` or ``tolist()``, or nested sequences; or an audit, which is returned.
        transposed: whether the rows are inputs and sum to 1 (a row-stochastic channel), shape (k, m).
        name: a name for messages.

    Raises:
        InvalidMechanismError: the shape is wrong, an entry is far from [0, 1], or a column sum is far from 1.
        InvalidParameterError: an entry is not a finite number.

    >>> found = audit([[0.5, 0.25], [0.5, 0.7500000001]])
    >>> print(found.epsilon, float(found.misses[1]), found.zeros[1])
    log(2) 1e-10 0
    >>> audit([[1.0, 1e-12], [0.0, 0.999999999999]]).epsilon.is_infinite
    True
    """
    if isinstance(matrix, MatrixAudit):
        return matrix
    if isinstance(matrix, Mechanism):
        return MatrixAudit(matrix.design_matrix) if transposed else MatrixAudit(matrix.matrix, matrix.name)
    entries = exact_entries(matrix)
    return MatrixAudit(tuple(zip(*entries, strict=True)) if transposed else entries, name)


def _written(number: Fraction) -> set[Fraction]:
    double = float(number)
    return {number, Fraction(double), Fraction(repr(double)), Fraction(f"{double:.17g}")}
