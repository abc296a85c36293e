"""A pair of mechanisms made ready for the question ``A = C P``: integers, and nothing that says the same twice.

Column j of both is multiplied by the least common multiple s_j of its denominators: ``A = C P`` iff ``A D = C P D``,
D = diag(s). Proportional rows are merged in each (they have the same likelihood ratios), zero rows and repeated
columns are left out. What is found for the reduced pair is carried back to the original one:

    kernel   C_io = share of row i in its group * C'_(group of i, group of o)
    payoff   Y_i = Y'_(group of i), 0 at the columns left out
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rropt.mechanisms import Mechanism

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

IntegerRows = tuple[tuple[int, ...], ...]
# A sparse payoff for the reduced pair: act i pays entry [i][j] at truth j; acts and truths left out pay 0.
Payoff = Mapping[int, Mapping[int, int]]


@dataclass(frozen=True, slots=True)
class Lines:
    """The rows of one mechanism in integers, proportional ones merged.

    Attributes:
        rows: the merged rows, column j times s_j.
        groups: for each of them the original rows, ascending.
        shares: for each original row its group and its share of it; None for a row of zeros.
    """

    rows: IntegerRows
    groups: tuple[tuple[int, ...], ...]
    shares: tuple[tuple[int, Fraction] | None, ...]

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Lines:
        """Merge proportional rows: those with the same quotient by the greatest common divisor."""
        groups: dict[tuple[int, ...], list[int]] = {}
        divisors = [math.gcd(*row) for row in rows]
        for i, (row, divisor) in enumerate(zip(rows, divisors, strict=True)):
            if divisor:
                groups.setdefault(tuple(x // divisor for x in row) if divisor > 1 else tuple(row), []).append(i)
        shares: list[tuple[int, Fraction] | None] = [None] * len(rows)
        merged = []
        for g, (direction, members) in enumerate(groups.items()):
            total = sum(divisors[i] for i in members)
            merged.append(tuple(total * x for x in direction))
            for i in members:
                shares[i] = (g, Fraction(divisors[i], total))
        return cls(tuple(merged), tuple(map(tuple, groups.values())), tuple(shares))


@dataclass(frozen=True, slots=True)
class Pair:
    """The reduced pair: is the target a garbling of the source?

    Attributes:
        source, target: P (m x k) and A (r x k).
        scales: s_j of the columns kept, in [1, inf).
        columns: the original columns kept.
        inputs: the original number of columns.
    """

    source: Lines
    target: Lines
    scales: tuple[int, ...]
    columns: tuple[int, ...]
    inputs: int

    @classmethod
    def of(cls, source: Mechanism, target: Mechanism) -> Pair:
        """Reduce a pair with equal numbers of inputs."""
        kept: dict[tuple[int, ...], int] = {}  # a column with its scale, where it is first
        for j, column in enumerate(zip(*source.matrix, *target.matrix, strict=True)):
            quotients = [x.as_integer_ratio() for x in column]
            scale = math.lcm(*{d for _, d in quotients})
            kept.setdefault((scale, *[n * (scale // d) for n, d in quotients]), j)
        scales, *rows = zip(*kept, strict=True)
        m = source.outputs
        return cls(Lines.of(rows[:m]), Lines.of(rows[m:]), scales, tuple(kept.values()), source.inputs)

    @property
    def shape(self) -> tuple[int, int, int]:
        """``(r, m, k)``: rows of the target, rows of the source, columns."""
        return len(self.target.rows), len(self.source.rows), len(self.scales)

    def floats(self, lines: Lines) -> NDArray[np.float64]:
        """Return the probabilities of the merged rows, rounded."""
        import numpy

        return numpy.array([[x / s for x, s in zip(row, self.scales, strict=True)] for row in lines.rows])

    def kernel(self, reduced: Sequence[Sequence[Fraction]]) -> Mechanism:
        """Return the kernel between the original mechanisms; an answer that is never given may become any."""
        zero, never = Fraction(0), (0, Fraction(1))
        columns = [(never if share is None else share)[0] for share in self.source.shares]
        rows = []
        for share in self.target.shares:
            if share is None:
                rows.append([zero] * len(columns))
                continue
            group, weight = share
            made = reduced[group] if weight == 1 else [weight * c for c in reduced[group]]
            rows.append([made[o] for o in columns])
        return Mechanism(rows)

    def payoff(self, reduced: Payoff) -> tuple[tuple[Fraction, ...], ...]:
        """Return the payoff between the original mechanisms, one row for each answer of the target."""
        zero = Fraction(0)
        acts = {}
        for group, row in reduced.items():
            full = [zero] * self.inputs
            for j, pay in row.items():
                full[self.columns[j]] = Fraction(pay)
            acts[group] = tuple(full)
        idle = (zero,) * self.inputs
        never = acts[0] if len(acts) == len(self.target.rows) else idle  # an act that is there anyhow
        return tuple(never if share is None else acts.get(share[0], idle) for share in self.target.shares)

    def beats(self, payoff: Payoff) -> bool:
        """Whether ``sum_o max_i Y_i . P_o < sum_i Y_i . A_i``, decided in integers: then there is no kernel."""
        earned, best = self.earnings(payoff)
        return best < earned

    def earnings(self, payoff: Payoff) -> tuple[Fraction, Fraction]:
        """Return ``sum_i Y_i . A_i`` and ``sum_o max_i Y_i . P_o``; merging rows changes neither.

        Cost: m products of integers for each entry of the payoff.
        """
        common = math.lcm(*{self.scales[j] for row in payoff.values() for j in row})
        acts = [(i, [(j, y * (common // self.scales[j])) for j, y in row.items() if y]) for i, row in payoff.items()]
        earned = sum(y * self.target.rows[i][j] for i, row in acts for j, y in row)
        idle = [0] if len(acts) < len(self.target.rows) else []
        best = sum(max(idle + [sum(y * line[j] for j, y in row) for _, row in acts]) for line in self.source.rows)
        return Fraction(earned, common), Fraction(best, common)


Kernel = list[list[Fraction]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found for a reduced pair.

    Attributes:
        route: how it was found.
        kernel: C, or None.
        task: the kind of task that the payoff is, or ``""``.
        payoff: Y, or None; one of the two is there.
    """

    route: str
    kernel: Kernel | None = None
    task: str = ""
    payoff: Payoff | None = None
