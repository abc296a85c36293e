"""A text table that can be read in two ways: the columns that are meant, or an error that names both ways.

The oracles are the rows from which a file was written (``odd_tables``), and of damaged files what Python's ``csv``
reads.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from few_rows import few_rows
from later import later
from odd_tables import OddTable, odd_table, written

import rropt_fieldwork
from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt_fieldwork.reading import layouts
from rropt_fieldwork.reading.layouts import layout_of

pd = later("pandas")

Cli = Callable[..., tuple[int, str, str]]

COIN = ("--categories", "no,yes", "--mechanism", "warner:3/4")
CASE = '"When, roughly?",region,sick,code,harmless,comment\n' + "".join(
    f'Monday,{("north", "south")[i % 2]},{("no", "yes")[i % 3 == 0]},{i % 2},{("no", "yes")[i % 4 > 0]},"so, so"\n'
    for i in range(60)
)
SICK = [40, 20]


def counts(cli: Cli, *argv: str) -> list[int]:
    status, out, err = cli("estimate", *argv, *COIN, "--json")
    assert status == 0, err
    found: list[int] = json.loads(out)["counts"]
    return found


def refusal(cli: Cli, *argv: str) -> str:
    status, out, err = cli(*argv, *COIN)
    assert (status, out, err.count("\n")) == (2, "", 1), err
    return err


def as_written(table: OddTable, column: str) -> list[list[int]]:
    """Return the counts that a program may find: those of the content; of a damaged file, those that ``csv`` finds."""
    told = Counter(table.column(column))
    found = [[told["no"], told["yes"]]]
    if not table.is_damaged:
        return found
    text = table.data.decode("utf-8-sig", "replace")
    for separator in ",;\t|":
        for mark in "\"'":
            lines = io.StringIO(text, newline="")
            try:
                rows = [row for row in csv.reader(lines, delimiter=separator, quotechar=mark, strict=True) if row]
            except csv.Error:
                continue
            if [cell.strip() for cell in rows[0]].count(column) == 1 and len({*map(len, rows)}) == 1:
                own = Counter(row[[cell.strip() for cell in rows[0]].index(column)].strip() for row in rows[1:])
                found.append([own["no"], own["yes"]])
    return found


def test_the_layouts_of_odd_tables(tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """The reading of each undamaged table in UTF-8 has its columns; of none another column is read."""
    path, points, read = tmp_path / "a.csv", size(75, 5000), 0
    for seed in range(points):
        table = odd_table(seed)
        path.write_bytes(table.data)
        try:
            if "\0" in table.data.decode():  # UTF-16
                continue
            found = layout_of(str(path), "a.csv", ["q1"], 1)
        except UnicodeDecodeError:
            continue
        except (FileFormatError, InvalidParameterError):  # the second: no column of the reading has the name
            assert table.is_damaged, (seed, table.shape)
            continue
        own = [row[found.names.index("q1")].strip() for row in found.rows]
        told = Counter(own)
        if table.is_damaged and table.shape != "more_header_rows":  # its texts are no answers
            assert [told["no"], told["yes"]] in as_written(table, "q1"), (seed, table.shape)
        elif not table.is_damaged:
            assert own == table.column("q1"), (seed, table.shape)
        read += 1
    assert read > points // 3


@pytest.mark.slow
def test_the_counts_of_odd_tables(cli: Cli, tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """The right counts, or one line; and the true answers stand in no column of the output of ``randomize``.

    At least 24 rows are drawn with probability 3/4: that all are true by chance has probability below 0.1 % in a table,
    and such a table is left out by its seed, since draws of --simulate depend on nothing else.
    """
    path, output, points = tmp_path / "a.csv", tmp_path / "b.csv", size(50, 400)
    outcomes: Counter[str] = Counter()
    for seed in range(points):
        table = odd_table(seed)
        path.write_bytes(table.data)
        status, out, err = cli("estimate", str(path), "--column", "q1", *COIN, "--json")
        assert status in (0, 2), (seed, err)
        assert status == 0 or (table.is_damaged and err.count("\n") == 1), (seed, table.shape, err)
        if status == 0:
            assert json.loads(out)["counts"] in as_written(table, "q1"), (seed, table.shape)
        given = ("--column", "q1", *COIN, "--keep", "*", "--simulate", "--seed", "1", "--output", str(output))
        made, _, err = cli("randomize", str(path), *given)
        assert made == status, (seed, table.shape, err)
        if made == 0:
            with output.open(newline="", encoding="utf-8") as stream:
                header, *rows = csv.reader(stream)
            for place, name in enumerate(header):
                assert [row[place].strip() for row in rows] != table.column("q1"), (seed, table.shape, name)
            output.unlink()
        assert not output.exists()
        outcomes[str(status)] += 1
    assert min(outcomes.values()) > points // 4


@pytest.mark.slow
def test_tables_that_pandas_reads(cli: Cli, tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """What pandas writes in each of its dialects is read as pandas reads it."""
    path, points = tmp_path / "a.csv", size(12, 300)
    for seed in range(points):
        table = odd_table(25 * seed)
        frame = pd.DataFrame(list(table.rows), columns=table.names)
        options = {"sep": ",;\t|"[seed % 4], "quoting": seed // 4 % 3, "lineterminator": ("\n", "\r\n")[seed % 2]}
        frame.to_csv(path, index=bool(seed % 3), encoding=("utf-8", "utf-8-sig", "utf-16")[seed // 2 % 3], **options)
        told = frame["q1"].value_counts()
        assert counts(cli, str(path), "--column", "q1") == [told.get("no", 0), told.get("yes", 0)], seed


@few_rows(1)
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@few_rows(1)
@pytest.mark.parametrize("mark", ['"', "'"])
def test_a_header_cell_holds_the_separator(cli: Cli, tmp_path: Path, separator: str, mark: str) -> None:
    """The cells of the header decide nothing alone: the rows below have as many values as the true header."""
    names = [f"When{separator} roughly?", "region", "sick", "harmless", f"x{separator} 'y' \"z\""]
    rows = [["Monday", "north", ("no", "yes")[i % 3 == 0], ("no", "yes")[i % 4 > 0], "t"] for i in range(60)]
    path = tmp_path / "a.csv"
    for encoding in ("utf-8", "utf-16"):
        path.write_bytes(written([names, *rows], separator, mark).encode(encoding))
        assert counts(cli, str(path), "--column", "sick") == SICK
    assert counts(cli, str(path), "--column", "harmless") == [15, 45]


@pytest.mark.slow
def test_every_command_reads_the_same_columns(cli: Cli, tmp_path: Path) -> None:
    """Each command, with a table that has other names in the same order: the results are equal."""
    odd, plain = tmp_path / "odd.csv", tmp_path / "plain.csv"
    odd.write_text(CASE)
    plain.write_text(CASE.replace('"When, roughly?"', "when").replace("so, so", "fine"))
    calls = [
        ("estimate", "{}", "--column", "sick", *COIN, "--by", "region"),
        ("regress", "{}", "--formula", "sick ~ C(region)", *COIN),
        ("noncompliance", "{}", "--column", "sick", *COIN, "--theta", "1/10"),
        ("count", "{}", "--column", "code", "--mechanism", "warner:3/4", "--shard", "a"),
        ("randomize", "{}", "--column", "sick", *COIN, "--keep", "region", "--simulate", "--seed", "1"),
    ]
    for call in calls:
        first, second = (
            [line for line in cli(*(part.format(path) for part in call))[1].splitlines() if path.name not in line]
            for path in (odd, plain)
        )
        assert first == second
        assert first
    found = rropt_fieldwork.init_survey(odd)
    seen = [(one.column, one.different, one.values) for one in found.columns if one.column in ("sick", "harmless")]
    assert (seen, found.rows) == ([("sick", 2, "no, yes"), ("harmless", 2, "no, yes")], 60)


@pytest.mark.slow
def test_rows_with_surplus_empty_values(cli: Cli, tmp_path: Path) -> None:
    """R writes row names below a header that is one cell short; DuckDB leaves the last empty value out."""
    path = tmp_path / "a.csv"
    for text in (
        '"q1","q2","note"\n' + "".join(f'"{i}","yes","no",\n' for i in range(1, 9)),
        "note,q2,q1\nfine,yes,no\nfine, thanks,yes,\nfine,no,yes\n",
        'q1;q2\nyes;no;""\nno;no\n',
        "q1\tq2\nyes\tno\t\t\nno\tno\t\t\n",
    ):
        path.write_text(text)
        for column in ("q1", "q2"):
            for argv in (("estimate",), ("randomize", "--output", str(tmp_path / "b.csv"))):
                err = refusal(cli, argv[0], str(path), "--column", column, *argv[1:])
                assert "values, and" in err
                assert "are expected" in err
    assert [each.name for each in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.slow
def test_surplus_values_behind_the_sample(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The layout comes from the beginning of a file; rows behind it are checked too, and pieces are no rows."""
    monkeypatch.setattr(layouts, "SAMPLE", 1000)
    path = tmp_path / "a.csv"
    rows = [f'{("no", "yes")[i % 2]},"a, b",' for i in range(500)]
    text = "q1,note,more\n" + "\n".join(rows) + "\n"
    for end in ("\n", "\r\n"):
        path.write_bytes(text.replace("\n", end).encode())
        assert counts(cli, str(path), "--column", "q1") == [250, 250]
        for surplus in (",", ',""', ", "):
            odd = text.replace("\nyes,", "\nno,", 1) + f"yes,x,y{surplus}\nno,x,y\n"
            path.write_bytes(odd.replace("\n", end).encode())
            assert "line 502 of the data has 4 values, and 3 are expected" in refusal(
                cli, "estimate", str(path), "--column", "q1"
            )
    path.write_text("q1,note\n" + "no,x\n" * 400 + 'yes,"' + "long, text\n" * 300 + '"\n')
    assert counts(cli, str(path), "--column", "q1") == [400, 1]  # the sample ends inside of quotation marks


