"""Sums in sums, whole groups, flags and bound variables in anchored proofs."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Domain, Entry, Flag, Fold, Point, Value, run_claim

PRIORS = Domain(
    "a prior on two to four categories",
    ((Fraction(1, 2),) * 2, (Fraction(1), Fraction(0)), (Fraction(1, 4),) * 4),
    lambda rng: _prior(rng),
    entries={(): "x >= 0"},
    whole_groups=lambda alpha: [[(j,) for j in range(len(alpha))]],
)


def _prior(rng: random.Random) -> tuple[Fraction, ...]:
    weights = [rng.randint(1, 9) for _ in range(rng.randint(2, 4))]
    return tuple(Fraction(w, sum(weights)) for w in weights)


def _claim(theory: Any, computed: Any, strength: str, proof: Any, **more: Any) -> Claim:
    return Claim(
        id="test.folds",
        source="a test",
        printed="folds",
        precise="folds",
        variables={"alpha": PRIORS},
        theory=theory,
        computed=computed,
        strength=strength,
        mutant=lambda p: theory(p) - Fraction(1, 3),
        proof=proof,
        **more,
    )


def _entries(point: Point, name: str = "a") -> list[dict[str, Any]]:
    return [{name: Entry("alpha", j)} for j in range(len(point["alpha"]))]


def test_a_sum_in_a_sum_over_whole_groups_is_1() -> None:
    """The sum of alpha_i alpha_j over all pairs is 1."""
    inner = Fold(
        over=lambda point, at, element: _entries(point, "b"),
        start={"row": 0, "rest": 0},
        update={"row": "row + a*b", "rest": "rest + b"},
        invariants="row == a*rest",
    )
    outer = Fold(
        over=lambda point, at: _entries(point),
        start={"double": 0, "all": 0},
        update={"double": "double + row", "all": "all + a"},
        invariants="double == all*rest",
        inner=inner,
    )
    once = Fold(
        over=lambda point, at: _entries(point, "c"), start={"one": 0}, update={"one": "one + c"}, invariants="one >= 0"
    )
    claim = _claim(
        lambda p: sum(p["alpha"]) ** 2,
        lambda p: sum(a * b for a in p["alpha"] for b in p["alpha"]),
        "equality",
        lambda: Anchored(Value("all*rest", "double"), folds=[once, outer]),
    )
    outcome = run_claim(claim)
    assert "proved" in outcome.evidence, outcome.unchecked_steps
    wrong = replace(outer, inner=replace(inner, invariants="row == 2*a*rest"))
    assert (
        run_claim(replace(claim, proof=lambda: Anchored(Value("all*rest", "double"), folds=[wrong]))).evidence
        == "argued"
    )


def _share(point: Point) -> Fraction:
    return max(sum(a for j, a in enumerate(point["alpha"]) if j != out) for out in range(len(point["alpha"])))


def test_flags_and_whole_groups() -> None:
    """The probability of a set is at most 1, and so is that of the likeliest set without one category."""
    share = Fold(
        over=lambda point, at: [
            {"a": Entry("alpha", j), "f": Flag(j != at["out"])} for j in range(len(point["alpha"]))
        ],
        start={"s": 0, "w": 0},
        update={"s": "s + a*f", "w": "w + a"},
        invariants=("s <= w", "s >= 0"),
    )
    proof = lambda: Anchored(  # noqa: E731
        Value(theory=1, computed="s"),
        at=lambda p: {"out": min(range(len(p["alpha"])), key=p["alpha"].__getitem__)},
        folds=[share],
    )
    claim = _claim(lambda p: Fraction(1), _share, "at-most", proof)
    outcome = run_claim(replace(claim, mutant=lambda p: Fraction(1, 2)))
    assert "proved" in outcome.evidence, (outcome.unchecked_steps, outcome.problems)
    no_groups = replace(PRIORS, whole_groups=None)
    outcome = run_claim(replace(claim, mutant=lambda p: Fraction(1, 2), variables={"alpha": no_groups}))
    assert outcome.evidence == "argued"


def test_a_relation_that_names_the_state_of_a_fold_must_hold_too() -> None:
    """The sum of the squares of a prior is at most 1; a domain that says it of the state is believed where it is so."""
    squares = Fold(
        over=lambda point, at: [{"a": Entry("alpha", j)} for j in range(len(point["alpha"]))],
        start={"s": 0},
        update={"s": "s + a*a"},
        invariants="s >= 0",
    )
    claim = _claim(
        lambda p: Fraction(1),
        lambda p: sum(a * a for a in p["alpha"]),
        "at-most",
        lambda: Anchored(Value(theory=1, computed="s"), at=lambda p: {"cap": 1}, folds=[squares]),
    )
    claim = replace(claim, mutant=lambda p: Fraction(1, 2))
    true, false = (Domain("a number", (), relation=said) for said in ("s <= x <= 1", "2*s <= x <= 1"))
    outcome = run_claim(replace(claim, bound={"cap": true}))
    assert "proved" in outcome.evidence
    outcome = run_claim(replace(claim, bound={"cap": false}))
    assert outcome.evidence == "argued"
    assert any("is false at a point" in step for step in outcome.unchecked_steps)


def test_bound_variables_have_the_facts_of_their_domain_and_must_obey_them() -> None:
    claim = _claim(
        lambda p: Fraction(2),
        lambda p: 1 + max(p["alpha"]),
        "at-most",
        lambda: Anchored(Value(theory=2, computed="1 + q"), at=lambda p: {"q": max(p["alpha"])}),
    )
    claim = replace(claim, mutant=lambda p: Fraction(1))
    assert run_claim(claim).evidence == "argued"  # nothing is known of q
    outcome = run_claim(replace(claim, bound={"q": Domain.interval("a share", 0, 1)}))
    assert all("restates" in step for step in outcome.unchecked_steps)  # that q is a share is the claim
    outcome = run_claim(replace(claim, bound={"q": Domain.interval("a small share", 0, "1/2")}))
    assert "is false at a point" in outcome.unchecked_steps[0]


def test_the_count_of_an_inner_list_is_not_that_of_the_outer_one() -> None:
    """Inner lists of i elements, of 2 i from the fifth on: sum <= n (n-1)/2 holds on all lists that the sweep draws."""

    def length(i: Any) -> int:
        return int(i) if i < 4 else 2 * int(i)

    inner = Fold(
        over=lambda point, at, element: [{} for _ in range(length(element["i"]))],
        start={"m": 0},
        update={"m": "m + 1"},
        invariants="m <= count",
    )
    outer = Fold(
        over=lambda point, at: [{"i": Fraction(i)} for i in range(len(point["alpha"]))],
        start={"total": 0, "n": 0},
        update={"total": "total + m", "n": "n + 1"},
        invariants=("2*total <= count*(count - 1)", "n == count", "2*total <= n*(n - 1)"),
        inner=inner,
    )
    claim = _claim(
        lambda p: Fraction(len(p["alpha"]) * (len(p["alpha"]) - 1), 2),
        lambda p: Fraction(sum(length(i) for i in range(len(p["alpha"])))),
        "at-most",
        lambda: Anchored(Value(theory="n*(n - 1)/2", computed="total"), folds=[outer]),
    )
    outcome = run_claim(claim)
    assert outcome.verdict == "holds"
    assert outcome.evidence == "argued"
    assert any("fold 1" in step or "does not follow" in step for step in outcome.unchecked_steps)


def test_what_holds_after_every_element_names_none_of_them() -> None:
    """That all numbers are the same is no induction: the x of the step is not the x of what was assumed."""
    fold = Fold(
        over=lambda point, at: _entries(point), start={"s": 0}, update={"s": "s + a"}, invariants="s == count*a"
    )
    equal = Domain("equal shares", ((Fraction(1, 2),) * 2, (Fraction(1, 3),) * 3), entries={(): "x >= 0"})
    claim = _claim(
        lambda p: Fraction(1), lambda p: sum(p["alpha"]), "equality", lambda: Anchored(Value(1, "s"), folds=[fold])
    )
    outcome = run_claim(replace(claim, variables={"alpha": equal}))
    assert outcome.evidence == "argued"
    assert "names none of them" in outcome.unchecked_steps[0]
