"""Certificates of designs with m outputs, or with bounds on the entries (checker/branches_way.md): rational duals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.core.certificates.record import Certificate
from rropt.core.exact.numbers import dot
from rropt.designs.writers.bracket_writer import RayDual, efficient_estimator, state_bracket
from rropt.objectives.objective import Rows

if TYPE_CHECKING:
    from rropt.designs.problem import Problem
    from rropt.privacy.region import RationalLevels

Numbers = Sequence[Fraction]
Halving = tuple[int, int, int]


def centred_dual(matrix: Rows, alpha: Numbers, limits: Rows | None, pi: Numbers) -> RayDual:
    """Return the dual for ``W - pi v^T``, v the sums of the columns of W, which proves no less.

    A dual (W, alpha, L) has ``abs(r W)^2 <= ((alpha + L_i) . r)(r . pi)`` for all rows r of output i. The new alpha
    follows from ``abs(r W - s v)^2 = abs(r W)^2 - 2 s r W v + s^2 abs(v)^2`` with s = r.pi.
    """
    sums = tuple(sum(column, Fraction(0)) for column in zip(*matrix, strict=True))
    square = dot(sums, sums)
    moved = tuple(tuple(x - p * v for x, v in zip(row, sums, strict=True)) for row, p in zip(matrix, pi, strict=True))
    own = (a - 2 * dot(row, sums) + square * p for a, row, p in zip(alpha, matrix, pi, strict=True))
    return RayDual(tuple(own), (), moved, limits=limits)


def excess_on(dual: RayDual, cones: Sequence[Sequence[Numbers]], pi: Numbers) -> Fraction:
    """Return the smallest multiple of pi that, added to alpha, makes the inequality true at all generators.

    It may be negative.
    """
    columns, found = list(zip(*dual.matrix, strict=True)), []
    for cone, limits in zip(cones, dual.limits or [(Fraction(0),) * len(pi)] * len(cones), strict=True):
        slopes = [a + b for a, b in zip(dual.alpha, limits, strict=True)]
        for ray in cone:
            mean, square = dot(ray, pi), sum((dot(ray, column) ** 2 for column in columns), Fraction(0))
            found.append((square / mean - dot(slopes, ray)) / mean)
    return max(found)


def bound_of(dual: RayDual, problem: Problem) -> Fraction | None:
    """Return the lower bound that a dual proves if it is feasible; ``None`` if it proves infeasibility."""
    reached = sum(dual.alpha, Fraction(0))
    for line, least, most in zip(dual.limits or (), *(problem.region.bounds or ((), ())), strict=False):
        ends = zip(line, least, most, strict=True)
        reached += sum((b * (high if b > 0 else low) for b, low, high in ends), Fraction(0))
    along = dual.along(problem.objective.targets(len(dual.alpha)))
    return None if reached < 0 else along**2 / reached if reached else Fraction(0)


def _proof_of(dual: RayDual, problem: Problem) -> dict[str, Any]:
    """Return the keys of a dual in a proof."""
    found = {"alpha": dual.alpha, **dual.vectors("c-optimal")}
    zeros = [[Fraction(0)] * len(dual.alpha)] * problem.region.outputs
    return found if problem.region.bounds is None else {**found, "limits": dual.limits or zeros}


class BranchCover(NamedTuple):
    """The dual solutions, and for each cell in the order of the checker its bisection or the index of its dual.

    If ``cells`` is ``None``, there is a single cell.
    """

    duals: tuple[RayDual, ...]
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
        best: a ``ProvedDesign``: a mechanism in the region, ``lower``, ``upper``, its value, and the ``BranchCover``.
    """
    document, ends, mechanism, cover = problem.certified_dict(), best.bracket, best.mechanism, best.dual
    proof: dict[str, Any] = {"estimators": [efficient_estimator(problem, mechanism)]}
    if cover.cells is None:
        proof |= {"slopes": [], **_proof_of(cover.duals[0], problem)}
        return state_bracket(document, levels, ends, mechanism, "rays", proof)
    proof |= {"duals": [_proof_of(dual, problem) for dual in cover.duals], "cells": cover.cells}
    return state_bracket(document, levels, ends, mechanism, "branches", proof)
