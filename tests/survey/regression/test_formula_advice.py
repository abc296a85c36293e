"""Messages about formulas name what is in the data, and what to write instead."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from table_calls import regress_table

from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt_fieldwork import read


def table() -> dict[str, Any]:
    random = np.random.default_rng(7)
    year, z = random.choice(["w12", "w16", "w20"], 300), random.choice(["a", "b", "c"], 300)
    z = np.where((year == "w12") & (z == "c"), "a", z)
    x = random.uniform(0, 1, 300)
    return {
        "y": random.integers(0, 2, 300),
        "year": year.astype(object),
        "z": z.astype(object),
        "x": x,
        "x2": 2 * x + 1,
    }


@few_rows(1)
@pytest.mark.parametrize("formula", ["y ~ C(year) * z", "y ~ year + z + year:z", "y ~ z * year + x"])
def test_an_empty_cell_is_named_and_left_out(formula: str) -> None:
    found = regress_table(table(), formula, "warner:17/20", starts=1)
    (name,) = found.left_out
    assert "year)[T.w20]" in name.replace("year[", "year)[")  # w12 is the reference: the last column equals others
    told = " ".join(found.notes())
    assert f"{name} is left out, as the rows of the fit do not determine it: it equals z[T.c] - " in told
    assert "no row of the fit has year = w12, z = c: join levels (recode)" in told.replace("z = c, year = w12", NAMED)
    assert name not in found.names
    assert found.frame_rows()[-1]["name"] == name
    assert found.lines()[-len(found.notes()) - 1] == (name, "left out")
    read = type(found).from_json(found.to_json())
    assert read.left_out == found.left_out
    assert read.notes() == found.notes()


NAMED = "year = w12, z = c"


def test_all_cells_of_an_interaction_are_columns_of_their_own() -> None:
    """Without main effects no column is a combination of others but that of the empty cell, which is 0."""
    found = regress_table(table(), "y ~ 0 + z:year", "warner:17/20", model="linear")
    assert found.left_out == ("z[c]:year[w12]",)
    assert "it is 0 in every row" in " ".join(found.notes())
    data = table()
    for name, value in found.params.items():
        z, year = name[2], name[-4:-1]
        own = data["y"][(data["z"] == z) & (data["year"] == year)]
        assert value == pytest.approx((own.mean() - 3 / 20) / (14 / 20), abs=1e-12)  # the debiased mean of the cell


def test_a_combination_is_left_out_with_its_parts() -> None:
    found = regress_table(table(), "y ~ x + x2 + I(3 - x)", "warner:17/20", starts=1)
    assert found.left_out == ("x2", "I(3 - x)")
    told = " ".join(found.notes())
    assert "x2 is left out, as the rows of the fit do not determine it: it equals Intercept + 2 x" in told
    assert "it equals 3 Intercept - x" in told
    same = regress_table(table(), "y ~ x", "warner:17/20", starts=1)
    assert list(found.params) == pytest.approx(list(same.params), rel=1e-9)
    assert found.llf == pytest.approx(same.llf, rel=1e-12)
    rows = {"x": np.array([0.5, 0.25]), "x2": np.array([2.0, 1.5])}
    assert found.predict(rows) == pytest.approx(same.predict(rows), rel=1e-9)
    with pytest.raises(InvalidParameterError, match=r"received 1 row, the first of them row 2, .* coefficient of 'x2'"):
        found.predict({**rows, "x2": np.array([2.0, 1.6])})
    for name in ("ordinal-logit", "probit"):
        assert regress_table(table(), "y ~ x2 + x", "warner:17/20", starts=1, model=name).left_out == ("x",)


def test_the_columns_left_out_are_those_of_r() -> None:
    """Newton's method on the columns that R's glm keeps, of direct answers: an empty cell and a doubled covariate."""
    data = table()
    found = regress_table(data, "y ~ z * year + x + x2", "generalised:1,1", starts=1)
    assert found.left_out == ("x2", "z[T.c]:year[T.w20]")
    z, year = ([data[name] == one for one in kept] for name, kept in (("z", "bc"), ("year", ("w16", "w20"))))
    products = [z[0] * year[0], z[1] * year[0], z[0] * year[1]]
    X = np.column_stack([np.ones(300), *z, *year, data["x"], *products]).astype(float)
    b = np.zeros(9)
    for _ in range(30):
        p = 1 / (1 + np.exp(-X @ b))
        information = X.T @ (X * (p * (1 - p))[:, None])
        b += np.linalg.solve(information, X.T @ (data["y"] - p))
    assert list(found.params) == pytest.approx(b.tolist(), rel=1e-10)  # both end by Newton's method
    errors = np.sqrt(np.diag(np.linalg.inv(information)))
    assert list(found.bse) == pytest.approx(errors.tolist(), rel=1e-10)


def test_an_effect_that_an_empty_cell_hides_is_not_determined() -> None:
    found = regress_table(table(), "y ~ z * year", "warner:17/20", starts=1)
    effects = found.margeff()
    assert [one.name for one in effects] == ["z: b - a"]
    hidden = "z: c - a, year: w16 - w12, year: w20 - w12"
    assert effects.remarks() == (f"not determined, as the fit has an empty cell: {hidden}",)


@few_rows(1)
@pytest.mark.parametrize(
    ("factor", "same"),
    [
        ('Q("x2")', "`x2`"),
        ('log(Q("x2"))', "log(x2)"),
        ("I(z == 'a')", "(z == 'a')"),
        ("C(z, levels=['b', 'a', 'c'])", "C(z, Treatment('b'), levels=['b', 'a', 'c'])"),
        ("C(z, levels=c('b', 'a', 'c'))", "C(z, levels=['b', 'a', 'c'])"),
        ("I(z != 'a' and x >= .5)", "{not (z == 'a' or x < .5)}"),
    ],
)
def test_what_other_programs_write(factor: str, same: str) -> None:
    one, other = (regress_table(table(), f"y ~ {text} + x", "warner:17/20", starts=1) for text in (factor, same))
    assert list(one.params) == pytest.approx(list(other.params), rel=1e-9)


def test_a_comparison_is_a_factor() -> None:
    data = table()
    data["own"] = np.where((data["z"] == "a") & (data["x"] > 0.5), 1, 0)
    found = regress_table(data, "y ~ I(z == 'a' and x > 0.5) * x", "warner:17/20", starts=1)
    same = regress_table(data, "y ~ own * x", "warner:17/20", starts=1)
    assert list(found.params) == pytest.approx(list(same.params), rel=1e-9)
    assert found.names[1] == "I(z == 'a' and x > 0.5)[T.True]"
    effect, *_ = found.margeff()
    assert effect.name == "I(z == 'a' and x > 0.5): True - False"
    by = found.prevalence("I(z == 'a' and x > 0.5)")
    assert [one.n for one in by] == [int((data["own"] == 0).sum()), int((data["own"] == 1).sum())]
    rows = {"z": np.array(["a", "b", "c"], object), "x": np.array([0.75, 0.75, np.nan])}
    plain = {"own": np.array([1, 0, 0]), "x": rows["x"]}
    assert found.predict(rows) == pytest.approx(same.predict(plain), rel=1e-9, nan_ok=True)
    assert type(found).from_json(found.to_json()) == found


@pytest.mark.parametrize(
    ("formula", "told"),
    [
        ("y ~ x == 1 + z", r"put a comparison in brackets, as in \(x == 'm'\) \+ age"),
        ("y ~ (z < 'b')", "texts are not ordered"),
        ("y ~ (x == 'b')", "a column of numbers is compared with a text"),
        ("y ~ (z == 'q')", r"a factor has 1 level: received .*, 'False' in every row"),
        (
            "y ~ C(z, levels=['a', 'b'])",
            r"a level is not among those of the formula: received 'c' in [0-9]+ rows of 'z'",
        ),
        ("y ~ .", "name the columns in place of the dot"),
        ("y ~ 2*x", r"2 is no term; write I\(2 \* x\) for a multiple of x"),
        ("y ~ z*(x - 1)", "write 0 or -1, which leave the intercept out, outside of brackets"),
        ("y ~ (1 | z)", "name the groups of a random intercept with `random`"),
        ("y ~ x +", "a term is missing at its end"),
    ],
)
def test_what_is_refused_is_named(formula: str, told: str) -> None:
    with pytest.raises(InvalidParameterError, match=told):
        regress_table(table(), formula, "warner:17/20")


@pytest.mark.slow
def test_a_level_without_information_is_named_alone() -> None:
    random = np.random.default_rng(3)
    sex = np.array(["d"] * 15 + ["f", "m"] * 150, object)
    y = np.concatenate([[1] * 3 + [0] * 12, random.integers(0, 2, 300)])
    data = {"y": y, "sex": sex, "age": random.integers(18, 80, 315)}
    named = "the group sex = 'd' has 3 yes among 15 responses, and the device alone gives 3.75 if nobody has the trait"
    way = re.escape("""; take `model=linear`, join levels, for example `recode="sex: d -> f"`, leave the rows out""")
    for formula in ("y ~ sex", "y ~ age + C(sex, Treatment('m'))"):
        with pytest.raises(InfeasibleError, match=rf"^the likelihood has no maximum[^:]*: {named}{way}"):
            regress_table(data, formula, "warner:3/4", starts=3)
    assert len(regress_table(read(data, recode="sex: d -> f"), "y ~ sex + age", "warner:3/4", starts=1).names) == 3
    region = np.array([*"XYZ"] * 105, object)
    y = np.where(region == "Z", sex == "f", y).astype(int)  # a cell of an interaction
    told = r"the group sex = 'm', region = 'Z' has 0 yes among 50 responses.*`recode=\"region: Z -> [XY]\"`"
    with pytest.raises(InfeasibleError, match=told):  # of two levels none can be joined
        regress_table(
            read({**data, "y": y, "region": region}, where="sex != 'd'"),
            "y ~ sex*region",
            "warner:3/4",
            starts=1,
        )


def test_factor_is_another_word_for_c() -> None:
    found = regress_table(table(), "y ~ factor(z)", "warner:17/20", starts=1)
    same = regress_table(table(), "y ~ C(z)", "warner:17/20", starts=1)
    assert list(found.params) == list(same.params)
    assert list(found.names)[1] == "factor(z)[T.b]"


def test_the_response_has_the_name_of_its_column() -> None:
    data = {**table(), "a ~ b": table()["y"]}
    for left in ("`a ~ b`", 'Q("a ~ b")', "Q('a ~ b')"):
        found = regress_table(data, f"{left} ~ x", "warner:17/20", model="linear")
        assert found.response == "a ~ b"
