"""The linear programme of the nearest private mechanism, with variables and rows in the order of the certificate.

Given a matrix Q of shape (m, k), minimise the largest ``abs(p_ij - q_ij)`` (one variable s for all entries) or their
sum (one variable for each entry) over the mechanisms P of a privacy region. With delta = 0 parity <= gamma is written
``t_i <= p_ij <= gamma t_i`` (t_i is the least entry of row i): 2 m k rows instead of m k (k - 1). With delta > 0,
``e_i,jl`` is the positive part of ``p_ij - gamma p_il``: m k (k - 1) variables and rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.linear import LinearProgramme, ProgrammeBuilder
from rropt.privacy import RationalLevel

_ONE = Fraction(1)


def nearest_programme(matrix: Sequence[Sequence[Fraction]], level: RationalLevel, norm: str) -> LinearProgramme:
    """Return the programme: variables p_ij at ``i k + j`` first, the objective is the distance.

    Args:
        matrix: Q, shape (m, k).
        level: rational gamma >= 1 and delta.
        norm: ``"max"`` or ``"l1"``.
    """
    m, k = len(matrix), len(matrix[0])
    builder = ProgrammeBuilder("minimise")
    p = [[builder.variable(f"p[{i},{j}]") for j in range(k)] for i in range(m)]
    _add_privacy(builder, p, level)
    if norm == "max":
        shared = builder.variable("largest change", cost=1)
        change = [[shared] * k for _ in range(m)]
    else:
        change = [[builder.variable(f"change[{i},{j}]", cost=1) for j in range(k)] for i in range(m)]
    entries = [(i, j) for i in range(m) for j in range(k)]
    for i, j in entries:
        builder.row(f"p[{i},{j}] not lower", [(p[i][j], _ONE), (change[i][j], _ONE)], ">=", matrix[i][j])
    for i, j in entries:
        builder.row(f"p[{i},{j}] not higher", [(p[i][j], _ONE), (change[i][j], -_ONE)], "<=", matrix[i][j])
    return builder.build()


def _add_privacy(builder: ProgrammeBuilder, p: list[list[int]], level: RationalLevel) -> None:
    """Add the columns' sums and the region's rows, with the variables that these need."""
    m, k = len(p), len(p[0])
    pairs = [(j, other) for j in range(k) for other in range(k) if j != other]
    if level.delta:
        excess = {(i, pair): builder.variable(f"excess[{i},{pair[0]},{pair[1]}]") for i in range(m) for pair in pairs}
    else:
        least = [builder.variable(f"least[{i}]") for i in range(m)]
    for j in range(k):
        builder.row(f"column {j} sums to 1", [(p[i][j], _ONE) for i in range(m)], "=", 1)
    if level.delta:
        for i in range(m):
            for j, other in pairs:
                terms = [(excess[i, (j, other)], _ONE), (p[i][j], -_ONE), (p[i][other], level.gamma)]
                builder.row(f"excess of ({i}, {j}) over ({i}, {other})", terms, ">=", 0)
        for pair in pairs:
            terms = [(excess[i, pair], _ONE) for i in range(m)]
            builder.row(f"delta between inputs {pair[0]} and {pair[1]}", terms, "<=", level.delta)
        return
    for i in range(m):
        for j in range(k):
            builder.row(f"({i}, {j}) at least the least of its row", [(p[i][j], _ONE), (least[i], -_ONE)], ">=", 0)
    for i in range(m):
        for j in range(k):
            builder.row(f"parity of ({i}, {j})", [(least[i], level.gamma), (p[i][j], -_ONE)], ">=", 0)
