"""A table of responses, and how DuckDB reads it.

A file is untrusted, so DuckDB gets access to one path and to nothing else. It reads no other file, loads no extension,
and writes nothing, not even to a temporary folder. Columns of CSV are selected by position, so a header never becomes
part of a query. Other names and all values are passed as expressions, never as text. A request is a statement about
columns with internal names. An error message reports a line number and never its content.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, overload

from rropt.core.errors import FileFormatError, InvalidParameterError, RroptError, shown
from rropt.core.lazy import numpy as np
from rropt.core.normal_form import BLANKS, named_in, normal, one_in_two_forms, spelled
from rropt.core.visible import with_noun
from rropt_fieldwork.reading.duckdb_connection import MEMORY, column_of, required_duckdb, rows_of
from rropt_fieldwork.reading.number_comparisons import WHOLE_FLOATS
from rropt_fieldwork.reading.number_marks import (
    DOUBTFUL,
    POINT,
    NumberMarks,
    form_of,
    is_doubtful,
    is_number,
    marks_of,
    require_agreement,
)
from rropt_fieldwork.reading.table_terms import INTEGERS, SqlTerms

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation, Expression
    from numpy.typing import NDArray

MOST_LINE = 1 << 26  # the largest length of a line, or of an object of JSON, in bytes
LONG_LINE = (
    f"the data have a line that is too long: allowed are {MOST_LINE >> 20} MiB; check for a quotation mark that is not "
    "closed"
)
SELECTED = "\0selected"  # the name of the column that marks selected rows, which no table of the user has
VIEW = "rropt_answers"  # the name of a relation in a statement, which no table of the user has
_MOST_TITLES = 4  # rows between the names and the first respondent
_SHOWN_LINES = 10  # the largest number of lines that a message reports
_MOST_VALUES = 1000  # the largest number of values whose rows DuckDB finds; with more, ten rows come soon
_MOST_OTHERS = 200  # columns that are not asked, whose marks are compared with those of the columns that are
MOST_FORMS = 1000  # the largest number of forms of numbers in a column
_MOST_COMPARED = 10_000  # the largest number of column names that an unknown name is compared with
_FIRST_ROWS, _FEW_VALUES = 2048, 8  # up to so many different values in the first rows are counted one by one
_KINDS = {"VARCHAR": "string", "BOOLEAN": "boolean", "DOUBLE": "float64"}
_KINDS |= dict.fromkeys((kind for kind in INTEGERS if "HUGE" not in kind), "int64")
_COMPARED = (
    "FLOAT",
    "HUGEINT",
    "UHUGEINT",
    "DATE",
    "TIMESTAMP",
    "DECIMAL",
)  # types whose values are compared as stored

_TRIMMED = "trim({}, ' \t\n\r\v\f')"
_NUMBER = re.compile("[+-]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][+-]?[0-9]+)?")
_TRUTH = {"false": 0.0, "true": 1.0}
LEAST, LARGEST = 1e-120, 1e120  # of positive weights and other numbers, whose products are floats

Lines = Callable[[Sequence[int]], Sequence[int]]
Columns = Mapping[str, str | int]  # maps internal names to names of columns, or to positions if there is no header
_LINE = re.compile(r"CSV Error on Line: (\d+)")
_JSON = re.compile(r"(Malformed JSON|JSON transform error) in .* in (line|record/value) (\d+): ", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Input:
    """A file, or the content of a stream.

    Attributes:
        name: its name in messages.
        path: an absolute path that can be read any number of times.
        start: its first bytes.
        partition: the keys and values in the names of its folders, such as ``region=north``; a value of ``None`` means
            a missing value.
        whole: the name of the folder that the file was found in; "" for other files.
    """

    name: str
    path: str
    start: bytes
    partition: tuple[tuple[str, str | None], ...] = ()
    whole: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a file.

    Attributes:
        names: the required columns; empty if the file has no header.
        own: those of them that the names of its folders do not give.
        width: the number of columns of a file without a header; ``None``: as many as there are.
        whole: whether all other columns are required too.
        table: the table of a database.
        sheet: the sheet of a workbook.
        again: how to read a text that DuckDB did not read: ``convert`` it, even if it begins as UTF-8, to UTF-8 with
            uniform line ends; allow ``long`` lines, of up to ``MOST_LINE`` bytes.
        alone: whether it is the only file.
        of: the name of one of several files, for messages.
        header_rows: the number of rows above the first respondent; the names stand in one of them.
        codes: the columns of a statistics file that are read without value labels.
        separator: the separator of a text file, as the user states it; "" if it is not stated.
    """

    names: tuple[str, ...]
    own: tuple[str, ...]
    width: int | None = 1
    whole: bool = False
    table: str | None = None
    sheet: str | int | None = None
    again: frozenset[str] = frozenset()
    alone: bool = True
    of: str = ""
    header_rows: int = 1
    codes: tuple[str, ...] = ()
    separator: str = ""

    def below(self, partition: Sequence[tuple[str, str | None]]) -> Request:
        """Return what is asked of a file below folders with these keys and values: any columns, if they give all."""
        keys = [key for key, _ in partition]
        own = tuple(name for name in self.names if named_in(name, keys) is None)
        return replace(self, own=own, whole=self.whole or not own)

    def chosen(self, names: Sequence[str], *, is_schema: bool = True) -> tuple[str, ...]:
        """Return the columns to read of all columns of a file; the arguments are those of ``require_columns``."""
        require_columns(self.own, names, is_schema=is_schema, of=self.of)
        if self.whole:
            return tuple(names)
        found = (named_in(name, names) for name in self.names)
        return tuple(dict.fromkeys(name for name in found if name is not None))


