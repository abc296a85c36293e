"""The variance of an unbiased estimate of a contrast, against the information of its outputs along another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rropt.claims import Point
from rropt_proofs.rropt._ellipsoids import answers, columns, inputs


def contrasts(point: Point) -> Iterator[Any]:
    """The columns of G sum to 0."""
    for x in columns(point):
        yield [(("case", "G", j, x),) for j in inputs(point)], ("nil", x)


def unbiased(point: Point) -> Iterator[Any]:
    """The estimates have the contrasts as means."""
    for j in inputs(point):
        for x in columns(point):
            yield [(("case", "A", i, x), ("case", "P", i, j)) for i in answers(point)], ("case", "F", j, x)
