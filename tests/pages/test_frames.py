"""Data frames and CSV files of results: one row for each thing, numbers in full precision in numeric columns."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_round_trips import RESULTS, _made

import rropt
from rropt.core.results.result_frames import columns_of, csv_text, row_of
from rropt.estimates import estimates_of_counts
from rropt.estimates.from_counts import estimate_of_options
from rropt_fieldwork import compare_designs, estimate_table, read, regress_table

Cli = Callable[..., tuple[int, str, str]]
COUNTS = [250, 550, 200]
_NUMBER = re.compile(r"~?-?[\d.]+(e-?\d+)?( %)?|-?\d+/\d+( ~ .*)?")  # as results print numbers


def _table(weights: str | None = None, **more: Any) -> Any:
    rng = np.random.default_rng(5)
    data = {"q": rng.integers(0, 2, 300), "g": np.array(["01", "02", "03"] * 100, object), "w": rng.integers(1, 4, 300)}
    rows = read(data) if weights is None else read(data).sampled(weights=weights)
    return estimate_table(rows, "q", "warner:3/4", **more)


def test_categories_are_rows_with_exact_numbers() -> None:
    """Against the inverse of grr:3,3/4: pi_j = (share_j - 1/8)/(5/8)."""
    found = rropt.inference.estimate("grr:3,3/4", COUNTS)
    rows = estimates_of_counts(found).frame_rows()
    wanted = [(Fraction(count, 1000) - Fraction(1, 8)) / Fraction(5, 8) for count in COUNTS]
    assert [row["estimate"] for row in rows] == [float(value) for value in wanted]
    assert all(row["low"] < row["estimate"] < row["high"] and row["n"] == 1000 for row in rows)
    joint = estimates_of_counts(found, confidence=1 - Fraction(1, 60)).frame_rows()  # 0.05/3
    at_once = estimates_of_counts(found).conf_int(simultaneous=True)
    assert [(float(low), float(high)) for low, high in at_once] == [(one["low"], one["high"]) for one in joint]
    assert rropt.inference.estimate("grr:3,3/4", COUNTS).frame_rows() == rows


def test_named_categories_are_rows_under_their_names() -> None:
    made = rropt.Mechanism("grr:3,3/4").labelled(["never", "once", "often"])
    assert [row["category"] for row in estimates_of_counts(rropt.inference.estimate(made, COUNTS)).frame_rows()] == [
        "never",
        "once",
        "often",
    ]


@pytest.mark.parametrize("more", [{"by": "g"}, {"by": "g", "weights": "w"}, {}])
def test_groups_are_rows_and_their_names_are_texts(more: dict[str, Any]) -> None:
    found = _table(**more)
    columns = columns_of(found.frame_rows())
    groups = [*found]
    assert columns.get("group") == ([one.group for one in groups] if "by" in more else None)
    assert columns["estimate"] == [float(one.estimate) for one in groups]
    assert columns["n"] == [one.n for one in groups]
    for name in ("estimate", "se", "low", "high"):
        assert all(isinstance(cell, float) for cell in columns[name]), name


def test_empty_intervals_have_a_kind_and_columns_without_ends() -> None:
    data = {"q": np.array([1] + [0] * 99), "g": np.array(["a"] * 100, object)}
    (row,) = estimate_table(data, "q", "warner:3/4", by="g").frame_rows()
    assert (row["interval"], row["low"], row["high"]) == ("exact", None, None)


def test_groups_are_rows_of_a_proportion_and_pairs_of_its_differences() -> None:
    found = _table(by="g")
    assert [row["group"] for row in found.frame_rows()] == ["01", "02", "03"]
    rows = found.difference_rows()
    assert [(row["first"], row["second"]) for row in rows] == [("01", "02"), ("01", "03"), ("02", "03")]
    assert [row["p_adjusted"] for row in rows] == [one.adjusted for one in found.compared()[0].differences]


def test_several_questions_have_a_row_for_each_cell() -> None:
    found = estimate_of_options("bits:3/4*2", [50, 30, 18, 2], marginals=1)
    rows = found.frame_rows()
    assert [row["question"] for row in rows] == ["question 0", "question 1"]
    assert len(estimate_of_options("bits:3/4*2", [50, 30, 18, 2], marginals=2).frame_rows()) == 4
    assert all(isinstance(row["estimate"], float) and row["low"] < row["high"] for row in rows)


def test_frames_of_results_are_numeric() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed: pip install 'rropt[frames]'")
    found = compare_designs(epsilon=1, prevalence="1/10", certify=False)
    frame = found.to_frame()
    assert len(frame) == len(found.designs)
    assert frame.astype({"variance": float, "efficiency": float})["variance"].tolist()[0] == float(
        found.designs[0].variance
    )
    rows = rropt.sweep(rropt.design.binary, epsilon=["log(2)", "log(3)"], prevalence="1/10", fast=True)
    frame = rows.to_frame()
    assert frame["value"].tolist() == [2.09, 0.84]
    assert [frame[name].dtype.kind for name in ("prevalence", "value", "lower", "upper", "p00")] == ["f"] * 5
    assert rows == list(rows)
    exact = rropt.sweep(rropt.design.binary, epsilon="log(3)", prevalence="1/10", exact=True, fast=True).to_frame()
    assert exact["value"].tolist() == [0.84]


def test_numbers_of_json_are_floats() -> None:
    record = {"a": "1/3", "b": "log(3)", "c": "inf", "name": "1/3", "d": "01", "e": None, "interval": [0, 1], "n": 3}
    row = row_of({**record, "decimals": {}})
    assert (row["a"], row["b"], row["c"]) == (1 / 3, pytest.approx(np.log(3), rel=1e-15), float("inf"))
    assert (row["name"], row["d"], row["e"], row["n"]) == ("1/3", "01", None, 3)
    assert (row["low"], row["high"]) == (0.0, 1.0)
    assert csv_text([{"a": 1 / 3, "b": None}, {"a": None, "b": 'x,"'}]) == f'a,b\n{1 / 3!r},\n,"x,"""\n'


