"""Groups of equal proportions: permutations inside groups, sums by group, and what patterns have by their counts."""

from __future__ import annotations

from itertools import permutations, product

from rropt.claims import Point


def rearrangements(group: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the permutations of the inputs that keep their groups."""
    members = [[j for j, own in enumerate(group) if own == g] for g in sorted(set(group))]
    return tuple(tuple(j for part in parts for j in part) for parts in product(*map(permutations, members)))


def inputs(point: Point) -> range:
    """Return the places of the categories."""
    return range(len(point["case"]["group"]))


def answers(point: Point) -> range:
    """Return the places of the answers."""
    return range(len(point["case"]["P"]))
