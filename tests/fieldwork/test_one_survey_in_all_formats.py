"""One survey in every format that is read: the same numbers, and the order of ordered categories where it is stored."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from reading import split
from support.table_calls import table_estimate
from table_calls import regress_table

import rropt_fieldwork
from rropt_fieldwork.reading.stored_orders import may_have_orders

N = 96
LEVELS = ["low", "mid", "high"]
WITH_ORDER = ("parquet", "feather", "sav", "dta", "pandas", "arrow", "enum", "enum.parquet")


@cache
def _columns() -> dict[str, np.ndarray]:
    random = np.random.default_rng(11)
    q, tick = (np.where(random.random(N) < 0.4, text, other) for text, other in (("yes", "no"), ("Fine", "")))
    is_first, y = random.random(N) < 0.5, np.where(random.random(N) < 0.45, "yes", "no")
    q[:4] = ""
    age, w, psu = random.integers(16, 80, N).astype(float), random.choice([0.5, 1.25, 2.0], N), np.arange(N) // 8
    found = {"q": q, "tick": tick, "age": age, "w": w, "psu": psu, "strat": psu // 4, "done": random.random(N) < 0.9}
    found |= {"sex": random.choice(["m", "f", "d"], N), "edu": random.choice(LEVELS, N)}
    found |= {"first": np.where(is_first, y, ""), "second": np.where(is_first, "", y)}
    return found | {f"rep{r}": np.where(psu == r, 0.0, w * 12 / 11) for r in range(12)}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The tables by format."""
    pd, pl, pa = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    pyreadstat = pytest.importorskip("pyreadstat")
    folder: Path = tmp_path_factory.mktemp("formats")
    frame = pd.DataFrame({k: [None if x == "" else x for x in v.tolist()] for k, v in _columns().items()})
    plain = frame.copy()
    frame["edu"] = pd.Categorical(frame["edu"], LEVELS, ordered=True)
    rows = json.loads(plain.to_json(orient="records", double_precision=15))
    place = {name: str(folder / f"a.{name}") for name in ("csv", "xlsx", "parquet", "feather", "json", "sav", "dta")}
    frame.to_csv(place["csv"], index=False)
    place["semicolons"] = str(folder / "b.csv")
    frame.to_csv(place["semicolons"], index=False, sep=";", decimal=",")
    frame.to_excel(place["xlsx"], index=False)
    frame.to_parquet(place["parquet"])
    frame.to_feather(place["feather"])
    (folder / "a.json").write_text(json.dumps({"count": N, "results": rows}), encoding="utf-8")
    place["lines"] = str(folder / "a.jsonl")
    Path(place["lines"]).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    coded = plain.fillna("").assign(edu=[LEVELS.index(x) + 1.0 for x in plain["edu"]], done=plain["done"].astype(float))
    labels = {"edu": dict(zip((1, 2, 3), LEVELS, strict=True)), "done": {0: "false", 1: "true"}}
    pyreadstat.write_sav(coded, place["sav"], variable_value_labels=labels)
    pyreadstat.write_dta(coded, place["dta"], variable_value_labels=labels)
    place["sqlite"] = str(folder / "a.db")
    with sqlite3.connect(place["sqlite"]) as database:
        plain.to_sql("a", database, index=False)
    database.close()
    enum = pl.from_pandas(plain).with_columns(pl.col("edu").cast(pl.Enum(LEVELS)))
    place["enum.parquet"] = str(folder / "c.parquet")
    enum.write_parquet(place["enum.parquet"])
    found = {**place, "pandas": frame, "polars": pl.from_pandas(plain), "enum": enum, "dict": _columns()}
    return found | {"arrow": pa.Table.from_pandas(frame)}


KNOWN = {"column": "q", "categories": ["no", "yes"]}
DESIGN = {"weights": "w", "strata": "strat", "clusters": "psu"}
TASKS: dict[str, dict[str, Any]] = {
    "selection": {**KNOWN, "where": "age >= 18 and sex in ('m', 'd') or done = false"},
    "bands": {**KNOWN, "by": "age", "recode": {"age": ["..29", "30..49", "50.."]}},
    "domain": {**KNOWN, **DESIGN, "where": "age >= 20", "by": "sex", "recode": "sex: d -> f"},
    "replicates": {**KNOWN, "weights": "w", "replicates": "jk1:rep0..rep11", "by": "sex"},
    "tick box": {"column": "tick", "categories": ["no", "Fine"], "blank": "no", "where": "done = true"},
    "arms": {"column": "x", "categories": ["no", "yes"], "arms": {"first": "warner:3/4", "second": "warner:2/3"}},
    "order": {**KNOWN, "by": "edu"},
}


def _numbers(found: Any) -> list[Any]:
    """Return what was estimated: texts and numbers, without the report on the reading."""
    if isinstance(found, dict):
        return [x for key, value in found.items() if key not in ("reading", "remarks") for x in _numbers(value)]
    if isinstance(found, list):
        return [x for value in found for x in _numbers(value)]
    return [found]


def _equal(one: list[Any], other: list[Any]) -> bool:
    """Return whether two lists are equal up to the rounding of sums in another order."""
    pairs = zip(one, other, strict=True)
    return all(x == y if isinstance(x, str) or x is None else y == pytest.approx(x, abs=1e-11) for x, y in pairs)


def _compare(tables: dict[str, Any], work: Callable[..., Any]) -> None:
    """Compare all formats with CSV; those with an order of their own with each other."""
    first: dict[bool, list[Any]] = {}
    for name, table in tables.items():
        stated = {"decimal_mark": ","} if name == "semicolons" else {}
        found = _numbers(work(table, **stated).to_dict())
        assert _equal(found, first.setdefault(name in WITH_ORDER, found)), name


@pytest.mark.slow
@pytest.mark.parametrize("name", TASKS)
def test_estimates_are_the_same(tables: dict[str, Any], name: str) -> None:
    asked = TASKS[name] if "arms" in TASKS[name] else {**TASKS[name], "mechanism": "warner:3/4"}

    def estimated(table: Any, **stated: str) -> Any:
        data, others = split(table, {**asked, **stated})
        return table_estimate(data=data, **others)

    _compare(tables, estimated)


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize("formula", ["q ~ age + edu", "q ~ sex"])
def test_regressions_are_the_same(tables: dict[str, Any], formula: str) -> None:
    known = {"categories": ["no", "yes"], "model": "linear"}

    def fitted(table: Any, **stated: str) -> Any:
        return regress_table(rropt_fieldwork.read(table, **stated), formula, "warner:3/4", **known)

    _compare(tables, fitted)


@pytest.mark.slow
def test_the_order_of_categories_is_read_from_files(tables: dict[str, Any]) -> None:
    for name in ("parquet", "feather", "enum.parquet", "pandas", "sav"):
        fit = regress_table(tables[name], "q ~ edu", "warner:3/4", categories=["no", "yes"], model="linear")
        assert list(fit.names) == ["Intercept", "edu[T.mid]", "edu[T.high]"], name


def test_pyarrow_is_imported_only_for_what_may_have_an_order() -> None:
    pandas = {b"ARROW:schema": b"AAAA", b"pandas": b'{"columns": [{"pandas_type": "int64"}]}'}
    assert not may_have_orders(pandas, "parquet-cpp-arrow")
    assert not may_have_orders({b"ARROW:schema": b"AAAA"}, "Polars")
    assert not may_have_orders({b"ARROW:schema": b"A"}, "Polars")
    assert not may_have_orders({}, "DuckDB")
