"""Change certificates of the way of values, and judge each by both checkers and by its definition.

``python benchmarks/number_certificates.py [COUNT]`` makes COUNT changed files (2 000 by default) and prints how many
both checkers reject, how many they accept, and each file on which they differ or that states something false. The
definition shares no code with the checkers: all 2^k rows in fractions, and the matrix itself. It needs Node.
"""

from __future__ import annotations

import json
import random
import sys
from copy import deepcopy
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "checker"))

from javascript import judge

import rropt
from rropt.checker import check_text
from rropt.objectives import ConditionalVariance, Contrast
from rropt.privacy import PrivacyRegion

F = Fraction


def certificates() -> list[Any]:
    """Return certificates of 3 to 9 numbers, at rational levels, of both objectives."""
    found = []
    for objective, numbers, level in (
        (ConditionalVariance, [-1, 0, 1], "log(2)"),
        (ConditionalVariance, [1, 2, 3, 4, 5], "log(3)"),
        (ConditionalVariance, [0, 10, 25, 50, 75, 150], "log(4)"),
        (Contrast, [1, 2, 3, 4, 5, 6, 7], "log(5)"),
        (ConditionalVariance, [*range(9)], "log(20)"),
    ):
        k = len(numbers)
        problem = rropt.Problem(PrivacyRegion(level, inputs=k, outputs="any"), objective(numbers), [F(1, k)] * k)
        document = rropt.solve(problem, fast=True).certificate.to_dict()
        if document["proof"]["way"] == "values":
            found.append(document)
    return found


def is_true(document: Any) -> bool:
    """Return whether a file proves what it states: by all rows of entries 1 and gamma, and by the matrix."""
    problem, claim, proof = document["problem"], document["claim"], document["proof"]
    objective, (level,) = problem["objective"], problem["levels"]
    x, gamma, k = [F(v) for v in objective["contrast"]], F(level["epsilon"]["log"]), int(problem["inputs"])
    is_worst = objective["kind"] == "conditional-variance"
    y = [F(v) for v in (proof["point"]["shares"] if is_worst else problem["population"])]
    a, b = [F(v) for v in proof["alpha"]], [F(v) for v in proof["vectors"][0][0]]
    z, rows = [F(v) for v in proof["estimators"][0][0]], [[F(v) for v in row] for row in claim["mechanism"]["matrix"]]
    if not (len(x) == len(y) == len(a) == len(b) == k and len(z) == len(rows) and all(len(row) == k for row in rows)):
        return False
    if min(y) < 0 or sum(y) != 1 or sum(b) != 0 or sum(a) <= 0 or F(level["delta"]) != 0:
        return False
    for row in product((F(1), gamma), repeat=k):
        along, above, total = (sum(p * q for p, q in zip(line, row, strict=True)) for line in (b, a, y))
        if above < 0 or along**2 > above * total:
            return False
    columns = list(zip(*rows, strict=True))
    if any(sum(column) != 1 for column in columns) or any(max(row) > gamma * min(row) or min(row) < 0 for row in rows):
        return False
    means = [sum(p * v for p, v in zip(column, z, strict=True)) for column in columns]
    second = [sum(p * v * v for p, v in zip(column, z, strict=True)) for column in columns]
    mean, square = sum(p * v for p, v in zip(y, x, strict=True)), sum(p * v * v for p, v in zip(y, x, strict=True))
    bound = sum(p * v for p, v in zip(b, x, strict=True)) ** 2 / sum(a)
    if is_worst:
        lower, upper = bound - square + mean**2, max(s - v * v for s, v in zip(second, x, strict=True))
    else:
        lower, upper = bound, sum(p * s for p, s in zip(y, second, strict=True)) - mean**2
    return means == x and F(claim["lower"]) <= lower and upper <= F(claim["upper"])


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all numbers of a file."""
    if isinstance(value, dict):
        return [found for key, part in value.items() for found in places(part, (*path, key))]
    if isinstance(value, list):
        return [found for i, part in enumerate(value) for found in places(part, (*path, i))]
    try:
        F(value)
    except (TypeError, ValueError):
        return []
    return [path]


def changed(document: Any, rng: random.Random) -> Any:
    """Return a copy with one number changed, moved or left out; some changes are small."""
    made = deepcopy(document)
    listed = [path for path in places(made) if not {"format", "inputs", "levels", "brackets"}.intersection(path)]
    path = rng.choice(listed)
    where: Any = made
    for key in path[:-1]:
        where = where[key]
    own, last = F(where[path[-1]]), path[-1]
    kind = rng.randrange(7)
    if kind == 6 and isinstance(where, list):
        del where[last]
        return made
    if kind == 5 and isinstance(where, list) and len(where) > 1:
        other = rng.randrange(len(where))
        where[last], where[other] = where[other], where[last]
        return made
    small = F(rng.choice((-1, 1)), 10 ** rng.randint(1, 15))
    moved = (own + small, own * (1 + small), -own, F(0), own + rng.choice((-1, 1)))[kind % 5]
    where[last] = str(moved)
    return made


def main() -> None:
    """Judge the changed files, and print what was found."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng, originals = random.Random(85), certificates()
    totals = {"rejected by both": 0, "accepted by both, and true": 0, "accepted, but false": 0, "checkers differ": 0}
    for document in originals:
        assert check_text(json.dumps(document))
        assert judge(json.dumps(document)) is None
    for i in range(count):
        made = changed(originals[i % len(originals)], rng)
        text = json.dumps(made)
        own, other = bool(check_text(text)), judge(text) is None
        if own != other:
            kind = "checkers differ"
        elif not own:
            kind = "rejected by both"
        else:
            kind = "accepted by both, and true" if is_true(made) else "accepted, but false"
        totals[kind] += 1
        if kind in ("checkers differ", "accepted, but false"):
            print(f"{kind}: {text}")
    for kind, found in totals.items():
        print(f"{found:6} {kind}")


if __name__ == "__main__":
    main()
