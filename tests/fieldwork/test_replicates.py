"""Replicate weights against R's survey (svrepdesign) and against sums over replicates that share no code with them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from table_calls import estimate_table, regress_table

from rropt.answers.replicate_weights import Replicates
from rropt.core.errors import FileFormatError, InvalidParameterError

F = Fraction
N, R = 120, 12


def made(seed: int, names: str = "r{}") -> tuple[dict[str, Any], np.ndarray]:
    """Return 120 rows in 12 clusters with the weights of a jackknife that leaves out one cluster."""
    random = np.random.default_rng(seed)
    w = np.round(random.uniform(1, 3, N), 3)
    y, g, x = (random.integers(0, 2, N) for _ in range(3))
    cluster = np.arange(N) % R
    replicates = np.where(cluster[:, None] == np.arange(R), 0.0, w[:, None] * R / (R - 1))
    table = {"y": y, "w": w, "g": np.array(["a", "b"], object)[g], "x": x + random.uniform(0, 1, N).round(2)}
    return table | {names.format(r + 1): replicates[:, r] for r in range(R)}, replicates


def oracle(z: np.ndarray, weights: np.ndarray, given: np.ndarray, factor: float, center: str) -> tuple[float, float]:
    """Return the Hajek estimate and its variance, in plain sums."""
    value = float((weights * z).sum() / weights.sum())
    each = [float((given[:, r] * z).sum() / given[:, r].sum()) for r in range(given.shape[1])]
    middle = value if center == "estimate" else sum(each) / len(each)
    return value, factor * sum((one - middle) ** 2 for one in each)


@few_rows(2)
@pytest.mark.parametrize(
    ("form", "factor", "center"),
    [
        ("jk1", (R - 1) / R, "mean"),
        ("brr", 1 / R, "mean"),
        ("Fay,rho=0.3", 1 / (R * 0.49), "mean"),
        ("sdr", 4 / R, "mean"),
        ("acs", 4 / R, "estimate"),
        ("bootstrap", 1 / (R - 1), "mean"),
        ("jk2,center=estimate", 1.0, "estimate"),
        ("jkn", (R - 1) / R, "mean"),  # one stratum: each rscale is (n - 1)/n
        ("other,scale=1/3", 1 / 3, "mean"),
    ],
)
def test_each_method(form: str, factor: float, center: str) -> None:
    table, given = made(1)
    found = estimate_table(table, "y", "warner:3/4", weights="w", replicates=f"{form}:r1..r12", by="g")
    for one in (*found, *found.overall):
        own = slice(None) if one.group is None else table["g"] == one.group
        z = (table["y"][own] - 0.25) / 0.5
        value, variance = oracle(z, table["w"][own], given[own], factor, center)
        # 1e-12: sums of 120 products, in another order
        assert one.estimate == pytest.approx(value, rel=1e-12)
        assert one.se**2 == pytest.approx(variance, rel=1e-10)
        totals = (given[own] * z[:, None]).sum(axis=0)
        middle = (table["w"][own] * z).sum() if center == "estimate" else totals.mean()
        assert one.total.se**2 == pytest.approx(factor * ((totals - middle) ** 2).sum(), rel=1e-10)
        assert one.df == np.linalg.matrix_rank(given[own]) - 1
    a, b = ([given[table["g"] == one] for one in "ab"], [(table["y"][table["g"] == one] - 0.25) * 2 for one in "ab"])
    each = (a[0] * b[0][:, None]).sum(axis=0) / a[0].sum(axis=0) - (a[1] * b[1][:, None]).sum(axis=0) / a[1].sum(axis=0)
    (difference,) = found.differences()
    middle = found[0].estimate - found[1].estimate if center == "estimate" else each.mean()
    assert difference.se**2 == pytest.approx(factor * ((each - middle) ** 2).sum(), rel=1e-9)


def test_a_linear_regression_equals_that_of_each_replicate() -> None:
    table, given = made(2)
    found = regress_table(table, "y ~ x", "warner:3/4", model="linear", weights="w", replicates="jk1:r1..r12")
    X, z = np.column_stack([np.ones(N), table["x"]]), (table["y"] - 0.25) * 2

    def least_squares(w: np.ndarray) -> np.ndarray:
        return np.linalg.solve(X.T @ (w[:, None] * X), X.T @ (w * z))

    each = np.array([least_squares(given[:, r]) for r in range(R)])
    V = (R - 1) / R * (each - each.mean(axis=0)).T @ (each - each.mean(axis=0))
    assert list(found.params) == pytest.approx(least_squares(table["w"]), rel=1e-9)
    assert np.array(found.fit.covariances["design"]) == pytest.approx(V, rel=1e-8)
    assert found.df_resid == R - 1


@pytest.mark.slow
def test_a_logistic_regression_equals_that_of_each_replicate() -> None:
    table, given = made(3)
    asked: dict[str, Any] = {"mechanism": "warner:9/10", "standard_errors": "design", "starts": 1}
    found = regress_table(table, "y ~ x", weights="w", replicates="jk1:r1..r12", **asked)
    each = []
    for r in range(R):  # the rows of the other clusters alone, with their weights, in the linearized fit
        kept = given[:, r] > 0
        own = {name: column[kept] for name, column in table.items() if name in "yx"} | {"w": given[kept, r]}
        each.append([*regress_table(own, "y ~ x", weights="w", **asked).params])
    gap = np.array(each) - np.mean(each, axis=0)
    # 1e-6: each search ends where a step of Newton's method changes no digit that counts
    assert np.array(found.fit.covariances["design"]) == pytest.approx((R - 1) / R * gap.T @ gap, rel=1e-6)


@pytest.mark.slow
def test_command_and_declaration(cli_json: Callable[..., dict], tmp_path: Path) -> None:
    table, _ = made(4, "rep{:02d}".replace("{:02d}", "{}"))
    names = list(table)
    rows = [",".join(names), *(",".join(str(table[name][i]) for name in names) for i in range(N))]
    (tmp_path / "a.csv").write_text("\n".join(rows) + "\n")
    file, form = str(tmp_path / "a.csv"), "jk1:rep1..rep12"
    asked = ("--mechanism", "warner:3/4", "--weights", "w", "--replicates", form)
    more: dict[str, Any] = {"weights": "w", "replicates": form, "by": "g"}
    found = cli_json("estimate", file, "--column", "y", *asked)
    same = estimate_table(table, "y", "warner:3/4", weights="w", replicates=form)
    assert found["rows"][0]["se"] == pytest.approx(same.se, rel=1e-12)
    assert found["sample"] == "weighted by 'w'; 12 replicate weights, jk1, around the mean"
    (tmp_path / "survey.toml").write_text(
        f'file = "{file}"\nweights = "w"\nreplicates = "{form}"\n[questions.y]\ndevice = "warner:3/4"\n'
    )
    declared = cli_json("estimate", "y", "--survey", str(tmp_path / "survey.toml"))
    assert declared["rows"] == found["rows"]
    assert "12 replicate weights, jk1" in str(estimate_table(table, "y", "warner:3/4", **more).summary())
    fitted = cli_json("regress", file, "--formula", "y ~ x", *asked)
    assert len(fitted["rows"]) == 2


def test_columns_are_read_as_written() -> None:
    assert Replicates.of("sdr:PWGTP1..PWGTP80").columns[-1] == "PWGTP80"
    assert Replicates.of("brr:w_001..w_012").columns[8:10] == ("w_009", "w_010")
    assert Replicates.of("jkn,rscales=1/2 3/4:a,b").rscales == (F(1, 2), F(3, 4))


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("allowed is METHOD", {"replicates": "rep1..rep20"}),
        ("allowed is METHOD", {"replicates": "mine:r1..r12"}),
        ("misses its rho", {"replicates": "fay:r1..r12"}),
        ("has no rho", {"replicates": "jk1,rho=1/2:r1..r12"}),
        ("no such setting", {"replicates": "jk1,mse=1:r1..r12"}),
        ("rscales do not fit", {"replicates": "jkn,rscales=1 1:r1..r12"}),
        ("with `weights` alone", {"replicates": "jk1:r1..r12", "clusters": "g"}),
        ("without weights", {"replicates": "jk1:r1..r12", "weights": None}),
        ("r13", {"replicates": "jk1:r1..r13"}),
    ],
)
def test_wrong_replicates(words: str, asked: dict[str, Any]) -> None:
    table, _ = made(5)
    with pytest.raises((InvalidParameterError, FileFormatError), match=words):
        estimate_table(table, "y", "warner:3/4", **{"weights": "w", **asked})


def test_a_group_that_a_replicate_loses() -> None:
    table, _ = made(6)
    table["g"] = np.where(np.arange(N) % R == 3, "alone", "rest").astype(object)
    with pytest.raises(InvalidParameterError, match="1 replicate without 'alone'"):
        estimate_table(table, "y", "warner:3/4", weights="w", replicates="jk1:r1..r12", by="g")
