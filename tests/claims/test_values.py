"""A side of a claim that returns no value makes an entry in error, never a refutation."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np
import pytest
import sympy as sp
from every_case import every_case
from support.row_claims import rows, square_claim

from rropt.claims import Claim, Condition, Correction, Reading, StatedBound, run_claim

NO_VALUES: dict[str, Any] = {
    "None": None,
    "nan": nan,
    "nan of NumPy": np.float32("nan"),
    "nan of decimal": Decimal("nan"),
    "nan of SymPy": sp.nan,
    "complex infinity": sp.zoo,
    "complex": 1j,
    "complex of SymPy": 1 + sp.I,
    "an object": object(),
    "a function": len,
    "bytes": b"1",
    "an array": np.array([1.0, nan]),
    "a matrix of SymPy": sp.Matrix([[1, sp.nan]]),
    "a generator": (x for x in ()),
    "nan in a list": [Fraction(1), nan],
    "None in a tuple": (Fraction(1), None),
    "nan in a matrix": ((Fraction(1), Fraction(0)), (nan, Fraction(1))),
    "nan in a set": {nan},
    "nan in a mapping": {"a": nan},
    "None in a mapping": {"a": {"b": None}},
    "a bound that is nan": {"a": StatedBound("at-most", nan)},
}
NO_NUMBERS: dict[str, Any] = {  # values of other strengths
    "text": "1/2",
    "a truth value": True,
    "a list": [Fraction(1)],
    "a set": {Fraction(1)},
    "a mapping": {"a": Fraction(1)},
}


def square(p: Any) -> Fraction:
    return Fraction(p["x"]) ** 2


def claim(strength: str = "at-most", **parts: Any) -> Claim:
    """``x^2 <= x`` on [0, 1]."""
    return square_claim(strength=strength, **{"count": 20, **parts})


def assert_error(made: Claim, told: str) -> None:
    outcome = run_claim(made)
    assert (outcome.verdict, outcome.evidence, outcome.counterexample) == ("error", "", None)
    assert any(told in problem for problem in outcome.problems), outcome.problems


@every_case("name", NO_VALUES)
@every_case("strength", ["", "at-most"])
def test_what_is_no_value_is_an_error_of_the_entry(name: str, strength: str) -> None:
    value = NO_VALUES[name]
    plain: dict[str, Callable[[Any], Any]] = dict.fromkeys(("theory", "computed"), square)
    for side in ("theory", "computed"):
        assert_error(claim(strength, **{**plain, side: lambda p: value}), f"{side} returns no value")
    half = {**plain, "computed": lambda p: value if p["x"] == Fraction(1, 2) else plain["computed"](p)}
    assert_error(claim(strength, **half), "computed returns no value")
    assert_error(claim(strength, **plain, mutant=lambda p: value), "mutant 1 returns no value")


@every_case("name", NO_NUMBERS)
@every_case("strength", ["at-most", "at-least", "less", "greater", "rounds-to"])
def test_what_is_no_number_is_an_error_where_numbers_are_compared(name: str, strength: str) -> None:
    value = NO_NUMBERS[name]
    theory = (lambda p: "0.5") if strength == "rounds-to" else square
    assert_error(claim(strength, theory=theory, computed=lambda p: value), "a bound is of numbers")
    if strength != "rounds-to":  # there `theory` is printed text
        assert_error(claim(strength, theory=lambda p: value), "a bound is of numbers")


@pytest.mark.parametrize("value", [inf, -inf, sp.oo, np.float32("inf")])
def test_infinity_is_an_error_where_it_means_nothing(value: Any) -> None:
    told = "a bound is of numbers: received infinity"
    assert_error(claim("rounds-to", theory=lambda p: "0.5", computed=lambda p: value), told)


def test_infinity_is_a_value_where_it_has_a_meaning() -> None:
    """A parity is infinite for direct questioning."""
    made = claim("", theory=lambda p: inf, computed=lambda p: inf, mutant=lambda p: Fraction(1))
    assert run_claim(made).verdict == "holds"


@pytest.mark.parametrize("value", [None, nan, 1j, [nan]])
def test_a_correction_a_reading_and_a_repaired_form_return_values_too(value: Any) -> None:
    def false(p: Any) -> Fraction:
        return square(p) / 2

    strict = {"strength": "", "theory": false}
    fixed = Correction("x^2", rows(lambda p: value, square))
    assert_error(claim(**strict, correction=fixed), "theory of the correction returns no value")
    fixed = Correction("x^2", rows(square, lambda p: value))
    assert_error(claim(**strict, correction=fixed), "computed of the correction returns no value")
    reading = Reading("another", "Definition 1", {"rows": rows(square, lambda p: value)})
    outcome = run_claim(claim(readings=(reading,)))
    assert outcome.verdict == "error"
    assert "computed returns no value" in outcome.problems[0]


def test_no_value_where_the_statement_is_not_defined_counts_for_nothing() -> None:
    defined = (Condition("x > 0", "x > 0"),)
    outcome = run_claim(claim(defined=defined, computed=lambda p: square(p) if p["x"] else None))
    assert (outcome.verdict, outcome.undefined, outcome.remarks) == ("holds", 1, ())
    hidden = run_claim(claim(defined=defined, computed=lambda p: square(p) if p["x"] else Fraction(7)))
    assert "leaves out a point at which both sides have values" in hidden.problems[0]


def test_the_outcome_contains_the_statement() -> None:
    """A machine that reads only the JSON sees what was claimed beside the scope, also for an entry in error."""
    for made in (claim(), claim(computed=lambda p: None)):
        data = run_claim(made).to_dict()
        assert (data["printed"], data["precise"]) == ("$x^2\\le x$", "for x in [0, 1]")


@pytest.mark.parametrize("passage", ["", "$x^2\\le x$", "x^2\\le  x"])
def test_a_reading_rests_on_a_passage_other_than_the_sentence(passage: str) -> None:
    outcome = run_claim(claim(readings=(Reading("as it is", "Definition 1"), Reading("another", passage))))
    assert outcome.verdict == "error"
    assert [told for told in outcome.problems if "a passage other than the sentence" in told] == list(outcome.problems)
