"""User-defined functions of a row as rational functions that a certificate states, with a proof that they are convex.

The function is traced (``traced_numbers``): it becomes a sum of quotients of polynomials in linear functions of
the row, the *forms*. For each quotient, a basis of its forms is sought in which the coefficients of its Hessian are
semidefinite (checker/rational_sums.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from numbers import Rational
from random import Random
from typing import Any, NamedTuple

from rropt.checker.design_bracket import RATIONAL
from rropt.checker.documents import Rejected, WorkBudget
from rropt.checker.limits import MAX_LIST
from rropt.checker.polynomials import Polynomial, Ring, negative
from rropt.checker.rational_sums import Hessian, require_semidefinite
from rropt.core.exact import as_text
from rropt.core.exact.numbers import dot
from rropt.objectives.traced_numbers import Form, Monomial, Traced, TracedQuotient, UncertifiedError, without_common

_POWERS = 5  # powers of the sum of the forms that are tried
_CHECKED, _SEED = 4, 9  # rows at which a traced function is compared with the function itself
_MOST_WORK = 1 << 18  # of the work budget of a trial


@dataclass(frozen=True)
class StatedTerm:
    """A quotient in independent forms, and the power that proves that it is convex.

    Attributes:
        forms: the forms, of which the last is nonnegative.
        above: the numerator.
        below: the denominator.
        scaled: which of the forms but the last multiply their row and column of the Hessian.
        power: the power of the sum of the nonnegative forms.
    """

    forms: tuple[Form, ...]
    above: Polynomial
    below: Polynomial
    scaled: tuple[bool, ...]
    power: int

    def to_dict(self) -> dict[str, Any]:
        """Return the term of the objective in a certificate."""
        return {
            "forms": [list(map(as_text, form)) for form in self.forms],
            "numerator": _written(self.above),
            "denominator": _written(self.below),
        }

    def proof(self) -> dict[str, Any]:
        """Return the part of the proof on convexity."""
        n = len(self.forms)
        identity = [[str(int(i == j)) for j in range(n)] for i in range(n)]
        forms = self.to_dict()["forms"]
        return {"forms": forms, "matrix": identity, "scaled": list(self.scaled), "power": str(self.power)}


def _written(polynomial: Polynomial) -> list[list[str]]:
    return [[as_text(x), *map(str, key)] for key, x in sorted(polynomial.items(), reverse=True)]


class StatedSum(NamedTuple):
    """A sum of quotients, as an objective of a certificate.

    Attributes:
        sense: ``minimise`` or ``maximise``.
        terms: the quotients.
    """

    sense: str
    terms: tuple[StatedTerm, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the objective of the certificate."""
        return {"kind": RATIONAL, "sense": self.sense, "terms": [term.to_dict() for term in self.terms]}

    def proof(self) -> list[dict[str, Any]]:
        """Return the part of the proof on convexity."""
        return [term.proof() for term in self.terms]


def stated_sum(
    of_row: Callable[[Sequence[Any], Sequence[Fraction]], Any], population: Sequence[Fraction], sense: str
) -> StatedSum:
    """Return a function of the row as a sum of quotients, each with a proof that it is convex, or concave.

    Args:
        of_row: the function of a row and the distribution.
        population: the distribution.
        sense: ``maximise`` for a convex function, ``minimise`` for a concave one.

    Raises:
        UncertifiedError: the function is no rational function of the row, is not homogeneous of degree 1, or no proof
            of its convexity is found.
    """
    parts, is_maximum = _traced(of_row, population), sense == "maximise"
    terms = [term for part in parts for term in _proved(part, len(population), is_maximum=is_maximum)]
    if len(terms) > MAX_LIST:
        raise UncertifiedError(f"it is the sum of more than {MAX_LIST} quotients")
    return StatedSum(sense, tuple(terms))


def _traced(of_row: Callable[..., Any], population: Sequence[Fraction]) -> tuple[TracedQuotient, ...]:
    k, pi = len(population), [Fraction(p) for p in population]
    try:
        found = Traced.of(of_row([Traced.entry(j, k) for j in range(k)], pi))
    except UncertifiedError:
        raise
    except Exception as error:  # whatever somebody else's function raises
        raise UncertifiedError(f"it does not accept numbers of this type ({type(error).__name__})") from error
    if found is None:
        raise UncertifiedError("it returns a number that is not exact, for example a float")
    if not found.parts:
        raise UncertifiedError("it is 0")
    rng = Random(_SEED)
    for _ in range(_CHECKED):
        row = [Fraction(rng.randint(1, 99), 100) for _ in range(k)]
        own = sum((_at(part.above, row) / _at(part.below, row) for part in found.parts), Fraction(0))
        try:
            value = of_row(row, pi)
        except Exception as error:
            raise UncertifiedError(f"it fails at the row {', '.join(map(as_text, row))}") from error
        if not isinstance(value, Rational) or value != own:
            raise UncertifiedError("its value at fractions is not that of the function that was recorded")
    return found.parts


def _at(part: Mapping[Monomial, Fraction], row: Sequence[Fraction]) -> Fraction:
    total = Fraction(0)
    for key, x in part.items():
        for form, e in key:
            x *= dot(form, row) ** e
        total += x
    return total


