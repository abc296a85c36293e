"""The statement budget-split: vectors, what it says, what it refuses for its size, and the library's own files."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from adversary.asking import ask
from adversary.splits import Split, bound, value

from rropt.designs.bits import design_bits

F = Fraction
HALF = (F(1, 2),) * 9


def _level(gamma: int) -> Any:
    return {"log": str(gamma)}


def _split(gamma: int, bits: str, weights: str | None, lower: str, upper: str, prevalences: str = "") -> Split:
    p = tuple(map(F, bits.split()))
    w = None if weights is None else tuple(map(F, weights.split()))
    pi = tuple(map(F, prevalences.split())) or HALF[: len(p)]
    return Split(_level(gamma), (F(gamma), F(gamma)), p, w, pi, F(1, 2 ** len(p)), F(lower), F(upper))


# language-neutral vectors: gamma, bits, weights (None: joint), lower, upper, prevalences, verdict; worked out by hand
VECTORS: list[tuple[str, int, str, str | None, str, str, str, str]] = [
    # one question: pi(1-pi) + x/(x-1)^2 = 1/4 + 3/4
    ("one", 3, "3/4", "1", "1", "1", "", "accepted"),
    ("one, wider", 3, "3/4", "1", "-5", "7/6", "", "accepted"),
    ("one, better", 3, "3/4", "1", "1000000001/1000000000", "2", "", "lower is above"),
    ("one, upper", 3, "3/4", "1", "0", "999999999/1000000000", "", "upper is below"),
    ("one, joint", 3, "3/4", None, "2", "2", "", "accepted"),  # twice n Var: 10/4 - 1/2
    # 3 = 3 times 1: a question without weight; 2 (0 + 3/4)
    ("no weight", 3, "3/4 1/2", "2 0", "3/2", "3/2", "0 1/2", "accepted"),
    ("weight, coin", 3, "3/4 1/2", "2 1/1000", "0", "100", "", "says nothing"),
    ("joint, coin", 3, "3/4 1/2", None, "0", "100", "", "says nothing"),
    # 9 = 3 times 3: 2 (1/4 + 3/4); joint (5/2)^2 - 1/4
    ("equal", 9, "3/4 3/4", "1 1", "2", "2", "", "accepted"),
    ("equal, joint", 9, "3/4 3/4", None, "6", "6", "", "accepted"),
    ("equal, beyond", 8, "3/4 3/4", "1 1", "0", "9", "", "multiply to more"),
    ("equal, wrong weights", 9, "3/4 3/4", "1 2", "3", "3", "", "lower is above"),
    # slopes 3/2 and 3; D = 3 (9/9 - 1) + (3 - 3/2)(3 - 1) = 3, V = 3
    ("wrong weights, proved", 9, "3/4 3/4", "1 2", "0", "3", "", "accepted"),
    ("wrong weights, more", 9, "3/4 3/4", "1 2", "1/1000000000", "3", "", "lower is above"),
    # slopes 3/2 each, D = 3/2 (10/9 - 1) = 1/6
    ("below the level", 10, "3/4 3/4", "1 1", "11/6", "2", "", "accepted"),
    ("below the level, more", 10, "3/4 3/4", "1 1", "1833333334/999999999", "2", "", "lower is above"),
    # slopes 10 * 6 and 81 * 20/27, both 60; 20 + 36 + 1/4 * 91
    ("two and four", 8, "2/3 4/5", "10 81", "315/4", "315/4", "", "accepted"),
    ("two and four, exchanged", 8, "4/5 2/3", "10 81", "315/4", "315/4", "", "upper is below"),
    ("joint, uneven", 9, "2/3 9/11", None, "-45", "9", "", "accepted"),  # 5 * 85/49 - 1/4
    ("joint, uneven, better", 9, "2/3 9/11", None, "6", "9", "", "lower is above"),
    ("turned", 9, "1/4 1/4", "1 1", "0", "9", "", "p outside"),
    ("truth", 9, "1 3/4", "1 1", "0", "9", "", "p outside"),
    ("negative", 9, "3/4 3/4", "1 -1", "0", "9", "", "a weight is negative"),
    ("all zero", 9, "3/4 3/4", "0 0", "0", "9", "", "all are 0"),
    ("prevalence", 9, "3/4 3/4", "1 1", "0", "9", "1/2 3/2", "a prevalence"),
]


@pytest.mark.parametrize("vector", VECTORS, ids=[v[0] for v in VECTORS])
def test_vectors(vector: tuple[str, int, str, str | None, str, str, str, str]) -> None:
    _, gamma, bits, weights, lower, upper, prevalences, verdict = vector
    file = _split(gamma, bits, weights, "0", "0", prevalences).file()
    file["claim"].update(lower=lower, upper=upper)
    assert verdict in str(ask(json.dumps(file)).verdict)


@pytest.mark.parametrize(
    ("lower", "sentence"),
    [
        ("2", "no devices of 2 questions at this level have a value below upper"),
        ("1999999/1000000", "a value more than 1e-6 below upper"),
        ("0", "a value more than 1e1 below upper"),
        ("1", "a value more than 1 below upper"),
        (str(-(10**100) + 2), "a value more than 1e100 below upper"),
        (f"{2 * 10**50 - 1}/{10**50}", "a value more than 1e-30 below upper"),
    ],
)
def test_it_says_what_was_verified(lower: str, sentence: str) -> None:
    assert sentence in str(ask(json.dumps(_split(9, "3/4 3/4", "1 1", lower, "2").file())).verdict)


def _hostile() -> dict[str, tuple[dict[str, Any], str]]:
    honest = _split(9, "3/4 3/4", "1 1", "2", "2").file()
    bit, long = [["3/4", "1/4"], ["1/4", "3/4"]], 10**4000 + 1
    near = [
        [f"{long}/{2 * long - 1}", f"{long - 1}/{2 * long - 1}"],
        [f"{long - 1}/{2 * long - 1}", f"{long}/{2 * long - 1}"],
    ]

    def changed(listed: Any, **objective: Any) -> dict[str, Any]:
        data = json.loads(json.dumps(honest))
        data["claim"]["mechanism"]["product"] = listed
        n = len(listed)
        data["problem"]["objective"] = {
            "kind": "marginals",
            "weights": ["1"] * n,
            "prevalences": ["0"] * n,
            **objective,
        }
        return data  # type: ignore[no-any-return]

    joint = changed([bit, bit])
    joint["problem"]["objective"] = {"kind": "joint", "questions": "2", "squares": "1/5"}
    count = json.loads(json.dumps(joint))
    count["problem"]["objective"].update(questions="3", squares="1/4")
    return {
        "many": (changed([bit] * 1025), "product has 1025 entries"),
        "none": (changed([]), "all are 0"),
        "at another level": (changed([bit] * 1024), "multiply to more"),
        "long numbers": (changed([near] * 64), "more work"),
        "weights": (changed([bit, bit], weights=["1"]), "weights has 1 entries"),
        "long weights": (changed([bit, bit], weights=["1", "9" * 401]), "weights has more than 400 digits"),
        "three answers": (changed([[["3/4", "1/4"], ["1/4", "1/2"], ["0", "1/4"]]] * 2), "a bit has 3 entries"),
        "squares": (joint, "squares is not"),
        "questions": (count, "another number of bits"),
        "objective": (changed([bit, bit], kind="trace"), "objective is not of kind marginals"),
        "objective, text": ({**honest, "problem": {**honest["problem"], "objective": "joint"}}, "not an object"),
    }


HOSTILE = _hostile()


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_too_much_or_no_problem_is_refused(name: str) -> None:
    data, reason = HOSTILE[name]
    assert reason in str(ask(json.dumps(data)).verdict)


def test_the_bound_is_that_of_fractions(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """The rule accepts the bound in plain fractions, and nothing above it."""
    for _ in range(size(60, 600)):
        count = rng.randint(1, 4)
        bits = tuple(F(rng.randint(51, 99), 100) for _ in range(count))
        weights = rng.choice((None, tuple(F(rng.randint(1, 50), rng.randint(1, 9)) for _ in range(count))))
        split = Split(_level(2), (F(100**count), F(100**count)), bits, weights, HALF[:count], F(1, 2**count))
        split = replace(split, level=_level(100**count), upper=value(split, bits), lower=bound(split))
        assert ask(json.dumps(split.file())).verdict
        for step in (F(1, 10), F(1, 10**40)):
            assert "lower is above" in str(ask(json.dumps(replace(split, lower=split.lower + step).file())).verdict)


def test_mutants_of_the_library_s_files_are_rejected(rng: random.Random) -> None:
    """Every number of a certificate, one after the other, moved in the direction that makes the claim stronger."""
    for kwargs in ({"weights": [1, 2, 3]}, {"questions": 3, "objective": "joint"}, {"weights": [1, 0, 1]}):
        certificate = design_bits("3/2", **kwargs).certificate  # type: ignore[arg-type]
        data = certificate.to_dict()
        assert ask(json.dumps(data)).verdict
        for end, factor in (("lower", 1 + F(1, 10**9)), ("upper", 1 - F(1, 10**9))):
            changed = json.loads(json.dumps(data))
            changed["claim"][end] = str(F(data["claim"][end]) * factor)
            assert not ask(json.dumps(changed)).verdict
        for place, rows in enumerate(data["claim"]["mechanism"]["product"]):
            for i in (0, 1):
                for j in (0, 1):
                    changed = json.loads(json.dumps(data))
                    changed["claim"]["mechanism"]["product"][place][i][j] = str(F(rows[i][j]) * (1 + F(1, 10**9)))
                    assert not ask(json.dumps(changed)).verdict
            more = F(rows[0][0]) * (1 + F(1, 10**9))
            changed = json.loads(json.dumps(data))
            changed["claim"]["mechanism"]["product"][place] = [[str(more), str(1 - more)], [str(1 - more), str(more)]]
            assert "multiply to more" in str(ask(json.dumps(changed)).verdict)
        for other in ({"rational": "1"}, {"log": "4"}, {"rational": "1500000001/1000000000"}):
            changed = json.loads(json.dumps(data))
            changed["problem"]["epsilon"] = other
            assert not ask(json.dumps(changed)).verdict
