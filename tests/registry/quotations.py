"""Compare what the claims print with the extracted texts of the papers.

A quotation is made of passages; ``[...]`` between two of them marks an omission, and other words in square brackets
are the editor's. Every passage has to occur in the text. Both are normalised first: white space, hyphenation,
ligatures, braces, fonts and spacing commands go, and each symbol has one name, ``\\leq`` and ``\\le`` alike. In the
texts each formula stands twice, garbled and as LaTeX: beside a formula what is garbled may be left out, but no word.

``python quotations.py FOLDER`` looks for all quotations in a folder with the texts, and writes ``quotations.json``.
"""

# ruff: noqa: RUF001
from __future__ import annotations

import hashlib
import json
import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

RECORD = Path(__file__).with_name("quotations.json")
FILES = {
    "holohan2016": "000_0d551f6c1a232c30.txt",
    "ziani": "001_8649928ff3021581.txt",
    "vinterbo2018": "002_6c19da32b6cecf2e.txt",
    "sun2023": "003_8531c9c697765528.txt",
    "chainayak2018": "004_5557753b3d727619.txt",
}
_DROPPED = (
    r"displaystyle|textstyle|textit|mathtt|left|right|mathrm|mathbf|mathbb|mathcal|mathit|bf|rm|"
    r"boldsymbol|text(?:bf|it|rm)?|operatorname|mbox|quad|qquad|limits|nolimits|big|Big|bigg|Bigg|"
    r"bigl|bigr|hfill|hline|mathop|mathscr|scriptscriptstyle|scriptstyle"
)
_SAME = {
    "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "mid": "|", "vert": "|", "lvert": "|",
    "rvert": "|", "lVert": "‖", "rVert": "‖", "Vert": "‖", "|": "‖", "dots": "…", "ldots": "…", "cdots": "…",
    "to": "→", "rightarrow": "→", "in": "∈", "infty": "∞", "times": "×", "cdot": "·", "pm": "±", "subseteq": "⊆",
    "subset": "⊂", "cup": "∪", "cap": "∩", "setminus": "∖", "backslash": "∖", "succeq": "⪰", "succ": "≻",
    "sim": "∼", "star": "⋆", "ast": "*", "oplus": "⊕", "otimes": "⊗", "odot": "⊙", "prime": "'", "colon": ":",
    "dfrac": "frac", "tfrac": "frac",
    "vec": "vec", "overrightarrow": "vec", "notin": "∉", "iff": "⇔", "land": "∧", "wedge": "∧", "varepsilon": "ε",
    "epsilon": "ε", "binom": "binom", "tbinom": "binom", "tilde": "tilde", "widetilde": "tilde", "hat": "hat",
    "widehat": "hat", "Pr": "Pr", "{": "(", "}": ")", "lbrace": "(", "rbrace": ")", "circ": "∘",
}  # fmt: skip
_GREEK = re.compile(
    "alpha|beta|gamma|delta|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi|chi|psi|omega", re.IGNORECASE
)


def _letter(match: re.Match[str]) -> str:
    """Return the character that a command of LaTeX stands for, or its name."""
    name = match.group(1)
    if _GREEK.fullmatch(name):
        size = "SMALL" if name[0].islower() else "CAPITAL"
        return unicodedata.lookup(f"GREEK {size} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")
    return _SAME.get(name, name)


_GARBLED = (  # what garbled formulas are made of, the longest first
    "subexpression|differential|displaystyle|conditional|expectation|superscript|delimited|evaluated|"
    "fragments|otherwise|subscript|binomial|formulae|infinity|precedes|sequence|succeeds|supremum|element|"
    "greater|infimum|missing|percent|product|absent|argmax|argmin|direct|equals|italic|matrix|subset|"
    "tensor|array|cases|limit|minus|order|tilde|circ|diag|frac|from|less|norm|plus|prod|sqrt|than|when|"
    "Var|arg|cov|exp|hat|inf|log|max|min|mod|set|sum|sup|at|if|of|or"
)
_FORMULA = re.compile(r"\$\$?([^$]+)\$\$?")


_ARRAYS = r"\\(?:begin|end)\{(?:array|[pb]?matrix|smallmatrix|aligned|cases)\}(?:\[\])?(?:\{[clr|@{}]*\})?"
_CHANGES = (
    ("[\U0001d400-\U0001d7ff]", ""),  # italics of what is garbled; the LaTeX beside it has none
    (r"(?m)^ *(?:\d+\.(?=\s)|\d+:|-(?=\s)) *", ""),  # numbers of lines and of items
    (r"(?<=[a-z])-\n\s*(?=[a-z])", ""),  # hyphenation
    (_ARRAYS, ""),
    (r"\{\\mathchoice(?:\{\\vbox\{\\hbox\{\$\\\w+\\circ\$\}\}\}){4}\}", r"\\circ "),
    (r"\\math(?:op|bin|rel|ord|open|close)\b", ""),
    (r"\\(?:left|right)\.", ""),
    (rf"\\(?:{_DROPPED})(?![A-Za-z])\*?", " "),
)


