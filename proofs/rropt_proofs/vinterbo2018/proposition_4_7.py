"""Proposition 4.7: how close the loss at the mean is to the mean loss."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Bound, Claim, Correction, Domain, Point, Reading
from rropt.claims.outcomes import value_text
from rropt.core.exact import decimal_text
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._greenwood import centred_moments, mean_of_inverse
from rropt_proofs.vinterbo2018._paper import spread_of

MEAN, LOSS = "the mean of f_L", "f_L itself in the place of its mean"
ABOVE, BELOW, SURE = "P(the ratio is at least 1)", "P(the ratio is at most 1 + delta(n))", "the ratio, whatever a"
FIGURES = {3: Fraction("0.2386"), 4: Fraction("0.0029")}


def theory(point: Point) -> dict[str, Bound]:
    """Both have at least the probability of both together; delta(n) is below the printed figure."""
    return dict.fromkeys((ABOVE, BELOW), Bound("at-least", Fraction(99, 100)))


def _ratio(point: Point) -> tuple[Fraction, Fraction]:
    """Return bounds of E f_L(S)/f_L(2/(2^n+1)); f_L(s) = 1 + (c-1)/(1-s)."""
    n = point["n"]
    c, at = spread_of(Fraction(point["a"]), n), Fraction(2, 2**n + 1)
    low, high = ((1 + (c - 1) * x) / (1 + (c - 1) / (1 - at)) for x in mean_of_inverse(2**n))
    return low, high


def computed(point: Point) -> dict[str, Fraction]:
    """0 or 1 where the ratio is a number, decided by its bounds; of the loss itself, an upper bound."""
    n, reading = point["n"], point["reading"]
    if reading == LOSS:  # below its mean S is with probability at least Var^2/(4 E(S-E S)^4) (Hoelder, twice)
        _, variance, fourth = centred_moments(2**n)
        return {ABOVE: 1 - variance**2 / (4 * fourth), BELOW: Fraction(1)}
    low, high = _ratio(point)
    limit = 1 + FIGURES[n]
    if low < limit <= high or low < 1 <= high:
        raise ArithmeticError("the bounds of the mean do not decide")
    return {ABOVE: Fraction(int(low >= 1)), BELOW: Fraction(int(high < limit))}


def corrected(point: Point) -> dict[str, Bound]:
    return {ABOVE: Bound("at-least", Fraction(1)), SURE: Bound("less", 1 + FIGURES[point["n"]])}


def true_ratio(point: Point) -> dict[str, Fraction]:
    """The ratio grows with c; its limit is E 1/(1-S) times 1 - E S."""
    size = 2 ** point["n"]
    low, _ = _ratio(point)
    return {ABOVE: Fraction(int(low >= 1)), SURE: mean_of_inverse(size)[1] * (1 - Fraction(2, size + 1))}


def mutant(point: Point) -> dict[str, Bound]:
    """A 300th of delta."""
    return {**corrected(point), SURE: Bound("less", 1 + FIGURES[point["n"]] / 300)}


def working(point: Point) -> str:
    """What stands on both sides."""
    n = point["n"]
    c, at = spread_of(Fraction(point["a"]), n), Fraction(2, 2**n + 1)
    start = f"c = {value_text(c)}, f_L({at}) = {value_text((c - at) / (1 - at))}"
    mean, variance, fourth = centred_moments(2**n)
    return (
        f"{start}\nS = pi^T pi has mean {mean}, variance {value_text(variance)} and fourth centred moment "
        f"{value_text(fourth)}: it is below its mean, and f_L(S) below f_L({at}), with probability at least "
        f"{decimal_text(variance**2 / (4 * fourth), 3)}"
    )


LIKELY, NEVER = Bound("at-least", Fraction(99, 100)), Bound("at-most", Fraction(0))


def _variables(*readings: str) -> dict[str, Domain]:
    return {
        "reading": Domain.values("of what the ratio is", *readings),
        "n": Domain.values("n, the number of bits", 3, 4),
        "a": Domain.values("a", *map(Fraction, ("1/4", "2/3", "3/4", "9/10"))),
    }


SURELY = Correction(
    r"On $2^n$ categories $1\le\frac{\operatorname{E}(f_L(\pi^T\pi))}{f_L(\frac2{2^n+1})}<1+\delta(n)$, surely, "
    r"for every $a\ne\frac12$; $\delta(3)=0.2386$ and $\delta(4)=0.0029$ are far above the ratio (below $1.007$ "
    r"and $1.001$).",
    corrected,
    computed=true_ratio,
)
CLAIM = Claim(
    id="vinterbo2018.proposition-4.7",
    source=f"{PAPER}, Proposition 4.7",
    place=(4, 10),
    printed=r"For $n>2$ and $\pi$ a random uniformly sampled probability distribution on $n$ categories, "
    r"$P(1\le\frac{\operatorname{E}(f_L(\pi^T\pi))}{f_L(\frac2{2^n+1})}\le1+\delta(n))\ge0.99$. where "
    r"$\delta(n)\in O(2^{-3n})$ and $\delta(3)<0.2386$. Also, $\delta(4)<0.0029$.",
    precise="For n = 3 and n = 4 and the printed bounds of delta(n), on 2^n categories (the paragraph before it has "
    "them, its own denominator is f_L at their mean, and the proof says f_L(E(S)) = L(n)). Two readings: of the mean "
    "of f_L(pi^T pi), and of f_L(pi^T pi) itself, which is random while its mean is a number. A true or false "
    "inequality between numbers has probability 1 or 0.",
    variables=_variables(MEAN, LOSS),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=SURELY,
    working=working,
    readings=(
        Reading(
            "the mean of the loss",
            r"When $\pi$ is a random uniformly sampled probability distribution on $2^n$ categories",
            {"variables": _variables(MEAN), "correction": None, "mutant": lambda _: {ABOVE: LIKELY, BELOW: NEVER}},
        ),
        Reading(
            "the loss itself in the place of its mean",
            r"Applying [...] inequality, we have that "
            r"$P(S\ge\operatorname{E}(S)+10\operatorname{Var}(S)^{\frac12})\le0.01$.",
            {"variables": _variables(LOSS), "correction": SURELY},
        ),
    ),
    notes="`On n categories` is a slip of the pen for $2^n$: the ratio with n categories would be far above the bound. "
    "Of the mean the statement is true, without any probability. Of the random ratio itself it is false, as that is "
    "below 1 whenever pi^T pi is below its mean. The printed proof bounds the mean by a second derivative that is "
    "largest on an interval which S leaves with a probability of at most 0.01 (Chebyshev); that is no bound of the "
    "mean, which counts those values too: an event of small probability is used as if it did not happen, and its "
    "probability moves into the statement. The true ratio is enclosed here by the means of the powers of S.",
)
