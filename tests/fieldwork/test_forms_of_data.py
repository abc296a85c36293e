"""What data may be: streams, several files, folders, databases, very long lines, very many columns; what is refused."""

from __future__ import annotations

import csv
import gzip
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Hashable
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from few_rows import few_rows
from reading import reading_of
from support.later import later
from table_calls import estimate_table

import rropt_fieldwork
from rropt.core.errors import FileAccessError, FileFormatError, InvalidParameterError
from rropt.core.files import shown_path, streams
from rropt_fieldwork.reading import files_in_memory, inputs, readers
from rropt_fieldwork.reading.formats import archive_of, format_of

duckdb = later("duckdb")
pa = later("pyarrow")
pd = later("pandas")
feather = later("pyarrow.feather")
orc = later("pyarrow.orc")
parquet = later("pyarrow.parquet")

Cli = Callable[..., tuple[int, str, str]]

COIN = ("--column", "q", "--mechanism", "warner:3/4")
TEXT = "q,g\n0,a\n1,b\n1,a\n"
TRUE = ("--mechanism", "generalised:1,1", "--keep-order")


def counts(cli: Cli, *argv: str) -> list[int]:
    status, out, err = cli("estimate", *argv, "--json")
    assert status == 0, err
    found: list[int] = json.loads(out)["counts"]
    return found


def refusal(cli: Cli, *argv: str) -> str:
    status, out, err = cli("estimate", *argv)
    assert (status, out, err.count("\n")) == (2, "", 1), err
    return err


# Streams


