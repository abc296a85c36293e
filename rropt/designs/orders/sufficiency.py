"""Sufficiency of one mechanism for another (Blackwell's order; garbling, post-processing, refinement).

P is sufficient for A if A is a garbling of P: ``A = C P`` for a column-stochastic C. Both results have a proof: the
kernel C, or a decision task at which A earns more than every post-processing of P. The methods, in order:

1. closed forms: two unary encodings bit by bit (`pairs.py`), the same rows in another order, two k-ary
   randomized responses;
2. cheap decision tasks, proposed in floats and proved in integers (`refutations.py`);
3. if P has full row rank: C is unique, and is computed exactly (`kernels.py`);
4. otherwise an exact linear program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rropt.core.certificates import Certificate
from rropt.core.errors import CertificateError, InvalidMechanismError
from rropt.core.results import Result, record_of
from rropt.designs.orders.certificates import certify_garbling, certify_no_garbling
from rropt.designs.orders.kernels import programmed_kernel, unique_kernel
from rropt.designs.orders.reduced_pairs import Pair, independent_bits_kernel, symmetric_answer
from rropt.designs.orders.refutations import DecisionTask, cheap_refutation
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import Matrix
from rropt.mechanisms.imports import required_mechanism


@dataclass(frozen=True, slots=True)
class Sufficiency(Result):
    """The result of ``sufficient``, with its proof; its truth value is whether the source is sufficient for the target.

    Attributes:
        source, target: P and A.
        kernel: C with ``target = C source``, or ``None``.
        task: a decision task at which the target earns more, or ``None``; exactly one of kernel and task is given.
        route: the method that found the proof.
    """

    source: Mechanism
    target: Mechanism
    kernel: Mechanism | None
    task: DecisionTask | None
    route: str

    def checked(self) -> None:
        """Recompute the proof.

        Raises:
            CertificateError: the proof is invalid.
        """
        if (self.kernel is None) is (self.task is None):
            raise CertificateError("a sufficiency has a kernel or a task: received both or none; give one of them")
        self.certificate()

    def __bool__(self) -> bool:
        return self.kernel is not None

    def certificate(self) -> Certificate:
        """Return the certificate of the result.

        Raises:
            CertificateError: the numbers are too long for the checker.
        """
        return self.proof().require_accepted()

    def proof(self) -> Certificate:
        """Return the certificate without checking it."""
        if self.kernel is not None:
            return certify_garbling(self.source, self.target, self.kernel)
        return certify_no_garbling(self.source, self.target, self.task.payoff if self.task else ())


def sufficient(source: Mechanism, target: Mechanism) -> Sufficiency:
    """Decide whether the source is sufficient for the target: ``A = C P`` for a column-stochastic C.

    The decision is exact, even arbitrarily close to the boundary.

    Args:
        source: P, m outputs, k inputs.
        target: A, r outputs, k inputs.

    Returns:
        The kernel C (r x m), or a decision task that refutes it.

    Raises:
        InvalidMechanismError: the numbers of inputs differ.
        InvalidParameterError: an argument is not a mechanism.

    Cost: O((m + r) k) for closed forms. For P of full row rank, one inverse modulo a prime, and products of m x m
    matrices, as many as the solution has machine words. Otherwise a linear program in (r - 1) m variables.
    Source: Blackwell, Equivalent comparisons of experiments (1953); Chai and Nayak (2018), section 4.

    >>> strong, weak = Mechanism([["3/4", "1/4"], ["1/4", "3/4"]]), Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    >>> print(sufficient(strong, weak).kernel[0, 0], float(sufficient(strong, weak).kernel[0, 0]))
    5/6 0.8333333333333334
    >>> answer = sufficient(weak, strong)
    >>> bool(answer), str(answer.task.earned), str(answer.task.best)
    (False, '3/4', '2/3')
    """
    source = required_mechanism(source, "the first mechanism")
    target = required_mechanism(target, "the second mechanism")
    if source.inputs != target.inputs:
        raise InvalidMechanismError(
            f"mechanisms cannot be compared: received {source.inputs} and {target.inputs} inputs; allowed are equal "
            "numbers of categories; compare mechanisms for the same question"
        )
    kernel = independent_bits_kernel(source, target)
    if kernel is not None:
        return Sufficiency(source, target, kernel, None, "independent bits")
    pair = Pair.of(source, target)
    ways = (symmetric_answer, cheap_refutation, unique_kernel)
    answer = next((found for way in ways if (found := way(pair)) is not None), None) or programmed_kernel(pair)
    if answer.kernel is not None:
        return Sufficiency(source, target, pair.kernel(answer.kernel), None, answer.route)
    payoff = answer.payoff or {}
    earned, best = pair.earnings(payoff)
    task = DecisionTask(answer.task, pair.payoff(payoff), earned / source.inputs, best / source.inputs)
    return Sufficiency(source, target, None, task, answer.route)


Relation = Literal["better", "worse", "equivalent", "incomparable"]

RELATIONS: dict[tuple[bool, bool], Relation] = {
    (True, False): "better",
    (False, True): "worse",
    (True, True): "equivalent",
    (False, False): "incomparable",
}

SENTENCES = {
    "better": "{a} is better: it is sufficient for {b}, and not conversely.",
    "worse": "{a} is worse: {b} is sufficient for it, and not conversely.",
    "equivalent": "{a} and {b} are equivalent: each is a garbling of the other.",
    "incomparable": "{a} and {b} are incomparable: each earns more than the other at some task.",
}


def proof_name(source: int, target: int) -> str:
    """Return the name of the certificate for two mechanisms; the indices count from 0, the name counts from 1."""
    return f"{source + 1}-to-{target + 1}"


def direction_records(certificates: Mapping[str, Certificate | None], suffix: str = "") -> dict[str, Any]:
    """Return the certificates of both directions between A and B for JSON; null if the checker accepts none."""
    names = {"b_from_a": proof_name(0, 1), "a_from_b": proof_name(1, 0)}
    found = {direction: certificates[name + suffix] for direction, name in names.items()}
    return {direction: certificate and certificate.to_dict() for direction, certificate in found.items()}


@dataclass(frozen=True, slots=True)
class Comparison(Result):
    """The relation of two mechanisms A and B in Blackwell's order.

    Attributes:
        forward: whether A is sufficient for B (B = C A), with its proof.
        backward: whether B is sufficient for A, with its proof.
    """

    forward: Sufficiency
    backward: Sufficiency

    @property
    def relation(self) -> Relation:
        """``"better"`` (only A is sufficient for B), ``"worse"``, ``"equivalent"`` or ``"incomparable"``."""
        return RELATIONS[bool(self.forward), bool(self.backward)]

    def explain(self, first: str = "A", second: str = "B") -> str:
        """Describe the relation, with the decision task of each refutation."""
        parts = [SENTENCES[self.relation].format(a=first, b=second)]
        if self.forward.task is not None:
            parts.append(self.forward.task.explain(second, first))
        if self.backward.task is not None:
            parts.append(self.backward.task.explain(first, second))
        return "\n".join(parts)

    def __str__(self) -> str:
        return self.explain()

    @classmethod
    def recompute(cls, mechanisms: tuple[Mechanism, Mechanism]) -> Comparison:
        """Recompute the comparison of A and B; used to read files."""
        return compare(*mechanisms)

    def lines(self) -> list[tuple[str, str]]:
        """Return the relation, and the decision task of each refutation, as label and value."""
        first, *rest = self.explain().split("\n")
        return [("relation", first), *(("why", text) for text in rest)]

    def proofs(self) -> dict[str, Sufficiency]:
        """Return both directions by certificate name: ``1-to-2`` proves whether A is sufficient for B."""
        return {proof_name(0, 1): self.forward, proof_name(1, 0): self.backward}

    def proved(self, certificates: Mapping[str, Certificate | None]) -> dict[str, Any]:
        """Return ``to_dict`` with the accepted certificates, given by the names of ``proofs``, and the explanation."""
        return {**self.to_dict(), "explanation": self.explain(), "certificates": direction_records(certificates)}

    def matrices(self) -> dict[str, Matrix]:
        """Return the kernels of the garblings that exist, by their headings."""
        both = {("A", "B"): self.forward.kernel, ("B", "A"): self.backward.kernel}
        return {f"C: {b} = C {a} (rows are outputs of {b})": c.matrix for (a, b), c in both.items() if c is not None}

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``--json``: ``relation``, ``witness`` (the kernels), ``refutation`` (the tasks)."""
        directions = {"b_from_a": self.forward, "a_from_b": self.backward}
        return record_of(
            {
                "mechanisms": (self.forward.source, self.forward.target),
                "relation": self.relation,
                "witness": {name: d.kernel.to_dict()["matrix"] for name, d in directions.items() if d.kernel} or None,
                "refutation": {name: d.task for name, d in directions.items() if d.task} or None,
            }
        )


def compare(first: Mechanism | str, second: Mechanism | str) -> Comparison:
    """Compare two mechanisms in Blackwell's order.

    A is better than B if B is a garbling of A (``B = C A``) but not conversely. Then A is at least as good as B for
    every decision problem. The order is partial; most pairs are incomparable.

    Args:
        first: A, any number of outputs, k inputs; or its text form, such as ``"warner:3/4"``.
        second: B, any number of outputs, k inputs.

    Returns:
        The relation, with a kernel or a decision task for each direction.

    Raises:
        InvalidMechanismError: the numbers of inputs differ.
        InvalidParameterError: an argument is not a mechanism.

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
    first, second = required_mechanism(first, "the first mechanism"), required_mechanism(second, "the second mechanism")
    return Comparison(sufficient(first, second), sufficient(second, first))
