"""Define the regions of Renyi differential privacy at one order and of zero-concentrated differential privacy (zCDP).

The Renyi divergence of order a is ``D_a(P, Q) = log(sum P^a Q^(1-a))/(a - 1)``, and D_1 is the Kullback-Leibler
divergence. A mechanism is (a, epsilon)-Renyi differentially private if ``D_a <= epsilon`` for every ordered pair of
columns (Mironov 2017). It is rho-zCDP if ``D_a <= rho a`` for all a > 1 and every such pair (Bun and Steinke 2016).
These regions are not polyhedral, so finitely many row directions do not suffice.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar, Self

from rropt.checker.divergence_level import Atoms, LawExponents, matrix_laws
from rropt.checker.documents import Rejected, WorkBudget
from rropt.checker.intervals import Arithmetic
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Epsilon, as_text, rational_where
from rropt.mechanisms import Mechanism
from rropt.privacy.region import (
    LevelPart,
    RationalLevel,
    RationalLevels,
    Readers,
    Region,
    as_it_is,
    fill,
    register_region,
    shape_text,
)

MOST_ORDER = 128
MOST_DESIGNED = 4  # categories of a design; membership is decided for any number
_DIGITS = 40  # precision of the interval arithmetic that decides membership
_MOST_WORK = 1 << 26  # budget of one decision, in the work units of the checker
_MOST_CELLS = 4000
_NARROWEST = Fraction(1, 1 << 60)  # smallest relative width of a cell of orders


class DivergenceRegion(Region):
    """Base class of the two regions: bounds on the divergences of all pairs of inputs, with any number of outputs."""

    __slots__ = ()
    outputs = 0  # the number of outputs is unrestricted
    has_divergences = True
    order: Fraction | None  # a, or None if the region bounds all orders

    @abstractmethod
    def allowed(self, order: Fraction) -> float:
        """Return the upper bound on D_a at an order that the region states or implies, in nats."""

    @abstractmethod
    def proof(self, mechanism: Mechanism) -> list[list[Fraction]] | None:
        """Prove that a mechanism lies in the region (checker/cells_way.md).

        Returns:
            For each pair of columns, the endpoints of the cells of orders in the proof. The list is empty if the
            region has one order. None if the mechanism is not in the region.

        Raises:
            UnsupportedProblemError: the divergence and the level agree in all computed digits.
        """

    def of_groups(self, count: int) -> Self:
        """Return the region under the same bounds for groups of the inputs."""
        return replace(self, inputs=count)  # type: ignore[type-var]  # each region of divergences is a dataclass

    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism lies in the region, decided by interval arithmetic.

        Raises:
            UnsupportedProblemError: the divergence and the level agree in all computed digits.
        """
        return self.fits(mechanism) and self.proof(mechanism) is not None


@register_region
@dataclass(frozen=True, slots=True)
class RenyiRegion(DivergenceRegion):
    """All mechanisms whose Renyi divergence at one order is at most epsilon for every ordered pair of inputs.

    For each ordered pair (j, l) of inputs, ``sum_i p_ij^a p_il^(1-a) <= exp((a - 1) epsilon)``. At order 1, the region
    bounds the Kullback-Leibler divergence.

    Args:
        order: a, a rational number from 1 to 128.
        epsilon: the level in nats, in any form that ``Epsilon.of`` accepts.
        inputs: the number of categories, k >= 2.

    Raises:
        InvalidParameterError: the order, the level or the size is out of range.

    References:
        Mironov (2017), Definition 4.

    >>> region = RenyiRegion(2, "log(2)", inputs=2)
    >>> print(region)
    Renyi divergence of order 2 <= log(2), k = 2 categories, output alphabet unrestricted
    >>> region.contains(Mechanism([["3/4", "1/4"], ["1/4", "3/4"]]))
    False
    """

    kind: ClassVar[str] = "renyi-privacy"
    KEYS: ClassVar[Readers] = {"order": as_it_is, "epsilon": Epsilon.from_dict}
    order: Fraction
    epsilon: Epsilon
    inputs: int
    is_uninformative: bool = field(init=False, repr=False, compare=False)

    def __init__(self, order: object, epsilon: object, *, inputs: int = 2) -> None:
        a = rational_where(order, lambda a: 1 <= a <= MOST_ORDER, f"1 <= order <= {MOST_ORDER}", name="order")
        level = Epsilon.of(epsilon)
        if level.is_infinite:
            raise InvalidParameterError("epsilon is infinite: a region needs a finite level; give epsilon <= 100")
        fill(self, {"inputs": inputs}, order=a, epsilon=level, is_uninformative=level.gamma == 1)

    def bracket(self, digits: int) -> RationalLevels:
        """Return rational bounds on exp(epsilon), with ``digits`` significant digits of ``exp(epsilon) - 1``."""
        low, high = (RationalLevel(gamma, Fraction(0)) for gamma in self.epsilon.gamma_bracket(digits))
        return RationalLevels((LevelPart(low, high, ()),))

    def allowed(self, order: Fraction) -> float:
        """Return epsilon, which bounds D_a at every order up to the order of the region."""
        return float(self.epsilon)

    def proof(self, mechanism: Mechanism) -> list[list[Fraction]] | None:
        """Return an empty list if ``D_a <= epsilon`` for all pairs, and None otherwise."""
        laws = _laws(mechanism)
        if laws is None:
            return None
        for digits in (_DIGITS, 4 * _DIGITS):
            arithmetic = Arithmetic(digits, WorkBudget(_MOST_WORK))
            below, above = self.epsilon.gamma_bracket(digits)
            level = arithmetic.log(arithmetic.of(below))[0], arithmetic.log(arithmetic.of(above))[1]
            found = [LawExponents(pair, arithmetic).divergence(self.order) for pair in laws]
            if all(high <= level[0] for _, high in found):
                return []
            if any(low > level[1] for low, _ in found):
                return None
        raise _undecided(self)

    def __str__(self) -> str:
        return f"Renyi divergence of order {as_text(self.order)} <= {self.epsilon}, {shape_text(self.inputs, 0)}"


