"""The sweep: both sides of a claim at exact points, their certificates, and what may be said of the points.

That a certificate is accepted says that its claim about its problem is true, not that either is that of the point. So
the problem in it has to be the one that the claim poses at the point, every point has to have a problem of its own,
and the value that it certifies has to be the value that the claim computed there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from math import inf
from numbers import Number, Rational
from operator import itemgetter
from types import MappingProxyType
from typing import Any

import sympy as sp

from rropt.claims.claim import Claim, Condition, Side
from rropt.claims.comparisons import Bound, Enclosure, agrees
from rropt.claims.concolic_search import along_lines
from rropt.claims.domains import Domain, Point, every_case, is_whole, points
from rropt.claims.outcomes import FEWEST_POINTS, value_text
from rropt.claims.relations import Relation, exact_values, values_of
from rropt.claims.search import distance, near_tight, special_points
from rropt.core.errors import InvalidParameterError

_MOST_VALUES = 12  # of a finite domain that are written out in a scope

# What a side returned at a point, with the side, by its id and the key of the point. A side that is kept keeps its id.
Kept = dict[tuple[int, str], tuple[Side, Any]]


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a claim: as printed, with its missing assumption, or the correction.

    Attributes:
        name: ``as printed``, ``with the assumption`` or ``corrected``.
        conditions: assumptions.
        theory, computed: the two sides.
        strength: how they compare.
    """

    name: str
    conditions: tuple[Condition, ...]
    theory: Side
    computed: Side
    strength: str

    def both(self, point: Point, kept: Kept | None = None) -> tuple[Any, Any]:
        """Return both sides at a point, which they may read and not change.

        Args:
            point: the point.
            kept: what sides returned before, at which points; filled here. Nothing: both are computed.

        Raises:
            InvalidParameterError: a side changed it.
        """
        before, kept = _key(point), {} if kept is None else kept
        for side in (self.theory, self.computed):
            if (id(side), before) not in kept:
                kept[id(side), before] = side, side(MappingProxyType(dict(point)))
                if _key(point) != before:
                    raise InvalidParameterError(f"a side of the claim changes its point: received {before}")
        return kept[id(self.theory), before][1], kept[id(self.computed), before][1]


@dataclass(frozen=True, slots=True)
class Result:
    """Both sides at a point.

    Attributes:
        point: the point.
        says: what the statement says.
        is_: what is true.
        agrees: whether they compare as they should.
    """

    point: Point
    says: Any
    is_: Any
    agrees: bool


@dataclass
class Sweep:
    """The comparison at all admissible points, each once.

    Attributes:
        results: at the points that meet the conditions and are defined.
        undefined: how many points meet the assumptions, but an expression is undefined there.
        valued: at how many of them both sides give a value all the same.
        hidden: such a point at which the two disagree.
        outside: points that the conditions exclude.
        met: the keys of all points that were met, admissible or not.
        kept: what the sides of the claim returned at points, for its other forms.
    """

    results: list[Result]
    undefined: int
    outside: list[Point]
    valued: int = 0
    hidden: Point | None = None
    met: set[str] = field(default_factory=set)
    kept: Kept = field(default_factory=dict)

    @property
    def failing(self) -> list[Result]:
        """The results that disagree."""
        return [result for result in self.results if not result.agrees]

    @property
    def count(self) -> int:
        """How many distinct points were compared."""
        return len(self.results)


def sweep(claim: Claim, form: Form, effort: int, kept: Kept | None = None) -> Sweep:
    """Compare both sides of a form at all points of the sweep, and where a search expects a failure.

    Args:
        claim: the claim.
        form: of it.
        effort: multiplies the points.
        kept: what sides of the claim returned before; filled here.
    """
    found = Sweep([], 0, [], kept={} if kept is None else kept)
    special = () if is_whole(claim.variables) else special_points(claim.variables, (form.theory, form.computed), effort)
    for point in chain(points(claim.variables, claim.count * effort), claim.further, special):
        _compare(claim, form, point, found)
    if not found.failing and not is_whole(claim.variables):
        for point in along_lines(claim.variables, (form.theory, form.computed), effort):
            _compare(claim, form, point, found)
            if found.failing:
                break
    if not found.failing and not is_whole(claim.variables):
        inside = [r.renamed({"x": sp.Symbol(name)}) for name, d in claim.variables.items() for r in d.relation]

        def slack(point: Point) -> Any:
            if not _admissible(claim, form, point) or not all(relation.holds(point) for relation in inside):
                return None
            return distance(form.strength, *form.both(point, found.kept))

        for point in near_tight([result.point for result in found.results], slack):
            value = slack(point)
            if value is not None and value <= 0:
                _compare(claim, form, point, found)
    return found


