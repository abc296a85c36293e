"""Tests of a hypothetical value of a prevalence, a proportion or a contrast."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import erfc, sqrt
from typing import Literal

from rropt.core.errors import InvalidParameterError, one_of, shown
from rropt.core.exact import rational, rational_where
from rropt.inference.count_estimates import Estimate
from rropt.inference.distributions import upper_tail
from rropt.inference.interval_estimates import confidence_interval, contrast_of, reduction_of

Alternative = Literal["two-sided", "greater", "less"]
_ALTERNATIVES = ("two-sided", "greater", "less")
_PRECISION, _FLOAT = 200, 60  # bits of a tail, and how many must be correct before it is rounded
_LEAST = 1e-30


def value_test(
    estimate: Estimate,
    null: object = 0,
    *,
    contrast: Sequence[object] | None = None,
    alternative: Alternative = "two-sided",
    kind: Literal["exact", "normal"] | None = None,
) -> float:
    """Return the p-value of the hypothesis that ``c . pi`` has a given value; by default, of the prevalence.

    If the estimator depends only on the count Y of the responses in one set S, then ``Y ~ Bin(n, lambda_S(null))``, and
    the p-value is exact. The two-sided p-value is twice the smaller tail, at most 1. Otherwise the test is normal, with
    the plug-in standard error.

    Args:
        estimate: the estimate.
        null: the hypothetical value of ``c . pi``.
        contrast: c, shape (k,); the default for two categories is (0, 1).
        alternative: ``"two-sided"``, ``"greater"`` (c . pi is larger than null) or ``"less"``.
        kind: ``"exact"`` or ``"normal"``; the default is ``"exact"`` if it applies, else ``"normal"``.

    Raises:
        InvalidParameterError: the alternative or the kind is unknown, the null value is outside the range of
            ``c . pi``, or an exact test is requested but does not apply.

    >>> from rropt.inference import estimate
    >>> round(value_test(estimate("crosswise:1/4", yes=198, n=310), "1/10"), 4)
    0.0237
    """
    one_of(alternative, _ALTERNATIVES, "`alternative`")
    if kind is not None:
        one_of(kind, ("exact", "normal"), "`kind`")
    c = contrast_of(estimate, contrast)
    reduction, successes = reduction_of(estimate, c)
    value = rational(null, name="null")
    if not min(c) <= value <= max(c):
        raise InvalidParameterError(
            f"`null` is out of range: received {shown(null)}; allowed are {min(c)} to {max(c)}, the values that the "
            "contrast can have"
        )
    is_exact = reduction is not None and reduction.slope != 0
    if kind == "exact" and not is_exact:
        raise InvalidParameterError(
            "an exact test needs an estimator that counts the responses of one set: this contrast has none; write "
            "kind='normal'"
        )
    found = estimate.value(c)
    if is_exact and kind != "normal":
        assert reduction is not None
        n, share = estimate.n, reduction.share(value)
        upper, lower = _tail(successes, n, share), _tail(n - successes, n, 1 - share)
        if reduction.slope < 0:
            upper, lower = lower, upper
    else:
        deviation = sqrt(estimate.variance(c))
        if not deviation:
            raise InvalidParameterError(
                "the normal test needs a positive standard error: received 0, since all responses are equal; write "
                "kind='exact'"
            )
        z = float(found - value) / deviation
        upper, lower = erfc(z / sqrt(2)) / 2, erfc(-z / sqrt(2)) / 2
    return {"greater": upper, "less": lower, "two-sided": min(1.0, 2 * min(upper, lower))}[alternative]


def _tail(y: int, n: int, p: Fraction) -> float:
    """Return ``Pr(Y >= y)`` for Y binomial (n, p): the nearest float, or one of at least seven digits below 1e-30."""
    from flint import ctx
    from scipy.special import betainc

    rough = float(betainc(y, n - y + 1, float(p))) if y else 1.0
    if not _LEAST < rough < 1:  # Arb can take seconds and lose all digits
        return rough
    with ctx.workprec(_PRECISION):
        tail = upper_tail(y, n, p)
    return float(tail) if tail.rel_accuracy_bits() > _FLOAT else rough


def conf_int(
    estimate: Estimate, alpha: object = "0.05", *, contrast: Sequence[object] | None = None
) -> tuple[Fraction, Fraction]:
    """Return the endpoints of ``confidence_interval`` at the confidence level ``1 - alpha``.

    Args:
        estimate: the estimate.
        alpha: the probability that the interval may miss the value, in (0, 1).
        contrast: c, as for ``confidence_interval``.

    Raises:
        InvalidParameterError: ``alpha`` is outside (0, 1).

    >>> from rropt.inference import estimate
    >>> lower, upper = conf_int(estimate("crosswise:1/4", yes=198, n=310), "0.1")
    >>> round(float(lower), 4), round(float(upper), 4)
    (0.1319, 0.3173)
    """
    exact = rational_where(alpha, lambda a: 0 < a < 1, "0 < alpha < 1", name="alpha")
    found = confidence_interval(estimate, 1 - exact, contrast=contrast)
    return found.lower, found.upper