def _proved(part: TracedQuotient, k: int, *, is_maximum: bool) -> list[StatedTerm]:
    """Return a quotient with its proof, or a quotient for each monomial of its numerator."""
    degrees = [{sum(e for _, e in key) for key in each} for each in (part.above, part.below)]
    if any(len(found) != 1 for found in degrees) or max(degrees[0]) != max(degrees[1]) + 1:
        raise UncertifiedError("a quotient of its sum is not homogeneous of degree 1")
    whole = _convex(part, k, is_maximum=is_maximum)
    if whole is not None:
        return [whole]
    pieces = [without_common({key: x}, dict(part.below)) for key, x in part.above.items()]
    split = [_convex(piece, k, is_maximum=is_maximum) for piece in pieces] if len(pieces) > 1 else [None]
    found = [term for term in split if term is not None]
    if len(found) < len(split):
        what = "convex" if is_maximum else "concave"
        raise UncertifiedError(f"no proof was found that a quotient of its sum is {what}")
    return found


def _convex(part: TracedQuotient, k: int, *, is_maximum: bool) -> StatedTerm | None:
    """Return a quotient with the proof that it is convex, or concave; None if none is found."""
    for forms in _bases(part, k):
        above, below = (_in_basis(each, forms) for each in (part.above, part.below))
        if max(below.values()) < 0:
            above, below = negative(above), negative(below)
        signs = [min(form) >= 0 for form in forms]
        used = {i for key in below for i, e in enumerate(key) if e}
        if min(below.values()) < 0 or not all(signs[i] for i in used):
            continue
        for power, scaled in product(range(_POWERS), ((False,) * (len(forms) - 1), tuple(signs[:-1]))):
            ring = Ring(tuple(f"z{i}" for i in range(len(forms))), WorkBudget(_MOST_WORK))
            tried = Hessian(above if is_maximum else negative(above), below, signs, scaled, power)
            try:
                require_semidefinite(tried, ring)
            except Rejected:
                continue
            return StatedTerm(forms, above, below, scaled, power)
    return None


def _bases(part: TracedQuotient, k: int) -> Iterator[tuple[Form, ...]]:
    """Yield bases of the forms of a quotient, each with a nonnegative form in the last place."""
    seen = [form for each in (part.below, part.above) for key in each for form, _ in key]
    ones = (Fraction(1),) * k
    forms = list(dict.fromkeys(seen))
    good = [form for form in forms if min(form) >= 0]
    of_divisor = {form for key in part.below for form, _ in key}
    order = sorted(forms, key=lambda form: (form not in of_divisor, min(form) < 0))
    units = [tuple(Fraction(i == j) for i in range(k)) for j in range(k)]
    tried = set()
    for last in dict.fromkeys([*(f for f in good if f in of_divisor), *good, ones]):
        for listed in (order, [*units, *order] if len(_independent([*forms, ones], k)) == k else order):
            first, *others = _independent([last, *listed], k)
            basis = (*others, first)
            if basis not in tried:
                tried.add(basis)
                yield basis


def _independent(forms: Sequence[Form], k: int) -> list[Form]:
    """Return the forms that do not depend on those before them."""
    kept: list[Form] = []
    rows: list[tuple[list[Fraction], int]] = []
    for form in forms:
        rest = list(form)
        for row, pivot in rows:
            if rest[pivot]:
                factor = rest[pivot] / row[pivot]
                rest = [x - factor * y for x, y in zip(rest, row, strict=True)]
        at = next((j for j in range(k) if rest[j]), None)
        if at is not None:
            kept.append(form)
            rows.append((rest, at))
    return kept


def _in_basis(part: Mapping[Monomial, Fraction], basis: Sequence[Form]) -> Polynomial:
    """Return a polynomial in the forms of a basis."""
    ring = Ring(tuple(f"z{i}" for i in range(len(basis))), WorkBudget(_MOST_WORK))
    found: Polynomial = {}
    for key, x in part.items():
        term = ring.constant(x)
        for form, e in key:
            line = {
                tuple(int(i == j) for j in range(len(basis))): c for i, c in enumerate(_coordinates(form, basis)) if c
            }
            term = ring.multiply(term, ring.power(line, e))
        found = ring.add(found, term)
    return found


def _coordinates(form: Form, basis: Sequence[Form]) -> list[Fraction]:
    """Return c with ``sum_i c_i basis_i = form``."""
    n, k = len(basis), len(form)
    rows = [[*(b[j] for b in basis), form[j]] for j in range(k)]
    pivots: list[int] = []
    for column in range(n):
        at = next(i for i in range(len(pivots), k) if rows[i][column])
        rows[len(pivots)], rows[at] = rows[at], rows[len(pivots)]
        top = rows[len(pivots)]
        top[:] = [x / top[column] for x in top]
        for i, row in enumerate(rows):
            if i != len(pivots) and row[column]:
                factor = row[column]
                row[:] = [x - factor * y for x, y in zip(row, top, strict=True)]
        pivots.append(column)
    return [rows[i][n] for i in range(n)]
