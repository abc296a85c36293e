"""Write the reference of the command line from the parsers: one page for each command."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from textwrap import dedent

from rropt.cli.main import parser
from rropt.cli.parser import Parser


def markdown(text: str) -> str:
    """Return plain text as Markdown in which nothing is markup but code between backquotes."""
    pieces = re.split(r"(`[^`]+`)", text)
    return "".join(piece if i % 2 else _words(piece) for i, piece in enumerate(pieces))


def _words(text: str) -> str:
    """Return words with their marks escaped; options become code."""
    bare = re.sub(r"([\\*_<>\[\]{}|$#~])", r"\\\1", text)
    return re.sub(r"(?<![\w-])(--[a-z][\w-]*)", r"`\1`", bare)


def command_pages() -> dict[str, str]:
    """Return the pages by their paths below ``reference/commands``, with their index."""
    top = parser().filled()
    pages, lines = {}, []
    for name, child, purpose in _children(top):
        pages[f"{name}.md"] = "\n".join(_page(child, purpose, level=1))
        lines.append(f"* [`rropt {name}`]({name}.md): {markdown(purpose)}")
    head = (
        "# Commands\n\nEach command has one page, made from the parser that reads the command line. "
        "`rropt COMMAND --help` has at most 80 lines: a long one names each option in one line, and `--help NAME` "
        "prints the whole text. [Commands by example](../commands-by-example.md) shows one line for each task.\n\n"
    )
    tail = (
        "\n\n## Exit status\n\n| status | meaning |\n|---|---|\n| 0 | yes, accepted, or done |\n"
        "| 1 | a negative answer: rejected, refuted, not met |\n"
        "| 2 | bad input, with one line that says what is wrong and what is allowed |\n"
        "| 3 | internal error (please report) |\n"
    )
    return {"index.md": head + "\n".join(lines) + tail, **pages}


def _children(of: Parser) -> Iterator[tuple[str, Parser, str]]:
    """Yield the commands below a command: name, parser, purpose."""
    for action in of.filled()._actions:
        if isinstance(action, argparse._SubParsersAction):
            purposes = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, child in action.choices.items():
                yield name, child, purposes.get(name, "")


def _page(command: Parser, purpose: str, *, level: int) -> Iterator[str]:
    marks = "#" * level
    command.filled()
    yield f"{marks} `{command.prog}`\n"
    if purpose:
        yield f"{markdown(purpose[0].upper() + purpose[1:])}.\n"
    if command.description:
        yield _prose(command.description)
    yield f"```\n{_usage(command)}\n```\n"
    entries = [action for action in command._actions if action.help and not _is_below(action)]
    entries = [action for action in entries if action.dest != "help"]
    if entries:
        yield f"{marks}# Options\n" if level == 1 else "**Options**\n"
        for action in entries:
            yield f"`{_head(action)}`{_also(command, action)}\n: {markdown(_help(action))}\n"
    if command.epilog:
        yield _epilog(command.epilog, f"{marks}# Examples and remarks\n" if level == 1 else "")
    for _, child, about in _children(command):
        yield from _page(child, about, level=level + 1)


def _is_below(action: argparse.Action) -> bool:
    return isinstance(action, argparse._SubParsersAction)


def _usage(command: Parser) -> str:
    return command.format_usage().removeprefix("usage: ").rstrip()


def _head(action: argparse.Action) -> str:
    """Return an option with what it takes."""
    if not action.option_strings:
        return str(action.metavar or action.dest)
    takes = action.metavar or ("|".join(map(str, action.choices)) if action.choices else "")
    words = " ".join(takes) if isinstance(takes, tuple) else takes
    more = "..." if action.nargs in ("+", "*") else ""
    return f"{', '.join(action.option_strings)} {words}{more}".rstrip()


def _also(command: Parser, action: argparse.Action) -> str:
    words = ["required"] * action.required if action.option_strings else []
    words += ["may be repeated"] * isinstance(action, argparse._AppendAction)
    return f" ({', '.join(words)})" if words else ""


def _help(action: argparse.Action) -> str:
    return " ".join((action.help or "").replace("%%", "%").split())


def _prose(text: str) -> str:
    """Return paragraphs; tables that are set with blanks stay as they are."""
    found = []
    for part in re.split(r"\n\s*\n", text.strip()):
        is_table = any(re.search(r"\S {2,}\S", line) or line.startswith("  ") for line in part.splitlines())
        found.append(f"```\n{dedent(part)}\n```" if is_table else markdown(" ".join(part.split())))
    return "\n\n".join(found) + "\n"


def _epilog(text: str, head: str) -> str:
    return f"{head}\n```\n{text.strip()}\n```\n"
