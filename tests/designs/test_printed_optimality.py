"""Printed tables of known matrices: is one of the matrices that round to it optimal? Against values computed here."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows

from rropt.core.errors import InvalidMechanismError, RroptError
from rropt.design import binary, kary
from rropt.designs import printed_optimality
from rropt.designs.printed_objectives import NEARLY, ROUNDS, UNDECIDED, PrintedOptimality

E = float(np.exp(1))


def subset(k: int, d: int, gamma: float) -> np.ndarray:
    rows = np.ones((len(list(combinations(range(k), d))), k))
    for i, held in enumerate(combinations(range(k), d)):
        rows[i, list(held)] = gamma
    return rows / rows.sum(axis=0)


def printed(matrix: np.ndarray, digits: int) -> list[list[str]]:
    return [[f"{x:.{digits}f}" for x in row] for row in matrix]


def variance(matrix: np.ndarray, pi: np.ndarray, targets: np.ndarray) -> float:
    information = (matrix.T / (matrix @ pi)) @ matrix
    return float(np.trace(targets @ np.linalg.pinv(information) @ targets.T) - ((targets @ pi) ** 2).sum())


def information(matrix: np.ndarray, pi: np.ndarray) -> float:
    mean = matrix @ pi
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.nansum(pi * matrix * np.log(matrix / mean[:, None])))


def members(table: list[list[str]], digits: int, count: int, rng: Any) -> Any:
    """Yield random matrices that round to a table, many of them at its ends."""
    middle, half = np.array(table, dtype=float), 0.5 * 10.0**-digits
    low, high = np.maximum(middle - half, 0), middle + half
    for _ in range(count):
        made = np.where(rng.random(middle.shape) < rng.random(), high, low)
        for j in range(made.shape[1]):
            for i in rng.permutation(len(made)):
                made[i, j] = np.clip(made[i, j] + 1 - made[:, j].sum(), low[i, j], high[i, j])
        if np.allclose(made.sum(axis=0), 1, atol=1e-12):
            yield made


def tables() -> list[Any]:
    """Return thirty tables of optimal matrices with their questions."""
    found = []
    for digits in (2, 3, 4, 5, 6):
        for k, gamma, d in ((3, 2.0, 1), (4, E, 1), (5, E, 1), (6, 2.0, 2), (12, 4.4816890703380645, 2)):
            best = subset(k, d, gamma)
            found.append((best, digits, "a-optimal", gamma))
        warner = np.array([[0.75, 0.25], [0.25, 0.75]])
        found.append((warner, digits, "variance", 3.0))
    return found


@few_rows(2)
@pytest.mark.parametrize(("matrix", "digits", "objective", "gamma"), tables())
def test_thirty_tables_of_optimal_designs(matrix: Any, digits: int, objective: str, gamma: float) -> None:
    """A rounded optimal design is never called non-optimal, and its bound is below every member of its box."""
    table, k = printed(matrix, digits), matrix.shape[1]
    level = {2.0: "log(2)", 3.0: "log(3)", E: 1}.get(gamma, "3/2")
    found = printed_optimality(table, digits, objective, epsilon=level)
    pi = np.full(k, 1 / k)
    targets = np.array([[0.0, 1.0]]) if objective == "variance" else np.eye(k)
    least = min(variance(made, pi, targets) for made in members(table, digits, 40, np.random.default_rng(digits)))
    assert found.answer == (ROUNDS if found.solution.is_exact else NEARLY)
    assert found.solution.is_exact is (gamma == 3.0 or (gamma, k) == (2.0, 3))  # by a formula, at rational gamma
    assert found.loss == 0
    assert found.bound is not None
    assert float(found.bound) <= least
    assert float(found.bound) > variance(matrix, pi, targets) * (1 - 60 * k * 10.0**-digits)
    assert found.design is not None
    near = np.array(found.design.matrix, dtype=float)
    assert np.abs(near - np.array(table, dtype=float)).max() <= 0.5 * 10.0**-digits * (1 + 1e-9)


@few_rows(1)
@pytest.mark.parametrize("k", [2, 3, 4, 6])
@pytest.mark.parametrize("digits", [2, 3, 6])
def test_designs_that_lose_are_called_so(k: int, digits: int) -> None:
    """k-ary response at half the level, and at the level for guesses; each member of the box is worse."""
    table = printed(subset(k, 1, E**0.5), digits)
    for objective in ("a-optimal", "trace", "loss:zero-one", "mutual-information"):
        found = printed_optimality(table, digits, objective, epsilon=1)
        assert found.answer == "no", objective
        assert "value" in found.reason
        pi, best = np.full(k, 1 / k), subset(k, 1, E)
        value = {
            "a-optimal": lambda m, pi=pi, k=k: variance(m, pi, np.eye(k)),
            "trace": lambda m: float(np.trace(m)),
            "loss:zero-one": lambda m, k=k: 1 - float(np.trace(m)) / k,
            "mutual-information": lambda m, pi=pi: information(m, pi),
        }[objective]
        values = [value(made) for made in members(table, digits, 40, np.random.default_rng(k))]
        is_least = objective in ("a-optimal", "loss:zero-one")
        assert float(found.bound) <= min(values) + 1e-12 if is_least else float(found.bound) >= max(values) - 1e-12
        assert value(best) < float(found.bound) if is_least else value(best) > float(found.bound)


def criterion(matrix: np.ndarray, pi: np.ndarray, name: str) -> float:
    """Return ln det of the information for d, the largest eigenvalue of the covariance for e, by numpy alone."""
    whole = (matrix.T / (matrix @ pi)) @ matrix
    if name == "d-optimal":
        return float(np.linalg.slogdet(whole)[1])
    return float(np.linalg.eigvalsh(np.linalg.inv(whole) - np.outer(pi, pi))[-1])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["d-optimal", "e-optimal"])
@pytest.mark.parametrize(("k", "digits"), [(3, 2), (4, 3), (5, 6)])
def test_bounds_of_the_criteria_d_and_e(name: str, k: int, digits: int) -> None:
    """The bound is beyond every member of the box, and near the value of the table."""
    pi, rng = np.full(k, 1 / k), np.random.default_rng(k)
    table = printed(subset(k, 1, E), digits)
    found, weak = printed_optimality(table, digits, name, epsilon=1), printed_optimality(table, digits, name, epsilon=2)
    values = [criterion(made, pi, name) for made in members(table, digits, 60, rng)]
    assert (found.answer, weak.answer) == (NEARLY, "no")
    assert found.bound == weak.bound
    bound = float(found.bound)
    assert bound >= max(values) if name == "d-optimal" else bound <= min(values)
    middle = criterion(subset(k, 1, E), pi, name)
    assert abs(bound - middle) <= 60 * k * 10.0**-digits * (1 + abs(middle))
    best = criterion(subset(k, 1, E**2), pi, name)
    gap = best - max(values) if name == "d-optimal" else min(values) / best - 1
    assert 0 < float(weak.loss) <= gap


def test_an_optimum_that_splits_an_output_rounds_to_its_table() -> None:
    """Four outputs for two categories: half of each row of Warner's design. No certified design has this shape."""
    half = [[".375", ".125"], [".375", ".125"], [".125", ".375"], [".125", ".375"]]
    found = printed_optimality(half, 3, "variance", epsilon="log(3)")
    assert found.answer == ROUNDS
    assert found.design is not None
    assert (found.design.shape, found.design.parity()) == ((4, 2), 3)
    moved = [[".385", ".125"], [".365", ".125"], [".125", ".385"], [".125", ".365"]]
    other = printed_optimality(moved, 3, "variance", epsilon="log(3)")
    assert other.answer == "no"  # the rows of .385 have a larger ratio than 3, so none is private


