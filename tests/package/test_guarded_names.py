"""No oracle, vector, mutant or published figure disappears without a named successor (tests/guarded_names.py)."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

TESTS = Path(__file__).parents[1]
SCRIPT = TESTS / "guarded_names.py"


@pytest.fixture(scope="module")
def guard() -> ModuleType:
    """The script as a module; it imports nothing of rropt."""
    spec = importlib.util.spec_from_file_location("guarded_names", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.full_size
def test_no_guarded_name_has_disappeared() -> None:
    """In the gate `.ci/run` runs the script itself."""
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip().endswith(" 0 missing")


def test_every_kind_is_guarded(guard: ModuleType) -> None:
    names, _ = guard.listed(guard.LIST.read_text(encoding="utf-8"))
    kinds = Counter(kind for kind, _ in names.elements())
    assert set(kinds) == set(guard.KINDS)
    assert kinds["vector"] >= 2000
    assert min(kinds["oracle"], kinds["mutant"], kinds["figure"]) >= 100


def test_the_gate_looks_at_the_list_and_counts_nothing() -> None:
    gate = (TESTS.parent / ".ci" / "run").read_text(encoding="utf-8")
    assert "tests/guarded_names.py" in gate
    assert "FLOOR" not in gate


THERE = Counter({("oracle", "new"): 1, ("oracle", "newer"): 1, ("vector", "v-1"): 1, ("vector", "twice"): 1})
LISTS = {
    "there": ("vector v-1", []),
    "gone": ("vector v-2", ["vector v-2: disappeared"]),
    "another kind": ("mutant v-1", ["mutant v-1: disappeared"]),
    "one of two": ("vector twice\nvector twice", ["vector twice: disappeared (found 1 times, listed 2 times)"]),
    "succeeded": ("oracle old -> oracle new", []),
    "a successor that is gone": ("oracle old -> oracle none", ["oracle old: its successor oracle none is not there"]),
    "a chain": ("oracle older -> oracle old\noracle old -> oracle new", []),
    "a circle": ("oracle a -> oracle b\noracle b -> oracle a", ["oracle a: its successor", "oracle b: its successor"]),
}


@pytest.mark.parametrize("case", LISTS)
def test_what_is_missing(guard: ModuleType, case: str) -> None:
    text, expected = LISTS[case]
    found = guard.missing(text, THERE)
    assert len(found) == len(expected)
    assert all(line.startswith(start) for line, start in zip(found, expected, strict=True))


def test_a_line_that_is_none_is_refused(guard: ModuleType) -> None:
    with pytest.raises(ValueError, match="line 2 is invalid"):
        guard.listed("# a remark\nsomething else\n")


def test_new_names_are_added_and_none_is_taken_away(guard: ModuleType) -> None:
    text = "# head\noracle old -> oracle new\nvector gone\n"
    longer = guard.extended(text, THERE)
    assert set(text.splitlines()) < set(longer.splitlines())
    assert {"oracle new", "oracle newer", "vector v-1", "vector twice"} <= set(longer.splitlines())
    assert guard.extended(longer, THERE) == longer


def test_what_is_taken_out_of_a_copy_is_noticed(guard: ModuleType, tmp_path: Path) -> None:
    """A vector, an entry of a table of mutants, a test against an oracle, and an entry of the registry."""
    tests, claims = tmp_path / "tests", tmp_path / "proofs"
    for name in ("vectors/pattern.jsonl", "test_mutants.py", "test_orbit_rule.py"):  # of the size that is needed
        (tests / "checker" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TESTS / "checker" / name, tests / "checker" / name)
    paper = next((TESTS.parent / "proofs").rglob("theorem_12_privacy.py")).parent
    shutil.copytree(paper, claims / paper.name, ignore=shutil.ignore_patterns("__pycache__"))
    before = guard.found(tests, claims)
    file = next(tests.rglob("vectors/pattern.jsonl"))
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    next(claims.rglob("theorem_12_privacy.py")).unlink()
    mutants = next(tests.rglob("test_mutants.py"))
    mutants.write_text(
        mutants.read_text(encoding="utf-8").replace('    "bent",\n', "").replace("def test_", "def toast_", 1),
        encoding="utf-8",
    )
    gone = set(before - guard.found(tests, claims))
    assert {("mutant", "MUTANTS: bent"), ("figure", "ziani.theorem-12-privacy")} <= gone
    assert {kind for kind, _ in gone} >= {"vector", "mutant", "figure"}
    assert len(gone) <= 10  # and nothing else
    assert len(guard.missing("\n".join(" ".join(pair) for pair in before.elements()), before - Counter(gone))) == len(
        gone
    )
