"""Covers of (0, 1) by cells that prove the infimum B(h) (``checker/parity_bound/parity_bound.md``).

The search uses the checker's own functions to judge cells, so the covers that it finds are accepted. An infimum at a
rational place, or a limit at 0 or 1, is claimed as an expression (``exact``). The cells next to such a place are
expanded about it.

Criteria are written in the form that the checker reads, in the pieces and expressions of ``cover.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from flint import fmpq_poly

from rropt.checker.documents import Rejected
from rropt.checker.limits import MAX_DEGREE
from rropt.core.exact import Bracket, as_text
from rropt.core.exact.algebraic_numbers import Algebraic
from rropt.core.exact.flint_numbers import as_fraction
from rropt.privacy.bound.cell_searches import (
    MOST_WORK,
    CellSearch,
    InfimumClaim,
    UnprovedError,
    expression_of,
    is_expanded,
)
from rropt.privacy.bound.functions import Cell, Composite, Leaf, Rational, constant_value
from rropt.privacy.bound.infima import Place

# Relative slacks: an infimum at an irrational place is claimed with a lower bound that is smaller by this much than a
# value next to the place. The cells near it shrink with the square root of the slack, so functions with roots,
# exponentials and logarithms get only the accuracy that is promised.
_SLACKS = {False: (Fraction(1, 10**19), Fraction(1, 10**13)), True: (Fraction(1, 10**13),)}
_DIGITS = 20  # decimals of the claimed bounds: short numbers, much finer than the slack


@dataclass(frozen=True, slots=True)
class Cover:
    """A claim about the infimum that cells and a point prove, with its proof.

    Attributes:
        bounds: lower and upper bound; ``None`` for an infinite infimum.
        attained: whether the infimum is attained; ``None``: not proved.
        at: the place of the upper bound in the form of certificates.
        problem: the functions, in the form of certificates.
        proof: the cells and the point, in the form of certificates.
    """

    bounds: Bracket | None
    attained: bool | None
    at: Any
    problem: Any
    proof: dict[str, Any]


def find_cover(problem: Any, places: Sequence[Place], slacks: Sequence[Fraction] = (), work: int = MOST_WORK) -> Cover:
    """Return the best cover that can be found.

    Args:
        problem: a criterion in the form that the checker reads.
        places: places of the infimum with bounds of its value; empty for an infinite infimum.
        slacks: if given, the plans are bounds with these relative slacks instead of the best plans.
        work: the work of the checker for all plans together.

    Raises:
        UnprovedError: no cover was found.
    """
    near, failed = Fraction(1, 2), None
    for plan in _plans(problem, places, slacks):
        if plan == failed:
            continue
        search = CellSearch(problem, places, work)
        try:
            proof, place = search.cover(plan)
            return Cover(plan.bounds, plan.attained, place, problem, proof)
        except (UnprovedError, Rejected) as error:
            near, work = error.near if isinstance(error, UnprovedError) else near, search.work
            if (
                plan.attained is False and plan.is_exact and not search.is_weak
            ):  # leaving attainment open would not help
                failed = replace(plan, attained=None)
    raise UnprovedError(near)


def limits_at(problem: Any, side: str, index: int, at: Fraction) -> Iterator[Bracket]:
    """Iterate over bounds of the limits of F at 0 or 1 on a piece; the bounds are equal if a limit is rational."""
    search = CellSearch(problem, ())
    constants = search.criterion.constants
    for limit in search.limits(search.criterion.sides[side][index], at):
        exact = expression_of(limit, constants.named)
        low, high = constants.interval(limit)
        if isinstance(exact, str):
            yield Bracket.of(Fraction(exact))
        elif high.is_finite():
            yield Bracket(Fraction(low), Fraction(high))


def _plans(problem: Any, places: Sequence[Place], slacks: Sequence[Fraction]) -> Iterator[InfimumClaim]:
    """Iterate over the possible claims, the strongest first."""
    if not places:
        yield InfimumClaim(None, None, None)
        return
    lower, upper = min(place.lower for place in places), min(place.upper for place in places)
    above = upper + Fraction(1, 10**_DIGITS)
    if slacks:
        yield from (
            InfimumClaim(Bracket(above * (1 - slack), above).rounded_outwards(_DIGITS), None, None) for slack in slacks
        )
        return
    states = [state for state in (True, False, None) if state is None or any(p.attained is state for p in places)]
    states = [states[0], None][: len(states)]
    value = places[0].value
    if value is not None:
        lower, upper = places[0].lower, places[0].upper
    if lower == upper:
        yield from (InfimumClaim(Bracket(lower, upper), None, attained) for attained in states)
    near = Bracket(lower, upper).rounded_outwards(_DIGITS)
    for exact in CellSearch(problem, places).expressions(*near) if value is None else ():
        bounds = Bracket.of(Fraction(exact)) if isinstance(exact, str) else near
        yield from (InfimumClaim(bounds, exact, attained) for attained in states)
    if value is not None and lower < upper:  # an algebraic number, enclosed
        yield from (InfimumClaim(Bracket(lower, upper), None, attained) for attained in states)
    sides = CellSearch(problem, places).criterion.sides
    is_analytic = any(is_expanded(piece.tree) for pieces in sides.values() for piece in pieces)
    for slack in _SLACKS[is_analytic]:
        wide = Bracket(above * (1 - slack), above).rounded_outwards(_DIGITS)
        # non-attainment requires an exact bound
        yield from (InfimumClaim(wide, None, attained) for attained in states if attained is not False)


Piece = tuple[Cell, Leaf]

_NAMES = {"+": "sum", "*": "product", "/": "quotient", "min": "minimum", "max": "maximum"}
_END_DIGITS = 40  # decimals of the rational bounds around an irrational endpoint of a piece


def criterion_problem(pieces: Mapping[str, Sequence[Piece]]) -> dict[str, Any]:
    """Return the JSON of a criterion from the pieces of its functions ``"up"`` and ``"down"``."""
    listed = {side: [_piece(cell, leaf) for cell, leaf in found] for side, found in pieces.items()}
    return {side: {"pieces": listed[side]} if side in listed else None for side in ("up", "down")}


def _piece(cell: Cell, leaf: Leaf) -> dict[str, Any]:
    closed = cell.high.rational == 1 or cell.is_point or cell.has_high
    return {"to": _end(cell.high), "closed": closed, "value": _expression(leaf)}


def defined_problem(leaf: Leaf, cell: Cell, factor: str = "0") -> dict[str, Any]:
    """Return a problem with infinite infimum whose proof shows that a function f is defined on a cell.

    The function is h = 1 + c f with c = ``factor``. With c = 1 the proof also shows that f >= 0.
    """
    value = {"sum": ["1", {"product": [factor, _expression(leaf)]}]}
    listed = [{**_piece(cell, leaf), "value": value}]
    if cell.low.rational != 0:
        listed.insert(0, {"to": _end(cell.low), "closed": not cell.has_low and not cell.is_point, "value": "1"})
    if cell.high.rational != 1:
        listed.append({"to": "1", "closed": True, "value": "1"})
    return {"up": {"pieces": listed}, "down": None}


def _end(end: Algebraic) -> Any:
    """Return an endpoint of a piece: a number, or a polynomial and an interval that isolates one of its roots."""
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
    # long sums are nested to the left: written flat, they stay within the nesting depth that the checker accepts
    flat = name != "quotient" and isinstance(parts[0], dict) and name in parts[0]
    return {name: [*parts[0][name], *parts[1:]] if flat else parts}


def _power(leaf: Composite) -> Any:
    base, exponent = (_expression(part) for part in leaf.parts)
    r = constant_value(leaf.parts[1])
    if r is None or max(abs(r.numerator), r.denominator) > MAX_DEGREE:  # as a factor of a logarithm it may be long
        return {"exp": {"product": [exponent, {"log": base}]}}
    return {"power": [base, exponent]} if r >= 0 else {"quotient": ["1", {"power": [base, as_text(-r)]}]}


def _polynomial(polynomial: Any) -> Any:
    """Write an ``fmpq_poly`` with its factors p and 1-p separated: where these vanish, intervals keep its sign."""
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
    """Write an ``fmpq_poly`` as a sum of monomials."""
    terms: list[Any] = []
    for i, c in enumerate(polynomial.coeffs()):
        if c == 0:
            continue
        number = as_text(as_fraction(c))
        power: Any = "p" if i == 1 else {"power": ["p", as_text(Fraction(i))]}
        terms.append(number if i == 0 else power if c == 1 else {"product": [number, power]})
    return "0" if not terms else terms[0] if len(terms) == 1 else {"sum": terms}
