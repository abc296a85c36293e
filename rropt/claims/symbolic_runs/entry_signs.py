"""Signs of polynomials in the entries of a point, from ranges, conditions and the path of a branch.

Every symbol ranges over an interval that is bounded or extends to infinity, open or closed at either endpoint, or is
free. A polynomial whose Bernstein coefficients are nonnegative on that box is nonnegative there. Where this test does
not decide, the module tries a Handelman sum of few facts (``Prover``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import sympy as sp
from flint import fmpq

from rropt.claims.positivity.prover import Prover
from rropt.claims.rational_functions import written
from rropt.claims.relations import TURNED, Relation, both, contradicts, has_sign, implies, powered, times
from rropt.claims.symbolic_runs.entry_numbers import EntryRing
from rropt.core.errors import RroptError

_MOST_CORNERS = 512
_MOST_ENDS = 243
_MOST_FACTORED = 60  # terms of a polynomial that is factored
_MOST_DEGREE = 12  # total degree of a polynomial that is factored
_MOST_GOAL = 1200  # terms of a goal that is factored
_MOST_GOAL_DEGREE = 24
_MOST_CASES = 160
_DEEPEST = 8  # nesting depth of case distinctions
_MOST_SQUARES = 16  # symbols of a polynomial of degree 2 that is tried as a sum of squares
_MOST_HYPOTHESES = 24
_DEGREE = 2
_HIGH_DEGREE = 4  # of sums in few symbols and facts
_FEW_SYMBOLS, _FEW_FACTS = 2, 10
_MOST_SLACKED = 60  # terms of a goal in which slack variables replace symbols
_MOST_SLACKS = 8

Literal = tuple[Any, str]


@dataclass(frozen=True, slots=True)
class Range:
    """The interval of values of a symbol from ``start`` to ``end``; without a start it is not used.

    Attributes:
        start, end: the lower and the upper endpoint; None: unbounded.
        low, high: whether the lower and the upper endpoint belong to the interval.
    """

    start: Fraction | None = None
    end: Fraction | None = None
    low: bool = True
    high: bool = True


class TooMuchWorkError(RroptError, ArithmeticError):
    """A proof at shapes needs more work than the limit allows."""


@dataclass(slots=True)
class RemainingWork:
    """The remaining work for a claim.

    Attributes:
        proofs: the remaining number of attempts with Handelman sums.
        work: the remaining number of polynomial terms that may be processed.
    """

    proofs: int
    work: int = 400_000

    def spend(self, work: int) -> None:
        """Subtract an amount of work from the budget.

        Raises:
            TooMuchWorkError: the budget is exhausted.
        """
        self.work -= work
        if self.work < 0:
            raise TooMuchWorkError("too much work")


@dataclass(slots=True)
class Signs:
    """The facts about the entries on one branch.

    Attributes:
        ring: the ring of polynomials.
        ranges: the interval of each symbol, which the facts that are linear in it alone imply.
        known: the facts, each a polynomial and how it compares with 0.
    """

    ring: EntryRing
    ranges: list[Range]
    known: list[Literal] = field(default_factory=list)
    budget: RemainingWork = field(default_factory=lambda: RemainingWork(0))
    _listed: dict[str, str] = field(default_factory=dict)
    _values: list[Any] | None = None  # the value of each symbol, once an equation has determined one
    _gone: frozenset[int] = frozenset()  # the symbols that an equation has determined

    def copy(self) -> Signs:
        """Return a copy; facts added to it do not change the original."""
        listed = dict(self._listed)
        return Signs(self.ring, list(self.ranges), list(self.known), self.budget, listed, self._values, self._gone)

    def put(self, polynomial: Any) -> Any:
        """Replace the symbols whose values equations have determined, and return the polynomial."""
        if self._values is None or not any(d and i in self._gone for i, d in enumerate(polynomial.degrees())):
            return polynomial
        return polynomial.compose(*self._values, ctx=self.ring.context)

    def add(self, polynomial: Any, sign: str) -> None:
        """Add a fact; an equation that is linear in a symbol determines the value of the symbol."""
        if sign in ("<", "<="):  # the prover takes facts in the form f > 0 or f >= 0
            polynomial, sign = -polynomial, TURNED[sign]
        polynomial = self.put(polynomial)
        if polynomial.is_constant():
            if contradicts(self.sign(polynomial), sign):
                self._listed["constants"] = "false"
            return
        if sign == "=":
            solved = self._solved(polynomial)
            if solved is not None and solved[1] is not None:
                self._substitute(*solved)
                return
        for factor, power in self._factors(polynomial)[1] if sign in ("!=", ">") else ():
            if sign == "!=" or not power % 2:  # a square in a positive product is not 0
                self.add(factor, "!=")
        given = polynomial
        if sign in (">", ">="):
            polynomial = self._without_signed_factors(polynomial)
        if sign in (">", ">=", "!=") and polynomial.total_degree() == 1:
            self._tighten(polynomial, sign)
            if sign == "!=" and (ranged := self._boxed(polynomial)) in (">", "<"):  # an end that it makes open
                self.add(polynomial, ranged)
                return
        self.known.append((polynomial, sign))
        for each, said in ((f, s) for part in (given, polynomial) for f, s in ((part, sign), (-part, TURNED[sign]))):
            key = str(_scaled(each))
            self._listed[key] = both(self._listed.get(key, ""), said)

    def _factors(self, polynomial: Any) -> tuple[Any, list[tuple[Any, int]]]:
        """Return the constant and the factors with their powers of a small polynomial that is a product, else none."""
        constant, found = self.ring.factors(polynomial) if _is_small(polynomial) else (1, [])
        factors = [(factor, int(power)) for factor, power in found]
        return constant, factors if sum(power for _, power in factors) > 1 else []

    def _without_signed_factors(self, polynomial: Any) -> Any:
        """Return a polynomial with the same sign wherever the facts are true, without the factors of known sign.

        A factor to an odd power contributes its sign; a nonzero factor to an even power is dropped.
        """
        constant, factors = self._factors(polynomial)
        found = self.ring.constant(1 if constant > 0 else -1)
        for factor, power in factors:
            own = self._plain(factor)
            if own in (">", "<"):
                found = found if own == ">" or not power % 2 else -found
            elif own != "!=" or power % 2:
                found = found * factor**power
        return polynomial if found.is_constant() else found

    def _tighten(self, polynomial: Any, sign: str) -> None:
        """Narrow the range of the symbol of a linear polynomial that is positive, nonnegative or nonzero."""
        i, *others = _used(polynomial)
        if others:
            return
        slope, *constant = polynomial.coeffs()  # a linear polynomial in one symbol: its terms in descending degree
        zero = -sum(constant, fmpq(0)) / slope
        at, closed, one = Fraction(int(zero.p), int(zero.q)), sign == ">=", self.ranges[i]
        if sign == "!=":
            one = replace(one, low=one.low and at != one.start, high=one.high and at != one.end)
        elif slope > 0 and (one.start is None or at > one.start or (at == one.start and not closed)):
            one = replace(one, start=at, low=closed)
        elif slope < 0 and (one.end is None or at < one.end or (at == one.end and not closed)):
            one = replace(one, end=at, high=closed)
        start, end = one.start, one.end
        if start is not None and end is not None and (end < start or (end == start and not (one.low and one.high))):
            self._listed["constants"] = "false"
        ends = [None if x is None else x.as_integer_ratio() for x in (start, end)]
        # equal ranges of a symbol are one object, by which ``_boxed`` finds its results
        self.ranges[i] = self.ring.cached.setdefault((i, *ends, one.low, one.high), one)

    def _substitute(self, i: int, value: Any) -> None:
        """Replace a symbol by its value."""
        known, replaced = self.known, list(self.ring.generators)
        replaced[i] = value
        before = self._values or list(self.ring.generators)
        self._values = [
            each.compose(*replaced, ctx=self.ring.context) if each.degrees()[i] else each for each in before
        ]
        self._gone |= {i}
        self.known = []
        self._listed = {key: said for key, said in self._listed.items() if key == "constants" or said == "false"}
        for polynomial, sign in known:
            self.add(polynomial, sign)

    @property
    def impossible(self) -> bool:
        """Whether a fact is false by inspection."""
        if self._listed.get("constants") == "false" or "false" in self._listed.values():
            return True
        return any(contradicts(self._boxed(f), sign) for f, sign in self.known)

    @property
    def is_met(self) -> bool:
        """Whether one of the known points satisfies all facts, so the facts do not contradict each other."""
        for values in self.ring.values():
            if all(has_sign(f(*values), sign) for f, sign in self.known) and all(
                self._values is None or self._values[i](*values) == values[i] for i in self._gone
            ):
                return True
        return False

    def sign(self, polynomial: Any) -> str:
        """Return the sign that follows without a proof: ``>``, ``>=``, ``=``, ``!=``, ``<=``, ``<``, or empty."""
        polynomial = self.put(polynomial)
        if polynomial.is_constant():
            value = polynomial.leading_coefficient() if not polynomial.is_zero() else 0
            return "=" if value == 0 else ">" if value > 0 else "<"
        found = self._plain(polynomial)
        constant, factors = self._factors(polynomial) if found not in (">", "<", "=") else (1, [])
        sign = ">" if constant > 0 else "<"
        for factor, power in factors:
            own = self._plain(factor)
            if own == "=":
                return "="
            sign = times(sign, powered(own, power))
        return (sign or found) if factors else found

    def _plain(self, polynomial: Any) -> str:
        found = both(self._listed.get(str(_scaled(polynomial)), ""), self._boxed(polynomial))
        if found or polynomial.total_degree() != 2:
            return found
        key = str(polynomial)
        if key not in self.ring.cached:
            self.ring.cached[key] = quadratic_sign(polynomial)
        sign: str = self.ring.cached[key]
        return sign

    def _boxed(self, polynomial: Any) -> str:
        """Return the sign that follows from the ranges of the symbols; other branches ask for it again."""
        degrees = [int(d) for d in polynomial.degrees()]
        used = [i for i, d in enumerate(degrees) if d]
        ranges = [self.ranges[i] for i in used]
        if any(one.start is None for one in ranges):
            return ""
        key = str(polynomial), *map(id, ranges)
        if key not in self.ring.cached:
            before = self.budget.work
            sign = self._sign_on_box(polynomial, used, degrees)
            self.ring.cached[key] = sign, before - self.budget.work, ranges  # kept, so that no id is used again
        elif work := self.ring.cached[key][1]:
            self.budget.spend(work)  # as much as the first time, so a proof does not depend on what was tried before
        found: str = self.ring.cached[key][0]
        return found

    def _sign_on_box(self, polynomial: Any, used: Sequence[int], degrees: Sequence[int]) -> str:
        """Return the sign on the box of the ranges that coefficients imply, or an empty text.

        A symbol is ``(start + end t)/(1 + t)`` or, without an upper endpoint, ``start + t`` with a new symbol t >= 0.
        The coefficients are positive multiples of the Bernstein coefficients.
        """
        size = prod(degrees[i] + 1 for i in used)
        if size > _MOST_CORNERS:
            return ""
        self.budget.spend(len(polynomial) + size * max([degrees[i] for i in used], default=1))
        for i in used:
            x, (start, end) = self.ring.generators[i], (self.ranges[i].start, self.ranges[i].end)
            below = self.ring.one if end is None else x + self.ring.one
            above = self.ring.constant(start) + (x if end is None else x * self.ring.constant(end))
            polynomial = _put(polynomial, i, above, below, self.ring, is_positive=True)
        return _sign_of_coefficients(polynomial, self.ranges, degrees)

    def proves(self, goal: Any, sign: str, name: str, keep: list[Any] | None = None, depth: int = 0) -> bool:
        """Return whether a goal follows from the facts.

        The method splits maxima into cases, solves equations by substitution, and then searches for Handelman sums.
        """
        goal = self.put(goal)
        if sign == "=" and goal.is_zero():
            return True
        if implies(self.sign(goal), sign) or self.impossible:
            return True
        for polynomial, said in self.known:
            if said == "=" and (solved := self._solved(polynomial)) is not None:
                factors, value = solved
                if value is None:  # a product of several factors is 0
                    return all(
                        self._with_zero(polynomial, factor).proves(goal, sign, name, keep, depth + 1)
                        for factor in factors
                    )
                if depth < _DEEPEST:  # later facts exclude the other factors of this equation
                    zero = self.ring.generators[factors] - value
                    return self._with_zero(polynomial, zero).proves(goal, sign, name, keep, depth + 1)
        maxima = {i for f in (goal, *(f for f, _ in self.known)) for i in _used(f) if i >= self.ring.leaves}
        in_goal = maxima.intersection(_used(goal))
        cases = prod(len(self.ring.parts[i - self.ring.leaves]) for i in maxima)
        if maxima and depth < _DEEPEST and (in_goal or cases <= _MOST_CASES):
            i = max(in_goal or maxima)
            parts = self.ring.parts[i - self.ring.leaves]
            if len(parts) > _MOST_CASES:
                return False
            for above, below in parts:
                inner = self._replaced(i, (above, below))
                if inner is None:
                    return False
                for other, under in parts:
                    if (other, under) != (above, below):
                        inner.add((above * under - other * below) * below * under, ">=")
                wanted = _put(goal, i, self.put(above), self.put(below), self.ring)
                if not inner.proves(wanted, sign, name, keep, depth + 1):
                    return False
            return True
        return (
            self._by_slacks(goal, sign)
            or self._by_factors(goal, sign, name, keep)
            or self._summed(goal, sign, name, keep)
        )

    def _by_slacks(self, goal: Any, sign: str) -> bool:
        """Return whether a goal has no negative coefficient after slack variables have replaced symbols.

        A fact ``f >= 0`` in which a symbol x occurs only as ``c x`` with a constant c is an equation ``f = s`` with a
        slack variable s >= 0. It determines x, and s takes the place of x.
        """
        if sign not in (">", ">=") or len(goal) > _MOST_SLACKED:
            return False
        ranges, moved = [replace(one, end=None) for one in self.ranges], list(self.ring.generators)
        for i, one in enumerate(ranges):
            if one.start:
                moved[i] = moved[i] + self.ring.constant(one.start)
        goal = goal.compose(*moved, ctx=self.ring.context)
        facts = [
            (f.compose(*moved, ctx=self.ring.context), said)
            for f, said in self._strongest()
            if said in (">", ">=") and len(_used(f)) > 1 and len(f) <= _MOST_FACTORED
        ][:_MOST_HYPOTHESES]
        replaced = set[int]()
        while not implies(_sign_of_coefficients(goal, ranges, goal.degrees()), sign):
            options = []
            for number, (f, _) in enumerate(facts):
                for i, degree in enumerate(goal.degrees()):
                    slope = slope_of(f, i) if degree and i not in replaced else None
                    if slope is not None:
                        x, value = self.ring.generators[i], list(self.ring.generators)
                        value[i] = x + (x - f) / slope  # the symbol stands for s
                        new = goal.compose(*value, ctx=self.ring.context)
                        self.budget.spend(1 + len(new) // 10)
                        options.append((_negative(new), len(new), number, i, value, new))
            if not options or len(replaced) >= _MOST_SLACKS:
                return False
            count, _, number, i, value, new = min(options, key=lambda option: option[:4])
            if count > _negative(goal):
                return False
            _, said = facts.pop(number)
            facts = [(f.compose(*value, ctx=self.ring.context), kind) for f, kind in facts]
            if ranges[i].start is not None:  # x >= 0 in the new symbols
                facts.append((value[i], ">=" if ranges[i].low else ">"))
            goal, ranges[i] = new, Range(Fraction(0), low=said == ">=")
            replaced.add(i)
        return True

    def _by_factors(self, goal: Any, sign: str, name: str, keep: list[Any] | None) -> bool:
        """Return whether the signs of the factors of a goal prove it.

        The sign of each factor is known at once or proved by slack variables or a Handelman sum. The values at the
        known points of the branch determine which signs are tried.
        """
        if sign not in (">", ">=") or len(goal) > _MOST_GOAL or goal.total_degree() > _MOST_GOAL_DEGREE:
            return False
        constant, factors = self.ring.factors(goal)
        if len(factors) < 2:
            return False
        found = ">" if constant > 0 else "<"
        points = self.ring.values()
        here = [point for point in points if all(has_sign(f(*point), said) for f, said in self.known)]
        waiting = []
        for factor, power in factors:
            own = powered(self._plain(factor), int(power))
            if own in (">", "<", "=") or (own in (">=", "<=") and sign == ">="):
                found = times(found, own)
            else:
                waiting.append((factor, int(power)))
        if len(waiting) == len(factors):
            return False
        kept = [] if keep is None else keep
        count = len(kept)
        for factor, power in waiting:
            turns = _turns(factor, points) if points else []
            turn = next((turn for turn in turns or _turns(factor, here) if self._by_slacks(turn * factor, sign)), 0)
            turn = turn or next((turn for turn in turns if self._summed(turn * factor, sign, name, kept)), 0)
            if not turn:
                break
            found = times(found, sign if turn > 0 or not power % 2 else TURNED[sign])
        else:
            if implies(found, sign):
                return True
        del kept[count:]
        return False

    def _restated(self, facts: Iterable[Literal]) -> Signs:
        """Return these facts in place of the known ones; the ranges stay."""
        inner = Signs(self.ring, list(self.ranges), [], self.budget, {}, self._values, self._gone)
        for polynomial, sign in facts:
            inner.add(polynomial, sign)
        return inner

    def _with_zero(self, polynomial: Any, factor: Any) -> Signs:
        """Return the facts with a factor of an equation in its place."""
        return self._restated([*(each for each in self.known if each != (polynomial, "=")), (factor, "=")])

    def _solved(self, polynomial: Any) -> tuple[Any, Any] | None:
        """Solve the equation ``polynomial = 0``: return a symbol and its value, or the factors of which one is 0.

        In the second case the value is None. The result is None if the equation is not solved.
        """
        if not _is_small(polynomial):
            return None
        _, factors = self.ring.factors(polynomial)
        open_ = [factor for factor, _ in factors if self._plain(factor) not in (">", "<", "!=")]
        if len(open_) > 1:
            return (open_, None) if len(open_) <= 4 else None
        for factor in open_ or [f for f, _ in factors]:
            for i, x in enumerate(self.ring.generators):
                if (slope := slope_of(factor, i)) is not None:
                    return i, x - factor / slope
        return None

    def _replaced(self, i: int, value: tuple[Any, Any]) -> Signs | None:
        """Return the facts with a symbol replaced."""
        above, below = map(self.put, value)
        if below.is_zero():
            return None
        facts = [(_put(f, i, above, below, self.ring), sign) for f, sign in self.known]
        return self._restated(facts if below.is_constant() else [*facts, (below, "!=")])

    def _summed(self, goal: Any, sign: str, name: str, keep: list[Any] | None) -> bool:
        """Return whether a Handelman sum proves the goal or proves that the facts contradict each other."""
        if self.budget.proofs <= 0 or len(goal) > 200:
            return False
        self.budget.proofs -= 1
        prover = Prover(tuple(self.facts(goal)))
        shown = self.shown(goal)
        few = self._is_about_few(goal)
        for degree in () if sign == "=" else (_DEGREE, _HIGH_DEGREE) if few else (_DEGREE,):
            try:
                prover.prove(Relation(shown, sign, sp.Integer(0)), name, degree=degree)
            except (RroptError, ArithmeticError):
                continue
            if keep is not None:
                keep += prover.certificates
            return True
        if not self.known or self.is_met or any(_is_long(f) for f, _ in self.known):
            return False
        self.budget.proofs -= 1
        prover = Prover(tuple(self.facts()))
        try:
            prover.refute((), f"{name}: a branch that is never taken")
        except (RroptError, ArithmeticError):
            return False
        if keep is not None:
            keep += prover.certificates
        return True

    def _strongest(self) -> list[Literal]:
        """Return the facts without duplicates and without those that are weaker forms of other facts."""
        strict = {str(_scaled(f)) for f, sign in self.known if sign == ">"}
        listed = {(str(_scaled(f)), sign): (f, sign) for f, sign in self.known}
        return [fact for (text, sign), fact in listed.items() if not (sign in (">=", "!=") and text in strict)]

    def facts(self, goal: Any = None) -> list[Relation]:
        """Return the facts as relations: those about symbols of a goal first, and of these those about one last."""
        about = None if goal is None else set(_used(goal))

        def order(fact: Literal) -> tuple[bool, bool]:
            used = _used(fact[0])
            return about is not None and about.isdisjoint(used), len(used) < 2

        listed = sorted(self._strongest(), key=order)
        return [Relation(self.shown(f), sign, sp.Integer(0)) for f, sign in listed][:_MOST_HYPOTHESES]

    def _is_about_few(self, goal: Any) -> bool:
        """Return whether few facts about few symbols are connected with a goal by shared symbols."""
        listed = [set(_used(f)) for f, _ in self._strongest()]
        reached = set(_used(goal))
        while any(own & reached and not own <= reached for own in listed):
            reached = reached.union(*(own for own in listed if own & reached))
        return len(reached) <= _FEW_SYMBOLS and sum(bool(own & reached) for own in listed) <= _FEW_FACTS

    def shown(self, polynomial: Any) -> Any:
        """Write a polynomial as an expression in the names of the entries."""
        return written(polynomial, self.ring.names)


def _turns(polynomial: Any, points: Sequence[Any]) -> list[int]:
    """Return 1 if no value at the points is negative, and -1 if none is positive."""
    values = [polynomial(*point) for point in points]
    return [turn for turn in (1, -1) if all(turn * value >= 0 for value in values)]


def _negative(polynomial: Any) -> int:
    """Return the number of negative coefficients."""
    return sum(value < 0 for value in polynomial.coeffs())


def _sign_of_coefficients(polynomial: Any, ranges: Sequence[Range], degrees: Sequence[int]) -> str:
    """Return the sign that follows from the signs of the coefficients, since every symbol is nonnegative, or ``""``.

    Args:
        polynomial: a polynomial in symbols t.
        ranges: for each symbol, whether it may be 0, the lower endpoint, and infinite, the upper one.
        degrees: the largest power of each symbol, which decides where the symbol is infinite.
    """
    used, values = [i for i, d in enumerate(degrees) if d], polynomial.coeffs()
    if any(ranges[i].start is None for i in used) or len({value > 0 for value in values}) > 1:
        return ""
    if not values:
        return "="
    ends: list[list[int | None]] = [
        [end for end, is_in in ((0, one.low), (degrees[i], one.high and one.end is not None)) if is_in] or [None]
        for i, one in ((i, ranges[i]) for i in used)
    ]
    places = [[key[i] for i in used] for key in polynomial.monoms()]
    is_strict = prod(map(len, ends)) <= _MOST_ENDS and all(
        any(all(end in (None, place) for end, place in zip(chosen, key, strict=True)) for key in places)
        for chosen in product(*ends)
    )
    found = ">" if is_strict else ">="
    return found if values[0] > 0 else TURNED[found]


def quadratic_sign(polynomial: Any) -> str:
    """Return the sign that a polynomial of degree 2 has at all real points, by exact elimination; empty if unknown.

    The polynomial is ``v' M v`` with v = (1, x_1, ..., x_n) and a symmetric matrix M. If every pivot is nonnegative,
    the polynomial is a sum of squares with nonnegative weights.
    """
    if polynomial.total_degree() != 2:
        return ""
    used = _used(polynomial)
    if len(used) > _MOST_SQUARES:
        return ""
    size, place = len(used) + 1, {i: row for row, i in enumerate(used, start=1)}
    matrix = [[fmpq(0)] * size for _ in range(size)]
    for key, value in polynomial.terms():
        at = [place[i] for i in used for _ in range(int(key[i]))]
        row, column = (0, 0, *at)[-2:]
        matrix[row][column] += value / 2
        matrix[column][row] += value / 2
    for turn, weak, strict in ((1, ">=", ">"), (-1, "<=", "<")):
        if all(turn * matrix[i][i] >= 0 for i in range(size)):
            rank = _rank_of_squares([[turn * x for x in row] for row in matrix])
            if rank is not None:
                return strict if rank == size else weak
    return ""


def _rank_of_squares(matrix: list[list[Any]]) -> int | None:
    """Return the rank of a symmetric matrix if it is positive semidefinite, otherwise None."""
    rank = 0
    for i, row in enumerate(matrix):
        pivot = row[i]
        if pivot < 0 or (pivot == 0 and any(row[i + 1 :])):
            return None
        if pivot == 0:
            continue
        rank += 1
        for j in range(i + 1, len(matrix)):
            share = row[j] / pivot
            if share:
                for k in range(i + 1, len(matrix)):
                    matrix[j][k] -= share * row[k]
    return rank


def _put(polynomial: Any, i: int, above: Any, below: Any, ring: EntryRing, *, is_positive: bool = False) -> Any:
    """Replace a symbol by a quotient; return the polynomial after multiplying by a power of the denominator.

    The power is the degree, made even unless the denominator is positive.
    """
    degree = int(polynomial.degrees()[i])
    if not degree:
        return polynomial
    if below.is_constant():
        generators = list(ring.generators)
        generators[i] = above / below.leading_coefficient()
        return polynomial.compose(*generators, ctx=ring.context)
    degree += 0 if is_positive else degree % 2
    found = ring.constant(0)
    for key, value in polynomial.terms():
        power = int(key[i])
        rest = ring.context.from_dict({tuple(0 if j == i else e for j, e in enumerate(key)): value})
        found = found + rest * above**power * below ** (degree - power)
    return found


def _used(polynomial: Any) -> list[int]:
    """Return the indices of the symbols that occur."""
    return [i for i, d in enumerate(polynomial.degrees()) if d > 0]  # the polynomial 0 has the degrees -1


def slope_of(polynomial: Any, i: int) -> Any:
    """Return the constant c if the symbol x with index i occurs, and only as ``c x``; else None."""
    slope = polynomial.derivative(i) if polynomial.degrees()[i] == 1 else None
    return slope.leading_coefficient() if slope is not None and slope.is_constant() else None


def _is_small(polynomial: Any) -> bool:
    return len(polynomial) <= _MOST_FACTORED and polynomial.total_degree() <= _MOST_DEGREE


def _scaled(polynomial: Any) -> Any:
    leading = polynomial.leading_coefficient()
    return polynomial / (leading if leading > 0 else -leading)


def _is_long(polynomial: Any) -> bool:
    """Return whether a coefficient has more than 12 characters: an exact linear program of its powers takes minutes."""
    return any(len(str(c)) > 12 for c in polynomial.coeffs())
