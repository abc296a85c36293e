"""Two-sample designs from a file: the formulas of the literature, variances by simulation and by hand, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from table_calls import two_sample_estimates

from rropt import Estimates
from rropt.core.errors import InvalidParameterError
from rropt_fieldwork import read


def _rows(model: str, n: int, seed: int) -> dict[str, np.ndarray]:
    """Return answers of a population with prevalence 0.3 in which some do not comply."""
    random = np.random.default_rng(seed)
    x, half, u = random.random(n) < 0.3, random.integers(0, 2, n), random.random(n)
    if model == "lie-detector":  # mangat: the trait says yes; others yes with chance 1 - p
        p = np.array([1 / 6, 5 / 6])[half]
        z = np.where(x, random.random(n) < 0.8, u < 1 - p)
        names = np.array(["mangat:1/6", "mangat:5/6"], object)[half]
    elif model == "cheater-detection":  # forced yes with chance 1/4 or 3/4; a tenth always says no
        yes = np.array([1 / 4, 3 / 4])[half]
        z = np.where(random.random(n) < 0.1, False, (u < yes) | x)
        names = np.array(["forced:3/4,1/4,0", "forced:1/4,3/4,0"], object)[half]
    else:
        p = np.array([1 / 4, 3 / 4])[half]
        z = np.where(x, u < p, u < 1 - p)
        names = np.array(["crosswise:1/4", "crosswise:3/4"], object)[half]
    return {"z": z.astype(int), "d": names}


TRUE = {
    "lie-detector": (0.3, 0.8),
    "cheater-detection": (0.27, 0.63, 0.1),
    "extended-crosswise": (0.3, 0.0),
}


@pytest.mark.slow
@pytest.mark.parametrize("model", TRUE)
def test_estimates_and_errors_by_simulation(model: str, size) -> None:
    samples = size(30, 500)
    found = [two_sample_estimates(_rows(model, 1500, seed), "z", model, devices="d") for seed in range(samples)]
    for i, true in enumerate(TRUE[model]):
        values = np.array([one[i].estimate for one in found])
        errors = np.array([one[i].se for one in found])
        spread = values.std(ddof=1)
        assert abs(values.mean() - true) < 4 * spread / np.sqrt(samples) + 0.01
        assert abs(errors.mean() / spread - 1) < 4 / np.sqrt(2 * samples)


def test_the_stochastic_lie_detector_by_hand() -> None:
    """60 yes of 400 by mangat:1/6 (c = 5/6), 140 of 400 by mangat:5/6 (c = 1/6): Moshagen's equations."""
    z = np.repeat([1, 0, 1, 0], [300, 100, 140, 260])
    d = np.repeat(np.array(["mangat:1/6", "mangat:5/6"], object), 400)
    found = two_sample_estimates({"z": z, "d": d}, "z", "lie-detector", devices="d")
    one, other = 300 / 400, 140 / 400
    prevalence = 1 - (one - other) / (5 / 6 - 1 / 6)
    truth = (one - (1 - prevalence) * 5 / 6) / prevalence
    assert found["prevalence"].estimate == pytest.approx(prevalence)
    assert found["chance of the truth among those with the trait"].estimate == pytest.approx(truth)
    variance = (one * (1 - one) + other * (1 - other)) / 400 * (3 / 2) ** 2
    assert found["prevalence"].se == pytest.approx(np.sqrt(variance * 800 / 799), rel=1e-9)
    assert Estimates.from_json(found.to_json()) == found


def test_an_attention_question_corrects_the_crosswise_model() -> None:
    random = np.random.default_rng(5)
    n, p = 60_000, 0.2
    x, attentive = random.random(n) < 0.1, random.random(n) < 0.75
    z = np.where(attentive, np.where(x, random.random(n) < p, random.random(n) < 1 - p), random.random(n) < 0.5)
    a = np.where(attentive, random.random(n) < 1 - p, random.random(n) < 0.5)
    found = two_sample_estimates(
        {"z": z.astype(int), "a": a.astype(int)}, "z", "attention", "crosswise:1/5", attention="a"
    )
    for name, true in (("prevalence", 0.1), ("attentive", 0.75)):
        assert abs(found[name].estimate - true) < 4 * found[name].se
    naive = (z.mean() - (1 - p)) / (2 * p - 1)
    assert abs(naive - 0.1) > 8 * found["prevalence"].se  # what the correction is for


