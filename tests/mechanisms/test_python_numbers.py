"""Numbers, vectors and matrices in the types that Python's users have: NumPy, pandas, SymPy, Decimal, 0-d arrays."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
import sympy as sp
from every_case import every_case
from finite_samples import estimate_people
from flint import fmpq
from later import later
from plans import plan_variance

import rropt
from rropt.core.errors import InvalidParameterError, RroptError
from rropt.core.exact import rational
from rropt.designs.bits import design_bits
from rropt.estimates.from_counts import estimate_of_options
from rropt.inference import unit
from rropt.mechanisms import BlockMechanism
from rropt.mechanisms.central.sensitivities import Sensitivity
from rropt.mechanisms.families import Direct
from rropt.mechanisms.raw_matrices import audit
from rropt.objectives import Loss, Trace
from rropt.privacy import BoundedRegion, GaussianRegion, LevelsRegion, PrivacyRegion, PropertyFamily

QUARTER = {
    "NumPy float64": np.float64(0.25),
    "NumPy float32": np.float32(0.25),
    "0-d array": np.array(0.25),
    "0-d float32": np.array(0.25, dtype=np.float32),
    "0-d object": np.array(Fraction(1, 4), dtype=object),
    "Decimal": Decimal("0.25"),
    "SymPy rational": sp.Rational(1, 4),
    "SymPy float": sp.Float("0.25"),
    "SymPy power": sp.Integer(2) ** -2,
    "python-flint": fmpq(1, 4),
    "text": "1/4",
}


@every_case("form", QUARTER)
def test_a_number(form: str) -> None:
    x = QUARTER[form]
    assert rational(x) == Fraction(1, 4)
    assert rropt.Problem.binary(x, epsilon=x, delta=x) == rropt.Problem.binary("1/4", epsilon="1/4", delta="1/4")
    assert plan_variance(rropt.Mechanism("warner:3/4"), x, prevalence=x).n == 4
    assert rropt.Mechanism([[x, x], [1 - Fraction(1, 4), "3/4"]])[0, 1] == Fraction(1, 4)


def test_a_float_means_its_shortest_decimal_in_its_own_precision() -> None:
    tenth = Fraction(1, 10)
    assert [rational(x) for x in (np.float32(0.1), np.float16(0.1), np.array(np.float32(0.1)), sp.Float(0.1))] == [
        tenth
    ] * 4
    shares = np.array([0.1, 0.9], dtype=np.float32)
    assert rropt.Mechanism(np.array([shares, shares[::-1]], dtype=np.float32))[0, 0] == tenth
    assert rropt.Problem(PrivacyRegion(1), rropt.objectives.EstimatorVariance(), shares).prevalence == Fraction(9, 10)


@pytest.mark.parametrize("x", [sp.sqrt(2), sp.pi / 4, sp.exp(-1), sp.sin(1) ** 2 + sp.cos(1) ** 2])
def test_irrational_numbers_are_refused_with_a_word(x: Any) -> None:
    with pytest.raises(InvalidParameterError, match=r"prevalence is irrational.*round it"):
        rropt.Problem.binary(x, epsilon=1)


@every_case(
    "x", [sp.Symbol("p"), sp.I, sp.oo, sp.nan, sp.zoo, np.array([0.5]), np.array(None), np.bool_(True), np.array(True)]
)
def test_what_is_no_number(x: Any) -> None:
    with pytest.raises(InvalidParameterError, match="is not a number"):
        rational(x)


def test_levels_in_sympy() -> None:
    assert rropt.Problem.binary("1/4", epsilon=sp.log(3) / 2) == rropt.Problem.binary("1/4", epsilon="log(3)/2")
    assert rropt.privacy.PrivacyRegion(sp.log(2), sp.exp(-3)) == rropt.privacy.PrivacyRegion("log(2)", "exp(-3)")


def _vectors() -> dict[str, Callable[[list[Any]], Any]]:
    forms: dict[str, Callable[[list[Any]], Any]] = {
        "list": list,
        "tuple": tuple,
        "array": lambda x: np.array([float(Fraction(y)) for y in x]),
        "float32": lambda x: np.array([float(Fraction(y)) for y in x], dtype=np.float32),
        "objects": lambda x: np.array([Fraction(y) for y in x], dtype=object),
        "column": lambda x: np.array([[float(Fraction(y))] for y in x]),
        "SymPy column": lambda x: sp.Matrix([sp.Rational(y) for y in x]),
        "SymPy row": lambda x: sp.Matrix([[sp.Rational(y) for y in x]]),
        "0-d arrays": lambda x: [np.array(float(Fraction(y))) for y in x],
        "dictionary's values": lambda x: dict(enumerate(x)).values(),
    }
    if find_spec("pandas") is None:
        return forms
    pd = later("pandas")
    return forms | {
        "series": lambda x: pd.Series([float(Fraction(y)) for y in x]),
        "series out of order": lambda x: pd.Series([float(Fraction(y)) for y in x])[::-1],
        "column of a frame": lambda x: pd.DataFrame({"share": [float(Fraction(y)) for y in x]}),
    }


VECTORS = _vectors()
SHARES = ["1/8", "3/8", "1/2"]


@every_case("form", VECTORS)
def test_a_vector(form: str) -> None:
    """Wherever a population, weights, a reference or a contrast is taken; the plain list is the oracle."""
    mechanism, given = rropt.Mechanism("grr:3,1/2"), VECTORS[form](SHARES)
    region = PrivacyRegion("log(2)", inputs=3, outputs=3)
    weights = [Fraction(x) for x in SHARES]
    assert rropt.Problem(region, Trace(given), given) == rropt.Problem(region, Trace(weights), weights)
    assert mechanism.apply(given) == mechanism.apply(weights)
    assert mechanism.adjoint(given) == mechanism.adjoint(weights)
    assert mechanism.invert(given) == mechanism.invert(weights)
    result = estimate_of_options(mechanism, [3, 4, 5], reference=given)
    assert result == estimate_of_options(mechanism, [3, 4, 5], reference=weights)
    assert design_bits(2, weights=given, prevalences=given, fast=True) == design_bits(
        2, weights=weights, prevalences=weights, fast=True
    )


COUNTS: dict[str, Callable[[list[int]], Any]] = {
    "list": list,
    "array": np.array,
    "int16": lambda x: np.array(x, dtype=np.uint16),
    "scalars": lambda x: [np.int64(y) for y in x],
    "0-d": lambda x: [np.array(y) for y in x],
    "Decimal": lambda x: [Decimal(y) for y in x],
    "Fraction": lambda x: [Fraction(y) for y in x],
    "SymPy": lambda x: sp.Matrix(x),
}


@every_case("form", COUNTS)
def test_counts(form: str) -> None:
    mechanism, given = rropt.Mechanism("grr:3,1/2"), COUNTS[form]([30, 10, 7])
    assert rropt.inference.estimate(mechanism, given) == rropt.inference.estimate(mechanism, [30, 10, 7])
    binary = rropt.Mechanism("warner:3/4")
    yes, no = (COUNTS[form]([4, 6])[i] for i in (0, 1))
    assert estimate_people(binary, [no, yes], 50) == estimate_people(binary, [6, 4], 50)
    assert rropt.inference.estimate(binary, yes=yes, n=no) == rropt.inference.estimate(binary, yes=4, n=6)


@every_case("bad", [4.0, np.float64(4), np.array(4.0), sp.Float(4), Decimal("4.5"), sp.sqrt(2), True, None])
def test_what_is_no_count(bad: Any) -> None:
    """A float is none: not even a whole one."""
    with pytest.raises(InvalidParameterError, match="not a count"):
        rropt.inference.estimate(rropt.Mechanism("warner:3/4"), [3, bad])


def test_counted_by_pandas() -> None:
    """``value_counts`` sorts by frequency: labels say the order; other labels, or one missing, are refused."""
    pd = pytest.importorskip("pandas")
    mechanism = rropt.Mechanism("grr:3,1/2")
    answers = pd.Series([2] * 5 + [0] * 3 + [1])
    assert rropt.inference.estimate(mechanism, answers.value_counts()).counts == (3, 1, 5)
    for wrong in (answers.map({0: "a", 1: "b", 2: "c"}), answers[answers != 0]):
        with pytest.raises(InvalidParameterError, match="reindex"):
            rropt.inference.estimate(mechanism, wrong.value_counts())
    with pytest.raises(InvalidParameterError, match="not a count"):
        rropt.inference.estimate(mechanism, pd.Series([1.0, float("nan"), 2.0]))


MATRICES: dict[str, Callable[[Any], Any]] = {
    "array": lambda rows: np.array([[float(Fraction(x)) for x in row] for row in rows]),
    "float32": lambda rows: np.array([[float(Fraction(x)) for x in row] for row in rows], dtype=np.float32),
    "list of arrays": lambda rows: [np.array([float(Fraction(x)) for x in row]) for row in rows],
    "SymPy": lambda rows: sp.Matrix([[sp.Rational(x) for x in row] for row in rows]),
    "SymPy immutable": lambda rows: sp.ImmutableMatrix([[sp.Rational(x) for x in row] for row in rows]),
    "frame": lambda rows: pytest.importorskip("pandas").DataFrame(
        [[float(Fraction(x)) for x in row] for row in rows], index=["no", "yes"], columns=["a", "b"]
    ),
    "Decimal": lambda rows: [[Decimal(str(float(Fraction(x)))) for x in row] for row in rows],
}


@every_case("form", MATRICES)
def test_a_matrix(form: str) -> None:
    rows = [["3/4", "1/8"], ["1/4", "7/8"]]
    given = MATRICES[form](rows)
    mechanism = rropt.Mechanism(rows)
    assert rropt.Mechanism(given) == mechanism
    assert audit(given).entries == mechanism.matrix
    assert Loss(given) == Loss(rows)
    region, zeros = PrivacyRegion(3), np.zeros((2, 2))
    assert BoundedRegion(region, zeros, given) == BoundedRegion(region, [[0, 0], [0, 0]], rows)


def test_levels_by_pair_in_an_array() -> None:
    levels = np.array([[None, 1.5], [2, None]], dtype=object)
    assert LevelsRegion.by_pair(levels) == LevelsRegion.by_pair([[None, "3/2"], [2, None]])


def test_options_of_a_design_in_arrays() -> None:
    objectives = rropt.objectives
    loss = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    for kind, given in (
        (objectives.Loss, loss),
        (objectives.Payoff, loss),
        (objectives.Trace, np.array([1, 2, 3])),
        (objectives.Contrast, np.array([1, 0, -1])),
        (objectives.TotalVariation, np.array([0.5, 0.25, 0.25])),
    ):
        assert kind(given) == kind(given.tolist()), kind  # type: ignore[operator]
    many = np.repeat([3, 1], 200)
    made = rropt.Problem.kary(400, epsilon=1, objective=objectives.Trace(many))
    assert made == rropt.Problem.kary(400, epsilon=1, objective=objectives.Trace(many.tolist()))
    table = np.array([[None, 1], [1, None]], dtype=object)
    pairs = rropt.privacy.pairs
    assert rropt.Problem.kary(2, level=pairs(table)) == rropt.Problem.kary(2, level=pairs(table.tolist()))


def test_a_mechanism_is_an_array() -> None:
    mechanism = rropt.Mechanism("grr:3,1/2")
    floats = np.asarray(mechanism)
    assert floats.dtype == np.float64
    assert (floats == mechanism.to_numpy()).all()
    assert np.asarray(mechanism, dtype=np.float32).dtype == np.float32
    exact = np.asarray(mechanism, dtype=object)
    assert exact[0, 1] == Fraction(1, 4)
    assert isinstance(exact[0, 1], Fraction)
    assert np.array(mechanism).shape == mechanism.shape
    assert (np.linalg.inv(mechanism) @ floats).round(9).tolist() == np.eye(3).tolist()
    with pytest.raises(ValueError, match=r"use numpy\.asarray"):
        np.array(mechanism, copy=False)
    product = rropt.Mechanism("bits:3/4*40")
    with pytest.raises(RroptError, match="too large"):
        np.asarray(product)
    assert rropt.Mechanism(mechanism) == mechanism
    assert audit(mechanism).entries == mechanism.matrix  # exact: not through its floats


@every_case("bad", [{1, 2, 3}, {0: 1, 1: 2, 2: 3}, "123", 5, None, np.array(3), np.zeros((3, 2)), iter([1, 2, 3])])
def test_what_is_no_vector(bad: Any) -> None:
    with pytest.raises(RroptError):
        rropt.inference.estimate(rropt.Mechanism("grr:3,1/2"), bad)
    with pytest.raises(RroptError):
        rropt.Problem(PrivacyRegion(1, inputs=3, outputs=3), Trace([1, 1, 1]), bad)
    assert unit(0, 2) == (1, 0)


def test_sizes_of_numpy_are_stored_as_integers_of_python() -> None:
    """Products of NumPy's integers overflow."""
    found = Sensitivity.histogram(np.int64(4))  # type: ignore[arg-type]
    assert (found, type(found.dimension)) == (Sensitivity.histogram(4), int)


