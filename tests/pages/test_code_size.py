"""The count of code lines."""

from __future__ import annotations

import doctest
import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "code_size.py"
_spec = importlib.util.spec_from_file_location("code_size", SCRIPT)
assert _spec is not None
assert _spec.loader is not None
code_size = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(code_size)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("# one\n\n# two\n", 0),
        ('"""One.\n\nTwo.\n"""\nx = 1\n', 1),
        ('x = """one\n\ntwo"""\n', 3),
        ('class A:\n    """One."""\n\n    x: int\n    """Two."""\n', 2),
        ("def f() -> None: ...  # one\n\n\nf(\n    # two\n)\n", 3),
    ],
)
def test_lines_of_code(text: str, count: int) -> None:
    assert code_size.code_lines(text) == count


def test_the_example() -> None:
    results = doctest.testmod(code_size)
    assert results.attempted == 2
    assert results.failed == 0


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("from a import (\n    b,\n    c,\n)\nimport d, e\nx = 1\n", 1),
        ("if x:\n    import a\nelse:\n    a = None\n", 3),
        ('"""Import."""\nimported = "import a"\n', 1),
    ],
)
def test_lines_without_imports(text: str, count: int) -> None:
    assert code_size.code_lines(text, imports=False) == count
    assert code_size.code_lines(text) > count or "imported" in text


def test_a_package_is_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text("x = 1\ny = 2\n\n", encoding="utf-8")
    code_size.line("both", code_size.modules(tmp_path), imports=True)
    assert capsys.readouterr().out.split() == ["both", "4", "2", "3"]
