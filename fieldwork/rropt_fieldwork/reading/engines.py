"""Counting engines other than DuckDB, for data too large for one machine and for users of Polars.

An engine answers through Ibis the questions that ``Source`` asks DuckDB in SQL. It reads Parquet itself, with the
rights of the user, and has none of the restrictions of DuckDB's connection. A table of Ibis has any other source. Its
rows have no order, so messages do not report line numbers. No other file of rropt knows Ibis.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from rropt.core.errors import (
    FileFormatError,
    InvalidParameterError,
    MissingExtraError,
    UnsupportedProblemError,
    shown,
)
from rropt.core.files import shown_path
from rropt.core.files.streams import is_stream
from rropt.core.normal_form import decomposed, label_form, named_in
from rropt_fieldwork.reading.inputs import first_bytes, paths_of, unreadable
from rropt_fieldwork.reading.number_comparisons import (
    RANGES,
    SIGNS,
    WHOLE_FLOATS,
    Reduced,
    StampForm,
    clock,
    moment,
    on_floats,
    on_integers,
    stamp,
    whole_digits,
)
from rropt_fieldwork.reading.number_marks import NumberMarks
from rropt_fieldwork.reading.rows_of_labels import with_labels_of
from rropt_fieldwork.reading.sources import (
    LARGEST,
    LEAST,
    MOST_FORMS,
    SELECTED,
    Columns,
    Request,
    Source,
    TextCounts,
    damage_errors,
    text_counts,
)
from rropt_fieldwork.reading.table_terms import (
    TRUTH,
    WHOLE_DIGITS,
    WHOLE_TEXT,
    numbers_among,
    whole_labels,
    words_among,
)

if TYPE_CHECKING:
    from ibis.expr.types import Column, Table
    from numpy.typing import NDArray


# The engines by name: what to do if one does not start.
ENGINES = {
    "polars": "install it anew",
    "pyspark": "it needs Java 17, such as Debian's openjdk-17-jre-headless",
}
_ORDERED = ("polars", "duckdb")  # engines whose tables have an order of rows
_NO_ZEROS = "^(.*[.][0-9]*[1-9]|[^.]*)"  # the text of a time without zeros at the end of its second
_IBIS = ("ibis", "pyarrow", "pandas")  # the modules that every engine needs


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSource(Source):
    """A table that an engine reads.

    Attributes:
        table: the Ibis table.
    """

    table: Table

    def _found(
        self, chosen: Columns, ask: Callable[[Table], Table], sums: Collection[str] = ()
    ) -> dict[str, NDArray[Any]]:
        """Return the columns of the result of an expression on some columns; ``sums`` as for ``Source.found``."""
        table = self.table.filter(self.table[SELECTED]) if self.is_selected else self.table
        own = {name: table[self.place(column)] for name, column in chosen.items()}
        stored = {name for name in sums if own[name].type().is_float32()}
        rows = table.select(**{name: x.cast("float64") if name in stored else _plain(x) for name, x in own.items()})
        connection = self.table.get_backend()
        options = {"engine": "streaming"} if connection.name == "polars" else {}
        with one_line_error(self.name, connection.name):
            found = connection.to_pyarrow(ask(rows), **options)
        arrays = {}
        for name in found.column_names:
            column = found[name]
            whole = column.null_count == 0 and column.type not in ("string", "large_string")
            arrays[name] = column.to_numpy() if whole else np.array([*column.to_pylist(), None], object)[:-1]
        return arrays

    def below_labels(self, asked: Request) -> Self:
        """Return the table without the header rows that are its first rows.

        Raises:
            InvalidParameterError: the rows of the engine have no order.
        """
        rows, engine = asked.header_rows - 1, self.table.get_backend().name
        if engine not in _ORDERED:
            raise InvalidParameterError(
                f"the rows of {engine} have no order: received {asked.header_rows} header rows for {self.name}; leave "
                "out `engine`, so that DuckDB reads the table, or save it without its header rows"
            )
        with one_line_error(self.name, engine):
            first = self.table.limit(rows + 1).to_pyarrow()
        top = [list(row.values()) for row in first.to_pylist()]
        is_text = [str(kind) in ("string", "large_string", "binary") for kind in first.schema.types]
        labelled = with_labels_of(self, asked, top, is_text)
        return replace(labelled, table=self.table.limit(None, offset=rows))

    def counted(self, chosen: Columns, most: int | None) -> dict[str, NDArray[Any]]:
        """Return the distinct rows of some columns, at most ``most``, with the count ``n`` of each."""
        return self._found(chosen, lambda rows: rows.group_by(list(chosen)).aggregate(n=rows.count()).limit(most))

    def values_of(self, column: str | int, most: int | None) -> list[tuple[Any, int]]:
        """Return the distinct values of a column, at most ``most``, with the count of each."""
        found = self.counted({"x": column}, most)
        return list(zip(found["x"].tolist(), found["n"].tolist(), strict=True))

    def summed(self, chosen: Columns, numbers: Columns) -> dict[str, NDArray[Any]]:
        """Return the distinct rows of some columns, sorted, with the count of each and sums of their numbers."""

        def ask(table: Table) -> Table:
            rows = table.mutate(**{x: _float(table[x], self.marks) for x in numbers}) if numbers else table
            sums = {"n": rows.count()}
            for x in numbers:
                size = rows[x].abs() if x.startswith("r") else rows[x]  # a replicate weight may be negative
                is_valid = ((size == 0.0) | size.between(LEAST, LARGEST)).fill_null(False)
                sums[f"bad_{x}"] = (~is_valid).cast("int64").sum()
                if x.startswith("r"):
                    continue
                if x == "w":
                    sums |= {"positive": (rows.w > 0).cast("int64").sum(), "weight": rows.w.sum()}
                    sums["square"] = (rows.w * rows.w).sum()
                else:
                    sums |= {f"low_{x}": rows[x].min(), f"high_{x}": rows[x].max()}
            keys = [*chosen, *(x for x in numbers if x.startswith("r"))]
            return rows.group_by(keys).aggregate(**sums).order_by(keys)

        return self._found({**chosen, **numbers}, ask, numbers)

    def texts_counted(
        self, chosen: Columns, listed: Mapping[str, Sequence[str]], long: Collection[str] = ()
    ) -> dict[str, TextCounts]:
        """Return for each of some columns how many of its values are numbers, other texts, and listed texts."""

        def ask(rows: Table) -> Table:
            counts: dict[str, Any] = {}
            for x in chosen:
                number, is_text = _float(rows[x], self.marks), rows[x].type().is_string()
                text = rows[x].strip() if is_text else rows[x].cast("string")
                is_other = number.isnull() & (text != "")  # never, in a column of numbers
                counts |= {f"{x}_n": number.count(), f"{x}_t": _times(is_other)}
                if x in long:
                    is_long = (number.abs() >= float(WHOLE_FLOATS)) & ~(number.isnan() | number.isinf())
                    counts[f"{x}_long"] = _times(is_long)
                for i, each in enumerate(listed[x]):
                    counts[f"{x}_{i}"] = _times(is_other & text.isin(sorted({each, decomposed(each)})))
            return rows.aggregate(**counts)

        return text_counts(self._found(chosen, ask), listed) if chosen else {}

    def rows(self, chosen: Columns, floats: Collection[str]) -> dict[str, NDArray[Any]]:
        """Return the values of some columns by row; those named in ``floats`` as floats, masked if they are not."""
        found = self._found(
            chosen,
            lambda rows: rows.select(**{x: _float(rows[x], self.marks) if x in floats else rows[x] for x in chosen}),
            [x for x in floats if x[0] in "wfr"],  # of ``SampleColumns``
        )
        gaps = {x: np.array([value is None for value in found[x].tolist()], bool) for x in floats}
        return found | {x: np.ma.array(np.where(gap, 0, found[x]), np.float64, mask=gap) for x, gap in gaps.items()}

    def number_forms(self, columns: Collection[str], ignored: Collection[str]) -> dict[str, list[str | None]]:
        """Return for each column of texts one text of each form; digits are equal but for a leading 0."""

        def ask(table: Table) -> Table:
            rows = table.mutate(x=table.x.strip())
            rows = rows.filter(rows.x.notnull() & rows.x.lower().notin(["", *ignored]))
            rows = rows.mutate(form=rows.x.re_replace("[0-9]", "9"), zero=rows.x.re_search("^[+-]?0"))
            return rows.group_by(["form", "zero"]).aggregate(x=rows.x.min()).order_by("x").limit(MOST_FORMS)

        texts = [name for name in columns if self.table[self.place(name)].type().is_string()]
        every = self.with_all_rows()
        return {name: every._found({"x": name}, ask)["x"].tolist() for name in texts}

    def terms(self, missing: Mapping[str, Sequence[str]]) -> IbisTerms:
        """Return the terms of conditions and recodings, given the texts for missing values by column."""
        return IbisTerms(lambda name: _compared(self.table[self.place(name)]), self.marks, missing)

    def is_single(self, name: str) -> bool:
        """Return whether a column has numbers in single precision."""
        return bool(self.table[self.place(name)].type().is_float32())

    def times(self, *conditions: Any) -> list[int]:
        """Return how often each of some conditions holds, and the number of rows."""
        counts = {f"n{i}": _times(condition) for i, condition in enumerate(conditions)}
        asked = self.table.aggregate(**counts, n=self.table.count())
        connection = self.table.get_backend()
        with one_line_error(self.name, connection.name):
            (found,) = connection.to_pyarrow(asked).to_pylist()
        return [int(found[name] or 0) for name in (*counts, "n")]

    def with_column(self, name: str, value: Any) -> Self:
        """Return the table with another column of a name, given its term, or with one more column."""
        own = named_in(name, self.names) or name
        table = self.table.mutate(**{own: value})
        return replace(self, table=table, names=tuple(table.columns))

    def rows_of_no_number(self, column: str) -> list[int]:
        """Return no rows: they have no order."""
        return []

    def rows_where(self, column: str | int, is_meant: Callable[[Any], bool], known: Iterable[Any] = ()) -> list[int]:
        """Return no rows: they have no order."""
        return []


@dataclass(frozen=True, slots=True)
class IbisTerms:
    """Terms in expressions of Ibis; the attributes and methods are those of ``SqlTerms``."""

    column: Callable[[str], Column]
    marks: NumberMarks
    missing: Mapping[str, Sequence[str]]

    def raw(self, column: str) -> Any:
        """Return the text of a cell without surrounding blanks; empty cells are missing."""
        x = _plain(self.column(column))
        kind = x.type()
        if kind.is_string():
            return x.strip().nullif("")
        if kind.is_boolean():
            return x.ifelse("1", "0")
        if not kind.is_floating():
            return x.cast("string")
        whole = (x.abs() < 2.0**53).ifelse(x == x.floor(), False)  # floor is an integer of 64 bits: none of infinity
        return _is_nan(x).ifelse(None, whole.ifelse(x.cast("int64").cast("string"), x.cast("string")))

    def text(self, column: str) -> Any:
        """Return the text of a value."""
        text = self.raw(column)
        return self.is_missing(column).ifelse(None, text) if self.missing.get(column) else text

    def compared(self, column: str, sign: str, value: Fraction | str | bool) -> Any:
        """Return whether the value of a column is ``sign`` a value."""
        x = self.column(column)
        kind, gap = x.type(), self.is_missing(column)
        if isinstance(value, bool):
            found = self.raw(column).lower().isin(TRUTH[value])
            found = found if sign == "=" else ~found
        elif isinstance(value, Fraction):
            found, gap = self._ordered(column, sign, value), self._is_missing_number(column)
            if kind.is_string() and sign in ("=", "!="):  # another text is no number
                found = found.fill_null(sign == "!=")
        elif kind.is_date():
            found = _reduced(x, moment(column, value).on_days(sign), kind)
        elif kind.is_timestamp():
            when = moment(column, value).whole
            found = SIGNS[sign](x, _literal(when if kind.timezone is None else when.replace(tzinfo=UTC)))
        elif kind.is_time():
            found = SIGNS[sign](x, _literal(clock(column, value)))
        elif sign in ("=", "!="):
            found = self._among(column, [value])
            found = found if sign == "=" else ~found
        else:
            found = SIGNS[sign](self.raw(column), value)
        if kind.is_string() and isinstance(value, str) and (stamped := stamp(value)) is not None:
            raw, (text, form) = self.raw(column), stamped
            found = raw.re_search(form.texts).ifelse(SIGNS[sign](_stamped(raw, form), text), found)
        return gap.ifelse(None, found)

    def _ordered(self, column: str, sign: str, number: Fraction) -> Any:
        """Return whether the number of a value is ``sign`` another one; unknown for texts that are no numbers."""
        x = self.column(column)
        kind = x.type()
        if kind.is_boolean():
            return _reduced(x.cast("int8"), on_integers(sign, number, 0, 1), "int8")
        if kind.is_integer():
            return _reduced(x, on_integers(sign, number, *RANGES[type(kind).__name__.lower()]), kind)
        if kind.is_decimal():
            scale, largest = kind.scale or 0, 10 ** (kind.precision or 38) - 1
            found = on_integers(sign, number * 10**scale, -largest, largest)
            return _reduced(x, found if isinstance(found, bool) else (found[0], Decimal(f"{found[1]}e-{scale}")), kind)
        if kind.is_floating():
            return _reduced(x, on_floats(sign, number, is_single=kind.is_float32()), kind)
        plain = _number_text(_plain(x), self.marks)
        found = _reduced(plain.try_cast("float64"), on_floats(sign, number), "float64")
        if abs(number) < WHOLE_FLOATS:
            return found
        whole = on_integers(sign, number, -abs(number.numerator) - 1, abs(number.numerator) + 1)
        return plain.re_search(WHOLE_TEXT).ifelse(_of_digits(plain, whole), found)

    def is_missing(self, column: str) -> Any:
        """Return whether the value of a column is missing."""
        x, own = self.column(column), self.missing.get(column, ())
        kind = x.type()
        found = [(self.raw(column) if kind.is_string() else x).isnull()]
        words: Sequence[str] = () if kind.is_numeric() or kind.is_boolean() else own
        if kind.is_floating():
            found, words = [*found, _is_nan(x)], words_among(own)
        found += [self._among(column, words)] * bool(words)
        if kind.is_numeric() or kind.is_boolean():
            found += self._missing_numbers(column)
        return reduce(operator.or_, found)

    def _is_missing_number(self, column: str) -> Any:
        """Return whether the value of a column is missing; of texts also one that is a number named as missing."""
        gap = self.is_missing(column)
        return reduce(operator.or_, [gap, *self._missing_numbers(column) * self.column(column).type().is_string()])

    def _missing_numbers(self, column: str) -> list[Any]:
        """Return for each number that is named as missing whether the value of a column is this number."""
        own = numbers_among(self.missing.get(column, ()))
        return [self._ordered(column, "=", number).fill_null(False) for number in own]

    def is_number(self, column: str) -> Any:
        """Return whether the value of a column is a number."""
        x, gap = self.column(column), self._is_missing_number(column)
        if x.type().is_string():
            gap |= _float(x, self.marks).isnull()
        return ~gap

    def _among(self, column: str, texts: Sequence[str]) -> Any:
        """Return whether the text of a cell is one of some texts, or a whole number of them that is written as 1.0."""
        raw, whole = self.raw(column), whole_labels(texts)
        found = raw.isin(_both_forms(map(label_form, texts)))
        return found | raw.re_search(whole) if whole and self.column(column).type().is_string() else found

    def is_text(self, column: str) -> bool:
        """Return whether a column has texts."""
        return bool(self.column(column).type().is_string())

    def matches(self, column: str, pattern: str) -> Any:
        """Return whether the text of a cell, in lower case or as it is, has a form."""
        raw = self.raw(column)
        return raw.re_search(pattern) | raw.lower().re_search(pattern)

    def is_one(self, column: str, texts: Sequence[str]) -> Any:
        """Return whether the value of a column is one of some texts."""
        return ~self.is_missing(column) & self._among(column, texts)

    def both(self, one: Any, other: Any) -> Any:
        """Return whether both conditions hold."""
        return one & other

    def either(self, one: Any, other: Any) -> Any:
        """Return whether one of the conditions holds."""
        return one | other

    def negated(self, one: Any) -> Any:
        """Return whether a condition does not hold."""
        return ~one

    def within(self, column: str, low: Fraction | None, high: Fraction | None, *, is_below: bool) -> Any:
        """Return whether the number of a value lies in a band."""
        ends = [self.is_number(column)]
        ends += [] if low is None else [self._ordered(column, ">=", low)]
        ends += [] if high is None else [self._ordered(column, "<" if is_below else "<=", high)]
        return reduce(operator.and_, ends)

    def first_of(self, cases: Sequence[tuple[Any, str]], otherwise: Any) -> Any:
        """Return the text of the first condition that holds; otherwise another expression, or a missing value."""
        import ibis

        left = ibis.null("string") if otherwise is None else otherwise
        return ibis.cases(*((condition, ibis.literal(label)) for condition, label in cases), else_=left)

    def constant(self, text: str) -> Any:
        """Return the term of a text."""
        import ibis

        return ibis.literal(text)

    def first_known(self, texts: Sequence[Any]) -> Any:
        """Return the first of some texts that is not missing."""
        import ibis

        return ibis.coalesce(*texts)

    def known(self, condition: Any) -> Any:
        """Return whether a condition holds; if it is unknown, it does not."""
        return condition.fill_null(False)


def _literal(value: Any, kind: Any = None) -> Any:
    import ibis

    return ibis.literal(value, type=kind)


def _reduced(x: Any, found: Reduced, kind: Any) -> Any:
    """Return a comparison of a column with a value of its type."""
    if isinstance(found, bool):
        return x == x if found else x != x
    sign, at = found
    return SIGNS[sign](x, _literal(at, kind))


def _stamped(text: Any, form: StampForm) -> Any:
    """Return a text that is a date or a time in the form of ``stamp``."""
    found = text
    for length, end in form.ends.items():
        found = (text.length() == length).ifelse(text + end, found)
    return (found + "000000").left(form.longest).replace("T", " ")


def _of_digits(plain: Any, found: Reduced) -> Any:
    """Return a comparison of texts of whole numbers, of any length, with an integer other than 0."""
    if isinstance(found, bool):
        return plain.notnull() if found else plain.isnull()
    sign, at = found
    is_negative, length, digits = whole_digits(at)
    own = plain.re_extract(WHOLE_DIGITS, 1)
    is_same = plain.startswith("-") if is_negative else ~plain.startswith("-")
    equal = is_same & (own == digits)
    below = operator.gt if is_negative else operator.lt
    is_nearer = below(own.length(), length) | ((own.length() == length) & below(own, digits))
    less = is_same & is_nearer if is_negative else ~is_same | is_nearer
    is_less_or_equal = less | equal
    return {"=": equal, "!=": ~equal, "<": less, "<=": is_less_or_equal, ">": ~is_less_or_equal, ">=": ~less}[sign]


def _both_forms(texts: Iterable[str]) -> list[str]:
    """Return texts in composed and in decomposed letters."""
    return sorted({form for text in texts for form in (text, decomposed(text))})


def _plain(column: Column) -> Column:
    """Return a column as texts, integers, floats or booleans; singles as the doubles with their shortest decimals."""
    kind = column.type()
    if kind.is_float32():
        return column.cast("string").cast("float64")
    if kind.is_string() or kind.is_integer() or kind.is_floating() or kind.is_boolean():
        return column
    if kind.is_timestamp() and kind.timezone is None:  # DuckDB writes no zeros at the end of a second
        return column.cast("string").re_extract(_NO_ZEROS, 1)
    if kind.is_time() and column.get_backend().name == "polars":  # its cast drops the fraction of a second
        return column.strftime("%H:%M:%S.%f").re_extract(_NO_ZEROS, 1)
    return column.cast("float64" if kind.is_decimal() and kind.scale else "string")


def _compared(column: Column) -> Column:
    """Return a column as ``_plain`` does, or of its own type if this is compared."""
    kind = column.type()
    is_own = kind.is_float32() or kind.is_decimal() or kind.is_date() or kind.is_timestamp()
    is_own |= kind.is_time()
    return column if is_own else _plain(column)


def _times(condition: Column) -> Column:
    """Return how often a condition is true."""
    return condition.fill_null(False).cast("int64").sum()


def _is_nan(x: Any) -> Any:
    """Return whether a float is NaN, also where DuckDB's isnan is false (``table_terms.is_nan``): its text is read."""
    return x.isnan() | (x.cast("string").lower() == "nan")


