"""Rule 32: the integers of a client, from its page alone; primitive roots by the orders of all elements."""

from fractions import Fraction
from itertools import pairwise

from .blocks import PARAMETERS, between, design, reports
from .reading import array, integer, keys, mechanism, number, want
from .traces import runs as runs_of

MOST = 2**63 - 1
KEYS = {
    "direct": {"k": "categories"},
    "subsets": {"k": "categories", "size": "size"},
    "cyclic": {"modulus": "modulus"},
    "affine": {"q": "q", "size": "size"},
    "affine-classes": {name: name for name in ("q", "index", "cosets", "zero")},
    "projective": {"q": "q", "complement": "complement"},
}


def order(g, q):
    """The multiplicative order of g modulo q."""
    n = q - 1
    for prime in range(2, 50_000):
        while n % prime == 0 and pow(g, n // prime, q) == 1:
            n //= prime
    rest = q - 1
    for prime in range(2, 50_000):
        while rest % prime == 0:
            rest //= prime
    while rest > 1 and n % rest == 0 and pow(g, n // rest, q) == 1:
        n //= rest
    return n


def coin_of(heads, coin, chance):
    a, b = integer(heads), integer(coin)
    want(0 <= a <= b <= MOST and b >= 1 and Fraction(a, b) == chance, "the coin")


def runs_are(listed, members):
    """Whether a list describes a string of 0 and 1: where the character changes."""
    changes = [i for i in range(1, len(members)) if members[i] != members[i - 1]]
    starts = [0, *changes] if members[0] == "1" else [0, 0, *changes]
    lengths = [str(b - a) for a, b in pairwise(starts)]
    want(isinstance(listed, list) and len(listed) <= 2**15 and listed == lengths, "the runs")


def restricted(made, table):
    texts, gamma, delta = keys(made, ["runs", "gamma", "delta"])
    want(isinstance(texts, list), "the runs")
    k = sum(between(array(run, 2)[0], 1, 10**7) for run in texts)
    want(2 <= k <= 10**7, "the categories")
    members = "".join(("1" if t else "0") * n for n, t in runs_of(texts, k) if t in (0, 1))
    g, d, m = number(gamma), number(delta), members.count("1")
    want(len(members) == k and m >= 1 and g >= 1 and 0 <= d <= 1, "restricted response")
    names = ["heads", "coin", "reveal_heads", "reveal_coin", "chosen", "runs"]
    heads, coin, reveal_heads, reveal_coin, chosen, listed = keys(table, names)
    coin_of(heads, coin, g / (g + m - 1))
    coin_of(reveal_heads, reveal_coin, d)
    want(integer(chosen) == m, "6: chosen")
    runs_are(listed, members)


def bits(made, table):
    categories, _, _ = keys(made["bit-vectors"], ["categories", "p", "m"])
    p, m, _, _, _ = reports(made, between(categories, 2, 10**7))
    heads, coin, miss_heads, miss_coin, k = keys(table, ["heads", "coin", "miss_heads", "miss_coin", "k"])
    coin_of(heads, coin, p)
    coin_of(miss_heads, miss_coin, m)
    want(k == categories, "4: k")


def clients(problem, claim, witness):
    keys(witness, ["rule"])
    _, made = keys(problem, ["kind", "mechanism"])
    _, table = keys(claim, ["kind", "table"])
    if isinstance(made, dict) and "matrix" in made:
        rows = mechanism(made)
        want(len(rows) * len(rows[0]) <= 4096, "at most 4096 entries")
        lists = array(keys(table, ["columns"])[0], len(rows[0]))
        for column, texts in zip(zip(*rows, strict=True), lists, strict=True):
            ends = [between(text, 0, MOST) for text in array(texts, len(rows))]
            want(ends[-1] >= 1, "2: D")
            share = Fraction(0)
            for p, end in zip(column, ends, strict=True):
                share += p
                want(Fraction(end, ends[-1]) == share, "2: a weight")
        return None
    if isinstance(made, dict) and "restricted-response" in made:
        return restricted(keys(made, ["restricted-response"])[0], table)
    if isinstance(made, dict) and "bit-vectors" in made:
        keys(made, ["bit-vectors"])
        return bits(made, table)
    (blocks,) = keys(made, ["blocks"])
    want(isinstance(blocks, dict) and isinstance(blocks.get("family"), str), "a family")
    family = blocks["family"]
    want(family in KEYS, "a family with clients")
    _, categories, gamma, *values = keys(blocks, ["family", "categories", "gamma", *PARAMETERS[family]])
    k, g = between(categories, 2, 10**7), number(gamma)
    _, rho, _, _ = design(family, k, values)
    want(1 + (g - 1) * rho > 0, "gamma")
    power = integer(values[2]) if family == "affine" else integer(values[1]) - 1 if family == "projective" else 0
    is_space = family == "projective" or power > 1
    names = [*KEYS[family], *(["root"] if family == "affine-classes" else ["space"] if is_space else [])]
    names += ["size", "runs"] if family == "cyclic" else []
    heads, coin, *others = keys(table, ["heads", "coin", *names])
    a, b = integer(heads), integer(coin)
    want(0 < a < b <= MOST and Fraction(a, b) == g * rho / (1 + (g - 1) * rho), "3: the coin")
    want(family in ("direct", "subsets", "cyclic") or integer(blocks["q"]) < 2**31, "3: q")
    for name, text in zip(names, others, strict=True):
        if name == "space":
            q = integer(blocks["q"])
            want(integer(text) == q**power and q ** (power + 1) <= MOST, "4: space")
        elif family == "cyclic" and name in ("size", "runs"):
            members = f"{int(blocks['base'], 16):0{integer(blocks['modulus'])}b}"[::-1]
            if name == "runs":
                runs_are(text, members)
            else:
                want(integer(text) == members.count("1"), "4: size")
        elif name == "root":
            root, q = integer(text), integer(blocks["q"])
            want(1 <= root <= 10**5 and order(root, q) == q - 1, "4: a primitive root")
            want(all(order(x, q) < q - 1 for x in range(1, root)), "4: the least one")
        else:
            want(text == blocks[KEYS[family][name]], f"4: {name}")
    return None
