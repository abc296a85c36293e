"""The scikit-learn estimator: the same fit as ``regress``, in pipelines, cloned and pickled."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import rropt
from rropt.core.errors import InvalidParameterError

pytest.importorskip("sklearn", reason="scikit-learn is not installed: pip install 'rropt[sklearn]'")
pytest.importorskip("formulaic", reason="formulaic is not installed: pip install 'rropt[regression]'")

FORCED = "forced:2/3,1/6,1/6"


def test_the_estimator_is_the_regression() -> None:
    from sklearn.base import clone
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from rropt.survey.regression.estimators import RRLogisticRegression

    random = np.random.default_rng(3)
    X = random.normal(size=(500, 2))
    truth = random.random(500) < 1 / (1 + np.exp(1 - X[:, 0]))
    z = np.where(random.random(500) < 2 / 3, truth, random.random(500) < 0.5).astype(int)
    found = RRLogisticRegression(FORCED).fit(X, z)
    known = rropt.regress({"z": z, "a": X[:, 0], "b": X[:, 1]}, "z ~ a + b", FORCED)
    assert [*found.intercept_, *found.coef_[0]] == pytest.approx(list(known.params.values()), rel=1e-9)
    assert np.sqrt(np.diag(found.covariance_)) == pytest.approx(list(known.bse.values()), rel=1e-9)
    assert found.predict_proba(X)[:, 1] == pytest.approx(known.predict({"a": X[:, 0], "b": X[:, 1]}), rel=1e-9)
    twin = pickle.loads(pickle.dumps(found))
    assert (twin.predict(X) == found.predict(X)).all()
    assert clone(found).get_params()["mechanism"] == FORCED
    scaled = make_pipeline(StandardScaler(), RRLogisticRegression(FORCED)).fit(X, z)
    assert scaled.predict_proba(X) == pytest.approx(found.predict_proba(X), rel=1e-6)
    names = np.where(np.arange(500) < 300, FORCED, "direct")
    mixed = RRLogisticRegression().fit(X, np.where(np.arange(500) < 300, z, truth), device=names)
    also = rropt.regress(
        {"z": np.where(np.arange(500) < 300, z, truth), "a": X[:, 0], "b": X[:, 1], "d": names.astype(object)},
        "z ~ a + b",
        devices="d",
    )
    assert [*mixed.intercept_, *mixed.coef_[0]] == pytest.approx(list(also.params.values()), rel=1e-9)
    weighted = RRLogisticRegression(FORCED).fit(X, z, sample_weight=np.r_[np.ones(400), np.zeros(100)])
    assert weighted.coef_ == pytest.approx(RRLogisticRegression(FORCED).fit(X[:400], z[:400]).coef_, rel=1e-8)
    for wrong in (z + 1, z + 0.5):
        with pytest.raises(InvalidParameterError):
            RRLogisticRegression(FORCED).fit(X, wrong)
    with pytest.raises(InvalidParameterError, match="not given exactly once"):
        RRLogisticRegression().fit(X, z)
