"""Conditions on columns of ten types select the rows that Python's fractions select, in every form of the table.

The oracle shares no code: a number is a ``Fraction``, a single or a double is compared in its own precision (NumPy
rounds the literal), and a date is a date of Python.
"""

from __future__ import annotations

import datetime
import operator
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from table_calls import estimate_table, regress_table

import rropt_fieldwork
from rropt.core.errors import FileFormatError, InvalidParameterError

ROWS = 80
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
LONG = 1734567890123456789
VALUES: dict[str, list[Any]] = {
    "int8": [-128, -1, 0, 1, 2, 3, 127],
    "int32": [-(2**31), -5, 0, 3, 2**31 - 1],
    "int64": [-(2**63), -LONG, 0, 2**53, 2**53 + 1, LONG - 1, LONG, LONG + 1, 2**63 - 1],
    "uint64": [0, 1, 2**53 + 1, 2**63, 2**63 + 1, 2**64 - 1],
    "single": [-0.1, 0.0, 0.1, 2.7, 3.0, 3.3, 3.7, 16777216.0, 1162186.625],
    "double": [-0.1, 0.0, 0.1, 0.30000000000000004, 3.3, 1e300, 2.0**53],
    "decimal": [Decimal("-1.5"), Decimal("0.0"), Decimal("3.3"), Decimal("3.4"), Decimal("999999.9")],
    "long_decimal": [Decimal(f"{LONG}.123456"), Decimal(f"{LONG}.123457"), Decimal("0.100000")],
    "truth": [False, True],
    "text": ["1", "1.0", "2", "0.1", "-3.50", str(LONG), str(LONG + 1), "9" * 45],
}
LITERALS = ["-1e400", "1e400", "2.5", "0", "1", "-1", "3", "3.3", "0.1", "0.10000000000000000001", "9007199254740993"]
LITERALS += [str(LONG), str(-LONG), "9223372036854775807", "18446744073709551615", "18446744073709551616", "1e-400"]
LITERALS += [f"{LONG}.123456", f"{LONG}.5", "16777216", "1162186.625", "3.299999952316284", "1e300", "9" * 45]


def columns() -> dict[str, list[Any]]:
    draw = random.Random(19)
    found = {name: [draw.choice([None, *values]) for _ in range(ROWS)] for name, values in VALUES.items()}
    return {"q": [draw.randrange(2) for _ in range(ROWS)], **found}


def number_of(name: str, value: Any) -> Fraction | float:
    """Return the number of a value as it is compared."""
    if name == "single":
        return float(np.float32(value))
    if name == "text" and ("." in value or len(value) < 16):  # whole numbers are exact, others doubles
        return float(value)
    return value if name == "double" else Fraction(value)


def compared(name: str, value: Any, sign: str, literal: str) -> bool | None:
    """Return whether a value satisfies a comparison; ``None`` if it is missing."""
    if value is None:
        return None
    number, other = number_of(name, value), Fraction(literal)
    if (isinstance(number, float) and 1e-300 < abs(other) < 1e300) or other == Fraction("1e300"):
        near = float(other)
        other = Fraction(float(np.float32(near)) if name == "single" and abs(near) < 3e38 else near)
    return OPERATORS[sign](Fraction(number), other)


def drawn(draw: random.Random, name: str) -> tuple[str, Callable[[dict[str, Any]], bool | None]]:
    """Return a condition on a column, and a function that returns whether it holds."""
    one, other = draw.choice(LITERALS), draw.choice(LITERALS)
    kind = draw.randrange(5)
    if kind == 0:
        return f"{name} in ({one}, {other})", lambda row: _or(
            *(compared(name, row[name], "=", x) for x in (one, other))
        )
    if kind == 1:
        ends = sorted((one, other), key=Fraction)
        return (
            f"{name} between {ends[0]} and {ends[1]}",
            lambda row: _and(compared(name, row[name], ">=", ends[0]), compared(name, row[name], "<=", ends[1])),
        )
    sign = draw.choice(list(OPERATORS))
    if kind == 2:
        return f"not {name} {sign} {one}", lambda row: _not(compared(name, row[name], sign, one))
    return f"{name} {sign} {one}", lambda row: compared(name, row[name], sign, one)


