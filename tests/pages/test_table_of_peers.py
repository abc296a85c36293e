"""The table of peers (``make bench``): it runs every script to the end, whatever one of them does."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location("table_of_peers", FOLDER / "table.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_does_not_end_at_a_script_that_fails(
    table: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "breaks.py").write_text("print('early | 1 s | 2 s | 0.5 | 1 | yes'); raise SystemExit(3)")
    (tmp_path / "measures.py").write_text(
        f"import sys; sys.path.insert(0, {str(FOLDER)!r})\n"
        "from side_by_side import absent, line\n"
        "print('prose'); line('work', 3.0, 1.0, 2.0); absent('other', 'peer', 1.5)\n"
    )
    monkeypatch.setattr(table, "FOLDER", tmp_path)
    monkeypatch.setattr(table, "SCRIPTS", [["breaks.py"], ["measures.py"]])
    assert table.main([]) == 1
    printed = capfd.readouterr().out.split("\n\n")[1].splitlines()
    cells = [[cell.strip() for cell in line.split(" | ")] for line in printed]
    assert cells == [
        ["work", "rropt", "peer", "ratio", "asked", "met"],
        ["early", "1 s", "2 s", "0.5", "1", "yes"],
        ["breaks.py", "failed with exit status 3", "-", "-", "-", "NO"],
        ["work", "3 s", "1 s", "3", "2", "NO"],
        ["other", "-", "not measured: peer is not installed", "-", "1.5", "-"],
    ]
    assert table.main(["measures"]) == 0


def test_every_script_of_the_table_is_there(table: ModuleType) -> None:
    assert all((FOLDER / script[0]).is_file() for script in table.SCRIPTS)
    assert "side_by_side" in sys.modules


def test_headings_of_scripts_are_no_lines_of_the_table(table: ModuleType) -> None:
    """``sampling.py`` prints its own heading, with the name of its peer."""
    source = (FOLDER / "sampling.py").read_text()
    headings = [text for text in source.split('"') if text.startswith("work | ")]
    assert headings
    assert not any(map(table.is_line, [*headings, table.HEAD]))
    assert table.is_line("k-ary | 1.00 ms | 2.00 ms | 0.50 | 2.0 | yes")


def test_a_peer_measures_in_a_process_of_its_own(table: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    measuring = sys.modules["side_by_side"].measuring
    monkeypatch.setenv("RROPT_PEER_PYTHON", sys.executable)
    with measuring("def measured(*each):\n    return sum(each)\n") as measured:
        assert [measured(1, 2), measured(3)] == [3, 3]
    with measuring("import no_such_peer\n") as missing:
        assert missing is None
    with measuring("def measured():\n    return 1 // 0\n") as broken, pytest.raises(RuntimeError, match="ZeroDivision"):
        broken()
