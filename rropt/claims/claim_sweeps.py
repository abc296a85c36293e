"""The sweep: evaluate both sides of a claim at exact points, and label the evidence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, islice
from operator import itemgetter
from types import MappingProxyType
from typing import Any

import sympy as sp

from rropt.claims.adversarial_search import distance, near_tight, special_points
from rropt.claims.claim import Claim, Condition, Rows, sides
from rropt.claims.domains import Point, every_case, is_whole, points
from rropt.claims.outcomes import value_text
from rropt.claims.stated_values import agrees, require_value
from rropt.core.errors import InvalidParameterError

_POOL = 40  # points from which special points differ in one variable
_MOST_VALUES = 12  # largest number of values of a finite domain that a scope lists in full

# (id of a function, key of a point) -> (function, values). The function is stored too, so its id cannot be reused.
Kept = dict[tuple[int, str], tuple[Rows, tuple[Any, Any]]]


@dataclass(frozen=True, slots=True)
class ClaimForm:
    """A form of a claim: as printed, with its missing assumption, or corrected.

    Attributes:
        name: ``as printed``, ``with the assumption`` or ``corrected``.
        conditions: the assumptions.
        rows: the rows.
    """

    name: str
    conditions: tuple[Condition, ...]
    rows: Rows

    def both(self, point: Point, kept: Kept | None = None) -> tuple[Any, Any]:
        """Return the stated and the true value of each row at a point, which the claim may read but not change.

        Args:
            point: the point.
            kept: earlier values at points; this call adds to them. By default they are computed.

        Raises:
            InvalidParameterError: the claim changed the point.
        """
        key, kept = (id(self.rows), _key(point)), {} if kept is None else kept
        if key not in kept:
            kept[key] = self.rows, sides(self.rows(MappingProxyType(dict(point))))
            if _key(point) != key[1]:
                raise InvalidParameterError(f"a side of the claim changes its point: received {key[1]}")
        return kept[key][1]


@dataclass(frozen=True, slots=True)
class BothValues:
    """The values of both sides at a point.

    Attributes:
        point: the point.
        says: the value in the statement.
        is_: the true value.
        agrees: whether the two compare as the claim requires.
    """

    point: Point
    says: Any
    is_: Any
    agrees: bool


@dataclass
class Sweep:
    """The comparison at all admissible points, each evaluated once.

    Attributes:
        results: the results at the points that satisfy the conditions and at which the statement is defined.
        undefined: the number of points that satisfy the assumptions but at which an expression is undefined.
        valued: the number of undefined points at which both sides nevertheless return a value.
        hidden: such a point at which the two values disagree.
        met: the keys of all points that were generated, admissible or not.
        kept: the values at points, for other forms of the claim.
    """

    results: list[BothValues]
    undefined: int
    valued: int = 0
    hidden: Point | None = None
    met: set[str] = field(default_factory=set)
    kept: Kept = field(default_factory=dict)

    @property
    def failing(self) -> list[BothValues]:
        """The results that disagree."""
        return [result for result in self.results if not result.agrees]

    @property
    def count(self) -> int:
        """The number of distinct points that were compared."""
        return len(self.results)


def sweep(claim: Claim, form: ClaimForm, kept: Kept | None = None) -> Sweep:
    """Compare both sides of a form at all points of the sweep and at the points of the searches for failures.

    Args:
        claim: the claim.
        form: the form of the claim that is tested.
        kept: earlier values at points; this call adds to them.
    """
    found = Sweep([], 0, kept={} if kept is None else kept)
    swept = claim.cases() if claim.cases else points(claim.variables, claim.count)
    special: Iterable[Point] = ()
    if not is_whole(claim.variables):
        pool = list(islice(claim.cases(), _POOL)) if claim.cases else list(points(claim.variables, _POOL, seed=3))
        special = special_points(claim.variables, pool)
    for point in chain(swept, special):
        _compare(claim, form, point, found)
    if not found.failing and not is_whole(claim.variables):
        inside = [r.renamed({"x": sp.Symbol(name)}) for name, d in claim.variables.items() for r in d.relation]

        def slack(point: Point) -> Any:
            if not _admissible(claim, form, point) or not all(relation.holds(point) for relation in inside):
                return None
            return distance(*form.both(point, found.kept))

        for point in near_tight([result.point for result in found.results], slack):
            value = slack(point)
            if value is not None and value <= 0:
                _compare(claim, form, point, found)
    return found


def _admissible(claim: Claim, form: ClaimForm, point: Point) -> bool:
    return all(condition.holds(point) for condition in (*form.conditions, *claim.defined))


def _key(point: Point) -> str:
    """Return a text of the names and values of a point in a fixed order, since readings may order variables freely."""
    return repr(sorted(point.items(), key=itemgetter(0)))


def _compare(claim: Claim, form: ClaimForm, point: Point, found: Sweep) -> None:
    key = _key(point)
    if key in found.met:
        return
    found.met.add(key)
    if not all(condition.holds(point) for condition in form.conditions):
        return
    if not all(condition.holds(point) for condition in claim.defined):
        found.undefined += 1
        try:
            says, is_ = form.both(point, found.kept)
            _require_values(form, point, says, is_)
            same = agrees(says, is_)
        except Exception:  # user code at a point where it may be undefined
            return
        found.valued += 1
        found.hidden = point if not same and found.hidden is None else found.hidden
    else:
        says, is_ = form.both(point, found.kept)
        _require_values(form, point, says, is_)
        found.results.append(BothValues(point, says, is_, agrees(says, is_)))


def _require_values(form: ClaimForm, point: Point, says: Any, is_: Any) -> None:
    at = value_text(point)
    for side, value in (("theory", says), ("computed", is_)):
        name = f"{side} of the correction" if form.name == "corrected" else side
        require_value(value, name, at)


def met_every_case(claim: Claim, found: Sweep) -> bool:
    """Return whether a sweep contains every combination of the values of finite domains."""
    return is_whole(claim.variables) and found.met == {_key(point) for point in every_case(claim.variables)}


def reach(claim: Claim, form: ClaimForm, final: Sweep) -> tuple[str, str]:
    """Return the label of the evidence from points, and its scope.

    The label is ``enumerated`` if the sweep has every combination of the values of finite domains, else ``tested``.
    """
    conditions = [*form.conditions, *claim.defined]
    words = ", ".join(condition.text for condition in conditions)
    if met_every_case(claim, final):
        return "enumerated", _all_cases(claim, final, words)
    return "tested", "exact points of a sweep and a search" + (f" with {words}" if words else "")


def _all_cases(claim: Claim, final: Sweep, words: str) -> str:
    """Return the scope of an enumeration: the product of the domains, and how many cases satisfy the conditions."""
    if not claim.variables:
        return "the one case"
    listed = []
    for name, domain in claim.variables.items():
        values = list(dict.fromkeys(map(value_text, domain.boundary)))
        shown = ", ".join(values if len(values) <= _MOST_VALUES else (*values[:3], "...", values[-1]))
        listed.append(f"{name} in {{{shown}}}")
    cases = f"all {len(final.met)} cases of {' and '.join(listed)}"
    return cases if final.count == len(final.met) else f"{cases}; {final.count} of them with {words}"
