"""Primes for designs over prime fields, by FLINT."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

MAX_PRIME = 10**12  # what the checker reads (rropt/checker/block_families.py)


def is_prime(n: int) -> bool:
    """Return whether n >= 0 is a prime.

    >>> [n for n in range(20) if is_prime(n)], is_prime(1_000_003)
    ([2, 3, 5, 7, 11, 13, 17, 19], True)
    """
    from flint import fmpz

    return bool(fmpz(n).is_prime())


def primes_from(n: int) -> Iterator[int]:
    """Iterate over the primes >= n."""
    return filter(is_prime, count(n))


def next_prime(n: int) -> int:
    """Return the least prime >= n.

    >>> next_prime(1_000_000)
    1000003
    """
    return next(primes_from(n))


def prime_factors(n: int) -> list[int]:
    """Return the distinct prime factors of n >= 1 in ascending order.

    >>> prime_factors(360)
    [2, 3, 5]
    """
    from flint import fmpz

    return [int(factor) for factor, _ in fmpz(n).factor()]


def primitive_root(q: int) -> int:
    """Return the least generator of the multiplicative group of GF(q), q a prime.

    >>> primitive_root(7), primitive_root(1_000_003)
    (3, 2)
    """
    factors = prime_factors(q - 1)
    return next(g for g in range(1, q) if all(pow(g, (q - 1) // factor, q) != 1 for factor in factors))
