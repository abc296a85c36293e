"""Mathematics on HTML pages: LaTeX between dollar signs as MathML, and certificates as sums of products."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from html import escape, unescape
from typing import Any, cast
from unicodedata import lookup, name

from rropt.claims.claim_formulas import symbol
from rropt.core.errors import MissingExtraError
from rropt.core.visible import html_text

_SIGNS = {">=": "\u2265", "<=": "\u2264", "!=": "\u2260", "->": "\u2192"}
_RELATIONS = {"=": "= 0", ">=": r"\ge 0", ">": "> 0"}
_MOST_TERMS = 40  # of a sum that is still set in full
_WIDE = 24  # signs of a formula that may be wider than a telephone
_SCROLLS = ' class="scroll" tabindex="0"'
_LONGEST = 1200  # characters of LaTeX that are still set: some twenty lines on a telephone


def text_html(text: str) -> str:
    """Return text as HTML, with LaTeX between dollar signs as MathML. Nothing else is read as a formula.

    Formulas that cannot be typeset are shown as code. Single backquotes mark quotations, double backquotes mark code.
    """
    text = re.sub(
        "`([^`]*)`", "\N{LEFT DOUBLE QUOTATION MARK}\\1\N{RIGHT DOUBLE QUOTATION MARK}", text.replace("``", "")
    )
    pieces = re.split(r"\$([^$]+)\$", text)
    html = "".join(_mathml(piece) if i % 2 else _words(piece) for i, piece in enumerate(pieces))
    return re.sub(r"</math>([,.;:)]+)", r"<mtext>\1</mtext></math>", html)  # else a line might begin with the comma


def block_html(tag: str, text: str, head: str = "") -> str:
    """Return text as an HTML element, which the keyboard can scroll if a formula may be wider than a telephone.

    Args:
        tag: the name of the element, such as ``p``.
        text: the text, with LaTeX between dollar signs.
        head: HTML before it.
    """
    html = text_html(text)
    is_wide = any(len(re.sub("<[^>]*>", "", each)) > _WIDE for each in re.findall("<math.*?</math>", html))
    return f"<{tag}{_SCROLLS * is_wide}>{head}{html}</{tag}>"


def _words(text: str) -> str:
    """Return text as HTML, with typographic relation signs."""
    for keys, sign in _SIGNS.items():
        text = text.replace(keys, sign)
    return html_text(text)


def formula_converter() -> Callable[[str], str]:
    """Return the function that converts LaTeX to MathML; raise MissingExtraError if its package is missing."""
    try:
        from latex2mathml.converter import convert
    except ImportError:
        raise MissingExtraError(
            'reports need the package latex2mathml; install it with: pip install "rropt[proofs]"'
        ) from None
    return cast(Callable[[str], str], convert)


@lru_cache(maxsize=4096)
def _mathml(source: str) -> str:
    if len(source) > _LONGEST:
        return f"<small>(a formula of {len(source)} characters)</small>"
    convert = formula_converter()
    try:
        return _short(convert(source.replace(r"arg\,min", "argmin").replace(r"arg\,max", "argmax")))
    except Exception:  # the converter raises errors of many kinds; the reader still gets the source
        return f"<code>{escape(source)}</code>"


def _short(mathml: str) -> str:
    """Return the same element in fewer characters: without name space and without numeric codes of plain characters."""
    bare = re.sub(r' (?:xmlns="[^"]*"|display="inline")', "", mathml)
    bare = re.sub(r"&#x[0-9A-F]+;", lambda match: escape(unescape(match.group())), bare)
    for pattern, into in _SHORTER:
        bare = re.sub(pattern, into, bare)
    return bare


def _styled(match: re.Match[str]) -> str:
    """Return the Unicode letter of a styled alphabet without MathML attribute, such as script R or double-struck P."""
    style, letter = match.groups()
    own = name(letter).removeprefix("LATIN ").replace(" LETTER", "")
    for place in ("", "MATHEMATICAL "):  # some stand in another block
        with suppress(KeyError):
            return f"<mi>{lookup(f'{place}{style.upper()} {own}')}</mi>"
    return f"<mi>{letter}</mi>"


_ONE = "(?:<m[in][^>]*>[^<]*</m[in]>|<mrow><m[in]>[^<]*</m[in]></mrow>)"
_SHORTER: tuple[tuple[str, Any], ...] = (
    # the letters of a word in one element, which stands upright
    (
        '(?:<mi mathvariant="normal">[^<]</mi>){2,}',
        lambda match: f"<mi>{re.sub('<[^>]*>', '', match.group())}</mi>",
    ),
    ('<m[in] mathvariant="(script|double-struck|bold)">([A-Za-z0-9])</m[in]>', _styled),
    # a prime beside its letter is as high as it should be, and above it too high
    (f"<msup>({_ONE})<mi>([\u2032-\u2034])</mi></msup>", r"<mrow>\1<mo>\2</mo></mrow>"),
    (f"<msubsup>({_ONE})({_ONE})<mi>([\u2032-\u2034])</mi></msubsup>", r"<msub><mrow>\1<mo>\3</mo></mrow>\2</msub>"),
)


def latex(tree: Any) -> str:
    """Return an expression tree of a certificate as LaTeX: ``1-2\\,\\pi``, a positive term of a sum first."""
    below, size = _signed(tree)
    return f"-{size}" if below else size


def _signed(tree: Any) -> tuple[bool, str]:
    """Return whether a tree has a leading minus sign, and the tree without it; a sum has no sign."""
    if isinstance(tree, str):
        value = Fraction(0) if tree[0].isalpha() else Fraction(tree)
        return value < 0, symbol(tree) if tree[0].isalpha() else _number(abs(value))
    ((operation, parts),) = tree.items()
    if operation == "negative":
        below, size = _signed(parts)
        return not below, f"({size})" if _is_sum(parts) else size
    if operation == "power":
        return False, f"{_base(parts[0])}^{{{parts[1]}}}"
    if operation == "quotient":
        (above, top), (under, bottom) = _signed(parts[0]), _signed(parts[1])
        return above != under, rf"\frac{{{top}}}{{{bottom}}}"
    if operation == "product":
        return _product(parts)
    return False, "".join(_summands(parts))


def _product(parts: list[Any]) -> tuple[bool, str]:
    """Return the sign of a product (the product of its factors' signs), and its factors other than 1."""
    below, factors = False, []
    for part in parts:
        negative, size = _signed(part)
        below ^= negative
        factors.append(f"({size})" if _is_sum(part) else size)
    return below, r"\,".join([size for size in factors if size != "1"] or ["1"])


def _summands(parts: list[Any]) -> list[str]:
    """Return the terms of a sum with their signs: a positive term first, if there is one, then the others in order."""
    terms = [(False, f"({latex(part)})") if _is_sum(part) else _signed(part) for part in parts]
    first = next((term for term in terms if not term[0]), terms[0])
    rest = list(terms)
    rest.remove(first)
    start = "-" if first[0] else ""
    return [start + first[1], *(f"{'-' if below else '+'}{size}" for below, size in rest)]


def _terms(tree: Any) -> list[str]:
    """Return the terms of a tree as LaTeX with their signs; a line break is allowed between terms."""
    return _summands(tree["sum"]) if _is_sum(tree) else [latex(tree)]


def _breaking(pieces: list[str]) -> str:
    """Return the pieces of one formula as MathML, one after another."""
    first, *rest = map(_mathml, pieces)
    infix = (re.sub(r"^(<math><mrow>)<mo>", r'\1<mo form="infix">', piece) for piece in rest)
    return "<wbr>".join((first, *infix))


def _is_sum(tree: Any) -> bool:
    return isinstance(tree, dict) and "sum" in tree


def _grouped(tree: Any) -> str:
    """Return a tree as a factor, in brackets if it is a sum or has a minus sign."""
    inside = latex(tree)
    return f"({inside})" if _is_sum(tree) or inside.startswith("-") else inside


def _base(tree: Any) -> str:
    """Return a tree as the base of a power, also in brackets if it is a quotient or a product."""
    compound = isinstance(tree, dict) or "/" in tree
    return f"({latex(tree)})" if compound else _grouped(tree)


def _number(value: Fraction) -> str:
    size = str(abs(value.numerator))
    if value.denominator != 1:
        size = rf"\frac{{{size}}}{{{value.denominator}}}"
    return f"-{size}" if value < 0 else size


def certificate_html(document: dict[str, Any]) -> str:
    """Return a certificate in readable form: an identity, or a sum of products that can be verified by hand."""
    problem, claim = document["problem"], document["claim"]
    if document["statement"] == "polynomial":
        proof, relation = document["proof"], _RELATIONS[claim["relation"]]
        if proof["way"] == "identity":
            first, *rest = _terms(problem["right"])
            return f"<p>{_breaking([*_terms(problem['left']), f'={first}', *rest])}</p>"
        return _handelman(problem, proof, relation)
    bounds = f": {escape(claim['lower'])} &#8804; optimum &#8804; {escape(claim['upper'])}" if "lower" in claim else ""
    return f"<p>{escape(document['statement'])}{bounds}</p>"


def _handelman(problem: dict[str, Any], proof: dict[str, Any], relation: str) -> str:
    hypotheses = [h["polynomial"] for h in problem["hypotheses"]]
    left = _terms(problem["left"])
    if len(proof["terms"]) > _MOST_TERMS:
        said, given = _breaking([*left, relation]), _given(problem["hypotheses"])
        return f"<p>{said}, a sum of {len(proof['terms'])} products{given}.</p>"
    products: list[str] = []
    for term in proof["terms"]:
        factors = [
            _grouped(hypotheses[int(i)]) if e == "1" else f"{_grouped(hypotheses[int(i)])}^{{{e}}}"
            for i, e in term["powers"]
        ]
        coefficient = Fraction(term["coefficient"])
        if coefficient != 1 or not factors:
            factors.insert(0, _number(coefficient))
        products.append(("+" if products else "=") + r"\cdot ".join(factors))
    return f"<p>{_breaking([*left, *(products or ['=0']), relation])}{_given(problem['hypotheses'])}</p>"


def _given(hypotheses: list[dict[str, Any]]) -> str:
    if not hypotheses:
        return ""
    listed = ", ".join(_mathml(latex(h["polynomial"]) + _RELATIONS[h["relation"]]) for h in hypotheses)
    return f" where {listed}"
