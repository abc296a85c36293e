"""Designs for k categories at one level: the table against matrices and formulas that are written here."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import ceil, comb, exp
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows

import rropt
from rropt.core.errors import InvalidParameterError
from rropt.mechanisms import Mechanism
from rropt.mechanisms.fisher_information import share_variances
from rropt_fieldwork import KaryComparison, compare_kary_designs
from rropt_fieldwork.clients.exporting import export


def _by_likelihood(matrix: np.ndarray) -> float:
    """Return tr M^-1 - 1/k of the Fisher information at equal proportions, for rows that are outputs."""
    k = matrix.shape[1]
    information = (matrix.T / matrix.mean(axis=1)) @ matrix
    return float(np.trace(np.linalg.inv(information))) - 1 / k


def _of_sets(k: int, sets: list[tuple[int, ...]], gamma: float) -> np.ndarray:
    rows = np.ones((len(sets), k))
    for i, held in enumerate(sets):
        rows[i, list(held)] = gamma
    return rows / rows.sum(axis=0)


def _of_bits(k: int, p: float, q: float) -> np.ndarray:
    bits = np.array(list(product((0, 1), repeat=k)))
    wrong = np.where(bits, q, 1 - q)
    return np.stack([wrong.prod(axis=1) / wrong[:, j] * np.where(bits[:, j], p, 1 - p) for j in range(k)], axis=1)


def _membership(matrix: np.ndarray, held: np.ndarray) -> float:
    """Return n times the sum of the variances if the outputs that contain a category are counted."""
    k = matrix.shape[1]
    chances = held.T @ matrix  # of an output that contains x, given y
    hit, miss = chances[0, 0], chances[1, 0]
    assert np.allclose(chances, np.where(np.eye(k), hit, miss))
    mean = chances.mean(axis=1)
    return float(sum(mean * (1 - mean))) / (hit - miss) ** 2


def test_the_figures_of_twelve_categories() -> None:
    found = compare_kary_designs(12, epsilon="1.5")
    own = {one.design.partition(":")[0]: (float(one.own), float(one.efficient)) for one in found.designs}
    assert own["optimum"] == pytest.approx((14.956348, 14.956348), abs=5e-7)
    assert own["grr"] == pytest.approx((18.1246, 18.1246), abs=5e-5)
    assert own["oue"] == pytest.approx((19.663, 17.4410), abs=5e-4)
    assert own["sue"] == pytest.approx((21.278, 18.838), abs=1e-3)
    assert own["subset"] == pytest.approx(own["optimum"], rel=1e-12)
    assert found.certificate.check().accepted
    assert found.bound <= found.designs[0].own


@few_rows(2)
@pytest.mark.parametrize(("k", "gamma"), [(3, 2.0), (6, 3.0), (8, 4.0), (9, 9.0)])
def test_every_design_by_its_own_matrix(k: int, gamma: float) -> None:
    found = compare_kary_designs(k, epsilon=f"log({gamma:.0f})")
    root = gamma**0.5
    size = min(range(1, k), key=lambda d: _by_likelihood(_of_sets(k, list(combinations(range(k), d)), gamma)))
    matrices = {
        "grr": _of_sets(k, [(j,) for j in range(k)], gamma),
        "subset": _of_sets(k, list(combinations(range(k), size)), gamma),
        "sue": _of_bits(k, root / (root + 1), 1 / (root + 1)),
        "oue": _of_bits(k, 0.5, 1 / (gamma + 1)),
    }
    for one in found.designs[1:]:
        kind = one.design.partition(":")[0]
        read = Mechanism(one.design)  # the name is one that can be typed
        if kind != "sue":  # whose name rounds the probability of a bit, and not the level of two
            assert read.parity() == one.mechanism.parity()
        matrix = matrices.get(kind, np.array(read.matrix, dtype=float))
        assert matrix.sum(axis=0) == pytest.approx(1)
        assert float(one.efficient) == pytest.approx(_by_likelihood(matrix), rel=1e-9), kind
        if kind in ("sue", "oue"):
            held = np.array(list(product((0, 1), repeat=k)))
        else:
            held = matrix > matrix.min(axis=1, keepdims=True) * 1.0001
            if not held.any(axis=1).all():  # sets of all or of no categories are constant rows
                held = np.array([[j in one.mechanism.members(i) for j in range(k)] for i in range(len(matrix))])
        assert float(one.own) == pytest.approx(_membership(matrix, held.astype(float)), rel=1e-9), kind
        assert one.efficient <= one.own
        assert one.efficient >= found.bound
        assert one.bits == ceil(np.log2(len(matrix)))
    assert found.bound == found.designs[0].own  # gamma is rational: the optimum is exact
    assert float(found.bound) == pytest.approx(_by_likelihood(matrices["subset"]), rel=1e-9)


def test_a_planted_fault_in_the_information_of_bits_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exact sum over the numbers of ones is compared with all vectors."""
    made = Mechanism("oue:6,epsilon=log(5)")
    right = _by_likelihood(_of_bits(6, 0.5, 1 / 6))
    assert float(made.efficient_variance()) == pytest.approx(right, rel=1e-12)
    monkeypatch.setattr("rropt.mechanisms.families.memberships.range", lambda a, b: range(a, b - 1), raising=False)
    assert float(made.efficient_variance()) != pytest.approx(right, rel=1e-6)


