"""Maximum likelihood on the simplex, with an exact bound on the distance from the maximum.

The respondents form groups g with devices C_g and counts N_g; one question is one group. With the total number n of
responses, the log-likelihood per response ``l(pi) = sum_g sum_i N_gi/n log (C_g pi)_i`` is concave. Let
``G = sum_g C_g^T (N_g/(n C_g pi))``. Every distribution x satisfies ``l(x) - l(pi) <= G . (x - pi) <= max_j G_j - 1``.
The bound ``max_j G_j - 1`` is called the *gap*. It is 0 if and only if pi is a maximum (Kuhn and Tucker).

Floating point proposes a distribution (``proposal``). It is rounded to fractions, whose gap is computed exactly, with
each quotient ``N/lambda`` rounded up. The checker's statement `likelihood-gap` computes the same gap.

Source: Lindsay, Mixture Models (1995), theorem 20 (gradient function).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING, Any, TypeAlias

from rropt.answers.response_counts import answer_counts
from rropt.core.exact.numbers import dot, float_rows
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.columns import exact_population
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.kronecker import block_product, dense_vector, merged_factors
from rropt.mechanisms.left_inverse import most_likely_in_closed_form

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Vector: TypeAlias = tuple[Fraction, ...]
Group: TypeAlias = tuple[Mechanism, Any]
"""A device, and the counts of its outputs, shape (m,)."""

QUOTIENT_BITS = 64  # of quotients that are rounded up; floats have 53 bits, so the rounding is far below theirs
_TINY = 1e-200  # rows of smaller probabilities are scaled exactly before they become floats


class CellLikelihood:
    """The devices and counts of all groups, as linear maps between the cells and the observed responses.

    The rows of the devices are divided by their largest entries: the likelihood does not see the scale of a row, and
    probabilities that floats cannot hold still count.
    """

    def __init__(self, groups: Sequence[Group]) -> None:
        self.cells = groups[0][0].inputs
        self.n = sum(int(sum(counts)) for _, counts in groups)
        self.given = [np.flatnonzero([bool(count) for count in counts]) for _, counts in groups]
        observed = zip(groups, self.given, strict=True)
        self.shares: Floats = np.array([int(counts[i]) / self.n for (_, counts), given in observed for i in given])
        self._outputs = [device.outputs for device, _ in groups]
        self._blocks = [merged_factors([_scaled(one) for one in _factors(device)]) for device, _ in groups]
        self._turned = [[np.ascontiguousarray(block.T) for block in blocks] for blocks in self._blocks]
        self._squares = [[block * block for block in blocks] for blocks in self._turned]

    def forward(self, x: Floats) -> Floats:
        """Return the probabilities of the observed responses, one group after the other."""
        parts = [block_product(blocks, x)[given] for blocks, given in zip(self._blocks, self.given, strict=True)]
        return np.concatenate(parts)

    def adjoint(self, weights: Floats, *, squared: bool = False) -> Floats:
        """Return for each cell the weighted sum of its response probabilities, or of their squares."""
        total = np.zeros(self.cells)
        parts = np.split(weights, np.cumsum([len(given) for given in self.given])[:-1])
        maps = self._squares if squared else self._turned
        for outputs, turned, given, part in zip(self._outputs, maps, self.given, parts, strict=True):
            whole = np.zeros(outputs)
            whole[given] = part
            total += block_product(turned, whole)
        return total

    def columns(self, cells: NDArray[np.intp]) -> Floats:
        """Return the probabilities of the observed responses given some cells, shape (responses, cells)."""
        parts = []
        for blocks, given in zip(self._blocks, self.given, strict=True):
            part, rows, columns = np.ones((len(given), len(cells))), given, cells
            for block in blocks:
                rows, row = np.divmod(rows, block.shape[0])
                columns, column = np.divmod(columns, block.shape[1])
                part *= block[row][:, column]
            parts.append(part)
        return np.concatenate(parts)


def _factors(device: Mechanism) -> Sequence[Mechanism]:
    return device.factors if isinstance(device, ProductMechanism) else (device,)


def _scaled(device: Mechanism) -> Floats:
    """Return the matrix of a device in floats, each row divided by its largest entry."""
    found = device.to_numpy()
    for i in np.flatnonzero(found.max(axis=1) < _TINY):
        most = max(device.matrix[i]) or 1
        found[i] = [float(x / most) for x in device.matrix[i]]
    return np.asarray(found / np.maximum(found.max(axis=1, keepdims=True), _TINY), np.float64)


_FLOAT_GAP = 1e-14  # the gap at which floats stop; the rounding error of sums near 1
_END = 1e-15  # complementarity at which the method stops; the precision of its floats
_SHRINK = 0.1  # factor by which one step aims to reduce the complementarity
_STEPS = 200  # 15 to 60 are usual; more are needed for counts of very different size
_TO_BOUNDARY = 0.99  # fraction of the step to the boundary, so that proportions and slacks remain positive
_ACCURACY = 0.01  # relative accuracy of the solution of a step's equations
_SOLVING = 1500  # the largest number of conjugate gradient steps for it; some tens are usual


def proposal(likelihood: CellLikelihood) -> Floats:
    """Return a floating-point maximizer of ``sum_i f_i log (P x)_i`` over the simplex, shape (cells,).

    The equivalent problem is ``min F(x) = -sum_i f_i log (P x)_i + sum_j x_j`` over x >= 0. Since f sums to 1, the
    minimum satisfies ``x . grad F = sum x - 1 = 0``. It therefore lies on the simplex without an explicit constraint. F
    is convex, and it is self-concordant if f is bounded below. The optimality conditions are
    ``s = grad F(x) >= 0, x_j s_j = 0``. Each step is Newton's for ``grad F(x) = s, x_j s_j = mu``, where mu is a tenth
    of the current mean of x_j s_j. Conjugate gradients solve its equations with products of the devices, so memory and
    time of a step are not quadratic in the number of cells.

    EM, mirror descent and quasi-Newton methods stall on this problem at gaps between 1e-5 and 1e-7, and projected
    Newton methods where the devices are nearly singular.

    Source: Boyd and Vandenberghe, Convex Optimization (2004), section 11.7.
    """
    shares, cells = likelihood.shares, likelihood.cells
    x, s = np.full(cells, 1.0 / cells), np.ones(cells)
    best, least = x, math.inf
    for _ in range(_STEPS):
        fitted = likelihood.forward(x)
        gains = likelihood.adjoint(shares / fitted)
        gap = float(x.sum() * gains.max()) - 1  # of x divided by its sum
        if gap < least:
            best, least = x, gap
        complementarity = float(x @ s) / cells
        converged = complementarity < _END and float(np.abs(1.0 - gains - s) @ x) < _END
        if gap < _FLOAT_GAP or converged:
            break
        target = _SHRINK * complementarity
        step = _step(likelihood, shares / fitted**2, target / x - (1.0 - gains), np.sqrt(x / s))
        slack_step = (target - s * step) / x - s
        length = min(1.0, *(_TO_BOUNDARY * _to_boundary(*pair) for pair in ((x, step), (s, slack_step))))
        following = x + length * step
        if not (np.isfinite(following).all() and (following > 0).all()):
            break  # the precision of floats is exhausted
        x, s = following, np.maximum(s + length * slack_step, np.finfo(float).tiny)
    return np.asarray(best / best.sum(), np.float64)


def _step(likelihood: CellLikelihood, weights: Floats, right: Floats, scale: Floats) -> Floats:
    """Solve ``(P^T diag(weights) P + diag(1/scale^2)) dx = right`` by conjugate gradients.

    The unknowns are ``dx/scale``, so that the second matrix becomes the identity; the diagonal is the preconditioner.
    """
    diagonal = scale**2 * likelihood.adjoint(weights, squared=True) + 1.0
    x, rest = np.zeros_like(right), right * scale
    direction = rest / diagonal
    size = float(rest @ direction)
    enough = _ACCURACY**2 * size
    for _ in range(_SOLVING):
        image = scale * likelihood.adjoint(weights * likelihood.forward(scale * direction)) + direction
        curvature = float(direction @ image)
        if size <= enough or not curvature > 0:
            break
        x = x + size / curvature * direction
        rest = rest - size / curvature * image
        better = rest / diagonal
        size, before = float(rest @ better), size
        direction = better + size / before * direction
    return np.asarray(x * scale, np.float64)


def _to_boundary(point: Floats, step: Floats) -> float:
    """Return the largest t with ``point + t step >= 0``."""
    falling = step < 0
    return float(np.min(-point[falling] / step[falling])) if falling.any() else math.inf


# Proportions below these bounds are also tried as exact zeros, and the candidate with the smallest exact gap is kept.
# When the interior point method stops, a proportion whose true value is 0 is about 1e-15 divided by its slack. If the
# slack is also nearly 0, it is at most the square root, 3e-8. It is larger if the precision of floats is exhausted
# earlier.
_ZERO_SHARES = (1e-5, 1e-8, 1e-11, 0.0)
_SCALE = 10**18  # denominator of the constrained estimate without a closed form; finer than floats are
# largest denominator of the fractions that are tried, and the largest number of cells; floats distinguish them with
# five digits to spare
_SIMPLE_DENOMINATOR, _SIMPLE_CELLS = 100_000, 256
_NEAR_A_CORNER = 0.9  # for a larger proportion, the corner is tried as well, at the cost of one exact gap


def most_likely(groups: Sequence[Group], bits: int | None = QUOTIENT_BITS) -> tuple[Vector, Fraction]:
    """Return a maximum likelihood distribution on the simplex, and its gap: the best of some rational candidates.

    Args:
        groups: the devices and the counts of their outputs, all with the same cells.
        bits: as for ``gap_of``.
    """
    best: tuple[Vector, Fraction] | None = None
    for candidate in _candidates(groups):
        gap = gap_of(groups, candidate, bits)
        if gap is not None and (best is None or gap < best[1]):
            best = candidate, gap
            if not gap:
                break
    if best is None:  # very unequal counts: after rounding, an observed response has probability 0
        uniform = (Fraction(1, groups[0][0].inputs),) * groups[0][0].inputs
        best = uniform, gap_of(groups, uniform, bits) or Fraction(0)
    return best


def _candidates(groups: Sequence[Group]) -> Iterator[Vector]:
    cells = groups[0][0].inputs
    corners = range(cells) if cells == 2 else []
    yield from (tuple(Fraction(int(j == corner)) for j in range(cells)) for corner in corners)
    x = proposal(CellLikelihood(groups))
    # if the likelihood is nearly flat, the maximum may be at the corner, where floats are imprecise
    if x.max() > _NEAR_A_CORNER:
        yield tuple(Fraction(int(j == x.argmax())) for j in range(cells))
    if cells <= _SIMPLE_CELLS:
        simple = tuple(Fraction(share).limit_denominator(_SIMPLE_DENOMINATOR) for share in x.tolist())
        if sum(simple) == 1 and gap_of(groups, simple, None) == 0:
            yield simple  # the maximum is a simple fraction: rare, but then better than decimals
    known: set[int] = set()
    for bound in _ZERO_SHARES:
        positive = x > bound
        if int(positive.sum()) not in known:
            known.add(int(positive.sum()))
            yield _decimals(np.where(positive, x, 0.0))


def _decimals(x: Floats) -> Vector:
    """Round proportions to a common denominator such that they sum to exactly 1; the largest absorbs the rounding."""
    units = [int(share) for share in np.rint(x / x.sum() * _SCALE).tolist()]
    units[int(x.argmax())] += _SCALE - sum(units)
    return tuple(Fraction(unit, _SCALE) for unit in units)


def gap_of(groups: Sequence[Group], population: Sequence[Fraction], bits: int | None) -> Fraction | None:
    """Return the gap ``max_j G_j - 1`` of a distribution, exactly.

    Args:
        groups: the devices and the counts of their outputs.
        population: the distribution.
        bits: each quotient ``N/lambda`` is rounded up to a multiple of ``2^-bits``; ``None`` for no rounding.

    Returns:
        The gap; ``None`` if an observed response has probability 0 under the distribution.

    >>> from rropt.mechanisms import named_mechanism
    >>> round(float(gap_of([(named_mechanism("bits:3/4"), [60, 40])], [Fraction(1), Fraction(0)], 64)), 6)
    0.4
    """
    n, gains = 0, [Fraction(0)] * len(population)
    for device, counts in groups:
        weights = {}
        for i, (count, chance) in enumerate(zip(map(int, counts), device.apply(population), strict=True)):
            if not count:
                continue
            if not chance:
                return None
            weights[i] = count / chance
            if bits is not None:
                weights[i] = Fraction(math.ceil(weights[i] * (1 << bits)), 1 << bits)
            n += count
        if weights:
            gains = [a + b for a, b in zip(gains, device.adjoint(weights), strict=True)]
    return max(max(gains) / n - 1, Fraction(0))


_EXACT_GAP_ENTRIES = 10_000  # matrix entries up to which the gap of one question is summed exactly
_GAP_BITS = 133  # of the quotients for more entries: 40 decimals
_GAP_SCALE = 10**40  # the gap of one question is then rounded up to as many decimals; far more than needed


def likelihood_gap(mechanism: Mechanism, counts: Sequence[int], population: Sequence[Fraction]) -> Fraction | None:
    """Return an upper bound on ``max l - l(pi)`` over the simplex, where l is the log-likelihood per response.

    Let f_i = N_i / n. The function ``l(x) = sum_i f_i log (P x)_i`` is concave, so for every distribution x

        ``l(x) - l(pi) <= grad l(pi) . (x - pi) = sum_i f_i (P x)_i / (P pi)_i - 1 <= max_j (P^T (f / P pi))_j - 1``.

    The bound is 0 exactly at the maximum (Kuhn and Tucker). For more than 10^4 matrix entries, each quotient is rounded
    up to 133 bits, so the bound remains valid.

    Args:
        mechanism: the mechanism P, shape (m, k).
        counts: the counts N, shape (m,), integers.
        population: the distribution pi, shape (k,), nonnegative, with sum 1.

    Returns:
        The bound, a nonnegative rational rounded up to 40 decimals; ``None`` if an observed response has probability 0
        under pi.

    >>> from rropt.mechanisms import Mechanism
    >>> die = Mechanism.binary("5/6", "5/6")
    >>> gap = likelihood_gap(die, (1604, 831), (Fraction(1), Fraction(0)))  # with 34 % yes, prevalence 0 is unlikely
    >>> gap, round(float(gap), 6)
    (Fraction(10204, 12175), 0.838111)
    """
    mechanism = required_mechanism(mechanism)
    counts, population = answer_counts(mechanism, counts), exact_population(population, mechanism.inputs)
    gap = gap_of([(mechanism, counts)], population, _bits(mechanism))
    return None if gap is None else _rounded_up(gap)


def _bits(mechanism: Mechanism) -> int | None:
    return None if mechanism.outputs * mechanism.inputs <= _EXACT_GAP_ENTRIES else _GAP_BITS


def _rounded_up(gap: Fraction) -> Fraction:
    up = Fraction(-(-gap.numerator * _GAP_SCALE // gap.denominator), _GAP_SCALE)
    return gap if gap.denominator <= _GAP_SCALE else up


def most_likely_population(
    mechanism: Mechanism, counts: Sequence[int], unbiased: Sequence[Fraction]
) -> tuple[Vector, Fraction]:
    """Return a maximum likelihood estimate on the simplex, and its likelihood gap per response.

    * For ``P = a I + u 1^T`` with a > 0 (``gamma_diagonal``), the result is exact, on every face of the simplex.
    * If the unbiased estimate lies in the simplex and fits the counts exactly (``P pi = N/n``), it is the maximum.
    * Otherwise it is the best of the candidates of ``most_likely``. If a single category has gap 0, it is the maximum.
      For a binary mechanism there are no other cases: the likelihood is concave in the prevalence, so the constrained
      estimate is the unbiased one clipped to [0, 1].

    Args:
        mechanism: the mechanism P, shape (m, k).
        counts: the counts of the m outputs.
        unbiased: the unbiased estimate, which is the maximum if it lies in the simplex.

    >>> from rropt.mechanisms import Mechanism
    >>> die = Mechanism.binary("5/6", "5/6")
    >>> population, gap = most_likely_population(die, (90, 10), (Fraction("1.1"), Fraction("-0.1")))
    >>> [str(share) for share in population], gap
    (['1', '0'], Fraction(0, 1))
    """
    mechanism = required_mechanism(mechanism)
    unbiased = dense_vector(unbiased, mechanism.inputs, "unbiased")
    checked = answer_counts(mechanism, counts)
    exact = most_likely_in_closed_form(mechanism, checked)
    return likely_population(mechanism, checked, unbiased) if exact is None else (exact, Fraction(0))


# The largest proved gap per response of a numerical maximum. The statistical error is of order 1/n, so even 10^9
# responses do not distinguish two distributions with this gap. The algorithm is about a thousand times more precise.
LIKELIHOOD_GAP = Fraction(1, 10**9)


def likely_population(
    mechanism: Mechanism, counts: Sequence[int], unbiased: Sequence[Fraction], given: Vector | None = None
) -> tuple[Vector, Fraction]:
    """Return ``most_likely_population`` without a closed form, for counts and an estimate that are checked.

    A given distribution is taken in place of a search, if its gap is proved to be small enough.
    """
    n = sum(counts)
    if min(unbiased) >= 0 and all(
        dot(row, unbiased) * n == count for row, count in zip(mechanism.matrix, counts, strict=True)
    ):
        return tuple(unbiased), Fraction(0)
    bits = _bits(mechanism)
    own = None if given is None else gap_of([(mechanism, counts)], given, bits)
    if given is not None and own is not None and own <= LIKELIHOOD_GAP:
        return given, _rounded_up(own)
    population, gap = most_likely([(mechanism, counts)], bits)
    return population, _rounded_up(gap)


_ROUNDING = 1e-9  # relative; far larger than the rounding error of some thousand floats


def share_error(
    mechanism: Mechanism,
    counts: Sequence[int],
    population: Sequence[Fraction],
    estimator: Sequence[Sequence[Fraction]],
    gap: Fraction,
) -> float:
    """Return an upper bound on the distance of each proportion from the exact maximum likelihood estimate.

    Let lambda* = P pi* belong to the maximum, let f = N/n and r = lambda / lambda*.

    1. Optimality gives ``sum f_i r_i <= 1``, and the gap gives ``-sum f_i log r_i <= gap``. Hence
       ``f_i (r_i - 1 - log r_i) <= gap`` for each i.
    2. Hence ``|r_i - 1| <= s`` with ``s = 2 t + sqrt(2 t)`` and ``t = gap / f_i``.
    3. For s < 1, ``|lambda_i - lambda*_i| <= lambda_i s / (1 - s)``. This difference is in any case at most the range
       of row i.
    4. The error of the proportions is ``pi - pi* = A (lambda - lambda*)``, and it is at most 1.

    Args:
        mechanism, counts, population, gap: as in ``likelihood_gap``, which returned the gap.
        estimator: the left inverse A, shape (k, m), with ``A P = I``.
    """
    if not gap:
        return 0.0
    n, misses = sum(counts), []
    shares, floats = [float(share) for share in population], float_rows(mechanism.matrix)
    for row, near, count in zip(mechanism.matrix, floats, counts, strict=True):
        own = {id(value): value for value in row}.values()  # often a row has two entries only
        most = float(max(own) - min(own))
        t = float(gap * n / count) if count else math.inf
        s = 2 * t + math.sqrt(2 * t)
        if s < 1:
            here = math.fsum(map(mul, near, shares))
            most = min(most, here * s / (1 - s))
        misses.append(most * (1 + _ROUNDING))
    return min(
        1.0, max(sum(abs(a) * miss for a, miss in zip(row, misses, strict=True)) for row in float_rows(estimator))
    )