def _admissible(claim: Claim, form: Form, point: Point) -> bool:
    return all(condition.holds(point) for condition in (*form.conditions, *claim.defined))


def _key(point: Point) -> str:
    """Return a text of the names and values of a point, whatever their order: readings may have other variables."""
    return repr(sorted(point.items(), key=itemgetter(0)))


def _compare(claim: Claim, form: Form, point: Point, found: Sweep) -> None:
    key = _key(point)
    if key in found.met:
        return
    found.met.add(key)
    if not all(condition.holds(point) for condition in form.conditions):
        found.outside.append(point)
    elif not all(condition.holds(point) for condition in claim.defined):
        found.undefined += 1
        try:
            says, is_ = form.both(point, found.kept)
            valued, same = None not in (says, is_), agrees(form.strength, says, is_)
        except Exception:  # somebody's code, where it is said to be undefined
            return
        found.valued += valued
        found.hidden = point if valued and not same and found.hidden is None else found.hidden
    else:
        says, is_ = form.both(point, found.kept)
        found.results.append(Result(point, says, is_, agrees(form.strength, says, is_)))


_TRIES = 3000  # points that are drawn to fill a case


def fill_case(claim: Claim, form: Form, where: Sequence[Relation], found: Sweep) -> int:
    """Compare both sides at further points of a case that has few; return how many were added.

    Points are drawn at random. Where the case is an equation that is linear in a variable, that variable is solved for.
    """
    if not where or any(relation.names() - claim.variables.keys() for relation in where):
        return 0
    before = sum(all(relation.holds(exact_values(each.point)) for relation in where) for each in found.results)
    solved = [_solved(relation, claim.variables) for relation in where if relation.sign == "="]
    missing, start = FEWEST_POINTS - before, found.count
    for point in points(claim.variables, _TRIES, seed=7):
        if missing <= 0:
            break
        here = dict(point)
        for name, value in filter(None, solved):
            try:
                here[name] = value(exact_values(here))
            except (ZeroDivisionError, KeyError):
                break
        inside = [r.renamed({"x": sp.Symbol(n)}) for n, d in claim.variables.items() for r in d.relation]
        if all(relation.holds(exact_values(here)) for relation in (*where, *inside)):
            count = found.count
            _compare(claim, form, here, found)
            missing -= found.count - count
    return found.count - start


def _solved(relation: Relation, variables: Mapping[str, Domain]) -> Any:
    """Return a variable that an equation is linear in, and the function that solves for it; None without one."""
    for name in sorted(relation.names()):
        symbol = sp.Symbol(name)
        if not variables[name].is_interval:
            continue
        numerator = sp.numer(sp.together(relation.difference))
        if sp.degree(numerator, symbol) == 1:
            slope, rest = sp.Poly(numerator, symbol).all_coeffs()
            return name, values_of(sp.together(-rest / slope))
    return None


def met_every_case(claim: Claim, found: Sweep) -> bool:
    """Return whether a sweep met every combination of the values of finite domains."""
    return is_whole(claim.variables) and found.met == {_key(point) for point in every_case(claim.variables)}


