"""Degenerate cases of parity-bound with exact truth: functions, cells, bounds and pieces that random ones rarely meet.

Functions: the constants 0, 1 and 2, p itself and its neighbours, each also in disguises (powers 0 and 1, a logarithm of
1, an extremum of equal operands, a difference that cancels, a quotient of equals). Their odds F are monotone, so that
the infimum on an interval is at an end. Cells: a point, all of [0, 1], a sliver at an end. Bounds: the infimum
itself, one unit beside it, 0, negative, huge, crossed. Pieces: equal ones, a single point, ends next to 0 and 1.
Operands: roots, fractional powers and logarithms that are not defined on the piece, up to an end of it (``hidden``).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

EVERY = 8  # one statement or claim of so many is degenerate, on the average of a long run

F = Fraction
HUGE, SLIVER, UNIT = F(10**30), F(1, 10**12), F(1, 10**30)
Value = Fraction | None  # None: infinite


class Known(NamedTuple):
    """A function of p by its value, the limits of F at 0 and 1, and the name of its mirror image ``1 - h(1-p)``."""

    value: Callable[[Fraction], Fraction]
    at_0: Value
    at_1: Value
    mirror: str


KNOWN = {
    "0": Known(lambda p: F(0), F(0), F(0), "1"),
    "1": Known(lambda p: F(1), None, None, "0"),
    "p": Known(lambda p: p, F(1), F(1), "p"),
    "1-p": Known(lambda p: 1 - p, None, F(0), "1-p"),
    "p^2": Known(lambda p: p * p, F(0), F(1, 2), "p(2-p)"),
    "p(2-p)": Known(lambda p: p * (2 - p), F(2), None, "p^2"),
}
_LESS: Any = {"sum": ["1", {"negative": "p"}]}
_SQUARE: Any = {"power": ["p", "2"]}
TREES: dict[str, list[Any]] = {
    "0": [
        "0",
        {"product": ["0", "p"]},
        {"sum": ["p", {"negative": "p"}]},
        {"sqrt": {"product": ["0", "p"]}},
        {"log": "1"},
        {"minimum": ["0", "p"]},
    ],
    "1": ["1", {"power": ["p", "0"]}, {"quotient": ["p", "p"]}, {"exp": "0"}, {"maximum": ["1", "p"]}, "2"],
    "p": [
        "p",
        {"power": ["p", "1"]},
        {"sqrt": _SQUARE},
        {"minimum": ["p", "p"]},
        {"quotient": ["1", {"quotient": ["1", "p"]}]},
    ],
    "1-p": [_LESS, {"maximum": [_LESS, _LESS]}, {"sqrt": {"power": [_LESS, "2"]}}],
    "p^2": [_SQUARE, {"product": ["p", "p"]}, {"minimum": [_SQUARE, "p"]}],
    "p(2-p)": [
        {"product": ["p", {"sum": ["2", {"negative": "p"}]}]},
        {"sum": ["1", {"negative": {"power": [_LESS, "2"]}}]},
    ],
}


def draw(rng: random.Random, mirrored: bool) -> tuple[str, Any]:
    """Return the name of a function, and a tree of it: one with values in [0, 1] if it is mirrored."""
    name = rng.choice(list(KNOWN))
    return name, rng.choice([tree for tree in TREES[name] if tree != "2" or not mirrored])


def odds(name: str, p: Fraction) -> Value:
    """Return F at p, or its limit at 0 or 1."""
    known = KNOWN[name]
    if p in (0, 1):
        return known.at_1 if p else known.at_0
    h = known.value(p)
    return None if h >= 1 else (1 - p) * h / (p * (1 - h))


def cell(rng: random.Random, method: str) -> tuple[Fraction, Fraction]:
    """Return a degenerate cell on which a method may be asked."""
    start = rng.choice((F(1, 2), UNIT, 1 - UNIT, F(1, 10**300)))
    if method == "point":
        return start, start
    at_0, at_1 = (F(0), SLIVER), (1 - SLIVER, F(1))
    if method in ("low", "high", "limit"):
        return {"low": at_0, "high": at_1}.get(method) or rng.choice((at_0, at_1))
    if method == "bernstein":
        return rng.choice((at_0, at_1, (F(0), F(1)), (start, start)))
    return rng.choice(((SLIVER, 1 - SLIVER), (F(1, 2), F(1, 2) + UNIT)))


def least(name: str, low: Fraction, high: Fraction) -> Value:
    """Return the infimum of F on an interval: the least value at its ends."""
    found = [x for x in (odds(name, low), odds(name, high)) if x is not None]
    return min(found, default=None)


def most(name: str, low: Fraction, high: Fraction) -> Value:
    """Return the supremum."""
    found = [odds(name, low), odds(name, high)]
    return None if None in found else max(x for x in found if x is not None)


def bound(rng: random.Random, extreme: Value) -> Fraction:
    """Return a degenerate bound of a cell: at least 0, as the rule requires before it looks at cells."""
    beside = [] if extreme is None else [extreme, extreme + UNIT, max(extreme - UNIT, F(0))]
    return rng.choice([*beside, *beside, F(0), UNIT, HUGE])


class Infimum(NamedTuple):
    """B of a problem, whether it is attained, and where: side, piece and prior; F there if all operands counted."""

    value: Value
    attained: bool
    side: str
    index: int
    place: Fraction
    decoy: Value = None


def problem(rng: random.Random) -> tuple[Any, Infimum]:
    """Return a criterion of one to three known pieces on one side or both, and its infimum."""
    sides = rng.choice((["up"], ["down"], ["up", "down"]))
    made: Any = {"up": None, "down": None}
    found: list[Infimum] = []
    for side in sides:
        pieces, last, start, owned = [], draw(rng, side == "down"), F(0), True
        for end, closed in _ends(rng):
            name, tree = last = draw(rng, side == "down") if rng.random() < 0.7 else last
            at_ends = list(_at_ends(side, len(pieces), name, (start, end), (owned, closed)))
            beside_end = [i for i, each in enumerate(at_ends) if 0 < each.place < 1 and start < end]
            if beside_end and rng.random() < 0.5:
                i = rng.choice(beside_end)
                place = at_ends[i].place
                root = undefined(rng, place, is_start=i == 0)
                tree, seen = hidden(rng, side, name, tree, root, is_owned=(owned, closed)[i])
                decoy = odds(seen, place) if side == "up" else odds(KNOWN[seen].mirror, 1 - place)
                at_ends[i] = at_ends[i]._replace(decoy=decoy)
            found += at_ends
            pieces.append({"to": str(end), "closed": closed, "value": tree})
            start, owned = end, not closed
        made[side] = {"pieces": pieces}
    decoy = rng.choice([each.decoy for each in found if each.decoy is not None] or [None])
    finite = [each for each in found if each.value is not None]
    if not finite:
        return made, found[0]._replace(decoy=decoy)
    value = min(each.value for each in finite if each.value is not None)
    best = max((each for each in finite if each.value == value), key=lambda each: each.attained)
    return made, best._replace(decoy=decoy)


def undefined(rng: random.Random, end: Fraction, is_start: bool) -> Any:
    """Return what is not defined on a piece that starts, or ends, there; most of them are 0 at the end itself."""
    gap: Any = {"sum": [str(end), {"negative": "p"}]} if is_start else {"sum": ["p", str(-end)]}
    return rng.choice([{"sqrt": gap}, {"sqrt": gap}, {"power": [gap, "1/3"]}, {"power": [gap, "3/2"]}, {"log": gap}])


BELOW = {  # which functions are at most another one on all of [0, 1]
    "0": ["0"],
    "1": ["1", "p", "p^2", "p(2-p)", "1-p", "0"],
    "p": ["p", "p^2", "0"],
    "1-p": ["1-p", "0"],
    "p^2": ["p^2", "0"],
    "p(2-p)": ["p(2-p)", "p", "p^2", "0"],
}


def hidden(rng: random.Random, side: str, name: str, tree: Any, root: Any, is_owned: bool) -> tuple[Any, str]:
    """Return a tree with the values of another one on its piece, where the root is not defined and is left out.

    And return which function it is at the end if the root is 0 there and counts: on a piece that does not own its
    end, a value that F does not tend to. On the side down all is turned over, and the root is 1 there.
    """
    outer, inner, bound = ("maximum", "minimum", "0") if side == "up" else ("minimum", "maximum", "1")
    root = root if side == "up" else {"sum": ["1", root]}
    if is_owned:
        return {outer: rng.sample([tree, root], 2)}, name
    if rng.random() < 0.2:
        return {inner: rng.sample([tree, root], 2)}, bound
    other = rng.choice(BELOW[name] if side == "up" else [above for above in BELOW if name in BELOW[above]])
    rest = rng.choice([each for each in TREES[other] if each != "2"])
    return {outer: rng.sample([{inner: rng.sample([root, tree], 2)}, rest], 2)}, other


def _ends(rng: random.Random) -> Iterator[tuple[Fraction, bool]]:
    inner = sorted(rng.sample((SLIVER, F(1, 4), F(1, 2), F(3, 4), 1 - SLIVER), rng.choice((0, 0, 1, 2))))
    for end in inner:
        if rng.random() < 0.3:  # a piece that is one point
            yield end, False
            yield end, True
        else:
            yield end, rng.random() < 0.5
    yield F(1), True


def _at_ends(
    side: str, index: int, name: str, ends: tuple[Fraction, Fraction], owned: tuple[bool, bool]
) -> Iterator[Infimum]:
    """Iterate over the ends of a piece with F there; on the side down of the mirror image, at 1 - p."""
    flat = name in ("0", "1", "p")
    for p, holds in zip(ends, owned, strict=True):
        value = odds(name, p) if side == "up" else odds(KNOWN[name].mirror, 1 - p)
        inside = flat and ends[0] < ends[1]
        yield Infimum(value, inside or (holds and 0 < p < 1), side, index, p)


def claim(rng: random.Random, known: Infimum) -> tuple[Fraction, Fraction, bool | None, str]:
    """Return degenerate bounds, what is said of attainment, and what is false about them (or "true")."""
    b = HUGE if known.value is None else known.value
    pairs = [(b + 1, b - 1), (b + UNIT, b), (b, b - UNIT), (-b - 1, -b), (-b, -b), (F(0), F(0)), (F(-1), F(-1))]
    pairs += [(b + UNIT, b + UNIT), (b - UNIT, b - UNIT), (F(0), -UNIT), (HUGE, HUGE), (-HUGE, HUGE), (b, b), (F(0), b)]
    if known.decoy is not None and rng.random() < 0.5:
        pairs = [(known.decoy, known.decoy), (F(0), known.decoy)]
    lower, upper = rng.choice(pairs)
    attained = rng.choice((None, None, known.attained, not known.attained))
    return lower, upper, attained, _kind(known, lower, upper, attained)


def _kind(known: Infimum, lower: Fraction, upper: Fraction, attained: bool | None) -> str:
    if lower > upper:
        return "crossed"
    if known.value is None:
        return "finite bounds of an infinite B"
    if lower > known.value:
        return "lower too high"
    if upper < known.value:
        return "upper too low"
    if attained is not None and attained != known.attained:
        return f"attained is not {known.attained}"
    return "true"


def beside(rng: random.Random) -> random.Random:
    """Return a generator that follows from another one and takes nothing from it: what that draws stays the same."""
    return random.Random(f"degenerate {rng.getstate()[1][:8]}")
