"""``Responses`` and ``Sample`` against R's figures, against the estimates of tables, and against plain NumPy."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import isclose
from typing import Any

import numpy as np
import pytest
from fieldwork.test_weighted_estimates import CASES, FOLDER, Case, read_figures, sample_of
from later import later
from support.table_calls import table_estimate

import rropt
import rropt_fieldwork
from rropt import Estimates, Replicates, Responses, Sample
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.estimates.estimate_bases import DesignBasis
from rropt.mechanisms import OrbitMechanism
from rropt.mechanisms.subsets import Subsets

pd = later("pandas")
pl = later("polars")
pa = later("pyarrow")


def close(mine: Any, theirs: Any, rel: float = 1e-11) -> None:
    """Require equal numbers up to the order of sums."""
    one, other = (np.array([np.nan if x is None else float(x) for x in each]) for each in (mine, theirs))
    assert np.allclose(one, other, rtol=rel, atol=1e-14, equal_nan=True), (one, other)


# R's figures


def sample_for(case: Case, table: Any) -> Sample:
    told = {key: value for key, value in case.options.items() if key != "marginals"}
    told |= {"replicates": Replicates.of(told["replicates"])} if "replicates" in told else {}
    if isinstance(told.get("fpc"), list):
        told["fpc"] = tuple(told["fpc"])
    return Sample(table, **told)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_recorded_figures_of_r(case: Case) -> None:
    """Every design that R was told: proportions, totals, variances, degrees of freedom, of questions and tables."""
    table, figures = sample_of(FOLDER, case.sample), read_figures(FOLDER / "figures.csv")
    sample, columns, compared = sample_for(case, table), iter(case.columns.split()), 0
    for asked, mechanism, _ in case.asked:
        names = asked.split(",")
        own = Responses(names if len(names) > 1 else asked, mechanism, data=sample)
        found = own.proportions(case.by or None)
        basis = found[0].basis
        assert isinstance(basis, DesignBasis)
        for k in basis.columns:
            column = next(columns, None)
            if column is None:
                break
            means, totals = basis.moments(k), basis.totals().moments(k)
            rows = [one for one in found if (one.place % len(basis.columns)) == basis.columns.index(k)]
            for g, one in enumerate(rows):
                mean, variance, total, total_variance, _, freedom, low, high = figures[
                    case.name, column, one.group or "all"
                ]
                scale = 1e-13 * max(1.0, total_variance**0.5)
                assert isclose(float(one.estimate), mean, rel_tol=1e-12, abs_tol=1e-13)
                assert isclose(float(means.shrunk[g]), variance, rel_tol=1e-12, abs_tol=1e-15)
                assert isclose(float(totals.value[g]), total, rel_tol=1e-12, abs_tol=scale)
                assert isclose(float(totals.shrunk[g]), total_variance, rel_tol=1e-12)
                assert one.df == freedom
                if "fpc" not in case.options and case.lonely != "certainty":
                    close(one.conf_int(kind="mean"), (low, high), 1e-12)
                compared += 1
    assert compared == sum(key[0] == case.name for key in figures)


# the estimates of tables, on random surveys


def survey(rng: np.random.Generator) -> dict[str, Any]:
    """Return a random survey: three questions, a number, groups, a device, and a sampling design in two stages."""
    n = int(rng.integers(60, 200))
    stratum = rng.integers(0, 3, n)
    cluster = stratum * 10 + rng.integers(0, 6, n)
    sizes = np.bincount(cluster, minlength=30)
    units = np.array([len(set(cluster[stratum == h])) for h in range(3)])
    gaps = rng.random(n) < 0.05
    text = np.where(rng.random(n) < 0.4, "yes", "no").astype(object)
    text[gaps] = None
    return {
        "q": text,
        "p": np.where(rng.random(n) < 0.6, "yes", "no").astype(object),
        "often": np.array(["never", "once", "often"], object)[rng.integers(0, 3, n)],
        "x": REPORTS[rng.integers(0, len(REPORTS), n)],
        "group": np.array(["a", "b", "c"], object)[rng.integers(0, 3, n)],
        "deck": np.array(["A", "B"], object)[rng.integers(0, 2, n)],
        "w": np.where(rng.random(n) < 0.03, 0.0, rng.integers(1, 9, n) / 4),
        "stratum": stratum,
        "cluster": cluster,
        "clusters": 2 * units[stratum],
        "inside": 3.0 * sizes[cluster],
        "post": rng.integers(0, 2, n),
        **{f"r{i}": rng.integers(0, 3, n) * 1.0 for i in range(6)},
    }


DESIGNS: dict[str, dict[str, Any]] = {
    "weights": {"weights": "w"},
    "strata": {"weights": "w", "strata": "stratum", "single_psu": "adjust"},
    "clusters": {"weights": "w", "strata": "stratum", "clusters": "cluster", "single_psu": "certainty"},
    "average": {"weights": "w", "strata": "stratum", "clusters": "cluster", "single_psu": "average"},
    "stages": {"strata": "stratum", "clusters": "cluster", "fpc": ("clusters", "inside"), "single_psu": "adjust"},
    "post": {"weights": "w", "clusters": "cluster", "post_strata": "post"},
    "replicates": {"weights": "w", "replicates": "bootstrap:r0..r5"},
}
NUMBERS = rropt.design.mean([0, 1, 2, 3], epsilon="log(3)", fast=True).mechanism
REPORTS = np.array([float(x) for x in NUMBERS.output_values])
OFTEN = ["never", "once", "often"]
DECKS = {"A": "warner:3/4", "B": "warner:2/3"}


@pytest.mark.slow
def test_random_surveys(size: Callable[[int, int], int]) -> None:
    """Each estimand in each sample equals what `rropt.estimate` computes from the table, where it does."""
    rng = np.random.default_rng(107)
    for _ in range(size(1, 25)):
        data = survey(rng)
        for design, by in product(DESIGNS.values(), ("", "group")):
            _compare_design(data, design, by)
        _compare_simple(data)


def _compare_design(data: dict[str, Any], design: dict[str, Any], by: str) -> None:
    told = dict(design)
    sample = Sample(
        data, **{key: Replicates.of(value) if key == "replicates" else value for key, value in told.items()}
    )
    more = {**told, **({"by": by} if by else {})}
    for column, mechanism, labels in (
        ("q", "warner:3/4", ["no", "yes"]),
        ("often", "grr:3,1/2", ["never", "once", "often"]),
    ):
        old = table_estimate(mechanism, data=data, column=column, categories=labels, **more)
        new = Responses(column, mechanism, data=sample, labels=labels).proportions(by or None)
        _compare_estimates(new, old)
        for one, other in zip(new.totals, old.totals, strict=True):
            close((one.estimate, one.se, one.device_se), (other.estimate, other.se, other.device_se))
            for kind in one.kinds:
                close(one.conf_int(kind=kind), other.conf_int(kind=kind), 1e-9)
        if by:
            for mine, theirs in zip(new.compared(), old.compared(), strict=True):
                assert (mine.question, mine.category) == (theirs.question, theirs.category)
                _compare_tests(mine.test, theirs.test)
    numbers = NUMBERS
    old = table_estimate(numbers, data=data, column="x", **more)
    new = Responses("x", numbers, data=sample).mean(by or None)
    _compare_estimates(new, old)
    two = {"devices": "deck", "device_names": DECKS, "contrast": [0, 1], "categories": ["no", "yes"]}
    old = table_estimate(data=data, column="q", **two, **more)
    new = Responses("q", DECKS, data=sample, labels=["no", "yes"], assigned="deck").contrast([0, 1], by or None)
    _compare_estimates(new, old)


def _compare_estimates(new: Estimates, old: Estimates) -> None:
    """The estimates, those of all groups together, and the differences."""
    for one, other in zip((*new, *new.overall), (*old, *old.overall), strict=True):
        assert (one.group, one.category, one.n, one.kinds) == (other.group, other.category, other.n, other.kinds)
        close((one.estimate, one.se, one.df, one.device_se), (other.estimate, other.se, other.df, other.device_se))
        for kind in one.kinds:
            close(one.conf_int(kind=kind), other.conf_int(kind=kind))
    for one, other in zip(new.difference_rows(), old.difference_rows(), strict=True):
        texts = {key for key, value in one.items() if isinstance(value, str)}
        assert one.keys() == other.keys()
        assert {key: one[key] for key in texts} == {key: other[key] for key in texts}
        close(*([own[key] for key in one if key not in texts] for own in (one, other)))


def _compare_tests(found: Any, test: Any) -> None:
    assert (found is None) == (test is None)
    if found is not None:
        close((found.statistic, found.p_value), (test.statistic, test.p_value), 1e-8)


def _compare_simple(data: dict[str, Any]) -> None:
    """Fractions are equal, not only close."""
    labels = ["no", "yes"]
    old = rropt_fieldwork.TableResponses("q", "warner:3/4", data=data, categories=labels).estimate(by="group")
    new = Responses("q", "warner:3/4", data=data, labels=labels).proportions("group")
    assert (new.rows, new.overall) == (old.rows, old.overall)
    _compare_estimates(new, old)
    exact = rropt_fieldwork.TableResponses("q", "warner:3/4", data=data, categories=labels).estimate(
        by="group", test="exact"
    )
    for one, other in zip(new.differences(test="exact"), exact.differences(), strict=True):
        close((one.p_value, *one.conf_int()), (other.p_value, *other.conf_int()), 1e-12)
    told = Responses("often", "grr:3,1/2", data=data, labels=["never", "once", "often"]).proportions()
    counted = rropt_fieldwork.TableResponses(
        "often", "grr:3,1/2", data=data, categories=["never", "once", "often"]
    ).estimate(confidence="0.9")
    assert told.rows == counted.rows
    for one, other in zip(told, counted, strict=True):
        for kind in one.kinds:
            assert one.conf_int(confidence="0.9", kind=kind) == other.conf_int(confidence="0.9", kind=kind)
    exactly = np.array(counted.counted.covariance(), float).tolist()
    assert told.cov_params().tolist() == counted.cov_params().tolist() == exactly
    decks = {"devices": "deck", "device_names": DECKS}
    several = table_estimate(data=data, column="q", categories=labels, by="group", **decks)
    mixed = Responses("q", DECKS, data=data, labels=labels, assigned="deck")
    for one, other in zip(mixed.proportions("group"), several, strict=True):
        assert one == other
        close(one.conf_int(), other.conf_int(kind="hoeffding"))
    alone = table_estimate(data=data, column="q", categories=labels, contrast=[0, 1], **decks)
    (one,) = mixed.contrast([0, 1])
    assert (one.estimate, one.se) == (alone.estimate, alone.se)
    sample = Sample(data, weights=np.ones(len(data["q"])))
    (weighted,) = Responses("q", DECKS, data=sample, labels=labels, assigned="deck").contrast([0, 1])
    close((one.estimate, one.device_se), (weighted.estimate, weighted.device_se))
    joint = rropt_fieldwork.TableResponses(["q", "p"], "bits:3/4*2", data=data, categories=labels).estimate()
    cells = Responses(["q", "p"], "bits:3/4*2", data=data, labels=labels).proportions()
    assert cells.rows == joint.rows
    _compare_estimates(cells, joint)
    numbers = rropt_fieldwork.TableResponses("x", NUMBERS, data=data).estimate(by="group")
    means = Responses("x", NUMBERS, data=data).mean("group")
    _compare_estimates(means, numbers)


# what no other function estimates: plain NumPy as the oracle


def plain_variance(u: Any, w: Any, stratum: Any, cluster: Any, f: float) -> float:
    """Return V of a total of linearized variables, term by term."""
    total = 0.0
    for h in set(stratum.tolist()):
        sums = np.array(
            [(w * u)[(stratum == h) & (cluster == c)].sum() for c in sorted(set(cluster[stratum == h].tolist()))]
        )
        n = len(sums)
        total += (1 - f) * n / (n - 1) * ((sums - sums.mean()) ** 2).sum()
    return total


@pytest.mark.parametrize("f", [0.0, 0.25])
def test_contrasts_of_categories_in_a_complex_survey(f: float) -> None:
    """With weights and clusters, of one group and of two, from the definition."""
    rng = np.random.default_rng(4)
    n = 240
    cluster = np.repeat(np.arange(24), 10)
    stratum, w, y = cluster // 6, rng.uniform(0.5, 2, n), rng.integers(0, 3, n)
    group = np.where(rng.random(n) < 0.5, "a", "b")
    sample = Sample(weights=w, strata=stratum, clusters=cluster, **({"fpc": f} if f else {}))
    told = Responses(y, "grr:3,1/2", data=sample)
    L = np.linalg.inv(np.array(rropt.Mechanism("grr:3,1/2").matrix, float))
    z = L[:, y]
    c = np.array([-1.0, 0.0, 1.0])
    score = c @ z
    W = w.sum()
    value = (w * score).sum() / W
    noise = f * (w**2 * (score**2 - c**2 @ z)).sum() / W**2
    variance = plain_variance((score - value) / W, w, stratum, cluster, f) + noise
    named, whole = told.proportions().contrast({"2": 1, "0": -1}), told.contrast([-1, 0, 1])
    for one in (named, whole):
        close((one.estimate, one.se, one[0].df), (value, variance**0.5, 20))
    found = told.proportions(group)
    u, expected, left = np.zeros(n), 0.0, 0.0
    for name, weights in (("a", {0: -1.0, 2: 1.0}), ("b", {1: 2.0})):
        own = group == name
        below = w[own].sum()
        total = sum(weight * z[k] for k, weight in weights.items())
        mean = (w * total)[own].sum() / below
        expected += mean
        u += np.where(own, (total - mean) / below, 0.0)
        square = sum(weight**2 * z[k] for k, weight in weights.items())
        left += f * (w**2 * (total**2 - square))[own].sum() / below**2
    made = found.contrast({("a", "0"): -1, ("a", "2"): 1, ("b", "1"): 2})
    close((made.estimate, made.se), (expected, (plain_variance(u, w, stratum, cluster, f) + left) ** 0.5))
    V = found.cov_params()
    close(np.diag(V), [one.se**2 for one in found])
    weights_of_rows = np.array([-1, 0, 1, 0, 2, 0])
    close([weights_of_rows @ V @ weights_of_rows], [made.se**2])


def test_sets_with_weights_and_groups() -> None:
    """Responses that are sets, in a sample with clusters: the mean of the two scores of each category."""
    rng = np.random.default_rng(7)
    mechanism = OrbitMechanism.subset_selection(6, 2, "5/2")
    sets = [tuple(sorted(rng.choice(6, 2, replace=False).tolist())) for _ in range(300)]
    texts = np.array(["&".join("abcdef"[j] for j in one) for one in sets], object)
    w, cluster = rng.uniform(1, 3, 300), np.repeat(np.arange(30), 10)
    told = Responses(texts, mechanism, data=Sample(weights=w, clusters=cluster), labels=list("abcdef"))
    inverse = np.linalg.pinv(np.array(rropt.Mechanism(mechanism).matrix, float))
    plain = Responses(texts, mechanism, labels=list("abcdef"))
    old = rropt_fieldwork.TableResponses("s", mechanism, data={"s": texts}, categories=list("abcdef")).estimate()
    for j, one in enumerate(told.proportions()):
        inside = np.array([j in own for own in sets])
        on, off = inverse[j].max(), inverse[j].min()
        z = np.where(inside, on, off)
        value = (w * z).sum() / w.sum()
        variance = plain_variance((z - value) / w.sum(), w, np.zeros(300, int), cluster, 0.0)
        close((one.estimate, one.se), (value, variance**0.5), 1e-9)
    for one, other in zip(plain.proportions(), old, strict=True):
        assert (one.estimate, one.se, one.device_se) == (other.estimate, other.se, other.device_se)
    assert plain.proportions().contrast({"a": 1, "b": -1}).estimate == plain.contrast([1, -1, 0, 0, 0, 0]).estimate


def test_a_contrast_of_a_simple_sample_is_exact() -> None:
    told = Responses.from_counts([50, 30, 20], "grr:3,1/2", categories=["no", "once", "often"])
    found, own = told.proportions(), told.contrast([0, -1, 1])
    named = found.contrast({"often": 1, "once": -1})
    assert named.estimate == own.estimate == Fraction(-2, 5)
    assert isclose(own.se**2, float(np.array([0, -1, 1]) @ found.cov_params() @ np.array([0, -1, 1])), rel_tol=1e-14)
    assert named.conf_int()[0] == own.conf_int()[0]
    rows = ["no"] * 50 + ["once"] * 30 + ["often"] * 20
    grouped = Responses(rows, "grr:3,1/2", labels=["no", "once", "often"]).contrast([0, -1, 1])
    assert (grouped.estimate, grouped.se) == (own.estimate, own.se)


def test_welch_has_the_fraction_of_satterthwaite() -> None:
    """As `t.test` in R and SciPy: the degrees of freedom are not rounded down."""
    from scipy.stats import ttest_ind

    rng = np.random.default_rng(5)
    design = rropt.design.mean([0, 1, 2, 3], epsilon="log(3)", fast=True).mechanism
    z = np.array([float(x) for x in design.output_values])[rng.integers(0, design.outputs, 330)]
    group = np.where(rng.random(330) < 0.4, "a", "b")
    (found,) = Responses(z, design).mean(group).differences()
    theirs = ttest_ind(z[group == "a"], z[group == "b"], equal_var=False)
    assert isclose(found.p_value, theirs.pvalue, rel_tol=1e-12)
    assert isclose(found.df, theirs.df, rel_tol=1e-12)
    assert found.df % 1


def test_one_question_has_one_guaranteed_interval() -> None:
    """However its column is named: alone, in a list, as a marginal, and in a group of everybody."""
    y = ["yes"] * 40 + ["no"] * 60
    data = {"q1": np.array(y, object), "q2": np.array(y[::-1], object), "g": np.array(["all"] * 100, object)}
    told = {"data": data, "labels": ["no", "yes"]}
    ways = [
        Responses("q1", "warner:3/4", **told).proportions(),
        Responses(["q1"], "bits:3/4*1", **told).proportions(),
        Responses(["q1", "q2"], "bits:3/4*2", **told).proportions(marginals=1)[:1],
        Responses("q1", "warner:3/4", **told).proportions("g"),
        Responses.from_counts([60, 40], "warner:3/4").proportions(),
    ]
    ends = {tuple(map(float, rows[0].conf_int())) for rows in ways}
    assert len(ends) == 1
    assert {rows[0].kinds[0] for rows in ways} == {"exact"}


# how data are given


def test_forms_of_data() -> None:
    """The same numbers from dictionaries, pandas, Polars, Arrow, lists and NumPy; with values that mean the same."""
    y = ["yes", "no", "yes", "no", "no", None, "yes"]
    g = ["n", "n", "s", "s", "s", "n", "s"]
    frames = [
        {"q": np.array(y, object), "g": np.array(g, object)},
        {"q": y, "g": g},
        pd.DataFrame({"q": y, "g": g}),
        pd.DataFrame({"q": pd.Categorical(y), "g": pd.Categorical(g)}),
        pl.DataFrame({"q": y, "g": g}),
        pa.table({"q": y, "g": g}),
    ]
    found = [Responses("q", "warner:3/4", data=frame, labels=["no", "yes"]).proportions("g") for frame in frames]
    assert all(one == found[0] for one in found)
    assert [one.n for one in found[0]] == [2, 4]
    arrays = Responses(pl.Series("q", y), "warner:3/4", labels=["no", "yes"]).proportions(pd.Series(g, name="g"))
    assert arrays == found[0]
    numbers = [[1, 0, 1], [1.0, 0.0, 1.0], [True, False, True], ["1", "0", "1.0"], np.array([1, 0, 1])]
    assert {Responses(one, "warner:3/4").proportions().estimate for one in numbers} == {Fraction(5, 6)}
    assert len(Responses([1.0, float("nan"), 0], "warner:3/4").proportions().remarks()) == 1
    series = pd.Series(["yes", "no", "yes"]).value_counts()
    assert Responses.from_counts(series, "warner:3/4", labels=["no", "yes"]).counts == (1, 2)


def test_a_sample_of_arrays_has_no_names() -> None:
    """Texts in a list are then values, of responses and of groups; a text alone is a name that does not exist."""
    sample = Sample(weights=[1.0, 2.0, 1.0, 3.0], strata=["a", "a", "b", "b"])
    told = Responses(["no", "yes", "yes", "no"], "warner:3/4", data=sample, labels=["no", "yes"])
    found = told.proportions(["n", "s", "s", "n"])
    assert [(one.group, one.n) for one in found] == [("n", 2), ("s", 2)]
    with pytest.raises(InvalidParameterError, match="`by` names a column, and there are no data: received 'region'"):
        told.proportions("region")


def test_labels_are_not_categories() -> None:
    """A crosswise response says nothing by itself: who reads the result needs the names of the truth."""
    y = ["same"] * 198 + ["different"] * 112
    with pytest.raises(InvalidParameterError, match=r"no answers to the question: received only `labels`; give both"):
        Responses(y, "crosswise:1/4", labels=["different", "same"])
    with pytest.raises(InvalidParameterError, match="received only `categories`"):
        Responses(y, "crosswise:1/4", categories=["no", "plagiarism"])
    found = Responses(y, "crosswise:1/4", labels=["different", "same"], categories=["no", "plagiarism"]).proportions()
    assert (found[0].category, found.estimate) == ("plagiarism", Fraction(69, 310))
    assert Responses(["no", "yes"], "warner:3/4", labels=["no", "yes"]).proportions()[0].category == "yes"


def test_domains_keep_the_sample() -> None:
    """A selection is a domain, as `subset` of a design in R: other rows count for the variance."""
    data = survey(np.random.default_rng(2))
    design = DESIGNS["clusters"]
    told = Responses("q", "warner:3/4", data=Sample(data, **design), labels=["no", "yes"])
    one = told.where(data["x"] >= 1).proportions()
    selected = rropt_fieldwork.read(data, where="x >= 1")
    old = table_estimate("warner:3/4", data=selected, column="q", categories=["no", "yes"], **design)
    close((one.estimate, one.se, one[0].n), (old.estimate, old.se, old[0].n))
    assert told.where(data["x"] >= 1).where(data["w"] < 2).proportions()[0].n < one[0].n


def test_a_result_is_read_again() -> None:
    data = survey(np.random.default_rng(3))
    sample = Sample(data, weights="w", clusters="cluster")
    results = [
        Responses("q", "warner:3/4", data=sample, labels=["no", "yes"]).proportions("group"),
        Responses("q", "warner:3/4", data=sample, labels=["no", "yes"]).proportions("group").differences(),
        Responses("often", "grr:3,1/2", data=data, labels=["never", "once", "often"]).proportions(),
        Responses(["q", "p"], "bits:3/4*2", data=data, labels=["no", "yes"]).proportions("group"),
        Responses.from_counts([60, 40], "warner:3/4").proportions(),
        Responses.from_counts([60, 40], "warner:3/4").contrast([1, 3]),
    ]
    for one in results:
        again = Estimates.from_dict(json.loads(json.dumps(one.to_dict())))
        assert again == one
        assert repr(again) == repr(one)
        assert again.to_dict() == one.to_dict()
        assert hash(again) == hash(one)
        copied = pickle.loads(pickle.dumps(one))
        assert copied == one
        assert [*map(tuple, np.asarray(copied.conf_int(confidence=0.9)))] == [
            *map(tuple, np.asarray(one.conf_int(confidence=0.9)))
        ]
        assert one.to_frame().columns.tolist()[0] == "name"
        assert len(pl.DataFrame(one.to_dicts())) == len(one)
        assert "<table" in one._repr_html_()
        assert r"\begin{tabular}" in one.to_latex()
    assert again.conf_int(confidence=0.9) == results[-1].conf_int(confidence=0.9)  # computed again from its counts
    grouped = Estimates.from_dict(results[0].to_dict())
    assert grouped.cov_params().tolist() == results[0].cov_params().tolist()
    with pytest.raises(InvalidParameterError, match=r"a file of estimates has no intervals at the confidence 0\.9"):
        grouped.conf_int(confidence=0.9)


def test_numbers_and_names_that_are_drawn_are_taken_in() -> None:
    """A number design gives numbers, a labelled one its labels, in a Series of pandas for a Series."""
    made = rropt.design.mean([0, 1, 2, 3], epsilon="log(3)", fast=True).mechanism
    drawn = made.simulate(np.arange(400) % 4, rng=5)
    assert set(drawn) <= set(map(float, made.output_values))
    assert float(Responses(drawn, made).mean().estimate) == pytest.approx(drawn.mean())
    assert made.simulate(3, rng=5) in drawn
    named = rropt.Mechanism.grr(["no", "once"], epsilon=1)
    plain = rropt.Mechanism.grr(2, epsilon=1)
    codes = plain.simulate([0, 1] * 30, rng=2)
    for given in (["no", "once"] * 30, [0, 1] * 30, np.array(["no", "once"] * 30)):
        texts = named.simulate(given, rng=2)
        assert texts.tolist() == [("no", "once")[code] for code in codes]
        assert Responses(texts, named).proportions().estimate == Responses(codes, plain).proportions().estimate
    assert named.randomize("no") in ("no", "once")
    with pytest.raises(InvalidParameterError, match="another text at position 1") as refused:
        named.randomize(["no", "secret"])
    assert "secret" not in str(refused.value)
    pd = pytest.importorskip("pandas")
    series = named.simulate(pd.Series(["no", "once"], index=[7, 9], name="sick"), rng=5)
    assert (series.name, list(series.index)) == ("sick", [7, 9])


@pytest.mark.parametrize("device", ["subset:5,2,3/4", "subset:30,5,3/4", "sue:4,3/4", "kuk:3/4,1/4,2"])
def test_what_randomize_gives_out_is_taken_in(device: str) -> None:
    """Numbers of outputs, small and large; of sets they are the same as the sets as they are written."""
    made = rropt.Mechanism(device)
    reports = [made.simulate(i % made.inputs, rng=i) for i in range(60)]
    found = Responses(reports, made).proportions()
    if device.startswith("subset"):
        large = Subsets.of(made)  # whose outputs have another order
        sets = list(combinations(range(made.inputs), 2)) if large is None else large
        texts = ["&".join(map(str, sets[i])) for i in reports]
        assert found.rows == Responses(texts, made).proportions().rows
    elif made.outputs == 16:
        counts = np.bincount(reports, minlength=16).tolist()
        assert [one.estimate for one in found] == [*rropt.inference.estimate(made, counts).estimate]
    with pytest.raises(InvalidParameterError, match="no response"):
        Responses([0, made.outputs], made)


def test_vectors() -> None:
    found = Responses(["a", "b", "a", "b", "a"], "warner:3/4", labels=["a", "b"]).proportions(["n", "s", "n", "s", "s"])
    north, south = found.params
    assert found.params["n"] == north == found["n"].estimate == found[0].estimate
    assert np.asarray(found.bse).shape == (2,)
    assert np.asarray(found.conf_int()).shape == (2, 2)
    assert found.conf_int().to_series().loc["s", "low"] == float(found["s"].conf_int()[0])
    assert f"{found['s']:.3f}" == f"{float(south):.3f}"
    assert found.nobs == 5
    with pytest.raises(KeyError, match=r"there is no 'west': allowed are 'n', 's'"):
        found["west"]
    with pytest.raises(InvalidParameterError, match=r"`estimate` is of one estimate: received 2; choose one"):
        _ = found.estimate


Y, W = ["no", "yes", "no"], [1.0, 2.0, 1.0]
REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: Responses("q", "warner:3/4"), "`values` names a column, and there are no data"),
    (lambda: Responses("z", "warner:3/4", data={"q": Y}), "no column for `values`: received 'z'; allowed are 'q'"),
    (lambda: Responses(Y, "warner:3/4"), "values that are no response: received 'no', 'yes'; allowed are '0', '1'"),
    (lambda: Responses(Y, "warner:3/4", labels=["no"]), "the labels do not fit the mechanism: received 'no'"),
    (lambda: Responses(Y, {"A": "warner:3/4"}), "several mechanisms and `assigned` belong together"),
    (lambda: Responses(Y, {"A": "warner:3/4"}, labels=["no", "yes"], assigned=["A", "B", "A"]), "`assigned` names no"),
    (lambda: Responses([None, None], "warner:3/4"), "nobody answered 'response'"),
    (lambda: Responses(Y, "warner:3/4", labels=["no", "yes"], data=Sample(weights=[1.0, 2.0])), "different numbers of"),
    (lambda: Sample(weights=[1.0, -2.0]), "no number: received -2.0 in row 1; allowed are numbers from 0"),
    (lambda: Sample(weights=["1,5", "2"]), "`weights` has 1 value that is no number: received '1,5' in row 0"),
    (lambda: Sample(weights=[0.0, 0.0]), "the weights are all 0"),
    (lambda: Sample(), "a sample has no column"),
    (lambda: Sample(weights=W, strata=["a", None, "b"]), "`strata` misses 1 value: received none in row 1"),
    (lambda: Sample(weights=W, strata=["a", "b"]), "different numbers of rows: received strata 2, weights 3"),
    (
        lambda: Sample(strata=["a"] * 3, replicates=Replicates("jk1", [W, W])),
        "replicate weights stand beside",
    ),
    (lambda: Responses(Y, "warner:3/4", labels=["no", "yes"]).mean(), "the mechanism has no numbers"),
    (
        lambda: Responses(Y, "warner:3/4", labels=["no", "yes"]).proportions().totals,
        "totals need a sample with",
    ),
    (lambda: Responses(Y, "warner:3/4", labels=["no", "yes"]).proportions().differences(), "there are no groups to"),
    (lambda: Responses(Y, "warner:3/4", labels=["no", "yes"]).proportions().conf_int(confidence=0.05), "below 1/2"),
    (
        lambda: Responses.from_counts({"maybe": 3}, "warner:3/4"),
        "names of no response: received 'maybe'",
    ),
    (lambda: Responses.from_counts([3, 4], "warner:3/4").proportions("g"), "counts have no groups"),
    (lambda: Responses(Y, "warner:3/4", labels=["no", "yes"]).where([1, 0, 1]), "`where` is no condition"),
    (lambda: _strata(Y, ["a", "b", "b"], {}), "1 of 2 strata have one row, the first is 'a'"),
    (
        lambda: _strata(Y, ["a", "a", "a"], {"fpc": [2.0, 3.0, 2.0]}),
        "not the same in all rows of a stratum",
    ),
    (
        lambda: Responses.from_counts([5, 3, 2], "grr:3,1/2").proportions().contrast([1, -1, 0]),
        "of another kind: received [1, -1, 0], of type list; allowed is a Mapping; write {'0': 1, '1': -1}",
    ),
    (lambda: _strata(Y, ["a", "a", "a"], {"fpc": [2.0] * 3}), "smaller than the sample: received 2 for stratum 'a'"),
]


def _strata(values: Any, strata: Any, more: dict[str, Any]) -> object:
    sample = Sample(weights=W, strata=strata, **more)
    return Responses(values, "warner:3/4", labels=["no", "yes"], data=sample).proportions()


@pytest.mark.parametrize("place", range(len(REFUSED)))
def test_what_is_refused(place: int) -> None:
    call, told = REFUSED[place]
    with pytest.raises(InvalidParameterError) as caught:
        call()
    assert told in str(caught.value)


def test_large_tables_are_refused() -> None:
    columns = [np.zeros(4, int)] * 13
    with pytest.raises(UnsupportedProblemError, match="a table has too many cells: received 8192"):
        Responses(columns, "bits:3/4*13", data=Sample(weights=[1.0] * 4)).proportions()


_IN_THE_PLACE_OF_COUNTS = {
    "texts": lambda: ["SECRET", "no"],
    "digits": lambda: ["1", "0"],
    "column": lambda: pd.Series(["SECRET", "no"]),
    "index": lambda: pd.Series([1, 0], index=["SECRET", "Bob"]),
    "table": lambda: pd.DataFrame({"SECRET": [1, 0]}),
}


@pytest.mark.parametrize("kind", _IN_THE_PLACE_OF_COUNTS)
def test_responses_in_the_place_of_counts_are_not_quoted(kind: str) -> None:
    """A message says what to write, and tells no response and no name of a respondent."""
    with pytest.raises(InvalidParameterError, match=r"rropt\.Responses") as caught:
        rropt.estimate(_IN_THE_PLACE_OF_COUNTS[kind](), "warner:3/4")
    assert not re.search(r"SECRET|Bob|received '[01]'", str(caught.value))
