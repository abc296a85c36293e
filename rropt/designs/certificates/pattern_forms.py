"""Duals of rule 5 that are quadratic forms, of D- and E-optimal designs (``pattern_dual`` for the notation).

``W = base pi pi^T + Z`` and ``alpha = t pi + beta`` with ``Z 1 = 0`` and ``1 . beta = 0``: then ``S^T W S / s^2`` is
``base + h^T Z h`` and ``alpha . S / s`` is ``t + beta . h`` without cancellation, and t is the least that serves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rropt.core.exact import as_text
from rropt.core.exact.numbers import dot
from rropt.designs.certificates.pattern_dual import Bits, Numbers, deciding, float_steps, rounded
from rropt.mechanisms.mechanism import text_rows


class FormDual(NamedTuple):
    """W symmetric, alpha with ``S^T W S <= (alpha . S)(S . pi)`` for all patterns: ``tr W M <= sum alpha``.

    W positive definite: ``det M <= (sum alpha / k)^k / det W``. W positive semidefinite, W 1 = 0: the least eigenvalue
    of M on the vectors orthogonal to 1 is at most ``sum alpha / tr W``.
    """

    alpha: tuple[Fraction, ...]
    matrix: tuple[tuple[Fraction, ...], ...]

    def written(self) -> dict[str, Any]:
        """Return the form of certificates."""
        return {"alpha": [as_text(x) for x in self.alpha], "matrix": text_rows(self.matrix)}


def form_dual(
    z: Sequence[Numbers], beta: Sequence[float], base: int, patterns: Iterable[Bits], gamma: Fraction, pi: Numbers
) -> FormDual:
    """Return the dual ``W = base pi pi^T + Z`` of an exact Z (symmetric, Z 1 = 0) and an approximate beta.

    ``S^T W S / s^2 = base + h^T Z h``: base is 1 for the determinant, 0 for the eigenvalue.
    """
    slopes = [rounded(x, max(map(abs, beta)) or 1.0) for x in beta]
    slopes[0] -= sum(slopes)
    listed, needed = list(patterns), Fraction(0)
    h, step = float_steps(listed, gamma, pi), gamma - 1
    sides, size = _float_sides(h, z, slopes)
    for j in deciding(sides, size):
        q = dot(pi, listed[j])
        exact = [step * (bit - q) / (1 + step * q) for bit in listed[j]]
        needed = max(needed, base + dot(exact, [dot(exact, row) for row in z]) - dot(slopes, exact))
    t = rounded(needed, needed)
    matrix = (tuple(base * p * q + x for q, x in zip(pi, row, strict=True)) for p, row in zip(pi, z, strict=True))
    return FormDual(tuple(t * p + b for p, b in zip(pi, slopes, strict=True)), tuple(matrix))


def centred(rows: Sequence[Sequence[float]]) -> list[list[Fraction]]:
    """Return the rows rounded, and such that each column sums to 0."""
    largest = max(abs(x) for row in rows for x in row)
    exact = [[rounded(x, largest) for x in row] for row in rows]
    exact[0] = [x - sum(column) for x, column in zip(exact[0], zip(*exact, strict=True), strict=True)]
    return exact


def _float_sides(h: Any, z: Sequence[Numbers], beta: Numbers) -> tuple[Any, Any]:
    """Return ``h^T Z h - beta . h`` in floats, and the sizes of the sums."""
    import numpy as np

    form, slopes = (np.array(x, dtype=float) for x in (z, beta))
    size = ((np.abs(h) @ np.abs(form)) * np.abs(h)).sum(1) + np.abs(h) @ np.abs(slopes)
    return ((h @ form) * h).sum(1) - h @ slopes, size
