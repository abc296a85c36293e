r"""Mathematics in the texts of claims: expressions as LaTeX, and prose with its formulas between dollar signs.

Texts of cards have formulas in two forms: LaTeX between dollar signs, and the language of cards (``p00 + p11 > 1``).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import lru_cache

from rropt.core.results.markup import tex

_GREEK = {"alpha", "beta", "gamma", "delta", "epsilon", "eta", "lambda", "mu", "pi", "rho", "sigma", "theta", "xi"}
_FUNCTIONS = {
    "exp": r"\exp",
    "log": r"\log",
    "ln": r"\ln",
    "min": r"\min",
    "max": r"\max",
    "det": r"\det",
    "Pr": r"\Pr",
}
_BINDING = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2, ast.USub: 2, ast.Pow: 4}
_ATOM = 5
_SIGNS: dict[type, str] = {
    ast.Lt: "<",
    ast.LtE: r"\le ",
    ast.Gt: ">",
    ast.GtE: r"\ge ",
    ast.Eq: "=",
    ast.NotEq: r"\ne ",
    ast.In: r"\in ",
}
_PRIME = "__prime"
_LAMBDA = "lambda__name"  # Python reserves lambda
# of what is in brackets
_EXPECTATIONS = {"E": r"\mathbb{E}", "Var": r"\operatorname{Var}", "Cov": r"\operatorname{Cov}", "Pr": r"\Pr"}
_MOST_TOKENS, _MOST_CHARACTERS = 80, 4000  # of a formula that is looked for in prose, and of a text


def symbol(name: str) -> str:
    r"""Return a name as LaTeX: ``p00`` is ``p_{00}``, and ``gamma_lo`` is ``\gamma_{\mathrm{lo}}``."""
    primes = name.count(_PRIME)
    name = name.replace(_PRIME, "").replace(_LAMBDA, "lambda")
    base, _, index = re.sub(r"^([A-Za-z])(\d+)$", r"\1_\2", name).partition("_")
    index = index.replace("_", ",")
    index = rf"\mathrm{{{index}}}" if re.search("[A-Za-z]{2}", index) else index
    made = f"\\{base}" if base in _GREEK else base if len(base) == 1 else rf"\mathrm{{{base}}}"
    return made + "'" * primes + (f"_{{{index}}}" if index else "")


def formula(text: str) -> str | None:
    """Return an expression, a condition or a row of a card as LaTeX; None if the text is no formula."""
    flat = " ".join(text.split())
    if len(flat) > _MOST_CHARACTERS:
        return None
    if parts := _parted(flat):
        first, link, second = parts
        left, right = formula(first), formula(second)
        return None if left is None or right is None else rf"{left}\text{{ {link} }}{right}"
    if integers := re.fullmatch(r"([a-z]\w*) in (-?\d+) ?\.\. ?(-?\d+)?", flat):
        name, low, high = integers.groups()
        last = "" if high is None else f",{high}"
        return rf"{symbol(name)}\in\{{{low},\dots{last}\}}"
    if real := re.fullmatch(r"([a-z]\w*) real", flat):
        return rf"{symbol(real[1])}\in\mathbb{{R}}"
    multiplied = _multiplied(flat)
    if _CALLED_APART.search(multiplied):
        return None
    python = re.sub(r"(?<![<>!=])=(?!=)", "==", multiplied).replace("^", "**")
    python = re.sub(r"\blambda\b", _LAMBDA, python)
    python = re.sub("(?<=[A-Za-z0-9_])'+", lambda found: _PRIME * len(found[0]), python)
    try:
        return _latex(ast.parse(python, mode="eval").body)[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError, _NoFormulaError):
        return None


_SYMBOL = r"(?:[A-Za-z](?:\d+|_\w+)?|[a-z]+_\w+|" + "|".join(sorted(_GREEK)) + r")'*"
_CALL = "(?:" + "|".join(_FUNCTIONS) + r")\("
# a product without a sign: of names and brackets side by side, or of a number and a name
_LEFT = rf"(?<![\w'])(?:{_SYMBOL}|\w'*\^\w+)|[)\]](?:\^\w+)?"
_SIDE_BY_SIDE = re.compile(rf"({_LEFT}) (?={_SYMBOL}(?![\w(])|{_CALL}|\([^()]*[-+])")
_COEFFICIENT = re.compile(rf"(?<![\w.])(\d+)(?!e[-+]?\d)(?={_SYMBOL}(?!\w))")
_OF_A_NAME = re.compile(rf"\b(log|ln|det|exp) ({_SYMBOL})(?!\w)")
_CALLED_APART = re.compile(r"\b(?!(?:in|if|iff|and|or|not|else)\b)[A-Za-z]\w* +\(")  # `when (4)` calls nothing


def _multiplied(text: str) -> str:
    """Return a formula with the signs of its products that have none: ``A = C P``, ``(2p - 1) b``, ``log L``."""
    text = re.sub(r"\^\{([^{}]*)\}", r"^(\1)", text)
    text = _OF_A_NAME.sub(r"\1(\2)", text)
    text = _COEFFICIENT.sub(r"\1*", text)
    return _SIDE_BY_SIDE.sub(r"\1*", text)


class _NoFormulaError(Exception):
    """A text that Python reads is no formula."""


def _parted(text: str) -> tuple[str, str, str] | None:
    """Return both sides of the one ``if`` or ``iff`` outside of brackets."""
    depth = 0
    for found in re.finditer(r"[()]|\b(?:iff|if)\b", text):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if found[0] in ("if", "iff") and depth == 0:
            return text[: found.start()], found[0], text[found.end() :]
    return None


def _wrapped(node: ast.expr, least: int) -> str:
    """Return a part in brackets if it binds less than ``least``."""
    made, binding = _latex(node)
    return made if binding >= least else f"({made})"


def _latex(node: ast.expr) -> tuple[str, int]:
    """Return the LaTeX of a node, and how strongly it binds."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return str(value), _ATOM
        case ast.Name(id=name):
            return symbol(name), _ATOM
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return f"-{_wrapped(part, 2)}", 1
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return rf"\text{{not }}{_wrapped(part, 1)}", 0
        case ast.BinOp(op=ast.Div(), left=ast.UnaryOp(op=ast.USub(), operand=left), right=right):
            return rf"-\frac{{{_latex(left)[0]}}}{{{_latex(right)[0]}}}", 1
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            return rf"\frac{{{_latex(left)[0]}}}{{{_latex(right)[0]}}}", 3
        case ast.BinOp(op=ast.Pow(), left=left, right=right):
            return f"{_wrapped(left, _ATOM)}^{{{_latex(right)[0]}}}", 4
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            first, second = _wrapped(left, 2), _wrapped(right, 2 if isinstance(right, ast.BinOp) else 3)
            return first + (r"\cdot " if second[:1].isdigit() else r"\,") + second, 2
        case ast.BinOp(op=ast.Add() | ast.Sub() as operation, left=left, right=right):
            sign = "+" if isinstance(operation, ast.Add) else "-"
            least = 1 if sign == "+" and not isinstance(right, ast.UnaryOp) else 2
            return f"{_wrapped(left, 1)}{sign}{_wrapped(right, least)}", 1
        case ast.Compare(left=left, ops=operations, comparators=others) if all(type(o) in _SIGNS for o in operations):
            signs = [_SIGNS[type(o)] for o in operations]
            sides = [_wrapped(side, 1) for side in (left, *others)]
            return sides[0] + "".join(f"{sign}{side}" for sign, side in zip(signs, sides[1:], strict=True)), 0
        case ast.BoolOp(op=operation, values=values):
            word = "and" if isinstance(operation, ast.And) else "or"
            parts = [_wrapped(part, 0 if not isinstance(part, ast.BoolOp) else 1) for part in values]
            return rf"\text{{ {word} }}".join(parts), 0
        case ast.IfExp(test=test, body=body, orelse=other):
            cases = rf"{_latex(body)[0]}&\text{{if }}{_latex(test)[0]}\\{_latex(other)[0]}&\text{{otherwise}}"
            return rf"\begin{{cases}}{cases}\end{{cases}}", _ATOM
        case ast.Tuple(elts=parts) if parts:
            return f"({_listed(parts)})", _ATOM
        case ast.Set(elts=parts):
            return rf"\{{{_listed(parts)}\}}", _ATOM
        case ast.List(elts=parts) if parts:
            return f"[{_listed(parts)}]", _ATOM
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if parts:
            return _called(name, parts)
        case ast.Subscript(value=ast.Name(id=name), slice=part) if name in _EXPECTATIONS:
            return f"{_EXPECTATIONS[name]}[{_latex(part)[0]}]", _ATOM
    raise _NoFormulaError


