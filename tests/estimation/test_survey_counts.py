"""Counts of complex surveys: weighted counts by stratum and unit give the estimates of the responses themselves."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.mechanisms.families import AllSubsets, BlockMechanism, as_memberships
from rropt.mechanisms.sampling import Randomizer
from rropt.survey.aggregates import (
    AggregatedCounts,
    SurveyCounts,
    SurveyCountsEstimate,
    count,
    estimate_counts,
    heavy_hitters,
    merge,
)
from rropt.survey.tables import estimate_table

F = Fraction
PAIRS = "subset:5,2"  # all pairs of 5 categories, gamma = 3, whose responses are written as pairs
NAMES = {"weights": "w", "strata": "s", "clusters": "c"}
TEXTS = ("grr:4,1/2", PAIRS, "oue:4,3", "affine-classes:6,7,3,1,1,3", "olh:5,2", "affine:6,7,3,3")


def _named(text: str) -> Mechanism:
    return BlockMechanism(AllSubsets(5, 2), 3) if text == PAIRS else named_mechanism(text)


def _table(path: Path, text: str, n: int, *, seed: int = 1, clusters: int = 5) -> tuple[Mechanism, list[list[str]]]:
    """Write randomized answers of a survey of three strata, and return the mechanism and the rows."""
    made, rng = _named(text), np.random.default_rng(seed)
    answers = rng.integers(0, made.inputs, n)
    if as_memberships(made) is not None and text.startswith(("subset", "oue")):
        drawn = _written(made, answers, seed)
    else:
        drawn = [str(x) for x in Randomizer(made).simulate_many(answers, seed=seed).tolist()]
    rows = [[y, str(rng.integers(1, 900) / 100), f"h{rng.integers(3)}", f"c{rng.integers(clusters)}"] for y in drawn]
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([["y", "w", "s", "c"], *rows])
    return made, rows


def _written(made: Mechanism, answers: Any, seed: int) -> list[str]:
    if made.inputs == 4:
        (bits,) = Randomizer(made).randomize_sets(answers, seed=seed)
        return ["".join(map(str, row.astype(int))) for row in bits]
    rng = np.random.default_rng(seed)
    return ["&".join(map(str, sorted(rng.choice(made.inputs, 2, replace=False)))) for _ in answers]


def _debiased(made: Mechanism, row: list[str]) -> list[float]:
    """Return z of one response, from the matrix or from the sets: the oracle."""
    sets = as_memberships(made)
    if sets is None:
        inverse = np.linalg.inv(np.array(made.matrix, float))
        return inverse[:, int(row[0])].tolist()
    k, p, m = made.inputs, float(sets.hit), float(sets.miss)
    if "&" in row[0]:
        held = {int(x) for x in row[0].split("&")}
    elif len(row[0]) == k and k == 4:
        held = {x for x, bit in enumerate(row[0]) if bit == "1"}
    else:
        held = {x for x in range(k) if sets.contains(int(row[0]), x)}
    return [((x in held) - m) / (p - m) for x in range(k)]


def _oracle(made: Mechanism, rows: list[list[str]], clustered: bool) -> tuple[Any, Any]:
    """Return Hajek's estimate and its linearised standard errors, row by row."""
    z, w = np.array([_debiased(made, row) for row in rows]), np.array([float(row[1]) for row in rows])
    share = (w[:, None] * z).sum(axis=0) / w.sum()
    u, variance = w[:, None] * (z - share) / w.sum(), 0.0
    for stratum in sorted({row[2] for row in rows}):
        inside = [i for i, row in enumerate(rows) if row[2] == stratum]
        units: dict[Any, Any] = {}
        for i in inside:
            key = rows[i][3] if clustered else i
            units[key] = units.get(key, 0) + u[i]
        totals = np.array(list(units.values()))
        variance = variance + len(totals) * totals.var(axis=0, ddof=1)
    return share, np.sqrt(variance)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("clustered", [True, False])
