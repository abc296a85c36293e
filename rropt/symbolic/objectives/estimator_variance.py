"""n Var of the prevalence in symbols: the definition, and the derivation of the closed forms of two outputs.

``python -m rropt.symbolic.objectives.estimator_variance`` writes ``closed_forms.py`` beside it and, for
the engine, ``rropt/designs/closed_forms.py``: two files, so that a fault in one of them is a contradiction. A test
derives both again. Nothing here is copied from the paper (Holohan, Leith and Mason (2016), Theorems 2 to 4): the
variance comes from the Bernoulli law of the answer, the three candidates from the inequalities of the region, the rest
by elimination.

*Why three candidates.* On p00 + p11 > 1 the variance decreases weakly in p00 and in p11: ``derive`` checks that each
slope times ``-(p00 + p11 - 1)^3`` is a sum of products of nonnegative terms (Lemma 2). So a minimizer lies on the two
segments where yes-ratio or no-ratio is tight. Along each the variance is quasi-concave (a product of two nonnegative
affine forms after the projective change of variables of ``checker/binary_bracket.md``), so an end point is best: the
*diagonal* point, where both are tight, or a *corner* (1, delta), (delta, 1). Corners need delta > 0.

*More outputs.* The truth with probability delta, else randomized response at epsilon (``rropt.any-output``); with three
outputs, two of these four are merged, since the information is convex in the postprocessing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import sympy as sp

from rropt.core.files.writing import write_text
from rropt.symbolic import symbols
from rropt.symbolic.objectives import closed_forms
from rropt.symbolic.objectives.goal import Goal, dot, total
from rropt.symbolic.posing import Form
from rropt.symbolic.symbols import delta, exact, gamma, pi

IS_OF_INFORMATION = False

_a, _b = sp.symbols("a b", real=True)


def pose(objective: Any, P: sp.ImmutableMatrix, population: Sequence[sp.Expr]) -> Goal:
    """Return n Var: that of the unbiased estimator of two outputs, else the inverse of the Fisher information."""
    if P.shape[0] == 2:
        return Goal(variance(P[0, 0], P[1, 1], population[1]))
    return Goal(1 / total(_information(row, dot(row, population)) for row in P.tolist()))


def _information(row: Sequence[sp.Expr], mean: sp.Expr) -> sp.Expr:
    """Return the information in an output; one that never occurs has none."""
    return sp.Piecewise(((row[1] - row[0]) ** 2 / mean, sp.Ne(mean, 0)), (0, True))


def variance(a: Any, b: Any, prevalence: Any) -> sp.Expr:
    """Return n Var: the estimator is affine in the mean of Bernoulli(lambda) answers, with slope 1/(a + b - 1)."""
    positive = (1 - prevalence) * (1 - a) + prevalence * b
    return positive * (1 - positive) / (a + b - 1) ** 2


def form(problem: Any) -> Form | str:
    """Return the optimal design of two, three or any number of outputs, with the domain on which it is best."""
    region = problem.region
    if not region.has_one_level:
        return "no closed form for several levels"
    if region.outputs == 0 or (region.outputs == 3 and region.one_level().delta.rational == 0):
        return any_outputs(problem, (False, True), pi, 1)  # at delta = 0 two outputs are best of any number
    if region.outputs == 3:
        return _three_outputs(problem)
    return _two_outputs(problem)


def _values(problem: Any) -> dict[sp.Symbol, sp.Expr]:
    """Return the values of gamma, delta and pi in a problem."""
    level = problem.region.one_level()
    slack = symbols.delta_of(level.delta)
    return {gamma: symbols.gamma_of(level.epsilon), delta: slack, pi: exact(problem.prevalence)}


class Vertex(NamedTuple):
    """A vertex of the designs of two outputs in symbols.

    Attributes:
        name: which conditions are tight, in words.
        point: (p00, p11).
        variance: n Var at it, factored.
    """

    name: str
    point: tuple[sp.Expr, sp.Expr]
    variance: sp.Expr


def lines_of_two() -> dict[str, sp.Expr]:
    """Return the conditions of two outputs by name, each as an expression of (a, b) = (p00, p11) that is at least 0.

    With two outputs ``sum_i max(0, p_ij - gamma p_il)`` has at most one positive term, since both add up to
    ``1 - gamma <= 0``. So the level is one line for each output and each ordered pair of inputs.
    """
    return {
        "p00 = 1": 1 - _a,
        "p11 = 1": 1 - _b,
        "p00 = 0": _a,
        "p11 = 0": _b,
        "p00 = gamma (1 - p11) + delta": gamma * (1 - _b) + delta - _a,
        "p11 = gamma (1 - p00) + delta": gamma * (1 - _a) + delta - _b,
        "1 - p00 = gamma p11 + delta": gamma * _b + delta - (1 - _a),
        "1 - p11 = gamma p00 + delta": gamma * _a + delta - (1 - _b),
    }


@cache
def vertices_of_two(is_symmetric: bool = False) -> tuple[Vertex, ...]:
    """Return the vertices with ``p00 + p11 > 1`` at each level with gamma > 1 and 0 < delta < 1.

    Two of the eight lines meet in each vertex. The other points are outside: a condition has the sign of a polynomial
    in ``gamma - 1`` and ``delta/(1 - delta)`` with coefficients <= 0. At gamma = 1 or delta = 1 points coincide.

    Args:
        is_symmetric: whether ``p00 = p11`` (Warner's designs); then a line meets the diagonal.

    Raises:
        ArithmeticError: a point is neither inside nor outside at all levels.
    """
    field = sp.QQ.frac_field(gamma, delta)
    sides = {
        name: [field.from_sympy(x) for x in (side.coeff(_a), side.coeff(_b), side.subs({_a: 0, _b: 0}))]
        for name, side in ((name, sp.expand(side)) for name, side in lines_of_two().items())
    }
    pairs: Any = combinations(sides.items(), 2)
    if is_symmetric:
        pairs = ((each, ("p00 = p11", [field.one, -field.one, field.zero])) for each in sides.items())
    found: dict[tuple[Any, Any], str] = {}
    for (one, (a, b, c)), (other, (d, e, f)) in pairs:
        determinant = a * e - b * d
        if not determinant:
            continue
        x, y = field((b * f - c * e) / determinant), field((c * d - a * f) / determinant)
        signs = [_sign_everywhere(u * x + v * y + w) for u, v, w in sides.values()]
        above = _sign_everywhere(x + y - field.one)
        if above == 0 or -1 in (above, *signs):
            continue
        if None in (above, *signs):
            raise ArithmeticError(f"the point of {one} and {other} is a vertex at some levels only")
        found.setdefault((x, y), f"{one} and {other}")
    points = [(name, tuple(sp.factor(field.to_sympy(x)) for x in point)) for point, name in found.items()]
    points.sort(key=lambda each: each[1][0] != each[1][1])  # equal probabilities first, where several are best
    return tuple(Vertex(name, point, sp.factor(variance(point[0], point[1], pi))) for name, point in points)


def _sign_everywhere(element: Any) -> int | None:
    """Return the sign of an element of QQ(gamma, delta) for gamma > 1 and 0 < delta < 1; None if it has no one sign."""
    sign = 1
    for part in (element.numer, element.denom):
        u, d = sp.symbols("u d")  # gamma = 1 + u, delta = d/(1 + d); the denominators 1 + d are positive
        whole, degree = sp.Poly(0, u, d), part.degree(1) if part else 0
        for (i, j), c in part.terms():
            whole += sp.Poly(c * (1 + u) ** i * d**j * (1 + d) ** (degree - j), u, d)
        coefficients = whole.coeffs()
        if not any(coefficients):
            return 0
        if min(coefficients) < 0 < max(coefficients):
            return None
        sign *= 1 if max(coefficients) > 0 else -1
    return sign


def _two_outputs(problem: Any) -> Form:
    """Return the vertex that is best at the level; it is best exactly where no other vertex has a smaller n Var."""
    values = _values(problem)
    is_symmetric = problem.region.family == "warner"
    points = list(vertices_of_two(is_symmetric))
    possible = [each for each in points if symbols.sign_of(sum(each.point).xreplace(values) - 1) > 0]
    best = possible[0]
    for each in possible[1:]:
        if symbols.sign_of((each.variance - best.variance).xreplace(values)) < 0:
            best = each
    (a, b), others = best.point, [each for each in points if each is not best]
    strict = [sp.Gt(sp.numer(sp.together(a + b - 1)), 0)]
    conditions = [sp.Ge(condition_of(best, each), 0) for each in others]
    return Form(
        best.variance,
        f"the information is convex in the design, so a vertex is best (Holohan, Leith and Mason 2016): {best.name}",
        sp.And(sp.Ge(gamma, 1), sp.Ge(delta, 0), sp.Le(delta, 1), *strict, *conditions),
        sp.ImmutableMatrix([[a, 1 - b], [1 - a, b]]),
        values,
    )


def condition_of(best: Vertex, other: Vertex) -> sp.Expr:
    """Return a polynomial that is >= 0 exactly where n Var at a vertex is at most that at another one.

    It is the numerator of the difference, whose denominator is positive for gamma > 1 and 0 < delta < 1.
    """
    numerator, denominator = sp.fraction(sp.factor(other.variance - best.variance))
    sign = _sign_everywhere(sp.QQ.frac_field(gamma, delta).from_sympy(denominator))
    if sign is None:
        raise ArithmeticError(f"the sign of {denominator} is not known")
    rest = sp.Symbol("rest")  # 1 - pi: the mirror image of a condition is written with it
    factors = sp.factor_list(sign * numerator)
    product = factors[0]
    for each, power in factors[1]:
        mirrored = sp.collect(sp.expand(each.subs(pi, 1 - rest)), rest, sp.factor).subs(rest, 1 - pi)
        product *= min(sp.collect(each, pi, sp.factor), mirrored, key=sp.count_ops) ** power
    return product


def _ratio(pair: tuple[Any, Any]) -> sp.Expr:
    return sp.factor(pair[0]) / sp.factor(pair[1])


def any_outputs(problem: Any, is_second: Sequence[bool], share: Any, times: Any) -> Form:
    """Return the four-output design of two groups of categories, and ``times`` n Var of the second group's share.

    Args:
        problem: the problem.
        is_second: for each category, whether it belongs to the second group.
        share: the share of the second group, a number or the symbol pi.
        times: the factor of n Var.
    """
    level = problem.region.one_level()
    values = {gamma: symbols.gamma_of(level.epsilon), delta: symbols.delta_of(level.delta)}
    if share is pi:
        values[pi] = exact(problem.prevalence)
    q = exact(share)
    spread, lean = q * (1 - q), (gamma - 1) ** 2
    one, rows = gamma + lean * spread, four_rows(delta)
    if level.delta.rational == 0:
        value, rows = one / lean, four_rows(sp.Integer(0))[1:3]
        del values[delta]
    else:  # at a share of 0 or 1, n Var is 0
        value = spread * one / (delta * one + (1 - delta) * lean * spread)
    return Form(
        exact(times) * value,
        "rropt.any-output (argued): the truth with probability delta, else randomized response at epsilon",
        sp.Gt(gamma, 1) if delta not in values else sp.And(sp.Ge(gamma, 1), sp.Gt(delta, 0)),
        sp.ImmutableMatrix([[row[second] for second in is_second] for row in rows]),
        values,
    )


def four_rows(slack: Any) -> list[tuple[Any, Any]]:
    """Return the rows of the four-output design: certainly no, rather no, rather yes, certainly yes."""
    likely, unlikely = (1 - slack) * gamma / (1 + gamma), (1 - slack) / (1 + gamma)
    zero = sp.Integer(0)
    return [(slack, zero), (likely, unlikely), (unlikely, likely), (zero, slack)]


def universal() -> sp.ImmutableMatrix:
    """Return the four-output design in symbols; every private mechanism of two categories is a garbling of it."""
    return sp.ImmutableMatrix([list(row) for row in four_rows(delta)])


def _merged(pair: tuple[int, int]) -> list[tuple[Any, Any]]:
    """Return the rows of the four-output design with two of them merged."""
    rows = four_rows(delta)
    one = (rows[pair[0]][0] + rows[pair[1]][0], rows[pair[0]][1] + rows[pair[1]][1])
    return [one if y == pair[0] else row for y, row in enumerate(rows) if y != pair[1]]


def mergers(problem: Any) -> list[tuple[tuple[int, int], sp.Expr]]:
    """Return n Var at the level for each pair of the four outputs that is merged, the best pair first."""
    values = _values(problem)
    found = [(pair, 1 / each.xreplace(values)) for pair, each in _informations(values).items()]
    best = 0
    for n in range(1, len(found)):
        best = n if symbols.sign_of(found[n][1] - found[best][1]) < 0 else best
    return [found[best], *(each for n, each in enumerate(found) if n != best)]


def _informations(values: dict[sp.Symbol, sp.Expr]) -> dict[tuple[int, int], sp.Expr]:
    """Return the information, in symbols, for each pair of the four outputs that is merged."""
    informations = {}
    for pair in combinations(range(4), 2):
        rows = [row for row in _merged(pair) if any(sp.sympify(x).xreplace(values) != 0 for x in row)]
        informations[pair] = total((b - a) ** 2 / (a * (1 - pi) + b * pi) for a, b in rows)
    return informations


def _three_outputs(problem: Any) -> Form:
    """Return the pair of outputs that is merged at the level, with the conditions against the other five pairs."""
    values = _values(problem)
    informations = _informations(values)
    pairs = list(informations)
    best = pairs[0]
    for pair in pairs[1:]:
        if symbols.sign_of((informations[pair] - informations[best]).xreplace(values)) > 0:
            best = pair
    others = [sp.factor(informations[best] - each) for pair, each in informations.items() if pair != best]
    return Form(
        1 / sp.factor(informations[best]),
        "rropt.garbling-of-four (argued): two of the four outputs merged; the information is convex in the garbling",
        sp.And(sp.Ge(gamma, 1), *(sp.Ge(each, 0) for each in others if each != 0)),
        sp.ImmutableMatrix(_merged(best)),
        values,
    )


# --- the derivation of the closed forms ------------------------------------------------------------------------------

_gamma, _delta, _pi = sp.symbols("gamma delta pi", real=True)


def derive() -> dict[str, Any]:
    """Return the formulas by name, each a SymPy expression in gamma, delta and pi.

    Raises:
        ArithmeticError: a step that the theorem rests on does not come out as an identity.
    """
    whole = variance(_a, _b, _pi)
    _require_monotone(whole)
    yes_ratio = sp.Eq(_b, _gamma * (1 - _a) + _delta)
    no_ratio = sp.Eq(_a, _gamma * (1 - _b) + _delta)
    points = {
        "diagonal": sp.solve([yes_ratio, no_ratio], [_a, _b], dict=True)[0],
        "corner_p00": {_a: sp.Integer(1), _b: sp.solve(yes_ratio.subs(_a, 1), _b)[0]},
        "corner_p11": {_b: sp.Integer(1), _a: sp.solve(no_ratio.subs(_b, 1), _a)[0]},
    }
    values = {name: sp.factor(whole.subs(point, simultaneous=True)) for name, point in points.items()}
    comparison = sp.factor(values["corner_p00"] - values["diagonal"])
    threshold = sp.factor(sp.solve(sp.numer(comparison) / (1 - _delta), _pi)[0])
    # the sign of the comparison is that of pi - g, and the mirror image has the sign of 1 - 2 pi
    _require_zero(comparison - (1 - _delta) / _delta * (_pi - threshold), "corner against diagonal")
    mirrored = values["corner_p11"] - values["corner_p00"]
    _require_zero(mirrored - (1 - _delta) / _delta * (1 - 2 * _pi), "corner against corner")
    return {
        "diagonal_probability": sp.factor(points["diagonal"][_a]),
        "diagonal_variance": values["diagonal"],
        "corner_p00_variance": values["corner_p00"],
        "corner_p11_variance": values["corner_p11"],
        "threshold": threshold,
    }


def _require_monotone(whole: Any) -> None:
    both = _a * _b + (1 - _a) * (1 - _b)
    for symbol, p, weight in ((_a, _b, _pi), (_b, _a, 1 - _pi)):
        slope = -sp.diff(whole, symbol) * (_a + _b - 1) ** 3
        _require_zero(slope - (2 * weight * p * (1 - p) + (1 - weight) * both), f"slope in {symbol}")


def _require_zero(expression: Any, what: str) -> None:
    if sp.simplify(expression) != 0:
        raise ArithmeticError(f"the derivation of the closed form fails at: {what}; left over {expression}")


_DOCS = {
    "diagonal_probability": "p00 = p11 at the diagonal point, where both ratio inequalities are tight (Theorem 2)",
    "diagonal_variance": "n Var at the diagonal point",
    "corner_p00_variance": "n Var at the corner (1, delta)",
    "corner_p11_variance": "n Var at the corner (delta, 1)",
    "threshold": "g(epsilon, delta) of (23): at pi = g the corner (1, delta) and the diagonal point tie",
}


FILES = (Path(closed_forms.__file__), Path(__file__).parents[2] / "designs" / "closed_forms.py")


def module_text() -> str:
    """Return the source of both files: each formula as (numerator, denominator), no division inside."""
    lines = [
        '"""Closed forms of the binary design, as pairs (numerator, denominator) of polynomials.',
        "",
        "Generated by `python -m rropt.symbolic.objectives.estimator_variance`, which derives them with SymPy; a test",
        "derives them again. The pairs need no division: they take Fractions, exact reals and NumPy arrays alike.",
        "",
        "Arguments: gamma = exp(epsilon) >= 1, delta in [0, 1], pi the prevalence in [0, 1].",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Any",
    ]
    found = derive()
    for name, doc in _DOCS.items():
        numerator, denominator = (sp.factor(part) for part in sp.fraction(found[name]))
        arguments = [s.name for s in (_gamma, _delta, _pi) if s in found[name].free_symbols]
        signature = ", ".join(f"{argument}: Any" for argument in arguments)
        lines += [
            "",
            f"def {name}({signature}) -> tuple[Any, Any]:",
            f'    """Return {doc}."""',
            f"    return {numerator}, {denominator}",
            "",
        ]
    lines += ["", "TEXTS = {"]
    texts = {name: found[name] for name in _DOCS}
    texts["diagonal_variance, delta = 0"] = sp.factor(found["diagonal_variance"].subs(_delta, 0))
    lines += [f'    "{name}": "{formula}",' for name, formula in texts.items()]
    lines += ["}", '"""The formulas as texts, factored."""', ""]
    return "\n".join(lines)


if __name__ == "__main__":
    for file in FILES:
        write_text(file, module_text())
