"""Commands and readers of other packages: each of twenty lines, found where it is installed."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rropt.cli import installed

Cli = Callable[..., tuple[int, str, str]]

COMMAND = """
from fractions import Fraction

from rropt.cli import options
from rropt.cli.arguments import items, mechanism
from rropt.cli.command import Command, Option
from rropt.cli.output import print_json, print_text

MECHANISM = Option("mechanism", "MECHANISM", type=mechanism)
PROPORTIONS = Option("--proportions", "P1,..,PK", help="proportion of each category", type=items, required=True)
COMMAND = Command("The probability that a response is the truth.", arguments=(MECHANISM, PROPORTIONS, options.JSON))


def run(args):
    shares = map(Fraction, args.proportions)
    chance = sum(p * args.mechanism[j, j] for j, p in enumerate(shares))
    print_json({"chance": str(chance)}) if args.json else print_text(f"true with {chance}")
    return 0
"""
READER = """
def reads(word):
    return word.endswith(".lines")


def columns(word):
    with open(word, encoding="utf-8") as file:
        rows = [line.split() for line in file]
    names, *rest = rows
    return {name: [row[place] for row in rest] for place, name in enumerate(names)}
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str, str], None]]:
    """Install a package of one module with one entry point, as pip does."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def made(name: str, entry: str, code: str) -> None:
        folder = tmp_path / f"{name}-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (folder / "entry_points.txt").write_text(entry)
        (tmp_path / f"{name}.py").write_text(code)
        installed.installed_commands.cache_clear()

    yield made
    monkeypatch.undo()
    installed.installed_commands.cache_clear()


@pytest.mark.parametrize("code", [COMMAND, READER], ids=["command", "reader"])
def test_twenty_lines(code: str) -> None:
    """What another package adds is no longer than the architecture page says, blank lines included."""
    assert len(code.strip().splitlines()) <= 20
    assert max(map(len, code.splitlines())) <= 120


def test_a_command_of_another_package(install: Callable[[str, str, str], None], cli: Cli) -> None:
    """Its help, its answer and its bad input are those of the command line; unknown words list it."""
    install("truths", "[rropt.commands]\ntruth = truths\n", COMMAND)
    status, printed, _ = cli("truth", "warner:3/4", "--proportions", "1/4,3/4")
    assert (status, printed) == (0, "true with 3/4\n")
    status, printed, _ = cli("truth", "warner:3/4", "--proportions", "1/4,3/4", "--json")
    assert json.loads(printed)["chance"] == "3/4"
    assert "The probability that a response is the truth." in cli("truth", "--help")[1]
    shown = cli("--help")[1]
    assert "truth" in shown
    assert "of the package truths" in shown
    status, _, errors = cli("truth", "warner:3/4")
    assert (status, errors.count("\n")) == (2, 1)
    assert "truth" in cli("trth")[2]


def test_a_kind_of_a_command(install: Callable[[str, str, str], None], cli: Cli) -> None:
    """A point in the name is a blank: another package adds a kind of design."""
    install("truths", "[rropt.commands]\n'design.truth' = truths\n".replace("'", ""), COMMAND)
    assert cli("design", "truth", "warner:3/4", "--proportions", "1/4,3/4")[1] == "true with 3/4\n"
    assert "truth" in cli("design", "--help")[1]


FORM = '{"TITLE": {"truth": "what it is for"}}'


@pytest.fixture
def describe(install: Callable[[str, str, str], None], tmp_path: Path) -> Callable[[str | bytes], None]:
    """Install a package with the command ``truth`` and with a file ``commands.json``, or write another such file."""

    def made(written: str | bytes) -> None:
        folder = tmp_path / "truthful"
        for module in ("truthful", "truthful.truths"):
            sys.modules.pop(module, None)  # of another test
        if not folder.exists():
            install("truths", "[rropt.commands]\ntruth = truthful.truths\n", "")
            folder.mkdir()
            (folder / "__init__.py").touch()
            (folder / "truths.py").write_text(COMMAND)
        (folder / "commands.json").write_bytes(written.encode() if isinstance(written, str) else written)
        installed.installed_commands.cache_clear()

    return made


def test_the_line_of_a_command(describe: Callable[[str | bytes], None], cli: Cli) -> None:
    """The file has the title and the line, in the form that the architecture page and the messages print."""
    describe(FORM.replace("TITLE", "Truth").replace("what it is for", "how many speak the truth"))
    shown = cli("--help")[1]
    assert re.search(r"Truth +truth +how many speak the truth", shown)
    assert cli("truth", "warner:3/4", "--proportions", "1/4,3/4")[1] == "true with 3/4\n"


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        (b"\xff\xfe", "is not text"),
        ("truth: a command", "is not JSON"),
        ("[" * 100_000, "is nested"),
        ('["truth"]', "is not an object of titles"),
        ('"truth"', "is not an object of titles"),
        ("null", "is not an object of titles"),
        ("3", "is not an object of titles"),
        ("{}", "has no line for 'truth'"),
        ('{"truth": "a command"}', "has no commands below 'truth'"),
        ('{"Truth": ["truth"]}', "has no commands below 'Truth'"),
        ('{"Truth": {}}', "has no line for 'truth'"),
        ('{"Truth": {"lie": "another command"}}', "has no line for 'truth'"),
        ('{"A": {"truth": "one"}, "B": {"truth": "two"}}', "has 2 lines for 'truth'"),
        ('{"A": {"truth": "one", "truth": "two"}}', "has the key 'truth' twice"),
        ('{"A": {"truth": "one"}, "A": {"lie": "two"}}', "has the key 'A' twice"),
        ('{"Truth": {"truth": null}}', "has no line of text for 'truth'"),
        ('{"Truth": {"truth": ""}}', "has no line of text for 'truth'"),
        ('{"Truth": {"truth": "two\\nlines"}}', "has no line of text for 'truth'"),
    ],
)
def test_a_malformed_file_of_lines(
    describe: Callable[[str | bytes], None], cli: Cli, written: str | bytes, reason: str
) -> None:
    """One line names the package, what is wrong and the form; commands of the engine run as before."""
    describe(written)
    for words in (("--help",), ("truth", "--help")):
        status, printed, errors = cli(*words)
        assert (status, printed, errors.count("\n")) == (2, "", 1), words
        assert f"commands.json of the package truths {reason}" in errors
        assert FORM in errors
    assert cli("laplace", "--epsilon", "1")[0] == 0


def test_the_form_is_documented() -> None:
    page = Path(__file__).parents[2] / "docs" / "developers" / "architecture.md"
    assert (
        f"`{FORM.replace('TITLE', 'Truth').replace('what it is for', 'the probability that a response is the truth')}`"
        in page.read_text(encoding="utf-8")
    )


def test_an_own_command_is_never_replaced(install: Callable[[str, str, str], None], cli: Cli) -> None:
    install("truths", "[rropt.commands]\ncompose = truths\n", COMMAND)
    assert "a response is the truth" not in cli("compose", "--help")[1]


def test_broken_packages(install: Callable[[str, str, str], None], cli: Cli, tmp_path: Path) -> None:
    """Two packages of one name, and a module that cannot be imported, are errors of one line."""
    (tmp_path / "a.lines").write_text("q\n1\n")
    install("broken", "[rropt.readers]\nlines = nowhere_at_all\n", "")
    status, _, errors = cli("estimate", str(tmp_path / "a.lines"), "--column", "q", "--mechanism", "warner:3/4")
    assert (status, errors.count("\n")) == (2, 1)
    assert "broken" in errors
    install("other", "[rropt.readers]\nlines = other\n", READER)
    status, _, errors = cli("estimate", str(tmp_path / "a.lines"), "--column", "q", "--mechanism", "warner:3/4")
    assert (status, errors.count("\n")) == (2, 1)
    assert "two packages" in errors


def test_a_reader_of_another_package(install: Callable[[str, str, str], None], cli: Cli, tmp_path: Path) -> None:
    """FILE of another format is estimated as the same table in CSV is, by group too; other files are read as before."""
    install("liners", "[rropt.readers]\nlines = liners\n", READER)
    rows = [
        ("sick", "region"),
        *[("no", "north")] * 30,
        *[("yes", "north")] * 10,
        *[("no", "south"), ("yes", "south")] * 20,
    ]
    (tmp_path / "a.lines").write_text("".join(" ".join(row) + "\n" for row in rows))
    (tmp_path / "a.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    asked = ("--column", "sick", "--categories", "no,yes", "--mechanism", "warner:3/4", "--by", "region")
    status, printed, errors = cli("estimate", str(tmp_path / "a.lines"), *asked)
    assert (status, "80 rows" in errors) == (0, True)
    assert printed == cli("estimate", str(tmp_path / "a.csv"), *asked)[1]
    assert "north" in printed
