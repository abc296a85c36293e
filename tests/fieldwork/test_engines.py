"""Counting engines: the same counts of the same files, exactly; what they do not read, and what is then said."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from importlib.util import find_spec
from itertools import combinations
from math import isclose
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from every_case import every_case
from few_rows import few_rows
from later import later
from table_calls import estimate_table, regress_table

import rropt_fieldwork
from rropt.answers.data_columns import numbered
from rropt.core.errors import FileAccessError, FileFormatError, InvalidParameterError, MissingExtraError
from rropt.estimates.estimated import Estimates
from rropt.mechanisms import Mechanism
from rropt.mechanisms.families import AllSubsets, BlockMechanism
from rropt_fieldwork.from_tables.counted_responses import count
from rropt_fieldwork.randomizing.randomized_tables import randomize_file, randomizing_of
from rropt_fieldwork.reading import engines
from rropt_fieldwork.reading.counting import CountRequest, SampleColumns, request_of
from rropt_fieldwork.reading.kinds import kinds_of, question_blocks
from rropt_fieldwork.reading.readers import asked_of
from rropt_fieldwork.reading.sources import Source

ibis = later("ibis")
pl = later("polars")
pa = later("pyarrow")
parquet = later("pyarrow.parquet")

Cli = Callable[..., tuple[int, str, str]]

SECRET = "s3cr3t"
ENGINES = ("duckdb", "polars", "pyspark")

# what stands in the columns, and what it means
SICK = {"no": 0, " yes": 1, "yes": 1, "yes\t": 1, "": -1, "NA": -1, "nan ": -1, "No": -2, "?": -2}
TOLD = {0: 0, 1: 1, None: -1, 7: 7}
REGIONS = ("north", "South \u00e9 ", 'a, "b\'" c', "", " north")
DEVICES = ("warner:3/4", "warner:2/3", " warner:2/3")
COLUMNS = ("id", "is sick; 'or' \"was\"", "told", "region", "device", "s", "c", "s and c", "w", "tenth", "f")


@pytest.fixture(scope="session")
def spark() -> Iterator[None]:
    """A cluster of two threads in this machine."""
    if find_spec("pyspark") is None:
        pytest.skip("no PySpark here: pip install 'rropt[pyspark]'")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("no Java here: apt-get install openjdk-17-jre-headless")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.sql.shuffle.partitions", "3")
    session = builder.config("spark.ui.enabled", "false").config("spark.log.level", "OFF").getOrCreate()
    yield
    session.stop()


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> str:
    if request.param == "pyspark":
        request.getfixturevalue("spark")
    return str(request.param)


@pytest.fixture(scope="session")
def survey(tmp_path_factory: pytest.TempPathFactory, size: Callable[[int, int], int]) -> tuple[list[tuple], Path]:
    """Rows of a survey, and the folder of the files that hold them, whose names are no patterns."""
    rng, folder = random.Random(5), tmp_path_factory.mktemp("an [odd] {folder} *'")
    places = [(rng.randrange(4), rng.randrange(40)) for _ in range(size(500, 40_000))]
    rows = [
        (
            str(i),
            rng.choice(list(SICK)),
            rng.choice(list(TOLD)),
            rng.choice(REGIONS),
            rng.choice(DEVICES),
            f"s{stratum}",
            cluster,
            f"s{stratum} {cluster}",
            rng.randrange(1, 80) / 8,  # of such weights every sum is exact
            rng.randrange(1, 80) / 10,
            0.5,
        )
        for i, (stratum, cluster) in enumerate(places)
    ]
    parquet.write_table(
        pa.table(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))), folder / "a.parquet"
    )
    return rows, folder


def asked(**more: Any) -> CountRequest:
    return CountRequest((COLUMNS[1], "told"), (None, None), **more)


def codes(row: tuple) -> tuple[int, int]:
    """Return what two answers mean where no categories are named: texts are invalid."""
    return (SICK[row[1]] if SICK[row[1]] == -1 else -2, TOLD[row[2]])


def tally(table: Any, n: Any) -> Counter:
    """Return the count of each row of codes."""
    found: Counter = Counter()
    for pattern, number in zip(table.tolist(), n.tolist(), strict=True):
        found[tuple(pattern)] += number
    return found


@few_rows(1)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_counts(survey: tuple[list[tuple], Path], engine: str) -> None:
    """Patterns, questions, groups and devices as Python's own Counter has them."""
    rows, folder = survey
    both = asked(by=("region", "s"), devices="device")

    assert question_blocks({0: 2, 1: 8}, 60) == [(0, 1)]
    (kinds,) = asked_of(
        folder / "a.parquet", both.names, lambda source: kinds_of(source, both, [(0, 1)]), engine=engine
    )
    expected: dict[Any, Counter] = defaultdict(Counter)
    for row in rows:
        expected[(row[3].strip(), row[5]), row[4].strip()][codes(row)] += 1
    assert kinds.cells == len(expected)
    expected = {key: counts for key, counts in expected.items() if key[0][0]}
    empty = sum(not row[3].strip() for row in rows)
    assert [(gap.text, gap.n) for gap in kinds.gaps if gap.column == "region"] == [("", empty)]
    for questions in ([0, 1], [0], [1]):
        table, n = np.stack([kinds.codes[question] for question in questions], axis=1), kinds.columns["n"]
        cells = kinds.by_cell(np.ones(len(n), bool))
        found = [(group, device, tally(table[own], n[own])) for group, device, own in cells]
        told = []
        for ((region, s), device), counts in sorted(expected.items()):
            named = {'a, "b\'" c': '"a, ""b\'"" c"'}  # a comma stands between the texts of a group
            told.append((f"{named.get(region, region)}, {s}", device, Counter()))
            for pattern, n in counts.items():
                told[-1][2][tuple(pattern[question] for question in questions)] += n
        assert found == told
    for question in range(2):
        assert kinds.total(question) == Counter(codes(row)[question] for row in rows)


