"""Decide whether ``A = C P``: reduce the pair, look for a decision task that refutes it, then for the kernel C.

*The reduction.* Column j of both matrices is multiplied by the least common multiple s_j of its denominators. With
D = diag(s), ``A = C P`` iff ``A D = C P D``. In each matrix, proportional rows are merged (they have the same
likelihood ratios). Zero rows and repeated columns are removed. The result for the reduced pair is mapped back:

    kernel   C_io = (row i as a fraction of its group) * C'_(group of i, group of o)
    payoff   Y_i = Y'_(group of i), 0 at the removed columns

*Pairs with structure* have closed forms: a permutation, or independent bits.

*Unary encodings* report one bit for each category, independently (RAPPOR, SUE, OUE). Row i of 2^k is the vector of bits
with ``i = sum of bit_x 2^x``. Bit x is 1 with probability p_x if x is the true category, and q_x if not; P_ij is the
product over x. Suppose that every bit of the target is a garbling of the source's bit: ``q'_x = a q_x + b (1 - q_x)``
and ``p'_x = a p_x + b (1 - p_x)`` with 0 <= a, b <= 1. Then the Kronecker product of these 2 x 2 kernels is a kernel of
the pair. (The converse does not follow, because an input is exactly one category.)

*A decision task.* After the output, one of r acts is taken. Act i pays Y_ij if the true category is j; all k categories
are equally likely. With A, act i is taken at output i, and the expected payoff is ``sum_i Y_i . A_i / k``. With any
post-processing of P, it is at most ``sum_o max_i Y_i . P_o / k``. If the first is larger, A is not a garbling of P.
Source: Blackwell (1951, 1953).

*The tasks.* Floats propose a task, and integers decide it (`ReducedPair.beats`); a rejected proposal proves nothing.

* *guess*: guess the true category (pays 1 if right). *avoid*: name a category that is not the true one (costs 1 if it
  is). These compare sum_i max_j A_ij, or sum_i max_j (-A_ij), with the same sum for P.
* *odds*: bet on category j against l, at the odds gamma = max_o P_oj / P_ol for which no output of P makes the bet pay.
* *bet*: general stakes y, which pay y_j if j is true; passing pays nothing. There are two cases:

  1. If P P^+ = I, let C = A P^+ have a negative entry C_io. The column o of -P^+ pays -1 at output o of P, 0 at the
     other outputs, and -C_io > 0 at output i of A.
  2. If a row A_i is not a combination of rows of P, its component in the nullspace of P pays 0 at every output of P.

*P has full row rank.* C is unique if it exists. Choose m columns S with P_S nonsingular, and let C = A_S P_S^-1. C is a
kernel iff ``C P = A`` also holds in the other columns and no entry is negative. Otherwise a bet with stakes y, where
passing pays nothing, proves that there is no kernel:

* If A_i is not a combination of rows of P, some y has ``P y = 0`` and ``A_i . y > 0``.
* If C_io < 0, the y with ``P y = -e_o`` has ``A_i . y = -C_io > 0``.

Both inequalities are strict, so y may be rounded to short numbers.

*The rows of P are dependent.* ``C P = A`` does not determine C, and an exact linear program finds it. Each column of C
sums to 1, which determines the last row. So the variables are the other r - 1 rows of C:

    sum_o C_io P_oj = A_ij  (multiplier y_ij),    sum_i C_io <= 1  (multiplier z_o <= 0),    C >= 0.

A Farkas vector has ``sum_j y_ij P_oj + z_o <= 0`` and ``sum y_ij A_ij + sum z_o > 0``. Let Y_i = y_i, and 0 for the
last act. Then ``sum_o max(0, max_i Y_i . P_o) <= -sum z_o < sum_i Y_i . A_i``: Y is the payoff of a task at which A
earns more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any

from flint import fmpz_mat, nmod_mat

from rropt.core.errors import CertificateError
from rropt.core.exact import as_text, decimal_text, decimals_apart
from rropt.core.exact.display import is_in_full
from rropt.core.exact.numbers import whole_numbers
from rropt.core.exact.rational_bounds import simplest_between
from rropt.core.lazy import numpy as np
from rropt.core.linear import Infeasible, LinearProgram, ProgramBuilder, solve
from rropt.core.results import Result
from rropt.core.visible import all_of
from rropt.mechanisms import Mechanism

if TYPE_CHECKING:
    from numpy.typing import NDArray


IntegerRows = tuple[tuple[int, ...], ...]
# A sparse payoff for the reduced pair: act i pays entry [i][j] if j is true; omitted acts and categories pay 0.
Payoff = Mapping[int, Mapping[int, int]]


@dataclass(frozen=True, slots=True)
class MergedIntegerRows:
    """The rows of one mechanism as integers, with proportional rows merged.

    Attributes:
        rows: the merged rows, with column j multiplied by s_j.
        groups: for each merged row, the indices of the original rows, ascending.
        shares: for each original row, its group and the fraction of the merged row; ``None`` for a zero row.
    """

    rows: IntegerRows
    groups: tuple[tuple[int, ...], ...]
    shares: tuple[tuple[int, Fraction] | None, ...]

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> MergedIntegerRows:
        """Merge proportional rows: those that are equal after division by their greatest common divisors."""
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
class ReducedPair:
    """The reduced pair: is the target a garbling of the source?

    Attributes:
        source, target: P (m x k) and A (r x k).
        scales: the factors s_j >= 1 of the remaining columns.
        columns: the original indices of the remaining columns.
        inputs: the original number of columns.
    """

    source: MergedIntegerRows
    target: MergedIntegerRows
    scales: tuple[int, ...]
    columns: tuple[int, ...]
    inputs: int

    @classmethod
    def of(cls, source: Mechanism, target: Mechanism) -> ReducedPair:
        """Reduce a pair with equal numbers of inputs."""
        kept: dict[tuple[int, ...], int] = {}  # (scale, column) -> index of its first occurrence
        for j, column in enumerate(zip(*source.matrix, *target.matrix, strict=True)):
            numerators, scale = whole_numbers(column)
            kept.setdefault((scale, *numerators), j)
        scales, *rows = zip(*kept, strict=True)
        m = source.outputs
        return cls(
            MergedIntegerRows.of(rows[:m]), MergedIntegerRows.of(rows[m:]), scales, tuple(kept.values()), source.inputs
        )

    @property
    def shape(self) -> tuple[int, int, int]:
        """The dimensions ``(r, m, k)``: rows of the target, rows of the source, columns."""
        return len(self.target.rows), len(self.source.rows), len(self.scales)

    def floats(self, lines: MergedIntegerRows) -> NDArray[np.float64]:
        """Return the probabilities of the merged rows as floats."""
        return np.array([[x / s for x, s in zip(row, self.scales, strict=True)] for row in lines.rows])

    def kernel(self, reduced: Sequence[Sequence[Fraction]]) -> Mechanism:
        """Map a kernel back to the original mechanisms; an output that never occurs may be mapped to any output."""
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
        """Map a payoff back to the original mechanisms, one row for each output of the target."""
        zero = Fraction(0)
        acts = {}
        for group, row in reduced.items():
            full = [zero] * self.inputs
            for j, pay in row.items():
                full[self.columns[j]] = Fraction(pay)
            acts[group] = tuple(full)
        idle = (zero,) * self.inputs
        never = acts[0] if len(acts) == len(self.target.rows) else idle  # an act that occurs anyway
        return tuple(never if share is None else acts.get(share[0], idle) for share in self.target.shares)

    def beats(self, payoff: Payoff) -> bool:
        """Return whether ``sum_o max_i Y_i . P_o < sum_i Y_i . A_i``, in exact integers; then no kernel exists."""
        earned, best = self.earnings(payoff)
        return best < earned

    def earnings(self, payoff: Payoff) -> tuple[Fraction, Fraction]:
        """Return ``sum_i Y_i . A_i`` and ``sum_o max_i Y_i . P_o``, which do not change if rows are merged.

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
class KernelOrPayoff:
    """The result for a reduced pair: a kernel or a payoff.

    Attributes:
        route: the method that found the proof.
        kernel: C, or ``None``.
        task: the kind of task of the payoff, or ``""``.
        payoff: Y, or ``None``; exactly one of kernel and payoff is given.
    """

    route: str
    kernel: Kernel | None = None
    task: str = ""
    payoff: Payoff | None = None


