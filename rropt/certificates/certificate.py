"""The certificate: a problem, a claim about it, and a witness, as one JSON document.

Those of binary designs stand here too: the vertex rule (FORMAT.md) needs brackets of gamma and delta, and the vertices
at the level above; the interval rule (FORMAT.md, rule 19) proves least worst case and least regret over an interval of
prevalences. And those of the most likely population (rule 17) and of the minimax risk (rule 21).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from rropt.checker import Verdict, check_file, check_text
from rropt.errors import CertificateError, FileAccessError, FileFormatError, InvalidParameterError, shown
from rropt.exact import Bracket, Delta, Epsilon, as_text
from rropt.files import looks_like_json, parse_json, read_text, write_text
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.privacy import LevelBracket, PrivacyRegion
from rropt.problem import Problem
from rropt.results import Result

FORMAT = "rropt-certificate/1"
_READABLE = 100_000  # characters: longer documents have no line breaks, in half the time and two thirds of the space


def _layout(document: Mapping[str, Any]) -> str:
    text = json.dumps(document)
    return text if len(text) > _READABLE else json.dumps(document, indent=1)


@dataclass(frozen=True, slots=True)
class Certificate(Result):
    """A proof that others can check: ``format``, ``problem``, ``claim`` and ``witness`` (FORMAT.md).

    Attributes:
        text: the JSON document, exactly as it is saved and checked.
    """

    text: str

    @classmethod
    def write(cls, problem: Mapping[str, Any], claim: Mapping[str, Any], witness: Mapping[str, Any]) -> Certificate:
        """Return the certificate of these three parts."""
        return cls(_layout({"format": FORMAT, "problem": problem, "claim": claim, "witness": witness}))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Certificate:
        """Return the certificate of a file, unjudged: call ``check``."""
        return cls(read_text(path, what="certificate"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate, whole or not at all."""
        write_text(path, self.file_text)

    @property
    def file_text(self) -> str:
        """The text of its file: the document and an end of line."""
        return self.text + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Return the document as a fresh dictionary."""
        document = parse_json(self.text, what="certificate")
        if not isinstance(document, dict):
            raise FileFormatError(f"certificate is not an object: received {shown(self.text)}")
        return document

    @classmethod
    def from_dict(cls, data: Any) -> Certificate:
        """Return the certificate of a document that ``to_dict`` returned, unjudged: call ``check``.

        Raises:
            FileFormatError: no object with the keys of a certificate.
        """
        keys = {"format", "problem", "claim", "witness"}
        if not isinstance(data, Mapping) or set(data) - {"question"} != keys:
            raise FileFormatError(
                f"certificate is of another form: received {shown(data)}; allowed is what to_dict returns"
            )
        ordered = {key: data[key] for key in ("format", "problem", "claim", "witness")}
        return cls(_layout(parse_json(_document_text(ordered), what="certificate")))

    def lines(self) -> list[tuple[str, str]]:
        """Return the verdict, and of what kind the claim and the witness are."""
        kinds = [("claim", self.claim, "kind"), ("witness", self.witness, "rule")]
        told = [(what, str(part.get(key))) for what, part, key in kinds if isinstance(part, Mapping) and key in part]
        return [("certificate", str(self.check())), *told]

    def __repr__(self) -> str:
        return f"<Certificate of {len(self.text)} characters>"

    @property
    def problem(self) -> Any:
        """The problem part."""
        return self.to_dict().get("problem")

    @property
    def claim(self) -> Any:
        """The claim part: what is proved, with ``lower`` and ``upper``."""
        return self.to_dict().get("claim")

    @property
    def witness(self) -> Any:
        """The witness part: why it is true."""
        return self.to_dict().get("witness")

    def check(self) -> Verdict:
        """Return the independent checker's verdict."""
        return check_text(self.text)

    def require_accepted(self) -> Certificate:
        """Return self if the checker accepts; nothing is reported as optimal without it."""
        verdict = self.check()
        if not verdict:
            raise CertificateError(
                f"the certificate is {verdict}; no optimum is reported without an accepted certificate; "
                "if the parameters are extreme, round them, else please report this"
            )
        return self

    def __str__(self) -> str:
        return self.text