@dataclass(frozen=True, slots=True)
class Source:
    """A table of responses, of one file, of several, or of another library; every query reads it again.

    Attributes:
        name: its name in messages.
        names: the names of its columns; for a file without a header, their numbers from 0.
        above: the number of lines above the first row of a text file; ``None`` if rows do not correspond to lines.
        remarks: remarks on how the table was read, as sentences.
        prefers_point: whether a point is a decimal mark without a statement, as where commas separate the columns.
        is_typed: returns whether the numbers of a column became texts with a decimal point; ``None``: of no column.
        decimal_mark, thousands_mark: the marks of numbers in texts, as the user states them.
        marks: the meaning of points and commas in texts that are read as numbers (``with_marks``).
        lines: returns the lines of rows of a text file; ``None``: each row has one line.
        blocks: yields blocks of rows of a file that DuckDB reads as CSV, as Python's ``csv`` reads them.
        input: the file, and the values of its partition; of several files, the first; without a path for other tables.
        paths: the paths that DuckDB may open.
        scan: returns the relation for the paths of similar files.
        alike: the properties that similar files have in common; ``None`` if this file is scanned alone.
        database: whether the first of the paths is attached as a database.
        relation: the DuckDB relation, once the table is open; DuckDB may have renamed columns with equal names.
        connection: the connection that reads it; ``None`` for a relation that the user's own connection reads.
        parts: several files, whose rows are in the order of the files.
        weight: the variable that weights the cases, as an SPSS file declares it.
        count: the number of its rows, if the layout of a text file was found from all of them.
        orders: the order of the levels of ordered columns, by the normal forms of their names.
        categorical: the normal forms of the names of columns whose type lists their levels, even if these are numbers.
        titles: the labels of columns, by the normal forms of their names.
        is_selected: whether only the rows that ``SELECTED`` marks are counted and read.
        header_rows: the number of rows above its first row, as ``--header-rows`` counts them.
    """

    name: str
    names: tuple[Any, ...]
    above: int | None = None
    remarks: tuple[str, ...] = ()
    prefers_point: bool = False
    is_typed: Callable[[str], bool] | None = None
    decimal_mark: str | None = None
    thousands_mark: str | None = None
    marks: NumberMarks = POINT
    lines: Lines | None = None
    blocks: Callable[[], Iterator[list[list[str]]]] | None = None
    input: Input = Input("", "", b"")
    paths: tuple[str, ...] = ()
    scan: Callable[[DuckDBPyConnection, Sequence[str]], DuckDBPyRelation] | None = None
    alike: tuple[Any, ...] | None = None
    database: bool = False
    relation: Any = None
    connection: DuckDBPyConnection | None = None
    parts: tuple[Source, ...] = ()
    weight: str | None = None
    count: int | None = None
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    categorical: frozenset[str] = frozenset()
    titles: Mapping[str, str] = field(default_factory=dict)
    is_selected: bool = False
    header_rows: int = 1

    @property
    def is_ordered(self) -> bool:
        """Whether rows have an order, in which DuckDB numbers and reads them."""
        return self.relation is not None

    @property
    def has_header(self) -> bool:
        """Whether the columns have names."""
        return 0 not in self.names

    def place(self, name: str | int) -> int:
        """Return the position of a column, given its name or its position.

        Raises:
            InvalidParameterError: no column or several columns have that name; the message suggests a similar name.
        """
        if isinstance(name, int):
            return name
        if name.isascii() and self.names.count(name) == 1:  # at once, since there may be very many columns
            return self.names.index(name)
        require_columns([name], self.names, is_schema=self.above is None)
        return self.names.index(named_in(name, self.names))

    @property
    def files(self) -> dict[str, str]:
        """The paths of its files, or of streams in memory, with their names in messages about a line."""
        if self.parts:
            return {part.input.path: part.name for part in self.parts}
        return {self.input.path: "the data"} if self.input.path else {}

    def opened(self, connection: DuckDBPyConnection, similar: Sequence[Source] = ()) -> Source:
        """Return the table of this file, or of similar files, with its relation."""
        assert self.scan is not None
        parts = similar or (self,)
        counts = [part.count for part in parts if part.count is not None]
        with reading_errors(self.name, self):
            relation = self.scan(connection, [path for part in parts for path in part.paths])
            if len(counts) == len(parts) and (read := len(relation)) != sum(counts):
                raise LineError(
                    f"the data are not read as they are written: {self.name} has {sum(counts)} rows, and DuckDB reads "
                    f"{read}; save the table as CSV with one kind of line ends"
                )
        return replace(self, relation=relation, connection=connection)

    def where(self, rows: Sequence[int]) -> str:
        """Return text for rows counted from 1, for messages: their lines; of several files also the file of each."""
        if not rows:
            return "some rows"
        if not self.parts:
            kind = ("row" if self.above is None else "line") + "s" * (len(rows) > 1)
            places = self.lines(rows) if self.lines else [row + (self.above or 0) for row in rows]
            return f"{kind} {', '.join(map(str, places))}"
        assert self.connection is not None
        told: list[str] = []
        left, before = sorted(rows), 0
        for part in self.parts:
            own = len(part.opened(self.connection).relation)
            here = [row - before for row in left if row <= before + own]
            left, before = left[len(here) :], before + own
            if here:
                told.append(f"{part.where(here)} of {part.name}")
            if not left:
                break
        return "; ".join(told)

    def value(self, name: str | int) -> tuple[Expression, str]:
        """Return a column as texts, integers, floats or booleans, with the name of the type.

        Singles become the doubles with their shortest decimals, so that all that is printed, written or computed has
        the number that was stored.
        """
        from duckdb import FunctionExpression

        place = self.place(name)
        column, kind = column_of(self.relation.columns[place]), str(self.relation.types[place])
        if kind == "FLOAT":
            return _double_of(column), "float64"
        if kind.startswith("DECIMAL") and not kind.endswith(",0)"):
            return column.cast("DOUBLE"), "float64"
        if kind == "BLOB":  # texts of Parquet files that do not say that they are UTF-8
            return FunctionExpression("decode", column), "string"
        return (column, _KINDS[kind]) if kind in _KINDS else (column.cast("VARCHAR"), "string")

    @overload
    def found(self, chosen: Columns, statement: str, *, sums: Collection[str] = ()) -> dict[str, NDArray[Any]]: ...

    @overload
    def found(self, chosen: Columns, statement: str, *, as_rows: Literal[True]) -> list[Any]: ...

    def found(
        self, chosen: Columns, statement: str, *, as_rows: bool = False, sums: Collection[str] = ()
    ) -> dict[str, NDArray[Any]] | list[Any]:
        """Return the columns of the result of a statement.

        Args:
            chosen: maps the column names of the statement to columns of texts, integers, floats or booleans.
            statement: the statement about ``VIEW``, a table of these columns.
            as_rows: whether to return its rows instead, without NumPy.
            sums: the columns of numbers of a sampling design, which are computed with as they are stored.

        Raises:
            FileFormatError: the table cannot be read to its end.
        """
        with reading_errors(self.name, self):
            rows = self.relation.filter(self.value(SELECTED)[0]) if self.is_selected else self.relation
            own = {name: self._stored(one) if name in sums else self.value(one)[0] for name, one in chosen.items()}
            view: DuckDBPyRelation = rows.select(*(value.alias(name) for name, value in own.items()))
            found = view.query(VIEW, statement)
            if found is None:
                return [] if as_rows else {}
            return found.fetchall() if as_rows else found.fetchnumpy()

    def values_of(self, column: str | int, most: int | None) -> list[tuple[Any, int]]:
        """Return the distinct values of a column, at most ``most``, with the count of each, without NumPy.

        The values of the first rows are counted one by one, if they are few: one sum for each is faster than groups
        (of 10^7 texts by a fifth, of as many integers by half). Only rows with other values are then grouped, by
        reading the table again.
        """
        asked: Columns = {"x": column}
        limit = "" if most is None else f" LIMIT {most:d}"
        first = self.found(asked, f"SELECT DISTINCT x FROM (SELECT x FROM {VIEW} LIMIT {_FIRST_ROWS})", as_rows=True)
        if len(first) > _FEW_VALUES or any("\0" in value for (value,) in first if isinstance(value, str)):
            return self.found(asked, f"SELECT x, count(*) FROM {VIEW} GROUP BY x{limit}", as_rows=True)
        if not first:
            return []
        is_listed = [_is_value("x", value) for (value,) in first]
        sums = ", ".join(f"count_if({each})" for each in is_listed)
        ((n, *counts),) = self.found(asked, f"SELECT count(*), {sums} FROM {VIEW}", as_rows=True)
        found = [(value, int(count)) for (value,), count in zip(first, counts, strict=True)]
        if sum(counts) == n:
            return found
        limit = "" if most is None else f" LIMIT {max(most - len(found), 0):d}"
        is_other = f"({' OR '.join(is_listed)}) IS NOT TRUE"
        return found + self.found(
            asked, f"SELECT x, count(*) FROM {VIEW} WHERE {is_other} GROUP BY x{limit}", as_rows=True
        )

    def counted(self, chosen: Columns, most: int | None) -> dict[str, NDArray[Any]]:
        """Return the distinct rows of some columns, at most ``most``, with the count ``n`` of each."""
        keys, limit = ", ".join(chosen), "" if most is None else f" LIMIT {most:d}"
        return self.found(chosen, f"SELECT {keys}, count(*) AS n FROM {VIEW} GROUP BY {keys}{limit}")

    def summed(self, chosen: Columns, numbers: Columns) -> dict[str, NDArray[Any]]:
        """Return the distinct rows of some columns, sorted, with the count ``n`` of each and sums of their numbers.

        For each column of numbers it counts the values that are no numbers of a sampling design (``bad_w`` for column
        w). For the weights ``w`` it also returns the number of positive weights and the sums of w and w^2. For other
        columns of numbers it returns the minimum and the maximum. Rows with other replicate weights (``r0``, ``r1``,
        ...) are distinct.
        """
        sums = ["count(*) AS n", *(f"count(*) FILTER (NOT {_is_of_sample(x)}) AS bad_{x}" for x in numbers)]
        replicates = [x for x in numbers if x.startswith("r")]
        for x in numbers:
            if x in replicates:
                continue
            if x == "w":
                sums += ["count(*) FILTER (w > 0) AS positive", "sum(w) AS weight", "sum(w * w) AS square"]
            else:
                sums += [f"min({x}) AS low_{x}", f"max({x}) AS high_{x}"]
        rows = ", ".join([*chosen, *(f"{self._float(x, column)} AS {x}" for x, column in numbers.items())])
        asked = ", ".join([*chosen, *replicates, *sums])
        statement = f"SELECT {asked} FROM (SELECT {rows} FROM {VIEW}) GROUP BY ALL ORDER BY ALL"
        return self.found({**chosen, **numbers}, statement, sums=numbers)

    def texts_counted(
        self, chosen: Columns, listed: Mapping[str, Sequence[str]], long: Collection[str] = ()
    ) -> dict[str, TextCounts]:
        """Return for each of some columns how many of its values are numbers, other texts, and listed texts.

        Args:
            chosen: the columns.
            listed: for each column the texts that are counted one by one, unless they are numbers.
            long: the columns whose long numbers are counted.
        """
        counts = []
        for x, column in chosen.items():
            number = self._float(x, column)
            text = _TRIMMED.format(x) if self.value(column)[1] == "string" else "NULL"
            counts += [f"count({number}) AS {x}_n", f"count(*) FILTER ({number} IS NULL AND {text} != '') AS {x}_t"]
            if x in long:
                counts.append(f"count(*) FILTER (isfinite({number}) AND abs({number}) >= {WHOLE_FLOATS}) AS {x}_long")
            quoted = ("'" + each.replace("'", "''") + "'" for each in listed[x])
            counts += [
                f"count(*) FILTER ({number} IS NULL AND {text} != '' AND nfc_normalize({text}) = {own}) AS {x}_{i}"
                for i, own in enumerate(quoted)
            ]
        return text_counts(self.found(chosen, f"SELECT {', '.join(counts)} FROM {VIEW}"), listed) if chosen else {}

    def rows(self, chosen: Columns, floats: Collection[str]) -> dict[str, NDArray[Any]]:
        """Return the values of some columns by row; those named in ``floats`` as floats, masked if they are not."""
        columns = (f"{self._float(x, column)} AS {x}" if x in floats else x for x, column in chosen.items())
        sums = [x for x in floats if x[0] in "wfr"]  # of ``SampleColumns``
        return self.found(chosen, f"SELECT {', '.join(columns)} FROM {VIEW}", sums=sums)

    def _stored(self, name: str | int) -> Expression:
        """Return a column as ``value`` does, and singles as the same doubles."""

        place = self.place(name)
        is_single = str(self.relation.types[place]) == "FLOAT"
        return column_of(self.relation.columns[place]).cast("DOUBLE") if is_single else self.value(place)[0]

    def _float(self, alias: str, column: str | int) -> str:
        """Return the expression for a column as floats, with missing values for texts that are no numbers."""
        if self.value(column)[1] != "string":
            return f"CAST({alias} AS DOUBLE)"
        return self.marks.sql(_TRIMMED.format(alias))

    def with_marks(
        self, numbers: Collection[str], covariates: Collection[str] = (), ignored: Collection[str] = ()
    ) -> Self:
        """Return the table with the meaning of points and commas in its numbers.

        Args:
            numbers: the columns of numbers.
            covariates: columns that are numbers if they have no other texts.
            ignored: texts, in lower case, for missing values.

        Raises:
            FileFormatError: a number has marks that are not stated, or not those that are.
        """
        cells = {}
        for name, forms in self.number_forms([*numbers, *covariates], ignored).items():
            known = [text for text in forms if text is not None and is_number(text)]
            if name in numbers or len(known) == len(forms):
                cells[name] = known
        is_stated = (self.decimal_mark, self.thousands_mark) != (None, None)
        if not is_stated and not any(map(is_doubtful, chain.from_iterable(cells.values()))):
            return replace(self, marks=POINT)
        typed = [] if self.is_typed is None else [name for name in cells if self.is_typed(name)]
        stated = {"decimal": self.decimal_mark, "thousands": self.thousands_mark}
        marks = marks_of(cells, prefers_point=self.prefers_point, typed=typed, **stated)
        read = {name: own for name, own in cells.items() if name not in typed and any(map(is_doubtful, own))}
        if read and not is_stated:
            found = self.number_forms(self._other_texts(cells), ignored)
            numbers_of = {name: [text for text in own if text is not None] for name, own in found.items()}
            others = {name: own for name, own in numbers_of.items() if len(own) == len(found[name])}
            require_agreement(read, others)
        return replace(self, marks=marks)

    def _other_texts(self, columns: Collection[str]) -> list[str]:
        """Return the other columns of a text file, of which the marks of its numbers can be learned."""
        if not self.has_header or any(part.blocks is None for part in self.parts or (self,)):
            return []
        chosen, counts = set(map(normal, columns)), Counter(map(normal, self.names))
        return [each for each in self.names if counts[normal(each)] == 1 and normal(each) not in chosen][:_MOST_OTHERS]

    def number_forms(self, columns: Collection[str], ignored: Collection[str]) -> dict[str, list[str | None]]:
        """Return for each column of texts one text of each form of number, and ``None`` for texts that are not numbers.

        Of numbers without a mark, or with points that are decimal in any case, one text may stand for all.

        Args:
            columns: the columns; those of numbers have no forms.
            ignored: other texts that are left out, in lower case.
        """
        texts = {f"x{i}": name for i, name in enumerate(columns) if self.value(name)[1] == "string"}
        if not texts:
            return {}
        asked = []
        for x in texts:  # texts with blanks around them, and those that are left out, are doubtful too
            asked.append(f"coalesce(bool_or(regexp_matches({x}, '{DOUBTFUL}')), false) AS {x}")
            asked.append(f"any_value({x}) FILTER (contains({x}, '.')) AS {x}p")

        every = self.with_all_rows() if self.is_selected else self  # one meaning of marks, whatever is selected
        found, doubtful = {}, every.found(texts, f"SELECT {', '.join(asked)} FROM {VIEW}")
        for x, name in texts.items():
            if doubtful[x][0]:
                listed = every.found({"x": name}, _forms_except(ignored))
                pairs = zip(listed["form"].tolist(), listed["x"].tolist(), strict=True)
                found[name] = [None if form is None else text for form, text in pairs]
            else:
                pointed = np.ma.asarray(doubtful[f"{x}p"]).tolist()[0]
                found[name] = [] if pointed is None else [pointed]
        return found

    def with_all_rows(self) -> Self:
        """Return the table with all rows; ``SELECTED`` is a column that marks the selected ones."""
        return replace(self, is_selected=False)

    def terms(self, missing: Mapping[str, Sequence[str]]) -> Any:
        """Return the terms of conditions and recodings, given the texts for missing values by column."""

        plain = self._plain()
        types = dict(zip(plain.columns, map(str, plain.types), strict=True))

        def column(name: str) -> tuple[str, str, str]:
            own = f"c{self.place(name)}"
            return own, types[own], f"other_{own}" if types[own] in ("FLOAT", "VARCHAR") else own

        return SqlTerms(column, self.marks, missing)

    def times(self, *conditions: Any) -> list[int]:
        """Return how often each of some conditions holds, and the number of rows."""
        counts = [f"count(*) FILTER ({condition}) AS n{i}" for i, condition in enumerate(conditions)]
        statement = f"SELECT {', '.join([*counts, 'count(*) AS n'])} FROM {VIEW}"
        with reading_errors(self.name, self):
            return list(map(int, self._plain().query(VIEW, statement).fetchall()[0]))

    def with_levels(self, orders: Mapping[str, tuple[str, ...]]) -> Self:
        """Return the table with the levels of columns whose type lists them, by the normal forms of their names."""
        return replace(self, orders=orders, categorical=frozenset(orders))

    def with_column(self, name: str, value: Any) -> Self:
        """Return the table with another column of a name, given its term, or with one more column."""
        from duckdb import SQLExpression

        own, rows = named_in(name, self.names), self._plain()
        columns = [f"c{place}" for place in range(len(self.names))]
        if own is None:
            added = [*map(SQLExpression, columns), SQLExpression(value).alias(f"c{len(columns)}")]
            return replace(self, names=(*self.names, name), relation=rows.select(*added))
        columns[self.names.index(own)] = value
        made = [SQLExpression(each).alias(f"c{place}") for place, each in enumerate(columns)]
        return replace(self, relation=rows.select(*made))

    def is_single(self, name: str) -> bool:
        """Return whether a column has numbers in single precision."""
        return str(self.relation.types[self.place(name)]) == "FLOAT"

    def _plain(self) -> Any:
        """Return the relation with the columns c0, c1, ..., each as ``value`` has it, or of a type to compare with.

        Some columns stand in another form too, with ``other_`` before their name: the doubles of singles, and texts in
        normal form without surrounding blanks, with NULL for empty ones.
        """
        from duckdb import ConstantExpression, FunctionExpression

        columns = []
        for place, (name, kind) in enumerate(zip(self.relation.columns, map(str, self.relation.types), strict=True)):
            value, read_as = self.value(place)
            is_own = kind.startswith(_COMPARED)
            columns.append((column_of(name) if is_own else value).alias(f"c{place}"))
            if kind == "FLOAT":
                columns.append(value.alias(f"other_c{place}"))
            elif read_as == "string" and not is_own:
                text = FunctionExpression(
                    "trim", FunctionExpression("nfc_normalize", value), ConstantExpression(BLANKS)
                )
                text = FunctionExpression("nullif", text, ConstantExpression(""))
                columns.append(text.alias(f"other_c{place}"))
        return self.relation.select(*columns)

    def rows_of_no_number(self, column: str) -> list[int]:
        """Return the first ten rows whose value in a column is no number of a sampling design."""
        is_wrong = f"NOT {_is_of_sample(self._float('x', column))}"
        values = set(self.found({"x": column}, f"SELECT DISTINCT x FROM {VIEW} WHERE {is_wrong}")["x"].tolist())
        return self.rows_where(column, lambda value: value in values or value != value, values)

    def rows_where(self, column: str | int, is_meant: Callable[[Any], bool], known: Iterable[Any] = ()) -> list[int]:
        """Return the first ten rows whose value in a column satisfies a condition.

        Args:
            column: the column.
            is_meant: the condition on a value.
            known: all values of the column, or all that satisfy it; only rows with one of these are looked at.
        """
        from duckdb import ColumnExpression, ConstantExpression, FunctionExpression, SQLExpression

        own, kind = self.value(column)
        chosen = [self.value(SELECTED)[0].alias("k")] if self.is_selected else []
        is_text = kind == "string"  # other values are compared as floats: of True, 1 and 1.0, one is known for all
        fitting = (value for value in known if value is None or isinstance(value, str) == is_text)
        values = [value if value is None or is_text else float(value) for value in fitting if is_meant(value)]
        with reading_errors(self.name, self):
            rows = self.relation.select(*[own.alias("x"), SQLExpression("row_number() OVER ()").alias("r")], *chosen)
            rows = rows.filter(ColumnExpression("k")).select("x", "r") if self.is_selected else rows
            if 0 < len(values) <= _MOST_VALUES:
                x = ColumnExpression("x") if is_text else ColumnExpression("x").cast("DOUBLE")
                is_one = x.isin(*map(ConstantExpression, values))
                if any(value != value for value in values):  # before version 2 a NaN is not in a list of one
                    is_one = is_one | FunctionExpression("isnan", x)
                rows = rows.filter(is_one | x.isnull() if None in values else is_one)
            return list(islice((row for value, row in rows_of(rows) if is_meant(value)), _SHOWN_LINES))

    def rows_with(self, columns: Sequence[str], is_meant: Callable[..., bool]) -> list[int]:
        """Return the first ten rows whose values in several columns satisfy a condition."""
        from duckdb import SQLExpression

        own = [self.value(column)[0].alias(f"x{place}") for place, column in enumerate(columns)]
        chosen = [self.value(SELECTED)[0].alias("k")] if self.is_selected else []
        with reading_errors(self.name, self):
            rows = self.relation.select(*own, SQLExpression("row_number() OVER ()").alias("r"), *chosen)
            found = (row for row in rows_of(rows) if not chosen or row[-1])
            meant = (row[len(columns)] for row in found if is_meant(*row[: len(columns)]))
            return list(islice(meant, _SHOWN_LINES))


