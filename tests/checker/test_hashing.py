"""No number of a file is hashed: integers that collide are easily found, since ``hash(n)`` is n modulo 2^61 - 1.

Counted, not timed: the integers that the checker reads, and the numerators and denominators of its fractions, count how
often they are hashed. Indices and exponents are small, and differ in any table: they may be hashed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, ClassVar

import pytest
from adversary.asking import ask
from adversary.built import built, design, level, statement
from adversary.stored import STATEMENTS, accepted

from rropt.checker import documents

PRIME = 2**61 - 1
SMALL = 1 << 18  # entries of a list, exponents
COUNT = 300


class Counted(int):
    """An integer that remembers every large one that is hashed."""

    hashed: ClassVar[list[int]] = []

    def __hash__(self) -> int:
        if abs(self) > SMALL:
            Counted.hashed.append(int(self))
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        return int(self) == other


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every number that the checker reads, counted."""
    Counted.hashed = []
    real = Fraction.__hash__

    def hashed(self: Fraction) -> int:
        Counted.hashed.append(self.numerator)
        return real(self)

    monkeypatch.setattr(documents, "int", Counted, raising=False)
    for name in ("numerator", "denominator"):
        monkeypatch.setattr(Fraction, name, property(lambda self, of=f"_{name}": Counted(getattr(self, of))))
    monkeypatch.setattr(Fraction, "__hash__", hashed)
    return Counted.hashed


def colliding(count: int = COUNT) -> list[str]:
    """Return fractions whose denominators all have one hash."""
    return [f"1/{3 + i * PRIME}" for i in range(count) if (3 + i * PRIME) % 2]


def files() -> Iterator[Any]:
    """Iterate over files of such numbers: each rule that puts numbers over one denominator, sorts or adds them."""
    many = colliding()
    n = len(many)
    region = {"signs": ["free"] * n}
    rows = [{"coefficients": [[str(i), x] for i, x in enumerate(many[:20])], "relation": ">=", "bound": many[1]}]
    claim = {"lower": "0", "upper": "0", "point": many}
    some = {"multipliers": [["0", many[2]], ["1", many[3]]]}
    yield statement("optimal-value", region | {"cost": many, "rows": rows * 20}, claim, some)
    yield statement("infeasible", region | {"rows": rows}, {}, {"multipliers": [["0", many[5]]]})
    shares = [Fraction(x) for x in many[:12]]
    column = [*shares, 1 - sum(shares)]
    stochastic = [[str(x)] * 2 for x in column]
    mechanism = {"matrix": stochastic}
    unit = [[str(int(i == j)) for j in range(len(column))] for i in range(len(column))]
    pair = {"source": mechanism, "target": mechanism}
    yield statement("garbling", pair, {"exists": True}, {"kernel": unit})
    yield statement("garbling", pair, {"exists": False}, {"payoff": [[x, "0"] for x in many[: len(column)]]})
    problem = {"mechanism": mechanism, "level": {"log": "2"}}
    yield statement("mechanism-levels", problem, {"admissible": True}, {})
    yield statement("mechanism-levels", problem | {"level": None}, {"parity": "1"}, {})
    m = len(column)
    loss = {"kind": "loss", "matrix": [["0", "0"]] * m}
    nearest = {"kind": "distance", "norm": "total", "matrix": stochastic}
    more = {"way": "linear", "multipliers": [[str(i), "0", "0", "1", many[i]] for i in range(m)], "alpha": many[:2]}
    for objective in (loss, nearest):
        proof = more | ({"lines": stochastic} if objective is nearest else {})
        population = None if objective is nearest else ["1/2", "1/2"]
        outputs = {"outputs": str(m)}
        yield design(objective, population, ("0", "0"), stochastic, proof, levels=[level(2)], problem=outputs)
    terms = {"sum": [{"product": [x, "x"]} for x in many[:40]]}
    problem = {"parameters": ["x"], "hypotheses": [], "left": terms, "right": terms}
    proof = {"way": "identity", "cofactors": [], "point": None}
    yield statement("polynomial", problem, {"relation": "="}, proof)


def test_numbers_that_collide_are_not_hashed(counted: list[int]) -> None:
    assert len({hash(int(x[2:])) for x in colliding()}) == 1
    reasons = [ask(json.dumps(made)).reason for made in files()]
    assert counted == []
    assert sum(not reason for reason in reasons) >= 3  # garbling, parity, identity
    assert not any("more work" in reason for reason in reasons)


@pytest.mark.slow
def test_no_number_of_any_rule_is_hashed(counted: list[int], size: Callable[[int, int], int]) -> None:
    """Over accepted files of every statement and every way, and those that are planted for the conditions."""
    documents = [document for name in STATEMENTS for document in accepted()[name]]
    first = {(document["statement"], document["proof"].get("way")): document for document in reversed(documents)}
    texts = [json.dumps(document) for document in (*first.values(), *documents[:: size(40, 1)])]
    for text in (*texts, *built("planted")):
        before = list(counted)
        ask(text)
        assert counted == before, text
        counted.clear()
    assert len(texts) > size(60, 200)


def test_the_count_sees_a_hash(counted: list[int]) -> None:
    assert len({Fraction(1, PRIME + 2).denominator}) == 1
    assert counted == [PRIME + 2]
