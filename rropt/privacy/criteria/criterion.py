"""A privacy criterion: which posterior probabilities are a breach, for every prior probability."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.errors import shown
from rropt.exact import Epsilon, as_text
from rropt.mechanisms.required import required
from rropt.privacy.criteria.expressions import ONE, PRIOR, Expression, Extremum, Operation, substitute


@dataclass(frozen=True, slots=True)
class Criterion:
    """No breach: ``h_l(p) <= posterior <= h_u(p)`` whenever the prior probability of a property is p.

    The (h_l, h_u)-SIP of Chai and Nayak (2018), Definition 2.2, for all properties, priors and responses. By their
    Lemma 3.1 it is the same as h-CSIP (Definition 3.1) with ``h = [h_l * h_u] = min(h_u(p), 1 - h_l(1 - p))``.

    Attributes:
        kind: ``"rho"``, ``"beta"``, ``"dlp"``, ``"bayes"``, ``"sip"`` or ``"csip"``.
        text: the criterion in one line, for people.
        up: h_u, a function of the prior p with p <= h_u(p) <= 1, or ``None``: no limit above.
        down: h_l, with 0 <= h_l(p) <= p, or ``None``: no limit below.
        parameters: the arguments of its function by name: exact values of a named kind, else expressions in p.
        level: for ``"dlp"``: epsilon; ``up`` and ``down`` are then ``None`` when gamma = exp(epsilon) is irrational.
    """

    kind: str
    text: str
    up: Expression | None
    down: Expression | None = None
    parameters: tuple[tuple[str, Fraction | str], ...] = ()
    level: Epsilon | None = None

    def canonical_parts(self) -> tuple[tuple[str, Expression], ...]:
        """Return the parts whose minimum is ``[h_l * h_u]``: ``("up", h_u(p))`` and ``("down", 1 - h_l(1 - p))``."""
        parts = []
        if self.up is not None:
            parts.append(("up", self.up))
        if self.down is not None:
            parts.append(("down", Operation("-", ONE, substitute(self.down, Operation("-", ONE, PRIOR)))))
        return tuple(parts)

    def canonical(self) -> Expression:
        """Return ``h = [h_l * h_u]``, so that the criterion is h-CSIP."""
        parts = [part for _, part in self.canonical_parts()]
        return parts[0] if len(parts) == 1 else Extremum("min", tuple(parts)) if parts else ONE

    def to_dict(self) -> dict[str, Any]:
        """Return the form of problem files: the kind, and the arguments of its function."""
        named = {name: value if isinstance(value, str) else as_text(value) for name, value in self.parameters}
        return {"kind": self.kind, **named, **({} if self.level is None else {"epsilon": self.level.to_dict()})}

    def __str__(self) -> str:
        return self.text


def required_criterion(value: object) -> Criterion:
    """Return a value that is a criterion.

    Raises:
        InvalidParameterError: it is of another kind, such as the text of a function of p.
    """
    text = shown(value) if isinstance(value, str) else "'min(1, 3*p)'"
    return required(value, Criterion, "the criterion", f"canonical_information_privacy({text}) or rho_to_rho(r1, r2)")
