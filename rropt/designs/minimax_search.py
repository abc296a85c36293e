"""A floating-point search for the least favourable prior of a prevalence; ``minimax_risk`` proves its results.

A prior has points ``pi_j`` with weights w. The optimal estimator is its posterior mean t. The Bayes risk r(w) is
concave with ``dr/dw_j = R_t(pi_j)``, the risk at pi_j. The search has two steps:

1. An interior-point method on a grid finds where the risk of the optimal estimator attains its maximum.
2. Newton's method moves points and weights together, until the risks at all points are equal and the slopes of the risk
   at the points inside (0, 1) are 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS, _POLISHING, _EXCHANGES = 120, 40, 10
_FLAT = 1e-13  # relative: the accuracy to which risks can be equal in floats
_ENOUGH = 5e-10  # sufficient relative gap between the worst risk and the Bayes risk
_LEAST = 1e-4  # of gamma - 1: below it, the points 0 and 1 are the least favourable prior for all allowed n
_STEP = 1e-4  # longest Newton step from a grid point to a maximum: a longer one might lead to another maximum
_LIGHT = 1e-7  # smaller weights are dropped when a prior is gathered
_DEPENDENT = 1e-14  # smaller relative singular values are treated as 0
_MOST_POINTS = 40  # maximal number of points for Newton's method
_BLOCK = 2_000_000  # maximal number of probabilities in memory


class DiscretePrior(NamedTuple):
    """A discrete prior: its points in ascending order, and their weights."""

    points: Floats
    weights: Floats


class ResponseCounts(NamedTuple):
    """Counts of n responses: a certain ones, c of these 1, y ones among the others; a = c = 0 without delta."""

    gamma: float
    delta: float
    n: int

    @property
    def shapes(self) -> list[tuple[int, int]]:
        """The possible pairs (number of certain responses, number of other responses)."""
        return [(a, self.n - a) for a in range(self.n + 1 if self.delta else 1)]

    def law(self, points: Floats, order: int = 0) -> Floats:
        """Return the probabilities of the counts (a, c, y), in this order, one row per prevalence; or derivatives."""
        slope = (self.gamma - 1) / (self.gamma + 1)
        ones, zeros = ((1 + (self.gamma - 1) * p) / (self.gamma + 1) for p in (points, 1 - points))
        often = _binomial(self.n, np.array([self.delta]), np.array([1 - self.delta]))[0]
        blocks = []
        for a, others in self.shapes:
            told = [_binomial(a, points, 1 - points, i) for i in range(order + 1)]
            rest = [_binomial(others, ones, zeros, i) * slope**i for i in range(order + 1)]
            pairs = [math.comb(order, i) * told[i][:, :, None] * rest[order - i][:, None, :] for i in range(order + 1)]
            blocks.append(often[a] * np.sum(pairs, axis=0).reshape(len(points), (a + 1) * (others + 1)))
        return np.concatenate(blocks, axis=1)


def _binomial(n: int, chance: Floats, other: Floats, order: int = 0) -> Floats:
    """Return the binomial probabilities of 0, ..., n, one row per success probability, or their derivatives in it."""
    from scipy.special import gammaln, xlogy

    y = np.arange(n + 1)
    if order > n:
        return np.zeros((len(chance), n + 1))
    if order:
        fewer = np.pad(_binomial(n - 1, chance, other, order - 1), ((0, 0), (1, 1)))
        return np.asarray(n * (fewer[:, :-1] - fewer[:, 1:]))
    ways = gammaln(n + 1) - gammaln(y + 1) - gammaln(n - y + 1)
    return np.asarray(np.exp(ways + xlogy(y, chance[:, None]) + xlogy(n - y, other[:, None])))


def _means(weights: Floats, points: Floats, law: Floats) -> tuple[Floats, Floats]:
    """Return the probabilities of the counts under a prior (1 in place of 0), and the posterior means."""
    mixed = weights @ law
    mixed = np.where(mixed > 0, mixed, 1)
    return mixed, (weights * points) @ law / mixed


def estimator(survey: ResponseCounts, prior: DiscretePrior) -> Floats:
    """Return the posterior means of a prior, one for each combination of counts."""
    return _means(prior.weights, prior.points, survey.law(prior.points))[1]


def risk(survey: ResponseCounts, t: Floats, points: Floats) -> Floats:
    """Return the mean squared error of an estimator at each prevalence."""
    blocks = np.array_split(points, 1 + len(points) * len(t) // _BLOCK)
    return np.concatenate([(survey.law(x) * (t - x[:, None]) ** 2).sum(axis=1) for x in blocks])


def optimal_weights(survey: ResponseCounts, points: Floats) -> DiscretePrior:
    """Return the optimal weights of given points, by a primal-dual interior-point method."""
    law = survey.law(points)
    count = len(points)
    w = np.full(count, 1 / count)
    v = s = None
    for _ in range(_STEPS):
        mixed, t = _means(w, points, law)
        errors = law * (t - points[:, None])
        risks = (errors * (t - points[:, None])).sum(axis=1)
        if v is None or s is None:
            # above all risks, so that the slacks s are positive
            v = float(risks.max()) * 1.1
            s = v - risks
        if risks.max() < (w @ risks) * (1 + _FLAT):
            break
        hessian = 2 * (errors / mixed) @ errors.T  # minus the second derivatives of the Bayes risk
        # (H + diag(s/w)) dw + dv = (risks - v) + target/w,  sum dw = 0,  ds = (target - s dw)/w - s
        system = np.block([[hessian + np.diag(s / w), np.ones((count, 1))], [np.ones((1, count)), np.zeros((1, 1))]])
        # the slacks shrink to 0.15 of their mean in each step, down to a tenth of the accuracy that ends the search
        target = max(0.15 * float(w @ s), _FLAT / 10 * v) / count
        right = np.append(risks - v + target / w, 1 - w.sum())
        step = np.linalg.solve(system, right)
        dw, dv = step[:-1], float(step[-1])
        ds = (target - s * dw) / w - s
        # at most 0.9 of the way to the next bound of w or s
        length = 0.9 / max(0.9, float(np.max(-dw / w)), float(np.max(-ds / s)))
        w, v, s = w + length * dw, v + length * dv, s + length * ds
    return DiscretePrior(points, w / w.sum())


def least_favourable(survey: ResponseCounts) -> DiscretePrior:
    """Return a prior whose Bayes risk is close to the minimax risk, with few points if possible."""
    if survey.gamma - 1 < _LEAST and not survey.delta:
        return DiscretePrior(np.array([0.0, 1.0]), np.array([0.5, 0.5]))
    # its points are about 1/sqrt(n) apart, and the grid is finer
    size = max(60, int(30 * survey.n**0.5))
    prior = optimal_weights(survey, np.asarray((1 - np.cos(np.linspace(0, np.pi, size + 1))) / 2))
    tried = []
    for _ in range(_EXCHANGES):
        gathered = _polished(survey, _prior_on_peaks(survey, prior))
        tried += [(_gap(survey, gathered), gathered), (_gap(survey, prior), prior)]
        if min(tried[-1][0], tried[-2][0]) < _ENOUGH:
            break
        t = estimator(survey, prior)
        tops = peaks(survey, t)
        value = prior.weights @ risk(survey, t, prior.points)
        tops = tops[risk(survey, t, tops) > value * (1 + _ENOUGH / 10)]  # a flat risk has very many maxima
        prior = optimal_weights(survey, np.unique(np.append(_reduced_prior(survey, prior).points, tops)))
    gap = max(min(gap for gap, _ in tried), _ENOUGH)
    best = min((prior for found, prior in tried if found <= gap), key=lambda prior: len(prior.points))
    thin = _reduced_prior(survey, best)
    return thin if _gap(survey, thin) < 2 * gap else best


def peaks(survey: ResponseCounts, t: Floats) -> Floats:
    """Return the local maxima in [0, 1] of the risk of an estimator, from a fine grid and Newton steps."""
    fine = np.asarray((1 - np.cos(np.linspace(0, np.pi, 64 * (survey.n + 20)))) / 2)
    values = np.pad(risk(survey, t, fine), 1, constant_values=-1.0)
    found = np.asarray(fine[(values[1:-1] >= values[:-2]) & (values[1:-1] > values[2:])])
    inner = (found > 0) & (found < 1)
    for _ in range(2):  # Newton's steps
        x = found[inner]
        slope, bend = _slopes_of_risk(survey, t, x)
        found[inner] = np.clip(x - np.where(bend < 0, slope / np.minimum(bend, -_FLAT), 0), x - _STEP, x + _STEP)
    return np.asarray(np.clip(found, 0, 1))


def _slopes_of_risk(survey: ResponseCounts, t: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Return the first and second derivatives of the risk at given points."""
    law, slope, bend = (survey.law(points, order) for order in range(3))
    off = t - points[:, None]
    return (slope * off**2 - 2 * law * off).sum(axis=1), (bend * off**2 - 4 * slope * off).sum(axis=1) + 2