def _double_of(single: Expression) -> Expression:
    """Return the double with the shortest decimal of a single: 3.3, and not 3.299999952316284.

    The text of a single has this decimal. It is slow to write, and needless for whole numbers, and for three decimals
    of at most six digits in all, which belong to this single alone.
    """
    from duckdb import CaseExpression, ConstantExpression, FunctionExpression

    double, size = single.cast("DOUBLE"), FunctionExpression("abs", single)
    rounded = FunctionExpression("round", double, ConstantExpression(3))
    is_whole = (single == FunctionExpression("trunc", single)) & (size < ConstantExpression(2**24))
    is_short = (size < ConstantExpression(1000)) & (rounded.cast("FLOAT") == single)
    return CaseExpression(is_whole, double).when(is_short, rounded).otherwise(single.cast("VARCHAR").cast("DOUBLE"))


def header_hint(source: Source, rows: Sequence[int], wrong: int) -> str:
    """Return the advice to count header rows, if the first rows alone are wrong: they may be titles or wordings.

    Args:
        source: the table.
        rows: the first wrong rows, counted from 1.
        wrong: the number of all wrong rows.
    """
    if not 0 < wrong <= _MOST_TITLES or list(rows) != list(range(1, wrong + 1)):
        return ""
    what = "the first row is a title or a wording" if wrong == 1 else f"the first {wrong} rows are titles or wordings"
    return f"; if {what}, count the rows above the data (`header_rows={source.header_rows + wrong}`)"


