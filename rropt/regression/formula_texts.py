r"""Texts of formulas: ``answer ~ region * log(age)`` split into terms, and each factor into a checked syntax tree.

No text of the user is evaluated. The grammar of terms is that of R: ``^`` binds closest, then ``:``, ``* /`` and
``+ -``. A factor is a column, a call such as ``log(age)``, or an expression in braces; its tree may contain columns,
numbers, ``+ - * / **`` and ``FUNCTIONS`` alone, or it is a comparison such as ``I(age > 30)``.
"""

from __future__ import annotations

import ast
import keyword
import operator
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.normal_form import label_form, normal

Constants = dict[str, tuple[float, float]]  # mean and standard deviation by text
_Terms = dict[frozenset[str], tuple[str, ...]]  # the factors of each term, in order; empty for the intercept

MOST_LETTERS = 10_000  # characters of a formula
MOST_TERMS = 1000
_MOST_POWER = 10
_DEEPEST = 300  # levels of brackets and operations of a factor; computing them takes a frame for each
_DEEPEST_TERMS = 50  # levels of brackets between terms
_TOKEN = re.compile(
    r"""(?P<blank>\s+)|(?P<quoted>`[^`]*`)|(?P<string>'[^']*'|"[^"]*")
    |(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<name>[^\W\d]\w*(?:\.\w+)*)|(?P<sign>\*\*|==|!=|<=|>=|.)""",
    re.VERBOSE | re.DOTALL,
)
_COLUMN = re.compile(r"(?!rropt_column_)[A-Za-z_][A-Za-z0-9_]*")  # a name that Python reads as it is
_INTERCEPT: _Terms = {frozenset(): ()}
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_BINDING = {"*": 1, "/": 1, ":": 2, "**": 3, "^": 3}  # how closely an operator binds
_LOGIC = ("and", "or", "not")  # words that are no columns
_RANDOM = re.compile(r"\(\s*1\s*\|")
_FORM = "allowed is ANSWER ~ TERM + TERM ..., with + - * : / ^ and brackets, such as answer ~ region * age"

_OPERATORS: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
_ELEMENTWISE: dict[str, Any] = {"I": np.positive}
_ELEMENTWISE |= {name: getattr(np, name) for name in ("log", "log10", "log2", "log1p", "exp", "expm1", "sqrt", "abs")}
FUNCTIONS = (*_ELEMENTWISE, "center", "scale", "standardize")
_EQUAL: dict[type, Any] = {ast.Eq: operator.eq, ast.NotEq: operator.ne}
_ORDERED: dict[type, Any] = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}
COMPARED = _EQUAL | _ORDERED


class Parsed(NamedTuple):
    """A parsed formula, before it is applied to data.

    Attributes:
        response: the column of the responses.
        terms: the factors of each term, in order; empty for the intercept.
        text: the right-hand side.
    """

    response: str
    terms: tuple[tuple[str, ...], ...]
    text: str


class ReadFactor(NamedTuple):
    """A factor as it was read.

    Attributes:
        columns: the columns that it uses.
        written: their names in ``tree``, which are others for names in backticks.
        tree: the expression that it computes; ``None`` for a column as it is.
        is_marked: whether it is ``C(column)``.
        is_condition: whether it is a comparison, whose levels are False and True.
        reference: the reference level that ``Treatment`` names.
        levels: the levels that ``C(column, levels=[...])`` names.
    """

    columns: tuple[str, ...]
    written: tuple[str, ...]
    tree: ast.expr | None
    is_marked: bool
    is_condition: bool
    reference: str | None
    levels: tuple[str, ...] | None


class NotAllowedError(Exception):
    """A formula, or an expression in it, has an element that is not allowed."""


def columns_of(factors: Iterable[str]) -> list[str]:
    """Return the names of the columns that some factors use."""
    return list(dict.fromkeys(name for text in factors for name in read_factor(text).columns))


