"""Proposals in floats of the most likely joint distribution of several questions; ``joint_likelihood`` judges them.

``sum pi - f(pi)``, f the log-likelihood per response, is convex, and its minimum over pi >= 0 lies on the simplex. With
``G = sum_g C_g^T (f_g/(C_g pi))`` its slope is ``1 - G``, and the gap of a population is ``max_x G_x - 1``.

* L-BFGS-B from the uniform population finds the cells that are 0, and stops at gaps of 1e-5 to 1e-7.
* Newton's method on the other cells goes on to 1e-12 (Kim, Carbonetto, Stephens and Anitescu, A fast algorithm for
  maximum likelihood estimation of mixture proportions, 2020, for a matrix that is written out).
* Where its equations are nearly singular (very noisy devices) an interior point method looks at one face after another.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rropt.estimation.likelihood import propose
from rropt.mechanisms import ProductMechanism
from rropt.mechanisms.vectors import blocked, carried_blocks

Floats = NDArray[np.float64]
Group = tuple[ProductMechanism, NDArray[np.int64]]  # devices, and how often each combination of answers was given

_DENSE = 1 << 22  # entries of a matrix of the answers of many groups: 32 MiB
_DIRECT = 700  # cells up to which Newton's equations are solved directly; beyond, by conjugate gradients
_FIRST_STEPS = 1500  # of L-BFGS-B: some 300 are usual, populations of few cells need most
_NEWTON_STEPS = 40  # 3 to 10 are usual
_FLOAT_GAP = 2e-12  # gap at which floats stop: sums of some thousand terms near 1 are no better
_SHORTEST = 1e-6  # part of a step of Newton's below which none is taken: the value falls by less than it is rounded
_ROUNDING = 1e-14  # relative, of the value: a sum of some thousand logarithms
_DEPENDENT = 1e-15  # singular values below, relative, are roundings of 0
_LEAST_SCALE = 1e-12  # of cells at 0, in which the equations are scaled by the shares
_ENOUGH = 1e-10  # gap in floats from which the interior point method is not asked
_FACES = 12  # of the simplex; 2 to 5 are usual
_FACE = 400  # cells of a face at least: one of its steps then costs some hundredths of a second at 4096 answers
CLEARLY_FEW = 1e-13  # a share below is tried as 0: no answers of a survey tell it from 0


class Survey:
    """The devices and histograms of all groups, as maps between cells and the answers that were given."""

    def __init__(self, groups: Sequence[tuple[ProductMechanism, NDArray[np.int64]]]) -> None:
        self.groups = groups
        self.cells = groups[0][0].inputs
        self.n = sum(int(counts.sum()) for _, counts in groups)
        self.given = [np.flatnonzero(counts) for _, counts in groups]
        self.shares: Floats = np.concatenate(
            [counts[given] / self.n for (_, counts), given in zip(groups, self.given, strict=True)]
        )
        self._blocks = [blocked([device.to_numpy() for device in product.factors]) for product, _ in groups]
        self._turned = [[np.ascontiguousarray(block.T) for block in blocks] for blocks in self._blocks]
        self._ends = np.cumsum([len(given) for given in self.given])[:-1]
        self._matrix: Floats | None = None
        if len(groups) > 1 and len(self.shares) * self.cells <= _DENSE:
            self._matrix = self.columns(np.arange(self.cells))

    def forward(self, x: Floats) -> Floats:
        """Return the chances of the answers that were given, group after group."""
        if self._matrix is not None:
            return np.asarray(self._matrix @ x)
        parts = [carried_blocks(blocks, x)[given] for blocks, given in zip(self._blocks, self.given, strict=True)]
        return np.concatenate(parts)

    def adjoint(self, weights: Floats) -> Floats:
        """Return for each cell the sum of the weights of its answers."""
        if self._matrix is not None:
            return np.asarray(weights @ self._matrix)
        total = np.zeros(self.cells)
        for (product, _), turned, given, part in zip(
            self.groups, self._turned, self.given, np.split(weights, self._ends), strict=True
        ):
            whole = np.zeros(product.outputs)
            whole[given] = part
            total += carried_blocks(turned, whole)
        return total

    def columns(self, cells: NDArray[np.intp]) -> Floats:
        """Return the chances of the answers that were given, for some cells: shape (answers, cells)."""
        if self._matrix is not None:
            return np.asarray(self._matrix[:, cells])
        parts = []
        for blocks, given in zip(self._blocks, self.given, strict=True):
            part, rows, columns = np.ones((len(given), len(cells))), given, cells
            for block in blocks:
                rows, row = np.divmod(rows, block.shape[0])
                columns, column = np.divmod(columns, block.shape[1])
                part *= block[row][:, column]
            parts.append(part)
        return np.concatenate(parts)


def proposal(survey: Survey) -> Floats:
    """Return a population near the maximum, shape (cells,), in floats."""
    x, gap = _polished(survey, _first(survey))
    if gap > _ENOUGH:
        x, _ = _polished(survey, _by_faces(survey, x))
    return x


def _first(survey: Survey) -> Floats:
    """Return a proposal by L-BFGS-B from the uniform population."""
    from scipy.optimize import minimize

    shares = survey.shares

    def value(x: Floats) -> tuple[float, Floats]:
        chances = np.maximum(survey.forward(x), np.finfo(float).tiny)
        return float(x.sum() - shares @ np.log(chances)), 1.0 - survey.adjoint(shares / chances)

    start = np.full(survey.cells, 1.0 / survey.cells)
    # far below the gaps of 1e-5 to 1e-7 at which it stalls: it ends by its steps, or by the end of its floats
    options = {"maxiter": _FIRST_STEPS, "maxfun": 2 * _FIRST_STEPS, "ftol": 1e-15, "gtol": 1e-9, "maxcor": 20}
    found = minimize(value, start, jac=True, method="L-BFGS-B", bounds=[(0.0, None)] * survey.cells, options=options)
    x = np.asarray(found.x, np.float64)
    return np.asarray(x / x.sum())


def _by_faces(survey: Survey, x: Floats) -> Floats:
    """Return a better proposal where Newton's equations are nearly singular (very noisy devices).

    The interior point method of one question is put to a face of the simplex: the cells that are positive or have the
    largest gains; the gains there say which cells the next face holds.
    """
    for _ in range(_FACES):
        gains = survey.adjoint(survey.shares / survey.forward(x))
        if gains.max() - 1 < _ENOUGH:
            break
        order = np.argsort(np.where(x > 0, np.inf, gains))[::-1]
        cells = np.sort(order[: max(_FACE, 2 * int((x > 0).sum()))])[: _FACE * 4]
        inside = propose(survey.columns(cells), survey.shares)
        x = np.zeros(survey.cells)
        x[cells] = np.where(inside > CLEARLY_FEW, inside, 0.0)
        x /= x.sum()
    return x


def _polished(survey: Survey, x: Floats) -> tuple[Floats, float]:
    """Return the best of the iterates of Newton's method on the cells that are not 0, and its gap in floats.

    A step solves ``H d = G - 1`` on the free cells, ``H = C^T diag(f/lambda^2) C``: those that are positive, and those
    at 0 whose gain exceeds 1. Cells that it would make negative leave, and it is solved again (``_step``); the length
    is halved until the value falls.
    """
    shares = survey.shares
    best, least = x, np.inf
    for _ in range(_NEWTON_STEPS):
        chances = survey.forward(x)
        gains = survey.adjoint(shares / chances)
        gap = float(gains.max()) - 1.0
        if gap < least:
            best, least = x, gap
        if gap < _FLOAT_GAP:
            break
        step = _step(survey, x, chances, gains)
        value, length = -float(shares @ np.log(chances)), 1.0
        while length > _SHORTEST:
            following = np.maximum(x + length * step, 0.0)
            following /= following.sum()
            trial = survey.forward(following)
            if trial.min() > 0 and -float(shares @ np.log(trial)) <= value + _ROUNDING * abs(value):
                break
            length /= 2
        else:
            break
        x = following
    return best, least


def _step(survey: Survey, x: Floats, chances: Floats, gains: Floats) -> Floats:
    """Return Newton's step under ``x + d >= 0``: what it makes negative is fixed at 0."""
    weights = survey.shares / chances**2
    free = (x > 0) | (gains > 1.0)
    step = np.zeros_like(x)
    for _ in range(20):
        cells = np.flatnonzero(free)
        fixed = np.where(free, 0.0, -x)  # those that left go to 0
        right = gains - 1.0
        if fixed.any():
            right = right - survey.adjoint(weights * survey.forward(fixed))
        step = fixed.copy()
        step[cells] = _solved(survey, weights, cells, right[cells], x)
        leaving = free & (x + step < 0)
        if not leaving.any():
            break
        free &= ~leaving
    return step


