"""Pages: the head and the style of every page, and the page of a design. No script, no network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rropt.mechanisms.decimals import html_table
from rropt.solvers import Solution

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
.holds { color: #1a7f37; } .holds-with-assumption { color: #9a6700; } .fails, .error { color: #cf222e; }
.not-checkable { color: #6e7781; }
.scroll { overflow-x: auto; overflow-y: hidden; padding: .25rem 0; }
blockquote.scroll { margin: .5rem 0; padding: .5rem .75rem; border-left: 3px solid var(--line); }
p, dd, ul { overflow-x: auto; overflow-y: hidden; } p, li, dd { overflow-wrap: anywhere; }
ul { margin: .25rem 0; padding-left: 1.25rem; }
details { margin-top: .5rem; } summary { cursor: pointer; } small { color: GrayText; }
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
  .holds { color: #4ac26b; } .holds-with-assumption { color: #d4a72c; } .fails, .error { color: #ff8182; }
}
"""


def page(title: str, body: str, *, style: str = CLAIMS_STYLE) -> str:
    """Return a self-contained HTML page with this title as its first heading."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body>"
        f"<h1>{escape(title)}</h1>{body}</body></html>\n"
    )


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
    return page(
        "Optimal design",
        f'<div class="scroll"><table>{rows}</table></div>{matrices}'
        f"<h2>Certificate: {escape(str(solution.certificate.check()))}</h2>"
        "<p>Save this text as a file and judge it with <code>python -m rropt.checker FILE</code>.</p>"
        f"<pre>{escape(solution.certificate.text)}</pre>",
        style=_DESIGN_STYLE,
    )
