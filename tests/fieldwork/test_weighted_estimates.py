"""Complex surveys of randomized answers: against R's `survey`, over every outcome of small ones, by simulation."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb, isclose, prod
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from later import later
from stored_cases import cases_of
from table_calls import estimate_table, regress_table

import rropt
import rropt_fieldwork
from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt.estimates.estimate_bases import DesignBasis
from rropt.estimates.estimated import Estimate, Estimates
from rropt.inference.linearization import Sampled
from rropt.inference.proportion_intervals import t_quantile
from rropt.inference.sample_domains import Domains, Moments

duckdb = later("duckdb")
pl = later("polars")

FOLDER = Path(__file__).parent / "api"  # samples of California's schools of 2000 (R's `survey`), answers randomized
SCRIPT = Path(__file__).parent / "survey.R"

# questions of the samples: what is asked, the mechanism, and the columns of debiased answers that R is given
QUESTIONS = {
    "y1": ("sch.wide", "warner:3/4", ["No", "Yes"]),
    "y2": ("comp.imp", "forced:2/3,1/6,1/6", ["No", "Yes"]),  # one in twenty did not answer
    "y3": ("stype", "grr:3,1/2", ["E", "H", "M"]),
    "y4": ("awards", "warner:3/4", ["No", "Yes"]),
}


def inverse(mechanism: str) -> np.ndarray:
    """Return the inverse of a mechanism's matrix: plain NumPy."""
    return np.linalg.inv(np.array(rropt.Mechanism(mechanism).matrix, np.float64))


@dataclass(frozen=True)
class Case:
    """A design, as R and as rropt are told it."""

    name: str
    sample: str
    design: str
    options: Mapping[str, Any]
    columns: str = "z1 z3_0 z3_1 z3_2"
    by: str = ""
    lonely: str = "refuse"
    asked: Sequence[tuple[str, str, int]] = (("y1", "warner:3/4", 1), ("y3", "grr:3,1/2", 1))


WHOLE = {"weights": "pw", "clusters": "dnum"}
CASES = [Case(**case) for case in cases_of(__file__)["cases"]]


def debiased(table: pl.DataFrame) -> pl.DataFrame:
    """Return a sample with the columns of debiased answers."""
    vectors: dict[str, np.ndarray] = {}
    for name, (_, mechanism, _) in QUESTIONS.items():
        codes = table[name].to_numpy()
        z = np.where(np.isnan(codes), np.nan, inverse(mechanism)[:, np.nan_to_num(codes).astype(int)])
        vectors |= {f"z{name[1:]}": z[1]} if len(z) == 2 else {f"z{name[1:]}_{j}": z[j] for j in range(len(z))}
    bits = [(1 - vectors["z1"], vectors["z1"]), (1 - vectors["z4"], vectors["z4"])]
    vectors |= {f"z14_{i + 2 * j}": bits[0][i] * bits[1][j] for i in range(2) for j in range(2)}
    return table.with_columns(**{name: pl.Series(z).fill_nan(None) for name, z in vectors.items()}).with_row_index(
        "row"
    )


def sample_of(folder: Path, name: str) -> pl.DataFrame:
    return pl.read_csv(folder / f"{name}.csv", null_values=["", "NA"])