def _not(one: bool | None) -> bool | None:
    return None if one is None else not one


def _and(one: bool | None, other: bool | None) -> bool | None:
    return None if one is None or other is None else one and other


def _or(one: bool | None, other: bool | None) -> bool | None:
    return None if one is None or other is None else one or other


def frame_of(given: dict[str, list[Any]]) -> Any:
    pl = pytest.importorskip("polars")
    kinds = {"int8": pl.Int8, "int32": pl.Int32, "int64": pl.Int64, "uint64": pl.UInt64, "single": pl.Float32}
    kinds |= {"decimal": pl.Decimal(7, 1), "long_decimal": pl.Decimal(38, 6)}
    return pl.DataFrame({name: pl.Series(values, dtype=kinds.get(name)) for name, values in given.items()})


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Any, str]]:
    """The tables with the engine that reads them."""
    duckdb, folder = pytest.importorskip("duckdb"), tmp_path_factory.mktemp("typed")
    frame = frame_of(columns())
    places = {name: str(folder / f"a.{name}") for name in ("parquet", "feather", "csv", "duckdb")}
    frame.write_parquet(places["parquet"])
    frame.write_ipc(places["feather"], compression="uncompressed")
    rows = zip(*columns().values(), strict=True)
    lines = [",".join("" if value is None else str(value) for value in row) for row in rows]
    Path(places["csv"]).write_text("\n".join([",".join(columns()), *lines, ""]), encoding="utf-8")
    with duckdb.connect(places["duckdb"]) as own:
        own.execute("CREATE TABLE t AS SELECT * FROM frame")
    found: dict[str, tuple[Any, str]] = {name: (place, "duckdb") for name, place in places.items()}
    return found | {
        "polars": (places["parquet"], "polars"),
        "frame": (frame, "duckdb"),
        "arrow": (frame.to_arrow(), "duckdb"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("form", ["parquet", "polars", "feather", "duckdb", "frame", "arrow", "csv"])
def test_conditions_select_the_rows_of_exact_comparisons(
    tables: dict[str, tuple[Any, str]], form: str, size: Callable[[int, int], int]
) -> None:
    if form in ("polars", "feather"):
        pytest.importorskip("ibis" if form == "polars" else "pyarrow")
    (data, engine), draw, given = tables[form], random.Random(form), columns()
    rows = [dict(zip(given, values, strict=True)) for values in zip(*given.values(), strict=True)]
    # in text, a decimal is a double, and the long ones are no exact numbers
    names = [name for name in VALUES if form != "csv" or name not in ("long_decimal", "decimal", "single", "truth")]
    met = 0
    for _ in range(size(12, 60)):
        where, is_meant = drawn(draw, draw.choice(names))
        chosen = [row["q"] for row in rows if is_meant(row)]
        if not len(chosen) > 0:
            with pytest.raises(InvalidParameterError, match="the selection has no rows"):
                estimate_table(rropt_fieldwork.read(data, where=where, engine=engine), "q", "warner:3/4")
            continue
        met += 1
        found = estimate_table(rropt_fieldwork.read(data, where=where, engine=engine), "q", "warner:3/4")
        assert found.nobs == len(chosen), where
    assert met > 3


DAYS = [datetime.datetime(2026, 2, 28), datetime.datetime(2026, 3, 1), datetime.datetime(2026, 3, 1, 12, 30, 0, 500)]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_dates_are_compared_as_dates(tmp_path: Path, engine: str, size: Callable[[int, int], int]) -> None:
    pl = pytest.importorskip("polars")
    if engine == "polars":
        pytest.importorskip("ibis")
    days = [*DAYS, None] * 10
    frame = pl.DataFrame({"q": [0, 1] * 20, "when": days, "day": [None if day is None else day.date() for day in days]})
    frame.write_parquet(path := str(tmp_path / "a.parquet"))
    for column, of in (
        ("when", lambda day: day),
        ("day", lambda day: datetime.datetime.combine(day.date(), datetime.time())),
    ):
        literals = ("2026-03-01", "2026-03-01 13:30:00.0005+01:00", "2026-03-01T12:30", "2026-03-01 12:30:00.0005")
        for literal in literals[: size(2, 4)]:
            when = datetime.datetime.fromisoformat(literal)
            when = when if when.tzinfo is None else when.astimezone(datetime.UTC).replace(tzinfo=None)
            for sign, compare in OPERATORS.items():
                n = 10 * sum(compare(of(day), when) for day in DAYS)
                if n:
                    where = f"{column} {sign} '{literal}'"
                    assert (
                        estimate_table(rropt_fieldwork.read(path, where=where, engine=engine), "q", "warner:3/4").nobs
                        == n
                    ), where
    groups = estimate_table(rropt_fieldwork.read(path, engine=engine), "q", "warner:3/4", by="when")
    assert [one.group for one in groups] == [str(day).removesuffix("500") + "5" * (day == DAYS[2]) for day in DAYS]
    with pytest.raises(InvalidParameterError, match="compares dates with another text"):
        estimate_table(rropt_fieldwork.read(path, where="day >= '1 March 2026'", engine=engine), "q", "warner:3/4")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "parquet", "polars", "dta"])