def _gap(survey: ResponseCounts, prior: DiscretePrior) -> float:
    """Return the relative gap between the worst risk and the Bayes risk; infinite if the prior is invalid."""
    if not np.all(np.isfinite(prior.weights)) or prior.weights.min() <= 0 or np.any(np.diff(prior.points) <= 0):
        return float("inf")
    t = estimator(survey, prior)
    points = np.append(peaks(survey, t), prior.points)
    return float(risk(survey, t, points).max() / (prior.weights @ risk(survey, t, prior.points)) - 1)


def _prior_on_peaks(survey: ResponseCounts, prior: DiscretePrior) -> DiscretePrior:
    """Return the prior on the local maxima of the risk; each gets the weights of the nearest points."""
    tops = peaks(survey, estimator(survey, prior))
    nearest = np.abs(tops[:, None] - prior.points).argmin(axis=0)
    weights = np.bincount(nearest, prior.weights, len(tops))
    kept = weights > _LIGHT
    return DiscretePrior(tops[kept], weights[kept] / weights[kept].sum())


def _reduced_prior(survey: ResponseCounts, prior: DiscretePrior) -> DiscretePrior:
    """Return a prior on at most n + 2 of the points with the same moments up to n + 1, hence the same posterior means.

    The moments are those of Bernstein polynomials, of which all probabilities of counts are mixtures. Each moment has
    full relative precision, however small it is.
    """
    from scipy.optimize import nnls

    moments = _binomial(survey.n + 1, prior.points, 1 - prior.points).T
    totals = moments @ prior.weights
    kept = totals > 0
    moments = moments[kept] / totals[kept, None] * prior.weights
    try:
        weights = prior.weights * nnls(moments, np.ones(len(moments)), maxiter=10 * len(kept) + 1000)[0]
    except RuntimeError:  # too many iterations
        return prior
    kept = weights > 0
    return DiscretePrior(prior.points[kept], weights[kept] / weights[kept].sum())


