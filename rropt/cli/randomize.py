"""``rropt randomize``: randomize a file of answers by a mechanism, exactly; the true answers are never written.

Randomize answers by a mechanism: every output has exactly the law of the mechanism's
column, drawn with the operating system's randomness and no floating point.
Only the randomized answers are written, whole or not at all. Publish one output only:
every further run over the same answers spends epsilon again.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from rropt.cli.answer_files import asked_of
from rropt.cli.output import note, print_json, progress_bar
from rropt.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.files import Target

if TYPE_CHECKING:
    from rropt.mechanisms import Mechanism
    from rropt.responses.randomizing import Randomizing

_MOST_NAMES = 4096  # of categories or outputs that are written out
_BLOCK = 1 << 14  # rows that are written at once

OPTIONS = """
data DATA                 a file with one row for each respondent: CSV, Parquet, Feather or Excel; - is CSV on stdin.
    Without --column or --columns it has no header, and its columns are the questions
--mechanism required
--output >[FILE]          write to FILE, Parquet where its name ends in .parquet, otherwise CSV (default, or -: standard
    output)
ANSWERS
--outputs A,B,..          names of the outputs (default: the categories' if they are as many, else 0,1,...,m-1)
--keep A,B,..             write these other columns too, as they are (default: none)
| --keep-all              write all other columns: look at them, they may hold the true answer
--simulate with --seed    draw from --seed instead: reproducible, NOT for real answers
--seed S:0.. with --simulate  of a simulation, an integer >= 0
--json
"""


def run(args: argparse.Namespace) -> int:
    """Read, randomize, write."""
    from rropt.responses.randomizing import randomize_file

    how = _randomizing(args, args.mechanism)
    if args.keep_all:
        note(
            "rropt: warning: all other columns are written as they are: one that holds the true answer, or from which "
            "it follows, undoes the randomization; name the harmless ones with --keep"
        )
    where: Any = args.output
    if args.output is not None and Target.of(args.output).is_file:
        with progress_bar("randomizing") as advance:
            rows = randomize_file(args.data, args.output, how, progress=advance).rows
    else:
        rows, where = _to_stream(args, how)
    epsilon = args.mechanism.epsilon()
    if args.json:
        print_json({"n": rows, "epsilon": str(epsilon), "simulated": args.simulate, "output": where})
    note(f"rropt: {how.remark(epsilon)}")
    return 0


def _randomizing(args: argparse.Namespace, mechanism: Mechanism) -> Randomizing:
    """Return what is to be done: a product asks several questions unless one column, or categories, are named."""
    from rropt.mechanisms import ProductMechanism
    from rropt.responses.randomizing import randomizing_of

    several = isinstance(mechanism, ProductMechanism) and args.column is None and args.categories is None
    if args.columns is not None and not several:
        raise InvalidParameterError(
            "--columns belong to a product: received them beside one question, --column or --categories; write "
            "--mechanism bits:... and leave these out"
        )
    questions = len(mechanism.factors) if isinstance(mechanism, ProductMechanism) and several else 1
    outputs = _names(args, mechanism) if questions == 1 else None
    keep = None if args.keep_all else args.keep or ()
    return randomizing_of(mechanism, asked_of(args, questions), outputs=outputs, keep=keep, seed=args.seed)


def _names(args: argparse.Namespace, mechanism: Mechanism) -> tuple[str, ...] | None:
    """Return the names of the outputs, ``None`` where they are numbers."""
    m, k = mechanism.shape
    categories = None if args.categories is None else _fitting(args.categories, "--categories", k)
    if args.outputs is not None:
        return _fitting(args.outputs, "--outputs", m)
    return categories if m == k else None


def _fitting(names: tuple[str, ...], option: str, number: int) -> tuple[str, ...]:
    if number > _MOST_NAMES:
        raise UnsupportedProblemError(
            f"{option} are too many to be named: received a mechanism with {number}; at most {_MOST_NAMES} are; write "
            "their numbers, from 0"
        )
    if len(names) != number or len(set(names)) != number or not all(names) or not all(map(str.isprintable, names)):
        raise InvalidParameterError(
            f"{option} does not fit the mechanism: received {shown(','.join(names))}; allowed are {number} different "
            "names, separated by commas"
        )
    return names


def _to_stream(args: argparse.Namespace, how: Randomizing) -> tuple[int, Any]:
    """Write to standard output or a device as CSV, or return the rows for JSON."""
    from rropt.responses.randomizing import randomized_rows

    held: list[Any] = []
    stream = io.StringIO() if args.output is not None else sys.stdout

    def take(columns: Sequence[str], rows: Iterator[tuple[Any, ...]]) -> None:
        if args.json and args.output is None:
            held.extend(row[0] if len(row) == 1 else list(row) for row in rows)
            return
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerows([columns] if columns else [])
        while block := list(islice(rows, _BLOCK)):
            writer.writerows(block)

    reading = randomized_rows(args.data, how, take)
    if args.output is not None:
        assert isinstance(stream, io.StringIO)
        args.pending.put(args.output, stream.getvalue())
        return reading.rows, args.output
    return reading.rows, held
