"""Contrasts that several devices identify together: published figures, unbiasedness by enumeration, and refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from few_rows import few_rows
from support.table_calls import table_estimate, table_estimate_with_reading
from table_calls import regress_table

import rropt
import rropt_fieldwork
from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.estimates.from_counts import estimate_of_options
from rropt.inference.contrast_noise import noise_table
from rropt.mechanisms import Mechanism


def _unrelated(p: str) -> Mechanism:
    """Return the unrelated question with the categories (trait, innocuous trait) 00, 10, 01, 11, by definition."""
    q = 1 - Fraction(p)
    return Mechanism([["1", q, Fraction(p), "0"], ["0", Fraction(p), q, "1"]])


def contrast_of(counts: list[tuple[Mechanism, tuple[int, ...]]], c: tuple[object, ...]) -> rropt.Estimates:
    """Return the contrast from the counts of each device, as rows."""
    values = [z for _, own in counts for z, n in enumerate(own) for _ in range(n)]
    assigned = [place for place, (_, own) in enumerate(counts) for _ in range(sum(own))]
    devices = {str(place): device for place, (device, _) in enumerate(counts)}
    return rropt.Responses(values, devices, assigned=assigned).contrast(c)


def test_two_samples_of_greenberg() -> None:
    """Greenberg et al. (1969): pi_A = (lambda_1 (1 - p_2) - lambda_2 (1 - p_1)) / (p_1 - p_2), and its variance."""
    counts = [(_unrelated("7/10"), (710, 290)), (_unrelated("3/10"), (590, 410))]
    found = contrast_of(counts, (0, 1, 0, 1))
    assert found.estimate == (Fraction(29, 100) * Fraction(7, 10) - Fraction(41, 100) * Fraction(3, 10)) / Fraction(
        2, 5
    )
    assert round(found.se, 7) == 0.0276882
    assert [round(float(end), 4) for end in found[0].conf_int()] == [0.1457, 0.2543]
    assert contrast_of(counts, (0, 0, 1, 1)).estimate == Fraction(1, 2)  # of the innocuous question


def test_it_is_unbiased_for_three_devices() -> None:
    """At counts in the proportions of a distribution the estimate is the contrast, whatever the sample sizes."""
    pi = [Fraction(1, 10), Fraction(3, 10), Fraction(2, 10), Fraction(4, 10)]
    answers = []
    for p, n in (("7/10", 3000), ("3/10", 1000), ("1/5", 500)):
        device = _unrelated(p)
        shares = [sum(Fraction(x) * y for x, y in zip(row, pi, strict=True)) for row in device.matrix]
        answers.append((device, [int(share * n) for share in shares]))
    found = contrast_of(answers, ("0", "1", "0", "1"))
    assert found.estimate == pi[1] + pi[3]
    assert found.se < contrast_of(answers[:2], (0, 1, 0, 1)).se
    assert rropt.Estimates.from_dict(json.loads(found.to_json())) == found


def test_one_device_gives_its_estimate() -> None:
    """The plug-in variance of one device is that of ``estimate``, from other code."""
    one = rropt.inference.estimate("warner:3/4", [60, 40])
    found = contrast_of([(Mechanism("warner:3/4"), (60, 40))], (0, 1))
    assert (found.estimate, found[0].basis.means.variance[0, 0]) == (one.prevalence, one.covariance()[1][1])


def test_what_the_devices_do_not_determine_is_refused() -> None:
    with pytest.raises(InfeasibleError, match="do not determine the contrast: received 0,0,0,1 for 2 devices"):
        contrast_of([(_unrelated("7/10"), (3, 4)), (_unrelated("3/10"), (5, 6))], (0, 0, 0, 1))
    with pytest.raises(InvalidParameterError, match="give 4 numbers"):
        contrast_of([(_unrelated("7/10"), (3, 4))], (0, 1))


def test_the_command_and_the_function_read_a_table(tmp_path: Path, cli: Callable[..., tuple[int, str, str]]) -> None:
    deck = np.repeat(np.array(["u7", "u3"], object), 100)
    y = np.concatenate([np.arange(100) < 29, np.arange(100) < 41]).astype(int)
    names = {"u7": _unrelated("7/10"), "u3": _unrelated("3/10")}
    asked = {"column": "y", "devices": "deck", "device_names": names, "contrast": [0, 1, 0, 1]}
    found = table_estimate(data={"y": y, "deck": deck}, **asked)
    assert found.estimate == Fraction(1, 5)
    with pytest.raises(InvalidParameterError, match="the columns are not different"):
        table_estimate(data={"y": y, "deck": deck}, by="deck", **asked)
    table, devices = tmp_path / "two.csv", tmp_path / "decks.json"
    table.write_text("y,deck\n" + "".join(f"{a},{b}\n" for a, b in zip(y, deck, strict=True)), encoding="utf-8")
    devices.write_text(json.dumps({name: one.to_dict() for name, one in names.items()}), encoding="utf-8")
    options = ["--column", "y", "--devices", f"deck={devices}", "--contrast", "0,1,0,1"]
    status, out, _ = cli("estimate", str(table), *options)
    assert (status, "1/5" in out.split()) == (0, True)
    status, _, err = cli("estimate", str(table), *options[:-1], "0,1")  # a refusal, without a remark about "0.1"
    assert (status, "give 4 numbers" in err, "decimal" in err) == (2, True, False)


def test_devices_of_different_categories_are_one_clear_error() -> None:
    other = Mechanism([["1/2", "1/3", "1/4", "1/5"], ["1/2", "2/3", "3/4", "4/5"]])
    with pytest.raises(InvalidParameterError, match="the mechanisms have different categories"):
        contrast_of([(Mechanism("warner:3/4"), (3, 4)), (other, (2, 5))], (0, 1))


NAMES = {"u7": _unrelated("7/10"), "u3": _unrelated("3/10")}
ASKED = {"column": "y", "devices": "deck", "device_names": NAMES, "contrast": [0, 1, 0, 1]}
LEVELS = {"u7": {1: 7 / 4, 0: 0.0}, "u3": {1: -3 / 4, 0: 0.0}}  # Greenberg's estimator: 7/4 lambda_1 - 3/4 lambda_2


def _survey() -> dict[str, np.ndarray]:
    random = np.random.default_rng(3)
    n = 400
    deck, g = random.choice(["u7", "u3"], n), random.choice(["a", "b"], n)
    has_trait, other = random.random(n) < np.where(g == "a", 0.2, 0.4), random.random(n) < 0.6
    direct = random.random(n) < np.where(deck == "u7", 0.7, 0.3)
    y = np.where(direct, has_trait, other).astype(int)
    w = random.choice([0.5, 1.0, 2.0, 3.0], n)
    c, s = np.arange(n) // 5, np.arange(n) // 100
    names = {f"rep{r}": w * np.where(c % 10 == r, 0.0, 10 / 9) for r in range(10)}
    columns = {
        "y": y,
        "deck": deck.astype(object),
        "g": g.astype(object),
        "w": w,
        "c": c,
        "s": s,
        "x": random.random(n),
    }
    return {**columns, **names}


def _value(rows: dict[str, np.ndarray], w: np.ndarray) -> float:
    """Return the contrast by definition."""
    found = 0.0
    for deck, L in LEVELS.items():
        own = np.where(rows["deck"] == deck, w, 0.0)
        found += sum(own @ (rows["y"] == z) * value for z, value in L.items()) / own.sum()
    return float(found)


def _residuals(rows: dict[str, np.ndarray], w: np.ndarray) -> np.ndarray:
    """Return w times the derivative of the contrast in the weights, by differences of a linear fractional function."""
    found = np.zeros(len(w))
    for deck, L in LEVELS.items():
        own = np.where(rows["deck"] == deck, w, 0.0)
        values = np.where(rows["y"] == 1, L[1], L[0])
        found += own * (values - own @ values / own.sum()) / own.sum()
    return found


def _clustered(u: np.ndarray, c: np.ndarray, s: np.ndarray) -> float:
    total = 0.0
    for stratum in np.unique(s):
        sums = np.array([u[(c == one) & (s == stratum)].sum() for one in np.unique(c[s == stratum])])
        total += len(sums) / (len(sums) - 1) * ((sums - sums.mean()) ** 2).sum()
    return float(np.sqrt(total))


@pytest.mark.slow
def test_weights_strata_and_clusters_linearize_the_means_of_the_devices() -> None:
    rows = _survey()
    rows_of = np.arange(len(rows["y"]))
    for options, c, s in (
        ({"weights": "w"}, rows_of, np.zeros(400)),
        ({"weights": "w", "strata": "s"}, rows_of, rows["s"]),
        ({"weights": "w", "strata": "s", "clusters": "c"}, rows["c"], rows["s"]),
    ):
        found = table_estimate(data=rows, **ASKED, **options)
        (whole,) = found.rows
        assert whole.estimate == pytest.approx(_value(rows, rows["w"]), abs=1e-13)
        assert whole.se == pytest.approx(_clustered(_residuals(rows, rows["w"]), c, s), rel=1e-11)
        assert whole.df == len(np.unique(c)) - len(np.unique(s))
        by = table_estimate(data=rows, **ASKED, **options, by="g")
        us = [_residuals(rows, np.where(rows["g"] == name, rows["w"], 0.0)) for name in "ab"]
        values = [_value(rows, np.where(rows["g"] == name, rows["w"], 0.0)) for name in "ab"]
        for one, u, value in zip(by.rows, us, values, strict=True):
            assert one.estimate == pytest.approx(value, abs=1e-13)
            assert one.se == pytest.approx(_clustered(u, c, s), rel=1e-11)
        (difference,) = by.differences()
        assert difference.estimate == pytest.approx(values[0] - values[1], abs=1e-13)
        assert difference.se == pytest.approx(_clustered(us[0] - us[1], c, s), rel=1e-11)
        domain = table_estimate(data=rropt_fieldwork.read(rows, where="g = 'a'"), **ASKED, **options)
        assert domain.rows[0].se == pytest.approx(_clustered(us[0], c, s), rel=1e-11)
        assert type(by).from_json(by.to_json()) == by


def test_replicate_weights_compute_the_means_anew() -> None:
    rows = _survey()
    found = table_estimate(data=rows, **ASKED, weights="w", replicates="jk1:rep0..rep9", by="g")
    gaps = []
    for place, name in enumerate("ab"):
        is_own = rows["g"] == name
        value = _value(rows, np.where(is_own, rows["w"], 0.0))
        each = np.array([_value(rows, np.where(is_own, rows[f"rep{r}"], 0.0)) for r in range(10)])
        gaps.append(each - each.mean())
        one = found.rows[place]
        assert one.estimate == pytest.approx(value, abs=1e-13)
        assert one.se == pytest.approx(np.sqrt(0.9 * ((each - each.mean()) ** 2).sum()), rel=1e-11)
    expected = np.sqrt(0.9 * ((gaps[0] - gaps[1]) ** 2).sum())
    assert found.differences()[0].se == pytest.approx(expected, rel=1e-11)


def test_groups_without_weights_are_those_of_a_selection() -> None:
    rows = _survey()
    found = table_estimate(data=rows, **ASKED, by="g")
    for one in found.rows:
        alone = table_estimate(data=rropt_fieldwork.read(rows, where=f"g = '{one.group}'"), **ASKED)
        assert (one.estimate, one.se) == (alone.estimate, alone.se)
    a, b = found.rows
    (difference,) = found.differences()
    assert difference.estimate == a.estimate - b.estimate
    assert difference.se == pytest.approx(np.hypot(a.se, b.se), rel=1e-14)


def _equation(rows: dict[str, np.ndarray], X: np.ndarray, w: np.ndarray, F: np.ndarray) -> np.ndarray:
    """Return sum_d cov_d(x, L) + mean(x) sum_d mean_d(L) - mean(x F), by definition."""
    found = -w @ (X * F[:, None]) / w.sum()
    for deck, L in LEVELS.items():
        own = np.where(rows["deck"] == deck, w, 0.0) / w[rows["deck"] == deck].sum()
        values = np.where(rows["y"] == 1, L[1], L[0])
        found += (own * values) @ X - (own @ X) * (own @ values) + (w @ X / w.sum()) * (own @ values)
    return found


def _solved(rows: dict[str, np.ndarray], X: np.ndarray, w: np.ndarray, *, is_logit: bool) -> np.ndarray:
    """Return the coefficients of a regression of the contrast, by Newton's method on the equation."""
    b = np.zeros(X.shape[1])
    for _ in range(40):
        F = 1 / (1 + np.exp(-X @ b)) if is_logit else X @ b
        slope = F * (1 - F) if is_logit else np.ones(len(F))
        b = b + np.linalg.solve(X.T @ (X * (w * slope)[:, None]) / w.sum(), _equation(rows, X, w, F))
    return b


