"""The tasks of research and survey scripts on the front door: each runs, with numbers that are known without it."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from later import later

import rropt
import rropt_fieldwork
from rropt.errors import InvalidMechanismError, InvalidParameterError

F = Fraction
DIE = "forced:2/3,1/6,1/6"
N = 2435
_YES = np.random.default_rng(2015).permutation(np.arange(N) < 831)
cvxpy, pd, polars, sympy = (later(name) for name in ("cvxpy", "pandas", "polars", "sympy"))


@cache
def nigeria() -> Any:
    """Return a table with the published counts of responses, and columns of ours."""
    columns = {
        "response": np.where(_YES, "yes", "no"),
        "region": np.array(["north", "south", "west"])[np.arange(N) % 3],
        "w": 1 + np.arange(N) % 2,
        "village": np.arange(N) % 100,
        "stratum": np.arange(N) % 100 % 4,
        "age": 18 + 7 * np.arange(N) % 60,
    }
    return pd.DataFrame(columns)


def _sick(table: Any = None) -> rropt.Responses:
    sample = rropt.Sample(nigeria() if table is None else table, weights="w", strata="stratum", clusters="village")
    return rropt.Responses("response", DIE, data=sample, labels=["no", "yes"])


def _hajek(inside: Any) -> tuple[float, float]:
    """Return the weighted proportion of a domain and its linearized standard error, by the textbook's formula."""
    own = ((nigeria()["response"] == "yes").to_numpy(float) - 1 / 6) / (2 / 3)
    weight = nigeria()["w"].to_numpy(float) * np.asarray(inside)
    mean = float(weight @ own / weight.sum())
    part = pd.DataFrame(
        {"z": weight * (own - mean) / weight.sum(), "s": nigeria()["stratum"], "c": nigeria()["village"]}
    )
    totals = part.groupby(["s", "c"])["z"].sum()
    spread = sum(len(own) / (len(own) - 1) * ((own - own.mean()) ** 2).sum() for _, own in totals.groupby(level=0))
    return mean, math.sqrt(spread)


# Design


def test_a_certified_design() -> None:
    s = rropt.design.binary("1/4", epsilon="log(3)")
    g = F(3)
    assert s.value == g / (g - 1) ** 2 + F(1, 4) * F(3, 4)
    assert s.mechanism.epsilon == rropt.log(3)
    assert rropt.check(s.certificate)


def test_k_categories_and_any_objective() -> None:
    s = rropt.design.kary(4, epsilon=rropt.log(3))
    assert s.value == F(3 * (3 + 3) ** 2, 4 * (3 - 1) ** 2)
    lost = rropt.design.kary(
        ["no", "once", "often"],
        epsilon="log(3)",
        objective=rropt.objectives.Loss("absolute"),
        population=["1/2", "1/4", "1/4"],
    )
    assert (lost.value, lost.status) == (F(1, 2), "optimal")


def test_posed_twice() -> None:
    problem = rropt.Problem.kary(4, epsilon="log(3)")
    form, program = problem.to_sympy().form, problem.to_cvxpy()
    assert form.subs({"gamma": 3}) == sympy.Rational(27, 4)
    assert program.solve() == pytest.approx(6.75, abs=1e-6)
    more = rropt.Problem.kary(3, epsilon="log(3)", objective="trace").to_cvxpy()
    entry = more.var_dict["P"]
    own = cvxpy.Problem(more.objective, [*more.constraints, entry[0, 1] == entry[1, 0], entry[0, 0] <= 0.5])
    assert own.solve(solver="CLARABEL") == pytest.approx(19 / 11, abs=1e-6)


def test_another_kind_of_level() -> None:
    s = rropt.design.kary(3, level=rropt.privacy.posterior("1/5", "1/2"), objective="trace", fast=True)
    parity = F(1, 2) * F(4, 5) / (F(1, 2) * F(1, 5))
    assert s.value == 3 * parity / (parity + 2) == 2


