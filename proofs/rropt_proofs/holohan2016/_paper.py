"""What the entries of Holohan, Leith and Mason (2016) share: symbols, the variance, the region, and its true optima."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import sympy as sp
from flint import fmpq, fmpq_poly

import rropt
from rropt.claims import Condition, Domain, Point, exact_cache
from rropt.claims.outcomes import value_text
from rropt.core.errors import InfeasibleError
from rropt.core.exact import Epsilon
from rropt.objectives import binary_variance
from rropt_proofs._laws import FiniteLaw, number_of_ones
from rropt_proofs._matrices import binary

__all__ = [
    "DELTA",
    "GAMMA",
    "PI",
    "PRIVATE",
    "R_OF_T",
    "S_OF_T",
    "A",
    "B",
    "Design",
    "N",
    "T",
    "answer_counts",
    "at",
    "boundary_design",
    "derivative_along",
    "derivative_of",
    "determinant",
    "gap_along",
    "in_reduced_region",
    "is_private",
    "n_variance",
    "no_slack",
    "on_tight_boundary",
    "optima",
    "polynomial",
    "product_of",
    "rational_roots",
    "second_derivative_along",
    "some_slack",
    "value_of",
    "variance_along",
    "variance_at",
    "variance_working",
    "yes_probability",
    "yes_slack",
]


# gamma = exp(epsilon); (a, b) is the design (p00, p11)
GAMMA, DELTA, PI, A, B, N = sp.symbols("gamma delta pi a b n")

Design = tuple[Fraction, Fraction]

determinant = A + B - 1
yes_probability = (1 - PI) * (1 - A) + PI * B
n_variance = yes_probability * (1 - yes_probability) / determinant**2  # equation (6) times n
yes_slack = GAMMA * (1 - A) + DELTA - B  # (11a)
no_slack = GAMMA * (1 - B) + DELTA - A  # (11b)

PRIVATE: dict[str, Domain] = {
    "gamma": Domain.odds(),
    "delta": Domain.interval("0 <= delta <= 1", 0, 1, also=("1/100", "1/4", "1/3", "99/100")),
    "pi": Domain.interval("prevalence, 0 <= pi <= 1", 0, 1, also=("1/100", "1/4", "1/2", "9/10")),
}

some_slack = Condition(
    "epsilon > 0 or delta > 0: there is something to estimate",
    "gamma - 1 + delta > 0",  # as gamma >= 1 and delta >= 0
)


def variance_at(design: Design, pi: Fraction) -> Fraction:
    """Return n Var of a design, by equation (6)."""
    return binary_variance(design[0], design[1], pi)


def variance_working(design: Design, pi: Fraction) -> str:
    """Return the steps of n Var at a design by equation (6), with their numbers."""
    (a, b), pi = design, Fraction(pi)
    yes, gap = (1 - pi) * (1 - a) + pi * b, a + b - 1
    return (
        f"at (p00, p11) = {value_text(design)}, y = (1 - pi)(1 - p00) + pi p11 = {value_text(yes)} and n Var = "
        f"y (1 - y)/(p00 + p11 - 1)^2 = ({value_text(yes)})({value_text(1 - yes)})/({value_text(gap)})^2 = "
        f"{value_text(variance_at(design, pi))}"
    )


@exact_cache
def _optima(gamma: Fraction, delta: Fraction, pi: Fraction, family: str) -> frozenset[Design]:
    problem = rropt.binary_problem(epsilon=Epsilon.of_gamma(gamma), delta=delta, prevalence=pi, family=family)
    solution = rropt.solve(problem, routes=["exact"])
    return frozenset((mechanism.p00, mechanism.p11) for mechanism in solution.optima)


def optima(point: Point, family: str = "all") -> frozenset[Design]:
    """Return the true optimal extreme designs at a point with gamma, delta, pi: by enumeration, certified."""
    return _optima(Fraction(point["gamma"]), Fraction(point["delta"]), Fraction(point["pi"]), family)


# The boundary (22): (r(t), s(t)) makes (11a) tight, (s(t), r(t)) makes (11b) tight
T = sp.symbols("t")
S_OF_T = (GAMMA + DELTA) / (GAMMA + 1) * T
R_OF_T = 1 - (S_OF_T - DELTA) / GAMMA


def is_private(design: Design, gamma: Fraction, delta: Fraction) -> bool:
    """Return whether (9) holds for both orders of the two truths and for every set A of answers."""
    columns = tuple(zip(*binary(*design), strict=True))  # the law of the answer, by the truth
    answers = ((), (0,), (1,), (0, 1))
    return all(
        sum(columns[x][j] for j in some) <= gamma * sum(columns[1 - x][j] for j in some) + delta
        for x in (0, 1)
        for some in answers
    )


def in_reduced_region(design: Design, gamma: Fraction, delta: Fraction) -> bool:
    """Return whether a design is in R': a private mechanism with p00 + p11 > 1, by the definition."""
    return min(design) >= 0 and max(design) <= 1 < sum(design) and is_private(design, gamma, delta)


