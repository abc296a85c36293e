"""Hostile files: each is rejected with one printable line, and nothing is raised (``asking.ask``)."""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from pathlib import Path
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from adversary import hostile
from adversary.asking import ask
from adversary.boundary import oracle
from few_rows import few_rows

import rropt
from rropt.checker import check_file, every_level, rays_way, verdicts
from rropt.checker.design_bound import DesignBound
from rropt.checker.divergence_level import matrix_laws
from rropt.checker.documents import Rejected, WorkBudget
from rropt.checker.rays_way import Lines


@pytest.fixture(scope="module")
def text() -> str:
    """An honest certificate with every kind of field: a power, an exponential, an optimal set."""
    problem = rropt.Problem.binary("0", epsilon="2/3*log(5/2)", delta="exp(-10)")
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


def _of_sets(count: int, k: int, end: str) -> str:
    """Return a file of every-level with so many rows, each with a set of k inputs that ends so."""
    rows = [["0", "0" * (k - len(end) - 8) + f"{i:08b}" + end, f"1/{i + 2}"] for i in range(count)]
    piece = {"to": ["2"], "value": ["0", "0", "0"], "rows": rows}
    problem = {"costs": [["0"] * k], "from": ["1"], "to": ["2"]}
    parts = {"problem": problem, "claim": {"pieces": [piece]}, "proof": {"cells": [[]]}}
    return json.dumps({"format": "2", "statement": "every-level", **parts})


@pytest.mark.parametrize(("end", "reason"), [("1", "more work"), ("x", "no set")])
def test_texts_of_sets_are_read_once_and_charged_before(end: str, reason: str) -> None:
    """A pattern with overlapping repetitions took a minute for each of these texts, and nothing was charged."""
    assert reason in ask(_of_sets(120, 100_000, end)).reason


def test_work_is_charged_before_it_is_done() -> None:
    """Of what a file makes as long as it likes: with little budget nothing is read, nothing is computed."""
    k = 40_000
    costs = every_level._Costs([[0] * k], [0], 1, 1)
    with pytest.raises(Rejected, match="more work"):
        every_level._value_of(costs, [["0", "x" * k, "1"]], WorkBudget(1000))
    lines = Lines([[Fraction(1)] * 2] * 1000, own=False)
    bound = DesignBound([[1, 1]], [], 1, Fraction(2), [], {})
    spent = WorkBudget(10**6)
    rays_way._require_each([[1, 1]] * 10, bound, lines, spent)
    assert 10**6 - spent.left > 20_000
    spent = WorkBudget(10**6)
    matrix_laws([[Fraction(1, 2)] * 30] * 2, spent)
    assert 10**6 - spent.left > 30 * 29 * 10


def _reached(parsed: Any, reached: frozenset[str], inside: bool = False) -> frozenset[str]:
    """Return the characters of repetitions that may still go on after a part of a pattern.

    Raises ``OverlappingError`` where a repetition meets one of the same characters, or one is nested in another one.
    """
    for operation, argument in parsed:
        name = str(operation)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, own = argument
            after = _reached(own, reached, inside or most > 1)
            if most > 1:
                after = frozenset(
                    c for c in map(chr, range(128)) if any(_fits(str(each), part, c) for each, part in own)
                )
                if inside or reached & after:
                    raise OverlappingError
            reached = after if least else after | reached
        elif name == "SUBPATTERN":
            reached = _reached(argument[3], reached, inside)
        elif name == "BRANCH":
            reached = frozenset().union(*(_reached(branch, reached, inside) for branch in argument[1]))
        elif name != "POSSESSIVE_REPEAT":  # which never gives back what it took
            reached = frozenset(c for c in reached if _fits(name, argument, c))
    return reached


class OverlappingError(Exception):
    """Two repetitions of a pattern have characters in common, and nothing else between them."""


def _fits(name: str, argument: Any, character: str) -> bool:
    if name in ("LITERAL", "NOT_LITERAL"):
        return (chr(argument) == character) == (name == "LITERAL")
    if name == "ANY":
        return True
    assert name == "IN", name
    negated, found = False, False
    for kind, own in argument:
        match str(kind):
            case "NEGATE":
                negated = True
            case "RANGE":
                found = found or own[0] <= ord(character) <= own[1]
            case "CATEGORY":
                found = found or character.isalnum() or character == "_"
            case "LITERAL":
                found = found or chr(own) == character
    return found != negated


def overlaps(pattern: str) -> bool:
    """Return whether a reader of the pattern may have to go back again and again."""
    try:
        _reached(_parser.parse(pattern), frozenset())
    except OverlappingError:
        return True
    return False


def test_no_pattern_of_the_checker_goes_back() -> None:
    """No repetition is nested in another one, and none meets one of the same characters: reading is linear."""
    assert overlaps("[01]*1[01]*")
    assert overlaps("[01]+x?[01]+")
    assert overlaps("(?:[01]+)+")
    assert not overlaps("[0-9]+/[0-9]+")
    found = []
    for path in Path(rropt.checker.__file__).parent.rglob("*.py"):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re."):
                pattern = ast.literal_eval(node.args[0])
                found.append(pattern if isinstance(pattern, str) else pattern.decode())
    assert len(found) >= 5
    assert [pattern for pattern in found if overlaps(pattern)] == []