def _float(column: Column, marks: NumberMarks) -> Column:
    """Return a column as floats, with missing values for texts that are no numbers."""
    if not column.type().is_string():
        return column.cast("float64")
    return _number_text(column, marks).try_cast("float64")


def _number_text(column: Column, marks: NumberMarks) -> Column:
    """Return the plain texts of numbers in a column of texts, with missing values for other texts."""
    text = plain = column.strip()
    if marks.thousands:
        plain = plain.re_replace(marks.grouping, "")
    plain = plain.replace(marks.decimal, ".")
    return text.re_search(marks.pattern).ifelse(plain, None)


@contextmanager
def one_line_error(name: str, engine: str) -> Iterator[None]:
    """Replace an engine's message about a table, which may repeat its content, by a one-line message that does not."""
    from ibis.common.exceptions import IbisError

    with damage_errors(name, f"or {engine} does not read it", "leave the engine to DuckDB"):
        try:
            yield
        except IbisError as error:
            raise UnsupportedProblemError(
                f"{engine} cannot count: Ibis does not translate what is asked ({type(error).__name__}); allowed are "
                f"the engines {', '.join(('duckdb', *ENGINES))}, and others that Ibis serves as well"
            ) from None


def source_of(engine: Any, data: Any, table: str | None, sheet: str | int | None) -> EngineSource:
    """Open a table with an engine.

    Args:
        engine: ``polars``, ``pyspark``, or an Ibis connection.
        data: a path, a folder or an address of Parquet; or an Ibis table, which uses its own engine.
        table, sheet: refused: only DuckDB reads databases and workbooks.

    Raises:
        InvalidParameterError: there is no such engine.
        MissingExtraError: the engine is not installed.
        FileAccessError, FileFormatError: the file cannot be opened, or the engine does not read this format.
    """
    if type(data).__module__.startswith("ibis."):
        _require_modules(_IBIS, "a table of Ibis", "engines")
        return _whole_table("the Ibis table", data)
    named = isinstance(engine, str)
    if engine not in ENGINES if named else not hasattr(engine, "to_pyarrow"):
        raise InvalidParameterError(
            f"no such engine: received {shown(engine)}; allowed are {', '.join(('duckdb', *ENGINES))}, and in Python "
            "connections and tables of Ibis (pip install 'rropt[engines]')"
        )
    if isinstance(data, list | tuple) and len(data) == 1:
        (data,) = data
    path = os.fspath(data) if isinstance(data, str | os.PathLike) else None
    if path in (None, "-") or table is not None or sheet is not None:
        given = "a table" if path is None else "standard input" if path == "-" else "a table of a database"
        given = given if sheet is None else "a sheet of a workbook"
        given = "several files" if path is None and paths_of(data) else given
        raise InvalidParameterError(
            f"{engine if named else engine.name} reads files: received {given}; name a file of Parquet, or "
            "leave the engine to DuckDB"
        )
    if not named:
        _require_modules(_IBIS, "a connection of Ibis", "engines")
    return _opened(connected(engine) if named else engine, path)


