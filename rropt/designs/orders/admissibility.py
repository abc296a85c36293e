"""Admissibility: whether another mechanism at the same privacy level is strictly more informative.

For gamma > 1, C_gamma is the class of mechanisms with at least 2 outputs, no zero row, no two proportional rows and
parity at most gamma. P in C_gamma is inadmissible if P is a garbling of a member A, P = C A, and A is not a garbling of
P. By Chai and Nayak (2018), Theorems 4.2 and 4.3, P is admissible iff it lies in C_gamma^0:

    C1   every row has parity exactly gamma;
    C2   every row has exactly two distinct values.

So C_gamma^0 is a minimal complete class. Every other member is strictly dominated by a member of C_gamma^0, which
``dominating_mechanisms.py`` constructs, and no member of C_gamma^0 can be omitted.

If gamma is irrational, no rational matrix satisfies C1. The parity of a rational P is then below some rational
gamma' < gamma, and P is already dominated within C_gamma'. The same holds under a privacy criterion, where gamma is
B(h) and may be algebraic.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidMechanismError, InvalidParameterError, UnsupportedProblemError, required, shown
from rropt.core.exact import Epsilon, as_text, decimal_text
from rropt.core.results import record_of
from rropt.core.results.twins import PosedTwice
from rropt.designs.orders.dominating_mechanisms import (
    Domination,
    MergedRows,
    RowReason,
    dominate,
    level_bracket,
    merge_proportional_rows,
    row_reasons,
)
from rropt.designs.orders.sufficiency import (
    certify_admissible,
    certify_garbling,
    certify_inadmissible,
    certify_no_garbling,
    require_readable,
)
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import Matrix
from rropt.mechanisms.imports import required_mechanism

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.privacy import CriterionLevel, ParityBound
    from rropt.symbolic.posing import Posing


@dataclass(frozen=True, slots=True)
class Admissibility(PosedTwice):
    """The result of ``admissible``; its truth value is whether the mechanism is admissible.

    Attributes:
        mechanism: the given P.
        level: epsilon = log(gamma).
        merged: P with proportional rows merged, to which the certificate refers.
        reasons: for each row, why P is not in C_gamma^0; empty iff P is admissible.
        domination: an admissible mechanism that strictly dominates P; ``None`` if P is admissible. Its gamma is that of
            the level; at an irrational level, it is a rational number between the parity of P and gamma.
    """

    mechanism: Mechanism
    level: Epsilon
    merged: MergedRows
    reasons: tuple[RowReason, ...]
    domination: Domination | None

    ANSWER = ("admissible", "level")

    def __bool__(self) -> bool:
        return self.admissible

    @property
    def admissible(self) -> bool:
        """Whether no mechanism at the level is strictly more informative."""
        return self.domination is None

    @classmethod
    def recompute(cls, mechanism: Mechanism, level: Epsilon) -> Admissibility:
        """Recompute the result; used to read files."""
        return admissible(mechanism, level, fast=True)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; ``dominating`` and ``garbling`` are null for an admissible mechanism."""
        better, gamma = self.domination, self.level.gamma
        record = record_of(
            {
                "mechanism": self.mechanism,
                "admissible": self.admissible,
                "level": self.level,
                "gamma": f"exp({self.level})" if gamma is None else gamma,
                "parity": self.parity,
                "reasons": [reason.to_dict() for reason in self.reasons],
                "merged": [group for group in self.merged.groups if len(group) > 1],
            }
        )
        dominating = None if better is None else {**better.mechanism.to_dict(), "gamma": as_text(better.gamma)}
        kernel = self.kernel and self.kernel.to_dict()["matrix"]
        return self.with_twins({**record, "dominating": dominating, "garbling": kernel})

    def lines(self) -> list[tuple[str, str]]:
        """Return the result, the level, the merged rows and the reasons, as label and value."""
        merged = [("merged", f"rows {', '.join(map(str, rows))}") for rows in self.merged.groups if len(rows) > 1]
        told = [("admissible", "yes" if self.admissible else "no"), ("level", f"epsilon = {self.level}"), *merged]
        return [*told, *(("reason", str(reason)) for reason in self.reasons), *self.twin_lines()]

    def matrices(self) -> dict[str, Matrix]:
        """Return the strictly better mechanism and the kernel; empty for an admissible mechanism."""
        if self.domination is None or self.kernel is None:
            return {}
        level = "" if self.domination.gamma == self.level.gamma else " at its own parity"  # gamma is irrational
        better = {f"strictly better, and admissible{level} (rows are outputs)": self.domination.mechanism.matrix}
        return {**better, "C: mechanism = C better": self.kernel.matrix}

    @property
    def has_halves(self) -> bool:
        """Whether ``certificate`` and ``refutation`` are both needed for the proof (only for an uninformative P)."""
        return self.merged.mechanism.outputs == 1

    @property
    def parity(self) -> Fraction:
        """The parity of the mechanism, at most gamma."""
        return _finite_parity(self.mechanism)

    @property
    def kernel(self) -> Mechanism | None:
        """The kernel C with ``mechanism = C dominating``, for the given rows; ``None`` if P is admissible."""
        return None if self.domination is None else self.merged.split @ self.domination.kernel

    def certificate(self) -> Certificate:
        """Return the certificate of admissibility, or of strict domination, for the merged mechanism.

        A mechanism whose rows are all proportional has one output after merging and belongs to no C_gamma. Then this
        certificate proves only the garbling, and ``refutation`` proves strictness.

        Raises:
            CertificateError: there are too many numbers, or too long ones, for the checker.
        """
        subject = self.merged.mechanism
        if self.domination is None:
            return certify_admissible(subject, self.level).require_accepted()
        better = self.domination
        if subject.outputs == 1:
            return certify_garbling(better.mechanism, subject, better.kernel).require_accepted()
        require_readable(subject.matrix, better.mechanism.matrix, better.kernel.matrix, better.payoff)
        return certify_inadmissible(
            subject,
            self.level,
            level_bracket(self.level, self.parity),
            dominating=better.mechanism,
            kernel=better.kernel,
            payoff=better.payoff,
        ).require_accepted()

    def refutation(self) -> Certificate | None:
        """Return the certificate that the dominating mechanism is not a garbling of P; ``None`` if P is admissible.

        Raises:
            CertificateError: the numbers are too long for the checker.
        """
        if self.domination is None:
            return None
        better = self.domination
        return certify_no_garbling(self.merged.mechanism, better.mechanism, better.payoff).require_accepted()

    def to_sympy(self) -> Posing:
        """Return the layers of the row with most distinct values: the weights c, with the row as their mixture.

        Raises:
            UnsupportedProblemError: the mechanism has too many entries.
        """
        from rropt.symbolic.orders.admissibility import to_sympy

        return to_sympy(self)

    def sympy_twin(self) -> Twin:
        """Return whether every row has one layer, and check the dominating mechanism: ``P = C A`` with rows of one
        layer.

        Raises:
            RouteDisagreementError: the layers give another answer or other reasons, or the dominating mechanism is
                wrong.
        """
        from rropt.symbolic.orders.admissibility import sympy_twin

        return sympy_twin(self)

    def to_cvxpy(self) -> Any:
        """Return the linear program of the finest splitting; its value is the gain, which is 0 iff P is admissible.

        ``weights`` has the shape (rows of P, rays); the rays are ``itertools.product`` of {1, gamma} without the first
        one. ``gamma`` is a Parameter.

        Raises:
            UnsupportedProblemError: there are too many rays.
        """
        from rropt.convex.orders.admissibility import to_cvxpy

        return to_cvxpy(self)

    def cvxpy_twin(self) -> Twin:
        """Return the gain of the finest splitting, compared with 0 or with the gain of the dominating mechanism."""
        from rropt.convex.orders.admissibility import cvxpy_twin

        return cvxpy_twin(self)