class TextCounts(NamedTuple):
    """How many values of a column are of some kinds.

    Attributes:
        numbers: decimal numbers.
        texts: other texts that are not blank.
        listed: each of some texts.
        long: numbers from 2^53, of which not every whole one is a float; 0 if they were not counted.
    """

    numbers: int
    texts: int
    listed: dict[str, int]
    long: int


def _forms_except(ignored: Collection[str]) -> str:
    """Return the statement that lists the forms of numbers in a column, without some texts, with a text of each."""
    words = ", ".join("'" + text.replace("'", "''") + "'" for text in ("", *ignored))
    rows = f"SELECT {_TRIMMED.format('x')} AS x FROM {VIEW} WHERE x IS NOT NULL"
    rows = f"SELECT {form_of('x')} AS form, x FROM ({rows}) WHERE lower(x) NOT IN ({words})"
    return f"SELECT form, min(x) AS x FROM ({rows}) GROUP BY form ORDER BY ALL LIMIT {MOST_FORMS}"


def text_counts(found: Mapping[str, Any], listed: Mapping[str, Sequence[str]]) -> dict[str, TextCounts]:
    """Return the counts of a result with the columns x_n, x_t, x_long, x_0, x_1, ... for each column x."""
    return {
        x: TextCounts(
            int(found[f"{x}_n"][0] or 0),
            int(found[f"{x}_t"][0] or 0),
            {text: int(found[f"{x}_{place}"][0] or 0) for place, text in enumerate(texts)},
            int(found[f"{x}_long"][0] or 0) if f"{x}_long" in found else 0,
        )
        for x, texts in listed.items()
    }


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of columns; those of several columns with their places from 1, such as ``Complete?#7``."""
    listed = tuple(names)
    times = Counter(listed)
    if len(times) == len(listed):
        return listed
    made = (f"{name}#{place}" if name and times[name] > 1 else name for place, name in enumerate(listed, 1))
    return tuple(new if new not in times else old for old, new in zip(listed, made, strict=True))


