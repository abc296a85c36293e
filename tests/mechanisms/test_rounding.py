"""Matrices of decimals: which exact matrix is read, by oracles that build the matrix before it is rounded."""

from __future__ import annotations

import json
import pickle
import random
from fractions import Fraction
from pathlib import Path

import pytest

import rropt
from rropt import Mechanism
from rropt.core.errors import InvalidMechanismError
from rropt.core.lazy import numpy as np
from rropt.designs.orders.admissibility import admissible
from rropt.mechanisms.rounding import Rounding

F = Fraction
THIRDS = [[2 / 3, 1 / 3], [1 / 3, 2 / 3]]


def _columns_sum_to_one(mechanism: Mechanism) -> bool:
    return all(sum(column) == 1 for column in mechanism.columns())


def _stochastic(weights: list[list[int]]) -> list[list[Fraction]]:
    sums = [sum(column) for column in zip(*weights, strict=True)]
    return [[F(x, total) for x, total in zip(row, sums, strict=True)] for row in weights]


def test_the_fractions_that_floats_round_are_found(rng: random.Random, size) -> None:
    """k-ary randomized response at rational levels, and small integers divided by their sums in floats."""
    for k in range(2, size(9, 21)):
        for g in (F(2), F(3), F(15, 2)):
            total = g + k - 1
            meant = [[g / total if i == j else 1 / total for j in range(k)] for i in range(k)]
            read = Mechanism(
                np.array([[float(g) if i == j else 1.0 for j in range(k)] for i in range(k)]) / float(total)
            )
            assert [list(row) for row in read.matrix] == meant
    for _ in range(size(60, 2000)):
        k, m = rng.randint(2, 6), rng.randint(2, 6)
        weights = [[rng.randint(0, 12) for _ in range(k)] for _ in range(m)]
        weights[0] = [x or 1 for x in weights[0]]
        array = np.array(weights, float)
        read = Mechanism(array / array.sum(axis=0))
        assert [list(row) for row in read.matrix] == _stochastic(weights)


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_other_floats_are_divided_by_their_sums_and_keep_zeros_and_equal_entries(kind: str, size) -> None:
    rng = np.random.default_rng(7)
    largest = 2e-16 if kind == "float64" else 1e-7
    for _ in range(size(40, 1000)):
        k, m = rng.integers(2, 9, 2)
        P = rng.dirichlet(np.full(m, 4.0), k).T
        P[0, 0] = 0
        P[:, 1] = P[:, 0]
        P = (P / P.sum(axis=0)).astype(kind)
        read = Mechanism(P)
        assert _columns_sum_to_one(read)
        assert read.matrix[0][0] == read.matrix[0][1] == 0
        assert [row[0] for row in read.matrix] == [row[1] for row in read.matrix]
        moved = max(
            abs(x - F(str(y)))
            for row, given in zip(read.matrix, P, strict=True)
            for x, y in zip(row, given, strict=True)
        )
        assert moved <= largest
        assert read.rounding is None or moved <= read.rounding.move <= F("1.01") * moved


def test_decimals_that_are_typed_stay(rng: random.Random) -> None:
    """Also those near a fraction: 0.3333 and 0.6667 are not 1/3 and 2/3."""
    for digits in (1, 3, 4, 9, 12):
        for _ in range(20):
            x = F(rng.randint(0, 10**digits), 10**digits)
            for entries in (
                [[float(x), 0.5], [float(1 - x), 0.5]],
                [[str(float(x)), ".5"], [str(float(1 - x)), "0.5"]],
            ):
                read = Mechanism(entries)
                assert (read.matrix[0][0], read.rounding) == (x, None)
    assert Mechanism([["0.3333", "0.5"], ["0.6667", "0.5"]]).matrix[0][0] == F(3333, 10**4)


