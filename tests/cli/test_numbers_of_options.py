"""How many options there are: of the longest page of help, and of all commands together."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from rropt.cli.main import parser
from rropt.cli.parser import Parser

# an option more is a decision: a wish that needs one may be a command of its own, or belong to an object
LONGEST_PAGE = 32  # of `rropt estimate`; 29 are wanted
DIFFERENT = 164  # names of options of all commands, each once, with those of reading; about 160 are wanted


def _leaves(own: Parser, name: str = "") -> Iterator[tuple[str, Parser]]:
    """Yield the words and the parser of every command, without those that have kinds."""
    kinds = [action for action in own.filled()._actions if isinstance(action, argparse._SubParsersAction)]
    if not kinds:
        yield name, own
    for action in kinds:
        for word, below in action.choices.items():
            yield from _leaves(below, f"{name} {word}".strip())


def _options(own: Parser, *, of_page: bool) -> set[str]:
    """Return the options of a command by their long names; of its page of help, which leaves out those of reading."""
    reading = {action.dest for action in own.of_reading} if of_page else set()
    options = [action for action in own._actions if action.option_strings and action.dest not in reading]
    return {
        next((one for one in action.option_strings if one[:2] == "--"), action.option_strings[0]) for action in options
    }


def _numbers(commands: Parser) -> tuple[dict[str, int], int]:
    """Return the number of options of each page, and of different ones of all commands."""
    leaves = dict(_leaves(commands))
    different: set[str] = set().union(*(_options(own, of_page=False) for own in leaves.values()))
    return {name: len(_options(own, of_page=True)) for name, own in leaves.items()}, len(different)


def test_no_page_is_longer_and_there_are_no_more_options() -> None:
    pages, different = _numbers(parser())
    assert len(pages) > 50
    assert max(pages.values()) <= LONGEST_PAGE, max(pages, key=lambda name: pages[name])
    assert different <= DIFFERENT


def test_an_option_more_is_seen() -> None:
    commands = parser()
    pages, different = _numbers(commands)
    longest = max(pages, key=lambda name: pages[name])
    dict(_leaves(commands))[longest].add_argument("--planted")
    more, all_of_them = _numbers(commands)
    assert more[longest] == pages[longest] + 1 > LONGEST_PAGE
    assert all_of_them == different + 1 > DIFFERENT
