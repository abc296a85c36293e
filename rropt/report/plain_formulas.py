"""Formulas that stand in words without dollar signs, such as ``p00 + p11 > 1`` or ``t0 <= 1``, as MathML.

What counts as a formula is decided by its tokens alone: a stretch of names, numbers, operators and brackets, between
two words, with a Greek or indexed name in it, an operator between two operands, or a letter that is no English word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

_GREEK = set(
    "alpha beta gamma delta epsilon zeta eta theta lambda mu nu xi pi rho sigma tau phi chi psi omega Delta".split()  # noqa: SIM905
)
_FUNCTIONS = {"exp", "log", "ln", "min", "max", "det", "Var", "Pr", "Mult", "Lap", "Beta", "sd", "cov", "tr", "inf"}
_WORDS = {"a", "A", "I"}  # letters that are words where they stand alone
_PROSE = re.compile(  # words that are no operand of the sign beside them
    "a|all|an|and|any|are|as|at|be|by|each|for|from|has|have|holds|if|iff|in|is|of|on|only|or|than|that|the|then|"
    "times|to|were|when|where|which|with|it|its|not|no|so|there|both|some",
    re.IGNORECASE,
)
_PRIMES = ("", "\N{PRIME}", "\N{DOUBLE PRIME}", "\N{TRIPLE PRIME}")
_RAISED = {"^": "msup", "**": "msup", "_": "msub"}
_SUMS = {"sum": "&sum;", "prod": "&prod;"}  # with an index
_OPERATORS = {
    ">=": "≥",
    "<=": "≤",
    "!=": "≠",
    "==": "=",
    "->": "→",
    "**": "^",
    "*": "·",
    "-": "\N{MINUS SIGN}",
    **{sign: sign for sign in "=<>+/^_|~"},
}
_RELATIONS = {"=", "<", ">", "≥", "≤", "≠", "→"}
_OPENING, _CLOSING = "([{", ")]}"
_TOKEN = re.compile(
    r"(?P<label>\(\d+[a-z]\)|\([a-z]{2,}_[a-z_]+\)|[A-Za-z]+'s\b|(?<=[Ss]ection )[IVX]+\b)|"
    r"(?P<number>\d+(?:\.\d+)?(?!\w)|\d+(?=[A-Za-z](?!\w)))|(?P<name>[A-Z]\*(?![\w(*])|[A-Za-z]\w*'*)"
    r"|(?P<operator>(?<=[)\]'])_(?=\w)|>=|<=|!=|==|->|\*\*|[=<>+\-*/^|])|(?P<bracket>[()\[\]{}])|(?P<comma>,)|(?P<space>\s+)|(?P<other>.)",
    re.DOTALL,
)

_Token = tuple[str, str]  # kind and text


def plain_html(text: str) -> str:
    """Return words as HTML, with the formulas among them as MathML."""
    return "".join(_set(run) if is_run else escape("".join(map(_word, run))) for is_run, run in _runs(text))


def _word(token: _Token) -> str:
    kind, text = token  # a relation without operands has its sign in words too
    return _OPERATORS[text] if kind == "operator" and text in (">=", "<=", "!=", "->") else text


def value_html(text: str) -> str:
    """Return the text of an exact value as MathML where it is numbers, brackets and names, else as words."""
    tokens = _tokens(text)
    if all(kind != "other" for kind, _ in tokens) and not any(kind == "word" for kind, _ in tokens):
        return _set(tokens)
    return plain_html(text)


def _tokens(text: str) -> list[_Token]:
    found = []
    for match in _TOKEN.finditer(text):
        kind, part = str(match.lastgroup), match.group()
        kind = "other" if kind == "label" else kind
        found.append(("word", part) if kind == "name" and not _is_name(part) else (kind, part))
    return _with_operands(found)


def _with_operands(tokens: list[_Token]) -> list[_Token]:
    """Return the tokens with a word as a name where it is the operand of a sign, as in ``excess**2 <= high*up``."""
    changed = True
    while changed:
        changed = False
        for i, (kind, text) in enumerate(tokens):
            could = kind == "word" and re.fullmatch(r"[A-Za-z]\w*", text) and not _PROSE.fullmatch(text)
            if could and (_is_operand(tokens, i, 1) or _is_operand(tokens, i, -1)):
                tokens[i] = ("name", text)
                changed = True
    return tokens


def _is_operand(tokens: list[_Token], place: int, step: int) -> bool:
    """Return whether the next token in a direction is a sign that takes the word at this place."""
    spaced, beside = _after_space(tokens, place + step, step)
    if beside is None or tokens[beside][0] != "operator":
        return False
    text = tokens[beside][1]
    sign = _OPERATORS[text]
    beyond, other = _after_space(tokens, beside + step, step)
    if sign in "·^_" or sign in _RELATIONS:
        return not spaced if sign in "·^_" else sign != "→"
    if step < 0 and text == "-" and not spaced and (other is None or tokens[other][0] in ("operator", "comma")):
        return True
    is_known = other is not None and (tokens[other][0] in ("name", "number") or tokens[other][1] in _OPENING + _CLOSING)
    return sign in "+/\N{MINUS SIGN}" and is_known and spaced == beyond and (spaced or sign != "\N{MINUS SIGN}")


def _after_space(tokens: list[_Token], place: int, step: int) -> tuple[bool, int | None]:
    """Return whether a space stands there, and the place of the first token that is none; None at an end."""
    spaced = 0 <= place < len(tokens) and tokens[place][0] == "space"
    place += step * spaced
    return spaced, place if 0 <= place < len(tokens) else None


def _is_name(text: str) -> bool:
    return _is_strong(text) or len(text) == 1 or text in _FUNCTIONS or text == "sqrt"


def _is_strong(text: str) -> bool:
    """Return whether a name is one of mathematics wherever it stands: Greek, or with an index or a mark."""
    base, index = _parts(text)
    is_indexed = "_" in text and re.fullmatch("[A-Za-z0-9]+(_[A-Za-z0-9]+)*", index) is not None
    return base in _GREEK or (len(base) == 1 and base != text) or is_indexed


def _parts(text: str) -> tuple[str, str]:
    """Return a name and its index: ``p00`` is p with 00, ``pi_A`` is pi with A, ``P*`` and ``b'`` are P and b."""
    bare = text.rstrip("*'")
    match = re.fullmatch(r"([A-Za-z]+?)(?:_(\w+)|(\d+))?", bare)
    return (bare, "") if match is None else (match[1], match[2] or match[3] or "")


