"""``RRLogisticRegression``: logistic regression of randomized responses as a scikit-learn estimator.

The class is created on first access, since its base classes belong to scikit-learn, an optional dependency.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rropt.core.errors import InvalidParameterError, MissingExtraError, shown
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.mechanisms.question_inverses import inverses_of
from rropt.survey.regression.families import link
from rropt.survey.regression.fitting import fit
from rropt.survey.regression.likelihoods import Responses
from rropt.survey.regression.variances import model_covariances

__all__ = ["RRLogisticRegression"]  # noqa: F822  # made by __getattr__


def __getattr__(name: str) -> Any:
    if name != "RRLogisticRegression":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = made = _estimator()
    return made


def responses_of_arrays(
    mechanism: Mechanism | str | None, responses: Any, devices: Sequence[Any] | Any | None
) -> Responses:
    """Return coded responses (0 or 1) with their devices: one mechanism for all rows, or one device for each row."""
    codes = np.asarray(responses)
    if codes.ndim != 1 or not np.issubdtype(codes.dtype, np.number) or (codes != np.round(codes)).any():
        raise InvalidParameterError(
            f"the responses are no list of 0, 1, ...: received shape {codes.shape} of {codes.dtype}; write them as "
            "numbers"
        )
    if (mechanism is None) == (devices is None):
        raise InvalidParameterError("the device is not given exactly once: give `mechanism`, or `device` to `fit`")
    listed = [mechanism] * len(codes) if devices is None else list(devices)
    if len(listed) != len(codes):
        raise InvalidParameterError(
            f"the devices do not fit: received {len(listed)} for {len(codes)} responses; give one for each row"
        )
    known: dict[Any, int] = {}
    place = np.array([known.setdefault(one, len(known)) for one in listed], np.int64)
    matrices = [_mechanism(one) for one in known]
    wrong = [one for one in matrices if one.shape != (2, 2)]
    if wrong:
        raise InvalidParameterError(
            f"a device does not ask a yes-or-no question with two answers: received shape {wrong[0].shape}; take "
            "`rropt.regress` for others"
        )
    if ((codes < 0) | (codes > 1)).any():
        raise InvalidParameterError(f"the responses are not 0 and 1: received {shown(np.unique(codes)[:5].tolist())}")
    P = np.array([[[float(x) for x in row] for row in one.matrix] for one in matrices])
    inverses = np.array([[[float(x) for x in row] for row in inverses_of([one])[0]] for one in matrices])
    return Responses(P, inverses, place, codes.astype(np.int64))


def _mechanism(one: Any) -> Mechanism:
    if isinstance(one, Mechanism):
        return one
    return Mechanism([[1, 0], [0, 1]]) if one == "direct" else named_mechanism(one)


def _estimator() -> Any:
    try:
        from sklearn.base import BaseEstimator, ClassifierMixin
        from sklearn.utils.validation import check_is_fitted, validate_data
    except ImportError:
        raise MissingExtraError(
            "this estimator needs scikit-learn, which is not installed; pip install 'rropt[sklearn]'"
        ) from None

    class RRLogisticRegression(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
        """Logistic regression of the true answer behind randomized responses 0 and 1.

        ``predict`` and ``predict_proba`` refer to the true answer, not to the response.

        Args:
            mechanism: the mechanism of all rows, such as "forced:2/3,1/6,1/6"; with ``None``, pass ``fit`` a device for
                each row ("direct" for rows that were asked directly).
            method: ``ml`` or ``corrected``.
            fit_intercept: whether to fit an intercept.
            starts, seed: the number of searches for the maximum, and the seed of their random starts.

        Attributes:
            coef_, intercept_, classes_: as in scikit-learn's LogisticRegression.
            covariance_: the covariance matrix of intercept and coefficients, from the observed information (sandwich
                for ``corrected``); it is valid for rows of weight 1.
            loglik_: the log-likelihood, or minus the corrected loss.
        """

        def __init__(
            self,
            mechanism: Any = None,
            *,
            method: str = "ml",
            fit_intercept: bool = True,
            starts: int | None = None,
            seed: int = 0,
        ) -> None:
            self.mechanism, self.method, self.fit_intercept = mechanism, method, fit_intercept
            self.starts, self.seed = starts, seed

        def fit(self, X: Any, y: Any, sample_weight: Any = None, device: Any = None) -> Any:
            """Fit the model to the responses y and the covariates X, shape (n, p)."""
            X, y = validate_data(self, X, y, dtype=np.float64)
            weights = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, np.float64)
            if weights.shape != (len(X),) or not (weights >= 0).all() or not weights.any():
                raise InvalidParameterError("the weights do not fit: allowed is one of at least 0 for each row")
            responses = responses_of_arrays(self.mechanism, y, device)
            names = [f"x{j}" for j in range(X.shape[1])]
            ones = [np.ones((len(X), 1))] if self.fit_intercept else []
            found = fit(
                "logit",
                np.column_stack([*ones, X]),
                ["Intercept", *names] if self.fit_intercept else names,
                responses,
                weights,
                method=self.method,
                starts=self.starts,
                seed=self.seed,
            )
            theta = found.theta
            self.classes_ = np.array([0, 1])
            self.intercept_ = theta[:1] if self.fit_intercept else np.zeros(1)
            self.coef_ = theta[None, int(self.fit_intercept) :]
            covariances = model_covariances(found)
            self.covariance_ = covariances.get("observed", covariances["sandwich"])
            self.loglik_ = found.value
            return self

        def decision_function(self, X: Any) -> Any:
            """Return the linear predictor of each row."""
            check_is_fitted(self)
            X = validate_data(self, X, reset=False, dtype=np.float64)
            return X @ self.coef_[0] + self.intercept_[0]

        def predict_proba(self, X: Any) -> Any:
            """Return the probabilities that the true answer is 0 and 1, shape (n, 2)."""
            t = self.decision_function(X)
            return np.column_stack([link("logit", -t)[0], link("logit", t)[0]])

        def predict(self, X: Any) -> Any:
            """Return the more probable true answer of each row."""
            return self.classes_[(self.decision_function(X) > 0).astype(int)]

    RRLogisticRegression.__module__, RRLogisticRegression.__qualname__ = __name__, "RRLogisticRegression"
    return RRLogisticRegression
