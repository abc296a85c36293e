"""The way of blocks: the library's own files with one thing changed, by both checkers and the program over all rows."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from adversary.asking import ask
from few_rows import few_rows
from javascript import judge
from later import later
from vectors import vectors

import rropt
from rropt.designs import Problem
from rropt.designs.block_ratios import certify_blocks, solved_by_blocks

linprog = later("scipy.optimize", "linprog")

KINDS = ["chi-square", "total-variation", "kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence"]
ROOM = 1e-9  # what HiGHS may be wrong by


def term(kind: str, a: Any, b: Any, order: float) -> Any:
    """Return t(a, b) of the page in floats."""
    match kind:
        case "chi-square":
            return (a - b) ** 2 / b
        case "total-variation":
            return abs(a - b) / 2
        case "kullback-leibler":
            return a * np.log(a / b)
        case "hellinger":
            return (a + b) / 2 - np.sqrt(a * b)
        case "jensen-shannon":
            return (a * np.log(2 * a / (a + b)) + b * np.log(2 * b / (a + b))) / 2
    return (a**order * b ** (1 - order) - order * a - (1 - order) * b) / (order * (order - 1))


def optimum(problem: Any) -> float:
    """Return the optimum of the problem of a file: the linear program over all 2^k rows."""
    pi, q = (
        np.array([float(Fraction(x)) for x in line])
        for line in (problem["population"], problem["objective"]["against"])
    )
    k, gamma = len(pi), float(Fraction(problem["levels"][0]["epsilon"]["log"]))
    rows = np.array([[gamma if i >> j & 1 else 1.0 for j in range(k)] for i in range(2**k)]) / gamma
    order = float(Fraction(problem["objective"].get("order", "2")))
    values = term(problem["objective"]["kind"], rows @ pi, rows @ q, order)
    exact = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}  # by default 1e-7
    size = float(abs(values).max()) or 1.0  # the tolerances are absolute
    found = linprog(-values / size, A_eq=rows.T, b_eq=np.ones(k), method="highs-ds", options=exact)
    return -float(found.fun) * size


def shares(rng: random.Random, k: int, most: int) -> list[Fraction]:
    """Return a distribution, with zeros and equal proportions if ``most`` is small."""
    numbers = [rng.randint(0, most) for _ in range(k)]
    numbers[rng.randrange(k)] += 1
    return [Fraction(x, sum(numbers)) for x in numbers]


def written(rng: random.Random, kind: str, k: int) -> Any:
    """Return a file of a random problem by the way of blocks, also where the library takes another way."""
    gamma = rng.choice(["3/2", "3", "10"])
    order = {"order": rng.choice(["1/2", "3/2", "-1", "3"])} if kind == "alpha-divergence" else {}
    while True:
        pi, q = shares(rng, k, rng.choice([3, 50])), shares(rng, k, rng.choice([3, 50]))
        problem = Problem.kary(
            epsilon=f"log({gamma})", objective=rropt.objectives.OBJECTIVES[kind](q, **order), population=pi
        )
        if pi == q:
            continue
        levels = problem.region.bracket(20)
        found = solved_by_blocks(problem, levels)
        made = certify_blocks(problem, levels, found).to_dict()
        if made["proof"]["way"] == "blocks":
            return made


@cache
def files() -> tuple[Any, ...]:
    rng = random.Random(110)
    return tuple(written(rng, kind, k) for kind in KINDS for k in (3, 5, 7))


def verdicts(document: Any) -> bool:
    """Return the verdict of both checkers, which must agree."""
    text = json.dumps(document)
    verdict = ask(text)
    assert bool(verdict) == (judge(text) is None), (verdict.reason, judge(text))
    return bool(verdict)


def test_both_checkers_accept_what_the_library_writes() -> None:
    for document in files():
        assert verdicts(document), document
        value = optimum(document["problem"])
        lower, upper = (float(Fraction(document["claim"][end])) for end in ("lower", "upper"))
        assert lower - ROOM <= value <= upper + ROOM


def changed(rng: random.Random, document: Any) -> Any:
    """Return a file with one number changed, and with a claim that is as large as the changed proof allows."""
    made = deepcopy(document)
    proof, claim, problem = made["proof"], made["claim"], made["problem"]
    step = Fraction(rng.randint(1, 1000), 10 ** rng.randint(3, 9)) * rng.choice([-1, 1])
    match rng.randrange(6):
        case 0 | 1:
            side = rng.randrange(2)
            proof["line"][side] = str(Fraction(proof["line"][side]) + step)
        case 2 if proof["bends"]:
            one = rng.choice(proof["bends"])
            one[1] = str(max(Fraction(one[1]) + step * 10, Fraction(1, 10**9)))
        case 3 if proof["bends"]:
            one = rng.choice(proof["bends"])
            one[0] = str(rng.randrange(len(problem["population"])))
            proof["bends"].sort(key=lambda each: int(each[0]))
        case 4:
            line = rng.choice([problem["population"], problem["objective"]["against"]])
            i, j = rng.sample(range(len(line)), 2)
            line[i], line[j] = (str(Fraction(line[i]) + abs(step) / 100), str(Fraction(line[j]) - abs(step) / 100))
        case 5:
            claim["lower"] = str(Fraction(claim["lower"]) + step)
    if rng.random() < 0.8:  # the least upper that B allows
        pi, q = ([Fraction(x) for x in line] for line in (problem["population"], problem["objective"]["against"]))
        bends = [(int(i), Fraction(kappa)) for i, kappa in proof["bends"]]
        claim["upper"] = str(sum(map(Fraction, proof["line"])) + sum(bent(pi, q, bends), Fraction(0)))
        claim["lower"] = "0" if rng.random() < 0.8 else claim["lower"]
    return made


def bent(pi: Sequence[Fraction], q: Sequence[Fraction], bends: Sequence[tuple[int, Fraction]]) -> list[Fraction]:
    return [
        sum((kappa * max(Fraction(0), p * q[i] - pi[i] * x) for i, kappa in bends), Fraction(0))
        for p, x in zip(pi, q, strict=True)
    ]


@pytest.mark.slow
def test_no_changed_file_claims_what_is_false(size: Callable[[int, int], int]) -> None:
    """Whatever is accepted is true: the program over all rows says so."""
    rng, seen = random.Random(7), Counter[bool]()
    for _ in range(size(150, 3000)):
        made = changed(rng, rng.choice(files()))
        accepted = verdicts(made)
        seen[accepted] += 1
        if accepted:
            value = optimum(made["problem"])
            assert float(Fraction(made["claim"]["lower"])) <= value + ROOM, made
            assert float(Fraction(made["claim"]["upper"])) >= value - ROOM, made
    assert min(seen.values()) > 15, seen


def test_forged_bounds_are_refused(size: Callable[[int, int], int]) -> None:
    """A claim that is a little too low, whatever of the proof is moved to fit it."""
    rng = random.Random(8)
    for _ in range(size(40, 600)):
        made = deepcopy(rng.choice(files()))
        upper = Fraction(made["claim"]["upper"])
        low = upper - max(upper, Fraction(1, 1000)) * Fraction(1, 10 ** rng.randint(2, 5))
        made["claim"] |= {"lower": "0", "upper": str(low)}
        side = rng.randrange(2)
        made["proof"]["line"][side] = str(Fraction(made["proof"]["line"][side]) - (upper - low))
        assert not verdicts(made), made


@pytest.mark.slow
def test_a_convex_potential_may_be_missing() -> None:
    """The example of the page: the rays prove 1.550390625, and the bound of the blocks stays above it."""
    pi, q = ["0", "1/8", "3/16", "1/4", "7/16"], ["4/13", "4/13", "3/13", "2/13", "0"]
    problem = Problem.kary(epsilon="log(10)", objective=rropt.objectives.ChiSquare(q), population=pi)
    solution = rropt.solve(problem, fast=True)
    assert solution.lower == solution.upper == Fraction("1.550390625")
    found = solved_by_blocks(problem, problem.region.bracket(20))
    assert found.upper == solution.upper  # of the rays


@few_rows(2)
@pytest.mark.parametrize("name", ["example", "kullback-leibler", "empty-category"])
def test_categories_in_another_order_prove_the_same(name: str) -> None:
    """The order of the categories in a file does not matter."""
    document = next(each["certificate"] for each in vectors("design-bracket") if each["name"] == f"blocks-{name}")
    rng = random.Random(name)
    for _ in range(4):
        made, k = deepcopy(document), len(document["problem"]["population"])
        order = rng.sample(range(k), k)
        for line in (made["problem"]["population"], made["problem"]["objective"]["against"]):
            line[:] = [line[j] for j in order]
        for row in made["claim"]["mechanism"]["matrix"]:
            row[:] = [row[j] for j in order]
        bends = [[str(order.index(int(i))), kappa] for i, kappa in made["proof"]["bends"]]
        made["proof"]["bends"] = sorted(bends, key=lambda each: int(each[0]))
        assert verdicts(made)
