"""The count of code lines, and the packages that keep to their limits."""

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
    assert results.attempted == 1
    assert results.failed == 0


@pytest.mark.parametrize("name", sorted(code_size.LIMITS))
def test_a_package_keeps_to_its_limits(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = code_size.modules(code_size.ROOT / name)
    assert len(files) >= 9
    assert code_size.line(name, files, code_size.LIMITS[name]), capsys.readouterr().out


def test_a_limit_that_is_broken_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / "one.py", tmp_path / "two.py"]
    for file in files:
        file.write_text("x = 1\ny = 2\n", encoding="utf-8")
    assert code_size.line("both", files, (4, 2))
    assert "over" not in capsys.readouterr().out
    for limit, word in (((3, None), "code"), ((None, 1), "files")):
        assert not code_size.line("both", files, limit)
        assert capsys.readouterr().out.rstrip().endswith(f"over the limit: {word}")
    files[0].write_text("# a line\n" * (code_size.LONGEST_FILE + 1), encoding="utf-8")
    assert not code_size.line("both", files)
    assert "longest file" in capsys.readouterr().out
