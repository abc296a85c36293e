"""The linear programme of the nearest private mechanism, with variables and rows in the order of the certificate.

Given a matrix Q of shape (m, k), minimise the largest ``abs(p_ij - q_ij)`` (one variable s for all entries) or their
sum (one variable for each entry) over the mechanisms P of a privacy region, whose rows are those of any design.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.certificates.design_programmes import DesignRows
from rropt.linear import LinearProgramme, Relation, Row, Variable
from rropt.privacy import RationalLevel
from rropt.solvers.linear_designs.design_programme import DesignProgramme
from rropt.solvers.linear_designs.exact_rows import write_programme

_ONE = Fraction(1)
_SIDES: tuple[tuple[Fraction, Relation], ...] = ((_ONE, ">="), (-_ONE, "<="))


def nearest_programme(matrix: Sequence[Sequence[Fraction]], level: RationalLevel, norm: str) -> LinearProgramme:
    """Return the programme: variables p_ij at ``i k + j`` first, the objective is the distance.

    Args:
        matrix: Q, shape (m, k).
        level: rational gamma >= 1 and delta.
        norm: ``"max"`` or ``"l1"``.
    """
    m, k = len(matrix), len(matrix[0])
    pairs = [(j, other) for j in range(k) for other in range(k) if j != other and level.delta]
    rows = DesignRows(k, m, "excess" if level.delta else "parity", is_distance=True)
    nothing = ((Fraction(0),) * k,) * m
    design = DesignProgramme(rows, 1, nothing, level.gamma, level.delta, {}, tuple(pairs), None, None)
    private = write_programme(design).programme
    entries, first = [q for row in matrix for q in row], len(private.variables)
    changes = [Variable("change", "nonnegative", _ONE)] * (1 if norm == "max" else m * k)
    distances = (
        Row("distance", (n, first + n % len(changes)), (_ONE, sign), relation, q)
        for sign, relation in _SIDES
        for n, q in enumerate(entries)
    )
    return LinearProgramme("minimise", (*private.variables, *changes), (*private.rows, *distances))
