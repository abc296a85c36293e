"""Decision tasks that refute ``A = C P``: A earns more than every post-processing of P. Cheap tasks are tried first.

*A decision task.* After the output, one of r acts is taken. Act i pays Y_ij if the true category is j; all k categories
are equally likely. With A, act i is taken at output i, and the expected payoff is ``sum_i Y_i . A_i / k``. With any
post-processing of P, it is at most ``sum_o max_i Y_i . P_o / k``. If the first is larger, A is not a garbling of P.
Source: Blackwell (1951, 1953).

*The tasks.* Floats propose a task, and integers decide it (`Pair.beats`); a rejected proposal proves nothing.

* *guess*: guess the true category (pays 1 if right). *avoid*: name a category that is not the true one (costs 1 if it
  is). These compare sum_i max_j A_ij, or sum_i max_j (-A_ij), with the same sum for P.
* *odds*: bet on category j against l, at the odds gamma = max_o P_oj / P_ol for which no output of P makes the bet pay.
* *bet*: general stakes y, which pay y_j if j is true; passing pays nothing. There are two cases:

  1. If P P^+ = I, let C = A P^+ have a negative entry C_io. The column o of -P^+ pays -1 at output o of P, 0 at the
     other outputs, and -C_io > 0 at output i of A.
  2. If a row A_i is not a combination of rows of P, its component in the nullspace of P pays 0 at every output of P.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

from rropt.core.errors import CertificateError
from rropt.core.exact import as_text, decimal_text
from rropt.core.exact.brackets import simplest_between
from rropt.core.lazy import numpy as np
from rropt.core.results import Result
from rropt.designs.orders.reduced_pairs import KernelOrPayoff, Pair, Payoff
from rropt.mechanisms import Mechanism

if TYPE_CHECKING:
    from numpy.typing import NDArray


# Floats only propose tasks; a smaller margin may be a rounding error.
_REFUTATION_MARGIN = 1e-9
# Bits of rounded stakes, few first, so that the stakes are short. 30 bits suffice whenever floats see a margin. If one
# rounding costs more than _STAKE_PRODUCTS products of integers, only the finer ones are tried.
_STAKE_BITS = (1, 2, 3, 4, 5, 6, 8, 11, 15, 20, 25, 30)
_LARGE_STAKE_BITS = _STAKE_BITS[-5:]
_STAKE_PRODUCTS = 20_000
_ODDS_RATIOS = 10**8  # maximal number of ratios of entries of P for which all odds are tried: a second of NumPy


def cheap_refutation(pair: Pair) -> KernelOrPayoff | None:
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


def rounded_payoff(pair: Pair, payoff: dict[int, Sequence[Fraction]], *, most: int | None = None) -> Payoff | None:
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


def _require_proof(pair: Pair, payoff: dict[int, Sequence[Fraction]]) -> None:
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


def _odds(pair: Pair, source: NDArray[np.float64], target: NDArray[np.float64]) -> Iterator[tuple[str, Payoff]]:
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

    @classmethod
    def of(
        cls, kind: str, payoff: tuple[tuple[Fraction, ...], ...], source: Mechanism, target: Mechanism
    ) -> DecisionTask:
        """Return the task with its expected payoffs for a source P and a target A."""
        k = target.inputs
        acts = {_stakes(row): None for row in payoff}
        earned = sum((_pay(_stakes(y), row) for y, row in zip(payoff, target.matrix, strict=True)), Fraction(0))
        best = sum((max(_pay(act, row) for act in acts) for row in source.matrix), Fraction(0))
        return cls(kind, payoff, earned / k, best / k)

    def acts(self) -> list[tuple[tuple[Fraction, ...], list[int]]]:
        """Return the distinct rows of the payoff, each with the outputs of A at which the act is taken."""
        found: dict[tuple[Fraction, ...], list[int]] = {}
        for i, row in enumerate(self.payoff):
            found.setdefault(row, []).append(i)
        return list(found.items())

    def explain(self, target: str = "A", source: str = "B") -> str:
        """Explain why the target is not a post-processing of the source."""
        lines = [f"Task: {_OPENINGS[self.task]}.", *(f"  {line}" for line in self._rules(target))]
        lines.append(
            f"When all {len(self.payoff[0])} categories are equally likely, {target} earns {_number(self.earned)} on "
            f"average; {source}, however its outputs are processed, at most {_number(self.best)}."
        )
        lines.append(f"So no post-processing turns {source} into {target}.")
        return "\n".join(lines)

    def _rules(self, target: str) -> list[str]:
        if self.task in ("guess", "avoid"):
            return [_guess_text(self.acts(), target)]
        acts = [(row, answers) for row, answers in self.acts() if any(row)]
        if len(acts) == 1:
            (row, answers), *_ = acts
            return [f"The bet: {_stakes_text(row)}.", f"With {target} take it {_answers(answers, target)}, else pass."]
        lines = [f"Act {_answers(answers, target)}: {_stakes_text(row)}." for row, answers in acts[:_SHOWN]]
        if len(acts) > _SHOWN:
            lines.append(f"... and {len(acts) - _SHOWN} acts more.")
        return [*lines, "Otherwise pass: nothing is paid."] if len(acts) < len(self.acts()) else lines


def _stakes(row: Sequence[Fraction]) -> tuple[tuple[int, Fraction], ...]:
    return tuple((j, y) for j, y in enumerate(row) if y)


def _pay(stakes: tuple[tuple[int, Fraction], ...], row: Sequence[Fraction]) -> Fraction:
    return sum((y * row[j] for j, y in stakes), Fraction(0))


def _guess_text(acts: list[tuple[tuple[Fraction, ...], list[int]]], target: str) -> str:
    places = [(next(j for j, y in enumerate(row) if y), answers) for row, answers in acts]
    parts = [f"category {j} {_answers(answers, target)}" for j, answers in sorted(places)[:_SHOWN]]
    more = f", and so on for {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return f"With {target} name {', '.join(parts)}{more}."


def _answers(answers: list[int], target: str) -> str:
    named = ", ".join(map(str, answers[:_SHOWN])) + (", ..." if len(answers) > _SHOWN else "")
    return f"at output{'s' if len(answers) > 1 else ''} {named} of {target}"


def _stakes_text(row: Sequence[Fraction]) -> str:
    stakes = _stakes(row)
    parts = [
        f"{'win' if y > 0 else 'lose'} {_number(abs(y))} if the truth is {j}"
        for j, y in sorted(stakes, key=lambda item: (-abs(item[1]), item[0]))[:_SHOWN]
    ]
    more = f", and so on for {len(stakes) - _SHOWN} more" if len(stakes) > _SHOWN else ""
    rest = ", nothing otherwise" if len(stakes) < len(row) else ""
    return f"{', '.join(parts)}{more}{rest}"


def _number(x: Fraction) -> str:
    text = as_text(x)
    if x.denominator == 1 and len(text) <= _LONG:
        return text
    decimal = decimal_text(x, 6)
    if len(text) > _LONG:
        return f"about {decimal}"
    return f"{text} = {decimal}" if Fraction(decimal) == x else f"{text} (about {decimal})"
