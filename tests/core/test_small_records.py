"""Rows of frames, records of JSON, names in two forms and arguments that are checked: one row for each branch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np
import pytest

from rropt.core import normal_form
from rropt.core.argument_checks import as_lists, clear_calls, require_flags, require_given, require_lists, require_texts
from rropt.core.errors import FileAccessError, FileFormatError, InvalidParameterError
from rropt.core.exact import Bracket, Epsilon
from rropt.core.exact.numbers import square_root
from rropt.core.files.streams import standard_input
from rropt.core.mappings import KindRegistry, ReadOnlyMapping
from rropt.core.results import Extended, Result, json_writing, result_frames
from rropt.core.results.json_reading import equal_in_json

F = Fraction


def test_floats_of_exact_texts() -> None:
    for text, number in (
        ("3", 3.0),
        ("-1/3", -1 / 3),
        ("inf", math.inf),
        ("log(3)", math.log(3)),
        ("log(1/2)", -math.log(2)),
        ("log(-1)", None),
        ("log(0)", None),
        ("7/10 - 1/5*sqrt(4)", 0.3),
        ("1/2 + 1/20*sqrt(5)", 0.5 + math.sqrt(5) / 20),
        ("sqrt(2)", math.sqrt(2)),
        ("-sqrt(2)", -math.sqrt(2)),
        ("-3*sqrt(1/2)", -3 * math.sqrt(0.5)),
        ("exp(1)", math.e),
        ("01", None),
        ("1/0", None),
        ("warner", None),
        ("", None),
    ):
        found = result_frames._exact(text)
        assert found == (None if number is None else pytest.approx(number, rel=1e-15)), text


def test_cells_of_a_record() -> None:
    record = {
        "n": 3,
        "estimate": "1/3",
        "is_exact": True,
        "missing": None,
        "name": "1/2",  # a text that looks like a number
        "interval": [0.1, 0.5],
        "bounds": ["1/4", "1/2"],
        "counts": [1, 2],
        "flags_interval": [True, False],
        "long": "x" * 501,
        "short": "x" * 500,
        "lines": "a\nb",
        "inner": {"value": "1/2", "deeper": {"value": "1/4", "most": {"value": 7, "beyond": {"value": 8}}}},
        "table": {"matrix": [[1]]},
        "mechanism": {"matrix": [["3/4", "1/3"], ["1/4", "2/3"]]},
        "decimals": {"estimate": 0.25, "bounds": [0.25, 0.5], "inner": {"value": 0.75}},
    }
    assert result_frames.row_of(record) == {
        "n": 3,
        "estimate": 0.25,
        "is_exact": True,
        "missing": None,
        "name": "1/2",
        "low": 0.1,
        "high": 0.5,
        "bounds_low": 0.25,
        "bounds_high": 0.5,
        "short": "x" * 500,
        "inner_value": 0.75,
        "inner_deeper_value": 0.25,
        "inner_deeper_most_value": 7,
        "p00": 0.75,
        "p11": 2 / 3,
    }
    problem = {
        "region": {"epsilon": {"log": "3"}, "delta": {"rational": "1/8"}, "inputs": "2", "outputs": "any"},
        "objective": {"kind": "variance"},
    }
    expected = {"epsilon": math.log(3), "delta": 0.125, "inputs": 2, "objective": "variance"}
    found = result_frames.row_of({"problem": problem})
    assert found == pytest.approx(expected) if not found.get("objective") else found == expected
    assert result_frames.row_of({"problem": {**problem, "region": {"epsilon": {"other": "3"}}}}) == {
        "objective": "variance"
    }
    assert result_frames.row_of({"mechanism": {"matrix": [["1", "0", "0"], ["0", "1", "1"]]}}) == {}
    assert result_frames.row_with(a=F(1, 4), b="1/4", c=True, d=None, e=2) == {
        "a": 0.25,
        "b": "1/4",
        "c": True,
        "d": None,
        "e": 2,
    }


def test_columns_and_files_of_rows() -> None:
    rows: list[Any] = [{"a": 1, "b": "x", "c": True}, {"a": None, "d": 0.1, "c": False}]
    columns = result_frames.columns_of(rows)
    assert (list(columns), columns["b"], columns["c"]) == (["a", "b", "c", "d"], ["x", ""], [True, False])
    assert columns["a"][0] == 1.0
    assert math.isnan(columns["a"][1])  # type: ignore[arg-type]
    assert result_frames.csv_text(rows) == "a,b,c,d\n1,x,True,\n,,False,0.1\n"
    parts = [SimpleNamespace(frame_rows=(), to_dict=lambda x=x: x) for x in ({"a": 1, "b": None}, {"a": 2, "b": None})]
    one = SimpleNamespace(
        items=parts, parts=parts, numbers=[1], __dataclass_fields__={"items": 0, "numbers": 0, "parts": 0}
    )
    assert result_frames.parts_of(one) is parts
    assert result_frames.plain_rows(one) == [{"a": 1}, {"a": 2}]
    alone = SimpleNamespace(items=parts, __dataclass_fields__={"items": 0}, to_dict=lambda: {"n": 2, "x": None})
    assert result_frames.plain_rows(alone) == [{"n": 2}]


def test_values_as_json() -> None:
    extended, near = json_writing.Extended, {"lower": 1 / 3, "upper": 0.5}
    for value, hint, found in (
        ("a", None, ("a", None)),
        (3, None, (3, None)),
        (True, None, (True, None)),
        (0.5, None, (0.5, None)),
        (math.inf, None, ("inf", None)),
        (F(1, 4), None, ("1/4", 0.25)),
        (F(10**400), None, (str(10**400), None)),
        (F(1, 10**400), None, (f"1/{10**400}", None)),
        (F(0), None, ("0", 0.0)),
        (None, None, (None, None)),
        (None, extended, ("inf", None)),
        (Bracket.of(F(1, 4)), None, ("1/4", 0.25)),
        (Bracket(F(0), F(10**400)), None, ({"lower": "0", "upper": str(10**400)}, None)),
        ((F(1, 4), None), None, (["1/4", None], [0.25, None])),
        ((F(1, 4), "x"), None, (["1/4", "x"], None)),
        ((), None, ([], None)),
        ((0.1, 0.2), None, ([0.1, 0.2], None)),
        (frozenset({3, 1}), None, ([1, 3], None)),
        ({"a": F(1, 4), "b": 2}, None, ({"a": "1/4", "b": 2}, {"a": 0.25})),
        ({1: F(1, 4)}, None, ([[1, "1/4"]], None)),
        ({"a": 1, "decimals": {"a": 2.0}}, None, ({"a": 1}, {"a": 2.0})),
        (ReadOnlyMapping({"a": 1}), None, ({"a": 1}, None)),
    ):
        assert json_writing.written(value, hint) == found, value
    text, decimals = json_writing.written(Bracket(F(1, 3), F(1, 2)))
    assert text == {"lower": "1/3", "upper": "1/2"}
    assert decimals["lower"] <= F(1, 3) < F(math.nextafter(decimals["lower"], 1))
    assert decimals["upper"] == near["upper"]
    for value in (F(1, 3), F(2, 3), F(-1, 3), F(1, 4)):
        low, high = (json_writing._outwards(value, up=up) for up in (False, True))
        assert low is not None
        assert high is not None
        assert F(low) <= value <= F(high)
        assert high in (low, math.nextafter(low, 1))
        assert (low == high) == (value == F(1, 4))
    record = json_writing.record_of({"lower": F(1, 3), "upper": F(2, 3), "x": F(1, 3), "n": 2})
    assert F(record["decimals"]["lower"]) <= F(1, 3)
    assert F(record["decimals"]["upper"]) >= F(2, 3)
    assert record["decimals"]["x"] == 1 / 3
    assert (list(record), json_writing.record_of({"n": 2})) == (["lower", "upper", "x", "n", "decimals"], {"n": 2})
    one, two = {"a": "1/4", "b": "1", "decimals": {"a": 0.25, "b": 1.0}}, {"a": "1/2", "c": 3, "decimals": {"a": 0.5}}
    assert json_writing.merged_records(one, two) == {"a": "1/2", "b": "1", "c": 3, "decimals": {"b": 1.0, "a": 0.5}}
    assert json_writing.merged_records(one, {"a": 1, "b": 2}) == {"a": 1, "b": 2}
    assert json_writing.rounded_matrix([[F(1, 3), F(2)]]) == {"decimals": [[0.333333333, 2.0]]}
    assert json_writing.rounded_matrix([[F(10**400)]]) == {}
    assert json_writing.written(Epsilon.of("log(3)"))[1] == pytest.approx(math.log(3))


def test_values_that_are_equal_in_json() -> None:
    for one, other, same in (
        (1, "1", True),
        (True, 1, False),
        (True, True, True),
        ([1, 2], (1, "2"), True),
        ([1, 2], [1], False),
        ([1], [2], False),
        ({"a": 1}, {"a": "1"}, True),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1}, {"a": 2}, False),
        ({"a": [1]}, {"a": [1]}, True),
        ("a", "b", False),
    ):
        assert equal_in_json(one, other) is same, (one, other)


def test_names_in_two_forms() -> None:
    composed, apart = "S\u00ed", "Si\u0301"
    assert normal_form.normal(apart) == normal_form.normal(composed) == composed
    assert normal_form.decomposed(composed) == apart
    assert normal_form.normal_caseless("S\u00cd") == normal_form.normal_caseless("si\u0301")
    assert normal_form.normal_caseless("ABC") == "abc"
    assert normal_form.spelled("a\u00ed") == "a\\xed"
    names = ["yes", apart, "Si"]
    assert normal_form.named_in(composed, names) == apart
    assert normal_form.named_in("yes", names) == "yes"
    assert normal_form.named_in("no", names) is None
    assert normal_form.one_in_two_forms(["a", composed, "b", apart]) == (composed, apart)
    assert normal_form.one_in_two_forms(["a", "a", composed, composed]) is None


@clear_calls
def scaled(values: Sequence[int] | None = None, name: str = "x", exact: bool = False, table: Any = None) -> Any:
    """Return what is passed on."""
    require_flags(exact=exact)
    require_texts(name=name)
    require_lists(values=values)
    require_given(table=table)
    return as_lists(values), name, exact, table


def test_arguments_that_are_checked() -> None:
    assert scaled() == (None, "x", False, None)
    assert scaled([1], "a", True, {"a": 1}) == ([1], "a", True, {"a": 1})
    assert scaled(np.array([1, 2])) == ([1, 2], "x", False, None)
    for given, text in (
        ({"values": []}, "`values` is empty: received"),
        ({"values": np.array([])}, "`values` is empty: received"),
        ({"values": 3}, "`values` is not a list"),
        ({"values": False}, "`values` is not a list"),
        ({"name": 3}, "`name` is not a text"),
        ({"exact": 1}, "`exact` is neither true nor false"),
        ({"table": {}}, "`table` is empty"),
        ({"table": False}, "`table` is false"),
        ({"table": np.False_}, "`table` is false"),
    ):
        with pytest.raises(InvalidParameterError, match=text):
            scaled(**given)
    with pytest.raises(InvalidParameterError, match="`name` is given twice"):
        scaled([1], "a", name="b")


def test_lists_of_arrays_keep_short_decimals() -> None:
    assert as_lists(np.array([[0.5, 0.25]])) == [[0.5, 0.25]]
    assert [str(each) for each in as_lists(np.array([0.1], dtype=np.float32))] == ["0.1"]
    assert as_lists("text") == "text"
    assert as_lists(np.float64(0.5)) == 0.5


class _Thing:
    kind = "one"

    def __init__(self, size: int) -> None:
        self.size = size

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "size": self.size}

    @classmethod
    def from_dict(cls, data: Any) -> _Thing:
        return cls(int(data["size"]))


def test_a_registry_of_kinds() -> None:
    registry: KindRegistry[_Thing] = KindRegistry("thing", lambda kinds: f"are {', '.join(kinds)}")
    assert registry.register(_Thing) is _Thing
    assert registry.register(_Thing) is _Thing  # twice the same
    assert registry.from_dict({"kind": "one", "size": "3"}).size == 3
    for data, text in (
        ({"kind": "two"}, "thing is unknown: received .*; allowed are one"),
        ({"kind": 1}, "thing is unknown"),
        ([], "thing is unknown"),
        ({"kind": "one"}, "its class raised KeyError; write it as its to_dict does"),
        ({"kind": "one", "size": "x"}, "its class raised ValueError"),
        ({"kind": "one", "size": 1, "b": 1, "a": 2}, "has unknown keys: received 'a, b'"),
    ):
        with pytest.raises(InvalidParameterError, match=text):
            registry.from_dict(data)
    with pytest.raises(InvalidParameterError, match="thing one is registered already"):
        registry.register(type("Other", (), {"kind": "one"}))
    with pytest.raises(InvalidParameterError, match="a class with a text `kind`"):
        registry.register(type("Other", (), {"kind": 1}))


@dataclass(frozen=True, slots=True)
class _Part(Result):
    """A result with a field of each kind."""

    n: int
    value: Extended
    name: str = "x"
    pair: tuple[Fraction, int] = (Fraction(1), 2)
    many: tuple[int, ...] = ()
    share: float = 0.5
    counts: ReadOnlyMapping[str, int] = field(default_factory=lambda: ReadOnlyMapping({"a": 1}))
    mode: Literal["one", "two"] = "one"
    ends: Bracket | None = None
    is_exact: bool = False


_WHOLE = {"n": 3, "value": "inf", "pair": ["1/2", 5], "many": [1, 2], "counts": {"b": 2}, "mode": "two", "ends": "1/4"}


def test_records_are_read_by_their_annotations() -> None:
    found = _Part.from_dict(_WHOLE)
    assert found == _Part(
        3, None, "x", (F(1, 2), 5), (1, 2), 0.5, ReadOnlyMapping({"b": 2}), "two", Bracket.of(F(1, 4))
    )
    assert _Part.from_dict(found.to_dict()) == found
    assert _Part.from_dict({"n": "12", "value": "1/3", "share": "0.25", "ends": {"lower": "0", "upper": "1"}}) == _Part(
        12, F(1, 3), share=0.25, ends=Bracket(F(0), F(1))
    )
    assert _Part.from_dict({"n": "-5", "value": "1", "remarks": [], "decimals": {}}).n == -5
    assert _Part.from_dict({"n": 1, "value": "1", "extra": 2, "beside": ["extra"]}).n == 1
    assert _Part.from_dict({"n": 1, "value": "1", "result": "_Part"}).n == 1
    for change, text in (
        ({"n": 1.5}, "_Part.n is of another form: .* allowed is an integer"),
        ({"n": True}, "allowed is an integer"),
        ({"n": "1" * 4001}, "an integer of fewer digits"),
        ({"value": "x"}, "_Part.value"),
        ({"name": 3}, "allowed is a text"),
        ({"pair": ["1/2"]}, "allowed is a list of 2"),
        ({"pair": 3}, "allowed is a list"),
        ({"many": ["a"]}, "allowed is an integer"),
        ({"share": "x"}, "allowed is a number"),
        ({"share": None}, "allowed is a number"),
        ({"mode": "three"}, "allowed is one of one, two"),
        ({"is_exact": 1}, "allowed is true or false"),
        ({"ends": {"lower": "1", "upper": "0"}}, "allowed is lower <= upper"),
        ({"ends": {"lower": "1"}}, "a number, or"),
        ({"counts": {"b": "x"}}, "allowed is an integer"),
        ({"counts": 3}, "allowed is a list"),
        ({"other": 1}, "a _Part holds 'other'"),
        ({"result": "Other"}, "the result is no _Part"),
        ({"beside": "x"}, "are no list of names"),
    ):
        with pytest.raises(FileFormatError, match=text):
            _Part.from_dict({**_WHOLE, **change})
    for data, text in (({}, "has no keys"), ([], "is not an object"), ({"n": 1}, "a _Part misses value")):
        with pytest.raises(FileFormatError, match=text):
            _Part.from_dict(data)
    assert len(str(_Part.from_dict({**_WHOLE, "n": "1" * 4000}).n)) == 4000


def test_mappings_with_fewer_keys_differ() -> None:
    for one, other in (
        ({}, {"a": 1}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1, "b": 2}, {"a": 1}),
        ([], [1]),
        ([1], []),
    ):
        assert not equal_in_json(one, other)
    assert equal_in_json({"a": "1/2"}, {"a": F(1, 2)})
    assert equal_in_json([1, {"b": True}], (1, {"b": True}))
    assert not equal_in_json(True, 1)


def test_closed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(FileAccessError, match="standard input is closed"):
        list(standard_input())


def test_roots_of_very_small_and_large_numbers() -> None:
    for number in (F(1, 10**300), F(10**300), F(4, 9 * 10**60), F(2), F(1, 10**700), F(10**600, 7)):
        with localcontext() as context:
            context.prec, context.Emin = 60, -2000
            exact = (Decimal(number.numerator) / Decimal(number.denominator)).sqrt()
            found = square_root(number)
            assert found == float(exact)
