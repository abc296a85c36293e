"""The frame of every HTML page, its styles, and the figure of posterior against prior probabilities.

Pages load nothing from a network. Their only script is the checker (browser_checker.py), on pages with a certificate.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from rropt.core.certificates import Certificate
from rropt.core.exact.display import decimal_outwards
from rropt.core.version import installed_version
from rropt.core.visible import html_text
from rropt.mechanisms import Mechanism
from rropt.reports.browser_checker import certificate_block, with_checker
from rropt.reports.sheet_languages import Language

CLAIMS_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; } h3 { font-size: 1.05rem; margin: 0; }
h4 { font-size: 1rem; margin: 1rem 0 .25rem; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: .25rem .5rem; vertical-align: top; } th { overflow-wrap: normal; }
tr + tr td, tr + tr th { border-top: 1px solid var(--line); }
article { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; padding: 1rem; scroll-margin-top: 1rem; }
article:target { outline: 2px solid currentColor; }
article > header { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: space-between; align-items: baseline; }
h3 a { color: inherit; text-decoration: none; } h3 a:hover { text-decoration: underline; }
.badge { border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem; font-size: .85rem; }
.badge { white-space: nowrap; }
.holds { color: #1a7f37; } .holds-with-assumption, .depends-on-reading { color: #9a6700; }
.fails, .error { color: #cf222e; }
.not-checkable { color: #6e7781; }
.scroll { overflow-x: auto; overflow-y: hidden; padding: .25rem 0; }
blockquote.scroll { margin: .5rem 0; padding: .5rem .75rem; border-left: 3px solid var(--line); }
p, dd, ul { overflow-x: auto; overflow-y: hidden; } p, li, dd { overflow-wrap: anywhere; }
ul { margin: .25rem 0; padding-left: 1.25rem; }
details { margin-top: .5rem; } summary { cursor: pointer; } small { color: GrayText; }
.number { text-align: right; } img { background: #fff; max-width: 100%; }
math { font-size: 1.05em; } dt { font-weight: 600; margin-top: .5rem; } dd { margin: 0 0 0 1rem; }
@media (max-width: 32rem) {
  body { padding: .75rem; } article { padding: .75rem; } dd { margin-left: 0; }
  .index :is(td, th):nth-child(n + 3) { display: none; }
  .index td { overflow-wrap: anywhere; } .badge { white-space: normal; } .index .badge { display: inline-block; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 12px; } .scroll, p, dd, ul { overflow: visible; }
  details::details-content { content-visibility: visible; height: auto; } h2, h3, summary { break-after: avoid; }
}
@media (prefers-color-scheme: dark) {
  .holds { color: #4ac26b; } .holds-with-assumption, .depends-on-reading { color: #d4a72c; }
  .fails, .error { color: #ff8182; }
}
"""


def page(title: str, body: str, *, style: str = CLAIMS_STYLE) -> str:
    """Return a self-contained HTML page with this title as its first heading; it checks its own certificates."""
    policy, checker = with_checker(body)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">{policy}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html_text(title)}</title><style>{style}{PROOF_STYLE if checker else ''}</style></head><body>"
        f"<h1>{html_text(title)}</h1>{body}{checker}</body></html>\n"
    )


PROOF_STYLE = """
.verdict { border-left: .3rem solid #6e7781; padding-left: .6rem; overflow-wrap: anywhere; }
.verdict[data-verdict=accepted] { border-color: #1a7f37; } .verdict[data-verdict=rejected] { border-color: #cf222e; }
pre.certificate { font-size: .75rem; max-height: 30rem; overflow: auto; padding: .5rem; }
"""

