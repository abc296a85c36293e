"""Corollary 2: one bit."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Anchored, Claim, Condition, Domain, Point, Step, Value
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import bit_randomizer, error_of_one, inverse_of_bit, squares

UP, DOWN = "p + q > 1", "p + q < 1"


def _loss(zero: Fraction, one: Fraction, pi: Fraction) -> Fraction:
    """Return L of the bit randomizer that keeps 0 and 1 with these probabilities, from the distribution of one
    response."""
    population = (1 - pi, pi)
    rows = bit_randomizer(zero, one)
    return error_of_one(rows, inverse_of_bit(rows), population) / (1 - squares(population))


def theory(point: Point) -> Fraction:
    """L of C_a with a = gamma/(1 + gamma), gamma = exp(alpha), by Theorem 4.6."""
    gamma, pi = Fraction(point["gamma"]), Fraction(point["pi"])
    a = gamma / (1 + gamma)
    s = pi**2 + (1 - pi) ** 2
    return ((a**2 + (1 - a) ** 2) / (2 * a - 1) ** 2 - s) / (1 - s)


def computed(point: Point) -> Fraction:
    """L of any private bit randomizer."""
    return _loss(Fraction(point["p"]), Fraction(point["q"]), Fraction(point["pi"]))


def mutant(point: Point) -> Fraction:
    """1 % more."""
    return theory(point) * Fraction(101, 100)


def proof() -> Anchored:
    """Twice the variance, less 2 pi (1-pi), is ((1-pi) p (1-p) + pi q (1-q))/D^2 times 2, D = p + q - 1.

    If D > 0, D <= (gamma - 1)(1 - p) and D gamma <= (gamma - 1) p, so that p (1-p) >= gamma/(gamma - 1)^2 D^2, where
    the right side belongs to C_a; likewise q. If D < 0, the same holds with p and 1 - p exchanged.
    """
    half = "((1 - pi)*p*(1 - p) + pi*q*(1 - q))/(p + q - 1)**2 + pi*(1 - pi)"
    best = "gamma/(gamma - 1)**2 + pi*(1 - pi)"
    steps = [Step("gamma > 1", where=case) for case in (UP, DOWN)]
    for x in ("p", "q"):
        for case, far, near in ((UP, f"(1 - {x})", x), (DOWN, x, f"(1 - {x})")):
            gap = "(p + q - 1)" if case == UP else "(1 - p - q)"
            steps.append(Step(f"(gamma - 1)*{far} >= {gap}", where=case))
            steps.append(Step(f"(gamma - 1)*{near} >= gamma*{gap}", where=case))
            steps.append(Step(f"(gamma - 1)**2*{x}*(1 - {x}) >= gamma*{gap}**2", where=case))
    return Anchored(
        *(
            Value(theory=f"({best})/(pi*(1 - pi))", computed=f"({half})/(pi*(1 - pi))", where=case)
            for case in (UP, DOWN)
        ),
        steps=steps,
    )


VARIABLES = {
    "gamma": Domain("gamma = exp(alpha)", tuple(map(Fraction, ("1", "6/5", "2", "3", "1000"))), None, "x >= 1"),
    "pi": Domain("Pr(X = 1)", tuple(map(Fraction, ("0", "1/20", "1/4", "1/2", "1"))), None, "0 <= x <= 1"),
    "p": Domain.interval("P(0 = M(0))", 0, 1, also=("1/3", "2/3", "3/4", "6/11")),
    "q": Domain.interval("P(1 = M(1))", 0, 1, also=("1/3", "1/2", "2/3", "6/11")),
}
PRIVATE = (
    Condition("the matrix is invertible", "(p + q - 1)**2 > 0"),
    Condition(
        "it is alpha-differentially private",
        "p <= gamma*(1 - q) and 1 - q <= gamma*p and q <= gamma*(1 - p) and 1 - p <= gamma*q",
    ),
)
CLAIM = Claim(
    id="vinterbo2018.corollary-2",
    source=f"{PAPER}, Corollary 2",
    place=(4, 18),
    printed="Combining the above with Theorem 2 in (Kairouz, Bonawitz, and Ramage 2016), stating the optimality of "
    "Warner's randomizer with regards to the privacy-utility tradeoff for any loss function and privacy level, we "
    r"conclude the following. Corollary 2. For $n=1$, bisymmetric iterated randomizers are optimal with respect to "
    r"loss $L$ for any privacy level $\alpha$.",
    precise="For every alpha > 0, gamma = exp(alpha), and every 0 < pi < 1: among all invertible bit randomizers that "
    "are alpha-differentially private, C_a with a = gamma/(1 + gamma) has the least L, whatever pi is.",
    variables=VARIABLES,
    assumptions=PRIVATE,
    defined=(Condition("0 < pi < 1: otherwise L is 0/0 or infinite", "0 < pi < 1"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    strength="at-least",
    count=150,
    notes="The sentence before it decides what is optimal: Warner's randomizer of a privacy level, that is C_a with "
    "a = gamma/(1 + gamma); a bisymmetric randomizer that does not use up its level is not the one of that level. "
    "At alpha = 0 no private randomizer is invertible. The paper quotes a theorem on any loss "
    "(Kairouz, Bonawitz and Ramage 2016); L is checked here by itself, among randomizers with one bit as "
    "response, for which the estimator m^{-1} C^{-1} Y exists.",
)
