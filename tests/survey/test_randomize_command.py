"""``rropt randomize``: what it reads and writes, and what it never repeats."""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from few_rows import few_rows
from later import later

scipy = later("scipy")

Run = Callable[..., tuple[int, str, str]]

SECRET = "s3cr3t-answer"
COIN = ("--mechanism", "warner:3/4")
TRUE = ("--mechanism", "generalised:1,1", "--keep-order")  # the identity: the output shows what was read


@pytest.fixture
def data(tmp_path: Path) -> Callable[..., str]:
    def write(content: str | bytes, name: str = "data.csv") -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


@few_rows(4)
@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        ("0\n1\n1\n", (), "0\n1\n1\n"),
        ("0\r\n1\r\n1", (), "0\n1\n1\n"),
        ("\ufeff1\n 0 \n\n\n", (), "1\n0\n"),
        ('"1"\n0\n', (), "1\n0\n"),
        ("no\nyes\n", ("--categories", "no,yes"), "no\nyes\n"),
        ("no\nyes\n", ("--categories", "no, yes", "--output-names", "same,different"), "same\ndifferent\n"),
        ("id,sick\n7,1\n8,0\n", ("--column", "sick"), "sick\n1\n0\n"),
        ('id,"has, had"\n"a\nb",1\n8,0\n', ("--column", "has, had"), '"has, had"\n1\n0\n'),
        ('"a,b"\nc\n', ("--categories", '"a,b",c'), '"a,b"\nc\n'),
    ],
)
def test_forms_of_data(
    cli: Run, data: Callable[..., str], content: str, options: tuple[str, ...], expected: str
) -> None:
    status, out, err = cli("randomize", data(content), *TRUE, *options)
    assert (status, out) == (0, expected)
    why = "some outputs exclude a category with certainty (`rropt privacy` reports delta)"
    assert err.startswith(f"rropt: epsilon = inf: {why}; the rows have the order of the data, which")


def test_standard_input(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"1\n0\n1\n"))
    monkeypatch.setattr(sys, "stdin", stream)
    assert cli("randomize", "-", *TRUE, "--output", "-")[:2] == (0, "1\n0\n1\n")
    assert not stream.closed


def test_output_file_and_epsilon(cli: Run, data: Callable[..., str], tmp_path: Path) -> None:
    source = data("1\n" * 4000)
    status, out, err = cli("randomize", source, *COIN, "--output", str(tmp_path / "out.txt"))
    assert (status, out) == (0, "")
    assert err == "rropt: epsilon = log(3) ~ 1.09861229 for each answer; publish one run only\n"
    lines = (tmp_path / "out.txt").read_text().splitlines()
    assert len(lines) == 4000
    ones = lines.count("1")
    assert ones + lines.count("0") == 4000
    assert min(scipy.stats.binom.cdf(ones, 4000, 0.75), scipy.stats.binom.sf(ones - 1, 4000, 0.75)) > 1e-12
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv", "out.txt"]
    assert Path(source).read_text() == "1\n" * 4000


def test_json(cli: Run, data: Callable[..., str], tmp_path: Path) -> None:
    source = data("1\n0\n0\n")
    named = ("--categories", "1,0")
    for options, output in (((), [1, 0, 0]), (named, ["1", "0", "0"]), (("--output-names", "a,b"), ["b", "a", "a"])):
        status, out, _ = cli("randomize", source, *TRUE, *options, "--json")
        assert status == 0
        told = {key: value for key, value in json.loads(out).items() if key != "question"}
        assert told == {"n": 3, "epsilon": "inf", "simulated": False, "output": output, "keeps_order": True}
    file = str(tmp_path / "out.txt")
    status, out, err = cli("randomize", source, *COIN, "--json", "--output", file)
    told = {key: value for key, value in json.loads(out).items() if key != "question"}
    assert told == {"n": 3, "epsilon": "log(3)", "simulated": False, "output": file}
    assert err.count("\n") == 1
    assert len(Path(file).read_text().splitlines()) == 3


def test_more_outputs_than_categories(cli: Run, data: Callable[..., str]) -> None:
    mechanism = data('{"matrix": [["1","0"],["0","1/2"],["0","1/2"]]}', "wide.json")
    _, out, _ = cli(
        "randomize", data("no\nyes\n"), "--mechanism", mechanism, "--categories", "no,yes", "--json", "--keep-order"
    )
    output = json.loads(out)["output"]
    assert output[0] == 0
    assert output[1] in (1, 2)