@pytest.mark.slow
def test_estimates_of_200_categories_are_written_as_csv(cli: Cli, tmp_path: Path) -> None:
    counts, path = [10 + i % 7 for i in range(200)], tmp_path / "shares.csv"
    call = ("estimate", "--counts", ",".join(map(str, counts)), "--mechanism", "grr:200,1/2", "--output", str(path))
    assert cli(*call)[0] == 0
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    p, q, n = Fraction(1, 2), Fraction(1, 398), sum(counts)
    assert len(rows) == 200
    for row, count in zip(rows, counts, strict=True):
        assert float(row["estimate"]) == float((Fraction(count, n) - q) / (p - q))
        assert float(row["low"]) <= float(row["estimate"]) <= float(row["high"])


def test_the_variance_of_a_mechanism() -> None:
    """Of Warner's design by the formula of the literature: pi(1 - pi) + p(1 - p)/(2p - 1)^2."""
    pi, p = Fraction(1, 10), Fraction(3, 4)
    assert rropt.Mechanism("warner:3/4").n_var("1/10") == pi * (1 - pi) + p * (1 - p) / (2 * p - 1) ** 2
    three = rropt.Mechanism([["1/2", "1/8"], ["1/4", "1/4"], ["1/4", "5/8"]])
    shares = [(1 - pi) * a + pi * b for a, b in three.matrix]
    assert three.n_var(pi) == 1 / sum((b - a) ** 2 / share for (a, b), share in zip(three.matrix, shares, strict=True))
    with pytest.raises(rropt.core.errors.InvalidParameterError, match="allowed is a number from 0 to 1"):
        three.n_var("3/2")


def test_no_result_has_a_number_as_text_in_its_frame() -> None:
    """Every class of results.toml: a text that reads as a number is the name of a group, a category or a term."""
    names = {"text", "category", "first", "second", "group", "table", "cell", "name"}
    found = []
    for kind in RESULTS:
        columns = columns_of(_made(kind).frame_rows())
        assert len({len(cells) for cells in columns.values()}) <= 1, kind
        for name, cells in columns.items():
            texts = [cell for cell in cells if isinstance(cell, str) and _NUMBER.fullmatch(cell.strip())]
            found += [(kind.__name__, name, texts[:3])] if texts and name not in names else []
    assert not found


@pytest.mark.parametrize("weights", [None, "w"])
def test_pairs_of_groups_are_a_frame_of_numbers(weights: str | None) -> None:
    """Of three groups three pairs: the difference of the estimates, p at most adjusted, wider intervals for all."""
    found = _table(by="g", **({"weights": "w"} if weights else {}))
    rows, groups = found.difference_rows(), {row["group"]: row["estimate"] for row in found.frame_rows()}
    assert [(row["first"], row["second"]) for row in rows] == [("01", "02"), ("01", "03"), ("02", "03")]
    for row in rows:
        assert (row["question"], row["category"]) == ("q", "1")
        assert row["estimate"] == pytest.approx(groups[row["first"]] - groups[row["second"]], abs=1e-12)
        assert row["low_at_once"] < row["low"] < row["estimate"] < row["high"] < row["high_at_once"]
        p = row["p_value"]
        assert p <= row["p_adjusted"] == pytest.approx(min(3 * p, 1), rel=1e-12)
    columns = columns_of(rows)
    names = ("estimate", "low", "high", "p_value")
    assert all(isinstance(cell, float) for name in names for cell in columns[name])
    assert list(csv.DictReader(csv_text(rows).splitlines()))[2]["second"] == "03"


