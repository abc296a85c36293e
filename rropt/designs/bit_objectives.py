"""Objectives of a privacy budget that is split over independent yes/no questions, each asked by Warner's design.

Question l has the odds bound x_l. The following objectives are convex in ``u_l = log x_l``, ``sum u_l <= log gamma``:

* ``marginals``: ``sum_l w_l n Var_l`` with ``n Var = pi(1-pi) + h`` and ``h = x/(x-1)^2 = 1/(4 sinh(u/2)^2)``, because
  ``h'' = (2 cosh(u/2)^2 + 1)/(8 sinh(u/2)^4) > 0``.
* ``joint``: ``prod_l c_l - |pi|^2``, the trace of n times the covariance of the joint distribution (Vinterbo 2018,
  Lemma 4.5). Its logarithm without the constant is convex: ``c = (x^2+1)/(x-1)^2 = cosh u/(cosh u - 1)`` has
  ``(log c)'' = 1/cosh(u)^2 + 1/(2 sinh(u/2)^2) > 0``. The distribution pi enters only through the constant ``|pi|^2``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any, ClassVar

from rropt.core.errors import InvalidParameterError, one_of, shown
from rropt.core.exact import as_text, rational_where
from rropt.mechanisms.columns import listed

MAX_QUESTIONS = 256  # the checker's budget allows about 300 questions with different weights


@dataclass(frozen=True, slots=True)
class Marginals:
    """The weighted sum ``sum_l w_l n Var_l`` over the estimated prevalences.

    Attributes:
        is_product: whether the objective is a product over the questions instead of a sum.
        weights: w_l >= 0, not all 0.
        prevalences: assumed values of Pr(bit l = 1); they change the value, but not the optimal split.
    """

    kind: ClassVar[str] = "marginals"
    is_product: ClassVar[bool] = False
    title: ClassVar[str] = "sum of w n Var"
    weights: tuple[Fraction, ...]
    prevalences: tuple[Fraction, ...]

    def __str__(self) -> str:
        return self.title

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The weights; questions with equal weights receive equal budgets."""
        return self.weights

    def value(self, parities: Sequence[Fraction]) -> Fraction:
        """Return the objective for the odds bounds x_l of the questions."""
        terms = zip(self.weights, self.prevalences, parities, strict=True)
        return sum((w * (pi * (1 - pi) + x / (x - 1) ** 2) for w, pi, x in terms if w), Fraction(0))

    def scale(self, parities: Sequence[Fraction]) -> Fraction:
        """Return 1: the objective itself is a sum of convex functions."""
        return Fraction(1)

    def slope(self, excess: Any) -> tuple[Any, Any]:
        """Return ``g = -h' = x (x+1)/(x-1)^3`` and ``-g' = x (x^2 + 4x + 1)/(x-1)^4`` at x = 1 + excess."""
        x = 1 + excess
        return x * (x + 1) / excess**3, x * (x * x + 4 * x + 1) / excess**4

    def certified(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        texts = {name: [as_text(x) for x in getattr(self, name)] for name in ("weights", "prevalences")}
        return {"kind": self.kind, **texts}


@dataclass(frozen=True, slots=True)
class JointTrace:
    """The objective ``prod_l c_l - |pi|^2``: n times the trace of the covariance of the estimated joint distribution.

    Attributes:
        is_product: whether the objective is a product over the questions instead of a sum.
        prevalences: the prevalences of the independent questions. Prevalences of 1/2 give the uniform distribution,
            which is the worst case.
    """

    kind: ClassVar[str] = "joint"
    is_product: ClassVar[bool] = True
    title: ClassVar[str] = "n tr Cov"
    prevalences: tuple[Fraction, ...]

    def __str__(self) -> str:
        return self.title

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The weights of the questions in the split: all 1."""
        return (Fraction(1),) * len(self.prevalences)

    @property
    def squares(self) -> Fraction:
        """The squared norm ``|pi|^2`` of the joint distribution."""
        return prod((p * p + (1 - p) ** 2 for p in self.prevalences), start=Fraction(1))

    def value(self, parities: Sequence[Fraction]) -> Fraction:
        """Return the objective for the odds bounds x_l of the questions."""
        return self.scale(parities) - self.squares

    def scale(self, parities: Sequence[Fraction]) -> Fraction:
        """Return ``prod c_l``, whose logarithm is a sum of convex functions."""
        return prod(((x * x + 1) / (x - 1) ** 2 for x in parities), start=Fraction(1))

    def slope(self, excess: Any) -> tuple[Any, Any]:
        """Return ``g = -(log c)' = 2x (x+1)/((x^2+1)(x-1))`` and ``-g' = 4x^2/(x^2+1)^2 + 2x/(x-1)^2``."""
        x = 1 + excess
        square = x * x + 1
        return 2 * x * (x + 1) / (square * excess), 4 * x * x / square**2 + 2 * x / excess**2

    def certified(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        return {"kind": self.kind, "questions": str(len(self.prevalences)), "squares": as_text(self.squares)}


Objective = Marginals | JointTrace


def split_objective(
    name: str, questions: int | None, weights: Sequence[object] | None, prevalences: Sequence[object] | None
) -> Objective:
    """Check the arguments of ``design_bits`` and return the objective.

    Raises:
        InvalidParameterError: lists have different lengths, a number is out of range, or a name is unknown.
    """
    one_of(name, ("marginals", "joint"), "objective")
    given: dict[str, list[Any]] = {}
    for what, x in (("weights", weights), ("prevalences", prevalences)):
        numbers = None if x is None else listed(x, flat=True)
        if numbers is not None:
            given[what] = numbers
        elif x is not None:
            raise InvalidParameterError(
                f"{what} are not a list: received {shown(x)}; allowed is a number for each question"
            )
    n = questions if questions is not None else len(next(iter(given.values()), []))
    if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= MAX_QUESTIONS:
        raise InvalidParameterError(
            f"the number of questions is out of range: received {shown(n)}; allowed is an integer from 1 to "
            f"{MAX_QUESTIONS}, or a list of weights or prevalences"
        )
    for what, numbers in given.items():
        if len(numbers) != n:
            raise InvalidParameterError(f"{what} do not fit the questions: received {len(numbers)} numbers; give {n}")
    pi = tuple(
        rational_where(x, lambda p: 0 <= p <= 1, "0 <= prevalence <= 1", name=f"prevalence {q}")
        for q, x in enumerate(given.get("prevalences", ["1/2"] * n))
    )
    if name == "joint":
        if weights is not None:
            raise InvalidParameterError(
                "weights belong to the objective marginals: received them beside joint; leave them out"
            )
        return JointTrace(pi)
    w = tuple(
        rational_where(x, lambda w: w >= 0, "weight >= 0", name=f"weight {q}")
        for q, x in enumerate(given.get("weights", [1] * n))
    )
    if not any(w):
        raise InvalidParameterError("the weights are all 0: received nothing to estimate; give one that is positive")
    return Marginals(w, pi)
