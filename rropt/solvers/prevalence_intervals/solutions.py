"""What is said about designs over an interval of prevalences: frozen records of exact numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.certificates import Certificate
from rropt.exact import Bracket, as_text, both_texts
from rropt.mechanisms import Mechanism
from rropt.mechanisms.decimals import probability_texts
from rropt.privacy import PrivacyRegion
from rropt.solvers.prevalence_intervals.robust_designs import PrevalenceInterval
from rropt.solvers.results import OptimalSegment


@dataclass(frozen=True, slots=True)
class IntervalDesign:
    """A design and what it costs over an interval of prevalences.

    Attributes:
        name: ``"diagonal"``, ``"corner_p00"``, ``"corner_p11"`` (the vertices of the region) or ``"hedge"``.
        mechanism: rational, in the region exactly.
        worst_case: its largest n Var over the interval, exact.
        worst_at: a prevalence at which that occurs.
        regret: of its regret, the largest excess over the interval of its n Var over the optimum at the same
            prevalence; exact when the level is rational.
        regret_at: the end of the interval at which the regret occurs.
    """

    name: str
    mechanism: Mechanism
    worst_case: Fraction
    worst_at: Fraction
    regret: Bracket
    regret_at: Fraction

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: exact numbers are strings, a bracket is ``{"lower": ..., "upper": ...}``."""
        return {
            "name": self.name,
            **self.mechanism.to_dict(),
            "worst_case": as_text(self.worst_case),
            "worst_at": as_text(self.worst_at),
            "regret": self.regret.to_json(),
            "regret_at": as_text(self.regret_at),
        }

    def __str__(self) -> str:
        p00, p11 = probability_texts(self.mechanism)
        return (
            f"{self.name}: p00 = {p00}, p11 = {p11}, "
            f"worst n Var {both_texts(self.worst_case)} at {both_texts(self.worst_at)}, "
            f"regret {both_texts(self.regret.upper)} at {both_texts(self.regret_at)}"
        )


@dataclass(frozen=True, slots=True)
class IntervalOptimum(Bracket):
    """The least worst case, or the least regret: ``lower <= optimum <= upper``, equal when the level is rational.

    Attributes:
        lower, upper: the bracket; ``upper`` is what the first of ``designs`` achieves.
        designs: those of ``candidates`` and ``hedge`` that tie, decided at the exact level, in ascending order of
            (p00, p11). Between two of them further designs may tie, at epsilon = 0 only.
        certificate: accepted by the checker: of the bracket and of the first design; None for an optimum among the
            candidates alone, which is only a comparison.
    """

    designs: tuple[IntervalDesign, ...]
    certificate: Certificate | None = None

    @property
    def design(self) -> IntervalDesign:
        """The design to use: the first."""
        return self.designs[0]

    @property
    def widest(self) -> Fraction:
        """The width of the widest bracket in it: of the optimum, or of the regret of a design."""
        return max(self.gap, *(design.regret.gap for design in self.designs))

    def to_dict(self) -> dict[str, Any]:
        """Return the bracket, the names of the designs and the certificate."""
        return {
            **self.written(),
            "designs": [design.name for design in self.designs],
            "certificate": self.certificate.to_dict() if self.certificate else None,
        }


@dataclass(frozen=True, slots=True)
class IntervalSolution:
    """The designs of a binary privacy region judged over an interval of prevalences.

    Attributes:
        region: the designs allowed.
        interval: the prevalences.
        candidates: the vertices of the region with p00 + p11 > 1, in ascending order of (p00, p11): at every prevalence
            one of them is optimal.
        hedge: the design whose excess is the same at both ends, where it is none of the candidates; else None.
        minimax: the least worst case over the whole region; its designs are candidates.
        least_regret: the least regret over the whole region: candidates or the hedge.
        least_regret_candidate: the least regret among the candidates.
        optimal_set: all designs of variance 0, when the interval is the single prevalence 0 or 1 and delta > 0.
    """

    region: PrivacyRegion
    interval: PrevalenceInterval
    candidates: tuple[IntervalDesign, ...]
    hedge: IntervalDesign | None
    minimax: IntervalOptimum
    least_regret: IntervalOptimum
    least_regret_candidate: IntervalOptimum
    optimal_set: OptimalSegment | None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: exact numbers are strings."""
        return {
            "interval": {"low": as_text(self.interval.low), "high": as_text(self.interval.high)},
            "candidates": [design.to_dict() for design in self.candidates],
            "hedge": self.hedge.to_dict() if self.hedge else None,
            "minimax": self.minimax.to_dict(),
            "least_regret": self.least_regret.to_dict(),
            "least_regret_candidate": self.least_regret_candidate.to_dict(),
            "optimal_set": self.optimal_set.to_dict() if self.optimal_set else None,
        }

    def __str__(self) -> str:
        designs = [*self.candidates, *([self.hedge] if self.hedge else [])]
        return "\n".join(
            [
                f"prevalence {self.interval}, {self.region}",
                *(str(design) for design in designs),
                f"least worst case: {self.minimax.design.name}, {both_texts(self.minimax.upper)}",
                f"least regret: {self.least_regret.design.name}, {both_texts(self.least_regret.upper)}",
            ]
        )
