"""Conditions on the columns of a table, such as ``age >= 18 and region != 'X'``: their grammar, for every engine.

A condition is true, false, or unknown where a value that it needs is missing; a selection has the rows where it is
true, as in SQL and in R's ``subset``. Nothing of its text is evaluated: it becomes a tree, of which each engine builds
its own expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol, TypeVar

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.normal_form import label_form, normal
from rropt_fieldwork.reading.number_comparisons import TEXT_OTHER_DATES, exact_number

_LONGEST = 10_000  # characters of a condition
_DEEPEST = 50  # levels of parentheses
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.]))
    |(?P<text>'(?:[^']|'')*'|"(?:[^"]|"")*")
    |(?P<name>`[^`]+`|[^\W\d][\w.]*)
    |(?P<sign><=|>=|==|!=|<>|&&|\|\||[<>=()!&|,])
    )""",
    re.VERBOSE,
)
_WORDS = ("and", "or", "not", "in", "between", "is", "true", "false")
_MISSING = ("missing", "null", "na")
_OPERATORS = {"==": "=", "<>": "!=", "&&": "and", "&": "and", "||": "or", "|": "or", "!": "not"}
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
_EXAMPLE = "age >= 18 and region != 'X'"
_FORMS = (
    "allowed are comparisons of a column with a value, and, or, not, in ('a', 'b'), between 18 and 65, is missing, and "
    f"parentheses, such as {_EXAMPLE}"
)

Found = TypeVar("Found")
Value = Fraction | str | bool  # an exact number, a text, or a truth value


class Terms(Protocol[Found]):
    """The terms of which an engine builds a condition; each is true, false, or missing."""

    def compared(self, column: str, sign: str, value: Value) -> Found:
        """Return whether the value of a column is ``sign`` a value, one of = != < > <= >=."""

    def is_missing(self, column: str) -> Found:
        """Return whether the value of a column is missing."""

    def both(self, one: Found, other: Found) -> Found:
        """Return whether both conditions hold."""

    def either(self, one: Found, other: Found) -> Found:
        """Return whether one of the conditions holds."""

    def negated(self, one: Found) -> Found:
        """Return whether a condition does not hold."""


class ColumnComparison(NamedTuple):
    """A comparison of a column with a value."""

    column: str
    sign: str
    value: Value


class Missing(NamedTuple):
    """The condition that a value is missing."""

    column: str


class Negation(NamedTuple):
    """The negation of a condition."""

    of: Node


class Junction(NamedTuple):
    """Two conditions, joined by ``and`` or ``or``."""

    word: str
    one: Node
    other: Node


Node = ColumnComparison | Missing | Negation | Junction


