"""The least and the greatest bound of members do not depend on their order."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from rropt.claims.anchors.bounds import _root
from rropt.claims.anchors.declarations import Greatest, Least


def test_bounds_of_members_in_every_order() -> None:
    members = [{"x": Fraction(x), "y": Fraction(y)} for x, y in ((1, 9), (1, 3), (2, 5), (4, 7))]
    ratios = [each["x"] / each["y"] for each in members]
    for order in permutations(members):
        assert _root(Greatest("x >= g*y"), order, {}) == min(ratios)
        assert _root(Least("x <= g*y"), order, {}) == max(ratios)
