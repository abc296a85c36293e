"""Vertices of a polytope of distributions, from its JSON, in floats: where k - 1 of its conditions hold with equality.

All choices of k - 1 conditions are solved, each with ``sum x = 1``.
"""

from __future__ import annotations

from itertools import combinations, islice
from math import comb
from typing import Any

import numpy as np

from rropt.convex.regions import TOO_MANY, Array, numbers
from rropt.core.errors import UnsupportedProblemError

_MOST_CHOICES = 1_000_000
_CHUNK = 50_000
_REGULAR = 1e-10  # determinants below are 0: coefficients are scaled to 1
_INSIDE = 1e-10  # by how much rounding may violate a condition
_DIGITS = 11  # of equal vertices, and of the order


def vertices_of(given: dict[str, Any], k: int) -> Array:
    """Return the vertices in ascending order, shape (n, k); those that the problem lists stay in their order.

    Raises:
        UnsupportedProblemError: there are too many conditions, or none of their points satisfies all of them.
    """
    if "vertices" in given:
        return np.array([numbers(one) for one in given["vertices"]])
    lines, bounds = [*-np.eye(k)], [0.0] * k  # line.x <= bound
    for row in given["rows"]:
        sides = {"<=": (1.0,), ">=": (-1.0,), "=": (1.0, -1.0)}[row["relation"]]
        line, bound = np.array(numbers(row["coefficients"])), numbers([row["bound"]])[0]
        size = float(abs(line).max()) or 1.0
        for sign in sides:
            lines.append(sign * line / size)
            bounds.append(sign * bound / size)
    A, b = np.array(lines), np.array(bounds)
    if comb(len(A), k - 1) > _MOST_CHOICES:
        raise UnsupportedProblemError(TOO_MANY)
    found = np.empty((0, k))
    choices = combinations(range(len(A)), k - 1)
    while listed := list(islice(choices, _CHUNK)):
        places = np.array(listed, dtype=int).reshape(len(listed), k - 1)
        systems = np.concatenate([A[places], np.ones((len(listed), 1, k))], axis=1)
        right = np.concatenate([b[places], np.ones((len(listed), 1))], axis=1)
        is_regular = abs(np.linalg.det(systems)) > _REGULAR
        points = np.linalg.solve(systems[is_regular], right[is_regular][:, :, None])[:, :, 0]
        inside = points[(points @ A.T <= b + _INSIDE).all(1)]
        found = np.unique(np.vstack([found, inside.round(_DIGITS) + 0.0]), axis=0)
    if not len(found):
        raise UnsupportedProblemError("no vertex of the polytope was found in floating-point numbers")
    return found
