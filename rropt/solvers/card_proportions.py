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

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.certificates import Certificate
from rropt.errors import FileFormatError, InvalidParameterError, shown
from rropt.exact import Epsilon, as_text
from rropt.mechanisms import Mechanism
from rropt.objectives import AOptimality
from rropt.privacy import PrivacyRegion
from rropt.problem import Problem
from rropt.results import Result, says
from rropt.solvers.design_class import solve

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

    def checked(self) -> None:
        """Raise unless the certificate is accepted, says this bound, and the cards have this variance.

        Raises:
            FileFormatError: it is not.
        """
        claim = self.certificate.claim
        said = claim.get("lower") if isinstance(claim, dict) else None
        spread, half = self.spread()
        if (
            not self.certificate.check()
            or said != as_text(2 * self.lower + Fraction(1, 2))
            or self.value * 4 * half**2 != spread - half**2
        ):
            raise FileFormatError(
                "the proportions of cards are not proved: received a certificate that is rejected or says another "
                "bound, or another variance; keep the file as it was written"
            )

    def spread(self) -> tuple[Fraction, Fraction]:
        """Return ``E s^2`` and ``E s`` of the number of a card, ``s = k - (L + 1)/2``."""
        middle = Fraction(len(self.proportions) + 1, 2)
        places = [k - middle for k in range(1, len(self.proportions) + 1)]
        second, first = (
            sum((p * s**n for p, s in zip(self.proportions, places, strict=True)), Fraction(0)) for n in (2, 1)
        )
        return second, first


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
    solution: Any = solve(Problem(PrivacyRegion(epsilon, inputs=2, outputs="any"), AOptimality(), [Fraction(1, 2)] * 2))
    rest = (Fraction(0),) * (kinds - 2)
    return CardProportions(
        proportions=(1 / (1 + gamma), *rest, gamma / (1 + gamma)),
        value=gamma / (gamma - 1) ** 2,
        lower=solution.lower / 2 - Fraction(1, 4),
        certificate=solution.certificate,
    )
