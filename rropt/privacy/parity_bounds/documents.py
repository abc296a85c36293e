"""Criteria as the checker reads them: pieces and expressions of ``checker/cover/cover.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq_poly

from rropt.checker.limits import MAX_DEGREE
from rropt.exact import as_text
from rropt.exact.algebraic_numbers import Algebraic
from rropt.privacy.parity_bounds.functions import Cell, Composite, Leaf, Rational, constant_value

Piece = tuple[Cell, Leaf]

_NAMES = {"+": "sum", "*": "product", "/": "quotient", "min": "minimum", "max": "maximum"}
_CURVED = ("sqrt", "exp", "log", "minimum", "maximum")  # what makes a function of p no rational one
_END_DIGITS = 40  # decimals of the rational ends around an irrational end of a piece


def criterion_problem(pieces: Mapping[str, Sequence[Piece]]) -> dict[str, Any]:
    """Return the problem of a criterion, from the pieces of its functions ``"up"`` and ``"down"``."""
    listed = {side: [_piece(cell, leaf) for cell, leaf in found] for side, found in pieces.items()}
    return {
        "kind": "criterion",
        **{side: {"pieces": listed[side]} if side in listed else None for side in ("up", "down")},
    }


def _piece(cell: Cell, leaf: Leaf) -> dict[str, Any]:
    closed = cell.high.rational == 1 or cell.is_point or cell.has_high
    return {"to": _end(cell.high), "closed": closed, "value": _expression(leaf)}


def defined_problem(leaf: Leaf, cell: Cell, factor: str = "0") -> dict[str, Any]:
    """Return a problem of an infinite infimum, h = 1 + c f on a cell: proved where f is defined, and >= 0 if c = 1."""
    value = {"sum": ["1", {"product": [factor, _expression(leaf)]}]}
    listed = [{**_piece(cell, leaf), "value": value}]
    if cell.low.rational != 0:
        listed.insert(0, {"to": _end(cell.low), "closed": not cell.has_low and not cell.is_point, "value": "1"})
    if cell.high.rational != 1:
        listed.append({"to": "1", "closed": True, "value": "1"})
    return {"kind": "criterion", "up": {"pieces": listed}, "down": None}


def _end(end: Algebraic) -> Any:
    """Return an end of a piece: a number, or a polynomial with an interval around the root that is meant."""
    exact = end.rational
    if exact is not None:
        return as_text(exact)
    return {
        "root": [as_text(Fraction(int(c))) for c in end.minimal.coeffs()],
        "between": [as_text(x) for x in end.bracket(_END_DIGITS)],
    }


def _expression(leaf: Leaf) -> Any:
    if isinstance(leaf, Rational):
        above, below = (_polynomial(x) for x in (leaf.above, leaf.below))
        return above if below == "1" else {"quotient": [above, below]}
    if leaf.name == "^":
        return _power(leaf)
    parts = [_expression(part) for part in leaf.parts]
    if leaf.name in ("sqrt", "exp", "log"):
        return {leaf.name: parts[0]}
    if leaf.name == "-":
        parts[1] = {"negative": parts[1]}
    name = _NAMES.get(leaf.name, "sum")
    # long sums are nested to the left: written flat, they stay within the depth that the checker reads
    flat = name != "quotient" and isinstance(parts[0], dict) and name in parts[0]
    return {name: [*parts[0][name], *parts[1:]] if flat else parts}


def _power(leaf: Composite) -> Any:
    base, exponent = (_expression(part) for part in leaf.parts)
    r = constant_value(leaf.parts[1])
    if r is None or max(abs(r.numerator), r.denominator) > MAX_DEGREE:  # read as a logarithm's factor it may be long
        return {"exp": {"product": [exponent, {"log": base}]}}
    return {"power": [base, exponent]} if r >= 0 else {"quotient": ["1", {"power": [base, as_text(-r)]}]}


def _polynomial(polynomial: Any) -> Any:
    """Return an ``fmpq_poly`` with its factors p and 1-p outside: where these vanish, intervals keep its sign."""
    factors: list[Any] = []
    for factor, text in ((fmpq_poly([0, 1]), "p"), (fmpq_poly([1, -1]), {"sum": ["1", {"negative": "p"}]})):
        times = 0
        while polynomial != 0 and polynomial.degree() > 0 and polynomial % factor == 0:
            polynomial, times = polynomial // factor, times + 1
        if times:
            factors.append(text if times == 1 else {"power": [text, as_text(Fraction(times))]})
    rest = _monomials(polynomial)
    if rest != "1" or not factors:
        factors.insert(0, rest)
    return factors[0] if len(factors) == 1 else {"product": factors}


def _monomials(polynomial: Any) -> Any:
    """Return an ``fmpq_poly`` as a sum of monomials."""
    terms: list[Any] = []
    for i, c in enumerate(polynomial.coeffs()):
        if c == 0:
            continue
        number = as_text(Fraction(int(c.p), int(c.q)))
        power: Any = "p" if i == 1 else {"power": ["p", as_text(Fraction(i))]}
        terms.append(number if i == 0 else power if c == 1 else {"product": [number, power]})
    return "0" if not terms else terms[0] if len(terms) == 1 else {"sum": terms}


def has_function_of_prior(tree: Any, *, inside: bool = False) -> bool:
    """Return whether p stands under a root, exponential, logarithm, minimum or the like in a tree of the checker."""
    if not isinstance(tree, tuple):
        return inside and bool(tree == "p")
    operation, parts = tree
    inside = inside or operation in _CURVED or (operation == "power" and parts[1].denominator > 1)
    return any(has_function_of_prior(part, inside=inside) for part in parts)


def expression_of(constant: Any, named: Any) -> Any:
    """Return a constant of the checker, a quotient of polynomials in named constants, as an expression."""
    above, below = (_sum(part, named) for part in constant)
    return above if below == "1" else {"quotient": [above, below]}


def _sum(polynomial: Any, named: Any) -> Any:
    terms = []
    for (_, *exponents), coefficient in polynomial.items():
        factors: list[Any] = [as_text(coefficient)]
        for (kind, power, argument), e in zip(named, exponents, strict=False):
            if e:
                inner = expression_of(argument, named)
                name = {"power": [inner, as_text(power)]} if kind == "power" else {kind: inner}
                factors.append(name if e == 1 else {"power": [name, str(e)]})
        terms.append(factors[0] if len(factors) == 1 else {"product": factors})
    return terms[0] if len(terms) == 1 else {"sum": terms} if terms else "0"
