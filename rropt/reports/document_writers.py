"""Documents made of blocks, and their writers for HTML, Markdown and LaTeX.

A document does not depend on the format, and the writers do not depend on surveys. Each writer escapes text from files.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rropt.claims.claim_formulas import marked_pieces
from rropt.claims.written_claims import WrittenPart
from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError, name_of
from rropt.core.files import shown_path
from rropt.core.results import Table
from rropt.core.results.layout import without_empty_columns
from rropt.core.results.markup import is_numeric, latex_table, markdown_table, pipe_text, tex
from rropt.core.visible import html_text, visible
from rropt.mechanisms import Mechanism
from rropt.mechanisms.displays import mechanism_html, mechanism_latex, mechanism_text
from rropt.reports.mathematics import block_html, text_html
from rropt.reports.page_pictures import page_picture
from rropt.reports.pages import SCROLLS, certificate_section, page

if TYPE_CHECKING:
    from rropt.plots import Figure


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, of level 2 or 3."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of text.

    Attributes:
        text: the text.
        look: in HTML, ``do`` for an instruction, ``warn`` for a warning, ``foot`` for the foot of a page.
    """

    text: str
    look: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list of texts."""

    texts: tuple[str, ...]
    is_numbered: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, which only HTML shows; it is drawn when the page is written.

    Attributes:
        draw: returns the figure, which has its alternative text.
        caption: the sentence below the picture; empty without one.
    """

    draw: Callable[[], Figure]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Html:
    """Trusted HTML, collapsed below its summary if it has one; the other formats leave it out."""

    html: str
    summary: str = ""


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table whose cells HTML shows with pictures; the other formats have the table.

    Attributes:
        table: the table in words.
        html: the same in trusted HTML.
    """

    table: Table
    html: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """The matrix of a mechanism below its title."""

    title: str
    mechanism: Mechanism


@dataclass(frozen=True, slots=True)
class CertificateBlock:
    """A certificate and the name of its file; only HTML contains the certificate."""

    file: str
    certificate: Certificate

    @property
    def text(self) -> str:
        """The verdict, and how to check it again."""
        return f"Certificate {self.file}: {self.certificate.check()}. Check it again: rropt check {self.file}."


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks that belong together; in HTML their look is a class of the style."""

    look: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Folded:
    """Blocks below a summary that a reader unfolds on the screen.

    Attributes:
        summary: what unfolds.
        blocks: the blocks.
        has_html_only: whether the other formats leave them out.
        is_printed: whether paper has the blocks, without the summary.
    """

    summary: str
    blocks: tuple[Block, ...]
    has_html_only: bool = True
    is_printed: bool = False


Block = (
    Folded
    | Heading
    | Paragraph
    | Items
    | Table
    | DrawnTable
    | Picture
    | Html
    | Matrix
    | CertificateBlock
    | Section
    | WrittenPart
)
"""A ``Table`` is (title, header or ``None``, rows); without a header, the first cells are the titles of the rows."""


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """A document: a title and blocks, in order."""

    title: str
    blocks: tuple[Block, ...]

    def to_html(self) -> str:
        """Return a self-contained page."""
        return page(self.title, html_of(*self.blocks))

    def to_markdown(self) -> str:
        """Return the text in Markdown, with pipe tables."""
        return f"# {pipe_text(self.title)}\n\n{_markdown(Section('', self.blocks))}\n"

    def to_latex(self) -> str:
        """Return the text in LaTeX, for pdflatex."""
        text = _latex(Section("", self.blocks))
        return f"{_PREAMBLE}\\section*{{{tex(self.title)}}}\n{text}\n\\end{{document}}\n"

    def text_of(self, path: str | os.PathLike[str]) -> str:
        """Return the text in the format of a file name."""
        return _FORMATS[format_of(path, "output")](self)

    def __str__(self) -> str:
        return self.to_markdown()

    def __repr__(self) -> str:
        return f"<Document {visible(self.title)!r}, {len(self.blocks)} blocks>"

    def _repr_html_(self) -> str:
        return html_of(*self.blocks)


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


