"""Prefix trees: find frequent values in a domain too large to list, such as 48-bit words.

Values are written with ``levels`` digits to base 2^step. Each respondent is assigned to one level and reports the
prefix of their value, with a mechanism over the prefixes of that level. The collector walks down the tree. At each
level it tests the children of the prefixes found at the level above, by Holm's procedure with error rate alpha/levels.

The proportion of a prefix is at least that of each of its continuations. With probability at least 1 - alpha, every
value found is above the threshold, and so are its prefixes. Different levels have different respondents, so the
candidates of a level do not depend on its own responses. This is why each level can be tested at error rate
alpha/levels.

A prefix of b bits is one of 2^b categories. Its mechanism is an affine design over GF(q)^t with q^t just above 2^b,
where t is as small as responses of 62 bits allow. If k-ary randomized response has less variance, it is used instead.
Only candidates are counted, with t operations for each response and candidate, so the full domain is never enumerated.
Values have at most 48 bits (six characters). For longer values, let all parties agree on a hash function and report the
hash.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Epsilon, decimal_text, rational_where
from rropt.core.exact.numbers import whole_where
from rropt.core.lazy import numpy as np
from rropt.core.random_numbers import RandomSource
from rropt.core.visible import with_noun
from rropt.estimates import Estimates, selected_memberships
from rropt.mechanisms.families import MAX_CATEGORIES, Affine, BlockMechanism, Direct, next_prime
from rropt.mechanisms.sampling import Randomizer
from rropt_fieldwork.counts.membership_estimates import confidence_of, exceeding, required_threshold

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_BITS = 48  # largest number of bits of a value; with q^t >= 2^48 a response has at most 61 bits
_RESPONSE_BITS = 61
_FEW = 1 << 16  # largest number of candidates at one level


@dataclass(init=False, repr=False, slots=True, unsafe_hash=True)
class PrefixTree:
    """The plan of a prefix tree: which prefix each respondent reports, and by which mechanism.

    Args:
        bits: the number of bits of a value, at most 48.
        step: the number of bits of a digit; each prefix has 2^step children.
        epsilon: the privacy level of each respondent. Each of them responds once.

    >>> tree = PrefixTree(12, 4, "log(9)")
    >>> tree.depth, [mechanism.inputs for mechanism in tree.mechanisms]
    (3, [16, 256, 4096])
    """

    bits: int
    step: int
    mechanisms: tuple[BlockMechanism, ...]

    def __init__(self, bits: int, step: int, epsilon: object) -> None:
        for name, value, most in (("bits", bits, _MOST_BITS), ("step", step, 16)):
            whole_where(value, 1, most, name=name)
        level = Epsilon.of(epsilon)
        self.bits, self.step = bits, step
        widths = [min((i + 1) * step, bits) for i in range(-(-bits // step))]
        self.mechanisms = tuple(_prefix_mechanism(1 << width, level) for width in widths)

    def __repr__(self) -> str:
        return f"<PrefixTree of {self.bits} bits, {self.depth} levels>"

    @property
    def depth(self) -> int:
        """The number of levels."""
        return len(self.mechanisms)

    def prefixes(self, values: Any, depth: int) -> NDArray[np.int64]:
        """Return the prefixes of the values at a level; level 0 is the first digit."""
        return np.asarray(values, np.int64) >> max(self.bits - (depth + 1) * self.step, 0)

    def respond(self, values: Any, depth: int) -> NDArray[np.int64]:
        """Randomize the values of the respondents at one level, with the operating system's randomness.

        Args:
            values: the true values, integers below 2^bits.
            depth: the level that these respondents are assigned to.
        """
        drawn = Randomizer(self.mechanisms[depth]).randomize_many(self.prefixes(values, depth))
        return np.asarray(drawn, np.int64)

    def simulate(self, values: Any, depth: int, *, rng: RandomSource = None) -> NDArray[np.int64]:
        """Simulate responses at one level, which can be repeated: NOT FOR REAL ANSWERS.

        Args:
            values, depth: as for ``respond``.
            rng: as for ``Mechanism.simulate``.
        """
        drawn = Randomizer(self.mechanisms[depth]).simulate_many(self.prefixes(values, depth), rng=rng)
        return np.asarray(drawn, np.int64)

    def find(self, responses: Sequence[Any], threshold: object, *, level: object = "0.05") -> Estimates:
        """Find the values whose proportion exceeds a threshold.

        Args:
            responses: an array of block numbers for each level.
            threshold: theta.
            level: alpha, the familywise error rate over all levels.

        Returns:
            The proportions of the frequent values, by the responses of the last level, with their p-values; a name is
            the value with all its bits. Remarks say what was tested at each level.

        Raises:
            InvalidParameterError: the number of levels is wrong, or a level has more than 65 536 candidates.
        """
        if len(responses) != self.depth:
            raise InvalidParameterError(
                f"the responses have other levels than the tree: received {len(responses)}; allowed are {self.depth}"
            )
        alpha = rational_where(level, lambda x: 0 < x < 1, "0 < level < 1", name="level")
        theta, own = required_threshold(threshold), alpha / self.depth
        survivors, told, hits, p_values, n = [0], list[str](), list[int](), list[float](), 0
        for depth, (mechanism, given) in enumerate(zip(self.mechanisms, responses, strict=True)):
            width = mechanism.inputs // (self.mechanisms[depth - 1].inputs if depth else 1)
            candidates = np.array([x * width + child for x in survivors for child in range(width)], np.int64)
            if len(candidates) > _FEW:
                raise InvalidParameterError(
                    f"a level has too many candidates: received {len(candidates)}; at most {_FEW} are tested; raise "
                    "the threshold, or make the step smaller"
                )
            numbers = np.asarray(given, np.int64)
            n, every = len(numbers), np.array([mechanism.blocks.hits(numbers, int(x)) for x in candidates], np.int64)
            kept, p = exceeding(mechanism, every, n, theta, own)
            order = np.argsort(candidates[kept])
            survivors = candidates[kept][order].tolist()
            hits, p_values = every[kept][order].tolist(), p[order].tolist()
            tested = with_noun(len(candidates), "prefix", "prefixes")
            told.append(
                f"level {depth + 1} of {self.depth}: {with_noun(n, 'response')}, {tested} tested at a familywise error "
                f"rate of {decimal_text(own)}, {len(kept) or 'none'} above {decimal_text(theta)}"
            )
            if not survivors:
                break
        is_whole = len(told) == self.depth
        names = [str(x) for x in survivors if is_whole]
        found = (hits, p_values) if is_whole else ([], [])
        return selected_memberships(
            self.mechanisms[-1], found[0], n, names, found[1], tuple(told), confidence_of(alpha)
        )


def _prefix_mechanism(categories: int, epsilon: Epsilon) -> BlockMechanism:
    """Return the affine design or k-ary randomized response at the level, whichever has the smaller total variance."""
    gamma, bits = epsilon.gamma_bracket(20).lower, (categories - 1).bit_length()
    t = max(-(-bits // (_RESPONSE_BITS - bits)), 1)
    q = next_prime(max(1 << -(-bits // t), 3))
    # to approximate the density 1/(gamma + 1), q must be at least gamma + 1
    while bits < _RESPONSE_BITS // 2 and q < gamma + 1 and q < 1 << 20:
        q = next_prime(2 * q)
    size = min(max(round(q / (float(gamma) + 1)), 1), q - 1)
    found = BlockMechanism(Affine(categories, q, size, t), gamma)
    if categories > MAX_CATEGORIES:
        return found
    return min((found, BlockMechanism(Direct(categories), gamma)), key=lambda each: each.total_variance())
