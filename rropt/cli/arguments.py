"""Arguments of commands: texts become values."""

from __future__ import annotations

import argparse
import csv
import inspect
import os
import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from rropt.cli.command import Value
from rropt.cli.output import print_note_once, record
from rropt.cli.pending import InputFile
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, refuse_given, shown
from rropt.core.exact.numbers import number_advice, split_list

if TYPE_CHECKING:
    from rropt.core.exact import Delta, Epsilon
    from rropt.core.exact.levels import LevelSpan
    from rropt.mechanisms import Mechanism
    from rropt.privacy.criteria import Criterion
    from rropt.privacy.criterion_region import CriterionLevel
    from rropt.privacy.level_arguments import Level

_MOST = 10**15
# Options, and the parameter of the library that each sets where the library uses the word of another option.
PARAMETERS = {
    "behaviour": "model",
    "cards_drawn": "draws",
    "costs": "weights",
    "deck_size": "deck",
    "draws": "budget",
    "effort": "budget",
    "interval": "method",
    "k": "categories",
    "mark": "points",
    "number": "questions",
    "only": "questions",
    "output_names": "outputs",
    "proportions": "population",
    "se": "standard_error",
    "seed": "rng",
    "values": "levels",
}


def call_library(function: Callable[..., Any], args: argparse.Namespace, **more: Any) -> Any:
    """Call a library function with the given options that are parameters of it, and with ``more``."""
    parameters = inspect.signature(function).parameters
    names = {name for name, parameter in parameters.items() if parameter.kind is not parameter.VAR_POSITIONAL}
    values = {PARAMETERS[name]: value for name, value in vars(args).items() if name in PARAMETERS} | vars(args)
    given = {name: value for name, value in values.items() if name in names and value is not None}
    return function(**{**given, **more})


def read_level(args: argparse.Namespace) -> None:
    """Replace ``args.epsilon`` and ``args.delta`` by the exact level; for a criterion they are log B(h) and 0.

    ``args.criterion`` becomes the level of the criterion, or ``None`` without one. If no level is given,
    ``args.epsilon`` is ``None``.
    """
    from rropt.core.exact import Delta, Epsilon
    from rropt.core.exact.display import enclosure_text

    delta = getattr(args, "delta", None)
    if (level := level_of_specs(args)) is not None and level.criterion is None:
        args.epsilon, own = level.one("answers of this command")
        if not hasattr(args, "delta"):
            _require_pure(own, "this command")
        args.delta, args.criterion = own, None
        return
    args.delta = Delta.of("0" if delta is None else delta)
    args.criterion = stated = read_criterion_level(args)
    if args.epsilon is not None or args.gamma is not None:
        args.epsilon = Epsilon.of(args.epsilon) if args.gamma is None else Epsilon.of_gamma(args.gamma)
    elif stated is not None:
        if stated.is_rounded and stated.epsilon == Epsilon.of(0):
            enclosed = enclosure_text(stated.bound.lower, stated.bound.upper)
            raise UnsupportedProblemError(
                f"B(h) could only be enclosed, {enclosed}: a level needs a lower end above 1; rewrite "
                "the function, or give --gamma"
            )
        args.epsilon = stated.epsilon


def read_standard_error(args: argparse.Namespace, name: str = "se") -> None:
    """Set ``args.variance`` where the standard error is written as ``sqrt(V)``: its square is then known exactly."""
    args.variance = None
    found = re.fullmatch(r"sqrt\((.*)\)", (getattr(args, name) or "").strip())
    if found is not None:
        args.variance, args.spelled["variance"] = found[1], args.spelled[name]
        setattr(args, name, None)


def _require_pure(delta: Delta, what: str) -> None:
    """Reject the delta of --level where only delta = 0 is known."""
    if delta != delta.of(0):
        raise InvalidParameterError(
            f"--level has a delta: received {delta}; {what} has delta = 0, so write --level E,0 or --epsilon E"
        )


_LEVEL_FORM = "E,D (or posterior:R1,R2 and the like, or the name of a file)"


def level_of_specs(args: argparse.Namespace) -> Level | None:
    """Return the level that ``--level`` states: several pairs E,D, a file, or one level of another kind.

    It is ``None`` without the option. The level is read once, since a pipe has its text only once.

    Raises:
        InvalidParameterError: a level has another form, or another level stands beside one that is no pair E,D.
    """
    from rropt.privacy.level_arguments import require_no_delta

    if not getattr(args, "level", None):
        return None
    if "level_read" not in vars(args):
        if "delta" in args.typed:
            require_no_delta(args.delta, "beside --level: a level E,D has its own, and a criterion has delta = 0")
        args.level_read = _level_of_texts(args.level)
    found: Level = args.level_read
    return found


