"""The parser of commands: it reads what a module declares, and reports every error in one line.

A command is a module with ``COMMAND``, which declares its help and its arguments, and ``run(args)``, which maps the
values of the arguments to the exit status. The module is imported when its command is named.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from textwrap import fill
from typing import Any, NoReturn

from rropt.cli.arguments import PARAMETERS, categories_of
from rropt.cli.command import Command, Flag, OneOf, Option, Value
from rropt.cli.help_pages import MOST_LINES, full_texts, short_page, top_page
from rropt.cli.output import ConfidentialInput, record
from rropt.core.errors import InvalidParameterError, one_of, refusal, shown, similar_word

# in the order of --help: the modules of this package and their purposes, by groups; and the earlier names of commands
WORDS = json.loads(Path(__file__).with_name("commands.json").read_text(encoding="utf-8"))

_WIDEST_HELP = 100  # columns, as the texts of the commands have
_BROKEN_SENTENCE = re.compile(  # in a full line; a part with a heading begins a new one
    r"^(\S.{69,})\n(?=\S)(?!(?:JSON|--json|exit status|certificates|examples?|numbers):)", re.MULTILINE
)

# messages of argparse -> what stands in their place: what is wrong, what was received, what to do
_OF_ARGPARSE = {
    "^the following arguments are required: (.*, .*)": refusal("arguments are missing", r"none of \1", hint="add them"),
    "^the following arguments are required: (.*)": refusal("an argument is missing", r"no \1", hint="add it"),
    "^one of the arguments (.*) is required": refusal("an argument is missing", r"none of \1", hint="add one"),
    "^argument (.*): not allowed with argument (.*)": refusal(r"\1 does not go with \2", "both", hint="leave one out"),
    "^argument (.*): ignored explicit argument (.*)": refusal(r"\1 takes no value", r"\2", hint="leave it out"),
}


class UsageError(InvalidParameterError):
    """A command line that the parser cannot read."""


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line, with exit status 2, and that accepts ``-1/2`` as a value.

    Args:
        module: the module of a command, with ``COMMAND`` and ``run``, or with ``add(parser)``, or a package with
            commands. It is imported when its arguments are needed.

    Attributes:
        needed: for options that are not typed alone, the option that each goes with.
        of_reading: the options that state how DATA are read, whose help stands in ``rropt read --help``.
        readers: functions that map the text of an argument to its value, after the question is recorded.
        beside: the names of other arguments that these functions take.
        typed: the arguments that the last command line contains, with their texts; defaults are not among them.
        words: the words of the last command line.
    """

    def __init__(self, *args: Any, module: str | None = None, **kwargs: Any) -> None:
        self._module = module
        self.needed: dict[str, str] = {}
        self.of_reading: list[argparse.Action] = []
        self.readers: dict[str, Callable[..., Any]] = {}
        self.beside: dict[str, tuple[str, ...]] = {}
        self.typed: dict[str, Any] = {}
        self.words: list[str] = []
        kwargs.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        kwargs.setdefault("allow_abbrev", False)
        super().__init__(*args, **kwargs)
        self._negative_number_matcher = re.compile(r"-\.?\d.*")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Add the arguments and parse; an unknown argument is an error of the subcommand itself."""
        self.typed, self.words = {}, list(args or ())
        self.filled()
        found, others = super().parse_known_args(args, namespace)
        if others:
            self.error(self._unknown(others))
        if not hasattr(found, "spelled"):  # the parser of a subcommand comes first
            found.spelled = {one.dest: _spelled(one) for one in self._actions}
            for option in PARAMETERS.keys() & found.spelled.keys():
                found.spelled.setdefault(PARAMETERS[option], found.spelled[option])
            found.typed = set(self.typed)
        return found, others

    def _gone(self, words: list[str]) -> str | None:
        """Return what serves instead of an earlier option among words, in the order of the list of them."""
        command = self.prog.removeprefix("rropt").strip()
        if not command:
            return None
        known, listed = self._option_string_actions, WORDS["gone"]
        gone = {old: new for old, new in listed[""].items() if new.partition(" ")[0] in known}
        gone |= listed.get(command.partition(" ")[0], {}) | listed.get(command, {})
        found = {word.partition("=")[0] for word in words} - known.keys()
        old = next(filter(found.__contains__, gone), None)
        return None if old is None else f"`{old}` is now `{gone[old]}`"

    def _unknown(self, words: list[str]) -> str:
        """Return the message about words that are no arguments of the command, with the option that may be meant."""
        if (instead := self._gone(words)) is not None:
            return instead
        wrong = next((word for word in words if word.startswith("--")), words[0]).partition("=")[0]
        known = [name for name in self._option_string_actions if name[1] == "-"]
        longer = min((name for name in known if name.startswith(wrong) and wrong != "--"), key=len, default=None)
        short = wrong[1:] if wrong[1:] in self._option_string_actions else None
        meant = {PARAMETERS.get(one.dest): _spelled(one) for one in self._actions if one.option_strings}
        own = meant.get(wrong[2:].replace("-", "_"))  # the name of the argument in Python
        near = f"did you mean {own or longer or short}?" if own or longer or short else similar_word(wrong, known)
        if re.fullmatch(r"[^\W\d]\w*", wrong) and {"--question", "--survey"} <= self._option_string_actions.keys():
            near = f"write --question {wrong} for a question of a declared survey"
        told = shown(" ".join(words))
        if any(one.type is ConfidentialInput for one in self._actions):  # the words may be its values
            told = shown(wrong) if wrong.startswith("--") else "confidential values"
        for i, word in enumerate(self.words[2:], 2):
            option, of = self.words[i - 2], self._option_string_actions.get(self.words[i - 2])
            if word == wrong and word[:2] != "--" and of is not None and "," in str(of.metavar):  # a list with blanks
                rest = takewhile(words.__contains__, self.words[i:])
                listed = ",".join(one.strip(",") for one in (self.words[i - 1], *rest))
                near = f"write {option} {of.metavar if of.type is ConfidentialInput else listed}"
                break
        return refusal("there is no such argument", told, hint=near or "leave it out")

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Return the values of an argument, and reject an option that is given twice, unless it collects values."""
        values = super()._get_values(action, arg_strings)
        if type(action) is argparse._StoreAction and action.option_strings and action.dest in self.typed:
            received = [self.typed[action.dest], values]
            is_shown = not any(isinstance(value, ConfidentialInput) for value in received)
            told = " and ".join(map(_typed, received)) if is_shown else "confidential values"
            self.error(refusal(f"{_spelled(action)} is given more than once", told, hint="give it once"))
        if arg_strings or action.option_strings:
            self.typed[action.dest] = values
        return values

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Reject a value that is not one of the choices, and suggest the nearest one."""
        if action.choices is not None and value not in action.choices and self._gone(self.words) is not None:
            self.error("")
        words = f"{self.prog} {value}".removeprefix("rropt ")
        if words in WORDS["moved"] and value not in (action.choices or ()):
            raise UsageError(f"rropt: `{words}` is now `rropt {WORDS['moved'][words]}`")
        if action.choices is not None and value not in action.choices:
            try:
                one_of(value, action.choices, _spelled(action))
            except InvalidParameterError as error:
                self.error(str(error))

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        """Return the number of values of an option, and reject too few."""
        try:
            return super()._match_argument(action, arg_strings_pattern)
        except argparse.ArgumentError:
            values = len(arg_strings_pattern) - len(arg_strings_pattern.lstrip("A"))
            form = self._get_formatter()._format_args(action, action.dest.upper())
            name = _spelled(action)
            few = "too few values" if values else "no value"
            self.error(refusal(f"{name} has {few}", str(values or name), f"is {form}", f"write {name} {form}"))

    def format_help(self) -> str:
        """Add the options and return the help; on a terminal its sentences fit, and commands keep their lines."""
        from rropt.core.results.layout import is_on_terminal, terminal_width, wrapped

        self.filled()
        if self.prog == "rropt":
            text = top_page(self, min(terminal_width(), _WIDEST_HELP) if is_on_terminal() else _WIDEST_HELP)
        else:
            text = self._format_own_help()
        if not is_on_terminal():
            return text
        width, text = min(terminal_width(), _WIDEST_HELP), _BROKEN_SENTENCE.sub(r"\1 ", text)
        return "\n".join(line if line.startswith(" ") else wrapped(line, width) for line in text.split("\n"))

    def _format_own_help(self) -> str:
        """Return the help without the options that state how DATA are read; the description names them."""
        kept = {one.dest: one.help for one in self.of_reading}
        for one in self.of_reading:
            one.help = argparse.SUPPRESS
        text = super().format_help()
        for one in self.of_reading:
            one.help = kept[one.dest]
        return text

    def print_help(self, file: Any = None) -> None:
        """Print the help, or the options that are named after ``--help``; a help above a page in one line an option."""
        from rropt.core.results.layout import terminal_width

        width = min(terminal_width(), _WIDEST_HELP)
        asked = next((i for i, word in enumerate(self.words) if word in ("-h", "--help")), len(self.words))
        text = full_texts(self, self.words[asked + 1 :], width) or self.format_help()
        if text.count("\n") > MOST_LINES and asked < len(self.words):
            text = short_page(self, width)
        self._print_message(text, file or sys.stdout)

    def filled(self) -> Parser:
        """Add the arguments, or the kinds of a command, and return the parser."""
        command = self.prog.removeprefix("rropt").strip()
        self.set_defaults(command=command)
        name, self._module = self._module, None
        if name is None:
            return self
        if not command or command in WORDS:  # the commands by groups, or the kinds of one
            self._add_commands(command)
        elif hasattr(module := import_module(name), "add"):
            module.add(self)
        else:
            self.declare(module.COMMAND, module.run)
        return self

    def _add_commands(self, command: str) -> None:
        """Add the commands by groups, or the kinds of a command; those of other packages if they may be asked for."""
        below = self.add_subparsers(
            metavar="KIND" if command else "COMMAND", required=bool(command), parser_class=Parser
        )
        groups: dict[str, dict[str, str]] = {"": WORDS[command]} if command else WORDS["commands"]
        known = {kind for kinds in groups.values() for kind in kinds}
        lines: dict[str, dict[str, tuple[str, str]]] = {
            title: {kind: (line, _module_of(f"{command} {kind}")) for kind, line in kinds.items()}
            for title, kinds in groups.items()
        }
        if not self.words or self.words[0] not in {*known, *WORDS["moved"]}:
            from rropt.cli.installed import installed_commands

            for title, others in installed_commands(command).items():
                more = {kind: own for kind, own in others.items() if kind not in known}
                lines.setdefault("" if command else title, {}).update(more)
        for title, kinds in lines.items():
            if title:
                below._choices_actions.append(below._ChoicesPseudoAction(f"{title}:", (), ""))
            for kind, (purpose, module) in kinds.items():
                below.add_parser(kind, help=purpose, module=module)

    def declare(self, command: Command, run: Callable[[argparse.Namespace], int], **defaults: Any) -> None:
        """Set the help of a command, and add its arguments.

        Args:
            command: its help and its arguments.
            run: a function that maps the arguments, converted to values, to the exit status.
            defaults: further defaults of the parser.
        """
        self.description, self.epilog = command.description, command.epilog
        for one in command.arguments:
            if isinstance(one, OneOf):
                group = self.add_mutually_exclusive_group(required=one.required)
                for option in one.options:
                    self._add(group, option)
            else:
                self._add(self, one)
        if self.of_reading:
            named = ", ".join(one.option_strings[-1] for one in self.of_reading)
            told = f"Options that state how DATA are read, see `rropt read --help`: {named}."
            self.description += "\n\n" + fill(told, _WIDEST_HELP, break_on_hyphens=False)
        self.set_defaults(run=partial(_run, run, self), **defaults)

    def _add(self, group: argparse._ActionsContainer, option: Option | Flag) -> None:
        """Add an argument, alone or in a group of options of which one is typed."""
        words = option.help.replace("%", "%%")
        if option.goes_with:
            self.needed[option.name] = option.goes_with
            words = f"with {option.goes_with}: {words}"
        how: dict[str, Any] = {"dest": option.dest} if option.dest else {}
        if isinstance(option, Flag):
            flag = group.add_argument(option.name, action="store_true", help=words, **how)
            self.of_reading += [flag] * option.is_reading
            return
        if option.default is not None:
            how |= {"default": option.default}
            words += f" (default: {option.default})"
        if option.repeated:
            how |= {"action": "append", "default": []}
        if option.choices:
            how |= {"choices": option.choices}
        if option.required:
            how |= {"required": True}
        if option.type is not None:
            how |= {"type": option.type.kind if isinstance(option.type, Value) else option.type}
        nargs = len(option.metavar) if isinstance(option.metavar, tuple) else option.nargs
        action = group.add_argument(option.name, metavar=option.metavar, nargs=nargs, help=words, **how)
        self.of_reading += [action] * option.is_reading
        if isinstance(option.type, Value):
            self.beside[action.dest] = option.type.beside
            self.readers[action.dest] = partial(option.type.read, option=_spelled(action), form=action.metavar)

    def error(self, message: str) -> NoReturn:
        """Reject a command line with a message of one line.

        Raises:
            UsageError: always.
        """
        if (instead := self._gone(self.words)) is not None:
            raise UsageError(f"{self.prog}: {instead} (see {self.prog} --help)")
        line = " ".join(message.split())
        is_missing = line.startswith(("the following arguments are required", "one of the arguments"))
        for pattern, words in _OF_ARGPARSE.items():
            line = re.sub(pattern, words, line)
        if is_missing:  # the choices of what is missing; and a misspelled option is often the reason
            choices = {_spelled(one): one.choices for one in self._actions if one.choices}
            line += "".join(f"; {name}: {', '.join(each)}" for name, each in choices.items() if f" {name};" in line)
            known = {"--", *self._option_string_actions}
            unknown = [word for word in self.words if word.startswith("--") and word.partition("=")[0] not in known]
            line += f"; {self._unknown(unknown)}" if unknown else ""
        raise UsageError(f"{self.prog}: {line if len(line) < 400 else line[:400] + '...'} (see {self.prog} --help)")


def _module_of(words: str) -> str:
    """Return the module of a command of the engine."""
    return f"rropt.cli.{re.sub('[ -]', '_', words.strip())}"


def _spelled(action: argparse.Action) -> str:
    """Return an argument as it is typed: the long name of an option, or the name of a positional argument."""
    if action.option_strings:
        return action.option_strings[-1]
    return action.metavar if isinstance(action.metavar, str) else action.dest.upper()


def _typed(value: Any) -> str:
    """Return a value for a message; ``-`` is the only text of which a type makes ``None``."""
    return shown(" ".join(value) if isinstance(value, list) else "-" if value is None else str(value))


def _run(run: Callable[..., int], parser: Parser, args: argparse.Namespace) -> int:
    """Check which options are combined, convert the arguments to values, and run a command."""
    given = {typed for name, typed in args.spelled.items() if getattr(args, name, None) not in (None, False, [])}
    for action in parser._actions:
        name, value = _spelled(action), getattr(args, action.dest, None)
        needed = parser.needed.get(name)
        if name in given and needed and given.isdisjoint(re.split(", | or ", needed)):
            hint = f"add {needed}, or leave it out"
            if needed == "DATA" and hasattr(args, "survey"):
                from rropt.cli.installed_readers import table_reader

                hint += table_reader().hint()
            raise InvalidParameterError(refusal(f"{name} goes with {needed}", "it alone", hint=hint))
        if (read := parser.readers.get(action.dest)) is not None and value is not None:
            own = {name: getattr(args, name) for name in parser.beside.get(action.dest, ()) if name in args}
            converted = [read(one, **own) for one in value] if isinstance(value, list) else read(value, **own)
            setattr(args, action.dest, converted)
    if isinstance(getattr(args, "categories", None), list) and args.categories:
        record(categories=categories_of(args))
    return run(args)