def test_times_that_stand_as_texts_are_compared_as_moments(
    tmp_path: Path, form: str, size: Callable[[int, int], int]
) -> None:
    pd = pytest.importorskip("pandas")
    if form in ("parquet", "polars"):
        pytest.importorskip("pyarrow")
    if form == "polars":
        pytest.importorskip("ibis")
        pytest.importorskip("polars")
    start, forms = datetime.datetime(2026, 3, 1), ("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S.%f")
    when = [start + datetime.timedelta(hours=12 * (i % 5)) for i in range(20)]
    texts = [t.strftime(forms[i % 3]) if t.hour or i % 2 else t.strftime("%Y-%m-%d") for i, t in enumerate(when)]
    path = tmp_path / f"t.{'parquet' if form == 'polars' else form}"
    frame = pd.DataFrame({"q": [0, 1] * 10, "t": when if form == "dta" else texts})
    if form == "csv":
        frame.to_csv(path, index=False)
    elif form == "dta":
        frame.to_stata(path, write_index=False)
    else:
        frame.to_parquet(path)
    engine = "polars" if form == "polars" else "duckdb"
    for literal in ("2026-03-02 12:00", "2026-03-02", "2026-03-02T12:00:00.5")[: size(1, 3)]:
        for sign, compare in OPERATORS.items():
            n = sum(compare(t, datetime.datetime.fromisoformat(literal)) for t in when)
            if n:
                where = f"t {sign} '{literal}'"
                assert (
                    estimate_table(rropt_fieldwork.read(path, where=where, engine=engine), "q", "warner:3/4").nobs == n
                ), where


