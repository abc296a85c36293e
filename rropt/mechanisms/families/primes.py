"""Primes for designs over prime fields, by trial division, which takes a tenth of a second for numbers up to 10^12."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

MAX_PRIME = 10**12  # trial division by the odd numbers below 10^6


def is_prime(n: int) -> bool:
    """Return whether n is a prime, 0 <= n <= 10^12.

    >>> [n for n in range(20) if is_prime(n)], is_prime(1_000_003)
    ([2, 3, 5, 7, 11, 13, 17, 19], True)
    """
    if n < 4 or not n % 2:
        return n in (2, 3)
    return all(n % divisor for divisor in range(3, isqrt(n) + 1, 2))


def next_prime(n: int) -> int:
    """Return the least prime >= n.

    >>> next_prime(1_000_000)
    1000003
    """
    while not is_prime(n):
        n += 1
    return n


def primes_from(n: int) -> Iterator[int]:
    """Iterate over the primes >= n."""
    while True:
        n = next_prime(n)
        yield n
        n += 1


def prime_factors(n: int) -> list[int]:
    """Return the distinct prime factors of n >= 1 in ascending order.

    >>> prime_factors(360)
    [2, 3, 5]
    """
    found, divisor = [], 2
    while divisor * divisor <= n:
        if not n % divisor:
            found.append(divisor)
            while not n % divisor:
                n //= divisor
        divisor += 1
    return [*found, n] if n > 1 else found


def primitive_root(q: int) -> int:
    """Return the least generator of the multiplicative group of GF(q), q a prime.

    >>> primitive_root(7), primitive_root(1_000_003)
    (3, 2)
    """
    if q == 2:
        return 1
    factors = prime_factors(q - 1)
    return next(g for g in range(2, q) if all(pow(g, (q - 1) // factor, q) != 1 for factor in factors))
