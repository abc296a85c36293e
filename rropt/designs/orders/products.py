"""Blackwell's order of products: several questions, each with its own mechanism.

``P = P_1 (x) ... (x) P_n`` is sufficient for ``A = A_1 (x) ... (x) A_n`` with the same inputs iff every P_i is
sufficient for A_i.

* *If*: take ``C = C_1 (x) ... (x) C_n``.
* *Only if*: fix the true categories of the other questions at their first values. Then the output of A contains A_i,
  and the output of P contains P_i and responses that are independent of the true category. So A_i is a garbling of P_i.

A decision task for factor i is one for the product that pays only at these values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rropt.core.errors import InvalidMechanismError
from rropt.core.results import Result, labelled
from rropt.designs.orders.refutations import DecisionTask
from rropt.designs.orders.sufficiency import (
    RELATIONS,
    SENTENCES,
    Comparison,
    Relation,
    Sufficiency,
    compare,
    direction_records,
    sufficient,
)
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.imports import required_mechanisms

if TYPE_CHECKING:
    from rropt.core.certificates import Certificate


@dataclass(frozen=True, slots=True)
class ProductSufficiency(Result):
    """The result of ``sufficient_products``; its truth value is whether the product is sufficient for the other one.

    Attributes:
        factors: the results for the questions, in order, up to the first negative one.
    """

    factors: tuple[Sufficiency, ...]

    LABELS = labelled(is_sufficient="sufficient", factors="")

    @property
    def is_sufficient(self) -> bool:
        """Whether every factor of the source is sufficient for that of the target."""
        return bool(self)

    def __bool__(self) -> bool:
        return all(self.factors)

    def kernel(self) -> ProductMechanism | None:
        """Return the kernel C of the products, or ``None`` if there is none."""
        kernels = [factor.kernel for factor in self.factors if factor.kernel is not None]
        return ProductMechanism(kernels) if self else None

    def task(self) -> DecisionTask | None:
        """Return the decision task for the factor that is not sufficient, or ``None``."""
        return self.factors[-1].task


def sufficient_products(sources: Sequence[Mechanism], targets: Sequence[Mechanism]) -> ProductSufficiency:
    """Decide whether a product of mechanisms is sufficient for another, factor by factor.

    Args:
        sources, targets: P_1, ..., P_n and A_1, ..., A_n with the same inputs, n >= 1.

    Raises:
        InvalidMechanismError: there are no factors, or the numbers of factors or of inputs differ.

    Cost: that of `sufficient` for each factor. Source: Blackwell (1951), on products of experiments; module docstring.

    >>> spinner, weak = Mechanism.binary("3/4", "3/4"), Mechanism.binary("2/3", "2/3")
    >>> answer = sufficient_products([spinner] * 20, [weak] * 20)
    >>> print(bool(answer), answer.factors[0].kernel[0, 0], round(float(answer.factors[0].kernel[0, 0]), 4))
    True 5/6 0.8333
    """
    sources = required_mechanisms(sources, "the sources")
    targets = required_mechanisms(targets, "the targets")
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


@dataclass(frozen=True, slots=True)
class ProductComparison(Result):
    """The relation of two products in Blackwell's order, from the distinct pairs of mechanisms."""

    questions: tuple[tuple[int, ...], ...]
    comparisons: tuple[Comparison, ...]

    LABELS = labelled(relation="relation")

    @classmethod
    def recompute(cls, by_question: list[Any]) -> ProductComparison:
        """Recompute the comparison from its parts; used to read files."""
        pairs = [dict(each) for each in by_question]
        questions = tuple(tuple(map(int, each.pop("questions"))) for each in pairs)
        return cls(questions, tuple(map(Comparison.from_dict, pairs)))

    @property
    def relation(self) -> Relation:
        """The relation of the products: A is sufficient for B iff it is sufficient in every question."""
        return RELATIONS[all(c.forward for c in self.comparisons), all(c.backward for c in self.comparisons)]

    def explain(self, first: str = "A", second: str = "B") -> str:
        """Describe the relation of the products, then the relation for each question."""
        parts = [SENTENCES[self.relation].format(a=first, b=second)]
        for questions, comparison in zip(self.questions, self.comparisons, strict=True):
            named = ", ".join(map(str, questions[:12])) + ", ..." * (len(questions) > 12)
            parts.append(f"Question{'s' * (len(questions) > 1)} {named}: {comparison.explain(first, second)}")
        return "\n".join(parts)

    def lines(self) -> list[tuple[str, str]]:
        """Return the relation of the products, then of the questions, as label and value."""
        first, *rest = self.explain().split("\n")
        return [("relation", first), *(("why", text) for text in rest)]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``--json``."""
        both = zip(self.questions, self.comparisons, strict=True)
        return {"relation": self.relation, "by_question": [{"questions": list(q), **c.to_dict()} for q, c in both]}

    def proofs(self) -> dict[str, Sufficiency]:
        """Return both directions of each distinct pair, by certificate name, such as ``1-to-2-question-0``."""
        both = zip(self.questions, self.comparisons, strict=True)
        return {
            f"{name}-question-{questions[0]}": answer
            for questions, comparison in both
            for name, answer in comparison.proofs().items()
        }

    def proved(self, certificates: Mapping[str, Certificate | None]) -> dict[str, Any]:
        """Return ``to_dict`` with the accepted certificates, given by the names of ``proofs``, and the explanation."""
        record = self.to_dict()
        for each in record["by_question"]:
            each["certificates"] = direction_records(certificates, f"-question-{each['questions'][0]}")
        return {**record, "explanation": self.explain()}


def compare_products(first: Mechanism, second: Mechanism) -> ProductComparison | None:
    """Compare two products of the same questions in the same order; ``None`` for other mechanisms.

    Cost: twice that of `sufficient` for each distinct pair of mechanisms. Source: as for ``sufficient_products``.

    Args:
        first, second: products of the same questions, in the same order.

    >>> from rropt.mechanisms import named_mechanism
    >>> found = compare_products(named_mechanism("bits:3/4*20"), named_mechanism("bits:2/3*19,4/5"))
    >>> print(found.relation, [(len(q), c.relation) for q, c in zip(found.questions, found.comparisons)])
    incomparable [(19, 'better'), (1, 'worse')]
    """
    if not (isinstance(first, ProductMechanism) and isinstance(second, ProductMechanism)):
        return None
    pairs = list(zip(first.factors, second.factors, strict=False))
    if len(first.factors) != len(second.factors) or any(a.inputs != b.inputs for a, b in pairs):
        return None
    alike: dict[tuple[Mechanism, Mechanism], list[int]] = {}
    for question, pair in enumerate(pairs):
        alike.setdefault(pair, []).append(question)
    return ProductComparison(tuple(map(tuple, alike.values())), tuple(compare(*pair) for pair in alike))
