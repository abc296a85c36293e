"""The adversarial search: points at which a claim is most likely to be false, in addition to those of the sweep.

They are close to the boundary values or between two of them, and, for an inequality, near the points where it is
tightest.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rropt.claims.domains import Domain, Point
from rropt.claims.stated_values import SIGNS, StatedBound

_OTHERS = 3  # settings of the other variables for each special value
_MOST = 240  # special points of one claim
_BESIDE = (Fraction(1, 10**13), Fraction(1, 10**6))  # distances from a boundary value, relative to the domain's width
_STEPS = 24  # steps of a local search in one variable
_STARTS = 3


def special_points(variables: Mapping[str, Domain], pool: Sequence[Point]) -> list[Point]:
    """Return points with one variable at a special value and the others as at a point of the pool."""
    rng = random.Random(2)
    values = {name: _special(domain) for name, domain in variables.items() if domain.is_interval}
    found: list[Point] = []
    for tried in range(_OTHERS):
        for name, listed in values.items():
            for value in listed:
                if tried == 0 or len(variables) > 1:
                    found.append({**rng.choice(pool), name: value})
    return found if len(found) <= _MOST else rng.sample(found, _MOST)


def near_tight(starts: Sequence[Point], slack: Callable[[Point], Any]) -> Iterator[Point]:
    """Iterate over the points of local searches that start where the slack, a number or None, is smallest."""
    scored = []
    for point in starts:
        value = slack(point)
        if value is None:
            return
        scored.append((value, point))
    scored.sort(key=lambda pair: pair[0])
    for value, start in scored[:_STARTS]:
        best, at = value, dict(start)
        for name, here in start.items():
            if not isinstance(here, Fraction):
                continue
            step = max(abs(here), Fraction(1, 4)) / 4
            for _ in range(_STEPS):
                for other in (at[name] + step, at[name] - step):
                    candidate = {**at, name: other.limit_denominator(10**12)}
                    yield candidate
                    reached = slack(candidate)
                    if reached is not None and reached < best:
                        best, at = reached, candidate
                        break
                else:
                    step /= 3


def distance(says: Mapping[str, Any], is_: Mapping[str, Any]) -> Any:
    """Return the least slack of the rows that are inequalities between fractions; None if there is none."""
    slacks = []
    for name, said in says.items():
        if not isinstance(said, StatedBound) or said.strength not in SIGNS:  # a rounded value is no inequality
            continue
        if isinstance(said.value, Fraction) and isinstance(is_.get(name), Fraction):
            slacks.append((said.value - is_[name]) * (1 if -1 in SIGNS[said.strength] else -1))
    return min(slacks, default=None)


def _special(domain: Domain) -> list[Fraction]:
    """Return special values of one variable that lie in its domain."""
    ends = marks = sorted(set(domain.boundary))
    found = [(low + high) / 2 for low, high in pairwise(marks)]
    width = ends[-1] - ends[0] or Fraction(1)
    for mark in marks:
        for share in _BESIDE:
            found += [mark - width * share, mark + width * share]
    known = set(ends)
    return [
        x
        for x in dict.fromkeys(found)
        if x not in known and all(relation.holds({"x": x}) for relation in domain.relation)
    ]
