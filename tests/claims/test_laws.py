"""Laws with finitely many values: means, events and what bounds them; false ones are refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rropt.claims import Anchored, Claim, Condition, Domain, Entry, Law, Point, Value, run_claim

Pairs = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
HALF = Fraction(1, 2)
LAWS: tuple[Pairs, ...] = (
    ((Fraction(0), Fraction(1)), (HALF, HALF)),
    ((Fraction(0), Fraction(1), Fraction(5)), (HALF, Fraction(1, 4), Fraction(1, 4))),
    ((Fraction(2), Fraction(3)), (Fraction(1, 3), Fraction(2, 3))),
)
VALUES = Law(
    over=lambda point, _: [{"x": Entry("law", 0, i), "c": Entry("law", 1, i)} for i in range(len(point["law"][0]))],
    chance="c",
    means={"m": "x"},
    events={"q": "x >= t"},
    bounds="x >= t*q",
)
DOMAIN = Domain(
    "a law of numbers >= 0",
    LAWS,
    entries={(0,): "x >= 0", (1,): "x >= 0"},
    whole_groups=lambda law: [[(1, i) for i in range(len(law[1]))]],
)


def _mean(point: Point) -> Fraction:
    return sum((x * c for x, c in zip(*point["law"], strict=True)), Fraction(0))


def _chance(point: Point) -> Fraction:
    return sum((c for x, c in zip(*point["law"], strict=True) if x >= point["t"]), Fraction(0))


def _markov(law: Law, **changes: Any) -> Any:
    """Pr[X >= t] <= E[X] / t, Markov's inequality."""
    claim = Claim(
        id="test.markov",
        source="a test",
        printed="Markov",
        precise="Markov",
        variables={"law": DOMAIN, "t": Domain.interval("a threshold", 1, 3)},
        theory=lambda point: _mean(point) / point["t"],
        computed=_chance,
        strength="at-most",
        mutant=lambda point: _mean(point) / point["t"] / 3,
        proof=lambda: Anchored(Value(theory="m/t", computed="q"), folds=[law]),
    )
    return run_claim(replace(claim, **changes))


def test_the_probability_of_an_event_from_what_holds_for_every_value() -> None:
    outcome = _markov(VALUES)
    assert "proved" in outcome.evidence, outcome.unchecked_steps
    assert "lists of any length" not in outcome.scope  # the link is a sweep


@pytest.mark.parametrize(
    ("law", "word"),
    [
        (replace(VALUES, bounds="x >= 2*t*q"), "is false"),  # or does not follow
        (replace(VALUES, bounds="x >= t*q + c"), "received ['c']"),  # the chance is another one for each value
        (replace(VALUES, events={"q": "c >= t"}), "received ['c']"),
        (replace(VALUES, bounds="x**2 >= t*x*q"), "has no name"),
        (replace(VALUES, means={"m": "x", "w": "x*c"}), "received ['c']"),
        (replace(VALUES, means={"x": "x"}), "another value"),
        (replace(VALUES, chance="x"), "sum to 1"),
        (replace(VALUES, means={"t": "x"}), "is taken"),
    ],
)
def test_what_is_false_of_a_law_is_refused(law: Law, word: str) -> None:
    outcome = _markov(law)
    assert outcome.evidence == "argued"
    assert word in " ".join(outcome.unchecked_steps) or (word == "is false" and "not follow" in str(outcome))


def test_probabilities_that_may_be_negative_or_have_no_known_sum_prove_nothing() -> None:
    for domain in (replace(DOMAIN, entries={(0,): "x >= 0"}), replace(DOMAIN, whole_groups=None)):
        outcome = _markov(VALUES, variables={"law": domain, "t": Domain.interval("a threshold", 1, 3)})
        assert outcome.evidence == "argued"


def test_a_condition_about_a_law_is_a_fact_only_in_a_proof_with_that_law() -> None:
    """Pr[X >= t] <= 1 - Pr[X < t] <= E[X] where E[X] >= 1."""
    condition = Condition("the mean is at least 1", "m >= 1", VALUES)
    changes = {
        "theory": lambda point: _mean(point),
        "mutant": lambda point: _mean(point) / 9,
        "assumptions": (condition,),
        "computed": lambda point: Fraction(1),
    }
    shape = Value(theory="m", computed=1)
    restated = _markov(VALUES, **changes, proof=lambda: Anchored(shape, folds=[VALUES]))
    assert "restates" in " ".join(restated.unchecked_steps)  # it is a fact: the claim is the condition
    other = replace(VALUES, bounds=())
    assert _markov(VALUES, **changes, proof=lambda: Anchored(shape, folds=[other])).evidence == "argued"


TRIALS = Law(
    over=lambda point, _: [{"o": Entry("p", i)} for i in range(len(point["p"]))],
    start={"r": 0},
    outcomes=[("o", {"r": "r + 1"}), ("1 - o", {})],
    means={"m": "r"},
    support="0 <= r <= count",
    count="n",
    events={"q": "r >= 1"},
    bounds="q <= r",
)


def _trials(law: Law) -> Any:
    """The probability of a success among independent trials is at most the mean number of successes."""

    def chance(point: Point) -> Fraction:
        none = Fraction(1)
        for p in point["p"]:
            none *= 1 - p
        return 1 - none

    claim = Claim(
        id="test.trials",
        source="a test",
        printed="a union",
        precise="a union",
        variables={
            "p": Domain(
                "probabilities",
                ((HALF,), (HALF, Fraction(1)), (Fraction(0), Fraction(1, 3), Fraction(1, 5))),
                lambda rng: tuple(Fraction(rng.randint(0, 6), 6) for _ in range(rng.randint(1, 5))),
                entries={(): "0 <= x <= 1"},
            )
        },
        theory=lambda point: sum(point["p"], Fraction(0)),
        computed=chance,
        strength="at-most",
        mutant=lambda point: HALF,
        proof=lambda: Anchored(
            Value(theory="m", computed="q"),
            at=lambda point: {"n": Fraction(len(point["p"])), "k": Fraction(2)},
            folds=[law],
        ),
    )
    return run_claim(claim)


def test_trials_with_what_is_known_after_every_one() -> None:
    outcome = _trials(TRIALS)
    assert "proved" in outcome.evidence, outcome.unchecked_steps


@pytest.mark.parametrize(
    "law",
    [
        replace(TRIALS, outcomes=[("o", {"r": "r + 1"}), ("o", {})]),  # not all outcomes
        replace(TRIALS, outcomes=[("2*o", {"r": "r + 1"}), ("1 - 2*o", {})]),  # a negative probability
        replace(TRIALS, support="r <= count - 1"),
        replace(TRIALS, support="r == 0"),
        replace(TRIALS, bounds="2*q <= r"),
        replace(TRIALS, bounds="q*o <= r"),  # the p of which trial?
        replace(TRIALS, invariants="m == count*o"),
        replace(TRIALS, outcomes=[("o", {"z": "r + 1"}), ("1 - o", {})]),
        replace(TRIALS, means={"m": "r", "k": "r"}),
    ],
)
def test_trials_that_are_not_what_they_say_are_refused(law: Law) -> None:
    outcome = _trials(law)
    assert outcome.evidence == "argued"
    assert outcome.unchecked_steps
