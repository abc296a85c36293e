"""Binary designs over an interval of prevalences in symbols: n Var as a polynomial, its worst case, and the vertices.

With ``r = (1 - p00)/(p00 + p11 - 1)`` and ``s = (1 - p11)/(p00 + p11 - 1)``, n Var is ``(r + pi)(s + 1 - pi)``. It is
largest at ``pi = (s + 1 - r)/2``, moved into the interval. The minimax design is a vertex of the region.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from rropt.core.errors import RouteDisagreementError
from rropt.core.exact import Bracket
from rropt.core.results.twins import EQUAL, INSIDE, Twin
from rropt.designs.prevalence_intervals import IntervalSolution
from rropt.mechanisms import Mechanism
from rropt.symbolic.posing import Form, Posing, compared
from rropt.symbolic.symbols import delta, delta_of, exact, gamma, gamma_of, number_text, pi, sign_of

r, s = sp.symbols("r s", nonnegative=True)
low, high = sp.symbols("L H", nonnegative=True)
variance = (r + pi) * (s + 1 - pi)
at = sp.Min(sp.Max((s + 1 - r) / 2, low), high)
"""The prevalence at which n Var is largest."""
diagonal = (1 - delta) / (gamma + 2 * delta - 1)
corner = (1 - delta) / delta


def vertices(level: Any, slack: Any, *, is_warner: bool) -> dict[str, tuple[Any, Any]]:
    """Return the vertices (r, s) of the region by name, in gamma and delta."""
    if is_warner or slack in (0, 1):
        return {"diagonal": (diagonal, diagonal)}
    zero = sp.Integer(0)
    corners = {"corner_p00": (zero, corner), "corner_p11": (corner, zero)}
    return corners if level == 1 else {"diagonal": (diagonal, diagonal), **corners}


def to_sympy(solution: IntervalSolution) -> Posing:
    """Return the minimax problem over (r, s), with the value at the optimal vertex as its form."""
    level, slack = gamma_of(solution.region.epsilon), delta_of(solution.region.delta)
    values = {gamma: level, delta: slack, low: exact(solution.interval.low), high: exact(solution.interval.high)}
    halves = [sp.Ge((gamma - 1 + delta) * one + delta * other, 1 - delta) for one, other in ((r, s), (s, r))]
    limits = [*halves, *([sp.Eq(r, s)] if solution.region.family == "warner" else [])]
    objective = variance.xreplace({pi: at})
    points = vertices(level, slack, is_warner=solution.region.family == "warner")
    worst = {name: objective.xreplace({r: point[0], s: point[1]}) for name, point in points.items()}
    name = min(worst, key=lambda one: sp.N(worst[one].xreplace(values), 40))
    domain = sp.And(*(sp.Le(worst[name], other) for one, other in worst.items() if one != name))
    form = Form(worst[name], f"the minimax design is a vertex of the region: {name}", domain, parameters=values)
    return Posing((r, s), objective, limits, "minimise", values, form=form)


def sympy_twin(solution: IntervalSolution) -> Twin:
    """Return the minimax value by the form, and check the worst case and regret of the designs.

    Raises:
        RouteDisagreementError: a value is outside its proved bounds.
    """
    posing = to_sympy(solution)
    assert posing.form is not None
    value = posing.form.at()
    agrees = compared(value, solution.minimax.lower, solution.minimax.upper)
    for design in solution.designs:
        point = dict(zip((r, s), _point(design.mechanism), strict=True))
        checked = posing.check(point)
        if checked.failed or checked.value != exact(design.worst_case):
            raise RouteDisagreementError(f"SymPy finds another worst case of the design {design.name}")
    best = solution.minimax_regret
    regret = _regret(solution, best.design.mechanism)
    compared_regret = _overlap(regret, best.bracket)
    text = f"{number_text(value)}, regret {number_text(sum(regret) / 2 if regret[0] != regret[1] else regret[0])}"
    both = EQUAL if agrees == EQUAL and compared_regret == EQUAL else INSIDE
    return Twin("SymPy", True, text, both, form=str(posing.form), domain=posing.form.where)


def _regret(solution: IntervalSolution, mechanism: Mechanism) -> tuple[Any, Any]:
    """Return the regret of a design, against the optima at the exact level, as bounds of 40 digits."""
    region = solution.region
    level, slack = gamma_of(region.epsilon), delta_of(region.delta)
    values = {gamma: level, delta: slack}
    points = vertices(level, slack, is_warner=region.family == "warner").values()
    own = _point(mechanism)
    excess = []
    for prevalence in (solution.interval.low, solution.interval.high):
        at_end = variance.xreplace({pi: exact(prevalence)})
        best = [at_end.xreplace({r: a, s: b}).xreplace(values) for a, b in points]
        least = best[0]
        for other in best[1:]:
            least = other if sign_of(other - least) < 0 else least
        excess.append(at_end.xreplace({r: own[0], s: own[1]}) - least)
    largest = excess[0] if sign_of(excess[0] - excess[1]) >= 0 else excess[1]
    return largest, largest


def _overlap(found: tuple[Any, Any], bracket: Bracket) -> str:
    return compared(found[0], bracket.lower, bracket.upper)


def _point(mechanism: Mechanism) -> tuple[Any, Any]:
    p00, p11 = exact(mechanism[0, 0]), exact(mechanism[1, 1])
    scale = p00 + p11 - 1
    return (1 - p00) / scale, (1 - p11) / scale
