"""The engine of claims: verdicts are computed, and entries that cannot fail are defects."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from support.row_claims import rows, square_claim

from rropt.claims import Condition, Correction, Domain, Proof, find_claims, run_claim
from rropt.claims.outcomes import Counterexample, value_text
from rropt.claims.positivity import NoProofError, prove_identity
from rropt.claims.positivity.prover import Prover
from rropt.claims.relations import Relation, relations, values_of
from rropt.claims.stated_values import Enclosure, StatedBound, agrees
from rropt.claims.verifications import verification
from rropt.core.errors import InvalidParameterError

N, X = sp.symbols("n x")


def _at_most(side: Any) -> Any:
    """Return the row that a square is at most the value of a side."""
    return rows(side, lambda p: Fraction(p["x"]) ** 2, "at-most")


def test_holds() -> None:
    outcome = run_claim(square_claim())
    assert (outcome.verdict, outcome.evidence, outcome.problems) == ("holds", "proved", ())
    assert outcome.points >= 200
    assert outcome.counterexample is None
    assert outcome.mutant_rejected_at is not None
    assert "counterexample" not in outcome.to_dict()


def test_fails_with_the_smallest_counterexample_and_a_correction() -> None:
    false = square_claim(theory=lambda p: Fraction(p["x"]) ** 3)  # x^2 <= x^3 is false inside
    outcome = run_claim(false)
    assert outcome.verdict == "fails"
    assert outcome.counterexample is not None
    assert outcome.counterexample.point == {"x": Fraction(1, 2)}
    corrected = replace(false, correction=Correction("$x^2\\le x$", _at_most(lambda p: Fraction(p["x"]))))
    outcome = run_claim(corrected)
    assert (outcome.verdict, outcome.problems, outcome.correction) == ("fails", (), "$x^2\\le x$")
    data = outcome.to_dict()
    assert data["counterexample"] == {
        "point": {"x": "1/2"},
        "says": "{value: at-most 1/8}",
        "is": "{value: 1/4}",
        "should": "within the bounds that the statement gives",
    }
    worked = run_claim(replace(false, working=lambda p: f"x = {p['x']}\nx^2 = {p['x'] ** 2}"))
    assert worked.counterexample is not None
    assert worked.to_dict()["counterexample"]["working"] == "x = 1/2\nx^2 = 1/4"
    assert "working" not in data["counterexample"]


def test_holds_with_assumption_and_its_deletion() -> None:
    wide = {"x": Domain.interval("0 <= x <= 2", 0, 2, also=("1/2", "1"))}
    small = Condition("x <= 1", lambda p: p["x"] <= 1)
    claim = square_claim(variables=wide, missing=(small,))
    outcome = run_claim(claim)
    assert (outcome.verdict, outcome.assumption, outcome.problems) == ("holds-with-assumption", "x <= 1", ())
    assert outcome.counterexample is not None
    deleted = run_claim(replace(claim, missing=()))
    assert deleted.verdict == "fails"
    assert deleted.counterexample == outcome.counterexample


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"mutant": lambda p: Fraction(p["x"]) + 1}, "mutant 1 of `false` is true at all points"),
        ({"assumptions": (Condition("never", lambda p: False),)}, "no point"),
        ({"correction": Correction("x", _at_most(lambda p: Fraction(1)))}, "agrees everywhere"),
        ({"missing": (Condition("x < 1/2", lambda p: p["x"] < Fraction(1, 2)),)}, "agrees everywhere"),
        ({"computed": lambda p: 1 / Fraction(p["x"])}, "ZeroDivisionError"),
        ({"proof": lambda: Proof("all x", "none", ())}, "no certificate"),
    ],
)
def test_entries_that_prove_nothing_are_in_error(changes: dict, word: str) -> None:
    outcome = run_claim(square_claim(**changes))
    assert outcome.verdict == "error"
    assert word in " ".join(outcome.problems)


def test_a_wrong_correction_or_assumption_is_an_error() -> None:
    false = square_claim(theory=lambda p: Fraction(p["x"]) ** 3)
    outcome = run_claim(replace(false, correction=Correction("x^4", _at_most(lambda p: Fraction(p["x"]) ** 4))))
    assert outcome.verdict == "error"
    assert "repaired" in outcome.problems[0]
    outcome = run_claim(replace(false, missing=(Condition("x > 0", lambda p: p["x"] > 0),)))
    assert outcome.verdict == "error"


def test_undefined_points_are_no_counterexamples() -> None:
    outcome = run_claim(
        square_claim(
            theory=lambda p: 1 / Fraction(p["x"]),
            defined=(Condition("x is not 0", lambda p: p["x"] != 0),),
            mutant=lambda p: Fraction(p["x"]) / 2,
        )
    )
    assert outcome.verdict == "holds"
    assert outcome.undefined >= 1


def test_a_written_proof_makes_it_argued_and_a_rejected_one_an_error() -> None:
    x = sp.Symbol("x")
    good = prove_identity(x - x**2, x * (1 - x))
    proof = Proof("all x in [0, 1]", "x - x^2 = x (1 - x)", (("factored", good),), ("a product of two is nonnegative",))
    outcome = run_claim(square_claim(proof=lambda: proof))
    assert (outcome.verdict, outcome.evidence, outcome.scope) == ("not-refuted", "argued", "all x in [0, 1]")
    assert outcome.unchecked_steps
    whole = replace(proof, unchecked_steps=())
    assert run_claim(square_claim(proof=lambda: whole)).evidence == "argued"
    forged = replace(good, text=good.text.replace('"x"', '"1"', 1))
    outcome = run_claim(square_claim(proof=lambda: replace(proof, certificates=(("forged", forged),))))
    assert outcome.verdict == "error"


def test_not_checkable() -> None:
    outcome = run_claim(square_claim(not_checkable="a picture"))
    assert (outcome.verdict, outcome.reason) == ("not-checkable", "a picture")
    assert outcome.scope == "exact points of a sweep and a search"
    assert outcome.to_dict()["reason"] == "a picture"
    assert run_claim(square_claim()).to_dict()["reason"] == ""
    outcome = run_claim(square_claim(not_checkable="a picture", theory=lambda p: Fraction(0)))
    assert outcome.verdict == "error"


def test_strengths() -> None:
    cases = {
        "at-most": (1, 1, 2),
        "at-least": (1, 1, 0),
        "less": (1, 0, 1),
        "greater": (1, 2, 1),
        "rounds-to": ("0.29", Fraction(29, 100), Fraction(3, 10)),
    }
    for name, (theory, good, bad) in cases.items():
        assert agrees(StatedBound(name, theory), good)
        assert not agrees(StatedBound(name, theory), bad)
    printed = StatedBound("rounds-to", "2.372")
    assert agrees(printed, Enclosure(Fraction(23716, 10**4), Fraction(23724, 10**4)))
    assert not agrees(printed, Enclosure(Fraction(23714, 10**4), Fraction(23724, 10**4)))
    with pytest.raises(InvalidParameterError, match="strength"):
        StatedBound("similar", 1)
    with pytest.raises(InvalidParameterError, match="lower case"):
        square_claim(id="Nodot")


def test_irrational_truths_in_every_strength() -> None:
    """An enclosure decides an inequality when it lies on one side, refutes an equality, and else is too wide."""
    root = Enclosure(Fraction(1414, 1000), Fraction(1415, 1000))
    for strength, good, bad in (("at-most", 2, 1), ("less", 2, 1), ("at-least", 1, 2), ("greater", 1, 2)):
        assert agrees({"x": StatedBound(strength, good)}, {"x": root})
        assert not agrees(StatedBound(strength, bad), root)
        with pytest.raises(InvalidParameterError, match="narrower"):
            agrees(StatedBound(strength, Fraction(14142, 10**4)), root)
    assert not agrees(Fraction(3, 2), root)
    with pytest.raises(InvalidParameterError, match="not decided"):
        agrees(StatedBound("at-most", 1), float("nan"))
    assert agrees(Fraction(1, 2), Enclosure(Fraction(1, 2), Fraction(1, 2)))
    with pytest.raises(InvalidParameterError, match="narrower"):
        agrees(Fraction(14142, 10**4), root)


def test_values_are_printed_in_full() -> None:
    """A design with equal coordinates is no enclosure, and an enclosure is no design."""
    half, third = Fraction(1, 2), Fraction(1, 3)
    cases = {
        "(3/4, 3/4)": (Fraction(3, 4), Fraction(3, 4)),
        "{(1/2, 1/2), (1/3, 1/2)}": frozenset({(half, half), (third, half)}),
        "1/2": Enclosure(half, half),
        "~0.381844597": Enclosure(Fraction("0.38184459705"), Fraction("0.38184459706")),
        "between 1/3 and 1/2": Enclosure(third, half),
        "between ~0.1 and ~0.2": Enclosure(Fraction(10**40 - 1, 10**41), Fraction(2 * 10**40 - 1, 10**41)),
        "{a: true}": {"a": True},
    }
    for text, value in cases.items():
        assert value_text(value) == text
    assert Enclosure(half, half).is_exact
    with pytest.raises(InvalidParameterError, match="exchange"):
        Enclosure(half, third)


def test_of_two_mappings_only_what_differs_is_shown() -> None:
    example = Counterexample({}, {"a": True, "b": True}, {"a": True, "b": False}, "equal")
    assert example.differing() == ({"b": True}, {"b": False})
    assert example.to_dict()["says"] == "{a: true, b: true}"
    other = Counterexample({}, {"a": True}, {"b": True}, "equal")
    assert other.differing() == ({"a": True}, {"b": True})
    assert Counterexample({}, Fraction(1), Fraction(2), "equal").differing() == (1, 2)


@pytest.mark.slow
def test_patterns() -> None:
    assert set(find_claims(["holohan2016.lemma-1"])) == {"holohan2016.lemma-1"}
    assert len(find_claims(["holohan2016.example-*"])) >= 1
    assert set(find_claims(["holohan2016"])) < set(find_claims([])) | {"x"}
    with pytest.raises(InvalidParameterError, match="no claim matches"):
        find_claims(["nothing"])


def test_an_unknown_name_reads_all_claims_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[str] = []

    def claims_of(package: Any, wanted: str = "", load: Any = None) -> Any:
        reads.append(wanted)
        yield square_claim(), package

    monkeypatch.setattr("rropt.claims.registry.claims_of", claims_of)
    monkeypatch.setattr("rropt.claims.verifications.third_parties", list)
    with pytest.raises(InvalidParameterError, match="no claim matches 'nothing'"):
        verification(["nothing"])
    assert reads == ["nothing", ""]


def test_labels_are_computed() -> None:
    """Proved: on symbols; enumerated: every case; tested: exact points; certified: another file."""
    finite = {"x": Domain.values("x", Fraction(0), Fraction(1, 2), Fraction(1))}
    opaque = {"computed": lambda p: Fraction(str(p["x"])) ** 2}
    cases: list[tuple[dict, str]] = [
        ({}, "proved"),
        ({"variables": finite}, "proved"),
        ({"variables": finite, **opaque}, "enumerated"),
        (opaque, "tested"),
    ]
    for changes, label in cases:
        assert run_claim(square_claim(**changes)).evidence == label


def test_points_are_distinct_and_the_failing_ones_are_counted() -> None:
    outcome = run_claim(square_claim(theory=lambda p: Fraction(p["x"]) ** 3))
    assert outcome.points >= 200
    assert outcome.failing == outcome.points - 2  # all but 0 and 1


def test_a_missing_condition_that_is_not_needed_is_a_defect() -> None:
    wide = {"x": Domain.interval("0 <= x <= 2", 0, 2, also=("1/2", "1"))}
    missing = (Condition("x <= 1", "x <= 1"), Condition("x >= 0", "x >= 0"))
    outcome = run_claim(square_claim(variables=wide, missing=missing))
    assert "not needed beside the others: x >= 0" in outcome.problems[0]


def test_values_of_different_kinds_are_an_error() -> None:
    for wrong in (lambda p: True, lambda p: "0", lambda p: frozenset({p["x"]})):
        outcome = run_claim(square_claim(strength="", computed=wrong))
        assert outcome.verdict == "error"
        assert "different kinds" in outcome.problems[0]
    for says, is_ in (({1}, {True}), ([1], [True]), ((1,), [True]), ({"a": 1}, {"a": "1"})):
        with pytest.raises(InvalidParameterError, match="different kinds"):
            agrees(says, is_)
    for says, is_ in ((True, 1), (1, True), ("2", "10"), (1, "0"), ([1], 1), (1, {"a": 1})):
        for strength in ("at-most", "at-least", "less", "greater"):
            with pytest.raises(InvalidParameterError, match="a bound is of numbers"):
                agrees(StatedBound(strength, says), is_)
    assert agrees((1, [2]), [1, (2,)])
    assert agrees({1}, frozenset({Fraction(1)}))
    assert not agrees({1}, {Fraction(1, 2)})
    assert not agrees(set(), {1})


def test_a_half_is_rounded_away_from_zero() -> None:
    half = Fraction(5, 1000)
    for printed, value, right in (
        ("0.29", Fraction(285, 1000), True),
        ("0.28", Fraction(285, 1000), False),
        ("-0.29", Fraction(-285, 1000), True),
        ("-0.28", Fraction(-285, 1000), False),
        ("0.00", half, False),
        ("0.00", -half, False),
        ("0.01", half, True),
    ):
        assert agrees(StatedBound("rounds-to", printed), value) is right, (printed, value)
    for printed in ("1/3", "1e-3", ".5", Fraction(1, 3)):  # the number of its decimals is not known
        with pytest.raises(InvalidParameterError, match="no printed decimal"):
            agrees(StatedBound("rounds-to", printed), half)


def test_a_failed_proof_leaves_nothing_that_rests_on_its_certificates() -> None:
    """y/(1 + x) > 0 says y > 0 where x >= 0 alone, whose certificate must be there, whatever was tried before."""
    facts = [relations(text)[0] for text in ("y/(1 + x) > 0", "x >= 0")]
    first, second = Prover(tuple(facts)), Prover(tuple(facts))
    with pytest.raises(NoProofError):
        second.prove(relations("y > 5")[0], "not so")
    assert second.certificates == []
    for prover in (first, second):
        prover.prove(relations("y > 0")[0], "so")
    assert [name for name, _ in second.certificates] == [name for name, _ in first.certificates]


def test_a_weak_fact_is_no_sign_of_a_divisor() -> None:
    (identity,) = relations("y/x = y/x")
    Prover(relations("x > 0")).prove(identity, "so")
    with pytest.raises(NoProofError):
        Prover(relations("x >= 0")).prove(identity, "not so")


def _random_expression(rng: random.Random, depth: int) -> tuple[Any, Callable[[Mapping[str, Any]], Any]]:
    """Return an expression and the function that evaluates it in plain fractions."""
    kind = rng.randrange(7) if depth else rng.randrange(2)
    if kind == 0:
        number = Fraction(rng.randint(-3, 3), rng.randint(1, 3))
        return sp.Rational(number.numerator, number.denominator), lambda _: number
    if kind == 1:
        name = rng.choice("xyz")
        return sp.Symbol(name), lambda values: values[name]
    left, of_left = _random_expression(rng, depth - 1)
    if kind == 2:
        power = rng.choice((-2, -1, 0, 2, 3))
        base = sp.Symbol("x") + left**2 + 1  # SymPy makes no power of 0
        return base**power, lambda values: (values["x"] + of_left(values) ** 2 + 1) ** power
    right, of_right = _random_expression(rng, depth - 1)
    if kind in (3, 4):
        return left + right, lambda values: of_left(values) + of_right(values)
    return left * right, lambda values: of_left(values) * of_right(values)


def test_compiled_expressions_have_the_values_of_plain_fractions(
    rng: random.Random, size: Callable[[int, int], int]
) -> None:
    """Integers, fractions and places where something divides by 0; and the first place where a relation is false."""
    places = [{name: Fraction(rng.randint(-3, 3), rng.choice((1, 1, 2, 7))) for name in "xyz"} for _ in range(12)]
    divided = 0
    for _ in range(size(60, 3000)):
        (node, of_node), sign = _random_expression(rng, 4), rng.choice((">", ">=", "=", "!="))
        relation = Relation(sp.sympify(node), sign, sp.Symbol("x"))
        wrong = []
        for values in places:
            try:
                found = of_node(values)
            except ZeroDivisionError:
                divided += 1
                wrong.append(None)  # SymPy may have cancelled the power that divides
                continue
            assert values_of(sp.sympify(node))(values) == found
            meets = {">": found > values["x"], ">=": found >= values["x"], "=": found == values["x"]}
            wrong.append(values if not meets.get(sign, found != values["x"]) else ())
            assert relation.holds(values) == (wrong[-1] == ())
        if None not in wrong:
            first = next((each for each in wrong if each), None)
            assert relation.first_false(places) == first
    assert divided
    with pytest.raises(ZeroDivisionError):  # also of a divisor that cancels
        values_of(X / (1 + 1 / X))({"x": Fraction(0)})
    with pytest.raises(KeyError):
        relations("x*y*z*w > 0")[0].first_false(places)


@pytest.mark.parametrize("sign", [">", ">=", "=", "!="])
def test_one_opposite_is_true_where_a_relation_is_false(sign: str) -> None:
    relation = Relation(X, sign, N)
    for point in ({"x": Fraction(x), "n": Fraction(1)} for x in range(3)):
        assert sum(each.holds(point) for each in relation.opposite()) == (not relation.holds(point))


def test_a_power_that_would_end_the_program_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="a power is too large"):
        values_of(X ** (10**7))


@pytest.mark.parametrize("text", ["x > 0 or y > 0", "max(x, y) > 0", "1/(2 - 2) > x", "x", "x +", "x.real > 0"])
def test_what_is_no_relation_is_refused(text: str) -> None:
    with pytest.raises(InvalidParameterError):
        relations(text)


@pytest.mark.parametrize(
    ("facts", "assumed", "contradict"),
    [
        ("x >= 0", "x != 0 and 0 >= x", True),
        ("x >= 0 and 0 >= x", "2*x != 0", True),
        ("x >= 0 and y >= 0", "x != 0 and 0 >= x + y", True),
        ("x >= 0 and y >= 0", "x*y != 0 and 0 >= x", False),  # it does, but x y >= 0 is no fact
        ("x >= 0", "x != 0 and 1 >= x", False),
        ("x >= -1", "x != 0 and 0 >= x", False),
        ("x >= 0 and y >= 0", "x != 0 and 0 >= y", False),
        ("x >= 0", "x - 1 != 0 and 0 >= x", False),
    ],
)
def test_what_is_at_least_0_and_not_0_is_positive(facts: str, assumed: str, contradict: bool) -> None:
    prover = Prover(relations(facts))
    if not contradict:
        with pytest.raises(NoProofError):
            prover.refute(relations(assumed), "a branch")
        return
    prover.refute(relations(assumed), "a branch")
    assert prover.certificates
