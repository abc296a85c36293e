"""The terms of conditions and recodings in SQL, over columns with internal names: texts, numbers, comparisons, cases.

``engines`` has the same terms in expressions of Ibis. A value is missing where its cell is empty, NaN, or a text that
is named as missing. All values stand in the statement as quoted literals, all columns under internal names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.normal_form import label_form
from rropt_fieldwork.reading.number_comparisons import (
    RANGES,
    WHOLE_FLOATS,
    Reduced,
    StampForm,
    clock,
    exact_number,
    moment,
    on_floats,
    on_integers,
    stamp,
    whole_digits,
)
from rropt_fieldwork.reading.number_marks import NumberMarks

TRUTH = {True: ("1", "true"), False: ("0", "false")}
WHOLE_TEXT = r"^[+-]?[0-9]+([.]0*)?$"  # a whole number, which is compared exactly
WHOLE_DIGITS = r"^[+-]?0*([0-9]*)([.]0*)?$"  # its digits are the first group
_WHOLE_KINDS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_CLOCKS = ("TIME", "TIME_NS")  # the second one has nanoseconds
INTEGERS = dict(zip(_WHOLE_KINDS, ("int8", "int16", "int32", "int64", "int128"), strict=True))
INTEGERS |= {f"U{kind}": f"u{own}" for kind, own in INTEGERS.items()}


def numbers_among(texts: Sequence[str]) -> list[Fraction]:
    """Return the numbers among some texts, such as -9 in the texts for missing values."""
    return [exact_number(text) for text in texts if re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?", text)]


def words_among(texts: Sequence[str]) -> list[str]:
    """Return the texts of floats among some texts that are no decimals: inf, and 1e+20."""
    return [text for text in texts if re.fullmatch(r"[+-]?(inf|[0-9.]+e[+-]?[0-9]+)", text)]


def whole_labels(texts: Iterable[str]) -> str:
    """Return the regular expression of whole numbers with a decimal point, such as 1.0; "" if no text is one."""
    whole = [form for form in map(label_form, texts) if re.fullmatch("[+-]?[0-9]+", form)]
    return f"^({'|'.join(map(re.escape, whole))})[.]0+$" if whole else ""


@dataclass(frozen=True, slots=True)
class SqlTerms:
    """Terms in SQL; each is the text of an expression.

    Attributes:
        column: returns the internal name of a column, its type in DuckDB, and the internal name of another form of it:
            the doubles of singles, and texts in normal form without surrounding blanks, with NULL for empty ones.
        marks: the meaning of points and commas in texts that are numbers.
        missing: the texts for missing values, by column.
    """

    column: Callable[[str], tuple[str, str, str]]
    marks: NumberMarks
    missing: Mapping[str, Sequence[str]]

    def raw(self, column: str) -> str:
        """Return the text of a cell without surrounding blanks, in normal form; empty cells are missing."""
        x, kind, double = self.column(column)
        if kind == "VARCHAR":
            return double
        if kind == "BOOLEAN":
            return f"CASE WHEN {x} IS NULL THEN NULL WHEN {x} THEN '1' ELSE '0' END"
        if _has_decimals(kind):
            double = f"CAST({x} AS DOUBLE)"
        elif kind not in ("FLOAT", "DOUBLE"):
            return f"CAST({x} AS VARCHAR)"
        whole = f"{double} = trunc({double}) AND abs({double}) < {WHOLE_FLOATS}"
        return (
            f"CASE WHEN {is_nan(double)} THEN NULL WHEN {whole} THEN CAST(CAST({double} AS BIGINT) AS VARCHAR) "
            f"ELSE CAST({double} AS VARCHAR) END"
        )

    def text(self, column: str) -> str:
        """Return the text of a value."""
        return self._unless(self._gaps(column), self.raw(column))

    def _unless(self, gaps: Sequence[str], found: str) -> str:
        """Return an expression that is unknown where a value is missing, beside NULL."""
        return f"(CASE WHEN {' OR '.join(gaps)} THEN NULL ELSE {found} END)" if gaps else found

    def compared(self, column: str, sign: str, value: Fraction | str | bool) -> str:
        """Return whether the value of a column is ``sign`` a value."""
        x, kind, text = self.column(column)
        gaps = self._gaps(column)
        if isinstance(value, bool):
            found = f"({'' if sign == '=' else 'NOT '}lower({self.raw(column)}) IN ({_listed(TRUTH[value])}))"
        elif isinstance(value, Fraction):
            found, gaps = self._ordered(column, sign, value), [*gaps, *self._numbers(column) * (kind == "VARCHAR")]
            if kind == "VARCHAR" and sign in ("=", "!="):  # another text is no number
                found = f"coalesce({found}, {'FALSE' if sign == '=' else 'TRUE'})"
                gaps = [f"{text} IS NULL", *gaps]
        elif kind == "DATE":
            found = _reduced(x, moment(column, value).on_days(sign), lambda day: f"DATE '{day}'")
        elif kind.startswith("TIMESTAMP"):
            zone = "TIMESTAMPTZ" if "ZONE" in kind else "TIMESTAMP"
            found = f"({x} {sign} {zone} '{moment(column, value).whole}{'+00' * (zone != 'TIMESTAMP')}')"
        elif kind in _CLOCKS:
            found = f"({x} {sign} CAST('{clock(column, value)}' AS {kind}))"
        elif kind == "TIME WITH TIME ZONE":  # so DuckDB 1 reads the times of Parquet that have no zone
            found = f"(CAST({x} AS TIME) {sign} CAST('{clock(column, value)}' AS TIME))"
        elif sign in ("=", "!="):
            found = f"({'' if sign == '=' else 'NOT '}{self._among(column, [value])})"
        else:
            found = f"({self.raw(column)} {sign} {_quoted(value)})"
        if kind == "VARCHAR" and isinstance(value, str) and (stamped := stamp(value)) is not None:
            when, form = stamped
            is_moment = f"regexp_matches({text}, '{form.texts}')"
            found = f"(CASE WHEN {is_moment} THEN {_stamped(text, form)} {sign} '{when}' ELSE {found} END)"
        return self._unless(gaps, found)

    def _ordered(self, column: str, sign: str, number: Fraction) -> str:
        """Return whether the number of a value is ``sign`` another one; unknown for texts that are no numbers."""
        x, kind, _ = self.column(column)
        if kind == "BOOLEAN":
            return _reduced(x, on_integers(sign, number, 0, 1), lambda at: "true" if at else "false")
        if kind in INTEGERS:
            return _reduced(x, on_integers(sign, number, *RANGES[INTEGERS[kind]]), lambda at: f"CAST('{at}' AS {kind})")
        if found := re.fullmatch(r"DECIMAL\(([0-9]+),([0-9]+)\)", kind):
            digits, scale = map(int, found.groups())
            low, high = 1 - 10**digits, 10**digits - 1
            return _reduced(
                x,
                on_integers(sign, number * 10**scale, low, high),
                lambda at: f"CAST('{at}e-{scale}' AS {kind})",
            )
        if kind in ("FLOAT", "DOUBLE"):
            return _reduced(
                x, on_floats(sign, number, is_single=kind == "FLOAT"), lambda at: f"CAST('{at!r}' AS {kind})"
            )
        text = self.raw(column)
        plain = self.marks.sql_text(text)
        double = f"TRY_CAST({plain} AS DOUBLE)"
        found_text = _reduced(double, on_floats(sign, number), lambda at: f"CAST('{at!r}' AS DOUBLE)")
        if abs(number) < WHOLE_FLOATS:
            return found_text
        whole = on_integers(sign, number, -abs(number.numerator) - 1, abs(number.numerator) + 1)
        return (
            f"CASE WHEN regexp_matches({plain}, '{WHOLE_TEXT}') THEN {_of_digits(plain, whole)} ELSE {found_text} END"
        )

    def is_missing(self, column: str) -> str:
        """Return whether the value of a column is missing."""
        x, kind, text = self.column(column)
        is_null = f"{text if kind == 'VARCHAR' else x} IS NULL"
        return f"({' OR '.join([is_null, *self._gaps(column)])})"

    def _gaps(self, column: str) -> list[str]:
        """Return the conditions, beside NULL, under which the value of a column is missing."""
        x, kind, _ = self.column(column)
        own = self.missing.get(column, ())
        is_float = kind in ("FLOAT", "DOUBLE")
        words = words_among(own) if is_float else () if _is_number(kind) else own
        numbers = self._numbers(column) if _is_number(kind) else []
        return [*[is_nan(x)] * is_float, *[self._among(column, words)] * bool(words), *numbers]

    def _numbers(self, column: str) -> list[str]:
        """Return for each number that is named as missing whether the value of a column is this number."""
        own = numbers_among(self.missing.get(column, ()))
        return [f"coalesce({self._ordered(column, '=', number)}, false)" for number in own]

    def is_number(self, column: str) -> str:
        """Return whether the value of a column is a number."""
        gaps = [self.is_missing(column)]
        if self.column(column)[1] == "VARCHAR":
            plain = self.marks.sql_text(self.raw(column))
            gaps += [*self._numbers(column), f"TRY_CAST({plain} AS DOUBLE) IS NULL"]
        return f"(NOT ({' OR '.join(gaps)}))"

    def _among(self, column: str, texts: Sequence[str]) -> str:
        """Return whether the text of a cell is one of some texts, or a whole number of them that is written as 1.0."""
        raw = self.raw(column)
        own = f"({raw} IN ({_listed(texts)}))" if texts else "false"
        whole = whole_labels(texts) if self.column(column)[1] == "VARCHAR" else ""
        if not whole:
            return own
        is_pointed = f"regexp_matches({raw}, {_quoted(whole)})"  # slow, and of few texts
        return f"(CASE WHEN contains({raw}, '.') THEN {own} OR {is_pointed} ELSE {own} END)"

    def is_text(self, column: str) -> bool:
        """Return whether a column has texts."""
        return self.column(column)[1] == "VARCHAR"

    def matches(self, column: str, pattern: str) -> str:
        """Return whether the text of a cell, in lower case or as it is, has a form."""
        raw = self.raw(column)
        return f"(regexp_matches({raw}, {_quoted(pattern)}) OR regexp_matches(lower({raw}), {_quoted(pattern)}))"

    def is_one(self, column: str, texts: Sequence[str]) -> str:
        """Return whether the value of a column is one of some texts."""
        return f"(NOT {self.is_missing(column)} AND {self._among(column, texts)})"

    def both(self, one: str, other: str) -> str:
        """Return whether both conditions hold."""
        return f"({one} AND {other})"

    def either(self, one: str, other: str) -> str:
        """Return whether one of the conditions holds."""
        return f"({one} OR {other})"

    def negated(self, one: str) -> str:
        """Return whether a condition does not hold."""
        return f"(NOT {one})"

    def within(self, column: str, low: Fraction | None, high: Fraction | None, *, is_below: bool) -> str:
        """Return whether the number of a value lies in a band."""
        ends = [] if low is None else [self._ordered(column, ">=", low)]
        ends += [] if high is None else [self._ordered(column, "<" if is_below else "<=", high)]
        if not ends:
            return self.is_number(column)
        gaps = [*self._gaps(column), *self._numbers(column) * (self.column(column)[1] == "VARCHAR")]
        return self._unless(gaps, f"({' AND '.join(ends)})")

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


def _is_number(kind: str) -> bool:
    """Return whether a type is that of numbers or truth values."""
    return kind in INTEGERS or kind in ("FLOAT", "DOUBLE", "BOOLEAN") or kind.startswith("DECIMAL")


def _has_decimals(kind: str) -> bool:
    """Return whether a type is that of decimals with digits after the point."""
    return kind.startswith("DECIMAL") and not kind.endswith(",0)")


def _reduced(x: str, found: Reduced, literal: Callable[[Any], str]) -> str:
    """Return a comparison of a column with a value of its type."""
    if isinstance(found, bool):
        return f"({x} {'=' if found else '!='} {x})"
    sign, at = found
    return f"({x} {sign} {literal(at)})"


def _of_digits(plain: str, found: Reduced) -> str:
    """Return a comparison of texts of whole numbers, of any length, with an integer other than 0."""
    if isinstance(found, bool):
        return f"({plain} IS NOT NULL)" if found else f"({plain} IS NULL)"
    sign, at = found
    is_negative, length, digits = whole_digits(at)
    own = f"regexp_extract({plain}, '{WHOLE_DIGITS}', 1)"
    is_same = f"({'' if is_negative else 'NOT '}starts_with({plain}, '-'))"
    equal = f"({is_same} AND {own} = '{digits}')"
    below = "<" if not is_negative else ">"
    is_nearer = f"(length({own}) {below} {length} OR (length({own}) = {length} AND {own} {below} '{digits}'))"
    less = f"({is_same} AND {is_nearer})" if is_negative else f"(NOT {is_same} OR {is_nearer})"
    return {
        "=": equal,
        "!=": f"(NOT {equal})",
        "<": less,
        "<=": f"({less} OR {equal})",
        ">": f"(NOT ({less} OR {equal}))",
        ">=": f"(NOT {less})",
    }[sign]


def _stamped(text: str, form: StampForm) -> str:
    """Return a text that is a date or a time in the form of ``stamp``."""
    ends = " ".join(f"WHEN {length} THEN '{end}'" for length, end in form.ends.items())
    return f"replace(left({text} || CASE length({text}) {ends} ELSE '' END || '000000', {form.longest}), 'T', ' ')"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(map(_quoted, dict.fromkeys(map(label_form, texts))))