_OTHER_ROWS = {  # of a matrix, of two ways to one number, and an optimum below designs
    "MeanDesign",
    "LaplaceReport",
    "DesignComparison",
}


def test_what_has_a_row_in_a_table_has_one_in_a_frame() -> None:
    short = []
    for kind in RESULTS:
        made = _made(kind)
        pairs = made.difference_rows() if hasattr(made, "difference_rows") else []
        most = max((len(rows) for _, header, rows in made.as_tables() if header), default=0)
        if most > len(made.frame_rows()) + len(pairs) and kind.__name__ not in _OTHER_ROWS:
            short.append((kind.__name__, most))
    assert not short


def test_a_frame_of_a_regression_has_what_its_tables_print() -> None:
    """exp(b) and b/se, in 400 answers of Warner's device; the predicted proportions are a row for each group."""
    rng = np.random.default_rng(2)
    data = {"y": rng.integers(0, 2, 400), "g": np.array(["a", "b"] * 200, object)}
    found = regress_table(data, "y ~ g", mechanism="warner:3/4")
    rows = found.frame_rows()
    assert [row["name"] for row in rows] == ["Intercept", "g[T.b]"]
    assert rows[1]["odds_ratio"] == pytest.approx(np.exp(rows[1]["estimate"]), rel=1e-12)
    assert rows[1]["odds_low"] == pytest.approx(np.exp(rows[1]["low"]), rel=1e-12)
    assert rows[1]["t"] == pytest.approx(rows[1]["estimate"] / rows[1]["se"], rel=1e-12)
    predicted = found.prevalence("g").frame_rows()
    assert [(row["group"], row["n"]) for row in predicted] == [("a", 200), ("b", 200)]
    assert all(row["low"] < row["estimate"] < row["high"] for row in predicted)


def test_groups_of_a_declared_question_are_written_under_its_wording(cli: Cli, tmp_path: Path) -> None:
    wording = "Have you ever taken drugs?"
    (tmp_path / "survey.csv").write_text(
        "q17_drugs,region\n" + "\n".join(f"{'yes' if i % 3 else 'no'},{'abc'[i % 7 % 3]}" for i in range(200))
    )
    (tmp_path / "survey.toml").write_text(
        f'file = "survey.csv"\n[questions.q17_drugs]\nquestion = "{wording}"\ncategories = ["no", "yes"]\n'
        'device = "warner:3/4"\n'
    )
    groups, pairs = tmp_path / "groups.csv", tmp_path / "groups-differences.csv"
    call = ("estimate", "q17_drugs", "--by", "region", "--survey", str(tmp_path / "survey.toml"))
    assert cli(*call, "--output", str(groups))[0] == 0
    listed = list(csv.DictReader(groups.open(newline="")))
    assert list(listed[0])[:4] == ["column", "question", "name", "category"]
    told = {(row["column"], row["question"], row["category"]) for row in listed}
    assert told == {("q17_drugs", wording, "yes")}
    differences = list(csv.DictReader(pairs.open(newline="")))
    assert [(row["first"], row["second"]) for row in differences] == [("a", "b"), ("a", "c"), ("b", "c")]
    estimates = {row["group"]: float(row["estimate"]) for row in listed}
    for row in differences:
        assert (row["question"], row["category"]) == (wording, "yes")
        assert float(row["estimate"]) == pytest.approx(estimates[row["first"]] - estimates[row["second"]], abs=1e-12)
        assert float(row["p_adjusted"]) == pytest.approx(min(1, 3 * float(row["p_value"])), rel=1e-12)
    data = ("estimate", str(tmp_path / "survey.csv"), "--column", "q17_drugs", "--mechanism", "warner:3/4")
    pairs.unlink()
    assert cli(*data, "--categories", "no,yes", "--output", str(groups))[0] == 0
    assert not pairs.exists()  # there are no groups


def test_a_frame_of_groups_names_question_and_category() -> None:
    rng = np.random.default_rng(6)
    data = {"a: b": rng.integers(0, 3, 300), "q": rng.integers(0, 2, 300), "g": np.array(["1", "2"] * 150, object)}
    data |= {"w": rng.integers(1, 4, 300)}
    made = rropt.Mechanism("grr:3,3/4").labelled(["never", "once: or more", "often"])
    several = rropt.mechanisms.ProductMechanism([made, rropt.Mechanism("warner:3/4")])
    texts = [list(made.categories), ["no", "yes"]]
    data |= {name: np.array(texts[i], object)[data[name]] for i, name in enumerate(["a: b", "q"])}
    found = estimate_table(data, ["a: b", "q"], several, by="g", categories=texts)
    told = [(row["question"], row["category"]) for row in found.frame_rows()]
    assert told == [("a: b", name) for _ in "12" for name in made.categories] + [("q", "yes")] * 2
    joint = estimate_table(read(data).sampled(weights="w"), ["a: b", "q"], several, marginals=2, categories=texts)
    rows = joint.frame_rows()
    assert {row["question"] for row in rows} == {"a: b, q"}
    assert [row["category"] for row in rows] == [f"{often}, {q}" for q in ("no", "yes") for often in made.categories]


