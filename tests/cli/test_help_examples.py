"""Every example that a --help shows runs, in a folder that holds the files it names."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from later import later
from readme_commands import SOURCES, blocks, commands
from table_calls import estimate_table

import rropt
from rropt.cli.main import parser
from rropt.cli.parser import Parser
from rropt.mechanisms.families import AllSubsets, BlockMechanism
from rropt_fieldwork.from_tables.counted_responses import count

openpyxl, pd, pyreadstat = later("openpyxl"), later("pandas"), later("pyreadstat")
_SETS = BlockMechanism(AllSubsets(3, 2), 3)

# What the examples read; what they write they write beside it.
FILES = {
    "responses.txt": "0\n1\n1\n0\n1\n1\n1\n",
    **{
        f"{name}.json": count([[True, True, False]] * 9, _SETS, shard=name).to_json()
        for name in ("monday", "tuesday", "all")
    },
    "levels.json": '{"levels": [{"epsilon": "1", "delta": "1/10"}, {"epsilon": "log(2)", "pairs": [[0, 1], [1, 0]]}]}',
    "bounds.json": '{"diagonal": "1/2", "entries": [{"output": 0, "input": 1, "most": "1/5"}]}',
    "cells.json": '{"diagonal": "1/4", "forbidden": [[0, 2]]}',
    "estimate.json": rropt.inference.estimate(rropt.Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]), [2, 1]).to_json(),
    **dict.fromkeys(
        ("mechanism.json", "debt.json"), '{"matrix": [["2/3", "1/3"], ["1/3", "2/3"]], "name": "a spinner"}'
    ),
    "channel.csv": "0.8,0.1\n0.2,0.9\n",
    "table.csv": "0.881,0.119\n0.119,0.881\n",
    "samples.csv": "x,y\n" + "a,1\n" * 90 + "a,0\n" * 10 + "b,1\n" * 10 + "b,0\n" * 90,
    "box.py": "import random, sys\nfor line in sys.stdin:\n    x = line.strip()\n"
    "    print(x if random.random() < 0.9 else {'no': 'yes', 'yes': 'no'}[x], flush=True)\n",
    "answers.csv": "name,sick\na,no\nb,yes\n",
    "sweep.toml": 'problem = "binary"\n[grid]\nepsilon = ["log(2)"]\nprevalence = ["1/10", 0.25]\n',
    "family.toml": '[parameters]\nk = "2.., whole"\na = "0..1"\n[classes]\ncategory = {size = "k", share = "1/k"}\n'
    '[[decisions]]\nname = "category"\ncosts = "1"\nright = "0"\n[[decisions]]\nname = "rejected"\ncosts = "a"\n',
    "questions.csv": "question,mechanism,epsilon,delta,count\nincome,warner:3/4,,,2\nhealth,,1/2,1/1000,1\n",
    "people.csv": "answer,age,female,region,device,w,district,vote,bribe,half,interviewer\n"
    + "".join(
        f"{i % 2},{20 + i % 37},{i % 3 % 2},{'AB'[i % 5 % 2]},{'warner:3/4' if i % 7 else 'direct'},{1 + i % 4},"
        f"{i % 6},{i % 11 % 2},{i % 13 % 2},mangat:{1 + 4 * (i // 2 % 2)}/6,i{i * i % 11}\n"
        for i in range(240)
    ),
    "health.toml": 'file = "survey.csv"\n[questions.sick]\ncategories = ["no", "yes"]\ndevice = "warner:3/4"\n',
    "survey.csv": 'q1,q2,device,sick,region,w,district\n0,1,"bits:3/4,5/6",no,A,1.5,1\n1,1,"bits:1/4,5/6",yes,B,2,2\n',
}


@cache
def _groups() -> str:
    answers = {"q": np.array(["0", "1"] * 4, object), "g": np.array(["a", "b"] * 4, object)}
    return estimate_table(answers, "q", "warner:3/4", by="g").to_json()


def fill(folder: Path) -> None:
    """Write what the examples read."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "groups.json").write_text(_groups())


def fill_tables(folder: Path) -> None:
    """Write the tables that the examples of ``rropt read`` read."""
    book = openpyxl.Workbook()
    book.create_sheet().append(["name", "sick"])
    book.save(folder / "answers.xlsx")
    pyreadstat.write_sav(pd.DataFrame({"sick": ["no", "yes"], "age": [17, 40]}), folder / "answers.sav")
    (folder / "answers.csv").write_text("name,sick,age,region\na,no,17,X\nb,yes,40,Y\n")


def _parsers(top: Parser) -> Iterator[Parser]:
    yield top
    for action in top.filled()._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from _parsers(child)


# The commands of each help, in its order: the lines that begin with two blanks and "rropt".
EXAMPLES = {
    one.prog: lines
    for one in _parsers(parser())
    if (lines := [line.strip() for line in one.format_help().splitlines() if line.startswith("  rropt ")])
}


# Problems of three categories that take ten seconds and more, and the same in two.
SMALLER = {
    "1/2,1/3,1/6 --level renyi:2,1/2": "2/3,1/3 --level renyi:2,1/2",
    "1/2,1/3,1/6 --level gdp:1 --objective total-variation:1/3,1/3,1/3": "2/3,1/3 --level gdp:1 "
    "--objective total-variation:1/2,1/2",
}


def _fill_in(declaration: Path) -> None:
    """Replace each "?" of a declaration that ``rropt survey init`` wrote, as its reader must before an ethics page."""
    text = declaration.read_text().replace('["?", ', "[").replace('device = "?"', 'device = "warner:3/4"')
    declaration.write_text(text.replace('epsilon = "?"', 'epsilon = "log(3)"'))


def _words(line: str) -> str:
    return shlex.join(shlex.split(line, comments=True))


@cache
def _of_pages() -> frozenset[str]:
    """Return the commands of the pages whose commands the gate runs (``tests/pages/fresh_install.py``)."""
    pages = [page.read_text(encoding="utf-8") for page in SOURCES]
    return frozenset(_words(line) for page in pages for block in blocks(page) for line in commands(block))


@pytest.mark.parametrize("command", EXAMPLES)
def test_examples_of(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, size) -> None:
    """Each runs, and is an example of the command whose help shows it; few categories will do.

    A design that a page of the documentation shows too runs there in every run, and here at full size.
    """
    monkeypatch.chdir(tmp_path)
    fill(tmp_path)
    np.save("channel.npy", np.array([[0.8, 0.2], [0.1, 0.9]]))
    if command == "rropt check":
        cli("design", "binary", "--gamma", "2", "--prevalence", "1/4", "--certificate", "design.json")
        np.save("deployed.npy", np.array([[2 / 3, 1 / 3], [1 / 3, 2 / 3]]))
    if command == "rropt read":
        fill_tables(tmp_path)
    for number, example in enumerate(EXAMPLES[command]):
        if command.startswith("rropt design") and size(1, 0) and _words(example) in _of_pages():
            continue
        if example.startswith("rropt survey ethics"):
            _fill_in(tmp_path / "survey.toml")
        words = example.replace("-k 60", f"-k {size(9, 20)}")
        if number > 2 and command in ("rropt design kary", "rropt design mean") and size(1, 0):
            words = f"{words.partition('  #')[0]} --fast"  # its twins are those of the first examples
            for text, smaller in SMALLER.items():
                words = words.replace(text, smaller)
        status, out, err = cli(*shlex.split(words, comments=True)[1:])
        assert status in (0, 1), (example, err)
        assert out or err
        assert example.startswith(command)


def test_examples_are_found() -> None:
    assert sum(map(len, EXAMPLES.values())) >= 28
