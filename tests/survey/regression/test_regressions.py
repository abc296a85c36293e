"""Regressions: published figures, R's svyglm, derivatives, refusals, and what a result says."""

from __future__ import annotations

import csv
import json
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from few_rows import few_rows
from support.table_calls import table_estimate
from table_calls import estimate_table, regress_table

import rropt
import rropt_fieldwork
from rropt.core.errors import (
    FileFormatError,
    InfeasibleError,
    InvalidParameterError,
    RroptError,
    UnsupportedProblemError,
)
from rropt.estimates.estimated import Estimates
from rropt.regression.models import DeviceResponses, WeightedLikelihood, latent_covariate, model_of
from rropt.regression.regressions import Regression
from rropt.regression.search import MODELS

FOLDER = Path(__file__).parent
FORCED = "forced:2/3,1/6,1/6"
NIGERIA = "rr.q1 ~ cov.asset.index + cov.married + I(cov.age/10) + I((cov.age/10)^2) + cov.education + cov.female"
# The maximum in 40-digit arithmetic, and the standard errors that Blair, Imai and Zhou (2015) print: outer products.
MAXIMUM = [-.340167218691, .0789624157714, -.267424984320, -.352828232287, .0409925297495, -.00690751955682,
           -.554394549136]  # fmt: skip
PUBLISHED = [0.50856, 0.04136, 0.25451, 0.26423, 0.02603, 0.04558, 0.16244]
OBSERVED = [
    0.492917968844,
    0.0404215181450,
    0.241367481927,
    0.263680545094,
    0.0271300492713,
    0.0446605612537,
    0.162683260143,
]


def _values(mapping) -> np.ndarray:
    return np.asarray(mapping, np.float64)


def _sample(n: int, device: str = FORCED, *, seed: int = 0, beta=(-1.0, 1.0)) -> dict[str, np.ndarray]:
    """Return rows of a logistic model with one normal covariate."""
    random = np.random.default_rng(seed)
    x = random.normal(size=n)
    truth = random.random(n) < 1 / (1 + np.exp(-beta[0] - beta[1] * x))
    P = np.array([[float(p) for p in row] for row in rropt.Mechanism(device).matrix])
    return {"z": (random.random(n) < P[1][truth.astype(int)]).astype(int), "x": x}


def _responses(n: int, k: int, random, *, m: int | None = None) -> DeviceResponses:
    """Return responses by two random devices."""
    m = m or k
    P = random.dirichlet(np.ones(m), (2, k)).transpose(0, 2, 1) * 0.5 + 0.5 * np.eye(m, k)
    inverses = np.stack([np.linalg.pinv(one) for one in P])
    return DeviceResponses(P, inverses, random.integers(0, 2, n), random.integers(0, m, n))


def _one_device(responses: DeviceResponses) -> DeviceResponses:
    """Return the responses as if all respondents had the first device."""
    return replace(responses, device=np.zeros_like(responses.device))


def _cases(random, n: int = 40):
    X = np.column_stack([np.ones(n), random.normal(size=(n, 2))])
    w = random.uniform(0, 2, n)
    for name in ("logit", "probit"):
        yield WeightedLikelihood(model_of(name, X, 2), _responses(n, 2, random, m=3), w)
        yield WeightedLikelihood(model_of(f"ordinal-{name}", X[:, 1:], 4), _responses(n, 4, random), w)
    yield WeightedLikelihood(model_of("multinomial", X, 3), _responses(n, 3, random), w)
    for name in ("logit", "probit", "linear"):
        responses, outcome = _responses(n, 2, random), random.normal(size=n) if name == "linear" else None
        responses = (
            responses if name == "linear" else _one_device(responses).with_outcome(_responses(n, 2, random, m=3))
        )
        yield WeightedLikelihood(latent_covariate(name, 1.5, X, X[:, :2], outcome), responses, w)
    for name, k in (("logit", 2), ("linear", 2), ("multinomial", 3)):
        yield WeightedLikelihood(model_of(name, X, k), _responses(n, k, random), w, is_corrected=True)


def test_gradients_and_hessians_are_exact(size) -> None:
    random = np.random.default_rng(5)
    points = 0
    for case in range(size(1, 20)):
        for one in _cases(random):
            theta = random.normal(0, 0.3, one.model.size)
            if one.model.name.startswith("ordinal"):
                theta[2:] = np.sort(theta[2:]) + [0, 0.5, 1.0]
            found, h = one.derivatives(theta), 1e-5
            for j, step in enumerate(np.eye(len(theta)) * h):
                up, down = one.derivatives(theta + step), one.derivatives(theta - step)
                assert (up.value - down.value) / (2 * h) == pytest.approx(found.gradient[j], abs=2e-6, rel=1e-6)
                assert (up.gradient - down.gradient) / (2 * h) == pytest.approx(found.hessian[j], abs=2e-6, rel=1e-6)
                points += 1
            scores = one.scores(theta)
            assert one.weights @ scores == pytest.approx(found.gradient, abs=1e-9)
        assert case >= 0
    assert points >= 40


def test_expected_information_is_the_mean_of_the_outer_products() -> None:
    random = np.random.default_rng(6)
    n, k = 30, 3
    X = np.column_stack([np.ones(n), random.normal(size=n)])
    P = np.stack([random.dirichlet(np.ones(4), k).T for _ in range(2)])
    device, w = random.integers(0, 2, n), random.uniform(0, 2, n)
    theta = random.normal(size=4)
    total, noise = 0.0, 0.0
    model = model_of("multinomial", X, k)
    pi = model.cells(model.eta(theta))[0].T
    inverses = np.stack([np.linalg.pinv(one) for one in P])
    for z in range(4):
        one = WeightedLikelihood(model, DeviceResponses(P, inverses, device, np.full(n, z)), w)
        chance = np.einsum("nx,nx->n", P[device, z], pi)
        total = total + (one.scores(theta) * (w * chance)[:, None]).T @ one.scores(theta)
        noise = noise + one.device_noise(theta, w * chance)
    assert one.expected(theta) == pytest.approx(total, abs=1e-10)
    # the estimate of the device's noise has the mean sum_x pi_x Cov(score | x)
    every = np.stack(
        [
            WeightedLikelihood(model, DeviceResponses(P, inverses, device, np.full(n, z)), w).scores(theta)
            for z in range(4)
        ]
    )
    mean = np.einsum("nzx,znp->nxp", P[device], every)
    square = np.einsum("nzx,znp,znq->nxpq", P[device], every, every)
    true = np.einsum("n,nx,nxpq->pq", w, pi, square - mean[..., :, None] * mean[..., None, :])
    assert noise == pytest.approx(true, abs=1e-10)


def test_nigeria_has_the_published_figures(tables: Path, size) -> None:
    starts = size(20, 200)
    found = regress_table(tables / "nigeria.csv", NIGERIA, FORCED, starts=starts, rng=7)
    assert (found.nobs, found.reading.rows, found.fit.dropped) == (2423, 2457, 34)
    assert (found.fit.starts, found.fit.agreeing, found.fit.other_maxima) == (starts, starts, 0)
    assert _values(found.params) == pytest.approx(MAXIMUM, rel=2e-11)
    assert found.llf == pytest.approx(-1540.11785047543, abs=1e-10)
    assert [round(x, 5) for x in found.errors("outer-product")] == PUBLISHED
    assert _values(found.bse) == pytest.approx(OBSERVED, rel=1e-9)
    assert found.fit.last_step < 1e-10
    assert np.all(np.abs(_values(found.params) - MAXIMUM) <= found.fit.last_step * np.array(OBSERVED) + 2e-12)
    assert found.status.startswith(
        f"local maximum, the nearest to the corrected estimate; {starts} of {starts} searches ended there"
    )
    assert found.errors("expected")["Intercept"] == pytest.approx(0.50252, abs=5e-6)
    assert found.errors("sandwich")["Intercept"] == pytest.approx(0.48321, abs=5e-6)


@pytest.mark.parametrize(
    "start",
    [
        [-0.3, 0.08, -0.27, -0.35, 0.04, 0, -60],  # every woman has truth 0: -1601.2462
        [-60, 0.08, 60, -0.35, 0.04, 0, -0.5],  # every unmarried person: -1678.93
        [-200, 0, 0, 0, 0, 0, 0], [200, 0, 0, 0, 0, 0, 0], [0, 50, 0, 0, 0, -50, 0], [0, 0, -80, 0, 0, 0, -80],
    ],
)  # fmt: skip
def test_nigeria_leaves_the_plateaus_at_infinity(tables: Path, start: list[float]) -> None:
    found = regress_table(tables / "nigeria.csv", NIGERIA, FORCED, start=start)
    assert found.llf == pytest.approx(-1540.11785047543, abs=1e-9)
    assert _values(found.params) == pytest.approx(MAXIMUM, rel=1e-9)


