"""The report on claims: an index, a page for each paper, and beside it a file with every outcome and certificate.

The index lists what fails first; a page has its claims in the order of print, below the conventions of the paper.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from rropt.claims import Claim, Outcome, Paper
from rropt.report.claim_card import WORDS, badge, card
from rropt.report.formulas import text_html
from rropt.report.shell import page

Entries = Mapping[str, tuple[Claim, Outcome]]
Papers = Mapping[str, Paper]

_TITLE = "Claims and their verdicts"


def claims_page(entries: Entries, papers: Papers | None = None, *, title: str = _TITLE) -> str:
    """Return one self-contained HTML page about these claims; it needs no network and no script.

    Args:
        entries: claim and outcome by id.
        papers: conventions by the id of the paper; papers without any may be left out.
        title: of the page.

    Raises:
        MissingExtraError: the package that sets mathematics is not installed.
    """
    papers = papers or {}
    links = {name: f"#{name}" for name in entries}
    sections = "".join(
        f'<h2 id="{escape(paper)}">{escape(_title(paper, papers))}</h2>{_paper_body(paper, papers, rows)}'
        for paper, rows in _by_paper(entries).items()
    )
    return page(title, _index(entries, papers, {paper: f"#{paper}" for paper in _by_paper(entries)}, links) + sections)


def claims_report(entries: Entries, papers: Papers, names: Mapping[str, str]) -> tuple[str, dict[str, tuple[str, str]]]:
    """Return the index, and for each paper its page and the JSON file that stands beside it.

    Args:
        entries: claim and outcome by id.
        papers: conventions by the id of the paper.
        names: by the id of the paper the name of its files, without ``.html`` and ``.json``, seen from the index.

    Raises:
        MissingExtraError: the package that sets mathematics is not installed.
    """
    pages = {}
    for paper, rows in _by_paper(entries).items():
        way = f'<p><a href="{escape(names[""])}">All papers</a>, '
        way += f'<a href="{escape(names[paper])}.json">all outcomes and certificates of this one as JSON</a>.</p>'
        body = way + _paper_body(paper, papers, rows)
        pages[paper] = page(_title(paper, papers), body), _data(paper, papers, rows)
    links = {name: f"{names[claim.paper]}.html#{name}" for name, (claim, _) in entries.items()}
    return page(_TITLE, _index(entries, papers, {paper: f"{names[paper]}.html" for paper in pages}, links)), pages


def _by_paper(entries: Entries) -> dict[str, list[tuple[Claim, Outcome]]]:
    """Return the claims of each paper in the order of print."""
    found: dict[str, list[tuple[Claim, Outcome]]] = {}
    for claim, outcome in sorted(entries.values(), key=lambda entry: (entry[0].paper, entry[0].order)):
        found.setdefault(claim.paper, []).append((claim, outcome))
    return found


def _title(paper: str, papers: Papers) -> str:
    return papers[paper].title if paper in papers else paper


def _counts(rows: list[tuple[Claim, Outcome]]) -> str:
    counts = {verdict: sum(outcome.verdict == verdict for _, outcome in rows) for verdict in WORDS}
    return ", ".join(f"{count} {WORDS[verdict]}" for verdict, count in counts.items() if count)


def _index(entries: Entries, papers: Papers, pages: Mapping[str, str], links: Mapping[str, str]) -> str:
    """Return the counts, the papers, and all claims: defects first, then what fails, then what lacks an assumption."""
    by_paper = _by_paper(entries)
    parts = [f"<p>{len(entries)} claims: {_counts(list(entries.values()))}.</p>", "<ul>"]
    for paper, rows in by_paper.items():
        title = escape(_title(paper, papers))
        parts.append(f'<li><a href="{escape(pages[paper])}">{title}</a>: {len(rows)} claims, {_counts(rows)}</li>')
    parts.append("</ul>")
    everything = [row for rows in by_paper.values() for row in rows]
    for verdict, word in WORDS.items():
        rows = [(claim, outcome) for claim, outcome in everything if outcome.verdict == verdict]
        if rows:
            listed = "".join(_row(claim, outcome, links[claim.id], papers) for claim, outcome in rows)
            head = "<tr><th>claim</th><th>verdict</th><th>evidence</th><th>points</th><th>failing</th></tr>"
            parts.append(f"<h2>{word.capitalize()}</h2>")
            parts.append(f'<div class="scroll"><table class="index">{head}{listed}</table></div>')
    return "".join(parts)


def _row(claim: Claim, outcome: Outcome, link: str, papers: Papers) -> str:
    name = escape(claim.id).replace(".", ".<wbr>", 1)
    place = escape(claim.source.removeprefix(f"{papers.get(claim.paper)}, "))
    return (
        f'<tr><td><a href="{escape(link)}">{name}</a><br><small>{place}</small></td><td>{badge(outcome)}</td>'
        f"<td>{escape(outcome.label)}</td><td>{outcome.points}</td><td>{outcome.failing}</td></tr>"
    )


def _paper_body(paper: str, papers: Papers, rows: list[tuple[Claim, Outcome]]) -> str:
    """Return the conventions, a list of the claims, and their cards."""
    parts = [f"<p>{len(rows)} claims: {_counts(rows)}.</p>"]
    if paper in papers:
        listed = "".join(
            f"<dt>{text_html(what)}</dt><dd>{text_html(how)}</dd>" for what, how in papers[paper].conventions
        )
        parts.append(f"<h2>Conventions</h2><dl>{listed}</dl><h2>Claims in the order of print</h2>")
    listed = "".join(_row(claim, outcome, f"#{claim.id}", papers) for claim, outcome in rows)
    head = "<tr><th>claim</th><th>verdict</th><th>evidence</th><th>points</th><th>failing</th></tr>"
    parts.append(f'<div class="scroll"><table class="index">{head}{listed}</table></div>')
    return "".join(parts) + "".join(card(claim, outcome) for claim, outcome in rows)


def _data(paper: str, papers: Papers, rows: list[tuple[Claim, Outcome]]) -> str:
    """Return the outcomes of a paper with their statements and certificates, as JSON text."""

    def entry(claim: Claim, outcome: Outcome) -> dict[str, Any]:
        documents = [{"step": name, "document": certificate.to_dict()} for name, certificate in outcome.certificates]
        said = {"source": claim.source, "printed": claim.printed, "precise": claim.precise, "notes": claim.notes}
        return {**outcome.to_dict(), **said, "certificates": documents}

    own = papers[paper].to_dict() if paper in papers else {}
    data = {"paper": paper, **own, "claims": [entry(claim, outcome) for claim, outcome in rows]}
    return json.dumps(data, indent=1) + "\n"
