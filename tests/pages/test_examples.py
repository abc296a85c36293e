"""The examples and the README run as they are printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _run(*command: str) -> str:
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True, cwd="/").stdout


@pytest.mark.drawn(4)
def test_nigeria_survey() -> None:
    """Published: moment estimate 0.261910, standard error 0.014413; the die itself is optimal at epsilon = log 5."""
    out = _run(str(ROOT / "examples" / "nigeria_survey.py"))
    for piece in ("epsilon = log(5)", "0.261909651", "0.014413", "nothing to save", "3668 respondents", "1233 more"):
        assert piece in out
    assert re.search("rows +2435\n.*\n  it is +the same as from the counts", out)  # a file is read, too
    assert "nigeria.json: accepted: " in out


def test_students_survey() -> None:
    """Asked directly: copied 157 of 720; the crosswise model finds more, and its joint distribution is proved."""
    out = _run(str(ROOT / "examples" / "students_survey.py"))
    for piece in (
        "log(3125)",
        "log(833/167)",
        "0.2181 asked directly",
        "0.2996 +- 0.0322",
        "n = 721",
        "0.6073 +- 0.0557",
    ):
        assert piece in out
    assert "accepted (no population has a log-likelihood per answer more than 1e-" in out


@pytest.mark.drawn(3)
def test_the_ten_lines_of_the_readme() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    out = _run("-c", code).splitlines()
    assert out[0] == "log(5)"
    assert out[-2] == "True 0"
    assert out[-1] == "accepted"


@pytest.mark.drawn(4)
def test_declared_survey(tmp_path: Path) -> None:
    """Of 1200 employees in 36 clusters about 25 % were sick at work; their pain killers have five categories."""
    out = _run(str(ROOT / "examples" / "declared_survey.py"), str(tmp_path))
    for piece in (
        "columns                  20",
        "sick      no, yes                         device     nothing",
        "1479",
    ):
        assert piece in out
    page = (tmp_path / "report.html").read_text()
    for piece in ("<h1>Health at work</h1>", "of employees", "The 2 questions together", "people answered use"):
        assert piece in page
    low, high = re.search(r"sick, yes, all: about .*?interval: ([\d.]+) to ([\d.]+) %", page).groups()
    assert float(low) < 25 < float(high)
    assert all("Were you sick at work" in (tmp_path / f"sheet-{device}.html").read_text() for device in "ABC")


@pytest.mark.drawn(4)
def test_the_survey_of_the_readme_runs_as_typed_and_answers_its_question(tmp_path: Path) -> None:
    """All lines of the block after the set-up line, with the environment of this Python in place of the new one."""
    text = (ROOT / "README.md").read_text().partition("## From a question to an estimate")[2]
    block = re.search(r"```sh\n(.*?)```", text, re.DOTALL)[1]
    first, rest = block.split("\n", 1)
    assert first == ". .venv/bin/activate"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    subprocess.run(["sh", "-e", "-c", rest], check=True, cwd=tmp_path, env=environment, capture_output=True)
    page = (tmp_path / "survey.html").read_text()
    share, low, high = map(float, re.search(r"about ([\d.]+) %.*?interval: ([\d.]+) to ([\d.]+) %", page).groups())
    assert low < share < high < low + 11
    assert 8 < share < 32  # 20 %, by more than five standard errors
    assert "accepted" in page
