"""``count``: the responses that one machine has collected, in lines or in a column of a table.

Equal responses of a table are counted first, by the engine that reads it, and become texts once. If there are very many
different ones, they are read by rows.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import numpy as np

from rropt.core.argument_checks import clear_calls, require_given, require_texts
from rropt.core.errors import FileFormatError, InvalidParameterError, name_of, names_of, required, shown
from rropt.core.normal_form import normal, text_of
from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.subsets import output_sets, set_texts
from rropt_fieldwork.counts.aggregated_counts import (
    AggregatedCounts,
    Collector,
    Progress,
    collector_of,
    counted_lines,
    shard_name,
)
from rropt_fieldwork.counts.lines import pieces_of
from rropt_fieldwork.reading.counting import labelled_by
from rropt_fieldwork.reading.duckdb_connection import rows_of
from rropt_fieldwork.reading.inputs import paths_of
from rropt_fieldwork.reading.reading_options import PLACE
from rropt_fieldwork.reading.sources import Source, reading_errors
from rropt_fieldwork.reading.table import table_of

_MOST_DIFFERENT = 1 << 20  # responses; with more, the rows are read in their order
_ROWS = 1 << 15  # rows in each part
_LINE = re.compile(r"^line (\d+) of the responses")


@clear_calls
def count(
    data: Any,
    mechanism: Mechanism | str,
    *,
    shard: str | None = None,
    column: str | None = None,
    categories: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> AggregatedCounts:
    """Count the responses that one machine has collected.

    Args:
        data: the name of a text file with one response per line (``-`` is standard input), an array of numbers, or a
            matrix of bits of shape (n, k) that are True if the set contains the category. A line contains one of three
            forms: the number of an output (of a block), the categories of a set separated by ampersands, blanks or
            semicolons, or k characters 0 and 1 (a bit vector).
        mechanism: the mechanism that produced the responses, or its text form.
        shard: the identifier of this part, 1 to 64 characters. The default is 16 digits of the SHA-256 hash of the
            data (of a frame, of all its columns), so that ``merge`` notices if the same file is counted twice.
        column: the column of the responses; data are then a table, as for ``estimate_table``. An engine other than
            DuckDB reads no bytes to take the hash of, and needs ``shard``.
        categories: the names that the responses have in place of numbers: those of the categories, if a response is a
            set of them, else those of the outputs, in order. ``None``: those of the mechanism.
        progress: a function called after each part with its size and that of the whole: bytes of a text file, else
            responses.

    Returns:
        Memberships if the responses are sets, otherwise outputs. Files are read in parts of 4 MB.

    Raises:
        FileFormatError: a line is not a response of the mechanism.
        UnsupportedProblemError: the responses are not sets, and there are too many different outputs.

    >>> from rropt.mechanisms.families import AllSubsets, BlockMechanism
    >>> pairs = BlockMechanism(AllSubsets(3, 2), 3)
    >>> counts = count([[True, True, False], [False, True, True]], pairs, shard="a")
    >>> counts.n, counts.counts
    (2, (1, 2, 1))
    >>> named = {"q": ["car&bus", "bus&train"]}
    >>> count(named, pairs, column="q", categories=["car", "bus", "train"], shard="a").counts
    (1, 2, 1)
    """
    require_texts(shard=shard, column=column)
    require_given(shard=shard, column=column, progress=progress, categories=categories)
    made = _named(required_mechanism(mechanism), categories)
    if progress is not None:
        required(progress, Callable, "`progress`", "a function of the size that is read and the whole size")  # type: ignore[arg-type]
    rows = table_of(data)
    if column is None:
        rows.require_only("without `column` the data are lines, and no table")
        return counted_lines(rows.data, made, shard, progress)
    rows.require_only("a column of a table is counted as it is", "engine", "unweighted", *PLACE)
    name = name_of(column, "column")
    work = partial(_counted, name, made, shard, progress)
    # without folders to write to, rows keep their order
    counted_table = partial(rows.found, [name], work, folders=[])
    if shard is None and rows.reading.engine == "duckdb" and not paths_of(rows.data):
        with suppress(FileFormatError):  # a column that is not read is left out of the hash
            return counted_table(whole=True)
    return counted_table()


def _named(mechanism: Mechanism, categories: Sequence[str] | None) -> Mechanism:
    """Return the mechanism with the names of its categories, if its outputs are sets of them, else of its outputs."""
    if categories is None:
        return mechanism
    names = names_of(categories, "categories")
    if not (mechanism.outputs_are_sets() or output_sets(mechanism)):
        size = mechanism.outputs
        if len(names) != size:
            raise InvalidParameterError(
                f"the categories do not fit the mechanism: received {with_noun(len(names), 'name')}; allowed are as "
                f"many as its outputs, {size}"
            )
        return labelled_by(mechanism, names)
    return mechanism.labelled(names, set_texts(mechanism, names) if type(mechanism) is Mechanism else ())


def _counted(
    name: str, mechanism: Mechanism, shard: str | None, progress: Progress | None, source: Source
) -> AggregatedCounts:
    """Return the counts of a column."""
    if not source.is_ordered and shard is None:
        raise InvalidParameterError(
            "the name of the shard is missing: an engine other than DuckDB reads no bytes to take the hash of; "
            "give `shard`"
        )
    collector, digest = collector_of(mechanism), hashlib.sha256()
    if shard is None:
        _digest_table(source, digest)
        digest.update(normal(name).encode())
    counted = source.counted({"x": name}, _MOST_DIFFERENT if source.is_ordered else None)
    if len(counted["n"]) < _MOST_DIFFERENT or not source.is_ordered:
        often = dict[str, int]()
        for value, n in zip(counted["x"].tolist(), counted["n"].tolist(), strict=True):
            text = text_of(value)
            often[text] = often.get(text, 0) + n
        texts = sorted(often)
        numbers = np.array([often[text] for text in texts], np.int64)
        _collect(collector, name, texts, lambda place: _lines_of(source, name, texts[place]), numbers)
        digest.update(repr(sorted(often.items())).encode())
        if progress is not None:
            progress(collector.n, collector.n)
    else:
        with reading_errors(source.name, source):
            whole, first = len(source.relation), 1
            values = rows_of(source.relation.select(source.value(name)[0]))
            while texts := [text_of(value) for (value,) in itertools.islice(values, _ROWS)]:
                _collect(collector, name, texts, partial(_row_of, source, first))
                digest.update("\n".join(texts).encode())
                first += len(texts)
                if progress is not None:
                    progress(len(texts), whole)
    return collector.counts_with(mechanism, shard_name(shard, digest))


def _digest_table(source: Source, digest: Any) -> None:
    """Take the hash of the files of a table, or of all columns of a frame: the responses of two tables may be equal."""
    with reading_errors(source.name, source):
        for piece in itertools.chain.from_iterable(map(pieces_of, source.files)):
            digest.update(piece)
        for values in () if source.files else rows_of(source.relation):
            digest.update(f"{values}\n".encode())


def _lines_of(source: Source, name: str, text: str) -> str:
    """Return where a response stands first in a table."""
    if not source.is_ordered:
        return "one"
    return source.where(source.rows_where(name, lambda value: text_of(value) == text)[:1])


def _row_of(source: Source, first: int, place: int) -> str:
    """Return where a row stands, by its place below the first of a part."""
    return source.where([first + place])


def _collect(collector: Collector, name: str, texts: list[str], where: Callable[[int], str], often: Any = None) -> None:
    """Count the responses of some texts.

    Args:
        collector: counts them.
        name: the column, for messages.
        texts: the responses.
        where: returns where the response of a place stands, for messages.
        often: how often each occurs; ``None``: once.

    Raises:
        FileFormatError: a text is no response; the message has its lines.
    """
    block = "".join(f"{text}\n" for text in texts).encode()
    if not any("\n" in text for text in texts):
        with _lines_named(where):
            found = collector.of_lines(block, 1)
        if len(found) == len(texts):
            collector.add(found, often)
            return
    for place, text in enumerate(texts):
        if "\n" in text or not len(collector.of_lines(f"{text}\n".encode(), 1)):
            wrong = "several lines" if "\n" in text else "none"
            raise FileFormatError(
                f"{where(place)} of the data is no response: received {wrong} in {shown(name)}; leave rows without a "
                "response out"
            )


@contextmanager
def _lines_named(where: Callable[[int], str]) -> Iterator[None]:
    """Name the lines of the table in an error about one of some responses."""
    try:
        yield
    except FileFormatError as error:
        found = _LINE.match(told := str(error))
        if found is None:
            raise
        place = where(int(found[1]) - 1)
        raise FileFormatError(f"{place} of the responses{told[found.end() :]}") from None
