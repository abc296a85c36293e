"""Mechanisms that files state: when two of them are the same, and the limits of the explorer's page."""

from __future__ import annotations

import pytest

from rropt.core.errors import InvalidParameterError
from rropt.mechanisms import Mechanism
from rropt.reports.explorer import explore
from rropt.reports.stated import _is_same


def test_merged_categories_have_each_different_column_once() -> None:
    whole = Mechanism([["3/4", "1/4", "1/4"], ["1/4", "3/4", "3/4"]])
    merged, other = Mechanism([["3/4", "1/4"], ["1/4", "3/4"]]), Mechanism([["2/3", "1/4"], ["1/3", "3/4"]])
    longer = Mechanism([["3/4", "1/4"], ["1/4", "1/2"], ["0", "1/4"]])
    for one, two, expected in ((whole, merged, True), (whole, other, False), (whole, longer, False)):
        assert _is_same(one, two, merged=True) is expected
        assert _is_same(two, one, merged=True) is expected
        assert not _is_same(one, two, merged=False)
    exchanged = Mechanism([["1/4", "3/4"], ["3/4", "1/4"]])
    assert not _is_same(merged, exchanged, merged=True)  # as many columns: none was merged
    assert _is_same(merged, merged, merged=False)


def test_the_number_of_respondents_of_the_explorer() -> None:
    for n in (1, 10**9):
        assert explore(gamma=2, n=n).n == n
    for n in (0, 10**9 + 1, True):
        with pytest.raises(InvalidParameterError, match="number of respondents is out of range"):
            explore(gamma=2, n=n)
