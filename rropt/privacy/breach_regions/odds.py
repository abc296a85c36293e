"""Attainable posterior odds: the Bayes factors that some intruder obtains at some response of a mechanism.

Let Q be a property that is neither empty nor certain, and d_i a response. The Bayes factor is the quotient x/y of a
weighted mean x of ``{p_ij : j in Q}`` and a weighted mean y of ``{p_il : l not in Q}``. The weights are given by the
prior and are arbitrary, and so is the prior probability of Q. Hence the set of attained Bayes factors of one row does
not depend on the prior probability of Q:

    ``union over Q of { x/y : min_Q <= x <= max_Q, min_Q^c <= y <= max_Q^c, not both 0 }``.

This set is invariant under r -> 1/r (replace Q by Q^c). With eta_i the parity of the row it is

* for k >= 3 and positive entries: ``[1/eta_i, eta_i]``;
* for k = 2 and entries a, b > 0: only the two numbers ``a/b`` and ``b/a``;
* for one positive entry: ``{0, infinity}``, as the truth is revealed;
* for a zero and at least two positive entries (k >= 3): all of ``[0, infinity]``.

(Proof: ``docs/explanation/breach-regions.md``. Definition 2.3 of the paper covers all cases, but its formula for W_P
only the first.)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf

from rropt.core.errors import InvalidMechanismError
from rropt.core.exact.reals import ExactReal, Scalar
from rropt.core.results import Result, labelled
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import row_parity
from rropt.mechanisms.imports import required_mechanism


@dataclass(frozen=True, slots=True)
class AttainableOdds(Result):
    """A set of Bayes factors that is invariant under r -> 1/r.

    Attributes:
        band: the largest g >= 1 such that all of ``[1/g, g]`` is attained; ``None``: not even 1 is attained.
        isolated: the numbers x > 1 in ascending order for which x and 1/x are attained, but no interval around them
            (k = 2).
        certain: whether 0 and infinity are attained.
        everything: whether all of [0, infinity] is attained; ``band`` is then ``None``.
    """

    band: Fraction | ExactReal | int | None
    isolated: tuple[Fraction, ...] = ()
    certain: bool = False
    everything: bool = False

    LABELS = labelled(
        band="all Bayes factors from 1/g to g, g =",
        isolated="alone, with their inverses",
        certain="0 and infinity too",
        everything="all there are",
    )

    def attains(self, above: Fraction, below: Fraction) -> bool:
        """Return whether the Bayes factor ``above / below`` is attained; both are nonnegative and not both 0."""
        high, low = max(above, below), min(above, below)
        if self.everything:
            return True
        if not low:
            return self.certain
        return (self.band is not None and ExactReal.of(self.band) * low >= high) or high / low in self.isolated

    def largest(self) -> Scalar | float:
        """Return the largest Bayes factor, ``math.inf`` if it is infinite."""
        if self.everything or self.certain:
            return inf
        return self.isolated[-1] if self.isolated else 1 if self.band is None else self.band

    def includes(self, other: AttainableOdds) -> bool:
        """Return whether every Bayes factor of another set is in this one, decided exactly."""
        if self.everything:
            return True
        if other.everything or (other.certain and not self.certain):
            return False
        if other.band is not None and (self.band is None or ExactReal.of(self.band) < other.band):
            return False
        return all(self.attains(x, Fraction(1)) for x in other.isolated)


def attainable_odds(mechanism: Mechanism) -> AttainableOdds:
    """Return the exact set of attainable Bayes factors, over all rows, properties and priors.

    Args:
        mechanism: m outputs and k >= 2 inputs. A row of zeros is ignored.

    Raises:
        InvalidMechanismError: the mechanism has only one input, so there is nothing to learn.

    >>> print(attainable_odds(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])).isolated)
    (Fraction(2, 1),)
    >>> print(attainable_odds(Mechanism([["1/2", "1/4", "1/4"], ["1/2", "3/4", "3/4"]])).band)
    2

    Source: Chai and Nayak (2018), Definition 2.3, extended to every k and to infinite parity as in the module
    docstring.
    """
    mechanism = required_mechanism(mechanism)
    if mechanism.inputs < 2:
        raise InvalidMechanismError(
            "a mechanism with one input has no breach region: received 1 input; allowed are 2 or more"
        )
    bands: list[Fraction] = []
    isolated: set[Fraction] = set()
    certain = everything = False
    for row in mechanism.matrix:
        positive, parity = sum(1 for x in row if x), row_parity(row)
        if not positive:
            continue
        if parity is None:
            certain = True
            everything = everything or positive > 1
        elif parity == 1 or mechanism.inputs > 2:
            bands.append(parity)
        else:
            isolated.add(parity)
    if everything:
        return AttainableOdds(None, (), True, True)
    band = max(bands, default=None)
    return AttainableOdds(band, tuple(sorted(x for x in isolated if band is None or x > band)), certain)
