"""Estimates from responses that are sets: a left inverse in closed form, against SymPy and a count of members."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from few_rows import few_rows

import rropt
from rropt.core.errors import FileFormatError
from rropt.estimates.counted_estimates import estimates_of_counts
from rropt.inference.count_estimates import estimate
from rropt.mechanisms import Mechanism
from rropt.mechanisms import left_inverse as inverses
from rropt.mechanisms.families import Affine, AllSubsets, BlockMechanism

UNEQUAL = BlockMechanism(Affine(6, 7, 3, 1), "5/2")  # six of the seven points of a design: sets of two sizes


def _weighted_inverse(mechanism: Mechanism, reference: list[Fraction]) -> list[list[Fraction]]:
    """Solve the normal equations ``(P^T D^-1 P) A = P^T D^-1`` by SymPy."""
    from sympy import Matrix, Rational, diag

    p = Matrix([[Rational(str(x)) for x in row] for row in mechanism.matrix])
    weights = diag(*[1 / x for x in p * Matrix([Rational(str(x)) for x in reference])])
    found = (p.T * weights * p).LUsolve(p.T * weights)
    return [[Fraction(str(found[x, i])) for i in range(found.cols)] for x in range(found.rows)]


@few_rows(2)
@pytest.mark.parametrize(
    "mechanism",
    [
        BlockMechanism(AllSubsets(4, 2), 3),
        BlockMechanism(AllSubsets(5, 3), "7/5"),
        BlockMechanism(Affine(7, 7, 3, 1), 2),
        UNEQUAL,
        Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]),
        Mechanism([["1/2", 0, 0], [0, "1/2", 0], [0, 0, "1/2"], ["1/2", "1/2", "1/2"]]),
    ],
    ids=["pairs", "triples", "affine", "unequal", "warner", "revealed"],
)
def test_the_closed_form_is_the_least_left_inverse(mechanism):
    k = mechanism.inputs
    for reference in ([Fraction(1, k)] * k, [Fraction(2 * j + 1, k * k) for j in range(k)]):
        assert [list(row) for row in inverses.left_inverse(mechanism, reference)] == _weighted_inverse(
            mechanism, reference
        )


def test_a_large_design_of_unequal_sets_counts_memberships(monkeypatch):
    monkeypatch.setattr(inverses, "_MOST_WEIGHTED", 0)
    counts = [3 * i % 11 for i in range(UNEQUAL.outputs)]
    found = estimate(UNEQUAL, counts)
    held = [sum(n for i, n in enumerate(counts) if x in UNEQUAL.members(i)) for x in range(6)]
    p, m = UNEQUAL.hit, UNEQUAL.miss
    assert list(found.estimate) == [(Fraction(c, sum(counts)) - m) / (p - m) for c in held]
    assert any("counts the responses that contain each category" in told for told in found.remarks())
    for x, row in enumerate(found.estimator):  # unbiased: A P = I
        columns = zip(*UNEQUAL.matrix, strict=True)
        assert [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] == [
            Fraction(x == y) for y in range(6)
        ]


def test_the_remark_is_of_large_designs_of_unequal_sets_alone():
    for mechanism in (UNEQUAL, BlockMechanism(AllSubsets(4, 2), 3)):
        told = estimate(mechanism, [1] * mechanism.outputs).remarks()
        assert not any("contain each category" in each for each in told)


def test_a_design_of_many_sets_is_estimated_from_its_matrix():
    """100 categories and 2 525 sets: the exact inverse with weights took 40 s."""
    from rropt.mechanisms.families import Blocks

    blocks = {"family": "affine-classes", "categories": "100", "q": "101", "index": "25", "cosets": "7", "zero": "0"}
    mechanism = BlockMechanism(Blocks.from_dict(blocks), "27/10")
    rows = inverses.left_inverse(mechanism, [Fraction(1, 100)] * 100)
    assert len({value for row in rows[:3] for value in row}) == 2
    column = [row[7] for row in mechanism.matrix]
    assert [sum(a * b for a, b in zip(rows[x], column, strict=True)) for x in (6, 7)] == [0, 1]


def test_a_file_with_names_of_categories_is_estimated_by_name(cli, tmp_path):
    names = ["tea", "coffee", "milk", "juice", "water", "wine"]
    (tmp_path / "design.json").write_text(UNEQUAL.labelled(names).to_json())
    (tmp_path / "answers.csv").write_text("\n".join(["drink", *(str(3 * i % UNEQUAL.outputs) for i in range(60))]))
    given = ["--column", "drink", "--mechanism", str(tmp_path / "design.json"), "--output", str(tmp_path / "out.csv")]
    status, out, _ = cli("estimate", str(tmp_path / "answers.csv"), *given)
    assert status == 0
    assert all(name in out for name in names)
    with (tmp_path / "out.csv").open() as file:
        assert [row["category"] for row in csv.DictReader(file)] == names


def test_memberships_have_a_table_a_sentence_and_the_nearest_distribution(rng):
    from rropt_fieldwork.counts import estimate_counts
    from rropt_fieldwork.counts.membership_estimates import nearest_distribution
    from rropt_fieldwork.from_tables.counted_responses import count

    names = ["tea", "coffee", "milk", "juice", "water", "wine"]
    counts = count([rng.randrange(UNEQUAL.outputs) for _ in range(400)], UNEQUAL.labelled(names), shard="a")
    found = estimate_counts(counts)
    nearest = nearest_distribution(found.params).tolist()
    assert min(nearest) >= 0
    assert sum(nearest) == pytest.approx(1, abs=1e-12)  # six sums of doubles
    gaps = [float(value) - near for value, near in zip(found.params, nearest, strict=True)]
    assert all(gap == pytest.approx(max(gaps), abs=1e-12) for gap, near in zip(gaps, nearest, strict=True) if near)
    frame = found.to_frame()
    assert list(frame["category"]) == names
    largest = max(range(6), key=lambda x: found.params[x])
    assert found.concluded().startswith(f"The largest estimate is that of {names[largest]}: about ")
    title, header, rows = found.as_tables()[0]
    assert (title, len(rows), header[-1]) == ("", 6, "95 % interval")
    assert list(counts.to_frame()["category"]) == names
    assert nearest_distribution(np.array([0.25, 0.75])).tolist() == [0.25, 0.75]
    assert nearest_distribution(np.array([-3.0, -3.0])).tolist() == [0.5, 0.5]


def test_the_covariance_of_memberships_is_that_of_the_left_inverse(monkeypatch):
    monkeypatch.setattr(inverses, "_MOST_WEIGHTED", 0)
    counts = [3 * i % 11 for i in range(UNEQUAL.outputs)]
    found, n = estimate(UNEQUAL, counts), sum(counts)
    expected = [
        [
            sum(a * b * Fraction(c, n) for a, b, c in zip(one, other, counts, strict=True)) / n - x * y / n
            for other, y in zip(found.estimator, found.estimate, strict=True)
        ]
        for one, x in zip(found.estimator, found.estimate, strict=True)
    ]
    assert [list(row) for row in found.covariance()] == expected
    for x in range(6):
        assert found.variance([Fraction(x == y) for y in range(6)]) == expected[x][x]


@pytest.mark.parametrize("mechanism", [UNEQUAL, BlockMechanism(AllSubsets(5, 2), 3), Mechanism("grr:6,3/4")])
def test_large_matrices_of_an_estimate_are_stated_by_how_they_are_computed(monkeypatch, mechanism):
    from rropt.inference import count_estimates as estimates

    monkeypatch.setattr(estimates, "MAX_WRITTEN_ENTRIES", 8)
    monkeypatch.setattr(inverses, "_MOST_WEIGHTED", 0)
    counts = [3 * i % 11 for i in range(mechanism.outputs)]
    found = estimate(mechanism, counts)
    estimator, rows = found.to_dict()["estimator"], found.estimator
    assert {value for row in rows for value in row} == {Fraction(estimator["inside"]), Fraction(estimator["outside"])}
    inside = [row == max(column) for column in mechanism.matrix for row in column]
    written = [Fraction(estimator["inside" if held else "outside"]) for held in inside]
    assert [value for column in zip(*rows, strict=True) for value in column] == written
    whole = estimates.Estimate.from_json(found.to_json())
    assert whole == found


@pytest.mark.parametrize("mechanism", [UNEQUAL, BlockMechanism(AllSubsets(5, 2), 3), Mechanism("grr:6,3/4")])
def test_the_covariance_of_a_file_is_that_of_its_counts(mechanism):
    found = estimates_of_counts(estimate(mechanism, [3 * i % 11 for i in range(mechanism.outputs)]))
    record = found.to_dict()
    assert len(record["rows"]) == mechanism.inputs
    assert [[Fraction(x) for x in row] for row in record["covariance"]] == [*map(list, found.counted.covariance())]
    again = type(found).from_json(found.to_json())
    assert again == found
    assert again.cov_params().tolist() == found.cov_params().tolist()
    forged = {**record, "counts": [n + 1 for n in record["counts"]]}
    with pytest.raises(FileFormatError, match="do not follow from the counts"):
        type(found).from_dict(forged)


@pytest.mark.slow
def test_the_results_of_a_design_of_blocks_name_the_blocks(cli, tmp_path):
    """Its matrix, once for the estimate and once for each group, made files of 68 MB that no command read."""

    import rropt

    mechanism = BlockMechanism(AllSubsets(10, 3), 3)  # 120 sets: 1 200 entries
    (tmp_path / "design.json").write_text(mechanism.to_json())
    lines = [f"{i * i % mechanism.outputs},{'ab'[i % 2]},{i}" for i in range(80)]
    (tmp_path / "answers.csv").write_text("\n".join(["item,region,w", *lines]))
    for more in ([], ["--by", "region"], ["--weights", "w"]):
        given = ["--column", "item", "--mechanism", str(tmp_path / "design.json"), "--json", *more]
        status, out, _ = cli("estimate", str(tmp_path / "answers.csv"), *given)
        assert status == 0
        record = json.loads(out)
        stated = record.get("mechanism") or record.get("mechanisms") or record["question"]["mechanism"]
        assert '"matrix"' not in json.dumps([stated, record.get("mechanism_read")]), more
        (tmp_path / "estimate.json").write_text(out)
        read = rropt.load(tmp_path / "estimate.json")
        assert read.remarks() == tuple(record["remarks"])


@pytest.mark.parametrize("names", ["0123", "abcd"])
def test_sets_of_all_but_one_category_name_the_categories(names, tmp_path, cli):
    """As many outputs as categories: an output such as 0&1&2 is no category, in any form of data."""
    chosen = [*combinations(names, 3), *combinations(names, 3)][:7]
    texts, group = ["&".join(one) for one in chosen] * 4, ["n", "s"] * 14
    labels = None if names == "0123" else list(names)
    inverse = np.linalg.inv(np.array(Mechanism("subset:4,3,9/10").matrix, float))
    shares = inverse @ np.bincount([[*combinations(names, 3)].index(tuple(one.split("&"))) for one in texts]) / 28
    written = ["&".join(one) for one in combinations(names, 3)]
    for more in ({"labels": labels}, {"labels": written, "categories": list(names)}):
        told = rropt.Responses(texts, "subset:4,3,9/10", **more)
        assert [one.name for one in told.proportions()] == list(names)
        assert [float(one.estimate) for one in told.proportions()] == pytest.approx(shares)
        assert {one.category for one in told.proportions(group)} == set(names)
    path = tmp_path / "sets.csv"
    path.write_text("\n".join(["q,g,w", *(f"{q},{g},1" for q, g in zip(texts, group, strict=True))]), "utf-8")
    words = ["estimate", str(path), "--column", "q", "--mechanism", "subset:4,3,9/10", "--json"]
    words += ["--categories", ",".join(names)] if labels else []
    for options in ([], ["--by", "g"], ["--weights", "w"], ["--weights", "w", "--by", "g"]):
        status, out, err = cli(*words, *options)
        assert status == 0, err
        found = json.loads(out)
        rows = found.get("overall", found["rows"])
        assert [one["category"] for one in rows] == list(names)
        assert [float(Fraction(one["estimate"])) for one in rows] == pytest.approx(shares)
    status, out, err = cli("regress", *words[1:2], "--formula", "q ~ 1", "--model", "multinomial", *words[4:])
    assert status == 0, err
    assert [one["name"] for one in json.loads(out)["rows"]] == [f"{one}: Intercept" for one in names[1:]]


def test_a_distribution_of_a_file_needs_no_search(monkeypatch):
    """Its floats depend on the computer: a file with 200 categories was refused where sums have another order."""

    from rropt.core.errors import FileFormatError
    from rropt.inference import likelihood
    from rropt.inference.count_estimates import Estimate

    found = estimate(UNEQUAL, [3 * i % 11 for i in range(UNEQUAL.outputs)])
    assert found.likelihood_gap
    record = found.to_dict()
    shares = [Fraction(x) for x in record["constrained_estimate"]]
    other = [shares[0] + Fraction(1, 10**15), shares[1] - Fraction(1, 10**15), *shares[2:]]  # another computer's
    gap = likelihood.likelihood_gap(UNEQUAL, found.counts, other)
    moved = record | {"constrained_estimate": [*map(str, other)], "likelihood_gap": str(gap), "remarks": []}
    monkeypatch.setattr(likelihood, "proposal", None)  # the search
    del moved["decimals"], moved["remarks"]
    read = Estimate.from_json(json.dumps(moved))
    assert (list(read.constrained_estimate), read.likelihood_gap) == (other, gap)
    monkeypatch.undo()
    far = [shares[0] + Fraction(1, 100), shares[1] - Fraction(1, 100), *shares[2:]]
    gap = likelihood.likelihood_gap(UNEQUAL, found.counts, far)
    for stated in (str(gap), str(found.likelihood_gap)):
        with pytest.raises(FileFormatError, match="differs from the recomputed result"):
            Estimate.from_dict(moved | {"constrained_estimate": [*map(str, far)], "likelihood_gap": stated})
    with pytest.raises(FileFormatError, match="differs from the recomputed result"):
        Estimate.from_dict(moved | {"likelihood_gap": "0"})
