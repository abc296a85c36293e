"""Packages of others: found, named where they are skipped, in error where they are broken, imported one by one."""

from __future__ import annotations

import re
import sys
from importlib import invalidate_caches
from pathlib import Path

import pytest

from rropt.claims import find_claims, run_claim
from rropt.claims.registry import skipped_files

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "add-a-claim.md"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package as the page makes it, typed literally but for the installation."""
    (recipe,) = (
        block for block in re.findall(r"```sh[^\n]*\n(.*?)```", PAGE.read_text(), re.DOTALL) if "my_claims" in block
    )
    name = re.search(r"^(my_\w+) = \"(\w+)\"$", recipe, re.MULTILINE)
    assert name is not None
    import rropt_proofs

    folder = tmp_path / name[2]
    (folder / "template").mkdir(parents=True)
    for part in (folder, folder / "template"):
        (part / "__init__.py").write_text("")
    template = (Path(rropt_proofs.__path__[0]) / "_template.py").read_text()
    (folder / "template" / "warner_parity.py").write_text(template)
    info = tmp_path / "my_claims-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-claims\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[rropt.claims]\n{name[1]} = {name[2]}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    _forget()
    yield folder
    _forget()


def _forget() -> None:
    """Leave nothing imported that an earlier package of the same name has brought."""
    for module in [module for module in sys.modules if module.startswith("my_claims")]:
        del sys.modules[module]
    invalidate_caches()


def test_one_claim_is_imported_alone(package: Path) -> None:
    (package / "template" / "other.py").write_text("raise RuntimeError('imported')\n")
    before = set(sys.modules)
    found = find_claims(["template.warner-parity"])
    assert set(found) == {"template.warner-parity"}
    assert run_claim(found["template.warner-parity"][0]).verdict == "holds"
    new = {name for name in set(sys.modules) - before if name.startswith(("my_claims", "rropt_proofs."))}
    assert new == {"my_claims", "my_claims.template", "my_claims.template.warner_parity"} - before


@pytest.mark.parametrize("text", ["import nothing_like_that\n", "def f(:\n", "1/0\n"])
def test_a_broken_file_is_one_entry_in_error(package: Path, text: str, cli_json) -> None:
    (package / "template" / "broken_one.py").write_text(text)
    found = find_claims(["template"])
    assert set(found) == {"template.broken-one", "template.warner-parity"}
    outcome = run_claim(found["template.broken-one"][0])
    assert outcome.verdict == "error"
    assert "my_claims.template.broken_one cannot be imported" in outcome.problems[0]


def test_what_is_no_claim_is_an_entry_in_error(package: Path) -> None:
    (package / "template" / "other.py").write_bytes(b"# coding: latin-1\n# caf\xe9\nCLAIM = {}\n")
    outcome = run_claim(find_claims(["template.other"])["template.other"][0])
    assert outcome.verdict == "error"
    assert "my_claims.template.other holds a CLAIM that is no Claim: received {}" in outcome.problems[0]
    assert skipped_files() == []


def test_a_file_that_is_skipped_is_named(package: Path) -> None:
    (package / "template" / "_hidden.py").write_text("CLAIM = None\n")
    (package / "template" / "_helper.py").write_text("x = 1\n")
    (package / "template" / "forgotten.py").write_text("claim = 1\n")
    (package / "loose").mkdir()
    (package / "loose" / "lost.py").write_text("CLAIM = 1\n")
    assert skipped_files() == [
        "my_claims.template._hidden is skipped: its name begins with an underscore",
        "my_claims.template.forgotten is skipped: it has no object CLAIM",
        "my_claims/loose is skipped: the folder has no __init__.py",
    ]


def test_a_claim_that_another_module_holds_is_not_called_skipped(package: Path) -> None:
    text = "from dataclasses import replace\nfrom my_claims.template import warner_parity as it\n"
    text += 'if it:\n    CLAIM = replace(it.CLAIM, id="template.again")\n'
    (package / "template" / "again.py").write_text(text)
    assert set(find_claims(["template"])) == {"template.again", "template.warner-parity"}
    assert skipped_files() == []