def parse(formula: str) -> Parsed:
    """Parse a formula such as ``answer ~ region * age`` into its response and its terms.

    Raises:
        InvalidParameterError: the text is not a formula, or contains elements other than names, numbers and the
            allowed functions.
    """
    if not isinstance(formula, str) or len(formula) > MOST_LETTERS:
        raise InvalidParameterError(
            f"the formula is not a text of at most {MOST_LETTERS} letters: received {shown(formula)}; write "
            "answer ~ region + age"
        )
    formula = normal(formula)
    place = next((place for _, text, place in _Reader(formula).tokens if text == "~"), len(formula))
    right = formula[place + 1 :].strip()
    try:
        if place == len(formula):
            raise NotAllowedError("it has no ~")
        answer, terms = _Reader(formula[:place]).factor_alone(), _Reader(right).terms() if right else ()
    except NotAllowedError as refusal:
        advice = "; name the groups of a random intercept with `random`" if _RANDOM.search(formula) else ""
        raise InvalidParameterError(
            f"the formula cannot be read ({refusal}): received {shown(formula)}; {_FORM}{advice}"
        ) from None
    own = None if answer is None else read_factor(answer)
    if own is None or len(own.columns) != 1:
        raise InvalidParameterError(
            f"the left-hand side is not one column: received {shown(formula)}; allowed is the name of the column "
            "of the responses (in backticks if it contains blanks)"
        )
    if own.tree is not None:
        raise InvalidParameterError(
            f"a transformed response has no device: received {shown(answer)} on the left of ~; give the "
            "column as it was answered"
        )
    if not 1 <= len(terms) <= MOST_TERMS:
        raise InvalidParameterError(
            f"the formula has {len(terms)} terms: received {shown(formula)}; allowed are 1 to {MOST_TERMS}, "
            "1 being the intercept"
        )
    for one in set(chain(*terms)):
        read_factor(one)
    return Parsed(own.columns[0], terms, right)


