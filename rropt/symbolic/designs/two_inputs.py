"""Binary designs with two outputs, compared with the definition: the conditions, all vertices, and n Var at each.

Three results are held against each other: the least n Var over all vertices, which knows no theorem and no formula; the
closed form that SymPy derived (``objectives.closed_forms``); and the engine's bracket with its designs. All are
fractions, so that the comparison needs no import of SymPy.

*Conditions.* With two outputs, ``sum_i max(0, p_ij - gamma p_il) <= delta`` has at most one positive term, since both
terms add up to ``1 - gamma <= 0``. So it is ``p_ij - gamma p_il <= delta`` for both outputs i: four lines, beside the
four bounds of two probabilities, and ``p00 = p11`` for Warner's designs.

*A vertex is best.* ``1/(n Var)`` is the Fisher information, a sum of squares of linear forms divided by positive linear
forms. It is convex in (p00, p11), so its largest value on the side ``p00 + p11 > 1`` is at a vertex.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from rropt.core.errors import RouteDisagreementError
from rropt.core.exact.display import decimal_text
from rropt.core.exact.numbers import nearest_float
from rropt.core.exact.rational_bounds import MAX_BRACKET_DIGITS
from rropt.core.results.twins import EQUAL, INSIDE, Twin
from rropt.symbolic.objectives import closed_forms

_DIGITS = 60  # of the bracket of a level at which optima are computed: far more than those of a certified bracket
_LONGEST = 24  # digits of an exact value that is printed; a longer one is given in decimals
_SHARES = {"diagonal": "min(pi, 1 - pi)", "corner_p00": "pi", "corner_p11": "1 - pi"}

Line = tuple[Fraction, Fraction, Fraction]  # x p00 + y p11 <= z


class Best(NamedTuple):
    """The least n Var at a level, and the designs (p00, p11) that attain it."""

    value: Fraction
    designs: tuple[tuple[Fraction, Fraction], ...]


def conditions(gamma: Fraction, delta: Fraction) -> list[Line]:
    """Return the eight conditions ``x p00 + y p11 <= z`` of a level."""
    zero, one = Fraction(0), Fraction(1)
    bounds = [(one, zero, one), (zero, one, one), (-one, zero, zero), (zero, -one, zero)]
    odds = [  # p_ij - gamma p_il <= delta for the output i = 0, then for i = 1
        (one, gamma, gamma + delta),
        (-gamma, -one, delta - one),
        (gamma, one, gamma + delta),
        (-one, -gamma, delta - one),
    ]
    return [*bounds, *odds]


def violation(design: tuple[Fraction, Fraction], gamma: Fraction, delta: Fraction) -> Fraction:
    """Return by how much a design violates a condition of a level; at most 0 if it violates none."""
    return max(x * design[0] + y * design[1] - z for x, y, z in conditions(gamma, delta))


def variance(design: tuple[Fraction, Fraction], prevalence: Fraction) -> Fraction:
    """Return n Var: the estimator is affine in the mean of Bernoulli answers, with slope ``1/(p00 + p11 - 1)``."""
    positive = (1 - prevalence) * (1 - design[0]) + prevalence * design[1]
    return positive * (1 - positive) / (sum(design) - 1) ** 2


def least_variance(gamma: Fraction, delta: Fraction, prevalence: Fraction, *, is_symmetric: bool) -> Best:
    """Return the least n Var over all vertices with ``p00 + p11 > 1``; one exists if gamma > 1 or delta > 0.

    Args:
        gamma, delta: a rational level.
        prevalence: Pr(X = 1).
        is_symmetric: whether ``p00 = p11``.
    """
    found = {
        design: variance(design, prevalence)
        for design in _vertices(conditions(gamma, delta), is_symmetric=is_symmetric)
        if sum(design) > 1 and violation(design, gamma, delta) <= 0
    }
    value = min(found.values())
    return Best(value, tuple(sorted(design for design, own in found.items() if own == value)))


def _vertices(lines: list[Line], *, is_symmetric: bool) -> Iterator[tuple[Fraction, Fraction]]:
    """Return the points where two lines meet, or where a line meets ``p00 = p11``; also those outside the region."""
    diagonal: Any = (Fraction(1), Fraction(-1), Fraction(0))
    pairs = ((line, diagonal) for line in lines) if is_symmetric else combinations(lines, 2)
    for (a, b, c), (d, e, f) in pairs:
        determinant = a * e - b * d
        if determinant:
            yield (c * e - b * f) / determinant, (a * f - c * d) / determinant


# --- the comparison with a solution -----------------------------------------------------------------------------------


def solution_twin(solution: Any) -> Twin:
    """Return the least n Var by the definition and by the closed form, compared with a solution and its designs.

    Raises:
        RouteDisagreementError: two of the three results disagree, or a design of the solution violates a condition or
            does not attain the value that is claimed.
    """
    problem = solution.problem
    region, pi = problem.region.one_level(), problem.prevalence
    is_symmetric = region.family == "warner"
    _require_attained(solution)
    levels = region.bracket(_DIGITS)
    first, *other = [levels.below] if levels.is_exact else [levels.below, levels.above]
    best = least_variance(first.gamma, first.delta, pi, is_symmetric=is_symmetric)
    most = best.value
    name = _formula(best, first, pi)
    least = most
    if other:  # n Var falls as the level grows
        above = least_variance(other[0].gamma, other[0].delta, pi, is_symmetric=is_symmetric)
        least = above.value
        _formula(above, other[0], pi)
    if most < solution.lower or least > solution.upper:
        raise RouteDisagreementError(
            f"SymPy and the certified bracket disagree on {problem}: {decimal_text(most, 17)} against "
            f"[{decimal_text(solution.lower, 17)}, {decimal_text(solution.upper, 17)}]"
        )
    is_equal = least == most and most in (solution.lower, solution.upper)
    rounded = nearest_float(most)
    text = str(most) if is_equal and len(str(most)) <= _LONGEST else decimal_text(most) if rounded is None else rounded
    is_pure = region.delta.rational == 0
    return Twin(
        "SymPy",
        True,
        text,
        EQUAL if is_equal else INSIDE,
        form=closed_forms.TEXTS[f"{name}_variance, delta = 0" if is_pure else f"{name}_variance"],
        domain=_domain(name, is_symmetric=is_symmetric, is_pure=is_pure),
    )


def _require_attained(solution: Any) -> None:
    """Require that each design of a solution satisfies the definition, and that the first has the claimed value."""
    region, pi = solution.problem.region.one_level(), solution.problem.prevalence
    level = region.bracket(MAX_BRACKET_DIGITS).below  # rational designs are private at the level just below
    for mechanism in (solution.mechanism, *solution.optima):
        design = mechanism.p00, mechanism.p11
        excess = violation(design, level.gamma, level.delta)
        if excess > 0 or (region.family == "warner" and design[0] != design[1]):
            raise RouteDisagreementError(
                f"the design ({design[0]}, {design[1]}) violates a condition of {solution.problem} by "
                f"{decimal_text(excess, 3)}"
            )
    attained = variance((solution.mechanism.p00, solution.mechanism.p11), pi)
    if attained != solution.value:
        raise RouteDisagreementError(
            f"the design does not have the n Var that is claimed: {decimal_text(attained, 17)} against "
            f"{decimal_text(solution.value, 17)}"
        )


def _formula(best: Best, level: Any, prevalence: Fraction) -> str:
    """Return the name of the closed form that is least at a level, after comparing it with the best vertex.

    Raises:
        RouteDisagreementError: its value or its design is another one.
    """
    gamma, delta = level.gamma, level.delta
    p = Fraction(*closed_forms.diagonal_probability(gamma, delta))
    points = {"diagonal": (p, p)}
    values = {"diagonal": Fraction(*closed_forms.diagonal_variance(gamma, delta, prevalence))}
    if delta:
        numerator, denominator = closed_forms.threshold(gamma, delta)
        points |= {"corner_p00": (Fraction(1), delta), "corner_p11": (delta, Fraction(1))}
        for corner, share in (("corner_p00", prevalence), ("corner_p11", 1 - prevalence)):
            values[corner] = Fraction(*getattr(closed_forms, f"{corner}_variance")(delta, prevalence))
            difference = values[corner] - values["diagonal"]
            if _sign(difference) != _sign((share * denominator - numerator) * (1 - delta)):
                raise RouteDisagreementError(f"the threshold of the closed form does not compare {corner} at {level}")
    found = next((name for name, design in points.items() if design in best.designs), None)
    if found is None or values[found] != best.value:
        raise RouteDisagreementError(
            f"the closed form disagrees with the vertices of the region at {level}: {values.get(found or 'diagonal')} "
            f"against {best.value}, at {best.designs}"
        )
    return found


def _sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)


def _domain(point: str, *, is_symmetric: bool, is_pure: bool) -> str:
    """Return where a point is optimal, as text."""
    if point == "diagonal" and (is_symmetric or is_pure):
        return "gamma > 1" if is_pure else "gamma >= 1"
    return f"{_SHARES[point]} {'>=' if point == 'diagonal' else '<='} {closed_forms.TEXTS['threshold']}"