@few_rows(1)
@pytest.mark.parametrize("model", ["logit", "linear"])
def test_replicates_fit_a_regression_of_a_contrast_anew(model: str) -> None:
    """As withReplicates of R's survey does: the same equation with the weights of each replicate."""
    rows = _survey()
    X = np.column_stack([np.ones(400), rows["x"], rows["g"] == "b"])
    found = regress_table(
        rows, "y ~ x + g", devices="deck", device_names=NAMES, contrast=[0, 1, 0, 1], model=model, weights="w",
        replicates="jk1:rep0..rep9",
    )  # fmt: skip
    fits = np.array([_solved(rows, X, rows[f"rep{r}"], is_logit=model == "logit") for r in range(10)])
    errors = np.sqrt(9 / 10 * ((fits - fits.mean(axis=0)) ** 2).sum(axis=0))
    assert list(found.bse) == pytest.approx(errors.tolist(), rel=1e-9)  # of two Newton's methods
    assert found.df_resid == 9


def test_the_part_of_the_devices_is_exact_or_an_upper_bound() -> None:
    """Over all true distributions: by definition, sum_x pi_x v_d(x) of devices that determine it, else not less."""
    random = np.random.default_rng(5)
    two = np.array([NAMES["u7"].to_numpy(), NAMES["u3"].to_numpy()])
    four = np.array([*two, [[1, 0, 0, 0], [0, 1, 1, 1]], [[1, 1, 1, 0], [0, 0, 0, 1]]])
    for P, is_determined in ((two, False), (four, True)):
        for _ in range(20):
            L, pi = random.normal(size=P.shape[:2]), random.dirichlet(np.ones(4))
            sizes = random.uniform(10, 90, len(P))
            shares = P @ pi
            t, is_bound = noise_table(P, L, shares * sizes[:, None])
            v = np.array([own.T @ each**2 - (own.T @ each) ** 2 for own, each in zip(P, L, strict=True)])
            found = ((shares * sizes[:, None]) * t).sum()  # sum_i (W/W_d)^2 v_d(x_i) with one unit of weight for each
            whole = (shares * L**2).sum(axis=1) - (shares * L).sum(axis=1) ** 2
            true, most = (sizes.sum() ** 2 * (x / sizes).sum() for x in (v @ pi, whole))
            assert is_bound is not is_determined
            assert true * (1 - 1e-9) <= found <= (true if is_determined else most) * (1 + 1e-9)  # rounding errors


