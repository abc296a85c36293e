"""The oracle of binary brackets: brute force over the region, honest certificates, levels at which designs tie."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from adversary.boundary import oracle
from adversary.built import statement
from adversary.stored import short_texts
from every_case import every_case

Design = tuple[Fraction, Fraction]


def file(level: Any, pi: Fraction, family: str, lower: Fraction, upper: Fraction, optima: list[Design]) -> Any:
    """Return a bracket at one prevalence, of which the optima are all; the first one is the mechanism."""
    listed = [{"matrix": [[str(a), str(1 - b)], [str(1 - a), str(b)]]} for a, b in optima]
    (segment,) = [None] if pi not in (0, 1) or level["delta"] == "0" or family == "warner" else [_segment(level, pi)]
    problem = {"outputs": "2", "levels": [{**level, "pairs": "all"}], "family": family, "goal": "variance"}
    claim = {"lower": str(lower), "upper": str(upper), "mechanism": listed[0], "optima": listed, "set": segment}
    return statement("binary-bracket", {**problem, "from": str(pi), "to": str(pi)}, claim, {})


def _segment(level: Any, pi: Fraction) -> Any:
    way = 1 if pi == 0 else -1
    return {"after": ["1", "0"][::way], "through": ["1", level["delta"]][::way]}


def test_every_honest_certificate_is_true() -> None:
    """It decides all but those of three outputs, of the regret, and of criteria whose bound it does not know."""
    found: Counter[bool | None] = Counter()
    for document in map(json.loads, short_texts("binary-bracket")):
        truth, problem = oracle.truth(document), document["problem"]
        is_open = problem["outputs"] == "3" or problem["goal"] == "regret"
        assert truth is (None if is_open else True) or "up" in problem["levels"][0]["epsilon"], document
        found[truth] += 1
    assert not found[False]
    assert found[True] >= 140


def test_no_design_of_a_grid_is_better(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """A search of the region, with the definition of privacy, the variance, and nothing else."""
    searched = 0
    for _ in range(size(25, 400)):
        gamma, delta = 1 + Fraction(rng.randint(0, 30), 10), Fraction(rng.randint(0, 10), 10)
        pi, family = Fraction(rng.randint(0, 12), 12), rng.choice(["all", "all", "warner"])
        if gamma == 1 and not delta:
            continue
        designs = [(rows[0][0], rows[1][1]) for rows in oracle.binary_designs(family, gamma, delta)]
        least = min(_variance(design, pi) for design in designs)
        best = [design for design in designs if _variance(design, pi) == least]
        level = {"epsilon": {"log": str(gamma)} if gamma > 1 else {"rational": "0"}, "delta": str(delta)}
        more = least + Fraction(1, 10**40)
        assert oracle.truth(file(level, pi, family, least, least, best)) is True
        assert oracle.truth(file(level, pi, family, more, more, best)) is False
        assert oracle.truth(file(level, pi, family, least, least, [*best, best[0]])) is False
        grid = [Fraction(i, 24) for i in range(25)]
        for a in grid:
            for b in [a] if family == "warner" else grid:
                if a + b <= 1 or not _is_private((a, b), gamma, delta):
                    continue
                searched += 1
                assert _variance((a, b), pi) >= least, (gamma, delta, pi, family, a, b)
                if _variance((a, b), pi) == least and least > 0:
                    assert (a, b) in best, (gamma, delta, pi, family, a, b)
    assert searched >= size(1_000, 20_000)


def _variance(design: Design, pi: Fraction) -> Fraction:
    """Return n Var: the estimator is affine in the share of answers 1, with slope 1/(p00 + p11 - 1)."""
    a, b = design
    yes = (1 - pi) * (1 - a) + pi * b
    return yes * (1 - yes) / (a + b - 1) ** 2


def _is_private(design: Design, gamma: Fraction, delta: Fraction) -> bool:
    """``Pr(Z in A | X = j) <= gamma Pr(Z in A | X = l) + delta`` for each set A of the two outputs."""
    a, b = design
    columns = [(a, 1 - a), (1 - b, b)]
    return all(p[i] <= gamma * q[i] + delta for p in columns for q in columns for i in (0, 1))


@every_case(
    ("epsilon", "gamma"),
    [
        ({"log": "4", "times": "1/2"}, Fraction(2)),
        ({"log": "27/8", "times": "2/3"}, Fraction(9, 4)),
        ({"log": "2", "times": "3"}, Fraction(8)),
        ({"rational": "0"}, Fraction(1)),
        ({"log": "2", "times": "1/2"}, None),
        ({"rational": "1/1000000000000000000000000000000000000000000000000000000000000"}, None),
    ],
)
def test_a_rational_level_is_one_point(epsilon: Any, gamma: Fraction | None) -> None:
    low, high = oracle.interval_of(epsilon)
    if gamma is not None:
        assert low == high == gamma
    else:
        assert 1 < low < high < low + Fraction(1, 10**100)


def test_mirrored_corners_tie_at_an_irrational_level() -> None:
    """There are two optima, not one and not three, at delta and below it."""
    level = {"epsilon": {"log": "2", "times": "1/10"}, "delta": "1/5"}
    corners = [(Fraction(1, 5), Fraction(1)), (Fraction(1), Fraction(1, 5))]
    for optima, is_true in ((corners, True), (corners[:1], False), ([*corners, corners[0]], False)):
        assert oracle.truth(file(level, Fraction(1, 2), "all", Fraction(9, 4), Fraction(9, 4), optima)) is is_true


def test_optima_below_a_level_are_the_designs_of_one_smaller_level() -> None:
    """One number of the level has one value; delta is known; at a rational level nothing is smaller."""
    half, whole, third, two_thirds = Fraction(1, 2), Fraction(1), Fraction(1, 3), Fraction(2, 3)
    level, exact = ({"epsilon": {"rational": x}, "delta": "1/2"} for x in ("1/1000000", "0"))
    asked = [
        (level, "all", [(half, whole), (whole, half)], True),
        (level, "all", [(third, whole), (whole, half)], False),
        (level, "all", [(third, whole), (whole, third)], False),
        (level, "warner", [(two_thirds, two_thirds)], True),
        (level, "warner", [(two_thirds, third)], False),
        (exact, "warner", [(two_thirds, two_thirds)], False),
    ]
    for at, family, optima, is_true in asked:
        document = file(at, half, family, half, Fraction(3, 2), optima)
        document["claim"]["mechanism"] = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
        assert oracle.truth(document) is is_true, (at, optima)
