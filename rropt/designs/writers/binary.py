"""Write the certificates of two categories: the statements ``binary-bracket`` and ``budget-split`` of the checker.

The second one covers independent questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rropt.core.certificates.record import Certificate
from rropt.core.certificates.record_proofs import part_of
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Bracket, Epsilon, as_text
from rropt.core.exact.texts import fraction_of
from rropt.designs.writers.bracket_writer import levels_of
from rropt.mechanisms import Mechanism
from rropt.privacy import RationalLevel, RationalLevels, Region

STATEMENT = "binary-bracket"


def certify_binary_bracket(
    region: Region,
    interval: tuple[Fraction, Fraction],
    levels: RationalLevels,
    ends: Bracket,
    designs: Sequence[Mechanism],
    *,
    goal: str = "variance",
    are_all: bool = False,
    optimal_set: Mapping[str, list[str]] | None = None,
) -> Certificate:
    """Return the certificate that ``lower <= optimum <= upper``, which the first of the designs attains.

    Args:
        region, interval, goal: the problem, as in ``binary_problem``.
        levels: rational levels around the problem's level.
        ends: the lower bound, at the level above, and the value of the first design.
        designs: optimal designs in the region at the level below.
        are_all: whether they are all optimal vertices, in ascending order of (p00, p11); else this is not claimed.
        optimal_set: the segment of optimal designs at prevalence 0 or 1, or ``None``.
    """
    written = [design.to_dict() for design in designs]
    claim = {**ends.written(), "mechanism": written[0], "optima": written if are_all else None, "set": optimal_set}
    problem = binary_problem(region.certified_dict(), interval, goal)
    return Certificate.state(STATEMENT, problem, claim, {"brackets": levels.to_list()})


def binary_problem(
    region: Mapping[str, Any], interval: tuple[Fraction, Fraction], goal: str = "variance"
) -> dict[str, Any]:
    """Return the problem of two categories in the form that certificates use.

    Args:
        region: a region of two inputs and two or three outputs, as ``certified_dict`` returns it.
        interval: the prevalences L <= H.
        goal: ``"variance"`` or ``"regret"``, at the worst prevalence of the interval.

    Raises:
        UnsupportedProblemError: the region has other than two inputs.
    """
    if region["inputs"] != "2":
        raise UnsupportedProblemError(
            f"a prevalence is defined for two categories: received {region['inputs']} inputs; allowed are 2"
        )
    low, high = map(as_text, interval)
    return {
        "outputs": region["outputs"],
        "levels": levels_of(region),
        "family": region.get("family", "all"),
        "goal": goal,
        "from": low,
        "to": high,
    }


def certified_levels(certificate: Certificate, what: str) -> RationalLevels:
    """Return the rational levels in a certificate of a region with one level.

    Raises:
        FileFormatError: the certificate has none.
    """
    (bracket,) = part_of(certificate, "proof", "brackets", what)
    gamma, delta = bracket["gamma"], bracket["delta"]
    below, above = (RationalLevel(fraction_of(gamma[end]), fraction_of(delta[end])) for end in ("below", "above"))
    return RationalLevels.single(below, above)


def certify_bits(
    epsilon: Epsilon, gamma: Bracket, objective: Mapping[str, Any], mechanism: Mechanism, ends: Bracket
) -> Certificate:
    """Return the certificate that a privacy budget is split optimally over independent questions.

    Args:
        epsilon: the budget.
        gamma: a bracket of exp(epsilon).
        objective: ``marginals`` or ``joint``, in the form that certificates use.
        mechanism: the product of Warner's mechanisms, one for each question.
        ends: the bounds of the optimum, exact or rounded outwards.
    """
    claim = {**ends.written(), "mechanism": mechanism.form()}
    proof = {"brackets": [gamma.written("below", "above")]}
    return Certificate.state("budget-split", bits_problem(epsilon, objective), claim, proof)


def bits_problem(epsilon: Epsilon, objective: Mapping[str, Any]) -> dict[str, Any]:
    """Return the problem of a budget that is split over independent questions, in the form that certificates use."""
    return {"epsilon": epsilon.to_dict(), "objective": dict(objective)}
