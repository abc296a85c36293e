"""Options of files with a row for each respondent, and ``rropt estimate`` of one question or by groups from them."""

from __future__ import annotations

import argparse
import csv
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import read_mechanism, whole_number
from rropt.cli.output import note, print_json, print_table, say_remarks
from rropt.errors import InvalidParameterError

if TYPE_CHECKING:
    from rropt.responses.counting import Asked


def sampling_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return how respondents were drawn, as ``estimate_table`` takes it; nothing of a simple sample."""
    given = (args.weights, args.strata, args.clusters, args.fpc, args.post_strata)
    if given == (None,) * len(given) and args.lonely == "refuse":
        return {}
    return {
        "weights": args.weights,
        "strata": args.strata,
        "clusters": args.clusters,
        "fpc": names_of(args.fpc),
        "post_strata": names_of(args.post_strata),
        "lonely": args.lonely,
        "marginals": 1 if args.marginals is None else whole_number(args.marginals, "marginals", 1),
    }


def require_answers(args: argparse.Namespace) -> None:
    """Refuse answers without a mechanism, with two, or with options of a file where there is none."""
    from rropt.responses.devices import require_one_device

    require_one_device(args.mechanism, args.devices)
    args.read = None
    of_files = ["column", "columns", "categories", "missing", "by", "devices", "device_file", "engine"]
    of_files += ["weights", "strata", "clusters", "fpc", "post_strata"]
    given = [name for name in of_files if getattr(args, name) is not None] + ["exclude_missing"] * args.exclude_missing
    if given and args.data is None:
        raise InvalidParameterError(
            f"--{given[0].replace('_', '-')} belongs to a file of answers: received no DATA; name a file, or - for "
            "standard input"
        )
    named = args.devices is not None or args.by is not None or bool(sampling_of(args))
    if named and args.column is None and args.columns is None:
        raise InvalidParameterError(
            "--devices, --by and the options of complex surveys are names of columns: received one without --column or "
            "--columns; give the columns of the questions"
        )


def asked_of(args: argparse.Namespace, questions: int | None = None) -> Asked:
    """Return what is to be counted.

    Args:
        args: of the command.
        questions: of a mechanism; ``None``: as many as columns are named.
    """
    from rropt.responses.counting import Asked, checked_categories

    if args.column is not None and args.columns is not None:
        raise InvalidParameterError(
            "the questions are named twice: received --column and --columns; allowed is one of them"
        )
    columns = (args.column,) if args.column is not None else names_of(args.columns)
    if questions is not None and columns and len(columns) != questions:
        raise InvalidParameterError(
            f"--columns do not fit the mechanism: received {len(columns)} names; allowed are {questions}, one for each "
            "question"
        )
    return Asked(
        columns,
        len(columns) or questions or 1,
        checked_categories(names_of(args.categories) or None),
        None if args.missing is None else tuple(args.missing),
        names_of(getattr(args, "by", None)),
        getattr(args, "devices", None),
    )


def names_of(text: str | None) -> tuple[str, ...]:
    """Return names that are separated by commas; one with a comma stands in quotation marks."""
    return () if text is None else tuple(name.strip() for name in next(csv.reader([text]), []))


def print_groups(args: argparse.Namespace) -> int:
    """Estimate each question in each group, and print."""
    from rropt.responses import estimate_table
    from rropt.responses.devices import load_devices

    sampling = sampling_of(args)
    others = [args.counts, args.yes, args.n, args.contrast, args.reference, args.certificate]
    if others != [None] * len(others) or (args.marginals is not None and not sampling):
        raise InvalidParameterError(
            "the questions are estimated one by one here: received --counts, --yes, --n, --marginals, --contrast, "
            "--reference or --certificate beside --by, --column or a complex survey; leave it out, or give --columns "
            "alone"
        )
    asked = asked_of(args)
    found = estimate_table(
        args.data,
        asked.columns,
        None if args.mechanism is None else read_mechanism(args.mechanism),
        devices=asked.devices,
        device_names=load_devices(args.device_file, args.devices),
        categories=asked.categories,
        by=asked.by,
        missing=asked.missing,
        exclude_missing=args.exclude_missing,
        confidence=args.confidence,
        engine=args.engine or "duckdb",
        **sampling,
    )
    if args.json:
        print_json(found.to_dict())
        return 0
    for title, header, rows in found.tables():
        print_table(rows, title=title, header=header)
    say_remarks(found)
    return 0


def read_one(args: argparse.Namespace) -> tuple[int, ...]:
    """Return the counts of one question; ``args.read`` is what was read."""
    from rropt.responses import read_answers

    answers, args.read = read_answers(
        args.data,
        asked_of(args, 1),
        read_mechanism(args.mechanism),
        exclude_missing=args.exclude_missing,
        engine=args.engine or "duckdb",
    )
    return tuple(answers[0].histogram().tolist())


def read_record(args: argparse.Namespace) -> dict[str, Any]:
    """Return what was read, for JSON; nothing where there was no file."""
    return {} if args.read is None else {"read": args.read.to_dict()}


def note_read(args: argparse.Namespace) -> None:
    """Say what was read, on standard error."""
    if args.read is not None:
        note(f"rropt: read {args.read.text()}")
        for remark in args.read.remarks:
            note(f"remark: {remark}")
