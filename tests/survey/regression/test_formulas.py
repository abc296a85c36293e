"""Formulas: read and never evaluated, coded as formulaic codes them, and learned for new rows."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from every_case import every_case
from few_rows import few_rows

from rropt.core.errors import InvalidParameterError
from rropt.regression.formula_texts import parse
from rropt.regression.formulas import DataColumn, design_of

RANDOM = np.random.default_rng(1)
N = 300
NUMBERS = {"x": RANDOM.normal(2, 1, N).round(3), "u": RANDOM.uniform(1, 5, N).round(3)}
TEXTS = {"a": RANDOM.integers(0, 3, N), "b": RANDOM.integers(0, 2, N), "c": RANDOM.integers(0, 4, N)}
LEVELS = {"a": ("p", "q", "r"), "b": ("no", "yes"), "c": ("k", "l", "m", "n")}
COLUMNS = {name: DataColumn(values) for name, values in NUMBERS.items()}
COLUMNS |= {name: DataColumn(codes.astype(float), LEVELS[name]) for name, codes in TEXTS.items()}


def _matrix(formula: str) -> tuple[tuple[str, ...], np.ndarray]:
    design = design_of(parse(formula), COLUMNS, np.ones(N, bool))
    X, missing = design.matrix(COLUMNS, N)
    assert not missing.any()
    return design.names(), X


@pytest.mark.slow
@every_case(
    "right",
    [
        "1", "x", "a", "x + a", "a*b", "a:b", "0 + a", "0 + a + b", "0 + a:b", "x*a", "x:a", "a + a:b", "b + a:b",
        "a*b*c", "0 + a*b", "(a + b + x)**2", "a:x + b", "C(a) + x", 'C(a, Treatment("q"))*x', "x + u + x:u",
        "0 + x:a", "a:x:b", "log(u) + exp(u)", "{x/10} + I((x/10)**2)", "a/b", "center(x)", "-1 + x + b",
        "0 + a:x + b:c", "a*c - a:c", "x + I(x*u) + exp(x)",
    ],
)  # fmt: skip
def test_columns_are_those_of_formulaic(right: str) -> None:
    import pandas as pd
    from formulaic import model_matrix

    texts = {name: pd.Categorical.from_codes(codes, LEVELS[name]) for name, codes in TEXTS.items()}
    frame = pd.DataFrame({**NUMBERS, **texts})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = np.asarray(model_matrix(right.replace("(a, Treatment", "(a, contr.treatment"), frame), float)
    known = known if "`" not in right else np.column_stack([np.ones(N), *NUMBERS.values()])
    names, X = _matrix(f"z ~ {right}")
    assert len(names) == X.shape[1] == np.linalg.matrix_rank(X)
    both = np.linalg.matrix_rank(np.column_stack([X, known]), tol=1e-8)
    assert both == np.linalg.matrix_rank(known) == X.shape[1]  # one column space, and no column too many


def test_names_are_those_of_statsmodels() -> None:
    assert _matrix("z ~ x*a")[0] == ("Intercept", "x", "a[T.q]", "a[T.r]", "x:a[T.q]", "x:a[T.r]")
    assert _matrix("z ~ 0 + b")[0] == ("b[no]", "b[yes]")
    assert _matrix('z ~ C(a, Treatment("q"))')[0] == (
        "Intercept",
        *(f"C(a, Treatment('q'))[T.{level}]" for level in "pr"),
    )


@few_rows(26)
@pytest.mark.parametrize(
    "factor",
    [
        "{__import__('os').system('touch hacked')}", "{open('/etc/passwd').read()}", "x.__class__()", "exec('1')",
        "{x if x else u}", "{[x for x in a]}", "{lambda: 1}", "np.load('f')", "x[0]", "{x ** 99}", "{x ** u}",
        "log(x, u)", "C(a, levels=[1])", "poly(x, 2)", "{'text'}", "I(x := 3)", "{x @ u}", "{x > u}", "C(x + u)",
        "log(C(a))", "{(yield)}[0]", "f'{x}'", "{x and u}", "Q(x)", "{1 < x < 2}", "C(a, levels=[])",
        "C(a, levels=['p', 'p', 'q', 'r'])", "I((x > 1) * u)", "{x == __import__('os')}", "%in%", "{9**9**9**9}",
    ],
)  # fmt: skip
def test_nothing_in_a_formula_is_evaluated(factor: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidParameterError) as refusal:
        _matrix(f"z ~ x + {factor}")
    assert "\n" not in str(refusal.value)
    assert not list(tmp_path.iterdir())


@every_case(
    "formula",
    ["", "z", "~ x", "z ~", "z ~ x ~ u", "z + x ~ u", "log(z) ~ x", "1 ~ x", "z ~ x | u", "z ~ .", "z ~ 2*x", "z ~ x x",
     "z ~ (x", "z ~ `x", "z ~ log" + "(" * 999 + "x" + ")" * 999, "z ~ x" * 9000, "z ~ 0", 3, "z ~ (a + b + x)^10^10",
     "z ~ (a + b + x)**10**10", "z ~ {" + "-" * 999 + "x}", "z ~ C(a, Treatment('q'), contr=1)", "z ~ C()",
     "z ~ I(x * " + "9" * 400 + ")"],
)  # fmt: skip
def test_what_is_no_formula_is_refused_in_one_line(formula: object) -> None:
    with pytest.raises(InvalidParameterError) as refusal:
        _matrix(formula)
    assert "\n" not in str(refusal.value)
    assert "received" in str(refusal.value)


@pytest.mark.parametrize("factor", ["I(1e300**10)", "{1/0}", "log(-1)"])
def test_constants_that_are_no_finite_numbers_are_refused(factor: str) -> None:
    with pytest.raises(InvalidParameterError, match="a factor has no finite value in 300 rows"):
        _matrix(f"z ~ x + {factor}")


def test_a_number_has_no_standard_deviation() -> None:
    with pytest.raises(InvalidParameterError, match=r"a column is constant: received 'scale\(3\)'"):
        _matrix("z ~ scale(3)")


def test_a_factor_that_nests_too_deep_is_refused() -> None:
    assert _matrix("z ~ I(" + " + ".join(["x"] * 290) + ")")[1].shape == (N, 2)
    with pytest.raises(InvalidParameterError, match=r"it nests too deep|cannot be read"):
        _matrix("z ~ I(" + " + ".join(["x"] * 320) + ")")


def test_a_formula_without_terms_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="the formula has 0 terms: received 'z ~ '"):
        parse("z ~ ")


def test_powers_are_written_as_in_r() -> None:
    assert np.array_equal(_matrix("z ~ I(x + u^2)")[1], _matrix("z ~ I(x + u**2)")[1])


def test_new_rows_are_coded_as_the_fit_was() -> None:
    design = design_of(parse("z ~ center(x) + a"), COLUMNS, np.ones(N, bool))
    new = {"x": DataColumn(np.array([1.0, np.nan])), "a": DataColumn(np.array([1.0, 0]), ("p", "r"))}
    X, missing = design.matrix(new, 2)
    assert missing.tolist() == [False, True]
    assert X[0].tolist() == [1, 1.0 - NUMBERS["x"].mean(), 0, 1]
    with pytest.raises(InvalidParameterError, match="a level is unknown: received 'new' in 'a', in 1 row;"):
        design.matrix({"x": new["x"], "a": DataColumn(np.array([1.0, 0]), ("p", "new"))}, 2)
    assert type(design).from_json(design.to_json()) == design


def test_levels_of_any_text_keep_their_columns() -> None:
    """formulaic omits levels that begin with two underscores, and joins columns of equal names."""
    codes = RANDOM.integers(0, 2, N)
    data = {"a": DataColumn(codes.astype(float), ("__q", "p")), "b": DataColumn(TEXTS["b"].astype(float), LEVELS["b"])}
    design = design_of(parse("z ~ a"), data, np.ones(N, bool))
    assert design.names() == ("Intercept", "a[T.p]")
    assert np.array_equal(design.matrix(data, N)[0][:, 1], codes == 1)
    named = {
        "a": DataColumn(TEXTS["a"].astype(float), ("k", "p", "p]:b[T.r")),
        "b": DataColumn(TEXTS["c"].astype(float), ("k", "q", "r", "s")),
    }
    with pytest.raises(InvalidParameterError, match=r"equal names: received 'a\[T.p\]:b\[T.r\]' twice"):
        design_of(parse("z ~ a * b"), named, np.ones(N, bool))
    data["a"] = DataColumn(TEXTS["a"].astype(float), ("k", "p", "p]:b[r"))
    data["b"] = DataColumn(TEXTS["c"].astype(float), ("k", "q", "r]:b[q", "r"))
    with pytest.raises(InvalidParameterError, match=r"equal names: received 'a\[p\]:b\[r\]:b\[q\]' twice"):
        design_of(parse("z ~ a:b - 1"), data, np.ones(N, bool))


def test_a_factor_without_two_levels_is_refused() -> None:
    one = {"a": DataColumn(np.zeros(5), ("p",))}
    with pytest.raises(InvalidParameterError, match="a factor has 1 level: received 'a'"):
        design_of(parse("z ~ a"), one, np.ones(5, bool))
    with pytest.raises(InvalidParameterError, match="no finite value in 1 row:"):
        design_of(parse("z ~ log(x)"), {"x": DataColumn(np.array([1.0, 0.0, 2.0]))}, np.ones(3, bool))
    with pytest.raises(InvalidParameterError, match="texts where numbers are needed"):
        design_of(parse("z ~ log(a)"), COLUMNS, np.ones(N, bool))
