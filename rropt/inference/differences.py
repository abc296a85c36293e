"""Tests of several numbers, and the difference of a proportion between two groups with its intervals and its test."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, isnan
from typing import TYPE_CHECKING

from rropt.core.exact.display import decimal_places, decimal_text, is_in_full, rounded
from rropt.core.lazy import numpy as np
from rropt.core.results import Result, labelled
from rropt.inference.distributions import t_lower_quantile

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Ends = tuple[float, float]

MOST_DIFFERENCES = 5000  # of one proportion: all pairs of 100 groups
DIFFERENCE_TESTS = ("score", "exact")  # that may be asked for; with weights or several devices it is Wald's
_ROUNDING = 1e-9  # an estimate so little outside [0, 1] is 0 or 1 up to rounding


def quantile(confidence: Fraction, freedom: float | None = None) -> float:
    """Return the two-sided quantile of the normal distribution, or of Student's t; infinite without freedom."""
    from scipy.special import ndtri

    tail = float((1 - confidence) / 2)
    if freedom is None:
        return -float(ndtri(tail))
    return -float(t_lower_quantile(freedom, tail)) if freedom > 0 else float("inf")


def is_outside(estimate: Fraction | float) -> bool:
    """Return whether the estimate of a proportion is outside [0, 1], and not by rounding alone."""
    if isinstance(estimate, Fraction) and 0 <= estimate.numerator <= estimate.denominator:
        return False  # at once, in a table of many groups
    return not -_ROUNDING <= estimate <= 1 + _ROUNDING


def p_value(t: float, freedom: float | None = None) -> float:
    """Return the two-sided p-value of a normal statistic, or of Student's t; 1 without degrees of freedom."""
    from scipy.special import ndtr, stdtr

    if freedom is None:
        return float(2 * ndtr(-abs(t)))
    return float(2 * stdtr(freedom, -abs(t))) if freedom > 0 else 1.0


def in_digits(estimate: float, error: float, low: float, high: float) -> tuple[str, str, str]:
    """Return an estimate, its standard error and its interval as text, in the digits that the error bears."""
    if isnan(estimate):
        return "missing", "missing", "missing"
    number, deviation, *ends = (rounded(x, decimal_places(error)) for x in (estimate, error, low, high))
    return number, deviation, " to ".join(ends) if isfinite(low) else "none"


def difference_text(ends: Ends | None, places: int | None, decimals: int | None = None) -> str:
    """Return the interval of a difference as text; an end that is not 0 is not printed as 0.

    Args:
        ends: the interval.
        places: the decimal place to which it is rounded.
        decimals: the number of its decimals that are right; ``None``: all.

    >>> difference_text((-0.5, 0.25), 2), difference_text((0.0004, 0.31), 2)
    ('-0.50 to 0.25', '0.0004 to 0.31')
    """
    if ends is None:
        return "none"
    texts = [rounded(end, places) for end in ends]
    if decimals is not None and (is_in_full() or (places is not None and places > decimals)):
        texts = [f"{end:.{decimals}f}" for end in ends]
    return " to ".join(
        decimal_text(end, 1) if end and not text.strip("-0.") else text for end, text in zip(ends, texts, strict=True)
    )


def bonferroni(values: ArrayLike) -> NDArray[np.float64]:
    """Return the p-values multiplied by their number, at most 1: they agree with intervals at 1 - alpha/number."""
    p = np.asarray(values, np.float64)
    return np.minimum(p * len(p), 1.0)


def holm(values: ArrayLike) -> NDArray[np.float64]:
    """Return the p-values adjusted by Holm's method (1979).

    The r-th smallest of m p-values is multiplied by m - r + 1. A running maximum makes the result nondecreasing, and
    values above 1 become 1.
    """
    p = np.asarray(values, np.float64)
    order, adjusted = np.argsort(p, kind="stable"), np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1.0)
    return adjusted


@dataclass(frozen=True, slots=True)
class Test(Result):
    """A test of coefficients of a regression, or that the proportions of all groups are equal.

    Attributes:
        name: the hypothesis.
        statistic: the test statistic, chi-squared or F.
        degrees_of_freedom: the number of restrictions.
        denominator: the denominator degrees of freedom of F; ``None`` if the statistic is chi-squared.
        p_value: the p-value of the test.
    """

    __test__ = False  # otherwise pytest collects this class as a test

    name: str
    statistic: float
    degrees_of_freedom: int
    denominator: int | None
    p_value: float

    ANSWER = ("name", "statistic", "p_value")
    LABELS = labelled(
        name="hypothesis",
        statistic="statistic",
        degrees_of_freedom="degrees of freedom",
        denominator="denominator",
        p_value="p-value",
    )

    @classmethod
    def of(cls, name: str, statistic: float, restrictions: int, denominator: int | None = None) -> Test:
        """Return the test of a statistic: chi-squared, or F if it has a denominator."""
        from scipy.special import chdtrc, fdtrc  # scipy.stats takes half a second and 60 MB to import

        p = chdtrc(restrictions, statistic) if denominator is None else fdtrc(restrictions, denominator, statistic)
        return cls(name, statistic, restrictions, denominator, float(p))


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of a proportion between two groups: the first group minus the second.

    Attributes:
        first, second: names of the groups.
        estimate: the difference of the estimates, exact without weights.
        standard_error: its standard error; plug-in without weights.
        method: the method of the test and of the intervals: ``"score"`` (Miettinen and Nurminen), ``"exact"``
            (unconditional, for which ``Pr(p <= alpha) <= alpha`` is proved for every prevalence) or ``"Wald"`` (normal,
            with weights Student's t).
        interval: the interval of this difference alone. It contains 0 if and only if p is at least 1 minus its
            confidence. ``None`` if there is no test: without degrees of freedom, and if the standard error of one of
            the groups is 0, which is no measure of its error, unless the group is a census with direct responses.
        simultaneous: the interval that is simultaneous over all differences of this proportion (Bonferroni). It
            contains 0 if and only if the adjusted p-value is at least 1 minus the confidence.
        p: the p-value of the test that the difference is 0; 1 if there is no test.
        adjusted: the p-value after Bonferroni's adjustment over all differences of this proportion.
        degrees_of_freedom: with weights the number of clusters minus the number of strata that contain respondents of
            the groups, 0 if one of the groups has none; of Welch's test Satterthwaite's fraction; else ``None``.
    """

    first: str
    second: str
    estimate: Fraction | float
    standard_error: float
    method: str
    interval: Ends | None
    simultaneous: Ends | None
    p: float
    adjusted: float
    degrees_of_freedom: int | float | None = None

    @property
    def right_places(self) -> int | None:
        """The number of decimals of the intervals that are right; ``None``: all."""
        return {"exact": 6, "score": 8}.get(self.method)  # the bisection of the one, the cubic equation of the other

    @property
    def exact(self) -> bool:
        """Whether p and the intervals are proved for every prevalence; otherwise they are approximate."""
        return self.method == "exact"
