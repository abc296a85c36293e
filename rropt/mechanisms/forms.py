"""Matrices in some form: rows on request, written out when asked for; texts (JSON, CSV) and equality of every form."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from rropt.errors import FileFormatError, UnsupportedProblemError, shown
from rropt.exact import as_text
from rropt.files import parse_csv, parse_json
from rropt.limits import MAX_MATRIX_ENTRIES
from rropt.mechanisms.columns import Matrix
from rropt.mechanisms.vectors import Vector, size_text

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

    from rropt.mechanisms.mechanism import Mechanism

_FLOAT_DIGITS = 15  # a decimal of so many is the shortest one of its float
_MOST_DECIMALS = 900  # entries whose decimals are looked for: every pair of inputs is compared at every level

Form = TypeVar("Form", bound="MatrixForm")

_BESIDE = ("name", "problem")  # keys of a mechanism's JSON that are no form
_LONGEST_NAME = 500


class MatrixForm:
    """A matrix of exact probabilities in some form; a form brings ``shape`` and ``row``, a key in JSON, and its parts.

    A class ``Mine(Mechanism, key="mine")`` enters itself as the form whose JSON is ``{"mine": ...}``.
    """

    __slots__ = ("_matrix", "_name")
    _matrix: Matrix | None  # written out, once it was asked for
    _name: str | None

    FORMS: ClassVar[dict[str, Any]] = {}  # by the key in JSON; a form enters itself when it is defined

    def __init_subclass__(cls, *, key: str | None = None) -> None:
        super().__init_subclass__()
        if key is not None:
            MatrixForm.FORMS[key] = cls

    @classmethod
    def made(cls, name: str | None, **parts: Any) -> Any:
        """Return an object of this form with these slots."""
        return _remade(cls, {"_matrix": None, "_name": name, **parts})

    @property
    def shape(self) -> tuple[int, int]:
        """``(m, k)``: number of outputs, number of inputs."""
        raise NotImplementedError(f"the form {type(self).__name__} does not say its shape")

    def row(self, i: int) -> Vector:
        """Return the k probabilities of answer i, without the rest of the matrix."""
        raise NotImplementedError(f"the form {type(self).__name__} does not give its rows")

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: ``{"matrix": [["2/3", "1/3"], ...]}``, rows are outputs, or what the form says."""
        return {"matrix": text_rows(self.matrix)}

    def decimals(self) -> dict[str, Any] | None:
        """Return ``to_dict`` with floats: their shortest decimals are a mechanism as private as this one.

        ``None`` where fifteen digits do not do it, in large matrices, and in forms without entries.
        """
        from rropt.mechanisms.decimals import private_decimals

        if type(self) is not MatrixForm.FORMS["matrix"] or self.outputs * self.inputs > _MOST_DECIMALS:
            return None
        found = private_decimals(self.matrix, _FLOAT_DIGITS)
        if found is None or found[1] > _FLOAT_DIGITS:
            return None
        return {"matrix": [[float(x) for x in row] for row in found[0]]}

    @classmethod
    def from_data(cls, data: Any) -> Mechanism:
        """Return the mechanism of what stands under the form's key."""
        made: Mechanism = MatrixForm.FORMS["matrix"](data)
        return made

    def parts(self) -> Any:
        """Return what makes two mechanisms of one form equal; hashable."""
        return self.matrix

    @property
    def matrix(self) -> Matrix:
        """The m rows of k exact probabilities, written out.

        Raises:
            UnsupportedProblemError: it has more than a million entries.
        """
        if self._matrix is None:
            m, k = self.shape
            if m * k > MAX_MATRIX_ENTRIES:
                raise UnsupportedProblemError(
                    f"the matrix is too large to be written out: received {size_text(m)} outputs and {size_text(k)} "
                    f"inputs, {size_text(m * k)} entries; at most {MAX_MATRIX_ENTRIES} are; work with its rows, apply, "
                    "adjoint, parity and delta"
                )
            object.__setattr__(self, "_matrix", self._written_out())
        written: Matrix = self._matrix  # type: ignore[assignment]  # set above
        return written

    def _written_out(self) -> Matrix:
        return tuple(self.row(i) for i in range(self.outputs))

    @property
    def name(self) -> str | None:
        """The name it was made with, if any."""
        return self._name

    def named(self, name: str | None) -> Self:
        """Return the same mechanism under another name."""
        return _remade(type(self), {**self._slots(), "_name": name})

    @property
    def outputs(self) -> int:
        """m, the number of possible answers."""
        return self.shape[0]

    @property
    def inputs(self) -> int:
        """k, the number of categories of the sensitive variable."""
        return self.shape[1]

    @classmethod
    def from_dict(cls, data: Any) -> Mechanism:
        """Return the mechanism that ``to_dict`` wrote, of any form.

        Beside the form's key there may be ``name``, one line of text, and ``problem``, which it answers (``rropt
        design --output``): what that says is not looked at.

        Raises:
            FileFormatError: not an object with the key of one form, or with further keys.
        """
        keys = [key for key in data if key not in _BESIDE] if isinstance(data, dict) else []
        key = keys[0] if len(keys) == 1 else None
        if not isinstance(key, str) or key not in MatrixForm.FORMS:
            others = ", ".join(form for form in MatrixForm.FORMS if form != "matrix")
            raise FileFormatError(
                'a mechanism is not of the form {"matrix": [["2/3", "1/3"], ["1/3", "2/3"]]}: received '
                f"{shown(data)}; other forms have the keys {others}"
            )
        made: Mechanism = MatrixForm.FORMS[key].from_data(data[key])
        return made.named(_name_of(data["name"])) if "name" in data else made

    def to_json(self) -> str:
        """Return the JSON text of ``to_dict``."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> Mechanism:
        """Return the mechanism that ``to_json`` wrote; numbers are read as they are written."""
        return cls.from_dict(parse_json(text, what="mechanism"))

    def to_csv(self) -> str:
        """Return the matrix as comma-separated values, one line per output."""
        return csv_text(self.matrix)

    @classmethod
    def from_csv(cls, text: str) -> Mechanism:
        """Return the mechanism that ``to_csv`` wrote."""
        return cls.from_data([row for row in parse_csv(text, what="mechanism") if any(row)])

    def to_numpy(self) -> NDArray[np.float64]:
        """Return the matrix as an array of floats, shape (m, k): for plots and simulation, not for guarantees."""
        import numpy

        return numpy.array([[float(x) for x in row] for row in self.matrix])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the matrix for ``numpy.asarray``: floats, or with ``dtype=object`` the exact fractions."""
        import numpy

        if copy is False:
            raise ValueError("a mechanism holds exact fractions and no array: numpy.asarray(mechanism) makes one")
        if dtype is not None and numpy.dtype(dtype) == object:
            return numpy.array(self.matrix, dtype=object)
        return self.to_numpy().astype(float if dtype is None else dtype, copy=False)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Mechanism is immutable: build a new one")

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (type(self), self._slots())

    def _slots(self) -> dict[str, Any]:
        slots = [slot for cls in type(self).__mro__ for slot in getattr(cls, "__slots__", ())]
        return {slot: getattr(self, slot) for slot in slots}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MatrixForm) or type(other) is not type(self):
            return NotImplemented
        return bool(self.parts() == other.parts())

    def __hash__(self) -> int:
        return hash(self.parts())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of shape ({', '.join(map(size_text, self.shape))}){self._named()}>"

    def _named(self) -> str:
        return f", name={self._name!r}" if self._name else ""


