"""Proofs that one of a few formulas is the optimum, for all parameters: duals in symbols, and identities.

For a formula v the dual y of a basis solves ``sum_i m_i y_i = L + u l - v`` on its rows. It proves ``v`` wherever for
every row ``E = L + u l - v - sum_i m_i y_i >= 0``. That is needed only where v is the least of the formulas: so each
condition needs an identity ``f E = sigma_0 + sum_j sigma_j (v_j - v)`` of polynomials without negative coefficients
(``positive_multiple``). Where one dual does not serve the whole region, a condition h that fails splits it: ``h >= 0``
is a further hypothesis of one part, ``-h >= 0`` of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rropt.claims.positivity.nonnegative_sums import Multiple, positive_multiple
from rropt.core.lazy import numpy as np
from rropt.designs.problem_families.candidates import CandidateFormula, SampledFamily, SymbolicCover, polynomial_at
from rropt.designs.problem_families.classes import FamilyProblem
from rropt.designs.problem_families.quotients import (
    Polynomial,
    RationalFunction,
    has_negative,
    least_common_multiple,
    solved,
    terms_of,
)

DEGREE = 2  # of the factor of an identity, in each variable
_DEPTH = 5  # of a tree of splits
_SLACK = 1e-8  # of a condition at a point, as a part of its terms

Floats = Any


class OpenConditionError(ArithmeticError):
    """A condition without an identity.

    Attributes:
        condition: the polynomial that is not proved.
    """

    def __init__(self, condition: Polynomial | None) -> None:
        super().__init__("a condition has no identity")
        self.condition = condition


@dataclass(frozen=True, slots=True)
class Identity:
    """A condition of a leaf, and the identity that proves it."""

    condition: Polynomial
    multiple: Multiple


@dataclass(frozen=True, slots=True)
class Leaf:
    """A dual, and why each of its conditions is true.

    Attributes:
        denominator: the common denominator D of the dual, a polynomial of the variables.
        dual: the numerators of the dual.
        identities: the identities.
        conditions: for each kind of row None (no negative coefficient), or the number of the identity, and the factor
            by which the condition is that of the identity.
    """

    denominator: Polynomial
    dual: tuple[Polynomial, ...]
    identities: tuple[Identity, ...]
    conditions: tuple[tuple[int, Polynomial] | None, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """A polynomial h, with a proof where ``h >= 0`` and one where ``h <= 0``."""

    condition: Polynomial
    nonnegative: Leaf | Split
    nonpositive: Leaf | Split


@dataclass(frozen=True, slots=True)
class FormulaProof:
    """The proof of one formula: the signs of the differences to the others, and a tree of duals."""

    differences: tuple[tuple[Polynomial, Polynomial] | None, ...]
    tree: Leaf | Split


class ProblemPolynomials:
    """The data of a problem over one denominator Q: polynomials of the variables."""

    def __init__(self, problem: FamilyProblem) -> None:
        self.problem = problem

    @cached_property
    def denominator(self) -> Polynomial:
        """The common denominator Q of all costs."""
        rows = [x for row in self.problem.costs for x in row] + [x for x in self.problem.rights if x is not None]
        found = least_common_multiple([self.problem.in_variables(x).below for x in rows], self.problem.ring)
        return found / found.leading_coefficient()

    def over(self, quotient: RationalFunction, denominator: Polynomial) -> Polynomial:
        """Return the numerator of a quotient of the variables over a denominator that it divides."""
        return quotient.above * (denominator / quotient.below)

    @cached_property
    def costs(self) -> list[list[Polynomial]]:
        """The costs of a category of each class, times Q."""
        Q, problem = self.denominator, self.problem
        return [[self.over(problem.in_variables(x), Q) for x in row] for row in problem.costs]

    @cached_property
    def rights(self) -> list[Polynomial | None]:
        """The costs of own members, times Q."""
        Q, problem = self.denominator, self.problem
        return [None if x is None else self.over(problem.in_variables(x), Q) for x in problem.rights]

    @cached_property
    def rows(self) -> list[tuple[Polynomial, Polynomial, list[Polynomial]]]:
        """For each kind of row ``Q L``, ``Q l`` and the numbers of members."""
        problem, Q = self.problem, self.denominator
        totals = [self.over(problem.in_variables(x), Q) for x in problem.totals]
        return [
            (
                totals[c.decision],
                self.over(problem.in_variables(c.inside), Q),
                [problem.in_variables(x).above for x in c.members],
            )
            for c in problem.columns
        ]


@dataclass(slots=True)
class FamilyProver:
    """The search for the proofs of all formulas of a family."""

    problem: FamilyProblem
    sample: SampledFamily
    data: ProblemPolynomials = field(init=False)
    values: list[RationalFunction] = field(init=False)
    degree: int = DEGREE
    known: dict[str, Multiple | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.data = ProblemPolynomials(self.problem)
        self.values = [self.problem.in_variables(one.value) for one in self.sample.candidates]

    def prove(self, number: int) -> FormulaProof:
        """Return the proof of a formula.

        Raises:
            OpenConditionError: none is found.
        """
        candidate = self.sample.candidates[number]
        differences = [self._difference(number, j) for j in range(len(self.values))]
        hypotheses = [pair[1] for pair in differences if pair is not None]
        duals = [dual for cover in candidate.covers if (dual := self._dual(candidate, cover)) is not None]
        if not duals:
            raise OpenConditionError(None)
        points = self.sample.points[:, candidate.points]
        self.known.clear()
        return FormulaProof(tuple(differences), self._tree(duals, hypotheses, points, 0))

    def _difference(self, i: int, j: int) -> tuple[Polynomial, Polynomial] | None:
        """Return ``(c, g)`` with ``num_j den_i - num_i den_j = c g``, c positive: g has the sign of v_j - v_i."""
        if i == j:
            return None
        own, other = self.values[i], self.values[j]
        whole = other.above * own.below - own.above * other.below
        common = whole.gcd(own.below * other.below)
        shape = [min(key[n] for key in terms_of(whole)) for n in range(len(self.problem.names) + 1)]
        for n, parameter in enumerate(self.problem.parameters):
            shape[n] = 0 if parameter.whole else shape[n]
        monomial = self.problem.ring.of({tuple(shape): self.problem.ring.one.leading_coefficient()})
        common = common * (monomial / common.gcd(monomial))
        common = common / common.leading_coefficient()
        if not self.is_strict(common):
            common = monomial
        return common, whole / common

    def is_strict(self, polynomial: Polynomial) -> bool:
        """Return whether a polynomial is positive by its coefficients, also where whole numbers are the least."""
        whole = [n for n, parameter in enumerate(self.problem.parameters) if parameter.whole]
        terms = terms_of(polynomial)
        return all(x > 0 for x in terms.values()) and any(not any(key[n] for n in whole) for key in terms)

    def _dual(self, candidate: CandidateFormula, cover: SymbolicCover) -> _Dual | None:
        problem = self.problem
        columns = [problem.columns[j] for j in cover.basis]
        u = problem.ring.name("u")
        right = [problem.totals[c.decision] + u * c.inside - candidate.value for c in columns]
        y = solved([list(c.members) for c in columns], right)
        if y is None:
            return None
        own = [problem.in_variables(x) for x in y]
        value = problem.in_variables(candidate.value)
        D = least_common_multiple([value.below, *(x.below for x in own)], problem.ring)
        D = D / D.leading_coefficient()
        if has_negative(D):
            return None
        return _Dual(self, D, [self.data.over(x, D) for x in own], self.data.over(value, D))

    def _tree(self, duals: list[_Dual], hypotheses: list[Polynomial], points: Floats, depth: int) -> Leaf | Split:
        """Return a proof on the part of the region where the hypotheses are true."""
        counted = sorted(duals, key=lambda dual: -dual.served(points))
        unproved: list[Polynomial] = []
        for dual in counted:
            if dual.served(points) == points.shape[1]:
                try:
                    return dual.leaf(hypotheses)
                except OpenConditionError as error:
                    unproved.append(error.condition)
        failure = OpenConditionError(unproved[0] if unproved else None)
        if depth == _DEPTH:
            raise failure
        for condition in [*counted[0].failing(points), *unproved][:2]:
            if condition in hypotheses or -condition in hypotheses:
                continue
            at = polynomial_at(condition, points)[0]
            try:
                return Split(
                    condition,
                    self._tree(duals, [*hypotheses, condition], points[:, at >= 0], depth + 1),
                    self._tree(duals, [*hypotheses, -condition], points[:, at <= 0], depth + 1),
                )
            except OpenConditionError as error:
                failure = error
        raise failure

    def identity(self, condition: Polynomial, hypotheses: Sequence[Polynomial]) -> Multiple | None:
        """Return an identity that proves a condition; searches are kept."""
        key = f"{condition}; {len(hypotheses)}; {hypotheses[len(self.values) - 1 :]}"
        if key not in self.known:
            self.known[key] = None
            listed = [terms_of(h) for h in hypotheses if h]
            for degree in range(self.degree + 1):
                found = positive_multiple(terms_of(condition), listed, degree)
                if found is not None:
                    self.known[key] = found
                    break
        return self.known[key]


class _Dual:
    """A dual of a formula, with its conditions."""

    def __init__(self, prover: FamilyProver, D: Polynomial, y: list[Polynomial], V: Polynomial) -> None:
        self.prover, self.D, self.y = prover, D, y
        data = prover.data
        u = prover.problem.ring.generators[-1]
        self.numerators = []
        for total, inside, members in data.rows:
            found = D * (total + u * inside) - data.denominator * V
            for count, part in zip(members, y, strict=True):
                if count:
                    found = found - data.denominator * count * part
            self.numerators.append(found)
        over = D * data.denominator
        self.conditions: list[tuple[Polynomial, Polynomial] | None] = []  # the condition and its factor
        self.unique: dict[str, Polynomial] = {}
        for numerator in self.numerators:
            if not has_negative(numerator):
                self.conditions.append(None)
                continue
            factor = numerator.gcd(over)
            factor = factor / factor.leading_coefficient()
            if has_negative(factor):
                factor = prover.problem.ring.one
            reduced = numerator / factor
            self.unique.setdefault(str(reduced), reduced)
            self.conditions.append((reduced, factor))

    def served(self, points: Floats) -> int:
        """Return at how many points all conditions are true."""
        good = np.ones(points.shape[1], dtype=bool)
        for condition in self.unique.values():
            value, size = polynomial_at(condition, points)
            good &= value >= -_SLACK * size
        return int(good.sum())

    def failing(self, points: Floats) -> list[Polynomial]:
        """Return the conditions that fail at some points, those that fail most often first."""
        found = []
        for condition in self.unique.values():
            value, size = polynomial_at(condition, points)
            found.append((int((value < -_SLACK * size).sum()), condition))
        return [condition for count, condition in sorted(found, key=lambda pair: -pair[0]) if count]

    def leaf(self, hypotheses: Sequence[Polynomial]) -> Leaf:
        """Return the leaf of the dual with an identity for each condition.

        Raises:
            OpenConditionError: a condition has none.
        """
        identities: list[Identity] = []
        places: dict[str, int] = {}
        for condition in sorted(self.unique.values(), key=lambda p: len(p.coeffs())):
            multiple = self.prover.identity(condition, hypotheses)
            if multiple is None:
                raise OpenConditionError(condition)
            places[str(condition)] = len(identities)
            identities.append(Identity(condition, multiple))
        conditions = tuple(None if pair is None else (places[str(pair[0])], pair[1]) for pair in self.conditions)
        return Leaf(self.D, tuple(self.y), tuple(identities), conditions)
