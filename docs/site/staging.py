"""Prepare the pages of the site in one folder: copies, generated pages, outputs of code, figures, navigation.

The pages in ``docs/`` are plain Markdown that a repository browser shows. Here they become the source of Sphinx:

* links between files of the repository become links between pages, or plain names where the file is no page;
* a picture with the paragraph ``*Figure: ...*`` below it becomes a figure with a caption;
* below each block of code that is run stands what it printed (``blocks.py``);
* ``<!-- README: TITLE -->`` becomes the section of the README with this title;
* the words of ``search_words.py`` lead the search to their pages;
* the index page of each section gets a table of contents: the pages that it links to, in this order.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from blocks import FENCE, Block, BlockError, Session, blocks_of
from search_words import with_words

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SECTIONS = ("tutorials", "howto", "explanation", "reference", "developers")
LESSONS = sorted((ROOT / "examples").glob("lesson_*.ipynb"))
RUN = ("tutorials", "howto", "explanation", "lessons")
"""Folders of the site whose code blocks are run. Tests of other pages run the blocks there."""
_ATTACHED = (".json", ".svg", ".png")
"""Files beside the pages: certificates and pictures."""
WRAPPED = 100  # an output with longer lines is wrapped on the page; tables of commands are 80 wide

_LINK = re.compile(r"(?P<mark>!?)\[(?P<text>[^\]\n]*(?:\n[^\]\n]+)?)\]\((?P<target>[^)\s]+)\)")
_FIGURE = re.compile(
    r"^!\[(?P<alt>[^\]]*)\]\((?P<target>[^)\s]+)\)\n+\*Figure: (?P<caption>(?:[^*\n]|\n(?!\n))+)\*$", re.M
)
_CERTIFICATES = "reference/certificates"
_OTHERS = {
    "CHANGELOG.md": "reference/changelog.md",
    "CONTRIBUTING.md": "developers/contributing.md",
    "SECURITY.md": "reference/security.md",
    "kernels/javascript/README.md": f"{_CERTIFICATES}/javascript.md",
}


def pages() -> dict[str, str]:
    """Return where each Markdown file of the repository is on the site: both paths are relative."""
    found = {
        page.relative_to(ROOT).as_posix(): page.relative_to(DOCS).as_posix()
        for page in sorted(DOCS.rglob("*.md"))
        if "site" not in page.relative_to(DOCS).parts
    }
    checker = ROOT / "rropt" / "checker"
    for page in sorted(checker.rglob("*.md")):
        found[page.relative_to(ROOT).as_posix()] = f"{_CERTIFICATES}/{page.relative_to(checker).as_posix()}"
    return found | _OTHERS | {f"examples/{lesson.name}": f"lessons/{lesson.stem}.md" for lesson in LESSONS}


def notebook_page(lesson: Path) -> str:
    """Return a notebook as a page: its texts, its code, and its pictures, whose texts are the words before them."""
    parts, words = [], ""
    for cell in json.loads(lesson.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            words = " ".join(re.sub(r"^#.*$", "", source, flags=re.MULTILINE).split())
        elif "rropt.plots." in source:
            name = f"{lesson.stem}-{cell['id']}"
            parts.append(f"```py show figure:{name}\n{source}\n```")
            parts.append(f"![{words}](pictures/{name}.svg)\n\n*Figure: {words.replace('*', '')}*")
        else:
            parts.append(f"```py show\n{source}\n```")
    return "\n\n".join(parts) + "\n"


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Change what is not in a block of code."""
    parts, last = [], 0
    for match in FENCE.finditer(text):
        parts += [change(text[last : match.start()]), match.group()]
        last = match.end()
    return "".join([*parts, change(text[last:])])


def relink(text: str, source: str, where: dict[str, str]) -> str:
    """Return a page with links to pages of the site.

    Args:
        text: of the page.
        source: the path of the page in the repository.
        where: where each page of the repository is on the site.
    """
    here = posixpath.dirname(where[source])

    def link(match: re.Match[str]) -> str:
        target, _, heading = match["target"].partition("#")
        if re.match(r"[a-z]+:", match["target"]) or not target or match["mark"]:
            return match.group()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if path not in where:
            if (ROOT / path / "FORMAT.md").exists():
                path = f"{path}/FORMAT.md"
            elif path.startswith("docs/reference/") or _is_attached(path):
                return match.group()  # made when the site is built, or a file beside the page
            else:
                return f"{match['text']} (`{path}`)" if match["text"].strip("`") != path else f"`{path}`"
        to = posixpath.relpath(where[path], here or ".")
        return f"[{match['text']}]({to}{'#' * bool(heading)}{heading})"

    return _LINK.sub(link, text)


