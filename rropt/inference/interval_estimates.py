"""Confidence intervals for a prevalence or a linear functional, mapped from the response proportions by the mechanism.

An interval has a kind, two exact endpoints, a confidence, and a guarantee. It is exact if the estimate is an affine
function of the proportion of one set of responses, since the number of these responses is binomial. Coverage is summed
exactly over all possible counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.answers.response_counts import answer_count
from rropt.core.errors import UnsupportedProblemError, required
from rropt.core.exact import Bracket, as_text, decimal_text, exact_confidence, rational_where
from rropt.core.exact.display import rounded
from rropt.core.exact.numbers import root_above
from rropt.core.lazy import numpy as np
from rropt.core.results import Result, labelled, plain_lines
from rropt.inference.count_estimates import Estimate, planned_contrast
from rropt.inference.distributions import two_sided_quantile, weights_of_counts
from rropt.inference.interval_kinds import (
    EMPTY,
    INTERVAL_KINDS,
    RECOMMENDED,
    IntervalKind,
    end_digits,
    interval_kind,
)
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import nonzero_determinant
from rropt.mechanisms.imports import required_mechanism


@dataclass(frozen=True, slots=True)
class Interval(Result):
    """A confidence interval for a prevalence, or for ``c . pi``; it unpacks to both endpoints.

    Attributes:
        kind: ``"normal"``, ``"wilson"``, ``"chebyshev"`` or ``"exact"``.
        lower, upper: the endpoints: exact rationals, rounded outwards, within the range of ``c . pi``.
        confidence: the nominal confidence, exact, in (0, 1).
        margin: half the width; of ``confidence_interval`` before the interval is intersected with the range of
            ``c . pi``, of a row of ``Estimates`` after it.
        guarantee: the proved statement about its coverage, in words.
        emptied: whether the whole interval was outside the possible range and was replaced by the nearest endpoint.
    """

    kind: str
    lower: Fraction
    upper: Fraction
    confidence: Fraction
    margin: Fraction
    guarantee: str
    emptied: bool = False

    ANSWER = ("lower", "upper", "kind", "confidence")
    LABELS = labelled(kind="interval", lower="from", upper="to", confidence="confidence", guarantee="guarantee")

    def __iter__(self) -> Iterator[Fraction]:
        return iter((self.lower, self.upper))

    def __len__(self) -> int:
        return 2

    def __getitem__(self, place: Any) -> Any:
        return (self.lower, self.upper)[place]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return both endpoints for ``numpy.asarray``, as floats."""
        return np.array([float(end) for end in self], dtype)

    def __contains__(self, value: Fraction) -> bool:
        return self.lower <= value <= self.upper

    def ends_text(self, places: int | None) -> str:
        """Return both endpoints rounded to the given decimal place, or to more digits if they would be equal."""
        if self.emptied:
            return EMPTY
        texts = rounded(self.lower, places), rounded(self.upper, places)
        if texts[0] == texts[1] and self.lower != self.upper:
            texts = decimal_text(self.lower), decimal_text(self.upper)
        return " to ".join(texts)

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table."""
        rows = plain_lines(self)
        return [(what, EMPTY if self.emptied and what in ("from", "to") else text) for what, text in rows]

    def __str__(self) -> str:
        if self.emptied:
            return EMPTY
        # as many digits as distinguish the endpoints, plus three
        size, width = max(abs(self.lower), abs(self.upper)), self.upper - self.lower
        ratio = size // width if width else 0
        digits = max(6, len(as_text(Fraction(ratio))) + 3)
        lower, upper = decimal_text(self.lower, digits), decimal_text(self.upper, digits)
        return f"{lower} to {upper} (margin {decimal_text(self.margin, 4)})"

    def _latex(self, printer: Any, **options: Any) -> str:
        """Return lower and upper bounds in LaTeX, as decimals; a number that is known exactly by itself."""
        from rropt.symbolic.symbols import bounds_in_latex

        return bounds_in_latex(self, printer, **options)

    def _repr_latex_(self) -> str:
        """Return a number in LaTeX, as notebooks show it."""
        from rropt.symbolic.symbols import number_latex

        return number_latex(self)

    def _sympy_(self) -> Any:
        """Return a confidence interval as a set of SymPy, with both endpoints."""
        from rropt.symbolic.symbols import interval_of

        return interval_of(self)


@dataclass(frozen=True, slots=True)
class LinearReduction:
    """The identity ``c . pi = offset + slope lambda_S`` for every distribution pi, where lambda_S = Pr(response in S).

    The number of responses in S is binomial (n, lambda_S), so intervals for lambda_S give exact intervals for
    ``c . pi``.

    Attributes:
        offset, slope: the coefficients of the affine map; the slope is 0 if ``c . pi`` is the same for every
            distribution.
        low, high: the range of ``c . pi`` over all distributions, ``min c`` and ``max c``.
    """

    offset: Fraction
    slope: Fraction
    low: Fraction
    high: Fraction

    def share(self, value: Fraction) -> Fraction:
        """Return lambda_S for a value of ``c . pi``."""
        return (value - self.offset) / self.slope

    def spread(self, value: Fraction) -> Fraction:
        """Return n Var of the unbiased estimate at a value of ``c . pi``."""
        share = self.share(value)
        return share * (1 - share) * self.slope**2


def reduction_of(estimate: Estimate, contrast: Sequence[Fraction]) -> tuple[LinearReduction | None, int]:
    """Return the reduction of the estimator ``w . N/n`` of ``c . pi``, and the number of responses in S.

    There is no reduction if w has more than two different values. If w is a on S and b elsewhere, then
    ``w . lambda = b + (a - b) lambda_S``. This equals ``c . pi`` because the estimator is unbiased. The weights of
    responses that the mechanism never gives do not matter.
    """
    weights = estimate.weights(contrast)
    totals: dict[int, int] = {}  # by object: often a thousand weights are only two objects
    for weight, count, row in zip(weights, estimate.counts, estimate.mechanism.matrix, strict=True):
        if count or any(row):
            totals[id(weight)] = totals.get(id(weight), 0) + count
    kinds = {id(weight): weight for weight in weights}
    values = {kinds[each] for each in totals}
    if len(values) > 2:
        return None, 0
    high, low = max(values), min(values)
    hits = sum(count for each, count in totals.items() if kinds[each] == high) if high != low else 0
    return LinearReduction(low, high - low, min(contrast), max(contrast)), hits


def binary_reduction(mechanism: Mechanism) -> LinearReduction:
    """Return the reduction of the prevalence to the proportion of responses 1, for a binary design.

    It is ``pi = (lambda - (1 - p00)) / (p00 + p11 - 1)`` (Holohan, Leith and Mason 2016, equation 4).

    Raises:
        InfeasibleError: p00 + p11 = 1.
    """
    d = nonzero_determinant(mechanism.p00, mechanism.p11)
    return LinearReduction((mechanism.p00 - 1) / d, 1 / d, Fraction(0), Fraction(1))


DEFAULT_CONFIDENCE = Fraction(19, 20)


def confidence_intervals(
    estimate: Estimate, confidence: object = DEFAULT_CONFIDENCE, *, contrast: Sequence[object] | None = None
) -> dict[str, Interval]:
    """Return the intervals of every applicable kind, by name: either all four, or only the normal interval.

    Args:
        estimate: the result of ``estimate``.
        confidence: exact, in (0, 1).
        contrast: c, shape (k,), exact; the default for two categories is the prevalence.

    The errors are those of ``confidence_interval``.

    >>> from rropt.inference import estimate
    >>> from rropt.mechanisms import named_mechanism
    >>> result = estimate(named_mechanism("forced:2/3,1/6,1/6"), yes=831, n=2435)
    >>> for kind, ends in confidence_intervals(result).items():
    ...     print(kind, ends)
    normal 0.233661 to 0.290158 (margin 0.02825)
    wilson 0.234056 to 0.290513 (margin 0.02823)
    chebyshev 0.199627 to 0.328071 (margin 0.06422)
    exact 0.233654 to 0.290739 (margin 0.02854)
    """
    return intervals_of(estimate, contrast_of(estimate, contrast), exact_confidence(confidence))


def intervals_of(estimate: Estimate, contrast: Sequence[Fraction], confidence: Fraction) -> dict[str, Interval]:
    """Return the intervals of ``confidence_intervals`` for an exact contrast and confidence."""
    reduction, hits = reduction_of(estimate, contrast)
    if reduction is not None:
        return {
            kind: reduced_interval(one, reduction, hits, estimate.n, confidence) for kind, one in INTERVAL_KINDS.items()
        }
    value, variance = estimate.value(contrast), estimate.variance(contrast)
    return {"normal": normal_interval(value, variance, estimate.n, confidence, contrast)}


def confidence_interval(
    estimate: Estimate,
    confidence: object = DEFAULT_CONFIDENCE,
    kind: str | None = None,
    *,
    contrast: Sequence[object] | None = None,
) -> Interval:
    """Return a confidence interval for ``c . pi``; by default, for the prevalence.

    Suppose that the estimator's weights on the outputs have only two different values. The number of responses with the
    larger weight is then binomial, and every kind of interval applies. The interval is mapped by an affine function and
    intersected with ``[min c, max c]``. Every binary design has such weights, and so does each proportion under k-ary
    randomized response. Otherwise only the normal interval applies: ``c . pi_hat -+ z sqrt(plug-in variance)``.

    If the intersection is empty, the nearer one of its endpoints replaces it, which can only increase the coverage.

    Args:
        estimate: the estimate from the responses.
        confidence: exact, in (0, 1).
        kind: ``"exact"``, ``"wilson"``, ``"chebyshev"`` or ``"normal"``; the default is ``"exact"`` if it applies, else
            ``"normal"``.
        contrast: c, shape (k,); the default for two categories is (0, 1).

    Raises:
        InvalidParameterError: the kind is unknown, the confidence is outside (0, 1), or the contrast does not fit.
        UnsupportedProblemError: the kind applies only to estimators that depend on a single binomial count.

    >>> from rropt.inference import estimate
    >>> from rropt.mechanisms import Mechanism
    >>> kary = Mechanism([["3/5", "1/5", "1/5"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "3/5"]])
    >>> print(confidence_interval(estimate(kary, [100, 60, 40]), "0.9", contrast=[1, 0, 0]))
    0.599103 to 0.900897 (margin 0.1509)
    """
    exact, c = exact_confidence(confidence), contrast_of(estimate, contrast)
    reduction, hits = reduction_of(estimate, c)
    chosen = interval_kind((RECOMMENDED if reduction is not None else "normal") if kind is None else kind)
    if reduction is not None:
        return reduced_interval(chosen, reduction, hits, estimate.n, exact)
    if chosen.name != "normal":
        raise UnsupportedProblemError(
            f"the {chosen.name} interval needs an estimator that counts the responses of one set: received weights "
            f"on the outputs with {len(set(estimate.weights(c)))} different values; allowed is normal"
        )
    return normal_interval(estimate.value(c), estimate.variance(c), estimate.n, exact, c)


def contrast_of(estimate: Estimate, contrast: Sequence[object] | None) -> tuple[Fraction, ...]:
    """Return the contrast as exact numbers; the default for two categories is the prevalence."""
    found = required(estimate, Estimate, "the estimate", "estimate(mechanism, counts)")
    return planned_contrast(found.mechanism, contrast)


def reduced_interval(
    kind: IntervalKind, reduction: LinearReduction, successes: int, n: int, confidence: Fraction
) -> Interval:
    """Return the interval for ``c . pi`` of the given kind, from the binomial count that determines its estimator."""
    ends = kind.ends(successes, n, confidence)
    lower, upper = sorted(reduction.offset + reduction.slope * end for end in ends)
    return cut_interval(kind, lower, upper, confidence, reduction.low, reduction.high)


def normal_interval(
    value: Fraction,
    variance: Fraction,
    n: int,
    confidence: Fraction,
    ends: Sequence[Fraction] = (Fraction(0), Fraction(1)),
    kind: IntervalKind = INTERVAL_KINDS["normal"],
) -> Interval:
    """Return ``value -+ z sqrt(variance)``, rounded outwards and intersected with [min(ends), max(ends)]."""
    digits = end_digits(n)
    half = two_sided_quantile(confidence, digits)[1] * root_above(variance, digits)
    found = Bracket(value - half, value + half).rounded_outwards(digits)
    return cut_interval(kind, found.lower, found.upper, confidence, min(ends), max(ends))


def cut_interval(
    kind: IntervalKind,
    lower: Fraction,
    upper: Fraction,
    confidence: Fraction,
    low: Fraction = Fraction(0),
    high: Fraction = Fraction(1),
) -> Interval:
    """Return the interval of a kind, intersected with ``[low, high]``; if that is empty, the nearer one of its ends."""
    ends, is_outside = (min(max(lower, low), high), max(min(upper, high), low)), upper < low or lower > high
    return Interval(kind.name, *ends, confidence, (upper - lower) / 2, kind.guarantee, emptied=is_outside)


def coverage(
    mechanism: Mechanism, n: object, prevalence: object, kind: str, confidence: object = DEFAULT_CONFIDENCE
) -> Fraction:
    """Return the exact coverage probability of an interval from n respondents.

    The coverage is ``sum over y of C(n, y) lambda^y (1 - lambda)^(n - y) [pi in I(y)]`` with
    ``lambda = (1 - pi)(1 - p00) + pi p11``. It is summed in integers, not simulated, and requires n + 1 intervals.

    Args:
        mechanism: a binary design with p00 + p11 != 1.
        n: the number of responses.
        prevalence: the true Pr(X = 1), exact, in [0, 1].
        kind, confidence: as in ``confidence_interval``.

    Raises:
        InvalidParameterError: a parameter is outside its domain.
        InfeasibleError: p00 + p11 = 1.

    >>> from rropt.mechanisms import Mechanism
    >>> exact = coverage(Mechanism.binary(1, 1), 2, "1/2", "normal")  # only "one of two" covers: Wald fails badly
    >>> exact, float(exact)
    (Fraction(1, 2), 0.5)
    """
    total = answer_count(n, "n", least=1)
    truth = rational_where(prevalence, lambda pi: 0 <= pi <= 1, "0 <= pi <= 1", name="prevalence")
    level = exact_confidence(confidence)
    chosen, reduction = interval_kind(kind), binary_reduction(required_mechanism(mechanism))
    share = reduction.share(truth)
    covered = sum(
        weight
        for y, weight in enumerate(weights_of_counts(total, share))
        if weight and truth in reduced_interval(chosen, reduction, y, total, level)
    )
    return Fraction(covered, share.denominator**total)