def _listed(parts: list[ast.expr]) -> str:
    return ", ".join(_latex(part)[0] for part in parts)


def _called(name: str, parts: list[ast.expr]) -> tuple[str, int]:
    match name, parts:
        case "abs", [part]:
            return rf"\lvert {_latex(part)[0]}\rvert ", _ATOM
        case "sqrt", [part]:
            return rf"\sqrt{{{_latex(part)[0]}}}", _ATOM
        case "sum", [ast.Name(id=index), low, high, term]:
            return rf"\sum_{{{symbol(index)}={_latex(low)[0]}}}^{{{_latex(high)[0]}}}{_wrapped(term, 2)}", 1
        case "diff", [ast.Name(id=by), term]:
            return rf"\frac{{\partial}}{{\partial {symbol(by)}}}{_wrapped(term, _ATOM)}", 2
    return f"{_FUNCTIONS.get(name) or symbol(name)}({_listed(parts)})", _ATOM


_TOKEN = re.compile(
    r"(?P<own>[A-Za-z]+'s\b|(?:[A-Za-z]\.){2,}|(?<![\w)])\(\d+[a-z]?\)(?!\^)"  # Warner's, i.e., (11a), 2x2, lemma-3a
    r"|\d+(?:\.\d+)?e-?\d+\b|\d+x\d+\b|(?:(?<=[A-Za-z] )|(?<=[a-z][a-z]-))\d+[a-e]\b(?! ?[-+*/^=<>]))"
    r"|(?P<word>[A-Za-z][A-Za-z0-9_]*'*)|(?P<number>\d+(?:\.\d+)?)|(?P<sign><=|>=|!=|[-+*/^=<>])|(?P<open>[(\[{])"
    r"|(?P<close>[)\]}])|(?P<comma>,)|(?P<blank>\s+)|(?P<other>.)",
    re.DOTALL,
)
_ARTICLES = ("a", "A", "I")
_NUMBERED = ("Section", "Part", "Appendix", "Figure", "Table", "Chapter")  # before a Roman number


