"""The levels of a column keep the order of its type: in groups, in factors and their reference, in contrasts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from support.later import later

from rropt import Responses, Sample, regress
from rropt.answers.data_columns import Labels, levels_of
from rropt.core.errors import InvalidParameterError
from rropt_fieldwork import read

pd, pl, pa = later("pandas"), later("polars"), later("pyarrow")

ORDER = ["never", "rarely", "often"]  # not that of the alphabet: never, often, rarely
ROWS = 600
_RNG = np.random.default_rng(107)
HABIT = [ORDER[place] for place in _RNG.integers(0, 3, ROWS)]
SICK = [int(one) for one in _RNG.random(ROWS) < 0.25 + 0.15 * np.array([ORDER.index(one) for one in HABIT])]


def _pandas(*, ordered: bool) -> Any:
    return pd.DataFrame({"sick": SICK, "habit": pd.Categorical(HABIT, ORDER, ordered=ordered)})


def _polars() -> Any:
    return pl.DataFrame({"sick": SICK, "habit": pl.Series(HABIT, dtype=pl.Enum(ORDER))})


def _arrow() -> Any:
    codes = pa.array([ORDER.index(one) for one in HABIT], pa.int8())
    return pa.table({"sick": SICK, "habit": pa.DictionaryArray.from_arrays(codes, ORDER, ordered=True)})


def _arrow_in_chunks() -> Any:
    return pa.concat_tables([_arrow().slice(0, 7), _arrow().slice(7)])


def _table() -> Any:
    return read(_pandas(ordered=False))


def _sample() -> Any:
    return Sample(_pandas(ordered=True), weights=np.ones(ROWS))


FRAMES = {
    "pandas": lambda: _pandas(ordered=False),
    "pandas, ordered": lambda: _pandas(ordered=True),
    "Polars": _polars,
    "Arrow": _arrow,
    "Arrow in chunks": _arrow_in_chunks,
    "Table": _table,
    "Sample": _sample,
}


@few_rows(2)
@pytest.mark.parametrize("name", FRAMES)
def test_groups_and_factors_have_the_order_of_the_type(name: str) -> None:
    frame = FRAMES[name]()
    found = Responses("sick", "forced:2/3,1/6,1/6", data=frame).proportions("habit")
    assert [one.group for one in found] == ORDER
    fitted = regress("sick ~ habit", frame, "forced:2/3,1/6,1/6")
    assert [name for name, _ in fitted.params.items()] == ["Intercept", "habit[T.rarely]", "habit[T.often]"]
    (factor,) = fitted.factors
    assert (factor.reference, factor.levels) == ("never", tuple(ORDER))


def test_columns_without_an_order_are_sorted() -> None:
    """What the type does not order stands as before: the order of texts, and of numbers as numbers."""
    plain = [
        {"sick": SICK, "habit": HABIT},
        pl.DataFrame({"sick": SICK, "habit": pl.Series(HABIT, dtype=pl.Categorical)}),
        pa.table({"sick": SICK, "habit": pa.array(HABIT).dictionary_encode()}),
    ]
    for frame in plain:
        assert levels_of(frame, "habit") == ()
        found = Responses("sick", "forced:2/3,1/6,1/6", data=frame).proportions("habit")
        assert [one.group for one in found] == sorted(ORDER)
    assert Labels(np.array([10, 9, 2])).texts == ["2", "9", "10"]
    assert Labels(np.array(["b", "a", "c"], object), ["c", "b"]).texts == ["c", "b", "a"]


def test_a_column_by_itself_and_several_columns() -> None:
    frame = _pandas(ordered=True)
    own = Responses(frame["sick"], "forced:2/3,1/6,1/6").proportions(frame["habit"])
    assert [one.group for one in own] == ORDER
    frame["sex"] = pd.Categorical(["m", "f"] * (ROWS // 2), ["m", "f"])
    both = Responses("sick", "forced:2/3,1/6,1/6", data=frame).proportions(["habit", "sex"])
    assert [one.group for one in both] == [f"{habit}, {sex}" for habit in ORDER for sex in ("m", "f")]


@pytest.mark.slow
def test_bands_of_a_table_have_their_order(tmp_path: Path) -> None:
    """The texts of the bands, 100..150 and 8..17, are in another order than the bands."""
    path = tmp_path / "s.csv"
    path.write_text("sick,age\n" + "".join(f"{one},{8 + place % 130}\n" for place, one in enumerate(SICK)))
    table = read(str(path), recode="band = age: 8..17, 18..99, 100..150")
    assert table.levels("band") == ("8..17", "18..99", "100..150")
    found = Responses("sick", "forced:2/3,1/6,1/6", data=table).proportions("band")
    assert [one.group for one in found] == ["8..17", "18..99", "100..150"]


def test_categories_that_are_numbers_are_refused_unless_a_factor() -> None:
    frame = _pandas(ordered=True).assign(school=pd.Categorical([1, 2, 3] * (ROWS // 3), [3, 1, 2]))
    with pytest.raises(InvalidParameterError, match=r"two ways: its type is categorical.*C\(school\)"):
        regress("sick ~ school", frame, "forced:2/3,1/6,1/6")
    fitted = regress("sick ~ C(school)", frame, "forced:2/3,1/6,1/6")
    assert [name for name, _ in fitted.params.items()] == ["Intercept", "C(school)[T.1]", "C(school)[T.2]"]


@pytest.mark.slow
@pytest.mark.parametrize("formula", ["sick ~ habit", "sick ~ habit * age", "sick ~ 0 + habit"])
def test_formulaic_and_statsmodels_have_the_same_coefficients(formula: str) -> None:
    """With a device that changes nothing the fit is the logistic regression of statsmodels, on formulaic's columns."""
    from formulaic import model_matrix
    from statsmodels.api import Logit

    frame = _pandas(ordered=False).assign(age=np.arange(ROWS) % 7)
    X = model_matrix(formula.partition("~")[2], frame)
    expected = Logit(SICK, np.asarray(X)).fit(disp=0)
    fitted = regress(formula, frame, "forced:1,0,0")
    assert [name.replace("[T.", "[").replace("[", "").replace("]", "") for name, _ in fitted.params.items()] == [
        name.replace("[T.", "[").replace("[", "").replace("]", "") for name in X.columns
    ]
    np.testing.assert_allclose(np.asarray(fitted.params), expected.params, atol=2e-6)
