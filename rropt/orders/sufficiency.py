"""Sufficiency of one mechanism for another (Blackwell's order; garbling, post-processing, refinement).

P is sufficient for A when A is P randomized again: ``A = C P`` for a column-stochastic C. Both answers are proved: by C
itself, or by a decision task at which A earns more than every post-processing of P. Structure comes before a linear
programme, and floats only propose:

1. closed forms: two unary encodings bit by bit (`garblings/independent_bits.py`), rows in another order, two k-ary
   randomized responses (`garblings/symmetric_pairs.py`);
2. tasks that refute cheaply, proposed in floats and proved in integers (`garblings/refutations.py`);
3. P of full row rank: C is unique and found exactly (`garblings/unique_kernels.py`);
4. else an exact linear programme (`garblings/kernel_programmes.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from rropt.certificates import Certificate
from rropt.certificates.orders import certify_garbling, certify_no_garbling
from rropt.errors import InvalidMechanismError
from rropt.mechanisms import Mechanism
from rropt.mechanisms.required import required_mechanism
from rropt.orders.decision_tasks import DecisionTask
from rropt.orders.garblings.kernels import programmed_kernel, unique_kernel
from rropt.orders.garblings.pairs import Pair
from rropt.orders.garblings.refutations import cheap_refutation
from rropt.orders.garblings.structured_pairs import independent_bits_kernel, symmetric_answer


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """Whether a source is sufficient for a target, with the proof; true in a condition iff it is.

    Attributes:
        source, target: P and A.
        kernel: C with ``target = C source``, or None.
        task: a task at which the target earns more, or None; exactly one of the two is there.
        route: how it was found.
    """

    source: Mechanism
    target: Mechanism
    kernel: Mechanism | None
    task: DecisionTask | None
    route: str

    def __bool__(self) -> bool:
        return self.kernel is not None

    def certificate(self) -> Certificate:
        """Return the certificate of the answer.

        Raises:
            CertificateError: the numbers are too long for the checker.
        """
        return self.proof().require_accepted()

    def proof(self) -> Certificate:
        """Return the certificate, not yet judged."""
        if self.kernel is not None:
            return certify_garbling(self.source, self.target, self.kernel)
        return certify_no_garbling(self.source, self.target, self.task.payoff if self.task else ())


def sufficient(source: Mechanism, target: Mechanism) -> Sufficiency:
    """Decide whether the source is sufficient for the target: ``A = C P`` for a column-stochastic C.

    The answer is exact whatever the numbers: right arbitrarily near to the boundary.

    Args:
        source: P, m outputs, k inputs.
        target: A, r outputs, k inputs.

    Returns:
        The kernel C (r x m), or a decision task that refutes it.

    Raises:
        InvalidMechanismError: different numbers of inputs.
        InvalidParameterError: no mechanism.

    Cost: O((m + r) k) for closed forms; for P of full row rank an inverse modulo a prime and products of m x m matrices
    as often as the answer has words; else a linear programme in (r - 1) m variables.
    Source: Blackwell, Equivalent comparisons of experiments (1953); Chai and Nayak (2018), section 4.

    >>> strong, weak = Mechanism([["3/4", "1/4"], ["1/4", "3/4"]]), Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    >>> print(sufficient(strong, weak).kernel[0, 0], float(sufficient(strong, weak).kernel[0, 0]))
    5/6 0.8333333333333334
    >>> answer = sufficient(weak, strong)
    >>> bool(answer), str(answer.task.earned), str(answer.task.best)
    (False, '3/4', '2/3')
    """
    required_mechanism(source, "the first mechanism")
    required_mechanism(target, "the second mechanism")
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
