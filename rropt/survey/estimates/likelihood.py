"""Maximum likelihood on the simplex, with an exact bound on the distance from the maximum.

The likelihood gap is a rational upper bound on the possible gain in log-likelihood per response. An interior point
method proposes candidates in floating point. The constrained estimate is the candidate with the smallest exact gap.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import rational
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import exact_population, required_list
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.left_inverse import gamma_diagonal
from rropt.survey.estimates.counts import answer_counts

# matrix entries up to which the gap is summed exactly; for more, each quotient is rounded up
_EXACT_GAP_ENTRIES = 10_000
_GAP_DIGITS = 40  # decimals to which the gap is then rounded up; far more than needed

_ROUNDING = 1e-9  # relative; far larger than the rounding error of some thousand floats


def likelihood_gap(mechanism: Mechanism, counts: Sequence[int], population: Sequence[Fraction]) -> Fraction | None:
    """Return an upper bound on ``max l - l(pi)`` over the simplex, where l is the log-likelihood per response.

    Let f_i = N_i / n. The function ``l(x) = sum_i f_i log (P x)_i`` is concave, so for every distribution x

        ``l(x) - l(pi) <= grad l(pi) . (x - pi) = sum_i f_i (P x)_i / (P pi)_i - 1 <= max_j (P^T (f / P pi))_j - 1``.

    The bound is 0 exactly at the maximum (Kuhn and Tucker). For more than 10^4 matrix entries, each quotient is rounded
    up to 40 decimals, so the bound remains valid.

    Args:
        mechanism: the mechanism P, shape (m, k).
        counts: the counts N, shape (m,), integers.
        population: the distribution pi, shape (k,), nonnegative, with sum 1.

    Returns:
        The bound, a nonnegative rational rounded up to 40 decimals; ``None`` if an observed response has probability 0
        under pi.

    Source: Lindsay, Mixture Models (1995), theorem 20 (gradient function).

    >>> from rropt.mechanisms import Mechanism
    >>> die = Mechanism.binary("5/6", "5/6")
    >>> gap = likelihood_gap(die, (1604, 831), (Fraction(1), Fraction(0)))  # with 34 % yes, prevalence 0 is unlikely
    >>> gap, round(float(gap), 6)
    (Fraction(10204, 12175), 0.838111)
    """
    mechanism = required_mechanism(mechanism)
    counts, population = answer_counts(mechanism, counts), exact_population(population, mechanism.inputs)
    n = sum(counts)
    scale = 10**_GAP_DIGITS
    exact = mechanism.outputs * mechanism.inputs <= _EXACT_GAP_ENTRIES
    ratios = []
    for row, count in zip(mechanism.matrix, counts, strict=True):
        if not count:
            continue
        probability = dot(row, population)
        if not probability:
            return None
        ratio = count / (n * probability)
        ratios.append((row, ratio if exact else Fraction(-(-ratio.numerator * scale // ratio.denominator), scale)))
    gain = max(sum((row[j] * ratio for row, ratio in ratios if row[j]), Fraction(0)) for j in range(mechanism.inputs))
    gap = max(gain - 1, Fraction(0))
    return gap if gap.denominator <= scale else Fraction(-(-gap.numerator * scale // gap.denominator), scale)


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
    for row, count in zip(mechanism.matrix, counts, strict=True):
        most = float(max(row) - min(row))
        t = float(gap * n / count) if count else math.inf
        s = 2 * t + math.sqrt(2 * t)
        if s < 1:
            here = float(dot(row, population))
            most = min(most, here * s / (1 - s))
        misses.append(most * (1 + _ROUNDING))
    return min(1.0, max(sum(abs(float(a)) * miss for a, miss in zip(row, misses, strict=True)) for row in estimator))


_BARRIER_END = 1e-15  # complementarity at which the interior point method stops; the precision of its floats
_BARRIER_SHRINK = 0.1  # factor by which one step aims to reduce the complementarity
_BARRIER_STEPS = 200  # 15 to 40 are usual; more are needed for counts of very different size
_STEP_TO_BOUNDARY = 0.99  # fraction of the step to the boundary, so that proportions and slacks remain positive

Array = NDArray[np.float64]


def propose(matrix: Array, shares: Array) -> Array:
    """Return a floating-point maximizer of ``sum_i f_i log (P x)_i`` over the simplex.

    The equivalent problem is ``min F(x) = -sum_i f_i log (P x)_i + sum_j x_j`` over x >= 0. Since f sums to 1, the
    minimum satisfies ``x . grad F = sum x - 1 = 0``. It therefore lies on the simplex without an explicit constraint. F
    is convex, and it is self-concordant if f is bounded below. The optimality conditions are
    ``s = grad F(x) >= 0, x_j s_j = 0``. Each step is Newton's for ``grad F(x) = s, x_j s_j = mu``, where mu is a tenth
    of the current mean of x_j s_j.

    EM, mirror descent and quasi-Newton methods stall on this problem at gaps between 1e-5 and 1e-7. This method needs
    15 to 40 steps, each with one Cholesky factorization of order k.

    Args:
        matrix: the mechanism P, shape (m, k), restricted to observed responses.
        shares: the observed proportions f, shape (m,), positive, with sum 1.

    Source: Boyd and Vandenberghe, Convex Optimization (2004), section 11.7.
    """
    k = matrix.shape[1]
    x = np.full(k, 1.0 / k)
    s = np.ones(k)
    for _ in range(_BARRIER_STEPS):
        fitted = matrix @ x
        gradient = 1.0 - matrix.T @ (shares / fitted)
        complementarity = float(x @ s) / k
        if complementarity < _BARRIER_END and float(np.abs(gradient - s) @ x) < _BARRIER_END:
            break
        step, slack_step = _direction(matrix, shares, fitted, gradient, x, s, _BARRIER_SHRINK * complementarity)
        length = min(1.0, _STEP_TO_BOUNDARY * _to_boundary(x, step), _STEP_TO_BOUNDARY * _to_boundary(s, slack_step))
        following = x + length * step
        if not (np.isfinite(following).all() and (following > 0).all()):
            break  # the precision of floats is exhausted: the current point is the proposal
        x, s = following, np.maximum(s + length * slack_step, np.finfo(float).tiny)
    result: Array = x / x.sum()
    return result


def _direction(
    matrix: Array, shares: Array, fitted: Array, gradient: Array, x: Array, s: Array, target: float
) -> tuple[Array, Array]:
    """Return the Newton step ``(H + diag(s/x)) dx = mu/x - grad F``, ``ds = (mu - s dx)/x - s``, scaled by x."""
    scaled = matrix * (np.sqrt(shares) / fitted)[:, None] * np.sqrt(x / s)  # symmetric scaling by sqrt(x/s)
    left = scaled.T @ scaled
    left[np.diag_indices_from(left)] += 1.0
    right = (target / x - gradient) * np.sqrt(x / s)
    try:
        step = np.asarray(np.linalg.solve(left, right) * np.sqrt(x / s), dtype=np.float64)
    except np.linalg.LinAlgError:
        step = np.full_like(x, np.nan)
    return step, (target - s * step) / x - s


def _to_boundary(point: Array, step: Array) -> float:
    """Return the largest t with ``point + t step >= 0``."""
    falling = step < 0
    return float(np.min(-point[falling] / step[falling])) if falling.any() else np.inf


# Proportions below these bounds are also tried as exact zeros, and the candidate with the smallest exact gap is kept.
# When the interior point method stops, a proportion whose true value is 0 is about 1e-15 divided by its slack. If the
# slack is also nearly 0, it is at most the square root, 3e-8. It is larger if the precision of floats is exhausted
# earlier.
_ZERO_SHARES = (1e-5, 1e-8, 1e-11)
_POPULATION_DIGITS = 18  # decimals of the constrained estimate without a closed form; more than those of a float
# largest denominator of the fractions that are tried; floats distinguish them with five digits to spare
_SIMPLE_DENOMINATOR = 100_000

_NEAR_A_CORNER = 0.9  # for a larger proportion, the corner is tried as well, at the cost of one exact gap


def most_likely_population(
    mechanism: Mechanism, counts: Sequence[int], unbiased: Sequence[Fraction]
) -> tuple[tuple[Fraction, ...], Fraction]:
    """Return a maximum likelihood estimate on the simplex, and its likelihood gap per response.

    * For ``P = a I + u 1^T`` with a > 0 (``gamma_diagonal``), the result is exact, on every face of the simplex.
    * If the unbiased estimate lies in the simplex and fits the counts exactly (``P pi = N/n``), it is the maximum.
    * If a single category has gap 0, it is the maximum. For a binary mechanism there are no other cases. The likelihood
      is concave in the prevalence, so the constrained estimate is the unbiased one clipped to [0, 1].
    * Otherwise an interior point method proposes a candidate (``propose``), which is rounded to 18 decimals.
      Proportions near zero are also tried as zeros. The function returns the candidate with the smallest exact gap, and
      this gap.

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
    counts, unbiased = answer_counts(mechanism, counts), required_list(unbiased, "`unbiased`", "a list of numbers")
    unbiased = [x if type(x) is Fraction else rational(x, name=f"unbiased[{j}]") for j, x in enumerate(unbiased)]
    if len(unbiased) != mechanism.inputs:
        raise InvalidParameterError(
            f"`unbiased` does not fit: received {len(unbiased)} numbers; allowed are {mechanism.inputs}"
        )
    n = sum(counts)
    structured = gamma_diagonal(mechanism)
    exact = None if structured is None else structured.most_likely(counts)
    if exact is not None:
        return exact, Fraction(0)
    if min(unbiased) >= 0 and all(
        dot(row, unbiased) * n == count for row, count in zip(mechanism.matrix, counts, strict=True)
    ):
        return tuple(unbiased), Fraction(0)
    best: tuple[tuple[Fraction, ...], Fraction] | None = None
    for candidate in _candidates(mechanism, counts):
        gap = likelihood_gap(mechanism, counts, candidate)
        if gap is not None and (best is None or gap < best[1]):
            best = candidate, gap
            if not gap:
                break
    if best is None:  # with very unequal counts, rounding to 18 decimals gives an observed response probability 0
        uniform = (Fraction(1, mechanism.inputs),) * mechanism.inputs
        best = uniform, likelihood_gap(mechanism, counts, uniform) or Fraction(0)
    return best