def _is_attached(path: str) -> bool:
    """Return whether a file of ``docs/`` is copied to the site: a certificate, for example."""
    return path.startswith("docs/") and path.endswith(".json") and (ROOT / path).is_file()


def with_readme(text: str, where: dict[str, str]) -> str:
    """Return the front page with the sections of the README that it names."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    def section(match: re.Match[str]) -> str:
        (found,) = re.findall(rf"^#+ {re.escape(match[1])}$.*?(?=^## |\Z)", readme, re.MULTILINE | re.DOTALL)
        placed = outside_code(found, lambda part: relink(part, "README.md", {**where, "README.md": "index.md"}))
        return placed.replace("](docs/", "](").rstrip()

    return re.sub(r"^<!-- README: (.*) -->$", section, text, flags=re.MULTILINE)


def named_pages(text: str, source: str, where: dict[str, str]) -> str:
    """Return a page in which the name of another page, between backquotes, is a link to it."""
    here = posixpath.dirname(where[source])

    def link(match: re.Match[str]) -> str:
        path = match[1]
        if path not in where or path == source:
            return match.group()
        return f"[`{path}`]({posixpath.relpath(where[path], here or '.')})"

    return outside_code(text, lambda part: re.sub(r"(?<!\[)`([\w./-]+\.md)`(?!\])", link, part))


def figures(text: str) -> str:
    """Return a page whose pictures with captions are figures."""
    return _FIGURE.sub(
        lambda m: f":::{{figure}} {m['target']}\n:alt: {' '.join(m['alt'].split())}\n\n{m['caption'].strip()}\n:::",
        text,
    )


def with_outputs(text: str, session: Session) -> str:
    """Run the blocks of a page and return it with what they print."""
    parts, last = [], 0
    for block in blocks_of(text):
        parts.append(text[last : block.span[0]])
        parts.append(_shown(block))
        if block.runs:
            printed = session.run(block).rstrip()
            if printed and "quiet" not in block.words:
                kind = "output long" if max(map(len, printed.splitlines())) > WRAPPED else "output"
                parts.append(f"\n\n:::{{code-block}} text\n:class: {kind}\n\n{printed}\n:::")
        last = block.span[1]
    return "".join([*parts, text[last:]])


def _shown(block: Block) -> str:
    language = {"py": "python", "sh": "shell"}.get(block.language, block.language)
    return f"```{language}\n{block.code}```"


def contents(text: str, own: str, placed: set[str]) -> str:
    """Return an index page with a hidden table of contents: the pages it links to that have no place yet.

    Args:
        text: of the index page, as it is on the site.
        own: its path on the site.
        placed: the pages that have a place; those of this index are added.
    """
    here = posixpath.dirname(own)
    entries = []
    for match in _LINK.finditer(re.sub(FENCE, "", text)):
        target = match["target"].partition("#")[0]
        path = posixpath.normpath(posixpath.join(here, target))
        if not match["mark"] and target.endswith(".md") and ":" not in target and path not in placed and path != own:
            entries.append(posixpath.relpath(path, here or "."))
            placed.add(path)
    return f"{text.rstrip()}\n\n```{{toctree}}\n:hidden:\n\n" + "\n".join(entries) + "\n```\n"


def stage(folder: Path, *, run: bool = True, generated: Callable[[], dict[str, str]] = dict) -> list[str]:
    """Write all pages into a folder.

    Args:
        folder: is emptied first.
        run: whether to run the blocks of code, which takes half a minute.
        generated: makes the generated pages, by their paths on the site.

    Returns:
        The pages that no index names; they are at the end of the how-to pages.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    where = pages()
    texts: dict[str, str] = {}
    running: dict[str, str] = {}
    for source, place in where.items():
        file = ROOT / source
        text = notebook_page(file) if file.suffix == ".ipynb" else file.read_text(encoding="utf-8")
        text = outside_code(text, lambda part, source=source: relink(part, source, where))
        text = named_pages(with_readme(text, where), source, where)
        if run and place.split("/")[0] in RUN:
            running[place] = text
        else:
            texts[place] = figures(_plain(text))
    texts |= _run(running, folder, generated) if running else generated()
    for attached in (file for end in _ATTACHED for file in DOCS.rglob(f"*{end}")):
        target = folder / attached.relative_to(DOCS)
        if "site" not in attached.relative_to(DOCS).parts and not target.exists():  # a picture may be made anew
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(attached, target)
    unplaced = _navigation(texts)
    for place, text in texts.items():
        text = with_words(place, text)
        file = folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    shutil.rmtree(folder / "runs", ignore_errors=True)
    return unplaced


