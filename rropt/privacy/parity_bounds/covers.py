"""Covers of (0, 1) by cells that prove the infimum B(h) (``checker/cover/cover.md``).

The checker's own judgement of a cell is asked, so that what is found is accepted. An infimum at a rational place, or
a limit at 0 or 1, is claimed as an expression (``exact``), and the cells beside the place are seen from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

from rropt.checker.documents import Rejected
from rropt.exact import Bracket
from rropt.privacy.parity_bounds.cell_searches import Plan, Search, UnprovedError, is_expanded
from rropt.privacy.parity_bounds.documents import expression_of
from rropt.privacy.parity_bounds.infima import Place

# Relative: an infimum at an irrational place is claimed by so much less than a value beside it. Cells near it shrink
# with the root of the slack: functions of roots, exponentials and logarithms are left at the width that is promised.
_SLACKS = {False: (Fraction(1, 10**19), Fraction(1, 10**13)), True: (Fraction(1, 10**13),)}
_GRID = 10**20  # bounds are claimed as multiples of 1/_GRID: short numbers, far finer than the slack


@dataclass(frozen=True, slots=True)
class Cover:
    """What cells and a point prove of the infimum, and the witness that says so.

    Attributes:
        bounds: lower and upper, ``None`` of an infinite infimum.
        attained: whether the infimum is attained; ``None``: not proved.
        at: the place of the upper bound, as a certificate writes it.
        problem, witness: of a certificate: the functions, and the cells and the point.
    """

    bounds: Bracket | None
    attained: bool | None
    at: Any
    problem: Any
    witness: dict[str, Any]


def find_cover(problem: Any, places: Sequence[Place], slacks: Sequence[Fraction] = ()) -> Cover:
    """Return the best cover that is found.

    Args:
        problem: a criterion, as the checker reads it.
        places: where the infimum is, with bounds of it; none of an infinite infimum.
        slacks: what the lower bound may give way, relatively, in the place of the best plans.

    Raises:
        UnprovedError: none was found.
    """
    near, failed = Fraction(1, 2), None
    for plan in _plans(problem, places, slacks):
        if plan == failed:
            continue
        search = Search(problem, places)
        try:
            witness, place = search.cover(plan)
            return Cover(plan.bounds, plan.attained, place, problem, witness)
        except (UnprovedError, Rejected) as error:
            near = error.near if isinstance(error, UnprovedError) else near
            if (
                plan.attained is False and plan.is_exact and not search.is_weak
            ):  # to leave attainment open would not help
                failed = replace(plan, attained=None)
    raise UnprovedError(near)


def limits_at(problem: Any, side: str, index: int, at: Fraction) -> Iterator[Bracket]:
    """Iterate over what F tends to at 0 or 1 on a piece: bounds, equal ones of a rational number."""
    search = Search(problem, ())
    constants = search.criterion.constants
    for limit in search.limits(search.criterion.sides[side][index], at):
        exact = expression_of(limit, constants.named)
        low, high = constants.interval(limit)
        if isinstance(exact, str):
            yield Bracket.of(Fraction(exact))
        elif high.is_finite():
            yield Bracket(Fraction(low), Fraction(high))


def _plans(problem: Any, places: Sequence[Place], slacks: Sequence[Fraction]) -> Iterator[Plan]:
    """Iterate over what may be claimed, the best first."""
    if not places:
        yield Plan(None, None, None)
        return
    lower, upper = min(place.lower for place in places), min(place.upper for place in places)
    above = upper + Fraction(1, _GRID)
    if slacks:
        yield from (Plan(_outwards(above * (1 - slack), above), None, None) for slack in slacks)
        return
    states = [state for state in (True, False, None) if state is None or any(p.attained is state for p in places)]
    states = [states[0], None][: len(states)]
    value = places[0].value
    if value is not None:
        lower, upper = places[0].lower, places[0].upper
    if lower == upper:
        yield from (Plan(Bracket(lower, upper), None, attained) for attained in states)
    for exact in Search(problem, places).expressions(*_outwards(lower, upper)) if value is None else ():
        bounds = Bracket.of(Fraction(exact)) if isinstance(exact, str) else _outwards(lower, upper)
        yield from (Plan(bounds, exact, attained) for attained in states)
    if value is not None and lower < upper:  # an algebraic number, bracketed
        yield from (Plan(Bracket(lower, upper), None, attained) for attained in states)
    sides = Search(problem, places).criterion.sides
    is_analytic = any(is_expanded(piece.tree) for pieces in sides.values() for piece in pieces)
    for slack in _SLACKS[is_analytic]:
        claims = (state for state in states if state is not False)  # which is not for bounds apart
        yield from (Plan(_outwards(above * (1 - slack), above), None, attained) for attained in claims)


def _outwards(lower: Fraction, upper: Fraction) -> Bracket:
    """Return bounds on the grid; what is on it stays."""
    return Bracket(Fraction(floor(lower * _GRID), _GRID), Fraction(ceil(upper * _GRID), _GRID))
