"""A proof for all parameters: certificates that the checker accepts, and the steps that no machine checked."""

from __future__ import annotations

from dataclasses import dataclass

from rropt.certificates import Certificate


@dataclass(frozen=True, slots=True)
class Proof:
    """What a claim's ``proof`` returns.

    Attributes:
        scope: for which parameters, e.g. ``"all gamma > 1, 0 < pi < 1"`` or ``"k <= 5"``.
        argument: the written argument that reduces the claim to the certificates, in LaTeX-free prose.
        certificates: each with a short name of the step it proves.
        unchecked_steps: steps of the argument that no machine checked (a symmetry, an induction, a sum over k).
        anchored: what the engine tied to the claim; only the engine fills it in.
        links: how expressions are tied to the claim's Python: traced, or a sweep of so many instances.
        unneeded: conditions of the claim that no certificate used.
        swept: where links are no traces, at how many instances the one that was seen at fewest was seen; else 0.
    """

    scope: str
    argument: str
    certificates: tuple[tuple[str, Certificate], ...]
    unchecked_steps: tuple[str, ...] = ()
    anchored: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    unneeded: tuple[str, ...] = ()
    swept: int = 0