def command(*argv: str) -> str:
    return " ".join([sys.executable, "-m", "rropt.cli.main", *argv])


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        f"cat a.csv | {command('estimate', '/dev/stdin')}",
        f"cat a.csv | {command('estimate', '-')}",
        f"cat a.csv.gz | {command('estimate', '-')}",
        f"{command('estimate', '/dev/stdin')} < a.csv",
        f"{command('estimate', '<(cat', 'a.csv)')}",
        f"(sleep 0.5; cat a.csv) > pipe & {command('estimate', 'pipe')}",
        f"{command('estimate', '<(head -2 a.csv)', '<(sed 2d a.csv)')}",
    ],
    ids=["dev-stdin", "dash", "packed", "redirected", "substituted", "named-pipe", "two"],
)
def test_streams_are_read_once(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.csv").write_text(TEXT)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(TEXT.encode()))
    os.mkfifo(tmp_path / "pipe")
    shell = ["bash", "-c", f"{line} {' '.join(COIN)} --json"]
    done = subprocess.run(shell, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["counts"] == [1, 2]


@pytest.mark.slow
def test_a_pipe_without_a_writer_is_refused(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "WRITER_SECONDS", 0.2)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "nothing writes to the pipe" in refusal(cli, str(pipe), *COIN)
    for call in ("privacy", str(pipe)), ("check", str(pipe)), ("report", str(pipe), "--output", str(tmp_path / "x")):
        status, _, err = cli(*call)
        assert (status, "nothing writes to the pipe" in err) == (2, True)


def test_a_certificate_may_come_through_a_pipe(cli: Cli, tmp_path: Path) -> None:
    path, pipe = tmp_path / "c.json", tmp_path / "pipe"
    assert cli("design", "binary", "--gamma", "3", "--prevalence", "1/4", "--certificate", str(path))[0] == 0
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(path.read_bytes()))
    writer.start()
    status, out, err = cli("check", str(pipe))
    writer.join()
    assert (status, "accepted" in out) == (0, True), err
    liar = tmp_path / "a\nb.json: accepted"
    liar.write_text("{}")
    assert cli("check", str(liar))[1].count("\n") == 1  # no line of its own


@pytest.mark.slow
def test_a_slow_writer_is_waited_for_with_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(streams, "QUIET_SECONDS", 0.1)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        with pipe.open("w") as stream:
            stream.write(TEXT[:6])
            stream.flush()
            time.sleep(0.5)
            stream.write(TEXT[6:])

    writer = threading.Thread(target=write)
    writer.start()
    assert estimate_table(pipe, "q", "warner:3/4").nobs == 3
    writer.join()
    assert [record.getMessage() for record in caplog.records].count(
        f"rropt: waiting for data from {shown_path(str(pipe))} (Ctrl-C ends)"
    ) == 1


def test_streams_that_hold_nothing_or_too_much(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "data are empty" in refusal(cli, "/dev/null", *COIN)
    monkeypatch.setattr(files_in_memory, "MOST_HELD", 10 << 20)
    assert "too large to be held in memory" in refusal(cli, "/dev/zero", *COIN)
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input is closed" in refusal(cli, "-", *COIN)


def test_text_of_a_stream_is_converted(tmp_path: Path) -> None:
    """What is no UTF-8 beyond the first megabyte is read again, from memory: the stream is empty by then."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = b"q,g\n" + b"1,%s\n" % (b"A" * 200) * 6000 + "0,Gen\u00e8ve\n".encode("cp1252")
    writer = threading.Thread(target=lambda: pipe.write_bytes(data))
    writer.start()
    found = estimate_table(pipe, "q", "warner:3/4", by="g")
    writer.join()
    assert [group.group for group in found] == ["A" * 200, "Gen\u00e8ve"]


# Several files, patterns, folders


def test_several_files(cli: Cli, tmp_path: Path) -> None:
    """Files of different forms with the same columns are one table; wrong answers are reported by file and line."""
    one, two, three = tmp_path / "a.csv", tmp_path / "b.csv.gz", tmp_path / "c.jsonl"
    one.write_text(TEXT)
    two.write_bytes(gzip.compress(TEXT.replace(",", ";").encode("utf-16")))
    three.write_text('{"q": 1, "g": "c"}\n{"q": 0, "g": null}\n')
    assert counts(cli, str(one), str(two), *COIN) == [2, 4]
    found = estimate_table([one, two], "q", "warner:3/4", by="g")
    assert [(group.group, group.n) for group in found] == [("a", 4), ("b", 2)]
    found = estimate_table([one, three], "q", "warner:3/4")  # by name, as is asked
    assert found.nobs == 3 + 2
    assert "read by name" in found.remarks()[0]
    assert estimate_table([three, three.rename(tmp_path / "d.jsonl")][1:], "q", "warner:3/4").nobs == 2
    other = tmp_path / "other.csv"
    other.write_text("q,g\n0,a\n7,b\n1,a\n8,b\n")
    err = refusal(cli, str(one), str(other), str(two), *COIN)
    assert f"lines 3, 5 of {shown_path(str(other))} of the data contain no answer" in err
    assert counts(cli, str(one), str(_csv(tmp_path)), *COIN) == [1, 3]
    assert "no column of 1 in " in refusal(cli, str(one), str(_csv(tmp_path)), *COIN, "--by", "g")
    assert "named twice" in refusal(cli, str(one), str(one), *COIN)


def _csv(folder: Path) -> Path:
    path = folder / "narrow.csv"
    path.write_text("q\n1\n")
    return path


def test_patterns(cli: Cli, tmp_path: Path) -> None:
    """A name is a file, though it is a pattern that others fit; with --glob it stands for the files that fit it."""
    for name, text in (("a*.csv", "q,g\n1,x\n"), ("ab.csv", TEXT), ("ac.csv", TEXT)):
        (tmp_path / name).write_text(text)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "ad.csv").write_text(TEXT)
    assert counts(cli, str(tmp_path / "a*.csv"), *COIN) == [0, 1]
    assert counts(cli, str(tmp_path / "a*.csv"), "--glob", *COIN) == [2, 5]
    assert counts(cli, str(tmp_path / "**" / "a[bcd].csv"), "--glob", *COIN) == [3, 6]
    assert "add --glob" in refusal(cli, str(tmp_path / "z*.csv"), *COIN)
    assert "no file fits the pattern" in refusal(cli, str(tmp_path / "z*.csv"), "--glob", *COIN)
    assert "--glob goes with DATA" in refusal(cli, "--glob", "--yes", "1", "--n", "2", "--mechanism", "warner:3/4")


@few_rows(1)
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_partitioned_folder(cli: Cli, tmp_path: Path, form: str) -> None:
    """Folders that are named by a key and a value are columns, as Spark, Arrow and DuckDB write them."""
    rows = [(str(i % 2), ("north", "so uth/%", "")[i % 3], str(2019 + i // 2 % 2)) for i in range(60)]
    base = tmp_path / "data"
    if form == "parquet":
        columns = dict(zip(("q", "region", "year"), map(list, zip(*rows, strict=True)), strict=True))
        columns["region"] = [region or None for region in columns["region"]]
        parquet.write_to_dataset(pa.table(columns), base, partition_cols=["region", "year"])
    else:
        for region, year in {(region, year) for _, region, year in rows}:
            name = region.replace("%", "%25").replace("/", "%2F") or "__HIVE_DEFAULT_PARTITION__"
            folder = base / f"region={name}" / f"year={year}"
            folder.mkdir(parents=True)
            own = [answer for answer, *where in rows if where == [region, year]]
            (folder / "part-0.csv").write_text("q\n" + "".join(f"{answer}\n" for answer in own[::2]))
            (folder / "part-1.csv").write_text("q\n" + "".join(f"{answer}\n" for answer in own[1::2]))
            (folder / "_SUCCESS").write_text("")
            (folder / ".part-0.csv.crc").write_bytes(b"crc")
    found = estimate_table(base, "q", "warner:3/4", by=["region", "year"])
    told = {group.group: group.n for group in found}
    assert told == {f"{region}, {year}": 10 for region in ("north", "so uth/%") for year in ("2019", "2020")}
    reading = reading_of(base, "q", "warner:3/4", by=["region", "year"])
    assert "region: 20 missing, left out (20 empty)" in reading.text()
    output = tmp_path / "out.csv"
    call = ("randomize", str(base), "--column", "q", *TRUE, "--keep", "year,region", "--output", str(output))
    status, _, err = cli(*call)
    assert status == 0, err
    assert sorted(tuple(row.values()) for row in csv.DictReader(output.open())) == sorted(rows)


@pytest.mark.parametrize("name", ["a.csv.gz", "a.zst", "a.jsonl.gz", "a.dta.gz"])
def test_a_name_does_not_make_a_file_packed(cli: Cli, tmp_path: Path, name: str) -> None:
    """Browsers unpack what they download, and keep the name."""
    path = tmp_path / name
    path.write_text('{"q": 0}\n{"q": 1}\n' if "json" in name else "q,g\n0,a\n1,b\n")
    if "dta" in name:
        pd.DataFrame({"q": [0, 1]}).to_stata(path, write_index=False, compression=None)
    assert counts(cli, str(path), *COIN) == [1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "xlsx"])
def test_the_name_of_a_folder_changes_no_column(form: str, tmp_path: Path) -> None:
    """DuckDB would read the key q=7 or c0=1 in place of a column of this name, which may be an internal one."""
    columns = {"q": [0, 0, 1], "json": ["b", "c", "d"]}
    for folder in tmp_path / "q=7" / "json=x", tmp_path / "c0=1" / "c2=1":
        folder.mkdir(parents=True)
        path = folder / f"a.{form}"
        frame = pd.DataFrame(columns)
        if form == "jsonl":
            frame.to_json(path, orient="records", lines=True)
        else:
            {"csv": frame.to_csv, "parquet": frame.to_parquet, "xlsx": frame.to_excel}[form](path, index=False)
        found = estimate_table(path, "q", "generalised:1,1", by="json")
        assert [(group.group, group.estimate) for group in found] == [("b", 0), ("c", 0), ("d", 1)]
    found = estimate_table(tmp_path / "c0=1", "q", "generalised:1,1", by="c2")
    assert [(group.group, group.n, group.estimate) for group in found] == [("1", 3, Fraction(1, 3))]
    assert estimate_table(tmp_path / "c0=1", "c2", "generalised:1,1")[0].estimate == 1
    assert len(rropt_fieldwork.init_survey(tmp_path / "c0=1").columns) == 3


def test_folders_that_are_refused(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    assert "folder without files" in refusal(cli, str(folder), *COIN)
    (folder / "g=a").mkdir()
    (folder / "g=a" / "p.csv").write_text("q\n1\n")
    (folder / "p.csv").write_text("q\n1\n")
    assert "not partitioned alike" in refusal(cli, str(folder), *COIN)
    (folder / "p.csv").unlink()
    (folder / "g=a" / "p.csv").write_text("q,g\n1,b\n")
    assert "in the files and also in the names" in refusal(cli, str(folder), *COIN)
    with pytest.raises(FileFormatError, match="in the files and also in the names"):
        rropt_fieldwork.init_survey(folder)
    odd = tmp_path / "odd" / os.fsdecode(b"g=\xff")
    odd.mkdir(parents=True)
    (odd / "p.csv").write_text("q\n1\n")
    assert "states a value is not in UTF-8" in refusal(cli, str(odd.parent), *COIN)
    (folder / "g=a" / "p.csv").unlink()
    (folder / "g=a" / "p.csv").symlink_to("/etc/passwd")
    assert "contains a link" in refusal(cli, str(folder), *COIN)
    (folder / "g=a" / "p.csv").unlink()
    (folder / "other").mkdir()
    assert "is a folder in a folder" in refusal(cli, str(folder), *COIN)
    (folder / "_delta_log").mkdir()
    assert "Delta table" in refusal(cli, str(folder), *COIN)


@pytest.mark.slow
def test_many_files_are_one_scan(
    tmp_path: Path, size: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    number = size(300, 3000)
    for i in range(number):
        (tmp_path / f"{i:05}.csv").write_text(f"q,g\n{i % 2},{i}\n")
    found = estimate_table(tmp_path, "q", "warner:3/4")
    assert found.nobs == number
    (tmp_path / "00100.csv").write_text("q,g\n1,5\nx,1\n")
    with pytest.raises(FileFormatError, match=r"line 3 of '[^']*00100.csv' of the data"):
        estimate_table(tmp_path, "q", "warner:3/4")
    monkeypatch.setattr(inputs, "MOST_FILES", 10)
    with pytest.raises(FileFormatError, match="too many"):
        estimate_table(tmp_path, "q", "warner:3/4")


def test_as_many_scans_as_are_allowed_are_one_query() -> None:
    """DuckDB limits the sum of the depths of the tables of a union, which have at most four levels."""
    from rropt_fieldwork.reading.duckdb_connection import connected

    (depth,) = connected([], None).execute("SELECT current_setting('max_expression_depth')").fetchall()[0]
    assert depth >= 4 * readers._MOST_SCANS


# Databases


def test_a_duckdb_file(cli: Cli, tmp_path: Path) -> None:
    """Base tables are read, and nothing that a view or a file beside the database would bring."""
    path, secret = tmp_path / "it's.duckdb", tmp_path / "secret.csv"
    secret.write_text("q\n1\n")
    made = duckdb.connect(str(path))
    made.execute("CREATE TABLE t AS SELECT (i % 2)::INTEGER AS q, 'g' || (i % 3) AS g FROM range(30) r(i)")
    made.execute(f"CREATE VIEW spy AS SELECT * FROM read_csv('{secret}')")
    made.close()
    assert counts(cli, str(path), *COIN) == [15, 15]
    assert "views are not read" in refusal(cli, str(path), *COIN, "--table", "spy")
    made = duckdb.connect(str(path))
    made.execute('CREATE SCHEMA s; CREATE TABLE s."a ""b""; --" AS SELECT \'1\' AS "q;"')
    made.close()
    assert "name it (--table NAME)" in refusal(cli, str(path), *COIN)
    assert counts(cli, str(path), *COIN, "--table", "t") == [15, 15]
    own = ("--column", "q;", "--mechanism", "warner:3/4", "--table", 's.a "b"; --')
    assert counts(cli, str(path), *own) == [0, 1]
    output = tmp_path / "o.csv"
    call = ("randomize", str(path), "--table", "t", "--column", "q", *TRUE, "--keep", "g", "--output", str(output))
    assert cli(*call)[0] == 0
    assert [row["q"] for row in csv.DictReader(output.open())] == ["0", "1"] * 15
    packed = tmp_path / "a.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert "unpack it, and name the file" in refusal(cli, str(packed), *COIN)
    path.with_name(path.name + ".wal").write_bytes(b"x")
    assert "the database is in use" in refusal(cli, str(path), *COIN)
    assert "names a table of a database" in refusal(cli, str(secret), *COIN, "--table", "t")


def test_a_database_in_a_folder_whose_name_has_a_question_mark(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "e?" / "a.duckdb"
    path.parent.mkdir()
    made = duckdb.connect(str(tmp_path / "a.duckdb"))
    made.execute("CREATE TABLE t AS SELECT (i % 2)::INTEGER AS q FROM range(30) r(i)")
    made.close()
    path.write_bytes((tmp_path / "a.duckdb").read_bytes())
    assert counts(cli, str(path), *COIN) == [15, 15]


def test_an_attached_database_can_do_nothing(tmp_path: Path) -> None:
    from rropt_fieldwork.reading.duckdb_connection import ATTACHED, connected

    path, other = tmp_path / "a.duckdb", tmp_path / "other.csv"
    other.write_text("x\n1\n")
    made = duckdb.connect(str(path))
    made.execute("CREATE TABLE t AS SELECT 1 AS q")
    made.execute(f"CREATE VIEW spy AS SELECT * FROM read_csv('{other}')")
    made.execute(f"CREATE MACRO m() AS TABLE SELECT * FROM read_text('{other}')")
    made.close()
    connection = connected([str(path), f"{path}.wal"], None, str(path))
    assert connection.execute(f"SELECT * FROM {ATTACHED}.t").fetchall() == [(1,)]
    for statement in (
        f"SELECT * FROM {ATTACHED}.spy",
        f"SELECT * FROM {ATTACHED}.m()",
        f"INSERT INTO {ATTACHED}.t VALUES (2)",
        f"ATTACH '{tmp_path / 'new.duckdb'}'",
        f"SELECT * FROM read_csv('{other}')",
        "SET enable_external_access = true",
        "LOAD httpfs",
    ):
        with pytest.raises(duckdb.Error):
            connection.execute(statement).fetchall()


def test_an_sqlite_file(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a ?#%.db"
    made = sqlite3.connect(path)
    made.execute("CREATE TABLE t (q, g TEXT, made AS (hex(q)))")
    made.executemany("INSERT INTO t (q, g) VALUES (?, ?)", [(0, "a"), ("1", None), (1.0, "b"), (None, "b")] * 5)
    made.execute("CREATE VIEW spy AS SELECT * FROM t")
    made.commit()
    made.close()
    assert counts(cli, str(path), *COIN) == [5, 10]
    assert "views are not read" in refusal(cli, str(path), *COIN, "--table", "spy")
    assert "did you mean 'g'" in refusal(cli, str(path), *COIN, "--by", "gg")
    found = estimate_table(path, "q", "warner:3/4", by="made")  # a harmless function
    assert {group.group for group in found} == {"30", "31", "312E30"}
    before = sorted(each.name for each in tmp_path.iterdir())
    packed = tmp_path / "a.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert counts(cli, str(packed), *COIN) == [5, 10]
    packed.unlink()
    path.with_name(path.name + "-wal").write_bytes(b"x")
    assert "the database is in use" in refusal(cli, str(path), *COIN)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([*before, path.name + "-wal"])


# Lines and columns


@pytest.mark.slow
def test_a_line_of_five_megabytes(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("q,comment\n0," + "x" * 5_000_000 + "\n" + "1,y\n" * 10)
    assert counts(cli, str(path), *COIN) == [1, 10]
    assert rropt_fieldwork.init_survey(path).rows == 11
    path.write_text("q," + "h" * 3_000_000 + '\n1,"' + "two\nlines," * 300_000 + '"\n')
    assert counts(cli, str(path), *COIN) == [0, 1]


@few_rows(1)
@pytest.mark.parametrize(("end", "expected"), [("", [1, 1]), ("\n1,y\n", [1, 2])], ids=["last", "before"])
def test_a_line_that_is_longer_than_the_buffer_of_duckdb(
    cli: Cli, tmp_path: Path, end: str, expected: list[int]
) -> None:
    """DuckDB leaves out such a line at the end, without an error, unless it expects long lines."""
    path = tmp_path / "a.csv"
    path.write_text("q,comment\n1,a\n0," + "x" * (33 << 20) + end)
    assert counts(cli, str(path), *COIN) == expected


@pytest.mark.slow
def test_a_line_that_is_too_long(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "MOST_LINE", 300_000)
    path = tmp_path / "a.csv"
    path.write_text('q,comment\n0,"' + "x\n" * 700_000)  # longer than what is compared in all readings
    err = refusal(cli, str(path), *COIN)
    assert "too long" in err or "not CSV" in err
    monkeypatch.setattr(readers, "MOST_LINE", 3_000_000)
    path.write_text("q,comment\n1,a\n0," + "x" * 3_000_000)
    with pytest.raises(FileFormatError, match="a line that is too long") as found:
        estimate_table(path, "q", "warner:3/4")
    assert type(found.value) is FileFormatError
    path.write_text("q,comment\n1,a,b\n0,a\n")
    with pytest.raises(FileFormatError, match="line 2 of the data has 3 values") as found:
        estimate_table(path, "q", "warner:3/4")
    assert type(found.value) is FileFormatError  # a public class, whose name is printed with --json
    with pytest.raises(FileFormatError, match="line 2 of the data has 3 values"):
        rropt_fieldwork.init_survey(path)


WIDE: dict[str, Callable[[Path, dict[str, list[str]]], object]] = {
    "csv": lambda path, table: _write(path, table, ","),
    "semicolons": lambda path, table: _write(path, table, ";"),
    "parquet": lambda path, table: parquet.write_table(pa.table(table), path),
    "feather": lambda path, table: feather.write_feather(pa.table(table), str(path)),
    "jsonl": lambda path, table: path.write_text(
        "".join(json.dumps(dict(zip(table, row, strict=True))) + "\n" for row in zip(*table.values(), strict=True))
    ),
}


def _write(path: Path, table: dict[str, list[str]], separator: str) -> None:
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream, delimiter=separator)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("form", WIDE)
def test_very_many_columns(form: str, tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """Of many columns those are read that are asked for, and a name that is not among them is refused."""
    width = size(5_000, 20_000)
    table = {f"k{place}": ["0", "1", "1", ""] * 3 for place in range(width)}
    table["k7"] = ['say "x"', "a,b;c", "two\nlines", ""] * 3
    path = tmp_path / "wide"
    WIDE[form](path, table)
    found = estimate_table(path, f"k{width - 1}", "warner:3/4", by="k7")
    assert [(group.group, group.n) for group in found] == [
        ("a,b;c", 3),
        ('say "x"', 3),
        ("two\nlines", 3),
    ]
    with pytest.raises(InvalidParameterError, match=f"no column of {width} has"):
        estimate_table(path, "absent-column", "warner:3/4")


@pytest.mark.slow
def test_uneven_lines_of_many_columns(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    line = ",".join(["q", *(f"k{i}" for i in range(2000))])
    good = ",".join(["1"] * 2001)
    for bad, told in (
        (good + ",1", "line 3 of the data has 2002 values, and 2001 are expected"),
        (good[2:], "line 3 of the data has 2000 values"),
        ('"' + good, "line 3 of the data is not CSV"),
        ('"1"x' + good[1:], "line 3 of the data is not CSV"),
    ):
        path.write_text(f"{line}\n{good}\n{bad}\n{good}\n")
        assert told in refusal(cli, str(path), *COIN)


def test_one_column_twice_is_refused(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("y,x\n0,1\n")
    both = (str(path), "--columns", "y,y", "--mechanism", "bits:3/4*2")
    assert "the columns are not different" in refusal(cli, *both)
    assert cli("randomize", *both)[0] == 2
    assert "the columns are not different" in refusal(cli, *both, "--by", "x")
    assert "the columns are not different" in refusal(cli, str(path), "--columns", "y", *COIN[2:], "--by", "y")


# Formats


def _hdf(path: Path) -> None:
    path.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))


REFUSED: dict[str, tuple[Callable[[Path], object], str]] = {
    "bzip2": (lambda p: p.write_bytes(__import__("bz2").compress(TEXT.encode())), "bzip2"),
    "xz": (lambda p: p.write_bytes(__import__("lzma").compress(TEXT.encode())), "xz"),
    "lz4": (lambda p: p.write_bytes(b"\x04\x22\x4d\x18" + bytes(20)), "LZ4"),
    "7z": (lambda p: p.write_bytes(b"7z\xbc\xaf\x27\x1c" + bytes(20)), "7-Zip"),
    "rar": (lambda p: p.write_bytes(b"Rar!\x1a\x07\x01\x00"), "RAR"),
    "compress": (lambda p: p.write_bytes(b"\x1f\x9d\x90"), "compress (.Z)"),
    "tar": (lambda p: p.write_bytes(b"a.csv".ljust(257, b"\0") + b"ustar\x0000" + bytes(300)), "tar"),
    "orc": (lambda p: orc.write_table(pa.table({"q": ["0", "1"]}), str(p)), "ORC"),
    "avro": (lambda p: p.write_bytes(b"Obj\x01" + bytes(20)), "Avro"),
    "hdf5": (_hdf, "HDF5"),
    "netcdf": (lambda p: p.write_bytes(b"CDF\x01" + bytes(20)), "NetCDF"),
    "packed-spss": (lambda p: p.write_bytes(b"$FL3@(#) SPSS DATA FILE" + bytes(20)), "packed SPSS"),
    "spss-portable": (lambda p: p.write_bytes(b"ASCII SPSS PORT FILE" * 9), "SPSS portable"),
    "sas": (lambda p: p.write_bytes(bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf" + bytes(20)), "SAS"),
    "sas-transport": (lambda p: p.write_bytes(b"HEADER RECORD*******LIBRARY HEADER"), "SAS transport"),
    "r": (lambda p: p.write_bytes(gzip.compress(b"X\n\0\0\0\3" + bytes(20))), "an R file"),
    "rdata": (lambda p: p.write_bytes(gzip.compress(b"RDX3\nX\n" + bytes(20))), "an R file"),
    "matlab": (lambda p: p.write_bytes(b"MATLAB 5.0 MAT-file" + bytes(20)), "MATLAB"),
    "npy": (lambda p: p.write_bytes(b"\x93NUMPY\x01\x00"), "NumPy array"),
    "npz": (lambda p: np.savez(p.open("wb"), q=np.zeros(3)), "NumPy archive"),
    "pickle": (lambda p: p.write_bytes(__import__("pickle").dumps({"q": [0, 1]})), "pickle"),
    "access": (lambda p: p.write_bytes(b"\0\1\0\0Standard ACE DB\0"), "Access"),
    "pdf": (lambda p: p.write_bytes(b"%PDF-1.7\n"), "PDF"),
    "png": (lambda p: p.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(9)), "picture"),
    "rtf": (lambda p: p.write_text("{\\rtf1 q}"), "RTF"),
    "program": (lambda p: p.write_bytes(Path(sys.executable).resolve().read_bytes()[:5000]), "program"),
    "html": (lambda p: p.write_text("\n<!DOCTYPE HTML><html>q</html>"), "HTML"),
    "xml": (lambda p: p.write_text('<?xml version="1.0"?><q>1</q>'), "XML"),
    "arrow-stream": (lambda p: _stream(p), "Arrow stream"),
    "word": (lambda p: _zip(p, "word/document.xml"), "Word"),
    "powerpoint": (lambda p: _zip(p, "ppt/presentation.xml"), "PowerPoint"),
    "open-document": (lambda p: _zip(p, "mimetype"), "OpenDocument"),
    "xlsb": (lambda p: _zip(p, "xl/workbook.bin"), ".xlsb"),
    "jar": (lambda p: _zip(p, "META-INF/MANIFEST.MF"), "Java"),
    "json": (lambda p: p.write_text("[\n 0,\n 1\n]"), "JSON of another form"),
    "json-object": (lambda p: p.write_text('{\n "q": [0, 1]\n}'), "JSON of another form"),
}


def _zip(path: Path, *members: str) -> None:
    import zipfile

    with zipfile.ZipFile(path, "w") as archive:
        for member in members:
            archive.writestr(member, "x")


def _stream(path: Path) -> None:
    table = pa.table({"q": ["0", "1"]})
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)


@few_rows(26)
@pytest.mark.parametrize("form", REFUSED)
def test_other_formats_are_refused_by_their_names(cli: Cli, tmp_path: Path, form: str) -> None:
    path, (write, name) = tmp_path / "answers.csv", REFUSED[form]
    write(path)
    err = refusal(cli, str(path), *COIN)
    assert name in err
    assert "damaged" not in err


@few_rows(3)
@pytest.mark.parametrize(
    "header",
    [
        "PAR1",
        "ORC",
        "ORCID",
        "MZ",
        "BZh9",
        "GIF8",
        "A",
        "X",
        "RDX3",
        "species,DUCK",
        "CDF",
        "{q",
        "[q]",
        "PK",
        "DUCK",
        "Obj",
    ],
)
def test_headers_that_look_like_formats_are_headers(tmp_path: Path, header: str) -> None:
    path = tmp_path / "a.csv"
    other = "2," * (header.count(",") + 1)
    path.write_text(f"{header},q\n{other}0\n{other}1\n")
    assert estimate_table(path, "q", "warner:3/4").nobs == 2
    assert format_of(path.read_bytes(), "a") == "text"


def test_excel_names_its_extra(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import openpyxl

    path = tmp_path / "a.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["id", "q", None])
    for answer in ("Yes", "no", None, "Yes"):
        book.active.append([1.0, answer])
    book.create_sheet("notes \x85")
    book.save(path)
    status, out, err = cli("estimate", str(path), "--column", "q", "--categories", "no,Yes", *COIN[2:], "--json")
    assert (status, json.loads(out)["counts"]) == (0, [1, 2]), err
    assert "has 2 sheets: the first was read" in json.loads(out)["read"]["remarks"][0]
    packed = tmp_path / "a.xlsx.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert estimate_table(packed, "q", "warner:3/4", categories=["no", "Yes"]).nobs == 3
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    assert "pip install 'rropt[fieldwork]'" in refusal(cli, str(path), *COIN)
    assert archive_of(["xl/workbook.xml"], "a") == "excel"


@pytest.mark.slow
def test_a_sheet_is_named_or_numbered(cli: Cli, tmp_path: Path) -> None:
    """By its title, by its number from 1, the first without either; a title that is a number is a title."""
    import openpyxl

    path, book = tmp_path / "a.xlsx", openpyxl.Workbook()
    for number, title in enumerate(["first", "2024", "1", "\x9b x"]):
        table = book.active if number == 0 else book.create_sheet()
        table.title = title
        for value in ("q", *[0] * (number + 1), 1):
            table.append([value])
    book.create_sheet("empty")
    book.save(path)
    for chosen, zeros in ((None, 1), ("first", 1), ("2024", 2), ("2", 2), ("1", 3), ("4", 4), ("\x9b x", 4)):
        option = () if chosen is None else ("--sheet", chosen)
        assert counts(cli, str(path), *COIN, *option) == [zeros, 1], chosen
    assert estimate_table(rropt_fieldwork.read(path, sheet=2), "q", "warner:3/4").nobs == 3
    out = tmp_path / "out.csv"
    assert cli("randomize", str(path), *COIN, "--sheet", "2024", "--output", str(out))[0] == 0
    assert len(out.read_text().split()) == 4
    for wrong in "third", "0", "6", "-1", "9" * 5000:
        err = refusal(cli, str(path), *COIN, "--sheet", wrong)
        assert "--sheet names no sheet" in err
        assert "there are 5" in err
    assert "the sheet 'empty'" in refusal(cli, str(path), *COIN, "--sheet", "empty")
    text = _csv(tmp_path)
    assert "--sheet names a sheet of a workbook" in refusal(cli, str(text), *COIN, "--sheet", "1")
    with pytest.raises(InvalidParameterError, match="sheet"):
        estimate_table(rropt_fieldwork.read(pa.table({"q": [0, 1]}), sheet=1), "q", "warner:3/4")


@few_rows(1)
@pytest.mark.parametrize("version", [114, 118])
@few_rows(1)
@pytest.mark.parametrize("labels", [{}, {"q": {0: "no", 1: "yes"}}, {"q": {0: "no"}}])
def test_files_of_stata(tmp_path: Path, version: int, labels: dict[str, dict[Hashable, str]]) -> None:
    """A value with a label is read as its label; missing values are missing, and columns serve as in other files."""
    path = tmp_path / "a.dta"
    table = pd.DataFrame({"q": [0, 1, 1, np.nan], "place": ["a", "b", "a", "b"], "w": [1.5, 2.0, 1.0, 1.0]})
    table.to_stata(path, write_index=False, version=version, value_labels=labels)
    names = [labels.get("q", {}).get(code, str(code)) for code in (0, 1)]
    found = estimate_table(path, "q", "warner:3/4", categories=names, by="place")
    assert [(group.group, group.n) for group in found] == [("a", 2), ("b", 1)]
    assert found.missing == (1,)
    assert sum("value labels" in remark for remark in found.remarks()) == bool(labels)
    assert estimate_table(path, "q", "warner:3/4", categories=names, weights="w").missing == (1,)
    with pytest.raises(InvalidParameterError, match="no column of 3 has that name; allowed are 'q, place, w'"):
        estimate_table(path, "answer", "warner:3/4")
    with pytest.raises(FileFormatError, match="rows 2, 3 of the data"):
        estimate_table(path, "q", "warner:3/4", categories=[names[0], "other"])
    table.to_stata(path, write_index=False, version=version, value_labels={"q": {0: "no", 1: "no"}})
    with pytest.raises(FileFormatError, match="one label: received 'no' for '0' and '1' of the column 'q' in "):
        estimate_table(path, "q", "warner:3/4")


@pytest.mark.parametrize("start", [b"<stata_dta><header><release>118", b"\x72\x02\x01\x00" + bytes(20)])
def test_damaged_files_of_stata(cli: Cli, tmp_path: Path, start: bytes) -> None:
    path = tmp_path / "a.dta"
    path.write_bytes(start)
    assert "damaged" in refusal(cli, str(path), *COIN)


def test_files_of_spss(cli: Cli, tmp_path: Path) -> None:
    """Where pyreadstat is missing, the message names it."""
    path = tmp_path / "a.sav"
    path.write_bytes(b"$FL2@(#) SPSS DATA FILE" + bytes(200))
    if find_spec("pyreadstat") is None:
        assert "SPSS needs pyreadstat, which is not installed" in refusal(cli, str(path), *COIN)
        return
    import pyreadstat

    assert "damaged" in refusal(cli, str(path), *COIN)
    pyreadstat.write_sav(pd.DataFrame({"q": [0, 1, np.nan]}), str(path))
    assert counts(cli, str(path), *COIN) == [1, 1]
    pyreadstat.write_sav(pd.DataFrame({"q": [0, 1, 1]}), str(path), variable_value_labels={"q": {0: "no", 1: "yes"}})
    assert counts(cli, str(path), *COIN, "--categories", "no,yes") == [1, 2]
    assert "value labels: they are read in place of the values" in refusal(cli, str(path), *COIN)


ARRAYS = {
    "lines": ('[{"q": 0},\n{"q": 1}\n]', None),
    "blanks": ('\n [ \n{"q"\n: 0}\n,\t{"q": 1}\r\n]\n\n', None),
    "other-keys": ('[{"q": 0, "é": "]"}, {"x": [1, {"q": 7}], "q": 1}]', None),
    "nothing-asked-first": ('[{}, {"q": 0}, {"q": 1}]', None),
    "empty": ("[]", "data are empty"),
    "cut-at-a-comma": ('[{"q": 0},\n{"q": 1},\n', "does not end with it"),
    "no-end": ('[{"q": 0},\n{"q": 1}', "does not end with it"),
    "cut": ('[{"q": 0},\n{"q": ', "does not end with it"),
    "no-comma": ('[{"q": 0}\n{"q": 1}]', "row 2 of the data is no object"),
    "comma-at-the-end": ('[{"q": 0}, {"q": 1}, ]', "row 3 of the data is no object"),
    "a-number": ('[{"q": 0},\n 1]', "row 2 of the data is no object"),
    "twice": ('[{"q": 0},\n{"q": 1, "q": 0}]', "row 2 of the data is no object"),
    "not-a-number": ('[{"q": 0}, {"q": NaN}, {"q": 1}]', None),
    "a-list": ('[{"q": 0},\n{"q": [1]}]', "row 2 of the data contains no answer"),
    "goes-on": ('[{"q": 0}, {"q": 1}]\n{"q": 1}', "goes on after the array"),
    "deep": ('[{"q": ' + '{"q":' * 100_000 + "1" + "}" * 100_001 + "]", "row 1 of the data contains no answer"),
    "no-column": ('[{"p": 0}]', "no column"),
    "csv": ("[q\n0\n1\n", "no column"),
}


@few_rows(1)
@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_objects(cli: Cli, tmp_path: Path, name: str) -> None:
    text, refused = ARRAYS[name]
    path = tmp_path / "a.json"
    path.write_text(text)
    if refused is None:
        assert counts(cli, str(path), *COIN) == [1, 1]
        found = estimate_table([path], "q", "warner:3/4")
        assert (found.nobs, found[0].n) == (2, 2)
    else:
        assert refused in refusal(cli, str(path), *COIN)


@pytest.mark.slow
def test_arrays_have_the_limits_of_lines(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One object may have ``MOST_LINE`` bytes, the array more; it is read in pieces, wherever these end."""
    from rropt_fieldwork.reading import readers

    monkeypatch.setattr(readers, "MOST_LINE", 1 << 17)
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"q": i % 2, "é": "é" * 40_000} for i in range(40)], ensure_ascii=False))
    assert counts(cli, str(path), *COIN) == [20, 20]
    path.write_text(json.dumps([{"q": 0}, {"q": 1, "x": "y" * (1 << 26)}, {"q": 1}]))
    assert "the data have an object that is too long" in refusal(cli, str(path), *COIN)
    wrong = tmp_path / "b.json"
    wrong.write_text(json.dumps([{"q": i % 2} for i in range(50_000)])[:-1] + ',\n{"q": 7}]')
    assert "row 50001 of the data" in refusal(cli, str(wrong), *COIN)