def test_respondents_clients_and_languages() -> None:
    found = compare_kary_designs(12, epsilon="log(4)", margin="0.05", confidence="0.9", language="c")
    z = 1.6448536269514722
    for one in found.designs:
        assert one.needed == ceil(float(one.own) / 12 * (z / 0.05) ** 2)
        assert one.needed_efficient <= one.needed
        assert one.client == len(export(one.mechanism, "c").source.encode())
    grr = found["grr:12,epsilon=log(4)"]
    assert grr.needed == grr.needed_efficient
    olh = found["olh:12,epsilon=log(4)"]  # its categories differ by maximum likelihood: the worst one decides
    worst = max(share_variances(olh.mechanism, [Fraction(1, 12)] * 12))
    assert olh.needed_efficient == ceil(float(worst) * (z / 0.05) ** 2)
    assert compare_kary_designs(4, epsilon=1, variance="1/100").designs[0].needed < 1000
    assert found.to_frame().shape == (9, 8)


@pytest.mark.slow
def test_a_curve_of_the_bound() -> None:
    """The bound is the least of all subset sizes, for every k up to 40: Ye and Barg (2018), equation (4)."""
    for k in (2, 5, 13, 40):
        g = 3.0
        least = min(((k - 1) ** 2 * (d * g + k - d) ** 2) / (k * (g - 1) ** 2 * d * (k - d)) for d in range(1, k))
        assert float(compare_kary_designs(k, epsilon="log(3)").bound) == pytest.approx(least, rel=1e-12)


@pytest.mark.slow
def test_large_and_extreme() -> None:
    found = compare_kary_designs(2000, epsilon=1)
    by = {one.design.partition(":")[0]: one for one in found.designs}
    assert by["oue"].efficient is None  # not computed
    assert by["oue"].efficiency == found.bound / by["oue"].own
    e = exp(1)
    d = 538
    assert comb(2000, d) > 1
    assert float(found.bound) == pytest.approx(
        min((1999**2 * (d * e + 2000 - d) ** 2) / (2000 * (e - 1) ** 2 * d * (2000 - d)) for d in (537, 538, 539)),
        rel=1e-10,
    )
    assert compare_kary_designs(5, epsilon=8)["olh:5,epsilon=8"].efficient is None
    for wrong in ({"epsilon": 0}, {"epsilon": 28}, {"epsilon": 1, "language": "rust"}, {"epsilon": 1, "margin": 2}):
        with pytest.raises(InvalidParameterError):
            compare_kary_designs(4, **wrong)
    with pytest.raises(InvalidParameterError, match="categories"):
        compare_kary_designs(1, epsilon=1)


@pytest.mark.slow
def test_the_record_is_computed_again() -> None:
    found = compare_kary_designs(4, epsilon="log(3)", margin="0.1")
    assert KaryComparison.from_json(found.to_json()) == found
    assert KaryComparison.from_json(found.to_json()).unverified == ()
    made = found.to_dict()
    made["designs"][1]["own"] = "1"
    with pytest.raises(rropt.errors.FileFormatError):
        KaryComparison.from_dict(made)


def test_the_command(cli: Any, cli_json: Any, tmp_path: Any) -> None:
    proof = tmp_path / "proof.json"
    status, out, err = cli("cost", "-k", "12", "--epsilon", "1.5", "--margin", "0.05", "--certificate", str(proof))
    assert status == 0
    for figure in ("14.956348", "18.124588", "17.440971", "19.662769", "18.838107", "21.277509"):
        assert figure in out
    assert "the certificate proves it" in err
    assert cli("check", str(proof))[0] == 0
    record = cli_json("cost", "-k", "3", "--gamma", "3")
    assert [row["own"] for row in record["designs"][:3]] == ["25/6"] * 3
    assert record["bound"] == "25/6"
    assert cli("cost", "-k", "3", "--gamma", "3", "--n", "9")[0] == 2
    assert cli("cost", "-k", "3", "--prevalence", "1/3", "--epsilon", "1")[0] == 2
    assert cli("privacy", "grr:12,epsilon=3/2")[0] == 0
    message = cli("privacy", "grr:12,1.5")[2]
    assert "a level is written grr:12,epsilon=3/2" in message
    assert "%" not in message
