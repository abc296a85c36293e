"""Sums over outputs of a rational function of the row, given by the file, and the proof that it is convex.

The function is a sum of quotients N(y)/D(y) of polynomials in linear functions y of the row. The proof of convexity
names linear functions z, which are nonnegative on the rays. The Hessian of each quotient, times a power of their sum,
has coefficients that are positive semidefinite matrices (rational_sums.md).
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from .documents import Rejected, WorkBudget, bits_of, fields, items, whole
from .limits import MAX_DEGREE, MAX_LIST, MAX_NAMES, MAX_TERMS
from .matrices import Rows, Vector, dot, over_one_denominator, pivots_of, read_matrix, widest
from .polynomials import Exponents, Polynomial, Ring, negative

Ends = tuple[Fraction, Fraction]


class StatedQuotient(NamedTuple):
    """A quotient ``N(y)/D(y)``, where ``y_i`` is the product of the row with form i."""

    forms: Rows
    ring: Ring
    numerator: Polynomial
    denominator: Polynomial


class QuotientSum:
    """The function phi of an objective of the kind ``rational-sum``, with the sign that makes it convex."""

    def __init__(self, objective: Any, k: int, budget: WorkBudget) -> None:
        sense, listed = objective["sense"], items(objective["terms"], "the list of terms", most=MAX_LIST)
        if sense not in ("minimise", "maximise"):
            raise Rejected("the sense is neither minimise nor maximise")
        if not listed:
            raise Rejected("the objective has no terms")
        self.k, self.budget, self.is_maximum = k, budget, sense == "maximise"
        self.terms = [self._term(entry) for entry in listed]
        self._vectors = [[over_one_denominator(form, budget) for form in term.forms] for term in self.terms]

    def _term(self, entry: Any) -> StatedQuotient:
        forms, above, below = fields(entry, ["forms", "numerator", "denominator"], "a term")
        rows = read_matrix(forms, "the forms", self.budget, (None, self.k))
        if len(rows) > MAX_NAMES:
            raise Rejected(f"a term has more than {MAX_NAMES} forms")
        ring = Ring(tuple(f"y{i}" for i in range(len(rows))), self.budget)
        numerator, denominator = _polynomial(above, ring), _polynomial(below, ring)
        degrees = [{sum(key) for key in part} for part in (numerator, denominator)]
        if any(len(found) != 1 for found in degrees) or max(degrees[0]) != max(degrees[1]) + 1:
            raise Rejected("a term is not a quotient of polynomials that is homogeneous of degree 1")
        return StatedQuotient(rows, ring, numerator if self.is_maximum else negative(numerator), denominator)

    def ends(self, row: Sequence[int]) -> Ends:
        """Return phi of a row of integers, twice."""
        value, own = Fraction(0), widest(row)
        for term, vectors in zip(self.terms, self._vectors, strict=True):
            self.budget.spend_in_bulk(len(vectors) * len(row), own, max(vector.bits for vector in vectors))
            point = [Fraction(dot(row, vector.numerators), vector.denominator) for vector in vectors]
            below = term.ring.value(term.denominator, point)
            if not below:
                raise Rejected("a denominator of the objective is 0 at a row")
            added = term.ring.value(term.numerator, point)
            self.budget.spend(6, bits_of(value) + bits_of(added), bits_of(below))
            value += added / below
        return value, value

    def require_convex(self, data: Any, rays: Iterable[Sequence[int]]) -> None:
        """Reject unless the proof shows that every term is convex on the cone that the rays generate."""
        entries = items(data, "convexity", count=len(self.terms))
        for term, entry in zip(self.terms, entries, strict=True):
            _require_convex(term, entry, rays, self.budget)


def _polynomial(data: Any, ring: Ring) -> Polynomial:
    """Read a polynomial other than 0: a list of terms in descending order of the exponents."""
    found: Polynomial = {}
    last: Exponents | None = None
    for term in items(data, "a polynomial", most=MAX_TERMS):
        coefficient, *exponents = items(term, "a term of a polynomial", count=len(ring.names) + 1)
        key = tuple(whole(e, "an exponent", MAX_DEGREE) for e in exponents)
        value = ring.budget.number(coefficient, "a coefficient")
        ring.budget.spend(len(key))
        if not value or (last is not None and key >= last):
            raise Rejected("a polynomial has a coefficient 0, or its exponents do not descend")
        if sum(key) > MAX_DEGREE:
            raise Rejected(f"a polynomial has a degree above {MAX_DEGREE}")
        found[key] = value
        last = key
    if not found:
        raise Rejected("a polynomial has no terms")
    return found


class _Signs(NamedTuple):
    """Which forms are nonnegative on all rays, and which are positive on at least one."""

    nonnegative: list[bool]
    positive: list[bool]


def _require_convex(term: StatedQuotient, data: Any, rays: Iterable[Sequence[int]], budget: WorkBudget) -> None:
    forms, matrix, scaled, power = fields(data, ["forms", "matrix", "scaled", "power"], "the convexity of a term")
    n, k = len(term.forms), len(term.forms[0])
    new = read_matrix(forms, "the forms of the convexity", budget, (None, k))
    change = read_matrix(matrix, "the matrix of the forms", budget, (n, len(new)))
    if len(new) > MAX_NAMES:
        raise Rejected(f"a term has more than {MAX_NAMES} forms")
    _require_product(change, new, term.forms, budget)
    ring = Ring(tuple(f"z{i}" for i in range(len(new))), budget)
    above, below = (_substituted(part, change, ring) for part in (term.numerator, term.denominator))
    if any(value < 0 for value in below.values()):
        raise Rejected("a denominator has a negative coefficient in the forms of the convexity")
    signs = _signs_on(rays, [over_one_denominator(form, budget) for form in new], list(below), budget)
    used = {i for key in below for i, e in enumerate(key) if e}
    if not all(signs.nonnegative[i] for i in used):
        raise Rejected("a form of a denominator is negative on a ray")
    if not signs.nonnegative[-1] or not signs.positive[-1]:
        raise Rejected("the last form of the convexity is negative on a ray, or 0 on all of them")
    flags = items(scaled, "scaled", count=len(new) - 1)
    if not all(isinstance(flag, bool) for flag in flags):
        raise Rejected("an entry of scaled is neither true nor false")
    for flag, is_nonnegative, is_positive in zip(flags, *signs, strict=False):
        if flag and not (is_nonnegative and is_positive):
            raise Rejected("a scaled form is negative on a ray, or 0 on all of them")
    times = whole(power, "the power", MAX_DEGREE)
    require_semidefinite(Hessian(above, below, signs.nonnegative, flags, times), ring)


class Hessian(NamedTuple):
    """The second derivatives of a quotient N/D, and what their coefficients are multiplied by.

    Attributes:
        above: N, homogeneous.
        below: D, homogeneous.
        nonnegative: which variables are nonnegative.
        scaled: for each variable but the last, whether its row and its column are multiplied by it.
        power: the power of the sum of the nonnegative variables by which all entries are multiplied.
    """

    above: Polynomial
    below: Polynomial
    nonnegative: Sequence[bool]
    scaled: Sequence[bool]
    power: int


def require_semidefinite(given: Hessian, ring: Ring) -> None:
    """Reject unless each coefficient is a positive semidefinite matrix, and its monomial is nonnegative."""
    for key, rows in sorted(_coefficients(given, ring).items()):
        if any(e % 2 and not is_one for e, is_one in zip(key, given.nonnegative, strict=True)):
            raise Rejected("a coefficient of the Hessian has an odd power of a form that is negative on a ray")
        width = len(rows)
        flat = over_one_denominator([x for row in rows for x in row], ring.budget)
        integers = [flat.numerators[at : at + width] for at in range(0, width * width, width)]
        pivots_of(integers, "a coefficient of the Hessian is not positive semidefinite", ring.budget)


def _require_product(change: Rows, new: Rows, old: Rows, budget: WorkBudget) -> None:
    """Reject unless ``change new = old``."""
    longest = [max(bits_of(x) for row in rows for x in row) for rows in (change, new)]
    budget.spend(3 * len(change) * len(new) * len(new[0]), *longest)
    for row, wanted in zip(change, old, strict=True):
        if any(
            sum((c * z for c, z in zip(row, column, strict=True)), Fraction(0)) != x
            for column, x in zip(zip(*new, strict=True), wanted, strict=True)
        ):
            raise Rejected("the forms of a term are not those of the convexity times the matrix")


def _substituted(polynomial: Polynomial, change: Rows, ring: Ring) -> Polynomial:
    """Return a polynomial in the new forms."""
    size = len(ring.names)
    lines: list[Polynomial] = [
        {tuple(int(i == j) for j in range(size)): x for i, x in enumerate(row) if x} for row in change
    ]
    powers: list[list[Polynomial]] = [[ring.constant(Fraction(1))] for _ in lines]
    found: Polynomial = {}
    for key, coefficient in polynomial.items():
        product = ring.constant(coefficient)
        for own, line, e in zip(powers, lines, key, strict=True):
            while len(own) <= e:
                own.append(ring.multiply(own[-1], line))
            if e:
                product = ring.multiply(product, own[e])
        found = ring.add(found, product)
    return found


def _signs_on(rays: Iterable[Sequence[int]], forms: list[Vector], below: list[Exponents], budget: WorkBudget) -> _Signs:
    """Return the signs of the forms; reject a ray on which every term of the denominator has a form that is not
    positive.
    """
    supports = [{i for i, e in enumerate(key) if e} for key in below]
    longest, size = max(form.bits for form in forms), sum(map(len, supports))
    nonnegative, positive = [True] * len(forms), [False] * len(forms)
    for ray in rays:
        budget.spend_in_bulk(len(forms) * (len(ray) + 2) + size, widest(ray), longest)
        values = [dot(ray, form.numerators) for form in forms]
        for i, value in enumerate(values):
            nonnegative[i] &= value >= 0
            positive[i] |= value > 0
        if not any(all(values[i] > 0 for i in support) for support in supports):
            raise Rejected("a denominator of the objective is not positive on a ray")
    return _Signs(nonnegative, positive)


def _coefficients(given: Hessian, ring: Ring) -> dict[Exponents, Rows]:
    """Return the coefficients of ``D^3 (N/D)''`` times the factors, without the last variable, by their exponents."""
    N, D, size = given.above, given.below, len(ring.names) - 1
    variables = [ring.variable(name) for name in ring.names]
    total: Polynomial = {}
    for variable, is_one in zip(variables, given.nonnegative, strict=True):
        total = ring.add(total, variable) if is_one else total
    factor = ring.power(total, given.power)
    first = [(_derivative(N, i), _derivative(D, i)) for i in range(size)]
    square = ring.multiply(D, D)
    found: dict[Exponents, Rows] = {}
    for i in range(size):
        (n_i, d_i) = first[i]
        for j in range(i + 1):
            (n_j, d_j), n_ij, d_ij = first[j], _derivative(n_i, j), _derivative(d_i, j)
            mixed = ring.add(ring.multiply(n_i, d_j), ring.multiply(n_j, d_i))
            entry = ring.add(ring.multiply(square, n_ij), negative(ring.multiply(D, mixed)))
            entry = ring.add(entry, negative(ring.multiply(ring.multiply(N, D), d_ij)))
            twice = ring.multiply(ring.constant(Fraction(2)), ring.multiply(d_i, d_j))
            entry = ring.multiply(factor, ring.add(entry, ring.multiply(N, twice)))
            for at in (i, j):
                entry = ring.multiply(entry, variables[at]) if given.scaled[at] else entry
            ring.budget.spend(len(entry) * (1 + size))
            for key, value in entry.items():
                if key not in found:
                    ring.budget.spend(size * size)
                    found[key] = [[Fraction(0)] * size for _ in range(size)]
                found[key][i][j] = found[key][j][i] = value
    return found


def _derivative(polynomial: Polynomial, i: int) -> Polynomial:
    """Return the derivative with respect to variable i."""
    return {
        tuple(e - (at == i) for at, e in enumerate(key)): key[i] * value for key, value in polynomial.items() if key[i]
    }
