"""Alpha-divergences between the output distributions of two distributions of the categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import rational_where
from rropt.core.lazy import numpy as np
from rropt.objectives.divergences import NEARLY_EQUAL, Divergence, series
from rropt.objectives.objective import register_objective
from rropt.objectives.two_populations import TwoPopulations

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array

_NEAR = 0.5  # relative difference of a and b below which a term is computed from the difference
MOST = 10  # largest absolute value of the order, and largest denominator


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class AlphaDivergence(Divergence):
    """Maximize ``(sum_i a_i^r b_i^(1 - r) - 1)/(r (r - 1))`` for a rational order r other than 0 and 1.

    At r = 2 this is half of the chi-square distance, and at r = 1/2 four times the squared Hellinger distance. As r
    tends to 1, it tends to the Kullback-Leibler divergence. Cressie and Read, Multinomial goodness-of-fit tests, JRSS B
    46 (1984).

    Args:
        against: q, shape (k,): the other distribution of the categories.
        order: r, an exact number with ``abs(r) <= 10`` and a denominator of at most 10.

    >>> from rropt.mechanisms import Mechanism
    >>> half = AlphaDivergence(["1/2", "1/2"], 2).value(Mechanism.binary("3/4", "3/4"), ["3/4", "1/4"])
    >>> round(float(half), 12)  # 1/32
    0.03125
    """

    kind = "alpha-divergence"
    title = "alpha-divergence"
    form = '{"kind": "alpha-divergence", "against": [...], "order": "1/2"}'
    options: ClassVar[tuple[str, ...]] = ("against", "order")
    order: Fraction

    def __init__(self, against: Sequence[object], order: object) -> None:
        TwoPopulations.__init__(self, against)
        allowed = f"0 < abs(order) <= {MOST}, order not 1, a denominator of at most {MOST}"
        exact = rational_where(
            order, lambda r: r not in (0, 1) and abs(r) <= MOST and r.denominator <= MOST, allowed, name="order"
        )
        object.__setattr__(self, "order", exact)

    def compared_with(self, against: Sequence[object]) -> AlphaDivergence:
        """Return the divergence of the same order from another distribution."""
        return AlphaDivergence(against, self.order)

    @classmethod
    def for_categories(cls, inputs: int, **options: Any) -> AlphaDivergence:
        """Build the objective from the options ``against`` and ``order``."""
        for name in ("against", "order"):
            if name not in options:
                raise InvalidParameterError(
                    f"`objective=alpha-divergence` needs `{name}`: received {shown(', '.join(options))}; give the "
                    "proportions of another distribution, and an order such as 1/2"
                )
        return cls(options["against"], options["order"])

    def infinite(self, a: Fraction, b: Fraction) -> bool:
        """Return whether a term of the sum is infinite."""
        return bool((self.order > 1 and a and not b) or (self.order < 0 and b and not a))

    def term(self, a: Any, b: Any) -> Any:
        """Return ``(a^r b^(1 - r) - r a - (1 - r) b)/(r (r - 1))``, at least 0; 0^0 does not occur."""
        from flint import arb, fmpq

        r = arb(fmpq(self.order.numerator, self.order.denominator))
        product = a * 0 if a == 0 or b == 0 else (r * a.log() + (1 - r) * b.log()).exp()
        return (product - r * a - (1 - r) * b) / (r * (r - 1))

    def float_terms(self, a: Array, b: Array, apart: Array) -> Array:
        """Return ``term`` in floats; where a is close to b, their difference keeps the digits of a small term."""
        r, step = float(self.order), apart / b
        terms = b * (np.expm1(r * np.log1p(step)) - r * step)
        far = a**r * b ** (1 - r) - r * a - (1 - r) * b
        terms = np.where(abs(step) < _NEAR, terms, far) / (r * (r - 1))
        return np.asarray(np.where(abs(step) < NEARLY_EQUAL, b * series(self._series, step), terms))

    @property
    def _series(self) -> list[float]:
        """The series of ``((1 + h)^r - 1 - r h)/(r (r - 1))``, from h^2 on."""
        r, found = float(self.order), [0.5]
        for n in range(3, 12):
            found.append(found[-1] * (r - n + 1) / n)
        return found
