"""No true answer leaves ``randomize`` in another column: the output is compared with the input before it appears."""

from __future__ import annotations

import csv
import io
import json
import random
import sqlite3
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows
from later import later
from support.every_case import every_case

from rropt.answers.response_codes import Codes
from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt.mechanisms import Mechanism, named_mechanism
from rropt_fieldwork.randomizing import randomized_tables
from rropt_fieldwork.randomizing.output_checks import Written, WrittenColumn, check_output
from rropt_fieldwork.randomizing.randomized_tables import _number_of_lines, randomize_file, randomizing_of
from rropt_fieldwork.reading import readers
from rropt_fieldwork.reading.counting import CountRequest, request_of
from rropt_fieldwork.reading.sources import Source

pa = later("pyarrow")
pd = later("pandas")
parquet = later("pyarrow.parquet")

Cli = Callable[..., tuple[int, str, str]]

SICK = ("--column", "sick", "--categories", "no,yes", "--mechanism", "warner:3/4")
ROWS = [(("no", "yes")[i % 3 == 0], ("north", "south")[i % 2], str(i)) for i in range(30)]


def table(**more: Callable[[int], str]) -> dict[str, list[str]]:
    """Return columns: the answers, a region, and one more for each function of the row."""
    columns = {"sick": [row[0] for row in ROWS], "region": [row[1] for row in ROWS]}
    return columns | {name: [value(i) for i in range(30)] for name, value in more.items()}


def write_csv(path: Path, columns: dict[str, list[str]]) -> None:
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([columns, *zip(*columns.values(), strict=True)])


def write_sqlite(path: Path, columns: dict[str, list[str]]) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE t ({', '.join(columns)})")
    marks = ", ".join("?" * len(columns))
    connection.executemany(f"INSERT INTO t VALUES ({marks})", list(zip(*columns.values(), strict=True)))
    connection.commit()
    connection.close()


FORMS: dict[str, Callable[[Path, dict[str, list[str]]], object]] = {
    "csv": write_csv,
    "parquet": lambda path, columns: parquet.write_table(pa.table(columns), path),
    "jsonl": lambda path, columns: pd.DataFrame(columns).to_json(path, orient="records", lines=True),
    "xlsx": lambda path, columns: pd.DataFrame(columns).to_excel(path, index=False),
    "sqlite": write_sqlite,
    "dta": lambda path, columns: pd.DataFrame(columns).to_stata(path, write_index=False),
}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_a_kept_column_with_the_true_answers_is_refused(cli: Cli, tmp_path: Path, form: str) -> None:
    """The same texts, texts that correspond one-to-one or determine the answers, or neither; in each format."""
    path = tmp_path / f"a.{form}"
    columns = table(
        again=lambda i: ROWS[i][0],
        coded=lambda i: "J45" if ROWS[i][0] == "yes" else "Z00",
        nearly=lambda i: "J45" if ROWS[i][0] == "yes" or i == 1 else "Z00",
        finer=lambda i: f"{ROWS[i][0]}{i % 2}",
    )
    FORMS[form](path, columns)
    for output in ("b.csv", "b.parquet", None):
        place = () if output is None else ("--output", str(tmp_path / output))
        for name, told in {
            "again": "is equal to",
            "coded": "is in one-to-one correspondence to",
            "finer": "determines",
            "nearly": "nearly determines",
        }.items():
            for keep in (f"region,{name}", "*"):
                status, out, err = cli("randomize", str(path), *SICK, "--keep", keep, *place)
                assert (status, out) == (2, ""), err
                if keep != "*":
                    assert (
                        f"received '{name}', which {told} the answers to 'sick' in {'all ' * (name != 'nearly')}30 rows"
                        in err
                    )
        status, out, err = cli("randomize", str(path), *SICK, "--keep", "region", *place, "--json")
        assert status == 0, err
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([path.name, "b.csv", "b.parquet"])


