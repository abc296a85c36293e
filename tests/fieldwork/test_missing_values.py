"""One rule for missing values: default texts for answers alone, empty cells in every column, and named texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from reading import reading_of
from support.table_calls import table_estimate, table_estimate_with_reading
from table_calls import estimate_table

import rropt_fieldwork
from rropt.answers.table_reports import Gap
from rropt.core.errors import FileFormatError, InvalidParameterError

Cli = Callable[..., tuple[int, str, str]]

ROWS = [
    *[("yes", "north", "1")] * 30,
    *[("no", "north", "1")] * 20,
    *[("yes", "NA", "1")] * 20,
    *[("no", "NA", "2")] * 32,
    *[("yes", "none", "2")] * 21,
    *[("no", "none", "2")] * 30,
    ("refused", "north", "1"),
]
OWN: dict[str, Any] = {"column": "sick", "categories": ["no", "yes"], "by": "region"}
COMMAND = ("--column", "sick", "--categories", "no,yes", "--mechanism", "warner:3/4", "--by", "region")


def written(folder: Path, rows: list[tuple[str, ...]], name: str = "a.csv") -> Path:
    path = folder / name
    path.write_text("\n".join(["sick,region,w", *map(",".join, rows)]) + "\n", encoding="utf-8")
    return path


@few_rows(1)
@pytest.mark.parametrize("blank", ["", "  ", '""'])
def test_a_blank_group_changes_no_other_group_and_no_test(tmp_path: Path, blank: str) -> None:
    """Such a row made a group of one respondent, and the tests of all others weaker."""
    known = table_estimate("warner:3/4", data=written(tmp_path, ROWS), **OWN)
    more = table_estimate("warner:3/4", data=written(tmp_path, [*ROWS, ("yes", blank, "1")], "b.csv"), **OWN)
    assert [one.group for one in known] == ["NA", "none", "north"]  # Namibia, and no region
    assert more.rows == known.rows
    _, reading = table_estimate_with_reading("warner:3/4", data=tmp_path / "b.csv", **OWN)
    assert (reading.rows, reading.missing()) == (len(ROWS) + 1, {"sick": 1, "region": 1})
    assert reading.gaps == (Gap("sick", "refused", 1), Gap("region", "", 1))
    assert "region: 1 missing, left out (1 empty)" in reading.text()
    assert type(more).from_json(more.to_json()) == more


def test_blank_groups_of_a_sample_are_in_no_group(tmp_path: Path) -> None:
    """They remain members of the sample, and are no part of the total of all groups."""
    rows = [*ROWS, *[("yes", "", "2")] * 3, *[("no", "", "1")] * 2]
    options = {**OWN, "weights": "w"}
    known = table_estimate("warner:3/4", data=written(tmp_path, ROWS), **options)
    more = table_estimate("warner:3/4", data=written(tmp_path, rows, "b.csv"), **options)
    for one, other in zip((*more, *more.overall), (*known, *known.overall), strict=True):
        assert (one.group, one.n, one.estimate) == (other.group, other.n, other.estimate)
    assert more.missing == (1,)


def test_a_row_that_misses_one_of_two_groups_is_left_out_once(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("q,g,h\n1,a,u\n0,a,u\n1,b,v\n0,b,v\n1,,u\n1,b,\n1,,\n")
    found = rropt_fieldwork.TableResponses("q", "warner:3/4", data=path).estimate(by=["g", "h"])
    assert [(one.group, one.n) for one in found] == [("a, u", 2), ("b, v", 2)]
    assert reading_of(path, "q", "warner:3/4", by=["g", "h"]).gaps == (Gap("g", "", 2), Gap("h", "", 2))
    path.write_text("q,g\n1,\n0,\n")
    with pytest.raises(InvalidParameterError, match="no row has a group: received 2 rows that miss a value of 'g'"):
        rropt_fieldwork.TableResponses("q", "warner:3/4", data=path).estimate(by="g")
    path.write_text("q,g\n1,\n0,\n,a\n")
    for more in ({}, {"weights": "q"}):
        with pytest.raises(InvalidParameterError, match="nobody in a group answered 'q'"):
            table_estimate("warner:3/4", data=path, column="q", by="g", **({} if not more else {"fpc": 10}))


@few_rows(2)
@pytest.mark.parametrize("form", ["list", "mapping", "text", "declared", "declared-mapping", "command"])
def test_a_text_is_named_for_one_column(tmp_path: Path, form: str, cli_json: Callable[..., dict]) -> None:
    """In Python, in a declaration and on the command line; the default texts of answers remain."""
    path = written(tmp_path, ROWS)
    missing: Any = {"list": ["region=none"], "mapping": {"region": ["none"]}, "text": "region=none"}.get(form)
    if form == "command":
        found = cli_json("estimate", str(path), *COMMAND, "--missing", "region=none")
        groups = [(one["group"], one["n"]) for one in found["rows"]]
        gaps = tuple(
            Gap(one["column"], text, n) for one in found["read"]["columns"] for text, n in one["texts"].items()
        )
    else:
        if form.startswith("declared"):
            value = '["region=none"]' if form == "declared" else '{region = ["none"]}'
            (tmp_path / "survey.toml").write_text(
                f'file = "a.csv"\nmissing = {value}\nepsilon = "none"\n[questions.sick]\ncategories = ["no", "yes"]\n'
                'device = "warner:3/4"\n'
            )
            survey = rropt_fieldwork.Survey.read(tmp_path / "survey.toml")
            estimate = survey.estimate("sick", by="region")
            assert survey.estimate("sick").nobs == len(ROWS) - 1  # without the region
            gaps = (Gap("sick", "refused", estimate.missing[0]), Gap("region", "none", 51))
        else:
            estimate = table_estimate("warner:3/4", data=rropt_fieldwork.read(path, missing=missing), **OWN)
            _, reading = table_estimate_with_reading(
                "warner:3/4", data=rropt_fieldwork.read(path, missing=missing), **OWN
            )
            gaps = reading.gaps
        groups = [(one.group, one.n) for one in estimate]
    assert groups == [("NA", 52), ("north", 50)]
    assert gaps == (Gap("sick", "refused", 1), Gap("region", "none", 51))


def test_missing_values_of_a_file_are_missing_in_every_column() -> None:
    """NaN and None, whatever texts are named for the answers."""
    data = {
        "q": np.array([0.0, 1.0, 1.0, 0.0, np.nan]),
        "g": np.array(["a", "a", None, "b", "b"], object),
        "x": np.array([1.0, np.nan, 2.0, 2.0, 1.0]),
    }
    for missing in (None, ["refused"]):
        by_text = rropt_fieldwork.TableResponses(
            "q", "warner:3/4", data=rropt_fieldwork.read(data, missing=missing)
        ).estimate(by="g")
        assert [(one.group, one.n) for one in by_text] == [("a", 2), ("b", 1)]
        by_number = rropt_fieldwork.TableResponses(
            "q", "warner:3/4", data=rropt_fieldwork.read(data, missing=missing)
        ).estimate(by="x")
        assert [(one.group, one.n) for one in by_number] == [("1", 1), ("2", 2)]
        reading = reading_of(rropt_fieldwork.read(data, missing=missing), "q", "warner:3/4", by="x")
        assert reading.gaps == (Gap("q", "", 1), Gap("x", "", 1))


def test_a_text_that_occurs_nowhere_is_named(tmp_path: Path, cli: Cli) -> None:
    path = written(tmp_path, [*ROWS[:-1], ("unsure", "north", "1")])
    status, _, err = cli("estimate", str(path), *COMMAND, "--missing", "unsure", "refused,dont know", "region=non")
    assert status == 0
    assert "no value of 'sick' is 'refused,dont know', which is named as missing; name several texts one by one" in err
    assert "no value of 'region' is 'non', which is named as missing" in err
    assert "'unsure', which" not in err
    status, _, err = cli("estimate", str(path), *COMMAND, "--missing", "unsure", "regoin=NA")
    assert "no value of 'sick' is 'regoin=NA', which is named as missing" in err
    status, _, err = cli("estimate", str(path), *COMMAND, "--missing", "unsure,refused")
    assert (status, "line 155" in err, "'unsure,refused'" in err) == (2, True, True)
    _, _, err = cli("estimate", str(path), *COMMAND, "--missing", "unsure", "w=1")  # a column that is not read
    assert "w=1" not in err


def test_an_answer_with_an_equals_sign_is_missing_if_it_is_named(tmp_path: Path) -> None:
    """SPSS users write codes with their labels; no column has the name 9."""
    path = tmp_path / "a.csv"
    path.write_text("q\n0\n1\n9=refused\nNA\n")
    found = estimate_table(rropt_fieldwork.read(path, missing=["9=refused"]), "q", "warner:3/4")
    reading = reading_of(rropt_fieldwork.read(path, missing=["9=refused"]), "q", "warner:3/4")
    assert reading.gaps == (Gap("q", "9=refused", 1), Gap("q", "NA", 1))
    assert reading.remarks == ()
    same = estimate_table(rropt_fieldwork.read(path, missing=["q=9=refused"]), "q", "warner:3/4")
    assert same.rows == found.rows


def test_levels_that_look_like_missing_values_are_named(tmp_path: Path) -> None:
    found = table_estimate("warner:3/4", data=written(tmp_path, ROWS), **OWN)
    assert found.remarks()[0].startswith("'NA' of 'region', 'none' of 'region': read as a level; if it stands")


def test_a_report_counts_rows_without_a_group(tmp_path: Path, cli: Cli) -> None:
    path = written(tmp_path, [*ROWS, ("yes", "", "1"), ("no", "", "1")])
    status, out, err = cli("estimate", str(path), *COMMAND, "--json")
    assert status == 0, err
    (tmp_path / "a.json").write_text(out)
    page = tmp_path / "a.md"
    status, _, err = cli("report", str(tmp_path / "a.json"), "--output", str(page))
    assert status == 0, err
    assert "2 rows without a value of region are left out." in page.read_text()


@pytest.mark.parametrize("missing", [3, [3], {"region": 3}, {"region": [None]}, {"a", "b"}])
def test_wrong_texts(tmp_path: Path, missing: Any) -> None:
    with pytest.raises(
        InvalidParameterError, match=r"`missing.*is (no text and no list of texts|not a list): received"
    ):
        table_estimate("warner:3/4", data=rropt_fieldwork.read(written(tmp_path, ROWS), missing=missing), **OWN)


def test_devices_and_strata_are_never_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("q,d,s\n" + "1,warner:3/4,NA\n0,warner:2/3,none\n" * 5)
    found = rropt_fieldwork.TableResponses(
        "q", data=rropt_fieldwork.read(path).sampled(strata="s"), devices="d"
    ).estimate()
    assert found.sample.endswith("respondents in 2 strata")
    for text, options in (("d=warner:2/3", {}), ("s=none", {"strata": "s"})):
        with pytest.raises(FileFormatError, match="lines 3, 5, 7, 9, 11 of the data miss a value of") as told:
            table_estimate(data=rropt_fieldwork.read(path, missing=[text]), column="q", devices="d", **options)
        assert "leave these rows out of the data" in str(told.value)
