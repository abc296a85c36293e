"""Designs for any number of equally frequent categories: the best family of blocks for a given length of a response.

The bound over *all* mechanisms is a formula (``mechanisms.families.uniform_bound``), and so is the variance of each
family. Let rho be the density of the blocks, ``u = rho/(1 - rho)`` and g = gamma. The relative gap to the bound is
about ``(g u - 1)^2/(4 g u)``, plus about ``(g + 1)^2/(2 g k) (1 - k/points)`` if the blocks have several sizes. The
search therefore looks for a density near ``1/(g + 1)`` and a field with slightly more than k elements. The families
are:

* ``direct`` (k outputs), the best one if g is large;
* ``affine-classes``: primes q from k on, divisors e <= 64 of q - 1, unions of cosets; ``q e`` outputs, fast decoding;
* ``projective``: q near g + 1, the smallest q with enough points, and the largest q that the outputs allow;
* ``affine`` of one dimension: ``q (q - 1)`` outputs, any density; decoding one category costs n operations;
* ``affine`` of several dimensions (local hashing): ``q^(t+1)`` outputs, q^t >= k.

*The choice.* For up to 300 categories, with delta > 0 for up to 10^5, and without a limit on the outputs, all subsets
of one size are chosen: they are optimal. For more categories a response has at most ``max(32, 2 log2 k + 1)`` bits by
default. In a family with fast decoding, one fast transform yields the counts of all categories. The best of these
families is chosen if its gap is at most 10^-4, or if no other family has a smaller gap. Otherwise the family with the
smallest gap is chosen. Criteria other than the total variance need blocks of one size; without a limit on the outputs,
these are all subsets of one size.

*The level.* Let p be the probability that a response contains the truth. If its denominator is long, p is rounded down
to a multiple of 2^-52, so that clients compare one integer of 52 bits. The gamma of the mechanism follows from p. The
rounding changes the value by about 10^-16, relatively.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any

from rropt.core.argument_checks import clear_calls
from rropt.core.errors import UnsupportedProblemError
from rropt.designs.asked_problems import BY_FORMULAS, MOST_SHARES
from rropt.designs.problem import Problem
from rropt.designs.recorded_designs import recorded_design
from rropt.designs.routes import ProvedDesign
from rropt.designs.writers.bracket_writer import state_bracket
from rropt.mechanisms.families import (
    Affine,
    AffineClasses,
    AllSubsets,
    BlockMechanism,
    Blocks,
    Direct,
    MembershipMechanism,
    Projective,
    RevealedBlocks,
    uniform_bound,
)
from rropt.mechanisms.families.primes import is_prime, next_prime, primes_from

if TYPE_CHECKING:
    from rropt.core.certificates import Certificate
    from rropt.privacy.region import RationalLevels

_MOST_EXACT = 10**5  # categories up to which all subsets of one size are taken if delta > 0
CHANCE_BITS = 52  # of the probability that a response contains the truth: exact integers in every language
_LEVEL_DIGITS = 30  # of a level that a design of shorter reports keeps
_ROUNDED = Fraction(1, 10**57)  # error of the checker's formulas with logarithms, which have 60 digits
FAST_GAP = 1e-4  # a family with fast decoding is preferred up to this relative gap
_MOST_FAST_VECTORS = 1 << 26  # maximal size of a transform over GF(q)^t
_PRIMES = 400  # number of primes above k that are tried for classes: one of them has a good divisor
_HASH_PRIMES = 4096  # the largest q of affine designs of several dimensions


@dataclass(frozen=True, slots=True)
class BlockFound(ProvedDesign):
    """A design given by formulas, and the bracket of the optimum over all mechanisms.

    Attributes:
        mechanism: a block design; with delta > 0 one that reveals the truth with probability delta.
    """

    mechanism: MembershipMechanism | RevealedBlocks

    @property
    def relative_gap(self) -> float:
        """The gap to the bound over all mechanisms, relative to that bound."""
        if not self.lower:
            return float("inf") if self.upper else 0.0
        return float(self.gap / abs(self.lower))

    @property
    def serves_all(self) -> bool:
        """Whether one fast transform of the counts of responses yields the counts of all categories."""
        return _serves_all(getattr(self.mechanism, "blocks", None))

    def extra_fields(self) -> dict[str, Any]:
        """Return the length of a response, the gap, the estimator of the value, and the server's method."""
        server = {} if self._reveals else {"server": "all" if self.serves_all else "queries"}
        return {
            "output_bits": self.mechanism.output_bits,
            "relative_gap": self.relative_gap,
            "estimator": "efficient" if self.mechanism.is_efficient else "membership",
            **server,
        }

    @property
    def _reveals(self) -> bool:
        """Whether some responses are true categories; the server does not count such responses."""
        return isinstance(self.mechanism, RevealedBlocks)

    def lines(self) -> list[tuple[str, str]]:
        """Return the gap, the estimator and the server's method, as label and value."""
        kind = "of every unbiased estimator" if self.mechanism.is_efficient else "of the membership estimator, exactly"
        server = (
            "one fast transform yields the counts of all categories"
            if self.serves_all
            else "a category costs one operation for each response: for candidates and prefix trees"
        )
        return [
            ("gap to all mechanisms, relative", f"{self.relative_gap:.2g}"),
            ("variance", kind),
            *([] if self._reveals else [("server", server)]),
        ]


