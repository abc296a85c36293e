"""Mechanisms for many categories that are given by a family of blocks or by bit vectors (block_families.md).

A mechanism reports a block of a block design, or a vector of bits. What a way needs of it are the probability p that
the report contains the true category, the probability m that it contains a given other category, and the largest
ratio of two probabilities of a report.

The translates of a base block modulo v are a block design if its autocorrelation is constant. Let the coefficients of
D(x) indicate which residues are in the base block, and let R(x) have these coefficients in reverse order. In ``D(x)
R(x)`` the coefficient of ``x^(v-1+h)`` counts the pairs of elements ``y, y + h`` that do not wrap around modulo v. The
coefficient of ``x^(h-1)`` counts the pairs that do. A single product of long integers gives all these numbers.
"""

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any, NamedTuple

from .documents import Rejected, WorkBudget, bits_of, fields, whole
from .long_products import product

MAX_CATEGORIES = 10**7
MAX_MODULUS = 1 << 21
MAX_PRIME = 10**12
MAX_DIMENSION = 64
MAX_CLASSES = 64


class Reports(NamedTuple):
    """The properties of a mechanism: p (``hit``), m (``miss``), the largest ratio of probabilities (``gamma``), the
    number of outputs, whether all sets have the same size, and the probability that the truth is reported instead
    (``revealed``).
    """

    hit: Fraction
    miss: Fraction
    gamma: Fraction
    outputs: int | None  # None: not counted
    is_balanced: bool
    revealed: Fraction = Fraction(0)


def read_revealed(made: Any, k: int, delta: Fraction, budget: WorkBudget) -> Reports:
    """Return the properties of a mechanism that may report the truth with a positive probability up to delta."""
    if not isinstance(made, dict) or "revealed-blocks" not in made:
        return read_reports(made, k, budget)
    (form,) = fields(made, ["revealed-blocks"], "the mechanism")
    blocks, text = fields(form, ["blocks", "revealed"], "the revealed blocks")
    revealed = budget.number(text, "the probability of the truth")
    if not 0 < revealed <= delta:
        raise Rejected("the probability of the truth is not positive, or above delta")
    found = read_reports({"blocks": blocks}, k, budget)
    outputs = None if found.outputs is None else found.outputs + k
    return found._replace(outputs=outputs, revealed=revealed)


def read_reports(made: Any, k: int, budget: WorkBudget) -> Reports:
    """Return the properties of the mechanism of a claim."""
    form = next(iter(made)) if isinstance(made, dict) and len(made) == 1 else None
    if form == "bit-vectors":
        categories, p_text, m_text = fields(made[form], ["categories", "p", "m"], "the bit vectors")
        _require_all(categories, k)
        p, m = budget.number(p_text, "p"), budget.number(m_text, "m")
        budget.spend(8, bits_of(p), bits_of(m))
        if not 0 < m < p < 1:
            raise Rejected("the bits have not 0 < m < p < 1")
        return Reports(p, m, p * (1 - m) / ((1 - p) * m), None, False)
    if form != "blocks" or not isinstance(made[form], dict):
        raise Rejected("the mechanism is none of blocks and bit vectors")
    family = made[form].get("family")
    read = _FAMILIES.get(family) if isinstance(family, str) else None
    if read is None:
        raise Rejected("the family of blocks is unknown")
    names, design = read
    _, categories, gamma_text, *texts = fields(made[form], ["family", "categories", "gamma", *names], "the blocks")
    _require_all(categories, k)
    gamma = budget.number(gamma_text, "gamma of the mechanism")
    count, density, together, is_balanced = design(k, texts, budget)
    budget.spend(16, bits_of(gamma), bits_of(density) + bits_of(together))
    if density == together:
        raise Rejected("no block tells two categories apart")
    scale = 1 + (gamma - 1) * density
    if scale <= 0:
        raise Rejected("gamma of the mechanism is not positive")
    return Reports(gamma * density / scale, ((gamma - 1) * together + density) / scale, gamma, count, is_balanced)


def _require_all(text: Any, k: int) -> None:
    if whole(text, "the categories of the mechanism", MAX_CATEGORIES, 2) != k:
        raise Rejected("the mechanism has another number of categories than the problem")


Design = tuple[int | None, Fraction, Fraction, bool]  # outputs, rho, eta, whether all blocks have the same size


def _direct(k: int, texts: list[Any], budget: WorkBudget) -> Design:
    return k, Fraction(1, k), Fraction(0), True


def _subsets(k: int, texts: list[Any], budget: WorkBudget) -> Design:
    d = whole(texts[0], "the size of the subsets", k - 1, 1)
    return None, Fraction(d, k), Fraction(d * (d - 1), k * (k - 1)), True


