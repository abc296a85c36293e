"""Prefix trees: frequent values of a domain too large to list, such as words of 64 bits.

Values are written with ``levels`` digits to base 2^step. The respondents are split over the levels: each reports, by
one mechanism over the prefixes of its level, the prefix of its value. The collector walks down: at each level it tests
the children of the prefixes that were found at the level above, by Holm's procedure at the level alpha/levels.

A prefix is at least as frequent as each of its continuations. So with a probability of at least 1 - alpha no value is
found that is not above the threshold, and none of its prefixes. Respondents of different levels are different people,
so that the candidates of a level do not depend on its responses: the familywise error of each level is alpha/levels.

A prefix of b bits is one of 2^b categories. Its mechanism is an affine design over GF(q)^t, q^t just above 2^b, with t
as small as responses of 62 bits allow, or k-ary randomized response where that has less variance. Only candidates are
counted, at t operations for each response and candidate, so that the domain is never listed. Values have at most 48
bits, six characters; of longer ones report an agreed hash.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Epsilon, rational_where
from rropt.core.results import Result, says
from rropt.mechanisms.families import Affine, BlockMechanism, Direct
from rropt.mechanisms.families.blocks import MAX_CATEGORIES
from rropt.mechanisms.families.primes import next_prime
from rropt.mechanisms.sampling import Randomizer
from rropt.survey.aggregates.estimates import HeavyHitters, holm

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_BITS = 48  # of a value: with q^t >= 2^48 a response has at most 61 bits
_RESPONSE_BITS = 61
_FEW = 1 << 16  # candidates of one level


@dataclass(frozen=True, slots=True)
class PrefixTreeFound(Result):
    """The frequent values that a prefix tree found.

    Attributes:
        threshold: theta.
        level: alpha, the familywise error rate of all levels together.
        values: the values found, of all bits.
        levels: what each level found, from the first digits on, and its error.
    """

    threshold: Fraction
    level: Fraction
    values: tuple[int, ...]
    levels: tuple[HeavyHitters, ...]

    SAYS: ClassVar[Mapping[str, str]] = says(
        threshold="proportion that is exceeded",
        level="familywise error rate of all levels, at most",
        values="values found",
        levels="levels",
    )


class PrefixTree:
    """The plan of a prefix tree: which prefix a respondent reports, and by which mechanism.

    Args:
        bits: of a value, at most 48.
        step: bits of a digit: a level has 2^step children for each prefix.
        epsilon: the privacy level of each respondent, who answers once.

    >>> tree = PrefixTree(12, 4, "log(9)")
    >>> tree.depth, [mechanism.inputs for mechanism in tree.mechanisms]
    (3, [16, 256, 4096])
    """

    __slots__ = ("bits", "mechanisms", "step")

    def __init__(self, bits: int, step: int, epsilon: object) -> None:
        for name, value, most in (("bits", bits, _MOST_BITS), ("step", step, 16)):
            if type(value) is not int or not 1 <= value <= most:
                raise InvalidParameterError(
                    f"{name} is out of range: received {shown(value)}; allowed is an integer from 1 to {most}"
                )
        level = Epsilon.of(epsilon)
        self.bits, self.step = bits, step
        widths = [min((i + 1) * step, bits) for i in range(-(-bits // step))]
        self.mechanisms = tuple(_prefix_mechanism(1 << width, level) for width in widths)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PrefixTree) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[object, ...]:
        return self.bits, self.step, self.mechanisms

    def __repr__(self) -> str:
        return f"<PrefixTree of {self.bits} bits, {self.depth} levels>"

    @property
    def depth(self) -> int:
        """The number of levels."""
        return len(self.mechanisms)

    def prefixes(self, values: Any, depth: int) -> NDArray[np.int64]:
        """Return the prefixes of values at a level, 0 for the first digits."""
        import numpy as np

        return np.asarray(values, np.int64) >> max(self.bits - (depth + 1) * self.step, 0)

    def respond(self, values: Any, depth: int, *, seed: int | None = None) -> NDArray[np.int64]:
        """Return the responses of people at one level, drawn exactly.

        Args:
            values: their true values, integers below 2^bits.
            depth: their level.
            seed: None for the operating system's randomness; a number for simulations, NOT FOR REAL ANSWERS.
        """
        import numpy as np

        prepared, prefixes = Randomizer(self.mechanisms[depth]), self.prefixes(values, depth)
        drawn = prepared.randomize_many(prefixes) if seed is None else prepared.simulate_many(prefixes, seed=seed)
        return np.asarray(drawn, np.int64)

    def find(self, responses: Sequence[Any], threshold: object, *, level: object = "0.05") -> PrefixTreeFound:
        """Find the values whose proportion exceeds a threshold.

        Args:
            responses: those of each level, arrays of block numbers.
            threshold: theta.
            level: alpha of all levels together.

        Raises:
            InvalidParameterError: responses of another number of levels, or more than 65 536 candidates at a level.
        """
        import numpy as np

        if len(responses) != self.depth:
            raise InvalidParameterError(
                f"the responses have other levels than the tree: received {len(responses)}; allowed are {self.depth}"
            )
        alpha = rational_where(level, lambda x: 0 < x < 1, "0 < level < 1", name="level")
        survivors, found = [0], list[HeavyHitters]()
        for depth, (mechanism, given) in enumerate(zip(self.mechanisms, responses, strict=True)):
            width = mechanism.inputs // (self.mechanisms[depth - 1].inputs if depth else 1)
            candidates = np.array([x * width + child for x in survivors for child in range(width)], np.int64)
            if len(candidates) > _FEW:
                raise InvalidParameterError(
                    f"a level has too many candidates: received {len(candidates)}; at most {_FEW} are tested; raise "
                    "the threshold, or make the step smaller"
                )
            numbers = np.asarray(given, np.int64)
            hits = np.array([mechanism.blocks.hits(numbers, int(x)) for x in candidates], np.int64)
            found.append(holm(mechanism, hits, candidates, len(numbers), threshold, alpha / self.depth))
            survivors = sorted(found[-1].categories)
            if not survivors:
                break
        values = tuple(survivors) if len(found) == self.depth else ()
        return PrefixTreeFound(found[-1].threshold, alpha, values, tuple(found))


def _prefix_mechanism(categories: int, epsilon: Epsilon) -> BlockMechanism:
    """Return the affine design of these categories with the best interval, or the direct one, private at the level."""
    gamma, bits = epsilon.gamma_bracket(20).lower, (categories - 1).bit_length()
    t = max(-(-bits // (_RESPONSE_BITS - bits)), 1)
    q = next_prime(max(1 << -(-bits // t), 3))
    while bits < _RESPONSE_BITS // 2 and q < gamma + 1 and q < 1 << 20:  # a density near 1/(gamma + 1) needs q as large
        q = next_prime(2 * q)
    size = min(max(round(q / (float(gamma) + 1)), 1), q - 1)
    found = BlockMechanism(Affine(categories, q, size, t), gamma)
    if categories > MAX_CATEGORIES:
        return found
    return min((found, BlockMechanism(Direct(categories), gamma)), key=lambda each: each.total_variance())
