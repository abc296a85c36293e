"""Regressions: frozen figures, Newton's method at 50 digits, and the choice of a maximum."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from regression_cases import FORCED, binary, cases, covariate, ordered
from table_calls import regress_table

import rropt
from rropt.core.errors import InfeasibleError, RroptError

FROZEN = json.loads((Path(__file__).parent / "frozen.json").read_text(encoding="utf-8"))


@cache
def made() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Return the rows and the options of every case."""
    return {name: (rows, options) for name, rows, options in cases()}


def _fit(name: str, **more: Any) -> Any:
    rows, options = made()[name]
    own = {**options, **more}
    return regress_table(rows, own.pop("formula"), own.pop("mechanism", None), **own)


@few_rows(2)
@pytest.mark.parametrize("name", FROZEN)
def test_figures_are_the_frozen_ones(name: str) -> None:
    known = FROZEN[name]
    if "refused" in known:
        with pytest.raises(RroptError) as refusal:
            _fit(name, starts=4)
        assert (type(refusal.value).__name__, str(refusal.value).partition(":")[0]) == (known["refused"], known["why"])
        return
    found = _fit(name, starts=4)
    assert found.names == tuple(known["coefficients"])
    for kind, errors in known["errors"].items():
        assert list(found.errors(kind)) == pytest.approx(errors, rel=1e-10)
    unit = np.array(next(iter(known["errors"].values())))
    gap = np.array(list(found.params)) - list(known["coefficients"].values())
    assert np.abs(gap / unit).max() < 1e-10
    assert (found.llf, found.llnull) == (pytest.approx(known["loglik"]), pytest.approx(known["null"]))


def test_the_frozen_cases_are_all_there() -> None:
    assert set(made()) == set(FROZEN)
    assert len(FROZEN) >= 150


# --- Newton's method at 50 digits, on formulas written down once more


def _tail(t: Any) -> Any:
    mpmath = pytest.importorskip("mpmath", reason="mpmath is not installed: an oracle of the tests alone")
    return 1 / (1 + mpmath.exp(-t))


def _normal(t: Any) -> Any:
    import mpmath

    return mpmath.ncdf(t)


def _exact_rows(rows: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        dict(zip(rows, one, strict=True)) for one in zip(*(np.asarray(c).tolist() for c in rows.values()), strict=True)
    ]


def _loglik(model: str, matrix: Any, rows: list[dict[str, Any]]) -> Any:
    """Return the log-likelihood as a function of the coefficients, from the definition of the model."""
    import mpmath

    P = [[mpmath.mpf(p.numerator) / p.denominator for p in line] for line in matrix]

    def truth(row: dict[str, Any], b: Any) -> list[Any]:
        x = mpmath.mpf(str(row.get("x", 0)))
        if model in ("logit", "probit"):
            F = (_tail if model == "logit" else _normal)(b[0] + b[1] * x)
            return [1 - F, F]
        if model.startswith("ordinal"):
            F = [(_tail if model == "ordinal-logit" else _normal)(kappa - b[0] * x) for kappa in b[1:]]
            return [F[0], *(high - low for low, high in pairwise(F)), 1 - F[-1]]
        parts = [mpmath.mpf(1), *(mpmath.exp(b[2 * j] + b[2 * j + 1] * x) for j in range(len(P[0]) - 1))]
        return [part / sum(parts) for part in parts]

    def latent(row: dict[str, Any], b: Any) -> list[Any]:
        age = mpmath.mpf(str(row["age"]))
        prior = _tail(b[3] + b[4] * age)
        outcomes = [_tail(b[0] + b[1] * age + b[2] * x) for x in (0, 1)]
        f = outcomes if row["vote"] else [1 - one for one in outcomes]
        return [(1 - prior) * f[0], prior * f[1]]

    def value(*b: Any) -> Any:
        if model == "latent":
            return mpmath.fsum(
                mpmath.log(sum(p * q for p, q in zip(P[row["tax"]], latent(row, b), strict=True))) for row in rows
            )
        return mpmath.fsum(
            mpmath.log(sum(p * q for p, q in zip(P[row["z"]], truth(row, b), strict=True))) for row in rows
        )

    return value


