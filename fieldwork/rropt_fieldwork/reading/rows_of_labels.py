"""Header rows in tables whose columns have names: data frames, Parquet, Feather, JSON, files of Stata and SPSS.

A program that reads the export of a form tool with one header row keeps the others as the first rows of its table, and
numbers below them become texts. These rows are the labels of the columns, and no respondents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from rropt.core.errors import FileFormatError, shown
from rropt.core.normal_form import named_in, normal, text_of
from rropt.core.visible import with_noun
from rropt_fieldwork.reading.duckdb_connection import column_of
from rropt_fieldwork.reading.header_rows import Header, header_of, labels_of
from rropt_fieldwork.reading.sources import Request, Source, distinct, reading_errors, require_columns

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

Of = TypeVar("Of", bound=Source)

_UNNAMED = re.compile("Unnamed: [0-9]+")
_OF_TEXTS = ("VARCHAR", "BLOB", "ENUM", "JSON")


def below_labels(
    opened: Callable[[Request], Source], asked: Request, relation_of: Callable[[Source], DuckDBPyRelation]
) -> Source:
    """Return a table without the rows that label its columns.

    Args:
        opened: returns the table for what is asked of it.
        asked: what is asked of it. If the names of its columns are not the requested ones, a header row has them.
        relation_of: returns the rows of the table, to read the first ones.

    Raises:
        FileFormatError: a header row has a number, or the table has no further row.
        InvalidParameterError: neither the names of the columns nor a header row have the requested names.
    """
    rows = asked.header_rows - 1
    try:  # all columns: the question of one may stand above another, and a title above the names
        source = opened(replace(asked, names=(), own=(), whole=True))
    except FileFormatError:  # perhaps of another column
        source = opened(asked)
    with reading_errors(source.name):
        relation = relation_of(source)
        kinds = list(map(str, relation.types))
        first = relation.limit(rows + 1).fetchall()
    source = with_labels_of(source, asked, first, [kind.startswith(_OF_TEXTS) for kind in kinds])
    changed: dict[str, Any] = {"lines": partial(below_first, source.lines, rows), "alike": None}
    if source.relation is not None:
        changed["relation"] = _without_first(source.relation, rows)
    if source.scan is not None:
        changed["scan"] = partial(_scan_below, source.scan, rows)
    return replace(source, **changed)


def with_labels_of(
    source: Of,
    asked: Request,
    first: Sequence[Sequence[object]],
    are_texts: Sequence[bool],
) -> Of:
    """Return the table with the names and labels of its header rows, which are still among its rows.

    Args:
        source, asked: the table, and what is asked of it.
        first: its header rows below the names of the columns, and one row more.
        are_texts: whether the values of each column are texts.
    """
    rows = asked.header_rows - 1
    if len(first) <= rows:
        raise FileFormatError(
            f"the data have no row below their header rows: received {asked.header_rows} header rows, the names among "
            f"them, and {with_noun(len(first), 'row')} of {source.name}; correct the number (`header_rows`)"
        )
    top = [
        [text_of(each.decode(errors="replace") if isinstance(each, bytes) else each) for each in row] for row in first
    ]
    del top[rows:]
    names = tuple(map(str, source.names))
    known = named_by_people(names)
    header = header_of([known, *top], asked.own)
    if header is None:
        require_columns(asked.own, names, is_schema=True, of=asked.of)
        header = Header(0, known)
    names = distinct(text or before for text, before in zip(header.names, names, strict=True))
    place = header.place
    needed = [name for name in names if not asked.own or asked.whole or named_in(name, asked.own) is not None]
    for name in needed:
        at = names.index(name)
        numbers = [row for row, texts in enumerate(top, 1) if texts[at]]
        if numbers and not are_texts[at]:
            raise FileFormatError(
                f"a header row has a value of a respondent: received {asked.header_rows} header rows, and row "
                f"{numbers[0]} of {source.name} has a number or a date in {shown(name)}, a column without texts; "
                "correct the number of header rows (`header_rows`), or leave it out"
            )
    which = "first row" if len(top) == 1 else f"first {len(top)} rows"
    told = f"the {which} of {source.name} "
    told += "is no respondent: it labels" if len(top) == 1 else "are no respondents: they label"
    told += " the columns"
    told += f", and the names stand in row {place}" if place else ""
    told += ", and options stand below their questions" if header.rows > 1 else ""
    labels = {normal(name): {row[at] for row in top} for at, name in enumerate(names)}
    orders = {
        name: tuple(level for level in levels if level not in labels.get(name, ()))
        for name, levels in source.orders.items()
        if not place
    }
    return replace(
        source,
        names=names,
        remarks=(*source.remarks, told),
        titles={**({} if place else source.titles), **labels_of([known, *top], header)},
        orders=orders,
        header_rows=asked.header_rows,
    )


def named_by_people(names: Sequence[str]) -> list[str]:
    """Return the names of columns, without those that pandas gives to columns without a name."""
    return ["" if _UNNAMED.fullmatch(name) else name for name in names]


def below_first(lines: Callable[[Sequence[int]], Sequence[int]] | None, first: int, rows: Sequence[int]) -> list[int]:
    """Return the lines, or the rows of the table, of rows below the first ones."""
    moved = [row + first for row in rows]
    return moved if lines is None else list(lines(moved))


def _scan_below(
    scan: Callable[[DuckDBPyConnection, Sequence[str]], DuckDBPyRelation],
    first: int,
    connection: DuckDBPyConnection,
    paths: Sequence[str],
) -> DuckDBPyRelation:
    """Return the rows of a file below the first ones."""
    return _without_first(scan(connection, paths), first)


def _without_first(relation: DuckDBPyRelation, first: int) -> DuckDBPyRelation:
    """Return the rows of a relation below the first ones, in their order."""
    from duckdb import ColumnExpression, SQLExpression

    columns = [column_of(name).alias(f"c{place}") for place, name in enumerate(relation.columns)]
    numbered = relation.select(*columns, SQLExpression("row_number() OVER ()").alias("place"))
    below = numbered.filter(SQLExpression(f"place > {first:d}"))
    return below.select(*(ColumnExpression(f"c{place}") for place in range(len(columns))))
