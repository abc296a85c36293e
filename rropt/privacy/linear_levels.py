"""Privacy conditions that are linear in the entries of the mechanism: your own inequalities, and leakage.

A ``LinearLevel`` is the only privacy condition (``level=``), or a further one beside epsilon (``bounds=``).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Epsilon, as_text
from rropt.core.visible import with_noun
from rropt.mechanisms.columns import exact_population
from rropt.privacy.bounded_regions import BoundedRegion, EveryMechanism
from rropt.privacy.entry_inequalities import MOST_TERMS, EntryInequality, inequalities_of
from rropt.privacy.level_base import Level, Outputs
from rropt.privacy.region import Region


class LinearLevel(Level):
    """Inequalities that are linear in the entries of the mechanism, or sums of maxima of linear functions."""

    @abstractmethod
    def inequalities(self, outputs: int, inputs: int) -> tuple[EntryInequality, ...]:
        """Return the inequalities for a mechanism of a shape."""

    def region(self, *, inputs: int = 2, outputs: Outputs = "any", family: str = "all") -> BoundedRegion:
        """Return the region of all mechanisms that satisfy the inequalities."""
        if family != "all":
            raise InvalidParameterError(
                f"a symmetric design does not belong to {self}: received family {shown(family)}; leave `symmetric` out"
            )
        return self.within(EveryMechanism(inputs=inputs, outputs=_number(self, outputs)))

    def within(self, region: Region) -> BoundedRegion:
        """Return the mechanisms of another region that satisfy the inequalities.

        Args:
            region: a region with a number of outputs; its bounds of entries are kept.
        """
        found = self.inequalities(_number(self, region.outputs), region.inputs)
        if isinstance(region, BoundedRegion):
            return BoundedRegion(region.region, region.least, region.most, (*region.entry_inequalities, *found))
        return BoundedRegion.sparse(region, entry_inequalities=found)


def _number(level: LinearLevel, outputs: Outputs) -> int:
    if outputs in ("any", 0):
        raise InvalidParameterError(
            f"inequalities in the entries belong to trace and loss, which have a number of outputs: received {level} "
            "for any number of outputs; for a payoff write the loss -payoff with one output for each decision"
        )
    return int(outputs)


@dataclass(frozen=True)
class OwnInequalities(LinearLevel):
    """Inequalities that the caller writes."""

    given: tuple[object, ...]

    def inequalities(self, outputs: int, inputs: int) -> tuple[EntryInequality, ...]:
        """Return the inequalities for a mechanism of a shape."""
        found: list[EntryInequality] = []
        for one in self.given:
            own = one.inequalities if isinstance(one, LinearLevel) else partial(inequalities_of, one)
            found += own(outputs, inputs)
        return tuple(found)

    def __str__(self) -> str:
        return with_noun(len(self.given), "inequality in the entries", "inequalities in the entries")


@dataclass(frozen=True)
class MaximalLeakage(LinearLevel):
    """Maximal leakage of at most ``log(most)`` nats: ``sum_i max_j p_ij <= most``."""

    most: Fraction

    def inequalities(self, outputs: int, inputs: int) -> tuple[EntryInequality, ...]:
        """Return the inequality for a mechanism of a shape."""
        one = Fraction(1)
        parts = tuple(tuple((((i, j), one),) for j in range(inputs)) for i in range(outputs))
        return (EntryInequality(parts, self.most),)

    def __str__(self) -> str:
        return f"maximal leakage log({as_text(self.most)})"


@dataclass(frozen=True)
class PointwiseLeakage(LinearLevel):
    """Pointwise maximal leakage of at most ``log(most)`` at a prior: ``p_ij <= most sum_l prior_l p_il``."""

    most: Fraction
    prior: tuple[Fraction, ...]

    def inequalities(self, outputs: int, inputs: int) -> tuple[EntryInequality, ...]:
        """Return the inequalities for a mechanism of a shape."""
        if len(self.prior) != inputs:
            raise InvalidParameterError(
                f"`prior` has {with_noun(len(self.prior), 'probability', 'probabilities')}: received "
                f"{with_noun(inputs, 'category', 'categories')}; give one for each"
            )
        if outputs * inputs**2 > MOST_TERMS:
            raise InvalidParameterError(
                f"there are too many inequalities: received {outputs} outputs and {inputs} categories; allowed are "
                f"{MOST_TERMS} terms, one for each output and pair of categories"
            )

        def terms(i: int, j: int) -> tuple[tuple[tuple[int, int], Fraction], ...]:
            found = (((i, n), (n == j) - self.most * share) for n, share in enumerate(self.prior))
            return tuple((place, x) for place, x in found if x)

        return tuple(
            EntryInequality(((terms(i, j),),), Fraction(0))
            for i in range(outputs)
            for j in range(inputs)
            if self.prior[j]  # the leakage is about truths of positive probability
        )

    def __str__(self) -> str:
        return f"pointwise leakage log({as_text(self.most)}) at the prior {','.join(map(as_text, self.prior))}"


def linear(*inequalities: object) -> Level:
    """Return a level that consists of your own linear inequalities in the entries of the mechanism.

    Args:
        inequalities: texts such as ``"p[0,0] + 2*p[1,2] <= 3/2"``, with ``<=``, ``>=`` or ``=``. The entry ``p[i,j]``
            is the probability of output i for a true category j, both counted from 0. ``max`` and ``abs`` of linear
            functions stand on the smaller side, ``min`` on the larger one, so that the set of mechanisms is convex.
            An ``EntryInequality``, a list of these, and another level of inequalities are allowed too.

    Raises:
        InvalidParameterError: no inequality is given. A wrong form is an error later, where the shape is known.

    >>> level = linear("max(p[0,0], p[0,1]) + max(p[1,0], p[1,1]) <= 3/2")
    >>> print(level.region(inputs=2, outputs=2))
    no privacy level, k = 2 categories, m = 2 outputs, 1 inequality
    """
    if not inequalities:
        raise InvalidParameterError(
            'inequalities in the entries are needed: received none; write "p[0,0] + p[1,1] <= 3/2"'
        )
    given = tuple(tuple(one) if isinstance(one, list) else one for one in inequalities)
    return OwnInequalities(given)


def maximal_leakage(level: object) -> Level:
    """Return a level that bounds the maximal leakage: ``log sum_i max_j p_ij <= level``.

    On average over the reports, a report raises the probability of guessing any function of the true category by a
    factor of at most exp(level).

    Args:
        level: the leakage in nats, as ``"log(q)"`` with a rational q >= 1; ``"log(1.5)"`` allows a factor 3/2.

    Raises:
        InvalidParameterError: exp(level) is not rational.

    References:
        Issa, Wagner and Kamath (2020), An operational approach to information leakage, Corollary 1.

    >>> print(maximal_leakage("log(3/2)"))
    maximal leakage log(3/2)
    """
    return MaximalLeakage(_factor(level))


def pointwise_leakage(level: object, prior: Sequence[object] | str) -> Level:
    """Return a level that bounds the pointwise maximal leakage: ``log max_j p_ij/sum_l prior_l p_il <= level``.

    Every single report raises the probability of guessing any function of the true category by a factor of at most
    exp(level).

    Args:
        level: the leakage in nats, as ``"log(q)"`` with a rational q >= 1.
        prior: the probabilities of the categories, which sum to 1. Categories of probability 0 have no condition.

    Raises:
        InvalidParameterError: exp(level) is not rational, or the prior is not a distribution.

    References:
        Saeidian, Cervia, Oechtering and Skoglund (2023), Pointwise maximal leakage, Theorem 1.

    >>> print(pointwise_leakage("log(3/2)", "1/2,1/4,1/4"))
    pointwise leakage log(3/2) at the prior 1/2,1/4,1/4
    """
    from rropt.core.exact.numbers import split_list

    if not isinstance(prior, Iterable):
        raise InvalidParameterError(f"a prior is a list of proportions: received {shown(prior)}")
    shares = list(split_list(prior)) if isinstance(prior, str) else list(prior)
    return PointwiseLeakage(_factor(level), tuple(map(Fraction, exact_population(shares, len(shares)))))


def _factor(level: object) -> Fraction:
    """Return exp of a level.

    Raises:
        InvalidParameterError: it is not rational.
    """
    gamma = Epsilon.of(level).gamma
    if gamma is None:
        raise InvalidParameterError(
            f'a leakage is "log(q)" with a rational q, so that its inequality is exact: received {shown(str(level))}; '
            'write for example "log(3/2)"'
        )
    return Fraction(gamma)
