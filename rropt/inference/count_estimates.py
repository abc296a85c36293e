"""Estimates of a distribution from the counts of a survey, unbiased and constrained, with exact covariance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.answers.response_counts import answer_counts, given_counts
from rropt.core.argument_checks import clear_calls
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import both_texts, decimal_text, rational
from rropt.core.exact.display import with_error_text
from rropt.core.exact.flint_numbers import flint_matrix, fractions_of
from rropt.core.exact.numbers import dot, square_root, whole_numbers, whole_where
from rropt.core.limits import MAX_MATRIX_ENTRIES, MAX_WRITTEN_ENTRIES
from rropt.core.results import Result, labelled, plain_dict, rounded_matrix
from rropt.core.visible import all_of, visible, with_noun
from rropt.inference.likelihood import LIKELIHOOD_GAP, likely_population, share_error
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import Matrix, exact_population, listed
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.left_inverse import (
    SetForm,
    gamma_diagonal,
    leaves_out_weights,
    left_inverse,
    most_likely_in_closed_form,
    reference_population,
)

if TYPE_CHECKING:
    from typing import Literal

    from rropt.core.results import Table
    from rropt.inference.hypothesis_tests import Alternative
    from rropt.inference.interval_estimates import Interval
    from rropt.plots.figures import Figure

# Up to here, it takes seconds to invert the information at an estimate whose proportions have 18 decimals.
_EFFICIENT_ENTRIES = 1024

_SHOWN_SHARES = 0.01  # smaller bounds of the error of a proportion are not reported, because the bound is crude


@dataclass(frozen=True, slots=True)
class Estimate(Result):
    """The estimate of a distribution from responses: unbiased, restricted to the simplex, with standard errors.

    Attributes:
        mechanism: the mechanism P, shape (m, k).
        counts: N, shape (m,): the number of times each output occurred.
        reference: the distribution at which the unbiased estimator has least variance; it matters only for m > k.
        estimator: A, shape (k, m), with A P = I (``left_inverse``).
        estimate: ``A N/n``, shape (k,): unbiased, sums to 1, possibly outside [0, 1].
        constrained_estimate: the maximum likelihood estimate on the simplex, shape (k,).
        likelihood_gap: an upper bound on the difference between the maximum of the log-likelihood per response and its
            value at this estimate; 0 if the estimate is exactly the maximum.
    """

    mechanism: Mechanism
    counts: tuple[int, ...]
    reference: tuple[Fraction, ...]
    estimator: tuple[tuple[Fraction, ...], ...]
    estimate: tuple[Fraction, ...]
    constrained_estimate: tuple[Fraction, ...]
    likelihood_gap: Fraction

    ANSWER = ("n", "estimate", "standard_errors")
    LABELS = labelled(
        n="responses",
        counts="frequency of each output",
        mechanism="mechanism",
        estimate="unbiased estimate of each category",
        standard_errors="standard error of each, plug-in",
        unbiased_standard_errors="standard error of each, variance over n - 1",
        constrained_estimate="maximum likelihood estimate",
        device_in_words="device",
        likelihood_gap="log-likelihood per response below the maximum, at most",
    )

    @classmethod
    def recompute(
        cls,
        mechanism: Mechanism,
        counts: tuple[int, ...],
        reference: tuple[Fraction, ...],
        constrained_estimate: tuple[Fraction, ...] | None = None,
    ) -> Estimate:
        """Recompute the estimates from their counts, and prove the bound of a given maximum likelihood estimate.

        The search for it has floats, which another computer may round in another way.
        """
        return estimate_of_counts(mechanism, answer_counts(mechanism, counts), reference, constrained_estimate)

    @property
    def device_in_words(self) -> str:
        """The device in words."""
        return self.mechanism.in_words()

    @property
    def n(self) -> int:
        """The number of responses."""
        return sum(self.counts)

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The observed proportions of the responses, ``lambda_hat = N/n``, shape (m,)."""
        n = self.n
        return tuple(Fraction(count, n) for count in self.counts)

    @property
    def prevalence(self) -> Fraction:
        """The unbiased estimate of Pr(X = 1), for two categories."""
        if self.mechanism.inputs != 2:
            raise InvalidParameterError(
                f"prevalence belongs to two categories: received {self.mechanism.inputs}; use estimate"
            )
        return self.estimate[1]

    def value(self, contrast: Sequence[Fraction]) -> Fraction:
        """Return the unbiased estimate of ``c . pi``."""
        return dot(contrast, self.estimate)

    def weights(self, contrast: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """Return ``w = A^T c``, shape (m,), the weights with which ``w . N/n`` estimates ``c . pi``."""
        rows = [(c, row) for c, row in zip(contrast, self.estimator, strict=True) if c]
        if len(rows) == 1 and rows[0][0] == 1:
            return rows[0][1]
        return tuple(sum((c * row[i] for c, row in rows), Fraction(0)) for i in range(self.mechanism.outputs))

    def variance(self, contrast: Sequence[Fraction]) -> Fraction:
        """Return the plug-in variance of the unbiased estimate of ``c . pi``.

        The formula is ``(sum_i w_i^2 l_i - (sum_i w_i l_i)^2) / n`` with ``w = A^T c``, where l = N/n estimates lambda.
        """
        n = self.n
        mean, square = _weighted(self.weights(contrast), self.counts)
        return (square * n - mean * mean) / n**3

    def unbiased_variance(self, contrast: Sequence[Fraction]) -> Fraction | None:
        """Return the unbiased estimate of the variance of ``c . pi``: the plug-in variance times ``n/(n - 1)``.

        For a binary design this is ``l (1 - l)/((n - 1)(p00 + p11 - 1)^2)`` with l = y/n, the unbiased estimator of
        Chaudhuri and Mukerjee (1988). A regression of the debiased responses on a constant prints the same value
        (Stata's ``rrreg``; also R's ``survey``). In contrast, ``variance`` is the plug-in variance with the divisor n,
        as in Warner (1965), Fox and Tracy (1986) and Blair, Imai and Zhou (2015, R package ``rr``). The result is None
        for one respondent.
        """
        return self.variance(contrast) * self.n / (self.n - 1) if self.n > 1 else None

    def covariance(self) -> tuple[tuple[Fraction, ...], ...]:
        """Return the plug-in covariance ``A (diag(l) - l l^T) A^T / n`` of the estimate, with l = N/n, shape (k, k)."""
        structured = gamma_diagonal(self.mechanism) or self._sets()
        if structured is not None:
            return structured.covariance(self.counts)
        return covariance_of(self.estimator, self.shares, self.estimate, self.n)

    def _sets(self) -> SetForm | None:
        """Return the sets of the responses, if the estimator counts those that contain each category."""
        kinds = {id(value): value for row in self.estimator for value in row}
        if len(set(kinds.values())) != 2 or (sets := self.mechanism.sets) is None:
            return None
        return sets if {*kinds.values()} == {*sets.weights} else None

    def to_dict(self) -> dict[str, Any]:
        """Return the keys of the result; of an estimator of more than 900 entries, how it is computed."""
        k, m = self.mechanism.inputs, self.mechanism.outputs
        if k * m <= MAX_WRITTEN_ENTRIES:
            return plain_dict(self)
        sets = self._sets()
        stated: dict[str, Any] = rounded_matrix(self.estimator) if sets is None else {}
        if sets is not None:
            stated = dict(zip(("inside", "outside"), sets.weights, strict=True))
            how = "weight of each response: inside if its set contains the category, otherwise outside"
        elif m == k:
            how = "P^-1, the inverse of the mechanism's matrix"
        else:
            how = "(P^T D^-1 P)^-1 P^T D^-1, with D = diag(P r) at the reference r"
        return plain_dict(self, {"estimator": {"computed": how, **stated}})

    def efficient_covariance(self) -> tuple[tuple[Fraction, ...], ...] | None:
        """Return the asymptotic covariance at the maximum likelihood estimate, ``(M^-1 - pi pi^T)/n``, shape (k, k).

        M = ``sum_i p_i p_i^T/(p_i . pi)`` is the Fisher information. Asymptotically no estimator has a smaller
        covariance, and the maximum likelihood estimate attains it if pi is inside the simplex. It needs no reference
        distribution. The result is None if the information is infinite or the mechanism has more than 1024 entries.

        Source: van der Vaart, Asymptotic Statistics (1998), chapters 5 and 8.
        """
        from rropt.mechanisms.fisher_information import information_inverse

        if self.mechanism.inputs * self.mechanism.outputs > _EFFICIENT_ENTRIES:
            return None
        inverse = information_inverse(self.mechanism, self.constrained_estimate)
        return None if inverse is None else _centred(inverse, self.constrained_estimate, self.n)

    @property
    def standard_errors(self) -> tuple[float, ...]:
        """The plug-in standard error of each category's unbiased estimate, shape (k,)."""
        k = self.mechanism.inputs
        return tuple(square_root(self.variance(unit(j, k))) for j in range(k))

    @property
    def unbiased_standard_errors(self) -> tuple[float, ...] | None:
        """The standard errors with the divisor n - 1, shape (k,); None for one respondent."""
        variances = [self.unbiased_variance(unit(j, self.mechanism.inputs)) for j in range(self.mechanism.inputs)]
        return None if None in variances else tuple(square_root(v) for v in variances if v is not None)

    @property
    def standard_error(self) -> float:
        """The plug-in standard error of the prevalence, ``sqrt(l (1 - l)/n) / |p00 + p11 - 1|`` for a binary design."""
        _ = self.prevalence
        return square_root(self.variance(unit(1, 2)))

    def __str__(self) -> str:
        pairs = zip(self.estimate, self.standard_errors, strict=True)
        texts = [with_error_text(share, error, exact=True) for share, error in pairs]
        if self.mechanism.inputs == 2:
            return f"prevalence {texts[1]} from {with_noun(self.n, 'response')}"
        return "\n".join(
            [f"shares from {with_noun(self.n, 'response')}", *(f"  {j}: {text}" for j, text in enumerate(texts))]
        )

    def _share_error_text(self) -> str:
        """Return a remark if a flat likelihood makes the error of the proportions large despite a small gap."""
        gap, population = self.likelihood_gap, self.constrained_estimate
        error = share_error(self.mechanism, self.counts, population, self.estimator, gap)
        if error <= _SHOWN_SHARES:
            return ""
        return f"; the likelihood is nearly flat: the most likely proportions may differ by up to {error:.2g}"

    def remarks(self) -> tuple[str, ...]:
        """Return warnings about the estimates, as sentences."""
        remarks = []
        if self.mechanism.inputs == 2 and not 0 <= (share := self.estimate[1]) <= 1:
            extreme = "is 0" if share < 0 else "is 1"
            remarks.append(
                f"the unbiased estimate {decimal_text(share)} lies outside [0, 1]: the answers are more "
                f"extreme than a prevalence that {extreme} makes expected; it is unbiased only if left as it is; the "
                f"constrained estimate is {both_texts(self.constrained_estimate[1])}"
            )
        elif min(self.estimate) < 0:
            named = [*map(visible, self.mechanism.categories)] or [*map(str, range(len(self.estimate)))]
            outside = [name for name, share in zip(named, self.estimate, strict=True) if share < 0]
            remarks.append(
                f"the unbiased estimate is negative for {_listed(outside)}: it lies outside the simplex, and "
                "is unbiased only if it is left as it is; the constrained estimate lies inside"
            )
        if max(self.counts) == self.n:
            what = f"{all_of(self.n, 'responses')} are equal" if self.n > 1 else "there is one response"
            remarks.append(
                f"{what}: the plug-in standard error is 0 and does not measure the precision; use the exact or the "
                "Chebyshev interval, where they apply"
            )
        return (*remarks, *self.method_remarks())

    def method_remarks(self) -> tuple[str, ...]:
        """Return the remarks on how the estimates are computed, as sentences."""
        remarks = []
        if self.mechanism.outputs > self.mechanism.inputs and leaves_out_weights(self.mechanism, self.reference):
            remarks.append(
                "the unbiased estimate counts the responses that contain each category, whatever the reference "
                "distribution is: the matrix is too large for the weights with the least variance there"
            )
        if self.likelihood_gap:
            kind = (
                "numerical" if self.likelihood_gap <= LIKELIHOOD_GAP else "rough, because the search did not converge"
            )
            remarks.append(
                f"the constrained estimate is {kind}: no distribution has a log-likelihood per response that is higher "
                f"by more than {decimal_text(self.likelihood_gap, 3)} (proved exactly){self._share_error_text()}"
            )
        return tuple(remarks)

    def as_tables(self) -> list[Table]:
        """Return the tables of an estimate, as a command prints them: with the recommended 95 % intervals."""
        from rropt.estimates.counted_estimates import estimate_tables

        return estimate_tables(self)

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return the rows of the data frame of an estimate, with the recommended 95 % intervals."""
        from rropt.estimates.counted_estimates import estimate_rows

        return estimate_rows(self)

    @clear_calls
    def conf_int(
        self, alpha: object = "0.05", *, contrast: Sequence[object] | None = None
    ) -> tuple[Fraction, Fraction]:
        """Return the endpoints of ``confidence_interval`` at the confidence level ``1 - alpha``.

        Args:
            alpha: the probability that the interval may miss the value, in (0, 1).
            contrast: c, as for ``confidence_interval``.

        Raises:
            InvalidParameterError: ``alpha`` is outside (0, 1).
        """
        from rropt.inference.hypothesis_tests import conf_int

        return conf_int(self, alpha, contrast=contrast)

    @clear_calls
    def interval(
        self,
        confidence: object = Fraction(19, 20),
        kind: str | None = None,
        *,
        contrast: Sequence[object] | None = None,
    ) -> Interval:
        """Return a confidence interval for ``c . pi``; by default, for the prevalence.

        Suppose that the estimator's weights on the outputs have only two different values. The number of responses with
        the larger weight is then binomial, and every kind of interval applies. The interval is mapped by an affine
        function and intersected with ``[min c, max c]``. Every binary design has such weights, and so does each
        proportion under k-ary randomized response. Otherwise only the normal interval applies: ``c . pi_hat -+ z
        sqrt(plug-in variance)``.

        If the intersection is empty, the nearer one of its endpoints replaces it, which can only increase the coverage.

        Args:
            confidence: exact, in (0, 1).
            kind: ``"exact"``, ``"wilson"``, ``"chebyshev"`` or ``"normal"``; the default is ``"exact"`` if it applies,
                else ``"normal"``.
            contrast: c, shape (k,); the default for two categories is (0, 1).

        Raises:
            InvalidParameterError: the kind is unknown, the confidence is outside (0, 1), or the contrast does not fit.
            UnsupportedProblemError: the kind applies only to estimators that depend on a single binomial count.
        """
        from rropt.inference.interval_estimates import confidence_interval

        return confidence_interval(self, confidence, kind, contrast=contrast)

    @clear_calls
    def plot(self, *, confidence: object = Fraction(19, 20), size: str = "paper", ax: Any = None) -> Figure:
        """Return a picture of estimated proportions with their confidence intervals of every kind that applies.

        Args:
            confidence: of the intervals of an ``Estimate``, exact, in (0, 1).
            size, ax: as for ``region``.

        Raises:
            InvalidParameterError: no estimate, too many shares, or a confidence outside (0, 1).
        """
        from rropt.plots.draw_surveys import estimated

        return estimated(self, confidence=confidence, size=size, ax=ax)

    @clear_calls
    def test(
        self,
        null: object = 0,
        *,
        contrast: Sequence[object] | None = None,
        alternative: Alternative = "two-sided",
        kind: Literal["exact", "normal"] | None = None,
    ) -> float:
        """Return the p-value of the hypothesis that ``c . pi`` has a given value; by default, of the prevalence.

        If the estimator depends only on the count Y of the responses in one set S, then ``Y ~ Bin(n, lambda_S(null))``,
        and the p-value is exact. The two-sided p-value is twice the smaller tail, at most 1. Otherwise the test is
        normal, with the plug-in standard error.

        Args:
            null: the hypothetical value of ``c . pi``.
            contrast: c, shape (k,); the default for two categories is (0, 1).
            alternative: ``"two-sided"``, ``"greater"`` (c . pi is larger than null) or ``"less"``.
            kind: ``"exact"`` or ``"normal"``; the default is ``"exact"`` if it applies, else ``"normal"``.

        Raises:
            InvalidParameterError: the alternative or the kind is unknown, the null value is outside the range of
                ``c . pi``, or an exact test is requested but does not apply.
        """
        from rropt.inference.hypothesis_tests import value_test

        return value_test(self, null, contrast=contrast, alternative=alternative, kind=kind)


def estimate(
    mechanism: Mechanism | str,
    counts: Sequence[object] | None = None,
    *,
    responses: Any = None,
    yes: object = None,
    n: object = None,
    reference: Sequence[object] | None = None,
) -> Estimate:
    """Estimate the distribution of the categories from counts of responses, or from the responses themselves.

    The counts are multinomial with ``lambda = P pi``. The unbiased estimate is ``A N/n`` with ``A P = I``. For a square
    mechanism it is ``P^-1 N/n``. With more outputs than categories, it is the unbiased estimator with the least
    variance at ``reference`` (see ``left_inverse``). The constrained estimate is the maximum likelihood estimate on the
    simplex.

    Args:
        mechanism: the mechanism P, shape (m, k), of full column rank, or its text form, such as ``"warner:3/4"``.
        counts: the counts N, shape (m,), nonnegative integers in the order of the mechanism's rows.
        responses: instead of counts, the randomized responses, shape (n,), integers 0..m-1.
        yes, n: instead of counts, the number of responses 1 and of all responses, for a mechanism with two outputs.
        reference: the reference distribution, shape (k,), positive, with sum 1; uniform by default. It has no effect if
            m = k.

    Raises:
        InvalidParameterError: counts, responses or reference do not fit the mechanism, or not exactly one of counts,
            responses and yes is given.
        InfeasibleError: the mechanism does not identify the distribution of the categories.

    Source: Chaudhuri and Mukerjee, Randomized Response (1988); Holohan, Leith and Mason (2016), theorem 1.

    >>> from rropt.mechanisms import named_mechanism
    >>> result = estimate(named_mechanism("forced:2/3,1/6,1/6"), [1604, 831])
    >>> print(result.prevalence, round(float(result.prevalence), 6), round(result.standard_error, 6))
    2551/9740 0.26191 0.014413
    """
    mechanism = required_mechanism(mechanism)
    return estimate_of_counts(
        mechanism, answer_counts(mechanism, given_counts(mechanism, counts, responses, yes, n)), reference
    )


def estimate_of_counts(
    mechanism: Mechanism,
    exact_counts: tuple[int, ...],
    reference: Sequence[object] | None,
    likely: Sequence[object] | None = None,
) -> Estimate:
    """Return the estimate of ``estimate`` from counts that were checked (``require_possible``).

    ``likely`` is the maximum likelihood estimate of a file, if any.
    """
    population = reference_population(mechanism, reference)
    estimator = left_inverse(mechanism, population)
    n = sum(exact_counts)
    unbiased = tuple(_weighted(row, exact_counts)[0] / n for row in estimator)
    constrained, gap = most_likely_in_closed_form(mechanism, exact_counts), Fraction(0)
    if constrained is None:
        own = None if likely is None else exact_population(likely, mechanism.inputs)
        constrained, gap = likely_population(mechanism, exact_counts, unbiased, own)
    return Estimate(
        mechanism=mechanism,
        counts=exact_counts,
        reference=population,
        estimator=estimator,
        estimate=unbiased,
        constrained_estimate=constrained,
        likelihood_gap=gap,
    )


def unit(j: int, k: int) -> tuple[Fraction, ...]:
    """Return the contrast that selects category j out of k.

    Args:
        j: the category, from 0.
        k: the number of categories.
    """
    k = whole_where(k, 1, MAX_MATRIX_ENTRIES, name="k")
    j = whole_where(j, 0, k - 1, name="j")
    return tuple(Fraction(int(i == j)) for i in range(k))


def exact_contrast(contrast: Sequence[object], k: int) -> tuple[Fraction, ...]:
    """Check a contrast c, and return it as k exact numbers.

    Args:
        contrast: c, k numbers.
        k: the number of categories.

    Raises:
        InvalidParameterError: c does not have k numbers.
    """
    given = listed(contrast, flat=True)
    if given is None or len(given) != k:
        raise InvalidParameterError(
            f"the contrast does not fit: received {shown(contrast if given is None else ','.join(map(str, given)))}; "
            f"give {shown(k)} numbers, one per category"
        )
    return tuple(rational(c, name=f"contrast[{j}]") for j, c in enumerate(given))


def planned_contrast(mechanism: Mechanism, contrast: Sequence[object] | None) -> tuple[Fraction, ...]:
    """Return the contrast as exact numbers; the default for two categories is the prevalence."""
    mechanism = required_mechanism(mechanism)
    if contrast is not None:
        return exact_contrast(contrast, mechanism.inputs)
    if mechanism.inputs != 2:
        raise InvalidParameterError(
            f"a contrast is needed: received a mechanism of {mechanism.inputs} categories; give c, one number per "
            "category, such as (1, 0, ..., 0) for the proportion of the first"
        )
    return Fraction(0), Fraction(1)


def covariance_of(
    estimator: Sequence[Sequence[Fraction]], shares: Sequence[Fraction], mean: Sequence[Fraction], n: int
) -> Matrix:
    """Return ``(A diag(shares) A^T - mean mean^T) / n``."""
    scaled = [[a * share for a, share in zip(row, shares, strict=True)] for row in estimator]
    return _centred(fractions_of(flint_matrix(scaled) * flint_matrix(estimator).transpose()), mean, n)


def _centred(moments: Sequence[Sequence[Fraction]], mean: Sequence[Fraction], n: int) -> Matrix:
    rows = zip(moments, mean, strict=True)
    return tuple(tuple((moment - x * y) / n for moment, y in zip(row, mean, strict=True)) for row, x in rows)


def _weighted(weights: Sequence[Fraction], counts: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Return ``w . N`` and ``w^2 . N``, computed in integers."""
    totals: dict[int, int] = {}  # often a thousand weights are only two objects
    for each, count in zip(map(id, weights), counts, strict=True):
        totals[each] = totals.get(each, 0) + count
    own = {id(weight): weight for weight in weights}
    numerators, below = whole_numbers(own.values())
    terms = [w * totals[each] for w, each in zip(numerators, own, strict=True)]
    square = sum(w * term for w, term in zip(numerators, terms, strict=True))
    return Fraction(sum(terms), below), Fraction(square, below * below)


def _listed(outside: list[str]) -> str:
    return f"categor{'y' if len(outside) == 1 else 'ies'} {', '.join(outside[:8])}{', ...' if len(outside) > 8 else ''}"
