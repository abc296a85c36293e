"""Rows and columns of a dictionary that floats cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rropt.linear.routes.dictionary import Dictionary
from rropt.linear.routes.float_matrix import FloatMatrix
from rropt.linear.systems.integer_matrix import IndexArray, entries_of_rows
from rropt.linear.systems.powers_of_two import FloatArray
from rropt.tolerances import PARALLEL_BITS

__all__ = ["separate_parallels"]


def separate_parallels(dictionary: Dictionary, matrix: FloatMatrix, limit: int) -> int:
    """Pivot once in every group of nearly parallel rows or columns.

    A basis with two rows (or columns) whose large entries agree to PARALLEL_BITS is nearly singular in floats.
    Pivoting on one of them replaces the others by their exact differences, which scaling then magnifies.

    Args:
        dictionary: changed in place.
        matrix: the same in scaled floats.
        limit: the number of entries that the dictionary may grow to.

    Returns:
        The number of pivots. Cost O(entries log entries) to find the groups, and that of the pivots.
    """
    rows, columns = matrix.row_variables[matrix.bounded], matrix.column_variables
    starts, entries = entries_of_rows(matrix.starts, np.flatnonzero(matrix.bounded))
    places, values = matrix.columns[entries], matrix.values[entries]
    owner = np.repeat(np.arange(len(rows)), np.diff(starts))
    order = np.argsort(places, kind="stable")
    column_starts = np.searchsorted(places[order], np.arange(len(columns) + 1))
    pivots = 0
    for group in _groups(starts, places, values):
        named = {int(rows[k]): columns[large].tolist() for k, large in group}
        if _nearly_parallel([dictionary.rows.get(r, {}) for r in named]):
            r = min(named.keys() & dictionary.rows.keys(), key=lambda r: len(dictionary.rows[r]))
            pivots += _pivot_cheaply(dictionary, [(r, c) for c in named[r]], limit)
    for group in _groups(column_starts, owner[order], values[order]):
        named = {int(columns[k]): rows[large].tolist() for k, large in group}
        if _nearly_parallel([_column(dictionary, c) for c in named]):
            c = min(named.keys() & dictionary.columns.keys(), key=lambda c: len(dictionary.columns[c]))
            pivots += _pivot_cheaply(dictionary, [(r, c) for r in named[c]], limit)
    return pivots


def _groups(starts: IndexArray, places: IndexArray, values: FloatArray) -> Iterator[list[tuple[int, IndexArray]]]:
    """Yield groups of lines whose large entries are in the same places and in the same ratios, rounded.

    Each line comes with the places of its large entries. A line is hashed to `sum of key(place) * rounded ratio`
    modulo 2^64 with random keys; the ratio is to its first large entry.
    """
    lines = np.flatnonzero(np.diff(starts))
    if not lines.size:
        return
    lengths, sizes = np.diff(starts)[lines], np.abs(values)
    large = sizes * 2.0**PARALLEL_BITS >= np.repeat(np.maximum.reduceat(sizes, starts[lines]), lengths)
    first = np.minimum.reduceat(np.where(large, np.arange(len(values)), len(values)), starts[lines])
    ratios = np.where(large, np.rint(values / np.repeat(values[first], lengths) * 2.0**PARALLEL_BITS), 0.0)
    keys = np.random.default_rng(0).integers(1, 2**63, size=int(places.max()) + 1, dtype=np.uint64)
    hashes = np.add.reduceat(keys[places] * ratios.astype(np.int64).astype(np.uint64), starts[lines])
    order = np.argsort(hashes, kind="stable")
    cuts = np.flatnonzero(np.diff(hashes[order])) + 1
    for group in np.split(lines[order], cuts):
        if len(group) > 1:
            parts = [slice(starts[k], starts[k + 1]) for k in group]
            yield [(int(k), places[part][large[part]]) for k, part in zip(group, parts, strict=True)]


def _column(dictionary: Dictionary, c: int) -> dict[int, Any]:
    return {r: dictionary.rows[r][c] for r in dictionary.columns.get(c, ())}


def _nearly_parallel(lines: list[dict[int, Any]]) -> bool:
    """Whether the lines, parallel in floats, still exist and are not all exactly parallel."""
    present = [line for line in lines if line]
    return len(present) > 1 and any(not _parallel(present[0], line) for line in present[1:])


def _parallel(left: dict[int, Any], right: dict[int, Any]) -> bool:
    if left.keys() != right.keys():
        return False
    place = next(iter(left))
    return all(value * right[place] == right[k] * left[place] for k, value in left.items())


def _pivot_cheaply(dictionary: Dictionary, places: list[tuple[int, int]], limit: int) -> int:
    """Pivot on the entry of least fill, if there is one within the limit; return the number of pivots."""
    entries = [(r, c) for r, c in places if c in dictionary.rows.get(r, {})]
    best = min(entries, key=lambda place: dictionary.fill(*place), default=None)
    if best is None or dictionary.nonzeros + dictionary.fill(*best) > limit:
        return 0
    dictionary.pivot(*best)
    return 1
