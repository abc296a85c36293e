"""Section 4: every randomizer that randomizes each bit independently is some R(M')."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product as tuples
from math import prod
from typing import Any

from rropt.claims import Claim, Domain, Point
from rropt_proofs._matrices import Rows
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import index, randomizer, string

Device = tuple[tuple[Fraction, int, int], ...]  # for each face of a die its chance, and what 0 and 1 become


def _die(*faces: tuple[str, int, int]) -> Device:
    return tuple((Fraction(chance), zero, one) for chance, zero, one in faces)


HALF = _die(("1/2", 0, 1), ("1/2", 1, 0))
SPINNER = _die(("3/4", 0, 1), ("1/4", 1, 0))
FORCED = _die(("2/3", 0, 1), ("1/6", 0, 0), ("1/6", 1, 1))


def draw(rng: random.Random) -> dict[str, Any]:
    n = rng.choice((1, 2, 2, 3))
    dice = []
    for _ in range(n):
        weights = [rng.randint(1, 5) for _ in range(3)]
        dice.append(tuple((Fraction(w, sum(weights)), rng.randint(0, 1), rng.randint(0, 1)) for w in weights))
    return {"dice": tuple(dice), "r": string(rng.randrange(2**n), n), "x": string(rng.randrange(2**n), n)}


def _margin(die: Device) -> Rows:
    """Return M'_i: the probabilities of a response bit, given its own bit."""
    ones = [sum((chance for chance, *becomes in die if becomes[x]), Fraction(0)) for x in (0, 1)]
    return ((1 - ones[0], 1 - ones[1]), (ones[0], ones[1]))


def theory(point: Point) -> Fraction:
    """P(r = R(M')(x)) with M' the randomizers of the single bits."""
    case = point["case"]
    return randomizer([_margin(die) for die in case["dice"]])[index(case["r"])][index(case["x"])]


def computed(point: Point) -> Fraction:
    """P(r = M(x)), over all faces of all dice."""
    case, chance = point["case"], Fraction(0)
    for faces in tuples(*case["dice"]):
        if all(face[1 + bit] == after for face, bit, after in zip(faces, case["x"], case["r"], strict=True)):
            chance += prod((face[0] for face in faces), start=Fraction(1))
    return chance


def mutant(point: Point) -> Fraction:
    """All bits have the first die."""
    case = point["case"]
    return theory({"case": {**case, "dice": case["dice"][:1] * len(case["dice"])}})


def _case(r: str, x: str, *dice: Device) -> dict[str, Any]:
    return {"dice": dice, "r": tuple(map(int, r)), "x": tuple(map(int, x))}


CLAIM = Claim(
    id="vinterbo2018.sec-4.1-converse",
    source=f"{PAPER}, section 4, before Theorem 4.1",
    place=(4, 1),
    printed=r"We note that $R(M)$ randomizes each bit independently, and that any randomizer of length $n$ bit strings "
    r"that randomizes each bit independently can be written as $R(M')$ for some sequence of bit randomizers $M'$.",
    precise="Bit i of the response is a function of bit i of x and of a die of its own, and the dice are independent: "
    "then P(r = M(x)) is P(r = R(M')(x)) for all r and x, where M'_i has the chances of bit i alone.",
    variables={
        "case": Domain(
            "for each bit a die: for each face its chance, and what 0 and 1 become; and the strings r and x",
            (
                _case("1", "0", SPINNER),
                _case("10", "11", SPINNER, FORCED),
                _case("00", "10", HALF, FORCED),
                _case("011", "010", FORCED, SPINNER, HALF),
                _case("01", "01", SPINNER, SPINNER),
            ),
            draw,
            whole_groups=lambda case: [
                [("dice", i, face, 0) for face in range(len(die))] for i, die in enumerate(case["dice"])
            ],
        )
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=100,
    notes="Reading taken: a bit is randomized by itself, its own value included. If only the bits of the response were "
    "independent given x, it would be false: exchange two bits, or let bit 0 be turned with probability 1/4 or 1/3 as "
    "bit 1 is 0 or 1; no R(M') has such a matrix.",
)
