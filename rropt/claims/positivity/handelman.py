"""Handelman certificates: a polynomial as a sum of positive multiples of products of the hypotheses.

The sum ``p = sum_t c_t prod_i h_i^(e_ti)`` with c_t > 0 proves p >= 0 wherever all h_i >= 0. For fixed products the
coefficients c_t solve a linear program with one row for each monomial; the exact solver of ``core.linear`` finds them.
On a compact polytope with linear h_i every p > 0 has such a sum (Handelman 1988). The optimality statements proved here
are tight, so the theorem does not apply. They still have such sums, often of low degree, and otherwise after a
decomposition of the domain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

import sympy as sp
from flint import fmpq

from rropt.claims.positivity.domain_points import domain_point
from rropt.claims.positivity.nonnegative_sums import Sums, packed
from rropt.claims.rational_functions import Coefficients, coefficients, monomials, names_in, tree
from rropt.core.certificates import Certificate
from rropt.core.errors import RroptError

_DEGREES = 4  # largest number of factors of a product, unless `degree` is given
_MOST_PRODUCTS = 30_000  # with more products the linear program takes minutes

Powers = tuple[tuple[int, int], ...]  # pairs of a hypothesis and its exponent


class NoProofError(RroptError, ArithmeticError):
    """No certificate of the required kind was found: the statement is false or needs a decomposition."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The hypothesis ``polynomial >= 0``, or ``polynomial > 0`` if strict."""

    polynomial: Any
    strict: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        return {"polynomial": tree(self.polynomial), "relation": ">" if self.strict else ">="}


@dataclass(frozen=True, slots=True)
class HandelmanTerm:
    """The term ``coefficient * prod hypotheses[i]^e`` over the pairs (i, e) in ``powers``; the coefficient is > 0."""

    coefficient: Fraction
    powers: Powers


def prove_positive(
    polynomial: Any,
    hypotheses: Sequence[Hypothesis],
    *,
    strict: bool = False,
    degree: int | None = None,
    only_used: bool = False,
    known: Iterable[Mapping[str, Any]] = (),
) -> Certificate:
    """Return the certificate that a polynomial is >= 0 (> 0 if ``strict``) wherever the hypotheses are true.

    Args:
        polynomial: SymPy polynomial with rational coefficients; its symbols and those of the hypotheses are the
            parameters.
        hypotheses: the assumptions on the parameters.
        strict: whether to prove > 0; the sum must then contain a product of strict hypotheses or a positive constant.
        degree: the largest number of factors of a product; by default it increases up to 4.
        only_used: whether the certificate assumes only the hypotheses that occur in the sum.
        known: values by name of points at which the hypotheses should be true; the certificate contains one of them.

    Raises:
        NoProofError: no such sum exists up to that degree.

    >>> x, y = sp.symbols("x y")
    >>> square = [Hypothesis(x), Hypothesis(y), Hypothesis(1 - x), Hypothesis(1 - y)]
    >>> print(prove_positive(2*x*y - x - y + 1, square).check().accepted)
    True
    """
    parts = [polynomial, *(hypothesis.polynomial for hypothesis in hypotheses)]
    symbols = names_in(*parts)
    target = coefficients(polynomial, symbols)
    terms = handelman_terms(target, hypotheses, symbols, strict=strict, degree=degree)
    if only_used:
        used = sorted({index for term in terms for index, _ in term.powers})
        hypotheses = [hypotheses[index] for index in used]
        terms = [HandelmanTerm(t.coefficient, tuple((used.index(i), e) for i, e in t.powers)) for t in terms]
        symbols = names_in(polynomial, *(hypothesis.polynomial for hypothesis in hypotheses))
    problem = stated_problem(tree(sp.sympify(polynomial)), symbols, [each.to_dict() for each in hypotheses])
    point = (
        point_json(hypotheses, symbols, known=known) if target else None
    )  # 0 > 0 is a contradiction, so no point satisfies the hypotheses
    proof = {"way": "handelman", "terms": terms_json(terms, len(hypotheses)), "point": point}
    return Certificate.state("polynomial", problem, {"relation": ">" if strict else ">="}, proof).require_accepted()


def stated_problem(
    left: Any, parameters: Sequence[Any], hypotheses: Sequence[Any] = (), right: Any = "0"
) -> dict[str, Any]:
    """Return the problem of two sides (trees) for all parameters as certificates write it."""
    return {
        "parameters": [str(s) for s in parameters],
        "hypotheses": list(hypotheses),
        "left": left,
        "right": right,
    }


