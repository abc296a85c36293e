"""Compute strictly feasible initial weights for the interior-point method.

The weights are positive, give every category the same total probability, and leave slack in each constraint on delta.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.errors import UnsupportedProblemError
from rropt.core.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rropt.designs.engine.ray_enumeration import Fan
    from rropt.objectives.ray_criteria import Array

_SCALE = 0.5  # fraction of delta that the initial weights use
_ALL = 2500  # with more rays, only those with few different entries enter at first
_SAMPLE = 60  # random staircase rows per category in the initial list, with their complements
_SEED = 34


def first_weights(fan: Fan) -> tuple[NDArray[np.intp], Array]:
    """Return the indices of the initial rays, and positive weights of these rays and of the slacks of delta.

    Rays are scaled to ``r.scale = 1``. The weights of the rays sum to 1, and their weighted contrasts sum to 0.
    """
    listed = first_rays(fan)
    rows, _, excesses, _ = fan.floats(listed)
    by_largest = rows / rows.max(1)[:, None]
    s = by_largest @ np.array([float(x) for x in fan.scale])
    theta = _alike(fan, by_largest, excesses * s[:, None])
    if theta is None:
        theta = _by_program(by_largest, excesses * s[:, None], fan.deltas)
    w = theta * s
    return listed, np.concatenate([w, fan.deltas - excesses.T @ w])


def first_rays(fan: Fan) -> NDArray[np.intp]:
    """Return the indices of the initial rays.

    If there are at most ``_ALL`` rays, all of them are initial. Otherwise the function chooses a sample of staircase
    rows that is closed under complements, or the rays whose positive entries take at most two values.
    """
    n, k = len(fan), fan.k
    if n <= _ALL:
        return np.arange(n)
    if fan.is_staircase:  # row number n, read in binary, has index n - 1
        ones = 1 << np.arange(k)
        pairs = (ones[:, None] | ones[None, :]).ravel()
        drawn = np.random.default_rng(_SEED).integers(1, 2**k - 1, _SAMPLE * k)
        numbers = np.unique(np.concatenate([pairs, drawn]))
        return np.asarray(np.unique(np.concatenate([numbers, 2**k - 1 - numbers])) - 1)
    places = fan.places
    least = np.where(places < 0, np.iinfo(np.int32).max, places).min(1)
    is_plain = (places < 0) | (places == least[:, None]) | (places == places.max(1)[:, None])
    return np.flatnonzero(is_plain.all(1))


def _alike(fan: Fan, rows: Array, excesses: Array) -> Array | None:
    """Return weights that are invariant under permutations of the categories, or None if a level omits a pair."""
    k = fan.k
    if any(len(part.pairs) < k * (k - 1) for part in fan.parts):
        return None
    mass, is_plain = rows[:, 0], excesses.max(1, initial=0.0) <= 0
    if not is_plain.any():
        return None
    steep = 0.0
    if not is_plain.all():
        beyond = excesses.sum(0)
        steep = min(
            _SCALE * float((fan.deltas[beyond > 0] / beyond[beyond > 0]).min()), _SCALE / float(mass[~is_plain].sum())
        )
    plain = (1 - steep * float(mass[~is_plain].sum())) / float(mass[is_plain].sum())
    theta = np.where(is_plain, plain, steep)
    return theta if np.abs(theta @ rows - 1).max() < 1e-9 else None  # the sample may not be closed under permutations


def _by_program(rows: Array, excesses: Array, deltas: Array) -> Array:
    """Return weights whose minimum is as large as possible, by a linear program."""
    from scipy.optimize import linprog

    n, k = rows.shape
    excesses = excesses / deltas  # the solver's tolerance is absolute, and delta can be smaller
    found = linprog(
        np.append(np.zeros(n), -1.0),
        A_eq=np.column_stack([rows.T, rows.sum(0)]),
        b_eq=np.ones(k),
        A_ub=np.column_stack([excesses.T, excesses.sum(0)]) if len(deltas) else None,
        b_ub=np.full(len(deltas), _SCALE) if len(deltas) else None,
        method="highs",
    )
    if found.status or found.x[-1] <= 0:
        raise UnsupportedProblemError(
            "the linear program found no mechanism inside the region: received levels that are extreme; round them"
        )
    return np.asarray(found.x[:n] + found.x[-1])
