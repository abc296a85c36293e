"""Refused calls of Python, from ``test_refused_calls.toml``: one line of a ``RroptError`` with the words of the row."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from stored_cases import cases_of

import rropt
import rropt_fieldwork

STORED = cases_of(__file__)
PACKAGES = (
    *("rropt", "rropt_fieldwork", "rropt.accounting", "rropt.answers", "rropt.estimates", "rropt.inference"),
    *("rropt.noncompliance", "rropt.plans", "rropt.designs", "rropt.designs.orders", "rropt.mechanisms"),
    *(
        "rropt.mechanisms.families",
        "rropt.mechanisms.sampling",
        "rropt.objectives",
        "rropt.privacy",
        "rropt.core.exact",
    ),
)


@cache
def names() -> dict[str, Any]:
    """Return what the calls name: the public names of the packages, and the functions that the file lists."""
    found: dict[str, Any] = {"Fraction": Fraction, "plots": import_module("rropt.plots"), "rropt": rropt}
    found |= {"rropt_fieldwork": rropt_fieldwork}
    for module in map(import_module, reversed(PACKAGES)):
        found |= {name: getattr(module, name) for name in module.__all__}
    return found | {name: getattr(import_module(module), name) for name, module in STORED["names"].items()}


@pytest.mark.parametrize("room", STORED["rows"])
def test_a_refused_call_has_one_line(room: str) -> None:
    for row in STORED["rows"][room].replace("|\n    ", "| ").splitlines():
        call, _, said = row.partition(" | ")
        with pytest.raises(rropt.RroptError) as caught:
            pytest.fail(f"not refused: {call}: {eval(call, names())}")
        kind, words = re.fullmatch(r"(?:(\w+Error)(?:: |$))?(.*)", said).groups()
        message = str(caught.value)
        assert caught.type.__name__ == (kind or "InvalidParameterError"), row
        assert re.search(".*".join(map(re.escape, words.split(" ... "))), message), (row, message)
        assert "\n" not in message, row
        assert len(message) < 700, row
