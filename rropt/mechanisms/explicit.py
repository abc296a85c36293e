"""The explicit mechanism: the column-stochastic matrix itself."""

from __future__ import annotations

from typing import Any

from rropt.mechanisms.columns import Matrix, stochastic_matrix
from rropt.mechanisms.forms import text_rows
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.vectors import Vector

_SCREENFUL = 144  # entries that a repr shows


class ExplicitMechanism(Mechanism, key="matrix"):
    """A mechanism that holds its m rows of k exact probabilities; ``Mechanism(matrix)`` makes it.

    Args:
        matrix: as for ``Mechanism``; a mechanism of another form is written out.
        name: how it is called when it is printed.

    Raises:
        InvalidMechanismError: wrong shape, a negative entry, a column that does not sum to 1.
        InvalidParameterError: an entry that is not a number.
    """

    __slots__ = ()
    _matrix: Matrix

    def __new__(cls, matrix: Any, *, name: str | None = None) -> ExplicitMechanism:
        """Return the mechanism of a matrix."""
        rows = matrix.matrix if isinstance(matrix, Mechanism) else stochastic_matrix(matrix)
        made: ExplicitMechanism = cls.made(name, _matrix=rows)
        return made

    @property
    def shape(self) -> tuple[int, int]:
        """``(m, k)``: number of outputs, number of inputs."""
        return len(self._matrix), len(self._matrix[0])

    def row(self, i: int) -> Vector:
        """Return the k probabilities of answer i."""
        return self._matrix[i]

    def __repr__(self) -> str:
        if self.inputs * self.outputs > _SCREENFUL:
            return f"<Mechanism of shape {self.shape}{self._named()}>"
        return f"Mechanism({text_rows(self._matrix)}{self._named()})"
