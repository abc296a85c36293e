"""Which pairs of inputs imply the others: the transitive reduction of a matrix of privacy levels.

A linear design problem at one rational level: minimise ``sum c_ij p_ij`` over the mechanisms of the region there.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rropt.certificates.design_programmes import DesignRows
from rropt.exact import Epsilon
from rropt.mechanisms import Mechanism
from rropt.privacy.levels import RationalLevels, Side
from rropt.problem import Problem
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


Pair = tuple[int, int]
Matrix = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class DesignProgramme:
    """The programme at a rational level, always minimised (costs and values are negated for ``maximise``).

    Attributes:
        rows: the numbering of its rows in certificates.
        sign: 1 to minimise the objective, -1 to maximise it.
        costs: ``sign`` times the objective's coefficients, shape (m, k).
        gamma: odds bound of the forms ``parity`` and ``excess`` (1 for ``pairwise``).
        delta: slack of the form ``excess``, else 0.
        ratios: odds bound by pair, of the form ``pairwise``.
        pairs: the pairs whose rows are in the programme: for ``pairwise`` those that imply the others, for ``excess``
            all.
        least, most: bounds on the entries, or None.
    """

    rows: DesignRows
    sign: int
    costs: Matrix
    gamma: Fraction
    delta: Fraction
    ratios: dict[Pair, Fraction]
    pairs: tuple[Pair, ...]
    least: Matrix | None
    most: Matrix | None

    @classmethod
    def of(cls, problem: Problem, levels: RationalLevels, side: Side, pairs: tuple[Pair, ...]) -> DesignProgramme:
        """Return the programme of a problem at an end of its level.

        Args:
            problem: of a linear objective.
            levels: rational levels around the problem's.
            side: which end.
            pairs: the pairs of inputs to write down (``first_pairs``).
        """
        objective = problem.objective.linear()
        sign = 1 if objective.sense == "minimise" else -1
        level, ratios = levels.end(side)
        least, most = problem.region.bounds or (None, None)
        return cls(
            rows=DesignRows.of(problem.to_dict()),
            sign=sign,
            costs=tuple(tuple(sign * x for x in row) for row in objective.costs(problem.population)),
            gamma=level.gamma,
            delta=level.delta,
            ratios=ratios,
            pairs=pairs,
            least=least,
            most=most,
        )

    @property
    def shape(self) -> tuple[int, int]:
        """``(m, k)``."""
        return self.rows.outputs, self.rows.inputs

    def cost(self, mechanism: Mechanism) -> Fraction:
        """Return the objective, minimised form."""
        return sum(
            (
                c * p
                for costs, row in zip(self.costs, mechanism.matrix, strict=True)
                for c, p in zip(costs, row, strict=True)
                if c
            ),
            Fraction(0),
        )

    def fixed(self, i: int, j: int) -> Fraction | None:
        """Return the only value that the bounds leave to an entry, or None."""
        if self.least is None or self.most is None or self.least[i][j] != self.most[i][j]:
            return None
        return self.least[i][j]


def first_pairs(problem: Problem) -> tuple[Pair, ...]:
    """Return the pairs of inputs to begin with: those that imply the others, or all where none does."""
    region = problem.region
    if region.pair_levels is not None:
        return essential_pairs(region.pair_levels)
    if region.form == "parity":
        return ()
    return tuple((j, other) for j in range(region.inputs) for other in range(region.inputs) if j != other)
