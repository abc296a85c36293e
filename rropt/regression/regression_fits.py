"""What the fit of a regression found, and the estimates of its coefficients at any confidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import exp, isnan, nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.answers.sample_descriptions import SamplingDesign
from rropt.answers.table_reports import TableReading
from rropt.core.errors import one_of
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, labelled
from rropt.estimates.estimate_bases import LARGEST_LOGIT, Combined, Ends, EstimateBasis
from rropt.inference.differences import p_value, quantile
from rropt.mechanisms import Mechanism
from rropt.regression.formulas import DataColumn, FormulaDesign

Floats = NDArray[np.float64]
Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class RandomIntercept(Result):
    """A normal random intercept of groups of rows.

    Attributes:
        column: the column of the groups.
        groups: the number of groups.
        sizes: the rows of the smallest group and of the largest one.
        sigma: the standard deviation of the intercept.
        standard_error: the standard error of sigma; ``None`` on the boundary 0.
        interval: the interval of sigma by the profile likelihood, at the confidence of the regression; its upper end
            is infinite if the likelihood of no sigma up to 30 falls enough.
        loglik_without: the log-likelihood of the model without it; ``None`` if that has no maximum.
        p_value: the p-value of sigma = 0, by the likelihood ratio, whose distribution is half a chi-squared with one
            degree of freedom and half 0; ``None`` without ``loglik_without``.
        rule: the rule of quadrature, ``gauss-hermite`` or ``trapezoidal``.
        nodes: its number of nodes for each group; about twice as many move no coefficient by more than 1e-8 standard
            errors.
    """

    column: str
    groups: int
    sizes: tuple[int, int]
    sigma: float
    standard_error: float | None
    interval: tuple[float, float]
    loglik_without: float | None
    p_value: float | None
    rule: str
    nodes: int

    LABELS = labelled(column="random intercept of", groups="groups", sigma="sigma", p_value="p-value of sigma = 0")

    @property
    def name(self) -> str:
        """The name of sigma among the coefficients."""
        return f"sigma({self.column})"


class FittedRows(NamedTuple):
    """The rows of a fit, all of positive weight, kept for marginal effects and not written to files.

    Attributes:
        columns: the covariates.
        weights: the weights of the rows.
    """

    columns: Mapping[str, DataColumn]
    weights: Floats


class FittedCoefficient(NamedTuple):
    """A coefficient b, its standard error, their ratio and its p-value (0 and nan if the error is 0), its interval
    (nan if the error is 0)."""

    b: float
    error: float
    ratio: float
    p: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class RegressionFit(Result):
    """What a fit found, from which all numbers of a regression follow.

    Attributes:
        formula: the formula as given.
        model: the name of the model.
        method: ``ml`` (maximum likelihood) or ``corrected`` (corrected loss).
        coefficients: the estimates by name.
        covariances: the covariance of the coefficients, by kind of standard error.
        error_kind: the kind of the printed standard errors.
        information: the information matrix of design-based errors, ``observed`` or ``expected``; "" for other errors.
        llf: the log-likelihood; ``None`` if the method has none.
        llnull: the log-likelihood of the model without covariates; ``None`` if it is undefined.
        n: the number of rows with positive weight in the fit.
        missing: the number of missing values of each column.
        dropped: the number of rows excluded because of a missing value.
        confidence: the confidence of the intervals.
        df_resid: the number of clusters minus the number of strata; ``None`` for normal quantiles.
        devices: the number of different devices.
        mechanisms: the different devices of the response and of the randomized covariate, without direct questions.
        categories: the names of the categories of the truth.
        is_concave: whether the log-likelihood is concave, so that any maximum is the global one.
        is_saturated: whether each group of rows with equal covariates has its own parameter (yes/no questions). The
            log-likelihood of each group is concave in its proportion, so the maximum is then the global one.
        starts: the number of searches.
        agreeing: the number of searches that ended at this maximum.
        other_maxima: the number of searches that ended at another proper maximum, lower or higher.
        higher: the log-likelihood of the highest end of all searches, if it exceeds that of the estimate.
        corrected: the corrected estimate, which is consistent; ``None`` if it does not exist or the model has none.
        covariates: the right-hand side of the formula, with the levels and scales learned from the data.
        latent: the randomized covariate, if there is one.
        random: the random intercept, if there is one.
        survey: the sampling design; ``None`` for independent rows.
        reading: the report on the input.
        last_step: the largest ratio of the step of Newton's method at the coefficients to the standard error. To first
            order it bounds the distance to the exact maximum (or minimum).
        missing_texts: the texts for a missing value that were given; new rows may have those of their columns.
        recode, codes: the recodings, and the columns that are read without value labels; new rows have those of their
            columns too.
        contrast: the sum of categories that is modelled, which the devices determine together; ``None`` without one.
        fitted: the rows of the fit; not in the JSON output.
    """

    formula: str
    model: str
    method: str
    coefficients: ReadOnlyMapping[str, float]
    covariances: ReadOnlyMapping[str, Matrix]
    error_kind: str
    information: str
    llf: float | None
    llnull: float | None
    n: int
    missing: ReadOnlyMapping[str, int]
    dropped: int
    confidence: Fraction
    df_resid: int | None
    devices: int
    mechanisms: tuple[Mechanism, ...]
    categories: tuple[str, ...]
    is_concave: bool
    is_saturated: bool
    starts: int
    agreeing: int
    other_maxima: int
    higher: float | None
    corrected: ReadOnlyMapping[str, float] | None
    covariates: FormulaDesign
    latent: FormulaDesign | None
    random: RandomIntercept | None
    survey: SamplingDesign | None
    reading: TableReading
    last_step: float
    missing_texts: tuple[str, ...] = ()
    recode: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    contrast: tuple[Fraction, ...] | None = None
    fitted: FittedRows | None = field(default=None, compare=False, repr=False)

    LABELS = labelled(formula="formula", model="model", n="rows in the fit")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the coefficients."""
        return tuple(self.coefficients)

    @property
    def sigma(self) -> str:
        """The name of the standard deviation of the random intercept; "" without one."""
        return "" if self.random is None else self.random.name

    def covariance(self, cov_type: str | None = None) -> Floats:
        """Return the covariance of the coefficients of a kind, shape (p, p); ``None`` for that of the printed table.

        Raises:
            InvalidParameterError: this fit does not have standard errors of that kind.
        """
        asked = self.error_kind if cov_type is None else cov_type
        return np.array(self.covariances[one_of(asked, self.covariances, "the kind of standard errors")])

    def table(self, confidence: Fraction, cov_type: str | None = None) -> dict[str, FittedCoefficient]:
        """Return the coefficients with their errors, p-values and intervals, by name."""
        errors = np.sqrt(np.maximum(np.diag(self.covariance(cov_type)), 0.0)).tolist()
        half, freedom = quantile(confidence, self.df_resid), self.df_resid
        found = {}
        for (name, b), error in zip(self.coefficients.items(), errors, strict=True):
            if self.random is not None and name == self.random.name:  # a profile interval, or that of its logarithm
                reach = exp(min(half * error / b, LARGEST_LOGIT)) if error > 0 else nan
                ends = self.random.interval if confidence == self.confidence else (b / reach, b * reach)
                found[name] = FittedCoefficient(b, error, nan, nan, *ends)
            elif error > 0:
                t = b / error
                found[name] = FittedCoefficient(b, error, t, p_value(t, freedom), b - half * error, b + half * error)
            else:
                found[name] = FittedCoefficient(b, error, nan, nan, nan, nan)
        return found

    def interval_kind(self, name: str) -> str:
        """Return the kind of the interval of a coefficient: of sigma that of the profile likelihood."""
        return "profile" if name == self.sigma else "normal" if self.df_resid is None else "t"