def test_a_sweep_as_a_frame() -> None:
    grid = rropt.sweep(rropt.design.binary, epsilon=["log(2)", "log(3)", "log(9)"], prevalence="3/10")
    found = grid.to_frame()["value"].tolist()
    assert found == pytest.approx([g / (g - 1) ** 2 + 0.21 for g in (2, 3, 9)])
    assert polars.DataFrame([{"value": float(row["value"])} for row in grid]).shape == (3, 1)


def test_every_level_at_once() -> None:
    curve = rropt.every_level(rropt.design.kary, 3, objective="trace")
    assert rropt.check(curve.certificate)
    (piece,) = curve.pieces
    gamma = sympy.Symbol("gamma")
    told = sympy.sympify(str(piece.value), locals={"gamma": gamma})
    assert sympy.simplify(told - 3 * gamma / (gamma + 2)) == 0


def test_blackwells_order() -> None:
    a, b = rropt.Mechanism.warner("3/4"), rropt.Mechanism.warner("2/3")
    assert a >= b
    assert not b >= a
    assert rropt.compare(a, b).relation == "better"


def test_a_theorem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("price.toml").write_text(
        'paper = "tutorial"\n[card."price"]\nprinted = "price of privacy"\nfor = ["gamma > 1", "0 <= pi <= 1"]\n'
        'let = ["p = gamma/(gamma + 1)", "yes = pi*p + (1 - pi)*(1 - p)"]\n'
        'says = ["yes*(1 - yes)/(2*p - 1)^2 = gamma/(gamma - 1)^2 + pi*(1 - pi)"]\n'
        'false = ["yes*(1 - yes)/(2*p - 1)^2 = gamma/(gamma - 1)^2 + pi"]\n'
    )
    assert {name: str(one.verdict) for name, one in rropt.verify("price.toml").items()} == {"tutorial.price": "holds"}


# Numbers


def test_numbers_behave_as_numbers() -> None:
    e = rropt.Mechanism.warner("3/4").epsilon
    assert f"{e:.3f}" == "1.099"
    assert 1 < e < 2
    assert e == rropt.log(3) == max(e, 1.0)
    assert 2 * e == rropt.log(9)
    assert sympy.exp(e) == 3
    assert np.exp(e) == pytest.approx(3)
    assert "log" in e._repr_latex_()


def test_a_matrix_of_floats() -> None:
    assert rropt.Mechanism(np.full((3, 3), 1 / 3))[0, 0] == F(1, 3)
    assert rropt.Mechanism(np.array([[2 / 3, 1 / 3], [1 / 3, 2 / 3]])).epsilon == rropt.log(2)
    table = [[0.333, 0.333], [0.333, 0.333], [0.333, 0.334]]
    with pytest.raises(InvalidMechanismError, match="rounded"):
        rropt.Mechanism(table)
    made = rropt.Mechanism.rounded(table)
    assert sum(made.matrix[i][0] for i in range(3)) == 1
    assert made.rounding is not None


def test_a_mechanism_from_its_level_draws_and_simulates() -> None:
    m = rropt.Mechanism.grr(["no", "once", "often"], epsilon=1)
    truth = pd.Series(["no", "once", "often", "no"], index=[10, 11, 12, 13], name="sick")
    made = m.simulate(truth, rng=5)
    assert m.epsilon <= 1
    assert made.equals(m.simulate(truth, rng=5))
    assert (list(made.index), made.name, type(m.randomize(truth)).__name__) == ([10, 11, 12, 13], "sick", "Series")


# Privacy


def test_the_privacy_of_many_reports() -> None:
    c = rropt.compose("warner:3/4*10", delta="1/1000000")
    last = 0.75**10 * (1 - math.exp(float(c.epsilon) - 10 * math.log(3)))  # delta of the likeliest ten reports alone
    assert last == pytest.approx(1e-6, rel=1e-3)
    assert 0 < float(rropt.shuffle("warner:3/4", 1000, delta="1/1000000").epsilon) < math.log(3)


# Estimates