def test_long_decimals_that_sum_to_one_stay_unless_they_round_fractions() -> None:
    x = F("0.12345678901234567")
    assert Mechanism([[str(float(x)), "0.5"], [str(1 - F(str(float(x)))), "0.5"]]).rounding is None
    long = ["0.3333333333333333", "0.6666666666666667"]
    assert sum(map(F, long)) == 1
    read = Mechanism([[long[0], "0"], [long[1], "1"]])
    assert (read.matrix[0][0], read.rounding.rule) == (F(1, 3), "fractions")


@pytest.mark.parametrize(
    "matrix",
    [
        [["1/3", "0.5"], ["0.6666666666666666", "0.5"]],  # a fraction makes the matrix exact
        [["1/3", 0.5], ["2/3", 0.4999999]],
        [[F(1, 3), 0], [F(2, 3) - F(1, 10**9), 1]],
        [[0.333] * 3] * 3,
        [[1.1, 0.5], [-0.1, 0.5]],
        [[-1, 1], [2, 0]],
        [[1, 0], [1, 0]],
    ],
)
def test_what_is_no_mechanism_is_refused(matrix) -> None:
    with pytest.raises(InvalidMechanismError, match=r"does not sum to 1|is negative"):
        Mechanism(matrix)


def test_the_limit_of_rounding_errors_is_kept() -> None:
    """A sum is off by at most 1e-6, and a negative entry is at least -1e-6."""
    slack = F(1, 10**6)
    for off, is_read in ((slack, True), (-slack, True), (slack + F(1, 10**12), False), (-slack - F(1, 10**12), False)):
        entries = [[str(float(F(3, 4) + off)), ".5"], ["0.25", ".5"]]
        assert sum(F(row[0]) for row in entries) == 1 + off
        assert _is_read(entries) == is_read
    for least, is_read in (("-0.000001", True), ("-0.0000010001", False)):
        assert _is_read([[least, ".5"], ["1.0000009", ".5"]]) == is_read
    read = Mechanism([["-0.000001", ".5"], ["1.0000009", ".5"]])
    assert (read.matrix[0][0], read.rounding.zeros) == (0, 1)


def _is_read(entries: list[list[str]]) -> bool:
    try:
        Mechanism(entries)
    except InvalidMechanismError:
        return False
    return True


def test_values_of_solvers_are_read() -> None:
    """Slightly negative entries of an interior point are 0."""
    import cvxpy

    P = cvxpy.Variable((2, 2))
    problem = cvxpy.Problem(cvxpy.Maximize(cvxpy.trace(P)), [P >= 0, cvxpy.sum(P, axis=0) == 1, P[0] <= 3 * P[0, ::-1]])
    with pytest.raises(InvalidMechanismError, match="the variable has no value"):
        Mechanism(P)
    problem.solve(solver="CLARABEL")
    for given in (P, P.value):
        assert _columns_sum_to_one(Mechanism(given))
    near = Mechanism([[-1e-9, 0.4], [1.000000001, 0.6]])
    assert (near.matrix[0][0], near.rounding.zeros, near.epsilon.is_infinite) == (0, 1, True)


@pytest.mark.slow
def test_every_container_is_read() -> None:
    import pandas as pd
    import polars as pl
    import scipy.sparse as sp

    thirds = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    array = np.array(THIRDS)
    for given in (array, pd.DataFrame(array), pl.DataFrame(array), sp.csr_array(array), sp.coo_matrix(array), THIRDS):
        assert Mechanism(given) == thirds
        assert rropt.inference.estimate(mechanism=given, counts=[55, 45]) == rropt.inference.estimate(thirds, [55, 45])
        assert rropt.compare(given, "warner:2/3").relation == "equivalent"
        assert rropt.compose(*[given] * 2, delta=0) == rropt.compose(*[thirds] * 2, delta=0)
        assert rropt.compose([(given, 3), "log(2)"], delta=0).epsilon == rropt.log(16)
        assert rropt.shuffle(given, 1000, delta="1/1000") == rropt.shuffle(thirds, 1000, delta="1/1000")
        assert rropt.accounting.renyi_privacy(given, 2) == rropt.accounting.renyi_privacy(thirds, 2)
    channel = [[0.25, 0.75], [0.5, 0.5]]
    assert Mechanism(channel, transposed=True) == Mechanism([["1/4", "1/2"], ["3/4", "1/2"]])


