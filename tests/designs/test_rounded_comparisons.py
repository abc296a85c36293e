"""Comparisons that the rounding of the numbers decides, and numbers that are compared in a sentence."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from later import later

from rropt.cli.main import main
from rropt.core.exact.display import decimals_apart, in_full
from rropt.designs.orders import compare, partial_order
from rropt.designs.orders.deficiencies import deficiency, gain_bound, rounding_of
from rropt.mechanisms import Mechanism

linprog = later("scipy.optimize", "linprog")


def _of_floats(matrix: np.ndarray) -> Mechanism:
    """Return a matrix of doubles as a mechanism: the last row makes the columns sum to exactly 1."""
    rows = [[Fraction(float(x)) for x in row] for row in matrix[:-1]]
    return Mechanism([*rows, [1 - sum(column) for column in zip(*rows, strict=True)]])


def _of_counts(counts: np.ndarray) -> Mechanism:
    columns = [[Fraction(int(x), int(sum(column))) for x in column] for column in counts]
    return Mechanism(list(map(list, zip(*columns, strict=True))))


def _merged_pair(seed: int, m: int, k: int) -> tuple[Mechanism, Mechanism]:
    matrix = np.random.default_rng(seed).dirichlet(np.ones(m), k).T
    return _of_floats(matrix), _of_floats(np.vstack([matrix[0] + matrix[1], matrix[2:]]))


def _float_deficiency(source: Mechanism, target: Mechanism) -> float:
    """Solve the program of the deficiency with scipy, in the variables C, D >= A - C P, t."""
    given, wanted = (np.array([[float(x) for x in row] for row in one.matrix]) for one in (source, target))
    (m, k), r = given.shape, len(wanted)
    kernel, above = np.kron(np.eye(r), given.T), np.eye(r * k)
    first = np.hstack([-kernel, -above, np.zeros((r * k, 1))])
    each = np.hstack([np.zeros((k, r * m)), np.tile(np.eye(k), r), -np.ones((k, 1))])
    sums = np.hstack([np.tile(np.eye(m), r), np.zeros((m, r * k + 1))])
    cost = np.zeros(r * m + r * k + 1)
    cost[-1] = 1
    bounds = np.concatenate([-wanted.ravel(), np.zeros(k)])
    return float(linprog(cost, np.vstack([first, each]), bounds, sums, np.ones(m)).fun)


@pytest.mark.parametrize(("m", "k"), [(3, 3), (5, 4), (8, 8)])
def test_a_merged_matrix_of_floats_is_dominated_up_to_rounding(m: int, k: int) -> None:
    source, target = _merged_pair(m, m, k)
    found = compare(source, target, fast=True)
    near = found.forward.up_to_rounding()
    if found.relation in ("better", "equivalent"):  # the sums happened to be exact
        assert near is None
        return
    assert near is not None
    assert 0 < near.total_variation <= near.rounding == 2 * Fraction(1, 2**53)
    assert "A dominates B up to a total variation of" in found.explain()
    assert found.backward.up_to_rounding() is None, "B loses much more than the rounding"
    assert found.to_dict()["up_to_rounding"].keys() == {"b_from_a"}
    assert "dominates" in partial_order([source, target, source], ["M", "N", "O"]).explain()


def test_numbers_that_are_meant_as_written_are_not_rounded() -> None:
    found = compare("warner:3/4", "warner:0.7501", fast=True)
    assert found.relation == "worse"
    assert found.forward.up_to_rounding() is None
    assert "up_to_rounding" not in found.to_dict()
    near = compare("warner:3/4", "warner:0.7500000001", fast=True).forward.up_to_rounding()
    assert near is not None
    assert (near.total_variation, near.rounding) == (Fraction(1, 10**10), Fraction(1, 10**10))


@pytest.mark.parametrize("seed", range(12))
def test_the_deficiency_is_that_of_scipy_and_above_the_gain(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k, m, r = (int(x) for x in rng.integers(2, 5, 3))
    source, target = (_of_counts(rng.integers(1, 9, (k, rows))) for rows in (m, r))
    exact = deficiency(source, target)
    assert float(exact) == pytest.approx(_float_deficiency(source, target), abs=1e-9)
    answer = compare(source, target, fast=True).forward
    assert (exact == 0) is bool(answer)
    if answer.task is not None:
        assert 0 < gain_bound(answer.task) <= exact


def test_rounding_of_each_kind_of_number() -> None:
    assert rounding_of(Mechanism.binary("3/4", "1")) == 0
    assert rounding_of(Mechanism.binary("1/3", "2/3")) == 0
    assert rounding_of(Mechanism.binary("0.123456", "0.5")) == Fraction(1, 10**6)
    assert rounding_of(Mechanism.binary(Fraction(0.1), "1/2")) == Fraction(1, 2**53)


def _compared_numbers(text: str) -> list[tuple[str, str]]:
    return re.findall(r"earns (?:about )?(\S.*?) on average; .*?, at most (?:about )?(\S.*?)\.\n", text)


@pytest.mark.parametrize("power", range(3, 40, 3))
def test_two_numbers_of_a_comparison_never_look_equal(power: int) -> None:
    small = Fraction(1, 10**power)
    erasure = Mechanism([[Fraction(4, 5) - small, 0], [Fraction(1, 5) + small] * 2, [0, Fraction(4, 5) - small]])
    for a, b in ((erasure, Mechanism.binary("9/10", "9/10")), (Mechanism.binary(Fraction(3, 4) + small, "3/4"),) * 2):
        found = compare(a, b, fast=True).explain()
        for earned, best in _compared_numbers(found):
            ends = [re.split(r" = | \(about ", text.strip(")"))[-1] for text in (earned, best)]
            assert ends[0] != ends[1], found


def test_decimals_that_are_told_apart() -> None:
    near = Fraction(9, 10) - Fraction(1, 2 * 10**12)
    assert decimals_apart(Fraction(9, 10), near) == ("0.9", "0.8999999999995")
    assert decimals_apart(near, Fraction(9, 10)) == ("0.8999999999995", "0.9")
    assert decimals_apart(Fraction(1, 3), Fraction(1, 3)) == ("0.333333", "0.333333")
    assert decimals_apart(Fraction(0), Fraction(1, 10**40)) == ("0", "1e-40")
    with in_full():
        assert decimals_apart(Fraction(1, 3), near)[1] == "0.8999999999995"


def test_long_stakes_are_shown_in_units_of_the_largest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = _merged_pair(3, 3, 3)
    names = []
    for name, one in (("a", a), ("b", b)):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(one.to_dict()))
        names.append(str(path))
    assert main(["compare", *names, "--fast"]) == 1
    printed = capsys.readouterr().out
    assert "Up to rounding: A dominates B" in printed
    for number in re.findall(r"(?:win|lose) (?:about )?([0-9.]+)", printed):
        assert float(number) <= 1


@pytest.mark.parametrize("excess", ["0.0000000001", "0.00000000000000000000000001"])
def test_a_posterior_and_its_limit_never_look_equal(excess: str, capsys: pytest.CaptureFixture[str]) -> None:
    p = str(Fraction(3, 4) + Fraction(excess))
    main(["privacy", f"warner:{p}", "--level", "posterior:1/2,3/4", "--fast"])
    printed = " ".join(capsys.readouterr().out.split())
    (posterior, limit) = re.findall(r"posterior of Q \S+ [~=] (\S+) limit > (.*?) warner", printed)[0]
    assert posterior != limit
