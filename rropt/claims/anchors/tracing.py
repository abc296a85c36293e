"""Tracing: run a claim's own Python with symbols, so the link to an expression is exact.

``theory`` and ``computed`` run on symbolic numbers that record the expression of their value. If the facts prove the
outcome of a comparison, the trace takes this outcome; otherwise the caller follows both outcomes. At a call that needs
an actual number the trace ends, and the link is a sweep. The functions of the claim's own package and of rropt are
copied. In the copies ``Fraction`` is replaced by a function that accepts symbolic numbers.

A traced function must behave on symbols as it does on numbers. Therefore ``white_list`` lists the objects and
operations that a traced function may use; everything else ends the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

import sympy as sp

from rropt.claims.anchors.white_list import WhiteList
from rropt.claims.relations import Relation
from rropt.core.errors import RroptError

Decide = Callable[[Relation], bool | None]


class TraceEndedError(RroptError, TypeError):
    """A trace ended: the facts do not decide a branch, or a call needs an actual number."""


class Traced:
    """A symbolic number that records the expression of its value.

    Attributes:
        expression: the SymPy expression.
        trace: the state that all numbers of one run share.
        whole: whether it is an ``int`` when the claim runs on plain numbers. The quotient of two such numbers is then
            a float, which ends the trace.
    """

    __slots__ = ("expression", "trace", "whole")

    def __init__(self, expression: Any, trace: Trace, *, whole: bool = False) -> None:
        self.expression, self.trace, self.whole = expression, trace, whole

    def _plain(self, value: Any) -> Any:
        if type(value) is Traced:
            return value.expression
        if type(value) in (Fraction, int):
            return sp.Rational(Fraction(value).numerator, Fraction(value).denominator)
        return self.trace.end("a number of another kind")

    def _with(self, other: Any, operation: Callable[[Any, Any], Any], *, divides: bool = False) -> Any:
        right = self._plain(other)
        whole = self.whole and (other.whole if type(other) is Traced else type(other) is int)
        if divides and whole:
            self.trace.end("a quotient of integers, which is a float")
        return Traced(operation(self.expression, right), self.trace, whole=whole)

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        self.trace.divisors.append(self._plain(other))
        return self._with(other, lambda a, b: a / b, divides=True)

    def __rtruediv__(self, other: Any) -> Any:
        self.trace.divisors.append(self.expression)
        return self._with(other, lambda a, b: b / a, divides=True)

    def __pow__(self, power: Any) -> Any:
        if type(power) is Fraction and power.denominator == 1:
            power = power.numerator
        if type(power) is not int:
            self.trace.end("a power that is no whole number")
        if power < 0:
            self.trace.divisors.append(self.expression)
            if self.whole:
                self.trace.end("a quotient of integers, which is a float")
        return Traced(self.expression**power, self.trace, whole=self.whole)

    def __neg__(self) -> Traced:
        return Traced(-self.expression, self.trace, whole=self.whole)

    def __pos__(self) -> Traced:
        return Traced(self.expression, self.trace, whole=self.whole)

    def _compared(self, other: Any, sign: str, *, turned: bool = False) -> bool:
        left, right = self.expression, self._plain(other)
        return self.trace.decided(Relation(right, sign, left) if turned else Relation(left, sign, right))

    def __gt__(self, other: Any) -> bool:
        return self._compared(other, ">")

    def __ge__(self, other: Any) -> bool:
        return self._compared(other, ">=")

    def __lt__(self, other: Any) -> bool:
        return self._compared(other, ">", turned=True)

    def __le__(self, other: Any) -> bool:
        return self._compared(other, ">=", turned=True)

    def __eq__(self, other: object) -> bool:
        return self._compared(other, "=")

    def __bool__(self) -> bool:
        return self._compared(0, "!=")

    def __hash__(self) -> int:
        return self.trace.end("a look-up")

    def __abs__(self) -> Traced:
        return +self if self >= 0 else -self

    def __getattr__(self, name: str) -> Any:
        return self.trace.end(f"the attribute {name} of a number")

    def _needed(self, *_: Any) -> Any:
        return self.trace.end("a call that needs a number")

    __float__ = __int__ = __index__ = __round__ = __floor__ = __ceil__ = __trunc__ = __complex__ = _needed
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = __rpow__ = _needed
    __repr__ = __str__ = __format__ = __reduce_ex__ = __matmul__ = __rmatmul__ = __invert__ = _needed
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _needed
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _needed


class _Point(Mapping[str, Any]):
    """A point whose numbers are symbols; it has all names, but reading a value that is not a number ends the trace."""

    def __init__(self, numbers: Mapping[str, Any], names: Collection[str], trace: Trace | _Ending) -> None:
        self._numbers, self._names, self._trace = numbers, names, trace

    def __getitem__(self, name: str) -> Any:
        if name in self._names and name not in self._numbers:
            self._trace.end(f"the variable {name!r} is no number")
        return self._numbers[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(self._names))

    def __len__(self) -> int:
        return len(self._names)

    def keys(self) -> Any:
        """Return a view of the names, of the type that the claim meets on numbers."""
        return dict.fromkeys(self._names).keys()

    def values(self) -> Any:
        """Return a view of the symbols."""
        return {name: self[name] for name in self._names}.values()

    def items(self) -> Any:
        """Return a view of names and symbols."""
        return {name: self[name] for name in self._names}.items()

    def _looked_at(self, *_: Any) -> Any:
        self._trace.end("a look at the point as a whole")

    __eq__ = __hash__ = __repr__ = __str__ = __format__ = __or__ = __ror__ = _looked_at


class Trace:
    """The state of one run: its divisors, the rule for its comparisons, and the reason why it ended.

    Attributes:
        divisors: the divisors, in order.
        decide: returns the truth value of a relation, or None if it is unknown.
        ended: the reason why the run is invalid; it is kept even if the claim catches the exception.
    """

    def __init__(self, decide: Decide) -> None:
        self.divisors: list[Any] = []
        self.decide = decide
        self.ended = ""

    def end(self, reason: str) -> NoReturn:
        """End the trace.

        Raises:
            TraceEndedError: always.
        """
        self.ended = self.ended or reason
        raise TraceEndedError(self.ended)

    def decided(self, relation: Relation) -> bool:
        """Return the truth value of a comparison, or end the trace if it is unknown."""
        if not relation.difference.free_symbols:
            return relation.holds({})
        try:
            answer = self.decide(relation)
        except TraceEndedError as reason:
            self.end(str(reason))
        if answer is None:
            self.end(f"a branch on {relation}")
        return answer


def traced(
    side: Callable[..., Any], names: Collection[str], numbers: Mapping[str, bool], decide: Decide
) -> tuple[Any, list[Any]]:
    """Run a function of the point with symbols; return its result and its divisors.

    Args:
        side: the claim's function.
        names: the names of all variables.
        numbers: the variables that are numbers, and for each whether it is an integer.
        decide: returns the truth value of a relation if it is proved, otherwise None.

    Raises:
        TraceEndedError: the function cannot be run on symbols.
    """
    trace = Trace(decide)
    point = _Point({n: Traced(sp.Symbol(n), trace, whole=whole) for n, whole in numbers.items()}, names, trace)
    return _run(side, point, trace)


def traced_at(
    side: Callable[..., Any], point: Mapping[str, Any], leaves: Mapping[tuple[Any, ...], Any], decide: Decide
) -> Any:
    """Return the result of a function at a point whose fractions are symbols; all other values are unchanged.

    Args:
        side: the claim's function.
        point: a point of the shape.
        leaves: the expression of each fraction, indexed by path.
        decide: returns the truth value of a relation.

    Raises:
        TraceEndedError: the function cannot be run on symbols.
    """
    trace = Trace(decide)
    symbols = {path: Traced(value, trace) for path, value in leaves.items()}
    return _run(side, _Point(_symbolic(point, symbols), list(point), trace), trace)[0]


def run_at(
    side: Callable[..., Any],
    point: Mapping[str, Any],
    symbols: Mapping[tuple[Any, ...], Any],
    kind: type,
    end: Callable[[str], NoReturn],
    instead: Mapping[Any, Any],
) -> Any:
    """Return the result of a function at a point whose fractions are replaced by symbolic numbers of a given type.

    Args:
        side: the claim's function.
        point: a point of the shape.
        symbols: the symbolic number for each fraction, indexed by path.
        kind: the type of these numbers.
        end: a function that ends the run with a reason.
        instead: a mapping from operations to the functions that replace them.

    Raises:
        TraceEndedError: the function cannot be run on these numbers.
        ZeroDivisionError: the function divides by 0.
    """
    copies = WhiteList(side, kind, end, instead)
    try:
        return copies.side(_Point(_symbolic(point, symbols), list(point), _Ending(end)))
    except (RroptError, ZeroDivisionError):
        raise
    except KeyError as error:
        raise TraceEndedError(f"the variable {error} is no number") from None
    except Exception as error:  # an operation rejected a symbol, or the claim's code failed
        raise TraceEndedError(f"an error ({type(error).__name__})") from None


@dataclass(frozen=True, slots=True)
class _Ending:
    """The part of a trace that a point needs: the function that ends the run."""

    end: Callable[[str], NoReturn]


def _symbolic(point: Mapping[str, Any], symbols: Mapping[tuple[Any, ...], Any]) -> dict[str, Any]:
    """Return a point with some of its fractions replaced by symbols."""

    def replaced(value: Any, path: tuple[Any, ...]) -> Any:
        if path in symbols:
            return symbols[path]
        if isinstance(value, Mapping):
            return {key: replaced(part, (*path, key)) for key, part in value.items()}
        if type(value) in (tuple, list):
            return type(value)(replaced(part, (*path, place)) for place, part in enumerate(value))
        return value

    return {name: replaced(value, (name,)) for name, value in point.items()}


def _run(side: Callable[..., Any], point: _Point, trace: Trace) -> tuple[Any, list[Any]]:
    """Run a side on symbols; everything outside the white list ends the trace.

    Raises:
        TraceEndedError: the side cannot be run on symbols.
    """
    copies = WhiteList(side, Traced, trace.end)
    try:
        returned = copies.side(point)
    except TraceEndedError:
        raise
    except KeyError as error:
        raise TraceEndedError(f"the variable {error} is no number") from None
    except Exception as error:  # an operation rejected a symbol, or the claim's code failed
        raise TraceEndedError(trace.ended or f"an error ({type(error).__name__})") from None
    if trace.ended:
        raise TraceEndedError(trace.ended)
    return returned, trace.divisors
