"""Regressions of columns: the same as of a table, whatever library has the columns, and in every sample."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from later import later
from table_calls import regress_table

import rropt
import rropt_fieldwork
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.regression.regressed_columns import Search
from rropt_fieldwork.reading.reading_options import OPTIONS

N = 400
ONE = Search(starts=1)
PandasFrame, PolarsFrame = later("pandas", "DataFrame"), later("polars", "DataFrame")


def _columns() -> dict[str, Any]:
    rng = np.random.default_rng(3)
    x, g = rng.normal(size=N), np.array(["n", "s", "w"])[np.arange(N) % 3]
    truth = rng.random(N) < 1 / (1 + np.exp(0.5 - x))
    flip = np.array([0.9, 0.8])[np.arange(N) % 2]
    z = np.where(rng.random(N) < flip, truth, ~truth).astype(int)
    stratum = np.arange(N) // 100
    return {
        "z": z,
        "x": x,
        "g": g,
        "t": np.array([str(one) for one in np.arange(N) % 5], object),
        "d": np.array(["A", "B"])[np.arange(N) % 2],
        "w": rng.uniform(1, 3, N),
        "s": stratum,
        "c": np.arange(N) // 10 % 10,
        "N": np.full(N, 40),
        "p": np.arange(N) % 2,
        "h": (rng.random(N) < 0.4).astype(int),
        "income": 2 + x + rng.normal(size=N),
        **{f"r{r}": np.where(np.arange(N) // 10 % 10 == r, 0.0, 10 / 9) for r in range(10)},
    }


def _of_table(options: dict[str, Any]) -> dict[str, Any]:
    return {"covariates" if name == "randomized" else name: value for name, value in options.items()}


FRAMES = (PandasFrame, PolarsFrame, dict, lambda data: rropt_fieldwork.read(PandasFrame(data)))
DESIGNS: dict[str, dict[str, Any]] = {
    "weights": {"weights": "w"},
    "clusters": {"weights": "w", "strata": "s", "clusters": "c"},
    "populations": {"strata": "s", "clusters": "c", "fpc": "N"},
    "post-strata": {"weights": "w", "post_strata": "p"},
    "replicates": {"weights": "w", "replicates": "jk1:r0..r9"},
}


@few_rows(2)
@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("formula", ["z ~ x + g", "z ~ t + (x > 0.2)"])
def test_columns_of_a_sample_have_the_fit_of_the_table(name: str, formula: str) -> None:
    data, design = _columns(), dict(DESIGNS[name])
    told = regress_table(data, formula, "warner:9/10", model="linear", **design)
    if "replicates" in design:
        design["replicates"] = rropt.Replicates.of(design["replicates"])
    found = rropt.regress(formula, rropt.Sample(data, **design), "warner:9/10", model="linear")
    assert list(found.params) == pytest.approx(list(told.params), rel=1e-10)
    assert list(found.bse) == pytest.approx(list(told.bse), rel=1e-10)
    assert (found.names, found.nobs, found.fit.df_resid) == (told.names, told.nobs, told.fit.df_resid)
    assert found.fit.survey == told.fit.survey


@few_rows(2)
@pytest.mark.parametrize(
    ("formula", "mechanism", "options"),
    [
        ("z ~ x * g", "warner:9/10", {"model": "probit"}),
        ("z ~ x", "warner:9/10", {"method": "corrected"}),
        ("z ~ C(t) + x", "warner:9/10", {"model": "linear"}),
        ("z ~ x", "warner:9/10", {"random": "g"}),
        ("z ~ h + x", "warner:9/10", {"randomized": {"h": "warner:9/10"}}),
        ("h ~ z + x", None, {"randomized": {"z": "warner:9/10"}}),
        ("income ~ z + x", None, {"model": "linear", "randomized": {"z": "warner:9/10"}}),
        ("t ~ x", "grr:5,9/10", {"model": "ordinal-logit"}),
    ],
)
def test_columns_have_the_fit_of_the_table(formula: str, mechanism: str | None, options: dict[str, Any]) -> None:
    data = _columns()
    told = regress_table(data, formula, mechanism, starts=1, **_of_table(options))
    found = rropt.regress(formula, data, mechanism, search=ONE, **options)
    assert list(found.params) == pytest.approx(list(told.params), rel=1e-8)
    assert list(found.bse) == pytest.approx(list(told.bse), rel=1e-7)
    assert (found.names, found.fit.mechanisms, found.fit.categories) == (
        told.names,
        told.fit.mechanisms,
        told.fit.categories,
    )


def test_respondents_of_several_mechanisms() -> None:
    data, devices = _columns(), {"A": "warner:9/10", "B": "warner:4/5"}
    told = regress_table(data, "z ~ x", devices="d", device_names=devices, starts=1)
    found = rropt.regress("z ~ x", data, devices, assigned="d", search=ONE)
    assert list(found.params) == pytest.approx(list(told.params), rel=1e-8)
    decks = {"A": "unrelated:7/10,3/10", "B": "unrelated:3/10,3/10"}
    asked: dict[str, Any] = {"contrast": [0, 1], "model": "linear"}
    told = regress_table(data, "z ~ x", devices="d", device_names=decks, **asked)
    found = rropt.regress("z ~ x", data, decks, assigned="d", **asked)
    assert list(found.bse) == pytest.approx(list(told.bse), rel=1e-10)


@few_rows(2)
@pytest.mark.parametrize(
    "frame", [PandasFrame, PolarsFrame, dict, lambda data: rropt_fieldwork.read(PandasFrame(data))]
)
def test_columns_of_every_library(frame: Any) -> None:
    data = {name: values for name, values in _columns().items() if name in ("z", "x", "g")}
    data["x"] = np.where(np.arange(N) % 50 == 0, np.nan, data["x"])
    told = regress_table(data, "z ~ x + g", "warner:9/10", model="linear")
    found = rropt.regress("z ~ x + g", frame(data), "warner:9/10", model="linear")
    assert list(found.params) == pytest.approx(list(told.params), rel=1e-12)
    assert found.fit.missing == told.fit.missing == {"x": 8}
    new = {"x": np.array([0.5, np.nan]), "g": ["s", "s"]}
    assert found.predict(new) == pytest.approx(told.predict(new), nan_ok=True)


def test_arrays_and_responses() -> None:
    data = _columns()
    told = rropt.regress("z ~ x + p", data, "warner:9/10", search=ONE)
    X = np.column_stack([data["x"], data["p"]])
    arrays = rropt.regress(data["z"], X, "warner:9/10", search=ONE)
    frame = rropt.regress(data["z"], PandasFrame({"x": data["x"], "p": data["p"]}), "warner:9/10", search=ONE)
    own = rropt.Responses("z", "warner:9/10", data=data).regress("x + p", search=ONE)
    for found in (arrays, frame, own):
        assert list(found.params) == pytest.approx(list(told.params), rel=1e-12)
    assert (arrays.names, frame.names) == (("Intercept", "x1", "x2"), ("Intercept", "x", "p"))


def test_a_domain_keeps_its_clusters() -> None:
    data = _columns()
    sample = rropt.Sample(data, weights="w", strata="s", clusters="c")
    found = rropt.Responses("z", "warner:9/10", data=sample).where(data["x"] > 0).regress("g", model="linear")
    asked: dict[str, Any] = {"weights": "w", "strata": "s", "clusters": "c", "model": "linear"}
    told = regress_table(rropt_fieldwork.read(data, where="x > 0"), "z ~ g", "warner:9/10", **asked)
    assert list(found.bse) == pytest.approx(list(told.bse), rel=1e-10)


def test_names_of_responses_and_missing_values() -> None:
    data = _columns()
    data["z"] = np.where(np.arange(N) % 7 == 0, "", np.where(data["z"], "yes", "no"))
    told = regress_table(data, "z ~ x", "warner:9/10", categories=["no", "yes"], starts=1)
    found = rropt.regress("z ~ x", data, "warner:9/10", labels=["no", "yes"], search=ONE)
    assert list(found.params) == pytest.approx(list(told.params), rel=1e-10)
    assert (found.nobs, found.fit.dropped, found.fit.categories) == (told.nobs, told.fit.dropped, told.fit.categories)


def test_standard_errors_of_every_kind() -> None:
    data = _columns()
    sample = rropt.Sample(data, strata="s", clusters="c", fpc="N")
    for cov_type, stated in {
        "shrunk": {"standard_errors": "shrunk"},
        "design:expected": {"standard_errors": "design", "information": "expected"},
    }.items():
        told = regress_table(data, "z ~ x", "warner:9/10", starts=1, strata="s", clusters="c", fpc="N", **stated)
        found = rropt.regress("z ~ x", sample, "warner:9/10", cov_type=cov_type, search=ONE)
        assert list(found.bse) == pytest.approx(list(told.bse), rel=1e-8)
    for cov_type in ("design", "sandwic", "observed:expectd", ":expected"):
        with pytest.raises(InvalidParameterError, match=r"`cov_type`|`standard_errors`"):
            rropt.regress("z ~ x", data, "warner:9/10", cov_type=cov_type)


def test_refusals() -> None:
    data = _columns()
    with pytest.raises(InvalidParameterError, match="no mechanism"):
        rropt.regress("z ~ x", data)
    with pytest.raises(InvalidParameterError, match="no column for `formula`"):
        rropt.regress("z ~ nope", data, "warner:9/10")
    with pytest.raises(InvalidParameterError, match="different numbers of rows"):
        rropt.regress(data["z"], data["x"][1:], "warner:9/10")
    with pytest.raises(InvalidParameterError, match="a response in each row"):
        rropt.Responses.from_counts([3, 4], "warner:9/10").regress("x")
    with pytest.raises(InvalidParameterError, match="no columns of numbers"):
        rropt.regress(data["z"], [["a"]], "warner:9/10")
    with pytest.raises(UnsupportedProblemError, match="a mixed model has no weights"):
        rropt.regress("z ~ x", rropt.Sample(data, weights="w"), "warner:9/10", random="g")


def test_messages_name_no_argument_that_regress_does_not_take() -> None:
    rows = {"z": [0, 1] * 40, "age": [str(20 + place % 60) for place in range(79)] + ["old"]}
    with pytest.raises(InvalidParameterError, match="is no finite number") as refused:
        rropt.regress("z ~ age", rows, "warner:3/4")
    told, named = str(refused.value), set(re.findall(r"`(\w+)", str(refused.value)))
    assert named <= {*OPTIONS}
    assert "where the table is read (rropt_fieldwork.read)" in told
    with pytest.raises(InvalidParameterError, match="not among those of the formula") as refused:
        rropt.regress('z ~ C(g, levels=["a"])', {"z": rows["z"], "g": ["a", "b"] * 40}, "warner:3/4")
    assert {"missing", "recode"}.isdisjoint(re.findall(r"\w+", str(refused.value)))
