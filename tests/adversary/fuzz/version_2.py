"""The statement parity-bound, asked of cells and of whole files by the fuzzers."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from adversary.built import statement
from rropt.checker import check_text
from rropt.checker.documents import Rejected, WorkBudget
from rropt.checker.intervals import Arithmetic
from rropt.checker.limits import MAX_WORK
from rropt.checker.parity_bound import ProvedCell, ProvedCriterion

from .cells import Statement
from .covers import Claim, UnreadableError

DIGITS = 60
LAST = (  # reasons of the last inequality; all others are earlier: not defined, not decided, not in shape
    "beyond the bound",
    "Bernstein coefficient",
    "no operand",
    "limit of the odds ratio",
    "no positive slope",
)


def judge_of(package: str = "rropt.checker") -> Callable[[Statement], str]:
    """Return what asks a checker, or a weakened copy of it, of one cell."""
    names = ("parity_bound.judgement", "documents", "intervals")
    judgement, documents, intervals = (importlib.import_module(f"{package}.{name}") for name in names)
    # a weakened copy may fall at what it lets pass, and what falls accepts nothing; the checker itself never may
    falls = () if package == "rropt.checker" else (ArithmeticError, KeyError, IndexError)

    def judge(statement: Statement) -> str:
        side, low, high, order = "down" if statement.mirrored else "up", *statement[3:6]
        problem: Any = {"up": None, "down": None}
        problem[side] = {"pieces": [{"to": "1", "closed": True, "value": statement.tree}]}
        try:
            criterion = judgement.ProvedCriterion(problem, intervals.Arithmetic(DIGITS, documents.WorkBudget()))
            (piece,) = criterion.sides[side]
            bound = criterion.constants.of(statement.bound)
            if statement.method in ("most", "limit"):
                method = "low" if low == 0 else "high" if high == 1 else "middle"
                way = (method, order) if order else ("bernstein", 0)
                criterion.at_most(piece, judgement.ProvedCell(low, high, *way), bound)
            else:
                method = "bernstein" if statement.method == "point" else statement.method
                way = (method, 0 if method == "bernstein" else max(order, 1))
                criterion.at_least(piece, judgement.ProvedCell(low, high, *way), bound)
        except documents.Rejected as rejection:
            if statement.method == "most" and "not in its piece" in str(rejection):
                return "accepted"  # the cell is judged; that it is no place of the piece is said afterwards
            return "refuted" if any(reason in str(rejection) for reason in LAST) else "early"
        except falls:
            return "early"
        return "accepted"

    return judge


class Version2:
    """The parts of a file, as the rule reads them."""

    def start(self, problem: Any, claim: Claim) -> None:
        """Read a problem."""
        self.problem, self.claim = problem, claim
        try:
            self.criterion = ProvedCriterion(problem, Arithmetic(DIGITS, WorkBudget()))
        except Rejected as rejection:
            raise UnreadableError(str(rejection)) from None
        self.lower, self.top = map(self.criterion.constants.of, (claim.lower, claim.upper))

    def pieces(self) -> list[tuple[str, int, Fraction, Fraction]]:
        """Return side, number and ends of each piece."""
        return [(side, i, *p.outer) for side, listed in self.criterion.sides.items() for i, p in enumerate(listed)]

    def place(self, side: str, place: Fraction) -> Fraction:
        """Return where a place of the function that is written is a place of h."""
        return place if side == "up" else 1 - place

    def cell(self, side: str, index: int, low: Fraction, high: Fraction) -> Any:
        """Return a cell that is accepted."""
        piece, attained = self.criterion.sides[side][index], self.claim.attained
        for near in (False, True) if attained is not False else (False,):
            if near and attained and not piece.is_closed_on(low, high):
                continue
            for method, order in _ways(low, high):
                self.criterion.budget.left = MAX_WORK
                try:
                    bound = self.lower if near else self.top
                    is_strict = self.criterion.at_least(piece, ProvedCell(low, high, method, order), bound)
                except Rejected:
                    continue
                if is_strict or attained is not False:
                    return {"to": str(high), "near": near, "method": method, "order": str(order)}
        return None

    def points(self, side: str, index: int, place: Fraction) -> Iterator[tuple[Any, Any]]:
        """Iterate over accepted points."""
        piece = self.criterion.sides[side][index]
        cells = [(place, place)]
        ends = [end for end in (piece.start, piece.end) if end.low > 0 and end.high < 1]
        cells += [pair for low, high, _ in ends for pair in ((low, high), (low, low), (high, high))]
        cells += [(Fraction(0), Fraction(1, 10**4))] if piece.outer[0] == 0 else []
        cells += [(1 - Fraction(1, 10**4), Fraction(1))] if piece.outer[1] == 1 else []
        for low, high in cells:
            for method, order in _ways(low, high):
                self.criterion.budget.left = MAX_WORK
                try:
                    at, _ = self.criterion.at_most(piece, ProvedCell(low, high, method, order), self.top)
                except Rejected:
                    continue
                ends = {"from": str(low), "to": str(high), "method": method, "order": str(order)}
                yield {"side": side, "piece": str(index), **ends}, at

    def document(self, covers: dict[str, list[Any]], point: Any, at: Any) -> Any:
        """Return the file."""
        claim = {"lower": str(self.claim.lower), "upper": str(self.claim.upper), "attained": self.claim.attained}
        sides = {"up": covers.get("up"), "down": covers.get("down")}
        proof = {"digits": str(DIGITS), "exact": None, **sides, "point": point}
        return statement("parity-bound", self.problem, {**claim, "at": at}, proof)

    def accepts(self, text: str) -> bool:
        """Judge it."""
        return bool(check_text(text))


def _ways(low: Fraction, high: Fraction) -> Iterator[tuple[str, int]]:
    yield "bernstein", 0
    if low == high:
        return
    ends = [name for name, end in (("low", low), ("high", high)) if end in (0, 1)]
    yield from ((method, order) for method in (ends or ["middle"]) for order in (2, 1))
