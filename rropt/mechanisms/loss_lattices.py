"""Bounds of delta for products with many losses, from distributions on a lattice: one below and one above.

The items are divided into groups. The joint outcomes (cells) of a group are listed with their exact loss
``l = log(P/Q)``.

*Lower bound.* Each cell is moved to the nearest point t of a lattice of width h, and keeps its true masses P and Q. For
every event E of lattice points, ``delta >= P(E) - gamma Q(E)``, because E is a possible test. In place of Q the code
stores the tilted distribution Q' with masses ``P exp(h t - l)``, which is close to P. The identity
``gamma Q(t) = exp(epsilon - h t) Q'(t)`` recovers gamma Q, with a factor of at most 1 on the event ``h t > epsilon``.

*Upper bound.* A cell of mass m at loss ``x = l h + f`` is split between the two neighbouring points. The higher one
receives ``y_1 = m (1 - exp(-f))/(1 - exp(-h))``, so the masses under P and under Q both stay the same. The split
replaces one point of the privacy profile by a chord, so the result dominates the original pair. Products preserve
domination. Hence ``delta <= sum over points x > epsilon of P(x) (1 - exp(epsilon - x))``.

Each group is rounded once. The error of both bounds is about the total variance of the rounding errors times the
density of the loss at epsilon. It is thus of second order in h. Groups of many cells need fewer roundings than single
responses. Nothing changes if outputs of infinite odds are left out, and the masses of the others have a smaller sum.

*Rounding errors.* The distributions of sums of losses are computed by FFT. The relative error in the Euclidean norm of
an FFT of M points is at most ``7 u log2 M``, u = 2^-53 (Higham 2002, Theorem 24.2). For the convolution of two
distributions with masses at most 1, the error is at most three times this value, relative to the larger norm. ``error``
bounds the sum of the
absolute errors of three kinds: of the convolutions (``sqrt(L)`` times the Euclidean norm, for L points), of the
truncated tails, and of the rounding of masses and losses. It widens both bounds. The bounds rely on this theorem and on
SciPy's FFT being of the kind it covers, so they are not a certificate.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.core.exact import Bracket
from rropt.core.exact.rational_bounds import logarithm
from rropt.core.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_U = 2.0**-53
_FFT = 32 * _U  # relative error per log2 M: more than three transforms of 7 u log2 M each
_CELLS = 1 << 21  # cells of all groups together
_LARGEST = 1 << 15  # cells of one group
_CUT = 2e-14  # mass that may be cut off at each end of a distribution; it exceeds the rounding noise
_FEW = 48  # number of copies of a pair up to which the cells are listed by their formula
_SMALL = 64  # number of points up to which distributions are convolved directly
_WINDOW = 16  # width of the lattice in standard deviations of the loss
_BITS = 64  # precision of the logarithms of odds
_DECIMALS = 12  # of losses: equal ones are joined
_MOVED = 1e-12  # for each response joining moves delta by less: half a unit of the last decimal, and rounding errors


class FloatPair(NamedTuple):
    """A loss pair in floats: losses and masses under P of its atoms, each to a few units of the last digit."""

    losses: tuple[float, ...]
    masses: tuple[float, ...]

    @classmethod
    def of(cls, atoms: Iterable[tuple[Fraction, Fraction]]) -> FloatPair:
        """Return the pair of atoms with positive masses under P and Q."""
        listed = list(atoms)
        losses = [float(logarithm(p / q, _BITS)) for p, q in listed]
        return cls(tuple(losses), tuple(float(p) for p, _ in listed))


@dataclass
class _Law:
    """A distribution: weights of consecutive lattice points, and a bound of the sum of their absolute errors."""

    start: int
    weights: Floats
    error: float


@dataclass(frozen=True)
class LatticeBounds:
    """The distributions of the lower and the upper bound; ``delta`` bounds delta(epsilon) at every epsilon.

    Attributes:
        width: the lattice width h.
        lower, tilted, upper: the distributions of P, of the tilted Q, and of P after splitting.
        drift: a bound of the change of delta that the rounding of losses causes.
    """

    width: float
    lower: Any
    tilted: Any
    upper: Any
    drift: float

    def bracket(self, epsilon: Bracket) -> Bracket:
        """Return a bracket of delta, given a bracket of epsilon in nats."""
        low, high = math.nextafter(float(epsilon.lower), -math.inf), math.nextafter(float(epsilon.upper), math.inf)
        return Bracket(Fraction(self.delta(high)[0]), Fraction(self.delta(low)[1]))

    def delta(self, epsilon: float) -> tuple[float, float]:
        """Return bounds of delta at epsilon, including the rounding errors of floating point."""
        h = self.width
        slack = self.drift + 4 * _U * (abs(epsilon) + 1)
        # the points up to here are at most epsilon; the next few are compared one by one
        first = math.floor(epsilon / h) - 1

        def beyond(law: Any) -> tuple[Floats, Floats]:
            skipped = max(first - law.start, 0)
            weights = law.weights[skipped:]
            distance = (law.start + skipped + np.arange(len(weights))) * h - epsilon
            more = int(np.searchsorted(distance, 0.0, side="right"))
            return weights[more:], distance[more:]

        weights, distance = beyond(self.upper)
        upper = float(np.sum(weights * -np.expm1(-distance))) + self.upper.error
        p, _ = beyond(self.lower)
        q, distance = beyond(self.tilted)
        lower = float(np.sum(p)) - float(np.sum(q * np.exp(-distance))) - self.lower.error - self.tilted.error
        rounding = 64 * _U  # pairwise sums of up to 2^24 terms, whose sum is at most 1
        return max(lower - slack - rounding, 0.0), min(upper + slack + rounding, 1.0)


def lattice_bounds(pairs: Sequence[tuple[FloatPair, int]], points: int) -> LatticeBounds:
    """Return the distributions of a composition on lattices.

    Args:
        pairs: distinct loss pairs with their multiplicities.
        points: the number of points in a window of 16 standard deviations of the loss, or over the losses of a group.
    """
    groups = [_trimmed_cells(*group) for group in _groups(pairs)]
    # losses that are all equal have no spread, and a lattice needs a width
    width = max(_WINDOW * _spread(pairs), 1e-9, *(float(losses.max() - losses.min()) for losses, _, _ in groups))
    answers = sum(count for _, count in pairs)
    drift = 8 * _U * sum(count * max(map(abs, pair.losses)) for pair, count in pairs)
    width = max(width / points, drift)
    relative = 16 * _U * answers  # relative error of a mass: one product and one exponential per response
    laws: dict[str, list[_Law]] = {"lower": [], "tilted": [], "upper": []}
    for losses, masses, lost in groups:
        for name, law in _rounded(losses, masses, width).items():
            law.error += lost
            laws[name].append(law)
    found = {name: _summed(each) for name, each in laws.items()}
    for law in found.values():
        law.error += relative * float(law.weights.sum())
    return LatticeBounds(width, found["lower"], found["tilted"], found["upper"], drift)


def _spread(pairs: Sequence[tuple[FloatPair, int]]) -> float:
    """Return the standard deviation of the loss under P."""
    total = 0.0
    for (losses, masses), count in pairs:
        mean = sum(x * m for x, m in zip(losses, masses, strict=True))
        total += count * sum(m * (x - mean) ** 2 for x, m in zip(losses, masses, strict=True))
    return math.sqrt(total)


def _groups(pairs: Sequence[tuple[FloatPair, int]]) -> Any:
    """Divide the items into groups, and iterate over their losses, masses and truncated masses."""
    answers = sum(count for pair, count in pairs if count * len(pair.losses) <= _LARGEST)
    size = _LARGEST
    while size > 16 and answers / max(math.log2(size), 1) * size > _CELLS:
        size //= 2
    losses, masses = np.zeros(1), np.ones(1)
    for pair, count in pairs:
        for own_losses, own_masses, lost in _copies(pair, count):
            if lost or len(own_losses) > size:
                yield own_losses, own_masses, lost
                continue
            if len(losses) * len(own_losses) > size:
                yield losses, masses, 0.0
                losses, masses = np.zeros(1), np.ones(1)
            losses = np.add.outer(losses, own_losses).ravel()
            masses = np.multiply.outer(masses, own_masses).ravel()
    yield losses, masses, 0.0


def _copies(pair: FloatPair, count: int) -> Iterator[tuple[Floats, Floats, float]]:
    """Yield losses, masses and the mass that is cut off of copies of a pair, in parts if the cells are many."""
    if count == 1:
        yield np.array(pair.losses), np.array(pair.masses), 0.0
        return
    if len(pair.losses) == 2 and count <= _FEW:
        counts = np.arange(count + 1)
        ways = np.array([float(math.comb(count, j)) for j in range(count + 1)])
        (low, high), (q, p) = pair
        yield low * (count - counts) + high * counts, ways * p**counts * q ** (count - counts), 0.0
        return
    if len(pair.losses) == 2:
        yield _binomial(pair, count)
        return
    losses, masses, held = np.zeros(1), np.ones(1), 0
    for _ in range(count):
        if len(losses) * len(pair.losses) > _CELLS:
            yield losses, masses, held * _MOVED
            losses, masses, held = np.zeros(1), np.ones(1), 0
        all_losses = np.add.outer(losses, np.array(pair.losses)).ravel()
        all_masses = np.multiply.outer(masses, np.array(pair.masses)).ravel()
        losses, places = np.unique(np.round(all_losses, _DECIMALS), return_inverse=True)
        masses, held = np.bincount(places, all_masses).astype(np.float64), held + 1
    yield losses, masses, held * _MOVED


def _binomial(pair: FloatPair, count: int) -> tuple[Floats, Floats, float]:
    """Return losses, masses and the mass that is cut off of many copies of a pair of two atoms."""
    from rropt.checker.documents import WorkBudget
    from rropt.checker.tail_sums import binomial_law

    whole = sum(pair.masses)  # less than 1 if outputs of infinite odds are left out
    a = int(pair.masses[1] / whole * 2.0**60)
    # the probabilities have 60 bits, 7 more than floats, and the weights 96, so that small masses keep theirs
    law = binomial_law(count, a, (1 << 60) - a, 96, WorkBudget(1 << 40))
    weights = np.array([math.ldexp(w, -96) for w in law.weights])
    counts = law.start + np.arange(len(weights))
    # p has a relative error of 2^-53, so n responses are off by at most n times that in total variation
    losses = pair.losses[0] * (count - counts) + pair.losses[1] * counts
    return losses, weights * whole**count, math.ldexp(law.missing, -96) + count * 4 * _U


def _kept(weights: Floats) -> tuple[int, int, float]:
    """Return where to cut the negligible ends of a distribution, and the error."""
    first, last = (int(np.searchsorted(np.cumsum(each), _CUT)) for each in (weights, weights[::-1]))
    first = min(first, len(weights) - 1)
    # at most _CUT is left out at each end; the rest is for the rounding of the sums
    return first, max(len(weights) - last, first + 1), 2.5 * _CUT * (first + last > 0)


def _trimmed_cells(losses: Floats, masses: Floats, lost: float) -> tuple[Floats, Floats, float]:
    """Cut off the cells with negligible tails, so that rare losses do not stretch the lattice."""
    order = np.argsort(losses)
    first, end, error = _kept(masses[order])
    return losses[order[first:end]], masses[order[first:end]], lost + error


def _rounded(losses: Floats, masses: Floats, h: float) -> dict[str, _Law]:
    """Return the three lattice distributions of one group."""
    nearest = np.rint(losses / h).astype(np.int64)
    below = np.floor(losses / h).astype(np.int64)
    start = int(min(nearest.min(), below.min()))
    length = int(max(nearest.max(), below.max() + 1)) - start + 1
    tilt = np.exp(h * nearest - losses)
    rest = np.clip(losses - h * below, 0.0, h)
    higher = masses * (np.expm1(-rest) / math.expm1(-h))
    lower = np.bincount(nearest - start, masses, length)
    tilted = np.bincount(nearest - start, masses * tilt, length)
    upper = np.bincount(below - start, masses - higher, length) + np.bincount(below - start + 1, higher, length)
    return {
        name: _trimmed(_Law(start, weights.astype(np.float64), 0.0))
        for name, weights in (("lower", lower), ("tilted", tilted), ("upper", upper))
    }


def _trimmed(law: _Law) -> _Law:
    """Cut off the negligible tails of a distribution, and add their mass to its error."""
    first, end, error = _kept(law.weights)
    return _Law(law.start + first, law.weights[first:end], law.error + error)


def _summed(laws: list[_Law]) -> _Law:
    """Return the distribution of the sum, convolving the smallest distributions first."""
    while len(laws) > 1:
        laws.sort(key=lambda law: len(law.weights))
        pairs = zip(laws[::2], laws[1::2], strict=False)
        laws = [_convolved(one, other) for one, other in pairs] + laws[len(laws) - len(laws) % 2 :]
    return laws[0]


def _convolved(one: _Law, other: _Law) -> _Law:
    from scipy.fft import irfft, next_fast_len, rfft

    a, b = one.weights, other.weights
    length = len(a) + len(b) - 1
    scale = max(1.0, float(a.sum()), float(b.sum()))
    if min(len(a), len(b)) <= _SMALL:
        weights, error = np.convolve(a, b), 2 * _SMALL * _U * scale**2
    else:
        size = next_fast_len(length, real=True)
        weights = irfft(rfft(a, size) * rfft(b, size), size)[:length]
        norm = max(float(np.linalg.norm(a)), float(np.linalg.norm(b)))
        error = _FFT * math.log2(size) * math.sqrt(length) * norm * scale
        weights = np.maximum(weights, 0.0)  # moves no weight further away from its true value
    return _trimmed(_Law(one.start + other.start, weights, (one.error + other.error) * scale + error))
