r"""Documents made of blocks, and their writers for HTML, Markdown, LaTeX and CSV.

A document does not depend on the format, and the writers do not depend on surveys. Each writer makes text from files
safe: it escapes HTML, LaTeX and Markdown, and no cell of a spreadsheet begins a formula.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, log10

from rropt.core.results.markup import is_numeric, latex_table, markdown_table, pipe_text, tex
from rropt.core.visible import html_text, visible


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, of level 2 or 3."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of text."""

    text: str


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table.

    Attributes:
        title: the text above the table.
        header: the titles of the columns; if empty, the first column contains the titles of the rows.
        rows: the cells, as text.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of estimates with intervals.

    Attributes:
        title: the text below the chart.
        points: the label, the estimate and both endpoints of each row.
    """

    title: str
    points: tuple[tuple[str, float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Raw:
    """Trusted HTML, which the other formats omit."""

    html: str


Block = Heading | Paragraph | TableBlock | Chart | Raw


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """A document: a title and blocks.

    Attributes:
        title: the title of the page.
        blocks: the blocks in order.
        appendix: the blocks after a page break.
    """

    title: str
    blocks: tuple[Block, ...]
    appendix: tuple[Block, ...] = field(default=())

    def to_html(self) -> str:
        """Return a self-contained page."""
        return to_html(self)

    def to_markdown(self) -> str:
        """Return the text in Markdown."""
        return to_markdown(self)

    def to_latex(self) -> str:
        """Return the text in LaTeX."""
        return to_latex(self)

    def __str__(self) -> str:
        return to_markdown(self)

    def __repr__(self) -> str:
        return f"<Document {visible(self.title)!r}, {len(self.blocks)} blocks>"

    def _repr_html_(self) -> str:
        return "".join(map(_html, self.blocks))


# --- HTML


def to_html(document: Document) -> str:
    """Return a self-contained page."""
    from rropt.reports.pages import page

    body = "".join(map(_html, document.blocks))
    if document.appendix:
        body += f'<section class="appendix">{"".join(map(_html, document.appendix))}</section>'
    style = (
        "<style>.appendix{break-before:page} th.number,td.number{text-align:right} .chart svg{max-width:40rem}</style>"
    )
    return page(document.title, style + body)


def _html(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{html_text(block.text)}</h{block.level}>"
    if isinstance(block, Paragraph):
        return f"<p>{html_text(block.text)}</p>"
    if isinstance(block, Raw):
        return block.html
    if isinstance(block, Chart):
        return _svg(block)
    numeric = [is_numeric([row[i] for row in block.rows]) for i in range(len(block.rows[0]) if block.rows else 0)]

    def cells(row: Sequence[str], tag: str) -> str:
        kinds = (' class="number"' if number else "" for number in numeric or [False] * len(row))
        return "".join(f"<{tag}{kind}>{html_text(cell)}</{tag}>" for cell, kind in zip(row, kinds, strict=False))

    head = f"<thead><tr>{cells(block.header, 'th')}</tr></thead>" if block.header else ""
    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in block.rows)
    caption = f"<caption>{html_text(block.title)}</caption>" if block.title else ""
    return f'<div class="scroll"><table>{caption}{head}<tbody>{body}</tbody></table></div>'


def _svg(chart: Chart) -> str:
    """Return a chart (SVG) with one row for each estimate: a point and its interval."""
    low = min(0.0, *(point[2] for point in chart.points))
    high = max(0.0, *(point[3] for point in chart.points))
    span = (high - low) or 1.0
    names = [label if len(label) <= 26 else label[:25] + "…" for label, *_ in chart.points]
    left, width, step = 30 + 7 * max(map(len, names)), 300, 26

    def x(value: float) -> float:
        return round(left + width * (value - low) / span, 1)

    rows = []
    for i, (name, (_, value, a, b)) in enumerate(zip(names, chart.points, strict=True)):
        y = 20 + step * i
        rows.append(
            f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{html_text(name)}</text>'
            f'<path d="M{x(a)} {y}H{x(b)}M{x(a)} {y - 4}v8M{x(b)} {y - 4}v8" stroke="currentColor" stroke-width="2"/>'
            f'<circle cx="{x(value)}" cy="{y}" r="4" fill="currentColor"/>'
        )
    bottom = 20 + step * len(chart.points)
    axis = f'<path d="M{left} {bottom}h{width}" stroke="currentColor" stroke-opacity=".5"/>'
    ticks = "".join(
        f'<text x="{x(value)}" y="{bottom + 16}" text-anchor="middle">{value:.4g}</text>' for value in _ticks(low, high)
    )
    zero = f'<path d="M{x(0)} 8V{bottom}" stroke="currentColor" stroke-dasharray="2 3" stroke-opacity=".5"/>'
    return (
        f'<figure class="chart"><svg viewBox="0 0 {left + width + 20} {bottom + 24}" role="img" '
        f'aria-label="{html_text(chart.title)}" '
        f'font-size="12" fill="currentColor">{zero}{axis}{ticks}{"".join(rows)}</svg>'
        f"<figcaption>{html_text(chart.title)}</figcaption></figure>"
    )


def _ticks(low: float, high: float) -> list[float]:
    """Return two to seven round numbers from ``low`` to ``high``.

    >>> _ticks(0, 0.154), _ticks(-0.5, 1)
    ([0.0, 0.05, 0.1, 0.15], [-0.5, 0.0, 0.5, 1.0])
    """
    span = (high - low) or 1.0
    unit = 10.0 ** floor(log10(span))
    step = next(unit * part for part in (0.2, 0.5, 1.0, 2.0) if span / (unit * part) <= 7)
    return [round(i * step, 12) for i in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


# --- Markdown and LaTeX


def to_markdown(document: Document) -> str:
    """Return Markdown with pipe tables."""
    parts = [f"# {pipe_text(document.title)}"]
    for block in (*document.blocks, *document.appendix):
        if isinstance(block, Heading):
            parts.append(f"{'#' * block.level} {pipe_text(block.text)}")
        elif isinstance(block, Paragraph):
            parts.append(pipe_text(block.text))
        elif isinstance(block, TableBlock):
            parts += [f"**{pipe_text(block.title)}**"] if block.title else []
            parts.append(markdown_table(block.header, block.rows))
    return "\n\n".join(parts) + "\n"


def to_latex(document: Document) -> str:
    """Return a LaTeX document for pdflatex."""
    parts = [
        r"\documentclass[a4paper]{article}",
        r"\usepackage[utf8]{inputenc}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage{booktabs}",
        r"\begin{document}",
        f"\\section*{{{tex(document.title)}}}",
    ]
    for block in (*document.blocks, *([Raw(r"\clearpage")] if document.appendix else []), *document.appendix):
        if isinstance(block, Heading):
            parts.append(f"\\{'sub' * (block.level - 1)}section*{{{tex(block.text)}}}")
        elif isinstance(block, Paragraph):
            parts.append(tex(block.text) + "\n")
        elif isinstance(block, TableBlock):
            parts.append(latex_table(block.title, block.header, block.rows))
        elif isinstance(block, Raw) and block.html == r"\clearpage":
            parts.append(block.html)
    return "\n".join([*parts, r"\end{document}", ""])


# --- tables alone


def _safe_cell(text: str) -> str:
    """Return the text of a cell in a form that no spreadsheet reads as a formula."""
    shown = visible(text)
    is_number = re.fullmatch(r"[-+]?[\d.]+([eE][-+]?\d+)?", shown)
    return f"'{shown}" if shown[:1] in "=+-@\t\r" and shown and not is_number else shown


def to_csv(document: Document) -> str:
    """Return the tables as CSV, each below its title and separated by blank lines."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    tables = [block for block in (*document.blocks, *document.appendix) if isinstance(block, TableBlock)]
    for i, block in enumerate(tables):
        if i:
            writer.writerow([])
        if len(tables) > 1 and block.title:
            writer.writerow([_safe_cell(block.title)])
        if block.header:
            writer.writerow(list(map(_safe_cell, block.header)))
        writer.writerows([list(map(_safe_cell, row)) for row in block.rows])
    return stream.getvalue()


FORMATS: Mapping[str, Callable[[Document], str]] = {
    ".html": to_html,
    ".md": to_markdown,
    ".tex": to_latex,
    ".csv": to_csv,
}
