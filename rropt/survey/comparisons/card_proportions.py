"""The best proportions of cards 1 to L whose answers are added up (Christofides): closed form, convex, certified.

With proportions p, ``s_k = k - (L + 1)/2`` and d = 2 E s the estimate has ``n Var = pi (1 - pi) + v``,
``v = Var(Y)/d^2 = (E s^2/(E s)^2 - 1)/4``: the device's part v is the same at every prevalence. Two bounds:

* *closed form*: by privacy ``abs(E s) <= tau E abs(s)``, ``tau = (gamma - 1)/(gamma + 1)``, and
  ``(E abs(s))^2 <= E s^2``. So ``v >= (1/tau^2 - 1)/4 = gamma/(gamma - 1)^2``, with equality where all cards are one
  pair k, L + 1 - k in the proportion 1 to gamma: Warner's device, for every L.
* *convex, certified*: at pi = 1/2 the estimate is an unbiased one from one private answer with L values, so that
  ``1/4 + v`` is at least the least variance of all private mechanisms with any answers, half of the A-optimal value for
  two categories. ``solve`` finds it by a convex programme in the patterns of a row (``solvers.convex``) and by exact
  vertices, and rule 5 of the checker proves it: ``v >= lower/2 - 1/4``. The two bounds are the same.

Source: Christofides (2003); Sun, Zhou and Yan (2023), section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from rropt.core.certificates import Certificate
from rropt.core.certificates.records import part_of, proof_of_record
from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.exact import Epsilon
from rropt.core.exact.texts import fraction_of
from rropt.core.results import Result, says
from rropt.designs.problem import Problem
from rropt.designs.solving import solve
from rropt.mechanisms import Mechanism
from rropt.objectives import AOptimality
from rropt.privacy import PrivacyRegion

_DIGITS = 60  # of an irrational gamma, rounded down: the cards are exactly private
_MOST_KINDS = 10_000


@dataclass(frozen=True, slots=True)
class CardProportions(Result):
    """The best proportions of cards.

    Attributes:
        proportions: of cards 1, ..., L; exactly private.
        value: v, the device's part of n Var, at every prevalence.
        lower: proved: no proportions have less; equal to ``value`` where gamma is rational.
        certificate: of ``2 (1/4 + lower)``, the least A-optimal value for two categories.
    """

    proportions: tuple[Fraction, ...]
    value: Fraction
    lower: Fraction
    certificate: Certificate
    unverified: tuple[str, ...] = field(default=(), compare=False)

    SAYS = says(
        proportions="proportions of cards 1, 2, ...",
        value="device's part of n Var",
        lower="no proportions have less than",
        epsilon="epsilon of one answer",
        certificate="",
    )

    @property
    def mechanism(self) -> Mechanism:
        """One answer: rows 1 to L, columns without and with the trait."""
        return Mechanism(list(zip(self.proportions, self.proportions[::-1], strict=True)))

    @property
    def epsilon(self) -> Epsilon:
        """The exact epsilon of one answer."""
        return self.mechanism.epsilon()

    @classmethod
    def from_proof(cls, proportions: tuple[Fraction, ...], certificate: Certificate) -> CardProportions:
        """Return the proportions, with the bound that a certificate proves: how a record is read.

        Raises:
            FileFormatError: the checker rejects the certificate, it is of another problem, or the cards are not
                private at its level.
        """
        what = "deck of cards"
        region = part_of(certificate, "problem", "region", what)
        level = Epsilon.from_dict(region["epsilon"])
        asked = _problem(level)
        unproved = proof_of_record(certificate, asked.to_dict(), what, follow=("lower",))
        bound = fraction_of(part_of(certificate, "claim", "lower", what))
        second, first = _spread(proportions)
        made = cls(
            proportions,
            (second / first**2 - 1) / 4,
            bound / 2 - Fraction(1, 4),
            certificate,
            unproved,
        )
        if not PrivacyRegion(level, inputs=2, outputs=len(proportions)).contains(made.mechanism):
            raise FileFormatError(
                f"the cards are not private at the level of their certificate: received {made.epsilon}; allowed is at "
                f"most {level}; use the record as it was written"
            )
        return made


def _spread(proportions: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Return ``E s^2`` and ``E s`` of the number of a card, ``s = k - (L + 1)/2``."""
    middle = Fraction(len(proportions) + 1, 2)
    places = [k - middle for k in range(1, len(proportions) + 1)]
    second, first = (sum((p * s**n for p, s in zip(proportions, places, strict=True)), Fraction(0)) for n in (2, 1))
    return second, first


def _problem(epsilon: object) -> Problem:
    """Return the problem whose optimum bounds the variance of all cards: any answers, two categories."""
    return Problem(PrivacyRegion(epsilon, inputs=2, outputs="any"), AOptimality(), [Fraction(1, 2)] * 2)


def best_proportions(kinds: int, epsilon: object) -> CardProportions:
    """Return the best proportions of cards 1 to L at epsilon.

    Args:
        kinds: L >= 2.
        epsilon: of one answer, > 0.

    >>> best = best_proportions(3, "log(9)")
    >>> [str(share) for share in best.proportions], str(best.value), best.value == best.lower
    (['1/10', '0', '9/10'], '9/64', True)
    """
    if type(kinds) is not int or not 2 <= kinds <= _MOST_KINDS:
        raise InvalidParameterError(
            f"the kinds of cards are out of range: received {shown(kinds)}; allowed is an integer from 2 to "
            f"{_MOST_KINDS}"
        )
    gamma = Epsilon.of(epsilon).gamma_bracket(_DIGITS).lower
    if gamma <= 1:
        raise InvalidParameterError(
            f"epsilon is too small: received {shown(epsilon)}; allowed is a level above 0: at 0 no cards tell anything"
        )
    solution = solve(_problem(epsilon))
    rest = (Fraction(0),) * (kinds - 2)
    return CardProportions(
        proportions=(1 / (1 + gamma), *rest, gamma / (1 + gamma)),
        value=gamma / (gamma - 1) ** 2,
        lower=solution.lower / 2 - Fraction(1, 4),
        certificate=solution.certificate,
    )