EXACT = {
    "logit": (lambda: binary(31, 80, "warner:3/4"), "warner:3/4"),
    "probit": (lambda: binary(32, 80, FORCED), FORCED),
    "ordinal-logit": (lambda: ordered(33, 80, 3, 0.8), "grr:3,4/5"),
    "ordinal-probit": (lambda: ordered(34, 80, 3, 0.8), "grr:3,4/5"),
    "multinomial": (lambda: ordered(35, 80, 3, 0.8), "grr:3,4/5"),
    "latent": (lambda: covariate(41, 100, "warner:3/4"), "warner:3/4"),
}


@pytest.mark.slow
@pytest.mark.parametrize("model", EXACT)
def test_the_estimate_is_the_end_of_newtons_method_at_50_digits(model: str) -> None:
    mpmath = pytest.importorskip("mpmath", reason="mpmath is not installed: an oracle of the tests alone")
    draw, device = EXACT[model]
    data = draw()
    if model == "latent":
        found = regress_table(data, "vote ~ tax + age", covariates={"tax": device}, starts=4)
    else:
        found = regress_table(data, "z ~ x", device, model=model, starts=4)
    with mpmath.workdps(50):
        value = _loglik(model, rropt.Mechanism(device).matrix, _exact_rows(data))
        order = [found.names.index(name) for name in found.names]
        if model == "latent":  # Intercept, age, tax, tax | Intercept, tax | age
            assert found.names == ("Intercept", "age", "tax", "tax | Intercept", "tax | age")
        b = mpmath.matrix([mpmath.mpf(list(found.params)[i]) for i in order])
        p, h = len(b), mpmath.mpf(10) ** -12
        for _ in range(2):
            at = {}
            steps = [(i, j, s, t) for i in range(p) for j in range(i + 1) for s in (1, -1) for t in (1, -1)]
            for i, j, s, t in steps:
                moved = b.copy()
                moved[i] += s * h
                moved[j] += t * h
                at[i, j, s, t] = value(*moved)
            H = mpmath.matrix(p)
            for i in range(p):
                for j in range(i + 1):
                    H[i, j] = H[j, i] = sum(s * t * at[i, j, s, t] for s in (1, -1) for t in (1, -1)) / (4 * h * h)
            g = mpmath.matrix([(at[i, i, 1, 1] - at[i, i, -1, -1]) / (4 * h) for i in range(p)])
            b = b - mpmath.lu_solve(H, g)
        V = (-H) ** -1
        for i, name in enumerate(found.names):
            error = mpmath.sqrt(V[i, i])
            assert abs(found.params[name] - b[i]) < 1e-11 * error
            assert abs(found.errors("observed")[name] / error - 1) < 1e-9
        assert abs(found.llf - value(*b)) < 1e-11 * abs(found.llf)


# --- several maxima, and maxima at infinity


def test_a_weak_device_has_the_maximum_near_the_corrected_estimate() -> None:
    """The earlier search printed a coefficient of -77 there, or refused; now a note reports the higher plateau."""
    found = _fit("weak device, logit 202")
    assert found.method == "ml"
    assert max(map(abs, found.params)) < 5
    assert found.fit.higher > found.llf
    far = max(abs(found.params[name] - found.fit.corrected[name]) / found.bse[name] for name in found.names)
    assert far < 2
    text = " ".join(found.notes())
    assert f"a higher log-likelihood, {found.fit.higher:.5f}"[:40] in text
    assert "farther from the corrected estimate or at infinity" in text
    assert "the nearest to the corrected estimate" in found.status
    assert type(found).from_json(found.to_json()) == found


def test_without_a_proper_maximum_the_estimate_is_the_corrected_one() -> None:
    found = _fit("weak device, logit 206")
    same = _fit("weak device, logit 206", method="corrected")
    assert (found.method, found.error_kind, found.llf) == ("corrected", "sandwich", None)
    assert found.params == same.params
    assert found.bse == same.bse
    assert "no search found a proper maximum of the likelihood" in found.status
    assert "proper maximum" not in same.status


def test_the_estimate_is_the_nearest_maximum_and_not_the_highest() -> None:
    found = _fit("probit forced:2/3,1/6,1/6 z ~ x * half")
    highest = -415.44990800195  # where an earlier search ended, which returned the highest of all ends
    assert found.llf < highest - 0.1
    assert found.fit.higher == pytest.approx(highest, rel=1e-12)
    assert found.fit.other_maxima > 0
    assert "of a logit model, divided by 1.7" in (notes := " ".join(found.notes()))
    assert "consistent" not in notes  # of a probit model, it is only near


