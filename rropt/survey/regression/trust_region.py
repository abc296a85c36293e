r"""Maximize a smooth function of few variables: a trust-region method with the exact Hessian.

Each step maximizes the quadratic model inside a ball, by the eigenvalues of the Hessian (Moré and Sorensen 1983). The
Hessian may be indefinite, so the method does not stop at saddle points or on slopes of negative curvature.

A point is accepted as a maximum only if the information ``-Hess`` is positive definite and the Newton decrement
``g^T (-Hess)^-1 g`` is below 1e-16. A test of the gradient alone would also accept plateaus at infinity; there the
information is indefinite or singular.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rropt.survey.regression.families import Floats
from rropt.survey.regression.likelihoods import Derivatives

_MOST_STEPS = 250
_DECREMENT = 1e-16  # of the log-likelihood, relative to the mean weight; a further Newton step changes no digit
_SINGULAR = 1e-12  # smallest eigenvalue of the whitened information, relative to the largest one and the total weight
_FAR = 1e4  # norm of the whitened parameters beyond which no maximum is expected


class Objective(Protocol):
    """The interface of an objective function."""

    def value(self, theta: Floats) -> float:
        """Return the value, or minus infinity."""

    def derivatives(self, theta: Floats) -> Derivatives:
        """Return the value, gradient and Hessian."""


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search.

    Attributes:
        theta: the last point.
        value: the value of the objective at the last point.
        converged: whether the point is a strict local maximum, up to the tolerances of this module.
        steps: the number of steps that were tried.
        decrement: ``g^T (-Hess)^-1 g``; infinite if the information is not positive definite.
    """

    theta: Floats
    value: float
    converged: bool
    steps: int
    decrement: float


def maximise(objective: Objective, start: Floats, weights: Floats) -> Found:
    """Maximize the objective from a starting point.

    Args:
        objective: a function of whitened parameters, whose natural scale is 1.
        start: a point at which the objective is finite.
        weights: the weights of the rows; their mean is the unit of the objective.
    """
    total = float(weights.sum())
    scale = total / max(int((weights > 0).sum()), 1)
    theta, radius = np.array(start, np.float64), 1.0
    now = objective.derivatives(theta)
    decrement = np.inf
    for step in range(_MOST_STEPS):
        values, vectors = np.linalg.eigh(-now.hessian)
        slope = vectors.T @ now.gradient
        definite = bool(values[0] > _SINGULAR * max(values[-1], total))
        decrement = float(np.sum(slope**2 / values)) if definite else np.inf
        if decrement < _DECREMENT * scale:
            return _polished(objective, theta, now, step, decrement)
        move = vectors @ _step(values, slope, radius)
        promised = float(now.gradient @ move + 0.5 * move @ now.hessian @ move)
        if not promised > 0 or np.linalg.norm(theta) > _FAR or promised < 1e-18 * scale:
            return Found(theta, now.value, False, step, decrement)
        there = objective.value(theta + move)
        noise = 1e-14 * abs(now.value)
        gained = there - now.value
        near = promised < 100 * noise and gained > -100 * noise  # the change is rounding noise: rely on the gradient
        ratio = 1.0 if near else gained / promised
        length = float(np.linalg.norm(move))
        radius = length / 4 if not ratio > 0.25 else max(radius, 2 * length) if ratio > 0.75 else radius
        if ratio > 1e-4:
            theta = theta + move
            now = objective.derivatives(theta)
        elif radius < 1e-14:
            break
    return Found(theta, now.value, False, _MOST_STEPS, decrement)


def _polished(objective: Objective, theta: Floats, now: Derivatives, steps: int, decrement: float) -> Found:
    """Return the end of a search after one more Newton step, which costs little and doubles the number of digits."""
    moved = theta - np.linalg.solve(now.hessian, now.gradient)
    value = objective.value(moved)
    if value >= now.value - 1e-13 * abs(now.value):
        return Found(moved, value, True, steps, decrement)
    return Found(theta, now.value, True, steps, decrement)


def _step(values: Floats, slope: Floats, radius: float) -> Floats:
    """Return the step of length at most ``radius`` that maximizes ``slope.s - s^T diag(values) s / 2``."""
    if values[0] > 0:
        newton: Floats = slope / values
        if np.linalg.norm(newton) <= radius:
            return newton
    least = max(0.0, -float(values[0]))

    def length(shift: float) -> float:
        return float(np.linalg.norm(slope / (values + shift)))

    tiny = 1e-12 * max(1.0, abs(float(values[-1])), least)
    low = least + tiny
    if length(low) < radius:  # the hard case: the slope has no component along the direction of least curvature
        step: Floats = slope / (values + low)
        step[0] += np.copysign(np.sqrt(max(radius**2 - float(step @ step), 0.0)), slope[0] or 1.0)
        return step
    high = low + float(np.linalg.norm(slope)) / radius
    for _ in range(100):
        middle = 0.5 * (low + high)
        if length(middle) > radius:
            low = middle
        else:
            high = middle
        if high - low < 1e-6 * high:
            break
    found: Floats = slope / (values + high)
    return found
