"""Inequalities in several entries of a mechanism: a sum of maxima of linear functions is at most a number.

``BoundedRegion`` has them beside bounds of single entries; ``linear_levels`` makes a privacy level of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import as_text, rational
from rropt.core.limits import MAX_ENTRY_DIGITS

Entry = tuple[int, int]
Terms = tuple[tuple[Entry, Fraction], ...]  # a linear function of the entries: coefficients other than 0, ascending

MOST_INEQUALITIES, MOST_TERMS, _LONGEST = 4000, 100_000, 4000
_EXAMPLE = '"p[0,0] + p[1,1] <= 3/2" or "max(p[0,0], p[0,1]) + max(p[1,0], p[1,1]) <= 3/2"'


@dataclass(frozen=True, slots=True)
class EntryInequality:
    """``sum_n max_a f_na(P) <= bound`` with linear functions f_na of the entries of a mechanism P.

    A linear inequality has one part with one function. The set of solutions is convex: a polyhedron.

    Attributes:
        parts: for each n, the functions whose maximum is taken; each has coefficients by (output, input).
        bound: the right side.
    """

    parts: tuple[tuple[Terms, ...], ...]
    bound: Fraction

    def __post_init__(self) -> None:
        exact = all(isinstance(x, Fraction) for part in self.parts for terms in part for _, x in terms)
        if not (self.parts and all(self.parts) and exact and isinstance(self.bound, Fraction)):
            raise InvalidParameterError(
                f"an inequality is not of its form: received {shown((self.parts, self.bound))}; allowed are parts that "
                "each have a function, with Fractions; a text such as " + _EXAMPLE + " is read by rropt.privacy.linear"
            )

    def value(self, matrix: Sequence[Sequence[Fraction]]) -> Fraction:
        """Return the left side at a mechanism."""
        return sum((max(value_of(terms, matrix) for terms in part) for part in self.parts), Fraction(0))

    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary used in problems and certificates."""
        parts = [[[[str(i), str(j), as_text(x)] for (i, j), x in terms] for terms in part] for part in self.parts]
        return {"parts": parts, "bound": as_text(self.bound)}

    @classmethod
    def from_dict(cls, data: Any) -> EntryInequality:
        """Read an inequality from the output of ``to_dict``."""
        try:
            if set(data) != {"parts", "bound"} or not data["parts"] or not all(data["parts"]):
                raise ValueError
            parts = tuple(tuple(_terms(terms) for terms in part) for part in data["parts"])
        except (TypeError, ValueError):
            raise InvalidParameterError(
                f"an inequality is not of its form: received {shown(data)}; allowed is an object with parts and bound, "
                'such as {"parts": [[[["0", "0", "1"]]]], "bound": "1/2"}'
            ) from None
        return cls(parts, _number(data["bound"]))

    def __str__(self) -> str:
        sums = []
        for part in self.parts:
            told = [_words(terms) for terms in part]
            sums.append(told[0] if len(told) == 1 else f"max({', '.join(told)})")
        return f"{' + '.join(sums).replace('+ -', '- ')} <= {as_text(self.bound)}"


def value_of(terms: Terms, matrix: Sequence[Sequence[Fraction]]) -> Fraction:
    """Return the value of a linear function of the entries."""
    return sum((x * matrix[i][j] for (i, j), x in terms), Fraction(0))


def _terms(listed: Any) -> Terms:
    found = tuple(((_place(i), _place(j)), _number(x)) for i, j, x in listed)
    places = [place for place, _ in found]
    if any(not x or min(place) < 0 for place, x in found) or places != sorted(set(places)):
        raise ValueError
    return found


def _place(value: Any) -> int:
    if isinstance(value, bool | float):
        raise ValueError
    return int(value)


def read_inequalities(data: Any) -> tuple[EntryInequality, ...]:
    """Return the inequalities of a list in JSON."""
    if not isinstance(data, list):
        raise InvalidParameterError(f"the inequalities of a region are no list: received {shown(data)}")
    return tuple(EntryInequality.from_dict(each) for each in data)


def _number(value: object) -> Fraction:
    return rational(value, name="a number of an inequality", digits=MAX_ENTRY_DIGITS)


def _words(terms: Terms) -> str:
    listed = (f"{_factor(x)}p[{i},{j}]" for (i, j), x in terms)
    return " + ".join(listed).replace("+ -", "- ") or "0"