def _is_symbol(word: str) -> bool:
    """Return whether a word of prose is a mathematical name: a letter, a Greek one, or with an index."""
    bare = word.rstrip("'")
    return bare in _GREEK or re.fullmatch(r"[A-Za-z](?:\d+|_\w+)?|[a-z]+_\w+", bare) is not None


def with_formulas(text: str) -> str:
    """Return prose with its formulas as LaTeX between dollar signs; those that it has stay as they are.

    >>> print(with_formulas("For 0 < pi <= 1/2 the design (p00, p11) is a mixture"))
    For $0<\\pi\\le \\frac{1}{2}$ the design $(p_{00}, p_{11})$ is a mixture
    """
    if text.count("$") % 2:
        return text
    return marked_pieces(_with_domains(text), _marked, "${}$".format)


_RUNNING = re.compile(r"\b([a-zA-Z]\w*) (=|in) (-?\d+), \.\.\., (\w+(?: [-+] \d+)?)(?![\w.])")


def _running(found: re.Match[str]) -> str:
    """Return numbers of a range, as ``N = 0, ..., n``, as LaTeX."""
    last = formula(found[4])
    if not _is_symbol(found[1]) or last is None:
        return found[0]
    return rf"${symbol(found[1])}{'=' if found[2] == '=' else chr(92) + 'in '}{found[3]},\dots,{last}$"


def _with_domains(text: str) -> str:
    """Return a text with the integers and reals of a scope, as ``n in 1..``, as LaTeX between dollar signs."""

    def made(found: re.Match[str]) -> str:
        latex = formula(found[0])
        return f"${latex}$" if latex else found[0]

    text = marked_pieces(text, lambda piece: _RUNNING.sub(_running, piece), "${}$".format)
    domains = r"\b[a-z]\w* in -?\d+ ?\.\.(?!\.)(?: ?-?\d+)?|(?<![a-z] )\b[a-z]\d* real\b(?=$|,|;)"
    return marked_pieces(text, lambda piece: re.sub(domains, made, piece), "${}$".format)


@lru_cache(maxsize=1024)
def _marked(text: str) -> str:
    if len(text) > _MOST_CHARACTERS:
        return text
    tokens = [(str(found.lastgroup), found[0]) for found in _TOKEN.finditer(text)]
    made, here = [], 0
    while here < len(tokens):
        end, latex = _longest(tokens, here)
        made.append(f"${latex}$" if latex else tokens[here][1])
        here = end if latex else here + 1
    return "".join(made)


