"""Repair: exactly private, exactly stochastic, as near as an independent program says, with a certificate."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from later import later

import rropt
from rropt.core.exact import Epsilon
from rropt.designs.repairs import repair
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import load_raw_matrix

linprog = later("scipy.optimize", "linprog")

F = Fraction
QIF = Path(__file__).parent.parent / "mechanisms" / "data" / "qif_distance_k20.csv"


def _floats(rng: random.Random, m: int, k: int) -> np.ndarray:
    matrix = np.array([[rng.choice([0, 0.2, 1, 1, 2, 5]) + rng.random() / 50 for _ in range(k)] for _ in range(m)])
    return matrix / matrix.sum(axis=0)


def _float_loss(matrix: np.ndarray, gamma: float, norm: str) -> float:
    """The same distance by scipy, with a row for every pair of inputs."""
    m, k = matrix.shape
    changes = 1 if norm == "max" else m * k
    n = m * k + changes
    rows, bounds = [], []

    def add(terms: dict[int, float], bound: float) -> None:
        row = np.zeros(n)
        for column, value in terms.items():
            row[column] += value
        rows.append(row)
        bounds.append(bound)

    for i in range(m):
        for j in range(k):
            p, s = i * k + j, m * k + (0 if norm == "max" else i * k + j)
            add({p: 1, s: -1}, matrix[i, j])
            add({p: -1, s: -1}, -matrix[i, j])
            for other in range(k):
                if other != j:
                    add({p: 1, i * k + other: -gamma}, 0)
    equal = np.zeros((k, n))
    for j in range(k):
        equal[j, [i * k + j for i in range(m)]] = 1
    cost = np.zeros(n)
    cost[m * k :] = 1
    return float(linprog(cost, np.array(rows), bounds, equal, np.ones(k)).fun)


@pytest.mark.slow
def test_against_an_independent_program(rng: random.Random, size: Callable[[int, int], int]) -> None:
    points = 0
    for _ in range(size(25, 400)):
        m, k = rng.randint(2, 5), rng.randint(2, 5)
        level = rng.choice(["log(2)", "log(5/4)", "1/2", "1", "1/2*log(3)", 0])
        norm = rng.choice(["max", "l1"])
        matrix = _floats(rng, m, k)
        fixed = repair(matrix, level, norm=norm, fast=True)
        assert fixed.region.contains(fixed.mechanism)
        assert fixed.certificate.check()
        assert 0 <= fixed.loss - fixed.lower < F(1, 10**12)
        exact = sum(sum(abs(x - y) for x, y in zip(a, b, strict=True)) for a, b in _rows(fixed))
        largest = max(max(abs(x - y) for x, y in zip(a, b, strict=True)) for a, b in _rows(fixed))
        assert fixed.loss == (largest if norm == "max" else exact)
        gamma = float(np.exp(float(Epsilon.of(level))))
        assert float(fixed.loss) == pytest.approx(_float_loss(matrix, gamma, norm), abs=1e-7)  # scipy's accuracy
        points += 1
    assert points == size(25, 400)


def _rows(fixed):
    return zip(fixed.mechanism.matrix, fixed.before.entries, strict=True)


def test_what_is_private_stays_as_it_is(rng: random.Random) -> None:
    points = 0
    for text in ("grr:5,1/2", "warner:3/4", "unary:3,1/2,1/4", "forced:2/3,1/6,1/6"):
        mechanism = rropt.Mechanism(text)
        fixed = repair(mechanism, mechanism.epsilon, fast=True)
        assert (fixed.loss, fixed.changed, fixed.mechanism) == (0, 0, mechanism)
        again = repair(repair(_floats(rng, 3, 3), mechanism.epsilon, fast=True).mechanism, mechanism.epsilon, fast=True)
        assert again.loss == 0
        points += 1
    assert points == 4


def test_the_wrong_matrices_of_the_peers() -> None:
    """A peer's matrix: zeros at k = 20, and a float overshoot of 2e-10."""
    zeros = repair(load_raw_matrix(QIF, transposed=True), 2, fast=True)
    assert zeros.before.epsilon.is_infinite
    assert zeros.mechanism.delta(2) == 0
    matrix = np.full((20, 20), 1 / 22)
    np.fill_diagonal(matrix, 3 / 22)
    matrix[7, 7] *= 1 + 2e-10
    overshoot = repair(matrix, "log(3)", fast=True)
    assert overshoot.before.parity is not None
    assert overshoot.before.parity > 3
    assert overshoot.mechanism.parity() == 3
    assert 0 < overshoot.loss < F(1, 10**10)
    for fixed in (zeros, overshoot):
        assert fixed.certificate.check()


