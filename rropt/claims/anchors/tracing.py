"""Tracing: a claim's own Python run with symbols, so that the link to an expression is exact.

``theory`` and ``computed`` are run on numbers that remember how they were made. A comparison is answered only where
the facts prove one answer; at any other branch, and at a call that needs a real number, the trace ends and the link is
a sweep. The functions are copied with ``Fraction`` replaced by one that lets such numbers through, down to the helpers
of the claim's own package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from types import FunctionType
from typing import Any

import sympy as sp

from rropt.claims.relations import Relation
from rropt.errors import RroptError

Decide = Callable[[Relation], bool | None]


class TraceEndedError(RroptError, TypeError):
    """A branch that the facts do not decide, or a call that needs a real number."""


class Traced:
    """A number that remembers how it was made.

    Attributes:
        expression: SymPy expression.
        trace: shared by all numbers of one run.
    """

    __slots__ = ("expression", "trace")

    def __init__(self, expression: Any, trace: _Trace) -> None:
        self.expression, self.trace = expression, trace

    def _with(self, other: Any, operation: Callable[[Any, Any], Any]) -> Any:
        if isinstance(other, bool) or not isinstance(other, (Traced, Fraction, int)):
            return NotImplemented
        return Traced(operation(self.expression, _plain(other)), self.trace)

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
        self.trace.divisors.append(_plain(other))
        return self._with(other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Any:
        self.trace.divisors.append(self.expression)
        return self._with(other, lambda a, b: b / a)

    def __pow__(self, power: Any) -> Any:
        if isinstance(power, Fraction) and power.denominator == 1:
            power = power.numerator
        if not isinstance(power, int):
            raise TraceEndedError("a power that is no whole number")
        if power < 0:
            self.trace.divisors.append(self.expression)
        return Traced(self.expression**power, self.trace)

    def __neg__(self) -> Traced:
        return Traced(-self.expression, self.trace)

    def __pos__(self) -> Traced:
        return self

    def _compared(self, other: Any, sign: str, *, turned: bool = False) -> bool:
        left, right = self.expression, _plain(other)
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
        raise TraceEndedError("a look-up")

    def __abs__(self) -> Traced:
        return self if self >= 0 else -self

    def _needed(self, *_: Any) -> Any:
        raise TraceEndedError("a call that needs a number")

    __float__ = __int__ = __index__ = __round__ = __floor__ = __ceil__ = __mod__ = __floordiv__ = _needed


class _Trace:
    """What one run divides by, and how its comparisons are answered."""

    def __init__(self, decide: Decide) -> None:
        self.divisors: list[Any] = []
        self.decide = decide

    def decided(self, relation: Relation) -> bool:
        if not relation.difference.free_symbols:
            return relation.holds({})
        answer = self.decide(relation)
        if answer is None:
            raise TraceEndedError(f"a branch on {relation}")
        return answer


def traced(side: Callable[..., Any], names: Iterable[str], decide: Decide) -> tuple[Any, list[Any]]:
    """Return what a function of the point returns when run with symbols, and what it divides by.

    Args:
        side: the claim's function.
        names: the variables that are numbers.
        decide: answers a relation by proof, or None.

    Raises:
        TraceEndedError: it cannot be run so.
    """
    trace = _Trace(decide)
    point = {name: Traced(sp.Symbol(name), trace) for name in names}
    root = (getattr(side, "__module__", "") or "").partition(".")[0]
    try:
        return _rebound(side, root, {})(point), trace.divisors
    except TraceEndedError:
        raise
    except KeyError as error:
        raise TraceEndedError(f"the variable {error} is no number") from None
    except Exception as error:  # a foreign call rejects the number in its own words
        raise TraceEndedError(f"a foreign call ({type(error).__name__})") from None


def _plain(value: Any) -> Any:
    if isinstance(value, Traced):
        return value.expression
    if isinstance(value, (Fraction, int)) and not isinstance(value, bool):
        return sp.Rational(Fraction(value).numerator, Fraction(value).denominator)
    raise TraceEndedError("a number of another kind")


def _fraction(numerator: Any = 0, denominator: Any = None) -> Any:
    if isinstance(numerator, Traced) or isinstance(denominator, Traced):
        return numerator if denominator is None else numerator / denominator
    return Fraction(numerator, denominator)


def _rebound(function: Any, root: str, known: dict[Any, Any]) -> Any:
    """Return a copy of a function, and of the helpers of its package, that lets traced numbers through ``Fraction``."""
    function = getattr(function, "__wrapped__", function)
    if not isinstance(function, FunctionType) or (function.__module__ or "").partition(".")[0] != root:
        return function
    if function in known:
        return known[function]
    scope = dict(function.__globals__)
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    known[function] = copy
    for name in _names(function.__code__):
        value = scope.get(name)
        if value is Fraction:
            scope[name] = _fraction
        elif callable(value) and not isinstance(value, type):
            scope[name] = _rebound(value, root, known)
    return copy


def _names(code: Any) -> set[str]:
    return set(code.co_names).union(*(_names(c) for c in code.co_consts if hasattr(c, "co_names")))
