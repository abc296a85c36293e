"""Matrices from elsewhere: read as they are, audited exactly, never taken for more than they say."""

from __future__ import annotations

import io
import json
import pickle
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from every_case import every_case
from hypothesis import given, settings
from hypothesis import strategies as st

import rropt
import rropt_fieldwork
from rropt.core.errors import FileFormatError, InvalidMechanismError, InvalidParameterError, RroptError
from rropt.mechanisms import Mechanism, load_mechanism, named_mechanism
from rropt.mechanisms.imports import load_raw_matrix
from rropt.mechanisms.raw_matrices import MatrixAudit, audit

F = Fraction
QIF = Path(__file__).parent / "data" / "qif_distance_k20.csv"


def _grr_floats(k: int, gamma: float) -> np.ndarray:
    matrix = np.full((k, k), 1 / (gamma + k - 1))
    np.fill_diagonal(matrix, gamma / (gamma + k - 1))
    return matrix


def test_floats_are_their_shortest_decimals() -> None:
    raw = audit(np.array([[0.1, 0.7], [0.9, 0.3]]))
    assert raw.entries == ((F(1, 10), F(7, 10)), (F(9, 10), F(3, 10)))
    assert audit(np.array([[0.1, 0.7], [0.9, 0.3]], dtype=np.float32)).entries == raw.entries
    assert audit([[0.1, 0.9], [0.7, 0.3]], transposed=True).entries == raw.entries
    assert raw.is_mechanism
    assert raw.normalised.matrix == raw.entries


def test_zeros_of_another_tool_make_epsilon_infinite() -> None:
    """The optimal mechanism of qif at k = 20 with distance abs(i - j) has zeros."""
    found = load_raw_matrix(QIF, transposed=True)
    assert found.parity is None
    assert found.epsilon.is_infinite
    clash, answers = found.zeros
    assert clash is not None
    rows = found.entries
    assert answers == sum(0 in row and any(row) for row in rows) > 0
    assert rows[clash.output][clash.never] == 0 < rows[clash.output][clash.possible]
    assert sum(x == 0 for row in rows for x in row) == 20
    assert not found.is_mechanism
    assert 0 < found.largest_miss < F(1, 10**14)
    assert found.normalised.epsilon.is_infinite


def test_float_overshoot_is_seen() -> None:
    """A ratio that is 2e-10 too large is reported with its true epsilon."""
    matrix = _grr_floats(20, 3.0)
    matrix[4, 4] *= 1 + 2e-10
    found = audit(matrix)
    assert found.parity is not None
    assert found.worst is not None
    assert found.worst[:2] == (4, 4)
    assert 1.9e-10 < float(found.parity / 3 - 1) < 2.1e-10
    row = [F(repr(float(x))) for x in matrix[4]]
    assert found.parity == max(row) / min(row)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 50), min_size=3, max_size=3), min_size=2, max_size=5))
def test_audit_of_an_exact_mechanism_is_the_mechanism_s(weights: list[list[int]]) -> None:
    columns = [list(column) for column in zip(*weights, strict=True)]
    if any(sum(column) == 0 for column in columns):
        return
    mechanism = Mechanism([[F(row[j], sum(columns[j])) for j in range(3)] for row in weights])
    found = audit(mechanism)
    assert found.parity == mechanism.parity()
    assert found.is_mechanism
    assert not any(found.misses)
    assert found.negatives == (0, 0)
    assert found.normalised == mechanism


def test_negative_entries_count_as_zero() -> None:
    found = audit([[0.5, -1e-17], [0.5, 1.0]])
    assert found.negatives == (1, F(-1, 10**17))
    assert found.parity is None
    assert found.normalised.matrix[0] == (F(1, 2), 0)


def test_json_files_of_raw_matrices(tmp_path: Path) -> None:
    """A name may stand beside the matrix, which may be a bare list; anything else is refused."""
    file = tmp_path / "raw.json"
    for text in (
        '{"matrix": [[0.3333333, 0.5], [0.6666667, 0.5]]}',
        '{"name": "n", "matrix": [["1/3", 1], ["2/3", 0]]}',
        "[[1, 0], [0, 1]]",
    ):
        file.write_text(text)
        assert load_raw_matrix(file).shape == (2, 2)
    for text in ('{"matrix": [[1]], "rows": 1}', "null"):
        file.write_text(text)
        with pytest.raises(FileFormatError, match="a mechanism is not of the form"):
            load_raw_matrix(file)


def test_a_certificate_stands_for_the_mechanism_that_it_claims(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_text('{"format": "2", "claim": {"mechanism": {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}}}')
    assert load_mechanism(file) == Mechanism.binary("3/4", "3/4")
    for text in ('{"format": "2", "claim": {"value": "1"}}', '{"claim": {"mechanism": {"matrix": [[1]]}}}'):
        file.write_text(text)
        with pytest.raises(FileFormatError, match="a mechanism is not of the form"):
            load_mechanism(file)


def test_npy_files(tmp_path: Path) -> None:
    file = tmp_path / "channel.npy"
    np.save(file, np.array([[0.25, 0.75], [0.5, 0.5]]))
    assert load_raw_matrix(file, transposed=True).entries == ((F(1, 4), F(1, 2)), (F(3, 4), F(1, 2)))
    assert audit(np.load(file), transposed=True).entries == load_raw_matrix(file, transposed=True).entries


class _Hostile:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (exec, ("raise SystemExit('unpickled')",))


def test_hostile_npy_files_are_refused(tmp_path: Path) -> None:
    objects = io.BytesIO()
    np.save(objects, np.array([[_Hostile()]], dtype=object), allow_pickle=True)
    header = b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little")
    huge = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 1000000000), }"
    files = {
        "objects.npy": objects.getvalue(),
        "pickle.npy": pickle.dumps(_Hostile()),
        "huge.npy": header + huge.ljust(117) + b"\n",
        "text.npy": b"0.5,0.5\n0.5,0.5\n",
        "empty.npy": b"",
    }
    for shape, dtype in (((2,), float), ((2, 2, 2), float), ((2, 2), complex), ((2, 2), "U3")):
        stream = io.BytesIO()
        np.save(stream, np.zeros(shape, dtype=dtype))
        files[f"{len(files)}.npy"] = stream.getvalue()
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(FileFormatError) as caught:
            load_raw_matrix(tmp_path / name)
        assert "\n" not in str(caught.value)
    assert len(files) == 9


