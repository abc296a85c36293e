"""Compare what the claims print with the extracted texts of the papers.

A quotation is made of passages; ``[...]`` between two of them marks an omission, and other words in square brackets
are the editor's. Every passage has to occur in the text. Both are normalised first: white space, hyphenation,
ligatures, braces, fonts and spacing commands go, and each symbol has one name, ``\\leq`` and ``\\le`` alike. In
the texts each formula stands twice, garbled and as LaTeX: what is garbled may be left out beside a formula, but no word.

``python quotations.py FOLDER`` looks for all quotations in a folder with the texts, and writes ``quotations.json``.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

RECORD = Path(__file__).with_name("quotations.json")
FILES = {
    "holohan2016": "000_0d551f6c1a232c30.txt",
    "ziani": "001_8649928ff3021581.txt",
    "vinterbo2018": "002_6c19da32b6cecf2e.txt",
    "sun2023": "003_8531c9c697765528.txt",
    "chainayak2018": "004_5557753b3d727619.txt",
}
_DROPPED = (
    r"displaystyle|textstyle|textit|mathtt|left|right|mathrm|mathbf|mathbb|mathcal|mathit|bf|rm|boldsymbol|text(?:bf|it|rm)?|operatorname|"
    r"mbox|quad|qquad|limits|nolimits|big|Big|bigg|Bigg|bigl|bigr|label|tag|hfill|hline|allowbreak|nobreak|mathop|mathscr|hskip|varvec|overset|scriptscriptstyle|scriptstyle"
)
_SAME = {
    "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "mid": "|", "vert": "|", "lvert": "|",
    "rvert": "|", "lVert": "‖", "rVert": "‖", "Vert": "‖", "|": "‖", "dots": "…", "ldots": "…", "cdots": "…",
    "to": "→", "rightarrow": "→", "in": "∈", "infty": "∞", "times": "×", "cdot": "·", "pm": "±", "subseteq": "⊆",
    "subset": "⊂", "cup": "∪", "cap": "∩", "setminus": "∖", "backslash": "∖", "succeq": "⪰", "succ": "≻", "sim": "∼", "star": "⋆",
    "ast": "*", "oplus": "⊕", "otimes": "⊗", "odot": "⊙", "prime": "'", "colon": ":", "dfrac": "frac", "tfrac": "frac",
    "vec": "vec", "overrightarrow": "vec", "notin": "∉", "iff": "⇔", "land": "∧", "wedge": "∧", "varepsilon": "ε",
    "epsilon": "ε", "binom": "binom", "tbinom": "binom", "tilde": "tilde", "widetilde": "tilde", "hat": "hat",
    "widehat": "hat", "Pr": "Pr", "{": "(", "}": ")", "lbrace": "(", "rbrace": ")", "circ": "∘",
}  # fmt: skip
_GREEK = (
    "alpha beta gamma delta zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
).split()
_NAMES = {
    **{
        name: unicodedata.lookup(
            f"GREEK {'CAPITAL' if name[0].isupper() else 'SMALL'} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}"
        )
        for name in _GREEK
    },
    **_SAME,
}
_GARBLED = set(
    "subscript superscript conditional delimited absent limit from evaluated fragments norm binomial direct sum prod subset of "
    "product infimum supremum argmin argmax fragmentsnorm missing matrix array hat tilde minus plus or less than "
    "italic expectation formulae sequence sqrt frac displaystyle subexpression differential percent greater equals not element set tensor succeeds precedes matrixmatrix infinity arg min max log exp diag cov Var sup inf mod order evaluated at percent hat cases circ otherwise if when".split()
)
_FORMULA = re.compile(r"\$\$?([^$]+)\$\$?")


def normal(text: str) -> str:
    """Return a text, or a formula, without what printing and extraction change."""
    text = re.sub("[\U0001d400-\U0001d7ff]", "", text)  # italics of what is garbled; the LaTeX beside it has none
    text = re.sub(r"(?m)^ *(?:\d+\.(?=\s)|\d+:|-(?=\s)) *", "", text)  # numbers of lines and of items
    text = unicodedata.normalize("NFKC", text.replace("\N{SOFT HYPHEN}", ""))
    text = re.sub(r"(?<=[a-z])-\n\s*(?=[a-z])", "", text)
    text = re.sub(
        r"\\(?:begin|end)\{(?:array|pmatrix|bmatrix|matrix|aligned|align\*?|cases|smallmatrix)\}(?:\[\])?(?:\{[clr|@{}]*\})?",
        "",
        text,
    )
    text = re.sub(r"\\(?:hskip|hspace|vspace|phantom|vphantom)\{?-?[\d.]+\s*(?:pt|em|ex)?\}?", "", text)
    text = re.sub(r"\\math(?:op|bin|rel|ord|open|close)\b", "", text)
    text = re.sub(r"\\(?:left|right)\.", "", text.replace("\N{GREEK CAPITAL LETTER BETA}\N{NO-BREAK SPACE}", " "))
    text = re.sub(r"\{\\mathchoice(?:\{\\vbox\{\\hbox\{\$\\\w+\\circ\$\}\}\}){4}\}", r"\\circ ", text)
    text = re.sub(rf"\\(?:{_DROPPED})(?![A-Za-z])\*?", " ", text)
    text = re.sub(r"\\([A-Za-z]+|[{}|])", lambda m: _NAMES.get(m.group(1), m.group(1)), text)
    text = text.replace("\\\\", "").replace("&", "")
    text = re.sub(r"\\[,;:!> /]", "", text).replace("\\", "")
    text = re.sub(
        '[\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"`\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}]',
        "'",
        text,
    )
    text = re.sub("[\N{EN DASH}\N{EM DASH}\N{HYPHEN}\N{MINUS SIGN}]", "-", text)
    return re.sub(r"[\s{}$~\u200b\u2061-\u2064*_^]", "", text).replace("...", "…").replace("≦", "≤")


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
    text = _text(path)
    found = []
    for passage in passages(printed):
        trimmed = [(part, is_formula) for part, is_formula in passage]
        if trimmed and not trimmed[-1][1]:
            trimmed[-1] = (trimmed[-1][0].rstrip(".,;:()…"), False)
        if trimmed and not trimmed[0][1]:
            trimmed[0] = (trimmed[0][0].lstrip(".,;:()…"), False)
        trimmed = [item for item in trimmed if item[0]]
        if trimmed and not _occurs(trimmed, text):
            found.append(_where(trimmed, text))
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
    left = re.sub("|".join(sorted(_GARBLED, key=len, reverse=True)), " ", skipped)
    return (
        re.search(r"[a-z]{5}|not|for|the|with|only|are|has|have|and|but|all|any|some|each|can|this|from|which", left)
        is None
    )


def fingerprint(printed: str) -> str:
    """Return a hash of a quotation as it is compared."""
    return hashlib.sha256(json.dumps(list(passages(printed)), ensure_ascii=False).encode()).hexdigest()[:16]


def main(folder: str) -> int:
    """Look for all quotations, and record those that are found."""
    from rropt.claims.registry import registered_claims

    recorded, failures = {}, 0
    for name, (claim, _) in registered_claims().items():
        if claim.paper not in FILES:
            continue
        absent = missing(claim.printed, Path(folder) / FILES[claim.paper])
        if absent:
            failures += 1
            print(name, *absent, sep="\n    ")
        else:
            recorded[name] = fingerprint(claim.printed)
    RECORD.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")
    print(f"{len(recorded)} quotations are in the texts, {failures} are not")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