def normal(text: str) -> str:
    """Return a text, or a formula, without what printing and extraction change."""
    text = text.replace("\N{SOFT HYPHEN}", "").replace("\N{GREEK CAPITAL LETTER BETA}\N{NO-BREAK SPACE}", " ")
    for pattern, into in _CHANGES[:2]:
        text = re.sub(pattern, into, text)
    text = unicodedata.normalize("NFKC", text)  # ligatures
    for pattern, into in _CHANGES[2:]:
        text = re.sub(pattern, into, text)
    text = re.sub(r"\\([A-Za-z]+|[{}|])", _letter, text)
    text = re.sub(r"\\[,;:!> /]", "", text.replace("\\\\", "").replace("&", "")).replace("\\", "")
    text = re.sub('[\u2018\u2019\u201c\u201d"`]', "'", text)
    text = re.sub("[\u2010\u2013\u2014\u2212]", "-", text)
    return re.sub(r"[\s{}$~\u200b\u2061-\u2064*_^]", "", text).replace("...", "…")


def passages(printed: str) -> Iterator[list[tuple[str, bool]]]:
    """Iterate over the passages of a quotation: each is a list of normalised words and formulas (true)."""
    pieces = [(piece, bool(i % 2)) for i, piece in enumerate(_FORMULA.split(printed))]
    passage: list[tuple[str, bool]] = []
    for piece, is_formula in pieces:
        if is_formula:
            passage += [(part, True) for part in _parts(piece)]
            continue
        first, *rest = re.split(r"\[[^\]]*\]", piece)
        passage.append((normal(first), False))
        for part in rest:
            yield [item for item in passage if item[0]]
            passage = [(normal(part), False)]
    yield [item for item in passage if item[0]]


def _parts(formula: str) -> list[str]:
    """Return a formula in pieces, each from a relation to the next: between them a text may have a new line."""
    return [part for part in re.split(r"(?=(?<!^)[=≤≥<>])|(?<=,)", normal(formula)) if part]


@cache
def _text(path: Path) -> str:
    return normal(path.read_text(encoding="utf-8"))


def missing(printed: str, path: Path) -> list[str]:
    """Return the passages of a quotation that the text does not have."""
    text, found = _text(path), []
    for passage in passages(printed):
        parts = [
            (part, is_formula) if is_formula else (part.strip(".,;:()…"), False) for part, is_formula in passage[:1]
        ]
        parts += passage[1:-1]
        parts += [
            (part, True) if is_formula else (part.rstrip(".,;:()…"), False) for part, is_formula in passage[1:][-1:]
        ]
        parts = [each for each in parts if each[0]]
        if parts and not _occurs(parts, text):
            found.append(_where(parts, text))
    return found


def _ends(parts: list[tuple[str, bool]], text: str) -> Iterator[tuple[int, int]]:
    """Iterate over how many parts can be found in a row, and where the last of them ends."""
    reached = {match.end() for match in re.finditer(re.escape(parts[0][0]), text)}
    yield 1 if reached else 0, min(reached, default=0)
    for i, (part, is_formula) in enumerate(parts[1:], 1):
        further = set()
        for end in reached:
            most = 15 * len(part) + 1500 if is_formula else 1500 if parts[i - 1][1] else 0
            window = text[end : end + most + len(part)]
            for match in re.finditer(re.escape(part), window):
                if _is_garbled(window[: match.start()]):
                    further.add(end + match.end())
        reached = further
        if not reached:
            return
        yield i + 1, min(reached)


def _occurs(parts: list[tuple[str, bool]], text: str) -> bool:
    return max(count for count, _ in _ends(parts, text)) == len(parts)


def _where(parts: list[tuple[str, bool]], text: str) -> str:
    """Return up to where a passage is found, and what stands in the text there."""
    count, end = max(_ends(parts, text))
    there = text[end : end + 150] if count else "nowhere"
    return f"{''.join(p for p, _ in parts[:count])[-60:]} >>> {parts[count][0]} <<< text: {there}"


def _is_garbled(skipped: str) -> bool:
    """Return whether what is skipped has no words of its own."""
    left = re.sub(_GARBLED, " ", skipped)
    return (
        re.search(r"[a-z]{5}|not|for|the|with|only|are|has|have|and|but|all|any|some|each|can|this|from|which", left)
        is None
    )


def fingerprints(quoted: Mapping[str, str]) -> dict[str, list[Any]]:
    """Return, for each paper, how many quotations there are and a hash of them as they are compared."""
    found: dict[str, list[Any]] = {paper: [] for paper in FILES}
    for what, printed in sorted(quoted.items()):
        found[what.partition(".")[0]].append([what, list(passages(printed))])
    texts = {paper: json.dumps(listed, ensure_ascii=False).encode() for paper, listed in found.items()}
    return {paper: [len(found[paper]), hashlib.sha256(text).hexdigest()] for paper, text in texts.items()}


def quotations(claim: Any) -> dict[str, str]:
    """Return the quotations of a claim: the sentence, and the passage on which each reading rests."""
    readings = {f"{claim.id}, read as {reading.name}": reading.rests_on for reading in claim.readings}
    return {claim.id: claim.printed, **readings}


def main(folder: str) -> int:
    """Look for all quotations, and record those that are found."""
    from rropt.claims.registry import registered_claims

    found, failures = {}, 0
    for claim, _ in registered_claims().values():
        for what, quoted in quotations(claim).items() if claim.paper in FILES else ():
            absent = missing(quoted, Path(folder) / FILES[claim.paper])
            if absent:
                failures += 1
                print(what, *absent, sep="\n    ")
            else:
                found[what] = quoted
    lines = [f'"{paper}": {json.dumps(each)}' for paper, each in fingerprints(found).items()]
    RECORD.write_text("{\n " + ",\n ".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(found)} quotations are in the texts, {failures} are not")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
