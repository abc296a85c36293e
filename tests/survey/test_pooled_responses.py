"""Estimates from several mechanisms, pooled by precision: today's tables, groups, differences, refusals."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from later import later

import rropt
from rropt.answers import answers_of_rows
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.estimates.estimated import Estimates
from rropt.inference import estimate_cells
from rropt.mechanisms import named_mechanism

np = later("numpy")

DEVICES = {"A": "bits:3/4,2/3", "B": "bits:9/10,4/5", "C": "bits:generalised:4/5,2/3,3/4"}


def _survey(rng: random.Random, rows: int) -> dict[str, Any]:
    data: dict[str, list[Any]] = {
        "group": rng.choices("xyz", k=rows),
        "form": rng.choices(list(DEVICES), k=rows),
        "q1": rng.choices([0, 1, None], [5, 4, 1], k=rows),
        "q2": rng.choices([0, 1], k=rows),
    }
    return {name: np.array(values, object) for name, values in data.items()}


def _tables(data: dict[str, Any], questions: list[int], group: str | None) -> Any:
    """The estimate of the cells of some questions, by the histograms of each device."""
    found = []
    for form, text in DEVICES.items():
        whole = zip(data["group"], data["form"], data["q1"], data["q2"], strict=True)
        own = [[own[q] for q in questions] for g, f, *own in whole if f == form and group in (None, g)]
        own = [one for one in own if None not in one]
        factors = named_mechanism(text).factors
        device = rropt.Mechanism(factors[questions[0]]) if len(questions) == 1 else named_mechanism(text)
        if own:
            found.append(answers_of_rows(device, own))
    return estimate_cells(found, weights="precision")


@pytest.mark.slow
def test_pooled_tables_are_those_of_their_histograms(size: Callable[[int, int], int]) -> None:
    """Joint tables and margins, of all respondents and by group, exactly; also of a domain."""
    rng = random.Random(7)
    for _ in range(size(3, 30)):
        data = _survey(rng, rng.randint(90, 200))
        asked: Any = rropt.Responses(["q1", "q2"], DEVICES, data=data, assigned="form")
        for by, groups in ((None, [None]), ("group", ["x", "y", "z"])):
            found = asked.proportions(by, pool="precision")
            tables = [_tables(data, [0, 1], group) for group in groups]
            assert [one.estimate for one in found] == [x for table in tables for x in table.estimate]
            errors = [x for table in tables for x in table.standard_errors]
            assert [one.se for one in found] == pytest.approx(errors, rel=1e-13)
            covariance = np.array(found.cov_params())
            assert covariance[0, 1] == pytest.approx(float(tables[0].covariance(0, 1)), rel=1e-13)
            assert Estimates.from_json(found.to_json()) == found
            assert found.rows != asked.proportions(by).rows
            for question, place in (("q1", 0), ("q2", 1)):
                margins = asked.proportions(by, marginals=1, pool="precision").only(question=question)
                wanted = [_tables(data, [place], group).estimate[1] for group in groups]
                assert [one.estimate for one in margins] == wanted
        assert list(map(float, found.overall)) == list(map(float, asked.proportions(pool="precision")))
        own = asked.where(data["group"] == "y").proportions(pool="precision")
        assert [one.estimate for one in own] == list(_tables(data, [0, 1], "y").estimate)


def test_pooled_groups_are_compared() -> None:
    data = _survey(random.Random(3), 300)
    asked: Any = rropt.Responses("q2", {n: m.split(",")[0] for n, m in OWN.items()}, data=data, assigned="form")
    found = asked.proportions("group", pool="precision")
    gaps = found.differences()
    assert [one.name for one in gaps] == ["x - y", "x - z", "y - z"]
    for (first, second), gap in zip([(0, 1), (0, 2), (1, 2)], gaps, strict=True):
        assert gap.estimate == found[first].estimate - found[second].estimate
        assert gap.se == pytest.approx((found[first].se ** 2 + found[second].se ** 2) ** 0.5, rel=1e-13)
    assert found.test_equal().degrees_of_freedom == 2
    combined = found.contrast({"x": 1, "y": -1})
    assert (combined.estimate, combined.se) == (gaps[0].estimate, pytest.approx(gaps[0].se, rel=1e-13))
    assert {one.kinds for one in found} == {("hoeffding", "normal")}


OWN = {"A": "warner:3/4", "B": "warner:9/10", "C": "warner:1/5"}


def test_precise_devices_have_more_weight() -> None:
    """The weight of the better device exceeds its part of the respondents, and the standard error is smaller."""
    data = {"form": np.array(["A"] * 100 + ["B"] * 100), "q": np.array([0, 1] * 50 + [1] * 20 + [0] * 80)}
    asked: Any = rropt.Responses("q", {"A": "warner:3/5", "B": "warner:9/10"}, data=data, assigned="form")
    plain, pooled = asked.proportions(), asked.proportions(pool="precision")
    ends = [asked.where(data["form"] == form).proportions().estimate for form in "AB"]
    noise = [Fraction(3, 5) * Fraction(2, 5) / Fraction(1, 25), Fraction(9, 100) / Fraction(16, 25)]
    v = [x + Fraction(1, 4) for x in noise]  # the variance of a response at the uniform distribution
    weights = [1 / x / sum(1 / y for y in v) for x in v]
    assert pooled.estimate == sum(w * x for w, x in zip(weights, ends, strict=True))
    assert pooled.se < plain.se
    one: Any = rropt.Responses("q", "warner:3/4", data=data)
    assert one.proportions(pool="precision") == one.proportions()
    assert all(low < high for low, high in pairwise(sorted([plain.estimate, pooled.estimate, *ends])))


def test_refusals() -> None:
    data = _survey(random.Random(1), 60)
    asked: Any = rropt.Responses("q2", OWN, data=data, assigned="form")
    with pytest.raises(InvalidParameterError, match="respondents, precision"):
        asked.proportions(pool="size")
    weighted: Any = rropt.Responses(
        "q2", OWN, data=rropt.Sample(data | {"w": np.arange(60) % 3 + 1}, weights="w"), assigned="form"
    )
    with pytest.raises(UnsupportedProblemError, match="not pooled by precision"):
        weighted.proportions(pool="precision")
    with pytest.raises(InvalidParameterError, match="nobody in a group responded"):
        asked.where(np.zeros(60, bool)).proportions(pool="precision")


def test_a_domain_of_responses_that_were_estimated_before() -> None:
    """The rows of a domain are those of its mask, whatever was estimated of all rows before."""
    for is_first in (False, True):
        asked: Any = rropt.Responses([0, 1, 1, 1], "warner:3/4")
        if is_first:
            asked.proportions()
        half = asked.where([True, True, False, False])
        assert (half.proportions().nobs, half.where([True] + [False] * 3).proportions().nobs) == (2, 1)
        assert half.proportions().estimate == Fraction(1, 2)
