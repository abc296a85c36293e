"""A base block whose translates form a block design: its autocorrelation is constant (FORMAT.md, rule 31).

Let the coefficients of D(x) indicate which residues modulo v are in the base block, and let R(x) have these
coefficients in reverse order. In ``D(x) R(x)`` the coefficient of ``x^(v-1+h)`` counts the pairs of elements ``y, y +
h`` that do not wrap around modulo v. The coefficient of ``x^(h-1)`` counts the pairs that do. A single product of long
integers gives all these numbers.
"""

from fractions import Fraction
from typing import Any

from .documents import Budget, Rejected
from .long_products import product

MAX_MODULUS = 1 << 21


def read_base(text: Any, modulus: int, budget: Budget) -> list[int]:
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


def constant_autocorrelation(inside: list[int], categories: int, budget: Budget) -> Fraction:
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
