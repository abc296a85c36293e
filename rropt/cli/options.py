"""Options of a command: a table of them, as its ``--help`` shows them.

    mechanism
    LEVEL required
    --norm max|l1 = max       what is least: the largest absolute change, or the sum of all
    --certificate >FILE       write the certificate here
    --mark E,D repeated       mark a level (epsilon, delta)
    files FILE...             certificate files
    --json

A line is a name, with dashes or of a positional argument; what it takes; after two blanks what it is, which may go on
in indented lines. It takes nothing (a switch), a value such as ``E``, several (``R1 R2``), one of ``max|l1``
(``abs|``: no other), a file or folder to write (``>FILE``, ``>DIR``; ``>[FILE]``: ``-`` is standard output;
``>!FILE``: for its owner's eyes only; ``>FILE.html``: a page), what no message repeats (``?V``), as many as one likes
(``FILE...``) or none too (``[FILE]``, ``[FILE]...``). Then ``required``, ``repeated`` (without this word, an option
with a value is an error the second time), ``with --other``: not without it, or its default, which the help repeats.
``|`` before a name: not together with the one above. A line that does not say what it is takes that, and what it takes,
from ``SHARED``; a name in capitals is a group.

A command gets values instead of texts, once the question is known: a count in a range (``N:1..300``, ``N:1..``),
a list (``P1,..,PK``; ``C0,..,Cm:0..`` of counts; ``A,B,..`` of names), a pair (``LOW..HIGH``), a ``MECHANISM``
(``~MECHANISM``: its text); and of ``LEVEL required``, or ``| LEVEL``, the exact ``epsilon`` and ``delta``, with
``criterion``, the level of one, or ``None``.
"""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NoReturn, cast

from rropt.cli.arguments import PARAMETERS, SPAN, attribute_of_option, read_argument, read_level, shown_name
from rropt.cli.output import ConfidentialInput
from rropt.cli.pending import InputFile, OutputFile, OutputFolder, PrivateFile
from rropt.core.errors import InvalidParameterError, shown

SHARED = """
mechanism MECHANISM  a JSON file {"matrix": [["2/3","1/3"],["1/3","2/3"]]} (rows are outputs) or {"product": [...]} of
    such rows for each question, the certificate of a design, a CSV or .npy file, or a name with parameters such as
    warner:3/4 or forced:2/3,1/6,1/6 (`rropt design list` lists them)
--transposed         read the matrix with inputs as rows, which sum to 1 (a row-stochastic channel, as in qif); the
    default is outputs as rows
--epsilon E          privacy level in nats: a number such as 1/2, or "log(3)", or "1/2*log(3)"
--gamma G            the same as a bound of the odds ratio: gamma = exp(epsilon) >= 1, rational
--delta D = 0        delta in [0, 1], with --epsilon or --gamma: a number, or "exp(-10)"
--rho R1 R2          rho1-to-rho2 privacy: no probability rises from below R1 to above R2, and none falls from above R2
    to below R1
--beta B             beta-factor privacy: posterior/prior between 1/B and B
--upper EXPR         the largest posterior probability that is allowed at prior p: p <= EXPR <= 1, for example "min(1,
    3*p)"
--lower EXPR         the smallest posterior probability that is allowed, with --upper: 0 <= EXPR <= p
--prevalence PI      assumed prevalence, in [0, 1]
--yes Y:0..          number of responses 1, for a mechanism with two outputs
--n N:1..            number of respondents, with --yes
--counts C0,..,Cm:0..  number of responses of each kind, including zeros
--confidence C = 0.95  confidence level of the intervals
--contrast C1,..,CK  also estimate this linear combination of the proportions
--column NAME with DATA  name of the column of one question
--columns A,B,.. with DATA  names of the columns of several questions, in the order of the mechanism, for example of
    bits:3/4*4
--glob               read DATA as patterns of file names, for example "wave-*.csv" or "data/**/*.parquet"
--table NAME with DATA  name of the table in a DuckDB or SQLite file; needed if there are several
--sheet NAME with DATA  sheet of an Excel file: its name, or its number from 1 (default: the first)
--categories A,B,.. repeated with DATA  responses as they are written in DATA, in the order of the mechanism, for
    example no,yes (default: 0,1,...). The first is output 0; of two responses the second is counted. If the columns
    have different responses, repeat the option for each of --columns in order, or name the column: q2=never,once,often
--ignore-case with DATA  ignore case in responses: Yes, yes and YES are the same
--missing TEXT... with DATA  texts for a missing response, for example "" "prefer not" (default: an empty cell, NA, NaN,
    none, null, refused or a dot). They are left out of the estimates and counted; randomize refuses them
--certificate >FILE  write the certificate to FILE
--exact              print every number in full: long fractions, all decimal digits, whole matrices
--json               print one JSON object and nothing else; exact numbers are strings
"""