def told_of(sick: list[str], other: list[str]) -> str:
    """Return the message about a kept column; "" if it is kept."""
    rows = [list(pair) for pair in zip(sick, other, strict=True)]
    source = Source("t", ("sick", "other"), blocks=lambda: iter([rows]))
    columns = [WrittenColumn("sick", 0, 0), WrittenColumn("other", 1)]
    codes = Codes(("no", "yes", "maybe"), None)
    counts = {code: sick.count(name) for code, name in enumerate(("no", "yes", "maybe")) if name in sick}
    try:
        check_output(source, columns, [codes], [counts], Written(rows, ["VARCHAR"] * 2))
    except InvalidParameterError as error:
        return str(error)
    return ""


def test_a_command_refuses_a_code_of_the_answers_in_few_rows(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    write_csv(path, {"sick": ["yes", "no"] * 8, "code": ["2", "1"] * 8, "number": list(map(str, range(16)))})
    status, out, err = cli("randomize", str(path), *SICK, "--keep", "code")
    assert (status, out) == (2, "")
    assert "received 'code', which is in one-to-one correspondence to the answers to 'sick' in all 16 rows" in err
    assert cli("randomize", str(path), *SICK, "--keep", "number")[0] == 0


def test_a_code_of_the_answers_is_refused_in_any_number_of_rows() -> None:
    """Numbers of rows determine the answers too, and are kept; a constant column reveals nothing."""
    for n in range(2, 60):
        sick = [("yes", "no")[i % 2] for i in range(n)]
        assert "in one-to-one correspondence to" in told_of(sick, [("2", "1")[i % 2] for i in range(n)])
        assert "in one-to-one correspondence to" in told_of([*sick, "maybe"], ["ab"[i % 2] for i in range(n)] + ["c"])
        assert "which is equal to" in told_of(sick, [("YES", "No")[i % 2] for i in range(n)])
        assert n == 2 or told_of(sick, [str(i) for i in range(n)]) == ""
        assert told_of(["yes"] * n, ["a"] * n) == ""


def test_values_that_recur_determine_the_answers_in_any_number_of_rows() -> None:
    """Up to ten values recur if they have two rows each on average, and more values if they have five."""
    for v in (3, 4, 9, 10, 11, 12, 20):
        least = 2 * v if v <= 10 else 5 * v
        for n, is_refused in ((least - 1, False), (least, True), (least + 1, True), (7 * v, True)):
            values = [i % v for i in range(n)]
            told = told_of([("no", "yes")[value % 2] for value in values], [f"band {value}" for value in values])
            assert ("which determines" in told) is is_refused, (v, n)
            if n > 5 * v:
                changed = ["yes", *(("no", "yes")[value % 2] for value in values[1:])]  # the first value has both
                assert "which nearly determines" in told_of(changed, [f"band {value}" for value in values])


def test_a_follow_up_question_with_different_texts_determines_the_answers() -> None:
    """All who said "no" left it blank; they are at least five, or half of the rows."""
    for no, yes, is_refused in ((2, 2, True), (3, 3, True), (3, 4, False), (4, 5, False), (5, 6, True), (5, 900, True)):
        sick, texts = ["no"] * no + ["yes"] * yes, [f"reason {i}" for i in range(yes)]
        assert ("which determines" in told_of(sick, [""] * no + texts)) is is_refused, (no, yes)
    assert "which is filled according to" in told_of(
        ["no"] * 20 + ["yes"] * 20, [""] * 19 + [f"r{i}" for i in range(21)]
    )


@few_rows(4)
@pytest.mark.parametrize("other", [["YES", "No"], ["Yes ", "NO"], ["1.0", "0"], ["01", "0.00"], ["true", "FALSE"]])
def test_answers_in_another_writing_are_the_same_answers(cli: Cli, tmp_path: Path, other: list[str]) -> None:
    """However few rows there are: people read YES as yes, and 1.0 as 1."""
    path = tmp_path / "a.csv"
    own = ["yes", "no"] if other[0].strip().lower() == "yes" else ["1", "0"]
    write_csv(path, {"sick": own * 3, "other": other * 3})
    options = ("--column", "sick", "--categories", ",".join(reversed(own)), "--mechanism", "warner:3/4")
    status, out, err = cli("randomize", str(path), *options, "--keep", "other")
    assert (status, out) == (2, "")
    assert "which is equal to the answers to 'sick' in all 6 rows" in err


def test_a_follow_up_question_determines_the_answers(cli: Cli, tmp_path: Path) -> None:
    """Blank if "no", and a year or a reason if "yes"; numbers of respondents do so by chance and are kept."""
    path = tmp_path / "a.csv"
    columns = {
        "sick": ["yes", "no"] * 20,
        "since": [str(2020 + i % 3) if i % 2 == 0 else "" for i in range(40)],
        "number": [str(i) for i in range(40)],
        "house": [str(i // 5) for i in range(40)],
    }
    write_csv(path, columns)
    status, out, err = cli("randomize", str(path), *SICK, "--keep", "since")
    assert (status, out) == (2, "")
    assert "received 'since', which determines the answers to 'sick' in all 40 rows" in err
    assert cli("randomize", str(path), *SICK, "--keep", "number,house")[0] == 0


def test_both_answers_in_one_text_determine_each(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    x, y = ["0", "1"] * 15, ["1", "1", "0"] * 10
    write_csv(path, {"x": x, "y": y, "z": [a + b for a, b in zip(x, y, strict=True)]})
    status, out, err = cli("randomize", str(path), "--columns", "x,y", "--mechanism", "bits:3/4*2", "--keep", "z")
    assert (status, out) == (2, "")
    assert "'z', which determines the answers to 'x'" in err


def test_answers_of_another_question(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    write_csv(path, {"x": ["0", "1"] * 15, "y": ["1", "1", "0"] * 10, "z": ["b", "b", "a"] * 10})
    status, out, err = cli("randomize", str(path), "--columns", "x,y", "--mechanism", "bits:3/4*2", "--keep", "z")
    assert (status, out) == (2, "")
    assert "'z', which is in one-to-one correspondence to the answers to 'y'" in err


@few_rows(1)
@pytest.mark.parametrize("output", ["b.csv", "b.parquet", None])
def test_columns_that_duckdb_takes_for_others(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str | None
) -> None:
    """Were DuckDB to read a file otherwise than ``csv``, nothing would be written, whatever the reason."""
    path, scan = tmp_path / "a.csv", readers._csv_scan
    columns = table(third=lambda i: ("no", "yes")[i % 5 == 0])
    write_csv(path, columns)
    place = () if output is None else ("--output", str(tmp_path / output))
    given = ("randomize", str(path), *SICK, "--keep", "region,third", *place)

    def shifted(*arguments: Any) -> Any:
        relation = scan(*arguments)
        return relation.select("c2 AS c0, c1, c0 AS c2")

    def swapped_rows(*arguments: Any) -> Any:
        relation = scan(*arguments)
        return relation.select("c0, c1, lead(c2, 1, c2) OVER () AS c2")

    for wrong in (shifted, swapped_rows):
        monkeypatch.setattr(readers, "_csv_scan", wrong)
        status, out, err = cli(*given)
        assert (status, out) == (2, ""), err
        assert "the output is not what the data say" in err
        assert "nothing was written" in err
        assert [each.name for each in tmp_path.iterdir()] == ["a.csv"]
    monkeypatch.setattr(readers, "_csv_scan", lambda *arguments: scan(*arguments).limit(29))
    assert cli(*given)[0] == 2
    monkeypatch.undo()
    assert cli(*given)[0] == 0


def test_what_is_compared() -> None:
    """One difference each: of a row more or less, of a value, of a count."""
    rows = [["yes", "a", "x"], ["no", " b ", ""], ["no", "c\r\nd", "x"]]
    source = Source("t", ("sick", "g", "h"), blocks=lambda: iter([[list(row) for row in rows]]))
    columns = [WrittenColumn("sick", 0, 0), WrittenColumn("g", 1), WrittenColumn("h", 2)]
    made = [["no", "a", "x"], ["no", "b", None], ["yes", "c\nd", "x"]]

    def check(written: list[list[Any]], counts: dict[int, int]) -> None:
        codes = Codes(("no", "yes"), None)
        check_output(source, columns, [codes], [counts], Written(written, ["VARCHAR"] * 3))

    check(made, {0: 2, 1: 1})
    for written, counts in (
        (made[:2], {0: 2, 1: 1}),
        ([*made, made[0]], {0: 2, 1: 1}),
        (made, {0: 1, 1: 2}),
        ([["no", "a", "x"], ["no", "b", "x"], ["yes", "c\nd", "x"]], {0: 2, 1: 1}),
        ([["no", "a", "x"], ["no", "b"], ["yes", "c\nd", "x"]], {0: 2, 1: 1}),
    ):
        with pytest.raises(FileFormatError, match="the output is not what the data say"):
            check(written, counts)


@pytest.mark.slow
@every_case(
    "kind", ["int16", "bool", "float", "date", "time", "decimal", "list", "bytes", "dictionary", "null", "huge"]
)
def test_kept_columns_of_each_type(kind: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The comparison raises no false alarm: values are compared as the types that were written."""
    import datetime
    from decimal import Decimal

    values: dict[str, Any] = {
        "int16": pa.array([1, None, 3] * 10, pa.int16()),
        "bool": pa.array([True, False, None] * 10),
        "float": pa.array([0.1, float("nan"), None, 1e20, -0.0, 3.0] * 5),
        "date": pa.array([datetime.date(2026, 1, 1), None] * 15),
        "time": pa.array([datetime.datetime(2026, 1, 1, 1, 2, 3, 456), None] * 15, pa.timestamp("us", "UTC")),
        "decimal": pa.array([Decimal("1.50"), None] * 15),
        "list": pa.array([["a", "b"], None, []] * 10),
        "bytes": pa.array([b"\x00a", None] * 15),
        "dictionary": pa.array(["x", None, "y"] * 10).dictionary_encode(),
        "null": pa.array([None] * 30, pa.null()),
        "huge": pa.array([2**64 - 1, 0] * 15, pa.uint64()),
    }
    folder = tmp_path_factory.mktemp(kind)
    table = pa.table({"q": [0, 1, 1, 1, 0] * 6, "k": values[kind]})
    parquet.write_table(table, folder / "a.parquet")
    how = randomizing_of(named_mechanism("warner:3/4"), CountRequest(("q",), (None,)), keep=("k",))
    for output in ("b.csv", "b.parquet"):
        assert randomize_file(folder / "a.parquet", str(folder / output), how).rows == 30
    assert randomize_file(table, str(folder / "c.csv"), how).rows == 30


def test_several_files_with_partitions(cli: Cli, tmp_path: Path) -> None:
    """The values of the folders are compared too, also beside files of other formats."""
    for place, region in enumerate(("north", "south")):
        folder = tmp_path / "d" / f"region={region}"
        folder.mkdir(parents=True)
        write_csv(folder / "a.csv", {"sick": ["yes", "no", "no"] * 4, "g": list("abcdefghijkl")})
        if place:
            parquet.write_table(pa.table({"sick": ["no", "yes"], "g": ["m", "n"]}), folder / "b.parquet")
    output = tmp_path / "b.csv"
    status, _, err = cli(
        "randomize", str(tmp_path / "d"), *SICK, "--keep-order", "--keep", "region,g", "--output", str(output)
    )
    assert status == 0, err
    with output.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["g"] for row in rows] == [*"abcdefghijklabcdefghijklmn"]
    assert [row["region"] for row in rows] == ["north"] * 12 + ["south"] * 14


def test_json_and_python_have_the_check(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    write_csv(path, table(again=lambda i: ROWS[i][0]))
    assert cli("randomize", str(path), *SICK, "--keep", "again", "--json")[:2] == (2, "")
    status, out, _ = cli("randomize", str(path), *SICK, "--keep", "region", "--json")
    assert (status, len(json.loads(out)["output"])) == (0, 30)
    how = randomizing_of(named_mechanism("warner:3/4"), CountRequest(("sick",), (("no", "yes"),)), keep=("again",))
    with pytest.raises(InvalidParameterError, match="a column to keep has the true answers"):
        randomize_file(path, str(tmp_path / "b.csv"), how)
    assert [each.name for each in tmp_path.iterdir()] == ["a.csv"]


def test_lines_are_counted_as_csv_counts_rows(rng: random.Random) -> None:
    """A text in which a value may be more or less than a line is not counted by its line ends."""
    counted = 0
    for _ in range(300):
        text = "".join(
            rng.choices(["a", "bc", "\n", "\n", '"', ",", "\r"], [5, 3, 3, 3, 0.3, 0.3, 0.3], k=rng.randint(0, 12))
        )
        found = _number_of_lines(io.StringIO(text, newline=""))
        if found is not None:
            counted += 1
            assert [len(row) for row in csv.reader(io.StringIO(text, newline=""))] == [1] * found
    assert counted > 50


def test_a_number_between_two_of_a_grid_that_changes_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """2.3 and 2.4 are between the same numbers, so the counts stay; 2.30 is 2.3."""
    path, output = tmp_path / "a.csv", tmp_path / "b.csv"
    device = Mechanism(named_mechanism("grr:3,1/2").matrix).valued([0, 1, 4], [0, 1, 4], rounds=True)
    how = randomizing_of(device, request_of(["x"], device, 1, known=device.categories), keep=("z",))
    drawn = randomized_tables._drawn
    for after in ("2.30", "2.4"):
        path.write_text("x,z\n" + "".join(f"{number},{z}\n" for number in ("2.3", "0.5") for z in "abcd") * 5)

        def read(*given: Any, after: str = after, **options: Any) -> Any:
            found = drawn(*given, **options)
            path.write_text(path.read_text().replace("2.3", after, 1))
            return found

        monkeypatch.setattr(randomized_tables, "_drawn", read)
        if after == "2.30":
            randomize_file(str(path), str(output), how)
            output.unlink()
        else:
            with pytest.raises(FileFormatError, match="the answers to 'x' are not those"):
                randomize_file(str(path), str(output), how)
    assert not output.exists()


@pytest.mark.slow
def test_numbers_that_change_places_are_seen_on_every_grid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts and kept columns stay. The number 2 is also the place of 10 among the numbers 0, 2 and 10."""
    path, output = tmp_path / "a.csv", tmp_path / "b.csv"
    drawn = randomized_tables._drawn
    for grid in ([0, 2, 10], [0, 1, 2], [1, 2, 3], [-1, 0, 2]):
        device = Mechanism(named_mechanism("grr:3,1/2").matrix).valued(grid, grid, rounds=True)
        how = randomizing_of(device, request_of(["x"], device, 1, known=device.categories), keep=("z",))
        for one, other in combinations(grid, 2):
            rows = [(x, z) for x in (one, other) for z in "abcd"] * 5
            path.write_text("x,z\n" + "".join(f"{x},{z}\n" for x, z in rows))

            def read(*given: Any, rows: Any = rows, one: int = one, other: int = other, **options: Any) -> Any:
                found = drawn(*given, **options)
                path.write_text("x,z\n" + "".join(f"{one + other - x},{z}\n" for x, z in rows))
                return found

            monkeypatch.setattr(randomized_tables, "_drawn", read)
            with pytest.raises(FileFormatError, match="the answers to 'x' are not those"):
                randomize_file(str(path), str(output), how)
    assert not output.exists()


@pytest.mark.parametrize("keep", [(), ("z",)])
def test_truth_values_are_numbers_of_a_grid(tmp_path: Path, keep: tuple[str, ...]) -> None:
    path, output = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_text("x,z\n" + "true,a\n4,b\n0,a\n1.5,b\n2,a\nFALSE,b\n" * 4)
    device = Mechanism(named_mechanism("grr:3,1").matrix).valued([0, 1, 4], [0, 1, 4], rounds=True)  # says the truth
    how = randomizing_of(device, request_of(["x"], device, 1, known=device.categories), keep=keep)
    assert randomize_file(str(path), str(output), how).rows == 24
    with output.open(newline="") as stream:
        written = Counter(row["x"] for row in csv.DictReader(stream))
    assert sum(written.values()) == 24
    assert written["0"] == 8
    assert 4 <= written["4"] <= 12  # 1.5 and 2 are rounded to 1 or 4
