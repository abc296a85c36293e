"""Symbolic numbers of a run with one symbol per entry: quotients of polynomials, with extra symbols for maxima.

``entrywise`` runs both sides of a claim on these numbers. A number is a numerator and a denominator, polynomials in
the symbols of the entries. A maximum of several numbers is a new symbol that represents the largest of its parts. Two
maxima of the same parts share one symbol. A minimum is minus the maximum of the negatives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf
from typing import Any, NoReturn

import sympy as sp
from flint import Ordering, fmpq, fmpq_mpoly_ctx

from rropt.claims.symbolic_runs.shapes import MAXIMUM
from rropt.core.errors import RroptError

Pair = tuple[Any, Any]

_MOST_TERMS = 4_000  # terms of a numerator or a denominator
_MOST_PRODUCTS = 100_000  # product of the numbers of terms of two factors
_MOST_POWER = 200
_MOST_PRUNED = 8  # a maximum with more parts is not pruned
_MOST_COMPARED = 400  # the same product, for two parts that are compared when a maximum is pruned


class EntryRing:
    """The ring of polynomials in the symbols of the entries and of the maxima.

    Attributes:
        leaves: the number of symbols for entries; the symbols of the maxima follow them.
        generators, names: all symbols, and what certificates call them.
        one: the polynomial 1.
        parts: for each maximum met so far, the quotients of which it is the largest.
        points: values of the symbols at some points of the shape.
        cached: results that depend only on a polynomial and on the ranges of its symbols; ``entry_signs`` adds them.
    """

    def __init__(self, entries: Sequence[Any], maxima: int) -> None:
        self.names = [*entries, *(sp.Symbol(f"{MAXIMUM}{i}") for i in range(maxima))]
        count = max(1, len(self.names))
        self.context = fmpq_mpoly_ctx.get([f"x{i}" for i in range(count)], Ordering.degrevlex)
        self.generators, self.leaves, self.maxima = self.context.gens(), len(entries), maxima
        self.one = self.context.from_dict({(0,) * count: fmpq(1)})
        self.parts: list[list[Pair]] = []
        self.points: list[list[Any]] = []
        self._known: dict[Any, int] = {}
        self._factors: dict[str, Any] = {}
        self.cached: dict[Any, Any] = {}

    def constant(self, value: Any) -> Any:
        """Return a rational number as a polynomial."""
        value = Fraction(value)
        return self.one * fmpq(value.numerator, value.denominator)

    def factors(self, polynomial: Any) -> tuple[Any, list[tuple[Any, int]]]:
        """Return the constant and the irreducible factors with their powers; each polynomial is factored once.

        Branches and cases meet the same polynomials again and again, and its text takes FLINT a hundredth of the time.
        """
        key = str(polynomial)
        found = self._factors.get(key)
        if found is None:
            found = self._factors[key] = polynomial.factor()
        return found  # type: ignore[no-any-return]

    def values(self) -> list[list[Any]]:
        """Return the values of all symbols at the known points; a maximum is evaluated from its parts."""
        rest = len(self.generators)
        for point in list(self.points):
            for parts in self.parts[len(point) - self.leaves :]:
                here = [*point, *[fmpq(0)] * (rest - len(point))]
                below = [under(*here) for _, under in parts]
                if not all(below):
                    self.points.remove(point)
                    break
                point.append(max(above(*here) / under for (above, _), under in zip(parts, below, strict=True)))
        return [[*point, *[fmpq(0)] * (rest - len(point))] for point in self.points]

    def maximum(self, parts: Sequence[Pair]) -> Pair | None:
        """Return the symbol of the maximum of reduced quotients; None if no unused symbol is left.

        Equal sets of parts share one symbol.
        """
        key = frozenset((str(n), str(d)) for n, d in parts)
        found = self._known.get(key)
        if found is None:
            if len(self.parts) >= self.maxima:
                return None
            found = self._known[key] = len(self.parts)
            listed = {(str(n), str(d)): (n, d) for n, d in parts}
            self.parts.append(list(listed.values()))
        return self.generators[self.leaves + found], self.one

    def reduced(self, above: Any, below: Any) -> Pair:
        """Return a quotient in lowest terms whose denominator has leading coefficient 1."""
        if not below.is_constant():
            common = above.gcd(below)
            if not common.is_constant():
                above, below = above / common, below / common
        leading = below.leading_coefficient()
        return (above / leading, below / leading) if leading != 1 else (above, below)


class RunEndedError(RroptError, TypeError):
    """A run on symbols ended: a call needs an actual number, or the code is outside the white list."""


class EntryRun:
    """The state that all numbers of one run share: the branch with its facts, and why the run ended.

    Attributes:
        branch: the branch: it has the ``signs`` that are known, ``decide`` for comparisons with 0, and ``told``, which
            receives the symbol of each maximum.
        ring: the ring of polynomials.
        ended: the reason why the run ended; it is kept even if the claim catches the exception.
        divisors: the polynomials that divided a number.
    """

    def __init__(self, branch: Any) -> None:
        self.branch, self.ring = branch, branch.signs.ring
        self.ended = ""
        self.divisors: list[Any] = []

    def end(self, reason: str) -> NoReturn:
        """End the run with a reason; the first reason is kept.

        Raises:
            RunEndedError: always.
        """
        self.ended = self.ended or reason
        raise RunEndedError(self.ended)

    def spend(self, work: int) -> None:
        """Charge work to the budget."""
        self.branch.signs.budget.spend(work)

    def largest(self, *given: Any, **named: Any) -> Any:
        """Replace ``max``: return a symbol if an argument is symbolic."""
        return self._extreme(max, given, named, 1)

    def least(self, *given: Any, **named: Any) -> Any:
        """Replace ``min``: return minus the maximum of the negatives if an argument is symbolic."""
        return self._extreme(min, given, named, -1)

    def _extreme(self, plain: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any], sign: int) -> Any:
        items = list(given[0]) if len(given) == 1 else list(given)
        symbols = [item for item in items if type(item) is EntryNumber]
        if not symbols or "key" in named:
            return plain(items, **named) if items or named else plain(items)
        if named and (len(given) != 1 or named.keys() != {"default"}):
            self.end("an extreme with arguments that do not fit together")
        if any(type(item) is float and item == sign * inf for item in items):
            return sign * inf
        items = [item for item in items if not (type(item) is float and item == -sign * inf)]
        if any(type(item) not in (EntryNumber, int, Fraction) for item in items):
            self.end("an extreme of other values")
        whole = any(type(item) is int or (type(item) is EntryNumber and item.whole) for item in items)
        parts = []
        for item in items:
            number = item if type(item) is EntryNumber else symbols[0].lifted(item)
            parts.append(self.ring.reduced(number.above * sign, number.below))
        parts = self._kept(list({(str(n), str(d)): (n, d) for n, d in parts}.values()))
        if len(parts) == 1:
            above, below = parts[0]
            return EntryNumber(above * sign, below, self, whole=whole)
        found = self.ring.maximum(parts)
        if found is None:
            self.end("too many maxima")
        above, below = found
        self.branch.told(above)
        return EntryNumber(above * sign, below, self, whole=whole)

    def _kept(self, parts: list[Pair]) -> list[Pair]:
        """Drop the parts of a maximum that are known to be at most another part."""
        if len(parts) > _MOST_PRUNED:
            return parts
        kept: list[Pair] = []
        for above, below in parts:
            if any(self._at_least(other, (above, below)) for other in kept):
                continue
            kept = [other for other in kept if not self._at_least((above, below), other)]
            kept.append((above, below))
        return kept

    def _at_least(self, one: Pair, other: Pair) -> bool:
        (a, b), (c, d) = one, other
        if len(a) * len(d) + len(c) * len(b) > _MOST_COMPARED:
            return False
        below = ">" if b.is_constant() and d.is_constant() else self.branch.signs.sign(b * d)
        wanted = {">": (">", ">=", "="), "<": ("<", "<=", "=")}.get(below, ())
        return self.branch.signs.sign(a * d - c * b) in wanted


class EntryNumber:
    """A symbolic number of a run: a quotient of polynomials in the entries.

    Attributes:
        above, below: numerator and denominator.
        run: the state that all numbers of one run share.
        whole: whether the number may be an ``int`` when the claim runs on plain numbers. The quotient of two such
            numbers is then a float, which the run does not support.
    """

    __slots__ = ("above", "below", "run", "whole")

    def __init__(self, above: Any, below: Any, run: EntryRun, *, whole: bool = False) -> None:
        self.above, self.below, self.run, self.whole = above, below, run, whole

    def lifted(self, value: Any) -> EntryNumber:
        """Convert a plain number to a symbolic number of the run."""
        if type(value) is EntryNumber:
            return value
        if type(value) not in (Fraction, int):
            self.run.end("a number of another kind")
        return EntryNumber(self.run.ring.constant(value), self.run.ring.one, self.run, whole=type(value) is int)

    def _made(self, above: Any, below: Any, *, whole: bool = False) -> EntryNumber:
        if below.is_constant():
            leading = below.leading_coefficient()
            if leading != 1:
                above, below = above / leading, self.run.ring.one
        elif len(below) + len(above) > 2:
            above, below = self.run.ring.reduced(above, below)
        if len(above) > _MOST_TERMS or len(below) > _MOST_TERMS:
            self.run.end("an expression with too many terms")
        return EntryNumber(above, below, self.run, whole=whole)

    def _times(self, left: Any, right: Any) -> Any:
        self.run.spend(1 + len(left) * len(right) // 50)
        if len(left) * len(right) > _MOST_PRODUCTS:
            self.run.end("an expression with too many terms")
        return left * right

    def _sum(self, other: Any, sign: int) -> EntryNumber:
        right = self.lifted(other)
        whole = self.whole and right.whole
        if self.below == right.below:
            return self._made(self.above + right.above * sign, self.below, whole=whole)
        above = self._times(self.above, right.below) + self._times(right.above, self.below) * sign
        return self._made(above, self._times(self.below, right.below), whole=whole)

    def _over(self, other: EntryNumber) -> EntryNumber:
        if self.whole and other.whole:
            self.run.end("a quotient of integers, which is a float")
        if other.above.is_zero():
            raise ZeroDivisionError
        self.run.divisors.append(other.above)
        return self._made(self._times(self.above, other.below), self._times(self.below, other.above))

    def __add__(self, other: Any) -> Any:
        return self._sum(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._sum(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return self.lifted(other)._sum(self, -1)

    def __mul__(self, other: Any) -> Any:
        right = self.lifted(other)
        above, below = self._times(self.above, right.above), self._times(self.below, right.below)
        return self._made(above, below, whole=self.whole and right.whole)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._over(self.lifted(other))

    def __rtruediv__(self, other: Any) -> Any:
        return self.lifted(other)._over(self)

    def __pow__(self, power: Any) -> Any:
        if type(power) is Fraction and power.denominator == 1:
            power = power.numerator
        if type(power) is not int:
            self.run.end("a power that is no whole number")
        if abs(power) > _MOST_POWER:
            self.run.end("an expression with too many terms")
        if power < 0:
            return self.lifted(1)._over(self) ** -power
        found = self.lifted(1)
        for _ in range(power):
            found = found * self
        return EntryNumber(found.above, found.below, self.run, whole=self.whole)

    def __neg__(self) -> EntryNumber:
        return EntryNumber(-self.above, self.below, self.run, whole=self.whole)

    def __pos__(self) -> EntryNumber:
        return EntryNumber(self.above, self.below, self.run, whole=self.whole)

    def compared(self, other: Any, sign: str, turn: int) -> Any:
        """Return a polynomial that compares with 0 as the difference to another number does, times ``turn``."""
        difference = self._sum(other, -1)
        above, below = difference.above * turn, difference.below
        return above if sign == "=" or below.is_constant() else self._times(above, below)

    def _compared(self, other: Any, sign: str, turn: int) -> bool:
        """Return the truth value of ``self sign other``; with ``turn = -1`` the two sides are exchanged."""
        if type(other) is float and other in (inf, -inf):
            return sign != "=" and (other < 0) is (turn > 0)
        return bool(self.run.branch.decide(self.compared(other, sign, turn), sign))

    def __gt__(self, other: Any) -> bool:
        return self._compared(other, ">", 1)

    def __ge__(self, other: Any) -> bool:
        return self._compared(other, ">=", 1)

    def __lt__(self, other: Any) -> bool:
        return self._compared(other, ">", -1)

    def __le__(self, other: Any) -> bool:
        return self._compared(other, ">=", -1)

    def __eq__(self, other: object) -> bool:
        return self._compared(other, "=", 1)

    def __bool__(self) -> bool:
        return not self.run.branch.decide(self.above, "=")

    def __hash__(self) -> int:
        return self.run.end("a look-up")

    def __abs__(self) -> Any:
        return self.run.largest(self, -self)

    def __getattr__(self, name: str) -> Any:
        return self.run.end(f"the attribute {name} of a number")

    def _needed(self, *_: Any) -> Any:
        return self.run.end("a call that needs a number")

    __float__ = __int__ = __index__ = __round__ = __floor__ = __ceil__ = __trunc__ = __complex__ = _needed
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = __rpow__ = _needed
    __repr__ = __str__ = __format__ = __reduce_ex__ = __matmul__ = __rmatmul__ = __invert__ = _needed
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _needed
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _needed