@pytest.mark.slow
def test_a_refusal_names_the_group_and_what_to_do() -> None:
    g = np.repeat(["a", "b", "c"], 96).astype(object)
    few, some = [1] * 10 + [0] * 86, [1] * 40 + [0] * 56
    for place, level in enumerate("abc"):
        z = np.concatenate([few if i == place else some for i in range(3)])
        with pytest.raises(InfeasibleError) as refusal:
            regress_table({"z": z, "g": g}, "z ~ g", FORCED, starts=3)
        assert f"the group g = '{level}' has 10 yes among 96 responses, and the device alone gives 16" in str(
            refusal.value
        )
        assert "take `model=linear`, join levels" in str(refusal.value)
    many = [1] * 90 + [0] * 6  # more than 5/6
    with pytest.raises(InfeasibleError, match="gives 80 if everybody has the trait"):
        regress_table({"z": np.concatenate([many, some, some]), "g": g}, "z ~ g", FORCED, starts=3)
    with pytest.raises(
        InfeasibleError, match="the sample has 30 yes among 30 responses, and the device alone gives 25"
    ):
        regress_table({"z": np.ones(30, int), "x": np.arange(30.0)}, "z ~ x", FORCED, starts=3)
    twice = {"z": np.ones(30, int), "x": np.arange(30.0), "w": np.full(30, 2.0)}
    with pytest.raises(InfeasibleError, match="the sample has 60 yes among 60 weighted responses, and the device"):
        regress_table(twice, "z ~ x", FORCED, weights="w", starts=3)
    with pytest.raises(InfeasibleError, match="'x' separates the responses"):
        regress_table(
            {"z": (np.arange(30) > 12).astype(int), "x": np.arange(30.0)}, "z ~ x", "generalised:1,1", starts=3
        )


@pytest.mark.slow
def test_many_rows_are_searched_by_a_part_of_them_and_end_on_all() -> None:
    data = binary(5, 12_000, FORCED)
    found = regress_table(data, "z ~ x + g", FORCED)
    again = regress_table(data, "z ~ x + g", FORCED, starts=1)
    assert (found.fit.starts, found.fit.agreeing) == (10, 10)
    assert list(found.params) == pytest.approx(list(again.params), rel=1e-10)
    assert found.fit.last_step < 1e-9


# --- odds ratios, and the predicted prevalence of groups


@pytest.mark.slow
def test_odds_ratios_are_those_of_the_coefficients() -> None:
    found = _fit("logit forced:2/3,1/6,1/6 z ~ x + g")
    assert set(found.odds_ratios) == {"x", "g[T.b]", "g[T.c]"}
    for name, (ratio, low, high) in found.odds_ratios.items():
        assert (ratio, low, high) == pytest.approx(np.exp([found.params[name], *found.conf_int()[name]]))
    assert "Odds ratios" in found.summary()
    assert r"\caption{Odds ratios}" in found.to_latex()
    assert found.to_dict()["odds_ratios"]["x"][0] == pytest.approx(np.exp(found.params["x"]))
    assert not _fit("probit forced:2/3,1/6,1/6 z ~ x + g", starts=2).odds_ratios
    assert not any("|" in name for name in _fit("ordinal-logit 301", starts=2).odds_ratios)
    rows = ordered(9, 300, 3, 0.8)
    several = {"mechanism": "grr:3,4/5", "model": "multinomial", "starts": 1}
    own = regress_table({"z": rows["z"], "preIntercept": rows["x"]}, "z ~ preIntercept", **several)
    assert list(own.odds_ratios) == ["1: preIntercept", "2: preIntercept"]  # a covariate, not an intercept


