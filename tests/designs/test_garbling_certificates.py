"""The statement garbling: corrupted certificates against an independent oracle, large pairs, hostile sizes."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any

import pytest
from few_rows import few_rows
from pair_pool import SHAPES, product, random_pair, response

from rropt.checker import check_text
from rropt.checker.documents import WorkBudget
from rropt.checker.matrices import multiply
from rropt.designs.orders import sufficient
from rropt.mechanisms import Mechanism

Document = dict[str, Any]

TOO_MUCH = "the certificate needs more work than the checker does"
EARNS_AS_MUCH = "acting on the source earns as much as acting on the target"


def _proves(document: Document) -> bool:
    """Whether a file of the statement garbling proves its claim, by plain arithmetic in fractions."""
    try:
        problem, proof = document["problem"], document["proof"]
        source, target = (_matrix(problem[name]["matrix"]) for name in ("source", "target"))
        if not (_stochastic(source) and _stochastic(target) and len(source[0]) == len(target[0])):
            return False
        if "kernel" in proof:
            kernel = _matrix(proof["kernel"])
            fits = (len(kernel), len(kernel[0])) == (len(target), len(source))
            return (
                document["claim"] == {"exists": True}
                and fits
                and _stochastic(kernel)
                and product(kernel, source) == target
            )
        payoff = _matrix(proof["payoff"])
        if document["claim"] != {"exists": False} or (len(payoff), len(payoff[0])) != (
            len(target),
            len(target[0]),
        ):
            return False
        pay = product(source, [list(column) for column in zip(*payoff, strict=True)])
        earned = sum(x * y for row, line in zip(payoff, target, strict=True) for x, y in zip(row, line, strict=True))
        return sum(map(max, pay)) < earned
    except (KeyError, ValueError, ZeroDivisionError, TypeError, IndexError):
        return False


def _matrix(rows: list[list[str]]) -> list[list[Fraction]]:
    made = [[Fraction(text) for text in row] for row in rows]
    if len({len(row) for row in made}) != 1 or any(
        str(x) != t for row, texts in zip(made, rows, strict=True) for x, t in zip(row, texts, strict=True)
    ):
        raise ValueError
    return made


def _stochastic(matrix: list[list[Fraction]]) -> bool:
    return all(x >= 0 for row in matrix for x in row) and all(sum(column) == 1 for column in zip(*matrix, strict=True))


def _matrices(document: Document) -> list[list[list[str]]]:
    problem, proof = document["problem"], document["proof"]
    last = proof["kernel"] if "kernel" in proof else proof["payoff"]
    return [problem["source"]["matrix"], problem["target"]["matrix"], last]


def _corrupt(document: Document, rng: random.Random) -> str:
    """Change a document in one of many ways and return which."""
    matrix = rng.choice(_matrices(document))
    i, j = rng.randrange(len(matrix)), rng.randrange(len(matrix[0]))
    x = Fraction(matrix[i][j])
    kind = rng.choice(
        ["number", "hair", "negated", "moved", "rows", "columns", "dropped", "twice", "scaled", "turned", "claim"]
    )
    if kind == "number":
        matrix[i][j] = str(x + rng.choice([1, -1, Fraction(rng.randint(1, 99), rng.randint(1, 99))]))
    elif kind == "hair":
        matrix[i][j] = str(x + rng.choice([1, -1]) * Fraction(1, 10 ** rng.randint(3, 60)))
    elif kind == "negated":
        matrix[i][j] = str(-x)
    elif kind == "moved":  # the sums of columns stay
        other, step = rng.randrange(len(matrix)), Fraction(1, rng.choice([2, 10, 10**9, 10**40]))
        matrix[i][j], matrix[other][j] = (
            (str(x - step), str(Fraction(matrix[other][j]) + step)) if other != i else (str(x),) * 2
        )
    elif kind == "rows":
        matrix.reverse()
    elif kind == "columns":
        for row in matrix:
            row[j], row[0] = row[0], row[j]
    elif kind == "dropped":
        del matrix[i]
    elif kind == "twice":
        matrix.append(list(matrix[i]))
    elif kind == "scaled":
        factor = rng.choice([Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(2)])
        matrix[i] = [str(factor * Fraction(y)) for y in matrix[i]]
    elif kind == "turned":
        problem = document["problem"]
        problem["source"], problem["target"] = problem["target"], problem["source"]
    else:
        document["claim"] = {"exists": not document["claim"]["exists"]}
    return kind


@pytest.mark.slow
def test_corrupted_certificates_are_accepted_only_if_they_still_prove(
    size: Callable[[int, int], int], rng: random.Random
) -> None:
    certificates = []
    for n in range(size(90, 450)):
        answer = sufficient(*random_pair(SHAPES[n % len(SHAPES)], rng))
        certificates.append(answer.certificate().text)
    false: Counter[str] = Counter()
    true = 0
    while sum(false.values()) < size(2000, 20_000):
        document = json.loads(rng.choice(certificates))
        kind = _corrupt(document, rng)
        proves, verdict = _proves(document), check_text(json.dumps(document))
        assert bool(verdict) == proves, (kind, verdict.reason, document)
        false[kind] += not proves
        true += proves
    assert true > 0
    assert len(false) == 11
    assert min(false.values()) >= 20, false


def _random(k: int, most: int, rng: random.Random) -> list[list[Fraction]]:
    columns = [[rng.randint(1, 2 * most // k) for _ in range(k)] for _ in range(k)]
    return [[Fraction(column[i], sum(column)) for column in columns] for i in range(k)]


@few_rows(1)
@pytest.mark.parametrize("k", [22, 60, pytest.param(200, marks=pytest.mark.slow)])
def test_large_pairs_are_certified(k: int, rng: random.Random) -> None:
    """Denominators near 10^5, those of A = C P near 10^10; 200 inputs are within the limits."""
    source = _random(k, 10**5, rng)
    denominator = 99_991
    kernel = [[Fraction(0)] * k for _ in range(k)]
    for o in range(k):
        weights = [rng.randint(1, 1000) for _ in range(k)]
        share = [w * denominator // sum(weights) for w in weights]
        share[0] += denominator - sum(share)
        for i in range(k):
            kernel[i][o] = Fraction(share[i], denominator)
    target = Mechanism(_product_by_columns(kernel, source))
    pairs = [(Mechanism(source), target), (target, Mechanism(source))]
    pairs += [(Mechanism(response(k, Fraction(a))), Mechanism(response(k, Fraction(b)))) for a, b in ((4, 3), (3, 4))]
    for (first, second), expected in zip(pairs, (True, False, True, False), strict=True):
        answer = sufficient(first, second)
        assert bool(answer) == expected
        verdict = answer.proof().check()
        assert verdict, verdict.reason
    assert sufficient(*pairs[0]).kernel == Mechanism(kernel)


def _product_by_columns(left: list[list[Fraction]], right: list[list[Fraction]]) -> list[list[Fraction]]:
    """Return the product of a factor over one denominator and one whose columns have their own."""
    scale = left[0][0].denominator
    commons = [lcm(*(x.denominator for x in column)) for column in zip(*right, strict=True)]
    whole = [[int(x * common) for x, common in zip(row, commons, strict=True)] for row in right]
    made = multiply([[int(x * scale) for x in row] for row in left], whole, WorkBudget())
    return [[Fraction(x, scale * common) for x, common in zip(row, commons, strict=True)] for row in made]


def _certificate(source: list[list[str]], target: list[list[str]], kind: str, rows: list[list[str]]) -> str:
    problem = {"source": {"matrix": source}, "target": {"matrix": target}}
    exists = kind == "garbling"
    proof = {"kernel" if exists else "payoff": rows}
    parts = {"problem": problem, "claim": {"exists": exists}, "proof": proof}
    return json.dumps({"format": "2", "statement": "garbling", **parts})


def _long(n: int, digits: int, rng: random.Random) -> list[list[str]]:
    """Return a stochastic matrix over one long denominator, as texts."""
    whole = 10**digits
    made = []
    for _ in range(n):
        column = [rng.randrange(whole // n) for _ in range(n - 1)]
        made.append([Fraction(x, whole) for x in (*column, whole - sum(column))])
    return [[str(x) for x in row] for row in zip(*made, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "digits"),
    [pytest.param(330, 3, marks=pytest.mark.slow), (100, 90), (44, 1000), (20, 4000), (9, 9000), (200, 5)],
)
@pytest.mark.parametrize("rule", ["garbling", "decision"])
def test_hostile_sizes_are_judged_or_refused(n: int, digits: int, rule: str, rng: random.Random) -> None:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        matrix = _long(n, digits, rng)
        rows = (
            matrix
            if rule == "garbling"
            else [[str(Fraction(rng.randrange(10**digits), 7)) for _ in range(n)] for _ in range(n)]
        )
        text = _certificate(matrix, matrix, rule, rows)
    finally:
        sys.set_int_max_str_digits(limit)
    assert check_text(text).reason in (TOO_MUCH, "kernel times source is not the target", EARNS_AS_MUCH)


def test_columns_have_their_own_denominators() -> None:
    """Two hundred columns over different primes: over one denominator they would be 10^8 bits."""
    k, rng = 200, random.Random(1)
    denominators = rng.sample(range(10**5, 2 * 10**5), k)
    rows = [[str(Fraction(d // 3, d)) for d in denominators], [str(1 - Fraction(d // 3, d)) for d in denominators]]
    assert check_text(_certificate(rows, rows, "garbling", [["1", "0"], ["0", "1"]]))
    verdict = check_text(_certificate(rows, rows, "decision", [["1"] * k, ["0"] * k]))
    assert verdict.reason == EARNS_AS_MUCH


@pytest.mark.slow
def test_a_payoff_too_large_over_the_denominators_is_refused() -> None:
    digits = 3000
    whole = 10**digits
    third = [[str(Fraction(whole // 3, whole))] * 300, [str(1 - Fraction(whole // 3, whole))] * 300]
    target = [["1/300"] * 300] * 300
    verdict = check_text(_certificate(third, target, "decision", [["1"] * 300] * 300))
    assert verdict.reason == TOO_MUCH
