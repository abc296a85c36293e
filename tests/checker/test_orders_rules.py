"""The statements garbling and mechanism-levels: single mutations, false claims, shapes, limits."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from adversary.writing import at, is_number, put, walk
from every_case import every_case
from few_rows import few_rows

from rropt.checker import check_text
from rropt.core.certificates import Certificate
from rropt.core.exact import Bracket, Epsilon
from rropt.designs.orders import dominate
from rropt.designs.orders.sufficiency import (
    certify_admissible,
    certify_garbling,
    certify_inadmissible,
    certify_no_garbling,
)
from rropt.mechanisms import Mechanism
from rropt.mechanisms.matrix_privacy import worst_excess
from rropt_proofs.chainayak2018._sufficiency_members import random_member

WARNER = Mechanism([["3/4", "1/4"], ["1/4", "3/4"]])
WEAKER = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
EXP_THREE_HALVES = Fraction("4.4816890703380648226020554601192758190057498683696705677265008275936674466")


def certify_parity(mechanism: Mechanism) -> Certificate:
    parity = mechanism.parity()
    return _levels(mechanism, None, {"parity": "infinite" if parity is None else str(parity)}, {})


def certify_profile(mechanism: Mechanism, level: Epsilon, bracket: Bracket) -> Certificate:
    """Bracket delta at the level by its values at both endpoints of a bracket of gamma."""
    rows = tuple(zip(*mechanism.design_matrix, strict=True))
    lower, upper = (worst_excess(rows, gamma).at(gamma) for gamma in (bracket.upper, bracket.lower))
    proof = {"brackets": [bracket.written("below", "above")]}
    return _levels(mechanism, level, Bracket(lower, upper).written(), proof)


def _levels(mechanism: Mechanism, level: Epsilon | None, claim: dict[str, Any], proof: dict[str, Any]) -> Certificate:
    problem = {"mechanism": mechanism.to_dict(), "level": None if level is None else level.to_dict()}
    return Certificate.state("mechanism-levels", problem, claim, proof)


def _dominated(mechanism: Mechanism, level: Epsilon, digits: int = 24) -> Certificate:
    bracket = level.gamma_bracket(digits)
    better = dominate(mechanism, bracket.lower)
    return certify_inadmissible(
        mechanism, level, bracket, dominating=better.mechanism, kernel=better.kernel, payoff=better.payoff
    )


def _examples() -> dict[str, Certificate]:
    better = dominate(WEAKER, Fraction(3))
    ternary = random_member(3, Fraction(4), random.Random(5))
    two_rows = Mechanism([["1/2", "1/4", "3/8"], ["1/2", "3/4", "5/8"]])
    return {
        "garbling": certify_garbling(better.mechanism, WEAKER, better.kernel),
        "decision": certify_no_garbling(WEAKER, better.mechanism, better.payoff),
        "parity": certify_parity(WEAKER),
        "infinite parity": certify_parity(Mechanism([["1", "1/2"], ["0", "1/2"]])),
        "profile": certify_profile(WARNER, Epsilon.of("1/2"), Epsilon.of("1/2").gamma_bracket(12)),
        "admissible": certify_admissible(ternary, Epsilon.of("log(4)")),
        "dominated": _dominated(two_rows, Epsilon.of("log(5)")),
        "dominated, irrational": _dominated(two_rows, Epsilon.of("3/2")),
    }


EXAMPLES = _examples()


def _verdict(document: Any) -> Any:
    return check_text(json.dumps(document))


@every_case("name", EXAMPLES)
def test_examples_are_accepted(name: str) -> None:
    verdict = EXAMPLES[name].check()
    assert verdict, verdict.reason


def _still_true(document: Any) -> bool:
    """Whether a mutated payoff still proves the claim."""
    witness, problem = document["proof"], document["problem"]
    if document["statement"] == "garbling":
        source, target = problem["source"]["matrix"], problem["target"]["matrix"]
    else:
        source, target = problem["mechanism"]["matrix"], witness["dominating"]
    pay, poor, rich = ([[Fraction(x) for x in row] for row in rows] for rows in (witness["payoff"], source, target))
    best = sum(max(sum(a * b for a, b in zip(y, row, strict=True)) for y in pay) for row in poor)
    return best < sum(sum(a * b for a, b in zip(y, row, strict=True)) for y, row in zip(pay, rich, strict=True))


@few_rows(4)
@pytest.mark.parametrize("name", EXAMPLES)
def test_single_mutations_are_rejected_unless_they_prove_the_claim(
    name: str, size: Callable[[int, int], int], rng: random.Random
) -> None:
    document = EXAMPLES[name].to_dict()
    paths = [path for path, value in walk(document) if is_number(value)]
    mutations = kept = 0
    for path in paths:
        value = Fraction(at(document, path))
        for change in (1, -1, Fraction(1, 10**30), *(Fraction(rng.randint(-99, 99), 100) for _ in range(size(3, 60)))):
            changed = put(document, path, str(value + change))
            if change == 0:
                continue
            mutations += 1
            verdict = _verdict(changed)
            if "payoff" in path:
                assert bool(verdict) == _still_true(changed)
                kept += bool(verdict)
            elif path == ("problem", "level", "rational") and abs(change) < Fraction(1, 10**20):
                assert verdict, verdict.reason  # a level that the same bracket holds: the claim is still true
            elif name == "dominated, irrational" and path[-1] == "above":
                assert bool(verdict) == (value + change > EXP_THREE_HALVES)
            elif name == "dominated, irrational" and path[-1] == "below":  # below the parity of `dominating`: no
                assert bool(verdict) == (value <= value + change < EXP_THREE_HALVES)
            else:
                assert not verdict, (path, change)
    assert mutations >= 5 * len(paths)
    assert kept < mutations


def test_an_admissible_mechanism_is_never_dominated(size: Callable[[int, int], int], rng: random.Random) -> None:
    """Whatever member of C_gamma stands as dominating: the payoff or the kernel fails."""
    points = size(25, 2000)
    for _ in range(points):
        member = random_member(rng.randint(2, 5), Fraction(rng.randint(11, 90), 10), rng)
        gamma = member.parity()
        document = _dominated(member, Epsilon.of_gamma(gamma)).to_dict()
        payoff = [[str(rng.randint(-9, 9)) for _ in row] for row in document["proof"]["payoff"]]
        assert not _verdict(document)
        assert not _verdict(put(document, ("proof", "payoff"), payoff))


def test_parity_and_profile_are_those_of_the_mechanism(rng: random.Random) -> None:
    for _ in range(60):
        k, m = rng.randint(1, 5), rng.randint(1, 5)
        columns = [[rng.randint(0, 6) for _ in range(m - 1)] + [1] for _ in range(k)]
        mechanism = Mechanism([[Fraction(c[i], sum(c)) for c in columns] for i in range(m)])
        assert certify_parity(mechanism).check()
        level = Epsilon.of(rng.choice(["0", "log(2)", "1/3", "log(2)/2", "2"]))
        certificate = certify_profile(mechanism, level, level.gamma_bracket(20))
        assert certificate.check()
        exact = mechanism.delta(level)
        claim = certificate.claim
        assert Fraction(claim["lower"]) <= exact <= Fraction(claim["upper"])
        parity = mechanism.parity()
        wrong = put(certify_parity(mechanism).to_dict(), ("claim", "parity"), "7" if parity is None else "infinite")
        assert not _verdict(wrong)


def _huge(kind: str) -> dict[str, Any]:
    document = EXAMPLES["garbling"].to_dict()
    wide = 200
    if kind == "many entries":
        matrix = [["1/400"] * 400 for _ in range(400)]
    elif kind == "long numbers":
        nines, ten = "9" * 4299, "1" + "0" * 4299  # 10^4299 - 1 over 10^4299, many times
        matrix = [[f"1/{ten}"] * wide, [f"{nines}/{ten}"] * wide]
    elif kind == "coprime denominators":
        matrix = [[f"1/{10**300 + 2 * i}" for i in range(wide)], ["1/2"] * wide]
    else:
        matrix = [["1"] * 130_000]
    document["problem"]["source"] = document["problem"]["target"] = {"matrix": matrix}
    document["proof"]["kernel"] = [["1" if i == j else "0" for j in range(len(matrix))] for i in range(len(matrix))]
    return document


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["many entries", "long numbers", "coprime denominators", "one wide row"])
def test_hostile_sizes_are_judged_or_refused(kind: str) -> None:
    verdict = _verdict(_huge(kind))
    assert verdict or any(word in verdict.reason for word in ("more work", "more than 1000000", "does not sum to 1"))


@pytest.mark.slow
def test_a_large_honest_certificate_is_accepted() -> None:
    """k = 20 inputs, 20 outputs, all entries different: 380 patterns, 7600 entries of the kernel."""
    rng = random.Random(7)
    weights = [[rng.randint(50, 100) for _ in range(20)] for _ in range(20)]
    rows = [[Fraction(w, 3000) for w in row] for row in weights[:19]]
    mechanism = Mechanism([*rows, [1 - sum(column) for column in zip(*rows, strict=True)]])
    certificate = _dominated(mechanism, Epsilon.of_gamma(mechanism.parity() + 1))
    verdict = certificate.check()
    assert verdict, verdict.reason
