"""Identities of rational functions: the normal form of the difference is 0, modulo relations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy as sp

from rropt.claims.positivity.handelman import Hypothesis, NoProofError, point_json, stated_problem
from rropt.claims.rational_functions import divided, names_in, tree
from rropt.core.certificates import Certificate


def prove_identity(
    left: Any, right: Any, relations: Sequence[Any] = (), *, known: Iterable[Mapping[str, Any]] = ()
) -> Certificate:
    """Return the certificate that ``left = right`` wherever all ``relations`` are 0 and no divisor is 0.

    Args:
        left, right: SymPy rational functions with rational coefficients.
        relations: polynomials r_i, each of which means r_i = 0, e.g. ``q*(1 - p) - c`` for a side condition.
        known: values by name of points at which the relations should be true; the certificate contains one of them.

    Raises:
        NoProofError: the checker rejects the certificate, since the two sides differ.

    >>> x, y = sp.symbols("x y")
    >>> print(prove_identity(x**2 - y**2, (x - y) * (x + y)).check())
    accepted
    """
    symbols = names_in(left, right, *relations)
    n, d = sp.fraction(sp.together(left))
    m, e = sp.fraction(sp.together(right))
    cofactors: list[Any] = []
    rest: Any = sp.Integer(0)
    if relations:
        cofactors, rest = divided(n * e - m * d, relations, symbols)
        left, right = n / d, m / e  # the cofactors belong to these fractions
    zeros = [sp.expand(relation) for relation in relations]
    problem = stated_problem(
        _quotient(n, d), symbols, [{"polynomial": tree(zero), "relation": "="} for zero in zeros], right=_quotient(m, e)
    )
    zero = [Hypothesis(part) for relation in zeros for part in (relation, -relation)]
    # a point shows that the identity is not vacuous; a rest means that it does not follow, so no point is searched
    point = point_json(zero, symbols, divisors=[d, e], known=known) if rest == 0 else None
    return _accepted(problem, [tree(cofactor) for cofactor in cofactors], left, right, point)


def prove_as_written(left: Any, right: Any) -> Certificate:
    """Return the certificate of ``left = right`` with both sides as they are written and nothing cancelled.

    Raises:
        NoProofError: the checker rejects the certificate, since the two sides differ.
    """
    return _accepted(stated_problem(tree(left), names_in(left, right), right=tree(right)), [], left, right, None)


def _accepted(
    problem: dict[str, Any], cofactors: list[Any], left: Any, right: Any, point: list[str] | None
) -> Certificate:
    """Return the certificate of an identity; raise ``NoProofError`` if the checker rejects it."""
    proof = {"way": "identity", "cofactors": cofactors, "point": point}
    certificate = Certificate.state("polynomial", problem, {"relation": "="}, proof)
    verdict = certificate.check()
    if not verdict:
        raise NoProofError(f"no identity: {left} = {right} is {verdict}")
    return certificate


def _quotient(numerator: Any, denominator: Any) -> Any:
    return tree(numerator) if denominator == 1 else {"quotient": [tree(numerator), tree(denominator)]}