def _level_of_texts(specs: Sequence[str]) -> Level:
    from rropt.privacy import level_of_text, levels, pairs
    from rropt.privacy.region_files import load_levels

    alone = next((text for text in specs if ":" in text or os.path.lexists(text)), None)
    if alone is None:
        return levels(*(pair.read(text, option="--level", form=_LEVEL_FORM) for text in specs))
    if len(specs) > 1:
        raise InvalidParameterError(
            f"--level {alone.partition(':')[0]} cannot be combined with other levels: received {len(specs)} levels; "
            "give one"
        )
    if not os.path.lexists(alone):
        return level_of_text(alone)
    rows: Any = load_levels(alone)
    return levels(*rows) if all(isinstance(row, dict) for row in rows) else pairs(rows)


def criterion_of(args: argparse.Namespace) -> Criterion | None:
    """Return the criterion that --level states; ``None`` without one."""
    level = level_of_specs(args)
    return None if level is None else level.criterion


def level_of(args: argparse.Namespace, epsilon: Epsilon | None = None) -> Level:
    """Return the level of the arguments; of a criterion, the level below B(h), or another one that is given."""
    from rropt.core.exact import Delta, Epsilon
    from rropt.privacy.level_arguments import OneLevel

    stated = level_of_specs(args)
    if stated is not None and (epsilon is None or stated.criterion is None):
        return stated
    if epsilon is None:
        epsilon = Epsilon.of(args.epsilon) if args.gamma is None else Epsilon.of_gamma(args.gamma)
    return OneLevel(epsilon, Delta.of(args.delta))


def span_of(args: argparse.Namespace) -> LevelSpan | None:
    """Return the interval of levels that --epsilon or --gamma asks for, or None for other levels.

    Raises:
        InvalidParameterError: an option of every level at once is given with another level.
    """
    from rropt.core.exact.levels import LevelSpan, is_span

    for option, read in (("epsilon", LevelSpan.of), ("gamma", LevelSpan.of_gamma)):
        if is_span(getattr(args, option)):
            return read(getattr(args, option))
    for name in ("at_most", "plot"):
        if getattr(args, name) is not None:
            raise InvalidParameterError(
                f"--{name.replace('_', '-')} belongs to every level at once: write --epsilon all, or --epsilon "
                "LOW..HIGH"
            )
    return None


def read_criterion_level(args: argparse.Namespace) -> CriterionLevel | None:
    """Return the criterion of the arguments with B(h) and its privacy level, or ``None`` without a criterion.

    Raises:
        InvalidParameterError: B(h) is infinite.
    """
    criterion = criterion_of(args)
    return None if criterion is None else _level(criterion)


@lru_cache(maxsize=8)
def _level(criterion: Criterion) -> CriterionLevel:
    """Return the level of a criterion; it is cached, since an enclosure may take seconds."""
    from rropt.privacy.criterion_region import criterion_level

    return criterion_level(criterion)


# the arguments that name mechanisms, alone or as COLUMN=MECHANISM: where one names a file, --transposed is for it
_PARTS = ("mechanism", "mechanisms", "arms", "covariate", "sample", "versus", "design", "attention")


def read_mechanism(text: str, *, transposed: bool = False) -> Mechanism:
    """Return the mechanism of an argument: from the file of that name if it exists, otherwise the named design.

    A remark says how the decimals of a matrix were read.
    """
    from rropt.mechanisms.imports import mechanism_of_argument

    made = mechanism_of_argument(text, transposed=transposed)
    note_rounding(text, made)
    return made


def read_mechanisms(texts: Sequence[str], *, transposed: bool = False, **beside: Any) -> list[Mechanism]:
    """Return the mechanisms of several arguments; ``transposed`` is for the files among them, of which it needs one.

    Args:
        texts: files and named designs.
        transposed: whether the rows of the matrices in files are inputs.
        beside: other arguments of the command, where a file may be named too (``_PARTS``).
    """
    is_one = any(map(os.path.lexists, texts)) or any(map(_names_a_file, beside.values()))
    return [read_mechanism(text, transposed=transposed and (os.path.lexists(text) or not is_one)) for text in texts]


def _mechanism(text: str, *, transposed: bool = False, option: str = "", form: str = "", **beside: Any) -> Mechanism:
    return read_mechanisms([text], transposed=transposed, **beside)[0]


def _names_a_file(value: Any) -> bool:
    """Return whether a file is named in a value, such as ``FILE``, ``COLUMN=FILE`` or ``FILE=C0,..,Cm``."""
    if isinstance(value, (list, tuple)):
        return any(map(_names_a_file, value))
    value = getattr(value, "name", value)  # of a mechanism that was read
    texts = (value, value.partition("=")[2], value.rpartition("=")[0]) if isinstance(value, str) else ()
    return any(text and os.path.lexists(text.strip()) for text in texts)


