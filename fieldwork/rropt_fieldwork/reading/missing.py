"""The one rule for missing values: which texts of which column stand for a missing value.

An empty cell, and the file's own missing value, is missing in every column. The default texts (``NO_ANSWER``) hold for
the answers to the questions alone: elsewhere ``NA`` may be Namibia, and ``none`` a level of education. A text that the
user names is one of the answers, and ``COLUMN=TEXT`` is one of that column. Among the numbers of a covariate, what
software writes for a missing number (``NA``) is the file's own missing value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rropt.answers.response_codes import NO_ANSWER
from rropt.answers.table_reports import Gap
from rropt.core.errors import names_of, shown
from rropt.core.normal_form import label_form, normal, normal_caseless

_SHOWN = 8  # the largest number of texts that are listed


@dataclass(frozen=True, slots=True)
class MissingTexts:
    """The texts for missing values that are named for the columns of a table.

    Attributes:
        answers: the texts for a missing answer; ``None``: ``NO_ANSWER``, in any case.
        others: texts with an equals sign before which no column stands that is read. They are texts of answers too, but
            replace no other text: a survey names the texts of all its columns.
        columns: more texts of single columns.

    Texts and names of columns are in normal form.
    """

    answers: tuple[str, ...] | None
    others: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, given: Sequence[str] | None, columns: Iterable[str]) -> MissingTexts:
        """Return the texts that are given, for the columns that are read."""
        if given is None:
            return cls(None, (), {})
        known, answers, others = sorted(set(map(normal, columns)), key=len, reverse=True), [], []
        named: dict[str, tuple[str, ...]] = {}
        for text in (normal(each.strip()) for each in given):
            column = next((name for name in known if text.startswith(f"{name}=")), None)
            if column is not None:
                named[column] = (*named.get(column, ()), text[len(column) + 1 :].strip())
            elif "=" in text:
                others.append(text)
            else:
                answers.append(text)
        only_named = bool(named or others) and not answers
        return cls(None if only_named else tuple(answers), tuple(others), named)

    def of_column(self, name: str) -> tuple[str, ...]:
        """Return the texts of a column that holds no answers, in addition to empty cells."""
        return self.columns.get(normal(name), ())

    def of_answers(self, name: str) -> tuple[str, ...]:
        """Return the texts of a column of answers, in addition to ``answers``."""
        return (*self.columns.get(normal(name), ()), *self.others)


def flat_texts(missing: Any) -> tuple[str, ...] | None:
    """Return the argument ``missing`` as texts: TEXT for answers, COLUMN=TEXT for one column.

    Args:
        missing: texts, or a mapping from columns to texts; ``None``: the default texts of answers.

    Raises:
        InvalidParameterError: it is neither.

    >>> flat_texts({"education": ["none", "?"]})
    ('education=none', 'education=?')
    """
    if missing is None:
        return None
    if isinstance(missing, Mapping):
        lists = {column: names_of(texts, f"missing of {column}") for column, texts in missing.items()}
        return tuple(f"{column}={text}" for column, texts in lists.items() for text in texts)
    return names_of(missing, "missing")


def missing_remarks(
    missing: MissingTexts,
    answers: Sequence[str],
    gaps: Sequence[Gap],
    levels: Mapping[str, Iterable[str]],
    names: Sequence[object],
) -> tuple[str, ...]:
    """Return the remarks on texts that are named as missing and occur nowhere, and on levels that look like one.

    Args:
        missing: the texts that are named.
        answers: the columns of the answers.
        gaps: the texts that stood for a missing value.
        levels: the groups and levels, by column.
        names: the columns of the table.
    """

    def form(text: str) -> str:
        return normal_caseless(label_form(text))

    met: dict[str, set[str]] = {}
    for gap in gaps:
        met.setdefault(normal(gap.column), set()).add(form(gap.text))
    of_answers = set().union(*(met.get(normal(name), ()) for name in answers))
    unseen = [
        (text, answers)
        for text in (*(missing.answers or ()), *missing.others)
        if text
        and form(text) not in of_answers
        and not (text in missing.others and any(text.startswith(f"{normal(str(name))}=") for name in names))
    ]
    for column, texts in missing.columns.items():
        unseen += [(text, (column,)) for text in texts if text and form(text) not in met.get(column, ())]
    found = [
        f"no value of {shown(', '.join(columns))} is {shown(text)}, which is named as missing"
        + "; name several texts one by one, without commas" * ("," in text)
        for text, columns in unseen
    ]
    doubtful = [
        f"{shown(text)} of {shown(column)}"
        for column, texts in levels.items()
        for text in sorted(texts)
        if text and text.lower() in NO_ANSWER
    ]
    if doubtful:
        found.append(
            f"{', '.join(doubtful[:_SHOWN])}{', ...' * (len(doubtful) > _SHOWN)}: read as a level; if it stands for a "
            "missing value, name it as COLUMN=TEXT among the texts for missing values"
        )
    return tuple(found)
