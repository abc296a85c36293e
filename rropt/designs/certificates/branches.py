"""Certificates of designs with m outputs, or with bounds on the entries (checker/branches_way.md): rational duals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.core.certificates.record import Certificate
from rropt.core.exact.numbers import dot
from rropt.designs.certificates.design_bracket import RayDual, state_bracket
from rropt.mechanisms import Mechanism
from rropt.objectives.objective import Rows

if TYPE_CHECKING:
    from rropt.designs.problem import Problem
    from rropt.privacy.region import RationalLevels

Numbers = Sequence[Fraction]
Halving = tuple[int, int, int]


class ConeDual(NamedTuple):
    """A dual (W, alpha, L) with ``abs(r W)^2 <= ((alpha + L_i) . r)(r . pi)`` for all rows r of output i.

    The columns of W sum to 0, one for each contrast; ``limits`` is ``None`` if L is 0.
    """

    matrix: Rows
    alpha: tuple[Fraction, ...]
    limits: Rows | None

    @classmethod
    def of(cls, dual: RayDual) -> ConeDual:
        """Return the dual of the engine, which serves all rows."""
        return cls(dual.matrix, dual.alpha, None)

    @classmethod
    def centred(cls, matrix: Rows, alpha: Numbers, limits: Rows | None, pi: Numbers) -> ConeDual:
        """Return the dual for ``W - pi v^T``, v the sums of the columns of W, which proves no less.

        The new alpha follows from ``abs(r W - s v)^2 = abs(r W)^2 - 2 s r W v + s^2 abs(v)^2`` with s = r.pi.
        """
        sums = tuple(sum(column, Fraction(0)) for column in zip(*matrix, strict=True))
        square = dot(sums, sums)
        moved = tuple(
            tuple(x - p * v for x, v in zip(row, sums, strict=True)) for row, p in zip(matrix, pi, strict=True)
        )
        own = (a - 2 * dot(row, sums) + square * p for a, row, p in zip(alpha, matrix, pi, strict=True))
        return cls(moved, tuple(own), limits)

    def excess(self, cones: Sequence[Sequence[Numbers]], pi: Numbers) -> Fraction:
        """Return the smallest multiple of pi that, added to alpha, makes the inequality true at all generators.

        It may be negative.
        """
        return max(self._excess(i, ray, pi) for i, cone in enumerate(cones) for ray in cone)

    def _excess(self, i: int, ray: Numbers, pi: Numbers) -> Fraction:
        mean = dot(ray, pi)
        slopes = self.alpha if self.limits is None else [a + b for a, b in zip(self.alpha, self.limits[i], strict=True)]
        square = sum((dot(ray, column) ** 2 for column in zip(*self.matrix, strict=True)), Fraction(0))
        return (square / mean - dot(slopes, ray)) / mean

    def raised(self, by: Fraction, pi: Numbers) -> ConeDual:
        """Return the dual solution with ``by * pi`` added to alpha."""
        return self._replace(alpha=tuple(a + by * p for a, p in zip(self.alpha, pi, strict=True)))

    def bound(self, problem: Problem) -> Fraction | None:
        """Return the lower bound that the dual proves if it is feasible; ``None`` if it proves infeasibility."""
        reached = sum(self.alpha, Fraction(0))
        for line, least, most in zip(self.limits or (), *(problem.region.bounds or ((), ())), strict=False):
            ends = zip(line, least, most, strict=True)
            reached += sum((b * (high if b > 0 else low) for b, low, high in ends), Fraction(0))
        targets = problem.objective.variances().targets(len(self.alpha))
        along = RayDual(self.alpha, (), self.matrix).along(targets)
        return None if reached < 0 else along**2 / reached if reached else Fraction(0)

    def proof(self, problem: Problem) -> dict[str, Any]:
        """Return the keys of a dual in a proof."""
        found = {"alpha": self.alpha, "vectors": [list(zip(*self.matrix, strict=True))]}
        if problem.region.bounds is None:
            return found
        zeros = [[Fraction(0)] * len(self.alpha)] * problem.region.outputs
        return {**found, "limits": self.limits or zeros}


class Cover(NamedTuple):
    """The dual solutions, and for each cell in the order of the checker its bisection or the index of its dual.

    If ``cells`` is ``None``, there is a single cell.
    """

    duals: tuple[ConeDual, ...]
    cells: tuple[Halving | int, ...] | None


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


def certify_cells(problem: Problem, levels: RationalLevels, best: Any) -> Certificate:
    """Return the certificate that the mechanism is in the region and that ``lower <= optimum <= upper``.

    Args:
        problem: an A- or c-optimality problem with a given number of outputs, or bounds on entries.
        levels: rational levels around the problem's level. The mechanism is private at the level below, and the duals
            are feasible at the level above.
        best: a ``ProvedDesign``: a mechanism in the region, ``lower``, ``upper``, its value, and the ``Cover``.
    """
    document, ends, mechanism, cover = problem.certified_dict(), best.bracket, best.mechanism, best.dual
    proof: dict[str, Any] = {"estimators": [_estimator(problem, mechanism)]}
    if cover.cells is None:
        proof |= {"slopes": [], **cover.duals[0].proof(problem)}
        return state_bracket(document, levels, ends, mechanism, "rays", proof)
    proof |= {"duals": [dual.proof(problem) for dual in cover.duals], "cells": cover.cells}
    return state_bracket(document, levels, ends, mechanism, "branches", proof)


def _estimator(problem: Problem, mechanism: Mechanism) -> list[list[Fraction]]:
    """Return ``Z^T p_i/s_i`` with M Z = C^T, the efficient estimator, with a column for each output."""
    solution, chances = (
        problem.objective.variances().solution(mechanism, problem.population) or (),
        mechanism.apply(problem.population),
    )
    return [
        [dot(column, row) / s if s else Fraction(0) for row, s in zip(mechanism.matrix, chances, strict=True)]
        for column in zip(*solution, strict=True)
    ]