def admissible(mechanism: Mechanism, level: object = None, *, fast: bool = False) -> Admissibility:
    """Decide whether a mechanism is admissible at a privacy level. If not, return a strictly better mechanism.

    Conditions C1 and C2 decide (module docstring). Proportional rows are merged first, which does not change the
    information (Remark 4.1).

    Args:
        mechanism: P, m outputs, k >= 2 inputs, without zero rows.
        level: epsilon > 0 in nats: a number, ``"log(q)"``, ``"r*log(q)"`` or an ``Epsilon``; by default the level of
            the mechanism itself, the logarithm of its parity.
        fast: whether to leave out the twins: the comparison with SymPy and CVXPY (``answer.twins``).

    Raises:
        InvalidMechanismError: the mechanism has one input, a zero row, or a parity above exp(level).
        InvalidParameterError: the level is 0 or has an invalid form.

    Cost: O(m k) for the verdict, O(m k r) for the kernel with r <= m (k - 1) staircase rows.
    Source: Chai and Nayak (2018), Theorems 4.2 and 4.3; Lemmas 4.3 and 4.4 for the dominating mechanism.

    >>> answer = admissible(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]), "log(3)")
    >>> answer.admissible, str(answer.reasons[0])
    (False, 'row 0: parity 2, below gamma = 3 (C1)')
    >>> print(*answer.domination.mechanism.matrix[0], [float(x) for x in answer.domination.mechanism.matrix[0]])
    3/4 1/4 [0.75, 0.25]
    >>> admissible(answer.domination.mechanism, "log(3)").admissible
    True
    """
    mechanism = required_mechanism(mechanism)
    if mechanism.inputs < 2:
        raise InvalidMechanismError(
            f"the mechanism has one input: received shape {mechanism.shape}; admissibility is about at least 2 "
            "categories, since with one there is nothing to ask"
        )
    merged = merge_proportional_rows(mechanism)
    parity = _finite_parity(mechanism)
    epsilon = _level(parity, level)
    reasons = tuple(row_reasons(merged, epsilon))
    domination = dominate(merged.mechanism, level_bracket(epsilon, parity).lower) if reasons else None
    answer = Admissibility(mechanism, epsilon, merged, reasons, domination)
    return answer if fast else answer.compared_twice()