def test_an_estimate_from_counts() -> None:
    e = rropt.estimate([1604, 831], DIE)
    said = F(831, N)
    assert e.estimate == (said - F(1, 6)) / F(2, 3) == F(2551, 9740)
    assert float(e.se) == pytest.approx(math.sqrt(said * (1 - said) / N) * 1.5, rel=1e-9)
    low, high = e.conf_int()[0]
    assert low < e.estimate < high
    finite = rropt.estimate([60, 40], "warner:3/4", population=1000)
    assert finite.estimate == F(3, 10)
    assert finite.se < rropt.estimate([60, 40], "warner:3/4").se


def test_a_complex_survey_by_region() -> None:
    found = _sick().proportions(by="region")
    for row in found:
        assert (float(row.estimate), float(row.se)) == pytest.approx(_hajek(nigeria()["region"] == row.group), rel=1e-9)
    assert len(found.differences()) == len(found) == len(found.totals) == 3
    difference = found.contrast({"north": 1, "west": -1})
    assert float(difference.estimate) == pytest.approx(float(found["north"].estimate) - float(found["west"].estimate))
    other = _sick(polars.from_pandas(nigeria())).proportions(by="region")
    assert [row.se for row in other] == [row.se for row in found]
    assert rropt.Sample(nigeria(), weights="w", strata="stratum", clusters="village").degf == 96


def test_a_domain() -> None:
    (row,) = _sick().where(nigeria()["age"] >= 40).proportions()
    assert (float(row.estimate), float(row.se)) == pytest.approx(_hajek(nigeria()["age"] >= 40), rel=1e-9)
    assert row.n == int((nigeria()["age"] >= 40).sum())