@few_rows(1)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_sums_of_weights(survey: tuple[list[tuple], Path], engine: str) -> None:
    """Sums over all tables of one and of two questions, exactly: of eighths every sum is exact, in whatever order."""
    rows, folder = survey
    both = asked(by=("region",), devices="device")
    sets = [one for k in (1, 2) for one in combinations(range(2), k)]
    weighted = replace(both, sample=SampleColumns("w", "s and c", "c", ("f",)))
    every = asked_of(folder / "a.parquet", weighted.names, lambda s: kinds_of(s, weighted, sets), engine=engine)
    for one, kinds in zip(sets, every, strict=True):
        assert (kinds.columns["low_f0"] == 0.5).all()
        assert (kinds.columns["high_f0"] == 0.5).all()
        stratum, label = kinds.columns["s"], kinds.columns["c"]
        assert numbered(stratum, label)[1].max() == stratum.max() == len({row[7] for row in rows}) - 1
        assert label.max() == len({row[6] for row in rows}) - 1
        expected: dict[Any, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * 3)
        for row in rows:
            key = (row[7], row[3].strip() or None, row[4].strip(), *(codes(row)[q] for q in one))
            w = Fraction(row[8])
            expected[key] = [a + b for a, b in zip(expected[key], (1, w, w * w), strict=True)]
        found: dict[Any, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * 3)
        for at in range(len(kinds.group)):
            key = (
                kinds.texts["s"].list[stratum[at]],
                kinds.groups[kinds.group[at]] if kinds.group[at] >= 0 else None,
                kinds.devices[kinds.device[at]],
            )
            sums = (Fraction(float(kinds.columns[name][at])) for name in ("n", "weight", "square"))
            key = (*key, *(int(kinds.codes[q][at]) for q in one))
            found[key] = [a + b for a, b in zip(found[key], sums, strict=True)]
        assert found == expected


def require_close(found: Estimates, other: Estimates) -> None:
    """Counts are equal; sums of doubles are added in each engine's own order, n roundings of 1.1e-16 at the most."""
    assert found.nobs == other.nobs
    for mine, theirs in zip(found, other, strict=True):
        assert (mine.group, mine.n, mine.df) == (theirs.group, theirs.n, theirs.df)
        assert isclose(mine.estimate, theirs.estimate, rel_tol=1e-12)
        assert isclose(mine.se, theirs.se, rel_tol=1e-10)
        assert isclose(mine.weight, theirs.weight, rel_tol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES[1:], indirect=True)
