"""Estimates from files and frames: every form of the same answers, what is refused, and what is never repeated."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from later import later
from support.table_calls import table_estimate
from table_calls import estimate_table, regress_table

import rropt
import rropt_fieldwork
from rropt.answers import answers_of_counts
from rropt.core.errors import FileAccessError, FileFormatError, InvalidParameterError, RroptError
from rropt.estimates.estimated import Estimates
from rropt.inference import estimate_cells
from rropt_fieldwork.reading.counting import request_of
from rropt_fieldwork.reading.device_columns import answers_with

duckdb = later("duckdb")
pd = later("pandas")
pl = later("polars")
pa = later("pyarrow")
feather = later("pyarrow.feather")
parquet = later("pyarrow.parquet")

Cli = Callable[..., tuple[int, str, str]]

SECRET = "s3cr3t"
ETHBE = Path(__file__).resolve().parents[3] / "shared" / "data" / "ethbe_crosswise.csv"
ITEMS = ("copied", "notes", "drugs", "handed in", "someone else's")

SICK = [("no", "A"), ("yes", "A"), ("yes", "B"), ("no", "B"), ("no", "B"), ("yes", "A"), ("", "B")] * 3
COLUMNS = {
    "id": [str(i) for i in range(len(SICK))],
    "is sick; 'or' \"was\"": [sick for sick, _ in SICK],
    "region": [region for _, region in SICK],
}
QUESTION = list(COLUMNS)[1]
OPTIONS: dict[str, Any] = {"categories": ["no", "yes"], "by": "region"}


def text(separator: str = ",", end: str = "\n", quotes: int = csv.QUOTE_MINIMAL) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator=end, quoting=quotes)
    writer.writerow(COLUMNS)
    writer.writerows(zip(*COLUMNS.values(), strict=True))
    return stream.getvalue()


def excel(path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(list(COLUMNS))
    for row in zip(*COLUMNS.values(), strict=True):
        sheet.append([value or None for value in row])
    book.save(path)


FILES: dict[str, Callable[[Path], object]] = {
    "plain": lambda p: p.write_text(text()),
    "semicolons": lambda p: p.write_text(text(";")),
    "tabs": lambda p: p.write_text(text("\t")),
    "bars": lambda p: p.write_text(text("|")),
    "windows": lambda p: p.write_bytes(text(end="\r\n").encode()),
    "mac": lambda p: p.write_bytes(text(end="\r").encode()),
    "mixed-ends": lambda p: p.write_bytes(text(end="\r\n").encode().replace(b"\r\n3,", b"\n3,")),
    "byte-order-mark": lambda p: p.write_text(text(";", quotes=csv.QUOTE_ALL), "utf-8-sig"),
    "excel-says-sep": lambda p: p.write_bytes(("sep=;\r\n" + text(";", "\r\n")).encode()),
    "utf-16": lambda p: p.write_text(text("\t"), "utf-16"),
    "windows-1252": lambda p: p.write_bytes(text().replace("\n0,", "\n\xe9\u20ac,").encode("cp1252")),
    "blanks": lambda p: p.write_text(text().replace("yes,", " yes ,").replace("no,", "no\t,")),
    "no-last-end": lambda p: p.write_text(text().rstrip("\n")),
    "parquet": lambda p: parquet.write_table(pa.table(COLUMNS), p),
    "feather": lambda p: feather.write_feather(pa.table(COLUMNS), str(p)),
    "excel": excel,
}


def require(found: Estimates) -> None:
    device, counts = rropt.Mechanism("warner:3/4"), Counter(SICK)
    for group in found:
        alone = rropt.inference.estimate(device, [counts[answer, group.group] for answer in ("no", "yes")])
        assert (group.n, group.estimate) == (alone.n, alone.prevalence)
        assert group.se == alone.standard_error
    assert [group.group for group in found] == ["A", "B"]
    assert (found.nobs, found.missing) == (len(SICK) - 3, (3,))


@few_rows(2)
@pytest.mark.parametrize("form", FILES)
def test_forms_of_files(tmp_path: Path, form: str) -> None:
    """One survey in every form that people have it gives the estimates that its counts give."""
    path = tmp_path / "an [odd] *name'.dat"
    FILES[form](path)
    found = estimate_table(path, QUESTION, "warner:3/4", **OPTIONS)
    require(found)
    assert Estimates.from_json(found.to_json()) == found
    assert len(found.remarks()) == 1 + (form in ("utf-16", "windows-1252"))


def test_another_encoding_far_down(tmp_path: Path) -> None:
    """What is no UTF-8 beyond the first megabyte is read again, and said."""
    path = tmp_path / "a.csv"
    name = "A" * 200
    path.write_bytes(b"q,g\n" + f"1,{name}\n".encode() * 6000 + "0,Gen\u00e8ve\n".encode("cp1252"))
    found = estimate_table(path, "q", "warner:3/4", by="g")
    assert [(group.group, group.n) for group in found] == [(name, 6000), ("Gen\u00e8ve", 1)]
    assert "Windows-1252" in found.remarks()[0]


FRAMES: dict[str, Callable[[], object]] = {
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "categorical": lambda: pd.DataFrame(COLUMNS).astype("category"),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "lazy": lambda: pl.DataFrame(COLUMNS).lazy(),
    "arrow": lambda: pa.table(COLUMNS),
    "numpy": lambda: {name: np.array(values, object) for name, values in COLUMNS.items()},
    "relation": lambda: duckdb.connect().from_arrow(pa.table(COLUMNS)),
    "answers": lambda: duckdb.connect().register("answers", pa.table(COLUMNS)).table("answers"),
}


@few_rows(3)
@pytest.mark.parametrize("form", FRAMES)
def test_forms_of_frames(form: str) -> None:
    require(estimate_table(FRAMES[form](), QUESTION, "warner:3/4", **OPTIONS))


@few_rows(3)
@pytest.mark.parametrize(
    "values",
    [
        [0, 1, 1, None],
        [0.0, 1.0, 1.0, float("nan")],
        [False, True, True, None],
        ["0", "1", 1, ""],
        [b"0", b"1", b"1", b""],
    ],
    ids=["whole", "floats", "truths", "mixed", "bytes"],
)
def test_types_of_answers(values: list[Any]) -> None:
    """Numbers, floats, truth values and texts in one column are the answers 0 and 1; a gap is a gap."""
    found = estimate_table(pd.DataFrame({"q": values}), "q", "warner:3/4")
    assert (found[0].n, found.missing) == (3, (1,))
    assert found[0].estimate == rropt.inference.estimate(rropt.Mechanism("warner:3/4"), [1, 2]).prevalence


@pytest.mark.parametrize("device", [{"mechanism": "warner:3/4"}, {"mechanism": "bits:3/4"}, {"devices": "d"}])
def test_a_list_of_one_question_is_that_question(device: dict[str, Any]) -> None:
    """It has one interval with proved coverage, and not another one for two cells at once."""
    data = {"q": np.arange(90) % 3 % 2, "d": np.array(["warner:3/4", "warner:2/3"] * 45, object)}
    one, *others = (
        table_estimate(data=data, **how, **device, confidence="0.9")
        for how in ({"column": "q"}, {"columns": "q"}, {"columns": ["q"]})
    )
    assert [other == one for other in others] == [True, True]


def test_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text(";", "\r\n").encode("utf-8-sig"))))
    quoted = '"' + QUESTION.replace('"', '""') + '"'
    options = ("--categories", "no,yes", "--by", "region", "--json")
    status, out, err = cli("estimate", "-", "--columns", quoted, "--mechanism", "warner:3/4", *options)
    assert status == 0, err
    require(Estimates.from_json(out))


def test_one_question_of_a_file_is_its_counts(cli_json: Callable[..., dict], cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "nigeria.csv"
    path.write_text("id,contact\n" + "".join(f"{i},{'yes' if i < 831 else 'no'}\n" for i in range(2435)))
    options = ("--column", "contact", "--categories", "no,yes", "--mechanism", "forced:2/3,1/6,1/6")
    found = cli_json("estimate", str(path), *options)
    assert (found["rows"][0]["estimate"], found["rows"][0]["n"], found["read"]["rows"]) == ("2551/9740", 2435, 2435)
    assert "2435 rows" in cli("estimate", str(path), *options)[2]


def test_devices_from_a_file(cli_json: Callable[..., dict], cli: Cli, tmp_path: Path) -> None:
    """Names stand for mechanisms in a file; a name in the data is never the path of one."""
    data, names = tmp_path / "a.csv", tmp_path / "devices.json"
    data.write_text("q,d\n" + "0,red\n1,red\n1,blue\n" * 5)
    names.write_text('{"red": "warner:3/4", "blue": {"matrix": [["2/3", "1/3"], ["1/3", "2/3"]]}}')
    options = ("estimate", str(data), "--column", "q", "--devices")
    found = cli_json(*options, f"d={names}")
    parts = [("warner:3/4", [5, 5]), ("warner:2/3", [0, 5])]
    table = estimate_cells([answers_of_counts(rropt.Mechanism(name), counts) for name, counts in parts])
    assert Fraction(found["rows"][0]["estimate"]) == table.estimate[1]
    (tmp_path / "red").write_text('{"matrix": [["2/3", "1/3"], ["1/3", "2/3"]]}')
    assert "names no mechanism" in cli(*options, "d")[2]
    data.write_text(f"q,d\n0,{tmp_path / 'red'}\n")
    status, _, err = cli(*options, "d")
    assert status == 2
    assert "line 2 of the data names no mechanism" in err


def test_missing_texts_are_counted_and_left_out(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("q\n0\nprefer not\n\n1\nNA\n")
    options = ("estimate", str(path), "--column", "q", "--mechanism", "warner:3/4")
    status, _, err = cli(*options, "--missing", "", "prefer not")
    assert (status, "line 6 of the data contains no answer" in err) == (2, True)  # NA was not named
    status, out, err = cli(*options, "--missing", "", "prefer not", "NA")
    assert (status, re.search(r"the trait +2 ", out) is not None, "q: 3 missing, left out" in err) == (0, True, True)
    assert "3 missing answers were left out: the estimates are biased if" in err
    path.write_text("q\n0\nrefused\n\n1.0\nVerweigert\n0.0\n10\n".replace("10\n", ""))
    status, out, err = cli(*options, "--json")
    assert json.loads(out)["counts"] == [2, 1]
    assert json.loads(out)["read"]["columns"][0]["missing"] == 3
    status, _, err = cli("randomize", *options[1:])
    assert (status, "missing" in err or "no answer" in err) == (2, True)


def _parquet(path: Path) -> None:
    parquet.write_table(pa.table({"q": [SECRET] * 5000 + ["0"]}), path)
    path.write_bytes(path.read_bytes()[:-20])


BAD: dict[str, tuple[Callable[[Path], object], tuple[str, ...]]] = {
    "truncated-parquet": (_parquet, ("damaged",)),
    "not-parquet": (lambda p: p.write_bytes(b"PAR1" + SECRET.encode()), ("damaged",)),
    "not-feather": (lambda p: p.write_bytes(b"ARROW1" + SECRET.encode()), ("damaged",)),
    "not-excel": (lambda p: p.write_bytes(b"PK\x03\x04" + SECRET.encode()), ("damaged",)),
    "old-excel": (lambda p: p.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), (".xlsx",)),
    "ragged": (lambda p: p.write_text("q,r\n" + "0,1\n" * 30_000 + f"{SECRET}\n"), ("line 30002", "has 1 value,")),
    "too-long": (lambda p: p.write_text(f"q,r\n0,1\n0,1,{SECRET}\n"), ("line 3", "has 3 values")),
    "open-quote": (lambda p: p.write_text(f'q,r\n0,1\n"{SECRET},1\n'), ("line 3", "is not CSV")),
    "empty": (lambda p: p.write_text(""), ("empty",)),
    "blank": (lambda p: p.write_text("\n\n \n"), ("empty",)),
    "header-alone": (lambda p: p.write_text("q,r\n"), ("empty",)),
    "similar-column": (lambda p: p.write_text(f"qu,{SECRET}\n0,1\n"), ("did you mean 'qu'?",)),
    "no-column": (lambda p: p.write_text(f"answer,{SECRET}\n0,1\n"), ("no column of 2",)),
    "two-columns": (lambda p: p.write_text("q,q\n0,1\n"), ("more than one column",)),
    "answers": (
        lambda p: p.write_text("q\n" + f"0\n{SECRET}\n" * 12),
        ("lines 3, 5, 7, 9, 11, 13, 15, 17, 19, 21", "the first 10 of 12"),
    ),
    "out-of-range": (lambda p: p.write_text("q\n0\n2\n"), ("line 3 of the data contains no answer", "0 and 1")),
    "all-missing": (lambda p: p.write_text("q,r\n,1\n,1\n"), ("no respondent answered",)),
    "binary": (lambda p: p.write_bytes(b"q\n\x81\x8d\xff\n"), ("not text",)),
    "folder": (lambda p: p.mkdir(), ("cannot be read",)),
    "nothing": (lambda p: None, ("cannot be read",)),
}


@pytest.mark.parametrize("form", BAD)
def test_bad_input(cli: Cli, tmp_path: Path, form: str) -> None:
    path, (write, told) = tmp_path / "answers.dat", BAD[form]
    write(path)
    status, out, err = cli("estimate", str(path), "--column", "q", "--mechanism", "warner:3/4")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert all(each in err for each in told), err
    assert SECRET not in err


@pytest.mark.slow
def test_a_ragged_row_far_down(cli: Cli, tmp_path: Path, size: Callable[[int, int], int]) -> None:
    path, rows = tmp_path / "a.csv", size(200_000, 1_000_000)
    path.write_text("q,r\n" + "0,1\n" * (rows - 2) + f"{SECRET}\n" + "0,1\n" * 1000)
    status, _, err = cli("estimate", str(path), "--column", "q", "--mechanism", "warner:3/4")
    assert (status, f"line {rows} of the data has 1 value, and" in err, SECRET in err) == (2, True, False)


def test_hostile_names_and_values(tmp_path: Path) -> None:
    """Names and values that are pieces of SQL are names and values."""
    other = tmp_path / "other.csv"
    other.write_text("x\n1\n")
    names = [
        '"; DROP TABLE answers; --',
        "q0",
        "g0",
        f"read_csv('{other}')",
        "a\"b'c",
        "count(*)",
        "* FROM answers) --",
        "\\",
        "d\u0000d",
    ]
    for name in names:
        table = pa.table({name: ["0", "1", "1"], "x": ["'; --", 'g"', "g"]})
        frames = [pd.DataFrame(table.to_pydict())] if name == names[0] else []
        for data in (table, *frames):
            if "\u0000" in name:
                with pytest.raises(RroptError):
                    estimate_table(data, "absent", "warner:3/4")
                continue
            found = estimate_table(data, name, "warner:3/4", by="x")
            assert sorted(group.group for group in found) == sorted(["'; --", 'g"', "g"])
    values = ["') OR 1=1 --", '"', "no", "yes"]
    found = estimate_table(pa.table({"q": values * 2}), "q", "grr:4,1/2", categories=values)
    assert [one.estimate for one in found] == [Fraction(1, 4)] * 4
    files = {path.name for path in tmp_path.iterdir()}
    assert files == {"other.csv"}


def test_one_path_is_read_and_nothing_else(tmp_path: Path) -> None:
    """The connection reads its file, no other, writes nothing, loads nothing, and stays so."""
    from rropt_fieldwork.reading.duckdb_connection import connected

    mine, other = tmp_path / "mine.csv", tmp_path / "other.csv"
    for path in (mine, other):
        path.write_text("a\n1\n")
    connection = connected([str(mine)], [])
    assert connection.execute("SELECT count(*) FROM read_csv(?)", [str(mine)]).fetchall() == [(1,)]
    for statement in (
        f"SELECT * FROM read_csv('{other}')",
        f"SELECT * FROM '{other}'",
        f"COPY (SELECT 1) TO '{tmp_path / 'new.csv'}'",
        f"ATTACH '{tmp_path / 'new.db'}'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET allowed_paths = ['/']",
        "SELECT * FROM read_csv('http://127.0.0.1/x.csv')",
    ):
        with pytest.raises(duckdb.Error):
            connection.execute(statement)
    assert {path.name for path in tmp_path.iterdir()} == {"mine.csv", "other.csv"}
    with pytest.raises(FileAccessError):
        estimate_table("http://127.0.0.1/x.csv", "a", "warner:3/4")


def test_arguments(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('q,r,d,e\n0,1,warner:3/4,warner:3/4\n1,1,nobody,"hadamard:2048,3"\n')
    for options, told in (
        ({"mechanism": None}, "a mechanism is required"),
        ({"devices": "d"}, "not both"),
        ({"columns": ["q", "r"]}, "do not fit the mechanism"),
        ({"columns": ["q", "q"]}, "not different"),
        ({"categories": ["a"]}, "categories"),
        ({"categories": ["a", "b", "c"]}, "categories do not fit"),
        ({"by": "z"}, "no column"),
        ({"confidence": 2}, "confidence"),
        ({"mechanism": None, "devices": "d"}, "line 3 of the data names no mechanism"),
        ({"mechanism": None, "devices": "e"}, "line 3 of the data names no mechanism"),  # of eight million entries
        ({"data": {"q": 7}}, "no table: received dict of no arrays; allowed are"),
        ({"data": [0, 1]}, "no table: received list; allowed are"),
        ({"data": {}}, "`data` is empty: received {}"),
    ):
        arguments = {"data": path, "columns": "q", "mechanism": "warner:3/4", **options}
        with pytest.raises((InvalidParameterError, FileFormatError), match=told):
            estimate_table(**arguments)


def test_sixty_devices_and_forty_groups(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """A survey with everything, held against counts that Python's own Counter makes."""
    devices = [f"unrelated:1/2,{k}/61" for k in range(1, 61)]
    n = size(3000, 60_000)
    rows = [(rng.choice(["no", "yes", "yes", ""]), f"g{rng.randrange(40)}", rng.choice(devices)) for _ in range(n)]
    table = pa.table(dict(zip(("q", "g", "d"), map(list, zip(*rows, strict=True)), strict=True)))
    options = {"categories": ["no", "yes"], "by": "g"}
    found = estimate_table(table, "q", devices="d", **options)
    assert (found.mechanism.endswith("and 54 more devices"), len(found)) == (True, 40)
    counts = Counter(rows)
    for group in found[: size(3, 40)]:
        parts = []
        for device in devices:
            both = [counts[answer, group.group, device] for answer in ("no", "yes")]
            if sum(both):
                parts.append(answers_of_counts(rropt.Mechanism(device), both))
        assert group.estimate == estimate_cells(parts, exact=True).estimate[1]


