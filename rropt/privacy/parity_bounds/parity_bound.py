"""B(h): the largest parity that a privacy criterion allows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from rropt.privacy.criteria import Criterion
from rropt.privacy.criteria.required import required_criterion
from rropt.privacy.parity_bounds.algebraic_numbers import Algebraic
from rropt.privacy.parity_bounds.callables import callable_places
from rropt.privacy.parity_bounds.cells import Rational, split
from rropt.privacy.parity_bounds.enclosures import enclosed_places
from rropt.privacy.parity_bounds.exact_pieces import exact_places
from rropt.privacy.parity_bounds.places import Place
from rropt.tolerances import ENCLOSURE_DIGITS, PARITY_BOUND_DIGITS

__all__ = ["ParityBound", "parity_bound"]


@dataclass(frozen=True, slots=True)
class ParityBound:
    """B(h) of a criterion: a mechanism meets it iff its parity is at most B(h).

    Attributes:
        criterion: the criterion.
        kind: ``"exact"``: ``value`` is B(h); ``"enclosed"``: proved to lie in [lower, upper] by ball arithmetic.
        value: exact text (``"inf"``: every mechanism meets it); of an enclosed bound its lower end, at which
            privacy holds.
        lower, upper: rational bounds of B(h), equal when it is rational; ``None`` when it is infinite.
        attained: whether the infimum is attained at some 0 < p < 1; ``None``: not decided, or infinite.
        at: where, as a number, ``"0+"`` or ``"1-"``; ``None`` when infinite.
        places: all places of the infimum that were found, attained ones first.
    """

    criterion: Criterion
    kind: str
    value: str
    lower: Fraction | None
    upper: Fraction | None
    attained: bool | None
    at: str | None
    places: tuple[Place, ...]

    def allows(self, parity: Fraction | None) -> bool | None:
        """Return whether a parity (``None``: infinite) is at most B(h); ``None`` inside an enclosure: not decided."""
        if self.lower is None:  # B(h) is infinite
            return True
        if self.upper is None:  # no upper end is known: what is not shown to be allowed stays undecided
            return True if parity is not None and parity <= self.lower else None
        if parity is None or parity > self.upper:
            return False
        if parity <= self.lower:
            return True
        if self.kind == "enclosed":
            return None
        value = self.places[0].value if self.places else None
        if value is not None:
            return Algebraic.of(parity) <= value
        level = self.criterion.level
        return None if level is None else bool(level.exact_gamma() >= parity)

    def __str__(self) -> str:
        if self.lower is None:
            return "B = inf"
        sign = "=" if self.kind == "exact" else ">="
        how = {True: "attained at", False: "approached at", None: "near"}[self.attained]
        return f"B {sign} {self.value}, {how} {self.at}"


def parity_bound(criterion: Criterion) -> ParityBound:
    """Return B(h), the infimum of posterior odds over prior odds on the boundary of a criterion.

    ``B(h) = inf over 0 < p < 1 of ((1-p)/p) (h(p)/(1-h(p)))`` with h = [h_l * h_u], h/(1-h) infinite where h = 1.
    Exact, an algebraic number, where the winning piece is a rational function; enclosed in rationals otherwise,
    always so for a Python function.

    Args:
        criterion: any criterion of ``rropt.privacy.criteria``.

    Raises:
        InvalidParameterError: a function out of its range, division by zero inside (0, 1), a function not defined.
        UnsupportedProblemError: a condition, or an undefined point, that cannot be decided; of a Python function no
            enclosure was reached.

    >>> from rropt.privacy.criteria import beta_factor, rho_to_rho
    >>> bound = parity_bound(rho_to_rho("1/5", "1/2"))
    >>> print(bound, float(bound.lower), bound.attained)
    B = 4, approached at 1/5 4.0 False

    Source: Chai and Nayak (2018), (3.3) and Theorem 3.1.
    """
    required_criterion(criterion)
    if criterion.level is not None and criterion.up is None:
        return _differential(criterion)
    if criterion.function is not None:
        return _least(criterion, callable_places(criterion.function))
    found: list[Place] = []
    if criterion.down is not None:
        split(criterion.down)  # what is wrong with h_l is said in terms of its own argument
    for side, tree in criterion.canonical_parts():
        for cell, leaf in split(tree):
            if isinstance(leaf, Rational):
                found += exact_places(side, leaf, cell)
            else:
                found += enclosed_places(side, leaf, cell)
    return _least(criterion, found)


def _least(criterion: Criterion, found: list[Place]) -> ParityBound:
    if not found:
        kind = "exact" if criterion.function is None else "enclosed"
        return ParityBound(criterion, kind, "inf", None, None, None, None, ())
    upper = min(place.upper for place in found)
    near = [place for place in found if place.lower <= upper]
    exact = [place for place in near if place.value is not None]
    if exact and len(exact) == len(near):
        value = min(place.value for place in exact if place.value is not None)
        winners = sorted((place for place in exact if place.value == value), key=lambda place: not place.attained)
        first = winners[0]
        return ParityBound(
            criterion, "exact", str(value), first.lower, first.upper, first.attained, first.text, tuple(winners)
        )
    lower = min(place.lower for place in near)
    if lower < upper:  # outwards to a decimal that people can read
        grid = 10**ENCLOSURE_DIGITS
        lower, upper = Fraction(math.floor(lower * grid), grid), Fraction(math.ceil(upper * grid), grid)
    order = {True: 0, None: 1, False: 2}
    near.sort(key=lambda place: (place.upper, order[place.attained]))
    states = {place.attained for place in near}
    attained = states.pop() if len(states) == 1 else None
    if any(place.attained and place.lower == place.upper == upper == lower for place in near):
        attained = True
    kind = "exact" if lower == upper and criterion.function is None else "enclosed"
    return ParityBound(criterion, kind, str(lower), lower, upper, attained, near[0].text, tuple(near))


def _differential(criterion: Criterion) -> ParityBound:
    """Return B of epsilon-DLP at irrational gamma: the odds ratio is gamma at every p."""
    level = criterion.level
    if level is None:
        raise TypeError("a criterion without functions has a level")
    gamma = level.exact_gamma()
    lower, upper = gamma.bracket(PARITY_BOUND_DIGITS)
    return ParityBound(criterion, "exact", str(gamma), lower, upper, True, "1/2", ())
