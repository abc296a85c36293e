"""``rropt laplace``: a count, a sum or a histogram with exactly drawn noise; its privacy and accuracy."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import CRITERION_HELP, add_json, add_level, criterion_record, read_level, whole_number
from rropt.cli.output import Secret, note, print_json, print_table
from rropt.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError, shown

if TYPE_CHECKING:
    from rropt.exact import Epsilon
    from rropt.mechanisms import DiscreteLaplace, Laplace, Sensitivity

_DIGITS = 30  # of an enclosure in --json
_SHOWN = 7  # digits for people
_ERRORS = {"linf": "largest error", "l1": "sum of errors", "l2": "Euclidean error"}

_DESCRIPTION = f"""\
The Laplace mechanism: a collector who knows all true answers releases a count, a sum or a
histogram with noise. Its sensitivity, epsilon, delta, variance and accuracy; --release adds
the noise, drawn exactly (discrete Laplace) with the operating system's randomness.
Neighbours differ in one person's data (substitution), or in one person's presence.

{CRITERION_HELP}"""

_EPILOG = """\
examples:
  rropt laplace --epsilon 1/2                                  # a count: how accurate?
  rropt laplace --epsilon 1/2 --release 831                    # released once; - reads it from stdin
  rropt laplace --epsilon 1 --histogram 3 --release 10,20,30
  rropt laplace --epsilon 1 --sum 0,100 --step 1/2 --at 1/2 --threshold 250"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    add_level(parser, delta=False)
    query = parser.add_mutually_exclusive_group()
    query.add_argument("--count", action="store_true", help="a number of people (the default)")
    query.add_argument("--sum", metavar="LOW,HIGH", help="a sum of values in [LOW, HIGH], multiples of --step")
    query.add_argument("--histogram", metavar="K", help="counts of K cells, of which each person is in one")
    query.add_argument("--sensitivity", metavar="D", help="a query of this sensitivity in the l1 norm")
    parser.add_argument("--dimension", metavar="K", help="beside --sensitivity: how many numbers it is (default: 1)")
    parser.add_argument(
        "--neighbours", choices=("substitution", "add-remove"), default="substitution", help="default: substitution"
    )
    parser.add_argument("--step", metavar="G", default="1", help="all values are multiples of it (default: 1)")
    parser.add_argument("--confidence", metavar="C", default="0.95", help="of the accuracy (default: 0.95)")
    parser.add_argument("--threshold", metavar="T", help="also Pr(error >= T)")
    parser.add_argument("--at", metavar="E", help="also the least delta at this smaller epsilon")
    parser.add_argument(
        "--release", metavar="V,..", type=Secret, help="add the noise to these true values; - reads them from stdin"
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Say what the noise does, and add it."""
    from rropt.mechanisms import DiscreteLaplace, Laplace
    from rropt.sampling.discrete_noise import DiscreteNoise

    sensitivity = _sensitivity(args)
    epsilon, _ = read_level(args)
    noise = DiscreteLaplace(sensitivity, epsilon, args.step)
    released = None if args.release is None else DiscreteNoise(noise).release(_values(args.release))
    laws = {"discrete": _record(noise, args), "continuous": _record(Laplace(sensitivity, epsilon), args)}
    if args.json:
        print_json(
            {
                "query": sensitivity.what,
                "neighbours": sensitivity.neighbours,
                "sensitivity": str(sensitivity.l1),
                "dimension": sensitivity.dimension,
                "epsilon": str(epsilon),
                "step": str(noise.step),
                **{name: _json(record) for name, record in laws.items()},
                "released": None if released is None else [str(value) for value in released],
                **criterion_record(args),
            }
        )
        return 0
    _print(sensitivity, epsilon, laws, args.confidence)
    if released is not None:
        print_table([("released", ", ".join(map(str, released)))])
        note("rropt: publish this release only: every further one of the same data spends epsilon again")
    return 0


def _sensitivity(args: argparse.Namespace) -> Sensitivity:
    from rropt.mechanisms import Sensitivity

    if args.dimension is not None and args.sensitivity is None:
        raise InvalidParameterError(
            "--dimension belongs to a sensitivity given by hand: received no --sensitivity; leave it out"
        )
    if args.sum is not None:
        low, comma, high = args.sum.partition(",")
        if not comma:
            raise InvalidParameterError(f"--sum is no interval: received {shown(args.sum)}; allowed is LOW,HIGH")
        return Sensitivity.total(low, high, args.neighbours)
    if args.histogram is not None:
        return Sensitivity.histogram(whole_number(args.histogram, "--histogram", 2, 10_000), args.neighbours)
    if args.sensitivity is not None:
        dimension = 1 if args.dimension is None else whole_number(args.dimension, "--dimension", 1, 10_000)
        return Sensitivity.given(args.sensitivity, dimension, args.neighbours)
    return Sensitivity.count(args.neighbours)


def _values(text: str) -> list[str]:
    if text != "-":
        return text.split(",")
    try:
        return sys.stdin.read(1 << 20).replace(",", " ").split()
    except UnicodeDecodeError:  # its own message shows the bytes
        raise FileFormatError("the values are not text: standard input is not UTF-8; write numbers") from None


def _record(noise: DiscreteLaplace | Laplace, args: argparse.Namespace) -> dict[str, Any]:
    """Return what a law of noise says of privacy and accuracy."""
    from rropt.exact import rational_where
    from rropt.mechanisms.laplace import NORMS

    beta = 1 - rational_where(args.confidence, lambda c: 0 < c < 1, "0 < confidence < 1", name="confidence")
    norms = NORMS if noise.dimension > 1 else NORMS[:1]
    record: dict[str, Any] = {"variance": noise.variance(), "accuracy": {}}
    if args.at is not None:
        record["delta"] = noise.delta(args.at)
    if args.threshold is not None:
        record["tail"] = {}
    for norm in norms:
        try:
            record["accuracy"][norm] = noise.accuracy(beta, norm)
            if args.threshold is not None:
                record["tail"][norm] = noise.tail(args.threshold, norm)
        except UnsupportedProblemError as error:
            note(f"remark: {error}")
    return record


def _json(record: Any) -> Any:
    from rropt.exact import Bracket
    from rropt.exact.display import decimal_outwards

    if isinstance(record, dict):
        return {key: _json(value) for key, value in record.items()}
    if isinstance(record, Bracket) and not record.is_exact:
        ends = zip(("lower", "upper"), record, strict=True)
        return {name: decimal_outwards(end, up=name == "upper", digits=_DIGITS) for name, end in ends}
    return str(record.upper if isinstance(record, Bracket) else record)


def _print(sensitivity: Sensitivity, epsilon: Epsilon, laws: dict[str, dict[str, Any]], confidence: str) -> None:
    from rropt.exact import both_texts

    several = sensitivity.dimension > 1
    kinds = {"accuracy": f"{{}} at most, with confidence {confidence}", "tail": "Pr({} >= T)"}
    rows = [("variance" + " of each number" * several, *(_text(record["variance"]) for record in laws.values()))]
    for kind, said in kinds.items():
        for norm, words in _ERRORS.items():
            if any(norm in record.get(kind, {}) for record in laws.values()):
                words = words if several else "error"
                rows.append((said.format(words), *(_text(record.get(kind, {}).get(norm)) for record in laws.values())))
    if "delta" in laws["discrete"]:
        rows.append(("delta at the smaller epsilon", *(_text(record["delta"]) for record in laws.values())))
    moves = f"sensitivity {sensitivity.l1} by {sensitivity.neighbours}"
    title = f"Laplace noise on {sensitivity.what}: {moves}, epsilon = {both_texts(epsilon, 6)}"
    print_table(rows, title=title, header=("", "discrete, drawn exactly", "continuous, the formula"))


def _text(value: Any) -> str:
    from rropt.exact import Bracket, both_texts, telling_decimal
    from rropt.exact.display import decimal_outwards

    if value is None:
        return "not computed"
    if not isinstance(value, Bracket):  # an accuracy
        return decimal_outwards(value, up=True, digits=_SHOWN)
    return both_texts(value.lower, _SHOWN) if value.is_exact else f"~{telling_decimal(value.lower)}"