@pytest.mark.slow
def test_a_finite_population_keeps_the_part_of_the_devices() -> None:
    """The standard error is at half of the population by definition, and in a census that of the devices alone."""
    rows, w = _survey(), _survey()["w"]
    is_first = (rows["deck"] == "u7").astype(int)
    P, L = np.array([NAMES[one].to_numpy() for one in ("u3", "u7")]), np.array([[0, -3 / 4], [0, 7 / 4]])
    sums = np.zeros((2, 2))
    np.add.at(sums, (is_first, rows["y"]), w)
    noise = (w**2 * noise_table(P, L, sums)[0][is_first, rows["y"]]).sum() / w.sum() ** 2
    sampling = _clustered(_residuals(rows, w), rows["c"], rows["s"]) ** 2
    complex_ = {"weights": "w", "strata": "s", "clusters": "c", "fpc": "N"}
    known = {"devices": "deck", "device_names": NAMES, "contrast": [0, 1, 0, 1], "model": "linear"}
    for size, f in ((40, 0.5), (20, 1.0)):
        rows["N"] = np.full(400, size)
        found = table_estimate(data=rows, **ASKED, **complex_)
        expected = np.sqrt((1 - f) * sampling + f * noise)
        assert found.rows[0].se == pytest.approx(expected, rel=1e-11)
        assert "bounded from above" in " ".join(found.remarks())
        fit = regress_table(rows, "y ~ 1", **known, **complex_)
        assert fit.bse["Intercept"] == pytest.approx(expected, rel=1e-11)
    rows["N"] = np.full(400, 40)
    shrunk = regress_table(rows, "y ~ x", **known, **complex_, standard_errors="shrunk")
    plain = regress_table(rows, "y ~ x", **known, **(complex_ | {"fpc": None}))
    for name, error in plain.bse.items():
        assert shrunk.bse[name] == pytest.approx(error * np.sqrt(0.5), rel=1e-11)