@pytest.mark.parametrize(
    ("python", "advice"), [((3, 13), "pip install 'rropt[fieldwork]'"), ((3, 14), "built with zstd")]
)
def test_zstd_names_what_it_needs(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, python: tuple[int, int], advice: str
) -> None:
    monkeypatch.setattr(files_in_memory, "sys", SimpleNamespace(version_info=python))
    path = tmp_path / "a.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd" + bytes(9))
    for name in ("backports", "backports.zstd", "compression", "compression.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    assert f"{advice}, or unpack it" in refusal(cli, str(path), *COIN)


def test_a_survey_as_people_have_it(cli: Cli, tmp_path: Path) -> None:
    """Byte order mark, semicolons, decimal commas, a repeated header: counted, or reported by line."""
    path = tmp_path / "a.csv"
    path.write_text("sick;w\nyes;1,5\nno;2,5\nYes;1,0\nrefused;1,0\nsick;w\n", "utf-8-sig")
    own = (str(path), "--column", "sick", "--categories", "no,yes", "--mechanism", "warner:3/4")
    assert "lines 4, 6 of the data contain no answer" in refusal(cli, *own)
    more = ("--missing", "refused", "Yes")
    err = refusal(cli, *own, *more)
    assert "line 6 of the data contains no answer" in err
    assert "repeat the header" in err
    path.write_text(path.read_text("utf-8-sig").removesuffix("sick;w\n"), "utf-8-sig")
    assert counts(cli, *own, *more) == [1, 1]


@pytest.mark.slow
def test_engines_name_what_they_do_not_read(tmp_path: Path) -> None:
    path, pipe = tmp_path / "a.csv", tmp_path / "pipe"
    path.write_text(TEXT)
    os.mkfifo(pipe)
    packed = tmp_path / "a.gz"
    packed.write_bytes(gzip.compress(TEXT.encode()))
    for data, told in (([path, packed], "several files"), *((one, "reads Parquet") for one in ([path], pipe, packed))):
        with pytest.raises((InvalidParameterError, FileFormatError), match=told):
            estimate_table(rropt_fieldwork.read(data, engine="polars"), "q", "warner:3/4")
    with pytest.raises(FileAccessError):
        estimate_table(rropt_fieldwork.read(tmp_path / "none.csv", engine="polars"), "q", "warner:3/4")