def check(certificate: Certificate | Mapping[str, Any] | str | os.PathLike[str]) -> Verdict:
    """Judge a certificate with the independent checker: ``accepted``, or ``rejected`` with a reason.

    Args:
        certificate: a ``Certificate``, its document as a dictionary, its JSON text, or the path of its file.

    Raises:
        FileAccessError: the path cannot be read.
        InvalidParameterError: none of these, or a dictionary that is no JSON.

    >>> print(check("{}"))
    rejected: the format is not rropt-certificate/1
    """
    if isinstance(certificate, Certificate):
        return certificate.check()
    if isinstance(certificate, Mapping):
        return check_text(_document_text(certificate))
    if not isinstance(certificate, (str, os.PathLike)):  # an integer would name an open file of the process
        raise InvalidParameterError(
            f"there is no certificate: received {shown(certificate)}, of type {type(certificate).__name__}; allowed "
            "are a Certificate, its dictionary, its JSON text, and the path of its file"
        )
    if isinstance(certificate, str) and looks_like_json(certificate):
        return check_text(certificate)
    try:
        return check_file(certificate)
    except (OSError, ValueError, TypeError) as error:  # a null character in the path, or no path at all
        reason = getattr(error, "strerror", None) or error
        raise FileAccessError(f"certificate cannot be read: {shown(str(certificate))}: {reason}") from None


def _document_text(document: Mapping[str, Any]) -> str:
    try:
        return json.dumps(document)
    except (TypeError, ValueError, RecursionError) as error:  # a Fraction, a circle, a nest without end
        raise InvalidParameterError(
            f"the certificate is no JSON: received {shown(document)}: {error}; give what Certificate.to_dict returns"
        ) from None


def certify_vertex_rule(
    problem: Problem,
    levels: LevelBracket,
    *,
    lower: Fraction,
    upper: Fraction,
    optima: Sequence[Mechanism],
    optimal_set: dict[str, list[str]] | None,
) -> Certificate:
    """Return the certificate that ``lower <= optimum <= upper`` and that ``optima`` are the optimal extreme designs.

    Args:
        problem: a binary variance problem.
        levels: rational levels around the problem's level.
        lower: least n Var over the vertices at the level above.
        upper: n Var of the first of ``optima``, the mechanism that is handed out.
        optima: the optimal vertices at the level below, in ascending order of (p00, p11).
        optimal_set: the segment of optimal designs at prevalence 0 or 1, or None.
    """
    vertices = [vertex for vertex in problem.region.one_level().vertices(levels.above) if vertex.p00 + vertex.p11 > 1]
    claim: dict[str, Any] = {
        "kind": "optimal-design",
        **Bracket(lower, upper).written(),
        "mechanism": optima[0].to_dict(),
        "optima": [mechanism.to_dict() for mechanism in optima],
        "optimal_set": optimal_set,
    }
    witness: dict[str, Any] = {
        "rule": "vertex",
        **levels.to_dict(),
        "vertices": [
            {"tight": list(vertex.tight), "at_above": [as_text(vertex.p00), as_text(vertex.p11)]} for vertex in vertices
        ],
    }
    return Certificate.write(problem.to_dict(), claim, witness)


def certify_over_interval(
    region: PrivacyRegion,
    interval: tuple[Fraction, Fraction],
    levels: LevelBracket,
    goal: Literal["minimax-design", "least-regret-design"],
    *,
    lower: Fraction,
    upper: Fraction,
    mechanism: Mechanism,
) -> Certificate:
    """Return the certificate that ``lower <= least worst case (or least regret) <= upper``, achieved by the mechanism.

    Args:
        region: a binary region.
        interval: the prevalences L <= H.
        levels: rational levels around the region's.
        goal: which of the two is claimed.
        lower: the bound at the level above.
        upper: the worst case, or the regret, of the mechanism.
        mechanism: in the region at the level below.
    """
    claim = {"kind": goal, **Bracket(lower, upper).written(), "mechanism": mechanism.to_dict()}
    return Certificate.write(interval_problem(region, interval), claim, {"rule": "interval", **levels.to_dict()})


