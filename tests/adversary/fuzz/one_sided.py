"""Files of binary-bracket with one number of the wrong end of a bracket, at brackets 10^-2 wide.

An honest file takes what it claims to attain from the levels below and what bounds it from the levels above. Here one
part is taken from another pair of ends, all else follows from it: no page's conditions hold, and a checker that takes
one end for the other would accept. ``is_false`` says of which of them an oracle knows that the claim is untrue.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import mpmath as mp

from adversary.designs import variance

from .binary import Design, Problem, corners, matrix
from .binary_brackets import Claim, hedge, is_false, least_value, optima_file, regret, worst
from .levels import Level

F = Fraction
Ends = tuple[int, int]  # of gamma's bracket and of delta's: 0 below, 1 above
ROOT = Level("power", {"log": "2", "times": "1/2"}, mp.sqrt(2), None)
TWO = Level("log", {"log": "2"}, mp.mpf(2), F(2))
SMALL = Level("exp", {"exp": "-2"}, mp.exp(-2), None)
FIVE = Level("power", {"log": "5", "times": "1/2"}, mp.sqrt(5), None)
LARGE = Level("exp", {"exp": "-7/10"}, mp.exp(mp.mpf(-7) / 10), None)
EIGHTH = Level("rational", "1/8", mp.mpf(1) / 8, F(1, 8))
WIDE, NARROW = 2, 25  # digits after the point


class File(NamedTuple):
    """A file, what was exchanged in it (nothing: honest), and whether an oracle knows its claim to be false."""

    document: Any
    changed: str
    is_false: bool


def problem(gamma: Level, delta: Level, wide: str, family: str) -> Problem:
    """Return a problem with one wide bracket."""
    ends = []
    for name, level in (("gamma", gamma), ("delta", delta)):
        ends.append(around(level, WIDE if name == wide else NARROW))
    (g, h), (d, e) = ends
    return Problem(gamma, delta, family, (g, d), (h, e), "one-sided")


def around(level: Level, digits: int) -> tuple[Fraction, Fraction]:
    """Return the number at both ends if it is rational, else its decimals rounded down and up."""
    if level.exact is not None:
        return level.exact, level.exact
    below = int(mp.floor(level.number * 10**digits))
    return F(below, 10**digits), F(below + 1, 10**digits)


def problems() -> Iterator[Problem]:
    """Iterate over problems whose one bracket is wide."""
    for wide, family in product(("gamma", "delta"), ("all", "warner")):
        yield problem(ROOT, SMALL, wide, family)
    yield problem(ROOT, EIGHTH, "gamma", "all")
    yield problem(TWO, SMALL, "delta", "all")
    for wide in ("gamma", "delta"):
        yield problem(FIVE, LARGE, wide, "all")


def at(made: Problem, ends: Ends) -> tuple[Fraction, Fraction]:
    """Return gamma and delta at these ends."""
    return (made.low, made.high)[ends[0]][0], (made.low, made.high)[ends[1]][1]


def exchanges(honest: dict[str, Ends]) -> Iterator[tuple[str, dict[str, Ends]]]:
    """Iterate over the honest ends, then over all with one part taken from others."""
    yield "", honest
    for part, ends in honest.items():
        for other in product((0, 1), repeat=2):
            if other != ends:
                yield f"{part} {other}", {**honest, part: other}


# Intervals


def interval_files() -> Iterator[File]:
    """Iterate over worst cases and regrets."""
    parts: dict[str, Ends] = {"vertices": (1, 1), "hedge": (1, 1), "dear": (0, 0), "design": (0, 0), "cheap": (1, 1)}
    kinds = {"variance": ("vertices", "design"), "regret": tuple(parts)}
    for made, kind, ends in product(problems(), kinds, ((F(1, 4), F(4, 5)), (F(0), F(3, 4)))):
        tried = [x for x in exchanges(parts) if not x[0] or x[0].startswith(kinds[kind])]
        for changed, chosen in [*tried, ("no hedge", parts), ("a hedge of equal parts", parts), ("reversed", parts)]:
            yield _interval_file(made, kind, ends[:: -1 if changed == "reversed" else 1], changed, chosen)


def _interval_file(
    made: Problem, kind: str, interval: tuple[Fraction, Fraction], changed: str, parts: dict[str, Ends]
) -> File:
    ends, levels = list(interval), {part: at(made, ends) for part, ends in parts.items()}
    held = {part: list(corners(*level, made.family).values()) for part, level in levels.items()}
    dear, cheap = ([min(variance(v, pi) for v in held[part]) for pi in ends] for part in ("dear", "cheap"))
    hedged = made.family == "all" and changed != "reversed" and kind == "regret"
    attained, bounding = list(held["design"]), list(held["vertices"])
    if hedged:
        attained.append(hedge(*levels["design"], ends, cheap))
    if hedged and changed != "no hedge":
        equal = [pi * (1 - pi) for pi in ends] if changed == "a hedge of equal parts" else dear
        bounding.append(hedge(*levels["hedge"], ends, equal))
    if kind == "variance":
        design = min(attained, key=lambda v: _worst(v, ends))
        lower, upper = min(_worst(v, ends) for v in bounding), _worst(design, ends)
    else:
        design = min(attained, key=lambda v: regret(v, ends, cheap))
        lower = max(min(regret(v, ends, dear) for v in bounding), F(0))
        upper = regret(design, ends, cheap)
    claim = {"lower": str(lower), "upper": str(upper), "mechanism": matrix(design)}
    file = made.file(kind, (ends[0], ends[1]), claim)
    proper = sorted(ends)
    least = least_value(made.truth, kind, proper[0], proper[1])
    return File(file, changed, is_false(made.truth, kind, proper, lower, upper, design, least))


def _worst(design: Design, ends: list[Fraction]) -> Any:
    """Return the largest n Var between two prevalences; in the wrong order, that at the second: 2 clamps make it so."""
    return worst(design, *ends) if ends[0] <= ends[1] else variance(design, ends[1])


# Optimal designs


def optima_files() -> Iterator[File]:
    """Iterate over optimal designs."""
    parts: dict[str, Ends] = {"lower": (1, 1), "design": (0, 0), "segment": (0, 0)}
    for made, pi in product(problems(), (F(0), F(1, 7), F(1))):
        for changed, chosen in exchanges(parts):
            yield _optima_file(made, pi, changed, chosen)
        for ends in ((0, 1), (1, 0)):
            yield _optima_file(made, pi, f"all below {ends}", {**parts, "design": ends, "segment": ends})
    for made in (problem(ROOT, EIGHTH, "gamma", "all"), problem(TWO, SMALL, "delta", "all")):
        yield from _ties(made)


def _optima_file(made: Problem, pi: Fraction, changed: str, parts: dict[str, Ends]) -> File:
    lower = min(variance(v, pi) for v in corners(*at(made, parts["lower"]), made.family).values())
    held = corners(*at(made, parts["design"]), made.family)
    upper = min(variance(v, pi) for v in held.values())
    best = [v for v in held.values() if variance(v, pi) == upper]
    segment = None
    if made.family == "all" and pi in (0, 1):
        mirror = 1 if pi == 0 else -1
        segment = {"after": ["1", "0"][::mirror], "through": ["1", str(at(made, parts["segment"])[1])][::mirror]}
    file = optima_file(made, pi, Claim(best, best[0], lower, upper, segment))
    least, _ = made.truth.best(pi)
    private = all(map(made.truth.is_private, best))
    return File(file, changed, made.truth.exceeds(lower, least) or not private)


def _ties(made: Problem) -> Iterator[File]:
    """Iterate over files of what ties at one end only: both designs claimed, or the one that is worse."""
    for name, share in (("below", F(0)), ("between", F(3, 4)), ("above", F(1))):
        g, d = (low + share * (high - low) for low, high in zip(made.low, made.high, strict=True))
        root = d * (g + d) / (g + 2 * d - 1) ** 2  # where the diagonal and a corner have one n Var at (g, d)
        for pi in (root, 1 - root):
            values = {name: variance(v, pi) for name, v in corners(g, d, made.family).items()}
            tied = [each for each, value in values.items() if value == min(values.values())]
            _, optimal = made.truth.best(pi)
            below, above = (corners(*end, made.family) for end in (made.low, made.high))
            lower = min(variance(v, pi) for v in above.values())
            for claimed in (tied, *([each] for each in tied)):
                designs = [below[each] for each in below if each in claimed]
                upper = variance(designs[0], pi)
                file = optima_file(made, pi, Claim(designs, designs[0], lower, upper, None))
                yield File(file, f"a tie {name}, {claimed}", claimed != optimal)


def files() -> list[File]:
    """Return all of them."""
    return [*interval_files(), *optima_files()]