def _longest(tokens: list[tuple[str, str]], start: int) -> tuple[int, str]:
    """Return the end and the LaTeX of the longest formula that starts here; "" if there is none."""
    if tokens[start][0] not in ("word", "number", "open") and not _is_minus(tokens, start):
        return start, ""
    end, ends, depth = start, list[int](), 0
    while end < min(len(tokens), start + _MOST_TOKENS) and _may_stand(tokens, end, start):
        kind = tokens[end][0]
        depth += {"open": 1, "close": -1}.get(kind, 0)
        if depth < 0 or (kind == "comma" and not depth):
            break
        end += 1
        if kind in ("word", "number", "close") and not depth:
            ends.append(end)
    for stop in reversed(ends):
        part = tokens[start:stop]
        if _is_product_of_words(part) or _has_article(part, tokens[stop : stop + 2]):
            continue
        if _is_worth(part, tokens[stop : stop + 2]) and _is_apart(tokens, start, stop):
            latex = formula(re.sub(r"\)\((?=[^()]*[-+*/^])", ")*(", "".join(text for _, text in part)))
            if latex:
                return stop, f"({latex})" if _is_bracketed(part) and latex[0] != "(" else latex
    return start, ""


def _is_product_of_words(part: list[tuple[str, str]]) -> bool:
    """Return whether names stand side by side without a relation: `n p` in prose may be two names."""
    text = "".join(text for _, text in part)
    return not any(sign in text for sign in "<>=") and _SIDE_BY_SIDE.search(text) is not None


def _has_article(part: list[tuple[str, str]], after: list[tuple[str, str]]) -> bool:
    """Return whether the first or the last letter is an article: `with a p > 1/2`, `P = C A a matrix`."""
    if [part[0][1], *(kind for kind, _ in part[1:3])] == ["a", "blank", "word"]:
        return True
    words = [kind for kind, _ in after]
    return (
        len(part) > 2
        and part[-1][1] == "a"
        and part[-2][0] == "blank"
        and words == ["blank", "word"]
        and (part[-3][0] in ("word", "close"))
    )


def _is_minus(tokens: list[tuple[str, str]], place: int) -> bool:
    """Return whether a token is the sign of a negative number or name, and no hyphen."""
    stands_apart = not place or tokens[place - 1][0] in ("blank", "open")
    return tokens[place][1] == "-" and stands_apart and tokens[place + 1 : place + 2] != [("blank", " ")]


def _is_bracketed(part: list[tuple[str, str]]) -> bool:
    """Return whether one pair of round brackets holds the whole part, and is no list."""
    if part[0][1] != "(":
        return False
    depth = 0
    for place, (kind, text) in enumerate(part):
        depth += {"open": 1, "close": -1}.get(kind, 0)
        if (not depth and place < len(part) - 1) or (depth == 1 and text == ","):
            return False
    return True


def _may_stand(tokens: list[tuple[str, str]], place: int, start: int) -> bool:
    """Return whether a token may be part of a formula that begins at ``start``."""
    kind, text = tokens[place]
    if kind == "word":
        brackets = ("(", "[") if text in _EXPECTATIONS else ("(",)
        is_called = place + 1 < len(tokens) and tokens[place + 1][1] in brackets
        opens = place + 2 < len(tokens) and tokens[place + 2][1] in "[{"
        if place > 1 and text.isupper() and tokens[place - 2][1] in _NUMBERED:
            return False
        is_of_a_name = _OF_A_NAME.fullmatch("".join(part for _, part in tokens[place : place + 3])) is not None
        return _is_symbol(text) or (is_called and text.isidentifier()) or (text == "in" and opens) or is_of_a_name
    if text == "(" and place > start + 1 and tokens[place - 1][0] == "blank":
        before = tokens[place - 2][1]
        return tokens[place - 2][0] != "word" or before == "in" or _is_symbol(before)  # `design (p, q)` calls nothing
    return kind not in ("own", "other")


def _is_worth(part: list[tuple[str, str]], after: list[tuple[str, str]]) -> bool:
    """Return whether the tokens say more than a number, an article or the letter of a word."""
    words = [text for kind, text in part if kind == "word"]
    if len(part) == 1:
        is_letter = bool(words) and words[0] not in _ARTICLES and _is_symbol(words[0])
        in_word = len(after) > 1 and after[0][1] == "-" and after[1][0] == "word"
        return is_letter and not (in_word and words[0].isupper())
    return bool(words) or any(kind == "sign" for kind, _ in part)


def _is_apart(tokens: list[tuple[str, str]], start: int, stop: int) -> bool:
    """Return whether the signs around a part do not belong to it."""
    if re.search(r"[\^_]\{[^{}]*$", "".join(text for _, text in tokens[max(0, start - _MOST_TOKENS) : start])):
        return False  # in an index or exponent of LaTeX outside of dollar signs
    before = tokens[start - 1][1] if start else ""
    after = tokens[stop][1] if stop < len(tokens) else ""
    return before not in ("^", "/", "*") and after not in ("^", "/", "*", "(")


