"""Tables and remarks of groups: what is shown of many names and differences, and the figures behind them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from later import later
from table_calls import estimate_table, regress_table

from rropt.core.exact.display import decimal_places, in_full, rounded
from rropt.estimates.estimated import Estimates
from rropt.noncompliance import Population, Sample, behaviours

stats = later("scipy.stats")
F = Fraction


@pytest.mark.parametrize(("size", "said"), [(3, "a; b; c: they"), (4, "c, and 1 more: they")])
def test_a_remark_names_three_groups_and_counts_the_others(size: int, said: str) -> None:
    answers = {"q": np.zeros(10 * size, np.int64), "g": np.array(list("abcde")[:size] * 10, object)}
    remarks = estimate_table(answers, "q", "warner:3/4", by="g").remarks()
    (told,) = [remark for remark in remarks if remark.startswith("estimates outside [0, 1]")]
    assert said in told


def test_a_table_of_many_differences_counts_those_that_it_leaves_out() -> None:
    answers = {"q": np.arange(240) % 3 % 2, "g": np.array([f"a{i % 12}" for i in range(240)], object)}
    found = estimate_table(answers, "q", "warner:3/4", by="g").differences()
    (_, _, (first, *_, last)), _ = found.as_tables()
    assert first[0] == "a0 - a1"
    assert (len(found), last[0]) == (66, "and 26 more")
    with in_full():
        assert len(found.as_tables()[0][2]) == 66


def weighted(**options: Any) -> tuple[Estimates, dict[str, np.ndarray]]:
    """Return the estimates of 120 respondents in three groups and ten clusters, which groups share, with the data."""
    rng = np.random.default_rng(56)
    table = {
        "q": rng.integers(0, 2, 120),
        "g": np.array(list("abc") * 40, object),
        "w": rng.uniform(1, 3, 120),
        "c": np.repeat(np.arange(10), 12),
        "s": np.repeat(["n", "s"], 60).astype(object),
        "label": np.tile(np.repeat(np.arange(5), 12), 2),
    }
    found = estimate_table(table, "q", "warner:3/4", by="g", weights="w", **options)
    return found, table


def test_differences_are_linearized_over_shared_clusters() -> None:
    found, table = weighted(clusters="c")
    z, w = 2 * table["q"] - 0.5, table["w"]
    for one in found.compared()[0].differences:
        value, influence = 0.0, np.zeros(120)
        for group, sign in ((one.first, 1), (one.second, -1)):
            own = table["g"] == group
            share = w[own] @ z[own] / w[own].sum()
            value += sign * share
            influence[own] = sign * w[own] * (z[own] - share) / w[own].sum()
        error = np.sqrt(10 * np.var(np.bincount(table["c"], influence), ddof=1))
        assert (one.estimate, one.standard_error) == pytest.approx((value, error), rel=1e-10)
        assert (one.degrees_of_freedom, one.method, one.exact) == (9, "Wald", False)
        assert one.p == pytest.approx(2 * stats.t.sf(abs(value) / error, 9), rel=1e-9)
        for ends, level in ((one.interval, 0.05), (one.simultaneous, 0.05 / 3)):
            half = stats.t.isf(level / 2, 9) * error
            assert ends == pytest.approx((value - half, value + half), rel=1e-9)


@few_rows(3)
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"clusters": "c"}, []),
        ({"clusters": "c", "strata": "s", "fpc": "1/2"}, ["completely observed"]),
        ({"clusters": "c", "strata": "s", "fpc": ("1/2", "1/2")}, []),
        ({"clusters": "label", "strata": "s"}, ["occur in several strata"]),
    ],
)
def test_remarks_on_the_design(options: dict[str, Any], said: list[str]) -> None:
    remarks = weighted(**options)[0].remarks()
    assert [any(words in remark for remark in remarks) for words in said] == [True] * len(said)
    assert len(remarks) == len(said)


def test_types_are_compliers_and_then_each_behaviour() -> None:
    samples = (Sample.of("warner:3/4", [1, 2]), Sample.of("forced:2/3,1/6,1/6", [3, 4]))
    types = Population(samples, behaviours("random + adversarial + monotone:always-no")).types()
    assert [(one.category, str(one.behaviour), one.laws) for one in types] == [
        (0, "None", ((F(3, 4), F(1, 4)), (F(5, 6), F(1, 6)))),
        (1, "None", ((F(1, 4), F(3, 4)), (F(1, 6), F(5, 6)))),
        *((j, "random", ((F(1, 2), F(1, 2)),) * 2) for j in (0, 1)),
        *((j, "adversarial", None) for j in (0, 1)),
        (1, "monotone:always-no", ((1, 0), (1, 0))),
    ]


@few_rows(1)
@pytest.mark.parametrize("model", ["logit", "probit", "linear", "multinomial"])
def test_a_prediction_of_a_row_with_a_missing_value_is_missing(model: str) -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=400)
    rows = {"z": np.where(rng.random(400) < 0.3 + 0.2 * (x > 0), 1, 0), "x": x}
    if model == "multinomial":
        rows["z"] = rng.integers(0, 3, 400)
    found = regress_table(rows, "z ~ x", "grr:3,2/3" if model == "multinomial" else "warner:3/4", model=model, starts=2)
    told = found.predict({"x": np.array([0.5, np.nan])}, interval=True)
    assert told.keys() == {"estimate", "standard_error", "low", "high"}
    for name, values in told.items():
        assert np.isfinite(values[0]).all(), name
    for name in ("estimate", "low", "high"):
        assert np.isnan(told[name][1]).all(), name
    assert (told["low"][0] < told["estimate"][0]).all()
    assert (told["estimate"][0] < told["high"][0]).all()


def test_without_a_standard_error_the_interval_gives_the_digits() -> None:
    """All say yes to a direct question: the standard error is 0, and a quarter of the interval is in its place."""
    found = estimate_table({"q": np.ones(400, int), "w": np.arange(400) % 3 + 1.0}, "q", "warner:1", weights="w")
    (one,) = found
    low, high = one.conf_int()
    assert 0 < low < high == 1
    ((_, _, rows), *_) = found.as_tables()
    assert rows[0][2] == rounded(1.0, decimal_places((high - low) / 4))
