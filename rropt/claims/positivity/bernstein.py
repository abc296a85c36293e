"""Bernstein certificates: all Bernstein coefficients are nonnegative on each cell of a subdivided simplex.

Let V_0, ..., V_n be the projective vertices of a simplex. The homogenized polynomial p at ``sum c_i V_i`` is a
polynomial in c_0, ..., c_n >= 0. If all its coefficients are >= 0, then p >= 0 on the simplex. If p has parameters,
each coefficient is a polynomial in them and needs its own Handelman sum. If a coefficient has no such sum, the simplex
is bisected along an edge, and both halves are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import sympy as sp

from rropt.claims.positivity.expressions import coefficients, names_in, tree
from rropt.claims.positivity.handelman import (
    Hypothesis,
    NoProofError,
    handelman_terms,
    point_json,
    stated_problem,
    terms_json,
)
from rropt.core.certificates import Certificate

Simplex = list[list[Any]]  # n + 1 projective vertices [w, X_1, ..., X_n]

_DEPTH = 8  # maximum number of nested bisections of a simplex


def prove_on_simplices(
    polynomial: Any,
    variables: Sequence[Any],
    domain: Sequence[Simplex],
    hypotheses: Sequence[Hypothesis] = (),
    *,
    strict: bool = False,
    depth: int = _DEPTH,
) -> Certificate:
    """Return the certificate that a polynomial is >= 0 (> 0) on a union of simplices, for all allowed parameters.

    Args:
        polynomial: SymPy polynomial in the variables and the parameters.
        variables: x_1, ..., x_n.
        domain: simplices, each given by n + 1 projective vertices [w, X_1, ..., X_n]. A vertex is the point X/w, or a
            direction if w = 0. Entries are polynomials in the parameters.
        hypotheses: the hypotheses on the parameters.
        strict: whether to prove > 0.
        depth: the maximum number of nested bisections of a simplex.

    Raises:
        NoProofError: a coefficient has no proof.

    >>> t = sp.Symbol("t")
    >>> print(prove_on_simplices(t**2 - t + sp.Rational(1, 4), [t], [[[1, 0], [1, 1]]]).check())
    accepted
    """
    vertices = [x for simplex in domain for vertex in simplex for x in vertex]
    used = names_in(polynomial, *vertices, *(h.polynomial for h in hypotheses))
    parameters = [symbol for symbol in used if symbol not in variables]
    statement = _Statement(polynomial, variables, parameters, hypotheses, strict)
    cells = [list(_cover(statement, [list(map(sp.sympify, v)) for v in simplex], depth)) for simplex in domain]
    given = [each.to_dict() for each in hypotheses]
    problem = stated_problem(tree(sp.sympify(polynomial)), parameters, given, variables, domain)
    claim = {"relation": ">" if strict else ">="}
    proof = {"way": "bernstein", "cells": cells, "point": point_json(hypotheses, parameters)}
    with_point = Certificate.state("polynomial", problem, claim, proof)
    if with_point.check():  # it fails if no simplex contains a point for these values of the parameters
        return with_point
    return Certificate.state("polynomial", problem, claim, {**proof, "point": None}).require_accepted()


@dataclass(frozen=True, slots=True)
class _Statement:
    """The statement that is proved on every simplex."""

    polynomial: Any
    variables: Sequence[Any]
    parameters: Sequence[Any]
    hypotheses: Sequence[Hypothesis]
    strict: bool


def _cover(statement: _Statement, simplex: Simplex, depth: int) -> Iterator[Any]:
    """Iterate over the nodes of a subdivision of the simplex, in preorder."""
    try:
        yield {"leaf": _leaf(statement, simplex)}
        return
    except NoProofError:
        if not depth:
            raise
    i, j = _edge(simplex)
    middle = [sp.expand(x + y) for x, y in zip(simplex[i], simplex[j], strict=True)]
    yield {"edge": [str(i), str(j)], "mix": ["1", "1"]}
    for end in (j, i):
        yield from _cover(statement, [middle if at == end else vertex for at, vertex in enumerate(simplex)], depth - 1)


def _leaf(statement: _Statement, simplex: Simplex) -> Any:
    """Return the proofs of the Bernstein coefficients, in the order of the format.

    The result is None without parameters, where the coefficients are numbers.

    Raises:
        NoProofError: a coefficient is negative or has no proof.
    """
    proofs, parameters, hypotheses = [], statement.parameters, statement.hypotheses
    for exponents, coefficient in bernstein_coefficients(statement.polynomial, statement.variables, simplex):
        corner = statement.strict and max(exponents) == sum(exponents)
        if parameters:
            terms = handelman_terms(coefficients(coefficient, parameters), hypotheses, parameters, strict=corner)
            proofs.append(terms_json(terms, len(hypotheses)))
        elif coefficient < 0 or (corner and coefficient == 0):
            raise NoProofError("a Bernstein coefficient is negative, or zero at a vertex")
    return proofs if parameters else None


def bernstein_coefficients(
    polynomial: Any, variables: Sequence[Any], simplex: Simplex
) -> list[tuple[tuple[int, ...], Any]]:
    """Return (exponents, coefficient) of the homogenized polynomial at ``sum c_i V_i``, exponents descending."""
    barycentric = sp.symbols(f"c0:{len(simplex)}", cls=sp.Dummy)
    forms = [
        sp.Add(*(c * vertex[j] for c, vertex in zip(barycentric, simplex, strict=True))) for j in range(len(simplex))
    ]
    parts = sp.Poly(sp.expand(polynomial), *variables).terms()
    degree = max((sum(key) for key, _ in parts), default=0)
    expanded = sp.Add(
        *(
            value * forms[0] ** (degree - sum(key)) * sp.Mul(*(form**e for form, e in zip(forms[1:], key, strict=True)))
            for key, value in parts
        )
    )
    found = dict(sp.Poly(sp.expand(expanded), *barycentric).terms()) if expanded != 0 else {}
    everything = _exponents(len(simplex), degree)
    return [(key, sp.expand(found.get(key, sp.Integer(0)))) for key in sorted(everything, reverse=True)]


def _exponents(count: int, degree: int) -> list[tuple[int, ...]]:
    if count == 1:
        return [(degree,)]
    return [(first, *rest) for first in range(degree + 1) for rest in _exponents(count - 1, degree - first)]


def _edge(simplex: Simplex) -> tuple[int, int]:
    """Return the edge to bisect: the longest one, with all parameters set to 2, or an unbounded one."""

    def length(pair: tuple[int, int]) -> Any:
        ends = [[x.subs(dict.fromkeys(x.free_symbols, 2)) for x in simplex[i]] for i in pair]
        if ends[0][0] == 0 or ends[1][0] == 0:
            return sp.oo
        return sum((x / ends[0][0] - y / ends[1][0]) ** 2 for x, y in zip(ends[0][1:], ends[1][1:], strict=True))

    return max(combinations(range(len(simplex)), 2), key=length)
