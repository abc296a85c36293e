"""Linear programs over the entries of a mechanism: their value, and the conditions that are tight at a vertex.

The right sides of all inequalities are moved by random numbers of a size of ``_MOVED``, so that the vertex is not
degenerate: exactly as many conditions are tight as there are unknowns. The vertex that the same conditions determine
without the moves is optimal too. Only the labels of the tight conditions pass to ``rropt.symbolic``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import cvxpy as cp
import numpy as np

from rropt.convex.posing import solve
from rropt.convex.regions import Array, Limits
from rropt.core.errors import UnsupportedProblemError

_MOVED = (1e-5, 1e-5, 1e-7, 1e-8, 1e-8)  # by seed: at an extreme level a large move has another vertex
_TIGHT = (1e-8, 1e-8, 1e-10, 1e-11, 1e-12)  # slack of a tight condition: others differ by about the moves
_MOST_UNKNOWNS = 600  # entries and excesses of a vertex in fractions: about two seconds

Label = tuple[Hashable, ...]


class Block(NamedTuple):
    """Conditions ``slack >= 0`` of one kind.

    Attributes:
        labels: the names of the conditions, in the order of the entries of ``slack``.
        slack: an expression of CVXPY with as many entries.
    """

    labels: Sequence[Label]
    slack: Any


class LabelledProgram(NamedTuple):
    """A linear program with names for its conditions.

    Attributes:
        objective: the expression that is minimized.
        equations: the equations; one that follows from the others is left out, since the bounds are moved.
        blocks: the inequalities.
    """

    objective: Any
    equations: list[Any]
    blocks: list[Block]


def private(P: Any, limits: Limits) -> list[Block]:
    """Return the conditions of privacy on a matrix of entries, with their names.

    ``("zero", i, j)`` is ``p_ij >= 0``. At a level n with delta = 0, ``("ratio", n, i, j, l)`` is ``p_ij <= gamma
    p_il``. With delta > 0 a variable e is the excess: ``("excess", n, i, j, l)`` is ``p_ij - gamma p_il <= e``,
    ``("none", n, i, j, l)`` is ``e >= 0``, and ``("delta", n, j, l)`` is ``sum_i e <= delta``. ``("least", i, j)`` and
    ``("most", i, j)`` are bounds of entries. Of an inequality c, ``("largest", c, n, a)`` is ``f_na(P) <= s_n`` with a
    variable s_n for each part of several functions, and ``("inequality", c)`` is ``sum_n s_n <= b``.

    Raises:
        UnsupportedProblemError: the region has other conditions, or there are too many unknowns.
    """
    m, k = P.shape
    if limits.curves or limits.is_relaxed:
        raise UnsupportedProblemError("the region has infinitely many conditions: no vertex in symbols")
    if (
        len(limits.inequalities) > _MOST_UNKNOWNS
        or m * (k + sum(len(level.pairs) for level in limits.levels if level.delta is not None)) > _MOST_UNKNOWNS
    ):
        raise UnsupportedProblemError("too many entries for a vertex")
    blocks = [Block([("zero", i, j) for i in range(m) for j in range(k)], cp.vec(P, order="C"))]
    for n, (gamma, delta, pairs) in enumerate(limits.levels):
        over = cp.vstack([P[:, j] - gamma.value * P[:, other] for j, other in pairs])
        names = [(n, i, j, other) for j, other in pairs for i in range(m)]
        if delta is None:
            blocks.append(Block([("ratio", *name) for name in names], -cp.vec(over, order="C")))
            continue
        excess = cp.Variable(over.shape)
        blocks.append(Block([("excess", *name) for name in names], cp.vec(excess - over, order="C")))
        blocks.append(Block([("none", *name) for name in names], cp.vec(excess, order="C")))
        labels = [("delta", n, j, other) for j, other in pairs]
        blocks.append(Block(labels, delta.value - cp.sum(excess, axis=1)))
    if limits.bounds is not None:
        least, most = limits.bounds
        low = [(i, j) for i in range(m) for j in range(k) if least[i, j] > 0]
        high = [(i, j) for i in range(m) for j in range(k) if most[i, j] < 1]
        for word, places, side in (("least", low, 1), ("most", high, -1)):
            bounds = least if side > 0 else most
            if places:
                slack = cp.hstack([side * (P[i, j] - bounds[i, j]) for i, j in places])
                blocks.append(Block([(word, *place) for place in places], slack))
    for c, (parts, bound) in enumerate(limits.inequalities):
        total = []
        for n, part in enumerate(parts):
            values = [cp.sum(cp.multiply(matrix, P)) for matrix in part]
            total.append(values[0] if len(part) == 1 else cp.Variable())
            if len(part) > 1:
                labels = [("largest", c, n, a) for a in range(len(part))]
                blocks.append(Block(labels, total[-1] - cp.hstack(values)))
        blocks.append(Block([("inequality", c)], cp.reshape(bound - sum(total), (1,), order="C")))
    return blocks


def tight(program: LabelledProgram, seed: int = 0) -> frozenset[Label]:
    """Return the labels of the conditions that are tight at a vertex of the moved program.

    Raises:
        UnsupportedProblemError: the solver did not reach its accuracy.
    """
    rng = np.random.default_rng(seed)
    place = seed % len(_MOVED)
    moves = [_MOVED[place] * rng.uniform(0.5, 1.0, len(block.labels)) for block in program.blocks]
    conditions = [block.slack + move >= 0 for block, move in zip(program.blocks, moves, strict=True)]
    moved = cp.Problem(cp.Minimize(program.objective), [*program.equations, *conditions])
    solve(moved, solvers=(cp.SCIPY,))
    slacks = np.concatenate(
        [np.ravel(block.slack.value) + move for block, move in zip(program.blocks, moves, strict=True)]
    )
    # at a vertex as many are tight as there are unknowns; of thousands a few others are as small by chance
    count = sum(each.size for each in moved.variables()) - sum(each.size for each in program.equations)
    labels = [label for block in program.blocks for label in block.labels]
    return frozenset(labels[n] for n in np.argsort(slacks)[:count] if slacks[n] < _TIGHT[place])


Attempt = Callable[[frozenset[Label]], Any]


def entries_of(m: int, k: int) -> Any:
    """Return the entries of a mechanism of m outputs; that they are nonnegative is a labelled condition."""
    return cp.Variable((m, k), name="P")


def numbers_of(rows: Sequence[Sequence[Any]]) -> Array:
    """Return exact numbers as floats."""
    return np.array([[float(x) for x in row] for row in rows])
