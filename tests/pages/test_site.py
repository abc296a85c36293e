"""The documentation site: its pages, links, pictures, generated reference, and the code blocks of its pages."""

from __future__ import annotations

import codeop
import inspect
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from every_case import every_case
from stored_cases import cases_of

import rropt

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "site"))

from api_pages import PACKAGES, docstring, module_of, public_names, signature  # noqa: E402
from blocks import FENCE, Block, BlockError, Session, blocks_of  # noqa: E402
from command_pages import markdown  # noqa: E402
from decision_pictures import FLOWS, LADDERS  # noqa: E402
from make import generated  # noqa: E402
from search_words import PAGE_OF  # noqa: E402
from staging import DOCS, RUN, SECTIONS, contents, figures, picture_lines, relink, stage  # noqa: E402

WRITTEN = sorted(page for page in DOCS.rglob("*.md"))
RUNNING = [page for page in WRITTEN if page.relative_to(DOCS).parts[0] in RUN and "```" in page.read_text("utf-8")]


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """All pages of the site by their paths, as Sphinx reads them; the blocks are not run."""
    folder = tmp_path_factory.mktemp("site") / "source"
    stage(folder, run=False, generated=generated)
    return {page.relative_to(folder).as_posix(): page.read_text("utf-8") for page in folder.rglob("*.md")}


def test_every_page_has_a_place(staged: dict[str, str]) -> None:
    placed = ["index.md"]
    for own, text in staged.items():
        for entries in re.findall(r"```\{toctree\}\n:hidden:\n\n(.*?)```", text, re.DOTALL):
            placed += [posixpath.normpath(posixpath.join(posixpath.dirname(own), entry)) for entry in entries.split()]
    assert sorted(placed) == sorted(staged), "each page stands in one table of contents"
    assert {f"{section}/index.md" for section in SECTIONS} <= set(placed)
    named = {page.relative_to(DOCS).as_posix() for page in WRITTEN}
    assert named <= set(staged), "no page of docs/ is lost"


def test_every_link_leads_to_a_page_and_a_heading(staged: dict[str, str]) -> None:
    found = 0
    headings = {page: _anchors(text) for page, text in staged.items()}
    for own, text in staged.items():
        for target in re.findall(r"(?<!!)\[(?:[^\]\n]|\n(?!\n))+\]\(([^)\s]+)\)", re.sub(FENCE, "", text)):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, heading = target.partition("#")
            page = posixpath.normpath(posixpath.join(posixpath.dirname(own), path)) if path else own
            if page.endswith(".json") and (DOCS / page).is_file():
                continue
            assert page in staged, f"{own} links to {target}, which is no page of the site"
            assert not heading or heading in headings[page], f"{own} links to {target}: no such heading"
            found += 1
    assert found >= 150


def _anchors(text: str) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", re.sub(FENCE, "", text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def test_every_picture_has_a_text_and_a_caption() -> None:
    for page in [*WRITTEN, ROOT / "README.md"]:
        for text, target, has_caption in picture_lines(page.read_text("utf-8")):
            assert len(text.split()) >= 8, f"{page.name}: {target} needs an alternative text that says what it shows"
            assert has_caption, f"{page.name}: write the caption of {target} below it: *Figure: ...*"
            assert (page.parent / target).stat().st_size > 500
    assert "*Figure: " not in figures("![a b](c.svg)\n*Figure: What it\nshows.*\n")
    assert ":alt: a b\n\nWhat" in figures("![a b](c.svg)\n*Figure: What it\nshows.*\n")


ASKED = cases_of(__file__)["asked"]


def test_every_column_of_a_table_has_a_title(staged: dict[str, str]) -> None:
    """A screen reader repeats the title of the column before each cell."""
    for name, text in staged.items():
        lines = re.sub(FENCE, "", text).splitlines()
        for head, below in pairwise(lines):
            if re.fullmatch(r"\|[\s:|-]*-[\s:|-]*\|", below.strip()):
                assert all(cell.strip() for cell in head.strip().strip("|").split("|")), (name, head)


def test_the_search_leads_to_the_page(staged: dict[str, str]) -> None:
    """Main index entries, which the search ranks first; each word has one page."""
    assert ASKED.items() <= PAGE_OF.items()
    marked: dict[str, list[str]] = {}
    for own, text in staged.items():
        for entries in re.findall(r"^```\{index\} (.*)$", text, re.MULTILINE):
            for word in re.findall(r"! ([^,]+)(?=,|$)", entries):
                marked.setdefault(word, []).append(own)
    assert {word: marked.get(word) for word in PAGE_OF} == {word: [page] for word, page in PAGE_OF.items()}