def _serves_all(blocks: Blocks | None) -> bool:
    if isinstance(blocks, Projective):
        return bool(blocks.q**blocks.dimension <= _MOST_FAST_VECTORS)
    return blocks is not None and not isinstance(blocks, (Affine, AllSubsets))


def default_output_bits(categories: int) -> int:
    """Return the default length of a response in bits, ``max(32, ceil(2 log2 k) + 1)``.

    >>> default_output_bits(300), default_output_bits(10**6)
    (32, 41)
    """
    return max(32, (categories * categories - 1).bit_length() + 1)


Candidate = tuple[float, Blocks]


def _value(k: int, rho: float, eta: float, g: float) -> float:
    """Return the total variance in floating point; infinity if g is 1 there (epsilon below 1e-16)."""
    scale = 1 + (g - 1) * rho
    p, m = g * rho / scale, ((g - 1) * eta + rho) / scale
    if p <= m:
        return inf
    return (k * m * (1 - m) + (p - m) * (1 - 2 * m)) / (p - m) ** 2 - 1 / k


@lru_cache(maxsize=2)
def _class_values(k: int, g: float) -> list[tuple[float, tuple[int, int, int, int]]]:
    """Return the total variances of affine designs by classes, the least first: reports of each length ask for them."""
    found: list[tuple[float, tuple[int, int, int, int]]] = []
    for q in islice(primes_from(k), _PRIMES):
        for e in range(1, 65):
            if (q - 1) % e:
                continue
            part, wanted = (q - 1) // e, q / (g + 1)
            near = int(wanted / part)
            for j in {max(near, 0), min(near + 1, e)}:
                for zero in (0, 1):
                    s = j * part + zero
                    if 0 < s < q:
                        value = _value(k, s / q, s * (s - 1) / (q * (q - 1)), g)
                        found.append((value, (q, e, j, zero)))
    return sorted(found)


def _classes(k: int, g: float, most: int) -> Iterator[Candidate]:
    """Yield affine designs by classes with their total variances."""
    fitting = ((value, made) for value, made in _class_values(k, g) if made[0] * made[1] <= most)
    for value, (q, e, j, zero) in islice(fitting, 4):
        yield value, AffineClasses(k, q, e, j, bool(zero))


