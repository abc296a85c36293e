"""``RRLogisticRegression``: logistic regression of randomized responses as a scikit-learn estimator.

The class is made when it is first asked for, since it inherits from scikit-learn, which is an extra.
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
    """Return responses 0, 1, ... of rows, by one mechanism, or by the name or the mechanism of each row."""
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
        """Logistic regression of the truth behind randomized responses 0 and 1.

        ``predict`` and ``predict_proba`` are of the truth, not of the response.

        Args:
            mechanism: by which all rows were answered, such as "forced:2/3,1/6,1/6"; ``None``: ``fit`` gets a device
                for each row ("direct": asked directly).
            method: ``ml`` or ``corrected``.
            fit_intercept: whether there is an intercept.
            starts, seed: of the searches for the maximum.

        Attributes:
            coef_, intercept_, classes_: as of scikit-learn's LogisticRegression.
            covariance_: of intercept and coefficients, by the observed information (sandwich for ``corrected``), of
                rows that weigh 1.
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
            """Fit the responses y to the covariates X, shape (n, p)."""
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
            """Return the probabilities of the truths 0 and 1, shape (n, 2)."""
            t = self.decision_function(X)
            return np.column_stack([link("logit", -t)[0], link("logit", t)[0]])

        def predict(self, X: Any) -> Any:
            """Return the more probable truth of each row."""
            return self.classes_[(self.decision_function(X) > 0).astype(int)]

    RRLogisticRegression.__module__, RRLogisticRegression.__qualname__ = __name__, "RRLogisticRegression"
    return RRLogisticRegression
