"""``repair``: the nearest exactly stochastic, exactly private, rational mechanism, with the loss stated and proved."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.certificates import Certificate
from rropt.certificates.design_programmes import certify_design
from rropt.errors import CertificateError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.exact import as_text, both_texts
from rropt.exact.brackets import FIRST_BRACKET_DIGITS
from rropt.linear import Optimal, solve
from rropt.mechanisms import Mechanism
from rropt.mechanisms.forms import text_rows
from rropt.mechanisms.imports import RawMatrix
from rropt.mechanisms.raw_matrices import Audit, audit
from rropt.privacy import LevelBracket, PrivacyRegion, RationalLevel
from rropt.solvers.repairs.nearest_programme import nearest_programme, settled

# Sizes of exact programmes of the nearest private mechanism: beyond them minutes pass and the proof outgrows a file.
_MAX_REPAIR_ENTRIES = 10_000  # entries at delta = 0, so k = 100
_MAX_REPAIR_EXCESSES = 8_000  # variables m k (k - 1) at delta > 0, so k = 20

NORMS = ("max", "l1")


@dataclass(frozen=True, slots=True)
class Repair:
    """A mechanism that stands in for a matrix.

    Attributes:
        mechanism: exactly stochastic, in the region exactly.
        norm: ``"max"``: the largest absolute change of an entry was made least; ``"l1"``: their sum.
        loss: that distance, at this mechanism.
        lower: no mechanism of the region is nearer; equal to ``loss`` when the level is rational.
        before: the audit of the matrix.
        changed: how many entries are different.
        region: the privacy region.
        certificate: accepted by the checker.
    """

    mechanism: Mechanism
    norm: str
    loss: Fraction
    lower: Fraction
    before: Audit
    changed: int
    region: PrivacyRegion
    certificate: Certificate

    def largest_change(self) -> tuple[int, int, Fraction]:
        """Return row, column and amount (new minus old) of the largest absolute change."""
        changes = [
            (i, j, new - old)
            for i, (row, was) in enumerate(zip(self.mechanism.matrix, self.before.raw.entries, strict=True))
            for j, (new, old) in enumerate(zip(row, was, strict=True))
        ]
        return max(changes, key=lambda change: abs(change[2]))

    def __str__(self) -> str:
        what = "largest change of an entry" if self.norm == "max" else "sum of all changes"
        least = "least possible" if self.lower == self.loss else f"at least {both_texts(self.lower)} is needed"
        return (
            f"{what} {both_texts(self.loss)}, {least}; {self.changed} of "
            f"{self.mechanism.outputs * self.mechanism.inputs} entries changed; epsilon = {self.mechanism.epsilon()}\n"
            f"{self.mechanism}"
        )


def repair(matrix: Any, epsilon: object, delta: object = 0, *, norm: str = "max", transposed: bool = False) -> Repair:
    """Return the exactly private mechanism nearest to a matrix, by an exact linear programme.

    ``minimise max_ij abs(p_ij - q_ij)`` (or ``sum_ij``) over all mechanisms P of the same shape with
    ``p_ij <= gamma p_il`` for all i, j, l (delta = 0), or ``sum_i max(0, p_ij - gamma p_il) <= delta``.

    Args:
        matrix: Q of shape (m, k): a ``RawMatrix``, a ``Mechanism``, a NumPy array, nested lists; floats mean their
            shortest decimals, columns may miss 1 by rounding errors.
        epsilon: level in nats, any form of ``Epsilon.of``.
        delta: slack in [0, 1].
        norm: ``"max"`` or ``"l1"``.
        transposed: rows are inputs (arrays and lists only).

    Returns:
        The repair, with an accepted certificate. At an irrational level the mechanism is private at a rational gamma
        just below and ``lower`` is proved just above. Of the many matrices whose largest change is least, one is
        returned in which entries change as little as the columns' sums allow (``settled_changes``).

    Raises:
        InvalidMechanismError: the matrix is nothing like a mechanism.
        InvalidParameterError: an unknown norm, a level out of range.
        UnsupportedProblemError: too many entries for an exact programme.

    >>> fixed = repair([[0.8, 0.1], [0.2, 0.9]], "log(4)")
    >>> print(fixed.loss, round(float(fixed.loss), 6), fixed.mechanism.epsilon(), fixed.certificate.check())
    2/25 0.08 log(4) accepted
    """
    if norm not in NORMS:
        raise InvalidParameterError(f"norm is unknown: received {shown(norm)}; allowed are {', '.join(NORMS)}")
    found = matrix if isinstance(matrix, Audit) else audit(matrix, transposed=transposed)
    raw = found.raw
    region = _region(raw, epsilon, delta)
    levels = region.bracket(FIRST_BRACKET_DIGITS)
    below = _nearest(raw, levels.below, norm)
    above = below if levels.is_exact else _nearest(raw, levels.above, norm, start=below)
    m, k = raw.shape
    rows = [[below.primal[i * k + j] for j in range(k)] for i in range(m)]
    if norm == "max" and region.delta.rational == 0:
        rows = settled(rows, raw.entries, levels.below.gamma, below.value)
    mechanism = Mechanism(rows, name=f"repaired {raw.name}" if raw.name else None)
    if not region.contains(mechanism):
        raise CertificateError(f"the repaired matrix is not private at {region}; this is a defect, please report it")
    return Repair(
        mechanism=mechanism,
        norm=norm,
        loss=below.value,
        lower=above.value,
        before=found,
        changed=sum(x != y for row, was in zip(rows, raw.entries, strict=True) for x, y in zip(row, was, strict=True)),
        region=region,
        certificate=_certificate(raw, region, levels, norm, mechanism, below.value, above),
    )


def _region(raw: RawMatrix, epsilon: object, delta: object) -> PrivacyRegion:
    m, k = raw.shape
    region = PrivacyRegion(epsilon, delta, inputs=max(k, 2), outputs=max(m, 2))
    if k < 2 or m < 2:
        raise InvalidParameterError(
            f"a matrix of shape ({m}, {k}) has nothing to repair: at least two inputs and two outputs are needed"
        )
    pure = region.delta.rational == 0
    size, most = (m * k, _MAX_REPAIR_ENTRIES) if pure else (m * k * (k - 1), _MAX_REPAIR_EXCESSES)
    if size > most:
        raise UnsupportedProblemError(
            f"the matrix is too large for an exact programme: shape ({m}, {k}) needs {size} variables"
            f"{'' if pure else ' at delta > 0'}; at most {most} are solved"
        )
    return region


def _nearest(
    raw: RawMatrix,
    level: RationalLevel,
    norm: str,
    *,
    start: Optimal | None = None,
) -> Optimal:
    programme = nearest_programme(raw.entries, level, norm)
    outcome = solve(programme, start=None if start is None else start.basis)
    if not isinstance(outcome, Optimal):  # the uniform mechanism is feasible and the distance is at least 0
        raise CertificateError(f"no nearest mechanism was found: {type(outcome).__name__}; please report this")
    return outcome


@dataclass(frozen=True, slots=True)
class _Problem:
    """The problem of the nearest mechanism, as certificates write it."""

    raw: RawMatrix
    region: PrivacyRegion
    norm: str

    def to_dict(self) -> dict[str, Any]:
        """Return the form of certificates; the population is written and does not matter."""
        k = self.region.inputs
        return {
            "region": self.region.to_dict(),
            "objective": {
                "kind": "distance",
                "norm": "largest" if self.norm == "max" else "total",
                "matrix": text_rows(self.raw.entries),
            },
            "population": [as_text(Fraction(1, k))] * k,
        }


def _certificate(
    raw: RawMatrix,
    region: PrivacyRegion,
    levels: LevelBracket,
    norm: str,
    mechanism: Mechanism,
    loss: Fraction,
    above: Optimal,
) -> Certificate:
    """Return the accepted certificate; the programme's rows are in the order of FORMAT.md, rule 3."""
    return certify_design(
        _Problem(raw, region, norm),
        levels,
        lower=above.value,
        upper=loss,
        mechanism=mechanism,
        dual={row: y for row, y in enumerate(above.dual) if y},
    ).require_accepted()