def require_columns(asked: Sequence[str], names: Sequence[str], *, is_schema: bool = False, of: str = "") -> None:
    """Require that each name belongs to exactly one column, whether its letters are composed or decomposed.

    Args:
        asked: the requested names.
        names: the names of all columns.
        is_schema: whether they are names for certain. A message then lists them; the first line of a text or of a sheet
            may contain responses.
        of: the file, where there are several.

    Raises:
        InvalidParameterError: no column or several columns have that name; the message suggests a similar name.
    """
    forms = list(map(normal, names)) if asked else []
    for name in asked:
        places = [place for place, form in enumerate(forms) if form == normal(name)]
        if len(places) == 1:
            continue
        if two := one_in_two_forms(names[place] for place in places):
            raise InvalidParameterError(two_forms("columns", *two))
        of_name = [f"{name}#{place}" for place, form in enumerate(forms, 1) if form == normal(f"{name}#{place}")]
        if len(of_name) > 1:  # (``distinct``)
            raise InvalidParameterError(
                f"a column does not fit the data: received {shown(name)}, and more than one column of {len(names)} has "
                f"that name; name one of them by its place, {shown(' or '.join(of_name[:_SHOWN_LINES]))}, or rename "
                "them"
            )
        count = "more than one column" if places else "no column"
        known = {} if places else {each.casefold(): each for each in names[:_MOST_COMPARED]}
        near = difflib.get_close_matches(name.casefold(), known, n=1, cutoff=0.6)
        advice = f"did you mean {shown(known[near[0]])}?" if near else "give the name of one column of the header"
        others = "the others are not repeated here, since a first line may hold answers"
        others = f"allowed are {shown(', '.join(names))}" if is_schema else others
        raise InvalidParameterError(
            f"a column does not fit the data: received {shown(name)}, and {count} of {len(names)}"
            f"{f' in {of}' * bool(of)} has that name; {others}; {advice}"
        )