def test_clusters_and_weights_count() -> None:
    rows = _rows("extended-crosswise", 600, 3)
    plain = two_sample_estimates(rows, "z", "extended-crosswise", devices="d")
    # the sign of the difference depends on the order of the devices, which is that of the rows
    first, second = dict.fromkeys(rows["d"].tolist())
    assert plain.remarks() == (f"difference of the samples: {first} minus {second}",)
    twice = {name: np.repeat(values, 2) for name, values in rows.items()}
    clustered = two_sample_estimates(
        {**twice, "c": np.repeat(np.arange(600), 2)}, "z", "extended-crosswise", devices="d", clusters="c"
    )
    weighted = two_sample_estimates(
        {**rows, "w": np.full(600, 2.5)}, "z", "extended-crosswise", devices="d", weights="w"
    )
    for other in (clustered, weighted):  # doubled rows add nothing new, equal weights neither
        for i, one in enumerate(plain):
            assert other[i].estimate == pytest.approx(one.estimate)
            assert other[i].se == pytest.approx(one.se, rel=1e-9)


@pytest.mark.parametrize("rule", ["adjust", "certainty"])
def test_without_degrees_of_freedom_there_is_no_interval(rule: str) -> None:
    data = {**_rows("lie-detector", 400, 3), "half": np.arange(400) % 2}
    found = two_sample_estimates(
        data, "z", "lie-detector", devices="d", strata="half", clusters="half", single_psu=rule
    )
    assert [(one.df, one.conf_int(), one.p_value) for one in found] == [(0, None, None)] * 2
    assert {row[-2:] for row in found.as_tables()[0][2]} == {("none", "none")}
    assert Estimates.from_json(found.to_json()) == found


def test_a_standard_error_of_0_gives_no_p_value() -> None:
    data = {**_rows("extended-crosswise", 400, 3), "z": np.ones(400, np.int64)}  # everybody answers yes
    found = two_sample_estimates(data, "z", "extended-crosswise", devices="d")
    assert [(one.se, one.p_value) for one in found] == [(0, None)] * 2
    assert {row[-2] for row in found.as_tables()[0][2]} == {"none"}
    assert not any("outside" in text for text in found.remarks())
    wrong = two_sample_estimates(data, "z", "cheater-detection", devices="d")
    assert "[0, 1]: cheaters: by" in wrong.remarks()[0]  # there are -1
    assert Estimates.from_json(found.to_json()) == found


def test_nobody_who_cheats_is_no_estimate_outside_the_unit_interval() -> None:
    """9/10 x_1 + 1/10 x_2 = 4/20 and 1/10 x_1 + 9/10 x_2 = 16/20: x_1 + x_2 = 1, in floats slightly more."""
    data = {"z": np.r_[np.arange(20) < 4, np.arange(20) < 16].astype(np.int64), "d": np.repeat(["a", "b"], 20)}
    devices = {"a": "warner:9/10", "b": "warner:1/10"}
    found = two_sample_estimates(data, "z", "cheater-detection", devices="d", device_names=devices)
    assert [one.estimate for one in found] == pytest.approx([1 / 8, 7 / 8, 0])
    assert not found.remarks()


def test_a_stratum_that_is_certain_has_the_variance_of_independent_respondents() -> None:
    """The clusters say nothing of it; without them the respondents have it, but for n/(n - 1)."""
    data = {**_rows("lie-detector", 400, 3), "half": np.arange(400) % 2}
    alone = two_sample_estimates(
        data, "z", "lie-detector", devices="d", strata="half", clusters="half", single_psu="certainty"
    )
    for one, other in zip(alone, two_sample_estimates(data, "z", "lie-detector", devices="d"), strict=True):
        assert one.se == pytest.approx(other.se * np.sqrt(399 / 400), rel=1e-9)


def test_two_names_of_one_device_are_one_sample() -> None:
    rows = _rows("lie-detector", 400, 5)
    rows["d"] = np.where(rows["d"] == "mangat:1/6", "forced:2/3,1/6,1/6", "warner:1/6")
    known = two_sample_estimates(rows, "z", "lie-detector", devices="d")
    named = {**rows, "d": np.where((np.arange(400) % 3 == 0) & (rows["d"] != "warner:1/6"), "warner:5/6", rows["d"])}
    found = two_sample_estimates(named, "z", "lie-detector", devices="d")
    assert [each.estimate for each in found] == [each.estimate for each in known]
    sizes = [int((rows["d"] == name).sum()) for name in ("forced:2/3,1/6,1/6", "warner:1/6")]
    assert {f"forced:2/3,1/6,1/6 and warner:5/6: {sizes[0]}", f"warner:1/6: {sizes[1]}"} == {
        *found.sample.partition("two samples by d: ")[2].split("; ")
    }
    assert (found.nobs, known.nobs) == (400, 400)
    assert Estimates.from_json(found.to_json()) == found
    one = {key: column[rows["d"] != "warner:1/6"] for key, column in named.items()}
    with pytest.raises(InvalidParameterError, match=r"two devices: received 1 in the column 'd' .*warner:5/6"):
        two_sample_estimates(one, "z", "extended-crosswise", devices="d")