@pytest.mark.slow
def test_the_predicted_prevalence_of_groups_is_the_mean_prediction() -> None:
    """The score equations of a direct logit with a factor make it the observed proportion; its error by statsmodels."""
    sm = pytest.importorskip("statsmodels.api", reason="statsmodels is not installed: an oracle of the tests alone")
    data = binary(51, 400, "direct")
    found = regress_table(data, "z ~ x + g", devices="device")
    groups = found.prevalence("g")
    inside = [data["g"] == level for level in "abc"]
    assert [one.group for one in groups] == ["a", "b", "c"]
    assert [one.n for one in groups] == [int(one.sum()) for one in inside]
    assert list(groups.params) == pytest.approx([data["z"][one].mean() for one in inside], rel=1e-9)
    X = np.column_stack([np.ones(400), data["x"], inside[1], inside[2]]).astype(float)
    known = sm.Logit(data["z"], X).fit(disp=0, tol=1e-14)
    p = known.predict(X)
    for one, error, (low, high), share in zip(inside, groups.bse, groups.conf_int(), groups.params, strict=True):
        slope = ((p * (1 - p))[one, None] * X[one]).mean(axis=0)
        assert error == pytest.approx(np.sqrt(slope @ known.cov_params() @ slope), rel=1e-6)
        t, half = np.log(share / (1 - share)), 1.959963984540054 * error / (share * (1 - share))
        assert (low, high) == pytest.approx([1 / (1 + np.exp(-t + half)), 1 / (1 + np.exp(-t - half))], rel=1e-9)
    assert rropt.Estimates.from_json(groups.to_json()) == groups
    with pytest.raises(rropt.RroptError, match="predicted proportions have no tests"):
        groups.test_equal()
    for wrong in ("x", "nothing"):
        with pytest.raises(rropt.RroptError, match=r"the column is no factor of the formula: .* allowed are 'g'"):
            found.prevalence(wrong)
    with pytest.raises(rropt.RroptError, match="there is no such category: received 'maybe'; allowed are '0, 1'"):
        found.prevalence("g", "maybe")


def test_an_outcome_that_is_a_number_has_means_by_group_and_no_prevalence() -> None:
    from rropt.plots.data.group_pictures import groups_picture

    data = covariate(7, 300, "warner:3/4")
    data["g"] = np.where(np.arange(300) % 3, "a", "b")
    found = regress_table(data, "income ~ tax + age + g", covariates={"tax": "warner:3/4"}, model="linear", starts=2)
    groups = found.prevalence("g")
    (title, _, _), _ = groups.as_tables()
    assert title == "Predicted mean by g"
    assert list(groups.params) == pytest.approx([found.predict()[data["g"] == one].mean() for one in "ab"])
    assert found.predictions_table(found.predict(interval=True))[1] == ("row", "mean", "std. error", "95 % interval")
    data["answer"] = np.arange(300) % 2
    answered = regress_table(data, "answer ~ age", "warner:3/4", model="linear")  # a linear model of a category
    assert answered.predictions_table(answered.predict(interval=True))[1][1] == "probability"
    with pytest.raises(rropt.RroptError, match="no such category: received 'yes'; allowed are none of a number"):
        found.prevalence("g", "yes")
    with pytest.raises(rropt.RroptError, match="the picture shows proportions: received the mean of an outcome"):
        groups_picture(groups)


@pytest.mark.slow
def test_the_predicted_prevalence_of_groups_has_a_picture(tmp_path: Path, cli: Any) -> None:
    data = binary(52, 300, FORCED)
    lines = [f"{z},{x},{g}" for z, x, g in zip(data["z"].tolist(), data["x"].tolist(), data["g"].tolist(), strict=True)]
    (tmp_path / "rows.csv").write_text("\n".join(["z,x,g", *lines]), encoding="utf-8")
    words = [
        "regress",
        str(tmp_path / "rows.csv"),
        "--formula",
        "z ~ x + g",
        "--mechanism",
        FORCED,
        "--by",
        "g",
    ]
    status, out, _ = cli(*words)
    assert (status, "Predicted prevalence of 1 by g" in out) == (0, True)
    status, out, _ = cli(*words, "--json")
    assert [row["group"] for row in json.loads(out)["prevalence"]["rows"]] == ["a", "b", "c"]
    (tmp_path / "groups.json").write_text(out, encoding="utf-8")
    status, _, error = cli("plot", "groups", str(tmp_path / "groups.json"), "--output", str(tmp_path / "p.svg"))
    assert status == 0, error
    assert "predicted prevalence" in (tmp_path / "p.svg").read_text(encoding="utf-8")
