"""A linear design problem at one rational level: minimise ``sum c_ij p_ij`` over the mechanisms of the region there."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from rropt.certificates.design_programmes import DesignRows
from rropt.mechanisms import Mechanism
from rropt.privacy.bounded_regions import BoundedRegion
from rropt.privacy.levels import LevelBracket, PairwiseBracket
from rropt.privacy.pairwise_regions import PairwiseRegion
from rropt.problem import Problem
from rropt.solvers.linear_designs.pair_reduction import essential_pairs

__all__ = ["DesignProgramme", "Levels", "Pair", "Side", "first_pairs"]

Levels = LevelBracket | PairwiseBracket
Pair = tuple[int, int]
Side = Literal["below", "above"]
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
    def of(cls, problem: Problem, levels: Levels, side: Side, pairs: tuple[Pair, ...]) -> DesignProgramme:
        """Return the programme of a problem at an end of its level.

        Args:
            problem: of a linear objective.
            levels: rational levels around the problem's.
            side: which end.
            pairs: the pairs of inputs to write down (``first_pairs``).
        """
        objective, region = problem.linear_objective, problem.region
        sign = 1 if objective.sense == "minimise" else -1
        level = getattr(levels, side)
        ratios: dict[Pair, Fraction] = {}
        gamma, delta = Fraction(1), Fraction(0)
        if isinstance(levels, PairwiseBracket):
            ratios = {(j, other): level[j][other] for j, other in levels.pairs}
        else:
            gamma, delta = level.gamma, level.delta
        return cls(
            rows=DesignRows.of(problem.to_dict()),
            sign=sign,
            costs=tuple(tuple(sign * x for x in row) for row in objective.costs(problem.population)),
            gamma=gamma,
            delta=delta,
            ratios=ratios,
            pairs=pairs,
            least=region.least if isinstance(region, BoundedRegion) else None,
            most=region.most if isinstance(region, BoundedRegion) else None,
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
    region = problem.region.region if isinstance(problem.region, BoundedRegion) else problem.region
    if isinstance(region, PairwiseRegion):
        return essential_pairs(region.levels)
    if region.delta.rational == 0:
        return ()
    return tuple((j, other) for j in range(region.inputs) for other in range(region.inputs) if j != other)
