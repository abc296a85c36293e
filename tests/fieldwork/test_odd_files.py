"""Odd and hostile files, made by a program: the right counts, or one clear line and exit status 2, and never more.

The oracle is no part of rropt: it knows the rows that were written, and of damaged text what Python's ``csv`` reads.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import sqlite3
import subprocess
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows
from table_calls import estimate_table

from rropt.core.errors import FileFormatError, InvalidParameterError

Cli = Callable[..., tuple[int, str, str]]

ANSWERS = ("0", "1", "")
ODD = [
    "a,b",
    'say "no"',
    "two\nlines",
    "semi;colon",
    "tab\there",
    "\u00e9\u20ac",
    "\u202e",
    "=1+1",
    "'",
    "x" * 300,
    "\\",
    "|",
]


def rows_of(rng: random.Random, n: int) -> list[tuple[str, str, str]]:
    return [(str(i), rng.choice(ANSWERS[:2]), rng.choice(ODD)) for i in range(n)]


def text_of(rng: random.Random, rows: list[tuple[str, str, str]]) -> bytes:
    """Return rows as CSV in a random dialect and encoding."""
    stream = io.StringIO()
    end = rng.choice(["\n", "\r\n"])
    writer = csv.writer(
        stream,
        delimiter=rng.choice(",;\t|"),
        quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
        lineterminator=end,
    )
    writer.writerow(rng.choice([("id", "q", "other"), ("id ", " q", "other")]))
    writer.writerows(rows)
    text = stream.getvalue()
    if rng.random() < 0.3:
        text = text.removesuffix(end)
    encoding = rng.choice(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
    return text.encode(encoding, "replace" if encoding == "cp1252" else "strict")


def zipped(data: bytes, *names: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names or ("answers.csv",):
            archive.writestr(name, data)
    return stream.getvalue()


def zstd(data: bytes) -> bytes:
    from backports import zstd

    return zstd.compress(data)


PACKINGS: list[Callable[[bytes], bytes]] = [
    lambda data: data,
    lambda data: data,
    gzip.compress,
    lambda data: gzip.compress(data[: len(data) // 2]) + gzip.compress(data[len(data) // 2 :]),
    zstd,
    zipped,
]


def count(cli: Cli, *argv: str) -> tuple[int, list[int] | None, str]:
    status, out, err = cli("estimate", *argv, "--mechanism", "warner:3/4", "--json")
    if status:
        assert out == ""
        return status, None, err
    found = json.loads(out)
    assert found["rows"][0]["n"] == sum(found["counts"])
    return status, found["counts"], err


@pytest.mark.slow
def test_files_that_hold_answers(cli: Cli, tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """Every dialect, encoding and packing of CSV: the counts of the rows that were written."""
    points = size(30, 600)
    for seed in range(points):
        rng = random.Random(seed)
        rows = rows_of(rng, rng.randint(1, 40))
        path = tmp_path / rng.choice(["a.csv", "b*.csv", "c[d].dat", "\u202ename", "sp ace"])
        path.write_bytes(rng.choice(PACKINGS)(text_of(rng, rows)))
        told = Counter(answer for _, answer, _ in rows)
        status, counts, err = count(cli, str(path), "--column", "q")
        assert (status, counts) == (0, [told["0"], told["1"]]), (seed, err)
        path.unlink()
    assert points >= 30


def damaged(rng: random.Random) -> bytes:
    """Return a file with something wrong in it."""
    rows = rows_of(rng, rng.randint(1, 20))
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([("id", "q", "other"), *rows])
    text = stream.getvalue()
    data = bytearray(text.encode())
    kind = rng.randrange(8)
    if kind == 0:  # bytes changed
        for _ in range(rng.randint(1, 10)):
            data[rng.randrange(len(data))] = rng.randrange(256)
    elif kind == 1:  # a part cut out
        at = rng.randrange(len(data))
        del data[at : at + rng.randint(1, 30)]
    elif kind == 2:  # cut short
        del data[rng.randrange(len(data)) :]
    elif kind == 3:  # quotation marks
        for _ in range(rng.randint(1, 4)):
            data.insert(rng.randrange(len(data)), ord('"'))
    elif kind == 4:  # separators
        for _ in range(rng.randint(1, 4)):
            data.insert(rng.randrange(len(data)), rng.choice(b",;\n\r"))
    elif kind == 5:  # packed, and then changed
        packed = bytearray(rng.choice([gzip.compress, zstd, zipped])(bytes(data)))
        for _ in range(rng.randint(1, 5)):
            packed[rng.randrange(len(packed))] = rng.randrange(256)
        return bytes(packed)
    elif kind == 6:  # packed, and cut
        packed = bytearray(rng.choice([gzip.compress, zstd, zipped])(bytes(data)))
        return bytes(packed[: rng.randrange(len(packed))])
    else:  # nothing of a table
        return rng.randbytes(rng.randint(1, 2000))
    return bytes(data)


def python_counts(data: bytes) -> list[int] | None:
    """Return the counts of what Python's ``csv`` reads, strictly; ``None``: it refuses, or a row has no answer."""
    try:
        rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error):
        return None
    header = [cell.strip() for cell in rows[0]] if rows else []
    if header.count("q") != 1 or any(len(row) != len(header) for row in rows):
        return None
    answers = Counter(row[header.index("q")].strip() for row in rows[1:])
    return [answers["0"], answers["1"]] if answers.keys() <= {"0", "1"} and answers else None