def test_every_public_name_is_on_its_page(staged: dict[str, str]) -> None:
    packages = {name for name in dir(rropt) if isinstance(getattr(rropt, name), ModuleType)}
    assert packages == set(PACKAGES) - {"", "rropt_fieldwork"}
    count = 0
    for package in PACKAGES:
        text = staged[f"reference/api/{package or 'rropt'}.md"]
        titles = set(re.findall(r"^## (.*)$", text, re.MULTILINE))
        for name in public_names(package):
            assert markdown(name) in titles, f"rropt.{package}.{name}"
            count += 1
    assert set(dir(rropt)) - packages <= set(public_names(""))
    assert count >= 300
    page = staged["reference/api/rropt.md"]  # members that are made when they are first used
    for member in ("property} inputs", "method} randomize(answers:", "method} warner(p:", "method} solve(routes:"):
        assert page.count(f":::{{py:{member}") == 1, member


def test_every_public_name_says_what_it_takes() -> None:
    looked_at = 0
    for package in PACKAGES:
        module = module_of(package)
        for name in public_names(package):
            value = getattr(module, name)
            if not callable(value) or signature(value).startswith("()"):
                continue
            sections = ("Args:", "Attributes:") if inspect.isclass(value) else ("Args:",)
            text = inspect.getdoc(value) or ""
            assert any(section in text for section in sections), f"{package}.{name}: {sections[0]} is missing"
            looked_at += 1
    assert looked_at >= 250


def test_docstrings_become_markdown() -> None:
    text = docstring("Return x_i * y.\n\nArgs:\n    x: a ``list``\n        of rows.\n\n>>> f(1)\n2")
    assert text == "Return x\\_i \\* y.\n\n**Args**\n\n* `x`: a `list` of rows.\n\n```pycon\n>>> f(1)\n2\n```"
    assert docstring("Returns:\n    The sum\n    of all: 0.") == "**Returns**\n\n* The sum of all: 0."
    assert docstring("Example:\n    >>> 1\n    1") == "```pycon\n>>> 1\n1\n```"
    assert signature(lambda x, *, y="a": 0) == "(x, *, y='a')"


def test_links_between_files_become_links_between_pages() -> None:
    where = {"docs/a.md": "a.md", "rropt/checker/FORMAT.md": "reference/certificates/FORMAT.md"}
    assert relink("[f](../rropt/checker/FORMAT.md#x)", "docs/a.md", where) == "[f](reference/certificates/FORMAT.md#x)"
    assert relink("[the *b*](../Makefile)", "docs/a.md", where) == "the *b* (`Makefile`)"
    placed = {"b.md"}
    assert "\na.md\n```" in contents("[A](a.md) [B](b.md) [A](a.md)", "index.md", placed)
    assert placed == {"a.md", "b.md"}


