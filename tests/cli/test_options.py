"""The table in which a command declares its options: what each form of a line makes of arguments."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pytest

from rropt.cli.main import parser as top_parser
from rropt.cli.options import GROUPS, SHARED, Parser, UsageError, add_options, declare
from rropt.cli.pending import OutputFile, OutputFolder
from rropt.core.errors import InvalidParameterError

TABLE = """
files FILE...             certificate files
--switch                  a switch, 10 % of all
--norm max|l1 = max       what is least
--pair R1 R2              two
--mark E,D,... repeated   goes on
    in a second line
--one N                   this
| --other N               or that
--written >FILE           a file
--folder >DIR             a folder
--stream >[FILE]          - is standard output
"""


def parsed(table: str, *argv: str) -> argparse.Namespace:
    parser = Parser(prog="rropt try")
    add_options(parser, table)
    return parser.parse_args(argv)


def every_parser(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and all parsers of its subcommands, with their options."""
    yield parser.filled()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from every_parser(below)


def test_each_form_of_a_line() -> None:
    found = vars(parsed(TABLE, "a", "b"))
    spelled = found.pop("spelled")
    assert found.pop("typed") == {"files"}
    assert [spelled[name] for name in ("files", "switch", "written")] == ["FILE", "--switch", "--written"]
    assert found == {
        "command": "try",
        "files": ["a", "b"],
        "switch": False,
        "norm": "max",
        "pair": None,
        "mark": [],
        "one": None,
        "other": None,
        "written": None,
        "folder": None,
        "stream": None,
    }
    argv = ["a", "--switch", "--norm", "l1", "--pair", "1", "-1/2", "--mark", "1,2", "--mark", "3", "--other", "4"]
    found = vars(parsed(TABLE, *argv, "--written", "w", "--folder", "f", "--stream", "-"))
    assert [found[key] for key in ("switch", "norm", "pair", "mark", "one", "other", "stream")] == [
        *(True, "l1", ["1", "-1/2"], ["1,2", "3"], None, "4", None)
    ]
    assert (type(found["written"]), type(found["folder"])) == (OutputFile, OutputFolder)
    assert type(parsed(TABLE, "a", "--stream", "s").stream) is OutputFile


@pytest.mark.parametrize(
    ("table", "argv", "value"),
    [
        ("data [DATA]  one", [], None),
        ("data [DATA]  one", ["x"], "x"),
        ("data [DATA]...  some", [], []),
        ("data [DATA]...  some", ["x", "y"], ["x", "y"]),
        ("data DATA  one", ["x"], "x"),
    ],
    ids=["none-of-one", "one-of-one", "none-of-some", "two-of-some", "one"],
)
def test_positional_arguments(table: str, argv: list[str], value: object) -> None:
    assert parsed(table, *argv).data == value


@pytest.mark.parametrize(
    ("table", "argv", "part"),
    [
        ("--one N required  this", [], "--one"),
        (TABLE, [], "FILE"),
        (TABLE, ["a", "--one", "1", "--other", "2"], "not allowed"),
        (TABLE, ["a", "--norm", "l2"], "invalid choice"),
        (TABLE, ["a", "--one", "1", "--one", "2"], "--one is given more than once: received '1' and '2'; give it once"),
        (TABLE, ["a", "--one", "1", "--one", "1"], "--one is given more than once"),
        (TABLE, ["a", "--norm", "max", "--norm", "max"], "--norm is given more than once"),
        (TABLE, ["a", "--pair", "1", "2", "--pair", "3", "4"], "received '1 2' and '3 4'"),
        (TABLE, ["a", "--stream", "-", "--stream", "s"], "received '-' and 's'"),
        ("LEVEL required", [], "one of the arguments --epsilon --gamma --rho --beta --upper is required"),
        ("LEVEL", ["--epsilon", "1", "--beta", "2"], "not allowed"),
        ("CRITERION required", ["--lower", "p"], "--upper is required"),
    ],
    ids=[
        *("required", "positional", "both", "choice", "two", "same", "two-choices", "two-pairs", "two-streams"),
        *("level", "levels", "criterion"),
    ],
)
def test_what_is_refused(table: str, argv: list[str], part: str) -> None:
    with pytest.raises(UsageError, match=part):
        parsed(table, *argv)


def test_capitals_with_a_bar_are_no_choices() -> None:
    assert parsed("--loss NAME|FILE  a name or a file", "--loss", "x.csv").loss == "x.csv"