@pytest.mark.slow
def test_a_regression_of_a_contrast() -> None:
    """The intercept is Greenberg's estimate with its standard error; slopes solve the corrected equation."""
    deck = np.repeat(np.array(["u7", "u3"], object), 1000)
    y = np.concatenate([np.arange(1000) < 290, np.arange(1000) < 410]).astype(int)
    known = {"devices": "deck", "device_names": NAMES, "contrast": [0, 1, 0, 1]}
    plain = regress_table({"y": y, "deck": deck}, "y ~ 1", **known, model="linear")
    assert plain.params["Intercept"] == pytest.approx(0.2, abs=1e-13)
    assert round(plain.bse["Intercept"], 7) == 0.0276882
    logit = regress_table({"y": y, "deck": deck}, "y ~ 1", **known)
    assert logit.params["Intercept"] == pytest.approx(np.log(0.2 / 0.8), rel=1e-10)
    assert logit.bse["Intercept"] == pytest.approx(plain.bse["Intercept"] / 0.16, rel=1e-9)

    rows = _survey()
    X = np.column_stack([np.ones(400), rows["x"], rows["g"] == "b"])

    def equation(w: np.ndarray, b: np.ndarray) -> np.ndarray:
        return _equation(rows, X, w, 1 / (1 + np.exp(-X @ b)))

    w, b = rows["w"], np.zeros(3)
    for _ in range(40):  # Newton's method
        F = 1 / (1 + np.exp(-X @ b))
        A = X.T @ (X * (w * F * (1 - F))[:, None]) / w.sum()
        b += np.linalg.solve(A, equation(w, b))
    h = 1e-6  # derivatives in the weights, whose rounding errors are about 1e-10
    steps = [np.where(np.arange(400) == i, h, 0.0) for i in range(400)]
    u = w[:, None] * np.stack([equation(w + step, b) - equation(w - step, b) for step in steps]) / (2 * h)
    influence = u @ np.linalg.inv(A)
    found = regress_table(rows, "y ~ x + g", **known, weights="w", strata="s", clusters="c")
    errors = [_clustered(column, rows["c"], rows["s"]) for column in influence.T]
    assert list(found.params) == pytest.approx(b.tolist(), rel=1e-9)  # of two Newton's methods
    assert list(found.bse) == pytest.approx(errors, rel=1e-6)  # of the numerical derivatives
    assert found.fit.contrast == (0, 1, 0, 1)
    assert type(found).from_json(found.to_json()) == found


