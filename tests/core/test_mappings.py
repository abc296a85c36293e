"""Read-only mappings: nothing changes them, and they are hashed, copied and sent to another process."""

from __future__ import annotations

import copy
import json
import operator
import pickle
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pytest

from rropt.core.mappings import ReadOnlyMapping

CHANGES: list[Callable[[Any], object]] = [
    lambda one: operator.setitem(one, "b", 2),
    lambda one: operator.delitem(one, "a"),
    lambda one: operator.ior(one, {"b": 2}),
    lambda one: one.update(b=2),
    lambda one: one.setdefault("b", 2),
    lambda one: one.pop("a"),
    lambda one: one.popitem(),
    lambda one: one.clear(),
]


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_changes_it(change: Callable[[Any], object]) -> None:
    one = ReadOnlyMapping({"a": 1})
    with pytest.raises(TypeError, match="read-only"):
        change(one)
    assert one == {"a": 1}


def test_it_is_a_value() -> None:
    one = ReadOnlyMapping({"a": 1, "b": (2,)})
    for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one)), ReadOnlyMapping(one.items())):
        assert type(other) is ReadOnlyMapping
        assert other == one
        assert hash(other) == hash(one)
    assert one == MappingProxyType({"b": (2,), "a": 1})
    assert json.loads(json.dumps(one)) == {"a": 1, "b": [2]}
    assert repr(one) == "ReadOnlyMapping({'a': 1, 'b': (2,)})"
