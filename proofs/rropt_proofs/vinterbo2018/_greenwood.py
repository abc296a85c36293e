"""Means of powers of S = pi^T pi, for pi uniform on the simplex, and of the loss f_L(S)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb, factorial

_TERMS = 40  # of 1/(1-S) = 1 + S + S^2 + ...; what is left out is bounded, and is small for 8 categories or more


@cache
def power_means(size: int, most: int) -> tuple[Fraction, ...]:
    """Return E S^k for k = 0, ..., most.

    ``S^k`` is the sum of ``k!/prod k_i! prod p_i^{2 k_i}``, and the flat Dirichlet distribution has ``E prod p_i^{2
    k_i} = (N-1)! prod (2 k_i)!/(N-1+2k)!``; so E S^k is ``(N-1)! k!/(N-1+2k)!`` times the coefficient of x^k in the
    N-th power of ``sum_j (2j)!/j! x^j``.
    """
    one = [Fraction(factorial(2 * j), factorial(j)) for j in range(most + 1)]
    power = [Fraction(1), *(Fraction(0) for _ in range(most))]
    for _ in range(size):
        power = [sum((power[i] * one[k - i] for i in range(k + 1)), Fraction(0)) for k in range(most + 1)]
    return tuple(
        Fraction(factorial(size - 1) * factorial(k), factorial(size - 1 + 2 * k)) * power[k] for k in range(most + 1)
    )


def mean_of_inverse(size: int) -> tuple[Fraction, Fraction]:
    """Return bounds of E 1/(1-S), for three categories or more.

    ``1/(1-S) = sum_{k<K} S^k + S^K/(1-S)``. S is at most the largest proportion, so the last term is at most the sum of
    ``p_i^K/(1-p_i)``, whose mean is ``N (N-1) B(K+1, N-2)``, since p_i has the density (N-1)(1-p)^{N-2}.
    """
    low = sum(power_means(size, _TERMS), Fraction(0))
    beta = Fraction(1, (size - 2) * comb(_TERMS + size - 1, size - 2))  # B(K+1, N-2), K = _TERMS + 1
    return low, low + size * (size - 1) * beta


def centred_moments(size: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return the mean, the variance and the fourth centred moment of S."""
    _, one, two, three, four = power_means(size, 4)
    return one, two - one**2, four - 4 * three * one + 6 * two * one**2 - 3 * one**4