@pytest.mark.parametrize("seed", range(12))
def test_no_table_is_called_optimal_that_is_not(seed: int) -> None:
    """A certified design that is moved: every answer but "no" comes with a private design in the box, of this value."""
    rng = np.random.default_rng(seed)
    k, digits = int(rng.integers(2, 5)), int(rng.integers(2, 5))
    made = subset(k, 1, 3.0) + rng.integers(-2, 3, (k, k)) * 10.0**-digits
    table = printed(np.abs(made) / np.abs(made).sum(axis=0), digits)
    found = printed_optimality(table, digits, "a-optimal" if k > 2 else "variance", epsilon="log(3)")
    assert found.answer in (ROUNDS, "no", UNDECIDED)
    if found.answer == ROUNDS:
        design = found.design
        assert design is not None
        assert design.parity() <= 3
        assert found.solution.problem.objective.value(design, found.solution.problem.population) == found.solution.lower
        half = Fraction(1, 2 * 10**digits)
        for row, own in zip(design.matrix, table, strict=True):
            assert all(abs(x - Fraction(text)) <= half for x, text in zip(row, own, strict=True))
    else:
        assert found.design is None


def test_a_fault_in_the_bound_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the corners of the rows the bound would be that of one matrix, and above others of the box."""
    table, pi = printed(subset(4, 1, 2.0), 2), np.full(4, 0.25)
    values = [variance(made, pi, np.eye(4)) for made in members(table, 2, 200, np.random.default_rng(1))]
    right = printed_optimality(table, 2, "a-optimal", epsilon=1)
    assert float(right.bound) <= min(values)
    monkeypatch.setattr("rropt.designs.printed_objectives.product", lambda *_, **__: iter([(0, 0, 0, 0)]))
    wrong = printed_optimality(table, 2, "a-optimal", epsilon=1)
    assert float(wrong.bound) > min(values)


def test_answers_without_a_value() -> None:
    assert printed_optimality([[".9", ".1"], [".1", ".9"]], 1, epsilon=1).reason.startswith("no matrix that rounds")
    open_ = printed_optimality([[".5", ".5"], [".5", ".5"]], 1, epsilon="1/10")  # no estimate in the middle
    assert (open_.answer, open_.bound) == (NEARLY, None)
    assert printed_optimality([[".5", ".5"], [".5", ".5"]], 1, epsilon="1/3").bound is None
    other = printed_optimality([[".76", ".24"], [".24", ".76"]], 2, epsilon="log(3.2)")
    assert other.answer == ROUNDS
    assert PrintedOptimality.from_json(other.to_json()) == other
    ends = printed_optimality(
        [[".6", ".2", ".2"], [".2", ".6", ".2"], [".2", ".2", ".6"]], 1, "trace", epsilon="log(3)"
    )
    assert ends.bound == Fraction(39, 20)  # each diagonal entry .65, which its column allows


def test_the_command(cli: Any, tmp_path: Any) -> None:
    path = tmp_path / "table.csv"
    path.write_text(".881,.119\n.119,.881\n")
    status, out, _ = cli("compare", str(path), "--objective", "variance", "--printed", "3", "--epsilon", "2")
    assert (status, NEARLY in " ".join(out.split())) == (0, True)
    path.write_text(".85,.15\n.85,.15\n")
    assert cli("compare", str(path), "--objective", "variance", "--printed", "2", "--epsilon", "2")[0] == 2
    path.write_text(".85,.15\n.15,.85\n")
    status, out, _ = cli("compare", str(path), "--objective", "variance", "--printed", "2", "--epsilon", "2")
    assert (status, "each matrix that rounds to it has a larger value" in " ".join(out.split())) == (1, True)
    assert "level is missing" in cli("compare", str(path), "--objective", "variance", "--printed", "2")[2]


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["a-optimal", "c-optimal:1,-1,0", "d-optimal", "e-optimal", "mutual-information"])
def test_the_print_of_a_certified_design_is_never_refused(objective: str) -> None:
    """Also where a category does not occur, and an output of the box may be impossible without it."""
    judged = 0
    for population in (["0", "1/2", "1/2"], ["0", "1/4", "3/4"], ["1/3", "1/3", "1/3"]):
        for epsilon in ("log(3)", "log(200)"):
            try:
                design = kary(3, epsilon=epsilon, objective=objective, population=population, fast=True)
            except RroptError:  # some criteria have no value where a category does not occur
                continue
            table = printed(np.array([[float(x) for x in row] for row in design.mechanism.matrix]), 2)
            try:
                found = printed_optimality(table, 2, objective, epsilon=epsilon, population=population)
            except InvalidMechanismError:  # columns that round to a sum other than 1 and cannot be made 1
                continue
            assert found.answer != "no", (population, epsilon)
            judged += 1
    assert judged >= 2


@pytest.mark.parametrize("prevalence", ["0", "1"])
def test_a_prevalence_of_0_or_1_excludes_no_design(prevalence: str) -> None:
    for epsilon in ("log(3)", "log(200)"):
        table = printed(
            np.array([[float(x) for x in row] for row in binary(prevalence, epsilon=epsilon).mechanism.matrix]), 1
        )
        assert printed_optimality(table, 1, "variance", epsilon=epsilon, prevalence=prevalence).answer != "no"


def test_a_record_with_delta_is_judged_with_its_delta() -> None:
    solution = binary("1/4", epsilon="log(3)", delta="1/10", fast=True)
    table = tuple(tuple(Fraction(round(x * 1000), 1000) for x in row) for row in solution.mechanism.matrix)
    assert PrintedOptimality.recompute(table, 3, solution).answer == ROUNDS
