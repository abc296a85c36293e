"""Several rows above the data: titles, names, wordings, and what form tools add, such as Qualtrics' ImportId.

The names stand in the first of these rows that has all requested names; the other rows below it label the columns.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact.numbers import plain_integer
from rropt.core.normal_form import BLANKS, normal
from rropt_fieldwork.reading.files_in_memory import CHUNK, file_in_memory
from rropt_fieldwork.reading.layouts import unlimited_field_length
from rropt_fieldwork.reading.sources import distinct, require_columns

MOST_HEADER_ROWS = 100
LOOKED_AT = 200  # rows in which the names of columns are looked for
_SEPARATORS = ",;\t|"
_IMPORT_ID = re.compile(r'\s*\{\s*"ImportId"')
_LABEL = 400  # characters of a label

Records = Sequence[Sequence[str]]


def checked_header_rows(given: object) -> int:
    """Return the number of header rows.

    Raises:
        InvalidParameterError: it is no whole number from 1.
    """
    rows = plain_integer(int(given)) if isinstance(given, str) and given.isascii() and given.isdigit() else given
    if not isinstance(rows, int) or isinstance(rows, bool) or not 1 <= rows <= MOST_HEADER_ROWS:
        raise InvalidParameterError(
            f"`header_rows` is no number of rows: received {shown(given)}; allowed is a whole number from 1 to "
            f"{MOST_HEADER_ROWS}, of all rows above the first respondent"
        )
    return rows


class Header(NamedTuple):
    """The names of the columns among several header rows.

    Attributes:
        place: the row of the names, from 0; of names that two rows give, the first.
        names: the names.
        rows: how many rows give them: two where a question stands above its options.
    """

    place: int
    names: list[str]
    rows: int = 1


def header_of(records: Records, names: Sequence[str]) -> Header | None:
    """Return the first header that has each of some names once; ``None`` without one.

    Without names it is the first of those with the most different values.

    Args:
        records: the header rows.
        names: the requested columns.

    Raises:
        InvalidParameterError: only a question above several options has one of the names.
    """
    found, spread = list[Header](), dict[str, int]()
    for place, row in enumerate(records):
        below = records[place + 1] if place + 1 < len(records) else ()
        if sum(map(bool, row)) > 1:  # no title; a workbook may leave out empty cells at the end
            row = [*row, *[""] * (len(below) - len(row))]
        blocks = _blocks(row, below)
        own = list(map(_plain, row))
        texts = [text for text in map(_plain, below) if text]
        if not blocks or (not names and len(texts) == len(set(texts)) == len(row)):
            found.append(Header(place, own[: len(records[place])]))  # without the cells that only the row below has
            continue
        spread |= {normal(own[block[0]]): len(block) for block in blocks}
        found.append(Header(place, _joined(own, list(map(_plain, below)), blocks), 2))
    if not names:
        return max(found, key=lambda each: len({*map(normal, each.names)} - {""}), default=None)
    asked_for = {normal(name): name for name in names}
    wanted = list(map(normal, names))
    for each in found:
        forms = list(map(normal, distinct(each.names)))
        if all(forms.count(name) == 1 for name in wanted):
            return each
    for each in found:
        listed = distinct(each.names)
        several = [name for name in names if any(form.startswith(f"{normal(name)}#") for form in map(normal, listed))]
        require_columns(several if each.rows > 1 else (), listed)
    for name in wanted:
        if name in spread:
            raise InvalidParameterError(
                f"a question stands above several columns, one for each option: received {shown(name)} and "
                f"{spread[name]} options; name one of the columns by both, as in {shown(f'{asked_for[name]}: OPTION')}"
            )
    return None


def _blocks(row: Sequence[str], below: Sequence[str]) -> list[list[int]]:
    """Return the places of the columns of each question that stands above several options: in the first, or in all."""
    blocks: list[list[int]] = []
    last: list[int] = []
    for at, cell in enumerate(map(_plain, row)):
        option = _plain(below[at]) if at < len(below) else ""
        if last and option and cell in ("", _plain(row[last[0]])):
            last.append(at)
            continue
        blocks += [last] if len(last) > 1 else []
        last = [at] if cell and option else []
    return [*blocks, last] if len(last) > 1 else blocks


def _joined(names: Sequence[str], options: Sequence[str], blocks: Sequence[Sequence[int]]) -> list[str]:
    """Return the names of columns; those of options below a question with the question before them."""
    questions = {at: names[block[0]] for block in blocks for at in block}
    return [f"{questions[at]}: {options[at]}" if at in questions else name for at, name in enumerate(names)]


def labels_of(records: Records, header: Header) -> dict[str, str]:
    """Return the label of each column from the rows below its name, without those that a form tool reads itself."""
    below = [row for row in records[header.place + header.rows :] if not any(map(_IMPORT_ID.match, row))]
    found = {}
    for at, name in enumerate(distinct(header.names)):
        texts = [" ".join(row[at].split()) for row in below if at < len(row) and row[at].strip()]
        if name and texts:
            found[normal(name)] = " / ".join(dict.fromkeys(texts))[:_LABEL]
    return found


def remark_on(rows: int, header: Header) -> str:
    """Return the remark on the header rows that were read."""
    place = header.place + 1
    where = f"row {place}" if header.rows == 1 else f"rows {place} and {place + 1}, questions above their options"
    return f"the first {rows} rows are no respondents: the names stand in {where}"


def with_one_header(
    path: str, names: Sequence[str], rows: int, name: str, stack: ExitStack, separator: str = ""
) -> tuple[str, dict[str, str], str]:
    """Return the path of a text with one header row, at the same lines, the labels of its columns, and a remark.

    Args:
        path, name: a text in UTF-8, and its name in messages.
        names: the requested columns.
        rows: the number of header rows.
        stack: closes the text in memory.
        separator: the separator of the columns, if it is stated beside the file.

    Raises:
        InvalidParameterError: no header row has the names.
    """
    stated = stated_separator(path)
    best: tuple[int, str, Header, Records, int] | None = None
    for one in separator or stated or _SEPARATORS:
        with Path(path).open(encoding="utf-8-sig", newline=None) as text, unlimited_field_length():
            reader = csv.reader(islice(text, 1 if stated else 0, None), delimiter=one, strict=True)
            try:
                records = list(islice(reader, rows))
            except csv.Error:
                continue
            found = header_of(records, names)
            if found is not None and len(records) == rows and (best is None or len(found.names) > best[0]):
                best = len(found.names), one, found, records, reader.line_num + bool(stated)
    if best is None:
        require_names_above(first_records(path), names, rows, name)
        with Path(path).open(encoding="utf-8-sig", newline=None) as text:
            require_columns(names, [cell for row in csv.reader(islice(text, rows)) for cell in row])
        raise InvalidParameterError(
            f"no header row has all names: received {shown(', '.join(names))} and {rows} header rows of {name}; check "
            "the names, and the number of rows above the first respondent"
        )
    _, met, own, top, lines = best
    header = io.StringIO()
    csv.writer(header, delimiter=met, lineterminator="\n").writerow(own.names)
    above = f"sep={stated}\n" if stated else ""
    blank = "\n" * (lines - bool(stated) - header.getvalue().count("\n"))  # so that lines keep their numbers

    def chunks() -> Iterable[bytes]:
        yield f"{above}{blank}{header.getvalue()}".encode()
        with Path(path).open(encoding="utf-8-sig", newline=None) as text:
            for _ in islice(text, lines):
                pass
            while chunk := text.read(CHUNK):
                yield chunk.encode()

    made = file_in_memory(chunks(), stack, name=name)
    return made, labels_of(top, own), remark_on(rows, own)


def stated_separator(path: str) -> str:
    """Return the separator that the first line of a text states for Excel; "" without one."""
    with Path(path).open(encoding="utf-8-sig", errors="replace", newline=None) as text:
        stated = re.fullmatch(r'"?sep=(.)"?\n?', text.readline(_LABEL))
    return stated[1] if stated else ""


def require_names_above(records: Records, names: Sequence[str], rows: int, name: str) -> None:
    """Raise an error if the requested names stand below the header rows.

    Args:
        records: the first rows of a table.
        names: the requested columns.
        rows: the number of header rows.
        name: the name of the table in messages.

    Raises:
        InvalidParameterError: the names stand below; the message has the number of rows down to the names.
    """
    found = None
    with suppress(InvalidParameterError):  # perhaps the second row is a respondent
        found = header_of(records, names) if names else None
    own = [] if found is None else [normal(_plain(cell)) for cell in records[found.place]]
    is_there = found is not None and found.place < rows and all(own.count(normal(name)) == 1 for name in names)
    if found is not None and not is_there and found.place + found.rows > rows:
        place = found.place
        where = f"row {place + 1}" if found.rows == 1 else f"rows {place + 1} and {place + 2}"
        raise InvalidParameterError(
            f"the names of columns stand below the first {'row' if rows == 1 else f'{rows} rows'}: received "
            f"{shown(', '.join(names))}, and {where} of {name} {'has' if found.rows == 1 else 'have'} "
            f"{'this name' if len(names) == 1 else 'these names'}; count the rows above the first respondent, "
            f"titles, names and wordings (`header_rows={place + found.rows}`, or more with wordings)"
        )


def first_records(path: str) -> Records:
    """Return the first rows of a text in UTF-8, by its stated separator or the one that gives the most values.

    Blank lines are rows, since they are counted as rows above the first respondent.
    """
    found: list[list[list[str]]] = [[]]
    stated = stated_separator(path)
    for separator in stated or _SEPARATORS:
        with (
            suppress(csv.Error, UnicodeDecodeError),
            unlimited_field_length(),
            Path(path).open(encoding="utf-8-sig", newline="") as text,
        ):
            below = islice(text, 1 if stated else 0, None)
            found.append(list(islice(csv.reader(below, delimiter=separator), LOOKED_AT)))
    return max(found, key=lambda rows: sum(map(len, rows)))


def _plain(cell: str) -> str:
    return cell.strip(BLANKS)
