"""The report on a table of respondents: its rows, the missing values, and remarks on how it was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rropt.core.errors import shown
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, labelled
from rropt.core.results.result_frames import row_with
from rropt.core.visible import with_noun

_SHOWN = 8  # the largest number of texts that are listed
_NONE = ReadOnlyMapping[str, int]({})


class Gap(NamedTuple):
    """One text of a column that stood for a missing value.

    Attributes:
        column: the name of the column.
        text: the text, without surrounding blanks; "" for an empty cell, and for the file's own missing value.
        n: the number of rows.
    """

    column: str
    text: str
    n: int


@dataclass(frozen=True, slots=True)
class ColumnRead(Result):
    """What was read of a column: of a question, the numbers of respondents with and without a response.

    Attributes:
        column: the name of the column.
        answered: the number of respondents with a response; ``None`` for a column of groups or a covariate.
        missing: the number of missing values.
        texts: the texts that stood for a missing value, without surrounding blanks, with the number of rows; "" for an
            empty cell, and for the file's own missing value. Empty if they are not known.
    """

    column: str
    answered: int | None
    missing: int
    texts: Mapping[str, int] = _NONE

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """The missing values by text."""
        return tuple(Gap(self.column, text, n) for text, n in self.texts.items())

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row: the numbers of values, and the texts of the missing ones with their numbers."""
        return [row_with(column=self.column, answered=self.answered, missing=self.missing, texts=gaps_text(self.gaps))]


@dataclass(frozen=True, slots=True)
class TableReading(Result):
    """The report on a table: rows, exclusions and remarks.

    Attributes:
        source: the name of the file or table.
        rows: the number of respondents.
        columns: the report on each question, and on each column of groups and each covariate that misses values.
        left_out: the number of excluded respondents without a response to every question, if the questions were counted
            jointly.
        remarks: remarks on how the table was read, as sentences.
    """

    source: str
    rows: int
    columns: tuple[ColumnRead, ...]
    left_out: int = 0
    remarks: tuple[str, ...] = ()

    LABELS = labelled(source="read", rows="respondents", left_out="left out")

    @classmethod
    def of(
        cls,
        source: str,
        rows: int,
        missing: Mapping[str, int],
        gaps: Iterable[Gap],
        left_out: int = 0,
        remarks: tuple[str, ...] = (),
    ) -> TableReading:
        """Return the report from the number of missing responses to each question, and the missing values by text."""
        counted = Counter[tuple[str, str]]()
        texts: dict[str, Mapping[str, int]] = dict.fromkeys(missing, _NONE)
        for gap in gaps:
            counted[gap.column, gap.text] += gap.n
        for column in dict.fromkeys(column for column, _ in counted):
            texts[column] = ReadOnlyMapping({text: n for (of, text), n in counted.items() if of == column})
        columns = (
            ColumnRead(column, rows - missing[column], missing[column], found)
            if column in missing
            else ColumnRead(column, None, sum(found.values()), found)
            for column, found in texts.items()
        )
        return cls(source, rows, tuple(columns), left_out, remarks)

    @property
    def questions(self) -> tuple[ColumnRead, ...]:
        """The report on each question."""
        return tuple(one for one in self.columns if one.answered is not None)

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """The missing values, by column and text: of the questions, groups and covariates."""
        return tuple(gap for one in self.columns for gap in one.gaps)

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each question, and for each other column that misses values."""
        return [row for one in self.columns for row in one.frame_rows()]

    def missing(self) -> dict[str, int]:
        """Return the number of missing values of each column that has some."""
        return {one.column: one.missing for one in self.columns if one.missing}

    def text(self) -> str:
        """Return the report as one sentence."""
        missing = []
        for one in self.columns:
            if one.missing:
                told = f" ({gaps_text(one.gaps)})" if one.texts else ""
                missing.append(f"{one.column}: {one.missing} missing, left out{told}")
        gaps = ", ".join(missing[:8]) + (", ..." if len(missing) > 8 else "")
        return f"{self.source}: {with_noun(self.rows, 'row')}; {gaps or 'no answer missing'}; none invalid"


def gaps_text(gaps: Iterable[Gap]) -> str:
    """Return the number of rows for each text, as ``2 empty, 1 'NA'``.

    >>> gaps_text([Gap("q", "", 2), Gap("q", "NA", 1)])
    "2 empty, 1 'NA'"
    """
    listed = [f"{gap.n} {shown(gap.text) if gap.text else 'empty'}" for gap in gaps]
    return ", ".join(listed[:_SHOWN]) + ", ..." * (len(listed) > _SHOWN)