@pytest.mark.parametrize("page", RUNNING, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_the_blocks_of_a_page_run(page: Path, tmp_path: Path, size) -> None:
    """In their order, in one folder; the slow ones at full size only.

    Numbers of the text stand in what was printed; a number between backquotes is an input.
    """
    session, text = Session(tmp_path), page.read_text("utf-8")
    seen, left_out = [], False
    for block in blocks_of(text):
        if not block.runs or left_out:
            continue
        if "full" in block.words and size(0, 1) == 0:
            left_out = True  # later blocks may need its files
            continue
        seen.append(session.run(block))
    if left_out:
        return
    printed = _bare(" ".join([*seen, *(block.code for block in blocks_of(text))]))
    prose = re.sub(
        r"\]\([^)]*\)|`[\d.,]+`|\$[^$]*\$|(?:Python|Coq) \d\.\d+|arXiv \d{4}\.\d{5}", "", re.sub(FENCE, "", text)
    )
    numbers = set(
        re.findall(r"(?<![\w./-])\d+\.\d{2,}(?![\w/-])|(?<![\w./-])\d{3,}/\d+|(?<![\w./-])\d{5,}", _bare(prose))
    )
    shown = [Fraction(number) for number in re.findall(r"\d+\.\d+", printed)]
    missing = sorted(
        number
        for number in numbers
        if number not in printed
        and not (
            "." in number and any(abs(Fraction(number) - x) * 10 ** len(number.partition(".")[2]) < 1 for x in shown)
        )
    )  # an upper bound is rounded up
    assert not missing, f"{page.name}: no block prints {', '.join(missing)}"
    for _, target, _ in picture_lines(text):
        is_made = (tmp_path / target).exists() or Path(target).stem in {
            *LADDERS,
            *FLOWS,
        }  # by a block, or by a script of the site
        assert target.startswith("../") or is_made, f"{page.name}: no block makes {target}"


@every_case("page", RUNNING, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_python_blocks_can_be_typed_line_by_line(page: Path) -> None:
    """Python's prompt ends a statement at its first blank line, and needs one before the next statement."""
    for block in blocks_of(page.read_text("utf-8")):
        if not block.runs or block.language != "py":
            continue
        typed: list[str] = []
        for line in [*block.code.splitlines(), ""]:
            typed.append(line)
            try:
                is_complete = codeop.compile_command("\n".join(typed), symbol="single") is not None
            except SyntaxError as error:
                pytest.fail(f"{page.name}: {error.msg} at the line: {line}")
            typed = [] if is_complete or not any(typed) else typed
        assert not typed, f"{page.name}: a block ends inside a statement"


def _bare(text: str) -> str:
    return re.sub(r"(?<=\d)[ ,](?=\d{3}\b)", "", text)


def test_a_block_that_fails_is_named(tmp_path: Path) -> None:
    session = Session(tmp_path)
    (block,) = blocks_of("```sh exit-1\nrropt privacy warner:3/4 --epsilon 1\n```\n")
    assert "log(3)" in session.run(block)
    with pytest.raises(BlockError, match="exit status 1, not 0"):
        session.run(Block("sh", frozenset(), block.code, (0, 0)))
    with pytest.raises(BlockError, match="ZeroDivisionError"):
        session.run(Block("py", frozenset(), "1 / 0\n", (0, 0)))


@pytest.mark.slow
def test_the_site_is_built_without_the_network(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="Sphinx is not installed: pip install 'rropt[docs]'")
    pytest.importorskip("furo", reason="Furo is not installed: pip install 'rropt[docs]'")
    site = tmp_path / "site"
    command = [sys.executable, str(DOCS / "site" / "make.py"), str(site)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = [*site.rglob("*.html")]
    assert len(pages) >= 90
    loads = r"""<(?:script|img|link|iframe|source)[^>]*(?:src|href)=["']((?:https?:)?//[^"']*)"""
    for page in pages:
        html = page.read_text("utf-8")
        assert re.findall(loads, html) == [], page.name
        assert all('alt="' in image for image in re.findall(r"<img[^>]*>", html)), page.name
    for file in (site / "_static").rglob("*.css"):
        assert not re.search(r"""@import|url\(["']?(?:https?:)?//""", file.read_text("utf-8")), file.name
    assert (site / "searchindex.js").stat().st_size > 100_000
    if shutil.which("node"):
        asked = ASKED | cases_of(__file__)["questions"]
        links = _searched(site, asked)
        assert {text: shown[0].split("#")[0] + ".md" for text, shown in links.items()} == asked
        assert all(len(shown) == len(set(shown)) for shown in links.values()), "a link stands twice in one list"


def _searched(site: Path, queries: Iterable[str]) -> dict[str, list[str]]:
    """The links that the search of a site shows for each query, in their order."""
    command = ["node", str(Path(__file__).with_name("search.js")), str(site), *queries]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {query: line.split() for query, line in zip(queries, lines, strict=True)}


SPHINX = """
const splitQuery = (text) => text.split(/[^a-z]+/).filter((word) => word);
class Stemmer { stemWord(word) { return word.replace(/s$/, ""); } }
const Search = {
  _parseQuery: (query) => [query],
  _performSearch: () => [["sizes", "", ""], [`summary-${Search.makeSearchSummary?.("page", [], "#a")}`, "", ""]],
  makeSearchSummary: (html, words, anchor) => (anchor ? null : html),
};
"""
INDEX = """Search._index = {docnames: ["glossary", "sizes"], titles: ["", ""], filenames: ["", ""], indexentries: {
  margin: [[0, "", true]], sample: [[1, "a", true]], "sample size": [[1, "b", true]], table: [[0, "", false]]}};"""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed")
def test_the_search_shows_a_page_once_and_works_with_other_names_of_sphinx(tmp_path: Path) -> None:
    """An index of two pages; Sphinx itself finds `sizes` and a page that is named by its summary."""

    def shown(sphinx: str, index: str, *queries: str) -> list[list[str]]:
        files = {"_static/language_data.js": "", "_static/searchtools.js": sphinx, "searchindex.js": index}
        for name, text in {**files, "_static/search.js": (DOCS / "site/static/search.js").read_text("utf-8")}.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        return [*_searched(tmp_path, queries).values()]

    plain = ["summary-page", "sizes"]
    first, longer, *others = shown(SPHINX, INDEX, "samples sizes", "which margins of samples", " ", "<b>", "table")
    assert first == ["sizes#b", "summary-page"]
    assert longer == ["sizes#a", "glossary", "summary-page"]
    assert others == [plain] * 3
    assert shown(SPHINX, INDEX.replace("indexentries", "entries"), "sample") == [plain]
    for name in ("Stemmer", "splitQuery", "makeSearchSummary:"):
        assert shown(SPHINX.replace(name, "other" + name), INDEX, "sample")[0][-1] == "sizes"