def test_items_of_a_composition_that_are_a_matrix_or_pairs_are_refused() -> None:
    for given in (THIRDS, [["2/3", "1/3"], ["1/3", "2/3"]]):
        with pytest.raises(rropt.RroptError, match=r"two ways: .* a matrix or pairs of epsilon and delta"):
            rropt.compose(given, delta=0)
    three = [[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]]
    assert rropt.compose(three, delta=0).epsilon == rropt.log(3)
    pairs = [(np.float64(0.5), np.float64(1e-5)), (0.5, 1e-5)]
    assert len(rropt.compose(pairs, delta="1/1000").items) == 2


def test_another_matrix_in_the_place_of_transposed_is_refused() -> None:
    with pytest.raises(rropt.RroptError, match="`transposed` is neither true nor false"):
        Mechanism(THIRDS, transposed=np.array(THIRDS))


def test_a_frame_of_one_column_is_no_mechanism() -> None:
    """It is more probably a table of responses in the wrong place."""
    import pandas as pd

    with pytest.raises(rropt.RroptError, match="the first mechanism"):
        rropt.compare(pd.DataFrame({"q": [0, 1]}), "warner:3/4")


def test_the_record_stays_with_the_mechanism() -> None:
    read = Mechanism(THIRDS)
    assert read.rounding == Rounding("fractions", F(1, 10**16), read.rounding.move)
    for same in (
        pickle.loads(pickle.dumps(read)),
        Mechanism.from_json(read.to_json()),
        read.named("die").labelled(["no", "yes"]),
        Mechanism(read),
    ):
        assert (same, same.rounding) == (read, read.rounding)
    assert read.rounding.remark() in str(read)
    assert read.rounding.remark() in read._repr_html_()
    assert "rounded" not in Mechanism.warner("2/3").to_dict()
    assert Mechanism.warner("2/3") == read


@pytest.mark.parametrize(
    "wrong",
    [
        "{}",
        '{"rule": "up", "miss": "0", "move": "0", "zeros": 0}',
        "[]",
        '{"rule": "divided", "miss": "0", "move": "0", "zeros": "x"}',
    ],
)
def test_a_record_of_another_form_is_refused(wrong: str) -> None:
    with pytest.raises(rropt.RroptError, match=r"rule|rounding"):
        Mechanism.from_json('{"matrix": [["1", "0"], ["0", "1"]], "rounded": ' + wrong + "}")


def test_printed_matrices_are_rounded_on_request() -> None:
    printed = [[0.333, 0.25], [0.333, 0.25], [0.333, 0.5]]
    read = Mechanism.rounded(printed)
    assert (read.matrix[0][0], read.rounding.rule, read.rounding.miss) == (F(1, 3), "divided", F(1, 1000))
    with pytest.raises(InvalidMechanismError, match=r"received the sum 0\.999"):
        Mechanism.rounded(printed, tolerance="1/10000")
    solved = [[1e-10, 0.5], [1 - 1e-10, 0.5]]
    assert Mechanism.rounded(solved, zeros=1e-9).matrix[0][0] == 0
    with pytest.raises(InvalidMechanismError, match="has no entry above"):
        Mechanism.rounded([[0.5, 1], [0.5, 0]], zeros=0.6)


