"""A decision task: a refutation of ``A = C P`` as a game that A plays better than any post-processing of P.

After the answer one of r acts is taken; act i pays Y_ij when the truth is j, all k truths equally likely. With A act i
is taken at answer i and earns ``sum_i Y_i . A_i / k`` on average. With P, however its answers are processed, at most
``sum_o max_i Y_i . P_o / k``. If the first is greater, A is no garbling of P. Source: Blackwell (1951, 1953).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.exact import as_text, decimal_text
from rropt.mechanisms import Mechanism

_SHOWN = 6  # acts, stakes or answers that are named before the rest is counted: what fits a few lines
_LONG = 24  # characters: a longer exact number is followed by its decimal alone

_OPENINGS = {
    "guess": "guess the truth from the answer; a right guess pays 1, a wrong one nothing",
    "avoid": "name a category that is not the truth; naming the truth costs 1",
    "odds": "bet at fixed odds, or pass",
    "bet": "bet at fixed stakes, or pass",
    "acts": "choose an act after the answer; its pay depends on the truth",
}


@dataclass(frozen=True, slots=True)
class DecisionTask:
    """A task at which one mechanism earns more than every post-processing of another.

    Attributes:
        kind: ``"guess"``, ``"avoid"``, ``"odds"``, ``"bet"`` or ``"acts"``.
        payoff: Y, shape (r, k): row i is the act taken at answer i of the better mechanism.
        earned: ``sum_i Y_i . A_i / k``, average pay with the mechanism A.
        best: ``sum_o max_i Y_i . P_o / k < earned``, the most that can be had from P.
    """

    kind: str
    payoff: tuple[tuple[Fraction, ...], ...]
    earned: Fraction
    best: Fraction

    @classmethod
    def of(
        cls, kind: str, payoff: tuple[tuple[Fraction, ...], ...], source: Mechanism, target: Mechanism
    ) -> DecisionTask:
        """Return the task with its values at a source P and a target A."""
        k = target.inputs
        acts = {_stakes(row): None for row in payoff}
        earned = sum((_pay(_stakes(y), row) for y, row in zip(payoff, target.matrix, strict=True)), Fraction(0))
        best = sum((max(_pay(act, row) for act in acts) for row in source.matrix), Fraction(0))
        return cls(kind, payoff, earned / k, best / k)

    def acts(self) -> list[tuple[tuple[Fraction, ...], list[int]]]:
        """Return the different rows of the payoff, each with the answers of A at which it is taken."""
        found: dict[tuple[Fraction, ...], list[int]] = {}
        for i, row in enumerate(self.payoff):
            found.setdefault(row, []).append(i)
        return list(found.items())

    def explain(self, target: str = "A", source: str = "B") -> str:
        """Tell in words why the target is no post-processing of the source."""
        lines = [f"Task: {_OPENINGS[self.kind]}.", *(f"  {line}" for line in self._rules(target))]
        lines.append(
            f"When all {len(self.payoff[0])} categories are equally likely, {target} earns {_number(self.earned)} on "
            f"average; {source}, however its answers are processed, at most {_number(self.best)}."
        )
        lines.append(f"So no post-processing turns {source} into {target}.")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the form of ``--json``."""
        return {
            "task": self.kind,
            "payoff": [[as_text(x) for x in row] for row in self.payoff],
            "earned": as_text(self.earned),
            "best": as_text(self.best),
        }

    def _rules(self, target: str) -> list[str]:
        if self.kind in ("guess", "avoid"):
            return [_guesses(self.acts(), target)]
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


def _guesses(acts: list[tuple[tuple[Fraction, ...], list[int]]], target: str) -> str:
    places = [(next(j for j, y in enumerate(row) if y), answers) for row, answers in acts]
    parts = [f"category {j} {_answers(answers, target)}" for j, answers in sorted(places)[:_SHOWN]]
    more = f", and so on for {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return f"With {target} name {', '.join(parts)}{more}."


def _answers(answers: list[int], target: str) -> str:
    named = ", ".join(map(str, answers[:_SHOWN])) + (", ..." if len(answers) > _SHOWN else "")
    return f"at answer{'s' if len(answers) > 1 else ''} {named} of {target}"


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
