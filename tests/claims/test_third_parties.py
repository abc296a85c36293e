"""Packages of others: found, named where they are skipped, in error where they are broken, read one paper at a time."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import invalidate_caches
from pathlib import Path

import pytest

import rropt
from rropt.claims import find_claims, judging, run_claim
from rropt.claims.registry import skipped_files

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "add-a-claim.md"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package as the page makes it, typed literally but for the installation."""
    text = PAGE.read_text()
    (recipe,) = (block for block in re.findall(r"```sh[^\n]*\n(.*?)```", text, re.DOTALL) if "my_claims" in block)
    files = dict(re.findall(r"^cat > my_claims/template/(\S+) <<'END'\n(.*?)^END$", recipe, re.DOTALL | re.MULTILINE))
    name = re.search(r"^(my_\w+) = \"(\w+)\"$", recipe, re.MULTILINE)
    assert name is not None
    folder = tmp_path / name[2]
    (folder / "template").mkdir(parents=True)
    for part in (folder, folder / "template"):
        (part / "__init__.py").write_text("")
    for file, content in files.items():
        (folder / "template" / file).write_text(content)
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


def test_one_paper_is_imported_alone(package: Path) -> None:
    other = package / "other"
    other.mkdir()
    (other / "__init__.py").write_text("raise RuntimeError('imported')\n")
    (other / "rows.toml").write_text("")
    before = set(sys.modules)
    found = find_claims(["template.warner-entries"])
    assert set(found) == {"template.warner-entries"}
    assert run_claim(found["template.warner-entries"][0]).verdict == "holds"
    new = {name for name in set(sys.modules) - before if name.startswith(("my_claims", "rropt_proofs."))}
    assert new == {"my_claims", "my_claims.template", "my_claims.template._rows"} - before


@pytest.mark.slow
def test_the_page_s_package_is_judged_in_its_process(package: Path) -> None:
    (outcome,) = rropt.verify("template.*").values()
    assert (outcome.id, outcome.verdict, outcome.evidence) == ("template.warner-entries", "not-refuted", "tested")


@pytest.mark.parametrize("text", ["import nothing_like_that\n", "def f(:\n", "1/0\n"])
def test_a_broken_file_is_one_entry_in_error(package: Path, text: str) -> None:
    (package / "template" / "more_rows.toml").write_text('paper = "template"\nsource = "x"\n')
    (package / "template" / "_more_rows.py").write_text(text)
    found = find_claims(["template"])
    assert set(found) == {"template.more-rows", "template.warner-entries"}
    outcome = run_claim(found["template.more-rows"][0])
    assert outcome.verdict == "error"
    assert "my_claims.template.more_rows cannot be read" in outcome.problems[0]


@pytest.mark.slow
def test_a_claim_of_a_file_that_cannot_be_read_says_so(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In one line, with the reason of the file, in place of a list of papers."""
    from rropt.cli.main import main

    (package / "template" / "cards.toml").write_text('paper = "template"\n[card."a"]\nsays = ["1 = "]\n')
    assert main(["verify", "template.a"]) == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "no claim matches" in line]
    assert "the file my_claims.template.cards cannot be read: CardError: " in line
    assert "card 'a'" in line


def test_a_wrong_row_is_an_entry_in_error(package: Path) -> None:
    file = package / "template" / "rows.toml"
    file.write_text(file.read_text().replace("real 0 1", "complex"))
    (found,) = find_claims(["template"]).values()
    outcome = run_claim(found[0])
    assert outcome.verdict == "error"
    assert "unknown type 'complex'" in outcome.problems[0]


def test_what_is_skipped_is_named(package: Path) -> None:
    assert skipped_files() == []
    loose = package / "loose"
    loose.mkdir()
    (loose / "cards.toml").write_text("")
    assert skipped_files() == ["my_claims/loose is skipped: the folder has no __init__.py"]
    for file in (loose / "cards.toml", package / "template" / "rows.toml"):
        file.unlink()
    assert skipped_files() == ["my_claims is skipped: it has no cards.toml and no rows.toml"]


def test_a_file_of_cards_that_takes_too_long_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is no package: the message names the file, the limit, and that a card can be split."""
    file = tmp_path / "mine.toml"
    file.write_text(
        'paper = "mine"\n[card."square"]\nprinted = "x"\nfor = ["x real"]\nsays = ["x^2 >= 0"]\nfalse = ["x^2 >= 1"]\n'
    )

    def late(*_: object) -> Iterator[dict[str, object]]:
        yield {"claims": []}
        raise judging._LateError("has used up its time")

    monkeypatch.setattr(judging, "_list", lambda *_: None)
    monkeypatch.setattr(judging, "_messages", late)
    found = judging.judged(str(file), [], seconds=5)
    assert found.failure is not None
    problem = found.failure.printed
    assert f"the file {file} has used up its time" in problem
    assert "allow more than 5 seconds with --time-limit, or split the card" in problem