def symmetric_answer(pair: ReducedPair) -> KernelOrPayoff | None:
    """Return the result by a closed form; ``None`` if no closed form applies. Cost O((m + r) k)."""
    r, m, _ = pair.shape
    if r == 1:
        return KernelOrPayoff("constant target", [[Fraction(1)] * m])
    if r == m and set(pair.source.rows) == set(pair.target.rows):
        index = {row: o for o, row in enumerate(pair.source.rows)}
        kernel = [[Fraction(0)] * m for _ in range(r)]
        for i, row in enumerate(pair.target.rows):
            kernel[i][index[row]] = Fraction(1)
        return KernelOrPayoff("permutation", kernel)
    return None


# Maximal number of bits of two unary encodings that are compared bit by bit: the kernel has 4^k entries.
_MAX_INDEPENDENT_BITS = 9

Bit = tuple[Fraction, Fraction]  # (q, p)


def independent_bits_kernel(source: Mechanism, target: Mechanism) -> Mechanism | None:
    """Return a kernel between two unary encodings, bit by bit; ``None`` if no kernel of this form exists.

    Cost: O(2^k k^2) to recognize the encodings, and 4^k entries for the kernel.
    """
    k = source.inputs
    if not 2 < k <= _MAX_INDEPENDENT_BITS or source.shape != (2**k, k) or target.shape != (2**k, k):
        return None
    given, wanted = _bits(source), _bits(target)
    if given is None or wanted is None:
        return None
    rows: list[list[Fraction]] = [[Fraction(1)]]
    for bit, other in zip(given, wanted, strict=True):
        kernel = _bit_kernel(bit, other)
        if kernel is None:
            return None
        rows = [[x * y for y in line for x in row] for line in kernel for row in rows]  # the first bit varies fastest
    return Mechanism(rows)


