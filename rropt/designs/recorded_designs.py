"""Read the designs that an accepted certificate of a design problem claims."""

from __future__ import annotations

from typing import Any, TypeVar

from rropt.core.certificates import Certificate
from rropt.core.certificates.record_proofs import part_of, require_same_problem
from rropt.core.exact.texts import fraction_of
from rropt.designs.problem import Problem
from rropt.designs.routes import ProvedDesign
from rropt.designs.writers.binary import STATEMENT as BINARY
from rropt.designs.writers.binary import binary_problem
from rropt.designs.writers.bracket_writer import stated_problem
from rropt.mechanisms import Mechanism

Proved = TypeVar("Proved", bound=ProvedDesign)


def recorded_design(problem: Problem, certificate: Certificate) -> ProvedDesign:
    """Return the bracket and the design that the certificate of a design problem claims; the dual stays in it.

    Raises:
        FileFormatError: the certificate belongs to another problem, or its claim has no bracket and mechanism.
    """
    return recorded_design_of(ProvedDesign, problem, certificate)


def recorded_design_of(kind: type[Proved], problem: Problem, certificate: Certificate) -> Proved:
    """Return the result of ``recorded_design`` as a given type of results."""
    require_same_problem(certificate, problem_of(certificate, problem), "solution")
    lower, upper = (fraction_of(part_of(certificate, "claim", end, "solution")) for end in ("lower", "upper"))
    mechanism = Mechanism.from_dict(part_of(certificate, "claim", "mechanism", "solution"))
    return kind(lower, upper, mechanism, None)


def problem_of(certificate: Certificate, problem: Problem) -> dict[str, Any]:
    """Return a problem in the form that its certificate contains."""
    document = problem.certified_dict()
    region = document["region"]
    if certificate.statement == BINARY and problem.objective.is_of_prevalence and "outputs" in region:
        return binary_problem(region, (problem.prevalence,) * 2)
    return stated_problem(document)