def _remade(cls: type[Form], slots: dict[str, Any]) -> Form:
    made = object.__new__(cls)
    for slot, value in slots.items():
        object.__setattr__(made, slot, value)
    return made


def _name_of(text: object) -> str:
    """Return the name that a file gives to its mechanism: it is printed as it is."""
    if not isinstance(text, str) or not text.isprintable() or not 0 < len(text) <= _LONGEST_NAME:
        raise FileFormatError(
            f"the name of a mechanism is not one line of text: received {shown(text)}; allowed are 1 to "
            f"{_LONGEST_NAME} printable characters, or no name"
        )
    return text


def text_rows(matrix: Sequence[Sequence[Fraction]]) -> list[list[str]]:
    """Return the entries as strings, row by row."""
    return [[as_text(x) for x in row] for row in matrix]


def rows_from_dict(data: Any) -> Any:
    """Return what stands under the only key ``matrix``; whether it is a matrix is for ``Mechanism`` to say."""
    if not isinstance(data, dict) or set(data) - set(_BESIDE) != {"matrix"}:
        raise FileFormatError(
            f'a mechanism is not of the form {{"matrix": [["2/3", "1/3"], ["1/3", "2/3"]]}}: received {shown(data)}'
        )
    return data["matrix"]


def csv_text(matrix: Sequence[Sequence[Fraction]]) -> str:
    """Return comma-separated values: one line per output, one column per input, without a header."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(text_rows(matrix))
    return stream.getvalue()