def two_forms(what: str, first: str, second: str) -> str:
    """Return the message about two names that look alike, or that are one number."""
    if normal(first) != normal(second):
        return (
            f"two {what} have one name, with and without a decimal point: received {shown(first)} and {shown(second)}; "
            "rename one of them"
        )
    return (
        f"two {what} have one name, in composed and in decomposed letters: received {shown(first)}, which is "
        f"{spelled(first)}, and {spelled(second)}; rename one of them"
    )


def _is_of_sample(number: str) -> str:
    """Return the condition that a value is a weight or a finite population: 0, or a number whose square is a float."""
    size = f"abs({number})" if number.startswith("r") else number  # some methods have negative replicate weights
    return f"coalesce({size} = 0 OR {size} BETWEEN {LEAST} AND {LARGEST}, false)"


def _is_value(name: str, value: object) -> str:
    """Return the condition that a column has a value, which DuckDB has returned for it."""
    if value is None:
        return f"{name} IS NULL"
    if isinstance(value, str):
        return f"{name} = '" + value.replace("'", "''") + "'"
    return f"{name} = '{value}'::DOUBLE" if isinstance(value, float) else f"{name} = {value}"


def meaning_of(text: str) -> Hashable:
    """Return what a text is read as: 1, 1.0 and true are one number, and the form of letters does not matter."""
    text = normal(text)
    if _NUMBER.fullmatch(text):
        return float(text.replace(",", "."))
    return _TRUTH.get(text.casefold(), text)


