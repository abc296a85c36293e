"""The remarks of the pages: sentences that draw a conclusion or say something in parentheses, and what each rests on.

``remarks.json`` has for each its page, the sentence, its status, why, and a vector (rule and reason) or a test that
would break it. The status is ``proved`` (on the page), ``condition`` (the code tests it), or ``definition`` (it fixes a
form or gives an example, and claims nothing).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import rropt.checker

PAGES = Path(rropt.checker.__file__).parent
LIST = Path(__file__).with_name("remarks.json")

_CONCLUDES = re.compile(r"\b(so that|hence|since|because|therefore|thus|so)\b|, as ", re.IGNORECASE)
_FENCE = re.compile(r"```.*?```", re.DOTALL)
_BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:[|*#]|\d+\. ))")  # paragraphs, rows of tables, items of lists, headings
_END = re.compile(r"(?<=[.!?:])(?<!\bi\.e\.)(?<!\be\.g\.)[)*]*\s+(?=[A-Z*`(\"])")
_PARENTHESIS = re.compile(r"\(((?:[^()]|\([^()]*\))*)\)")
_WORD = re.compile(r"\b[A-Za-z][a-z]{2,}\b")
_PROSE = 3  # words of three letters or more, outside of formulas, that make a parenthesis a remark


def _is_remark(sentence: str) -> bool:
    plain = re.sub(r"`[^`]*`", "``", sentence)
    if _CONCLUDES.search(plain):
        return True
    return any(len(_WORD.findall(inside)) >= _PROSE for inside in _PARENTHESIS.findall(plain))


def sentences(page: str) -> Iterator[str]:
    """Iterate over the sentences of a page, white space in one form; JSON and formulas in fences are left out."""
    text = _FENCE.sub("\n\n", (PAGES / page).read_text(encoding="utf-8"))
    for block in _BREAK.split(text):
        for sentence in _END.split(" ".join(block.split())):
            if sentence.strip():
                yield sentence.strip()


def remarks(page: str) -> list[str]:
    """Return the sentences of a page that are remarks, in their order."""
    return [sentence for sentence in sentences(page) if _is_remark(sentence)]


def pages() -> list[str]:
    """Return the names of all pages, those of folders below with their path, but that of the conformance runner."""
    return sorted(str(path.relative_to(PAGES)) for path in PAGES.rglob("*.md") if path.name != "conformance.md")


def listed() -> list[dict[str, Any]]:
    """Return the list: page, sentence, status (``proved`` or ``condition``), why, and what would break it."""
    return json.loads(LIST.read_text(encoding="utf-8"))