def test_simulation_must_be_asked_for_and_says_so(cli: Run, data: Callable[..., str]) -> None:
    source = data("1\n" * 50)
    once, again, other = (cli("randomize", source, *COIN, "--simulate", "--seed", seed) for seed in ("5", "5", "6"))
    assert once == again
    assert once[1] != other[1]
    assert once[2].startswith("rropt: SIMULATION from seed 5, NOT private and not for real answers")
    assert json.loads(cli("randomize", source, *COIN, "--simulate", "--seed", "5", "--json")[1])["simulated"] is True
    for options in (("--seed", "5"), ("--simulate",), ("--simulate", "--seed", "-1"), ("--simulate", "--seed", "x")):
        status, out, err = cli("randomize", source, *COIN, *options)
        assert (status, out) == (2, "")
        assert "--s" in err
        assert err.count("\n") == 1
    assert "NOT" in cli("randomize", "--help", "--simulate")[1]


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (f"0\n1\n{SECRET}\n", (), "line 3 of the data contains no answer"),
        (f"0\n\n{SECRET}\n", (), "line 3 of the data contains no answer"),
        (f"0\n1,{SECRET}\n", (), "line 2 of the data contains no answer"),
        (f"0\n1.00\n{SECRET}\n", (), "lines 2, 3 of the data contain no answer"),
        (f"a,{SECRET}\n1,{SECRET}\n", ("--column", "b"), "no column of 2 has that name"),
        (f"a,a\n1,{SECRET}\n", ("--column", "a"), "more than one column of 2 has that name"),
        (f"a,b\n{SECRET},0\n{SECRET}\n", ("--column", "b"), "line 3 of the data has 1 value,"),
        (f'0\n"{SECRET}\n', (), "line 2 of the data is not CSV"),
        (f'0\n"1"{SECRET}\n', (), "line 2 of the data is not CSV"),
        (SECRET * 100_000, (), "line 1 of the data is not a valid answer"),
        (SECRET.encode() + b"\xff\x81\n", (), "data are not text"),
        (f"0\n1\x00{SECRET}\n", (), "line 2 of the data contains no answer"),
        ("", (), "data are empty"),
        ("\n\n", (), "data are empty"),
        ("a\n", ("--column", "a"), "data are empty"),
        ("", ("--column", "a"), "data are empty"),
        ("0\n", ("--categories", "a"), "categories are not names of responses"),
        ("0\n", ("--categories", "a,a"), "categories are not names of responses"),
        ("0\n", ("--categories", "a,"), "categories are not names of responses"),
        ("0\n", ("--categories", ""), "--categories is an empty list"),
        ("0\n", ("--categories", "a,b,c"), "categories do not fit the mechanism"),
        ("0\n", ("--output-names", "a,b,c"), "outputs do not fit the mechanism"),
        ("0\n", ("--output", "/nowhere/at/all"), "cannot write"),
    ],
)
def test_bad_input_is_one_line_without_the_answer(
    cli: Run, data: Callable[..., str], tmp_path: Path, content: str | bytes, options: tuple[str, ...], message: str
) -> None:
    output = ("--output", str(tmp_path / "out.txt")) if "--output" not in options else ()
    status, out, err = cli("randomize", data(content), *COIN, *output, *options)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert SECRET not in err
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


@pytest.mark.parametrize("path", ["nothing.csv", ".", "a\x00b"])
def test_a_file_that_cannot_be_read(cli: Run, path: str) -> None:
    status, out, err = cli("randomize", path, *COIN)
    assert (status, out) == (2, "")
    assert "data cannot be read" in err
    assert err.count("\n") == 1


def test_an_unknown_mechanism(cli: Run, data: Callable[..., str]) -> None:
    assert cli("randomize", data("0\n"), "--mechanism", "nobody:1/2")[0] == 2
    assert "--mechanism" in cli("randomize", data("0\n"))[2]


def test_very_long_entries(cli: Run, data: Callable[..., str]) -> None:
    """Parity beyond Python's limit on digits: the level is printed all the same."""
    (a, b), (c, d) = (7**4000, 10**3990 + 1), (3**8000, 10**3990 + 3)
    rows = [[f"{a}/{b}", f"{c}/{d}"], [f"{b - a}/{b}", f"{d - c}/{d}"]]
    mechanism = data(json.dumps({"matrix": rows}), "long.json")
    status, out, err = cli("randomize", data("0\n1\n" * 100), "--mechanism", mechanism, "--json")
    assert status == 0
    assert json.loads(out)["output"] == [1] * 200
    assert len(json.loads(out)["epsilon"]) > 15_000
    level = math.log(c) - math.log(d) - math.log(a) + math.log(b)
    assert math.isclose(float(err.split("epsilon = ~")[1].split(" ")[0]), abs(level), rel_tol=1e-6)


@pytest.mark.slow
def test_many_answers_in_a_fresh_process(data: Callable[..., str], tmp_path: Path) -> None:
    """300 000 rows through a pipe; the other columns, which may reveal who somebody is, are not written."""
    lines = "".join(f"person{i},{i % 3}\n" for i in range(300_000))
    mechanism = data('{"matrix": [["1","0","0"],["0","1","0"],["0","0","1"]]}', "identity.json")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "rropt.cli.main",
            "randomize",
            "-",
            "--mechanism",
            mechanism,
            "--column",
            "answer",
            "--keep-order",
        ],
        input="who,answer\n" + lines,
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout == "answer\n" + "0\n1\n2\n" * 100_000
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_progress_bar_on_a_terminal_only(
    cli: Run, data: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = data("1\n" * 200_000), str(tmp_path / "out.csv")
    assert cli("randomize", source, *TRUE, "--output", target)[2].count("\n") == 1
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    status, out, err = cli("randomize", source, *TRUE, "--output", target)
    assert (status, out) == (0, "")
    assert Path(target).read_text() == "1\n" * 200_000
    assert "randomizing" in err


def test_an_interrupt_leaves_nothing_behind(
    cli: Run, data: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(source: object, target: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    status, _, err = cli("randomize", data("1\n"), *TRUE, "--output", str(tmp_path / "out.txt"))
    assert status == 130
    assert "interrupted" in err
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


def test_the_true_answers_are_not_replaced(cli: Run, data: Callable[..., str]) -> None:
    file = data("0\n1\n1\n")
    status, out, err = cli("randomize", file, "--mechanism", "warner:3/4", "--output", file)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert Path(file).read_text() == "0\n1\n1\n"


def test_missing_data_beside_an_existing_output(
    cli: Callable[..., tuple[int, str, str]], data: Callable[..., str]
) -> None:
    """The file that is missing is the one that is named."""
    status, out, err = cli("randomize", "missing.csv", "--mechanism", "warner:3/4", "--output", data("1\n"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "missing.csv" in err
