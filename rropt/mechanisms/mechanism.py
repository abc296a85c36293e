"""The mechanism: an exact column-stochastic matrix (transition probability matrix, channel, local randomizer)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.errors import InvalidMechanismError, shown
from rropt.exact import Epsilon, ExactReal, both_texts, rational
from rropt.limits import MAX_ENTRY_DIGITS
from rropt.mechanisms.codecs import csv_text, rows_from_csv, rows_from_dict, rows_from_json, text_rows
from rropt.mechanisms.excesses import Excess, worst_excess
from rropt.mechanisms.extremes import parity_of, row_parities
from rropt.mechanisms.profiles import PrivacyProfile
from rropt.mechanisms.rendering import html_table, plain_text
from rropt.mechanisms.validation import Matrix, stochastic_matrix
from rropt.mechanisms.whole_profiles import profile_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Mechanism"]


class Mechanism:
    """A randomized response mechanism: ``P[i, j] = Pr(Z = d_i | X = c_j)``, every column sums to exactly 1.

    The transition probability matrix of Chai and Nayak (2018), so that the distribution of the answers is
    ``lambda = P pi``. The row-stochastic *design matrix* of the survey literature (Holohan, Leith and Mason 2016,
    Definition 1) is its transpose, offered as the view ``design_matrix``.

    Args:
        matrix: m rows (outputs) of k entries (inputs), m >= 1, k >= 1, each a number in one of rropt's exact forms,
            nonnegative, every column summing to exactly 1; a NumPy array is read by its shortest decimals.
        name: how the mechanism is called when it is printed, e.g. ``"forced:2/3,1/6,1/6"``.

    Raises:
        InvalidMechanismError: wrong shape, a negative entry, a column that does not sum to 1.
        InvalidParameterError: an entry that is not a number.

    Mechanisms are immutable and compare by their matrix.

    >>> die = Mechanism([["5/6", "1/6"], ["1/6", "5/6"]])
    >>> print(die.parity(), die.epsilon(), round(float(die.epsilon()), 6))
    5 log(5) 1.609438
    """

    __slots__ = ("_matrix", "_name")
    _matrix: Matrix
    _name: str | None

    def __init__(self, matrix: Any, *, name: str | None = None) -> None:
        rows = matrix.matrix if isinstance(matrix, Mechanism) else matrix
        object.__setattr__(self, "_matrix", stochastic_matrix(rows))
        object.__setattr__(self, "_name", name)

    @classmethod
    def binary(cls, p00: object, p11: object, *, name: str | None = None) -> Mechanism:
        """Return the generalised binary design (p00, p11) of Holohan, Leith and Mason (2016), equation (2).

        ``p00 = Pr(answer 0 | truth 0)`` and ``p11 = Pr(answer 1 | truth 1)``.
        """
        a, b = (rational(p, name=name_, digits=MAX_ENTRY_DIGITS) for p, name_ in ((p00, "p00"), (p11, "p11")))
        return cls(((a, 1 - b), (1 - a, b)), name=name)

    @property
    def matrix(self) -> Matrix:
        """The m rows of k exact probabilities."""
        return self._matrix

    @property
    def name(self) -> str | None:
        """The name it was made with, if any."""
        return self._name

    @property
    def shape(self) -> tuple[int, int]:
        """``(m, k)``: number of outputs, number of inputs."""
        return len(self._matrix), len(self._matrix[0])

    @property
    def outputs(self) -> int:
        """m, the number of possible answers."""
        return len(self._matrix)

    @property
    def inputs(self) -> int:
        """k, the number of categories of the sensitive variable."""
        return len(self._matrix[0])

    @property
    def design_matrix(self) -> Matrix:
        """The transpose: rows are inputs and sum to 1 (the survey literature's design matrix)."""
        return tuple(zip(*self._matrix, strict=True))

    def __getitem__(self, index: tuple[int, int]) -> Fraction:
        i, j = index
        return self._matrix[i][j]

    def columns(self) -> Iterator[tuple[Fraction, ...]]:
        """Iterate over the k output distributions."""
        return iter(self.design_matrix)

    @property
    def is_binary(self) -> bool:
        """Whether it has two inputs and two outputs."""
        return self.shape == (2, 2)

    @property
    def p00(self) -> Fraction:
        """Pr(answer 0 | truth 0) of a binary design."""
        return self._require_binary()[0][0]

    @property
    def p11(self) -> Fraction:
        """Pr(answer 1 | truth 1) of a binary design."""
        return self._require_binary()[1][1]

    def parity(self) -> Fraction | None:
        """Return the parity: the largest ratio of two entries of one row, or ``None`` when it is infinite.

        ``max over rows i and columns j, l of p_ij / p_il`` with 0/0 = 1 and a/0 infinite: the odds gamma for which
        the mechanism is exactly log(gamma)-locally differentially private (Chai and Nayak 2018, Definition 1.3).
        Cost O(m k).
        """
        return parity_of(row_parities(self._matrix))

    def epsilon(self) -> Epsilon:
        """Return the exact epsilon of pure local differential privacy: log of the parity, possibly infinite."""
        return Epsilon.of_parity(self.parity())

    def delta(self, epsilon: object) -> Fraction | ExactReal:
        """Return the least delta for which the mechanism is (epsilon, delta)-private, exactly.

        ``delta(epsilon) = max over ordered pairs (j, l) of sum_i max(0, p_ij - gamma p_il)``, gamma = exp(epsilon)
        (for a binary output Holohan, Leith and Mason 2016, (11)). At rational gamma a
        ``Fraction``; otherwise an ``ExactReal`` with exact comparisons, unless it happens to be rational.
        Cost O(m k^2) in floats, then exactly for the pairs of inputs that may attain it (``worst_pair`` names one).

        >>> Mechanism.binary(1, "1/4").delta("log(2)"), str(Mechanism.binary("3/4", "3/4").delta("1/2"))
        (Fraction(1, 4), '3/4 - 1/4*exp(1/2)')
        """
        level = Epsilon.of(epsilon)
        return self.worst_pair(level).at(_gamma(level))

    def worst_pair(self, epsilon: object) -> Excess:
        """Return the two inputs, and the answers, from which ``delta(epsilon)`` comes.

        >>> worst = Mechanism.binary(1, "1/4").worst_pair("log(2)")
        >>> worst.pair, worst.outputs
        ((1, 0), (1,))
        """
        return worst_excess(self._matrix, _gamma(Epsilon.of(epsilon)))

    def profile(self) -> PrivacyProfile:
        """Return the whole privacy profile delta(epsilon), piecewise linear in gamma, with exact breakpoints.

        Where so many pairs of inputs tie within the error of floats that the exact one would take minutes (a GRR of 200
        categories with noise in the last digits) it is a proved enclosure, and its ``width`` is not 0.
        """
        return profile_of(self._matrix)

    def then(self, other: Mechanism, *, name: str | None = None) -> Mechanism:
        """Return the composition: this mechanism's answer is randomized again by ``other`` (``other @ self``)."""
        if not isinstance(other, Mechanism):
            raise InvalidMechanismError(f"a mechanism composes with a Mechanism: received {shown(other)}")
        if other.inputs != self.outputs:
            raise InvalidMechanismError(
                f"mechanisms do not compose: the first has {self.outputs} outputs, the second {other.inputs} inputs; "
                "both numbers must be equal"
            )
        columns = self.design_matrix
        rows = [[(i, x) for i, x in enumerate(row) if x] for row in other.matrix]  # that merge or split are sparse
        product = tuple(tuple(sum((x * column[i] for i, x in row), Fraction(0)) for column in columns) for row in rows)
        return Mechanism(product, name=name)

    def __matmul__(self, other: Mechanism) -> Mechanism:
        return other.then(self) if isinstance(other, Mechanism) else NotImplemented

    def to_numpy(self) -> NDArray[np.float64]:
        """Return the matrix as an array of floats, shape (m, k): for plots and simulation, not for guarantees."""
        import numpy

        return numpy.array([[float(x) for x in row] for row in self._matrix])

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"matrix": [["2/3", "1/3"], ...]}``: rows are outputs, numbers are strings."""
        return {"matrix": text_rows(self._matrix)}

    @classmethod
    def from_dict(cls, data: Any) -> Mechanism:
        """Return the mechanism that ``to_dict`` wrote."""
        return cls(rows_from_dict(data))

    def to_json(self) -> str:
        """Return the JSON text of ``to_dict``."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> Mechanism:
        """Return the mechanism that ``to_json`` wrote."""
        return cls(rows_from_json(text))

    def to_csv(self) -> str:
        """Return the matrix as comma-separated values, one line per output."""
        return csv_text(self._matrix)

    @classmethod
    def from_csv(cls, text: str) -> Mechanism:
        """Return the mechanism that ``to_csv`` wrote."""
        return cls(rows_from_csv(text))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Mechanism is immutable: build a new one")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self._matrix, self._name)

    def __eq__(self, other: object) -> bool:
        return self._matrix == other._matrix if isinstance(other, Mechanism) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._matrix)

    def __repr__(self) -> str:
        named = f", name={self._name!r}" if self._name else ""
        if self.inputs * self.outputs > 144:  # more than a screenful
            return f"<Mechanism of shape {self.shape}{named}>"
        return f"Mechanism({text_rows(self._matrix)}{named})"

    def __str__(self) -> str:
        return plain_text(self._headline(), self._matrix)

    def _repr_html_(self) -> str:
        return html_table(self._headline(), self._matrix)

    def _headline(self) -> str:
        name = f"{self._name}: " if self._name else ""
        return f"{name}{self.outputs} outputs, {self.inputs} inputs, epsilon = {both_texts(self.epsilon())}"

    def _require_binary(self) -> Matrix:
        if not self.is_binary:
            raise InvalidMechanismError(f"p00 and p11 belong to a binary design: this mechanism has shape {self.shape}")
        return self._matrix


def _gamma(level: Epsilon) -> Fraction | ExactReal | None:
    if level.is_infinite:
        return None
    return level.exact_gamma() if level.gamma is None else level.gamma


def _rebuild(matrix: Matrix, name: str | None) -> Mechanism:
    return Mechanism(matrix, name=name)
