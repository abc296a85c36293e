"""The oracle itself: brute force over the region, honest certificates, and levels at which a sign is 0."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from adversary.designs import (
    design_at,
    exceeds_optimum,
    is_private,
    optimal_candidates,
    value,
    variance,
)
from adversary.levels import DELTA, GAMMA, Level
from adversary.oracle import judge
from adversary.stored import short_texts
from every_case import every_case


def test_every_honest_certificate_is_true() -> None:
    """Of those at one prevalence that it reads; the levels of a criterion it does not."""
    found = Counter(judge(text).why for text in short_texts("binary-bracket"))
    assert set(found) == {"", "region", "goal", "not an object with the keys ('log',)"}
    assert found[""] >= 100


def test_no_design_of_a_grid_is_better(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """A search of the region, with the definition of privacy, the variance, and nothing else."""
    searched = 0
    for _ in range(size(25, 400)):
        gamma, delta = 1 + Fraction(rng.randint(0, 30), 10), Fraction(rng.randint(0, 10), 10)
        pi, family = Fraction(rng.randint(0, 12), 12), rng.choice(["all", "all", "warner"])
        if gamma == 1 and not delta:
            continue
        level = Level(gamma, Fraction(1), delta)
        names = optimal_candidates(level, pi, family)
        best = {design_at(name, gamma, delta) for name in names}
        least = {variance(design, pi) for design in best}
        assert len(least) == 1
        assert all(is_private(design, level) for design in best)
        (optimum,) = least
        assert not exceeds_optimum(optimum, level, pi, family)
        assert exceeds_optimum(optimum + Fraction(1, 10**40), level, pi, family)
        grid = [Fraction(i, 24) for i in range(25)]
        for a in grid:
            for b in [a] if family == "warner" else grid:
                if a + b <= 1 or not _is_private((a, b), gamma, delta):
                    continue
                searched += 1
                assert variance((a, b), pi) >= optimum, (gamma, delta, pi, family, a, b)
                if variance((a, b), pi) == optimum and optimum > 0:
                    assert (a, b) in best, (gamma, delta, pi, family, a, b)
    assert searched >= size(1_000, 20_000)


def _is_private(design: tuple[Fraction, Fraction], gamma: Fraction, delta: Fraction) -> bool:
    """``Pr(Z in A | X = j) <= gamma Pr(Z in A | X = l) + delta`` for each set A of the two outputs."""
    a, b = design
    columns = [(a, 1 - a), (1 - b, b)]
    return all(p[i] <= gamma * q[i] + delta for p in columns for q in columns for i in (0, 1))


@every_case(
    ("level", "polynomial", "sign"),
    [
        (Level(Fraction(4), Fraction(1, 2), Fraction(0)), GAMMA - 2, 0),
        (Level(Fraction(2), Fraction(1, 2), Fraction(0)), GAMMA * GAMMA - 2, 0),
        (Level(Fraction(2), Fraction(1, 2), Fraction(0)), GAMMA * GAMMA - 2 - Fraction(1, 10**500), -1),
        (Level(Fraction(9, 4), Fraction(3, 2), Fraction(1, 3)), GAMMA * 8 - DELTA * 81, 0),
        (Level(None, Fraction(1), None, Fraction(-1)), GAMMA * DELTA - 1, 0),
        (Level(None, Fraction(2), None, Fraction(-1)), GAMMA * DELTA * DELTA - 1, 0),
        (Level(None, Fraction(2), None, Fraction(-1)), GAMMA * DELTA - 1, 1),
        (Level(None, Fraction(1, 10**60), Fraction(0)), GAMMA - 1, 1),
        (Level(Fraction(2), Fraction(1, 3), None, Fraction(-1)), GAMMA * GAMMA * GAMMA * DELTA - DELTA * 2, 0),
    ],
)
def test_the_sign_of_a_polynomial(level: Level, polynomial: object, sign: int) -> None:
    assert level.sign(polynomial) == sign  # type: ignore[arg-type]


def test_mirrored_corners_tie_at_an_irrational_level() -> None:
    for level in (
        Level(None, Fraction(1, 10), None, Fraction(-3, 2)),
        Level(Fraction(2), Fraction(1, 10), Fraction(1, 5)),
    ):
        assert optimal_candidates(level, Fraction(1, 2), "all") == ("corner-p00", "corner-p11")
        (p, q), (r, s) = (value(name, Fraction(1, 2)) for name in ("corner-p00", "corner-p11"))
        assert level.sign(p * s - r * q) == 0