class _Reader:
    """Reads one side of a formula, by recursive descent.

    Attributes:
        text: the text.
        tokens: the kind, the text and the place of each token, without blanks, and an empty one at the end.
        at: the number of the next token.
        depth: how many brackets of terms are open.
    """

    def __init__(self, text: str) -> None:
        found = [(str(one.lastgroup), one[0], one.start()) for one in _TOKEN.finditer(text)]
        self.tokens = [*(token for token in found if token[0] != "blank"), ("end", "", len(text))]
        self.text, self.at, self.depth = text, 0, 0

    def factor_alone(self) -> str | None:
        """Return the only factor of the side; ``None`` if the side is something else."""
        found = self._product() if self.tokens[0][0] != "end" else {}
        ((only,),) = found.values() if len(found) == 1 and len(next(iter(found))) == 1 else ((None,),)
        return only if self.tokens[self.at][0] == "end" else None

    def terms(self) -> tuple[tuple[str, ...], ...]:
        """Return the terms of a right-hand side, ordered by their number of factors."""
        has_comparison = any(text in _COMPARISONS for _, text, _ in self.tokens)  # perhaps in brackets
        if has_comparison and not (signs := self._outside(len(self.tokens) - 1)).isdisjoint(_COMPARISONS):
            if not signs.isdisjoint(("+", "-", "*", ":", "~")):
                raise NotAllowedError("put a comparison in brackets, as in (x == 'm') + age")
            found: _Terms = {**_INTERCEPT, **_factor(self.text)}
        else:
            found = self._sum(_INTERCEPT)
            if self.tokens[self.at][0] != "end":
                raise NotAllowedError(f"{shown(self.tokens[self.at][1])} is no operator")
        return tuple(sorted(found.values(), key=len))

    def _outside(self, end: int) -> set[str]:
        """Return the signs from here up to a token, without those in brackets and braces."""
        depth, signs = 0, set[str]()
        for kind, text, _ in self.tokens[self.at : end]:
            depth -= text in (")", "}", "]")
            if depth == 0 and kind == "sign":
                signs.add(text)
            depth += text in ("(", "{", "[")
        return signs

    def _sum(self, found: _Terms) -> _Terms:
        """Read terms with signs, and add them to some or take them away; 0 is minus the intercept."""
        is_first = True
        while is_first or self.tokens[self.at][1] in ("+", "-"):
            is_first, is_added = False, True
            while (sign := self.tokens[self.at][1]) in ("+", "-"):
                is_added ^= sign == "-"
                self.at += 1
            kind, text, _ = self.tokens[self.at]
            if (kind, text) == ("number", "0"):
                if self.depth:
                    raise NotAllowedError("write 0 or -1, which leave the intercept out, outside of brackets")
                self.at += 1
                is_added, terms = not is_added, _INTERCEPT
            else:
                terms = self._product()
            if self.depth and not is_added and frozenset() in terms:
                raise NotAllowedError("write 0 or -1, which leave the intercept out, outside of brackets")
            found = {**found, **terms} if is_added else {one: found[one] for one in found if one not in terms}
        return found

    def _product(self, least: int = 1) -> _Terms:
        """Read factors, and the operators between them that bind at least so closely (``_BINDING``)."""
        found = self._atom()
        while (closeness := _BINDING.get(self.tokens[self.at][1], 0)) >= least:
            sign = self.tokens[self.at][1]
            self.at += 1
            if sign in ("**", "^"):
                found = self._power(found)
                continue
            other = self._product(closeness + 1)
            if sign == ":":
                found = _times(found, other)
            elif sign == "*":
                found = {**found, **other, **_times(found, other)}
            else:  # within all factors of the left-hand side
                every = tuple(dict.fromkeys(chain(*found.values())))
                found = {**found, **_times({frozenset(every): every}, other)}
        return found

    def _power(self, base: _Terms) -> _Terms:
        """Read the exponent of some terms, and return their power."""
        found, (kind, text, _) = base, self.tokens[self.at]
        self.at += 1
        if kind != "number" or not text.isdecimal() or not 1 <= int(text[:9]) <= MOST_TERMS:
            raise NotAllowedError("a power of terms is a whole number from 1")
        for _ in range(min(int(text), len(base)) - 1):
            found = {**found, **_times(found, base)}
        if self.tokens[self.at][1] in ("**", "^"):
            raise NotAllowedError("a power has no power")
        return found

    def _atom(self) -> _Terms:
        kind, text, start = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            if text != "1":
                raise NotAllowedError(f"{text} is no term; write I({text} * x) for a multiple of x")
            return _INTERCEPT
        if kind == "quoted":
            return _factor(text)
        if kind == "string":
            raise NotAllowedError(f"{shown(text)} is no column; write the name of a column without quotation marks")
        if kind == "name" and self.tokens[self.at][1] != "(":
            return _factor(text)
        if kind == "name" or text == "{":
            end = self._closing(self.at - (kind != "name"))
            inside = self.text[start:end] if kind == "name" else self.text[start + 1 : end - 1]
            return _factor(inside)
        if text != "(":
            if text == ".":
                raise NotAllowedError("name the columns in place of the dot")
            raise NotAllowedError(f"a term is missing before {shown(text)}" if text else "a term is missing at its end")
        depth, at = self.depth, self.at
        end = self._closing(at - 1)
        closing, self.at = self.at, at
        if not self._outside(closing - 1).isdisjoint(_COMPARISONS):
            self.at = closing
            return _factor(self.text[start + 1 : end - 1])
        if depth >= _DEEPEST_TERMS:
            raise NotAllowedError("it nests too deep")
        self.depth = depth + 1
        found = self._sum({})
        self.depth = depth
        if self.tokens[self.at][1] != ")":
            raise NotAllowedError(f"{shown(self.tokens[self.at][1])} is no operator")
        self.at += 1
        return found

    def _closing(self, opening: int) -> int:
        """Pass the brackets that open at a token, and return the place behind them."""
        depth = 0
        for place in range(opening, len(self.tokens)):
            _, text, start = self.tokens[place]
            depth += (text in ("(", "{", "[")) - (text in (")", "}", "]"))
            if depth == 0:
                self.at = place + 1
                return start + 1
        raise NotAllowedError("a bracket is open")


def _times(one: _Terms, other: _Terms) -> _Terms:
    """Return the products of the terms of two sums.

    Raises:
        NotAllowedError: there are too many terms.
    """
    found: _Terms = {}
    for left in one.values():
        for right in other.values():
            term = tuple(dict.fromkeys((*left, *right)))
            found.setdefault(frozenset(term), term)
            if len(found) > MOST_TERMS:
                raise NotAllowedError(f"it has more than {MOST_TERMS} terms; write out the products you need")
    return found


# --- factors


def _factor(text: str) -> _Terms:
    """Return the term of one factor, written in one way: blanks and quotation marks of Python, odd names in backticks.

    Raises:
        InvalidParameterError: it is no expression.
    """
    if _COLUMN.fullmatch(text) and not keyword.iskeyword(text):
        return {frozenset((text,)): (text,)}
    read, quoted = _replaced(text)
    try:
        tree = _tree(text, read, quoted)
        if _is_condition(tree):
            tree, read = ast.Call(ast.Name("I"), [tree], []), f"I({read})"
        try:
            written = ast.unparse(tree)
        except RecursionError:  # it takes several frames for each level
            written = read
    except NotAllowedError as refusal:
        raise _refused(text, str(refusal)) from None
    own = re.sub(r"rropt_column_[0-9]+_", lambda found: f"`{quoted.get(found[0], found[0])}`", written)
    return {frozenset((own,)): (own,)}


