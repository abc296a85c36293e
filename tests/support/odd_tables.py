"""Text tables of known content, as survey, office and statistics programs write them, and as they are damaged.

The writers share no code with the reader, nor with Python's ``csv``. A file has its rows with it: a program that reads
it must find these values in these columns, or refuse the file.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

ANSWERS = ("no", "yes")
WORDINGS = (
    "When, roughly?",
    "Where do you live; work, or study?",
    "Is it true?\nPlease spin first.",
    "Age (years)\r\nat the last birthday",
    'The "A" statement',
    "Don't know | refused",
    "'Quoted' question",
    "[1] First",
    "plain",
    '<b>Bold</b>, "really"; isn\'t it?',
    "Größe",
    "Tab\there",
)
TEXTS = (
    "fine, thank you",
    "fine",
    "a;b",
    "a|b",
    'he said "no"',
    "it's 5 o'clock",
    "'tis",
    "'twas, they said'",
    '5" pipe',
    "two\nlines",
    "two\r\nlines",
    "tab\there",
    "",
    "",
    "NA",
    "ünï",
    "x" * 40,
    '"',
    "'",
    'O\'Neil, "Tip"',
    "1,5",
    "#1",
    " padded ",
    "back\\slash",
)
PLAIN = ("fine", "bad", "", "", "good", "x1", "so so")


@dataclass(frozen=True)
class OddTable:
    """A file, and what is in it.

    Attributes:
        shape: the name of the writer.
        data: the bytes of the file.
        names: the names of the columns.
        rows: the values of the rows.
        is_damaged: whether the content may not be what the file says; it may then be refused, or read as it says.
    """

    shape: str
    data: bytes
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_damaged: bool = False

    def column(self, name: str) -> list[str]:
        place = self.names.index(name)
        return [row[place].strip() for row in self.rows]


def _needs_mark(cell: str, separator: str, mark: str) -> bool:
    return cell != cell.strip() or any(sign in cell for sign in (separator, mark, "\n", "\r"))


def written(
    rows: Sequence[Sequence[str]],
    separator: str = ",",
    mark: str = '"',
    end: str = "\n",
    quoted: str = "needed",
    rng: random.Random | None = None,
) -> str:
    """Return rows as text; values have marks if ``needed``, ``always``, if ``filled``, or ``some``."""
    lines = []
    for row in rows:
        cells = []
        for cell in row:
            is_marked = _needs_mark(cell, separator, mark) or quoted == "always" or (quoted == "filled" and cell != "")
            is_marked = is_marked or (quoted == "some" and rng is not None and rng.random() < 0.3)
            cells.append(mark + cell.replace(mark, mark * 2) + mark if is_marked else cell)
        lines.append(separator.join(cells))
    return "".join(line + end for line in lines)


def _content(rng: random.Random, texts: Sequence[str], *, least: int = 24) -> tuple[list[str], list[list[str]]]:
    """Return names and rows: two questions, a region, an identifier and some columns of texts, in a random order."""
    extra = [rng.choice(WORDINGS) for _ in range(rng.randrange(3))] if texts is not PLAIN else ["other"]
    names = list(dict.fromkeys(["q1", "q2", "region", "note", *extra]))
    rng.shuffle(names)
    rows = []
    for _ in range(rng.randint(least, 60)):
        own = {name: rng.choice(texts) for name in names}
        own |= {"q1": rng.choice(ANSWERS), "q2": rng.choice(ANSWERS), "region": rng.choice(("north", "south", "a, b"))}
        if texts is PLAIN:
            own["region"] = rng.choice(("north", "south"))
        rows.append([own[name] for name in names])
    return names, rows


Made = tuple[str | bytes, list[str], list[list[str]], bool]


def _any_dialect(rng: random.Random) -> Made:
    names, rows = _content(rng, TEXTS)
    quoted = rng.choice(["needed", "always", "filled", "some"])
    text = written([names, *rows], rng.choice(",;\t|"), rng.choice('""\''), rng.choice(["\n", "\r\n"]), quoted, rng)
    return text, names, rows, False


def _r_write_table(rng: random.Random) -> Made:
    """``write.table(d, sep=",", na="")``: row names in front, and a header that is one cell short."""
    names, rows = _content(rng, PLAIN if rng.random() < 0.7 else TEXTS[:8])
    separator = rng.choice(",;\t")
    if rng.random() < 0.5:  # the last column is mostly empty, or always
        rows = [[*row[:-1], "" if names[-1] not in ("q1", "q2", "region") else row[-1]] for row in rows]
    quoted = rng.choice(["filled", "filled", "needed"])
    head = written([names], separator, quoted=quoted)
    below = written([[str(i + 1), *row] for i, row in enumerate(rows)], separator, quoted=quoted)
    return head + below, names, rows, True


def _r_write_csv(rng: random.Random) -> Made:
    names, rows = _content(rng, TEXTS)
    separator = rng.choice(",;")
    named = ["", *names] if rng.random() < 0.5 else names
    listed = [[str(i + 1), *row] for i, row in enumerate(rows)] if len(named) > len(names) else rows
    return written([named, *listed], separator, quoted="filled"), named, listed, False


def _excel(rng: random.Random) -> Made:
    """Semicolons or commas, CRLF, a byte order mark, lone line feeds inside of cells, or "Unicode text" in UTF-16."""
    names, rows = _content(rng, [text.replace("\r\n", "\n") for text in TEXTS])
    names = [name.replace("\r\n", "\n") for name in names]
    kind = rng.randrange(4)
    text = written([names, *rows], ",;;\t"[kind], end="\r\n")
    if kind == 3:
        return text.encode("utf-16"), names, rows, False
    stated = "sep=;\r\n" if kind == 2 and rng.random() < 0.5 else ""
    return (stated + text).encode(rng.choice(["utf-8-sig", "utf-8"])), names, rows, False


def _excel_without_ends(rng: random.Random) -> Made:
    """Excel leaves separators out at the end of rows, from the seventeenth row on."""
    names, rows = _content(rng, PLAIN, least=30)
    lines = [names, *(row if i < 16 else _stripped(row) for i, row in enumerate(rows))]
    return written(lines, rng.choice(",;"), end="\r\n"), names, rows, True


def _stripped(row: list[str]) -> list[str]:
    return row[:-1] if not row[-1] else row


def _limesurvey(rng: random.Random) -> Made:
    """The full text of the questions as names, and all values in quotation marks."""
    names, rows = _content(rng, TEXTS)
    names = [
        f"{name}. {rng.choice(WORDINGS)}" if name not in ("q1", "q2", "region", "note") else name for name in names
    ]
    text = written([names, *rows], rng.choice(",;"), quoted="always", end=rng.choice(["\n", "\r\n"]))
    return text.encode(rng.choice(["utf-8", "utf-8-sig"])), names, rows, False


def _form(rng: random.Random) -> Made:
    """Google Forms: a wording with commas in front of plain names, and cells in quotation marks where needed."""
    names, rows = _content(rng, [text for text in TEXTS if "," in text or text in PLAIN])
    names = [rng.choice(WORDINGS[:3]), *names]
    if len(set(names)) < len(names):
        names[0] += "!"
    rows = [[rng.choice(("Monday", "Tuesday, late")), *row] for row in rows]
    return written([names, *rows], quoted=rng.choice(["needed", "needed", "some"]), rng=rng), names, rows, False


def _header_with_breaks(rng: random.Random) -> Made:
    """Line ends inside of names, in each mixture with those of the rows and with a byte order mark."""
    names, rows = _content(rng, TEXTS)
    names = [*names, "first" + rng.choice(["\n", "\r\n", "\r"]) + "second"]
    rows = [[*row, rng.choice(TEXTS)] for row in rows]
    order = rng.randrange(len(names))
    names, rows = names[order:] + names[:order], [row[order:] + row[:order] for row in rows]
    text = written([names, *rows], rng.choice(",;\t"), end=rng.choice(["\n", "\r\n"]))
    return text.encode(rng.choice(["utf-8", "utf-8-sig"])), names, rows, False


def _encoded(rng: random.Random) -> Made:
    names, rows = _content(rng, TEXTS)
    end = rng.choice(["\n", "\r\n", "\r"])
    if end == "\r":
        rows = [[re.sub("[\r\n]+", " ", cell) for cell in row] for row in rows]
        names = [re.sub("[\r\n]+", " ", name) for name in names]
    text = written([names, *rows], rng.choice(",;\t|"), end=end)
    encoding = rng.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "utf-8-sig"])
    return text.encode(encoding), names, rows, False


def _blank_lines(rng: random.Random) -> Made:
    names, rows = _content(rng, TEXTS)
    end = rng.choice(["\n", "\r\n"])
    separator = rng.choice(",;\t")
    lines = [written([row], separator, end=end) for row in (names, *rows)]
    for _ in range(rng.randint(1, 4)):
        lines.insert(rng.randrange(len(lines) + 1), end)
    return "".join(lines), names, rows, False


def _sep_line(rng: random.Random) -> Made:
    names, rows = _content(rng, TEXTS)
    separator, end = rng.choice(",;|\t:"), rng.choice(["\n", "\r\n"])
    first = rng.choice([f"sep={separator}", f'"sep={separator}"'])
    return first + end + written([names, *rows], separator, end=end), names, rows, False


def _single_column(rng: random.Random) -> Made:
    rows = [[rng.choice(ANSWERS)] for _ in range(rng.randint(24, 60))]
    name = rng.choice(["q1", "q1", '"q1"', " q1 "])
    text = name + "\n" + written(rows, quoted=rng.choice(["needed", "always", "some"]), rng=rng)
    return text, ["q1"], rows, False


def _bracket_header(rng: random.Random) -> Made:
    names, rows = _content(rng, TEXTS)
    first = rng.choice(["[1]", "[a", "[", "[]", "{x}", "[1, 2]", '["a"]', "{", "[x] y"])
    names, rows = [first, *names], [["1", *row] for row in rows]
    return written([names, *rows], "\t" if rng.random() < 0.7 else ","), names, rows, False


def _surplus_in_some_rows(rng: random.Random) -> Made:
    """Surplus separators at the end of some rows, or of all: the row has one value more than the header."""
    names, rows = _content(rng, PLAIN if rng.random() < 0.7 else TEXTS)
    separator, end = rng.choice(",;\t"), rng.choice(["\n", "\r\n"])
    share = rng.choice([0.05, 0.3, 1.0])
    surplus = rng.choice([separator, separator + '""', separator * 2, separator + " "])
    lines = [written([row], separator, end="") for row in rows]
    lines = [line + surplus if rng.random() < share else line for line in lines]
    return written([names], separator, end=end) + end.join(lines) + end, names, rows, True


def _unquoted_separator(rng: random.Random) -> Made:
    """A value that holds the separator without quotation marks: its row is shifted, with an empty last value."""
    names, rows = _content(rng, PLAIN)
    separator = rng.choice(",;")
    rows = [[*row[:-1], "" if names[-1] not in ("q1", "q2", "region") else row[-1]] for row in rows]
    lines = [separator.join(row) for row in (names, *rows)]
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(1, len(lines))
        cells = lines[at].split(separator)
        cells[0] = f"fine{separator} thanks"
        lines[at] = separator.join(cells)
    return "\n".join(lines) + "\n", names, rows, True


def _backslashes(rng: random.Random) -> Made:
    names, rows = _content(rng, TEXTS)
    lines = [",".join('"' + cell.replace('"', '\\"') + '"' for cell in row) for row in (names, *rows)]
    return "\n".join(lines) + "\n", names, rows, True


def _comments(rng: random.Random) -> Made:
    names, rows = _content(rng, TEXTS)
    above = rng.choice(["# made by a program\n", "# a, b, c\n", "Survey of 2026;;;\n", "Table 1\n\n"])
    return above + written([names, *rows], rng.choice(",;")), names, rows, True


def _more_header_rows(rng: random.Random) -> Made:
    names, rows = _content(rng, TEXTS)
    second = [rng.choice(WORDINGS) for _ in names]
    return written([names, second, *rows], quoted="some", rng=rng).encode("utf-8-sig"), names, rows, True


def _two_marks(rng: random.Random) -> Made:
    """Names in one quotation mark, values in the other, or apostrophes at the ends of values."""
    names, rows = _content(rng, TEXTS)
    separator = rng.choice(",;\t")
    head = written([names], separator, rng.choice("\"'"), quoted="always")
    return head + written(rows, separator, rng.choice("\"'"), quoted="some", rng=rng), names, rows, True


def _separator_in_names(rng: random.Random) -> Made:
    """Names without quotation marks that hold another separator."""
    names, rows = _content(rng, PLAIN)
    names = [name if name in ("q1", "q2", "region", "note") else f"{name}; or so|now" for name in names]
    rows = [[cell if cell in ("yes", "no", "north", "south") else cell + ";|" for cell in row] for row in rows]
    return written([names, *rows], ","), names, rows, False


def _mixed_line_ends(rng: random.Random) -> Made:
    names, rows = _content(rng, TEXTS)
    separator = rng.choice(",;\t")
    text = "".join(written([row], separator, end=rng.choice(["\n", "\r\n"])) for row in (names, *rows))
    return text, names, rows, False


def _cut(rng: random.Random) -> Made:
    text, names, rows, _ = _any_dialect(rng)
    assert isinstance(text, str)
    return text[: rng.randrange(len(text) // 2, len(text))], names, rows, True


def _changed(rng: random.Random) -> Made:
    """A mark, a separator or a line end is taken out or put in at random."""
    text, names, rows, _ = _any_dialect(rng)
    assert isinstance(text, str)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text))
        if rng.random() < 0.5:
            text = text[:at] + rng.choice("\"',;\n\r\t") + text[at:]
        else:
            places = [place for place, sign in enumerate(text) if sign in "\"',;\n\t"]
            at = rng.choice(places)
            text = text[:at] + text[at + 1 :]
    return text, names, rows, True


def _ragged(rng: random.Random) -> Made:
    names, rows = _content(rng, PLAIN)
    separator = rng.choice(",;")
    lines = [written([row], separator) for row in (names, *rows)]
    at = rng.randrange(1, len(lines))
    lines[at] = (
        rng.choice([separator.join(["yes"] * (len(names) - 1)), separator.join(["no"] * (len(names) + 1))]) + "\n"
    )
    return "".join(lines), names, rows, True


SHAPES: tuple[Callable[[random.Random], Made], ...] = (
    _any_dialect,
    _any_dialect,
    _r_write_table,
    _r_write_csv,
    _excel,
    _excel_without_ends,
    _limesurvey,
    _form,
    _header_with_breaks,
    _encoded,
    _blank_lines,
    _sep_line,
    _single_column,
    _bracket_header,
    _surplus_in_some_rows,
    _unquoted_separator,
    _backslashes,
    _comments,
    _more_header_rows,
    _two_marks,
    _separator_in_names,
    _mixed_line_ends,
    _cut,
    _changed,
    _ragged,
)


def odd_table(seed: int) -> OddTable:
    """Return the table of a seed; consecutive seeds have consecutive shapes."""
    make = SHAPES[seed % len(SHAPES)]
    made, names, rows, is_damaged = make(random.Random(seed))
    data = made.encode() if isinstance(made, str) else made
    return OddTable(make.__name__[1:], data, tuple(names), tuple(map(tuple, rows)), is_damaged)
