"""Proposals in floats of the most likely joint distribution of several questions; ``joint_likelihood`` judges them.

``sum pi - f(pi)``, f the log-likelihood per response, is convex, and its minimum over pi >= 0 lies on the simplex. With
``G = sum_g C_g^T (f_g/(C_g pi))`` its slope is ``1 - G``, and the gap of a population is ``max_x G_x - 1``.

* Some steps of the EM algorithm lead from the uniform population into the simplex.
* Projected Newton steps go on to gaps of 1e-12 (Bertsekas, Projected Newton methods for optimization problems with
  simple constraints, 1982; Kim, Carbonetto, Stephens and Anitescu, A fast algorithm for maximum likelihood estimation
  of mixture proportions, 2020, for a matrix that is written out). Conjugate gradients solve their equations by
  products of the devices: nothing is quadratic in the cells, and nothing but NumPy is imported.
* Where the equations are nearly singular (very noisy devices) an interior point method looks at one face after another.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from rropt.mechanisms import ProductMechanism
from rropt.mechanisms.vectors import blocked, carried_blocks
from rropt.survey.estimates.likelihood import propose

Floats = NDArray[np.float64]
Group = tuple[ProductMechanism, NDArray[np.int64]]  # devices, and how often each combination of answers was given

_DENSE = 1 << 22  # entries of a matrix of the answers of many groups: 32 MiB
_FIRST_STEPS = 30  # of the EM algorithm
_NEWTON_STEPS = 100  # 10 to 50 are usual
_FLOAT_GAP = 2e-12  # gap at which floats stop: sums of some thousand terms near 1 are no better
_SHORTEST = 1e-8  # part of a step of Newton's below which none is taken: the value falls by less than it is rounded
_FALL = 1e-4  # of the fall that the slope promises: a step that falls by less is halved (Armijo)
_ROUNDING = 1e-14  # relative, of the value: a sum of some thousand logarithms
_SMALL = 1e-3  # of an equal share: what is below, and below the distance to the maximum, is taken as 0
_MOST_FREE = 4  # the inverse serves if a quarter of the cells is free
_LEAST_SCALE = 1e-12  # of cells at 0, in which the equations are scaled by the shares
_NEAR = 1e-5  # gap below which the cells at 0 hardly change: equations are solved to the end from there
_SOLVING = 100, 1500  # steps of conjugate gradients before and after
_LOOSE = 0.1  # relative accuracy of the solution of equations, or the square root of the gap if that is smaller
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
        self._inverses = self._inverted() if len(groups) == 1 else None
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

    def _inverted(self) -> tuple[list[Floats], list[Floats]] | None:
        """Return the inverses of the devices, and their transposes; none unless every answer was given."""
        if len(self.shares) < self.groups[0][0].outputs or any(len(b) != b.shape[1] for b in self._blocks[0]):
            return None
        try:
            inverses: list[Floats] = [np.asarray(np.linalg.inv(b), np.float64) for b in self._blocks[0]]
        except np.linalg.LinAlgError:
            return None
        return inverses, [np.ascontiguousarray(block.T) for block in inverses]

    def solved(self, chances: Floats, right: Floats) -> Floats | None:
        """Solve ``C^T diag(1/lambda) C d = right`` on all cells; none if the devices have no inverse."""
        if self._inverses is None:
            return None
        inverses, turned = self._inverses
        return carried_blocks(inverses, chances * carried_blocks(turned, right))


def proposal(survey: Survey) -> Floats:
    """Return a population near the maximum, shape (cells,), in floats."""
    x, gap = _newton(survey, _first(survey))
    if gap > _ENOUGH:
        other, its_gap = _newton(survey, _by_faces(survey, x))
        x = other if its_gap < gap else x
    return x


def _first(survey: Survey) -> Floats:
    """Return a population inside the simplex by the EM algorithm."""
    x = np.full(survey.cells, 1.0 / survey.cells)
    for _ in range(_FIRST_STEPS):
        x = x * survey.adjoint(survey.shares / survey.forward(x))
        x /= x.sum()
    return x


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


def _newton(survey: Survey, x: Floats) -> tuple[Floats, float]:
    """Return the best of the iterates of the projected Newton method, and its gap in floats.

    A step solves ``H d = G - 1``, ``H = C^T diag(f/lambda^2) C``, on the cells that are free: those well above 0, and
    those whose gain exceeds 1. All others go to 0. The path ``max(x + t d, 0)`` is halved until the value falls.
    """
    shares = survey.shares
    best, least = x, np.inf
    chances = survey.forward(x)
    if not chances.min() > 0:
        return best, least
    value = -float(shares @ np.log(chances))
    for _ in range(_NEWTON_STEPS):
        gains = survey.adjoint(shares / chances)
        gap = float(gains.max()) - 1.0
        if gap < least:
            best, least = x, gap
        if gap < _FLOAT_GAP:
            break
        distance = max(gap, float(x @ np.abs(gains - 1.0)))
        small = min(_SMALL, distance) / survey.cells
        cells = np.flatnonzero((x > small) | (gains > 1.0))
        step = -x
        scale = np.maximum(x[cells], max(small, _LEAST_SCALE))
        step[cells] = _step(survey, chances, (gains - 1.0)[cells], cells, scale, gap)
        length = 1.0
        while length > _SHORTEST:
            following = np.maximum(x + length * step, 0.0)
            following /= following.sum()
            trial = survey.forward(following)
            if trial.min() > 0:
                reached = -float(shares @ np.log(trial))
                promised = min(float((1.0 - gains) @ (following - x)), 0.0)
                if reached <= value + _FALL * promised + _ROUNDING * abs(value):
                    break
            length /= 2
        else:
            break
        x, chances, value = following, trial, reached
    return best, least


def _step(survey: Survey, chances: Floats, right: Floats, cells: NDArray[np.intp], scale: Floats, gap: float) -> Floats:
    """Solve Newton's equations on some cells by conjugate gradients, as exactly as the gap deserves.

    With answers close to their chances H is close to ``C^T diag(1/lambda) C``, whose inverse is known where that of C
    is: its part on the cells is the preconditioner. Else the equations are scaled by the shares.
    """
    weights, whole = survey.shares / chances**2, np.zeros(survey.cells)

    def times(vector: Floats) -> Floats:
        whole[cells] = vector
        return survey.adjoint(weights * survey.forward(whole))[cells]

    def nearly_solved(vector: Floats) -> Floats:
        if _MOST_FREE * len(cells) > survey.cells:
            whole[cells] = vector
            found = survey.solved(chances, whole)
            if found is not None:
                return found[cells]
        return scale * vector

    most = _SOLVING[gap < _NEAR]
    return _conjugate_gradients(times, nearly_solved, right, min(_LOOSE, math.sqrt(gap)), most)


def _conjugate_gradients(
    times: Callable[[Floats], Floats], nearly_solved: Callable[[Floats], Floats], right: Floats, part: float, most: int
) -> Floats:
    """Solve a positive definite system; stop where the residual is so small a part of the right side, or after most."""
    x, rest = np.zeros_like(right), right
    direction = nearly_solved(rest)
    size = float(rest @ direction)
    enough = part * part * size
    for _ in range(most):
        image = times(direction)
        curvature = float(direction @ image)
        if size <= enough or curvature <= 0:
            break
        x = x + size / curvature * direction
        rest = rest - size / curvature * image
        better = nearly_solved(rest)
        following = float(rest @ better)
        direction = better + following / size * direction
        size = following
    return x