def reach(claim: Claim, form: Form, final: Sweep) -> tuple[str, str]:
    """Return how far points reach, and of what: all cases, certified ones, exact ones, or floats.

    ``enumerated`` only where the sweep met every combination of the values of finite domains; ``certified`` only where
    a certificate states the value at every point; ``sampled`` as soon as one number is a float.
    """
    conditions = [*form.conditions, *claim.defined]
    words = ", ".join(condition.text for condition in conditions)
    points_of = "points of a sweep and a search" + (f" with {words}" if words else "")
    floats = any(_is_inexact(value) for result in final.results for value in (result.says, result.is_))
    if floats or claim.evidence == "sampled":
        return "sampled", points_of
    if is_certified(claim, [(result.point, result.is_) for result in final.results]):
        return "certified", points_of
    if met_every_case(claim, final):
        return "enumerated", _all_cases(claim, final, words)
    return "tested", f"exact {points_of}"


def _all_cases(claim: Claim, final: Sweep, words: str) -> str:
    """Return the scope of an enumeration: the product of the domains, and which of its cases meet the conditions."""
    if not claim.variables:
        return "the one case"
    listed = []
    for name, domain in claim.variables.items():
        values = list(dict.fromkeys(map(value_text, domain.boundary)))
        shown = ", ".join(values if len(values) <= _MOST_VALUES else (*values[:3], "...", values[-1]))
        listed.append(f"{name} in {{{shown}}}")
    cases = f"all {len(final.met)} cases of {' and '.join(listed)}"
    return cases if final.count == len(final.met) else f"{cases}; {final.count} of them with {words}"


def _is_inexact(value: Any) -> bool:
    """Return whether a finite number that is not exact occurs in a value."""
    if isinstance(value, Mapping):
        return any(map(_is_inexact, value.values()))
    if isinstance(value, (tuple, list, set, frozenset)):
        return any(map(_is_inexact, value))
    if isinstance(value, Bound):
        return _is_inexact(value.value)
    if isinstance(value, sp.Basic):
        return bool(value.atoms(sp.Float))
    return isinstance(value, (Number, Decimal)) and not isinstance(value, Rational) and value not in (inf, -inf)


_TRUTHS = {"garbling": True, "no-garbling": False, "admissible": True, "inadmissible": False}
_BRACKETS = (
    "optimal-value",
    "optimal-design",
    "design-bracket",
    "minimax-design",
    "least-regret-design",
    "infimum",
    "profile",
)


def is_certified(claim: Claim, values: Sequence[tuple[Point, Any]]) -> bool:
    """Return whether at every point a certificate that the checker accepts says the value that was computed there."""
    if claim.certify is None or claim.poses is None or not values:
        return False
    problems = [claim.poses(point) for point, _ in values]
    if len({json.dumps(problem, sort_keys=True) for problem in problems}) < len(values):
        return False  # a problem that two points share is about neither of them
    return all(
        _certifies(claim, point, value, problem) for (point, value), problem in zip(values, problems, strict=True)
    )


def _certifies(claim: Claim, point: Point, value: Any, problem: Any) -> bool:
    certificate = claim.certify(point, value) if claim.certify is not None else None
    if certificate is None or not certificate.check():
        return False
    return bool(certificate.problem == problem) and _is_value(stated(certificate.claim), value)


def stated(said: Mapping[str, Any]) -> Any:
    """Return what the claim part of a certificate states: two bounds of a number, a truth value, or None for
    neither."""
    kind = said["kind"]
    if kind in _TRUTHS:
        return _TRUTHS[kind]
    if kind == "parity":
        return inf if said["parity"] == "infinite" else (Fraction(said["parity"]),) * 2
    if kind not in _BRACKETS:
        return None  # an identity or an inequality states no value
    if "infinite" in (said["lower"], said["upper"]):
        return inf
    return Fraction(said["lower"]), Fraction(said["upper"])


def _is_value(found: Any, value: Any) -> bool:
    """Return whether the stated value is the true one: the number itself, or a bracket within an enclosure of it."""
    if isinstance(value, bool) or isinstance(found, bool):
        return found is value
    if isinstance(found, tuple) and isinstance(value, Enclosure):
        return bool(value.low <= found[0] and found[1] <= value.high)
    if isinstance(found, tuple):
        return isinstance(value, (int, Fraction)) and found == (value, value)
    return isinstance(found, float) and isinstance(value, float) and found == value