@register_region
@dataclass(frozen=True, slots=True)
class ZcdpRegion(DivergenceRegion):
    """All mechanisms under rho-zero-concentrated differential privacy: ``D_a <= rho a`` for all orders a > 1.

    Args:
        rho: the parameter, a rational number from 0 to 100.
        inputs: the number of categories, k >= 2.

    Raises:
        InvalidParameterError: rho or the size is out of range.

    References:
        Bun and Steinke (2016), Definition 1.1.

    >>> ZcdpRegion("1/2").contains(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]))
    True
    """

    kind: ClassVar[str] = "zcdp-privacy"
    KEYS: ClassVar[Readers] = {"rho": as_it_is}
    order = None  # all orders are bounded
    rho: Fraction
    inputs: int
    is_uninformative: bool = field(init=False, repr=False, compare=False)

    def __init__(self, rho: object, *, inputs: int = 2) -> None:
        level = rational_where(rho, lambda level: 0 <= level <= 100, "0 <= rho <= 100", name="rho")
        fill(self, {"inputs": inputs}, rho=level, is_uninformative=not level)

    def bracket(self, digits: int) -> RationalLevels:
        """Return no level: rho is rational and needs no bracket."""
        return RationalLevels(())

    def allowed(self, order: Fraction) -> float:
        """Return ``rho a``."""
        return float(self.rho * order)

    def proof(self, mechanism: Mechanism) -> list[list[Fraction]] | None:
        """Return, for each distinct pair of columns, orders whose cells prove ``D_a <= rho a``; None if it is false."""
        laws = _laws(mechanism)
        if laws is None or (laws and not self.rho):
            return None
        lists = []
        for pair in laws:
            orders = _orders(pair, self.rho)
            if orders is None:
                return None
            lists.append(orders)
        return lists

    def __str__(self) -> str:
        return f"zCDP with rho = {as_text(self.rho)}, {shape_text(self.inputs, 0)}"


def _undecided(region: Region) -> UnsupportedProblemError:
    return UnsupportedProblemError(
        f"the divergence agrees with the level to all digits that are computed: received {region}; lower the level a "
        "little"
    )


def _laws(mechanism: Mechanism) -> Sequence[Atoms] | None:
    return matrix_laws([list(row) for row in mechanism.matrix], WorkBudget(_MOST_WORK))


def _orders(pair: Atoms, rho: Fraction) -> list[Fraction] | None:
    """Return the right endpoints of cells of orders that prove ``D_a <= rho a``; None if an order refutes it.

    Raises:
        UnsupportedProblemError: the bound is neither proved nor refuted.
    """
    arithmetic = Arithmetic(_DIGITS, WorkBudget(_MOST_WORK))
    exponents = LawExponents(pair, arithmetic)
    level = arithmetic.of(rho)
    last = Fraction(2)
    while arithmetic.of(rho * last)[0] < exponents.largest[1]:
        last *= 2
    left, found = [(Fraction(1), last)], list[Fraction]()
    while left:
        a, b = left.pop()
        try:
            if any(exponents.quotient(end)[0] > level[1] for end in (a, b)):
                return None
            is_proved = any(exponents.is_below(level, a, b, end) for end in (a, b))
        except Rejected as rejected:
            raise UnsupportedProblemError(f"the orders of zCDP are not decided: {rejected}; round rho") from None
        if is_proved:
            found.append(b)
        else:
            middle = (a + b) / 2
            if b - a < _NARROWEST * b or len(found) + len(left) > _MOST_CELLS:
                raise UnsupportedProblemError(
                    f"the divergence agrees with the level to all digits that are computed: received rho = "
                    f"{as_text(rho)}; lower the level a little"
                )
            left += [(middle, b), (a, middle)]
    return found
