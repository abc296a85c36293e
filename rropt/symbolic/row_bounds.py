"""Exact bounds of an optimum that is linear in the weights of rows, at an irrational level.

*Attained.* A mechanism that is private at a level is private at every larger one. So the vertex of the active set is
computed in fractions at rational numbers just below gamma and delta. What it attains is one bound.

*Proved.* By weak duality (``active``) any prices y and z >= 0 prove the other one, ``sum y + delta sum z``, if no
bracket on the edges is negative. Prices are rational numbers near those of the vertex. The brackets are computed in
interval arithmetic at the level itself; if one of them is negative by v, for a row of sum 1, then v is added to each y.
Active sets that are not optimal have a large v, and are refused.

This is the proof where a form in symbols takes too long, as for linear objectives of nine categories and more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, ctx, fmpq

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact import Bracket, Delta, Epsilon
from rropt.core.exact.rational_bounds import bracket
from rropt.core.results.active_sets import Active
from rropt.symbolic.active import Asked, Basis, require_vertex
from rropt.symbolic.fields import Field, ProofRefusedError
from rropt.symbolic.sums import ONE, At, Balls, plain, total

_OF_LEVEL = 30  # significant digits of ``gamma - 1`` and of delta
_BITS = 320  # of the intervals
_DIGITS = 40  # of the prices, relative to the largest one
_LEAST_SIZE = Fraction(1, 10**20)
_WIDEST = Fraction(1, 10**15)  # relative width: bounds of an optimal vertex are 10^-28 apart


@dataclass(frozen=True, eq=False)
class RowBounds:
    """Bounds of the optimum that a private vertex and prices prove.

    Attributes:
        below: the vertex at rational numbers below gamma and delta.
        at: the problem at the level, in interval arithmetic.
        prices: y and z of the tight pairs, with the signs of a maximum.
        lower, upper: the bounds of the optimum.
    """

    below: Basis
    at: Asked
    prices: tuple[Fraction, ...]
    lower: Fraction
    upper: Fraction

    @property
    def width(self) -> Fraction:
        """The width of the bounds relative to their size, or to ``_LEAST_SIZE``: the optimum may be 0."""
        return (self.upper - self.lower) / max(abs(self.lower), abs(self.upper), _LEAST_SIZE)

    @property
    def design(self) -> tuple[tuple[Fraction, ...], ...]:
        """The private mechanism that attains one of the bounds: rows are outputs."""
        return tuple(tuple(Fraction(int(x.p), int(x.q)) for x in row) for row in self.below.mechanism().tolist())

    def check(self) -> None:
        """Prove the bounds again.

        Raises:
            RouteDisagreementError: the vertex is not private, a price is wrong, or a bound is another one.
        """
        require_vertex(self.below)
        if min(self.prices[self.at.k :], default=Fraction(0)) < 0:
            raise RouteDisagreementError("the price of a condition of privacy is negative")
        if _violation(self.at, self.below.active, self.prices) > 0:
            raise RouteDisagreementError("the prices are no bound: a bracket is negative")
        if (self.lower, self.upper) != _ends(self.below, self.at, self.prices):
            raise RouteDisagreementError("a bound is not the one that the vertex and its prices prove")


def bounds_of(data: Mapping[str, Any], active: Active, objective: Any = None) -> RowBounds:
    """Return the bounds that an active set proves at the level of a problem.

    Args:
        data: the problem as JSON.
        active: the rows with weight and the tight pairs.
        objective: the objective of a third party, whose terms have no intervals.

    Raises:
        ProofRefusedError: the active set is no vertex, or it is not optimal.
        UnsupportedProblemError: the problem is not linear in the weights of rows, or too large.
    """
    if objective is not None:
        raise UnsupportedProblemError("no bounds: the function of the objective is not computed in intervals")
    with ctx.workprec(_BITS):
        at = Asked(data, None, Balls())
    return between(Asked(level_below(data), None, Field({})), at, active)


def between(lower: Asked, at: Asked, active: Active) -> RowBounds:
    """Return the bounds that an active set proves.

    Args:
        lower: the problem at a rational level just below its own.
        at: the problem at its level, in interval arithmetic.
        active: the rows with weight and the tight pairs.

    Raises:
        ProofRefusedError: the active set is no vertex, or it is not optimal.
    """
    below = Basis(lower, active)
    require_vertex(below)
    with ctx.workprec(_BITS):
        prices = _prices(at, active)
        worst = _violation(at, active, prices)
    if worst > 0:  # the brackets of the rows with weight are 0, and rounded
        more = (
            worst + max(Fraction(1), *map(abs, prices)) / 10**_DIGITS
        )  # of which the last part is the rounding of intervals
        prices = (*(y + more for y in prices[: at.k]), *prices[at.k :])
    found = RowBounds(below, at, prices, *_ends(below, at, prices))
    if found.width > _WIDEST:
        raise ProofRefusedError("SymPy: the bounds of the vertex and of its prices are apart: it is not optimal")
    return found


def _prices(at: Asked, active: Active) -> tuple[Fraction, ...]:
    """Return rational prices near those of the vertex: they solve the system of the rows with weight."""
    near = Basis(at, active)
    try:
        found = arb_mat(near.lines).solve(arb_mat([[each.parts.get(ONE, arb(0))] for each in near.parts]))
    except ZeroDivisionError:
        raise ProofRefusedError("SymPy: the rows with weight determine no prices") from None
    middle = [bracket(x.mid()).lower for (x,) in found.tolist()]
    unit = (max(map(abs, middle)) or Fraction(1)) / 10**_DIGITS
    rounded = [Fraction(round(x / unit)) * unit for x in middle]
    if min(rounded[at.k :], default=Fraction(0)) < -unit:
        raise ProofRefusedError("SymPy: the price of a tight condition of privacy is negative")
    return (*rounded[: at.k], *(max(z, Fraction(0)) for z in rounded[at.k :]))


def _violation(at: Asked, active: Active, prices: Sequence[Fraction]) -> Fraction:
    """Return by how much a bracket is negative at most, for a row of sum 1."""
    with ctx.workprec(_BITS):
        own = [_ball(x) for x in prices]
        if at.lines is not None and not at.pairs:
            return max(map(_lower, _of_labels(at, own))) if at.k > _LISTED else _of_rows(at, active, own)
        return _of_rows(at, active, own)


_LISTED = 8  # categories up to which the rows are listed


def _of_labels(at: Asked, prices: Sequence[arb]) -> list[arb]:
    """Return bounds of the violations of a linear objective at delta = 0, one for each label (``Basis._sides``)."""
    found = []
    for line in at.lines or ():
        rest = [y - c * at.sign for y, c in zip(prices, line, strict=True)]
        low = [min(bracket(x).lower, Fraction(0)) for x in rest]
        least = sum(rest, arb(0)) + (at.gamma - 1) * _ball(sum(low, Fraction(0)))
        found.append(-least / at.k)  # entries of a row are at least 1
    return found


def _of_rows(at: Asked, active: Active, prices: Sequence[arb]) -> Fraction:
    near = Basis(at, active)
    near._both_prices = list(map(plain, prices))
    worst = Fraction(-1)
    for exponents in at.rows:
        size = sum(at.entries(exponents), arb(0))
        for label in at.labels:
            worst = max(worst, _lower(-near.bracket(label, exponents).parts.get(ONE, arb(0)) / size))
    return worst


def _lower(violation: arb) -> Fraction:
    """Return an upper bound of a violation."""
    return bracket(violation).upper


def _ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def _ends(below: Basis, at: Asked, prices: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Return the lower and the upper bound."""
    attained = _attained(below)
    paid = sum(prices[: at.k], Fraction(0))
    with ctx.workprec(_BITS):
        for pair, z in zip(below.active.tight, prices[at.k :], strict=True):
            paid += bracket(at.delta_of(pair)).upper * z
    proved = paid
    return (attained.lower, proved) if below.sign > 0 else (-proved, attained.upper)


def _attained(found: Basis) -> Bracket:
    """Return the value of the vertex by its weights: exact if it is rational."""
    value = total(part.times(w) for part, w in zip(found.parts, found.weights, strict=True)).times(found.sign)
    at = At(found.asked.field)
    if value.is_rational:
        rational = at.rational(value.parts.get(ONE, found.asked.field.zero))
        return Bracket.of(Fraction(int(rational.p), int(rational.q)))
    with ctx.workprec(_BITS):
        return bracket(at.ball(value, _BITS))


def level_below(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a problem at a rational level just below its own, or at its own if that is rational."""
    region = data["region"]
    gamma = Epsilon.from_dict(region["epsilon"]).gamma_bracket(_OF_LEVEL).lower
    delta = Delta.from_dict(region["delta"])
    slack = delta.rational if delta.rational is not None else delta.bracket(_OF_LEVEL).lower
    return {**data, "region": {**region, "epsilon": {"log": str(gamma)}, "delta": str(slack)}}
