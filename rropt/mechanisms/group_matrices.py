"""Matrices that stay the same when inputs of one group are exchanged: ``diag(d) + B`` in blocks.

d_g stands on the diagonal in group g, B_gh everywhere in the block of groups g and h, of sizes n_g and n_h. Sums and
products of such matrices are such matrices, and an inverse needs a system with one unknown for each group: with x =
1/d, ``(diag(d) + B)(diag(x) + Y) = I`` is

    ``(diag(d) + B diag(n)) Y = -B diag(x)``.

*Orbits*: at a population that is constant inside groups, the information ``M = P^T diag(P pi)^-1 P`` of a mechanism
made of orbits is such a matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.errors import InfeasibleError
from rropt.exact import as_text
from rropt.exact.numbers import dot
from rropt.mechanisms.left_inverse import flint_matrix, fractions_of

if TYPE_CHECKING:
    from rropt.mechanisms.orbits import OrbitMechanism

_Orbit = tuple[tuple[tuple[Fraction, int], ...], ...]
Numbers = Sequence[Fraction]


class GroupMatrix(NamedTuple):
    """``diag(d) + B`` over groups of these sizes."""

    groups: tuple[int, ...]
    diagonal: tuple[Fraction, ...]
    blocks: tuple[tuple[Fraction, ...], ...]

    def entries(self) -> list[Fraction]:
        """Return the diagonal of the matrix written out, shape (k,)."""
        together = zip(self.groups, self.diagonal, self.blocks, strict=True)
        return [d + row[g] for g, (n, d, row) in enumerate(together) for _ in range(n)]

    def trace(self) -> Fraction:
        """Return ``sum_g n_g (d_g + B_gg)``.

        >>> GroupMatrix((3,), (Fraction(2),), ((Fraction(1),),)).trace()
        Fraction(9, 1)
        """
        return sum(self.entries(), Fraction(0))

    def inverse(self) -> GroupMatrix | None:
        """Return the inverse, or None where there is none.

        >>> GroupMatrix((2,), (Fraction(2),), ((Fraction(1),),)).inverse().blocks
        ((Fraction(-1, 8),),)
        """
        if not all(self.diagonal):
            return None  # of a group of one too: of mechanisms d_g > 0 there
        right = [[-b / d for b, d in zip(row, self.diagonal, strict=True)] for row in self.blocks]
        system = [[b * n for b, n in zip(row, self.groups, strict=True)] for row in self.blocks]
        for g, d in enumerate(self.diagonal):
            system[g][g] += d
        try:
            solved = fractions_of(flint_matrix(system).solve(flint_matrix(right)))
        except ZeroDivisionError:
            return None
        return GroupMatrix(self.groups, tuple(1 / d for d in self.diagonal), solved)

    def solve(self, t: Numbers) -> tuple[Fraction, ...] | None:
        """Return the x with ``(diag(d) + B) x = t``, shape (k,), or None where the matrix is singular."""
        starts = [sum(self.groups[:g]) for g in range(len(self.groups) + 1)]
        sums = [[sum(t[a:b], Fraction(0))] for a, b in pairwise(starts)]
        if not all(self.diagonal):
            return None
        try:  # of the sums X_g of x over groups: d_g X_g + n_g sum_h B_gh X_h = T_g
            system = [[self.groups[g] * b for b in row] for g, row in enumerate(self.blocks)]
            for g, d in enumerate(self.diagonal):
                system[g][g] += d
            totals = [x for (x,) in fractions_of(flint_matrix(system).solve(flint_matrix(sums)))]
        except ZeroDivisionError:
            return None
        shifts = [dot(row, totals) for row in self.blocks]
        parts = zip(shifts, self.diagonal, pairwise(starts), strict=True)
        return tuple((t[j] - shift) / d for shift, d, (a, b) in parts for j in range(a, b))

    def written(self) -> dict[str, Any]:
        """Return the form of certificates (FORMAT.md, rule 14)."""
        blocks = [[as_text(b) for b in row] for row in self.blocks]
        return {"diagonal": [as_text(d) for d in self.diagonal], "blocks": blocks}


def orbit_information(groups: Sequence[int], orbits: Sequence[tuple[int, _Orbit]], shares: Numbers) -> GroupMatrix:
    """Return ``M = sum_i p_i p_i^T / (p_i . pi)`` over the rows p_i of orbits.

    Args:
        groups: n_g, the sizes of the groups.
        orbits: the number of outputs of each orbit, and for each group its pairs (entry, how often).
        shares: pi_g, of one input of each group.
    """
    size = len(groups)
    blocks = [[Fraction(0)] * size for _ in groups]
    diagonal = [Fraction(0)] * size
    for number, orbit in orbits:
        sums = [sum((v * c for v, c in values), Fraction(0)) for values in orbit]
        squares = [sum((v * v * c for v, c in values), Fraction(0)) for values in orbit]
        if not any(sums):
            continue  # an answer that nobody gives
        weight = number / dot(shares, sums)
        for a, n in enumerate(groups):
            diagonal[a] += weight * squares[a] / n
            for b in range(size):
                if a != b:
                    blocks[a][b] += weight * sums[a] * sums[b] / (n * groups[b])
                elif n > 1:
                    blocks[a][a] += weight * (sums[a] ** 2 - squares[a]) / (n * (n - 1))
    return GroupMatrix(tuple(groups), tuple(diagonal[a] - blocks[a][a] for a in range(size)), tuple(map(tuple, blocks)))


def group_shares(groups: Sequence[int], population: Numbers) -> tuple[Fraction, ...] | None:
    """Return the share of one input of each group, or None where the population differs inside a group."""
    starts = [sum(groups[:g]) for g in range(len(groups))]
    if any(population[j] != population[a] for a, n in zip(starts, groups, strict=True) for j in range(a, a + n)):
        return None
    return tuple(population[a] for a in starts)


def grouped_information(mechanism: OrbitMechanism, population: Numbers) -> GroupMatrix | None:
    """Return the information of a mechanism of orbits, or None where the population differs inside a group."""
    shares = group_shares(mechanism.groups, population)
    return None if shares is None else orbit_information(mechanism.groups, list(mechanism.counted()), shares)


def orbit_inverse(groups: Sequence[int], orbits: Sequence[tuple[int, _Orbit]], t: Numbers) -> tuple[Fraction, ...]:
    """Return x with ``M x = t``, M the information at the uniform population.

    Args:
        groups: n_g, the sizes of the groups.
        orbits: the number of outputs of each orbit, and for each group its pairs (entry, how often).
        t: ``P^T D^-1 l`` for shares l of the answers, shape (k,).

    Raises:
        InfeasibleError: M is singular: the population is not identified.
    """
    found = orbit_information(groups, orbits, [Fraction(1, sum(groups))] * len(groups)).solve(t)
    if found is None:
        raise InfeasibleError(not_identified(groups))
    return found


def not_identified(groups: Sequence[int]) -> str:
    """Return the message of orbits over groups of these sizes whose information is singular."""
    return (
        f"the answers do not identify the population: received orbits over groups of sizes {list(groups)} whose "
        "columns are linearly dependent; use a mechanism of full column rank"
    )