def test_what_a_regression_of_a_contrast_refuses() -> None:
    rows, known = _survey(), {"devices": "deck", "device_names": NAMES}
    rows |= {"odd1": rows["w"], "odd2": np.where(rows["deck"] == "u7", rows["w"], 0.0)}
    for options, told in (
        ({"contrast": [0, 1, 0]}, "received 3 numbers; allowed is one for each of their 4 categories"),
        ({"contrast": [0, 0, 0, 1]}, "the devices together do not determine the contrast"),
        ({"contrast": [0, 1, 0, 2]}, "the contrast is no sum of categories"),
        ({"contrast": [0, 1, 0, 1], "model": "probit"}, "allowed are logit and linear"),
        ({"contrast": [0, 1, 0, 1], "random": "c"}, "allowed are logit and linear"),
        (
            {"contrast": [0, 1, 0, 1], "weights": "w", "replicates": "other,scale=1:odd1,odd2"},
            "replicate 2 has no response to a device",
        ),
    ):
        with pytest.raises(rropt.RroptError, match=told):
            regress_table(rows, "y ~ x", **known, **options)
    with pytest.raises(InvalidParameterError, match="a contrast of one device is one of its categories"):
        regress_table(rows, "y ~ x", "warner:3/4", contrast=[0, 1])
    for more, told in (
        ({"marginals": 1}, "marginals"),
        ({"test": "score"}, "test"),
    ):
        with pytest.raises(InvalidParameterError, match=told):
            table_estimate("warner:3/4", data=rows, column="y", by="g", contrast=[0, 1], **more)


