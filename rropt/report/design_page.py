"""The page of a design: the problem, the optimum with its bracket, the mechanism, and the certificate in full."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rropt.mechanisms.decimals import html_table
from rropt.report.shell import page
from rropt.solvers import Solution

_STYLE = """
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
        style=_STYLE,
    )
