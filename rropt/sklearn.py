"""A classifier of scikit-learn whose training labels are randomized responses.

``pip install "rropt[sklearn]"`` installs scikit-learn. The model is the multinomial logistic regression of the truth,
with a ridge penalty as in ``sklearn.linear_model.LogisticRegression``, so that a maximum exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax, logsumexp, softmax

from rropt.core.errors import InvalidParameterError, MissingExtraError, shown
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    raise MissingExtraError(
        'the classifier needs scikit-learn, which is not installed: install the extra with pip install "rropt[sklearn]"'
    ) from None

__all__ = ["RandomizedResponseClassifier"]

Floats = NDArray[np.float64]


class RandomizedResponseClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # untyped bases
    """Logistic regression of the truth, fitted to randomized labels.

    A label z of a row with features x has the probability ``sum_j P[z, j] pi_j(x)``. The fit maximizes the logarithm of
    the likelihood minus ``sum of squared coefficients/(2 C)``; intercepts have no penalty.

    Args:
        mechanism: P, or its text form; None: the labels are the truth.
        C: the inverse of the strength of the ridge penalty, positive, as in ``LogisticRegression``.
        labels: the labels in the order of the outputs of the mechanism; None: the sorted labels of the training rows.
        categories: the names of the truth, in the order of the inputs; None: the labels.
        max_iter: the largest number of iterations of L-BFGS-B.

    Attributes:
        classes_: the names of the truth, shape (k,).
        coef_, intercept_: as in ``LogisticRegression``: shapes (1, p) and (1,) for k = 2, else (k, p) and (k,).
        n_iter_: the number of iterations.

    >>> X = [[0.0]] * 100 + [[1.0]] * 100
    >>> responses = [1] * 30 + [0] * 70 + [1] * 45 + [0] * 55
    >>> found = RandomizedResponseClassifier("forced:2/3,1/6,1/6", C=1e8).fit(X, responses)
    >>> found.predict_proba([[0.0], [1.0]])[:, 1].round(4).tolist()
    [0.2, 0.425]
    """

    def __init__(
        self,
        mechanism: Mechanism | str | None = None,
        *,
        C: float = 1.0,
        labels: Sequence[Any] | None = None,
        categories: Sequence[Any] | None = None,
        max_iter: int = 1000,
    ) -> None:
        self.mechanism = mechanism
        self.C = C
        self.labels = labels
        self.categories = categories
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the model to features X, shape (n, p), and randomized labels y, shape (n,).

        Raises:
            InvalidParameterError: the labels or categories do not fit the mechanism, C is not positive, or all labels
                are equal.
        """
        X, y = validate_data(self, X, y, dtype=float)
        check_classification_targets(y)
        if not self.C > 0:
            raise InvalidParameterError(f"`C` is out of range: received {shown(self.C)}; allowed is a positive number")
        labels = np.unique(y) if self.labels is None else np.asarray(self.labels)
        if len(labels) < 2:
            raise InvalidParameterError(f"Classifier can't train when only one class is present: received {labels}")
        made = None if self.mechanism is None else required_mechanism(self.mechanism)
        self._P = np.eye(len(labels)) if made is None else np.asarray(made, dtype=float)
        m, k = self._P.shape
        names = labels[:k] if self.categories is None else np.asarray(self.categories)
        if len(labels) != m or len(names) != k:
            raise InvalidParameterError(
                f"the labels do not fit the mechanism: received {len(labels)} labels and {len(names)} categories; "
                f"allowed are {m} labels (its outputs) and {k} categories (its inputs); give `labels` and `categories`"
            )
        self.classes_, self._labels = names, labels
        Z, log_p = np.column_stack([np.ones(len(X)), X]), self._log_rows(y)

        def loss(theta: Floats) -> tuple[float, Floats]:
            B = theta.reshape(Z.shape[1], k)
            log_pi = log_softmax(Z @ B, axis=1)
            each = logsumexp(log_pi + log_p, axis=1)
            errors = np.exp(log_pi + log_p - each[:, None]) - np.exp(log_pi)  # posterior minus prior
            ridge = np.vstack([np.zeros(k), B[1:]])
            value = -each.sum() + (ridge**2).sum() / (2 * self.C)
            return float(value), (ridge / self.C - Z.T @ errors).ravel()

        options = {"maxiter": self.max_iter, "ftol": 1e-14, "gtol": 1e-9}
        found = minimize(loss, np.zeros(Z.shape[1] * k), jac=True, method="L-BFGS-B", options=options)
        B = found.x.reshape(Z.shape[1], k)
        shown_columns = B[:, 1:] - B[:, :1] if k == 2 else B
        self.coef_, self.intercept_ = shown_columns[1:].T, shown_columns[0]
        self._B, self.n_iter_ = B, int(found.nit)
        return self

    def _log_rows(self, y: Any) -> Floats:
        """Return log P[z, .] of each label z, shape (n, k)."""
        place = {label: i for i, label in enumerate(self._labels.tolist())}
        unknown = [label for label in np.asarray(y).tolist() if label not in place]
        if unknown:
            raise InvalidParameterError(
                f"a label is unknown: received {shown(unknown[0])}; allowed are {shown(self._labels.tolist())}"
            )
        with np.errstate(divide="ignore"):  # log 0: an output that a category never has
            found: Floats = np.log(self._P[[place[label] for label in np.asarray(y).tolist()]])
        return found

    def _predictors(self, X: Any) -> Floats:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        predictors: Floats = np.column_stack([np.ones(len(X)), X]) @ self._B
        return predictors

    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of the truth, shape (n, k), in the order of ``classes_``."""
        found: Floats = softmax(self._predictors(X), axis=1)
        return found

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable category of the truth of each row, shape (n,)."""
        most_probable = self.predict_proba(X).argmax(axis=1)
        chosen: NDArray[Any] = self.classes_[most_probable]
        return chosen

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the mean log-likelihood of randomized labels y; the share of equal labels would mislead.

        Args:
            X: features, shape (n, p).
            y: the randomized labels, shape (n,).
            sample_weight: the weight of each row, shape (n,).
        """
        log_pi = log_softmax(self._predictors(X), axis=1)
        return float(np.average(logsumexp(log_pi + self._log_rows(y), axis=1), weights=sample_weight))