def interval_problem(region: PrivacyRegion, interval: tuple[Fraction, Fraction]) -> dict[str, Any]:
    """Return the problem over an interval of prevalences, as certificates write it."""
    return {
        "region": region.to_dict(),
        "objective": {"kind": "variance"},
        "population": {"vertices": [[as_text(1 - pi), as_text(pi)] for pi in interval]},
    }


def certify_bits(
    epsilon: Epsilon, gamma: Bracket, objective: Mapping[str, Any], mechanism: Mechanism, ends: Bracket
) -> Certificate:
    """Return the certificate that a privacy budget is split over independent questions as well as can be (rule 20).

    Args:
        epsilon: the budget.
        gamma: a bracket of exp(epsilon).
        objective: ``marginals`` or ``joint``, as certificates write it.
        mechanism: the product of Warner's bits.
        ends: of the optimum; what the slopes prove, or rounded outwards.
    """
    claim = {"kind": "design-bracket", **ends.written(), "mechanism": mechanism.to_dict()}
    witness = {"rule": "bits", "gamma": gamma.written("below", "above")}
    return Certificate.write(bits_problem(epsilon, objective), claim, witness)


def bits_problem(epsilon: Epsilon, objective: Mapping[str, Any]) -> dict[str, Any]:
    """Return the problem of a budget that is split over independent questions, as certificates write it."""
    return {"kind": "bits", "epsilon": epsilon.to_dict(), "objective": dict(objective)}


def certify_estimate(
    groups: Sequence[tuple[Mechanism, Any]],
    population: Sequence[Fraction],
    gap: Fraction,
    bits: int | None,
) -> Certificate:
    """Return the certificate that no population is more likely by more than ``gap`` per response.

    Args:
        groups: mechanisms, explicit or products, and how often each of their answers was given.
        population: shape (k,), sums to exactly 1.
        gap: at least what ``likelihood_gap`` says with the same bits.
        bits: quotients are rounded up to multiples of ``2^-bits``; ``None``: exact, for small problems.
    """
    listed = [
        {"mechanism": _factors(mechanism), "counts": [str(int(x)) for x in counts]} for mechanism, counts in groups
    ]
    return Certificate.write(
        {"kind": "likelihood", "groups": listed},
        {"kind": "estimate", "point": [as_text(x) for x in population], "gap": as_text(gap)},
        {"rule": "likelihood", "bits": None if bits is None else str(bits)},
    )


def certify_minimax(
    region: PrivacyRegion,
    levels: LevelBracket,
    ends: Bracket,
    estimator: Sequence[Sequence[Fraction]],
    prior: Sequence[Sequence[Fraction]],
    cells: Sequence[Fraction],
) -> Certificate:
    """Return the certificate of the least worst-case mean squared error of a prevalence (rule 21).

    Args:
        region, levels: of each answer; rational levels around the region's.
        ends, estimator: of the least worst case; rows of estimates at the level below (one where delta is 0).
        prior, cells: points and weights; the inner ends of the cells of [0, 1], ascending.
    """
    problem = minimax_problem(region.epsilon, region.delta, len(estimator[0]) - 1)
    rows, lists = ([[as_text(x) for x in row] for row in part] for part in (estimator, (*prior, cells)))
    claim = {"kind": "minimax-risk", **ends.written(), "estimator": rows}
    witness = {"rule": "minimax-risk", **levels.to_dict(), "bits": "128"}
    return Certificate.write(problem, claim, witness | dict(zip(("points", "weights", "cells"), lists, strict=True)))


def minimax_problem(epsilon: Epsilon, delta: Delta, respondents: int) -> dict[str, Any]:
    """Return the problem of the least worst-case risk of a prevalence, as certificates write it."""
    level = {"epsilon": epsilon.to_dict(), "delta": delta.to_dict()}
    return {"kind": "minimax-risk", **level, "respondents": str(respondents)}


def _factors(mechanism: Mechanism) -> dict[str, Any]:
    return mechanism.to_dict() if isinstance(mechanism, ProductMechanism) else Mechanism(mechanism).to_dict()
