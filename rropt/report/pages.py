"""The pages of a report, self-contained: that of claims, and that of a design.

For each claim the printed statement, the verdict, the evidence, the counterexample, the correction; for a design the
problem, the optimum with its bracket, the mechanism, and the certificate in full.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape

from rropt.claims import Claim, Outcome
from rropt.claims.outcomes import Counterexample, value_text
from rropt.mechanisms.decimals import html_table
from rropt.report.formulas import certificate_html, text_html
from rropt.solvers import Solution

_WORDS = {
    "holds": "holds",
    "holds-with-assumption": "holds with an assumption",
    "fails": "fails as printed",
    "not-checkable": "not checkable",
    "error": "entry in error",
}

_CLAIMS_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; } h3 { font-size: 1.05rem; margin: 0; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: .25rem .5rem; vertical-align: top; }
tr + tr td, tr + tr th { border-top: 1px solid var(--line); }
article { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; padding: 1rem; }
article > header { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: space-between; align-items: baseline; }
.badge { border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem; font-size: .85rem; }
.badge { white-space: nowrap; }
.holds { color: #1a7f37; } .holds-with-assumption { color: #9a6700; } .fails, .error { color: #cf222e; }
.not-checkable { color: #6e7781; }
.scroll { overflow-x: auto; overflow-y: hidden; padding: .25rem 0; }
blockquote.scroll { margin: .5rem 0; padding: .5rem .75rem; border-left: 3px solid var(--line); }
ul { margin: .25rem 0; padding-left: 1.25rem; } li { overflow-wrap: anywhere; }
details { margin-top: .5rem; } summary { cursor: pointer; } small { color: GrayText; }
pre { overflow-x: auto; background: var(--soft); padding: .5rem; font-size: .75rem; max-height: 20rem; }
math { font-size: 1.05em; } dt { font-weight: 600; margin-top: .5rem; } dd { margin: 0 0 0 1rem; }
@media (max-width: 32rem) {
  .index :is(td, th):nth-child(n + 3) { display: none; }
  .index td { overflow-wrap: break-word; } .badge { white-space: normal; } .index .badge { display: inline-block; }
}
@media (prefers-color-scheme: dark) {
  .holds { color: #4ac26b; } .holds-with-assumption { color: #d4a72c; } .fails, .error { color: #ff8182; }
}
"""


def claims_page(entries: Mapping[str, tuple[Claim, Outcome]], *, title: str = "Claims and their verdicts") -> str:
    """Return one self-contained HTML page about these claims; it needs no network and no script.

    Args:
        entries: claim and outcome by id.
        title: of the page.

    Raises:
        MissingExtraError: the package that sets mathematics is not installed.
    """
    papers: dict[str, list[tuple[Claim, Outcome]]] = {}
    for claim, outcome in entries.values():
        papers.setdefault(claim.paper, []).append((claim, outcome))
    counts = {word: sum(o.verdict == verdict for _, o in entries.values()) for verdict, word in _WORDS.items()}
    summary = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    sections = "".join(_section(paper, rows) for paper, rows in papers.items())
    return _page(title, _CLAIMS_STYLE, f"<p>{len(entries)} claims: {summary}.</p>{sections}")


def _page(title: str, style: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body>"
        f"<h1>{escape(title)}</h1>{body}</body></html>\n"
    )


def _section(paper: str, rows: list[tuple[Claim, Outcome]]) -> str:
    index = "".join(
        f'<tr><td><a href="#{escape(claim.id)}">{escape(claim.id).replace(".", ".<wbr>", 1)}</a></td>'
        f"<td>{_badge(outcome)}</td><td>{escape(outcome.label)}</td><td>{outcome.points}</td></tr>"
        for claim, outcome in rows
    )
    head = "<tr><th>claim</th><th>verdict</th><th>evidence</th><th>points</th></tr>"
    cards = "".join(_card(claim, outcome) for claim, outcome in rows)
    return f'<h2>{escape(paper)}</h2><div class="scroll"><table class="index">{head}{index}</table></div>{cards}'


def _badge(outcome: Outcome) -> str:
    return f'<span class="badge {outcome.verdict}">{_WORDS[outcome.verdict]}</span>'


def _card(claim: Claim, outcome: Outcome) -> str:
    parts = [
        f'<article id="{escape(claim.id)}"><header><h3>{escape(claim.id)}</h3>{_badge(outcome)}</header>',
        f"<small>{escape(claim.source)}</small>",
        f'<blockquote class="scroll">{text_html(claim.printed)}</blockquote>',
        f"<p>{text_html(claim.precise)}</p>",
    ]
    if outcome.assumption:
        parts.append(f"<p><b>Missing assumption:</b> {text_html(outcome.assumption)}</p>")
    if outcome.reason:
        parts.append(f"<p><b>Why it is not checkable:</b> {text_html(outcome.reason)}</p>")
    if outcome.counterexample is not None:
        parts.append(_counterexample(outcome.counterexample, claim))
    if outcome.correction:
        parts.append(f"<p><b>What is true:</b> {text_html(outcome.correction)}</p>")
    if claim.notes:
        parts.append(f"<p>{text_html(claim.notes)}</p>")
    parts.append(_evidence(outcome))
    return "".join(parts) + "</article>"


