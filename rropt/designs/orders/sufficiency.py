"""Sufficiency of one mechanism for another (Blackwell's order; garbling, post-processing, refinement).

P is sufficient for A if A is a garbling of P: ``A = C P`` for a column-stochastic C. Both results have a proof: the
kernel C, or a decision task at which A earns more than every post-processing of P. The methods, in order:

1. closed forms: two unary encodings bit by bit, the same rows in another order;
2. cheap decision tasks, proposed in floats and proved in integers (`garblings.py`);
3. if P has full row rank: C is unique, and is computed exactly;
4. otherwise an exact linear program.

*Products*, for several questions, each with its own mechanism. ``P = P_1 (x) ... (x) P_n`` is sufficient for ``A = A_1
(x) ... (x) A_n`` with the same inputs iff every P_i is sufficient for A_i.

* *If*: take ``C = C_1 (x) ... (x) C_n``.
* *Only if*: fix the true categories of the other questions at their first values. Then the output of A contains A_i,
  and the output of P contains P_i and responses that are independent of the true category. So A_i is a garbling of P_i.

A decision task for factor i is one for the product that pays only at these values.

The writers of the certificates (checker/garbling.md, checker/mechanism_levels.md) come first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from rropt.checker.limits import MAX_BYTES, MAX_TOKENS
from rropt.core.argument_checks import clear_calls, require_flags
from rropt.core.certificates import Certificate
from rropt.core.errors import CertificateError, InvalidMechanismError
from rropt.core.exact import Bracket, Epsilon
from rropt.core.results import Result, labelled, record_of
from rropt.core.results.twins import PosedTwice
from rropt.designs.orders.deficiencies import NearGarbling, near_garbling
from rropt.designs.orders.garblings import (
    DecisionTask,
    ReducedPair,
    cheap_refutation,
    independent_bits_kernel,
    programmed_kernel,
    symmetric_answer,
    unique_kernel,
)
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.columns import Matrix, text_rows
from rropt.mechanisms.imports import required_mechanism, required_mechanisms

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.symbolic.derivations import Derivation
    from rropt.symbolic.posing import Posing

Rows = Sequence[Sequence[Fraction]]

TOKENS_OF_A_NUMBER = 3  # two quotes and a comma
DIGITS_OF_A_BIT = Fraction(3, 10)  # slightly less than log10(2)


def require_readable(*matrices: Rows) -> None:
    """Reject matrices that exceed the checker's limits, before a certificate is written (which takes longer).

    Raises:
        CertificateError: the matrices have too many numbers, or too many digits.
    """
    count = sum(len(matrix) * len(matrix[0]) for matrix in matrices)
    if TOKENS_OF_A_NUMBER * count > MAX_TOKENS:
        raise CertificateError(
            f"the certificate would be too large: it would contain {count} numbers; the checker reads at most "
            f"{MAX_TOKENS // TOKENS_OF_A_NUMBER}; the result itself does not depend on it"
        )
    bits = sum(
        x.numerator.bit_length() + x.denominator.bit_length() for matrix in matrices for row in matrix for x in row
    )
    if bits * DIGITS_OF_A_BIT > MAX_BYTES:
        raise CertificateError(
            f"the certificate would be too large: more than {int(bits * DIGITS_OF_A_BIT)} digits; the checker reads at "
            f"most {MAX_BYTES} bytes; the result itself does not depend on it"
        )


def certify_garbling(source: Mechanism, target: Mechanism, kernel: Mechanism) -> Certificate:
    """Return the certificate that ``target = kernel source``: the target is a garbling of the source."""
    return _garbling(source, target, True, {"kernel": text_rows(kernel.matrix)})


def certify_no_garbling(source: Mechanism, target: Mechanism, payoff: Rows) -> Certificate:
    """Return the certificate that no kernel maps ``source`` to ``target``: a decision problem that shows it.

    Args:
        source: P, m outputs, k inputs.
        target: A, r outputs, k inputs.
        payoff: Y of shape (r, k) with ``sum_o max_i Y_i . P_o < sum_i Y_i . A_i``.
    """
    return _garbling(source, target, False, {"payoff": text_rows(payoff)})


def certify_admissible(mechanism: Mechanism, level: Epsilon) -> Certificate:
    """Return the certificate that a mechanism is admissible within C_gamma, for a rational gamma = exp(level)."""
    return _levels(mechanism, level, {"admissible": True}, {})


def certify_inadmissible(
    mechanism: Mechanism,
    level: Epsilon,
    bracket: Bracket,
    *,
    dominating: Mechanism,
    kernel: Mechanism,
    payoff: Rows,
) -> Certificate:
    """Return the certificate that another member of C_gamma strictly dominates a mechanism.

    Args:
        mechanism: P in C_gamma.
        level: epsilon, with gamma = exp(epsilon).
        bracket: rationals below <= gamma <= above; the parities of P and A are at most ``below``.
        dominating: A in C_gamma.
        kernel: C with P = C A.
        payoff: Y with ``sum_o max_i Y_i . P_o < sum_i Y_i . A_i``, which shows that A is not a garbling of P.
    """
    proof = {
        "brackets": [bracket.written("below", "above")],
        "dominating": text_rows(dominating.matrix),
        "kernel": text_rows(kernel.matrix),
        "payoff": text_rows(payoff),
    }
    return _levels(mechanism, level, {"admissible": False}, proof)


def _stated(mechanism: Mechanism) -> dict[str, Any]:
    """Return the matrix alone: the checker rejects names, and what was read from decimals."""
    return Mechanism.made(None, matrix=mechanism.matrix).to_dict()


def _garbling(source: Mechanism, target: Mechanism, exists: bool, proof: dict[str, Any]) -> Certificate:
    problem = {"source": _stated(source), "target": _stated(target)}
    return Certificate.state("garbling", problem, {"exists": exists}, proof)


def _levels(mechanism: Mechanism, level: Epsilon, claim: dict[str, Any], proof: dict[str, Any]) -> Certificate:
    problem = {"mechanism": _stated(mechanism), "level": level.to_dict()}
    return Certificate.state("mechanism-levels", problem, claim, proof)


class PosedAsGarblings:
    """A result about Blackwell's order: it is posed again as the kernels C with ``A = C P``."""

    __slots__ = ()

    def to_sympy(self) -> Posing:
        """Return the kernels C with ``A = C P``; P is the source (A of a comparison), and A the target (B).

        For a square invertible P, the form has the number ``min C`` as its value and C as its mechanism. The target is
        a garbling iff ``min C >= 0``. The posing of ``comparison.backward`` is that of the other direction. That of a
        partial order has a kernel ``c_i_j`` for each computed pair that has one.

        Raises:
            UnsupportedProblemError: the matrices have too many entries.
        """
        from rropt.symbolic.orders.garblings import to_sympy

        return to_sympy(self)

    def sympy_twin(self) -> Twin:
        """Return the twin of a comparison, of a direction, or of a partial order, with proofs of its own.

        Raises:
            RouteDisagreementError: a proof of the result is wrong, or a proof of its own proves the opposite.
        """
        from rropt.result_twins import garbling_twin

        return garbling_twin(self)

    def to_cvxpy(self) -> Any:
        """Return the program of the deficiency: minimize ``sum abs(target - kernel source)``.

        ``source`` and ``target`` are Parameters, ``kernel`` is the variable. The program of a comparison of A and B is
        that of its first direction, with the source A and the target B; that of ``comparison.backward`` is the other
        one. The program of a partial order is the sum over its computed pairs, with names such as ``kernel[0,1]``.

        Raises:
            UnsupportedProblemError: the kernel has too many entries.
        """
        from rropt.convex.orders.garblings import to_cvxpy

        return to_cvxpy(self)

    def cvxpy_twin(self) -> Twin:
        """Return the deficiencies of both directions (A for B, B for A), compared with the exact kernels and tasks.

        For a partial order these are the pairs that were computed.
        """
        from rropt.convex.orders.garblings import cvxpy_twin

        return cvxpy_twin(self)


