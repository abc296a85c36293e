"""Two mechanisms compared in Blackwell's order: better, worse, equivalent or incomparable, and the proof of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from rropt.mechanisms import Mechanism
from rropt.orders.sufficiency import Sufficiency, sufficient

Relation = Literal["better", "worse", "equivalent", "incomparable"]

_RELATIONS: dict[tuple[bool, bool], Relation] = {
    (True, False): "better",
    (False, True): "worse",
    (True, True): "equivalent",
    (False, False): "incomparable",
}

_SENTENCES = {
    "better": "{a} is better: it is sufficient for {b}, and not conversely.",
    "worse": "{a} is worse: {b} is sufficient for it, and not conversely.",
    "equivalent": "{a} and {b} are equivalent: each is the other one randomized again.",
    "incomparable": "{a} and {b} are incomparable: each earns more than the other at some task.",
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two mechanisms A and B stand in Blackwell's order.

    Attributes:
        forward: whether A is sufficient for B (B = C A), with its proof.
        backward: whether B is sufficient for A, with its proof.
    """

    forward: Sufficiency
    backward: Sufficiency

    @property
    def relation(self) -> Relation:
        """``"better"`` (A is sufficient for B, not conversely), ``"worse"``, ``"equivalent"`` or ``"incomparable"``."""
        return _RELATIONS[bool(self.forward), bool(self.backward)]

    def explain(self, first: str = "A", second: str = "B") -> str:
        """Tell the relation in words, with the task behind each refutation."""
        parts = [_SENTENCES[self.relation].format(a=first, b=second)]
        if self.forward.task is not None:
            parts.append(self.forward.task.explain(second, first))
        if self.backward.task is not None:
            parts.append(self.backward.task.explain(first, second))
        return "\n".join(parts)

    def __str__(self) -> str:
        return self.explain()

    def to_dict(self) -> dict[str, Any]:
        """Return the form of ``--json``: ``relation``, ``witness`` (the kernels), ``refutation`` (the tasks)."""
        directions = {"b_from_a": self.forward, "a_from_b": self.backward}
        return {
            "relation": self.relation,
            "witness": _present({name: d.kernel.to_dict()["matrix"] for name, d in directions.items() if d.kernel}),
            "refutation": _present({name: d.task.to_dict() for name, d in directions.items() if d.task}),
        }


def compare(first: Mechanism, second: Mechanism) -> Comparison:
    """Compare two mechanisms in Blackwell's order.

    A is better than B when B is A randomized again (``B = C A``) and not conversely: then A serves every purpose at
    least as well. The order is partial; most pairs are incomparable.

    Args:
        first: A, any number of outputs, k inputs.
        second: B, any number of outputs, k inputs.

    Returns:
        The relation, with a kernel or a decision task for each direction.

    Raises:
        InvalidMechanismError: different numbers of inputs.
        InvalidParameterError: no mechanism.

    Cost: twice that of `sufficient`.
    Source: Blackwell, Equivalent comparisons of experiments (1953); Chai and Nayak (2018), section 4.

    >>> spinner, die = Mechanism.binary("3/4", "3/4"), Mechanism.binary("1", "1/4")
    >>> result = compare(spinner, die)
    >>> print(result.relation)
    incomparable
    >>> task = compare(spinner, Mechanism.binary("2/3", "2/3")).backward.task
    >>> str(task.earned), float(task.earned), round(float(task.best), 4)
    ('3/4', 0.75, 0.6667)
    """
    return Comparison(sufficient(first, second), sufficient(second, first))


def _present(found: dict[str, Any]) -> dict[str, Any] | None:
    return found or None
