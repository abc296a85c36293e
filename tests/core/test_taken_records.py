"""Functions that take one record: their callers see its fields as arguments; a wrong call is one clear error."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import KW_ONLY, dataclass

import pytest

import rropt
import rropt_fieldwork
from rropt.core.errors import InvalidParameterError
from rropt.core.record_arguments import takes
from rropt_fieldwork import estimate_table, regress_table
from rropt_fieldwork.reading.reading_options import OPTIONS


@dataclass(frozen=True, kw_only=True)
class Shared:
    scale: int = 1


@dataclass(frozen=True)
class Asked(Shared):
    first: int
    second: int = 2
    _: KW_ONLY
    third: int = 3


@takes(Asked)
def total(asked: Asked) -> int:
    """Return the scaled sum."""
    return asked.scale * (asked.first + asked.second + asked.third)


def test_fields_are_arguments() -> None:
    assert total(1) == total(first=1, second=2, third=3) == 6
    assert total(1, 1, third=1, scale=2) == 6
    shown = "(first: 'int', second: 'int' = 2, *, scale: 'int' = 1, third: 'int' = 3) -> 'int'"
    assert str(inspect.signature(total)) == shown
    assert total.__doc__ == "Return the scaled sum."


@pytest.mark.parametrize(
    ("given", "named", "message"),
    [
        ((1, 2, 3), {}, "received 3; allowed is at most 2 \\(first, second\\)"),
        ((1,), {"first": 2}, "`first` is given twice: received 1 as the argument 1 of `total`, and first=2"),
        ((1,), {"thrid": 2}, "received 'thrid'; did you mean third\\?"),
        ((1,), {"weight": 2}, "received 'weight'; allowed are first, second, scale, third"),
    ],
)
def test_wrong_calls_are_one_clear_error(given: tuple[int, ...], named: dict[str, int], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        total(*given, **named)


def test_a_missing_argument_is_a_type_error_of_the_function() -> None:
    with pytest.raises(TypeError, match=r"^total\(\): missing a required argument: 'first'"):
        total(second=1)  # type: ignore[call-arg]


def test_public_functions_have_their_arguments_by_name() -> None:
    for function, first in (
        (regress_table, ["data", "formula", "mechanism"]),
        (estimate_table, ["data", "columns"]),
    ):
        parameters = inspect.signature(function).parameters
        assert list(parameters)[: len(first)] == first
        assert {"weights", "strata", "arms", "replicates"} <= parameters.keys()
        assert not set(OPTIONS) & parameters.keys()  # how rows are read is stated where they are read
        assert set(OPTIONS) <= inspect.signature(rropt_fieldwork.read).parameters.keys()
        assert not any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    assert len(inspect.signature(rropt.estimate).parameters) <= 8
    assert list(inspect.signature(rropt.estimate).parameters)[:2] == ["counts", "mechanism"]
    assert pickle.loads(pickle.dumps(regress_table)) is regress_table