class LineError(FileFormatError):
    """Raised for text that DuckDB does not read, but may read otherwise.

    Attributes:
        how: ``convert``: converted to UTF-8 with uniform line ends; ``long``: with long lines.
        is_line: whether a line is wrong, perhaps because the line ends of its file are mixed.
    """

    def __init__(self, message: str, how: str = "convert", *, is_line: bool = False) -> None:
        super().__init__(message)
        self.how, self.is_line = how, is_line


def _is_interruption(error: Exception) -> bool:
    """Return whether an exception of DuckDB reports Ctrl-C.

    Beside ``InterruptException`` it is a ``RuntimeError`` where the query notices the signal, and an error of a called
    function whose text begins with the name of Python's exception.
    """
    told = str(error)
    is_called = re.search(r"Python exception occurred while executing[^:]*: KeyboardInterrupt", told)
    return type(error).__name__ == "InterruptException" or told == "Query interrupted" or is_called is not None


def _damaged(
    name: str, error: Exception, why: str = "or not of its format", advice: str = "save it as CSV"
) -> FileFormatError:
    return FileFormatError(
        f"data cannot be read: {name} is damaged, {why} ({type(error).__name__}); make it again, or {advice}"
    )


@contextmanager
def reading_errors(name: str, source: Source | None = None) -> Iterator[None]:
    """Replace a DuckDB message about a table, which may repeat its content, by a one-line message that does not.

    Args:
        name: the name of the table.
        source: the table, if it is known.
    """
    duckdb = required_duckdb()

    try:
        yield
    except (duckdb.Error, RuntimeError) as error:
        if _is_interruption(error):
            raise KeyboardInterrupt from None
        if not isinstance(error, duckdb.Error):
            raise
        if isinstance(error, duckdb.OutOfMemoryException):
            raise FileFormatError(
                f"the data have too many different texts: {name} needs more than {MEMORY} of memory to count; is "
                "it the right column that names the groups, the devices or the clusters?"
            ) from None
        told = str(error)
        if re.search("(not|invalid) utf-8|invalid unicode|invalid state", told, re.IGNORECASE):
            raise LineError(f"data are not text: {name} is neither UTF-8 nor Windows-1252", "convert") from None
        if "could not convert blob" in told:
            raise FileFormatError(
                f"the data contain bytes that are not text in UTF-8: received them in a column of {name}; convert the "
                "column to texts"
            ) from None
        if "maximum line size" in told.lower() or "does not support a full read" in told:
            raise LineError(LONG_LINE, "long") from None
        if "maximum_object_size" in told:
            raise FileFormatError(
                f"the data have an object that is too long: allowed are {MOST_LINE >> 20} MiB"
            ) from None
        if (bad := _JSON.search(told)) is not None:
            place = int(bad[3]) - (bad[1] == "Malformed JSON")  # of which DuckDB reports the end
            raise FileFormatError(
                f"{'line' if bad[2] == 'line' else 'row'} {place} of the data is no object of JSON with different "
                'keys: allowed is one in each line, such as {"sick": "no"}, or an array of them'
            ) from None
        line = _LINE.search(told)
        if line is not None:
            values = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", told)
            wrong = f"has {with_noun(values[2], 'value')}, and {values[1]} are expected" if values else "is not CSV"
            advice = "check its quotation marks and separators"
            if source is not None and not source.has_header:  # the columns are guessed from the first line
                advice = "name the column of the question, which stands in line 1 (`column=NAME`, `columns=A,B`)"
            files = {} if source is None else source.files
            of = next((own for path, own in files.items() if f"file = {path}\n" in told), "the data")
            raise LineError(f"line {line[1]} of {of} {wrong}: {advice}", "convert", is_line=True) from None
        raise _damaged(name, error) from None


