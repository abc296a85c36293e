"""Counts of responses: equal respondents are counted together, with the sums of their weights.

Two respondents are equal if they have the same stratum, cluster, cell of post-stratification, group, device and
responses, as they are stored. An engine counts them, and the few distinct values are interpreted afterwards, in the
same way for all engines: a response becomes a code (``response_codes``), other values become texts without surrounding
blanks. For each kind of equal respondents the estimates need only their number and the sums of w and w^2. Without
weights these are the number. Memory grows with the number of kinds, not with the number of rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import FileFormatError, shown
from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism
from rropt.survey.populations.linearization import Ints
from rropt.survey.tables.counting import MOST_CELLS, CountRequest, too_many_cells
from rropt.survey.tables.response_codes import MISSING
from rropt.survey.tables.sources import Source, text_of

_MOST_TEXTS = 2 * MOST_CELLS  # the largest number of distinct texts of groups and devices, before blanks are removed
_MOST_KINDS = 5_000_000  # the largest number of kinds; with more, there are too many texts
_MOST_EXPECTED = 1 << 17  # questions are counted together, to read the table less often, up to this many kinds
_EMPTY = "(empty)"
_UNCLEAR = re.compile('[,"]')  # in one of several texts
ALL = "all"  # the name of the group if the table is not divided into groups


class Kinds:
    """The kinds of equal respondents, with counts and weights: each array has one entry for each kind.

    Args:
        source, asked: the table, its questions, groups and devices, and the sampling design.
        questions: the questions by whose responses the respondents are counted.
        texts: the texts of labels, groups and devices that are known.
        most: the number of kinds that is refused; ``None``: none is.

    Attributes:
        columns: the numbers ``n`` of respondents, the columns of ``Source.summed``, and the codes of all other
            columns. Without weights, the number of respondents stands for ``positive``, ``weight`` and ``square``.
        texts: the texts of labels, groups and devices.
        groups, devices: the names of the groups and of the devices.
        cells: the number of combinations of groups and devices.
        group, device: the numbers of the group and of the device of each kind.
        codes: the codes of the responses, by question.
    """

    def __init__(
        self,
        source: Source,
        asked: CountRequest,
        questions: Sequence[int],
        texts: Mapping[str, Texts],
        most: int | None,
    ) -> None:
        sample = asked.sample
        answers, cells = {f"q{question}": asked.places[question] for question in questions}, asked.cells
        chosen: dict[str, str | int] = {**sample.labels, **cells, **answers}
        found = source.summed(chosen, sample.numbers) if sample.is_complex else source.counted(chosen, most)
        columns: dict[str, Any] = dict(found)
        for name in chosen:  # one column at a time: the values of many kinds need much memory
            known = texts[name] if name in texts else asked.codes[int(name[1:])]
            columns[name] = codes_of_values(columns[name], known)
        for name in ("positive", "weight", "square"):
            columns.setdefault(name, columns["n"])
        n = len(columns["n"])
        if not n:
            raise FileFormatError(
                f"data are empty: {source.name} contains no answers; give one line for each respondent"
            )
        self.columns, self.texts = {name: np.asarray(column) for name, column in columns.items()}, texts
        self.codes: dict[int, Ints] = {question: columns[f"q{question}"] for question in questions}
        first, cell = numbered(np.zeros(n, np.int64), *(columns[name] for name in cells))
        self.cells = len(first)
        if self.cells > MOST_CELLS:
            raise too_many_cells(asked)
        if n == most:
            raise FileFormatError(
                f"the data have too many different answers: received {n} different ones or more in "
                f"{shown(', '.join(asked.titles[question] for question in questions))}; is it the right column?"
            )
        told = [{name: texts[name].list[columns[name][at]] for name in cells} for at in first.tolist()]
        groups = [tuple(one[f"g{i}"] for i in range(len(asked.by))) for one in told]
        self.groups, group = _listed(map(_group_name, groups), map(_group_name, sorted(groups)))
        devices = [one.get("d", "") for one in told]
        self.devices, device = _listed(devices, sorted(devices))
        self.group, self.device = group[cell], device[cell]

    def total(self, question: int) -> dict[int, int]:
        """Return the count of each code of a question."""
        values, inverse = np.unique(self.codes[question], return_inverse=True)
        numbers = np.bincount(inverse, self.columns["n"])  # exact up to 2^53
        return dict(zip(values.tolist(), map(int, numbers.tolist()), strict=True))

    def by_cell(self, chosen: NDArray[np.bool_]) -> Iterator[tuple[str, str, Ints]]:
        """Yield each group and device of the chosen kinds, by name, with the places of its kinds."""
        cell, places = self.group * len(self.devices) + self.device, np.flatnonzero(chosen)
        places = places[np.argsort(cell[places], kind="stable")]
        for own in np.split(places, np.flatnonzero(np.diff(cell[places])) + 1) if len(places) else ():
            group, device = divmod(int(cell[own[0]]), len(self.devices))
            yield self.groups[group], self.devices[device], own

    def counts(self, question: int, known: Mapping[str, Mechanism]) -> dict[str, dict[Mechanism, Ints]]:
        """Return the counts of the responses to a question, by group and device; equal devices are counted together.

        Args:
            question: the question.
            known: the mechanism of each name of a device.
        """
        codes, n = self.codes[question], self.columns["n"]
        found: dict[str, dict[Mechanism, Any]] = {}
        for group, name, own in self.by_cell(codes != MISSING):
            listed, device = found.setdefault(group, {}), known[name].factors[question]
            listed[device] = listed.get(device, 0) + np.bincount(codes[own], n[own], device.outputs).astype(np.int64)
        return found


def kinds_of(
    source: Source,
    asked: CountRequest,
    sets: Sequence[Sequence[int]],
    *,
    is_limited: bool = True,
) -> list[Kinds]:
    """Count the respondents of a table by each set of questions; the table is read once for each set.

    All sets have the same groups, devices, strata and clusters, with the same numbers.

    Args:
        source, asked: the table, its questions, groups and devices, and the sampling design.
        sets: the questions that are counted together.
        is_limited: whether to refuse too many kinds, where the sample is not complex.
    """
    if not asked.columns and len(source.names) != len(asked.titles):
        raise FileFormatError(
            f"lines do not fit the questions: received {with_noun(len(source.names), 'answer')} a line, and the "
            f"mechanism asks {len(asked.titles)}; give a column for each question, name the columns that they stand in "
            "(`columns`), or, where one answer "
            "stands for all questions, its categories (`categories=0,1,2,3`)"
        )
    sample, cells = asked.sample, asked.cells
    if sample.is_complex and cells:  # before any summation
        found = source.counted(cells, _MOST_TEXTS)
        different = set(zip(*(map(text_of, found[name].tolist()) for name in cells), strict=True))
        if len(different) > MOST_CELLS or len(found[next(iter(cells))]) == _MOST_TEXTS:
            raise too_many_cells(asked)
    texts = {name: Texts() for name in (*sample.labels, *cells)}
    most = _MOST_KINDS if is_limited and not sample.is_complex else None
    return [Kinds(source, asked, one, texts, most) for one in sets]


def kinds_by_question(kinds: Sequence[Kinds]) -> list[Kinds]:
    """Return for each question the first kinds that were counted by it."""
    found = {question: one for one in reversed(kinds) for question in one.codes}
    return [found[question] for question in sorted(found)]


def codes_of_values(values: Any, known: Mapping[Any, int]) -> Ints:
    """Return the codes of the values of a column."""
    listed = values.tolist()
    return np.fromiter(map(known.__getitem__, listed), np.int64, len(listed))


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
    """Return the texts of a group, separated by commas; a text that reads as something else has quotation marks."""

    def told(text: str) -> str:
        is_clear = text.strip('"') != _EMPTY and not (group[1:] and _UNCLEAR.search(text))
        return text if is_clear else '"' + text.replace('"', '""') + '"'

    return ", ".join(told(text) if text else _EMPTY for text in group) or ALL


def _listed(texts: Iterable[str], ordered: Iterable[str]) -> tuple[list[str], Ints]:
    """Return the different texts, in the order of a list of them, and the place of each text among them."""
    places = {text: place for place, text in enumerate(dict.fromkeys(ordered))}
    return list(places), np.array([places[text] for text in texts], np.int64)


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
