"""Draw the outputs of a table in bulk: some ten thousand rows of true answers at a time, each row by itself.

The draws are exact and use the operating system's randomness. DuckDB reads the columns of the questions in the order
of the rows, Arrow numbers the different answers of a piece, and ``Randomizer.randomize_many`` draws one output for each
row. Only outputs are kept, in the smallest type of integers that holds them, or as texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from secrets import randbelow
from typing import TYPE_CHECKING, Any

import numpy as np

from rropt.core.errors import FileFormatError
from rropt.mechanisms import BitVectorMechanism, BlockMechanism, Mechanism, RandomQuestions
from rropt.mechanisms.sampling import Randomizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rropt.answers.response_codes import Codes

Text = Callable[[Any], str]  # the text of an output, which is a number or, if responses are sets, a row of bits

_MOST_LISTED = 4096  # the largest number of outputs whose texts are listed
CHANGED = "the data changed while they were read: a row contains no answer now; start again"


def mark_of(codes: Codes, value: Any) -> int:
    """Return a number by which two readings of an answer are compared: its code, or the hash of a number on a grid."""
    code = codes[value]
    return hash(codes.number(value)) if 0 <= code < len(codes.grid) else code


class Draws:
    """The outputs of a question, one for each row.

    Args:
        mechanism: the mechanism of the question.
        codes: the codes of the true answers.
        text: the function that returns the text of an output; ``None``: outputs are numbers.
        random: the generator of a simulation; ``None``: the operating system's randomness.
        keeps_marks: whether the true answer of each row is held in memory, for a comparison with a later reading.

    Attributes:
        names: the texts of the outputs, if they are few; then the outputs are written as numbers here.
        counts: the number of rows of each category for which outputs were drawn.
    """

    def __init__(
        self, mechanism: Mechanism, codes: Codes, text: Text | None, random: Any, *, keeps_marks: bool = False
    ) -> None:
        self._randomizer, self._inputs, self._codes = Randomizer(mechanism), mechanism.inputs, codes
        self._grid = mechanism.input_values if mechanism.rounds else ()
        self._below, self._random = partial(integer_below, random), random
        self._are_sets = is_written_as_set(mechanism)
        is_listed = text is not None and not self._are_sets and mechanism.outputs <= _MOST_LISTED
        self.names = list(map(text, range(mechanism.outputs))) if text is not None and is_listed else None
        self._text = None if is_listed else text
        self.counts = np.zeros(mechanism.inputs, np.int64)
        self._marks: list[Any] | None = [] if keeps_marks else None
        self._kind_of_marks = np.dtype(np.int64) if codes.grid else np.min_scalar_type(mechanism.inputs - 1)
        self._kind = np.min_scalar_type(0 if self._are_sets else max(mechanism.outputs - 1, 0))

    def of(self, values: Any) -> Any:
        """Return the outputs that replace an Arrow array of true answers.

        Raises:
            FileFormatError: a value is no answer.
        """
        return self._as_written(self._drawn(self.inputs_of(values)))

    def inputs_of(self, values: Any) -> NDArray[np.int64]:
        """Return the category of each true answer; a number between two of a grid is rounded without bias.

        Raises:
            FileFormatError: a value is no answer.
        """
        found = values.dictionary_encode("encode")
        distinct = found.dictionary.to_pylist()
        own = np.fromiter(map(self._codes.__getitem__, distinct), np.int64, len(distinct))
        if own.size and not (own.min() >= 0 and own.max() < self._inputs):
            raise FileFormatError(CHANGED)
        places = found.indices.to_numpy(zero_copy_only=False)
        inputs: NDArray[np.int64] = own[places]
        self.counts += np.bincount(inputs, minlength=self._inputs)
        if self._marks is not None:
            marks = np.fromiter((mark_of(self._codes, value) for value in distinct), self._kind_of_marks, len(distinct))
            self._marks.append(marks[places])
        for place, (value, code) in enumerate(zip(distinct, own.tolist(), strict=True)):
            if self._grid and 0 <= code < len(self._grid) - 1:
                low = self._grid[code]
                part = (self._codes.number(value) - low) / (self._grid[code + 1] - low)
                if part:
                    rows = np.flatnonzero(places == place)
                    inputs[rows] += [self._below(part.denominator) < part.numerator for _ in range(len(rows))]
        return inputs

    @property
    def marks(self) -> NDArray[Any] | None:
        """The marks (``mark_of``) of the true answers in the order of the rows; ``None`` if they are not kept."""
        if self._marks is None:
            return None
        return np.concatenate([np.empty(0, self._kind_of_marks), *self._marks])

    def _drawn(self, inputs: NDArray[np.int64]) -> Any:
        if self._are_sets:
            sets, rng = self._randomizer, self._random
            parts = sets.randomize_sets(inputs) if rng is None else sets.simulate_sets(inputs, rng=rng)
            return [row for part in parts for row in part]
        if self._random is None:
            return self._randomizer.randomize_many(inputs)
        return self._randomizer.simulate_many(inputs, rng=self._random)

    def _as_written(self, drawn: Any) -> Any:
        """Return outputs as an Arrow array of integers or of texts; ``None`` is a question that is not asked."""
        import pyarrow as pa

        if self._text is not None:
            return pa.array([None if each is None else self._text(each) for each in _listed(drawn)], pa.large_string())
        if isinstance(drawn, np.ndarray):
            return pa.array(drawn.astype(self._kind))
        return pa.array(drawn, pa.from_numpy_dtype(self._kind))


def _listed(drawn: Any) -> Any:
    return drawn.tolist() if isinstance(drawn, np.ndarray) else drawn


class AskedDraws:
    """The reports on several questions of which each respondent is asked some."""

    def __init__(self, mechanism: RandomQuestions, draws: Sequence[Draws], random: Any) -> None:
        self._mechanism, self._draws = mechanism, draws
        self._below = partial(integer_below, random)
        self._sets = mechanism.outputs >> mechanism.asked
        self._true, self._of = mechanism.truthful.as_integer_ratio()

    def of(self, columns: Sequence[Any]) -> list[Any]:
        """Return the reports that replace the Arrow arrays of all questions; a question that is not asked is missing.

        All j answers of a respondent are true with the same probability, otherwise each is a fair coin.

        Raises:
            FileFormatError: a value is no answer.
        """
        codes = [draws.inputs_of(values).tolist() for draws, values in zip(self._draws, columns, strict=True)]
        reports: list[list[int | None]] = [[None] * len(codes[0]) for _ in codes]
        for row in range(len(codes[0])):
            asked = self._mechanism.set_of(self._below(self._sets) << self._mechanism.asked)
            is_true = self._below(self._of) < self._true
            for question in asked:
                reports[question][row] = codes[question][row] if is_true else self._below(2)
        return [draws._as_written(report) for draws, report in zip(self._draws, reports, strict=True)]


def drawn_table(
    pieces: Any, draws: Sequence[Draws], asked: AskedDraws | None, progress: Callable[[int], object] | None
) -> Any:
    """Return the outputs of all rows as an Arrow table with a column ``draw0``, ``draw1``, ... for each question.

    Args:
        pieces: record batches with a column of true answers for each question.
        draws: how the outputs of each question are drawn.
        asked: how they are drawn together, if each respondent is asked some of the questions.
        progress: called with the number of further rows.

    Raises:
        FileFormatError: a value is no answer.
    """
    import pyarrow as pa

    found: list[list[Any]] = [[] for _ in draws]
    for piece in pieces:
        columns = piece.columns
        drawn = (
            [own.of(values) for own, values in zip(draws, columns, strict=True)] if asked is None else asked.of(columns)
        )
        for kept, one in zip(found, drawn, strict=True):
            kept.append(one)
        if progress is not None:
            progress(piece.num_rows)
    return pa.table({f"draw{question}": pa.chunked_array(own) for question, own in enumerate(found)})


def integer_below(random: Any, size: int) -> int:
    """Return a random integer from 0 to size - 1, of the operating system (``None``) or of a simulation."""
    if random is None:
        return randbelow(size)
    length = (size.bit_length() + 7) // 8
    bound = 256**length // size * size
    while (drawn := int.from_bytes(random.bytes(length), "big")) >= bound:
        pass
    return drawn % size


def is_written_as_set(mechanism: Mechanism) -> bool:
    """Return whether a response is written as a set of categories or bits, since its number would be too long."""
    if isinstance(mechanism, BlockMechanism):
        return mechanism.outputs_are_sets()
    return isinstance(mechanism, BitVectorMechanism)
