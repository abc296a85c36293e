"""The classifier of scikit-learn with randomized labels: the checks of scikit-learn, ``regress``, and wrong input."""

from __future__ import annotations

import sys
from collections import Counter
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from later import later

import rropt
from rropt.sklearn import RandomizedResponseClassifier

LogisticRegression = later("sklearn.linear_model", "LogisticRegression")
check_estimator = later("sklearn.utils.estimator_checks", "check_estimator")

FORCED = "forced:2/3,1/6,1/6"


def _data(n: int = 600, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 2))
    truth = (random.random(n) < 1 / (1 + np.exp(-(X[:, 0] - 0.5 * X[:, 1])))).astype(int)
    return X, np.asarray(rropt.Mechanism(FORCED).simulate(truth, rng=seed))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_checks_of_scikit_learn() -> None:
    found = check_estimator(RandomizedResponseClassifier(), on_fail=None)
    counts = Counter(each["status"] for each in found)
    assert [each["check_name"] for each in found if each["status"] == "failed"] == []
    assert counts["passed"] == 54
    assert counts["skipped"] <= 1  # scikit-learn 1.6 has not this check


def test_without_penalty_it_is_the_regression() -> None:
    X, responses = _data()
    found = RandomizedResponseClassifier(FORCED, C=1e8).fit(X, responses)
    fit = rropt.regress(responses, X, FORCED)
    expected = [float(value) for value in fit.params]
    assert np.allclose([*found.intercept_, *found.coef_[0]], expected, rtol=1e-4)
    assert found.score(X, responses) * len(X) == pytest.approx(fit.llf, rel=1e-7)


def test_without_a_mechanism_it_is_logistic_regression() -> None:
    X, labels = _data()
    ours = RandomizedResponseClassifier(C=0.5).fit(X, labels)
    theirs = LogisticRegression(C=1.0, tol=1e-10).fit(X, labels)  # two columns of b/2 each have half the penalty
    assert np.allclose(ours.coef_, theirs.coef_, rtol=1e-4)


def test_the_score_falls_for_a_wrong_model() -> None:
    X, responses = _data(2000)
    found = RandomizedResponseClassifier(FORCED).fit(X[:1000], responses[:1000])
    blind = RandomizedResponseClassifier(FORCED, C=1e-9).fit(X[:1000], responses[:1000])
    assert found.score(X[1000:], responses[1000:]) > blind.score(X[1000:], responses[1000:])


def test_names_of_labels_and_of_the_truth_differ() -> None:
    """Crosswise responses say same or different; the truth is yes or no."""
    X = np.array([[0.0], [1.0]] * 50)
    responses = np.array(["same", "different"] * 50)
    found = RandomizedResponseClassifier("crosswise:1/4", labels=["different", "same"], categories=["no", "yes"])
    assert set(found.fit(X, responses).predict(X)) == {"no", "yes"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mechanism": "grr:3,1/2"}, "the labels do not fit the mechanism"),
        ({"mechanism": FORCED, "categories": ["a"]}, "the labels do not fit the mechanism"),
        ({"mechanism": FORCED, "labels": [0, 2]}, "a label is unknown: received 1"),
        ({"C": 0}, "`C` is out of range"),
        ({"mechanism": "nonsense"}, "nonsense"),
    ],
)
def test_wrong_input_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(rropt.RroptError, match=message):
        RandomizedResponseClassifier(**options).fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    monkeypatch.delitem(sys.modules, "rropt.sklearn")
    with pytest.raises(rropt.RroptError, match=r'pip install "rropt\[sklearn\]"'):
        import_module("rropt.sklearn")
