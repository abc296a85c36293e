"""The parser of commands, and the arguments that several commands share.

A command is a module: its docstring is the help, and ``run(args)`` maps the values of the arguments to the exit status.
The module is imported when its command is named. Its arguments stand in the last part of the docstring, in their order:

    --delta D (default: 0): delta in [0, 1]
    or --surveyed: a flag, which does not go with the option above it

After the name stands what is typed, as in a usage: D, R1 R2 (two values), {max,l1} (one of these), [D], D [D ...] or
[D ...]. The facts in parentheses are ``default: TEXT``; ``required``, for options joined by "or" one of them;
``repeated``, for an option that may be given several times; ``with --other``, for one that is not typed alone; and
``as name``, the name of the value. A line without help takes what it leaves out from the line below of the same name,
or with its text in lower case as the name. "level options" stands for the lines below that heading. Values are texts,
unless the table ``TYPES``, here or in the module of the command, has a type for the name, or for what is typed.

shared arguments:
--epsilon E: privacy level in nats: a number such as 1/2, or "log(3)", or "1/2*log(3)"
--gamma G: the same as a bound of the odds ratio: gamma = exp(epsilon) >= 1, rational
--delta D (default: 0): delta in [0, 1], with --epsilon or --gamma: a number, or "exp(-10)"
--prevalence PI: assumed prevalence, in [0, 1]
--confidence C (default: 0.95): confidence level of the intervals
--distance METRIC: the level of two categories is their distance times the level: abs, the distance of j and l is
    abs(j - l); grid:RxC, that in a grid of R rows and C columns, with the categories row by row
--bounds LOW..HIGH|FILE: bounds of every entry, or a file with bounds of single entries (JSON or CSV)
--for {cards,dice}: also find the best design that the device plays exactly, print its loss, and write this one to
    --output; `rropt sheet` writes its instructions
--effort {default,large} (default: default): how much work the checker may do; large allows seven categories with
    delta > 0, and 20 with delta = 0
--routes NAME,...: auto (default): all routes, except those that cost far more than the result; all; or names of
    routes, such as exact
--fast: run one route, and do not compare the result with the same problem in SymPy and CVXPY
--certificate FILE: write the certificate to FILE
mechanism MECHANISM: a JSON file {"matrix": [["2/3","1/3"],["1/3","2/3"]]} (rows are outputs) or {"product": [...]}
    of such rows for each question, the certificate or the JSON of a design, a CSV or .npy file, or a name with
    parameters such as warner:3/4 or forced:2/3,1/6,1/6 (`rropt design list` lists them)
--transposed: read the matrix with inputs as rows, which sum to 1 (a row-stochastic channel, as in qif); the default
    is outputs as rows
--survey FILE: declaration of the survey (default: survey.toml, if DATA is the name of a question)
--table NAME (with DATA): name of the table in a DuckDB or SQLite file; needed if there are several
--sheet NAME (with DATA): sheet of an Excel file: its name, or its number from 1 (default: the first)
--engine NAME (with DATA): library that reads and counts DATA: duckdb (the default); for Parquet also polars, or
    pyspark, which also accepts addresses of a cluster
--ignore-case: ignore case in responses: Yes, yes and YES are the same
--weights COLUMN: column of the sampling weights of a complex survey
--decimal-mark MARK (with DATA): decimal mark of weights and other numbers in texts, . or , (default: what all numbers
    together show; numbers that can be read in two ways are an error)
--unweighted (with DATA): count each row once, although an SPSS file weights its cases (WEIGHT BY)
--strata COLUMN: column of the strata
--clusters COLUMN: column of the clusters (primary sampling units), numbered within strata
--fpc N[,M]: finite population correction, columns or numbers: the number of clusters (or rows) in each stratum, or
    the sampling fraction (at most 1); then the same for the rows within each cluster
--post-strata A,B,..: columns that define post-strata: the weights were calibrated to the known totals of their cells
--single-psu RULE (default: refuse): treatment of a stratum with a single PSU in variances: certainty, average or
    adjust
--device-file FILE (with --devices): JSON file that defines the names in --devices: {"A": "warner:3/4"}
--exact: print every number in full: long fractions, all decimal digits, whole matrices
--json: print one JSON object and nothing else; exact numbers are strings

level options:
--epsilon
or --gamma
or --rho R1 R2: rho1-to-rho2 privacy: no probability rises from below R1 to above R2, and none falls from above R2 to
    below R1
or --beta B: beta-factor privacy: posterior/prior between 1/B and B
or --upper EXPR: the largest posterior probability that is allowed at prior p: p <= EXPR <= 1, for example "min(1, 3*p)"
--lower EXPR: the smallest posterior probability that is allowed, with --upper: 0 <= EXPR <= p

data options:
--glob: read DATA as patterns of file names, for example "wave-*.csv" or "data/**/*.parquet"
--table
--sheet

response options:
--column NAME (with DATA): name of the column of one question
or --columns A,B,.. (with DATA): names of the columns of several questions, in the order of the mechanism, for example
    of bits:3/4*4
--categories A,B,.. (repeated; with DATA): responses as they are written in DATA, in the order of the mechanism, for
    example no,yes (default: 0,1,...). The first is output 0; of two responses the second is counted. If the columns
    have different responses, repeat the option for each of --columns in order, or name the column:
    q2=never,once,often
--ignore-case (with DATA)
--missing TEXT [TEXT ...] (with DATA): texts for a missing response, for example refused "prefer not" (default: NA,
    NaN, none, null, refused, verweigert or a dot; an empty cell always). They are left out of the estimates and
    counted; randomize refuses them. In other columns only an empty cell is missing; COLUMN=TEXT names more, for
    example region=none

count options:
--yes Y: number of responses 1, for a mechanism with two outputs
--n N: number of respondents, with --yes
--counts C0,..,Cm: number of responses of each kind, including zeros

design options:
--output FILE: write the mechanism to FILE, with its name, level and distribution; other commands read it with
    --mechanism
--categories-file FILE (with --output): names of the categories in the order of the mechanism, one in each line of
    FILE; they are written to the file of the mechanism, and other commands read and print them
--exact
--json

report options:
--report FILE: write a page, FILE.html, .md or .tex; it starts with a summary in plain words
--question TEXT (with --report): the question as respondents read it

picture options:
--output FILE: write the picture to FILE.png, FILE.svg or FILE.pdf (default: show a window)
--size SIZE: width of the picture. paper: 3.4 in, one column; wide: 7 in, two columns; screen: 11 in (default: screen
    for windows)
--dpi N (with --output): dots per inch of a PNG, 30 to 1200 (default: paper 300, screen 100)
--json
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from rropt.cli.arguments import (
    PARAMETERS,
    Value,
    categories_of,
    items,
    mechanism,
    names,
    pair,
    whole,
    wholes,
)
from rropt.cli.output import ConfidentialInput, record
from rropt.cli.pending import InputFile, OutputFile, ReportFile
from rropt.core.errors import InvalidParameterError, one_of, refusal, shown, similar_word

CRITERION_HELP = """\
A criterion on posterior probabilities can take the place of the level: --rho 1/5 1/2,
--beta 3, or --upper EXPR [--lower EXPR], functions of the prior probability p. The level is
then B(h), the largest parity that the criterion allows (`rropt privacy --criterion` prints it). If B(h)
is irrational, the level is a rational gamma slightly below it."""

# in the order of --help: the modules of this package and their purposes, by groups; and the earlier names of commands
WORDS = json.loads(Path(__file__).with_name("commands.json").read_text(encoding="utf-8"))

_WIDEST_HELP = 100  # columns, as the docstrings have
_BROKEN_SENTENCE = re.compile(  # in a full line; a part with a heading begins a new one
    r"^(\S.{69,})\n(?=\S)(?!(?:JSON|--json|exit status|certificates|examples?|numbers):)", re.MULTILINE
)

_SECOND_PART = re.compile(r"^examples?:|^example, |^exit status:|^certificates:", re.MULTILINE)

# messages of argparse -> what stands in their place: what is wrong, what was received, what to do
_OF_ARGPARSE = {
    "^the following arguments are required: (.*, .*)": refusal("arguments are missing", r"none of \1", hint="add them"),
    "^the following arguments are required: (.*)": refusal("an argument is missing", r"no \1", hint="add it"),
    "^one of the arguments (.*) is required": refusal("an argument is missing", r"none of \1", hint="add one"),
    "^argument (.*): not allowed with argument (.*)": refusal(r"\1 does not go with \2", "both", hint="leave one out"),
    "^argument (.*): ignored explicit argument (.*)": refusal(r"\1 takes no value", r"\2", hint="leave it out"),
}


# The types of values that are no texts: by the names of their arguments, or by what is typed.
_TYPED = (
    (items, "--against --contrast --costs --prevalences --proportions --reference --strata-shares"),
    (items, "B,... E,... G,... L,... NAME,... Q,.."),
    (names, "A,B,.. N[,M]"),
    (pair, "LOW..HIGH E,D"),
    (wholes(0), "--counts --only"),
    (whole(0), "--seed --yes"),
    (whole(1), "--marginals --n --population"),
    (whole(30, 1200), "--dpi"),
    (mechanism, "--mechanism"),
    (InputFile, "--bounds --categories-file --covariate --device-file --levels --memo --people --predict --properties"),
    (InputFile, "--questions --sample --survey --versus data files items mechanism mechanisms problem specification"),
    (OutputFile, "--certificate --output --plot"),
    (ReportFile, "--report"),
)
TYPES: Mapping[str, Any] = {name: kind for kind, words in _TYPED for name in words.split()}

# An argument: its name, what is typed, its facts, its help.
_ARGUMENT = re.compile(r"(?:or )?([^\s:]+)((?: [^\s(]\S*?)*)(?: \((.*?)\))?(?:: (.*))?")
_GROUP = re.compile(r"^(or )?(\w+) options(.*)", re.MULTILINE)
_GROUPS = dict(re.findall(r"^(\w+) (?:options|arguments):\n((?:.+\n?)+)", __doc__ or "", re.MULTILINE))


class UsageError(InvalidParameterError):
    """A command line that the parser cannot read."""


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line, with exit status 2, and that accepts ``-1/2`` as a value.

    Args:
        module: the module of a command, with ``run`` and perhaps ``TYPES``, or with ``add(parser)``, or a package with
            commands. It is imported when its arguments are needed.

    Attributes:
        needed: for options that are not typed alone, the option that each goes with.
        readers: functions that map the text of an argument to its value, after the question is recorded.
        typed: the arguments that the last command line contains, with their texts; defaults are not among them.
    """

    def __init__(self, *args: Any, module: str | None = None, **kwargs: Any) -> None:
        self._module = module
        self.needed: dict[str, str] = {}
        self.readers: dict[str, Callable[[str], Any]] = {}
        self.typed: dict[str, Any] = {}
        self._words: list[str] = []
        kwargs.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        kwargs.setdefault("allow_abbrev", False)
        super().__init__(*args, **kwargs)
        self._negative_number_matcher = re.compile(r"-\.?\d.*")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Add the arguments and parse; an unknown argument is an error of the subcommand itself."""
        self.filled()
        self.typed, self._words = {}, list(args or ())
        found, others = super().parse_known_args(args, namespace)
        if others:
            self.error(self._unknown(others))
        if not hasattr(found, "spelled"):  # the parser of a subcommand comes first
            found.spelled = {one.dest: _spelled(one) for one in self._actions}
            for option in PARAMETERS.keys() & found.spelled.keys():
                found.spelled.setdefault(PARAMETERS[option], found.spelled[option])
            found.typed = set(self.typed)
        return found, others

    def _unknown(self, words: list[str]) -> str:
        """Return the message about words that are no arguments of the command, with the option that may be meant."""
        wrong = next((word for word in words if word.startswith("--")), words[0]).partition("=")[0]
        known = [name for name in self._option_string_actions if name[1] == "-"]
        longer = min((name for name in known if name.startswith(wrong) and wrong != "--"), key=len, default=None)
        short = wrong[1:] if wrong[1:] in self._option_string_actions else None
        near = f"did you mean {longer or short}?" if longer or short else similar_word(wrong, known)
        told = shown(" ".join(words))
        if any(one.type is ConfidentialInput for one in self._actions):  # the words may be its values
            told = shown(wrong) if wrong.startswith("--") else "confidential values"
        for i, word in enumerate(self._words[2:], 2):
            option, of = self._words[i - 2], self._option_string_actions.get(self._words[i - 2])
            if word == wrong and word[:2] != "--" and of is not None and "," in str(of.metavar):  # a list with blanks
                rest = takewhile(words.__contains__, self._words[i:])
                listed = ",".join(one.strip(",") for one in (self._words[i - 1], *rest))
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
        if self.prog == "rropt" and value in WORDS["moved"]:
            raise UsageError(f"rropt: `{value}` is now `rropt {WORDS['moved'][value]}`")
        if action.choices is not None:
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
        text = super().format_help()
        if not is_on_terminal():
            return text
        width, text = min(terminal_width(), _WIDEST_HELP), _BROKEN_SENTENCE.sub(r"\1 ", text)
        return "\n".join(line if line.startswith(" ") else wrapped(line, width) for line in text.split("\n"))

    def filled(self) -> Parser:
        """Add the arguments, or the kinds of a command, and return the parser."""
        command = self.prog.removeprefix("rropt").strip()
        self.set_defaults(command=command)
        name, self._module = self._module, None
        if name is None:
            return self
        if not command or command in WORDS:  # the commands by groups, or the kinds of one
            below = self.add_subparsers(
                metavar="KIND" if command else "COMMAND", required=bool(command), parser_class=Parser
            )
            for title, kinds in ({"": WORDS[command]} if command else WORDS["commands"]).items():
                if title:
                    below._choices_actions.append(below._ChoicesPseudoAction(f"{title}:", (), ""))
                for kind, purpose in kinds.items():
                    words = f"{command} {kind}".strip()
                    below.add_parser(kind, help=purpose, module=f"rropt.cli.{re.sub('[ -]', '_', words)}")
        elif hasattr(module := import_module(name), "add"):
            module.add(self)
        else:
            declare(self, module.__doc__, module.run, getattr(module, "TYPES", {}))
        return self

    def error(self, message: str) -> NoReturn:
        """Reject a command line with a message of one line.

        Raises:
            UsageError: always.
        """
        line = " ".join(message.split())
        is_missing = line.startswith(("the following arguments are required", "one of the arguments"))
        for pattern, words in _OF_ARGPARSE.items():
            line = re.sub(pattern, words, line)
        if is_missing:  # the choices of what is missing; and a misspelled option is often the reason
            choices = {_spelled(one): one.choices for one in self._actions if one.choices}
            line += "".join(f"; {name}: {', '.join(each)}" for name, each in choices.items() if f" {name};" in line)
            known = {"--", *self._option_string_actions}
            unknown = [word for word in self._words if word.startswith("--") and word.partition("=")[0] not in known]
            line += f"; {self._unknown(unknown)}" if unknown else ""
        raise UsageError(f"{self.prog}: {line if len(line) < 400 else line[:400] + '...'} (see {self.prog} --help)")


def _spelled(action: argparse.Action) -> str:
    """Return an argument as it is typed: the long name of an option, or the name of a positional argument."""
    if action.option_strings:
        return action.option_strings[-1]
    return action.metavar if isinstance(action.metavar, str) else action.dest.upper()


def _typed(value: Any) -> str:
    """Return a value for a message; ``-`` is the only text of which a type makes ``None``."""
    return shown(" ".join(value) if isinstance(value, list) else "-" if value is None else str(value))


def declare(
    parser: Parser, text: str | None, run: Callable[..., int], types: Mapping[str, Any] = TYPES, **defaults: Any
) -> None:
    """Set the help of a command, and add its arguments.

    Args:
        parser: the parser of the command.
        text: the docstring of its module. The text after the title becomes the description; the examples and what
            follows them become the end of the help; the arguments stand below a line "arguments:".
        run: a function that maps the arguments, converted to values, to the exit status.
        types: the types of arguments that differ from ``TYPES``.
        defaults: further defaults of the parser.
    """
    about, _, listed = inspect.cleandoc(text or "").partition("\narguments:\n")
    about = about.partition("\n\n")[2].strip()
    second = _SECOND_PART.search(about)
    at = second.start() if second else len(about)
    criterion = CRITERION_HELP if "level options" in listed else ""
    parser.description, parser.epilog = about[:at].strip(), "\n".join([criterion, about[at:]]).strip("\n")
    types = {**TYPES, **types}
    for joined in _arguments(listed):
        group: argparse._ActionsContainer = parser
        if len(joined) > 1:
            group = parser.add_mutually_exclusive_group(required=any("required" in line.facts for line in joined))
        for line in joined:
            _add(parser, group, types, line)
    parser.set_defaults(run=partial(_run, run, parser), **defaults)


class Argument(NamedTuple):
    """An argument as a line declares it: its name, what is typed after it, its facts, and its help."""

    name: str
    typed: str
    facts: str
    help: str


def _arguments(text: str) -> Iterator[list[Argument]]:
    """Yield the arguments that a text declares, those that are joined by "or" together."""

    def listed(found: re.Match[str]) -> str:
        first, _, others = _GROUPS[found[2]].partition("\n")
        return f"{found[1] or ''}{first}{found[3]}\n{others.rstrip()}"

    for block in re.split(r"\n(?! |or )", _GROUP.sub(listed, text).strip()) if text else ():
        joined = []
        for line in (" ".join(each.split()) for each in re.split(r"\n(?! )", block)):
            if (found := _ARGUMENT.fullmatch(line)) is None:  # to skip it would drop an option
                raise ValueError(f"the line declares no argument: {line}")
            joined.append(Argument(*((part or "").strip() for part in found.groups())))
        yield joined


_SHARED = {one.name: one for (one,) in _arguments(_GROUPS.get("shared", ""))}


def _add(parser: Parser, group: argparse._ActionsContainer, types: Mapping[str, Any], line: Argument) -> None:
    """Add an argument to a parser, alone or in a group of arguments of which one is typed."""
    name, typed, facts, words = line
    if not words:
        shared = _SHARED.get(name) or _SHARED[(typed or name).split()[0].strip("-[]").lower()]
        typed, facts, words = typed or shared.typed, facts or shared.facts, shared.help
    how: dict[str, Any] = {"help": words.replace("%", "%%"), **_value(typed)}
    for fact in facts.split("; ") if facts else ():
        key, _, value = fact.partition(" ")
        if key == "with":
            parser.needed[name] = value
            how["help"] = f"with {value}: {how['help']}"
        elif key == "default:":
            how |= {"default": value, "help": f"{how['help']} ({fact})"}
        elif key == "required":
            how |= {"required": True} if group is parser else {}
        elif key == "as":
            how["dest"] = value
        else:
            how |= {"repeated": {"action": "append", "default": []}}[key]
    kind = next((types[key] for key in (how.get("dest", name), name, typed) if key in types), None)
    if kind is not None:
        how["type"] = kind.kind if isinstance(kind, Value) else kind
    action = group.add_argument(name, **how)
    if isinstance(kind, Value):
        parser.readers[action.dest] = partial(kind.read, option=_spelled(action), form=action.metavar)


def _value(typed: str) -> dict[str, Any]:
    """Return what is typed after the name of an argument, in the words of argparse."""
    words = typed.split()
    if not words:
        return {"action": "store_true"}
    if typed.endswith("}"):
        metavar, _, choices = typed.partition("{")
        return {"metavar": metavar.strip() or None, "choices": choices[:-1].split(",")}
    if typed.endswith(" ...]"):
        return {"metavar": words[0].strip("["), "nargs": "*" if typed.startswith("[") else "+"}
    if typed.startswith("["):
        return {"metavar": typed[1:-1], "nargs": "?"}
    return {"metavar": typed} if len(words) == 1 else {"metavar": tuple(words), "nargs": len(words)}


def _run(run: Callable[..., int], parser: Parser, args: argparse.Namespace) -> int:
    """Check which options are combined, convert the arguments to values, and run a command."""
    given = {typed for name, typed in args.spelled.items() if getattr(args, name, None) not in (None, False, [])}
    for action in parser._actions:
        name, value = _spelled(action), getattr(args, action.dest, None)
        needed = parser.needed.get(name)
        if name in given and needed and needed not in given:
            hint = f"add {needed}, or leave it out"
            if needed == "DATA" and hasattr(args, "survey"):
                from rropt.survey.declarations.toml import FILE

                hint += f" and give the name of a question that {FILE} declares" * os.path.lexists(FILE)
            raise InvalidParameterError(refusal(f"{name} goes with {needed}", "it alone", hint=hint))
        if (read := parser.readers.get(action.dest)) is not None and value is not None:
            setattr(args, action.dest, [read(text) for text in value] if isinstance(value, list) else read(value))
    if isinstance(getattr(args, "categories", None), list) and args.categories:
        record(categories=categories_of(args))
    return run(args)


def file_or_stream(text: str) -> OutputFile | None:
    """Return the file to write, or ``None`` for ``-``, which is standard output."""
    return None if text == "-" else OutputFile(text)
