"""Intervals that hold all cells of all tables of a survey at once.

By Bonferroni: of c cells each has the confidence ``1 - alpha/c``.

* ``normal``: estimate +- z standard errors with ``Pr(|G| <= z) = 1 - alpha/c``.
* ``hoeffding``: the estimate is a sum of independent terms, that of a respondent of group g in an interval of length
  ``w_g r_g/m_g``, r_g the range of the cell's row of A_g: half width ``sqrt(log(2 c/alpha)/2 sum_g w_g^2 r_g^2/m_g)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rropt.errors import InvalidParameterError, shown
from rropt.estimation.answers import HoldsArrays
from rropt.estimation.distributions import exact_confidence, two_sided_quantile
from rropt.estimation.tables import Floats, TableEstimate
from rropt.estimation.weights import inverses_of

GUARANTEES = {
    "normal": "Bonferroni: each cell at 1 - alpha/cells by the normal approximation with its plug-in standard error; "
    "no guarantee",
    "hoeffding": "Bonferroni: each cell by Hoeffding's inequality for means of bounded terms; guaranteed for every "
    "population and every number of respondents",
}


@dataclass(frozen=True, slots=True, eq=False)
class SimultaneousIntervals(HoldsArrays):
    """Intervals that hold all cells of all tables at once with the stated confidence; they may leave [0, 1].

    Attributes:
        kind: ``normal`` or ``hoeffding``.
        confidence: of all together.
        cells: how many there are.
        ends: for each table an array of shape (cells, 2).
    """

    kind: str
    confidence: Fraction
    cells: int
    ends: tuple[Floats, ...]

    @property
    def guarantee(self) -> str:
        """What the intervals promise."""
        return GUARANTEES[self.kind]


def simultaneous_intervals(
    tables: TableEstimate | Sequence[TableEstimate], confidence: object = "0.95", *, kind: str = "normal"
) -> SimultaneousIntervals:
    """Return simultaneous intervals for all cells of some tables.

    Args:
        tables: one, or several that are read together.
        confidence: of all cells together.
        kind: ``normal`` or ``hoeffding``: see this module.
    """
    listed = (tables,) if isinstance(tables, TableEstimate) else tuple(tables)
    level = exact_confidence(confidence)
    if kind not in GUARANTEES:
        raise InvalidParameterError(
            f"there are no such intervals: received {shown(kind)}; allowed are {', '.join(GUARANTEES)}"
        )
    cells = sum(len(table.estimate) for table in listed)
    each = 1 - (1 - level) / cells
    if kind == "normal":
        z = float(two_sided_quantile(each)[1])
        margins = [z * table.standard_errors for table in listed]
    else:
        factor = np.log(2 * cells / float(1 - level)) / 2
        margins = [np.sqrt(factor * _squared_ranges(table)) for table in listed]
    ends = [
        np.stack([table.decimals() - margin, table.decimals() + margin], axis=1)
        for table, margin in zip(listed, margins, strict=True)
    ]
    return SimultaneousIntervals(kind, level, cells, tuple(ends))


def _squared_ranges(table: TableEstimate) -> Floats:
    """Return for each cell ``sum_g w_g^2 r_g^2/m_g``, r_g the range of the cell's row of A_g."""
    total = np.zeros(len(table.estimate))
    for group, weight in zip(table.groups, table.weights, strict=True):
        low, high = np.ones(1), np.ones(1)
        for rows in inverses_of(group.devices(table.questions)):
            least = np.array([float(min(row)) for row in rows])
            most = np.array([float(max(row)) for row in rows])
            ends = [np.multiply.outer(a, b).ravel() for a in (least, most) for b in (low, high)]
            low, high = np.minimum.reduce(ends), np.maximum.reduce(ends)
        total += float(weight * weight / group.n) * (high - low) ** 2
    return total
