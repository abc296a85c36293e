"""Declarations of a survey, in the place of options that are not typed."""

from __future__ import annotations

import argparse
import os
import shlex
from typing import TYPE_CHECKING

from rropt.cli.arguments import categories_of
from rropt.cli.output import print_note, record
from rropt.core.errors import InvalidParameterError, refuse_given, shown
from rropt.core.normal_form import named_in
from rropt.survey.tables.reading_options import DECLARED

if TYPE_CHECKING:
    from rropt.survey import Survey

# Options that override what is declared under the same name.
_OVERRIDING = (*DECLARED, "weights", "strata", "clusters", "fpc", "post_strata", "by", "single_psu", "replicates")
_OF_COUNTS = ("yes", "n", "counts", "sample", "versus")  # options that take the place of DATA


def read_declaration(args: argparse.Namespace) -> Survey:
    """Return the survey of ``--survey``, or of survey.toml in this folder."""
    from rropt.survey.declarations.survey_declaration import Survey
    from rropt.survey.declarations.toml import FILE

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
    from rropt.survey.declarations.toml import FILE

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
    from rropt.survey.declarations.toml import FILE

    if os.path.lexists(FILE):
        names = read_declaration(args).declared_names()
        raise InvalidParameterError(f"no question of {FILE} is named: {names}; name one, or give DATA")


def fill(args: argparse.Namespace, survey: Survey, name: str) -> None:
    """Fill in what a survey declares of a question where no option is given, and name what options override."""
    from rropt.cli.arguments import read_mechanism
    from rropt.survey.tables.device_columns import load_devices

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