def _runs(text: str) -> Iterator[tuple[bool, list[_Token]]]:
    """Iterate over the stretches of a text, each with whether it is a formula."""
    pending: list[_Token] = []
    last = ""
    for token in [*_tokens(text), ("word", "")]:
        if token[0] not in ("word", "other"):
            is_hyphen = token[1] == "-" and not pending and last.isalnum()
            pending.append(("comma", "-") if is_hyphen else token)
            continue
        last = token[1][-1:]
        before, formula, after = _trimmed(pending)
        if _is_formula(formula):
            yield from ((False, before), (True, formula), (False, after))
        else:
            yield False, pending
        yield False, [token]
        pending = []


def _trimmed(tokens: list[_Token]) -> tuple[list[_Token], list[_Token], list[_Token]]:
    """Return what stands before and after the formula: spaces, commas, loose operators, brackets without a partner."""
    start, end = 0, len(tokens)
    while start < end and _is_loose(tokens, start, end):
        start += 1
    while start < end and (
        tokens[end - 1][0] in ("space", "comma", "operator") or _unmatched(tokens, start, end) == end - 1
    ):
        end -= 1
    near = {text for _, text in tokens[end - 3 : end]}  # as in "R' (a vertex)", "P*, a matrix"
    if start + 2 < end < len(tokens) and tokens[end - 1][1] in _WORDS and near & {"(", ","}:
        before, formula, after = _trimmed(tokens[: end - 2])
        return before, formula, after + tokens[end - 2 :]
    return tokens[:start], tokens[start:end], tokens[end:]


def _is_loose(tokens: list[_Token], start: int, end: int) -> bool:
    kind, text = tokens[start]
    if text in _WORDS and start + 2 < end and tokens[start + 1][0] == "space" and tokens[start + 2][0] != "operator":
        return True
    is_sign = kind == "operator" and text not in ("-", "|") and not _is_half(tokens[start:end])
    return kind in ("space", "comma") or is_sign or _unmatched(tokens, start, end) == start


def _is_half(tokens: list[_Token]) -> bool:
    """Return whether a relation stands there whose left side is in words, as in ``is >= 0``."""
    (kind, text), (_, place) = tokens[0], _after_space(tokens, 1, 1)
    is_relation = kind == "operator" and _OPERATORS[text] in _RELATIONS - {"→"}
    return is_relation and place is not None and tokens[place][0] in ("name", "number")


def _unmatched(tokens: list[_Token], start: int, end: int) -> int:
    """Return the place of the first closing bracket without an opening one, or of an opening one; -1: none."""
    opened: list[int] = []
    for i in range(start, end):
        if tokens[i][0] == "bracket":
            if tokens[i][1] in _OPENING:
                opened.append(i)
            elif opened:
                opened.pop()
            else:
                return i
    return opened[-1] if opened and opened[-1] in (start, end - 1) else -1


def _is_formula(tokens: list[_Token]) -> bool:
    names = [text for kind, text in tokens if kind == "name"]
    operands = len(names) + sum(kind == "number" for kind, _ in tokens)
    has_operator = any(kind == "operator" for kind, _ in tokens)
    if any(map(_is_strong, names)) or (has_operator and operands >= 2) or (tokens and _is_half(tokens)):
        return True
    return any(len(name) == 1 and name not in _WORDS for name in names)


