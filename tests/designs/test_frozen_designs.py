"""What some 480 designs print, refuse, bound and prove, as ``freeze_designs.py`` recorded it: at least 15 of each way.

At a rational level the optimum is equal; at an irrational one the brackets overlap, and the new one is narrow too.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from few_rows import few_rows
from freeze_designs import FROZEN, recorded

from rropt.designs.ways import WAYS

F = Fraction

_CASES: list[dict[str, Any]] = json.loads(FROZEN.read_text())
_WIDE = F(2, 10**9)  # relative: what short numbers may cost; 1.3e-9 at the least versions of the solvers
_ENDS = ("lower", "upper")


def _steady(case: dict[str, Any]) -> dict[str, Any]:
    """Return what depends on no machine: without bounds, and without the width of the numbers in a table."""
    return {**case, "lower": "", "upper": "", "words": re.sub("-{2,}", "-", case.get("words", ""))}


# every refusal in every run, which takes a millisecond, and one in 24 of the designs
@few_rows(22)
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=[] if case["status"] == 2 or i % 24 == 0 else pytest.mark.slow, id=case["command"])
        for i, case in enumerate(_CASES)
    ],
)
def test_designs_are_as_they_were(case: dict[str, Any]) -> None:
    found = recorded(case)
    ends = [[F(one[end]) for end in _ENDS if end in one] for one in (case, found)]
    assert _steady(found) == _steady(case)
    if not ends[0]:
        return
    (lower, upper), (low, high) = ends
    assert low <= high
    if lower == upper:
        assert (low, high) == (lower, upper)
    assert max(lower, low) <= min(upper, high)
    assert high - low <= max(2 * (upper - lower), _WIDE * max(abs(low), abs(high)))


def test_each_way_has_its_cases() -> None:
    count = Counter(case.get("way") for case in _CASES)
    assert min(count[way.name] for way in WAYS) >= 15, count
    assert len({case["command"] for case in _CASES}) == len(_CASES)
