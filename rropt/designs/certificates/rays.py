"""Write certificates of rule 25 (``rays``): a mechanism, and a dual whose inequality holds on every extreme ray."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rropt.core.certificates.record import Certificate
from rropt.core.exact import Bracket
from rropt.designs.certificates.design_bracket import RayDual, Rows, nested_texts
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism
from rropt.mechanisms.mechanism import text_rows
from rropt.privacy.region import RationalLevels


def certify_rays(
    problem: Problem,
    levels: RationalLevels,
    ends: Bracket,
    mechanism: Mechanism,
    dual: RayDual,
    primal: Mapping[str, Rows],
    digits: int | None,
) -> Certificate:
    """Return the certificate that the mechanism is private and that ``lower <= optimum <= upper``.

    Args:
        problem: a problem whose objective rule 25 supports.
        levels: rational levels around the problem's level. The mechanism is private at the level below, and the dual is
            feasible at the level above.
        ends: the bracket.
        mechanism: the mechanism; together with ``primal`` it proves one bound.
        dual: the dual, which proves the other bound.
        primal: the matrices ``estimator`` and ``factor``, if the objective needs them.
        digits: the number of digits of logarithms; ``None`` if there are no logarithms.
    """
    claim = {"kind": "design-bracket", **ends.written(), "mechanism": mechanism.to_dict()}
    witness = {
        "rule": "rays",
        **levels.to_dict(),
        "dual": _written(dual, levels),
        "primal": {name: nested_texts(rows) for name, rows in primal.items()},
        "logarithms": [] if digits is None else {"digits": str(digits)},
    }
    return Certificate.write(problem.to_dict(), claim, witness)


def _written(dual: RayDual, levels: RationalLevels) -> dict[str, Any]:
    """Return the dual in the form of certificates; beta is one matrix for one level, a list for several levels."""
    k = len(dual.alpha)
    matrices = [_square(dual, t, k) if part.above.delta else None for t, part in enumerate(levels.parts(k))]
    matrix = None if dual.matrix is None else nested_texts(dual.matrix)
    return {"alpha": nested_texts(dual.alpha), "beta": levels.listed(matrices), "matrix": matrix}


def _square(dual: RayDual, level: int, k: int) -> list[list[str]]:
    values = {slope.pair: slope.value for slope in dual.slopes if slope.level == level}
    return text_rows([[values.get((j, i), Fraction(0)) for i in range(k)] for j in range(k)])
