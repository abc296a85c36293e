"""``rropt randomize``: randomize a file of answers by a mechanism, exactly; the true answers are never written."""

from __future__ import annotations

import argparse
import csv
import io
import sys
from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rropt.cli.answer_files import (
    CHUNK,
    bad_line,
    bar,
    columns_of,
    first_line_has,
    lines_of,
    opened,
    position,
    read_questions,
    rows_of,
    unreadable,
)
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

_MOST_NAMES = 1 << 22  # of categories or outputs: half a gigabyte of names


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
        "--columns",
        metavar="A,B,..",
        help="of a product such as bits:3/4*4: DATA has a header, and these are the columns of the questions (without "
        "a header: as many columns as questions)",
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
    if _asks_several(args, mechanism):
        return _randomize_questions(args, mechanism, seed)
    categories, outputs = _names(args, mechanism)
    randomizer = Randomizer(mechanism)
    answers = _read_answers(args.data, args.column, categories)
    with bar("randomizing", answers.size) as advance:
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


def _asks_several(args: argparse.Namespace, mechanism: Mechanism) -> bool:
    """Return whether DATA has a column for each question of a product, rather than its categories by number."""
    from rropt.mechanisms import ProductMechanism

    if not isinstance(mechanism, ProductMechanism) or args.column is not None or args.categories is not None:
        if args.columns is not None:
            raise InvalidParameterError(
                "--columns belong to a product: received them beside one question, --column or --categories; write "
                "--mechanism bits:... and leave these out"
            )
        return False
    questions = len(mechanism.factors)
    return args.columns is not None or (questions > 1 and first_line_has(args.data, questions))


def _randomize_questions(args: argparse.Namespace, mechanism: Mechanism, seed: int | None) -> int:
    """Randomize a file with a column for each question."""
    from rropt.mechanisms import ProductMechanism
    from rropt.sampling import Randomizer

    assert isinstance(mechanism, ProductMechanism)
    sizes = [device.inputs for device in mechanism.factors]
    columns = columns_of(args.columns, len(sizes))
    answers = read_questions(args.data, columns, sizes, missing=False)
    with bar("randomizing", answers.size) as advance:
        randomized = Randomizer(mechanism).randomize_questions(answers, seed=seed, progress=advance)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerows([] if columns is None else [columns])
    writer.writerows(randomized.tolist())
    epsilon = mechanism.epsilon()
    if args.output is not None:
        args.pending.put(args.output, stream.getvalue())
    elif not args.json:
        sys.stdout.write(stream.getvalue())
    if args.json:
        where = randomized.tolist() if args.output is None else args.output
        print_json({"n": len(randomized), "epsilon": str(epsilon), "simulated": args.simulate, "output": where})
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
        with opened(path) as (stream, size), bar("reading", size) as advance:
            for code in _codes(csv.reader(lines_of(stream, advance), strict=True), column, categories):
                codes.append(code)
    except OSError as error:
        raise unreadable(path, error) from None
    except UnicodeDecodeError:  # its own message shows the bytes
        raise FileFormatError(f"data are not text: {shown(path)} is not UTF-8; convert the file") from None
    if not codes:
        raise FileFormatError(f"data are empty: {shown(path)} holds no answer; give one category per line")
    return numpy.frombuffer(codes, dtype=kind)


def _codes(reader: Any, column: str | None, categories: list[str]) -> Iterator[int]:
    code_of = {name: j for j, name in enumerate(categories)}
    rows = rows_of(reader)
    at = 0 if column is None else position(next(rows, []), column)
    for row in rows:
        if column is None and len(row) > 1:
            raise bad_line(
                reader, "has more than one column", "if DATA is CSV with a header, name the column: --column"
            )
        code = code_of.get(row[at].strip()) if at < len(row) else None
        if code is None:
            allowed = shown(", ".join(categories))
            advice = f"allowed are {allowed}; correct it, or see --categories and, if line 1 is a header, --column"
            raise bad_line(reader, "holds no known category", advice)
        yield code


def _values(randomized: NDArray[np.integer[Any]], outputs: list[str]) -> list[Any]:
    """Return the outputs for JSON: numbers, unless they have names."""
    numbered = outputs == _split(None, "", len(outputs))
    return randomized.tolist() if numbered else [outputs[i] for i in randomized.tolist()]


def _csv_text(randomized: NDArray[np.integer[Any]], outputs: list[str], header: str | None) -> str:
    lines = [_csv_line(name) for name in outputs]
    parts = [] if header is None else [_csv_line(header.strip())]
    with bar("writing", randomized.size) as advance:
        for begin in range(0, randomized.size, CHUNK):
            block = randomized[begin : begin + CHUNK].tolist()
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
