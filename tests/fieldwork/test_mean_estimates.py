"""The mean of a number from reports: definitions, hand-made variances of complex surveys, and simulated coverage."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import log, sqrt
from pathlib import Path
from statistics import NormalDist, mean, variance
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from support.table_calls import table_estimate

import rropt
import rropt_fieldwork
from rropt.answers.responses import Responses
from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt.designs.known_reports import threshold_cards
from rropt.designs.mean_designs import conditional_variances
from rropt.estimates.estimate_bases import GroupsBasis
from rropt.estimates.estimated import Estimates
from rropt.estimates.from_counts import estimate_of_options
from rropt.mechanisms import Mechanism
from rropt.plans.mean_plans import plan_mean, variance_of_report

F = Fraction
CARDS = threshold_cards([F(x) for x in (1, 2, 3, 4, 5)], F(2))
TRUTH = Mechanism([[1, 0, 0], [0, 1, 0], [0, 0, 1]]).valued([0, F(1, 2), 3], [0, F(1, 2), 3])


def table(rows: int, seed: int = 1, **columns: Any) -> dict[str, Any]:
    """Return a table of randomized reports of scores."""
    rng = np.random.default_rng(seed)
    true = rng.choice(5, rows, p=[0.1, 0.2, 0.4, 0.2, 0.1])
    matrix = CARDS.to_numpy()
    reports = [CARDS.responses[rng.choice(CARDS.outputs, p=matrix[:, j])] for j in true]
    return {"score": np.array(reports, object), **columns}


def ends(one: Any, kind: str) -> tuple[float, float]:
    """Return the interval of a kind."""
    low, high = one.conf_int(kind=kind)
    return low, high


def test_the_mean_of_the_reports_and_its_error() -> None:
    from scipy.stats import t as student

    """Against Python's own statistics of the listed reports, and Student's t of SciPy."""
    data = table(200, region=np.array(["N", "S"] * 100, object))
    found = rropt_fieldwork.TableResponses("score", CARDS, data=data).estimate(by="region")
    assert [one.group for one in found] == ["N", "S"]
    values = [F(text) for text in data["score"]]
    for one, own in zip([*found, *found.overall], [values[::2], values[1::2], values], strict=True):
        assert one.n == len(own)
        assert one.estimate == mean(own)
        assert one.se == pytest.approx(sqrt(variance(own) / len(own)), rel=1e-12)
        half = student.ppf(0.975, len(own) - 1) * one.se
        assert one.df == len(own) - 1
        assert ends(one, "t") == pytest.approx((one.estimate - half, one.estimate + half), rel=1e-9)
        assert one.device_se == pytest.approx(sqrt(33.25 / len(own)), rel=1e-12)  # V is the same for each score
        low, high = ends(one, "guaranteed")
        assert low <= one.estimate <= high or not 1 <= one.estimate <= 5
    assert Estimates.from_json(found.to_json()) == found


def test_equal_reports_are_remarked() -> None:
    """Their t-interval has no width, although the device alone has an error of sqrt(33.25/30) = 1.05."""
    data = table(60, region=np.array(["N", "S"] * 30, object), w=np.array([0.1, 0.7, 1.3] * 20))
    assert rropt_fieldwork.TableResponses("score", CARDS, data=data).estimate(by="region").remarks() == ()
    data["score"][::2] = data["score"][0]
    (told,) = rropt_fieldwork.TableResponses("score", CARDS, data=data).estimate(by="region").remarks()
    assert "all equal in 'N':" in told
    assert "about 1.1;" in told
    assert told.endswith("use the guaranteed interval; differences of groups are not tested")
    (told,) = (
        rropt_fieldwork.TableResponses("score", CARDS, data=rropt_fieldwork.read(data).sampled(weights="w"))
        .estimate(by="region")
        .remarks()
    )
    assert "all equal in 'N':" in told
    assert told.endswith("check the reports; the differences of these groups from others are not tested")
    weighted = rropt_fieldwork.TableResponses(
        "score", CARDS, data=rropt_fieldwork.read(data).sampled(weights="w")
    ).estimate(by="region")
    assert [one.p_value for one in weighted.differences()] == [None]


@pytest.mark.parametrize(("n", "spread"), [(2, "7"), (40, "1/3"), (5000, "5"), (10**6, "1/100"), (10**6, "9")])
def test_the_guaranteed_interval_is_the_shorter_of_two(n: int, spread: str) -> None:
    """Hoeffding (1963), Theorem 2, and Maurer and Pontil (2009), Theorem 4, at half the error each, on two sides."""
    cards = threshold_cards([F(x) for x in (0, 50, 100)], F(2))
    reach, error = float(max(cards.output_values) - min(cards.output_values)), 0.05 / 4
    halves = [reach * sqrt(log(1 / error) / (2 * n))]
    halves.append(sqrt(2 * F(spread) * log(2 / error) / n) + 7 * reach * log(2 / error) / (3 * (n - 1)))

    def guaranteed(center: int, spread: Fraction | None, n: int) -> Any:
        """Return the interval of a mean and a variance of the reports."""
        found = Responses.from_counts([1] * cards.outputs, cards).mean()[0]
        means = SimpleNamespace(n=[n], value=np.array([[F(center)]]), variance=np.array([[spread and spread / n]]))
        basis = replace(found.basis, means=means)
        assert isinstance(basis, GroupsBasis)
        return basis.ends(0, "guaranteed", F(19, 20))

    both = max(50 - min(halves), 0), min(50 + min(halves), 100)
    assert guaranteed(50, F(spread), n) == pytest.approx(both, rel=1e-12)
    assert guaranteed(50, None, n) == pytest.approx((max(50 - halves[0], 0), min(50 + halves[0], 100)))
    assert guaranteed(130, F(spread), 10**6) == (100, 100)


def test_differences_of_groups() -> None:
    """Welch's test and interval of SciPy; with equal weights the same differences and errors."""
    from scipy.stats import ttest_ind

    rows = 240
    data = table(rows, region=np.array(["N", "S", "W"] * (rows // 3), object), w=np.full(rows, 2.0))
    found = rropt_fieldwork.TableResponses("score", CARDS, data=data).estimate(by="region")
    values = np.array([float(F(text)) for text in data["score"]])
    different = found.differences()
    assert [one.name for one in different] == ["N - S", "N - W", "S - W"]
    for one, adjusted in zip(different, different.adjusted_pvalues, strict=True):
        first, second = (values["NSW".index(name) :: 3] for name in one.name.split(" - "))
        welch = ttest_ind(first, second, equal_var=False)
        assert one.estimate == pytest.approx(first.mean() - second.mean(), abs=1e-12)
        assert one.df == pytest.approx(welch.df, rel=1e-12)
        assert one.df % 1  # a fraction, which is not rounded down
        assert one.p_value == pytest.approx(welch.pvalue, rel=1e-9)
        assert adjusted == pytest.approx(min(1, 3 * one.p_value), rel=1e-12)
        interval = welch.confidence_interval(0.95)
        assert ends(one, "Welch") == pytest.approx((interval.low, interval.high), rel=1e-9)
    assert Estimates.from_json(found.to_json()) == found
    weighted = rropt_fieldwork.TableResponses(
        "score", CARDS, data=rropt_fieldwork.read(data).sampled(weights="w")
    ).estimate(by="region")
    for one, other in zip(found.differences(), weighted.differences(), strict=True):
        assert other.estimate == pytest.approx(one.estimate, abs=1e-12)
        assert other.se == pytest.approx(one.se, rel=0.01)  # over n - 1 of all, not of each
    both = found.test_equal(), weighted.test_equal()
    assert both[0] is not None
    assert both[1] is not None
    assert both[0].p_value == pytest.approx(both[1].p_value, rel=0.05)
    assert Estimates.from_json(weighted.to_json()) == weighted


def test_the_conclusion_names_established_differences() -> None:
    """Of a result and of its file; the mean of all groups comes first."""
    data = table(3000, seed=2, region=np.array(["N", "S", "a - b"] * 1000, object))
    for name in ("by chance", "shifted"):
        found = rropt_fieldwork.TableResponses("score", CARDS, data=data).estimate(by="region")
        told = found.conclusion
        assert told.startswith(f"The mean of score is about {float(found.overall[0]):.2f} (95 % interval: "), name
        assert ("The tests do not establish a difference between groups" in told) == (name == "by chance")
        assert Estimates.from_json(found.to_json()).conclusion == told
        shifted = [CARDS.responses[-1] if i % 3 == 2 and i % 5 else x for i, x in enumerate(data["score"])]
        data["score"] = np.array(shifted, object)
    assert "a - b is above N, by about " in told or "a - b is above S, by about " in told


def test_replicate_weights() -> None:
    """The jackknife of ten groups from its definition, for means and for their difference."""
    rows, parts = 200, 10
    data = table(rows, region=np.array(["N", "S"] * (rows // 2), object), w=1.0 + np.arange(rows) % 3)
    place = np.arange(rows) // 2 % parts
    for r in range(parts):
        data[f"r{r}"] = np.where(place == r, 0.0, data["w"] * parts / (parts - 1))
    spelled = {"weights": "w", "replicates": f"jk1:r0..r{parts - 1}"}
    found = table_estimate(CARDS, data=data, column="score", by="region", **spelled)
    z, region = np.array([float(F(text)) for text in data["score"]]), data["region"]

    def means(w: Any) -> Any:
        return np.array([(w * z)[region == name].sum() / w[region == name].sum() for name in "NS"])

    whole = means(data["w"])
    apart = np.array([means(data[f"r{r}"]) for r in range(parts)])
    apart -= apart.mean(axis=0)  # the spread of the replicates, as in R by default
    expected = (parts - 1) / parts * apart.T @ apart
    assert [one.estimate for one in found] == pytest.approx(whole.tolist(), rel=1e-12)
    assert [one.se**2 for one in found] == pytest.approx(np.diag(expected).tolist(), rel=1e-9)
    (one,) = found.differences()
    assert one.se**2 == pytest.approx(expected[0, 0] + expected[1, 1] - 2 * expected[0, 1], rel=1e-9)


def test_weights_strata_and_clusters() -> None:
    """Hajek's mean, and the variance of the sums of its residuals between clusters within strata, by hand."""
    rows = 240
    weights, stratum = np.arange(rows) % 3 + 1, np.arange(rows) % 4
    cluster = stratum * 100 + np.arange(rows) // 4 % 6
    data = table(rows, w=weights, s=stratum, c=cluster)
    found = rropt_fieldwork.TableResponses(
        "score", CARDS, data=rropt_fieldwork.read(data).sampled(weights="w", strata="s", clusters="c")
    ).estimate()
    (one,) = found
    z = np.array([float(F(text)) for text in data["score"]])
    hajek = (weights * z).sum() / weights.sum()
    residual = weights * (z - hajek) / weights.sum()
    total = 0.0
    for h in range(4):
        sums = np.array([residual[(stratum == h) & (cluster == c)].sum() for c in np.unique(cluster[stratum == h])])
        total += len(sums) / (len(sums) - 1) * ((sums - sums.mean()) ** 2).sum()
    assert one.estimate == pytest.approx(hajek, rel=1e-12)
    assert one.se == pytest.approx(sqrt(total), rel=1e-9)
    assert one.df == 24 - 4
    assert one.kinds == ("t",)
    assert one.device_se == pytest.approx(sqrt(33.25 * (weights**2).sum()) / weights.sum(), rel=1e-9)


def test_a_census_keeps_the_variance_of_the_device() -> None:
    """Of a whole population sampling adds nothing, and the reports remain random: V/n."""
    data = table(100)
    found = rropt_fieldwork.TableResponses("score", CARDS, data=rropt_fieldwork.read(data).sampled(fpc=100)).estimate()
    assert found.se == pytest.approx(sqrt(33.25 / 100), rel=1e-9)
    half = rropt_fieldwork.TableResponses("score", CARDS, data=rropt_fieldwork.read(data).sampled(fpc=200)).estimate()
    z = [float(F(text)) for text in data["score"]]
    assert half.se == pytest.approx(sqrt(variance(z) / 100 / 2 + 33.25 / 100 / 2), rel=1e-9)


def test_the_estimate_of_the_device_is_unbiased() -> None:
    """``sum_i p_ij d_i = V_j`` for a mechanism whose V_j differ."""
    from rropt.answers.scores import device_variances

    made = rropt.design.mean([0, 1, 4], epsilon=1, proportions=["1/2", "1/4", "1/4"], fast=True).mechanism
    d = device_variances(made)
    for j, v in enumerate(conditional_variances(made)):
        assert sum(row[j] * each for row, each in zip(made.matrix, d, strict=True)) == v
    assert len(set(conditional_variances(made))) > 1


@pytest.mark.slow
def test_coverage(size: Callable[[int, int], int]) -> None:
    """Of the t-interval about 95 %, of the guaranteed one at least that; 4 standard errors of the simulation."""
    rng, runs, n = np.random.default_rng(5), size(400, 20_000), 60
    pi, matrix = np.array([0.1, 0.2, 0.4, 0.2, 0.1]), CARDS.to_numpy()
    hits = {"t": 0, "guaranteed": 0}
    for _ in range(runs):
        counts = rng.multinomial(n, matrix @ pi)
        (found,) = Responses.from_counts(counts.tolist(), CARDS).mean()
        for kind in hits:
            low, high = ends(found, kind)
            hits[kind] += low <= 3 <= high
    room = 4 * sqrt(0.05 * 0.95 / runs)
    assert abs(hits["t"] / runs - 0.95) < room + 0.01  # t is approximate
    assert hits["guaranteed"] / runs >= 0.95 - room


def test_counts_and_the_proportions() -> None:
    counts = [3, 2, 4, 1, 5, 0, 2, 3]
    found = rropt.estimate(counts, CARDS)
    z = [v for v, n in zip(CARDS.output_values, counts, strict=True) for _ in range(n)]
    assert found.nobs == 20
    assert found.estimate == sum(z) / 20
    own = estimate_of_options(CARDS, counts, marginals=1)
    assert sum(row.estimate for row in own) == 1
    reports = {"x": np.array([str(float(one)) for one in z], object), "g": np.array(["a", "b"] * 10, object)}
    table = rropt_fieldwork.TableResponses(["x"], CARDS, data=reports)
    assert [row.estimate for row in table.estimate(marginals=1)] == [row.estimate for row in own]
    assert table.estimate().estimate == found.estimate
    by = table.estimate("g", marginals=1)
    assert len(by) == 2 * len(own)
    for call in (lambda: estimate_of_options(CARDS, counts, marginals=2), lambda: table.estimate(marginals=2)):
        with pytest.raises(InvalidParameterError, match="numbers of one question: received `marginals=2`"):
            call()
    with pytest.raises(InvalidParameterError, match=r"ask for its proportions \(`marginals=1`\): received `contrast`"):
        estimate_of_options(CARDS, counts, contrast=[1] * 5)


@few_rows(2)
@pytest.mark.parametrize("texts", [["0", "0.5", "3"], ["0.0", ".50", "3.000"], ["0e0", "5e-1", "+3"]])
def test_numbers_in_any_form(tmp_path: Path, texts: list[str]) -> None:
    """Decimals are read as numbers, in randomize and in estimate; another number is refused."""
    from rropt_fieldwork.randomizing.randomized_tables import randomize_file, randomizing_of
    from rropt_fieldwork.reading.counting import request_of

    data = {"x": np.array(texts * 2, object)}
    assert rropt_fieldwork.TableResponses("x", TRUTH, data=data).estimate().estimate == F(7, 6)
    how = randomizing_of(TRUTH, request_of(["x"], TRUTH, 1, known=TRUTH.categories))
    randomize_file(data, str(tmp_path / "out.csv"), how)
    name, *written = (tmp_path / "out.csv").read_text().split()
    assert (name, sorted(written)) == ("x", ["0", "0", "0.5", "0.5", "3", "3"])  # rows are in a random order
    with pytest.raises(FileFormatError):
        rropt_fieldwork.TableResponses("x", TRUTH, data={"x": np.array(["0.25"], object)}).estimate()


@pytest.mark.slow
def test_numbers_of_a_range_are_rounded_without_bias(tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """To a neighbour alone, and with the right mean; other numbers and reports between the values are refused."""
    from rropt_fieldwork.randomizing.randomized_tables import randomize_file, randomizing_of
    from rropt_fieldwork.reading.counting import request_of

    made = Mechanism(TRUTH.matrix).valued([0, 1, 4], [0, 1, 4], rounds=True)
    assert Mechanism.from_json(made.to_json()).rounds
    n = size(2000, 100_000)
    for number, low, high in ((F(1, 4), 0, 1), (F(3), 1, 4), (F(4), 4, 4), (F(1), 1, 1)):
        how = randomizing_of(made, request_of(["x"], made, 1, known=made.categories), seed=3)
        data = {"x": np.array([str(float(number))] * n, object)}
        randomize_file(data, str(tmp_path / "out.csv"), how)
        reports = [int(text) for text in (tmp_path / "out.csv").read_text().split()[1:]]
        assert set(reports) <= {low, high}
        assert abs(mean(reports) - number) <= 5 * (high - low) / (2 * sqrt(n))
        found = rropt_fieldwork.TableResponses(
            "x", made, data={"x": np.array(list(map(str, reports)), object)}
        ).estimate()
        assert found.estimate == F(sum(reports), n)
    with pytest.raises(FileFormatError, match="any number from 0 to 4;"):
        randomize_file({"x": np.array(["4.5"], object)}, str(tmp_path / "out.csv"), how)
    with pytest.raises(InvalidParameterError, match="ascend"):
        Mechanism(TRUTH.matrix).valued([1, 0, 4], [0, 1, 4], rounds=True)
    text = json.loads(made.to_json()) | {"rounding": "nearest"}
    with pytest.raises(FileFormatError, match="rounding"):
        Mechanism.from_dict(text)


@few_rows(3)
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("x;y\n1.500;1\n2.500;2\n3.000;3\n", "lines 2, 3, 4"),
        ("x\ty\n1.500\t20\n3.25\t7\n", ""),  # 3.25 has a decimal point
        ("x\ty\n1.500\t20,5\n3.25\t7\n", "line 2"),  # and other columns have decimal commas
        ("x,y\n1.500,1\n2.500,2\n", ""),  # commas separate
        ("x,y\n1.500,1\n512,2\n", "line 2"),
        ("x;y\n1500;1\n20.25;2\n", ""),
    ],
)
def test_numbers_of_a_range_with_thousands_marks_are_refused(tmp_path: Path, text: str, lines: str) -> None:
    """1.500 was 1.5 without a word, where German programs write 1500 so; the message has no true answer."""
    from rropt_fieldwork.randomizing.randomized_tables import randomize_file, randomizing_of
    from rropt_fieldwork.reading.counting import request_of

    made = Mechanism(TRUTH.matrix).valued([0, 1000, 5000], [0, 1000, 5000], rounds=True)
    how = randomizing_of(made, request_of(["x"], made, 1, known=made.categories), seed=3)
    (tmp_path / "a.csv").write_text(text)
    if not lines:
        randomize_file(str(tmp_path / "a.csv"), str(tmp_path / "out.csv"), how)
        return
    with pytest.raises(FileFormatError, match=f"read in two ways, .* in {lines} of the data") as found:
        randomize_file(str(tmp_path / "a.csv"), str(tmp_path / "out.csv"), how)
    assert "2.500" not in str(found.value)
    assert not (tmp_path / "out.csv").exists()


def test_the_road_of_commands(cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Design, randomize, estimate by group and plan: numbers in, numbers out."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    scores = rng.choice([1, 2, 3], 300, p=[0.2, 0.5, 0.3])
    lines = [f"{x},{'NS'[i % 2]}" for i, x in enumerate(scores)]
    Path("answers.csv").write_text("\n".join(["score,region", *lines, ""]))
    assert cli(*["design", "mean", "--values", "1,2,3", "--epsilon", "3", "--fast", "--output", "m.json"])[0] == 0
    words = "randomize answers.csv --column score --mechanism m.json --output"
    assert cli(*f"{words} p.csv --keep region --simulate --seed 1".split())[0] == 0
    status, out, _ = cli(
        *["estimate", "p.csv", "--column", "score", "--mechanism", "m.json", "--by", "region", "--json"]
    )
    assert status == 0
    found = json.loads(out)
    (overall,) = found["overall"]
    assert abs(float(F(overall["estimate"])) - scores.mean()) < 5 * overall["se"]
    assert (
        cli(
            *["randomize", "answers.csv", "--column", "score", "--mechanism", "m.json", "--codes", "--output", "c.csv"]
        )[0]
        == 0
    )
    listed = ",".join(map(str, range(len(json.loads(Path("m.json").read_text())["outputs"]))))
    assert cli(*f"estimate c.csv --column score --mechanism m.json --categories {listed}".split())[0] == 0
    assert cli(*["count", "p.csv", "--column", "score", "--mechanism", "m.json", "--output", "n.json"])[0] == 0
    assert json.loads(cli(*["estimate", "n.json", "--json"])[1])["kind"] == "mean"
    status, out, _ = cli(*["plan", "margin", "1/10", "--mechanism", "m.json", "--json"])
    assert json.loads(out)["n"] > 100
    assert cli(*["estimate", "p.csv", "--column", "score", "--mechanism", "m.json", "--contrast", "1,2,3"])[0] == 2


def test_plans() -> None:
    """The largest variance against a grid of distributions; n is the least number for each goal."""
    made = threshold_cards([F(x) for x in (0, 1, 5)], F(3))
    most = variance_of_report(made)
    grid = [
        variance_of_report(made, [F(i, 20), F(j, 20), F(20 - i - j, 20)])
        for i, j in product(range(21), repeat=2)
        if i + j <= 20
    ]
    assert max(grid) <= most <= max(grid) + F(1, 10)
    found = plan_mean(made, margin="1/2")
    z = NormalDist().inv_cdf(0.975)
    assert z * sqrt(most / found.n) <= 0.5 < z * sqrt(most / (found.n - 1))
    assert plan_mean(made, variance=most / 100).n == 100
    assert plan_mean(made, standard_error="1/10").n == -(-most * 100 // 1)
    assert plan_mean(made, n=400).margin == pytest.approx(z * sqrt(most / 400))
    for wrong in ({}, {"margin": 1, "n": 2}, {"margin": 0}, {"n": 0}):
        with pytest.raises(InvalidParameterError):
            plan_mean(made, **wrong)


def test_numbers_of_a_mechanism() -> None:
    """Files keep them exactly; wrong ones are refused."""
    text = CARDS.to_json()
    again = Mechanism.from_json(text)
    assert (again.input_values, again.output_values) == (CARDS.input_values, CARDS.output_values)
    assert again.responses == CARDS.responses
    assert again == CARDS
    third = Mechanism.warner("3/4").valued([0, 1], [F(-1, 3), F(4, 3)])
    assert third.responses == ("-0.333333333333333", "1.33333333333333")
    assert Mechanism.from_json(third.to_json()).output_values == (F(-1, 3), F(4, 3))
    for inputs, outputs in (([0], [0, 1]), ([0, 1], [0, 1, 2]), ([0, 0], [0, 1]), ([0, "x"], [0, 1])):
        with pytest.raises(InvalidParameterError):
            Mechanism.warner("3/4").valued(inputs, outputs)