def _counterexample(example: Counterexample, claim: Claim) -> str:
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value_text(value))}</td>"
        f"<td><small>{escape(claim.variables[name].meaning)}</small></td></tr>"
        for name, value in example.point.items()
    )
    says, is_ = (escape(value_text(value)) for value in example.differing())
    steps = "".join(f"<li>{escape(step)}</li>" for step in example.working.splitlines())
    working = f"<p><b>By hand:</b></p><ul>{steps}</ul>" if steps else ""
    return (
        f'<p><b>Counterexample.</b></p><div class="scroll"><table>{rows}'
        f"<tr><th>the statement says</th><td colspan=2>{says}</td></tr>"
        f"<tr><th>the true value is</th><td colspan=2>{is_}</td></tr>"
        f"<tr><th>it should be</th><td colspan=2>{escape(example.relation)}</td></tr></table></div>{working}"
    )


def _evidence(outcome: Outcome) -> str:
    about = "" if outcome.about in ("", "as printed") else f" ({outcome.about})"
    counted = f"{outcome.points} distinct points met the assumptions" + (
        f", and the statement as printed is false at {outcome.failing} of them" if outcome.failing else ""
    )
    rows = [f"<dt>Evidence</dt><dd>{escape(outcome.label + about)}; {counted}</dd>"]
    if outcome.scope:
        rows.append(f"<dt>Scope</dt><dd>{text_html(outcome.scope)}</dd>")
    if outcome.argument:
        rows.append(f"<dt>Argument</dt><dd>{text_html(outcome.argument)}</dd>")
    lists = (
        ("Anchored: proved of the claim's own values", outcome.anchored),
        ("Links to the claim's Python", outcome.links),
        ("Conditions that no certificate needed", outcome.unneeded),
        ("Remarks", outcome.remarks),
        ("Every failing case", outcome.cells),
        ("Steps that no machine checked", outcome.unchecked_steps),
    )
    for title, listed in lists:
        if listed:
            steps = "".join(f"<li>{text_html(step)}</li>" for step in listed)
            rows.append(f"<dt>{title}</dt><dd><ul>{steps}</ul></dd>")
    for problem in outcome.problems:
        rows.append(f"<dt>Defect of this entry</dt><dd>{escape(problem)}</dd>")
    for name, certificate in outcome.certificates:
        document = certificate.to_dict()
        rows.append(
            f'<dt>Certificate: {escape(name)}</dt><dd class="scroll">{certificate_html(document)}'
            f"<details><summary>as the checker reads it ({len(certificate.text)} bytes)</summary>"
            f"<pre>{escape(json.dumps(document, indent=1)[:20000])}</pre></details></dd>"
        )
    return f"<details><summary>Evidence</summary><dl>{''.join(rows)}</dl></details>"


_DESIGN_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 50rem; padding: 1rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .25rem .6rem; vertical-align: top; }
tr + tr > * { border-top: 1px solid #8884; } .scroll { overflow-x: auto; overflow-y: hidden; }
pre { overflow-x: auto; background: #8881; padding: .5rem; font-size: .8rem; } td { overflow-wrap: anywhere; }
"""


def design_page(solution: Solution, more: Sequence[tuple[str, str]] = ()) -> str:
    """Return one self-contained HTML page about a certified design; it needs no network and no script.

    Args:
        solution: what was solved.
        more: further rows (what, value) of the table, e.g. the standard error at a sample size.
    """
    rows = "".join(f"<tr><th>{escape(a)}</th><td>{escape(b)}</td></tr>" for a, b in (*solution.lines(), *more))
    matrices = "".join(
        f'<div class="scroll">{html_table(f"optimal design {i} (rows are answers)", optimum.matrix)}</div>'
        for i, optimum in enumerate(solution.optima, start=1)
    )
    return _page(
        "Optimal design",
        _DESIGN_STYLE,
        f'<div class="scroll"><table>{rows}</table></div>{matrices}'
        f"<h2>Certificate: {escape(str(solution.certificate.check()))}</h2>"
        "<p>Save this text as a file and judge it with <code>python -m rropt.checker FILE</code>.</p>"
        f"<pre>{escape(solution.certificate.text)}</pre>",
    )
