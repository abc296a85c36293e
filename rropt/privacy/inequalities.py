"""The region of feasibility R of Holohan, Leith and Mason (2016), equation (12), as labelled linear inequalities."""

from __future__ import annotations

from dataclasses import dataclass

from rropt.exact.reals import ExactReal, Scalar

LABELS = (
    "p00<=1",
    "p11<=1",
    "p00>=0",
    "p11>=0",
    "yes-ratio",
    "no-ratio",
    "no-ratio-reversed",
    "yes-ratio-reversed",
)


@dataclass(frozen=True, slots=True)
class Inequality:
    """``a p00 + b p11 + c >= 0`` with its label.

    Attributes:
        label: one of ``LABELS``.
        row: ``(a, b, c)``, exact.
    """

    label: str
    row: tuple[Scalar, Scalar, Scalar]

    def slack(self, p00: Scalar, p11: Scalar) -> Scalar:
        """Return ``a p00 + b p11 + c``: nonnegative exactly where the inequality holds."""
        a, b, c = self.row
        return ExactReal.of(a) * p00 + ExactReal.of(b) * p11 + c


def binary_inequalities(gamma: Scalar, delta: Scalar) -> tuple[Inequality, ...]:
    """Return the eight inequalities of R for a binary design (p00, p11), labelled.

    ``0 <= p00, p11 <= 1`` and, for each answer and each ordered pair of truths,
    ``Pr(answer | truth) <= gamma Pr(answer | other truth) + delta``:

    * yes-ratio: ``p11 <= gamma (1 - p00) + delta`` (11a); reversed: ``1 - p00 <= gamma p11 + delta``;
    * no-ratio: ``p00 <= gamma (1 - p11) + delta`` (11b); reversed: ``1 - p11 <= gamma p00 + delta``.

    Args:
        gamma: exp(epsilon) >= 1, exact.
        delta: in [0, 1], exact.
    """
    rows: tuple[tuple[Scalar, Scalar, Scalar], ...] = (
        (-1, 0, 1),
        (0, -1, 1),
        (1, 0, 0),
        (0, 1, 0),
        (-gamma, -1, gamma + delta),
        (-1, -gamma, gamma + delta),
        (gamma, 1, delta - 1),
        (1, gamma, delta - 1),
    )
    return tuple(Inequality(label, row) for label, row in zip(LABELS, rows, strict=True))
