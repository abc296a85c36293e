"""The parser of commands, and the arguments that several commands share.

A command is a module with two functions: ``arguments(parser)`` adds its arguments by argparse, and ``run(args)`` maps
their values to the exit status. The module is imported when its command is named; its docstring is the help. The help
of an argument is its line in the docstring of the function that adds it, or else here. A line ``--delta D: help`` in
such a docstring also adds the option, and ``--json: help`` a flag, unless the function itself adds it:

--transposed: read the matrix with inputs as rows, which sum to 1 (a row-stochastic channel, as in qif); the default is
    outputs as rows
--epsilon: privacy level in nats: a number such as 1/2, or "log(3)", or "1/2*log(3)"
--gamma: the same as a bound of the odds ratio: gamma = exp(epsilon) >= 1, rational
--delta: delta in [0, 1], with --epsilon or --gamma: a number, or "exp(-10)"
--prevalence: assumed prevalence, in [0, 1]
--distance: the level of two categories is their distance times the level: abs, the distance of j and l is abs(j - l);
    grid:RxC, that in a grid of R rows and C columns, with the categories row by row
--confidence: confidence level of the intervals
--contrast: also estimate this linear combination of the proportions
--certificate: write the certificate to FILE
--exact: print every number in full: long fractions, all decimal digits, whole matrices
--json: print one JSON object and nothing else; exact numbers are strings
--table: name of the table in a DuckDB or SQLite file; needed if there are several
--sheet: sheet of an Excel file: its name, or its number from 1 (default: the first)
--strata: column of the strata
--clusters: column of the clusters (primary sampling units), numbered within strata
--fpc: finite population correction, columns or numbers: the number of clusters (or rows) in each stratum, or the
    sampling fraction (at most 1); then the same for the rows within each cluster
--post-strata: columns that define post-strata: the weights were calibrated to the known totals of their cells
--single-psu: treatment of a stratum with a single PSU in variances: certainty, average or adjust
mechanism: a JSON file {"matrix": [["2/3","1/3"],["1/3","2/3"]]} (rows are outputs) or {"product": [...]} of such rows
    for each question, the certificate of a design, a CSV or .npy file, or a name with parameters such as warner:3/4 or
    forced:2/3,1/6,1/6 (`rropt design list` lists them)
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import re
from collections.abc import Callable, Mapping
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, cast

from rropt.cli.arguments import PARAMETERS, Value, categories_of, items, names, shown_name, whole, wholes
from rropt.cli.output import ConfidentialInput, record
from rropt.cli.pending import InputFile, OutputFile
from rropt.core.errors import InvalidParameterError, one_of, refusal, shown, similar_word

CRITERION_HELP = """\
A criterion on posterior probabilities can take the place of the level: --rho 1/5 1/2,
--beta 3, or --upper EXPR [--lower EXPR], functions of the prior probability p. The level is
then B(h), the largest parity that the criterion allows (`rropt privacy --criterion` prints it). If B(h)
is irrational, the level is a rational gamma slightly below it."""

WORDS = json.loads(Path(__file__).with_name("commands.json").read_text(encoding="utf-8"))  # commands and purposes

_LINE = re.compile(
    r"^([^\s:]+)(?: (\S+))?: (.*(?:\n {4}.*)*)", re.MULTILINE
)  # an argument with its help, in a docstring
_SECOND_PART = re.compile(r"^examples?:|^example, |^exit status:|^certificates:", re.MULTILINE)

# messages of argparse -> what stands in their place: what is wrong, what was received, what to do
_OF_ARGPARSE = {
    "^the following arguments are required: (.*)": refusal("an argument is missing", r"no \1", hint="add it"),
    "^one of the arguments (.*) is required": refusal("an argument is missing", r"none of \1", hint="add one"),
    "^argument (.*): not allowed with argument (.*)": refusal(r"\1 does not go with \2", "both", hint="leave one out"),
    "^argument (.*): ignored explicit argument (.*)": refusal(r"\1 takes no value", r"\2", hint="leave it out"),
}


# the types of options that have the same one in every docstring; others are texts
_OPTIONS_OF = (
    (items, "--against --contrast --costs --mark --prevalences --reference --routes --strata-shares --values"),
    (names, "--by --categories --event --inputs --keep --output-names --pair"),
    (wholes(0), "--counts --only"),
    (whole(0), "--seed --yes"),
    (whole(1), "--marginals --n --population"),
    (InputFile, "--bounds --categories-file --device-file --memo --people --predict --properties --questions --survey"),
    (OutputFile, "--certificate --output --plot"),
)
TYPES: Mapping[str, Any] = {name: kind for kind, options in _OPTIONS_OF for name in options.split()}


class UsageError(InvalidParameterError):
    """A command line that the parser cannot read."""


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line, with exit status 2, and that accepts ``-1/2`` as a value.

    Args:
        module: the module of a command, with ``arguments(parser)`` and ``run``, or with ``add(parser)``. It is imported
            when its arguments are needed.

    Attributes:
        moved: earlier names of subcommands, with what serves instead.
        needed: for options that are not typed alone, the option that each goes with.
        lines: the options in the docstring of the function that adds arguments, in order, if they are not added yet.
        typed: the arguments that the last command line contains; defaults are not among them.
    """

    def __init__(self, *args: Any, module: str | None = None, **kwargs: Any) -> None:
        self._module = module
        self.moved: Mapping[str, str] = {}
        self.needed: dict[str, str] = {}
        self.lines: dict[str, str] = {}
        self.given: set[str] = set()
        self.typed: set[str] = set()
        kwargs.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        kwargs.setdefault("allow_abbrev", False)
        super().__init__(*args, **kwargs)
        self.register("action", None, Once)
        self._negative_number_matcher = re.compile(r"-\.?\d.*")

    def _add_action(self, action: Any) -> Any:
        """Add an argument below the options that stand before it in the docstring."""
        if _spelled(action) in (*self.lines, "--json"):  # --json is the last one
            self.add_lines(_spelled(action))
        return super()._add_action(action)

    def add_lines(self, until: str = "") -> None:
        """Add the options that the docstring alone declares, all or those before another one, in its order."""
        while self.lines and (name := next(iter(self.lines))):
            metavar = self.lines.pop(name)
            if name == until:
                return
            if name not in self._option_string_actions:  # a function that is called has added it
                how: dict[str, Any] = (
                    {"metavar": metavar, "type": TYPES.get(name)} if metavar else {"action": "store_true"}
                )
                self.add_argument(name, **how)

    def beside(self, needed: str, options: str) -> None:
        """Let options, separated by blanks, be an error where another argument is not given."""
        self.needed |= dict.fromkeys(options.split(), needed)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Add the options and parse; an unknown argument is an error of the subcommand itself."""
        self.filled()
        self.given, self.typed = set(), set()
        found, others = super().parse_known_args(args, namespace)
        if others:
            wrong = next((word for word in others if word.startswith("--")), others[0]).partition("=")[0]
            near = similar_word(wrong, [name for name in self._option_string_actions if name[1] == "-"])
            self.error(refusal("there is no such argument", shown(" ".join(others)), hint=near or "leave it out"))
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
                declare(self, module.__doc__, module.arguments, module.run)
        return self

    def error(self, message: str) -> NoReturn:
        """Reject a command line with a message of one line.

        Raises:
            UsageError: always.
        """
        line = " ".join(message.split())
        for pattern, words in _OF_ARGPARSE.items():
            line = re.sub(pattern, words, line)
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
        if option_string and self.dest in given:
            received = [getattr(namespace, self.dest), values]
            is_shown = not any(isinstance(value, ConfidentialInput) for value in received)
            told = " and ".join(map(_typed, received)) if is_shown else "confidential values"
            parser.error(refusal(f"{option_string} is given more than once", told, hint="give it once"))
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
    parser: Parser, about: str | None, arguments: Callable[[Parser], None], run: Callable[..., int], **defaults: Any
) -> None:
    """Set the help of a command, and add its arguments.

    Args:
        parser: the parser of the command.
        about: the docstring of its module. The text after the title becomes the description; the examples and what
            follows them become the end of the help.
        arguments: a function that adds the arguments; its docstring has their help.
        run: a function that maps the arguments, converted to values, to the exit status.
        defaults: further defaults of the parser.
    """
    text = (about or "").partition("\n\n")[2].strip()
    second = _SECOND_PART.search(text)
    at = second.start() if second else len(text)
    described(arguments)(parser)
    parser.description, parser.epilog = text[:at].strip(), "\n".join([parser.epilog or "", text[at:]]).strip("\n")
    shared = _help_lines(__doc__)
    for action in parser._actions:
        if action.help is None:
            action.help = shared.get(_spelled(action)) or shared[_spelled(action).strip("-").lower()]
        if needed := parser.needed.get(_spelled(action)):
            action.help = f"with {needed}: {action.help}"
        if isinstance(action.default, str) and action.default != argparse.SUPPRESS:
            action.help += f" (default: {action.default})"
    parser.set_defaults(run=partial(_run, run, parser), **defaults)


def described(add: Callable[..., None]) -> Callable[..., None]:
    """Let the docstring of a function declare arguments: a line ``name: what it is`` for each (see above)."""

    @wraps(add)
    def added(parser: Parser, *group: Any, **how: Any) -> None:
        known, outer = _help_lines(add.__doc__), parser.lines
        options = _LINE.findall(inspect.cleandoc(add.__doc__ or ""))
        parser.lines = {name: metavar for name, metavar, _ in options if name.startswith("-")}
        add(parser, *group, **how)
        parser.add_lines()
        parser.lines = outer
        for action in parser._actions:
            if action.help is None:
                action.help = known.get(_spelled(action), known.get(action.dest))

    return added


def _help_lines(text: str | None) -> dict[str, str]:
    """Return the help of arguments by their names."""
    found = _LINE.findall(inspect.cleandoc(text or ""))
    return {name: " ".join(words.split()).replace("%", "%%") for name, _, words in found}


def _run(run: Callable[..., int], parser: Parser, args: argparse.Namespace) -> int:
    """Check which options are combined, convert the arguments to values, and run a command."""
    given = {shown_name(args, name) for name in args.spelled if getattr(args, name, None) not in (None, False, [])}
    for action in parser._actions:
        name, value = _spelled(action), getattr(args, action.dest, None)
        needed = parser.needed.get(name)
        if name in given and needed and needed not in given:
            hint = f"add {needed}, or leave it out"
            if needed == "DATA" and hasattr(args, "survey"):
                from rropt.survey.declarations.toml import FILE

                hint += f" and give the name of a question that {FILE} declares" * os.path.lexists(FILE)
            raise InvalidParameterError(refusal(f"{name} goes with {needed}", "it alone", hint=hint))
        if isinstance(action.type, Value) and value is not None:
            read = partial(action.type.read, option=name, form=action.metavar)
            setattr(args, action.dest, [read(text) for text in value] if isinstance(value, list) else read(value))
    if isinstance(getattr(args, "categories", None), list) and args.categories:
        record(categories=categories_of(args))
    return run(args)


def file_or_stream(text: str) -> OutputFile | None:
    """Return the file to write, or ``None`` for ``-``, which is standard output."""
    return None if text == "-" else OutputFile(text)


@described
def level(parser: Parser, group: argparse._ActionsContainer | None = None, *, required: bool = False) -> None:
    """Add a privacy level, or a criterion in its place; ``read_level`` reads them.

    --rho: rho1-to-rho2 privacy: no probability rises from below R1 to above R2, and none falls from above R2 to below
        R1
    --beta: beta-factor privacy: posterior/prior between 1/B and B
    --upper: the largest posterior probability that is allowed at prior p: p <= EXPR <= 1, for example "min(1, 3*p)"
    --lower EXPR: the smallest posterior probability that is allowed, with --upper: 0 <= EXPR <= p
    """
    group = parser.add_mutually_exclusive_group(required=required) if group is None else group
    group.add_argument("--epsilon", metavar="E")
    group.add_argument("--gamma", metavar="G")
    group.add_argument("--rho", nargs=2, metavar=("R1", "R2"))
    group.add_argument("--beta", metavar="B")
    group.add_argument("--upper", metavar="EXPR")
    parser.epilog = CRITERION_HELP


@described
def data(parser: Parser) -> None:
    """Add how DATA are found in files, tables and sheets.

    --glob: read DATA as patterns of file names, for example "wave-*.csv" or "data/**/*.parquet"
    """
    parser.add_lines()
    parser.add_argument("--table", metavar="NAME")
    parser.add_argument("--sheet", metavar="NAME")
    parser.beside("DATA", "--table --sheet")


def sampled(parser: Parser) -> None:
    """Add the columns of a complex survey; --weights has the help of each command."""
    parser.add_argument("--weights", metavar="COLUMN")
    parser.add_argument("--strata", metavar="COLUMN")
    parser.add_argument("--clusters", metavar="COLUMN")
    parser.add_argument("--fpc", metavar="N[,M]", type=names)
    parser.add_argument("--post-strata", metavar="A,B,..", type=names)
    parser.add_argument("--single-psu", metavar="RULE", default="refuse")


@described
def responses(parser: Parser) -> None:
    """Add the columns of the responses, and how they are written.

    --column: name of the column of one question
    --columns: names of the columns of several questions, in the order of the mechanism, for example of bits:3/4*4
    --categories: responses as they are written in DATA, in the order of the mechanism, for example no,yes (default:
        0,1,...). The first is output 0; of two responses the second is counted. If the columns have different
        responses, repeat the option for each of --columns in order, or name the column: q2=never,once,often
    --ignore-case: ignore case in responses: Yes, yes and YES are the same
    --missing: texts for a missing response, for example "" "prefer not" (default: an empty cell, NA, NaN, none, null,
        refused or a dot). They are left out of the estimates and counted; randomize refuses them
    """
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--column", metavar="NAME")
    group.add_argument("--columns", metavar="A,B,..", type=names)
    parser.add_argument("--categories", metavar="A,B,..", type=names, action="append", default=[])
    parser.add_argument("--missing", metavar="TEXT", nargs="+")
    parser.beside("DATA", "--column --columns --categories --ignore-case --missing")


@described
def counted(parser: Parser) -> None:
    """Add the numbers of responses.

    --yes Y: number of responses 1, for a mechanism with two outputs
    --n N: number of respondents, with --yes
    --counts C0,..,Cm: number of responses of each kind, including zeros
    """


def printed(parser: Parser) -> None:
    """Add how a result is printed, below all other options."""
    parser.add_lines()
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--json", action="store_true")