def _intervals(k: int, g: float, most: int) -> Iterator[Candidate]:
    """Yield affine designs of one dimension, and of several dimensions with q^t just above k."""
    for q in islice(primes_from(k), 4):
        if q * (q - 1) <= most:
            yield from _sizes(k, q, 1, g)
    for t in range(2, 24):
        least = next_prime(_root_above(k, t))
        if least > _HASH_PRIMES:
            continue
        near = {next_prime(max(least, int(g) + x)) for x in (0, 1, 2)}
        for q in {least, next_prime(least + 1), max(least, _prime_below(most ** (1 / (t + 1))))} | near:
            if q * (q**t - 1) <= most and q <= _HASH_PRIMES:
                yield from _sizes(k, q, t, g)


def _sizes(k: int, q: int, t: int, g: float) -> Iterator[Candidate]:
    wanted = int(q / (g + 1))
    for s in {min(max(wanted + x, 1), q - 1) for x in (0, 1)}:
        planes = float(q) ** (t - 1)
        eta = ((planes - 1) * s + planes * s * (s - 1)) / (q * (planes * q - 1))
        yield _value(k, s / q, eta, g), Affine(k, q, s, t)


def _prime_below(x: float) -> int:
    """Return the largest prime <= x - 1, within 2 to 10^6: the smallest density that the number of outputs allows."""
    q = min(max(int(x) - 1, 2), 10**6)
    while not is_prime(q):
        q -= 1
    return q


def _root_above(k: int, t: int) -> int:
    """Return the smallest q with q^t >= k."""
    q = max(int(k ** (1 / t)) - 1, 2)
    while q**t < k:
        q += 1
    return q


def _projective(k: int, g: float, most: int) -> Iterator[Candidate]:
    """Yield projective designs with their total variances."""
    for t in range(2, 25):
        if 2 ** (t - 1) > most:
            break
        least = next_prime(max(_root_above(k, t - 1) - 1, 2)) if t > 2 else next_prime(max(k - 1, 2))
        while (least**t - 1) // (least - 1) < k:
            least = next_prime(least + 1)
        near = {next_prime(max(least, int(g) + x)) for x in (-50, -9, 0, 1)}
        for q in {least, max(least, _prime_below(most ** (1 / (t - 1))))} | near:
            if (q**t - 1) // (q - 1) > most or q > 10**6:
                continue
            for complement in (False, True):
                made = Projective(k, q, t, complement)
                if made.density != made.together:
                    yield _value(k, float(made.density), float(made.together), g), made


def _candidates(k: int, g: float, most: int) -> list[Candidate]:
    """Return the designs of all families with at most so many outputs, with their total variances.

    Raises:
        UnsupportedProblemError: ``most`` is smaller than k, the least number of outputs of a family.
    """
    if most < k:
        raise UnsupportedProblemError(
            f"the responses are too short: received at most {most} outputs for {k} categories; every family has at "
            f"least as many outputs as categories; allow {(k - 1).bit_length()} bits or more"
        )
    direct = (_value(k, 1 / k, 0.0, g), Direct(k))
    return [direct, *_classes(k, g, most), *_projective(k, g, most), *_intervals(k, g, most)]


def best_blocks(categories: int, gamma: Fraction, most: int) -> Blocks:
    """Return the family of blocks with the smallest total variance at equal proportions and at most ``most`` outputs.

    A family with fast decoding is preferred if its gap to the bound over all mechanisms is at most 10^-4.

    Args:
        categories: k >= 2.
        gamma: the odds bound, above 1.
        most: the maximal number of outputs.

    >>> best_blocks(1000, Fraction(3), 2**20)
    <AffineClasses: affine design (classes), k = 1000, q = 1009, index = 4, cosets = 1, zero = 0>
    """
    k, g = categories, float(gamma)
    found = _candidates(k, g, most)
    bound = float(uniform_bound(k, gamma)[0])
    fast = [each for each in found if _serves_all(each[1])]
    value, best = min(fast, key=lambda each: (each[0], each[1].count))
    if value / bound - 1 <= FAST_GAP:
        return best
    return min(found, key=lambda each: (each[0], each[1].count))[1]


