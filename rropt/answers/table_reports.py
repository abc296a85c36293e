"""The report on a table of respondents: its rows, the missing values, and remarks on how it was read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rropt.core.errors import shown
from rropt.core.results import Result, labelled
from rropt.core.visible import with_noun

_SHOWN = 8  # the largest number of texts that are listed


@dataclass(frozen=True, slots=True)
class Gap(Result):
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
class QuestionRead(Result):
    """The numbers of respondents with and without a response to one question."""

    title: str
    answered: int
    missing: int


@dataclass(frozen=True, slots=True)
class TableReading(Result):
    """The report on a table: rows, exclusions and remarks.

    Attributes:
        source: the name of the file or table.
        rows: the number of respondents.
        questions: the report on each question.
        left_out: the number of excluded respondents without a response to every question, if the questions were counted
            jointly.
        gaps: the missing values, by column and text: of the questions, groups and covariates.
        remarks: remarks on how the table was read, as sentences.
    """

    source: str
    rows: int
    questions: tuple[QuestionRead, ...]
    left_out: int = 0
    remarks: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = ()

    LABELS = labelled(source="read", rows="respondents", left_out="left out")

    def missing(self) -> dict[str, int]:
        """Return the number of missing values of each column that has some."""
        found = {each.title: each.missing for each in self.questions if each.missing}
        for gap in self.gaps:
            if all(gap.column != each.title for each in self.questions):
                found[gap.column] = found.get(gap.column, 0) + gap.n
        return found

    def text(self) -> str:
        """Return the report as one sentence."""
        missing = []
        for column, n in self.missing().items():
            texts = gaps_text(gap for gap in self.gaps if gap.column == column)
            missing.append(f"{column}: {n} missing, left out{f' ({texts})' if texts else ''}")
        gaps = ", ".join(missing[:8]) + (", ..." if len(missing) > 8 else "")
        return f"{self.source}: {with_noun(self.rows, 'row')}; {gaps or 'no answer missing'}; none invalid"


def gaps_text(gaps: Iterable[Gap]) -> str:
    """Return the number of rows for each text, as ``2 empty, 1 'NA'``.

    >>> gaps_text([Gap("q", "", 2), Gap("q", "NA", 1)])
    "2 empty, 1 'NA'"
    """
    listed = [f"{gap.n} {shown(gap.text) if gap.text else 'empty'}" for gap in gaps]
    return ", ".join(listed[:_SHOWN]) + ", ..." * (len(listed) > _SHOWN)