def singles() -> dict[str, np.ndarray]:
    g = np.tile([2.7, 3.0, 3.3, 3.7], 40)
    return {"y": (np.arange(160) // 4 % 2).astype(np.int64), "g": g.astype(np.float32)}


@pytest.mark.slow
@pytest.mark.parametrize("form", ["arrays", "pandas", "categories", "halves", "dta", "parquet", "polars"])
def test_singles_are_their_shortest_decimals(tmp_path: Path, form: str) -> None:
    pd, engine = pytest.importorskip("pandas"), "polars" if form == "polars" else "duckdb"
    data: Any = singles()
    if form == "halves":
        data["g"] = data["g"].astype(np.float16)
    elif form != "arrays":
        data = pd.DataFrame(data)
    if form == "categories":
        data["g"] = data["g"].astype("category")
    if form == "dta":
        data.to_stata(data := str(tmp_path / "a.dta"), write_index=False)
    elif form in ("parquet", "polars"):
        data.to_parquet(data := str(tmp_path / "a.parquet"))
    read = partial(rropt_fieldwork.read, data, engine=engine)
    found = estimate_table(read(where="g >= 2.7 and g != 3.3"), "y", "warner:4/5", by="g")
    assert [(one.group, one.n) for one in found] == [("2.7", 40), ("3", 40), ("3.7", 40)]
    found = estimate_table(read(recode="g: ..3.2, 3.3.."), "y", "warner:4/5", by="g")
    assert [(one.group, one.n) for one in found] == [("..3.2", 80), ("3.3..", 80)]
    found = estimate_table(read(recode="g: 2.7, 3.0 -> low", missing=["g=3.7", "NA"]), "y", "warner:4/5", by="g")
    assert {one.group: one.n for one in found} == {"low": 80, "3.3": 40}
    found = estimate_table(read(), "g", "grr:4,1", categories="2.7,3.0,3.3,3.7")
    assert [one.estimate for one in found] == [Fraction(1, 4)] * 4
    if form != "categories":  # of numbers, in a formula
        formula = "y ~ (g >= 3.3)"
        assert regress_table(read(), formula, "warner:4/5").names[1] == "I(g >= 3.3)[T.True]"
        fit = regress_table(read(), "y ~ C(g)", "warner:4/5")
        assert fit.names[1:] == ("C(g)[T.3]", "C(g)[T.3.3]", "C(g)[T.3.7]")


def test_kept_singles_are_written_with_their_shortest_decimals(cli: Any, tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    pd.DataFrame(singles()).to_stata(path := tmp_path / "a.dta", write_index=False)
    status, out, _ = cli("randomize", str(path), "--column", "y", "--mechanism", "warner:4/5", "--keep", "g")
    assert status == 0
    assert {line.split(",")[1] for line in out.splitlines()[1:]} == {"2.7", "3.0", "3.3", "3.7"}


@few_rows(1)
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_long_identifiers_are_exact_in_formulas(tmp_path: Path, form: str) -> None:
    """As doubles, all of them are one number."""
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"y": [0, 1, 1, 1] * 40, "id": [LONG - 1, LONG, LONG + 1, LONG + 1] * 40})
    path = str(tmp_path / f"a.{form}")
    getattr(frame, f"write_{form}")(path)
    coded = {
        "y": frame["y"].to_numpy(),
        "x": (frame["id"] > LONG).to_numpy(),
        "id": frame["id"].cast(pl.String).to_numpy(),
    }
    found = regress_table(path, f"y ~ (id > {LONG})", "warner:4/5", model="linear")
    own = regress_table(coded, "y ~ x", "warner:4/5", model="linear")
    assert list(found.params) == pytest.approx(list(own.params))
    assert len(set(found.predict(rropt_fieldwork.covariates_of_table(found, path)).round(9))) == 2
    fit = regress_table(path, "y ~ C(id)", "warner:4/5", model="linear")
    assert fit.names[1:] == (f"C(id)[T.{LONG}]", f"C(id)[T.{LONG + 1}]")
    missing = regress_table(
        rropt_fieldwork.read(path, missing=[f"id={LONG}", "NA"]), f"y ~ (id > {LONG - 1})", "warner:4/5", model="linear"
    )
    assert missing.fit.missing == {"id": 40}


def test_bands_at_the_limit_of_doubles(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"y": [0, 1] * 60, "id": [2**53, 2**53 + 1, 2**53 + 2] * 40})
    for form in ("csv", "parquet"):
        path = str(tmp_path / f"a.{form}")
        getattr(frame, f"write_{form}")(path)
        found = estimate_table(
            rropt_fieldwork.read(path, recode=f"id: ..{2**53}, {2**53 + 1}.."), "y", "warner:4/5", by="id"
        )
        assert [one.n for one in found] == [40, 80]


