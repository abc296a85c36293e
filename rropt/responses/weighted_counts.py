"""Kinds of respondents of a complex survey: DuckDB adds the weights of those who are alike, in one pass.

Respondents are alike who share stratum, cluster, cell of post-stratification, group, device and answer; of them the
estimates need their number and the sums of w and w^2. Memory grows with these kinds, not with the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.errors import FileFormatError, InvalidParameterError, shown
from rropt.estimation.weighted_shares import LONELY, Ints
from rropt.exact import rational_where
from rropt.responses.counting import Asked, Cell, Counts, coded
from rropt.responses.devices import group_name
from rropt.responses.sources import Source

_MOST_CELLS = 10_000  # groups times devices
_MOST_TEXTS = 200_000  # of them, with the blanks around them
_LARGEST = 1.7976931348623157e308
_NONE = -3  # the code of a question that a table leaves out


@dataclass(frozen=True, slots=True)
class SampleColumns:
    """The columns that say how respondents were drawn.

    Attributes:
        weights: w; ``None``: the inverse of the fractions of ``fpc``, or 1.
        strata, clusters: labels; clusters are numbered within strata.
        fpc: the finite population of each stratum, of clusters (or rows), and within each cluster, of rows: a column or
            one number, as counts at least 1 or as rates at most 1.
        post_strata: columns whose cells the weights were adjusted to.
        lonely: what a stratum with one cluster adds (``Sampling``).
    """

    weights: str | None = None
    strata: str | None = None
    clusters: str | None = None
    fpc: tuple[str | Fraction, ...] = ()
    post_strata: tuple[str, ...] = ()
    lonely: str = "refuse"

    @property
    def names(self) -> tuple[str, ...]:
        """All columns that are asked for."""
        given = (self.weights, self.strata, self.clusters, *self.fpc, *self.post_strata)
        return tuple(name for name in given if isinstance(name, str))

    def __bool__(self) -> bool:
        return self != SampleColumns()


def sample_columns(
    weights: str | None, strata: str | None, clusters: str | None, fpc: Any, post_strata: Any, lonely: str
) -> SampleColumns:
    """Return how the respondents were drawn, checked as far as it can be without the table."""
    if lonely not in LONELY:
        raise InvalidParameterError(
            f"no such rule for strata with one cluster: received {shown(lonely)}; allowed are {', '.join(LONELY)}"
        )
    given = () if fpc is None else tuple(fpc) if isinstance(fpc, list | tuple) else (fpc,)
    if len(given) > (2 if clusters is not None else 1):
        raise InvalidParameterError(
            f"the finite populations do not fit the stages: received {len(given)} for "
            f"{'clusters and those in them' if clusters is not None else 'a sample without clusters'}; allowed are "
            "one, and with clusters a second one within them"
        )
    populations = tuple(_population(each) for each in given)
    cells = (post_strata,) if isinstance(post_strata, str) else tuple(post_strata)
    return SampleColumns(weights, strata, clusters, populations, cells, lonely)


def _population(value: object) -> str | Fraction:
    """Return a number, or the name of a column: what is no number is one."""
    if isinstance(value, str):
        try:
            Fraction(value)
        except (ValueError, ZeroDivisionError):
            return value
    return rational_where(value, lambda x: x >= 0, "a column, a rate in [0, 1] or a count of at least 1", name="fpc")


class Kinds:
    """Kinds of respondents, counted and weighted: one entry of each array for each."""

    def __init__(self, source: Source, asked: Asked, sample: SampleColumns, sets: Sequence[tuple[int, ...]]) -> None:
        self.source, self.asked, self.sample, self.sets = source, asked, sample, sets
        self.labels = _given({"s": sample.strata, "c": sample.clusters}, "t", sample.post_strata)
        self.numbers = _given({"w": sample.weights}, "f", sample.fpc)
        more = {name: source.text(column) for name, column in self.labels.items()}
        self.table = coded(source, asked, more | {name: source.raw(column) for name, column in self.numbers.items()})
        cells = self._cells()
        self.columns = {name: np.asarray(values) for name, values in self._read().items()}
        if not len(self.columns["n"]):
            raise FileFormatError(f"data are empty: {source.name} holds no answers; give one line for each respondent")
        self._require_readable()
        for name in ("stratum", "cluster", "label", "post"):
            if name in self.columns:
                self.columns[name] = told_apart(self.columns[name], self.columns.pop(f"{name}_more"))
        self.codes: list[Ints] = [self.columns[f"q{question}"] for question in range(asked.questions)]
        self.places = [
            np.flatnonzero(np.logical_and.reduce([self.codes[question] != _NONE for question in one])) for one in sets
        ]
        names = {group_name(cell) for cell in cells.values()}
        self.groups, self.devices = sorted(names), sorted({cell.device for cell in cells.values()})
        different, inverse = np.unique(self.columns.pop("cell"), return_inverse=True)
        found = [cells[one] for one in different.tolist()]
        self.group = np.array([self.groups.index(group_name(cell)) for cell in found], np.int64)[inverse]
        self.device = np.array([self.devices.index(cell.device) for cell in found], np.int64)[inverse]

    @property
    def _texts(self) -> list[str]:
        """The columns of groups and devices."""
        return [*(f"g{i}" for i in range(len(self.asked.by))), *(["d"] if self.asked.devices is not None else [])]

    def _cells(self) -> dict[int, Cell]:
        """Return the groups and devices by the numbers that ``label_number`` gives their texts."""
        texts, named = self._texts, len(self.asked.by)
        if not texts:
            return {0: Cell((), "")}
        columns = ", ".join(texts)
        statement = f"SELECT DISTINCT {columns}, {label_number(texts)} FROM answers LIMIT {_MOST_TEXTS}"
        rows = self.table.query(statement)
        cells = {}
        for *raw, number in rows:
            told = tuple(text.strip() for text in raw)
            cells[number] = Cell(told[:named], "".join(told[named:]))
        if len(set(cells.values())) > _MOST_CELLS or len(rows) == _MOST_TEXTS or len(cells) < len(rows):
            raise FileFormatError(
                f"the groups and devices are too many: received more than {_MOST_CELLS} different texts in "
                f"{shown(', '.join((*self.asked.by, self.asked.devices or '')).strip(', '))}; are these the right "
                "columns?"
            )
        return cells

    def _read(self) -> dict[str, Any]:
        asked, labels, numbers, groups = self.asked, self.labels, self.numbers, self._texts
        questions = [f"q{question}" for question in range(asked.questions)]
        inner = ", ".join(
            [*labels, *groups, *questions, *(f"TRY_CAST({name} AS DOUBLE) AS {name}" for name in numbers)]
        )
        keys = [*labels, *groups]
        chosen = ", ".join(f"({', '.join([*keys, *(questions[question] for question in one)])})" for one in self.sets)
        w = "w" if "w" in numbers else "1::DOUBLE"
        sums = {"n": "count(*)", "positive": f"count_if({w} > 0)", "weight": f"sum({w})", "square": f"sum({w} * {w})"}
        sums |= {f"bad_{name}": f"count_if(NOT ({usable(name)}))" for name in numbers}
        for end, function in ("low", "min"), ("high", "max"):
            sums |= {f"{end}_{name}": f"{function}({name})" for name in numbers if name != "w"}
        added = [f"{function} AS {name}" for name, function in sums.items()]
        grouped = (
            f"SELECT {', '.join([*keys, *questions, *added])} FROM (SELECT {inner} FROM answers) "
            f"GROUP BY GROUPING SETS ({chosen})"
        )
        ranks = [f"coalesce({name}, {_NONE})::INTEGER AS {name}" for name in questions]
        ranks.append(f"{label_number(groups) if groups else 0} AS cell")
        parts = {"stratum": ["s"], "cluster": ["s", "c"], "label": ["c"], "post": [f"t{i}" for i in range(len(labels))]}
        for name, own in parts.items():
            used = [label for label in own if label in labels]
            if used and (name != "cluster" or "c" in labels):
                ranks += [f"{label_number(used)} AS {name}", f"{label_number(used, 'upper')} AS {name}_more"]
        ranks += [f"{name} = '' AS empty_{name}" for name in labels]
        return self.table.arrays(f"SELECT {', '.join([*ranks, *sums])} FROM ({grouped})")

    def _require_readable(self) -> None:
        """Refuse labels that are empty and numbers that are none, with their lines."""
        for name, column in self.labels.items():
            if self.columns[f"empty_{name}"].any():
                what = {"s": "stratum", "c": "cluster"}.get(name, "cell of post-stratification")
                self._refuse(f"{name} = ''", f"names no {what} in {shown(column)}", "give each row one")
        for name, column in self.numbers.items():
            if self.columns[f"bad_{name}"].any():
                what = "weight" if name == "w" else "finite population"
                condition = f"NOT ({usable(f'TRY_CAST({name} AS DOUBLE)')})"
                self._refuse(
                    condition,
                    f"holds no {what} in {shown(column)}",
                    "allowed are finite numbers of at least 0, with a decimal point; a respondent who was not drawn "
                    "has no row",
                )

    def _refuse(self, condition: str, what: str, advice: str) -> None:
        statement = "SELECT place FROM (SELECT *, row_number() OVER () AS place FROM answers) "
        rows = self.table.query(f"{statement} WHERE {condition} ORDER BY place LIMIT 10")
        lines = [row[0] for row in rows]
        raise FileFormatError(
            f"{self.source.where(lines)} of the data {what} (the content is not repeated here): {advice}"
        )

    def counts(self, question: int) -> Counts:
        """Return for each group and device how often each code of a question was given."""
        place = next(place for one, place in zip(self.sets, self.places, strict=True) if question in one)
        found: dict[Cell, dict[tuple[int, ...], int]] = {}
        group, device, codes = self.group[place], self.device[place], self.codes[question][place]
        first, inverse = numbered(group, device, codes)
        numbers = np.bincount(inverse, self.columns["n"][place].astype(np.float64))
        for at, n in zip(first.tolist(), numbers.tolist(), strict=True):
            cell = Cell((self.groups[group[at]],), self.devices[device[at]])
            found.setdefault(cell, {})[(int(codes[at]),)] = int(n)
        return found

    def labels_of(self, place: Ints, name: str) -> Ints | None:
        """Return the numbers of a label, from 0, of some kinds; ``None`` where there is no such column."""
        return self.columns[name][place].astype(np.int64) if name in self.columns else None


def _given(columns: dict[str, str | None], letter: str, more: Sequence[object]) -> dict[str, str]:
    """Return the columns that are given by their short names; those of a list are letter0, letter1, ..."""
    every = {**columns, **{f"{letter}{i}": one for i, one in enumerate(more)}}
    return {name: column for name, column in every.items() if isinstance(column, str)}


def label_number(names: Sequence[str], half: str = "lower") -> str:
    """Return 64 of the 128 bits of MD5 of some labels: what tells them apart in the place of texts."""
    told = " || ".join(f"length({name}) || ':' || {name}" for name in names)
    return f"md5_number_{half}({told})"


def told_apart(lower: NDArray[np.uint64], upper: NDArray[np.uint64]) -> Ints:
    """Return numbers from 0 of labels, in the order of the first half of their 128 bits."""
    _, first, inverse = np.unique(lower, return_index=True, return_inverse=True)
    if (upper[first][inverse] != upper).any():  # two labels with one half
        _, inverse = numbered(inverse, np.unique(upper, return_inverse=True)[1])
    found: Ints = inverse.astype(np.int64)
    return found


def usable(name: str) -> str:
    """Return the condition of a finite number of at least 0."""
    return f"coalesce({name} BETWEEN 0 AND {_LARGEST}, false)"


def numbered(*columns: Ints) -> tuple[Ints, Ints]:
    """Return where each different row of some columns stands first, and for each row the number of its like."""
    key = np.zeros(len(columns[0]), np.int64)
    first = inverse = key
    for column in columns:
        low = column.min()
        _, first, inverse = np.unique(
            key * (column.max() - low + 1) + (column - low), return_index=True, return_inverse=True
        )
        key = inverse.ravel()
    return first, inverse.ravel()