@few_rows(1)
@pytest.mark.parametrize("rows", ["\n", "\r\n"])
@few_rows(1)
@pytest.mark.parametrize("inside", ["\n", "\r\n", "\r"])
@few_rows(1)
@pytest.mark.parametrize("begin", [b"", b"\xef\xbb\xbf"])
def test_line_ends_in_the_header(cli: Cli, tmp_path: Path, rows: str, inside: str, begin: bytes) -> None:
    """DuckDB reads no rows, or cuts the header; of two files it would use one."""
    one, two = tmp_path / "a.csv", tmp_path / "b.csv"
    for names in (["wording|of it", "q1"], ["q1", "wording|of it"]):
        table = [names, *([("no" if name == "q1" else "x") for name in names] for _ in range(3))]
        text = written(table, end=rows, quoted="always").replace("|", inside)
        one.write_bytes(begin + text.encode())
        two.write_text(written(table, quoted="always").replace("|", "\n"))
        assert counts(cli, str(one), "--column", "q1") == [3, 0]
        if inside != "\r":
            assert counts(cli, str(one), str(two), "--column", "q1") == [6, 0]


def test_two_readings_are_refused(cli: Cli, tmp_path: Path) -> None:
    """The name stands in both headers, and the values below it differ; or they do not."""
    path = tmp_path / "a.csv"
    path.write_text("a,q1,b;q1;c\n" + "1,yes,2;yes;3\n" * 5 + "1,yes,2;no;3\n")
    told = (
        "has 3 columns separated by commas, with double quotation marks, or 3 columns separated by semicolons, with "
        "double quotation marks; the values of the columns differ, first in line 7; save it as CSV with commas and "
        'double quotation marks, or state the separator: --separator "," or --separator ";"'
    )
    for command in "estimate", "randomize":
        assert told in refusal(cli, command, str(path), "--column", "q1")
    with pytest.raises(FileFormatError, match="can be read in two ways"):
        rropt_fieldwork.init_survey(path)
    text = path.read_text()
    path.write_text("sep=;\n" + text)
    assert counts(cli, str(path), "--column", "q1") == [1, 5]
    path.write_text(text.replace("no", "yes"))
    assert counts(cli, str(path), "--column", "q1") == [0, 6]