@pytest.mark.slow
def test_the_arms_of_an_experiment_are_devices() -> None:
    """A column for each sample gives what a column of devices gives, alone, by group, with weights and in regress."""
    rows = _survey()
    is_first = rows["deck"] == "u7"
    texts = rows["y"].astype(str).astype(object)
    wide = {key: rows[key] for key in ("g", "w")}
    wide |= {"first": np.where(is_first, texts, ""), "second": np.where(is_first, "", texts)}
    known = {"column": "q", "arms": {"first": NAMES["u7"], "second": NAMES["u3"]}, "contrast": [0, 1, 0, 1]}
    for options in ({}, {"by": "g"}, {"weights": "w"}, {"weights": "w", "by": "g"}):
        one = table_estimate(data=wide, **known, **options)
        other = table_estimate(data=rows, **ASKED, **options)
        both = [[found] if not options else found.rows for found in (one, other)]
        for mine, yours in zip(*both, strict=True):
            assert float(mine.estimate) == pytest.approx(float(yours.estimate), abs=1e-12)
            assert mine.se == pytest.approx(yours.se, rel=1e-11)
    arms = {"arms": known["arms"], "contrast": [0, 1, 0, 1], "model": "linear"}
    fit = regress_table(wide, "q ~ g", **arms)
    same = regress_table(
        rows, "y ~ g", devices="deck", device_names=NAMES, contrast=[0, 1, 0, 1], model="linear"
    )  # fmt: skip
    assert list(fit.params) == pytest.approx(list(same.params), rel=1e-10)
    assert list(fit.bse) == pytest.approx(list(same.bse), rel=1e-10)


def test_the_refusal_of_a_weighted_contrast_names_no_group_that_was_not_asked_for() -> None:
    asked = ASKED | {"contrast": [0, 0, 0, 1], "data": _survey(), "weights": "w"}
    with pytest.raises(InfeasibleError, match="do not determine the contrast: received 0,0,0,1 for 2 devices; ask"):
        table_estimate(**asked)