def test_every_frame_has_rows_of_numbers_and_short_texts() -> None:
    """Every class: columns of one kind that pandas takes as numbers, no settings of a problem, no pages or programs."""
    pandas = pytest.importorskip("pandas", reason="pandas is not installed: pip install 'rropt[frames]'")
    for kind in RESULTS:
        made = _made(kind)
        rows, frame = made.frame_rows(), made.to_frame()
        assert rows, kind
        assert len(frame) == len(rows), kind
        for name in frame.columns:
            is_text = any(isinstance(row.get(name), str) for row in rows)
            assert is_text or pandas.api.types.is_numeric_dtype(frame[name]), (kind, name)
            assert not name.startswith(("problem_", "region_", "routes_")), (kind, name)
            if is_text:
                assert max(len(text) for text in frame[name]) <= 500, (kind, name)
                assert not any("\n" in text for text in frame[name]), (kind, name)
            else:
                frame[name].astype(float)
        listed = list(csv.DictReader(made.to_csv().splitlines()))
        assert len(listed) == len(rows), kind
        assert frame.to_csv(index=False).count("\n") >= len(rows), kind


RECORD = Path(__file__).with_name("frame_columns.txt")
_TYPES = {"b": "truth", "f": "float", "i": "integer"}  # of NumPy's kinds; what is left are texts


def _columns(frame: Any) -> str:
    return ", ".join(f"{name} {_TYPES.get(kind.kind, 'text')}" for name, kind in frame.dtypes.items())


def test_columns_and_types_of_every_frame_are_recorded() -> None:
    """One line for each class, and for the forms that some have; RROPT_WRITE_PAGES=1 writes them again."""
    pytest.importorskip("pandas", reason="pandas is not installed: pip install 'rropt[frames]'")
    frames = {f"{kind.__module__}.{kind.__qualname__}": _made(kind).to_frame() for kind in RESULTS}
    estimates = {"by": {"by": "g"}, "weights": {"weights": "w"}, "by, weights": {"by": "g", "weights": "w"}}
    frames |= {f"estimate_table, {name}": _table(**more).to_frame() for name, more in estimates.items()}
    frames["sweep"] = rropt.sweep(
        rropt.design.binary, epsilon=["log(2)", "log(3)"], prevalence="1/10", fast=True
    ).to_frame()
    lines = {name: _columns(frame) for name, frame in sorted(frames.items())}
    if os.environ.get("RROPT_WRITE_PAGES") == "1":
        RECORD.write_text("".join(f"{name}: {columns}\n" for name, columns in lines.items()), encoding="utf-8")
    recorded = dict(line.split(": ", 1) for line in RECORD.read_text(encoding="utf-8").splitlines())
    assert lines == recorded


def test_a_frame_of_compared_designs_begins_with_what_is_compared() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed: pip install 'rropt[frames]'")
    found = compare_designs(epsilon=1, prevalence="1/10", certify=False).for_goal(margin="1/20")
    frame = found.to_frame()
    assert list(frame.columns)[:5] == ["design", "variance", "efficiency", "needed", "epsilon"]
    assert "epsilon_all" not in frame  # that of one response
    for name in ("variance", "efficiency", "needed", "epsilon", "p00", "p11"):
        assert frame[name].dtype.kind in "if", name
    assert frame["needed"].tolist()[0] == found.designs[0].needed
    assert frame["p11"].tolist()[0] == float(found.designs[0].mechanism.p11)


def test_a_frame_of_a_solution_begins_with_value_and_bounds() -> None:
    found = rropt.design.binary("1/10", epsilon=1, fast=True)
    (row,) = found.frame_rows()
    assert list(row)[:3] == ["value", "lower", "upper"]
    assert (row["epsilon"], row["inputs"], row["outputs"], row["objective"]) == (1.0, 2, 2, "variance")
    assert (row["p00"], row["p11"]) == (float(found.mechanism.p00), float(found.mechanism.p11))


def test_exact_reals_of_json_are_floats() -> None:
    row = row_of({"delta": "7/10 - 1/4*exp(1)", "at": "-1/10 + 1/20*sqrt(22)", "words": "log in (2)", "page": "a\nb"})
    assert row["delta"] == pytest.approx(0.7 - np.e / 4, rel=1e-14)
    assert row["at"] == pytest.approx(-0.1 + 22**0.5 / 20, rel=1e-14)
    assert row["words"] == "log in (2)"
    assert "page" not in row
