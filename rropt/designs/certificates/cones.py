"""Certificates of designs with m outputs, or with bounds on the entries (FORMAT.md, rule 22): rational duals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.core.certificates.record import Certificate
from rropt.core.exact import Bracket, as_text
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.mechanism import text_rows
from rropt.objectives.special_cases import Rows

if TYPE_CHECKING:
    from rropt.designs.certificates.design_bracket import RayDual
    from rropt.designs.problem import Problem
    from rropt.objectives.variance_sums import VarianceSum
    from rropt.privacy.region import RationalLevels

Numbers = Sequence[Fraction]
Halving = tuple[int, int, int]


class ConeDual(NamedTuple):
    """A dual (W, alpha, beta) with ``abs(r W)^2 <= ((alpha + beta_i) . r)(r . pi)`` for all rows r of output i.

    W has one column for a contrast; ``beta`` is ``None`` if it is 0.
    """

    matrix: Rows
    alpha: tuple[Fraction, ...]
    beta: Rows | None

    def excess(self, cones: Sequence[Sequence[Numbers]], pi: Numbers) -> Fraction:
        """Return the smallest multiple of pi that, added to alpha, makes the inequality true at all generators.

        It may be negative.
        """
        return max(self._excess(i, ray, pi) for i, cone in enumerate(cones) for ray in cone)

    def _excess(self, i: int, ray: Numbers, pi: Numbers) -> Fraction:
        mean = dot(ray, pi)
        slopes = self.alpha if self.beta is None else [a + b for a, b in zip(self.alpha, self.beta[i], strict=True)]
        square = sum((dot(ray, column) ** 2 for column in zip(*self.matrix, strict=True)), Fraction(0))
        return (square / mean - dot(slopes, ray)) / mean

    def raised(self, by: Fraction, pi: Numbers) -> ConeDual:
        """Return the dual solution with ``by * pi`` added to alpha."""
        return self._replace(alpha=tuple(a + by * p for a, p in zip(self.alpha, pi, strict=True)))

    def bound(self, problem: Problem) -> Fraction | None:
        """Return the lower bound that the dual proves if it is feasible; ``None`` if it proves infeasibility."""
        reached, objective, pi = sum(self.alpha, Fraction(0)), problem.objective.variances(), problem.population
        for line, least, most in zip(self.beta or (), *(problem.region.bounds or ((), ())), strict=False):
            ends = zip(line, least, most, strict=True)
            reached += sum((b * (high if b > 0 else low) for b, low, high in ends), Fraction(0))
        return None if reached < 0 else objective.proved(self.matrix, reached, pi)

    def written(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        beta = None if self.beta is None else text_rows(self.beta)
        return {"alpha": [as_text(x) for x in self.alpha], **written_columns(self.matrix), "bounds": beta}


def cone_dual(dual: RayDual, objective: VarianceSum, pi: Numbers) -> ConeDual:
    """Convert a dual whose columns of W sum to 0 to one of rule 22 that proves the same bound.

    Let b be the means, and let ``t = tr(B^T W)/sum alpha``. The new matrix is ``pi b^T + t W``. The new alpha follows
    from ``abs(s b + t r W)^2 = s^2 abs(b)^2 + 2 s t r W b + t^2 abs(r W)^2`` with s = r.pi.
    """
    means = objective.means(pi)
    t, square = dual.along(objective.targets(len(pi))) / dual.bound(), dot(means, means)
    matrix = tuple(
        tuple(p * mean + t * x for x, mean in zip(row, means, strict=True))
        for p, row in zip(pi, dual.matrix, strict=True)
    )
    alpha = (
        square * p + 2 * t * dot(row, means) + t**2 * a for p, row, a in zip(pi, dual.matrix, dual.alpha, strict=True)
    )
    return ConeDual(matrix, tuple(alpha), None)


class Cover(NamedTuple):
    """The dual solutions, and for each cell in the order of rule 22 its bisection or the index of its dual.

    If ``cells`` is ``None``, there is a single cell.
    """

    duals: tuple[ConeDual, ...]
    cells: tuple[Halving | int, ...] | None

    def written(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        cells = None
        if self.cells is not None:
            cells = [str(cell) if isinstance(cell, int) else [str(place) for place in cell] for cell in self.cells]
        return {"duals": [dual.written() for dual in self.duals], "cells": cells}


def largest_ratio(problem: Problem, gamma: Fraction) -> Fraction:
    """Return the largest ratio of two entries of a row: gamma, or the ratio that the bounds allow if it is smaller."""
    if problem.region.bounds is None:
        return gamma
    least, most = problem.region.bounds
    lows = [sum(column, Fraction(0)) for column in zip(*least, strict=True)]
    ratios = []
    for low, high in zip(least, most, strict=True):
        ends = [min(b, 1 - total + a) for a, b, total in zip(low, high, lows, strict=True)]
        ratios += [end / a if a else gamma for j, end in enumerate(ends) for i, a in enumerate(low) if i != j]
    return min(gamma, max(ratios))


def certify_cover(
    problem: Problem, levels: RationalLevels, ends: Bracket, mechanism: Mechanism, cover: Cover
) -> Certificate:
    """Return the certificate that the mechanism is in the region and that ``lower <= optimum <= upper``.

    Args:
        problem: an A- or c-optimality problem with a given number of outputs, or bounds on entries.
        levels: rational levels around the problem's level. The mechanism is private at the level below, and the duals
            are feasible at the level above.
        ends: ``lower``, and ``upper``, the value of the mechanism.
        mechanism: a mechanism in the region.
        cover: the dual solutions of all cells.
    """
    claim = {"kind": "design-bracket", **ends.written(), "mechanism": mechanism.to_dict()}
    primal = written_columns(
        problem.objective.solution(mechanism, problem.population) or ((),), ("solution", "inverse")
    )
    witness = {"rule": "cones", **levels.to_dict(), "primal": primal, **cover.written()}
    return Certificate.write(problem.to_dict(), claim, witness)


def written_columns(rows: Rows, names: tuple[str, str] = ("vector", "matrix")) -> dict[str, Any]:
    """Return a matrix in the form of certificates: a single column under the first name, a matrix under the second."""
    one, several = names
    return {one: [as_text(x) for (x,) in rows]} if len(rows[0]) == 1 else {several: text_rows(rows)}