def _three(rng: np.random.Generator, rows: int = 240) -> dict[str, np.ndarray]:
    """Return three yes/no questions, a group, weights, strata and clusters, and a device for each respondent."""
    columns = {name: rng.integers(0, 2, rows) for name in "abcd"}
    columns |= {"g": np.where(rng.random(rows) < 0.4, "east", "west").astype(object)}
    columns |= {"w": rng.integers(1, 4, rows).astype(float), "s": np.arange(rows) // 60, "p": np.arange(rows) // 6}
    return columns | {"deck": np.array(["one", "two"], object)[np.arange(rows) % 3 // 2]}


def _counts(rows: dict[str, np.ndarray], names: str, chosen: np.ndarray) -> list[int]:
    code = sum(rows[name][chosen] << place for place, name in enumerate(names))
    return np.bincount(code, minlength=1 << len(names)).tolist()


@few_rows(1)
@pytest.mark.parametrize("names", ["ab", "abc", "abcd"])
def test_a_contrast_of_several_columns_is_that_of_their_counts(names: str, cli_json, tmp_path) -> None:
    """How many people have exactly one trait: the product of debiased indicators; by group, and with weights of 1."""
    rows = _three(np.random.default_rng(len(names)))
    mechanism = f"bits:5/6*{len(names)}"
    contrast = [int(cell.bit_count() == 1) for cell in range(1 << len(names))]
    whole = np.ones(len(rows["a"]), bool)
    groups = {name: rows["g"] == name for name in ("east", "west")}

    def by_definition(chosen: np.ndarray) -> tuple[float, float]:
        """Return the mean of the debiased indicators of the contrast, and its plug-in standard error."""
        debiased = [(rows[name][chosen] - 1 / 6) / (2 / 3) for name in names]
        z = np.zeros(chosen.sum())
        for cell, number in enumerate(contrast):
            chances = [x if cell >> place & 1 else 1 - x for place, x in enumerate(debiased)]
            z += number * np.prod(chances, axis=0)
        return z.mean(), z.std() / chosen.sum() ** 0.5

    found = rropt_fieldwork.TableResponses(list(names), mechanism, data=rows).estimate(contrast=contrast)
    assert (float(found.estimate), found.se) == pytest.approx(by_definition(whole))
    counted = rropt.estimate(_counts(rows, names, whole), mechanism, contrast=contrast)
    assert (found.estimate, found.se) == (counted.estimate, counted.se)
    assert found.counted.estimate == counted.counted.estimate
    assert found.counted.mechanism.categories[1] == "1" + " 0" * (len(names) - 1)
    by = rropt_fieldwork.TableResponses(list(names), mechanism, data=rows).estimate(contrast=contrast, by="g")
    for one in by.rows:
        assert (float(one.estimate), one.se) == pytest.approx(by_definition(groups[one.group]))
        own = rropt.estimate(_counts(rows, names, groups[one.group]), mechanism, contrast=contrast)
        assert one.estimate == own.estimate
        ends = tuple(map(float, own[0].conf_int(kind="normal")))
        assert tuple(map(float, one.conf_int())) == pytest.approx(
            ends, abs=1e-11
        )  # rounded outwards to as many decimals as n needs
    assert type(by).from_json(by.to_json()) == by
    weighted = rropt_fieldwork.TableResponses(
        list(names), mechanism, data=rropt_fieldwork.read({**rows, "v": np.ones(240)}).sampled(weights="v")
    ).estimate(contrast=contrast)
    (one,) = weighted.rows
    assert one.estimate == pytest.approx(float(found.estimate))
    assert one.se == pytest.approx(found.se * (240 / 239) ** 0.5)
    (path := tmp_path / "three.csv").write_text(
        "\n".join(
            [",".join(names), *(",".join(map(str, row)) for row in zip(*(rows[name] for name in names), strict=True))]
        )
    )
    words = ("--columns", ",".join(names), "--mechanism", mechanism, "--contrast", ",".join(map(str, contrast)))
    assert cli_json("estimate", str(path), *words)["rows"][0]["estimate"] == str(found.estimate)


def test_a_contrast_of_several_columns_with_weights_strata_and_clusters() -> None:
    """The linearization of the debiased contrast as a number, which a mean of the same numbers has in R."""
    rows = _three(np.random.default_rng(9))
    contrast = [0, 1, 1, 0]
    debiased = [(rows[name] - 1 / 4) / (1 / 2) for name in "ab"]
    z = debiased[0] * (1 - debiased[1]) + (1 - debiased[0]) * debiased[1]
    w = rows["w"]
    mean = w @ z / w.sum()
    u = w * (z - mean) / w.sum()
    variance = 0.0
    for stratum in range(4):
        sums = np.array([u[(rows["p"] == cluster) & (rows["s"] == stratum)].sum() for cluster in range(40)])
        own = sums[[bool(((rows["p"] == cluster) & (rows["s"] == stratum)).any()) for cluster in range(40)]]
        variance += len(own) / (len(own) - 1) * ((own - own.mean()) ** 2).sum()
    known = {"weights": "w", "strata": "s", "clusters": "p", "contrast": contrast}
    found = table_estimate("bits:3/4*2", data=rows, columns=["a", "b"], **known)
    (one,) = found.rows
    assert (one.estimate, one.se) == pytest.approx((mean, variance**0.5))
    assert one.df == 40 - 4
    assert 0 <= one.conf_int()[0] <= one.conf_int()[1] <= 1


def test_a_reference_of_several_columns() -> None:
    """For more outputs than categories: as from counts; by group with the weights of the left inverse there."""
    rng = np.random.default_rng(3)
    rows = {"a": rng.integers(0, 3, 90), "b": rng.integers(0, 3, 90), "g": np.array(["x", "y", "y"] * 30, object)}
    mechanism, reference, contrast = "bits:kuk:4/5,1/5,2*2", ["1/2", "1/4", "1/8", "1/8"], [0, 1, 1, 0]
    counts = np.bincount(rows["a"] + 3 * rows["b"], minlength=9).tolist()
    given = {"data": rows, "columns": ["a", "b"]}
    found = table_estimate(mechanism, **given, reference=reference, contrast=contrast)
    counted = estimate_of_options(mechanism, counts, reference=reference, contrast=contrast)
    assert (found.estimate, found.se) == (counted.estimate, counted.se)
    alone = table_estimate(mechanism, **given, reference=reference)
    assert alone.counted.estimate == counted.counted.estimate != rropt.inference.estimate(mechanism, counts).estimate
    by = table_estimate(mechanism, **given, reference=reference, contrast=contrast, by="g")
    for one in by.rows:
        chosen = rows["g"] == one.group
        own = np.bincount((rows["a"] + 3 * rows["b"])[chosen], minlength=9).tolist()
        expected = estimate_of_options(mechanism, own, reference=reference, contrast=contrast)
        assert (one.estimate, one.se) == (expected.estimate, pytest.approx(expected.se))


def test_a_contrast_of_several_columns_and_devices() -> None:
    """Each device with its own counts of the cells; respondents without an answer to every question are left out."""
    rows = _three(np.random.default_rng(4))
    names = {"one": rropt.Mechanism("bits:5/6*2"), "two": rropt.Mechanism("bits:3/4*2")}
    known = {"columns": ["a", "b"], "devices": "deck", "device_names": names, "contrast": [0, 1, 1, 0]}
    found = table_estimate(data=rows, **known)
    counts = [(names[deck], _counts(rows, "ab", rows["deck"] == deck)) for deck in ("one", "two")]
    expected = contrast_of(counts, [0, 1, 1, 0])
    assert (found.estimate, found.se) == (expected.estimate, expected.se)
    table_estimate(data=rows, **known, by="g")
    gaps = {**rows, "a": np.array(["", *map(str, rows["a"][1:])], object), "b": rows["b"].astype(str).astype(object)}
    asked = {"columns": ["a", "b"], "contrast": [0, 1, 1, 0], "by": "g"}
    left, reading = table_estimate_with_reading("bits:5/6*2", data=gaps, **asked)
    assert reading.left_out == 1
    assert sum(one.n for one in left.rows) == 239
    with pytest.raises(InvalidParameterError, match="give 4 numbers"):
        rropt_fieldwork.TableResponses(["a", "b"], "bits:5/6*2", data=rows).estimate(contrast=[0, 1])


@pytest.mark.parametrize("design", ["", "--weights w"])
def test_the_record_of_a_contrast_is_reported_and_read(
    design: str, tmp_path: Path, cli: Callable[..., tuple[int, str, str]]
) -> None:
    """The page states what is estimated and how; the record is read with its numbers as they were."""
    table, record, page = (tmp_path / name for name in ("two.csv", "c.json", "c.md"))
    lines = [f"{i % 3 % 2},{('warner:3/4', 'warner:2/3')[i % 2]},{'ab'[i // 5 % 2]},{1 + i % 4}" for i in range(80)]
    table.write_text("\n".join(["y,deck,g,w", *lines]) + "\n", encoding="utf-8")
    asked = ["--column", "y", "--devices", "deck", "--contrast", "0,1", "--by", "g", "--json", *design.split()]
    status, out, _ = cli("estimate", str(table), *asked)
    assert status == 0
    record.write_text(out, encoding="utf-8")
    assert cli("report", str(record), "--output", str(page))[0] == 0
    text = " ".join(page.read_text(encoding="utf-8").split())
    assert "The estimate is a linear combination of the proportions." in text
    assert ("ratios (Hajek)" in text) == bool(design)
    found, written = rropt.load(record), json.loads(out)
    assert found.to_dict() == {key: written[key] for key in found.to_dict()}
    assert [one.group for one in found] == ["a", "b"]