GROUPS = {
    "DATA": "--glob\n--table\n--sheet",
    "ANSWERS": "--column\n| --columns\n--categories\n--ignore-case\n--missing",
    "LEVEL": "--epsilon\n| --gamma\n| --rho\n| --beta\n| --upper\n--lower",
    "CRITERION": "--rho\n| --beta\n| --upper\n--lower",
}

CRITERION_HELP = """\
A criterion on posterior probabilities can take the place of the level: --rho 1/5 1/2,
--beta 3, or --upper EXPR [--lower EXPR], functions of the prior probability p. The level is
then B(h), the largest parity that the criterion allows (`rropt privacy --criterion` prints it). If B(h)
is irrational, the level is a rational gamma slightly below it."""

# Earlier spellings of options, with what serves instead in one command or another.
RENAMED = {
    "--answers": ("--categories",),
    "--budget": ("--effort", "--draws", "--lifetime"),
    "--categories": ("-k",),
    "--names": ("--people", "--categories"),
    "--population": ("--proportions",),
    "--strata": ("--strata-shares",),
    "--table": ("--questions",),
    "--weights": ("--costs",),
}
_WORDS = ("required", "repeated")
_READ = re.compile("FILE|DATA|MECHANISM|SPEC|COUNTS|ITEM")  # a value of an option that may name a file to read
_SECOND_PART = re.compile(r"^examples?:|^example, |^exit status:|^certificates:", re.MULTILINE)


class UsageError(InvalidParameterError):
    """A command line that the parser cannot read."""


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line, with exit status 2, and that accepts ``-1/2`` as a value.

    Args:
        module: the module of a command, with ``OPTIONS`` and ``run``, or with ``add(parser)``. It is imported when its
            options are needed.

    Attributes:
        moved: earlier names of subcommands, with what serves instead.
        typed: the arguments that the last command line contains; defaults are not among them.
    """

    def __init__(self, *args: Any, module: str | None = None, **kwargs: Any) -> None:
        self._module = module
        self.moved: Mapping[str, str] = {}
        self.given: set[str] = set()
        self.typed: set[str] = set()
        kwargs.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        kwargs.setdefault("allow_abbrev", False)
        super().__init__(*args, **kwargs)
        self._negative_number_matcher = re.compile(r"-\.?\d.*")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Add the options and parse; an unknown argument is an error of the subcommand itself."""
        known = self.filled()._option_string_actions
        for typed in [word.partition("=")[0] for word in args or ()]:
            now = [name for name in RENAMED.get(typed, ()) if name in known]
            if now and typed not in known:
                self.error(f"`{typed}` is now `{now[0]}`")
        self.given, self.typed = set(), set()
        found, others = super().parse_known_args(args, namespace)
        if others:
            wrong = next((word for word in others if word.startswith("--")), others[0])
            near = similar_word(
                wrong.partition("=")[0], [name for name in self._option_string_actions if name[1] == "-"]
            )
            self.error(f"unrecognized arguments: {' '.join(others)}{near}")
        if not hasattr(found, "spelled"):  # the parser of a subcommand comes first
            found.spelled = {one.dest: _spelled(one) for one in self._actions}
            for option in PARAMETERS.keys() & found.spelled.keys():
                found.spelled.setdefault(PARAMETERS[option], found.spelled[option])
            found.typed = self.typed
        return found, others

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Record that an argument was typed, and return its values."""
        if arg_strings or action.option_strings:
            self.typed.add(action.dest)
        return super()._get_values(action, arg_strings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Reject a value that is not one of the choices, and suggest the nearest one."""
        if isinstance(value, str) and value in self.moved:
            raise UsageError(f"rropt: `{value}` is now `rropt {self.moved[value]}`")
        if action.choices is not None and value not in action.choices:
            words = list(map(str, action.choices))
            name = "the command" if isinstance(action, argparse._SubParsersAction) else "/".join(action.option_strings)
            self.error(
                f"{name}: invalid choice: {shown(value)} (allowed are {', '.join(words)})"
                f"{similar_word(str(value), words)}"
            )

    def format_help(self) -> str:
        """Add the options and return the help."""
        self.filled()
        return super().format_help()

    def filled(self) -> Parser:
        """Add the options and return the parser."""
        self.set_defaults(command=self.prog.removeprefix("rropt").strip())
        if self._module is not None:
            module, self._module = import_module(self._module), None
            if hasattr(module, "add"):
                module.add(self)
            else:
                declare(self, module.__doc__, module.OPTIONS, module.run)
        return self

    def error(self, message: str) -> NoReturn:
        """Reject a command line with a message of one line.

        Raises:
            UsageError: always.
        """
        line = " ".join(message.split())
        raise UsageError(f"{self.prog}: {line if len(line) < 400 else line[:400] + '...'} (see {self.prog} --help)")


