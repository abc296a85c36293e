"""SPSS files that weight their cases: no estimate counts each row once, unless this is asked for."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.later import later
from support.table_calls import table_estimate
from table_calls import estimate_table, regress_table, two_sample_estimates

import rropt_fieldwork
from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt_fieldwork.from_tables.device_samples import samples_of_table
from rropt_fieldwork.reading.table import table_of
from rropt_fieldwork.reading.table_arguments import RespondentArguments

pd = later("pandas")
pyreadstat = later("pyreadstat")

Cli = Callable[..., tuple[int, str, str]]
DEVICE = "warner:3/4"
COIN = ("--column", "q", "--mechanism", DEVICE)
WEIGHT_AT = 76  # of the header, as PSPP's manual for developers has it


def _columns(n: int = 10) -> dict[str, list[Any]]:
    """40 of 100 answer yes, with weight 2: 80 of 140 after weighting."""
    return {
        "long": ["x" * 600, *[""] * (10 * n - 1)],  # two segments of 255 bytes and one of 90, in pieces of 8
        "text": ["abcdefghijk"] * (10 * n),  # two pieces
        "q": [1, 1, 1, 1, 0, 0, 0, 0, 0, 0] * n,
        "half": ["warner:3/4", "warner:1/4"] * (5 * n),
        "w": [2.0, 2.0, 2.0, 2.0, 1, 1, 1, 1, 1, 1] * n,
    }


PIECES = {"long": 32 + 32 + 12, "text": 2, "q": 1, "half": 2, "w": 1}  # of 8 bytes; a segment has 255 of 256


def _weighted(path: Path, by: str | int, **options: Any) -> Path:
    """Write an SPSS file whose cases have weights, as PSPP and SPSS do after ``WEIGHT BY``."""
    columns = _columns()
    pyreadstat.write_sav(pd.DataFrame(columns), str(path), **options)
    content, number = bytearray(path.read_bytes()), by
    if isinstance(by, str):
        number = 1 + sum(PIECES[name] for name in list(columns)[: list(columns).index(by)])
    content[WEIGHT_AT : WEIGHT_AT + 4] = struct.pack("<i", number)
    path.write_bytes(content)
    return path


LABELS = {"column_labels": {"long": "a", "text": "b" * 33, "q": "c" * 200, "w": "weight"}}
MORE = {**LABELS, "variable_value_labels": {"half": {"x": "y"}}, "missing_ranges": {"q": [{"lo": 7, "hi": 9}, 99]}}


@pytest.mark.parametrize("options", [{}, LABELS, MORE, {"row_compress": True}])
@pytest.mark.parametrize("by", ["q", "w"])
def test_the_variable_of_the_weights_is_found(by: str, options: dict[str, Any], tmp_path: Path) -> None:
    """Its number counts pieces of 8 bytes: texts have several, with labels and missing values between them."""
    path = _weighted(tmp_path / "a.sav", by, **options)
    with pytest.raises(InvalidParameterError, match=f"are weighted by '{by}' .*give `weights={by}` .* or `unweighted`"):
        estimate_table(path, "q", DEVICE)


@pytest.mark.parametrize("number", [-1, 1, 2, 76, 77, 80, 83, 10**6, 2**31 - 1])
def test_a_weight_that_no_variable_is(number: int, tmp_path: Path) -> None:
    """Pieces of texts, numbers beyond the last piece, and negative ones."""
    path = _weighted(tmp_path / "a.sav", number)
    with pytest.raises(FileFormatError, match=r"names no variable that is a number|damaged"):
        estimate_table(path, "q", DEVICE, weights="w")


@pytest.mark.slow
def test_python_functions(tmp_path: Path) -> None:
    """The weights, or each row once; both together are refused, and other files need neither."""
    path, plain = _weighted(tmp_path / "a.sav", "w"), tmp_path / "b.sav"
    pyreadstat.write_sav(pd.DataFrame(_columns()), str(plain))
    calls: dict[str, Callable[..., Any]] = {
        "estimate": lambda data, **more: table_estimate(DEVICE, data=data, column="q", **more),
        "joint": lambda data, **more: table_estimate(DEVICE, data=data, columns=["q"], **more),
        "groups": lambda data, **more: table_estimate(DEVICE, data=data, column="q", by="half", **more),
        "regress": lambda data, **more: regress_table(data, "q ~ half", DEVICE, **more),
        "bounds": lambda data, **more: samples_of_table(table_of(data), "q", DEVICE, RespondentArguments()),
        "design": lambda data, **more: two_sample_estimates(data, "q", "lie-detector", devices="half", **more),
        "count": lambda data, **more: rropt_fieldwork.count(data, DEVICE, column="q", shard="a", **more),
    }

    def told(result: Any) -> str:
        return str(result).replace(plain.name, path.name)

    for name, call in calls.items():
        for data in (path, [plain, path]):
            with pytest.raises(InvalidParameterError, match="weighted by 'w'"):
                call(data)
        unweighted = [rropt_fieldwork.read(one, unweighted=True) for one in (path, plain)]
        assert told(call(unweighted[0])) == told(call(plain)) == told(call(unweighted[1])), name
        if name not in ("joint", "bounds", "count"):
            assert told(call(path, weights="w")) == told(call(plain, weights="w")), name
            with pytest.raises(InvalidParameterError, match="`unweighted` excludes `weights`"):
                call(unweighted[0], weights="w")
    (one,) = estimate_table(path, "q", DEVICE, weights="w")
    assert float(one.estimate) == pytest.approx((80 / 140 - 1 / 4) * 2)  # (lambda - (1 - p)) / (2 p - 1)


@pytest.mark.slow
def test_commands(cli: Cli, tmp_path: Path) -> None:
    path = str(_weighted(tmp_path / "a.sav", "w"))
    for command in (
        ("estimate", path, *COIN),
        ("estimate", path, *COIN, "--by", "half"),
        ("regress", path, "--formula", "q ~ half", "--mechanism", DEVICE),
        ("noncompliance", path, *COIN, "--theta", "0.1"),
        ("count", path, *COIN),
    ):
        status, out, err = cli(*command)
        assert (status, out) == (2, "")
        weights = "`weights=w`" if command[0] == "count" else "--weights w"  # which `count` does not have
        assert f"give {weights} to an estimate or a regression, or --unweighted if" in err
        assert cli(*command, "--unweighted")[0] == 0, command
    assert cli("randomize", path, *COIN, "--output", str(tmp_path / "out.csv"))[0] == 0  # nothing is estimated


@pytest.mark.slow
def test_declared_weights(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``survey init`` asks about the weights of the file; a question and an argument override what is declared."""
    path = _weighted(tmp_path / "a.sav", "w")
    monkeypatch.chdir(tmp_path)
    assert cli("survey", "init", "a.sav", "--output", "survey.toml")[0] == 0
    text = Path("survey.toml").read_text()
    assert "# The file weights its cases by w (WEIGHT BY). Decide: weights = " in text
    questions = {"q": {"categories": ["0", "1"], "device": DEVICE}}
    weighted = rropt_fieldwork.Survey(file=str(path), weights="w", questions=questions)
    plain = rropt_fieldwork.Survey(file=str(path), unweighted=True, questions=questions)
    own = rropt_fieldwork.Survey(file=str(path), weights="w", questions={"q": {**questions["q"], "unweighted": True}})
    results = [weighted.estimate("q", unweighted=True), plain.estimate("q"), own.estimate("q")]
    assert [type(each).__name__ for each in results] == ["Estimates"] * 3
    results = [weighted.estimate("q"), plain.estimate("q", weights="w"), own.estimate("q", weights="w")]
    assert [type(each).__name__ for each in results] == ["Estimates"] * 3
    assert plain.noncompliance("q", theta="0.1") == weighted.noncompliance("q", theta="0.1", unweighted=True)
    with pytest.raises(InvalidParameterError, match="weighted by 'w'"):
        weighted.noncompliance("q", theta="0.1")
    with pytest.raises(
        InvalidParameterError, match="unweighted is not allowed: received True; allowed is false beside"
    ):
        rropt_fieldwork.Survey(weights="w", unweighted=True)
    plain.write("survey.toml")
    assert "unweighted = true" in Path("survey.toml").read_text()
    status, out, err = cli("estimate", "q", "--json")
    assert (status, json.loads(out)["counts"]) == (0, [60, 40]), err
    status, out, err = cli("estimate", "q", "--weights", "w", "--json")
    assert (status, json.loads(out)["result"]) == (0, "Estimates")
    assert "comes before what the survey declares" not in err