def figures_of_r(samples: Path, work: Path) -> dict[tuple[str, str, str], list[float]]:
    """Return what R finds."""
    for name in {case.sample for case in CASES}:
        debiased(sample_of(samples, name)).write_csv(work / f"{name}.csv", null_value="NA", float_precision=None)
    with (work / "cases.csv").open("w", newline="") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
        writer.writerow(["name", "sample", "design", "columns", "by", "lonely"])
        writer.writerows([c.name, c.sample, c.design, c.columns, c.by, c.lonely] for c in CASES)
    done = subprocess.run(["Rscript", str(SCRIPT), str(work)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return read_figures(work / "figures.csv")


def read_figures(path: Path) -> dict[tuple[str, str, str], list[float]]:
    with path.open(newline="") as stream:
        rows = list(csv.reader(stream))[1:]
    return {(row[0], row[1], row[2]): [float(number) for number in row[3:]] for row in rows}


def ours(case: Case, table: pl.DataFrame) -> Iterator[tuple[str, Estimate]]:
    """Yield (column, estimate) of a case: all groups of a column, then of the next one."""
    columns = iter(case.columns.split())
    for asked, mechanism, _ in case.asked:
        text = table.with_columns(pl.col(asked.split(",")).cast(pl.String))
        found = estimate_table(text, asked.split(","), mechanism, by=[case.by] if case.by else (), **case.options)
        assert isinstance(found, Estimates)
        for category in dict.fromkeys((one.question, one.category) for one in found):
            column = next(columns, None)
            if column is not None:
                yield from ((column, one) for one in found if (one.question, one.category) == category)
    assert next(columns, None) is None


def moments(one: Estimate, *, is_total: bool = False) -> tuple[float, float]:
    """Return the variance of an estimate, and that which shrinks the device too."""
    assert isinstance(one.basis, DesignBasis)
    group, place = divmod(one.place, len(one.basis.columns))
    basis = one.basis.totals() if is_total else one.basis
    found: Moments = basis.moments(basis.columns[place])
    return float(found.variance[group]), float(found.shrunk[group])


def require_equal(case: Case, table: pl.DataFrame, figures: Mapping[tuple[str, str, str], list[float]]) -> None:
    finite = "fpc" in case.options
    compared = 0
    for column, one in ours(case, table):
        group = one.group or "all"
        mean, variance, total, total_variance, effect, freedom, lower, upper = figures[case.name, column, group]
        (whole, shrunk), (_, shrunk_of_total) = moments(one), moments(one, is_total=True)
        assert one.total is not None
        pairs = [
            (one.estimate, mean),
            (shrunk, variance),
            (one.total.estimate, total),
            (shrunk_of_total, total_variance),
            (one.df, freedom),
            (one.deff * shrunk / whole, effect),
        ]
        if not finite and case.lonely != "certainty":  # otherwise the device is whole here, and shrunk by R
            half = float(t_quantile(np.array([float(one.df)]), 0.05)[0]) * whole**0.5
            assert isclose(whole, shrunk, rel_tol=1e-12)
            pairs += [*zip((one.estimate - half, one.estimate + half), (lower, upper), strict=True)]
        else:
            assert whole > shrunk
        for mine, theirs in pairs:  # a total of 0 is rounding of its size, hundreds of people
            zero = 1e-13 * max(1.0, total_variance**0.5 if theirs == total else 1.0)
            assert isclose(mine, theirs, rel_tol=1e-12, abs_tol=zero), (case.name, column, group, pairs)
        compared += 1
    assert compared == sum(key[0] == case.name for key in figures)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_recorded_figures_of_r(case: Case) -> None:
    require_equal(case, sample_of(FOLDER, case.sample), read_figures(FOLDER / "figures.csv"))


@pytest.mark.slow
def test_figures_of_r(tmp_path: Path) -> None:
    """R itself, on the samples that are kept and on answers that are randomized anew."""
    if shutil.which("Rscript") is None:
        pytest.skip("no Rscript here: apt-get install r-base-core r-cran-survey")
    figures = figures_of_r(FOLDER, tmp_path)
    recorded = read_figures(FOLDER / "figures.csv")
    assert figures.keys() == recorded.keys()
    for key, numbers in figures.items():
        assert np.allclose(numbers, recorded[key], rtol=1e-10, atol=1e-13)
    rng = np.random.default_rng(20161)
    for turn in range(3):
        anew = tmp_path / f"turn{turn}"
        anew.mkdir()
        for name in {case.sample for case in CASES}:
            table = sample_of(FOLDER, name)
            answers = {q: rng.integers(0, len(names), len(table)) for q, (_, _, names) in QUESTIONS.items()}
            kept = {q: table[q].is_not_null() for q in QUESTIONS}
            columns = {q: pl.Series(values).set(~kept[q], None) for q, values in answers.items()}
            table.with_columns(**columns).write_csv(anew / f"{name}.csv")
        (anew / "r").mkdir()
        figures = figures_of_r(anew, anew / "r")
        for case in CASES:
            require_equal(case, sample_of(anew, case.sample), figures)


# every outcome of small surveys: what is called unbiased is, exactly


def domains(
    design: tuple[Any, ...], names: list[str], stratum: Any, cluster: Any, weight: Any, answer: Any, group: Any = 0
) -> Domains:
    answer = np.asarray(answer, np.int64)
    n, w = len(answer), np.asarray(weight, np.float64)
    groups = np.broadcast_to(np.asarray(group, np.int64), n)
    labels = None if cluster is None else np.asarray(cluster, np.int64)
    sample = Sampled(w, w * w, np.asarray(stratum, np.int64), labels, None, *design)
    return Domains(sample, np.ones(n, np.int64), groups, answer >= 0, names)


@dataclass(frozen=True)
class Small:
    """A population: for each stratum clusters of truths, how many clusters are drawn, and rows within each (or all)."""

    strata: tuple[tuple[tuple[tuple[int, ...], ...], int], ...]
    mechanism: str = "warner:3/4"
    within: int | None = None

    def samples(self) -> Iterator[tuple[float, tuple[Any, ...], list[tuple[int, int, float, int]]]]:
        """Yield (chance, how it was drawn, rows (stratum, cluster, weight, truth)) of every sample."""
        each = []
        for h, (clusters, n) in enumerate(self.strata):
            mine = []
            for drawn in combinations(range(len(clusters)), n):
                asked = [self.within or len(clusters[c]) for c in drawn]
                chance = 1 / comb(len(clusters), n) / prod(map(comb, (len(clusters[c]) for c in drawn), asked))
                inside = [
                    [(c, rows) for rows in combinations(clusters[c], m)] for c, m in zip(drawn, asked, strict=True)
                ]
                for chosen in product(*inside):
                    weights = [(c, len(clusters) / n * len(clusters[c]) / len(rows), rows) for c, rows in chosen]
                    mine.append((chance, [(h, c, w, x) for c, w, rows in weights for x in rows]))
            each.append(mine)
        units = np.array([n for _, n in self.strata], np.float64)
        fractions = units / np.array([len(clusters) for clusters, _ in self.strata])
        plain = self.within is None and all(len(c) == 1 for clusters, _ in self.strata for c in clusters)
        for parts in product(*each):
            rows = [row for _, part in parts for row in part]
            known = sorted({(h, c) for h, c, _, _ in rows})
            rows = [(h, known.index((h, c)), w, x) for h, c, w, x in rows]
            strata = None if plain else np.array([h for h, _ in known])
            within = None
            if self.within is not None:
                sizes = np.array([len(self.strata[h][0][c]) for h, c in known], np.float64)
                within = (np.full(len(known), float(self.within)), self.within / sizes)
            yield prod(chance for chance, _ in parts), (units, fractions, strata, within), rows


SMALL = {
    "rows": Small(((((1,), (0,), (0,), (1,)), 2), (((1,), (1,), (0,)), 2))),
    "three-categories": Small(((((2,), (0,), (1,), (1,)), 2),), "grr:3,1/2"),
    "clusters-and-a-census": Small(((((1, 0), (0, 0), (1,)), 2), (((1,), (0,)), 2))),
    "two-stages": Small(((((1, 0, 1), (0, 0, 0), (1, 1, 1, 0)), 2),), within=2),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_every_outcome(name: str) -> None:
    """Totals and their variances are unbiased over all samples and all answers; what shrinks the device is not."""
    small = SMALL[name]
    matrix = np.array(rropt.Mechanism(small.mechanism).matrix, np.float64)
    table, k = inverse(small.mechanism).T, len(matrix)
    sums = np.zeros((5, k))
    for chance, drawn, rows in small.samples():
        stratum, cluster, weight, truth = map(np.array, zip(*rows, strict=True))
        for answers in product(range(k), repeat=len(rows)):
            p = chance * float(np.prod(matrix[list(answers), truth]))
            made = domains(drawn, ["all"], stratum, None if drawn[2] is None else cluster, weight, answers)
            for j, column in enumerate(table.T):
                value, variance, device, shrunk = map(float, np.concatenate(made.totals(column[list(answers)])))
                sums[:, j] += p * np.array([value, value**2, variance, device, shrunk])
    truths = [x for clusters, _ in small.strata for rows in clusters for x in rows]
    assert np.allclose(sums[0], [truths.count(j) for j in range(k)])
    variance = sums[1] - sums[0] ** 2
    assert np.allclose(sums[2], variance, rtol=1e-12)
    assert (sums[4] < 0.95 * variance).all()
    own = [[float((table[:, j] ** 2 * matrix[:, x]).sum() - (x == j)) for x in range(k)] for j in range(k)]
    expected = np.zeros(k)
    for chance, _, rows in small.samples():
        expected += [chance * sum(w * w * own[j][x] for _, _, w, x in rows) for j in range(k)]
    assert np.allclose(sums[3], expected, rtol=1e-12)


@pytest.mark.slow
def test_simulated_samples(size: Callable[[int, int], int]) -> None:
    """Shares of a domain: the mean of the variance is the variance of the estimates, and intervals cover."""
    rng, turns = np.random.default_rng(7), size(300, 4000)
    strata, clusters, drawn = 4, 12, 6
    sizes = rng.integers(3, 9, (strata, clusters))
    chance = rng.beta(2, 4, (strata, clusters))
    truths = [[rng.random(sizes[h, c]) < chance[h, c] for c in range(clusters)] for h in range(strata)]
    domain = [[rng.random(sizes[h, c]) < 0.7 for c in range(clusters)] for h in range(strata)]
    whole = np.concatenate([x[d] for xs, ds in zip(truths, domain, strict=True) for x, d in zip(xs, ds, strict=True)])
    design = np.full(strata, float(drawn)), np.full(strata, drawn / clusters), np.repeat(np.arange(strata), drawn)
    table, found = inverse("warner:3/4").T, []
    chosen = rng.permuted(np.tile(np.arange(clusters), (turns, strata, 1)), axis=2)[:, :, :drawn]
    for turn in range(turns):
        picked = [(h, c) for h in range(strata) for c in chosen[turn, h]]
        x = np.concatenate([truths[h][c] for h, c in picked])
        lengths = [sizes[h, c] for h, c in picked]
        told = np.where(rng.random(len(x)) < 0.75, x, ~x)
        group = np.concatenate([domain[h][c] for h, c in picked])
        cluster = np.repeat(np.arange(strata * drawn), lengths)
        weight = np.full(len(x), clusters / drawn)
        made = domains(design, ["out", "in"], cluster // drawn, cluster, weight, told, group)
        value, variance, _, shrunk = (float(each[1]) for each in made.means(table[told.astype(np.int64), 1]))
        half = float(t_quantile(made.freedom, 0.05)[1]) * np.sqrt(variance)
        found.append((value, variance, shrunk, abs(value - whole.mean()) <= half))
    values, variances, shrunk, covered = np.array(found, np.float64).T
    spread = values.var()
    noise = np.sqrt((values - values.mean()).__pow__(4).mean() / spread**2 - 1) / np.sqrt(turns)
    assert abs(variances.mean() / spread - 1) < 4 * noise + 0.03  # linearised: ratios of few clusters
    assert shrunk.mean() / spread < 0.75
    assert abs(values.mean() - whole.mean()) < 4 * np.sqrt(spread / turns) + 0.003
    assert abs(covered.mean() - 0.95) < 4 * np.sqrt(0.0475 / turns) + 0.012


# what is refused: one line, with the lines of the data and nothing that stands in them

SECRET = "s3cr3t"
ROWS = {
    "q": ["0", "1", "1", "0", "1", "0"],
    "w": [1.0, 2.0, 1.0, 2.0, 1.0, 1.0],
    "s": ["a", "a", "a", "b", "b", "c"],
    "c": ["1", "2", "3", "4", "5", "6"],
    "n": [9, 9, 9, 8, 8, 7],
}
# What is wrong with a survey: other columns, the options, and words of the error.
BAD = {
    row["name"]: row for row in map(json.loads, Path(__file__).with_suffix(".jsonl").read_text("utf-8").splitlines())
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name: str) -> None:
    row = BAD[name]
    table = pl.DataFrame({**ROWS, **row["columns"]}, strict=False)
    with pytest.raises((FileFormatError, InvalidParameterError)) as caught:
        estimate_table(table, "q", "warner:3/4", **row["options"])
    told = str(caught.value)
    assert row["message"] in told
    assert "\n" not in told
    assert SECRET not in told


def test_command(cli: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    """The command prints what Python returns, from text too; labels and numbers may have blanks around them."""
    case = next(case for case in CASES if case.name == "finite-clusters")
    table = sample_of(FOLDER, case.sample).drop("y2")
    path = tmp_path / "a.csv"
    table.with_columns(
        dnum=pl.format(" {}", pl.when(pl.col("y1") == 0).then(pl.format("{} ", "dnum")).otherwise("dnum"))
    )
    table.write_csv(path)
    options = ("--weights", "pw", "--clusters", "dnum", "--fpc", "fpc", "--by", "awards")
    status, out, err = cli("estimate", str(path), "--column", "y1", "--mechanism", "warner:3/4", *options, "--json")
    assert status == 0, err
    found = Estimates.from_json(out)
    text = table.with_columns(pl.col("y1").cast(pl.String))
    mine = estimate_table(text, "y1", "warner:3/4", by="awards", **case.options)
    for one, other in zip(found, mine, strict=True):
        assert isclose(one.se, other.se, rel_tol=1e-12)
        assert one.df == other.df
    status, out, err = cli("estimate", str(path), "--column", "y1", "--mechanism", "warner:3/4", *options)
    assert status == 0
    assert "weighted by 'pw'; 15 clusters in 1 stratum" in " ".join(out.split())
    assert "completely observed" in err
    for wrong in (("--marginals", "0"), ("--fpc", "fpc,fpc2,fpc"), ("--counts", "1,2"), ("--single-psu", "x")):
        status, _, err = cli("estimate", str(path), "--column", "y1", "--mechanism", "warner:3/4", *options[:2], *wrong)
        assert status == 2, wrong
    assert cli("estimate", "--counts", "1,2", "--mechanism", "warner:3/4", "--weights", "w")[0] == 2


DESIGNS = {
    "weights": {"weights": "pw"},
    "clusters": WHOLE,
    "finite": {**WHOLE, "fpc": "fpc"},
    "two-stages": {**WHOLE, "fpc": ["fpc", "fpc2"]},
    "adjust": {"weights": "pw", "strata": "cnum", "clusters": "dnum", "single_psu": "adjust"},
    "post-strata": {"weights": "pw", "post_strata": "awards", "fpc": 0.4},
    "clusters-post-strata": {**WHOLE, "post_strata": "awards", "fpc": ["0.3", "0.5"], "single_psu": "certainty"},
}


@few_rows(1)
@pytest.mark.parametrize("name", DESIGNS)
def test_differences_are_the_slopes_of_linear_regressions(name: str) -> None:
    """Slopes of a linear regression on the groups are differences of proportions, with the same linearization."""
    table = sample_of(FOLDER, "apiclus2" if name == "two-stages" else "apiclus1")
    text = table.with_columns(pl.col("y1").cast(pl.String))
    found = estimate_table(text, "y1", "warner:3/4", by="stype", **DESIGNS[name])
    alone = estimate_table(text, "y1", "warner:3/4", **DESIGNS[name])
    slopes = regress_table(text, "y1 ~ stype", "warner:3/4", model="linear", **DESIGNS[name])
    (whole,), (alike,) = found.overall, alone
    assert whole.estimate == pytest.approx(alike.estimate, rel=1e-14)
    assert whole.total.se == pytest.approx(alike.total.se, rel=1e-12)
    assert np.diag(found.cov_params()) == pytest.approx([one.se**2 for one in found], rel=1e-12)
    (compared,) = found.compared()
    for difference in compared.differences:
        first, second = (f"stype[T.{name}]" for name in (difference.first, difference.second))
        R = np.array([[float(name == first) - float(name == second) for name in slopes.names]])
        b, error = float(R[0] @ list(slopes.params)), float(R[0] @ slopes.cov_params() @ R[0]) ** 0.5
        assert (difference.estimate, difference.standard_error) == pytest.approx((b, error), rel=1e-9)
        assert difference.adjusted >= difference.p
        if difference.degrees_of_freedom == slopes.df_resid:
            assert difference.p == pytest.approx(slopes.wald_test(R).p_value, rel=1e-8)
            assert difference.interval is not None
            assert difference.interval[0] < difference.estimate < difference.interval[1]
    joint, test = slopes.wald_test(["stype[T.H]", "stype[T.M]"]), compared.test
    if min(one.df for one in found) < 1:
        assert test is None
        return
    assert test is not None
    d = slopes.df_resid
    assert (test.degrees_of_freedom, test.denominator) == (2, d - 1)
    assert test.statistic == pytest.approx(joint.statistic * (d - 1) / d, rel=1e-9)


def test_a_difference_without_a_standard_error_is_known_or_not_tested() -> None:
    """In a census of direct answers it is known: p is 0 or 1. Otherwise there is neither a test nor an interval."""
    place = np.array(list("aabb") * 10, object)
    mixed = np.array(list("10110010") * 5, object)
    for answers, device, fpc, expected in (
        (mixed, "warner:1", 40, (-0.5, (-0.5, -0.5), 0.0)),
        (np.where(place == "a", "1", "0"), "warner:1", 40, (1.0, (1.0, 1.0), 0.0)),
        (np.array(["1", "0", "0", "1"] * 10, object), "warner:1", 40, (0.0, (0.0, 0.0), 1.0)),
        (np.where(place == "a", "1", "0"), "warner:3/4", None, (2.0, None, 1.0)),
    ):
        data = {"q": answers, "g": place, "w": np.ones(40)}
        found = estimate_table(data, "q", device, by="g", weights="w", fpc=fpc)
        ((one,),) = (each.differences for each in found.compared())
        assert (one.estimate, one.interval, one.p) == expected
        assert one.simultaneous == one.interval
        assert one.degrees_of_freedom == 39
    assert found.conclusion.endswith("The differences of the groups were not tested: they have no standard error.")


def test_differences_are_printed_and_recorded(cli: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    sample_of(FOLDER, "apiclus1").drop("y2").write_csv(path)
    given = ("estimate", str(path), "--column", "y1", "--mechanism", "warner:3/4", "--weights", "pw", "--by", "stype")
    status, out, err = cli(*given, "--clusters", "dnum")
    assert status == 0, err
    text = " ".join(out.split())
    for words in (
        "E 144 0.",
        "all equal p = 0.",
        "differences: --explain, explain()",
    ):
        assert words in text, (words, text)
    text = " ".join(cli(*given, "--clusters", "dnum", "--explain")[1].split())
    for words in ("Totals n estimate se", "Differences", "E - H", "differences Wald: approximate for large samples"):
        assert words in text, (words, text)
    status, out, _ = cli(*given, "--clusters", "dnum", "--json")
    assert [len(one.differences) for one in Estimates.from_json(out).compared()] == [3]
    many = pl.DataFrame({"q": ["1", "0"] * 150, "w": [1.0] * 300, "g": [str(i // 2) for i in range(300)]})
    found = estimate_table(many, "q", "warner:3/4", by="g", weights="w")
    assert not found.compared()  # of 150 groups, 11 175 pairs
    assert "The groups are too many to test their differences." in found.conclusion
    few = estimate_table(many[:4], "q", "warner:3/4", by="g", weights="w")
    assert few.compared()[0].differences[0].p == 1.0  # equal
    for alike in (["1", "1", "0", "0"], ["1", "0", "0", "0"]):  # no spread in a group: no difference is established
        for g in (["a", "a", "b", "b"], ["a", "b", "c", "d"]):
            rows = pl.DataFrame({"q": alike, "w": [1.0] * 4, "g": g})
            none = estimate_table(rows, "q", "generalised:1,1", by="g", weights="w")
            assert " is above " not in none.conclusion
            assert min(one.p for one in none.compared()[0].differences) > 0.1
            assert none.summary()
    one_cluster = many[:2].with_columns(c=pl.lit("a"))
    single = estimate_table(one_cluster, "q", "warner:3/4", by="g", weights="w",
                                  clusters="c", single_psu="certainty")  # fmt: skip
    assert not single.compared()


def test_devices_and_numbers_of_any_kind() -> None:
    """Each respondent's own device; rows in any order; weights times a constant change nothing but totals."""
    table = sample_of(FOLDER, "apiclus1").with_columns(pl.col("y1").cast(pl.String))
    table = table.with_columns(
        device=pl.when(pl.col("stype") == "E").then(pl.lit("warner:3/4")).otherwise(pl.lit("warner:2/3"))
    )
    found = estimate_table(table, "y1", devices="device", weights="pw", clusters="dnum", by="stype")
    for group, mechanism in (("E", "warner:3/4"), ("H", "warner:2/3")):
        alone = estimate_table(table, "y1", mechanism, weights="pw", clusters="dnum", by="stype")
        mine, other = found[group], alone[group]
        assert isclose(mine.se, other.se, rel_tol=1e-12)
        assert isclose(mine.total.estimate, other.total.estimate, rel_tol=1e-12)
    again = table.sample(fraction=1, shuffle=True, seed=3).with_columns(
        pl.col("pw") * 8, pl.format(" {} ", "dnum").alias("dnum")
    )
    third = estimate_table(again, "y1", devices="device", weights="pw", clusters="dnum", by="stype")
    for mine, other in zip(found, third, strict=True):
        assert isclose(mine.se, other.se, rel_tol=1e-12)
        assert isclose(8 * mine.total.estimate, other.total.estimate, rel_tol=1e-12)


def test_estimates_do_not_depend_on_the_order_of_rows() -> None:
    """Engines return groups in any order, and sums of floats depend on it: two equal calls would differ."""
    rng = np.random.default_rng(0)
    data = {"q": rng.integers(0, 2, 500), "w": rng.random(500), "c": np.arange(500)}
    first = estimate_table(data, "q", "warner:3/4", weights="w", clusters="c")
    for _ in range(5):
        order = rng.permutation(500)
        shuffled = {name: column[order] for name, column in data.items()}
        assert estimate_table(shuffled, "q", "warner:3/4", weights="w", clusters="c") == first


@pytest.mark.slow
def test_sums_over_several_files_are_the_same_in_each_run(tmp_path: Path) -> None:
    """Several threads added the weights of the files in any order."""
    rng, paths = np.random.default_rng(1), [tmp_path / f"{i}.csv" for i in range(8)]
    for path in paths:
        rows = zip(rng.integers(0, 2, 500).tolist(), rng.random(500).tolist(), strict=True)
        path.write_text("q,w\n" + "".join(f"{q},{w}\n" for q, w in rows))
    found = [estimate_table(paths, "q", "warner:3/4", weights="w").to_json() for _ in range(5)]
    assert len(set(found)) == 1


@pytest.mark.slow
def test_sums_over_one_file_are_the_same_in_each_run(tmp_path: Path) -> None:
    """Several threads added the weights of the groups of rows of a Parquet file in any order."""
    path = tmp_path / "a.parquet"
    rows = "SELECT (hash(i) % 2)::INTEGER q, (hash(i + 1) % 1000003) / 1000003 w FROM range(400000) r(i)"
    duckdb.connect().execute(f"COPY ({rows}) TO '{path}'")
    found = [estimate_table(path, "q", "warner:3/4", weights="w").to_json() for _ in range(5)]
    assert len(set(found)) == 1


def test_a_group_of_one_cluster_has_no_standard_error(tmp_path: Path) -> None:
    """Its residuals add up to 0, whatever the answers are: 0.00 would look like certainty."""
    rows = [f"{i % 2},{1 + i % 3},{'b' if i < 4 else 'a'},{0 if i < 4 else 1 + i % 5}" for i in range(24)]
    (tmp_path / "a.csv").write_text("\n".join(["y,w,g,psu", *rows]) + "\n")
    found = rropt_fieldwork.TableResponses(
        "y", "warner:3/4", data=rropt_fieldwork.read(str(tmp_path / "a.csv")).sampled(weights="w", clusters="psu")
    ).estimate(by="g")
    assert {one.group: one.se is None for one in (*found, *found.overall)} == {"a": False, "b": True, None: False}
    assert {row[0]: row[3] == "none" for row in found.as_tables()[0][2]} == {"a": False, "b": True}


def _interval_of_total(
    p: float, variance: float, total_variance: float, ends: tuple[float, float], weight: float
) -> Any:
    """Return the interval of the total of a proportion with a known variance and interval; 19 degrees of freedom."""
    scale = 2 / float(t_quantile(np.array([19.0]), 0.05)[0])  # two standard errors
    numbers = [
        Moments(*(np.array([x]) for x in (a, b * scale**2, 0.0, b * scale**2)))
        for a, b in ((p, variance), (weight * p, total_variance))
    ]
    own = SimpleNamespace(weight=np.array([weight]), freedom=np.array([19]), means=lambda z: numbers[0])
    scores = SimpleNamespace(table=np.zeros((1, 1)), at=np.zeros(1, int))
    basis = DesignBasis(own, scores, (0,), "proportion", is_total=True)
    basis._cache["moments", 0] = numbers[1]
    return basis._total_ends(0, 0, *ends, Fraction(19, 20))


def test_the_interval_of_a_total() -> None:
    """That of the proportion times the weights; the error of the weights widens it; it has a width at 0 and at all."""
    assert _interval_of_total(0.2, 0.01, 100.0, (0.1, 0.4), 100.0) == pytest.approx((10, 40))
    assert _interval_of_total(0.2, 0.01, 64.0, (0.1, 0.4), 100.0) == pytest.approx((10, 40))
    wider = _interval_of_total(0.2, 0.01, 125.0, (0.1, 0.4), 100.0)
    assert wider == pytest.approx((20 - (10**2 + 4 * 25) ** 0.5, 20 + (20**2 + 4 * 25) ** 0.5))
    assert _interval_of_total(0.0, 0.0, 0.0, (0.0, 0.17), 100.0) == pytest.approx((0, 17))
    assert _interval_of_total(1.0, 0.0, 36.0, (0.83, 1.0), 100.0) == pytest.approx((100 - (17**2 + 144) ** 0.5, 112))
    assert _interval_of_total(-0.1, 0.01, 100.0, (0.0, 0.2), 100.0) == pytest.approx((0, 20))


@few_rows(2)
@pytest.mark.parametrize("more", [(), ("--strata", "s", "--clusters", "c", "--fpc", "N"), ("--by", "g")])
@pytest.mark.parametrize(("answer", "printed"), [("0", 0.0), ("1", 1.0)])
def test_totals_of_equal_responses_have_a_width(cli_json, tmp_path, more, answer, printed) -> None:
    rows = [f"{answer},{2 + i % 3},{i // 12},{i // 3},40,{'AB'[i % 2]}" for i in range(48)]
    (path := tmp_path / "equal.csv").write_text("\n".join(["y,w,s,c,N,g", *rows]))
    given = ("--column", "y", "--categories", "0,1", "--mechanism", "warner:1", "--weights", "w", *more)
    for one in cli_json("estimate", str(path), *given)["rows"]:
        low, high = one["total"]["intervals"]["beta"]
        ends = [one["weight"] * end for end in one["intervals"]["beta"]]
        assert one["total"]["estimate"] == pytest.approx(printed * one["weight"])
        assert high - low >= 0.05 * one["weight"]
        assert low <= ends[0] + 1e-9
        assert high >= ends[1] - 1e-9
