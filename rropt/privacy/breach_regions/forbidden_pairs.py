"""Breach regions: the pairs (prior, posterior) that a criterion forbids, and those that a mechanism never attains.

A criterion requires the region ``W[h_l, h_u] = {(p, p*) : p* < h_l(p) or p* > h_u(p)}`` (Chai and Nayak 2018,
Definition 2.2). A mechanism P provides W_P, the complement of the pairs that some prior, property and response attain
(Definition 2.3). P satisfies the criterion iff ``W[h_l, h_u]`` is a subset of W_P, except at p = 0 and p = 1, where
posterior and prior are equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf

from flint import ctx

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import rational_where
from rropt.core.exact.algebraic_numbers import Algebraic
from rropt.core.exact.reals import ExactReal, Scalar
from rropt.mechanisms import Mechanism
from rropt.privacy.bound import parity_bound
from rropt.privacy.bound.cells import split
from rropt.privacy.bound.functions import Rational, ball_of, sign_cells, value_ball
from rropt.privacy.breach_regions.odds import AttainableOdds, attainable_odds
from rropt.privacy.criteria import Criterion
from rropt.privacy.criteria.expressions import Expression, Number, Operation, reflected, substitute
from rropt.privacy.criteria.named_criteria import required_criterion


@dataclass(frozen=True, slots=True)
class FunctionRegion:
    """The region W[h_l, h_u] of the breaches of a criterion.

    Attributes:
        text: the criterion in one line.
        up: h_u, with p <= h_u(p) <= 1.
        down: h_l, with 0 <= h_l(p) <= p.

    >>> from rropt.privacy.criteria import rho_to_rho
    >>> region = breach_region(rho_to_rho("1/5", "1/2"))
    >>> region.contains("1/6", "3/5"), region.contains("1/5", "3/5")
    (True, False)
    """

    text: str
    up: Expression
    down: Expression
    band = None
    lone_factors = ()

    @property
    def functions(self) -> tuple[Expression, Expression]:
        """The upper and the lower limit."""
        return self.up, self.down

    def contains(self, prior: object, posterior: object) -> bool:
        """Return whether a pair is a breach, decided exactly.

        Args:
            prior, posterior: p and p*, exact, in [0, 1].

        Raises:
            InvalidParameterError: p or p* is not a probability, or a function has no value there.
            UnsupportedProblemError: an irrational limit is too close to the posterior to separate them.
        """
        p, q = _pair(prior, posterior)
        if p == q:  # h_l(p) <= p <= h_u(p)
            return False
        try:
            above, below = value_sign(self.up, p, q), value_sign(self.down, p, q)
        except InvalidParameterError:
            if 0 < p < 1:
                raise
            raise InvalidParameterError(
                f"a limit has no value at the edge: received prior {p} for {shown(self.text)}; allowed is 0 < prior < 1"
            ) from None
        if above == -1 or below == 1:
            return True
        if above is None or below is None:
            raise UnsupportedProblemError(
                f"whether the pair is a breach was not decided: received prior {p} and posterior {q}; the limit there "
                "is irrational and equal to the posterior, or extremely close"
            )
        return False

    def canonical(self) -> FunctionRegion:
        """Return the region of [h_l * h_u]-CSIP: it is at least as large but allows the same mechanisms.

        The limits are ``h = min(h_u(p), 1 - h_l(1 - p))`` above and ``1 - h(1 - p)`` below (their Lemma 3.1 and Figure
        3).
        """
        h = Criterion("sip", self.text, self.up, self.down).canonical()
        return FunctionRegion(f"canonical form of {self.text}", h, reflected(h))

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class OddsRegion:
    """The pairs whose Bayes factor is outside a set: W_P of a mechanism, or a bound on all Bayes factors.

    Attributes:
        text: the mechanism or the bound, in one line.
        odds: the attained Bayes factors. The region consists of the pairs with any other Bayes factor, and of the pairs
            with p = 0 or p = 1 and a different posterior.

    >>> region = breach_region(Mechanism.binary("2/3", "2/3"))
    >>> region.contains("1/2", "2/3"), region.contains("1/2", "1/2")  # k = 2: the attained pairs form two curves
    (False, True)
    """

    text: str
    odds: AttainableOdds
    functions = None

    @property
    def band(self) -> Scalar | None:
        """The g for which ``h_g`` and ``h_(1/g)`` are the limits (their (3.5)); ``None``: there are no limits."""
        return None if self.odds.everything else self.odds.band

    @property
    def lone_factors(self) -> tuple[Fraction | float, ...]:
        """The isolated Bayes factors, each a curve outside the limits; 0 and infinity mean certainty."""
        if self.odds.everything:
            return ()
        pairs = tuple(r for x in self.odds.isolated for r in (x, 1 / x))
        return (*pairs, inf, 0.0) if self.odds.certain else pairs

    def canonical(self) -> OddsRegion:
        """Return the region itself: a bound on Bayes factors is its own canonical form."""
        return self

    def contains(self, prior: object, posterior: object) -> bool:
        """Return whether a pair belongs to the region, that is, is never attained; decided exactly.

        Args:
            prior, posterior: p and p*, exact, in [0, 1].

        Raises:
            InvalidParameterError: p or p* is not a probability.
        """
        p, q = _pair(prior, posterior)
        if p in (0, 1):
            return p != q
        return not self.odds.attains(q * (1 - p), p * (1 - q))

    def limits(self, prior: object) -> tuple[Scalar | None, Scalar | None]:
        """Return the smallest and the largest posterior at a prior in (0, 1); ``None`` if they are irrational.

        With g the largest Bayes factor, they are ``p / (p + g (1 - p))`` and ``h_g(p) = g p / (1 + (g - 1) p)`` (their
        (3.5)).
        """
        p, _ = _pair(prior, Fraction(0))
        largest = self.odds.largest()
        if isinstance(largest, float):
            return Fraction(0), Fraction(1)
        g = ExactReal.of(largest).rational
        return (None, None) if g is None else (p / (p + g * (1 - p)), g * p / (1 + (g - 1) * p))

    def __str__(self) -> str:
        return self.text


BreachRegion = FunctionRegion | OddsRegion


def breach_region(of: Criterion | Mechanism) -> BreachRegion:
    """Return the breach region W[h_l, h_u] of a criterion, or W_P of a mechanism.

    Args:
        of: a criterion or a mechanism with k >= 2 inputs. The functions of a criterion are the limits. If it has only h
            (h-CSIP, epsilon-DLP, a largest Bayes factor), the lower limit is ``1 - h(1 - p)``, which h implies
            (Definition 3.1).

    Raises:
        InvalidMechanismError: the mechanism has only one input.
        InvalidParameterError: a function leaves its range (as for ``parity_bound``) or is not an expression.

    >>> print(breach_region(Mechanism([["3/5", "1/5", "1/5"], ["2/5", "4/5", "4/5"]])).limits("1/4"))
    (Fraction(1, 10), Fraction(1, 2))
    """
    if isinstance(of, Mechanism):
        m, k = of.shape
        return OddsRegion(of.name or f"a mechanism with {m} outputs and {k} inputs", attainable_odds(of))
    required_criterion(of)
    if of.up is None:
        if of.level is not None:  # epsilon-DLP at irrational gamma: no expression in p with rational coefficients
            return OddsRegion(of.text, AttainableOdds(of.level.exact_gamma()))
        raise InvalidParameterError(
            f"the criterion has no upper expression: received {shown(of.text)}; write it as an expression in p, 1 for "
            "no limit above"
        )
    parity_bound(of, fast=True)  # rejects functions that violate 0 <= h_l(p) <= p <= h_u(p) <= 1
    return FunctionRegion(of.text, of.up, reflected(of.up) if of.down is None else of.down)


def required_region(value: object) -> BreachRegion:
    """Return the argument if it is a breach region.

    Raises:
        InvalidParameterError: the argument is of another kind.
    """
    if not isinstance(value, (FunctionRegion, OddsRegion)):
        raise InvalidParameterError(
            f"the region is of another kind: received {shown(value)}, of type {type(value).__name__}; allowed is a "
            "breach region; write breach_region(...) of a criterion or a mechanism"
        )
    return value


def _pair(prior: object, posterior: object) -> tuple[Fraction, Fraction]:
    def probability(value: object, name: str) -> Fraction:
        return rational_where(value, lambda x: 0 <= x <= 1, f"0 <= {name} <= 1", name=name)

    return probability(prior, "prior"), probability(posterior, "posterior")


# Precisions in bits at which a value is compared with a rational number: different numbers in practice are separated
# much earlier, and equal irrational expressions never are.
_VALUE_PRECISIONS = (64, 256, 1024)
# Priors at which an inequality between non-rational functions is tested: if it fails, it mostly fails on a wide
# interval.
_SAMPLED_PRIORS = tuple(Fraction(i, 64) for i in range(1, 64))


def exact_value(tree: Expression, prior: Fraction) -> Fraction | None:
    """Return the value at a rational prior in [0, 1]; ``None`` if it is not obtained by rational operations.

    Raises:
        InvalidParameterError: division by zero at the prior, or the function is undefined there.
    """
    ((_, leaf),) = split(substitute(tree, Number(prior)))
    return leaf.value(Algebraic.of(Fraction(1, 2))).rational if isinstance(leaf, Rational) else None


def value_sign(tree: Expression, prior: Fraction, threshold: Fraction) -> int | None:
    """Return the sign of ``h(prior) - threshold``; ``None`` if balls of the allowed precisions do not decide it."""
    exact = exact_value(tree, prior)
    if exact is not None:
        return (exact > threshold) - (exact < threshold)
    for precision in _VALUE_PRECISIONS:
        with ctx.workprec(precision):
            ((_, leaf),) = split(substitute(tree, Number(prior)))
            difference = value_ball(leaf, ball_of(Fraction(1, 2))) - ball_of(threshold)
            if difference > 0 or difference < 0:
                return 1 if difference > 0 else -1
    return None


def at_most(left: Expression, right: Expression) -> bool | None:
    """Return whether ``left(p) <= right(p)`` for all 0 < p < 1; ``None`` if it is not decided.

    The answer is exact if both functions are piecewise rational. Otherwise ``False`` is proved by a point.
    """
    if left == right:
        return True
    difference = Operation("-", right, left)
    answer: bool | None = True
    for cell, leaf in split(difference):
        if not isinstance(leaf, Rational):
            answer = None
        elif any(sign < 0 for _, sign in sign_cells(leaf, cell)):
            return False
    if answer is None and any(value_sign(difference, p, Fraction(0)) == -1 for p in _SAMPLED_PRIORS):
        return False
    return answer