def _run(running: dict[str, str], folder: Path, generated: Callable[[], dict[str, str]]) -> dict[str, str]:
    """Return the pages with the outputs of their blocks, and the generated pages, each made in one of some processes.

    Raises:
        BlockError: names every block that does not run as its page says.
    """
    with ProcessPoolExecutor(1) as alone, ProcessPoolExecutor() as pool:
        made = alone.submit(generated)
        _import_heavy_packages()
        pages = {place: pool.submit(_run_page, place, text, folder) for place, text in _longest_first(running)}
        failures = {place: page.exception() for place, page in pages.items()}
        told = [f"{place}: {error}" for place, error in failures.items() if error]
        if told:
            raise BlockError("\n\n".join(told))
        return {place: page.result() for place, page in pages.items()} | made.result()


def _import_heavy_packages() -> None:
    """Import what most pages use, before the processes of the pages are forked: each would take ten seconds for it."""
    os.environ.setdefault("MPLBACKEND", "agg")
    for name in ("pandas", "matplotlib.pyplot", "scipy.optimize", "sympy", "cvxpy", "rropt.cli.main"):
        with suppress(ImportError):  # an extra that no page of this environment needs
            import_module(name)


def _longest_first(running: dict[str, str]) -> list[tuple[str, str]]:
    """Return the pages in the order of their blocks, so that no process ends long after the others."""
    return sorted(running.items(), key=lambda page: -sum(block.runs for block in blocks_of(page[1])))


def _run_page(place: str, text: str, folder: Path) -> str:
    """Return a page with the outputs of its blocks, and keep its pictures."""
    session = Session(folder / "runs" / place.removesuffix(".md"))
    text = figures(with_outputs(text, session))
    _pictures(session.folder / "pictures", (folder / place).parent / "pictures")
    return text


def _plain(text: str) -> str:
    parts, last = [], 0
    for block in blocks_of(text):
        parts += [text[last : block.span[0]], _shown(block)]
        last = block.span[1]
    return "".join([*parts, text[last:]])


def _pictures(source: Path, target: Path) -> None:
    for picture in sorted(source.glob("*.*")):
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, target / picture.name)


def _navigation(texts: dict[str, str]) -> list[str]:
    """Add the tables of contents, and return the pages that no index names."""
    tops = [f"{section}/index.md" for section in SECTIONS]
    below = ["reference/commands/index.md", "reference/api/index.md", f"{_CERTIFICATES}/FORMAT.md"]
    indexes = [own for own in (*tops, *below) if own in texts]
    placed = {"index.md", *tops}
    made = {own: contents(texts[own], own, placed) for own in indexes}
    unplaced = sorted(set(texts) - placed)
    by_rule = {place for place in unplaced if place.startswith(f"{_CERTIFICATES}/")}
    texts |= made
    _append(texts, f"{_CERTIFICATES}/FORMAT.md", sorted(by_rule))
    others = [place for place in unplaced if place not in by_rule]
    _append(texts, "howto/index.md", others)
    texts["index.md"] += "\n```{toctree}\n:hidden:\n\n" + "\n".join(tops) + "\n```\n"
    return others


def _append(texts: dict[str, str], own: str, more: list[str]) -> None:
    if more and own in texts:
        entries = "\n".join(os.path.relpath(place, posixpath.dirname(own)) for place in more)
        texts[own] = texts[own].rstrip().removesuffix("```").rstrip() + f"\n{entries}\n```\n"


def picture_lines(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield of each picture of a page its alternative text, its file, and whether a caption stands below it."""
    captions = {match["target"] for match in _FIGURE.finditer(text)}
    for match in _LINK.finditer(re.sub(FENCE, "", text)):
        if match["mark"]:
            yield match["text"], match["target"], match["target"] in captions
