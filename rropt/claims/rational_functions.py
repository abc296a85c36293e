"""Fast arithmetic of rational functions with FLINT, and the expression trees of certificates (FORMAT.md, section A).

The functions take SymPy expressions. They return quotients in lowest terms, expansions, factors and exact coefficients.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp
from flint import Ordering, fmpq, fmpq_mpoly_ctx
from sympy.polys.orderings import lex
from sympy.polys.rings import PolyRing

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact.flint_numbers import as_flint, as_fraction


def names_in(*parts: Any) -> list[Any]:
    """Return the symbols of expressions, in the order of their names."""
    return sorted({symbol for part in parts for symbol in sp.sympify(part).free_symbols}, key=_name)


def _name(symbol: Any) -> str:
    return symbol.name if type(symbol) is sp.Symbol else str(symbol)  # ``str`` is slower


@lru_cache(maxsize=4096)
def quotient(expression: Any) -> tuple[Any, Any]:
    """Return the numerator and the denominator of a rational function in lowest terms, both expanded.

    >>> x = sp.Symbol("x")
    >>> quotient(1 / x + 1 / (x + 1))
    (2*x + 1, x**2 + x)
    """
    symbols = names_in(expression)
    n, d = fraction_in(expression, ring_of(symbols))
    common = n.gcd(d)
    return written(n / common, symbols), written(d / common, symbols)


def expanded(polynomial: Any) -> Any:
    """Return a polynomial as a sum of monomials."""
    above, below = quotient(sp.sympify(polynomial))
    return above / below


@lru_cache(maxsize=4096)
def factors(polynomial: Any) -> tuple[Any, tuple[tuple[Any, int], ...]]:
    """Return the constant and the irreducible factors, with their powers, of a nonzero polynomial."""
    symbols = names_in(polynomial)
    n, d = fraction_in(polynomial, ring_of(symbols))
    constant, found = (n / d).factor()
    listed = tuple((written(factor, symbols), int(power)) for factor, power in found)
    if len(listed) < 2:
        return _number(constant), listed
    return _number(constant), tuple(sorted(listed, key=lambda pair: (len(text := str(pair[0])), text)))


def monomials(polynomial: Any, symbols: Sequence[Any]) -> dict[tuple[int, ...], Any]:
    """Return the nonzero coefficients of a polynomial by exponents, as FLINT rationals.

    Raises:
        InvalidParameterError: the expression is not a polynomial in these symbols.
    """
    n, d = fraction_in(sp.sympify(polynomial), ring_of(symbols))
    if not d.is_constant():
        reduced = n / n.gcd(d)
        d = d / n.gcd(d)
        if not d.is_constant():
            raise InvalidParameterError(f"a polynomial is wanted: received {shown(str(polynomial))}")
        n = reduced
    terms = (n / d.leading_coefficient()).to_dict()
    return {tuple(map(int, key[: len(symbols)])): value for key, value in terms.items()}


def divided(polynomial: Any, divisors: Sequence[Any], symbols: Sequence[Any]) -> tuple[list[Any], Any]:
    """Return quotients q_i and a remainder r with ``polynomial = sum q_i divisors[i] + r``, as ``sympy.reduced`` does.

    The division is SymPy's, in its sparse polynomials; ``sympy.reduced`` first writes every polynomial densely, which
    takes most of its time.

    Raises:
        PolynomialError: an expression is not a polynomial in these symbols.

    >>> x, y = sp.symbols("x y")
    >>> divided(x**2 * y + y, [x * y - 1], [x, y])
    ([x], x + y)
    """
    ring = PolyRing(list(symbols), sp.QQ, lex)

    def read(part: Any) -> Any:
        try:
            found = monomials(part, symbols)
        except InvalidParameterError as error:
            raise sp.PolynomialError(str(error)) from None
        return ring.from_dict({key: sp.QQ(int(x.p), int(x.q)) for key, x in found.items()})

    quotients, rest = read(polynomial).div([read(divisor) for divisor in divisors])
    return [part.as_expr() for part in quotients], rest.as_expr()


def ring_of(symbols: Sequence[Any]) -> dict[Any, Any]:
    """Return the polynomial of each symbol, and the polynomial 1 for None."""
    context = fmpq_mpoly_ctx.get([f"x{i}" for i in range(max(1, len(symbols)))], Ordering.lex)
    ring = dict(zip(symbols, context.gens(), strict=False))
    ring[None] = context.from_dict({(0,) * max(1, len(symbols)): fmpq(1)})
    return ring


def fraction_in(node: Any, ring: dict[Any, Any]) -> tuple[Any, Any]:
    """Return an expression as numerator and denominator in the ring of polynomials."""
    one = ring[None]
    if node.is_Rational:
        return one * fmpq(int(node.p), int(node.q)), one
    if node.is_Symbol and node in ring:
        return ring[node], one
    if node.is_Add or node.is_Mul:
        n, d = fraction_in(node.args[0], ring)
        for part in node.args[1:]:
            m, e = fraction_in(part, ring)
            if node.is_Mul:
                n, d = n * m, d * e
            elif d == e:
                n = n + m
            else:
                n, d = n * e + m * d, d * e
        return n, d
    if node.is_Pow and node.exp.is_Integer:
        n, d = fraction_in(node.base, ring)
        power = int(node.exp)
        return (n**power, d**power) if power >= 0 else (d**-power, n**-power)
    raise InvalidParameterError(f"no rational function: received {shown(str(node))}; allowed are + - * / and powers")


def divisors(node: Any) -> set[Any]:
    """Return the divisors that occur in an expression as written."""
    found = {node.base} if node.is_Pow and node.exp.is_negative else set()
    return found.union(*(divisors(part) for part in node.args))


def written(polynomial: Any, symbols: Sequence[Any]) -> Any:
    """Return a FLINT polynomial as a sum of monomials in the given expressions."""
    terms = [
        sp.Mul(_number(value), *(x ** int(e) for x, e in zip(symbols, key, strict=False) if e))
        for key, value in polynomial.to_dict().items()
    ]
    return sp.Add(*terms)


def _number(value: Any) -> Any:
    return sp.Rational(int(value.p), int(value.q))


Coefficients = dict[tuple[int, ...], Fraction]


def tree(expression: Any) -> Any:
    """Return a SymPy expression as a tree of sums, products, powers, quotients, numbers and names.

    Raises:
        InvalidParameterError: a part is not a rational function with rational coefficients.
    """
    expression = sp.sympify(expression)
    if expression.is_Rational:
        return str(Fraction(int(expression.p), int(expression.q)))
    if expression.is_Symbol:
        return _name(expression)
    if expression.is_Add:
        return {"sum": [tree(part) for part in expression.args]}
    if expression.is_Mul:
        sign, rest = expression.as_coeff_Mul()
        if sign == -1:
            return {"negative": tree(rest)}
        numerator, denominator = expression.as_numer_denom()
        if denominator.free_symbols:
            return {"quotient": [tree(numerator), tree(denominator)]}
        return {"product": [tree(part) for part in expression.args]}
    if expression.is_Pow and expression.exp.is_Integer:
        base, exponent = expression.args
        if exponent < 0:
            return {"quotient": ["1", tree(base**-exponent)]}
        return {"power": [tree(base), str(exponent)]}
    raise InvalidParameterError(
        f"an expression is no rational function: received {shown(str(expression))}; allowed are + - * / and whole "
        "powers of names and rational numbers"
    )


def coefficients(expression: Any, symbols: Sequence[Any]) -> Coefficients:
    """Return the nonzero coefficients of a polynomial in these symbols, by exponents."""
    return {key: Fraction(int(x.p), int(x.q)) for key, x in monomials(expression, symbols).items()}


def value_of(polynomial: Coefficients, point: Mapping[int, Fraction] | Sequence[Fraction]) -> Fraction:
    """Return the value of a polynomial at a point, which has a value at least for each variable that occurs."""
    total, known = fmpq(0), dict[int, Any]()
    for key, value in polynomial.items():
        term = as_flint(value)
        for place, power in enumerate(key):
            if power:
                if place not in known:
                    known[place] = as_flint(point[place])
                term *= known[place] ** power
        total += term
    return as_fraction(total)