def test_clusters_that_are_all_alone_have_no_average() -> None:
    data = {**_rows("lie-detector", 400, 3), "half": np.arange(400) % 2}
    design = {"devices": "d", "strata": "half", "clusters": "half", "single_psu": "average"}
    with pytest.raises(InvalidParameterError, match="no stratum has two clusters: received 2"):
        two_sample_estimates(data, "z", "lie-detector", **design)


def test_what_does_not_fit_is_refused() -> None:
    rows = _rows("extended-crosswise", 100, 3)
    same = {**rows, "d": np.full(100, "crosswise:1/4", object)}
    for data, model, options, message in (
        (rows, "none", {"devices": "d"}, "the model is unknown"),
        (rows, "attention", {"devices": "d"}, "do not fit the model"),
        (rows, "lie-detector", {}, "do not fit the model"),
        (same, "lie-detector", {"devices": "d"}, "the design has two devices: received 1"),
    ):
        with pytest.raises(InvalidParameterError, match=message):
            two_sample_estimates(data, "z", model, **options)


def test_the_command_reads_a_file(cli, tmp_path: Path) -> None:
    rows = _rows("lie-detector", 500, 8)
    path = tmp_path / "rows.csv"
    path.write_text("z,d\n" + "".join(f"{z},{d}\n" for z, d in zip(rows["z"], rows["d"], strict=True)))
    asked = ("noncompliance", str(path), "--column", "z", "--devices", "d")
    status, out, _ = cli(*asked, "--design", "lie-detector", "--json")
    known = two_sample_estimates(rows, "z", "lie-detector", devices="d")
    assert status == 0
    assert json.loads(out)["rows"][0]["estimate"] == pytest.approx(known["prevalence"].estimate)
    status, out, _ = cli(*asked, "--behaviour", "monotone:always-no", "--json")
    assert status in (0, 1)
    bounds = json.loads(out)
    assert {"lower", "upper"} <= set(bounds)


@pytest.mark.parametrize("model", ["--design lie-detector", "--behaviour monotone:always-no"])
def test_the_command_reports_how_the_file_was_read(cli, tmp_path: Path, model: str) -> None:
    path = tmp_path / "rows.csv"
    rows = ["nein,mangat:1/6", "j\xe4,mangat:1/6", "nein,mangat:5/6", "j\xe4,mangat:5/6", "j\xe4,mangat:5/6"]
    path.write_text("\n".join(["z,d", *rows]), encoding="cp1252")
    asked = ("noncompliance", str(path), "--column", "z", "--devices", "d", "--categories", "nein,j\xe4")
    _, out, err = cli(*asked, *model.split())
    assert out
    assert "rows.csv': 5 rows; no answer missing; none invalid" in err
    assert err.count("rows.csv' is not UTF-8: it was read as Windows-1252") == 1


def test_a_sheet_of_a_workbook_is_read_like_the_table(cli, tmp_path: Path) -> None:
    """Two-sample designs take every option of a table of respondents, as other estimates do."""
    openpyxl = pytest.importorskip("openpyxl")
    z, d = [1, 0, 1, 0] * 40, ["mangat:1/6", "mangat:1/6", "mangat:5/6", "mangat:5/6"] * 40
    book = openpyxl.Workbook()
    book.active.append(["empty"])
    sheet = book.create_sheet("wave 2")
    for row in [("z", "d"), *zip(z, d, strict=True)]:
        sheet.append(row)
    book.save(tmp_path / "a.xlsx")
    found = two_sample_estimates(read(str(tmp_path / "a.xlsx"), sheet="wave 2"), "z", "lie-detector", devices="d")
    expected = two_sample_estimates({"z": np.array(z), "d": np.array(d, object)}, "z", "lie-detector", devices="d")
    assert found.rows == expected.rows
    argv = ["noncompliance", str(tmp_path / "a.xlsx"), "--sheet", "2", "--column", "z", "--devices", "d"]
    status, printed, _ = cli(*argv, "--design", "lie-detector", "--json")
    assert status == 0
    assert json.loads(printed)["rows"][0]["estimate"] == expected[0].estimate