def _factor(x: Fraction) -> str:
    return ("" if x == 1 else "-") if abs(x) == 1 else f"{as_text(x)}*"


# --- what people write -----------------------------------------------------------------------------------------------


class _Line(NamedTuple):
    """A linear function of the entries with a constant."""

    terms: Mapping[Entry, Fraction]
    constant: Fraction

    def plus(self, other: _Line, times: Fraction = Fraction(1)) -> _Line:
        terms = dict(self.terms)
        for place, x in other.terms.items():
            terms[place] = terms.get(place, Fraction(0)) + times * x
        return _Line(terms, self.constant + times * other.constant)


_NOTHING = _Line({}, Fraction(0))


class _Sum(NamedTuple):
    """A linear function plus or minus maxima of linear functions."""

    line: _Line
    parts: tuple[tuple[int, tuple[_Line, ...]], ...] = ()

    def plus(self, other: _Sum, times: Fraction = Fraction(1)) -> _Sum:
        sign, size = (1 if times > 0 else -1), abs(times)
        more = [(sign * s, tuple(_NOTHING.plus(line, size) for line in lines)) for s, lines in other.parts if size]
        return _Sum(self.line.plus(other.line, times), (*self.parts, *more))


def inequalities_of(given: object, outputs: int, inputs: int) -> tuple[EntryInequality, ...]:
    """Read inequalities in any of their forms.

    Args:
        given: a text with ``<=``, ``>=`` or ``=`` in the entries ``p[i,j]`` (output i, input j, counted from 0) with
            ``+ - * /``, ``max``, ``min`` and ``abs``; an ``EntryInequality``; the dictionary of one; or a list of
            these. ``max`` and ``abs`` stand on the smaller side, ``min`` on the larger one.
        outputs, inputs: m and k.

    Raises:
        InvalidParameterError: the text has another form, an entry is outside the matrix, or the set is not convex.

    >>> print(*inequalities_of("2*p[0,0] >= max(p[1,0], p[1,1]) - 1/2", 2, 2))
    max(-2*p[0,0] + p[1,0], -2*p[0,0] + p[1,1]) <= 1/2
    """
    if isinstance(given, str):
        found = list(_of_text(given, outputs))
    elif isinstance(given, EntryInequality):
        found = [given]
    elif isinstance(given, Mapping):
        found = [EntryInequality.from_dict(given)]
    elif isinstance(given, Iterable):
        found = [each for one in given for each in inequalities_of(one, outputs, inputs)]
    else:
        raise InvalidParameterError(f"an inequality is unknown: received {shown(given)}; write {_EXAMPLE}")
    size = sum(len(terms) + 1 for each in found for part in each.parts for terms in part)
    if len(found) > MOST_INEQUALITIES or size > MOST_TERMS:
        raise InvalidParameterError(
            f"there are too many inequalities: received {len(found)} with {size} terms; allowed are "
            f"{MOST_INEQUALITIES} with {MOST_TERMS}"
        )
    places = [place for each in found for part in each.parts for terms in part for place, _ in terms]
    wrong = next((place for place in places if not (0 <= place[0] < outputs and 0 <= place[1] < inputs)), None)
    if wrong is not None:
        raise InvalidParameterError(
            f"an inequality is outside the matrix: received the entry p[{wrong[0]},{wrong[1]}]; allowed are outputs 0 "
            f"to {outputs - 1} and inputs 0 to {inputs - 1}"
        )
    return tuple(found)


def _of_text(text: str, outputs: int) -> Iterator[EntryInequality]:
    """Yield the inequality of a text, or the two of an equation."""
    relation = next((sign for sign in ("<=", ">=", "==", "=") if sign in text), "")
    sides = text.split(relation) if relation else []
    if len(sides) != 2 or len(text) > _LONGEST:
        raise _unread(text, "one of <=, >= and = between two sides")
    left, right = (_Reader(text, side.strip()).sum() for side in sides)
    for sign in {"<=": (1,), ">=": (-1,)}.get(relation, (1, -1)):
        both = _Sum(_NOTHING).plus(left, Fraction(sign)).plus(right, Fraction(-sign))
        if any(sign < 0 for sign, _ in both.parts):
            raise _unread(text, "a convex set: max and abs on the smaller side, min on the larger one")
        yield _stated(both, outputs)


