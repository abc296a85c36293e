"""Set mechanisms: a response is a set of categories, and estimates count the sets that contain each category.

Two forms share one interface (``MembershipMechanism``). With g = gamma, a *block mechanism* outputs block B of a
design (``blocks``) with ``P(B | x) = g/N`` if x is in B, else ``1/N``. Let b be the number of blocks, rho the
proportion of them that contain a given category, and eta the proportion that contain two given categories:

    N/b = 1 + (g - 1) rho        p = P(x in B | x) = g rho b/N        m = P(y in B | x) = ((g - 1) eta + rho) b/N

*Bit vectors* (unary encoding: RAPPOR, OUE) have any p and m < p; the bits are independent given x, and
``g = p (1 - m)/((1 - p) m)``. In both forms, with c_x the number of the n responses that contain x:

    estimate  pi_x = (c_x/n - m)/(p - m)        c_x is Binomial(n, M_x),  M_x = m + (p - m) pi_x
    n Var     M_x (1 - M_x)/(p - m)^2           summed: (k m (1 - m) + (p - m)(1 - 2 m))/(p - m)^2 - sum pi_x^2

* *Privacy is exact*, because N does not depend on x. This requires neither a property of pairs of categories nor
  equal block sizes.
* *The variance of this membership estimator is exact at every distribution pi.* It is largest at the uniform one.
* *Efficiency.* If all blocks contain the same number of categories, the estimator is efficient at uniform pi, where the
  information matrix has a single eigenvalue on all contrasts. Otherwise another unbiased estimator of the same
  mechanism may have a smaller variance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from rropt.core.errors import InfeasibleError, InvalidMechanismError, UnsupportedProblemError, shown
from rropt.core.exact import as_text, both_texts, rational
from rropt.core.limits import MAX_MATRIX_ENTRIES
from rropt.core.visible import size_text, with_noun
from rropt.mechanisms.columns import Matrix, whole_parameter
from rropt.mechanisms.dichotomies import Dichotomy
from rropt.mechanisms.families.blocks import MAX_CATEGORIES, AllSubsets, Blocks, Direct
from rropt.mechanisms.kronecker import Vector, sparse_vector
from rropt.mechanisms.mechanism import Mechanism, require_keys
from rropt.mechanisms.orbits import OrbitMechanism
from rropt.mechanisms.words import containing_words, truth_words

_MOST_SHOWN_BITS, _MOST_SHOWN = 12, 4096  # largest numbers of response bits and of entries for printing the matrix
_MOST_WRITTEN = 10**4  # largest number of categories for which the number of all sets, 3 000 digits, is written out


class MembershipMechanism(Mechanism):
    """A mechanism whose responses are sets of categories.


    Attributes:
        hit: p, the probability that the response contains the true category.
        miss: m, the probability that the response contains a given other category.
        odds: the largest ratio of the probabilities of a response under two truths.
        inputs: the number of categories, k; the number of outputs, with up to a million digits, is not computed.
        output_bits: the length of a response in bits.
        is_efficient: whether the membership estimator has the least total variance of unbiased estimators at uniform
            pi: for blocks, whether all have the same size; never for bit vectors, since vectors with different numbers
            of ones carry different information.
    """

    PARTS: ClassVar[tuple[str, ...]] = ("inputs", "hit", "miss")
    hit: Fraction
    miss: Fraction
    odds: Fraction
    output_bits: int
    is_efficient: bool

    def _family(self) -> str:
        raise NotImplementedError

    def _described(self) -> str:
        bits = with_noun(self.output_bits, "bit")
        return f"{self._family()}, responses of {bits}, epsilon = {both_texts(self.epsilon)}"

    @cached_property
    def is_small(self) -> bool:
        """Whether the matrix is small enough to be printed or audited entry by entry: at most 4 096 entries."""
        return self.output_bits <= _MOST_SHOWN_BITS and self.inputs << self.output_bits <= _MOST_SHOWN

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._family()}{self._named()}>"

    def total_variance(self, squares: Fraction | None = None) -> Fraction:
        """Return n times the exact sum of the variances of all categories.

        Args:
            squares: ``sum pi_x^2`` of the distribution; by default 1/k (uniform), the worst case.
        """
        p, m, k = self.hit, self.miss, self.inputs
        own = Fraction(1, k) if squares is None else squares
        return (k * m * (1 - m) + (p - m) * (1 - 2 * m)) / (p - m) ** 2 - own

    def in_words(self) -> str:
        """Return the device in words: the probabilities with which the response contains a category."""
        return containing_words(f"a set of the {self.inputs} categories ({self._family()})", self.hit, self.miss)

    def parity(self) -> Fraction | None:
        """Return the odds."""
        return self.odds

    def members(self, output: int) -> Sequence[int]:
        """Return the categories of response number ``output`` in ascending order."""
        raise NotImplementedError

    def invert(self, shares: Sequence[object] | Mapping[int, object]) -> Vector:
        """Return the membership estimate of pi from proportions of responses (see ``Mechanism.invert``)."""
        given = sparse_vector(shares, self.outputs, "the shares")
        if self.inputs > MAX_CATEGORIES:
            raise UnsupportedProblemError(
                f"the categories are too many to be listed: received {self!r}; allowed are {MAX_CATEGORIES}"
            )
        total = sum(given.values(), Fraction(0))
        held = [Fraction(0)] * self.inputs
        for i, share in given.items():
            for x in self.members(i):
                held[x] += share
        return tuple((c - self.miss * total) / (self.hit - self.miss) for c in held)


class BlockMechanism(MembershipMechanism, key="blocks"):
    """A mechanism that outputs a block of a design; a block that contains the truth is gamma times as likely.

    Args:
        blocks: the block design, or its JSON.
        gamma: the odds ratio, a rational above 1.
        name: the printed name.

    Raises:
        InvalidMechanismError: gamma is not above 1, or no block distinguishes two categories.

    >>> chosen = BlockMechanism(AllSubsets(60, 20), 3)
    >>> str(chosen.epsilon), str(chosen.hit), str(chosen.miss), str(chosen.delta("log(2)"))
    ('log(3)', '3/5', '97/295', '8/59')
    """

    _MOST_ENTRIES = 4 * MAX_MATRIX_ENTRIES  # two values, which all rows share: 32 megabytes
    PARTS = ("blocks", "odds")
    blocks: Blocks

    def __new__(cls, blocks: Blocks, gamma: object, *, name: str | None = None) -> BlockMechanism:
        """Build the mechanism from a block design and gamma."""
        design = blocks if isinstance(blocks, Blocks) else Blocks.from_dict(blocks)
        odds, (rho, eta) = rational(gamma, name="gamma"), design.proportions()
        if odds <= 1:
            raise InvalidMechanismError(f"gamma is not above 1: received {odds}; give exp(epsilon), epsilon > 0")
        if rho == eta:
            raise InvalidMechanismError(f"the blocks distinguish no two categories: received {design}; choose others")
        scale = 1 + (odds - 1) * rho  # N/b
        return cls.made(
            name,
            blocks=design,
            odds=odds,
            hit=odds * rho / scale,
            miss=((odds - 1) * eta + rho) / scale,
            inputs=design.categories,
            output_bits=design.output_bits,
            is_efficient=design.is_balanced,
        )

    def outputs_are_sets(self) -> bool:
        """Return whether the blocks are all sets of one size."""
        return isinstance(self.blocks, AllSubsets)

    @cached_property
    def shape(self) -> tuple[int, int]:
        """``(b, k)``."""
        return self.blocks.count, self.blocks.categories

    @property
    def shape_texts(self) -> tuple[str, str]:
        """``shape`` as strings; beyond 10^4 categories the number of sets is written C(k, d)."""
        blocks, k = self.blocks, self.blocks.categories
        if isinstance(blocks, AllSubsets) and k > _MOST_WRITTEN:
            return f"C({k}, {blocks.size})", str(k)
        return str(blocks.count), str(k)

    def row(self, i: int) -> Vector:
        """Return the k probabilities of block i."""
        if not 0 <= i < self.outputs:
            raise InvalidMechanismError(
                f"there is no such block: received {shown(i)}; allowed are 0 to {size_text(self.outputs - 1)}"
            )
        least = self.hit / (self.odds * self.blocks.density) / self.outputs
        held = set(self.members(i))
        return tuple(least * self.odds if x in held else least for x in range(self.inputs))

    def _written_out(self) -> Matrix:
        inside = self.hit / self.blocks.density / self.outputs
        pair = inside / self.odds, inside  # two objects, which all rows share
        sets = (set(self.members(i)) for i in range(self.outputs))
        return tuple(tuple(pair[x in held] for x in range(self.inputs)) for held in sets)

    def members(self, output: int) -> Sequence[int]:
        """Return the categories of a block in ascending order."""
        return self.blocks.members(output)

    def masses(self) -> list[tuple[Fraction, Fraction]]:
        """Return the probabilities under two truths of blocks that contain both, one, the other, or none of them."""
        rho, eta = self.blocks.density, self.blocks.together
        low, high = self.hit / (self.odds * rho), self.hit / rho
        apart = rho - eta
        both = [(eta * high,) * 2, (apart * high, apart * low), (apart * low, apart * high)]
        return [*both, ((1 - 2 * rho + eta) * low,) * 2]

    def _kinds_of_pairs(self) -> Iterator[Dichotomy]:
        yield Dichotomy.of_fractions((0, 1), self.masses())

    def form(self) -> dict[str, Any]:
        """Return ``{"blocks": {"family": ..., "categories": ..., ..., "gamma": ...}}``; all numbers are strings."""
        return {"blocks": {**self.blocks.to_dict(), "gamma": as_text(self.odds)}}

    @classmethod
    def from_data(cls, data: Any) -> Mechanism:
        """Build the mechanism from the JSON value under the form's key."""
        if not isinstance(data, dict) or "gamma" not in data:
            form = '{"family": "affine", "categories": "7", "q": "7", "size": "3", "dimension": "1", "gamma": "3"}'
            raise InvalidMechanismError(f"blocks are not of the form {form}: received {shown(data)}")
        return cls(Blocks.from_dict({key: value for key, value in data.items() if key != "gamma"}), data["gamma"])

    def _family(self) -> str:
        return str(self.blocks)

    def in_words(self) -> str:
        """Return the device in words; a block of one category is an answer."""
        if self.blocks.density == Fraction(1, self.inputs):
            return truth_words(self.hit, self.miss, self.inputs)
        return super().in_words()