BOARD_STYLE = """
:root { color-scheme: light dark; --soft: #8882; --yes: #0072b2; --no: #d55e00; }
* { box-sizing: border-box; }
body { font: 16px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 50rem; padding: 1rem; }
p, dd, li, td, summary { overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; } h2 { font-size: 1.1rem; margin: 1.1rem 0 .3rem; }
p { margin: .35rem 0; } ul { margin: .35rem 0; padding-left: 1.2rem; }
.do { border-left: .3rem solid var(--yes); font-size: 1.15rem; margin: .5rem 0; padding: .3rem .8rem; }
.warn { border: 2px solid var(--no); margin: .5rem 0; padding: .3rem .8rem; }
.two { display: grid; gap: 0 1.5rem; grid-template-columns: 1fr 17rem; align-items: start; }
figure { margin: 0; } svg { display: block; height: auto; width: 100%; } figcaption { font-size: .85em; }
table { border-collapse: collapse; } td, th { padding: .15rem .6rem; text-align: left; vertical-align: top; }
tr + tr > * { border-top: 1px solid #8886; } .scroll { overflow-x: auto; }
.first td { overflow-wrap: normal; }
.square td { border: 1px solid #8886; font-size: .75rem; padding: 0 .25rem; }
dl { display: grid; gap: .1rem .8rem; grid-template-columns: max-content 1fr; margin: .35rem 0; } dd { margin: 0; }
dt { font-weight: 600; } footer { border-top: 1px solid #8886; font-size: .85em; margin-top: 1rem; }
pre { background: var(--soft); font-size: .75rem; overflow: auto; padding: .5rem; max-height: 30rem; }
code { background: var(--soft); } .hash { font-family: monospace; font-size: .85rem; }
@media (max-width: 40rem) {
  td, th { padding: .15rem .3rem; } .scroll table { font-size: .85em; }
  .two { grid-template-columns: 1fr; } .two figure { max-width: 20rem; } dl { grid-template-columns: 1fr; }
}
@page { size: A4; margin: 13mm; }
@media print {
  :root { color-scheme: light; } body { font-size: 9.5pt; line-height: 1.28; max-width: none; padding: 0; }
  .first { break-after: page; } h1 { font-size: 15pt; }
  h2 { break-after: avoid; font-size: 11.5pt; margin: 2.6mm 0 .8mm; }
  .two { grid-template-columns: 1fr 55mm; } .do { font-size: 11.5pt; } tr, figure { break-inside: avoid; }
}
"""

Posterior = Callable[[Fraction], Fraction]


_SIDE, _LEFT, _TOP = 200, 34, 8  # of the square, and what stands beside it
_STEPS = 60


def belief_curves(most: Posterior, least: Posterior, dotted: Sequence[Fraction], said: tuple[str, str]) -> str:
    """Return a figure (SVG) of posterior against prior probabilities.

    Args:
        most, least: the largest and the smallest posterior probability, as functions of the prior.
        dotted: the prior probabilities of the marked points.
        said: the labels of the two curves.
    """

    def at(prior: Fraction, value: Fraction) -> str:
        return f"{_LEFT + _SIDE * float(prior):.2f},{_TOP + _SIDE * (1 - float(value)):.2f}"

    priors = [Fraction(i, _STEPS) for i in range(_STEPS + 1)]
    lines = [" ".join(at(p, posterior(p)) for p in priors) for posterior in (most, least)]
    grid = "".join(
        f'<path d="M{_LEFT} {_TOP + _SIDE - x}h{_SIDE}M{_LEFT + x} {_TOP}v{_SIDE}"/>' for x in (0, 50, 100, 150, 200)
    )
    ticks = "".join(
        f'<text x="{_LEFT + 2 * p}" y="{_TOP + _SIDE + 13}" text-anchor="middle">{p} %</text>'
        f'<text x="{_LEFT - 4}" y="{_TOP + _SIDE - 2 * p + 4}" text-anchor="end">{p} %</text>'
        for p in (0, 50, 100)
    )
    dots = "".join(
        f'<circle r="3" cx="{x}" cy="{y}" fill="var(--{name})"/>'
        for name, posterior in (("yes", most), ("no", least))
        for x, y in (at(p, posterior(p)).split(",") for p in dotted)
    )
    key = "".join(
        f'<path d="M{_LEFT + x} {_TOP + _SIDE + 37}h22" stroke="var(--{name})" stroke-width="2"{dash}/>'
        f'<text x="{_LEFT + x + 27}" y="{_TOP + _SIDE + 41}">{text}</text>'
        for x, name, text, dash in ((0, "yes", said[0], ""), (110, "no", said[1], ' stroke-dasharray="6 3"'))
    )
    title = f"Belief afterwards against belief before: the solid line {said[0]}, the dashed line {said[1]}"
    return (
        f'<figure><svg viewBox="0 0 {_LEFT + _SIDE + 18} {_TOP + _SIDE + 46}" role="img" aria-label="{title}" '
        f'font-size="10" fill="currentColor"><g stroke="currentColor" stroke-opacity=".2">{grid}</g>'
        f'<path d="M{_LEFT} {_TOP + _SIDE}l{_SIDE} -{_SIDE}" stroke="currentColor" stroke-dasharray="1 3"/>'
        f'<polyline points="{lines[0]}" fill="none" stroke="var(--yes)" stroke-width="2"/>'
        f'<polyline points="{lines[1]}" fill="none" stroke="var(--no)" stroke-width="2" stroke-dasharray="6 3"/>'
        f'{dots}{ticks}<text x="{_LEFT + _SIDE / 2}" y="{_TOP + _SIDE + 25}" text-anchor="middle">belief before</text>'
        f"{key}</svg><figcaption>Upwards: belief afterwards. Dotted: an answer changes nothing.</figcaption>"
        "</figure>"
    )


