"""Intervals for a prevalence or a linear functional, carried from the answers through the mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.errors import UnsupportedProblemError
from rropt.estimation.answers import binary_counts
from rropt.estimation.estimate import Estimate, exact_contrast, unit
from rropt.estimation.intervals.interval import Interval
from rropt.estimation.intervals.kinds import INTERVAL_KINDS, IntervalKind, interval_kind
from rropt.estimation.intervals.reduction import Reduction, binary_reduction, reduction_of
from rropt.estimation.intervals.rounding import end_digits, outward
from rropt.estimation.quantiles import exact_confidence, two_sided_quantile
from rropt.estimation.roots import root_above
from rropt.mechanisms import Mechanism

__all__ = ["confidence_interval", "confidence_intervals", "prevalence_interval", "reduced_interval"]

DEFAULT_CONFIDENCE = Fraction(19, 20)

_Question = tuple[tuple[Fraction, ...], tuple[Fraction, ...], Reduction | None]


def confidence_intervals(
    estimate: Estimate, confidence: object = DEFAULT_CONFIDENCE, *, contrast: Sequence[object] | None = None
) -> dict[str, Interval]:
    """Return the intervals of every kind that applies, by name: all four, or the normal one alone.

    Arguments and errors as for ``confidence_interval``.

    >>> from rropt.estimation import estimate_prevalence
    >>> from rropt.mechanisms import named_mechanism
    >>> result = estimate_prevalence(named_mechanism("forced:2/3,1/6,1/6"), 831, 2435)
    >>> for kind, ends in confidence_intervals(result).items():
    ...     print(kind, ends)
    normal 0.233661 to 0.290158 (margin 0.02825)
    wilson 0.234056 to 0.290513 (margin 0.02823)
    chebyshev 0.199627 to 0.328071 (margin 0.06422)
    exact 0.233654 to 0.290739 (margin 0.02854)
    """
    exact, question = exact_confidence(confidence), _question(estimate, contrast)
    result = {}
    for kind in INTERVAL_KINDS:
        try:
            result[kind] = _interval(estimate, kind, exact, question)
        except UnsupportedProblemError:  # no reduction to a binomial: the normal interval alone applies
            continue
    return result


def confidence_interval(
    estimate: Estimate,
    kind: str = "exact",
    confidence: object = DEFAULT_CONFIDENCE,
    *,
    contrast: Sequence[object] | None = None,
) -> Interval:
    """Return a confidence interval for ``c . pi``, by default for the prevalence.

    When the estimator's weights on the answers take two values, the count of the answers with the larger one is
    binomial and every kind applies, carried through the affine map and cut to ``[min c, max c]``; this is so for every
    binary design and for each share under k-ary randomized response. Otherwise the normal interval alone applies:
    ``c . pi_hat -+ z sqrt(plug-in variance)``.

    Args:
        estimate: what the answers say.
        kind: ``"normal"``, ``"wilson"``, ``"chebyshev"`` or ``"exact"``.
        confidence: exact, in (0, 1).
        contrast: c, shape (k,); for two categories (0, 1) when left out.

    Raises:
        InvalidParameterError: an unknown kind, a confidence outside (0, 1), a contrast that does not fit.
        UnsupportedProblemError: the kind needs a binomial count and there is none.

    >>> from rropt.estimation import estimate
    >>> from rropt.mechanisms import Mechanism
    >>> kary = Mechanism([["3/5", "1/5", "1/5"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "3/5"]])
    >>> print(confidence_interval(estimate(kary, [100, 60, 40]), "exact", "0.9", contrast=[1, 0, 0]))
    0.599103 to 0.900897 (margin 0.1509)
    """
    return _interval(estimate, kind, exact_confidence(confidence), _question(estimate, contrast))


def _question(estimate: Estimate, contrast: Sequence[object] | None) -> _Question:
    """Return the contrast c, the weights on the answers, and the reduction: the same for every kind."""
    if contrast is None:
        _ = estimate.prevalence  # refuses more than two categories
        c = unit(1, 2)
    else:
        c = exact_contrast(contrast, estimate.mechanism.inputs)
    weights = estimate.weights(c)
    return c, weights, reduction_of(estimate.mechanism, weights, c)


def _interval(estimate: Estimate, kind: str, exact: Fraction, question: _Question) -> Interval:
    c, weights, reduction = question
    chosen = interval_kind(kind)
    if reduction is not None:
        successes = sum(estimate.counts[i] for i in reduction.answers)
        return reduced_interval(chosen, reduction, successes, estimate.n, exact)
    if chosen.name != "normal":
        raise UnsupportedProblemError(
            f"the {chosen.name} interval needs an estimator that counts the answers of one set: received weights on "
            f"the answers with {len(set(weights))} different values; allowed is normal"
        )
    return _plug_in_normal(estimate, chosen, c, exact)


def prevalence_interval(
    mechanism: Mechanism, yes: object, n: object, kind: str = "exact", confidence: object = DEFAULT_CONFIDENCE
) -> Interval:
    """Return a confidence interval for Pr(X = 1) from ``yes`` answers 1 among ``n`` of a binary design.

    The interval for lambda = Pr(answer 1) carried through ``pi = (lambda - (1 - p00)) / (p00 + p11 - 1)`` and cut to
    [0, 1]; if nothing is left, the nearer of 0 and 1 stands for it, which can only add coverage.

    Args:
        mechanism: a binary design with p00 + p11 != 1.
        yes: number of answers 1, 0 <= yes <= n.
        n: number of answers.
        kind: ``"normal"``, ``"wilson"``, ``"chebyshev"`` or ``"exact"``.
        confidence: exact, in (0, 1).

    Raises:
        InvalidParameterError: counts that are none, an unknown kind, a confidence outside (0, 1).
        InfeasibleError: p00 + p11 = 1.

    >>> from rropt.mechanisms import named_mechanism
    >>> print(prevalence_interval(named_mechanism("crosswise:1/4"), 198, 310))
    0.115513 to 0.335007 (margin 0.1097)
    """
    failures, successes = binary_counts(mechanism, yes, n)
    return reduced_interval(
        interval_kind(kind), binary_reduction(mechanism), successes, failures + successes, exact_confidence(confidence)
    )


def reduced_interval(
    kind: IntervalKind, reduction: Reduction, successes: int, n: int, confidence: Fraction
) -> Interval:
    """Return the interval of a kind for ``c . pi`` from the binomial count that its estimator rests on."""
    lower, upper = sorted(reduction.at(end) for end in kind.ends(successes, n, confidence))
    return _cut(kind, lower, upper, reduction.low, reduction.high, confidence)


def _plug_in_normal(
    estimate: Estimate, kind: IntervalKind, contrast: Sequence[Fraction], confidence: Fraction
) -> Interval:
    value = estimate.value(contrast)
    digits = end_digits(estimate.n)
    half = two_sided_quantile(confidence, digits)[1] * root_above(estimate.variance(contrast), digits)
    lower, upper = outward(value - half, value + half, digits)
    return _cut(kind, lower, upper, min(contrast), max(contrast), confidence)


def _cut(
    kind: IntervalKind, lower: Fraction, upper: Fraction, low: Fraction, high: Fraction, confidence: Fraction
) -> Interval:
    return Interval(
        kind=kind.name,
        lower=min(max(lower, low), high),
        upper=max(min(upper, high), low),
        confidence=confidence,
        margin=(upper - lower) / 2,
        guarantee=kind.guarantee,
        emptied=upper < low or lower > high,
    )
