"""Labels and scopes: what they say is what is known, and no more."""

from __future__ import annotations

import random
from collections import UserDict
from dataclasses import replace
from fractions import Fraction
from typing import Any

from support.row_claims import row_claim, rows, square_claim

from rropt.claims import Claim, Condition, Correction, Domain, Outcome, Point, Reading, run_claim
from rropt.claims.outcomes import AT_SHAPES
from rropt.claims.verifications import Verification


def _untraced(value: Any) -> Any:
    """A value that no trace follows."""
    assert isinstance(value, Fraction)
    return value


def test_a_condition_in_words_belongs_to_a_scope_by_a_sweep() -> None:
    odd = Condition("the numerator of x is odd", lambda p: p["x"].numerator % 2 == 1)
    swept = square_claim(assumptions=(odd,), computed=lambda p: _untraced(p["x"]) ** 2)
    assert "the numerator of x is odd" in run_claim(swept).scope


def test_a_refutation_names_its_correction() -> None:
    fixed = Correction("$x^2\\le x$", rows(lambda p: p["x"], lambda p: p["x"] ** 2, "at-most"))
    false = square_claim(theory=lambda p: p["x"] / 2, correction=fixed)
    outcome = run_claim(false)
    assert (outcome.verdict, outcome.evidence, outcome.correction_evidence) == ("fails", "refuted", "proved")
    assert outcome.label == "refuted by an exact counterexample; correction proved"
    untraced = rows(lambda p: p["x"], lambda p: _untraced(p["x"]) ** 2, "at-most")
    swept = run_claim(replace(false, correction=replace(fixed, rows=untraced)))
    assert swept.label == "refuted by an exact counterexample; correction tested"
    alone = run_claim(replace(false, correction=None))
    assert (alone.evidence, alone.correction_evidence) == ("refuted", "")
    assert alone.label == "refuted by an exact counterexample"
    listed = Verification((), (outcome, swept, alone), ())
    assert "1 refuted (correction proved)" in listed.totals()
    assert listed.totals().startswith("3 claims in ")
    assert Verification((), (outcome,), ()).totals().startswith("1 claim in ")
    assert Outcome.from_dict(swept.to_dict()).label == swept.label


LESS = rows(lambda p: Fraction(p["x"]), lambda p: Fraction(p["x"]) ** 2, "less")
LARGER = Reading("at most, strictly", "Definition 1: 'less'", {"rows": LESS})
WEAK = Reading("at most", "Definition 2: 'at most'")


def test_readings_have_verdicts_of_their_own() -> None:
    outcome = run_claim(square_claim(readings=(WEAK, LARGER)))
    assert outcome.verdict == "depends-on-reading"
    first, second = outcome.readings
    assert (first.name, first.verdict, first.evidence) == ("at most", "holds", "proved")
    assert (second.verdict, second.evidence, second.rests_on) == ("fails", "refuted", "Definition 1: 'less'")
    assert "read as at most: holds (proved)" in outcome.label
    assert outcome.counterexample is not None
    assert Outcome.from_dict(outcome.to_dict()).readings == outcome.readings
    assert run_claim(square_claim(readings=(WEAK, replace(WEAK, name="again")))).verdict == "holds"
    assert run_claim(square_claim(readings=(LARGER,))).verdict == "fails"


def test_readings_with_other_variables_are_computed_at_their_own_points() -> None:
    """The values (1, 2) of (a, b) and of (b, a) are two points, though sides are kept from reading to reading."""
    one, two = Domain.values("a number", 1), Domain.values("a number", 2)
    claim = row_claim(
        lambda p: Fraction(p["a"]),
        lambda p: Fraction(1),
        mutant=lambda p: Fraction(-1),
        variables={"a": one, "b": two},
        readings=(Reading("first", "a"), Reading("second", "b", {"variables": {"b": one, "a": two}})),
    )
    outcome = run_claim(claim)
    assert [each.verdict for each in outcome.readings] == ["holds", "fails"]


class _Changes(UserDict[str, Any]):
    """Changes of a reading whose sides are made anew each time, so that one may have the id of another."""

    def __getitem__(self, key: str) -> Any:
        shift = self.data[key]
        return rows(lambda p: Fraction(p["x"] + shift), lambda p: Fraction(p["x"]))


def test_sides_that_are_made_anew_are_computed_anew() -> None:
    readings = tuple(Reading(f"{n} more", "a", _Changes(rows=n)) for n in (0, 1, 0, 1))
    outcome = run_claim(square_claim(computed=lambda p: Fraction(p["x"]), strength="", readings=readings))
    assert [each.verdict for each in outcome.readings] == ["holds", "fails"] * 2


def _draw(rng: random.Random) -> tuple[Fraction, ...]:
    return tuple(Fraction(rng.randint(0, 9), 9) for _ in range(rng.randint(1, 4)))


LISTS = Domain(
    "numbers from 0 to 1", ((Fraction(1, 2),), (Fraction(1), Fraction(1, 3))), _draw, entries={(): "0 <= x <= 1"}
)


def _squares() -> Claim:
    def computed(p: Point) -> Any:
        return sum((x * x for x in p["x"]), Fraction(0))

    return square_claim(
        variables={"x": LISTS},
        theory=lambda p: sum(p["x"], Fraction(0)),
        computed=computed,
        mutant=lambda p: sum(p["x"], Fraction(0)) / 2,
    )


def test_lists_are_traced_with_a_symbol_for_each_entry_at_the_shapes_of_the_scope() -> None:
    outcome = run_claim(_squares())
    assert outcome.evidence == AT_SHAPES, outcome.unchecked_steps
    assert "4 shapes with x of size 1, 2, 3, 4" in outcome.scope
    assert outcome.label == "proved at sizes x of size 1, 2, 3, 4"
    assert "any length" not in outcome.scope