# what LaTeX between dollar signs may have; other formulas are shown as text, so that no file runs a command of TeX
_KNOWN = """
alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho varrho
sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
ell frac dfrac tfrac binom sqrt sum prod int oint partial nabla infty in notin ni subset subseteq supset
supseteq cup cap setminus emptyset varnothing forall exists neg land lor wedge vee to gets mapsto rightarrow
leftarrow Rightarrow Leftarrow Leftrightarrow iff implies le leq ge geq ne neq lt gt equiv sim simeq approx
cong propto prec succ preceq succeq ll gg mid nmid parallel perp times cdot div pm mp oplus otimes odot ominus
circ bullet star ast dots ldots cdots vdots ddots hat widehat tilde widetilde bar overline underline vec dot
ddot prime mathbf mathrm mathcal mathbb mathsf mathtt mathit mathfrak boldsymbol operatorname text textit
textbf textrm left right big Big bigl bigr Bigl Bigr bigg biggl biggr lvert rvert lVert rVert vert Vert langle
rangle lfloor rfloor lceil rceil exp log ln min max inf sup lim liminf limsup arg det dim ker gcd deg Pr sin
cos tan cot sec csc arcsin arccos arctan sinh cosh tanh quad qquad begin end limits nolimits overset underset
stackrel underbrace overbrace bmod pmod hline displaystyle textstyle not top bot dagger aleph hbar Re Im
lbrace rbrace allowbreak
"""
_COMMANDS = frozenset(_KNOWN.split())
_ENVIRONMENTS = frozenset(
    ("cases", "array", "matrix", "pmatrix", "bmatrix", "vmatrix", "aligned", "split", "gathered", "smallmatrix")
)
_GIVEN = re.compile(r"\\begin\{array\}\{[lcr|]*\}")


def is_safe_latex(source: str) -> bool:
    """Return whether LaTeX between dollar signs has known commands only, in pairs of braces and environments."""
    bare = source.replace(r"\%", "").replace(r"\#", "")
    if not source.isascii() or re.search(r"[%#~$\x00-\x08\x0b-\x1f\x7f]|\^\^", bare):
        return False
    depth, opened = 0, list[str]()
    pattern = r"\\(?:(begin|end)\{([a-z]*)\}|([A-Za-z]+))|\\.|[{}]"
    for found in re.finditer(pattern, _GIVEN.sub(r"\\begin{array}", source), re.DOTALL):
        name, argument = found[1] or found[3], found[2]
        if name and name not in _COMMANDS:
            return False
        if name == "begin":
            opened.append(argument)
            if argument not in _ENVIRONMENTS:
                return False
        elif name == "end" and (not opened or opened.pop() != argument):
            return False
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth < 0:
            return False
    lefts, rights = re.findall(r"\\left(?![A-Za-z])", source), re.findall(r"\\right(?![A-Za-z])", source)
    return depth == 0 and not opened and len(lefts) == len(rights) and not source.endswith("\\")


def marked_pieces(text: str, plain: Callable[[str], str], formulas: Callable[[str], str]) -> str:
    """Return a text with its prose and its formulas between dollar signs, each through a function."""
    if text.count("$") % 2:
        return plain(text)
    return "".join(formulas(piece) if i % 2 else plain(piece) for i, piece in enumerate(text.split("$")))


def tex_with_formulas(text: str) -> str:
    """Return a text for LaTeX; its formulas between dollar signs stay formulas, as far as TeX may run them."""
    quoted = re.sub(
        "`([^`]*)`", "\N{LEFT DOUBLE QUOTATION MARK}\\1\N{RIGHT DOUBLE QUOTATION MARK}", text.replace("``", "")
    )
    return marked_pieces(" ".join(quoted.split()), _tex_prose, _tex_formula)


def _tex_formula(source: str) -> str:
    return f"${source}$" if source.strip() and is_safe_latex(source) else rf"\texttt{{{tex(source)}}}"


def _tex_prose(text: str) -> str:
    made = tex(text)
    for sign, command in (
        ("\N{LEFT DOUBLE QUOTATION MARK}", "``"),
        ("\N{RIGHT DOUBLE QUOTATION MARK}", "''"),
        (r"\textgreater{}=", r"$\ge$"),
        (r"\textless{}=", r"$\le$"),
    ):
        made = made.replace(sign, command)
    return made
