"""The parser of commands: what it refuses, the help of arguments, and values in the place of texts."""

from __future__ import annotations

import argparse
import ast
import itertools
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from every_case import every_case
from few_rows import few_rows

import rropt_fieldwork
from rropt.cli import options
from rropt.cli.arguments import _names, items, names, pair, read_level, whole, whole_range, wholes
from rropt.cli.command import Command, Flag, OneOf, Option
from rropt.cli.help_pages import MOST_LINES, _clause, full_texts
from rropt.cli.main import parser as top_parser
from rropt.cli.output import ConfidentialInput
from rropt.cli.parser import Parser, UsageError, _spelled
from rropt.core.errors import InvalidParameterError
from rropt.plots.charts import SIZES
from rropt.plots.figures import MAX_DPI, MIN_DPI


def every_parser(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and all parsers of its subcommands, with their options."""
    yield parser.filled()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from every_parser(below)


ARGUMENTS = (
    Option("files", "FILE", help="certificate files", nargs="*"),
    Flag("--switch", help="a switch, 10 % of all"),
    Option("--norm", help="what is least", choices=("max", "l1"), default="max"),
    Option("--pair", ("R1", "R2"), help="two"),
    Option("--n", "N", help="a count", type=whole(1, 300)),
    Option("--counts", "C0,..,Cm", help="counts", type=wholes(0)),
    Option("--shares", "P1,..,PK", help="a list", type=items),
    Option("--names", "A,B,..", help="names", type=names),
    Option("--range", "LOW..HIGH", help="a range of counts", type=whole_range),
    Option("--mark", "E,D", help="pairs", type=pair, repeated=True),
    options.MECHANISM,
    Option("--text", "WORD", help="a word"),
    Option("--beside", "B", help="not alone", goes_with="--text"),
)


def command(*arguments: Option | Flag | OneOf) -> Parser:
    """Return the parser of a command with these arguments."""
    parser = Parser(prog="rropt try")
    parser.declare(Command("What it does.", arguments=arguments), lambda _: 0)
    return parser


def given(*argv: str, arguments: Sequence[Option | Flag | OneOf] = ARGUMENTS) -> argparse.Namespace:
    """Return the arguments as a command gets them."""
    found: list[argparse.Namespace] = []
    parser = Parser(prog="rropt try")
    parser.declare(Command("Try.", arguments=arguments), lambda args: found.append(args) or 0)
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
    args = given("--level", "posterior:1/5,1/2", arguments=options.REQUIRED_LEVEL)
    read_level(args)
    assert (str(args.epsilon), str(args.delta), str(args.criterion.bound.value)) == ("log(4)", "0", "4")


def test_a_confidential_value_that_is_given_twice_is_not_repeated() -> None:
    parser = command(Option("--value", "TEXT", help="a true response", type=ConfidentialInput))
    with pytest.raises(UsageError, match="more than once: received confidential values; give it"):
        parser.parse_args(["--value", "yes", "--value", "no"])


def test_the_help_of_a_command_is_what_it_declares() -> None:
    parser = Parser(prog="rropt try")
    about = Command("What it does,\nat length.", epilog="examples:\n  rropt try 1", arguments=ARGUMENTS)
    parser.declare(about, lambda args: len(args.files))
    lines = [line.strip() for line in parser.format_help().splitlines()]
    assert lines[lines.index("What it does,") + 1] == "at length."
    assert lines[-2:] == ["examples:", "rropt try 1"]
    text = " ".join(lines)
    for part in ("a switch, 10 % of all", "what is least (default: max)", "with --text: not alone"):
        assert part in text
    assert "the certificate or the JSON of a design, a CSV or .npy file" in text  # the help that commands share
    args = parser.parse_args(["a", "b"])
    assert args.run(args) == 2


def test_a_criterion_is_explained_where_a_level_is_taken() -> None:
    for taken in (*options.REQUIRED_LEVEL, *options.LEVEL, OneOf((Flag("--all", help="all"), *options.ONE_LEVEL))):
        assert "posterior:R1,R2" in command(taken).format_help()
    assert "posterior" not in command(options.EPSILON, options.GAMMA).format_help()


@pytest.mark.slow
def test_every_command_works_without_docstrings(tmp_path: Path) -> None:
    """``python -OO`` strips docstrings and assertions: help, a result and an error are as with them."""
    script = tmp_path / "every.py"
    script.write_text(
        "import sys\nfrom test_options import every_parser, top_parser\n"
        "for one in every_parser(top_parser()):\n    print(one.format_help())\n"
    )
    places = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])

    def run(*words: str) -> tuple[int, str, str]:
        env = {**os.environ, "PYTHONPATH": places, "COLUMNS": "100"}
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, env=env)
        return done.returncode, done.stdout, done.stderr

    helps = run("-OO", str(script))
    assert helps == run(str(script))
    assert helps[0] == 0
    assert helps[1].count("usage: rropt") == len(list(every_parser(top_parser())))
    for call, status in (("design binary --help", 0), ("privacy warner:3/4 --gamma 2", 1)):
        found = run("-OO", "-m", "rropt", *call.split())
        assert found == run("-m", "rropt", *call.split())
        assert found[0] == status


def test_shared_arguments_are_declared_once() -> None:
    """Two commands with the same words about the same option take the one record, and none repeats its fields."""
    shared = {one.help for one in vars(options).values() if isinstance(one, (Option, Flag))}
    places = Path(options.__file__).parent.glob("*.py")
    declared = [
        " ".join(part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and part.value in shared)
        for place in places
        if place.name != "options.py"
        for node in ast.walk(ast.parse(place.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Option", "Flag")
    ]
    assert len(declared) > 200
    assert [words for words in declared if words] == []


def test_declarations_fit_together() -> None:
    """What an option goes with is an argument of its command, a default is allowed, and every argument has a help."""
    for parser in every_parser(top_parser()):
        known = {_spelled(action) for action in parser._actions}
        assert known >= {
            *parser.needed,
            *(one for each in parser.needed.values() for one in re.split(", | or ", each)),
        }, parser.prog
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                continue
            assert action.help, (parser.prog, action.dest)
            if isinstance(action.default, str) and action.default != argparse.SUPPRESS:
                assert action.choices is None or action.default in action.choices, (parser.prog, action.dest)
                if (read := parser.readers.get(action.dest)) is not None:
                    assert read(action.default) is not None


def test_the_names_of_several_values_are_no_words_of_a_help() -> None:
    actions = [action for parser in every_parser(top_parser()) for action in parser._actions]
    assert not [action.metavar for action in actions if isinstance(action.metavar, tuple)]


def test_options_joined_by_or_are_not_typed_together() -> None:
    first = (Option("--first", "A", help="one"), Flag("--last", help="three"), *options.ONE_LEVEL)
    parser = command(OneOf(first, required=True), Option("--free", "F", help="four"))
    with pytest.raises(UsageError, match="--last does not go with --first: received both"):
        parser.parse_args(["--first", "1", "--last"])
    with pytest.raises(UsageError, match="received none of --first --last --epsilon"):
        parser.parse_args(["--free", "1"])


def test_several_missing_arguments_are_named_together() -> None:
    parser = command(*(Option(name, "A", help="one", required=True) for name in ("--one", "--two")))
    with pytest.raises(UsageError, match="arguments are missing: received none of --one, --two; add them"):
        parser.parse_args([])
    with pytest.raises(UsageError, match="an argument is missing: received no --two; add it"):
        parser.parse_args(["--one", "1"])


def test_a_shared_option_takes_the_form_that_a_command_needs() -> None:
    parser = command(options.DELTA, replace(options.PREVALENCE, required=True), options.CONFIDENCE)
    found = {action.dest: action for action in parser._actions}
    assert (found["delta"].metavar, found["delta"].default, found["delta"].required) == ("D", "0", False)
    assert (found["prevalence"].metavar, found["prevalence"].required) == ("PI", True)
    assert (found["confidence"].metavar, found["confidence"].default) == ("C", "0.95")


def test_a_parser_can_be_used_again() -> None:
    parser = command(*ARGUMENTS)
    assert [parser.parse_args(["--text", text]).text for text in ("1", "2")] == ["1", "2"]


def test_the_help_of_design_pram_says_what_its_files_are_in_r() -> None:
    parser = next(one for one in every_parser(top_parser()) if one.prog == "rropt design pram")
    text = " ".join(parser.format_help().split())
    assert "to FILE.R an R script with the matrix for sdcMicro's pram" in text
    assert "are the levels of the factor in R" in text


def test_every_option_with_a_value_is_given_once_or_collects_its_values() -> None:
    actions = {action for parser in every_parser(top_parser()) for action in parser._actions if action.option_strings}
    assert len(actions) > 300
    kinds = (argparse._StoreTrueAction, argparse._HelpAction, argparse._VersionAction)
    collected = {action.option_strings[-1] for action in actions if isinstance(action, argparse._AppendAction)}
    assert collected == {
        *("--categories", "--counts", "--covariate", "--devices", "--epsilon", "--keep-anyway", "--level", "--mark"),
        *("--mechanism", "--recode", "--sample", "--versus"),
    }
    assert all(
        isinstance(action, (argparse._AppendAction, *kinds)) or type(action) is argparse._StoreAction
        for action in actions
    )
    with pytest.raises(UsageError, match="--text is given more than once: received 'a' and 'b'; give it once"):
        given("--text", "a", "--text", "b")


TITLES = {
    "audit --mechanism warner:3/4 --claim 1": "Samples that refute a claim",
    "compose warner:3/4*2": "Privacy of all responses together",
    "panel warner:3/4 --waves 2": "Reports over time",
    "design noncompliance --gamma 3 --theta 0.1 --n 9 --prevalence 1/10": "Design for respondents who may not comply",
    "estimate --yes 328 --n 710 --mechanism unrelated:1/2,1/12 --population 10777": "Estimate in a finite population",
    "plan finite 99 --mechanism warner:3/4 --prevalence 0.1 --se sqrt(0.01)": "Plan for a finite population",
    "plan groups 0.1,0.9 --mechanism warner:3/4": "Plan of groups",
    "plan margin 0.1 --mechanism warner:3/4": "Plan",
    "plan strata 0.5:0.1,0.5:0.2 --mechanism warner:3/4 --n 99 --fast": "Plan of strata",
    "plan minimax 2 --epsilon 1": "The minimax risk",
    "privacy warner:3/4 --renyi 2": "Privacy by Renyi divergence",
    "privacy warner:3/4 --renyi zcdp": "Zero-concentrated privacy",
    "shuffle 2 --n 3 --delta 1/10": "Privacy after shuffling",
    "device --gamma 3 --prevalence 1/10 --for dice:1": "Devices at prevalence 1/10",
}


@few_rows(3)
@pytest.mark.parametrize("call", TITLES)
def test_a_result_has_the_title_of_its_kind(cli: Callable[..., tuple[int, str, str]], call: str) -> None:
    status, out, _ = cli(*call.split())
    assert (status, out.split("\n")[0].strip()) == (0, TITLES[call])
    assert [line.strip() for line in out.splitlines()].count(TITLES[call]) == 1


DEFAULTS = {  # options whose help names a default, with a call that they change
    "plan margin 0.2 --mechanism warner:3/4": "--confidence --interval",
    "plan power 0.7 --mechanism warner:3/4 --prevalence 1/3": "--null --significance --sided --test",
    "cost --gamma 9 --prevalence 1/10 --n 20": "--delta --other --cards-drawn",
    "cost -k 3 --gamma 9 --margin 0.1": "--confidence --language",
    "compare bits:3/4*4 grr subset": "--marginals",
    "sheet warner:3/4 --question Q?": "--language --form --for",
    "explore": "--gamma",
    "repair generalised:4/5,9/10 --gamma 2": "--norm",
    "compose warner:3/4 1 --gamma 2": "--tolerance --points",
    "panel 1/2 --waves 3": "--per-wave",
    "panel 1/2 --waves 3 --lifetime 4": "--prevalence",
    "audit --counts 75,25 --counts 25,75": "--seed",
    "audit --mechanism warner:3/4 --claim 1": "--power",
}


def help_of(words: list[str], option: str) -> str:
    """Return the help of an option of the command that a call names."""
    found = next(one for one in [*every_parser(top_parser())][::-1] if " ".join(words).startswith(one.prog[6:]))
    return next(one.help for one in found._actions if option in one.option_strings) or ""


@few_rows(2)
@pytest.mark.parametrize("call", DEFAULTS)
def test_the_default_that_a_help_names_is_the_default(cli_json: Callable[..., dict[str, object]], call: str) -> None:
    words = call.split()
    plain = cli_json(*words)
    for option in DEFAULTS[call].split():
        named = re.search(r"default[^:)]*: ([^\s;,)]+)", help_of(words, option))
        assert named, option
        assert cli_json(*words, option, named[1]) == plain, option


def test_numbers_in_the_help_of_pictures_and_audits(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {name: f"{size.width:g} in" for name, size in SIZES.items()}
    words = help_of(["plot", "g"], "--size")
    assert all(f"{name}: {width}" in words for name, width in sizes.items())
    words = help_of(["plot", "g"], "--dpi")
    assert f"{MIN_DPI} to {MAX_DPI} (default: paper {SIZES['paper'].dpi}, screen {SIZES['screen'].dpi})" in words
    asked: dict[str, object] = {}
    monkeypatch.setattr(
        "rropt_fieldwork.audits.auditing.ask_until_refuted", lambda *_, **given: asked.update(given) or 1 / 0
    )
    with pytest.raises(ZeroDivisionError):
        rropt_fieldwork.audit_box(str)
    for option, name in (("--draws", "budget"), ("--time-limit", "seconds")):
        assert f"(default: {asked[name]:g})".replace("1e+05", "100000") in help_of(["audit"], option)


MISSPELLED = {
    "design binary --epsilon 1 --prevalnce 1/5": "received no --prevalence; add it; there is no such argument: "
    "received '--prevalnce'; did you mean --prevalence?",
    "design kary --categories 3 --epsilon 1 --objective trace": "none of -k --proportions; add one",
    "design kary --population 1/2,1/2 --epsilon 1 --objective trace": "'--population'; did you mean --proportions?",
    "design questions --questions 3 --epsilon 1": "did you mean --number?",
    "design binary --epsilon 1 --prevalence 1/5 --out m.json": "received '--out m.json'; did you mean --output?",
    "design": "received no KIND; add it; KIND: binary, kary, mean, questions, noncompliance, pram, problem, "
    "family, list",
    "export m.json": "received no LANGUAGE; add it; LANGUAGE: c, javascript, python",
    "randomize true.csv --keep region w": "received 'w'; write --keep region,w",
    "design kary --proportions 1/2 1/2 --epsilon 1 --objective trace": "write --proportions 1/2,1/2 (",
    "design kary -k 3 --effort large 3 --epsilon 1 --objective trace": "received '3'; leave it out",
    "randomize true.csv --keep region --w": "received '--w'; leave it out",
    "design kary --epsilon 1 --objective trace --k 3": "received '--k'; did you mean -k?",
    "design binary --epsilon 1 --prevalence 1/5 -- x": "received '-- x'; leave it out",
    "laplace histogram:3 --epsilon 1 --release 5 6 7": "received confidential values; write --release V,..",
    "laplace --epsilon 1 --release 5 --relese 6": "received '--relese'; did you mean --release?",
    "laplace --epsilon 1 --relese=831": "received '--relese'; did you mean --release?",
}


@pytest.mark.parametrize("call", MISSPELLED)
def test_a_wrong_word_is_answered_with_what_to_type(cli: Callable[..., tuple[int, str, str]], call: str) -> None:
    status, out, err = cli(*call.split())
    assert (status, out, MISSPELLED[call] in err) == (2, "", True), err


def test_the_help_fits_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences are wrapped between words and none is lost; a command that is copied stays in one line."""
    for one in every_parser(top_parser()):
        plain = one.format_help()
        with monkeypatch.context() as patched:
            patched.setattr("rropt.core.results.layout.is_on_terminal", lambda: True)
            patched.setenv("COLUMNS", "60")
            narrow = one.format_help()
            patched.setenv("COLUMNS", "80")
            shown = one.format_help()
        assert max(len(line) for line in narrow.split("\n") if line[:1] != " ") <= 60, one.prog
        assert shown.split() == plain.split()
        assert {line for line in plain.split("\n") if line.startswith("  rropt ")} <= set(shown.split("\n"))
        for line, after in itertools.pairwise(shown.split("\n")):
            if line[:1].strip() and line[-1] not in ".:" and after[:1].islower() and "`" not in line:
                is_full = len(f"{line} {after.split()[0]}") > 80
                assert is_full or after.startswith(("exit status:", "certificates:")), (one.prog, line)


def _whole_texts(one: Parser) -> dict[str, str]:
    """Return the whole text of each argument by the word that ``--help`` takes."""
    actions = [each for each in one.filled()._actions if each.help is not argparse.SUPPRESS]
    return {_spelled(each).lstrip("-"): " ".join(str(each.help).replace("%%", "%").split()) for each in actions}


def test_no_help_is_longer_than_a_page(cli: Callable[..., tuple[int, str, str]]) -> None:
    """Each command's help has at most 80 lines and names every option; ``--help NAME`` prints the text of each."""
    long = 0
    for one in every_parser(top_parser()):
        words, texts = one.prog.split()[1:], _whole_texts(one)
        status, page, _ = cli(*words, "--help")
        assert (status, page.count("\n") <= MOST_LINES) == (0, True), one.prog
        if page.split() == one.format_help().split():
            continue
        long += 1
        listed = {line.split()[0] for line in page.splitlines() if line.startswith("  ") and line.strip()}
        of_reading = {_spelled(each) for each in one.of_reading}
        assert {_spelled(each) for each in one._actions} - {"--help"} - of_reading <= listed, one.prog
        assert of_reading <= set(re.findall(r"--[a-z-]+", page)), one.prog
        for name in (*texts, "more", "examples"):
            told = full_texts(one, [name], 80)
            assert told.count("\n") <= MOST_LINES, (one.prog, name)
            assert texts.get(name, "") in " ".join(told.split()), (one.prog, name)
        assert full_texts(one, ["no-such-option"], 80) == ""
        (left,) = [line for line in page.splitlines() if line.endswith("the rest.")] or [""]
        is_shown = {
            "`--help more`": " ".join(one.description.split()[-8:]) in " ".join(page.split()),
            "`--help examples`": not one.epilog or one.epilog.strip().split("\n")[-1] in page,
        }
        assert {hint: hint not in left for hint in is_shown} == is_shown, one.prog
    assert long > 10  # the limit is no limit if every help is short


def test_the_help_of_options_that_are_named(cli: Callable[..., tuple[int, str, str]]) -> None:
    named = cli("estimate", "--help", "strata", "--json")[1]
    assert named.split("\n")[0] == "--strata COLUMN"
    assert "\n\n--json\n" in named
    assert cli("estimate", "--help", "examples")[1].count("  rropt estimate") == 10
    assert cli("estimate", "--help", "answers.csv")[1] == cli("estimate", "--help")[1]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("write a page", "write a page"),
        ("write a page, FILE.html; it starts with a summary", "write a page, FILE.html ..."),
        ("a level (epsilon, delta) of every respondent in it", "a level (epsilon, delta) of every ..."),
        ("a level of every one (epsilon, delta; one of them)", "a level of every one ..."),
        ("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyzabcdefghij ..."),
    ],
)
def test_a_long_text_of_an_option_ends_with_a_clause(text: str, line: str) -> None:
    assert _clause(text, 40) == line


@every_case(
    ("text", "listed"),
    [
        ("a, b", ("a", "b")),
        ('"a, b",c', ("a, b", "c")),
        ("was\nsick,b", ("was\nsick", "b")),  # a header of an office program, as the shell passes it on
        ('"was\r\nsick",b', ("was\r\nsick", "b")),
        ('"5"" pipe",a"b', ('5" pipe', 'a"b')),
    ],
)
def test_a_list_of_names_holds_line_ends_and_marks(text: str, listed: tuple[str, ...]) -> None:
    assert _names(text, "--keep", "A,B,..") == listed


@every_case("text", ['"a', 'b,"a', '"a"b'])
def test_a_mark_without_its_pair_is_no_part_of_a_name(text: str) -> None:
    with pytest.raises(InvalidParameterError, match="--keep has a quotation mark without its pair"):
        _names(text, "--keep", "A,B,..")
