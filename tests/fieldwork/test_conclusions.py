"""The first sentence of a report: it states the result, and is true at every edge."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from every_case import every_case
from plans import planned
from reading import reading_of
from support.table_calls import table_estimate_with_reading
from table_calls import estimate_table

import rropt
import rropt_fieldwork
from rropt import Mechanism
from rropt.core.errors import InvalidParameterError
from rropt.designs import orders
from rropt.estimates import estimates_of_counts
from rropt.estimates.conclusions import (
    difference_sentences,
    largest_sentence,
    people_text,
    share_of_people,
    share_sentence,
)
from rropt.estimates.estimated import Estimates
from rropt.reports.document_writers import Paragraph
from rropt_fieldwork.reading.counting import labelled_by
from rropt_fieldwork.reading.sampling_designs import SamplingDesign


def _found(mechanism: object, counts: list[int]) -> Estimates:
    return estimates_of_counts(rropt.inference.estimate(mechanism, counts))


def _groups(yes: dict[str, int], n: int, **more: object) -> object:
    answers = [answer for count in yes.values() for answer in ["yes"] * count + ["no"] * (n - count)]
    data = {
        "q": np.array(answers, object),
        "g": np.array([group for group in yes for _ in range(n)], object),
        "w": np.array([1 + i % 3 for i in range(n * len(yes))]),
    }
    return estimate_table(data, "q", "warner:3/4", categories=["no", "yes"], **more)


def test_a_report_begins_with_its_result() -> None:
    survey = estimates_of_counts(rropt.inference.estimate("forced:2/3,1/6,1/6", yes=831, n=2435))
    first = rropt_fieldwork.report(survey).blocks[0]
    assert first == Paragraph(f"Result: {survey.conclusion}")
    assert survey.conclusion == "Prevalence of the trait: about 26.2 % (95 % interval: 23.4 to 29.1 %)."


@every_case("seed", range(40))
def test_the_interval_is_that_of_the_estimate_rounded_to_the_nearest(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.choice([5, 40, 300, 10**4, 10**7])
    found = _found(rng.choice(["warner:3/4", "warner:1", "forced:2/3,1/6,1/6"]), [n - (yes := rng.randint(0, n)), yes])
    best = found.rows[0].conf_int(kind="exact")
    text = found.conclusion
    if best.emptied:
        assert "no proportion from 0 to 100 % fits" in text
        return
    printed = re.search(r"interval: ([\d.]+) to ([\d.]+) %\)", text).groups()
    low, high = map(Fraction, printed)
    half = Fraction(1, 2 * 10 ** max(len(end.partition(".")[2]) for end in printed))
    assert abs(low - 100 * best.lower) <= half
    assert abs(high - 100 * best.upper) <= half
    assert 20 * half <= 100 * (best.upper - best.lower)
    assert ("cannot tell this from zero" in text) == (low == 0 and high < 100) == (best.lower == 0 and best.upper < 1)
    assert ("from 100 %" in text) == (best.lower > 0 and best.upper == 1)
    assert ("says nothing" in text) == (best.lower == 0 and best.upper == 1)
    if "about" in text:
        assert low <= Fraction(re.search(r"about ([\d.]+) %", text)[1]) <= high


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        (("1/100", "1/2"), "1 to 50 %"),  # an end of one unit of the last digit needs no further digit
        (("1/2", "99/100"), "50 to 99 %"),
        (("1/101", "1/2"), "1.0 to 50.0 %"),
        (("1/2", "100/101"), "50.0 to 99.0 %"),
        (("1/2000", "1/2"), "0.05 to 50.00 %"),
        ((Fraction(1, 10**30), "1/2"), f"0.{20 * '0'} to 50.{20 * '0'} %"),
        (("0.0296", "0.2524"), "3 to 25 %"),  # a table has 0.030 to 0.252
        ((0, "1/2"), "0 to 50 %"),
        (("1/2", 1), "50 to 100 %"),
        (("49/50", 1), "98.0 to 100 %"),
    ],
)
def test_ends_next_to_0_and_1_have_the_digits_that_they_need(ends: tuple, told: str) -> None:
    said = share_sentence("yes", Fraction(1, 2), tuple(map(Fraction, ends)), Fraction(19, 20))
    assert f"(95 % interval: {told})" in said


def test_no_interval_is_made_up() -> None:
    level = Fraction(19, 20)
    assert share_sentence("a", 0.3, None, level) == "a: about 30 %, without an interval."
    assert share_sentence("a", 0.3, (0.3, 0.3), level) == "a: about 30 %, without an interval."
    assert "fits these responses" in share_sentence("a", -0.3, (-0.4, -0.2), level)
    assert "fits these responses" in _found("warner:3/4", [1000, 0]).conclusion


def test_the_largest_of_several_categories_has_a_joint_interval() -> None:
    device = Mechanism("grr:3,3/4").labelled(["never", "once", "often"])
    found = _found(device, [200, 700, 100])
    assert found.conclusion.startswith("The largest estimate is that of once: about ")
    assert "95 % interval of all 3 categories together" in found.conclusion
    low, high = map(Fraction, re.search(r"together: ([\d.]+) to ([\d.]+) %\)", found.conclusion).groups())
    alone = found.rows[1].conf_int(kind="exact")
    assert low < 100 * alone.lower
    assert high > 100 * alone.upper
    assert _found(device, [450, 450, 100]).conclusion == ("Several categories have the largest estimate: never, once.")


@pytest.mark.parametrize("by", [None, "g"])
def test_of_several_weighted_categories_the_largest_is_named(by: str | None) -> None:
    names = ["never", "once", "often"]
    data = {
        "q": np.array(["never"] * 100 + ["once"] * 150 + ["often"] * 50, object),
        "g": np.array(["north", "south"] * 150, object),
        "w": np.array([1 + i // 100 for i in range(300)]),
    }
    found = estimate_table(data, "q", "grr:3,3/4", categories=names, weights="w", **({"by": by} if by else {}))
    largest = max(found.overall or found.rows, key=lambda one: one.estimate)
    first, *others = found.conclusion.split(". ")
    assert first.startswith(f"The largest estimate is that of q: {largest.category}")
    assert "approximate 95 % interval of this category alone: " in found.conclusion
    assert largest.category == "once"
    assert not any(name in found.conclusion for name in ("never", "often"))
    assert bool(others) == (by is not None)
    equal = {"q": np.array(names * 20, object), "w": np.ones(60)}
    tied = estimate_table(equal, "q", "grr:3,3/4", categories=names, weights="w").conclusion
    assert tied.startswith("Several categories of q have the largest estimate: ")
    assert all(name in tied for name in names)


@pytest.mark.slow
def test_groups_state_their_total_and_differences_by_the_test() -> None:
    different = _groups({"north": 190, "south": 160}, 300, by="g")
    (share,) = different.compared()
    one = share.differences[0]
    assert one.p < 0.05
    assert 0 < one.interval[0] < one.interval[1]  # as the test decides
    text = different.conclusion
    assert text.startswith("q, yes: about 66.7 % (95 % interval: ")
    assert "north is above south, by about 20 points (approximate p = " in text
    proved = _groups({"north": 190, "south": 160}, 300, by="g", test="exact").conclusion
    assert "north is above south, by about 20 points (p = " in proved
    same = _groups({"north": 160, "south": 161}, 300, by="g")
    assert " is above " not in same.conclusion
    assert "does not establish a difference between groups (p = " in same.conclusion
    weighted = _groups({"north": 200, "south": 160}, 300, by="g", weights="w")
    assert weighted.conclusion.startswith("q, yes: about ")
    assert "north is above south, by about 26.7 points (approximate p = " in weighted.conclusion
    assert _groups({"north": 200}, 300).conclusion.startswith("q, yes: about 83 % (95 % interval: ")


def test_people_are_counted_where_the_survey_names_them() -> None:
    survey = estimates_of_counts(rropt.inference.estimate("forced:2/3,1/6,1/6", yes=831, n=2435))
    assert survey.concluded(population=10**6) == survey.conclusion
    assert "of women (" in survey.concluded("women")
    assert "about 262,000 people, 233,000 to 291,000)" in survey.concluded("women", 10**6)
    assert "about 26.2 % of all 1,000,000 women (" in survey.concluded("women", 10**6)
    groups = _groups({"north": 200, "south": 160}, 300, by="g")
    assert groups.concluded(population=1000) == groups.conclusion
    assert "about 700 people, 619 to 779)" in groups.concluded("women", 1000)


def test_a_weighted_result_names_the_category_of_the_mechanism() -> None:
    data = {"q": np.array(["yes", "no"] * 50, object), "w": np.arange(100) % 3 + 1}
    named = labelled_by(rropt.Mechanism("warner:3/4"), ("no", "yes"))
    found = estimate_table(data, "q", named, categories=["no", "yes"], weights="w")
    assert found.conclusion.startswith("q, yes: about ")


def test_a_design_of_another_mechanism_is_refused() -> None:
    found = estimates_of_counts(rropt.inference.estimate("warner:3/4", yes=60, n=100))
    other = rropt.solve(rropt.Problem.binary("1/10", epsilon="log(5)"))
    with pytest.raises(InvalidParameterError, match="the files disagree"):
        rropt_fieldwork.report(found, other)


def _difference(first: str, second: str, points: float, adjusted: float, *, exact: bool = True) -> SimpleNamespace:
    return SimpleNamespace(first=first, second=second, estimate=points / 100, adjusted=adjusted, exact=exact)


def test_at_most_three_differences_are_told_the_clearest_first() -> None:
    clear, below = _difference("a", "b", 20, 0.04), _difference("a", "c", -5, 0.01)
    third, last, doubtful = (
        _difference("b", "c", 1, 1 / 16),
        _difference("c", "d", 9, 0.049),
        _difference("d", "e", 1, 0.07),
    )
    level = Fraction(15, 16)
    told = [
        "c is above a, by about 5 points (p = 0.010).",
        "a is above b, by about 20 points (p = 0.040).",
        "c is above d, by about 9 points (p = 0.049).",
        "Each p is adjusted over the pairs of groups.",
        "b is above c, by about 1 point (p = 0.062, adjusted over the pairs of groups).",
    ]
    assert list(difference_sentences([clear, below, third, last], level)) == told[:4]
    assert list(difference_sentences([third, doubtful], level)) == told[4:]
    said = "not establish a difference between groups (smallest adjusted p = 0.070)."
    assert list(difference_sentences([doubtful], level)) == [  # one pair: nothing to adjust over
        "The test does not establish a difference between groups (p = 0.070)."
    ]
    assert list(difference_sentences([doubtful] * 2, level)) == [f"The tests do {said}"]
    (said,) = difference_sentences([_difference("a", "b", 1, 0.0, exact=False)], level)
    assert said.endswith("point (approximate p < 0.001).")
    assert list(difference_sentences([], level)) == ["The groups are too many to test their differences."]


def test_all_groups_and_pairs_have_one_conclusion() -> None:
    """The test that all groups are equal and the adjusted tests of pairs, in all four cases; never two verdicts."""
    clear, doubtful, level = _difference("a", "b", 20, 0.04), _difference("b", "c", 9, 0.12), Fraction(19, 20)
    said = [" ".join(difference_sentences([one, doubtful], level, p)) for one in (clear, doubtful) for p in (0.01, 0.4)]
    test = "the test that all groups are equal: p = "
    assert said[0] == "a is above b, by about 20 points (p = 0.040, adjusted over the pairs of groups)."
    assert said[1] == (
        f"{said[0]} The tests of pairs decide: {test}0.400, but it is less sensitive to a difference of two groups."
    )
    assert said[2] == (
        f"The groups differ ({test}0.010), but the survey does not establish which of them (smallest adjusted "
        "p = 0.120)."
    )
    assert said[3] == (
        f"The tests do not establish a difference between groups (smallest adjusted p = 0.120; {test}0.400)."
    )


def test_totals_state_of_whom_they_are_a_part() -> None:
    """Those who did not answer are outside of a weighted total, and inside of the declared number of people."""
    answers = np.array(["yes"] * 40 + ["no"] * 50 + [""] * 10, object)
    data = {"q": answers, "w": np.full(100, 12), "g": np.array(["a", "b"] * 50, object)}
    device, names = "warner:9/10", ["no", "yes"]
    weighted = estimate_table(data, "q", device, categories=names, weights="w")
    assert "of 1,080, the sum of the weights of those who answered)" in weighted.concluded("adults")
    assert weighted[0].weight == 1080
    counted = estimate_table(data, "q", device, categories=names, by="g").concluded("adults", 1200)
    assert "of all 1,200 adults" in counted
    assert "of them, if those who did not answer are like those who did)" in counted


def test_one_is_singular() -> None:
    """Of everything that is counted in a printed result."""
    one = rropt.inference.estimate("warner:3/4", [0, 1])
    assert str(one).endswith("from 1 response")
    data = np.array(["yes", "no", "NA"] * 2, object)
    groups = estimate_table({"q": data[1:]}, "q", "warner:3/4", categories=["no", "yes"])
    assert groups.remarks()[-1].startswith("2 missing answers were left out")
    groups = estimate_table({"q": data[:5]}, "q", "warner:3/4", categories=["no", "yes"])
    assert groups.remarks()[-1].startswith("1 missing answer was left out")
    _, reading = table_estimate_with_reading("warner:3/4", data={"q": data[:5]}, column="q", categories=["no", "yes"])
    assert reading.remarks[-1].startswith("1 missing answer was left out: ")
    design = SamplingDesign(
        "equal", 1, 2, None, False, "certainty", 1, 1, False
    )  # one stratum, post-stratum and single PSU
    assert "2 clusters in 1 stratum; 1 stratum with one cluster adds" in design.sample
    assert "residuals from 1 post-stratum," in design.method
    reading = reading_of({"q": np.array([1])}, "q", "warner:3/4")
    assert reading.text().partition(";")[0] == "the table: 1 row"
    plan = planned("warner:3/4", margin="1/100")
    assert "before it is cut, is at most 1 point" in plan.found.definition
    assert str(rropt.objectives.Populations.hull([["1/2", "1/2"]])).startswith("a polytope of 1 vertex in")
    assert "1 equivalence class;" in orders.partial_order(["warner:3/4", "warner:1/4"]).explain()


def test_people_are_rounded_to_the_second_digit_of_their_error() -> None:
    assert people_text(69234.5, (57911, 80558)) == "; about 69,000 people, 57,000 to 81,000"
    assert people_text(123, (118, 128)) == "; about 123 people, 118 to 128"
    assert people_text(12345, (2345, 22345)) == "; about 12,000 people, 2,000 to 23,000"
    assert [people_text(1, ends) for ends in (None, (-2, -1), (1, 1))] == [""] * 3
    assert people_text(1, (0.4, 2)) == "; about 1 person, 0 to 2"
    for share, told in ((-0.01, "0 people"), (0.99, "99 people"), (1.02, "100 people")):  # an estimate may be outside
        assert share_of_people(share, (0.01, 0.99), "people", 100).startswith(f"; about {told}, 1 to 99")


def test_people_of_an_interval_from_zero_or_up_to_all() -> None:
    """As the percentage, the number of people is stated by the end that the survey knows; by neither if by none."""
    assert people_text(3, (-4, 20)) == people_text(3, (0, 20)) == "; at most 20 people"
    assert people_text(0.2, (0, 1)) == "; at most 1 person"
    assert share_of_people(0.99, (0.9, 1), "adults", 1000) == "; at least 900 people"
    assert share_of_people(0.5, (0, 1), "adults", 1000) == ""
    zero = share_of_people(0.01, (0, 0.05), "adults", 1000, missing=3)
    assert zero == "; at most 50 people, of them, if those who did not answer are like those who did"


@pytest.mark.parametrize("seed", range(4))
def test_the_printed_numbers_of_people_contain_the_interval(seed: int) -> None:
    """Bounds are rounded outwards, whether one or two are printed, and never to more than all people."""
    rng = random.Random(seed)
    for _ in range(100):
        whole = rng.randint(3, 10 ** rng.randint(1, 6))
        low, high = sorted(Fraction(rng.randint(0, 10**4), 10**4) * whole for _ in range(2))
        low, high = (0 if rng.random() < 0.3 else low, whole if rng.random() < 0.3 else high)
        if low == high:
            continue
        text = people_text((low + high) / 2, (low, high), whole=whole)
        numbers = [int(found.replace(",", "")) for found in re.findall(r"[\d,]*\d", text)]
        if low == 0 or high == whole:
            assert text.startswith("; at most" if low == 0 else "; at least") or not text
            numbers = [0, *numbers] if low == 0 else [*numbers, whole]
        *_, printed_low, printed_high = numbers if text else (0, whole)
        assert 0 <= printed_low <= low < high <= printed_high <= whole
        assert printed_high - printed_low <= high - low + 2 * max(1, (high - low) / 20)  # a step at each end
    assert people_text(3, (0, 0.07 * 100)) == "; at most 7 people"  # 7.000000000000001
    assert people_text(3, (0, 7.01)) == "; at most 8 people"
    assert people_text(90, (0.57 * 100, 100), whole=100) == "; at least 57 people"  # 56.99999999999999


def test_a_declared_number_of_people_counts_with_weights_of_any_scale() -> None:
    """A proportion of N people is the same number whatever the scale of the weights; a mean of 1 states no number."""
    answers = np.array(["yes"] * 50 + ["no"] * 50, object)
    own = np.array([1, 3] * 50)
    device, names = "warner:9/10", ["no", "yes"]
    told = set()
    for scale in (1, 1000, 0.5):
        data = {"q": answers, "w": own * scale}
        told.add(estimate_table(data, "q", device, categories=names, weights="w").concluded("adults", 1200))
    assert len(told) == 1
    low, high = (float(found) / 100 * 1200 for found in re.findall("interval: ([0-9.]+) to ([0-9.]+) %", *told)[0])
    said_low, said_high = re.findall("about 600 people, ([0-9]+) to ([0-9]+)[)]", *told)[0]
    assert -6 <= low - float(said_low) <= 16  # tens, rounded outwards; the percentages are rounded to 1
    assert -6 <= float(said_high) - high <= 16
    assert "of all 1,200 adults" in next(iter(told))
    relative = estimate_table({"q": answers, "w": own * 0.5}, "q", device, categories=names, weights="w")
    assert "people" not in relative.concluded("adults")
    assert [largest_sentence("abcdef"[:n]).endswith("a, b, c, d, e" + ", ..." * (n > 5) + ".") for n in (5, 6)] == [
        True
    ] * 2