def point_json(hypotheses: Sequence[Hypothesis], symbols: Sequence[Any], **more: Any) -> list[str] | None:
    """Return the key ``point`` of a proof: a point at which the hypotheses are true; None if not found or needed."""
    point = domain_point(hypotheses, symbols, **more) if hypotheses else None
    return None if point is None else [str(x) for x in point]


def handelman_terms(
    target: Coefficients,
    hypotheses: Sequence[Hypothesis],
    symbols: Sequence[Any],
    *,
    strict: bool = False,
    degree: int | None = None,
) -> list[HandelmanTerm]:
    """Return the terms of a Handelman sum for the polynomial with these coefficients.

    Raises:
        NoProofError: no sum exists up to the degree.
    """
    if not target and not strict:  # the polynomial 0 is the empty sum; only 0 > 0 needs a contradiction
        return []
    wanted = packed(target)
    products = _products_of(tuple(hypothesis.polynomial for hypothesis in hypotheses), tuple(symbols))
    for largest in [degree] if degree is not None else range(_DEGREES + 1):
        level = products.up_to(largest)
        terms = _solve(wanted, level, [hypothesis.strict for hypothesis in hypotheses], strict)
        if terms is not None:
            return terms
        if len(level.powers) > _MOST_PRODUCTS:
            break
    raise NoProofError(
        "no Handelman sum: received a polynomial that is not a combination of products of up to "
        f"{degree if degree is not None else _DEGREES} hypotheses; decompose the domain, or the statement is false"
    )


def terms_json(terms: Sequence[HandelmanTerm], count: int) -> list[dict[str, Any]]:
    """Return terms as JSON in the order of certificates: ascending exponent vectors."""
    ordered = sorted(terms, key=lambda term: [dict(term.powers).get(i, 0) for i in range(count)])
    return [
        {"coefficient": str(term.coefficient), "powers": [[str(i), str(e)] for i, e in term.powers]} for term in ordered
    ]


@dataclass(frozen=True, slots=True)
class _Level:
    """All products of up to a number of hypotheses: the powers of each product, and their sums."""

    powers: list[Powers]
    sums: Sums


class _Products:
    """The products of hypotheses; each level is computed once, since a search tries one level after the other."""

    def __init__(self, factors: Sequence[dict[int, Any]]) -> None:
        self._factors = factors
        self._known: dict[tuple[int, ...], dict[int, Any]] = {(): {0: fmpq(1)}}
        self._levels: list[_Level] = []

    def up_to(self, largest: int) -> _Level:
        """Return the products of up to ``largest`` hypotheses, in order of their number of factors."""
        while len(self._levels) <= largest:
            self._levels.append(self._next())
        return self._levels[largest]

    def _next(self) -> _Level:
        """Return the level after the last one: its products, and those with one more factor."""
        powers = list(self._levels[-1].powers) if self._levels else []
        sums = self._levels[-1].sums.copy() if self._levels else Sums()
        known: dict[tuple[int, ...], dict[int, Any]] = {}
        for choice in combinations_with_replacement(range(len(self._factors)), len(self._levels)):
            product = _multiply(self._known[choice[:-1]], self._factors[choice[-1]]) if choice else self._known[choice]
            known[choice] = product
            sums.add(len(powers), product)
            powers.append(tuple((i, choice.count(i)) for i in sorted(set(choice))))
        self._known = known
        return _Level(powers, sums)


@lru_cache(maxsize=16)
def _products_of(polynomials: tuple[Any, ...], symbols: tuple[Any, ...]) -> _Products:
    """Return the products of hypotheses; searches with the same hypotheses follow each other."""
    return _Products([packed(monomials(polynomial, symbols)) for polynomial in polynomials])


def _multiply(left: dict[int, Any], right: dict[int, Any]) -> dict[int, Any]:
    product: dict[int, Any] = {}
    for e, a in left.items():
        for f, b in right.items():
            key = e + f
            product[key] = product[key] + a * b if key in product else a * b
    return {key: value for key, value in product.items() if value}


def _solve(
    target: Mapping[int, Any], products: _Level, strictly: Sequence[bool], strict: bool
) -> list[HandelmanTerm] | None:
    """Return the terms of the cheapest sum, or None. With ``strict`` some product of strict hypotheses occurs."""
    # Products with few factors cost less, since a short sum can be verified by hand; ties prefer earlier hypotheses.
    # The optimum is then unique, so the sum and the used conditions do not depend on the solver's release.
    powers = products.powers
    costs = [len(powers) * (1 + sum(e for _, e in each)) + column for column, each in enumerate(powers)]
    strict_ones = [all(strictly[i] for i, _ in each) for each in powers] if strict else None
    found = products.sums.cheapest(target, costs, strict_ones)
    if found is None:
        return None
    return [HandelmanTerm(value, powers[j]) for j, value in found.items()]
