"""Read results from JSON by the annotations of their fields, with limits and without evaluation."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping, Sequence
from fractions import Fraction
from inspect import signature
from typing import Annotated, Any, Literal, NoReturn, Union, get_args, get_origin, get_type_hints

from rropt.core.errors import FileFormatError, RroptError, shown
from rropt.core.exact import Bracket
from rropt.core.exact.texts import READERS
from rropt.core.lazy import numpy as np
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results.json_writing import (
    derived_attributes,
    field_annotations,
    is_extended,
    kind_of,
    value_of,
    written,
)

BESIDE = ("decimals", "question", "remarks", "result", "beside", "twins")  # keys that are no fields of a result
_TOLD = 200  # characters of a Python error that a message repeats


def own_part(cls: type[Any], data: Any) -> Any:
    """Return a record without the keys that its ``beside`` names: a command added them to the result.

    Raises:
        FileFormatError: the record names another result.
    """
    if not isinstance(data, Mapping) or not {"result", "beside"} & data.keys():
        return data
    name, beside = data.get("result", cls.__name__), data.get("beside", [])
    if name not in [cls.__name__, *(sub.__name__ for sub in _subclasses(cls))]:
        raise FileFormatError(f"the result is no {cls.__name__}: received {shown(name)}; read it with rropt.load")
    if not isinstance(beside, list) or not all(isinstance(key, str) for key in beside):
        raise FileFormatError(f"the keys beside a {cls.__name__} are no list of names: received {shown(beside)}")
    return {key: item for key, item in data.items() if key not in ("result", "beside", *beside)}


def read_result(cls: type[Any], data: Any) -> Any:
    """Read a dataclass from JSON; the default of ``Result.from_dict``."""
    what = cls.__name__
    data = own_part(cls, data)
    if isinstance(data, Mapping) and isinstance(data.get("kind"), str) and kind_of(cls) != data["kind"]:
        cls = next((sub for sub in _subclasses(cls) if kind_of(sub) == data["kind"]), cls)
    for maker in ("from_proof", "recompute"):
        if hasattr(cls, maker) and isinstance(data, Mapping):
            return _made_from(cls, getattr(cls, maker), data)
    hints, derived = field_annotations(cls), derived_attributes(cls)
    if not isinstance(data, Mapping) or not data:
        wrong_form = "has no keys" if isinstance(data, Mapping) else "is not an object"
        raise FileFormatError(f"a {what} {wrong_form}: received {shown(data)}; allowed is what to_dict returns")
    needed = {field.name for field in dataclasses.fields(cls) if field.name in hints and _is_needed(field)}
    own = [key for key in data if key not in BESIDE and not (key == "kind" and kind_of(cls) == data["kind"])]
    unknown, missing = [key for key in own if key not in hints and key not in derived], sorted(needed - set(data))
    if unknown or missing:
        wrong = [f"misses {', '.join(missing)}"] * bool(missing)
        wrong += [f"holds {', '.join(map(shown, unknown[:5]))}"] * bool(unknown)
        raise FileFormatError(
            f"a {what} {' and '.join(wrong)}: received the keys {shown(list(data))}; allowed are "
            f"{', '.join([*hints, *derived])}"
        )
    values = {name: _read(hints[name], data[name], f"{what}.{name}") for name in hints if name in data}
    lower, upper = values.get("lower"), values.get("upper")
    if isinstance(lower, Fraction) and isinstance(upper, Fraction) and lower > upper:
        raise FileFormatError(f"a {what} has its bounds in the wrong order: received lower > upper; exchange them")
    try:
        made = cls(**values)
        unverified = made.checked() if hasattr(made, "checked") else None
        if unverified:
            made = dataclasses.replace(made, unverified=tuple(unverified))
        again = {name: written(value_of(made, name))[0] for name in derived}
    except RroptError:
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise FileFormatError(f"a {what} cannot be made: received {shown(data)}: {str(error)[:_TOLD]}") from None
    for name in derived:
        if name in data and not equal_in_json(again[name], data[name]):
            raise FileFormatError(
                f"{what}.{name} contradicts the rest: received {shown(data[name])}; leave it out, or create the file "
                "again"
            )
    return made


def _made_from(cls: Any, make: Any, data: Mapping[str, Any]) -> Any:
    """Build a result with ``from_proof`` or ``recompute`` from keys of JSON; all other keys must agree with the result.

    ``from_proof`` builds the result from the question and the certificate, without solving; ``recompute`` solves again.
    A parameter that is annotated with a base class of the result is its question, whose fields are keys of the record.
    """
    hints = {name: hint for name, hint in get_type_hints(make, include_extras=True).items() if name != "return"}
    asked = next((name for name, hint in hints.items() if hint in cls.__mro__[1:-1]), "")
    question = hints.pop(asked, None)
    own = {} if question is None else field_annotations(question)
    hints = own | hints
    optional = {name for name, one in signature(make).parameters.items() if one.default is not one.empty}
    missing = [name for name in hints if name not in data and name not in optional]
    if missing:
        raise FileFormatError(
            f"a {cls.__name__} misses {', '.join(missing)}: received the keys {shown(list(data))}; these keys are "
            "needed, all others follow"
        )
    given = {name: _read(hint, data[name], f"{cls.__name__}.{name}") for name, hint in hints.items() if name in data}
    try:
        if question is not None:
            given[asked] = question(**{name: given.pop(name) for name in own})
        made = make(**given)
        record = made.to_dict()
    except RroptError:
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise FileFormatError(
            f"a {cls.__name__} cannot be made: received {shown(data)}: {str(error)[:_TOLD]}"
        ) from None
    beside = {"decimals", "question", *(set(BESIDE) - set(record))}
    other = next((key for key in data if key not in beside and not equal_in_json(record.get(key, ()), data[key])), None)
    if other is not None:
        why = (
            "does not follow from the certificate"
            if make.__name__ == "from_proof"
            else "differs from the recomputed result"
        )
        raise FileFormatError(
            f"{cls.__name__}.{other} {why}: received {shown(data[other])}; use the file as it was written"
        )
    return made


def _read(hint: Any, data: Any, where: str) -> Any:
    """Read a value of the annotated type from JSON."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return None if data == "inf" and is_extended(hint) else _read(args[0], data, where)
    if origin in (Union, types.UnionType):
        return _read_one_of(args, data, where)
    if origin is Literal:
        return data if data in args else _refuse(where, data, f"one of {', '.join(map(str, args))}")
    if hint is Any:
        return data
    if hint in _SCALARS:
        return _read_scalar(hint, data, where)
    if list in (hint, origin):
        return data if isinstance(data, (list, tuple)) else _refuse(where, data, "a list")
    if origin in (tuple, frozenset):
        return origin(_read_items(args, data, where, any_length=origin is frozenset))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _read_mapping(args, data, where)
    if hint is Bracket:
        return Bracket.of(_text(Fraction, data, where)) if isinstance(data, str) else _read_ends(data, where)
    if isinstance(hint, type) and hint.__name__ in READERS:
        return _text(hint, data, where)
    if isinstance(hint, type) and hasattr(hint, "from_dict"):
        return hint.from_dict(data)
    if dataclasses.is_dataclass(hint):
        return read_result(hint, data)  # type: ignore[arg-type]  # a class, not an instance
    if getattr(origin, "__module__", "") == "numpy":
        return _read_array(args, data, where)
    raise TypeError(f"{where} has an annotation that the protocol of results cannot read: {hint}")