def test_estimates(survey: tuple[list[tuple], Path], engine: str) -> None:
    """One argument is changed: the results are equal, those of weights up to the order of sums."""
    path = survey[1] / "a.parquet"
    missing = ["", "NA", "nan", "No", "?"]
    options: dict[str, Any] = {"by": "region"}
    options |= {"categories": ["no", "yes"], "devices": "device"}
    mine, other = (
        estimate_table(rropt_fieldwork.read(path, engine=name, missing=missing), COLUMNS[1], **options)
        for name in (engine, "duckdb")
    )
    assert isinstance(mine, Estimates)
    assert mine == other
    for more in ({"strata": "s", "clusters": "c"}, {"strata": "s", "fpc": "f"}, {"post_strata": "device"}):
        mine, other = (
            estimate_table(
                rropt_fieldwork.read(path, engine=name, missing=missing), COLUMNS[1], weights="tenth", **more, **options
            )
            for name in (engine, "duckdb")
        )
        require_close(mine, other)


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_columns_of_every_kind(tmp_path: Path, engine: str) -> None:
    """What a number, a truth value or a date says as an answer, a group or a weight is the same; names are any text."""
    tenth = np.array([0.1, 1e-30, 2.5, 1.0], np.float32)
    columns = {
        "a.b`c": pa.array([0, 1, 1, None], pa.int8()),
        "select": [0.0, 1.0, 1.0, None],
        '"; --': [False, True, True, None],
        "huge": pa.array([0, 1, 1, None], pa.uint64()),
        "tenth": pa.array([Decimal("0.0"), Decimal("1.0"), Decimal("1.0"), None], pa.decimal128(5, 1)),
        "day": pa.array([date(2026, 1, 1), date(2026, 1, 2), date(2026, 1, 2), None]),
        "w": tenth,
        "dec": pa.array([Decimal("0.5"), Decimal("1.5"), Decimal("1.5"), Decimal("1.5")], pa.decimal128(5, 1)),
    }
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table(columns), path)
    for name in list(columns)[:5]:
        data = rropt_fieldwork.read(path, engine=engine)
        found = estimate_table(data, name, "warner:3/4", by="day")
        groups = {one.group: (one.n, one.estimate) for one in found}
        assert groups == {"2026-01-01": (1, Fraction(-1, 2)), "2026-01-02": (2, Fraction(3, 2))}
        for column, sums in (("w", tenth[:3].astype(float).sum()), ("dec", 3.5)):
            weighted = estimate_table(data, name, "warner:3/4", weights=column)
            assert isclose(weighted[0].weight, sums, rel_tol=1e-15)
    by = estimate_table(rropt_fieldwork.read(path, engine=engine), "select", "warner:3/4", by="tenth")
    assert [one.group for one in by] == ["0", "1"]


@few_rows(1)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_commands(cli_json: Callable[..., dict], tmp_path: Path, engine: str) -> None:
    """One question, and several together."""
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"q": [0, 1, 1, 0, 1] * 20, "r": [1, 1, 0, 0, 1] * 20}), path)
    one = cli_json("estimate", str(path), "--column", "r", "--mechanism", "warner:3/4", "--engine", engine)
    assert (one["rows"][0]["estimate"], one["read"]["rows"]) == ("7/10", 100)
    both = ("estimate", str(path), "--columns", "q,r", "--mechanism", "bits:3/4*2", "--marginals", "1")
    assert cli_json(*both, "--engine", engine) == cli_json(*both)