def test_shared_options_are_known_by_name_and_by_what_they_take() -> None:
    found = parsed("mechanisms MECHANISM...\n--delta\n--prevalence required", "a", "b", "--prevalence", "1/4")
    assert (found.mechanisms, found.delta, found.prevalence) == (["a", "b"], "0", "1/4")
    for group in GROUPS:
        parsed(f"{group}\n--json", "--json")
    with pytest.raises(LookupError, match="nobody"):
        parsed("--nobody")
    assert len(SHARED.strip().splitlines()) > 20


def test_a_command_is_described_by_the_docstring_of_its_module() -> None:
    parser = Parser(prog="rropt try")
    declare(
        parser,
        "Title.\n\nWhat it does,\nat length.\n\nexamples:\n  rropt try 1\n",
        TABLE,
        run=lambda args: len(args.files),
    )
    lines = [line.rstrip() for line in parser.format_help().splitlines()]
    assert lines[lines.index("What it does,") + 1] == "at length."
    assert lines[-2:] == ["examples:", "  rropt try 1"]
    assert "Title." not in lines
    assert any("a switch, 10 % of all" in line for line in lines)
    assert any(line.endswith("what is least (default: max)") for line in lines)
    args = parser.parse_args(["a", "b"])
    assert args.run(args) == 2


VALUES = """
--n N:1..300              a count
--counts C0,..,Cm:0..     counts
--shares P1,..,PK         a list
--names A,B,..            names
--range LOW..HIGH:1..     a range of counts
--mark E,D repeated       pairs
--mechanism MECHANISM     a mechanism
--text ~MECHANISM         its name
--beside B with --text    not alone
"""


def given(*argv: str, table: str = VALUES) -> argparse.Namespace:
    """Return the arguments as a command gets them."""
    found: list[argparse.Namespace] = []
    parser = Parser(prog="rropt try")
    declare(parser, None, table, run=lambda args: found.append(args) or 0)
    args = parser.parse_args(argv)
    args.run(args)
    return found[0]


def test_values_in_the_place_of_texts() -> None:
    argv = ["--n", "300", "--counts", "0,2", "--shares", "0,5;1/2", "--names", 'a,"b,c"', "--range", "1..9"]
    args = given(*argv, "--mark", "log(2),1/4", "--mark", "1,0", "--mechanism", "warner:3/4", "--text", "warner:3/4")
    assert (args.n, args.counts, args.shares, args.names) == (300, [0, 2], ["0,5", "1/2"], ("a", "b,c"))
    assert (args.range, args.mark, args.text) == ([1, 9], [("log(2)", "1/4"), ("1", "0")], "warner:3/4")
    assert str(args.mechanism.p00) == "3/4"
    assert given().counts is None
    level = given("--rho", "1/5", "1/2", table="LEVEL required\n--delta")
    assert (str(level.epsilon), str(level.delta), str(level.criterion.bound.value)) == ("log(4)", "0", "4")


@pytest.mark.parametrize(
    ("argv", "part"),
    [
        (["--n", "301"], "--n is not a count: received '301'; allowed is an integer from 1 to 300"),
        (["--counts", "1,x"], r"--counts\[1\] is not a count"),
        (["--range", "1"], "--range is not a range"),
        (["--range", "0..2"], r"--range\[0\] is not a count"),
        (["--mark", "1"], "--mark is not a pair"),
        (["--beside", "1"], "--beside goes with --text: received it alone"),
    ],
    ids=["beyond", "count", "range", "range-of-counts", "pair", "alone"],
)
def test_values_that_are_none(argv: list[str], part: str) -> None:
    with pytest.raises(InvalidParameterError, match=part):
        given(*argv)


def test_a_confidential_value_that_is_given_twice_is_not_repeated() -> None:
    with pytest.raises(UsageError, match=r"--value is given more than once; give it once"):
        parsed("--value ?V  a true response", "--value", "yes", "--value", "no")


def test_a_parser_can_be_used_again() -> None:
    parser = Parser(prog="rropt try")
    add_options(parser, TABLE)
    assert [parser.parse_args(["a", "--one", text]).one for text in ("1", "2")] == ["1", "2"]


def test_every_option_with_a_value_is_given_once_or_collects_its_values() -> None:
    actions = {action for parser in every_parser(top_parser()) for action in parser._actions if action.option_strings}
    stored = [action for action in actions if type(action) is argparse._StoreAction]
    assert len(actions) > 300
    assert not stored
