"""Cyclic designs: the translates of a base block D of residues modulo v; block i is ``{x: (x + i) mod v in D}``.

Every category lies in as many blocks as D has elements. Two categories at distance h lie together in
``A(h) = #{y in D: y + h in D}`` blocks, the autocorrelation of D. If A is constant on 1, ..., k-1, the k categories
form a block design. If A is constant on 1, ..., v-1, D is a difference set. The following difference sets are
available.

* Paley: v is a prime q = 3 mod 4, and D contains the (q-1)/2 nonzero squares modulo q. A = (q-3)/4.
* Singer: ``v = (q^t - 1)/(q - 1)``, and D contains the (q^(t-1) - 1)/(q - 1) indices i with ``s_i = 0``, where s is a
  linear recurrence of degree t over GF(q) with a primitive polynomial. The complement is a difference set too.

The checker verifies the autocorrelation by one product of long integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from rropt.core.errors import InvalidMechanismError, shown
from rropt.core.lazy import numpy as np
from rropt.mechanisms.columns import whole_parameter
from rropt.mechanisms.families.blocks import (
    Blocks,
    Flags,
    Integers,
    correlation_sums,
    parameter,
    prime_parameter,
    whole,
)
from rropt.mechanisms.families.primes import prime_factors

MAX_MODULUS = 1 << 21


@dataclass(eq=False, repr=False)
class Cyclic(Blocks, family="cyclic"):
    """The v translates of a base block.

    Args:
        categories: k <= v.
        modulus: v, at most 2^21.
        base: D, distinct residues modulo v, at least one and not all. In files, and as an attribute, D is the
            hexadecimal number whose bit x is 1 iff x is in D.

    Raises:
        InvalidMechanismError: the autocorrelation of D is not constant on 1..k-1.

    >>> fano = Cyclic(7, 7, [0, 1, 3])
    >>> fano.count, str(fano.density), str(fano.together), fano.members(0), fano.parameters()["base"]
    (7, '3/7', '1/7', (0, 1, 3), '0b')
    """

    title = "cyclic design"

    modulus: int = whole("the modulus", 2, MAX_MODULUS)
    base: Iterable[int] | str = parameter(lambda own, base: own._number(base))

    def _number(self, base: Iterable[int] | str) -> str:
        """Keep the base block as bytes, and return its hexadecimal number."""
        inside = bytearray(self.modulus)
        for x in self._residues(base) if isinstance(base, str) or not isinstance(base, Iterable) else base:
            inside[whole_parameter(x, "an element of the base block", 0, self.modulus - 1)] = 1
        self._inside = bytes(inside)
        return f"{int(bytes(48 + bit for bit in reversed(inside)), 2):0{-(-self.modulus // 4)}x}"

    def require(self) -> None:
        """Raise ``InvalidMechanismError`` unless the base block is a difference set for the categories."""
        super().require()
        if not 0 < self.size < self.modulus:
            raise InvalidMechanismError("the base block is empty, or all residues: give some of them")
        inside = list(self._inside)
        correlation = correlation_sums([inside], [inside], self.categories)[1:]
        if len(set(correlation)) > 1:
            raise InvalidMechanismError(
                f"the base block is not a difference set: received autocorrelations from {min(correlation)} to "
                f"{max(correlation)} at the distances 1 to {self.categories - 1}; they must all be equal"
            )
        self._correlation = correlation[0]

    def _residues(self, base: object) -> Iterable[int]:
        digits = -(-self.modulus // 4)
        if not isinstance(base, str) or len(base) != digits or not set(base) <= set("0123456789abcdef"):
            raise InvalidMechanismError(
                f"the base block is not a number to base 16: received {shown(base)}; allowed are {digits} digits"
            )
        return (x for x, bit in enumerate(reversed(f"{int(base, 16):b}")) if bit == "1")

    @classmethod
    def paley(cls, q: int, categories: int | None = None) -> Cyclic:
        """Return the Paley difference set, the nonzero squares modulo a prime q = 3 mod 4.

        >>> Cyclic.paley(11).members(0)
        (1, 3, 4, 5, 9)
        """
        q = prime_parameter(q)
        if q % 4 != 3:
            raise InvalidMechanismError(f"q is not 3 modulo 4: received {q}; choose such a prime")
        return cls(q if categories is None else categories, q, {x * x % q for x in range(1, (q + 1) // 2)})

    @classmethod
    def singer(cls, q: int, dimension: int, categories: int | None = None, *, complement: bool = False) -> Cyclic:
        """Return a Singer difference set, whose translates are the hyperplanes of PG(t-1, q) or their complements.

        >>> Cyclic.singer(2, 3).size, Cyclic.singer(3, 3, complement=True).size
        (3, 9)
        """
        q, t = prime_parameter(q), whole_parameter(dimension, "the dimension", 2, 24)
        v = (q**t - 1) // (q - 1)
        whole_parameter(v, "the modulus (q^t - 1)/(q - 1)", 2, MAX_MODULUS)
        taps = primitive_polynomial(q, t)
        state, zeros = [0] * (t - 1) + [1], set()
        for i in range(v):
            if not state[0]:
                zeros.add(i)
            state = [*state[1:], sum(a * s for a, s in zip(taps, state, strict=True)) % q]
        base = set(range(v)) - zeros if complement else zeros
        return cls(v if categories is None else categories, v, base)

    @property
    def size(self) -> int:
        """The number of elements of D."""
        return sum(self._inside)

    @property
    def count(self) -> int:
        """The number v of blocks."""
        return self.modulus

    def proportions(self) -> tuple[Fraction, Fraction]:
        """Return the size of D and the autocorrelation, divided by v."""
        return Fraction(self.size, self.modulus), Fraction(self._correlation, self.modulus)

    @property
    def room(self) -> int:
        """The number v of residues."""
        return self.modulus

    def held(self, blocks: Any, categories: Any) -> Any:
        """Return whether ``(x + i) mod v`` is in D."""
        return np.frombuffer(self._inside, bool)[(blocks + categories) % self.modulus]

    def choices(self, inside: bool) -> tuple[int, ...]:
        """Return the number of residues in D (if ``inside`` is false, outside D)."""
        return (self.size if inside else self.modulus - self.size,)

    def report(self, category: Any, inside: bool, drawn: Sequence[Any]) -> Any:
        """Return the translate that moves x to the drawn residue."""
        residues = np.flatnonzero(self.indicator() == inside)
        found = (residues[drawn[0]] - category) % self.modulus
        return found if np.ndim(category) else int(found)

    def indicator(self) -> Flags:
        """Return whether each residue is in D, shape (v,)."""
        return np.frombuffer(self._inside, np.uint8).astype(bool)

    def memberships(self, histogram: Integers) -> Integers:
        """Return, for every category, the number of responses that contain it, computed by one correlation."""
        return np.array(correlation_sums([histogram.tolist()], [list(self._inside)], self.categories))


def primitive_polynomial(q: int, t: int) -> tuple[int, ...]:
    """Return (a_0, ..., a_(t-1)) such that ``x^t = sum a_i x^i`` is primitive over GF(q), the first lexicographically.

    The order of x modulo the polynomial is q^t - 1. Then every nonzero residue is a power of x, so the polynomial is
    irreducible.

    Args:
        q: a prime.
        t: the degree, at least 2.

    >>> primitive_polynomial(2, 3), primitive_polynomial(3, 2)
    ((1, 0, 1), (1, 1))
    """
    from flint import fmpz_mod_ctx, fmpz_mod_poly_ctx

    ring, order = fmpz_mod_poly_ctx(fmpz_mod_ctx(q)), q**t - 1
    x, factors = ring([0, 1]), prime_factors(order)
    for low in product(range(1, q), *[range(q)] * (t - 1)):
        modulus = ring([*(-a for a in low), 1])
        if x.pow_mod(order, modulus).is_one() and not any(x.pow_mod(order // f, modulus).is_one() for f in factors):
            return low
    raise InvalidMechanismError(f"there is no primitive polynomial: received q = {q}, degree {t}; q must be a prime")
