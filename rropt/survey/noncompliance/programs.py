"""Build and solve linear programs over all populations whose response proportions lie within bounds (see `models`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rropt.core.certificates import Certificate, certify_infeasible, certify_optimal
from rropt.core.errors import InvalidParameterError
from rropt.core.linear import Infeasible, LinearProgram, Optimal, ProgramBuilder, solve
from rropt.core.linear.programs import Relation, Sense
from rropt.core.results import Result, labelled
from rropt.survey.noncompliance.models import Population, Vector

Ends: TypeAlias = Sequence[Sequence[tuple[Fraction, Fraction]]]
"""For each sample and output, the lower and the upper bound of its probability."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of the variables of one population: compliers, and non-compliers by behaviour and category."""

    compliers: tuple[int, ...]
    noncompliers: tuple[tuple[tuple[int, int], ...], ...]  # pairs (category, column)

    def prevalences(self, contrast: Sequence[Fraction]) -> list[tuple[int, Fraction]]:
        """Return the terms (column, coefficient) of the linear expression ``contrast . pi``."""
        terms = [(column, contrast[j]) for j, column in enumerate(self.compliers)]
        return terms + [(column, contrast[j]) for columns in self.noncompliers for j, column in columns]

    def share_of_noncompliers(self) -> list[tuple[int, int]]:
        """Return the terms (column, coefficient) of theta, the proportion of non-compliers."""
        return [(column, 1) for columns in self.noncompliers for _, column in columns]


class Program:
    """A linear program over all populations whose response proportions lie within bounds.

    Args:
        sense: whether the objective is minimized or maximized.
        populations: each population with the bounds for its response proportions.
    """

    def __init__(self, sense: Sense, populations: Iterable[tuple[Population, Ends]]) -> None:
        self._builder = ProgramBuilder(sense)
        self.objective = self._builder.variable("objective", cost=1, sign="free")
        self.columns = [self._add(population, ends) for population, ends in populations]

    def _add(self, population: Population, ends: Ends) -> Columns:
        builder, k = self._builder, population.categories
        compliers = tuple(builder.variable(f"compliers with category {j}") for j in range(k))
        noncompliers = tuple(
            tuple((j, builder.variable(f"{behaviour} with category {j}")) for j in behaviour.categories(k))
            for behaviour in population.noncompliers
        )
        columns = Columns(compliers, noncompliers)
        everybody: list[tuple[int, int]] = [(column, 1) for column in compliers]
        builder.row("everybody", everybody + columns.share_of_noncompliers(), "=", 1)
        for behaviour, own in zip(population.noncompliers, noncompliers, strict=True):
            if behaviour.most is not None:
                builder.row(f"{behaviour}", [(column, 1) for _, column in own], "<=", behaviour.most)
        for s, (sample, of_sample) in enumerate(zip(population.samples, ends, strict=True)):
            m, matrix = sample.mechanism.outputs, sample.mechanism.matrix
            terms = [[(compliers[j], matrix[i][j]) for j in range(k)] for i in range(m)]
            for behaviour, own in zip(population.noncompliers, noncompliers, strict=True):
                if behaviour.free:
                    free = [builder.variable(f"sample {s}: {behaviour} who answer {i}") for i in range(m)]
                    answers: list[tuple[int, int]] = [(column, 1) for column in free]
                    builder.row(f"sample {s}: {behaviour}", answers + [(column, -1) for _, column in own], "=", 0)
                    for i, column in enumerate(free):
                        terms[i].append((column, Fraction(1)))
                else:
                    for j, column in own:
                        for i, chance in enumerate(behaviour.law(sample.mechanism, j)):
                            terms[i].append((column, chance))
            for i, (low, high) in enumerate(of_sample):
                if low == high:
                    builder.row(f"sample {s}: answer {i}", terms[i], "=", low)
                else:
                    builder.row(f"sample {s}: answer {i} at least", terms[i], ">=", low)
                    builder.row(f"sample {s}: answer {i} at most", terms[i], "<=", high)
        return columns

    def limit_noncompliers(self, relation: Relation, theta: Fraction) -> None:
        """Constrain the proportion of non-compliers in each population: equal to (``=``) or at most (``<=``) theta."""
        for columns in self.columns:
            self._builder.row("noncompliers", columns.share_of_noncompliers(), relation, theta)

    def target(self, contrasts: Sequence[Sequence[Fraction]]) -> list[tuple[int, Fraction]]:
        """Return the terms of the target, the sum of ``contrast . pi`` over the populations."""
        pairs = zip(self.columns, contrasts, strict=True)
        return [term for columns, contrast in pairs for term in columns.prevalences(contrast)]

    def optimise(self, contrasts: Sequence[Sequence[Fraction]]) -> LinearProgram:
        """Return the linear program whose objective is the target."""
        self._builder.row("objective", [(self.objective, Fraction(-1)), *self.target(contrasts)], "=", 0)
        return self._builder.build()

    def least_noncompliers(
        self,
        contrasts: Sequence[Sequence[Fraction]] | None = None,
        relation: Relation = "=",
        value: Fraction = Fraction(0),
    ) -> LinearProgram:
        """Return the program for the least proportion of non-compliers, with the constraint ``target relation value``.

        Without contrasts, this constraint is omitted.
        """
        if contrasts is not None:
            self._builder.row("conclusion", self.target(contrasts), relation, value)
        for columns in self.columns:
            terms = [(self.objective, Fraction(1)), *((c, Fraction(-1)) for c, _ in columns.share_of_noncompliers())]
            self._builder.row("noncompliers", terms, ">=", 0)
        return self._builder.build()


