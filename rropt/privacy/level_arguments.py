"""Privacy levels in every accepted form: epsilon or gamma, each with delta, or a criterion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Delta, Epsilon

if TYPE_CHECKING:
    from rropt.privacy.criteria import Criterion
    from rropt.privacy.region import PrivacyRegion


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

    def region(self, *, inputs: int = 2, outputs: int | Literal["any"] = 2, family: str = "all") -> PrivacyRegion:
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
    rho: tuple[object, object] | None = None,
    beta: object | None = None,
    upper: str | None = None,
    lower: str | None = None,
    delta: object = 0,
) -> Level:
    """Return a privacy level from epsilon, gamma or a criterion.

    Args:
        epsilon: in nats, any form of ``Epsilon.of``.
        gamma: exp(epsilon), rational.
        rho: the pair (rho1, rho2) of rho1-to-rho2 privacy.
        beta: the factor of beta-factor privacy.
        upper, lower: the largest and the smallest posterior at prior p, as expressions in p; ``lower`` is optional.
        delta: slack in addition to epsilon or gamma, any form of ``Delta.of``.

    Raises:
        InvalidParameterError: no level is given, two conflict, or B(h) of the criterion is infinite.

    >>> print(level(gamma=3, delta="1/10"))
    epsilon = log(3), delta = 1/10
    >>> print(level(rho=("1/5", "1/2")).epsilon)
    log(4)
    """
    slack = Delta.of(delta)
    criterion = None
    if (rho, beta, upper, lower) != (None,) * 4:
        from rropt.privacy.criteria.named_criteria import given_criterion

        criterion = given_criterion(rho=rho, beta=beta, upper=upper, lower=lower)
    forms = {"epsilon": epsilon, "gamma": gamma, "a criterion": criterion}
    given = [name for name, value in forms.items() if value is not None]
    if len(given) != 1:
        raise InvalidParameterError(
            "a privacy level is one of epsilon, gamma, rho, beta and upper (with lower): received "
            f"{' and '.join(given) or 'none of them'}; give one"
        )
    if criterion is None:
        return Level(Epsilon.of(epsilon) if gamma is None else Epsilon.of_gamma(gamma), slack)
    require_no_delta(delta)
    from rropt.privacy.criterion_region import criterion_level

    return Level(criterion_level(criterion).epsilon, slack, criterion)


_MET = "with a criterion, which is met iff the parity is at most B(h), with delta = 0"


def require_no_delta(delta: object, where: str = _MET) -> None:
    """Raise ``InvalidParameterError`` for a nonzero delta where none is allowed, for example with a criterion."""
    if Delta.of(delta) != Delta.of(0):
        raise InvalidParameterError(
            f"`delta` belongs to `epsilon` or `gamma`: received {shown(delta)} {where}; leave it out"
        )