def _require_modules(names: Iterable[str], what: str, extra: str) -> None:
    """Raise an error that names the extra if a module is not installed."""
    if absent := [name for name in names if find_spec(name) is None]:
        raise MissingExtraError(
            f"{what} needs {', '.join(absent)}, not installed here: pip install 'rropt[{extra}]', or leave the engine "
            "to DuckDB"
        )


def connected(engine: str) -> Any:
    """Connect to an engine by its name."""
    _require_modules((engine, *_IBIS), f"the engine {engine}", engine)
    try:
        import ibis

        if engine == "polars":
            return ibis.polars.connect()
        from pyspark.sql import SparkSession

        quiet = {"spark.log.level": "OFF", "spark.ui.showConsoleProgress": "false"}
        session = SparkSession.builder.config(map=quiet).getOrCreate()
        return ibis.pyspark.connect(session)
    except Exception as error:
        raise MissingExtraError(
            f"the engine {engine} does not start ({type(error).__name__}): {ENGINES[engine]}, or leave the engine to "
            "DuckDB"
        ) from None


def _opened(connection: Any, path: str) -> EngineSource:
    name, whole, more = shown_path(path), path, {}
    is_address = "://" in path
    try:
        is_folder = not is_address and Path(path).is_dir()
        is_parquet = is_address or is_folder or (not is_stream(path) and first_bytes(path).startswith(b"PAR1"))
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    if not is_parquet:
        raise FileFormatError(
            f"{connection.name} reads Parquet: received {name}; save it as Parquet, give a table of Ibis in Python, or "
            "leave the engine to DuckDB, which reads other forms too"
        )
    with one_line_error(name, connection.name):
        if not is_address:
            whole = os.path.abspath(path)  # noqa: PTH100  # without resolving links
        if connection.name == "pyspark" and not is_address:
            whole = "file://" + "".join("\\" * (each in "\\*?[]{}") + each for each in whole)
        if connection.name == "polars":
            more = {"glob": is_folder}
        return _whole_table(name, connection.read_parquet(whole, **more))


def _whole_table(name: str, table: Table) -> EngineSource:
    columns = tuple(table.columns)
    return EngineSource(name, columns, table=table)
