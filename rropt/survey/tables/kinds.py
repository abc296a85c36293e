"""Counts of responses: equal respondents are counted together, with the sums of their weights.

Two respondents are equal if they have the same stratum, cluster, cell of post-stratification, group, device and
responses, as they are stored. An engine counts them, and the few distinct values are interpreted afterwards, in the
same way for all engines: a response becomes a code (``response_codes``), other values become texts without surrounding
blanks. For each kind of equal respondents the estimates need only their number and the sums of w and w^2. Without
weights these are the number. Memory grows with the number of kinds, not with the number of rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from rropt.core.errors import FileFormatError, InvalidParameterError, names_of, one_of, shown
from rropt.core.exact import rational_where
from rropt.survey.populations.linearization import SINGLE_PSU_RULES, Ints
from rropt.survey.tables.counting import MOST_CELLS, CountRequest, too_many_cells
from rropt.survey.tables.sources import Source, as_float_column, equal_row_counts, is_finite_nonnegative, text_of

_MOST_TEXTS = 2 * MOST_CELLS  # the largest number of distinct texts of groups and devices, before blanks are removed
_NONE = -3  # the code of a question that is not in the table
_MOST_KINDS = 5_000_000  # the largest number of kinds; with more, there are too many texts
_MOST_EXPECTED = 1 << 17  # questions are counted together, to read the table less often, up to this many kinds
ALL = "all"  # the name of the group if the table is not divided into groups


@dataclass(frozen=True, slots=True)
class SampleColumns:
    """The columns that describe the sampling design.

    Attributes:
        weights: the column of w; ``None``: w is the inverse of the fractions of ``fpc``, or 1.
        strata, clusters: the columns of labels; clusters are nested in strata.
        fpc: the finite population of each stratum, in clusters (or rows), and then that of each cluster, in rows. Each
            is a column or one number. All values are counts (at least 1), or all are rates (at most 1).
        post_strata: the columns that define the cells of post-stratification.
        single_psu: the contribution of a stratum with a single PSU (``Sampling``).
    """

    weights: str | None = None
    strata: str | None = None
    clusters: str | None = None
    fpc: tuple[str | Fraction, ...] = ()
    post_strata: tuple[str, ...] = ()
    single_psu: str = "refuse"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all requested columns."""
        given = (self.weights, self.strata, self.clusters, *self.fpc, *self.post_strata)
        return tuple(name for name in given if isinstance(name, str))

    def __bool__(self) -> bool:
        return self != SampleColumns()


def sample_columns(
    weights: str | None, strata: str | None, clusters: str | None, fpc: Any, post_strata: Any, single_psu: str
) -> SampleColumns:
    """Check the sampling design, as far as possible without the table, and return its columns."""
    one_of(single_psu, SINGLE_PSU_RULES, "the rule for strata with one cluster")
    given = () if fpc is None else tuple(fpc) if isinstance(fpc, list | tuple) else (fpc,)
    if len(given) > (2 if clusters is not None else 1):
        raise InvalidParameterError(
            f"the finite populations do not fit the stages: received {len(given)} for "
            f"{'clusters and those in them' if clusters is not None else 'a sample without clusters'}; allowed are "
            "one, and with clusters a second one within them"
        )
    populations = tuple(_population(each) for each in given)
    cells = names_of(post_strata, "post_strata")
    return SampleColumns(weights, strata, clusters, populations, cells, single_psu)


_NUMBER = re.compile(r"[-+]?(\d[\d_]*(\.\d*)?|\.\d+)([eE][-+]?\d+|/\d+)? ?%?")  # matched only, never evaluated


def _population(value: object) -> str | Fraction:
    """Return a number, or the name of a column if the text is not a number."""
    if isinstance(value, str) and not _NUMBER.fullmatch(value.strip()):
        return value
    return rational_where(value, lambda x: x >= 0, "a column, a rate in [0, 1] or a count of at least 1", name="fpc")