def codes(form: str, tmp_path: Path) -> str:
    """Return a file of codes, of which one is missing: 1.0, 2.0, 9.0."""
    pd = pytest.importorskip("pandas")
    y, arm = np.arange(120) % 2, np.tile([1.0, 2.0, 9.0, 1.0], 30)
    frame, path = pd.DataFrame({"y": y, "arm": arm, "s": np.repeat([1.0, 2.0], 60)}), str(tmp_path / f"a.{form}")
    if form == "csv":
        frame.to_csv(path, index=False)
    elif form == "json":
        frame.to_json(path, orient="records", double_precision=1)
        text = Path(path).read_text(encoding="utf-8")
        assert '"arm":1.0' in text
    elif form == "xlsx":
        frame.to_excel(path, index=False)
    elif form == "dta":
        frame.to_stata(path, write_index=False)
    elif form == "sav":
        pytest.importorskip("pyreadstat").write_sav(frame, path)
    else:
        frame.to_parquet(path)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "json", "xlsx", "dta", "sav", "parquet"])
def test_codes_written_with_a_decimal_point_are_the_same(tmp_path: Path, form: str) -> None:
    path = codes(form, tmp_path)
    for written in ("{}", "{}.0"):
        one, two, nine = (written.format(code) for code in (1, 2, 9))
        devices: dict[str, Any] = {one: "warner:4/5", two: "warner:3/4", nine: "warner:4/5"}
        estimate_table(path, "y", devices="arm", device_names=devices)
        found = estimate_table(rropt_fieldwork.read(path, recode=f"arm: {nine} -> {two}"), "y", "warner:4/5", by="arm")
        assert [(one.group, one.n) for one in found] == [("1", 60), ("2", 60)]
        found = estimate_table(rropt_fieldwork.read(path, missing=[f"arm={nine}", "NA"]), "y", "warner:4/5", by="arm")
        assert [(one.group, one.n) for one in found] == [("1", 60), ("2", 30)]
        assert not any("no value of 'arm'" in remark for remark in found.remarks())
        for where, n in ((f"arm != '{nine}'", 90), (f"arm in ('{one}', '{nine}')", 90), (f"arm = {nine}", 30)):
            assert estimate_table(rropt_fieldwork.read(path, where=where), "y", "warner:4/5").nobs == n, where
        found = estimate_table(
            rropt_fieldwork.read(path, missing=[f"arm={nine}", "NA"]), "y", "warner:4/5", by="arm", strata="s"
        )
        assert [one.group for one in found] == ["1", "2"]
        fit = regress_table(path, f"y ~ C(arm, levels=['{two}', '{one}', '{nine}'])", "warner:4/5", model="linear")
        assert [name[-3:] for name in fit.names[1:]] == [".1]", ".9]"]
        fit = regress_table(
            rropt_fieldwork.read(path, recode=f"arm: {nine} -> {two}"), "y ~ C(arm)", "warner:4/5", model="linear"
        )
        assert fit.names[1:] == ("C(arm)[T.2]",)
        answers = estimate_table(path, "arm", "grr:3,1", categories=f"{one},{two},{nine}")
        assert answers.nobs == 120
    with pytest.raises(FileFormatError, match=r"names no mechanism: received '9'.* the 2 names of the file of devices"):
        estimate_table(path, "y", devices="arm", device_names={"1": "warner:4/5", "2.0": "warner:3/4"})
    with pytest.raises(InvalidParameterError, match="with and without a decimal point"):
        estimate_table(path, "y", devices="arm", device_names={"1": "warner:4/5", "1.0": "warner:3/4"})


def test_a_number_beyond_all_floats_is_no_fault_of_the_data() -> None:
    data = {"q": np.array([0, 1] * 30), "w": np.linspace(0, 1, 60)}
    assert (
        estimate_table(rropt_fieldwork.read(data, where="w < 1e400 and w > -1e99999999"), "q", "warner:3/4").nobs == 60
    )
    with pytest.raises(InvalidParameterError, match="the selection has no rows"):
        estimate_table(rropt_fieldwork.read(data, where="w > 1e400"), "q", "warner:3/4")
    with pytest.raises(InvalidParameterError, match="a number is too long"):
        estimate_table(rropt_fieldwork.read(data, where="w > 0." + "1" * 1000), "q", "warner:3/4")