def certificate_section(file: str, certificate: Certificate) -> str:
    """Return a collapsed certificate with the SHA-256 of its file, a link to save it, and the command to check it."""
    data = certificate.file_text.encode()
    name, digest = html_text(file), hashlib.sha256(data).hexdigest()
    link = f"data:application/json;base64,{base64.b64encode(data).decode()}"
    return (
        f"<h2>Certificate {name}: {html_text(str(certificate.check()))}</h2>"
        f"{certificate_block(certificate.file_text)}"
        f'<p><a download="{name}" href="{link}">Save it as {name}</a>, then check it: '
        f"<code>rropt check {name}</code>, or with Python alone <code>python -m rropt.checker {name}</code>.</p>"
        f'<p>SHA-256 of the file (<code>sha256sum {name}</code>): <span class="hash">{digest}</span></p>'
        "</section>"
    )


@dataclass(frozen=True, slots=True)
class PlannedSurvey:
    """The description of the survey on the page of its design.

    Attributes:
        question: the wording of the question; by default a general description.
        n: the number of respondents; by default several round numbers.
        confidence: the confidence level of the margins of error, in (0, 1).
        date: the date of the page; by default today (UTC).
        file: the name of the certificate's file.
    """

    question: str | None = None
    n: int | None = None
    confidence: object = Fraction(19, 20)
    date: str | None = None
    file: str = "certificate.json"


def board_page(
    first: Sequence[str],
    lines: Sequence[tuple[str, str]],
    optima: Sequence[Mechanism],
    certificate: Certificate | None,
    survey: PlannedSurvey,
    bound: Certificate | None,
) -> str:
    """Return the page for the ethics committee, followed by the exact numbers and the certificates."""
    proofs = [(survey.file, certificate), (str(Path(survey.file).with_stem(f"{Path(survey.file).stem}-bound")), bound)]
    sheet = "".join([*first, _foot(survey)]).replace(" %", "\u00a0%")
    body = f'<div class="first">{sheet}</div>{_checked(lines, optima, proofs)}'
    return page("How this survey protects its respondents", body, style=BOARD_STYLE)


def glossary(mechanism: Mechanism, promise: str | None = None) -> str:
    """Return the definitions of the five terms that the page uses, with the promised level in words."""
    parity = mechanism.parity()
    bound = "has no limit here" if parity is None else f"is at most {decimal_outwards(parity, up=True, digits=4)} here"
    bound += "" if promise is None else f"; the design keeps {html_text(promise)}"
    words = {
        "randomizing": "Chance decides part of each response. One response reveals little; many responses reveal a "
        "proportion.",
        "belief": "How likely an observer believes something to be: before a response (prior) or after it (posterior).",
        "epsilon (ε)": "The promise as a number: no response is more than e<sup>ε</sup> times as likely from one "
        f"respondent as from another. That factor {bound}.",
        "margin": "How far the estimated proportion may be from the true one, in all but a few surveys.",
        "certificate": "A file that proves these numbers. A small program checks it and does not trust the author.",
    }
    return f"<h2>Five words</h2><dl>{''.join(f'<dt>{word}</dt><dd>{said}</dd>' for word, said in words.items())}</dl>"


def dice_table(language: str) -> str:
    """Return the table of the numbers of two dice."""
    title = html_text(Language.of(language).text("table_title"))
    head = "".join(f'<th scope="col">{white}</th>' for white in range(1, 7))
    rows = "".join(
        f'<tr><th scope="row">{red}</th>{"".join(f"<td>{6 * (red - 1) + white}</td>" for white in range(1, 7))}</tr>'
        for red in range(1, 7)
    )
    return f'<table class="square"><caption>{title}</caption><tr><th></th>{head}</tr>{rows}</table>'


def _foot(survey: PlannedSurvey) -> str:

    date = survey.date or datetime.now(UTC).date().isoformat()
    version = html_text(installed_version())
    said = f"rropt {version}, {html_text(date)}. All numbers above are exact, or rounded to the safe side."
    return f"<footer>{said}</footer>"


def _checked(
    lines: Iterable[tuple[str, ...]], optima: Sequence[Mechanism], proofs: Iterable[tuple[str, Certificate | None]]
) -> str:
    rows = "".join(f"<tr><th>{html_text(line[0])}</th><td>{html_text(line[1])}</td></tr>" for line in lines)
    matrices = "".join(
        f'<div class="scroll">{optimum.displayed_html(f"design {i} (rows are outputs)")}</div>'
        for i, optimum in enumerate(optima, start=1)
    )
    return (
        f'<h2>For reviewers</h2><div class="scroll"><table>{rows}</table></div>{matrices}'
        f"{''.join(certificate_section(file, proof) for file, proof in proofs if proof)}"
    )
