"""``rropt sheet``: instructions for a randomizing device, or a shuffled deck of cards to hand out."""

from __future__ import annotations

import argparse
import os
import sys
from inspect import signature
from typing import TYPE_CHECKING

from rropt.cli import options
from rropt.cli.arguments import call_library, names, read_mechanism, require_taken, whole, wholes
from rropt.cli.command import Command, Flag, Option
from rropt.cli.output import print_json, print_note, record
from rropt.cli.pending import InputFile, OutputFile, PageFile, PrivateFile, PrivatePage, give_text
from rropt.core.errors import InvalidParameterError, refuse_given
from rropt_fieldwork.commands.table_reader import declared_question

if TYPE_CHECKING:
    from rropt.accounting import DealtDeck
    from rropt_fieldwork.declaration.survey_declaration import Survey
    from rropt_fieldwork.sheets.instruction_sheet import InstructionSheet

COMMAND = Command(
    """\
Write what the respondent reads, what the interviewer says, and a page for the ethics
committee: protection, repeated interviews, rules that are not followed, consent, signatures.
The randomizing device has exactly the probabilities of MECHANISM: a coin, dice, numbered
cards, packs or boxes. --for birthday is an approximation, and the sheet states this.
If no device has the probabilities, use --form web: the browser then draws exactly.

With --deal the command shuffles a deck of cards 1 to L and deals one card to each respondent
(Christofides' device, sampled without replacement). The operating system's randomness makes
all deals exactly equally likely. --output then writes the card of each respondent to a file
that only you can read; --print makes a page to cut out, with an instruction of at most 25
words. Count the responses and estimate with
`rropt estimate --counts .. --mechanism christofides:.. --cards-without-replacement --population N`.""",
    epilog="""\
examples:
  rropt sheet forced:2/3,1/6,1/6 --question "Have you taken drugs?" --output sheet.html
  rropt sheet crosswise:1/4 --question "Haben Sie ...?" --language de --output blatt.html
  rropt sheet grr:5,3/7 --question "How often?" --categories 0,1,2,3,4+ --form web --output q.html
  rropt sheet --deal --deck 8,8,16 --output cards.csv --print cards.html
  rropt sheet --deal christofides:1/4,1/4,1/2 --n 32 --output cards.csv""",
    arguments=(
        Option(
            "mechanism",
            "MECHANISM",
            help=(
                "a named design, which also determines the device, or a file; or the name of a question that "
                "survey.toml declares (rropt survey), with its device, wording and categories"
            ),
            nargs="?",
            type=InputFile,
        ),
        options.TRANSPOSED,
        Option(
            "--survey",
            "FILE",
            help="declaration of the survey (default: survey.toml, if MECHANISM is the name of a question)",
            type=InputFile,
        ),
        Option("--device", "NAME", help="of several devices that the survey declares, the name of one"),
        Option("--question", "TEXT", help="the sensitive question (required without --deal)"),
        Option("--language", "LANGUAGE", help="language of the sheet: en or de (default: en)"),
        Option(
            "--form",
            help=(
                "print: pages to print on A4; letter: on US letter; html: a plain HTML fragment for a web "
                "questionnaire; web: a page that draws in the browser (default: print)"
            ),
            choices=("print", "letter", "html", "web"),
        ),
        Option(
            "--for",
            help="randomizing device (default: auto, the simplest device that is exact)",
            choices=("auto", "coin", "die", "dice", "cards", "birthday"),
            dest="randomizer",
        ),
        Option(
            "--categories",
            "A,B,..",
            help="the true answers in the order of the mechanism (default: its own names, no,yes, or numbers)",
            type=names,
        ),
        Option(
            "--faces",
            "F,..",
            help=(
                "outcomes of the die, the cards or the coin for each step of the sheet, so that it agrees with a "
                "wording that names them: --faces 2..5 1 6 (the last group may be left out; heads and tails of a coin)"
            ),
            nargs="+",
        ),
        Option("--title", "TEXT", help="title of the study, for the ethics page"),
        Option("--responsible", "TEXT", help="person who is responsible for the study"),
        Option("--date", "TEXT", help="date on the ethics page"),
        Option(
            "--n",
            "N",
            help=(
                "number of respondents, for the precision on the ethics page; with --deal: number of cards, for "
                "the proportions of MECHANISM"
            ),
            type=whole(1, 1000000000),
        ),
        Option("--prevalence", "PI", help="assumed proportion of the last answer (yes), in [0, 1]"),
        Flag("--deal", help="shuffle a deck, and deal one card to each respondent"),
        Option(
            "--deck",
            "C1,..,CL",
            help="numbers of cards 1, 2, .., L; there is one card for each respondent",
            type=wholes(0, 1000000000),
            goes_with="--deal",
        ),
        Option(
            "--people",
            "FILE",
            help="file with the names of the respondents, one per line",
            type=InputFile,
            goes_with="--deal",
        ),
        Option(
            "--print",
            "FILE.html",
            help="write an HTML page of cards to print and cut",
            type=PrivatePage,
            goes_with="--deal",
        ),
        Option(
            "--output",
            "FILE",
            help="write the page, or the cards as CSV (columns respondent, card), to FILE (default: standard output)",
            type=OutputFile,
        ),
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Write the instruction sheet."""
    if args.deal:
        return _deal(args)  # without the writers of pages, which load SymPy

    from rropt.reports.document_writers import format_of
    from rropt_fieldwork.sheets.instruction_sheet import sheet

    if args.output is not None and args.form != "html":  # a fragment, for a file of any kind
        format_of(args.output, "--output", PageFile.formats)
    asked = declared_question(args, args.mechanism, or_else=True)
    if asked is None:
        refuse_given(args.typed, "--device names a device of a declared question", "device")
    if asked is None and (args.mechanism is None or args.question is None):
        raise InvalidParameterError("a sheet has a mechanism and a question: give MECHANISM and --question TEXT")
    if asked is None and os.path.lexists(args.mechanism):  # a named design also determines the device
        args.mechanism = read_mechanism(args.mechanism, transposed=args.transposed)
    else:
        refuse_given(args.typed, "only the matrix of a file is transposed", "transposed")
    found = call_library(sheet, args) if asked is None else _of_survey(args, *asked)
    give_text(args, found, found.page, "page", "Instruction sheet")
    if args.output is None and not args.json:  # else the summary has the remarks
        for remark in found.remarks():
            print_note(f"rropt: {remark}")
    return 0


def _of_survey(args: argparse.Namespace, survey: Survey, name: str) -> InstructionSheet:
    """Return the sheet of a question; options come before what the survey declares."""
    from rropt_fieldwork.sheets.instruction_sheet import sheet, sheet_of_survey

    record(column=name, survey=survey.described(name))
    names = [key for key in signature(sheet).parameters if key != "mechanism" and getattr(args, key) is not None]
    made: InstructionSheet = sheet_of_survey(
        survey, name, device=args.device, **{key: getattr(args, key) for key in names}
    )
    return made


def _deal(args: argparse.Namespace) -> int:
    """Shuffle the deck, and print or write the cards in the order in which they are dealt."""
    from rropt_fieldwork.sheets.card_sheets import deal_cards

    require_taken(args, "sheet --deal", beside="mechanism question deal deck n people print output")
    printed = vars(args)["print"]
    if printed is None:
        refuse_given(args.typed, "only --print writes an instruction", "question")
    dealt = deal_cards(_deck(args), _lines_of(args.people, "names"))
    if args.output is not None:
        args.pending.put(PrivateFile(args.output), dealt.to_csv(), "the cards")
    if printed is not None:
        args.pending.put(printed, dealt.page(args.question or ""), "the page")
    if args.json:
        print_json({"result": "DealtCards"} | dealt.to_dict() | ({} if args.output is None else {"cards": args.output}))
    elif args.output is None and printed is None:
        sys.stdout.write(dealt.to_csv())
    for remark in dealt.remarks():
        print_note(f"rropt: {remark}")
    return 0


def _deck(args: argparse.Namespace) -> DealtDeck:
    from rropt.accounting import DealtDeck

    if (args.deck is None) == (args.mechanism is None):
        raise InvalidParameterError("the deck is not given exactly once: give --deck C1,..,CL, or MECHANISM")
    if args.deck is not None:
        require_taken(args, "--deck", beside="question deal deck people print output")
        return DealtDeck(args.deck)
    if args.n is None:
        raise InvalidParameterError("MECHANISM gives proportions only: received no --n; give their number")
    return DealtDeck.of(read_mechanism(args.mechanism), args.n)


def _lines_of(path: str | None, what: str) -> list[str] | None:
    """Return the lines of a file that are not empty; ``None`` without a file."""
    from rropt.core.files import read_text

    if path is None:
        return None
    return [name.strip() for name in read_text(path, what=what).splitlines() if name.strip()]
