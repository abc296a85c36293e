"""The commands of the README and of the commands by example, and how those end without extras that do not just succeed.

``fresh_install.py`` runs all of them; ``test_readme_commands.py`` looks that no case outlives its command. Python's
standard library only: neither environment need hold the other's packages.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
COMMANDS = ROOT / "docs" / "reference" / "commands-by-example.md"
CATEGORIES = ROOT / "docs" / "howto" / "design-for-k-categories.md"
RECIPE = ROOT / "docs" / "howto" / "add-a-claim.md"
SOURCES = (README, COMMANDS, CATEGORIES, RECIPE)
"""Pages whose commands are run; those of a page in one folder, in their order."""


class Case(NamedTuple):
    """A case of one command.

    Attributes:
        run: the words that are run instead, where the page's own command takes long; else the command itself.
        status: the exit status.
        says: text that standard output or standard error must contain.
    """

    run: str = ""
    status: int = 0
    says: str = ""


def blocks(text: str) -> list[str]:
    """Return the ``sh`` blocks of a page."""
    return re.findall(r"^```sh[^\n]*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def outputs(command: str) -> list[str]:
    """Return what a command writes: the values of its options that name a file or a folder, and where it is sent."""
    return re.findall(r"(?:--(?:output|certificate|report|print)|>) (\S+)", command)


def commands(block: str) -> list[str]:
    """Return the ``rropt`` commands of a block, without their comments and with single blanks."""
    bare = [re.sub(r"\s+#.*", "", line) for line in block.splitlines()]
    parts = [" ".join(part.split()) for line in bare for part in line.split(" && ")]
    return [part for part in parts if part.startswith("rropt ")]


def python_blocks(text: str) -> list[str]:
    """Return the blocks of Python that a reader can type in order."""
    return re.findall(r"^```py(?:thon)?[^\n]*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


# Files that the commands read, by the page that reads them; what they write they write beside them.
_RESPONSES = "q1,q2,device,sick,region,w,s,c,N\n" + "".join(
    f'{i % 2},{i // 3 % 2},"bits:{1 + i // 2 % 2 * 2}/4,5/6",{i // 5 % 2},{"AB"[i % 2]},'
    f"{1 + i % 3},{i // 12},{i // 3},40\n"
    for i in range(48)
)
FILES: dict[str, dict[str, str]] = {
    "commands-by-example.md": {
        "survey.csv": _RESPONSES,
        "answers.csv": "name,sick\nAda,no\nBen,yes\nCem,no\n",
        "bounds.json": '{"diagonal": "1/2", "entries": [{"output": 0, "input": 1, "most": "1/5"}]}',
        "grid.toml": 'problem = "binary"\n[grid]\nepsilon = ["log(2)"]\nprevalence = ["1/10", 0.25]\n',
    },
    "design-for-k-categories.md": {"answers.csv": "q\n" + "".join(f"{i}\n" for i in range(0, 300, 30))},
    "README.md": {"answers.csv": "sick\n" + "".join(f"{int(i % 5 == 0)}\n" for i in range(2000))},
}
# Files that are no text, made by the packages of the fresh environment.
BINARY_FILES = """
import duckdb, numpy
numpy.save("channel.npy", numpy.array([[0.75, 0.2], [0.25, 0.8]]))
numpy.save("deployed.npy", numpy.array([[1, 1 / 4], [0, 3 / 4]]))
duckdb.sql("copy (select * from read_csv('survey.csv')) to 'survey.parquet'")
"""

_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
CASES, PYTHON_CASES, FURTHER = (
    {command: Case(**case) for command, case in _TABLES[name].items()} for name in ("cases", "python", "further")
)
ENGINE: dict[str, str] = _TABLES["engine"]
"""Calls of the commands of the engine, and of those that need an extra: the extra that they name without it, or ""."""
ENGINE_FILES = {
    "survey.csv": "q,r\n0,A\n1,B\n1,A\n",
    "grid.toml": FILES["commands-by-example.md"]["grid.toml"],
    "channel.csv": "0.8,0.1\n0.2,0.9\n",
    "problem.json": """{
      "region": {
        "kind": "differential-privacy", "inputs": "2", "outputs": "2", "epsilon": {"log": "2"}, "delta": "1/4",
        "family": "all"
      },
      "objective": {"kind": "variance"},
      "population": ["3/4", "1/4"]
    }""",
}
"""The files that they read; ENGINE_RECORDS is Python that writes another one."""
ENGINE_RECORDS = """
import rropt
responses = rropt.Responses("q", "warner:3/4", data={"q": [0, 1] * 4, "g": ["a", "b"] * 4})
with open("groups.json", "w") as file:
    file.write(responses.proportions(by="g").to_json())
"""
SURVEY = ENGINE_FILES["survey.csv"]
