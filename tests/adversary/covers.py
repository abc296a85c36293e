"""The oracle of parity bounds: what is true of a file, by high-precision minimisation, irrational ends included.

It shares no code with the checker: mpmath evaluates the trees of the file (``fuzz/criteria.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mpmath as mp
from golden import golden_section

from adversary.fuzz.criteria import BITS, number, value

OFFSET = mp.mpf(10) ** -40  # how near to an end the oracle goes
CLOSE = mp.mpf(10) ** -22  # the oracle's error, beside a limit: smaller than every gap that is resolved
METHODS = ("bernstein", "low", "high", "middle")


def end_of(data: Any) -> mp.mpf:
    """Return the end of a piece, a root by bisection."""
    if isinstance(data, str):
        return number(data)
    low, high = map(number, data["between"])
    coefficients = [number(c) for c in reversed(data["root"])]
    rises = mp.polyval(coefficients, high) > 0
    for _ in range(BITS + 20):
        middle = (low + high) / 2
        low, high = (low, middle) if (mp.polyval(coefficients, middle) > 0) == rises else (middle, high)
    return (low + high) / 2


def odds(side: str, tree: Any, p: mp.mpf) -> mp.mpf:
    """Return N/D, infinite where D <= 0."""
    h = value(tree, p)
    above, below = ((1 - p) * h, p * (1 - h)) if side == "up" else (p * (1 - h), (1 - p) * h)
    return above / below if below > 0 else mp.inf


def pieces(function: Any) -> list[tuple[mp.mpf, mp.mpf, bool, bool, Any]]:
    """Return start, end, whether each is owned, and the expression."""
    found, start, owned = [], mp.mpf(0), True
    for piece in function["pieces"] if function else ():
        end = end_of(piece["to"])
        found.append((start, end, owned, piece["closed"], piece["value"]))
        start, owned = end, not piece["closed"]
    return found


@dataclass(frozen=True)
class Truth:
    """The infimum, whether it is attained, and near which prior of which piece."""

    value: mp.mpf
    attained: bool
    side: str
    index: int
    place: Any


def truth(problem: Any) -> Truth | None:
    """Return the infimum over all pieces, as far as samples and golden section see it; ``None`` where undefined."""
    found: list[tuple[mp.mpf, bool, str, int, mp.mpf]] = []  # the second one: whether the prior belongs to the piece
    try:
        for side in ("up", "down"):
            for index, (start, end, owns_start, owns_end, tree) in enumerate(pieces(problem[side])):

                def ratio(p: mp.mpf, side: str = side, tree: Any = tree) -> mp.mpf:
                    return odds(side, tree, p)

                ends = [at for at, owned in ((start, owns_start), (end, owns_end)) if owned and 0 < at < 1]
                found += [(ratio(at), True, side, index, at) for at in ends]
                if start == end:
                    continue
                # of another end the limit counts: F may be something else at it
                found += [(ratio(p), False, side, index, p) for p in (start + OFFSET, end - OFFSET)]
                grid = [start + (end - start) * i / 60 for i in range(1, 60)]
                values = [ratio(p) for p in grid]
                found += [(v, True, side, index, p) for v, p in zip(values, grid, strict=True)]
                for i in range(1, len(grid) - 1):
                    if values[i - 1] > values[i] <= values[i + 1]:
                        found.append((golden_section(ratio, grid[i - 1], grid[i + 1])[0], True, side, index, grid[i]))
    except (ValueError, OverflowError, ZeroDivisionError):
        return None
    point, limit = (min((f[0] for f in found if f[1] == inside), default=mp.inf) for inside in (True, False))
    apart = abs(point - limit) > CLOSE if mp.inf not in (point, limit) else True
    best = min(found, key=lambda f: (f[0], not f[1]))
    return Truth(best[0], bool(point < limit if apart else point <= limit + OFFSET), *best[2:])


def is_true(document: Any) -> bool:
    """Whether what a file claims is true of its problem, as far as the oracle sees."""
    claim = document["claim"]
    with mp.workprec(BITS):
        found = truth(document["problem"])
        if found is None:
            return False
        if claim["lower"] == "infinite":
            return bool(found.value == mp.inf)
        lower, upper = number(claim["lower"]), number(claim["upper"])
        if not lower - CLOSE <= found.value <= upper + CLOSE or claim["attained"] not in (None, found.attained):
            return False
        return place_value(document["problem"], claim["at"]) <= upper + CLOSE


def place_value(problem: Any, at: Any) -> mp.mpf:
    """Return the least N/D at, or beside, a place in terms of the argument of min(h_u(p), 1-h_l(1-p))."""
    low, high = {"0+": (OFFSET, OFFSET), "1-": (1 - OFFSET, 1 - OFFSET)}.get(str(at), (None, None))
    if low is None:
        low, high = map(number, (at, at) if isinstance(at, str) else (at["from"], at["to"]))
    best = mp.inf
    for side in ("up", "down"):
        a, b = (low, high) if side == "up" else (1 - high, 1 - low)
        for start, end, *_, tree in pieces(problem[side]):
            for p in {a, b, start, end}:
                if start <= p <= end and a <= p <= b and 0 < p < 1:
                    best = min(best, odds(side, tree, p))
    return best