def on_tight_boundary(design: Design, gamma: Fraction, delta: Fraction) -> bool:
    """Return whether a design is in R'': in R', and (11a) or (11b) is tight."""
    a, b = design
    tight = b == gamma * (1 - a) + delta or a == gamma * (1 - b) + delta
    return tight and in_reduced_region(design, gamma, delta)


def boundary_design(gamma: Fraction, delta: Fraction, t: Fraction) -> Design:
    """Return (r(t), s(t)) of (22), by the first printed form."""
    corner = (gamma + delta) / (gamma + 1)
    return (1 + delta / gamma) * (1 - t) + corner * t, corner * t


def answer_counts(yes: Fraction, n: int) -> FiniteLaw:
    """Return the distribution of the number of answers 1 among n independent respondents, each with the probability
    ``yes``."""
    return number_of_ones([yes] * n)


def polynomial(*coefficients: Fraction) -> fmpq_poly:
    """Return the exact polynomial with these coefficients, constant first."""
    return fmpq_poly([fmpq(x.numerator, x.denominator) for x in map(Fraction, coefficients)])


def product_of(left: Sequence[Fraction], right: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return the product of two polynomials, given by their coefficients, constant first."""
    found = [Fraction(0)] * (len(left) + len(right) - 1)
    for i, x in enumerate(left):
        for j, y in enumerate(right):
            found[i + j] += x * y
    return tuple(found)


def derivative_of(coefficients: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return the derivative of a polynomial."""
    return tuple(i * x for i, x in enumerate(coefficients) if i > 0)


def value_of(coefficients: Sequence[Fraction], x: Fraction) -> Fraction:
    """Return the value of a polynomial."""
    return sum((c * x**i for i, c in enumerate(coefficients)), Fraction(0))


def gap_along(gamma: Fraction, delta: Fraction) -> tuple[Fraction, ...]:
    """Return p00 + p11 - 1 along (22), a polynomial in t, from two points of the segment."""
    first, last = (sum(boundary_design(gamma, delta, Fraction(t)), Fraction(-1)) for t in (0, 1))
    return first, last - first


def derivative_along(gamma: Fraction, delta: Fraction, pi: Fraction) -> tuple[Fraction, ...]:
    """Return the numerator of the derivative of n Var in t along (22), over (p00 + p11 - 1)^3, a polynomial in t.

    With v = Pr(X = 1) Pr(X = 0) and d = p00 + p11 - 1 it is v' d - 2 v d', because n Var = v/d^2.
    """
    ends = [boundary_design(gamma, delta, Fraction(t)) for t in (0, 1)]
    first, last = ((1 - pi) * (1 - a) + pi * b for a, b in ends)
    spread = product_of((first, last - first), (1 - first, first - last))
    gap = gap_along(gamma, delta)
    return _less(product_of(derivative_of(spread), gap), 2, product_of(spread, derivative_of(gap)))


def second_derivative_along(gamma: Fraction, delta: Fraction, pi: Fraction, t: Fraction) -> Fraction:
    """Return the second derivative of n Var in t along (22), by the rule for quotients."""
    above, gap = derivative_along(gamma, delta, pi), gap_along(gamma, delta)
    numerator = _less(product_of(derivative_of(above), gap), 3, product_of(above, derivative_of(gap)))
    return value_of(numerator, t) / value_of(gap, t) ** 4


def _less(left: Sequence[Fraction], times: int, right: Sequence[Fraction]) -> tuple[Fraction, ...]:
    return tuple(x - times * y for x, y in zip(left, right, strict=True))


def variance_along(gamma: Fraction, delta: Fraction, pi: Fraction) -> tuple[fmpq_poly, fmpq_poly]:
    """Return numerator and denominator of n Var(r(t), s(t)), polynomials in t, from two points of the segment."""
    ends = [boundary_design(gamma, delta, Fraction(t)) for t in (0, 1)]
    first, last = ((1 - pi) * (1 - a) + pi * b for a, b in ends)
    positive = polynomial(first, last - first)
    return positive * (1 - positive), polynomial(*gap_along(gamma, delta)) ** 2


def rational_roots(function: fmpq_poly) -> list[Fraction]:
    """Return the distinct real roots of a polynomial that has only rational ones.

    Raises:
        InfeasibleError: a factor of degree 2 or more may have further real roots.
    """
    _, factors = function.factor()
    if any(factor.degree() > 1 for factor, _ in factors):
        raise InfeasibleError(f"roots are wanted exactly: received {function}, which has an irreducible factor")
    return sorted({-Fraction(str(factor[0])) / Fraction(str(factor[1])) for factor, _ in factors})


def at(function: fmpq_poly, x: Fraction) -> Fraction:
    """Return the value of a polynomial at a rational."""
    return Fraction(str(function(fmpq(x.numerator, x.denominator))))
