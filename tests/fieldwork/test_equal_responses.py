"""Groups whose responses are all equal: a plug-in standard error of 0 measures no error, and no test rests on it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from support.table_calls import table_estimate
from table_calls import estimate_table, regress_table

import rropt
import rropt_fieldwork
from rropt.core.errors import InvalidParameterError
from rropt.designs.known_reports import threshold_cards
from rropt.inference.differences import Difference
from rropt.mechanisms import Mechanism
from rropt_fieldwork.costs.direct_questions import compare_with_direct

PAIR = "crosswise:1/4", "crosswise:3/4"
MIXED = [(int(i % 5 < 2), "sales", PAIR[i % 2]) for i in range(60)]
ALONE = [(1, "board", PAIR[1])]
LEFT = "their differences from other groups are not tested"


def table(names: str, rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    """Return a table of rows."""
    numbers = {"y", "w", "N"}
    columns = zip(names.split(), zip(*rows, strict=True), strict=True)
    return {name: np.array(column, None if name in numbers else object) for name, column in columns}


def is_not_tested(one: Difference) -> bool:
    return (one.interval, one.simultaneous, one.p) == (None, None, 1.0)


def test_a_group_of_equal_responses_to_several_devices() -> None:
    found = estimate_table(table("y dept form", MIXED + ALONE), "y", devices="form", by="dept")
    (share,) = found.compared()
    assert [(one.group, one.estimate) for one in found] == [("board", Fraction(3, 2)), ("sales", Fraction(1, 2))]
    assert is_not_tested(share.differences[0])
    assert share.test is None
    assert any("(board)" in text and text.endswith(LEFT) for text in found.remarks())
    assert "is above" not in found.concluded()


def test_other_pairs_of_groups_are_tested() -> None:
    rows = MIXED + ALONE + [(int(i % 4 == 0), "depot", PAIR[i % 2]) for i in range(40)]
    (share,) = estimate_table(table("y dept form", rows), "y", devices="form", by="dept").compared()
    tested = {(one.first, one.second): not is_not_tested(one) for one in share.differences}
    assert tested == {("board", "sales"): False, ("board", "depot"): False, ("depot", "sales"): True}


def weighted(population: int) -> dict[str, Any]:
    rows = [(int(i % 5 < 2), "sales", 1 + i % 3, population) for i in range(60)] + [(1, "board", 2, population)] * 2
    return table("y dept w N", rows)


def test_a_weighted_group_of_equal_responses() -> None:
    found = estimate_table(weighted(1000), "y", "warner:3/4", weights="w", by="dept")
    (compared,) = found.compared()
    assert is_not_tested(compared.differences[0])
    assert compared.test is None
    assert any("(board)" in text and text.endswith(LEFT) for text in found.remarks())
    assert "is above" not in found.concluded()


def test_a_census_with_direct_responses_is_known() -> None:
    """Its standard error of 0 is true; by a device, the device alone has an error."""
    for device, is_known in ((Mechanism.binary(1, 1), True), ("warner:3/4", False)):
        found = estimate_table(weighted(62), "y", device, by="dept", fpc="N")
        ((one,),) = (each.differences for each in found.compared())
        assert not is_not_tested(one)
        assert (one.p == 0, one.standard_error == 0) == (is_known, is_known)
        assert not any("all equal" in text for text in found.remarks())


def test_direct_answers_that_are_all_equal() -> None:
    for counts, yes, n, named in (([1604, 831], 0, 1, "direct"), ([7, 0], 1, 3, "randomized"), ([7, 0], 2, 2, "and")):
        found = compare_with_direct("forced:2/3,1/6,1/6", counts, yes, n)
        assert (found.difference_interval, found.p_value) == (None, None)
        text = dict(found.lines())["p-value of no difference"]
        assert text.startswith("not tested: ")
        assert named in text
    assert compare_with_direct("forced:2/3,1/6,1/6", [1604, 831], 1, 3).p_value is not None


def test_equal_answers_of_a_finite_population() -> None:
    """Of five people among a thousand; a census of five has the error of the device alone, and no remark of it."""
    for population, is_said in ((1000, True), (5, False)):
        found = rropt.estimate([0, 5], "warner:3/4", population=population)
        assert any(text.startswith("all answers are equal") for text in found.remarks()) == is_said


def test_a_regression_says_what_equal_responses_leave_out() -> None:
    """Whichever level is the reference; and says nothing of it where no group has equal responses."""
    for formula in ("y ~ C(dept)", 'y ~ C(dept, Treatment("sales"))'):
        for rows, is_said in ((MIXED + ALONE, True), ([*MIXED, *ALONE, (0, *ALONE[0][1:])], False)):
            notes = regress_table(table("y dept form", rows), formula, devices="form", model="linear").notes()
            assert any("compare these rows with others are too small" in text for text in notes) == is_said


def test_a_test_that_no_pair_of_groups_has_is_refused() -> None:
    """Of several devices, and of three categories that no single count of a device determines."""
    data = table("y dept form", MIXED + ALONE)
    three = Mechanism([["6/10", "2/10", "1/10"], ["3/10", "5/10", "2/10"], ["1/10", "3/10", "7/10"]])
    answers = table("y dept", [(i % 3, "ab"[i % 2]) for i in range(60)])
    for test in ("score", "exact"):
        with pytest.raises(InvalidParameterError, match="all differences have the Wald test"):
            estimate_table(data, "y", devices="form", by="dept", test=test)
        with pytest.raises(InvalidParameterError, match="all differences have the Wald test"):
            estimate_table(answers, "y", three, by="dept", test=test)


def test_equal_reports_of_a_weighted_number() -> None:
    """Of three groups, one has equal reports: the two others are compared."""
    cards = threshold_cards([Fraction(x) for x in (1, 2, 3)], Fraction(2))
    reports = [cards.responses[i % cards.outputs] for i in (*range(40), 0, 0, 0, 0)]
    rows = [(report, "c" if i >= 40 else "ab"[i % 3 % 2], 1 + i % 3) for i, report in enumerate(reports)]
    found = rropt_fieldwork.TableResponses(
        "score", cards, data=rropt_fieldwork.read(table("score region w", rows)).sampled(weights="w")
    ).estimate(by="region")
    different = found.differences()
    assert {one.name: one.p_value is not None for one in different} == {"a - b": True, "a - c": False, "b - c": False}
    assert [one.conf_int() is None for one in different] == [False, True, True]
    assert found.test_equal() is None
    assert found.remarks()[0].endswith("the differences of these groups from others are not tested")


def test_equal_responses_to_the_devices_of_a_contrast() -> None:
    names = {name: Mechanism.warner(odds) for name, odds in (("A", "3/4"), ("B", "4/5"))}
    data = table("y dept form", [*((y, group, "AB"[form == PAIR[1]]) for y, group, form in MIXED), (1, "board", "A")])
    asked = {"column": "y", "devices": "form", "device_names": names, "contrast": [0, 1], "by": "dept"}
    found = table_estimate(data=data, **asked)
    assert [(one.conf_int(), one.p_value) for one in found.differences()] == [(None, None)]
    (remark,) = found.remarks()
    assert remark.startswith("the responses are all equal (board)")
    assert remark.endswith(LEFT)
