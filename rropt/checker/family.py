"""The statement ``family``: the optimum of a family of linear problems as the least of formulas (family.md)."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from .documents import NAME, Rejected, WorkBudget, fields, fraction, items, whole
from .limits import MAX_DEGREE, MAX_ENTRIES, MAX_LIST, MAX_NAMES, MAX_SPLITS, MAX_TERMS
from .polynomials import Polynomial, Quotient, Ring, negative

_GAMMA = "gamma"


def check_family(problem: Any, claim: Any, proof: Any) -> str:
    """Check the statement."""
    (listed,) = fields(claim, ["formulas"], "claim")
    keys = ["denominator", "costs", "rights", "values", "formulas"]
    denominator, costs, rights, values, proofs = fields(proof, keys, "proof")
    stated = _Stated(problem)
    stated.read_costs(denominator, costs, rights)
    claimed = items(listed, "formulas", most=MAX_LIST)
    if not claimed:
        raise Rejected("there is no formula")
    pairs = items(values, "values", count=len(claimed))
    fractions = [stated.value_of(*each) for each in zip(claimed, pairs, strict=True)]
    for i, entry in enumerate(items(proofs, "the proofs of the formulas", count=len(claimed))):
        differences, tree = fields(entry, ["differences", "tree"], "the proof of a formula")
        hypotheses = stated.differences(items(differences, "differences", count=len(claimed)), fractions, i)
        stated.check_tree(tree, hypotheses, fractions[i], MAX_SPLITS)
    return ""


class _Range(Ring):
    """The polynomials in the variables; a name of an expression stands for the pair of its parameter."""

    def __init__(self, data: Any) -> None:
        listed = items(data, "parameters", most=MAX_NAMES)
        entries = [fields(entry, ["name", "from", "to", "whole"], "a parameter") for entry in listed]
        for name, *_ in entries:
            if not isinstance(name, str) or not NAME.fullmatch(name) or name == _GAMMA:
                raise Rejected("a parameter has no name, or that of gamma")
        self.names, self.budget = (*(entry[0] for entry in entries), _GAMMA), WorkBudget()
        if len(set(self.names)) < len(self.names):
            raise Rejected("a name is declared twice")
        self.whole = [is_whole for *_, is_whole in entries]
        one = self.constant(Fraction(1))
        self.u = self.variable(_GAMMA)
        self.pairs = {_GAMMA: (self.add(one, self.u), one)}
        for name, low, high, is_whole in entries:
            self.pairs[name] = self.pair_of(self.variable(name), low, high, is_whole)

    def pair_of(self, variable: Polynomial, low: Any, high: Any, is_whole: Any) -> Quotient:
        """Return the pair of a parameter."""
        one, start = self.constant(Fraction(1)), fraction(low, "the start of a range")
        if not isinstance(is_whole, bool):
            raise Rejected("whole is neither true nor false")
        if is_whole and (start.denominator > 1 or high is not None):
            raise Rejected("a whole parameter begins at a whole number and has no end")
        if high is None:
            return self.add(self.constant(start), variable), one
        end = fraction(high, "the end of a range")
        if start >= end:
            raise Rejected("a range is empty")
        above = self.add(self.constant(start), self.multiply(self.constant(end), variable))
        return above, self.add(one, variable)

    def named(self, name: str) -> Quotient:
        """Return the pair of a parameter or of gamma."""
        return self.pairs[name]

    def is_positive(self, polynomial: Polynomial) -> bool:
        """Return whether no coefficient is negative, and a term has no variable of a whole parameter."""
        self.budget.spend(1 + len(polynomial))
        rises = any(not any(e for e, is_whole in zip(key, self.whole, strict=False) if is_whole) for key in polynomial)
        return rises and is_nonnegative(polynomial)

    def expression(self, data: Any, where: str, *, at_gamma: bool = False) -> Quotient:
        """Return the pair of an expression, with a positive denominator."""
        if not at_gamma and _names_gamma(data):
            raise Rejected(f"{where} contains gamma")
        self.divisors = []
        n, d = self.quotient(data, where)
        for divisor in (*self.divisors, d):
            if not self.is_positive(divisor) and not self.is_positive(negative(divisor)):
                raise Rejected(f"a divisor of {where} is not positive by its coefficients")
        return (n, d) if is_nonnegative(d) else (negative(n), negative(d))

    def polynomial_of(self, data: Any, where: str) -> Polynomial:
        """Read a polynomial, a list of terms."""
        found: Polynomial = {}
        last: tuple[int, ...] | None = None
        size = len(self.names)
        for term in items(data, where, most=MAX_TERMS):
            coefficient, *exponents = items(term, f"a term of {where}", count=size + 1)
            key = tuple(whole(e, "an exponent", MAX_DEGREE) for e in exponents)
            value = self.budget.number(coefficient, "a coefficient")
            self.budget.spend(size)
            if not value or (last is not None and key >= last):
                raise Rejected(f"{where} has a coefficient 0, or its exponents do not descend")
            found[key] = value
            last = key
        return found

    def positive_of(self, data: Any, where: str) -> Polynomial:
        """Read a positive polynomial."""
        found = self.polynomial_of(data, where)
        if not self.is_positive(found):
            raise Rejected(f"{where} is not positive by its coefficients")
        return found

    def sum(self, *parts: Polynomial) -> Polynomial:
        """Return the sum of polynomials."""
        total: Polynomial = {}
        for part in parts:
            total = self.add(total, part)
        return total

    def require_equal(self, left: Quotient, right: Quotient, what: str) -> None:
        """Reject unless two quotients are equal, by cross multiplication."""
        if self.multiply(left[0], right[1]) != self.multiply(right[0], left[1]):
            raise Rejected(what)


def is_nonnegative(polynomial: Polynomial) -> bool:
    """Return whether no coefficient is negative."""
    return all(value > 0 for value in polynomial.values())


def _names_gamma(tree: Any) -> bool:
    """Return whether an expression contains gamma; the file is not nested deeply."""
    if isinstance(tree, dict):
        return any(map(_names_gamma, tree.values()))
    return any(map(_names_gamma, tree)) if isinstance(tree, list) else tree == _GAMMA


class _Row(NamedTuple):
    """A kind of row: ``Q l``, and the number of members of its set in each class."""

    inside: Polynomial
    members: list[Polynomial]


@dataclass
class _Decision:
    own: int | None
    costs: list[Quotient]
    right: Quotient | None


class _Stated:
    """A problem, and its costs over one denominator."""

    def __init__(self, problem: Any) -> None:
        parameters, classes, sense, decisions = fields(
            problem, ["parameters", "classes", "sense", "decisions"], "problem"
        )
        self.ring = ring = _Range(parameters)
        if sense not in ("minimise", "maximise"):
            raise Rejected("the sense is neither minimise nor maximise")
        self.sign = ring.constant(Fraction(1 if sense == "minimise" else -1))
        self.one = ring.constant(Fraction(1))
        self.sizes: list[Polynomial] = []
        self.shares: list[Quotient] = []
        total: Quotient = ({}, self.one)
        for entry in items(classes, "classes", most=MAX_LIST):
            size, share = fields(entry, ["size", "share"], "a class")
            n, d = ring.expression(size, "a size")
            if list(map(any, d)) != [False]:
                raise Rejected("a size has a divisor that is no number")
            self.sizes.append(ring.multiply(n, ring.constant(1 / next(iter(d.values())))))
            self.shares.append(ring.expression(share, "a share"))
            if not ring.is_positive(self.sizes[-1]) or not is_nonnegative(self.shares[-1][0]):
                raise Rejected("a size is not positive by its coefficients, or a share has a negative one")
            total = ring.combined("sum", total, ring.combined("product", (self.sizes[-1], self.one), self.shares[-1]))
        ring.require_equal(total, (self.one, self.one), "the proportions do not sum to 1")
        self.decisions = [self._decision(entry) for entry in items(decisions, "decisions", most=MAX_LIST)]
        self._rows: dict[tuple[int, str, int], _Row] = {}

    def _decision(self, entry: Any) -> _Decision:
        own, costs, right = fields(entry, ["own", "costs", "right"], "a decision")
        at = None if own is None else whole(own, "the own class", len(self.sizes) - 1)
        if (own is None) != (right is None):
            raise Rejected("a decision has a cost at its own category iff it owns a class")
        if at is not None and self.sizes[at] == self.one:
            raise Rejected("a decision owns a class of one category")
        listed = [self.ring.expression(x, "a cost") for x in items(costs, "costs", count=len(self.sizes))]
        return _Decision(at, listed, None if right is None else self.ring.expression(right, "a cost"))

    def read_costs(self, denominator: Any, costs: Any, rights: Any) -> None:
        """Read the costs over one denominator Q, and compute the sums ``Q L``."""
        self.Q = self.ring.positive_of(denominator, "the denominator of the costs")
        self.costs: list[list[Polynomial]] = []
        self.rights: list[Polynomial | None] = []
        self.totals: list[Polynomial] = []
        count = len(self.decisions)
        listed = zip(items(costs, "costs", count=count), items(rights, "rights", count=count), strict=True)
        for h, (decision, (row, right)) in enumerate(zip(self.decisions, listed, strict=True)):
            entries = items(row, "the costs of a decision", count=len(self.sizes))
            parts = zip(entries, self.shares, decision.costs, strict=True)
            self.costs.append([self._cost(entry, share, cost) for entry, share, cost in parts])
            if (right is None) != (decision.own is None):
                raise Rejected("a cost at the own category is missing, or stands where no class is owned")
            own = None
            if decision.own is not None and decision.right is not None:
                own = self._cost(right, self.shares[decision.own], decision.right)
            self.rights.append(own)
            self.totals.append(self.row(h, "1" * len(self.sizes), int(own is not None)).inside)

    def _cost(self, entry: Any, share: Quotient, cost: Quotient) -> Polynomial:
        ring = self.ring
        found = ring.polynomial_of(entry, "a cost over the denominator")
        n, d = ring.combined("product", share, cost)
        wanted = (ring.multiply(ring.multiply(n, self.sign), self.Q), d)
        ring.require_equal((found, self.one), wanted, "a cost over the denominator is not that of the problem")
        return found

    def row(self, h: int, classes: str, own: int) -> _Row:
        """Return ``Q l`` and the numbers of members of a set."""
        key = (h, classes, own)
        if key not in self._rows:
            ring, decision = self.ring, self.decisions[h]
            inside: Polynomial = {}
            members = []
            for i, (size, digit) in enumerate(zip(self.sizes, classes, strict=True)):
                ring.budget.spend(16)
                count = size if digit == "1" else {}
                if i == decision.own and digit == "1":
                    count = ring.add(count, negative(self.one))
                if count:
                    inside = ring.add(inside, ring.multiply(count, self.costs[h][i]))
                if i == decision.own and own:
                    inside, count = ring.add(inside, self.rights[h] or {}), ring.add(count, self.one)
                members.append(count)
            self._rows[key] = _Row(inside, members)
        return self._rows[key]

    def sets(self) -> Iterator[tuple[int, str, int]]:
        """Yield the kinds of rows in the order of a leaf."""
        for h, decision in enumerate(self.decisions):
            for digits in product("01", repeat=len(self.sizes)):
                for own in (0,) if decision.own is None else (0, 1):
                    yield h, "".join(digits), own

    def count_of_sets(self) -> int:
        """Return the number of kinds of rows."""
        return sum(1 if decision.own is None else 2 for decision in self.decisions) << len(self.sizes)

    def value_of(self, entry: Any, pair: Any) -> Quotient:
        """Return the value of a formula; reject unless its rows attain it."""
        ring = self.ring
        value, rows = fields(entry, ["value", "rows"], "a formula")
        above, below = items(pair, "a value", count=2)
        a, b = ring.polynomial_of(above, "a value"), ring.positive_of(below, "the denominator of a value")
        n, d = ring.expression(value, "a value", at_gamma=True)
        ring.require_equal((ring.multiply(n, self.sign), d), (a, b), "a value of the proof is not that of the claim")
        A: Quotient = ({}, self.one)
        B, X = A, A
        cover = [A] * len(self.sizes)
        seen: set[tuple[int, str, int]] = set()
        for each in items(rows, "rows", most=MAX_ENTRIES):
            key, x = self._weighted(each)
            if key in seen:
                raise Rejected("a row stands twice")
            seen.add(key)
            row = self.row(*key)
            A = ring.combined("sum", A, ring.combined("product", x, (self.totals[key[0]], self.one)))
            B = ring.combined("sum", B, ring.combined("product", x, (row.inside, self.one)))
            X = ring.combined("sum", X, x)
            parts = zip(cover, row.members, strict=True)
            cover = [ring.combined("sum", c, ring.combined("product", x, (m, self.one))) for c, m in parts]
        for covered, size in zip(cover, self.sizes, strict=True):
            ring.require_equal(covered, (size, self.one), "the rows do not cover each category once")
        u = (ring.u, self.one)
        left = ring.combined("product", (ring.multiply(a, self.Q), b), ring.combined("sum", u, X))
        right = ring.combined("sum", A, ring.combined("product", u, B))
        ring.require_equal(left, right, "a value is not that of its rows")
        return a, b

    def _weighted(self, entry: Any) -> tuple[tuple[int, str, int], Quotient]:
        """Return the kind of a row and its weight."""
        decision, classes, own, weight = fields(entry, ["decision", "classes", "own", "weight"], "a row")
        h = whole(decision, "a decision", len(self.decisions) - 1)
        digit = whole(own, "own", 0 if self.decisions[h].own is None else 1)
        if not isinstance(classes, str) or len(classes) != len(self.sizes) or classes.strip("01"):
            raise Rejected("a row has no digit 0 or 1 for each class")
        if "1" not in classes and not digit:
            raise Rejected("a row has an empty set")
        x = self.ring.expression(weight, "a weight")
        if not x[0] or not is_nonnegative(x[0]):
            raise Rejected("a weight is not positive by its coefficients")
        return (h, classes, digit), x

    def differences(self, entries: list[Any], values: list[Quotient], i: int) -> list[Polynomial]:
        """Return polynomials with the signs of the differences between formula i and the others."""
        ring, found = self.ring, []
        a, b = values[i]
        for j, entry in enumerate(entries):
            if (entry is None) != (i == j):
                raise Rejected("a difference is missing, or that of a formula to itself is not null")
            if entry is None:
                continue
            factor, sign = items(entry, "a difference", count=2)
            c, g = ring.positive_of(factor, "the factor of a difference"), ring.polynomial_of(sign, "a difference")
            whole_one = ring.add(ring.multiply(values[j][0], b), negative(ring.multiply(a, values[j][1])))
            if not g or ring.multiply(c, g) != whole_one:
                raise Rejected("a difference is not that of its two formulas, or it is 0")
            found.append(g)
        return found

    def check_tree(self, tree: Any, hypotheses: list[Polynomial], value: Quotient, splits: int) -> None:
        """Check a tree of duals under hypotheses."""
        if isinstance(tree, dict) and "split" in tree:
            split, above, below = fields(tree, ["split", "nonnegative", "nonpositive"], "a split")
            h = self.ring.polynomial_of(split, "a split")
            if not h or not splits:
                raise Rejected("a split is by the polynomial 0, or too many lie above each other")
            self.check_tree(above, [*hypotheses, h], value, splits - 1)
            self.check_tree(below, [*hypotheses, negative(h)], value, splits - 1)
            return
        self._check_leaf(tree, hypotheses, value)

    def _check_leaf(self, leaf: Any, hypotheses: list[Polynomial], value: Quotient) -> None:
        """Check a dual and its conditions."""
        ring = self.ring
        denominator, dual, identities, conditions = fields(
            leaf, ["denominator", "dual", "identities", "conditions"], "a leaf"
        )
        D = ring.positive_of(denominator, "the denominator of a dual")
        y = [ring.polynomial_of(part, "a dual") for part in items(dual, "a dual", count=len(self.sizes))]
        total = ring.sum(*(ring.multiply(n, part) for n, part in zip(self.sizes, y, strict=True)))
        if not all(key[-1] for key in total):
            raise Rejected("a term of the sum of the dual does not contain u")
        V = {(*key[:-1], key[-1] - 1): x for key, x in total.items()}
        if ring.multiply(V, value[1]) != ring.multiply(value[0], D):
            raise Rejected("the dual does not sum to u times the value")
        proved = [self._identity(entry, hypotheses) for entry in items(identities, "identities", most=MAX_TERMS)]
        entries = items(conditions, "conditions", count=self.count_of_sets())
        used = set()
        of_value = negative(ring.multiply(self.Q, V))
        prices = [negative(ring.multiply(self.Q, part)) for part in y]
        for (h, classes, own), entry in zip(self.sets(), entries, strict=True):
            row = self.row(h, classes, own)
            E = ring.add(ring.multiply(D, ring.add(self.totals[h], ring.multiply(ring.u, row.inside))), of_value)
            for count, price in zip(row.members, prices, strict=True):
                if count:
                    E = ring.add(E, ring.multiply(count, price))
            if entry is None:
                if not is_nonnegative(E):
                    raise Rejected("a condition without an identity has a negative coefficient")
                continue
            index, factor = items(entry, "a condition", count=2)
            at = whole(index, "the index of an identity", len(proved) - 1)
            c = ring.polynomial_of(factor, "the factor of a condition")
            if not is_nonnegative(c) or ring.multiply(c, proved[at]) != E:
                raise Rejected("a condition is not that of its identity, times a nonnegative factor")
            used.add(at)
        if len(used) < len(proved):
            raise Rejected("an identity is used by no condition")

    def _identity(self, entry: Any, hypotheses: list[Polynomial]) -> Polynomial:
        """Return a condition; reject unless its identity proves that it is nonnegative."""
        ring = self.ring
        condition, factor, multipliers = fields(entry, ["condition", "factor", "multipliers"], "an identity")
        e, f = ring.polynomial_of(condition, "a condition"), ring.polynomial_of(factor, "a factor")
        if not is_nonnegative(f) or (0,) * len(ring.names) not in f:
            raise Rejected("a factor has a negative coefficient or no constant term")
        listed = items(multipliers, "multipliers", count=len(hypotheses) + 1)
        s = [ring.polynomial_of(part, "a multiplier") for part in listed]
        if not all(map(is_nonnegative, s)):
            raise Rejected("a multiplier has a negative coefficient")
        products = (ring.multiply(part, g) for part, g in zip(s[1:], hypotheses, strict=True) if part)
        if ring.sum(s[0], *products) != ring.multiply(f, e):
            raise Rejected("an identity is false")
        return e
