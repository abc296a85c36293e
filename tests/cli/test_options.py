"""The parser of commands: what it refuses, the help of arguments, and values in the place of texts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import pytest

from rropt.cli.arguments import items, mechanism, names, pair, read_level, whole, whole_range, wholes
from rropt.cli.main import parser as top_parser
from rropt.cli.options import Parser, UsageError, declare, level
from rropt.cli.output import ConfidentialInput

Add = Callable[[Parser], None]


def every_parser(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and all parsers of its subcommands, with their options."""
    yield parser.filled()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from every_parser(below)


def arguments(parser: Parser) -> None:
    """Add some arguments.

    files: certificate files
    --switch: a switch, 10 % of all
    --norm: what is least
    --pair: two
    --n: a count, which goes on
        in a second line
    --counts: counts
    --shares: a list
    --names: names
    --range: a range of counts
    --mark: pairs
    --text: a word
    --beside: not alone
    """
    parser.add_argument("files", metavar="FILE", nargs="*")
    parser.add_argument("--switch", action="store_true")
    parser.add_argument("--norm", choices=["max", "l1"], default="max")
    parser.add_argument("--pair", nargs=2, metavar=("R1", "R2"))
    parser.add_argument("--n", metavar="N", type=whole(1, 300))
    parser.add_argument("--counts", metavar="C0,..,Cm", type=wholes(0))
    parser.add_argument("--shares", metavar="P1,..,PK", type=items)
    parser.add_argument("--names", metavar="A,B,..", type=names)
    parser.add_argument("--range", metavar="LOW..HIGH", type=whole_range(1))
    parser.add_argument("--mark", metavar="E,D", type=pair, action="append", default=[])
    parser.add_argument("--mechanism", metavar="MECHANISM", type=mechanism)
    parser.add_argument("--text", metavar="WORD")
    parser.add_argument("--beside", metavar="B")
    parser.beside("--text", "--beside")


def given(*argv: str, add: Add = arguments) -> argparse.Namespace:
    """Return the arguments as a command gets them."""
    found: list[argparse.Namespace] = []
    parser = Parser(prog="rropt try")
    declare(parser, None, add, run=lambda args: found.append(args) or 0)
    args = parser.parse_args(argv)
    args.run(args)
    return found[0]


def test_values_in_the_place_of_texts() -> None:
    argv = ["a", "--n", "300", "--counts", "0,2", "--shares", "0,5;1/2", "--names", 'a,"b,c"', "--range", "1..9"]
    args = given(*argv, "--mark", "log(2),1/4", "--mark", "1,0", "--mechanism", "warner:3/4", "--pair", "1", "-1/2")
    assert (args.n, args.counts, args.shares, args.names) == (300, [0, 2], ["0,5", "1/2"], ("a", "b,c"))
    assert (args.range, args.mark, args.pair) == ([1, 9], [("log(2)", "1/4"), ("1", "0")], ["1", "-1/2"])
    assert (str(args.mechanism.p00), args.norm, args.switch, args.files) == ("3/4", "max", False, ["a"])
    assert args.typed == {"files", "n", "counts", "shares", "names", "range", "mark", "mechanism", "pair"}
    assert [args.spelled[name] for name in ("files", "switch", "n")] == ["FILE", "--switch", "--n"]
    assert (given().counts, given().mark, given().files) == (None, [], [])


def test_a_level_is_exact() -> None:
    args = given("--rho", "1/5", "1/2", add=lambda parser: level(parser, required=True))
    read_level(args)
    assert (str(args.epsilon), str(args.delta), str(args.criterion.bound.value)) == ("log(4)", "0", "4")


def test_a_confidential_value_that_is_given_twice_is_not_repeated() -> None:
    def confidential(parser: Parser) -> None:
        """Add a value.

        --value: a true response
        """
        parser.add_argument("--value", type=ConfidentialInput)

    with pytest.raises(UsageError, match="more than once: received confidential values; give it"):
        given("--value", "yes", "--value", "no", add=confidential)


def test_the_help_of_a_command_is_in_its_docstrings() -> None:
    parser = Parser(prog="rropt try")
    about = "Title.\n\nWhat it does,\nat length.\n\nexamples:\n  rropt try 1\n"
    declare(parser, about, arguments, run=lambda args: len(args.files))
    lines = [line.strip() for line in parser.format_help().splitlines()]
    assert lines[lines.index("What it does,") + 1] == "at length."
    assert lines[-2:] == ["examples:", "rropt try 1"]
    assert "Title." not in lines
    text = " ".join(lines)
    for part in ("a switch, 10 % of all", "what is least (default: max)", "with --text: not alone"):
        assert part in text
    assert "goes on in a second line" in text
    assert "the certificate of a design, a CSV or .npy file" in text  # the help that commands share
    args = parser.parse_args(["a", "b"])
    assert args.run(args) == 2


def test_an_argument_without_help_is_an_error() -> None:
    def silent(parser: Parser) -> None:
        """Add an argument."""
        parser.add_argument("--nobody")

    with pytest.raises(KeyError, match="nobody"):
        declare(Parser(prog="rropt try"), None, silent, run=lambda _: 0)


def test_a_parser_can_be_used_again() -> None:
    parser = Parser(prog="rropt try")
    declare(parser, None, arguments, run=lambda _: 0)
    assert [parser.parse_args(["--text", text]).text for text in ("1", "2")] == ["1", "2"]


def test_every_option_with_a_value_is_given_once_or_collects_its_values() -> None:
    actions = {action for parser in every_parser(top_parser()) for action in parser._actions if action.option_strings}
    stored = [action for action in actions if type(action) is argparse._StoreAction]
    assert len(actions) > 300
    assert not stored
