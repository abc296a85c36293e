"""Invariant post-randomization: an independent linear program, published matrices, microdata, and sdcMicro's form."""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rropt
from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError
from rropt.designs.infeasible_designs import InfeasibleDesignError
from rropt.designs.pram import is_invariant, rounded_columns, sdcmicro_matrix
from rropt.objectives import Trace

SEED = 20261122


def highs_optimum(pi: np.ndarray, gamma: float) -> float:
    """Return the optimum by HiGHS of the program with row minima, written here from the definition."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    k = len(pi)
    at = np.arange(k * k).reshape(k, k)
    least = k * k + np.arange(k)
    i, j = np.divmod(np.arange(k * k), k)
    rows = np.arange(k * k)
    below = coo_array(
        (
            np.concatenate([np.ones(k * k), -np.ones(k * k), np.ones(k * k), np.full(k * k, -gamma)]),
            (
                np.concatenate([rows, rows, rows + k * k, rows + k * k]),
                np.concatenate([least[i], at[i, j], at[i, j], least[i]]),
            ),
        )
    )
    equal = np.zeros((2 * k, k * k + k))
    for row in range(k):
        equal[row, at[:, row]] = 1
        equal[k + row, at[row]] = pi
    cost = np.zeros(k * k + k)
    cost[np.diag(at)] = -pi
    found = linprog(cost, A_ub=below, b_ub=np.zeros(2 * k * k), A_eq=equal, b_eq=np.r_[np.ones(k), pi], method="highs")
    assert found.status == 0
    return float(-found.fun)


def drawn_population(rng: np.random.Generator, k: int) -> list[int]:
    """Return numbers of records with a Dirichlet(1) law, of about a million records."""
    return [max(1, round(x)) for x in 10**6 * rng.dirichlet(np.ones(k))]


@pytest.mark.slow
def test_equals_highs(size) -> None:
    rng, points = np.random.default_rng(SEED), 0
    for n in range(size(6, 100)):
        k = size(25, 40) if n == 5 else int(rng.integers(2, size(14, 41)))
        counts, gamma = drawn_population(rng, k), Fraction(int(rng.integers(11, 200)), 10)
        found = rropt.design.pram(counts, epsilon=f"log({gamma})", fast=True)
        pi = np.array(counts) / sum(counts)
        assert float(found.unchanged) == pytest.approx(highs_optimum(pi, float(gamma)), abs=1e-7)
        assert found.upper == found.unchanged
        assert is_invariant(found.mechanism, found.population)
        assert found.mechanism.parity() <= gamma
        points += 1
    print(f"{points} Dirichlet(1) populations, seed {SEED}")


def gouweleeuw(counts: list[int], theta: Fraction) -> rropt.Mechanism:
    """Return the invariant matrix of Gouweleeuw et al. (1998): p_kk = 1 - theta T_min/T_k, else equal shares."""
    k, least = len(counts), min(counts)
    stay = [1 - theta * least / n for n in counts]
    return rropt.Mechanism([[stay[j] if i == j else (1 - stay[j]) / (k - 1) for j in range(k)] for i in range(k)])


def two_stage(counts: list[int], stay: list[Fraction], alpha: Fraction) -> rropt.Mechanism:
    """Return sdcMicro's invariant matrix: a random first stage, Bayes' rule back, and a share of the identity."""
    k, n = len(counts), sum(counts)
    pi = [Fraction(x, n) for x in counts]
    first = [[stay[j] if i == j else (1 - stay[j]) / (k - 1) for j in range(k)] for i in range(k)]
    seen = [sum(first[i][j] * pi[j] for j in range(k)) for i in range(k)]
    back = [[first[i][j] * pi[j] / seen[i] for i in range(k)] for j in range(k)]
    both = [[sum(back[i][x] * first[x][j] for x in range(k)) for j in range(k)] for i in range(k)]
    return rropt.Mechanism([[alpha * both[i][j] + (1 - alpha) * (i == j) for j in range(k)] for i in range(k)])


@pytest.mark.slow
def test_never_below_a_published_matrix() -> None:
    rng, points = np.random.default_rng(SEED), 0
    for k in (2, 3, 5, 7):
        counts = [int(x) for x in rng.integers(20, 1000, k)]
        stay = [Fraction(int(x), 100) for x in rng.integers(80, 100, k)]
        published = [gouweleeuw(counts, Fraction(t, 10)) for t in (3, 5, 7)]
        published += [two_stage(counts, stay, Fraction(a, 10)) for a in (5, 10)]
        for matrix in published:
            pi = [Fraction(x, sum(counts)) for x in counts]
            assert is_invariant(matrix, pi)
            found = rropt.design.pram(counts, epsilon=matrix.epsilon, fast=True)
            assert found.unchanged >= Trace(pi).value(matrix, ())
            points += 1
    assert points == 20


@pytest.mark.parametrize(
    "asked",
    [
        {"delta": "1/10"},
        {"level": rropt.privacy.metric("line", "log(3)"), "epsilon": None},
        {"bounds": "1/50..1"},
        {"bounds": {"diagonal": ["7/10", "1/2", "1/4"]}},
    ],
)
def test_other_regions_and_bounds(asked: dict[str, Any]) -> None:
    found = rropt.design.pram(
        ["1/2", "1/3", "1/6"], fast=True, **({} if "level" in asked else {"epsilon": "log(3)"}), **asked
    )
    plain = rropt.design.pram(["1/2", "1/3", "1/6"], epsilon="log(3)", fast=True).unchanged
    assert found.problem.region.contains(found.mechanism)
    assert is_invariant(found.mechanism, found.population)
    assert (found.unchanged > plain) if {"delta", "level"} & set(asked) else (found.unchanged <= plain)
    assert type(found).from_dict(found.to_dict()) == found


def test_forbidden_cells() -> None:
    found = rropt.design.pram([2, 50, 48], epsilon=1, delta="1/10", bounds={"forbidden": [[0, 2]]}, fast=True)
    assert found.mechanism[0, 2] == 0
    assert found.mechanism.delta(1) <= Fraction(1, 10)
    free = rropt.design.pram([2, 50, 48], epsilon=1, delta="1/10", fast=True)
    assert found.unchanged <= free.unchanged
    for pairs, said in ([[[0, 9]], "outside"], [[[0, 2]], "breaks privacy"]):
        with pytest.raises(InvalidParameterError, match=said):
            rropt.design.pram([2, 50, 48], epsilon=1, bounds={"forbidden": pairs}, fast=True)
    with pytest.raises(InfeasibleDesignError) as refused:
        rropt.design.pram(["1/2", "1/4", "1/4"], epsilon=1, delta="1/10", bounds={"forbidden": [[0, 2]]}, fast=True)
    assert refused.value.certificate.check()


def test_irrational_levels_are_bracketed() -> None:
    found = rropt.design.pram([5, 3, 2, 7], epsilon=1, fast=True)
    assert found.unchanged < found.upper < found.unchanged + Fraction(1, 10**11)
    assert ", within" in dict(found.lines())["records unchanged"]
    rare = rropt.design.pram([10**11, 1], epsilon=1, fast=True)
    assert dict(rare.lines())["records unchanged"].startswith("0.99999999998, within")  # not 1
    assert found.bound_certificate is not None
    assert found.bound_certificate.check()
    record = found.to_dict()
    for key, value in [("unchanged", "1"), ("upper", "1"), ("bound_certificate", None), ("mechanism", "grr:4,1/2")]:
        with pytest.raises((FileFormatError, InvalidParameterError)):
            type(found).from_dict({**record, key: value})


@pytest.mark.parametrize(
    "asked",
    [
        {"epsilon": 1},
        {"epsilon": "log(7/3)"},
        {"epsilon": 0},
        {"epsilon": 9},
        {"epsilon": 1, "delta": "1/10", "bounds": {"forbidden": [[0, 2]]}},
    ],
)
def test_the_matrix_for_sdcmicro(asked: dict[str, Any]) -> None:
    """Rows sum to 1 exactly in floats, as sdcMicro wants within 2^-52, and the matrix is private as it is read."""
    found = rropt.design.pram([2, 50, 48], fast=True, **asked)
    text = sdcmicro_matrix(found, ["a b", 'q"\\', "é"])
    numbers = [float(x) for x in re.findall(r"\d+", text.partition("c(\n")[2].partition(")")[0])]
    rows = np.array(numbers).reshape(3, 3) / float(re.search(r"\) / (\d+)\n", text)[1])  # type: ignore[index]
    assert (rows.sum(axis=1) == 1).all()
    assert (rows >= 0).all()
    columns = [[Fraction(float(x)) for x in row] for row in rows]
    assert columns == [[Fraction(x, 2**50) for x in column] for column in rounded_columns(found)]
    read = rropt.Mechanism([list(row) for row in zip(*columns, strict=True)])
    assert read.delta(asked["epsilon"]) <= Fraction(asked.get("delta", 0))
    moved = [sum(p * x for p, x in zip(row, found.population, strict=True)) for row in read.matrix]
    assert max(abs(x - y) for x, y in zip(moved, found.population, strict=True)) < Fraction(1, 2**48)
    assert 'c("a b", "q\\U{22}\\U{5c}", "\\U{e9}")' in text


def test_microdata(cli, tmp_path: Path) -> None:
    """The command's mechanism, applied to a file by the exact sampler, keeps the table in the mean."""
    data, mechanism, out = tmp_path / "data.csv", tmp_path / "pram.json", tmp_path / "out.csv"
    true = ["a"] * 5100 + ["b"] * 3200 + ["c"] * 1700
    data.write_text("x\n" + "\n".join(true) + "\n")
    words = ["design", "pram", "--counts", "5100,3200,1700", "--gamma", "3", "--output", str(mechanism), "--json"]
    status, text, _ = cli(*words)
    found = json.loads(text)
    assert status == 0
    words = ["--column", "x", "--categories", "a,b,c", "--simulate", "--seed", "5", "--keep-order"]
    assert cli("randomize", str(data), "--mechanism", str(mechanism), *words, "--output", str(out))[0] == 0
    released = out.read_text().split()[1:]
    table, same = Counter(released), sum(x == y for x, y in zip(true, released, strict=True))
    for name, n in Counter(true).items():
        assert abs(table[name] - n) < 5 * 100 * 0.7
    assert abs(same / 10_000 - float(Fraction(found["unchanged"]))) < 0.025


def test_infeasible_bounds(cli, tmp_path: Path) -> None:
    proof = tmp_path / "p.json"
    (tmp_path / "b.json").write_text('{"diagonal": "9/10"}')
    words = [
        "design",
        "pram",
        "--counts",
        "3,4,5",
        "--epsilon",
        "1",
        "--bounds",
        str(tmp_path / "b.json"),
        "--certificate",
        str(proof),
    ]
    assert cli(*words)[0] == 1
    assert rropt.check(proof.read_text())
    assert json.loads(cli(*words, "--json")[1])["infeasible"] is True
    with pytest.raises(UnsupportedProblemError, match="too many"):
        rropt.design.pram([1] * 61, epsilon=1, fast=True)
    with pytest.raises(UnsupportedProblemError, match="too many"):
        rropt.design.pram([1] * 20, epsilon=1, delta="1/10", fast=True)
