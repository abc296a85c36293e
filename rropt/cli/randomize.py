"""``rropt randomize``: randomize a file of answers by a mechanism, exactly; the true answers are never written."""

from __future__ import annotations

import argparse
import csv
import io
import sys
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from rropt.cli.arguments import add_json, add_mechanism, read_mechanism, whole_number
from rropt.cli.output import OutputFile, note, print_json
from rropt.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rropt.exact import Epsilon
    from rropt.mechanisms import Mechanism

_DESCRIPTION = """\
Randomize answers by a mechanism: every output has exactly the law of the mechanism's
column, drawn with the operating system's randomness and no floating point.
Only the randomized answers are written, whole or not at all. Publish one output only:
every further run over the same answers spends epsilon again."""

_LONGEST_LINE = 1 << 20  # characters; csv itself stops at 131072 in a field
_MOST_NAMES = 1 << 22  # of categories or outputs: half a gigabyte of names
_CHUNK = 1 << 16  # rows between two movements of the progress bar
_LONG = 1 << 22  # bytes or answers: about a second of work, worth a progress bar

Advance = Callable[[int], object]


def _output_file(text: str) -> OutputFile | None:
    return None if text == "-" else OutputFile(text)


def add(randomize: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    randomize.description = _DESCRIPTION
    randomize.add_argument("data", metavar="DATA", help="one category per line, or CSV with --column; - is stdin")
    add_mechanism(randomize, "--mechanism", required=True)
    randomize.add_argument(
        "--output", metavar="FILE", type=_output_file, help="write to FILE (default, or -: standard output)"
    )
    randomize.add_argument(
        "--column", metavar="NAME", help="DATA is CSV with a header: only this column, NAME, is used"
    )
    randomize.add_argument(
        "--categories", metavar="A,B,...", help="names of the categories in DATA, in order (default: 0,1,...,k-1)"
    )
    randomize.add_argument(
        "--outputs",
        metavar="A,B,...",
        help="names of the outputs (default: the categories' if they are as many, else 0,1,...,m-1)",
    )
    randomize.add_argument(
        "--simulate", action="store_true", help="draw from --seed instead: reproducible, NOT for real answers"
    )
    randomize.add_argument("--seed", metavar="S", help="seed of a simulation, an integer >= 0; needs --simulate")
    add_json(randomize)
    randomize.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, randomize, write."""
    from rropt.sampling import Randomizer

    seed, output = _seed(args), args.output
    mechanism = read_mechanism(args.mechanism)
    categories, outputs = _names(args, mechanism)
    randomizer = Randomizer(mechanism)
    answers = _read_answers(args.data, args.column, categories)
    with _bar("randomizing", answers.size) as advance:
        if seed is None:
            randomized = randomizer.randomize_many(answers, progress=advance)
        else:
            randomized = randomizer.simulate_many(answers, seed=seed, progress=advance)
    epsilon = mechanism.epsilon()
    if output is not None:
        args.pending.put(output, _csv_text(randomized, outputs, args.column))
    elif not args.json:
        sys.stdout.write(_csv_text(randomized, outputs, args.column))
    if args.json:
        where = _values(randomized, outputs) if output is None else output
        facts = {"epsilon": str(epsilon), "simulated": args.simulate}
        print_json({"n": randomized.size, **facts, "output": where})
    note(_remark(epsilon, seed))
    return 0


def _seed(args: argparse.Namespace) -> int | None:
    if args.seed is None and not args.simulate:
        return None
    if args.seed is None or not args.simulate:
        given, missing = ("--simulate", "--seed S") if args.seed is None else ("--seed", "--simulate")
        raise InvalidParameterError(
            f"a simulation is not fully asked for: received {given} alone; add {missing} to simulate, "
            f"or leave {given} out to randomize real answers"
        )
    return whole_number(args.seed, "--seed", 0)


def _names(args: argparse.Namespace, mechanism: Mechanism) -> tuple[list[str], list[str]]:
    """Return the names of the categories and of the outputs."""
    m, k = mechanism.shape
    categories = _split(args.categories, "--categories", k)
    if args.outputs is not None or args.categories is None or m != k:
        return categories, _split(args.outputs, "--outputs", m)
    return categories, categories


def _split(text: str | None, option: str, number: int) -> list[str]:
    if number > _MOST_NAMES:
        raise UnsupportedProblemError(
            f"{option} are too many to be named: received a mechanism with {number}; at most {_MOST_NAMES} are; in "
            "Python use Randomizer(mechanism).randomize_questions"
        )
    if text is None:
        return [str(j) for j in range(number)]
    names = [name.strip() for name in next(csv.reader([text]), [])]
    if len(names) != number or len(set(names)) != number or not all(names) or not all(map(str.isprintable, names)):
        raise InvalidParameterError(
            f"{option} does not fit the mechanism: received {shown(text)}; allowed are {number} different names, "
            "separated by commas"
        )
    return names


def _read_answers(path: str, column: str | None, categories: list[str]) -> NDArray[np.unsignedinteger[Any]]:
    """Return the category numbers in a file; an error names a line and never repeats what stands in it."""
    import numpy

    kind = numpy.min_scalar_type(len(categories) - 1)
    codes = array(kind.char)
    try:
        with _opened(path) as (stream, size), _bar("reading", size) as advance:
            for code in _codes(csv.reader(_lines(stream, advance), strict=True), column, categories):
                codes.append(code)
    except OSError as error:
        raise _unreadable(path, error) from None
    except UnicodeDecodeError:  # its own message shows the bytes
        raise FileFormatError(f"data are not text: {shown(path)} is not UTF-8; convert the file") from None
    if not codes:
        raise FileFormatError(f"data are empty: {shown(path)} holds no answer; give one category per line")
    return numpy.frombuffer(codes, dtype=kind)


def _codes(reader: Any, column: str | None, categories: list[str]) -> Iterator[int]:
    code_of = {name: j for j, name in enumerate(categories)}
    rows = _rows(reader)
    at = 0 if column is None else _position(next(rows, []), column)
    for row in rows:
        if column is None and len(row) > 1:
            raise _bad_line(
                reader, "has more than one column", "if DATA is CSV with a header, name the column: --column"
            )
        code = code_of.get(row[at].strip()) if at < len(row) else None
        if code is None:
            allowed = shown(", ".join(categories))
            advice = f"allowed are {allowed}; correct it, or see --categories and, if line 1 is a header, --column"
            raise _bad_line(reader, "holds no known category", advice)
        yield code


def _rows(reader: Any) -> Iterator[list[str]]:
    """Iterate over the rows; blank lines are allowed at the end only, where they are no missing answers."""
    blank = 0
    try:
        for row in reader:
            if not row:
                blank = blank or reader.line_num
                continue
            if blank:
                raise FileFormatError(f"line {blank} of the data is empty: every line must hold an answer; remove it")
            yield row
    except csv.Error:
        raise _bad_line(reader, "is not CSV", "check its quotation marks") from None


def _position(header: list[str], column: str) -> int:
    names = [name.strip() for name in header]
    if names.count(column.strip()) != 1:
        count = "no column" if column.strip() not in names else "more than one column"
        raise InvalidParameterError(
            f"--column does not fit the data: received {shown(column)}, and {count} of line 1 has that name; the "
            "header is not repeated here, since it may hold answers; give the name of one column of a CSV header"
        )
    return names.index(column.strip())


def _bad_line(reader: Any, wrong: str, advice: str) -> FileFormatError:
    return FileFormatError(f"line {reader.line_num} of the data {wrong} (its content is not repeated here): {advice}")


def _unreadable(path: str, error: OSError | ValueError) -> FileFormatError:
    reason = getattr(error, "strerror", None) or "no such file can be"
    return FileFormatError(f"data cannot be read: {shown(path)}: {reason}; name a file, or - for standard input")


@contextmanager
def _opened(path: str) -> Iterator[tuple[TextIO, int | None]]:
    """Open a file, or standard input, as UTF-8 text; also its size in bytes if that is known."""
    if path != "-":
        try:
            stream = Path(path).open(encoding="utf-8-sig", newline="")  # noqa: SIM115  # closed below
        except (OSError, ValueError) as error:  # ValueError: a null character in the path
            raise _unreadable(path, error) from None
        with stream:
            yield stream, Path(path).stat().st_size
        return
    wrapped = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", newline="")
    try:
        yield wrapped, None
    finally:
        wrapped.detach()  # standard input stays open for others


def _lines(stream: TextIO, advance: Advance) -> Iterator[str]:
    read = 0
    for number, line in enumerate(iter(lambda: stream.readline(_LONGEST_LINE), ""), start=1):
        if len(line) == _LONGEST_LINE:
            raise FileFormatError(
                f"line {number} of the data is too long: a line has less than {_LONGEST_LINE} characters"
            )
        read += len(line)
        if number % _CHUNK == 0:
            advance(read)
            read = 0
        yield line


def _values(randomized: NDArray[np.integer[Any]], outputs: list[str]) -> list[Any]:
    """Return the outputs for JSON: numbers, unless they have names."""
    numbered = outputs == _split(None, "", len(outputs))
    return randomized.tolist() if numbered else [outputs[i] for i in randomized.tolist()]


def _csv_text(randomized: NDArray[np.integer[Any]], outputs: list[str], header: str | None) -> str:
    lines = [_csv_line(name) for name in outputs]
    parts = [] if header is None else [_csv_line(header.strip())]
    with _bar("writing", randomized.size) as advance:
        for begin in range(0, randomized.size, _CHUNK):
            block = randomized[begin : begin + _CHUNK].tolist()
            parts.append("".join([lines[i] for i in block]))
            advance(len(block))
    return "".join(parts)


def _csv_line(cell: str) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow([cell])
    return stream.getvalue()


def _remark(epsilon: Epsilon, seed: int | None) -> str:
    from rropt.exact import both_texts

    level = f"epsilon = {both_texts(epsilon)}"
    if seed is not None:
        return f"rropt: SIMULATION from seed {seed}, NOT private and not for real answers; the mechanism's {level}"
    if epsilon.is_infinite:
        return f"rropt: {level}: some outputs exclude a category with certainty (`rropt privacy` tells delta)"
    return f"rropt: {level} for each answer; publish one run only"


@contextmanager
def _bar(title: str, total: int | None) -> Iterator[Advance]:
    """Show a progress bar on standard error if that is a terminal and the work may be long."""
    if not sys.stderr.isatty() or (total is not None and total < _LONG):
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=total)
        yield lambda done: progress.update(task, advance=done)