# Figures: ETHBE, item counts of "CM pick-a-number" (Hoeglinger, Jann, Diekmann 2016; package GLMMRR): p of the
# crosswise model, respondents, answers 1, for the item "copied".
COPIED = (("1/6", 172, 114), ("1/4", 172, 104), ("3/4", 170, 72), ("5/6", 192, 71))


def test_a_survey_with_four_devices(tmp_path: Path) -> None:
    path = tmp_path / "copied.csv"
    lines = [f"{int(i < ones)};crosswise:{p}" for p, n, ones in COPIED for i in range(n)]
    path.write_text("copied;device\n" + "\n".join(lines) + "\n")
    found = estimate_table(path, "copied", devices="device")
    parts = [answers_of_counts(rropt.Mechanism(f"crosswise:{p}"), [n - ones, ones]) for p, n, ones in COPIED]
    (group,) = found
    table = estimate_cells(parts)
    assert (group.estimate, group.n) == (table.estimate[1], 706)
    assert group.se == pytest.approx(table.standard_errors[1])


def test_the_whole_survey_in_one_command(cli_json: Callable[..., dict], tmp_path: Path) -> None:
    """ETHBE: one row for each respondent, five answers, a device each: by item and condition, as from the counts."""
    if not ETHBE.exists():
        pytest.skip("the tables of the survey are not in ../shared/data")
    rows, counts = list(csv.DictReader(ETHBE.open())), Counter[Any]()
    path = tmp_path / "ethbe.csv"
    with path.open("w", newline="", encoding="utf-8-sig") as stream:
        writer = csv.writer(stream, delimiter=";", lineterminator="\r\n")
        writer.writerow(["condition", "device", *ITEMS])
        for row in rows:
            chances = [row[f"p_item{item}"] for item in range(5)]
            for _ in range(int(row["count"])):
                writer.writerow(
                    [row["condition"], "bits:" + ",".join(f"crosswise:{p}" for p in chances), *row["answers"]]
                )
            for item in range(5):
                counts[row["condition"], item, chances[item], row["answers"][item]] += int(row["count"])
    found = cli_json("estimate", str(path), "--columns", ",".join(ITEMS), "--devices", "device", "--by", "condition")
    assert found["read"]["rows"] == 1427
    for item, title in enumerate(ITEMS):
        for group in (one for one in found["rows"] if one["question"] == title):
            chances = sorted({p for condition, i, p, _ in counts if (condition, i) == (group["group"], item)})
            both = [[counts[group["group"], item, p, answer] for answer in "01"] for p in chances]
            parts = [
                answers_of_counts(rropt.Mechanism(f"crosswise:{p}"), one) for p, one in zip(chances, both, strict=True)
            ]
            assert Fraction(group["estimate"]) == estimate_cells(parts, exact=True).estimate[1]


