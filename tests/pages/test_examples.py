"""The examples and the README run as they are printed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _run(*command: str) -> str:
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True, cwd="/").stdout


def test_nigeria_survey() -> None:
    """Published: moment estimate 0.261910, standard error 0.014413; the die itself is optimal at epsilon = log 5."""
    out = _run(str(ROOT / "examples" / "nigeria_survey.py"))
    for piece in ("epsilon = log(5)", "0.261909651", "0.014413", "nothing to save", "3668 respondents", "1233 more"):
        assert piece in out
    assert "nigeria.json: accepted: " in out


@pytest.mark.slow
def test_third_party_design() -> None:
    """The contract of tests/testing, printed without pytest."""
    assert " 0 are broken" in _run(str(ROOT / "examples" / "third_party_design.py")).splitlines()[-1]


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


def test_the_ten_lines_of_the_readme() -> None:
    """What the comments of the block say is printed; the last digits of CVXPY depend on its version."""
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    out = _run("-c", code).splitlines()
    assert out[:2] == ["27/4 3*(gamma + 3)**2/(4*(gamma - 1)**2) 6.75", "3 3.0"]
    assert out[2].startswith("SymPy 27/4, equal; CVXPY 6.75, within ")
    for line in out[:2]:
        assert f"# {line}\n" in code


def test_declared_survey(tmp_path: Path) -> None:
    """Of 1200 employees in 36 clusters about 25 % were sick at work; their pain killers have five categories."""
    out = _run(str(ROOT / "examples" / "declared_survey.py"), str(tmp_path))
    for piece in (
        "rows        1200",
        "sick      no, yes                         device     nothing",
        "1479",
    ):
        assert piece in out
    page = (tmp_path / "report.html").read_text()
    for piece in (
        "<h1>Health at work</h1>",
        "of employees",
        "The 2 questions together",
        "people responded to “How often did you",
    ):
        assert piece in page
    low, high = re.search(r"Were you sick at work.*?yes: about .*?interval: ([\d.]+) to ([\d.]+)\s%", page).groups()
    assert float(low) < 25 < float(high)
    assert all("Were you sick at work" in (tmp_path / f"sheet-{device}.html").read_text() for device in "ABC")