class Kinds:
    """The kinds of equal respondents, with counts and weights: each array has one entry for each kind.

    Args:
        source, asked, sample: the table, its questions, groups and devices, and the sampling design.
        sets: the questions that are counted together; the table is read once for each set.
        is_limited: whether to refuse too many kinds, where the sample is not complex.

    Attributes:
        groups, devices: the names of the groups and of the devices.
        cells: the number of combinations of groups and devices.
        places: the places of the kinds of each set.
        group, device: the numbers of the group and of the device of each kind.
        codes: the codes of the responses to each question.
        columns: the other columns: ``n``, ``weight``, ``square``, ``positive``, and the numbers of strata and clusters.
    """

    def __init__(
        self,
        source: Source,
        asked: CountRequest,
        sample: SampleColumns,
        sets: Sequence[tuple[int, ...]],
        *,
        is_limited: bool = True,
    ) -> None:
        self.source, self.asked, self.sample, self.sets = source, asked, sample, sets
        self._most = _MOST_KINDS if is_limited and not sample else None
        if not asked.columns and len(source.columns) != asked.questions:
            raise FileFormatError(
                f"lines do not fit the questions: received {len(source.columns)} "
                f"answer{'s' * (len(source.columns) > 1)} a line, and the mechanism asks {asked.questions}; give a "
                "column for each question, name the columns that they stand in (`columns`), or, where one answer "
                "stands for all questions, its categories (`categories=0,1,2,3`)"
            )
        self.labels = given_columns({"s": sample.strata, "c": sample.clusters}, "t", sample.post_strata)
        self.numbers = given_columns({"w": sample.weights}, "f", sample.fpc)
        self.texts = {name: Texts() for name in self.labels}
        cells = given_columns({"d": asked.devices}, "g", asked.by)
        named = {name: Texts() for name in cells}
        if sample:
            self._require_few_cells(cells)
        parts = [self._read(one, cells, self.texts | named) for one in sets]
        lengths = [len(part["n"]) for part in parts]
        if not sum(lengths):
            raise FileFormatError(
                f"data are empty: {source.name} contains no answers; give one line for each respondent"
            )
        ends = np.cumsum([0, *lengths]).tolist()
        self.places: list[Ints] = [np.arange(*pair) for pair in pairwise(ends)]
        none = [np.full(n, _NONE) for n in lengths]
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0] if name[0] != "q"}
        self._require_readable(columns)
        self.strata = self.texts.pop("s", Texts()).list
        self.texts.clear()  # frees memory: there may be millions of clusters
        used = {*self.labels, *cells, *(f"bad_{name}" for name in self.numbers)}
        self.columns = {name: columns[name] for name in columns if name not in used}
        self.columns |= self._numbered(columns)
        self.codes: list[Ints] = [
            np.concatenate([part.get(f"q{question}", gap) for part, gap in zip(parts, none, strict=True)])
            for question in range(asked.questions)
        ]
        first, cell = numbered(np.zeros(ends[-1], np.int64), *(columns[name] for name in cells))
        self.cells = len(first)
        self._require_few(lengths)
        told = [{name: named[name].list[columns[name][at]] for name in cells} for at in first.tolist()]
        groups = [tuple(one[f"g{i}"] for i in range(len(asked.by))) for one in told]
        devices = [one.get("d", "") for one in told]
        self.groups, self.devices = list(dict.fromkeys(map(_group_name, sorted(groups)))), sorted(set(devices))
        self.group = _places(self.groups, list(map(_group_name, groups)))[cell]
        self.device = _places(self.devices, devices)[cell]

    def _require_few(self, lengths: Sequence[int]) -> None:
        """Raise an error if there are too many groups and devices, or too many kinds."""
        if self.cells > MOST_CELLS:
            raise too_many_cells(self.asked)
        for questions, n in zip(self.sets, lengths, strict=True):
            if n == self._most:
                raise FileFormatError(
                    f"the data have too many different answers: received {n} different ones or more in "
                    f"{shown(', '.join(self.asked.titles()[question] for question in questions))}; is it the right "
                    "column?"
                )

    def _require_few_cells(self, cells: Mapping[str, str]) -> None:
        """Raise an error if there are too many groups and devices, before any summation."""
        if cells:
            found = self.source.found(cells, lambda rows: rows.select(list(cells)).distinct().limit(_MOST_TEXTS))
            different = set(zip(*(map(text_of, found[name].tolist()) for name in cells), strict=True))
            if len(different) > MOST_CELLS or len(found[next(iter(cells))]) == _MOST_TEXTS:
                raise too_many_cells(self.asked)

    def _alike(self, keys: Sequence[str]) -> Callable[[Any], Any]:
        """Return the expression that counts equal rows and sums their numbers, in a fixed order."""
        commas = self.source.decimal_commas  # engines return groups in any order, and sums of floats depend on it
        return lambda rows: equal_row_counts(rows, keys, list(self.numbers), commas=commas).order_by(list(keys))

    def _read(self, one: Sequence[int], cells: Mapping[str, str], texts: Mapping[str, Texts]) -> dict[str, Any]:
        """Return the kinds of respondents by their responses to some questions, with codes instead of values."""
        questions = {f"q{question}": self.asked.column(question) for question in one}
        keys = [*self.labels, *cells, *questions]
        chosen: dict[str, str | int] = {**self.labels, **cells, **questions, **self.numbers}
        found: dict[str, Any] = dict(
            self.source.found(chosen, self._alike(keys)) if self.sample else self.source.counted(chosen, self._most)
        )
        for name in keys:
            values = found.pop(name).tolist()  # one column at a time: the values of many kinds need much memory
            known = texts[name] if name in texts else self.asked.codes[int(name[1:])]
            found[name] = np.fromiter(map(known.__getitem__, values), np.int64, len(values))
        for name in ("positive", "weight", "square"):
            found.setdefault(name, found["n"])
        return {name: np.asarray(found.pop(name)) for name in list(found)}

    def _numbered(self, columns: Mapping[str, Ints]) -> dict[str, Ints]:
        """Return the numbers of the strata, of the clusters within them, and of the cells of post-stratification."""
        parts = {
            "stratum": ["s"],
            "cluster": ["s", "c"],
            "label": ["c"],
            "post": [f"t{i}" for i in range(len(columns))],
        }
        used = {name: [columns[label] for label in own if label in self.labels] for name, own in parts.items()}
        return {
            name: own[0] if len(own) == 1 else numbered(*own)[1]
            for name, own in used.items()
            if own and (name != "cluster" or "c" in self.labels)
        }

    def _require_readable(self, columns: Mapping[str, Any]) -> None:
        """Raise an error for empty labels and invalid numbers that reports their lines."""
        for name, column in self.labels.items():
            if not all(map(text_of, self.texts[name])):
                what = {"s": "stratum", "c": "cluster"}.get(name, "cell of post-stratification")
                lines = self.source.rows_where(column, lambda value: not text_of(value))
                self._refuse(lines, "name", f"no {what} in {shown(column)}", "give each row one")
        if wrong := [name for name in self.numbers if columns[f"bad_{name}"].any()]:
            column, what = self.numbers[wrong[0]], "weight" if wrong[0] == "w" else "finite population"
            values = set(self.source.found({"x": column}, self._wrong_numbers)["x"].tolist())
            self._refuse(
                self.source.rows_where(column, lambda value: value in values or value != value),
                "contain",
                f"no valid {what} in {shown(column)}",
                "allowed are finite numbers of at least 0, with a decimal point (or comma, where "
                "columns are not separated by commas); a respondent who was not drawn has no row",
            )

    def _wrong_numbers(self, rows: Any) -> Any:
        """Return the expression for the different values in column x that are not finite numbers of at least 0."""
        numbers = as_float_column(rows.x, commas=self.source.decimal_commas)
        return rows.filter(~is_finite_nonnegative(numbers)).distinct()

    def _refuse(self, lines: Sequence[int], verb: str, what: str, advice: str) -> None:
        raise FileFormatError(
            f"{self.source.where(lines)} of the data {verb}{'s' * (len(lines) == 1)} {what} : {advice}"
        )

    def total(self, question: int) -> dict[int, int]:
        """Return the count of each code of a question."""
        place = self._place_of(question)
        values, inverse = np.unique(self.codes[question][place], return_inverse=True)
        numbers = np.bincount(inverse, self.columns["n"][place])  # exact up to 2^53
        return dict(zip(values.tolist(), map(int, numbers.tolist()), strict=True))

    def patterns(self, questions: Sequence[int]) -> Iterator[tuple[str, str, Ints, Ints]]:
        """Yield for each group and device the codes of some questions, shape (kinds, questions), and their counts.

        The questions belong to one set, and equal codes may occur several times.
        """
        place = self._place_of(questions[0])
        cell = self.group[place] * len(self.devices) + self.device[place]
        codes = [self.codes[question][place] for question in questions]
        order = np.lexsort((*codes, cell))
        parts = np.split(order, np.flatnonzero(np.diff(cell[order])) + 1)
        table, n = np.stack(codes, axis=1), self.columns["n"][place].astype(np.int64)
        for own in parts:
            group, device = divmod(int(cell[own[0]]), len(self.devices))
            yield self.groups[group], self.devices[device], table[own], n[own]

    def _place_of(self, question: int) -> Ints:
        return next(place for one, place in zip(self.sets, self.places, strict=True) if question in one)

    def labels_of(self, place: Ints, name: str) -> Ints | None:
        """Return the numbers from 0 of a label, for some kinds; ``None`` if there is no such column."""
        return self.columns[name][place].astype(np.int64) if name in self.columns else None