def _bits(mechanism: Mechanism) -> list[Bit] | None:
    """Return (q_x, p_x) for each bit; ``None`` if the mechanism is not a unary encoding."""
    k, bits = mechanism.inputs, []
    columns = list(mechanism.columns())
    for x in range(k):
        ones = [sum((p for i, p in enumerate(column) if i >> x & 1), Fraction(0)) for column in columns]
        others = {one for j, one in enumerate(ones) if j != x}
        if len(others) > 1:
            return None
        bits.append((others.pop(), ones[x]))
    for truth, column in enumerate(columns):
        law = [Fraction(1)]
        for x, (q, p) in enumerate(bits):
            one = p if x == truth else q
            law = [*(value * (1 - one) for value in law), *(value * one for value in law)]
        if law != list(column):
            return None
    return bits


def _bit_kernel(bit: Bit, other: Bit) -> list[list[Fraction]] | None:
    """Return the 2 x 2 kernel from a bit (q, p) to another one; ``None`` if none exists."""
    (q, p), (wanted_q, wanted_p) = bit, other
    if p == q:
        if wanted_p != wanted_q:
            return None
        a = b = wanted_q
    else:
        slope = (wanted_p - wanted_q) / (p - q)
        b = wanted_q - slope * q
        a = b + slope
    return [[1 - b, 1 - a], [b, a]] if 0 <= min(a, b) <= max(a, b) <= 1 else None


# Floats only propose tasks; a smaller margin may be a rounding error.
_REFUTATION_MARGIN = 1e-9
# Bits of rounded stakes, few first, so that the stakes are short. 30 bits suffice whenever floats see a margin. If one
# rounding costs more than _STAKE_PRODUCTS products of integers, only the finer ones are tried.
_STAKE_BITS = (1, 2, 3, 4, 5, 6, 8, 11, 15, 20, 25, 30)
_LARGE_STAKE_BITS = _STAKE_BITS[-5:]
_STAKE_PRODUCTS = 20_000
_ODDS_RATIOS = 10**8  # maximal number of ratios of entries of P for which all odds are tried: a second of NumPy


