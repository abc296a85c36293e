"""``rropt count``: count the responses of one machine, and add the counts of many machines."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rropt.cli import options
from rropt.cli.arguments import call_library, names, require_taken
from rropt.cli.command import Command, Flag, Option
from rropt.cli.output import print_note, print_result, progress_bar
from rropt.cli.pending import InputFile, OutputFile
from rropt.core.errors import InvalidParameterError
from rropt.core.exact import as_text, exact_confidence
from rropt.core.visible import all_of, with_noun
from rropt_fieldwork.commands.table_reader import reading, table_of
from rropt_fieldwork.reading.reading_options import PLACE

if TYPE_CHECKING:
    from rropt_fieldwork.counts import AggregatedCounts

_READ = ("engine", *PLACE, "unweighted")

COMMAND = Command(
    """\
Count the responses of one mechanism. Each line of DATA is one response: the number of an output
or of a block; for a set, its categories joined by &, or k characters 0 and 1. For sets and
blocks the command counts memberships: for each category, the number of responses that contain
it. Memberships determine the unbiased estimate and its variances, but not the likelihood.

The file of counts contains the mechanism and its hash, the number of responses, and an
identifier of this part of the data (by default a hash of DATA). --add adds such files; it refuses
counts of different mechanisms, and a part (shard) that is given twice. "rropt estimate" estimates
from one of them.

--exceeding THETA also lists the categories whose proportion is above THETA, for counts of
memberships. DATA may then be one file of counts.

With --column DATA is a table, as for "rropt estimate".""",
    epilog="""\
examples:
  rropt count responses.txt --mechanism mechanism.json --output part1.json
  rropt count responses.txt --mechanism warner:3/4 --shard monday --json
  rropt count survey.csv --column q1 --mechanism warner:3/4 --categories no,yes
  rropt count --add monday.json tuesday.json --output all.json
the categories that more than 1 % of the respondents have
  rropt count all.json --exceeding 1/100""",
    arguments=(
        Option(
            "data",
            "DATA",
            help=(
                "a text file, one response in each line; with --column a table (CSV, JSON, Parquet, Excel and "
                "more); - reads standard input. With --add or --exceeding: files of counts"
            ),
            nargs="+",
            type=InputFile,
        ),
        options.MECHANISM,
        options.TRANSPOSED_MECHANISM,
        Option("--shard", "NAME", help="name of this part of the data (default: 16 digits of the SHA-256 of DATA)"),
        Option("--column", "NAME", help="column of the responses in a table"),
        Option(
            "--categories",
            "A,B,..",
            help=(
                "names in the responses, in the order of the mechanism: of the categories of its sets, else of its "
                "outputs (default: those of the mechanism, else numbers)"
            ),
            type=names,
        ),
        *reading(*_READ, goes_with="--column"),
        Flag("--add", help="add the counts of files that this command wrote"),
        Option(
            "--exceeding",
            "THETA",
            help=(
                "for counts of memberships: list the categories whose proportion exceeds THETA, with p-values; the "
                "familywise error rate is one minus the confidence level"
            ),
        ),
        Option(
            "--confidence",
            "C",
            help="confidence level of that list and of its intervals (default: 0.95)",
            goes_with="--exceeding",
        ),
        Option("--output", "FILE", help="write the counts to FILE", type=OutputFile),
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Count the responses, or add counts; print the counts and the categories above a proportion, and write them."""
    from rropt.mechanisms import ProductMechanism
    from rropt_fieldwork.counts import merge
    from rropt_fieldwork.from_tables.counted_responses import count
    from rropt_fieldwork.reading.formats import is_counts

    if args.add or (args.exceeding is not None and args.mechanism is None and all(map(is_counts, args.data))):
        require_taken(
            args, f"count {'--add' * args.add or 'FILE'}", merge, beside="data add output exceeding confidence"
        )
        if not args.add and len(args.data) > 1:
            received = with_noun(len(args.data), "file")
            raise InvalidParameterError(f"counts are given twice: received {received}; add them with --add")
        found = merge(args.data)
    else:
        if len(args.data) > 1 or args.mechanism is None:
            received = "no mechanism" if args.mechanism is None else f"{len(args.data)} files"
            raise InvalidParameterError(
                f"responses are counted from one file with its mechanism: received {received}; give `--mechanism M` "
                "and one file, or add the counts of several files with `--add`"
            )
        with progress_bar("counting") as advance:
            args.data = args.data[0]
            found = call_library(count, args, data=table_of(args, *_READ), progress=advance)
        several = len(found.mechanism.factors) if isinstance(found.mechanism, ProductMechanism) else 1
        if args.column is not None and several > 1:
            print_note(
                f"remark: {args.column} is counted as one output of {all_of(several, 'questions')} "
                "together; columns with a response to each question are read by `rropt estimate --columns`"
            )
    if args.output is not None:
        args.pending.put(args.output, found.to_json() + "\n", "counts")
    tables, beside = _above(args, found)
    print_result(args, found, title="Counts of responses", tables=tables, **beside)
    return 0


def _above(args: argparse.Namespace, found: AggregatedCounts) -> tuple[list[Any], dict[str, Any]]:
    """Return the tables and the keys for the categories above a proportion; none if they are not asked for."""
    if args.exceeding is None:
        return [], {}
    from rropt_fieldwork.counts import heavy_hitters

    level = 1 - exact_confidence("0.95" if args.confidence is None else args.confidence)
    above = heavy_hitters(found, args.exceeding, level=level)
    _, header, rows = above.as_tables()[0]
    tables = [(f"Categories above {args.exceeding}", header, rows), ("", None, [("tested", *above.remarks())])]
    return tables, {"exceeding": {**above.to_dict(), "threshold": args.exceeding, "level": as_text(level)}}