@dataclass(frozen=True, eq=False)
class RegressionBasis(EstimateBasis):
    """The coefficients of a regression with their covariance.

    Attributes:
        fit: what the fit found.
    """

    fit: RegressionFit
    _cache: dict[Fraction, list[FittedCoefficient]] = field(default_factory=dict, compare=False, repr=False)

    def _at(self, place: int, confidence: Fraction) -> FittedCoefficient:
        if confidence not in self._cache:
            self._cache[confidence] = list(self.fit.table(confidence).values())
        return self._cache[confidence][place]

    def kinds(self, place: int) -> tuple[str, ...]:
        """Return the kind of interval of a coefficient; none if its standard error is 0."""
        if isnan(self._at(place, self.fit.confidence).low):
            return ()
        return (self.fit.interval_kind(self.fit.names[place]),)

    def ends(self, place: int, kind: str, confidence: Fraction) -> Ends | None:
        """Return the endpoints of an interval."""
        one = self._at(place, confidence)
        return None if isnan(one.low) else (one.low, one.high)

    def covariance(self, places: Sequence[int]) -> Any:
        """Return the covariance of some coefficients."""
        return self.fit.covariance()[np.ix_(list(places), list(places))]

    def combined(self, weights: Mapping[int, Fraction]) -> Combined:
        """Return a linear combination of coefficients."""
        b, w = list(self.fit.coefficients.values()), np.array([float(x) for x in weights.values()])
        value = float(w @ np.array([b[place] for place in weights]))
        return Combined(value, max(float(w @ self.covariance(list(weights)) @ w), 0.0), self.fit.df_resid)
