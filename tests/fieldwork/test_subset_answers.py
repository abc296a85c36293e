"""Answers that are subsets of the categories: against the mechanism written out, and from a design to estimates."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from few_rows import few_rows
from table_calls import estimate_table

import rropt
import rropt_fieldwork
from rropt import Responses
from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt.inference.subset_estimates import SubsetAnswers, subset_shares
from rropt.mechanisms import BlockMechanism, Mechanism, OrbitMechanism
from rropt.mechanisms.families.blocks import AllSubsets
from rropt.mechanisms.sampling import randomize_many, simulate_many
from rropt.mechanisms.subsets import Subsets
from rropt_fieldwork.randomizing.randomized_tables import randomizing_of
from rropt_fieldwork.reading.counting import CountRequest

F = Fraction
K = 12
NAMES = [f"job {j}" for j in range(K)]


@cache
def mechanisms() -> list[OrbitMechanism]:
    """Return subset selection, and designs of several orbits over several groups."""
    made = [OrbitMechanism.subset_selection(5, 2, 3), OrbitMechanism.subset_selection(6, 3, F(7, 3))]
    for groups, parts, epsilon in (([2, 3], [5, 1], "1"), ([1, 4], [3, 2], "1/2"), ([1, 1, 3], [9, 4, 1], "2")):
        total = sum(n * p for n, p in zip(groups, parts, strict=True))
        shares = [F(p, total) for n, p in zip(groups, parts, strict=True) for _ in range(n)]
        from rropt.designs.group_designs import GROUPS

        posed = rropt.Problem.kary(epsilon=epsilon, objective="a-optimal", population=shares)
        route = next(route for route in GROUPS if route.name == "exact")
        mechanism = route.solve(posed, posed.region.bracket(40)).mechanism
        assert isinstance(mechanism, OrbitMechanism)
        made.append(mechanism)
    return made


@few_rows(4)
@pytest.mark.parametrize("which", range(5))
def test_answers_are_the_places_of_the_larger_entries(which: int) -> None:
    mechanism = mechanisms()[which]
    subsets = Subsets.of(mechanism)
    assert subsets is not None
    met = set()
    for i in range(mechanism.outputs):
        row = mechanism.row(i)
        chosen = tuple(j for j, p in enumerate(row) if p == max(row))
        assert subsets[i] == chosen
        assert subsets.orbit_of(chosen) == mechanism.arrangement(i)[0]
        met.add(chosen)
        for names in (None, tuple("abcdef"[: mechanism.inputs])):
            text = randomizing_of(mechanism, CountRequest(("q",), (names,))).texts[0]
            assert text is not None
            assert text(i) == "&".join(names[j] if names else str(j) for j in chosen)
    assert len(met) == mechanism.outputs
    every = [c for r in range(mechanism.inputs + 1) for c in combinations(range(mechanism.inputs), r)]
    assert {c for c in every if subsets.orbit_of(c) is not None} == met


def test_what_has_no_subsets() -> None:
    alike = OrbitMechanism([3], [[[("1/8", 1), ("1/4", 1), ("1/8", 1)]]])
    three = OrbitMechanism([3], [[[("1/12", 1), ("1/6", 1), ("1/4", 1)]]])
    twice = OrbitMechanism([3], [[[("1/8", 2), ("1/4", 1)]], [[("1/8", 2), ("1/4", 1)]]])
    named = [OrbitMechanism.subset_selection(4, d, 3) for d in (1, 3)]  # as many answers as categories
    for mechanism in (alike, three, twice, *named, Mechanism([["1/2", "1/3"], ["1/2", "2/3"]])):
        assert Subsets.of(mechanism) is None


@few_rows(1)
@pytest.mark.parametrize("which", range(5))
def test_estimates_are_those_of_the_matrix_written_out(which: int, rng: random.Random) -> None:
    """Exactly, at the uniform and at another reference; and so are intervals, samples and tests of two groups."""
    mechanism = mechanisms()[which]
    subsets = Subsets.of(mechanism)
    assert subsets is not None
    whole = Mechanism([mechanism.row(i) for i in range(mechanism.outputs)])
    weights = [rng.randint(1, 9) for _ in mechanism.groups]
    other = [F(w, sum(x * n for x, n in zip(weights, mechanism.groups, strict=True))) for w, n in
             zip(weights, mechanism.groups, strict=True) for _ in range(n)]  # fmt: skip
    for reference in (None, other):
        counts = [rng.choice((0, 1, rng.randint(0, 40))) for _ in range(whole.outputs)]
        counts[0] += 1
        found = rropt.inference.estimate(whole, counts, reference=reference)
        given = SubsetAnswers.of(subsets, {subsets[i]: n for i, n in enumerate(counts) if n})
        assert given.n == sum(counts)
        shares = subset_shares(given, reference)
        assert tuple(share.estimate for share in shares) == found.estimate
        for j, share in enumerate(shares):
            unit = [F(int(i == j)) for i in range(whole.inputs)]
            assert share.variance == found.variance(unit)
            row = found.weights(unit)
            assert share.square == float(max(row) - min(row)) ** 2 / share.n
    both = {name: [rng.randint(0, 30) for _ in range(whole.outputs)] for name in ("here", "there")}
    outputs = [i for c in both.values() for i, n in enumerate(c) for _ in range(n)]
    region = np.array([name for name, c in both.items() for _ in range(sum(c))], object)
    texts = np.array(["&".join(map(str, subsets[i])) for i in outputs], object)
    dense, sparse = (
        Responses(values, one).proportions(region) for values, one in ((np.array(outputs), whole), (texts, mechanism))
    )
    for a, b in zip(dense, sparse, strict=True):
        assert (a.group, a.n, a.estimate, a.se, a.kinds) == (b.group, b.n, b.estimate, b.se, b.kinds)
        assert a.device_se == pytest.approx(b.device_se, rel=1e-12)
        for kind, confidence in product(a.kinds, ("0.95", "0.99")):
            one, other = ([*each.conf_int(kind=kind, confidence=confidence)] for each in (a, b))
            assert [*map(float, one)] == pytest.approx([*map(float, other)], abs=1e-12)
    assert (dense.cov_params() == sparse.cov_params()).all()
    for one, two in zip(dense.compared(), sparse.compared(), strict=True):
        assert one.differences[0].p == pytest.approx(two.differences[0].p, abs=1e-9)


def survey(path: Path, k: int, n: int, seed: int) -> list[int]:
    """Write true answers, some jobs more frequent than others; return how often each stands there."""
    rng = random.Random(seed)
    jobs = [min(k - 1, int(rng.expovariate(3 / k))) for _ in range(n)]
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "region", "job"])
        rows.writerows([i, "north" if i % 3 else "south", f"job {job}"] for i, job in enumerate(jobs))
    return [jobs.count(j) for j in range(k)]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_from_a_design_to_estimates(
    suffix: str, cli: Callable[..., tuple], cli_json: Callable[..., dict], tmp_path: Path
) -> None:
    """Of thirty categories and 142 506 answers: within six standard errors of the truth, by groups too."""
    k, truth, private = 30, tmp_path / "truth.csv", tmp_path / f"private.{suffix}"
    design, names = tmp_path / "design.json", ",".join(f"job {j}" for j in range(k))
    counts = survey(truth, k, 300, 3)
    options = ("-k", str(k), "--objective", "a-optimal", "--epsilon", "log(5)", "--output", str(design))
    assert cli("design", "kary", *options)[0] == 0
    asked = ("--column", "job", "--categories", names, "--mechanism", str(design))
    drawn = ("--keep", "region", "--simulate", "--seed", "5", "--output", str(private))
    assert cli("randomize", str(truth), *asked, *drawn)[0] == 0
    data = cli_json("estimate", str(private), *asked)
    shares = data["rows"]
    assert shares[3]["category"] == "job 3"
    assert sum(F(share["estimate"]) for share in shares) == 1
    for share, n in zip(shares, counts, strict=True):
        assert abs(float(F(share["estimate"])) - n / 300) < 6 * share["se"]
        low, high = map(F, share["intervals"]["exact"])
        assert low <= max(F(share["estimate"]), 0) <= high
    grouped = cli_json("estimate", str(private), *asked, "--by", "region")["rows"]
    assert [one["n"] for one in grouped[::k]] == [200, 100]
    status, out, _ = cli("estimate", str(private), *asked)
    assert status == 0
    assert out.count("job ") == k


def test_hundreds_of_categories_have_answers_of_many_digits() -> None:
    """The answers are Python's integers; the same seed gives the same ones."""
    mechanism = OrbitMechanism.subset_selection(128, 34, 3)
    drawn = simulate_many([0, 5, 127], mechanism, rng=3)
    assert drawn.tolist() == simulate_many([0, 5, 127], mechanism, rng=3).tolist()
    assert all(0 <= i < mechanism.outputs for i in drawn.tolist())
    assert max(drawn.tolist()) > 2**63
    subsets = Subsets.of(mechanism)
    assert subsets is not None
    assert {len(subsets[i]) for i in randomize_many([1] * 5, mechanism).tolist()} == {34}


