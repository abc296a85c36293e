"""``rropt randomize``: randomize a file of answers by a mechanism, exactly; the true answers are never written."""

from __future__ import annotations

import argparse
import io
import sys
from typing import TYPE_CHECKING, Any

from rropt.cli import options
from rropt.cli.arguments import call_library, names, whole
from rropt.cli.command import Command, Flag, Option
from rropt.cli.output import print_json, print_note, progress_bar
from rropt.cli.pending import InputFile, file_or_stream
from rropt.core.errors import InvalidParameterError
from rropt.core.files import Target, require_distinct
from rropt_fieldwork.commands.table_reader import count_request, declare, read_data, reading, table_of
from rropt_fieldwork.reading.reading_options import PLACE

if TYPE_CHECKING:
    from rropt_fieldwork.randomizing.randomized_tables import RandomizedTable, Randomizing

_READ = (*PLACE, "missing", "ignore_case")  # of ``Reading``: true answers are read as they are

COMMAND = Command(
    """\
Replace true answers by randomized responses. Each response has exactly the distribution
of the mechanism's column. It is drawn with the operating system's randomness, without
floating point. Only the responses are written, in a random order of the rows, and either all
of them or none, after a second reading of DATA has confirmed each column. Publish one output
only: every further run over the same answers spends epsilon again.""",
    arguments=(
        Option(
            "data",
            "DATA",
            help=(
                "file with one row for each respondent: CSV, JSON, Parquet, Feather, Excel (.xlsx), Stata, SPSS, "
                "DuckDB or SQLite, also compressed (.gz, .zst, .zip); several files with the same columns, or a "
                "folder of them; - reads standard input. Without --column or --columns the file has no header, "
                "and its columns are the questions. Or the name of a question that survey.toml declares (rropt "
                "survey)"
            ),
            nargs="+",
            type=InputFile,
        ),
        options.SURVEY,
        options.GLOB,
        *reading(*_READ),
        options.MECHANISM,
        options.TRANSPOSED_MECHANISM,
        Option(
            "--output",
            "FILE",
            help=(
                "write to FILE: Parquet if its name ends in .parquet or .pq, otherwise CSV (default, or -: "
                "standard output)"
            ),
            type=file_or_stream,
        ),
        *options.RESPONSES,
        Option(
            "--output-names",
            "A,B,..",
            help=(
                "names of the outputs (default: those of the categories if there are as many, otherwise 0,1,...,m-1)"
            ),
            type=names,
        ),
        Flag(
            "--codes",
            help=(
                "write the number 0,1,...,m-1 of each output, also where the mechanism has names or numbers for the "
                "outputs; rropt estimate reads them with --categories 0,1,...,m-1"
            ),
        ),
        Option(
            "--keep",
            "A,B,..",
            help=(
                'also write these other columns, unchanged (default: none); "*" for all of them. A column that is '
                "equal to the true answers or a code of them is refused, and so is one that determines them, or "
                "follows from them, nearly or by a part of its text; look for others that reveal the true answer, "
                "alone or together"
            ),
            type=names,
        ),
        Option(
            "--keep-anyway",
            "A,B,..",
            help=(
                "write these columns too, although --keep refuses them, for example because everybody may know them; "
                "the remark names those that reveal the true answers"
            ),
            type=names,
            repeated=True,
        ),
        Flag(
            "--keep-order",
            help=(
                "write the rows in the order of DATA (default: in a random order); the order reveals true answers if "
                "DATA are sorted by them, or if it is known who answered when"
            ),
        ),
        Flag("--simulate", help="draw from --seed: reproducible, NOT for real answers", goes_with="--seed"),
        Option("--seed", "S", help="seed of a simulation, an integer >= 0", type=whole(0), goes_with="--simulate"),
        options.JSON,
    ),
)


_MOST_CODES = 4096  # as many outputs have names


def run(args: argparse.Namespace) -> int:
    """Read the true values, randomize them, and write the responses."""
    from rropt_fieldwork.randomizing.randomized_tables import randomize_file
    from rropt_fieldwork.reading.inputs import files_of

    declare(args)
    read_data(args)
    if args.mechanism is None:
        raise InvalidParameterError("a randomization has no mechanism: give --mechanism M, or the name of a question")
    how = _randomizing(args)
    if args.keep == ("*",):
        print_note(
            "rropt: warning: all other columns are written unchanged: a column that contains or implies the true "
            "answer undoes the randomization; name the harmless ones with --keep"
        )
    where: Any = args.output
    if args.output is not None and (target := Target.of(args.output)).is_file:
        require_distinct([("--output", target)], [("DATA", path) for path in files_of(args.data)])
        with progress_bar("randomizing") as advance:
            found = randomize_file(table_of(args, *_READ), args.output, how, progress=advance)
        args.pending.is_written(args.output)
    else:
        found, where = _to_stream(args, how)
    epsilon = args.mechanism.epsilon
    if args.json:
        more: dict[str, Any] = {"keeps_order": True} if args.keep_order else {}
        more |= {"remarks": list(found.remarks)} if found.remarks else {}
        print_json({"n": found.rows, "epsilon": str(epsilon), "simulated": args.simulate, "output": where, **more})
    print_note(f"rropt: {how.remark(epsilon, found.remarks)}")
    return 0


def _randomizing(args: argparse.Namespace) -> Randomizing:
    """Return the randomization that the arguments describe.

    A product mechanism asks several questions, unless a single column or categories are named.
    """
    from rropt_fieldwork.randomizing.randomize_tables import number_of_questions
    from rropt_fieldwork.randomizing.randomized_tables import randomizing_of

    mechanism = args.mechanism
    is_one = args.column is not None or (not args.columns and bool(args.categories))
    questions = number_of_questions(mechanism, of_one=is_one, columns=args.columns or ())
    keep = None if args.keep == ("*",) else args.keep or ()
    anyway = tuple(dict.fromkeys(name for given in args.keep_anyway for name in given))
    if args.codes:
        if args.output_names:
            raise InvalidParameterError("the outputs are named twice: received --codes and --output-names; give one")
        if questions > 1 or mechanism.outputs > _MOST_CODES:
            raise InvalidParameterError(
                f"--codes are of one question with at most {_MOST_CODES} outputs: leave it out, outputs without names "
                "are numbers"
            )
        args.output_names = [str(i) for i in range(mechanism.outputs)]
    asked = count_request(args, questions, mechanism.categories)
    how: Randomizing = call_library(randomizing_of, args, asked=asked, keep=keep, keep_anyway=anyway)
    return how


def _to_stream(args: argparse.Namespace, how: Randomizing) -> tuple[RandomizedTable, Any]:
    """Write CSV to standard output or to a stream, or return the rows for JSON."""
    from rropt_fieldwork.randomizing.output_checks import Written
    from rropt_fieldwork.randomizing.randomized_tables import randomized_csv, randomized_rows

    held: list[Any] = []
    if args.json and args.output is None:

        def hold(relation: Any, _: object) -> Written:
            rows = relation.fetchall()
            held[:] = [row[0] if len(row) == 1 else list(row) for row in rows]
            return Written(rows, relation.types, are_texts=False)

        return randomized_rows(table_of(args, *_READ), how, hold), held
    text = io.StringIO()
    found = randomized_csv(table_of(args, *_READ), how, sys.stdout if args.output is None else text)
    if args.output is not None:
        args.pending.put(args.output, text.getvalue())
    return found, args.output
