"""The card of a claim: what is printed and what is true, how the true value was computed, where, and the evidence."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from inspect import getdoc

from rropt.claims import Claim, Domain, Outcome
from rropt.claims.outcomes import Counterexample, value_text
from rropt.report.formulas import certificate_html, text_html
from rropt.report.plain_formulas import value_html

WORDS = {
    "error": "in error",
    "fails": "fails as printed",
    "holds-with-assumption": "holds with an assumption",
    "not-checkable": "not checkable",
    "holds": "holds",
}
_MOST_CERTIFICATES = 6  # that are set on the page; all stand in the file beside it
_MOST_VALUES = 8  # of a domain that are listed
_LONGEST_VALUE = 80  # characters of a listed value


def badge(outcome: Outcome) -> str:
    """Return the verdict as a coloured mark."""
    return f'<span class="badge {outcome.verdict}">{WORDS[outcome.verdict]}</span>'


def card(claim: Claim, outcome: Outcome) -> str:
    """Return the card of a claim as HTML; its anchor is the id of the claim."""
    name = escape(claim.id)
    parts = [
        f'<article id="{name}"><header><h3><a href="#{name}">{name}</a></h3>{badge(outcome)}</header>',
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
    return "".join((*parts, _computed(claim, outcome), _evidence(outcome), "</article>"))


def _counterexample(example: Counterexample, claim: Claim) -> str:
    rows = "".join(
        f"<tr><th>{value_html(name)}</th><td>{value_html(value_text(value))}</td>"
        f"<td><small>{text_html(claim.variables[name].meaning)}</small></td></tr>"
        for name, value in example.point.items()
    )
    says, is_ = (value_html(value_text(value)) for value in example.differing())
    steps = "".join(f"<li>{text_html(step)}</li>" for step in example.working.splitlines())
    working = f"<p><b>By hand:</b></p><ul>{steps}</ul>" if steps else ""
    return (
        f'<p><b>Counterexample.</b></p><div class="scroll"><table>{rows}'
        f"<tr><th>the statement says</th><td colspan=2>{says}</td></tr>"
        f"<tr><th>the true value is</th><td colspan=2>{is_}</td></tr>"
        f"<tr><th>it should be</th><td colspan=2>{escape(example.relation)}</td></tr></table></div>{working}"
    )


def _computed(claim: Claim, outcome: Outcome) -> str:
    """Return both sides in words, the domain, the conditions, and how many points were tried."""
    sides = [("What the statement says", claim.theory), ("How the true value is computed", claim.computed)]
    if claim.correction is not None:
        sides.append(("What the corrected statement says", claim.correction.theory))
        if claim.correction.computed is not None:
            sides.append(("How its true value is computed", claim.correction.computed))
    rows = [f"<dt>{title}</dt><dd>{text_html(words)}</dd>" for title, side in sides if (words := getdoc(side))]
    if claim.variables:
        listed = "".join(_domain(name, domain) for name, domain in claim.variables.items())
        rows.append(f'<dt>Domain</dt><dd class="scroll"><table>{listed}</table></dd>')
    for title, conditions in (
        ("Assumptions", claim.assumptions),
        ("Undefined unless", claim.defined),
        ("Missing", claim.missing),
        ("Conditions of the correction", claim.correction.conditions if claim.correction else ()),
    ):
        rows.append(_list(title, (condition.text for condition in conditions)))
    rows.append(f"<dt>Points</dt><dd>{_points(outcome)}</dd>")
    return f"<details><summary>Computed: {_points(outcome)}</summary><dl>{''.join(rows)}</dl></details>"


def _points(outcome: Outcome) -> str:
    return f"{outcome.points} compared, {outcome.failing} failing, {outcome.undefined} undefined"


def _domain(name: str, domain: Domain) -> str:
    """Return the row of a variable: its meaning, and which values are always tried."""
    texts = [value_text(value) for value in domain.boundary]
    shown = [text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]} ..." for text in texts[:_MOST_VALUES]]
    more = f" and {len(texts) - len(shown)} more" if len(texts) > len(shown) else ""
    drawn = "; others drawn at random" if domain.draw is not None else ""
    values = ", ".join(map(value_html, shown)) + more + drawn
    return f"<tr><th>{value_html(name)}</th><td>{text_html(domain.meaning)}</td><td><small>{values}</small></td></tr>"


def _list(title: str, items: Iterable[str]) -> str:
    """Return a titled list, each line once; nothing where there is none."""
    listed = "".join(f"<li>{text_html(item)}</li>" for item in dict.fromkeys(items))
    return f"<dt>{title}</dt><dd><ul>{listed}</ul></dd>" if listed else ""


def _evidence(outcome: Outcome) -> str:
    about = "" if outcome.about in ("", "as printed") else f" ({outcome.about})"
    rows = [f"<dt>Evidence</dt><dd>{escape(outcome.label + about)}</dd>"]
    if outcome.scope:
        rows.append(f"<dt>Scope</dt><dd>{text_html(outcome.scope)}</dd>")
    if outcome.argument:
        rows.append(f"<dt>Argument</dt><dd>{text_html(outcome.argument)}</dd>")
    rows += [
        _list("Anchored: proved of the claim's own values", outcome.anchored),
        _list("Links to the claim's Python", outcome.links),
        _list("Conditions that no certificate needed", outcome.unneeded),
        _list("Remarks", outcome.remarks),
        _list("Every failing case", outcome.cells),
        _list("Steps that no machine checked", outcome.unchecked_steps),
        _list("Defects of this entry", outcome.problems),
    ]
    if outcome.certificates:
        rows.append(f"<dt>Certificates</dt><dd>{_certificates(outcome)}</dd>")
    return f"<details><summary>Evidence: {escape(outcome.label + about)}</summary><dl>{''.join(rows)}</dl></details>"


def _certificates(outcome: Outcome) -> str:
    """Return the first certificates in readable form, each formula once, and how many there are."""
    shown: dict[str, str] = {}
    for name, certificate in outcome.certificates:
        if len(shown) < _MOST_CERTIFICATES:
            shown.setdefault(certificate_html(certificate.to_dict()), name)
    listed = "".join(f'<b>{text_html(name)}</b><div class="scroll">{html}</div>' for html, name in shown.items())
    return f"<p>{len(outcome.certificates)}, each accepted by the checker; set here: {len(shown)}.</p>{listed}"