@dataclass(frozen=True, slots=True)
class Sufficiency(PosedAsGarblings, Result):
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

    ANSWER = ("is_sufficient", "route")

    @property
    def is_sufficient(self) -> bool:
        """Whether the source is sufficient for the target."""
        return self.kernel is not None

    def checked(self) -> None:
        """Recompute the proof.

        Raises:
            CertificateError: the proof is invalid.
        """
        if (self.kernel is None) is (self.task is None):
            raise CertificateError("a sufficiency has a kernel or a task: received both or none; give one of them")
        self.certificate()

    def __bool__(self) -> bool:
        return self.is_sufficient

    def up_to_rounding(self) -> NearGarbling | None:
        """Return how near the source is to being sufficient, if the rounding of the numbers can explain the rest."""
        return None if self.task is None else near_garbling(self.source, self.target, self.task)

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

    def derivation(self) -> Derivation:
        """Return half a page of proof of a result, with ``markdown()`` and ``latex()``.

        It is written from what SymPy derived and proved for this result, and computed at the call.

        Raises:
            RouteDisagreementError: SymPy proves nothing of what CVXPY finds.
            UnsupportedProblemError: the problem is too large, or it has no finite list of conditions.
        """
        from rropt.result_twins import derivation

        return derivation(self)

    def to_latex(self) -> str:
        """Return a result in LaTeX: its tables and matrices, its closed form as mathematics, and its derivation.

        The packages are amsmath, amssymb, booktabs and graphicx.
        """
        from rropt.symbolic.designs.solution_latex import result_to_latex

        return result_to_latex(self)


