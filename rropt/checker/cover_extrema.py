"""Minima and maxima that are decided on a cell (FORMAT.md, rule 12)."""

from fractions import Fraction
from typing import Any

from .cover_forms import Forms
from .cover_jets import UNARY, Box, Jet, Jets, operation_of
from .documents import Rejected


class Extrema:
    """Which operands of minima and maxima are needed on a box."""

    def __init__(self, jets: Jets, forms: Forms) -> None:
        self.jets, self.forms = jets, forms

    def shorter(self, tree: Any, box: Box) -> Any:
        """Return the tree without operands that another one makes superfluous; itself, if nothing goes."""
        self.jets.arithmetic.charge(1)
        if isinstance(tree, str):
            return tree
        operation, parts = operation_of(tree)
        if operation in ("minimum", "maximum"):
            kept = self._kept(operation, parts, box)
            if len(kept) == 1:
                return self.shorter(kept[0], box)
            return tree if len(kept) == len(parts) else {operation: kept}
        operands = parts[:1] if operation == "power" else parts
        shorter = [*(self.shorter(part, box) for part in operands), *parts[len(operands) :]]
        if all(new is old for new, old in zip(shorter, parts, strict=True)):
            return tree
        return {operation: shorter[0] if operation in UNARY else shorter}

    def _kept(self, operation: str, parts: list[Any], box: Box) -> list[Any]:
        jets = [self.jets.of(part, box, 1) for part in parts]
        kept: list[int] = []
        for i in range(len(parts)):
            order = 1 if operation == "minimum" else -1
            if any(self._at_most((i, j)[::-order], parts, jets, box) for j in kept):
                continue
            kept = [j for j in kept if not self._at_most((i, j)[::order], parts, jets, box)] + [i]
        return [parts[i] for i in kept]

    def _at_most(self, pair: tuple[int, ...], parts: list[Any], jets: list[Jet], box: Box) -> bool:
        """Whether the first of two operands is at most the second on the box: by values, or from a common end."""
        (f, slope), (g, other) = (jets[i] for i in pair)
        self.jets.arithmetic.charge(1)
        if f[1] <= g[0]:
            return True
        if box.low == box.high:
            return False
        one, two = (parts[i] for i in pair)
        return (box.low == 0 and slope[1] <= other[0] and self._meet(one, two, 0)) or (
            box.high == 1 and slope[0] >= other[1] and self._meet(one, two, 1)
        )

    def _meet(self, one: Any, two: Any, end: int) -> bool:
        """Whether two operands have the same limit at 0 or at 1: by exact intervals, or as an identity of constants."""
        point = Box(Fraction(end), Fraction(end))
        try:
            a, b = (self.jets.of(part, point, 0)[0] for part in (one, two))
            if a == b and a[0] == a[1]:
                return True
            ring, prior = self.forms.ring, self.forms.ring.constant(Fraction(end))
            (n, d), (m, e) = (self.forms.of(part, prior) for part in (one, two))
            return self.forms.sign(d) * self.forms.sign(e) != 0 and ring.multiply(n, e) == ring.multiply(m, d)
        except Rejected:
            return False