_SCALARS = (bool, int, float, str, type(None))
_INTEGER_DIGITS = 4000


def _read_scalar(hint: Any, data: Any, where: str) -> Any:
    if hint is float and type(data) in (int, float, str):
        try:
            return float(data)
        except (ValueError, OverflowError):
            return _refuse(where, data, "a number")
    if hint is int and isinstance(data, str) and data.lstrip("-").isdigit() and data.isascii():
        return int(data) if len(data) <= _INTEGER_DIGITS else _refuse(where, data, "an integer of fewer digits")
    return data if type(data) is hint else _refuse(where, data, _NAMES[hint])


_NAMES = {bool: "true or false", int: "an integer", str: "a text", type(None): "null", float: "a number"}


def _read_one_of(args: Sequence[Any], data: Any, where: str) -> Any:
    if data is None and type(None) in args:
        return None
    refused: RroptError | None = None
    for arg in (arg for arg in args if arg is not type(None)):
        try:
            return _read(arg, data, where)
        except RroptError as error:
            refused = refused or error
    raise refused or FileFormatError(f"{where} has no form: received {shown(data)}; leave it out")


def _read_items(args: Sequence[Any], data: Any, where: str, *, any_length: bool) -> list[Any]:
    if not isinstance(data, (list, tuple)):
        _refuse(where, data, "a list")
    if any_length or args[-1:] == (Ellipsis,):
        return [_read(args[0], item, where) for item in data]
    if len(data) != len(args):
        _refuse(where, data, f"a list of {len(args)}")
    return [_read(arg, item, where) for arg, item in zip(args, data, strict=True)]


def _read_mapping(args: Sequence[Any], data: Any, where: str) -> ReadOnlyMapping[Any, Any]:
    if args[0] is str and isinstance(data, Mapping):
        return ReadOnlyMapping({name: _read(args[1], item, where) for name, item in data.items()})
    pairs = _read_items((list,), data, where, any_length=True)
    return ReadOnlyMapping(tuple(_read_items(args, pair, where, any_length=False)) for pair in pairs)


def _read_ends(data: Any, where: str) -> Bracket:
    if not isinstance(data, Mapping) or set(data) != {"lower", "upper"}:
        _refuse(where, data, 'a number, or {"lower": ..., "upper": ...}')
    ends = Bracket(*(_text(Fraction, data[end], where) for end in ("lower", "upper")))
    if ends.lower > ends.upper:
        _refuse(where, data, "lower <= upper")
    return ends


def _read_array(args: Sequence[Any], data: Any, where: str) -> Any:
    dtype = get_args(args[1])[0]
    dtype = np.int64 if get_origin(dtype) else dtype  # annotated with a generic integer type
    try:
        array = np.array(data, dtype=dtype)
    except (TypeError, ValueError, OverflowError):
        return _refuse(where, data, "numbers in rows of equal length")
    if not array.ndim or not np.isfinite(array).all():
        _refuse(where, data, "finite numbers, in a list")
    array.flags.writeable = False
    return array


def _text(hint: type, data: Any, where: str) -> Any:
    try:
        return READERS[hint.__name__](data)
    except RroptError as error:
        raise FileFormatError(f"{where}: {error}") from None


def _refuse(where: str, data: Any, allowed: str) -> NoReturn:
    raise FileFormatError(f"{where} is of another form: received {shown(data)}; allowed is {allowed}")


def equal_in_json(one: Any, other: Any) -> bool:
    """Return whether two values are equal in JSON, where a number may also be stored as text."""
    if one is other:
        return True
    if isinstance(one, dict) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(equal_in_json(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(equal_in_json, one, other))
    return type(one) is type(other) and one == other if isinstance(one, bool) else str(one) == str(other)


def _subclasses(cls: type[Any]) -> list[type[Any]]:
    """Return all subclasses, the latest first: a dataclass with slots is created twice, and the first is unusable."""
    own: list[type[Any]] = [sub for below in cls.__subclasses__() for sub in (below, *_subclasses(below))]
    return own[::-1]


def _is_needed(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