def cheap_refutation(pair: ReducedPair) -> KernelOrPayoff | None:
    """Return a task at which the target earns more; ``None`` if no cheap task proves it."""
    with np.errstate(all="ignore"):
        source, target = pair.floats(pair.source), pair.floats(pair.target)
        for kind, payoff in chain(_guesses(source, target), _odds(pair, source, target)):
            if pair.beats(payoff):
                return KernelOrPayoff("proposed in floats", task=kind, payoff=payoff)
        for act, stakes in _bets(source, target):
            rounded = rounded_payoff(pair, {act: [Fraction(x) for x in stakes.tolist()]}, most=_STAKE_BITS[-1])
            if rounded is not None:
                return KernelOrPayoff("proposed in floats", task="bet", payoff=rounded)
    return None


def rounded_payoff(
    pair: ReducedPair, payoff: dict[int, Sequence[Fraction]], *, most: int | None = None
) -> Payoff | None:
    """Round a payoff to short integers that still refute the pair.

    Args:
        pair: the pair.
        payoff: rows by act, k entries each.
        most: the maximal number of bits; ``None`` for a payoff that is known to refute, so the search terminates.

    Returns:
        Integers of at most 2^bits, or ``None``.

    Raises:
        CertificateError: `most` is ``None`` and the payoff does not refute the pair.
    """
    if most is None:
        _require_proof(pair, payoff)
    largest = max(abs(x) for row in payoff.values() for x in row)
    if not largest:
        return None
    products = len(pair.source.rows) * len(pair.scales) * len(payoff)
    steps = _STAKE_BITS if products <= _STAKE_PRODUCTS else _LARGE_STAKE_BITS
    bits = steps[0]
    while most is None or bits <= most:
        unit = Fraction(1 << bits) / largest
        rounded = {i: {j: y for j, x in enumerate(row) if (y := round(x * unit))} for i, row in payoff.items()}
        if pair.beats(rounded):
            return rounded
        bits = next((step for step in steps if step > bits), 2 * bits)
    return None


def _require_proof(pair: ReducedPair, payoff: dict[int, Sequence[Fraction]]) -> None:
    """Raise an error unless the exact payoff refutes the pair; rounding to enough bits then also does."""
    common = math.lcm(*{x.denominator for row in payoff.values() for x in row})
    exact = {i: {j: int(x * common) for j, x in enumerate(row) if x} for i, row in payoff.items()}
    if not pair.beats(exact):
        raise CertificateError(
            f"the refutation fails its exact check: received a payoff of {len(payoff)} acts that earns no more with "
            "the target; allowed is one that does; this is an internal error, please report the two mechanisms"
        )


def _guesses(source: NDArray[np.float64], target: NDArray[np.float64]) -> Iterator[tuple[str, Payoff]]:
    for kind, sign in (("guess", 1), ("avoid", -1)):
        if (sign * target).max(axis=1).sum() > (sign * source).max(axis=1).sum() - _REFUTATION_MARGIN:
            places = (sign * target).argmax(axis=1).tolist()
            yield kind, {i: {j: sign} for i, j in enumerate(places)}


def _odds(pair: ReducedPair, source: NDArray[np.float64], target: NDArray[np.float64]) -> Iterator[tuple[str, Payoff]]:
    """Propose the bet on j against l that gains most at an output of A, at odds that P cannot beat."""
    best, found = -_REFUTATION_MARGIN, None
    if len(source) * source.shape[1] ** 2 > _ODDS_RATIOS:
        return
    for j in range(source.shape[1]):
        odds = np.nanmax(np.where(source[:, j : j + 1] > 0, source[:, j : j + 1] / source, 0.0), axis=0)
        odds[~np.isfinite(odds)] = np.inf
        gains = (target[:, j : j + 1] - np.where(target > 0, odds * target, 0.0)) / (1 + odds)
        gains[:, j] = -np.inf
        i, other = divmod(int(np.nanargmax(gains)), gains.shape[1])
        if np.isfinite(odds[other]) and gains[i, other] > best:
            best, found = float(gains[i, other]), (i, j, other)
    if found is None:
        return
    i, j, other = found
    rows = [row for row in pair.source.rows if row[j]]
    if not rows or any(not row[other] for row in rows):
        return
    unit = Fraction(pair.scales[other], pair.scales[j])
    least = max(Fraction(row[j], row[other]) for row in rows) * unit
    line = pair.target.rows[i]
    most = line[j] * unit / line[other] if line[other] else None
    gamma = least if most is not None and least >= most else simplest_between(least, most, high_open=True)
    yield "odds", {i: {j: gamma.denominator, other: -gamma.numerator}}


