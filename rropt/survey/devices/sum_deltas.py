"""A narrow enclosure of delta of the sum of many independent responses: one threshold distinguishes neighbours.

If t of the n others have the trait, the neighbours' distributions of the sum are ``W A`` and ``W B`` with
``W = A^(n - t) B^t``. Assume that

* ``A^r`` and ``B^r`` are log-concave for some r, and
* all ``A^i B^j (A - gamma B)`` with i, j < r change signs once, from - to +.

A log-concave factor adds no sign changes (total positivity of order 2). So with ``D = A - gamma B``, no W D has more
than one sign change, and

    delta_t = max over k of H_t(k),     H_t(k) = sum_{s >= k} (W D)(s).

H_t first increases and then decreases. Hence, if H_t is smaller at two points than at a point between them, its maximum
lies between the two points.

The code searches over blocks ``t_0 <= t <= t_0 + m``. In a block, all W have the factor
``C = A^(n - t_0 - m) B^(t_0)``. Let H be this sum for C in place of W. The maximum of H bounds the delta of the whole
block, because further responses are noise. Since ``H_t = A^(t_0 + m - t) B^(t - t_0) * H``, a convolution, only the
part of H near its maximum is needed. The code halves blocks while they may contain the supremum of delta, down to
single t.

Numbers are integers in units of 2^-p, and all truncation errors are counted. For the other sign pattern, or if A and B
are exchanged, the same argument applies to the responses in reverse order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, groupby, product
from operator import mul

from rropt.core.exact import Bracket
from rropt.survey.devices.sum_laws import CutPowers, EnclosedLaw

_BLOCK = 1 << 12  # numbers of respondents with the trait in each of the first blocks
_MOST_ROOT = 8  # largest r
_LEAF = 8  # blocks of at most this size are evaluated for each t
_MARGIN = 8  # points on each side of the part of H that is kept
_CLOSE = Fraction(1, 10**9)  # a block is dropped if it cannot exceed the best value by more than this, relatively

_Column = tuple[int, ...]


def delta_of_neighbours(a: _Column, b: _Column, below: int, others: int, levels: Bracket) -> Bracket | None:
    """Return a bracket of the maximum over t of delta of the sum; ``None`` if the sign pattern is different.

    Args:
        a, b: the probabilities of the responses without and with the trait, times ``below``.
        below: their common denominator.
        others: n, the number of other respondents.
        levels: a bracket of gamma.
    """
    root = _log_concave_power(a, b)
    if root is None:
        return None
    cases = set()
    for x, y in ((a, b), (b, a)):
        turns = _sign_changes(x, y, levels.lower, root)
        if turns is None:
            return None
        if turns:
            cases.add((x, y) if turns > 0 else (x[::-1], y[::-1]))
    found = [_Blocks(x, y, below, others, levels.lower).bracket() for x, y in sorted(cases)]
    if any(one is None for one in found):
        return None
    lower = max((one.lower for one in found if one is not None), default=Fraction(0))
    upper = max((one.upper for one in found if one is not None), default=Fraction(0))
    return Bracket(max(lower - (levels.upper - levels.lower), Fraction(0)), min(upper, Fraction(1)))


def _log_concave_power(a: _Column, b: _Column) -> int | None:
    """Return the least r for which ``A^r`` and ``B^r`` are log-concave; ``None`` if it exceeds ``_MOST_ROOT``."""
    from flint import fmpz_poly

    bases = [fmpz_poly(list(column)) for column in (a, b)]
    powers = [fmpz_poly([1])] * 2
    for root in range(1, _MOST_ROOT + 1):
        powers = [power * base for power, base in zip(powers, bases, strict=True)]
        if all(_is_log_concave(list(map(int, power.coeffs()))) for power in powers):
            return root
    return None


def _is_log_concave(column: Sequence[int]) -> bool:
    seen = [i for i, p in enumerate(column) if p]
    inside = column[seen[0] : seen[-1] + 1]
    return all(inside) and all(p * r <= q * q for p, q, r in zip(inside, inside[1:], inside[2:], strict=False))


def _sign_changes(x: _Column, y: _Column, gamma: Fraction, root: int) -> int | None:
    """Classify the sign changes of all ``X^i Y^j (X - gamma Y)``: 1 for - to +, -1 for + to -, 0 if no sign is +."""
    from flint import fmpz_poly

    first, second, (g, h) = fmpz_poly(list(x)), fmpz_poly(list(y)), gamma.as_integer_ratio()
    found = set()
    for i, j in product(range(root), repeat=2):
        terms = map(int, (first**i * second**j * (h * first - g * second)).coeffs())
        found.add(tuple(s for s, _ in groupby((c > 0) - (c < 0) for c in terms if c)))
    if all(1 not in signs for signs in found):
        return 0
    single: dict[tuple[tuple[int, ...], ...], int] = {((-1, 1),): 1, ((1, -1),): -1}
    return single.get(tuple(found))


class _UnclearError(Exception):
    """The maximum of H may lie outside the part of H that was kept."""


@dataclass
class _Part:
    """A block of t from ``first`` to ``first + more``, with the values of H from ``start`` on and their error."""

    first: int
    more: int
    start: int
    values: Sequence[int]
    error: int
    top: int = field(init=False)

    def __post_init__(self) -> None:
        self.top = max(self.values)
        if max(self.values[0], self.values[-1]) + 2 * self.error >= self.top:
            raise _UnclearError

    def near_top(self, around: int) -> _Part:
        at = self.values.index(self.top)
        low = max(at - around, 0)
        return _Part(self.first, self.more, self.start + low, self.values[low : at + around + 1], self.error)


class _Blocks:
    def __init__(self, x: _Column, y: _Column, below: int, others: int, gamma: Fraction) -> None:
        self.others, self.degree = others, len(x) - 1
        self.powers, self.known = CutPowers(below, y, x), dict[tuple[int, int], EnclosedLaw]()
        g, h = gamma.as_integer_ratio()
        self.difference, self.unit = [h * p - g * q for p, q in zip(x, y, strict=True)], below * h
        self.gamma = -(-g // h)
        self.least = self.most = 0  # bounds of the largest delta, in units of the distributions

    def bracket(self) -> Bracket | None:
        """Return bounds of the supremum of delta."""
        n = self.others
        try:
            for t in sorted({0, n // 4, n // 2, n}):
                self._take(self._block(t, 0))
            parts = [self._block(t, min(_BLOCK, n + 1 - t) - 1) for t in range(0, n + 1, _BLOCK)]
            while parts:
                parts += self._halves(parts.pop())
        except _UnclearError:
            return None
        below = self._law(0, 0).below
        return Bracket(Fraction(max(self.least, 0), below), Fraction(max(self.most, 0), below))

    def _take(self, part: _Part) -> None:
        self.least = max(self.least, part.top - part.error)
        self.most = max(self.most, part.top + part.error)

    def _halves(self, part: _Part) -> list[_Part]:
        """Return the halves of a block; an empty list if it cannot contain the maximum, or after it is evaluated."""
        if part.top + part.error <= self.least + int(self.least * _CLOSE):
            self.most = max(self.most, part.top + part.error)
            return []
        if part.more <= _LEAF:
            self._leaves(part)
            return []
        left = part.more // 2
        right = part.more - left - 1
        return [
            self._further(part, part.first, left, self._law(part.more - left, 0)),
            self._further(part, part.first + left + 1, right, self._law(0, left + 1)),
        ]

    def _further(self, part: _Part, first: int, more: int, law: EnclosedLaw) -> _Part:
        """Return a smaller block: H convolved with a further distribution, at the points where all inputs are known."""
        from flint import fmpz_poly

        width, shift = len(law.weights), law.below.bit_length() - 1
        terms = [int(c) for c in (fmpz_poly(list(part.values)) * fmpz_poly(list(law.weights))).coeffs()]
        terms += [0] * (len(part.values) - len(terms))
        values = [c >> shift for c in terms[width - 1 : len(part.values)]]
        found = _Part(first, more, part.start + law.least + width - 1, values, self._error(part.error, law))
        return found.near_top(self._around(more))

    def _leaves(self, part: _Part) -> None:
        """Evaluate each t of a small block: H near the expected position of its maximum."""
        at = part.values.index(part.top)
        for j in range(part.more + 1):
            law = self._law(part.more - j, j)
            weights, width = law.weights[::-1], len(law.weights)
            mean = sum(map(mul, law.weights, range(width))) // law.below
            low = max(at + mean - width - 2, 0)
            sums = [
                sum(map(mul, weights, part.values[i : i + width])) // law.below
                for i in range(low, min(low + 7, len(part.values) - width + 1))
            ]
            self._take(_Part(part.first + j, 0, 0, sums, self._error(part.error, law)))

    def _around(self, more: int) -> int:
        """Return the number of points of H to keep on each side of its maximum, for adding further responses."""
        width = max(len(self._law(more, 0).weights), len(self._law(0, more).weights))
        return min(more * self.degree, width + width // 2) + _MARGIN

    def _error(self, error: int, law: EnclosedLaw) -> int:
        """Return the error of H after it is multiplied by a truncated distribution and truncated again."""
        return error + self.gamma * (law.below - sum(law.weights)) + 1

    def _law(self, without: int, holders: int) -> EnclosedLaw:
        if (without, holders) not in self.known:
            self.known[without, holders] = self.powers.law(without, holders)
        return self.known[without, holders]

    def _block(self, first: int, more: int) -> _Part:
        """Compute a block from the distribution of its common factor."""
        from flint import fmpz_poly

        law = self.powers.law(self.others - first - more, first)
        terms = [int(c) for c in (fmpz_poly(list(law.weights)) * fmpz_poly(self.difference)).coeffs()]
        sums = [c // self.unit for c in accumulate(reversed(terms))]
        around = self._around(more)
        sums = [0] * around + sums + [sums[-1]] * around  # beyond the possible sums, H is 0 or the total
        start = law.least + len(terms) - 1 + around - (len(sums) - 1)
        return _Part(first, more, start, sums[::-1], self._error(0, law)).near_top(around)
