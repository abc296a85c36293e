"""Functions of a prior as the pieces and expressions of certificates (FORMAT.md, rule 12)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import fmpq_poly

from rropt.errors import UnsupportedProblemError
from rropt.exact import Epsilon, as_text
from rropt.privacy.criteria import Criterion
from rropt.privacy.criteria.expressions import Expression
from rropt.privacy.parity_bounds.algebraic_numbers import Algebraic
from rropt.privacy.parity_bounds.cells import Cell, Composite, Leaf, Rational, split
from rropt.tolerances import ENCLOSURE_END_DIGITS

__all__ = [
    "criterion_problem",
    "end_text",
    "expression_of",
    "has_function_of_prior",
    "odds_at",
    "odds_expression",
    "operands",
    "pieces_of",
]

_NAMES = {"+": "sum", "*": "product", "min": "minimum", "max": "maximum"}


def criterion_problem(criterion: Criterion) -> dict[str, Any]:
    """Return the problem of a criterion: both functions as pieces.

    Raises:
        UnsupportedProblemError: the criterion is a Python function.
    """
    if criterion.level is not None and criterion.up is None:
        whole = {"to": "1", "closed": True, "value": odds_expression(criterion.level)}
        return {"kind": "criterion", "up": {"pieces": [whole]}, "down": None}
    if criterion.up is None and criterion.down is None:
        raise UnsupportedProblemError(
            f"no certificate is written of this criterion: received {criterion}; a Python function cannot be read by "
            "the checker; give an expression in p"
        )
    written: dict[str, Any] = {"kind": "criterion"}
    for side, function in (("up", criterion.up), ("down", criterion.down)):
        written[side] = None if function is None else {"pieces": [piece for _, piece in pieces_of(function)]}
    return written


def pieces_of(function: Expression) -> Iterator[tuple[Cell, dict[str, Any]]]:
    """Iterate over the pieces of a function on [0, 1], as cells and as objects of a certificate."""
    listed = split(function)
    for cell, leaf in listed:
        last = cell.high == Algebraic.of(1)
        closed = last or cell.is_point or cell.has_high
        yield cell, {"to": end_text(cell.high), "closed": closed, "value": _expression(leaf)}


def end_text(end: Algebraic) -> Any:
    """Return an end of a piece: a number, or a polynomial with an interval around the root that is meant."""
    exact = end.rational
    if exact is not None:
        return as_text(exact)
    return {
        "root": [as_text(Fraction(int(c))) for c in end.minimal.coeffs()],
        "between": [as_text(x) for x in end.bracket(ENCLOSURE_END_DIGITS)],
    }


def odds_expression(level: Epsilon) -> Any:
    """Return ``gamma p / (1 + (gamma - 1) p)`` with gamma = exp(level) irrational."""
    if level.kind == "rational":
        gamma: Any = {"exp": as_text(level.times)}
    else:
        gamma = {"power": [as_text(level.base), as_text(level.times)]}
    above = {"product": [gamma, "p"]}
    return {"quotient": [above, {"sum": ["1", above, {"negative": "p"}]}]}


def _expression(leaf: Leaf) -> Any:
    if isinstance(leaf, Rational):
        above, below = (_polynomial(x) for x in (leaf.above, leaf.below))
        return above if below == "1" else {"quotient": [above, below]}
    if leaf.name == "^":
        return _power(leaf)
    parts = [_expression(part) for part in leaf.parts]
    if leaf.name in ("sqrt", "exp", "log"):
        return {leaf.name: parts[0]}
    if leaf.name == "/":
        return {"quotient": parts}
    if "entropy" in leaf.name:  # u log u, u = p or 1 - p
        return {"product": [parts[0], {"log": parts[0]}]}
    if leaf.name not in _NAMES and leaf.name != "-":
        raise UnsupportedProblemError(
            f"a function cannot be written into a certificate: received the operation {leaf.name}; allowed are "
            "+ - * / ^, min, max, sqrt, exp and log"
        )
    if leaf.name == "-":
        parts[1], name = {"negative": parts[1]}, "sum"
    else:
        name = _NAMES[leaf.name]
    # long sums are nested to the left: written flat, they stay within the depth that the checker reads
    flat = isinstance(parts[0], dict) and name in parts[0]
    return {name: [*parts[0][name], *parts[1:]] if flat else parts}


def _power(leaf: Composite) -> Any:
    base, exponent = (_expression(part) for part in leaf.parts)
    if not isinstance(exponent, str) or exponent == "p":
        return {"exp": {"product": [exponent, {"log": base}]}}
    r = Fraction(exponent)
    if r < 0:
        return {"quotient": ["1", {"power": [base, as_text(-r)]}]}
    return {"power": [base, exponent]}


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
    if not terms:
        return "0"
    return terms[0] if len(terms) == 1 else {"sum": terms}


def operands(tree: Any) -> Iterator[Any]:
    """Iterate over the operands of a minimum or maximum, nested ones too; else the tree (of the checker) itself."""
    operation, parts = tree if isinstance(tree, tuple) else ("", ())
    if operation not in ("minimum", "maximum"):
        yield tree
        return
    for part in parts:
        yield from operands(part)


def has_function_of_prior(tree: Any, *, inside: bool = False) -> bool:
    """Return whether p stands under a root, fractional power, exponential or logarithm in a tree of the checker."""
    if not isinstance(tree, tuple):
        return inside and tree == "p"
    operation, parts = tree
    inside = inside or operation in ("sqrt", "exp", "log") or (operation == "power" and parts[1].denominator > 1)
    return any(has_function_of_prior(part, inside=inside) for part in parts)


def odds_at(tree: Any, p: Fraction, *, mirrored: bool) -> Any:
    """Return ``(1-p) h(p) / (p (1-h(p)))`` as an expression, h(p) = tree(p), or 1 - tree(1-p)."""
    value = _at(tree, 1 - p if mirrored else p)
    rest = {"sum": ["1", {"negative": value}]}
    h, less = (rest, value) if mirrored else (value, rest)
    return {"quotient": [{"product": [as_text((1 - p) / p), h]}, less]}


def _at(tree: Any, p: Fraction) -> Any:
    """Return one of the checker's trees as an expression, with a number in the place of p."""
    if not isinstance(tree, tuple):
        return as_text(p if tree == "p" else tree)
    operation, parts = tree
    listed = [_at(part, p) for part in parts]
    return {operation: listed[0] if len(listed) == 1 else listed}


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
