"""A sample of a table that selects rows (``where``) is a domain: all rows stay in their strata and clusters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.later import later
from table_calls import estimate_table

from rropt import Responses, Sample, regress
from rropt.core.errors import InvalidParameterError
from rropt_fieldwork import read

pd = later("pandas")

DEVICE, DESIGN = "forced:2/3,1/6,1/6", {"weights": "w", "strata": "s", "clusters": "c"}


def _frame() -> Any:
    """Young people are in few clusters: without the others, strata would lose clusters."""
    rng = np.random.default_rng(108)
    n = 240
    cluster = np.arange(n) % 24
    age = np.where(cluster % 4 == 0, 16, 40) + np.where(np.arange(n) % 11 == 0, 8, 0)
    columns = {"sick": rng.integers(0, 2, n), "age": age, "w": rng.integers(1, 9, n) / 4, "s": cluster // 8}
    return pd.DataFrame({**columns, "c": cluster, "g": np.array(["n", "s"])[np.arange(n) // 5 % 2]})


@pytest.mark.slow
@pytest.mark.parametrize("form", ["frame", "file"])
def test_a_domain_of_a_table_is_that_of_where(form: str, tmp_path: Path) -> None:
    frame = _frame()
    frame.to_csv(tmp_path / "s.csv", index=False)
    chosen = Sample(read(frame if form == "frame" else tmp_path / "s.csv", where="age < 30"), **DESIGN)
    whole = Sample(frame, **DESIGN)
    assert chosen.rows == whole.rows == len(frame)
    assert chosen.degf == whole.degf
    found = Responses("sick", DEVICE, data=chosen)
    expected = Responses("sick", DEVICE, data=whole).where(frame["age"] < 30)
    for by in (None, "g"):
        own, other = found.proportions(by), expected.proportions(by)
        assert [(one.estimate, one.se, one.df, one.n) for one in own] == [
            (one.estimate, one.se, one.df, one.n) for one in other
        ]
        table = estimate_table(read(frame, where="age < 30"), "sick", DEVICE, by=by or (), **DESIGN)  # in SQL
        np.testing.assert_allclose([one.se for one in own], [one.se for one in table], rtol=1e-12)
        assert [one.n for one in own] == [one.n for one in table]
    again, both = found.where(frame["g"] == "n"), expected.where(frame["g"] == "n")
    assert again.proportions().se == both.proportions().se


def test_the_domain_is_not_the_sample_of_its_rows() -> None:
    """The fault that this file is there for: rows that are dropped change the variance."""
    frame = _frame()
    dropped = Sample(frame[frame["age"] < 30].reset_index(drop=True), **DESIGN)
    chosen = Sample(read(frame, where="age < 30"), **DESIGN)
    one, other = (Responses("sick", DEVICE, data=data).proportions() for data in (chosen, dropped))
    assert one.estimate == pytest.approx(other.estimate)
    assert one.se != pytest.approx(other.se, rel=1e-3)


@pytest.mark.slow
def test_a_regression_of_a_domain() -> None:
    frame = _frame()
    chosen = Sample(read(frame, where="age < 30"), **DESIGN)
    fitted = regress("sick ~ g", chosen, DEVICE)
    expected = Responses("sick", DEVICE, data=Sample(frame, **DESIGN)).where(frame["age"] < 30).regress("g")
    np.testing.assert_allclose(fitted.params, expected.params)
    np.testing.assert_allclose(fitted.bse, expected.bse)
    direct = regress("age ~ sick", chosen, randomized={"sick": DEVICE}, model="linear")
    assert direct.nobs == (frame["age"] < 30).sum()


def test_a_table_without_a_selection_and_one_with_missing_values() -> None:
    frame = _frame()
    assert Sample(read(frame), weights="w").domain is None
    frame["age"] = frame["age"].astype(float).where(np.arange(len(frame)) % 7 > 0)  # a missing age is in no domain
    sample = Sample(read(frame, where="age < 30"), weights="w")
    assert sample.domain.tolist() == (frame["age"] < 30).tolist()


def test_columns_of_another_length_than_the_table_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("q,g\n" + "1,a\n0,b\n1,a\n0,a\n")
    selected = read(tmp_path / "t.csv", where="g = 'a'")
    with pytest.raises(InvalidParameterError, match=r"weights.*3.*4|4.*3"):
        Sample(selected, weights=[1.0, 2.0, 1.0])
