"""Laws of the sum and of the histogram of many answers, as products of polynomials with integer coefficients (FLINT).

*Drawn.* Answers with probabilities ``a_i/D`` without the trait and ``b_i/D`` with it, independent: with t of N having
the trait the sum has the distribution ``A(z)^(N - t) B(z)^t / D^N``, where ``A = sum a_i z^i``; the histogram the same
with a variable for each answer.

*Dealt.* A deck with c_k cards of k = 1, ..., L, one for each of N respondents. The t with the trait hold h_k of the
cards k with probability ``prod_k C(c_k, h_k) / C(N, t)``, and each moves the sum by ``L + 1 - 2 k``: the distribution
of the move is the coefficient of y^t of ``prod_k (1 + y w^(L + 1 - 2 k))^c_k``, over C(N, t). Cards k and L + 1 - k are
a *pair*: their factor has closed coefficients; the factors of pairs are multiplied as polynomials in y and w.

*Enclosed.* With every power cut to whole multiples of 2^-p a product is below the distribution at each point, and what
its sum lacks of 1 is more than it lacks anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, gcd
from typing import Any

from rropt.core.exact import Bracket

_BITS = 160  # of a cut law: what is lacking of 10^6 answers is below 10^-40


class Drawn:
    """Polynomials of the views of independent responses: ``sum`` in one variable, ``counts`` in one for each."""

    def __init__(self, name: str, answers: int, first: int) -> None:
        self._name, self._answers, self._first = name, answers, first
        self._variables: tuple[Any, ...] = ()
        if name == "counts":
            from flint import Ordering, fmpz_mpoly_ctx

            self._variables = fmpz_mpoly_ctx.get(("x", answers), Ordering.lex).gens()

    def of(self, weights: Sequence[int]) -> Any:
        """Return the polynomial of one answer with these weights."""
        from flint import fmpz_poly

        if self._name == "sum":
            return fmpz_poly(list(weights))
        total = 0 * self._variables[0]
        for weight, variable in zip(weights, self._variables, strict=True):
            total += weight * variable
        return total

    def raw(self, polynomial: Any) -> dict[Any, int]:
        """Return the weight of every power."""
        if self._name == "sum":
            return {i: int(c) for i, c in enumerate(polynomial.coeffs()) if c}
        return {powers: int(c) for powers, c in polynomial.to_dict().items()}

    def read(self, polynomial: Any, n: int) -> dict[Any, int]:
        """Return the weight of everything that may be seen of n answers, as ``VIEWS`` writes it."""
        if self._name == "sum":
            return {n * self._first + i: weight for i, weight in self.raw(polynomial).items()}
        return {
            tuple((self._first + i, h) for i, h in enumerate(powers) if h): weight
            for powers, weight in self.raw(polynomial).items()
        }

    def states(self, n: int) -> int:
        """Return how many things may be seen of n answers at most."""
        return n * (self._answers - 1) + 1 if self._name == "sum" else comb(n + self._answers - 1, n)


def fractions_over(weights: Mapping[Any, int], below: int) -> dict[Any, Fraction]:
    """Return weights as probabilities."""
    return {z: Fraction(weight, below) for z, weight in weights.items() if weight}


# A polynomial in y and w: for each exponent of w the polynomial in y.
_Rows = dict[int, Any]


def _pair(above: int, below: int, move: int) -> _Rows:
    """Return ``(1 + y w^move)^above (1 + y w^-move)^below``."""
    from flint import fmpz_poly

    first = [comb(above, h) for h in range(above + 1)]
    second = [comb(below, g) for g in range(below + 1)]
    rows = {}
    for net in range(-below, above + 1):
        coefficients = [0] * (above + below + 1)
        for g in range(max(0, -net), min(below, above - net) + 1):
            coefficients[2 * g + net] = first[g + net] * second[g]
        rows[net * move] = fmpz_poly(coefficients)
    return rows


def _times(left: _Rows, right: _Rows) -> _Rows:
    """Return the product, through one product in one variable (Kronecker)."""
    from flint import fmpz_poly

    width = 1 + sum(max(row.degree() for row in rows.values()) for rows in (left, right))
    step = gcd(*left, *right) or 1

    def packed(rows: _Rows) -> Any:
        coefficients = [0] * (width * ((max(rows) - min(rows)) // step + 1))
        for e, row in rows.items():
            at = (e - min(rows)) // step * width
            coefficients[at : at + row.degree() + 1] = row.coeffs()
        return fmpz_poly(coefficients)

    found = (packed(left) * packed(right)).coeffs()
    least = min(left) + min(right)
    parts = (found[i : i + width] for i in range(0, len(found), width))
    return {least + i * step: fmpz_poly(part) for i, part in enumerate(parts) if any(part)}


def pairs_of(deck: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return (k - 1, cards k, cards L + 1 - k) of every pair of cards k < L + 1 - k, those that exist."""
    both = [(k, deck[k], deck[-1 - k]) for k in range(len(deck) // 2)]
    return [pair for pair in both if pair[1] + pair[2]]


def dealt_move(deck: Sequence[int], t: int) -> dict[int, int]:
    """Return by how much t with the trait move the sum of a dealt deck: weights over C(N, t)."""
    from flint import fmpz_poly

    rows = [_pair(above, below, len(deck) - 1 - 2 * k) for k, above, below in pairs_of(deck)] or [_pair(0, 0, 1)]
    if len(deck) % 2 and deck[len(deck) // 2]:
        middle = fmpz_poly([1, 1]) ** deck[len(deck) // 2]
        rows[-1] = {e: row * middle for e, row in rows[-1].items()}
    while len(rows) > 2:
        rows.sort(key=len, reverse=True)
        rows.append(_times(rows.pop(), rows.pop()))
    if len(rows) == 1:
        return {e: int(row[t]) for e, row in rows[0].items() if row[t]}
    left, right = (_slices(each) for each in rows)
    total = fmpz_poly()
    for i in range(max(0, t + 1 - len(right)), min(t, len(left) - 1) + 1):
        total += left[i] * right[t - i]
    least = sum(min(each) for each in rows)
    return {least + e: int(c) for e, c in enumerate(total.coeffs()) if c}


def _slices(rows: _Rows) -> list[Any]:
    """Return for each power of y the polynomial in w, whose exponents count from the least one."""
    from flint import fmpz_poly

    least, size = min(rows), max(rows) - min(rows) + 1
    degree = max(row.degree() for row in rows.values())
    table = [[0] * size for _ in range(degree + 1)]
    for e, row in rows.items():
        for i, c in enumerate(row.coeffs()):
            table[i][e - least] = c
    return [fmpz_poly(line) for line in table]


def dealt_counts(deck: Sequence[int], t: int) -> dict[tuple[int, ...], int]:
    """Return the histograms (h_1, ..., h_L) of the answers when t have the trait: weights over C(N, t).

    Of each pair only the difference is free: ``h_k = c_k + d`` and ``h_(L+1-k) = c_(L+1-k) - d``.
    """
    from flint import fmpz_poly

    middle = deck[len(deck) // 2] if len(deck) % 2 else 0
    found: dict[tuple[int, ...], Any] = {tuple(deck): fmpz_poly([1, 1]) ** middle}
    for k, above, below in pairs_of(deck):
        longer = {}
        for net, row in _pair(below, above, 1).items():  # cards L + 1 - k of those with the trait are answers k
            for counts, product in found.items():
                moved = list(counts)
                moved[k] += net
                moved[-1 - k] -= net
                longer[tuple(moved)] = product * row
        found = longer
    return {counts: int(product[t]) for counts, product in found.items() if product[t]}


def told(kept: int, turned: int, q: Fraction) -> list[int]:
    """Return how often an answer is given by holders of the card and of its opposite, who turn theirs with probability
    q.

    The coefficients of ``((1 - q) z + q)^kept (q z + 1 - q)^turned``, over v^(kept + turned) for q = u/v.
    """
    from flint import fmpz_poly

    u, v = q.as_integer_ratio()
    return [int(c) for c in (fmpz_poly([u, v - u]) ** kept * fmpz_poly([v - u, u]) ** turned).coeffs()]


@dataclass(frozen=True, slots=True)
class EnclosedLaw:
    """A distribution of whole numbers, each probability from below and what all together lack of 1.

    Attributes:
        least: the least number whose probability is not enclosed by [0, slack] alone.
        weights: the weights of this number and those after it: lower ends, in units of 1 / below.
        below: the unit.
    """

    least: int
    weights: tuple[int, ...]
    below: int

    @property
    def slack(self) -> Fraction:
        """What the lower ends lack of 1 together: no probability of any set is more above its lower end."""
        return 1 - Fraction(sum(self.weights), self.below)

    def probability(self, z: int) -> Bracket:
        """Return rationals around the probability of a number."""
        return self.between(z, z)

    def between(self, low: int, high: int) -> Bracket:
        """Return rationals around the probability of the numbers from low to high."""
        start = max(low - self.least, 0)
        lower = Fraction(sum(self.weights[start : max(high - self.least + 1, start)]), self.below)
        return Bracket(lower, min(lower + self.slack, Fraction(1)))


class CutPowers:
    """Powers of the polynomials of one response, cut to ``_BITS`` bits, each as (least exponent, polynomial)."""

    def __init__(self, below: int, *columns: Sequence[int]) -> None:
        from flint import fmpz_poly

        scaled = [[(weight << _BITS) // below for weight in column] for column in columns]
        self._powers = [[(0, fmpz_poly(column))] for column in scaled]
        self._unit = (0, fmpz_poly([1 << _BITS]))

    def law(self, *times: int) -> EnclosedLaw:
        """Return the distribution of a sum of the given number of answers by each column."""
        total = self._unit
        for powers, n in zip(self._powers, times, strict=True):
            for i in range(n.bit_length()):
                if i == len(powers):
                    powers.append(_cut_product(powers[-1], powers[-1]))
                if n >> i & 1:
                    total = _cut_product(total, powers[i])
        return EnclosedLaw(total[0], tuple(map(int, total[1].coeffs())), 1 << _BITS)


def _cut_product(left: tuple[int, Any], right: tuple[int, Any]) -> tuple[int, Any]:
    found = left[1] * right[1] // (1 << _BITS)
    zeros = next((i for i, c in enumerate(found.coeffs()) if c), 0)
    return left[0] + right[0] + zeros, found.right_shift(zeros)