def test_replicate_weights() -> None:
    rng = np.random.default_rng(11)
    data = pd.DataFrame({"sick": rng.choice(["no", "yes"], 120), "w": 2.0, "psu": np.arange(120) // 6})
    for j in range(20):
        data[f"rep{j + 1}"] = np.where(data["psu"] == j, 0.0, data["w"] * 20 / 19)
    sample = rropt.Sample(data, weights="w", replicates=rropt.Replicates("jk1", [f"rep{i}" for i in range(1, 21)]))
    (row,) = rropt.Responses("sick", "warner:3/4", data=sample, labels=["no", "yes"]).proportions()
    own = ((data["sick"] == "yes").to_numpy(float) - 0.25) / 0.5
    drops = np.array([own[(data["psu"] != j).to_numpy()].mean() for j in range(20)])
    assert float(row.se) == pytest.approx(math.sqrt(19 / 20 * np.sum((drops - drops.mean()) ** 2)), rel=1e-9)


def test_several_questions() -> None:
    rng = np.random.default_rng(11)
    data = pd.DataFrame(
        {name: rng.choice(["no", "yes"], 400, p=[share, 1 - share]) for name, share in (("q1", 0.5), ("q2", 0.6))}
    )
    asked = rropt.Responses(["q1", "q2"], "bits:3/4*2", data=data, labels=["no", "yes"])
    joint, alone = asked.proportions(), asked.proportions(marginals=1)
    assert sum(F(row.estimate) for row in joint) == 1
    for row in alone:
        assert float(row.estimate) == pytest.approx(2 * (data[row.question] == "yes").mean() - 0.5)
    assert len(alone) == 2


def test_two_decks_determine_a_trait() -> None:
    rng = np.random.default_rng(11)
    data = pd.DataFrame({"doping": rng.choice(["no", "yes"], 400), "deck": np.array(["A", "B"])[np.arange(400) % 2]})
    decks = {"A": "warner:3/4", "B": "warner:2/3"}
    d = rropt.Responses("doping", decks, assigned="deck", data=data, labels=["no", "yes"]).contrast([0, 1])
    assert 0 < float(d.estimate) < 1
    assert 0 < float(d.se) < 0.2


def test_the_mean_of_a_number() -> None:
    m = rropt.design.mean([0, 1, 2, 3], epsilon="log(3)", fast=True).mechanism
    drawn = m.simulate(np.arange(400) % 4, rng=5)
    answers = rropt.Responses(drawn, m)
    (row,) = answers.mean()
    assert float(row.estimate) == pytest.approx(float(np.mean([float(one) for one in drawn])))
    assert len(answers.mean(by=np.arange(400) // 200)) == 2


def test_a_regression_has_the_names_of_statsmodels() -> None:
    plain = rropt.regress("response ~ age", nigeria(), DIE, labels=["no", "yes"])
    arrays = rropt.regress(nigeria()["response"], nigeria()[["age"]], DIE, labels=["no", "yes"])
    assert np.allclose(plain.params, arrays.params, rtol=1e-9)
    p = 1 / 6 + 2 / 3 / (1 + np.exp(-plain.params[0] - plain.params["age"] * nigeria()["age"]))
    own = np.where(nigeria()["response"] == "yes", np.log(p), np.log(1 - p)).sum()
    assert plain.llf == pytest.approx(own, rel=1e-9)
    assert plain.nobs == N
    low, high = plain.conf_int()["age"]
    assert low < plain.params["age"] < high
    assert _sick().regress("region + age").params["age"] != plain.params["age"]


def test_non_compliers() -> None:
    bounds = rropt.Responses.from_counts([1604, 831], DIE).bounds(theta="0..0.05").sharp
    assert str(bounds) == "0.19941 to 0.32441"


def test_how_many_respondents() -> None:
    p = rropt.plan.margin("warner:3/4", 0.05)
    half = 1.959963984540054
    assert p.n == pytest.approx(half**2 / 0.05**2, abs=40)
    wide = rropt.plan.margin("warner:3/4", 0.05, sample=rropt.plan.Conditions(design_effect="1.5", response_rate="0.6"))
    assert wide.n == pytest.approx(1.5 * p.n, abs=1)
    w = rropt.plan.power(DIE, n=200, prevalence="0.2", significance="0.01", sided="one", test="normal")
    assert 0.9 < w.power < 1


def test_crosswise_responses_are_no_answers() -> None:
    said = ["same"] * 198 + ["different"] * 112
    with pytest.raises(InvalidParameterError, match="labels"):
        rropt.Responses(said, "crosswise:1/4", categories=["different", "same"])
    labels, categories = ["different", "same"], ["no", "plagiarism"]
    (row,) = rropt.Responses(said, "crosswise:1/4", labels=labels, categories=categories).proportions()
    assert row.estimate == (F(198, 310) - F(3, 4)) / (F(1, 4) - F(3, 4)) == F(69, 310)


def test_a_file_as_people_have_it(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(
        "\ufeffq;age;region\nja;30;n\nnein;41;s\nYES;25;n\n;33;s\nnein;17;n\nnein;28;s\nja;52;n\n", encoding="utf-8"
    )
    table = rropt_fieldwork.read(path, recode="q: YES -> ja")
    (row,) = rropt.Responses("q", "warner:3/4", data=table, labels=["nein", "ja"]).proportions()
    assert (row.n, row.estimate) == (6, F(1, 2))
    assert [float(age) for age in table["age"]] == [30, 41, 25, 33, 17, 28, 52]


def test_scikit_learn() -> None:
    x = nigeria()[["age"]].to_numpy(float)
    made = later("rropt.sklearn", "RandomizedResponseClassifier")(mechanism=DIE, C=1e8).fit(x, nigeria()["response"])
    fit = rropt.regress("response ~ age", nigeria(), DIE, labels=["no", "yes"])
    assert np.ravel(made.coef_)[0] == pytest.approx(fit.params["age"], rel=1e-3)
    assert made.get_params()["mechanism"] == DIE


def test_a_notebook() -> None:
    show: Callable[..., Any] = (
        later("IPython.core.interactiveshell", "InteractiveShell").instance().display_formatter.format
    )
    found = _sick().proportions(by="region")
    for what in (found, rropt.plan.margin("warner:3/4", 0.05), rropt.design.binary("1/4", epsilon="log(3)", fast=True)):
        assert "text/html" in show(what)[0]
    assert "image/png" in show(found.plot())[0]
    assert "text/latex" in show(rropt.log(3))[0]