@pytest.mark.slow
def test_damaged_files(cli: Cli, tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """Right counts, or exit status 2 and one line; what Python's ``csv`` reads, strictly, is read as it reads it."""
    path, points, read, refused = tmp_path / "a.csv", size(80, 1000), 0, 0
    for seed in range(points):
        data = damaged(random.Random(seed))
        path.write_bytes(data)
        status, counts, err = count(cli, str(path), "--column", "q")
        assert status in (0, 2), (seed, err)
        read, refused = read + (status == 0), refused + (status == 2)
        if status == 2:
            assert err.startswith("rropt: "), seed
            assert err.count("\n") == 1, (seed, err)
        own = python_counts(data)
        if own is not None:
            assert counts == own, (seed, err)
    assert read + refused == points
    assert min(read, refused) > points // 20


@few_rows(1)
@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_member_of_a_zip_file(cli: Cli, tmp_path: Path, method: int) -> None:
    stream, path = io.BytesIO(), tmp_path / "a.zip"
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr("a.csv", "id,q\n" + "1,1\n2,0\n" * 500)
    told = []
    for at in range(39, 51):
        data = bytearray(stream.getvalue())
        data[at] ^= 0xFF
        path.write_bytes(data)
        status, counts, err = count(cli, str(path), "--column", "q")
        told.append("is damaged, or cut, as a file packed with zip" in err)
        assert told[-1] or (status, counts) == (0, [500, 500])
    assert any(told)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_line_ends_may_be_mixed(cli: Cli, tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(pack(b'id,q,other\n1,1,a\n2,0,"b"\r\n3,1,c\n'))
    assert count(cli, str(path), "--column", "q")[:2] == (0, [1, 2])
    path.write_bytes(pack(b'id,q,other\n1,1,a\n2,0,"b"\r\n3,1\n'))
    assert "line 4 of the data has 2 values, and 3 are expected" in count(cli, str(path), "--column", "q")[2]


def test_a_working_folder_whose_name_is_a_pattern(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB takes brackets for a pattern, which fits another folder here."""
    for folder, text in (("e[1]", "q\n1\n0\n1\n"), ("e1", "q\n0\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.csv").write_text(text)
    monkeypatch.chdir(tmp_path / "e[1]")
    assert count(cli, "a.csv", "--column", "q")[:2] == (0, [1, 2])


def test_a_path_above_a_linked_folder(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder above a linked folder is that of its target, and another file may have this path as a text."""
    (tmp_path / "far" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "far" / "deep")
    monkeypatch.chdir(tmp_path)
    for name, pack in (("a.csv", bytes), ("a.csv.gz", gzip.compress)):
        Path("far", name).write_bytes(pack(b"q\n1\n0\n1\n"))
        assert count(cli, f"link/../{name}", "--column", "q")[:2] == (0, [1, 2])
        Path(name).write_bytes(pack(b"q\n0\n"))
        assert count(cli, f"link/../{name}", "--column", "q")[:2] == (0, [1, 2])


@pytest.mark.slow
def test_damaged_databases(cli: Cli, tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """Bytes of an SQLite and of a DuckDB file are changed: an answer or one line, and no crash of the process."""
    import duckdb

    files = {"a.sqlite": tmp_path / "a.sqlite", "a.duckdb": tmp_path / "a.duckdb"}
    connection = sqlite3.connect(files["a.sqlite"])
    connection.execute("CREATE TABLE t (q TEXT, other TEXT)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", [(str(i % 2), "x" * i) for i in range(50)])
    connection.commit()
    connection.close()
    made = duckdb.connect(str(files["a.duckdb"]))
    made.execute("CREATE TABLE t AS SELECT (i % 2)::VARCHAR AS q FROM range(50) t(i)")
    made.close()
    points = size(20, 400)
    script = tmp_path / "run.py"
    script.write_text(
        "import sys\nfrom rropt.cli.main import main\n"
        "for path in sys.argv[1:]:\n"
        "    print('status', main(['estimate', path, '--column', 'q', '--mechanism', 'warner:3/4', '--json']))\n"
    )
    paths = []
    for seed in range(points):
        rng = random.Random(seed)
        name = rng.choice(sorted(files))
        data = bytearray(files[name].read_bytes())
        for _ in range(rng.randint(1, 20)):
            data[rng.randrange(rng.choice([100, 4096, len(data)]))] = rng.randrange(256)
        path = tmp_path / f"{seed}-{name}"
        path.write_bytes(data)
        paths.append(str(path))
    done = subprocess.run([sys.executable, str(script), *paths], capture_output=True, text=True, check=False)
    statuses = [line for line in done.stdout.splitlines() if line.startswith("status")]
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(statuses) == points
    assert set(statuses) <= {"status 0", "status 2"}
    assert "Traceback" not in done.stderr


BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip": lambda: gzip.compress(b"q\n" + b"0\n" * (40 << 20), 9),
    "gzip-members": lambda: gzip.compress(b"q\n") + gzip.compress(b"0\n" * (1 << 20), 9) * 40,
    "zstd": lambda: zstd(b"q\n" + b"0\n" * (40 << 20)),
    "zip": lambda: zipped(b"q\n" + b"0\n" * (40 << 20)),
    "zip-that-lies": lambda: _lying(zipped(b"q\n" + b"0\n" * (40 << 20))),
    "nested-gzip": lambda: gzip.compress(gzip.compress(b"q\n0\n")),
    "nested-zip": lambda: zipped(zipped(b"q\n0\n"), "a.zip"),
    "gzip-of-zip": lambda: gzip.compress(zipped(b"q\n0\n")),
    "many-members": lambda: zipped(b"q\n0\n", *(f"{i}.csv" for i in range(2000))),
    "huge-directory": lambda: b"PK\x03\x04" + bytes(60) + b"PK\x05\x06" + bytes(8) + b"\xff\xff\xff\xff" + bytes(6),
    "empty-zip": lambda: zipped(b"")[-22:],
    "workbook": lambda: zipped(b" " * (80 << 20), "xl/workbook.xml", "xl/worksheets/sheet1.xml"),
    "zlib": lambda: zlib.compress(b"q\n0\n"),
}


def _lying(data: bytes) -> bytes:
    """Return a zip file whose directory says that its member is small."""
    at = data.rfind(b"PK\x01\x02")
    return data[: at + 24] + (100).to_bytes(4, "little") + data[at + 28 :]


@pytest.mark.slow
@pytest.mark.parametrize("kind", BOMBS)
def test_what_unpacks_to_too_much(cli: Cli, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(BOMBS[kind]())
    status, counts, err = count(cli, str(path), "--column", "q")
    assert (status, counts, err.count("\n")) == (2, None, 1), err


def test_a_column_of_equal_answers_may_be_packed(cli: Cli, tmp_path: Path) -> None:
    """Below 64 MiB no ratio is too large: equal answers pack to a thousandth."""
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"q\n" + b"1\n" * 2_000_000, 9))
    assert count(cli, str(path), "--column", "q")[:2] == (0, [0, 2_000_000])


def test_sizes_are_limited(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rropt_fieldwork.reading import files_in_memory

    monkeypatch.setattr(files_in_memory, "MOST_HELD", 1000)
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"q\n" + b"1\n" * 2000))
    status, _, err = count(cli, str(path), "--column", "q")
    assert (status, "too large to be held in memory" in err) == (2, True)


@pytest.mark.slow
def test_databases_and_lines_of_all_kinds(cli: Cli, tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """JSON lines, JSON arrays and SQLite of random values: the counts that Python's own readers give."""
    points = size(5, 50)
    values: list[Any] = [0, 1, "0", "1", 1.0, 0.0, True, False, None, "", "NA", " 1 "]
    code = {"0": 0, "1": 1, "1.0": 1, "0.0": 0, "True": 1, "False": 0}
    for seed in range(points):
        rng = random.Random(seed)
        rows = [rng.choice(values) for _ in range(rng.randint(1, 40))] + [1]
        told = Counter(code.get(str(value).strip()) for value in rows)
        lines, base, array = (tmp_path / f"{seed}.{kind}" for kind in ("jsonl", "db", "json"))
        noise: list[dict[str, Any]] = [{}, {"x": "\u2028\x1b"}, {"x": [1, {"y": 2}]}, {"\u202eq": 5}]
        lines.write_text(
            "".join(json.dumps({"q": value, **rng.choice(noise)}) + rng.choice(["\n", "\r\n"]) for value in rows)
        )
        objects = [{"q": value, **rng.choice(noise)} for value in rows]
        array.write_text(
            json.dumps(objects, indent=rng.choice([None, 0, 3])), rng.choice(["utf-8", "utf-8-sig", "utf-16"])
        )
        connection = sqlite3.connect(base)
        connection.execute('CREATE TABLE "a ""b""; --" (id INTEGER PRIMARY KEY, q)')
        connection.executemany('INSERT INTO "a ""b""; --" (q) VALUES (?)', [(value,) for value in rows])
        connection.commit()
        connection.close()
        for path in lines, base, array:
            assert count(cli, str(path), "--column", "q")[:2] == (0, [told[0], told[1]]), (seed, path)
    assert points >= 5


@few_rows(1)
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('t,q\n"x\ny",1\n"u\nv\nw",1\nk,7\n', 7),
        ('"t\nu",q\nx,1\ny,9\n', 4),
        ("t,q\nx,1\n\ny,0\n\n\nz,9\n", 7),
        ("\n\nq,t\n1,a\n5,b\n", 5),
        ('\r\nsep=;\r\nq;t\r\n"1";a\r\n\r\n5;b\r\n', 6),
        ('{"q":1}\n\n{"q":5}\n', 3),
    ],
)
def test_lines_of_messages(cli: Cli, tmp_path: Path, text: str, line: int) -> None:
    """Values with line ends and blank lines are counted, and blank lines above the header are no header."""
    path = tmp_path / "a.csv"
    path.write_bytes(text.encode())
    assert f"line {line} of the data contains no answer" in estimate(cli, path)[2]
    path.write_bytes(text.replace("7\n", "0\n").replace("9\n", "0\n").replace("5", "0").encode())
    assert estimate(cli, path)[0] == 0


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@few_rows(1)
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_utf_16_with_each_line_end(cli: Cli, tmp_path: Path, encoding: str, end: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(end.join(["q;t", "1;a", "0;b", "1;c", ""]).encode(encoding))
    assert count(cli, str(path), "--column", "q")[:2] == (0, [1, 2])


def test_a_bad_line_of_several_files(cli: Cli, tmp_path: Path) -> None:
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text("q,t\n1,a\n0,b\n")
    second.write_text("q,t\n1,a\n0\n")
    assert "/b.csv' has 1 value, and 2 are expected" in estimate(cli, first, second)[2]


def estimate(cli: Cli, *paths: Path) -> tuple[int, str, str]:
    return cli("estimate", *map(str, paths), "--column", "q", "--mechanism", "warner:3/4")


@pytest.mark.slow
def test_columns_that_differ_in_case(cli: Cli, tmp_path: Path) -> None:
    """DuckDB ignores the case of names: each column is read by its position, or refused."""
    import pandas as pd
    import polars
    import pyarrow as pa
    from pyarrow import feather, parquet

    frame = pd.DataFrame({"q": [1, 1, 1, 0], "Q": [0, 0, 0, 0], "g": ["a", "a", "b", "b"]})
    table = pa.Table.from_pandas(frame)
    feather.write_feather(table, tmp_path / "a.feather")
    parquet.write_table(table, tmp_path / "a.parquet")
    frame.to_stata(tmp_path / "a.dta", write_index=False)
    frame.to_csv(tmp_path / "a.csv", index=False)
    paths = [tmp_path / f"a.{end}" for end in ("feather", "parquet", "dta", "csv")]
    arrays = {name: frame[name].to_numpy() for name in frame}
    for data in (*paths, frame, table, polars.DataFrame(frame), arrays):
        found = estimate_table(data, ["Q", "q"], "bits:warner:3/4*2")
        assert [one.estimate for one in found] == [Fraction(-1, 2), 1]
    frame.to_json(tmp_path / "a.json", orient="records", lines=True)
    with pytest.raises(FileFormatError, match="differ in upper and lower case only: received 'Q, q'"):
        estimate_table(tmp_path / "a.json", ["Q", "q"], "bits:warner:3/4*2")
    with pytest.raises(InvalidParameterError, match="did you mean 'g'"):
        estimate_table(frame, "G", "warner:3/4")
    with pytest.raises(InvalidParameterError, match="more than one column of 2 has that name"):
        estimate_table(frame.set_axis(["q", "q", "g"], axis=1)[["q"]], "q", "warner:3/4")
    named = frame.rename(columns={"Q": "column_names"})  # also an attribute of tables of Arrow
    assert estimate_table(named, "column_names", "warner:3/4")[0].estimate == Fraction(-1, 2)
    given = ("randomize", str(tmp_path / "a.csv"), "--column", "q", "--mechanism", "warner:3/4", "--keep", "Q")
    assert cli(*given)[1].startswith("q,Q\n")
    status, _, err = cli(*given, "--output", str(tmp_path / "b.csv"))
    assert (status, "differ in upper and lower case only" in err) == (2, True)
