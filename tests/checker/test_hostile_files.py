"""Hostile files: each is rejected with one printable line, and nothing is raised (``asking.ask``)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import islice

import pytest
from adversary import hostile
from adversary.asking import ask
from adversary.boundary import oracle
from few_rows import few_rows

import rropt
from rropt.checker import check_file, verdicts
from rropt.checker.documents import Rejected, WorkBudget


@pytest.fixture(scope="module")
def text() -> str:
    """An honest certificate with every kind of field: a power, an exponential, an optimal set."""
    problem = rropt.designs.binary_problem(epsilon="2/3*log(5/2)", delta="exp(-10)", prevalence="0")
    return rropt.solve(problem).certificate.text


def _rejected(files: hostile.Files) -> int:
    count = 0
    for what, data in files:
        answer = ask(data)
        assert not answer, f"accepted: {what}"
        count += 1
    return count


@few_rows(1)
@pytest.mark.parametrize(
    ("files", "least"),
    [(hostile.small, 60), (hostile.versions, 40), (hostile.deep, 50), (hostile.long_keys, 280), (hostile.heavy, 40)],
)
def test_a_hostile_file_is_rejected(
    files: Callable[[str], hostile.Files], least: int, text: str, size: Callable[[int, int], int]
) -> None:
    """Of the costly kinds a tenth: neighbours are alike."""
    every = size(10, 1) if files in (hostile.heavy, hostile.deep, hostile.long_keys) else 1
    tried = (file for i, file in enumerate(files(text)) if (i + i // 4) % every == 0)
    assert _rejected(tried) >= least // every


@pytest.mark.slow
def test_a_large_file_is_rejected(size: Callable[[int, int], int]) -> None:
    every = size(4, 1)
    assert _rejected(islice(hostile.large(), 0, None, every)) >= 50 // every


@pytest.mark.slow
def test_a_long_number_is_rejected_in_every_place(text: str, size: Callable[[int, int], int]) -> None:
    tried = 0
    for what, data in hostile.long_numbers(text, size(3, 1)):
        answer = ask(data)
        # where gamma does not matter for the optimum, a long but true end of its bracket is no lie
        is_everywhere = what.endswith("everywhere")
        assert not answer or (oracle.truth(json.loads(data)) and not is_everywhere), f"accepted: {what}"
        tried += 1
    assert tried >= size(128, 380)


def test_a_truncated_file_is_rejected(text: str) -> None:
    data = text.encode()
    assert _rejected((f"the first {i} bytes", data[:i]) for i in range(len(data))) == len(data)
    assert _rejected((f"without the first {i} bytes", data[i:]) for i in range(1, len(data) + 1)) == len(data)


@pytest.mark.slow
def test_random_bytes_never_make_a_lie(text: str, rng: random.Random, size: Callable[[int, int], int]) -> None:
    data, rejected, kept = text.encode(), 0, 0
    for _ in range(size(1_500, 60_000)):
        changed = bytearray(data)
        for _ in range(rng.choice([1, 1, 1, 2, 5])):
            i = rng.randrange(len(changed))
            match rng.randrange(5):
                case 0:
                    changed[i] ^= 1 << rng.randrange(8)
                case 1:
                    changed[i] = rng.randrange(256)
                case 2:
                    del changed[i]
                case 3:
                    changed.insert(i, rng.choice(b'0123456789/-"[]{},: \\'))
                case 4:
                    j = rng.randrange(len(changed))
                    changed[i], changed[j] = changed[j], changed[i]
        verdict = ask(bytes(changed))
        assert not verdict or oracle.truth(json.loads(changed)), bytes(changed)
        rejected, kept = rejected + (not verdict), kept + bool(verdict)
    assert rejected >= size(1_000, 40_000)
    assert kept > 0  # a changed blank between two fields is no lie


def test_a_file_beyond_the_limit_is_not_read_whole(tmp_path: object) -> None:
    path = f"{tmp_path}/sparse.json"
    with open(path, "wb") as stream:  # noqa: PTH123
        stream.truncate(1 << 40)  # a hole of a tebibyte
    verdict = check_file(path)
    assert "bytes" in verdict.reason


def test_a_defect_of_a_rule_is_a_rejection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should a rule ever raise what it must not, the file is not accepted and nobody sees a traceback."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setitem(verdicts._STATEMENTS, "garbling", broken)
    document = {"format": "2", "statement": "garbling", "problem": {}, "claim": {}, "proof": {}}
    verdict = rropt.check(document)
    assert not verdict
    assert "unforeseen error: ZeroDivisionError" in verdict.reason


@pytest.mark.parametrize(
    ("count", "bits", "other", "units"), [(5, 0, 0, 5), (5, 511, 511, 5), (5, 512, 0, 10), (5, 512, 1024, 30)]
)
def test_the_last_unit_of_the_budget_may_be_spent(count: int, bits: int, other: int, units: int) -> None:
    """Both checkers stop at the same unit: one that allows one more would accept what the other rejects."""
    WorkBudget(units).spend(count, bits, other)
    with pytest.raises(Rejected, match="more work"):
        WorkBudget(units - 1).spend(count, bits, other)
