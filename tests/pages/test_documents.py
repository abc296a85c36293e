"""The files that others rely on stay true: paths, links, versions, extras, make targets, papers and the sdist."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION = PROJECT["project"]["version"]
OURS = ("rropt", "fieldwork", "proofs", "tests", "docs", "examples", "benchmarks", "kernels")
INSTALLED = {".venv", "node_modules"}  # others
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(page for name in OURS for page in (ROOT / name).rglob("*.md") if not INSTALLED & {*page.parts}),
    ]
)


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def _prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


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


def test_no_page_names_a_path_of_one_machine() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        paths = re.findall(r"(?<![\w./:*~-])/(?:work|home|root|tmp|Users|opt|srv|mnt|var|usr/local)/[^\s`)]*", text)
        assert paths == [], page.name
        assert re.findall(r"\b[A-Z]:\\\\?\w+", text) == [], page.name


def test_docstrings_describe_results_of_functions_that_return_some() -> None:
    for path in (*(ROOT / "rropt").rglob("*.py"), *(ROOT / "fieldwork").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "Returns:" not in text or ("-> None" not in text and "contextmanager" not in text):
            continue  # to parse a file takes long
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.FunctionDef) or not node.returns:
                continue
            is_manager = "contextmanager" in [ast.unparse(each) for each in node.decorator_list]
            if is_manager or ast.unparse(node.returns) == "None":
                assert "\nReturns:" not in (ast.get_docstring(node) or ""), (path, node.name)


def test_versions_agree() -> None:
    """Of the project, of the citation, and the latest one of the changelog; the installed one where there is one."""
    (cited,) = re.findall(r"^version: (\S+)$", _text("CITATION.cff"), re.MULTILINE)
    released = re.findall(r"^## (\d+\.\d+\.\d+)", _text("CHANGELOG.md"), re.MULTILINE)
    assert cited == VERSION == released[0]
    assert released == sorted(released, key=lambda version: [int(part) for part in version.split(".")], reverse=True)


def test_make_targets_that_are_named_exist() -> None:
    targets = set(re.findall(r"^([\w-]+):", _text("Makefile"), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"`make ([\w-]+)", page.read_text(encoding="utf-8")))
        assert named <= targets, page.name
    assert {"quick", "test", "lint", "install-test"} <= targets
    assert set(re.findall(r"^\.PHONY: (.*)$", _text("Makefile"), re.MULTILINE)[0].split()) == targets


def test_types_of_claims_in_rows_are_listed() -> None:
    from rropt.claims.rows import _ALLOWED

    page = _text("docs/howto/add-a-claim.md")
    (text,) = re.findall(r"The types of variables are (.*?) is a `Domain`", page, re.DOTALL)
    assert sorted(re.findall(r"`(\w+)[^`]*`", text)) == sorted(_ALLOWED.split(", "))


@pytest.mark.parametrize(
    "name",
    [
        "docs/howto/estimate-a-file.md",
        "fieldwork/rropt_fieldwork/reading/reading_options.py",
    ],
)
def test_texts_of_a_missing_response_are_listed(name: str) -> None:
    from rropt.answers.response_codes import NO_ANSWER

    text = re.split(r"\*\*Responses\.|texts for a missing (?:response|value)", _text(name))[1][:300].lower()
    assert [word for word in NO_ANSWER if word.isalpha() and not re.search(rf"\b{word}\b", text)] == []


def test_cases_at_full_size_are_those_of_the_tests() -> None:
    """The table of benchmarks/README.md: each number is ``full`` of a ``size(default, full)`` in that file."""
    rows = re.findall(r"\(`(tests/[\w/]+\.py)`\) \| ([\d ]+?)(?: for each \w+)? \|", _text("benchmarks/README.md"))
    assert len(rows) >= 10
    for file, cases in rows:
        sizes = {int(full) for full in re.findall(r"\bsize\(\w+, (\d[\d_]*)\)", _text(file))}
        assert int(cases.replace(" ", "")) in sizes, (file, cases)


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("docs/howto/estimate-a-file.md", "column of numbers of a regression"),
        ("docs/howto/regression.md", "Among numbers"),
        ("fieldwork/rropt_fieldwork/reading/reading_options.py", "in a regression also"),
    ],
)
def test_texts_of_a_missing_number_are_listed(name: str, before: str) -> None:
    from rropt.answers.response_codes import OF_NUMBERS

    text = _text(name).split(before)[1][:120].lower().replace("a dot", " . ")
    assert [word for word in OF_NUMBERS if not re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", text)] == []


def test_verdicts_and_evidence_of_claims_are_explained() -> None:
    """A reader of `rropt verify` finds each word of its table on the page that explains them."""
    from rropt.claims.outcomes import BY_READING, EVIDENCE, VERDICTS

    rows = re.findall(r"^\| (`.*?) \|", _text("docs/explanation/proved.md"), re.MULTILINE)
    words = re.findall(r"`([^`]*)`", " ".join(rows))
    assert [word for word in VERDICTS if word not in words] == []
    printed = [label for label in EVIDENCE if label and label != BY_READING]
    assert [label for label in printed if not any(word.startswith(label) for word in words)] == []
    assert any(word.startswith("read as") for word in words)


def test_rows_of_tables_have_a_header() -> None:
    """A blank line inside a table makes its other rows plain text with bars."""
    lost = []
    for page in PAGES:
        lines = ["", *_prose(page).splitlines(), ""]
        for before, line, after in zip(lines, lines[1:], lines[2:], strict=False):
            if line.startswith("|") and not before.startswith("|") and not re.fullmatch(r"\|[-| :]+\|", after):
                lost.append((page.relative_to(ROOT), line))
    assert lost == []


_CLAIM = r"`+([a-z]+\d*\.[\w.-]+)`+"
_PROVED = [rf"{_CLAIM},? (?:proves|is proved|proved)", rf"\bprove[ds]\b[^.`]{{0,80}}\({_CLAIM}\)"]


def test_claims_that_prove_something_are_proved() -> None:
    """What a page or a docstring calls proved by a claim was not only argued or tested, by the stored record."""
    record = json.loads(_text("proofs/rropt_proofs/results.json"))["claims"]
    said = [
        (page.relative_to(ROOT), claim)
        for page in (*PAGES, *(ROOT / "rropt").rglob("*.py"), *(ROOT / "fieldwork").rglob("*.py"))
        for text in (" ".join(page.read_text(encoding="utf-8").split()),)
        for pattern in _PROVED
        for claim in re.findall(pattern, text)
    ]
    assert [(page, claim) for page, claim in said if claim in record and record[claim][0] == "not-refuted"] == []
    assert any(claim in record for _, claim in said)


def test_a_how_to_page_does_one_job() -> None:
    """A page of more than 1500 words does several: a picture then leads to the pages of each."""
    words = {
        page.name: len(page.read_text(encoding="utf-8").split()) for page in (ROOT / "docs" / "howto").glob("*.md")
    }
    assert {name: count for name, count in words.items() if count > 1500} == {}
    assert max(words.values()) > 1000  # counted, not empty


def test_a_how_to_page_leads_to_others() -> None:
    """It ends with a line of links; the index and the page that chooses a design lead on as a whole."""
    pages = {page.name: page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "howto").glob("*.md")}
    last = {name: text.rstrip().rpartition("\n\n")[2] for name, text in pages.items() if name != "index.md"}
    dead = [name for name, line in last.items() if not re.match(r"(?:See also|Next): .*\]\(", line, re.DOTALL)]
    assert not dead, dead