class Once(argparse.Action):
    """Store the value of an option, and reject the option the second time: no value silently replaces another."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Store the value.

        Raises:
            UsageError: the option was given before.
        """
        given = cast(Parser, parser).given
        if self.dest in given:
            received = [getattr(namespace, self.dest), values]
            is_shown = not any(isinstance(value, ConfidentialInput) for value in received)
            told = f": received {' and '.join(map(_typed, received))}" if is_shown else ""
            parser.error(f"{option_string} is given more than once{told}; give it once")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


def _spelled(action: argparse.Action) -> str:
    """Return an argument as it is typed: the long name of an option, or the name of a positional argument."""
    if action.option_strings:
        return action.option_strings[-1]
    return action.metavar if isinstance(action.metavar, str) else action.dest.upper()


def _typed(value: Any) -> str:
    """Return a value for a message; ``-`` is the only text of which a type makes ``None``."""
    return shown(" ".join(value) if isinstance(value, list) else "-" if value is None else str(value))


def similar_word(typed: str, words: Sequence[str]) -> str:
    """Return the question whether a similar word was meant; an empty text if no word is similar."""
    near = difflib.get_close_matches(typed.lower(), words, n=1, cutoff=0.7)
    return f"; did you mean {near[0]}?" if near else ""


def add_kinds(
    parser: argparse.ArgumentParser, metavar: str, groups: Mapping[str, Mapping[str, str]], prefix: str = ""
) -> None:
    """Add subcommands by groups: each has a name, a module of this package, and a purpose."""
    below = parser.add_subparsers(metavar=metavar, required=bool(prefix), parser_class=Parser)
    for title, kinds in groups.items():
        if title:
            below._choices_actions.append(below._ChoicesPseudoAction(f"{title}:", (), ""))
        for name, purpose in kinds.items():
            below.add_parser(name, help=purpose, module=f"rropt.cli.{prefix}{name.replace('-', '_')}")


def declare(
    parser: argparse.ArgumentParser, about: str | None, options: str, run: Callable[..., int], **defaults: Any
) -> None:
    """Set the help of a command, and add its options.

    Args:
        parser: the parser of the command.
        about: the docstring of its module. The text after the title becomes the description; the examples and what
            follows them become the end of the help.
        options: a table in the syntax that this module describes.
        run: a function that maps the arguments, converted to values, to the exit status.
        defaults: further defaults of the parser.
    """
    text = (about or "").partition("\n\n")[2].strip()
    second = _SECOND_PART.search(text)
    at = second.start() if second else len(text)
    ends = [CRITERION_HELP] * bool(re.search(r"^(\| )?LEVEL", options, re.MULTILINE)) + [text[at:]] * (at < len(text))
    parser.description, parser.epilog = text[:at].strip(), "\n".join(ends)
    add_options(parser, options)
    parser.set_defaults(run=partial(_run, run, options), **defaults)


def _run(run: Callable[..., int], options: str, args: argparse.Namespace) -> int:
    """Check which options are combined, convert the arguments to values, and run a command."""
    given = {shown_name(args, name) for name in args.spelled if getattr(args, name, None) not in (None, False, [])}
    for _, name, signature, _ in _lines(options):
        _, beside = _argument_and_requirement(signature)
        if name in given and beside and beside not in given:
            raise InvalidParameterError(f"{name} goes with {beside}: received it alone; add {beside}, or leave it out")
        read_argument(args, name, signature[0] if signature else "")
    if re.search(r"^(LEVEL required|\| LEVEL)", options, re.MULTILINE):
        read_level(args)
    return run(args)