class BitVectorMechanism(MembershipMechanism, key="bit-vectors"):
    """Unary encoding: a vector of k bits. The bit of the true category is 1 with probability p, each other with m.

    RAPPOR's bits have ``m = 1 - p``, OUE has p = 1/2.

    Args:
        categories: k >= 2.
        hit: p.
        miss: m, 0 < m < p < 1.

    >>> oue = BitVectorMechanism(1000, "1/2", "1/4")
    >>> str(oue.epsilon), oue.output_bits, oue.is_efficient
    ('log(3)', 1000, False)
    """

    def __new__(cls, categories: int, hit: object, miss: object, *, name: str | None = None) -> BitVectorMechanism:
        """Build the mechanism with k bits."""
        k = whole_parameter(categories, "categories", 2, MAX_CATEGORIES)
        p, m = rational(hit, name="p"), rational(miss, name="m")
        if not 0 < m < p < 1:
            raise InvalidMechanismError(
                f"the probabilities of the bits are out of range: received p = {p}, m = {m}; allowed is 0 < m < p < 1"
            )
        odds = p * (1 - m) / ((1 - p) * m)
        return cls.made(name, hit=p, miss=m, odds=odds, inputs=k, output_bits=k, is_efficient=False)

    @classmethod
    def optimized(cls, categories: int, gamma: object, *, name: str | None = None) -> BitVectorMechanism:
        """Return optimized unary encoding: ``p = 1/2, m = 1/(gamma + 1)`` (Wang et al. 2017)."""
        return cls(categories, Fraction(1, 2), 1 / (rational(gamma, name="gamma") + 1), name=name)

    @cached_property
    def shape(self) -> tuple[int, int]:
        """``(2^k, k)``."""
        return 1 << self.inputs, self.inputs

    @property
    def shape_texts(self) -> tuple[str, str]:
        """``shape`` as strings; beyond 10^4 categories the number of outputs is written 2^k."""
        k = self.inputs
        return (f"2^{k}" if k > _MOST_WRITTEN else str(1 << k)), str(k)

    def row(self, i: int) -> Vector:
        """Return the k probabilities of vector i, whose bit for category x is bit x of the number i."""
        if not 0 <= i < self.outputs:
            raise InvalidMechanismError(f"there is no such vector of {self.inputs} bits: received {shown(i)}")
        return unary_row(i, self.inputs, self.hit, self.miss)

    def members(self, output: int) -> Sequence[int]:
        """Return the categories whose bits are 1, in ascending order."""
        return [x for x in range(self.inputs) if output >> x & 1]

    def efficient_variance(self) -> Fraction:
        """Return n times the sum of the variances of the maximum likelihood estimate, at equal proportions; exact.

        Vectors with s ones have ``P(z | x) = w_s (p (1 - m) or (1 - p) m)`` with ``w_s = m^(s-1) (1 - m)^(k-s-1)``, so
        the information has one eigenvalue on all contrasts, ``mu = (p - m)^2 E(k/(S p (1 - m) + (k - S)(1 - p) m))``
        with ``S - 1`` binomial (k - 2, m), and n times the sum is ``(k - 1)/mu``.

        >>> round(float(BitVectorMechanism.optimized(12, Fraction("4.4816890703380645")).efficient_variance()), 4)
        17.441
        """
        k, p, m = self.inputs, self.hit, self.miss
        mean, chance = Fraction(0), (1 - m) ** (k - 2)
        for s in range(1, k):
            mean += chance * k / (s * p * (1 - m) + (k - s) * (1 - p) * m)
            chance *= m * (k - 1 - s) / ((1 - m) * s)
        return (k - 1) / ((p - m) ** 2 * mean)

    def _kinds_of_pairs(self) -> Iterator[Dichotomy]:
        p, m = self.hit, self.miss
        both = [(p * m, m * p), (p * (1 - m), m * (1 - p)), ((1 - p) * m, (1 - m) * p)]
        yield Dichotomy.of_fractions((0, 1), [*both, ((1 - p) * (1 - m),) * 2])

    def form(self) -> dict[str, Any]:
        """Return ``{"bit-vectors": {"categories": ..., "p": ..., "m": ...}}``."""
        return {"bit-vectors": {"categories": str(self.inputs), "p": as_text(self.hit), "m": as_text(self.miss)}}

    @classmethod
    def from_data(cls, data: Any) -> Mechanism:
        """Build the mechanism from the JSON value under the form's key."""
        require_keys(data, '{"categories": "3", "p": "1/2", "m": "1/4"}', "bit vectors are")
        return cls(data["categories"], data["p"], data["m"])

    def _family(self) -> str:
        return f"bit vectors, k = {self.inputs}"