def _candidates(mechanism: Mechanism, counts: Sequence[int]) -> Iterator[tuple[Fraction, ...]]:
    k = mechanism.inputs
    if k == 2:
        yield Fraction(1), Fraction(0)
        yield Fraction(0), Fraction(1)
    proposal = _proposal(mechanism, counts)
    # if the likelihood is nearly flat, the maximum may be at the corner, where floats are imprecise
    if max(proposal) > _NEAR_A_CORNER:
        corner = proposal.index(max(proposal))
        yield tuple(Fraction(int(j == corner)) for j in range(k))
    simple = tuple(Fraction(share).limit_denominator(_SIMPLE_DENOMINATOR) for share in proposal)
    if sum(simple) == 1 and likelihood_gap(mechanism, counts, simple) == 0:
        yield simple  # the maximum is a simple fraction: rare, but then better than decimals
    for bound in (*_ZERO_SHARES, 0.0):
        yield _decimals([share if share > bound else 0.0 for share in proposal])


def _proposal(mechanism: Mechanism, counts: Sequence[int]) -> list[float]:
    observed = [i for i, count in enumerate(counts) if count]
    rows = [(mechanism.matrix[i], max(mechanism.matrix[i])) for i in observed]
    matrix = np.array([[float(p / top) for p in row] for row, top in rows])  # the scaling of a row does not matter
    shares = np.array([counts[i] / sum(counts) for i in observed])
    return [float(share) for share in propose(matrix, shares)]


def _decimals(shares: Sequence[float]) -> tuple[Fraction, ...]:
    """Round proportions to 18 decimals such that they sum to exactly 1; the largest one absorbs the rounding."""
    scale = 10**_POPULATION_DIGITS
    total = sum(Fraction(share) for share in shares)
    units = [round(Fraction(share) / total * scale) for share in shares]
    largest = units.index(max(units))
    units[largest] += scale - sum(units)
    return tuple(Fraction(unit, scale) for unit in units)