@dataclass(frozen=True, slots=True)
class RowCondition:
    """A condition on the columns of a table.

    Attributes:
        text: its text.
        tree: what it says.
    """

    text: str
    tree: Node

    @classmethod
    def of(cls, text: object) -> RowCondition:
        """Read the text of a condition.

        Raises:
            InvalidParameterError: it is no condition; the message names the place.

        >>> [term.column for term in RowCondition.of("age >= 18 and not region in ('X', 'Y')").comparisons]
        ['age', 'region', 'region']
        """
        if not isinstance(text, str) or not text.strip() or len(text) > _LONGEST:
            told = f"{len(text)} characters" if isinstance(text, str) and text.strip() else shown(text)
            raise InvalidParameterError(
                f"`where` is no condition: received {told}; allowed is a text of at most {_LONGEST} characters, such "
                f"as {_EXAMPLE}"
            )
        return cls(" ".join(text.split()), _Reader(text).read())

    @property
    def comparisons(self) -> tuple[ColumnComparison, ...]:
        """The comparisons of columns with values."""
        return tuple(node for node in _nodes(self.tree) if isinstance(node, ColumnComparison))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the condition names."""
        return tuple(
            dict.fromkeys(node.column for node in _nodes(self.tree) if isinstance(node, ColumnComparison | Missing))
        )

    def with_levels(self, orders: Mapping[str, Sequence[str]]) -> RowCondition:
        """Return the condition with the levels of ordered columns in place of an order of texts.

        Raises:
            InvalidParameterError: a text is no level of its column.
        """
        return RowCondition(self.text, _with_levels(self.tree, orders))

    def built(self, terms: Terms[Found]) -> Found:
        """Return the condition in the terms of an engine."""
        return _built(self.tree, terms)


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for part in node:
        if isinstance(part, ColumnComparison | Missing | Negation | Junction):
            yield from _nodes(part)


def _with_levels(node: Node, orders: Mapping[str, Sequence[str]]) -> Node:
    if isinstance(node, Negation):
        return Negation(_with_levels(node.of, orders))
    if isinstance(node, Junction):
        return Junction(node.word, _with_levels(node.one, orders), _with_levels(node.other, orders))
    if not isinstance(node, ColumnComparison) or node.sign in ("=", "!=") or not isinstance(node.value, str):
        return node
    levels = orders.get(node.column)
    if levels is None:
        return node
    forms = list(map(label_form, levels))
    if label_form(node.value) not in forms:
        raise InvalidParameterError(
            f"`where` names no level: received {shown(node.value)}; allowed for {shown(node.column)} are "
            f"{shown(', '.join(levels[:20]))}"
        )
    place, is_equal = forms.index(label_form(node.value)), "=" in node.sign
    chosen = levels[: place + is_equal] if node.sign.startswith("<") else levels[place + (not is_equal) :]
    found: Node = Negation(Junction("or", Missing(node.column), Negation(Missing(node.column))))  # if there is no level
    for number, level in enumerate(chosen):
        own = ColumnComparison(node.column, "=", level)
        found = Junction("or", found, own) if number else own
    return found


def _built(node: Node, terms: Terms[Found]) -> Found:
    if isinstance(node, ColumnComparison):
        return terms.compared(*node)
    if isinstance(node, Missing):
        return terms.is_missing(node.column)
    if isinstance(node, Negation):
        return terms.negated(_built(node.of, terms))
    joined = terms.both if node.word == "and" else terms.either
    return joined(_built(node.one, terms), _built(node.other, terms))


class _Token(NamedTuple):
    kind: str  # number, text, name, sign, or "" at the end
    text: str
    at: int


class _Reader:
    """A reader of the grammar, from the loosest operator to the tightest one."""

    def __init__(self, text: str) -> None:
        self._text, self._tokens, self._place, self._depth = text, list(_tokens(text)), 0, 0

    def read(self) -> Node:
        """Return the tree of the whole text."""
        found = self._disjunction()
        if self._now.kind:
            raise self._wrong("an operator, or the end")
        return found

    @property
    def _now(self) -> _Token:
        return self._tokens[self._place]

    def _next(self) -> _Token:
        self._place += 1
        return self._tokens[self._place - 1]

    def _takes(self, *words: str) -> str:
        """Skip the next token if it is one of some words or signs, and return it."""
        word = _word(self._now)
        if word not in words:
            return ""
        self._next()
        return word

    def _wrong(self, expected: str) -> InvalidParameterError:
        token = self._now
        before = self._text[: token.at].strip()
        place = f"after {shown(before[-30:])}" if before else "at its begin"
        told = shown(token.text) if token.kind else "its end"
        return InvalidParameterError(
            f"`where` is no condition: received {told} {place}, where {expected} is expected; {_FORMS}"
        )

    def _joined(self, word: str, part: Callable[[], Node]) -> Node:
        found = part()
        while self._takes(word):
            found = Junction(word, found, part())
        return found

    def _disjunction(self) -> Node:
        return self._joined("or", self._conjunction)

    def _conjunction(self) -> Node:
        return self._joined("and", self._negation)

    def _negation(self) -> Node:
        count = 0
        while self._takes("not"):
            count += 1
        found = self._condition()
        return Negation(found) if count % 2 else found

    def _condition(self) -> Node:
        if self._takes("("):
            self._depth += 1
            if self._depth > _DEEPEST:
                raise InvalidParameterError(
                    f"`where` has too many parentheses: allowed are {_DEEPEST}, one in another; leave some out"
                )
            found = self._disjunction()
            if not self._takes(")"):
                raise self._wrong("a closing parenthesis")
            self._depth -= 1
            return found
        if self._is_value():  # 18 <= age, or 18 <= age < 65
            value, sign = self._value(), self._sign()
            column = self._column()
            found = ColumnComparison(column, _FLIPPED[sign], value)
            if _word(self._now) in _FLIPPED:
                return Junction("and", found, ColumnComparison(column, self._sign(), self._value()))
            return _checked(found)
        column = self._column()
        if self._takes("is"):
            is_not = bool(self._takes("not"))
            if not self._takes(*_MISSING):
                raise self._wrong("missing")
            return Negation(Missing(column)) if is_not else Missing(column)
        is_not = bool(self._takes("not"))
        if self._takes("in"):
            found = self._membership(column)
        elif self._takes("between"):
            low = self._value()
            if not self._takes("and"):
                raise self._wrong("and")
            found = Junction("and", ColumnComparison(column, ">=", low), ColumnComparison(column, "<=", self._value()))
            _checked(found.one)
            _checked(found.other)
        elif is_not:
            raise self._wrong("in or between")
        else:
            return _checked(ColumnComparison(column, self._sign(), self._value()))
        return Negation(found) if is_not else found

    def _membership(self, column: str) -> Node:
        if not self._takes("("):
            raise self._wrong("a list in parentheses")
        found: Node = ColumnComparison(column, "=", self._value())
        while self._takes(","):
            found = Junction("or", found, ColumnComparison(column, "=", self._value()))
        if not self._takes(")"):
            raise self._wrong("a comma, or a closing parenthesis")
        return found

    def _sign(self) -> str:
        sign = self._takes(*_FLIPPED)
        if not sign:
            raise self._wrong("a comparison such as = or >=")
        return sign

    def _column(self) -> str:
        token = self._now
        if token.kind == "text":
            raise self._wrong("the name of a column, in backticks (`) if it has blanks,")
        if token.kind != "name" or _word(token) in _WORDS:
            raise self._wrong("the name of a column")
        self._next()
        return normal(token.text.strip("`"))

    def _is_value(self) -> bool:
        return self._now.kind in ("number", "text") or _word(self._now) in ("true", "false")

    def _value(self) -> Value:
        token = self._now
        if word := self._takes("true", "false"):
            return word == "true"
        if token.kind == "name" and _word(token) in _MISSING:
            raise InvalidParameterError(
                f"`where` compares with a missing value: received {shown(token.text)}, which is equal to nothing; "
                "write is missing, or is not missing"
            )
        if token.kind == "name":
            raise self._wrong("a number, or a text in quotation marks,")
        if token.kind not in ("number", "text"):
            raise self._wrong("a value")
        self._next()
        if token.kind == "number":
            return exact_number(token.text)
        mark = token.text[0]
        return normal(token.text[1:-1].replace(mark * 2, mark).strip())


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            rest = text[at:].strip()
            why = "a quotation mark without its pair" if rest[0] in "'\"`" else f"{shown(rest[:20])}"
            raise InvalidParameterError(
                f"`where` is no condition: received {why} after {shown(text[:at].strip()[-30:])}; names of columns "
                f"with other signs stand in backticks, texts in quotation marks; {_FORMS}"
            )
        yield _Token(found.lastgroup, found[found.lastgroup], found.start(found.lastgroup))
        at = found.end()
    yield _Token("", "", len(text))


def _word(token: _Token) -> str:
    """Return a word of the grammar, or a sign in its usual form; other tokens as they are."""
    if token.kind == "sign":
        return _OPERATORS.get(token.text, token.text)
    return token.text.lower() if token.kind == "name" else ""


def _checked(node: Node) -> Node:
    """Return a comparison; refuse an order of truth values, or of a number in quotation marks."""
    assert isinstance(node, ColumnComparison)
    if node.sign in ("=", "!="):
        return node
    if isinstance(node.value, bool):
        raise InvalidParameterError(
            f"`where` orders truth values: received {node.column} {node.sign} {str(node.value).lower()}; write = or !="
        )
    is_date = isinstance(node.value, str) and re.search(TEXT_OTHER_DATES, node.value)
    if isinstance(node.value, str) and re.fullmatch(r"[+-]?[0-9.,]+", node.value) and not is_date:
        raise InvalidParameterError(
            f"`where` can be read in two ways: received {node.column} {node.sign} {shown(node.value)}, which compares "
            f"texts or numbers; write the number without quotation marks: {node.column} {node.sign} {node.value}"
        )
    return node
