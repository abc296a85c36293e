"""A dual of a cell, answer by answer with a square that is left, and over all answers and categories."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Point

Case = dict[str, Any]

NUMBERS = ("bill", "t", "x", "y", "a", "b")  # B and t of any dual, a multiplier; weights and entries of two rays


def beta(found: Case, i: int) -> list[Fraction]:
    """Return what the bounds of an answer add to alpha."""
    return [x - y for x, y in zip(found["up"][i], found["down"][i], strict=True)]


def _answers(point: Point) -> range:
    return range(len(point["case"]["P"]))


def _inputs(point: Point) -> range:
    return range(len(point["case"]["pi"]))


def _columns(point: Point) -> range:
    return range(len(point["case"]["A"][0]))


def _pairs(point: Point) -> list[tuple[int, int]]:
    return [(j, x) for j in _inputs(point) for x in _columns(point)]
