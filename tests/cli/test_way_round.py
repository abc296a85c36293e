"""The way round: a design's file, and its certificate, serve wherever a mechanism does; the README's four lines run."""

from __future__ import annotations

import json
import re
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows
from stored_cases import cases_of

import rropt

ROOT = Path(__file__).resolve().parents[2]
NAME = "warner:3/4"
BITS = "bits:2/3*2"

STORED = cases_of(__file__)
DESIGNS = STORED["designs"]


@pytest.fixture
def files(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    binary = ("design", "binary", "--gamma", "3", "--prevalence", "1/4")
    assert cli(*binary, "--output", "m.json", "--certificate", "mc.json")[0] == 0
    bits = ("design", "questions", "--number", "2", "--gamma", "4")
    assert cli(*bits, "--output", "b.json", "--certificate", "bc.json")[0] == 0
    Path("answers").write_text("0\n1\n1\n")
    Path("rows2.csv").write_text("a,b\n0,1\n1,1\n")
    Path("rows3.csv").write_text("a,b\n" + "".join(f"{i % 2},{i % 3}\n" for i in range(60)))
    return tmp_path


def _told(cli, call: str, one: str, two: str) -> Any:
    rows = "".join(f"{a},{b},one\n" for a, b in ((0, 1), (1, 1), (0, 0)))
    Path("rows.csv").write_text(f"a,b,device\n{rows}")
    Path("devices.json").write_text(json.dumps({"one": two}))
    words = [{"M": one, "B": two}.get(word, word) for word in call.split()]
    status, out, err = cli(*words, "--json") if "plot" not in words else cli(*words, "--output", "p.svg", "--json")
    assert status in (0, 1), err
    return status, _without_names(json.loads(out))


def _without_names(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _without_names(x) for key, x in data.items() if key not in ("name", "matrix", "product")}
    if isinstance(data, list):
        return [_without_names(x) for x in data]
    return re.sub(r"\bm\.json|mc\.json|b\.json|bc\.json|warner:3/4|bits:2/3\*2|Optimal [a-z ]*", "M", str(data))


@few_rows(1)
@pytest.mark.parametrize("call", STORED["calls"].splitlines())
def test_a_design_serves_wherever_a_mechanism_does(cli, files: Path, call: str) -> None:
    """As the file of ``--output`` and as the certificate, with the answer of the mechanism named."""
    assert rropt.Mechanism(NAME).matrix == rropt.mechanisms.load_mechanism("m.json").matrix
    expected = _told(cli, call, NAME, BITS)
    assert _told(cli, call, "m.json", "b.json") == expected
    assert _told(cli, call, "mc.json", "bc.json") == expected


def test_a_device_file_holds_mechanisms_of_every_kind(cli_json, files: Path) -> None:
    """By name, by the name of a file, written out, and as the certificate itself."""
    certificate = json.loads(Path("bc.json").read_text())
    kinds = [BITS, "b.json", "bc.json", json.loads(Path("b.json").read_text()), certificate]
    Path("devices.json").write_text(json.dumps({f"d{i}": kind for i, kind in enumerate(kinds)}))
    Path("rows.csv").write_text("a,b,device\n" + "".join(f"0,1,d{i}\n" for i in range(len(kinds))))
    call = ["estimate", "rows.csv", "--columns", "a,b", "--devices", "device=devices.json"]
    found = cli_json(*call)
    assert [Fraction(row["estimate"]) for row in found["rows"]] == list(rropt.Mechanism(BITS).invert({2: 1}))


@few_rows(4)
@pytest.mark.parametrize("kind", DESIGNS)
def test_every_design_writes_its_mechanism(cli, cli_json, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "m.json"
    found = cli_json(
        *([] if kind == "device" else ["design"]), kind.split()[0], *DESIGNS[kind].split(), "--output", str(file)
    )
    written = json.loads(file.read_text())
    mechanism = rropt.mechanisms.load_mechanism(file)
    told = found["devices"][0]["mechanism"] if kind == "device" else found["mechanism"]
    assert {key: told[key] for key in told if key in written} == {
        key: written[key] for key in written if key not in ("name", "problem")
    }
    optimum = found["optimum"] if kind == "device" else found
    assert rropt.check(json.dumps(optimum["certificate"]))
    assert written["problem"] == optimum.get("problem", written["problem"])
    assert mechanism.name == written["name"]
    assert cli("privacy", str(file))[0] == 0
    again = rropt.Mechanism.from_json(file.read_text())
    assert (again, again.name) == (mechanism, mechanism.name)


@pytest.mark.parametrize("name", ['""', "null", '"a\\nb"', '"\\u001b[31m"', f'"{"x" * 501}"', "[]"])
def test_a_name_is_one_line_of_text(cli, tmp_path: Path, name: str) -> None:
    file = tmp_path / "m.json"
    file.write_text(f'{{"matrix": [["1"]], "name": {name}}}')
    status, _, err = cli("plan", "margin", "0.1", "--mechanism", str(file))
    assert status == 2
    assert "one line of text" in err


@pytest.mark.parametrize("text", ['{"name": "x"}', '{"problem": {}}', '{"matrix": [["1"]], "rows": 1}', "{}"])
def test_what_is_no_mechanism_is_refused(text: str) -> None:
    with pytest.raises(rropt.RroptError, match="not of the form"):
        rropt.Mechanism.from_json(text)


def _lines() -> list[str]:
    """Return the four commands of the README's survey; the lines above them make the environment and the answers."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    (block,) = [block for block in blocks if "rropt report" in block]
    return [line for line in block.splitlines() if line.startswith("rropt ")]


def test_the_four_lines_of_the_readme(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Design, randomize, estimate, report, as printed: the page holds the numbers of each."""
    monkeypatch.chdir(tmp_path)
    Path("answers.csv").write_text("id,sick\n" + "".join(f"{i},{int(i % 10 == 0)}\n" for i in range(300)))
    lines = _lines()
    assert [line.split()[1] for line in lines] == ["design", "randomize", "estimate", "report"]
    for line in lines:
        words, _, file = line.partition(" > ")
        status, out, err = cli(*shlex.split(words)[1:])
        assert status == 0, err
        if file:
            Path(file.strip()).write_text(out)
    found, page = json.loads(Path("estimate.json").read_text()), Path("survey.html").read_text()
    counts = [Path("private.csv").read_text().splitlines()[1:].count(answer) for answer in "01"]
    mechanism = rropt.mechanisms.load_mechanism("mechanism.json")
    (row,) = found["rows"]
    assert Fraction(row["estimate"]) == rropt.inference.estimate(mechanism, counts).prevalence
    assert "certificate accepted" in page
    assert f"{float(Fraction(row['estimate'])):.3f}" in page
    assert "Optimal binary design" in page
    assert "private.csv" in page  # the question
    assert page.count("<script") == 1  # the checker of the certificate (tests/kernels)


@pytest.mark.slow
def test_a_report_of_a_false_certificate_says_so(cli, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("c.json", "r.html", "list.json")]
    design = ("design", "binary", "--gamma", "3", "--prevalence", "1/4", "--certificate", str(files[0]))
    assert cli(*design)[0] == 0
    files[0].write_text(files[0].read_text().replace("15/16", "14/16").replace("variance", "variance"))
    found = json.loads(cli("privacy", "--level", "posterior:1/5,1/2", "--json")[1])
    files[2].write_text(json.dumps(found | {"question": {"<b>": ["<i>", None, True, 0.5, [[1, 2]]], "m": [["2"]]}}))
    assert cli("report", str(files[0]), str(files[2]), "--output", str(files[1]))[0] == 0
    page = files[1].read_text()
    assert "certificate rejected" in page
    assert "<b>" not in page
    assert "<i>" not in page
    for bad in ("{", "", "nan"):
        files[2].write_text(bad)
        status, _, err = cli("report", str(files[2]), "--output", str(tmp_path / "none.html"))
        assert (status, err.count("\n")) == (2, 1)
    assert not (tmp_path / "none.html").exists()
