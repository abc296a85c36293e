"""Algorithm 1, run as it is printed: what its estimator estimates."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Correction, Domain, Point
from rropt.claims.outcomes import value_text
from rropt_proofs._laws import mean_of
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._mechanisms import Answer, algorithm_1, answers, estimate, meant
from rropt_proofs.sun2023._range import HALF


def theory(point: Point) -> Fraction:
    """pi_A, the share of group A."""
    return Fraction(sum(point["x"]), len(point["x"]))


def _mean(point: Point, answer: Answer) -> Fraction:
    p, size = Fraction(point["p"]), len(point["x"])
    return mean_of(answers(point["x"], p, answer), lambda given: estimate(sum(given), size, p))


def computed(point: Point) -> Fraction:
    """The mean of the estimator over all runs of the printed lines, for all N persons."""
    return _mean(point, algorithm_1)


def repaired(point: Point) -> Fraction:
    """The mean of the estimator over all runs, with u = 1 for u < p."""
    return _mean(point, meant)


def mutant(point: Point) -> Fraction:
    """A hundredth too much."""
    return theory(point) + Fraction(1, 100)


def working(point: Point) -> str:
    """The two values of u, and what follows for the mean."""
    p, size = Fraction(point["p"]), len(point["x"])
    told = " and ".join(f"u = {u}: {'X_i = x_i' if u < p else 'X_i = 1 - x_i'}" for u in (0, 1))
    truth = sum(chance for u, chance in ((0, 1 - p), (1, p)) if u < p)
    mean = sum(truth if x else 1 - truth for x in point["x"])
    return (
        f"u is 1 with probability p = {value_text(p)} and compared with p: {told}\nso a person answers truly with "
        f"probability {value_text(truth)}, and the mean of N_1 is {value_text(mean)} for x = {value_text(point['x'])}\n"
        f"the mean of the estimator is (({value_text(mean)})/{size} - {value_text(1 - p)})/({value_text(2 * p - 1)}) = "
        f"{value_text(computed(point))}, and pi_A = {value_text(theory(point))}"
    )


CLAIM = Claim(
    id="sun2023.algorithm-1",
    source=f"{PAPER}, Algorithm 1 and the estimator after it",
    place=(3, 1),
    printed="modified Warner Mechanism [...] Sample a Bernoulli variable $u$ such that $P(u=1)=p$ if $u<p$ then "
    r"$X_i=x_i$ else $X_i=1-x_i$ end if return $X_i$ [...] $N_1=\sum_{i=1}^NX_i$. [...] "
    r"$\hat{\pi_A}=\frac{\frac{N_1}N-(1-p)}{2p-1}$. The estimator $\hat{\pi_A}$ is unbiased estimation "
    "according to the Law of large numbers (Durrett, 2019).",
    precise="For 0 <= p <= 1, p != 1/2, every N and all x_1, ..., x_N: with the answers of Algorithm 1 as printed, "
    "each person with coins of one's own, the estimator has the mean pi_A = (x_1 + ... + x_N)/N.",
    variables={
        "p": Domain.interval("probability that u = 1", 0, 1, also=("1/10", "1/4", "1/2", "3/4")),
        "x": Domain.values(
            "x_i of the N persons",
            *(tuple(map(int, bits)) for bits in ("10", "00", "100", "1100", "11110")),
            entries={(): "x*(1 - x) == 0 and 0 <= x <= 1"},
        ),
    },
    defined=(Condition("p != 1/2: the estimator divides by 2p - 1", "p != 1/2"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"With the condition $u=1$ in the place of $u<p$ the estimator is unbiased. As printed, for $0<p\le1$, its "
        r"mean is $1-\pi_A$.",
        theory,
        computed=repaired,
    ),
    working=working,
    stated=(HALF,),
    count=60,
    notes="u is a Bernoulli variable, 0 or 1, so that u < p says u = 0 for every p in (0, 1), and at p = 1 never "
    "holds for the u = 1 that is drawn: the algorithm exchanges its two branches, and estimates the share of the "
    "others. A u that is uniform on [0, 1] would make u < p right; the line before it says Bernoulli. At p = 0 both "
    "readings flip every answer, and the estimator is pi_A.",
)