@every_case(
    "matrix",
    [
        [],
        [[]],
        [[1.0, 0.5], [0.5]],
        [[float("nan"), 0.5], [0.5, 0.5]],
        [[float("inf"), 0.5], [0.5, 0.5]],
        [[0.9, 0.5], [0.5, 0.5]],
        [[-0.5, 0.5], [1.5, 0.5]],
        [["x", 0.5], [0.5, 0.5]],
        [[True, 0.5], [False, 0.5]],
        "0.5",
        None,
        np.array([[0.5 + 0j, 0.5], [0.5, 0.5]]),
        np.zeros((2, 2)),
    ],
)
def test_what_is_no_matrix_is_refused(matrix: object) -> None:
    with pytest.raises(RroptError) as caught:
        audit(matrix)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_rows_that_sum_to_one_are_pointed_out() -> None:
    with pytest.raises(InvalidMechanismError, match="transposed"):
        audit([[0.9, 0.1], [0.4, 0.6]])


def test_numpy_s_own_numbers_are_taken() -> None:
    half = np.longdouble([[0.5, 0.5], [0.5, 0.5]])
    assert audit(half).entries == ((F(1, 2), F(1, 2)), (F(1, 2), F(1, 2)))


def test_raw_matrices_are_values() -> None:
    raw = MatrixAudit(((F(1, 2), F(1, 3)), (F(1, 2), F(2, 3))))
    assert raw == audit([["1/2", "1/3"], ["1/2", "2/3"]])
    assert raw.shape == (2, 2)


@pytest.mark.slow
def test_npy_files_as_mechanisms(cli, tmp_path: Path) -> None:
    """Every command reads them up to rounding errors, and else points to the command that divides by the sums."""
    from rropt.mechanisms import load_mechanism

    good, near, text = tmp_path / "good.npy", tmp_path / "near.npy", tmp_path / "text.npy"
    np.save(good, np.array([[0.75, 0.25], [0.25, 0.75]]))
    np.save(near, np.array([[0.75, 0.25], [0.25, 0.751]]))
    text.write_bytes(b"hello")
    assert load_mechanism(good) == named_mechanism("warner:3/4")
    with pytest.raises(InvalidMechanismError, match=r"received the sum 1.001; .*rropt repair"):
        load_mechanism(near)
    commands = [
        ["compare", "--admissible", str(good)],
        ["privacy", "--level", "posterior:1/5,1/2", str(good)],
        ["compare", str(good), "warner:3/4"],
        ["plan", "margin", "0.05", "--mechanism", str(good), "--prevalence", "1/10"],
    ]
    for command in commands:
        assert cli(*command)[0] == 0
        for file, words in ((near, "does not sum to 1: received the sum 1.001"), (text, "not a .npy file of numbers")):
            status, out, err = cli(*(str(file) if part == str(good) else part for part in command))
            assert (status, out, err.count("\n")) == (2, "", 1)
            assert words in err
            assert "pickle" not in err


def test_what_numpy_says_of_foreign_files_is_not_passed_on(tmp_path: Path) -> None:
    file = tmp_path / "garbage.npy"
    file.write_bytes(b"hello")
    with pytest.raises(FileFormatError, match=r"is not a \.npy file of numbers.*numpy\.save") as refused:
        load_raw_matrix(file)
    assert "trust" not in str(refused.value)
    assert "pickle" not in str(refused.value)


def test_a_result_stands_for_its_mechanism() -> None:
    found = rropt.inference.estimate("warner:3/4", yes=1, n=3)
    assert rropt.inference.estimate(found, yes=1, n=3) == found
    assert rropt.compare(found, "warner:3/4", fast=True).relation == "equivalent"
    assert rropt_fieldwork.sheet(found, "Q?").mechanism == found.mechanism
    assert rropt.audit_privacy(found) == rropt.audit_privacy(found.mechanism)
    assert repr(found).startswith("<Estimate n=3 ")
    assert "=5/6" not in repr(found)  # no piece of a list
    with pytest.raises(InvalidParameterError, match=r"received prevalence 1/6 .*, of type Estimate; .*`certificate`"):
        rropt.check(found)


def test_the_mechanism_of_a_certificate_is_the_one_that_is_checked(tmp_path: Path) -> None:
    """A key ``played``, which the checker refuses, does not take its place; in a result it does, as in ``--output``."""
    best, other = named_mechanism("warner:3/4"), named_mechanism("warner:99/100")
    stated = {"mechanism": best.to_dict(), "played": other.to_dict()}
    (tmp_path / "c.json").write_text(json.dumps({"format": "2", "claim": stated}))
    (tmp_path / "r.json").write_text(json.dumps({"result": "Solution", **stated}))
    assert load_mechanism(tmp_path / "c.json").matrix == best.matrix
    assert load_mechanism(tmp_path / "r.json").matrix == other.matrix
