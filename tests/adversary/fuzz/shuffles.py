"""Rule 28: false claims about shuffled reports, refuted by the enumeration of all data sets in fractions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from .compositions import _ends
from .harness import Piece, document
from .levels import Level, bracket_of, random_level

F = Fraction
ORACLE = "the enumeration of all data sets"
_SPARE = F(1, 10**9)  # for the digits of the laws

DECIDING = {
    "shuffled-blocks": (
        "lower is above the chance",
        "upper is below the delta of a block",
        "the blocks have not",
        "zeros is not",
        "the cut is not",
        "a block is not",
        "respondents is not",
        "bits is not",
        "gamma",
    )
}


def count(ones: int, zeros: int, g: Fraction) -> list[Fraction]:
    """Return the law of the number of reports 1, respondent by respondent."""
    law = [F(1)]
    for chance in [g / (1 + g)] * ones + [1 / (1 + g)] * zeros:
        law = [
            (law[i] * (1 - chance) if i < len(law) else 0) + (law[i - 1] * chance if i else 0)
            for i in range(len(law) + 1)
        ]
    return law


def slack(ones: int, zeros: int, g: Fraction, gamma: Fraction) -> Fraction:
    """Return the sum of (P - gamma Q)^+ with so many others."""
    p, q = count(ones + 1, zeros, g), count(ones, zeros + 1, g)
    return sum((max(F(0), x - gamma * y) for x, y in zip(p, q, strict=True)), F(0))


def worst(n: int, g: Fraction, gamma: Fraction) -> Fraction:
    """Return delta over all data sets."""
    return max(slack(n - 1 - j, j, g, gamma) for j in range(n))


def event(n: int, j: int, cut: int, g: Fraction, gamma: Fraction) -> Fraction:
    """Return P - gamma Q of at least so many reports 1, at least 0."""
    p, q = count(n - j, j, g), count(n - 1 - j, j + 1, g)
    return max(sum(p[cut:], F(0)) - gamma * sum(q[cut:], F(0)), F(0))


def blocks_delta(sizes: Sequence[int], g: Fraction, gamma: Fraction) -> Fraction:
    """Return the largest delta of the common parts of blocks."""
    n, first, most = sum(sizes), 0, F(0)
    for size in sizes:
        most = max(most, slack(n - size - first, first, g, gamma))
        first += size
    return most


def file(n: Any, local: Any, target: Any, ends: Any, claim: Any, witness: Any) -> dict[str, Any]:
    """Return a certificate; ``ends`` are the brackets of the device and of gamma."""

    def bracket(pair: Any) -> dict[str, str]:
        return {"below": str(pair[0]), "above": str(pair[1])}

    problem = {"kind": "shuffled-reports", "respondents": str(n), "local": local, "epsilon": target}
    said = {"kind": "shuffled-delta", "lower": str(claim[0]), "upper": str(claim[1])}
    j, cut, sizes, bits = witness
    own = {"data_set": {"zeros": str(j), "cut": str(cut)}, "blocks": [str(size) for size in sizes], "bits": str(bits)}
    both = {"local": bracket(ends[0]), "gamma": bracket(ends[1])}
    return document(problem, said, {"rule": "shuffled-blocks", **both, **own})


def _sizes(n: int, rng: random.Random) -> list[int]:
    sizes = []
    while n:
        sizes.append(rng.randint(1, n) if rng.random() < 0.3 else 1)
        n -= sizes[-1]
    return sizes


def _level(rng: random.Random) -> tuple[Level, tuple[Fraction, Fraction]]:
    while True:
        level = random_level(rng)
        ends = _ends(level, rng)
        if ends[1] <= 60:
            return level, ends


def shuffles(rng: random.Random) -> Iterator[Piece]:
    """Iterate over claims, true and false."""
    while True:
        n = rng.choice((1, 1, 2, 3, 4, 5, 7))
        (local, own), (target, ends) = _level(rng), _level(rng)
        j, cut, sizes, bits = rng.randrange(n), rng.randint(0, n), _sizes(n, rng), rng.choice((60, 100, 200))
        lower = event(n, j, cut, own[0], ends[1]) - _SPARE
        upper = blocks_delta(sizes, own[1], ends[0]) + _SPARE
        exact = worst(n, own[0], ends[1]), worst(n, own[1], ends[0])
        good = j, cut, sizes, bits

        def made(
            claim: Any, witness: Any = good, n: Any = n, brackets: Any = (own, ends), levels: Any = (local, target)
        ) -> Any:
            return file(n, levels[0].text, levels[1].text, brackets, claim, witness)

        yield Piece(made((lower, upper)), "the bounds", True, ORACLE)
        yield Piece(made((F(0), upper)), "the upper bound", True, ORACLE)
        step = F(1, 10 ** rng.choice((1, 3, 6)))
        yield Piece(made((exact[1] + (1 - exact[1]) * step + step / 10, F(2))), "lower above the worst", False, ORACLE)
        if exact[0] > 0:
            yield Piece(made((F(-1), exact[0] * (1 - step))), "upper below the worst", False, ORACLE)
        wide = F(0), F(1)
        for size in (
            [*sizes, 1],
            sizes[:-1],
            [n + 1],
            [0, *sizes],
            [*sizes[:-1], -1, sizes[-1] + 1],
            [F(1, 2)] * 2 * n,
        ):
            yield Piece(made(wide, (j, cut, size, bits)), "blocks without all data sets", False, "counting")
        for wrong in (n, -1, F(1, 2)):
            yield Piece(made(wide, (wrong, cut, sizes, bits)), "a data set beyond its range", False, "counting")
        for wrong in (n + 1, -1):
            yield Piece(made(wide, (j, wrong, sizes, bits)), "a cut beyond its range", False, "counting")
        for wrong in (0, -2, 4097):
            yield Piece(made(wide, (j, cut, sizes, wrong)), "bits beyond their range", False, "counting")
        for wrong in (0, -n, 10**7 + 1):
            yield Piece(made(wide, n=wrong), "a number of respondents beyond its range", False, "counting")
        for which, level, bracket in ((0, local, own), (1, target, ends)):
            method, low, high = bracket_of(level, rng)
            if method not in ("honest", "one point") and (level.exact is None or (low, high) != bracket):
                brackets = [own, ends]
                brackets[which] = (low, high)
                yield Piece(made(wide, brackets=brackets), f"profile, {method}", False, level.oracle)


FUZZERS = {"shuffled-blocks": shuffles}