def _polished(survey: ResponseCounts, prior: DiscretePrior) -> DiscretePrior:
    """Improve a prior by Newton's method, until the risks are equal and the slopes are 0."""
    best, least = prior, np.inf
    for _ in range(_POLISHING if len(prior.points) <= _MOST_POINTS else 0):
        residual, matrix, inner = _system(survey, prior)
        size = float(np.abs(residual).max())
        if not size < least:
            break
        best, least = prior, size
        step = np.linalg.lstsq(matrix, -residual, rcond=_DEPENDENT)[0]
        points = prior.points.copy()
        points[inner] += step[: inner.sum()]
        prior = DiscretePrior(points, prior.weights + step[inner.sum() : -1])
        if np.any(np.diff(points) <= 0) or points[0] < 0 or points[-1] > 1 or prior.weights.min() <= 0:
            break
    return best


def _system(survey: ResponseCounts, prior: DiscretePrior) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return the residuals and the Jacobian of Newton's method, and the mask of the inner points.

    The equations are: all risks are equal, the slopes at the inner points are 0, the weights sum to 1. The unknowns are
    the inner points, the weights, and the common value.
    """
    (x, w), count = prior, len(prior.points)
    inner = (x > 0) & (x < 1)
    law, slope = survey.law(x), survey.law(x, 1)
    mixed, t = _means(w, x, law)
    off = t - x[:, None]
    by_weight, by_point = -law * off / mixed, (law - slope * off) * w[:, None] / mixed  # derivatives of t
    rises = [2 * law * off, 2 * (slope * off - law)]  # derivatives of risks and slopes with respect to t
    risks = (law * off**2).sum(axis=1)
    slopes, bends = _slopes_of_risk(survey, t, x)
    blocks = [
        [rises[0] @ by_point[inner].T + np.diag(slopes)[:, inner], rises[0] @ by_weight.T, -np.ones((count, 1))],
        [(rises[1] @ by_point.T + np.diag(bends))[np.ix_(inner, inner)], (rises[1] @ by_weight.T)[inner]],
        [np.zeros((1, inner.sum())), np.ones((1, count)), np.zeros((1, 1))],
    ]
    blocks[1].append(np.zeros((int(inner.sum()), 1)))
    value = w @ risks
    return np.concatenate([risks - value, slopes[inner], [w.sum() - 1]]), np.block(blocks), inner
