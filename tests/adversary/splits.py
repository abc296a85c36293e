"""Split budgets by their definition: values from the matrices and the bound of the page, in plain fractions; files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from adversary.built import statement

F = Fraction
ZERO = F(0)


@dataclass(frozen=True)
class Split:
    """A certificate in numbers: ``weights`` None means the joint distribution, with ``squares``."""

    level: Any  # as the file has it
    gamma: tuple[Fraction, Fraction]
    bits: tuple[Fraction, ...]  # p of each
    weights: tuple[Fraction, ...] | None
    prevalences: tuple[Fraction, ...]
    squares: Fraction
    lower: Fraction = ZERO
    upper: Fraction = ZERO

    def file(self) -> dict[str, Any]:
        """Return the certificate."""
        if self.weights is None:
            count = str(len(self.bits))
            objective: dict[str, Any] = {"kind": "joint", "questions": count, "squares": str(self.squares)}
        else:
            objective = {
                "kind": "marginals",
                "weights": [str(w) for w in self.weights],
                "prevalences": [str(p) for p in self.prevalences],
            }
        listed = [[[str(p), str(1 - p)], [str(1 - p), str(p)]] for p in self.bits]
        claim = {"lower": str(self.lower), "upper": str(self.upper)}
        claim["mechanism"] = {"product": listed}  # type: ignore[assignment]
        gamma = dict(zip(("below", "above"), map(str, self.gamma), strict=True))
        problem = {"epsilon": self.level, "objective": objective}
        return statement("budget-split", problem, claim, {"brackets": [gamma]})


def value(split: Split, bits: Sequence[Fraction]) -> Fraction:
    """Return the objective by the definition of a covariance."""
    if split.weights is None:
        return _joint(bits) - split.squares
    total = F(0)
    for p, w, pi in zip(bits, split.weights, split.prevalences, strict=True):
        if w:
            shown = pi * p + (1 - pi) * (1 - p)  # Pr(answer 1)
            scores = ((p - 1) / (2 * p - 1), p / (2 * p - 1))  # of answers 0 and 1: unbiased for truth 1
            total += w * (shown * scores[1] ** 2 + (1 - shown) * scores[0] ** 2 - pi**2)
    return total


def _joint(bits: Sequence[Fraction]) -> Fraction:
    """Return the mean squared length of the estimate from one answer: over all answers, of truth 0."""
    total = F(0)
    for flips in product((0, 1), repeat=len(bits)):
        chance = prod((1 - p if flip else p for p, flip in zip(bits, flips, strict=True)), start=F(1))
        squares = F(0)
        for cell in product((0, 1), repeat=len(bits)):
            score = F(1)
            for p, flip, other in zip(bits, flips, cell, strict=True):
                score *= (p if flip == other else p - 1) / (2 * p - 1)
            squares += score**2
        total += chance * squares
    return total


def bound(split: Split) -> Fraction:
    """Return the lower end that the rule proves, in p: x = p/q, x - 1 = (p-q)/q, q = 1 - p."""
    slopes = []
    for place, p in enumerate(split.bits):
        q, d = 1 - p, 2 * p - 1
        if split.weights is None:
            slopes.append(2 * p * q / ((p * p + q * q) * d))
        else:
            slopes.append(split.weights[place] * p * q / d**3 if d else F(0))
    most = max(slopes)
    odds = prod((p / (1 - p) for p in split.bits), start=F(1))
    loss = most * (split.gamma[1] / odds - 1)
    for s, p in zip(slopes, split.bits, strict=True):
        loss += (most - s) * (2 * p - 1) / (1 - p)
    here = value(split, split.bits)
    return here - loss * (here + split.squares if split.weights is None else 1)