def _stated(both: _Sum, outputs: int) -> EntryInequality:
    """Return the inequality ``both <= 0`` with its constants on the right side.

    A constant that differs between the functions of a maximum is written as that multiple of a column, which sums to 1.
    """
    parts = [lines for _, lines in both.parts] or [(_NOTHING,)]
    parts[0] = tuple(line.plus(both.line) for line in parts[0])
    bound, stated = Fraction(0), []
    for lines in parts:
        first = lines[0].constant
        bound -= first
        column = {(i, 0): Fraction(1) for i in range(outputs)}
        whole = [line.plus(_Line(column, Fraction(0)), line.constant - first).terms for line in lines]
        stated.append(tuple(tuple(sorted((place, x) for place, x in terms.items() if x)) for terms in whole))
    return EntryInequality(tuple(stated), bound)


def _unread(text: str, wanted: str) -> InvalidParameterError:
    return InvalidParameterError(f"an inequality is not read: received {shown(text)}; allowed is {wanted}; {_EXAMPLE}")


_WRITTEN = "sums of numbers times entries p[i,j], max, min and abs"


class _Reader:
    """Reads one side of an inequality; nothing is evaluated."""

    def __init__(self, text: str, side: str) -> None:
        self.text, self.side = text, side

    def sum(self) -> _Sum:
        """Return the side as a sum."""
        try:
            tree = ast.parse(self.side, mode="eval").body
            return self._of(tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise _unread(self.text, _WRITTEN) from None

    def _of(self, node: ast.expr) -> _Sum:
        if isinstance(node, ast.BinOp):
            left, right = self._of(node.left), self._of(node.right)
            if isinstance(node.op, ast.Add | ast.Sub):
                return left.plus(right, Fraction(1 if isinstance(node.op, ast.Add) else -1))
            if isinstance(node.op, ast.Mult):
                number, factor = (left, right) if self._is_number(left) else (right, left)
                return _Sum(_NOTHING).plus(factor, self._number(number))
            if isinstance(node.op, ast.Div) and (divisor := self._number(right)):
                return _Sum(_NOTHING).plus(left, 1 / divisor)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            sign = Fraction(-1 if isinstance(node.op, ast.USub) else 1)
            return _Sum(_NOTHING).plus(self._of(node.operand), sign)
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            written = ast.get_source_segment(self.side, node) or ""
            return _Sum(_Line({}, _number(written)))
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in ("p", "P"):
            return _Sum(_Line({self._place(node.slice): Fraction(1)}, Fraction(0)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            return self._called(node.func.id, [self._of(each) for each in node.args])
        raise _unread(self.text, _WRITTEN)

    def _called(self, name: str, sums: list[_Sum]) -> _Sum:
        """Return the largest or smallest of some sums, or the absolute value of one."""
        if name == "abs" and len(sums) == 1:
            name, sums = "max", [sums[0], _Sum(_NOTHING).plus(sums[0], Fraction(-1))]
        if name not in ("max", "min") or not sums:
            raise _unread(self.text, _WRITTEN)
        sign = 1 if name == "max" else -1
        lines: list[_Line] = []
        for each in sums:
            if len(each.parts) > 1 or any(s != sign for s, _ in each.parts):
                raise _unread(self.text, f"linear functions inside of {name}")
            inner = each.parts[0][1] if each.parts else (_NOTHING,)
            line = _NOTHING.plus(each.line, Fraction(sign))
            lines += [one.plus(line) for one in inner]
        return _Sum(_NOTHING, ((sign, tuple(lines)),))

    def _place(self, node: ast.expr) -> Entry:
        found = [int(each.value) for each in getattr(node, "elts", []) if _is_whole(each)]
        if len(found) != 2 or len(getattr(node, "elts", [])) != 2:
            raise _unread(self.text, "entries p[i,j] with output i and input j, counted from 0")
        return found[0], found[1]

    def _is_number(self, each: _Sum) -> bool:
        return not each.parts and not any(each.line.terms.values())

    def _number(self, each: _Sum) -> Fraction:
        if not self._is_number(each):
            raise _unread(self.text, "a product with a number")
        return each.line.constant


def _is_whole(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int
