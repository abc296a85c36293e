"""Rule 32: tables of clients, true and false; the truth by the law of the sampler, enumerated, and the sets of blocks.

A true file has weights in proportion to the probabilities, or the numbers of its family. False ones change an integer
by one, exchange two, or are beyond words of 64 bits. One file in eight is degenerate: outputs that are certain or never
occur, totals of 0 and 1, equal columns.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator
from fractions import Fraction
from itertools import accumulate, combinations, product
from typing import Any

from .harness import Piece, document

F = Fraction
ORACLE = "the law of the sampler, enumerated"
DECIDING = {
    "client": (
        "is not in proportion",
        "heads/coin is not",
        "is not that of the mechanism",
        "of a list is 0",
        "is not an integer from",
        "is not p",
        "is not m",
        "is not delta",
    )
}
_PRIMES = (3, 5, 7, 11, 13)


def file(mechanism: Any, table: Any) -> dict[str, Any]:
    """Return a certificate."""
    claim = {"kind": "client-law", "table": table}
    return document({"kind": "client", "mechanism": mechanism}, claim, {"rule": "client"})


def law_of_list(ends: list[int]) -> list[Fraction] | None:
    """Return the law of a list: which number of ends is at most u, for every u; None if there is no u."""
    if ends[-1] < 1:
        return None
    return [F(sum(sum(end <= u for end in ends) == i for u in range(ends[-1])), ends[-1]) for i in range(len(ends))]


def columns(rng: random.Random) -> Iterator[Piece]:
    """Yield tables of matrices."""
    while True:
        m, k = rng.randint(1, 4), rng.randint(1, 4)
        weights = [[rng.choice((0, 1, rng.randint(1, 9))) for _ in range(m)] for _ in range(k)]
        for each in weights:
            each[rng.randrange(m)] += 1
        yield from of_weights(rng, weights)


def of_weights(rng: random.Random, weights: list[list[int]]) -> Iterator[Piece]:
    """Yield tables of the matrix of these weights of each column."""
    m, k = len(weights[0]), len(weights)
    rows = [[F(weights[x][i], sum(weights[x])) for x in range(k)] for i in range(m)]
    ends = [list(accumulate(each)) for each in weights]
    made = {"matrix": [list(map(str, row)) for row in rows]}

    def piece(table: list[list[int]], method: str) -> Piece:
        laws = [law_of_list(each) for each in table]
        true = all(each == sorted(each) and each[0] >= 0 for each in table)
        true = true and all(law == [row[x] for row in rows] for x, law in enumerate(laws))
        return Piece(file(made, {"columns": [list(map(str, each)) for each in table]}), method, true, ORACLE)

    yield piece(ends, "the weights")
    times = rng.choice((2, 3, 7))
    yield piece([[times * end for end in each] for each in ends], "multiples of the weights")
    x, i = rng.randrange(k), rng.randrange(m)
    for step in (1, -1):
        other = [list(each) for each in ends]
        other[x][i] += step
        yield piece(other, "an integer changed by 1")
    zero = [list(each) for each in ends]
    zero[x] = [0] * m
    yield piece(zero, "a total of 0")
    y = rng.randrange(k)
    swapped = [list(each) for each in ends]
    swapped[x], swapped[y] = swapped[y], swapped[x]
    if swapped != ends:
        yield piece(swapped, "two lists exchanged")
    turned = [each[1:] + each[:1] for each in ends]
    if turned != ends:
        yield piece(turned, "the integers turned")
    large = (2**63 // ends[x][-1] + 1) * ends[x][-1]
    beyond = [[str(end * (large // each[-1] if z == x else 1)) for end in each] for z, each in enumerate(ends)]
    yield Piece(file(made, {"columns": beyond}), "beyond 63 bits", False, "its form")
    wrong = {"matrix": [[str(p + F(1, 97)) for p in row] for row in rows]}
    yield Piece(file(wrong, {"columns": [list(map(str, each)) for each in ends]}), "no mechanism", False, "its form")
    yield Piece(
        file(made, {"columns": [list(map(str, each)) for each in [*ends, ends[0]]]}), "a list more", False, "its form"
    )
    longer = [list(map(str, [*each, each[-1]])) for each in ends]
    yield Piece(file(made, {"columns": longer}), "an integer more", False, "its form")


def root_of(q: int) -> int:
    """Return the least primitive root modulo q."""
    return next(g for g in range(1, q) if len({pow(g, i, q) for i in range(q - 1)}) == q - 1)


def digits(v: int, q: int) -> list[int]:
    """Return the digits to base q, the last one first."""
    found = []
    while v:
        v, digit = divmod(v, q)
        found.append(digit)
    return found


def first_digit(v: int, q: int) -> int:
    """Return the first digit of a number."""
    return digits(v, q)[-1]


def dot(v: int, w: int, q: int) -> int:
    """Return the scalar product of the digits."""
    return sum(a * b for a, b in zip(digits(v, q), digits(w, q), strict=False))


def sets_of(blocks: dict[str, str]) -> list[set[int]]:
    """Return the blocks of a family, by their numbers."""
    family, k = blocks["family"], int(blocks["categories"])
    if family == "direct":
        return [{x} for x in range(k)]
    q = int(blocks["q"])
    if family == "affine":
        inside, t = set(range(int(blocks["size"]))), int(blocks["dimension"])
        return [{x for x in range(k) if (dot(a, x, q) + b) % q in inside} for a in range(1, q**t) for b in range(q)]
    if family == "projective":
        points = [v for v in range(1, q ** int(blocks["dimension"])) if first_digit(v, q) == 1]
        return [
            {x for x in range(k) if (dot(v, points[x], q) % q != 0) == (blocks["complement"] == "1")} for v in points
        ]
    e, j, g = int(blocks["index"]), int(blocks["cosets"]), root_of(q)
    inside = {pow(g, i, q) for i in range(q - 1) if i % e < j} | ({0} if blocks["zero"] == "1" else set())
    return [{x for x in range(k) if pow(g, i, q) * (x + w) % q in inside} for i in range(e) for w in range(q)]


def law_of_blocks(family: str, t: dict[str, int], x: int) -> dict[int, Fraction]:
    """Return the law of the sampler of the page: every value of each draw, with its weight."""
    law: dict[int, Fraction] = {}

    def give(report: int, weight: Fraction) -> None:
        law[report] = law.get(report, F(0)) + weight

    for inside in (True, False):
        chance = F(t["heads"] if inside else t["coin"] - t["heads"], t["coin"])
        if family == "direct":
            others = [x] if inside else [u + (u >= x) for u in range(t["k"] - 1)]
            for report in others:
                give(report, chance / len(others))
            continue
        q = t["q"]
        if family == "projective":
            for report, weight in points_drawn(t, x, inside):
                give(report, chance * weight)
            continue
        if "space" in t:
            values = range(t["size"]) if inside else range(t["size"], q)
            for v in values:
                for a in range(1, t["space"]):
                    give((a - 1) * q + (v - dot(a, x, q)) % q, chance / (len(values) * (t["space"] - 1)))
            continue
        if family == "affine":
            values = range(t["size"]) if inside else range(t["size"], q)
            for v in values:
                for a in range(q - 1):
                    give(a * q + (v - (a + 1) * x) % q, chance / (len(values) * (q - 1)))
            continue
        e, part = t["index"], (q - 1) // t["index"]
        many, zero = (t["cosets"], t["zero"]) if inside else (e - t["cosets"], 1 - t["zero"])
        for r in range(many * part + zero):
            for i in range(e):
                y = 0
                if r < many * part:
                    exponent = r // many * e + r % many - i + (0 if inside else t["cosets"])
                    y = pow(t["root"], exponent % (q - 1), q)
                give(i * q + (y - x) % q, chance / ((many * part + zero) * e))
    return law


def points_drawn(t: dict[str, int], x: int, inside: bool) -> Iterator[tuple[int, Fraction]]:
    """Yield the points that the page draws for x, with their weights."""
    q = t["q"]
    o = 0 if inside == (t["complement"] == 1) else 1
    f = 0
    while (q ** (f + 1) - 1) // (q - 1) <= x:
        f += 1
    rest = x - (q**f - 1) // (q - 1)
    values = range(o, t["space"])
    for r in values:
        low, high = r % q**f, r // q**f
        a = (high * q + (1 - o - dot(low, rest, q)) % q) * q**f + low
        lead, h = first_digit(a, q), len(digits(a, q)) - 1
        w = sum(d * pow(lead, -1, q) % q * q**place for place, d in enumerate(digits(a, q)[:-1]))
        yield (q**h - 1) // (q - 1) + w, F(1, len(values))


def has_law(made: dict[str, Any], numbers: dict[str, int]) -> bool:
    """Return whether the sampler has the law of the mechanism; a table that draws nothing has none."""
    blocks = made["blocks"]
    sets, g = sets_of(blocks), F(blocks["gamma"])
    for x in range(int(blocks["categories"])):
        weights = [g if x in each else F(1) for each in sets]
        total = sum(weights)
        try:
            law = law_of_blocks(blocks["family"], numbers, x)
        except (ZeroDivisionError, ValueError):
            return False
        if {i: w / total for i, w in enumerate(weights)} != law:
            return False
    return True


def block_tables(rng: random.Random) -> Iterator[Piece]:
    """Yield tables of block designs."""
    while True:
        family = rng.choice(("direct", "affine", "hash", "projective", "affine-classes", "affine-classes"))
        q, t = rng.choice(_PRIMES), 1
        if family in ("hash", "projective"):
            q, t = rng.choice(((2, 2), (2, 3), (3, 2), (5, 2) if family == "projective" else (3, 2)))
        k = rng.randint(2, (q**t - 1) // (q - 1) if family == "projective" else q**t)
        g = F(rng.choice((1, 2, 3, 3, 5, 9)), rng.choice((1, 1, 2, 4)))
        numbers: dict[str, int] = {"k": k} if family == "direct" else {"q": q}
        own: dict[str, str] = {}
        if family == "affine":
            numbers["size"] = rng.randint(1, q - 1)
            own = {"q": str(q), "size": str(numbers["size"]), "dimension": "1"}
            density = F(numbers["size"], q)
        elif family == "hash":
            numbers |= {"size": rng.randint(1, q - 1), "space": q**t}
            own = {"q": str(q), "size": str(numbers["size"]), "dimension": str(t)}
            density, family = F(numbers["size"], q), "affine"
        elif family == "projective":
            numbers |= {"space": q ** (t - 1), "complement": rng.randint(0, 1)}
            own = {"q": str(q), "dimension": str(t), "complement": str(numbers["complement"])}
            orthogonal = F(q ** (t - 1) - 1, q**t - 1)
            density = 1 - orthogonal if numbers["complement"] else orthogonal
        elif family == "direct":
            density = F(1, k)
        else:
            e = rng.choice([d for d in range(1, q) if (q - 1) % d == 0])
            j, z = rng.randint(0, e), rng.randint(0, 1)
            size = j * (q - 1) // e + z
            if not 0 < size < q:
                continue
            density = F(size, q)
            numbers |= {"index": e, "cosets": j, "zero": z, "root": root_of(q)}
            own = {name: str(numbers[name]) for name in ("q", "index", "cosets", "zero")}
        p = g * density / (1 + (g - 1) * density)
        numbers |= {"heads": p.numerator, "coin": p.denominator}
        made = {"blocks": {"family": family, "categories": str(k), "gamma": str(g), **own}}
        yield from of_numbers(rng, made, numbers)


def of_numbers(rng: random.Random, made: dict[str, Any], numbers: dict[str, int]) -> Iterator[Piece]:
    """Yield tables near the true one."""

    def piece(table: dict[str, int], method: str, true: bool | None = None) -> Piece:
        decided = has_law(made, table) if true is None else true
        return Piece(file(made, {name: str(x) for name, x in table.items()}), method, decided, ORACLE)

    yield piece(numbers, "its numbers")
    times = rng.choice((2, 5))
    more = {**numbers, "heads": times * numbers["heads"], "coin": times * numbers["coin"]}
    yield piece(more, "multiples of the coin")
    for name, value in numbers.items():
        for step in (1, -1):
            other = {**numbers, name: value + step}
            proportional = F(other["heads"], max(other["coin"], 1)) == F(numbers["heads"], numbers["coin"])
            if not proportional or name not in ("heads", "coin"):
                yield piece(other, f"{name} changed by 1", False)
    large = 2**63 // numbers["coin"] + 1
    beyond = {**numbers, "heads": large * numbers["heads"], "coin": large * numbers["coin"]}
    yield piece(beyond, "beyond 63 bits", False)
    if made["blocks"]["family"] == "affine" and "space" not in numbers:
        two = {"blocks": {**made["blocks"], "dimension": "2"}}
        yield Piece(file(two, {name: str(x) for name, x in numbers.items()}), "two dimensions", False, "its form")


Law = dict[Any, Fraction]
Program = Generator[int, int, Any]
"""A sampler: it yields bounds, is sent integers below them, and returns its report."""


def law_of_program(make: Callable[[], Program]) -> Law:
    """Return the law of a sampler: all integers are sent."""
    law: Law = {}
    pending: list[tuple[tuple[int, ...], Fraction]] = [((), F(1))]
    while pending:
        sent, weight = pending.pop()
        program = make()
        try:
            bound = next(program)
            for value in sent:
                bound = program.send(value)
        except StopIteration as end:
            law[end.value] = law.get(end.value, F(0)) + weight
            continue
        if bound < 1:
            raise ValueError(bound)
        pending += [((*sent, value), weight / bound) for value in range(bound)]
    return law


def subset_drawn(t: dict[str, Any], x: int) -> Program:
    """Draw a set as the page says."""
    inside = (yield t["coin"]) < t["heads"]
    s = t["size"] - inside
    found: list[int] = []
    for j in range(t["k"] - 1 - s, t["k"] - 1):
        u = yield j + 1
        found.append(j if u in found else u)
    return frozenset([y if y < x else y + 1 for y in found] + [x] * inside)


def bits_drawn(t: dict[str, Any], x: int) -> Program:
    """Draw bits as the page says."""
    bits = []
    for y in range(t["k"]):
        heads, coin = (t["heads"], t["coin"]) if y == x else (t["miss_heads"], t["miss_coin"])
        bits.append(int((yield coin) < heads))
    return tuple(bits)


def members_of(runs: list[int], many: int) -> list[int]:
    """Return the elements of a set that is given by runs without the last."""
    flags = [i % 2 == 0 for i, n in enumerate(runs) for _ in range(n)]
    flags += [len(runs) % 2 == 0] * (many - len(flags))
    return [x for x in range(many) if flags[x]]


def restricted_drawn(t: dict[str, Any], x: int) -> Program:
    """Draw a restricted response as the page says."""
    chosen = members_of(t["runs"], t["categories"])
    if (yield t["reveal_coin"]) < t["reveal_heads"]:
        return x
    if x not in chosen:
        return chosen[(yield t["chosen"])]
    if (yield t["coin"]) < t["heads"]:
        return x
    return [y for y in chosen if y != x][(yield t["chosen"] - 1)]


def cyclic_drawn(t: dict[str, Any], x: int) -> Program:
    """Draw a translate as the page says."""
    own = members_of(t["runs"], t["modulus"])
    inside = (yield t["coin"]) < t["heads"]
    pool = own if inside else [y for y in range(t["modulus"]) if y not in own]
    return (pool[(yield t["size"] if inside else t["modulus"] - t["size"])] - x) % t["modulus"]


DRAWN = {"subsets": subset_drawn, "bits": bits_drawn, "restricted": restricted_drawn, "cyclic": cyclic_drawn}


def runs_of(flags: list[bool]) -> list[int]:
    """Return the lengths of runs, the first of elements in the set, without the last."""
    found, own = [0], True
    for flag in flags:
        if flag != own:
            found.append(0)
            own = flag
        found[-1] += 1
    return found[:-1]


def set_tables(rng: random.Random) -> Iterator[Piece]:
    """Yield tables of subsets, cyclic designs, bits and restricted responses."""
    while True:
        kind = rng.choice(tuple(DRAWN))
        k, g = rng.randint(2, 5), F(rng.choice((1, 2, 3, 3, 5)), rng.choice((1, 1, 2)))
        numbers: dict[str, Any] = {}
        if kind == "subsets":
            d = rng.randint(1, k - 1)
            numbers |= {"k": k, "size": d}
            sets = [frozenset(each) for each in combinations(range(k), d)]
            laws = [{each: (g if x in each else F(1)) for each in sets} for x in range(k)]
            made: dict[str, Any] = {"blocks": {"family": kind, "categories": str(k), "gamma": str(g), "size": str(d)}}
            p = g * d / (d * g + k - d)
        elif kind == "cyclic":
            v, base = rng.choice(((7, {0, 1, 3}), (11, {1, 3, 4, 5, 9}), (5, {2}), (4, {0, 1, 3}), (3, {0, 1})))
            k = rng.randint(2, v)
            numbers |= {"modulus": v, "size": len(base), "runs": runs_of([x in base for x in range(v)])}
            laws = [{i: (g if (x + i) % v in base else F(1)) for i in range(v)} for x in range(k)]
            form = f"{sum(1 << x for x in base):0{-(-v // 4)}x}"
            made = {"blocks": {"family": kind, "categories": str(k), "gamma": str(g), "modulus": str(v), "base": form}}
            p = g * len(base) / (g * len(base) + v - len(base))
        elif kind == "bits":
            m = F(rng.randint(1, 3), rng.randint(4, 6))
            p = m + (1 - m) * F(1, rng.randint(2, 4))
            k = rng.randint(2, 3)
            numbers |= {"miss_heads": m.numerator, "miss_coin": m.denominator, "k": k}
            laws = []
            for x in range(k):
                law = {}
                for bits in product((0, 1), repeat=k):
                    weight = F(1)
                    for y, bit in enumerate(bits):
                        one = p if y == x else m
                        weight *= one if bit else 1 - one
                    law[bits] = weight
                laws.append(law)
            made = {"bit-vectors": {"categories": str(k), "p": str(p), "m": str(m)}}
        else:
            g, d = max(g, F(1)), rng.choice((F(0), F(0), F(1, 3), F(1)))
            flags = [rng.random() < 0.5 for _ in range(k)]
            if not any(flags):
                continue
            many = sum(flags)
            lengths = runs_of(flags)
            numbers |= {"reveal_heads": d.numerator, "reveal_coin": d.denominator, "chosen": many, "runs": lengths}
            laws = []
            for x in range(k):
                row = [F(flags[y]) * (g if flags[x] and y == x else 1) for y in range(k)]
                laws.append({y: (1 - d) * w / sum(row) + d * (y == x) for y, w in enumerate(row)})
            ends = zip([*lengths, k - sum(lengths)], range(len(lengths) + 1), strict=True)
            pairs = [[str(n), "10"[i % 2]] for n, i in ends if n]
            made = {"restricted-response": {"runs": pairs, "gamma": str(g), "delta": str(d)}}
            p = g / (g + many - 1)
        numbers = {"heads": p.numerator, "coin": p.denominator, **numbers}
        yield from of_set_numbers(rng, kind, made, numbers, laws)


def of_set_numbers(
    rng: random.Random, kind: str, made: dict[str, Any], numbers: dict[str, Any], laws: list[Law]
) -> Iterator[Piece]:
    """Yield tables near the true one."""

    def piece(table: dict[str, Any], method: str, true: bool) -> Piece:
        texts = {n: list(map(str, v)) if isinstance(v, list) else str(v) for n, v in table.items()}
        return Piece(file(made, texts), method, true, ORACLE)

    def has_laws(table: dict[str, Any]) -> bool:
        own = {**table, "categories": len(laws)}
        for x, law in enumerate(laws):
            found = law_of_program(lambda x=x: DRAWN[kind](own, x))  # type: ignore[misc]
            total = sum(law.values())
            if found != {report: w / total for report, w in law.items() if w}:
                return False
        return True

    yield piece(numbers, "its numbers", has_laws(numbers))
    coins = [("heads", "coin"), ("miss_heads", "miss_coin"), ("reveal_heads", "reveal_coin")]
    for heads, coin in coins:
        if coin in numbers:
            times = rng.choice((2, 5))
            yield piece({**numbers, heads: times * numbers[heads], coin: times * numbers[coin]}, "multiples", True)
            large = 2**63 // numbers[coin] + 1
            beyond = {**numbers, heads: large * numbers[heads], coin: large * numbers[coin]}
            yield piece(beyond, "beyond 63 bits", False)
    for name, value in numbers.items():
        for step in (1, -1):
            if name == "runs":
                places = range(len(value))
                others = [[*value[:i], value[i] + step, *value[i + 1 :]] for i in places if value[i] + step >= 0]
                others += [[*value, 0], value[:-1]] if value else [[0]]
            else:
                others = [value + step]
            for other in others:
                table = {**numbers, name: other}
                is_same = name == "reveal_coin" and other > 0 == numbers["reveal_heads"]
                yield piece(table, f"{name} changed by 1", is_same)  # coins 0/1 and 0/2


def clients(rng: random.Random) -> Iterator[Piece]:
    """Yield tables of all kinds in turn."""
    all_kinds = columns(rng), block_tables(rng), set_tables(rng)
    while True:
        for source in all_kinds:
            yield next(source)


def degenerate_file(rng: random.Random) -> Piece:
    """Return a degenerate table that is false: certain and impossible outputs, totals of 0 and 1, equal columns."""
    while True:
        m, k = rng.randint(1, 3), rng.randint(1, 3)
        kind = rng.choice(("identity", "certain", "equal"))
        weights = [[int(i == (x % m if kind == "identity" else 0)) for i in range(m)] for x in range(k)]
        if kind == "equal":
            weights = [[1] * m for _ in range(k)]
        false = [piece for piece in of_weights(rng, weights) if not piece.true]
        if false:
            chosen = rng.choice(false)
            return Piece(chosen.document, f"degenerate, {chosen.method}", False, chosen.oracle)


FUZZERS = {"client": clients}