def _set(tokens: list[_Token]) -> str:
    """Return a formula as MathML: an element for each side of a relation, between which a line may break."""
    pieces: list[list[_Token]] = [[]]
    depth = 0
    for kind, text in tokens:
        depth += (text in _OPENING) - (text in _CLOSING) if kind == "bracket" else 0
        if not depth and kind == "operator" and _OPERATORS[text] in _RELATIONS and pieces[-1]:
            pieces.append([])
        pieces[-1].append((kind, text))
        if not depth and kind == "comma":
            pieces.append([])
    return "<wbr>".join(f"<math>{_row(piece)}</math>" for piece in pieces if piece)


def _row(tokens: list[_Token]) -> str:
    """Return elements side by side; a power takes the name, number or bracketed group before and after it."""
    atoms: list[str] = []
    rest = [token for i, token in enumerate(tokens) if token[0] != "space" or _is_gap(tokens[i - 1 : i + 2])]
    while rest:
        kind, text = rest[0]
        if kind == "operator" and text in _RAISED and atoms and len(rest) > 1:
            exponent, rest = _raised(rest[1:])
            atoms[-1] = f"<{_RAISED[text]}>{_one(atoms[-1])}{_one(exponent)}</{_RAISED[text]}>"
        else:
            atom, rest = _atom(rest)
            atoms.append(atom)
    return "".join(atoms)


def _raised(tokens: list[_Token]) -> tuple[str, list[_Token]]:
    """Return an exponent or an index, braces around it left out, and the tokens after it."""
    if tokens[0][1] != "{":
        return _atom(tokens)
    inside, rest = _group(tokens[1:])
    return f"<mrow>{_row(inside)}</mrow>", rest[1:]


def _is_gap(around: list[_Token]) -> bool:
    """Return whether the middle of three tokens is the space beside a name of several letters, as in ``n Var``."""
    if len(around) < 3 or around[0][0] not in ("name", "number") or around[2][0] != "name":
        return False
    return any(kind == "name" and len(_parts(text)[0]) > 1 and _parts(text)[0] not in _GREEK for kind, text in around)


def _one(elements: str) -> str:
    """Return elements as one; those of a group in brackets are several."""
    return f"<mrow>{elements}</mrow>" if elements.startswith("<mo") else elements


def _atom(tokens: list[_Token]) -> tuple[str, list[_Token]]:
    """Return the first atom (a name, a number, an operator, a group in brackets) and the tokens after it."""
    (kind, text), rest = tokens[0], tokens[1:]
    if kind == "bracket" and text in _OPENING:
        inside, rest = _group(rest)
        closing = f'<mo stretchy="false">{rest[0][1]}</mo>' if rest else ""
        return f'<mo stretchy="false">{text}</mo>{_row(inside)}{closing}', rest[1:]
    if text == "sqrt" and rest and rest[0][1] == "(":
        inside, rest = _group(rest[1:])
        return f"<msqrt>{_row(inside)}</msqrt>", rest[1:]
    if kind == "number":
        return f"<mn>{text}</mn>", rest
    if kind == "space":
        return '<mspace width=".2em"/>', rest
    if kind == "name":
        return _name(text), rest
    sign = _OPERATORS.get(text, text)
    form = ' form="infix"' if sign in _RELATIONS else ""  # also where a line begins with it
    return f"<mo{form}>{escape(sign)}</mo>", rest


def _group(tokens: list[_Token]) -> tuple[list[_Token], list[_Token]]:
    """Return what stands before the closing bracket, and it with what follows."""
    depth = 0
    for i, (kind, text) in enumerate(tokens):
        if kind == "bracket" and text in _CLOSING:
            if not depth:
                return tokens[:i], tokens[i:]
            depth -= 1
        depth += kind == "bracket" and text in _OPENING
    return tokens, []


def _name(text: str) -> str:
    base, index = _parts(text)
    bare = text.rstrip("*'")
    primes, stars = min(text.count("'", len(bare)), 3), text.count("*", len(bare))
    symbol = f"<mo>{_SUMS[base]}</mo>" if index and base in _SUMS else f"<mi>{_letter(base)}</mi>"
    if primes:  # beside the letter: a prime is as high as it should be, and above it too high
        symbol = f"<mrow>{symbol}<mo>{_PRIMES[primes]}</mo></mrow>"
    if index:
        tag = "mn" if index.isdecimal() else "mi"
        symbol = f"<msub>{symbol}<{tag}>{_letter(index.replace('_', ','))}</{tag}></msub>"
    return f"<msup>{symbol}<mo>{'*' * stars}</mo></msup>" if stars else symbol


def _letter(name: str) -> str:
    """Return a name as HTML: a Greek letter by its entity."""
    return "&infin;" if name == "infinity" else f"&{name};" if name in _GREEK else name