def test_cells_give_the_estimates_of_the_rows(text: str, clustered: bool, tmp_path: Path) -> None:
    made, rows = _table(tmp_path / "all.csv", text, 400)
    names = dict(NAMES) if clustered else {"weights": "w", "strata": "s"}
    parts = []
    for i in range(3):
        part = tmp_path / f"{i}.csv"
        with part.open("w", newline="") as stream:
            csv.writer(stream).writerows([["y", "w", "s", "c"], *rows[i::3]])
        parts.append(count(str(part), made, column="y", **names))
    total, whole = merge(parts), count(str(tmp_path / "all.csv"), made, column="y", shard="x", **names)
    assert isinstance(whole, SurveyCounts)
    assert isinstance(total, SurveyCounts)
    assert [(c.stratum, c.psu, c.n, c.weight, c.counts) for c in total.cells] == [
        (c.stratum, c.psu, c.n, c.weight, c.counts) for c in whole.cells
    ]
    found = estimate_counts(total)
    share, errors = _oracle(made, rows, clustered)
    assert np.allclose(found.estimate, share, atol=1e-10)
    assert np.allclose(found.standard_errors, errors, rtol=1e-6)
    assert (found.n, found.strata, found.units) == (400, 3, 15 if clustered else 400)
    assert all(low <= max(min(x, 1), 0) <= high for (low, high), x in zip(found.intervals, share, strict=True))
    again = SurveyCounts.from_dict(json.loads(json.dumps(total.to_dict()), parse_int=str, parse_float=str))
    assert again == total
    assert SurveyCountsEstimate.from_json(found.to_json()) == found


def test_the_estimates_are_those_of_the_table(tmp_path: Path) -> None:
    """Against ``rropt estimate DATA --weights w --strata s --clusters c``, which has its own code."""
    path = tmp_path / "all.csv"
    _table(path, "grr:4,1/2", 500)
    for lonely in ("refuse", "certainty", "average", "adjust"):
        if lonely != "refuse":
            with path.open("a") as stream:
                stream.write(f"2,3.5,alone-{lonely},only\n")
        found = estimate_counts(count(str(path), "grr:4,1/2", column="y", **NAMES), single_psu=lonely)
        table = estimate_table(str(path), ["y"], mechanism="grr:4,1/2", single_psu=lonely, **NAMES)
        shares = [category.groups[0].share for category in table.shares]
        assert np.allclose(found.estimate, [share.value for share in shares])
        assert np.allclose(found.standard_errors, [share.standard_error for share in shares])


def test_weights_alone_and_a_column_alone(tmp_path: Path) -> None:
    path = tmp_path / "all.csv"
    made, rows = _table(path, PAIRS, 300)
    plain = count(str(path), made, column="y")
    assert isinstance(plain, AggregatedCounts)
    assert plain.counts == tuple(sum(str(x) in row[0].split("&") for row in rows) for x in range(5))
    found = estimate_counts(count(str(path), made, column="y", weights="w"))
    assert (found.strata, found.units, found.degrees_of_freedom) == (1, 300, 299)
    equal = tmp_path / "equal.csv"
    equal.write_text("y;w\n" + "".join(f"{row[0]};2.50\n" for row in rows))
    weighted = estimate_counts(count(str(equal), made, column="y", weights="w"))
    simple = estimate_counts(plain)
    assert np.allclose(weighted.estimate, [float(x) for x in simple.estimate])
    assert np.allclose(np.array(weighted.standard_errors) ** 2 * 299 / 300, np.array(simple.standard_errors) ** 2)


