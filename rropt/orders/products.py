"""Sufficiency between products of mechanisms: several questions, each answered by a mechanism of its own.

For ``P = P_1 (x) ... (x) P_n`` and ``A = A_1 (x) ... (x) A_n``, question i with the same inputs in both: P is
sufficient for A iff every P_i is sufficient for A_i. *If*: ``C = C_1 (x) ... (x) C_n``. *Only if*: fix the truths of
the other questions at their first categories; A then shows A_i, and P shows P_i beside answers that are drawn without a
truth, so that A_i is P_i randomized again. A task for factor i is one for the product, paid at these fixed truths only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rropt.errors import InvalidMechanismError
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.required import required_mechanisms
from rropt.orders.decision_tasks import DecisionTask
from rropt.orders.sufficiency import Sufficiency, sufficient


@dataclass(frozen=True, slots=True)
class ProductSufficiency:
    """Whether a product of mechanisms is sufficient for another one; true in a condition iff it is.

    Attributes:
        factors: the answer for each question, in order; up to the first negative one.
    """

    factors: tuple[Sufficiency, ...]

    def __bool__(self) -> bool:
        return all(self.factors)

    def kernel(self) -> ProductMechanism | None:
        """Return C of the whole products, or None when there is none."""
        kernels = [factor.kernel for factor in self.factors if factor.kernel is not None]
        return ProductMechanism(kernels) if self else None

    def task(self) -> DecisionTask | None:
        """Return the task for the factor that is not sufficient, or None."""
        return self.factors[-1].task


def sufficient_products(sources: Sequence[Mechanism], targets: Sequence[Mechanism]) -> ProductSufficiency:
    """Decide whether a product of mechanisms is sufficient for another, factor by factor.

    Args:
        sources: P_1, ..., P_n, n >= 1.
        targets: A_1, ..., A_n, with the inputs of the sources in order.

    Raises:
        InvalidMechanismError: no factor, different numbers of factors, or factors with different inputs.

    Cost: that of `sufficient` for each factor; the products themselves are never written down.
    Source: Blackwell (1951), on products of experiments; module docstring.

    >>> spinner, weak = Mechanism.binary("3/4", "3/4"), Mechanism.binary("2/3", "2/3")
    >>> answer = sufficient_products([spinner] * 20, [weak] * 20)
    >>> print(bool(answer), answer.factors[0].kernel[0, 0], round(float(answer.factors[0].kernel[0, 0]), 4))
    True 5/6 0.8333
    """
    required_mechanisms(sources, "the sources")
    required_mechanisms(targets, "the targets")
    if not sources or len(sources) != len(targets):
        raise InvalidMechanismError(
            f"the products do not fit: received {len(sources)} and {len(targets)} factors; allowed are equal numbers, "
            "at least 1; give one mechanism for each question"
        )
    answers = []
    for source, target in zip(sources, targets, strict=True):
        answers.append(sufficient(source, target))
        if not answers[-1]:
            break
    return ProductSufficiency(tuple(answers))
