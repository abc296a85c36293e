"""Designs over groups of categories with equal proportions: rational mechanisms and duals, certified by rule 14.

Mechanism and dual are rounded from floats. As in ``staircase_dual``, ``W = pi pi^T + Z`` and ``alpha = t pi + beta``
with ``Z 1 = 0`` and ``1 . beta = 0`` exactly. The number t is the smallest one for which the inequality holds for all
counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.core.certificates.record import Certificate
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Bracket, as_text
from rropt.core.exact.numbers import dot
from rropt.designs.certificates.staircase_dual import StaircaseDesign
from rropt.mechanisms import OrbitMechanism
from rropt.mechanisms.left_inverse import consistent_solution
from rropt.mechanisms.orbits import GroupMatrix, grouped_information
from rropt.objectives.estimators import raised_to_bits

if TYPE_CHECKING:
    from rropt.designs.problem import Problem
    from rropt.privacy.region import RationalLevels

Numbers = Sequence[Fraction]
Counts = Sequence[int]

_BITS = 72  # of rounded numbers, relative to the largest number of their kind: finer than floats
_NEAR = 1e-11  # relative: a thousand times the rounding error of a sum of a hundred products in floats


class OrbitDual(NamedTuple):
    """The dual solution (W, alpha) over groups; it proves ``tr M^-1 >= (tr W)^2 / sum alpha``."""

    matrix: GroupMatrix
    alpha: tuple[Fraction, ...]
    shares: tuple[Fraction, ...]

    def bound(self) -> Fraction:
        """Return the lower bound of ``tr M^-1 - pi . pi``."""
        sizes = self.matrix.groups
        total = dot(self.alpha, sizes)
        squares = sum((n * p * p for n, p in zip(sizes, self.shares, strict=True)), Fraction(0))
        return self.matrix.trace() ** 2 / total - squares

    def written(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        return {"alpha": [as_text(x) for x in self.alpha], "matrix": self.matrix.written()}


def written_out(dual: OrbitDual) -> tuple[list[list[Fraction]], list[Fraction]]:
    """Return W (k x k) and alpha with one entry per category instead of one per group."""
    own = dual.matrix
    place = [g for g, n in enumerate(own.groups) for _ in range(n)]
    rows = [[own.blocks[g][h] + own.diagonal[g] * (i == j) for j, h in enumerate(place)] for i, g in enumerate(place)]
    return rows, [dual.alpha[g] for g in place]


def orbit_mechanism(
    groups: Sequence[int], counts: Sequence[Counts], weights: Sequence[float], rank: int, gamma: Fraction
) -> OrbitMechanism | None:
    """Return the exactly stochastic mechanism of all staircase rows with these counts; ``None`` if a weight is < 0.

    Args:
        groups: n_g, the numbers of categories in the groups.
        counts: for each orbit and group, how many entries of a row are gamma. The group means of the first ``rank``
            orbits are linearly independent.
        weights: the approximate total weight of each orbit. The weights after the first ``rank`` are rounded.
        rank: the number of groups, or fewer if the group means have a smaller rank.
        gamma: the odds bound at which the mechanism is private.
    """
    means = [[1 + (gamma - 1) * Fraction(c, n) for c, n in zip(each, groups, strict=True)] for each in counts]
    theta = [raised_to_bits(weight, max(weights), _BITS) for weight in weights[rank:]]
    given = [
        sum((t * row[g] for t, row in zip(theta, means[rank:], strict=True)), Fraction(0)) for g in range(len(groups))
    ]
    first = consistent_solution(list(zip(*means[:rank], strict=True)), [1 - x for x in given])
    if first is None or min([*first, *theta]) < 0:
        return None
    rows = []
    for each, total in zip(counts, [*first, *theta], strict=True):
        if total:
            least = total / prod(comb(n, c) for n, c in zip(groups, each, strict=True))
            both = ([(least, n - c), (least * gamma, c)] for n, c in zip(groups, each, strict=True))
            rows.append([[(value, often) for value, often in pairs if often] for pairs in both])
    return OrbitMechanism(groups, rows)


def rounded_orbit_dual(
    groups: Sequence[int],
    shares: Numbers,
    alone: Sequence[float],
    blocks: Sequence[Sequence[float]],
    beta: Sequence[float],
    gamma: Fraction,
) -> OrbitDual:
    """Return the rational dual solution for an approximate symmetric ``Z = diag(alone) + blocks`` and beta, at a level.

    The off-diagonal blocks of Z and ``alone`` are rounded. The diagonal blocks then follow, because the rows of Z sum
    to 0.
    """
    size = len(groups)
    largest = max([*map(abs, alone), *(abs(blocks[g][h]) for g in range(size) for h in range(size))])
    diagonal = [raised_to_bits(x, largest, _BITS) for x in alone]
    z = [
        [raised_to_bits(blocks[min(g, h)][max(g, h)], largest, _BITS) * (g != h) for h in range(size)]
        for g in range(size)
    ]
    for g, row in enumerate(z):
        row[g] = -(diagonal[g] + dot(row, groups)) / groups[g]
    slopes = [raised_to_bits(x, max(map(abs, beta)), _BITS) for x in beta]
    slopes[0] -= dot(slopes, groups) / groups[0]
    whole = GroupMatrix(tuple(groups), tuple(diagonal), tuple(map(tuple, z)))
    needed = _needed(whole, slopes, gamma, shares)
    return _dual(whole, slopes, raised_to_bits(needed, needed, _BITS), shares)


def exact_orbit_dual(mechanism: OrbitMechanism) -> OrbitDual:
    """Return the dual of a mechanism with one group and one orbit at its level; it proves optimality if that holds."""
    (n,), gamma = mechanism.groups, mechanism.parity()
    share = Fraction(1, n)
    information = grouped_information(mechanism, [share] * n)
    inverse = information.inverse() if information else None
    if inverse is None or gamma is None:
        raise UnsupportedProblemError(f"the mechanism reveals nothing about the truth: received {mechanism}")
    z = GroupMatrix(inverse.groups, inverse.diagonal, ((inverse.blocks[0][0] - share**2,),))
    return _dual(z, [Fraction(0)], _needed(z, [Fraction(0)], gamma, [share]), [share])


def _dual(z: GroupMatrix, beta: Numbers, t: Fraction, shares: Numbers) -> OrbitDual:
    blocks = tuple(
        tuple(x + p * q for x, q in zip(row, shares, strict=True)) for row, p in zip(z.blocks, shares, strict=True)
    )
    alpha = tuple(t * p + b for p, b in zip(shares, beta, strict=True))
    return OrbitDual(GroupMatrix(z.groups, z.diagonal, blocks), alpha, tuple(shares))


def _needed(z: GroupMatrix, beta: Numbers, gamma: Fraction, shares: Numbers) -> Fraction:
    """Return the smallest t >= ``abs(pi + h Z)^2 - beta . h`` for all counts, exactly.

    Floats select the counts that can attain the maximum. At an input of group g, ``h = S/s - 1`` is ``gamma/s - 1``
    where S is gamma, and ``1/s - 1`` where S is 1.
    """
    needed = Fraction(0)
    for counts in _deciding(z, beta, gamma, shares):
        s = 1 + (gamma - 1) * dot(shares, counts)
        high, low = gamma / s - 1, 1 / s - 1
        sums = [c * high + (n - c) * low for n, c in zip(z.groups, counts, strict=True)]
        side = -dot(beta, sums)
        for g, (n, c) in enumerate(zip(z.groups, counts, strict=True)):
            t = shares[g] + sum((total * row[g] for total, row in zip(sums, z.blocks, strict=True)), Fraction(0))
            side += c * (t + high * z.diagonal[g]) ** 2 + (n - c) * (t + low * z.diagonal[g]) ** 2
        needed = max(needed, side)
    return needed


def _deciding(z: GroupMatrix, beta: Numbers, gamma: Fraction, shares: Numbers) -> list[Counts]:
    """Return the counts that can attain the maximum of the right-hand side, selected in floating point."""
    import numpy as np

    listed = list(product(*(range(n + 1) for n in z.groups)))
    n, pi, slopes, d, blocks = (np.array(x, dtype=float) for x in (z.groups, shares, beta, z.diagonal, z.blocks))
    c = np.array(listed, dtype=float)
    s = 1 + float(gamma - 1) * (c @ pi)[:, None]
    high, low = (float(gamma) - s) / s, (1 - s) / s
    sums = c * high + (n - c) * low
    t, size = pi + sums @ blocks, pi + np.abs(sums) @ np.abs(blocks)
    sides = (c * (t + high * d) ** 2 + (n - c) * (t + low * d) ** 2).sum(1) - sums @ slopes
    sizes = (c * (size + np.abs(high * d)) ** 2 + (n - c) * (size + np.abs(low * d)) ** 2).sum(1)
    sizes += np.abs(sums) @ np.abs(slopes)
    near = sides + _NEAR * sizes >= (sides - _NEAR * sizes).max()
    return [listed[j] for j in np.flatnonzero(near)]


def certify_orbits(problem: Problem, levels: RationalLevels, design: StaircaseDesign) -> Certificate:
    """Return the certificate that the mechanism is private and that ``lower <= optimum <= upper`` (its value).

    Args:
        problem: an A-optimality problem with delta = 0.
        levels: rational levels around the problem's level. The mechanism is private at the level below, and the dual
            is feasible at the level above.
        design: the bracket, a mechanism of orbits, and an ``OrbitDual``.
    """
    mechanism = design.mechanism
    information = grouped_information(mechanism, problem.population) if isinstance(mechanism, OrbitMechanism) else None
    inverse = information.inverse() if information else None
    if inverse is None:
        raise UnsupportedProblemError(
            f"the rule of orbits takes mechanisms that identify the proportions: received {mechanism}"
        )
    claim = {"kind": "design-bracket", **Bracket(design.lower, design.upper).written()}
    witness = {"rule": "orbits", **levels.to_dict(), "dual": design.dual.written()}
    witness["primal"] = {"inverse": inverse.written()}
    return Certificate.write(problem.to_dict(), {**claim, "mechanism": _texts(mechanism.to_dict())}, witness)


def _texts(data: Any) -> Any:
    """Convert the numbers of a JSON form to strings: certificates contain no JSON numbers."""
    if isinstance(data, dict):
        return {key: _texts(value) for key, value in data.items()}
    return [_texts(value) for value in data] if isinstance(data, list) else str(data)