def test_files_of_decimals(cli, cli_json, tmp_path: Path) -> None:
    """JSON, bare JSON, CSV and .npy; one remark on standard error, and the record in JSON."""
    for name, text in {
        "object.json": json.dumps({"matrix": THIRDS}),
        "bare.json": json.dumps(THIRDS),
        "rows.csv": "\n".join(",".join(map(repr, row)) for row in THIRDS),
    }.items():
        (tmp_path / name).write_text(text)
    np.save(tmp_path / "array.npy", np.array(THIRDS))
    for name in ("object.json", "bare.json", "rows.csv", "array.npy"):
        file = str(tmp_path / name)
        status, out, err = cli("estimate", "--yes", "45", "--n", "100", "--mechanism", file)
        assert (status, "7/20" in out, err.count("decimals are read as the fractions")) == (0, True, 1)
        assert Mechanism(file).rounding.rule == "fractions"
        status, out, err = cli("privacy", file)
        assert "fractions" not in err  # it judges the decimals as they are
    data = json.loads(cli("estimate", "--yes", "45", "--n", "100", "--mechanism", file, "--json")[1])
    assert data["question"]["rounding"]["rule"] == "fractions"


@pytest.mark.slow
def test_rows_and_columns_are_exchanged_on_request(cli, cli_json, tmp_path: Path) -> None:
    """The matrix of inputs as rows gives what its transpose gives, in every command that reads a matrix."""
    rows, columns = tmp_path / "rows.csv", tmp_path / "columns.csv"
    rows.write_text("3/4,1/4\n2/5,3/5\n")
    columns.write_text("3/4,2/5\n1/4,3/5\n")
    responses = tmp_path / "responses.csv"
    responses.write_text("y,x\n" + "0,1\n1,0\n1,1\n0,0\n" * 9)
    before = ["estimate", "--yes", "45", "--n", "100", "--mechanism"]
    assert "rows and columns with --transposed" in cli(*before, str(rows))[2]
    for words in (
        before,
        ["estimate", str(responses), "--column", "y", "--mechanism"],
        ["regress", str(responses), "--formula", "y ~ x", "--mechanism"],
        ["noncompliance", "--yes", "45", "--n", "100", "--theta", "0.05", "--mechanism"],
        ["plan", "margin", "0.05", "--prevalence", "1/10", "--mechanism"],
        ["audit", "--claim", "1/10", "--mechanism"],
        ["count", str(responses), "--column", "y", "--mechanism"],
        ["privacy"],
        ["compare", "warner:3/4"],
        ["compare", "--admissible"],
        ["sheet", "--question", "Q?"],
    ):
        found = [cli(*words, str(file), *more) for file, more in ((columns, ()), (rows, ("--transposed",)))]
        (status, out, _), other = found
        assert status in (0, 1), found
        assert (status, out.replace("columns.csv", "F").split()) == (
            other[0],
            other[1].replace("rows.csv", "F").split(),
        )
    assert "is for the matrix of a file" in cli(*before, "warner:3/4", "--transposed")[2]


def test_a_repair_without_a_level_divides_by_the_sums(cli, cli_json, tmp_path: Path) -> None:
    printed, mended = tmp_path / "printed.csv", tmp_path / "mended.json"
    printed.write_text("0.333,0.5\n0.333,0.25\n0.333,0.25\n")
    status, _, err = cli("estimate", "--counts", "1,2,3", "--mechanism", str(printed))
    assert (status, "rropt repair" in err) == (2, True)
    data = cli_json("repair", str(printed), "--output", str(mended))
    assert (data["epsilon"], data["parity"]) == ("log(3/2)", "3/2")
    assert Mechanism(str(mended)).matrix[0] == (F(1, 3), F(1, 2))
    assert cli("repair", str(printed), "--norm", "l1")[0] == 2
    printed.write_text("0.3,0.5\n0.3,0.25\n0.3,0.25\n")
    assert "received the sum 0.9" in cli("repair", str(printed))[2]


def test_certificates_of_matrices_of_floats_are_accepted() -> None:
    floats = Mechanism([[2 / 3, 1 / 3], [1 / 3, 2 / 3]])
    assert floats.rounding is not None
    found = rropt.compare(floats, "warner:3/4")
    assert found.relation == "worse"
    assert found.forward.certificate().accepted
    assert found.backward.certificate().accepted
    assert admissible(floats).certificate().accepted
