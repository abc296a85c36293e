"""Random complex surveys, every rule for single clusters: against R's `survey`, svymean, svytotal and svyciprop.

The figures of random/figures.csv are of R 4.2.2 and survey 4.1-1 (Debian 12) on the surveys that `surveys_of` makes.
Write them anew, in tests/:  RROPT_WRITE_PAGES=1 python -m pytest fieldwork/test_random_surveys.py
"""

from __future__ import annotations

import csv
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import isclose, isfinite
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fieldwork.test_weighted_estimates import moments
from stress import STRESS
from table_calls import estimate_table

from rropt.estimates.estimated import Estimate

FOLDER = Path(__file__).parent / "random"
SCRIPT = Path(__file__).parent / "survey.R"
WRITES = os.environ.get("RROPT_WRITE_PAGES") == "1"

LONELY = ("refuse", "certainty", "average", "adjust")
STAGES = ("rows", "clusters", "stages")
FPC = ("none", "counts", "rates")
SIGNS = 1e-8  # relative: of R's optimiser for `logit`, and of the digits that are kept
OF_A_SPLINE = 5e-3  # R interpolates the profile likelihood; ours is solved.

Figures = dict[tuple[str, str], dict[str, float]]


@dataclass(frozen=True)
class Survey:
    """A survey: how it was drawn, and its rows."""

    name: str
    lonely: str
    stages: str
    fpc: str
    strata: str
    weights: str
    columns: dict[str, list[Any]]

    @property
    def options(self) -> dict[str, Any]:
        """What rropt is told."""
        told: dict[str, Any] = {"single_psu": self.lonely}
        told |= {"weights": "w"} if self.weights == "yes" else {}
        told |= {"strata": "stratum"} if self.strata == "yes" else {}
        told |= {} if self.stages == "rows" else {"clusters": "cluster"}
        if self.fpc != "none":
            told["fpc"] = ("fpc", "within") if self.stages == "stages" else "fpc"
        return told

    def shares(self, **more: Any) -> list[dict[str, Estimate]]:
        """Return by group what rropt finds of the responses as those to a direct question, and to one by warner:3/4."""
        columns = {name: np.array(values) for name, values in (*self.columns.items(), ("v", self.columns["y"]))}
        found = estimate_table(columns, ["y", "v"], "bits:1,3/4", **self.options, **more)
        return [{one.group or "all": one for one in found if one.question == name} for name in ("y", "v")]


def surveys_of(seed: int) -> Iterator[Survey]:
    """Yield a survey for each way of drawing: single-PSU rule x stages x finite populations x strata x weights."""
    for lonely, stages, fpc, strata, weights in product(LONELY, STAGES, FPC, ("yes", "no"), ("yes", "no")):
        if (stages == "stages" and fpc == "none") or (strata == "no" and lonely != "refuse"):
            continue  # no second stage without its population; one stratum is never alone
        name = "-".join((lonely, stages, fpc, strata, weights, str(seed)))
        if (fpc, weights, strata) != ("none", "no", "no") or stages != "rows":  # otherwise nothing is complex
            columns = _drawn(random.Random(name), lonely, stages, fpc, strata)
            yield Survey(name, lonely, stages, fpc, strata, weights, columns)


def _drawn(rng: random.Random, lonely: str, stages: str, fpc: str, strata: str) -> dict[str, list[Any]]:
    """Return the rows of a survey: single clusters where the rule allows them; some strata are drawn whole."""
    rows: dict[str, list[Any]] = {name: [] for name in ("stratum", "cluster", "w", "y", "g", "fpc", "within")}
    chance, alone = rng.uniform(0.2, 0.8), 0
    for stratum in range(rng.randint(3, 5) if strata == "yes" else 1):
        clusters = rng.randint(2, 5) if stages != "rows" else rng.randint(4, 9)
        whole = fpc != "none" and rng.random() < 0.2
        if lonely != "refuse" and stratum and (alone == 0 or rng.random() < 0.4):
            clusters, alone = 1, alone + 1
        population = clusters if whole and clusters > 1 and stratum else clusters + rng.randint(1, 9)
        own_chance = min(max(chance + rng.uniform(-0.2, 0.2), 0.05), 0.95)
        for cluster in range(clusters):
            n = 1 if stages == "rows" else rng.randint(2 if lonely in ("refuse", "average") else 1, 6)
            inside = max(n + rng.choice([0, 0, 1, 3, 7]), 2)  # R takes no count of 1, and no rates that are all 1
            inside += stratum == cluster == 0
            for _ in range(n):
                rows["stratum"].append(f"s{stratum}")
                rows["cluster"].append(f"c{cluster}" if strata == "yes" else f"d{cluster}")
                rows["w"].append(rng.randint(4, 40) / 8)
                rows["y"].append(int(rng.random() < own_chance))
                rows["g"].append(rng.choice("ab"))
                rows["fpc"].append(population if fpc != "rates" else clusters / population)
                rows["within"].append(inside if fpc != "rates" else n / inside)
    rows["g"][:3], rows["y"][:4] = ["a", "b", "a"], [0, 1, 1, 0]
    return rows