def _solved(survey: Survey, weights: Floats, cells: NDArray[np.intp], right: Floats, x: Floats) -> Floats:
    """Solve ``C^T diag(weights) C d = right`` on some cells: directly, or by conjugate gradients."""
    from scipy.linalg import cho_factor, cho_solve

    if len(cells) <= _DIRECT:
        scaled = survey.columns(cells) * np.sqrt(weights)[:, None]
        matrix = scaled.T @ scaled
        try:
            return np.asarray(cho_solve(cho_factor(matrix), right))
        except np.linalg.LinAlgError:  # the answers do not identify all cells
            return np.asarray(np.linalg.lstsq(matrix, right, rcond=_DEPENDENT)[0])
    from scipy.sparse.linalg import LinearOperator, cg

    whole = np.zeros(survey.cells)
    root = np.sqrt(np.maximum(x[cells], _LEAST_SCALE))  # the scale in which the equations are well conditioned

    def times(vector: Floats) -> Floats:
        whole[cells] = root * vector
        return np.asarray(root * survey.adjoint(weights * survey.forward(whole))[cells])

    operator = LinearOperator((len(cells), len(cells)), matvec=times, dtype=np.float64)
    # Newton's method converges quadratically: half of the digits of a step are enough, and the last one needs none
    found, _ = cg(operator, root * right, rtol=1e-8, maxiter=1500)
    return np.asarray(root * found)