def _rows() -> dict[str, np.ndarray]:
    with (FOLDER / "rows.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    with (FOLDER / "post_weights.csv").open(encoding="utf-8") as stream:
        post = [float(row["post_weight"]) for row in csv.DictReader(stream)]
    data = {name: np.array([row[name] for row in rows], object) for name in rows[0]}
    data["pw"] = np.array(post)
    data["x_kept"] = np.array([row["x"] if row["keep"] == "1" else "" for row in rows], object)
    return data


CLUSTERS = {"weights": "w", "strata": "h", "clusters": "c"}
DESIGNS = {
    "weights": {"weights": "w"},
    "clusters": CLUSTERS,
    "fpc": {**CLUSTERS, "fpc": "N"},
    "stages": {**CLUSTERS, "fpc": ("N", "M")},
    "post": {**CLUSTERS, "weights": "pw", "post_strata": "post"},
    "domain": CLUSTERS,
}
with (FOLDER / "figures.csv").open(encoding="utf-8") as _stream:
    FIGURES = list(csv.DictReader(_stream))


@few_rows(1)
@pytest.mark.parametrize("figures", FIGURES, ids=lambda one: f"{one['design']}-{one['link']}")
def test_surveys_equal_svyglm(figures: dict[str, str]) -> None:
    design = figures["design"]
    x = "x_kept" if design == "domain" else "x"
    shrunk = "shrunk" if "fpc" in DESIGNS[design] else None
    own = {"devices": "device", "model": figures["link"], "starts": 2, **DESIGNS[design]}
    found = regress_table(_rows(), f"z ~ {x} + g", information="expected", standard_errors=shrunk, **own)
    assert _values(found.params) == pytest.approx([float(figures[f"b{i}"]) for i in range(3)], rel=1e-9)
    V = found.cov_params()
    known = [float(figures[name]) for name in ("v00", "v10", "v20", "v11", "v21", "v22")]
    assert V[np.tril_indices(3)[0][[0, 1, 3, 2, 4, 5]], [0, 0, 0, 1, 1, 2]] == pytest.approx(known, rel=1e-8)
    assert found.df_resid == int(figures["df"])
    observed = regress_table(_rows(), f"z ~ {x} + g", standard_errors=shrunk, **own)
    assert abs(observed.bse[x] / found.bse[x] - 1) > 1e-3  # the other bread is another number
    if shrunk:  # the device's noise is whole: larger than R's
        assert (_values(found.errors("design")) > 1.01 * _values(found.errors("shrunk"))).all()


@pytest.mark.slow
def test_a_finite_population_leaves_the_device_its_noise(size) -> None:
    """1200 of 1500 are asked: R's formula is too small, the default is not."""
    random = np.random.default_rng(8)
    samples = size(20, 300)
    N, n = 1500, 1200
    x = random.normal(size=N)
    slopes, whole, shrunk = [], [], []
    truth = random.random(N) < 1 / (1 + np.exp(0.5 - 0.5 * x))
    for _ in range(samples):
        chosen = random.choice(N, n, replace=False)
        z = np.where(random.random(n) < 2 / 3, truth[chosen], random.random(n) < 0.5).astype(int)
        found = regress_table({"z": z, "x": x[chosen]}, "z ~ x", FORCED, fpc=N, starts=1)
        slopes.append(found.params["x"])
        whole.append(found.errors("design")["x"])
        shrunk.append(found.errors("shrunk")["x"])
    true = np.std(slopes, ddof=1)
    assert np.mean(shrunk) < 0.75 * true
    assert abs(np.mean(whole) / true - 1) < 4 / np.sqrt(2 * samples)


@pytest.mark.slow
def test_direct_questions_equal_statsmodels() -> None:
    sm = pytest.importorskip("statsmodels.api", reason="statsmodels is not installed: an oracle of the tests alone")
    random = np.random.default_rng(2)
    x = random.normal(size=400)
    y = (random.random(400) < 1 / (1 + np.exp(0.3 - x))).astype(int)
    for model, oracle in (("logit", sm.Logit), ("probit", sm.Probit)):
        found = regress_table({"z": y, "x": x}, "z ~ x", "generalised:1,1", model=model)
        known = oracle(y, sm.add_constant(x)).fit(disp=0, tol=1e-14, maxiter=100)
        assert _values(found.params) == pytest.approx(known.params, rel=1e-8)
        assert _values(found.bse) == pytest.approx(known.bse, rel=1e-7)
        assert found.llf == pytest.approx(known.llf)
        assert found.llnull == pytest.approx(known.llnull)
        assert (found.aic, found.bic) == pytest.approx((known.aic, known.bic))
        assert _values(found.pvalues) == pytest.approx(known.pvalues, rel=1e-6)
        effect = known.get_margeff()
        (own,) = found.margeff()
        assert own.estimate == pytest.approx(effect.margeff[0], rel=1e-6)
        assert own.se == pytest.approx(effect.margeff_se[0], rel=1e-4)
        assert "global maximum" in found.status
        assert ("at most 1e-06 standard errors away" in " ".join(found.notes())) == (model == "logit")


def test_an_intercept_alone_is_the_moment_estimate() -> None:
    yes, n = 831, 2435
    z = np.repeat([1, 0], [yes, n - yes])
    moment = (yes / n - 1 / 6) / (2 / 3)
    found = regress_table({"z": z}, "z ~ 1", FORCED)
    assert 1 / (1 + np.exp(-found.params["Intercept"])) == pytest.approx(moment, rel=1e-12)
    linear = regress_table({"z": z}, "z ~ 1", FORCED, model="linear")
    assert linear.params["Intercept"] == pytest.approx(moment, rel=1e-12)
    assert linear.bse["Intercept"] == pytest.approx(0.014413, abs=2e-6)


def test_a_saturated_model_has_one_maximum() -> None:
    z = np.repeat([1, 0, 1, 0], [30, 70, 45, 55])
    found = regress_table({"z": z, "x": np.repeat([0, 1], 100)}, "z ~ x", FORCED)
    assert found.fit.is_saturated
    assert found.status.startswith("global maximum: the model is saturated")
    shares = (np.array([0.30, 0.45]) - 1 / 6) * 1.5
    assert found.llf == pytest.approx(sum(100 * (p * np.log(p) + (1 - p) * np.log(1 - p)) for p in (0.30, 0.45)))
    assert found.predict({"x": np.array([0, 1])}) == pytest.approx(shares)


@pytest.mark.slow
def test_units_change_nothing() -> None:
    data = _sample(800, seed=3)
    alone = regress_table(data, "z ~ x", FORCED)
    for factor, shift in ((1e6, 0.0), (1.0, 1e6), (1e-6, 0.0)):
        moved = regress_table({"z": data["z"], "x": data["x"] * factor + shift}, "z ~ x", FORCED)
        assert moved.llf == pytest.approx(alone.llf, abs=1e-7)
        assert moved.params["x"] * factor == pytest.approx(alone.params["x"], rel=1e-6)
        assert moved.bse["x"] * factor == pytest.approx(alone.bse["x"], rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("device", [FORCED, "crosswise:1/4", "warner:4/5"])
def test_intervals_cover(device: str, size) -> None:
    """Coverage of 95 % intervals of the slope; samples without a maximum are counted apart."""
    samples, covered, lost = size(20, 250), 0, 0
    for seed in range(samples):
        try:
            found = regress_table(_sample(600, device, seed=seed), "z ~ x", device, starts=2)
        except InfeasibleError:
            lost += 1
            continue
        low, high = found.conf_int()["x"]
        covered += low <= 1 <= high
    assert lost <= 0.02 * samples
    rate = covered / (samples - lost)
    assert abs(rate - 0.95) < 4 * np.sqrt(0.95 * 0.05 / samples)


# --- refusals


@pytest.mark.slow
def test_data_without_a_maximum_are_refused_with_the_direction() -> None:
    group = np.repeat(["a", "b"], 96)
    z = np.concatenate([np.repeat([1, 0], [10, 86]), np.repeat([1, 0], [40, 56])])  # 10/96 < 1/6 in group a
    with pytest.raises(InfeasibleError, match=r"no maximum: the group g = 'a' has 10 yes among 96 responses"):
        regress_table({"z": z, "g": group}, "z ~ g", FORCED)
    exactly = np.concatenate([np.repeat([1, 0], [16, 80]), np.repeat([1, 0], [40, 56])])  # 1/6: on the boundary
    with pytest.raises(InfeasibleError, match="no maximum"):
        regress_table({"z": exactly, "g": group}, "z ~ g", FORCED)
    within = np.concatenate([np.repeat([1, 0], [17, 79]), np.repeat([1, 0], [40, 56])])
    assert regress_table({"z": within, "g": group}, "z ~ g", FORCED).params["Intercept"] < -3
    with pytest.raises(InfeasibleError, match="corrected loss has no minimum"):
        regress_table({"z": z, "g": group}, "z ~ g", FORCED, method="corrected")
    x = np.linspace(-1, 1, 40)
    with pytest.raises(InfeasibleError, match=r"direction \+?-?.* x"):
        regress_table({"z": (x > 0.1).astype(int), "x": x}, "z ~ x", "generalised:1,1")
    with pytest.raises(InfeasibleError, match="no maximum"):
        regress_table({"z": np.ones(30, int), "x": x[:30]}, "z ~ x", FORCED)
    far = 1e6 + x  # the direction moves the intercept with the covariate
    with pytest.raises(InfeasibleError, match=r"direction -1 Intercept, \+1e-06 x"):
        regress_table({"z": (x > 0.1).astype(int), "x": far}, "z ~ x", FORCED)


def test_a_model_without_covariates_that_has_no_maximum_is_left_out() -> None:
    random = np.random.default_rng(10)
    x = random.normal(size=40).round(1)
    z = np.where(random.random(40) < 0.5, (x > -0.5).astype(int) + (x > 0.5), random.integers(0, 3, 40))
    z[:12], x[:12] = 0, -1
    found = regress_table({"z": z, "x": x}, "z ~ x", "grr:3,1/2", model="ordinal-logit", starts=3)
    assert found.llnull is None
    assert found.fit.last_step < 1e-9


def test_rounding_errors_of_a_perfect_fit_are_no_standard_errors() -> None:
    x = np.random.default_rng(1).normal(size=20).round(2)
    for clusters in (None, "c"):
        data = {"z": np.zeros(20, int), "x": x, "c": np.arange(20)}
        found = regress_table(data, "z ~ x", FORCED, model="linear", clusters=clusters)
        assert _values(found.bse).tolist() == [0, 0]
        assert np.isnan(_values(found.pvalues)).all()
        assert found.fit.last_step == 0
        assert found.as_tables()[1][2][1][3:5] == ("none", "none")
    both = {"z": [0] * 20 + [0, 1] * 10, "g": ["a"] * 20 + ["b"] * 20}
    found = regress_table({name: np.array(one) for name, one in both.items()}, "z ~ g", FORCED, model="linear")
    alone, compared = found.notes()[-2:]
    assert "the standard error of Intercept is 0, since the responses that determine it are equal" in alone
    assert "errors of coefficients that compare these rows with others are too small" in compared
    assert found.bse["g[T.b]"] == pytest.approx(0.75 / np.sqrt(20))


def test_what_cannot_be_fitted_is_refused_in_one_line() -> None:
    data = _sample(100)
    g = np.where(data["x"] > 0, "p", "q")
    more = {**data, "g": g, "u": 2 * data["x"] + 1, "one": np.ones(100), "w": np.zeros(100), "neg": -np.ones(100)}
    device = np.array([FORCED] * 99 + [""], object)
    cases = [
        ({"formula": "z ~ x + I(z - x)"}, "the response explains itself: received 'z' on both sides of ~"),
        ({"weights": "w"}, "weights sum to 0"),
        ({"weights": "neg"}, "no valid weight in 'neg'"),
        ({"mechanism": "warner:1/2"}, "1/2"),
        ({"mechanism": None}, "not given exactly once"),
        ({"devices": "g", "mechanism": None}, "names no mechanism"),
        ({"model": "logistic"}, "`model` is unknown: received 'logistic'; allowed are logit"),
        ({"standard_errors": "hc3"}, "`cov_type` is unknown: received 'hc3'"),
        ({"start": [1, 2, 3]}, "the start does not fit: received 3 numbers; allowed are 2"),
        ({"formula": "z ~ y"}, "a column does not fit the data: received 'y'"),
        ({"method": "corrected", "model": "probit"}, "not convex"),
        ({"mechanism": "grr:3,4/5"}, "3 categories"),
        ({"covariates": {"x": FORCED}, "formula": "z ~ u"}, "not a term of the formula"),
    ]
    for changed, message in cases:
        options = {"formula": "z ~ x", "mechanism": FORCED, **changed}
        with pytest.raises(rropt.RroptError) as refusal:
            regress_table(more, options.pop("formula"), options.pop("mechanism"), **options)
        assert message in str(refusal.value), (changed, str(refusal.value))
        assert "\n" not in str(refusal.value)
    with pytest.raises(FileFormatError, match=r"row 100 of the data names no device in 'd'"):
        regress_table({**more, "d": device}, "z ~ x", devices="d")
    with pytest.raises(FileFormatError, match="no answer"):
        regress_table({**more, "z": np.full(100, 2)}, "z ~ x", FORCED)


def test_a_number_that_is_none_is_not_taken_for_a_factor() -> None:
    data = _sample(100)
    for text in ("old", "inf"):
        ages = np.array([str(20 + i % 50) for i in range(99)] + [text], object)
        with pytest.raises(InvalidParameterError, match="received 1 value of 'age' that is no finite number"):
            regress_table({**data, "age": ages}, "z ~ age", FORCED)
    grades = np.array([str(1 + i % 3) for i in range(99)] + ["other"], object)
    with pytest.raises(InfeasibleError):  # a factor with one respondent in a level
        regress_table({**data, "g": grades}, "z ~ g", "generalised:1,1")
    with pytest.raises(InvalidParameterError, match="the rows are fewer than the columns: received 2 rows"):
        regress_table({"z": np.array([0, 1]), "a": np.array([1.0, 2]), "b": np.array([3.0, 1])}, "z ~ a + b", FORCED)


@pytest.mark.slow
def test_no_warning_reaches_the_user(recwarn: pytest.WarningsRecorder) -> None:
    data = _sample(300)
    far = regress_table({"z": data["z"], "x": data["x"] * 1e100}, "z ~ x", FORCED)
    near = regress_table(data, "z ~ x", FORCED)
    assert far.params["x"] * 1e100 == pytest.approx(near.params["x"], rel=1e-8)
    with pytest.raises(InfeasibleError):
        regress_table({"z": (data["x"] > 0).astype(int), "x": data["x"]}, "z ~ x", "generalised:1,1")
    assert not [one for one in recwarn if issubclass(one.category, RuntimeWarning)]


def test_missing_values_are_left_out_and_named() -> None:
    data = _sample(300, seed=4)
    x = data["x"].astype(object)
    x[:5] = None
    z = data["z"].astype(object)
    z[3:8] = None
    found = regress_table({"z": z, "x": x.astype(float), "one": np.ones(300)}, "z ~ x", FORCED)
    assert (found.nobs, found.fit.dropped, found.fit.missing) == (292, 8, {"z": 5, "x": 5})
    assert "8 of 300 rows miss a value and are left out (z: 5 empty, x: 5 empty)" in " ".join(found.notes())
    same = regress_table({"z": data["z"][8:], "x": data["x"][8:]}, "z ~ x", FORCED)
    assert _values(found.params) == pytest.approx(_values(same.params), rel=1e-12)


@pytest.mark.slow
def test_rows_of_weight_zero_change_nothing() -> None:
    data = _sample(300, seed=4)
    w = np.r_[np.ones(250), np.zeros(50)]
    found = regress_table({**data, "w": w}, "z ~ x", FORCED, weights="w")
    less = regress_table({name: values[:250] for name, values in data.items()}, "z ~ x", FORCED)
    assert (found.nobs, found.llf) == (250, pytest.approx(less.llf, rel=1e-12))
    assert _values(found.params) == pytest.approx(_values(less.params), rel=1e-10)
    g = np.where(w == 0, "other", np.where(data["x"] > 0, "p", "q"))
    own = regress_table({**data, "w": w, "g": g}, "z ~ x + g", FORCED, weights="w", clusters="g")
    assert own.names == ("Intercept", "x", "g[T.q]")
    assert [one.n for one in own.prevalence("g")] == [int(np.sum(g == "p")), int(np.sum(g == "q"))]
    assert len(own.predict()) == own.nobs == 250


# --- other models


@pytest.mark.slow
def test_ordinal_and_multinomial_models_find_the_truth() -> None:
    random = np.random.default_rng(12)
    n = 4000
    x = random.normal(size=n)
    P = np.array([[float(p) for p in row] for row in rropt.Mechanism("grr:3,4/5").matrix])
    latent = x + random.logistic(size=n)
    truth = (latent > -0.5).astype(int) + (latent > 1)
    z = np.array([random.choice(3, p=P[:, t]) for t in truth])
    names = ["low", "middle", "high"]
    data = {"z": np.array(names, object)[z], "x": x}
    found = regress_table(data, "z ~ x", "grr:3,4/5", model="ordinal-logit", categories=names)
    assert found.names == ("x", "low|middle", "middle|high")
    assert (np.abs(_values(found.params) - [1, -0.5, 1]) < 4 * _values(found.bse)).all()
    assert found.predict({"x": np.array([0.0, 1.0])}).sum(axis=1) == pytest.approx(1)
    assert len(found.margeff()) == 3
    assert sum(one.estimate for one in found.margeff()) == pytest.approx(0, abs=1e-9)
    for method in ("ml", "corrected"):
        many = regress_table(data, "z ~ x", "grr:3,4/5", model="multinomial", categories=names, method=method)
        assert many.names == ("middle: Intercept", "middle: x", "high: Intercept", "high: x")
        assert many.params["high: x"] > many.params["middle: x"] > 0
    assert Regression.from_json(found.to_json()) == found


@pytest.mark.slow
def test_a_randomized_covariate_is_not_taken_for_the_truth() -> None:
    random = np.random.default_rng(9)
    n = 4000
    age = random.normal(size=n)
    x = random.random(n) < 1 / (1 + np.exp(0.5 - 0.5 * age))
    y = random.random(n) < 1 / (1 + np.exp(0.5 - x + 0.3 * age))
    tax = np.where(random.random(n) < 2 / 3, x, random.random(n) < 0.5).astype(int)
    data = {"vote": y.astype(int), "tax": tax, "age": age, "income": 2 + 1.5 * x - age + random.normal(0, 0.7, n)}
    found = regress_table(data, "vote ~ tax + age", covariates={"tax": FORCED})
    naive = regress_table(data, "vote ~ tax + age", "generalised:1,1")
    assert found.names == ("Intercept", "age", "tax", "tax | Intercept", "tax | age")
    truth = [-0.5, -0.3, 1, -0.5, 0.5]
    assert (np.abs(_values(found.params) - truth) < 4 * _values(found.bse)).all()
    assert naive.params["tax"] < 0.8 < found.params["tax"]
    linear = regress_table(data, "income ~ tax + age", covariates={"tax": FORCED}, model="linear")
    assert (np.abs(_values(linear.params) - [2, -1, 1.5, -0.5, 0.5, np.log(0.7)]) < 4 * _values(linear.bse)).all()
    both = regress_table({**data, "vote": np.where(random.random(n) < 2 / 3, y, random.random(n) < 0.5).astype(int)},
                         "vote ~ tax + age", FORCED, covariates={"tax": FORCED})  # fmt: skip
    assert abs(both.params["tax"] - 1) < 4 * both.bse["tax"]
    assert found.predict({"age": np.array([0.0])})[0] == pytest.approx(0.46, abs=0.06)


def test_a_survey_counts_both_devices_of_a_randomized_covariate_and_outcome() -> None:
    """The expected information is over both responses; a census keeps the noise of both devices."""
    random = np.random.default_rng(3)
    n = 3000
    age = random.normal(size=n)
    x = random.random(n) < 1 / (1 + np.exp(-age / 2))
    y = random.random(n) < 1 / (1 + np.exp(0.5 - x + 0.3 * age))
    z, tax = (np.where(random.random(n) < 2 / 3, truth, random.random(n) < 0.5).astype(int) for truth in (y, x))
    data = {"y": y.astype(int), "z": z, "tax": tax, "x": x.astype(int), "age": age, "w": np.ones(n)}
    own = {"covariates": {"tax": FORCED}, "weights": "w", "starts": 1}
    observed = regress_table(data, "y ~ tax + age", **own)
    expected = regress_table(data, "y ~ tax + age", information="expected", **own)
    assert _values(expected.bse) == pytest.approx(_values(observed.bse), rel=0.02)
    with pytest.raises(UnsupportedProblemError, match="an outcome that is a number has no expected information"):
        regress_table(data, "age ~ tax", model="linear", information="expected", **own)
    almost = regress_table(data, "z ~ x + age", FORCED, covariates={"x": "warner:9999/10000"}, fpc=n, starts=1)
    plain = regress_table(data, "z ~ x + age", FORCED, fpc=n, starts=1)
    for name, error in plain.bse.items():  # 50 times smaller without the noise of the outcome's device
        assert almost.bse[name] == pytest.approx(error, rel=0.01)


# --- results


@pytest.fixture(scope="module")
def fitted() -> Regression:
    data = _sample(500, seed=21)
    return regress_table({**data, "g": np.where(data["x"] > 0.3, "p", "q")}, "z ~ x + g", FORCED)


def test_a_result_comes_back_and_says_what_it_is(fitted: Regression) -> None:
    assert Regression.from_json(fitted.to_json()) == fitted
    text = fitted.summary(width=80)
    assert "the nearest to the corrected estimate; 20 of 20 searches ended there" in " ".join(text.split())
    assert "inverse of the observed information" in text
    assert max(map(len, text.split("\n"))) <= 80
    record = fitted.to_dict()
    assert [(one["name"], one["se"]) for one in record["rows"]] == list(fitted.bse.items())
    assert fitted.names == ("Intercept", "x", "g[T.q]")
    assert {"rows", "status", "fit"} <= set(record)
    assert {"llf", "n", "covariances"} <= set(record["fit"])
    with pytest.raises(InvalidParameterError, match="the kind of standard errors is unknown: received 'hc0'"):
        fitted.cov_params("hc0")


@pytest.mark.slow
def test_criteria_and_tests_by_their_formulas() -> None:
    from scipy.special import fdtrc

    data = {"z": np.arange(120) % 7 % 2, "y": np.arange(120) % 3 % 2, "x": np.arange(120) % 5, "v": np.arange(120) % 4}
    full, less, other = (
        regress_table(data, formula, "warner:9/10", starts=1) for formula in ("z ~ x + v", "z ~ x", "y ~ x")
    )
    assert (full.aic, full.bic) == pytest.approx((6 - 2 * full.llf, 3 * np.log(120) - 2 * full.llf))
    ratio = full.compare_lr_test(less)
    assert (ratio.statistic, ratio.degrees_of_freedom) == (pytest.approx(2 * (full.llf - less.llf)), 1)
    assert full.llnull == pytest.approx(regress_table(data, "z ~ 1", "warner:9/10", starts=1).llf)
    for one, two in ((less, less), (full, other)):
        with pytest.raises(InvalidParameterError, match="the models are not nested"):
            one.compare_lr_test(two)
    assert (
        regress_table(data, "z ~ x", "warner:9/10", starts=1, information="expected").fit.covariances
        == less.fit.covariances
    )
    data["c"] = np.arange(120) // 6
    survey = regress_table(data, "z ~ x + v", "warner:9/10", clusters="c", starts=1)
    both, freedom = survey.wald_test("x, v"), survey.df_resid
    gap, V = _values(survey.params)[1:], survey.cov_params()[1:, 1:]
    assert (both.statistic, freedom) == (pytest.approx(gap @ np.linalg.solve(V, gap) / 2), 19)
    assert both.p_value == pytest.approx(fdtrc(2, 19, both.statistic))
    assert "t" in survey.as_tables()[1][1]
    assert "z" in full.as_tables()[1][1]
    texts = dict(full.lines())
    assert float(texts["without covariates"]) == pytest.approx(full.llnull)
    assert "devices" not in texts


@pytest.mark.slow
def test_tests_agree_with_each_other(fitted: Regression) -> None:
    one = fitted.wald_test("x = 1")
    b, error = fitted.params["x"], fitted.bse["x"]
    assert one.statistic == pytest.approx(((b - 1) / error) ** 2)
    assert fitted.wald_test("x").p_value == pytest.approx(fitted.pvalues["x"])
    assert fitted.wald_test(["x"], [1.0]).statistic == pytest.approx(one.statistic)
    assert fitted.wald_test([[0, 1, 0], [0, 0, 1]]).statistic == pytest.approx(
        fitted.wald_test(["x", "g[T.q]"]).statistic
    )
    data = _sample(500, seed=21)
    coded = {**data, "g": np.array(["p", "q, r", "s"], object)[np.arange(500) % 3]}
    levels = regress_table(coded, "z ~ x + C(g, Treatment('s'))", FORCED, starts=1)
    assert levels.wald_test(", ".join(levels.names)).degrees_of_freedom == 4
    less = regress_table(data, "z ~ x", FORCED)
    ratio = fitted.compare_lr_test(less)
    assert ratio.degrees_of_freedom == 1
    assert ratio.p_value == pytest.approx(fitted.wald_test("g[T.q]").p_value, abs=0.05)
    with pytest.raises(InvalidParameterError, match="not nested"):
        less.compare_lr_test(fitted)
    with pytest.raises(InvalidParameterError, match="not of one kind: received probit regression and logistic"):
        fitted.compare_lr_test(regress_table(data, "z ~ x", FORCED, model="probit"))
    with pytest.raises(InvalidParameterError, match="not of one kind"):
        fitted.compare_lr_test(regress_table(data, "z ~ x", "warner:3/4"))
    with pytest.raises(InvalidParameterError, match="not nested: received 'z ~ exp"):
        fitted.compare_lr_test(regress_table(data, "z ~ exp(x)", FORCED))
    with pytest.raises(InvalidParameterError, match="same devices and categories"):
        fitted.compare_lr_test(regress_table(data, "z ~ x", FORCED, categories=["1", "0"]))
    asked = np.where(np.arange(500) % 2, FORCED, "direct").astype(object)
    with pytest.raises(InvalidParameterError, match="same devices and categories"):
        fitted.compare_lr_test(regress_table({**data, "d": asked}, "z ~ x", devices="d", starts=1))
    half = regress_table(data, "z ~ I(3 - x/2)", FORCED)
    assert fitted.compare_lr_test(half).statistic == pytest.approx(ratio.statistic)
    weighted = regress_table({**data, "w": np.ones(500)}, "z ~ x", FORCED, weights="w")
    with pytest.raises(UnsupportedProblemError, match="independent rows"):
        fitted.compare_lr_test(weighted)
    for wrong in ("y", "x = a", "x = inf", "x, x", ["x", 3], [["a"]], [[1, 2, 3], [1]], [[np.nan] * 3], [[0, 1]], []):
        with pytest.raises(InvalidParameterError, match="received"):
            fitted.wald_test(wrong)
    with pytest.raises(InvalidParameterError, match="no finite numbers"):
        fitted.wald_test([[0, 1, 0]], ["a"])
    with pytest.raises(InvalidParameterError, match=r"two values: received 'x = 2' with the values \[1\]"):
        fitted.wald_test(["x = 2"], [1])
    with pytest.raises(InvalidParameterError, match=r"with the values \[nan\]; allowed"):
        fitted.wald_test("x", [np.nan])
    with pytest.raises(InvalidParameterError, match=r"shape \(1, 3\) with values of shape \(2,\); allowed"):
        fitted.wald_test("x", [1, 2])
    with pytest.raises(InvalidParameterError, match="the restricted model is of another kind"):
        fitted.compare_lr_test(3)
    with pytest.raises(InvalidParameterError, match="no factor of the formula"):
        fitted.prevalence(["g"])
    with pytest.raises(InvalidParameterError, match="no row has all values"):
        fitted.margeff({"x": np.array([np.nan]), "g": np.array(["p"], object)})


def test_marginal_effects_leave_out_rows_with_a_missing_value(fitted: Regression) -> None:
    gaps, full = (
        fitted.margeff({"x": np.array([0.5, -1.0, *more]), "g": np.array(["p", "q", *"p" * len(more)], object)})
        for more in ([np.nan], [])
    )
    assert [one.estimate for one in gaps] == pytest.approx([one.estimate for one in full])


def test_effects_of_a_randomized_covariate_are_nested_too() -> None:
    random = np.random.default_rng(8)
    rows = {name: random.integers(0, 2, 300) for name in "qz"} | {name: random.normal(size=300) for name in "xu"}
    wide, narrow, other = (
        regress_table(rows, formula, "warner:3/4", covariates={"z": "warner:4/5"}, starts=2)
        for formula in ("q ~ x + u + z + z:x", "q ~ x + z", "q ~ x + z + z:u")
    )
    assert wide.compare_lr_test(narrow).degrees_of_freedom == 3
    with pytest.raises(InvalidParameterError, match="not nested"):
        wide.compare_lr_test(other)


@pytest.mark.slow
def test_marginal_effects_refuse_unknown_levels() -> None:
    """Numbers in place of the texts of a factor are levels too; they ended in a ValueError of Python."""
    z = _sample(500, seed=21)["z"]
    alone = regress_table({"z": z, "g": np.where(np.arange(500) % 2, "p", "q")}, "z ~ g", FORCED)
    with pytest.raises(InvalidParameterError, match="a level is unknown: received '3' in 'g', in 2 rows"):
        alone.margeff({"g": np.array([3.0, 3.0])})
    coded = regress_table({"z": z, "g": np.where(np.arange(500) % 2, "1", "old")}, "z ~ g", FORCED)
    (effect,) = coded.margeff()
    (of_numbers,) = coded.margeff({"g": np.array([1.0, 1.0])})
    assert of_numbers.estimate == pytest.approx(effect.estimate)


def test_coefficients_without_a_variance_are_printed_and_not_tested(recwarn: pytest.WarningsRecorder) -> None:
    rows = {"z": np.ones(40, int), "x": np.arange(40) % 2, "d": np.full(40, "direct"), "c": np.arange(40) // 4}
    for more in ({}, {"clusters": "c"}):
        found = regress_table(rows, "z ~ x", devices="d", model="linear", **more)
        assert "none" not in found.to_frame().to_csv()
        assert found.tvalues["x"] is None
        assert found.pvalues["x"] is None  # as the table prints it: none
        assert found.margeff()[0].p_value is None
        assert "none" in found.summary()
        with pytest.raises(UnsupportedProblemError, match="the covariance of the restrictions is singular"):
            found.wald_test("x")
    assert not [one for one in recwarn if issubclass(one.category, RuntimeWarning)]


def test_a_root_has_no_marginal_effect_at_zero() -> None:
    rows = {"z": np.arange(60) % 7 > 3, "x": np.arange(60) % 4}
    found = regress_table(rows, "z ~ sqrt(x)", "warner:1", starts=1)
    with pytest.raises(InvalidParameterError, match="the marginal effect of 'x' does not exist"):
        found.margeff()
    with pytest.raises(InvalidParameterError, match=r"no finite value in 1 row: received 'sqrt\(x\)'"):
        found.margeff({"x": np.array([-1.0, 1.0])})


def test_a_fit_without_degrees_of_freedom_is_printed() -> None:
    """The only cluster of each stratum has no variance: the distance to the corrected estimate has no unit."""
    rows = {"z": np.arange(90) % 7 > 3, "x": np.arange(90) % 5, "s": np.arange(90) // 30, "d": np.full(90, "direct")}
    found = regress_table(rows, "z ~ x", devices="d", strata="s", clusters="s", single_psu="certainty", starts=2)
    assert found.df_resid == 0
    assert "the corrected estimate is consistent" in found.notes()
    assert "none  none" in found.summary()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (effect,) = found.margeff()
    assert effect.se == 0
    assert found.margeff().first_table(1)[2][0][-2:] == ("none", "none")


def test_a_stratum_that_is_certain_has_the_variance_of_the_device() -> None:
    """As in the estimate of the same prevalence; a logit changes by 1/(p (1 - p)) times as much."""
    data = {"z": np.arange(400) % 7 % 2, "s": np.arange(400) // 100, "h": np.arange(400) // 200}
    data["c"] = np.where(data["h"] == 0, 0, np.arange(400) // 20)  # one cluster in the first half
    data["w"] = 1 + np.arange(400) % 3 / 2
    for strata, clusters, weights in (("s", "s", None), ("h", "c", "w")):
        sample = {"strata": strata, "clusters": clusters, "weights": weights, "single_psu": "certainty"}
        found = regress_table(data, "z ~ 1", "warner:4/5", **sample)
        (share,) = estimate_table(data, "z", "warner:4/5", **sample)
        p = 1 / (1 + np.exp(-found.params["Intercept"]))
        assert found.errors()["Intercept"] * p * (1 - p) == pytest.approx(share.se, rel=1e-6)
        assert share.se > 0.01


def test_two_names_of_one_device_are_counted_once() -> None:
    data = {"z": np.arange(90) % 7 > 3, "x": np.arange(90) % 5}
    data["d"] = np.array([FORCED, "warner:5/6", "warner:1/6"], object)[np.arange(90) % 3]
    assert regress_table(data, "z ~ x", devices="d", starts=2).fit.devices == 2


def test_clusters_that_are_all_alone_have_no_average() -> None:
    data = {"z": np.arange(60) % 2, "x": np.arange(60) % 5, "s": np.arange(60) // 20}
    with pytest.raises(InvalidParameterError, match="no stratum has two clusters: received 3"):
        regress_table(data, "z ~ x", "warner:3/4", strata="s", clusters="s", single_psu="average")


def test_odds_ratios_without_degrees_of_freedom_have_no_interval() -> None:
    data = {"z": np.arange(90) % 7 > 3, "x": np.arange(90) % 5, "s": np.arange(90) // 30}
    found = regress_table(data, "z ~ x", "warner:3/4", strata="s", clusters="s", single_psu="adjust", starts=2)
    ratio, *ends = found.odds_ratios["x"]
    assert ratio > 0
    assert np.isnan(ends).all()
    assert "e+304" not in found.summary()


def test_a_survey_tests_no_more_restrictions_than_it_has_degrees_of_freedom() -> None:
    data = _sample(60, "warner:4/5", seed=3)
    random = np.random.default_rng(5)
    more = {"u": random.normal(size=60), "v": random.normal(size=60), "c": np.arange(60) % 3}
    found = regress_table({**data, **more}, "z ~ x + u + v", "warner:4/5", model="linear", clusters="c")
    assert found.wald_test("x, u").degrees_of_freedom == 2
    with pytest.raises(UnsupportedProblemError, match="received 3 restrictions; test fewer"):
        found.wald_test("x, u, v")


@few_rows(1)
@pytest.mark.parametrize(("model", "mechanism"), [("logit", FORCED), ("linear", FORCED), ("multinomial", "grr:3,4/5")])
def test_a_row_with_a_missing_value_has_no_prediction_and_no_error(model: str, mechanism: str) -> None:
    x = np.tile(np.linspace(-1, 1, 50), 6)
    z = np.arange(300) % (3 if model == "multinomial" else 2)
    found = regress_table({"z": z, "x": x}, "z ~ x", mechanism, model=model)
    for values in found.predict({"x": np.array([0.5, np.nan])}, interval=True).values():
        assert np.isfinite(values[0]).all()
        assert np.isnan(values[1]).all()


def test_predictions_have_intervals_and_refuse_unknown_levels(fitted: Regression) -> None:
    new = {"x": np.array([0.0, 1.0, np.nan]), "g": np.array(["p", "q", "p"], object)}
    found = fitted.predict(new, interval=True)
    assert np.isnan(found["estimate"]).tolist() == [False, False, True]
    t = fitted.params["Intercept"]
    assert found["estimate"][0] == pytest.approx(1 / (1 + np.exp(-t)))
    assert (found["low"][:2] < found["estimate"][:2]).all()
    assert (found["estimate"][:2] < found["high"][:2]).all()
    x = (40.0 - t) / fitted.params["x"]  # pi is 1 in floats, and its interval is not one point
    far = fitted.predict({"x": np.array([x]), "g": np.array(["p"], object)}, interval=True)
    assert far["estimate"][0] == far["high"][0] == 1.0
    assert far["low"][0] < 1.0
    with pytest.raises(InvalidParameterError, match="a level is unknown: received 'r' in 'g'"):
        fitted.predict({"x": np.array([0.0]), "g": np.array(["r"], object)})
    with pytest.raises(InvalidParameterError, match="the data have no column for `formula`: received 'g'"):
        fitted.predict({"x": np.array([0.0])})
    read = Regression.from_json(fitted.to_json())
    assert read.predict(new)[0] == found["estimate"][0]
    with pytest.raises(InvalidParameterError, match="received a result from a file"):
        read.margeff()


def _forged(text: str, steps: Sequence[str | int], value: object) -> str:
    """Return a file of a result in which one value is another."""
    whole = at = json.loads(text)
    for step in steps[:-1]:
        at = at[step]
    at[steps[-1]] = value
    return json.dumps(whole)


@pytest.mark.slow
def test_forged_covariates_of_a_file_are_one_error() -> None:
    """Factors, levels, columns and coefficients that do not belong together are refused; no text is evaluated."""
    random = np.random.default_rng(3)
    rows = {"q": random.integers(0, 2, 300), "x": random.normal(size=300), "z": random.integers(0, 2, 300)}
    rows["g"] = np.array(["a", "b", "c"], object)[random.integers(0, 3, 300)]
    plain = regress_table(rows, "q ~ scale(x) * C(g)", "warner:3/4")
    latent = regress_table(rows, "q ~ x + g + z:g + z", "warner:3/4", covariates={"z": "warner:4/5"})
    factors, own = ("covariates", "factors"), ("latent", "factors", 0)
    texts = ("x + g", "1", 'C(g, Treatment("q"))', "zz", "`g", "__import__('os').abort()", "g.a")
    for fit, steps, value in (
        *((fit, (*factors, place, "text"), text) for text in texts for fit in (plain, latent) for place in (0, 1)),
        *((latent, (*own, "text"), text) for text in texts),
        (plain, (*factors, 1, "levels"), ["a", "b"]),
        (plain, (*factors, 1, "reference"), "q"),
        (plain, (*factors, 0, "constants"), {}),
        (latent, (*own, "levels"), ["a", "a", "c"]),
        (plain, ("covariates", "terms", 0, "names"), []),
    ):
        with pytest.raises(RroptError, match=r"^(?!.*\n)"):
            Regression.from_json(_forged(fit.to_json(), ("fit", *steps), value)).predict(rows)


@pytest.mark.slow
def test_a_covariate_far_from_zero_is_to_be_centered() -> None:
    """The errors of probabilities were those of rounding, or 0."""
    data = _sample(300, seed=4)
    near, far = (regress_table(data | {"x": data["x"] + mean}, "z ~ center(x)", FORCED, starts=1) for mean in (0, 1e9))
    (effect,), (same,) = near.margeff(), far.margeff()
    assert (same.estimate, same.se) == pytest.approx((effect.estimate, effect.se), rel=1e-6)
    (rounded,) = regress_table(data | {"x": data["x"] + 1e13}, "z ~ center(x)", FORCED, starts=1).margeff()
    assert rounded.estimate == pytest.approx(effect.estimate, rel=0.01), "x + h is x for the shortest steps h"
    plain = regress_table(data | {"x": data["x"] + 1e9}, "z ~ x", FORCED, starts=1)
    square, huge = (
        regress_table(data, "z ~ x + I(x**2)", FORCED, starts=1),
        {"x": np.array([1e119])},
    )  # overflows
    for refused in (plain.margeff, lambda: plain.predict(interval=True), lambda: square.predict(huge, interval=True)):
        with pytest.raises(UnsupportedProblemError, match=r"are lost in rounding: .* center\(x\)"):
            refused()


def test_the_marginal_effect_of_a_logarithm_stays_in_its_domain() -> None:
    """The smallest incomes are nearer to 0 than the step of the derivative."""
    random = np.random.default_rng(5)
    income = np.exp(random.normal(6, 3, 500))
    truth = random.random(500) < 1 / (1 + np.exp(3 - 0.5 * np.log(income)))
    z = np.where(random.random(500) < 0.8, truth, ~truth).astype(int)
    assert income.min() < 1e-4 * income.std()
    found = regress_table({"z": z, "income": income}, "z ~ log(income)", "warner:4/5")
    p = found.predict()
    (own,) = found.margeff()
    assert own.estimate == pytest.approx(np.mean(p * (1 - p) * found.params["log(income)"] / income), rel=1e-5)


@pytest.mark.slow
def test_the_command_prints_what_the_function_finds(tmp_path: Path, cli, fitted: Regression) -> None:
    data = _sample(500, seed=21)
    path = tmp_path / "rows.csv"
    lines = [
        f"{z},{x!r},{'p' if x > 0.3 else 'q'}" for z, x in zip(data["z"].tolist(), data["x"].tolist(), strict=True)
    ]
    path.write_text("\n".join(["z,x,g", *lines]))
    status, out, _ = cli(
        "regress", str(path), "--formula", "z ~ x + g", "--mechanism", FORCED, "--json", "--margins", "--predict",
        str(path),
    )  # fmt: skip
    record = json.loads(out)
    assert status == 0
    assert [one["estimate"] for one in record["rows"]] == pytest.approx(_values(fitted.params), rel=1e-9)
    assert len(record["predictions"]["estimate"]) == 500
    assert [one["name"] for one in record["marginal_effects"]["rows"]] == ["x", "g: q - p"]
    status, out, _ = cli("regress", str(path), "--formula", "z ~ x", "--mechanism", FORCED, "--margins")
    assert status == 0
    assert "< 0.001" in out.partition("Average marginal effects")[2]
    status, out, error = cli("regress", str(path), "--formula", "z ~ 1", "--mechanism", FORCED, "--margins")
    assert (status, "no marginal effects: the formula has no variable" in error) == (0, True)
    status, _, error = cli("regress", str(path), "--formula", "z ~ {open('f')}", "--mechanism", FORCED)
    assert status == 2
    assert error.count("\n") == 1


def _ordered(n: int, seed: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    x = np.round(random.normal(size=n), 1)
    truth = np.clip(np.round(1 + x / 2 + random.logistic(size=n) / 2), 0, 2).astype(int)
    return {"z": np.where(random.random(n) < 0.7, truth, random.integers(0, 3, n)), "x": x}


STEPS = {
    "logit": ("z ~ x", {}),
    "probit": ("z ~ x", {}),
    "linear": ("z ~ x", {}),
    "corrected": ("z ~ x", {"method": "corrected"}),
    "ordinal-logit": ("z ~ x", {}),
    "ordinal-probit": ("z ~ x", {}),
    "multinomial": ("z ~ x", {}),
    "covariate": ("x ~ z", {"covariates": {"z": "warner:4/5"}}),
    "number": ("x ~ z", {"covariates": {"z": "warner:4/5"}, "model": "linear"}),
}


@few_rows(1)
@pytest.mark.parametrize("kind", STEPS)
def test_each_fit_states_the_error_of_its_coefficients(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the same fit from another start: both lie within their last steps of one maximum."""
    formula, more = STEPS[kind]
    several = kind.startswith(("ordinal", "multi"))
    data = _ordered(300, 1) if several else _sample(300, seed=6)
    if kind == "covariate":
        data["x"] = np.where(np.arange(300) % 3, data["z"], 1 - data["z"])
    device = None if kind == "number" else "grr:3,4/5" if several else "warner:4/5" if kind != "covariate" else "direct"
    if device == "direct":
        data, device, more = {**data, "d": np.full(300, "direct")}, None, {**more, "devices": "d"}
    if kind in MODELS:
        more = {**more, "model": kind}
    found = regress_table(data, formula, device, starts=3, **more)
    again = regress_table(data, formula, device, starts=3, rng=8, **more)
    near = max(found.fit.last_step + again.fit.last_step, 1e-12)
    assert near < 1e-6
    for name, error in found.bse.items():
        assert abs(found.params[name] - again.params[name]) <= 2 * near * error + 1e-12
    assert any("computed, no certificate" in note for note in found.notes())


def test_the_last_step_is_large_away_from_the_maximum() -> None:
    from rropt.regression.search import WhitenedModel
    from rropt.regression.variances import covariances_of

    data = _sample(400, seed=11)
    P = np.array([[[float(p) for p in row] for row in rropt.Mechanism(FORCED).matrix]])
    responses = DeviceResponses(P, np.linalg.inv(P), np.zeros(400, int), data["z"])
    problem = WhitenedModel("logit", np.column_stack([np.ones(400), data["x"]]), ["a", "b"], responses, np.ones(400))
    found = problem.fit()
    covariances, step = covariances_of(found, problem.T)
    errors = np.sqrt(np.diag(covariances["observed"]))
    assert max(step / errors) < 1e-8
    moved = np.linalg.solve(problem.T, np.array([0.02, 0]) * errors[0])
    far = found._replace(end=replace(found.end, theta=found.end.theta + moved))
    assert 0.019 < max(covariances_of(far, problem.T)[1] / errors) < 0.04


LOST = [(138, seed, model) for seed in range(6) for model in ("logit", "probit")]


@few_rows(1)
@pytest.mark.parametrize(("n", "seed", "model"), LOST)
def test_no_table_with_two_covariates_loses_its_fit(n: int, seed: int, model: str) -> None:
    """A proof that failed once took the estimate along; what is refused has no maximum, and is said so."""
    random = np.random.default_rng(seed)
    x, g = np.round(random.normal(size=n), 1), random.choice(["a", "b", "c"], n)
    truth = random.random(n) < 1 / (1 + np.exp(0.5 - x - (g == "b")))
    z = np.where(random.random(n) < 0.75, truth, ~truth).astype(int)
    try:
        found = regress_table({"y": z, "x": x, "g": g}, "y ~ x + g", "warner:3/4", model=model, starts=3)
    except InfeasibleError as error:
        assert "no maximum" in str(error)  # noqa: PT017  # some tables have none
        return
    assert np.isfinite(_values(found.params)).all()
    assert 0 <= found.fit.last_step < 1e-4


@pytest.mark.slow
def test_a_number_that_is_named_as_missing_is_missing_in_columns_of_numbers() -> None:
    """A code such as 999 would otherwise be taken for an age; in texts and in numbers alike."""
    data = _sample(200, seed=9)
    kept = np.arange(200) % 10 > 0
    coded = np.where(kept, np.round(data["x"], 3), 999.0)
    best = regress_table({"z": data["z"][kept], "x": coded[kept]}, "z ~ x", "warner:4/5", starts=2)
    for column in (coded, np.array([repr(v) for v in coded.tolist()], object)):
        found = regress_table(
            rropt_fieldwork.read({"z": data["z"], "x": column}, missing=["x=999"]), "z ~ x", "warner:4/5", starts=2
        )
        assert (found.fit.dropped, dict(found.fit.missing)) == (20, {"x": 20})
        assert _values(found.params) == pytest.approx(_values(best.params), rel=1e-9)
        again = type(found).from_json(found.to_json())
        assert np.isnan(again.predict(rropt_fieldwork.covariates_of_table(again, {"x": column}))).sum() == 20
        with pytest.raises(InvalidParameterError, match="read them alike"):
            again.predict({"x": column})


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pandas", "of texts", "polars", "duckdb", "arrow", "feather"])
def test_a_categorical_column_of_numbers_is_marked_or_converted(kind: str, tmp_path: Path) -> None:
    """A slope and contrasts are two models, of which neither is chosen silently; recoded levels are not in doubt."""
    pd, pa, pl, duckdb = map(pytest.importorskip, ("pandas", "pyarrow", "polars", "duckdb"))
    data = _sample(240, seed=9)
    levels = np.arange(240) % 3 + 1
    frame = pd.DataFrame({"z": data["z"], "edu": pd.Categorical(levels, ordered=True)})
    table = frame
    if kind == "of texts":
        table = frame.assign(edu=pd.Categorical(levels.astype(str)))
    if kind == "polars":
        enum = pl.Series(levels.astype(str).tolist(), dtype=pl.Enum(["1", "2", "3"]))
        table = pl.DataFrame({"z": data["z"], "edu": enum})
    if kind == "duckdb":
        plain = frame.assign(edu=levels.astype(str))  # noqa: F841  # DuckDB reads it by its name
        table = duckdb.sql("SELECT z, edu::ENUM('1', '2', '3') AS edu FROM plain")
    if kind == "arrow":
        table = pa.Table.from_pandas(frame)
    if kind == "feather":
        table = tmp_path / "a.feather"
        frame.to_feather(table)
    with pytest.raises(rropt.RroptError, match=r"column 'edu' can be read in two ways: .*write C\(edu\)"):
        regress_table(table, "z ~ edu", "warner:4/5")
    marked = regress_table(table, "z ~ C(edu)", "warner:4/5", starts=2)
    assert list(marked.names) == ["Intercept", "C(edu)[T.2]", "C(edu)[T.3]"]
    recoded = regress_table(
        rropt_fieldwork.read(table, recode=["high = edu: 1..2 -> 0, 3.. -> 1"]), "z ~ high", "warner:4/5", starts=2
    )
    assert list(recoded.names) == ["Intercept", "high"]
    slope = regress_table(frame.assign(edu=levels), "z ~ edu", "warner:4/5", starts=2)
    assert list(slope.names) == ["Intercept", "edu"]


def test_a_text_that_is_named_as_missing_is_another_level_with_a_point(tmp_path: Path) -> None:
    """In a table with decimal commas, 1,5 and 1.5 are one number, but two levels of a factor."""
    random = np.random.default_rng(4)
    rows = [f"{random.integers(2)};{level}" for level in ("1,5", "1.5", "abc") * 100]
    (tmp_path / "c.csv").write_text("\n".join(["z;g", *rows]), encoding="utf-8")
    found = regress_table(rropt_fieldwork.read(tmp_path / "c.csv", missing=["g=1,5"]), "z ~ g", "warner:3/4", starts=2)
    assert (found.nobs, list(found.names)) == (200, ["Intercept", "g[T.abc]"])


@pytest.mark.slow
def test_texts_are_levels_unless_they_are_named() -> None:
    """The default texts are those of answers: none and NA are levels, and NA is missing among numbers alone."""
    data = _sample(300, seed=3)
    z = np.array(["refused", *map(str, data["z"][1:])], object)
    level = np.array(["none", "NA", "public"] * 99 + ["", " ", None], object)
    x = np.array(["NA", "", *map(repr, np.round(data["x"], 3).tolist()[2:])], object)
    given = {"z": z, "cover": level, "x": x}
    found = regress_table(given, "z ~ cover + x", "warner:3/4", starts=2)
    assert list(found.names) == ["Intercept", "cover[T.none]", "cover[T.public]", "x"]
    assert (found.nobs, dict(found.fit.missing)) == (295, {"z": 1, "cover": 3, "x": 2})
    assert "z: 1 'refused', cover: 3 empty, x: 1 empty, 1 'NA'" in found.notes()[1]
    assert "cover: 3 missing, left out (3 empty), x: 2 missing" in found.reading.text()
    assert "'NA' of 'cover', 'none' of 'cover': read as a level" in found.reading.remarks[0]
    for named in (["cover=none", "x=0"], {"cover": ["none"], "x": "0"}):
        fewer = regress_table(rropt_fieldwork.read(given, missing=named), "z ~ cover + x", "warner:3/4", starts=2)
        assert (fewer.nobs, dict(fewer.fit.missing)["cover"]) == (197, 102)
        assert "no value of 'x' is '0', which is named as missing" in fewer.reading.remarks
    for known in (found, type(found).from_json(found.to_json())):
        new = known.predict({"cover": np.array(["none", "NA", ""], object), "x": np.array(["0", "1", "0"], object)})
        assert np.isnan(new).tolist() == [False, False, True]
    with pytest.raises(InvalidParameterError, match="level"):
        fewer.predict(
            rropt_fieldwork.covariates_of_table(
                fewer, {"cover": np.array(["private"], object), "x": np.array(["0"], object)}
            )
        )


def test_numbers_with_a_word_among_them_can_be_read_in_two_ways() -> None:
    """Children: none, 1, 2, ... `none` is a level of a factor, or a missing number, or 0."""
    data = _sample(200, seed=4)
    children = np.array(["none", "1", "2", "NA"] * 50, object)
    given = {"z": data["z"], "children": children}
    with pytest.raises(FileFormatError, match=r"two ways: received 100 numbers, and 50 times 'none'.*C\(children\)"):
        regress_table(given, "z ~ children", "warner:3/4")
    number = regress_table(
        rropt_fieldwork.read(given, missing=["children=none"]), "z ~ children", "warner:3/4", starts=2
    )
    assert (number.nobs, list(number.names)) == (100, ["Intercept", "children"])
    factor = regress_table(given, "z ~ C(children)", "warner:3/4", starts=2)
    assert factor.nobs == 200
    assert [name for name in factor.names if "none" in name or "NA" in name] == [
        "C(children)[T.NA]",
        "C(children)[T.none]",
    ]


def test_a_row_without_a_place_in_the_sample_is_refused() -> None:
    data = _sample(100, seed=5)
    given = {"z": data["z"], "x": data["x"], "s": np.array(["NA", "none"] * 50, object), "w": np.ones(100)}
    found = regress_table(given, "z ~ x", "warner:4/5", strata="s", weights="w", starts=2)  # both are strata
    assert found.survey.strata == 2
    for text, options in (("s=none", {"strata": "s"}), ("w=1", {"weights": "w"})):
        with pytest.raises(FileFormatError, match=f"rows .* miss a value of '{text[0]}': '{text[2:]}' is named as"):
            regress_table(rropt_fieldwork.read(given, missing=[text]), "z ~ x", "warner:4/5", **options)
        with pytest.raises(FileFormatError, match=f"miss a value of '{text[0]}'"):
            table_estimate("warner:4/5", data=rropt_fieldwork.read(given, missing=[text]), column="z", **options)


def test_a_number_that_is_named_as_missing_is_no_outcome() -> None:
    random = np.random.default_rng(1)
    truth = random.random(600) < 0.4
    q = np.where(random.random(600) < 0.8, truth, ~truth).astype(int)
    income = np.where(np.arange(600) % 50, np.round(2 + 1.5 * truth + random.normal(0, 0.7, 600), 3), 999.0)
    own = {"covariates": {"q": "warner:4/5"}, "model": "linear", "starts": 2}
    found = regress_table(rropt_fieldwork.read({"income": income, "q": q}, missing=["", "999"]), "income ~ q", **own)
    assert (found.fit.dropped, dict(found.fit.missing)) == (12, {"income": 12})
    assert found.params["Intercept"] == pytest.approx(2, abs=0.3)


def test_numbers_whose_products_overflow_are_refused() -> None:
    data = _sample(100, seed=9)
    data["x"][3] = 1e300
    with pytest.raises(FileFormatError, match="numbers that are too large: received 1 value of 'x'"):
        regress_table(data, "z ~ x", "warner:4/5")


@pytest.mark.parametrize(
    ("model", "random", "cuts"),
    [
        ("ordinal logit", None, ("low|mid", "mid|high")),
        ("ordinal logit", "sigma", ("b", "low|mid")),
        ("multinomial logit", None, ()),
    ],
)
def test_thresholds_stand_last_but_for_the_standard_deviation(model: str, random: str | None, cuts: tuple) -> None:
    fit = SimpleNamespace(model=model, random=random, categories=("l", "m", "h"))
    found = SimpleNamespace(fit=fit, names=("a", "b", "low|mid", "mid|high"))
    assert Regression._cuts.fget(found) == cuts


def test_coefficients_are_estimates(fitted: Regression) -> None:
    """Rows, combinations, simultaneous intervals and files as those of other estimates."""
    assert isinstance(fitted, Estimates)
    (row,) = [one for one in fitted if one.name == "x"]
    assert (row.estimate, row.se, row.p_value) == (fitted.params["x"], fitted.bse["x"], fitted.pvalues["x"])
    assert fitted["x"] == row
    assert tuple(row.conf_int()) == tuple(fitted.conf_int()["x"])
    gap = fitted.contrast({"x": 2, "g[T.q]": -1})
    V, w = fitted.cov_params(), np.array([0.0, 2.0, -1.0])
    assert gap.estimate == pytest.approx(2 * fitted.params["x"] - fitted.params["g[T.q]"], rel=1e-14)
    assert gap.se == pytest.approx(np.sqrt(w @ V @ w), rel=1e-12)
    assert fitted.contrast({"x": 1}).pvalues[0] == pytest.approx(fitted.pvalues["x"], rel=1e-12)
    assert fitted.wald_test("x").p_value == pytest.approx(fitted["x"].test(0), rel=1e-10)
    wide = fitted.conf_int(simultaneous=True)
    for name, (low, high) in fitted.conf_int().items():
        assert wide[name][0] < low < high < wide[name][1]
    robust = fitted.conf_int(confidence=0.9, cov_type="sandwich")["x"]
    assert robust[1] - robust[0] == pytest.approx(2 * 1.6448536269514722 * fitted.errors("sandwich")["x"], rel=1e-12)
    record = json.loads(fitted.to_json())
    assert (record["rropt"], record["kind"], record["version"]) == ("estimates", "regression", 1)
    for key, value in (("rows", []), ("odds_ratios", {}), ("status", "?"), ("unknown", 1)):
        with pytest.raises(FileFormatError, match="contradicts the fit"):
            Regression.from_json(json.dumps({**record, key: value}))
    with pytest.raises(FileFormatError, match="no regression"):
        Regression.from_json(json.dumps({key: value for key, value in record.items() if key != "fit"}))
    assert [one["name"] for one in fitted.to_dicts()] == list(fitted.names)
    assert "odds_ratio" in fitted.frame_rows()[0]
