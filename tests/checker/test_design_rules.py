"""Rules 3 and 4 of FORMAT.md for designs with k inputs: optima by hand and by programs, mutations, refusals."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise as neighbours
from typing import Any

import pytest
from adversary import kary_designs as designs
from adversary.asking import ask
from adversary.kary_designs import Document, Written
from adversary.programmes import Path, at, mutated, places, put
from adversary.writing import walk

from rropt.core.certificates import Certificate
from rropt.designs.certificates.linear_designs import DesignRows, certify_design
from rropt.mechanisms import Mechanism
from rropt.privacy.region import LevelBracket, PairwiseBracket

F = Fraction
EPSILONS = ["log(2)", "log(7/3)", "1", "1/50", "7/2*log(2)", "20", "0"]


def accepted(certificate: Certificate) -> Document:
    """Return the document of a certificate that must be accepted."""
    verdict = ask(certificate.text).verdict
    assert verdict, verdict.reason
    return certificate.to_dict()


def level(problem: Document) -> LevelBracket:
    bracket = designs.levels(problem, 24)
    assert isinstance(bracket, LevelBracket)
    return bracket


# Optima by hand.


def randomized_response(k: int, gamma: Fraction, reveal: Fraction | int = 0) -> Mechanism:
    """Return k-ary randomized response, mixed with the truth."""
    other = (1 - reveal) / (gamma + k - 1)
    return Mechanism([[other * gamma + reveal if i == j else other for j in range(k)] for i in range(k)])


def largest_trace(k: int, epsilon: str) -> Certificate:
    """Return the certificate of ``gamma k / (gamma + k - 1)``: alpha_j = -low_ij = w gamma, high_ii = -w (k - 1)."""
    problem = designs.trace(designs.uniform(k, k, epsilon), [1] * k)
    rows, bracket = DesignRows.of(problem), level(problem)
    below, above = bracket.below.gamma, bracket.above.gamma
    w = 1 / (above + k - 1)
    dual = {rows.row_of_column(j): w * above for j in range(k)}
    dual |= {rows.row_lower(i, j): -w * above for i in range(k) for j in range(k) if i != j}
    dual |= {rows.row_upper(i, i): -w * (k - 1) for i in range(k)}
    lower, upper = (gamma * k / (gamma + k - 1) for gamma in (below, above))
    mechanism = randomized_response(k, below)
    return certify_design(Written(problem), bracket, lower=lower, upper=upper, mechanism=mechanism, dual=dual)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_largest_trace_for_every_k(epsilon: str) -> None:
    for k in range(2, 13):
        claim = accepted(largest_trace(k, epsilon))["claim"]
        assert F(claim["lower"]) <= F(claim["upper"])
        assert (F(claim["upper"]) - F(claim["lower"])) * 10**12 < 1


@pytest.mark.parametrize("delta", ["1/10", "1", "exp(-3)", "1/1000000"])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_largest_trace_with_delta(epsilon: str, delta: str) -> None:
    """``delta k + (1 - delta) gamma k / (gamma + k - 1)``: excess_j,jl = -w, total_jl = w, alpha_j = w gamma."""
    for k in range(2, 7):
        problem = designs.trace(designs.uniform(k, k, epsilon, delta), [1] * k)
        rows, bracket = DesignRows.of(problem), level(problem)
        w = 1 / (bracket.above.gamma + k - 1)
        dual = {rows.row_of_column(j): w * bracket.above.gamma for j in range(k)}
        for j in range(k):
            for other in set(range(k)) - {j}:
                dual[rows.row_of_excess(j, j, other)] = -w
                dual[rows.row_of_total(j, other)] = w
        ends = (bracket.below, bracket.above)
        lower, upper = (k * (end.gamma + end.delta * (k - 1)) / (end.gamma + k - 1) for end in ends)
        mechanism = randomized_response(k, bracket.below.gamma, bracket.below.delta)
        accepted(certify_design(Written(problem), bracket, lower=lower, upper=upper, mechanism=mechanism, dual=dual))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_least_loss_around_one_input(epsilon: str) -> None:
    """Only pairs with input 0 have a level: is it 0 or not, 0 half of the time: ``1/(gamma + 1)``."""
    for k in range(2, 9):
        levels = [[epsilon if (j == 0) != (other == 0) else None for other in range(k)] for j in range(k)]
        matrix = [[0] + [1] * (k - 1), [1] + [0] * (k - 1)]
        problem = designs.loss(designs.pairwise(2, levels), matrix, [F(1, 2)] + [F(1, 2 * k - 2)] * (k - 1))
        rows, bracket = DesignRows.of(problem), designs.levels(problem, 24)
        assert isinstance(bracket, PairwiseBracket)
        below, above = (end[0][1] for end in (bracket.below, bracket.above))
        assert below is not None
        assert above is not None
        a = 1 / (2 * above + 2)
        others = [rows.row_of_column(j) for j in range(1, k)]
        others += [row for j in range(1, k) for row in (rows.row_of_pair(0, 0, j), rows.row_of_pair(1, j, 0))]
        dual = {rows.row_of_column(0): a} | dict.fromkeys(others, a / (k - 1))
        line = [below / (below + 1)] + [1 / (below + 1)] * (k - 1)
        mechanism = Mechanism([line, [1 - x for x in line]])
        values = {"lower": 2 * a, "upper": 1 / (below + 1)}
        accepted(certify_design(Written(problem), bracket, **values, mechanism=mechanism, dual=dual))


def test_the_largest_trace_with_a_bound() -> None:
    """At gamma = 2, p00 <= 1/2: p01 >= p00/2, so the trace is at most 1 + p00/2 = 5/4."""
    region = designs.bounded(designs.uniform(2, 2, "log(2)"), [[0, 0], [0, 0]], [["1/2", 1], [1, 1]])
    problem = designs.trace(region, [1, 1])
    rows = DesignRows.of(problem)
    half, one = F(1, 2), F(1)
    dual = {
        rows.row_of_column(1): one,
        rows.row_lower(0, 1): -one,
        rows.row_upper(0, 0): -half,
        rows.row_of_most(0, 0): half,
    }
    mechanism = Mechanism([["1/2", "1/4"], ["1/2", "3/4"]])
    value = F(5, 4)
    accepted(certify_design(Written(problem), level(problem), lower=value, upper=value, mechanism=mechanism, dual=dual))


# Optima by exact programs written down independently.


def pool(count: int, most_inputs: int = 3, seed: int = 6) -> list[Document]:
    """Return documents of honest certificates."""
    rng = random.Random(seed)
    return [designs.certificate(designs.problem(rng, most_inputs)).to_dict() for _ in range(count)]


def test_every_problem_is_certified_one_way_or_the_other(size: Callable[[int, int], int]) -> None:
    seen: Counter[tuple[str, str, str, str]] = Counter()
    for document in pool(size(75, 1_500), 4):
        verdict = ask(json.dumps(document)).verdict
        assert verdict, (verdict.reason, document)
        assert designs.true(document)
        problem = document["problem"]
        seen[
            problem["objective"]["kind"],
            problem["region"]["kind"],
            designs.inner(problem)["kind"],
            document["claim"]["kind"],
        ] += 1
    assert len(seen) == 12
    assert min(seen.values()) >= 2


@pytest.mark.parametrize("k", [5, 6])
def test_larger_programmes(k: int, rng: random.Random) -> None:
    weights = [F(rng.randint(1, 9), 7) for _ in range(k)]
    distance = [[abs(i - j) for j in range(k)] for i in range(k)]
    shares = [F(2 * j + 1, k * k) for j in range(k)]
    diagonal = [[F(1, 3) if i == j else 0 for j in range(k)] for i in range(k)]
    for problem in (
        designs.trace(designs.uniform(k, k, "1"), weights),
        designs.trace(designs.uniform(k, k, "log(3)", "1/20"), weights),
        designs.loss(designs.by_distance(k, k, "1/2"), distance, shares),
        designs.trace(designs.bounded(designs.uniform(k, k, "log(5)"), diagonal, [[1] * k] * k), weights),
    ):
        accepted(designs.certificate(problem))


# Mutations.


def changes(document: Document, rng: random.Random) -> Iterator[tuple[Path, Document]]:
    """Iterate over one change of every number, and over entries left out or exchanged."""
    for path in places(document):
        yield path, put(document, path, mutated(at(document, path), rng))
    key = "dual" if document["claim"]["kind"] == "design-bracket" else "multipliers"
    entries = document["witness"][key]
    for i in range(len(entries)):
        yield ("left out", i), put(document, ("witness", key), entries[:i] + entries[i + 1 :])
    for i, (one, two) in enumerate(neighbours(entries)):
        exchanged = [[one[0], two[1]], [two[0], one[1]]]
        yield ("exchanged", i), put(document, ("witness", key), entries[:i] + exchanged + entries[i + 2 :])
    if document["claim"]["kind"] == "design-bracket":
        matrix = document["claim"]["mechanism"]["matrix"]
        yield ("reversed",), put(document, ("claim", "mechanism", "matrix"), matrix[::-1])
        yield ("turned",), put(document, ("claim", "mechanism", "matrix"), [row[::-1] for row in matrix])
    region = designs.inner(document["problem"])
    for j, line in enumerate(region.get("levels", [])):
        for other, one in enumerate(line):
            if one is not None:
                changed = put(document, ("witness", "gamma", j, other), None)
                designs.inner(changed["problem"])["levels"][j][other] = None
                yield ("no level", j, other), changed


def test_a_mutant_is_accepted_iff_every_condition_holds_and_never_when_the_claim_is_false(
    size: Callable[[int, int], int], rng: random.Random
) -> None:
    rejected = kept = 0
    for document in pool(size(8, 400), seed=7):
        for path, mutant in changes(document, rng):
            verdict = ask(json.dumps(mutant)).verdict
            if path[-1] in ("inputs", "outputs"):  # the shapes disagree
                assert not verdict
            else:
                assert bool(verdict) == designs.proved(mutant), (path, verdict.reason, mutant)
                assert not verdict or designs.true(mutant), (path, mutant)
            rejected, kept = rejected + (not verdict), kept + bool(verdict)
    assert rejected >= size(300, 15_000)
    assert kept >= size(15, 750)  # a weight of nothing, a bound that does not bind, a bracket that is wide enough


def test_a_witness_of_another_problem_never_proves_a_false_claim(
    size: Callable[[int, int], int], rng: random.Random
) -> None:
    documents, tried, kept = pool(size(30, 300), 2, seed=8), 0, 0
    for _ in range(size(750, 15_000)):
        one, two = rng.sample(documents, 2)
        mixed = one | {part: two[part] for part in rng.choice([("problem",), ("claim",), ("witness",)])}
        verdict = ask(json.dumps(mixed)).verdict
        assert not verdict or designs.true(mixed), mixed
        tried, kept = tried + (not verdict), kept + bool(verdict)
    assert tried >= size(500, 10_000)
    assert kept >= 1  # two problems with one witness


# What is wrong is named.

DESIGN = accepted(largest_trace(2, "log(2)"))
WIDE = designs.certificate(
    designs.loss(designs.by_distance(3, 2, "1/2"), [[0, 1, 2], [2, 1, 0]], ["1/2", "1/4", "1/4"])
).to_dict()
BOUNDS = designs.certificate(
    designs.trace(designs.bounded(designs.uniform(2, 2, "1"), [["9/10", 0], [0, "9/10"]], [[1, 1], [1, 1]]), [1, 1])
).to_dict()
EXCESS = designs.certificate(designs.trace(designs.uniform(2, 2, "1", "exp(-2)"), [1, 2])).to_dict()
GAMMA = ("witness", "gamma")
REGION = ("problem", "region")
MATRIX = ("claim", "mechanism", "matrix")

BAD: list[tuple[Document, Path, Any, str]] = [
    (DESIGN, ("problem", "kind"), "design", "unknown keys"),
    (DESIGN, REGION, None, "the region is none of"),
    (DESIGN, (*REGION, "kind"), "privacy-range", "the region is none of"),
    (DESIGN, (*REGION, "kind"), "criterion", "missing keys ['down', 'up']"),
    (DESIGN, (*REGION, "kind"), ["bounded"], "the region is none of"),
    (DESIGN, (*REGION, "kind"), "bounded", "missing keys"),
    (DESIGN, (*REGION, "family"), "warner", "family is not all"),
    (DESIGN, (*REGION, "inputs"), "1", "inputs is not an integer from 2"),
    (DESIGN, (*REGION, "inputs"), "3", "has 2 entries"),
    (DESIGN, (*REGION, "inputs"), "1000000000", "not an integer from 2 to"),
    (DESIGN, (*REGION, "outputs"), "any", "not a canonical fraction"),
    (DESIGN, (*REGION, "outputs"), "3", "as many outputs as inputs"),
    (DESIGN, (*REGION, "outputs"), "1000000000", "not an integer from 2 to"),
    (DESIGN, (*REGION, "epsilon"), {"log": "3"}, "bracket must be 3 at both ends"),
    (DESIGN, (*REGION, "epsilon"), None, "epsilon is not an object"),
    (DESIGN, (*REGION, "delta"), "1/10", "delta is rational"),
    (DESIGN, (*REGION, "delta"), {"exp": "-3"}, "begins at 0"),
    (DESIGN, ("problem", "objective"), {"kind": "mutual-information"}, "none of those that are linear"),
    (DESIGN, ("problem", "objective"), "trace", "none of those that are linear"),
    (DESIGN, ("problem", "objective", "weights"), ["1"], "weights has 1 entries"),
    (DESIGN, ("problem", "objective", "weights", 0), "2", "is not the value of the mechanism"),
    (DESIGN, ("problem", "population"), {"vertices": [["1", "0"]]}, "population is not an array"),
    (DESIGN, ("problem", "population"), ["1/2", "1/3"], "does not sum to 1"),
    (DESIGN, ("problem", "population"), ["3/2", "-1/2"], "negative entry"),
    (DESIGN, ("claim", "kind"), "optimal-value", "not of kind design-bracket"),
    (DESIGN, ("claim",), {"kind": "infeasible"}, "missing keys"),
    (DESIGN, ("claim", "lower"), "1", "lower is not the value of the mechanism"),
    (DESIGN, ("claim", "upper"), "3/2", "upper is not the value of the dual"),
    (DESIGN, ("claim", "mechanism"), {"orbits": []}, "missing keys"),
    (DESIGN, MATRIX, [], "has 0 entries"),
    (DESIGN, MATRIX, [["1", "1"]], "has 1 entries"),
    (DESIGN, MATRIX, [["1"], ["0"]], "has 1 entries"),
    (DESIGN, (*MATRIX, 0), "1", "not an array"),
    (DESIGN, MATRIX, [["3/2", "1/2"], ["-1/2", "1/2"]], "negative entry"),
    (DESIGN, (*MATRIX, 0, 0), "1/3", "a column of the mechanism does not sum to 1"),
    (DESIGN, MATRIX, [["3/4", "1/4"], ["1/4", "3/4"]], "ratio above gamma: inputs 0 and 1"),
    (DESIGN, MATRIX, [["1", "1/2"], ["0", "1/2"]], "row 1 of the mechanism has a ratio above gamma"),
    (DESIGN, ("witness", "dual"), [], "reduced cost of p at output 0, input 0"),
    (DESIGN, ("witness", "dual"), [["0", "1"], ["1", "1"]], "upper is not the value of the dual"),
    (DESIGN, ("witness", "dual"), [["9", "1"]], "multiplier of row 9 has the wrong sign"),
    (DESIGN, ("witness", "dual"), [["10", "1"]], "not one of the 10"),
    (DESIGN, ("witness", "dual"), [["0", "2"], ["1", "2"], ["6", "-1"]], "reduced cost of t at output 0"),
    (DESIGN, ("witness", "dual", 0, 0), "00", "not one of the 10"),
    (DESIGN, ("witness", "multipliers"), [], "unknown keys"),
    (DESIGN, GAMMA, [[None]], "not an object"),
    (DESIGN, (*GAMMA, "above"), "3", "must be 2 at both ends"),
    (DESIGN, ("witness", "delta", "above"), "1/10", "must be 0 at both ends"),
    (WIDE, (*REGION, "levels"), [[None]], "levels has 1 entries"),
    (WIDE, (*REGION, "levels", 0), [None], "a row of levels has 1 entries"),
    (WIDE, (*REGION, "levels", 0, 0), {"log": "2"}, "an input has one with itself"),
    (WIDE, (*REGION, "levels", 0, 1), None, "a level without a bracket, or the reverse"),
    (WIDE, (*REGION, "levels", 0, 1), ["1"], "epsilon is not an object"),
    (WIDE, (*REGION, "levels", 0, 1), {"rational": 1}, "bare number"),
    (WIDE, (*REGION, "levels", 0, 1), {"rational": "3"}, "does not hold the number"),
    (WIDE, (*GAMMA, 0, 1), None, "a level without a bracket, or the reverse"),
    (WIDE, (*GAMMA, 0, 1), {"below": "2"}, "missing keys"),
    (WIDE, (*GAMMA, 0, 1, "below"), "2", "ends before it begins"),
    (WIDE, (*GAMMA, 0, 1, "above"), "3/2", "ends before it begins"),
    (WIDE, (*GAMMA, 0, 1, "below"), "1/2", "begins below 1"),
    (WIDE, GAMMA, {"below": "2", "above": "2"}, "gamma is not an array"),
    (WIDE, ("problem", "objective", "matrix"), [["0"] * 3], "loss has 1 entries"),
    (WIDE, ("problem", "objective", "matrix", 0), ["0"], "a row of loss has 1 entries"),
    (WIDE, ("problem", "objective", "matrix", 0, 0), "-1", "upper is not the value of the mechanism"),
    (WIDE, MATRIX, [["1", "1", "0"], ["0", "0", "1"]], "exceeds gamma by more than delta for inputs 0 and 2"),
    (WIDE, ("witness", "delta"), {"below": "0", "above": "1"}, "must be 0 at both ends"),
    (BOUNDS, (*REGION, "least"), [["9/10", "0"]], "least has 1 entries"),
    (BOUNDS, (*REGION, "most", 1), ["1"], "a row of most has 1 entries"),
    (BOUNDS, (*REGION, "most"), None, "most is not an array"),
    (BOUNDS, (*REGION, "least", 0, 0), "1/2", "positive number"),
    (BOUNDS, (*REGION, "region", "kind"), "bounded", "the region is none of"),
    (BOUNDS, (*REGION, "region"), BOUNDS["problem"]["region"], "the region is none of"),
    (BOUNDS, ("witness", "multipliers"), [], "positive number"),
    (BOUNDS, ("witness", "multipliers"), [["0", "1"]], "reduced cost of p"),
    (BOUNDS, ("claim", "kind"), "design-bracket", "not of kind infeasible"),
    (EXCESS, MATRIX, [["1", "1/10"], ["0", "9/10"]], "exceeds gamma by more than delta for inputs"),
    (EXCESS, ("witness", "delta", "below"), "0", "begins at 0"),
    (EXCESS, (*REGION, "delta"), {"exp": "-3"}, "does not hold the number"),
    (EXCESS, ("witness", "dual"), [["2", "-1"]], "reduced cost of the excess of row 2"),
    (EXCESS, ("witness", "dual"), [["6", "-1"]], "multiplier of row 6 has the wrong sign"),
]


@pytest.mark.parametrize(("document", "path", "value", "reason"), BAD)
def test_what_is_wrong_is_named(document: Document, path: Path, value: Any, reason: str) -> None:
    assert ask(json.dumps(document)).verdict
    changed = put(document, path, value)
    verdict = ask(json.dumps(changed)).verdict
    assert not verdict
    assert reason in verdict.reason, verdict.reason


def test_what_is_wrong_with_a_mechanism_out_of_its_bounds() -> None:
    region = designs.bounded(designs.uniform(2, 2, "log(2)"), [[0, 0], [0, 0]], [["1/2", 1], [1, 1]])
    document = designs.certificate(designs.trace(region, [1, 1])).to_dict()
    wrong = put(document, MATRIX, [["2/3", "1/3"], ["1/3", "2/3"]])
    assert "row 0 of the mechanism is not within its bounds" in ask(json.dumps(wrong)).verdict.reason


MALFORMED: list[Any] = [
    None,
    True,
    [],
    {},
    [[]],
    [None],
    "",
    "x",
    "1/0",
    "2/4",
    "01",
    "-0",
    "1e9",
    {"rational": "1"},
    {"": []},
]


@pytest.mark.parametrize("document", [DESIGN, WIDE, BOUNDS, EXCESS])
def test_a_malformed_value_anywhere_is_rejected(document: Document) -> None:
    tried = 0
    for path, value in walk(document):
        for malformed in MALFORMED:
            if malformed != value:
                assert not ask(json.dumps(put(document, path, malformed))).verdict, (path, malformed)
                tried += 1
    assert tried >= 500
