"""Rule 32: the integers of a client, from its page alone; primitive roots by the orders of all elements."""

from fractions import Fraction

from .blocks import PARAMETERS, between, design
from .reading import array, integer, keys, mechanism, number, want

MOST = 2**63 - 1
KEYS = {
    "direct": {"k": "categories"},
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
        return
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
    heads, coin, *others = keys(table, ["heads", "coin", *names])
    a, b = integer(heads), integer(coin)
    want(0 < a < b <= MOST and Fraction(a, b) == g * rho / (1 + (g - 1) * rho), "3: the coin")
    want(family == "direct" or integer(blocks["q"]) < 2**31, "3: q")
    for name, text in zip(names, others, strict=True):
        if name == "space":
            q = integer(blocks["q"])
            want(integer(text) == q**power and q ** (power + 1) <= MOST, "4: space")
        elif name == "root":
            root, q = integer(text), integer(blocks["q"])
            want(1 <= root <= 10**5 and order(root, q) == q - 1, "4: a primitive root")
            want(all(order(x, q) < q - 1 for x in range(1, root)), "4: the least one")
        else:
            want(text == blocks[KEYS[family][name]], f"4: {name}")