TABLE = OrbitMechanism.subset_selection(K, 3, 5)
GOOD = "job 1&job 2&job 7"
WRONG = {
    "a stranger": "job 1&job 2&farmer",
    "a number": "1&2&7",
    "out of range": "job 1&job 2&job 12",
    "too few": "job 1&job 2",
    "too many": "job 1&job 2&job 3&job 4",
    "twice": "job 1&job 2&job 2",
    "an empty place": "job 1&job 2&",
    "other signs": "job 1|job 2|job 7",
}


@few_rows(2)
@pytest.mark.parametrize("name", sorted(WRONG))
def test_bad_answers_are_told_by_their_lines(
    name: str, cli: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    data, design = tmp_path / "answers.csv", tmp_path / "design.json"
    design.write_text(json.dumps(TABLE.to_dict()))
    data.write_text(f"q\n{GOOD}\njob 7 & job 1& job 2\n{WRONG[name]}\n{GOOD}\n")
    options = ("--column", "q", "--categories", ",".join(NAMES), "--mechanism", str(design))
    status, out, error = cli("estimate", str(data), *options)
    assert (status, out) == (2, "")
    assert len(error.strip().splitlines()) == 1
    assert "line 4" in error
    assert WRONG[name] not in error
    data.write_text(f"q\n{GOOD}\njob 7 & job 1& job 2\n{GOOD}\n")
    done = cli("estimate", str(data), *options)
    assert done[0] == 0
    assert cli("estimate", str(data), "--columns", *options[1:]) == done
    status, out, error = cli("estimate", str(data), *options[2:])
    assert (status, out) == (2, "")
    assert "give --column" in error


@pytest.mark.slow
def test_missing_answers_numbers_and_what_is_refused(tmp_path: Path) -> None:
    table = {
        "q": np.array(["1&2&7", "", "0&1&2", "9&10&11"], object),
        "w": np.ones(4),
        "r": np.array(["a", "b", "a", "a"], object),
    }
    found = estimate_table(table, "q", TABLE)
    assert found[1].n == 3
    assert len(found) == K
    assert "1 missing answer was left out" in " ".join(found.remarks())
    by = estimate_table(table, "q", TABLE, by="r")
    assert [one.n for one in by] == [3] * K
    assert estimate_table(table, "q", TABLE, reference=[F(1, K)] * K) == found
    uneven = [F(1, 2), *[F(1, 2 * (K - 1))] * (K - 1)]
    with pytest.raises(InvalidParameterError, match="inside a group"):
        estimate_table(table, "q", TABLE, reference=uneven)
    with pytest.raises(InvalidParameterError, match="reference is for answers that are subsets"):
        estimate_table(table, "q", "warner:3/4", reference=[F(1, 2)] * 2)
    with pytest.raises(InvalidParameterError, match="each answer a subset"):
        estimate_table(table, "q", TABLE, categories=["a", "b"])
    with pytest.raises(rropt.RroptError, match="complex survey"):
        estimate_table(table, "q", TABLE, weights="w")


def test_names_with_the_sign_between_are_refused(cli: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    data, design = tmp_path / "answers.csv", tmp_path / "design.json"
    design.write_text(json.dumps(TABLE.to_dict()))
    names = ",".join([*NAMES[:-1], "food & drink"])
    data.write_text("q\njob 1\n")
    options = ("--column", "q", "--categories", names, "--mechanism", str(design))
    status, out, error = cli("randomize", str(data), *options)
    assert (status, out) == (2, "")
    assert "food & drink" in error
    status, out, _ = cli("randomize", str(data), *options, "--output-names", ",".join(map(str, range(TABLE.outputs))))
    assert status == 0
    assert out.splitlines()[1].isdigit()


def test_a_mechanism_of_sets_takes_no_names_with_the_sign_between(
    cli: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    """A design, a mechanism in Python, a file, and an estimate refuse the name; outputs that are no sets accept it."""
    names, way_out = ["food & drink", "b", "c", "d", "e"], "write another sign or a word"
    sets = OrbitMechanism.subset_selection(5, 2, 3)
    for made in (sets, BlockMechanism(AllSubsets(5, 2), 3)):
        for bad in (
            lambda made=made: made.labelled(names),
            lambda made=made: Mechanism.from_dict({**made.to_dict(), "categories": names}),
        ):
            with pytest.raises(InvalidParameterError, match=f"'food & drink'.*{way_out}"):
                bad()
    with pytest.raises(InvalidParameterError, match=way_out):
        estimate_table({"q": ["b&c"]}, "q", sets, categories=names)
    for fits in (
        Mechanism(sets.matrix),
        Mechanism("grr:5,1/2"),
        OrbitMechanism.subset_selection(5, 4, 3),
    ):
        assert fits.labelled(names).categories == tuple(names)
    assert sets.labelled(names, [f"set {i}" for i in range(10)]).categories == tuple(names)
    listed, design = ",".join([*names, *map(str, range(195))]), tmp_path / "design.json"
    asked = ("design", "kary", "-k", "200", "--epsilon", "1", "--objective", "a-optimal", "--fast")
    status, out, error = cli(*asked, "--output", str(design), "--categories", listed)
    assert (status, out, design.exists()) == (2, "", False)
    assert way_out in error


def test_as_many_answers_as_categories_are_named_by_them(cli: Callable[..., tuple], tmp_path: Path) -> None:
    """What `randomize` writes of subsets of all but one category `estimate` reads, by numbers and by names."""
    data, design, private = (tmp_path / name for name in ("answers.csv", "design.json", "private.csv"))
    design.write_text(json.dumps(OrbitMechanism.subset_selection(4, 3, 5).to_dict()))
    for names in ([], ["a", "b", "c", "d"]):
        data.write_text("q\n" + "\n".join(names * 9 or map(str, [*range(4)] * 9)) + "\n")
        asked = ("--column", "q", "--mechanism", str(design), *(["--categories", ",".join(names)] if names else []))
        assert cli("randomize", str(data), *asked, "--output", str(private))[0] == 0
        assert cli("estimate", str(private), *asked)[0] == 0


def test_categories_may_be_one_text() -> None:
    table = {"q": np.array(["a&b", "b&c", "c&d"], object)}
    found = estimate_table(table, "q", OrbitMechanism.subset_selection(5, 2, 3), categories="a,b,c,d,e")
    assert [one.category for one in found] == list("abcde")


def test_a_wrong_set_names_the_categories() -> None:
    data, names = {"set": np.array(["0&7", "1&2"], object)}, [f"c{i}" for i in range(40)]
    with pytest.raises(FileFormatError, match=r"allowed are the subsets of '0, 1, 2, .* that the mechanism reports"):
        rropt_fieldwork.TableResponses("set", "subset:40,20,3/5", data=data).estimate()
    with pytest.raises(FileFormatError, match=r"allowed are the subsets of 'c0, c1, c2, "):
        rropt_fieldwork.TableResponses("set", "subset:40,20,3/5", data=data, categories=names).estimate()
