"""Binary designs over an interval of prevalences in symbols: n Var as a polynomial, its worst case, and the vertices.

With ``r = (1 - p00)/(p00 + p11 - 1)`` and ``s = (1 - p11)/(p00 + p11 - 1)``, n Var is ``(r + pi)(s + 1 - pi)``. It is
largest at ``pi = (s + 1 - r)/2``, moved into the interval. The minimax design is a vertex of the region.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from mpmath import mp

from rropt.core.errors import RouteDisagreementError
from rropt.core.exact import Bracket
from rropt.core.results.twins import EQUAL, INSIDE, Twin, require_closed
from rropt.symbolic.objectives.estimator_variance import vertices_of_two
from rropt.symbolic.posing import Form, Posing, compared
from rropt.symbolic.symbols import delta, delta_of, exact, gamma, gamma_of, number_text, pi, sign_of

r, s = sp.symbols("r s", nonnegative=True)
low, high = sp.symbols("L H", nonnegative=True)
variance = (r + pi) * (s + 1 - pi)
at = sp.Min(sp.Max((s + 1 - r) / 2, low), high)
"""The prevalence at which n Var is largest."""


def vertices(level: Any, slack: Any, *, is_warner: bool) -> dict[str, tuple[Any, Any]]:
    """Return the vertices (r, s) of the region by name, in gamma and delta: all points at which two conditions meet.

    At delta = 0 and at delta = 1 they are one point. At gamma = 1 the one with p00 = p11 is no vertex.
    """
    found, is_one = {}, is_warner or slack in (0, 1)
    for vertex in vertices_of_two(is_warner):
        a, b = vertex.point
        name = "diagonal" if a == b else "corner_p00" if a == 1 else "corner_p11"
        is_vertex = is_one or level != 1 if name == "diagonal" else not is_one
        if is_vertex:
            found[name] = tuple(sp.factor((1 - x) / (a + b - 1)) for x in (a, b))
    return found


def to_sympy(solution: Any) -> Posing:
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


def sympy_twin(solution: Any) -> Twin:
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
        if variance.xreplace({**point, pi: exact(design.worst_at)}) != exact(design.worst_case):
            raise RouteDisagreementError(f"SymPy finds another place of the worst case of the design {design.name}")
        _overlap(_regret(solution, design.mechanism), design.regret)
        place = (solution.interval.low, solution.interval.high).index(design.regret_at)
        compared(_excesses(solution, _point(design.mechanism))[place], design.regret.lower, design.regret.upper)
    best = solution.minimax_regret
    regret = _regret(solution, best.design.mechanism)
    compared_regret = _overlap(regret, best.bracket)
    _require_least_regret(solution)
    require_closed(solution.minimax)
    require_closed(best)
    text = f"{number_text(value)}, regret {number_text(sum(regret) / 2 if regret[0] != regret[1] else regret[0])}"
    both = EQUAL if agrees == EQUAL and compared_regret == EQUAL else INSIDE
    return Twin("SymPy", True, text, both, form=str(posing.form), domain=posing.form.where)


def _regret(solution: Any, mechanism: Any) -> tuple[Any, Any]:
    """Return the regret of a design, against the optima at the exact level, as bounds of 40 digits."""
    excess = _excesses(solution, _point(mechanism))
    largest = excess[0] if sign_of(excess[0] - excess[1]) >= 0 else excess[1]
    return largest, largest


def _excesses(solution: Any, own: tuple[Any, Any]) -> list[Any]:
    """Return by how much n Var of a point exceeds its minimum, at both ends of the interval."""
    region = solution.region
    level, slack = gamma_of(region.epsilon), delta_of(region.delta)
    values = {gamma: level, delta: slack}
    points = vertices(level, slack, is_warner=region.family == "warner").values()
    excess = []
    for prevalence in (solution.interval.low, solution.interval.high):
        at_end = variance.xreplace({pi: exact(prevalence)})
        best = [at_end.xreplace({r: a, s: b}).xreplace(values) for a, b in points]
        least = best[0]
        for other in best[1:]:
            least = other if sign_of(other - least) < 0 else least
        excess.append(at_end.xreplace({r: own[0], s: own[1]}) - least)
    return excess


def _require_least_regret(solution: Any) -> None:
    """Require that the minimax regret is the least one of all vertices and hedges, and that the hedge is one.

    n Var is ``r s + r (1 - pi) + s pi + pi (1 - pi)``, so that the difference of the regrets at both ends is linear in
    r - s. A hedge is a point of the boundary where it is 0; its r - s meets a half-plane's line, or r = 0 or s = 0. The
    points are computed in ``_POINT_DIGITS`` digits.

    Raises:
        RouteDisagreementError: a point has a smaller regret than the proved bounds, or the regrets of the hedge differ.
    """
    region, ends = solution.region, (solution.interval.low, solution.interval.high)
    is_warner = region.family == "warner"
    level, slack = gamma_of(region.epsilon), delta_of(region.delta)
    with mp.workdps(_POINT_DIGITS):
        g, d = (mp.mpf(str(sp.N(x, _POINT_DIGITS))) for x in (level, slack))
        low_high = [mp.mpf(end.numerator) / end.denominator for end in ends]
        values = {gamma: level, delta: slack}
        corners = [
            tuple(mp.mpf(str(sp.N(sp.sympify(x).xreplace(values), _POINT_DIGITS))) for x in point)
            for point in vertices(level, slack, is_warner=is_warner).values()
        ]

        def n_var(point: Any, at_end: Any) -> Any:
            return (point[0] + at_end) * (point[1] + 1 - at_end)

        least = [min(n_var(point, at_end) for point in corners) for at_end in low_high]

        def excesses(point: Any) -> list[Any]:
            return [n_var(point, at_end) - best for at_end, best in zip(low_high, least, strict=True)]

        points = list(corners)
        if not is_warner and low_high[0] < low_high[1] and level != 1:
            origin, step = (excesses((x, 0)) for x in (0, 1))
            apart = (origin[1] - origin[0]) / (origin[1] - origin[0] - step[1] + step[0])
            near, far = g - 1 + d, 1 - d
            for a, b, c in ((near, d, far), (d, near, far), (1, 0, 0), (0, 1, 0)):  # a r + b s = c
                place = (c - a * apart) / (a + b)
                point = (place + apart, place)
                halves = [near * one + d * other - far for one, other in (point, point[::-1])]
                if min(*point, *halves) >= -_ROUNDING:
                    points.append(point)
        found = min(max(excesses(point)) for point in points)
        lower, upper = (mp.mpf(x.numerator) / x.denominator for x in solution.minimax_regret.bracket)
        size = _ROUNDING * max(1, *least)
        if not lower - size <= found <= upper + size:
            raise RouteDisagreementError(
                f"SymPy finds another least regret among the vertices and hedges of the region: {mp.nstr(found, 17)}"
            )
        if solution.hedge is not None:
            own = tuple(mp.mpf(x.p) / x.q for x in _point(solution.hedge.mechanism))
            first, second = excesses(own)
            room = float(solution.hedge.regret.gap) + _OF_LEVEL * max(1, *least)
            if abs(first - second) > room:
                raise RouteDisagreementError("the regrets of the hedge differ at the ends of the interval")


def proof_parts(solution: Any) -> dict[str, Any]:
    """Return the texts and numbers of the proof: vertices, worst cases and regrets of all candidates.

    ``sympy_twin`` has compared them with the solution.
    """
    region, span = solution.region, solution.interval
    level, slack = gamma_of(region.epsilon), delta_of(region.delta)
    values = {gamma: level, delta: slack, low: exact(span.low), high: exact(span.high)}
    points = vertices(level, slack, is_warner=region.family == "warner")
    objective = variance.xreplace({pi: at})
    formulas = {name: objective.xreplace({r: point[0], s: point[1]}) for name, point in points.items()}
    worst = {name: formula.xreplace(values) for name, formula in formulas.items()}
    regrets = {}
    for name, point in points.items():
        own = (sp.sympify(point[0]).xreplace(values), sp.sympify(point[1]).xreplace(values))
        regrets[_WORDS[name]] = sp.Max(*_excesses(solution, own))
    if solution.hedge is not None:
        first, second = _excesses(solution, _point(solution.hedge.mechanism))
        regrets["the hedge"] = first if sign_of(first - second) >= 0 else second
    least = min(regrets, key=lambda name: sp.N(regrets[name], 40))
    best = min(worst, key=lambda name: sp.N(worst[name], 40))
    told = f"Find private designs with two outputs for a prevalence in $[L,H]=[{sp.latex(values[low])},"
    told += (
        f"{sp.latex(values[high])}]$ whose largest $n\\,\\mathrm{{Var}}$, or largest regret against the best design of "
    )
    told += (
        "each prevalence, is least. Privacy is that of two outputs: $p_{00}\\le\\gamma(1-p_{11})+\\delta$ and the like."
    )
    return {
        "problem": told,
        "is_warner": region.family == "warner",
        "vertices": "; ".join(
            f"$({sp.latex(point[0])},\\ {sp.latex(point[1])})$, {_WORDS[name]}" for name, point in points.items()
        ),
        "worst": "; ".join(f"{_WORDS[name]} ${number_text(value)}$" for name, value in worst.items()),
        "minimax": f"{_WORDS[best]}, with $W={number_text(worst[best])}$",
        "hedges": "; ".join(f"{name} ${number_text(value)}$" for name, value in regrets.items())
        + ("" if solution.hedge is not None else "; no point between the vertices has a smaller one"),
        "regret": f"{least}, with ${number_text(regrets[least])}$",
        "regret number": regrets[least],
        "level": {gamma: level, delta: slack},
    }


_WORDS = {
    "diagonal": "$p_{00}=p_{11}$",
    "corner_p00": "$p_{00}=1$, $p_{11}=\\delta$",
    "corner_p11": "$p_{11}=1$, $p_{00}=\\delta$",
}
_POINT_DIGITS = 60
_ROUNDING = 1e-40  # of sums of a few numbers in that many digits
_OF_LEVEL = 1e-20  # relative distance of a design at a rational level from the exact one


def _overlap(found: tuple[Any, Any], bracket: Bracket) -> str:
    return compared(found[0], bracket.lower, bracket.upper)


def _point(mechanism: Any) -> tuple[Any, Any]:
    p00, p11 = exact(mechanism[0, 0]), exact(mechanism[1, 1])
    scale = p00 + p11 - 1
    return (1 - p00) / scale, (1 - p11) / scale
