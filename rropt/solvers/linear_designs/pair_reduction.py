"""Which pairs of inputs imply the others: the transitive reduction of a matrix of privacy levels."""

from __future__ import annotations

from rropt.exact import Epsilon
from rropt.solvers.linear_designs.limits import LEVEL_ROUNDING


def essential_pairs(levels: tuple[tuple[Epsilon | None, ...], ...]) -> tuple[tuple[int, int], ...]:
    """Return pairs whose conditions imply all others, up to rounding; for ``abs(j - l)`` the neighbours.

    ``p_ij <= gamma_ja p_ia <= gamma_ja gamma_al p_il``: a pair whose level is at least that of a path of kept pairs is
    implied. Levels are added in floating point, so a pair may be dropped that is needed by a hair: whoever uses the
    answer checks every pair exactly and hands the missed ones back.

    Source: the greedy construction of a spanner with stretch 1 (Althoefer et al. 1993). Cost O(k^2) per kept pair.
    """
    import numpy as np

    k = len(levels)
    given = [
        (float(level), j, other) for j, row in enumerate(levels) for other, level in enumerate(row) if level is not None
    ]
    distance = np.full((k, k), np.inf)
    np.fill_diagonal(distance, 0.0)
    kept = []
    for level, j, other in sorted(given):
        if distance[j, other] <= level * (1 + LEVEL_ROUNDING):
            continue
        kept.append((j, other))
        np.minimum(distance, distance[:, j, None] + level + distance[None, other, :], out=distance)
    return tuple(sorted(kept))
