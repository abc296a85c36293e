"""The constrained estimate: the most likely population, with its exact likelihood gap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rropt.estimation.likelihood.gap import likelihood_gap
from rropt.mechanisms import Mechanism
from rropt.mechanisms.gamma_diagonal import gamma_diagonal

__all__ = ["most_likely_population"]

# Shares below these are tried as exact zeros; the candidate with the smallest exact gap is kept.
_ZERO_SHARES = (1e-5, 1e-8, 1e-11)
_POPULATION_DIGITS = 18  # decimals of the constrained estimate where no closed form holds: beyond a float's
_SIMPLE_DENOMINATOR = 100_000  # fractions up to it are tried: floats tell them apart with five digits to spare

_NEAR_A_CORNER = 0.9  # a share from which the corner is tried too: it costs one exact gap


def most_likely_population(
    mechanism: Mechanism, counts: Sequence[int], unbiased: Sequence[Fraction]
) -> tuple[tuple[Fraction, ...], Fraction]:
    """Return a population of greatest likelihood on the simplex, and its likelihood gap per response.

    * For ``P = a I + u 1^T``, a > 0 (``gamma_diagonal``) it is exact, on whatever face of the simplex it lies.
    * If the unbiased estimate lies in the simplex and fits the answers exactly (``P pi = N/n``), it is the maximum.
    * If one category alone has gap 0, it is the maximum. For a binary mechanism the two cases are all there are: the
      likelihood is concave in the prevalence, so the constrained estimate is the unbiased one clipped to [0, 1].
    * Otherwise floats propose (``interior_point``), decimals of 18 digits are made of it, near-zero shares are tried
      as zeros, and the candidate with the smallest exact gap is returned with that gap.

    >>> from rropt.mechanisms import Mechanism
    >>> die = Mechanism.binary("5/6", "5/6")
    >>> population, gap = most_likely_population(die, (90, 10), (Fraction("1.1"), Fraction("-0.1")))
    >>> [str(share) for share in population], gap
    (['1', '0'], Fraction(0, 1))
    """
    n = sum(counts)
    structured = gamma_diagonal(mechanism)
    exact = None if structured is None else structured.most_likely(counts)
    if exact is not None:
        return exact, Fraction(0)
    if min(unbiased) >= 0 and all(
        sum((p * x for p, x in zip(row, unbiased, strict=True)), Fraction(0)) * n == count
        for row, count in zip(mechanism.matrix, counts, strict=True)
    ):
        return tuple(unbiased), Fraction(0)
    best: tuple[tuple[Fraction, ...], Fraction] | None = None
    for candidate in _candidates(mechanism, counts):
        gap = likelihood_gap(mechanism, counts, candidate)
        if gap is not None and (best is None or gap < best[1]):
            best = candidate, gap
            if not gap:
                break
    if best is None:  # counts so unequal that 18 decimals give an observed answer probability 0
        uniform = (Fraction(1, mechanism.inputs),) * mechanism.inputs
        best = uniform, likelihood_gap(mechanism, counts, uniform) or Fraction(0)
    return best


def _candidates(mechanism: Mechanism, counts: Sequence[int]) -> Iterator[tuple[Fraction, ...]]:
    k = mechanism.inputs
    if k == 2:
        yield Fraction(1), Fraction(0)
        yield Fraction(0), Fraction(1)
    proposal = _proposal(mechanism, counts)
    if max(proposal) > _NEAR_A_CORNER:  # a likelihood that is all but flat has its maximum there, and floats stop short
        corner = proposal.index(max(proposal))
        yield tuple(Fraction(int(j == corner)) for j in range(k))
    simple = tuple(Fraction(share).limit_denominator(_SIMPLE_DENOMINATOR) for share in proposal)
    if sum(simple) == 1 and likelihood_gap(mechanism, counts, simple) == 0:
        yield simple  # the maximum is a simple fraction: rare, and then better than decimals
    for bound in (*_ZERO_SHARES, 0.0):
        yield _decimals([share if share > bound else 0.0 for share in proposal])


def _proposal(mechanism: Mechanism, counts: Sequence[int]) -> list[float]:
    import numpy as np

    from rropt.estimation.likelihood.interior_point import propose

    observed = [i for i, count in enumerate(counts) if count]
    rows = [(mechanism.matrix[i], max(mechanism.matrix[i])) for i in observed]
    matrix = np.array([[float(p / top) for p in row] for row, top in rows])  # the scale of a row does not matter
    shares = np.array([counts[i] / sum(counts) for i in observed])
    return [float(share) for share in propose(matrix, shares)]


def _decimals(shares: Sequence[float]) -> tuple[Fraction, ...]:
    """Return shares of 18 decimals that sum to exactly 1; the largest takes the rounding."""
    scale = 10**_POPULATION_DIGITS
    total = sum(Fraction(share) for share in shares)
    units = [round(Fraction(share) / total * scale) for share in shares]
    largest = units.index(max(units))
    units[largest] += scale - sum(units)
    return tuple(Fraction(unit, scale) for unit in units)