def admissible_under(mechanism: Mechanism, level: CriterionLevel, *, fast: bool = False) -> Admissibility:
    """Decide, exactly at B(h), whether a mechanism is admissible among those that satisfy a privacy criterion.

    A mechanism satisfies the criterion iff its parity is at most B(h). If a rational gamma with
    ``parity < gamma <= B(h)`` is known, P is dominated within C_gamma and therefore inadmissible. If B(h) is
    irrational, this applies to every P that satisfies the criterion.

    Args:
        mechanism: P, as for ``admissible``.
        level: the level of the criterion, from ``criterion_level``.
        fast: whether to leave out the twins: the comparison with SymPy and CVXPY (``answer.twins``).

    Returns:
        The result at B(h). If B(h) was rounded, its level is that of the dominating mechanism, between the parity and
        B(h).

    Raises:
        InvalidMechanismError: as for ``admissible``, or the parity exceeds B(h).
        UnsupportedProblemError: undecided, because the parity lies inside the enclosure of B(h).

    Source: Chai and Nayak (2018), Theorems 3.1, 4.2 and 4.3.

    >>> from rropt.mechanisms import named_mechanism
    >>> from rropt.privacy import canonical_information_privacy, criterion_level
    >>> level = criterion_level(canonical_information_privacy("min(1, 2*p + 1/10)"))  # B = 3.763..., irrational
    >>> answer = admissible_under(named_mechanism("warner:79/100"), level)
    >>> bool(answer), str(answer.parity), float(answer.parity), float(answer.level.gamma)
    (False, '79/21', 3.761904761904762, 3.7630656197094887)
    """
    from rropt.privacy.criterion_region import CriterionLevel

    required(level, CriterionLevel, "the level", "criterion_level(criterion)")
    mechanism = required_mechanism(mechanism)
    parity, bound = _finite_parity(mechanism), level.bound
    if bound.allows(parity) is False:
        raise InvalidMechanismError(
            f"the parity of the mechanism exceeds B(h): received parity {shown(parity)}, and B(h) is {_value(bound)}; "
            "allowed is a parity of at most B(h); take another criterion or leave it out"
        )
    if not level.is_rounded:
        return admissible(mechanism, level.epsilon, fast=fast)
    gamma = level.gamma_beyond(parity)
    if gamma is not None:
        return admissible(mechanism, Epsilon.of_parity(gamma), fast=fast)
    if bound.lower is not None and 1 < parity <= bound.lower:  # a P dominated at the lower bound is dominated at B(h)
        answer = admissible(mechanism, Epsilon.of_parity(parity), fast=fast)
        if not answer or bound.lower == bound.upper:
            return answer
    raise UnsupportedProblemError(
        f"not decided: the parity {shown(parity)} of the mechanism lies inside the enclosure of B(h), which is "
        f"{_value(bound)}; rewrite the function, or give `gamma`"
    )


def _value(bound: ParityBound) -> str:
    """Return the value of B(h), or its bounds, as text."""
    if bound.kind == "exact" or bound.lower is None:
        return bound.value
    upper = "infinity" if bound.upper is None else decimal_text(bound.upper, 15)
    return f"between {decimal_text(bound.lower, 15)} and {upper}"


def _finite_parity(mechanism: Mechanism) -> Fraction:
    parity = mechanism.parity()
    if parity is None:
        raise InvalidMechanismError(
            "the parity of the mechanism is infinite: received a row with a zero and a positive entry; allowed are "
            "positive entries, since admissibility is about finite levels; design a mechanism of finite epsilon"
        )
    return parity


def _level(parity: Fraction, level: object) -> Epsilon:
    """Return the level, after checking that it is above 0 and that the parity does not exceed it."""
    if level is None and parity == 1:
        raise InvalidMechanismError(
            "the mechanism has parity 1: received outputs that are independent of the truth; at that level no "
            "mechanism reveals anything; give a level above 0, e.g. log(3)"
        )
    epsilon = Epsilon.of_parity(parity) if level is None else Epsilon.of(level)
    if epsilon.is_infinite or epsilon == Epsilon.of(0):
        raise InvalidParameterError(
            f"the level is out of range: received epsilon = {epsilon}; allowed is a finite epsilon > 0: at 0 every "
            "output is independent of the truth"
        )
    if epsilon.exact_gamma() < parity:
        raise InvalidMechanismError(
            f"the parity of the mechanism exceeds the level: received parity {shown(parity)} at epsilon = "
            f"{epsilon}; allowed is a parity of at most exp(epsilon): leave the level out for that of the mechanism, "
            "or make it private at this level with `rropt repair`"
        )
    return epsilon
