"""The report on claims: an index, and for each paper a page and a file with all outcomes and certificates.

The index lists failures first. The page of a paper gives its conventions and then its claims in the paper's order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rropt.claims import Claim, Domain, Outcome, Paper
from rropt.claims.claim_formulas import with_formulas
from rropt.claims.outcomes import Counterexample, value_text
from rropt.core.version import installed_version
from rropt.core.visible import html_text, with_noun
from rropt.reports.browser_checker import certificate_block
from rropt.reports.claims_documents import WORDS, verdict_counts
from rropt.reports.mathematics import block_html, certificate_html, text_html
from rropt.reports.pages import SCROLLS, page
from rropt.reports.records import table

Entries = Mapping[str, tuple[Claim, Outcome]]
Papers = Mapping[str, Paper]

_TEXTS: Mapping[str, str] = table("texts/claims_page.toml")
_TITLE = _TEXTS["title"]


def claims_page(entries: Entries, papers: Papers | None = None, *, title: str = _TITLE) -> str:
    """Return a self-contained HTML page about these claims; it needs no network and checks its certificates.

    Args:
        entries: claim and outcome by id.
        papers: conventions by the id of the paper; papers without conventions may be omitted.
        title: the title of the page.

    Raises:
        MissingExtraError: the package that typesets formulas is not installed.
    """
    papers = papers or {}
    links = {name: f"#{name}" for name in entries}
    sections = "".join(
        f'<h2 id="{html_text(paper)}">{html_text(_title(paper, papers))}</h2>{_paper_body(paper, papers, rows)}'
        for paper, rows in _by_paper(entries).items()
    )
    index = _index(entries, papers, {paper: f"#{paper}" for paper in _by_paper(entries)}, links)
    return page(title, index + sections + _reply())


def claims_report(entries: Entries, papers: Papers, names: Mapping[str, str]) -> tuple[str, dict[str, tuple[str, str]]]:
    """Return the index, and the page and the JSON file of each paper.

    Args:
        entries: claim and outcome by id.
        papers: conventions by the id of the paper.
        names: the names of the files of each paper by its id, without ``.html`` and ``.json``, relative to the index.

    Raises:
        MissingExtraError: the package that typesets formulas is not installed.
    """
    pages = {}
    for paper, rows in _by_paper(entries).items():
        way = f'<p><a href="{html_text(names[""])}">All papers</a>, '
        way += f'<a href="{html_text(names[paper])}.json">all outcomes and certificates of this one as JSON</a>.</p>'
        body = way + _paper_body(paper, papers, rows) + _reply()
        pages[paper] = page(_title(paper, papers), body), _data(paper, papers, rows)
    links = {name: f"{names[claim.paper]}.html#{name}" for name, (claim, _) in entries.items()}
    index = _index(entries, papers, {paper: f"{names[paper]}.html" for paper in pages}, links)
    return page(_TITLE, index + _reply()), pages


def _reply() -> str:
    """Return the paragraph with the date, the version, and how an author can reply."""
    date, version = datetime.now(UTC).date().isoformat(), html_text(installed_version())
    return f"<footer><p><small>Made on {date} with rropt {version}. {_TEXTS['reply']}</small></p></footer>"


def files_beside(index: str, papers: Iterable[str]) -> list[str]:
    """Return the files that are next to the index of a report: a page and a JSON file for each paper."""
    place = Path(index)
    names = sorted(f"{place.stem}-{paper}" for paper in papers)
    return [str(place.with_name(f"{name}{end}")) for name in names for end in (".html", ".json")]


def claims_files(index: str, entries: Entries, papers: Papers) -> dict[str, str]:
    """Return the texts of all files of a report by path: the index, and the files of ``files_beside``.

    Args:
        index: path of the index.
        entries: claim and outcome by id.
        papers: conventions by the id of the paper.

    Raises:
        MissingExtraError: the package that typesets formulas is not installed.
    """
    place = Path(index)
    names = {claim.paper: f"{place.stem}-{claim.paper}" for claim, _ in entries.values()}
    first, pages = claims_report(
        entries, papers, {"": quote(place.name), **{paper: quote(name) for paper, name in names.items()}}
    )
    both = ((paper, zip((".html", ".json"), texts, strict=True)) for paper, texts in pages.items())
    made = {str(place.with_name(f"{names[paper]}{end}")): text for paper, texts in both for end, text in texts}
    return {index: first, **made}


def _by_paper(entries: Entries) -> dict[str, list[tuple[Claim, Outcome]]]:
    """Return the claims of each paper in the order of print."""
    found: dict[str, list[tuple[Claim, Outcome]]] = {}
    for claim, outcome in sorted(entries.values(), key=lambda entry: (entry[0].paper, entry[0].order)):
        found.setdefault(claim.paper, []).append((claim, outcome))
    return found


def _title(paper: str, papers: Papers) -> str:
    return papers[paper].title if paper in papers else paper


def _counts(rows: list[tuple[Claim, Outcome]]) -> str:
    return verdict_counts([outcome for _, outcome in rows])


def _index(entries: Entries, papers: Papers, pages: Mapping[str, str], links: Mapping[str, str]) -> str:
    """Return the index: counts, papers, and all claims (errors first, then failures, then missing assumptions)."""
    by_paper = _by_paper(entries)
    parts = [f"<p>{with_noun(len(entries), 'claim')}: {_counts(list(entries.values()))}.</p>", "<ul>"]
    for paper, rows in by_paper.items():
        title = html_text(_title(paper, papers))
        claims = f"{with_noun(len(rows), 'claim')}, {_counts(rows)}"
        parts.append(f'<li><a href="{html_text(pages[paper])}">{title}</a>: {claims}</li>')
    parts.append("</ul>")
    everything = [row for rows in by_paper.values() for row in rows]
    for verdict, word in WORDS.items():
        rows = [(claim, outcome) for claim, outcome in everything if outcome.verdict == verdict]
        if rows:
            parts.append(f"<h2>{word.capitalize()}</h2>{_table(rows, links, papers)}")
    return "".join(parts)


def _table(rows: list[tuple[Claim, Outcome]], links: Mapping[str, str], papers: Papers) -> str:
    """Return the table of claims."""
    listed = "".join(_row(claim, outcome, links[claim.id], papers) for claim, outcome in rows)
    head = "<tr><th>claim</th><th>verdict</th><th>evidence</th><th>points</th><th>failing</th></tr>"
    return f'{SCROLLS}<table class="index">{head}{listed}</table></div>'


def _row(claim: Claim, outcome: Outcome, link: str, papers: Papers) -> str:
    name = html_text(claim.id).replace(".", ".<wbr>", 1)
    place = html_text(claim.source.removeprefix(f"{papers.get(claim.paper)}, "))
    return (
        f'<tr><td><a href="{html_text(link)}">{name}</a><br><small>{place}</small></td><td>{badge(outcome)}</td>'
        f"<td>{html_text(outcome.label)}</td><td>{outcome.points}</td><td>{outcome.failing}</td></tr>"
    )


def _paper_body(paper: str, papers: Papers, rows: list[tuple[Claim, Outcome]]) -> str:
    """Return the conventions, a list of the claims, and their cards."""
    parts = [f"<p>{with_noun(len(rows), 'claim')}: {_counts(rows)}.</p>"]
    is_extracted = paper in papers and papers[paper].extracted
    if paper in papers:
        listed = "".join(
            f"<dt>{text_html(what)}</dt>{block_html('dd', how)}" for what, how in papers[paper].conventions
        )
        parts.append(f"<h2>Conventions</h2><dl>{listed}</dl><h2>Claims in the order of print</h2>")
    parts.append(_table(rows, {claim.id: f"#{claim.id}" for claim, _ in rows}, papers))
    return "".join(parts) + "".join(card(claim, outcome, extracted=is_extracted) for claim, outcome in rows)


def _data(paper: str, papers: Papers, rows: list[tuple[Claim, Outcome]]) -> str:
    """Return the outcomes of a paper with their statements and certificates, as JSON text."""

    def entry(claim: Claim, outcome: Outcome) -> dict[str, Any]:
        documents = [{"step": name, "document": certificate.to_dict()} for name, certificate in outcome.certificates]
        said = {"source": claim.source, "notes": claim.notes}
        return {**outcome.to_dict(), **said, "certificates": documents}

    own = papers[paper].to_dict() if paper in papers else {}
    data = {"paper": paper, **own, "claims": [entry(claim, outcome) for claim, outcome in rows]}
    return json.dumps(data, indent=1) + "\n"


_MOST_CERTIFICATES = 6  # that are set on the page; all stand in the file beside it
_LONGEST_CERTIFICATE = 20_000  # characters of one whose file stands on the page
_MOST_VALUES = 8  # of a domain that are listed
_LONGEST_VALUE = 80  # characters of a listed value


def badge(outcome: Outcome) -> str:
    """Return the verdict as a coloured mark."""
    return f'<span class="badge {outcome.verdict}">{WORDS[outcome.verdict]}</span>'


def card(claim: Claim, outcome: Outcome, *, extracted: bool = False) -> str:
    """Return the card of a claim as HTML; its anchor is the id of the claim.

    Args:
        claim: the claim.
        outcome: its outcome.
        extracted: whether the text was extracted from a file; the card then asks the reader to compare it.
    """
    name = html_text(claim.id)
    readings = [
        f"Read as {each.name}: {WORDS.get(each.verdict, each.verdict)} ({each.label}). This rests on: "
        f"\N{LEFT DOUBLE QUOTATION MARK}{each.rests_on}\N{RIGHT DOUBLE QUOTATION MARK}"
        for each in outcome.readings
    ]
    parts = [
        f'<article id="{name}"><header><h3><a href="#{name}">{name}</a></h3>{badge(outcome)}</header>',
        f"<small>{html_text(claim.source)}</small>",
        block_html("blockquote", claim.printed),
        f"<p><small>{_TEXTS['extracted']}</small></p>" if extracted else "",
        block_html("p", with_formulas(claim.precise)),
        _said("<b>Missing assumption:</b> ", outcome.assumption),
        f"<dl>{_list('Readings', readings)}</dl>" if readings else "",
        _said("<b>Why it is not checkable:</b> ", outcome.reason),
        "" if outcome.counterexample is None else _counterexample(outcome.counterexample, claim),
        _said("<b>What is true:</b> ", outcome.correction),
        _said("", claim.notes),
    ]
    return "".join((*parts, _computed(claim, outcome), _evidence(outcome), "</article>"))


def _said(title: str, text: str) -> str:
    """Return a paragraph of text below its title in HTML; empty text for an empty one."""
    return block_html("p", text, title) if text else ""


def _counterexample(example: Counterexample, claim: Claim) -> str:
    rows = "".join(
        f"<tr><th>{html_text(name)}</th><td>{html_text(value_text(value))}</td>"
        f"<td><small>{text_html(claim.variables[name].meaning)}</small></td></tr>"
        for name, value in example.point.items()
    )
    says, is_ = (text_html(value_text(value)) for value in example.differing())
    steps = "".join(block_html("li", step) for step in example.working.splitlines())
    working = f"<p><b>By hand:</b></p><ul>{steps}</ul>" if steps else ""
    return (
        f"<p><b>Counterexample.</b></p>{SCROLLS}<table>{rows}"
        f"<tr><th>the statement says</th><td colspan=2>{says}</td></tr>"
        f"<tr><th>the true value is</th><td colspan=2>{is_}</td></tr>"
        f"<tr><th>it should be</th><td colspan=2>{html_text(example.relation)}</td></tr></table></div>{working}"
    )


def _computed(claim: Claim, outcome: Outcome) -> str:
    """Return both sides in words, the domain, the conditions, and the number of tested points."""
    rows = [_list(title, texts) for title, texts in claim.facts.items()]
    if claim.variables:
        listed = "".join(_domain(name, domain) for name, domain in claim.variables.items())
        rows.insert(0, f"<dt>Domain</dt><dd>{SCROLLS}<table>{listed}</table></div></dd>")
    rows.append(_term("Points", _points(outcome)))
    return f"<details><summary>Computed: {_points(outcome)}</summary><dl>{''.join(rows)}</dl></details>"


def _points(outcome: Outcome) -> str:
    return f"{outcome.points} compared, {outcome.failing} failing, {outcome.undefined} undefined"


def _domain(name: str, domain: Domain) -> str:
    """Return the row of a variable: its meaning, and the values that are always tested."""
    texts = [value_text(value) for value in domain.boundary]
    shown = [text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]} ..." for text in texts[:_MOST_VALUES]]
    more = f" and {len(texts) - len(shown)} more" if len(texts) > len(shown) else ""
    drawn = "; others drawn at random" if domain.draw is not None else ""
    values = ", ".join(map(text_html, shown)) + more + drawn
    return f"<tr><th>{html_text(name)}</th><td>{text_html(domain.meaning)}</td><td><small>{values}</small></td></tr>"


def _list(title: str, items: Iterable[str]) -> str:
    """Return a titled list without repeated lines; empty text for an empty list."""
    listed = "".join(block_html("li", item) for item in dict.fromkeys(items))
    return _term(title, listed and f"<ul>{listed}</ul>")


def _term(title: str, html: str) -> str:
    """Return a term with its description; empty text for an empty one."""
    return f"<dt>{title}</dt><dd>{html}</dd>" if html else ""


def _described(title: str, text: str) -> str:
    """Return a term with its description in words; empty text for an empty one."""
    return f"<dt>{title}</dt>{block_html('dd', text)}" if text else ""


def _evidence(outcome: Outcome) -> str:
    about = f" ({outcome.about})" if outcome.about == "with the assumption" else ""
    label = html_text(outcome.label + about)
    rows = [
        _term("Evidence", label),
        _described("Scope", outcome.scope),
        _described("Argument", outcome.argument),
        _list("Variables and definitions of the card", outcome.definitions),
        _list("Remarks", outcome.remarks),
        _list("Every failing case", outcome.cells),
        _list("Theorems in Coq that state the claim", outcome.theorems),
        _list("Steps that no machine checked", outcome.unchecked_steps),
        _list("Defects of this entry", outcome.problems),
        _term("Certificates", _certificates(outcome) if outcome.certificates else ""),
    ]
    return f"<details><summary>Evidence: {label}</summary><dl>{''.join(rows)}</dl></details>"


def _certificates(outcome: Outcome) -> str:
    """Return the first certificates with their files, each formula once, and the number of all certificates."""
    shown: dict[str, tuple[str, str]] = {}
    for name, certificate in outcome.certificates:
        if len(shown) < _MOST_CERTIFICATES:
            document = certificate.to_dict()
            shown.setdefault(certificate_html(document), (name, json.dumps(document)))
    listed = "".join(
        f"<b>{text_html(name)}</b>{SCROLLS}{html}</div>{_file(text)}" for html, (name, text) in shown.items()
    )
    return f"<p>{len(outcome.certificates)}, each accepted by the checker; set here: {len(shown)}.</p>{listed}"


def _file(text: str) -> str:
    """Return a certificate that the page checks. A long certificate is only in the JSON file of the paper."""
    return f"{certificate_block(text)}</section>" if len(text) <= _LONGEST_CERTIFICATE else ""