def at_least(one: Mechanism, other: Any) -> Any:
    """Return whether a mechanism is sufficient for another one; ``NotImplemented`` if the other one is no mechanism.

    This is ``one >= other``. The proof is exact and takes milliseconds up to a dozen categories; ``sufficient`` returns
    it.
    """
    return bool(sufficient(one, other)) if isinstance(other, Mechanism) else NotImplemented


def at_most(one: Mechanism, other: Any) -> Any:
    """Return whether another mechanism is sufficient for this one: ``one <= other``, as ``at_least``."""
    return bool(sufficient(other, one)) if isinstance(other, Mechanism) else NotImplemented


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
    pair = ReducedPair.of(source, target)
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
class Comparison(PosedAsGarblings, PosedTwice):
    """The relation of two mechanisms A and B in Blackwell's order.

    Attributes:
        forward: whether A is sufficient for B (B = C A), with its proof.
        backward: whether B is sufficient for A, with its proof.
    """

    forward: Sufficiency
    backward: Sufficiency

    ANSWER = ("relation",)

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
        for answer, names in ((self.forward, (first, second)), (self.backward, (second, first))):
            if (near := answer.up_to_rounding()) is not None:
                parts.append(near.explain(*names))
        return "\n".join(parts)

    def __str__(self) -> str:
        return self.explain()

    @classmethod
    def recompute(cls, mechanisms: tuple[Mechanism, Mechanism]) -> Comparison:
        """Recompute the comparison of A and B; used to read files."""
        return compare(*mechanisms, fast=True)

    def lines(self) -> list[tuple[str, str]]:
        """Return the relation, and the decision task of each refutation, as label and value."""
        first, *rest = self.explain().split("\n")
        return [("relation", first), *(("why", text) for text in rest), *self.twin_lines()]

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
        near = {name: found for name, d in directions.items() if (found := d.up_to_rounding()) is not None}
        record = record_of(
            {
                "mechanisms": (self.forward.source, self.forward.target),
                "relation": self.relation,
                "witness": {name: d.kernel.to_dict()["matrix"] for name, d in directions.items() if d.kernel} or None,
                "refutation": {name: d.task for name, d in directions.items() if d.task} or None,
                **({"up_to_rounding": near} if near else {}),
            }
        )
        return self.with_twins(record)


@clear_calls
def compare(first: Mechanism | str, second: Mechanism | str, *, fast: bool = False) -> Comparison:
    """Compare two mechanisms in Blackwell's order.

    A is better than B if B is a garbling of A (``B = C A``) but not conversely. Then A is at least as good as B for
    every decision problem. The order is partial; most pairs are incomparable.

    Args:
        first: A, any number of outputs, k inputs; or its text form, such as ``"warner:3/4"``.
        second: B, any number of outputs, k inputs.
        fast: whether to leave out the twins: the comparison with SymPy and CVXPY (``comparison.twins``).

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
    require_flags(fast=fast)
    first, second = required_mechanism(first, "the first mechanism"), required_mechanism(second, "the second mechanism")
    comparison = Comparison(sufficient(first, second), sufficient(second, first))
    return comparison if fast else comparison.compared_twice()


@dataclass(frozen=True, slots=True)
class ProductSufficiency(Result):
    """The result of ``sufficient_products``; its truth value is whether the product is sufficient for the other one.

    Attributes:
        factors: the results for the questions, in order, up to the first negative one.
    """

    factors: tuple[Sufficiency, ...]

    LABELS = labelled(is_sufficient="sufficient")

    @property
    def is_sufficient(self) -> bool:
        """Whether every factor of the source is sufficient for that of the target."""
        return bool(self)

    def __bool__(self) -> bool:
        return all(self.factors)

    def kernel(self) -> ProductMechanism | None:
        """Return the kernel C of the products; ``None`` if a factor has no kernel."""
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

    ANSWER = ("relation",)
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
        return [("relation", first), *(("why", text) for text in rest), *self.twin_lines()]

    def twin_lines(self) -> list[tuple[str, str]]:
        """Return the line of the twins of each distinct pair."""
        return [line for comparison in self.comparisons for line in comparison.twin_lines()]

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


def compare_products(first: Mechanism, second: Mechanism, *, fast: bool = False) -> ProductComparison | None:
    """Compare two products of the same questions in the same order; ``None`` for other mechanisms.

    Cost: twice that of `sufficient` for each distinct pair of mechanisms. Source: as for ``sufficient_products``.

    Args:
        first, second: products of the same questions, in the same order.
        fast: whether to leave out the twins of the pairs.

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
    return ProductComparison(tuple(map(tuple, alike.values())), tuple(compare(*pair, fast=fast) for pair in alike))
