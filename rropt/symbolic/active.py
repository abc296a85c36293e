"""Optima that are linear in the weights of rows: the vertex in symbols, its proof at the level, and where it holds.

    maximize or minimize  sum_r w_r phi(r),   sum_r w_r r = 1,   sum_r w_r max(0, r_j - gamma r_l) <= delta,   w >= 0.

The rows with weight and the tight pairs come from CVXPY (``Active``); no number does. Let A have a line for each of
these rows: its entries, and its excess ``(r_j - gamma r_l)+`` of each tight pair. Over the field QQ(gamma, delta),

    A^T w = (1, ..., 1, delta, ..., delta),   A (y, z) = phi of these rows,   v = sum y + delta sum z = sum w phi.

For a maximum, and every private mechanism with rows p_i (for a minimum all signs of phi, y, z change),

    v - sum_i phi(p_i) = sum_i [y.p_i + sum z_jl (p_ij - gamma p_il)+ - phi(p_i)] + sum z_jl (delta - sum_i (...)+).

*Edges suffice.* phi is convex and homogeneous, so that minus each bracket is convex and homogeneous on each cell of the
planes ``r_j = 0``, ``r_j = gamma r_l``. So brackets that are nonnegative on the edges of the cells (``rows``), with
w >= 0, z >= 0 and nonnegative slacks, prove that v is the optimum. All of them are computed exactly at the level; as
functions of gamma and delta they are the conditions under which the form holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from itertools import permutations, product
from typing import Any

import sympy as sp
from flint import arb, ctx

from rropt.core.errors import UnsupportedProblemError
from rropt.core.results import twin_work
from rropt.core.results.active_sets import Active, Exponents
from rropt.core.visible import with_noun
from rropt.symbolic.extents import extent
from rropt.symbolic.fields import Field, ProofRefusedError, ends
from rropt.symbolic.posing import Form
from rropt.symbolic.programs import Level, levels_of, number_of, numbers_of
from rropt.symbolic.rows import edges, staircase_rows
from rropt.symbolic.sums import ONE, ZERO, At, Balls, Sum, expression_of, plain, solved_sums, total
from rropt.symbolic.symbols import gamma

MOST_CATEGORIES = {"linear": 8, "sum": 8, "delta": 5}
"""Categories up to which a vertex is derived in symbols: of a linear objective, of a sum, and with delta > 0."""

AT_LEVEL = {"linear": 64, "sum": 8, "delta": 5}
"""The same for a vertex in fractions, at a rational level alone."""

NO_THEOREM = "no closed form: no theorem gives it, and no vertex is derived"


def is_derived(problem: Any) -> bool:
    """Return whether a problem is small enough for a vertex in symbols; a larger one may have a theorem."""
    region = problem.region
    if not region.has_one_level or region.bounds is not None:
        return False
    has_delta = region.one_level().delta.rational != 0
    return bool(region.inputs <= _most(problem.objective.kind, has_delta=has_delta))


def _most(kind: str, *, has_delta: bool, at_level: bool = False) -> int:
    most = AT_LEVEL if at_level else MOST_CATEGORIES
    return most["delta" if has_delta else "linear" if kind in LINEAR else "sum"]


LINEAR = ("trace", "loss", "payoff")
"""Kinds of objectives that are linear in the entries of the mechanism."""

_MODULES = {
    "trace": "trace",
    "loss": "expected_loss",
    "payoff": "payoff",
    "total-variation": "divergences",
    "chi-square": "divergences",
    "kullback-leibler": "divergences",
    "hellinger": "divergences",
    "jensen-shannon": "divergences",
    "alpha-divergence": "divergences",
    "mutual-information": "mutual_information",
}
Row = Sequence[Any]


class Asked:
    """A problem that is linear in the weights of rows, read from its JSON.

    Args:
        data: the problem.
        objective: the objective of a third party, with ``of_row``; None for those of rropt.
        field: the field of the numbers: by default QQ(gamma, delta); ``Field({})`` or ``Balls()`` at the level alone.

    Attributes:
        k: the number of categories.
        field: QQ(gamma, delta).
        gamma, delta: the level as elements of the field; delta is 0 or a symbol.
        pairs: the ordered pairs with a condition of their own; none if delta = 0.
        sign: -1 if the objective is minimized.

    Raises:
        UnsupportedProblemError: it is no such problem, or too large.
    """

    def __init__(self, data: Mapping[str, Any], objective: Any = None, field: Any = None) -> None:
        self.data, self.user = data, objective
        region, self.own = data["region"], data["objective"]
        if region["kind"] != "differential-privacy" or region.get("family", "all") != "all":
            raise UnsupportedProblemError("no closed form for several levels, bounds, or other regions")
        self.k = int(region["inputs"])
        level: Level
        (level,) = levels_of(region, self.k)
        has_delta = level.delta is not None
        at_level = field is not None and not field.symbols
        is_rational = all(value.is_Rational for value in level.values.values())
        if at_level and not is_rational and not isinstance(field, Balls):
            raise UnsupportedProblemError("no closed form: symbols take too long, and the level is irrational")
        if self.k > _most(self.own["kind"], has_delta=has_delta, at_level=at_level):
            raise UnsupportedProblemError(f"no closed form for {self.k} categories: it takes too long")
        self.is_flat = is_flat = level.values[gamma] == 1
        if is_flat and not has_delta:
            raise UnsupportedProblemError("no closed form: at epsilon = 0 no output depends on the category")
        self.values = {symbol: value for symbol, value in level.values.items() if not (is_flat and symbol == gamma)}
        self.field = Field(self.values) if field is None else field
        self.gamma, self.delta = self.field.one, self.field.zero
        if not is_flat:
            self.gamma = self.field(gamma if gamma in self.field.symbols else level.values[gamma])
        if level.delta is not None:
            self.delta = self.field(level.delta if level.delta in self.field.symbols else level.values[level.delta])
        self.pairs = list(permutations(range(self.k), 2)) if has_delta else []
        self._read_objective()
        outputs = region.get("outputs", "any")
        if outputs != "any" and (self.lines is None or int(outputs) < len(self.lines)):
            raise UnsupportedProblemError("no closed form for a given number of outputs")

    def _read_objective(self) -> None:
        """Read the proportions and the objective.

        Raises:
            UnsupportedProblemError: it is no sum over the rows at one distribution.
        """
        given = self.data["population"]
        if isinstance(given, dict) and not {"uniform", "runs"} & set(given):
            raise UnsupportedProblemError("no closed form of the worst case over several distributions")
        is_equal = isinstance(given, dict) and "uniform" in given
        self.proportions = [sp.Rational(1, self.k)] * self.k if is_equal else numbers_of(given)
        self.pi = [self.field(x) for x in self.proportions]
        self.sign = -1 if _is_minimised(self.own, self.user) else 1
        self.lines = self._lines()

    @property
    def has_fixed_terms(self) -> bool:
        """Whether the terms of the objective are the same functions of the level at all levels."""
        own = self.own["objective"] if self.own["kind"] == "bayes" else self.own
        return self.user is None and own["kind"] in _MODULES and own["kind"] != "total-variation"

    @cached_property
    def rows(self) -> Sequence[Exponents]:
        """The edges of the cells."""
        listed = edges(self.k) if self.pairs else staircase_rows(self.k)
        if self.is_flat:
            listed = tuple({tuple(None if x is None else 0 for x in row): None for row in listed})
        return listed

    @property
    def number_of_rows(self) -> int:
        """The number of edges, which are not listed."""
        return len(self.rows) if self.pairs else 2**self.k - 2

    def has_row(self, exponents: Any) -> bool:
        """Return whether a row is an edge of the cells."""
        if self.pairs:
            return exponents in self._known_rows
        return len(exponents) == self.k and set(exponents) == {0, 1}

    @cached_property
    def _known_rows(self) -> frozenset[Exponents]:
        return frozenset(self.rows)

    @property
    def labels(self) -> Sequence[int]:
        """The outputs or decisions of a linear objective; -1 of a sum."""
        return (-1,) if self.lines is None else range(len(self.lines))

    def _lines(self) -> list[list[Any]] | None:
        """Return the coefficients of the entries, one line for each output, if the objective is linear in them."""
        module = self._module(self.own)
        if not hasattr(module, "coefficients"):
            return None
        return [[self.field(x) for x in line] for line in module.coefficients(self.own, self.proportions)]

    def _module(self, own: Mapping[str, Any]) -> Any:
        if own["kind"] in _MODULES:
            return import_module(f"rropt.symbolic.objectives.{_MODULES[own['kind']]}")
        if own["kind"] == "bayes" or hasattr(self.user, "of_row"):
            return None
        raise UnsupportedProblemError("no closed form: the objective is not linear in the weights of rows")

    def entries(self, row: Any) -> list[Any]:
        """Return the entries of a row."""
        return [self.field.zero if power is None else self.gamma**power for power in row]

    def delta_of(self, pair: Any) -> Any:
        """Return the right side of the condition of a pair."""
        return self.delta

    def excess(self, row: Row, exponents: Any, pair: Any) -> Any:
        """Return ``max(0, r_j - gamma r_l)``, whose sign is that of the exponents."""
        j, other = (exponents[place] for place in pair)
        if j is None or (other is not None and (self.is_flat or j <= other + 1)):
            return self.field.zero
        return row[pair[0]] - (self.gamma * row[pair[1]] if other is not None else self.field.zero)

    def phi(self, label: int, row: Row) -> Sum:
        """Return the part of a row in the objective, with the sign of a maximum."""
        if self.lines is not None:
            own = plain(sum((c * x for c, x in zip(self.lines[label], row, strict=True)), self.field.zero))
        else:
            own = self._phi(self.own, row, self.pi)
        return own.times(self.sign)

    def _phi(self, own: Mapping[str, Any], row: Row, pi: Row) -> Sum:
        if own["kind"] == "bayes":
            found = ZERO
            for weight, shares in zip(own["weights"], own["populations"], strict=True):
                parts = self._phi(own["objective"], row, [self.field(number_of(x)) for x in shares])
                found = found + parts.times(self.field(number_of(weight)))
            return found
        module = self._module(own)
        if module is None:
            return self._of_user(row, pi)
        if not hasattr(module, "phi"):
            raise UnsupportedProblemError("no closed form of a mean of linear objectives")
        return module.phi(self.field, own, row, pi)  # type: ignore[no-any-return]

    def _of_user(self, row: Row, pi: Row) -> Sum:
        """Return the term of a third party, a rational function of the row."""
        to = self.field.domain.to_sympy
        try:
            return plain(self.field(self.user.of_row([to(x) for x in row], [to(x) for x in pi])))
        except Exception as error:  # whatever a function of somebody else raises at symbols, or no rational function
            raise UnsupportedProblemError(
                f"no closed form: of_row of {self.own['kind']} is no rational function of the row "
                f"({type(error).__name__})"
            ) from error


def _is_minimised(own: Mapping[str, Any], user: Any) -> bool:
    if hasattr(user, "of_row"):
        return bool(user.sense == "minimise")
    return own["kind"] == "loss" or (own["kind"] == "bayes" and _is_minimised(own["objective"], None))


class Basis:
    """An optimal vertex, with its prices; both are solved for when they are first read.

    Args:
        asked: the problem, with the field of the numbers.
        active: the rows with weight, and the tight pairs.

    Raises:
        ProofRefusedError: the active set determines no vertex; also when the weights or the prices are read.
    """

    def __init__(self, asked: Asked, active: Active) -> None:
        self.asked, self.active, self.sign = asked, active, asked.sign
        size = asked.k + len(active.tight)
        if len(active.rows) != size:
            raise ProofRefusedError(
                f"SymPy: {with_noun(len(active.rows), 'row')} with weight for {with_noun(size, 'condition')} determine "
                "no vertex"
            )
        if any(row.label not in asked.labels or not asked.has_row(row.exponents) for row in active.rows):
            raise ProofRefusedError("SymPy: a row with weight is no edge of the cells, or has an unknown label")
        if any(pair not in asked.pairs for pair in active.tight):
            raise ProofRefusedError("SymPy: a tight pair has no condition of its own")

    @cached_property
    def lines(self) -> list[list[Any]]:
        """The matrix A: entries and excesses of the rows with weight."""
        return [self._line(row.exponents) for row in self.active.rows]

    def _line(self, exponents: Exponents) -> list[Any]:
        row = self.asked.entries(exponents)
        return [*row, *(self.asked.excess(row, exponents, pair) for pair in self.active.tight)]

    @cached_property
    def weights(self) -> list[Any]:
        """The weights w of the rows."""
        field, k = self.asked.field, self.asked.k
        right = [field.one] * k + [self.asked.delta_of(pair) for pair in self.active.tight]
        return field.solved(list(zip(*self.lines, strict=True)), right)

    @cached_property
    def parts(self) -> list[Sum]:
        """Phi of the rows with weight."""
        pairs = zip(self.active.rows, self.lines, strict=True)
        return [self.asked.phi(row.label, line[: self.asked.k]) for row, line in pairs]

    @cached_property
    def _both_prices(self) -> list[Sum]:
        return solved_sums(self.asked.field, self.lines, self.parts)

    @property
    def prices(self) -> list[Sum]:
        """The prices y of the columns."""
        return self._both_prices[: self.asked.k]

    @property
    def pair_prices(self) -> list[Sum]:
        """The prices z of the tight pairs."""
        return self._both_prices[self.asked.k :]

    @cached_property
    def value(self) -> Sum:
        """The optimum, ``sum w phi``: no system with logarithms is solved for it."""
        return total(part.times(w) for part, w in zip(self.parts, self.weights, strict=True)).times(self.sign)

    @property
    def bound(self) -> Sum:
        """The value of the prices, ``sum y + delta sum z``."""
        pairs = zip(self.pair_prices, self.active.tight, strict=True)
        return (total(self.prices) + total(z.times(self.asked.delta_of(pair)) for z, pair in pairs)).times(self.sign)

    def value_expression(self) -> sp.Expr:
        """Return the optimum as an expression."""
        return self._expression

    @cached_property
    def _expression(self) -> sp.Expr:
        return expression_of(self.asked.field, self.value)

    def at(self, asked: Asked) -> Basis:
        """Return the same rows and tight pairs for another level; what is known in symbols is not computed again.

        Absolute values and functions of a third party may have another form at another level.
        """
        found = Basis(asked, self.active)
        if asked.field.symbols and asked.field.symbols == self.asked.field.symbols and asked.has_fixed_terms:
            found.__dict__ |= {name: self.__dict__[name] for name in _IN_SYMBOLS if name in self.__dict__}
        return found

    def slacks(self) -> dict[tuple[int, int], Any]:
        """Return ``delta - sum w (r_j - gamma r_l)+`` of the pairs that are not tight."""
        found = {}
        for pair in self.asked.pairs:
            if pair not in self.active.tight:
                used = self.asked.field.zero
                for w, row in zip(self.weights, self.active.rows, strict=True):
                    used += w * self.asked.excess(self.asked.entries(row.exponents), row.exponents, pair)
                found[pair] = self.asked.delta_of(pair) - used
        return found

    def reduced_costs(self) -> list[Sum]:
        """Return the brackets on all edges that have no weight; those that are 0 at all levels are left out.

        Without delta and with a linear objective of more than five categories they are those of ``_sides``.
        """
        if self._has_many_rows:
            return self._sides()
        return [found for label, row in self.other_rows() if (found := self.bracket(label, row))]

    @property
    def _has_many_rows(self) -> bool:
        return not self.asked.pairs and self.asked.lines is not None and self.asked.k > _LISTED

    def other_rows(self) -> Iterator[tuple[int, Exponents]]:
        """Yield the labels and rows that have no weight."""
        known = {(row.label, row.exponents) for row in self.active.rows}
        for exponents, label in product(self.asked.rows, self.asked.labels):
            if (label, exponents) not in known:
                yield label, exponents

    def bracket(self, label: int, exponents: Exponents) -> Sum:
        """Return ``y.r + sum z_jl (r_j - gamma r_l)+ - phi(r)``."""
        row = self._line(exponents)
        paid = total(price.times(x) for price, x in zip(self._both_prices, row, strict=True))
        return paid - self.asked.phi(label, row[: self.asked.k])

    def _sides(self) -> list[Sum]:
        """Return sums that are nonnegative where all brackets of a linear objective are.

        With ``e_j = y_j - c_dj`` the least bracket of label d is ``sum e_j + (gamma - 1) sum min(0, e_j)``: one row is
        enough as long as no e_j changes its sign.
        """
        asked, found = self.asked, []
        at = At(asked.field)
        for line in asked.lines or ():
            rest = [y - plain(c * self.sign) for y, c in zip(self.prices, line, strict=True)]
            signs = [at.sign(each) for each in rest]
            found += [each.times(sign) for each, sign in zip(rest, signs, strict=True) if sign]
            negative = total(each for each, sign in zip(rest, signs, strict=True) if sign < 0)
            found.append(total(rest) + negative.times(asked.gamma - asked.field.one))
        return [each for each in found if each]

    def conditions(self) -> list[Sum]:
        """Return all sums that are nonnegative where the vertex is optimal."""
        own = [*map(plain, self.weights), *self.pair_prices, *map(plain, self.slacks().values())]
        return [*(each for each in own if each), *self.reduced_costs()]

    def mechanism(self) -> sp.ImmutableMatrix:
        """Return the rows with weight; those of one output or decision are added up."""
        return self._mechanism

    @cached_property
    def _mechanism(self) -> sp.ImmutableMatrix:
        field = self.asked.field
        merged: dict[Any, list[Any]] = {}
        for n, (w, row) in enumerate(zip(self.weights, self.active.rows, strict=True)):
            own = [w * x for x in self.asked.entries(row.exponents)]
            key = row.label if row.label >= 0 else ("row", n)
            merged[key] = [a + b for a, b in zip(merged[key], own, strict=True)] if key in merged else own
        if self.asked.own["kind"] in ("trace", "loss"):  # the outputs are those of the problem
            empty = [field.zero] * self.asked.k
            return sp.ImmutableMatrix([[field.expression(x) for x in merged.get(i, empty)] for i in self.asked.labels])
        return sp.ImmutableMatrix([[field.expression(x) for x in row] for row in merged.values() if any(row)])


_IN_SYMBOLS = ("lines", "weights", "parts", "_both_prices", "value", "_expression", "_mechanism")
_LISTED = 5  # categories up to which the brackets of all rows are conditions of a linear objective
_FEW = 4  # categories up to which the roots of the conditions of a sum take below a second; of others it is _LISTED
_BITS = 512  # of intervals at an irrational level


def basis_of(data: Mapping[str, Any], active: Active, objective: Any = None, known: Basis | None = None) -> Basis:
    """Return the vertex of an active set in symbols, which is proved to be optimal at the level.

    At a rational level the proof is made in rational numbers, and logarithms of primes. At others the brackets are
    intervals; one that contains 0 is computed in symbols.

    Args:
        data: the problem.
        active: the rows with weight, and the tight pairs.
        objective: the objective of a third party.
        known: the vertex of the same active set at another level, whose expressions are taken over.

    Raises:
        ProofRefusedError: the active set is no vertex, or it is not optimal.
        UnsupportedProblemError: the problem is not linear in the weights of rows, or too large.
    """
    asked = Asked(data, objective)
    found = Basis(asked, active) if known is None else known.at(asked)
    if asked.field.numbers is not None or not asked.values:
        numbers = Basis(Asked(data, objective, Field({})), active)
        require_vertex(numbers)
        require_prices(numbers)
    else:
        require_vertex(found)
        if objective is None and not found._has_many_rows:
            _require_brackets(found)
        else:
            require_prices(found)
    return found


def level_basis_of(data: Mapping[str, Any], active: Active, objective: Any = None) -> Basis:
    """Return the vertex of an active set at a rational level, in fractions, which is proved to be optimal.

    There is no list of ``2^k`` rows in the proof of a linear objective: one sum for each label is the least of all
    brackets (``Basis._sides``).

    Raises:
        ProofRefusedError: the active set is no vertex, or it is not optimal.
        UnsupportedProblemError: the problem is not linear in the weights of rows or too large, or its level is
            irrational.
    """
    numbers = Basis(Asked(data, objective, Field({})), active)
    require_vertex(numbers)
    require_prices(numbers)
    return numbers


def require_vertex(found: Basis) -> None:
    """Require that the vertex is private.

    Raises:
        ProofRefusedError: it is not.
    """
    at = At(found.asked.field)
    for row, w in zip(found.active.rows, found.weights, strict=True):
        if at.sign(plain(w)) < 0:
            raise ProofRefusedError(f"SymPy: the weight of the row {row.exponents} is negative")
    for pair, slack in found.slacks().items():
        if at.sign(plain(slack)) < 0:
            raise ProofRefusedError(f"SymPy: the condition of privacy of the pair {pair} is violated")


def require_prices(found: Basis) -> None:
    """Require that the prices prove the vertex to be optimal, and that both programs have the same value.

    Raises:
        ProofRefusedError: a condition is violated.
    """
    at = At(found.asked.field)
    if any(at.sign(price) < 0 for price in found.pair_prices):
        raise ProofRefusedError(_NEGATIVE_PRICE)
    if any(at.sign(each) < 0 for each in found.reduced_costs()):
        raise ProofRefusedError(_NOT_OPTIMAL)
    if found.bound - found.value:
        raise ProofRefusedError("SymPy: the values of the primal and of the dual program differ")


_NEGATIVE_PRICE = "SymPy: the price of a tight condition of privacy is negative"
_NOT_OPTIMAL = "SymPy: the reduced cost of a row is negative, so that the vertex that CVXPY found is not optimal"


def _require_brackets(found: Basis) -> None:
    """Require the prices at an irrational level: in intervals, and in symbols where an interval contains 0.

    A system in symbols takes seconds where logarithms are many: it is solved only if it is needed.
    """
    with ctx.workprec(_BITS):
        near = Basis(Asked(found.asked.data, None, Balls()), found.active)
        try:
            prices = list(map(_ball_of, near.pair_prices))
        except ZeroDivisionError:  # the system may be singular: the symbols say whether it is
            at = At(found.asked.field)
            near._both_prices = [plain(at.ball(price, _BITS)) for price in [*found.prices, *found.pair_prices]]
            prices = list(map(_ball_of, near.pair_prices))
        brackets = [(label, row, _ball_of(near.bracket(label, row))) for label, row in near.other_rows()]
    if any(price < 0 for price in prices):
        raise ProofRefusedError(_NEGATIVE_PRICE)
    if any(value < 0 for _, _, value in brackets):
        raise ProofRefusedError(_NOT_OPTIMAL)
    unsure = [(label, row) for label, row, value in brackets if not value > 0]
    twin_work.require("brackets", len(unsure) * (found.asked.k + len(found.active.tight)))
    at = At(found.asked.field)
    if not all(price > 0 for price in prices) and any(at.sign(price) < 0 for price in found.pair_prices):
        raise ProofRefusedError(_NEGATIVE_PRICE)
    if any(at.sign(found.bracket(label, row)) < 0 for label, row in unsure):
        raise ProofRefusedError(_NOT_OPTIMAL)


def _ball_of(number: Sum) -> arb:
    """Return the interval of a sum whose coefficients are intervals."""
    return number.parts.get(ONE, arb(0))


def interval_of(found: Basis, other: Basis | None = None) -> tuple[sp.Expr, sp.Expr]:
    """Return the ends of the interval of gamma around the level on which a vertex is proved optimal; delta is fixed.

    The weights of another vertex, if one is given, are nonnegative there too.

    Ends that come from rational functions are exact roots. A logarithm or a root keeps the interval within
    ``extents.NEAREST`` and ``FARTHEST``, and gives an end with 20 decimals.
    """
    asked = found.asked
    values = dict(asked.values)
    if gamma not in values:
        return sp.Integer(1), sp.Integer(1)
    if not asked.field.symbols:
        return values[gamma], values[gamma]
    is_rational = all(value.is_Rational for symbol, value in values.items() if symbol != gamma)
    if is_rational:
        found = Basis(Asked(asked.data, asked.user, Field({gamma: values.pop(gamma)})), found.active)
    field = found.asked.field
    conditions = found.conditions() + [plain(w) for w in (other.weights if other else ()) if w]
    simple = [each.parts[ONE] for each in conditions if each.is_rational and is_rational]
    low, high = ends(field, simple) if is_rational else (sp.Integer(1), sp.oo)
    others = [each for each in conditions if not (each.is_rational and is_rational)]
    if not others:
        return low, high
    return extent(field, others, low, high)


def has_same_value(one: Basis, other: Basis) -> bool:
    """Return whether two vertices have the same value at all levels."""
    return not one.value - other.value


def form_of(found: Basis, joined: Callable[[], tuple[sp.Expr, sp.Expr]] | None = None) -> Form:
    """Return the optimum as a form, with its mechanism; where it holds is computed when it is first read.

    Args:
        found: the vertex.
        joined: the interval of gamma on which it holds; by default that on which its own prices prove it.
    """
    asked = found.asked

    def domain() -> Any:
        if gamma not in asked.field.symbols:
            return sp.true if not asked.values else sp.And(*(sp.Eq(s, v) for s, v in asked.values.items()))
        low, high = joined() if joined is not None else interval_of(found)
        lower = sp.Gt(gamma, 1) if low == 1 else sp.Ge(gamma, low)
        others = [sp.Eq(symbol, value) for symbol, value in asked.values.items() if symbol != gamma]
        return sp.And(lower, *([] if high is sp.oo else [sp.Le(gamma, high)]), *others)

    count = len(found.active.rows)
    pairs = f" and {with_noun(len(found.active.tight), 'tight pair')}" if found.active.tight else ""
    place = "" if asked.field.symbols or not asked.values else ", at this level alone"
    where = " at least on the domain" if not place and (asked.pairs or not found.value.is_rational) else ""
    theorem = f"an optimal vertex, proved by its prices{where}{place}: {with_noun(count, 'row')}{pairs} "
    theorem += "(Kairouz, Oh and Viswanath 2016, theorem 4)"
    has_few = asked.lines is not None or asked.own["kind"] == "total-variation"
    is_long = asked.k > (_LISTED if has_few else _FEW) and bool(asked.field.symbols)
    return Form(found.value_expression(), theorem, domain, found.mechanism, asked.values, has_many_conditions=is_long)
