r"""``equal_devices``: devices for n yes/no questions under a total budget (epsilon, delta): ``compose`` inverted.

With delta = 0 the optimal split is that of ``design_bits``. With delta > 0 every question has the same device of
Warner, p00 = p11 = p, and p is the largest one for which the full report is (epsilon, delta)-private:

    ``delta(p) = sum_j C(n, j) max(0, p^(n-j) q^j - gamma q^(n-j) p^j) <= delta``

with ``q = 1 - p`` and ``gamma = exp(epsilon)``

(Kairouz, Oh and Viswanath 2015, Theorem 3.3, with n equal levels and delta_i = 0). delta(p) increases in p, since the
device at a smaller p is a garbling of that at a larger one. So one number is sought. It is bracketed in ball arithmetic
and proved in integers: the returned p is private at a rational gamma below exp(epsilon), and a number just above it is
not private at one above. Equal devices are a restriction: that no unequal devices are better with delta > 0 is not
proved here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Any, ClassVar

from rropt.accounting.composition_proofs import certify_on_lattice
from rropt.accounting.items import Item
from rropt.core.certificates import Certificate
from rropt.core.errors import InfeasibleError, InvalidParameterError, shown
from rropt.core.exact import Bounded, Bracket, Delta, Epsilon, as_text, both_texts, decimal_text
from rropt.core.exact.rational_bounds import ball, bracket
from rropt.core.results import Result, Table, labelled
from rropt.core.results.result_frames import row_with
from rropt.designs.bits import design_bits, drawable_parity
from rropt.designs.splits import Objective, split_objective
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.displays import probability_texts

_DIGITS = 60  # of the rational bounds of exp(epsilon) and of an irrational delta
_HALVINGS = 200  # of [0, 1/2], which contains p - 1/2
_PRECISION = 600  # bits of the search, whose result is proved in integers
_WIDTH = 180  # bits to which p is bracketed
_SPARE = Fraction(1, 10**29)  # of delta, for the claim of a certificate, which is rounded up in its 30th decimal
_MOST_EPSILON = 300


@dataclass(frozen=True, slots=True)
class EqualQuestionDevices(Result, Bounded):
    """Equal Warner devices for n questions whose full report is (epsilon, delta)-private.

    Attributes:
        lower, upper: bounds of the objective at the largest p; ``upper`` is its value at the returned devices.
        level, delta: the budget of the full report.
        objective: ``marginals`` or ``joint``, as for ``design_bits``.
        prevalences: the assumed Pr(yes) of each question.
        mechanism: the devices.
        p: bounds of the largest p; the lower one is p of the returned devices.
        pure: the objective of equal devices with the same epsilon and delta = 0; ``None`` if epsilon is 0.
        certificate: a proof that delta of the full report is at most the given one; ``None`` if the checker accepts
            none.
    """

    lower: Fraction
    upper: Fraction
    level: Epsilon
    delta: Delta
    objective: str
    prevalences: tuple[Fraction, ...]
    mechanism: ProductMechanism
    p: Bracket
    pure: Fraction | None
    certificate: Certificate | None = field(default=None)

    LABELS = labelled(
        level="epsilon of the full report, at most",
        delta="delta of the full report, at most",
        probability="p00 = p11 of each device",
        question_level="epsilon of each question",
        objective="objective",
        value="value of the objective",
        pure="value with delta = 0",
        **dict.fromkeys(["lower", "upper", "mechanism", "prevalences", "p", "n_variances", "certificate"], ""),
    )
    bound_certificate: ClassVar[None] = None

    @classmethod
    def recompute(
        cls, level: Epsilon, delta: Delta, objective: str, prevalences: tuple[Fraction, ...]
    ) -> EqualQuestionDevices:
        """Return the devices of a record, computed again."""
        return _equal_devices(level, delta, split_objective(objective, None, None, list(prevalences)))

    @property
    def probability(self) -> Fraction:
        """The probability p of a true response."""
        return self.p.lower

    @property
    def question_level(self) -> Epsilon:
        """The level of each question."""
        return self.mechanism.differing_epsilon(1)

    @property
    def parities(self) -> tuple[Fraction, ...]:
        """The parity of each question's device, its largest likelihood ratio."""
        return (self.probability / (1 - self.probability),) * len(self.prevalences)

    @property
    def value(self) -> Fraction:
        """The objective of the returned devices."""
        return self.upper

    @property
    def n_variances(self) -> tuple[Fraction, ...]:
        """The n Var of each estimated prevalence."""
        p = self.probability
        return tuple(pi * (1 - pi) + p * (1 - p) / (2 * p - 1) ** 2 for pi in self.prevalences)

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each question: prevalence, probability of the truth and n Var."""
        pairs = zip(self.prevalences, self.n_variances, strict=True)
        return [row_with(question=i, prevalence=pi, p=self.probability, n_var=v) for i, (pi, v) in enumerate(pairs)]

    def as_tables(self) -> list[Table]:
        """Return a table of the questions, and the table of ``lines``."""
        device = probability_texts(self.mechanism.factors[0])[0]
        pairs = zip(self.prevalences, self.n_variances, strict=True)
        rows = [(str(i), both_texts(pi, 6), device, both_texts(v, 6)) for i, (pi, v) in enumerate(pairs)]
        header = ("question", "prevalence", "p00 = p11", "n Var")
        return [("Devices", header, rows), ("Several questions", None, self.lines())]

    def lines(self) -> list[tuple[str, str]]:
        """Return the results as (label, value) pairs."""
        ends = f"{decimal_text(self.p.lower, 20)} to {decimal_text(self.p.upper, 20)}"
        told = [*Result.lines(self)]
        if self.pure is not None:
            told.append(("variance with delta = 0 relative to this", decimal_text(self.pure / self.value, 9)))
        proof = "computed in integers, no certificate"
        if self.certificate is not None:
            proof = f"a certificate proves delta <= {decimal_text(Fraction(self.certificate.claim['upper']), 15)}"
        return [*told, ("largest p of equal devices", ends), ("proof", proof)]


def equal_devices(
    epsilon: object,
    delta: object,
    *,
    questions: int | None = None,
    prevalences: Sequence[object] | None = None,
    objective: str = "marginals",
) -> EqualQuestionDevices:
    """Return the most precise device of Warner for n yes/no questions whose full report is (epsilon, delta)-private.

    Args:
        epsilon, delta: the budget of the full report: for inputs that differ in any number of questions; delta > 0.
        questions, prevalences, objective: as for ``design_bits``.

    Raises:
        InfeasibleError: the budget is too small for a device.
        InvalidParameterError: delta is 0 or 1, or an argument is invalid.

    >>> found = equal_devices(1, "1/1000000", questions=30)
    >>> print(round(float(found.probability), 15), round(float(found.pure / found.value), 6))
    0.511431587549023 1.882158
    """
    level, slack = Epsilon.of(epsilon), Delta.of(delta)
    if slack == Delta.of(0):
        raise InvalidParameterError(
            "devices under a delta need one: received delta = 0; give `delta`, or call rropt.design.questions"
        )
    wanted = split_objective(objective, questions, None, prevalences)
    if slack.rational == 1:
        raise InvalidParameterError("delta = 1 allows every response: received 1; allowed is 0 <= delta < 1")
    if not float(level) <= _MOST_EPSILON:
        raise InvalidParameterError(
            f"epsilon is out of range: received {shown(str(level))}; allowed is 0 <= epsilon <= {_MOST_EPSILON} (nats)"
        )
    return _equal_devices(level, slack, wanted)


def _equal_devices(level: Epsilon, delta: Delta, objective: Objective) -> EqualQuestionDevices:
    n = len(objective.prevalences)
    gamma, most = level.gamma_bracket(_DIGITS), delta.bracket(_DIGITS)
    spare = min(_SPARE, most.lower / 10**12)
    start = _largest(n, gamma, Bracket(most.lower - spare, most.upper))
    parity = drawable_parity(start.lower / (1 - start.lower))
    p = Bracket(parity / (1 + parity), start.upper)
    if p.lower <= Fraction(1, 2) or _joint_delta(n, p.lower, gamma.lower) > most.lower:
        raise InfeasibleError(
            f"the budget is too small for a device: received epsilon = {level}, delta = {delta} for {n} questions; "
            "allow more"
        )
    each = Mechanism.binary(p.lower, p.lower)
    item = Item(f"warner:{as_text(p.lower)}", Epsilon.of_parity(parity), Delta.of("0"), n)
    proof = certify_on_lattice([item], level)
    is_proof = proof is not None and Fraction(proof.claim["upper"]) <= most.lower
    values = [objective.value((x / (1 - x),) * n) for x in p]
    pure = None
    if level != Epsilon.of(0):
        pure = design_bits(level, prevalences=list(objective.prevalences), objective=objective.kind, fast=True).value
        pure *= objective.shares[0] if objective.kind == "marginals" else 1
    return EqualQuestionDevices(
        min(values),
        values[0],
        level,
        delta,
        objective.kind,
        objective.prevalences,
        ProductMechanism([each] * n),
        p,
        pure,
        proof if is_proof else None,
    )


def _joint_delta(n: int, p: Fraction, gamma: Fraction) -> Fraction:
    """Return delta of n equal Warner devices at a rational gamma, exactly."""
    a, below = p.as_integer_ratio()
    b, (g, h) = below - a, gamma.as_integer_ratio()
    powers = [[1], [1]]
    for own, x in zip(powers, (a, b), strict=True):
        for _ in range(n):
            own.append(own[-1] * x)
    likely, rare = powers
    terms = ((h * likely[n - j] * rare[j] - g * rare[n - j] * likely[j]) * comb(n, j) for j in range(n // 2 + 1))
    return Fraction(sum(max(term, 0) for term in terms), h * below**n)


def _largest(n: int, gamma: Bracket, delta: Bracket) -> Bracket:
    """Return bounds of the largest p with delta(p) <= delta, proved in integers.

    Args:
        n: the number of questions.
        gamma: the lower bound is proved at its lower end, the upper bound at its upper end.
        delta: likewise.
    """
    unit = Fraction(1, 1 << _WIDTH)
    least = _steps(n, gamma.lower, delta.lower) - 1
    further = 1
    while least > 0 and _joint_delta(n, (1 + least * unit) / 2, gamma.lower) > delta.lower:
        least, further = least - further, 2 * further
    greatest = _steps(n, gamma.upper, delta.upper) + 2
    further = 1
    while greatest * unit < 1 and _joint_delta(n, (1 + greatest * unit) / 2, gamma.upper) <= delta.upper:
        greatest, further = greatest + further, 2 * further
    return Bracket((1 + max(least, 0) * unit) / 2, min((1 + greatest * unit) / 2, Fraction(1)))


def _steps(n: int, gamma: Fraction, delta: Fraction) -> int:
    """Return 2 p - 1 for the largest p in steps of 2^-_WIDTH, by bisection in ball arithmetic."""
    from flint import arb, ctx

    with ctx.workprec(_PRECISION):
        ratio, most = ball(gamma), ball(delta)

        def exceeds(x: Any) -> bool:
            p, q = (1 + x) / 2, (1 - x) / 2
            total, step = arb(0), q / p
            likely, rare, choices = p**n, ratio * q**n, 1
            for j in range(n // 2 + 1):
                if not likely > rare:
                    break
                total += choices * (likely - rare)
                likely, rare, choices = likely * step, rare / step, choices * (n - j) // (j + 1)
            return bool(total > most)

        low, high = arb(0), arb(1)
        for _ in range(_HALVINGS):
            middle = ((low + high) / 2).mid()
            low, high = (low, middle) if exceeds(middle) else (middle, high)
        return int(bracket(low).lower * (1 << _WIDTH))