def table_name(data: object) -> str:
    """Return the name that messages use for a table that is not a file.

    Raises:
        InvalidParameterError: it is neither a supported data frame nor a dict of arrays.
    """
    kind = type(data)
    maker = kind.__module__.split(".")[0]
    if maker != "builtins" and _is_table(kind):
        return f"the {maker} table"
    if not isinstance(data, dict) or not data or not all(hasattr(column, "dtype") for column in data.values()):
        if isinstance(data, list | tuple) and any(_is_table(type(each)) for each in data):
            raise InvalidParameterError(
                f"the data are several tables: received a {kind.__name__} of {len(data)}; join them first, with "
                "pandas.concat(frames) or polars.concat(frames, how='diagonal'), or name their files"
            )
        raise InvalidParameterError(
            f"the data are no table: received {kind.__name__}{' of no arrays' * isinstance(data, dict)}; allowed "
            "are the name of a file, a dict of NumPy arrays, and frames of pandas, Polars or Arrow"
        )
    return "the table"


def _is_table(kind: type) -> bool:
    """Return whether objects of a class are tables with named columns: not arrays, columns, or mechanisms."""
    if callable(getattr(kind, "columns", None)):  # a method
        return False
    if any(hasattr(kind, name) for name in ("columns", "column_names", "schema", "dataset_schema")):
        return True
    return hasattr(kind, "__arrow_c_stream__") and kind.__name__ not in ("Series", "ChunkedArray")


@contextmanager
def damage_errors(name: str, *why: str) -> Iterator[None]:
    """Replace the exception of any reader for a damaged file by a FileFormatError with a one-line message.

    Args:
        name: the name of the file.
        why: other reasons than damage, and what to do other than make the file again.
    """
    try:
        yield
    except (RroptError, MemoryError):
        raise
    except Exception as error:  # every reader has its own exceptions
        if _is_interruption(error):
            raise KeyboardInterrupt from None
        raise _damaged(name, error, *why) from None
