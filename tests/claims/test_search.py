"""The search finds defects next to a boundary; what it misses is not proved."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from support.row_claims import row_claim

from rropt.claims import Claim, Domain, Point, run_claim

Side = Callable[[Point], Any]
UNIT = Domain.interval("x", 0, 1)


def _claim(theory: Side, computed: Side, strength: str, variables: dict[str, Domain]) -> Claim:
    return row_claim(theory, computed, strength, mutant=lambda p: computed(p) + 1, variables=variables)


def _beside(rng: random.Random) -> Claim:
    """False only within 1e-12 of an end of the domain, and not at the end."""
    end, variables = Fraction(rng.choice((0, 1))), {"x": Domain.interval("x", 0, 1), "y": Domain.interval("y", 0, 1)}
    return _claim(lambda p: p["y"], lambda p: p["y"] + (0 < abs(p["x"] - end) < Fraction(1, 10**12)), "", variables)


def _wide(rng: random.Random) -> Claim:
    """A defect of relative width 1e-4 that several parameters hide, in forms that name no end of an interval."""
    variables = {"x": UNIT, "y": UNIT, "gamma": Domain.odds(), "k": Domain.whole("k", 2, 30)}
    share, k = Fraction(rng.randint(500, 9500), 10_000), rng.randint(2, 30)
    large = Fraction(rng.randint(10**4, 10**9))
    narrow = Fraction(1, 20_000)

    def hit(value: Any, middle: Any) -> bool:
        return bool(abs(value - middle) < middle * narrow)

    def sums(p: Point) -> Any:
        return sum(p["x"] ** j / (j + 1) for j in range(p["k"]))

    conditions: dict[str, Side] = {
        "two parameters": lambda p: hit(p["x"], share) and p["y"] * 2 > p["x"],
        "a product": lambda p: hit(p["x"] * p["y"], share / 2),
        "a sum": lambda p: hit(sums(p), share + 1),
        "a sum over categories": lambda p: p["k"] == k and hit(sum(p["x"] * j for j in range(p["k"])), share * k),
        "an irrational point": lambda p: hit(p["x"] ** 2, share),
        "a large gamma": lambda p: hit(p["gamma"], large),
        "a large gamma and k": lambda p: p["k"] >= k and hit(p["gamma"] + p["k"] - 1, large),
        "a trace": lambda p: hit(p["gamma"] * p["k"] / (p["gamma"] + p["k"] - 1), 1 + share * (p["k"] - 1)),
        "a root in decimals": lambda p: hit(float(p["x"]), math.sqrt(share)),
        "a posterior": lambda p: hit(p["x"] * p["gamma"] / (p["x"] * p["gamma"] + 1 - p["x"]), share),
    }
    slacks: dict[str, Side] = {
        "a dip in two parameters": lambda p: (p["x"] - share) ** 2 + (p["y"] - share**2) ** 2 - (share * narrow) ** 2,
        "a dip in a sum": lambda p: (sums(p) - 1 - share) ** 2 - ((1 + share) * narrow) ** 2,
        "a dip at large gamma": lambda p: (p["gamma"] / large - 1) ** 2 - narrow**2,
        "a dip in a quotient": lambda p: (p["x"] / (p["x"] + p["y"] + 1) - share / 3) ** 2 - (share / 3 * narrow) ** 2,
    }
    name = rng.choice([*conditions, *slacks])
    if name in slacks:
        return _claim(lambda p: Fraction(0), slacks[name], "at-least", variables)
    return _claim(lambda p: p["x"], lambda p: p["x"] + conditions[name](p), "", variables)


def _beside_others(rng: random.Random) -> Claim:
    """False only within 1e-12 of a boundary, in a product, at gamma = 1, for one number of categories."""
    variables = {"x": UNIT, "y": UNIT, "gamma": Domain.odds(), "k": Domain.whole("k", 2, 30)}
    k, tiny = rng.randint(2, 30), Fraction(1, 10**12)
    condition: Side = rng.choice(
        (
            lambda p: 0 < p["gamma"] - 1 < tiny,
            lambda p: p["k"] == k and 0 < 1 - p["x"] < tiny,
            lambda p: 0 < p["x"] * (1 - p["x"]) < tiny and p["y"] > 0,
            lambda p: 0 < sum(p["x"] ** j for j in range(1, p["k"])) < tiny,
            lambda p: p["gamma"] > 1 and 0 < p["x"] / (p["x"] + p["gamma"]) < tiny / p["gamma"],
        )
    )
    return _claim(lambda p: p["x"], lambda p: p["x"] + condition(p), "", variables)


@pytest.mark.slow
def test_what_the_search_misses_is_not_proved(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """A defect that several parameters hide is refuted, or the run on symbols ends at it."""
    outcomes = [run_claim(_wide(rng)) for _ in range(size(8, 400))] + [
        run_claim(_beside_others(rng)) for _ in range(size(4, 50))
    ]
    assert {(outcome.verdict, outcome.evidence) for outcome in outcomes} <= {
        ("fails", "refuted"),
        ("not-refuted", "tested"),
    }


def test_defects_beside_an_end_are_found(rng: random.Random, size: Callable[[int, int], int]) -> None:
    assert all(run_claim(_beside(rng)).verdict == "fails" for _ in range(size(5, 50)))


def test_a_narrow_dip_is_found_from_the_tightest_points() -> None:
    """It is 1e-5 wide and near no special value; the local search reaches it."""
    share = Fraction(41421, 100_003)
    dip = _claim(lambda p: Fraction(0), lambda p: (p["x"] - share) ** 2 - Fraction(1, 10**11), "at-least", {"x": UNIT})
    assert run_claim(dip).verdict == "fails"


def test_a_rounded_value_that_is_a_fraction_is_compared_and_not_searched_for() -> None:
    claim = row_claim(
        lambda p: Fraction(2),
        lambda p: 2 + p["x"] / 4,
        "rounds-to",
        mutant=lambda p: Fraction(3),
        variables={"x": UNIT},
    )
    outcome = run_claim(claim)
    assert (outcome.verdict, outcome.problems) == ("not-refuted", ())
