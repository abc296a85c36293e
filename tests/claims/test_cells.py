"""Minimisers in several cells, and sums whose terms have a sign each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from rropt.claims import Anchored, ArgMin, Cell, Claim, Domain, run_claim
from rropt.claims.anchors.combined import cover, positive_sum, prove_sum
from rropt.claims.anchors.prover import Fact, Prover
from rropt.claims.positivity import NoProofError
from rropt.claims.relations import relations

LOW = Cell(where="x <= 1/2", best={"x": 0}, tight="x >= 0", terms=("c*x*(1 - x)",))
HIGH = Cell(where="x >= 1/2", best={"x": 1}, tight="x <= 1", terms=("c*x*(1 - x)",))
ENDS = {(Fraction(0),), (Fraction(1),)}


def _outcome(cells: tuple[Cell, ...], said: set[Any]) -> Any:
    """The least values of c x (1 - x) on [0, 1] are at 0 and at 1."""
    shape = ArgMin(
        objective="c*x*(1 - x)",
        within="0 <= x <= 1",
        best=cells,
        member=lambda point, x: 0 <= x <= 1,
        value=lambda point, x: point["c"] * x * (1 - x),
    )
    claim = Claim(
        id="test.cells",
        source="a test",
        printed="ends",
        precise="ends",
        variables={"c": Domain.interval("a slope", 1, 2)},
        theory=lambda point: frozenset(said),
        computed=lambda point: frozenset(said),
        strength="unique",
        mutant=lambda point: frozenset({(Fraction(1, 2),)}),
        proof=lambda: Anchored(shape),
    )
    return run_claim(claim)


def test_two_minimizers_in_two_cells() -> None:
    outcome = _outcome((LOW, HIGH), ENDS)
    assert "proved" in outcome.evidence, outcome.unchecked_steps
    assert outcome.anchored == (
        "the minimizers are members, no member is better, and they are the only ones, in 2 cells",
    )


@pytest.mark.parametrize(
    ("cells", "said", "word"),
    [
        ((LOW,), {(Fraction(0),)}, "does not follow"),  # the other half is in no cell
        ((LOW, Cell(where="x >= 1/2", terms=HIGH.terms)), {(Fraction(0),)}, "signs"),  # its minimiser is denied
        ((LOW, HIGH), {(Fraction(0),)}, "is not the set"),
        ((LOW, Cell(HIGH.where, {"x": 1}, "x >= 1/2", HIGH.terms)), ENDS, "signs"),  # tight elsewhere
        ((LOW, Cell(HIGH.where, {"x": 1}, HIGH.tight, ("c*x",))), ENDS, "no identity"),
        ((LOW, Cell(HIGH.where, {"x": "1/2"}, "x >= 1/2")), {(Fraction(0),), (Fraction(1, 2),)}, "one value"),
    ],
)
def test_what_is_false_is_refused(cells: tuple[Cell, ...], said: set[Any], word: str) -> None:
    outcome = _outcome(cells, said)
    assert outcome.evidence == "argued"
    assert word in " ".join(outcome.unchecked_steps)


def test_cases_that_divide_are_all_cases_only_where_the_divisor_is_not_0() -> None:
    cases = [relations("1/y > 0"), relations("1/y <= 0")]
    with pytest.raises(NoProofError):
        cover(Prover(()), cases, "cases")
    cover(Prover((Fact(relations("y > 2")[0], "given"),)), cases, "cases")


def test_a_sum_is_positive_only_with_a_positive_term() -> None:
    x, y = sp.symbols("x y")
    facts = tuple(Fact(relation, "given") for relation in relations("x >= 0 and y > 0"))
    prover = Prover(facts)
    prove_sum(prover, relations("(x + y)**2 > x**2")[0], [2 * x * y, y**2], "a square")
    positive_sum(prover, [2 * x * y, y**2], "a square")
    for terms in ([x * y, x**2], [y, -x], []):
        with pytest.raises(NoProofError):
            positive_sum(prover, terms, "no sum")
    with pytest.raises(NoProofError):
        prove_sum(prover, relations("(x + y)**2 > x**2")[0], [x * y, y**2], "another sum")


def test_a_factor_has_the_sign_that_its_multiple_and_the_other_factor_have() -> None:
    x, z = sp.symbols("x z")
    multiple = Fact(relations("x*(x*z - 1) > 0")[0], "given")
    prover = Prover((multiple, Fact(relations("x > 0")[0], "given")))
    assert prover.sign(x * z - 1, "by division") == ">"
    with pytest.raises(NoProofError):
        Prover((multiple,)).sign(x * z - 1, "nothing is known of x")
    weak = Prover((Fact(relations("x*(x*z - 1) >= 0")[0], "given"), Fact(relations("x > 0")[0], "given")))
    assert weak.sign(x * z - 1, "by division", strict=False) == ">="
    with pytest.raises(NoProofError):
        weak.sign(x * z - 1, "it may be 0")