def test_sizes_and_inputs_of_numpy_are_accepted() -> None:
    """They were refused with the words that allow them: received 3; allowed is an integer >= 2."""
    three, one = np.int64(3), np.int8(1)
    assert PrivacyRegion(1, inputs=three, outputs=three) == PrivacyRegion(1, inputs=3, outputs=3)  # type: ignore[arg-type]
    assert GaussianRegion(1, inputs=three).inputs == 3  # type: ignore[arg-type]
    assert LevelsRegion([(1, 0, [(one, 0)])], inputs=3) == LevelsRegion([(1, 0, [(1, 0)])], inputs=3)
    family = PropertyFamily(three, [[one]])  # type: ignore[arg-type, list-item]
    assert (family, family.to_dict()) == (PropertyFamily(3, [[1]]), {"inputs": 3, "properties": [[1]]})
    assert BlockMechanism(Direct(three), 3) == BlockMechanism(Direct(3), 3)  # type: ignore[arg-type]
    bits = rropt.Mechanism("bits:3/4*2")
    assert bits.digits(three) == (1, 1)  # type: ignore[attr-defined]
    assert bits.parity(differing=one) == 3  # type: ignore[call-arg]
    assert bits.invert({np.int64(2): 1}) == bits.invert({2: 1})
    for bad in (True, np.True_, 3.0):
        with pytest.raises(InvalidParameterError, match="is not a size"):
            PrivacyRegion(1, inputs=bad)  # type: ignore[arg-type]


def test_a_number_that_is_too_long_is_not_quoted_as_a_text() -> None:
    with pytest.raises(InvalidParameterError, match="received about 401 digits; at most 400"):
        rational("1e400")
