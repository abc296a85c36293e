"""The reader of tables: what ``rropt estimate``, ``regress`` and ``noncompliance`` ask of FILE, and of survey.toml.

It declares the options of reading, fills in what a survey declares in the place of options that are not typed, and
returns the estimates of tables. The command line finds it as the reader ``tables`` (``rropt.cli.installed_readers``).
"""

from __future__ import annotations

import argparse
import errno
import os
import re
import shlex
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import (
    arms_of,
    call_library,
    categories_of,
    columns_of,
    mechanism_of_part,
    names,
    pair,
    read_mechanism,
    require_taken,
    whole,
    whole_number,
)
from rropt.cli.command import Flag, Option
from rropt.cli.output import print_note, record
from rropt.core.errors import InvalidParameterError, refuse_given, shown
from rropt.core.normal_form import named_in
from rropt_fieldwork.reading.reading_options import DECLARED, OPTIONS, Reading

if TYPE_CHECKING:
    from rropt.answers import TableReading
    from rropt.inference import Estimate
    from rropt.mechanisms import Mechanism
    from rropt.noncompliance import Sample
    from rropt_fieldwork.declaration.survey_declaration import Survey
    from rropt_fieldwork.reading.counting import CountRequest
    from rropt_fieldwork.reading.table import Table


def reading(*only: str, goes_with: str = "DATA", is_own: bool = False) -> tuple[Option | Flag, ...]:
    """Return the options that state how DATA are read: those of ``Reading``, all of them or some.

    Args:
        only: the fields of the record; none: all.
        goes_with: the argument without which they are not typed.
        is_own: whether the help of the command has their lines, as that of ``rropt read`` has.
    """
    found: list[Option | Flag] = []
    for one in fields(Reading):
        if one.name not in (only or OPTIONS):
            continue
        how, name = one.metadata, f"--{one.name.replace('_', '-')}"
        if not how["form"]:
            found.append(Flag(name, help=how["help"], goes_with=goes_with, is_reading=not is_own))
            continue
        kind = {"list": names, "count": whole(1, 100)}.get(how.get("kind", ""))
        more: dict[str, Any] = (
            {"nargs": "+"} if how.get("many") == "words" else {"repeated": True} if how.get("many") else {}
        )
        more |= {"is_reading": not is_own, "goes_with": goes_with}
        found.append(Option(name, how["form"], help=how["help"], type=kind, **more))
    return tuple(found)


# Options that override what is declared under the same name.
_OVERRIDING = (*DECLARED, "weights", "strata", "clusters", "fpc", "post_strata", "by", "single_psu", "replicates")
_OF_COUNTS = ("yes", "n", "counts", "sample", "versus")  # options that take the place of DATA


def read_declaration(args: argparse.Namespace) -> Survey:
    """Return the survey of ``--survey``, or of survey.toml in this folder."""
    from rropt_fieldwork.declaration.survey_declaration import Survey
    from rropt_fieldwork.declaration.toml import FILE

    if args.survey is None and not os.path.lexists(FILE):
        raise InvalidParameterError(
            f"there is no {FILE} here: write one with rropt survey init DATA, or give --survey FILE"
        )
    return Survey.read(args.survey or FILE)


def declared_question(
    args: argparse.Namespace, word: str | None, *, or_else: bool = False
) -> tuple[Survey, str] | None:
    """Return the survey and the name of the question that a command names; ``None`` if it names none.

    Args:
        args: the arguments of the command.
        word: the name of a question.
        or_else: whether the word may be something else, such as a mechanism, where ``--survey`` is not given.

    Raises:
        InvalidParameterError: the survey declares no such question.
    """
    if args.survey is None and word is None:
        return None
    from rropt_fieldwork.declaration.toml import FILE

    if args.survey is None and not os.path.lexists(FILE):
        return None
    survey = read_declaration(args)
    if args.survey is None and named_in(str(word), survey.questions) is None:
        if or_else:
            return None
        told = "no question" if os.path.lexists(str(word)) else "no file, and no question"
        raise InvalidParameterError(
            f"{shown(word)} is {told} of {FILE}: {survey.declared_names()}; name one, or a file"
        )
    return survey, survey.question_named(word)[0]