def html_of(*blocks: Block) -> str:
    """Return blocks in HTML, without the frame of a page."""
    return "".join(map(_html, blocks))


def _html(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{html_text(text)}</h{level}>"
        case Paragraph(text, look):
            return f"<p{_class(look)}>{html_text(text)}</p>"
        case Items(texts, is_numbered):
            tag = "ol" if is_numbered else "ul"
            return f"<{tag}>{''.join(f'<li>{html_text(text)}</li>' for text in texts)}</{tag}>"
        case DrawnTable(_, html):
            return html
        case Html(html, summary):
            return f"<details><summary>{html_text(summary)}</summary>{html}</details>" if summary else html
        case Folded(summary, blocks):
            look = "more printed" if block.is_printed else "more"
            return f'<details class="{look}"><summary>{html_text(summary)}</summary>{html_of(*blocks)}</details>'
        case Picture():
            return _html_picture(block)
        case Matrix(title, mechanism):
            return f"{SCROLLS}{mechanism_html(mechanism, title)}</div>"
        case CertificateBlock(file, certificate):
            return certificate_section(file, certificate)
        case Section(look, blocks):
            return f"<div{_class(look)}>{html_of(*blocks)}</div>".replace(" %", "\u00a0%")
        case WrittenPart():
            return _html_part(block)
        case (title, header, rows):
            return _html_table(title, header, rows)
    raise TypeError(block)


def _html_table(title: str, header: tuple[str, ...] | None, rows: Sequence[tuple[str, ...]]) -> str:
    header, rows = (header, rows) if header is None else without_empty_columns(header, rows)
    numeric = [is_numeric(column) for column in zip(*rows, strict=True)] or [False] * len(header or ())

    def cells(row: Sequence[str], titles: int) -> str:
        tags = ("th" if i < titles and cell else "td" for i, cell in enumerate(row))  # a heading has a text
        told = zip(tags, numeric, (html_text(cell).replace("\n", "<br>") for cell in row), strict=True)
        return "".join(f"<{tag}{_class('number' * number)}>{text}</{tag}>" for tag, number, text in told)

    head = f"<thead><tr>{cells(header, len(header))}</tr></thead>" if header else ""
    body = "".join(f"<tr>{cells(row, int(not header))}</tr>" for row in rows)
    caption = f"<caption>{html_text(title)}</caption>" if title else ""
    return f"{SCROLLS}<table>{caption}{head}<tbody>{body}</tbody></table></div>"


def _html_part(part: WrittenPart) -> str:
    """Return a part of a text on a claim in HTML; its formulas are MathML."""
    head = f"<b>{html_text(part.title)}.</b>"
    if part.rows:
        tags = ["th" if cell else "td" for cell in part.header]
        head_row = "".join(f"<{tag}>{text_html(cell)}</{tag}>" for tag, cell in zip(tags, part.header, strict=True))
        rows = "".join(f"<tr>{''.join(f'<td>{text_html(cell)}</td>' for cell in row)}</tr>" for row in part.rows)
        table = f"{SCROLLS}<table><thead><tr>{head_row}</tr></thead><tbody>{rows}</tbody></table></div>"
        return f"<p>{head} {' '.join(map(text_html, part.texts))}</p>{table}"
    if len(part.texts) == 1:
        return block_html("p", part.texts[0], f"{head} ")
    items = "".join(block_html("li", text) for text in part.texts)
    return f"<p>{head}</p><ul>{items}</ul>"


def _markdown_formulas(text: str) -> str:
    """Return a text in Markdown; its formulas stay between dollar signs, as GitHub and Quarto read them."""
    return marked_pieces(text, pipe_text, lambda piece: f"${' '.join(piece.replace('|', chr(92) + 'vert ').split())}$")


def _markdown_rows(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(map(_markdown_formulas, row))} |" for row in rows)


def _html_picture(block: Picture) -> str:
    figure = block.draw()
    data = base64.b64encode(page_picture(figure)).decode()
    alternative = html_text(figure.text)
    below = f"<figcaption>{html_text(block.caption)}</figcaption>" if block.caption else ""
    return f'<figure><img alt="{alternative}" src="data:image/svg+xml;base64,{data}">{below}</figure>'


def _markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {pipe_text(text)}"
        case Paragraph(text):
            return pipe_text(text)
        case Items(texts, is_numbered):
            return "\n".join(f"{'1.' if is_numbered else '-'} {pipe_text(text)}" for text in texts)
        case Matrix(title, mechanism):
            return f"```\n{visible(mechanism_text(mechanism, title), keep=chr(10))}\n```"
        case DrawnTable(drawn):
            return _markdown(drawn)
        case CertificateBlock():
            return pipe_text(block.text)
        case Section(_, blocks) | Folded(_, blocks, False):
            return "\n\n".join(filter(None, map(_markdown, blocks)))
        case WrittenPart(title, texts, header, rows):
            lines = [_markdown_formulas(text) for text in texts]
            said = "\n".join(f"- {line}" for line in lines) if len(lines) > 1 and not rows else "\n\n".join(lines)
            table = _markdown_rows([header, ["---"] * len(header), *rows]) if rows else ""
            return "\n\n".join(filter(None, [f"**{pipe_text(title)}.**", said, table]))
        case (title, header, rows):
            header, rows = (header, rows) if header is None else without_empty_columns(header, rows)
            return (f"**{pipe_text(title)}**\n\n" if title else "") + markdown_table(header or (), rows)
    return ""


_PREAMBLE = r"""\documentclass[a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb}
\usepackage{booktabs,longtable}
\begin{document}
"""


def _latex(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"\\{'sub' * (level - 1)}section*{{{tex(text)}}}"
        case Paragraph(text):
            return tex(text) + "\n"
        case Items(texts, is_numbered):
            kind, items = "enumerate" if is_numbered else "itemize", (rf"\item {tex(text)}" for text in texts)
            return "\n".join([rf"\begin{{{kind}}}", *items, rf"\end{{{kind}}}"])
        case Matrix(title, mechanism):
            return f"{tex(title)}\n{mechanism_latex(mechanism)}\n"
        case DrawnTable(drawn):
            return _latex(drawn)
        case CertificateBlock():
            return tex(block.text) + "\n"
        case Section(_, blocks) | Folded(_, blocks, False):
            return "\n".join(filter(None, map(_latex, blocks)))
        case WrittenPart():
            return block.to_latex()
        case (title, header, rows):
            header, rows = (header, rows) if header is None else without_empty_columns(header, rows)
            return latex_table(title, header or (), rows)
    return ""


_FORMATS: Mapping[str, Callable[[Document], str]] = {
    ".html": Document.to_html,
    ".md": Document.to_markdown,
    ".tex": Document.to_latex,
}


def format_of(path: str | os.PathLike[str], option: str, formats: Collection[str] = _FORMATS) -> str:
    """Return the format of a file name: its extension in lower case; without one it is HTML.

    Raises:
        InvalidParameterError: the extension is not one of the formats.
    """
    ending = Path(path if isinstance(path, os.PathLike) else name_of(path, option)).suffix.lower()
    ending = ".html" if ending == ".htm" or (not ending and ".html" in formats) else ending
    if ending not in formats:
        named = f"ends in {ending}" if ending else "has no ending"
        more = "; a browser prints HTML as PDF" if ".html" in formats else ""
        raise InvalidParameterError(
            f"{option} has no format: received {shown_path(os.fspath(path))}, whose name {named}; allowed are "
            f"{', '.join(formats)}{more}"
        )
    return ending
