"""Candidates for the formulas of a family: the optimal bases of its covers at many points, solved in symbols.

A design is a cover: weights x >= 0 of the kinds of rows with ``sum x (members of class i) = n_i``. Its value is
``(A + B u)/(u + X)``, ``A = sum x L``, ``B = sum x l``, ``X = sum x`` (every_level.md of the checker). The covers do
not depend on u, so a basis that is optimal at one point has a formula for all of them. A simplex method in floats finds
bases; nothing that it finds is trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from rropt.core.exact.flint_numbers import as_flint, as_fraction
from rropt.core.lazy import numpy as np
from rropt.designs.problem_families.classes import FamilyProblem, is_positive
from rropt.designs.problem_families.parts import RowKind
from rropt.designs.problem_families.quotients import RationalFunction, solved

_LEVELS = 36  # of u at each point, from 1/1000 to 10 000
_POINTS = (1, 40, 60, 96, 160)  # of the parameters, by their number
_TIE = 1e-9  # a formula is needed where it is below all others by this part
_BASES = (2, 3, 5, 7)  # of the Halton sequence
_PERTURBED = 1e-7  # of the sizes, so that no basis is degenerate
_PIVOTS = 200

Basis = tuple[int, ...]
Floats = Any


class SymbolicCover(NamedTuple):
    """A basis of rows in symbols: the columns, their weights x, and A, B and X."""

    basis: Basis
    weights: tuple[RationalFunction, ...]
    A: RationalFunction
    B: RationalFunction
    X: RationalFunction


@dataclass(slots=True)
class CandidateFormula:
    """A formula, the bases that have it, and the points at which it is the least.

    Attributes:
        value: the formula ``(A + B u)/(u + X)``.
        covers: its covers, those that were optimal most often first.
        points: the sampled points at which it is the least.
    """

    value: RationalFunction
    covers: list[SymbolicCover] = field(default_factory=list)
    points: Floats = ()


@dataclass(slots=True)
class Sample:
    """Values of the variables of the parameters, with the costs there, as floats."""

    variables: tuple[float, ...]
    members: Floats
    totals: Floats
    inside: Floats


@dataclass(slots=True)
class SampledFamily:
    """The points, the least value at each, and the candidates.

    Attributes:
        points: the points: a row for each variable and one for u.
        values: the least value at each point.
        candidates: the formulas.
    """

    points: Floats
    values: Floats
    candidates: list[CandidateFormula]


def sampled(problem: FamilyProblem) -> SampledFamily:
    """Return the formulas that are least somewhere on a grid of parameters and levels."""
    columns = [column for column in problem.columns if not column.is_empty]
    start = _first_basis(problem, columns)
    points: list[tuple[float, ...]] = []
    best: list[float] = []
    bases: list[Basis] = []
    levels = np.geomspace(1.013e-3, 1e4, _LEVELS)
    for sample in _samples(problem, columns):
        basis = start
        for u in levels:
            basis, value = _optimal(sample, float(u), basis)
            points.append((*sample.variables, float(u)))
            best.append(value)
            bases.append(basis)
    counts: dict[Basis, int] = {}
    for basis in bases:
        counts[basis] = counts.get(basis, 0) + 1
    found: dict[str, CandidateFormula] = {}
    for basis in sorted(counts, key=lambda b: -counts[b]):
        cover = _cover(problem, columns, basis)
        if cover is not None:
            formula = value_of(problem, cover)
            found.setdefault(f"{formula.above}/{formula.below}", CandidateFormula(formula)).covers.append(cover)
    listed = np.array(points).T
    return SampledFamily(listed, np.array(best), _needed(problem, list(found.values()), listed))


def value_of(problem: FamilyProblem, cover: SymbolicCover) -> RationalFunction:
    """Return ``(A + B u)/(u + X)``."""
    u = problem.ring.name("u")
    return (cover.A + cover.B * u) / (u + cover.X)


def _needed(problem: FamilyProblem, candidates: list[CandidateFormula], points: Floats) -> list[CandidateFormula]:
    """Return the candidates that are below all others at some point, with these points."""
    values = np.array([values_at(problem.in_variables(one.value), points) for one in candidates])
    kept = list(range(len(candidates)))
    for i in sorted(kept, key=lambda n: (values[n] <= values.min(axis=0) + _TIE).sum()):
        others = [j for j in kept if j != i]
        if others:
            least = values[others].min(axis=0)
            if not (values[i] < least - _TIE * np.maximum(1, abs(least))).any():
                kept = others
    for i in kept:
        least = values[kept].min(axis=0)
        near = values[i] <= least + _TIE * np.maximum(1, abs(least))
        candidates[i].points = np.flatnonzero(near)
    return sorted((candidates[i] for i in kept), key=lambda one: (len(text := problem.text(one.value)), text))


def values_at(quotient: RationalFunction, points: Floats) -> Floats:
    """Return the values of a rational function of the variables at points, as floats."""
    return polynomial_at(quotient.above, points)[0] / polynomial_at(quotient.below, points)[0]


def polynomial_at(polynomial: Any, points: Floats) -> tuple[Floats, Floats]:
    """Return the values of a polynomial at points, and the sums of the absolute values of its terms."""
    total, size = np.zeros(points.shape[1]), np.zeros(points.shape[1])
    for exponents, value in polynomial.to_dict().items():
        term = np.full(points.shape[1], float(as_fraction(value)))
        for x, e in zip(points, exponents, strict=True):
            if e:
                term = term * x ** int(e)
        total, size = total + term, size + abs(term)
    return total, size


def _samples(problem: FamilyProblem, columns: Sequence[RowKind]) -> Iterator[Sample]:
    """Yield points of the parameters: their variables fill the logarithmic cube from 1/40 to 40."""
    count = len(problem.parameters)
    for number in range(_POINTS[count]):
        yield _sample(problem, columns, [40.0 ** (2 * _halton(number + 1, base) - 1) for base in _BASES[:count]])
    for choice in product((0.0, 3.0), repeat=sum(p.whole for p in problem.parameters)) if count else ():
        listed = iter(choice)
        yield _sample(problem, columns, [next(listed) if p.whole else 0.7 for p in problem.parameters])


def _sample(problem: FamilyProblem, columns: Sequence[RowKind], variables: Sequence[float]) -> Sample:
    near = [Fraction(x).limit_denominator(1000) for x in variables]
    point = (*(as_flint(p.at(x)) for p, x in zip(problem.parameters, near, strict=True)), as_flint(0))
    sizes = [float(size(point)) for size in problem.sizes]
    members = np.array([[float(x(point)) for x in column.members] for column in columns]) / sizes
    totals = [float(total(point)) for total in problem.totals]
    inside = np.array([float(column.inside(point)) for column in columns])
    listed = np.array([totals[column.decision] for column in columns])
    is_empty = members.sum(axis=1) < 1e-12  # all of a class of one but the own member
    return Sample(tuple(map(float, near)), members, np.where(is_empty, abs(listed).max() + 1, listed), inside)


def _halton(number: int, base: int) -> float:
    found, part = 0.0, 1.0
    while number:
        part /= base
        found += part * (number % base)
        number //= base
    return found


def _first_basis(problem: FamilyProblem, columns: Sequence[RowKind]) -> Basis:
    """Return the basis that has the first decision everywhere: one row for each class."""
    own = problem.decisions[0].own
    place = {(c.decision, c.classes, c.own): n for n, c in enumerate(columns)}
    size = len(problem.classes)
    return tuple(place[0, tuple(int(i == j) for j in range(size)), int(i == own)] for i in range(size))


def _optimal(sample: Sample, u: float, basis: Basis) -> tuple[Basis, float]:
    """Return an optimal basis and the value at a level, by the simplex method for quotients, from a feasible basis."""
    size = sample.members.shape[1]
    right = 1 + _PERTURBED * np.array([1 / (i + 2) + (i * i) % 3 for i in range(size)])
    listed = list(basis)
    costs = sample.totals + u * sample.inside
    value = 0.0
    for _ in range(_PIVOTS):
        matrix = sample.members[listed]
        x = np.linalg.solve(matrix.T, right)
        value = float(x @ costs[listed]) / (u + x.sum())
        y = np.linalg.solve(matrix, costs[listed] - value)
        gains = costs - value - sample.members @ y
        entering = int(np.argmin(gains))
        if gains[entering] > -1e-10 * max(1.0, abs(value), u * abs(sample.inside).max()):
            break
        along = np.linalg.solve(matrix.T, sample.members[entering])
        positive = along > 1e-11
        ratios = np.where(positive, x / np.where(positive, along, 1), np.inf)
        listed[int(np.argmin(ratios))] = entering
    exact = np.linalg.solve(sample.members[listed].T, np.ones(size))
    return tuple(listed), float(exact @ costs[listed]) / (u + exact.sum())


def _cover(problem: FamilyProblem, columns: Sequence[RowKind], basis: Basis) -> SymbolicCover | None:
    """Return the cover of a basis in symbols; None if a weight has coefficients of two signs."""
    chosen = [columns[j] for j in basis]
    rows = [[column.members[i] for column in chosen] for i in range(len(problem.classes))]
    weights = solved(rows, problem.sizes)
    if weights is None:
        return None
    if any(x and not is_positive(problem.in_variables(x)) for x in weights):
        return None
    A = B = X = problem.ring.number(0)
    for x, column in zip(weights, chosen, strict=True):
        A, B, X = A + x * problem.totals[column.decision], B + x * column.inside, X + x
    places = tuple(problem.columns.index(column) for column in chosen)
    return SymbolicCover(places, tuple(weights), A, B, X)
