"""A requested file is written, or the exit status is not 0: every option of every command that names a file."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

import rropt
from rropt.cli.main import parser
from rropt.cli.pending import OutputFile

# command line -> exit status; {x} is a file to write, {m} and the other letters are files that exist
CASES = {
    "compare --admissible warner:3/4 --certificate {x}": 0,
    "compare --admissible grr:3,1/2 --certificate {x}": 0,
    "audit --counts 9,1 --counts 1,9 --event 0 --report {x}.html": 0,
    "audit --counts 5,5 --counts 5,5 --event 0 --report {x}.html": 0,
    "privacy --criterion --rho 1/5 1/2 --certificate {x}": 0,
    "compare warner:3/4 warner:2/3 --plot {x}.svg": 0,
    "compare --literature --epsilon 1 --prevalence 1/4 --certificate {x} --plot {x}.svg": 0,
    "compose generalised:3/4,2/3*2 --gamma 2 --points 2 --certificate {x}": 2,
    "compose generalised:3/4,2/3 1/2 --epsilon 1 --points 2 --certificate {x}": 2,
    "compose generalised:3/4,2/3*2 --delta 1/10 --points 2 --certificate {x}": 2,
    "compose 1/2*100000 --epsilon 30000 --points 2 --certificate {x}": 2,
    "compose 1/2*20 --epsilon 2000 --points 2 --certificate {x}": 2,
    "compose inf --points 2 --certificate {x}": 2,
    "compose warner:3/4*2 --epsilon 1/2 --points 2 --certificate {x} --plot {x}.svg": 0,
    "count {d} --mechanism warner:3/4 --column y --output {x}": 0,
    "sheet --deal christofides:1/4,1/2,1/4 --counts 1,2,1 --output {x} --print {x}.html": None,
    "design binary --gamma 2 --prevalence 1/4 --certificate {x} --output {x}.json --report {x}.html": 0,
    "design bits --number 2 --gamma 4 --certificate {x} --output {x}.json --report {x}.html": 0,
    "design device --gamma 9 --prevalence 1/10 --for cards:5 --output {x}.json --report {x}.html": 0,
    "design device --gamma 9 --prevalence 1/10 --output {x}.json --report {x}.html": None,
    "design kary -k 3 --gamma 2 --objective trace --certificate {x} --output {x}.json --report {x}.html": 0,
    "design kary -k 3 --gamma 1 --objective a-optimal --certificate {x} --output {x}.json": None,
    "design noncompliance --gamma 9 --theta 0.05 --n 1000 --prevalence 0.1 --certificate {x} --output {x}.json": 0,
    "design problem {p} --certificate {x} --output {x}.json --report {x}.html": None,
    "design pram --proportions 1/2,1/2 --gamma 3 --certificate {x} --output {x}.R": None,
    "estimate --mechanism bits:3/4*2 --counts 4,3,2,6 --certificate {x}": None,
    "plot explorer --output {x}.html": None,
    "export warner:3/4 c --output {x}": 0,
    "compose rappor:1/2,1/2,3/4 --waves 10 --certificate {x}": 2,
    "compose warner:3/4 --waves 2 --certificate {x} --plot {x}.svg": 0,
    "compose generalised:3/4,2/3 --waves 3 --certificate {x}": 2,
    "count --add {c} --output {x}": None,
    "noncompliance warner:3/4 --yes 40 --n 100 --plot {x}.svg": None,
    "plot breaches --rho 1/5 1/2 --output {x}.svg": None,
    "plot efficiency --prevalence 1/10 --output {x}.svg": None,
    "plot estimate --mechanism warner:3/4 --yes 40 --n 100 --output {x}.svg": None,
    "plot g --values 1/4 --output {x}.svg": 0,
    "plot groups {r} --output {x}.svg": None,
    "plot heat-map --prevalence 1/10 --output {x}.svg": None,
    "plot margin --margin 0.05 --prevalence 1/10 --output {x}.svg": None,
    "plot power --prevalence 1/10 --output {x}.svg": None,
    "plot region --rho 1/5 1/2 --prevalence 1/10 --output {x}.svg": 0,
    "plot respondents --margin 0.05 --prevalence 1/10 --output {x}.svg": None,
    "plot variance --rho 1/5 1/2 --prevalence 1/10 --output {x}.svg": 0,
    "privacy warner:3/4 --renyi 2 --certificate {x}": 0,
    "privacy warner:3/4 --certificate {x}": None,
    "randomize {d} --mechanism warner:3/4 --column y --output {x}": None,
    "regress {d} --mechanism warner:3/4 --formula y~1 --certificate {x}": None,
    "privacy --repair warner:3/4 --gamma 2 --output {x}.json --certificate {x}": 0,
    "privacy --repair warner:3/4 --gamma 3 --output {x}.json --certificate {x}": None,
    "report {r} --output {x}.html": None,
    "sheet warner:3/4 --question Q? --output {x}.html": 0,
    "shuffle generalised:3/4,2/3 --n 5 --epsilon 1/10 --certificate {x}": 2,
    "shuffle 1 --n 5 --epsilon 1/10 --certificate {x} --plot {x}.svg": 0,
    "survey init {d} --output {x}.toml": 0,
    "sweep {s} --output {x}.csv": None,
    "verify holohan2016.example-1.1 --report {x}.html": None,
}


def _writing(own: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, str]]:
    for action in own.filled()._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, below in action.choices.items():
                yield from _writing(below, f"{name} {word}".strip())
        elif isinstance(action.type, type) and issubclass(action.type, OutputFile):
            yield name, action.option_strings[-1]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    contents = {
        "c": json.dumps(rropt.count([0, 1, 1], mechanism="warner:3/4").to_dict()) if hasattr(rropt, "count") else "",
        "d": "y\n0\n1\n1\n",
        "p": "{}",
        "r": json.dumps(rropt.compose("1/2*3", points=2).to_dict()),
        "s": 'family = "binary"\n',
    }
    for name, text in contents.items():
        (tmp_path / name).write_text(text)
    return {"x": str(tmp_path / "x"), **{name: str(tmp_path / name) for name in contents}}


@pytest.mark.drawn(5)
@pytest.mark.parametrize("line", sorted(CASES))
def test_a_requested_file_is_written_or_the_status_is_not_0(cli, files: dict[str, str], line: str) -> None:
    words = shlex.split(line.format(**files))
    wanted = [Path(word) for word in words if word.startswith(files["x"])]
    status, _, err = cli(*words)
    assert CASES[line] is None or status == CASES[line], err
    for path in wanted:
        assert status != 0 or path.stat().st_size
        assert path.exists() or status == 2 or str(path) in err
    assert wanted


@pytest.mark.parametrize("line", [line for line, status in CASES.items() if status == 2])
def test_a_result_is_printed_without_its_certificate(cli, files: dict[str, str], line: str) -> None:
    status, out, err = cli(*shlex.split(line.format(**files)))
    assert status == 2
    assert out, "the result is lost"
    assert "certificate" in err


def test_every_option_that_names_a_file_is_tried() -> None:
    tried = {
        (name, word)
        for name, option in set(_writing(parser()))
        for line in CASES
        if line.startswith(f"{name} ")
        for word in shlex.split(line)
        if word == option
    }
    left = set(_writing(parser())) - tried
    assert not left
