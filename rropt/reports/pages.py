"""The frame of every HTML page, its style, and the section of a certificate.

Pages load nothing from a network. Their only script is the checker (browser_checker.py), on pages with a certificate.
"""

from __future__ import annotations

import base64
import hashlib

from rropt.core.certificates import Certificate
from rropt.core.visible import html_text
from rropt.reports.browser_checker import certificate_block, frame, with_checker

SCROLLS = '<div class="scroll" role="group" tabindex="0" aria-label="Table">'  # the keyboard reaches its right side


def page(title: str, body: str) -> str:
    """Return a self-contained HTML page with this title as its first heading; it checks its own certificates.

    Args:
        title: the title, as text.
        body: the HTML below it.
    """
    policy, checker = with_checker(body)
    return frame(title, f"<h1>{html_text(title)}</h1>{body}{checker}", policy)


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
