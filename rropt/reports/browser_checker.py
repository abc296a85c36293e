"""The JavaScript checker for HTML pages, so that a page can check its own certificates offline.

The sources are plain modules in ``kernels/javascript``. An installed wheel contains a copy in the folder
``javascript``. A page contains all modules in one script, in the order of their imports. Each module becomes a function
that returns its exports. The words of the sentences are those of ``rropt/checker/sentences.json``.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from pathlib import Path

from rropt.core.visible import html_text

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|class|const|let)) (\w+)", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(//.*|/\*\*[\s\S]*?\*/)\n", re.MULTILINE)
_PROOF = '<section class="proof">'
_WORDS = Path(__file__).parents[1] / "checker" / "sentences.json"


def sources() -> Path:
    """Return the folder of the modules: in the wheel, or in the repository.

    Raises:
        FileNotFoundError: there are no modules; the installation is damaged.
    """
    places = (Path(__file__).parent / "javascript", Path(__file__).parents[2] / "kernels" / "javascript")
    for place in places:
        if (place / "verdict.js").is_file():
            return place
    raise FileNotFoundError("the checker in JavaScript is missing: install rropt again")


@cache
def script(entry: str = "report_page", call: str = "startReport") -> str:
    """Return one script with a module, all modules that it imports, and a call.

    Args:
        entry: the module, without ``.js``.
        call: the function of this module that is called with the document when the script is loaded.
    """
    parts: list[str] = []
    found: set[str] = set()

    def add(name: str) -> None:
        if name in found:
            return
        found.add(name)
        text = (sources() / f"{name}.js").read_text(encoding="utf-8")
        if name == "sentence_table":
            text = f"export const TABLE = {json.dumps(json.loads(_WORDS.read_bytes()), separators=(',', ':'))};"
        for _, needed in _IMPORT.findall(text):
            add(needed)
        exported = ", ".join(word for _, word in _EXPORT.findall(text))
        text = _IMPORT.sub(_taken, _COMMENT.sub("", text))
        lines = (line.strip() for line in _EXPORT.sub(r"\1 \2", text).splitlines())
        body = "\n".join(line for line in lines if line)
        parts.append(f"const m_{name} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();")

    add(entry)
    return "\n".join(['"use strict";', *parts, f"m_{entry}.{call}(document);"])


def _taken(match: re.Match[str]) -> str:
    """Return an import statement as a constant that binds the imported names."""
    return f"const {{{match[1].replace(' as ', ': ')}}} = m_{match[2]};\n"


def certificate_block(text: str) -> str:
    """Return the text of a certificate, collapsed and editable, with a place for the verdict.

    The section is left open. The caller may add a link that saves the file, and then closes it with ``</section>``.
    """
    size = len(text.encode())
    return (
        f'{_PROOF}<p class="verdict" role="status">With JavaScript this page checks the certificate itself.</p>'
        f"<details><summary>The certificate, {size} bytes. Change a digit, and the page rejects it.</summary>"
        '<pre class="certificate" contenteditable="plaintext-only" spellcheck="false">'
        f"{html_text(text, quote=False)}</pre></details>"
    )


def with_checker(body: str) -> tuple[str, str]:
    """Return the HTML for the head and for the end of a page; both are empty if the body has no certificate.

    The content security policy in the head allows this one script and no loading.
    """
    if _PROOF not in body:
        return "", ""
    policy, code = embedded(script(), pictures="<img " in body)
    return policy, f'<p id="proofs" role="status"></p>{code}'


def embedded(code: str, *, pictures: bool = False) -> tuple[str, str]:
    """Return the content security policy, which allows only this script and no loading, and the script.

    Args:
        code: the script.
        pictures: whether the policy also allows pictures that the page itself contains.
    """
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'{'; img-src data:' * pictures}"
    )
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">', f"<script>{code}</script>"


def filled(name: str, **parts: str) -> str:
    """Return a file, of this package or of another folder, with its names in braces replaced by HTML."""
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    return re.sub(f"{{({'|'.join(parts)})}}", lambda found: parts[found[1]], text)


@cache
def style_sheet() -> str:
    """Return the style sheet of all pages."""
    return (Path(__file__).parent / "styles" / "page.css").read_text(encoding="utf-8")


def frame(title: str, body: str, policy: str = "", *, kind: str = "", language: str = "en", paper: str = "A4") -> str:
    """Return a page of HTML that loads nothing from a network.

    Args:
        title: the title, as text.
        body: the HTML of its main part.
        policy: the element of the content security policy.
        kind: the kind of page: ``sheets``, ``form`` or ``explorer``; by default a page of text.
        language: the code of its language.
        paper: the format on which it is printed.
    """
    style = style_sheet().replace("size: A4", f"size: {paper}")
    look = f' class="{kind}"' if kind else ""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">{policy}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html_text(title)}</title><style>\n{style}</style></head><body><main{look}>{body}</main></body></html>\n"
    )


_DROP_TITLE = "Check certificates of rropt"


def drop_page() -> str:
    """Return a page that shows the verdicts of certificates dropped on it. It sends no data.

    ``rropt check --output`` writes it. The wheel contains it (``packaging/checker_page.py``), and so does the site.
    """
    policy, end = embedded(script("drop_page", "startDropPage"))
    body = filled("texts/drop_page.html", title=_DROP_TITLE, code=end)
    return frame(_DROP_TITLE, body, policy)
