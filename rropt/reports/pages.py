"""The frame of every HTML page, its style, and the section of a certificate.

Pages load nothing from a network. Their only script is the checker (browser_checker.py), on pages with a certificate.
"""

from __future__ import annotations

import base64
import hashlib

from rropt.core.certificates import Certificate
from rropt.core.visible import html_text
from rropt.reports.browser_checker import certificate_block, frame, with_checker

_STYLE = """
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
.do { border-left: .3rem solid #0072b2; font-size: 1.15rem; padding: .3rem .8rem; }
.warn { border: 2px solid #d55e00; padding: .3rem .8rem; }
.foot { border-top: 1px solid var(--line); font-size: .85em; }
.board { max-width: 50rem; } .board h2 { clear: both; font-size: 1.1rem; margin: 1.1rem 0 .3rem; }
.board figure { float: right; margin: 0 0 .5rem 1rem; width: 17rem; } .board table { width: auto; }
.board :is(td, th) { padding: .15rem .5rem; } .board :is(p, ul) { margin: .35rem 0; }
code { background: var(--soft); } .hash { font-family: monospace; font-size: .85rem; }
math { font-size: 1.05em; } dt { font-weight: 600; margin-top: .5rem; } dd { margin: 0 0 0 1rem; }
@media (max-width: 32rem) {
  body { padding: .75rem; } article { padding: .75rem; } dd { margin-left: 0; }
  .board figure { float: none; } .index :is(td, th):nth-child(n + 3) { display: none; }
  .index td { overflow-wrap: anywhere; } .badge { white-space: normal; } .index .badge { display: inline-block; }
}
@page { size: A4; margin: 13mm; }
@media print {
  .board { break-after: page; font-size: 9.5pt; line-height: 1.25; } .board figure { width: 48mm; }
  .board h2 { font-size: 11.5pt; margin: 2mm 0 .5mm; } .board .do { font-size: 11pt; } .board .scroll { padding: 0; }
  .board .number { font-size: 8pt; line-height: 1; padding-block: 0; }
  body { max-width: none; padding: 0; font-size: 12px; } .scroll, p, dd, ul { overflow: visible; }
  details:not(.proof details)::details-content { content-visibility: visible; height: auto; }
  h2, h3, summary { break-after: avoid; }
}
@media (prefers-color-scheme: dark) {
  .holds { color: #4ac26b; } .holds-with-assumption, .depends-on-reading { color: #d4a72c; }
  .fails, .error { color: #ff8182; }
}
"""


def page(title: str, body: str, *, style: str = _STYLE) -> str:
    """Return a self-contained HTML page with this title as its first heading; it checks its own certificates."""
    policy, checker = with_checker(body)
    style += _PROOF_STYLE if checker else ""
    return frame(title, f"<h1>{html_text(title)}</h1>{body}{checker}", style, policy)


_PROOF_STYLE = """
.verdict { border-left: .3rem solid #6e7781; padding-left: .6rem; overflow-wrap: anywhere; }
.verdict[data-verdict=accepted] { border-color: #1a7f37; } .verdict[data-verdict=rejected] { border-color: #cf222e; }
pre.certificate { font-size: .75rem; max-height: 30rem; overflow: auto; padding: .5rem; }
"""


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
