"""Exact reports of subset selection; rropt's page "Ship a client" describes it.

# <named>
A category is given by its number or its name in CATEGORIES.
# </>
Call ``randomize(category)`` once, and keep the report: a new draw of the same truth reveals more. Commands:

    test              print "ok", or the test vector that fails (exit status 1)
    draw X N          print N reports of category X
    estimate HITS N   print estimate and standard error of a category that HITS of N reports contain
"""

import os
import sys
from collections.abc import Callable

# <data>
IDENTITY = ""
CATEGORIES = ["no", "yes", "maybe"]  # names of the categories 0 to K - 1
K = 3  # categories
SIZE = 2  # categories of a report
INSIDE = 2  # sets with the truth, each of weight OWN
OWN = 2
OUTSIDE = 1  # sets without the truth, each of weight OTHER
OTHER = 1
# category, words (then zeros), number of words drawn, digest of the report
VECTORS = [(0, [0], 1, 65538)]
# </data>
TRUTH = INSIDE * OWN
TOTAL = TRUTH + OUTSIDE * OTHER
MASK = (1 << (TOTAL - 1).bit_length()) - 1


def word() -> int:
    """Return 64 random bits."""
    return int.from_bytes(os.urandom(8), "little")


# <named>
def spoken(category: int) -> int | str:
    """Return the name of a category."""
    return CATEGORIES[category] if 0 <= category < K else category


# </>
def required(category: int | str) -> int:
    """Return the number of a category. The message does not repeat a wrong one: it may be the truth."""
    # <named>
    if type(category) is str and category in CATEGORIES:
        return CATEGORIES.index(category)
    if type(category) is int and str(category) in CATEGORIES and CATEGORIES.index(str(category)) != category:
        raise ValueError("this number is also the name of another category: give the name as text")
    if type(category) is not int or not 0 <= category < K:
        listed = ", ".join(f"{name!r:.40}" for name in CATEGORIES[: K if K <= 12 else 5])
        more = f", and so on: all {K} are in CATEGORIES" if K > 12 else ""
        raise ValueError(f"no such category: allowed are the integers from 0 to {K - 1} and the names {listed}{more}")
    # <unnamed>
    if type(category) is not int or not 0 <= category < K:
        raise ValueError(f"no such category: allowed are the integers from 0 to {K - 1}")
    # </>
    return category


def randomize(category: int | str, word: Callable[[], int] = word) -> list[int]:
    """Return a report of a category: SIZE categories in ascending order.

    A uniform u below TOTAL selects a set by its rank: of the c sets of s of n categories, c s / n contain the first.
    """
    category = required(category)
    while (u := word() & MASK) >= TOTAL:
        pass
    inside, report = u < TRUTH, list[int]()
    rank, c, s = (u // OWN, INSIDE, SIZE - 1) if inside else ((u - TRUTH) // OTHER, OUTSIDE, SIZE)
    others = [y for y in range(K) if y != category]
    for n, y in zip(range(K - 1, 0, -1), others, strict=True):
        first = c * s // n
        if rank < first:
            report.append(y)
            c, s = first, s - 1
        else:
            rank, c = rank - first, c - first
    return sorted([*report, category]) if inside else report


def estimates(*counts: int) -> list[float]:
    """Return the unbiased estimate of a category and its standard error; HITS of N reports contain it."""
    if len(counts) != 2 or {*map(type, counts)} != {int} or not 0 <= counts[0] <= counts[1] < 10**15 or not counts[1]:
        raise ValueError(f"HITS of N reports: needed are 0 <= HITS <= N, 0 < N < 10^15: received {counts!r:.40}")
    hits, n = counts
    rate, truth = hits / n, TRUTH / TOTAL
    other = (SIZE - truth) / (K - 1)  # a report contains another category
    return [(rate - other) / (truth - other), (rate * (1 - rate) / n) ** 0.5 / (truth - other)]


def replayed(category: int | str, words: list[int]) -> tuple[int, int]:
    """Return the digest of the report that these words draw, then zeros, and the number of words drawn."""
    left, h = [*words, 0, 0], 0
    for y in randomize(category, lambda: left.pop(0)):
        h = (h * 65537 + y + 1) % 2147483647
    return h, len(words) + 2 - len(left)


def test() -> bool:
    """Return whether all vectors pass; print the first one that fails."""
    for category, words, drawn, digest in VECTORS:
        try:
            # <named>
            if replayed(spoken(category), words) == (digest, drawn):
                continue
            # <unnamed>
            if replayed(category, words) == (digest, drawn):
                continue
            # </>
        except (ArithmeticError, LookupError, ValueError):
            pass
        print("the constants are damaged, a vector fails:", category, words)
        return False
    return True


def number(text: str) -> int:
    """Return digits as a number."""
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise ValueError(f"not a number: received {text!r:.40}; allowed are up to 15 digits")
    return int(text)


def main(*given: str) -> int:
    """Run a command."""
    try:
        match given:
            case ["test"]:
                if not test():
                    return 1
                print("ok")
            case ["draw", x, n]:
                # <named>
                is_number = x.isascii() and x.isdigit() and len(x) < 16
                category = spoken(required(int(x) if is_number else x))
                for _ in range(number(n)):
                    print(*(CATEGORIES[y] for y in randomize(category)), sep="&")
                # <unnamed>
                category = required(number(x))
                for _ in range(number(n)):
                    print(*randomize(category), sep="&")
                # </>
            case ["estimate", *counts]:
                print(*estimates(*map(number, counts)))
            case _:
                raise ValueError("no such command: allowed are test, draw X N, estimate HITS N")
        sys.stdout.flush()
    except ValueError as wrong:
        print(wrong, file=sys.stderr)
        return 2
    except OSError as wrong:
        print("the output cannot be written:", wrong.strerror, file=sys.stderr, flush=True)
        os._exit(2)  # Python's end would write the rest again
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
