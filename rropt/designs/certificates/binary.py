"""Write the certificates of binary designs.

The vertex rule (FORMAT.md) needs brackets of gamma and delta, and the vertices at the level above. The interval rule
(rule 19) proves the minimax value and minimax regret over an interval of prevalences. Rule 20 covers independent
questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

from rropt.core.certificates.record import Certificate
from rropt.core.exact import Bracket, Epsilon, as_text
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism
from rropt.privacy import LevelBracket, PrivacyRegion


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
        lower: the smallest n Var over the vertices at the level above.
        upper: n Var of the first of ``optima``, the returned mechanism.
        optima: the optimal vertices at the level below, in ascending order of (p00, p11).
        optimal_set: the segment of optimal designs at prevalence 0 or 1, or ``None``.
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
    """Return the certificate that ``lower <= minimax value (or minimax regret) <= upper``, achieved by the mechanism.

    Args:
        region: a binary region.
        interval: the prevalences L <= H.
        levels: rational levels around the region's level.
        goal: the claimed quantity, minimax value or minimax regret.
        lower: the lower bound, at the level above.
        upper: the worst case, or the regret, of the mechanism.
        mechanism: a mechanism in the region at the level below.
    """
    claim = {"kind": goal, **Bracket(lower, upper).written(), "mechanism": mechanism.to_dict()}
    return Certificate.write(interval_problem(region, interval), claim, {"rule": "interval", **levels.to_dict()})


def interval_problem(region: PrivacyRegion, interval: tuple[Fraction, Fraction]) -> dict[str, Any]:
    """Return the problem over an interval of prevalences, in the form that certificates use."""
    return {
        "region": region.to_dict(),
        "objective": {"kind": "variance"},
        "population": {"vertices": [[as_text(1 - pi), as_text(pi)] for pi in interval]},
    }


def certify_bits(
    epsilon: Epsilon, gamma: Bracket, objective: Mapping[str, Any], mechanism: Mechanism, ends: Bracket
) -> Certificate:
    """Return the certificate that a privacy budget is split optimally over independent questions (rule 20).

    Args:
        epsilon: the budget.
        gamma: a bracket of exp(epsilon).
        objective: ``marginals`` or ``joint``, in the form that certificates use.
        mechanism: the product of Warner's mechanisms, one for each question.
        ends: the bounds of the optimum, exact or rounded outwards.
    """
    claim = {"kind": "design-bracket", **ends.written(), "mechanism": mechanism.to_dict()}
    witness = {"rule": "bits", "gamma": gamma.written("below", "above")}
    return Certificate.write(bits_problem(epsilon, objective), claim, witness)


def bits_problem(epsilon: Epsilon, objective: Mapping[str, Any]) -> dict[str, Any]:
    """Return the problem of a budget that is split over independent questions, in the form that certificates use."""
    return {"kind": "bits", "epsilon": epsilon.to_dict(), "objective": dict(objective)}