def _replaced(text: str) -> tuple[str, dict[str, str]]:
    """Return a factor with other names for those that Python does not read, and their columns."""
    quoted: dict[str, str] = {}
    parts = []
    for found in _TOKEN.finditer(text):
        kind, own = found.lastgroup, found[0]
        if kind == "quoted" or (kind == "name" and not _is_plain(own)):
            name = f"rropt_column_{len(quoted)}_"
            quoted[name] = own.strip("`")
            own = quoted[name] if _is_plain(quoted[name]) else name
        parts.append("**" if own == "^" else own)
    return "".join(parts).strip(), quoted


def _is_plain(name: str) -> bool:
    """Return whether Python reads a name as one, with its dots."""
    words = ("True", "False", "None", *_LOGIC, "in")
    if name.startswith("rropt_column_"):
        return False
    return all(part.isidentifier() and (part in words or not keyword.iskeyword(part)) for part in name.split("."))


def _tree(text: str, read: str, quoted: dict[str, str]) -> ast.expr:
    """Return the syntax tree of a factor, in which ``Q("a b")`` is the column in backticks."""

    class Columns(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.expr:
            self.generic_visit(node)
            match node:
                case ast.Call(ast.Name("Q"), [ast.Constant(str() as column)], []):
                    name = f"rropt_column_{len(quoted)}_"
                    quoted[name] = column
                    return ast.Name(column if _is_plain(column) else name)
            return node

    try:
        if text.count("`") % 2:
            raise NotAllowedError("a backtick is open")
        found: ast.expr = Columns().visit(ast.parse(read, mode="eval").body)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        raise NotAllowedError("it is no expression") from None
    return found


@lru_cache(maxsize=MOST_TERMS)
def read_factor(text: str) -> ReadFactor:
    """Read a factor, of which only listed elements are allowed."""
    read, quoted = _replaced(text)
    columns: dict[str, Any] = defaultdict(lambda: np.ones(1))  # those that the expression uses
    reference, levels, is_condition = None, None, False
    try:
        tree = _tree(text, read, quoted)
        if is_marked := isinstance(tree, ast.Call) and dotted(tree.func) in ("C", "factor"):
            (reference, levels), tree = _coding(tree), tree.args[0]
            if not dotted(tree):
                raise NotAllowedError("C takes a column, in backticks if its name contains blanks")
        inside = tree.args[0] if isinstance(tree, ast.Call) and dotted(tree.func) == "I" and tree.args else tree
        if is_condition := _is_condition(inside):
            tree = inside
            _required_condition(tree, columns)
        else:
            with np.errstate(all="ignore"):
                value_of(tree, columns, {})
    except NotAllowedError as refusal:
        raise _refused(text, str(refusal)) from None
    except (ValueError, OverflowError, RecursionError, MemoryError):
        raise _refused(text, "it is no expression") from None
    names, plain = tuple(quoted.get(name, name) for name in columns), None if dotted(tree) else tree
    return ReadFactor(names, tuple(columns), plain, is_marked, is_condition, reference, levels)


def _refused(text: str, why: str) -> InvalidParameterError:
    """Return the error for a factor."""
    return InvalidParameterError(
        f"a factor of the formula is not allowed ({why}): received {shown(text)}; allowed are columns, numbers, + - * "
        f"/ **, comparisons, and {', '.join(FUNCTIONS)}, C; compute other columns before"
    )


def _is_condition(tree: ast.expr) -> bool:
    is_not = isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not)
    return isinstance(tree, ast.Compare | ast.BoolOp) or is_not


def _required_condition(tree: ast.expr, columns: dict[str, Any], depth: int = 0) -> None:
    """Raise if a tree is no comparison of columns with numbers or texts; note the columns."""
    if depth > _DEEPEST:
        raise NotAllowedError("it nests too deep")
    match tree:
        case ast.BoolOp(values=parts):
            for part in parts:
                _required_condition(part, columns, depth + 1)
        case ast.UnaryOp(ast.Not(), part):
            _required_condition(part, columns, depth + 1)
        case ast.Compare(left, [op], [right]) if type(op) in COMPARED and dotted(left) and constant(right) is not None:
            columns[dotted(left)]  # a defaultdict: it notes the column
        case _:
            raise NotAllowedError(
                "a comparison is of a column with a number or a text, as in (x == 'm') or (age >= 18 and x != 'm')"
            )