def test_the_wanted_names_stand_in_a_wider_table(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a|q1;b|c;d\n" + "1|yes;2|3;4\n" * 3)
    for column in ("q1", "c;d"):
        err = refusal(cli, "estimate", str(path), "--column", column)
        assert "no column" in err or "no answer" in err
    path.write_text("sick,a;b;c\n" + "yes,1;2;3\n" * 3)
    err = refusal(cli, "estimate", str(path), "--column", "sick")
    assert "the data can be read in two ways" in err
    assert "2 columns separated by commas" in err
    assert "3 columns separated by semicolons" in err
    assert "state the separator" in err
    path.write_text("sep=,\nsick,a;b;c\n" + "yes,1;2;3\n" * 3)
    assert counts(cli, str(path), "--column", "sick") == [0, 3]


def test_quotation_marks_that_decide_differently(cli: Cli, tmp_path: Path) -> None:
    """Apostrophes at the beginning and at the end of values of one row are no quotation marks of the row."""
    path = tmp_path / "a.csv"
    path.write_text("x,q1,y\n'tis,yes,\"a 'b\"\nfine,no,'twas'\n")
    assert counts(cli, str(path), "--column", "q1") == [1, 1]


def test_an_empty_file_among_several(cli: Cli, tmp_path: Path) -> None:
    one, two = tmp_path / "a.csv", tmp_path / "b.csv"
    one.write_text("q1,g\nyes,a\n")
    two.write_text("q1,g\n")
    assert "a file among several is empty" in refusal(cli, "estimate", str(one), str(two), "--column", "q1")
    assert "b.csv" in refusal(cli, "randomize", str(one), str(two), "--column", "q1")


@few_rows(1)
@pytest.mark.parametrize("first", ["[1]", "[1, 2]", "[]", '["a"]', "{x}", "[", "{"])
def test_a_header_that_begins_with_a_bracket(cli: Cli, tmp_path: Path, first: str) -> None:
    """It is JSON only if no column has the name that is wanted."""
    path = tmp_path / "a.tsv"
    path.write_text(f"{first}\tq1\n" + "1\tyes\n2\tno\n")
    assert counts(cli, str(path), "--column", "q1") == [1, 1]
    path.write_text(f'{first}\t"two\nlines"\tq1\n' + "1\tx\tyes\n2\tx\tno\n")
    assert counts(cli, str(path), "--column", "q1") == [1, 1]
    if first not in ("[", "{"):
        path.write_text(f"{first}\nyes\nno\n")
        assert counts(cli, str(path), "--column", first) == [1, 1]


def test_a_table_that_duckdb_reads_otherwise_is_refused(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows of a short file are counted twice; were a line end of DuckDB another one, nothing would be lost."""
    from rropt_fieldwork.reading import readers

    scan = readers._csv_scan
    monkeypatch.setattr(readers, "_csv_scan", lambda *given: scan(*given).limit(1))
    path = tmp_path / "a.csv"
    path.write_text("q1,g\nyes,a\nno,b\n")
    assert "has 2 rows, and DuckDB reads 1" in refusal(cli, "estimate", str(path), "--column", "q1")


@pytest.mark.parametrize(
    ("cells", "torn"),
    [
        (['"a', 'b"'], True),
        (['"a', "x", ' b" '], True),
        (['"a b"', "c"], False),  # one value between the marks
        (['"', '"'], False),  # the second one begins a value
        (['a"', '"b'], False),
        (['"a', "b"], False),
        (['"a', '"b"'], False),
        (["a", 'b"'], False),
    ],
)
def test_values_between_other_marks_are_torn(cells: list[str], torn: bool) -> None:
    for header, rows in ((cells, []), (["p", "q"], [["0", "1"], cells])):
        reading = layouts.Layout(",", "'", 0, header, rows, True)
        other = layouts.Layout(",", '"', 0, ["p"], [], True)
        assert layouts._tears(reading, '"') is torn
        assert layouts._is_worse(reading, other) is torn
        assert not layouts._is_worse(other, reading) or not torn


@pytest.mark.slow
def test_short_lines_behind_the_sample(cli: Cli, tmp_path: Path) -> None:
    """Of a long text without quotation marks a few thousand lines choose the layout; the rest is read and checked."""
    path, lines = tmp_path / "a.csv", 270_000
    for header, row, other in (("q\n", " no \n", "yes\n"), ("q,x\n", "no,1\n", "yes,0\n")):
        text = header + row * (lines - 1)
        path.write_text(text + other)
        assert len(text) > layouts.SAMPLE
        assert len(layout_of(str(path), "a.csv", ["q"], None).rows) < layouts.MOST_LINES
        assert counts(cli, str(path), "--column", "q") == [lines - 1, 1]
    path.write_text(text + "yes,0,\n")
    assert f"line {lines + 1} " in refusal(cli, "estimate", str(path), "--column", "q")
    path.write_text("\n" * (layouts.MOST_LINES + 1) + text)
    assert counts(cli, str(path), "--column", "q") == [lines - 1, 0]
