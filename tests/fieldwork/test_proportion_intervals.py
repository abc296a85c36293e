"""Intervals of weighted proportions: known values, the range [0, 1], extreme responses, many groups, coverage."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from table_calls import estimate_table

from rropt.core.errors import InvalidParameterError
from rropt.estimates.estimated import Estimate, Estimates
from rropt.inference.linearization import Sampled
from rropt.inference.proportion_intervals import Proportions, _wilson, proportion_intervals, t_quantile
from rropt.inference.sample_domains import Domains

LEVEL = Fraction(19, 20)


def weighted(table: dict[str, Any], mechanism: str, **options: Any) -> Estimates:
    """Return the weighted estimates of the column y."""
    columns = {name: np.array(values) for name, values in table.items()}
    return estimate_table(columns, "y", mechanism, **options)


def only(found: Estimates) -> Estimate:
    """Return the only estimate."""
    (one,) = found
    return one


def intervals(one: Estimate) -> dict[str, tuple[float, float]]:
    """Return the intervals by kind."""
    return {kind: tuple(one.conf_int(kind=kind)) for kind in one.kinds}  # type: ignore[arg-type]


def test_clopper_pearson_of_an_effective_sample() -> None:
    """n - 1 respondents in the place of n: binom.test(2, 10) of R is that of eleven equal weights with t = 0.2."""
    arguments = (0.2, 0.2 * 0.8 / 10, 11.0, 10.0, 0.0, 1.0)
    ends, m = proportion_intervals(*(np.array([x]) for x in arguments), LEVEL)  # type: ignore[arg-type]
    assert m[0] == pytest.approx(10)
    assert [float(end[0]) for end in ends["beta"]] == pytest.approx([0.02521073, 0.55609546], abs=1e-8)


def test_wilson_ends_are_the_roots_of_the_score_equation() -> None:
    t, m = np.array([0.2, 0.5, 0.01, 0.9]), np.array([10.0, 3.0, 7.0, 400.0])
    p = Proportions(t, t * (1 - t) / m, m + 1, m, 0.05)
    for end in _wilson(p):
        assert (t - end) ** 2 == pytest.approx(p.quantile**2 * end * (1 - end) / p.size, rel=1e-9)
        assert (end > 0).all()
        assert (end < 1).all()
    assert (_wilson(p)[0] < t).all()
    assert (_wilson(p)[1] > t).all()


@pytest.mark.parametrize("answer", [0, 1])
@pytest.mark.parametrize("mechanism", ["warner:1", "warner:3/4", "forced:2/3,1/6,1/6"])
def test_all_responses_equal(mechanism: str, answer: int) -> None:
    """The estimated variance is 0, and the interval has a width: that of n respondents."""
    rng = np.random.default_rng(1)
    table = {"y": [answer] * 30, "w": rng.uniform(0.5, 2, 30), "c": [i // 5 for i in range(30)]}
    one = only(weighted(table, mechanism, weights="w", clusters="c"))
    assert "logit" not in one.kinds
    assert one.se < 1e-12
    lower, upper = one.conf_int()
    assert (lower, upper)[answer] == answer
    if mechanism == "warner:1":  # of n = 30 respondents, with 5 degrees of freedom instead of 29
        size = 30 * (t_quantile(np.array([29.0]), 0.05)[0] / t_quantile(np.array([5.0]), 0.05)[0]) ** 2
        assert upper - lower == pytest.approx(1 - 0.025 ** (1 / size), rel=1e-9)
    else:
        assert 0 <= lower <= upper <= 1


def test_a_census() -> None:
    """Where all were asked a direct question nothing is unknown; a randomizing device still randomizes."""
    table = {"y": [0, 1] * 10, "s": ["a"] * 10 + ["b"] * 10}
    direct = only(weighted(table, "warner:1", strata="s", fpc=1.0))
    assert set(intervals(direct).values()) == {(0.5, 0.5)}
    private = only(weighted(table, "warner:3/4", strata="s", fpc=1.0))
    lower, upper = private.conf_int()
    assert 0 <= lower < 0.5 < upper <= 1


@pytest.mark.slow
def test_small_surveys_stay_inside(size: Callable[[int, int], int]) -> None:
    """Every kind but `mean` stays in [0, 1]; `mean` leaves it in more than half of these surveys."""
    rng, turns, left = np.random.default_rng(3), size(30, 400), 0
    for turn in range(turns):
        mechanism = ("warner:3/4", "forced:2/3,1/6,1/6", "grr:3,1/2")[turn % 3]
        answers = rng.integers(0, 3 if turn % 3 == 2 else 2, 24)
        table = {"y": answers, "w": rng.uniform(0.2, 3, 24), "c": np.arange(24) // 4}
        for one in weighted(table, mechanism, weights="w", clusters="c"):
            for name, (lower, upper) in intervals(one).items():
                if name != "mean":
                    assert 0 <= lower <= upper <= 1, (turn, name)
            lower, upper = one.conf_int(kind="mean")
            left += lower < 0 or upper > 1
    assert left > turns / 2


def test_devices_of_different_ranges() -> None:
    """t is the place of the estimate between the least and the greatest one that the devices allow."""
    table = {"y": [0, 1, 1, 0, 1, 0, 0, 1], "w": [1.0, 2, 1, 1, 3, 1, 2, 1], "d": ["warner:3/4", "warner:5/6"] * 4}
    columns = {name: np.array(values) for name, values in table.items()}
    found = estimate_table(columns, "y", devices="d", weights="w")
    one = only(found)
    w = np.array(table["w"]) / sum(table["w"])
    slack = np.where(np.arange(8) % 2 == 0, 0.5, 0.25)  # (1 - p)/(2 p - 1)
    low, high = float((w * -slack).sum()), float((w * (1 + slack)).sum())
    numbers = (one.estimate, one.se**2, 8.0, 7.0, low, high)
    ends, _ = proportion_intervals(*(np.array([x]) for x in numbers), LEVEL)  # type: ignore[arg-type]
    assert tuple(one.conf_int()) == pytest.approx(tuple(float(end[0]) for end in ends["beta"]), rel=1e-12)


@pytest.mark.slow
def test_groups_are_estimated_as_if_alone() -> None:
    """Many domains at once, with post-strata and clusters, equal each by itself; people are shown the first."""
    rng, n = np.random.default_rng(5), 900
    table = {
        "y": rng.integers(0, 2, n),
        "w": rng.integers(1, 9, n) / 8,
        "c": rng.integers(0, 40, n),
        "p": rng.integers(0, 3, n),
        "g": rng.integers(0, 60, n),
    }
    for options in ({}, {"clusters": "c"}, {"clusters": "c", "post_strata": "p"}, {"post_strata": "p"}):
        found = weighted(table, "warner:3/4", weights="w", by="g", **options)
        assert len(found) == 60
        for number in (0, 17, 59):
            marked = {**table, "g": np.where(table["g"] == number, "in", "out")}
            mine, other = found[str(number)], weighted(marked, "warner:3/4", weights="w", by="g", **options)["in"]
            assert mine.se == pytest.approx(other.se, rel=1e-9)
            assert mine.total.se == pytest.approx(other.total.se, rel=1e-9)
            assert mine.df == other.df
        (_, _, rows), _ = found.as_tables()
        assert (len(rows), rows[-1][0]) == (41, "and 20 more")
        assert Estimates.from_json(found.to_json()) == found


def test_no_average_of_single_clusters_alone() -> None:
    """A group that is seen in strata with one cluster only has no variance by `average`: it is named."""
    table = {"y": [0, 1] * 4, "s": list("aaaabbcc"), "c": [1, 1, 2, 2, 3, 3, 4, 4], "g": list("xxxxyyyy")}
    options = {"strata": "s", "clusters": "c", "by": "g"}
    with pytest.raises(
        InvalidParameterError, match=r"strata with one cluster alone in 'y', of which there is no average"
    ):
        weighted(table, "warner:3/4", single_psu="average", **options)
    assert len(weighted(table, "warner:3/4", single_psu="certainty", **options)) == 2


def test_coverage_of_the_recommended_interval(size: Callable[[int, int], int]) -> None:
    """Three strata of four clusters, rare trait, Warner's device: beta covers, and `mean` covers less."""
    rng, surveys, clusters, inside, prevalence = np.random.default_rng(11), size(2000, 40_000), 4, 6, 0.05
    size_of = 19.0  # an intraclass correlation of 0.05
    chance = rng.beta(prevalence * size_of, (1 - prevalence) * size_of, (surveys, 3 * clusters))
    truth = rng.random((surveys, 3 * clusters, inside)) < chance[..., None]
    answers = np.where(rng.random(truth.shape) < 0.75, truth, ~truth).ravel().astype(np.int64)
    cluster = np.repeat(np.arange(surveys * 3 * clusters), inside)
    weight = rng.uniform(0.5, 1.5, len(cluster))
    design = np.full(3 * surveys, 4.0), np.zeros(3 * surveys), np.arange(surveys * 3 * clusters) // clusters
    sample = Sampled(weight, weight**2, cluster // clusters, cluster, None, *design)
    one, names = np.ones(len(cluster), np.int64), list(map(str, range(surveys)))
    inverse = np.linalg.inv(np.array([[0.75, 0.25], [0.25, 0.75]]))
    made = Domains(sample, one, cluster // (3 * clusters), answers >= 0, names)
    found = made.means(inverse[1][answers])
    low, high = (np.full(surveys, float(end)) for end in (min(inverse[1]), max(inverse[1])))
    ends, _ = proportion_intervals(found.value, found.variance, made.n, made.freedom, low, high, LEVEL)
    covered = {
        kind: np.mean((ends[kind][0] <= prevalence) & (prevalence <= ends[kind][1])) for kind in ("beta", "mean")
    }
    noise = 3 * (0.05 * 0.95 / surveys) ** 0.5
    assert covered["beta"] > 0.93 - noise
    assert covered["beta"] > covered["mean"]
