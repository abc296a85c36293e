"""The fingerprint of a claim: it changes with the code of the engine, and with nothing else of the engine's files."""

from __future__ import annotations

import ast
import re
import shutil
import sys
from pathlib import Path

import pytest

import rropt
from rropt.claims import fingerprints
from rropt.claims.fingerprints import ENGINE, code_of, engine_hash, fingerprint

ROOT = Path(rropt.__file__).parent
FILES = [file for folder in ENGINE for file in sorted((ROOT / folder).rglob("*.py"))]

# Parts of rropt.core that compute nothing: a change of them cannot change an outcome.
TEXTS = {"attached_methods", "errors", "files", "lazy", "limits", "mappings", "results", "visible"}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the engine's sources."""
    for folder in ENGINE:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def changed(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def hash_of(tree: Path) -> str:
    engine_hash.cache_clear()
    return engine_hash(tree)


def without_docstrings(source: str) -> str:
    """Return the syntax tree as text; an empty string stands in place of each docstring."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            first = node.body[0]
            assert isinstance(first, ast.Expr)
            assert isinstance(first.value, ast.Constant)
            first.value.value = ""
    return ast.dump(tree)


def test_the_code_of_a_file_is_its_syntax_tree_without_docstrings() -> None:
    assert len(FILES) > 60
    for file in FILES:
        source = file.read_text(encoding="utf-8")
        code = code_of(source)
        assert ast.dump(ast.parse(code)) == without_docstrings(source), file
        assert not re.search(r"\n\s*\n|\n\s*#", code) or '"""' in code, file


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ('x = "#1"  # 2\n', 'x = "#1"'),
        ("x = '\\'#'  # 2\n", "x = '\\'#'"),
        ('x = """\n\n# 1\n"""\n', 'x = """\n\n# 1\n"""'),
        ('"""One.\n\nTwo "three" \\"""four."""\nx = 1\n', '""\nx = 1'),
        ('class A:\n    # why\n\n    r"""Text."""\n', 'class A:\n    ""'),
        ("", ""),
        ("# one\n\n\n# two\n", ""),
    ],
    ids=["quoted", "escaped", "long", "docstring", "class", "empty", "comments"],
)
def test_what_is_kept_of_a_source(source: str, code: str) -> None:
    assert code_of(source) == code


def test_comments_docstrings_line_endings_and_compiled_files_change_nothing(tree: Path) -> None:
    before = hash_of(tree)
    assert before == hash_of(ROOT)
    relations = tree / "claims" / "relations.py"
    changed(relations, "\n\n\n", "\n\n\n# a remark\n\n\n")
    changed(relations, '"""', '"""Another summary.\n\n')
    (tree / "claims" / "__pycache__").mkdir()
    (tree / "claims" / "__pycache__" / "relations.pyc").write_bytes(b"\0")
    (tree / "core" / "errors.py").write_text("x = 1\n", encoding="utf-8")
    for file in tree.rglob("*.py"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert hash_of(tree) == before


def test_a_change_of_code_changes_the_hash(tree: Path) -> None:
    seen = {hash_of(tree)}
    changed(tree / "claims" / "relations.py", "return ", "return  not ")
    seen.add(hash_of(tree))
    changed(tree / "core" / "exact" / "brackets.py", " + ", " - ")
    seen.add(hash_of(tree))
    (tree / "claims" / "anchors" / "added.py").write_text("x = 1\n", encoding="utf-8")
    seen.add(hash_of(tree))
    (tree / "claims" / "anchors" / "added.py").rename(tree / "claims" / "added.py")
    seen.add(hash_of(tree))
    assert len(seen) == 5


def test_the_fingerprint_of_a_claim_contains_the_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[__name__]
    before = fingerprint(module)
    assert fingerprint(module) == before
    assert fingerprint(before) == before
    monkeypatch.setattr(fingerprints, "engine_hash", lambda: "another")
    assert fingerprint(module) != before


def test_the_engine_imports_code_from_its_own_folders() -> None:
    """What it imports beside them computes nothing, or is the checker, for which the format stands."""
    own = {folder.replace("/", ".") for folder in ENGINE}
    found = {
        name
        for file in FILES
        for name in re.findall(r"^\s*from rropt\.(\w+(?:\.\w+)?)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    others = {name for name in found if not any(name == each or name.startswith(f"{each}.") for each in own)}
    assert {name for name in others if not name.startswith("checker")} == {f"core.{name}" for name in TEXTS} & others
    assert others & {f"core.{name}" for name in TEXTS}
