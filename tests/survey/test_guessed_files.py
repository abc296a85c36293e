"""Declarations that are guessed from files of survey software: the selection of finished responses, and tick boxes."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from few_rows import few_rows

import rropt
from rropt.core.errors import InvalidParameterError
from rropt.survey import estimate_table
from rropt.survey.declarations.guesses import guess_survey
from rropt.survey.declarations.survey_declaration import Survey

N = 120


def _table(path: Path, columns: dict[str, Sequence[object]], above: Sequence[Sequence[str]] = ()) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(above)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def _dates(missing: int) -> list[str]:
    return ["" if i % missing == 0 else f"2026-05-{1 + i % 28:02d} 09:{i % 60:02d}:{i % 59:02d}" for i in range(N)]


def _where(path: Path, **named: object) -> str | None:
    return guess_survey(path, folder=str(path.parent), **named).survey.where  # type: ignore[arg-type]


@few_rows(1)
@pytest.mark.parametrize(
    ("name", "condition"),
    [("submitdate", "submitdate"), ("Date submitted", "`Date submitted`"), ("submitdate. Sent", "`submitdate. Sent`")],
)
def test_limesurvey_selects_submitted_responses(tmp_path: Path, name: str, condition: str) -> None:
    """Of more than 50 different dates, the empty ones are seen too; a file without them selects nothing."""
    answers = ["yes" if i % 3 else "no" for i in range(N)]
    path = _table(tmp_path / "lime.csv", {"id": range(N), name: _dates(9), "lastpage": [3] * N, "spinner": answers})
    assert _where(path) == f"{condition} is not missing"
    used = rropt.estimate(
        "warner:3/4", data=rropt.survey.read(path, where=_where(path)), column="spinner", categories=["no", "yes"]
    )
    assert sum(used.counts) == sum(map(bool, _dates(9)))
    whole = _table(tmp_path / "whole.csv", {"id": range(N), name: _dates(10**6)[1:] + ["x"], "spinner": answers})
    assert _where(whole) is None


def test_redcap_selects_the_forms_with_questions(tmp_path: Path) -> None:
    bits, states = [i % 2 for i in range(N)], [(0, 1, 2, 2)[i % 4] for i in range(N)]
    columns = {"record_id": range(N), "age": range(N), "start_complete": states, "rr_a": bits, "a_complete": states}
    columns |= {"rr_b": bits, "b_complete": [2] * N}
    assert _where(_table(tmp_path / "one.csv", columns)) == "a_complete = 2"
    labels = ["Incomplete", "Unverified", "Complete", "Complete"] * (N // 4)
    path = _table(tmp_path / "labels.csv", columns | {"a_complete": labels, "b_complete": labels})
    assert _where(path) == "a_complete = 'Complete' and b_complete = 'Complete'"
    assert _where(path, questions=["rr_b"]) == "b_complete = 'Complete'"


@few_rows(1)
@pytest.mark.parametrize("form", ["csv", "xlsx", "pandas"])
def test_the_labels_of_redcap_stand_twice(tmp_path: Path, form: str) -> None:
    """Its headers have Complete? once for each form: each is named by its place, and a selection is guessed from it."""
    names = ["Record ID", "Dice", "Complete?", "Coin", "Complete?"]
    rows = [[str(i), str(i % 2), "Complete", str(i % 2), ["Complete", "Incomplete"][i % 4 == 0]] for i in range(20)]
    path = tmp_path / f"labels.{form}"
    if form == "xlsx":
        book = pytest.importorskip("openpyxl").Workbook()
        for row in [names, *rows]:
            book.active.append(row)
        book.save(path)
    else:
        path.write_text("".join(f"{','.join(row)}\n" for row in [names, *rows]))
    data = pytest.importorskip("pandas").DataFrame(rows, columns=names) if form == "pandas" else str(path)
    if form != "pandas":
        found = guess_survey(path)
        assert (found.guessed, found.where) == (("Dice", "Coin"), "`Complete?#5` = 'Complete'")
    selected = rropt.survey.read(data, where="`Complete?#5` = 'Complete'")
    how = {"column": "Coin", "categories": ["0", "1"]}
    assert rropt.estimate("warner:3/4", data=selected, **how).counts == (5, 10)
    twice = rropt.survey.read(data, where="`Complete?` = 'Complete'")
    for rows, one in ((data, {"by": "Complete?"}), (twice, {})):
        with pytest.raises(InvalidParameterError, match="by its place, 'Complete\\?#3 or Complete\\?#5'"):
            estimate_table(rows, "Coin", "warner:3/4", categories=["0", "1"], **one)


def test_the_only_form_of_redcap_with_labels(tmp_path: Path) -> None:
    """Its header is the wording, and the form ends in Complete?."""
    bits, states = [("No", "Yes")[i % 2] for i in range(N)], [("Complete", "Incomplete")[i % 3 == 0] for i in range(N)]
    wording = "Have you stolen (roll the die: 1 or 2 answer No/Yes)"
    path = _table(tmp_path / "a.csv", {"Record ID": range(N), "Sex": bits, wording: bits, "Complete?": states})
    found = guess_survey(path)
    assert found.guessed == (wording,)
    assert found.survey.where == "`Complete?` = 'Complete'"


@few_rows(2)
@pytest.mark.parametrize(
    ("texts", "device"),
    [
        (["no", "yes"], None),
        (["1", "0"], None),
        (["Yes", "No", "Refused"], None),
        (["ja", "nein"], None),
        (["A", "B"], "spinner"),
        (["1", "2", "3"], "spinner"),
    ],
)
def test_a_spinner_with_answers_is_no_device(tmp_path: Path, texts: list[str], device: str | None) -> None:
    rows, answers = len(texts) * 20, ["no", "yes"]
    columns = {"id": range(rows), "spinner": texts * 20, "q": [answers[i // 5 % 2] for i in range(rows)]}
    found = guess_survey(_table(tmp_path / "a.csv", columns))
    roles = {each.column: each.role for each in found.every}
    assert roles["spinner"] == ("question" if device is None else "device")


@pytest.mark.slow
def test_columns_that_are_null_in_every_row_of_an_envelope(tmp_path: Path) -> None:
    rows = [{"_submitted_by": None, "g": {"x": None, "spinner": ("no", "yes")[i % 2]}} for i in range(N)]
    path = tmp_path / "kobo.json"
    for whole in ({"count": N, "results": rows}, rows):
        path.write_text(json.dumps(whole), encoding="utf-8")
        found = guess_survey(path)
        assert (found.rows, found.columns, found.guessed) == (N, 3, ("g.spinner",))
        assert rropt.estimate("warner:3/4", data=path, column="g.spinner", categories=["no", "yes"]).counts == (60, 60)


def test_qualtrics_selects_finished_responses_that_are_no_previews(tmp_path: Path) -> None:
    """With and without the columns of a whole export; codes in place of texts; no condition that leaves nobody out."""
    finished, answers = ["False" if i % 7 == 0 else "True" for i in range(N)], [i % 2 for i in range(N)]
    columns = {"StartDate": _dates(10**6), "Finished": finished, "spinner": answers}
    assert _where(_table(tmp_path / "a.csv", columns)) == "Finished = 'True'"
    columns |= {
        "Status": ["Survey Test" if i % 5 == 0 else "Survey Preview" if i % 11 == 0 else "IP" for i in range(N)]
    }
    told = "Finished = 'True' and Status != 'Survey Preview' and Status != 'Survey Test'"
    assert _where(_table(tmp_path / "b.csv", columns)) == told
    columns |= {"Finished": [1] * N, "Status": [(0, 1, 8)[i % 3] for i in range(N)]}
    assert _where(_table(tmp_path / "c.csv", columns)) == "Status != '1'"
    assert _where(_table(tmp_path / "d.csv", {"finished": finished, "spinner": answers})) is None  # of no software


def test_kobo_leaves_out_what_was_not_approved(tmp_path: Path) -> None:
    rows = [{"_id": i, "dice/a": "yn"[i % 2], "_validation_status": {}} for i in range(N)]
    for row in rows[::10]:
        row["_validation_status"] = {"uid": "validation_status_not_approved", "label": "Not Approved"}
    path = tmp_path / "kobo.json"
    path.write_text(json.dumps({"count": N, "results": rows}), encoding="utf-8")
    told = _where(path)
    name = "`_validation_status/uid`"
    assert told == f"{name} is missing or {name} != 'validation_status_not_approved'"
    used = rropt.estimate(
        "warner:3/4", data=rropt.survey.read(path, where=told), column="dice/a", categories=["n", "y"]
    )
    assert sum(used.counts) == N - N // 10


def test_a_named_tick_box_has_an_answer_for_its_empty_cells(tmp_path: Path) -> None:
    """Counted by definition; also the box "None", which elsewhere stands for no answer."""
    boxes = {
        "fine": ["Fine" if i % 3 == 0 else "" for i in range(N)],
        "none": ["None" if i % 4 == 0 else "" for i in range(N)],
    }
    path = _table(tmp_path / "ticks.csv", {"id": range(N), **boxes, "said": ["x", "y"] * (N // 2)})
    assert guess_survey(path).guessed == ("said",)
    found = guess_survey(path, folder=str(tmp_path), questions=["fine", "none"])
    assert found.survey.questions["fine"].categories == ("no", "Fine")
    assert found.survey.missing is None
    text = found.text.replace('device = "?"', 'device = "warner:3/4"').replace('epsilon = "?"', 'epsilon = "none"')
    (tmp_path / "survey.toml").write_text(text, encoding="utf-8")
    survey = Survey.read(tmp_path / "survey.toml")
    assert survey.estimate("fine").estimate.counts == (80, 40)
    assert survey.estimate("none").estimate.counts == (90, 30)
    wordings = [["", "Flip the coin. Fine", "Flip the coin. None", ""], [json.dumps({"ImportId": "x"})] * 4]
    above = _table(tmp_path / "above.csv", {"id": range(N), **boxes, "said": ["x", "y"] * (N // 2)}, wordings)
    assert guess_survey(above).guessed == ("fine",)


def test_a_long_reason_is_printed_once(tmp_path: Path) -> None:
    columns = {"id": range(N), "a": ["1", ""] * (N // 2), "b": ["1", ""] * (N // 2), "c": ["1", ""] * (N // 2)}
    text = " ".join(guess_survey(_table(tmp_path / "a.csv", columns)).summary().split())
    assert (text.count("name it with --questions"), text.count("as for a")) == (1, 2)


def test_a_number_of_clusters_is_no_stratum(tmp_path: Path) -> None:
    columns = {"n_psu_stratum": [40] * N, "stratum": [1, 2] * (N // 2), "spinner": [0, 1] * (N // 2)}
    found = guess_survey(_table(tmp_path / "a.csv", columns)).survey
    assert (found.strata, found.fpc) == ("stratum", ("n_psu_stratum",))
    several = {"n_psu_stratum": [40, 50] * (N // 2), "spinner": [0, 1] * (N // 2)}  # without a column of strata
    assert guess_survey(_table(tmp_path / "b.csv", several)).survey.fpc is None
    assert guess_survey(_table(tmp_path / "b.csv", {**several, "stratum": [1, 2] * (N // 2)})).survey.fpc is not None
