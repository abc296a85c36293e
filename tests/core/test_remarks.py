"""Remarks on certificates that failed, wherever they stand in a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from rropt.core.results import Result, remarks_of


@dataclass(frozen=True)
class _Proof:
    failure: str


@dataclass(frozen=True, eq=False)
class _Row(Result):
    name: str
    number: float | None
    proof: Any
    shared: Any = None


@dataclass(frozen=True, eq=False)
class _Whole(Result):
    texts: tuple[str, ...]
    rows: tuple[_Row, ...]
    inner: _Row | None = None


TOLD = "the result is not proved: its certificate failed: {}"


@pytest.mark.parametrize("place", ["row", "last row", "shared", "inner"])
def test_a_failure_is_told_wherever_it_stands(place: str) -> None:
    bad, good, shared = _Proof("too large"), _Proof(""), _Proof("too large" if place == "shared" else "")
    rows = [_Row(str(i), 1.0, good, shared) for i in range(5)]
    if place in ("row", "last row"):
        rows[place == "last row" and -1] = _Row("x", None, bad, shared)
    inner = _Row("y", 0.0, bad) if place == "inner" else None
    assert remarks_of(_Whole(("a",), tuple(rows), inner)) == (TOLD.format("too large"),)
    assert remarks_of(_Whole(("a",), tuple(_Row("x", 1.0, good) for _ in range(3)))) == ()


def test_failures_are_told_once_in_their_order() -> None:
    rows = tuple(_Row(str(i), 1.0, _Proof(text)) for i, text in enumerate(["first", "second", "first"]))
    found = remarks_of(_Whole((), rows, _Row("z", 1.0, _Proof("third"))))
    assert found == tuple(TOLD.format(text) for text in ("first", "second", "third"))