def mechanism_of_part(args: argparse.Namespace, text: str) -> Mechanism:
    """Return the mechanism of a part of an argument, such as that of ``COLUMN=MECHANISM``."""
    beside = {name: getattr(args, name, None) for name in _PARTS}
    return read_mechanisms([text], transposed=getattr(args, "transposed", False), **beside)[0]


def note_rounding(name: str, mechanism: Mechanism) -> None:
    """Print one remark on how the decimals of a mechanism were read, and store it in the question."""
    if mechanism.rounding is not None:
        print_note_once(f"remark: {shown(name)}: {mechanism.rounding.remark()}")
        record(rounding=mechanism.rounding.to_dict())


_LEVEL = {"epsilon": ("gamma", "criterion", "level"), "counts": ("yes", "n")}


def require_taken(args: argparse.Namespace, what: str, *functions: Callable[..., Any], beside: str = "") -> None:
    """Reject typed options that the functions of a request do not take.

    Args:
        args: the arguments of the command.
        what: the request, as it is typed.
        functions: the functions that are called; a level and counts may be typed in each of their forms.
        beside: further arguments that the request uses, separated by blanks.

    Raises:
        InvalidParameterError: another option is typed.
    """
    names = {name for function in functions for name in inspect.signature(function).parameters}
    names |= {option for option, parameter in PARAMETERS.items() if parameter in names}
    if any(getattr(args, name, None) for name in {"mechanism", "mechanisms"} & {*names, *beside.split()}):
        names.add("transposed")
    taken = {*names, *beside.split(), "json", "exact"} | {form for name in names for form in _LEVEL.get(name, ())}
    refuse_given(args.typed - taken, f"{what} takes no such argument", *sorted(args.spelled))
    if "epsilon" in names and "delta" not in taken and (level := level_of_specs(args)) is not None and level.is_single:
        _require_pure(level.one(what)[1], what)


def read_devices(args: argparse.Namespace) -> None:
    """Split ``--devices``: ``args.devices`` becomes the column that names the device of each respondent.

    ``args.device_file`` becomes the file of ``COLUMN=FILE``. Several ``COLUMN=DEVICE`` are the columns of one question,
    each with its device: ``args.arms``.
    """
    texts = [args.devices] if isinstance(args.devices, str) else args.devices or []
    if not isinstance(args.devices, str | None):  # a command that takes several
        args.arms, args.spelled["arms"] = texts if len(texts) > 1 else None, args.spelled["devices"]
        if len(texts) == 1 and not getattr(args, "covariate", None):
            refuse_given(args.typed, "a column of devices names no matrix", "transposed")
    args.devices = None
    if len(texts) == 1:
        args.devices, mark, file = texts[0].partition("=")
        if ":" in file and not os.path.lexists(file):
            raise InvalidParameterError(
                f"--devices name one column with a device: received {shown(texts[0])}; give the device as --mechanism, "
                "add the other columns of the question, or name a file of devices after ="
            )
        if mark:
            args.device_file = file
            args.pending.reads("--devices", file)


def columns_of(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the columns of the questions; an empty tuple if none are named."""
    column = getattr(args, "column", None)
    return getattr(args, "columns", None) or () if column is None else (column,)


def arms_of(args: argparse.Namespace) -> dict[str, Any] | None:
    """Return the devices of the columns of arms; ``None`` without arms."""
    if isinstance(args.arms, dict):  # as a survey declares them
        return args.arms
    found = {}
    for text in args.arms or ():
        name, mark, device = (part.strip() for part in text.partition("="))
        if not mark or not name or not device or name in found:
            raise InvalidParameterError(
                f"--devices are no columns with a device each: received {shown(text)}; write --devices "
                "form_a=crosswise:1/5 --devices form_b=crosswise:4/5"
            )
        found[name] = mechanism_of_part(args, device)
    return found or None


def categories_of(args: argparse.Namespace) -> Any:
    """Return the categories as written in the data: one list, a list per column, or lists by column; ``None``:
    numbered.
    """
    lists, columns = args.categories, columns_of(args)
    named = [each[0].partition("=") for each in lists]
    if lists and columns and all(mark and column in columns for column, mark, _ in named):
        if len({column for column, _, _ in named}) < len(named):
            raise InvalidParameterError(
                f"--categories name a column twice: received {shown(', '.join(each[0] for each in named))}; give one "
                "list for each column"
            )
        return {column: (first, *each[1:]) for (column, _, first), each in zip(named, lists, strict=True)}
    return lists[0] if len(lists) == 1 else lists or None


_HELD = {ord("\n"): "\ue00a", ord("\r"): "\ue00d"}  # to the reader of lists a line end would be the end of the list
_LET = {ord(mark): chr(end) for end, mark in _HELD.items()}


def _names(text: str, option: str, form: str) -> tuple[str, ...]:
    """Return the names of a list; they may contain commas in quotation marks, and line ends."""
    if not text.strip():
        raise InvalidParameterError(f"{option} is an empty list: received {shown(text)}; allowed is {form}")
    try:
        names = next(csv.reader([text.translate(_HELD)], strict=True))
    except csv.Error as error:
        raise InvalidParameterError(
            f"{option} has a quotation mark without its pair: received {shown(text)}; write a name that holds commas "
            'or begins with a quotation mark in quotation marks, and its own marks twice, such as "a, ""b"""'
        ) from error
    return tuple(name.translate(_LET).strip() for name in names)