def unary_row(i: int, k: int, p: Fraction, m: Fraction) -> Vector:
    """Return the k probabilities of vector i of unary encoding, whose bit for category x is bit x of the number i.

    A true bit is 1 with probability p, a false one with probability m.
    """
    ones = i.bit_count()
    yes = p * m ** (ones - 1) * (1 - m) ** (k - ones) if ones else Fraction(0)
    no = (1 - p) * m**ones * (1 - m) ** (k - ones - 1) if ones < k else Fraction(0)
    return tuple(yes if i >> x & 1 else no for x in range(k))


def uniform_bound(categories: int, gamma: Fraction) -> tuple[Fraction, int]:
    """Return the least total variance n tr Cov at the uniform distribution, and the size d of the best subsets.

    The bound is ``L = min over d of (k-1)^2 (d g + k-d)^2/(k (g-1)^2 d (k-d))``. As a function of ``u = d/(k-d)`` it is
    proportional to ``(u g + 1)^2/u``, which is unimodal with minimum at u = 1/g.

    Raises:
        InfeasibleError: gamma = 1, so nothing can be estimated.

    >>> L, d = uniform_bound(100, Fraction(3))
    >>> d, float(L)
    (25, 294.03)
    """
    if gamma <= 1:
        raise InfeasibleError(f"nothing can be estimated at gamma = {gamma}: give epsilon > 0")
    size = best_subset_size(categories, gamma)
    return (categories - 1) * contrast_variance(categories, size, gamma), size


