"""No oracle, vector, boundary case, mutant or published figure disappears silently (tests/counts.py)."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from pathlib import Path
from types import ModuleType

import pytest

TESTS = Path(__file__).parents[1]
SCRIPT = TESTS / "counts.py"


@pytest.fixture(scope="module")
def counts() -> ModuleType:
    """The script as a module; it imports nothing of rropt."""
    spec = importlib.util.spec_from_file_location("counts", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LOST = {
    "vector": "tests/checker/vectors/parity-bound.jsonl",
    "boundary": "rropt/checker/conformance/witnesses.jsonl",
    "dropped": "tests/checker/dropped_witnesses.jsonl",
    "weakened": "tests/checker/weaker.jsonl",
    "figure": "tests/fieldwork/api/figures.csv",
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the files that the test below changes."""
    extra = ("tests/designs/orders_oracles.py", "tests/registry/quotations.json", "rropt/testing/optima.py")
    for name in (*LOST.values(), *extra, "proofs/rropt_proofs/results.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TESTS.parent / name, tmp_path / name)
    return tmp_path


def _without(path: Path, pattern: str, replacement: str = "") -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(pattern, replacement, text, count=1), encoding="utf-8")


def test_whatever_is_taken_out_lowers_one_count(counts: ModuleType, copy: Path) -> None:
    before = counts.found(copy)
    assert not counts.below(counts.written(before), before)
    for name in LOST.values():
        _without(copy / name, r"\n[^\n]*\n?\Z", "\n")
    _without(copy / "tests/designs/orders_oracles.py", r"\ndef (?!_)", "\ndef _")
    _without(copy / "rropt/testing/optima.py", r"yield DesignRow\(", "yield dict(")
    results = copy / "proofs/rropt_proofs/results.json"
    record = json.loads(results.read_text(encoding="utf-8"))
    record["claims"].pop("ziani.theorem-12-privacy")
    results.write_text(json.dumps(record), encoding="utf-8")
    _without(copy / "tests/registry/quotations.json", r'"ziani": \[17,', '"ziani": [16,')
    gone = before - counts.found(copy)
    assert set(gone.values()) == {1}
    assert {(kind, group) for kind, group in gone if kind != "boundary"} == {
        ("vector", "parity-bound"),
        ("mutant", "dropped"),
        ("figure", "R/api"),
        ("mutant", "weakened"),
        ("oracle", "designs"),
        ("optimum", "testing"),
        ("quotation", "ziani"),
        ("figure", "ziani"),
    }
    assert sum(kind == "boundary" for kind, _ in gone) == 1
    assert len(counts.below(counts.written(before), counts.found(copy))) == 9