@dataclass(frozen=True, slots=True)
class Attained(Result):
    """A population that attains a bound: proportions of compliers and non-compliers by behaviour and category.

    Attributes:
        compliers: the proportion of compliers in each category, shape (k,).
        noncompliers: for each behaviour, the proportion of such non-compliers in each category, shape (k,).
    """

    compliers: Vector
    noncompliers: tuple[Vector, ...]

    LABELS = labelled(prevalences="prevalences", theta="proportion of non-compliers", compliers="compliers by category")

    def checked(self) -> None:
        """Raise InvalidParameterError unless all vectors have the same number of categories."""
        if {len(shares) for shares in self.noncompliers} - {len(self.compliers)}:
            raise InvalidParameterError(
                "a population has proportions of different numbers of categories: allowed is one"
            )

    @property
    def prevalences(self) -> Vector:
        """pi, shape (k,)."""
        return tuple(map(sum, zip(self.compliers, *self.noncompliers, strict=True)))  # type: ignore[arg-type]

    @property
    def theta(self) -> Fraction:
        """The proportion of non-compliers."""
        return sum((share for shares in self.noncompliers for share in shares), Fraction(0))


def fits(population: Population, ends: Ends, found: Attained) -> bool:
    """Return whether a population is feasible: its response probabilities lie within the bounds.

    The test is exact and solves no linear program. Non-compliers who may give any response fill the gaps of each
    sample. Let b_i be the probability of output i without them, and F their proportion. They can fill the gaps if and
    only if ``b_i <= high_i`` for every i and ``sum max(low_i - b_i, 0) <= F <= sum (high_i - b_i)``.
    """
    k = population.categories
    if len(found.compliers) != k or len(found.noncompliers) != len(population.noncompliers):
        return False
    everybody = [*found.compliers, *(share for shares in found.noncompliers for share in shares)]
    if min(everybody) < 0 or sum(everybody) != 1:
        return False
    for behaviour, shares in zip(population.noncompliers, found.noncompliers, strict=True):
        elsewhere = any(share for j, share in enumerate(shares) if j not in behaviour.categories(k))
        if elsewhere or (behaviour.most is not None and sum(shares) > behaviour.most):
            return False
    free = Fraction(sum(sum(s) for b, s in zip(population.noncompliers, found.noncompliers, strict=True) if b.free))
    for sample, of_sample in zip(population.samples, ends, strict=True):
        chances = [
            sum((x * share for x, share in zip(row, found.compliers, strict=True)), Fraction(0))
            for row in sample.mechanism.matrix
        ]
        for behaviour, shares in zip(population.noncompliers, found.noncompliers, strict=True):
            if not behaviour.free:
                for j in behaviour.categories(k):
                    law = behaviour.law(sample.mechanism, j)
                    chances = [chance + shares[j] * own for chance, own in zip(chances, law, strict=True)]
        room = [high - chance for chance, (_, high) in zip(chances, of_sample, strict=True)]
        lacking = sum(max(low - chance, Fraction(0)) for chance, (low, _) in zip(chances, of_sample, strict=True))
        if min(room) < 0 or not lacking <= free <= sum(room):
            return False
    return True


def optimum(program: LinearProgram, contradictions: list[Certificate]) -> tuple[Optimal, Certificate] | None:
    """Solve a linear program and return its optimum with its certificate.

    If the program is infeasible, append the certificate of infeasibility to ``contradictions`` and return None.
    """
    outcome = solve(program)
    if isinstance(outcome, Infeasible):
        contradictions.append(Certificate.attempt(lambda: certify_infeasible(program, outcome), {}))
        return None
    assert isinstance(outcome, Optimal)  # not unbounded, because prevalences lie in [0, 1]
    return outcome, Certificate.attempt(lambda: certify_optimal(program, outcome), {})


def attained(program: Program, outcome: Optimal) -> tuple[Attained, ...]:
    """Return the populations at an optimal point, in the order of the groups."""
    x = outcome.primal
    populations = []
    for columns in program.columns:
        k = len(columns.compliers)
        by_behaviour = ([dict(own).get(j) for j in range(k)] for own in columns.noncompliers)
        noncompliers = tuple(tuple(Fraction(0) if c is None else x[c] for c in row) for row in by_behaviour)
        populations.append(Attained(tuple(x[column] for column in columns.compliers), noncompliers))
    return tuple(populations)