def _affine(k: int, texts: list[Any], budget: WorkBudget) -> Design:
    q = _prime(texts[0], budget)
    size, t = whole(texts[1], "the size of T", q - 1, 1), whole(texts[2], "the dimension", MAX_DIMENSION, 1)
    points, planes = q**t, q ** (t - 1)
    _require_room(k, points)
    together = Fraction((planes - 1) * size + planes * size * (size - 1), q * (points - 1))
    return q * (points - 1), Fraction(size, q), together, k == points


def _classes(k: int, texts: list[Any], budget: WorkBudget) -> Design:
    q = _prime(texts[0], budget)
    e = whole(texts[1], "the index e", MAX_CLASSES, 1)
    size = whole(texts[2], "the number of cosets", e) * ((q - 1) // e) + whole(texts[3], "zero", 1)
    if (q - 1) % e:
        raise Rejected("e does not divide q - 1")
    if not 0 < size < q:
        raise Rejected("T is empty, or the whole field")
    _require_room(k, q)
    return q * e, Fraction(size, q), Fraction(size * (size - 1), q * (q - 1)), k == q


def _projective(k: int, texts: list[Any], budget: WorkBudget) -> Design:
    q = _prime(texts[0], budget)
    t = whole(texts[1], "the dimension", MAX_DIMENSION, 2)
    outside = whole(texts[2], "complement", 1)
    points, hyper, deep = ((q**n - 1) // (q - 1) for n in (t, t - 1, t - 2))
    _require_room(k, points)
    own, both = Fraction(hyper, points), Fraction(deep, points)
    return points, 1 - own if outside else own, 1 - 2 * own + both if outside else both, k == points


def _cyclic(k: int, texts: list[Any], budget: WorkBudget) -> Design:
    v = whole(texts[0], "the modulus", MAX_MODULUS, 2)
    _require_room(k, v)
    inside = read_base(texts[1], v, budget)
    return v, Fraction(sum(inside), v), constant_autocorrelation(inside, k, budget) / v, k == v


_FAMILIES: dict[str, tuple[list[str], Callable[[int, list[Any], WorkBudget], Design]]] = {
    "direct": ([], _direct),
    "subsets": (["size"], _subsets),
    "affine": (["q", "size", "dimension"], _affine),
    "affine-classes": (["q", "index", "cosets", "zero"], _classes),
    "projective": (["q", "dimension", "complement"], _projective),
    "cyclic": (["modulus", "base"], _cyclic),
}


def _prime(text: Any, budget: WorkBudget) -> int:
    """Return the prime that a text denotes; reject any other number, by trial division."""
    q = whole(text, "q", MAX_PRIME, 2)
    budget.spend(1 + isqrt(q) // 32)
    if (q > 2 and not q % 2) or not all(q % divisor for divisor in range(3, isqrt(q) + 1, 2)):
        raise Rejected("q is not a prime")
    return q


def _require_room(k: int, points: int) -> None:
    if k > points:
        raise Rejected("there are more categories than points")


def read_base(text: Any, modulus: int, budget: WorkBudget) -> list[int]:
    """Return for each residue whether it is in the base block: bit x of a hexadecimal number."""
    budget.spend(1 + modulus // 8)
    digits = -(-modulus // 4)
    if not isinstance(text, str) or len(text) != digits:
        raise Rejected(f"the base block is not a text of {digits} digits to base 16")
    if text.strip("0123456789abcdef") or not set(text) <= set("0123456789abcdef"):
        raise Rejected("the base block has a character that is no digit to base 16")
    bits = bytes.fromhex(text if len(text) % 2 == 0 else "0" + text)[::-1]
    inside = [byte >> place & 1 for byte in bits for place in range(8)]
    if any(inside[modulus:]):
        raise Rejected("the base block has a residue beyond the modulus")
    return inside[:modulus]


def constant_autocorrelation(inside: list[int], categories: int, budget: WorkBudget) -> Fraction:
    """Return the number of pairs at each of the distances 1 to k-1 modulo v; reject unless it is the same for all."""
    v = len(inside)
    if not 0 < sum(inside) < v:
        raise Rejected("the base block is empty, or has all residues")
    pairs = product(inside, inside[::-1], budget)
    budget.spend(1 + categories // 8)
    found = {pairs[v - 1 + h] + pairs[h - 1] for h in range(1, categories)}
    if len(found) != 1:
        raise Rejected("the autocorrelation of the base block is not constant")
    return Fraction(found.pop())
