"""The help of a command on one page of at most 80 lines, and the whole text of the options that are named.

``rropt COMMAND --help`` prints the whole help if it fits on a page. Otherwise each option has one line, and ``--help
NAME`` prints the whole text of an option. The parser (``rropt.cli.parser``) calls both functions.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from textwrap import wrap

MOST_LINES = 80
_NAMES = 26  # columns of the names of options
_TITLES, _COMMANDS = 10, 15  # columns of the titles of groups, and of the names of commands
_CONDITION = re.compile(r"^with [^:]{1,40}: ")
_BREAKS = tuple(map(re.compile, (r"(?<=\w)[;.](?= )| (?=\()", r"(?<=\w),(?= )", r"(?<=\w) ")))  # the best first
_SHORTEST = 18  # characters of a clause that says something
_MORE, _EXAMPLES = "more", "examples"  # words beside the names of options


def short_page(parser: argparse.ArgumentParser, width: int) -> str:
    """Return the help of a command in at most 80 lines: each option in one line, and the first examples."""
    actions = [one for one in _shown(parser) if one not in getattr(parser, "of_reading", ())]
    listed = [_line(one, width) for one in actions]
    first, *others = _paragraphs(parser, width)
    parts = _parts(parser.epilog or "")
    name = max((one for one in actions if _name(one)[:2] == "--"), key=lambda one: len(_text(one))).option_strings[-1]
    hint = f"`{parser.prog} --help {name[2:]}` prints all about {name}; so for each option, and for several."
    lines = [*_wrapped(_usage(parser), width, 7), "", *first, "", *listed, "", *_wrapped(hint, width)]
    room = MOST_LINES - len(lines) - 2  # without what is left out
    shown: list[str] = []
    if sum(len(each) + 1 for each in others) <= room - 4 * bool(parts):
        shown, others = [line for each in others for line in ("", *each)], []
    shown += [""] * bool(parts)
    while parts and len(shown) + len(parts[0]) <= room:
        shown += parts.pop(0)
    words = [f"`--help {word}`" for word, left in ((_MORE, others), (_EXAMPLES, parts)) if left]
    rest = [f"{' and '.join(words)} print{'s' * (len(words) == 1)} the rest."] * bool(words)
    return "\n".join([*lines, *shown, *rest]) + "\n"


def top_page(parser: argparse.ArgumentParser, width: int) -> str:
    """Return the help of ``rropt``: the commands by groups, each with its line, and two examples."""
    (below,) = (one for one in _shown(parser) if isinstance(one, argparse._SubParsersAction))
    lines, title = [f"usage: {parser.prog} COMMAND ...    {parser.description}", ""], ""
    for one in below._choices_actions:
        if one.help is None or not one.help:
            title = str(one.metavar).rstrip(":")
            continue
        text = wrap(one.help, width - _TITLES - _COMMANDS - 2)
        lines += [f"  {title:{_TITLES}}{one.dest:{_COMMANDS}}{text[0]}"]
        lines += [" " * (_TITLES + _COMMANDS + 2) + more for more in text[1:]]
        title = ""
    own = "rropt COMMAND --help prints the options of a command, rropt --version the version."
    return "\n".join([*lines, "", own, "", parser.epilog or ""]) + "\n"


def full_texts(parser: argparse.ArgumentParser, words: Sequence[str], width: int) -> str:
    """Return the whole text of the options that are named, with dashes or without; empty if none is known."""
    wanted = {word.lstrip("-") for word in words}
    found = [one for one in _shown(parser) if wanted & {name.lstrip("-") for name in (*one.option_strings, _name(one))}]
    texts = ["\n".join((_head(one), *(f"  {line}" for line in _wrapped(_text(one), width - 2)))) for one in found]
    texts += [(parser.description or "").strip()] * (_MORE in wanted)
    texts += [(parser.epilog or "").strip("\n")] * (_EXAMPLES in wanted)
    return "\n\n".join(filter(None, texts)) + "\n" * bool(texts)


def _shown(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [one for one in parser._actions if one.help is not argparse.SUPPRESS]


def _usage(parser: argparse.ArgumentParser) -> str:
    """Return what a call must have; a group of which one is needed stands in parentheses."""
    groups = [each._group_actions for each in parser._mutually_exclusive_groups if each.required]
    parts = [f"({' | '.join(map(_head, group))})" for group in groups]
    parts += [_head(one) for one in _shown(parser) if one.option_strings and one.required]
    for one in _shown(parser):
        if not one.option_strings:
            many = f"{_name(one)} ..." if one.nargs in ("*", "+") else _name(one)
            parts.append(many if one.nargs in (None, "+") else f"[{many}]")
    return " ".join(["usage:", parser.prog, *parts, "[OPTIONS]"])


def _wrapped(text: str, width: int, indent: int = 0) -> list[str]:
    return wrap(text, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)


def _paragraphs(parser: argparse.ArgumentParser, width: int) -> list[list[str]]:
    """Return the paragraphs of the description, each with its lines; a list stands with the line that announces it."""
    found: list[list[str]] = []
    for text in (parser.description or "").strip().split("\n\n"):
        lines = text.split("\n") if "  " in text else _wrapped(" ".join(text.split()), width)
        if found and found[-1][-1].endswith(":"):
            found[-1] += ["", *lines]
        else:
            found.append(lines)
    return found


def _parts(epilog: str) -> list[list[str]]:
    """Return the examples one by one, each with the line above it."""
    parts: list[list[str]] = []
    for line in epilog.strip("\n").split("\n") if epilog.strip() else []:
        if parts and line.startswith(" ") and len(parts[-1]) == 1 and not parts[-1][0].startswith(" "):
            parts[-1].append(line)
        else:
            parts.append([line])
    return parts


def _name(action: argparse.Action) -> str:
    """Return how an argument is typed, without its value."""
    if action.option_strings:
        return action.option_strings[-1]
    return action.metavar if isinstance(action.metavar, str) else action.dest


def _head(action: argparse.Action) -> str:
    """Return an argument with the form of its value."""
    if not action.option_strings:
        return _name(action)
    takes = action.metavar or ("{" + ",".join(map(str, action.choices)) + "}" if action.choices else "")
    words = " ".join(takes) if isinstance(takes, tuple) else takes
    return f"{', '.join(action.option_strings)} {words}".rstrip()


def _text(action: argparse.Action) -> str:
    return " ".join((action.help or "").replace("%%", "%").split())


def _line(action: argparse.Action, width: int) -> str:
    """Return one line: the argument, and as much of its text as is a clause and fits."""
    head = _head(action)
    head = head if len(head) <= _NAMES or not action.option_strings else ", ".join(action.option_strings)
    room = width - 4 - max(len(head), _NAMES)
    return f"  {head.ljust(_NAMES)}  {_clause(_CONDITION.sub('', _text(action)), room)}"


def _clause(text: str, room: int) -> str:
    """Return a text if it fits, or else its longest beginning that ends where a clause does."""
    if len(text) <= room:
        return text
    beginnings = ([text[: found.start()] for found in breaks.finditer(text[: room - 3])] for breaks in _BREAKS)
    for ends in beginnings:
        whole = [each for each in ends if each.count("(") == each.count(")") and len(each) >= _SHORTEST]
        if whole:
            return f"{whole[-1]} ..."
    return f"{text[: room - 4]} ..."
