"""Inequalities in several entries: every condition at its boundary, and mutants, by both checkers and an oracle."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

import pytest
from adversary.asking import ask
from exact_simplex import least
from javascript import judge

import rropt
from rropt.checker.sentences import sentence
from rropt.core.errors import InfeasibleError
from rropt.objectives import Loss
from rropt.privacy import linear, maximal_leakage

F = Fraction
TRACE: dict[str, Any] = {
    "format": "2",
    "statement": "design-bracket",
    "problem": {
        "inputs": "2",
        "outputs": "2",
        "levels": [],
        "bounds": {
            "least": [["0", "0"], ["0", "0"]],
            "most": [["1", "1"], ["1", "1"]],
            "inequalities": [
                {
                    "parts": [[[["0", "0", "1"]], [["0", "1", "1"]]], [[["1", "0", "1"]], [["1", "1", "1"]]]],
                    "bound": "3/2",
                }
            ],
        },
        "objective": {"kind": "trace", "weights": ["1", "1"]},
        "population": None,
    },
    "claim": {"lower": "3/2", "upper": "3/2", "mechanism": {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}},
    "proof": {
        "way": "linear",
        "brackets": [],
        "alpha": ["0", "0"],
        "slopes": [],
        "limits": [["0", "0"], ["0", "0"]],
        "multipliers": [],
        "inequalities": [[["1", "0"], ["0", "1"]]],
    },
}
"""Maximal leakage of at most log 3/2 alone: the trace is at most 3/2."""


def verdict(document: Any) -> str | None:
    """Return the reason of a rejection, which both checkers must share, or None."""
    text = json.dumps(document)
    own = ask(text)
    assert (judge(text) is None) == bool(own), own
    return None if own else own.reason


def changed(**places: Any) -> Any:
    """Return the example with parts replaced, named by the keys and indices on the way, joined by two underscores."""
    document = deepcopy(TRACE)
    for path, value in places.items():
        *way, last = (int(x) if x.isdigit() else x for x in path.split("__"))
        part: Any = document
        for key in way:
            part = part[key]
        part[last] = value
    return document


def test_the_example_is_accepted_and_said_in_words() -> None:
    assert verdict(TRACE) is None
    said = sentence(TRACE, full=True)
    assert "with at most 3/2 as the sum of the largest value in each of the parts" in said
    assert "lies in [3/2, 3/2]" in said


ROW = "problem__bounds__inequalities__0"
GIVEN = "proof__inequalities__0"
FIRST = TRACE["problem"]["bounds"]["inequalities"][0]
OTHER = {"parts": [[[["0", "0", "1"]]]], "bound": "3/4"}


@pytest.mark.parametrize(
    ("places", "accepted"),
    [
        # the mechanism: sum_n max_a f_na(P) <= bound
        ({f"{ROW}__bound": "3/2"}, True),
        ({f"{ROW}__bound": "1499/1000", "claim__upper": "3/2"}, False),
        ({f"{ROW}__bound": "1501/1000", "claim__upper": "1501/1000"}, True),
        ({"problem__bounds__inequalities": [FIRST, OTHER],
          "proof__inequalities": [*TRACE["proof"]["inequalities"], [["0"]]]}, True),
        ({"problem__bounds__inequalities": [FIRST, {**OTHER, "bound": "74/100"}],
          "proof__inequalities": [*TRACE["proof"]["inequalities"], [["0"]]]}, False),
        # B: upper >= y b
        ({"claim__upper": "3/2"}, True),
        ({"claim__upper": "1499/1000", "claim__lower": "1499/1000"}, False),
        ({"claim__upper": "1501/1000"}, True),
        # multipliers y >= 0
        ({f"{GIVEN}": [["1", "0"], ["0", "1"]]}, True),
        ({f"{GIVEN}": [["1001/1000", "-1/1000"], ["0", "1"]]}, False),
        ({f"{GIVEN}": [["1", "0"], ["-1/1000", "1001/1000"]]}, False),
        # the sums of the parts are equal
        ({f"{GIVEN}": [["1", "1/2"], ["1/2", "1"]], "claim__upper": "9/4"}, True),
        ({f"{GIVEN}": [["1", "0"], ["1/1000", "1"]], "claim__upper": "2"}, False),
        ({f"{GIVEN}": [["0", "0"], ["0", "1"]], "claim__upper": "2"}, False),
        # v_ij <= alpha_j + L_ij + sum y x
        ({f"{GIVEN}": [["999/1000", "1/1000"], ["1/1000", "999/1000"]], "claim__upper": "2"}, False),
        ({f"{GIVEN}": [["0", "1"], ["1", "0"]]}, False),
        ({f"{GIVEN}": [["0", "0"], ["0", "0"]], "proof__alpha": ["1", "1"], "claim__upper": "2"}, True),
        # shapes and order
        ({"proof__inequalities": []}, False),
        ({"proof__inequalities": [[["1", "0"]]]}, False),
        ({"proof__inequalities": [[["1"], ["0", "1"]]]}, False),
        ({"problem__bounds__inequalities": []}, False),
        ({f"{ROW}__parts": [], "proof__inequalities": [[]]}, False),
        ({f"{ROW}__parts": [[]], "proof__inequalities": [[[]]]}, False),
        ({f"{ROW}__parts__0__0": [["0", "0", "1"], ["0", "0", "1"]]}, False),
        ({f"{ROW}__parts__0__0": [["0", "1", "0"]]}, False),
        ({f"{ROW}__parts__0__0": [["2", "0", "1"]]}, False),
        ({f"{ROW}__parts__0__0": [["0", "2", "1"]]}, False),
        ({f"{ROW}__parts__0__0": [["1", "0", "1"], ["0", "0", "1"]]}, False),
        ({f"{ROW}__parts__0__0": []}, False),
        ({f"{ROW}__more": "1"}, False),
        # the linear way alone
        ({"proof__way": "rays"}, False),
        ({"proof__way": "formula"}, False),
        ({"proof__way": "groups"}, False),
        ({"problem__outputs": "any"}, False),
    ],
)  # fmt: skip
def test_each_condition_at_its_boundary(places: dict[str, Any], accepted: bool) -> None:
    assert (verdict(changed(**places)) is None) is accepted


def test_an_empty_function_is_0() -> None:
    """``max(p_00, 0) + max(p_11, 0) <= 3/2``."""
    row = {"parts": [[[["0", "0", "1"]], []], [[["1", "1", "1"]], []]], "bound": "3/2"}
    document = changed(problem__bounds__inequalities=[row], proof__inequalities=[[["1", "0"], ["1", "0"]]])
    assert verdict(document) is None
    document["proof"]["inequalities"] = [[["0", "1"], ["1", "0"]]]
    assert verdict(document) is not None


def test_without_the_key_in_the_problem_the_proof_has_none() -> None:
    document = deepcopy(TRACE)
    del document["problem"]["bounds"]["inequalities"]
    assert verdict(document) is not None
    document = deepcopy(TRACE)
    del document["proof"]["inequalities"]
    assert verdict(document) is not None


# --- mutants of the library's own files


def truth(document: Any) -> bool:
    """Return whether the claim of a file is true, by a simplex in fractions over all choices of functions."""
    problem, claim = document["problem"], document["claim"]
    m, k = int(problem["outputs"]), int(problem["inputs"])
    bounds = problem["bounds"]

    def line(terms: dict[tuple[int, int], Fraction]) -> list[Fraction]:
        return [terms.get((i, j), F(0)) for i in range(m) for j in range(k)]

    equations = [(line({(i, j): F(1) for i in range(m)}), F(1)) for j in range(k)]
    below = []
    for level in problem["levels"]:
        gamma = F(level["epsilon"]["log"])
        below += [(line({(i, j): F(1), (i, o): -gamma}), F(0)) for i in range(m) for j, o in permutations(range(k), 2)]
    for i, j in product(range(m), range(k)):
        below.append((line({(i, j): F(1)}), F(bounds["most"][i][j])))
        below.append((line({(i, j): F(-1)}), -F(bounds["least"][i][j])))
    for own in bounds["inequalities"]:
        for chosen in product(*own["parts"]):
            terms: dict[tuple[int, int], Fraction] = {}
            for i, j, x in (term for each in chosen for term in each):
                terms[int(i), int(j)] = terms.get((int(i), int(j)), F(0)) + F(x)
            below.append((line(terms), F(own["bound"])))
    if document["statement"] == "infeasible":
        return least([F(0)] * (m * k), equations, below) is None
    shares, losses = problem["population"], problem["objective"]["matrix"]
    costs = [F(pi) * F(x) for row in losses for pi, x in zip(shares, row, strict=True)]
    found = least(costs, equations, below)
    P = [[F(x) for x in row] for row in claim["mechanism"]["matrix"]]
    flat = [x for row in P for x in row]

    def left(a: list[Fraction]) -> Fraction:
        return sum((x * y for x, y in zip(a, flat, strict=True)), F(0))

    fits = all(left(a) == b for a, b in equations) and all(left(a) <= b for a, b in below) and min(flat) >= 0
    lower, upper = F(claim["lower"]), F(claim["upper"])
    return fits and found is not None and lower <= found <= upper and lower <= left(costs) <= upper


@cache
def own_files() -> list[Any]:
    """Return certificates of small random regions, also of empty ones."""
    rng, found = random.Random(5), []
    levels = [{}, {"epsilon": "log(2)"}, {"epsilon": "log(5)"}]
    for n in range(15):
        k = rng.choice([2, 2, 3])
        texts = [
            f"max(p[0,0], p[0,1]) + max(p[1,0], p[1,1]) <= {F(rng.randint(4, 12), 8)}",
            f"p[0,0] - 2*p[1,1] >= {F(rng.randint(-4, 4), 4)}",
            f"abs(p[0,0] - p[0,1]) <= {F(rng.randint(0, 3), 8)}",
        ]
        level = linear(*rng.sample(texts, rng.randint(1, 3)))
        given = dict(levels[n % 3])
        given |= {"bounds": level} if given else {"level": level}
        losses = [[rng.randint(0, 3) for _ in range(k)] for _ in range(2)]
        try:
            proof = rropt.design.kary(objective=Loss(losses), population=[F(1, k)] * k, fast=True, **given).certificate
        except InfeasibleError as error:
            proof = error.certificate
        found.append(proof.to_dict())
    return found


def mutant(document: Any, rng: random.Random) -> Any:
    """Return a file with one number, or one list, changed."""
    made = deepcopy(document)
    places: list[tuple[Any, Any]] = []

    def walk(part: Any) -> None:
        for key, value in part.items() if isinstance(part, dict) else enumerate(part):
            if isinstance(value, dict | list):
                walk(value)
                if isinstance(value, list) and value:
                    places.append((part, key))
            elif isinstance(value, str) and value.replace("/", "").lstrip("-").isdigit():
                places.extend([(part, key)] * 3)

    for part in ("claim", "proof", "problem"):
        walk(made[part])
    part, key = rng.choice(places)
    if isinstance(part[key], list):
        rng.choice([part[key].pop, part[key].reverse])()
    else:
        x = F(part[key])
        part[key] = str(rng.choice([x + F(1, 100), x - F(1, 100), -x, x / 2, x + 1, F(0)]))
    return made


@pytest.mark.slow
def test_own_files_are_accepted_and_true() -> None:
    kinds = Counter(each["statement"] for each in own_files())
    assert min(kinds["design-bracket"], kinds["infeasible"]) >= 2, kinds
    for document in own_files():
        assert verdict(document) is None
        assert truth(document)


@pytest.mark.slow
def test_no_mutant_with_a_false_claim_is_accepted(size: Callable[[int, int], int]) -> None:
    rng, seen = random.Random(6), Counter[str]()
    for _ in range(size(60, 8000)):
        made = mutant(rng.choice(own_files()), rng)
        if verdict(made) is not None:
            seen["rejected"] += 1
            continue
        assert truth(made), made
        seen["accepted and true"] += 1
    assert min(seen.values()) > size(4, 10), seen


def test_the_oracle_sees_a_planted_fault() -> None:
    """The claim of a file is moved: the oracle calls it false, as a checker without the condition would not."""
    document = next(each for each in own_files() if each["statement"] == "design-bracket")
    moved = deepcopy(document)
    moved["claim"]["lower"] = moved["claim"]["upper"] = str(F(document["claim"]["lower"]) + F(1, 10**6))
    assert truth(document)
    assert not truth(moved)
    assert verdict(moved) is not None


def test_leakage_is_one_inequality() -> None:
    found = rropt.design.kary(3, epsilon="log(3)", bounds=maximal_leakage("log(5/4)"), objective="trace", fast=True)
    assert verdict(found.certificate.to_dict()) is None
    assert found.value == F(5, 4)