@pytest.mark.slow
def test_tables_and_connections_of_ibis(survey: tuple[list[tuple], Path]) -> None:
    """Whatever Ibis serves: a table of it has its engine with it, and a connection reads a file."""
    path = survey[1] / "a.parquet"
    options: dict[str, Any] = {"by": "s"}
    mechanism = "grr:8,1/2"
    expected = estimate_table(path, "told", mechanism, **options)
    connection = ibis.polars.connect({"answers": pl.read_parquet(path, glob=False)})
    assert estimate_table(connection.table("answers"), "told", mechanism, **options) == expected
    assert estimate_table(rropt_fieldwork.read(path, engine=connection), "told", mechanism, **options) == expected


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES[1:], indirect=True)
def test_regressions(tmp_path: Path, engine: str) -> None:
    """The fit of the same rows; sums over rows are added in each engine's order."""
    rng = np.random.default_rng(3)
    columns = {
        "q": rng.choice(["no", "yes", " yes", "", "NA"], 300),
        "x": rng.choice(["1", " 2.5", "4e0", "NA"], 300),
        "place": rng.choice(["NA", "none", "south", ""], 300),
        "w": rng.integers(1, 9, 300) / 8,
        "s": rng.choice(["u", "v"], 300),
    }
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table(columns), path)
    gaps = {"missing": ["place=none", "x=4"]}
    for more, stated in (({}, {}), ({"weights": "w", "strata": "s"}, {}), ({}, gaps)):
        mine, other = (
            regress_table(
                rropt_fieldwork.read(path, engine=name, **stated),
                "q ~ x + place",
                "warner:9/10",
                categories=["no", "yes"],
                **more,
            )
            for name in (engine, "duckdb")
        )
        assert (mine.nobs, mine.reading.gaps, mine.reading.rows) == (other.nobs, other.reading.gaps, 300)
        for name, value in other.params.items():  # the search stops where a step is below 1e-8
            assert isclose(mine.params[name], value, rel_tol=1e-6)
            assert isclose(mine.bse[name], other.bse[name], rel_tol=1e-6)


@few_rows(1)
@pytest.mark.parametrize("engine", ENGINES[1:], indirect=True)
def test_counts_of_responses(tmp_path: Path, engine: str, cli_json: Callable[..., dict]) -> None:
    """Numbers, names, and sets of categories as DuckDB reads them row by row; the shard has a name."""
    rng, path = np.random.default_rng(4), tmp_path / "a.parquet"
    sets = ["&".join(map(str, sorted(rng.choice(5, 2, replace=False)))) for _ in range(200)]
    columns = {"number": rng.integers(0, 2, 200), "set": sets, "gap": ["0", None] * 100, "bad": ["0", SECRET] * 100}
    parquet.write_table(pa.table(columns), path)
    subsets = BlockMechanism(AllSubsets(5, 2), 3)
    for column, mechanism in (("number", "warner:3/4"), ("set", subsets)):
        mine, other = (
            count(rropt_fieldwork.read(path, engine=name), mechanism, column=column, shard="a")
            for name in (engine, "duckdb")
        )
        assert mine == other
    for column in ("gap", "bad"):
        with pytest.raises(FileFormatError, match=r"^(some rows|one) of the") as told:
            count(rropt_fieldwork.read(path, engine=engine), "warner:3/4", column=column, shard="a")
        assert SECRET not in str(told.value)
    with pytest.raises(InvalidParameterError, match="give `shard`"):
        count(rropt_fieldwork.read(path, engine=engine), "warner:3/4", column="number")
    with pytest.raises(InvalidParameterError, match="the data are lines, and no table: received `engine`"):
        count(rropt_fieldwork.read([0, 1], engine=engine), "warner:3/4", shard="a")
    told = cli_json(
        *("count", str(path), "--column", "number", "--mechanism", "warner:3/4", "--engine", engine, "--shard", "a")
    )
    assert sum(told["counts"]) == 200


def test_rows_of_an_ibis_table(tmp_path: Path) -> None:
    """Its own engine counts, in any order; work that needs rows in order is left to DuckDB."""
    table = ibis.memtable({"q": [0, 1, 1, 7], "x": [1.0, 2.0, 0.5, 3.0]})
    with pytest.raises(FileFormatError, match="some rows of the data contain no answer to 'q', 1 of them"):
        regress_table(table, "q ~ x", "warner:3/4")
    assert count(table.filter(table.q < 2), "warner:3/4", column="q", shard="a").counts == (1, 2)
    with pytest.raises(FileFormatError, match="row 4 of the data contains no answer to 'q'"):
        randomize_file(table, str(tmp_path / "b.csv"), randomizing_of(Mechanism.warner("3/4"), request_of(["q"])))