def constant(node: ast.expr) -> str | int | float | None:
    """Return the number or the text that a tree is; ``None`` if it is something else."""
    match node:
        case ast.Constant(str() as text):
            return text
        case ast.Constant(int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)) if not isinstance(number, bool):
            return -number
    return None


def value_of(node: ast.expr, data: dict[str, Any], constants: Constants, depth: int = 0) -> Any:
    """Compute an allowed expression; ``center`` and ``scale`` learn the constants that are not known."""
    if depth > _DEEPEST:
        raise NotAllowedError("it nests too deep")
    if name := dotted(node):
        return data[name]
    match node:
        case ast.Constant(int() | float() as number) if not isinstance(number, bool):
            return np.float64(number)  # it overflows without an exception
        case ast.UnaryOp(op, operand) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](value_of(operand, data, constants, depth + 1))
        case ast.BinOp(left, op, right) if type(op) in _OPERATORS:
            is_wrong = not isinstance(right, ast.Constant) or right.value not in range(_MOST_POWER + 1)
            if isinstance(op, ast.Pow) and is_wrong:
                raise NotAllowedError(f"a power is a whole number from 0 to {_MOST_POWER}")
            return _OPERATORS[type(op)](*(value_of(each, data, constants, depth + 1) for each in (left, right)))
        case ast.Call(func) if (name := dotted(func).removeprefix("np.")) in (*FUNCTIONS, "C"):
            if name == "C" or len(node.args) != 1 or node.keywords:
                raise NotAllowedError(f"{name} takes one column" + " and stands alone" * (name == "C"))
            found = value_of(node.args[0], data, constants, depth + 1)
            if name in _ELEMENTWISE:
                return _ELEMENTWISE[name](found)
            mean, text = np.mean(found), ast.unparse(node)
            if text not in constants:
                spread = 1.0 if name == "center" else np.sqrt(np.sum((found - mean) ** 2) / (np.size(found) - 1))
                constants[text] = float(mean), float(spread)
            return (found - constants[text][0]) / constants[text][1]
        case ast.Call(ast.Name(("factor" | "as.factor") as word)):
            raise NotAllowedError(f"{word} takes one column and stands alone")
        case ast.Compare() | ast.BoolOp():
            raise NotAllowedError("a comparison stands alone, as I(x == 'm'); multiply by it with a colon")
    raise NotAllowedError("nothing else is computed")


def dotted(tree: ast.expr) -> str:
    """Return a dotted name, such as ``asset.index``; empty if the tree is something else."""
    names = []
    while isinstance(tree, ast.Attribute):
        names.append(tree.attr)
        tree = tree.value
    return ".".join([tree.id, *reversed(names)]) if isinstance(tree, ast.Name) else ""


def _coding(tree: ast.Call) -> tuple[str | None, tuple[str, ...] | None]:
    """Return the reference level and the levels of ``C(x, Treatment("a"), levels=[...])``; ``None``: as in the data."""
    reference: str | None = None
    levels: tuple[str, ...] | None = None
    is_right = bool(tree.args)
    for name, node in [("contr", one) for one in tree.args[1:]] + [(one.arg, one.value) for one in tree.keywords]:
        own = node if isinstance(node, ast.Call) else ast.Call(node, [], [])
        given = [*own.args, *(one.value for one in own.keywords if one.arg == "reference")]
        if name == "contr" and dotted(own.func) == "Treatment" and len(given) == len(own.args) + len(own.keywords) < 2:
            reference = _level(given[0]) if given else None
        elif name == "levels" and isinstance(node, ast.List | ast.Tuple) and node.elts:
            levels = tuple(map(_level, node.elts))
        elif name == "levels" and dotted(own.func) == "c" and own.args and not own.keywords:  # as R writes a list
            levels = tuple(map(_level, own.args))
        else:
            is_right = False
    if is_right and (levels is None or len(set(map(label_form, levels))) == len(levels)):
        return reference, levels
    raise NotAllowedError(
        'the coding is treatment coding: C(x), C(x, Treatment("level")) or C(x, levels=["first", "second"]), whose '
        "first level is the reference"
    )


def _level(node: ast.expr) -> str:
    """Return the level that a text or a number names."""
    found = constant(node)
    if found is None:
        raise NotAllowedError("a level is a text or a number, as in C(x, levels=['a', 'b'])")
    return f"{found:.15g}" if isinstance(found, float) else str(found)