def private_blocks(blocks: Blocks, gamma: Fraction) -> BlockMechanism:
    """Return the mechanism of a design at a level, or just below it: p has a short denominator, at most 2^52.

    >>> made = private_blocks(Direct(5), Fraction(27182818284590452353, 10**19))
    >>> made.hit.denominator <= 2**52, 0 < float(Fraction(27182818284590452353, 10**19) - made.gamma) < 1e-14
    (True, True)
    """
    made = BlockMechanism(blocks, gamma)
    if made.hit.denominator <= 1 << CHANCE_BITS:
        return made
    rho = blocks.density
    p = Fraction((made.hit.numerator << CHANCE_BITS) // made.hit.denominator, 1 << CHANCE_BITS)
    own = p * (1 - rho) / (rho * (1 - p))
    return BlockMechanism(blocks, own) if own > 1 else made


@clear_calls
def optimal_subsets(categories: int, epsilon: object) -> tuple[BlockFound, Certificate]:
    """Return subset selection of the best size, with its certificate: it is A-optimal for k equal proportions.

    ``rropt.design.kary`` prefers other families for many categories, whose responses are shorter.

    Args:
        categories: k >= 2.
        epsilon: the level, above 0; exact.

    Returns:
        The mechanism, private at the level, with the bounds of n times the sum of the variances; and the certificate.

    >>> found, certificate = optimal_subsets(12, "log(3)")
    >>> str(found.lower), found.lower == found.upper, certificate.check().accepted
    ('121/4', True, True)
    """
    problem = Problem.kary(categories, epsilon=epsilon, objective="a-optimal")
    k, levels = problem.region.inputs, problem.region.bracket(_LEVEL_DIGITS)
    bound, size = uniform_bound(k, levels.above.gamma)
    mechanism = private_blocks(Direct(k) if size == 1 else AllSubsets(k, size), levels.below.gamma)
    found = BlockFound(bound, mechanism.total_variance(), mechanism, None)
    stated = {**problem.certified_dict(), "population": {"uniform": str(k)}}
    certificate = state_bracket(stated, levels, found.bracket, mechanism, "formula", {})
    verdict = certificate.check()
    assert verdict.accepted, f"the certificate of subset selection is rejected: {verdict}"
    return found, certificate


def blocks_by_formulas(problem: Problem, levels: RationalLevels) -> BlockFound:
    """Return the best family, private at the level below, with the bound over all mechanisms at the level above."""
    k, objective = problem.region.inputs, problem.objective
    below, above, outputs = levels.below.gamma, levels.above.gamma, problem.region.outputs
    revealed = levels.below.delta
    if below <= 1:
        raise UnsupportedProblemError(
            f"designs from formulas need epsilon > 0: received {problem.region}; raise epsilon, for example to 1/1000"
        )
    if revealed:  # outputs that are categories
        if outputs and outputs < 2 * k:
            raise UnsupportedProblemError(
                f"the responses are too short: received at most {outputs} outputs for {k} categories and delta > 0; "
                f"allow {(2 * k - 1).bit_length()} bits or more"
            )
        outputs = outputs - k if outputs else outputs
    best = objective.of_subsets(k, objective.best_subsets(k, above), above, levels.above.delta)
    is_long = k > MOST_SHARES and not (revealed and k <= _MOST_EXACT)
    is_of_any_sizes = objective.is_total and (outputs or is_long)
    most = outputs or 1 << default_output_bits(k)
    chosen = private_blocks(
        best_blocks(k, below, most) if is_of_any_sizes else _balanced(problem, below, outputs), below
    )
    mechanism = RevealedBlocks(chosen, revealed) if revealed else chosen
    if is_of_any_sizes:
        return BlockFound(best, mechanism.total_variance(), mechanism, None)
    reached = _value_at(problem, chosen.blocks, chosen.odds, revealed)
    lower, upper = (best, reached) if objective.sense == "minimise" else (reached, best)
    # room for the enclosures of logarithms: 1e-40 of the value
    size = max(abs(lower), abs(upper), _ROUNDED * 10**40 if objective.least_value == 0 else Fraction(1))
    room = size / 10**40 if objective.has_logarithms else Fraction(0)
    if objective.least_value == 0 and lower < room:
        raise UnsupportedProblemError(
            f"{objective.title}: the optimum is at most {float(upper):.0e}, and the checker encloses logarithms with "
            f"60 digits: received {problem.region}; raise epsilon, for example to 1e-20"
        )
    return BlockFound(lower - room, upper + room, mechanism, None)


def _value_at(problem: Problem, blocks: Blocks, gamma: Fraction, revealed: Fraction = Fraction(0)) -> Fraction:
    """Return the objective of a family with blocks of one size."""
    k = problem.region.inputs
    return problem.objective.of_subsets(k, int(blocks.density * k), gamma, revealed)


def _balanced(problem: Problem, gamma: Fraction, outputs: int | None) -> Blocks:
    """Return the best family with blocks of one size and at most so many outputs."""
    k, objective = problem.region.inputs, problem.objective
    d = objective.best_subsets(k, gamma)
    if not outputs:
        return Direct(k) if d == 1 else AllSubsets(k, d)
    fitting = [x for _, x in _candidates(k, float(gamma), outputs) if x.is_balanced and x.count <= outputs]
    choose = min if objective.sense == "minimise" else max
    return choose(fitting, key=lambda blocks: _value_at(problem, blocks, gamma))


def shorter_blocks(problem: Problem, value: Fraction, losses: Iterable[Fraction]) -> tuple[Blocks, Fraction] | None:
    """Return the family of the shortest reports among those whose objective is not much worse.

    It is the family that ``outputs="2^B"`` returns for reports of this length.

    Args:
        problem: a problem of formulas with equal proportions and delta = 0.
        value: the objective of the design that is compared, above 0.
        losses: the largest loss, relative to the value; a later one counts where no family meets the former.

    Returns:
        The family and its loss; ``None`` if there is none.
    """
    k, objective = problem.region.inputs, problem.objective
    gamma = problem.region.bracket(_LEVEL_DIGITS).below.gamma
    sign = 1 if objective.sense == "minimise" else -1

    @cache
    def found(bits: int) -> tuple[Blocks, Fraction]:
        blocks = best_blocks(k, gamma, 1 << bits) if objective.is_total else _balanced(problem, gamma, 1 << bits)
        return blocks, sign * (value_of_blocks(problem, blocks, gamma) / value - 1)

    for most in losses:
        for bits in range((k - 1).bit_length(), default_output_bits(k) + 1):
            blocks, loss = found(bits)
            if loss <= most:
                return blocks, max(loss, Fraction(0))
    return None


def value_of_blocks(problem: Problem, blocks: Blocks, gamma: Fraction) -> Fraction:
    """Return the objective of a family of blocks at a level, for a problem of formulas with equal proportions."""
    if problem.objective.is_total:
        return private_blocks(blocks, gamma).total_variance()
    return _value_at(problem, blocks, gamma)


def limit_of_formulas(problem: Problem) -> str | None:
    """Return which limit a problem with equal proportions exceeds."""
    region = problem.region
    if not problem.objective.has_formulas:
        return (
            f"designs from formulas for equal proportions: received the objective {problem.objective.kind}; "
            f"allowed are {', '.join(BY_FORMULAS)}"
        )
    is_one = region.form == "parity" or (region.form == "excess" and region.has_one_level)
    if not is_one or region.criterion is not None:
        return f"designs from formulas for equal proportions: received {region}; allowed is one epsilon and one delta"
    return None


def read_blocks(problem: Problem, certificate: Certificate) -> ProvedDesign:
    """Return the design in a certificate."""
    found = recorded_design(problem, certificate)
    mechanism = found.mechanism
    if not isinstance(mechanism, (MembershipMechanism, RevealedBlocks)):
        return found
    return BlockFound(found.lower, found.upper, mechanism, None)
