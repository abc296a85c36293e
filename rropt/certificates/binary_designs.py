"""Certificates of binary designs: the witnesses of the vertex rule and of the interval rule.

The vertex rule (FORMAT.md) needs brackets of gamma and delta, and the vertices at the level above; the interval rule
(FORMAT.md, rule 19) proves least worst case and least regret over an interval of prevalences.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

from rropt.certificates.certificate import Certificate
from rropt.exact import Bracket, as_text
from rropt.mechanisms import Mechanism
from rropt.privacy import LevelBracket, PrivacyRegion
from rropt.problem import Problem


def certify_vertex_rule(
    problem: Problem,
    levels: LevelBracket,
    *,
    lower: Fraction,
    upper: Fraction,
    optima: Sequence[Mechanism],
    optimal_set: dict[str, list[str]] | None,
) -> Certificate:
    """Return the certificate that ``lower <= optimum <= upper`` and that ``optima`` are the optimal extreme designs.

    Args:
        problem: a binary variance problem.
        levels: rational levels around the problem's level.
        lower: least n Var over the vertices at the level above.
        upper: n Var of the first of ``optima``, the mechanism that is handed out.
        optima: the optimal vertices at the level below, in ascending order of (p00, p11).
        optimal_set: the segment of optimal designs at prevalence 0 or 1, or None.
    """
    vertices = [vertex for vertex in problem.region.one_level().vertices(levels.above) if vertex.p00 + vertex.p11 > 1]
    claim: dict[str, Any] = {
        "kind": "optimal-design",
        **Bracket(lower, upper).written(),
        "mechanism": optima[0].to_dict(),
        "optima": [mechanism.to_dict() for mechanism in optima],
        "optimal_set": optimal_set,
    }
    witness: dict[str, Any] = {
        "rule": "vertex",
        **levels.to_dict(),
        "vertices": [
            {"tight": list(vertex.tight), "at_above": [as_text(vertex.p00), as_text(vertex.p11)]} for vertex in vertices
        ],
    }
    return Certificate.write(problem.to_dict(), claim, witness)


def certify_over_interval(
    region: PrivacyRegion,
    interval: tuple[Fraction, Fraction],
    levels: LevelBracket,
    goal: Literal["minimax-design", "least-regret-design"],
    *,
    lower: Fraction,
    upper: Fraction,
    mechanism: Mechanism,
) -> Certificate:
    """Return the certificate that ``lower <= least worst case (or least regret) <= upper``, achieved by the mechanism.

    Args:
        region: a binary region.
        interval: the prevalences L <= H.
        levels: rational levels around the region's.
        goal: which of the two is claimed.
        lower: the bound at the level above.
        upper: the worst case, or the regret, of the mechanism.
        mechanism: in the region at the level below.
    """
    problem = {
        "region": region.to_dict(),
        "objective": {"kind": "variance"},
        "population": {"vertices": [[as_text(1 - pi), as_text(pi)] for pi in interval]},
    }
    claim = {"kind": goal, **Bracket(lower, upper).written(), "mechanism": mechanism.to_dict()}
    return Certificate.write(problem, claim, {"rule": "interval", **levels.to_dict()})