def contrast_variance(k: Any, d: Any, gamma: Any, revealed: Any = 0) -> Any:
    """Return n Var of a unit contrast under subset selection with subsets of size d, over any field.

    Args:
        k: the number of equally frequent categories.
        d: the size of the subsets.
        gamma: the odds bound.
        revealed: the probability that the truth is revealed, which has the information k on a contrast.
    """
    selected = (k - 1) * (d * gamma + k - d) ** 2 / (k * (gamma - 1) ** 2 * d * (k - d))
    return 1 / ((1 - revealed) / selected + revealed * k) if revealed else selected


def best_subset_size(k: int, gamma: Fraction) -> int:
    """Return the optimal subset size of subset selection (over groups).

    This is the least d with ``gamma^2 d (d + 1) >= (k - d)(k - d - 1)``. Let ``d* = k/(gamma + 1)``. The condition is
    true from ``d*`` on and false at ``d* - 1``.

    >>> [best_subset_size(10, Fraction(g)) for g in (1, 2, 4, 100)], best_subset_size(128, Fraction(3))
    ([5, 3, 2, 1], 32)
    """
    d = max(int(k / (gamma + 1)), 1)
    return d if gamma**2 * d * (d + 1) >= (k - d) * (k - d - 1) else d + 1


def subset_selection(categories: int, size: int, gamma: object) -> BlockMechanism:
    """Return subset selection for any number of categories; the number of outputs is not computed."""
    return BlockMechanism(AllSubsets(categories, size), gamma)


def direct(categories: int, gamma: object) -> BlockMechanism:
    """Return k-ary randomized response for any number of categories."""
    return BlockMechanism(Direct(categories), gamma)


def as_memberships(mechanism: Mechanism) -> MembershipMechanism | None:
    """Return a mechanism whose responses are sets as a ``MembershipMechanism``; None for other mechanisms.

    Subset selection that is given as one orbit of one group becomes the family of all subsets of its size.
    """
    if isinstance(mechanism, MembershipMechanism):
        return mechanism
    if isinstance(mechanism, OrbitMechanism) and len(mechanism.groups) == len(mechanism.orbits) == 1:
        (values,) = mechanism.orbits[0]
        if len(values) == 2 and values[0][0] != values[1][0] and mechanism.inputs > 2 and min(values)[0] > 0:
            (low, _), (high, size) = sorted(values)
            return BlockMechanism(AllSubsets(mechanism.inputs, size), high / low)
    return None