@pytest.mark.slow
def test_no_reader_is_loaded_that_is_not_needed(tmp_path: Path) -> None:
    """DuckDB alone reads CSV: the libraries of frames are not there for most people.

    DuckDB before version 2 imports pandas and PyArrow itself, if they are there.
    """
    path = tmp_path / "a.csv"
    path.write_text("q\n0\n1\n")
    code = (
        f"import sys, rropt_fieldwork; rropt_fieldwork.estimate_table({str(path)!r}, 'q', 'warner:3/4');"
        "import duckdb; own = ('pandas', 'pyarrow') if duckdb.__version__ < '2' else ();"
        "print([m for m in ('pandas', 'polars', 'pyarrow', 'openpyxl') if m in sys.modules and m not in own])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_a_picture_of_groups(cli: Cli, tmp_path: Path) -> None:
    """The JSON of a command is what a picture is drawn from; its data are the estimates."""
    data, saved, drawn = tmp_path / "a.csv", tmp_path / "groups.json", tmp_path / "groups.svg"
    data.write_text("q,g\n" + "0,north\n1,south\n1,north\n" * 10)
    out = cli("estimate", str(data), "--columns", "q", "--by", "g", "--mechanism", "warner:3/4", "--json")[1]
    saved.write_text(out)
    assert cli("plot", "groups", str(saved), "--output", str(drawn))[0] == 0
    svg = drawn.read_text()
    assert all(word in svg for word in ("north (20)", "south (10)", "guaranteed (exact)", "by g"))
    status, _, err = cli("plot", "groups", str(saved), "z", "--output", str(drawn))
    assert (status, "no such proportion" in err) == (2, True)
    saved.write_text('{"reading": 3}')
    assert cli("plot", "groups", str(saved), "--output", str(drawn))[0] == 2


def test_too_many_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A column of anything in the place of answers is called that, and not its groups."""
    monkeypatch.setattr("rropt_fieldwork.reading.kinds._MOST_KINDS", 100)
    table = pa.table({"q": [f"{SECRET} {i}" for i in range(200)], "g": ["a", "b"] * 100})
    for by in ("g", ()):
        with pytest.raises(
            FileFormatError, match=r"too many different answers: received 100 .* in 'q'; is it"
        ) as caught:
            estimate_table(table, "q", "warner:3/4", by=by)
        assert SECRET not in str(caught.value)


def test_too_many_groups(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,q\n" + "".join(f"{i},1\n" for i in range(201)))
    monkeypatch.setattr("rropt_fieldwork.reading.kinds.MOST_CELLS", 200)
    status, _, err = cli("estimate", str(path), "--columns", "q", "--by", "id", "--mechanism", "warner:3/4")
    assert (status, "too many" in err) == (2, True)


@few_rows(1)
@pytest.mark.parametrize("config", [{}, {"IPKernelApp": {}}])
def test_no_progress_bar_of_another_library_on_standard_output(config: dict[str, object]) -> None:
    """DuckDB draws one there after two seconds where it takes Python for interactive, as it does for ``python -c``.

    In a notebook without ipywidgets it refuses to change the setting, and has no bar.
    """
    program = (
        "import sys, types; ipython = sys.modules['IPython'] = types.ModuleType('IPython'); "
        f"ipython.get_ipython = lambda: types.SimpleNamespace(config={config}); "
        "from rropt_fieldwork.reading.duckdb_connection import connected; "
        "print(connected([], None).execute(\"SELECT current_setting('enable_progress_bar')\").fetchone())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "(False,)\n"


def test_groups_whose_texts_read_alike(tmp_path: Path) -> None:
    """Different groups have different names, whatever commas their texts contain."""
    path = tmp_path / "a.csv"
    path.write_text('g,h,q\n"a, b",c,1\n"a, b",c,1\na,"b, c",0\na,"b, c",0\n,d,1\n(empty),d,0\n')
    found = estimate_table(path, "q", "warner:3/4", by=["g", "h"])
    assert {one.group: one.n for one in found} == {
        '"a, b", c': 2,
        'a, "b, c"': 2,
        "(empty), d": 1,
    }
    alone = estimate_table(path, "q", "warner:3/4", by="g")
    assert [one.group for one in alone] == ["(empty)", "a", "a, b"]  # an empty cell is no group
    path.write_text("g,q\nall,1\nall,0\nb,1\nb,0\n")
    found = estimate_table(path, "q", "warner:3/4", by="g", fpc=100)
    assert [row[0] for row in found.as_tables()[0][2]] == ["all", "b"]
    assert [one.group for one in found.overall] == [None]


@pytest.mark.parametrize("given", [{"weights": 5}, {"weights": ("w",)}, {"strata": 1}, {"clusters": ["w"]}])
def test_columns_of_the_sample_are_names(given: dict[str, Any]) -> None:
    """A number or a list is no column, and is not left out in silence."""
    rows = {"q": np.array([0, 1] * 20), "w": np.ones(40), "x": np.arange(40.0)}
    for call in (estimate_table, regress_table):
        with pytest.raises(InvalidParameterError, match=f"`{next(iter(given))}` is no text"):
            call(rows, "q" if call is estimate_table else "q ~ x", "warner:3/4", **given)


@few_rows(4)
@pytest.mark.parametrize(
    ("texts", "options", "counts"),
    [
        ("True False TRUE false 1.0 0", {}, [3, 3, 0]),
        ("true false", {"categories": ["true", "false"]}, [1, 1, 0]),
        ("99.0 1 0", {"missing": ["99.0"]}, [1, 1, 1]),
        ("99.0 1 0", {"missing": ["99"]}, [1, 1, 1]),
        ("false 1 0", {"missing": ["false"]}, [1, 1, 1]),
    ],
)
def test_truth_values_and_numbers_as_texts(
    tmp_path: Path, texts: str, options: dict[str, Any], counts: list[int]
) -> None:
    """The texts that pandas and R write for numbers and truth values, which may be names or missing responses."""
    path = tmp_path / "a.csv"
    path.write_text("q,t\n" + "".join(f"{text},x\n" for text in texts.split()))
    (answers,), reading = rropt_fieldwork.read_answers(path, request_of(["q"], "warner:3/4", **options))
    assert [*answers.histogram().tolist(), reading.questions[0].missing] == counts


def test_rows_have_the_same_order_whatever_the_engine_returns() -> None:
    """More than 2^20 combinations are rows; an engine returns the kinds of equal respondents in any order."""
    product = rropt.mechanisms.ProductMechanism([rropt.Mechanism("warner:3/4")] * 21)
    codes, n = np.random.default_rng(5).integers(0, 2, (9, 21)), np.arange(1, 10)
    found = answers_with(product, codes, n)
    assert found.counts is None
    assert found.n == 45
    assert answers_with(product, codes[::-1], n[::-1]) == found
