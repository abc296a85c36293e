"""False claims whose defect stands behind a link that is only swept: none reads as plainly proved.

The certificates of such a proof are sound and about the expressions that its author gave; that the claim's Python
returns those is seen at the points of the sweep alone. The label has to say so, and how many points that are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rropt.claims import Anchored, Claim, Domain, Entry, Fold, Least, Point, Truth, Value, run_claim
from rropt.claims.outcomes import AT_SHAPES, FEWEST_POINTS, SWEPT

UNIT = Domain.interval("0 <= x <= 1", 0, 1, also=("1/2",))
HERE = Fraction(math.sqrt(2)) / 5
LISTS = Domain(
    "lists of numbers from 0 to 1",
    ((Fraction(1),), (Fraction(1, 2), Fraction(1, 3))),
    lambda rng: tuple(Fraction(rng.randint(0, 9), 9) for _ in range(rng.randint(1, 5))),
    entries={(): "0 <= x <= 1"},
)
SIZES = Domain("a number of people", (1, 2, 3, 10), lambda rng: rng.choice((rng.randint(1, 90), 200)), "x >= 1")


def _near(x: Any) -> bool:
    """Whether x is within 1e-30 of sqrt(2)/5, which no constant of the code is."""
    return bool(abs(x - Fraction(math.sqrt(2)) / 5) < Fraction(1, 10) ** 30)


def _claim(**changes: Any) -> Claim:
    """``computed <= x`` on [0, 1], where ``computed`` is said to be ``x**2``."""
    return replace(
        Claim(
            id="test.swept",
            source="a test",
            printed="false",
            precise="false",
            variables={"x": UNIT},
            theory=lambda p: Fraction(p["x"]),
            computed=lambda p: Fraction(p["x"]) ** 2,
            strength="at-most",
            mutant=lambda p: Fraction(p["x"]) - Fraction(1, 10),
            proof=lambda: Anchored(Value(computed="x**2")),
        ),
        **changes,
    )


def _by_kind(p: Point) -> Fraction:
    return Fraction(2) if isinstance(p["x"], Fraction) and _near(p["x"]) else p["x"] ** 2


def _by_error(p: Point) -> Fraction:
    try:
        return [p["x"] ** 2][int(_near(p["x"]))]
    except IndexError:
        return Fraction(2)


def _by_format(p: Point) -> Fraction:
    """A branch of code that no trace follows: a number with many digits."""
    return Fraction(2) if len(str(p["x"])) > 60 else Fraction(p["x"]) ** 2


def _by_table(p: Point) -> Fraction:
    return {Fraction(math.sqrt(2)) / 5: Fraction(2)}.get(p["x"], Fraction(p["x"]) ** 2)


def _by_float(p: Point) -> Fraction:
    return Fraction(2) if float(p["x"]) == math.sqrt(2) / 5 else Fraction(p["x"]) ** 2


def _by_remainder(p: Point) -> Fraction:
    return Fraction(2) if p["n"] % 101 == 97 else Fraction(p["n"])


def _by_count(p: Point) -> Fraction:
    return sum((Fraction(1) for j in range(p["n"]) if j != 96), Fraction(0)) + (2 if p["n"] == 97 else p["n"] > 97)


def _by_length(p: Point) -> Fraction:
    return Fraction(2) if len(p["L"]) == 7 else max(p["L"])


def _of_sum(p: Point) -> Fraction:
    total = sum(p["L"], Fraction(0))
    return total + 1 if _near(total) else total


def _sums(**more: Any) -> Fold:
    said = {"over": lambda point, at: [{"e": Entry("L", i)} for i in range(len(point["L"]))]}
    start, update = {"s": 0, "n": 0}, {"s": "s + e", "n": "n + 1"}
    return Fold(**said, start=start, update=update, invariants="0 <= s <= n", **more)


def _people(side: Callable[[Point], Any]) -> Claim:
    return _claim(
        variables={"n": SIZES},
        theory=lambda p: Fraction(p["n"]),
        computed=side,
        strength="equality",
        mutant=lambda p: Fraction(0),
        proof=lambda: Anchored(Value(computed="n")),
    )


def _falling(p: Point) -> Fraction:
    return (p["x"] - Fraction(math.sqrt(2)) / 5) ** 2 - Fraction(1, 10) ** 30


DIP = f"(x_ - {HERE.numerator}/{HERE.denominator})**2 - 1/10**30"
EDGES = Domain("from -1 to 9, drawn from 1 on", (1, 9), lambda rng: rng.randint(1, 9), "-1 <= x <= 9")

# claim, and a point at which it is false
PLANTED: dict[str, tuple[Claim, Point]] = {
    "a kind of number": (_claim(computed=_by_kind), {"x": HERE}),
    "an error": (_claim(computed=_by_error), {"x": HERE}),
    "many digits": (_claim(computed=_by_format), {"x": Fraction(10**60 - 1, 10**60)}),
    "a table": (_claim(computed=_by_table), {"x": HERE}),
    "a float": (_claim(computed=_by_float), {"x": Fraction(math.sqrt(2) / 5)}),
    "the theory of another kind": (
        _claim(
            theory=lambda p: Fraction(-1) if isinstance(p["x"], Fraction) and _near(p["x"]) else p["x"],
            proof=lambda: Anchored(Value(theory="x")),
        ),
        {"x": HERE},
    ),
    "one integer, by its remainder": (_people(_by_remainder), {"n": 97}),
    "one integer, by a loop": (_people(_by_count), {"n": 97}),
    "one length": (
        _claim(
            variables={"L": LISTS},
            theory=lambda p: Fraction(1),
            computed=_by_length,
            mutant=lambda p: Fraction(1, 2),
            proof=lambda: Anchored(
                Value(1, Least("e <= g")), at=lambda p: [{"e": Entry("L", i)} for i in range(len(p["L"]))]
            ),
        ),
        {"L": (Fraction(1),) * 7},
    ),
    "a sum, at one value": (
        _claim(
            variables={"L": LISTS},
            theory=lambda p: Fraction(len(p["L"])),
            computed=lambda p: _of_sum(p) if len(p["L"]) > 1 or not _near(p["L"][0]) else Fraction(2),
            mutant=lambda p: Fraction(0),
            proof=lambda: Anchored(Value("n", "s"), folds=[_sums()]),
        ),
        {"L": (HERE,)},
    ),
    "a truth value": (
        _claim(
            theory=lambda p: p["x"] <= Fraction(1, 2),
            computed=lambda p: p["x"] <= Fraction(1, 2) and not (isinstance(p["x"], Fraction) and _near(p["x"])),
            strength="iff",
            mutant=lambda p: True,
            proof=lambda: Anchored(Truth("x <= 1/2", "x <= 1/2")),
        ),
        {"x": HERE},
    ),
    "a bound variable that has no value there": (
        _claim(
            variables={"x_": UNIT},
            bound={"q": Domain("what is left", (), relation=f"0 <= x <= {DIP} + 1 and x >= 0 and x <= {DIP}")},
            theory=lambda p: Fraction(0),
            computed=lambda p: _falling({"x": p["x_"]}),
            strength="at-least",
            mutant=lambda p: Fraction(2),
            proof=lambda: Anchored(Value(), at=lambda p: {"q": Fraction(0)}, steps=["q >= 0"]),
        ),
        {"x_": HERE},
    ),
    "a list of a length that is negative there": (
        _claim(
            variables={"x": EDGES},
            theory=lambda p: Fraction(0),
            computed=lambda p: Fraction(p["x"]),
            strength="at-least",
            mutant=lambda p: Fraction(10),
            proof=lambda: Anchored(
                Value(),
                folds=[
                    Fold(
                        lambda point, at: [{}] * point["x"],
                        {"y": 0},
                        {"y": "y + 1"},
                        ("y == count", "y >= 0"),
                        count="x",
                    )
                ],
                steps=["x >= 0"],
            ),
        ),
        {"x": -1},
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_false_claim_behind_a_swept_link_is_not_plainly_proved(name: str) -> None:
    claim, at = PLANTED[name]
    says, is_ = claim.theory(at), claim.computed(at)
    compares = {"at-most": lambda: is_ <= says, "at-least": lambda: is_ >= says}
    assert not compares.get(claim.strength, lambda: is_ == says)(), "it is true there"
    outcome = run_claim(claim)
    if name == "one length":  # proved for the lengths of the sweep, which the scope names; 7 is not one of them
        assert "; L of the shape 1, 2, " in outcome.scope
        assert "7" not in outcome.scope.rpartition("of the shape")[2]
    assert outcome.evidence != "proved", outcome
    assert outcome.evidence != AT_SHAPES or name == "one length", outcome
    if outcome.evidence == SWEPT:
        assert any("sweep" in link for link in outcome.links)
        assert FEWEST_POINTS <= outcome.swept <= 10_000
        assert outcome.label == f"lemma proved, statement tested at {outcome.swept} points"


def test_most_of_them_are_as_far_as_the_link() -> None:
    """The test above is not passed by refusals of another kind: these proofs are sound but for their links."""
    found = {name: run_claim(claim) for name, (claim, _) in PLANTED.items()}
    refused = {name: outcome.unchecked_steps for name, outcome in found.items() if outcome.evidence == "argued"}
    assert len(refused) <= 6, refused


def test_what_is_traced_on_both_sides_is_plainly_proved() -> None:
    for proof in (Value(), Value("x", "x**2"), Value(computed="x*x")):
        outcome = run_claim(_claim(proof=lambda proof=proof: Anchored(proof)))
        assert (outcome.evidence, outcome.swept) == ("proved", 0), outcome.links
    both = _claim(
        theory=lambda p: p["x"] <= Fraction(1, 2),
        computed=lambda p: 2 * p["x"] <= 1,
        strength="iff",
        mutant=lambda p: True,
        proof=lambda: Anchored(Truth("x <= 1/2", "2*x <= 1")),
    )
    assert run_claim(both).evidence == "proved"


def test_a_length_that_is_a_whole_number_is_exact() -> None:
    """n (n + 1)/2 <= n^2: the length n is a whole number >= 1 at every point, and nothing is swept."""
    steps = Fold(lambda p, at: [{}] * p["n"], {"y": 0}, {"y": "y + 1"}, "y == count", count="n")
    claim = _claim(
        variables={"n": SIZES},
        theory=lambda p: Fraction(p["n"]) ** 2,
        computed=lambda p: p["n"] * (p["n"] + 1) * Fraction(1, 2),
        mutant=lambda p: Fraction(1, 2),
        proof=lambda: Anchored(Value(), folds=[steps], steps=["y >= 1"]),
    )
    assert run_claim(claim).evidence == "proved"
    half = replace(steps, over=lambda p, at: [{}] * (p["n"] // 2 * 2), count="2*h")
    swept = replace(claim, proof=lambda: Anchored(Value(), at=lambda p: {"h": Fraction(p["n"] // 2)}, folds=[half]))
    assert run_claim(swept).evidence == SWEPT


def test_summary_and_report_tell_the_two_apart() -> None:
    from rropt.reports import claims_page

    claim = PLANTED["many digits"][0]
    outcome = run_claim(claim)
    assert outcome.evidence == SWEPT
    assert f"statement tested at {outcome.swept} points" in claims_page({claim.id: (claim, outcome)})
    assert outcome.to_dict()["evidence"] == SWEPT


def _by_text(p: Point) -> Fraction:
    """A true side that no trace follows."""
    return Fraction(str(p["n"]))


def test_a_scope_by_a_sweep_names_the_variables_that_were_integers_everywhere() -> None:
    claim = replace(_people(_by_text), theory=lambda p: Fraction(p["n"]) ** 2, strength="at-most")
    outcome = run_claim(claim)
    assert (outcome.evidence, outcome.scope) == (SWEPT, "all points with n >= 1, n an integer")
    halves = Domain("n, also 3/2", (1, 2, 3, Fraction(3, 2)), lambda rng: rng.randint(1, 90), "x >= 1")
    outcome = run_claim(replace(claim, variables={"n": halves}))
    assert (outcome.evidence, outcome.scope) == (SWEPT, "all points with n >= 1")


def test_a_scope_explains_the_names_that_are_no_variables_of_the_claim() -> None:
    """Bound variables by their meaning, names of entries by the list; free variables have a row of their own."""
    claim = _claim(
        computed=lambda p: Fraction(str(p["x"])) ** 2,
        bound={
            "w": Domain("what x leaves of 1", (), relation="x >= 0"),
            "parts": Domain("three thirds", (), entries={(): "x > 0"}),
        },
        proof=lambda: Anchored(
            Value(computed="x**2"),
            at=lambda p: {"w": "1 - x", "parts": (Fraction(1, 3),) * 3, "part": Entry("parts", 0)},
        ),
    )
    outcome = run_claim(claim)
    told = "w: what x leaves of 1; part: an entry of parts (three thirds)"
    assert (outcome.evidence, outcome.problems) == (SWEPT, ())
    assert outcome.scope == f"all points with x >= 0, x <= 1, w >= 0, part > 0; {told}"
    unused = replace(claim, computed=lambda p: p["x"] ** 2)
    assert run_claim(unused).scope == "all points with x >= 0, x <= 1"