def test_the_largest_change_is_posed_without_comparing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """SymPy's Max compares its arguments pairwise unless told otherwise: minutes for a matrix of 210 entries."""
    from sympy import Max

    def compared(*_: object) -> None:
        raise AssertionError("two changes of symbols were compared")

    fixed = repair([[F(4, 5), F(1, 10)], [F(1, 5), F(9, 10)]], "log(4)", fast=True)
    with monkeypatch.context() as patch:
        patch.setattr(Max, "_is_connected", compared)
        assert len(fixed.to_sympy().objective.args) == 4
    assert fixed.sympy_twin().agrees == "equal"


def test_slack_needs_less_change(rng: random.Random) -> None:
    points = 0
    for _ in range(8):
        matrix = _floats(rng, 3, 3)
        losses = [repair(matrix, "log(2)", delta, fast=True).loss for delta in ("0", "1/20", "1/4", "1")]
        assert losses == sorted(losses, reverse=True)
        assert losses[-1] < F(1, 10**12)  # at delta = 1 only the columns' rounding errors are repaired
        points += 1
    assert points == 8
    assert repair([[1, 0], [0, 1]], 1, "exp(-2)", fast=True).certificate.check()


def test_certificates_with_one_number_changed_are_rejected(rng: random.Random, size: Callable[[int, int], int]) -> None:
    tried = 0
    for _ in range(size(6, 60)):
        norm = rng.choice(["max", "l1"])
        document = repair(_floats(rng, 3, 3), rng.choice(["log(2)", "1/3"]), norm=norm, fast=True).certificate.to_dict()
        assert rropt.check(document).accepted
        lies = [("lower", document["claim"]), ("upper", document["claim"])]
        rows = document["claim"]["mechanism"]["matrix"]
        for row in rows:
            lies += [(j, row) for j in range(len(row))]
        objective = document["problem"]["objective"]
        for key, place in lies:
            old = place[key]
            side = {"lower": 1, "upper": -1}.get(key) or rng.choice((-1, 1))  # a wider bracket is true
            place[key] = str(F(old) + F(side, 10**9))
            assert not rropt.check(document)
            place[key] = old
            tried += 1
        for change in ({"norm": "sum"}, {"norm": "total" if norm == "max" else "largest"}, {"kind": "loss"}):
            lie = deepcopy(document)
            lie["problem"]["objective"] = {**objective, **change}
            assert not rropt.check(lie)
            tried += 1
    assert tried == size(6, 60) * 14


def test_the_summary_states_the_level_with_its_delta() -> None:
    """With delta > 0 the epsilon of the matrix alone exceeds the level."""
    fixed = repair([[0.9, 0.1], [0.1, 0.9]], 1, "1/20", fast=True)
    assert dict(fixed.lines())["delta now"] == "at most 1/20 at epsilon = 1"
    assert float(fixed.epsilon) > 1
    assert "delta now" not in dict(repair([[0.9, 0.1], [0.1, 0.9]], 1, fast=True).lines())


def test_command(cli, cli_json, tmp_path: Path) -> None:
    channel = tmp_path / "channel.csv"
    channel.write_text("0.9,0.1\n0.1,0.9\n")
    proof, output = tmp_path / "proof.json", tmp_path / "fixed.json"
    files = ("--certificate", str(proof), "--output", str(output))
    data = cli_json("repair", str(channel), "--epsilon", "log(3)", *files)
    assert data["mechanism"]["matrix"] == [["3/4", "1/4"], ["1/4", "3/4"]]
    assert (data["loss"], data["lower"], data["epsilon"], data["changed"]) == ("3/20", "3/20", "log(3)", 4)
    assert rropt.check(proof).accepted
    assert Mechanism.from_json(output.read_text()).to_dict() == data["mechanism"]
    np.save(tmp_path / "channel.npy", np.array([[0.9, 0.1], [0.3, 0.7]]))
    transposed = cli_json("repair", str(tmp_path / "channel.npy"), "--transposed", "--gamma", "3", "--norm", "l1")
    assert rropt.check(transposed["certificate"]).accepted


@pytest.mark.slow
def test_a_large_table_cannot_remain_and_its_repair_is_accepted(cli) -> None:
    status, out, _ = cli("repair", str(QIF), "--transposed", "--epsilon", "log(3)")
    assert (status, "cannot remain" in out, "accepted" in out) == (0, True, True)