def add_options(parser: argparse._ActionsContainer, options: str) -> None:
    """Add the options of a table to a parser."""
    group: argparse._ActionsContainer = parser
    lines = list(_lines(options))
    for i, (is_other, name, signature, words) in enumerate(lines):
        if not is_other:
            has_other = i + 1 < len(lines) and lines[i + 1][0]
            group = parser.add_mutually_exclusive_group(required="required" in signature) if has_other else parser
        group.add_argument(name, **_keywords(name, signature, words, is_alone=group is parser))


_Line = tuple[bool, str, list[str], str]

# Values that are given once or more, at most once, or any number of times, with the names that argparse uses.
_HOW_OFTEN = {r"(\w+)\.\.\.": "+", r"\[(\w+)\]": "?", r"\[(\w+)\]\.\.\.": "*"}


def file_or_stream(text: str) -> OutputFile | None:
    """Return the file to write, or ``None`` for ``-``, which is standard output."""
    return None if text == "-" else OutputFile(text)


_WRITTEN: dict[str, Any] = {">FILE": OutputFile, ">DIR": OutputFolder, ">[FILE]": file_or_stream, ">!FILE": PrivateFile}
_WRITTEN |= {">FILE.html": OutputFile, ">!FILE.html": PrivateFile}


def _lines(options: str) -> Iterator[_Line]:
    """Yield for each option whether it excludes the option above, and its name, argument and description."""
    for head, *more in (re.split(r"\n\s+", block) for block in re.findall(r"^\S.*(?:\n +.*)*", options, re.MULTILINE)):
        declared, _, words = head.partition("  ")
        is_other, (name, *signature) = declared.startswith("| "), declared.removeprefix("| ").split()
        if name in GROUPS:
            (_, first, takes, about), *others = _lines(GROUPS[name])
            yield from [(is_other, first, [*takes, *signature], about), *others]
        elif words:
            yield is_other, name, signature, " ".join([words.strip(), *more])
        else:
            yield is_other, name, *_shared(name, signature)


def _shared(name: str, signature: list[str]) -> tuple[list[str], str]:
    """Return the argument and the description of a shared option.

    A shared option is found by its name or by its argument, for example ``mechanisms MECHANISM...``.
    """
    own = [word for word in signature if word not in _WORDS]
    wanted = own[0].strip("~[.]").lower() if own else name.strip("-")
    for _, known, takes, words in _lines(SHARED):
        if known.strip("-") == wanted:
            return signature if own else [*takes, *signature], words
    raise LookupError(f"no shared option is named {wanted}")


def _keywords(name: str, signature: list[str], words: str, *, is_alone: bool) -> dict[str, Any]:
    """Return the keywords of ``add_argument`` for an option."""
    signature, beside = _argument_and_requirement(signature)
    text, has_default, default = " ".join(signature).partition(" = ")
    takes = [word for word in text.split() if word not in _WORDS]
    told = f"with {beside}: {words}" if beside else words
    told = f"{told} (default: {default})" if has_default else told
    keywords: dict[str, Any] = {"help": told.replace("%", "%%")}
    if has_default:
        keywords["default"] = default
    if name.startswith("--"):
        keywords["dest"] = attribute_of_option(name)
    if "required" in signature and is_alone and name.startswith("-"):
        keywords["required"] = True
    if "repeated" in signature:
        keywords |= {"action": "append", "default": []}
    elif takes and name.startswith("-"):
        keywords["action"] = Once
    if len(takes) > 1:
        return {**keywords, "nargs": len(takes), "metavar": tuple(takes)}
    return keywords | _value(takes[0]) if takes else keywords | {"action": "store_true"}


def _argument_and_requirement(signature: list[str]) -> tuple[list[str], str]:
    """Return the argument of an option, and the option that it requires, or an empty text."""
    if "with" not in signature:
        return signature, ""
    at = signature.index("with")
    return signature[:at] + signature[at + 2 :], signature[at + 1]


def _value(takes: str) -> dict[str, Any]:
    """Return the keywords of ``add_argument`` for a single value."""
    takes = SPAN.sub(r"\1", takes).removeprefix("~")
    if "|" in takes and not takes.isupper():
        return {"choices": [one for one in takes.split("|") if one]}
    if takes.startswith(">"):
        return {"metavar": takes.strip(">![]"), "type": _WRITTEN[takes]}
    if takes.startswith("?"):
        return {"metavar": takes[1:], "type": ConfidentialInput}
    names_file = {"type": InputFile} if _READ.search(takes) else {}
    for form, nargs in _HOW_OFTEN.items():
        if found := re.fullmatch(form, takes):
            return {"metavar": found[1], "nargs": nargs, **names_file}
    return {"metavar": takes, **names_file}
