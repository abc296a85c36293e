"""Algorithm 2, run as it is printed: what its estimator estimates."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Correction, Point
from rropt.claims.outcomes import value_text
from rropt_proofs._coins import law_of_runs
from rropt_proofs._laws import FiniteLaw, mean_of
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._mechanisms import algorithm_2
from rropt_proofs.sun2023._range import HALF
from rropt_proofs.sun2023._surveys import PERSONS, PROBABILITY, Pair, fixed, simmons
from rropt_proofs.sun2023.eq_2 import UNRELATED, asked


def theory(point: Point) -> Fraction:
    """pi_A, the share of group A."""
    return Fraction(sum(point["x"]), len(point["x"]))


def _as_printed(p: Fraction, b: Fraction) -> Pair:
    def answer(x: int) -> FiniteLaw:
        return law_of_runs(lambda coins: algorithm_2(coins, x, p, b))

    return answer(0), answer(1)


def _mean(point: Point, each: Pair) -> Fraction:
    p, b, size = Fraction(point["p"]), Fraction(point["b"]), len(point["x"])
    return (mean_of(fixed(point["x"], each)) / size - (1 - p) * b) / p


def computed(point: Point) -> Fraction:
    """The mean of the estimator over all runs of the printed lines, for all N persons."""
    return _mean(point, _as_printed(Fraction(point["p"]), Fraction(point["b"])))


def repaired(point: Point) -> Fraction:
    """The mean of the estimator over all runs, with u = 1 for u < p and v = 1 for v < pi_B."""
    return _mean(point, simmons(Fraction(point["p"]), Fraction(point["b"])))


def mutant(point: Point) -> Fraction:
    """A hundredth too much."""
    return theory(point) + Fraction(1, 100)


def working(point: Point) -> str:
    """The probabilities of an answer 1, and what follows for the mean."""
    p, b, size = Fraction(point["p"]), Fraction(point["b"]), len(point["x"])
    chances = [mean_of(law) for law in _as_printed(p, b)]
    members = sum(point["x"])
    mean = members * chances[1] + (size - members) * chances[0]
    return (
        f"u is 1 with probability p = {value_text(p)} and compared with p, v is 1 with probability pi_B = "
        f"{value_text(b)} and compared with pi_B\na person with x_i = 1 answers 1 with probability "
        f"{value_text(chances[1])}, one with x_i = 0 with probability {value_text(chances[0])}; the mean of N_1 is "
        f"{value_text(mean)} for x = {value_text(point['x'])}\nthe mean of the estimator is (({value_text(mean)})/"
        f"{size} - {value_text((1 - p) * b)})/({value_text(p)}) = {value_text(computed(point))}, and pi_A = "
        f"{value_text(theory(point))}"
    )


CLAIM = Claim(
    id="sun2023.algorithm-2",
    source=f"{PAPER}, Algorithm 2 and the estimator after it",
    place=(3, 6),
    printed="modified Simmons Mechanism [...] Sample a Bernoulli variable $u$ such that $P(u=1)=p$ if $u<p$ then "
    r"$X_i=x_i$ else Sample a Bernoulli variable $v$ such that $P(v=1)=\pi_B$ if $v<\pi_B$ then $X_i=1$ else "
    r"$X_i=0$ end if end if return $X_i$ [...] $N_1=\sum_{i=1}^NX_i$. [...] "
    r"$\hat{\pi_A}=\frac{\frac{N_1}N-(1-p)\pi_B}p$. The estimator $\hat{\pi_A}$ is an unbiased estimation "
    "according to the Law of large numbers (Durrett, 2019).",
    precise="For 0 < p <= 1, 0 <= pi_B <= 1, every N and all x_1, ..., x_N: with the answers of Algorithm 2 as "
    "printed, each person with coins of one's own, the estimator has the mean pi_A = (x_1 + ... + x_N)/N.",
    variables={"p": PROBABILITY, "b": UNRELATED, "x": PERSONS},
    defined=(asked,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"With the conditions $u=1$ and $v=1$ in the place of $u<p$ and $v<\pi_B$ the estimator is unbiased. As "
        r"printed, for $0<p<1$ and $0<\pi_B<1$, its mean is $\frac{(1-p)(\pi_A-\pi_B)+p(1-\pi_B)}p$.",
        theory,
        computed=repaired,
    ),
    working=working,
    stated=(HALF,),
    count=60,
    notes="u and v are Bernoulli variables, 0 or 1, so that both comparisons exchange their branches, as in Algorithm "
    "1. Unlike there the mean is no reflection of pi_A: even for pi_B = 1/2 it is 1/2 + (1 - p)/p times "
    "(pi_A - 1/2). Numbers u and v that are uniform on [0, 1] would make it right; the lines before say Bernoulli.",
)
