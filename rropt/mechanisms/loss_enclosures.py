"""Certified bounds of delta for products whose odds take too many values to be listed.

Let L = log(p/q) be the privacy loss of an output.

1. *Grid.* On a grid of width h, the loss of each output of factor i is rounded to ``c h`` with an integer c. The
   rounding error is at most e_i.
2. *Cells.* The outputs of the product with the same sum of c form a cell with masses (P, Q). These masses are obtained
   by convolution of the masses of the factors. The losses in a cell are within ``E = e_1 + ... + e_n`` of ``h sum c``.
3. *Lower bound.* The positive part is convex, so for any cells

     ``sum over cells max(0, P - gamma Q)  <=  sum over outputs max(0, p - gamma q)``.

4. *Upper bound.* Equality holds in a cell whose outputs all have odds above gamma, or all below. In the other cells
   ``|h c - log gamma| <= E``. There each output satisfies ``p - gamma q = p (1 - gamma e^-L) <= 2 E p``, so the right
   side is at most ``2 E P``.

*Rounding errors.* All masses are nonnegative, and only products and sums of them are formed. Hence each P and Q has a
relative error of at most ``s = 2^-52 sum_i (outputs of factor i + 4)``. Where numbers underflow, there is in addition
an absolute error below 1e-290, which is multiplied by gamma for gamma Q. Losses are logarithms of integers that are at
most the common denominator D. Each loss has an error well below ``2^-48 log D``, and sums of losses have an additional
error of at most 1e-9. Both are added to E.

*Which pair of inputs.* For the upper bound, every factor is replaced by the join of its pairs: the smallest dichotomy
that is above all of them, given by the concave hull of their curves. For the lower bound, one pair of inputs is chosen
for each factor by coordinate ascent. If every factor has a single maximal pair, the two choices coincide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from rropt.core.exact.reals import ExactReal
from rropt.core.lazy import numpy as np
from rropt.mechanisms.dichotomies import Dichotomy

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CELLS = 1 << 18  # of the grid: a tenth of a second for each ten factors
_COARSE = 1 << 12  # of the coarse grid on which pairs are chosen
_BLOCK = 32  # factors are multiplied exactly while a block has at most this many odds; each block is rounded once
_MARGIN = 1e-9  # error of sums of logarithms in floats, and the smallest width of a cell
_LOGARITHM = 2.0**-48  # relative to log D: two logarithms, their difference, and multiples of h, a few 2^-53 each
_TINY = 1e-290  # absolute error due to underflow
_SWEEP = 256  # largest number of pairs that the coordinate ascent tries
_LARGEST = Fraction(10**200)  # largest gamma in floats
_DIGITS = 30  # of the enclosure of an irrational gamma


def excess_enclosure(factors: Sequence[Sequence[Dichotomy]], gamma: Fraction | ExactReal) -> tuple[Fraction, Fraction]:
    """Return rationals ``lower <= delta <= upper`` at ``gamma >= 1`` for a product of factors.

    Args:
        factors: for each factor its maximal dichotomies.
        gamma: exact.
    """
    low, high = gamma.bracket(_DIGITS) if isinstance(gamma, ExactReal) else (gamma, gamma)
    is_beyond = high > _LARGEST  # delta decreases in gamma: its value at a smaller gamma is an upper bound
    if is_beyond:
        low, high = min(low, _LARGEST), _LARGEST
    chosen = _pairs_of_large_excess(factors, float(high))
    lower, upper = _enclosure(chosen, low, high, _CELLS)
    if is_beyond:  # lower bound for every gamma: the mass of outputs that are impossible under the other input
        lower = _infinite(chosen)
    if any(len(options) > 1 for options in factors):
        _, upper = _enclosure([_join(options) for options in factors], low, high, _CELLS)
    return lower, upper


def _pairs_of_large_excess(factors: Sequence[Sequence[Dichotomy]], gamma: float) -> list[Dichotomy]:
    """Return one pair of inputs for each factor such that the product has a large excess (a heuristic choice)."""
    level = Fraction(gamma)
    share = Fraction(math.exp(math.log(gamma) / len(factors)))
    chosen = [max(options, key=lambda one: one.excess(share).at(share)) for options in factors]
    if sum(len(options) for options in factors if len(options) > 1) > _SWEEP:
        return chosen
    best = _enclosure(chosen, level, level, _COARSE)[0]
    for i, options in enumerate(factors):
        for one in options:
            if one is not chosen[i]:
                other = [*chosen[:i], one, *chosen[i + 1 :]]
                value = _enclosure(other, level, level, _COARSE)[0]
                if value > best:
                    best, chosen = value, other
    return chosen


def _join(options: Sequence[Dichotomy]) -> Dichotomy:
    """Return the smallest dichotomy above all of the given ones: the concave hull of their curves."""
    below = math.lcm(*(one.below for one in options))
    points = {(0, 0)}
    for one in options:
        scale, q, p = below // one.below, 0, 0
        for step_p, step_q in one.masses:
            p, q = p + step_p * scale, q + step_q * scale
            points.add((q, p))
    hull: list[tuple[int, int]] = []
    for q, p in sorted(points):
        while len(hull) > 1 and (p - hull[-2][1]) * (hull[-1][0] - hull[-2][0]) >= (hull[-1][1] - hull[-2][1]) * (
            q - hull[-2][0]
        ):
            hull.pop()
        hull.append((q, p))
    steps = [(y1 - y0, x1 - x0) for (x0, y0), (x1, y1) in pairwise(hull)]
    return Dichotomy.of(options[0].pair, steps, below)


def _enclosure(factors: Sequence[Dichotomy], low: Fraction, high: Fraction, cells: int) -> tuple[Fraction, Fraction]:
    """Return bounds of the excess of one pair of inputs at a gamma in [low, high]."""
    infinite = _infinite(factors)
    blocks = _blocks(factors)
    masses = [[(p, q) for p, q in block.masses if p and q] for block in blocks]
    losses = [[math.log(p) - math.log(q) for p, q in pairs] for pairs in masses]
    h = max(sum(max(loss) - min(loss) for loss in losses if loss) / cells, _MARGIN)
    steps = [[round(loss / h) for loss in one] for one in losses]
    error = _MARGIN + _LOGARITHM * sum(math.log(block.below) for block in blocks)
    error += sum(
        max(abs(loss - step * h) for loss, step in zip(*both, strict=True))
        for both in zip(losses, steps, strict=True)
        if both[0]
    )
    above, below = np.ones(1), np.ones(1)  # P and Q of the cells
    for block, pairs, step in zip(blocks, masses, steps, strict=True):
        above = _convolved(above, [p / block.below for p, _ in pairs], step)
        below = _convolved(below, [q / block.below for _, q in pairs], step)
    slack = 2.0**-52 * (sum(len(pairs) + 4 for pairs in masses) + 8)
    loss = h * (np.arange(len(above)) + sum(min(step) for step in steps if step))
    at_low, at_high = math.log(low) - error, math.log(high) + error
    least = (1 - slack) * above - float(high) * (1 + slack) * below - _TINY * float(high)
    most = (1 + slack) * above - float(low) * (1 - slack) * below + _TINY
    near = (1 + slack) * (at_high - at_low) * above[(loss >= at_low) & (loss <= at_high)]
    lower = math.fsum(least[least > 0].tolist()) * (1 - slack)
    upper = math.fsum([*most[(loss > at_high) & (most > 0)].tolist(), *near.tolist()]) + slack
    return infinite + Fraction(lower), min(Fraction(1), infinite + Fraction(upper))


def _infinite(factors: Sequence[Dichotomy]) -> Fraction:
    """Return the mass of the outputs with infinite odds."""
    finite = (1 - Fraction(sum(p for p, q in one.masses if not q), one.below) for one in factors)
    return 1 - math.prod(finite, start=Fraction(1))


def _blocks(factors: Sequence[Dichotomy]) -> list[Dichotomy]:
    """Multiply consecutive factors exactly as long as the products have few odds."""
    blocks: list[Dichotomy] = []
    for one in factors:
        is_small = blocks and len(blocks[-1].masses) * len(one.masses) <= _BLOCK**2
        product = blocks[-1].times(one) if is_small else one
        if is_small and len(product.masses) <= _BLOCK:
            blocks[-1] = product
        else:
            blocks.append(one)
    return blocks


def _convolved(masses: NDArray[np.float64], weights: Sequence[float], steps: Sequence[int]) -> NDArray[np.float64]:
    """Return the weighted sum of shifted copies of ``masses``; the shifts are relative to the smallest step."""
    least, length = min(steps, default=0), len(masses)
    result = np.zeros(length + max(steps, default=0) - least)
    for weight, step in zip(weights, steps, strict=True):
        result[step - least : step - least + length] += weight * masses
    return result
