"""The judge of cards: points, refutation, definedness, and proofs of all rows by the prover.

Conditions with ``or``, ``min``, ``max`` and ``if`` are split into cases with relations between rational functions only.
The cases cover the scope by construction: each is a condition, or its opposite.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import islice, product
from math import prod

import sympy as sp

from rropt.claims.cards.scope_points import (
    linear_in,
    multiplied,
    polytope_points,
    quadric_points,
    zero_of,
)
from rropt.claims.language import (
    OPPOSITE,
    RELATIONS,
    StatementRow,
    Tree,
    conjuncts,
    evaluate,
    expression_of,
    names_of,
    nodes,
    replaced,
)
from rropt.claims.positivity import NoProofError
from rropt.claims.positivity.equations import ratio
from rropt.claims.positivity.prover import Prover
from rropt.claims.rational_functions import Coefficients, coefficients, factors, quotient, value_of
from rropt.claims.relations import Relation, relation_of, values_of
from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError
from rropt.core.linear.programs import Relation as Bound

Values = dict[str, Fraction]

_MOST_POINTS, _DRAWN, _MOST_CASES, _MOST_LISTED = 180, 1200, 400, 12
_LETTERS, _LONGEST_LIST = 60, 5  # drawn elements of lists, which have 0 to 4 of them
_MOST_FIXED, _MOST_TRIED = 6, 60  # values of integer and multiplied variables: with a polytope, and tried
_MOST_ROOTS = 40  # points at which a zero of a divisor is sought
_CLOSED: dict[str, Bound] = {"<": "<=", "<=": "<=", ">": ">=", ">=": ">=", "=": "="}
_NOT_BOUNDED = tuple(map(Fraction, ("-3", "-1", "-1/2", "0", "1/3", "1", "2")))
_ABOVE = tuple(map(Fraction, ("0", "1/1000", "1/2", "1", "3", "10", "1000")))


@dataclass(frozen=True, slots=True)
class Growth:
    """A state that grows along a list of elements, for statements about lists of every length.

    Attributes:
        over: the conditions on an element, in its letters and the variables of the statement.
        start: the state of the empty list, in the variables of the statement.
        step: the state after one more element, in state, letters and variables.
        keeps: what is true of every state; it is proved by induction on the length of the list.
    """

    over: tuple[Tree, ...]
    start: Mapping[str, Tree]
    step: Mapping[str, Tree]
    keeps: tuple[StatementRow, ...]

    def lists(self, values: Values, count: int, rng: random.Random) -> Iterator[Values]:
        """Iterate over states after some random lists of elements, each with the letters of one more element."""
        outer: dict[str, Tree] = {name: ("number", x) for name, x in values.items()}
        over = Statement(tuple(replaced(each, outer) for each in self.over), {}, ())
        letters = over.points(drawn=_LETTERS)
        for turn in range(count if letters else 0):
            few, length = rng.choices(letters, k=rng.randint(1, 3)), turn % _LONGEST_LIST
            try:
                here = values | {name: evaluate(tree, values) for name, tree in self.start.items()}
                for letter in rng.choices(few, k=length):
                    here |= {name: evaluate(tree, here | letter) for name, tree in self.step.items()}
            except ZeroDivisionError:
                raise InvalidParameterError(f"`start` or `step` of `grow` divides by 0 at {_at(values)}") from None
            yield here | rng.choice(letters)


@dataclass(frozen=True)  # without slots, since names and ends are computed once
class Statement:
    """What is judged: rows that are true wherever the conditions of the scope are.

    Attributes:
        scope: the conditions.
        integers: the least and the largest value of each integer variable; None: no largest.
        rows: the rows.
        split: conditions that divide the scope into cases for the proof.
        steps: rows that are proved first and then used.
        also: further points.
        grow: a state that grows along a list; None without one.
    """

    scope: tuple[Tree, ...]
    integers: Mapping[str, tuple[int, int | None]]
    rows: tuple[StatementRow, ...]
    split: tuple[Tree, ...] = ()
    steps: tuple[StatementRow, ...] = ()
    also: tuple[Values, ...] = ()
    grow: Growth | None = None

    @cached_property
    def names(self) -> list[str]:
        """The variables."""
        trees = [*self.scope, *(part for row in (*self.rows, *self.steps) for part in (row.relation, row.condition))]
        trees += [*self.grow.start.values(), *(each.relation for each in self.grow.keeps)] if self.grow else []
        state = self.grow.start if self.grow else ()
        return sorted({*self.integers, *state, *(name for tree in trees for name in names_of(tree))})

    @property
    def outer(self) -> Statement:
        """The part of the scope that does not mention the state: what is true before the list is read."""
        state = set(self.grow.start) if self.grow else set()
        return Statement(tuple(each for each in self.scope if not names_of(each) & state), self.integers, ())

    def contains(self, values: Values) -> bool:
        """Return whether a point is in the scope."""
        for name, (low, high) in self.integers.items():
            if values[name].denominator > 1 or values[name] < low or (high is not None and values[name] > high):
                return False
        try:
            return all(evaluate(condition, values) for condition in self.scope)
        except ZeroDivisionError:
            return False

    def points(self, *, drawn: int = _DRAWN) -> list[Values]:
        """Return exact points of the scope: ends, middle and random values, numbers of the text, and ``also``.

        The values of a state are those after random lists; the point then has the letters of one more element too.
        """
        rng = random.Random(1)
        if self.grow:
            grow, names = self.grow, {*self.names, *(name for each in self.grow.over for name in names_of(each))}
            outer = self.outer.points()
            count = _LONGEST_LIST * (1 + _MOST_POINTS // max(1, len(outer)))
            found = [point for each in outer for point in grow.lists(each, count, rng) if self.contains(point)]
            found = [point for point in found if names <= point.keys()]
            return rng.sample(found, min(len(found), _MOST_POINTS))
        return self._points(drawn, rng)

    def _points(self, most: int, rng: random.Random) -> list[Values]:
        names, listed = self.names, {name: self._candidates(name) for name in self.names}
        if prod(map(len, listed.values())) <= most:
            drawn: Iterator[tuple[Fraction, ...]] = product(*(listed[name] for name in names))
        else:
            drawn = (tuple(rng.choice(listed[name]) for name in names) for _ in range(most))
        mixed = (tuple(self._any(name, listed[name], rng) for name in names) for _ in range(most))
        found = {tuple(point[name] for name in names): point for point in self.also}
        for some in (drawn, mixed):
            pool = [values for values in dict.fromkeys(some) if self.contains(dict(zip(names, values, strict=True)))]
            rng.shuffle(pool)
            found |= {values: dict(zip(names, values, strict=True)) for values in pool[: _MOST_POINTS // 2]}
        kept = {tuple(point.values()): point for point in found.values() if self.contains(point)}
        equations = [tree for tree in conjuncts(self.scope) if tree[0] == "="]
        if not equations or len(kept) >= _MOST_POINTS // 2:
            return [*kept.values()]
        free = [{name: self._any(name, listed[name], rng) for name in names} for _ in range(most)]
        free = [*self._polytope_points(free, rng), *free]
        solved = _solved(equations)  # values of some variables follow from those of the others
        for point in (*free, *(_followed(each, solved) for each in free)):
            if len(kept) < _MOST_POINTS and tuple(point.values()) not in kept and self.contains(point):
                kept[tuple(point.values())] = point
        return [*kept.values(), *self._quadric_points([*kept], _MOST_POINTS - len(kept), rng)]

    def _quadric_points(self, known: Sequence[tuple[Fraction, ...]], most: int, rng: random.Random) -> list[Values]:
        """Return further points of a scope with one quadratic equation, next to linear ones."""
        symbols = [sp.Symbol(name) for name in self.names]
        parts = list(_differences([tree for tree in conjuncts(self.scope) if tree[0] == "="], symbols))
        if not all(is_whole for _, _, is_whole in parts):
            return []
        found = {
            tuple(values): dict(zip(self.names, values, strict=True))
            for values in quadric_points([said for _, said, _ in parts], known, max(0, most), rng)
        }
        return [point for values, point in found.items() if values not in known and self.contains(point)]

    def _polytope_points(self, drawn: Sequence[Values], rng: random.Random) -> list[Values]:
        """Return points at which all conditions are true that are linear for drawn values of some variables.

        These are the integer variables, and those that are multiplied with others.
        """
        names, found = self.names, list[Values]()
        symbols = [sp.Symbol(name) for name in names]
        rows = [
            (_CLOSED[sign], said)
            for sign, said, is_whole in _differences(conjuncts(self.scope), symbols)
            if is_whole and sign in _CLOSED
        ]
        sides = [said for _, said, _ in _differences([row.relation for row in self.rows], symbols)]
        whole = {place for place, name in enumerate(names) if name in self.integers}
        fixed = multiplied([said for _, said in rows], whole)
        free = [place for place in range(len(names)) if place not in fixed]
        chosen = [*{tuple(point[names[place]] for place in fixed): None for point in drawn}][:_MOST_TRIED]
        feasible = 0
        for values in chosen:
            known = dict(zip(fixed, values, strict=True))
            linear = [(sign, linear_in(said, free, known)) for sign, said in rows]
            goals = [linear_in(said, free, known) for said in sides if multiplied([said], fixed) == fixed]
            goals += [{key: -value for key, value in said.items()} for said in goals]
            before = len(found)
            for point in polytope_points(linear, goals, len(free), _MOST_POINTS // min(len(chosen), _MOST_FIXED), rng):
                at = known | dict(zip(free, point, strict=True))
                found.append({name: at[place] for place, name in enumerate(names)})
            feasible += len(found) > before
            if feasible == _MOST_FIXED:
                break
        return found

    def _candidates(self, name: str) -> list[Fraction]:
        """Return values of a variable: ends, middle, numbers of the text, and roots of what it compares."""
        trees = [*self.scope, *(row.formula for row in self.rows)]
        low, high = self._ends[name]
        roots = [x for x in _roots(trees, name) if (low is None or x >= low) and (high is None or x <= high)]
        return [*self._listed(name, low, high), *(x for x in roots if name not in self.integers or x.denominator == 1)]

    def _listed(self, name: str, low: Fraction | None, high: Fraction | None) -> list[Fraction]:
        if name in self.integers:
            first = int(low if low is not None else 0)
            last = first + 1000 if high is None else int(high)
            few = range(first, min(last, first + _MOST_LISTED) + 1)
            return [Fraction(value) for value in sorted({*few, last, (first + last) // 2})]
        if low is None or high is None:
            end = low if low is not None else high
            return list(_NOT_BOUNDED) if end is None else [end + x if low is not None else end - x for x in _ABOVE]
        width = high - low
        numbers = {
            node[1]
            for tree in (*self.scope, *(row.formula for row in self.rows))
            for node in nodes(tree)
            if node[0] == "number"
        }
        inside = [x for x in sorted({*numbers, Fraction(1, 2), Fraction(1, 3)}) if low < x < high][:6]
        return [low, high, *inside, low + width / 1000, high - width / 1000, (low + high) / 2]

    def _any(self, name: str, listed: Sequence[Fraction], rng: random.Random) -> Fraction:
        low, high = self._ends[name]
        if rng.random() < 0.3:
            return rng.choice(listed)
        if name in self.integers:
            return Fraction(rng.randint(int(low or 0), int(high if high is not None else (low or 0) + 300)))
        if low is None or high is None:
            step = Fraction(rng.randint(1, 400), rng.randint(1, 100))
            return (low + step) if low is not None else (high - step) if high is not None else step - 2
        return low + (high - low) * Fraction(rng.randint(1, 9999), 10_000)

    @cached_property
    def _ends(self) -> dict[str, tuple[Fraction | None, Fraction | None]]:
        """The least and the largest value of each variable that single conditions state."""
        return {name: self._ends_of(name) for name in self.names}

    def _ends_of(self, name: str) -> tuple[Fraction | None, Fraction | None]:
        low, high = (None if end is None else Fraction(end) for end in self.integers.get(name, (None, None)))
        for tree in conjuncts(self.scope):
            sign, left, right = tree if tree[0] in RELATIONS else ("", ("number", 0), ("number", 0))
            if right == ("name", name) and not names_of(left) and sign in ("<", "<=", ">", ">="):
                sign, left, right = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[sign], right, left
            if left == ("name", name) and not names_of(right):
                end = evaluate(right, {})
                low = end if sign in (">", ">=") and (low is None or end > low) else low
                high = end if sign in ("<", "<=") and (high is None or end < high) else high
        return low, high


def _differences(trees: Iterable[Tree], symbols: Sequence[sp.Symbol]) -> Iterator[tuple[str, Coefficients, bool]]:
    """Iterate over relations: the sign, the numerator of the difference of the sides, and whether it has no divisor."""
    for tree in trees:
        if tree[0] in RELATIONS and not any(_inner(tree)) and _is_finite(("-", *tree[1:])):
            above, below = quotient(expression_of(("-", *tree[1:])))
            yield tree[0], coefficients(-above if below.is_number and below < 0 else above, symbols), below.is_number


def _solved(equations: Sequence[Tree]) -> dict[str, sp.Expr]:
    """Return variables that several equations determine, as functions of the others; empty for a single equation."""
    found: dict[str, sp.Expr] = {}
    if len(equations) < 2:
        return found
    for _, left, right in equations:
        if any(list(_inner(side)) for side in (left, right)):
            continue
        known = {sp.Symbol(name): value for name, value in found.items()}
        numerator, _ = quotient(sp.together(expression_of(("-", left, right)).subs(known)))
        for symbol in sorted(numerator.free_symbols, key=str):
            slope = sp.diff(numerator, symbol)
            if slope.is_number and slope != 0:  # linear, so that the value is there for all values of the others
                value = sp.expand(-numerator.subs(symbol, 0) / slope)
                found = {name: sp.expand(other.subs(symbol, value)) for name, other in found.items()}
                found[str(symbol)] = value
                break
    return found


def _followed(values: Values, solved: Mapping[str, sp.Expr]) -> Values:
    """Return a point in which the variables that are solved for have the values that follow from the others."""
    return values | {name: Fraction(values_of(expression)(values)) for name, expression in solved.items()}


def require_no_hole(statement: Statement, points: Sequence[Values]) -> None:
    """Raise ``InvalidParameterError`` if a divisor of a row is 0 at a point of the scope.

    Each factor of the divisor is looked at by itself, since a square does not change its sign. Where a factor is linear
    in a variable, its zero is computed from the other values of a point. Where it changes its sign, it is 0 in between:
    then the conditions under which it is evaluated must have a convex set for equal values of the integer variables.
    The zero may be irrational, so that no point of a sweep is it.
    """
    names = statement.names
    symbols = [sp.Symbol(name) for name in names]
    for row in statement.rows if not statement.grow else ():
        premise = (row.condition,) if row.link == "if" else ()
        for path, divisor in _divisors(row.relation, premise):
            if not names_of(divisor):
                continue
            here = [point for point in points if all(_is_true(each, point) for each in path)]
            convex = all(_is_convex(each, statement.integers) for each in (*statement.scope, *path))
            jumps = any(node[0] == "if" for node in nodes(divisor))
            for factor in _factors(divisor, symbols):
                if factor is not None and path == premise:
                    _require_no_zero(statement, row, factor, here)
                signs: dict[tuple[Fraction, ...], dict[bool, Values]] = {}
                for point in here if convex and not jumps else ():
                    whole = tuple(point[name] for name in statement.integers)
                    at = evaluate(divisor, point) if factor is None else value_of(factor, [point[x] for x in names])
                    signs.setdefault(whole, {})[at > 0] = point
                both = next((each for each in signs.values() if len(each) == 2), None)
                if both is not None:
                    raise InvalidParameterError(
                        f"{row.text} is undefined between {_at(both[False])} and {_at(both[True])}, where a divisor "
                        "is 0: exclude it in `for`"
                    )


def _factors(divisor: Tree, symbols: Sequence[sp.Symbol]) -> list[Coefficients | None]:
    """Return the coefficients of the irreducible factors of a divisor; None for a divisor with min, max or if."""
    if any(_inner(divisor)) or not _is_finite(divisor):
        return [None]
    numerator, _ = quotient(expression_of(divisor))
    return [coefficients(factor, symbols) for factor, _ in factors(numerator)[1]] if numerator != 0 else [None]


def _require_no_zero(statement: Statement, row: StatementRow, factor: Coefficients, points: Sequence[Values]) -> None:
    """Raise ``InvalidParameterError`` at a point of the scope at which a factor of a divisor is 0."""
    names = statement.names
    for point in points[:_MOST_ROOTS]:
        for place, name in enumerate(names):
            root = zero_of(factor, place, [point[other] for other in names])
            at = None if root is None else {**point, name: root}
            if at is None or not statement.contains(at):
                continue
            if row.link != "if" or _is_true(row.condition, at):
                require_defined(row, at)


def _is_convex(condition: Tree, integers: Mapping[str, object]) -> bool:
    """Return whether a condition is known to have a convex set in the variables that are not integers.

    It has one if it is linear, if it is ``f <= 0`` with a convex quadratic f, and if it is ``x^2 >= 0``: always true.
    """
    for tree in conjuncts([_positive(condition)]):
        if tree[0] not in ("<", "<=", ">", ">=", "=") or any(list(_inner(side)) for side in tree[1:]):
            return False
        numerator, denominator = quotient(expression_of(("-", *tree[1:])))
        if any(str(symbol) not in integers for symbol in denominator.free_symbols):
            return False
        real = [symbol for symbol in numerator.free_symbols if str(symbol) not in integers]
        degree = sp.Poly(numerator, *real).total_degree() if real else 0
        if degree > 2 or (degree == 2 and not _is_convex_quadratic(tree[0], numerator / denominator, real)):
            return False
    return True


def _is_convex_quadratic(sign: str, expression: sp.Expr, real: Sequence[sp.Symbol]) -> bool:
    """Return whether the set of ``expression sign 0`` is known to be convex."""
    hessian = sp.hessian(expression, real)
    if hessian.free_symbols or sign == "=":
        return False
    is_always = sign == ">=" and len(real) == 1 and expression == real[0] ** 2
    return is_always or bool((hessian if sign in ("<", "<=") else -hessian).is_positive_semidefinite)


def _roots(trees: Sequence[Tree], name: str) -> list[Fraction]:
    """Return rational roots of the differences and of the divisors in trees that have no other variable."""
    found: dict[Fraction, None] = {}
    for node in dict.fromkeys(node for tree in trees for node in nodes(tree)):
        parts = [node[2]] if node[0] == "/" else [("-", *node[1:])] if node[0] in RELATIONS else []
        for part in parts if names_of(node) == {name} and not any(_inner(node)) else ():
            if _is_finite(part):  # else a divisor is the number 0
                found |= dict.fromkeys(_roots_of(expression_of(part)))
    return list(found)[:_MOST_LISTED]


@lru_cache(maxsize=4096)
def _roots_of(expression: sp.Expr) -> tuple[Fraction, ...]:
    """Return the rational roots of a rational function of one variable, those of its factors of degree 1."""
    numerator, _ = quotient(expression)
    linear = [f for f, _ in factors(numerator)[1] if sp.degree(f) == 1] if numerator != 0 else []
    return tuple(Fraction(str(sp.solve(factor)[0])) for factor in linear)


@dataclass(slots=True)
class StatementProof:
    """Proofs of the rows of a statement.

    Attributes:
        certificates: the accepted certificates, each with the name of its step.
        unproved: the rows that were not proved, with the reason.
        cases: the number of cases.
        work: the number of products that were tried, in a list that all cases share.
    """

    certificates: list[tuple[str, Certificate]] = field(default_factory=list)
    unproved: list[str] = field(default_factory=list)
    cases: int = 0
    work: list[int] = field(default_factory=lambda: [0])


def prove(statement: Statement, points: Sequence[Values]) -> StatementProof:
    """Prove the rows of a statement; integer variables of at most 12 values are replaced by each of them."""
    found = StatementProof()
    few = {n: range(a, b + 1) for n, (a, b) in statement.integers.items() if b is not None and b - a < _MOST_LISTED}
    for values in product(*few.values()):
        put: dict[str, Tree] = {name: ("number", Fraction(value)) for name, value in zip(few, values, strict=True)}
        at = ", ".join(f"{name} = {value}" for name, value in zip(few, values, strict=True))
        here = [p for p in points if all(p[name] == tree[1] for name, tree in put.items())]
        try:
            _Prover(found, here).statement(statement, put, f"{at}: " if at else "")
        except NoProofError as error:
            found.unproved.append(f"{at}: {error}" if at else str(error))
    return found


class _Prover:
    """Proofs of one statement without integer variables of few values."""

    def __init__(self, found: StatementProof, points: Sequence[Values]) -> None:
        self.found, self.points = found, points
        self.masks: dict[Tree, int] = {}
        self.base = Prover((), tuple(points))
        self.base.certificates, self.base.work = found.certificates, found.work

    def mask(self, facts: Sequence[Tree]) -> int:
        """Return the points at which all facts are true: bit i is that of point i. Each fact is evaluated once."""
        mask = (1 << len(self.points)) - 1
        for fact in facts:
            if fact not in self.masks:
                self.masks[fact] = sum(1 << i for i, point in enumerate(self.points) if _is_true(fact, point))
            mask &= self.masks[fact]
        return mask

    def statement(self, statement: Statement, put: Mapping[str, Tree], at: str) -> None:
        facts: list[Tree] = []
        for name, (low, high) in statement.integers.items():
            if name not in put:
                facts.append((">=", ("name", name), ("number", Fraction(low))))
                facts += [("<=", ("name", name), ("number", Fraction(high)))] if high is not None else []
        outer = statement.outer.scope
        facts = self.scope([replaced(each, put) for each in outer], facts, f"{at}scope")
        if statement.grow:
            self.induction(statement.grow, put, facts, at)
            facts += [replaced(each.relation, put) for each in statement.grow.keeps]
        facts = self.scope([replaced(x, put) for x in statement.scope if x not in outer], facts, f"{at}scope")
        branches: list[list[Tree]] = []
        seen: list[Tree] = []
        for condition in (replaced(each, put) for each in statement.split):
            branches.append([*seen, condition])
            facts += self.defined(condition, facts, f"{at}split")
            seen.append(("not", condition))
        branches.append(seen)
        for i, branch in enumerate(branches):
            here, name = [*facts, *branch], f"{at}case {i + 1}: " if len(branches) > 1 else at
            for row in statement.steps:
                here = self.row(row, put, here, f"{name}step {row.text}", is_step=True)
            for row in statement.rows:
                here = self.row(row, put, here, f"{name}{row.text}", is_step=False)

    def scope(self, conditions: Sequence[Tree], facts: Sequence[Tree], name: str) -> list[Tree]:
        """Return the facts with further conditions, whose divisors are proved not to be 0."""
        found = list(facts)
        for tree in conditions:
            found += self.defined(tree, found, name)
            found.append(tree)
        return found

    def induction(self, grow: Growth, put: Mapping[str, Tree], facts: Sequence[Tree], at: str) -> None:
        """Prove that ``keeps`` is true of the empty list, and of a list with one more element if it is of the list."""
        start = {name: replaced(tree, put) for name, tree in grow.start.items()}
        step = {name: replaced(tree, put) for name, tree in grow.step.items()}
        keeps = [replaced(each.relation, put) for each in grow.keeps]
        empty = list(facts)
        for tree in start.values():
            empty += self.defined(tree, empty, f"{at}start")
        longer = self.scope([*keeps, *(replaced(each, put) for each in grow.over)], facts, f"{at}grow")
        for tree in step.values():
            longer += self.defined(tree, longer, f"{at}step of the list")
        for begins, values, known in (("of the empty list", start, empty), ("of a longer list", step, longer)):
            for tree, row in zip(keeps, grow.keeps, strict=True):
                goal, name = replaced(tree, values), f"{at}{row.text} {begins}"
                self.goal(goal, [*known, *self.defined(goal, known, name)], name)

    def row(
        self, row: StatementRow, put: Mapping[str, Tree], facts: list[Tree], name: str, *, is_step: bool
    ) -> list[Tree]:
        """Prove a row; return the facts with what it adds."""
        relation, condition = replaced(row.relation, put), replaced(row.condition, put)
        facts = [*facts, *self.defined(condition, facts, name)]
        under = [*facts, condition] if row.link == "if" else facts
        new = self.defined(relation, under, name)
        facts = facts if row.link == "if" else [*facts, *new]
        formula = StatementRow(row.text, relation, row.link, condition).formula
        self.goal(formula, [*facts, *new], name)
        return [*facts, relation] if is_step and not row.link else facts

    def defined(self, tree: Tree, facts: Sequence[Tree], name: str) -> list[Tree]:
        """Prove that no divisor in a tree is 0; return the signs of the divisors that are proved."""
        new: list[Tree] = []
        for path, divisor in dict.fromkeys(_divisors(tree, ())):
            goal: Tree = ("!=", divisor, ("number", Fraction(0)))
            if not names_of(divisor):
                if evaluate(divisor, {}) == 0:
                    raise NoProofError(f"{name}: a divisor is 0")
                continue
            self.goal(goal, [*facts, *new, *path], f"{name}: a divisor is not 0")
            for sign in (">", "<") if not path and not any(_inner(divisor)) else ():
                signed: Tree = (sign, divisor, ("number", Fraction(0)))
                if not self.mask(facts) & ~self.mask([signed]):
                    try:
                        with self.base.attempt():
                            self.goal(signed, [*facts, *new], f"{name}: the sign of a divisor")
                    except NoProofError:
                        continue
                    new.append(signed)
                    break
        return new

    def goal(self, goal: Tree, facts: Sequence[Tree], name: str) -> None:
        """Prove a condition from facts, case by case."""
        for relations, target, points in self._cases(_positive(goal), [_positive(fact) for fact in facts]):
            self._case(relations, target, points, name)

    def _case(self, relations: Sequence[Relation], target: Relation, points: Sequence[Values], name: str) -> None:
        """Prove a relation from relations, which are true at the points."""
        self.found.cases += 1
        if self.found.cases > _MOST_CASES:
            raise NoProofError(f"{name}: more than {_MOST_CASES} cases")
        if not points and self._is_empty(relations, name):
            return
        points = points or self._completed(relations)
        prover = self.base.with_facts(relations, tuple(points))
        try:
            prover.prove(target, name)
        except NoProofError as error:
            self._otherwise(prover, relations, target, name, error)

    def _is_empty(self, relations: Sequence[Relation], name: str) -> bool:
        """Return whether the relations of a case are proved to contradict each other; then it has nothing to prove."""
        equal = self.base.with_facts([each for each in relations if each.sign != "!="], ())
        try:
            with equal.attempt():
                equal.refute([each for each in relations if each.sign == "!="], f"{name}: no point is in a case")
        except NoProofError:
            return False
        return True

    def _completed(self, relations: Sequence[Relation]) -> list[Values]:
        """Return points of a case: those of the scope, with one value for each equation changed so that it is true."""
        found = []
        equations = sorted((each for each in relations if each.sign == "="), key=str)
        for point in self.points if equations else ():
            values, solved = dict(point), set[str]()
            for equation in equations:
                for name in sorted(equation.names() - solved):
                    root = _root(equation, name, values)
                    if root is not None:
                        values[name] = root
                        solved.add(name)
                        break
            if all(each.holds(values) for each in relations):
                found.append(values)
        return found

    def _otherwise(
        self, prover: Prover, relations: Sequence[Relation], target: Relation, name: str, error: NoProofError
    ) -> None:
        """Prove a relation that was not proved as it is: an equation as two inequalities, others by contradiction."""
        if any(not target.holds(point) for point in prover.samples):
            raise error
        parts = [target]
        if target.sign == "=":
            parts = [Relation(target.left, ">=", target.right), Relation(target.right, ">=", target.left)]
        unequal = [each for each in relations if each.sign == "!="]
        equal = self.base.with_facts([each for each in relations if each.sign != "!="], prover.samples)
        for part in parts:
            try:
                prover.prove(part, name)
            except NoProofError:
                try:
                    for opposite in part.opposite():
                        equal.refute([*unequal, opposite], f"{name}, by contradiction")
                except NoProofError:
                    self._by_factors([*map(dict, prover.samples)], relations, target, name, error)
                    return

    def _by_factors(
        self, points: Sequence[Values], relations: Sequence[Relation], target: Relation, name: str, error: NoProofError
    ) -> None:
        """Prove a relation in cases: an equation says that a product is 0, so one of its factors is 0."""
        for equation in relations:
            found = factors(quotient(equation.difference)[0])[1] if equation.sign == "=" else ()
            if len(found) > 1 or any(power > 1 for _, power in found):
                break
        else:
            raise error from None
        unequal = [quotient(each.difference)[0] for each in relations if each.sign == "!="]
        for factor, _ in found:
            if not any(ratio(each, factor) != 0 for each in unequal):
                zero = Relation(factor, "=", sp.Integer(0))
                here = [zero if each is equation else each for each in relations]
                self._case(here, target, [point for point in points if zero.holds(point)], name)

    def _cases(self, goal: Tree, facts: list[Tree]) -> Iterator[tuple[list[Relation], Relation, list[Values]]]:
        """Iterate over cases: relations, one relation to prove, and the points of the case."""
        left = [(goal, facts)]
        while left:
            target, known = left.pop()
            if target[0] == "and":
                left += [(part, known) for part in reversed(target[1:])]
                continue
            if target[0] == "or":
                *others, last = target[1:]
                left.append((last, [*known, *(_positive(("not", each)) for each in others)]))
                continue
            known = list(dict.fromkeys(conjuncts(known)))
            if any((OPPOSITE[fact[0]], *fact[1:]) in known for fact in known if fact[0] in RELATIONS):
                continue
            if any(fact[0] in RELATIONS and not names_of(fact) and not _is_true(fact, {}) for fact in known):
                continue  # a case such as 0 >= 1
            choice = next((fact for fact in known if fact[0] == "or"), None)
            if choice is not None:
                rest, before = [fact for fact in known if fact is not choice], list[Tree]()
                for part in choice[1:]:
                    left.append((target, [*rest, *before, part]))
                    before.append(_positive(("not", part)))
                continue
            special = next((node for tree in (target, *known) for node in _inner(tree)), None)
            if special is None:
                mask = self.mask(known)
                points = [point for i, point in enumerate(self.points) if mask >> i & 1]
                if not all(map(_is_finite, (target, *known))):  # then the other facts must contradict each other
                    known, target = [fact for fact in known if _is_finite(fact)], _FALSE
                yield [relation_of(fact) for fact in known], relation_of(target), points
                continue
            if special[0] == "if":
                _, condition, first, second = special
            else:
                _, first, second = special
                condition = (">=" if special[0] == "max" else "<=", first, second)
            for case, value in ((_positive(condition), first), (_positive(("not", condition)), second)):
                left.append((_with(target, special, value), [case, *(_with(fact, special, value) for fact in known)]))


_FALSE: Tree = (">=", ("number", Fraction(0)), ("number", Fraction(1)))


def _root(equation: Relation, name: str, values: Values) -> Fraction | None:
    """Return the value of a variable that makes an equation linear in it true, if the others have these values."""
    line = _line(equation, name)
    if line is None:
        return None
    at_0, at_1 = (line(values | {name: Fraction(x)}) for x in (0, 1))
    return Fraction(at_0 / (at_0 - at_1)) if at_0 != at_1 else None


@lru_cache(maxsize=4096)
def _line(equation: Relation, name: str) -> Callable[[Values], Fraction] | None:
    """Return the values of the difference of the sides times its divisors, if that is linear in a variable."""
    numerator, _ = quotient(equation.difference)
    return values_of(numerator) if sp.degree(numerator, sp.Symbol(name)) == 1 else None


def _is_finite(tree: Tree) -> bool:
    """Return whether no divisor of a tree is the number 0."""
    return all(expression_of(divisor) != 0 for _, divisor in _divisors(tree, ()))


def _is_true(tree: Tree, values: Values) -> bool:
    try:
        return bool(evaluate(tree, values))
    except ZeroDivisionError:
        return False


def _positive(tree: Tree) -> Tree:
    """Return a condition without ``not``."""
    if tree[0] in ("and", "or"):
        return (tree[0], *map(_positive, tree[1:]))
    if tree[0] != "not":
        return tree
    inner = tree[1]
    if inner[0] == "not":
        return _positive(inner[1])
    if inner[0] in ("and", "or"):
        return ("or" if inner[0] == "and" else "and", *(_positive(("not", part)) for part in inner[1:]))
    return (OPPOSITE[inner[0]], *inner[1:])


def _inner(tree: Tree) -> Iterator[Tree]:
    """Iterate over the parts ``min``, ``max`` and ``if`` of a tree that contain no other such part."""
    for node in nodes(tree):
        if node[0] in ("min", "max", "if") and not any(
            x[0] in ("min", "max", "if") for x in islice(nodes(node), 1, None)
        ):
            yield node


def _with(tree: Tree, old: Tree, new: Tree) -> Tree:
    if tree == old:
        return new
    return (tree[0], *(_with(part, old, new) if isinstance(part, tuple) else part for part in tree[1:]))


def _divisors(tree: Tree, path: tuple[Tree, ...]) -> Iterator[tuple[tuple[Tree, ...], Tree]]:
    """Iterate over the divisors of a tree as it is written, each with the conditions under which it is evaluated."""
    if tree[0] == "if":
        yield from _divisors(tree[1], path)
        yield from _divisors(tree[2], (*path, tree[1]))
        yield from _divisors(tree[3], (*path, ("not", tree[1])))
        return
    for part in tree[1:]:
        if isinstance(part, tuple):
            yield from _divisors(part, path)
    if tree[0] == "/":
        yield path, tree[2]
    if tree[0] == "^" and tree[2] <= 0:
        yield path, tree[1]


def require_defined(row: StatementRow, values: Values) -> bool:
    """Return whether a row is true at a point; raise ``InvalidParameterError`` where it is undefined."""
    try:
        return row.is_true(values)
    except ZeroDivisionError:
        raise InvalidParameterError(f"{row.text} is undefined at {_at(values)}: exclude it in `for`") from None


def _at(values: Values) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())
