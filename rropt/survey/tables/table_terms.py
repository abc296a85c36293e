"""The terms of conditions and recodings in SQL, over columns with internal names: texts, numbers, comparisons, cases.

``engines`` has the same terms in expressions of Ibis. A value is missing where its cell is empty, NaN, or a text that
is named as missing. All values stand in the statement as quoted literals, all columns under internal names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rropt.core.normal_form import normal
from rropt.survey.tables.number_marks import NumberMarks

TRUTH = {True: ("1", "true"), False: ("0", "false")}
_BLANKS = "' \t\n\r\v\f\u00a0\ufeff'"


def numbers_among(texts: Sequence[str]) -> list[float]:
    """Return the numbers among some texts, such as -9 in the texts for missing values."""
    return [float(text) for text in texts if re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?", text)]


@dataclass(frozen=True, slots=True)
class SqlTerms:
    """Terms in SQL; each is the text of an expression.

    Attributes:
        column: returns the internal name of a column, and its type.
        marks: the meaning of points and commas in texts that are numbers.
        missing: the texts for missing values, by column.
    """

    column: Callable[[str], tuple[str, str]]
    marks: NumberMarks
    missing: Mapping[str, Sequence[str]]

    def raw(self, column: str) -> str:
        """Return the text of a cell without surrounding blanks, in normal form; empty cells are missing."""
        x, kind = self.column(column)
        if kind == "string":
            return f"nullif(trim(nfc_normalize({x}), {_BLANKS}), '')"
        if kind == "boolean":
            return f"CASE WHEN {x} IS NULL THEN NULL WHEN {x} THEN '1' ELSE '0' END"
        if kind != "float64":
            return f"CAST({x} AS VARCHAR)"
        whole = f"{x} = trunc({x}) AND abs({x}) < 9007199254740992"
        return (
            f"CASE WHEN {is_nan(x)} THEN NULL WHEN {whole} THEN CAST(CAST({x} AS BIGINT) AS VARCHAR) "
            f"ELSE CAST({x} AS VARCHAR) END"
        )

    def text(self, column: str) -> str:
        """Return the text of a value."""
        own = self.missing.get(column, ())
        if not own:
            return self.raw(column)
        return f"CASE WHEN {_among(self.raw(column), own)} THEN NULL ELSE {self.raw(column)} END"

    def number(self, column: str) -> str:
        """Return the number of a value; missing for other texts."""
        x, kind = self.column(column)
        number = self.marks.sql(self.raw(column)) if kind == "string" else f"CAST({x} AS DOUBLE)"
        if kind == "float64":
            number = f"CASE WHEN {is_nan(x)} THEN NULL ELSE {number} END"
        own = numbers_among(self.missing.get(column, ()))
        if not own:
            return number
        return f"CASE WHEN {number} IN ({', '.join(map(repr, own))}) THEN NULL ELSE {number} END"

    def compared(self, column: str, sign: str, value: float | str | bool) -> str:
        """Return whether the value of a column is ``sign`` a value."""
        if isinstance(value, bool):
            return f"({'' if sign == '=' else 'NOT '}lower({self.text(column)}) IN ({_listed(TRUTH[value])}))"
        if isinstance(value, str):
            return f"({self.text(column)} {sign} {_quoted(value)})"
        is_number = f"({self.number(column)} {sign} CAST({value!r} AS DOUBLE))"
        if sign in ("=", "!="):  # of another text, which is no number
            other = "FALSE" if sign == "=" else "TRUE"
            return f"(CASE WHEN {self.text(column)} IS NULL THEN NULL ELSE coalesce({is_number}, {other}) END)"
        return is_number

    def is_missing(self, column: str) -> str:
        """Return whether the value of a column is missing."""
        return f"({self.text(column)} IS NULL)"

    def is_number(self, column: str) -> str:
        """Return whether the value of a column is a number."""
        return f"({self.number(column)} IS NOT NULL)"

    def is_one(self, column: str, texts: Sequence[str]) -> str:
        """Return whether the value of a column is one of some texts."""
        return _among(self.text(column), texts)

    def both(self, one: str, other: str) -> str:
        """Return whether both conditions hold."""
        return f"({one} AND {other})"

    def either(self, one: str, other: str) -> str:
        """Return whether one of the conditions holds."""
        return f"({one} OR {other})"

    def negated(self, one: str) -> str:
        """Return whether a condition does not hold."""
        return f"(NOT {one})"

    def within(self, column: str, low: float | None, high: float | None, *, is_below: bool) -> str:
        """Return whether the number of a value lies in a band."""
        number = self.number(column)
        ends = [] if low is None else [f"{number} >= CAST({low!r} AS DOUBLE)"]
        ends += [] if high is None else [f"{number} {'<' if is_below else '<='} CAST({high!r} AS DOUBLE)"]
        return f"({' AND '.join(ends) or 'true'})"

    def first_of(self, cases: Sequence[tuple[str, str]], otherwise: str | None) -> str:
        """Return the text of the first condition that holds; otherwise another expression, or a missing value."""
        listed = " ".join(f"WHEN {condition} THEN {_quoted(label)}" for condition, label in cases)
        return f"CASE {listed} ELSE {'NULL' if otherwise is None else otherwise} END"

    def constant(self, text: str) -> str:
        """Return the term of a text."""
        return _quoted(text)

    def first_known(self, texts: Sequence[str]) -> str:
        """Return the first of some texts that is not missing."""
        return f"coalesce({', '.join(texts)})"

    def known(self, condition: str) -> str:
        """Return whether a condition holds; if it is unknown, it does not."""
        return f"coalesce({condition}, false)"


def is_nan(x: str) -> str:
    """Return whether a float is NaN, in SQL.

    DuckDB 2.0 replaces ``isnan(x)`` by false for a Parquet column without nulls: the statistics of the file leave NaN
    out, and have a finite maximum (findings/duckdb_isnan_of_parquet.sh). The text of the value is read instead.
    """
    return f"(CASE WHEN isfinite({x}) THEN false ELSE CAST({x} AS VARCHAR) = 'nan' END)"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(map(_quoted, map(normal, texts)))


def _among(text: str, texts: Sequence[str]) -> str:
    return f"({text} IN ({_listed(texts)}))" if texts else "false"
