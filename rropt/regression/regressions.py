"""The result of a regression: coefficients as estimates, tests, predictions and marginal effects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, inf, isfinite, isnan, nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.answers.table_reports import gaps_text
from rropt.core.errors import (
    FileFormatError,
    InvalidParameterError,
    RroptError,
    UnsupportedProblemError,
    required,
    shown,
)
from rropt.core.exact import as_text, decimal_text
from rropt.core.exact.display import p_in_words, p_text, rounded
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.normal_form import named_in, normal
from rropt.core.results import Table
from rropt.core.results.json_reading import BESIDE, equal_in_json, own_part
from rropt.core.results.json_writing import record_of
from rropt.core.visible import visible, with_noun
from rropt.estimates.estimate_bases import LARGEST_LOGIT, DeltaBasis, delta_ends
from rropt.estimates.estimated import SIMPLE, Estimate, Estimates
from rropt.estimates.named_numbers import NamedNumbers
from rropt.inference.contrast_noise import CONTRAST_NOISE
from rropt.inference.differences import Test, in_digits, p_value, quantile
from rropt.mechanisms.words import devices_in_words
from rropt.regression.covariate_columns import covariate_columns
from rropt.regression.formula_texts import columns_of, parse, read_factor
from rropt.regression.formulas import (
    DataColumn,
    Factor,
    UndeterminedError,
    codes_of,
    column_name,
    condition_key,
    factor_column,
    number_of,
)
from rropt.regression.models import latent_covariate, link, model_of
from rropt.regression.regression_fits import (
    Floats,
    RandomIntercept,
    RegressionBasis,
    RegressionFit,
)

_Columns = Mapping[str, DataColumn]

_TITLES = {
    "logit": "logistic regression",
    "probit": "probit regression",
    "linear": "linear regression",
    "ordinal-logit": "ordinal regression (proportional odds)",
    "ordinal-probit": "ordinal regression (probit)",
    "multinomial": "multinomial logistic regression",
}
_KINDS = {
    "observed": "inverse of the observed information",
    "expected": "inverse of the expected information",
    "outer-product": "inverse of the outer product of the scores (BHHH)",
    "sandwich": "sandwich (robust)",
    "design": "design-based (linearization)",
    "shrunk": "design-based, the device shrunk by the finite population too (as R's survey)",
}
_MOST_LEVELS, _MOST_FACTORS, _MOST_TOLD = 12, 3, 4  # of pictures of predictions, and of a sentence
_STEP = 1e-4  # of a numerical derivative, in standard deviations of the variable
_LOST = 0.02  # of a variance: with a larger rounding error, its root is not right to a percent
_SINGULAR = 1e-13  # the least eigenvalue of a singular matrix of correlations, by rounding
_UNSEEN = 1e-5  # of an estimate: a smaller rounding error of its standard error is not printed
_LEAST_GAP = 1e-6  # standard errors: of smaller distances the digits are rounding errors
_SPANNED = 1e-8  # relative distance of a column from the columns that span it
_PART = re.compile(r"(?:\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]|[^,])+")  # between commas outside of brackets
_LONGEST = 160  # characters of a repr
_MISSING_SHOWN = 8  # the largest number of columns with missing values that a note lists


class _Head(NamedTuple):
    """What distinguishes a function of the coefficients: its name, its category, its group, and its rows."""

    name: str
    category: str
    group: str | None
    n: int


def _of_fit(name: str, text: str) -> Any:
    """Return the property that a regression has from its fit."""

    def value(self: Regression) -> Any:
        return getattr(self.fit, name)

    return property(value, doc=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Regression(Estimates):
    """A regression of randomized responses: its coefficients are ``Estimates``.

    ``params``, ``bse``, ``pvalues``, ``tvalues``, ``conf_int()`` and ``cov_params()`` have the names of statsmodels,
    and ``contrast({"age": 1, "female": -1})`` is a linear combination of coefficients. The probabilities of a mixed
    model (``predict``, ``margeff``, ``prevalence``) are means over the random intercept; its coefficients and odds
    ratios compare rows of one group.

    Attributes:
        fit: what the fit found.
    """

    fit: RegressionFit

    formula = _of_fit("formula", "The formula as given.")
    model = _of_fit("model", "The name of the model.")
    method = _of_fit("method", "``ml`` (maximum likelihood) or ``corrected`` (corrected loss).")
    error_kind = _of_fit("error_kind", "The kind of the printed standard errors.")
    llf = _of_fit("llf", "The log-likelihood; ``None`` if the method has none.")
    llnull = _of_fit("llnull", "The log-likelihood of the model without covariates; ``None`` if it is undefined.")
    df_resid = _of_fit("df_resid", "Clusters minus strata; ``None`` for normal quantiles.")
    categories = _of_fit("categories", "The names of the categories of the truth.")
    random = _of_fit("random", "The random intercept, if there is one.")
    survey = _of_fit("survey", "The sampling design; ``None`` for independent rows.")
    reading = _of_fit("reading", "The report on the input.")

    @classmethod
    def of(cls, fit: RegressionFit) -> Regression:
        """Return the regression of a fit."""
        survey, basis, rows = fit.survey, RegressionBasis(fit), []
        for place, (name, one) in enumerate(fit.table(fit.confidence).items()):
            p = None if isnan(one.p) else one.p
            own: dict[str, Any] = {"df": fit.df_resid, "p_value": p, "basis": basis, "place": place}
            rows.append(Estimate(name, one.b, one.error, fit.n, **own))
        told = {"words": devices_in_words(fit.mechanisms), "sample": SIMPLE if survey is None else survey.sample}
        response = parse(fit.formula).response
        gaps = (fit.missing[response],) if response in fit.missing else ()
        more: dict[str, Any] = {"confidence": fit.confidence, "mechanisms": fit.mechanisms, "missing": gaps, **told}
        return cls(kind="regression", rows=tuple(rows), questions=(response,), fit=fit, **more)

    def to_dict(self, *, confidence: object = None) -> dict[str, Any]:
        """Return the regression for JSON: the schema of ``Estimates``, and beside it ``fit`` and what follows from it.

        Args:
            confidence: the confidence of the intervals; by default that of the fit.
        """
        record = Estimates.to_dict(self, confidence=confidence)
        told = {"title": self.title, "formula": self.fit.formula, "response": self.response, "status": self.status}
        ratios = {name: list(own) for name, own in self.odds_ratios.items()}
        more = {"aic": self.aic, "bic": self.bic, "odds_ratios": ratios, **told, "notes": list(self.notes())}
        return record | {"fit": self.fit.to_dict(), **record_of(more)}

    def late_dict(self) -> dict[str, Any]:
        """Return the regression for JSON: coefficients are few."""
        return self.to_dict()

    @classmethod
    def from_dict(cls, data: Any) -> Regression:
        """Read a regression from the output of ``to_dict``; predictions need the rows of the fit or new rows.

        Raises:
            FileFormatError: the data are no regression, or their parts contradict each other.
        """
        data = own_part(cls, data)
        if not isinstance(data, Mapping) or not isinstance(data.get("fit"), Mapping):
            raise FileFormatError(
                f"the data are no regression: received {shown(data)}; allowed is what to_dict returns"
            )
        try:
            made = cls.of(RegressionFit.from_dict(data["fit"]))
            made._check()
            record = made.to_dict()
        except RroptError:
            raise
        except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise FileFormatError(f"a regression cannot be made: {shown(str(error))}; create the file again") from None
        beside = set(BESIDE) - {"remarks"}
        other = next((k for k in data if k not in beside and not equal_in_json(record.get(k, ()), data[k])), None)
        if other is not None:
            raise FileFormatError(
                f"Regression.{other} contradicts the fit: received {shown(data[other])}; create the file again"
            )
        return made

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name} {decimal_text(b, 4)}" for name, b in self.fit.coefficients.items())
        told = visible(f"{self.title}, n = {self.nobs}: {numbers}")
        return f"<Regression {told[:_LONGEST]}{'...' * (len(told) > _LONGEST)}>"

    @property
    def nobs(self) -> int:
        """The number of rows with positive weight in the fit."""
        return self.fit.n

    @property
    def tvalues(self) -> NamedNumbers:
        """The coefficients divided by their standard errors; ``None`` where the standard error is 0, and for sigma."""
        ratios = [one.ratio for one in self.fit.table(self.confidence).values()]
        return NamedNumbers(self.names, [None if isnan(one) else one for one in ratios])

    @property
    def pvalues(self) -> NamedNumbers:
        """The two-sided p-values of the hypotheses that a coefficient is 0; ``None`` where the standard error is 0."""
        return NamedNumbers(self.names, [one.p_value for one in self.rows])

    def _check(self) -> None:
        """Raise if the coefficients of a file are not those of its model and covariates."""
        names = columns_of(factor.text for factor in self.factors)
        pi, J, _ = self._probabilities(dict.fromkeys(names, DataColumn(np.full(1, np.nan))), 1)
        k, p = 2 if self._is_binary else len(self.fit.categories), len(self.names)
        if pi.shape != (1, k) or J.shape[2] != p:
            raise InvalidParameterError(
                f"the coefficients do not fit the model: received {p}; allowed is one for each column; fit it again"
            )

    @property
    def _cuts(self) -> tuple[str, ...]:
        """The names of the thresholds of an ordinal model, which stand before sigma."""
        if not self.fit.model.startswith("ordinal"):
            return ()
        end = len(self.names) - (self.fit.random is not None)
        return self.names[end + 1 - len(self.fit.categories) : end]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the coefficients."""
        return self.fit.names

    @property
    def title(self) -> str:
        """The title of the model."""
        mixed = "" if self.fit.random is None else ", mixed model with a random intercept"
        return _TITLES[self.fit.model] + mixed + (", corrected loss" if self.fit.method == "corrected" else "")

    @property
    def response(self) -> str:
        """The column of the responses."""
        return self.questions[0]

    @property
    def status(self) -> str:
        """The verified properties of the optimum, as text."""
        if self.fit.model == "linear" and self.fit.latent is None:
            return "least squares of the debiased responses: the only minimum"
        if self.fit.method == "corrected":
            least = "minimum of the corrected loss, which is convex: the only one"
            return (
                least
                if self.fit.agreeing or self.fit.contrast
                else f"{least}; no search found a proper maximum of the likelihood"
            )
        if self.fit.is_concave:
            return "global maximum: the log-likelihood is concave"
        if self.fit.is_saturated:
            return "global maximum: the model is saturated, and each group's log-likelihood has one maximum"
        starts = self.fit.starts
        near = (
            "the nearest to the corrected estimate" if self.fit.corrected is not None else "the highest that was found"
        )
        return (
            f"local maximum, {near}; {self.fit.agreeing} of {starts} search{'es' * (starts != 1)} ended there; "
            "global optimality not proved"
        )

    def notes(self) -> tuple[str, ...]:
        """Return the notes below the table."""
        information = f" with the {self.fit.information} information" * (self.fit.error_kind in ("design", "shrunk"))
        found = [f"standard errors: {_KINDS[self.fit.error_kind]}{information}"]
        if self.fit.survey is not None and self.fit.survey.replicates is not None:
            found = ["standard errors: design-based, between the fits of all replicates"]
        if self.fit.contrast is not None:
            found.append(
                f"the devices determine the contrast {','.join(map(as_text, self.fit.contrast))} together; the "
                "coefficients are consistent only if the devices are assigned at random"
            )
            if (
                self.fit.error_kind == "design"
                and self.fit.survey is not None
                and self.fit.survey.fractions is not None
            ):
                found.append(CONTRAST_NOISE)
        if self.fit.covariates.left_out:
            found += self.fit.covariates.left_out_notes()
        if self.fit.latent is not None and self.fit.latent.left_out:
            found += self.fit.latent.left_out_notes(f"{self.fit.latent.multiplied}:")
        if self.fit.dropped:
            texts = {
                name: gaps_text(gap for gap in self.fit.reading.gaps if gap.column == name) for name in self.fit.missing
            }
            gaps = [f"{name}: {texts[name] or count}" for name, count in self.fit.missing.items()]
            told = ", ".join(gaps[:_MISSING_SHOWN]) + (", ..." if len(gaps) > _MISSING_SHOWN else "")
            left = "misses a value and is" if self.fit.dropped == 1 else "miss a value and are"
            found.append(f"{self.fit.dropped} of {self.fit.reading.rows} rows {left} left out ({told})")
        if self.fit.other_maxima:
            found.append(f"{self.fit.other_maxima} of {self.fit.starts} searches ended at another maximum")
        if self.fit.higher is not None:
            found.append(
                f"another search reached a higher log-likelihood, {decimal_text(self.fit.higher, 9)}, farther from the "
                "corrected estimate or at infinity: this device says little about these rows"
            )
        if self.fit.random is not None:
            found += self._mixed_notes(self.fit.random)
        found.append(
            f"computed, no certificate: a step of Newton's method would move no coefficient by more than "
            f"{self.fit.last_step:.1g} standard errors"
        )
        rows = self.fit.table(self.confidence)
        exact = [
            name for name, row in rows.items() if not row.error and self.fit.survey is None and name != self.fit.sigma
        ]
        if exact:
            found.append(
                f"the standard error of {', '.join(exact[:_MISSING_SHOWN])} is 0, since the responses that determine "
                "it are equal: it does not measure the precision; `estimate` has exact intervals"
            )
        if self.fit.survey is None and self.fit.random is None and self._has_combination_without_error():
            found.append(
                "the responses of some rows are all equal, so that a combination of the coefficients has the standard "
                "error 0: errors of coefficients that compare these rows with others are too small"
            )
        if self.fit.corrected is not None and self.fit.method == "ml":
            distances = [
                abs(row.b - self.fit.corrected[name]) / row.error
                for name, row in rows.items()
                if row.error > 0 and name in self.fit.corrected
            ]
            far = decimal_text(max([_LEAST_GAP, *distances]), 2)
            is_rescaled = self.fit.model == "probit"  # there the corrected estimate is one of a logit model
            known = ["consistent"] * (not is_rescaled) + [f"at most {far} standard errors away"] * bool(distances)
            name = "the corrected estimate" + " of a logit model, divided by 1.7," * is_rescaled
            found += [f"{name} is {' and '.join(known)}"] * bool(known)
        return tuple(found)

    def _has_combination_without_error(self) -> bool:
        """Return whether the covariance of the coefficients is singular up to rounding, as a fit that is exact in some
        rows makes it: coefficients without an error, or two that are correlated perfectly."""
        C = self.fit.covariance()
        errors = np.sqrt(np.maximum(np.diag(C), 0.0))
        if not errors.all() or not np.isfinite(C).all():
            return len(errors) > 1 and not errors.all() and bool(errors.any())
        return bool(np.linalg.eigvalsh(C / errors / errors[:, None])[0] <= _SINGULAR)

    def _mixed_notes(self, random: RandomIntercept) -> list[str]:
        """Return the notes on a random intercept."""
        from rropt.regression.random_intercepts import MOVED

        rule = {"gauss-hermite": "adaptive Gauss-Hermite quadrature", "trapezoidal": "the adaptive trapezoidal rule"}
        found = [
            f"integrated over the random intercept by {rule[random.rule]} with {random.nodes} nodes for each group; "
            f"about twice as many move no coefficient by more than {MOVED:.1g} standard errors",
            f"interval of {random.name}: profile likelihood"
            + ", without an upper limit" * (random.interval[1] == inf)
            + "; coefficients and odds ratios compare rows of one group, predictions are means over the groups",
        ]
        if not random.sigma:
            found.append(
                f"{random.name} is 0, the boundary: the groups differ no more than rows do by chance, and the "
                "coefficients are those without a random intercept"
            )
        return found

    @property
    def aic(self) -> float | None:
        """Akaike's information criterion."""
        return None if self.fit.llf is None else 2 * len(self.names) - 2 * self.fit.llf

    @property
    def bic(self) -> float | None:
        """The Bayesian information criterion."""
        return None if self.fit.llf is None else len(self.names) * float(np.log(self.fit.n)) - 2 * self.fit.llf

    @property
    def odds_ratios(self) -> ReadOnlyMapping[str, tuple[float, float, float]]:
        """The odds ratio of each covariate with its confidence interval, nan without one; empty for other models."""
        if self.fit.model not in ("logit", "ordinal-logit", "multinomial"):
            return ReadOnlyMapping({})
        cuts = self._cuts if self.fit.random is None else (*self._cuts, self.fit.random.name)
        found: dict[str, Any] = {
            name: tuple(
                exp(min(max(end, -LARGEST_LOGIT), LARGEST_LOGIT)) if isfinite(end) else nan
                for end in (row.b, row.low, row.high)
            )
            for name, row in self.fit.table(self.confidence).items()
            if name not in cuts and re.split(r": |\| ", name)[-1] != "Intercept"
        }
        return ReadOnlyMapping(found)

    def ratio_texts(self, name: str) -> tuple[str, str]:
        """Return an odds ratio and its interval as text.

        All have the digits that the standard error (delta method) bears at the lower endpoint, where it is smallest.
        """
        ratio, low, high = self.odds_ratios[name]
        least = low if low > 0 else ratio
        value, _, interval = in_digits(ratio, least * self.fit.table(self.confidence)[name].error, low, high)
        return value, interval

    def errors(self, cov_type: str | None = None) -> NamedNumbers:
        """Return the standard errors of one kind, by name; ``bse`` has those of the kind ``error_kind``."""
        table = self.fit.table(self.confidence, cov_type)
        return NamedNumbers(self.names, [one.error for one in table.values()])

    def cov_params(self, cov_type: str | None = None) -> Floats:
        """Return the covariance of the coefficients, shape (p, p).

        Args:
            cov_type: ``observed``, ``expected``, ``outer-product`` or ``sandwich``; for a complex survey ``design`` or
                ``shrunk``; ``None``: the kind of the printed table.

        Raises:
            InvalidParameterError: this fit does not have standard errors of that kind.
        """
        return self.fit.covariance(cov_type)

    def conf_int(
        self,
        *,
        confidence: object = None,
        alpha: object = None,
        kind: str | None = None,
        simultaneous: bool = False,
        cov_type: str | None = None,
    ) -> NamedNumbers:
        """Return the confidence intervals of the coefficients, by name; ``None`` where the standard error is 0.

        That of the deviation of a random intercept is one of the profile likelihood at the confidence of the fit, and
        at another one that of Wald for its logarithm.

        Args:
            confidence: the confidence, such as 0.95; by default that of the fit.
            alpha: instead, 1 minus the confidence, as in statsmodels.
            kind: the kind of the intervals, of which each coefficient has one.
            simultaneous: whether all intervals together have this confidence (Bonferroni), or each by itself.
            cov_type: the kind of the standard errors; ``None``: that of the printed table.
        """
        if cov_type is None:
            return Estimates.conf_int(self, confidence=confidence, alpha=alpha, kind=kind, simultaneous=simultaneous)
        level = self._level(confidence, alpha)
        level = 1 - (1 - level) / len(self.rows) if simultaneous else level
        table = self.fit.table(level, cov_type)
        ends = [None if isnan(one.low) else (one.low, one.high) for one in table.values()]
        return NamedNumbers(self.names, ends)

    def wald_test(
        self,
        restrictions: str | Sequence[Any] | Floats,
        values: Sequence[float] | None = None,
        cov_type: str | None = None,
    ) -> Test:
        """Return the Wald test of linear restrictions ``R b = r``.

        Args:
            restrictions: coefficients that are jointly 0, as a list of names or as text (``"age, female"``), also with
                other values (``"age, female = 1"``); or the matrix R, shape (restrictions, p).
            values: r; ``None`` for 0, or for the values in the text.
            cov_type: the kind of the covariance.

        Raises:
            InvalidParameterError: a name is not a coefficient, or the restrictions are linearly dependent.
            UnsupportedProblemError: the covariance of the restrictions is singular, or there are no degrees of freedom.
        """
        R, r, name = self._restrictions(restrictions, values)
        if self.fit.random is not None and R[:, -1].any():
            raise UnsupportedProblemError(
                f"a Wald test of {self.fit.random.name} is invalid, as 0 is a boundary: received a restriction of it; "
                "take the likelihood ratio (`random.p_value`)"
            )
        V = R @ self.cov_params(cov_type) @ R.T
        gap = R @ np.array(list(self.fit.coefficients.values())) - r
        if np.linalg.matrix_rank(R) < len(R):
            raise InvalidParameterError(
                f"the restrictions depend on each other: received {len(R)} of rank {np.linalg.matrix_rank(R)}; leave "
                "some out"
            )
        freedom, errors = self.fit.df_resid, np.sqrt(np.maximum(np.diag(V), 0.0))
        if freedom is not None and freedom < 1:
            raise UnsupportedProblemError(
                f"there are no degrees of freedom for a test: received {freedom} (clusters less strata)"
            )
        if not errors.all() or np.linalg.matrix_rank(V / np.outer(errors, errors)) < len(R):
            raise UnsupportedProblemError(
                f"the covariance of the restrictions is singular: received {len(R)} restrictions; test fewer (a survey "
                "allows at most as many as clusters less strata), or other coefficients"
            )
        statistic = float(gap @ np.linalg.solve(V, gap))
        return Test.of(name, statistic if freedom is None else statistic / len(R), len(R), freedom)

    def _restrictions(self, given: Any, values: Sequence[float] | None) -> tuple[Floats, Floats, str]:
        if isinstance(given, str):
            given = [part.strip() for part in _PART.findall(given)] or [given]
        if isinstance(given, list | tuple) and given and all(isinstance(one, str) for one in given):
            R, r = np.zeros((len(given), len(self.names))), np.zeros(len(given))
            for row, text in enumerate(given):
                name, value = (text, "0") if text in self.names or "=" not in text else text.rsplit("=", 1)
                if values is not None and name is not text:
                    raise InvalidParameterError(
                        f"a restriction has two values: received {shown(text)} with the values {shown(values)}; leave "
                        "out one of them"
                    )
                if name.strip() not in self.names:
                    raise InvalidParameterError(
                        f"no coefficient has that name: received {shown(name.strip())}; allowed are "
                        f"{shown(', '.join(self.names))}"
                    )
                number = number_of(value)
                if number is None or not isfinite(number):
                    raise InvalidParameterError(f"a restriction has no number: received {shown(text)}; write name = 0")
                R[row, self.names.index(name.strip())], r[row] = 1.0, number
            if values is None:
                return R, r, ", ".join(given)
            given = R
        try:
            R = np.atleast_2d(np.asarray(given, np.float64))
            r = np.zeros(len(R)) if values is None else np.asarray(values, np.float64)
        except (TypeError, ValueError):
            R = r = np.array([np.nan])
        if not (np.isfinite(R).all() and np.isfinite(r).all()):
            beside = "" if values is None else f" with the values {shown(values)}"
            raise InvalidParameterError(
                f"the restrictions are no finite numbers: received {shown(given)}{beside}; allowed are names of "
                f"coefficients, or a matrix with {len(self.names)} columns, and finite values"
            )
        if R.shape[1] != len(self.names) or r.shape != (len(R),) or not len(R):
            raise InvalidParameterError(
                f"the restrictions do not fit: received shape {R.shape} with values of shape {r.shape}; allowed is "
                f"(restrictions, {len(self.names)}) with a value for each restriction"
            )
        return R, r, f"{len(R)} linear restrictions"

    def compare_lr_test(self, restricted: Regression) -> Test:
        """Return the likelihood ratio test against a model with fewer coefficients for the same rows.

        Raises:
            InvalidParameterError: the model, its devices, the categories, the rows or the responses differ, or the
                model does not have fewer coefficients in the span of the larger one.
            UnsupportedProblemError: one of the fits is of a complex survey, or has no likelihood.
        """
        required(restricted, Regression, "the restricted model", "a fit with fewer coefficients")
        if self.fit.survey is not None or restricted.fit.survey is not None:
            raise UnsupportedProblemError(
                "a likelihood ratio needs independent rows: received a complex survey; take `wald_test`"
            )
        if self.fit.llf is None or restricted.fit.llf is None:
            raise UnsupportedProblemError("a likelihood ratio needs two fits by `method=ml`; take `wald_test`")
        p, q = len(self.names), len(restricted.names)
        kinds = {
            (
                *(one.fit.model, one.fit.devices, frozenset(one.mechanisms), one.fit.categories),
                one.fit.latent and one.fit.latent.multiplied,
                one.fit.random and one.fit.random.column,
            )
            for one in (self, restricted)
        }
        if len(kinds) > 1:
            raise InvalidParameterError(
                f"the models are not of one kind: received {restricted.title} and {self.title}; allowed is the same "
                "model with the same devices and categories, and the same randomized covariate or random intercept"
            )
        if self.fit.n != restricted.fit.n or self.response != restricted.response or q >= p:
            raise InvalidParameterError(
                f"the models are not nested: received {p} coefficients of {self.fit.n} rows, and {q} of "
                f"{restricted.fit.n}; allowed are fewer coefficients of the same rows (missing values drop rows)"
            )
        if self.fit.fitted is not None and restricted.fit.fitted is not None and not restricted._is_spanned_by(self):
            raise InvalidParameterError(
                f"the models are not nested: received {shown(restricted.fit.formula)} and {shown(self.fit.formula)}; "
                "allowed are columns that the larger model spans"
            )
        statistic = max(2 * (self.fit.llf - restricted.fit.llf), 0.0)
        return Test.of(f"{restricted.fit.formula} against {self.fit.formula}", statistic, p - q)

    def _is_spanned_by(self, larger: Regression) -> bool:
        """Return whether the columns of another model of one kind, fitted to the same rows, span those of this one."""
        for X, Y in zip(larger._matrices(), self._matrices(), strict=True):
            sizes = np.linalg.norm(X, axis=0)
            rest = Y - X @ (np.linalg.lstsq(X / sizes, Y, rcond=None)[0] / sizes[:, None])
            if (np.linalg.norm(rest, axis=0) > _SPANNED * np.linalg.norm(Y, axis=0)).any():
                return False
        return True

    def _matrices(self) -> list[Floats]:
        """Return the matrix of the covariates, with the constant of thresholds, and that of a randomized covariate."""
        columns, n = self._columns(None)
        formulas = [self.fit.covariates, *([] if self.fit.latent is None else [self.fit.latent])]
        found = [formula.matrix(columns, n)[0] for formula in formulas]
        if self.fit.model.startswith("ordinal"):
            found[0] = np.column_stack([np.ones(n), found[0]])
        return found

    # --- predictions

    def predict(self, data: Any = None, *, interval: bool = False) -> Any:
        """Return the probabilities of the truth at new rows: Pr(X = 1), shape (rows,), or those of all categories.

        Rows with a missing value have NaN: an empty cell, or a text that the fit names for the column. A model with a
        randomized covariate is averaged over this covariate. Recodings of the fit are made of new rows too.

        Args:
            data: a table as for ``regress``; ``None`` for the rows of the fit.
            interval: whether to return a mapping with ``estimate``, ``standard_error``, ``low`` and ``high``. The
                intervals are on the scale of the link for logit and probit, on that of the prevalence for a linear
                model, and on the logit scale otherwise.

        Raises:
            InvalidParameterError: a column is missing, or a level does not occur in the fit.
        """
        columns, rows = self._columns(data)
        pi, J, missing = self._probabilities(columns, rows)
        estimate, slopes = (pi[:, 1], J[:, 1]) if self._is_binary else (pi, J)
        estimate[missing] = np.nan
        if not interval:
            return estimate
        _, errors, low, high = self._delta(estimate, slopes)
        errors[missing] = np.nan
        if (
            self.fit.model in ("logit", "probit") and self.fit.latent is None and self.fit.random is None
        ):  # the scale of the link
            X = self.fit.covariates.matrix(columns, rows)[0]
            ends = self._delta(X @ np.array(list(self.fit.coefficients.values())), X, is_plain=True)[2:]
            low, high = (np.where(missing, np.nan, link(self.fit.model, end)[0]) for end in ends)
        return {"estimate": estimate, "standard_error": errors, "low": low, "high": high}

    def _delta(self, values: Any, slopes: Floats, *, is_plain: bool = False) -> tuple[Any, Floats, Floats, Floats]:
        """Return functions of the coefficients with their standard errors and intervals by the delta method.

        Intervals of probabilities strictly inside [0, 1] are on the logit scale, those of a linear model plain.

        Args:
            values: the functions at the estimate.
            slopes: their derivatives in the coefficients, shape (..., p).
            is_plain: whether the intervals are symmetric about the values.

        Raises:
            UnsupportedProblemError: the variances are differences of much larger numbers.
        """
        C, quadratic = self.cov_params(), "...p,pq,...q->..."
        V = np.einsum(quadratic, slopes, C, slopes)
        rounding = 2.0**-52 * np.einsum(quadratic, np.abs(slopes), np.abs(C), np.abs(slopes))
        is_seen = (rounding <= _LOST * V) | (np.sqrt(rounding) <= _UNSEEN * np.abs(values))
        if not (np.isfinite(V) & is_seen).all():  # variances of products of large numbers may overflow
            raise UnsupportedProblemError(
                "the standard errors are lost in rounding: received a covariate, or a power of one, that lies very far "
                "from 0 beside its spread; center it in the formula, for example y ~ center(x)"
            )
        errors = np.sqrt(np.maximum(V, 0.0))
        is_logit = self._is_logit(values, is_plain=is_plain)
        reach = quantile(self.confidence, self.fit.df_resid)
        return values, errors, *delta_ends(values, errors, reach, is_logit)

    def _is_logit(self, values: Floats, *, is_plain: bool) -> Any:
        """Return which intervals are on the logit scale: those of probabilities strictly inside [0, 1]."""
        return (values > 0) & (values < 1) & (not is_plain and self.fit.model != "linear")

    def _estimated(
        self, kind: str, heads: Sequence[_Head], values: Floats, slopes: Floats, *, by: tuple[str, ...] = ()
    ) -> Estimates:
        """Return functions of the coefficients as estimates, with their standard errors by the delta method.

        Args:
            kind: the kind of the estimates.
            heads: for each what distinguishes it.
            values: the functions at the estimate.
            slopes: their derivatives in the coefficients, shape (functions, p).
            by: the column that defines the groups.
        """
        is_effect = kind == "effects"
        _, errors, *_ = self._delta(values, slopes, is_plain=is_effect)
        is_logit = self._is_logit(values, is_plain=is_effect)
        basis = DeltaBasis(values, slopes, errors, is_logit, self.cov_params(), self.fit.df_resid, not is_effect)
        rows = []
        for place, (head, value, error) in enumerate(zip(heads, values.tolist(), errors.tolist(), strict=True)):
            p = p_value(value / error, self.fit.df_resid) if is_effect and error > 0 else None
            told: dict[str, Any] = {"question": self.response, "df": self.fit.df_resid, "p_value": p}
            told |= {"category": head.category or None, "group": head.group, "basis": basis, "place": place}
            rows.append(Estimate(head.name, value, error, head.n, **told))
        more: dict[str, Any] = {"confidence": self.confidence, "mechanisms": self.mechanisms}
        return Estimates(kind, tuple(rows), self.questions, by, self.words, self.sample, **more)

    @property
    def _is_number(self) -> bool:
        """Whether the outcome is a number."""
        return self.fit.model == "linear" and self.fit.latent is not None

    @property
    def _is_binary(self) -> bool:
        return len(self.fit.categories) == 2 or self.fit.latent is not None

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The factors of all terms, those that multiply a randomized covariate last."""
        return (*self.fit.covariates.factors, *(() if self.fit.latent is None else self.fit.latent.factors))

    def _columns(self, data: Any) -> tuple[Mapping[str, DataColumn], int]:
        if data is None:
            if self.fit.fitted is None:
                raise InvalidParameterError(
                    "the rows of the fit are not known: received a result from a file; give the rows (`data`)"
                )
            return self.fit.fitted.columns, len(self.fit.fitted.weights)
        names = columns_of(factor.text for factor in self.factors)
        if not names:
            raise InvalidParameterError(
                "the model has no covariates: received new rows; leave them out: one probability holds for all"
            )
        found = data if _are_covariates(data) else self._covariates_of(data, names)
        return found, len(found[names[0]].values)

    def _covariates_of(self, data: Any, names: Sequence[str]) -> Mapping[str, DataColumn]:
        """Return the covariates at new rows of a frame.

        Raises:
            InvalidParameterError: a column is missing, or the rows of the fit were recoded.
        """
        if self.fit.recode or self.fit.missing_texts or self.fit.codes:
            raise InvalidParameterError(
                "the rows of the fit were read with recodings, codes or texts for missing values: received new rows "
                "as they are; read them alike (`rropt_fieldwork.covariates_of_table(fit, rows)`), and give what it "
                "returns"
            )
        conditions = [one.text for one in self.factors if read_factor(one.text).is_condition]
        plain = [one.text for one in self.factors if one.levels and one.text not in conditions]
        return covariate_columns(data, names, {columns_of([text])[0] for text in plain}, conditions)[0]

    def _probabilities(self, columns: _Columns, rows: int) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Return pi (rows, k), its derivatives in the coefficients (rows, k, p), and which rows miss a value."""
        X, missing = self.fit.covariates.matrix(columns, rows)
        theta = np.array(list(self.fit.coefficients.values()))
        if self.fit.random is not None:
            from rropt.regression.random_intercepts import averaged

            q, J = averaged(model_of(self.fit.model, X, len(self.fit.categories)), theta)
            return q.T, J, missing
        if self.fit.latent is None:
            model = model_of(self.fit.model, X, len(self.fit.categories))
        else:
            E, gaps = self.fit.latent.matrix(columns, rows)
            model, missing = latent_covariate(self.fit.model, 1.0, X, E), missing | gaps
        q, J, _ = model.cells(model.eta(theta))
        if self.fit.latent is not None:  # the mean of the outcome over the randomized covariate
            q, J = (
                np.stack([start - each[1::2].sum(axis=0), each[1::2].sum(axis=0)])
                for start, each in ((1.0, q), (0.0, J))
            )
        return q.T, np.stack([model.gradients(one) for one in J], axis=1), missing

    def margeff(self, data: Any = None) -> Estimates:
        """Return the average marginal effect of each variable, with standard errors by the delta method.

        For a numerical variable it is the mean derivative of the probability of the truth, through all terms that
        contain the variable (interactions, powers). For a factor it is the mean difference between each level and the
        reference level, with all rows set to that level.

        Args:
            data: the rows to average over; ``None`` for those of the fit, with their weights.

        Returns:
            The effects; one of a factor has the name ``column: level - reference``. A remark names an effect that the
            rows of the fit do not determine (an empty cell).
        """
        columns, rows = self._columns(data)
        weights = self.fit.fitted.weights if data is None and self.fit.fitted is not None else np.ones(rows)
        heads, values, slopes, hidden = list[_Head](), [], [], []
        w = np.where(np.any([np.isnan(one.values) for one in columns.values()], axis=0), 0.0, weights)
        if not w.any():
            raise InvalidParameterError(
                "no row has all values: received rows that each miss a covariate; give rows without missing values"
            )
        n = int(np.count_nonzero(w))
        w = w / w.sum()
        self._probabilities(columns, rows)  # rejects unknown levels, and values where a factor has no value
        for name, before, after, width in self._moves(columns):
            try:
                (p, p_J, _), (q, q_J, _) = self._probabilities(before, rows), self._probabilities(after, rows)
            except UndeterminedError:
                hidden.append(name)
                continue
            except InvalidParameterError:
                raise InvalidParameterError(
                    f"the marginal effect of {shown(name)} does not exist: a factor has no derivative in some rows, as "
                    "a root has none at 0; leave marginal effects out, or take another function"
                ) from None
            own: Any = np.where(w > 0, w / width, 0.0)  # a missing value has no width
            for x in (1,) if self._is_binary else range(p.shape[1]):
                category = "" if self._is_binary else self.fit.categories[x]
                heads.append(_Head(f"{name} ({category})" if category else name, category, None, n))
                values.append(own @ (q[:, x] - p[:, x]))
                slopes.append(own @ (q_J[:, x] - p_J[:, x]))
        made = self._estimated("effects", heads, np.array(values), np.reshape(slopes, (len(heads), len(self.names))))
        told = f"not determined, as the fit has an empty cell: {', '.join(hidden)}"
        return replace(made, remarks_=(told,)) if hidden else made

    def _moves(self, columns: Mapping[str, DataColumn]) -> Iterator[tuple[str, _Columns, _Columns, Any]]:
        """Yield each marginal effect's name, the columns before and after a change of its variable, and the width.

        The steps of a numerical derivative are short beside the number itself, for a logarithm or a root near 0.
        """
        conditions = [one for one in self.factors if read_factor(one.text).is_condition]
        held = {condition_key(one.text): factor_column(one.text, columns) for one in conditions}
        columns = {**columns, **held}  # a comparison stays as it is when a column of it moves
        for one in dict.fromkeys(conditions):
            values = held[condition_key(one.text)].values
            no, yes = (DataColumn(np.where(np.isnan(values), np.nan, x), ("False", "True")) for x in (0.0, 1.0))
            key = condition_key(one.text)
            yield f"{one.text}: True - False", {**columns, key: no}, {**columns, key: yes}, 1.0
        others = [one for one in self.factors if one not in conditions]
        levels = {columns_of([one.text])[0]: one for one in reversed(others) if one.levels}
        for name in columns_of(factor.text for factor in others):
            factor = levels.get(name)
            column = columns[name]
            if factor is None:
                own = column.values
                widest = _STEP * (float(np.nanstd(own)) or 1.0)
                # of a number near 0, as with log(x), at most a thousandth of it
                h = np.where(own == 0, widest, np.clip(1e-3 * np.abs(own), _STEP * widest, widest))
                h = np.maximum(h, 4 * np.spacing(np.abs(own)))  # a shorter step does not change a number far from 0
                low, high = ({**columns, name: DataColumn(own + step)} for step in (-h, h))
                yield name, low, high, high[name].values - low[name].values  # as rounded
                continue
            codes_of(factor, columns)  # rejects unknown levels
            gaps = np.where(np.isnan(column.values), np.nan, 0.0)
            at = {}
            for level in factor.levels:
                number = None if column.levels else number_of(level)
                at[level] = {
                    **columns,
                    name: DataColumn(gaps, (level,)) if number is None else DataColumn(gaps + number),
                }
            reference = at.pop(factor.reference)
            for level, after in at.items():
                yield f"{name}: {level} - {factor.reference}", reference, after, 1.0

    def prevalence(self, by: str, category: str | None = None) -> Estimates:
        """Return the mean predicted prevalence among the rows of the fit in each level of a factor.

        Args:
            by: the column of a factor of the formula.
            category: the category of the truth; ``None``: the last one (of a yes-or-no question: yes), or the mean of
                an outcome that is a number.

        Raises:
            InvalidParameterError: the column is no factor of the formula, there is no such category, or the result was
                read from a file.
        """
        columns, rows = self._columns(None)
        assert self.fit.fitted is not None
        factors = {column_name(one.text): one for one in self.factors if one.levels}
        by = normal(by) if isinstance(by, str) else by  # as formulas have names
        if not isinstance(by, str) or by not in factors:
            raise InvalidParameterError(
                f"the column is no factor of the formula: received {shown(by)}; allowed are "
                f"{shown(', '.join(factors)) if factors else 'factors, and this formula has none'}"
            )
        names = self.fit.categories if self.fit.latent is None else () if self._is_number else ("no", "yes")
        category = category if category is None else named_in(str(category), names) or category
        if category not in (None, *names):
            raise InvalidParameterError(
                f"there is no such category: received {shown(category)}; allowed are "
                f"{shown(', '.join(names)) if names else 'none of a number'}"
            )
        x = max(1, len(names) - 1) if category is None else names.index(category)
        pi, J, _ = self._probabilities(columns, rows)
        codes, levels = codes_of(factors[by], columns), factors[by].levels
        weights = (np.where(codes == place, self.fit.fitted.weights, 0.0) for place in range(len(levels)))
        means = [(own @ pi[:, x], own @ J[:, x]) for w in weights for own in [w / w.sum()]]
        values, slopes = (np.array(each) for each in zip(*means, strict=True))
        n = np.bincount(codes, minlength=len(levels)).tolist()
        category = names[x] if names else ""
        heads = [_Head(level, category, level, of) for level, of in zip(levels, n, strict=True)]
        return self._estimated("predicted", heads, values, slopes, by=(by,))

    def predicted(self) -> tuple[Estimates, ...]:
        """Return ``prevalence`` of each factor with few levels: what a report draws; empty without the fitted rows."""
        if self.fit.fitted is None:
            return ()
        named = {column_name(one.text): len(one.levels) for one in self.factors if one.levels}
        return tuple(self.prevalence(name) for name, count in named.items() if count <= _MOST_LEVELS)[:_MOST_FACTORS]

    # --- printed output

    @property
    def left_out(self) -> tuple[str, ...]:
        """The terms of the formula that have no coefficient, as the rows of the fit do not determine it."""
        latent = () if self.fit.latent is None else self.fit.latent.left_out
        inner = [f"{self.fit.latent.multiplied}:{name}" for name in latent] if self.fit.latent is not None else []
        outer = (
            [f"{self.fit.latent.multiplied} | {name}" for name in self.fit.covariates.left_out]
            if self.fit.latent is not None
            else []
        )
        if self.fit.model == "multinomial":
            return tuple(f"{one}: {name}" for one in self.fit.categories[1:] for name in self.fit.covariates.left_out)
        return (*self.fit.covariates.left_out, *inner, *outer)

    def concluded(self, unit: str = "", population: object = None) -> str:
        """Return what the coefficients establish, in words: the odds ratios or slopes of small p, and the others."""
        ratios, level = self.odds_ratios, float(1 - self.confidence)
        found_p, others = list[tuple[float, str]](), list[tuple[str, float]]()
        confidence = decimal_text(100 * self.confidence)
        words = self.names_in_words()
        for name, row in self.fit.table(self.confidence).items():
            if name in self._cuts or re.split(r": |\| ", name)[-1] == "Intercept" or isnan(row.p):
                continue
            spoken, what, ends = words[name], "coefficient", (row.b, row.low, row.high)
            if name in ratios:
                what, ends = "odds ratio", ratios[name]
            if row.p > level:
                others.append((spoken, row.p))
                continue
            value, interval = self.ratio_texts(name) if name in ratios else in_digits(row.b, row.error, *ends[1:])[::2]
            told_p = f"{what} {value} ({confidence} % interval {interval}, {p_in_words(row.p)})"
            found_p.append((row.p, f"{spoken}: {told_p}"))
        smallest = sorted(sorted(found_p, key=lambda each: each[0])[:_MOST_TOLD], key=found_p.index)  # of many
        told = [text for _, text in smallest]
        left = len(found_p) - len(told)
        found = [f"{'; '.join(told)}{f'; and {left} more with larger p' * (left > 0)}."]
        if others:
            names = " or of ".join(name for name, _ in others[:_MOST_TOLD]) + ", ..." * (len(others) > _MOST_TOLD)
            least = p_in_words(min(p for _, p in others))
            alone = "Taken one at a time, the" if len(others) > 1 else "The"  # a joint test may establish one
            found.append(f"{alone} tests establish no effect of {names} ({'smallest ' * (len(others) > 1)}{least}).")
        whom = f"{self.fit.n:,} {visible(unit)}" if unit else with_noun(f"{self.fit.n:,}", "row")
        head = f"{self.title[:1].upper()}{self.title[1:]} of {visible(self.response)}, {whom}. "
        return head + " ".join(found if told else found[1:])

    def names_in_words(self) -> dict[str, str]:
        """Return the names of all coefficients in words: ``region N (against E)`` for ``region[T.N]``."""
        outer = self.fit.covariates.words()
        found = dict(outer)
        if self.fit.model == "multinomial":
            found = {
                f"{one}: {name}": f"{visible(one)}: {outer[name]}" for one in self.fit.categories[1:] for name in outer
            }
        if self.fit.latent is not None:
            own, inner = visible(self.fit.latent.multiplied), self.fit.latent.words()
            found |= {f"{self.fit.latent.multiplied}:{name}": f"{own} x {text}" for name, text in inner.items()}
            found |= {f"{self.fit.latent.multiplied} | {name}": f"{own} | {text}" for name, text in outer.items()}
        return {name: found.get(name, visible(name)) for name in (*self.names, *self.left_out)}

    def _frame_rows(self, level: Fraction, kind: str | None) -> list[dict[str, Any]]:
        """Return one row for each coefficient: the columns of ``Estimates``, t, odds ratio and its interval."""
        ratios, found = dict(self.odds_ratios.items()), []
        for row, t in zip(Estimates._frame_rows(self, level, kind), self.tvalues, strict=True):
            own: dict[str, Any] = {**row, "t": t}
            if ratios:
                own |= dict(
                    zip(("odds_ratio", "odds_low", "odds_high"), ratios.get(row["name"], (None,) * 3), strict=True)
                )
            found.append(own)
        return found + [dict.fromkeys(found[0]) | {"name": name} for name in self.left_out]

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table: the coefficients, and the description of the fit."""
        texts = (
            (name, in_digits(row.b, row.error, row.low, row.high))
            for name, row in self.fit.table(self.confidence).items()
        )
        rows = [(name, f"{b} (standard error {error})") for name, (b, error, _) in texts]
        rows += [(name, "left out") for name in self.left_out]
        return [*self._head(), *rows, *(("note", text) for text in self.notes())]

    def predictions_table(self, predicted: Mapping[str, Floats]) -> Table:
        """Return the printed table of predictions with their intervals."""
        estimates = predicted["estimate"]
        rows = []
        for place in np.ndindex(estimates.shape):
            own = in_digits(*(float(predicted[name][place]) for name in ("estimate", "standard_error", "low", "high")))
            rows.append((str(place[0] + 1), *(self.fit.categories[x] for x in place[1:]), *own))
        what = "mean" if self._is_number else "probability"
        header = ("row", *["category"] * (estimates.ndim - 1), what, "std. error", self._interval)
        return "Predictions", header, rows

    @property
    def _interval(self) -> str:
        return f"{decimal_text(100 * self.confidence)} % interval"

    def _head(self) -> list[tuple[str, str]]:
        loglik, null = ("" if x is None else decimal_text(x, 9) for x in (self.fit.llf, self.fit.llnull))
        found = {
            "model": self.title,
            "formula": self.fit.formula,
            "rows in the fit": str(self.fit.n),
            "devices": str(self.fit.devices) if self.fit.devices > 1 else "",
            "log-likelihood" if self.fit.survey is None else "weighted log-likelihood": loglik,
            "without covariates": null if loglik else "",
            **({} if self.fit.random is None else self._random_head(self.fit.random)),
            "sample": "" if self.fit.survey is None else self.fit.survey.sample,
            "degrees of freedom": "" if self.fit.survey is None else str(self.fit.df_resid),
            "status": self.status,
        }
        return [(name, text) for name, text in found.items() if text]

    def _random_head(self, random: RandomIntercept) -> dict[str, str]:
        """Return what the head of the table reports on a random intercept."""
        least, most = random.sizes
        sizes = f"{least} rows" if least == most else f"{least} to {most} rows"
        chance = f" (sigma = 0: {p_in_words(random.p_value)})" if random.p_value is not None else ""
        without = "" if random.loglik_without is None else decimal_text(random.loglik_without, 9)
        return {
            "random intercept": f"{random.column}: {random.groups} groups of {sizes}",
            "without random intercept": without and f"{without}{chance}",
        }

    def explained_tables(self) -> list[Table]:
        """Return the printed tables: a fit has one kind of interval, and no more to explain."""
        return self.as_tables()

    def as_tables(self) -> list[Table]:
        """Return the printed tables: the description of the fit, the coefficients, and the notes."""
        rows = []
        for name, row in self.fit.table(self.confidence).items():
            number, error, interval = in_digits(row.b, row.error, row.low, row.high)
            has_ratio = row.error and (self.fit.random is None or name != self.fit.random.name)
            ratio = rounded(row.ratio, 2) if has_ratio else "none"
            rows.append((name, number, error, ratio, p_text(row.p), interval))
        rows += [(name, "left out", "", "", "", "") for name in self.left_out]
        ratio_name = "z" if self.fit.df_resid is None else "t"
        tables: list[Table] = [
            (self.title[0].upper() + self.title[1:], None, self._head()[1:]),
            ("", ("", "coefficient", "std. error", ratio_name, "p-value", self._interval), rows),
        ]
        if ratios := self.odds_ratios:
            odds = [(name, *self.ratio_texts(name)) for name in ratios]
            tables.append(("Odds ratios", ("", "odds ratio", self._interval), odds))
        device: Table = ("", None, [("device", devices_in_words(self.mechanisms))])
        return [*tables[:2], device, *tables[2:], ("", None, [("note", text) for text in self.notes()])]


def _are_covariates(data: Any) -> bool:
    """Return whether new rows are covariates already, as ``covariates_of_table`` returns them."""
    return isinstance(data, Mapping) and bool(data) and all(isinstance(one, DataColumn) for one in data.values())