def figures_of_r(surveys: list[Survey], work: Path) -> Figures:
    """Return what R finds."""
    with (work / "rows.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        names = list(surveys[0].columns)
        writer.writerow(["survey", *names, "z"])
        for survey in surveys:
            for row in zip(*survey.columns.values(), strict=True):
                z = 2 * row[names.index("y")] - 0.5  # of warner:3/4
                writer.writerow([survey.name, *(repr(x) if isinstance(x, float) else x for x in row), z])
    with (work / "cases.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["survey", "lonely", "stages", "fpc", "strata", "weights"])
        writer.writerows([s.name, s.lonely, s.stages, s.fpc, s.strata, s.weights] for s in surveys)
    done = subprocess.run(["Rscript", str(SCRIPT), "random", str(work)], capture_output=True, text=True, timeout=3000)
    assert done.returncode == 0, done.stderr
    return read_figures(work / "figures.csv")


def read_figures(path: Path) -> Figures:
    """Return the figures by survey and group."""
    with path.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    return {
        (row.pop("survey"), row.pop("group")): {
            name: float(number) if number != "NA" else float("nan") for name, number in row.items()
        }
        for row in rows
    }


def require_equal(survey: Survey, figures: Figures) -> int:
    """Compare a survey with R; return how many numbers were compared."""
    compared = 0
    for more in ({}, {"by": "g"}):
        direct, private = survey.shares(**more)
        for group, one in private.items():
            r = figures[survey.name, group]
            pairs = [
                (one.estimate, r["mean"]),
                (moments(one)[1], r["variance"]),
                (one.total.estimate, r["total"]),
                (moments(one, is_total=True)[1], r["total_variance"]),
                (one.df, r["df"]),
                (moments(direct[group])[0] * 4, r["variance"]),  # (p00 + p11 - 1)^2 = 1/4; no device in it
            ]
            for mine, theirs in pairs:
                assert isclose(mine, theirs, rel_tol=SIGNS, abs_tol=1e-12), (survey.name, group, pairs)
            compared += len(pairs) + _same_intervals(survey, group, direct[group], r)
    return compared


def _same_intervals(survey: Survey, group: str, one: Estimate, r: dict[str, float]) -> int:
    """Compare the intervals of a direct question with those of svyciprop; return how many ends were compared."""
    compared = 0
    if one.df < 1:
        assert not one.kinds
        return 0
    assert 0 <= min(one.conf_int()) <= max(one.conf_int()) <= 1
    t = one.estimate
    if not 1e-12 < t < 1 - 1e-12 or one.se < 1e-12:
        assert one.se < 1e-12
        return 0  # R has no interval, one without width, or for ``beta`` one that does not hold the estimate
    for method in ("logit", "xlogit", "likelihood", "asin", "beta", "mean"):
        mine = one.conf_int(kind="logit" if method == "xlogit" else method)
        theirs = r[f"{method}_lower"], r[f"{method}_upper"]
        for end, (own, other) in enumerate(zip(mine, theirs, strict=True)):
            few = {"logit": 2, "likelihood": 8}.get(method, 1)
            if one.df < few or (method == "likelihood" and not isfinite(other)):
                continue  # of one degree R's quantile is infinite, and its profile ends before the bound
            if method == "asin" and own == end:
                continue  # the angle passes 0 or pi/2: R turns back there
            tolerance = OF_A_SPLINE if method == "likelihood" else SIGNS
            assert isclose(own, other, rel_tol=tolerance, abs_tol=tolerance), (survey.name, group, method, mine, theirs)
            compared += 1
    return compared


def test_recorded_figures_of_r(tmp_path: Path) -> None:
    """Every way of drawing a sample, once: the figures that R 4.2.2 with survey 4.1-1 printed."""
    surveys = list(surveys_of(1))
    if WRITES:
        FOLDER.mkdir(exist_ok=True)
        figures_of_r(surveys, tmp_path)
        shutil.copy(tmp_path / "figures.csv", FOLDER / "figures.csv")
    figures = read_figures(FOLDER / "figures.csv")
    assert {survey.name for survey in surveys} == {name for name, _ in figures}
    compared = sum(require_equal(survey, figures) for survey in surveys[:: 1 if STRESS else 6])
    assert compared > (3500 if STRESS else 500), compared


@pytest.mark.slow
def test_figures_of_r(tmp_path: Path) -> None:
    """R itself, on surveys that are drawn anew."""
    if shutil.which("Rscript") is None:
        pytest.skip("no Rscript here: apt-get install r-base-core r-cran-survey")
    surveys = [survey for seed in range(2, 5) for survey in surveys_of(seed)]
    figures = figures_of_r(surveys, tmp_path)
    compared = sum(require_equal(survey, figures) for survey in surveys)
    assert compared > 9000, compared