def test_ibis_without_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    table = ibis.memtable({"q": [0, 1]})
    monkeypatch.setattr(engines, "find_spec", lambda name: None if name == "pyarrow" else name)
    for data, engine in ((table, "duckdb"), ("a.parquet", ibis.duckdb.connect())):
        with pytest.raises(MissingExtraError, match=r"of Ibis needs pyarrow.*pip install 'rropt\[engines\]'"):
            estimate_table(rropt_fieldwork.read(data, engine=engine), "q", "warner:3/4")


@every_case("kind", ["answer", "weight", "stratum", "type"])
def test_one_wrong_value_is_found_without_reading_the_others_in_python(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 4 million rows, reading each in Python takes ten times as long as counting them."""
    looked_at: list[object] = []
    find = Source.rows_where

    def counted(source: Source, column: Any, is_meant: Callable[[Any], bool], *known: Any) -> list[int]:
        return find(source, column, lambda value: looked_at.append(value) or is_meant(value), *known)

    monkeypatch.setattr(Source, "rows_where", counted)
    q, w, s = np.arange(3000) % 2, np.ones(3000), np.array(["u", "v"] * 1500, object)
    options: dict[str, Any] = {"weights": "w"} if kind == "weight" else {"strata": "s"} if kind == "stratum" else {}
    wrong = {"answer": (q, 7), "weight": (w, -1.0), "stratum": (s, None), "type": (q, 7)}[kind]
    wrong[0][2000] = wrong[1]
    columns, device = ("q", "warner:3/4") if kind != "type" else (["s", "q"], "bits:warner:3/4,warner:3/4")
    if kind == "type":  # the invalid texts of one question are no numbers of another
        s[:] = "0"
        s[2500] = "bad"
    with pytest.raises(FileFormatError, match=r"row 2[05]01 of the data"):
        estimate_table({"q": q, "w": w, "s": s}, columns, device, **options)
    assert len(looked_at) < 20


def test_a_wrong_number_that_is_right_in_a_column_of_another_type_is_found() -> None:
    """The codes of 2, 2.0 and True are found by one key."""
    whole, real = np.arange(60) % 3, np.arange(60) % 2 / 1
    real[[5, 50]] = 2, 3.5
    with pytest.raises(FileFormatError, match="rows 6, 51 of the data contain no answer to 'real'"):
        estimate_table({"whole": whole, "real": real}, ["whole", "real"], "bits:grr:3,1/2,warner:3/4")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES[1:], indirect=True)
def test_a_folder_of_parquet(survey: tuple[list[tuple], Path], tmp_path: Path, engine: str) -> None:
    """What a cluster leaves behind: the parts of one table in a folder, which Spark knows by its address too."""
    table = parquet.read_table(survey[1] / "a.parquet")
    for part in range(3):
        parquet.write_table(table[part::3] if part else table.slice(0, 0), tmp_path / f"part-{part}.parquet")
    parquet.write_table(table.slice(0, 400), tmp_path / "part-1.parquet")
    parquet.write_table(table.slice(400), tmp_path / "part-2.parquet")
    options: dict[str, Any] = {"by": "s"}
    expected = estimate_table(survey[1] / "a.parquet", "told", "grr:8,1/2", **options)
    for folder in (tmp_path, f"file://{tmp_path}")[: 1 + (engine == "pyspark")]:
        found = estimate_table(rropt_fieldwork.read(folder, engine=engine), "told", "grr:8,1/2", **options)
        assert found == expected


# what is refused: one line, and nothing of the data in it

BAD: Mapping[str, tuple[bytes, str]] = {
    "text": (f"q,r\n0,1\n{SECRET},1\n".encode(), "reads Parquet: received"),
    "excel": (b"PK\x03\x04" + SECRET.encode(), "leave the engine to DuckDB"),
    "damaged": (b"PAR1" + SECRET.encode(), "damaged"),
    "empty": (b"", "reads Parquet"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("engine", ENGINES[1:], indirect=True)
def test_bad_files(cli: Cli, tmp_path: Path, engine: str, name: str) -> None:
    path, (content, told) = tmp_path / "a.dat", BAD[name]
    path.write_bytes(content)
    options = ("--column", "q", "--mechanism", "warner:3/4", "--engine", engine)
    status, out, err = cli("estimate", str(path), *options)
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert told in err
    assert SECRET not in err


@pytest.mark.parametrize("engine", ENGINES[1:], indirect=True)
def test_bad_columns(cli: Cli, tmp_path: Path, engine: str) -> None:
    path, texts = tmp_path / "a.parquet", ["0", "1", SECRET]
    parquet.write_table(pa.table({"q": texts, "r": [None, "NA", ""]}), path)
    told = {"q": "some rows of the data contain no answer to 'q', 1 of them", "t": "no column of 2"}
    told["r"] = "no respondent answered 'r': received 3 rows without an answer"
    for column, words in told.items():
        options = ("--column", column, "--mechanism", "warner:3/4", "--engine", engine)
        status, out, err = cli("estimate", str(path), *options)
        assert (status, out, err.count("\n")) == (2, "", 1), err
        assert words in err
        assert SECRET not in err


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize("engine", ENGINES[1:], indirect=True)
def test_bad_weights(tmp_path: Path, engine: str) -> None:
    """What is a number is the same for all engines, whatever each would take for one."""
    path = tmp_path / "a.parquet"
    for text in ("-1", "1d", "0x1", "inf", "nan", "1_0", "1,5", "", "1e999", "\u0661", "1.5f"):
        parquet.write_table(pa.table({"q": [0, 1, 1, 0], "w": ["1", " 2.50 ", ".5e1", text]}), path)
        told = "whose meaning is not stated" if text == "1,5" else "no valid weight in 'w'"
        for name in (engine, "duckdb"):
            with pytest.raises(FileFormatError, match=told):
                estimate_table(rropt_fieldwork.read(path, engine=name), "q", "warner:3/4", weights="w")
    parquet.write_table(pa.table({"q": [0, 1, 1, 0], "w": ["1", " 2.50 ", ".5e1", "+3."]}), path)
    found = estimate_table(rropt_fieldwork.read(path, engine=engine), "q", "warner:3/4", weights="w")
    assert found[0].weight == 11.5


def test_engines_that_are_not_there(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text("q,r\n0,1\n1,1\n")
    options = ("estimate", str(path), "--column", "q", "--mechanism", "warner:3/4", "--engine")
    status, _, err = cli(*options, "sparkle")
    assert (status, err.count("\n")) == (2, 1)
    assert "no such engine: received 'sparkle'; allowed are duckdb, polars, pyspark" in err
    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    status, _, err = cli(*options, "pyspark")
    assert (status, err.count("\n")) == (2, 1)
    assert "the engine pyspark needs pyspark, ibis" in err
    assert "pip install 'rropt[pyspark]'" in err
    monkeypatch.undo()

    def no_java(**_: Any) -> None:
        raise RuntimeError("Java gateway process exited before sending its port number")

    monkeypatch.setattr(engines, "find_spec", lambda name: name)
    spark = ModuleType("pyspark.sql")
    spark.SparkSession = SimpleNamespace(builder=SimpleNamespace(config=no_java))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pyspark", spark)
    monkeypatch.setitem(sys.modules, "pyspark.sql", spark)
    with pytest.raises(MissingExtraError, match=r"does not start \(RuntimeError\): it needs Java 17"):
        estimate_table(rropt_fieldwork.read(path, engine="pyspark"), "q", "warner:3/4")
    assert cli("estimate", "--counts", "1,2", "--mechanism", "warner:3/4", "--engine", "polars")[0] == 2


def test_engines_read_files_alone(tmp_path: Path) -> None:
    frame = pl.DataFrame({"q": [0, 1], "r": [0, 1]})
    with pytest.raises(InvalidParameterError, match="polars reads files: received a table"):
        estimate_table(rropt_fieldwork.read(frame, engine="polars"), "q", "warner:3/4")
    with pytest.raises(InvalidParameterError, match="received standard input"):
        estimate_table(rropt_fieldwork.read("-", engine="polars"), "q", "warner:3/4")
    with pytest.raises(FileAccessError, match="cannot be read"):
        estimate_table(rropt_fieldwork.read(tmp_path / "absent.csv", engine="polars"), "q", "warner:3/4")
    with pytest.raises(InvalidParameterError, match="no such engine"):
        estimate_table(rropt_fieldwork.read(frame, engine=3), "q", "warner:3/4")