def _items(text: str, option: str, form: str) -> Sequence[str]:
    """Return the items of a list; ``G,...`` may be empty."""
    if not text.strip() and "..." not in form:
        raise InvalidParameterError(f"{option} is an empty list: received {shown(text)}; allowed is {form}")
    return split_list(text) if text.strip() else []


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    """Return the two parts of ``LOW..HIGH``, or of a list of two."""
    is_range = ".." in form
    items = [item.strip() for item in text.split("..", 1)] if is_range else split_list(text)
    if len(items) != 2 or not all(items):
        example = "0..1" if is_range else {"Y,N": "300,2435"}.get(form, "1,1/4")
        raise InvalidParameterError(
            f"{option} is not a {'range' if is_range else 'pair'}: received {shown(text)}; allowed is {form}, for "
            f"example {example}"
        )
    return items[0], items[1]


def whole_number(text: str, option: str, least: int, most: int = _MOST, form: str = "") -> int:
    """Return an integer argument; reject it unless it is from ``least`` to ``most``."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 30 and least <= int(digits) <= most):
        guess = number_advice(text.strip()).partition(",")[0]  # if there are two readings, the integer
        guess = guess if re.fullmatch("; write [0-9]+", guess) else ""
        raise InvalidParameterError(
            f"{option} is not a count: received {shown(text)}; allowed is an integer from {least} to {most}{guess}"
        )
    return int(digits)


def _whole_numbers(
    text: str, option: str, form: str, split: Callable[..., Sequence[str]], least: int, most: int
) -> Any:
    """Return the counts of a list or a range."""
    return [whole_number(item, f"{option}[{i}]", least, most) for i, item in enumerate(split(text, option, form))]


def whole(least: int, most: int = _MOST) -> Value:
    """Return the type of a count."""
    return Value(partial(whole_number, least=least, most=most))


def _whole_or_all(text: str, option: str, least: int, most: int, form: str = "") -> int | str:
    return "all" if text.strip().lower() == "all" else whole_number(text, option, least, most)


def whole_or_all(least: int, most: int = _MOST) -> Value:
    """Return the type of a count, or of ``all``."""
    return Value(partial(_whole_or_all, least=least, most=most))


def wholes(least: int, most: int = _MOST) -> Value:
    """Return the type of a list of counts."""
    return Value(partial(_whole_numbers, split=_items, least=least, most=most))


def _is_thousands_or_two(text: str) -> bool:
    return re.fullmatch("[1-9][0-9]{0,2},[0-9]{3}", text) is not None


def _respondents(text: str, option: str, form: str) -> int:
    """Return the number of respondents of a plan, where two numbers may be meant for two groups."""
    if _is_thousands_or_two(text):
        raise InvalidParameterError(
            f"{option} is not one count: received {shown(text)}, one count of thousands, or two of two groups; write "
            f"{text.replace(',', '')} for one count; with two groups, {option} is the number of respondents of "
            "each group"
        )
    return whole_number(text, option, 1)


def _people(text: str, option: str, form: str) -> int | list[int]:
    """Return a number of people, or two of them."""
    if "," not in text:
        return whole_number(text, option, 2)
    if _is_thousands_or_two(text):
        first, _, second = text.partition(",")
        raise InvalidParameterError(
            f"{option} has two readings: received {shown(text)}, one count of thousands, or two of two groups; write "
            f"{first}{second} for one count, or '{first}, {second}' for two groups"
        )
    found: list[int] = _whole_numbers(text, option, form, _items, 2, _MOST)
    if len(found) != 2:
        raise InvalidParameterError(
            f"{option} is neither one count nor two: received {shown(text)}; allowed is {form}, two of them for two "
            "groups"
        )
    return found


people = Value(_people)  # N, or N1,N2
respondents = Value(_respondents)  # N, with groups of each group
names = Value(_names)  # A,B,..
items = Value(_items)  # P1,..,PK: numbers, or words without commas
pair = Value(_pair)  # LOW..HIGH, or E,D
whole_range = Value(partial(_whole_numbers, split=_pair, least=1, most=_MOST))
mechanism = Value(_mechanism, InputFile, ("transposed", *_PARTS))
