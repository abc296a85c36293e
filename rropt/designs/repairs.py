"""``repair``: the nearest mechanism that is exactly stochastic, exactly private and rational, with a proved distance.

*The linear program.* Variables and rows are in the order of the certificate. Given a matrix Q of shape (m, k), it
minimizes the largest ``abs(p_ij - q_ij)`` (one variable s for all entries) or their sum (one variable for each entry)
over the mechanisms P of a privacy region.

*The choice among the optimal matrices.* Let s be the minimum of the largest change; many matrices attain it. A vertex
of the program changes more entries than necessary, so the result is adjusted:

1. Keep the smallest entry t_i of each row of the vertex. Then every entry may lie anywhere in
   ``[max(t_i, q_ij - s), min(gamma t_i, q_ij + s)]``, and only the column sums relate the entries.
2. Each entry takes the allowed value nearest to q_ij.
3. If a column does not sum to 1, its entries are moved within their intervals, row by row, until it does.

For the given t, no matrix has a smaller sum of changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.argument_checks import clear_calls
from rropt.core.certificates import Certificate
from rropt.core.certificates.record_proofs import part_of, proof_of_record
from rropt.core.errors import (
    CertificateError,
    FileFormatError,
    InvalidParameterError,
    UnsupportedProblemError,
    one_of,
    shown,
)
from rropt.core.exact import Epsilon, as_text, both_texts, decimal_text
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS
from rropt.core.linear import LinearProgram, Optimal, Relation, Row, Variable, solve
from rropt.core.results import Result, labelled, unverified_lines
from rropt.core.results.twins import PosedTwice
from rropt.designs.design_programs import DesignProgram, WrittenProgram, no_bounds, write_program
from rropt.designs.writers.bracket_writer import stated_problem
from rropt.designs.writers.linear_writer import Name, certify_linear_design
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import text_rows
from rropt.mechanisms.raw_matrices import MatrixAudit, audit
from rropt.privacy import CriterionLevel, PrivacyRegion, RationalLevel

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.symbolic.posing import Posing

# Maximal sizes of the exact programs: beyond them, solving takes minutes and the certificate exceeds the size of a
# file.
_MAX_REPAIR_ENTRIES = 10_000  # entries at delta = 0, so k = 100
_MAX_REPAIR_EXCESSES = 8_000  # variables m k (k - 1) at delta > 0, so k = 20

NORMS = ("max", "l1")


@dataclass(frozen=True, slots=True)
class Repair(PosedTwice):
    """The result of ``repair``: a mechanism near a given matrix.

    Attributes:
        mechanism: the mechanism: exactly stochastic, and exactly in the region.
        norm: the minimized distance: ``"max"``, the largest absolute change of an entry, or ``"l1"``, the sum of the
            absolute changes.
        loss: the distance of this mechanism from the matrix.
        lower: a lower bound of the distance over the region; equal to ``loss`` if the level is rational.
        before: the audit of the matrix.
        changed: the number of changed entries.
        region: the privacy region.
        certificate: the certificate, accepted by the checker.
        bound_certificate: the certificate of ``lower`` if it is another one: under a criterion with a rounded level.
    """

    mechanism: Mechanism
    norm: str
    loss: Fraction
    lower: Fraction
    before: MatrixAudit
    changed: int
    region: PrivacyRegion
    certificate: Certificate
    bound_certificate: Certificate | None = field(default=None, compare=False)
    unverified: tuple[str, ...] = field(default=(), compare=False)

    LABELS = labelled(epsilon="epsilon now", loss="loss", changed="entries changed", largest_change="")

    def checked(self) -> tuple[str, ...]:
        """Return the names of the fields that the certificate does not prove.

        ``lower`` is one of them if it differs from the certificate's bound: under a rounded criterion, another
        certificate proves it.

        Raises:
            FileFormatError: the checker rejects the certificate, it belongs to another problem, or a field contradicts
                it.
        """
        what = "repair"
        if self.norm not in NORMS:
            raise FileFormatError(f"norm is unknown: received {shown(self.norm)}; allowed are {', '.join(NORMS)}")
        asked = stated_problem(_problem(self.before, self.region, self.norm))
        proof_of_record(self.certificate, asked, what)
        claim = {"mechanism": self.mechanism.form(), "upper": as_text(self.loss)}
        pairs = zip(self.mechanism.matrix, self.before.entries, strict=True)
        changed = sum(x != y for row, was in pairs for x, y in zip(row, was, strict=True))
        wrong = [key for key, value in claim.items() if part_of(self.certificate, "claim", key, what) != value]
        if changed != self.changed:
            wrong.append("changed")
        if wrong:
            raise FileFormatError(
                f"the record of a repair contradicts its certificate: received another {wrong[0]}; use the record as "
                "it was written"
            )
        own = part_of(self.certificate, "claim", "lower", what) == as_text(self.lower)
        return () if own else ("lower",)

    @property
    def epsilon(self) -> Epsilon:
        """The smallest epsilon at which the mechanism is private."""
        return self.mechanism.epsilon

    @property
    def largest_change(self) -> tuple[int, int, Fraction]:
        """Row, column and amount (new minus old) of the entry with the largest absolute change."""
        changes = [
            (i, j, new - old)
            for i, (row, was) in enumerate(zip(self.mechanism.matrix, self.before.entries, strict=True))
            for j, (new, old) in enumerate(zip(row, was, strict=True))
        ]
        return max(changes, key=lambda change: abs(change[2]))

    def lines(self) -> list[tuple[str, str]]:
        """Return the defects of the matrix, the level before and after, and the loss with its lower bound."""
        row, column, amount = self.largest_change
        what = "largest change" if self.norm == "max" else "sum of changes"
        approximate = self.region.delta.rational != 0  # the epsilon with delta = 0 then exceeds the level
        least = f"at least {decimal_text(self.lower, 15)} is needed"
        least = "the least possible" if self.lower == self.loss else least
        rows = [
            ("epsilon before", both_texts(self.before.epsilon)),
            *((f"before: {name}", value) for name, value in self.before.defects() if name != "what to do"),
            ("epsilon now", both_texts(self.epsilon)),
            *(
                [("delta now", f"at most {self.region.delta} at epsilon = {self.region.epsilon}")]
                if approximate
                else []
            ),
            (f"loss ({what})", f"{both_texts(self.loss)}, {least}"),
            ("entries changed", f"{self.changed} of {self.mechanism.inputs * self.mechanism.outputs}"),
        ]
        if self.changed:
            rows.append(("changed most", f"entry ({row}, {column}) by {decimal_text(amount, 6)}"))
        if self.before.zeros[0] is not None and self.mechanism.parity() is not None:
            rows.append(
                ("zeros", "cannot remain: a zero and a positive entry of the same output give infinite epsilon")
            )
        return [*rows, *self.twin_lines(), ("certificate", str(self.certificate.check())), *unverified_lines(self)]

    def __str__(self) -> str:
        return f"{Result.__str__(self)}\n{self.mechanism}"

    def to_sympy(self) -> Posing:
        """Return the problem of a repair in SymPy, with its closed form."""
        from rropt.result_twins import repair_posing

        return repair_posing(self)

    def sympy_twin(self) -> Twin:
        """Return the least distance of a private mechanism that SymPy proves, compared with the result."""
        from rropt.result_twins import repair_twin

        return repair_twin(self)

    @clear_calls
    def to_cvxpy(self, norm: str | None = None) -> Any:
        """Return the program over the entries ``P``; the matrix is the Parameter ``matrix``.

        Args:
            norm: ``max``, ``l1`` or ``l2``; by default that of the repair.

        Raises:
            InvalidParameterError: the norm is unknown.
            UnsupportedProblemError: there are too many entries.
        """
        from rropt.convex.designs.repairs import to_cvxpy

        return to_cvxpy(self, norm)

    def cvxpy_twin(self) -> Twin:
        """Return the least distance, compared with its proved bounds."""
        from rropt.convex.designs.repairs import cvxpy_twin

        return cvxpy_twin(self)


@clear_calls
def repair(
    matrix: Any,
    epsilon: object,
    delta: object = 0,
    *,
    norm: str = "max",
    transposed: bool = False,
    fast: bool = False,
) -> Repair:
    """Return the exactly private mechanism nearest to a matrix, from an exact linear program.

    ``minimize max_ij abs(p_ij - q_ij)`` (or ``sum_ij``) over all mechanisms P of the same shape with
    ``p_ij <= gamma p_il`` for all i, j, l (delta = 0), or ``sum_i max(0, p_ij - gamma p_il) <= delta``.

    Args:
        matrix: Q of shape (m, k): a ``MatrixAudit``, a ``Mechanism``, a NumPy array or nested lists. Floats are read as
            their shortest decimals, and column sums may differ from 1 by rounding errors.
        epsilon: the level in nats, in any form that ``Epsilon.of`` accepts.
        delta: the additive slack in [0, 1].
        norm: ``"max"`` or ``"l1"``.
        transposed: whether rows are inputs (arrays and lists only).
        fast: whether to leave out the twins: the comparison with SymPy and CVXPY (``repair.twins``).

    Returns:
        The repair, with an accepted certificate. At an irrational level, the mechanism is private at a rational gamma
        just below, and ``lower`` is proved just above. Many matrices minimize the largest change. The returned one
        changes its entries as little as the column sums allow (``with_least_changes``).

    Raises:
        InvalidMechanismError: the matrix is too far from a stochastic matrix.
        InvalidParameterError: the norm is unknown, or the level is out of range.
        UnsupportedProblemError: the matrix has too many entries for an exact linear program.

    >>> fixed = repair([[0.8, 0.1], [0.2, 0.9]], "log(4)")
    >>> print(fixed.loss, round(float(fixed.loss), 6), fixed.mechanism.epsilon, fixed.certificate.check())
    2/25 0.08 log(4) accepted
    """
    one_of(norm, NORMS, "norm")
    raw = audit(matrix, transposed=transposed)
    region = _region(raw, epsilon, delta)
    levels = region.bracket(FIRST_BRACKET_DIGITS)
    below, names = _nearest(raw, levels.below, norm)
    above = below if levels.is_exact else _nearest(raw, levels.above, norm)[0]
    m, k = raw.shape
    rows = [[below.primal[i * k + j] for j in range(k)] for i in range(m)]
    if norm == "max" and region.delta.rational == 0:
        rows = with_least_changes(rows, raw.entries, levels.below.gamma, below.value)
    mechanism = Mechanism(rows, name=f"repaired {raw.name}" if raw.name else None)
    if not region.contains(mechanism):
        raise CertificateError(
            f"the repaired matrix is not private at {region}; this is an internal error, please report it"
        )
    problem = _problem(raw, region, norm)
    certificate = Certificate.attempt(
        lambda: certify_linear_design(
            problem,
            levels,
            lower=above.value,
            upper=below.value,
            mechanism=mechanism,
            dual={name: y for name, y in zip(names, above.dual, strict=True) if y},
        )
    )
    fixed = Repair(
        mechanism=mechanism,
        norm=norm,
        loss=below.value,
        lower=above.value,
        before=raw,
        changed=sum(x != y for row, was in zip(rows, raw.entries, strict=True) for x, y in zip(row, was, strict=True)),
        region=region,
        certificate=certificate,
    )
    return fixed if fast else fixed.compared_twice()


def repair_under_criterion(matrix: Any, level: CriterionLevel, *, norm: str = "max", fast: bool = False) -> Repair:
    """Return the repair under a privacy criterion; if the level was rounded, with the certificate of ``lower``.

    The mechanism is private at the level just below B(h). The bound ``lower`` is the smallest distance at the level
    just above B(h), where more mechanisms are allowed; ``bound_certificate`` proves it. If there is no level above,
    ``lower`` is 0.

    Args:
        matrix, norm, fast: as for ``repair``.
        level: the level of the criterion, from ``criterion_level``.
    """
    found = audit(matrix)
    fixed = repair(found, level.epsilon, norm=norm, fast=True)
    if level.is_rounded and level.epsilon_above is None:
        fixed = replace(fixed, lower=Fraction(0))
    elif level.is_rounded:
        above = repair(found, level.epsilon_above, norm=norm, fast=True)
        fixed = replace(fixed, lower=above.lower, bound_certificate=above.certificate)
    return fixed if fast else fixed.compared_twice()


def _region(raw: MatrixAudit, epsilon: object, delta: object) -> PrivacyRegion:
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
            f"the matrix is too large for an exact program: shape ({m}, {k}) needs {size} variables"
            f"{'' if pure else ' at delta > 0'}; at most {most} are solved"
        )
    return region


def _nearest(raw: MatrixAudit, level: RationalLevel, norm: str) -> tuple[Optimal, Sequence[Name]]:
    program, names = nearest_program(raw.entries, level, norm)
    outcome = solve(program)
    if not isinstance(outcome, Optimal):  # the uniform mechanism is feasible and the distance is at least 0
        raise CertificateError(f"no nearest mechanism was found: {type(outcome).__name__}; please report this")
    return outcome, names


def _problem(raw: MatrixAudit, region: PrivacyRegion, norm: str) -> dict[str, Any]:
    """Return the nearest-mechanism problem in the form of certificates; the distribution in it has no influence."""
    objective = {
        "kind": "distance",
        "norm": "largest" if norm == "max" else "total",
        "matrix": text_rows(raw.entries),
    }
    population = [as_text(Fraction(1, region.inputs))] * region.inputs
    return {"region": region.to_dict(), "objective": objective, "population": population}


_ONE = Fraction(1)
_SIDES: tuple[tuple[Fraction, Relation], ...] = ((_ONE, ">="), (-_ONE, "<="))


def nearest_program(matrix: Sequence[Sequence[Fraction]], level: RationalLevel, norm: str) -> WrittenProgram:
    """Return the linear program of the nearest mechanism: first the variables p_ij at ``i k + j``, then the changes.

    Args:
        matrix: Q, shape (m, k).
        level: a rational gamma >= 1 and delta.
        norm: ``"max"`` or ``"l1"``.
    """
    m, k = len(matrix), len(matrix[0])
    pairs = [(j, other) for j in range(k) for other in range(k) if j != other and level.delta]
    nothing, one = no_bounds(m, k)
    design = DesignProgram(
        "excess" if level.delta else "parity", 1, nothing, level.gamma, level.delta, {}, tuple(pairs), nothing, one
    )
    private, names = write_program(design)
    entries, first = [q for row in matrix for q in row], len(private.variables)
    changes = [Variable("change", "nonnegative", _ONE)] * (1 if norm == "max" else m * k)
    distances = (
        Row("distance", (n, first + n % len(changes)), (_ONE, sign), relation, q)
        for sign, relation in _SIDES
        for n, q in enumerate(entries)
    )
    names += tuple((word, *divmod(n, k)) for word in ("above", "under") for n in range(m * k))
    return WrittenProgram(LinearProgram("minimise", (*private.variables, *changes), (*private.rows, *distances)), names)


Rows = Sequence[Sequence[Fraction]]


def with_least_changes(found: Rows, wanted: Rows, gamma: Fraction, change: Fraction) -> list[list[Fraction]]:
    """Return a matrix with the same largest change, columns that sum to 1, and row ratios of at most gamma.

    Its entries change as little as possible, given the smallest entry of each row.

    Args:
        found: an optimal matrix P, shape (m, k).
        wanted: Q, the same shape.
        gamma: the rational odds bound that P satisfies.
        change: s, the largest change from Q to P.

    Cost O(m k).
    """
    least = [min(row) for row in found]
    columns = []
    for column in zip(*wanted, strict=True):
        low = [max(t, q - change) for t, q in zip(least, column, strict=True)]
        high = [min(gamma * t, q + change) for t, q in zip(least, column, strict=True)]
        entries = [min(max(q, a), b) for q, a, b in zip(column, low, high, strict=True)]
        columns.append(_with_sum_one(entries, low, high))
    return [list(row) for row in zip(*columns, strict=True)]


def _with_sum_one(entries: list[Fraction], low: list[Fraction], high: list[Fraction]) -> list[Fraction]:
    """Move the entries within their intervals, row by row, until they sum to 1 (possible, because P does so)."""
    missing = 1 - sum(entries)
    moved = []
    for entry, a, b in zip(entries, low, high, strict=True):
        step = min(missing, b - entry) if missing > 0 else max(missing, a - entry)
        moved.append(entry + step)
        missing -= step
    return moved