def declare(args: argparse.Namespace) -> None:
    """Fill in what is declared of the question that is named instead of DATA.

    ``args.data``, ``args.column`` and the options of the data become those of the survey where they are not given,
    and ``args.device_names`` maps the names of devices to mechanisms.
    """
    if args.survey is not None:
        refuse_given(args.typed, "a survey has the data", *_OF_COUNTS)
    words = [args.data] if isinstance(args.data, str) else list(args.data or [])
    is_data = [args.glob or word == "-" or "://" in word or os.path.lexists(word) for word in words]
    word = words[0] if is_data == [False] else None
    is_asked = args.survey is not None
    for each in words:
        if each.endswith(".toml"):
            raise InvalidParameterError(
                f"{shown(each)} declares a survey, and is no data: name a question of it in place of DATA, and give "
                f"--survey {shown(each)}"
            )
    if not words and {"mechanism", "devices", "survey", *_OF_COUNTS}.isdisjoint(args.typed):
        _refuse_no_question(args)
    named = getattr(args, "column", None) if is_asked and word is None else word
    if is_asked and named is None and getattr(args, "columns", None):
        _refuse_columns(args)
    asked = declared_question(args, named) if is_asked or named is not None else None
    if asked is None:
        return
    survey, name = asked
    if word is not None:
        refuse_given(args.typed, "the survey declares the column of a question", "column", "columns")
    args.data = None if word is not None else args.data
    fill(args, survey, name)


def _refuse_columns(args: argparse.Namespace) -> None:
    """Refuse ``--columns`` beside ``--survey``: a survey declares single questions, and ``--column`` names one."""
    asked = read_declaration(args).questions
    name = next((name for each in args.columns if (name := named_in(each, asked)) is not None), "QUESTION")
    raise InvalidParameterError(
        f"--columns name no question of a survey: received {shown(','.join(args.columns))}; give one question at a "
        f"time, with --column {shlex.quote(name)}, or leave --survey out"
    )


def _refuse_no_question(args: argparse.Namespace) -> None:
    """Refuse a declaration of which no question is named."""
    from rropt_fieldwork.declaration.toml import FILE

    if os.path.lexists(FILE):
        names = read_declaration(args).declared_names()
        raise InvalidParameterError(f"no question of {FILE} is named: {names}; name one, or give DATA")


def fill(args: argparse.Namespace, survey: Survey, name: str) -> None:
    """Fill in what a survey declares of a question where no option is given, and name what options override."""
    from rropt_fieldwork.reading.device_columns import load_devices

    given = {key: getattr(args, key) for key in _OVERRIDING if key in args.typed}
    mechanism, transposed = getattr(args, "mechanism", None), getattr(args, "transposed", False)
    given["mechanism"] = read_mechanism(mechanism, transposed=transposed) if isinstance(mechanism, str) else mechanism
    given["device_names"] = load_devices(args.device_file, args.devices) if getattr(args, "device_file", None) else None
    args.column, args.columns = name, None
    given["categories"] = categories_of(args)
    if args.data:
        given["data"] = args.data
    device = getattr(args, "devices", None)
    needs_data = args.typed.isdisjoint(_OF_COUNTS)
    found = survey.arguments(name, device=None if given["device_names"] else device, needs_data=needs_data, **given)
    if given["device_names"]:
        found["devices"] = device
    if "devices" in found and "devices" not in vars(args):
        raise InvalidParameterError(
            f"respondents have several devices: received {shown(', '.join(found['device_names']))}; give --mechanism M"
        )
    own = survey.question_named(name)[1]
    replaced = {"data": own.file, "mechanism": own.device, "categories": own.categories}
    replaced |= {key: getattr(own, key) for key in _OVERRIDING}
    overridden = [
        f"{args.spelled[key]} is given, and comes before what the survey declares"
        for key, value in replaced.items()
        if value is not None and given.get(key) is not None
    ]
    for key in found:
        if key == "categories":
            args.categories = [found[key]]
        elif key == "data":
            args.data = [found[key]] if isinstance(found[key], str) else found[key]
        elif key != "columns" and (key in vars(args) or key == "device_names"):
            setattr(args, key, found[key])
    for text in args.data or ():
        args.pending.reads("DATA", text)
    for remark in overridden:
        print_note(f"rropt: {remark}")
    named = None if mechanism is not None else getattr(found.get("mechanism"), "name", None)
    told = {**survey.described(name, given.get("where")), **({"remarks": overridden} if overridden else {})}
    args.wording = told.get("question")
    record(column=name, mechanism=named, survey=told)


def hint() -> str:
    """Return the words about a survey that is declared in this folder, for a command without FILE."""
    from rropt_fieldwork.declaration.toml import FILE

    return beside(f" and give the name of a question that {FILE} declares")


def beside(words: str) -> str:
    """Return words that are true where a survey is declared in this folder; elsewhere an empty text."""
    from rropt_fieldwork.declaration.toml import FILE

    return words * os.path.lexists(FILE)


