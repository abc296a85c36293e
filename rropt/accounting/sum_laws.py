"""Distributions of the sum and of the histogram of many responses, as products of integer polynomials (FLINT).

*Independent responses.* The responses have probabilities ``a_i/D`` without the trait and ``b_i/D`` with it. If t of N
respondents have the trait, the sum has the distribution ``A(z)^(N - t) B(z)^t / D^N``, where ``A = sum a_i z^i``. For
the histogram, each possible response has its own variable.

*Cards without replacement.* A deck has c_k cards k = 1, ..., L, one for each of N respondents. The t respondents with
the trait hold h_k of the cards k with probability ``prod_k C(c_k, h_k) / C(N, t)``. Each of them moves the sum by
``L + 1 - 2 k``. Hence the distribution of the total move is the coefficient of y^t in
``prod_k (1 + y w^(L + 1 - 2 k))^c_k``, divided by C(N, t). Cards k and L + 1 - k are a *pair*. The factor of a pair has
coefficients in closed form. The factors of the pairs are multiplied as polynomials in y and w.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb, gcd
from typing import Any


class ResponsePolynomials:
    """Polynomials for independent responses: ``sum`` has one variable, ``counts`` one for each response."""

    def __init__(self, name: str, answers: int, first: int) -> None:
        self._name, self._answers, self._first = name, answers, first
        self._variables: tuple[Any, ...] = ()
        if name == "counts":
            from flint import Ordering, fmpz_mpoly_ctx

            self._variables = fmpz_mpoly_ctx.get(("x", answers), Ordering.lex).gens()

    def of(self, weights: Sequence[int]) -> Any:
        """Return the polynomial of one response with the given weights."""
        from flint import fmpz_poly

        if self._name == "sum":
            return fmpz_poly(list(weights))
        total = 0 * self._variables[0]
        for weight, variable in zip(weights, self._variables, strict=True):
            total += weight * variable
        return total

    def raw(self, polynomial: Any) -> dict[Any, int]:
        """Return the weight of each power."""
        if self._name == "sum":
            return {i: int(c) for i, c in enumerate(polynomial.coeffs()) if c}
        return {tuple(map(int, powers)): int(c) for powers, c in polynomial.to_dict().items()}

    def read(self, polynomial: Any, n: int) -> dict[Any, int]:
        """Return the weight of each outcome of the view of n responses, in the format of ``VIEWS``."""
        if self._name == "sum":
            return {n * self._first + i: weight for i, weight in self.raw(polynomial).items()}
        return {
            tuple((self._first + i, h) for i, h in enumerate(powers) if h): weight
            for powers, weight in self.raw(polynomial).items()
        }

    def states(self, n: int) -> int:
        """Return the largest possible number of outcomes of the view of n responses."""
        return n * (self._answers - 1) + 1 if self._name == "sum" else comb(n + self._answers - 1, n)


def fractions_over(weights: Mapping[Any, int], below: int) -> dict[Any, Fraction]:
    """Convert weights to probabilities."""
    return {z: Fraction(weight, below) for z, weight in weights.items() if weight}


# A polynomial in y and w: for each exponent of w, a polynomial in y.
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
    """Return the product of two polynomials, by one product in a single variable (Kronecker substitution).

    It is some 20 times faster than a product of each pair of rows: 0.5 s for 30 cards of each of 13 numbers.
    """
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
    """Return (k - 1, number of cards k, number of cards L + 1 - k) for each pair k < L + 1 - k in the deck."""
    both = [(k, deck[k], deck[-1 - k]) for k in range(len(deck) // 2)]
    return [pair for pair in both if pair[1] + pair[2]]


def _middle(deck: Sequence[int]) -> Any:
    """Return ``(1 + y)^c`` for the number c of middle cards, which do not move the sum."""
    from flint import fmpz_poly

    return fmpz_poly([1, 1]) ** (deck[len(deck) // 2] if len(deck) % 2 else 0)


def deck_move_law(deck: Sequence[int], t: int) -> dict[int, int]:
    """Return the distribution of the move of the sum if t respondents have the trait: weights over C(N, t)."""
    from flint import fmpz_poly

    rows = [
        {0: fmpz_poly([1])},
        {0: _middle(deck)},
        *(_pair(above, below, len(deck) - 1 - 2 * k) for k, above, below in pairs_of(deck)),
    ]
    while len(rows) > 2:
        rows.sort(key=len, reverse=True)
        rows.append(_times(rows.pop(), rows.pop()))
    left, right = (_slices(each) for each in rows)
    total = fmpz_poly()
    for i in range(max(0, t + 1 - len(right)), min(t, len(left) - 1) + 1):
        total += left[i] * right[t - i]
    least = sum(min(each) for each in rows)
    return {least + e: int(c) for e, c in enumerate(total.coeffs()) if c}


def _slices(rows: _Rows) -> list[Any]:
    """Return, for each power of y, the polynomial in w, with exponents counted from the least one."""
    from flint import fmpz_poly

    least, size = min(rows), max(rows) - min(rows) + 1
    degree = max(row.degree() for row in rows.values())
    table = [[0] * size for _ in range(degree + 1)]
    for e, row in rows.items():
        for i, c in enumerate(row.coeffs()):
            table[i][e - least] = c
    return [fmpz_poly(line) for line in table]


def deck_histogram_law(deck: Sequence[int], t: int) -> dict[tuple[int, ...], int]:
    """Return the distribution of the histograms (h_1, ..., h_L) if t respondents have the trait: weights over C(N, t).

    In each pair only the difference d is free: ``h_k = c_k + d`` and ``h_(L+1-k) = c_(L+1-k) - d``.
    """
    # holders of card L + 1 - k with the trait report k
    nets = ((k, _pair(below, above, 1)) for k, above, below in pairs_of(deck))
    found = moved_histograms(deck, _middle(deck), nets)
    return {counts: int(weights[t]) for counts, weights in found.items() if weights[t]}


def moved_histograms(
    start: Sequence[int], weight: Any, nets: Iterable[tuple[int, Mapping[int, Any]]]
) -> dict[tuple[int, ...], Any]:
    """Return the weights of all histograms that arise if pairs of responses exchange counts independently.

    Args:
        start: the histogram before the exchange.
        weight: its weight.
        nets: for each pair, k - 1 and the weight of each number by which the count of response k grows.
    """
    found = {tuple(start): weight}
    for k, own in nets:
        longer = {}
        for net, factor in own.items():
            for counts, before in found.items():
                moved = list(counts)
                moved[k] += net
                moved[-1 - k] -= net
                longer[tuple(moved)] = before * factor
        found = longer
    return found


def response_count_law(kept: int, turned: int, q: Fraction) -> list[int]:
    """Return the distribution of the count of one response among the holders of its card and of the opposite card.

    ``kept`` respondents hold the card with the number of the response, and ``turned`` hold the opposite card. Each of
    them has the trait with probability q = u/v. The result is the coefficients of
    ``((1 - q) z + q)^kept (q z + 1 - q)^turned``, times v^(kept + turned).
    """
    from flint import fmpz_poly

    u, v = q.as_integer_ratio()
    return [int(c) for c in (fmpz_poly([u, v - u]) ** kept * fmpz_poly([v - u, u]) ** turned).coeffs()]
