"""Write certificates of garbling, parity and admissibility (FORMAT.md, rules 7, 8 and 18)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rropt.checker.limits import MAX_BYTES, MAX_TOKENS
from rropt.core.certificates.record import Certificate
from rropt.core.errors import CertificateError
from rropt.core.exact import Bracket, Epsilon
from rropt.core.exact.display import extended_text
from rropt.mechanisms import Mechanism
from rropt.mechanisms.hockey_stick import largest_excess
from rropt.mechanisms.mechanism import text_rows

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
    witness = {"rule": "garbling", "kernel": text_rows(kernel.matrix)}
    return _write(source, target, {"kind": "garbling"}, witness)


def certify_no_garbling(source: Mechanism, target: Mechanism, payoff: Rows) -> Certificate:
    """Return the certificate that no kernel maps ``source`` to ``target``: a decision problem that shows it.

    Args:
        source: P, m outputs, k inputs.
        target: A, r outputs, k inputs.
        payoff: Y of shape (r, k) with ``sum_o max_i Y_i . P_o < sum_i Y_i . A_i``.
    """
    return _write(source, target, {"kind": "no-garbling"}, {"rule": "decision", "payoff": text_rows(payoff)})


def certify_parity(mechanism: Mechanism) -> Certificate:
    """Return the certificate of the parity of a mechanism, its largest ratio of two entries of a row."""
    parity = mechanism.parity()
    claim = {"kind": "parity", "parity": extended_text(parity, "infinite")}
    return Certificate.write(_problem(mechanism, None), claim, {"rule": "parity"})


def certify_profile(mechanism: Mechanism, level: Epsilon, bracket: Bracket) -> Certificate:
    """Return the certificate that ``lower <= delta(level) <= upper``, from delta at the endpoints of a gamma bracket.

    Args:
        mechanism: any mechanism.
        level: a finite epsilon.
        bracket: a bracket of exp(level).
    """
    lower, upper = (largest_excess(mechanism.design_matrix, gamma) for gamma in (bracket.upper, bracket.lower))
    claim = {"kind": "profile", **Bracket(lower, upper).written()}
    return Certificate.write(
        _problem(mechanism, level), claim, {"rule": "parity", "gamma": bracket.written("below", "above")}
    )


def certify_admissible(mechanism: Mechanism, level: Epsilon) -> Certificate:
    """Return the certificate that a mechanism is admissible within C_gamma, for a rational gamma = exp(level)."""
    return Certificate.write(_problem(mechanism, level), {"kind": "admissible"}, {"rule": "admissible"})


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
    witness = {
        "rule": "dominated",
        "gamma": bracket.written("below", "above"),
        "dominating": text_rows(dominating.matrix),
        "kernel": text_rows(kernel.matrix),
        "payoff": text_rows(payoff),
    }
    return Certificate.write(_problem(mechanism, level), {"kind": "inadmissible"}, witness)


def _write(source: Mechanism, target: Mechanism, claim: dict[str, Any], witness: dict[str, Any]) -> Certificate:
    problem = {"kind": "garbling", "source": Mechanism(source).to_dict(), "target": Mechanism(target).to_dict()}
    return Certificate.write(problem, claim, witness)


def _problem(mechanism: Mechanism, level: Epsilon | None) -> dict[str, Any]:
    return {
        "kind": "mechanism",
        "mechanism": Mechanism(mechanism).to_dict(),
        "level": None if level is None else level.to_dict(),
    }