def read_data(args: argparse.Namespace) -> None:
    """Replace file patterns by the matching files, and a list of one path by the path.

    Raises:
        FileAccessError: a file does not exist, or no file matches a pattern.
        InvalidParameterError: ``--glob`` is given without a pattern.
    """
    from rropt_fieldwork.reading.inputs import matching_files, unreadable

    given = args.data if isinstance(args.data, list) else [] if args.data is None else [args.data]
    if args.glob and not given:
        raise InvalidParameterError("--glob goes with DATA: received it alone; give the pattern in quotation marks")
    paths = matching_files(given) if args.glob else given
    for path in paths:  # before other mistakes: what is missing may be a file of counts, which needs no more options
        if path != "-" and "://" not in path and not os.path.lexists(path):
            raise unreadable(path, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
    args.data = None if not paths else paths[0] if len(paths) == 1 else paths


def table_of(args: argparse.Namespace, *names: str) -> Table:
    """Return the table that a command reads, and how it is read.

    Args:
        args: the arguments of the command.
        names: the fields of ``Reading`` that are its options; none: all.
    """
    from rropt_fieldwork.reading.table import Table

    given = {name: getattr(args, name, None) for name in names or OPTIONS}
    return Table(args.data, Reading(**{name: value for name, value in given.items() if value not in (None, [])}))


def count_request(
    args: argparse.Namespace, questions: int | None = None, known: tuple[str, ...] | None = None
) -> CountRequest:
    """Return the description of the responses to be counted.

    Args:
        args: the arguments of the command.
        questions: the number of questions of a mechanism; ``None``: the number of named columns.
        known: the names that the data contain if none are given; ``None``: those of the mechanism's responses.
    """
    from rropt_fieldwork.reading.counting import request_of

    more = {"columns": columns_of(args), "questions": questions, "known": known, "categories": categories_of(args)}
    return call_library(request_of, args, **more)  # type: ignore[no-any-return]


def respondent_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of a table of respondents that options stand for: the table, categories, devices and arms.

    The devices by name are those that the survey declares, or those of the file of ``--devices``; JSON repeats them.
    """
    found: dict[str, Any] = {"categories": categories_of(args) if args.categories else None}
    if args.data is None:
        return found
    found["data"] = table_of(args)
    devices = getattr(args, "device_names", None)
    if devices is None and getattr(args, "device_file", None) is not None:
        from rropt_fieldwork.reading.device_columns import load_devices

        devices = load_devices(args.device_file, args.devices)
    if devices:
        found["device_names"] = devices
        record(device_names={name: one.name or one.to_dict() for name, one in devices.items()})
    if getattr(args, "arms", None):
        found["arms"] = arms_of(args)
    return found


def estimate(args: argparse.Namespace) -> tuple[Any, TableReading | None]:
    """Return the estimate that the options of ``rropt estimate`` ask for, and how the table was read."""
    from rropt_fieldwork.from_tables.table_responses import TableResponses
    from rropt_fieldwork.reading.device_columns import require_one_device
    from rropt_fieldwork.reading.formats import is_counts
    from rropt_fieldwork.reading.table_arguments import TableArguments

    args.spelled["joint"] = args.spelled["certificate"]  # only a joint distribution has a certificate
    if is_counts(args.data):
        return _of_counts_file(args), None
    stated = respondent_options(args)
    require_one_device(args.arms if args.mechanism is None else args.mechanism, args.devices)
    if args.data is None:
        raise InvalidParameterError("the responses are not given: received no DATA; give it, or `counts`")
    refuse_given(args.typed, "the data have the responses", "counts", "yes", "n")
    table = stated.pop("data")
    columns = args.column if args.column is not None else tuple(args.columns or ())
    whose = call_library(TableArguments, args, **stated)
    responses = TableResponses.of_arguments(columns, table, args.mechanism, whose)
    found = call_library(responses.chosen, args, joint=args.certificate is not None)
    return found, responses.reading


def _of_counts_file(args: argparse.Namespace) -> Any:
    """Return the estimate from a file of counts, which contains its mechanism."""
    from rropt.estimates.table_estimators import estimate_of_options
    from rropt_fieldwork.counts import estimate_counts
    from rropt_fieldwork.counts.aggregated_counts import counts_of

    refuse = partial(refuse_given, {name for name, value in vars(args).items() if value not in (None, False, [], ())})
    refuse("a file of counts contains its mechanism", "mechanism", "counts", "yes", "n", "column", "columns", "by")
    design = ("weights", "strata", "clusters", "fpc", "post_strata", "replicates", "devices", "arms")
    refuse("a file of counts is not weighted", *design)
    refuse("a file of counts is no table", "categories")
    refuse_given(args.typed, "a file of counts is not weighted", "single_psu")
    table_of(args).require_only("a file of counts is no table")
    found = counts_of(args.data)
    if found.counted != "memberships":
        own = {"mechanism": found.mechanism, "counts": found.counts, "joint": args.certificate is not None}
        return call_library(estimate_of_options, args, **own)
    others = ("population", "reference", "contrast", "marginals", "certificate", "test")
    refuse("counts of memberships are of one question, with one kind of interval", *others)
    return estimate_counts(found, confidence=args.confidence)


def regress(args: argparse.Namespace, covariates: dict[str, Mechanism]) -> Any:
    """Return the regression that the options of ``rropt regress`` ask for."""
    from rropt_fieldwork.from_tables.regressing import RegressionArguments, fit_of_table

    more = {"covariates": covariates or None, **respondent_options(args)}
    return fit_of_table(call_library(RegressionArguments, args, **more))


def covariates(args: argparse.Namespace, found: Any) -> Any:
    """Return the covariates of a regression in the file of ``--predict``."""
    from rropt_fieldwork.from_tables.regressing import covariates_of_table
    from rropt_fieldwork.reading.table import Table

    rows = Table(args.predict, Reading(decimal_mark=args.decimal_mark, thousands_mark=args.thousands_mark))
    return covariates_of_table(found, rows)


def compare_with_direct(args: argparse.Namespace, found: Estimate) -> Any:
    """Return the comparison with respondents who were asked directly."""
    from rropt.mechanisms import Mechanism
    from rropt_fieldwork.costs.direct_questions import compare_with_direct as compared
    from rropt_fieldwork.reading.device_columns import counts_by_device

    args.spelled |= dict.fromkeys(("direct_yes", "direct_n"), "--direct")
    if not re.fullmatch(r"[\d\s,;]+", args.direct_responses):
        if args.column is None:
            raise InvalidParameterError("--direct is a column: give --column of the randomized responses, or Y,N")
        if args.data == "-" or (isinstance(args.data, str) and Path(args.data).is_fifo()):
            raise InvalidParameterError(
                "--direct COLUMN reads the data twice: received a pipe; save it as a file, or give Y,N"
            )
        own = count_request(args, 1)
        asked = replace(own, columns=(args.direct_responses,), mechanism=Mechanism.binary(1, 1), devices=None)
        work = partial(counts_by_device, asked)
        direct, reading = table_of(args).found(asked.names, work, asked.titles, weights=args.weights)
        ((_, (no, yes)),) = direct
        n = no + yes
        if (both := found.n + n - reading.rows) > 0:
            print_note(f"remark: {both} or more people answered both questions: the test is for different people")
    else:
        given = pair.read(args.direct_responses, option="--direct", form="Y,N")
        yes, n = (whole_number(text, "--direct", 0) for text in given)
    more = {"mechanism": found.mechanism, "counts": found.counts, "reference": found.reference}
    more |= {"direct_yes": yes, "direct_n": n}
    return call_library(compared, args, **more)


def two_samples(args: argparse.Namespace) -> Any:
    """Return the estimates of a two-sample design, and the report on the table."""
    from rropt_fieldwork.from_tables.two_sample_tables import TwoSampleArguments, two_samples_of_table

    own = f"data glob survey column design {' '.join(OPTIONS)}"
    require_taken(args, "noncompliance --design", TwoSampleArguments, beside=own)
    refuse_given(args.typed, "the design is the model", "behaviour")
    if args.column is None:
        raise InvalidParameterError("the responses have no column: received DATA alone; give --column NAME")
    attention, _, other = (args.attention or "").partition("=")
    more = {
        "attention": attention or None,
        "model": args.design,
        **respondent_options(args),
        "attention_mechanism": mechanism_of_part(args, other) if other else None,
    }
    return two_samples_of_table(call_library(TwoSampleArguments, args, **more))


def samples_of_devices(args: argparse.Namespace) -> tuple[list[Sample], TableReading]:
    """Return the samples of the devices of a table, and how it was read."""
    from rropt_fieldwork.from_tables.device_samples import samples_of_table
    from rropt_fieldwork.reading.table_arguments import RespondentArguments

    refuse_given(args.typed, "the data contain the responses", "yes", "n", "counts", "sample")
    if args.column is None:
        raise InvalidParameterError("the responses have no column: received DATA alone; give --column NAME")
    found = respondent_options(args)
    table = found.pop("data")
    whose = RespondentArguments(devices=args.devices, **found)
    samples = samples_of_table(table, args.column, args.mechanism, whose)
    if not args.json and (args.weights, args.strata, args.clusters) != (None, None, None):
        print_note("remark: the bounds count each respondent once: they use no weights, strata or clusters")
    return samples


def report(found: Any, title: str) -> Any:
    """Return the document that describes a result."""
    from rropt_fieldwork.ethics.reporting import report as document

    return document(found, title=title)