def test_what_the_counts_do_not_determine_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "all.csv"
    made, _ = _table(path, PAIRS, 60)
    counts = count(str(path), made, column="y", **NAMES)
    with pytest.raises(UnsupportedProblemError, match="most likely proportions are not determined"):
        estimate_counts(counts, likelihood=True)
    with pytest.raises(UnsupportedProblemError, match="heavy hitters rest on binomial tails"):
        heavy_hitters(counts, "1/2")
    with pytest.raises(InvalidParameterError, match="parts with and without clusters"):
        merge([counts, count(str(path), made, column="y", weights="w", shard="b")])
    with pytest.raises(InvalidParameterError, match="with and without weights"):
        merge([counts, count(str(path), made, column="y", shard="b")])
    with pytest.raises(InvalidParameterError, match="a shard is given twice"):
        merge([counts, counts])
    with path.open("a") as stream:
        stream.write("0&1,1,alone,only\n")
    alone = count(str(path), made, column="y", **NAMES)
    with pytest.raises(InvalidParameterError, match="a stratum has a single unit"):
        estimate_counts(alone)
    with pytest.raises(InvalidParameterError, match="no such rule"):
        estimate_counts(alone, single_psu="ignore")
    with pytest.raises(InvalidParameterError, match="columns belong to a table"):
        count(str(path), made, weights="w")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("y,w\n0&1,-1\n", "a weight is out of range: received '-1'"),
        ("y,w\n0&1,0\n", "a weight is out of range"),
        ("y,w\n0&1,1e3\n", "a weight is out of range"),
        ("y,w\n0&1,0.1234567\n", "a weight is out of range"),
        ("y,w\n0&1,9999999\n", "a weight is too large"),
        ("y,w\n0&1,1,2\n", "another number of columns: received 3"),
        ("y,w\n,1\n", "has no response"),
        ("y,w\n0&9,1\n", "not from 0 to 4"),
        ("y,v\n0&1,1\n", "a column is not in the table once: received 'w'"),
        ("y,w\n", "no responses"),
        ("", "a column is not in the table once"),
    ],
)
def test_tables_that_are_wrong_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises((FileFormatError, InvalidParameterError), match=message):
        count(str(path), _named(PAIRS), column="y", weights="w")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "rropt-counts/3"}, "not a file of counts"),
        ({"mechanism_hash": "0" * 64}, "counts are of another mechanism"),
        ({"n": 7}, "the cells do not fit"),
        ({"cells": []}, "the counts do not fit"),
        ({"clustered": False}, "a cell of the counts does not fit"),
        ({"weight_unit": "1"}, "the counts do not fit"),
        ({"shards": []}, "the shards are not a sorted list"),
        ({"more": 1}, "not a file of counts"),
    ],
)
def test_a_file_of_survey_counts_is_not_believed(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    _table(path, PAIRS, 20)
    written = count(str(path), _named(PAIRS), column="y", **NAMES).to_dict()
    with pytest.raises(FileFormatError, match=message):
        SurveyCounts.from_dict({**written, **change})
    for key, value in (("n", 0), ("weight", -1), ("counts", [1]), ("psu", ""), ("stratum", "\x1b"), ("more", 1)):
        cell = {**written["cells"][0], key: value}
        with pytest.raises(FileFormatError, match="a cell of the counts"):
            SurveyCounts.from_dict({**written, "cells": [cell, *written["cells"][1:]]})


def test_the_commands_count_merge_and_estimate_a_survey(tmp_path: Path, cli, cli_json) -> None:
    design = str(tmp_path / "design.json")
    Path(design).write_text(_named(PAIRS).to_json())
    for i in range(2):
        _table(tmp_path / f"{i}.csv", PAIRS, 200, seed=i + 1)
        words = ["--column", "y", "--weights", "w", "--strata", "s", "--clusters", "c", "--mechanism", design]
        assert cli("count", str(tmp_path / f"{i}.csv"), *words, "--output", str(tmp_path / f"{i}.json"))[0] == 0
    total = str(tmp_path / "all.json")
    assert cli("merge", str(tmp_path / "0.json"), str(tmp_path / "1.json"), "--output", total)[0] == 0
    found = cli_json("estimate", total)
    assert (found["n"], found["units"]) == (400, 15)
    status, out, _ = cli("estimate", total)
    assert status == 0
    assert "joint interval" in out
    status, _, err = cli("estimate", total, "--likelihood")
    assert (status, "not determined" in err) == (2, True)
    status, _, err = cli("estimate", total, "--weights", "w")
    assert (status, "contains its survey" in err) == (2, True)