def question_blocks(sizes: Mapping[int, int], cells: int = 1) -> list[tuple[int, ...]]:
    """Divide questions into blocks that are counted together, so that the table is read few times.

    Args:
        sizes: maps each question to the number of its outputs.
        cells: the number of combinations of groups and devices.
    """
    blocks: list[tuple[int, ...]] = []
    kinds = 0
    for question, size in sizes.items():
        kinds *= size + 1
        if not 0 < kinds <= _MOST_EXPECTED:
            blocks.append(())
            kinds = cells * (size + 1)
        blocks[-1] += (question,)
    return blocks


def _group_name(group: tuple[str, ...]) -> str:
    return ", ".join(text or "(empty)" for text in group) or ALL


def given_columns(columns: dict[str, str | None], letter: str, more: Sequence[object]) -> dict[str, str]:
    """Return the given columns under short names; the columns of a list are named letter0, letter1, ..."""
    every = {**columns, **{f"{letter}{i}": one for i, one in enumerate(more)}}
    return {name: column for name, column in every.items() if isinstance(column, str)}


def _places(listed: Sequence[str], texts: Sequence[str]) -> Ints:
    """Return the index of each text in a list."""
    places = {text: place for place, text in enumerate(listed)}
    return np.array([places[text] for text in texts], np.int64)


class Texts(dict[Any, int]):
    """The numbers from 0 of the texts of a column, by value, in the order in which the texts first occur.

    Attributes:
        list: the texts, by number.
    """

    def __init__(self) -> None:
        super().__init__()
        self.list: list[str] = []

    def __missing__(self, value: object) -> int:
        text = text_of(value)
        if text == value:
            self.list.append(text)
            self[text] = len(self.list) - 1
        else:  # a value with surrounding blanks, or a number, has the same number as its text
            self[value] = self[text]
        return self[value]


def numbered(*columns: Ints) -> tuple[Ints, Ints]:
    """Return the first position of each distinct row of some columns, and for each row the number of its value."""
    key = np.zeros(len(columns[0]), np.int64)
    first = inverse = key
    for column in columns:
        low = column.min()
        _, first, inverse = np.unique(
            key * (column.max() - low + 1) + (column - low), return_index=True, return_inverse=True
        )
        key = inverse.ravel()
    return first, inverse.ravel()
