"""Privacy levels in every accepted form: epsilon or gamma, each with delta, or a criterion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Delta, Epsilon
from rropt.core.exact.number_input import split_list

if TYPE_CHECKING:
    from rropt.privacy.criteria import Criterion
    from rropt.privacy.region import OneLevelRegion


@dataclass(frozen=True, slots=True)
class Level:
    """A privacy level in any form that rropt accepts: ``PrivacyRegion(level)``, ``binary_problem(epsilon=level, ...)``.

    Attributes:
        epsilon: the level in nats; for a criterion log B(h), or a level just below it if B(h) is irrational.
        delta: the slack of the level.
        criterion: the criterion, if the level was given by one.
    """

    epsilon: Epsilon
    delta: Delta
    criterion: Criterion | None = None

    def region(self, *, inputs: int = 2, outputs: int | Literal["any"] = 2, family: str = "all") -> OneLevelRegion:
        """Return the region of mechanisms of a given shape that satisfy the level or the criterion."""
        if self.criterion is not None and family == "all":
            from rropt.privacy.criterion_region import CriterionRegion

            return CriterionRegion(self.criterion, inputs=inputs, outputs=outputs)
        from rropt.privacy.region import PrivacyRegion

        return PrivacyRegion(self.epsilon, self.delta, inputs=inputs, outputs=outputs, family=family)

    def __str__(self) -> str:
        return f"epsilon = {self.epsilon}, delta = {self.delta}" if self.criterion is None else str(self.criterion)


def level(
    *,
    epsilon: object | None = None,
    gamma: object | None = None,
    criterion: Criterion | str | None = None,
    delta: object = 0,
) -> Level:
    """Return a privacy level from epsilon, gamma or a criterion.

    Args:
        epsilon: in nats, any form of ``Epsilon.of``.
        gamma: exp(epsilon), rational.
        criterion: a criterion, or its text (``criterion_of``).
        delta: slack in addition to epsilon or gamma, any form of ``Delta.of``.

    Raises:
        InvalidParameterError: no level is given, two conflict, or B(h) of the criterion is infinite.

    >>> print(level(gamma=3, delta="1/10"))
    epsilon = log(3), delta = 1/10
    >>> print(level(criterion="rho:1/5,1/2").epsilon)
    log(4)
    """
    slack = Delta.of(delta)
    forms = {"epsilon": epsilon, "gamma": gamma, "criterion": criterion}
    given = [name for name, value in forms.items() if value is not None]
    if len(given) != 1:
        raise InvalidParameterError(
            "a privacy level is one of epsilon, gamma and criterion: received "
            f"{' and '.join(given) or 'none of them'}; give one"
        )
    if criterion is None:
        return Level(Epsilon.of(epsilon) if gamma is None else Epsilon.of_gamma(gamma), slack)
    require_no_delta(delta)
    from rropt.privacy.criterion_region import criterion_level

    asked = criterion_of(criterion)
    return Level(criterion_level(asked).epsilon, slack, asked)


_MET = "with a criterion, which is met iff the parity is at most B(h), with delta = 0"


def require_no_delta(delta: object, where: str = _MET) -> None:
    """Raise ``InvalidParameterError`` for a nonzero delta where none is allowed, for example with a criterion."""
    if Delta.of(delta) != Delta.of(0):
        raise InvalidParameterError(f"`delta` belongs to `epsilon`: received {shown(delta)} {where}; leave it out")


def criterion_of(given: Criterion | str) -> Criterion:
    """Return a criterion, also from its text: a name with parameters.

    ``rho:R1,R2`` is rho1-to-rho2 privacy and ``beta:B`` beta-factor privacy. ``upper:EXPR`` states the largest
    posterior probability at prior p, ``lower:EXPR`` the smallest one, and ``upper:EXPR;lower:EXPR`` both.

    Raises:
        InvalidParameterError: the text is no criterion.
    """
    from rropt.privacy.criteria import (
        Criterion,
        beta_factor,
        canonical_information_privacy,
        information_privacy,
        rho_to_rho,
    )

    if isinstance(given, Criterion):
        return given
    words = given.strip() if isinstance(given, str) else ""
    name, _, text = words.partition(":")
    if name == "rho" and len(pair := split_list(text)) == 2:
        return rho_to_rho(*pair)
    if name == "beta":
        return beta_factor(text)
    limits = dict(part.strip().split(":", 1) for part in words.split(";") if ":" in part)
    if not limits or not limits.keys() <= {"upper", "lower"} or len(limits) != words.count(";") + 1:
        raise InvalidParameterError(
            f"a criterion is not understood: received {shown(given)}; allowed are rho:R1,R2, beta:B, upper:EXPR, "
            "lower:EXPR, and upper:EXPR;lower:EXPR; write for example rho:1/5,1/2"
        )
    if "lower" not in limits:
        return canonical_information_privacy(limits["upper"])
    return information_privacy(lower=limits["lower"], upper=limits.get("upper", "1"))