def _bets(source: NDArray[np.float64], target: NDArray[np.float64]) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Propose stakes from the pseudo-inverse of P."""
    try:
        inverse = np.linalg.pinv(source).astype(np.float64)
    except np.linalg.LinAlgError:
        return
    if not np.isfinite(inverse).all():
        return
    kernel = target @ inverse
    rest = target - kernel @ source
    i = int(abs(rest).max(axis=1).argmax())
    if abs(rest[i]).max() > _REFUTATION_MARGIN:
        yield i, rest[i]
    if abs(source @ inverse - np.eye(len(source))).max() < _REFUTATION_MARGIN:
        relative = kernel / np.maximum(abs(inverse).max(axis=0), 1.0)
        i, o = divmod(int(relative.argmin()), relative.shape[1])
        if relative[i, o] < -_REFUTATION_MARGIN:
            yield i, -inverse[:, o]


_SHOWN = 6  # maximal number of acts, stakes or outputs that are listed; the others are counted
_LONG = 24  # characters: a longer exact number is shown only as a decimal
_LARGEST_STAKE = 10_000  # larger payoffs are shown in units of the largest

_OPENINGS = {
    "guess": "guess the truth from the output; a correct guess pays 1, a wrong one 0",
    "avoid": "name a category that is not the truth; naming the truth costs 1",
    "odds": "bet at fixed odds, or pass",
    "bet": "bet at fixed stakes, or pass",
    "acts": "choose an act after the output; its payoff depends on the truth",
}


@dataclass(frozen=True, slots=True)
class DecisionTask(Result):
    """A task at which one mechanism earns more than every post-processing of another.

    Attributes:
        task: ``"guess"``, ``"avoid"``, ``"odds"``, ``"bet"`` or ``"acts"``.
        payoff: Y, shape (r, k): row i is the act taken at output i of the better mechanism.
        earned: ``sum_i Y_i . A_i / k``, the expected payoff with the mechanism A.
        best: ``sum_o max_i Y_i . P_o / k < earned``, the largest expected payoff with P.
    """

    task: str
    payoff: tuple[tuple[Fraction, ...], ...]
    earned: Fraction
    best: Fraction

    def acts(self) -> list[tuple[tuple[Fraction, ...], list[int]]]:
        """Return the distinct rows of the payoff, each with the outputs of A at which the act is taken."""
        found: dict[tuple[Fraction, ...], list[int]] = {}
        for i, row in enumerate(self.payoff):
            found.setdefault(row, []).append(i)
        return list(found.items())

    def explain(self, target: str = "A", source: str = "B") -> str:
        """Explain why the target is not a post-processing of the source."""
        unit = self._unit()
        lines = [f"Task: {_OPENINGS[self.task]}.", *(f"  {line}" for line in self._rules(target, unit))]
        categories = all_of(len(self.payoff[0]), "categories")
        earned, best = self.earned / unit, self.best / unit
        texts = decimals_apart(earned, best)
        lines.append(
            f"When {categories} are equally likely, {target} earns {_number(earned, texts[0])} on average; "
            f"{source}, however its outputs are processed, at most {_number(best, texts[1])}."
        )
        lines.append(f"So no post-processing turns {source} into {target}.")
        return "\n".join(lines)

    def _unit(self) -> Fraction:
        """Return the payoff that the text calls 1: the largest, if the payoffs are too long to be read.

        The order of two payoffs does not change if both are divided by the same positive number.
        """
        largest = max(abs(y) for row in self.payoff for y in row)
        return Fraction(1) if is_in_full() or largest <= _LARGEST_STAKE else largest

    def _rules(self, target: str, unit: Fraction) -> list[str]:
        if self.task in ("guess", "avoid"):
            return [_guess_text(self.acts(), target)]
        acts = [(row, answers) for row, answers in self.acts() if any(row)]
        if len(acts) == 1:
            (row, answers), *_ = acts
            return [
                f"The bet: {_stakes_text(row, unit)}.",
                f"With {target} take it {_answers(answers, target)}, else pass.",
            ]
        lines = [f"Act {_answers(answers, target)}: {_stakes_text(row, unit)}." for row, answers in acts[:_SHOWN]]
        if len(acts) > _SHOWN:
            lines.append(f"... and {len(acts) - _SHOWN} acts more.")
        return [*lines, "Otherwise pass: nothing is paid."] if len(acts) < len(self.acts()) else lines


def _guess_text(acts: list[tuple[tuple[Fraction, ...], list[int]]], target: str) -> str:
    places = [(next(j for j, y in enumerate(row) if y), answers) for row, answers in acts]
    parts = [f"category {j} {_answers(answers, target)}" for j, answers in sorted(places)[:_SHOWN]]
    more = f", and so on for {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return f"With {target} name {', '.join(parts)}{more}."


def _answers(answers: list[int], target: str) -> str:
    named = ", ".join(map(str, answers[:_SHOWN])) + (", ..." if len(answers) > _SHOWN else "")
    return f"at output{'s' if len(answers) > 1 else ''} {named} of {target}"


def _stakes_text(row: Sequence[Fraction], unit: Fraction = Fraction(1)) -> str:
    stakes = [(j, y) for j, y in enumerate(row) if y]
    parts = [
        f"{'win' if y > 0 else 'lose'} {_stake(abs(y), unit)} if the truth is {j}"
        for j, y in sorted(stakes, key=lambda item: (-abs(item[1]), item[0]))[:_SHOWN]
    ]
    more = f", and so on for {len(stakes) - _SHOWN} more" if len(stakes) > _SHOWN else ""
    rest = ", nothing otherwise" if len(stakes) < len(row) else ""
    return f"{', '.join(parts)}{more}{rest}"


def _stake(y: Fraction, unit: Fraction) -> str:
    """Return a payoff in units of the largest one; a ratio of two long numbers is read as a decimal."""
    scaled, decimal = y / unit, decimal_text(y / unit)
    return _number(scaled) if unit == 1 or Fraction(decimal) == scaled else f"about {decimal}"


def _number(x: Fraction, decimal: str = "") -> str:
    """Return a number for a sentence: exact if it is short, and as a decimal (by default with 6 digits)."""
    text, decimal = as_text(x), decimal or decimal_text(x, 6)
    if text == decimal or (x.denominator == 1 and len(text) <= _LONG):
        return text
    is_exact = " " not in decimal and Fraction(decimal) == x
    if len(text) > _LONG:
        return decimal if is_exact else f"about {decimal}"
    return f"{text} = {decimal}" if is_exact else f"{text} (about {decimal})"


_UNIQUE, _PROGRAMMED = "unique kernel", "linear program"


def unique_kernel(pair: ReducedPair) -> KernelOrPayoff | None:
    """Return the kernel, or a payoff that refutes it; ``None`` if P does not have full row rank."""
    source, target = pair.source.rows, pair.target.rows
    chosen = independent_columns(source)
    if chosen is None:
        return None
    kernel = solve_left(_block(source, chosen), _block(target, chosen))
    others = sorted(set(range(len(pair.scales))) - set(chosen))
    back = [list(column) for column in zip(*_block(source, chosen), strict=True)]
    if others:
        excess = remainder(kernel, _block(source, others), _block(target, others)).entries()
        if any(excess):
            found = next(n for n, x in enumerate(excess) if x)
            i, j = divmod(found, len(others))
            solved = solve_left(back, [[row[others[j]] for row in source]])[0]  # of P y = 0 with y_j = 1
            null = {others[j]: Fraction(1), **{s: -x for s, x in zip(chosen, solved, strict=True)}}
            stakes = _spread(pair, null)
            return _bet(pair, i, stakes if excess[found] > 0 else [-y for y in stakes])
    least, i, o = min((c, i, o) for i, row in enumerate(kernel) for o, c in enumerate(row))
    if least >= 0:
        return KernelOrPayoff(_UNIQUE, kernel)
    unit = [[-int(o == other) for other in range(len(source))]]
    solved = solve_left(back, unit)[0]
    return _bet(pair, i, _spread(pair, dict(zip(chosen, solved, strict=True))))


def _spread(pair: ReducedPair, entries: dict[int, Fraction]) -> list[Fraction]:
    """Return the vector with these entries at the integer columns, converted to stakes for the probabilities."""
    zero = Fraction(0)
    return [entries.get(j, zero) * scale for j, scale in enumerate(pair.scales)]


def _bet(pair: ReducedPair, act: int, stakes: list[Fraction]) -> KernelOrPayoff:
    return KernelOrPayoff(_UNIQUE, task="bet", payoff=rounded_payoff(pair, {act: stakes}))


def _block(rows: Sequence[Sequence[int]], columns: Sequence[int]) -> list[list[int]]:
    return [[row[j] for j in columns] for row in rows]


def programmed_kernel(pair: ReducedPair) -> KernelOrPayoff:
    """Return a kernel, or a payoff that refutes it, from one exact linear program with (r - 1) m variables."""
    r, m, k = pair.shape
    outcome = solve(_program(pair))
    if isinstance(outcome, Infeasible):
        y = outcome.farkas
        stakes = {i: [y[i * k + j] * scale for j, scale in enumerate(pair.scales)] for i in range(r - 1)}
        payoff = rounded_payoff(pair, {i: row for i, row in stakes.items() if any(row)})
        return KernelOrPayoff(_PROGRAMMED, task="acts", payoff=payoff)
    point = list(outcome.primal)
    rows = [point[i * m : (i + 1) * m] for i in range(r - 1)]
    last = [1 - sum(column, Fraction(0)) for column in zip(*rows, strict=True)]
    return KernelOrPayoff(_PROGRAMMED, [*rows, last])


def _program(pair: ReducedPair) -> LinearProgram:
    r, m, k = pair.shape
    builder = ProgramBuilder("minimise")
    c = [[builder.variable(f"C[{i},{o}]") for o in range(m)] for i in range(r - 1)]
    for i in range(r - 1):
        for j in range(k):
            terms = {c[i][o]: row[j] for o, row in enumerate(pair.source.rows)}
            builder.row(f"A[{i},{j}]", terms, "=", pair.target.rows[i][j])
    for o in range(m):
        builder.row(f"column {o}", {c[i][o]: 1 for i in range(r - 1)}, "<=", 1)
    return builder.build()


# The largest prime below 2^62: FLINT's fastest word-sized modulus. It divides a determinant with probability about
# n/2^62, and this is detected.
RANK_PRIME = 2**62 - 57


def independent_columns(rows: Sequence[Sequence[int]]) -> list[int] | None:
    """Return columns that form a nonsingular square block of an integer matrix with full row rank; else ``None``.

    The rank is computed modulo a prime. Columns that are found are independent. If the rank is smaller only modulo the
    prime, the function returns ``None``; the caller then uses a slower method, and the result stays correct.
    """
    m, k = len(rows), len(rows[0])
    if m > k:
        return None
    reduced, rank = nmod_mat(_integers(rows), RANK_PRIME).rref()
    if rank < m:
        return None
    pivots: list[int] = []
    for i in range(m):
        start = pivots[-1] + 1 if pivots else 0
        pivots.append(next(j for j in range(start, k) if int(reduced[i, j])))
    return pivots


def solve_left(matrix: Sequence[Sequence[int]], right: Sequence[Sequence[int]]) -> list[list[Fraction]]:
    """Solve ``X B = R`` exactly by FLINT (Dixon's p-adic lifting), whose cost grows with the length of the solution.

    Args:
        matrix: B, n x n, integers, nonsingular.
        right: R, r x n, integers.
    """
    numerators, denominator = _integers(matrix).transpose().solve(_integers(right).transpose()).numer_denom()
    return [[Fraction(int(n), int(denominator)) for n in row] for row in numerators.transpose().tolist()]


def remainder(
    left: Sequence[Sequence[Fraction]], matrix: Sequence[Sequence[int]], right: Sequence[Sequence[int]]
) -> Any:
    """Return the exact ``R - X B`` times the positive common denominator of X, as an integer matrix."""
    integers, common = whole_numbers(x for row in left for x in row)
    return _integers(right) * common - fmpz_mat(len(left), len(matrix), integers) * _integers(matrix)


def _integers(rows: Sequence[Sequence[int]]) -> Any:
    return fmpz_mat(len(rows), len(rows[0]), [x for row in rows for x in row])
