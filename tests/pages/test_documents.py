"""The files that others rely on stay true: paths, links, versions, extras, make targets, papers and the sdist."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import quick

import rropt
import rropt_proofs
from rropt.claims.verifying import load_record

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION = PROJECT["project"]["version"]
OURS = ("rropt", "proofs", "tests", "docs", "examples", "benchmarks", "kernels")
PAGES = sorted(
    [*ROOT.glob("*.md"), *(page for name in OURS for page in (ROOT / name).rglob("*.md") if ".venv" not in page.parts)]
)
NEW = ("LICENSE", "CITATION.cff", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def _prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def test_the_files_are_there_and_are_shipped() -> None:
    shipped = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    for name in (*NEW, "README.md", "Makefile"):
        assert (ROOT / name).stat().st_size > 100, name
        assert name in shipped, name
    for name in (*OURS, ".ci"):
        assert name in shipped or not (ROOT / name).exists(), name
    assert PROJECT["project"]["license-files"] == ["LICENSE"]
    assert PROJECT["project"]["license"] == "Apache-2.0"
    assert _text("LICENSE").split()[:4] == ["Apache", "License", "Version", "2.0,"]
    assert "END OF TERMS AND CONDITIONS" in _text("LICENSE")


def test_links_lead_somewhere() -> None:
    """Links between the pages of the repository, and to headings of a page."""
    found = 0
    for page in PAGES:
        for target in re.findall(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)", _prose(page)):
            if re.match(r"[a-z]+:", target) or re.search(r"(?:(?:commands|api)/index|results)\.md$", target):
                continue  # the reference that is made when the site is built: test_site.py follows these
            path, _, heading = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            assert file.exists(), f"{page.relative_to(ROOT)} links to {target}, which is not there"
            if heading:
                titles = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
                anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
                assert heading in anchors, f"{page.relative_to(ROOT)} links to {target}, which has no such heading"
            found += 1
    assert found >= 20


def _paths(text: str) -> Iterator[str]:
    """Yield what prose names as a folder, or as a file below one, between backticks."""
    for word in re.findall(r"`([^`\s]+)`", text):
        if re.fullmatch(r"(?:[\w.-]+/)+", word) or (
            re.fullmatch(r"(?:[\w.-]+/)+[\w-]+\.(?:py|md|json|jsonl|toml|txt|csv|ipynb|gz|js|v)", word)
        ):
            yield word


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
def test_folders_and_files_that_are_named_exist(name: str) -> None:
    """From the root, as a reader finds them."""
    for word in _paths(_text(name) if name != "README.md" else _prose(ROOT / name)):
        assert (ROOT / word).exists(), f"{name} names {word}, which is not there"


def test_the_readme_names_its_folders() -> None:
    named = set(_paths(_prose(ROOT / "README.md")))
    assert {"rropt/checker/", "rropt/designs/", "rropt/survey/tables/", "docs/", "tests/", "examples/"} <= named
    assert list(_paths("`closed_form/` and `a/b.py`, but `log(2)/3` and `forced:2/3,1/6` are none")) == [
        "closed_form/",
        "a/b.py",
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_page_names_a_path_of_one_machine(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    paths = re.findall(r"(?<![\w./:*~-])/(?:work|home|root|tmp|Users|opt|srv|mnt|var|usr/local)/[^\s`)]*", text)
    assert paths == []
    assert re.findall(r"\b[A-Z]:\\\\?\w+", text) == []


def test_versions_agree() -> None:
    """Of the project, of the citation, and the latest one of the changelog; the installed one where there is one."""
    (cited,) = re.findall(r"^version: (\S+)$", _text("CITATION.cff"), re.MULTILINE)
    released = re.findall(r"^## (\d+\.\d+\.\d+)", _text("CHANGELOG.md"), re.MULTILINE)
    assert cited == VERSION == released[0]
    assert released == sorted(released, key=lambda version: [int(part) for part in version.split(".")], reverse=True)


def test_the_citation_names_the_papers_of_the_registry() -> None:
    text = " ".join(_text("CITATION.cff").split())
    papers = {name.split(".")[0] for name in load_record(Path(rropt_proofs.__path__[0]) / "results.json")} - {"rropt"}
    assert set(re.findall(r"Claims `(\w+)` of the registry", text)) == papers
    for name in papers:
        title = " ".join(_paper_title(name).split())
        authors, _, what = title.partition(": ")
        assert _words(re.sub(r" \(\d{4}\)", "", what)) in _words(text), name
        for author in re.split(", | and ", authors):
            given, _, family = author.strip().rpartition(" ")
            assert f"given-names: {given} family-names: {family}" in text, author
    assert "doi" not in text.lower()  # none is stated by the papers' texts
    assert text.startswith("cff-version: 1.2.0 message: ")


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _paper_title(name: str) -> str:
    from importlib import import_module

    return import_module(f"rropt_proofs.{name}").PAPER.title


def test_make_targets_that_are_named_exist() -> None:
    targets = set(re.findall(r"^([\w-]+):", _text("Makefile"), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"`make ([\w-]+)", page.read_text(encoding="utf-8")))
        assert named <= targets, page.name
    assert {"quick", "test", "lint", "install-test"} <= targets
    assert set(re.findall(r"^\.PHONY: (.*)$", _text("Makefile"), re.MULTILINE)[0].split()) == targets


def test_the_security_page_is_kept() -> None:
    """What it says of randomness and of the checker's imports has tests of its own; here: the source and the way."""
    text = _text("SECURITY.md")
    assert "security advisories" in text
    assert re.search(r"[\w.]+@[\w.]+\.\w+", text) is None  # no address that nobody reads
    assert "os.urandom" in text
    assert any(
        "os.urandom" in file.read_text("utf-8") for file in (ROOT / "rropt" / "mechanisms" / "sampling").glob("*.py")
    )
    for file in (ROOT / "rropt" / "mechanisms" / "sampling").glob("*.py"):
        assert not re.search(r"^\s*(import|from) random\b", file.read_text("utf-8"), re.MULTILINE), file.name


def test_make_quick_runs_the_list() -> None:
    done = subprocess.run(
        [sys.executable, str(Path(quick.__file__))], capture_output=True, text=True, check=True, cwd="/"
    )
    assert done.stdout.split() == list(dict.fromkeys(node for node, _ in quick.entries()))
    assert "support/quick.py" in _text("Makefile")


def test_the_first_command_of_the_readme_is_the_example_that_reads_a_file() -> None:
    (first, *_) = re.findall(r"```sh\n(.*?)```", _text("README.md"), re.DOTALL)
    assert "examples/nigeria_survey.py" in first
    assert "estimate_table" in _text("examples/nigeria_survey.py")
    assert rropt.estimate_table is not None


FACES = ("", ".survey", ".mechanisms", ".privacy", ".designs", ".objectives", ".plots", ".plots.data", ".reports")


def test_public_functions_describe_their_arguments() -> None:
    """A public function with two parameters or more has a section ``Args`` in its documentation."""
    faces = [importlib.import_module(f"rropt{name}") for name in FACES]
    public = {getattr(face, name) for face in faces for name in face.__all__ if inspect.isfunction(getattr(face, name))}
    several = [function for function in public if len(inspect.signature(function).parameters) >= 2]
    assert len(several) >= 100
    assert not sorted(f.__qualname__ for f in several if "Args:" not in (inspect.getdoc(f) or ""))
