"""The statements optimal-value and infeasible, for programs: single mutations, false claims, shapes, limits."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from adversary.asking import ask
from adversary.programs import bounds, feasible, mutated, pairs, places
from adversary.writing import at, put
from program_pool.oracle import outcome_of

from rropt.checker import limits
from rropt.core.certificates import certify_infeasible, certify_optimal
from rropt.core.certificates.linear_program import problem_of
from rropt.core.linear import (
    Infeasible,
    LinearProgram,
    Optimal,
    ProgramBuilder,
    Relation,
    Sense,
)

F = Fraction


def random_program(rng: random.Random) -> LinearProgram:
    """Return a small random program of any kind."""
    sense: Sense = rng.choice(["minimise", "maximise"])
    builder, n = ProgramBuilder(sense), rng.randint(1, 4)
    for j in range(n):
        cost = F(rng.randint(-3, 4), rng.choice([1, 1, 3]))
        builder.variable(f"x{j}", cost=cost, sign=rng.choice(["nonnegative", "nonnegative", "free"]))
    for i in range(rng.randint(1, 5)):
        terms = {j: F(rng.choice([0, 1, -1, 2, 5]), rng.choice([1, 1, 2, 7])) for j in range(n)}
        relation: Relation = rng.choice(["<=", "<=", ">=", "="])
        builder.row(f"row {i}", terms, relation, F(rng.randint(-2, 4), rng.choice([1, 1, 5])))
    return builder.build()


def pool(count: int) -> list[dict[str, Any]]:
    """Return honest certificates of both statements, half of each."""
    rng = random.Random(3)
    optimal: list[dict[str, Any]] = []
    infeasible: list[dict[str, Any]] = []
    while min(len(optimal), len(infeasible)) < count // 2:
        lp = random_program(rng)
        match outcome_of(lp):
            case Optimal() as outcome if len(optimal) < count // 2:
                optimal.append(certify_optimal(lp, outcome).to_dict())
            case Infeasible() as outcome if len(infeasible) < count // 2:
                infeasible.append(certify_infeasible(lp, outcome).to_dict())
    return optimal + infeasible


# The oracle: the conditions of the page in plain fractions, one entry at a time.


def rebuilt(problem: dict[str, Any]) -> LinearProgram | None:
    """Return the program of a problem; None when an index or a zero value makes it no program."""
    builder = ProgramBuilder("minimise")
    for j, sign in enumerate(problem["signs"]):
        builder.variable(f"x{j}", cost=F(problem["cost"][j] if "cost" in problem else 0), sign=sign)
    for i, row in enumerate(problem["rows"]):
        terms = pairs(row["coefficients"], len(problem["signs"]))
        if terms is None:
            return None
        builder.row(f"row {i}", terms, row["relation"], F(row["bound"]))
    return builder.build()


def proved(document: dict[str, Any]) -> bool:
    """Whether every condition of the page holds."""
    claim, lp = document["claim"], rebuilt(document["problem"])
    if lp is None:
        return False
    y = pairs(document["proof"]["multipliers"], len(lp.rows))
    if y is None:
        return False
    total = sum((value * lp.rows[i].rhs for i, value in y.items()), F(0))
    if not bounds(lp, y, [variable.cost for variable in lp.variables], "minimise"):
        return False
    if not claim:
        return total > 0
    x = [F(text) for text in claim["point"]]
    return feasible(lp, x) and F(claim["lower"]) <= total and lp.objective(x) <= F(claim["upper"])


def test_a_mutant_is_accepted_iff_every_condition_holds(size: Callable[[int, int], int], rng: random.Random) -> None:
    honest, count = pool(size(30, 400)), size(250, 20_000)
    assert all(ask(json.dumps(document)) and proved(document) for document in honest)
    kept = 0
    for i in range(count):
        document = honest[i % len(honest)]
        path = rng.choice([path for path in places(document) if path[0] != "format"])
        mutant = put(document, path, mutated(at(document, path), rng))
        accepted = bool(ask(json.dumps(mutant)))
        assert accepted == proved(mutant), (path, mutant)
        kept += accepted
    assert count // 50 <= kept <= count * 3 // 4  # a bound of a slack row, say: another program, the same optimum


@pytest.mark.slow
def test_no_witness_makes_an_unbounded_or_infeasible_program_have_an_optimum(
    rng: random.Random, size: Callable[[int, int], int]
) -> None:
    tried = 0
    while tried < size(100, 300):
        lp = random_program(rng)
        outcome = outcome_of(lp)
        if isinstance(outcome, Optimal):
            continue
        x = [F(rng.randint(0, 2)) for _ in lp.variables]
        y = list(outcome.farkas) if isinstance(outcome, Infeasible) else [F(rng.randint(-2, 2)) for _ in lp.rows]
        value = str(lp.direction * lp.objective(x))
        sparse = [[str(i), str(multiplier)] for i, multiplier in enumerate(y) if multiplier]
        claim = {"lower": value, "upper": value, "point": [str(entry) for entry in x]}
        assert not ask(written(problem_of(lp), claim, {"multipliers": sparse}))
        tried += 1


def written(problem: Any, claim: Any, proof: Any) -> str:
    parts = {"statement": "optimal-value", "problem": problem, "claim": claim, "proof": proof}
    return json.dumps({"format": "2", **parts})


# Minimise 2 x + 3 y, x + y = 4, y >= 1, x >= 0, y free.

OPTIMAL: dict[str, Any] = {
    "format": "2",
    "statement": "optimal-value",
    "problem": {
        "cost": ["2", "3"],
        "signs": ["nonnegative", "free"],
        "rows": [
            {"coefficients": [["0", "1"], ["1", "1"]], "relation": "=", "bound": "4"},
            {"coefficients": [["1", "1"]], "relation": ">=", "bound": "1"},
        ],
    },
    "claim": {"lower": "9", "upper": "9", "point": ["3", "1"]},
    "proof": {"multipliers": [["0", "2"], ["1", "1"]]},
}


# Hostile sizes: decided, or refused before the work is done.


def dense(n: int, m: int, entry: Callable[[], str], x: Callable[[], str], y: Callable[[], str]) -> str:
    """Return m rows of n entries, all of which hold: the work is not cut short by a row that fails."""
    row = lambda: [[str(j), entry()] for j in range(n)]  # noqa: E731
    rows = [{"coefficients": row(), "relation": ">=", "bound": "-1"} for _ in range(m)]
    problem = {"cost": ["0"] * n, "signs": ["free"] * n}
    claim = {"lower": "0", "upper": "0", "point": [x() for _ in range(n)]}
    return written(problem | {"rows": rows}, claim, {"multipliers": [[str(i), y()] for i in range(m)]})


def number(rng: random.Random, digits: int, below: int = 0) -> str:
    """Return a positive number with so many digits above and below its line, as a certificate writes it."""
    top = int("".join(rng.choices("123456789", k=digits)))
    return str(F(top, int("".join(rng.choices("123456789", k=below))))) if below else str(top)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "m", "entry", "vectors"),
    [
        (1000, 125, (9, 0), (9, 0)),
        pytest.param(1000, 125, (90, 0), (150, 0), marks=pytest.mark.slow),
        (300, 400, (1, 0), (180, 0)),
        pytest.param(200, 200, (300, 0), (300, 0), marks=pytest.mark.slow),
        (120, 120, (10, 10), (10, 10)),
        (60, 60, (300, 300), (300, 300)),
        (30, 30, (1, 0), (1000, 1000)),
        (4, 4, (4000, 4000), (4000, 4000)),
        (1, 20, (4000, 4000), (4000, 1)),
        (10_000, 2, (1, 0), (2, 4)),
    ],
)
def test_a_heavy_program_is_decided(
    n: int, m: int, entry: tuple[int, int], vectors: tuple[int, int], rng: random.Random
) -> None:
    data = dense(n, m, lambda: number(rng, *entry), lambda: number(rng, *vectors), lambda: number(rng, *vectors))
    assert len(data) < limits.MAX_BYTES
    ask(data)


@pytest.mark.slow
def test_many_rows_and_many_denominators_are_decided() -> None:
    problem = {"cost": [], "signs": []}
    claim = {"lower": "0", "upper": "0", "point": []}
    proof: dict[str, Any] = {"multipliers": []}
    empty = {"coefficients": [], "relation": ">=", "bound": "-1/7"}
    for count in (1_000, 45_000, 60_000):
        proof["multipliers"] = [[str(i), "1/3"] for i in range(count)] if count <= 45_000 else []
        ask(written(problem | {"rows": [empty] * count}, claim, proof))
    for count in (1_000, 5_000, 40_000):
        wide = {"cost": [f"1/{p}" for p in range(2, count + 2)], "signs": ["nonnegative"] * count, "rows": []}
        verdict = ask(written(problem | wide, claim | {"point": ["0"] * count}, {"multipliers": []}))
        assert bool(verdict) == (count < 40_000), verdict.reason


@pytest.mark.slow
def test_a_program_beyond_the_limit_is_rejected_as_too_large(rng: random.Random) -> None:
    data = dense(60, 60, lambda: number(rng, 2_000), lambda: number(rng, 2_000), lambda: number(rng, 2_000))
    assert ask(data).reason == "the certificate needs more work than the checker does"
    long = put(OPTIMAL, ("claim", "point", 0), "1" * (limits.MAX_DIGITS + 1))
    assert "digits" in ask(json.dumps(long)).reason
